package schematest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompare: a file that expects other mistakes is reported, and written with OCTABLE_UPDATE=1.
func TestCompare(t *testing.T) {
	for _, c := range []struct{ file, got, anew string }{
		{"a\n", "", ""},
		{"a\n" + mark + "// first\n//\n// third\n", "first\n\nthird\n", ""},
		{"a" + bare + "// first\n", "first\n", ""},
		{"a\n", "first\n\nthird\n", "a\n" + mark + "// first\n//\n// third\n"},
		{"a", "first\n", "a" + bare + "// first\n"},
		{"a\n" + mark + "// first\n", "", "a\n"},
	} {
		path := filepath.Join(t.TempDir(), "a.oct")
		if err := os.WriteFile(path, []byte(c.file), 0o666); err != nil {
			t.Fatal(err)
		}
		wanted, _ := Split([]byte(c.file))
		diagnose := func(text []byte) string {
			if string(text) != string(wanted) {
				t.Errorf("%q: the schema is %q, want %q", c.file, text, wanted)
			}
			return c.got
		}
		t.Setenv("OCTABLE_UPDATE", "")
		err := compare(path, diagnose)
		if c.anew == "" {
			if err != nil {
				t.Errorf("%q: %v", c.file, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "OCTABLE_UPDATE=1 writes it") {
			t.Errorf("%q: %v", c.file, err)
		}
		t.Setenv("OCTABLE_UPDATE", "1")
		if err := compare(path, diagnose); err == nil || !strings.Contains(err.Error(), "written anew") {
			t.Errorf("%q: %v", c.file, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != c.anew {
			t.Errorf("%q: %q, %v, want %q", c.file, got, err, c.anew)
		}
		if err := compare(path, diagnose); err != nil {
			t.Errorf("%q: the file that was written: %v", c.file, err)
		}
	}
	if err := compare(filepath.Join(t.TempDir(), "none.oct"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
