package interp

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// TestReadUnits compares texts of UTF-16 with the standard library, in both orders, and finds the place of each damage.
func TestReadUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	runes := []rune{'a', 0, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff, '😀'}
	for _, big := range []bool{false, true} {
		order := binary.AppendByteOrder(binary.LittleEndian)
		if big {
			order = binary.BigEndian
		}
		bytesOf := func(units []uint16) (b []byte) {
			for _, u := range units {
				b = order.AppendUint16(b, u)
			}
			return b
		}
		for range 500 {
			var text []rune
			for range r.IntN(6) {
				text = append(text, runes[r.IntN(len(runes))])
			}
			units := utf16.Encode(text)
			b := bytesOf(units)
			if got, bad, why := readUnits(b, big); string(got) != string(text) || bad != 0 || why != "" {
				t.Fatalf("% x, highest byte first %v: %q, damage at %d: %s, want %q", b, big, got, bad, why, string(text))
			}
			if _, bad, why := readUnits(append(b, 0x61), big); bad != len(b) || why == "" {
				t.Fatalf("% x and half a unit: damage at %d: %s", b, bad, why)
			}
			for _, wrong := range [][]uint16{{0xd800}, {0xdfff, 0xdc00}, {0xdbff, 0x61}, {0xd800, 0xd800}} {
				if _, bad, why := readUnits(append(b, bytesOf(wrong)...), big); bad != len(b) || why == "" {
					t.Fatalf("% x and %x: damage at %d: %s", b, wrong, bad, why)
				}
			}
		}
	}
}

// TestAppendForm compares the shortest forms of numbers with the standard library. Those of more than four bytes are
// compared with the first definition of UTF-8 (RFC 2279).
func TestAppendForm(t *testing.T) {
	for _, r := range []rune{0, 1, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x15555, 0x2aaaa, 0x10ffff} {
		want := utf8.AppendRune(nil, r)
		if n := formLength(uint32(r)); n != len(want) || string(appendForm([]byte("x"), uint32(r), n)) != "x"+string(want) {
			t.Errorf("%#x has %d bytes % x, want % x", r, n, appendForm(nil, uint32(r), n), want)
		}
	}
	for value, want := range map[uint32]string{
		1<<21 - 1: "\xf7\xbf\xbf\xbf", 1 << 21: "\xf8\x88\x80\x80\x80", 1<<26 - 1: "\xfb\xbf\xbf\xbf\xbf", 1 << 26: "\xfc\x84\x80\x80\x80\x80", 1<<31 - 1: "\xfd\xbf\xbf\xbf\xbf\xbf",
	} {
		if n := formLength(value); n != len(want) || string(appendForm(nil, value, n)) != want {
			t.Errorf("%#x has %d bytes % x, want % x", value, n, appendForm(nil, value, n), want)
		}
	}
}
