// Sizes: the bytes of rows, records and unions.

package schema

import (
	"math/bits"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// maxSize bounds the length of a row of one size, far above what a value can have.
const maxSize = 1 << 40

// fixedSize is a number of bytes that does not depend on content.
type fixedSize struct {
	bytes   int64
	first   int64 // under the first choices of options, for which cells are declared
	numbers int64 // of the schema's option, by which sizes differ among its choices
}

func (e fixedSize) plus(f fixedSize) fixedSize {
	return fixedSize{e.bytes + f.bytes, e.first + f.first, e.numbers + f.numbers}
}

func (e fixedSize) times(n int64) fixedSize {
	return fixedSize{n * e.bytes, n * e.first, n * e.numbers}
}

// rowSize returns the bytes of a row, if content and padding do not matter.
func (p *prover) rowSize(row *Row) (int64, bool) {
	e, fixed := p.fixedRow(row)
	return e.bytes, fixed
}

func (p *prover) fixedRow(row *Row) (fixedSize, bool) {
	if row.Inline != nil {
		return fixedSize{}, true
	}
	e, fixed := p.fixedType(row.Type)
	if !fixed {
		row.bindArea(row.Type.Size)
	}
	if n, ok := row.Area(); ok {
		return fixedSize{bytes: n, first: n}, row.Pad == nil
	}
	return e, fixed && row.Pad == nil && row.Bound == nil && !row.varies(row.Type)
}

// varies reports whether a letter represents the length of a row of a union, or of its elements. It does so also if all arms
// happen to take as many bytes, so a schema that extends this one may add others.
func (row *Row) varies(t *Type) bool {
	return t.Form == OfUnion && row.Length != nil && row.Length.Op == builtin.Letter && row.Length.Field == nil
}

// typeSize returns the bytes of a type, if content does not matter.
func (p *prover) typeSize(t *Type) (int64, bool) {
	e, fixed := p.fixedType(t)
	return e.bytes, fixed
}

// fixedType returns the size of a type, and notes it in the type.
func (p *prover) fixedType(t *Type) (fixedSize, bool) {
	e, fixed := p.measure(t)
	t.Bytes, t.Fixed = e.bytes, fixed
	return e, fixed
}

func (p *prover) measure(t *Type) (fixedSize, bool) {
	width := int64(t.Scalar.Width())
	if t.Coding != builtin.Fixed {
		width = int64(t.Coding.Width())
	}
	one := fixedSize{bytes: width, first: width}
	if t.Option != nil {
		one.first = int64(t.Option.Choices[0].Scalar.Width())
		if t.Option == p.s.Option {
			one.numbers = 1
		}
	}
	switch t.Form {
	case Text:
		one = fixedSize{bytes: 1, first: 1}
	case Array:
		one = one.times(int64(max(t.Width, 1)))
	case OfRecord:
		return p.fixedRecord(t.Record)
	case OfUnion:
		return p.fixedUnion(t.Union)
	default:
		return one, width > 0
	}
	if t.Size == nil {
		return fixedSize{}, false
	}
	n, constant := t.Size.constant()
	if constant && (n < 0 || n > maxSize) {
		p.r.errorf(t.Size.Pos, 1, dsl.CodeRange, "a length is from 0 to %d", int64(maxSize)).WithHint("correct the number")
		return fixedSize{}, false
	}
	if constant && t.Fill != "" && n > builtin.MaxFill {
		p.r.errorf(t.Size.Pos, 1, dsl.CodeRange, "a row that is filled has at most %d bytes", builtin.MaxFill).WithHint("correct the number")
	}
	return one.times(n), constant
}

func (p *prover) fixedRecord(rec *Record) (fixedSize, bool) {
	known, ok := p.sizes[rec]
	if !ok {
		p.sizes[rec] = nil // a record that contains itself has no size
		if e, fixed := p.fixedBody(rec.Body); fixed && !rec.Base {
			known = &e
		}
		p.sizes[rec] = known
	}
	if known == nil {
		return fixedSize{}, false
	}
	return *known, true
}

// fixedUnion returns the size of a union. It is fixed if all arms that are not refused take as many bytes behind the word.
func (p *prover) fixedUnion(u *Union) (all fixedSize, fixed bool) {
	for _, a := range u.Arms {
		if a.refused() {
			continue
		}
		e, ok := p.fixedRecord(a.Record)
		if !ok || fixed && e != all {
			return fixedSize{}, false
		}
		all, fixed = e, true
	}
	if u.Word != nil && fixed {
		var word fixedSize
		word, fixed = p.fixedRow(u.Word)
		all = all.plus(word)
	}
	return all, fixed
}

// fixedBody returns the size of rows without parts, if content and padding do not matter. It is fixed
// if both blocks of each condition, and all forms of each row, have the same one.
func (p *prover) fixedBody(body []Node) (all fixedSize, fixed bool) {
	fixed = true
	for _, n := range body {
		if isPart(n) {
			continue
		}
		e, ok := fixedSize{}, true
		switch n := n.(type) {
		case *Row:
			e, ok = p.fixedRow(n)
		case *Forms:
			e, ok = p.fixedForms(n)
		case *If:
			then, fixed := p.fixedBody(n.Then)
			other, same := p.fixedBody(n.Else)
			e, ok = then, fixed && same && then == other
		case *List:
			e, ok = p.fixedList(n)
		}
		all = all.plus(e)
		fixed = fixed && ok && max(all.bytes, all.first) <= maxSize
	}
	return all, fixed
}

// fixedList returns the size of a list of a constant number of elements that have one size.
func (p *prover) fixedList(l *List) (fixedSize, bool) {
	each, fixed := p.element(l)
	l.bindArea(fixed)
	if n, ok := l.Row.Area(); ok {
		return fixedSize{bytes: n, first: n}, l.Pad == nil
	}
	if l.Count == nil || l.Pad != nil || l.Row != nil && l.Row.Bound != nil {
		return fixedSize{}, false
	}
	n, constant := l.Count.constant()
	return each.times(n), constant && fixed && n >= 0 && (n == 0 || max(each.bytes, each.first) <= maxSize/n)
}

// element returns the size of an element of a list.
func (p *prover) element(l *List) (fixedSize, bool) {
	if l.Row == nil {
		return p.fixedBody(l.Element.Body)
	}
	each, fixed := p.fixedType(l.Elem)
	return each, fixed && !l.Row.varies(l.Elem)
}

func (p *prover) fixedForms(n *Forms) (e fixedSize, fixed bool) {
	e, fixed = p.fixedRow(n.Rows[0])
	for _, row := range n.Rows[1:] {
		other, same := p.fixedRow(row)
		fixed = fixed && same && e == other
	}
	return e, fixed && n.Total
}

// bits returns how many bits every number of that many bits has room for in a type.
func (t *Type) bits() int {
	if t.Coding != builtin.Fixed {
		return t.Coding.Bits()
	}
	return 8 * t.Scalar.Width()
}

// most returns the highest number of a type of unsigned numbers.
func (t *Type) most() uint64 {
	if t.Coding != builtin.Fixed {
		return t.Coding.Most()
	}
	return uint64(Mask(8 * t.Scalar.Width()))
}

// endless is a number of bytes that no value has.
const endless = 1<<64 - 1

// sum returns a number of bytes plus others.
func sum(a, b uint64) uint64 {
	if s := a + b; s >= a && b != endless {
		return s
	}
	return endless
}

// times returns a number of bytes for each of some elements.
func times(n int64, each uint64) uint64 {
	hi, lo := bits.Mul64(uint64(max(n, 0)), each)
	if hi != 0 || each == endless && n > 0 {
		return endless
	}
	return lo
}

// fewest returns the fewest bytes of a body.
func (p *prover) fewest(body []Node) uint64 {
	all := uint64(0)
	for _, n := range body {
		least := uint64(0)
		if isPart(n) {
			continue
		}
		switch n := n.(type) {
		case *Row:
			least = p.fewestOf(n.Type)
			if bytes, ok := n.Area(); ok {
				least = max(least, uint64(bytes))
			}
		case *Forms:
			if n.Total {
				least = endless
			}
			for _, row := range n.Rows {
				if row.Inline != nil {
					least = 0
				}
				least = min(least, p.fewestOf(row.Type))
			}
		case *List:
			least = p.fewestElements(n)
			if bytes, ok := n.Row.Area(); ok {
				least = max(least, uint64(bytes))
			}
		case *If:
			least = min(p.fewest(n.Then), p.fewest(n.Else))
		}
		all = sum(all, least)
	}
	return all
}

// fewestElements returns the fewest bytes of the elements of a list.
func (p *prover) fewestElements(list *List) uint64 {
	if list.Last {
		return p.fewestElement(list)
	}
	if list.Count == nil {
		return 0
	}
	n, constant := list.Count.constant()
	if !constant {
		return 0
	}
	return times(n, p.fewestElement(list))
}

func (p *prover) fewestElement(list *List) uint64 {
	if list.Elem.Form == Array {
		return uint64(list.Elem.Width) * p.width(list.Elem)
	}
	least := p.fewestOf(list.Elem)
	if list.Key != nil {
		least = sum(least, p.fewestOf(list.Key))
	}
	return least
}

func (p *prover) fewestOf(t *Type) uint64 {
	switch t.Form {
	case OfUnion:
		return p.least[unit{union: t.Union}]
	case OfRecord:
		if t.InPlace {
			return p.fewest(t.Record.Body)
		}
		return p.least[unit{record: t.Record}]
	case Text, Array:
		if t.Until != "" {
			return uint64(len(t.Until))
		}
		if t.Size != nil {
			if n, ok := t.Size.constant(); ok && t.Form == Array {
				return times(n, p.width(t))
			} else if ok {
				return times(n, 1)
			}
		}
		return 0
	}
	return p.width(t)
}

// width returns the bytes of a number, of the smaller one if a bit selects it.
func (p *prover) width(t *Type) uint64 {
	if t.Coding != builtin.Fixed {
		return uint64(t.Coding.Least())
	}
	if t.Narrow != builtin.NoScalar {
		return uint64(min(t.Narrow.Width(), t.Wide.Width()))
	}
	return uint64(t.Scalar.Width())
}
