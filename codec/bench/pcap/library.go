// The library that a program would take.

package pcap

import (
	"bytes"
	"io"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/octable/octable/codec/bench/cases"
)

// library reads every packet of a file into layers that are used again, which is the fastest way of the library.
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

func registerLibrary() {
	format.Decode(cases.DecodeTyped, "gopacket", func() func(b []byte) error {
		l := newLibrary()
		return func(b []byte) error { return l.each(b, func(gopacket.CaptureInfo) {}) }
	})
}
