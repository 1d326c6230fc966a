package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// contents returns the files of a folder by name.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}

// TestRun: the programs of codec are those that the command writes, and programs of other schemas are removed.
func TestRun(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"gone.octb", "ntp.octb", "README.md"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var errs bytes.Buffer
	if status := run([]string{folder}, &errs); status != 0 || errs.Len() > 0 {
		t.Fatalf("exit %d: %s", status, &errs)
	}
	got, want := contents(t, folder), contents(t, "../../programs")
	if got["README.md"] != "old" {
		t.Error("a file that is no program is changed")
	}
	delete(got, "README.md")
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is stale; go generate ./codec writes it", name)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("%s is written, and is not in codec/programs", name)
	}
}

// TestErrors: a wrong command line and a folder that cannot be written have their own exit status.
func TestErrors(t *testing.T) {
	occupied := t.TempDir() // a folder that has the name of a program
	if err := os.MkdirAll(filepath.Join(occupied, "ntp.octb"), 0o777); err != nil {
		t.Fatal(err)
	}
	kept := t.TempDir() // a folder that cannot be removed, since it is not empty
	if err := os.MkdirAll(filepath.Join(kept, "gone.octb", "a"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 2, "usage: genprograms FOLDER"},
		{[]string{"a", "b"}, 2, "usage: genprograms FOLDER"},
		{[]string{filepath.Join(kept, "none")}, 1, "genprograms: open "},
		{[]string{occupied}, 1, "is a directory"},
		{[]string{kept}, 1, "gone.octb"},
	} {
		var errs bytes.Buffer
		if status := run(c.args, &errs); status != c.status || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%q: exit %d: %s, want %d and %q", c.args, status, &errs, c.status, c.want)
		}
	}
}
