// Memory of the generic decoders, and the rare types, which they share.

package hand

import (
	"unsafe"

	"github.com/octable/octable/codec/bench/value"
)

// Decoder turns packets into values. It keeps its memory from one packet to
// the next, so that a value is valid until the next one is decoded, unless
// Release is called. Values share the memory of the packet.
type Decoder struct {
	free  []value.Value // of the slab, for containers to come
	slab  []value.Value
	extra int // cells that the slab had no room for
	root  [1]value.Value
	stack []frame
}

// frame is a container of which some values are still to come.
type frame struct {
	cells []value.Value
	next  int
	seen  uint64
	mode  uint8
}

// Modes of filling a container.
const (
	dict    uint8 = 1 << iota // keys and values in turn
	suspect                   // keys have to be compared at the end
)

func (d *Decoder) reset(size int) {
	if d.extra > 0 || d.slab == nil {
		d.slab = make([]value.Value, max(len(d.slab)+d.extra, min(max(size/12, 8), 4096)))
	}
	d.free, d.extra = d.slab, 0
}

// Release leaves the memory of the last value to the value.
func (d *Decoder) Release() {
	d.free, d.slab, d.extra = nil, nil, 0
	d.root[0] = value.Value{}
}

// take returns n cells.
func (d *Decoder) take(n int) []value.Value {
	if f := d.free; n <= len(f) {
		d.free = f[n:]
		return f[:n:n]
	}
	return d.more(n)
}

//go:noinline
func (d *Decoder) more(n int) []value.Value {
	d.free = make([]value.Value, max(n, len(d.slab), 8))
	d.extra += len(d.free)
	return d.take(n)
}

// judge writes down whether the keys of a Map are distinct, once it is filled.
func judge(v *value.Value) {
	if v.Kind == value.Record {
		v = &v.Cells()[v.N-1]
	}
	v.Form = value.Distinct
	if repeats(v.Cells()) {
		v.Form = value.Repeats
	}
}

// set stores a value field by field. A literal of more than four fields would be
// put together elsewhere and copied.
func set(v *value.Value, p unsafe.Pointer, u uint64, n uint32, tag uint16, kind, form uint8) {
	v.P = p
	v.U = u
	v.N = n
	v.Tag = tag
	v.Kind = kind
	v.Form = form
}

func textValue(t []byte, tag uint16) value.Value { return value.MakeText(tag, alias(t)) }

// short reads a value where fewer than eight bytes are left.
//
//go:noinline
func short(b []byte, pos int, dst *value.Value) (int, error) {
	if len(b)-pos < 4 {
		return pos, fail(pos, "packet ends before a header")
	}
	switch id := int(b[pos]); {
	case id == idNil || id == idCallable:
		*dst = value.MakeUnit(tag(id))
		return pos + 4, nil
	case id >= numIDs:
		return pos, fail(pos, "unknown type")
	}
	return pos, fail(pos+4, "packet ends inside a value")
}

// typed reads the element types of a typed Array or Dictionary at b[pos:]. It
// makes dst a record of them and returns where its last field is to be put and
// where the count begins.
//
//go:noinline
func (d *Decoder) typed(b []byte, pos int, dst *value.Value) (*value.Value, int, error) {
	id := int(b[pos])
	kinds := u32(b, pos) >> 16 & 15
	sides := 2
	if id == idArray {
		kinds &= 3
		sides = 1
	}
	cells := d.take(sides + 1)
	start := pos
	pos += 4
	for i := range sides {
		cells[i] = value.Value{}
		switch kind := kinds >> (2 * i) & 3; kind {
		case 1:
			if len(b)-pos < 4 {
				return nil, pos, fail(pos, "packet ends before an element type")
			}
			elem := int(u32(b, pos))
			if elem >= numIDs {
				return nil, pos, fail(pos, "unknown element type")
			}
			if elem != idNil {
				field := d.take(1)
				field[0] = value.MakeUnit(tag(elem))
				cells[i] = value.MakeCells(value.Record, tagBuiltin, field)
			}
			pos += 4
		case 2, 3:
			if pos-start < 4 {
				return nil, pos, fail(pos, "no header")
			}
			t, next, err := textAt(b, pos)
			if err != nil {
				return nil, pos, err
			}
			cells[i] = textValue(t, uint16(tagClass+kind-2))
			pos = next
		}
	}
	*dst = value.MakeCells(value.Record, tag(id), cells)
	return &cells[sides], pos, nil
}

