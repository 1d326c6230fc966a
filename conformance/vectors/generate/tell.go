// Telling: inputs that tell mutants from the original which no candidate tells.

package generate

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/interp"
)

// The bounds of telling.
const (
	tellInputs  = 20_000  // tried for mutants that no candidate tells
	tellRedraws = 400_000 // records that are begun again to draw them
	tellRuns    = 24      // inputs that run an instruction in a direction, the first ones
	tellBases   = 2       // of these are changed
	tellChanges = 200_000 // inputs that are made so, in all
	tellFewest  = 500     // of the packet of one, and of its value, if it has as many
)

// run is an instruction in a direction, in inputs that are accepted or refused.
type run struct {
	dir     interp.Direction
	pc      int
	refused bool
}

// want says which inputs that run an instruction are tried. These are the first ones, and each that runs something that
// no other one ran.
type want struct {
	left int              // of the first ones
	ran  *interp.Coverage // nil for only the first ones
}

// telling is one search for inputs that tell mutants.
type telling struct {
	c     *candidates
	all   []*mutants.Mutant
	left  []int         // the numbers of those to tell
	runs  map[run]*want // instructions that these change
	bench *mutants.Bench
	tried []found // on the bench
	reads *interp.Coverage
	found []teller
}

// teller is an input that tells mutants, by their numbers.
type teller struct {
	found
	mutants []int
}

// tell returns inputs that tell some mutants, given by their numbers.
func (c *candidates) tell(all []*mutants.Mutant, left []int, seed uint64) ([]teller, error) {
	t := &telling{c: c, all: all, left: left}
	src, err := inputs.New(c.m, inputs.Options{Seed: seed, Objects: len(c.p.Gates) > 0, Defaults: true, MaxBytes: searchBytes, Shallow: true})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	for i := range c.all {
		if k := &c.all[i]; k.keep && k.bytes != nil && len(k.bytes) <= searchBytes {
			src.Seed(k.bytes)
		}
	}
	t.begin(tellRuns)
	for n := 0; n < tellInputs && src.Changed() < tellRedraws; {
		in := src.Next()
		n += share(in.Packet)
		for _, k := range c.expressed(&in) {
			t.try(k)
		}
	}
	drawn := t.score()
	t.begin(tellBases)
	for _, w := range t.runs {
		w.ran = nil
	}
	drawn = slices.DeleteFunc(drawn, func(f found) bool { return !t.wants(&f.candidate) })
	t.begin(0)
	each := max(tellFewest, tellChanges/(2*len(drawn)+1))
	for i := range drawn[:min(len(drawn), tellChanges/(2*each))] {
		k := &drawn[i].candidate
		n := max(1, each/share(k.bytes))
		t.first(t.damaged(k), n)
		t.first(t.changed(k), n)
	}
	t.score()
	return t.found, nil
}

// begin tries up to n inputs for each instruction that a mutant changes.
func (t *telling) begin(n int) {
	t.bench, t.tried, t.runs = mutants.NewBench(t.c.m, mutants.Results), nil, map[run]*want{}
	for _, i := range t.left {
		for _, pc := range t.all[i].PCs {
			for _, refused := range []bool{false, true} {
				t.runs[run{t.all[i].Dir, pc, refused}] = &want{n, t.c.m.NewCoverage()}
			}
		}
	}
}

// wants reports whether an input runs an instruction for which inputs are to be tried, and counts it.
func (t *telling) wants(k *candidate) bool {
	if t.reads == nil {
		t.reads = t.c.m.NewCoverage()
	}
	t.reads.Reset()
	v, opt, err := k.value, k.options(), error(nil)
	if k.bytes != nil {
		v, _, err = t.c.m.DecodeObserved(k.bytes, opt, t.reads)
	}
	if err == nil && !v.IsNone() {
		_, err = t.c.m.AppendObserved(nil, v, opt, t.reads)
	}
	wanted := false
	for at, w := range t.runs {
		if at.refused != (err != nil) || !t.reads.HasRun(at.dir, at.pc) {
			continue
		}
		if w.ran != nil && w.ran.Merge(t.reads) > 0 || w.left > 0 {
			wanted, w.left = true, w.left-1
		}
	}
	return wanted
}

