package asm_test

import (
	"bytes"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	. "github.com/octable/octable/interp/asm"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/spec"
)

func load(t testing.TB, id string) (*schema.Schema, *Assembler) {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	p, err := compile.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.NewUnfused(p, func(i int, _ *bytecode.Type) uint16 { return uint16(i + 1) })
	if err != nil {
		t.Fatal(err)
	}
	return s, New(notation.Of(m))
}

// examples returns the examples of packets of a schema.
func examples(s *schema.Schema) (out []*schema.Example) {
	for _, b := range s.Bodies() {
		if b.Type == s.Root.Name {
			out = append(out, b.Examples...)
		}
	}
	return out
}

// TestExamples: the text of every example, whole and cut, gives its bytes back. The text of a
// canonical one is not exact.
func TestExamples(t *testing.T) {
	for _, id := range spec.All() {
		s, a := load(t, id)
		for _, x := range examples(s) {
			for n := len(x.Bytes); n >= 0; n -= 1 + len(x.Bytes)/50 {
				for _, brief := range []bool{false, true} {
					text, form := a.Disassemble(x.Bytes[:n], Options{Brief: brief})
					got, err := a.Assemble(text)
					if err != nil || !bytes.Equal(got, x.Bytes[:n]) {
						t.Fatalf("%s: %x becomes %x, %v:\n%s", id, x.Bytes[:n], got, err, text)
					}
					want := Full
					if brief {
						want = Brief
					}
					if n == len(x.Bytes) && x.Value != nil && x.Again == nil && x.Choice == nil && form != want {
						t.Errorf("%s: the text of a canonical packet has form %d:\n%s", id, form, text)
					}
				}
			}
		}
	}
}
