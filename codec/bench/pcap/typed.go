// The types of octable's generated code, read and written by hand.

package pcap

import (
	"encoding/binary"
	"math"

	gen "github.com/octable/octable/codec/bench/run-go-generate/pcap"
	"github.com/octable/octable/codec/bench/suite"
)

// byteOrder returns the order of a file from its first four bytes.
func byteOrder(magic uint32) (binary.ByteOrder, error) {
	switch magic {
	case magicLittle, magicLittleNs:
		return binary.LittleEndian, nil
	case magicBig, magicBigNs:
		return binary.BigEndian, nil
	}
	return nil, errMagic
}

// readFile reads a file into x, whose slices are used again. Bytes share the memory of b.
func readFile(x *gen.File, b []byte) (int, error) {
	if len(b) < fileHeader {
		return 0, errShort
	}
	x.Magic = binary.LittleEndian.Uint32(b)
	order, err := byteOrder(x.Magic)
	if err != nil {
		return 0, err
	}
	if order.Uint16(b[4:]) != 2 || order.Uint16(b[6:]) != 4 {
		return 0, errMagic
	}
	x.Zone = int32(order.Uint32(b[8:]))
	x.Sigfigs = order.Uint32(b[12:])
	x.Snaplen = order.Uint32(b[16:])
	link := order.Uint32(b[20:])
	x.Linktype = uint16(link)
	x.Reserved2 = uint16(link >> 16 & 0x3ff)
	x.HasFcs = link>>26&1 != 0
	x.Reserved1 = link>>27&1 != 0
	x.FcsLength = uint8(link >> 28)
	x.Packets = x.Packets[:0]
	big := order == binary.BigEndian
	for rest := b[fileHeader:]; len(rest) > 0; {
		if len(rest) < packetHeader {
			return 0, errShort
		}
		if len(x.Packets) < cap(x.Packets) {
			x.Packets = x.Packets[:len(x.Packets)+1]
		} else {
			x.Packets = append(x.Packets, gen.Packet{})
		}
		p := &x.Packets[len(x.Packets)-1]
		if big {
			p.Seconds = binary.BigEndian.Uint32(rest)
			p.Fraction = binary.BigEndian.Uint32(rest[4:])
			p.Captured = binary.BigEndian.Uint32(rest[8:])
			p.Original = binary.BigEndian.Uint32(rest[12:])
		} else {
			p.Seconds = binary.LittleEndian.Uint32(rest)
			p.Fraction = binary.LittleEndian.Uint32(rest[4:])
			p.Captured = binary.LittleEndian.Uint32(rest[8:])
			p.Original = binary.LittleEndian.Uint32(rest[12:])
		}
		rest = rest[packetHeader:]
		if uint64(p.Captured) > uint64(len(rest)) {
			return 0, errShort
		}
		data := rest[:p.Captured:p.Captured]
		rest = rest[p.Captured:]
		switch {
		case p.Captured != p.Original || x.Linktype != linkEthernet && x.Linktype != linkIP:
			p.Frame = gen.Raw(data)
		case x.Linktype == linkIP:
			return 0, suite.ErrUnsupported
		default:
			if p.Frame, err = readEthernet(data); err != nil {
				return 0, err
			}
		}
	}
	return len(b), nil
}

func readEthernet(b []byte) (gen.Frame, error) {
	if len(b) < ethernetHeader {
		return nil, errShort
	}
	x := gen.Ethernet{Destination: b[:6:6], Source: b[6:12:12], Ethertype: binary.BigEndian.Uint16(b[12:])}
	if x.Ethertype != etherIPv4 {
		return nil, suite.ErrUnsupported
	}
	var ip gen.Ipv4
	n, err := readIPv4(&ip.Datagram, b[ethernetHeader:])
	if err != nil {
		return nil, err
	}
	x.Payload = ip
	x.Trailer = b[ethernetHeader+n:]
	return x, nil
}

