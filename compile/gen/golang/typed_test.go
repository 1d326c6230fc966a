// Tests of the types of packages. That they read and write what they should is tested in
// conformance/generated and fuzz/languages.

package golang_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen/golang"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

var update = flag.Bool("update", false, "write the expected types anew")

// generate returns the files of a schema's package: the one of the schema is the first.
func generate(t *testing.T, s *schema.Schema) []model.File {
	t.Helper()
	files, err := golang.Generate(modeltest.New(t, s), model.Options{Package: "p"})
	if err != nil {
		t.Fatal(err)
	}
	return files
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

// declarations matches the types of a package, with their comments.
var declarations = regexp.MustCompile(`(?m)^((?://.*\n)*type (?:\w+ struct \{\n(?:.*\n)*?\}|\w+ .*)|const \(\n(?:.*\n)*?\))\n`)

// TestTypes compares the types of the formats of spec/formats with those in testdata.
func TestTypes(t *testing.T) {
	paths, err := filepath.Glob("../../../spec/formats/*.oct")
	if err != nil || len(paths) == 0 {
		t.Fatal("no formats", err)
	}
	for _, path := range paths {
		s, err := compile.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		for _, d := range declarations.FindAll(generate(t, s)[0].Text, -1) {
			if !bytes.Contains(d, []byte("\ntype Options ")) {
				got.Write(append(d, '\n'))
			}
		}
		golden := filepath.Join("testdata", strings.TrimSuffix(filepath.Base(path), ".oct")+".types")
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: other types than in %s; -update renews it\n%s", path, golden, got.Bytes())
		}
	}
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

// TestSize bounds the lines of a small package, without the runtime.
func TestSize(t *testing.T) {
	files := generate(t, resolve(t, samples))
	if len(files) != 2 {
		t.Fatalf("%d files; there should be one of the schema, and the runtime", len(files))
	}
	if n := bytes.Count(files[0].Text, []byte("\n")); n > 300 {
		t.Errorf("ten rows are %d lines of Go", n)
	}
}

// TestPlaces checks that generated code does not depend on comments and lines of the schema.
func TestPlaces(t *testing.T) {
	want := generate(t, resolve(t, samples))
	got := generate(t, resolve(t, "// A comment.\n\n"+strings.Replace(samples, "    repeat", "    // Another one.\n    repeat", 1)))
	for i, f := range want {
		if !bytes.Equal(f.Text, got[i].Text) {
			t.Errorf("%s depends on a comment:\n%s", f.Name, got[i].Text)
		}
	}
	described := generate(t, resolve(t, strings.Replace(samples, "unit of the value", "unit of measurement", 1)))
	if was := bytes.Replace(described[0].Text, []byte("// unit of measurement"), []byte("// unit of the value"), 1); !bytes.Equal(was, want[0].Text) {
		t.Errorf("another description changes more than a comment:\n%s", described[0].Text)
	}
}
