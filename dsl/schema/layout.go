// Layout: every declared offset and length against the sum of the rows before it.
//
// Offsets and lengths may hold letters. A new letter represents a length or a place
// that depends on content, and may be used after it: X+8 after a text of X bytes is
// checked as 8 is after a number. The numbers are declared for the first choice of the
// option; under another one they are computed.

package schema

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// layout checks every record of the schema.
func (p *prover) layout() {
	if p.s.Root != nil {
		p.typeSize(p.s.Root)
	}
	for _, rec := range p.s.Records {
		p.layoutOf(rec.Name, rec.Body, 0, rec.computed)
	}
	for _, u := range p.s.Unions {
		head := p.layoutOf(u.Name, u.Body, 0, u.computed)
		for _, a := range u.Arms {
			p.layoutOf(a.Name, a.Body, head, u.computed)
		}
	}
}

// layoutOf checks a record that begins at an offset. It returns the offset after it, if
// that is a number.
func (p *prover) layoutOf(name string, body []Node, from int64, computed string) int64 {
	l := &layouter{p: p, name: name, letters: map[string]Linear{}, computed: computed}
	end := l.body(body, cursor{Constant(from), true})
	if end.known && end.at.IsNumber() {
		return end.at.Num
	}
	return from
}

// layouter checks one record for one choice of the option.
type layouter struct {
	p        *prover
	name     string
	letters  map[string]Linear // values of letters
	outer    map[string]Linear // values of letters of the records around a list
	computed string            // see [Union]
	element  bool              // it is the element of a list
	lost     int               // lengths that have no letter by mistake
	own      string            // the letter that forms of the row at hand share
}

// cursor is the place of a row, if it is known.
type cursor struct {
	at    Linear
	known bool
}

func (l *layouter) body(body []Node, at cursor) cursor {
	for i, n := range body {
		l.p.tail(l.name, rowOf(n), body[i+1:])
		switch n := n.(type) {
		case *Row:
			at = l.forms([]*Row{n}, at, true)
		case *Forms:
			l.lengths(n)
			at = l.forms(n.Rows, at, n.Total)
			l.own = ""
		case *If:
			then, other := l.body(n.Then, at), l.body(n.Else, at)
			if !then.known || !other.known || !then.at.Equal(other.at) {
				then = cursor{}
			}
			at = then
		case *List:
			at = l.list(n, at)
		}
	}
	return at
}

// lengths gives the forms of a row their lengths. The cell has each of them once, in the order
// of the forms. Forms whose length depends on content share a letter.
func (l *layouter) lengths(n *Forms) {
	cells := n.Lengths
	if len(cells) == 0 {
		return // of a row under a condition
	}
	if len(cells) == 1 && cells[0].Named() {
		for _, row := range n.Rows {
			row.Length = cells[0]
		}
		return
	}
	const letter = "a length that depends on content"
	var want []string
	var at []int // of the forms in want
	for _, row := range n.Rows {
		text := letter
		if t := row.Type; t.unknown() {
			row.Length = cells[0]
			return // of an unknown type, which is reported with its name
		}
		if size, fixed := l.p.fixedRow(row); fixed {
			text = fmt.Sprint(l.declared(size))
		}
		k := slices.Index(want, text)
		if k < 0 {
			k, want = len(want), append(want, text)
		}
		at = append(at, k)
	}
	same := len(cells) == len(want)
	for k := range want {
		if same {
			cell, ok := cells[k].Linear(Letter)
			number := ok && cell.IsNumber()
			same = number && show(cell) == want[k] || !number && want[k] == letter
		}
	}
	for k, row := range n.Rows {
		switch size, fixed := l.p.rowSize(row); {
		case same:
			row.Length = cells[at[k]]
		case fixed:
			row.Length = &Expr{Op: builtin.Num, Pos: cells[0].Pos, Num: size}
		default:
			row.Length = &Expr{Op: builtin.Letter, Pos: cells[0].Pos, Name: fmt.Sprintf("?%d", l.lost)}
		}
		if length, ok := row.Length.Linear(Letter); ok && want[at[k]] == letter && !l.bound(length.Alone()) {
			l.own = length.Alone()
		}
	}
	if same {
		return
	}
	l.lost++
	text := strings.Join(want, " or ")
	d := l.p.r.errorf(cells[0].Pos, 1, dsl.CodeLength, "the forms of %s.%s take %s bytes", l.name, n.Field.Name, text)
	if slices.Contains(want, letter) {
		d.WithHint("write each length once, in the order of the forms, and a letter for a length that depends on content")
	} else {
		d.WithHint("write each length once, in the order of the forms: %s", text).ReplaceCell(text)
	}
}

