// The generic encoder: one pass, one test for room per value, plain stores.

package hand

import (
	"math"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/octable/octable/codec/bench/value"
)

// Encoder turns values into packets. It keeps its stack from one to the next.
type Encoder struct {
	stack []open
}

// open is a container of which some values are still to be written.
type open struct {
	cells []value.Value
	next  int
}

// headroom is the most bytes that a value without a length field needs. That is a header and
// sixteen numbers of eight bytes, or text of up to 64 bytes.
const headroom = 4 + 16*8

// plainString is plain for a text that has nothing in front of it.
func plainString(s string) bool {
	b := view(s)
	n := len(b)
	switch {
	case n >= 8:
		t := mark(u64(b, n-8))
		for i := 0; i < n-8; i += 8 {
			t |= mark(u64(b, i))
		}
		return t == 0
	case n >= 4:
		return mark(uint64(u32(b, 0))|uint64(u32(b, n-4))<<32) == 0
	case n > 0:
		return mark(uint64(b[0])|uint64(b[n>>1])<<8|uint64(b[n-1])<<16|ones&^0xffffff) == 0
	}
	return true
}

// right reports whether a text that is not plain can be written unchanged.
func right(s string) bool {
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 && !strings.HasPrefix(s, "\xef\xbb\xbf")
}

// grow returns b with room for n bytes more behind the first pos.
//
//go:noinline
func grow(b []byte, pos, n int) []byte {
	out := make([]byte, max(pos+n, 2*len(b)))
	out = out[:cap(out)]
	copy(out, b[:pos])
	return out
}

