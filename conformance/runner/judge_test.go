package runner

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
)

var (
	vector2  = vectors.Case{ID: "v", Row: "Vector2", Result: vectors.Valid, Level: vectors.Must, Bytes: "050000000000803f00000040", Value: json.RawMessage(`{"$type":"Vector2","value":[1,2]}`)}
	list     = vectors.Case{ID: "l", Row: "Array.size", Result: vectors.Valid, Level: vectors.Must, Bytes: "1c00000002000000" + "0200000005000000" + "040000000200000061620000", Value: json.RawMessage(`[5,"ab"]`)}
	packed   = vectors.Case{ID: "p", Row: "PackedVector3Array.size", Result: vectors.Valid, Level: vectors.Must, Bytes: "2400000002000000" + "0000803f0000803f0000803f" + "0000803f0000803f0000803f", Value: json.RawMessage(`{"$type":"PackedVector3Array","value":[[1,1,1],[1,1,1]]}`)}
	wide     = vectors.Case{ID: "w", Row: "int.value", Result: vectors.Acceptable, Level: vectors.Should, Bytes: "020001000500000000000000", Canonical: "0200000005000000", Value: json.RawMessage(`5`)}
	must     = vectors.Case{ID: "m", Row: "int.value", Result: vectors.Acceptable, Level: vectors.Must, Bytes: "020001000500000000000000", Canonical: "0200000005000000", Value: json.RawMessage(`5`)}
	may      = vectors.Case{ID: "y", Row: "int.value", Result: vectors.Acceptable, Level: vectors.May, Bytes: "020001000500000000000000", Canonical: "0200000005000000", Value: json.RawMessage(`5`)}
	null     = vectors.Case{ID: "n", Row: "Nil", Result: vectors.Valid, Level: vectors.Must, Bytes: "00000000", Value: json.RawMessage(`{"$type":"Nil"}`)}
	left     = vectors.Case{ID: "u", Row: "int.value", Result: vectors.Valid, Level: vectors.Must, Bytes: "020000000500000000", Used: 8, Canonical: "0200000005000000", Value: json.RawMessage(`5`)}
	short    = vectors.Case{ID: "s", Row: "String.text", Result: vectors.Invalid, Level: vectors.Must, Bytes: "0400000005000000", Error: &vectors.Error{Kind: "truncated", Offset: 8, Path: "", Text: "too short"}}
	empty    = vectors.Case{ID: "e", Row: "Variant.header", Result: vectors.Invalid, Level: vectors.Must, Error: &vectors.Error{Kind: "truncated", Text: "empty"}}
	noObject = vectors.Case{ID: "o", Row: "Object.class", Result: vectors.Invalid, Level: vectors.Must, Value: json.RawMessage(`{"$type":"Object","class":"Node","properties":[]}`), Error: &vectors.Error{Kind: "closed", Text: "objects are off"}}
	mayFail  = vectors.Case{ID: "f", Row: "String.text", Result: vectors.Invalid, Level: vectors.May, Bytes: "0400000005000000", Error: &vectors.Error{Kind: "truncated", Offset: 8, Text: "too short"}}
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		c       *vectors.Case
		op      protocol.Op
		answer  string
		outcome Outcome
		verdict Verdict
		want    string // in the sentence
	}{
		{&vector2, "decode", `{"ok":true,"value":{"$type":"Vector2","value":[1,2]},"used":12}`, Exact, Pass, ""},
		{&vector2, "decode", `{"ok":true,"value":{"$type":"Vector2","value":[1,2]}}`, Exact, Pass, ""},
		{&vector2, "decode", `{"ok":true,"value":{"$type":"Vector2","value":[1,2]},"used":8}`, Wrong, Fail, "it says that it took 8 bytes; it took 12"},
		{&vector2, "decode", `{"ok":true,"value":{"$type":"Vector2","value":[1,3]}}`, Wrong, Fail, "wrong value at .y: it is 3, and should be 2 (Vector2, byte 8)"},
		{&vector2, "decode", `{"ok":true,"value":[1,2]}`, Wrong, Fail, "Array"},
		{&vector2, "decode", `{"ok":true,"value":null}`, SilentNull, Fail, "null, without an error, in place of the value"},
		{&vector2, "decode", `{"ok":true,"value":{"$type":"Vector2","value":[null,2]}}`, Garbled, Fail, "cannot be read: 1:29: there should be a number"},
		{&vector2, "decode", `{"error":"what is 5"}`, RefusedWrongly, Fail, "it refuses bytes or a value that are right: what is 5"},
		{&vector2, "decode", `{"unsupported":"vectors"}`, Unsupported, Skip, ""},
		{&list, "decode", `{"ok":true,"value":[5,"ac"]}`, Wrong, Fail, `at [1]: it is "ac", and should be "ab" (String.text, byte 24)`},
		{&list, "decode", `{"ok":true,"value":[5]}`, Wrong, Fail, "it has 1 elements, and should have 2"},
		{&list, "decode", `{"ok":true,"value":[{"$type":"float","value":5},"ab"]}`, Lossy, Fail, "at [0]: the type is lost"},
		{&list, "decode", `{"ok":true,"value":[6,"ab"]}`, Wrong, Fail, `at [0]: it is 6, and should be 5 (int.value, byte 12)`},
		{&packed, "decode", `{"ok":true,"value":{"$type":"PackedVector3Array","value":[[1,1,1],[1,1,3]]}}`, Wrong, Fail, "at [1].z: it is 3, and should be 1 (PackedVector3Array.vectors, byte 28)"},
		{&null, "decode", `{"ok":true,"value":null}`, Exact, Pass, ""},
		{&null, "decode", `{"ok":true,"value":{"$type":"Object"}}`, SameValue, Pass, ""},
		{&left, "decode", `{"ok":true,"value":5,"used":8}`, Exact, Pass, ""},
		{&left, "decode", `{"ok":true,"value":5,"used":9}`, Wrong, Fail, "took 9 bytes; it took 8"},
		{&wide, "decode", `{"ok":true,"value":5}`, Exact, Pass, ""},
		{&wide, "decode", `{"error":"no"}`, RefusedWrongly, Pass, ""},
		{&must, "decode", `{"error":"no"}`, RefusedWrongly, Fail, ""},
		{&may, "decode", `{"error":"no"}`, RefusedWrongly, Pass, ""},
		{&may, "decode", `{"ok":true,"value":6}`, Wrong, Differs, "it is 6, and should be 5"},
		{&may, "decode", `{}`, Garbled, Fail, ""},
		{&short, "decode", `{"error":"eof"}`, RefusedRightly, Pass, ""},
		{&short, "decode", `{"ok":true,"value":"\u0000"}`, Accepted, Fail, `it gives "\u0000" for what is to be refused: too short (String.text, byte 8)`},
		{&short, "decode", `{"ok":true,"value":null}`, SilentNull, Fail, "it gives null, without an error, for what is to be refused"},
		{&mayFail, "decode", `{"ok":true,"value":"x"}`, Accepted, Differs, ""},
		{&empty, "decode", `{"ok":true,"value":0}`, Accepted, Fail, "empty"},

		{&vector2, "encode", `{"ok":true,"bytes":"050000000000803F00000040"}`, Exact, Pass, ""},
		{&vector2, "encode", `{"ok":true,"bytes":"050000000000803f00000041"}`, Wrong, Fail, "byte 11 is 41, and should be 40; the value that the bytes represent is another: at .y it is 8, and should be 2 (Vector2, byte 11)"},
		{&vector2, "encode", `{"ok":true,"bytes":"050000000000803f"}`, Wrong, Fail, "byte 8 is missing, and should be 00; the bytes represent no value"},
		{&vector2, "encode", `{"ok":true,"bytes":""}`, Wrong, Fail, "byte 0 is missing, and should be 05"},
		{&vector2, "encode", `{"ok":true,"bytes":"050000000000803f0000004000"}`, Wrong, Fail, "byte 12 is 00, and should be missing; after the value there are bytes that do not belong to it, from byte 12 on"},
		{&vector2, "encode", `{"ok":true,"bytes":"05000100000000000000f03f0000000000000040"}`, SameValue, Pass, ""},
		{&vector2, "encode", `{"ok":true,"bytes":"00000000"}`, Wrong, Fail, "byte 0 is 00, and should be 05"},
		{&list, "encode", `{"ok":true,"bytes":"1c000000020000000200000005000000040000000200000061620100"}`, SameValue, Pass, "the bytes represent the same value"},
		{&list, "encode", `{"ok":true,"bytes":"1c0000000200000003000000000000a0400400000002000000616200"}`, Wrong, Fail, "byte 8 is 03, and should be 02"},
		{&list, "encode", `{"ok":true,"bytes":"1c00000002000000030000000000a040040000000200000061620000"}`, Lossy, Fail, "at [0] the type is lost"},
		{&list, "encode", `{"error":"no"}`, RefusedWrongly, Fail, ""},
		{&wide, "encode", `{"ok":true,"bytes":"0200000005000000"}`, Exact, Pass, ""},
		{&wide, "encode", `{"ok":true,"bytes":"020001000500000000000000"}`, SameValue, Pass, ""},
		{&noObject, "encode", `{"error":"objects"}`, RefusedRightly, Pass, ""},
		{&noObject, "encode", `{"ok":true,"bytes":"00000000"}`, Accepted, Fail, "it writes 00000000 for a value that has no bytes: objects are off"},

		{&vector2, "recode", `{"ok":true,"bytes":"050000000000803f00000040"}`, Exact, Pass, ""},
		{&vector2, "recode", `{"ok":true,"bytes":"00000000"}`, SilentNull, Fail, "null"},
		{&short, "recode", `{"ok":true,"bytes":"00000000"}`, SilentNull, Fail, "null"},
		{&short, "recode", `{"ok":true,"bytes":"0200000005000000"}`, Accepted, Fail, "it gives 5 for what is to be refused"},
		{&short, "recode", `{"ok":true,"bytes":"02"}`, Accepted, Fail, "it writes 02 for what is to be refused: too short"},
		{&short, "recode", `{"error":"no"}`, RefusedRightly, Pass, ""},
	} {
		j, err := newJudge(codec.MustLoad("godot-4.4"), &protocol.About{})
		if err != nil {
			t.Fatal(err)
		}
		var reply process.Reply
		if err := json.Unmarshal([]byte(c.answer), &reply.Answer); err != nil {
			t.Fatal(c.answer, err)
		}
		r := j.result(c.c, c.op, reply)
		if r.Outcome != c.outcome || r.Verdict != c.verdict || !strings.Contains(r.Sentence(), c.want) {
			t.Errorf("%s to %s: %s, %s\nwant %s, %s: %s", c.answer, c.c.ID, r.Verdict, r.Sentence(), c.verdict, c.outcome, c.want)
		}
		if c.verdict == Fail && r.Detail == "" {
			t.Errorf("%s to %s: fails without a word", c.answer, c.c.ID)
		}
	}
}

