package schema

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema/schematest"
)

// TestFixes checks that a hint which names another word for one at its place has it as a replacement, and that each
// replacement is of the text at the place.
func TestFixes(t *testing.T) {
	fixes := 0
	for _, pattern := range []string{"testdata/errors", "../testdata/errors"} {
		for _, text := range schematest.Texts(t, filepath.FromSlash(pattern)) {
			text = strings.TrimPrefix(text, "\ufeff")
			f, err := dsl.Parse("x.oct", []byte(text))
			if err == nil {
				_, err = Resolve(f, nil)
			}
			list, _ := err.(dsl.Diagnostics)
			for _, d := range list {
				switch {
				case d.Fix != nil:
					fixes++
					if !strings.HasPrefix(string([]byte(text)[min(d.Pos.Offset, len(text)):]), d.Fix.Old) {
						t.Errorf("%v: the text is not %q", d, d.Fix.Old)
					}
				case strings.HasPrefix(d.Hint, "did you mean "):
					t.Errorf("%v: there is no replacement", d)
				}
			}
		}
	}
	if fixes < 80 {
		t.Errorf("%d replacements", fixes)
	}
}