// Append appends the packet of v to dst. Bytes behind the packet, up to the
// capacity of what is returned, may have been written to.
func (e *Encoder) Append(dst []byte, v *value.Value) ([]byte, error) {
	var (
		b     = dst[:cap(dst)]
		pos   = len(dst)
		cells = unsafe.Slice(v, 1)
		i     int
		depth int
	)
	for {
		for i < len(cells) {
			v := &cells[i]
			i++
			if len(b)-pos < headroom {
				b = grow(b, pos, headroom)
			}
			switch v.Tag - 1 {
			case idNil:
				if v.Kind != value.Unit {
					return dst, fail(pos, "kind and type differ")
				}
				put32(b, pos, idNil)
				pos += 4
			case idBool:
				if v.Kind != value.Bool {
					return dst, fail(pos, "kind and type differ")
				}
				put64(b, pos, idBool|v.U<<32)
				pos += 8
			case idInt:
				if v.Kind != value.Int {
					return dst, fail(pos, "kind and type differ")
				}
				// Without a branch: the upper half of a short int is written over by
				// what comes next.
				wide := uint64(0)
				if v.U+1<<31 >= 1<<32 {
					wide = 1
				}
				put32(b, pos, idInt|uint32(wide)<<16)
				put64(b, pos+4, v.U)
				pos += int(8 + wide*4)
			case idFloat:
				if v.Kind != value.Float {
					return dst, fail(pos, "kind and type differ")
				}
				f := math.Float64frombits(v.U)
				if s := float32(f); float64(s) == f {
					put64(b, pos, idFloat|uint64(math.Float32bits(s))<<32)
					pos += 8
				} else {
					put32(b, pos, idFloat|bit64)
					put64(b, pos+4, v.U)
					pos += 12
				}
			case idString, idStringName:
				if v.Kind != value.Text {
					return dst, fail(pos, "kind and type differ")
				}
				n := int(v.N)
				put64(b, pos, uint64(v.Tag-1)|uint64(n)<<32)
				t := unsafe.Slice((*byte)(v.P), n)
				var marks uint64
				switch {
				case n > 16:
					if len(b)-pos < 8+n+8+headroom {
						b = grow(b, pos+8, n+8+headroom)
					}
					put64(b, pos+8+n, 0)
					copy(b[pos+8:], t)
					if !plain(b, pos+8, n) {
						marks = 1
					}
				case n > 8:
					first, last := u64(t, 0), u64(t, n-8)
					marks = mark(first) | mark(last)
					put64(b, pos+8, first)
					put64(b, pos+16, last>>(8*(16-uint(n))&63))
				case n == 8:
					w := u64(t, 0)
					marks = mark(w)
					put64(b, pos+8, w)
				case n >= 4:
					first, last := uint64(u32(t, 0)), uint64(u32(t, n-4))
					marks = mark(first | last<<32)
					put64(b, pos+8, first|last<<(8*(uint(n)-4)&63))
				case n > 0:
					w := uint32(t[0]) | uint32(t[n>>1])<<(8*(uint(n)>>1)&31) | uint32(t[n-1])<<(8*(uint(n)-1)&31)
					marks = mark(uint64(w) | uint64(ones)<<(8*uint(n)&63))
					put32(b, pos+8, w)
				}
				if marks != 0 && !right(v.Text()) {
					return dst, fail(pos+8, "text cannot be written")
				}
				pos += 8 + (n+3)&^3
			case idVector3:
				if v.Kind != value.Lanes || v.N != 3 || v.Form != value.F32 {
					goto rare
				}
				{
					t := unsafe.Slice((*byte)(v.P), 12)
					put32(b, pos, idVector3)
					put64(b, pos+4, u64(t, 0))
					put32(b, pos+12, u32(t, 8))
				}
				pos += 16
			case idRect2, idVector4, idPlane, idQuaternion, idColor:
				if v.Kind != value.Lanes || v.N != 4 || v.Form != value.F32 {
					goto rare
				}
				{
					t := unsafe.Slice((*byte)(v.P), 16)
					put32(b, pos, uint32(v.Tag-1))
					put64(b, pos+4, u64(t, 0))
					put64(b, pos+12, u64(t, 8))
				}
				pos += 20
			case idVector2, idVector2i:
				if v.Kind != value.Lanes || v.N != 2 || v.Form != tuples[v.Tag-1].form {
					goto rare
				}
				put32(b, pos, uint32(v.Tag-1))
				put64(b, pos+4, v.U)
				pos += 12
			case idArray, idDictionary:
				if v.Kind == value.Record {
					goto rare
				}
				put64(b, pos, uint64(v.Tag-1)|uint64(v.N)<<32)
				pos += 8
				children := v.Cells()
				if v.Tag-1 == idArray {
					if v.Kind != value.List {
						return dst, fail(pos, "kind and type differ")
					}
				} else {
					if v.Kind != value.Map {
						return dst, fail(pos, "kind and type differ")
					}
					if v.Form&value.Distinct == 0 && repeats(children) {
						children = merge(children)
						put32(b, pos-4, uint32(len(children)/2))
					}
				}
				if len(children) == 0 {
					continue
				}
				if depth >= depthLimit {
					return dst, fail(pos, "nested too deep")
				}
				if depth == len(e.stack) {
					e.stack = append(e.stack, open{})
				}
				e.stack[depth] = open{cells, i}
				depth++
				cells, i = children, 0
			default:
				goto rare
			}
			continue
		rare:
			out, inner, err := appendRare(b[:pos], v)
			if err != nil {
				return dst, err
			}
			b, pos = out[:cap(out)], len(out)
			if inner != nil {
				if depth >= depthLimit && inner.N > 0 {
					return dst, fail(pos, "nested too deep")
				}
				children := inner.Cells()
				if inner.Kind == value.Map && inner.Form&value.Distinct == 0 && repeats(children) {
					children = merge(children)
				}
				n := len(children)
				if inner.Kind == value.Map {
					n /= 2
				}
				out = le.AppendUint32(out, uint32(n))
				b, pos = out[:cap(out)], len(out)
				if depth == len(e.stack) {
					e.stack = append(e.stack, open{})
				}
				e.stack[depth] = open{cells, i}
				depth++
				cells, i = children, 0
			}
		}
		if depth == 0 {
			return b[:pos], nil
		}
		depth--
		cells, i = e.stack[depth].cells, e.stack[depth].next
	}
}

// shaped reports whether the numbers of v are those of the type with an id.
func shaped(v *value.Value, id uint32) bool {
	if id >= numIDs {
		return false
	}
	t := tuples[id]
	n, form := v.N, v.Form&value.ScalarMask
	if v.Kind == value.Packed {
		n = uint32(v.U >> value.LanesShift)
	}
	return t.lanes > 0 && n == uint32(t.lanes) && (form == t.form || t.real && form == value.F64)
}

