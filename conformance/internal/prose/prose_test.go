package prose_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/conformance/internal/prose"
)

// clean are the folders without findings. A folder is added when its text has been edited; none is removed.
var clean = []string{".", ".ci", ".github", "cmd", "compile/bytecode", "compile/export", "compile/gen/model", "compile/gen/python", "compile/gen/script", "compile/gen/typescript",
	"compile/gen/README.md", "compile/gen/gen.go", "conformance/audit", "conformance/child", "conformance/cover", "conformance/engines", "conformance/facts", "conformance/generated", "conformance/inputs", "conformance/internal", "conformance/picture",
	"conformance/protocol", "conformance/runner", "conformance/which", "conformance/damage", "conformance/diff", "conformance/docs", "conformance/examples", "conformance/formats", "conformance/draft", "conformance/dump", "conformance/manual",
	"dsl", "fuzz/bound", "fuzz/differential", "fuzz/targets", "spec", "conformance/README.md"}

func isClean(path string) bool {
	for _, c := range clean {
		if path == c || strings.HasPrefix(path, c+"/") || c == "." && !strings.Contains(path, "/") {
			return true
		}
	}
	return false
}

// TestProject checks the text of the project. It logs how many findings the folders have that were not edited yet.
func TestProject(t *testing.T) {
	const root = "../../.."
	left := map[string]int{}
	files := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == ".git" || path == "conformance/results") {
			return filepath.SkipDir
		}
		ext := filepath.Ext(path)
		if d.IsDir() || ext != ".go" && ext != ".md" {
			return nil
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		found := prose.Markdown(path, source)
		if ext == ".go" {
			if found, err = prose.Go(path, source); err != nil {
				return err
			}
		}
		files++
		for _, f := range found {
			if isClean(path) {
				t.Error(f)
				continue
			}
			left[strings.SplitN(path, "/", 3)[0]]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("only %d files were found", files)
	}
	for _, folder := range slices.Sorted(maps.Keys(left)) {
		t.Logf("%s: %d findings left", folder, left[folder])
	}
}

// TestFindings checks that comments, messages and pages are looked at, and code is not.
func TestFindings(t *testing.T) {
	var got []string
	for _, name := range []string{"testdata/comments.txt", "testdata/page.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := prose.Markdown(name, text)
		if name == "testdata/comments.txt" {
			if found, err = prose.Go(name, text); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range found {
			got = append(got, fmt.Sprintf("%s:%d: %s", filepath.Base(f.Path), f.Line, f.Phrase))
		}
	}
	text, err := os.ReadFile("testdata/findings.golden")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
