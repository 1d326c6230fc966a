package examples

import (
	"path/filepath"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/spec"
)

// Every example of every schema holds, under every choice.
func TestSchemas(t *testing.T) {
	files, err := filepath.Glob("../../spec/formats/*.oct")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, id := range append(spec.IDs(), files...) {
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
				own, inherited := 0, 0
				for _, r := range results {
					switch {
					case r.From != "":
						inherited++
					default:
						own++
					}
					if !r.OK() {
						t.Error(r.Diagnostic(s).Error())
					}
				}
				if own+inherited == 0 {
					t.Error("the schema has no example")
				}
				t.Logf("%d own examples, %d inherited", own, inherited)
			})
		}
	}
}
