// The library that a program would take.

package pcap

import (
	"bytes"
	"io"
	"slices"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/octable/octable/codec/bench/cases"
)

// library reads every packet of a file into layers that are used again. That is the fastest way of the library.
type library struct {
	ethernet layers.Ethernet
	ip       layers.IPv4
	tcp      layers.TCP
	udp      layers.UDP
	payload  gopacket.Payload
	decoded  []gopacket.LayerType
	parser   *gopacket.DecodingLayerParser
}

func newLibrary() *library {
	l := new(library)
	l.parser = gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet, &l.ethernet, &l.ip, &l.tcp, &l.udp, &l.payload)
	l.parser.IgnoreUnsupported = true
	return l
}

// each calls f for every packet of a file.
func (l *library) each(b []byte, f func(info gopacket.CaptureInfo)) error {
	r, err := pcapgo.NewReader(bytes.NewReader(b))
	if err != nil {
		return err
	}
	for {
		data, info, err := r.ZeroCopyReadPacketData()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := l.parser.DecodeLayers(data, &l.decoded); err != nil {
			return err
		}
		f(info)
	}
}

// packet is a packet as the library writes it.
type packet struct {
	info   gopacket.CaptureInfo
	layers []gopacket.SerializableLayer
}

// packetsOf reads all packets of a file.
func packetsOf(b []byte) (packets []packet, err error) {
	r, err := pcapgo.NewReader(bytes.NewReader(b))
	l := newLibrary()
	for err == nil {
		var data []byte
		var info gopacket.CaptureInfo
		if data, info, err = r.ReadPacketData(); err != nil {
			break
		}
		if err = l.parser.DecodeLayers(data, &l.decoded); err != nil {
			break
		}
		p := packet{info: info, layers: []gopacket.SerializableLayer{new(l.ethernet), new(l.ip)}}
		if l.ip.Protocol == layers.IPProtocolTCP {
			tcp := l.tcp
			tcp.Options = slices.Clone(tcp.Options) // they are in the layer that is used again
			p.layers = append(p.layers, &tcp, gopacket.Payload(tcp.Payload))
		} else {
			p.layers = append(p.layers, new(l.udp), gopacket.Payload(l.udp.Payload))
		}
		packets = append(packets, p)
	}
	if err == io.EOF {
		err = nil
	}
	return packets, err
}

// appendPackets writes a file by the library, which computes lengths and keeps checksums.
func appendPackets(dst []byte, packets []packet, memory gopacket.SerializeBuffer) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	w := pcapgo.NewWriter(out)
	if err := w.WriteFileHeader(0xffff, layers.LinkTypeEthernet); err != nil {
		return nil, err
	}
	for i := range packets {
		p := &packets[i]
		if err := gopacket.SerializeLayers(memory, gopacket.SerializeOptions{FixLengths: true}, p.layers...); err != nil {
			return nil, err
		}
		if err := w.WritePacket(p.info, memory.Bytes()); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func registerLibrary() {
	format.Decode(cases.DecodeTyped, "gopacket", func() func(b []byte) error {
		l := newLibrary()
		return func(b []byte) error { return l.each(b, func(gopacket.CaptureInfo) {}) }
	})
	format.Encode(cases.EncodeTyped, "gopacket", func() func(dst []byte, i int) ([]byte, error) {
		packets, err := packetsOf(Wire(Packets))
		cases.Must(err)
		memory := gopacket.NewSerializeBuffer()
		return func(dst []byte, i int) ([]byte, error) { return appendPackets(dst, packets, memory) }
	})
}
