package pcap

import (
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
}
