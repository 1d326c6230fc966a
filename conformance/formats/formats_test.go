package formats

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// realFile is a line of testdata.
type realFile struct {
	Name   string
	Bytes  string
	Reader string
	Value  any
	Rows   map[string][]any
	// Written is what a writer gives if it is not the file. In CBOR, a number may be in more bytes than necessary.
	Written string
	data    []byte
}

func samples(t *testing.T, path string) []realFile {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []realFile
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var s realFile
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&s); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if s.data, err = hex.DecodeString(s.Bytes); err != nil {
			t.Fatalf("%s: %s: %v", path, s.Name, err)
		}
		all = append(all, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// printer returns the machine of a format and the names in its values.
func printer(t *testing.T, format string) *notation.Notation {
	t.Helper()
	p, err := compile.Program("../../spec/formats/"+format+".oct", "")
	if err != nil {
		t.Fatal(err)
	}
	print, err := notation.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return print
}

// least is the number of different files of each format.
const least = 20

// TestSamples decodes every file of testdata, and compares it with what the independent reader says. It encodes
// the value to the same bytes.
func TestSamples(t *testing.T) { compareAll(t, "testdata") }

func compareAll(t *testing.T, folder string) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	for _, path := range paths {
		format := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		t.Run(format, func(t *testing.T) {
			print := printer(t, format)
			different := map[string]bool{}
			for _, s := range samples(t, path) {
				different[s.Bytes] = true
				t.Run(s.Name, func(t *testing.T) { compare(t, print, format, s) })
			}
			if len(different) < least {
				t.Errorf("%d different files, not %d", len(different), least)
			}
		})
	}
}

func compare(t *testing.T, print *notation.Notation, format string, s realFile) {
	rows := map[string][]uint64{}
	v, used, err := print.Machine().DecodeObserved(s.data, interp.Options{}, interp.ObserverFunc(func(e *interp.Event) {
		if e.Kind == interp.Row {
			n := e.Number
			if !e.Derived {
				n = e.Value.Uint()
			}
			rows[e.Rule.Name] = append(rows[e.Rule.Name], n)
		}
	}))
	if err != nil || used != len(s.data) {
		t.Fatalf("%d of %d bytes: %v", used, len(s.data), err)
	}
	if err := match(s.data, format, tree(print, v), s.Value); err != nil {
		t.Errorf("%s: %v", s.Reader, err)
	}
	for name, want := range s.Rows {
		compareRow(t, name, rows[name], want)
	}
	b, err := print.Machine().Append(nil, v, interp.Options{KeepWidths: true})
	if err != nil {
		t.Fatal(err)
	}
	if written := hex.EncodeToString(b); written != s.Bytes && written != s.Written {
		t.Errorf("written again:\n%s, not\n%s", written, s.Bytes)
	}
}

// compareRow compares the numbers of a row, in the order of the file.
func compareRow(t *testing.T, name string, got []uint64, want []any) {
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, the reader has %d: %v", name, len(got), len(want), want)
		return
	}
	for i, w := range want {
		if n, ok := w.(json.Number); ok {
			if u, err := n.Int64(); err != nil || uint64(u) != got[i] {
				t.Errorf("%s: number %d is %d, the reader says %s", name, i, got[i], n)
			}
		}
	}
}

// checked are the formats in which a checksum or a constant covers every byte.
var checked = []string{"png"}

// TestDamage flips bits and cuts files. What is refused has an offset in the file and the name of a row; what is read is
// written, read back, and written again alike.
func TestDamage(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	for _, path := range paths {
		format := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		t.Run(format, func(t *testing.T) {
			print := printer(t, format)
			refused := 0
			for _, s := range samples(t, path) {
				step := max(len(s.data)/long.Number(25, 100), 1)
				for at := 0; at < len(s.data); at += step {
					b := bytes.Clone(s.data)
					b[at] ^= 1 << (at % 8)
					if damaged(t, print, s.Name, b) {
						refused++
					} else if slices.Contains(checked, format) {
						t.Errorf("%s: byte %d is changed, and accepted", s.Name, at)
					}
					if damaged(t, print, s.Name, s.data[:at:at]) {
						refused++
					}
				}
			}
			if refused == 0 {
				t.Error("nothing is refused")
			}
			t.Logf("%d refused", refused)
		})
	}
}

