package notation_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
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
		``:                                         `0: the text ends where a value should be`,
		`{magic: "RIFF"} 5`:                        `16: the value ends before "5"; remove what follows`,
		`{magic "RIFF"}`:                           `7: after a name or key there should be ":", not "\""`,
		`{magic: "RIFF" 5}`:                        `15: there should be a comma or '}', not "5"`,
		`{magic: "RIFF`:                            `8: the text that begins here has no closing quote on its line`,
		`{magic: "\q"}`:                            `8: "\"\\q\"" is not a text with the escapes of Go`,
		`{magics: "RIFF"}`:                         `9: Batch has no field magics; its fields are {magic: …, messages: …}`,
		`{magic: "RIF"}`:                           `8: magic is 4 letters, not 3`,
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
