package view

import (
	"context"
	"encoding/hex"
	"testing"

	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl/long"
)

// Each byte of each vector belongs to exactly one leaf, whose node has it, and windows have all leaves.
func TestLeaves(t *testing.T) {
	cases := 0
	for _, spec := range long.Part(4, suites.Specs()) {
		suite, err := suites.Load(spec)
		if err != nil {
			t.Fatal(err)
		}
		f, err := newFormat(spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		suite.All(func(c *vectors.Case) bool {
			b, err := hex.DecodeString(c.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			cases++
			tr, err := newTree(context.Background(), f, b, Options{Objects: c.Objects})
			if err != nil {
				t.Fatal(err)
			}
			at := int32(0)
			for _, l := range tr.leaves {
				if n := &tr.nodes[l.node]; l.from != at || l.to <= l.from || n.kind == Value || n.kind == List || n.kind == Cell || l.from < n.from || l.to > n.to {
					t.Fatalf("%s, %s: leaf %v of %s %d to %d after byte %d", spec, c.ID, l, n.kind, n.from, n.to, at)
				}
				at = l.to
			}
			if int(at) != len(b) {
				t.Fatalf("%s, %s: leaves end at byte %d of %d", spec, c.ID, at, len(b))
			}
			return true
		})
	}
	if cases < long.Number(250, 1000) {
		t.Errorf("only %d vectors have been read", cases)
	}
}
