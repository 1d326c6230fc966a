package differential

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/dsl/long"
)

// careless is this project's codec with mistakes at its edges, as a session.
type careless struct {
	protocol.Implementation
	name string
}

func newCareless(name string) *careless { return &careless{protocol.Octable(), name} }

func (c *careless) About() protocol.About {
	a := c.Implementation.About()
	a.Name = c.name
	return a
}

func (c *careless) Restarts() int         { return 0 }
func (c *careless) Notes() []string       { return nil }
func (c *careless) Close() *process.Fault { return nil }

// Do answers requests, and says of some that the process died or hung.
func (c *careless) Do(ctx context.Context, requests []protocol.Request) ([]process.Reply, error) {
	var all []process.Reply
	for i := range requests {
		if err := ctx.Err(); err != nil {
			return all, err
		}
		r := &requests[i]
		b, _ := hex.DecodeString(r.Bytes)
		switch {
		case c.name == "careful" || r.Op != protocol.Decode:
			all = append(all, process.Reply{Answer: protocol.Reply(c, r)})
		case len(b) >= 8 && b[0] == 29 && b[7] >= 0x40: // PackedByteArray
			all = append(all, process.Reply{Fault: &process.Fault{Kind: process.Crash, Text: "it ended", Stderr: "makeslice: len out of range"}})
		case len(b) >= 8 && b[0] == 31 && b[7] >= 0x10 && b[7] < 0x80: // PackedInt64Array
			all = append(all, process.Reply{Fault: &process.Fault{Kind: process.Hang, Text: "no answer in time"}})
		default:
			all = append(all, process.Reply{Answer: protocol.Reply(c, r)})
		}
	}
	return all, nil
}

func (c *careless) Decode(spec string, b []byte, objects bool) (json.RawMessage, int, error) {
	value, used, err := c.Implementation.Decode(spec, b, objects)
	if c.name == "careful" {
		return value, used, err
	}
	if err != nil && bytes.HasPrefix(b, []byte{4, 0, 0, 0}) && strings.Contains(err.Error(), "UTF-8") {
		return json.RawMessage(`"?"`), len(b), nil
	}
	return bytes.ReplaceAll(value, []byte(`"$type":"Color"`), []byte(`"$type":"Plane"`)), used, err
}

func (c *careless) Encode(spec string, value json.RawMessage, objects bool) ([]byte, error) {
	b, err := c.Implementation.Encode(spec, value, objects)
	if err != nil && c.name != "careful" && strings.Contains(err.Error(), "text is not well formed") {
		return []byte{4, 0, 0, 0, 0, 0, 0, 0}, nil
	}
	if err == nil && c.name != "careful" && len(b) == 12 && b[0] == 2 && b[2] == 1 { // ints of 64 bits
		b[11] = 0
	}
	return b, err
}

func sessions(names ...string) []runner.Session {
	var all []runner.Session
	for _, name := range names {
		all = append(all, newCareless(name))
	}
	return all
}

