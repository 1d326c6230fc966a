package project

import (
	"bytes"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile/gen"
	"github.com/octable/octable/compile/gen/model/modeltest"
)

// TestExample checks that the example of a README is not the longest packet if that repeats a byte. The packets stay
// unchanged.
func TestExample(t *testing.T) {
	l, err := gen.Named("go")
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Language: l, Model: modeltest.Of(t, "framing"), Codec: codec.MustLoad("framing")}
	repeated, plain := append([]byte{200, 0, 0, 0}, make([]byte, 200)...), []byte{6, 0, 0, 0, 1, 2, 3, 4, 5, 6}
	before := bytes.Clone(repeated)
	e, err := in.longestOf([][]byte{repeated, plain})
	if err != nil || e.Used != len(plain) {
		t.Errorf("the example is %v, %v", e, err)
	}
	if !bytes.Equal(repeated, before) {
		t.Error("a packet is changed")
	}
}
