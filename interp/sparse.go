// Reading a part of a value: lists of elements of a fixed size are skipped, and their elements read on demand.

package interp

import (
	"math"
	"slices"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
)

// skippedList is a list or an array of numbers whose elements were not read.
type skippedList struct {
	cells   *Value // of a list, to recognize it
	bytes   *byte  // of an array
	pos     int    // of the first element
	size    int    // of each
	routine uint32
	args    []uint64
}

// ReadSparse is [Reader.Read] without the elements of lists whose elements all have the same size. The cells of such a list
// are undefined; [Reader.Element] reads one of them. Numbers in another order of bytes keep that order.
func (r *Reader) ReadSparse(b []byte) (v Value, used int, err error) {
	r.reset(b)
	r.skipped, r.sparse = r.skipped[:0], !r.m.parts
	v, used, err = r.read(b)
	r.sparse = false
	return v, used, err
}

// skip returns a list whose elements are not read.
func (g *reading) skip(n, size int, routine uint32, args []uint64) Value {
	cells := g.r.slab.alloc(n)
	if n > 0 {
		g.r.skipped = append(g.r.skipped, skippedList{cells: &cells[0], pos: g.pos, size: size, routine: routine, args: slices.Clone(args)})
	}
	g.pos += n * size
	g.last = n * size
	return MakeList(0, cells)
}

// fixed returns the size of the elements of a list if all have the same, or 0.
func (g *reading) fixed(routine uint32) int {
	if b := g.p.Bounds(routine); g.r.sparse && b.Min == b.Max && b.Min <= math.MaxInt32 {
		return int(b.Min)
	}
	return 0
}

// skippedOf returns what is known of a list that was skipped.
func (r *Reader) skippedOf(list Value) *skippedList {
	for i := range r.skipped {
		s := &r.skipped[i]
		switch list.Kind() {
		case List:
			if c := list.Cells(); s.cells != nil && len(c) > 0 && &c[0] == s.cells {
				return s
			}
		case Packed:
			if b := list.Bytes(); s.bytes != nil && len(b) > 0 && unsafe.SliceData(b) == s.bytes {
				return s
			}
		}
	}
	return nil
}

// Element reads an element of a list that [Reader.ReadSparse] of b skipped. Of an array it returns an array of the one element.
// It is not skipped if the list has its elements, and not ok if the element is malformed.
func (r *Reader) Element(b []byte, list Value, i int) (v Value, skipped, ok bool) {
	s := r.skippedOf(list)
	if s == nil {
		return Value{}, false, true
	}
	if s.bytes != nil {
		size := list.Width() * list.Scalar().Width()
		return MakePacked(0, list.Scalar(), list.Width(), swapped(list.Bytes()[i*size:(i+1)*size], list.Scalar().Width())).WithWide(list.Wide()), true, true
	}
	r.sparse = true
	v, ok = r.element(b, *s, i)
	r.sparse = false
	return v, true, ok
}

// OwnElement is [Reader.Element] with new memory and all parts of the element. With copy it does not point into b.
func (r *Reader) OwnElement(b []byte, list Value, i int, copy bool) (v Value, ok bool) {
	s := r.skippedOf(list)
	if s == nil || s.bytes != nil {
		return Value{}, false
	}
	own, e := r.m.NewReader(r.opt), *s
	if copy {
		b = slices.Clone(b[s.pos+i*s.size : s.pos+(i+1)*s.size])
		e.pos = -i * s.size
	}
	own.reset(b[:s.size])
	return own.element(b, e, i)
}

// element reads an element by the instructions.
func (r *Reader) element(b []byte, s skippedList, i int) (Value, bool) {
	g := &r.run
	*g = reading{r: r, m: r.m, p: r.m.p, in: b, pos: s.pos + i*s.size, end: s.pos + (i+1)*s.size, limit: r.m.depth(&r.opt), memory: none,
		regs: g.regs[:0], cells: g.cells[:0], path: g.path[:0], bases: g.bases[:0], aways: g.aways[:0], steps: math.MaxInt}
	v, ok := g.routine(s.routine, s.args)
	g.err = nil
	return v, ok
}

// Forget lets go of the input of the last call.
func (r *Reader) Forget() {
	clear(r.skipped)
	r.skipped = r.skipped[:0]
	r.run.in = nil
}

// inPlace returns numbers as little-endian bytes, or as they are if they are skipped.
func (g *reading) inPlace(in *bytecode.Instr, b []byte) []byte {
	s := in.Scalar()
	if !g.r.sparse || g.p.Big == in.Swapped() || s.Width() == 1 || s == bytecode.Code4 || len(b) == 0 {
		return g.little(in, b)
	}
	g.r.skipped = append(g.r.skipped, skippedList{bytes: unsafe.SliceData(b)})
	return b
}
