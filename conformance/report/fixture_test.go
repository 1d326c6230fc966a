package report

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

// suite is a small set of vectors of every result and level.
func suite() *vectors.Suite {
	unhex := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	s := &vectors.Suite{
		Format: vectors.Format, Schema: "godot-4.4", Title: "Godot 4.4 to 4.6, as the engines implement it",
		Program: "3f1c0a55d2b84e6f9a7b3c2d1e0f4a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5",
		Flags: map[string]vectors.Flag{
			"padding":    {Class: "padding", Why: "the length of a text does not count its padding", Effect: "everything after the text is misread", Errata: []string{"E4"}},
			"wide-int":   {Class: "wrong width", Why: "numbers beyond 32 bits have 8 bytes, which bit 16 of the header tells", Effect: "large numbers come out as others", Links: []string{"https://example.org/issues/17"}},
			"shared-bit": {Class: "mask", Why: "the highest bit of a count is no part of it", Effect: "a dictionary of two thousand million pairs is read", Errata: []string{"E9"}},
			"trust":      {Class: "missing check", Why: "a count is used before anybody has looked whether the packet is as long", Effect: "a packet of 12 bytes takes all memory"},
			"nan":        {Class: "NaN", Why: "languages have one NaN", Effect: "the payload is lost"},
		},
		Cases: []vectors.Case{
			{ID: "Array.elements/none-there", About: "The count says more elements than there are bytes.", Row: "Array.elements", Source: "godot-4.3.oct", Type: "Array", Uses: []string{"Array"},
				Result: vectors.Invalid, Level: vectors.Must, Flags: []string{"trust"}, Bytes: unhex("1c000000 ffffff7f"),
				Error: &vectors.Error{Kind: "truncated", Offset: 8, Text: "the input ends too early: expected 2147483647 elements of at least 4 bytes"}},
			{ID: "Dictionary.shared/set", About: "The highest bit of the count is set.", Row: "Dictionary.shared", Source: "godot-2.oct", Type: "Dictionary", Uses: []string{"Dictionary", "String", "bool"},
				Result: vectors.Acceptable, Level: vectors.Should, Flags: []string{"shared-bit"}, Bytes: unhex("1b000000 01000080 04000000 01000000 61000000 01000000 01000000"),
				Value: raw(`{"$type":"Dictionary","value":[[{"$type":"String","value":"a"},{"$type":"bool","value":true}]]}`), Canonical: unhex("1b000000 01000000 04000000 01000000 61000000 01000000 01000000")},
			{ID: "Nil.value", About: "Nil alone.", Row: "Nil", Source: "godot-2.oct", Type: "Nil", Uses: []string{"Nil"},
				Result: vectors.Valid, Level: vectors.Must, Bytes: "00000000", Value: raw(`{"$type":"Nil"}`)},
			{ID: "Object.class/full", About: "An object in full.", Row: "Object.class", Source: "godot-3.0.oct", Type: "Object", Uses: []string{"Object"},
				Result: vectors.Valid, Level: vectors.May, Bytes: unhex("18000000 04000000 4e6f6465 00000000"), Value: raw(`{"$type":"Object","class":"Node","properties":[]}`), Objects: true},
			{ID: "String.text/five", About: "A text of five bytes has three bytes of padding.", Row: "String.text", Source: "godot-2.oct", Type: "String", Uses: []string{"String"},
				Result: vectors.Valid, Level: vectors.Must, Flags: []string{"padding"}, Bytes: unhex("04000000 05000000 68656c6c 6f000000"), Value: raw(`{"$type":"String","value":"hello"}`)},
			{ID: "String.text/five/in-array", About: "A text of five bytes has three bytes of padding, in an Array.", Row: "String.text", Source: "godot-2.oct", Type: "String", Uses: []string{"Array", "String", "int"},
				Result: vectors.Valid, Level: vectors.Must, Flags: []string{"padding"}, Bytes: unhex("1c000000 02000000 04000000 05000000 68656c6c 6f000000 02000000 07000000"),
				Value: raw(`{"$type":"Array","value":[{"$type":"String","value":"hello"},{"$type":"int","value":"7"}]}`)},
			{ID: "Vector3.value/thirds", About: "Numbers that have no short decimals.", Row: "Vector3", Source: "godot-2.oct", Type: "Vector3", Uses: []string{"Vector3"},
				Result: vectors.Valid, Level: vectors.Must, Bytes: unhex("09000000 abaaaa3e 000020c0 00000080"), Value: raw(`{"$type":"Vector3","value":["0.33333334","-2.5","-0"]}`)},
			{ID: "float.value/nan-payload", About: "A NaN with bits of a payload.", Row: "float.value", Source: "godot-3.0.oct", Type: "float", Uses: []string{"float"},
				Result: vectors.Valid, Level: vectors.May, Flags: []string{"nan"}, Bytes: unhex("03000100 010000000000f87f"), Value: raw(`{"$type":"float","value":"nan:7ff8000000000001"}`)},
			{ID: "int.value/wide", About: "The smallest number that takes 8 bytes.", Row: "int.value", Source: "godot-3.0.oct", Type: "int", Uses: []string{"int"},
				Result: vectors.Valid, Level: vectors.Must, Flags: []string{"wide-int"}, Bytes: unhex("02000100 0000008000000000"), Value: raw(`{"$type":"int","value":"2147483648"}`)},
		},
	}
	return s
}

