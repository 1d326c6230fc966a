// Searching: inputs that are guided by coverage, for what no candidate reaches.

package generate

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/cover"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// The bounds of a search. They are numbers, not times, so that it finds the same everywhere.
const (
	searchInputs  = 100_000   // tried for what candidates do not reach
	searchRound   = 25_000    // of these, after which samples are tried; a round that finds nothing is the last one
	searchRedraws = 4_000_000 // records that are begun again to draw them
	searchBytes   = 512       // of a packet
)

// found is a candidate that reaches something, with the result of the codec.
type found struct {
	candidate
	verdict *verdict
	points  []*cover.Point // that nothing before it reached
}

// search tries n inputs, and returns those that reach something that is not in reached, to which it adds that. It
// tries fewer if more records than redraws are begun again. It ends early if nothing is missing, or if a round of inputs
// and the samples among them find nothing.
func (c *candidates) search(seed uint64, n, redraws int, reached *interp.Coverage) ([]found, error) {
	h := newHunt(c, reached)
	if len(h.missing) == 0 {
		return nil, nil
	}
	src, err := h.source(c.m, seed)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	for i := range c.all {
		if k := &c.all[i]; k.keep && k.bytes != nil && len(k.bytes) <= searchBytes {
			src.Seed(k.bytes)
			h.near(k.bytes, k.open)
			h.news(k.bytes, k.open)
		}
	}
	for left := n; left > 0; left -= searchRound {
		before := len(h.missing)
		h.explore(src, src.Next, min(left, searchRound), redraws)
		if left == n {
			if err := h.literal(seed, n/literalShare, redraws/literalShare); err != nil {
				return nil, err
			}
		}
		h.late()
		h.padded()
		h.numbers()
		h.compared()
		h.counted()
		h.spoilt()
		h.oversized()
		if len(h.missing) == before || len(h.missing) == 0 {
			break
		}
	}
	h.grafted()
	h.again()
	return h.found, nil
}

// source returns a source of inputs for a machine.
func (h *hunt) source(m *interp.Machine, seed uint64) (*inputs.Source, error) {
	return inputs.New(m, inputs.Options{Seed: seed, Objects: len(h.c.p.Gates) > 0, Defaults: true, MaxBytes: searchBytes, Shallow: true})
}

// explore tries n inputs that a method of a source returns. It tries fewer if more records than redraws are begun again, or
// if nothing is missing.
func (h *hunt) explore(src *inputs.Source, next func() inputs.Input, n, redraws int) {
	for tried := 0; tried < n && src.Changed() < redraws && len(h.missing) > 0; {
		in := next()
		tried += share(in.Packet)
		if in.New > 0 {
			for _, k := range h.c.expressed(&in) {
				h.try(k)
			}
		}
		if in.Packet == nil {
			continue
		}
		open := h.c.gatesOf(&in)
		if in.New > 0 {
			h.near(in.Packet, open)
			h.news(in.Packet, open)
		} else if few, short := h.promising(in.Packet, open); few {
			h.near(in.Packet, open)
		} else {
			h.short(in.Packet, open, short)
		}
	}
}

// share returns the number of packets of searchBytes bytes that take the time of a packet.
func share(packet []byte) int { return max(1, len(packet)/searchBytes) }

// hunt is one search.
type hunt struct {
	c       *candidates
	reached *interp.Coverage
	one     *interp.Coverage // of one packet
	missing []*cover.Point
	around  map[int][]int             // see the function of this name
	lead    map[int][]int             // results of leading; nil after more is reached
	lenient *interp.Machine           // see unchecked
	tries   map[int]int               // by point: the packets that ran its instruction and were tried
	valid   map[int]int               // by point: the packets that are accepted
	samples map[int][]sample          // by point: some of these, for [hunt.late]
	ended   bool                      // some rows are in a region, or in places that words give
	writes  map[int]int               // by point: the accepted packets that ran its instruction, up to a bound
	ran     map[int]*interp.Coverage  // by point: of the samples of [hunt.distinct]
	two     *interp.Coverage          // of writing one value
	grafts  map[uint8]*corrupt.Grafts // by gates
	loose   *interp.Machine           // see unreplaced
	tried   map[use]bool              // samples that were tried
	done    map[uint64]bool           // hashes of the packets that were read
	hash    maphash.Seed              // of packets
	found   []found
}