// damaged reads bytes and reports whether they are refused.
func damaged(t *testing.T, print *notation.Notation, name string, b []byte) bool {
	m := print.Machine()
	v, used, err := m.Decode(b, interp.Options{})
	if err != nil {
		var e *interp.Error
		if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(b) || e.Rule.Name == "" {
			t.Errorf("%s: %x: the error has no row or offset: %v", name, b, err)
		}
		return true
	}
	first, err := m.Append(nil, v, interp.Options{})
	if err != nil {
		t.Errorf("%s: %x is read, and not written: %v", name, b[:used], err)
		return false
	}
	again, _, err := m.Decode(first, interp.Options{})
	if err != nil {
		t.Errorf("%s: %x is written, and not read: %v", name, first, err)
		return false
	}
	if second, err := m.Append(nil, again, interp.Options{}); err != nil || !bytes.Equal(first, second) {
		t.Errorf("%s: %x is written again as %x, %v", name, first, second, err)
	}
	return false
}

// TestPath checks that the path of an error names the list that it is in. That includes a list that represents its
// record.
func TestPath(t *testing.T) {
	print := printer(t, "wave")
	all := samples(t, "testdata/wave.jsonl")
	b := bytes.Clone(all[0].data)
	at := bytes.Index(b, []byte("data"))
	b[at+7] = 0x7f // a length beyond the end
	var e *interp.Error
	if _, _, err := print.Machine().Decode(b, interp.Options{}); !errors.As(err, &e) || e.Path != ".wave.chunks[1]" {
		t.Errorf("the error is %v, want one at .wave.chunks[1]", err)
	}
}

// TestFresh makes samples with the tools of this machine and compares them. Formats whose tools are missing are named.
func TestFresh(t *testing.T) {
	if os.Getenv("OCTABLE_ENGINE_TESTS") == "" {
		t.Skip("set OCTABLE_ENGINE_TESTS=1 to make samples with the tools of this machine")
	}
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	out, err := exec.Command(python, "-B", "samples", folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.3000s", err, out)
	}
	t.Logf("%s", out)
	if paths, _ := filepath.Glob(filepath.Join(folder, "*.jsonl")); len(paths) == 0 {
		t.Skip("no tool of a format is here; .ci/samples installs them")
	}
	compareAll(t, folder)
}

// TestMachine decodes and encodes files that many programs wrote: those that Go has for its tests, and those of Debian.
func TestMachine(t *testing.T) {
	for _, c := range []struct{ format, pattern string }{
		{"png", filepath.Join(build.Default.GOROOT, "src/image/png/testdata/pngsuite/*.png")},
		{"png", "/usr/share/icons/*/*/*/*.png"},
		{"wave", "/usr/share/sounds/*/*.wav"},
		{"wasm", "/usr/share/doc/*/examples/*/*.wasm"},
		{"elf64", "/usr/bin/[a-g]*"},
		{"opentype", "/usr/share/fonts/*/*/*.[to]tf"},
	} {
		paths, err := filepath.Glob(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if len(paths) == 0 {
			t.Logf("%s: no files match %s", c.format, c.pattern)
			continue
		}
		print := printer(t, c.format)
		read := 0
		for _, path := range long.Part(8, paths) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if c.format == "elf64" && (!bytes.HasPrefix(b, []byte("\x7fELF")) || len(b) > 1<<20) {
				continue // scripts, and programs that take long
			}
			v, _, err := print.Machine().Decode(b, interp.Options{})
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			again, err := print.Machine().Append(nil, v, interp.Options{})
			if err != nil || !bytes.Equal(again, b) {
				t.Errorf("%s: %d of %d bytes are written again: %v", path, len(again), len(b), err)
			}
			read++
		}
		t.Logf("%s: %d of %d files of %s", c.format, read, len(paths), c.pattern)
	}
}
