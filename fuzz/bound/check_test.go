package bound_test

import (
	"slices"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/fuzz/bound"
	"github.com/octable/octable/spec"
)

// TestCheck checks the schemas of the project, each under every choice.
func TestCheck(t *testing.T) {
	for _, id := range spec.IDs() {
		t.Run(id, func(t *testing.T) {
			var files []*dsl.File
			load := func(id string) (*dsl.File, error) {
				name, text, _ := spec.Source(id)
				f, err := dsl.Parse(name, text)
				if err == nil {
					files = slices.Insert(files, 0, f)
				}
				return f, err
			}
			f, err := load(id)
			if err != nil {
				t.Fatal(err)
			}
			s, err := schema.Resolve(f, load)
			if err != nil {
				t.Fatal(err)
			}
			for _, choice := range s.Choices() {
				with, err := s.With(choice)
				if err != nil {
					t.Fatal(err)
				}
				if err := bound.Check(files, with); err != nil {
					t.Errorf("%s: %v", choice, err)
				}
			}
		})
	}
}
