package inspect

import (
	"bytes"
	"html"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

func viewer(t *testing.T, id string) *Viewer {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return viewerOf(t, s)
}

func viewerOf(t *testing.T, s *schema.Schema) *Viewer {
	t.Helper()
	p, err := compile.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	v, err := NewViewer(p, s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var array = []byte{28, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 'a', '<', 0, 0}

func show(v *Viewer, b []byte, at int, why string, opt Options) string {
	var out strings.Builder
	s := NewSheet(v, &out, b, opt)
	if at >= 0 {
		s.Mark(at, why)
	}
	s.Packet(0, len(b))
	return out.String()
}

// TestMark checks the place of a mark. It is below its byte, or at the end if the byte is not shown, and
// gives way to a fault of the bytes themselves.
func TestMark(t *testing.T) {
	v := viewer(t, "godot-4.4")
	const plain = `000000  1c 00 00 00              ....      Array, 1 element  type 28, kind 0
000004  01 00 00 00              ....      │ word 0x1  element_count 1, shared 0
000008  04 00 00 00              ....      │ [0]: String  type 4
00000c  02 00 00 00              ....      │ │ length 2
000010  61 3c                    a<        │ │ text "a<"
000012  00 00                    ..        │ │ padding
`
	lines := strings.SplitAfter(plain, "\n")
	caret := func(column int, text string) string {
		return strings.Repeat(" ", 8+3*column) + "^^" + strings.Repeat(" ", 33-3*column) + "^ " + text + "\n"
	}
	for _, c := range []struct {
		at   int
		want string
	}{
		{-1, plain},
		{17, strings.Join(lines[:5], "") + caret(1, "other") + lines[5]},
		{20, plain + "000014  ^^" + strings.Repeat(" ", 33) + "^ other, here\n"},
	} {
		if got := show(v, array, c.at, "other", Options{Width: 90, Row: 8}); got != c.want {
			t.Errorf("mark at %d:\n%swant\n%s", c.at, got, c.want)
		}
	}
	cut := show(v, array[:14], 1, "other", Options{Width: 90, Row: 8})
	if strings.Contains(cut, "other") || !strings.Contains(cut, "^ the input ends too early") {
		t.Errorf("a fault does not come before a mark:\n%s", cut)
	}
}

// The number of an arm has the name that its schema gives it.
func TestWord(t *testing.T) {
	note := []byte("MThd\x00\x00\x00\x06\x00\x00\x00\x01\x00\x60MTrk\x00\x00\x00\x04\x00\x93\x3c\x40")
	if got := show(viewer(t, "midi"), note, -1, "", Options{Width: 120, Row: 8}); !strings.Contains(got, "note_on  status 147, channel 3") {
		t.Errorf("the status has no name:\n%s", got)
	}
}

// The bits that select the arm are shown once and count as known, wherever they are in the word. A number is shown
// if it is 0, too; a flag is not.
func TestSelectingBits(t *testing.T) {
	s, err := compile.Resolve("bits.oct", []byte(`schema "bits" { root U }
union U by kind {
    | 0 | 1 | u8 | w | "word" {
        5..7 kind "kind"
    }
}
arm U 5 five {
    w {
        4     flag  "flag"
        1..3  level "level"
    }
    | 1 | 1 | u8 | x | "x"
}
arm U else other {
    w {
        5..7 kind "kind"
    }
    | 1 | 1 | u8 | x | "x"
}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	v := viewerOf(t, s)
	for word, want := range map[byte]string{
		0xa0: "five  kind 5, level 0\n",
		0xbe: "five  kind 5, flag, level 7\n",
		0xa1: "five  kind 5, level 0, other bits 0x1\n",
		0xc0: "other  kind 6\n",
	} {
		if got := show(v, []byte{word, 9}, -1, "", Options{Width: 100}); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// A painter sees all of the text, so that one for a page can escape it.
func TestPainter(t *testing.T) {
	v := viewer(t, "godot-4.4")
	b := append([]byte{4, 0, 0, 0, 17, 0, 0, 0}, "<b>&\"'<script>\u202e\x00\x00\x00"...)
	page := show(v, b, 3, "a < b", Options{Width: 90, Row: 8, Paint: func(s Style, text string) string {
		return "<i>" + html.EscapeString(text) + "</i>"
	}})
	bare := strings.NewReplacer("<i>", "", "</i>", "").Replace(page)
	if strings.ContainsAny(bare, "<>") {
		t.Errorf("text is not escaped:\n%s", page)
	}
	if plain := show(v, b, 3, "a < b", Options{Width: 90, Row: 8}); html.UnescapeString(bare) != plain {
		t.Errorf("painted\n%swithout\n%s", html.UnescapeString(bare), plain)
	}
	colored := show(v, b, 3, "a < b", Options{Width: 90, Row: 8, Paint: Color})
	if !strings.Contains(colored, "\x1b[31;1m^ a < b") {
		t.Errorf("no colour:\n%q", colored)
	}
}

// TestTupleNames shows the names of the numbers in the elements of an array.
func TestTupleNames(t *testing.T) {
	s, err := compile.Resolve("tuples.oct", []byte(`schema "tuples" { root T }
type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | 1+i*4 | 2 | u16 | address |
        | 3+i*4 | 2 | u16 | size    |
    }
}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(viewerOf(t, s), []byte{1, 5, 0, 6, 0}, -1, "", Options{Width: 100}), "list 1 element of address size\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

// TestLongPaths leaves out the middle of a path of more than 80 characters, unless paths are asked for.
func TestLongPaths(t *testing.T) {
	v, deep := viewer(t, "godot-4.4"), bytes.Repeat([]byte{28, 0, 0, 0, 1, 0, 0, 0}, 40)
	deep = append(deep, 0, 0, 0, 0)
	full := strings.Repeat("[0]", 40)
	if got, want := show(v, deep, -1, "", Options{Width: 1000}), "  at "+interp.ClipPath(full)+"\n"; !strings.Contains(got, want) || strings.Contains(got, full) {
		t.Errorf("%q is not in\n%s", want, got)
	}
	if got := show(v, deep, -1, "", Options{Width: 1000, Paths: true}); !strings.Contains(got, full) {
		t.Errorf("%q is not in\n%s", full, got)
	}
}

func TestTree(t *testing.T) {
	v := viewer(t, "godot-4.4")
	val, _, err := v.print.Machine().Decode(array, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	NewTree(v.print, &out).Print(val)
	if want := "Array, 1 element\n└─ [0]: String \"a<\"\n"; out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

// TestBetween: bytes that a row keeps between others are no padding.
func TestBetween(t *testing.T) {
	s, err := compile.Resolve("between.oct", []byte(`schema "between" { root T }
type T {
    | 0   | 1 | u8            | at   |
    | @at | 1 | u8            | x    |
    | @   | G | u8[until end] | gaps |
}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	v := viewerOf(t, s)
	for packet, text := range map[string]string{"\x02\x07\x05": "bytes between", "\x02\x00\x05": "padding\n"} {
		if got := show(v, []byte(packet), -1, "", Options{}); !strings.Contains(got, text) {
			t.Errorf("%x is shown without %q:\n%s", packet, text, got)
		}
	}
}
