package differential_test

import (
	"context"
	"errors"
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/generated"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/fuzz/differential"
)

var generatedInputs = flag.Int("generated-inputs", 0, "ask generated code of every schema about n inputs; 0 is a few for some schemas")

// TestGenerated compares the code that is generated of schemas, in every language, with the
// schema. The schema guides the inputs. Without a flag it tries some schemas. For more of them:
//
//	go test ./fuzz/differential -run TestGenerated -v -generated-inputs 5000 -timeout 1h
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the build of every schema's code; go test without it runs it")
	}
	specs, n := codec.Schemas(), *generatedInputs
	if n == 0 {
		specs, n = long.Part(5, []string{"wave", "godot-4.4", "godot-3-doc+double", "godot-2", "pandemonium-5"}), 150
	}
	languages := generated.Languages
	if !long.Asked() && *generatedInputs == 0 {
		languages = languages[1:] // package generated compiles Go
	}
	for _, l := range languages {
		t.Run(l.Name, func(t *testing.T) {
			code, err := l.Open(t.TempDir(), specs)
			if missing := generated.Missing(""); errors.As(err, &missing) {
				t.Skip(missing)
			} else if err != nil {
				t.Fatal(err)
			}
			defer code.Close()
			for _, spec := range specs {
				t.Run(spec, func(t *testing.T) { differ(t, code, spec, n) })
			}
		})
	}
}

func differ(t *testing.T, code generated.Code, spec string, n int) {
	ctx := context.Background()
	session, err := runner.Open(ctx, code.Target())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	c := codec.MustLoad(spec)
	r, err := differential.Run(ctx, []runner.Session{&exacting{session, t, code, protocol.Octable(), spec, c}}, differential.Options{
		Spec: spec, Codec: c, Time: time.Hour, Inputs: n, Objects: true, Exact: true, Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range r.Targets {
		for _, f := range target.Findings {
			t.Errorf("%s %s %s: %s: %s\nexpected %s\ngot %s", f.Op, f.Bytes, string(f.Case.Value), f.Outcome, f.Detail, f.Expected, f.Got)
		}
		t.Logf("%d inputs, %d questions, %d of %d points, %v", target.Inputs, target.Asked, target.Reached, target.Points, r.Took.Round(time.Millisecond))
	}
}

// exacting is a session whose refusals have to say what this project's codec says.
// That is the kind, and in reading the byte. If a language does not keep all bits of a
// NaN, answers that differ in nothing else count as right.
type exacting struct {
	runner.Session
	t    *testing.T
	code generated.Code
	want protocol.Implementation
	spec string
	c    *codec.Codec
}

func (s *exacting) Do(ctx context.Context, requests []protocol.Request) ([]process.Reply, error) {
	replies, err := s.Session.Do(ctx, requests)
	for i := range replies {
		q, got := &requests[i], &replies[i].Answer
		if replies[i].Fault != nil {
			continue
		}
		want := protocol.Reply(s.want, q)
		switch {
		case (got.Error == "") != (want.Error == ""): // which is a finding
		case got.Error != "":
			if got.Kind != want.Kind && !ofCode(got, &want) || got.Offset == nil || q.Op != protocol.Encode && *got.Offset != *want.Offset {
				s.t.Errorf("%s %s%s: it says %s: %s; it should say %s: %s", q.Op, q.Bytes, q.Value, got.Kind, got.Error, want.Kind, want.Error)
			}
		case s.same(q, got, &want):
			got.Value, got.Bytes = want.Value, want.Bytes
		}
	}
	return replies, err
}

// ofCode reports whether a language refuses a value for a code in its own way. A code is text there, so a number is of
// another type, and a text of other letters is out of range.
func ofCode(got, want *protocol.Answer) bool {
	return strings.Contains(got.Error, "expected four letters") && (got.Kind == "mismatch" && want.Kind == "range" || got.Kind == "range" && want.Kind == "mismatch")
}

// same reports whether answers differ only in bits of a NaN that the language
// loses.
func (s *exacting) same(q *protocol.Request, got, want *protocol.Answer) bool {
	c, err := s.c.With(codec.Options{Objects: q.Objects})
	if err != nil {
		s.t.Fatal(err)
	}
	var values [2]codec.Value
	for i, a := range []*protocol.Answer{got, want} {
		if q.Op == protocol.Decode {
			values[i], err = godot.ParseJSON(a.Value)
		} else if b, _ := a.Packet(); err == nil {
			var used int
			if values[i], used, err = c.Decode(b); used != len(b) {
				return false
			}
		}
		if err != nil {
			return false
		}
	}
	lost := values[1]
	if q.Op == protocol.Encode { // some of it may be lost before it is written
		if lost, err = godot.ParseJSON(q.Value); err != nil {
			return false
		}
	}
	return s.code.Loses(s.spec, lost) && generated.SameButNaN(values[0], values[1])
}