func newHunt(c *candidates, reached *interp.Coverage) *hunt {
	return &hunt{
		c: c, reached: reached, one: c.m.NewCoverage(), missing: cover.New(c.m, c.setup()).Report(reached).Missing,
		around: around(c.p), tries: map[int]int{}, valid: map[int]int{}, samples: map[int][]sample{},
		writes: map[int]int{}, ran: map[int]*interp.Coverage{}, two: c.m.NewCoverage(), grafts: map[uint8]*corrupt.Grafts{},
		tried: map[use]bool{}, done: map[uint64]bool{}, hash: maphash.MakeSeed(),
		ended: slices.ContainsFunc(c.p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Enter || in.Op == bytecode.Seek }),
	}
}

// Numbers of packets that are tried for a point that is missing.
const (
	nearest = 64   // are cut and damaged everywhere, the first ones
	further = 4096 // are cut in the row of the point

	sums = 16 // checksums of a changed packet that are made right

	literalShare = 10 // of the inputs of a search are without rules of arms, one in this many
)

// promising reports whether a packet runs an instruction with a missing point for which few packets were tried. It
// also does so at 64, 128, 256, … packets, since the first packets may be much the same. It also returns the
// instructions that the packet runs and whose rows no packet has lacked the end of.
func (h *hunt) promising(packet []byte, open uint8) (few bool, short map[int]bool) {
	h.one.Reset()
	v, _, err := h.c.m.DecodeObserved(packet, interp.Options{Open: open}, h.one)
	if err == nil {
		h.written(v, packet, open)
	}
	short = map[int]bool{}
	for _, q := range h.missing {
		n, cut := h.tries[q.Index], q.Site == interp.SiteShort
		if q.Site == interp.SitePadded && n < further && h.one.HasRun(interp.Reading, q.PC) {
			h.tries[q.Index]++
			few = few || n < nearest && q.Dir == interp.Reading
			if err == nil {
				h.sample(q, packet, open)
			}
			continue
		}
		if (refused(q) || chosen(q, interp.Writing)) && err == nil && h.valid[q.Index] < spoiltSamples && h.one.HasRun(interp.Reading, q.PC) {
			h.sample(q, packet, open)
			continue
		}
		if q.Dir != interp.Reading || n >= further || !h.approaches(q) {
			continue
		}
		h.tries[q.Index]++
		few = few || n < nearest || n&(n-1) == 0
		if cut {
			short[q.PC] = true
		}
		if err == nil && (cut || n < comparedSamples && (chosen(q, interp.Reading) || counted(q) || h.placed(q))) {
			h.sample(q, packet, open)
		}
		if err == nil && chosen(q, interp.Reading) {
			h.distinct(q, h.one, packet, open)
		}
	}
	return few, short
}

// approaches reports whether the last packet runs the instruction of a point. If no packet ran it, it reports
// whether the last one runs an instruction that leads there: the construct around it, or a call.
func (h *hunt) approaches(q *cover.Point) bool {
	if h.reached.HasRun(q.Dir, q.PC) {
		return h.one.HasRun(q.Dir, q.PC)
	}
	return slices.ContainsFunc(h.leading(q.PC), func(pc int) bool { return h.one.HasRun(q.Dir, pc) })
}

// leading returns the instructions from which a reader comes to one that no packet ran. They are the nearest around it that
// packets ran, or the nearest calls of its routine.
func (h *hunt) leading(to int) (out []int) {
	if out, ok := h.lead[to]; ok {
		return out
	}
	if h.lead == nil {
		h.lead = map[int][]int{}
	}
	defer func() { h.lead[to] = out }()
	next, seen := []int{to}, map[int]bool{to: true}
	for len(next) > 0 {
		pc := next[0]
		next = next[1:]
		if h.reached.HasRun(interp.Reading, pc) {
			out = append(out, pc)
			continue
		}
		for _, around := range h.around[pc] {
			if !seen[around] {
				seen[around], next = true, append(next, around)
			}
		}
	}
	return out
}

// around returns, for each instruction, the construct that it is inside of; outside of all, the calls of its routine.
func around(p *bytecode.Program) map[int][]int {
	out := map[int][]int{}
	calls := make([][]int, len(p.Routines))
	for pc := range p.Code {
		for _, r := range p.Code[pc].Calls() {
			calls[r] = append(calls[r], pc)
		}
	}
	var block func(b bytecode.Block, inside []int)
	block = func(b bytecode.Block, inside []int) {
		for pc := range p.Instrs(b) {
			out[pc] = inside
			for _, inner := range p.Inner(pc) {
				block(inner, []int{pc})
			}
		}
	}
	for i := range p.Routines {
		block(p.Body(uint32(i)), calls[i])
	}
	return out
}

