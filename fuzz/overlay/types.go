// Checking the types of changed packages.

package overlay

import (
	"bytes"
	"errors"
	"fmt"
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
)

// Check checks the types of the packages with all changes in them. It returns the errors of changes by their
// numbers, and an error for anything else.
func (p *Planted) Check() (map[int]error, error) {
	if p.Functions > 4096 {
		return nil, fmt.Errorf("%d functions have changes; make active.At longer", p.Functions)
	}
	folders := map[string]bool{}
	for name := range p.Files {
		folders[path.Dir(name)] = true
	}
	sorted := slices.Sorted(maps.Keys(folders))
	export, err := exports(p.root, sorted)
	if err != nil {
		return nil, err
	}
	bad := map[int]error{}
	var errs []error
	for _, folder := range sorted {
		names, err := List(p.root, `{{join .GoFiles " "}}`, "./"+folder)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		var parsed []*ast.File
		for _, name := range append(names, switchFile) {
			var text any
			if s, ok := p.Files[path.Join(folder, name)]; ok {
				text = s
			}
			f, err := parser.ParseFile(set, filepath.Join(p.root, folder, name), text, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			parsed = append(parsed, f)
		}
		config := types.Config{
			Importer: importer.ForCompiler(set, "gc", func(name string) (io.ReadCloser, error) {
				data, err := os.ReadFile(export[name])
				return io.NopCloser(bytes.NewReader(data)), err
			}),
			Error: func(err error) {
				if i := p.editOf(folder, set, err); i >= 0 {
					bad[i] = err
				} else {
					errs = append(errs, err)
				}
			},
		}
		_, _ = config.Check(folder, set, parsed, nil)
	}
	return bad, errors.Join(errs...)
}

// editOf returns the edit in whose copy an error of types is, or -1.
func (p *Planted) editOf(folder string, set *token.FileSet, err error) int {
	var e types.Error
	if errors.As(err, &e) {
		at := set.Position(e.Pos)
		for _, s := range p.spans[path.Join(folder, filepath.Base(at.Filename))] {
			if s.from <= at.Offset && at.Offset < s.to {
				return s.edit
			}
		}
	}
	return -1
}

// exports returns the files with the export data of the packages that folders import.
func exports(root string, folders []string) (map[string]string, error) {
	args := []string{"-export", "-deps", "./fuzz/overlay/active"}
	for _, f := range folders {
		args = append(args, "./"+f)
	}
	words, err := List(root, "{{.ImportPath}} {{.Export}}", args...)
	out := map[string]string{}
	for i := 0; i+1 < len(words); i++ {
		if filepath.IsAbs(words[i+1]) {
			out[words[i]] = words[i+1]
		}
	}
	return out, err
}

// List returns the words that go list prints.
func List(root, format string, args ...string) ([]string, error) {
	cmd := exec.Command("go", append([]string{"list", "-f", format}, args...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	return strings.Fields(string(out)), err
}
