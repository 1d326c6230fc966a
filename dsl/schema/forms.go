// Forms: rows with several forms, and rows under a condition.

package schema

import (
	"cmp"
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// byExample shows a row with several forms.
const byExample = "| … | 4 or 8 | by flag { 0 i32, 1 i64 } | %s |"

// sometimes is the advice for a condition that names nothing.
const sometimes = "name a row that is before it, as in: if kind == 1; rows that are always there have no condition"

// conditional binds a row under a condition.
func (s *scope) conditional(d *dsl.Row) *Forms {
	n := &Forms{Pos: d.Pos}
	when := whenOf(d.Attrs)
	var row *Row
	s.then(func() { row.When = s.condition(when, sometimes) })
	row = s.row(d)
	n.Field, n.Rows = row.Field, []*Row{row}
	s.then(func() { optional([]Node{row}) })
	return n
}

// again reports a row with the name and a condition of the row before it.
func (s *scope) again(d *dsl.Row) {
	s.name(d.Name, dsl.CodeTwice, "%s has another row before this one, and a field has one row", d.Name.Text).
		WithHint("write one row with several forms: "+byExample, d.Name.Text)
}

// formsOf binds a row with several forms.
func (s *scope) formsOf(d *dsl.Row) *Forms {
	n := &Forms{Pos: d.Pos, Total: true, end: d.EndPos}
	if d.At != nil {
		s.errorf(d.At.Pos, 1, dsl.CodeArgs, "%s has several forms, and a row at the place that a field holds has one type", d.Name.Text).
			WithHint("put the forms into a separate type, or into blocks: if … { | @… | … | … | %s | }", d.Name.Text)
	}
	head := *d
	head.At, head.Attrs = nil, nil
	if head.Offset == nil {
		head.Offset = &dsl.Expr{Pos: d.Pos, Name: &dsl.Name{Pos: d.Pos, Text: "P"}}
	}
	for _, a := range d.Attrs {
		switch {
		case a.When != nil:
			s.errorf(a.Pos, len("if"), dsl.CodeArgs, "%s has several forms, so it is not under a condition by itself", d.Name.Text).
				WithHint("put the row into a block: if … { | … | %s | … | }", d.Name.Text)
		case a.Any && n.Any:
			s.errorf(a.Pos, len("any"), dsl.CodeTwice, "any is given twice").WithHint("keep one").Remove(s.files[a.Pos.Filename], a.Pos, a.EndPos)
		case a.Any:
			n.Any, n.any = true, a
		default:
			head.Attrs = append(head.Attrs, a)
		}
	}
	forms := slices.Clone(d.By.Forms)
	typed := max(0, slices.IndexFunc(forms, func(f *dsl.Form) bool { return f.Type != nil }))
	if forms[typed].Type == nil {
		s.errorf(forms[0].Value.Pos, 1, dsl.CodeArgs, "no form of %s has a type", d.Name.Text).
			WithHint("write the expression where the field is used, or give a form a type")
		form := *forms[typed]
		form.Type, form.Value = &dsl.TypeRef{Pos: form.Pos, Name: &dsl.Name{Pos: form.Pos, Text: "u64"}}, nil
		forms[typed] = &form
	}
	if t, value := forms[typed].Type, d.Computed(); value != nil && (d.Text != nil || t.Extent != nil && !coding(t.Path()).InDigits()) {
		s.errorf(value.Pos, 1, dsl.CodeArgs, "%s has several forms, and a row that is always the same has one", d.Name.Text).
			WithHint("put the rows into blocks, each with its value: if … { | … | %s = … | } else { … }", d.Name.Text)
		head.Value, head.Text = nil, nil
	}
	s.then(func() {
		n.Selector = s.reader(d.By.Selector)
		s.formConditions(n, d)
		for k, form := range forms {
			switch {
			case form.Value != nil:
				n.Rows[k].Inline = s.inline(n, n.Rows[k], form)
			case k != typed:
				s.typeOperands(n.Rows[k].Type, form.Type)
			}
		}
	})
	first := s.row(head.In(forms[typed]))
	n.Field = first.Field
	for k, form := range forms {
		row := first
		if k != typed {
			row = &Row{Field: n.Field, Pos: form.Pos, Doc: head.In(form).Doc.String(), Type: first.Type}
			if form.Type != nil {
				row.Type = s.typeOf(form.Type, d.Name.Text)
				s.fill(row.Type, head.In(form))
			}
		}
		n.Rows = append(n.Rows, row)
	}
	s.formIDs(n, forms)
	s.alike(n, forms)
	s.then(func() {
		n.Lengths = []*Expr{first.Length}
		for _, e := range d.Others {
			n.Lengths = append(n.Lengths, s.length(e))
		}
		if i := slices.IndexFunc(n.Lengths, (*Expr).Named); i >= 0 && len(d.Others) > 0 {
			s.errorf(n.Lengths[i].Pos, 1, dsl.CodeLength, "%s is bounded by a field in some of its forms only", n.Field.Name).
				WithHint("write one length for all forms, or give each form a letter or a number")
		}
		for k, row := range n.Rows {
			if row == first {
				continue
			}
			own := *row
			*row = *first
			row.Pos, row.Doc, row.Type, row.IDs, row.When, row.Inline = own.Pos, own.Doc, own.Type, own.IDs, own.When, own.Inline
			row.Mentions, row.Checks, row.Bound = nil, slices.Clone(first.Checks), nil
			if row.Inline == nil {
				s.bound(row, head.In(forms[k]))
			}
		}
		n.widths()
	})
	n.Field.Forms = n
	s.forms = append(s.forms, n)
	return n
}

// widths marks the forms that are wider than the narrowest one.
func (n *Forms) widths() {
	narrowest := n.Rows[0].Type.width()
	for _, row := range n.Rows {
		narrowest = min(narrowest, row.Type.width())
	}
	for _, row := range n.Rows {
		row.Wide = row.Type.width() > narrowest && row.Inline == nil
	}
}

// inline binds the number of a form without bytes: the selector plus or minus a constant, or
// a constant.
func (s *scope) inline(n *Forms, row *Row, form *dsl.Form) *Expr {
	x := s.reader(form.Value)
	constant := func(x *Expr) bool { // which it makes a number
		number, ok := x.constant()
		if ok {
			*x = Expr{Op: builtin.Num, Pos: x.Pos, Num: number}
		}
		return ok
	}
	selector := func(x *Expr) bool {
		return x.Op == builtin.Ref && n.Selector.Op == builtin.Ref && x.Field == n.Selector.Field
	}
	switch {
	case n.Selector.bad || x.bad:
	case constant(x) && row.IDs.Several():
		s.errorf(form.Value.Pos, 1, dsl.CodeInverse, "several numbers give %s the same value, so a writer cannot choose one", n.Field.Name).
			WithHint("give the form one number, or compute the value from the number")
	case constant(x), selector(x), x.Op == builtin.Add && selector(x.Args[0]) && constant(x.Args[1]), x.Op == builtin.Sub && selector(x.Args[0]) && constant(x.Args[1]):
	default:
		s.errorf(form.Value.Pos, 1, dsl.CodeArgs, "the value of a form is the field that selects it, plus or minus a constant, or a constant").
			WithHint("for example: = %s - 0x80", cmp.Or(n.Selector.Name, "number"))
	}
	return x
}

// width returns the bytes of the numbers in a row, 0 if it has no scalar.
func (t *Type) width() int {
	if t.Form == Number || t.Form == Array {
		return t.Scalar.Width()
	}
	return 0
}

// formIDs binds the numbers of forms.
func (s *scope) formIDs(n *Forms, forms []*dsl.Form) {
	for k, form := range forms {
		row := n.Rows[k]
		for _, d := range form.IDs {
			if d.Else {
				s.errorf(d.Pos, len("else"), dsl.CodeArm, "a form has numbers, and none is for all others").
					WithHint("write the numbers, such as 2..255")
				continue
			}
			ids, ok := s.id(d)
			if !ok {
				continue
			}
			for i, other := range n.Rows[:k+1] {
				if x, twice := other.IDs.Shared(ids); twice {
					s.errorf(d.Pos, d.Width(), dsl.CodeArm, "forms %s and %s of %s both have number %s", forms[i], form, n.Field.Name, cmp.Or(d.Code, numberText(x, isHex(d.Num)))).
						WithHint("give every number to one form")
				}
			}
			row.IDs = builtin.Join(append(row.IDs, ids)...)
		}
	}
}

// alike reports forms that are not of one sort.
func (s *scope) alike(n *Forms, forms []*dsl.Form) {
	typed := slices.IndexFunc(forms, func(f *dsl.Form) bool { return f.Type != nil })
	first, bits := n.Rows[typed].Type, n.Rows[typed].Bits
	for k, row := range n.Rows {
		t := row.Type
		if forms[k].Value != nil {
			if first.Form != Number || first.Scalar.IsFloat() || len(bits) > 0 {
				s.errorf(forms[k].Value.Pos, 1, dsl.CodeArgs, "a form without bytes has an integer, and %s is not one", n.Field.Name).
					WithHint("give the form a type")
			}
			continue
		}
		switch {
		case t.unknown():
		case t.Coding.InDigits():
			s.errorf(forms[k].Type.Pos, len(t.Name), dsl.CodeArgs, "numbers in digits are not a form of a row").
				WithHint("use blocks: if … { … } else { … }")
		case t.Coding != builtin.Fixed:
			s.errorf(forms[k].Type.Pos, len(t.Name), dsl.CodeArgs, "numbers of %s have different widths, so they are not a form of a row", t.Name).
				WithHint("use a type of one width, or blocks: if … { … } else { … }")
		case t.sort() == "":
			s.errorf(forms[k].Type.Pos, len(t.Name), dsl.CodeArgs, "%s is not a form of a row, whose forms are numbers, truths, text or arrays", forms[k].Type).
				WithHint("use a union with an argument, or blocks: if … { … } else { … }")
		case first.sort() != "" && t.sort() != first.sort():
			s.errorf(forms[k].Type.Pos, len(t.Name), dsl.CodeArgs, "%s is %s in one form and %s in another", n.Field.Name, first.sort(), t.sort()).
				WithHint("give all forms types of one sort, or give the forms names in blocks: if … { … } else { … }")
		}
		for _, bit := range bits {
			if k != typed && t.Scalar.Valid() && bit.Lo+bit.N > 8*t.Scalar.Width() {
				s.errorf(forms[k].Type.Pos, len(t.Name), dsl.CodeBits, "%s has no bits for %s", forms[k].Type, bit.Field.Name).
					WithHint("every form has all bits of the row")
			}
		}
	}
}

// sort returns the sort of the values of a type, "" if a form cannot have it.
func (t *Type) sort() string {
	number := "an unsigned integer"
	switch {
	case t.Scalar.IsFloat():
		number = "a float"
	case t.Scalar.Signed():
		number = "a signed integer"
	case t.Scalar == builtin.Code4:
		number = "a code"
	}
	switch t.Form {
	case Number:
		return number
	case Truth:
		return "a truth"
	case Text:
		if c := t.Encoding.Charset; c == builtin.UTF8Loose || c == builtin.UTF8Unchecked {
			return "text in " + t.Encoding.Name // which may be any bytes
		}
		return "text"
	case Array:
		if t.Scalar.IsFloat() {
			return "an array of floats"
		}
		return "an array of " + t.Scalar.String()
	}
	return ""
}

// encodings returns how many encodings the forms of a text have.
func (n *Forms) encodings() int {
	seen := map[*Encoding]bool{}
	for _, row := range n.Rows {
		seen[row.Type.Encoding] = true
	}
	return len(seen)
}

// formConditions gives every form the condition that the selector has one of its numbers. It
// also makes the check that some form has the number.
func (s *scope) formConditions(n *Forms, d *dsl.Row) {
	numbers, known := s.numbers(n.Selector)
	var all []builtin.Range
	for k, row := range n.Rows {
		all = append(all, row.IDs...)
		row.When = condition(n.Selector, row.IDs, known && len(numbers) == 1 && numbers[0] == builtin.Range{Lo: 0, Hi: 1})
		if never := row.IDs.Without(numbers); known && len(never) > 0 {
			s.errorf(d.By.Forms[k].Pos, d.By.Forms[k].IDs[0].Width(), dsl.CodeUnreachable, "%s is never %s, so form %s of %s is not read", d.By.Selector.Text(false), never, d.By.Forms[k], n.Field.Name).
				WithHint("the numbers of %s are %s", d.By.Selector.Text(false), numbers)
			continue
		}
		for _, id := range d.By.Forms[k].IDs {
			s.selected(n.Selector, id)
		}
	}
	ids := builtin.Join(all...)
	if len(ids) > maxCompared {
		s.errorf(d.By.Pos, len("by"), dsl.CodeRange, "the forms of %s have %d ranges of numbers, and at most %d are allowed", n.Field.Name, len(ids), maxCompared).
			WithHint("join neighbouring numbers, or put the rows into an arm of a union")
		return
	}
	if len(ids) > 0 && (!known || len(numbers.Without(ids)) > 0) {
		n.Check = &Check{Cond: among(n.Selector, ids.Signed()), Message: d.By.Selector.Text(false) + " has a number that no form of " + n.Field.Name + " has"}
	}
}

// condition returns the condition that a selector has one of some numbers. A flag is 0 or 1.
func condition(selector *Expr, ids builtin.Ranges, flag bool) *Expr {
	switch {
	case len(ids) == 0: // a mistake
		return &Expr{Op: builtin.Num, Pos: selector.Pos}
	case flag && ids.Count() == 1 && ids[0].Lo == 0:
		return &Expr{Op: builtin.Not, Pos: selector.Pos, Args: []*Expr{selector}}
	case flag && ids.Count() == 1:
		return selector
	}
	return among(selector, ids.Signed())
}

// numbers returns the numbers that an expression can have when a reader evaluates it. It
// reports whether they are known and not negative.
func (s *scope) numbers(x *Expr) (builtin.Ranges, bool) {
	upTo := func(hi uint64) (builtin.Ranges, bool) { return builtin.Ranges{{Lo: 0, Hi: hi}}, true }
	switch x.Op {
	case builtin.Eq, builtin.Ne, builtin.Lt, builtin.Le, builtin.Gt, builtin.Ge, builtin.Both, builtin.Either, builtin.Not, builtin.Closed:
		return upTo(1)
	case builtin.And:
		for _, a := range x.Args {
			if a.Op == builtin.Num && a.Num >= 0 {
				return upTo(uint64(a.Num))
			}
		}
	case builtin.Ref:
		switch node := x.Field.Node.(type) {
		case *Bit:
			if !node.Signed {
				return upTo(uint64(Mask(node.N)))
			}
		case *Row:
			arm, t := s.rec.Arm, node.Type
			switch {
			case x.Field.Forms != nil:
			case arm != nil && node == s.word && arm.Union.By == x.Field && !arm.Else:
				return arm.IDs, true
			case t.Form == Number && t.Scalar.Valid() && t.Option == nil && !t.Scalar.IsFloat() && !t.Scalar.Signed():
				return upTo(t.most())
			}
		}
	}
	return nil, false
}

// Absent returns the stored fields of a row under a condition, which are absent if it does
// not hold.
func (n *Forms) Absent() []*Field {
	var out []*Field
	if !n.Total {
		stored([]Node{n.Rows[0]}, func(f *Field) { out = append(out, f) })
	}
	slices.SortFunc(out, func(a, b *Field) int { return a.Index - b.Index })
	return out
}