func readIPv4(x *gen.Ipv4Record, b []byte) (int, error) {
	if len(b) < ipHeader {
		return 0, errShort
	}
	if b[0]>>4 != 4 {
		return 0, errValue
	}
	x.Dscp, x.Ecn = b[1]>>2, b[1]&3
	header, total := int(b[0]&15)*4, int(binary.BigEndian.Uint16(b[2:]))
	if header < ipHeader || total < header || total > len(b) {
		return 0, errShort
	}
	x.Identification = binary.BigEndian.Uint16(b[4:])
	fragment := binary.BigEndian.Uint16(b[6:])
	x.Reserved = fragment&0x8000 != 0
	x.DontFragment = fragment&0x4000 != 0
	x.MoreFragments = fragment&0x2000 != 0
	x.FragmentOffset = fragment & 0x1fff
	x.Ttl = b[8]
	x.Protocol = b[9]
	if checksum(b[:header]) != binary.BigEndian.Uint16(b[10:]) {
		return 0, errChecksum
	}
	x.Source = b[12:16:16]
	x.Destination = b[16:20:20]
	if header > ipHeader {
		return 0, suite.ErrUnsupported
	}
	var err error
	switch payload := b[header:total:total]; {
	case fragment&0x3fff != 0:
		x.Payload = gen.TransportOther(payload)
	case x.Protocol == protocolTCP:
		x.Payload, err = readTCP(payload)
	case x.Protocol == protocolUDP:
		x.Payload, err = readUDP(payload)
	default:
		return 0, suite.ErrUnsupported
	}
	return total, err
}

func readUDP(b []byte) (gen.Transport, error) {
	if len(b) < udpHeader {
		return nil, errShort
	}
	x := gen.Udp{SourcePort: binary.BigEndian.Uint16(b), DestinationPort: binary.BigEndian.Uint16(b[2:]), Checksum: binary.BigEndian.Uint16(b[6:])}
	n := int(binary.BigEndian.Uint16(b[4:]))
	if n < udpHeader || n > len(b) {
		return nil, errShort
	}
	if n < len(b) {
		return nil, errTrailing
	}
	if port := min(x.SourcePort, x.DestinationPort); port == portDNS || port == portNTP {
		return nil, suite.ErrUnsupported
	}
	x.Payload = gen.Data(b[udpHeader:])
	return x, nil
}

func readTCP(b []byte) (gen.Transport, error) {
	if len(b) < tcpHeader {
		return nil, errShort
	}
	flags := binary.BigEndian.Uint16(b[12:])
	header := int(flags>>12) * 4
	if header < tcpHeader || header > len(b) {
		return nil, errShort
	}
	x := gen.Tcp{
		SourcePort: binary.BigEndian.Uint16(b), DestinationPort: binary.BigEndian.Uint16(b[2:]),
		Sequence: binary.BigEndian.Uint32(b[4:]), Acknowledgment: binary.BigEndian.Uint32(b[8:]),
		Reserved: uint8(flags >> 9 & 7),
		Ae:       flags&0x100 != 0, Cwr: flags&0x80 != 0, Ece: flags&0x40 != 0, Urg: flags&0x20 != 0, Ack: flags&0x10 != 0,
		Psh: flags&8 != 0, Rst: flags&4 != 0, Syn: flags&2 != 0, Fin: flags&1 != 0,
		Window: binary.BigEndian.Uint16(b[14:]), Checksum: binary.BigEndian.Uint16(b[16:]), Urgent: binary.BigEndian.Uint16(b[18:]),
		Data: b[header:],
	}
	for o := b[tcpHeader:header]; len(o) > 0; {
		option, n, err := readOption(o)
		if err != nil {
			return nil, err
		}
		x.Options = append(x.Options, option)
		o = o[n:]
	}
	return x, nil
}

