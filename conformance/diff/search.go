// Looking for packets that the two sides do not make the same of.

package diff

import (
	"bytes"
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/interp"
)

// witness is a packet that shows an effect.
type witness struct {
	packet    []byte
	rewritten []byte // Compatible: what the old side writes for the same value
	by        string
	open      bool
}

// effect names one consequence of one change.
type effect struct {
	key   string
	class Class
}

// search is a comparison in progress.
type search struct {
	p        *pairs
	old, new *Side
	open     bool
	seen     map[string]struct{} // packets, with the gates as they are
	packets  int
	found    map[effect]*witness
	unknown  map[string]*unit // keys that no change explains
	tries    map[outcome]*tried
}

// outcome is what is known of a packet before it is traced.
type outcome struct {
	class    Class
	old, new string // the values, or the errors
}

type tried struct{ times, length int }

// enough is the number of packets of one outcome, of any length, that are traced. After these,
// only those are traced that are as short as the shortest.
const enough = 24

func (s *search) gates(open bool) {
	s.open = open
	bits := uint8(0)
	if open {
		bits = 0xff
	}
	s.old.gates(bits)
	s.new.gates(bits)
	s.seen = map[string]struct{}{}
}

func (s *search) options() interp.Options {
	if s.open {
		return interp.Options{Open: 0xff}
	}
	return interp.Options{}
}

// maxPacket is the length from which on packets are not looked at, unless they
// are about depth.
const maxPacket = 1 << 10

// try gives a packet to both sides and notes the results.
func (s *search) try(b []byte) {
	if len(b) > maxPacket && s.p.limits["depth"] == nil {
		return
	}
	if _, again := s.seen[string(b)]; again {
		return
	}
	s.seen[string(b)] = struct{}{}
	s.packets++
	v, usedOld, errOld := s.old.read(b)
	w, usedNew, errNew := s.new.read(b)
	if errOld != nil && errNew != nil {
		return
	}
	writesOld := errOld == nil && s.old.writes(b, v, usedOld)
	writesNew := errNew == nil && s.new.writes(b, w, usedNew)
	if errOld == nil && errNew == nil && usedOld == usedNew && sameValue(s.old, v, s.new, w) {
		if writesOld != writesNew || !writesOld {
			s.rewritten(v, w)
		}
		return
	}
	at := outcome{old: describe(s.old, v, errOld), new: describe(s.new, w, errNew)}
	if writesNew {
		at.class = OldMisreads
		if errOld != nil {
			at.class = OldRefuses
		}
		s.part(at, b, true)
	}
	if writesOld {
		at.class = NewMisreads
		if errNew != nil {
			at.class = NewRefuses
		}
		s.part(at, b, false)
	}
	if !writesOld && !writesNew {
		at.class = Unwritten
		s.part(at, b, errNew == nil)
	}
}

// rewritten notes a value that both sides read alike and write differently.
func (s *search) rewritten(v, w interp.Value) {
	old := bytes.Clone(s.old.write(v))
	new := bytes.Clone(s.new.write(w))
	if old == nil || new == nil || bytes.Equal(old, new) {
		return
	}
	// Each has to read what the other one writes; else it is another effect, which
	// is found when these packets are tried.
	for _, b := range [][]byte{old, new} {
		x, n, err := s.old.read(b)
		y, m, errNew := s.new.read(b)
		if err != nil || errNew != nil || n != m || !sameValue(s.old, x, s.new, y) {
			return
		}
	}
	if !s.worth(outcome{Compatible, describe(s.old, v, nil), describe(s.new, w, nil)}, len(new)) {
		return
	}
	key, explained := s.p.cause(s.old.steps(old), s.new.steps(new), true)
	s.note(key, explained, Compatible, &witness{packet: new, rewritten: old, by: "new", open: s.open})
}

func describe(s *Side, v interp.Value, err error) string {
	if err != nil {
		var e *interp.Error
		if errors.As(err, &e) {
			return e.Word() + " " + e.Rule.Name
		}
		return err.Error()
	}
	return keyOf(s.units.byTag[v.Tag()])
}

// worth reports whether a packet may be the shortest of its outcome.
func (s *search) worth(at outcome, length int) bool {
	t := s.tries[at]
	if t == nil {
		t = &tried{length: length}
		s.tries[at] = t
	}
	if t.times++; t.times > enough && length > t.length {
		return false
	}
	t.length = min(t.length, length)
	return true
}

