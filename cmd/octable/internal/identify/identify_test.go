package identify

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/godot"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The likeliest reading, where people know which it is.
func TestGuess(t *testing.T) {
	all := Candidates()
	for _, test := range []struct{ bytes, guess, framed, value string }{
		{"05000000 0000803f 00000040", "godot-4.4", "", "Vector2(1, 2)"},
		{"06000000 0000803f 00000040 00004040 00008040", "godot-3", "", "Rect2(1, 2, 3, 4)"},
		{"06000000 01000000 02000000", "godot-4.4", "", "Vector2i(1, 2)"},
		{"02000100 05000000 00000000", "godot-3.0", "", "5"},
		{"02000000 05000000", "godot-4.4", "", "5"},
		{"08000000 02000000 2a000000", "godot-4.4", "little", "42"},
		{"00000008 02000000 2a000000", "godot-4.4", "big", "42"},
		{"0c000000 05000000 0000803f 00000040 0c000000 04000000 01000000 78000000", "godot-4.4", "little", `Vector2(1, 2); "x"`},
		{"12000000 01000000 04000000 01000000 61000000 02000000 01000000", "godot-3", "", `{"a": 1}`},
		{"1b000000 01000000 04000000 01000000 61000000 02000000 01000000", "godot-4.4", "", `{"a": 1}`},
		{"1c000100 02000000 01000000 02000000 01000000", "godot-4.4", "", "Array[int]([1])"},
		{"05000100 00000000 0000f03f 00000000 00000040", "godot-4.4+double", "", "Vector2(1, 2)"},
		{"26000000 01000000 0000803f 00000040 00004040 00008040", "godot-4.4", "", "PackedVector4Array(1, 2, 3, 4)"},
		{"18000000 0a000000 52656643 6f756e74 65640000 01000000 06000000 73637269 70740000 00000000", "godot-4.4", "", `Object(RefCounted, "script": null)`},
		{"52494646 04000000 57415645", "wave", "", "{wave: []}"},
		{"230209e8 00000e5b 00000a2e c0a80102 e9a3e5c8 00000000 e9a3e5c9 00000000 e9a3e5c9 40000000 e9a3e5c9 80000000", "ntp", "", ""},
		{"08000000 02000000 2a000000 0c000000 04000000", "godot-4.4", "", "Rect2i(2, 42, 12, 4)"},
		{"08000000 02000000 2a000000 0c000000 04000000 01000000 78000000 10000000 0c000000", "godot-4.4", "little", `42; "x"`},
		{"04000000 03000000 616263ff", "godot-4.4", "", `"abc"`},
		{"05", "", "", ""}, // an integer of CBOR, of MessagePack, or of none of them
		{"820102", "cbor", "", "{item: array([unsigned(1), unsigned(2)])}"},
	} {
		r := Read(unhex(t, test.bytes), all)
		if r.Guess != test.guess || r.Framed != test.framed {
			t.Errorf("%s: %q %q, not %q %q: %s", test.bytes, r.Guess, r.Framed, test.guess, test.framed, r.Reason)
			continue
		}
		if long := ReadLong(unhex(t, test.bytes), all); long.Guess != test.guess || long.Framed != test.framed {
			t.Errorf("%s, as a long packet: %q %q, not %q %q", test.bytes, long.Guess, long.Framed, test.guess, test.framed)
		}
		if got := r.Groups[0].Readings[0].Value; got != test.value && test.value != "" {
			t.Errorf("%s: %s, not %s", test.bytes, got, test.value)
		}
	}
}

// Every version reads back what it wrote, and is found among those that say that
// they wrote it.
func TestOwnBytes(t *testing.T) {
	all := Candidates()
	value := godot.NewArray(godot.NewInt(1<<40), godot.NewString("größe"), godot.NewDictionary(codec.Pair{Key: godot.NewInt(1), Value: godot.NewFloat(0.5)}))
	for _, c := range all {
		if c.family != engine || strings.HasPrefix(c.Spec, "godot-2") {
			continue
		}
		b, err := c.Codec.Encode(value)
		if err != nil {
			t.Fatal(c.Spec, err)
		}
		r := Read(b, all)
		if len(r.Groups) == 0 || !slices.ContainsFunc(r.Groups[0].Readings, func(x *Reading) bool { return x.Spec == c.Spec && x.Written && x.Left == 0 }) {
			t.Errorf("%s is not among the likeliest for %x: %s", c.Spec, b, r.Reason)
		}
	}
}