// forms checks rows that are forms of one field, or one row. The place after them is known if it
// is the same for all, and one of them is there in any case (total).
func (l *layouter) forms(rows []*Row, at cursor, total bool) cursor {
	var end cursor
	for i, row := range rows {
		here := at
		after := l.row(row, &here, l.length)
		if i == 0 {
			end, at = after, here
		} else if !end.known || !after.known || !end.at.Equal(after.at) {
			end = cursor{}
		}
	}
	if !total && rows[0].At == nil {
		if _, fixed := l.p.rowSize(rows[0]); fixed || rows[0].Length.Named() {
			end = cursor{} // its length is not 0 if it is not there
		}
	}
	return end
}

// row checks one row and returns the place after it. If the offset is a new letter, *at
// becomes known. The function length checks the length of the row.
func (l *layouter) row(row *Row, at *cursor, length func(*Row) (Linear, bool)) cursor {
	p := l.p
	if row.At != nil { // behind which the next row is not
		length(row)
		return *at
	}
	off, ok := l.linear(row.Offset)
	if !ok {
		return cursor{}
	}
	known := at.known
	alone := off.Alone()
	isNew := alone != "" && !l.bound(alone)
	switch {
	case isNew && at.known:
		l.letters[alone] = at.at
	case isNew:
		l.letters[alone] = Letter(alone + "#")
		*at = cursor{Letter(alone + "#"), true}
	case !at.known:
		p.r.errorf(row.Offset.Pos, 1, dsl.CodeOffset, "the offset of %s.%s depends on content that no letter represents%s", l.name, row.Field.Name, l.computed).
			WithHint("begin with a new letter, which then represents this place")
		*at = cursor{off, true}
	case lostIn(at.at): // reported where the length is
		*at = cursor{off, true}
	case l.computed == "" && !off.Equal(at.at):
		if first, last, ok := row.Offset.span(); ok {
			p.r.errorf(row.Offset.Pos, 1, dsl.CodeOffset, "%s.%s is declared at the bytes %d to %d", l.name, row.Field.Name, first, last).
				WithHint("an offset is that of the first byte alone, here %d", first)
			*at = cursor{Constant(first), true}
			break
		}
		sort := "a gap"
		if d := off.Plus(at.at, -1); d.IsNumber() && d.Num < 0 {
			sort = "an overlap"
		}
		hint := "correct the offset, or the lengths of the rows before it"
		if alone != "" && row.Offset.Named() && at.at.Coef[alone] == 0 {
			hint += "; a row at the place that " + alone + " holds has the offset @" + alone
		}
		p.r.errorf(row.Offset.Pos, 1, dsl.CodeOffset, "%s.%s is declared at %s, but the rows before it end at %s: %s", l.name, row.Field.Name, show(off), show(at.at), sort).
			WithHint("%s", hint).ReplaceCell(show(at.at))
		*at = cursor{off, true}
	}
	if known {
		row.Begin = show(at.at)
	}
	if row.Tail != nil {
		p.typeSize(row.Type)
		return cursor{Letter(endName).Plus(Constant(row.Tail.Bytes), -1), true}
	}
	n, known := length(row)
	return cursor{at.at.Plus(n, 1), known}
}

