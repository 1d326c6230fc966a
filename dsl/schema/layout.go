// Layout: every declared offset and length against the sum of the rows before it.
//
// Offsets and lengths may hold letters. A new letter represents a length or a place
// that depends on content, and may be used after it: X+8 after a text of X bytes is
// checked as 8 is after a number.

package schema

import (
	"fmt"
	"maps"
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
		p.layoutOf(rec.Name, rec.Body, 0)
	}
	for _, u := range p.s.Unions {
		head := p.layoutOf(u.Name, u.Body, 0)
		for _, a := range u.Arms {
			p.layoutOf(a.Name, a.Body, head)
		}
	}
}

// layoutOf checks a record that begins at an offset. It returns the offset after it, if
// that is a number.
func (p *prover) layoutOf(name string, body []Node, from int64) int64 {
	l := &layouter{p: p, name: name, letters: map[string]Linear{}, scaled: usesAxis(body)}
	end := l.body(body, cursor{Constant(from), true})
	if end.known && end.at.IsNumber() {
		return end.at.Num
	}
	return from
}

// usesAxis reports whether a body holds numbers of the axis.
func usesAxis(body []Node) bool {
	found := false
	Walk(body, func(n Node) bool {
		if row, ok := n.(*Row); ok && row.Type.Axis {
			found = true
		}
		return !found
	})
	return found
}

// layouter checks one record for one choice of the axis.
type layouter struct {
	p       *prover
	name    string
	letters map[string]Linear // values of letters
	outer   map[string]Linear // values of letters of the records around a list
	scaled  bool              // the record holds numbers of the axis
	element bool              // it is the element of a list
	lost    int               // lengths that have no letter by mistake
}

// cursor is the place of a row, if it is known.
type cursor struct {
	at    Linear
	known bool
}

func (l *layouter) body(body []Node, at cursor) cursor {
	for _, n := range body {
		if row, ok := n.(*Row); ok && row.Same != nil {
			l.again(row)
		}
	}
	for _, n := range body {
		switch n := n.(type) {
		case *Row:
			if n.Same == nil {
				at = l.forms([]*Row{n}, at)
			}
		case *Forms:
			at = l.forms(n.Rows, at)
		case *If:
			then, other := l.body(n.Then, at), l.body(n.Else, at)
			if !then.known || !other.known || !then.at.Equal(other.at) {
				then = cursor{}
			}
			at = then
		case *List:
			l.list(n, at)
			at = cursor{}
		case *Region:
			l.body(n.Body, at)
			at = cursor{}
		}
	}
	return at
}

// forms checks rows that are forms of one field, or one row. The place after them is
// known if it is the same for all.
func (l *layouter) forms(rows []*Row, at cursor) cursor {
	var end cursor
	for i, row := range rows {
		here := at
		after := l.row(row, &here)
		if i == 0 {
			end, at = after, here
		} else if !end.known || !after.known || !end.at.Equal(after.at) {
			end = cursor{}
		}
	}
	if len(rows) == 1 && rows[0].When != nil {
		if _, fixed := l.p.rowSize(rows[0]); fixed {
			end = cursor{} // its length is a number, also if it is not there
		}
	}
	return end
}

// row checks one row and returns the place after it. If the offset is a new letter, *at
// becomes known.
func (l *layouter) row(row *Row, at *cursor) cursor {
	p := l.p
	off, ok := l.linear(row.Offset)
	if !ok {
		return cursor{}
	}
	moved := l.moved(row, off)
	alone := off.Alone()
	isNew := alone != "" && !l.bound(alone)
	switch {
	case isNew && at.known:
		l.letters[alone] = at.at
	case isNew:
		l.letters[alone] = Letter(alone + "#")
		*at = cursor{Letter(alone + "#"), true}
	case !at.known:
		p.r.errorf(row.Offset.Pos, 1, dsl.CodeOffset, "the offset of %s.%s depends on content that no letter represents", l.name, row.Field.Name).
			WithHint("begin with a new letter, which then represents this place")
		*at = cursor{moved, true}
	case !moved.Equal(at.at):
		choice := ""
		if c := p.s.Choice; c != nil && c.Index > 0 {
			choice = " where " + p.s.Axis.Name + " is " + c.Name
		}
		sort := "a gap"
		if d := moved.Plus(at.at, -1); d.IsNumber() && d.Num < 0 {
			sort = "an overlap"
		}
		p.r.errorf(row.Offset.Pos, 1, dsl.CodeOffset, "%s.%s is declared at %s%s, but the rows before it end at %s: %s", l.name, row.Field.Name, show(moved), choice, show(at.at), sort).
			WithHint("correct the offset, or the lengths of the rows before it")
		*at = cursor{moved, true}
	}
	return cursor{at.at.Plus(l.length(row), 1), true}
}

