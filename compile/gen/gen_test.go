// Tests of the table of languages: everything is generated for every schema, and
// checked-in output is what the generators write.

package gen_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
)

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
	for _, c := range []struct{ language, id, dir string }{
		{"ts", "godot-4.4", "testdata/ts"},
		{"python", "godot-4.4", "testdata/python"},
	} {
		l, err := gen.Named(c.language)
		if err != nil {
			t.Fatal(err)
		}
		s, err := compile.Load(c.id)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range generate(t, l, modeltest.New(t, s), model.Options{Tag: "octable"}) {
			golden.File(t, filepath.Join(c.dir, f.Name), f.Text)
		}
	}
}

// TestHeaders checks that every schema can be written in every language, and that each file names its source. Another
// schema thus makes the file stale. Without OCTABLE_LONG=1 it tries one schema of eight.
func TestHeaders(t *testing.T) {
	n := 0
	modeltest.All(t, "../..", func(id string, m *model.Model, _ *bytecode.Program) {
		if n++; n%long.Number(8, 1) != 0 {
			return
		}
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

// resolve returns the schema of a text.
func resolve(t *testing.T, text string) *schema.Schema {
	t.Helper()
	f, err := dsl.Parse("samples.oct", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// samples is a schema of ten rows.
const samples = `schema "samples" {
    order big
    root  Batch
}

type Batch {
    | 0 | 2 | u16 | count = count(samples) | "number of samples"
    repeat count as samples {
        | P    | 4 | u32          | time               | "seconds since the start"
        | P+4  | 2 | u16          | sensor_id          | "number of the sensor"
        | P+6  | 1 | u8           | unit               | "unit of the value"
        | P+7  | 1 | u8           | flags              | "flags"
        | P+8  | 2 | i16          | level              | "level of the signal"
        | P+10 | 4 | f32          | value              | "the reading"
        | P+14 | 2 | u16          | quality            | "of the reading"
        | P+16 | 2 | u16          | length = len(name) | "bytes of the name"
        | P+18 | N | utf8[length] | name               | "name of the sensor"
    }
}
`

// TestSize bounds the lines of a small schema's code, without the runtime.
func TestSize(t *testing.T) {
	m := modeltest.New(t, resolve(t, samples))
	for language, most := range map[string]int{"go": 300, "ts": 200, "python": 200} {
		l, err := gen.Named(language)
		if err != nil {
			t.Fatal(err)
		}
		files := generate(t, l, m, model.Options{})
		if len(files) != 2 {
			t.Fatalf("%s: %d files; there should be one of the schema, and the runtime", language, len(files))
		}
		if n := bytes.Count(files[0].Text, []byte("\n")); n > most {
			t.Errorf("ten rows are %d lines of %s", n, language)
		}
	}
}

// TestPlaces checks that generated code does not depend on comments and lines of the schema.
func TestPlaces(t *testing.T) {
	for _, l := range gen.Languages {
		of := func(text string) []model.File {
			return generate(t, l, modeltest.New(t, resolve(t, text)), model.Options{})
		}
		want := of(samples)
		got := of("// A comment.\n\n" + strings.Replace(samples, "    repeat", "    // Another one.\n    repeat", 1))
		for i, f := range want {
			if !bytes.Equal(f.Text, got[i].Text) {
				t.Errorf("%s depends on a comment:\n%s", f.Name, got[i].Text)
			}
		}
		described := of(strings.Replace(samples, "unit of the value", "unit of measurement", 1))
		for i, f := range want {
			if was := bytes.ReplaceAll(described[i].Text, []byte("unit of measurement"), []byte("unit of the value")); !bytes.Equal(was, f.Text) {
				t.Errorf("another description changes more than a comment:\n%s", described[i].Text)
			}
		}
	}
}

// TestNamesInTexts reports functions of the TypeScript runtime whose names are words of its texts. Pruning takes such
// a word for a use, so that a compiler rejects the function that nothing calls.
func TestNamesInTexts(t *testing.T) {
	paths, err := filepath.Glob("typescript/runtime/*.ts.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	var texts strings.Builder
	names := map[string]bool{}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^(?:export )?function (\w+)`).FindAllSubmatch(b, -1) {
			names[string(m[1])] = true
		}
		for _, text := range regexp.MustCompile("`[^`\n]*`").FindAll(b, -1) {
			texts.Write(regexp.MustCompile(`\$\{[^}]*\}`).ReplaceAll(text, []byte(" ")))
		}
	}
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(texts.String(), -1) {
		if names[word] {
			t.Errorf("the function %s has the name of a word in a text", word)
			names[word] = false
		}
	}
}

// TestOwnComments checks the comments in the code of a schema. They do not mention maps, widths and floats that the
// schema does not have, and have the descriptions of the rows of tuples.
func TestOwnComments(t *testing.T) {
	const plain = `schema "plain" { root Point }
/// A point.
type Point {
    | 0 | 2 | i16 | x | "from the left"
    | 2 | 2 | i16 | y | "from the top"
}`
	s, err := compile.Resolve("plain.oct", []byte(plain), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := modeltest.New(t, s)
	for _, l := range gen.Languages {
		var all strings.Builder
		for _, f := range generate(t, l, m, model.Options{}) {
			all.Write(f.Text)
		}
		for _, word := range []string{"of a map", "several widths", "NaN"} {
			if strings.Contains(all.String(), word) {
				t.Errorf("%s: the code speaks of %q", l.Name, word)
			}
		}
		for _, row := range []string{"from the left", "from the top"} {
			if !strings.Contains(all.String(), row) {
				t.Errorf("%s: the code does not say %q", l.Name, row)
			}
		}
	}
}
