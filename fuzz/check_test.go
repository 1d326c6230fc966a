package fuzz

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/facts"
	"github.com/octable/octable/conformance/mutate"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
)

// resolved returns a schema under a choice, and its program.
func resolved(t testing.TB, id, choice string) (*schema.Schema, *bytecode.Program) {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.With(choice); err != nil {
		t.Fatal(err)
	}
	p, err := compile.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

// TestCheckShipped: the laws hold for every shipped schema under each choice.
func TestCheckShipped(t *testing.T) {
	for _, id := range spec.IDs() {
		s, err := compile.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		if s.Root == nil {
			continue
		}
		for _, choice := range s.Choices() {
			s, p := resolved(t, id, choice)
			began := time.Now()
			c, err := Check(s, p, DefaultTries)
			if err != nil {
				t.Fatal(err)
			}
			if c != nil {
				t.Errorf("%s: %+v", id, *c)
			}
			t.Logf("%s %s: %v", id, choice, time.Since(began).Round(time.Millisecond))
		}
	}
}

// mistaken is an implementation with a mistake that no program can have.
type mistaken struct{ *mutate.Implementation }

func (m mistaken) Decode(b []byte, o interp.Options) (interp.Value, int, error) {
	if out := m.Implementation.Decode(b, o); out.Err == nil {
		return out.Value, out.Used, nil
	} else {
		return interp.Value{}, 0, out.Err
	}
}

func (m mistaken) Encode(v interp.Value, o interp.Options) ([]byte, error) {
	if out := m.Implementation.Encode(v, o); out.Err == nil {
		return slices.Clone(out.Bytes), nil
	} else {
		return nil, out.Err
	}
}

// checkMutant checks a mutant of a schema's program against the schema.
func checkMutant(t *testing.T, s *schema.Schema, p *bytecode.Program, mu *mutate.Mutant) (*Counterexample, error) {
	if changed := mu.Program(); changed.Hash() != p.Hash() {
		return Check(s, changed, DefaultTries)
	}
	c, err := codec.New(p)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := both(p.Schema, s, c)
	if err != nil {
		t.Fatal(err)
	}
	bad, err := mu.New(c.Machine())
	if err != nil {
		t.Fatal(err)
	}
	pair[0].reference.m = mistaken{bad}
	src, err := source(s, c, false)
	if err != nil {
		t.Fatal(err)
	}
	return check(pair, src, DefaultTries), nil
}

// TestCheckMutants: a check finds every mistake planted in a program, unless the mutant is
// equivalent.
func TestCheckMutants(t *testing.T) {
	for _, id := range []string{"ntp", "wave"} {
		s, p := resolved(t, id, "")
		c, err := codec.New(p)
		if err != nil {
			t.Fatal(err)
		}
		known := facts.Of(c.Machine(), facts.Everything)
		mutants, _ := mutate.Of(p)
		found, same := 0, 0
		laws, classes := map[string]int{}, map[string]bool{}
		var tries []int
		began := time.Now()
		for _, mu := range mutants {
			x, err := checkMutant(t, s, p, mu)
			_, equivalent := mutate.Equivalent(mu, known, mutate.Offsets)
			switch {
			case errors.Is(err, interp.ErrNoValue):
				found++
				laws["no value"]++
				classes[mu.Class] = true
			case err != nil:
				t.Errorf("%s: %s: %v", id, mu.ID, err)
			case x != nil:
				found++
				laws[x.Law]++
				classes[mu.Class] = true
				tries = append(tries, x.Try)
			case equivalent:
				same++
			default:
				t.Errorf("%s: %s (%s) is not found: %s", id, mu.ID, mu.Class, mu.About)
			}
		}
		slices.Sort(tries)
		t.Logf("%s: %d of %d mutants in %d classes are found, half of them by %d inputs, the last by %d; %d more are equivalent; by law: %v; %v", id, found, len(mutants), len(classes),
			tries[len(tries)/2], tries[len(tries)-1], same, laws, time.Since(began).Round(time.Millisecond))
	}
}
