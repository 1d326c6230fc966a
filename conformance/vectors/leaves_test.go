package vectors_test

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/asm"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/interp/segment"
)

// TestTexts: the text of every case is assembled to its bytes.
func TestTexts(t *testing.T) {
	for _, spec := range long.Part(4, suites.Specs()) {
		s, err := suites.Load(spec)
		if err != nil {
			t.Fatal(err)
		}
		n, err := notation.New(raw.Program(codec.MustLoad(spec)))
		if err != nil {
			t.Fatal(err)
		}
		a := asm.New(n)
		forms := map[asm.Form]int{}
		for i := range s.Cases {
			k := &s.Cases[i]
			b, err := hex.DecodeString(k.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			text, form := a.Disassemble(b, asm.Options{Brief: true})
			forms[form]++
			if got, err := a.Assemble(text); err != nil || !bytes.Equal(got, b) {
				t.Errorf("%s: %s: %x becomes %x, %v:\n%s", spec, k.ID, b, got, err, text)
			}
		}
		if forms[asm.Brief] < len(s.Cases)/4 {
			t.Errorf("%s: of %d texts only %d are brief", spec, len(s.Cases), forms[asm.Brief])
		}
	}
}

// TestLeaves: every byte of every case belongs to one leaf. The rows of an accepted case explain
// all bytes that a reader uses, and no byte twice.
func TestLeaves(t *testing.T) {
	for _, spec := range long.Part(4, suites.Specs()) {
		s, err := suites.Load(spec)
		if err != nil {
			t.Fatal(err)
		}
		c := codec.MustLoad(spec)
		kinds := map[segment.Kind]int{}
		for i := range s.Cases {
			k := &s.Cases[i]
			b, err := hex.DecodeString(k.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			p := segment.Read(raw.Machine(c), b, interp.Options{Open: 0xff})
			at := 0
			for _, x := range p.Spans() {
				if x.From != at || x.To <= x.From || p.At(x.From) != x.Leaf || p.At(x.To-1) != x.Leaf {
					t.Fatalf("%s: %s: the leaf of bytes %d to %d follows byte %d", spec, k.ID, x.From, x.To, at)
				}
				at = x.To
				kinds[x.Leaf.Kind]++
			}
			if at != len(b) {
				t.Fatalf("%s: %s: %d of %d bytes have a leaf", spec, k.ID, at, len(b))
			}
			if p.Err != nil {
				continue
			}
			owned := 0
			for n := range p.Leaves() {
				if n.Shared {
					t.Errorf("%s: %s: bytes %d to %d have two leaves", spec, k.ID, n.Offset, n.End())
				}
				if n.Rule == nil && n.Offset < p.Used {
					t.Errorf("%s: %s: no row explains bytes %d to %d", spec, k.ID, n.Offset, n.End())
				}
				owned += n.Len
			}
			if owned != len(b) {
				t.Errorf("%s: %s: leaves have %d bytes of %d", spec, k.ID, owned, len(b))
			}
		}
		t.Log(spec, kinds)
	}
}