// span returns the numbers of a range of bytes that is written as a difference, such as 4-7.
func (e *Expr) span() (first, last int64, ok bool) {
	if e.Op != builtin.Sub || e.Args[0].Op != builtin.Num || e.Args[1].Op != builtin.Num {
		return 0, 0, false
	}
	first, last = e.Args[0].Num, e.Args[1].Num
	return first, last, first <= last
}

// length checks the declared length of a row and returns it, if it is known. Padding is
// not part of a length of fields.
func (l *layouter) length(row *Row) (n Linear, known bool) {
	p := l.p
	if row.Length.Named() {
		p.typeSize(row.Type)
		if row.Bound == nil {
			n, known = row.Type.linear(row.Type.Scalar)
		} else {
			n, known = row.Length.Linear(Letter)
		}
		return n, known && row.Pad == nil
	}
	declared, ok := l.linear(row.Length)
	if !ok {
		return Constant(0), true
	}
	if size, fixed := p.rowSize(row); fixed {
		if l.computed == "" && !declared.Equal(Constant(size)) {
			name := row.Type.Name
			if row.Type.Size != nil {
				name += "[…]"
			}
			unit := "bytes"
			if declared.Equal(Constant(1)) {
				unit = "byte"
			}
			p.r.errorf(row.Length.Pos, 1, dsl.CodeLength, "%s.%s is declared %s %s long, but %s takes %d", l.name, row.Field.Name, show(declared), unit, name, size).
				WithHint("correct the length or the type").ReplaceCell(fmt.Sprint(size))
		}
		return Constant(size), true
	}
	if n, ok := row.Area(); ok {
		return Constant(n), false
	}
	if declared.Alone() == "" && row.Type.unknown() {
		return declared, true // of an unknown type, which is reported with its name
	}
	return l.letter(row, declared), true
}

// lostIn reports whether a length before a place has no letter by mistake.
func lostIn(place Linear) bool {
	for letter := range place.Coef {
		if strings.HasPrefix(letter, "?") {
			return true
		}
	}
	return false
}

// declared returns the bytes that cells have for a size.
func (l *layouter) declared(size fixedSize) int64 {
	if l.computed != "" {
		return size.first
	}
	return size.bytes
}

// letter returns the letter that represents the length of a row.
func (l *layouter) letter(row *Row, declared Linear) Linear {
	p, alone := l.p, declared.Alone()
	if alone == "" || l.bound(alone) && alone != l.own {
		hint := "write a letter that this record does not use yet"
		if size, ok := row.Type.linear(row.Type.Scalar); ok && !size.IsNumber() && row.Pad == nil {
			hint = "write the bytes of the type, " + show(size) + ", or a letter that this record does not use yet"
		} else if row.Pad != nil && declared.IsNumber() && (row.Type.Form == Text || row.Type.Form == Array && row.Type.Scalar == builtin.U8) {
			hint += `; content in a constant number of bytes has fill "00" in place of pad`
		}
		p.r.errorf(row.Length.Pos, 1, dsl.CodeLength, "the length of %s.%s depends on its content or padding, so a new letter represents it", l.name, row.Field.Name).WithHint("%s", hint)
		l.lost++
		return Letter(fmt.Sprintf("?%d", l.lost))
	}
	l.letters[alone] = Letter(alone)
	return Letter(alone)
}

func (l *layouter) bound(letter string) bool {
	_, ok := l.letters[letter]
	return ok || letter == "i" && l.element
}

// show prints a place with the letters of the schema.
func show(a Linear) string { return strings.ReplaceAll(a.String(), "#", "") }

