package examples

import (
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

const small = `schema "small" {
    order little
    root  Message
    gate  secrets
}

union Message by kind {
    | 0 | 1 | u8 | kind | "kind"
}

arm Message 1 Say "say" {
    | 1 | 1 | u8           | length = len(text) | "length in bytes"
    | 2 | N | utf8[length] | text               | "what is said"
    EXAMPLE
}

arm Message 2 Point "point" {
    | 1 | 1 | i8  | x | "x"
    | 2 | 4 | f32 | y | "y"
}

arm Message 3 Secret "secret" {
    requires secrets
    | 1 | 4 | code4 | code | "four letters"
    | 5 | 1 | u8    | n    | "a number"
}

arm Message 4 Texts "texts" {
    | 1 | 1 | u8 | count_ = count(all) | "number of texts"
    repeat count_ as all {
        | P   | 1 | u8      | size = len(text) | "length in bytes"
        | P+1 | N | utf8[size] | text | "a text"
    }
}
`

// Every slip in an example is found, and what is right passes.
func TestRun(t *testing.T) {
	for example, wrong := range map[string]string{
		`example "01026869" is Say("hi")`:                                       "",
		`example "01 02 68 69" is Say("hi")`:                                    "",
		`example "0100" is Say("")`:                                             "",
		`example "01036869" refused truncated`:                                  "",
		`example "0101ff" refused text`:                                         "",
		`example "<Say> 02 6869" is Say("hi")`:                                  "",
		`example "<Point> 00 cdcccc3d" is Point({x: 0, y: 0.1})`:                "",
		`example "05" refused type`:                                             "",
		`example "02ff 0000003f" is Point({x: -1, y: 0.5})`:                     "",
		`example "0200 cdcccc3d" is Point({x: 0, y: 0.1})`:                      "",
		`example "03 61626364 07" with secrets is Secret({code: "abcd", n: 7})`: "",
		`example "03 61626364 07" refused closed`:                               "",
		`example "04 02 0161 00" is Texts(["a", ""])`:                           "",

		`example text "01026869" with strict is Say("hi")`:  "",
		`example "0102686900" with strict refused trailing`: "",
		`example "01026869" with strict refused trailing`:   "the bytes are not refused",
		`example "0102686900" with strict is Say("hi")`:     "the bytes are refused: byte 4",

		`example "01026869" is Say("ho")`:                                       `the bytes are Say("hi"), the example says Say("ho")`,
		`example "01026869" is Point("hi")`:                                     `the bytes are Say("hi")`,
		`example "01026869" is Say`:                                             `the bytes are Say("hi")`,
		`example "01026869" is Say("hi", "ho")`:                                 `the bytes are Say("hi")`,
		`example "0102686900" is Say("hi")`:                                     "the value takes 4 bytes, the example has 5",
		`example "01026869" refused truncated`:                                  "the bytes are not refused",
		`example "01036869" refused text`:                                       "the bytes are refused for another reason, truncated",
		`example "01036869" is Say("hi")`:                                       "the bytes are refused: byte 2",
		`example "01026869" is Say("hi") again "01036869"`:                      "the value is written as 01026869, the example says 01036869",
		`example "01026869" is Say("hi") again "01026869"`:                      "the bytes after again are those of the example",
		`example "02ff 0000003f" is Point({x: 1, y: 0.5})`:                      "at x, the bytes are -1, the example says 1",
		`example "02ff 0000003f" is Point({x: -1, y: 0.25})`:                    "at y, the bytes are 0.5, the example says 0.25",
		`example "02ff 0000003f" is Point({y: 0.5, x: -1})`:                     "the example has x behind y; fields are in the order of their rows",
		`example "02ff 0000003f" is Point({y: 0.5})`:                            "the bytes have x: -1, which the example leaves out",
		`example "02ff 0000003f" is Point({x: -1, y: 0.5, z: 1})`:               "the example has z: 1, which the bytes leave out",
		`example "03 61626364 07" with secrets is Secret({code: "abce", n: 7})`: `at code, the bytes are "abcd", the example says "abce"`,
		`example "03 61626364 07" with secrets is Secret({n: 7})`:               `the bytes have code: "abcd", which the example leaves out`,
		`example "04 02 0161 00" is Texts(["a", "b"])`:                          `at [1], the bytes are "", the example says "b"`,
		`example "04 02 0161 00" is Texts(["a"])`:                               "the bytes have 2 elements, the example has 1",
		`example "04 02 0161 00" is ["a", ""]`:                                  `the bytes are Texts(["a", ""]), the example says ["a", ""]`,
		`example "04 02 0161 00" is Texts("a")`:                                 `the bytes are Texts(["a", ""]), the example says Texts("a")`,
		`example "02ff 0000003f" is Point({x: -1})`:                             "the bytes have y: 0.5, which the example leaves out",
		`example "03 61626364 07" is Secret({code: "abcd", n: 7})`:              "the bytes are refused: byte 1",
		`example "04 02 0161 00" is Texts(["a", 1])`:                            `at [1], the bytes are "", the example says 1`,
	} {
		f, err := dsl.Parse("small.oct", []byte(strings.Replace(small, "EXAMPLE", example, 1)))
		if err != nil {
			t.Errorf("%s: %v", example, err)
			continue
		}
		s, err := schema.Resolve(f, nil)
		if err != nil {
			t.Errorf("%s: %v", example, err)
			continue
		}
		results, err := Run(s, "")
		if err != nil || len(results) != 1 {
			t.Errorf("%s: %d results, %v", example, len(results), err)
			continue
		}
		r := results[0]
		if r.OK() != (wrong == "") || !strings.HasPrefix(r.Wrong, wrong) {
			t.Errorf("%s: %q, not %q", example, r.Wrong, wrong)
		}
		if d := r.Diagnostic(s); !r.OK() && (!strings.Contains(d.Error(), "small.oct:14:5: E50") || r.Of != "Say") {
			t.Errorf("%s: %v of %s", example, d, r.Of)
		}
	}
}

// older is a schema whose examples others inherit.
const older = `schema "older" {
    order little
    root  File
    gate  secrets
}

type File {
    | 0 | 1 | u8      | count_ = count(all) |
    repeat count_ as all {
        | P | V | Message | message |
    }
    example "02 <Pair> 0102 <Byte> 05" is [Pair(1, 2), Byte(5)]
}

union Message by kind {
    | 0 | 2 | u16 | header | { 0..7 kind  rest any }
    example "<Byte> 06" is Byte(6)
}

arm Message 1 Byte {
    | 2 | 1 | u8 | value |
    example five "<Byte> 05" is Byte(5)
    example "<Byte>" refused truncated
    example flag "<Byte 8> 05" is Byte(5) again "<Byte> 05"
}

arm Message 2 Pair {
    | 2 | 1 | u8 | a |
    | 3 | 1 | u8 | b |
    example both "<Pair> 0102" is Pair(1, 2)
}

arm Message 3 Secret {
    requires secrets
    | 2 | 1 | u8 | kind |
    example "<Secret> 01" with secrets is Secret(1)
    example "<Secret> 01" refused closed
}
`

// mistakes returns the mistakes of a schema and of its examples, and the numbers of own
// and inherited examples.
func mistakes(t *testing.T, files map[string]string, id string) (wrong string, own, inherited int) {
	load := func(id string) (*dsl.File, error) { return dsl.Parse(id+".oct", []byte(files[id])) }
	f, err := load(id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, load)
	if err != nil {
		return err.Error(), 0, 0
	}
	results, err := Run(s, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.From == "" {
			own++
		} else {
			inherited++
		}
		if !r.OK() {
			wrong += r.Diagnostic(s).Error() + "\n"
		}
	}
	return wrong, own, inherited
}

// TestInherit checks the examples that a schema inherits, and the errors for those that
// it breaks.
func TestInherit(t *testing.T) {
	for name, c := range map[string]struct {
		changes        string
		own, inherited int
		wrong          []string // parts of the errors
	}{
		"unchanged":                 {"", 0, 8, nil},
		"swapped numbers and names": {"change Message { Byte Pair 2  Pair Byte 1 }", 0, 8, nil},
		"another root":              {"type Two { | 0 | V | Message | a | | V | W | Message | b | }", 0, 8, nil},
		"replaced arm":              {"replace arm Message 2 Pair { | 2 | 1 | u8 | a | | 3 | 1 | u8 | b | }", 0, 7, nil},
		"replaced union":            {"replace union Message by kind { | 0 | 2 | u16 | header | { 0..7 kind  rest any } }", 0, 7, nil},
		"replaced example":          {`extend Message.Byte { example five "<Byte> 05" is Byte(5)  example "<Byte> 09" is Byte(9) }`, 2, 7, nil},
		"replaced example of a type": {`extend File { example "00" is [] }
extend Message { example "<Byte> 07" is Byte(7) }`, 2, 8, nil},
		"dropped examples": {"drop Message.Byte.flag Message.Byte.five Message.Pair.both", 0, 5, nil},
		"dropped arm":      {"drop Message.Secret", 0, 6, nil},
		"flag is an error now": {
			"replace union Message by kind { | 0 | 2 | u16 | header | { 0..7 kind } }\ndrop Message.Byte.five", 0, 6,
			[]string{`newer.oct:1:1: E501: the example "flag" of older (line 24) is now refused: byte 0`, "hint: write drop Message.Byte.flag, or replace it: extend Message.Byte { example flag … }"},
		},
		"rows changed": {
			"replace arm Message 2 Pair { | 2 | 1 | u8 | a | }", 0, 7,
			[]string{`newer.oct:1:1: E501: an example of older (line 12) now gives [Pair(1), Pair(0)], which takes 7 of 8 bytes`, "hint: name it in older, so that it can be dropped here"},
		},
		"value changed": {
			"replace arm Message 1 Byte { | 2 | 1 | i8 | value | }\nreplace arm Message 2 Pair { | 2 | 1 | u8 | b | | 3 | 1 | u8 | a | check a < 9 }", 0, 4,
			[]string{"newer.oct:1:1: E501: an example of older (line 12) now gives [Pair({b: 1, a: 2}), Byte(5)]"},
		},
		"dropped arm in use": {
			"drop Message.Pair\narm Message 2 Other {}", 0, 0,
			[]string{`newer.oct:1:1: E501: an example of older (line 12) cannot be inherited: there is no arm Pair any more`, "hint: name it in older"},
		},
		"no gate": {`extend Message.Byte { example "<Byte> 05" with open is Byte(5) }`, 0, 0, []string{"there is no gate or choice open"}},
	} {
		root := "root File"
		if name == "another root" {
			root = "root Two"
		}
		files := map[string]string{"older": older, "newer": "schema \"newer\" extends \"older\" { " + root + " }\n" + c.changes}
		wrong, own, inherited := mistakes(t, files, "newer")
		if (wrong == "") != (c.wrong == nil) || own != c.own || inherited != c.inherited {
			t.Errorf("%s: %d own, %d inherited: %s", name, own, inherited, wrong)
		}
		for _, w := range c.wrong {
			if !strings.Contains(wrong, w) {
				t.Errorf("%s: %s\nlacks %s", name, wrong, w)
			}
		}
		// the youngest of three schemas has the errors of the one between them
		files["newest"] = "schema \"newest\" extends \"newer\" {}"
		if last, _, _ := mistakes(t, files, "newest"); c.wrong != nil && (!strings.Contains(last, c.wrong[0]) || strings.Contains(last, "newest.oct:1:1: E501")) {
			t.Errorf("%s, extended: %s", name, last)
		}
	}
}

// TestBroken checks the sentence for an inherited example that gives a value now.
func TestBroken(t *testing.T) {
	files := map[string]string{"godot-3.0": `schema "godot-3.0" { root Variant }
union Variant by type { | 0 | 4 | u32 | header | { 0..7 type } }
arm Variant 2 int {
    | 4 | 4 | i32 | value |
    example wide "<int 16> 05000000" refused value
}
`, "godot-3": `schema "godot-3" extends "godot-3.0" {}
replace union Variant by type { | 0 | 4 | u32 | header | { 0..7 type  rest any } }
`}
	const want = `godot-3.oct:1:1: E501: the example "wide" of godot-3.0 (line 5) now gives int(5) again "02000000 05000000"
    schema "godot-3" extends "godot-3.0" {}
    ^~~~~~
    hint: write drop Variant.int.wide, or replace it: extend Variant.int { example wide … }
`
	if wrong, _, _ := mistakes(t, files, "godot-3"); wrong != want {
		t.Errorf("got\n%swant\n%s", wrong, want)
	}
}
