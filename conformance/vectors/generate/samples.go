// Samples: packets that run the instruction of a missing point, and the changes of them that are tried.

package generate

import (
	"bytes"
	"iter"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/cover"
	"github.com/octable/octable/interp"
)

// Numbers of samples, and of the packets and values that are made from one.
const (
	lateValues = 256  // are made of a packet to cut the last element of a list
	moreValues = 64   // and to cut an element that another count adds
	lateBytes  = 4096 // of their packets

	comparedSamples = 64  // packets from which samples are taken for a condition
	comparedValues  = 512 // are made of a packet for other sizes that a condition compares with

	spoiltSamples = 8    // packets from which samples are taken for a refusal or a condition of writers
	spoiltValues  = 4096 // are made of a packet that no writer writes

	distinctSamples = 12 // of a point, with others

	graftedValues  = 256 // are made of a packet with its values in other places
	graftedLevels  = 16  // are put around a value, if the schema allows no more
	graftedPackets = 16  // of a point are cut and damaged
	graftedInAll   = 128 // of all points
	graftedNumbers = 256 // at boundaries, in each of these

	foundPackets = 256 // are cut and damaged at the end

	renumberedValues = 2048 // are made of a packet for the numbers of conditions

	behind = 64 // zeros are put behind a packet for more parts

	grownValues   = 8192 // are made of a packet for other padding
	grownBy       = 511  // bytes or elements
	longerPackets = 200  // with longer forms of numbers, of one packet
)

// lateSizes are the bytes and elements of a part that makes an element longer.
var lateSizes = []int{60, 250}

// fewParts are numbers of parts of texts, arrays and lists.
var fewParts = []int{0, 1, 2, 3}

// sample is a packet with the gates that it is read with.
type sample struct {
	packet []byte
	open   uint8
}

// news notes a packet that reaches something new. It notes its value for points of the writer, and the places of its
// parts.
func (h *hunt) news(packet []byte, open uint8) {
	h.one.Reset()
	v, _, err := h.c.m.DecodeObserved(packet, interp.Options{Open: open}, h.one)
	if err != nil {
		return
	}
	h.written(v, packet, open)
	g := h.grafts[open]
	if g == nil {
		g = h.c.engine(open).NewGrafts()
		h.grafts[open] = g
	}
	g.Add(v)
}

// written writes the value of a packet. It does so if the reader ran the instruction of a point of the writer that is
// missing. The value may reach the point, or the packet may be a sample of it. It may be one for a point of the reader
// as well.
func (h *hunt) written(v interp.Value, packet []byte, open uint8) {
	var at []*cover.Point
	for _, q := range h.missing {
		if h.writes[q.Index] >= further || !h.one.HasRun(interp.Reading, q.PC) {
			continue
		}
		h.writes[q.Index]++
		if q.Dir == interp.Writing {
			at = append(at, q)
		} else if h.placed(q) {
			h.distinct(q, h.one, packet, open)
		}
	}
	if len(at) == 0 {
		return
	}
	h.two.Reset()
	_, _ = h.c.m.AppendObserved(nil, v, interp.Options{Open: open}, h.two)
	for _, q := range at {
		if h.two.HasRun(interp.Writing, q.PC) {
			h.distinct(q, h.two, packet, open)
		}
	}
	if h.reached.Adds(h.two) > 0 {
		h.try(candidate{value: v, open: open})
	}
}

// distinct keeps a packet as a sample of a point. It or its value must run something that none of these samples ran.
func (h *hunt) distinct(q *cover.Point, ran *interp.Coverage, packet []byte, open uint8) {
	all := h.ran[q.Index]
	if all == nil {
		all = h.c.m.NewCoverage()
		h.ran[q.Index] = all
	}
	if all.Merge(ran) > 0 && len(h.samples[q.Index]) < distinctSamples {
		h.samples[q.Index] = append(h.samples[q.Index], sample{bytes.Clone(packet), open})
	}
}

// placed reports whether a point may depend on the values that contain its value. It may depend on their number, or on
// the arguments of its routine.
func (h *hunt) placed(q *cover.Point) bool {
	p := h.c.p
	return q.Site == interp.SiteTooDeep || p.Routines[p.RoutineAt(q.PC)].Args > 0
}

