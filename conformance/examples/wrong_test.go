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
		`example "01036869" refused truncated at 2`:                             "",
		`example "0101ff" refused text at 2`:                                    "",
		`example "05" refused type`:                                             "",
		`example "02ff 0000003f" is Point({x: -1, y: 0.5})`:                     "",
		`example "0200 cdcccc3d" is Point({x: 0, y: 0.1})`:                      "",
		`example "03 61626364 07" with secrets is Secret({code: "abcd", n: 7})`: "",
		`example "03 61626364 07" refused closed`:                               "",
		`example "04 02 0161 00" is Texts(["a", ""])`:                           "",

		`example "01026869" is Say("ho")`:                                       `the bytes are Say("hi"), the example says Say("ho")`,
		`example "01026869" is Point("hi")`:                                     `the bytes are Say("hi")`,
		`example "01026869" is Say`:                                             `the bytes are Say("hi")`,
		`example "01026869" is Say("hi", "ho")`:                                 `the bytes are Say("hi")`,
		`example "0102686900" is Say("hi")`:                                     "the value takes 4 bytes, the example has 5",
		`example "0102686" is Say("hi")`:                                        "the bytes are not hex",
		`example "01026869" refused truncated`:                                  "the bytes are not refused",
		`example "01036869" refused text`:                                       "the bytes are refused for another reason, truncated",
		`example "01036869" refused truncated at 3`:                             "the bytes are refused at 2, not at 3",
		`example "01036869" is Say("hi")`:                                       "the bytes are refused: byte 2",
		`example "01026869" is Say("hi") again "01036869"`:                      "the value is written as 01026869, the example says 01036869",
		`example "01026869" is Say("hi") again "01026869"`:                      "the bytes after again are those of the example",
		`example "02ff 0000003f" is Point({x: 1, y: 0.5})`:                      "the bytes are Point({x: -1, y: 0.5})",
		`example "02ff 0000003f" is Point({x: -1, y: 0.25})`:                    "the bytes are Point({x: -1, y: 0.5})",
		`example "02ff 0000003f" is Point({x: -1})`:                             "the bytes are Point({x: -1, y: 0.5})",
		`example "02ff 0000003f" is Point({y: 0.5, x: -1})`:                     "the bytes are Point({x: -1, y: 0.5})",
		`example "02ff 0000003f" is Point({x: -1, y: 0.5, z: 1})`:               "the bytes are Point({x: -1, y: 0.5})",
		`example "03 61626364 07" with secrets is Secret({code: "abce", n: 7})`: `the bytes are Secret({code: "abcd", n: 7})`,
		`example "03 61626364 07" is Secret({code: "abcd", n: 7})`:              "the bytes are refused: byte 1",
		`example "04 02 0161 00" is Texts(["a"])`:                               `the bytes are Texts(["a", ""])`,
		`example "04 02 0161 00" is Texts(["a", 1])`:                            `the bytes are Texts(["a", ""])`,
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
