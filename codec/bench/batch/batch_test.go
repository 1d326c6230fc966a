package batch

import (
	"bytes"
	"slices"
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

// TestStructs checks that the code written by hand and a Mapper read the same structs and write the same bytes.
func TestStructs(t *testing.T) {
	for _, order := range Orders {
		b := Wire(order)
		decode, encode := (*Batch).DecodeLittle, (*Batch).AppendLittle
		if order == "big" {
			decode, encode = (*Batch).DecodeBig, (*Batch).AppendBig
		}
		var hand, ours Batch
		m := Codec(order).NewMapper()
		if err := decode(&hand, b); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := m.Unmarshal(b, &ours); err != nil || !slices.Equal(ours.Records, hand.Records) {
				t.Errorf("%s: the structs are different: %v", order, err)
			}
		}
		out, err := m.AppendMarshal(nil, &ours)
		if byHand, err2 := encode(&hand, nil); err != nil || err2 != nil || !bytes.Equal(out, b) || !bytes.Equal(byHand, b) {
			t.Errorf("%s: the bytes are different: %v, %v", order, err, err2)
		}
	}
}

// TestSame checks that the code written by hand and octable do the same job. They
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
