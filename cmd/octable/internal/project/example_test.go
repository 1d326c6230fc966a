package project

import (
	"bytes"
	"testing"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen"
	"github.com/octable/octable/compile/gen/model"
)

// TestExample: the example of a README is not the longest packet if that repeats a byte, and the packets stay unchanged.
func TestExample(t *testing.T) {
	s, err := compile.Load("framing")
	if err != nil {
		t.Fatal(err)
	}
	p, err := compile.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(s, p)
	if err != nil {
		t.Fatal(err)
	}
	c, err := raw.Codec(p)
	if err != nil {
		t.Fatal(err)
	}
	l, err := gen.Named("go")
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Language: l, Schema: s, Model: m, Codec: c}
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
