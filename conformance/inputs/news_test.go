package inputs

import (
	"bytes"
	"testing"

	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/dsl/schema/schematest"
	"github.com/octable/octable/interp"
)

// TestNews bounds the bytes that are kept for the changes of a packet of many records. Each change still makes
// the packet that it describes.
func TestNews(t *testing.T) {
	c, err := compiler.New(schematest.FilledBlock(`    | 0 | 4 | u32 | a | "a"
    | 4 | 4 | u32 | b | "b" check b <= 4`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(raw.Machine(c), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	in := s.Draw()
	if in.New == 0 || len(in.Packet) != 32768 {
		t.Fatalf("%d bytes are drawn, with %d new points", len(in.Packet), in.New)
	}
	const most = 1 << 21
	size := 0
	for i := range s.news[damages] {
		size += len(s.news[damages][i].with)
	}
	if n := len(s.news[damages]); n == 0 || size > most {
		t.Errorf("%d bytes are kept for %d damages, more than %d", size, n, most)
	}
	i := 0
	for c := range corrupt.New(s.m, interp.Options{KeepWidths: true}).Packets(in.Packet) {
		if deep(&c) {
			continue
		}
		if made := s.news[damages][i].input(); !bytes.Equal(made.Packet, c.Packet) || made.Packet == nil {
			t.Fatalf("damage %d, %s, is another packet", i, c.Kind)
		}
		i++
	}
}
