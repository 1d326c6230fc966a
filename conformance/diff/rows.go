// Changes of a unit, in rows of the schema.

package diff

// row is one line of a unit: the key is compared, and the text is shown.
type row struct{ key, text string }

// rowsOf returns the lines of a unit: those of the schema, or its instructions
// where no schema is known.
func rowsOf(s *Side, x *unit) []row {
	keys, texts := x.code, x.code
	if declared := s.declaration(x); declared != nil {
		keys, texts = s.Schema.Lines(declared, false), s.Schema.Lines(declared, true)
	}
	if len(keys) != len(texts) {
		texts = keys
	}
	var out []row
	for i := range keys {
		if keys[i] != "}" { // it says nothing by itself
			out = append(out, row{keys[i], texts[i]})
		}
	}
	return out
}

// declaration returns the arm, record, union or encoding that a unit is, nil if the
// schema does not declare it.
func (s *Side) declaration(x *unit) any {
	if s.Schema == nil {
		return nil
	}
	switch x.sort {
	case Arm:
		if u := s.Schema.Union(x.union); u != nil && u.Arm(x.name) != nil {
			return u.Arm(x.name)
		}
	case Record:
		if r := s.Schema.Record(x.name); r != nil {
			return r
		}
	case Header:
		if u := s.Schema.Union(x.name); u != nil {
			return u
		}
	case Text:
		if e := s.Schema.Encoding(x.name); e != nil {
			return e
		}
	}
	return nil
}

// changedRows returns the rows that only one of two lists has, in their order.
func changedRows(old, new []row) (removed, added []string) {
	// The longest common subsequence; lists are short.
	n, m := len(old), len(new)
	if n*m > 1<<22 {
		n, m = min(n, 1<<11), min(m, 1<<11)
	}
	common := make([][]int, n+1)
	for i := range common {
		common[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if old[i].key == new[j].key {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && old[i].key == new[j].key:
			i, j = i+1, j+1
		case j >= m || i < n && common[i+1][j] >= common[i][j+1]:
			removed = append(removed, old[i].text)
			i++
		default:
			added = append(added, new[j].text)
			j++
		}
	}
	return removed, added
}
