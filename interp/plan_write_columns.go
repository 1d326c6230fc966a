// Columns of plans in writing.

package interp

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/octable/octable/interp/memory"
)

// putOp is one operation of columns.
type putOp uint8

const (
	putInt putOp = iota // integers of any width
	putFloat32
	putFloat64
	putTruth
	putLanes
)

type writeCol struct {
	op   putOp
	run  int
	off  int
	cell int
	at   int // of the cell in the cells of a record, in bytes
	word loadForm
	n    uint32
	size int
}

func (s *writeSteps) column(c writeCol) {
	c.at = c.cell * int(unsafe.Sizeof(Value{}))
	s.cols = append(s.cols, c)
}

// write writes a column: one field of several records, at places of the output. It
// reports whether all values fit.
func (c *writeCol) write(out memory.View, places []int, r records) bool {
	if !r.lone {
		switch c.op {
		case putInt:
			if c.word.scalar.Width() < 8 {
				return c.writeInts(out, places, r.list)
			}
		case putFloat32:
			return c.writeSingles(out, places, r.list)
		}
	}
	for k, p := range places {
		v := r.cell(k, c.cell)
		p += c.off
		switch c.op {
		case putInt:
			if v.kind != Int && v.kind != Uint || outside(*v, c.word.scalar) {
				return false
			}
			storeWord(out, p, c.word, v.u)
		case putFloat32:
			if v.kind != Float {
				return false
			}
			storeWord(out, p, c.word, uint64(narrow(v.Float())))
		case putFloat64:
			if v.kind != Float {
				return false
			}
			storeWord(out, p, c.word, v.u)
		case putTruth:
			if v.kind != Bool {
				return false
			}
			storeWord(out, p, c.word, v.u&1)
		case putLanes:
			if v.kind != Lanes || v.n != c.n || v.Scalar() != c.word.scalar {
				return false
			}
			b := v.Bytes()
			w := c.word.scalar.Width()
			if !c.word.big {
				w = 1
			}
			for i := 0; i < len(b); i += w {
				for j := range w {
					out.Store8(p+i+j, b[i+w-1-j])
				}
			}
		}
	}
	return true
}

func (c *writeCol) writeSingles(out memory.View, places []int, list []Value) bool {
	bad := Kind(0)
	at, off, big := c.at, c.off, c.word.big
	list = list[:len(places)]
	for k, p := range places {
		v := (*Value)(unsafe.Add(list[k].p, at))
		bad |= v.kind ^ Float
		f := math.Float64frombits(v.u)
		x := math.Float32bits(float32(f))
		if f != f {
			x = narrow(f)
		}
		if big {
			x = bits.ReverseBytes32(x)
		}
		out.Store32(p+off, x)
	}
	return bad == 0
}

// writeInts writes integers of up to 32 bits. Those that do not fit are noticed at the
// end.
func (c *writeCol) writeInts(out memory.View, places []int, list []Value) bool {
	width := 8 * c.word.scalar.Width()
	low := uint64(0) // the least number
	if c.word.scalar.Signed() {
		low = -(1 << (width - 1))
	}
	out = out.From(c.off)
	var over uint64
	var kinds Kind
	switch {
	case width == 8:
		over, kinds = storeInts[uint8](out, places, list, c.at, low)
	case width == 16 && c.word.big:
		over, kinds = storeSwapped[uint16](out, places, list, c.at, low)
	case width == 16:
		over, kinds = storeInts[uint16](out, places, list, c.at, low)
	case c.word.big:
		over, kinds = storeSwapped[uint32](out, places, list, c.at, low)
	default:
		over, kinds = storeInts[uint32](out, places, list, c.at, low)
	}
	if low != 0 && kinds == 1 { // a Uint near 2^64 looks like a negative Int
		for k := range list {
			if v := (*Value)(unsafe.Add(list[k].p, c.at)); v.kind == Uint && v.u >= low {
				return false
			}
		}
	}
	return over>>width == 0 && kinds <= 1
}

// storeInts stores integers with the lowest byte first. It returns the bits of their
// distances from the least number, and of their kinds: 0 for Int, 1 for Uint. It is not
// inlined so that all it works with is in registers.
//
//go:noinline
func storeInts[T uint8 | uint16 | uint32](out memory.View, places []int, list []Value, at int, low uint64) (over uint64, kinds Kind) {
	list = list[:len(places)]
	for k, p := range places {
		v := (*Value)(unsafe.Add(list[k].p, at))
		x := v.u
		over |= x - low
		kinds |= v.kind - Int
		memory.Store(out, p, T(x))
	}
	return over, kinds
}

// storeSwapped is storeInts with the highest byte first.
//
//go:noinline
func storeSwapped[T uint16 | uint32](out memory.View, places []int, list []Value, at int, low uint64) (over uint64, kinds Kind) {
	list = list[:len(places)]
	for k, p := range places {
		v := (*Value)(unsafe.Add(list[k].p, at))
		x := v.u
		over |= x - low
		kinds |= v.kind - Int
		memory.Store(out, p, T(bits.ReverseBytes64(x)>>(64-8*unsafe.Sizeof(T(0)))))
	}
	return over, kinds
}

// storeWord stores a number in the form of a scalar.
func storeWord(out memory.View, at int, f loadForm, x uint64) {
	switch f.scalar.Width() {
	case 1:
		out.Store8(at, byte(x))
	case 2:
		w := uint16(x)
		if f.big {
			w = bits.ReverseBytes16(w)
		}
		out.Store16(at, w)
	case 4:
		w := uint32(x)
		if f.big {
			w = bits.ReverseBytes32(w)
		}
		out.Store32(at, w)
	default:
		if f.big {
			x = bits.ReverseBytes64(x)
		}
		out.Store64(at, x)
	}
}

// writeOne writes the columns of one record.
func writeOne(cols []writeCol, out memory.View, places []int, r records) bool {
	for i := range cols {
		c := &cols[i]
		v := r.cell(0, c.cell)
		if c.op != putInt || v.kind != Int && v.kind != Uint || outside(*v, c.word.scalar) {
			if !c.write(out, places[c.run:c.run+1], r) {
				return false
			}
			continue
		}
		storeWord(out, places[c.run]+c.off, c.word, v.u)
	}
	return true
}