// sample keeps a packet that is accepted for a point, one of 1, 2, 4, 8, … of them.
func (h *hunt) sample(q *cover.Point, packet []byte, open uint8) {
	n := h.valid[q.Index]
	h.valid[q.Index]++
	if n&(n-1) == 0 {
		h.samples[q.Index] = append(h.samples[q.Index], sample{bytes.Clone(packet), open})
	}
}

// late tries packets that are cut inside the last element of a list. They are for the rows that no packet lacked the
// end of. A reader refuses a list before its elements if they take at least more bytes than are left, so the elements
// before the last one are made longer. A writer may refuse a list of two elements, if their number depends on a flag.
// Then the number is changed in the packet of a longer element, and the bytes after it are the next one.
func (h *hunt) late() {
	h.sampled("late", func(q *cover.Point) bool { return q.Site == interp.SiteShort }, func(q *cover.Point, x sample, v interp.Value) {
		e, at := h.c.engine(x.open), map[int]bool{q.PC: true}
		h.write(q, e.Late(v, lateSizes), x.open, lateValues, func(_ interp.Value, b []byte) { h.short(b, x.open, at) })
		h.write(q, e.Resized(v, lateSizes), x.open, moreValues, func(_ interp.Value, b []byte) {
			for change := range e.Of(b, corrupt.OneMore) {
				h.read(change.Packet, x.open)
				h.short(change.Packet, x.open, at)
			}
		})
	})
}

// padded tries values with longer texts, arrays and lists, and numbers of varying width in longer forms. They are for
// padding of which no packet had as many bytes, and serve all of its points.
func (h *hunt) padded() {
	most := 0
	for _, q := range h.missing {
		if q.Site == interp.SitePadded {
			most = max(most, min(int(h.c.p.Code[q.PC].A)-1, grownBy))
		}
	}
	h.sampledOnce("padded", func(q *cover.Point) bool { return q.Site == interp.SitePadded }, func(x sample, v interp.Value) {
		h.write(nil, h.c.engine(x.open).Grown(v, most), x.open, grownValues, func(w interp.Value, b []byte) { h.both(w, b, x.open) })
		h.longer(x.packet, x.open)
	})
}

// longer reads a packet with numbers of varying width in forms of more bytes than they need. It adds one byte, then
// two.
func (h *hunt) longer(packet []byte, open uint8) {
	e, queue := h.c.engine(open), [][]byte{packet}
	for at := 0; at < len(queue) && len(queue) < longerPackets; at++ {
		for change := range e.Of(queue[at], corrupt.LongerForm) {
			h.read(change.Packet, open)
			queue = append(queue, change.Packet)
		}
	}
}

// numbers tries packets and values with the numbers that conditions compare with, for conditions that have one result so far.
func (h *hunt) numbers() {
	h.sampled("numbers", func(q *cover.Point) bool { return chosen(q, q.Dir) }, func(q *cover.Point, x sample, v interp.Value) {
		e := h.c.engine(x.open)
		if q.Dir == interp.Reading {
			for b := range e.Numbers(x.packet, q.PC) {
				h.read(b, x.open)
			}
		}
		h.write(q, e.Renumbered(v, q.PC), x.open, renumberedValues, func(w interp.Value, b []byte) { h.both(w, b, x.open) })
		h.values(e.Integers(v, q.PC), x.open, renumberedValues)
	})
}

// chosen reports whether a condition has a result at a point of a direction.
func chosen(q *cover.Point, d interp.Direction) bool {
	return q.Dir == d && (q.Site == interp.SiteYes || q.Site == interp.SiteNo)
}

// compared tries values with texts, arrays and lists of the sizes that a condition compares with. A list that a condition
// ends has two elements, since its last one is of the kind that ends it. If the condition is that of a row, a
// writer refuses a value of the size without the row, so the length in the packet of a longer value is changed as well.
// A size that a check refuses is written by a writer without checks.
func (h *hunt) compared() {
	h.sampled("compared", func(q *cover.Point) bool { return chosen(q, interp.Reading) }, func(q *cover.Point, x sample, v interp.Value) {
		e := h.c.engine(x.open)
		sizes, both := e.Compared(q.PC), func(w interp.Value, b []byte) {
			h.both(w, b, x.open)
			for change := range e.Of(b, corrupt.OneShort) {
				h.read(change.Packet, x.open)
			}
		}
		if h.c.p.Code[q.PC].Op == bytecode.Check && len(sizes) > 0 {
			h.writeBy(h.unchecked(), q, e.Resized(v, sizes), x.open, comparedValues, both)
			return
		}
		h.write(q, e.Resized(v, sizes), x.open, comparedValues, both)
		if h.c.p.Code[q.PC].Op == bytecode.Stop {
			h.write(q, e.Late(v, sizes), x.open, comparedValues, both)
		}
	})
}

