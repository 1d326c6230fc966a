// Numbers of runs in both directions: the moves between packets and Go memory. A move that is
// refused goes by Values with all that is around it.

package codec

import (
	"math"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
	"github.com/octable/octable/interp/notation"
)

// moveCode is how a number is moved from the packet to Go memory.
type moveCode uint8

const (
	moveAny moveCode = iota // into an integer that may be too small, or of another size
	move8
	move16
	move16Big
	move32
	move32Big
	move64
	move64Big
	moveSingle // float32, which is not a NaN
	moveSingleBig
	moveFloat // into a float64
	moveBool
	movePair16Big // two numbers that are neighbors in the packet and in Go memory
	movePair32Big // two pairs, of which any may be one number of 32 bits
	moveBits      // bits of a word, into a type that holds them all
	movePointer   // a number behind a pointer
	moveGather    // reading: several numbers
	moveDouble    // reading: 16 bytes that are the same in the packet and in Go memory
	moveLetters   // the letters of a code, which are a text
	moveHalf      // a number of half precision into a float of size bytes
)

// move is a number at a place of a run.
type move struct {
	code    moveCode
	off     int
	field   *field // nil: the Go value itself
	offset  uintptr
	scalar  bytecode.Scalar
	big     bool
	swapped bool           // the order of bytes is not that of the program
	from    *bytecode.Bits // bits of a word
	int     bool           // the number is signed
	signed  bool           // moveAny: the Go type is
	size    uint8          // moveAny: bytes of the Go type
	low     uint8          // movePair32Big: see loadPairs
	high    uint8
	any     bool    // moveBool: any number is true that is not 0
	slab    *readOp // movePointer
	inner   *move   // movePointer
	gather  *gather // moveGather
}

// numberKind returns the kind of the values of a scalar.
func numberKind(s bytecode.Scalar) interp.Kind {
	switch {
	case s.IsFloat():
		return interp.Float
	case s.Signed():
		return interp.Int
	}
	return interp.Uint
}

// move decides how a number goes into a Go type.
func (c *recordCompiler) move(m *move, kind interp.Kind, t reflect.Type) bool {
	if c.hooked(t) {
		return false
	}
	if m.from != nil && m.from.Plain() && kind == interp.Uint && !m.scalar.Signed() {
		m.from = nil
	}
	m.int = kind == interp.Int
	m.big = c.big != m.swapped && m.scalar != bytecode.Code4 && m.scalar.Width() > 1
	k := t.Kind()
	width := m.scalar.Width()
	integer := k >= reflect.Int && k <= reflect.Uint64
	letters := m.scalar == bytecode.Code4 && m.from == nil
	switch {
	case m.scalar == bytecode.F16:
		m.code, m.size = moveHalf, uint8(t.Size())
		return k == reflect.Float32 || k == reflect.Float64
	case letters && k == reflect.String:
		m.code = moveLetters
	case letters && rawMemory && k == reflect.Array && t.Len() == width && t.Elem().Kind() == reflect.Uint8:
		m.code = move32
	case kind == interp.Bool && k == reflect.Bool:
		m.code = moveBool
		if m.from != nil && m.from.Mask == 1 && m.from.Half == 0 && !m.scalar.Signed() && rawMemory {
			m.code, m.size = moveBits, 1
		}
		return true
	case kind == interp.Float && m.from == nil && width == 4 && k == reflect.Float32:
		m.code = moveSingle
	case kind == interp.Float && m.from == nil && width == 8 && k == reflect.Float64:
		m.code = move64
	case kind == interp.Float && m.from == nil && k == reflect.Float64:
		m.code = moveFloat
		return true
	case (kind == interp.Int || kind == interp.Uint) && integer:
		m.signed, m.size = k <= reflect.Int64, uint8(t.Size())
		if int(t.Size()) != width || m.signed != (kind == interp.Int) || m.from != nil {
			if m.code = moveAny; m.holdsBits() {
				m.code = moveBits
			}
			return true
		}
		m.code = map[int]moveCode{1: move8, 2: move16, 4: move32, 8: move64}[width]
	default:
		return false
	}
	if m.big {
		m.code++
	}
	return true
}

// holdsBits reports whether the Go type holds all numbers of the bits. It is false without bits of a word.
func (m *move) holdsBits() bool {
	if m.from == nil || m.from.Floor || m.scalar.Signed() {
		return false
	}
	n, width := bits.Len64(m.from.Mask), 8*int(m.size)
	if m.from.Half != 0 {
		return m.signed && n <= width
	}
	return n < width || n == width && !m.signed && !m.int // all bits of a word of 64 may have its sign
}

