package runner

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/interp"
)

// mutant is our own codec with one mistake, as an implementation.
type mutant struct {
	protocol.Implementation
	one *mutants.Implementation
}

func options(objects bool) (o interp.Options) {
	if objects {
		o.Open = 0xff
	}
	return o
}

func outcome(o mutants.Outcome) error {
	if e := o.Err; e != nil {
		return &protocol.Refusal{Kind: e.Word(), Offset: e.Offset, Text: e.Error()}
	}
	return nil
}

func (mu *mutant) Decode(_ string, b []byte, objects bool) (json.RawMessage, int, error) {
	o := mu.one.Decode(b, options(objects))
	if err := outcome(o); err != nil {
		return nil, 0, err
	}
	value, err := godot.AppendJSON(nil, raw.Wrap(o.Value))
	return value, o.Used, err
}

func (mu *mutant) Encode(_ string, value json.RawMessage, objects bool) ([]byte, error) {
	v, err := godot.ParseJSON(value)
	if err != nil {
		return nil, err
	}
	o := mu.one.Encode(raw.Value(v), options(objects))
	return slices.Clone(o.Bytes), outcome(o)
}

// noticed is the result of mistakes of a class: the possible outcomes, and a class in the flags
// of vectors. Some of the vectors that detect the mistake have the class. It is "" if these may
// be any vectors: such mistakes show in all results of an implementation.
type noticed struct {
	outcomes string
	class    string
}

var reasons = map[string]noticed{
	"wrong width":              {"wrong refused accepted lossy null", "wrong width"},
	"wrong sign":               {"wrong refused", "wrong width"},
	"real for integer":         {"wrong", "bits of a real"},
	"byte order":               {"wrong refused accepted null", ""},
	"fields swapped":           {"wrong refused accepted", ""},
	"field left out":           {"wrong refused accepted", "cursor"},
	"field doubled":            {"wrong refused accepted", "cursor"},
	"component order":          {"wrong same", "component order"},
	"padding missing":          {"wrong refused accepted same", "padding"},
	"padding where none is":    {"wrong refused", "cursor"},
	"padding always":           {"wrong refused", "padding"},
	"wrong alignment":          {"wrong refused accepted same", "padding"},
	"padding not zero":         {"same", "padding"},
	"padding looked at":        {"refused", "padding looked at"},
	"padding at the end":       {"refused accepted", "padding at the end"},
	"padding counted":          {"same wrong", "padding"},
	"wrong mask":               {"refused accepted wrong", "wrong mask"},
	"wrong flag bit":           {"wrong refused accepted lossy null", ""},
	"flag ignored":             {"wrong refused accepted lossy same", ""},
	"check missing":            {"accepted", ""},
	"gate missing":             {"accepted", "gate missing"},
	"limit off by one":         {"accepted refused", "limit of nesting"},
	"limit missing":            {"accepted refused", ""},
	"count off by one":         {"wrong refused accepted same", "count off by one"},
	"unit of a count":          {"wrong refused accepted", "cursor"},
	"negative count":           {"refused", "limit missing"},
	"highest bit of a count":   {"refused wrong accepted", "highest bit of a count"},
	"zero byte":                {"wrong refused same accepted", "zero byte"},
	"byte order mark":          {"wrong refused same accepted", "byte order mark"},
	"checks of text":           {"accepted refused", "checks of text"},
	"length in characters":     {"wrong accepted", "length in characters"},
	"wrong type id":            {"wrong refused accepted lossy null", ""},
	"type missing":             {"refused", "type missing"},
	"unknown type taken":       {"accepted null", "unknown type taken"},
	"form of a number":         {"same wrong lossy", ""},
	"optional field":           {"wrong refused accepted lossy", "optional field"},
	"what is true":             {"wrong refused", "what is true"},
	"equal keys":               {"same wrong", "equal keys"},
	"order of pairs":           {"lossy wrong", "equal keys"},
	"end of the input":         {"accepted null", "check missing"},
	"bytes after the value":    {"refused", "bytes after the value"},
	"null object":              {"same refused wrong", ""},
	"integer through a double": {"lossy", "integer through a double"},
	"bits of a real":           {"lossy same", "bits of a real"},
	"region ignored":           {"refused accepted wrong", ""},
}

