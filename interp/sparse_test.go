package interp_test

import (
	"bytes"
	"testing"

	"github.com/octable/octable/interp"
)

// TestElement reads elements of lists that were skipped. Those of other lists are in the list.
func TestElement(t *testing.T) {
	m := shape(t, "scalars", "little")
	b := append([]byte{2}, bytes.Repeat([]byte("fixed size"), 10)[:92]...)
	r := m.NewReader(interp.Options{})
	whole, _, err := r.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	if _, skipped, ok := r.Element(b, whole, 1); skipped || !ok {
		t.Errorf("a list with its elements: skipped %v, ok %v", skipped, ok)
	}
	if e, ok := r.OwnElement(b, whole, 1, false); ok {
		t.Errorf("a list with its elements: %+v", e)
	}
	v, _, err := r.ReadSparse(b)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if e, skipped, ok := r.Element(b, v, i); !skipped || !ok || !interp.Identical(e, whole.At(i), true) {
			t.Errorf("element %d: %+v, skipped %v, ok %v", i, e, skipped, ok)
		}
	}
}

// TestElementOfElement: a list in an element of a skipped list is skipped, too.
func TestElementOfElement(t *testing.T) {
	m := machineOf(t, `schema "nested" { root T }
type T { | 0 | R | Outer[until end] | list | }
type Outer {
    | 0 | 4 | Inner[2] | inner |
    | 4 | 1 | u8       | k     |
}
type Inner {
    | 0 | 1 | u8 | a |
    | 1 | 1 | i8 | b |
}`)
	b := []byte("one..two..")
	r := m.NewReader(interp.Options{})
	v, _, err := r.ReadSparse(b)
	if err != nil {
		t.Fatal(err)
	}
	list := v
	if v.Kind() == interp.Record {
		list = v.At(0)
	}
	outer, skipped, ok := r.Element(b, list, 1)
	if !skipped || !ok {
		t.Fatalf("the list: skipped %v, ok %v", skipped, ok)
	}
	inner, skipped, ok := r.Element(b, outer.At(0), 1)
	if !skipped || !ok || inner.At(0).Uint() != 'o' || inner.At(1).Int() != '.' {
		t.Errorf("the list in element 1: %+v, skipped %v, ok %v", inner, skipped, ok)
	}
}

// TestSparseMemory: skipping the elements of a list takes no more memory than reading them.
func TestSparseMemory(t *testing.T) {
	m := machineOf(t, `schema "sparse" { root T }
type T {
    | 0  | 30 | u8[30]          | head |
    | 30 | N  | Pair[until end] | list |
}
type Pair {
    | 0 | 1 | u8  | x |
    | 1 | 2 | u16 | y |
}`)
	b := make([]byte, 33)
	for memory := 1; ; memory++ {
		opt := interp.Options{MaxMemory: memory}
		_, _, err := m.NewReader(opt).Read(b)
		if _, _, sparse := m.NewReader(opt).ReadSparse(b); err == nil && sparse != nil {
			t.Errorf("with %d bytes: %v", memory, sparse)
		}
		if err == nil {
			return
		}
	}
}
