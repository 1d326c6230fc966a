package notation_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

const source = `schema "small" {
    order big
    root  Batch
}

type Batch {
    | 0 | 4 | code4 | magic                    | "letters"
    | 4 | 2 | u16   | count_ = count(messages) | "number of messages"
    repeat count_ as messages {
        | P | N | Message | message | "a message"
    }
}

union Message by kind {
    | 0 | 1 | u8 | kind | "kind"
}

arm Message 0 Ping {}

arm Message 1 Say {
    | 1 | 1 | u8           | length = len(text) | "length in bytes"
    | 2 | N | utf8[length] | text               | "the text"
}

arm Message 2 Sample {
    | 1 | 8 | u64 | time  | "time"
    | 9 | 4 | f32 | level | "level"
}

arm Message 3 Point {
    | 1 | 4 | i16[2] | at | "a place"
}

arm Message 4 Nested {
    | 1 | N | Message | inner | "a message"
}
`

func small(t *testing.T) *notation.Notation { return notationOf(t, source) }

func notationOf(t *testing.T, source string) *notation.Notation {
	t.Helper()
	p, err := compile.Text("test.oct", []byte(source), "")
	if err != nil {
		t.Fatal(err)
	}
	n, err := notation.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Texts are read in any spelling and printed in one.
func TestParse(t *testing.T) {
	n := small(t)
	for text, want := range map[string]string{
		`{magic: "RIFF", messages: []}`:                                                       "",
		`{magic: "RIFF", messages: [Ping, Say("hi\n\"\xff"), Point(1, -2)]}`:                  "",
		`{magic: "RIFF", messages: [Sample({time: 18446744073709551615, level: 0.1})]}`:       "",
		`{magic: "RIFF", messages: [Sample({time: 0, level: nan(0x7ff8000020000000)})]}`:      "",
		"{messages: [ Ping, ], // a comment\n magic: \"RIFF\"}":                               `{magic: "RIFF", messages: [Ping]}`,
		`{magic: "RIFF", messages: [Sample({time: 0xff, level: 1_000}), Point([3, 4])]}`:      `{magic: "RIFF", messages: [Sample({time: 255, level: 1000}), Point(3, 4)]}`,
		`{magic: "RIFF", messages: [Sample({level: none, time: 1}), Say({text: "a"})]}`:       `{magic: "RIFF", messages: [Sample({time: 1}), Say("a")]}`,
		`{magic: "RIFF", messages: [Nested({inner: Nested({inner: Sample({level: inf})})})]}`: "",
	} {
		v, err := n.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if want == "" {
			want = text
		}
		got, err := n.Append(nil, v, "")
		if string(got) != want || err != nil {
			t.Errorf("%s is printed as %s, %v", text, got, err)
		}
	}
}

// Errors say what is wrong, and what a schema has instead.
func TestParseErrors(t *testing.T) {
	n := small(t)
	for text, want := range map[string]string{
		``:                  `0: the text ends where a value should be`,
		`{magic: "RIFF"} 5`: `16: the value ends before "5"; remove what follows`,
		`{magic "RIFF"}`:    `7: after a name or key there should be ":", not "\""`,
		`{magic: "RIFF" 5}`: `15: there should be a comma or '}', not "5"`,
		`{magic: "RIFF`:     `8: the text that begins here has no closing quote on its line`,
		`{magic: "\q"}`:     `8: "\"\\q\"" is not a text with the escapes of Go`,
		`{magics: "RIFF"}`:  `9: Batch has no field magics; its fields are {magic: …, messages: …}`,
		`{magic: "RIF"}`:    `8: magic is 4 letters, not 3`,
		`{magic: "RIFF"} ` + strings.Repeat("a", 50):                    `16: the value ends before "` + strings.Repeat("a", 40) + `…"; remove what follows`,
		`{messages: [Ping(1, 2)]}`:                                      `17: Ping has no content`,
		`{messages: [Nested(5)]}`:                                       `19: 5 is not the fields of Nested: {inner: …}`,
		`{messages: [Sample({level: nan(7)})]}`:                         `27: nan(7) is not a value of level, which is a number (f32)`,
		`{messages: [Sample({level: nan(0x3f800000)})]}`:                `27: nan(0x3f800000) is not a value of level, which is a number (f32)`,
		`{messages: [Sample({time: ` + strings.Repeat("9", 50) + `})]}`: `26: ` + strings.Repeat("9", 40) + `… is not a value of time, which is an integer (u64)`,
		`{magic: {}}`:                              `8: {} is not a value of magic, which is 4 letters in quotes`,
		`{magic: "a", magic: "b"}`:                 `8: magic is 4 letters, not 1`,
		`{messages: [5]}`:                          `12: 5 is not a value of Message; begin it with the name of an arm: Ping, Say, Sample, Point, Nested`,
		`{messages: [Pong]}`:                       `12: Message has no arm Pong; its arms are Ping, Say, Sample, Point, Nested`,
		`{messages: [Ping(1)]}`:                    `17: Ping has no content; write {} and not 1`,
		`{messages: [Say]}`:                        `12: Say needs its content: {text: …}`,
		`{messages: [Say("a", "b")]}`:              `21: Say takes one value, not 2`,
		`{messages: [Say(5)]}`:                     `16: 5 is not a value of text, which is a text in quotes`,
		`{messages: [Sample({time: -1})]}`:         `26: -1 is negative, and time has no sign`,
		`{messages: [Sample({time: 1.5})]}`:        `26: 1.5 is not a value of time, which is an integer (u64)`,
		`{messages: [Sample({level: "x"})]}`:       `27: "x" is not a value of level, which is a number (f32)`,
		`{messages: [Sample({level: 1e999})]}`:     `27: 1e999 is not a value of level, which is a number (f32)`,
		`{messages: [Point(1, 70000)]}`:            `21: 70000 is not a number that i16 holds`,
		`{messages: [Sample({time: 1, time: 2})]}`: `35: the field time is in the value twice`,
		strings.Repeat("[", 20000):                 `10001: values are nested more than 10000 levels deep here`,
	} {
		_, err := n.Parse(text)
		e := (*notation.Error)(nil)
		if !errors.As(err, &e) {
			t.Errorf("%.40s: %v is not an Error", text, err)
			continue
		}

		if got := fmt.Sprintf("%d: %s", e.Offset, e.Message); got != want {
			t.Errorf("%.60s: %s\nwant %s", text, got, want)
		}
	}
}

// alternatives has records that one field of several represents, of numbers, letters, texts, lists, maps and bytes.
const alternatives = `schema "c" { root T }
union T by kind { | 0 | 1 | u8 | kind | "kind" }
arm T 0 None {}
arm T 1 Any {
    | 1 | 1 | u8 | flags | "what follows" {
        0..0 a = present(number)
        1..1 b = present(text)
        2..2 c = present(list)
        3..3 d = present(map)
        4..4 e = present(data)
        5..5 f = present(code)
    }
    | 2 | 1 | i8 | number | "a number" if a == 1
    if b == 1 {
        | A | 1 | u8      | l = len(text) | "bytes"
        | B | l | utf8[l] | text          | "a text"
    }
    if c == 1 {
        | C | 1 | u8 | n = count(list) | "elements"
        repeat n as list { | D | E | T | item | "an element" }
    }
    if d == 1 {
        | F | 1 | u8 | k = count(map) | "pairs"
        map k as map {
            | G | H | T | key   | "a key"
            | I | J | T | value | "a value"
        }
    }
    if e == 1 {
        | O | 1 | u8    | q = count(data) | "bytes"
        | P | q | u8[q] | data            | "bytes"
    }
    | R | 4 | code4 | code | "letters" if f == 1
}
`

// Values of a field that represents its record have the name of the field if another field looks like it.
func TestAlternatives(t *testing.T) {
	n := notationOf(t, alternatives)
	for _, test := range []struct{ text, want, json string }{
		{`None`, ``, `"None"`},
		{`Any({number: 5})`, ``, `{"Any":{"number":5}}`},
		{`Any({text: "abcd"})`, ``, `{"Any":{"text":"abcd"}}`},
		{`Any({list: [None]})`, ``, `{"Any":{"list":["None"]}}`},
		{`Any({None: Any({number: 5})})`, ``, `{"Any":{"map":[["None",{"Any":{"number":5}}]]}}`},
		{`Any({data: [1, 255]})`, ``, `{"Any":{"data":"Af8="}}`},
		{`Any({})`, ``, `{"Any":{"map":[]}}`},
		{`Any(none)`, ``, `{"Any":{}}`},
		{`Any({code: "abcd"})`, ``, `{"Any":{"code":"abcd"}}`},
		{`Any({number: 5, text: ""})`, ``, `{"Any":{"number":5,"text":""}}`},
	} {
		v, err := n.Parse(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if test.want == "" {
			test.want = test.text
		}
		got, err := n.Append(nil, v, "")
		inJSON, err2 := n.AppendJSON(nil, v)
		if string(got) != test.want || string(inJSON) != test.json || err != nil || err2 != nil {
			t.Errorf("%s is printed as %s, %v, and as %s, %v", test.text, got, err, inJSON, err2)
		}
	}
}

// endless is a source that contains itself.
type endless struct{ notation.Source }

func (e endless) Arm() (string, []notation.Source, bool) { return "Any", []notation.Source{e}, true }
func (e endless) Fields() ([]notation.Member, bool) {
	return []notation.Member{{Name: "list", Source: e}}, true
}
func (e endless) List() ([]notation.Source, bool) { return []notation.Source{e}, true }

// finished is a source that is a value.
type finished struct {
	notation.Source
	v interp.Value
}

func (f finished) Value() (interp.Value, bool) { return f.v, true }

// TestTuples names the element of an array of tuples that is not one.
func TestTuples(t *testing.T) {
	n := notationOf(t, `schema "c" { root T }
type T {
    | 0 | 1 | u8 | kind | "a number"
    repeat until end as points {
        | 1+i*2 | 1 | u8 | x | "first"
        | 2+i*2 | 1 | u8 | y | "second"
    }
}
`)
	for text, want := range map[string]string{
		`{kind: 1, points: [{x: 5, y: 6}]}`: `19: an element is a list of 2 numbers, not {x: 5, y: 6}`,
		`{kind: 1, points: [[5, 6], 7]}`:    `27: an element is a list of 2 numbers, not 7`,
		`{kind: 1, points: [[5, 6, 7]]}`:    `19: an element is a list of 2 numbers, not of 3`,
	} {
		e := (*notation.Error)(nil)
		if _, err := n.Parse(text); !errors.As(err, &e) || fmt.Sprintf("%d: %s", e.Offset, e.Message) != want {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}

// A source that has no end is refused, and one that is a value has to be of the schema.
func TestBuild(t *testing.T) {
	n := notationOf(t, alternatives)
	text, _, err := notation.ParsePart("x")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		s    notation.Source
		want string
	}{
		{endless{text}, `the value is nested more than 10000 levels deep, or there are more than 4194304 ways to read it`},
		{finished{text, interp.MakeUint(99, 5)}, `x is not a value of T`},
		{finished{text, interp.MakeInt(2, 5)}, ``},
	} {
		v, err := n.Build(test.s)
		if fmt.Sprint(err) != test.want && (err != nil || test.want != "" || n.String(v) != "Any({number: 5})") {
			t.Errorf("%.50s, %v; want %s", n.String(v), err, test.want)
		}
	}
}

// Values without a type are printed by their kinds, also if they are cut off or nested too deeply.
func TestUntyped(t *testing.T) {
	n := small(t)
	number := interp.MakeUint(0, 7)
	list := interp.MakeList(0, []interp.Value{number, number})
	for _, test := range []struct {
		v          interp.Value
		limit      int
		text, json string
	}{
		{interp.Value{}, 99, `none`, `null`},
		{interp.MakeRecord(0, []interp.Value{number, {}, list}), 99, `{7, [7, 7]}`, `{"0":7,"2":[7,7]}`},
		{list, 0, `…`, `[7,7]`},
		{interp.MakeMap(0, []interp.Value{number, list, list, number}), 3, `{7:…`, `[[7,[7,7]],[[7,7],7]]`},
		{interp.MakePacked(0, bytecode.I16, 1, make([]byte, 8)), 2, `[0…`, `[0,0,0,0]`},
		{interp.MakeText(0, "abcdef"), 3, `"ab…`, `"abcdef"`},
	} {
		got, err := n.AppendJSON(nil, test.v)
		if text := n.Clipped(test.v, test.limit); text != test.text || string(got) != test.json || err != nil {
			t.Errorf("%s and %s, %v; want %s and %s", text, got, err, test.text, test.json)
		}
	}
	deep := list
	for range notation.MaxNest + 1 {
		deep = interp.MakeList(0, []interp.Value{deep})
	}
	_, err := n.Append(nil, deep, "")
	_, err2 := n.AppendJSON(nil, deep)
	_, err3 := n.AppendField(nil, 0, 0, deep)
	for _, err := range []error{err, err2, err3} {
		if err == nil || !strings.Contains(err.Error(), "nested more than 10000 levels") {
			t.Errorf("a list that is nested too deeply: %v", err)
		}
	}
}

// A real number has digits, and a NaN its bits.
func TestReal(t *testing.T) {
	for text, want := range map[string]uint64{"1.5": 0x3fc00000, "nan:7fc00001": 0x7fc00001, "nan:7e00": 0x7fc00000, "": 0, "nan:3f800000": 0, "nan:7fc": 0, "1p2": 0} {
		if got, ok := notation.Real(text, bytecode.F32); got != want || ok != (want != 0) {
			t.Errorf("%q is %#x, %v; want %#x", text, got, ok, want)
		}
	}
}

// A notation is of a program that the verifier accepts.
func TestNew(t *testing.T) {
	if n, err := notation.New(&bytecode.Program{}); err == nil {
		t.Errorf("an empty program has the notation %v", n)
	}
}