// listRow checks the cells of a row that is a list.
func (l *layouter) listRow(list *List, at cursor) cursor {
	p := l.p
	each, fixed := p.element(list)
	after := l.row(list.Row, &at, func(row *Row) (Linear, bool) {
		size, declaredSize, known := l.elements(list, each)
		known = known && fixed
		if row.Length.Named() {
			cell, ok := row.Length.Linear(Letter)
			if known && ok && declaredSize.Equal(cell) {
				row.Bound = nil
				return size, list.Pad == nil
			}
			return cell, ok && list.Pad == nil
		}
		declared, ok := l.linear(row.Length)
		list.bindArea(fixed)
		n, area := row.Area()
		switch {
		case !ok:
			return Constant(0), true
		case area:
			return Constant(n), list.Pad == nil
		case !known || !size.IsNumber() || list.Pad != nil:
			return l.letter(row, declared), true
		case l.computed == "" && !declared.Equal(size):
			p.r.errorf(row.Length.Pos, 1, dsl.CodeLength, "%s.%s is declared %s bytes long, but its elements take %d", l.name, row.Field.Name, show(declared), size.Num).
				WithHint("correct the length or the type").ReplaceCell(fmt.Sprint(size.Num))
		}
		return size, true
	})
	list.Element.Body[0].(*Row).Begin = list.Row.Begin
	return after
}

// list checks the rows of an element, and returns the place after the list. If all elements
// have one size, the letter i is the number of the element, and offsets are those of element i.
func (l *layouter) list(list *List, at cursor) cursor {
	if list.Row != nil {
		return l.listRow(list, at)
	}
	for _, t := range []*Type{list.Key, list.Elem} {
		if t != nil {
			l.p.typeSize(t)
		}
	}
	outer := maps.Clone(l.letters)
	for letter, v := range l.outer {
		if _, own := outer[letter]; !own {
			outer[letter] = v
		}
	}
	inner := &layouter{p: l.p, name: l.name + "." + list.Field.Name, letters: map[string]Linear{}, outer: outer, computed: l.computed, element: true}
	var first, after cursor
	if each, fixed := l.p.element(list); fixed && at.known {
		first = cursor{at.at.Plus(Letter("i"), each.bytes), true}
		if size, _, known := l.elements(list, each); known && list.Pad == nil {
			after = cursor{at.at.Plus(size, 1), true}
		}
	}
	inner.body(list.Element.Body, first)
	return after
}

// elements returns the bytes of the elements of a list, and those that cells have for them. Each element takes the same
// number.
func (l *layouter) elements(list *List, each fixedSize) (size, declared Linear, known bool) {
	if list.Count == nil {
		return size, declared, false
	}
	n, known := list.Count.Linear(Letter)
	size, declared = Constant(0).Plus(n, each.bytes), Constant(0).Plus(n, l.declared(each))
	return size, declared, known && size.Small()
}

// linear returns an offset or a length as a linear form. A letter by itself is not one
// of a record around a list, since it may be new.
func (l *layouter) linear(e *Expr) (Linear, bool) {
	l.fields(e)
	full := false
	out, ok := e.Linear(func(name string) Linear {
		v, bound := l.letters[name]
		if !bound && e.Op != builtin.Letter {
			v, bound = l.outer[name]
		}
		if !bound {
			full = full || len(l.letters) >= maxLetters
			return Letter(name)
		}
		return v
	})
	return out, l.linearOnly(e, ok && !full)
}

// fields makes the fields in a cell letters that are not new.
func (l *layouter) fields(e *Expr) {
	if e.Op == builtin.Letter && e.Field != nil {
		l.letters[e.Name] = Letter(e.Name)
	}
	for _, a := range e.Args {
		l.fields(a)
	}
}

func (l *layouter) linearOnly(e *Expr, ok bool) bool {
	if !ok {
		l.p.r.errorf(e.Pos, 1, dsl.CodeOffset, "an offset or length is a sum of numbers below 2^40 and of letters times numbers").
			WithHint("for example 8, X+8 or 8+i*12")
	}
	return ok
}
