// Tests of the table of languages: everything is generated for every schema, and
// checked-in output is what the generators write.

package gen_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
)

var update = flag.Bool("update", false, "write the checked-in output anew")

// bench is the package that the benchmarks measure; it is in their module.
const bench = "../../codec/bench/generated/variant"

// generate writes a model in a language.
func generate(t testing.TB, l gen.Language, m *model.Model, o model.Options) []model.File {
	t.Helper()
	files, err := l.Generate(m, o)
	if err != nil {
		t.Fatalf("%s of %s: %v", l.Name, m.Schema, err)
	}
	return files
}

// TestStale holds checked-in output against the generators and the schemas.
func TestStale(t *testing.T) {
	for _, c := range []struct{ language, id, dir, structs string }{
		{"go", "godot-4.4", bench, "state.go"},
		{"ts", "godot-4.4", "testdata", ""},
		{"python", "godot-4.4", "testdata", ""},
	} {
		o := model.Options{Tag: "godot"}
		if c.structs != "" {
			text, err := os.ReadFile(filepath.Join(c.dir, c.structs))
			if err != nil {
				t.Fatal(err)
			}
			o.Structs = &model.File{Name: c.structs, Text: text}
		}
		l, err := gen.Named(c.language)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range generate(t, l, modeltest.Of(t, c.id), o) {
			name := filepath.Join(c.dir, f.Name)
			if *update {
				if err := os.WriteFile(name, f.Text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if have, err := os.ReadFile(name); err != nil || !bytes.Equal(have, f.Text) {
				t.Errorf("%s is stale (%v); write it anew with go test ./compile/gen -update", name, err)
			}
		}
	}
}

// TestHeaders checks that every embedded schema can be written in every language, and
// that each file says what it was made from, so that another schema makes it stale.
func TestHeaders(t *testing.T) {
	modeltest.All(t, "../..", func(id string, m *model.Model, _ *bytecode.Program) {
		for _, l := range gen.Languages {
			hash := false
			for _, f := range generate(t, l, m, model.Options{}) {
				if !bytes.Contains(f.Text[:min(len(f.Text), 200)], []byte(gen.Mark)) {
					t.Errorf("%s of %s: %s does not begin as generated files do", l.Name, id, f.Name)
				}
				hash = hash || bytes.Contains(f.Text, []byte(m.Hash))
			}
			if !hash {
				t.Errorf("%s of %s: the schema's hash is nowhere", l.Name, id)
			}
		}
	})
}

func TestNamed(t *testing.T) {
	_, err := gen.Named("rust")
	if err == nil || !strings.Contains(err.Error(), `"rust"; there are go, ts, python`) {
		t.Errorf("an unknown language: %v", err)
	}
}
