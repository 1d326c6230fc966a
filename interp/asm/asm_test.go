package asm_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	. "github.com/octable/octable/interp/asm"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/spec"
)

func load(t testing.TB, id string) (*schema.Schema, *Assembler) {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return s, assembler(t, s)
}

// assemblerOf returns an Assembler for the text of a schema.
func assemblerOf(t *testing.T, source string) *Assembler {
	t.Helper()
	s, err := compile.Resolve("test.oct", []byte(source), nil)
	if err != nil {
		t.Fatal(err)
	}
	return assembler(t, s)
}

func assembler(t testing.TB, s *schema.Schema) *Assembler {
	t.Helper()
	p, err := compile.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.NewUnfused(p, func(i int, _ *bytecode.Type) uint16 { return uint16(i + 1) })
	if err != nil {
		t.Fatal(err)
	}
	return New(notation.Of(m))
}

// examples returns the examples of packets of a schema.
func examples(s *schema.Schema) (out []*schema.Example) {
	for _, b := range s.Bodies() {
		if b.Type == s.Root.Name {
			out = append(out, b.Examples...)
		}
	}
	return out
}

// TestExamples: the text of every example, whole and cut, gives its bytes back. The text of a
// canonical one is not exact.
func TestExamples(t *testing.T) {
	for _, id := range long.Part(3, spec.All()) {
		s, a := load(t, id)
		for _, x := range examples(s) {
			for n := len(x.Bytes); n >= 0; n -= 1 + len(x.Bytes)/50 {
				for _, brief := range []bool{false, true} {
					text, form := a.Disassemble(x.Bytes[:n], Options{Brief: brief})
					got, err := a.Assemble(text)
					if err != nil || !bytes.Equal(got, x.Bytes[:n]) {
						t.Fatalf("%s: %x becomes %x, %v:\n%s", id, x.Bytes[:n], got, err, text)
					}
					want := Full
					if brief {
						want = Brief
					}
					if n == len(x.Bytes) && x.Value != nil && x.Again == nil && x.Choice == nil && form != want {
						t.Errorf("%s: the text of a canonical packet has form %d:\n%s", id, form, text)
					}
				}
			}
		}
	}
}

// TestDamagedTexts: a damaged text gives an Error with a place, or a packet that goes through its own
// text unchanged.
func TestDamagedTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 18))
	parts := []string{"{", "}", "[", "]", "<", ">", "=", "!=", "@5 ", "@0x10 ", "//", "\"", "key ", "exact ", "?", ":", "-1", "18446744073709551616", "<ff>", "nan", "\xff", "none"}
	for _, id := range []string{"godot-4.4", "png", "dns", "opentype", "pck", "msgpack", "tar", "pcap"} {
		s, a := load(t, id)
		refused := 0
		for _, x := range examples(s) {
			whole, _ := a.Disassemble(x.Bytes, Options{})
			for range 60 {
				text := slices.Clone(whole)
				for range 1 + random.IntN(3) {
					at, n := random.IntN(len(text)+1), random.IntN(12)
					switch random.IntN(3) {
					case 0:
						text = slices.Delete(text, at, min(at+n, len(text)))
					case 1:
						text = slices.Insert(text, at, text[at:min(at+n, len(text))]...)
					default:
						text = slices.Insert(text, at, []byte(parts[random.IntN(len(parts))])...)
					}
				}
				b, err := a.Assemble(text)
				if err != nil {
					refused++
					var e *Error
					if !errors.As(err, &e) || e.Line < 1 || e.Column < 1 || e.Line > 1+bytes.Count(text, []byte("\n")) || e.Message == "" {
						t.Fatalf("%s: error %#v of the text\n%s", id, err, text)
					}
					continue
				}
				again, _ := a.Disassemble(b, Options{})
				if got, err := a.Assemble(again); err != nil || !bytes.Equal(got, b) {
					t.Fatalf("%s: %x becomes %x, %v:\n%s", id, b, got, err, again)
				}
			}
		}
		t.Log(id, refused, "texts are refused")
	}
}

