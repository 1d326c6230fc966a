package fuzz

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)

// TestReadme: every fuzz target of the project is on the page, and its package has a
// command there.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != "..":
			return filepath.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel("..", filepath.Dir(name))
		if err != nil {
			return err
		}
		for _, m := range fuzzTarget.FindAllStringSubmatch(string(text), -1) {
			n++
			if !strings.Contains(string(page), "`"+m[1]+"`") {
				t.Errorf("%s of %s is not in README.md", m[1], name)
			}
			if !strings.Contains(string(page), "go test ./"+filepath.ToSlash(dir)+" -fuzz") {
				t.Errorf("README.md has no command for the targets in %s", dir)
			}
		}
		return nil
	})
	if err != nil || n < 15 {
		t.Errorf("%d targets: %v", n, err)
	}
}
