package interp_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/octable/octable/interp"
)

// TestTextLengths: texts of each length are written as they are read, alone and as elements, if all of their bytes differ
// from those beside them.
func TestTextLengths(t *testing.T) {
	m, err := interp.New(programOf(t, "../spec/formats/msgpack.oct"), nil)
	if err != nil {
		t.Fatal(err)
	}
	text := func(n int) []byte {
		head := []byte{0xa0 | byte(n)}
		switch {
		case n > 255:
			head = binary.BigEndian.AppendUint16([]byte{0xda}, uint16(n))
		case n > 31:
			head = []byte{0xd9, byte(n)}
		}
		for i := range n {
			head = append(head, 'A'+byte(i%57))
		}
		return head
	}
	for n := range 300 {
		for _, b := range [][]byte{text(n), append([]byte{0x93}, bytes.Repeat(text(n), 3)...), append(append([]byte{0x82}, bytes.Repeat(text(n), 2)...), append(text(n+1), text(n)...)...)} {
			v, _, err := m.Decode(b, interp.Options{})
			if err != nil {
				t.Fatalf("%q: %v", b, err)
			}
			if got, err := m.Append(nil, v, interp.Options{}); err != nil || !bytes.Equal(got, b) {
				t.Errorf("%q is written as %q, %v", b, got, err)
			}
		}
	}
}
