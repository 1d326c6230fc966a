// Cells, read and written by hand.

package pcap

import (
	"encoding/binary"
	"math"

	"github.com/octable/octable/codec/bench/suite"
	"github.com/octable/octable/codec/bench/value"
)

// The numbers of the types, which a test compares with those of the codec.
const (
	tagEthernet      = 256
	tagRaw           = 258
	tagIPv4          = 259
	tagTCP           = 296
	tagUDP           = 297
	tagTransport     = 298
	tagEnd           = 306
	tagNoOperation   = 307
	tagMSS           = 308
	tagWindowScale   = 309
	tagSackPermitted = 310
	tagTimestamps    = 312
	tagData          = 320
	tagFile          = 405
	tagPacket        = 406
	tagDatagram      = 407
)

func record(tag uint16, c []value.Value) value.Value { return value.MakeCells(value.Record, tag, c) }

func u32(x uint32) value.Value {
	return value.Value{U: uint64(x), Kind: value.Uint, Form: value.U32}
}

// count returns how many packets a file has.
func count(b []byte, order binary.ByteOrder) (n int, err error) {
	for ; len(b) > 0; n++ {
		if len(b) < packetHeader {
			return 0, errShort
		}
		size := order.Uint32(b[8:])
		if uint64(size) > uint64(len(b)-packetHeader) {
			return 0, errShort
		}
		b = b[packetHeader+int(size):]
	}
	return n, nil
}

func readValue(s *value.Slab, b []byte) (value.Value, int, error) {
	if len(b) < fileHeader {
		return value.Value{}, 0, errShort
	}
	magic := binary.LittleEndian.Uint32(b)
	order, err := byteOrder(magic)
	if err != nil {
		return value.Value{}, 0, err
	}
	if order.Uint16(b[4:]) != 2 || order.Uint16(b[6:]) != 4 {
		return value.Value{}, 0, errMagic
	}
	c := s.Take(10)
	link := order.Uint32(b[20:])
	c[0] = value.Bits(magic)
	c[1] = value.Value{U: uint64(int32(order.Uint32(b[8:]))), Kind: value.Int, Form: value.I32}
	c[2], c[3] = u32(order.Uint32(b[12:])), u32(order.Uint32(b[16:]))
	c[4], c[5] = value.Bits(uint16(link)), value.Bits(link>>16&0x3ff)
	c[6], c[7], c[8] = value.Flag(link, 26), value.Flag(link, 27), value.Bits(link>>28)
	rest := b[fileHeader:]
	n, err := count(rest, order)
	if err != nil {
		return value.Value{}, 0, err
	}
	packets := s.Take(n)
	big := order == binary.BigEndian
	for i := range packets {
		p := s.Take(5)
		var captured, original uint32
		if big {
			p[0], p[1] = value.Big32(rest), value.Big32(rest[4:])
			captured, original = binary.BigEndian.Uint32(rest[8:]), binary.BigEndian.Uint32(rest[12:])
		} else {
			p[0], p[1] = u32(binary.LittleEndian.Uint32(rest)), u32(binary.LittleEndian.Uint32(rest[4:]))
			captured, original = binary.LittleEndian.Uint32(rest[8:]), binary.LittleEndian.Uint32(rest[12:])
		}
		p[2], p[3] = value.Bits(captured), value.Bits(original)
		end := packetHeader + int(captured)
		data := rest[packetHeader:end:end]
		rest = rest[end:]
		switch {
		case captured != original || uint16(link) != linkEthernet && uint16(link) != linkIP:
			p[4] = value.BytesOf(tagRaw, data)
		case uint16(link) == linkIP:
			return value.Value{}, 0, suite.ErrUnsupported
		default:
			if err := readEthernetValue(s, &p[4], data); err != nil {
				return value.Value{}, 0, err
			}
		}
		packets[i] = record(tagPacket, p)
	}
	c[9] = value.MakeCells(value.List, 0, packets)
	return record(tagFile, c), len(b), nil
}

func readEthernetValue(s *value.Slab, to *value.Value, b []byte) error {
	if len(b) < ethernetHeader {
		return errShort
	}
	if binary.BigEndian.Uint16(b[12:]) != etherIPv4 {
		return suite.ErrUnsupported
	}
	c := s.Take(6)
	e, network := c[:5], c[5:]
	n, err := readIPv4Value(s, &network[0], b[ethernetHeader:])
	if err != nil {
		return err
	}
	e[0], e[1], e[2] = value.BytesOf(0, b[:6]), value.BytesOf(0, b[6:12]), value.Bits(uint16(etherIPv4))
	e[3] = record(tagIPv4, network)
	e[4] = value.BytesOf(0, b[ethernetHeader+n:])
	*to = record(tagEthernet, e)
	return nil
}

