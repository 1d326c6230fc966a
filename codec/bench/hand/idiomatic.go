// The format as most people would write it: a reader with small methods, and
// append. The text check is still the fast one.

package hand

import (
	"math"

	"github.com/octable/octable/codec/bench/value"
)

type reader struct {
	b   []byte
	pos int
}

func (r *reader) u32() (uint32, error) {
	if len(r.b)-r.pos < 4 {
		return 0, fail(r.pos, "packet ends inside a value")
	}
	x := le.Uint32(r.b[r.pos:])
	r.pos += 4
	return x, nil
}

func (r *reader) u64() (uint64, error) {
	if len(r.b)-r.pos < 8 {
		return 0, fail(r.pos, "packet ends inside a value")
	}
	x := le.Uint64(r.b[r.pos:])
	r.pos += 8
	return x, nil
}

func (r *reader) f32() (float32, error) {
	x, err := r.u32()
	return math.Float32frombits(x), err
}

// text reads a length, text and padding. It shares the memory of the packet.
func (r *reader) text() ([]byte, error) {
	t, next, err := textAt(r.b, r.pos)
	if err != nil {
		return nil, err
	}
	r.pos = next
	return t, nil
}

// count reads the count of a container whose elements take at least size bytes.
func (r *reader) count(size int) (int, error) {
	n, err := r.u32()
	if err != nil {
		return 0, err
	}
	n &= 1<<31 - 1
	if int(n) > (len(r.b)-r.pos)/size {
		return 0, fail(r.pos-4, "more elements than bytes")
	}
	return int(n), nil
}

// Idiomatic decodes the value at the start of b into new memory. Only text and
// numbers share the memory of b.
func Idiomatic(b []byte) (value.Value, int, error) {
	r := reader{b: b}
	var v value.Value
	err := r.value(&v, 0)
	return v, r.pos, err
}

func (r *reader) value(v *value.Value, depth int) error {
	if depth > depthLimit {
		return fail(r.pos, "nested too deep")
	}
	start := r.pos
	h, err := r.u32()
	if err != nil {
		return err
	}
	id := int(h & 0xff)
	switch id {
	case idNil:
		*v = value.MakeUnit(tag(id))
	case idBool:
		x, err := r.u32()
		if err != nil {
			return err
		}
		*v = value.MakeBool(tag(id), x != 0)
	case idInt:
		if h&bit64 != 0 {
			x, err := r.u64()
			if err != nil {
				return err
			}
			*v = value.MakeInt(tag(id), int64(x))
			v.Form = value.I64 | value.Wide
			break
		}
		x, err := r.u32()
		if err != nil {
			return err
		}
		*v = value.MakeInt(tag(id), int64(int32(x)))
		v.Form = value.I32
	case idFloat:
		if h&bit64 != 0 {
			x, err := r.u64()
			if err != nil {
				return err
			}
			*v = value.MakeFloat(tag(id), math.Float64frombits(x))
			v.Form = value.F64 | value.Wide
			break
		}
		x, err := r.f32()
		if err != nil {
			return err
		}
		*v = value.MakeFloat(tag(id), float64(x))
		v.Form = value.F32
	case idString, idStringName:
		t, err := r.text()
		if err != nil {
			return err
		}
		*v = textValue(t, tag(id))
	case idArray, idDictionary:
		last := v
		if h>>16&3 != 0 || id == idDictionary && h>>16&15 != 0 {
			var d Decoder
			if last, r.pos, err = d.typed(r.b, start, v); err != nil {
				return err
			}
		}
		kind, size := value.List, 1
		if id == idDictionary {
			kind, size = value.Map, 2
		}
		n, err := r.count(4 * size)
		if err != nil {
			return err
		}
		cells := make([]value.Value, size*n)
		for i := range cells {
			if err := r.value(&cells[i], depth+1); err != nil {
				return err
			}
		}
		*last = value.MakeCells(kind, tag(id), cells)
		if kind == value.Map {
			judge(last)
		}
	default:
		if len(r.b)-start < 8 {
			r.pos, err = short(r.b, start, v)
			return err
		}
		var d Decoder
		r.pos, err = d.rare(r.b, start, v)
		return err
	}
	return nil
}

// AppendIdiomatic appends the packet of v to b, item by item.
func AppendIdiomatic(b []byte, v *value.Value) ([]byte, error) { return appendValue(b, v, 0) }

func appendText(b []byte, s string) ([]byte, error) {
	if !plainString(s) && !right(s) {
		return b, fail(len(b), "text cannot be written")
	}
	b = le.AppendUint32(b, uint32(len(s)))
	b = append(b, s...)
	return append(b, "\x00\x00\x00"[:-len(s)&3]...), nil
}

func appendValue(b []byte, v *value.Value, depth int) ([]byte, error) {
	if depth > depthLimit {
		return b, fail(len(b), "nested too deep")
	}
	var err error
	id := uint32(v.Tag) - 1
	switch {
	case id == idNil && v.Kind == value.Unit:
		return le.AppendUint32(b, id), nil
	case id == idBool && v.Kind == value.Bool:
		b = le.AppendUint32(b, id)
		return le.AppendUint32(b, uint32(v.U)), nil
	case id == idInt && v.Kind == value.Int:
		if i := int64(v.U); int64(int32(i)) != i {
			b = le.AppendUint32(b, id|bit64)
			return le.AppendUint64(b, v.U), nil
		}
		b = le.AppendUint32(b, id)
		return le.AppendUint32(b, uint32(v.U)), nil
	case id == idFloat && v.Kind == value.Float:
		f := math.Float64frombits(v.U)
		if float64(float32(f)) == f {
			b = le.AppendUint32(b, id)
			return le.AppendUint32(b, math.Float32bits(float32(f))), nil
		}
		b = le.AppendUint32(b, id|bit64)
		return le.AppendUint64(b, v.U), nil
	case (id == idString || id == idStringName) && v.Kind == value.Text:
		return appendText(le.AppendUint32(b, id), v.Text())
	case id < numIDs && tuples[id].lanes > 0 && v.Kind == value.Lanes && shaped(v, id):
		if v.Form&value.ScalarMask == value.F64 {
			id |= bit64
		}
		b = le.AppendUint32(b, id)
		if n := v.Size(); n <= 8 {
			return le.AppendUint64(b, v.U)[:len(b)+n], nil
		}
		return append(b, v.Bytes()...), nil
	case id == idArray && v.Kind == value.List || id == idDictionary && v.Kind == value.Map:
		cells := v.Cells()
		if v.Kind == value.Map && v.Form&value.Distinct == 0 && repeats(cells) {
			cells = merge(cells)
		}
		n := len(cells)
		if v.Kind == value.Map {
			n /= 2
		}
		b = le.AppendUint32(b, id)
		b = le.AppendUint32(b, uint32(n))
		for i := range cells {
			if b, err = appendValue(b, &cells[i], depth+1); err != nil {
				return b, err
			}
		}
		return b, nil
	}
	b, inner, err := appendRare(b, v)
	if err == nil && inner != nil {
		// A typed container: what appendRare wrote is all but the count and the elements.
		at := len(b)
		if b, err = appendValue(b, inner, depth); err == nil {
			b = append(b[:at], b[at+4:]...)
		}
	}
	return b, err
}
