// Cells, read and written by hand.

package dns

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/octable/octable/codec/bench/suite"
	"github.com/octable/octable/codec/bench/value"
)

// The numbers of the types, which a test compares with those of the codec.
const (
	tagLabel    = 256
	tagPointer  = 258
	tagA        = 259
	tagNS       = 260
	tagCNAME    = 261
	tagSOA      = 262
	tagPTR      = 267
	tagMX       = 270
	tagTXT      = 271
	tagAAAA     = 274
	tagSRV      = 276
	tagOPT      = 281
	tagMessage  = 324
	tagQuestion = 325
	tagRecord   = 326
	tagName     = 327
	tagString   = 332
)

// cellDecoder reads a message into cells.
type cellDecoder struct {
	decoder
	slab *value.Slab
}

func readValue(s *value.Slab, b []byte) (value.Value, int, error) {
	if len(b) < 12 {
		return value.Value{}, 0, errShort
	}
	d := cellDecoder{decoder{in: b, pos: 12, end: len(b)}, s}
	c := s.Take(15)
	flags := binary.BigEndian.Uint16(b[2:])
	c[0] = value.Big16(b)
	c[1] = value.Flag(flags, 15)
	c[2] = value.Bits(flags >> 11 & 15)
	for i := range c[3:10] {
		c[3+i] = value.Flag(flags, uint(10-i))
	}
	c[10] = value.Bits(flags & 15)
	n := int(binary.BigEndian.Uint16(b[4:]))
	if n > (d.end-d.pos)/5 {
		return value.Value{}, 0, errShort
	}
	list := s.Take(n)
	for i := range list {
		q := s.Take(3)
		if err := d.name(&q[0]); err != nil {
			return value.Value{}, 0, err
		}
		if d.end-d.pos < 4 {
			return value.Value{}, 0, errShort
		}
		q[1] = value.Big16(b[d.pos:])
		q[2] = value.Big16(b[d.pos+2:])
		d.pos += 4
		list[i] = value.MakeCells(value.Record, tagQuestion, q)
	}
	c[11] = value.MakeCells(value.List, 0, list)
	for i := range 3 {
		if err := d.records(&c[12+i], binary.BigEndian.Uint16(b[6+2*i:])); err != nil {
			return value.Value{}, 0, err
		}
	}
	return value.MakeCells(value.Record, tagMessage, c), d.pos, nil
}

// count returns how many labels follow, without a check of what ends them.
func (d *cellDecoder) count() (n int) {
	for at := d.pos; at < d.end; at += 1 + int(d.in[at]) {
		n++
		if c := d.in[at]; c == 0 || c > 63 {
			break
		}
	}
	return n
}

func (d *cellDecoder) name(to *value.Value) error {
	c := d.slab.Take(d.count())
	for i := range c {
		head := d.in[d.pos]
		d.pos++
		switch head >> 6 {
		case 0:
			n := int(head)
			if n > d.end-d.pos {
				return errShort
			}
			c[i] = value.TextOf(tagLabel, d.in[d.pos:d.pos+n])
			d.pos += n
			if n == 0 {
				*to = value.MakeCells(value.List, tagName, c)
				return nil
			}
		case 3:
			if d.pos == d.end {
				return errShort
			}
			p := d.slab.Take(2)
			p[0] = value.Bits(uint16(head & 63))
			p[1] = value.Byte(d.in[d.pos])
			d.pos++
			c[i] = value.MakeCells(value.Record, tagPointer, p)
			*to = value.MakeCells(value.List, tagName, c)
			return nil
		default:
			return errLabel
		}
	}
	return errShort
}

func (d *cellDecoder) records(to *value.Value, count uint16) error {
	n := int(count)
	if n > (d.end-d.pos)/11 {
		return errShort
	}
	list := d.slab.Take(n)
	for i := range list {
		c := d.slab.Take(10)
		if err := d.record(c); err != nil {
			return err
		}
		list[i] = value.MakeCells(value.Record, tagRecord, c)
	}
	*to = value.MakeCells(value.List, 0, list)
	return nil
}

func (d *cellDecoder) record(c []value.Value) error {
	if err := d.name(&c[0]); err != nil {
		return err
	}
	if d.end-d.pos < 10 {
		return errShort
	}
	b := d.in[d.pos : d.pos+10]
	d.pos += 10
	typ := binary.BigEndian.Uint16(b)
	c[1] = value.Bits(typ)
	if typ == typeOPT {
		flags := binary.BigEndian.Uint16(b[6:])
		c[2], c[3], c[4] = value.Big16(b[2:]), value.Byte(b[4]), value.Byte(b[5])
		c[5], c[6] = value.Flag(flags, 15), value.Bits(flags&0x7fff)
		c[7], c[8] = value.Value{}, value.Value{}
	} else {
		c[2], c[3], c[4], c[5], c[6] = value.Value{}, value.Value{}, value.Value{}, value.Value{}, value.Value{}
		c[7], c[8] = value.Big16(b[2:]), value.Big32(b[4:])
	}
	size := int(binary.BigEndian.Uint16(b[8:]))
	if size > d.end-d.pos {
		return errShort
	}
	end := d.end
	d.end = d.pos + size
	if err := d.data(&c[9], typ); err != nil {
		return err
	}
	if d.pos < d.end {
		return errTrailing
	}
	d.end = end
	return nil
}