// again checks a row that documents the bytes of another one.
func (l *layouter) again(row *Row) {
	for _, cell := range []struct {
		name string
		a, b *Expr
		code dsl.Code
	}{{"offset", row.Offset, row.Same.Offset, dsl.CodeOffset}, {"length", row.Length, row.Same.Length, dsl.CodeLength}} {
		a, ok := l.linear(cell.a)
		b, ok2 := l.linear(cell.b)
		if ok && ok2 && !a.Equal(b) {
			l.p.r.errorf(cell.a.Pos, 1, cell.code, "%s is said to be the same as %s, but its %s is %s and not %s", row.Field.Name, row.Same.Field.Name, cell.name, show(a), show(b)).
				WithHint("correct the %s, or leave out same where the row has bytes of its own", cell.name)
		}
	}
}

// moved returns the offset of a row, declared for the first choice of the axis, for the
// choice of the schema.
func (l *layouter) moved(row *Row, off Linear) Linear {
	c := l.p.s.Choice
	if c == nil || c.Index == 0 || !l.scaled {
		return off
	}
	if e := row.Moved[c.Name]; e != nil {
		if m, ok := l.linear(e); ok {
			return m
		}
	}
	rule := c.Offset
	if l.element {
		rule = c.Elem
	}
	return l.change(rule, "offset", off)
}

// change returns what a rule of the axis gives for a number that is named in it.
func (l *layouter) change(rule *Expr, name string, x Linear) Linear {
	if rule == nil {
		return x
	}
	out, ok := rule.Linear(func(letter string) Linear {
		switch v, bound := l.letters[letter]; {
		case letter == name:
			return x
		case bound:
			return v
		}
		return Letter(letter)
	})
	l.linearOnly(rule, ok)
	return out
}

// length checks the declared length of a row and returns it.
func (l *layouter) length(row *Row) Linear {
	p := l.p
	declared, ok := l.linear(row.Length)
	if !ok {
		return Constant(0)
	}
	if size, fixed := p.rowSize(row); fixed {
		if c := p.s.Choice; c != nil && c.Index > 0 && row.Type.Axis {
			declared = l.change(c.Length, "length", declared)
		}
		if !declared.Equal(Constant(size)) {
			name := row.Type.Name
			if row.Type.Size != nil {
				name += "[…]"
			}
			p.r.errorf(row.Length.Pos, 1, dsl.CodeLength, "%s.%s is declared %s byte%s long, but %s takes %d", l.name, row.Field.Name, show(declared), pluralOf(show(declared)), name, size).
				WithHint("correct the length or the type")
		}
		return Constant(size)
	}
	alone := declared.Alone()
	if alone == "" && row.Type.Form == Number && !row.Type.Scalar.Valid() {
		return declared // of an unknown type, which is reported with its name
	}
	if alone == "" || l.bound(alone) {
		p.r.errorf(row.Length.Pos, 1, dsl.CodeLength, "the length of %s.%s depends on its content or padding, so a new letter represents it", l.name, row.Field.Name).
			WithHint("write a letter that this record does not use yet")
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

// pluralOf returns the ending of a noun after a number or a sum of letters.
func pluralOf(shown string) string {
	if shown == "1" {
		return ""
	}
	return "s"
}

// show prints a place with the letters of the schema.
func show(a Linear) string { return strings.ReplaceAll(a.String(), "#", "") }

// list checks the rows of an element. If all elements have one size, the letter i is
// the number of the element, and offsets are those of element i.
func (l *layouter) list(list *List, at cursor) {
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
	inner := &layouter{p: l.p, name: l.name + "." + list.Field.Name, letters: map[string]Linear{}, outer: outer, scaled: l.scaled, element: true}
	if size, fixed := l.p.bodySize(list.Element.Body); fixed && at.known {
		at = cursor{at.at.Plus(Letter("i"), size), true}
	} else {
		at = cursor{}
	}
	inner.body(list.Element.Body, at)
}

// linear returns an offset or a length as a linear form. A letter by itself is not one
// of a record around a list, since it may be new.
func (l *layouter) linear(e *Expr) (Linear, bool) {
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

func (l *layouter) linearOnly(e *Expr, ok bool) bool {
	if !ok {
		l.p.r.errorf(e.Pos, 1, dsl.CodeOffset, "an offset or length is a sum of numbers below 2^40 and of letters times numbers").
			WithHint("for example 8, X+8 or 8+i*12")
	}
	return ok
}