// Null by an implementation that gives it for errors, too.
func TestJudgeNull(t *testing.T) {
	j, err := newJudge(codec.MustLoad("godot-4.4"), &protocol.About{NullOnError: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		c         *vectors.Case
		op        protocol.Op
		answer    string
		outcome   Outcome
		verdict   Verdict
		ambiguous bool
	}{
		{&null, "decode", `{"ok":true,"value":null}`, Exact, Pass, true},
		{&short, "decode", `{"ok":true,"value":null}`, RefusedRightly, Pass, true},
		{&vector2, "decode", `{"ok":true,"value":null}`, RefusedWrongly, Fail, true},
		{&wide, "decode", `{"ok":true,"value":null}`, RefusedWrongly, Pass, true},
		{&vector2, "decode", `{"ok":true,"value":5}`, Wrong, Fail, false},
		{&null, "recode", `{"ok":true,"bytes":"00000000"}`, Exact, Pass, true},
		{&short, "recode", `{"ok":true,"bytes":"00000000"}`, RefusedRightly, Pass, true},
		{&vector2, "recode", `{"ok":true,"bytes":"00000000"}`, RefusedWrongly, Fail, true},
		{&null, "encode", `{"ok":true,"bytes":"00000000"}`, Exact, Pass, false},
		{&short, "decode", `{"error":"no"}`, RefusedRightly, Pass, false},
	} {
		var reply process.Reply
		if err := json.Unmarshal([]byte(c.answer), &reply.Answer); err != nil {
			t.Fatal(err)
		}
		r := j.result(c.c, c.op, reply)
		if r.Outcome != c.outcome || r.Verdict != c.verdict || r.Ambiguous != c.ambiguous {
			t.Errorf("%s to %s of %s: %s, %s, ambiguous %t", c.answer, c.op, c.c.ID, r.Outcome, r.Verdict, r.Ambiguous)
		}
	}
}

// An error of the right kind at the right byte is told from another one.
func TestExactErrors(t *testing.T) {
	j, _ := newJudge(codec.MustLoad("godot-4.4"), &protocol.About{})
	for answer, want := range map[string]bool{
		`{"error":"x","kind":"truncated","offset":8}`: true,
		`{"error":"x","kind":"truncated","offset":4}`: false,
		`{"error":"x","kind":"value","offset":8}`:     false,
		`{"error":"x","kind":"truncated"}`:            false,
		`{"error":"x","offset":8}`:                    false,
	} {
		var reply process.Reply
		if err := json.Unmarshal([]byte(answer), &reply.Answer); err != nil {
			t.Fatal(err)
		}
		if r := j.result(&short, protocol.Decode, reply); r.ExactError != want || r.Verdict != Pass {
			t.Errorf("%s: %t, %s", answer, r.ExactError, r.Verdict)
		}
	}
}
