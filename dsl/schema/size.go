// Sizes: the bytes of rows, records and unions.

package schema

import (
	"math/bits"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// maxSize bounds the length of a row of one size, far above what a value can have.
const maxSize = 1 << 40

// rowSize returns the bytes of a row, if content and padding do not matter.
func (p *prover) rowSize(row *Row) (int64, bool) {
	if row.Inline != nil {
		return 0, true
	}
	n, fixed := p.typeSize(row.Type)
	return n, fixed && row.Pad == nil && row.Bound == nil
}

// typeSize returns the bytes of a type, if content does not matter.
func (p *prover) typeSize(t *Type) (int64, bool) {
	n, fixed := p.measure(t)
	if !p.first {
		t.Bytes, t.Fixed = n, fixed
	}
	return n, fixed
}

// firstSize returns the bytes of a type of a fixed size under the first choice of the option,
// for which cells are declared.
func (p *prover) firstSize(t *Type) int64 {
	first := &prover{r: p.r, s: p.s, sizes: map[*Record]int64{}, first: true}
	n, _ := first.typeSize(t)
	return n
}

func (p *prover) measure(t *Type) (int64, bool) {
	one := int64(t.Scalar.Width())
	if t.Coding != builtin.Fixed {
		one = int64(t.Coding.Width())
	}
	if p.first && t.Option != nil {
		one = int64(t.Option.Choices[0].Scalar.Width())
	}
	switch t.Form {
	case Text:
		one = 1
	case Array:
		one *= int64(max(t.Width, 1))
	case OfRecord:
		return p.recordSize(t.Record)
	case OfUnion:
		return 0, false
	default:
		return one, one > 0
	}
	if t.Size == nil {
		return 0, false
	}
	n, constant := t.Size.constant()
	if constant && (n < 0 || n > maxSize) {
		p.r.errorf(t.Size.Pos, 1, dsl.CodeRange, "a length is from 0 to %d", int64(maxSize)).WithHint("correct the number")
		return 0, false
	}
	if constant && t.Fill != "" && n > builtin.MaxFill {
		p.r.errorf(t.Size.Pos, 1, dsl.CodeRange, "a row that is filled has at most %d bytes", builtin.MaxFill).WithHint("correct the number")
	}
	return n * one, constant
}

func (p *prover) recordSize(rec *Record) (int64, bool) {
	n, known := p.sizes[rec]
	if !known {
		p.sizes[rec] = -1 // a record that contains itself has no size
		size, fixed := p.bodySize(rec.Body)
		if n = -1; fixed && !rec.Base {
			n = size
		}
		p.sizes[rec] = n
	}
	return max(n, 0), n >= 0
}

// bodySize returns the bytes of rows that are always there, without parts, if content and
// padding do not matter.
func (p *prover) bodySize(body []Node) (int64, bool) {
	sum, fixed := int64(0), true
	for _, n := range body {
		if isPart(n) {
			continue
		}
		switch n := n.(type) {
		case *Row:
			size, ok := p.rowSize(n)
			sum += size
			fixed = fixed && ok && sum <= maxSize
		case *Forms, *List, *If:
			fixed = false
		}
	}
	return sum, fixed
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
	if t.Coding.Base() > 0 {
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
			if n.Last {
				least = p.fewestElement(n)
			}
			if n.Count != nil {
				if count, ok := n.Count.constant(); ok {
					least = times(count, p.fewestElement(n))
				}
			}
		case *If:
			least = min(p.fewest(n.Then), p.fewest(n.Else))
		}
		all = sum(all, least)
	}
	return all
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
		return uint64(max(1, t.Coding.Width()))
	}
	if t.Narrow != builtin.NoScalar {
		return uint64(min(t.Narrow.Width(), t.Wide.Width()))
	}
	return uint64(t.Scalar.Width())
}
