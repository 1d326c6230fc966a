package interp_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/octable/octable/interp"
)

// TestTextLengths checks that texts of each length are written as they are read, alone and as elements. All of their
// bytes differ from those beside them.
func TestTextLengths(t *testing.T) {
	m, err := interp.New(programOf(t, "../spec/formats/msgpack.oct"), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := m.NewReader(interp.Options{})
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
			if !r.ByPlan(b) {
				t.Errorf("%q is not read by the plan", b)
			}
			if got, err := m.Append(nil, v, interp.Options{}); err != nil || !bytes.Equal(got, b) {
				t.Errorf("%q is written as %q, %v", b, got, err)
			}
		}
	}
}

// TestLongestText: a plan writes texts up to the longest one that their word counts, with the zero byte behind them.
func TestLongestText(t *testing.T) {
	m := machineOf(t, `schema "longest" { root T }
encoding counted {
    utf8 strict
    nul  counted
}
type T {
    | 0 | 1 | u8         | n = len(s) |
    | 1 | N | counted[n] | s          |
}`)
	w := m.NewWriter(interp.Options{})
	for n := range 300 {
		v := interp.MakeText(0, strings.Repeat("a", n))
		b, err := w.Append(nil, v)
		if fits := n < 255; (err == nil) != fits || w.ByPlan(v) != fits || fits && len(b) != n+2 {
			t.Errorf("%d bytes: %d are written, by a plan %v, %v", n, len(b), w.ByPlan(v), err)
		}
	}
}
