// By hand, with the lowest byte first.

package batch

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
	"unsafe"

	"github.com/octable/octable/codec/bench/value"
)

// Little decodes a batch whose numbers have the lowest byte first.
func (d *Decoder) Little(b []byte) (value.Value, error) {
	if len(b) < 4 {
		return value.Value{}, errShort
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n > (len(b)-4)/minRecord {
		return value.Value{}, errShort
	}
	list, cells := d.reset(n)
	b = b[4:]
	for i := range list {
		if len(b) < minRecord {
			return value.Value{}, errShort
		}
		size := int(binary.LittleEndian.Uint16(b[12:]))
		if size > len(b)-minRecord {
			return value.Value{}, errShort
		}
		text := b[minRecord : minRecord+size]
		if !ascii(text) && !utf8.Valid(text) {
			return value.Value{}, errText
		}
		c := cells[5*i : 5*i+5 : 5*i+5]
		c[0] = value.Value{U: uint64(binary.LittleEndian.Uint32(b)), Kind: value.Uint, Form: formU32}
		c[1] = value.Value{U: uint64(binary.LittleEndian.Uint16(b[4:])), Kind: value.Uint, Form: formU16}
		c[2] = value.Value{U: uint64(int16(binary.LittleEndian.Uint16(b[6:]))), Kind: value.Int, Form: formI16}
		c[3] = value.Value{U: double(binary.LittleEndian.Uint32(b[8:])), Kind: value.Float, Form: formF32}
		c[4] = value.Value{P: textOf(text), N: uint32(size), Kind: value.Text}
		list[i] = value.Value{P: unsafe.Pointer(&c[0]), N: 5, Kind: value.Record}
		b = b[minRecord+size:]
	}
	return value.MakeCells(value.List, 0, list), nil
}

// AppendLittle appends a batch whose numbers have the lowest byte first.
func AppendLittle(dst []byte, v *value.Value) ([]byte, error) {
	if v.Kind != value.List {
		return dst, errKind
	}
	out := binary.LittleEndian.AppendUint32(dst, v.N)
	list := v.Cells()
	for i := range list {
		c, err := fields(&list[i])
		if err != nil {
			return dst, err
		}
		text := c[4].Text()
		if !ascii(unsafe.Slice(unsafe.StringData(text), len(text))) && !utf8.ValidString(text) {
			return dst, errText
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(c[0].U))
		out = binary.LittleEndian.AppendUint16(out, uint16(c[1].U))
		out = binary.LittleEndian.AppendUint16(out, uint16(c[2].U))
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(math.Float64frombits(c[3].U))))
		out = binary.LittleEndian.AppendUint16(out, uint16(len(text)))
		out = append(out, text...)
	}
	return out, nil
}