// answers are what an implementation gives for a case in one direction.
type answers map[string]runner.CaseResult

var begin = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// run makes a run of the suite in which everything passes but what is said.
func run(about protocol.About, s *vectors.Suite, wrong answers, command ...string) *runner.Run {
	r := &runner.Run{About: about, Spec: s.Spec(), Suite: s, Program: s.Program, Command: command, Started: begin, Took: 1234 * time.Millisecond}
	for i := range s.Cases {
		c := &s.Cases[i]
		ops := []protocol.Op{protocol.Decode}
		if c.Result != vectors.Invalid {
			ops = append(ops, protocol.Encode)
		}
		for _, op := range ops {
			one, ok := wrong[c.ID+" "+string(op)]
			if !ok {
				one = runner.CaseResult{Outcome: runner.Exact, Verdict: runner.Pass}
				switch {
				case c.Result == vectors.Invalid:
					at := c.Error.Offset
					one.Outcome, one.ExactError = runner.RefusedRightly, true
					one.Answer = protocol.Answer{Error: c.Error.Text, Kind: c.Error.Kind, Offset: &at}
				case op == protocol.Encode:
					one.Answer = protocol.Answer{OK: true, Bytes: canonical(c)}
				default:
					one.Answer = protocol.Answer{OK: true, Value: c.Value, Used: used(c)}
				}
			}
			one.Case, one.ID, one.Op, one.Took = c, c.ID, op, 250*time.Microsecond
			r.Results = append(r.Results, one)
		}
	}
	return r
}

func failed(o runner.Outcome, a protocol.Answer, row string, offset int, path, detail string) runner.CaseResult {
	return runner.CaseResult{Outcome: o, Verdict: runner.Fail, Answer: a, Row: row, Offset: offset, Path: path, Detail: detail}
}