// pairs makes one move of two numbers that are neighbors in the packet and in Go memory.
func pairs(moves []move) []move {
	if !rawMemory {
		return moves // unreachable: but with the build tag octable_safe, with which .ci/run runs the tests as well
	}
	var out []move
	for i := 0; i < len(moves); i++ {
		m := moves[i]
		paired, width := m.code.paired()
		if i+1 < len(moves) && width > 0 && m.field != nil {
			next := moves[i+1]
			if other, _ := next.code.paired(); other == paired && next.off == m.off+width && next.offset == m.offset+uintptr(width) {
				if paired == movePair32Big {
					m.low, m.high = m.code.rotation(), next.code.rotation()
				}
				m.code = paired
				i++
			}
		}
		out = append(out, m)
	}
	return out
}

// paired returns the code of a pair of numbers, each of a number of bytes; 0 bytes without one.
func (c moveCode) paired() (pair moveCode, width int) {
	switch c {
	case move16:
		return move32, 2
	case move16Big:
		return movePair16Big, 2
	case move32:
		return move64, 4
	case move32Big, movePair16Big:
		return movePair32Big, 4
	}
	return 0, 0
}

// rotation returns by how many bits 32 bits are rotated to exchange two numbers of 16 bits.
func (c moveCode) rotation() uint8 {
	if c == movePair16Big {
		return 16
	}
	return 0
}

// loadPairs exchanges two halves of 32 bits between the order of Go memory and that of a packet. The packet
// has the highest byte first. loadPairs is the inverse of itself. A half that is two numbers is rotated by 16.
func loadPairs(w uint64, low, high uint8) uint64 {
	w = bits.ReverseBytes64(w)
	return uint64(bits.RotateLeft32(uint32(w>>32), int(low))) | uint64(bits.RotateLeft32(uint32(w), int(high)))<<32
}

// column moves a number of several records, whose places count from the beginning of a view. It reports false if Values have to do it.
func (m *move) column(r *planReader, in memory.View, places []int, list elems, first int) bool {
	at, off := list.column(first, m.offset, m.field), m.off
	switch m.code {
	case move16:
		for k, p := range places {
			at.at(k).put16(in.Load16(p + off))
		}
	case move16Big:
		for k, p := range places {
			at.at(k).put16(bits.ReverseBytes16(in.Load16(p + off)))
		}
	case move32:
		for k, p := range places {
			at.at(k).put32(in.Load32(p + off))
		}
	case move32Big:
		for k, p := range places {
			at.at(k).put32(bits.ReverseBytes32(in.Load32(p + off)))
		}
	case move64:
		for k, p := range places {
			at.at(k).put64(in.Load64(p + off))
		}
	case movePair16Big:
		for k, p := range places {
			at.at(k).put32(bits.RotateLeft32(bits.ReverseBytes32(in.Load32(p+off)), 16))
		}
	case movePair32Big:
		low, high := m.low, m.high
		for k, p := range places {
			at.at(k).put64(loadPairs(in.Load64(p+off), low, high))
		}
	case moveSingle, moveSingleBig:
		nan, big := uint32(0), m.code == moveSingleBig
		for k, p := range places {
			w := in.Load32(p + off)
			if big {
				w = bits.ReverseBytes32(w)
			}
			nan |= 0x7f800000 - w&0x7fffffff
			at.at(k).put32(w)
		}
		return nan < 1<<31
	case moveGather:
		m.gather.column(in, places, at, off)
	case moveDouble:
		for k, p := range places {
			at.at(k).lanes16(in, p+off)
		}
	case moveBits:
		bitsColumns[bits.Len8(uint8(m.scalar.Width()))-1][bits.Len8(m.size)-1](in, places, at, off, m.big, m.from)
	default:
		for k, p := range places {
			if !m.move(r, in, p, at.at(k)) {
				return false
			}
		}
	}
	return true
}

