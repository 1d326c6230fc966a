// The types of octable's generated code, read and written by hand.

package dns

import (
	"encoding/binary"
	"math"

	gen "github.com/octable/octable/codec/bench/run-go-generate/dns"
	"github.com/octable/octable/codec/bench/suite"
)

// decoder reads a message. Fields end at end, which is that of the message or of a record.
type decoder struct {
	in       []byte
	pos, end int
}

// readMessage reads a message into x, whose slices are used again. Texts and bytes share the memory of b.
func readMessage(x *gen.Message, b []byte) (int, error) {
	if len(b) < 12 {
		return 0, errShort
	}
	d := decoder{in: b, pos: 12, end: len(b)}
	flags := binary.BigEndian.Uint16(b[2:])
	x.ID = binary.BigEndian.Uint16(b)
	x.Qr = flags&0x8000 != 0
	x.Opcode = uint8(flags >> 11 & 15)
	x.Aa = flags&0x400 != 0
	x.Tc = flags&0x200 != 0
	x.Rd = flags&0x100 != 0
	x.Ra = flags&0x80 != 0
	x.Z = flags&0x40 != 0
	x.Ad = flags&0x20 != 0
	x.Cd = flags&0x10 != 0
	x.Rcode = uint8(flags & 15)
	n := int(binary.BigEndian.Uint16(b[4:]))
	if n > (d.end-d.pos)/5 {
		return 0, errShort
	}
	if n > cap(x.Questions) {
		x.Questions = append(x.Questions[:cap(x.Questions)], make([]gen.Question, n-cap(x.Questions))...)
	}
	x.Questions = x.Questions[:n]
	for i := range x.Questions {
		q := &x.Questions[i]
		if err := d.name(&q.Name); err != nil {
			return 0, err
		}
		if d.end-d.pos < 4 {
			return 0, errShort
		}
		q.Type = binary.BigEndian.Uint16(b[d.pos:])
		q.Class = binary.BigEndian.Uint16(b[d.pos+2:])
		d.pos += 4
	}
	var err error
	if x.Answers, err = d.records(x.Answers, binary.BigEndian.Uint16(b[6:])); err != nil {
		return 0, err
	}
	if x.Authorities, err = d.records(x.Authorities, binary.BigEndian.Uint16(b[8:])); err != nil {
		return 0, err
	}
	if x.Additionals, err = d.records(x.Additionals, binary.BigEndian.Uint16(b[10:])); err != nil {
		return 0, err
	}
	return d.pos, nil
}

func (d *decoder) name(x *gen.Name) error {
	labels := x.Labels[:0]
	for d.pos < d.end {
		c := d.in[d.pos]
		d.pos++
		switch c >> 6 {
		case 0:
			n := int(c)
			if n > d.end-d.pos {
				return errShort
			}
			labels = append(labels, gen.LabelLabel(textIn(d.in[d.pos:d.pos+n])))
			d.pos += n
			if n == 0 {
				x.Labels = labels
				return nil
			}
		case 3:
			if d.pos == d.end {
				return errShort
			}
			x.Labels = append(labels, gen.Pointer{High: c & 63, Low: d.in[d.pos]})
			d.pos++
			return nil
		default:
			return errLabel
		}
	}
	return errShort
}