// near tries what a packet gives when other gates are open. It also tries it cut at any byte, or damaged in one place. A large
// packet is cut at some bytes.
func (h *hunt) near(packet []byte, open uint8) {
	for _, gates := range h.c.gates() {
		h.read(packet, gates)
	}
	for n := 0; n < len(packet); n += share(packet) {
		h.read(packet[:n], open)
	}
	for change := range h.c.engine(open).Packets(packet) {
		if len(change.Packet) <= searchBytes {
			h.read(change.Packet, open)
		}
	}
	for b := range h.c.engine(open).Coded(packet) {
		h.read(b, open)
	}
}

// read tries a packet if reading it reaches something new. A packet with a wrong checksum is tried with the right one as well,
// since a reader refuses the packet before the change in it. A packet is read once.
func (h *hunt) read(b []byte, open uint8) {
	for range 1 + sums {
		key := maphash.Bytes(h.hash, b) + uint64(open)
		if h.done[key] {
			return
		}
		h.done[key] = true
		h.one.Reset()
		_, _, err := h.c.m.DecodeObserved(b, interp.Options{Open: open}, h.one)
		if h.reached.Adds(h.one) > 0 {
			h.try(candidate{bytes: bytes.Clone(b), open: open})
		}
		if !errors.Is(err, interp.ErrChecksum) && !errors.Is(err, interp.ErrValue) {
			return
		}
		var ok bool
		if b, ok = h.c.engine(open).Summed(b); !ok {
			return
		}
	}
}

// short tries packets that end inside the last row of each of some instructions. It also moves parts that were behind
// the end before it, and tries packets in which the region around that row ends.
func (h *hunt) short(packet []byte, open uint8, at map[int]bool) {
	if len(at) == 0 {
		return
	}
	last := map[int]int{}
	_, _, _ = h.c.m.DecodeObserved(packet, interp.Options{Open: open}, interp.ObserverFunc(func(e *interp.Event) {
		if at[e.PC] && (e.Kind == interp.Row || e.Kind == interp.Padding) && e.Len > 0 {
			last[e.PC] = e.Offset + e.Len - 1
		}
	}))
	ends := slices.DeleteFunc(slices.Sorted(maps.Values(last)), func(end int) bool { return end >= len(packet) })
	for _, end := range ends {
		h.read(packet[:end], open)
	}
	if h.ended && len(ends) > 0 {
		for b := range h.c.engine(open).Ended(packet, ends) {
			h.read(b, open)
		}
	}
}

// literal tries n inputs, or fewer. In these, no rule of an arm (writes) puts another arm in place of a value. A writer
// never writes an arm that another one always replaces. A reader accepts it.
func (h *hunt) literal(seed uint64, n, redraws int) error {
	if !slices.ContainsFunc(h.c.p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Subst }) {
		return nil
	}
	m, err := h.unreplaced()
	if err != nil {
		return err
	}
	clear(h.writes)
	src, err := h.source(m, seed)
	if err != nil {
		return err
	}
	defer src.Close()
	h.explore(src, src.Draw, n, redraws)
	return nil
}

// both tries a value and its packet.
func (h *hunt) both(w interp.Value, b []byte, open uint8) {
	h.value(w, open)
	h.read(b, open)
}

// value tries a value if writing it reaches something new.
func (h *hunt) value(w interp.Value, open uint8) {
	h.one.Reset()
	_, _ = h.c.m.AppendObserved(nil, w, interp.Options{Open: open}, h.one)
	if h.reached.Adds(h.one) > 0 {
		h.try(candidate{value: w, open: open})
	}
}

// try keeps a candidate if it reaches something that is missing.
func (h *hunt) try(k candidate) {
	v, err := h.c.judge(&k)
	if err != nil || v.silent {
		return // no case says it
	}
	bench := mutants.NewBench(h.c.m, mutants.Results)
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
	h.lead = nil
	h.missing = slices.DeleteFunc(h.missing, func(q *cover.Point) bool { return cov.Has(q.Index) })
	if len(f.points) > 0 {
		h.c.name(&f)
		h.found = append(h.found, f)
	}
}

// setup returns the runs that cases consist of.
func (c *candidates) setup() reach.Setup { return reach.Setup{Gates: len(c.p.Gates) > 0} }

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
// and inputs are run with default options, gates closed and open. The search begins at most 10 records again for
// each input, so it finds less than that of [Suite] if values are hard to draw.
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
	all, err := c.search(seed, inputs, 10*inputs, reached)
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
