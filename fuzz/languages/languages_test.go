package languages_test

import (
	"errors"
	"flag"
	"path/filepath"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/conformance/generated"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/fuzz/languages"
)

var part = flag.Int("part", long.Number(48, 1), "compare one of `N` schemas of testdata and of formats")

// TestCases compares the schemas of testdata and of formats in every language. These are one of 48 by default, and all
// with OCTABLE_LONG=1.
func TestCases(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the build of every case's code; go test without it runs it")
	}
	var paths []string
	for _, pattern := range []string{"testdata/*.oct", "../../spec/formats/*.oct"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		paths = append(paths, found...)
	}
	var schemas []*schema.Schema
	var names []string
	n := max(*part, 1)
	for i := int((*seed + uint64(n) - 1) % uint64(n)); i < len(paths); i += n {
		path := paths[i]
		s, err := compile.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, choice := range s.Choices() {
			c, err := s.With(choice)
			if err != nil {
				t.Fatal(err)
			}
			schemas, names = append(schemas, c), append(names, filepath.Base(path)+" "+choice)
		}
	}
	for _, language := range languages.Names {
		t.Run(language, func(t *testing.T) {
			results, err := languages.Compare(language, t.TempDir(), schemas, languages.Options{Values: 5, Seed: 1})
			if missing := generated.Missing(""); errors.As(err, &missing) {
				t.Skip(missing)
			} else if err != nil {
				t.Errorf("%.4000s", err)
			}
			for i, err := range results {
				var unsupported *model.Unsupported
				if errors.As(err, &unsupported) {
					t.Logf("%s: %v", names[i], err)
				} else if err != nil {
					t.Errorf("%s: %.3000s", names[i], err)
				}
			}
		})
	}
}
