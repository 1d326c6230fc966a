// Tests of the types of Go packages. That they read and write what they should is tested in
// conformance/generated and fuzz/languages.

package gen_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/dsl/golden"
)

// declarations matches the exported types of a package, with their comments.
var declarations = regexp.MustCompile(`(?m)^((?://.*\n)*type (?:[A-Z]\w* struct \{\n(?:.*\n)*?\}|[A-Z]\w* .*)|const \(\n(?:.*\n)*?\))\n`)

// TestGoTypes compares the Go types of the formats of spec/formats with those in testdata.
func TestGoTypes(t *testing.T) {
	paths, err := filepath.Glob("../../spec/formats/*.oct")
	if err != nil || len(paths) == 0 {
		t.Fatal("no formats", err)
	}
	l, err := gen.Named("go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range golden.Part(6, paths) {
		s, err := compile.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		for _, d := range declarations.FindAll(generate(t, l, modeltest.New(t, s), model.Options{Package: "p"})[0].Text, -1) {
			if !bytes.Contains(d, []byte("\ntype Options ")) {
				got.Write(append(d, '\n'))
			}
		}
		golden.File(t, filepath.Join("golang/testdata", strings.TrimSuffix(filepath.Base(path), ".oct")+".types"), got.Bytes())
	}
}

// TestGoFileNames checks the names of the files of packages with special names. A name ends as that of a file that go build
// leaves out, or is that of the other file.
func TestGoFileNames(t *testing.T) {
	l, err := gen.Named("go")
	if err != nil {
		t.Fatal(err)
	}
	s, err := compile.Load("ntp")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"ntp": "ntp.go", "on_linux": "onlinux.go", "ntp_test": "ntptest.go", "runtime": "format.go"} {
		files := generate(t, l, modeltest.New(t, s), model.Options{Package: name})
		if len(files) != 2 || files[0].Name != want || files[1].Name != "runtime.go" {
			t.Errorf("package %s has the files %s and %s", name, files[0].Name, files[1].Name)
		}
	}
	m := modeltest.New(t, s)
	m.Schema = "map" // a keyword of Go
	if files := generate(t, l, m, model.Options{}); !bytes.Contains(files[0].Text, []byte("\npackage mapformat\n")) {
		t.Errorf("the package of the schema map is\n%.300s", files[0].Text)
	}
}
