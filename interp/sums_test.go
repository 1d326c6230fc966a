package interp_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/interp"
)

// cases are the schemas with checksums.
const cases = "../fuzz/languages/testdata/"

func machine(t *testing.T, path string) *interp.Machine {
	t.Helper()
	p, err := compile.Program(path, "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestChecksums flips every bit of packets whose bytes a checksum covers. A flipped bit in a
// byte that decides where rows are is refused; in any other byte the error is a checksum, at
// the offset of the checksum.
func TestChecksums(t *testing.T) {
	for _, c := range []struct {
		file, packet string
		at           int   // of the checksum
		from, to     int   // the bytes that it covers, and its own
		decide       []int // bytes that decide where rows are
	}{
		{"png.oct", "89504e470d0a1a0a 0000000d 49484452 00000001 00000001 0800000000 3a7e9b55", 29, 12, 33, []int{12, 13, 14, 15}},
		{"png.oct", "89504e470d0a1a0a 00000000 49454e44 ae426082", 16, 12, 20, []int{12, 13, 14, 15}},
		{"ipv4.oct", "45000020 00004000 4011b8b4 c0a80001 c0a800c7 0001020304050607 08090a0b", 10, 0, 20, []int{0, 2, 3}},
		{"ipv4.oct", "4600001a 12344000 4001a190 c0a80001 c0a800c7 01020304 0809", 10, 0, 24, []int{0, 2, 3}},
	} {
		m := machine(t, cases+c.file)
		b, err := hex.DecodeString(strings.ReplaceAll(c.packet, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		v, n, err := m.Decode(b, interp.Options{})
		if err != nil || n != len(b) {
			t.Errorf("%s: %d bytes, %v", c.file, n, err)
			continue
		}
		if again, err := m.Encode(v, interp.Options{}); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%s: written as %x, %v", c.file, again, err)
		}
		for i := c.from; i < c.to; i++ {
			for bit := range 8 {
				bad := bytes.Clone(b)
				bad[i] ^= 1 << bit
				_, _, err := m.Decode(bad, interp.Options{})
				if err == nil {
					t.Errorf("%s: accepted with bit %d of byte %d flipped", c.file, bit, i)
				} else if !slices.Contains(c.decide, i) {
					if e := checksumError(t, err); e.Offset != c.at {
						t.Errorf("%s: bit %d of byte %d: %v", c.file, bit, i, err)
					}
				}
			}
		}
	}
}

// TestSumsInside: a checksum leaves out the row of a checksum of a record around it.
func TestSumsInside(t *testing.T) {
	m := machineOf(t, `schema "inside" {
    order big
    root  File
}
type File {
    | 0 | 4 | Head | head                                       |
    | 4 | 2 | u16  | sum = sum16(head with Head.adjust as 0x21) |
}
type Head {
    | 0 | 2 | u16 | version                                        |
    | 2 | 2 | u16 | adjust = 0xb1b0 - sum16(File with adjust as 0) |
}`)
	const b = "\x05\x06\x86\x83\x26\x27" // 0x506 + 0x2121 is 0x2627
	v, _, err := m.Decode([]byte(b), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := m.Encode(v, interp.Options{}); err != nil || string(again) != b {
		t.Errorf("written as % x, %v", again, err)
	}
}

func checksumError(t *testing.T, err error) *interp.Error {
	t.Helper()
	e := &interp.Error{}
	if !errors.As(err, &e) || e.Kind != interp.ErrChecksum || e.Word() != "checksum" {
		t.Errorf("no checksum error: %v", err)
	}
	return e
}

// TestAnyChecksum reads a wrong checksum of a row that accepts any, and writes the right one.
func TestAnyChecksum(t *testing.T) {
	p, err := compile.Text("any.oct", []byte(`schema "any" {
    root T
}
type T {
    | 0 | 1 | u8 | sum = 0xff - sum8(a..b with b as 1) | any
    | 1 | 1 | u8 | a |
    | 2 | 1 | u8 | b |
}
`), "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := m.Decode([]byte{0, 2, 3}, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := m.Encode(v, interp.Options{}); err != nil || !bytes.Equal(b, []byte{0xfc, 2, 3}) {
		t.Errorf("%x, %v", b, err)
	}
}

// TestChecksumBesideWhole: a checksum of rows behind a checksum of the whole record is compared and computed.
func TestChecksumBesideWhole(t *testing.T) {
	m := machineOf(t, `schema "beside" { root T }
type T {
    | 0 | 1 | u8 | all = sum8(T with all as 0) |
    | 1 | 1 | u8 | sum = xor8(x) |
    | 2 | 1 | u8 | x |
}
`)
	v, _, err := m.Decode([]byte{10, 5, 5}, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := m.Encode(v, interp.Options{}); err != nil || !bytes.Equal(b, []byte{10, 5, 5}) {
		t.Errorf("%x, %v", b, err)
	}
	for at, b := range [][]byte{{11, 5, 5}, {11, 6, 5}} {
		_, _, err := m.Decode(b, interp.Options{})
		if e := checksumError(t, err); e.Offset != at {
			t.Errorf("% x: %v", b, err)
		}
	}
}