func (d *cellDecoder) data(to *value.Value, typ uint16) error {
	switch typ {
	case typeA:
		b, err := d.fixed(4)
		*to = value.BytesOf(tagA, b)
		return err
	case typeNS:
		return d.target(to, 0, tagNS)
	case typeCNAME:
		return d.target(to, 0, tagCNAME)
	case typeSOA:
		c := d.slab.Take(7)
		if err := d.name(&c[0]); err != nil {
			return err
		}
		if err := d.name(&c[1]); err != nil {
			return err
		}
		b, err := d.fixed(20)
		if err != nil {
			return err
		}
		for i := range c[2:] {
			c[2+i] = value.Big32(b[4*i:])
		}
		*to = value.MakeCells(value.Record, tagSOA, c)
	case typePTR:
		return d.target(to, 0, tagPTR)
	case typeMX:
		return d.target(to, 1, tagMX)
	case typeTXT:
		return d.strings(to)
	case typeAAAA:
		b, err := d.fixed(16)
		*to = value.BytesOf(tagAAAA, b)
		return err
	case typeSRV:
		return d.target(to, 3, tagSRV)
	case typeOPT:
		return d.options(to)
	default:
		return suite.ErrUnsupported
	}
	return nil
}

// target reads n numbers and a name.
func (d *cellDecoder) target(to *value.Value, n int, tag uint16) error {
	b, err := d.fixed(2 * n)
	if err != nil {
		return err
	}
	c := d.slab.Take(n + 1)
	for i := range n {
		c[i] = value.Big16(b[2*i:])
	}
	*to = value.MakeCells(value.Record, tag, c)
	return d.name(&c[n])
}

func (d *cellDecoder) strings(to *value.Value) error {
	n := 0
	for at := d.pos; at < d.end; at += 1 + int(d.in[at]) {
		n++
	}
	c := d.slab.Take(n)
	for i := range c {
		d.pos++
		b, err := d.fixed(int(d.in[d.pos-1]))
		if err != nil {
			return err
		}
		c[i] = value.TextOf(tagString, b)
	}
	*to = value.MakeCells(value.List, tagTXT, c)
	return nil
}

func (d *cellDecoder) options(to *value.Value) error {
	if d.pos < d.end {
		return suite.ErrUnsupported
	}
	*to = value.MakeCells(value.List, tagOPT, nil)
	return nil
}

