// Names that schemas read as views, compared with those that other readers find.

package formats

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
)

// stringOf returns a text, and "" for other values.
func stringOf(v codec.Value) string {
	s, _ := v.AsString()
	return s
}

// TestELFNames compares the names of sections and symbols with those that debug/elf reads.
func TestELFNames(t *testing.T) {
	c := codecOf(t, "../../spec/formats/elf64.oct")
	paths, err := filepath.Glob("/usr/bin/[a-c]*")
	if err != nil {
		t.Fatal(err)
	}
	sections, symbols := 0, 0
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(b, []byte("\x7fELF\x02")) || len(b) > 1<<18 {
			continue
		}
		f, err := elf.NewFile(bytes.NewReader(b))
		if err != nil {
			t.Fatal(path, err)
		}
		v, _, err := c.Decode(b)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for i, s := range f.Sections {
			sections++
			own := v.Field("sections").Index(i)
			if got := stringOf(own.Field("name")); got != s.Name {
				t.Errorf("%s: section %d is %q, not %q", path, i, got, s.Name)
			}
			if s.Type != elf.SHT_DYNSYM {
				continue
			}
			want, err := f.DynamicSymbols()
			if err != nil {
				t.Error(path, err)
			}
			for k, symbol := range want {
				symbols++
				if got := stringOf(own.Field("content").Index(k + 1).Field("name")); got != symbol.Name {
					t.Errorf("%s: symbol %d is %q, not %q", path, k+1, got, symbol.Name)
				}
			}
		}
	}
	t.Logf("%d sections, %d symbols", sections, symbols)
}

// TestFontNames compares names of fonts with those that fontconfig reads.
func TestFontNames(t *testing.T) {
	scan, err := exec.LookPath("fc-scan")
	if err != nil {
		t.Skip(err)
	}
	c := codecOf(t, "../../spec/formats/opentype.oct")
	paths, err := filepath.Glob("/usr/share/fonts/*/*/*.[to]tf")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		v, _, err := c.Decode(b)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		names := map[uint64][]string{}
		for _, table := range v.Field("tables").All() {
			for _, name := range table.Field("table").Field("records").All() {
				id, _ := name.Field("name_id").AsUint()
				names[id] = append(names[id], stringOf(name.Field("unicode")), stringOf(name.Field("roman")))
			}
		}
		for format, id := range map[string]uint64{"%{fullname[0]}": 4, "%{postscriptname}": 6} {
			want, err := exec.Command(scan, "--format", format, path).Output()
			if err != nil {
				t.Fatal(path, err)
			}
			if !slices.Contains(names[id], strings.TrimSpace(string(want))) {
				t.Errorf("%s: name %d is %q, not %q", path, id, names[id], want)
			}
		}
	}
	t.Logf("%d fonts", len(paths))
}
