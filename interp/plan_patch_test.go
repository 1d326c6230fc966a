package interp_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// TestSizeBesideBits writes words with the size of a record and other bits, by plans and by the instructions. The
// words have all widths and both orders of bytes.
func TestSizeBesideBits(t *testing.T) {
	for _, width := range []int{1, 2, 4, 8} {
		for _, order := range []string{"big", "little"} {
			m := machineOf(t, fmt.Sprintf(`schema "patch" {
    order %s
    root T
}
type T {
    | 0 | 1 | u8 | count_ = count(list) |
    repeat count_ as list { | P | N | Part | part | }
}
type Part {
    | 0 | %d | u%d | w | {
        0..2 a
        3..%d n = size(x)
    }
    | %d | n | X | x |
    | P | 1 | u8 | last |
}
type X {
    | 0 | 1 | u8 | y |
    | 1 | 1 | u8 | z | if y == 7
}`, order, width, 8*width, 8*width-1, width))
			packet := []byte{3}
			for a, x := range []string{"\x05", "\x07\x09", "\x06"} {
				word := make([]byte, width)
				at := 0
				if order == "big" {
					at = width - 1
				}
				word[at] = byte(a+5) | byte(len(x)<<3)
				packet = append(append(append(packet, word...), x...), 0xee)
			}
			v, _, err := m.Decode(packet, interp.Options{})
			if err != nil {
				t.Fatalf("%d bytes, %s: %v", width, order, err)
			}
			b, err := m.Encode(v, interp.Options{})
			b2, err2 := m.AppendObserved(nil, v, interp.Options{}, interp.ObserverFunc(func(*interp.Event) {}))
			if err != nil || err2 != nil || !bytes.Equal(b, packet) || !bytes.Equal(b2, packet) {
				t.Errorf("%d bytes, %s: % x, %v; by the instructions % x, %v; want % x", width, order, b, err, b2, err2, packet)
			}
			packet[1] ^= 0xf8
			packet[width] ^= 0xf8 // another size
			_, _, err = m.Decode(packet, interp.Options{})
			_, _, err2 = m.DecodeObserved(packet, interp.Options{}, interp.ObserverFunc(func(*interp.Event) {}))
			if fmt.Sprint(err) != fmt.Sprint(err2) || width > 1 && err == nil {
				t.Errorf("%d bytes, %s: % x: %v; by the instructions %v", width, order, packet, err, err2)
			}
		}
	}
}

// TestScaledSize writes a word with a quarter of the size of a record, up to the largest that it holds. It
// does so by plans and by the instructions.
func TestScaledSize(t *testing.T) {
	m := machineOf(t, `schema "scaled" {
    order big
    root T
}
type T {
    | 0 | 1 | u8 | n = size(x) / 4 |
    | 1 | n*4 | X | x | check size(x) % 4 == 0
    | P | 1 | u8 | last |
}
type X {
    | 0 | 4 | u32 | m = count(list) |
    | 4 | m*4 | u32[m] | list |
}`)
	v, _, err := m.Decode([]byte("\x01\x00\x00\x00\x00\x07"), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n, fits := range map[int]bool{0: true, 1: true, 127: true, 254: true, 255: false, 256: false, 1000: false} {
		cells := slices.Clone(v.Cells())
		cells[0] = interp.MakePacked(cells[0].Tag(), bytecode.U32, 1, make([]byte, 4*n))
		w := v.WithCells(cells)
		b, err := m.Encode(w, interp.Options{})
		b2, err2 := m.AppendObserved(nil, w, interp.Options{}, interp.ObserverFunc(func(*interp.Event) {}))
		var e *interp.Error
		if fmt.Sprint(err) != fmt.Sprint(err2) || !bytes.Equal(b, b2) || fits != (err == nil) || !fits && (!errors.As(err, &e) || e.Kind != interp.ErrRange) {
			t.Errorf("%d numbers: %d bytes, %v; by the instructions %d, %v", n, len(b), err, len(b2), err2)
		}
		if fits && (len(b) != 6+4*n || int(b[0]) != n+1 || b[len(b)-1] != 7) {
			t.Errorf("%d numbers: % x", n, b)
		}
	}
}