func appendValue(out []byte, v *value.Value) ([]byte, error) {
	c, err := value.Fields(v, tagMessage, 15)
	if err != nil {
		return out, err
	}
	if err := value.Numbers(c[:1], math.MaxUint16); err != nil {
		return out, err
	}
	out = binary.BigEndian.AppendUint16(out, uint16(c[0].U))
	if c[2].Kind != value.Uint || c[10].Kind != value.Uint || c[2].U > 15 || c[10].U > 15 || c[1].Kind != value.Bool || c[1].U > 1 {
		return out, errRange
	}
	flags := c[1].U<<15 | c[2].U<<11 | c[10].U
	for i := range c[3:10] {
		if c[3+i].Kind != value.Bool || c[3+i].U > 1 {
			return out, errRange
		}
		flags |= c[3+i].U << (10 - i)
	}
	out = binary.BigEndian.AppendUint16(out, uint16(flags))
	for i := range c[11:] {
		if c[11+i].Kind != value.List {
			return out, errData
		}
		if c[11+i].N > math.MaxUint16 {
			return out, errRange
		}
		out = binary.BigEndian.AppendUint16(out, uint16(c[11+i].N))
	}
	questions := c[11].Cells()
	for i := range questions {
		q, err := value.Fields(&questions[i], tagQuestion, 3)
		if err != nil {
			return out, err
		}
		if out, err = appendNameValue(out, &q[0]); err != nil {
			return out, err
		}
		if err := value.Numbers(q[1:], math.MaxUint16); err != nil {
			return out, err
		}
		out = binary.BigEndian.AppendUint16(out, uint16(q[1].U))
		out = binary.BigEndian.AppendUint16(out, uint16(q[2].U))
	}
	for i := range c[12:] {
		list := c[12+i].Cells()
		for j := range list {
			if out, err = appendRecordValue(out, &list[j]); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

func appendNameValue(out []byte, v *value.Value) ([]byte, error) {
	if v.Kind != value.List || v.Tag != tagName || v.N == 0 {
		return out, errName
	}
	list := v.Cells()
	for i := range list {
		l, last := &list[i], i == len(list)-1
		switch {
		case l.Kind == value.Text && l.Tag == tagLabel:
			if l.N > 63 {
				return out, errRange
			}
			if (l.N == 0) != last {
				return out, errName
			}
			out = append(out, byte(l.N))
			out = append(out, l.Text()...)
		case l.Kind == value.Record && l.Tag == tagPointer && l.N == 2:
			c := l.Cells()
			if err := value.Numbers(c, math.MaxUint8); err != nil || c[0].U > 63 {
				return out, errRange
			}
			if !last {
				return out, errName
			}
			out = append(out, 0xc0|byte(c[0].U), byte(c[1].U))
		default:
			return out, errLabel
		}
	}
	return out, nil
}

func appendRecordValue(out []byte, v *value.Value) ([]byte, error) {
	c, err := value.Fields(v, tagRecord, 10)
	if err != nil {
		return out, err
	}
	if out, err = appendNameValue(out, &c[0]); err != nil {
		return out, err
	}
	if err := value.Numbers(c[1:2], math.MaxUint16); err != nil {
		return out, err
	}
	typ := uint16(c[1].U)
	out = binary.BigEndian.AppendUint16(out, typ)
	if typ == typeOPT {
		if c[7].Kind != value.None || c[8].Kind != value.None || c[5].Kind != value.Bool {
			return out, errData
		}
		if value.Numbers(c[2:3], math.MaxUint16) != nil || value.Numbers(c[3:5], math.MaxUint8) != nil || value.Numbers(c[6:7], 0x7fff) != nil || c[5].U > 1 {
			return out, errRange
		}
		out = binary.BigEndian.AppendUint16(out, uint16(c[2].U))
		out = append(out, byte(c[3].U), byte(c[4].U))
		out = binary.BigEndian.AppendUint16(out, uint16(c[5].U<<15|c[6].U))
	} else {
		if c[2].Kind|c[3].Kind|c[4].Kind|c[5].Kind|c[6].Kind != value.None {
			return out, errData
		}
		if value.Numbers(c[7:8], math.MaxUint16) != nil || value.Numbers(c[8:9], math.MaxUint32) != nil {
			return out, errRange
		}
		out = binary.BigEndian.AppendUint16(out, uint16(c[7].U))
		out = binary.BigEndian.AppendUint32(out, uint32(c[8].U))
	}
	at := len(out)
	if out, err = appendDataValue(append(out, 0, 0), typ, &c[9]); err != nil {
		return out, err
	}
	size := len(out) - at - 2
	if size > math.MaxUint16 {
		return out, errRange
	}
	binary.BigEndian.PutUint16(out[at:], uint16(size))
	return out, nil
}

func appendDataValue(out []byte, typ uint16, v *value.Value) ([]byte, error) {
	switch typ {
	case typeA:
		return appendBytes(out, v, tagA, 4)
	case typeNS:
		return appendTarget(out, v, 0, tagNS)
	case typeCNAME:
		return appendTarget(out, v, 0, tagCNAME)
	case typeSOA:
		c, err := value.Fields(v, tagSOA, 7)
		if err != nil {
			return out, err
		}
		if out, err = appendNameValue(out, &c[0]); err != nil {
			return out, err
		}
		if out, err = appendNameValue(out, &c[1]); err != nil {
			return out, err
		}
		if err := value.Numbers(c[2:], math.MaxUint32); err != nil {
			return out, err
		}
		for i := range c[2:] {
			out = binary.BigEndian.AppendUint32(out, uint32(c[2+i].U))
		}
		return out, nil
	case typePTR:
		return appendTarget(out, v, 0, tagPTR)
	case typeMX:
		return appendTarget(out, v, 1, tagMX)
	case typeTXT:
		return appendStrings(out, v)
	case typeAAAA:
		return appendBytes(out, v, tagAAAA, 16)
	case typeSRV:
		return appendTarget(out, v, 3, tagSRV)
	case typeOPT:
		return appendOptions(out, v)
	}
	return out, suite.ErrUnsupported
}

func appendBytes(out []byte, v *value.Value, tag uint16, n uint32) ([]byte, error) {
	if v.Kind != value.Packed || v.Tag != tag || v.N != n || v.Form != value.U8 {
		return out, errData
	}
	return append(out, unsafe.Slice((*byte)(v.P), n)...), nil
}

func appendTarget(out []byte, v *value.Value, n int, tag uint16) ([]byte, error) {
	c, err := value.Fields(v, tag, uint32(n+1))
	if err != nil {
		return out, err
	}
	if err := value.Numbers(c[:n], math.MaxUint16); err != nil {
		return out, err
	}
	for i := range n {
		out = binary.BigEndian.AppendUint16(out, uint16(c[i].U))
	}
	return appendNameValue(out, &c[n])
}

func appendStrings(out []byte, v *value.Value) ([]byte, error) {
	if v.Kind != value.List || v.Tag != tagTXT {
		return out, errData
	}
	list := v.Cells()
	for i := range list {
		s := &list[i]
		if s.Kind != value.Text || s.Tag != tagString {
			return out, errData
		}
		if s.N > math.MaxUint8 {
			return out, errRange
		}
		out = append(append(out, byte(s.N)), s.Text()...)
	}
	return out, nil
}

func appendOptions(out []byte, v *value.Value) ([]byte, error) {
	if v.Kind != value.List || v.Tag != tagOPT {
		return out, errData
	}
	if len(v.Cells()) > 0 {
		return out, suite.ErrUnsupported
	}
	return out, nil
}
