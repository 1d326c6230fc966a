package batch

import (
	"bytes"
	"testing"
	"unsafe"

	"github.com/octable/octable/codec/bench/value"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

// number gives records the numbers of their types, which a codec chooses.
func number(to, from *value.Value) {
	to.Tag = from.Tag
	if from.Kind != value.List && from.Kind != value.Record || to.Kind != from.Kind || to.N != from.N {
		return
	}
	for i := range from.Cells() {
		number(&to.Cells()[i], &from.Cells()[i])
	}
}

// TestSame checks that the code written by hand and octable do the same job: they
// read the same cells and write the same bytes.
func TestSame(t *testing.T) {
	want := Value()
	for _, order := range Orders {
		b := Wire(order)
		m := raw.Machine(Codec(order))
		v, used, err := m.Decode(b, interp.Options{})
		if err != nil || used != len(b) {
			t.Fatalf("%s: %d of %d bytes read: %v", order, used, len(b), err)
		}
		decode := (*Decoder).Little
		if order == "big" {
			decode = (*Decoder).Big
		}
		hand, err := decode(new(Decoder), b)
		ours := (*value.Value)(unsafe.Pointer(&v))
		number(&hand, ours)
		if err != nil || !value.Same(ours, &hand) {
			t.Errorf("%s: the cells are different: %v", order, err)
		}
		out, err := m.Append(nil, *(*interp.Value)(unsafe.Pointer(&want)), interp.Options{})
		if err != nil || !bytes.Equal(out, b) {
			t.Errorf("%s: the bytes are different: %v", order, err)
		}
		for n := range b[:200] {
			_, err := decode(new(Decoder), b[:n])
			_, _, err2 := m.Decode(b[:n], interp.Options{})
			if err == nil || err2 == nil {
				t.Errorf("%s: %d bytes: %v and %v", order, n, err, err2)
			}
		}
	}
}