// bitsColumns move bits of words. The indexes are the sizes of the words and of Go types: 1, 2, 4 and 8 bytes.
var bitsColumns = [4][4]func(in memory.View, places []int, at column, off int, big bool, from *bytecode.Bits){
	{bitsColumn[uint8, uint8], bitsColumn[uint8, uint16], bitsColumn[uint8, uint32], bitsColumn[uint8, uint64]},
	{bitsColumn[uint16, uint8], bitsColumn[uint16, uint16], bitsColumn[uint16, uint32], bitsColumn[uint16, uint64]},
	{bitsColumn[uint32, uint8], bitsColumn[uint32, uint16], bitsColumn[uint32, uint32], bitsColumn[uint32, uint64]},
	{bitsColumn[uint64, uint8], bitsColumn[uint64, uint16], bitsColumn[uint64, uint32], bitsColumn[uint64, uint64]},
}

func bitsColumn[W, T uint8 | uint16 | uint32 | uint64](in memory.View, places []int, at column, off int, big bool, from *bytecode.Bits) {
	shift, mask, half := uint8(from.Shift), from.Mask, from.Half
	if big {
		shift += 64 - 8*uint8(unsafe.Sizeof(W(0)))
	}
	switch {
	case half != 0:
		for k, p := range places {
			word := uint64(memory.Load[W](in, p+off))
			if big {
				word = bits.ReverseBytes64(word)
			}
			put(at.at(k), T(extended(bitsAt(word, shift, mask), half)))
		}
	case big:
		for k, p := range places {
			put(at.at(k), T(bitsAt(bits.ReverseBytes64(uint64(memory.Load[W](in, p+off))), shift, mask)))
		}
	default:
		for k, p := range places {
			put(at.at(k), T(bitsAt(uint64(memory.Load[W](in, p+off)), shift, mask)))
		}
	}
}

// move moves a number. It reports false if Values have to do it.
func (m *move) move(r *planReader, in memory.View, run int, at place) bool {
	if m.code == movePointer {
		return m.inner.move(r, in, run, r.reached(at, m.slab))
	}
	word := interp.LoadNumber(in, run+m.off, m.scalar, m.big)
	if m.from != nil {
		word = uint64(m.from.Of(word))
	}
	return m.set(r, word, at)
}

// set sets Go memory to a number. It reports false if Values have to do it.
func (m *move) set(r *planReader, word uint64, at place) bool {
	switch m.code {
	case movePointer:
		return m.inner.set(r, word, r.reached(at, m.slab))
	case moveSingle, moveSingleBig:
		if f := math.Float32frombits(uint32(word)); f != f {
			return false
		}
		at.put32(uint32(word))
	case moveFloat:
		f := math.Float32frombits(uint32(word))
		if f != f {
			return false
		}
		at.putFloat(float64(f))
	case moveBool:
		if word > 1 && !m.any {
			return false
		}
		at.putBool(word != 0)
	case moveBits:
		at.putSize(uint32(m.size), word)
	case moveHalf:
		f := interp.RealOf(bytecode.F16, word)
		if f != f {
			return false
		}
		at.putReal(m.size, f)
	case moveLetters:
		if text := at.getText(); len(text) != 4 || memory.OfText(text).Load32(0) != uint32(word) {
			at.putText(notation.Code(word))
		}
	case move8:
		at.put8(uint8(word))
	case move16, move16Big:
		at.put16(uint16(word))
	case move32, move32Big:
		at.put32(uint32(word))
	case move64, move64Big:
		at.put64(word)
	default:
		return m.fit(word, at)
	}
	return true
}

// copied reports whether numbers in Go memory are those of the packet, byte for byte.
func (m *move) copied() bool {
	return rawMemory && (m.code == move8 || m.code == move16 || m.code == move32 || m.code == move64)
}

// fit moves an integer into a Go type of another size or sign.
func (m *move) fit(word uint64, at place) bool {
	width := 8 * uint(m.size)
	switch {
	case m.int != m.signed && int64(word) < 0:
		return false
	case m.signed && int64(word)<<(64-width)>>(64-width) != int64(word):
		return false
	case !m.signed && word<<(64-width)>>(64-width) != word:
		return false
	}
	at.putSize(uint32(m.size), word)
	return true
}

// store writes the number at a place. It reports false if Values have to do it.
func (m *move) store(out memory.View, run int, at place, round bool) bool {
	if m.code == movePointer {
		to, ok := at.pointed()
		return ok && m.inner.store(out, run, to, round)
	}
	n, ok := m.number(at, round)
	if ok {
		interp.StoreNumber(out, run+m.off, m.scalar, m.big, n)
	}
	return ok
}