// readOption reads an option and returns its size.
func readOption(b []byte) (gen.TcpOption, int, error) {
	switch b[0] {
	case 0:
		return gen.TcpOptionEndOfOptions{}, 1, nil
	case 1:
		return gen.TcpOptionNoOperation{}, 1, nil
	}
	if len(b) < 2 {
		return nil, 0, errShort
	}
	n := int(b[1])
	if n < 2 || n > len(b) {
		return nil, 0, errShort
	}
	if size := optionSize(b[0]); size != 0 && n != size {
		return nil, 0, errValue
	}
	switch b[0] {
	case 2:
		return gen.Mss(binary.BigEndian.Uint16(b[2:])), n, nil
	case 3:
		return gen.WindowScale(b[2]), n, nil
	case 4:
		return gen.SackPermitted{}, n, nil
	case 8:
		return gen.Timestamps{Value: binary.BigEndian.Uint32(b[2:]), Echo: binary.BigEndian.Uint32(b[6:])}, n, nil
	}
	return nil, 0, suite.ErrUnsupported
}

// optionSize returns the size of an option, 0 for those that have no fixed one.
func optionSize(kind byte) int {
	switch kind {
	case 2:
		return 4
	case 3:
		return 3
	case 4:
		return 2
	case 8:
		return 10
	}
	return 0
}

// appendFile appends a file.
func appendFile(out []byte, x *gen.File) ([]byte, error) {
	order, err := byteOrder(x.Magic)
	if err != nil {
		return out, err
	}
	if x.Reserved2 > 0x3ff || x.FcsLength > 15 {
		return out, errRange
	}
	big := order == binary.BigEndian
	var b [fileHeader]byte
	binary.LittleEndian.PutUint32(b[:], x.Magic)
	order.PutUint16(b[4:], 2)
	order.PutUint16(b[6:], 4)
	order.PutUint32(b[8:], uint32(x.Zone))
	order.PutUint32(b[12:], x.Sigfigs)
	order.PutUint32(b[16:], x.Snaplen)
	order.PutUint32(b[20:], uint32(x.Linktype)|uint32(x.Reserved2)<<16|uint32(flag(x.HasFcs, 1))<<26|uint32(flag(x.Reserved1, 1))<<27|uint32(x.FcsLength)<<28)
	out = append(out, b[:]...)
	for i := range x.Packets {
		p := &x.Packets[i]
		if big {
			out = binary.BigEndian.AppendUint32(out, p.Seconds)
			out = binary.BigEndian.AppendUint32(out, p.Fraction)
			out = binary.BigEndian.AppendUint32(out, p.Captured)
			out = binary.BigEndian.AppendUint32(out, p.Original)
		} else {
			out = binary.LittleEndian.AppendUint32(out, p.Seconds)
			out = binary.LittleEndian.AppendUint32(out, p.Fraction)
			out = binary.LittleEndian.AppendUint32(out, p.Captured)
			out = binary.LittleEndian.AppendUint32(out, p.Original)
		}
		at := len(out)
		switch frame := p.Frame.(type) {
		case gen.Ethernet:
			if x.Linktype != linkEthernet || p.Captured != p.Original {
				return out, errType
			}
			if out, err = appendEthernet(out, &frame); err != nil {
				return out, err
			}
		case gen.Raw:
			if p.Captured == p.Original && (x.Linktype == linkEthernet || x.Linktype == linkIP) {
				return out, errType
			}
			out = append(out, frame...)
		default:
			return out, suite.ErrUnsupported
		}
		if len(out)-at != int(p.Captured) {
			return out, errRange
		}
	}
	return out, nil
}

func appendEthernet(out []byte, x *gen.Ethernet) ([]byte, error) {
	if len(x.Destination) != 6 || len(x.Source) != 6 {
		return out, errRange
	}
	out = append(out, x.Destination...)
	out = append(out, x.Source...)
	out = binary.BigEndian.AppendUint16(out, x.Ethertype)
	ip, ok := x.Payload.(gen.Ipv4)
	if !ok || x.Ethertype != etherIPv4 {
		return out, errType
	}
	out, err := appendIPv4(out, &ip.Datagram)
	return append(out, x.Trailer...), err
}

