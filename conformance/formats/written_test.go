package formats

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// TestWritten has the engines of Godot load files that were changed: the first list of each is in reverse order. In
// resources, whose lists hold indexes into each other, integers are halved instead.
func TestWritten(t *testing.T) {
	if os.Getenv("OCTABLE_ENGINE_TESTS") == "" {
		t.Skip("set OCTABLE_ENGINE_TESTS=1 to let engines load files")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	shelf := os.Getenv("OCTABLE_ENGINES")
	if shelf == "" {
		shelf = filepath.Join(home, ".cache/octable-engines")
	}
	for _, engine := range []string{"godot3", "godot4"} {
		if _, err := os.Stat(filepath.Join(shelf, engine, "run")); err != nil {
			t.Skipf("%v; .ci/engines %s puts it there", err, engine)
		}
	}
	for _, format := range []string{"ecfg", "ecfg-3", "pck", "rsrc"} {
		t.Run(format, func(t *testing.T) {
			print := printer(t, format)
			folder := t.TempDir()
			arguments := []string{"-B", "samples", "-read", format}
			for i, s := range samples(t, filepath.Join("testdata", format+".jsonl")) {
				if i%3 != 0 && format != "rsrc" {
					continue // an engine takes about a second for each
				}
				v, _, err := print.Machine().Decode(s.data, interp.Options{})
				if err != nil {
					t.Fatal(err)
				}
				changed, found := reversed(v)
				if format == "rsrc" {
					changed, found = halved(print, v)
				}
				if !found {
					continue
				}
				b, err := print.Machine().Encode(changed, interp.Options{})
				if err != nil {
					t.Errorf("%s: %v", s.Name, err)
					continue
				}
				path := filepath.Join(folder, s.Name)
				if err := os.WriteFile(path, b, 0o600); err != nil {
					t.Fatal(err)
				}
				arguments = append(arguments, path)
			}
			out, err := exec.Command("/usr/bin/python3", arguments...).Output()
			if err != nil {
				t.Fatalf("%v: %s", err, errorText(err))
			}
			lines := filepath.Join(folder, format+".jsonl")
			if err := os.WriteFile(lines, out, 0o600); err != nil {
				t.Fatal(err)
			}
			read := samples(t, lines)
			if len(read) < 4 {
				t.Errorf("%d files", len(read))
			}
			for _, s := range read {
				compare(t, print, format, s)
			}
		})
	}
}

func errorText(err error) []byte {
	if e, ok := err.(*exec.ExitError); ok {
		return e.Stderr
	}
	return nil
}

// reversed returns a value with its first list of at least two elements in reverse order. It reports whether there is
// one.
func reversed(v interp.Value) (interp.Value, bool) {
	switch v.Kind() {
	case interp.List:
		if v.Len() > 1 {
			cells := slices.Clone(v.Cells())
			slices.Reverse(cells)
			return interp.MakeList(v.Tag(), cells), true
		}
	case interp.Record:
		for i, c := range v.Cells() {
			if changed, found := reversed(c); found {
				cells := slices.Clone(v.Cells())
				cells[i] = changed
				return interp.MakeRecord(v.Tag(), cells), true
			}
		}
	}
	return v, false
}

// halved returns a value with half of each number of the arm int, and whether there is one.
func halved(print *notation.Notation, v interp.Value) (interp.Value, bool) {
	switch v.Kind() {
	case interp.Int:
		if typ := print.Type(v); typ != nil && typ.Name == "int" {
			return interp.MakeInt(v.Tag(), v.Int()/2), v.Int() != 0
		}
	case interp.List, interp.Record:
		cells, found := slices.Clone(v.Cells()), false
		for i, c := range cells {
			changed, is := halved(print, c)
			cells[i], found = changed, found || is
		}
		if v.Kind() == interp.List {
			return interp.MakeList(v.Tag(), cells), found
		}
		return interp.MakeRecord(v.Tag(), cells), found
	}
	return v, false
}