// part finds out which change a packet is a witness of.
func (s *search) part(at outcome, b []byte, newWrites bool) {
	if !s.worth(at, len(b)) {
		return
	}
	key, explained := s.p.cause(s.old.steps(b), s.new.steps(b), newWrites)
	by := "new"
	switch at.class {
	case NewMisreads, NewRefuses:
		by = "old"
	case Unwritten:
		by = "nobody"
	}
	s.note(key, explained, at.class, &witness{packet: bytes.Clone(b), by: by, open: s.open})
}

func (s *search) note(key string, explained bool, class Class, w *witness) {
	if !explained && s.unknown[key] == nil {
		x := s.new.units.byKey[key]
		if x == nil {
			x = s.old.units.byKey[key]
		}
		if x == nil {
			x = &unit{name: s.new.Program.Schema}
		}
		s.unknown[key] = x
	}
	at := effect{key, class}
	if now := s.found[at]; now == nil || better(w, now) {
		s.found[at] = w
	}
}

// better reports whether a witness is simpler than another one.
func better(x, than *witness) bool {
	switch {
	case x.open != than.open:
		return !x.open
	case len(x.packet) != len(than.packet):
		return len(x.packet) < len(than.packet)
	}
	zeros := bytes.Count(x.packet, []byte{0}) - bytes.Count(than.packet, []byte{0})
	return zeros > 0 || zeros == 0 && bytes.Compare(x.packet, than.packet) < 0
}

// edges are choices at which a generator does something else.
var edges = []byte{0, 1, 2, 3, 4, 7, 8, 0x10, 0x1f, 0x20, 0x3f, 0x40, 0x41, 0x4f, 0x50, 0x61, 0x7e, 0x7f, 0x80, 0x83, 0x90, 0x96, 0x9f, 0xa0,
	0xbf, 0xc0, 0xc3, 0xc7, 0xd7, 0xe0, 0xe7, 0xf0, 0xf3, 0xf8, 0xff}

// draws is how many values of each type are drawn at random, besides those that
// differ in the first choices. Of types that changed more of these are tried, once:
// open gates add forms, and do not change others.
const draws = 150

// shallow is how deeply packets are nested.
const shallow = 8

// run tries what there is to try with the gates as they are.
func (s *search) run() {
	for _, side := range []*Side{s.old, s.new} {
		seeds := s.values(side, false)
		seeds = append(seeds, exampleBytes(side)...)
		// The limit of nesting is of interest only if it changed.
		opt := s.options()
		if s.p.limits["depth"] == nil {
			opt.MaxDepth = shallow
		}
		e := corrupt.New(side.machine, opt)
		for _, b := range seeds {
			s.try(b)
			for c := range e.Packets(b) {
				if c.Kind != corrupt.FarTooDeep {
					s.try(c.Packet)
				}
			}
		}
	}
	if s.unseen() {
		s.values(s.old, true)
		s.values(s.new, true)
	}
	s.equalKeys()
	s.shrink()
}

// unseen reports whether a change of a type has no witness so far.
func (s *search) unseen() bool {
	seen := map[string]bool{}
	for at := range s.found {
		seen[at.key] = true
	}
	for key := range s.p.changes {
		if !seen[key] {
			return true
		}
	}
	return false
}

