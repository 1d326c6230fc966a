// Columns of plans: fields at known places, of one record or of several.

package interp

import (
	"math"
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// colOp is one operation of columns.
type colOp uint8

const (
	colNumber colOp = iota // any scalar
	colU8                  // scalars with the lowest byte first
	colU16
	colI16
	colU32
	colI32
	col64
	colF32
	colU16Big // scalars with the highest byte first
	colI16Big
	colU32Big
	colI32Big
	col64Big
	colF32Big
	colTruth
	colBits
	colLanes8
	colLanes
	colLanesBig
)

type readCol struct {
	op    colOp
	run   int
	off   int
	cell  int
	meta  uint32
	word  loadForm
	size  int            // lanes: bytes
	n     uint32         // lanes, arrays
	width uint64         // colLanes: of an array, as in a Value
	bits  *bytecode.Bits // colBits
	shift uint8          // colBits
	mask  uint64
	any   bool // colTruth: any nonzero number is true
}

// kindOf returns the kind of a scalar's values.
func kindOf(s bytecode.Scalar) Kind {
	switch {
	case s.IsFloat():
		return Float
	case s.Signed():
		return Int
	}
	return Uint
}

func formOf(width uint32) uint8 {
	form := uint8(width & formScalar)
	if width&bytecode.FlagWide != 0 {
		form |= formWide
	}
	return form
}

// scalarCol returns the operation for a column of numbers.
func scalarCol(f loadForm) colOp {
	little := map[bytecode.Scalar]colOp{
		bytecode.U8: colU8, bytecode.U16: colU16, bytecode.I16: colI16, bytecode.U32: colU32, bytecode.I32: colI32, bytecode.Code4: colU32,
		bytecode.U64: col64, bytecode.I64: col64, bytecode.F64: col64, bytecode.F32: colF32,
	}
	big := map[bytecode.Scalar]colOp{
		bytecode.U8: colU8, bytecode.U16: colU16Big, bytecode.I16: colI16Big, bytecode.U32: colU32Big, bytecode.I32: colI32Big,
		bytecode.U64: col64Big, bytecode.I64: col64Big, bytecode.F64: col64Big, bytecode.F32: colF32Big,
	}
	if f.big {
		return big[f.scalar]
	}
	return little[f.scalar]
}

// load returns how a scalar is loaded.
func (c *planner) load(s bytecode.Scalar, swapped bool) loadForm {
	return loadForm{s, c.big != swapped && s != bytecode.Code4 && s.Width() > 1}
}

// loadWord loads a number as the bits of a register: signed ones sign-extended.
func loadWord(in memory.View, at int, f loadForm) uint64 {
	switch f.scalar {
	case bytecode.U8:
		return uint64(in.Load8(at))
	case bytecode.I8:
		return uint64(int8(in.Load8(at)))
	case bytecode.U16, bytecode.I16:
		x := in.Load16(at)
		if f.big {
			x = bits.ReverseBytes16(x)
		}
		if f.scalar == bytecode.I16 {
			return uint64(int16(x))
		}
		return uint64(x)
	case bytecode.U64, bytecode.I64, bytecode.F64:
		x := in.Load64(at)
		if f.big {
			x = bits.ReverseBytes64(x)
		}
		return x
	case bytecode.U32, bytecode.I32, bytecode.F32, bytecode.Code4:
		x := in.Load32(at)
		if f.big {
			x = bits.ReverseBytes32(x)
		}
		if f.scalar == bytecode.I32 {
			return uint64(int32(x))
		}
		return uint64(x)
	}
	return scalarBits(f.scalar, in.Bytes(at, f.scalar.Width()), f.big)
}

// read reads a column: one field of several records, at places of the input.
func (c *readCol) read(in memory.View, places []int, cells []Value, stride int) bool {
	at, off, meta := c.cell, c.off, c.meta
	switch c.op {
	case colU8:
		for _, p := range places {
			cells[at].setNumber(uint64(in.Load8(p+off)), meta)
			at += stride
		}
	case colU16:
		for _, p := range places {
			cells[at].setNumber(uint64(in.Load16(p+off)), meta)
			at += stride
		}
	case colU16Big:
		for _, p := range places {
			cells[at].setNumber(uint64(bits.ReverseBytes16(in.Load16(p+off))), meta)
			at += stride
		}
	case colI16:
		for _, p := range places {
			cells[at].setNumber(uint64(int16(in.Load16(p+off))), meta)
			at += stride
		}
	case colI16Big:
		for _, p := range places {
			cells[at].setNumber(uint64(int16(bits.ReverseBytes16(in.Load16(p+off)))), meta)
			at += stride
		}
	case colU32:
		for _, p := range places {
			cells[at].setNumber(uint64(in.Load32(p+off)), meta)
			at += stride
		}
	case colU32Big:
		for _, p := range places {
			cells[at].setNumber(uint64(bits.ReverseBytes32(in.Load32(p+off))), meta)
			at += stride
		}
	case colI32:
		for _, p := range places {
			cells[at].setNumber(uint64(int32(in.Load32(p+off))), meta)
			at += stride
		}
	case colI32Big:
		for _, p := range places {
			cells[at].setNumber(uint64(int32(bits.ReverseBytes32(in.Load32(p+off)))), meta)
			at += stride
		}
	case col64:
		for _, p := range places {
			cells[at].setNumber(in.Load64(p+off), meta)
			at += stride
		}
	case col64Big:
		for _, p := range places {
			cells[at].setNumber(bits.ReverseBytes64(in.Load64(p+off)), meta)
			at += stride
		}
	case colF32:
		for _, p := range places {
			cells[at].setNumber(doubleBits(in.Load32(p+off)), meta)
			at += stride
		}
	case colF32Big:
		for _, p := range places {
			cells[at].setNumber(doubleBits(bits.ReverseBytes32(in.Load32(p+off))), meta)
			at += stride
		}
	case colLanes8:
		for _, p := range places {
			x := uint64(0)
			switch {
			case c.size == 8:
				x = in.Load64(p + off)
			case c.size == 4:
				x = uint64(in.Load32(p + off))
			default:
				for k := range c.size {
					x |= uint64(in.Load8(p+off+k)) << (8 * k)
				}
			}
			cells[at].set(nil, x, c.n, meta)
			at += stride
		}
	case colLanes:
		for _, p := range places {
			cells[at].set(in.Addr(p+off), c.width, c.n, meta)
			at += stride
		}
	case colBits:
		if !c.bits.Masked() {
			return c.readOther(in, places, cells, stride)
		}
		c.readBits(in, places, cells, stride)
	default:
		return c.readOther(in, places, cells, stride)
	}
	return true
}

// doubleBits returns the bits of a single as those of a double.
func doubleBits(x uint32) uint64 {
	f := float64(math.Float32frombits(x))
	if f != f {
		f = widen(x)
	}
	return math.Float64bits(f)
}

// readOther reads columns that are not common.
func (c *readCol) readOther(in memory.View, places []int, cells []Value, stride int) bool {
	at := c.cell
	for _, p := range places {
		v := &cells[at]
		at += stride
		switch c.op {
		case colTruth:
			x := loadWord(in, p+c.off, c.word)
			if x > 1 && !c.any {
				return false
			}
			v.setNumber(uint64(truth(x != 0)), c.meta)
		case colBits:
			x := uint64(c.bits.Of(loadWord(in, p+c.off, c.word)))
			if Kind(c.meta>>16) == Bool {
				x = uint64(truth(x != 0))
			}
			v.setNumber(x, c.meta)
		case colLanesBig:
			w := c.word.scalar.Width()
			b := make([]byte, c.size)
			for i := 0; i < c.size; i += w {
				for k := range w {
					b[i+k] = in.Load8(p + c.off + i + w - 1 - k)
				}
			}
			*v = MakeLanes(0, c.word.scalar, b)
			v.form = uint8(c.meta >> 24)
		default:
			x := loadWord(in, p+c.off, c.word)
			v.setNumber(x, c.meta)
		}
	}
	return true
}

// readOne reads a column of one record, whose field is at a place.
func (c *readCol) readOne(in memory.View, p int, cells []Value) bool {
	v := &cells[c.cell]
	x := uint64(0)
	switch c.op {
	case colU8:
		x = uint64(in.Load8(p))
	case colU16:
		x = uint64(in.Load16(p))
	case colU16Big:
		x = uint64(bits.ReverseBytes16(in.Load16(p)))
	case colU32:
		x = uint64(in.Load32(p))
	case colU32Big:
		x = uint64(bits.ReverseBytes32(in.Load32(p)))
	case col64:
		x = in.Load64(p)
	case col64Big:
		x = bits.ReverseBytes64(in.Load64(p))
	case colBits:
		x = loadWord(in, p, c.word) >> c.shift & c.mask
		if !c.bits.Masked() {
			x = uint64(c.bits.Of(loadWord(in, p, c.word)))
		}
		if Kind(c.meta>>16) == Bool && x > 1 {
			x = 1
		}
	default:
		place := [1]int{p - c.off}
		return c.read(in, place[:], cells, len(cells))
	}
	v.setNumber(x, c.meta)
	return true
}

// readBits reads a column of bits of a word.
func (c *readCol) readBits(in memory.View, places []int, cells []Value, stride int) {
	at, off, shift, mask, meta := c.cell, c.off, c.shift, c.mask, c.meta
	most := uint64(math.MaxUint64)
	if Kind(meta>>16) == Bool {
		most = 1
	}
	if c.word.scalar == bytecode.U8 {
		for _, p := range places {
			cells[at].setNumber(min(uint64(in.Load8(p+off))>>shift&mask, most), meta)
			at += stride
		}
		return
	}
	for _, p := range places {
		cells[at].setNumber(min(loadWord(in, p+off, c.word)>>shift&mask, most), meta)
		at += stride
	}
}
