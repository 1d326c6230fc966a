package bulk

import (
	"bytes"
	"slices"
	"testing"

	"github.com/octable/octable/codec/bench/work"
)

func TestVectors(t *testing.T) {
	want, b := work.Vectors(work.Small), work.Wire("vec3-64K")
	v, err := Vectors(b)
	if err != nil || !slices.Equal(v, want) {
		t.Error("the view is another array", err)
	}
	v, err = VectorsLoop(make([]work.Vector3, len(want)), b)
	if err != nil || !slices.Equal(v, want) {
		t.Error("the loop reads another array", err)
	}
	if !bytes.Equal(AppendVectors(nil, want), b) || !bytes.Equal(AppendVectorsLoop(nil, want), b) {
		t.Error("other bytes are written")
	}
	small := AppendVectors(nil, want[:3])
	for n := range small {
		if _, err := Vectors(small[:n]); err == nil {
			t.Error("the view accepts", n, "bytes")
		}
		if _, err := VectorsLoop(make([]work.Vector3, 3), small[:n]); err == nil {
			t.Error("the loop accepts", n, "bytes")
		}
	}
}

func TestBytes(t *testing.T) {
	for n := range 9 {
		p := work.Bytes(64)[:n]
		b := AppendBytes(nil, p)
		if !bytes.Equal(b, work.Append(nil, p)) {
			t.Errorf("other bytes are written for %d", n)
		}
		if got, err := Bytes(b); err != nil || !bytes.Equal(got, p) {
			t.Errorf("%d bytes are read as %d: %v", n, len(got), err)
		}
		for m := range 8 + n {
			if _, err := Bytes(b[:m]); err == nil {
				t.Errorf("%d of %d bytes are accepted", m, len(b))
			}
		}
	}
}