// counted tries values with texts, arrays and lists of few parts. They are for rows that never had that number of parts.
// If the packet holds the number, it is changed there, also with zeros behind the packet for the parts. A check may ask
// that another number is the same.
func (h *hunt) counted() {
	h.sampledOnce("counted", counted, func(x sample, v interp.Value) {
		e := h.c.engine(x.open)
		for w := range e.Resized(v, fewParts) {
			h.value(w, x.open)
			if b, err := h.c.m.Append(nil, w, interp.Options{Open: x.open}); err == nil && len(b) <= lateBytes {
				h.read(b, x.open)
			}
		}
		both := func(b []byte) {
			for _, b := range [][]byte{b, append(b, make([]byte, behind)...)} {
				if w, _, err := h.c.m.Decode(b, interp.Options{Open: x.open}); err == nil {
					h.both(w, b, x.open)
				}
			}
		}
		for _, kind := range []corrupt.Kind{corrupt.OneShort, corrupt.OneMore, corrupt.OneMoreThere} {
			for change := range e.Of(x.packet, kind) {
				both(change.Packet)
			}
		}
		for b := range e.Pairs(x.packet) {
			both(b)
		}
	})
}

// counted reports whether a text, an array or a list has a number of parts at a point.
func counted(q *cover.Point) bool {
	return q.Site == interp.SiteEmpty || q.Site == interp.SiteSingle || q.Site == interp.SiteSeveral
}

// spoilt tries values for the refusals of writers. One part of such a value has no place there, or is at a boundary of
// its row. A writer runs the instructions that a reader ran, so the values are made of those of packets.
func (h *hunt) spoilt() {
	h.sampledOnce("spoilt", func(q *cover.Point) bool { return refused(q) || chosen(q, interp.Writing) }, func(x sample, v interp.Value) {
		e := h.c.engine(x.open)
		h.values(e.Spoils(v, nil), x.open, spoiltValues)
		h.values(e.Boundaries(v, nil), x.open, spoiltValues)
	})
}

// oversized tries values with a text, an array or a list of more parts than a byte can count. It also tries texts and
// arrays that exceed a number of two bytes. They are for numbers that hold a size or depend on one.
func (h *hunt) oversized() {
	h.sampledOnce("oversized", func(q *cover.Point) bool {
		return refused(q) && q.Site == interp.SiteRange || chosen(q, interp.Writing)
	}, func(x sample, v interp.Value) {
		e := h.c.engine(x.open)
		for _, size := range []int{1 << 8, 1 << 16} {
			for w := range e.Oversized(v, size) {
				h.value(w, x.open)
				if b, err := h.c.m.Append(nil, w, interp.Options{Open: x.open}); err == nil {
					h.read(b, x.open)
				}
			}
		}
	})
}

// grafted puts the values of samples in the places of parts of other values. It serves points that depend on the
// values that contain their value. Packets that run the instruction of the point are cut and damaged.
func (h *hunt) grafted() {
	m, err := h.unreplaced()
	if err != nil {
		return
	}
	done, tried := map[string]bool{}, map[int]int{} // packets; their number by point
	h.sampled("grafted", h.placed, func(q *cover.Point, x sample, v interp.Value) {
		g, levels := h.grafts[x.open], 0
		if g == nil {
			return
		}
		if q.Site == interp.SiteTooDeep {
			if levels = h.c.engine(x.open).Depth(); levels > graftedLevels {
				return
			}
		}
		left := graftedValues
		for w := range g.Values(v, levels) {
			if left--; left < 0 || tried[q.Index] == graftedPackets || !slices.Contains(h.missing, q) {
				return
			}
			if q.Dir == interp.Writing { // a writer comes to the point, even if it refuses the value later
				h.value(w, x.open)
				if h.approaches(q) {
					tried[q.Index]++
					h.values(h.c.engine(x.open).Boundaries(w, integers), x.open, graftedNumbers)
				}
				continue
			}
			b, err := m.Append(nil, w, interp.Options{Open: x.open, MaxDepth: bytecode.MaxDepth})
			if err != nil || len(b) > lateBytes {
				continue
			}
			h.both(w, b, x.open)
			if !h.approaches(q) || len(b) > searchBytes {
				continue
			}
			tried[q.Index]++
			if done[string(b)] || len(done) == graftedInAll {
				continue
			}
			done[string(b)] = true
			h.writeBy(m, q, h.c.engine(x.open).Boundaries(w, integers), x.open, graftedNumbers, func(w interp.Value, b []byte) { h.both(w, b, x.open) })
			h.near(b, x.open)
		}
	})
}