func readIPv4Value(s *value.Slab, to *value.Value, b []byte) (int, error) {
	if len(b) < ipHeader {
		return 0, errShort
	}
	if b[0]>>4 != 4 {
		return 0, errValue
	}
	header, total := int(b[0]&15)*4, int(binary.BigEndian.Uint16(b[2:]))
	if header < ipHeader || total < header || total > len(b) {
		return 0, errShort
	}
	fragment := binary.BigEndian.Uint16(b[6:])
	if checksum(b[:header]) != binary.BigEndian.Uint16(b[10:]) {
		return 0, errChecksum
	}
	if header > ipHeader {
		return 0, suite.ErrUnsupported
	}
	c := s.Take(13)
	c[0], c[1] = value.Bits(b[1]>>2), value.Bits(b[1]&3)
	c[2] = value.Big16(b[4:])
	c[3], c[4], c[5] = value.Flag(fragment, 15), value.Flag(fragment, 14), value.Flag(fragment, 13)
	c[6] = value.Bits(fragment & 0x1fff)
	c[7], c[8] = value.Byte(b[8]), value.Bits(b[9])
	c[9], c[10] = value.BytesOf(0, b[12:16]), value.BytesOf(0, b[16:20])
	c[11] = value.MakeCells(value.List, 0, nil)
	var err error
	switch payload := b[header:total]; {
	case fragment&0x3fff != 0:
		c[12] = value.BytesOf(tagTransport, payload)
	case b[9] == protocolTCP:
		err = readTCPValue(s, &c[12], payload)
	case b[9] == protocolUDP:
		err = readUDPValue(s, &c[12], payload)
	default:
		return 0, suite.ErrUnsupported
	}
	*to = record(tagDatagram, c)
	return total, err
}

func readUDPValue(s *value.Slab, to *value.Value, b []byte) error {
	if len(b) < udpHeader {
		return errShort
	}
	n := int(binary.BigEndian.Uint16(b[4:]))
	if n < udpHeader || n > len(b) {
		return errShort
	}
	if n < len(b) {
		return errTrailing
	}
	source, destination := binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[2:])
	if port := min(source, destination); port == portDNS || port == portNTP {
		return suite.ErrUnsupported
	}
	c := s.Take(4)
	c[0], c[1], c[2] = value.Bits(source), value.Bits(destination), value.Big16(b[6:])
	c[3] = value.BytesOf(tagData, b[udpHeader:])
	*to = record(tagUDP, c)
	return nil
}

func readTCPValue(s *value.Slab, to *value.Value, b []byte) error {
	if len(b) < tcpHeader {
		return errShort
	}
	flags := binary.BigEndian.Uint16(b[12:])
	header := int(flags>>12) * 4
	if header < tcpHeader || header > len(b) {
		return errShort
	}
	c := s.Take(19)
	c[0], c[1] = value.Big16(b), value.Big16(b[2:])
	c[2], c[3] = value.Big32(b[4:]), value.Big32(b[8:])
	c[4] = value.Bits(flags >> 9 & 7)
	for i := range c[5:14] {
		c[5+i] = value.Flag(flags, uint(8-i))
	}
	c[14], c[15], c[16] = value.Big16(b[14:]), value.Big16(b[16:]), value.Big16(b[18:])
	c[18] = value.BytesOf(0, b[header:])
	*to = record(tagTCP, c)
	return readOptionValues(s, &c[17], b[tcpHeader:header])
}

func readOptionValues(s *value.Slab, to *value.Value, b []byte) error {
	n := 0
	for at := 0; at < len(b); n++ {
		if b[at] <= 1 {
			at++
			continue
		}
		if at+2 > len(b) || b[at+1] < 2 || int(b[at+1]) > len(b)-at {
			return errShort
		}
		at += int(b[at+1])
	}
	c := s.Take(n)
	for i := range c {
		kind := b[0]
		if kind <= 1 {
			c[i] = value.MakeUnit(tagEnd + uint16(kind))
			b = b[1:]
			continue
		}
		n := int(b[1])
		if size := optionSize(kind); size != 0 && n != size {
			return errValue
		}
		switch kind {
		case 2:
			c[i] = value.Big16(b[2:])
			c[i].Tag = tagMSS
		case 3:
			c[i] = value.Byte(b[2])
			c[i].Tag = tagWindowScale
		case 4:
			c[i] = value.MakeUnit(tagSackPermitted)
		case 8:
			t := s.Take(2)
			t[0], t[1] = value.Big32(b[2:]), value.Big32(b[6:])
			c[i] = record(tagTimestamps, t)
		default:
			return suite.ErrUnsupported
		}
		b = b[n:]
	}
	*to = value.MakeCells(value.List, 0, c)
	return nil
}

