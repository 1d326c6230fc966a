// Selecting: of many candidates the few that each find something.

package generate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/conformance/vectors"
)

// Suite makes the vectors of a codec's schema. The choice is that of its option, or ""
// if that is the first. The errata may be nil. Examples are packets of the schema: their values are
// tried with others, if they have fields that no drawn value has.
func Suite(choice string, c *codec.Codec, errata Errata, examples [][]byte) (*vectors.Suite, error) {
	s, all, err := small(choice, c, errata, examples)
	if err != nil {
		return nil, err
	}
	s.Large, err = all.large(s)
	return s, err
}

// Small makes the vectors of [Suite] without the large ones, which take most of the time for a small schema.
func Small(choice string, c *codec.Codec, errata Errata, examples [][]byte) (*vectors.Suite, error) {
	s, _, err := small(choice, c, errata, examples)
	return s, err
}

// small makes the vectors of [Small], and returns the candidates that they are chosen from.
func small(choice string, c *codec.Codec, errata Errata, examples [][]byte) (*vectors.Suite, *candidates, error) {
	p := raw.Program(c)
	s := &vectors.Suite{Format: vectors.Format, Schema: p.Schema, Choice: choice, Title: p.Title, Program: p.Hash(), Flags: map[string]vectors.Flag{}}
	all, err := collect(raw.Machine(c), examples)
	if err != nil {
		return nil, nil, err
	}
	all.known(s.Spec())
	chosen, verdicts, err := all.choose()
	if err != nil {
		return nil, nil, err
	}
	ids := map[string]bool{}
	for i, k := range chosen {
		one, flags := all.build(k, verdicts[i], s.Spec())
		for key, f := range errata.of(k.rule) {
			one.Flags = append(one.Flags, key)
			flags[key] = f
		}
		slices.Sort(one.Flags)
		for key, f := range flags {
			s.Flags[key] = f
		}
		if ids[one.ID] {
			return nil, nil, fmt.Errorf("two cases have the id %s", one.ID)
		}
		ids[one.ID] = true
		s.Cases = append(s.Cases, one)
	}
	slices.SortFunc(s.Cases, func(a, b vectors.Case) int { return cmp.Compare(a.ID, b.ID) })
	return s, all, nil
}

// choose returns the candidates that are kept, with the results of the codec. These are the
// candidates that are in the suite even if they find nothing. Of the others, simple ones first, it
// keeps each that reaches something new or detects a mutant that no other detects.
func (c *candidates) choose() ([]*candidate, []*verdict, error) {
	var order []*candidate
	var verdicts []*verdict
	for i := range c.all {
		order = append(order, &c.all[i])
	}
	slices.SortStableFunc(order, func(a, b *candidate) int {
		return cmp.Or(-compareBool(a.keep, b.keep), compareBool(a.bytes == nil, b.bytes == nil), compareBool(a.context != "", b.context != ""),
			cmp.Compare(len(a.bytes), len(b.bytes)), cmp.Compare(c.id(a), c.id(b)))
	})
	bench := mutants.NewBench(c.m, mutants.Results)
	kept := order[:0]
	for _, k := range order {
		v, err := c.judge(k)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", c.id(k), err)
		}
		if v.silent {
			continue
		}
		kept = append(kept, k)
		verdicts = append(verdicts, v)
		bench.Add(k.trial(v))
	}
	order = kept
	all := c.m.NewCoverage()
	for i := range order {
		all.Merge(bench.Coverage(i))
	}
	rare, err := c.search(1, searchInputs, searchRedraws, all)
	if err != nil {
		return nil, nil, err
	}
	for i := range rare {
		order, verdicts = append(order, &rare[i].candidate), append(verdicts, rare[i].verdict)
		bench.Add(rare[i].trial(rare[i].verdict))
	}
	changed, _ := mutants.Of(c.p)
	killers := bench.Score(changed, 0)
	if left := c.untold(changed, killers); len(left) > 0 {
		told, err := c.tell(changed, left, 1)
		if err != nil {
			return nil, nil, err
		}
		for i := range told {
			order, verdicts = append(order, &told[i].candidate), append(verdicts, told[i].verdict)
			n := bench.Add(told[i].trial(told[i].verdict))
			for _, k := range told[i].mutants {
				killers[k] = n
			}
		}
	}
	chosen := make([]bool, len(order))
	reached := c.m.NewCoverage()
	for i, k := range order {
		if k.keep {
			chosen[i] = true
			reached.Merge(bench.Coverage(i))
		}
	}
	for _, i := range killers {
		if i >= 0 && !chosen[i] {
			chosen[i] = true
			reached.Merge(bench.Coverage(i))
		}
	}
	for i := range order {
		if reached.Merge(bench.Coverage(i)) > 0 {
			chosen[i] = true
		}
	}
	var out []*candidate
	var outVerdicts []*verdict
	for i, ok := range chosen {
		if ok {
			out = append(out, order[i])
			outVerdicts = append(outVerdicts, verdicts[i])
		}
	}
	var told []*mutants.Mutant
	for k, i := range killers {
		if i >= 0 {
			told = append(told, changed[k])
		}
	}
	out, outVerdicts = c.minimal(out, outVerdicts, told)
	return out, outVerdicts, nil
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// minimal leaves out, the largest first, what finds nothing that others do not find.
// A candidate with keep is left out only if it detects no mutant. Each of the mutants is detected by a candidate of the list.
func (c *candidates) minimal(list []*candidate, verdicts []*verdict, told []*mutants.Mutant) (out []*candidate, outVerdicts []*verdict) {
	bench := mutants.NewBench(c.m, mutants.Results)
	for i, k := range list {
		bench.Add(k.trial(verdicts[i]))
	}
	first := make([][]*mutants.Mutant, len(list)) // the mutants that each is the first to tell
	for m, i := range bench.Score(told, 0) {
		first[i] = append(first[i], told[m])
	}
	gone := make([]bool, len(list))
	// sole reports whether the first candidate that tells a mutant is the only one that is left. Those before it are, and do not tell it.
	sole := func(mu *mutants.Mutant, i int) bool {
		return !bench.Tells(mu, i+1, func(j int) bool { return !gone[j] })
	}
	for i := len(list) - 1; i >= 0; i-- {
		needed := slices.ContainsFunc(first[i], func(mu *mutants.Mutant) bool { return list[i].keep || sole(mu, i) })
		if !needed && list[i].keep {
			needed = slices.ContainsFunc(told, func(mu *mutants.Mutant) bool { return bench.Tells(mu, i, func(j int) bool { return j == i }) })
		}
		if !needed {
			rest := c.m.NewCoverage()
			for j := range list {
				if j != i && !gone[j] {
					rest.Merge(bench.Coverage(j))
				}
			}
			needed = rest.Adds(bench.Coverage(i)) > 0
		}
		gone[i] = !needed
	}
	for i := range list {
		if !gone[i] {
			out = append(out, list[i])
			outVerdicts = append(outVerdicts, verdicts[i])
		}
	}
	return out, outVerdicts
}
