package codec_test

import (
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/godot"
)

// TestBytes: only arrays of bytes have bytes.
func TestBytes(t *testing.T) {
	c, err := compiler.New("schema \"s\" {\n\torder little\n\troot S\n}\n\ntype S {\n\t| 0 | 1 | u8 | number | \"n\"\n\t| 1 | 2 | u8[2] | bytes | \"n\"\n\t| 3 | 2 | i8[2] | signed | \"n\"\n\t| 5 | 1 | ascii[1] | text | \"n\"\n}")
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := c.Decode([]byte("\x01\x02\x03\x04\x05a"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"number": "", "bytes": "\x02\x03", "signed": "", "text": ""} {
		if got := v.Field(name).Bytes(); string(got) != want || (got == nil) != (want == "") {
			t.Errorf("the bytes of %s are %q, want %q", name, got, want)
		}
	}
	for _, test := range []struct {
		v    codec.Value
		want uint64
		ok   bool
	}{{v.Field("number"), 1, true}, {v.Field("signed").Index(0), 4, true}, {godot.NewRID(1 << 63), 1 << 63, true}, {godot.NewInt(5), 0, false}, {v.Field("text"), 0, false}} {
		if got, ok := test.v.AsUint(); ok != test.ok || ok && got != test.want {
			t.Errorf("%v is the number %d, %v", test.v, got, ok)
		}
	}
	if got := v.Field("text").Ints(); got != nil {
		t.Errorf("a text has the numbers %v", got)
	}
	if got := (codec.Value{}).Bytes(); got != nil {
		t.Errorf("the zero Value has bytes %q", got)
	}
}