func appendValue(out []byte, v *value.Value) ([]byte, error) {
	c, err := value.Fields(v, tagFile, 10)
	if err != nil {
		return out, err
	}
	if c[1].Kind != value.Int || int64(c[1].U) != int64(int32(c[1].U)) {
		return out, errRange
	}
	if value.Numbers(c[:1], math.MaxUint32) != nil || value.Numbers(c[2:4], math.MaxUint32) != nil || value.Numbers(c[4:5], math.MaxUint16) != nil ||
		value.Numbers(c[5:6], 0x3ff) != nil || value.Numbers(c[8:9], 15) != nil || c[9].Kind != value.List {
		return out, errRange
	}
	marks, err := value.Flags(c[6:8], 1)
	if err != nil {
		return out, err
	}
	order, err := byteOrder(uint32(c[0].U))
	if err != nil {
		return out, err
	}
	var b [fileHeader]byte
	binary.LittleEndian.PutUint32(b[:], uint32(c[0].U))
	order.PutUint16(b[4:], 2)
	order.PutUint16(b[6:], 4)
	order.PutUint32(b[8:], uint32(c[1].U))
	order.PutUint32(b[12:], uint32(c[2].U))
	order.PutUint32(b[16:], uint32(c[3].U))
	order.PutUint32(b[20:], uint32(c[4].U|c[5].U<<16|marks>>1<<26|marks&1<<27|c[8].U<<28))
	out = append(out, b[:]...)
	packets, link := c[9].Cells(), c[4].U
	big := order == binary.BigEndian
	for i := range packets {
		p, err := value.Fields(&packets[i], tagPacket, 5)
		if err != nil {
			return out, err
		}
		if err := value.Numbers(p[:4], math.MaxUint32); err != nil {
			return out, err
		}
		for j := range p[:4] {
			if big {
				out = binary.BigEndian.AppendUint32(out, uint32(p[j].U))
			} else {
				out = binary.LittleEndian.AppendUint32(out, uint32(p[j].U))
			}
		}
		at := len(out)
		switch {
		case p[2].U != p[3].U || link != linkEthernet && link != linkIP:
			data, err := value.Array(&p[4], tagRaw)
			if err != nil {
				return out, err
			}
			out = append(out, data...)
		case link == linkIP:
			return out, suite.ErrUnsupported
		default:
			if out, err = appendEthernetValue(out, &p[4]); err != nil {
				return out, err
			}
		}
		if uint64(len(out)-at) != p[2].U {
			return out, errRange
		}
	}
	return out, nil
}

// appendArray appends an array of n bytes.
func appendArray(out []byte, v *value.Value, n int) ([]byte, error) {
	b, err := value.Array(v, 0)
	if err == nil && len(b) != n {
		err = errRange
	}
	return append(out, b...), err
}

func appendEthernetValue(out []byte, v *value.Value) ([]byte, error) {
	e, err := value.Fields(v, tagEthernet, 5)
	if err != nil {
		return out, err
	}
	if out, err = appendArray(out, &e[0], 6); err != nil {
		return out, err
	}
	if out, err = appendArray(out, &e[1], 6); err != nil {
		return out, err
	}
	if err := value.Numbers(e[2:3], math.MaxUint16); err != nil {
		return out, err
	}
	if e[2].U != etherIPv4 {
		return out, suite.ErrUnsupported
	}
	out = binary.BigEndian.AppendUint16(out, uint16(e[2].U))
	network, err := value.Fields(&e[3], tagIPv4, 1)
	if err != nil {
		return out, err
	}
	if out, err = appendIPv4Value(out, &network[0]); err != nil {
		return out, err
	}
	trailer, err := value.Array(&e[4], 0)
	return append(out, trailer...), err
}

