package main

import (
	"bytes"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// TestTable holds: every name is unique, every old text occurs once, and every patched
// package has no error of types.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	var wait sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	checker := newChecker(t)
	for _, m := range All() {
		if names[m.Name] || m.Effect == "" || m.Old == m.New {
			t.Errorf("%s: the name is used twice, or the row is incomplete", m.Name)
		}
		names[m.Name] = true
		free <- true
		wait.Go(func() {
			defer func() { <-free }()
			if err := checker.check(&m); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
		})
	}
	wait.Wait()
}

// checker checks the types of packages of which one file is replaced.
type checker struct {
	root   string
	set    *token.FileSet
	export map[string]string // files with the export data of packages

	mu    sync.Mutex
	files map[string]map[string]*ast.File // parsed, by folder and name
}

func newChecker(t *testing.T) *checker {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./dsl/...", "./compile", "./interp")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{root: root, set: token.NewFileSet(), export: map[string]string{}, files: map[string]map[string]*ast.File{}}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		c.export[name] = file
	}
	return c
}

// folder returns the parsed files of a package, those for this machine only.
func (c *checker) folder(dir string) (map[string]*ast.File, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if files := c.files[dir]; files != nil {
		return files, nil
	}
	cmd := exec.Command("go", "list", "-f", `{{join .GoFiles " "}}`, "./"+dir)
	cmd.Dir = c.root
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	files := map[string]*ast.File{}
	for _, name := range strings.Fields(string(out)) {
		if files[name], err = parser.ParseFile(c.set, filepath.Join(c.root, dir, name), nil, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
	}
	c.files[dir] = files
	return files, nil
}

func (c *checker) check(m *Mistake) error {
	text, err := os.ReadFile(filepath.Join(c.root, m.File))
	if err != nil {
		return err
	}
	patched, err := m.Patch(string(text))
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(c.set, m.File, patched, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	all, err := c.folder(path.Dir(m.File))
	if err != nil {
		return err
	}
	if all[path.Base(m.File)] == nil {
		return errors.New("the file is not part of its package")
	}
	files := []*ast.File{parsed}
	for name, f := range all {
		if name != path.Base(m.File) {
			files = append(files, f)
		}
	}
	config := types.Config{Importer: importer.ForCompiler(c.set, "gc", func(name string) (io.ReadCloser, error) {
		data, err := os.ReadFile(c.export[name])
		return io.NopCloser(bytes.NewReader(data)), err
	})}
	_, err = config.Check(path.Dir(m.File), c.set, files, nil)
	return err
}
