package codec_test

import (
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

// TestNilRecords checks that a nil pointer leaves out a record that the schema has under a condition. It also
// does so if a record of its type can be without values.
func TestNilRecords(t *testing.T) {
	c, err := compiler.New(`schema "nil-records" {
	root Packet
}

type Mark(wide) {
	if wide {
		| 0 | 1 | u8 | size |
	}
}

type Packet {
	| 0 | 1 | u8 | kind |
	if kind == 1 {
		| 1 | 2 | u16 | flags |
		| 3 | N | Mark(0) | mark |
	}
}
`)
	if err != nil {
		t.Fatal(err)
	}
	type mark struct {
		Size *uint8 `octable:"size"`
	}
	type packet struct {
		Kind  uint8   `octable:"kind"`
		Flags *uint16 `octable:"flags"`
		Mark  *mark   `octable:"mark"`
	}
	flags := uint16(2)
	for _, x := range []struct {
		packet packet
		bytes  string
	}{
		{packet{}, "\x00"},
		{packet{Kind: 1, Flags: &flags, Mark: &mark{}}, "\x01\x02\x00"},
		{packet{Mark: &mark{}}, ""},
		{packet{Kind: 1}, ""},
	} {
		for name, write := range map[string]func() ([]byte, error){
			"values": func() ([]byte, error) { return codec.AppendValue(c, nil, &x.packet) },
			"plan":   func() ([]byte, error) { return c.Marshal(&x.packet) },
		} {
			b, err := write()
			if (err != nil) != (x.bytes == "") || string(b) != x.bytes && err == nil {
				t.Errorf("%s: %+v: %q, %v, want %q", name, x.packet, b, err, x.bytes)
			}
		}
	}
}