// runs returns implementations of every kind. One is without fault, one fails
// in all ways, and one has a list of expected failures.
func runs() []*runner.Run {
	s := suite()
	ops := []protocol.Op{protocol.Decode, protocol.Encode}
	good := run(protocol.About{Protocol: 1, Name: "octable", Version: "1.0", Language: "Go", Link: "https://github.com/octable/octable", Ops: ops, Specs: []string{s.Spec()}, Objects: true}, s, nil)
	offset := 4
	naive := run(protocol.About{Protocol: 1, Name: "naive-variant", Version: "0.1.6", Language: "TypeScript", Ops: ops, Specs: []string{s.Spec()}, Lacks: []string{"Object"},
		Notes: []string{"Values of type StringName are strings of the language."}}, s, answers{
		"Array.elements/none-there decode": {Outcome: runner.OutOfMemory, Verdict: runner.Fail, Detail: "it took 512 MiB for a packet of 8 bytes", Row: "Array.elements", Offset: 4,
			Stderr: "FATAL ERROR: invalid array length Allocation failed - JavaScript heap out of memory\n----- Native stack trace -----\n"},
		"Dictionary.shared/set decode": failed(runner.Hang, protocol.Answer{}, "Dictionary.shared", 4, "", "no answer within 5 s"),
		"Dictionary.shared/set encode": failed(runner.RefusedWrongly, protocol.Answer{Error: "Cannot read properties of undefined (reading 'length')"}, "Dictionary.shared", 0, "", "a value that can be written was refused"),
		"Nil.value decode":             {Outcome: runner.Exact, Verdict: runner.StalePass, Reason: "Nil is undefined", Answer: protocol.Answer{OK: true, Value: json.RawMessage("null")}},
		"Object.class/full decode":     {Outcome: runner.Unsupported, Verdict: runner.Skip, Reason: "Object"},
		"Object.class/full encode":     {Outcome: runner.Unsupported, Verdict: runner.Skip, Reason: "Object"},
		"String.text/five decode":      failed(runner.SilentNull, protocol.Answer{OK: true, Value: json.RawMessage("null")}, "String.text", 8, "", "null instead of a String"),
		"String.text/five encode": failed(runner.Wrong, protocol.Answer{OK: true, Bytes: "040000000500000068656c6c6f"}, "String.text", 13, "",
			"the bytes end at 13: 3 bytes of padding are missing"),
		"String.text/five/in-array decode": failed(runner.RefusedWrongly, protocol.Answer{Error: "unknown type 33554432", Kind: "type", Offset: &offset}, "String.text", 21, "[1]", "refused at byte 21, in the padding of the previous text"),
		"Vector3.value/thirds decode":      failed(runner.Wrong, protocol.Answer{OK: true, Value: json.RawMessage(`{"$type":"Vector3","value":[0.33333334,-2.5,0]}`)}, "Vector3", 12, ".z", "z is 0, expected -0"),
		"float.value/nan-payload decode": {Outcome: runner.Lossy, Verdict: runner.ExpectedFail, Reason: "JavaScript has one NaN", Row: "float.value", Offset: 4, Detail: "a NaN without its payload",
			Answer: protocol.Answer{OK: true, Value: json.RawMessage(`{"$type":"float","value":"nan"}`)}},
		"float.value/nan-payload encode": {Outcome: runner.Wrong, Verdict: runner.Differs, Row: "float.value", Offset: 4, Detail: "byte 4 is 00, and should be 01",
			Answer: protocol.Answer{OK: true, Bytes: "03000100000000000000f87f"}},
		"int.value/wide decode": failed(runner.Wrong, protocol.Answer{OK: true, Value: json.RawMessage("-2147483648"), Used: 8}, "int.value", 4, "", "-2147483648 instead of 2147483648: the 8 bytes were read as 4"),
		"int.value/wide encode": failed(runner.Crash, protocol.Answer{}, "int.value", 4, "", "the process ended with exit status 134"),
	}, "node", "wrappers/naive.mjs", "--it's")
	naive.Restarts = 3
	naive.Flags = []string{"-memory", "512MiB"}
	naive.Notes = []string{"After all was answered: the process did not end when its input did."}
	naive.Unused = []string{"known.txt:7: Basis.* fits no case of godot-4.4"}
	return []*runner.Run{good, naive}
}

func TestFixtureIsRight(t *testing.T) {
	s := schemaOf("godot-4.4")
	for _, c := range suite().Cases {
		if c.Value == nil {
			continue
		}
		if text, ok := s.value(c.Value); !ok {
			t.Errorf("%s: %s is no value", c.ID, text)
		}
		r := runner.CaseResult{Case: &c, Op: protocol.Decode}
		for _, l := range s.tree(&r, plainTree) {
			if strings.Contains(l, "error: ") {
				t.Errorf("%s: %s", c.ID, l)
			}
		}
	}
}