func (d *decoder) records(list []gen.Record, count uint16) ([]gen.Record, error) {
	n := int(count)
	if n > (d.end-d.pos)/11 {
		return nil, errShort
	}
	if n > cap(list) {
		list = append(list[:cap(list)], make([]gen.Record, n-cap(list))...)
	}
	list = list[:n]
	for i := range list {
		if err := d.record(&list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (d *decoder) record(x *gen.Record) error {
	if err := d.name(&x.Name); err != nil {
		return err
	}
	if d.end-d.pos < 10 {
		return errShort
	}
	b := d.in[d.pos : d.pos+10]
	d.pos += 10
	x.Type = binary.BigEndian.Uint16(b)
	if x.Type == typeOPT {
		flags := binary.BigEndian.Uint16(b[6:])
		x.Class, x.Ttl = nil, nil
		x.PayloadSize = new(binary.BigEndian.Uint16(b[2:]))
		x.ExtendedRcode = new(b[4])
		x.Version = new(b[5])
		x.DnssecOk = new(flags&0x8000 != 0)
		x.EdnsZ = new(flags & 0x7fff)
	} else {
		x.PayloadSize, x.ExtendedRcode, x.Version, x.DnssecOk, x.EdnsZ = nil, nil, nil, nil, nil
		x.Class = new(binary.BigEndian.Uint16(b[2:]))
		x.Ttl = new(binary.BigEndian.Uint32(b[4:]))
	}
	size := int(binary.BigEndian.Uint16(b[8:]))
	if size > d.end-d.pos {
		return errShort
	}
	end := d.end
	d.end = d.pos + size
	data, err := d.data(x.Type)
	if err != nil {
		return err
	}
	if d.pos < d.end {
		return errTrailing
	}
	x.Data, d.end = data, end
	return nil
}

// fixed returns the next n bytes.
func (d *decoder) fixed(n int) ([]byte, error) {
	if n > d.end-d.pos {
		return nil, errShort
	}
	d.pos += n
	return d.in[d.pos-n : d.pos : d.pos], nil
}

func (d *decoder) data(typ uint16) (gen.Data, error) {
	switch typ {
	case typeA:
		b, err := d.fixed(4)
		return gen.A(b), err
	case typeNS:
		var x gen.NS
		err := d.name(&x.Nsdname)
		return x, err
	case typeCNAME:
		var x gen.CNAME
		err := d.name(&x.Cname)
		return x, err
	case typeSOA:
		return d.soa()
	case typePTR:
		var x gen.PTR
		err := d.name(&x.Ptrdname)
		return x, err
	case typeMX:
		b, err := d.fixed(2)
		if err != nil {
			return nil, err
		}
		x := gen.MX{Preference: binary.BigEndian.Uint16(b)}
		err = d.name(&x.Exchange)
		return x, err
	case typeTXT:
		return d.txt()
	case typeAAAA:
		b, err := d.fixed(16)
		return gen.AAAA(b), err
	case typeSRV:
		b, err := d.fixed(6)
		if err != nil {
			return nil, err
		}
		x := gen.SRV{Priority: binary.BigEndian.Uint16(b), Weight: binary.BigEndian.Uint16(b[2:]), Port: binary.BigEndian.Uint16(b[4:])}
		err = d.name(&x.Target)
		return x, err
	case typeOPT:
		return d.opt()
	}
	return nil, suite.ErrUnsupported
}

func (d *decoder) soa() (gen.Data, error) {
	var x gen.SOA
	if err := d.name(&x.Mname); err != nil {
		return nil, err
	}
	if err := d.name(&x.Rname); err != nil {
		return nil, err
	}
	b, err := d.fixed(20)
	if err != nil {
		return nil, err
	}
	x.Serial = binary.BigEndian.Uint32(b)
	x.Refresh = binary.BigEndian.Uint32(b[4:])
	x.Retry = binary.BigEndian.Uint32(b[8:])
	x.Expire = binary.BigEndian.Uint32(b[12:])
	x.Minimum = binary.BigEndian.Uint32(b[16:])
	return x, nil
}

func (d *decoder) txt() (gen.Data, error) {
	var x gen.TXT
	for d.pos < d.end {
		n := int(d.in[d.pos])
		d.pos++
		b, err := d.fixed(n)
		if err != nil {
			return nil, err
		}
		x = append(x, gen.String{Text: textIn(b)})
	}
	return x, nil
}

func (d *decoder) opt() (gen.Data, error) {
	if d.pos < d.end {
		return nil, suite.ErrUnsupported
	}
	return gen.OPT(nil), nil
}

// appendMessage appends a message.
func appendMessage(out []byte, x *gen.Message) ([]byte, error) {
	if x.Opcode > 15 || x.Rcode > 15 || len(x.Questions) > math.MaxUint16 || len(x.Answers) > math.MaxUint16 ||
		len(x.Authorities) > math.MaxUint16 || len(x.Additionals) > math.MaxUint16 {
		return out, errRange
	}
	out = binary.BigEndian.AppendUint16(out, x.ID)
	out = binary.BigEndian.AppendUint16(out, flag(x.Qr, 0x8000)|uint16(x.Opcode)<<11|flag(x.Aa, 0x400)|flag(x.Tc, 0x200)|
		flag(x.Rd, 0x100)|flag(x.Ra, 0x80)|flag(x.Z, 0x40)|flag(x.Ad, 0x20)|flag(x.Cd, 0x10)|uint16(x.Rcode))
	out = binary.BigEndian.AppendUint16(out, uint16(len(x.Questions)))
	out = binary.BigEndian.AppendUint16(out, uint16(len(x.Answers)))
	out = binary.BigEndian.AppendUint16(out, uint16(len(x.Authorities)))
	out = binary.BigEndian.AppendUint16(out, uint16(len(x.Additionals)))
	var err error
	for i := range x.Questions {
		q := &x.Questions[i]
		if out, err = appendName(out, &q.Name); err != nil {
			return out, err
		}
		out = binary.BigEndian.AppendUint16(out, q.Type)
		out = binary.BigEndian.AppendUint16(out, q.Class)
	}
	for _, list := range [...][]gen.Record{x.Answers, x.Authorities, x.Additionals} {
		for i := range list {
			if out, err = appendRecord(out, &list[i]); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

func appendName(out []byte, x *gen.Name) ([]byte, error) {
	last := len(x.Labels) - 1
	if last < 0 {
		return out, errName
	}
	for i, l := range x.Labels {
		switch l := l.(type) {
		case gen.LabelLabel:
			if len(l) > 63 {
				return out, errRange
			}
			if (len(l) == 0) != (i == last) {
				return out, errName
			}
			out = append(out, byte(len(l)))
			out = append(out, l...)
		case gen.Pointer:
			if l.High > 63 {
				return out, errRange
			}
			if i != last {
				return out, errName
			}
			out = append(out, 0xc0|l.High, l.Low)
		default:
			return out, errLabel
		}
	}
	return out, nil
}

func appendRecord(out []byte, x *gen.Record) ([]byte, error) {
	out, err := appendName(out, &x.Name)
	if err != nil {
		return out, err
	}
	out = binary.BigEndian.AppendUint16(out, x.Type)
	if x.Type == typeOPT {
		if x.PayloadSize == nil || x.ExtendedRcode == nil || x.Version == nil || x.DnssecOk == nil || x.EdnsZ == nil || x.Class != nil || x.Ttl != nil {
			return out, errData
		}
		if *x.EdnsZ > 0x7fff {
			return out, errRange
		}
		out = binary.BigEndian.AppendUint16(out, *x.PayloadSize)
		out = append(out, *x.ExtendedRcode, *x.Version)
		out = binary.BigEndian.AppendUint16(out, flag(*x.DnssecOk, 0x8000)|*x.EdnsZ)
	} else {
		if x.PayloadSize != nil || x.ExtendedRcode != nil || x.Version != nil || x.DnssecOk != nil || x.EdnsZ != nil || x.Class == nil || x.Ttl == nil {
			return out, errData
		}
		out = binary.BigEndian.AppendUint16(out, *x.Class)
		out = binary.BigEndian.AppendUint32(out, *x.Ttl)
	}
	at := len(out)
	if out, err = appendData(append(out, 0, 0), x.Type, x.Data); err != nil {
		return out, err
	}
	size := len(out) - at - 2
	if size > math.MaxUint16 {
		return out, errRange
	}
	binary.BigEndian.PutUint16(out[at:], uint16(size))
	return out, nil
}

// number returns the type of data, 0 if it has none here.
func number(data gen.Data) uint16 {
	switch data.(type) {
	case gen.A:
		return typeA
	case gen.NS:
		return typeNS
	case gen.CNAME:
		return typeCNAME
	case gen.SOA:
		return typeSOA
	case gen.PTR:
		return typePTR
	case gen.MX:
		return typeMX
	case gen.TXT:
		return typeTXT
	case gen.AAAA:
		return typeAAAA
	case gen.SRV:
		return typeSRV
	case gen.OPT:
		return typeOPT
	}
	return 0
}

func appendData(out []byte, typ uint16, data gen.Data) ([]byte, error) {
	if number(data) != typ {
		return out, errData
	}
	switch x := data.(type) {
	case gen.A:
		if len(x) != 4 {
			return out, errRange
		}
		return append(out, x...), nil
	case gen.NS:
		return appendName(out, &x.Nsdname)
	case gen.CNAME:
		return appendName(out, &x.Cname)
	case gen.SOA:
		out, err := appendName(out, &x.Mname)
		if err == nil {
			out, err = appendName(out, &x.Rname)
		}
		out = binary.BigEndian.AppendUint32(out, x.Serial)
		out = binary.BigEndian.AppendUint32(out, x.Refresh)
		out = binary.BigEndian.AppendUint32(out, x.Retry)
		out = binary.BigEndian.AppendUint32(out, x.Expire)
		return binary.BigEndian.AppendUint32(out, x.Minimum), err
	case gen.PTR:
		return appendName(out, &x.Ptrdname)
	case gen.MX:
		return appendName(binary.BigEndian.AppendUint16(out, x.Preference), &x.Exchange)
	case gen.TXT:
		for _, s := range x {
			if len(s.Text) > math.MaxUint8 {
				return out, errRange
			}
			out = append(append(out, byte(len(s.Text))), s.Text...)
		}
	case gen.AAAA:
		if len(x) != 16 {
			return out, errRange
		}
		return append(out, x...), nil
	case gen.SRV:
		out = binary.BigEndian.AppendUint16(out, x.Priority)
		out = binary.BigEndian.AppendUint16(out, x.Weight)
		return appendName(binary.BigEndian.AppendUint16(out, x.Port), &x.Target)
	case gen.OPT:
		if len(x) > 0 {
			return out, suite.ErrUnsupported
		}
	}
	return out, nil
}
