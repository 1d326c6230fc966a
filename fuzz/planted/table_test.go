package main

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/fuzz/planted/active"
)

// TestTable holds: names are unique, rows are complete, every old text occurs once and in
// one function, and the packages with all mistakes in them have no error of types.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for _, m := range All() {
		if names[m.Name] || m.Effect == "" || m.Old == m.New {
			t.Errorf("%s: the name is used twice, or the row is incomplete", m.Name)
		}
		names[m.Name] = true
	}
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	planted, err := newSchemata(root, All())
	if err != nil {
		t.Fatal(err)
	}
	if planted.functions > len(active.At) {
		t.Fatalf("%d functions have mistakes; make active.At longer", planted.functions)
	}
	files := planted.files
	export := exports(t, root)
	folders := map[string]bool{}
	for name := range files {
		folders[path.Dir(name)] = true
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		set := token.NewFileSet()
		names := list(t, root, `{{join .GoFiles " "}}`, "./"+folder)
		var parsed []*ast.File
		for _, name := range append(names, "planted_switch.go") {
			var source any
			if text, ok := files[path.Join(folder, name)]; ok {
				source = text
			}
			f, err := parser.ParseFile(set, filepath.Join(root, folder, name), source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, f)
		}
		config := types.Config{
			Importer: importer.ForCompiler(set, "gc", func(name string) (io.ReadCloser, error) {
				data, err := os.ReadFile(export[name])
				return io.NopCloser(bytes.NewReader(data)), err
			}),
			Error: func(err error) { t.Error(err) },
		}
		_, _ = config.Check(folder, set, parsed, nil)
	}
}

// exports returns the files with the export data of packages.
func exports(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	words := list(t, root, "{{.ImportPath}} {{.Export}}", "-export", "-deps", "./dsl/...", "./compile", "./interp", "./fuzz/planted/active")
	for i := 0; i+1 < len(words); i++ {
		if filepath.IsAbs(words[i+1]) {
			out[words[i]] = words[i+1]
		}
	}
	return out
}

// list returns the words that go list prints.
func list(t *testing.T, root, format string, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-f", format}, args...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}
