package examples

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// ustarFields are the cells of an entry of the ustar example.
const (
	ustarName, ustarPermissions        = 0, 2
	ustarMtime, ustarPrefix, ustarData = 8, 15, 17
)

// ustar returns the machine of the ustar example and the bytes of an archive that GNU tar 1.34
// wrote, with --format=ustar and blocks of 512 bytes.
func ustar(t *testing.T, archive string) (*interp.Machine, []byte) {
	t.Helper()
	p, err := compile.Program("testdata/ustar.oct", "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(p, func(i int, _ *bytecode.Type) uint16 { return uint16(i) })
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("testdata/" + archive)
	if err != nil {
		t.Fatal(err)
	}
	return m, b
}

// TestUstar writes the bytes that GNU tar wrote, and reads its entries as archive/tar does.
func TestUstar(t *testing.T) {
	for _, c := range []struct {
		archive string
		entries int
	}{{"gnu.tar", 9}, {"empty.tar", 0}} {
		m, b := ustar(t, c.archive)
		v, used, err := m.Decode(b, interp.Options{})
		if err != nil || used != len(b) {
			t.Fatalf("%s: %d of %d bytes: %v", c.archive, used, len(b), err)
		}
		out, err := m.Encode(v, interp.Options{})
		if err != nil || !bytes.Equal(out, b) {
			t.Errorf("%s: other bytes are written: %v", c.archive, err)
		}
		entries := v.At(0).Cells()
		if len(entries) != c.entries+1 {
			t.Errorf("%s has %d entries", c.archive, len(entries)-1)
		}
		r := tar.NewReader(bytes.NewReader(b))
		for _, e := range entries[:len(entries)-1] {
			h, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			data, _ := io.ReadAll(r)
			name := e.At(ustarName).Text()
			if prefix := e.At(ustarPrefix).Text(); prefix != "" {
				name = prefix + "/" + name
			}
			if name != h.Name || int64(e.At(ustarPermissions).Uint()) != h.Mode&0o777 || int64(e.At(ustarMtime).Uint()) != h.ModTime.Unix() || !bytes.Equal(e.At(ustarData).Bytes(), data) {
				t.Errorf("%s: an entry is %v", h.Name, e)
			}
		}
	}
}

// TestUstarChanged lets archive/tar, which verifies checksums, read entries that were changed.
func TestUstarChanged(t *testing.T) {
	m, b := ustar(t, "gnu.tar")
	v, _, err := m.Decode(b, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Repeat([]byte("octable "), 100)
	entries := slices.Clone(v.At(0).Cells())
	cells := slices.Clone(entries[2].Cells())
	cells[ustarPermissions] = interp.MakeUint(0, 0o421)
	cells[ustarData] = interp.MakePacked(0, cells[ustarData].Scalar(), 1, data)
	entries[2] = interp.MakeRecord(entries[2].Tag(), cells)
	changed := func() interp.Value {
		return interp.MakeRecord(v.Tag(), []interp.Value{interp.MakeList(0, entries), v.At(1)})
	}
	out, err := m.Encode(changed(), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(bytes.NewReader(out))
	for i := range len(entries) - 1 {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := io.ReadAll(r); i == 2 && (h.Mode != 0o421 || !bytes.Equal(got, data)) {
			t.Errorf("the changed entry is %+v with %q", h, got)
		}
	}
	cells[ustarMtime] = interp.MakeUint(0, 1<<33)
	entries[2] = interp.MakeRecord(entries[2].Tag(), slices.Clone(cells))
	var e *interp.Error
	if _, err := m.Encode(changed(), interp.Options{}); !errors.As(err, &e) || e.Kind != interp.ErrRange || e.Offset != 1024+136 {
		t.Errorf("a time of 12 digits: %v", err)
	}
}

// TestUstarDamaged holds that damage is refused at its row.
func TestUstarDamaged(t *testing.T) {
	m, b := ustar(t, "gnu.tar")
	for _, c := range []struct {
		name   string
		at     int
		with   string
		kind   error
		offset int
	}{
		{"a checksum", 0, "e", interp.ErrChecksum, 148},
		{"no digit", 102, "8", interp.ErrValue, 100},
		{"base 256", 108, "\x80", interp.ErrValue, 108},
		{"spaces", 116, "   1750\x00", interp.ErrValue, 116},
		{"the end of a checksum", 154, " \x00", interp.ErrValue, 148},
	} {
		damaged := slices.Clone(b)
		copy(damaged[c.at:], c.with)
		var e *interp.Error
		if _, _, err := m.Decode(damaged, interp.Options{}); !errors.As(err, &e) || e.Kind != c.kind || e.Offset != c.offset {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
