package pcap

import (
	"bytes"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// TestSame checks that all code reads and writes the same.
func TestSame(t *testing.T) {
	Values(few).Check(t, 400)
	Typed(few).Check(t, 400)
}

// TestWhole checks the whole file, in the library too.
func TestWhole(t *testing.T) {
	Values(format).Check(t, 0)
	Typed(format).Check(t, 0)
	l, n := newLibrary(), 0
	err := l.each(Wire(Packets), func(info gopacket.CaptureInfo) {
		n++
		if len(l.decoded) < 3 || info.CaptureLength < 60 || l.ethernet.EthernetType != layers.EthernetTypeIPv4 {
			t.Fatalf("packet %d: the library reads %v", n, l.decoded)
		}
	})
	if err != nil || n != Packets {
		t.Errorf("the library reads %d packets: %v", n, err)
	}
	packets, err := packetsOf(Wire(Packets))
	if err != nil {
		t.Fatal(err)
	}
	out, err := appendPackets(nil, packets, gopacket.NewSerializeBuffer())
	if err != nil || !bytes.Equal(out, Wire(Packets)) {
		t.Errorf("the library writes %d other bytes: %v", len(out), err)
	}
}