// again cuts and damages the packets that were found, and those that are found so.
func (h *hunt) again() {
	for i := 0; i < min(len(h.found), foundPackets) && len(h.missing) > 0; i++ {
		if f := &h.found[i]; f.bytes != nil && len(f.bytes) <= searchBytes {
			b, open := f.bytes, f.open
			h.near(b, open)
			h.news(b, open)
		}
	}
}

// values tries the first n of some values.
func (h *hunt) values(values iter.Seq[interp.Value], open uint8, n int) {
	for w := range values {
		if n--; n < 0 {
			return
		}
		h.value(w, open)
	}
}

// integers reports whether the part at a place is an integer.
func integers(p corrupt.Place) bool { return p.Kind == interp.Int || p.Kind == interp.Uint }

// refused reports whether a writer refuses a value at a point.
func refused(q *cover.Point) bool { return q.Dir == interp.Writing && q.Site.Refuses() }

// use is the use of a sample by a method, for one point or for all of them.
type use struct {
	method string
	point  int // its index, or -1
	sample string
}

// sampled calls f with the samples of each missing point of some sites, and their values. A method gets each sample of a
// point once.
func (h *hunt) sampled(method string, site func(*cover.Point) bool, f func(*cover.Point, sample, interp.Value)) {
	for _, q := range slices.Clone(h.missing) {
		if site(q) {
			h.unused(method, q, q.Index, f)
		}
	}
}

// sampledOnce is sampled without the samples of earlier points.
func (h *hunt) sampledOnce(method string, site func(*cover.Point) bool, f func(sample, interp.Value)) {
	for _, q := range slices.Clone(h.missing) {
		if site(q) {
			h.unused(method, q, -1, func(_ *cover.Point, x sample, v interp.Value) { f(x, v) })
		}
	}
}

// unused calls f with the samples of a point that a method has not used. It ends when the point is reached.
func (h *hunt) unused(method string, q *cover.Point, point int, f func(*cover.Point, sample, interp.Value)) {
	for _, x := range h.samples[q.Index] {
		if !slices.Contains(h.missing, q) {
			return
		}
		key := use{method, point, string(append([]byte{x.open}, x.packet...))}
		if h.tried[key] {
			continue
		}
		h.tried[key] = true
		if v, _, err := h.c.m.Decode(x.packet, interp.Options{Open: x.open}); err == nil {
			f(q, x, v)
		}
	}
}

// write calls f with the first n of some values that are written, and their packets. It goes on as long as a point is
// missing, if there is one.
func (h *hunt) write(q *cover.Point, values iter.Seq[interp.Value], open uint8, n int, f func(interp.Value, []byte)) {
	h.writeBy(h.c.m, q, values, open, n, f)
}

// writeBy is write with the writer of another machine.
func (h *hunt) writeBy(m *interp.Machine, q *cover.Point, values iter.Seq[interp.Value], open uint8, n int, f func(interp.Value, []byte)) {
	for w := range values {
		if n--; n < 0 || q != nil && !slices.Contains(h.missing, q) {
			return
		}
		if b, err := m.Append(nil, w, interp.Options{Open: open}); err == nil && len(b) <= lateBytes {
			f(w, b)
		}
	}
}

// unchecked returns a machine for the program without its checks.
func (h *hunt) unchecked() *interp.Machine {
	if h.lenient == nil {
		m, err := h.c.without(func(_ int, in *bytecode.Instr) bool { return in.Op == bytecode.Check })
		if err != nil {
			return h.c.m
		}
		h.lenient = m
	}
	return h.lenient
}

// unreplaced returns a machine for the program without rules that put another arm in place of a value.
func (h *hunt) unreplaced() (*interp.Machine, error) {
	if h.loose == nil {
		m, err := h.c.without(func(_ int, in *bytecode.Instr) bool { return in.Op == bytecode.Subst })
		if err != nil {
			return nil, err
		}
		h.loose = m
	}
	return h.loose, nil
}
