package generated

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/compile/gen"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl/long"
)

// TestGenerated compares the code that is generated of schemas, in every language, with the suite and the laws. For the
// suite it tries one schema of found, another in each language. For the laws it tries test schemas in which rows may be
// unread, of which Go has two of six. With OCTABLE_LONG=1 it tries Go for every schema and other languages for one schema
// in three, or for all if OCTABLE_LAWS is set.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the build of every schema's code; go test without it runs it")
	}
	unread := unread(t)
	for i, l := range Languages {
		specs, others := codec.Schemas(), unread
		tried := specs
		switch {
		case values(0) > 0:
		case long.Asked() && l.Name != "go":
			tried = every(3, specs) // each takes a second
		case !long.Asked():
			specs = nil
			for _, f := range found {
				if !slices.Contains(specs, f.spec) {
					specs = append(specs, f.spec)
				}
			}
			tried = specs[i%len(specs):][:1]
			if l.Name == "go" { // its compiler takes long for each
				tried = specs[len(specs)-1:]
				specs, others = tried, every(3, unread)
			}
		}
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			code, err := l.Open(t.TempDir(), slices.Concat(specs, others))
			if missing := Missing(""); errors.As(err, &missing) {
				t.Skip(missing)
			} else if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := code.Close(); err != nil {
					t.Error(err)
				}
			})
			t.Run("suite", func(t *testing.T) {
				all := figures{}
				for _, spec := range tried {
					t.Run(spec, func(t *testing.T) { all.add(conform(t, code, spec, values(0) > 0)) })
				}
				t.Logf("all: %s", all)
			})
			t.Run("found", func(t *testing.T) { encodeFound(t, code, specs) })
			t.Run("laws", func(t *testing.T) {
				for _, spec := range tried {
					t.Run(spec, func(t *testing.T) {
						few := 2
						if l.Name == "go" {
							few = long.Number(5, 30)
						}
						if err := code.Laws(spec, values(few), 1); err != nil {
							t.Errorf("%.4000s", err)
						}
					})
				}
				for _, spec := range others {
					if err := code.Laws(spec, values(long.Number(5, 20)), 1); err != nil {
						t.Errorf("%s: %.4000s", spec, err)
					}
				}
			})
		})
	}
}

// unread returns the ids of the test schemas in which rows may be unread.
func unread(t *testing.T) []string {
	t.Helper()
	var specs []string
	for _, path := range modeltest.Schemas(t, "../..") {
		spec, err := Use(path)
		if err != nil {
			t.Fatal(err)
		}
		specs = append(specs, spec)
	}
	return specs
}

// every returns one of n.
func every(n int, all []string) []string {
	var out []string
	for i := 0; i < len(all); i += n {
		out = append(out, all[i])
	}
	return out
}

// TestLanguages checks that no back end is left out.
func TestLanguages(t *testing.T) {
	for i, l := range gen.Languages {
		if i >= len(Languages) || Languages[i].Name != l.Name {
			t.Errorf("Languages lacks %s, or has it in another place", l.Name)
		}
	}
}

// figures are how many results there are of each sort.
type figures struct{ results, exact, refused, nans int }

func (f *figures) add(g figures) {
	f.results += g.results
	f.exact += g.exact
	f.refused += g.refused
	f.nans += g.nans
}

func (f figures) String() string {
	return fmt.Sprintf("%d results: %d exact, %d refused with the kind and offset that they should be, %d of NaN with other bits", f.results, f.exact, f.refused, f.nans)
}

// conform runs a suite. Code has to do all of it, in the narrowest sense: the very
// values and bytes, and errors of the same kind at the same byte. Only NaN may have
// other bits, where the language does not keep them.
func conform(t *testing.T, code Code, spec string, recode bool) (f figures) {
	s, err := suites.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	if spec != found[0].spec {
		s.Large = nil // they differ in few schemas
	} else if !long.Asked() && !hasTypes(code) {
		// scripts take many seconds for millions of parts
		s.Large = slices.DeleteFunc(s.Large, func(l vectors.Large) bool { return slices.Contains(l.Flags, "size-huge") })
	}
	c, err := codec.MustLoad(spec).With(codec.Options{Objects: true})
	if err != nil {
		t.Fatal(err)
	}
	packets, err := suites.Cross() // which versions read differently
	if err != nil {
		t.Fatal(err)
	}
	cross, err := runner.Cross(packets, codec.MustLoad(spec), spec)
	if err != nil {
		t.Fatal(err)
	}
	s.Cases = append(s.Cases, cross.Cases...)
	runs := []runner.Options{{}}
	if recode {
		runs = append(runs, runner.Options{Filter: runner.Filter{Ops: []protocol.Op{protocol.Recode}}})
	}
	for _, opt := range runs {
		run, err := runner.Conform(context.Background(), s, code.Target(), opt)
		if err != nil {
			t.Fatal(err)
		}
		if run.Failed() {
			t.Errorf("%d of %d fail; %s", run.Count(runner.Fail), len(run.Results), run.Stopped)
		}
		for i := range run.Results {
			r := &run.Results[i]
			f.results++
			switch {
			case r.Outcome == runner.Exact:
				f.exact++
			case r.Outcome == runner.RefusedRightly && (r.ExactError || r.Case.Error == nil):
				f.refused++
			case r.Outcome == runner.Unsupported && hasTypes(code) && r.Op == protocol.Encode && r.Case.Error != nil:
				f.refused++ // by the compiler
			case r.Outcome == runner.SameValue && onlyNaN(t, code, c, spec, r):
				f.nans++
			case r.Outcome == runner.RefusedRightly:
				at := -1
				if r.Answer.Offset != nil {
					at = *r.Answer.Offset
				}
				t.Errorf("%s: it should be refused with %+v, not with %s at %d", r.Sentence(), *r.Case.Error, r.Answer.Kind, at)
			default:
				t.Errorf("%s: %s; %s", r.Verdict, r.Sentence(), r.Reason)
			}
		}
	}
	t.Log(f)
	return f
}

