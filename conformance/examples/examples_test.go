package examples

import (
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/spec"
)

// Every example of every schema holds, under every choice.
func TestSchemas(t *testing.T) {
	for _, id := range spec.IDs() {
		s, err := compile.Load(id)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		if s.Root == nil {
			continue // a library: it describes no bytes
		}
		for _, choice := range s.Choices() {
			t.Run(id+" "+choice, func(t *testing.T) {
				results, err := Run(s, choice)
				if err != nil {
					t.Fatal(err)
				}
				own, taken, superseded := 0, 0, 0
				for _, r := range results {
					switch {
					case r.Superseded != "":
						superseded++
					case r.From != "":
						taken++
					default:
						own++
					}
					if !r.OK() {
						t.Error(r.Diagnostic(s).Error())
					}
				}
				if own == 0 {
					t.Error("the schema has no example of its own")
				}
				t.Logf("%d examples of its own, %d taken over, %d superseded", own, taken, superseded)
			})
		}
	}
}