func appendIPv4(out []byte, x *gen.Ipv4Record) ([]byte, error) {
	if x.Dscp > 63 || x.Ecn > 3 || x.FragmentOffset > 0x1fff || len(x.Source) != 4 || len(x.Destination) != 4 {
		return out, errRange
	}
	if len(x.Options) > 0 {
		return out, suite.ErrUnsupported
	}
	at := len(out)
	out = append(out, 4<<4|ipHeader/4, x.Dscp<<2|x.Ecn, 0, 0)
	out = binary.BigEndian.AppendUint16(out, x.Identification)
	fragment := flag(x.Reserved, 0x8000) | flag(x.DontFragment, 0x4000) | flag(x.MoreFragments, 0x2000) | x.FragmentOffset
	out = binary.BigEndian.AppendUint16(out, fragment)
	out = append(out, x.Ttl, x.Protocol, 0, 0)
	out = append(out, x.Source...)
	out = append(out, x.Destination...)
	var err error
	whole := fragment&0x3fff == 0
	switch payload := x.Payload.(type) {
	case gen.Tcp:
		if x.Protocol != protocolTCP || !whole {
			return out, errType
		}
		out, err = appendTCP(out, &payload)
	case gen.Udp:
		if x.Protocol != protocolUDP || !whole {
			return out, errType
		}
		out, err = appendUDP(out, &payload)
	case gen.TransportOther:
		if whole {
			return out, suite.ErrUnsupported
		}
		out = append(out, payload...)
	default:
		return out, suite.ErrUnsupported
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

func appendUDP(out []byte, x *gen.Udp) ([]byte, error) {
	data, ok := x.Payload.(gen.Data)
	if port := min(x.SourcePort, x.DestinationPort); port == portDNS || port == portNTP || !ok {
		return out, suite.ErrUnsupported
	}
	if len(data) > math.MaxUint16-udpHeader {
		return out, errRange
	}
	out = binary.BigEndian.AppendUint16(out, x.SourcePort)
	out = binary.BigEndian.AppendUint16(out, x.DestinationPort)
	out = binary.BigEndian.AppendUint16(out, uint16(len(data)+udpHeader))
	out = binary.BigEndian.AppendUint16(out, x.Checksum)
	return append(out, data...), nil
}

func appendTCP(out []byte, x *gen.Tcp) ([]byte, error) {
	if x.Reserved > 7 {
		return out, errRange
	}
	at := len(out)
	out = binary.BigEndian.AppendUint16(out, x.SourcePort)
	out = binary.BigEndian.AppendUint16(out, x.DestinationPort)
	out = binary.BigEndian.AppendUint32(out, x.Sequence)
	out = binary.BigEndian.AppendUint32(out, x.Acknowledgment)
	out = binary.BigEndian.AppendUint16(out, uint16(x.Reserved)<<9|flag(x.Ae, 0x100)|flag(x.Cwr, 0x80)|flag(x.Ece, 0x40)|
		flag(x.Urg, 0x20)|flag(x.Ack, 0x10)|flag(x.Psh, 8)|flag(x.Rst, 4)|flag(x.Syn, 2)|flag(x.Fin, 1))
	out = binary.BigEndian.AppendUint16(out, x.Window)
	out = binary.BigEndian.AppendUint16(out, x.Checksum)
	out = binary.BigEndian.AppendUint16(out, x.Urgent)
	for _, o := range x.Options {
		switch o := o.(type) {
		case gen.TcpOptionEndOfOptions:
			out = append(out, 0)
		case gen.TcpOptionNoOperation:
			out = append(out, 1)
		case gen.Mss:
			out = append(out, 2, 4, byte(o>>8), byte(o))
		case gen.WindowScale:
			out = append(out, 3, 3, byte(o))
		case gen.SackPermitted:
			out = append(out, 4, 2)
		case gen.Timestamps:
			out = append(out, 8, 10)
			out = binary.BigEndian.AppendUint32(out, o.Value)
			out = binary.BigEndian.AppendUint32(out, o.Echo)
		default:
			return out, suite.ErrUnsupported
		}
	}
	header := len(out) - at
	if header%4 != 0 || header > 60 {
		return out, errRange
	}
	out[at+12] |= byte(header / 4 << 4)
	return append(out, x.Data...), nil
}
