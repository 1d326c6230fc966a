//go:build man

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMan writes the manual pages: there is one for each command, with its text, date and flags.
func TestMan(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	folder := filepath.Join(t.TempDir(), "share", "man1")
	var out, errs bytes.Buffer
	if code := run([]string{"man", folder}, strings.NewReader(""), &out, &errs); code != exitOK || out.Len()+errs.Len() > 0 {
		t.Fatalf("exit %d, %q, %q", code, out.String(), errs.String())
	}
	pages := map[string]string{}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		pages[f.Name()] = string(b)
	}
	root := (&env{}).root()
	for _, name := range commandNames(root) {
		page := pages["octable-"+name+".1"]
		if name == "help" {
			continue // its text is in the page of octable
		}
		if !strings.Contains(page, ".SH SYNOPSIS") || !strings.Contains(page, "Nov 2023") {
			t.Errorf("the page of %s has no synopsis or not the date that was set:\n%.400s", name, page)
		}
	}
	if page := pages["octable.1"]; !strings.Contains(page, ".EX\n  0  ") || !strings.Contains(page, `octable-decode(1)`) {
		t.Errorf("the page of octable lacks the block of exit statuses or a reference:\n%s", page)
	}
	if page := pages["octable-decode.1"]; !strings.Contains(page, `"kind":"truncated"`) || !strings.Contains(page, "strict") {
		t.Errorf("the page of decode lacks the answers of -lines or the flag -strict:\n%s", page)
	}
	if code := run([]string{"man"}, strings.NewReader(""), &out, &errs); code != exitUsage {
		t.Errorf("man without a folder: exit %d, want %d", code, exitUsage)
	}
}