func appendIPv4Value(out []byte, v *value.Value) ([]byte, error) {
	c, err := value.Fields(v, tagDatagram, 13)
	if err != nil {
		return out, err
	}
	if value.Numbers(c[:1], 63) != nil || value.Numbers(c[1:2], 3) != nil || value.Numbers(c[2:3], math.MaxUint16) != nil ||
		value.Numbers(c[6:7], 0x1fff) != nil || value.Numbers(c[7:9], math.MaxUint8) != nil {
		return out, errRange
	}
	if c[11].Kind != value.List || c[11].N > 0 {
		return out, suite.ErrUnsupported
	}
	flags, err := value.Flags(c[3:6], 15)
	if err != nil {
		return out, err
	}
	at, fragment := len(out), uint16(flags|c[6].U)
	out = append(out, 4<<4|ipHeader/4, byte(c[0].U<<2|c[1].U), 0, 0)
	out = binary.BigEndian.AppendUint16(out, uint16(c[2].U))
	out = binary.BigEndian.AppendUint16(out, fragment)
	out = append(out, byte(c[7].U), byte(c[8].U), 0, 0)
	if out, err = appendArray(out, &c[9], 4); err != nil {
		return out, err
	}
	if out, err = appendArray(out, &c[10], 4); err != nil {
		return out, err
	}
	switch {
	case fragment&0x3fff != 0:
		var payload []byte
		payload, err = value.Array(&c[12], tagTransport)
		out = append(out, payload...)
	case c[8].U == protocolTCP:
		out, err = appendTCPValue(out, &c[12])
	case c[8].U == protocolUDP:
		out, err = appendUDPValue(out, &c[12])
	default:
		err = suite.ErrUnsupported
	}
	if err != nil {
		return out, err
	}
	total := len(out) - at
	if total > math.MaxUint16 {
		return out, errRange
	}
	binary.BigEndian.PutUint16(out[at+2:], uint16(total))
	binary.BigEndian.PutUint16(out[at+10:], checksum(out[at:at+ipHeader]))
	return out, nil
}

func appendUDPValue(out []byte, v *value.Value) ([]byte, error) {
	c, err := value.Fields(v, tagUDP, 4)
	if err != nil {
		return out, err
	}
	if err := value.Numbers(c[:3], math.MaxUint16); err != nil {
		return out, err
	}
	if port := min(c[0].U, c[1].U); port == portDNS || port == portNTP {
		return out, suite.ErrUnsupported
	}
	data, err := value.Array(&c[3], tagData)
	if err != nil {
		return out, err
	}
	if len(data) > math.MaxUint16-udpHeader {
		return out, errRange
	}
	out = binary.BigEndian.AppendUint16(out, uint16(c[0].U))
	out = binary.BigEndian.AppendUint16(out, uint16(c[1].U))
	out = binary.BigEndian.AppendUint16(out, uint16(len(data)+udpHeader))
	out = binary.BigEndian.AppendUint16(out, uint16(c[2].U))
	return append(out, data...), nil
}

func appendTCPValue(out []byte, v *value.Value) ([]byte, error) {
	c, err := value.Fields(v, tagTCP, 19)
	if err != nil {
		return out, err
	}
	if value.Numbers(c[:2], math.MaxUint16) != nil || value.Numbers(c[2:4], math.MaxUint32) != nil || value.Numbers(c[4:5], 7) != nil ||
		value.Numbers(c[14:17], math.MaxUint16) != nil || c[17].Kind != value.List {
		return out, errRange
	}
	flags, err := value.Flags(c[5:14], 8)
	if err != nil {
		return out, err
	}
	at := len(out)
	out = binary.BigEndian.AppendUint16(out, uint16(c[0].U))
	out = binary.BigEndian.AppendUint16(out, uint16(c[1].U))
	out = binary.BigEndian.AppendUint32(out, uint32(c[2].U))
	out = binary.BigEndian.AppendUint32(out, uint32(c[3].U))
	out = binary.BigEndian.AppendUint16(out, uint16(c[4].U<<9|flags))
	for i := range c[14:17] {
		out = binary.BigEndian.AppendUint16(out, uint16(c[14+i].U))
	}
	options := c[17].Cells()
	for i := range options {
		if out, err = appendOptionValue(out, &options[i]); err != nil {
			return out, err
		}
	}
	header := len(out) - at
	if header%4 != 0 || header > 60 {
		return out, errRange
	}
	out[at+12] |= byte(header / 4 << 4)
	data, err := value.Array(&c[18], 0)
	return append(out, data...), err
}

func appendOptionValue(out []byte, v *value.Value) ([]byte, error) {
	switch {
	case v.Kind == value.Unit && v.Tag == tagEnd:
		return append(out, 0), nil
	case v.Kind == value.Unit && v.Tag == tagNoOperation:
		return append(out, 1), nil
	case v.Kind == value.Unit && v.Tag == tagSackPermitted:
		return append(out, 4, 2), nil
	case v.Kind == value.Uint && v.Tag == tagMSS && v.U <= math.MaxUint16:
		return append(out, 2, 4, byte(v.U>>8), byte(v.U)), nil
	case v.Kind == value.Uint && v.Tag == tagWindowScale && v.U <= math.MaxUint8:
		return append(out, 3, 3, byte(v.U)), nil
	}
	t, err := value.Fields(v, tagTimestamps, 2)
	if err != nil {
		return out, suite.ErrUnsupported
	}
	if err := value.Numbers(t, math.MaxUint32); err != nil {
		return out, err
	}
	out = append(out, 8, 10)
	out = binary.BigEndian.AppendUint32(out, uint32(t[0].U))
	return binary.BigEndian.AppendUint32(out, uint32(t[1].U)), nil
}
