// Sources of inputs, guided by the coverage of the program.

package inputs

import (
	"hash/maphash"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// Way says how an input came about.
type Way string

// The ways.
const (
	Seeded  Way = "seed"     // it was given
	Drawn   Way = "choices"  // its value was drawn from choices
	Mutated Way = "mutation" // its value is another one, changed in one part
	Damaged Way = "damage"   // its packet was damaged in one derived field
	Bytes   Way = "bytes"    // bytes were changed by chance
	Spoiled Way = "spoiled"  // a value that most likely cannot be written
)

// Input is one input, and its meaning by the schema.
type Input struct {
	Way    Way
	Note   string         // what was changed, such as "one short, String.length"
	Choice interp.Choices // from which Value is drawn, where Way is Drawn, and of a seed, if there are such
	Base   []byte         // Damaged: the packet before
	Change corrupt.Change // Damaged: what was done
	Open   bool           // the gates of the schema are open

	// From is the value for which Packet was written, if reading does not give it back. An example
	// is a map with equal keys. It is None if the packet was not written.
	From   interp.Value
	Packet []byte       // to read; nil if only Value is written
	Value  interp.Value // what is read, or to be written; None where the packet is refused
	Used   int          // bytes of Packet that are read
	Err    *interp.Error
	// Canonical has the bytes that are written for Value; without bytes, WriteErr is the reason.
	Canonical []byte
	WriteErr  *interp.Error
	New       int // points of the program that nothing before reached

	fresh bool // it is about what was never done before, though others have the same packet
}

// Valid reports whether the packet is just what a writer writes.
func (in *Input) Valid() bool {
	return in.Err == nil && in.Packet != nil && in.WriteErr == nil && string(in.Packet) == string(in.Canonical)
}

// Options are the choices of a [Source].
type Options struct {
	Seed    uint64
	Objects bool // gates are open in half of the inputs
	// MaxBytes is the most bytes of a packet, except those nested too deeply; 0 is 4096.
	// There are more if each packet of the schema has a quarter of them.
	MaxBytes int
	// Late is the number of inputs before those that are nested too deeply; 0 is 8192.
	Late int
	// Shallow leaves out packets that are nested too deeply, which are large.
	Shallow bool
	// Plain leaves out inputs for features that only this project's reader and writer have. These
	// are limits on memory and depth, values that are kept in the width they were read in, and
	// those that cannot be written.
	Plain bool
	// Defaults leaves out limits on memory and depth and widths that are kept, but not values that
	// cannot be written.
	Defaults bool
	// NoCoverage makes inputs by chance alone, for comparison.
	NoCoverage bool
	// Exchange shares packets with other sources, if it is not nil.
	Exchange Exchange
}

// Exchange shares packets between sources. A Source calls it from its own goroutine, often.
type Exchange interface {
	Give(packet []byte) // it reached something that nothing before it in this Source has reached
	Take() [][]byte     // packets of other sources, each once
}

// entry is an input that is kept, and the inputs made from it.
type entry struct {
	in      Input
	damages sweep[corrupt.Change] // of its packet
	limits  sweep[interp.Value]   // its value with each part at each boundary
	spoils  sweep[interp.Value]   // its value with each part made what has no place there
}

// sweep is a sequence that is gone through once, a step at a time.
type sweep[T any] struct {
	next func() (T, bool)
	stop func()
	done bool
}

// step returns the next of a sequence, which is begun by the first step.
func (s *sweep[T]) step(all func() iter.Seq[T]) (x T, ok bool) {
	if s.done {
		return x, false
	}
	if s.next == nil {
		s.next, s.stop = iter.Pull(all())
	}
	if x, ok = s.next(); !ok {
		s.close()
	}
	return x, ok
}

// close ends a sequence that was begun, which else keeps memory and a goroutine.
func (s *sweep[T]) close() {
	if s.stop != nil {
		s.stop()
	}
	s.next, s.stop, s.done = nil, nil, true
}

// Source makes inputs. It is for one goroutine at a time.
type Source struct {
	m     *interp.Machine
	apart *interp.Machine // to which no two keys are equal
	opt   Options
	r     *rand.Rand
	gens  [2]*interp.Generator
	eng   [2]*corrupt.Engine
	all   *interp.Coverage // of everything so far
	one   *interp.Coverage // of one input
	keep  []*entry
	// A change that was never tried on any input comes before changes that were.
	news    [kinds][]change
	nested  bool // values that are nested as deeply as they may be were among them
	damaged map[damaged]int
	places  map[place]bool
	seen    map[uint64]struct{}
	hash    maphash.Seed
	todo    []Input // seeds, then first values
	seeds   int     // seeds in todo
	aim     *aim
	vals    []interp.Value
	made    int
}

// maxLeast is the size of the smallest packet of a schema above which no more bytes are drawn.
const maxLeast = 16 << 10

// Bounds of the work for the first values.
const (
	mostRedrawn = 50_000  // records that are begun again
	mostFirst   = 8 << 20 // bytes of their packets
)

// New returns a Source of inputs for a machine.
func New(m *interp.Machine, opt Options) (*Source, error) {
	if opt.MaxBytes == 0 {
		opt.MaxBytes = 4096
	}
	// A quarter of a packet is content of a value, which has all rows of a fixed size.
	if least := m.Program().Bounds(m.Program().Root).Min; least > uint64(opt.MaxBytes/4) {
		opt.MaxBytes += 4 * int(min(least, maxLeast))
	}
	if opt.Late == 0 {
		opt.Late = late
	}
	s := &Source{m: m, opt: opt, r: rand.New(rand.NewPCG(opt.Seed, 0x6f637461626c65)), all: m.NewCoverage(), one: m.NewCoverage(),
		seen: map[uint64]struct{}{}, hash: maphash.MakeSeed(), damaged: map[damaged]int{}, places: map[place]bool{}}
	apart := *m.Program()
	apart.Keys[builtin.KeyDiffer] = make([]uint32, len(apart.Types))
	for i := range apart.Types {
		apart.Keys[builtin.KeyDiffer][i] = uint32(i)
	}
	var err error
	if s.apart, err = interp.NewUnfused(&apart, func(i int, _ *bytecode.Type) uint16 { return m.Tag(i) }); err != nil {
		return nil, err
	}
	for i := range s.gens {
		open := uint8(0)
		if i == 1 {
			if !opt.Objects || len(m.Program().Gates) == 0 {
				break
			}
			open = 0xff
		}
		g, err := m.NewGenerator(interp.GenerateOptions{Open: open, MaxBytes: opt.MaxBytes / 4, KeepWidths: true, Repeats: true})
		if err != nil {
			return nil, err
		}
		s.gens[i], s.eng[i] = g, corrupt.New(m, interp.Options{Open: open, KeepWidths: true})
	}
	// The bounds of a program leave padding out. The simplest value is always an input, so Next ends.
	least, _ := s.gens[0].Generate(nil)
	if b, err := m.Encode(least, interp.Options{}); err == nil && len(b) > opt.MaxBytes/4 {
		opt.MaxBytes += max(4*min(len(b), maxLeast), len(b))
		s.opt = opt
	}
	s.aim = newAim(m, opt)
	// The simplest values of all come first, which one choice selects. Then come some
	// of the same types that have more in them.
	const others = 8
	var more []Input
	for i, g := range s.gens {
		seen := map[string]bool{}
		size := 0
		for b := 0; b < 256 && g != nil && g.Redrawn() < mostRedrawn && size < mostFirst; b++ {
			in := Input{Way: Drawn, Open: i == 1, Choice: interp.Choices{byte(b)}}
			v, _ := g.Generate(in.Choice)
			packet, err := m.Encode(v, interp.Options{Open: gates(in.Open)})
			if size += len(packet); err != nil || seen[string(packet)] {
				continue
			}
			seen[string(packet)] = true
			s.todo = append(s.todo, in)
			for range others {
				in.Choice = append(interp.Choices{byte(b)}, s.choices()...)
				more = append(more, in)
			}
		}
	}
	s.todo = append(s.todo, more...)
	return s, nil
}

// Seed adds a packet to begin with, after those that were added before.
func (s *Source) Seed(b []byte) {
	add := func(in Input) {
		s.todo = slices.Insert(s.todo, s.seeds, in)
		s.seeds++
	}
	add(Input{Way: Seeded, Packet: b})
	if s.gens[1] != nil {
		add(Input{Way: Seeded, Packet: b, Open: true})
	}
}

// Close frees what the source keeps. No more inputs can be made.
func (s *Source) Close() {
	for _, e := range s.keep {
		e.damages.close()
		e.limits.close()
		e.spoils.close()
	}
	s.keep = nil
}

// Coverage returns the coverage of all inputs so far.
func (s *Source) Coverage() *interp.Coverage { return s.all }

// Kept returns the packets that reached something new when they came.
func (s *Source) Kept() iter.Seq[*Input] {
	return func(yield func(*Input) bool) {
		for _, e := range s.keep {
			if !yield(&e.in) {
				return
			}
		}
	}
}

// MaxBytes returns how many bytes a packet has, but for those nested too deeply.
func (s *Source) MaxBytes() int { return s.opt.MaxBytes }

// Redrawn returns how many records were begun again to draw values.
func (s *Source) Redrawn() (n int) {
	for _, g := range s.gens {
		if g != nil {
			n += g.Redrawn()
		}
	}
	return n
}

// Changed is Redrawn with the records that were begun again to change values.
func (s *Source) Changed() int {
	n := s.Redrawn()
	for _, e := range s.eng {
		if e != nil {
			n += e.Redrawn()
		}
	}
	return n
}

// Next returns the next input, with its meaning by the schema. No two have the
// same packet, as far as memory for that is taken.
func (s *Source) Next() Input {
	if s.opt.Exchange != nil {
		for _, b := range s.opt.Exchange.Take() {
			s.Seed(b)
		}
	}
	for {
		in := s.propose()
		if in.Packet == nil && in.Value.IsNone() && in.Way != Spoiled {
			continue
		}
		if in.Packet != nil {
			if len(in.Packet) > s.opt.MaxBytes && !deep(&in.Change) {
				continue
			}
			key := maphash.Bytes(s.hash, in.Packet)
			if in.Open {
				key = ^key
			}
			if _, twice := s.seen[key]; twice && !in.fresh && s.made%64 != 0 {
				s.made++
				continue
			}
			if len(s.seen) >= 1<<20 {
				clear(s.seen)
			}
			s.seen[key] = struct{}{}
		}
		s.made++
		s.judge(&in)
		if s.opt.Exchange != nil && in.New > 0 && in.Packet != nil {
			s.opt.Exchange.Give(in.Packet)
		}
		return in
	}
}

// Draw returns an input whose value is drawn by chance, without regard to what was reached.
func (s *Source) Draw() Input {
	in := s.chance()
	s.made++
	s.judge(&in)
	return in
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// propose makes an input of one that is kept.
func (s *Source) propose() Input {
	if len(s.todo) > 0 {
		in := s.todo[0]
		s.todo, s.seeds = s.todo[1:], max(0, s.seeds-1)
		if in.Way == Drawn {
			s.drawn(&in)
		}
		return in
	}
	if s.made >= s.opt.Late && !s.nested && !s.opt.Shallow && !s.opt.NoCoverage {
		s.nested = true
		s.deep()
	}
	if s.r.IntN(4) > 0 {
		if in, ok := s.fresh(); ok {
			return in
		}
	}
	if !s.opt.NoCoverage && s.r.IntN(2) == 0 {
		if in, ok := s.aimed(); ok {
			return in
		}
	}
	if len(s.keep) == 0 || s.opt.NoCoverage || s.r.IntN(16) == 0 {
		return s.chance()
	}
	e := s.pick()
	in := Input{Open: e.in.Open}
	value := !e.in.Value.IsNone()
	eng := s.eng[b2i(in.Open)]
	switch x := s.r.IntN(16); {
	case e.in.Packet != nil && (x < 5 && !e.damages.done || x < 2):
		in.Way = Damaged
		if c, ok := s.damage(e, eng); ok {
			in = damagedInput(&e.in, c)
		}
	case value && x < 8 && !e.limits.done:
		in.Way, in.Note = Mutated, string(corrupt.Boundary)
		if v, ok := e.limits.step(func() iter.Seq[interp.Value] { return eng.Boundaries(e.in.Value, nil) }); ok {
			in.Value, in.Packet = v, s.write(v, in.Open)
		}
	case value && !s.opt.Plain && (x < 11 && !e.spoils.done || x < 3):
		in.Way = Spoiled
		v, ok := e.spoils.step(func() iter.Seq[interp.Value] { return eng.Spoils(e.in.Value, nil) })
		if !ok {
			v = eng.Spoil(s.r, e.in.Value)
		}
		in.Value = v
	case x < 12 && e.in.Choice != nil:
		in.Way, in.Choice = Drawn, s.havoc(e.in.Choice)
		s.drawn(&in)
	case x < 15 && value:
		var kind corrupt.Mutation
		in.Way = Mutated
		in.Value, kind = eng.Mutate(s.r, e.in.Value, s.vals)
		in.Note = string(kind)
		in.Packet = s.write(in.Value, in.Open)
	default:
		in.Way, in.Packet = Bytes, s.havoc(e.in.Packet)
	}
	return in
}

// chance makes an input whose value is drawn.
func (s *Source) chance() Input {
	in := Input{Way: Drawn, Open: s.gens[1] != nil && s.r.IntN(2) == 0, Choice: s.choices()}
	s.drawn(&in)
	return in
}

// pick selects an input that is kept. It is mostly one of the small ones that were not explored
// yet, or one that came late, or any.
func (s *Source) pick() *entry {
	n := len(s.keep)
	switch s.r.IntN(4) {
	case 0, 1:
		var best *entry
		for range 6 {
			e := s.keep[s.r.IntN(n)]
			if !s.open(e) {
				continue
			}
			if best == nil || len(e.in.Packet) < len(best.in.Packet) {
				best = e
			}
		}
		if best != nil {
			return best
		}
	case 2:
		return s.keep[n-1-s.r.IntN(min(n, 16))]
	}
	return s.keep[s.r.IntN(n)]
}

// open reports whether an input was not gone through yet.
func (s *Source) open(e *entry) bool {
	return e.in.Packet != nil && !e.damages.done || !e.in.Value.IsNone() && (!e.limits.done || !e.spoils.done && !s.opt.Plain)
}

// damage returns the next damage of a packet; after all of them any.
func (s *Source) damage(e *entry, eng *corrupt.Engine) (corrupt.Change, bool) {
	for !e.damages.done {
		c, ok := e.damages.step(func() iter.Seq[corrupt.Change] { return eng.Packets(e.in.Packet) })
		if ok && !(s.opt.Shallow && deep(&c)) {
			return c, true
		}
	}
	var out corrupt.Change
	seen := 0
	for c := range eng.Packets(e.in.Packet) {
		if seen++; !(s.opt.Shallow && deep(&c)) && s.r.IntN(seen) == 0 {
			out = c
		}
	}
	return out, out.Packet != nil
}

// choices returns some by chance.
func (s *Source) choices() interp.Choices {
	c := make(interp.Choices, s.r.IntN(40))
	for i := range c {
		c[i] = byte(s.r.Uint32())
	}
	return c
}

func (s *Source) drawn(in *Input) {
	g := s.gens[b2i(in.Open)]
	v, used := g.Generate(in.Choice)
	in.Value, in.Choice = v, in.Choice[:used]
	in.Packet = s.write(v, in.Open)
}

// write returns the packet of a value. It keeps widths in half of the packets, and pairs
// with equal keys in a quarter.
func (s *Source) write(v interp.Value, open bool) []byte {
	return s.writeBy(s.writer(s.r.IntN(4) == 0), v, open, s.r.IntN(2) == 0)
}

// writer returns what writes, which keeps pairs with equal keys or merges them.
func (s *Source) writer(apart bool) *interp.Machine {
	if apart {
		return s.apart
	}
	return s.m
}

func (s *Source) writeBy(m *interp.Machine, v interp.Value, open, keepWidths bool) []byte {
	b, err := m.Encode(v, interp.Options{Open: gates(open), KeepWidths: keepWidths})
	if err != nil {
		return nil
	}
	return b
}

func gates(open bool) uint8 {
	if open {
		return 0xff
	}
	return 0
}

// havoc changes some bytes.
func (s *Source) havoc(b []byte) []byte {
	out := append(make([]byte, 0, len(b)+8), b...)
	for range 1 + s.r.IntN(3) {
		n := len(out)
		if n == 0 {
			out = append(out, byte(s.r.Uint32()))
			continue
		}
		i := s.r.IntN(n)
		switch s.r.IntN(8) {
		case 0:
			out[i] = byte(s.r.Uint32())
		case 1:
			out[i] ^= 1 << s.r.IntN(8)
		case 2:
			out[i] += byte(s.r.IntN(9)) - 4
		case 3:
			out[i] = []byte{0, 1, 0x7f, 0x80, 0xff, 0xfe, 4, 8}[s.r.IntN(8)]
		case 4:
			out = append(out[:i], append([]byte{byte(s.r.Uint32())}, out[i:]...)...)
		case 5:
			out = append(out[:i], out[min(n, i+1+s.r.IntN(4)):]...)
		case 6:
			j := s.r.IntN(n)
			out = append(out, out[min(i, j):min(max(i, j), min(i, j)+64)]...)
		case 7:
			if len(s.keep) > 0 {
				o := s.keep[s.r.IntN(len(s.keep))].in.Packet
				if len(o) > 0 {
					out = append(out[:i], o[s.r.IntN(len(o)):]...)
				}
			}
		}
	}
	return out
}

// decode reads a packet, and notes what that reaches.
func (s *Source) decode(b []byte, opt interp.Options) (interp.Value, int, error) {
	if s.opt.NoCoverage {
		return s.m.Decode(b, opt)
	}
	return s.m.DecodeObserved(b, opt, s.one)
}

// encode writes a value, and notes what that reaches.
func (s *Source) encode(v interp.Value, opt interp.Options) ([]byte, error) {
	if s.opt.NoCoverage {
		return s.m.Encode(v, opt)
	}
	return s.m.AppendObserved(nil, v, opt, s.one)
}

// judge has the schema read and write an input, and keeps it where that reaches
// something new.
func (s *Source) judge(in *Input) {
	s.one.Reset()
	opt := interp.Options{Open: gates(in.Open)}
	if in.Packet != nil {
		if in.Way == Drawn || in.Way == Mutated {
			in.From = in.Value
			_, _ = s.encode(in.From, opt)
		}
		v, used, err := s.decode(in.Packet, opt)
		if err != nil {
			in.Err, _ = err.(*interp.Error)
		}
		if err == nil || in.Way == Damaged || in.Way == Bytes {
			in.Value, in.Used = v, used
		}
	}
	if in.Err == nil && (!in.Value.IsNone() || in.Way == Spoiled) {
		b, err := s.encode(in.Value, opt)
		if err != nil {
			in.WriteErr, _ = err.(*interp.Error)
		}
		in.Canonical = b
		if in.Way == Spoiled && !s.opt.Defaults {
			opt := opt
			opt.KeepWidths = true
			_, _ = s.encode(in.Value, opt)
		}
	}
	if !s.opt.Plain && !s.opt.Defaults && !s.opt.NoCoverage {
		s.limits(in, opt)
	}
	if in.Way == Damaged && in.Err == nil {
		s.twice(in)
	}
	if in.New = s.all.Merge(s.one); in.New > 0 && !deep(&in.Change) { // which would make others that take long
		e := &entry{in: *in}
		if in.Way == Seeded && in.Err == nil { // to draw others like it
			e.in.Choice, _ = s.gens[b2i(in.Open)].Choices(in.Value)
		}
		s.keep = append(s.keep, e)
		s.near(e)
		s.note(in)
		if in.Err == nil && !in.Value.IsNone() && in.WriteErr == nil {
			if len(s.vals) < 256 {
				s.vals = append(s.vals, in.Value)
			} else {
				s.vals[s.r.IntN(len(s.vals))] = in.Value
			}
		}
	}
}

// limits tries what only callers of this project's own reader and writer ask for.
func (s *Source) limits(in *Input, opt interp.Options) {
	if s.r.IntN(4) > 0 {
		return
	}
	opt.KeepWidths = true
	opt.MaxDepth = s.r.IntN(3)
	opt.MaxMemory = s.r.IntN(512)
	if in.Packet != nil {
		_, _, _ = s.decode(in.Packet, opt)
	}
	if !in.Value.IsNone() || in.Way == Spoiled {
		_, _ = s.encode(in.Value, opt)
	}
	opt.Open = ^opt.Open
	if in.Packet != nil {
		_, _, _ = s.decode(in.Packet, opt)
	}
	if !in.Value.IsNone() || in.Way == Spoiled {
		_, _ = s.encode(in.Value, opt)
	}
}

// Program returns the program whose inputs s makes.
func (s *Source) Program() *bytecode.Program { return s.m.Program() }
