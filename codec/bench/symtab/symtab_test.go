package symtab

import (
	"bytes"
	"slices"
	"testing"
)

// TestSame checks that the code written by hand and a Mapper read the same structs and write the same bytes.
func TestSame(t *testing.T) {
	want := Make()
	b, err := want.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	var hand, ours Table
	m := Mapper()
	if err := hand.Decode(b); err != nil || !slices.Equal(hand.Symbols, want.Symbols) {
		t.Errorf("by hand the symbols are different: %v", err)
	}
	for range 2 {
		if err := m.Unmarshal(b, &ours); err != nil || !slices.Equal(ours.Symbols, want.Symbols) {
			t.Errorf("the symbols are different: %v", err)
		}
	}
	if out, err := m.AppendMarshal(nil, &ours); err != nil || !bytes.Equal(out, b) {
		t.Errorf("the bytes are different: %v", err)
	}
	if m.Unmarshal(b[:len(b)-1], &ours) == nil || hand.Decode(b[:len(b)-1]) == nil {
		t.Error("a part of a symbol is accepted")
	}
	want.Symbols[7].Visibility = 4
	if _, err := m.AppendMarshal(nil, want); err == nil {
		t.Error("a number of three bits is accepted")
	}
	if _, err := want.Append(nil); err == nil {
		t.Error("by hand, a number of three bits is accepted")
	}
}

// TestGenerated checks cells and generated types against the code written by hand.
func TestGenerated(t *testing.T) {
	values(symbols).Check(t, 0)
	typed(symbols).Check(t, 0)
	values(4).Check(t, 4*symbolSize)
	typed(4).Check(t, 4*symbolSize)
}