// hasTypes reports whether values of code have types, so that most values that are to be refused
// cannot be made.
func hasTypes(code Code) bool {
	_, ok := code.(*goProgram)
	return ok
}

// onlyNaN reports whether the result of a case differs from
// the case only in the bits of a NaN.
func onlyNaN(t *testing.T, code Code, c *codec.Codec, spec string, r *runner.CaseResult) bool {
	t.Helper()
	value, err := godot.ParseJSON(r.Case.Value)
	if err != nil {
		t.Fatal(err)
	}
	want, got := value, codec.Value{}
	if r.Op == protocol.Decode {
		if got, err = godot.ParseJSON(r.Answer.Value); err != nil {
			t.Fatal(err)
		}
	} else {
		written := r.Case.Bytes
		if r.Case.Canonical != "" {
			written = r.Case.Canonical
		}
		want, got = decoded(t, c, written), decoded(t, c, r.Answer.Bytes)
	}
	return code.Loses(spec, value) && SameButNaN(want, got)
}

// decoded returns the value of a whole packet.
func decoded(t *testing.T, c *codec.Codec, digits string) codec.Value {
	t.Helper()
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	v, used, err := c.Decode(b)
	if err != nil || used != len(b) {
		t.Fatalf("%x: %d bytes, %v", b, used, err)
	}
	return v
}

// found are values that code of some language once wrote otherwise than it should. No
// case of the suite is about them.
var found = []struct{ spec, value string }{
	// Tuples in an array are numbers, however the caller keeps them.
	{"godot-3.2-doc", `{"$type":"Dictionary","value":[[{"$type":"PackedVector2Array","value":[["0","0"]]},1],[{"$type":"PackedVector2Array","value":[["-0","0"]]},2]]}`},
	// NaN that is a key twice, in an array.
	{"godot-3.2-doc", `{"$type":"Dictionary","value":[[{"$type":"PackedFloat32Array","value":["nan"]},1],[{"$type":"PackedFloat32Array","value":["nan"]},2]]}`},
	// A union's type that is no name at all is another mistake than one of another schema.
	{"pandemonium-5", `{"$type":"TypedArray","kind":"text","value":"a"}`},
	// A record compares by its list alone only if it has one.
	{"godot-4-doc", `{"$type":"Dictionary","value":[[{"$type":"Object","kind":"int","value":"8"},1],[{"$type":"Object","kind":"int","value":"0"},2],[{"$type":"Object","kind":"int","value":"8"},3]]}`},
	// A code has four letters.
	{"wave", `{"$type":278,"kind":"record","value":[{"$type":279,"kind":"list","value":[{"$type":280,"kind":"record","value":[{"$type":"invalid","kind":"uint","value":"4294967296"},{"$type":259,"kind":"packed","scalar":"u8","width":1,"value":[]}]}]}]}`},
}

// encodeFound asks for the bytes of those whose schemas the code has.
func encodeFound(t *testing.T, code Code, specs []string) {
	s, err := runner.Open(context.Background(), code.Target())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, f := range found {
		if !slices.Contains(specs, f.spec) {
			continue
		}
		q := protocol.Request{Op: protocol.Encode, Spec: f.spec, Value: json.RawMessage(f.value)}
		replies, err := s.Do(context.Background(), []protocol.Request{q})
		if err != nil || replies[0].Fault != nil {
			t.Errorf("%s %s: %v, %+v", f.spec, f.value, err, replies)
			continue
		}
		if hasTypes(code) && replies[0].Answer.Unsupported != "" {
			continue
		}
		got, want := replies[0].Answer, protocol.Reply(protocol.Octable(), &q)
		if got.Bytes != want.Bytes || got.Kind != want.Kind {
			t.Errorf("%s %s:\n got %s %s\nwant %s %s", f.spec, f.value, got.Bytes, got.Error, want.Bytes, want.Error)
		}
	}
}

// values returns how many values the laws draw for each set of options. They are as many as given, or the number in
// OCTABLE_LAWS, for those who have more time.
func values(n int) int {
	if more, err := strconv.Atoi(os.Getenv("OCTABLE_LAWS")); err == nil && more > 0 {
		return more
	}
	return n
}
