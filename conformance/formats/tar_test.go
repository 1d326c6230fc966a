package formats

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// cell returns a field of a record.
func cell(t *testing.T, print *notation.Notation, v interp.Value, name string) int {
	t.Helper()
	for i, f := range print.Type(v).Fields {
		if f.Name == name {
			return i
		}
	}
	t.Fatalf("no field %s in %v", name, v)
	return 0
}

// TestTarReader compares the entries of archives with those of archive/tar. Headers that describe the next entry have
// no name there.
func TestTarReader(t *testing.T) {
	print := printer(t, "tar")
	for _, s := range samples(t, "testdata/tar.jsonl") {
		v, _, err := print.Machine().Decode(s.data, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := tar.NewReader(bytes.NewReader(s.data))
		entries := v.At(0).Cells()
		for _, e := range entries[:len(entries)-1] {
			number := func(name string) int64 { return int64(e.At(cell(t, print, e, name)).Uint()) }
			if bytes.IndexByte([]byte("xLK"), byte(number("typeflag"))) >= 0 {
				continue
			}
			h, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if h.Typeflag == tar.TypeGNUSparse || h.Typeflag == tar.TypeXGlobalHeader {
				continue // archive/tar gives the file with its holes, and no fields of a global header
			}
			data, _ := io.ReadAll(r)
			if number("permissions") != h.Mode&0o777 || number("uid") != int64(h.Uid) || !bytes.Equal(e.At(cell(t, print, e, "data")).Bytes(), data) {
				t.Errorf("%s: %s: the entry is %v", s.Name, h.Name, e)
			}
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%s: more entries: %v", s.Name, err)
		}
	}
}

// TestTarChanged has archive/tar, which verifies checksums, read an entry that was changed.
func TestTarChanged(t *testing.T) {
	print := printer(t, "tar")
	all := samples(t, "testdata/tar.jsonl")
	s := all[slices.IndexFunc(all, func(s realFile) bool { return s.Name == "ustar.tar" })]
	v, _, err := print.Machine().Decode(s.data, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Repeat([]byte("octable "), 100)
	entries := slices.Clone(v.At(0).Cells())
	write := func(permissions, mtime uint64) ([]byte, error) {
		cells := slices.Clone(entries[0].Cells())
		set := func(name string, to interp.Value) { cells[cell(t, print, entries[0], name)] = to }
		set("permissions", interp.MakeUint(0, permissions))
		set("mtime", interp.MakeUint(0, mtime))
		old := cells[cell(t, print, entries[0], "data")]
		set("data", interp.MakePacked(old.Tag(), old.Scalar(), 1, data))
		changed := slices.Clone(entries)
		changed[0] = interp.MakeRecord(entries[0].Tag(), cells)
		return print.Machine().Encode(interp.MakeRecord(v.Tag(), []interp.Value{interp.MakeList(0, changed), v.At(1)}), interp.Options{})
	}
	out, err := write(0o421, 5)
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(bytes.NewReader(out))
	h, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(r); h.Mode != 0o421 || h.ModTime.Unix() != 5 || !bytes.Equal(got, data) {
		t.Errorf("the changed entry is %+v with %q", h, got)
	}
	var e *interp.Error
	if _, err := write(0o421, 1<<33); !errors.As(err, &e) || e.Kind != interp.ErrRange || e.Offset != 136 {
		t.Errorf("a time of 12 digits: %v", err)
	}
}

// TestTarDamaged holds that damage is refused at its row.
func TestTarDamaged(t *testing.T) {
	print := printer(t, "tar")
	all := samples(t, "testdata/tar.jsonl")
	s := all[slices.IndexFunc(all, func(s realFile) bool { return s.Name == "ustar.tar" })]
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
		{"another magic", 257, "Ustar", interp.ErrType, 329},
	} {
		damaged := slices.Clone(s.data)
		copy(damaged[c.at:], c.with)
		var e *interp.Error
		if _, _, err := print.Machine().Decode(damaged, interp.Options{}); !errors.As(err, &e) || e.Kind != c.kind || e.Offset != c.offset {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
