package planlist

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDigests: equal plans have equal digests, other plans have others, and the folder has the listings.
func TestDigests(t *testing.T) {
	d := Digests{Folder: t.TempDir()}
	for _, x := range []struct {
		name string
		n    int
	}{{"a", 1}, {"b", 1}, {"c", 2}} {
		if err := d.Add(x.name, []any{&unnamed{x.n}, &unnamed{3}}, "work"); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(d.String(), "\n")
	if len(lines) != 4 || lines[0][1:] != lines[1][1:] || lines[0][1:] == lines[2][1:] || !strings.HasSuffix(lines[2], ", work") {
		t.Errorf("lines %q", lines)
	}
	if b, err := os.ReadFile(filepath.Join(d.Folder, "c.txt")); err != nil || string(b) != "plan {n=2}\nplan {n=3}\n" {
		t.Errorf("listing %q, %v", b, err)
	}
}
