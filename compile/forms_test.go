package compile

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// forms are schemas with fields that are read in several forms, or only under a
// condition, and packets.
var forms = []struct {
	name, text string
	packets    []string
}{
	{"count in two forms", `
    | 0 | 1 | u8 | flags | "" { 0 big = count(bytes) > 255 "w" }
    | 1 | 1 | u8  | n = count(bytes) | "n" if !big
    | 1 | 4 | u32 | n = count(bytes) | "n" if big
    repeat n as bytes { | P | 1 | u8 | b | "byte" }
`, []string{"00 00", "00 02 aabb", "01 2c010000" + strings.Repeat("07", 300)}},
	{"count in three forms", `
    | 0 | 1 | u8 | size = (count(list) > 0) + (count(list) > 255) |
    | 1 | 1 | u8  | n = count(list) | if size == 1
    | 1 | 2 | u16 | n = count(list) | if size == 2
    | P | N | u16[n] | list |
    check n == 0 || size != 0 "x"
`, []string{"00", "01 01 0500", "02 0001" + strings.Repeat("0300", 256)}},
	{"stored in two forms, used", `
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | x | if kind == 1
    | 1 | 2 | u16 | x | if kind == 2
    | E | 1 | u8 | end | check x < 300 "x" check x != 7 "y"
`, []string{"00 00", "01 05 00", "02 2001 00"}},
	{"bits in two forms", `
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | w | { 0 a  1..3 b } if kind == 1
    | 1 | 2 | u16 | w | { 0..7 c  8 a } if kind == 2
    | E | 1 | u8 | end | check c < 9 && b < 7 "x"
`, []string{"00 00", "01 0d 00", "02 0801 00"}},
	{"branches", `
    | 0 | 1 | u8 | kind |
    if kind == 1 { | 1 | 1 | u8 | n = len(text) | let m = n } else { | 1 | 1 | u8 | other | }
    if kind == 1 { | P | N | utf8[m] | text | }
    | E | 1 | u8 | end | check m < 5 "m"
`, []string{"00 09 00", "01 02 6162 00"}},
	{"size of a row in two forms", `
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | s = size(a) | any
    | 2 | 1 | u8 | a | if kind == 1
    | 2 | 2 | u16 | a | if kind == 2
    | P | 1 | u8 | end |
`, []string{"00 00 05", "01 01 07 05", "02 02 0001 05"}},
}

// A field has one value in all its forms, and the number 0 if no form is there.
func TestForms(t *testing.T) {
	for _, c := range forms {
		t.Run(c.name, func(t *testing.T) {
			p, err := Text("forms.oct", []byte("schema \"forms\" {\n    root M\n}\ntype M {"+c.text+"}\n"), "")
			if err != nil {
				t.Fatal(err)
			}
			m, err := interp.New(p, func(i int, _ *bytecode.Type) uint16 { return uint16(i) })
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range c.packets {
				packet, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
				if err != nil {
					t.Fatal(err)
				}
				v, used, err := m.NewReader(interp.Options{}).Read(packet)
				if err != nil || used != len(packet) {
					t.Errorf("%.40s: read %d: %v", text, used, err)
					continue
				}
				if got, err := m.Append(nil, v, interp.Options{}); err != nil || !bytes.Equal(got, packet) {
					t.Errorf("%.40s: written as % .20x: %v", text, got, err)
				}
			}
			generated(t, m)
		})
	}
}

// generated writes values at random: a reader reads what is written.
func generated(t *testing.T, m *interp.Machine) {
	t.Helper()
	g, err := m.NewGenerator(interp.GenerateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		choices := make(interp.Choices, i)
		for k := range choices {
			choices[k] = byte(r.Uint32())
		}
		v, _ := g.Generate(choices)
		b, err := m.Append(nil, v, interp.Options{})
		if err != nil {
			t.Fatalf("choices % x: %v", choices, err)
		}
		w, used, err := m.NewReader(interp.Options{}).Read(b)
		if err != nil || used != len(b) {
			t.Fatalf("choices % x: % x: read %d: %v", choices, b, used, err)
		}
		if again, err := m.Append(nil, w, interp.Options{}); err != nil || !bytes.Equal(b, again) {
			t.Fatalf("choices % x: % x written again as % x: %v", choices, b, again, err)
		}
	}
}

// Schemas are refused if some form loses what a writer computes.
func TestFormsRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no form for few": {`
    | 0 | 1 | u8 | flags | { 0 big = count(bytes) > 255 }
    | 1 | 4 | u32 | n = count(bytes) | if big
    repeat n as bytes { | P | 1 | u8 | b | }`, "E402: where the count of bytes is 1, a writer computes fields from which a reader takes 0"},
		"no form for many": {`
    | 0 | 1 | u8 | flags | { 0 big = count(bytes) > 255 }
    | 1 | 1 | u8 | n = count(bytes) | if !big
    repeat n as bytes { | P | 1 | u8 | b | }`, "E402: where the count of bytes is 256, a writer computes fields from which a reader takes 0"},
		"no form for some flag": {`
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | n = count(bytes) | if kind < 3
    repeat n as bytes { | P | 1 | u8 | b | }`, "E402"},
		"other values": {`
    | 0 | 1 | u8 | flags | { 0 big = count(bytes) > 255 }
    | 1 | 1 | u8 | n = count(bytes) | if !big
    | 1 | 4 | u32 | n = count(bytes) - 256 | if big
    repeat n as bytes { | P | 1 | u8 | b | }`, "E402: the forms of n are computed differently"},
		"in a branch": {`
    | 0 | 1 | u8 | kind |
    if kind == 5 { | 1 | 1 | u8 | n = count(bytes) | }
    repeat n as bytes { | P | 1 | u8 | b | }`, "E402"},
		"size in a branch": {`
    | 0 | 1 | u8 | kind |
    if kind == 5 { | 1 | 1 | u8 | n = size(a) | any }
    | P | 1 | u8 | a |`, "E401: n holds the size of a, but is not always there if that is"},
	} {
		_, err := Text("forms.oct", []byte("schema \"forms\" {\n    root M\n}\ntype M {"+c.text+"\n}\n"), "")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