var outcomeWords = map[Outcome]string{Wrong: "wrong", RefusedWrongly: "refused", Accepted: "accepted", Lossy: "lossy", SilentNull: "null", SameValue: "same"}

// TestMutants checks that the vectors detect implementations with one mistake, some of each
// class. They must do so for the right reason: in the direction of the mistake, with outcomes
// of such mistakes, by vectors that are about them.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out some hundred implementations; go test without it runs them")
	}
	seen := map[string]bool{}
	tryMutants(t, mainSpec, seen)
	tryMutants(t, "wave", seen) // mistakes in regions
	for _, c := range mutants.Classes {
		if !seen[c.Name] {
			t.Errorf("nothing wrong of the class %q was noticed", c.Name)
		}
	}
}

// mainSpec is the schema that most mistakes are tried with.
const mainSpec = "godot-4.4"

// tryMutants tries mistakes in a schema, and notes the classes of those that are noticed.
// Of other schemas than this one these are those that are not noted yet.
func tryMutants(t *testing.T, spec string, seen map[string]bool) {
	s, err := suites.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	m := raw.Machine(codec.MustLoad(spec))
	bench := mutants.NewBench(m, mutants.Results)
	for i := range s.Cases {
		bench.Add(benchCase(t, &s.Cases[i]))
	}
	all, _ := mutants.Of(m.Program())
	tried := map[string]int{}
	for _, mu := range all {
		key := mu.Class + " " + mu.Dir.String()
		if tried[key] == 2 || seen[mu.Class] && tried[key] == 0 && spec != mainSpec {
			continue
		}
		one := *s
		one.Cases, one.Large = nil, nil
		for _, k := range bench.Killers(mu) {
			one.Cases = append(one.Cases, s.Cases[k])
		}
		if len(one.Cases) == 0 {
			continue // it differs from the original in nothing that there is a vector for
		}
		impl, err := mu.New(m)
		if err != nil {
			t.Fatal(err)
		}
		run, err := Conform(context.Background(), &one, Local(&mutant{protocol.Octable(), impl}, time.Minute), Options{})
		if err != nil {
			t.Fatal(err)
		}
		caught, about := 0, false
		want, ok := reasons[mu.Class]
		if !ok {
			t.Errorf("the class %q is not in the table of this test", mu.Class)
		}
		for i := range run.Results {
			r := &run.Results[i]
			if r.Outcome == Exact || r.Outcome == RefusedRightly {
				continue
			}
			if (r.Op == protocol.Decode) != (mu.Dir == interp.Reading) {
				t.Errorf("%s, %s: %s", mu.ID, mu.About, r.Sentence())
			}
			caught++
			if word := outcomeWords[r.Outcome]; word == "" || !strings.Contains(want.outcomes, word) || r.Detail == "" {
				t.Errorf("%s, %s: %s", mu.ID, mu.About, r.Sentence())
			}
			for _, f := range r.Case.Flags {
				about = about || want.class == "" || s.Flags[f].Class == want.class
			}
		}
		if caught == 0 {
			continue // it differs in what the protocol does not show, or not at all
		}
		tried[key]++
		seen[mu.Class] = seen[mu.Class] || about || spec != mainSpec
	}
}

func benchCase(t *testing.T, v *vectors.Case) mutants.Case {
	t.Helper()
	c := mutants.Case{Open: options(v.Objects).Open}
	if v.Value != nil {
		value, err := godot.ParseJSON(v.Value)
		if err != nil {
			t.Fatal(err)
		}
		c.Encode, c.Value = true, raw.Value(value)
	}
	if c.Decode = slices.Contains(Ops(v), protocol.Decode); c.Decode {
		c.Bytes = packetOf(v)
	}
	return c
}
