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
    | 1 | 1 or 4 | by big { 0 u8, 1 u32 } | n = count(bytes) | "n"
    repeat n as bytes { | P | 1 | u8 | b | "byte" }
`, []string{"00 00", "00 02 aabb", "01 2c010000" + strings.Repeat("07", 300)}},
	{"count in three forms", `
    | 0 | 1 | u8 | size = (count(list) > 0) + (count(list) > 255) |
    if size != 0 { | 1 | 1 or 2 | by size { 1 u8, 2 u16 } | n = count(list) | }
    | P | N | u16[n] | list |
    check n == 0 || size != 0 "x"
`, []string{"00", "01 01 0500", "02 0001" + strings.Repeat("0300", 256)}},
	{"stored in two forms, used", `
    | 0 | 1 | u8 | kind |
    if kind != 0 { | 1 | 1 or 2 | by kind { 1 u8, 2 u16 } | x | }
    | E | 1 | u8 | end | check x < 300 "x" check x != 7 "y"
`, []string{"00 00", "01 05 00", "02 2001 00"}},
	{"bits in two forms", `
    | 0 | 1 | u8 | kind |
    | 1 | 2 or 1 | by kind { 1..2 u16, 3 u8 } | w | { 0 a  1..3 b }
    | E | 1 | u8 | end | check b < 7 "x"
`, []string{"01 0d00 00", "02 0100 00", "03 0d 00"}},
	{"number of a form", `
    | 0 | 1 | u8 | width = form(x) |
    | 1 | 1 or 2 or 8 | by width { 1 u8, 2 u16, 0xff u64 } | x |
    | E | 1 | u8 | short = form(m) |
    | E+1 | 1 or 2 | by short { 1 i8, 0 i16 } | m = count(list) - 3 | any
    repeat m + 3 as list { | P | 1 | u8 | b | }
`, []string{"01 ff 01 fd", "02 0001 01 fe 05", "ff ffffffffffffffff 01 fd"}},
	{"forms of text", `
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | n = len(text) |
    | 2 | N | by kind { 0..127 utf8[n], 128 utf8[n + 0] } | text |
`, []string{"00 02 6162", "80 01 61"}},
	{"branches", `
    | 0 | 1 | u8 | kind |
    if kind == 1 { | 1 | 1 | u8 | n = len(text) | } else { | 1 | 1 | u8 | other | }
    if kind == 1 { | P | N | utf8[n] | text | }
    | E | 1 | u8 | end | check n < 5 "n"
`, []string{"00 09 00", "01 02 6162 00"}},
	{"size of a row in two forms", `
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | s = size(a) | any
    | 2 | 1 or 2 | by kind { 1 u8, 2 u16 } | a |
    | P | 1 | u8 | end |
`, []string{"01 01 07 05", "02 02 0001 05"}},
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

// A reader refuses a number of no form, and a number in a longer form than it needs.
func TestFormsAccepted(t *testing.T) {
	for _, c := range []struct{ name, text, packet, want string }{
		{"no form", "| 0 | 1 | u8 | kind |\n| 1 | 1 or 2 | by kind { 1 u8, 2 u16 } | x |", "03 00 00", "kind has a number that no form of x has"},
		{"a form of several numbers", "| 0 | 1 | u8 | kind |\n| 1 | 1 or 2 | by kind { 1..3, 7 u8, 9 u16 } | x |", "07 00", ""},
		{"a longer form", "| 0 | 1 | u8 | kind = form(x) |\n| 1 | 1 or 2 | by kind { 1 u8, 2 u16 } | x |", "02 00 ff", "x has a shorter form"},
		{"a longer form of a computed number", "| 0 | 1 | u8 | kind = form(n) |\n| 1 | 1 or 2 | by kind { 1 i8, 2 i16 } | n = len(t) |\n| P | N | utf8[n] | t |", "02 00 01 61", "n has a shorter form"},
		{"a form that is needed", "| 0 | 1 | u8 | kind = form(x) |\n| 1 | 1 or 2 | by kind { 1 i8, 2 i16 } | x |", "02 ff 7f", ""},
		{"any form", "| 0 | 1 | u8 | kind = form(x) |\n| 1 | 1 or 2 | by kind { 1 u8, 2 u16 } | x | any", "02 00 ff", ""},
	} {
		p, err := Text("forms.oct", []byte("schema \"forms\" {\n    order big root M\n}\ntype M {\n"+c.text+"\n}\n"), "")
		if err != nil {
			t.Fatal(c.name, err)
		}
		m, err := interp.New(p, func(i int, _ *bytecode.Type) uint16 { return uint16(i) })
		if err != nil {
			t.Fatal(err)
		}
		packet, _ := hex.DecodeString(strings.ReplaceAll(c.packet, " ", ""))
		_, _, err = m.NewReader(interp.Options{}).Read(packet)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Schemas are refused if some form loses what a writer computes.
func TestFormsRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no form for few": {`
    | 0 | 1 | u8 | flags | { 0 big = count(bytes) > 255 }
    | 1 | 4 | u32 | n = count(bytes) | if big
    repeat n as bytes { | P | 1 | u8 | b | }`, "E402: if the count of bytes is 1, a writer computes fields from which a reader computes 0"},
		"no form for many": {`
    | 0 | 1 | u8 | flags | { 0 big = count(bytes) > 255 }
    | 1 | 1 | u8 | n = count(bytes) | if !big
    repeat n as bytes { | P | 1 | u8 | b | }`, "E402: if the count of bytes is 256, a writer computes fields from which a reader computes 0"},
		"no form for some flag": {`
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | n = count(bytes) | if kind < 3
    repeat n as bytes { | P | 1 | u8 | b | }`, "E402"},
		"no form for one count": {`
    | 0 | 1 | u8 | flags | { 0 big = count(bytes) != 77 }
    | 1 | 1 | u8 | n = count(bytes) | if big
    repeat n as bytes { | P | 1 | u8 | b | }`, "E402: if the count of bytes is 77, a writer computes fields from which a reader computes 0"},
		"no form for the highest number": {`
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | n = count(bytes) | if kind != 255
    repeat n as bytes { | P | 1 | u8 | b | }`, "E402"},
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
