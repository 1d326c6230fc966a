// Searching: inputs that are guided by coverage, for what no candidate reaches.

package generate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/cover"
	"github.com/octable/octable/conformance/damage"
	"github.com/octable/octable/conformance/facts"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/mutate"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// The bounds of a search.
const (
	searchInputs = 20_000 // tried for what candidates do not reach
	searchBytes  = 512    // of a packet
)

// found is a candidate that reaches something, with the result of the codec.
type found struct {
	candidate
	verdict *verdict
	points  []*cover.Point // that nothing before it reached
}

// search tries inputs and returns those that reach something which is not in reached, and adds
// that to it. It ends early if nothing is missing.
func (c *candidates) search(seed uint64, n int, reached *interp.Coverage) ([]found, error) {
	points := cover.New(c.m, c.setup())
	h := &hunt{c: c, points: points, reached: reached, one: c.m.NewCoverage(), tries: map[int]int{}}
	if h.missing = points.Report(reached).Missing; len(h.missing) == 0 {
		return nil, nil
	}
	src, err := inputs.New(c.m, inputs.Options{Seed: seed, Objects: len(c.p.Gates) > 0, Defaults: true, MaxBytes: searchBytes, Shallow: true})
	if err != nil {
		return nil, err
	}
	for i := range c.all {
		if k := &c.all[i]; k.keep && k.bytes != nil && len(k.bytes) <= searchBytes {
			src.Seed(k.bytes)
			h.near(k.bytes, k.open)
		}
	}
	for range n {
		in := src.Next()
		if in.New > 0 {
			for _, k := range c.expressed(&in) {
				h.try(k)
			}
		}
		if len(h.missing) == 0 {
			break
		}
		if in.Packet != nil && (in.New > 0 || h.promising(in.Packet, c.gatesOf(&in))) {
			h.near(in.Packet, c.gatesOf(&in))
		}
	}
	return h.found, nil
}

// hunt is one search.
type hunt struct {
	c       *candidates
	points  *cover.Map
	reached *interp.Coverage
	one     *interp.Coverage // of one packet
	missing []*cover.Point
	tries   map[int]int // by point: the packets that ran its instruction and were tried
	found   []found
}

// nearest is the number of packets that are cut and damaged for a point that is missing.
const nearest = 64

// promising reports whether a packet runs an instruction with a point that is missing, for which
// few packets were tried.
func (h *hunt) promising(packet []byte, open uint8) bool {
	h.one.Reset()
	_, _, _ = h.c.m.DecodeObserved(packet, interp.Options{Open: open}, h.one)
	found := false
	for _, q := range h.missing {
		if q.Dir == interp.Reading && h.tries[q.Index] < nearest && h.one.HasRun(q.Dir, q.PC) {
			h.tries[q.Index]++
			found = true
		}
	}
	return found
}

// near tries what a packet gives when it is cut at any byte, or damaged in one place.
func (h *hunt) near(packet []byte, open uint8) {
	opt := interp.Options{Open: open}
	try := func(b []byte) {
		h.one.Reset()
		_, _, _ = h.c.m.DecodeObserved(b, opt, h.one)
		if h.reached.Adds(h.one) > 0 {
			h.try(candidate{bytes: bytes.Clone(b), open: open})
		}
	}
	for n := range packet {
		try(packet[:n])
	}
	for change := range damage.New(h.c.m, opt).Packets(packet) {
		if len(change.Packet) <= searchBytes {
			try(change.Packet)
		}
	}
}

// try keeps a candidate if it reaches something that is missing.
func (h *hunt) try(k candidate) {
	v, err := h.c.judge(&k)
	if err != nil || v.silent {
		return // no case says it
	}
	bench := mutate.NewBench(h.c.m, mutate.Results)
	cov := bench.Coverage(bench.Add(k.trial(v)))
	if h.reached.Adds(cov) == 0 {
		return
	}
	f := found{candidate: k, verdict: v}
	for _, q := range h.missing {
		if cov.Has(q.Index) {
			f.points = append(f.points, q)
		}
	}
	h.reached.Merge(cov)
	h.missing = slices.DeleteFunc(h.missing, func(q *cover.Point) bool { return cov.Has(q.Index) })
	if len(f.points) > 0 {
		h.c.name(&f)
		h.found = append(h.found, f)
	}
}

// setup returns the runs that cases consist of.
func (c *candidates) setup() facts.Setup { return facts.Setup{Gates: len(c.p.Gates) > 0} }

// gatesOf returns the gates that are open for an input.
func (c *candidates) gatesOf(in *inputs.Input) uint8 {
	if in.Open {
		return 1<<len(c.p.Gates) - 1
	}
	return 0
}

// expressed returns the candidates that do what an input does: its packet, and values that are
// written.
func (c *candidates) expressed(in *inputs.Input) []candidate {
	open := c.gatesOf(in)
	var out []candidate
	if in.Packet != nil {
		out = append(out, candidate{bytes: in.Packet, open: open, value: in.Value})
	}
	for _, v := range []interp.Value{in.From, in.Value} {
		if !v.IsNone() && (in.Packet == nil || in.Err == nil) {
			out = append(out, candidate{value: v, open: open})
		}
	}
	return out
}

// name gives a candidate its type and its id, by the first point that it reaches.
func (c *candidates) name(f *found) {
	q := f.points[0]
	f.rule, f.flags = &c.p.Rules[c.p.Code[q.PC].Rule], []string{"rare"}
	f.typ = c.typeNamed(q.Row.Name)
	if f.typ < 0 {
		f.typ = max(0, c.typeOf(c.p.Root, f.verdict.value))
	}
	f.what = "reach-" + strings.ReplaceAll(strings.TrimPrefix(q.ID, q.Row.Name+"/"), "/", "-")
	_, f.about, _ = strings.Cut(q.Text, c.p.InstrText(&c.p.Code[q.PC])+": ")
}

// typeNamed returns the type that a row is of, or -1.
func (c *candidates) typeNamed(row string) int {
	best := -1
	for i := range c.p.Types {
		if name := c.p.Types[i].Name; name != "" && (row == name || strings.HasPrefix(row, name+".")) && (best < 0 || len(name) > len(c.p.Types[best].Name)) {
			best = i
		}
	}
	return best
}

// Unreached returns the ids of points that inputs of a search reach, and no case of a suite. Cases
// and inputs are run with default options, gates closed and open.
func Unreached(s *vectors.Suite, codec *codec.Codec, seed uint64, inputs int) ([]string, error) {
	bench, err := BenchOf(s, codec)
	if err != nil {
		return nil, err
	}
	m := raw.Machine(codec)
	reached := m.NewCoverage()
	for i := range bench.Len() {
		reached.Merge(bench.Coverage(i))
	}
	c := &candidates{model: newModel(m)}
	all, err := c.search(seed, inputs, reached)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, f := range all {
		for _, q := range f.points {
			ids = append(ids, fmt.Sprintf("%s, which %s does", q.ID, shown(&f.candidate)))
		}
	}
	return ids, nil
}

// shown returns the bytes of a candidate, or its value.
func shown(k *candidate) string {
	if k.bytes != nil {
		return fmt.Sprintf("%x", k.bytes)
	}
	return fmt.Sprintf("%+v", k.value)
}