// TestAnyBytes: the report says if all candidates refuse the bytes, and accounts for
// every candidate.
func TestAnyBytes(t *testing.T) {
	all := Candidates()
	for _, text := range []string{"", "00", "ffffffff", "01", "04000000 ffffffff", "00000000 00000000", strings.Repeat("1c000000 01000000 ", 1100) + "00000000", strings.Repeat("00", 5000)} {
		b := unhex(t, text)
		r := Read(b, all)
		n := len(r.Refused)
		for _, g := range r.Groups {
			for _, x := range g.Readings {
				if x.Framed == "" {
					n++
				}
				if x.Used+x.Left != len(b) {
					t.Errorf("%.40s: %s takes %d and leaves %d of %d", text, x.Spec, x.Used, x.Left, len(b))
				}
			}
		}
		if n != len(all) || r.Reason == "" {
			t.Errorf("%.40s: %d of %d candidates, %q", text, n, len(all), r.Reason)
		}
		var out strings.Builder
		if err := r.WriteText(&out, 80); err != nil || len(out.String()) > 16<<10 {
			t.Errorf("%.40s: %d bytes of text, %v", text, out.Len(), err)
		}
	}
}

// A format that accepts nearly everything is no guess, and the bytes of a strict one are found
// beside it.
func TestByChance(t *testing.T) {
	c, err := compiler.New(`schema "anything" { root T }
type T { | 0 | R | u8[until end] | bytes | "any bytes" }`)
	if err != nil {
		t.Fatal(err)
	}
	all := append(Candidates(), Own("anything", c))
	for bytes, guess := range map[string]string{
		"ff":                               "",
		"fffefdfcfbfaf9f8f7f6f5":           "",
		"52494646 04000000 57415645":       "wave",
		"05000000 0000803f 00000040":       "godot-4.4",
		"4d546864 00000006 0000 0000 0060": "midi",
		"81a3666f6f03":                     "msgpack",
		"7f454c46":                         "elf64", // its signature
		"0061736d 01000000":                "wasm",
	} {
		r := Read(unhex(t, bytes), all)
		if r.Guess != guess {
			t.Errorf("%s: %q, not %q: %s", bytes, r.Guess, guess, r.Reason)
		}
		last := r.Groups[len(r.Groups)-1].Readings[0]
		if guess != "" && last.Random < 50 {
			t.Errorf("%s: the last reading is that of %s, which %d random inputs have", bytes, last.Spec, last.Random)
		}
	}
}

// TestOwnSchema prefers a schema of the caller's own to a value of Godot that is read by chance. The schema would write other
// bytes.
func TestOwnSchema(t *testing.T) {
	c, err := compiler.New(`schema "mysql" { root T }
type T {
    | 0 | 3      | u24           | length = size(body) | "bytes"
    | 3 | 1      | u8            | sequence            | "number"
    | 4 | length | Body          | body                | "content"
}
type Body {
    | 0 | 1 | u8                | version = 10 | "of the protocol"
    | 1 | 2 | u16               | flags        | "capabilities" { 0 known rest any }
    | 3 | R | ascii[until "00"] | name         | "name"
    | P | S | u8[until end]     | salt         | "random bytes"
}`)
	if err != nil {
		t.Fatal(err)
	}
	r := Read(unhex(t, "10000000 0a382e30 2e333600 09000000 31323334"), append(Candidates(), Own("mysql", c)))
	if r.Guess != "mysql" || !strings.HasSuffix(r.Reason, "is of a schema that was not asked for") {
		t.Errorf("%s: %s", r.Guess, r.Reason)
	}
}

// A damaged file is of the format whose signature it begins with, even if another format reads any bytes.
func TestDamaged(t *testing.T) {
	all := Candidates()
	const png = "89504e470d0a1a0a 0000000d 49484452 00000001 00000001 08 00 00 00 00 3a7e9b55 0000000a 49444154 78da6360000000020001 e527defc 00000000 49454e44 ae426082"
	for _, test := range []struct{ bytes, guess string }{
		{png, "png"},
		{strings.Replace(png, "3a7e9b55", "3a7e9b54", 1), "png"},
		{png[:len(png)-40], "png"},
		{"d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000 00000000 00000000 00000040 00000040" + strings.Repeat(" 00000000", 4), "pcap"},
		{"52494646 04000000 57415644", "wave"}, // another form: eight bytes are those of the signature
		{"7f454c47 02010100 00000000 00000000" + strings.Repeat(" 00000000", 12), ""},
	} {
		r := Read(unhex(t, test.bytes), all)
		if test.guess == "" {
			if r.Damaged != nil {
				t.Errorf("%s: the guess is %s: %s", test.bytes, r.Damaged.Spec, r.Reason)
			}
			continue
		}
		if r.Guess != test.guess || r.Best().Spec != test.guess {
			t.Errorf("%s: %q, not %q: %s", test.bytes, r.Guess, test.guess, r.Reason)
		}
		if r.Best().Accepted == (r.Damaged != nil) {
			t.Errorf("%s: %+v", test.bytes, r.Best())
		}
	}
}
