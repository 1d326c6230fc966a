// Structs by hand, with the lowest byte first.

package batch

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// DecodeLittle decodes a batch into structs that are used again. Texts share the memory of b.
func (x *Batch) DecodeLittle(b []byte) error {
	if len(b) < 4 {
		return errShort
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n > (len(b)-4)/minRecord {
		return errShort
	}
	if n > cap(x.Records) {
		x.Records = make([]Record, n)
	}
	x.Records = x.Records[:n]
	b = b[4:]
	for i := range x.Records {
		if len(b) < minRecord {
			return errShort
		}
		size := int(binary.LittleEndian.Uint16(b[12:]))
		if size > len(b)-minRecord {
			return errShort
		}
		text := b[minRecord : minRecord+size]
		if !ascii(text) && !utf8.Valid(text) {
			return errText
		}
		r := &x.Records[i]
		r.ID = binary.LittleEndian.Uint32(b)
		r.Sensor = binary.LittleEndian.Uint16(b[4:])
		r.Level = int16(binary.LittleEndian.Uint16(b[6:]))
		r.Value = math.Float32frombits(binary.LittleEndian.Uint32(b[8:]))
		r.Name = textIn(text)
		b = b[minRecord+size:]
	}
	return nil
}

// AppendLittle appends a batch.
func (x *Batch) AppendLittle(out []byte) ([]byte, error) {
	out = binary.LittleEndian.AppendUint32(out, uint32(len(x.Records)))
	for i := range x.Records {
		r := &x.Records[i]
		if len(r.Name) > math.MaxUint16 {
			return out, errRange
		}
		if !utf8.ValidString(r.Name) {
			return out, errText
		}
		out = binary.LittleEndian.AppendUint32(out, r.ID)
		out = binary.LittleEndian.AppendUint16(out, r.Sensor)
		out = binary.LittleEndian.AppendUint16(out, uint16(r.Level))
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(r.Value))
		out = binary.LittleEndian.AppendUint16(out, uint16(len(r.Name)))
		out = append(out, r.Name...)
	}
	return out, nil
}
