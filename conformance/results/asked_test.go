package results

import (
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
)

// TestAsked checks that a case at must or should is asked of a real engine in some direction. An engine
// has to run its version. Only values to be written are left out, if an engine cannot hold them.
func TestAsked(t *testing.T) {
	for i := range All {
		impl := &All[i]
		if impl.Kind != Engine {
			continue
		}
		f, err := ReadFile(impl.Name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if f.Stale() {
			t.Skipf("the vectors have changed since %s was run", impl.Name)
		}
		s, err := suites.Load(impl.Spec)
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string]bool{}
		for _, names := range f.Passed {
			for _, name := range names {
				_, id, _ := strings.Cut(name, " ")
				asked[id] = true
			}
		}
		for _, r := range f.Other {
			asked[r.ID] = true
		}
		for c := range s.All {
			alone := c.Bytes == "" && c.Value != nil // a value that an engine does not hold
			if slices.Contains(c.Flags, "size-huge") {
				continue // octable conform -large asks them, in minutes; Godot 4.6.3 passes all
			}
			if c.Level != vectors.May && !asked[c.ID] && !alone {
				t.Errorf("%s was never asked %s, which is a %s", impl.Name, c.ID, c.Level)
			}
		}
	}
}