// number returns the number at a place, or behind the pointer there. It is not ok if Values have to write it.
func (m *move) number(at place, round bool) (n uint64, ok bool) {
	switch m.code {
	case movePointer:
		to, ok := at.pointed()
		if !ok {
			return 0, false
		}
		return m.inner.number(to, round)
	case moveBool:
		if at.getBool() {
			n = 1
		}
	case moveFloat:
		f := at.getFloat()
		single := float32(f)
		if f != f || float64(single) != f && !round {
			return 0, false
		}
		n = uint64(math.Float32bits(single))
	case moveSingle, moveSingleBig:
		f := at.getFloat32()
		if f != f {
			return 0, false
		}
		n = uint64(math.Float32bits(f))
	case moveHalf:
		f := at.getReal(m.size)
		if n, ok = interp.BitsOf(bytecode.F16, f); !ok || interp.RealOf(bytecode.F16, n) != f {
			return 0, false
		}
	case moveLetters:
		text := at.getText()
		if len(text) != 4 {
			return 0, false
		}
		n = uint64(memory.OfText(text).Load32(0))
	case moveAny:
		n = at.integer(m.size, m.signed)
		if m.int != m.signed && int64(n) < 0 || !interp.Fits(m.scalar, int64(n)) {
			return 0, false
		}
	case move8:
		n = uint64(at.get8())
	case move16, move16Big:
		n = uint64(at.get16())
	case move32, move32Big:
		n = uint64(at.get32())
	default:
		n = at.get64()
	}
	return n, true
}

// storeColumn writes a number of several records.
func (m *move) storeColumn(out memory.View, places []int, list elems, first int, round bool) bool {
	at, off := list.column(first, m.offset, m.field), m.off
	switch m.code {
	case move16:
		for k, p := range places {
			out.Store16(p+off, at.at(k).get16())
		}
	case move16Big:
		for k, p := range places {
			out.Store16(p+off, bits.ReverseBytes16(at.at(k).get16()))
		}
	case move32:
		for k, p := range places {
			out.Store32(p+off, at.at(k).get32())
		}
	case move32Big:
		for k, p := range places {
			out.Store32(p+off, bits.ReverseBytes32(at.at(k).get32()))
		}
	case move64:
		for k, p := range places {
			out.Store64(p+off, at.at(k).get64())
		}
	case movePair16Big:
		for k, p := range places {
			out.Store32(p+off, bits.ReverseBytes32(bits.RotateLeft32(at.at(k).get32(), 16)))
		}
	case movePair32Big:
		low, high := m.low, m.high
		for k, p := range places {
			out.Store64(p+off, loadPairs(at.at(k).get64(), low, high))
		}
	case moveSingle, moveSingleBig:
		nan, big := uint32(0), m.code == moveSingleBig
		for k, p := range places {
			u := at.at(k).get32()
			nan |= 0x7f800000 - u&0x7fffffff
			if big {
				u = bits.ReverseBytes32(u)
			}
			out.Store32(p+off, u)
		}
		return nan < 1<<31
	default:
		for k, p := range places {
			if !m.store(out, p, at.at(k), round) {
				return false
			}
		}
	}
	return true
}

// getReal returns the float at x.
func (x place) getReal(size uint8) float64 {
	if size == 4 {
		return float64(x.getFloat32())
	}
	return x.getFloat()
}

// putReal sets the float at x to a number that it holds exactly.
func (x place) putReal(size uint8, f float64) {
	if size == 4 {
		x.put32(math.Float32bits(float32(f)))
	} else {
		x.putFloat(f)
	}
}

// integer returns the integer at x, sign-extended if it is signed.
func (x place) integer(size uint8, signed bool) (n uint64) {
	switch size {
	case 1:
		n = uint64(x.get8())
	case 2:
		n = uint64(x.get16())
	case 4:
		n = uint64(x.get32())
	default:
		n = x.get64()
	}
	if unused := (64 - 8*size) & 63; signed {
		n = uint64(int64(n<<unused) >> unused)
	}
	return n
}

// zero sets the Go value at x to zero.
func (s *recordStep) zero(x place) {
	switch k := s.typ.Kind(); {
	case k == reflect.Bool:
		x.putBool(false)
	case k >= reflect.Int && k <= reflect.Uint64 && rawMemory:
		x.putSize(uint32(s.typ.Size()), 0)
	case k == reflect.Slice:
		x.drop()
	case k == reflect.String:
		x.putText("")
	default:
		x.value(s.typ).SetZero()
	}
}