// try adds an input to the bench, if it is wanted.
func (t *telling) try(k candidate) {
	if t.wants(&k) {
		t.add(k)
	}
}

// add adds an input to the bench, unless no case can say it.
func (t *telling) add(k candidate) {
	k.bytes = bytes.Clone(k.bytes)
	if v, err := t.c.judge(&k); err == nil && !v.silent {
		t.tried = append(t.tried, found{candidate: k, verdict: v})
		t.bench.Add(k.trial(v))
	}
}

// first adds the first n of some inputs to the bench.
func (t *telling) first(all iter.Seq[candidate], n int) {
	for k := range all {
		if n--; n < 0 {
			return
		}
		t.add(k)
	}
}

// damaged returns inputs with one change in the packet of one.
func (t *telling) damaged(k *candidate) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		if k.bytes == nil {
			return
		}
		e := t.c.engine(k.open)
		for b := range e.Coded(k.bytes) {
			if !yield(candidate{bytes: b, open: k.open}) {
				return
			}
		}
		for change := range e.Packets(k.bytes) {
			if len(change.Packet) <= searchBytes && !yield(candidate{bytes: change.Packet, open: k.open}) {
				return
			}
		}
	}
}

// changed returns inputs with one part of the value of one at a boundary. They are the packets of these values, if
// there are some.
func (t *telling) changed(k *candidate) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		v := k.value
		if k.bytes != nil {
			v, _, _ = t.c.m.Decode(k.bytes, k.options())
		}
		if v.IsNone() {
			return
		}
		for w := range t.c.engine(k.open).Boundaries(v, nil) {
			next := candidate{value: w, open: k.open}
			if b, err := t.c.m.Append(nil, w, k.options()); err == nil && len(b) <= lateBytes {
				next.bytes = b
			}
			if !yield(next) {
				return
			}
		}
	}
}

// score runs the mutants on the inputs of the bench, keeps those that tell one, and returns all inputs.
func (t *telling) score() []found {
	var left []int
	var some []*mutants.Mutant
	for _, i := range t.left {
		some = append(some, t.all[i])
	}
	kept := map[int]int{}
	for k, killer := range t.bench.Score(some, 0) {
		if killer < 0 {
			left = append(left, t.left[k])
			continue
		}
		at, ok := kept[killer]
		if !ok {
			at = len(t.found)
			kept[killer] = at
			f := t.tried[killer]
			t.c.nameTeller(&f, some[k])
			t.found = append(t.found, teller{found: f})
		}
		t.found[at].mutants = append(t.found[at].mutants, t.left[k])
	}
	t.left = left
	return t.tried
}

// nameTeller gives a candidate its type and its id, by a mutant that it tells.
func (c *candidates) nameTeller(f *found, mu *mutants.Mutant) {
	f.rule, f.flags, f.about = &mu.Row, []string{"rare"}, "an input that shows a mistake: "+mu.About
	if f.typ = c.typeNamed(mu.Row.Name); f.typ < 0 {
		f.typ = max(0, c.typeOf(c.p.Root, f.verdict.value))
	}
	f.what = "tell-" + strings.ReplaceAll(strings.TrimPrefix(mu.ID, mu.Row.Name+"/"), "/", "-")
}

// untold returns the numbers of the mutants without a case that tells them. It leaves out those that are proven to be
// equivalent.
func (c *candidates) untold(all []*mutants.Mutant, killers []int) (left []int) {
	known := reach.Of(c.m, c.setup())
	for i, killer := range killers {
		if killer >= 0 {
			continue
		}
		if _, ok := mutants.Equivalent(all[i], known, mutants.Results); !ok {
			left = append(left, i)
		}
	}
	return left
}