// values tries what a side writes for values of every type, and returns the
// shortest packets of each. With far it draws values whose last fields differ,
// in records of many fields.
func (s *search) values(side *Side, far bool) [][]byte {
	g, err := side.machine.NewGenerator(interp.GenerateOptions{Open: s.options().Open, MaxBytes: 256})
	if err != nil {
		return nil // of a schema without values: examples and damage are left
	}
	shortest := map[uint16][][]byte{}
	inside := contexts(side, g)
	nested := map[uint16]int{}
	drawn := func(c ...byte) uint16 {
		v, _ := g.Generate(c)
		b, err := side.machine.Append(nil, v, s.options())
		if err != nil {
			return v.Tag()
		}
		if _, known := s.seen[string(b)]; !known && len(b) <= 24 && nested[v.Tag()] < mostNested {
			// If a value takes other bytes, the bytes after it in another one are
			// read from the wrong place.
			if x := side.units.byTag[v.Tag()]; x != nil && s.p.changes[x.key] != nil {
				nested[v.Tag()]++
				for _, in := range inside {
					if b, err := side.machine.Append(nil, in(v), s.options()); err == nil {
						s.try(b)
					}
				}
			}
		}
		s.try(b)
		list := shortest[v.Tag()]
		if len(b) <= 64 && !slices.ContainsFunc(list, func(o []byte) bool { return bytes.Equal(o, b) }) {
			list = append(list, b)
			slices.SortStableFunc(list, func(x, y []byte) int { return len(x) - len(y) })
			shortest[v.Tag()] = list[:min(len(list), seedsOfType)]
		}
		return v.Tag()
	}
	first := map[uint16][]byte{}
	var types []uint16
	for b := range 256 {
		if tag := drawn(byte(b)); first[tag] == nil {
			first[tag] = []byte{byte(b)}
			if _, union := side.Program.UnionTable(side.Program.Root); !union {
				first[tag] = []byte{} // the first choice tells no type
			}
			types = append(types, tag)
		}
	}
	more := func(c ...byte) {
		if g.Redrawn() < mostRedrawn {
			drawn(c...)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	chosen := func(c []byte, n int) {
		rest := make([]byte, n)
		for i := range rest {
			rest[i] = edges[random.IntN(len(edges))]
		}
		more(append(slices.Clip(c), rest...)...)
	}
	if far {
		for _, tag := range types {
			for range draws {
				chosen(first[tag], 15+random.IntN(96))
			}
		}
		return nil
	}
	for _, tag := range types {
		c := first[tag]
		for b := range 256 {
			more(append(slices.Clip(c), byte(b))...)
		}
		if x := side.units.byTag[tag]; !s.open && (x == nil || s.p.changes[x.key] != nil || s.p.wide) {
			for _, x := range edges {
				for _, y := range edges {
					more(append(slices.Clip(c), x, y)...)
				}
			}
		}
		for range draws {
			chosen(c, 3+random.IntN(12))
		}
	}
	var seeds [][]byte
	for _, tag := range types {
		seeds = append(seeds, shortest[tag]...)
	}
	return seeds
}

// mostRedrawn is how many records are begun again to draw values, since conditions on what was drawn did
// not hold. Values of some schemas are drawn hundreds of times slower than others.
const mostRedrawn = 100_000

// mostNested is how many values of a type are tried inside of others.
const mostNested = 200

// contexts are ways to put a value into another one.
func contexts(side *Side, g *interp.Generator) []func(interp.Value) interp.Value {
	var out []func(interp.Value) interp.Value
	nothing, _ := g.Generate(nil)
	for _, x := range side.units.all {
		t := side.types[x.tag]
		if x.sort != Arm || x.nested || t == nil {
			continue
		}
		for _, f := range t.Fields {
			switch {
			case !f.Alone:
			case f.Kind == interp.List:
				out = append(out, func(v interp.Value) interp.Value { return interp.MakeList(x.tag, []interp.Value{v}) },
					func(v interp.Value) interp.Value { return interp.MakeList(x.tag, []interp.Value{v, nothing}) })
			case f.Kind == interp.Map:
				out = append(out, func(v interp.Value) interp.Value { return interp.MakeMap(x.tag, []interp.Value{v, nothing}) })
			}
		}
	}
	return out
}

// seedsOfType is how many packets of each type are damaged.
const seedsOfType = 4

// exampleBytes returns the packets in the examples of a schema.
func exampleBytes(side *Side) [][]byte {
	if side.Schema == nil {
		return nil
	}
	var out [][]byte
	for _, body := range side.Schema.Bodies() {
		for _, e := range body.Examples {
			if b := e.Bytes; len(b) > 0 && len(b) <= 96 {
				out = append(out, b)
			}
		}
	}
	return out
}

// shrink makes the witnesses that were found shorter and plainer, until no single
// step does.
func (s *search) shrink() {
	done := map[effect]bool{}
	for {
		var left []effect
		for at := range s.found {
			if !done[at] {
				left = append(left, at)
			}
		}
		if left == nil {
			return
		}
		slices.SortFunc(left, func(x, y effect) int {
			return cmp.Or(strings.Compare(x.key, y.key), strings.Compare(string(x.class), string(y.class)))
		})
		for _, at := range left {
			done[at] = true
			for now := s.found[at]; now.open == s.open; now = s.found[at] {
				s.simpler(now)
				if s.found[at] == now {
					break
				}
			}
		}
	}
}

// simpler tries variants of a witness of which a part is removed or made smaller. Parts are its
// bytes, and the choices that make its value.
func (s *search) simpler(w *witness) {
	b := w.packet
	if len(b) > maxPacket {
		return
	}
	for n := len(b) / 2; n > 0; n /= 2 {
		for i := 0; i+n <= len(b); i += n {
			s.try(append(bytes.Clone(b[:i]), b[i+n:]...))
		}
	}
	for i, x := range b {
		for _, y := range []byte{0, 1, x / 2, x - 1} {
			if y < x {
				c := bytes.Clone(b)
				c[i] = y
				s.try(c)
			}
		}
	}
	side := s.new
	if w.by == "old" {
		side = s.old
	}
	if w.by == "nobody" {
		return
	}
	g, err := side.machine.NewGenerator(interp.GenerateOptions{Open: s.options().Open})
	if err != nil {
		return
	}
	v, _, err := side.machine.Decode(b, s.options())
	if err != nil {
		return
	}
	c, err := g.Choices(v)
	if err != nil {
		return
	}
	draw := func(c []byte) {
		v, _ := g.Generate(c)
		if b, err := side.machine.Append(nil, v, s.options()); err == nil {
			s.try(b)
		}
	}
	for n := len(c); n > 0; n /= 2 {
		for i := 0; i+n <= len(c); i += max(1, n/2) {
			draw(append(bytes.Clone(c[:i]), c[i+n:]...))
			zeros := bytes.Clone(c)
			clear(zeros[i : i+n])
			draw(zeros)
		}
	}
}

// equalKeys tries pairs of keys that are equal to one side and different to the
// other.
func (s *search) equalKeys() {
	if s.p.limits["equal keys"] == nil || s.open {
		return
	}
	var keys []interp.Value
	for _, side := range []*Side{s.old, s.new} {
		keys = append(keys, s.keys(side)...)
	}
	write := map[*Side]func(x, y interp.Value) []byte{s.old: mapOf(s.old), s.new: mapOf(s.new)}
	if write[s.old] == nil || write[s.new] == nil {
		return
	}
	left := enough
	for i, x := range keys {
		for _, y := range keys[i:] {
			if left == 0 || s.old.machine.SameKey(x, y) == s.new.machine.SameKey(x, y) {
				continue
			}
			old, new := write[s.old](x, y), write[s.new](x, y)
			if old == nil || new == nil {
				continue
			}
			v, _, err := s.old.read(old)
			if err != nil {
				continue
			}
			if w, _, err := s.new.read(new); err != nil || v.Len() == w.Len() {
				continue
			}
			left--
			s.note("limit equal keys", true, Compatible, &witness{packet: new, rewritten: old, by: "new"})
		}
	}
}

// keys returns values of the types that both sides know, to be keys.
func (s *search) keys(side *Side) []interp.Value {
	g, err := side.machine.NewGenerator(interp.GenerateOptions{MaxBytes: 64})
	if err != nil {
		return nil
	}
	var out []interp.Value
	seen := map[string]bool{}
	for b := range 256 {
		for _, x := range edges {
			if g.Redrawn() >= mostRedrawn {
				return out
			}
			v, _ := g.Generate([]byte{byte(b), x, 0x61})
			if s.old.types[v.Tag()] == nil || s.new.types[v.Tag()] == nil || s.old.same[v.Tag()] != s.new.same[v.Tag()] {
				continue
			}
			p, err := side.machine.Append(nil, v, interp.Options{})
			if err != nil || len(p) > 24 || seen[string(p)] {
				continue
			}
			seen[string(p)] = true
			out = append(out, v)
		}
	}
	return out
}

// mapOf returns what writes a map with two keys as a side does, or nil.
func mapOf(side *Side) func(x, y interp.Value) []byte {
	g, err := side.machine.NewGenerator(interp.GenerateOptions{})
	if err != nil {
		return nil
	}
	nothing, _ := g.Generate(nil)
	for _, x := range side.units.all {
		t := side.types[x.tag]
		if x.sort != Arm || x.nested || t == nil || !slices.ContainsFunc(t.Fields, func(f bytecode.Field) bool { return f.Alone && f.Kind == interp.Map }) {
			continue
		}
		return func(a, b interp.Value) []byte {
			out, err := side.machine.Append(nil, interp.MakeMap(x.tag, []interp.Value{a, nothing, b, nothing}), interp.Options{})
			if err != nil {
				return nil
			}
			return out
		}
	}
	return nil
}
