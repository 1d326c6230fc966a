package segment_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	. "github.com/octable/octable/interp/segment"
	"github.com/octable/octable/spec"
)

func load(t *testing.T, id string) (*schema.Schema, *interp.Machine) {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return s, compiled(t, s)
}

// compiled returns the machine of a schema.
func compiled(t *testing.T, s *schema.Schema) *interp.Machine {
	t.Helper()
	p, err := compile.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.NewUnfused(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// machineOf returns the machine of the text of a schema.
func machineOf(t *testing.T, source string) *interp.Machine {
	t.Helper()
	s, err := compile.Resolve("test.oct", []byte(source), nil)
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, s)
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

// example returns the bytes of an example of a schema.
func example(t *testing.T, s *schema.Schema, name string) []byte {
	t.Helper()
	for _, x := range examples(s) {
		if x.Name == name {
			return x.Bytes
		}
	}
	t.Fatalf("%s has no example %s", s.ID, name)
	return nil
}

// TestExamples: every byte of every example of every schema has one leaf. Leaves are shared in
// formats with places only.
func TestExamples(t *testing.T) {
	for _, id := range spec.All() {
		s, m := load(t, id)
		for _, x := range examples(s) {
			p := Read(m, x.Bytes, interp.Options{Open: 0xff})
			at := 0
			for _, x := range p.Spans() {
				if x.From != at || x.To <= at {
					t.Fatalf("%s: the leaf of bytes %d to %d follows byte %d", id, x.From, x.To, at)
				}
				at = x.To
			}
			if at != len(x.Bytes) {
				t.Errorf("%s: %d of %d bytes have a leaf", id, at, len(x.Bytes))
			}
			if x.Value != nil && x.Choice == nil && p.Err != nil {
				t.Errorf("%s: %v", id, p.Err)
			}
		}
	}
}

// TestWrongChecksum: reading continues after a wrong checksum. The leaf has the number of the packet.
func TestWrongChecksum(t *testing.T) {
	s, m := load(t, "png")
	b := example(t, s, "damaged")
	p := Read(m, b, interp.Options{})
	if len(p.Wrong) != 1 || p.Err != nil || p.Value.IsNone() {
		t.Fatalf("wrong checksums: %v, error %v", p.Wrong, p.Err)
	}
	w := p.Wrong[0]
	if w.Leaf.Number != 0x3a7e9b56 || w.Want != 0x3a7e9b55 || !errors.Is(w.Err, interp.ErrChecksum) || p.At(w.Leaf.Offset) != w.Leaf {
		t.Errorf("%#x, not %#x, at %d: %v", w.Leaf.Number, w.Want, w.Leaf.Offset, w.Err)
	}
	if n := p.At(len(b) - 1); n.Kind != Derived || !strings.Contains(n.Path, "chunks") && n.Path == "" {
		t.Errorf("the last byte is %v at %s", n.Kind, n.Path)
	}
}

// TestWrongNumber: reading continues after numbers that a reader compares with what a writer computes.
func TestWrongNumber(t *testing.T) {
	m := machineOf(t, `schema "redundant" {
    root T
}
type T {
    | 0 | 1 | u8 | double = 2 * n | "twice the number"
    | 1 | 1 | u8 | triple = 3 * n | "three times the number"
    | 2 | 1 | u8 | n              | "a number"
}`)
	p := Read(m, []byte{9, 15, 7}, interp.Options{})
	if len(p.Wrong) != 2 || p.Err != nil || p.Value.Uint() != 7 {
		t.Fatalf("wrong numbers %v, error %v, value %v", p.Wrong, p.Err, p.Value)
	}
	for i, want := range []Mismatch{{Want: 14}, {Want: 21}} {
		if w := p.Wrong[i]; w.Want != want.Want || w.Leaf != p.At(i) || w.Leaf.Number != uint64([]byte{9, 15}[i]) {
			t.Errorf("%d is wrong at byte %d, not %d: it should be %d, not %d", w.Leaf.Number, w.Leaf.Offset, i, want.Want, w.Want)
		}
	}
}

// TestDamaged: what was read before an error stays, and the rest is raw.
func TestDamaged(t *testing.T) {
	_, m := load(t, "godot-4.4")
	array := []byte{28, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 'a', '<', 0, 0, 99, 0, 0, 0}
	p := Read(m, array, interp.Options{})
	if p.Err == nil || p.Root == nil || p.Root.Done {
		t.Fatalf("error %v, root %+v", p.Err, p.Root)
	}
	var words []string
	for _, x := range p.Spans() {
		words = append(words, x.Leaf.Kind.String()+" "+x.Leaf.Name+x.Leaf.Path)
	}
	want := "derived header|derived word|derived header[0]|derived length[0]|field text[0]|padding text[0]|derived header[1]"
	if got := strings.Join(words, "|"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestCuts: every cut of the examples has one leaf for each byte.
func TestCuts(t *testing.T) {
	for _, id := range []string{"png", "opentype", "pck", "dns", "rsrc", "msgpack", "tar"} {
		s, m := load(t, id)
		for _, x := range examples(s) {
			for n := 0; n < len(x.Bytes); n += 1 + len(x.Bytes)/200 {
				at := 0
				for _, x := range Read(m, x.Bytes[:n], interp.Options{}).Spans() {
					if x.From != at {
						t.Fatalf("%s, %d bytes: byte %d has no leaf", id, n, at)
					}
					at = x.To
				}
				if at != n {
					t.Fatalf("%s: %d of %d bytes have a leaf", id, at, n)
				}
			}
		}
	}
}
