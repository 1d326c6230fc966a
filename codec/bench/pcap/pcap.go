// Package pcap is a workload of capture files: 10,000 packets of Ethernet and IPv4 with UDP or TCP. It has the
// file, and code written by hand that reads and writes the same cells as octable's interpreter and the types of
// octable's generated code. The code written by hand knows the protocols of the file.
package pcap

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
	gen "github.com/octable/octable/codec/bench/run-go-generate/pcap"
	"github.com/octable/octable/codec/bench/suite"
)

// Packets is the number of packets of the workload.
const Packets = 10_000

var (
	errShort    = errors.New("pcap: the input ends inside a packet")
	errMagic    = errors.New("pcap: the magic number or the version is another")
	errValue    = errors.New("pcap: a field has a value that the format does not have")
	errChecksum = errors.New("pcap: the checksum of the IPv4 header is wrong")
	errTrailing = errors.New("pcap: a part is longer than its fields")
	errRange    = errors.New("pcap: a number does not fit its field")
	errType     = errors.New("pcap: a payload is of another protocol than its header says")
)

const (
	magicLittle    = 0xa1b2c3d4
	magicLittleNs  = 0xa1b23c4d
	magicBig       = 0xd4c3b2a1
	magicBigNs     = 0x4d3cb2a1
	linkEthernet   = 1
	linkIP         = 101
	etherIPv4      = 0x0800
	protocolTCP    = 6
	protocolUDP    = 17
	portDNS        = 53
	portNTP        = 123
	fileHeader     = 24
	packetHeader   = 16
	ethernetHeader = 14
	ipHeader       = 20
	tcpHeader      = 20
	udpHeader      = 8
)

var format = suite.Format{Workload: "pcap", Codec: Codec, Wire: func() [][]byte { return [][]byte{Wire(Packets)} }}

// few has the first packets of the same file, to check the code with.
var few = suite.Format{Workload: "pcap", Codec: Codec, Wire: func() [][]byte { return [][]byte{Wire(6)} }}

// Codec returns the codec of capture files.
func Codec() *codec.Codec { return suite.Spec("pcap") }

// Values is the code that fills cells.
func Values(f suite.Format) *suite.Values {
	return &suite.Values{Format: f, Read: readValue, Write: appendValue}
}

// Typed is the code for the types that octable generates.
func Typed(f suite.Format) *suite.Typed[gen.File] {
	return &suite.Typed[gen.File]{
		Format:  f,
		Decoder: func() suite.Decode[gen.File] { return (&gen.Decoder{Options: gen.Options{Alias: true}}).DecodeInto },
		Read:    gen.Options{Alias: true}.DecodeInto, HandRead: readFile,
		Write: gen.Append, HandWrite: appendFile,
		Interfaces: interfaces,
	}
}

// Register adds the cases.
func Register(ours string) {
	Values(format).Register(ours)
	Typed(format).Register(ours)
	registerLibrary()
}

// Wire returns the bytes of a file of n packets.
func Wire(n int) []byte {
	r := rand.New(rand.NewPCG(2026, 13))
	f := gen.File{Magic: magicLittle, Snaplen: 0xffff, Linktype: linkEthernet}
	bytes := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	for i := range n {
		ip := gen.Ipv4Record{Identification: uint16(i), DontFragment: true, Ttl: 64, Source: []byte{192, 0, 2, byte(r.Uint32())}, Destination: []byte{198, 51, 100, byte(r.Uint32())}}
		size := ethernetHeader + ipHeader
		if i%2 == 0 {
			t := gen.Tcp{SourcePort: 443, DestinationPort: uint16(32768 + r.IntN(1<<14)), Sequence: r.Uint32(), Acknowledgment: r.Uint32(), Ack: true, Psh: i%4 == 0, Window: 501, Checksum: uint16(r.Uint32()),
				Options: []gen.TcpOption{gen.TcpOptionNoOperation{}, gen.TcpOptionNoOperation{}, gen.Timestamps{Value: r.Uint32(), Echo: r.Uint32()}}, Data: bytes(r.IntN(400))}
			options := 12
			if i%16 == 0 {
				t.Syn, t.Psh, t.Data = true, false, nil
				options = 20
				t.Options = []gen.TcpOption{gen.Mss(1460), gen.SackPermitted{}, gen.Timestamps{Value: r.Uint32()}, gen.TcpOptionNoOperation{}, gen.WindowScale(7)}
			}
			ip.Protocol, ip.Payload = protocolTCP, t
			size += tcpHeader + options + len(t.Data)
		} else {
			data := gen.Data(bytes(16 + r.IntN(200)))
			ip.Protocol, ip.Payload = protocolUDP, gen.Udp{SourcePort: uint16(32768 + r.IntN(1<<14)), DestinationPort: 4789, Checksum: uint16(r.Uint32()), Payload: data}
			size += udpHeader + len(data)
		}
		e := gen.Ethernet{Destination: bytes(6), Source: bytes(6), Ethertype: etherIPv4, Payload: gen.Ipv4{Datagram: ip}}
		if size < 60 {
			e.Trailer = make([]byte, 60-size)
			size = 60
		}
		f.Packets = append(f.Packets, gen.Packet{Seconds: 1_700_000_000 + uint32(i/1000), Fraction: uint32(i%1000) * 1000, Captured: uint32(size), Original: uint32(size), Frame: e})
	}
	b, err := appendFile(nil, &f)
	cases.Must(err)
	return b
}

// checksum returns the Internet checksum of an IPv4 header, with 0 in place of the one in it.
func checksum(b []byte) uint16 {
	var x uint32
	for i := 0; i+2 <= len(b); i += 2 {
		if i != 10 {
			x += uint32(binary.BigEndian.Uint16(b[i:]))
		}
	}
	for x>>16 != 0 {
		x = x>>16 + x&0xffff
	}
	return ^uint16(x)
}

// flag returns a bit if b is true.
func flag(b bool, bit uint16) uint16 {
	if b {
		return bit
	}
	return 0
}