// TestStale: lines with = that a writer computes otherwise are found, and no others.
func TestStale(t *testing.T) {
	_, a := load(t, "godot-4.4")
	for text, want := range map[string]string{
		`String { length = 3 text "abc" }`:                              "",
		`String { length 9 text "abc" }`:                                "",
		`String { length = 9 text "abc" }`:                              "2:10",
		`String { header = 5 text "abc" }`:                              "2:10",
		`String { text "abc" text.padding = <01> }`:                     "2:21",
		`Array { word = 2 elements [ String { length = 1 text "" } ] }`: "2:9 2:38",
	} {
		var got []string
		for _, e := range a.Stale([]byte("packet godot-4.4\n" + text)) {
			got = append(got, fmt.Sprintf("%d:%d", e.Line, e.Column))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}

// TestRefused: an error of the writer is at the line that it is about.
func TestRefused(t *testing.T) {
	_, a := load(t, "png")
	for text, want := range map[string]string{
		"File {\n width 1 height 1 bit_depth 8\n}": "2:1",
		"File {\n width 1 height 1 bit_depth 8 colour_type 0 interlace 0 chunks [\n { type \"IDAT\" data IDAT { data <> } }\n { type \"tIME\"\n data tIME { year 1 month 13 day 1 hour 1 minute 1 second 1 } } ] }": "6:21",
	} {
		_, err := a.Assemble([]byte("packet png\n" + text))
		var e *Error
		if !errors.As(err, &e) || fmt.Sprintf("%d:%d", e.Line, e.Column) != want {
			t.Errorf("%s: error %v, want one at %s", text, err, want)
		}
	}
}

// TestWrongLines: lines are kept as they are written, and the others are computed around them.
func TestWrongLines(t *testing.T) {
	_, a := load(t, "godot-4.4")
	for _, c := range []struct{ text, want string }{
		{`String { text "abc" }`, "04000000 03000000 61626300"},
		{`String { length 9 text "abc" }`, "04000000 09000000 61626300"},
		{`String { length 9 != 3 text "abc" }`, "04000000 09000000 61626300"},
		{`String { header = 5 length = 3 text "abc" }`, "05000000 03000000 61626300"},
		{`String { length <ff> text "abc" }`, "04000000 ff 61626300"},
		{`String { text "abc" <ff> }`, "04000000 03000000 ff00"},
		{`String { text "abc" text.padding <01 02> }`, "04000000 03000000 6162630102"},
		{`String { text "abc" text.padding <> }`, "04000000 03000000 616263"},
		{`String { text "abc" } <07>`, "04000000 03000000 61626300 07"},
		{`String { <07> text "abc" }`, "07 04000000 03000000 61626300"},
		{"String { length 3\n<07> text \"abc\" }", "04000000 03000000 07 61626300"},
		{`String { length 3 <07> text "abc" }`, "04000000 07 61626300"},
		{`Array { elements [ Nil {} String { length 1 text "" } ] }`, "1c000000 02000000 00000000 04000000 01000000"},
		{`:2 { value:i32 1 }`, "02000000 01000000"},
		{`Array { word 7 elements [] }`, "1c000000 07000000"},
		{`int { value:i64 1 }`, "02000100 0100000000000000"},
		{`int { header 2 value:i64 1 }`, "02000000 0100000000000000"},
		{`bool { value true <02000000> }`, "01000000 02000000"},
		{`Dictionary { pairs [ key int { value:i32 1 } value Nil {} ] }`, "1b000000 01000000 02000000 01000000 00000000"},
	} {
		got, err := a.Assemble([]byte("packet godot-4.4\n" + c.text))
		want, _ := hex.DecodeString(strings.ReplaceAll(c.want, " ", ""))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is %x, %v, want %x", c.text, got, err, want)
		}
	}
}

// TestHeader: the first line has the name of the schema, and a text that is refused has no stale lines.
func TestHeader(t *testing.T) {
	_, a := load(t, "godot-4.4")
	if got := a.Stale([]byte("packet godot-4.4\nString {")); got != nil {
		t.Errorf("lines of a text that is refused are stale: %v", got)
	}
	if name, err := Schema([]byte("packet png\nFile {}")); err != nil || name != "png" {
		t.Errorf("the schema is %q, %v", name, err)
	}
}

// TestMessages checks that a text that gives no packet has an error at the place of the mistake. The error says what to
// change.
func TestMessages(t *testing.T) {
	for _, c := range []struct{ schema, text, want string }{
		{"godot-4.4", "", "1:1: the text is empty; begin it with packet"},
		{"godot-4.4", "packet godot-4.4 wrong\nNil {}", `1:1: only open and exact may follow the name of the schema, not "wrong"`},
		{"godot-4.4", "packet godot-4.4 exact\n@4000000000 <00>", "2:2: the place after @ is the number of a byte, up to 2147483647"},
		{"godot-4.4", "packet godot-4.4 exact\n@2000000000 <00>\n<01>", "2:12: the packet would have more than 1073741824 bytes"},
		{"godot-4.4", "packet godot-4.4\n" + strings.Repeat("Array { elements [ ", 100_001), "2:1900000: blocks are nested more than 100000 levels deep here"},
		{"godot-4.4", "packet godot-4.4\nNil {} <zz>", "2:9: raw bytes are pairs of hexadecimal digits up to >"},
		{"godot-4.4", "packet godot-4.4\nNil {} <0", "2:9: raw bytes are pairs of hexadecimal digits up to >"},
		{"godot-4.4", "packet godot-4.4\nNil { <05>", "2:11: there should be the name of a row of Nil, or }, not the end of the text"},
		{"godot-4.4", "packet godot-4.4\n:99 { value:i32 1 }", "2:1: Variant has arms 0 to 38"},
		{"godot-4.4", "packet godot-4.4\n:-1 { value:i32 1 }", "2:1: Variant has arms 0 to 38"},
		{"godot-4.4", "packet godot-4.4\n? { <05> }", "2:1: the arm is not known; write exact in the first line"},
		{"godot-4.4", "packet godot-4.4\nArray { elements [ ? { <05> } ] }", "2:19: the arm is not known"},
		{"godot-4.4", "packet godot-4.4\nDictionary { pairs [ key int { value:i32 1 } ] }", "2:14: the last key of the map has no value; add a block that begins with value"},
		{"godot-4.4", "packet godot-4.4\nDictionary { pairs [ key String { text \"a\" } value Nil {} key String { text \"a\" } value bool { value true } ] }",
			"2:21: a writer makes another packet of these lines; write exact in the first line"},
		{"godot-4.4", "packet godot-4.4\nint { value:i32 \"a\" }", `2:17: "a" is not a value of value, which is an integer`},
		{"godot-4.4", "packet godot-4.4\nint { value:i32 5000000000 }", "2:17: the row does not hold the value: byte 0: number is out of range"},
		{"godot-4.4", "packet godot-4.4\nint { value:i32 <ff> }", "2:7: the bytes are no value of the row: byte 0: the input ends too early"},
		{"godot-4.4", "packet godot-4.4\nString { text <ff fe> }", "2:10: the bytes are no value of the row: byte 0: text is not well formed"},
		{"godot-4.4", "packet godot-4.4\nString { text \"\\ud800\" }", `2:15: "\"\\ud800\"" is not a text with the escapes of Go`},
		{"godot-4.4", "packet godot-4.4\nArray { elements [ bool { value 5 } ] }", "2:33: 5 is not a value of value, which is true or false"},
		{"png", "packet png\nOther {\n}", `2:1: "Other" is not the record of the packet; write File {`},
		{"ntp", "packet ntp\ntime { }", "2:1: a writer refuses the lines: byte 0: value does not fit the schema: expected an integer, found nothing"},
	} {
		_, a := load(t, c.schema)
		b, err := a.Assemble([]byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.80s gives %x, %v, want the error %s", c.text, b, err, c.want)
		}
	}
}

const archive = `schema "archive" { root Archive }

type Archive {
    | 0   | 1 | u8   | at    | "where the first name is"
    | 1   | 1 | u8   | again | "where the second name is"
    | @at | X | Name | first | "a name"
    | @again | Y | Name | second | "a name"
    | 2   | 4 | Mark | mark | "a mark"
}
type Name {
    | 0 | 1 | u8      | n = len(text) | "bytes"
    | 1 | n | utf8[n] | text          | "a text"
    | 1+n | 1 | u8 | more | "a number"
}
type Mark {
    | 0 | 3 | Inner | inner | "numbers"
    | 3 | 1 | u8    | z     | "a number"
}
type Inner {
    | 0 | 1 | u8  | x | "a number"
    | 1 | 2 | u16 | y | "a number"
}
`

// TestParts: a line of a part that is there twice is changed in both places, or the text is refused. An error of a
// value without a line is at the line around it.
func TestParts(t *testing.T) {
	a := assemblerOf(t, archive)
	const both = "first { text \"ab\" more 5 } second { text \"ab\" more 5 } "
	const head = "packet archive\nArchive { at 6 again 6 mark { inner { x 7 y 8 } z 9 }\n"
	for _, c := range []struct{ text, want string }{
		{"first { text \"ab\" more 5 }\nsecond { text \"ab\" more <05> } }", "06 06 07 08 00 09 02 6162 05"},
		{"first { n 3 text \"ab\" more 5 }\nsecond { n 3 text \"ab\" more <05> } }", "06 06 07 08 00 09 03 6162 05"},
		{"first { n 3 text \"ab\" more 5 }\nsecond { n 4 text \"ab\" more <05> } }", "4:10: the bytes of this line are those of another line, too, which differs"},
	} {
		got, err := a.Assemble([]byte(head + c.text))
		text := fmt.Sprintf("% x", got)
		if err != nil {
			text = err.Error()
		}
		want := strings.ReplaceAll(c.want, " 6162 ", " 61 62 ")
		if !strings.HasPrefix(text, want) {
			t.Errorf("%s is %s, want %s", c.text, text, want)
		}
	}
	for mark, want := range map[string]string{"": "2:1", "mark { z 9 }": "2:79"} {
		_, err := a.Assemble([]byte("packet archive\nArchive { at 6 again 6 " + both + mark + " }"))
		if err == nil || !strings.HasPrefix(err.Error(), want+": a writer refuses the lines") {
			t.Errorf("%s: error %v, want one at %s", mark, err, want)
		}
	}
}

// TestBytes: of the bytes beside a line, at most 16 are shown.
func TestBytes(t *testing.T) {
	a := assemblerOf(t, `schema "bytes" { root T }
type T {
    | 0 | 17 | u8[17] | data   | "bytes"
    | 17 | 1 | u8     | packet | "a number"
}
`)
	text, _ := a.Disassemble(make([]byte, 18), Options{Bytes: true})
	if want := "// 000000 " + strings.Repeat(" 00", 16) + " …\n"; !strings.Contains(string(text), want) {
		t.Errorf("%s\nlacks %s", text, want)
	}
}

// TestSplit checks that a packet begins with a line of the word packet and the name of a schema. A row may be named
// packet.
func TestSplit(t *testing.T) {
	text := "packet outer\nT {\npacket [\n]\npacket {\n}\npacket\nx\n}\n// second\npacket outer exact\n<00>\n"
	parts := Split([]byte(text))
	if len(parts) != 2 || parts[0].Name != "" || parts[1].Name != "second" || parts[1].Line != 10 {
		t.Errorf("%+v", parts)
	}
}
