package container

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// keyOf returns the key of a recorded file by its name.
func keyOf(name string) []byte {
	if strings.Contains(name, "pass") {
		return Password("pässword")
	}
	var key []byte
	for i := range 32 {
		key = append(key, byte(i))
	}
	return key
}

// TestRecorded opens files that Godot 4.6.3, 3.6.2 and 3.2.3 wrote, and files written by hand that these
// engines read.
func TestRecorded(t *testing.T) {
	list, err := os.Open("testdata/plain.sha256.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	n := 0
	for s := bufio.NewScanner(list); s.Scan(); n++ {
		f := strings.Fields(s.Text())
		b, err := os.ReadFile(filepath.Join("testdata", f[0]))
		if err != nil {
			t.Fatal(err)
		}
		if !Is(b) {
			t.Errorf("%s is no container", f[0])
		}
		data, l, err := Open(b, keyOf(f[0]))
		if err != nil {
			t.Errorf("%s: %v", f[0], err)
			continue
		}
		if sum := sha256.Sum256(data); strconv.Itoa(len(data)) != f[1] || hex.EncodeToString(sum[:]) != f[2] {
			t.Errorf("%s: %d bytes of other data", f[0], len(data))
		}
		again(t, f[0], l, data)
		if len(data) > 0 && l.Format == Encrypted {
			if _, _, err := Open(b, Password("another")); !errors.Is(err, ErrKey) {
				t.Errorf("%s with another key: %v", f[0], err)
			}
			for _, key := range []string{"", "short"} {
				if _, _, err := Open(b, []byte(key)); !errors.Is(err, ErrKey) {
					t.Errorf("%s with the key %q: %v", f[0], key, err)
				}
			}
		}
	}
	if n < 30 {
		t.Errorf("%d files", n)
	}
	written, err := filepath.Glob("testdata/c_*.bin")
	if err != nil || len(written) < 5 {
		t.Fatal(written, err)
	}
	for _, name := range written {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Open(b, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func again(t *testing.T, name string, l Layer, data []byte) {
	t.Helper()
	sealed, err := l.Seal(data, keyOf(name))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	got, layer, err := Open(sealed, keyOf(name))
	if err != nil || !bytes.Equal(got, data) || layer != l {
		t.Errorf("%s, %v: %d bytes again, %v: %v", name, l, len(got), layer, err)
	}
}

// TestSizes seals data of many sizes, in all modes and layouts.
func TestSizes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 3, 15, 16, 17, 31, 33, 300, 4095, 4096, 4097, 9000, 20000} {
		noise, text := make([]byte, size), make([]byte, size)
		for i := range size {
			noise[i] = byte(random.Uint32())
			text[i] = "a text that repeats, "[i%21] ^ byte(i/700)
		}
		for _, data := range [][]byte{noise, text, make([]byte, size)} {
			if data == nil {
				data = []byte{}
			}
			for mode := range Modes[:Brotli] {
				for _, block := range []uint32{7, 4096, 100_000} {
					if block == 7 && size > 40 {
						continue // thousands of blocks
					}
					again(t, strconv.Itoa(size), Layer{Format: Compressed, Mode: Mode(mode), Block: block}, data)
				}
			}
			again(t, "key", Layer{Format: Encrypted, Layout: 4}, data)
			if size > 0 { // an empty file of Godot 3 has no text either
				again(t, "pass", Layer{Format: Encrypted, Layout: 3}, data)
			}
		}
	}
	if packed := packFastLZ(make([]byte, 4096)); len(packed) > 100 {
		t.Errorf("4096 zeros take %d bytes", len(packed))
	}
}

func TestRefused(t *testing.T) {
	l := Layer{Format: Compressed, Mode: GZip}
	good, err := l.Seal([]byte("some data"), nil)
	if err != nil {
		t.Fatal(err)
	}
	change := func(at int, b byte) []byte {
		bad := bytes.Clone(good)
		bad[at] = b
		return bad
	}
	for name, b := range map[string][]byte{
		"magic": change(0, 'X'), "mode": change(4, 9), "block of 0": append(append(bytes.Clone(good[:8]), 0, 0, 0, 0), good[12:]...),
		"size": change(12, 200), "block": change(16, 3), "data": change(30, good[30]^0xff), "short": good[:12], "cut off": good[:30],
		"GDEC": []byte("GDEC"), "2 GiB": change(15, 0x80), "a table of 17 blocks": change(14, 1), "more data than it says": change(12, 2),
	} {
		if _, _, err := Open(b, nil); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	zstandard, err := Layer{Format: Compressed, Mode: Zstandard}.Seal([]byte("some data"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if zstandard[12] = 2; !errors.Is(failure(Open(zstandard, nil)), ErrCorrupt) {
		t.Error("more data than the header says is accepted")
	}
	for _, l := range []Layer{{Format: Compressed, Mode: Brotli}, {Format: 9}, {Format: Encrypted, Layout: 5}} {
		if _, err := l.Seal(nil, Password("a")); err == nil {
			t.Errorf("%v is written", l)
		}
	}
	if _, err := (Layer{Format: Encrypted, Layout: 4}).Seal(nil, []byte("short")); !errors.Is(err, ErrKey) {
		t.Errorf("short key: %v", err)
	}
}

// failure returns the last of three results.
func failure(_ []byte, _ Layer, err error) error { return err }

// TestString names layers.
func TestString(t *testing.T) {
	for want, l := range map[string]Layer{
		"encrypted (GDEC of Godot 4)": {Format: Encrypted, Layout: 4},
		"compressed (GCPF, zstd)":     {Format: Compressed, Mode: Zstandard},
		"compressed (RSCC, mode 9)":   {Format: Resource, Mode: 9},
	} {
		if got := l.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestFastLZErrors refuses blocks that break the rules of FastLZ or hold more than there is room for.
func TestFastLZErrors(t *testing.T) {
	for _, c := range []struct {
		block string
		room  int
		want  string
	}{
		{"", 9, errCutOff.Error()},
		{"\x40", 9, "neither 1 nor 2"},
		{"\x05ab", 9, errCutOff.Error()},
		{"\x01ab", 1, errRoom.Error()},
		{"\x00a\xe0\x01", 99, errCutOff.Error()},
		{"\x00a\x20\x05", 9, "begins before the data"},
		{"\x00a\x20\x00", 2, errRoom.Error()},
		{"\x20a\x3f\xff\x00\x00", 9, "far match"},
		{"\x20a\x3f\xff\x00\x00a", 9, "begins before the data"},
	} {
		if _, err := unpackFastLZ([]byte(c.block), c.room); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("% x: %v, want %s", c.block, err, c.want)
		}
	}
}