// TestRun: every mistake is found as what it is, in few bytes, and what has none has
// no findings.
func TestRun(t *testing.T) {
	var called int
	r, err := Run(context.Background(), sessions("careless", "careful"), Options{Spec: "godot-4.4", Codec: codec.MustLoad("godot-4.4"), Time: time.Minute,
		Inputs: long.Number(2000, 12000), Seed: 1, Shallow: true, Exact: true, Finding: func(*Finding) { called++ }, Progress: func(Progress) {}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Targets[1].Findings); n > 0 {
		t.Errorf("%d findings where there is nothing to find: %+v", n, r.Targets[1].Findings[0])
	}
	bad := r.Targets[0]
	if called != len(bad.Findings) {
		t.Errorf("told of %d findings of %d", called, len(bad.Findings))
	}
	for _, want := range []struct {
		op       protocol.Op
		outcome  runner.Outcome
		row      string
		smallest int
	}{
		{protocol.Decode, runner.Crash, "PackedByteArray.bytes", 8},
		{protocol.Decode, runner.Hang, "PackedInt64Array.numbers", 8},
		{protocol.Decode, runner.Accepted, "String.text", 9},
		{protocol.Decode, runner.Wrong, "Color", 20},
		{protocol.Encode, runner.Wrong, "int.value", 12},
		{protocol.Encode, runner.Accepted, "", 0}, // of whichever row
	} {
		found := false
		for _, f := range bad.Findings {
			if f.Op != want.op || f.Outcome != want.outcome || want.row != "" && f.Row != want.row {
				continue
			}
			found = true
			if n := len(f.Bytes) / 2; n > 24 || n < want.smallest {
				t.Errorf("%s of %s: %d bytes: %s", want.outcome, want.row, n, f.Bytes)
			}
			if f.Bytes == "" && len(f.Case.Value) > 80 {
				t.Errorf("%s of %s: a large value: %s", want.outcome, f.Row, f.Case.Value)
			}
			if len(f.Others) != 1 || f.Others[0].Target != "careful" {
				t.Errorf("%s of %s: others %+v", want.outcome, want.row, f.Others)
			}
			if !f.Repeats || f.Expected == "" || f.Got == "" || f.Detail == "" || f.Seen == 0 || f.Case.ID == "" {
				t.Errorf("not all is told: %+v", f)
			}
		}
		if !found {
			t.Errorf("not found: %+v, among %d", want, len(bad.Findings))
		}
	}
	if bad.Reached == 0 || bad.Points < bad.Reached || bad.Asked < bad.Inputs || bad.PerSecond <= 0 {
		t.Errorf("figures: %+v", bad)
	}
	dir := filepath.Join(t.TempDir(), "found")
	checkCorpus(t, dir, bad.Findings)
}

// checkCorpus keeps findings, reads them back, and makes vectors of them. What has
// no mistakes passes these, and what has them does not.
func checkCorpus(t *testing.T, dir string, findings []*Finding) {
	for range 2 {
		for _, f := range findings {
			if err := Save(dir, f); err != nil {
				t.Fatal(err)
			}
		}
	}
	all, err := Load(dir)
	if err != nil || len(all) != len(findings) {
		t.Fatalf("%d findings of %d: %v", len(all), len(findings), err)
	}
	names, err := filepath.Glob(filepath.Join(dir, strings.ReplaceAll(all[0].ID, "/", "__")+"@*.bin"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%q, %v", names, err)
	}
	b, err := os.ReadFile(names[0])
	if err != nil || hex.EncodeToString(b) != all[0].Bytes {
		t.Errorf("%x, %v", b, err)
	}
	larger := *all[0]
	larger.Bytes += "00"
	if err := Save(dir, &larger); err != nil {
		t.Fatal(err)
	}
	if again, err := Load(dir); err != nil || len(again) != len(all) || again[0].Bytes != all[0].Bytes {
		t.Errorf("a larger finding replaces a smaller one: %v", err)
	}
	packets, err := Packets(dir, "godot-4.4")
	if err != nil || len(packets) == 0 {
		t.Errorf("%d packets: %v", len(packets), err)
	}
	suites, err := Suites(all)
	if err != nil || len(suites) != 1 {
		t.Fatalf("%d suites: %v", len(suites), err)
	}
	for _, c := range suites[0].Cases {
		if c.ID == "" || c.Row == "" || c.Source == "" || c.Type == "" || len(c.Uses) == 0 || c.About == "" {
			t.Errorf("a case without all it needs: %+v", c)
		}
	}
	for name, fails := range map[string]bool{"careful": false, "careless": true} {
		c := newCareless(name)
		run, err := runner.Conform(context.Background(), suites[0], runner.Local(c, time.Hour), runner.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := run.Count(runner.Fail); (got > 0) != fails || run.Count(runner.Pass) == 0 {
			t.Errorf("%s: %d of the vectors fail, %d pass", name, got, run.Count(runner.Pass))
		}
	}
}

// TestSameSeed: the same seed finds the same.
func TestSameSeed(t *testing.T) {
	ids := func() string {
		r, err := Run(context.Background(), sessions("careless"), Options{Spec: "godot-4.4", Codec: codec.MustLoad("godot-4.4"), Time: time.Minute,
			Inputs: 400, Seed: 7, Minimise: time.Hour, Shallow: true})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, f := range r.Targets[0].Findings {
			all = append(all, f.ID+" "+f.Bytes)
		}
		return strings.Join(all, "\n")
	}
	if a, b := ids(), ids(); a != b || a == "" {
		t.Errorf("%s\nand then\n%s", a, b)
	}
}

// TestStops checks that a run ends when it is told to, and at its limits. It also
// ends if its only target does not have the schema.
func TestStops(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Run(ctx, sessions("careless"), Options{Spec: "godot-4.4", Codec: c, Time: time.Hour})
	if err != nil || r.Stopped == "" {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Run(context.Background(), sessions("careless"), Options{Spec: "godot-4.4", Codec: c, Time: time.Hour, Findings: 1, Shallow: true})
	if err != nil || len(r.Targets[0].Findings) != 1 || r.Targets[0].Stopped == "" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err = Run(context.Background(), sessions("careless"), Options{Spec: "nothing", Codec: c}); err == nil || !strings.Contains(err.Error(), "does not have the schema nothing") {
		t.Error(err)
	}
}

// TestKnown: rules are read with care, and excuse what they are about and nothing else.
func TestKnown(t *testing.T) {
	if len(Engines()) < 5 {
		t.Errorf("%d known differences of engines", len(Engines()))
	}
	for text, want := range map[string]string{
		`{}`:               "JSON list",
		`[{"row":"x"}]`:    "has no reason",
		`[{"reason":"x"}]`: "about everything",
		`[{"reason":"x","when":"the moon is full"}]`: "it is one of: NaN key",
		`[{"reason":"x","rows":"y"}]`:                "unknown field",
		`[] []`:                                      "one JSON list",
		`[{"reason":"x","row":"y"}`:                  "JSON list",
	} {
		if _, err := ParseKnown([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	known, err := ParseKnown([]byte(`[{"target": "care*", "op": "decode", "outcome": "wrong value", "row": "Col?r", "reason": "It is so."}]`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), sessions("careless"), Options{Spec: "godot-4.4", Codec: codec.MustLoad("godot-4.4"), Time: time.Hour, Inputs: 300, Known: known, Shallow: true})
	if err != nil {
		t.Fatal(err)
	}
	if k := r.Targets[0].Known; len(k) != 1 || k[0].Known != "It is so." || k[0].Seen == 0 {
		t.Errorf("%+v", k)
	}
	for _, f := range r.Targets[0].Findings {
		if f.Outcome == runner.Wrong && f.Op == protocol.Decode {
			t.Errorf("%+v", f)
		}
	}
}

// TestConditions: each holds for a value that has what it asks for, and not for one
// without.
func TestConditions(t *testing.T) {
	for when, texts := range map[string][2]string{
		"wrong element":   {`[1, Array[int](["a"])]`, `Array[int]([1])`},
		"type of nothing": {`{"$type":"Array","of":"Nil","value":[]}`, `Array[int]([])`},
		"equal keys":      {`{"$type":"Dictionary","value":[["a",1],["a",2]]}`, `{"a": 1, "b": 1}`},
		"NaN key":         {`{Vector2(nan, 0): 1}`, `{1: nan}`},
		"wide reals":      {`{"$type":"Vector2","value":[1,2],"wide":true}`, `Vector2(1, 2)`},
		"object in full":  {`{"$type":"Object","class":"Node","properties":[]}`, `{"$type":"Object","id":5}`},
		"object key":      {`{"$type":"Dictionary","value":[[[{"$type":"Object","id":5}],1]]}`, `{"a": null}`},
		"object id":       {`{"$type":"Object","id":5}`, `[1]`},
		"no character":    {`{"$type":"String","value":{"$bytes":"7aCA"}}`, `"a"`},
		"empty name":      {`{"$type":"NodePath","absolute":true,"names":[],"subnames":[]}`, `NodePath("/a:b")`},
	} {
		s, err := newSubject("godot-4.4", codec.MustLoad("godot-4.4"))
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			v, err := godot.ParseText(text)
			if strings.HasPrefix(text, `{"$type`) {
				v, err = godot.ParseJSON([]byte(text))
			}
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if got := conditions[when](s, &test{value: v}); got != (i == 0) {
				t.Errorf("%s of %s: %v", when, text, got)
			}
		}
	}
	if is := conditions["objects allowed"]; is(nil, &test{}) || !is(nil, &test{in: inputs.Input{Open: true}}) {
		t.Error("objects are allowed where gates are open, and only there")
	}
	if n := len(Conditions()); n != 11 {
		t.Errorf("%d conditions, and 11 are tried", n)
	}
}

// TestDeepFinding: a finding whose value is nested deeply is JSON that is not, and is
// read back.
func TestDeepFinding(t *testing.T) {
	deep := strings.Repeat(`{"$type":"Array","value":[`, 1025) + `{"$type":"Nil"}` + strings.Repeat(`]}`, 1025)
	f := &Finding{ID: "a/b", Spec: "godot-4.4", Op: protocol.Encode}
	f.Case.Value = json.RawMessage(deep)
	text, err := json.Marshal(f)
	if err != nil || len(text) > 2000 {
		t.Fatalf("%d bytes: %v", len(text), err)
	}
	var back Finding
	if err := json.Unmarshal(text, &back); err != nil || string(back.Case.Value) != deep || back.Op != f.Op {
		t.Errorf("%d bytes: %v", len(back.Case.Value), err)
	}
	if err := json.Unmarshal([]byte(`{"case":{"deep":{"times":1000000000,"before":"[","inner":"","after":"]"}}}`), &back); err == nil {
		t.Error("a finding whose value is a thousand million levels deep is read")
	}
}