// rare reads a value of a type that the loops leave to it. There are at least
// eight bytes at b[pos:].
//
//go:noinline
func (d *Decoder) rare(b []byte, pos int, dst *value.Value) (int, error) {
	h := u32(b, pos)
	id := int(h & 0xff)
	if id >= numIDs {
		return pos, fail(pos, "unknown type")
	}
	t, body := tuples[id], pos+4
	form := t.form
	if t.real && h&bit64 != 0 {
		form = value.F64 | value.Wide
	}
	width := value.Width(form) * int(t.lanes)
	switch {
	case id >= idPackedByteArray && t.lanes > 0:
		n := int(u32(b, body))
		body += 4
		if uint(n) > uint(len(b)-body)/uint(width) {
			return pos, fail(pos+4, "more elements than bytes")
		}
		*dst = value.MakePacked(tag(id), form, int(t.lanes), b[body:body+n*width])
		// Padding may be missing at the end of the packet.
		return min(body+(n*width+3)&^3, len(b)), nil
	case t.lanes > 0:
		if len(b)-body < width {
			return pos, fail(body, "packet ends inside a value")
		}
		*dst = value.MakeLanes(tag(id), form, b[body:body+width])
		return body + width, nil
	}
	switch id {
	case idCallable:
		*dst = value.MakeUnit(tag(id))
		return body, nil
	case idRID, idObject:
		if id == idObject && h&bit64 == 0 {
			return pos, fail(pos, "objects are not allowed")
		}
		if len(b)-body < 8 {
			return pos, fail(body, "packet ends inside a value")
		}
		*dst = value.Value{Kind: value.Uint, Tag: tag(id), U: u64(b, body)}
		return body + 8, nil
	case idSignal:
		name, next, err := textAt(b, body)
		if err != nil {
			return pos, err
		}
		if len(b)-next < 8 {
			return pos, fail(next, "packet ends inside a value")
		}
		cells := d.take(2)
		cells[0] = textValue(name, tag(idString))
		cells[1] = value.Value{Kind: value.Uint, U: u64(b, next)}
		*dst = value.MakeCells(value.Record, tag(id), cells)
		return next + 8, nil
	case idPackedStringArray:
		n := int(u32(b, body))
		if n > 1<<31-1 {
			n = 0 // a negative count is taken as none
		}
		body += 4
		cells, next, err := d.texts(b, body, n, true)
		if err != nil {
			return pos, err
		}
		*dst = value.MakeCells(value.List, tag(id), cells)
		return next, nil
	case idNodePath:
		if len(b)-body < 12 || u32(b, body)>>31 == 0 {
			return pos, fail(body, "no node path")
		}
		names, subnames, flags := int(u32(b, body)&(1<<31-1)), int(u32(b, body+4)), u32(b, body+8)
		if flags&2 != 0 {
			subnames++
		}
		first, next, err := d.texts(b, body+12, names, false)
		if err != nil {
			return pos, err
		}
		second, next, err := d.texts(b, next, subnames, false)
		if err != nil {
			return pos, err
		}
		cells := d.take(3)
		cells[0] = value.MakeBool(0, flags&1 != 0)
		cells[1] = value.MakeCells(value.List, 0, first)
		cells[2] = value.MakeCells(value.List, 0, second)
		*dst = value.MakeCells(value.Record, tag(id), cells)
		return next, nil
	}
	return pos, fail(pos, "unknown type")
}

// texts reads n texts without headers, each with a NUL at its end if nul.
func (d *Decoder) texts(b []byte, pos, n int, nul bool) ([]value.Value, int, error) {
	if uint(n) > uint(len(b)-pos)/4 {
		return nil, pos, fail(pos, "more texts than bytes")
	}
	cells := d.take(n)
	for i := range cells {
		length := 0
		if len(b)-pos >= 4 {
			length = int(u32(b, pos))
		}
		t, next, err := b, pos, error(nil)
		if nul && length > 0 && length <= len(b)-pos-4 && b[pos+3+length] == 0 && pos+4+(length+3)&^3 <= len(b) &&
			plain(b, pos+4, length-1) {
			t, next = b[pos+4:pos+3+length], pos+4+(length+3)&^3
		} else if t, next, err = textAt(b, pos); err != nil {
			return nil, pos, err
		}
		cells[i] = textValue(t, tag(idString))
		pos = next
	}
	return cells, pos, nil
}

// view returns the bytes of s, not to be written to.
func view(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

func unsafePointer(cells []value.Value) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(cells))
}