// appendRare appends values of the types that the loops leave to it. Of a
// typed container it appends the bytes before the count, and returns the
// List or Map whose count and elements are to follow.
//
//go:noinline
func appendRare(b []byte, v *value.Value) (out []byte, inner *value.Value, err error) {
	id := uint32(v.Tag) - 1
	h := id
	if shaped(v, id) && (v.Kind == value.Lanes || v.Kind == value.Packed) {
		if v.Form&value.ScalarMask == value.F64 && id != idPackedFloat64Array {
			h |= bit64
		}
		b = le.AppendUint32(b, h)
		if v.Kind == value.Packed {
			b = le.AppendUint32(b, v.N)
			b = append(b, v.Bytes()...)
			return append(b, "\x00\x00\x00"[:-v.Size()&3]...), nil, nil
		}
		return append(b, v.Bytes()...), nil, nil
	}
	switch {
	case id == idCallable && v.Kind == value.Unit:
		return le.AppendUint32(b, h), nil, nil
	case id == idRID && v.Kind == value.Uint:
		return le.AppendUint64(le.AppendUint32(b, h), v.U), nil, nil
	case id == idObject && v.Kind == value.Uint:
		return le.AppendUint64(le.AppendUint32(b, h|bit64), v.U), nil, nil
	case id == idSignal && v.Kind == value.Record && v.N == 2:
		c := v.Cells()
		if b, err = appendText(le.AppendUint32(b, h), c[0].Text()); err != nil {
			return b, nil, err
		}
		return le.AppendUint64(b, c[1].U), nil, nil
	case id == idPackedStringArray && v.Kind == value.List:
		b = le.AppendUint32(le.AppendUint32(b, h), v.N)
		for i := range v.Cells() {
			s := v.Cells()[i].Text()
			if !plainString(s) && !right(s) {
				return b, nil, fail(len(b), "text cannot be written")
			}
			b = le.AppendUint32(b, uint32(len(s)+1))
			b = append(b, s...)
			b = append(b, "\x00\x00\x00\x00"[:4-len(s)&3]...)
		}
		return b, nil, nil
	case id == idNodePath && v.Kind == value.Record && v.N == 3:
		c := v.Cells()
		b = le.AppendUint32(b, h)
		b = le.AppendUint32(b, c[1].N|1<<31)
		b = le.AppendUint32(b, c[2].N)
		b = le.AppendUint32(b, uint32(c[0].U))
		for _, list := range c[1:] {
			for i := range list.Cells() {
				if b, err = appendText(b, list.Cells()[i].Text()); err != nil {
					return b, nil, err
				}
			}
		}
		return b, nil, nil
	case (id == idArray && v.N == 2 || id == idDictionary && v.N == 3) && v.Kind == value.Record:
		c := v.Cells()
		inner = &c[len(c)-1]
		if want := map[bool]uint8{true: value.List, false: value.Map}[id == idArray]; inner.Kind != want {
			return b, nil, fail(len(b), "kind and type differ")
		}
		start := len(b)
		b = le.AppendUint32(b, h)
		for i := range c[:len(c)-1] {
			kind := uint32(0)
			switch elem := &c[i]; elem.Tag {
			case tagBuiltin:
				kind = 1
				b = le.AppendUint32(b, uint32(elem.Cells()[0].Tag)-1)
			case tagClass, tagScript:
				kind = uint32(elem.Tag - tagClass + 2)
				if b, err = appendText(b, elem.Text()); err != nil {
					return b, nil, err
				}
			}
			h |= kind << (16 + 2*i)
		}
		le.PutUint32(b[start:], h)
		return b, inner, nil
	}
	return b, nil, fail(len(b), "kind and type differ")
}

// EncodedSize returns how many bytes the packet of v takes: the first half of
// an encoder of two passes.
func EncodedSize(v *value.Value) int {
	switch v.Tag - 1 {
	case idNil:
		return 4
	case idBool:
		return 8
	case idInt:
		if i := int64(v.U); int64(int32(i)) != i {
			return 12
		}
		return 8
	case idFloat:
		if f := math.Float64frombits(v.U); float64(float32(f)) != f {
			return 12
		}
		return 8
	case idString, idStringName:
		return 8 + (int(v.N)+3)&^3
	case idArray, idDictionary:
		size := 8
		for i := range v.Cells() {
			size += EncodedSize(&v.Cells()[i])
		}
		return size
	}
	if v.Kind == value.Packed {
		return 8 + (v.Size()+3)&^3
	}
	return 4 + v.Size()
}
