package prose_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/conformance/internal/prose"
)

const root = "../../.."

func rules(t *testing.T) []prose.Rule {
	rules, err := prose.Rules(os.DirFS(root + "/.vale/Octable"))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// check returns the findings of a file whose name has the extension ext.
func check(rules []prose.Rule, path, ext string, source []byte) ([]prose.Finding, error) {
	if ext == ".go" {
		return prose.Go(rules, path, source)
	}
	return prose.Text(rules, path, source), nil
}

// TestProject checks the text of the project.
func TestProject(t *testing.T) {
	rules := rules(t)
	files := map[string]int{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		ext := filepath.Ext(name)
		if d.IsDir() || !slices.Contains([]string{".go", ".oct", ".page", ".txt", ".tmpl"}, ext) {
			return nil
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		path, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		found, err := check(rules, filepath.ToSlash(path), ext, source)
		for _, f := range found {
			t.Error(f)
		}
		files[ext]++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for ext, least := range map[string]int{".go": 500, ".oct": 30, ".page": 5, ".txt": 15, ".tmpl": 2} {
		if files[ext] < least {
			t.Errorf("only %d files of %s were found", files[ext], ext)
		}
	}
}

// TestFindings checks that comments, messages and schemas are looked at, and code is not.
func TestFindings(t *testing.T) {
	rules := rules(t)
	var got []string
	for name, ext := range map[string]string{"testdata/comments.txt": ".go", "testdata/schema.txt": ".oct"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found, err := check(rules, name, ext, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			got = append(got, fmt.Sprintf("%s:%d: %s", filepath.Base(f.Path), f.Line, f.Phrase))
		}
	}
	slices.Sort(got)
	text, err := os.ReadFile("testdata/findings.golden")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
