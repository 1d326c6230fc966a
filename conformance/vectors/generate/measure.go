// The two measures of a suite: how much of its schema it reaches, and how many of the
// mistakes that people make it notices.

package generate

import (
	"encoding/hex"
	"fmt"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/cover"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/conformance/vectors"
)

// Measure holds the measurements of a suite.
type Measure struct {
	Cover     *cover.Report
	Mutants   int        // tried
	Refused   int        // that the verifier does not let pass
	Told      int        // that a case tells from the original
	Survivors []Survivor // that none tells
}

// Survivor is a mutant that no case tells from the original.
type Survivor struct {
	*mutants.Mutant
	// Reason is why nobody can tell it from the original, proven from the program; ""
	// if that is not proven.
	Reason string
}

// Open returns the survivors that are not proven to be equivalent.
func (m *Measure) Open() []Survivor {
	var out []Survivor
	for _, s := range m.Survivors {
		if s.Reason == "" {
			out = append(out, s)
		}
	}
	return out
}

// Score returns how many of the mutants that can be told are told, of a hundred.
func (m *Measure) Score() float64 {
	if n := m.Told + len(m.Open()); n > 0 {
		return 100 * float64(m.Told) / float64(n)
	}
	return 100
}

// String returns the score in words.
func (m *Measure) String() string {
	return fmt.Sprintf("%d of %d mutants that can be told are told (%.1f %%); %d more are equivalent", m.Told, m.Told+len(m.Open()), m.Score(),
		len(m.Survivors)-len(m.Open()))
}

// MeasureOf runs the cases of a suite on the codec's program and on all its mutants. It
// takes nothing from how the suite was made.
func MeasureOf(s *vectors.Suite, c *codec.Codec) (*Measure, error) {
	bench, err := BenchOf(s, c)
	if err != nil {
		return nil, err
	}
	m := raw.Machine(c)
	reached := m.NewCoverage()
	for i := range bench.Len() {
		reached.Merge(bench.Coverage(i))
	}
	setup := reach.Setup{Gates: len(raw.Program(c).Gates) > 0}
	all, refused := mutants.Of(raw.Program(c))
	out := &Measure{Cover: cover.New(m, setup).Report(reached), Mutants: len(all), Refused: len(refused)}
	known := reach.Of(m, setup)
	for i, killer := range bench.Score(all, 0) {
		if killer >= 0 {
			out.Told++
			continue
		}
		reason, _ := mutants.Equivalent(all[i], known, mutants.Results)
		out.Survivors = append(out.Survivors, Survivor{all[i], reason})
	}
	return out, nil
}

// BenchOf returns the cases of a suite on a bench, in order.
func BenchOf(s *vectors.Suite, c *codec.Codec) (*mutants.Bench, error) {
	bench := mutants.NewBench(raw.Machine(c), mutants.Results)
	for i := range s.Cases {
		k := &s.Cases[i]
		b, err := hex.DecodeString(k.Bytes)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", k.ID, err)
		}
		t := mutants.Case{Decode: k.Reads(), Bytes: b}
		if k.Objects {
			t.Open = 1<<len(raw.Program(c).Gates) - 1
		}
		if k.Value != nil {
			v, err := godot.ParseJSON(k.Value)
			if err != nil {
				return nil, fmt.Errorf("case %s: %w", k.ID, err)
			}
			t.Encode, t.Value = true, raw.Value(v)
		}
		bench.Add(t)
	}
	return bench, nil
}
