// News: what was never done before to any input, which comes before it is done again to
// others.

package inputs

import (
	"bytes"
	"maps"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/interp"
)

// damaged is a kind of damage of a row; of flags and type ids, of a number there.
type damaged struct {
	kind   corrupt.Kind
	rule   *bytecode.Rule
	before uint64
	again  bool         // it was damaged before, and can still be read
	first  corrupt.Kind // by what, where it was a flag
}

func damagedOf(in *Input, c *corrupt.Change) damaged {
	d := damaged{kind: c.Kind, rule: c.Rule, again: in.Way == Damaged && in.Err == nil}
	switch c.Kind {
	case corrupt.UnknownID, corrupt.LastID, corrupt.OtherID, corrupt.OtherFlag, corrupt.UnknownFlag, corrupt.AllFlags, corrupt.NotAllowed:
		d.before = c.Before
	}
	return d
}

// place is where a part is, and whether gates are open, which changes what is written.
type place struct {
	corrupt.Place
	open bool
}

func damagedInput(base *Input, c corrupt.Change) Input {
	return Input{Way: Damaged, Open: base.Open, Base: base.Packet, Change: c, Packet: c.Packet, Note: string(c.Kind) + ", " + c.Rule.Name}
}

// change is an input that is made when its turn comes. It keeps what differs from another input, as a large
// input has many changes, and each is a copy of it.
type change struct {
	made   Input
	part   corrupt.Replacement // of a value
	before int                 // bytes of made.Base before those that differ
	with   []byte
	after  int
}

// later returns a damage of an input without the changed packet.
func later(base *Input, c corrupt.Change) change {
	b, out := base.Packet, c.Packet
	most := min(len(b), len(out))
	before := 0
	for before < most && b[before] == out[before] {
		before++
	}
	after := 0
	for after < most-before && b[len(b)-1-after] == out[len(out)-1-after] {
		after++
	}
	x := change{made: damagedInput(base, c), before: before, with: bytes.Clone(out[before : len(out)-after]), after: after}
	x.made.Packet, x.made.Change.Packet = nil, nil
	return x
}

// input makes the input of a change.
func (c *change) input() Input {
	in := c.made
	if in.Way == Damaged {
		b := make([]byte, 0, c.before+len(c.with)+c.after) // not nil if it is empty
		in.Packet = append(append(append(b, in.Base[:c.before]...), c.with...), in.Base[len(in.Base)-c.after:]...)
		in.Change.Packet = in.Packet
	} else {
		in.Value = c.part.Value()
	}
	return in
}

// note notes the changes of an input that were not made to any before. These are damages by
// kind and row, and boundaries and spoiled parts by place.
func (s *Source) note(in *Input) {
	eng := s.eng[b2i(in.Open)]
	if in.Packet != nil {
		now := map[damaged]bool{}
		const often = 3 // it depends on what else is there
		for c := range eng.Packets(in.Packet) {
			key := damagedOf(in, &c)
			if s.damaged[key] < often && !deep(&c) { // which take long, and can wait
				now[key] = true
				s.news[damages] = append(s.news[damages], later(in, c))
			}
		}
		for key := range now {
			s.damaged[key]++
		}
	}
	if in.Err != nil || in.Value.IsNone() || in.WriteErr != nil || in.Way == Spoiled {
		return
	}
	now := map[place]bool{}
	only := func(p corrupt.Place) bool {
		now[place{p, in.Open}] = true
		return !s.places[place{p, in.Open}]
	}
	for r := range eng.AtBoundaries(in.Value, only) {
		made := Input{Way: Mutated, Note: string(corrupt.Boundary), Open: in.Open}
		s.news[boundaries] = append(s.news[boundaries], change{made: made, part: r})
	}
	for r := range eng.WithSameKeys(in.Value, only) {
		s.news[keys] = append(s.news[keys], change{made: Input{Way: Mutated, Note: sameKeys, Open: in.Open}, part: r})
	}
	if !s.opt.Plain {
		for r := range eng.Spoiled(in.Value, only) {
			s.news[spoils] = append(s.news[spoils], change{made: Input{Way: Spoiled, Open: in.Open}, part: r})
		}
	}
	maps.Copy(s.places, now)
}

// twice notes changes of the lengths and counts of a packet with flags that no writer sets. The
// packet can be read. An implementation that uses such a flag then reads something else.
func (s *Source) twice(in *Input) {
	switch in.Change.Kind {
	case corrupt.OtherFlag, corrupt.UnknownFlag, corrupt.AllFlags, corrupt.NotAllowed:
	default:
		return
	}
	for c := range s.eng[b2i(in.Open)].Packets(in.Packet) {
		switch c.Kind {
		case corrupt.OneShort, corrupt.OneMore, corrupt.Huge, corrupt.Large, corrupt.Negative, corrupt.TopBit:
			key := damaged{kind: c.Kind, rule: c.Rule, again: true, first: in.Change.Kind}
			if s.damaged[key] == 0 {
				s.damaged[key]++
				s.news[damages] = append(s.news[damages], later(in, c))
			}
		}
	}
}

// late is the default of [Options.Late]: values that are nested too deeply take long.
const late = 1 << 13

// deepLimit is the largest limit of depth that is tried: the time for it grows with its square.
const deepLimit = 2048

// deep adds values that are nested as deeply as they may be, and one level deeper.
func (s *Source) deep() {
	if s.eng[0].Depth() > deepLimit {
		return
	}
	add := func(in Input) {
		in.fresh = true
		s.todo = append(s.todo, in)
	}
	leaf, _ := s.gens[0].Generate(nil)
	base := Input{Packet: s.write(leaf, false)}
	for c := range s.eng[0].Packets(base.Packet) {
		if deep(&c) {
			add(damagedInput(&base, c))
		}
	}
	v, deeper, ok := s.deepest(leaf)
	if !ok {
		return
	}
	for _, in := range []Input{{Way: Mutated, Value: v}, {Way: Spoiled, Value: deeper}, {Way: Bytes, Packet: s.lenient(deeper)}} {
		if in.Way != Spoiled && in.Packet == nil && in.Value.IsNone() || in.Way == Spoiled && s.opt.Plain {
			continue
		}
		in.Note = "deepest"
		in.Change.Kind = corrupt.TooDeep // may be large
		if in.Way == Mutated {
			in.Packet = s.writeBy(s.m, in.Value, in.Open, true)
		}
		add(in)
	}
}

// deepest returns a value of the greatest nesting that is allowed, and one that is a level
// deeper. They are lists in lists, or a part of an input that has another of its type in it.
func (s *Source) deepest(leaf interp.Value) (v, deeper interp.Value, ok bool) {
	eng, most := s.eng[0], s.eng[0].Depth()
	if v, ok = eng.Nest(leaf, most); ok {
		deeper, _ = eng.Nest(leaf, most+1)
		return v, deeper, true
	}
	for _, e := range s.keep {
		for levels := most + 1; levels > 0 && !e.in.Open && !e.in.Value.IsNone(); levels-- {
			v, ok = interp.Value{}, false
			for v = range eng.Deeper(e.in.Value, levels) {
				ok = true
				break
			}
			if !ok {
				break
			}
			if _, err := s.m.Encode(v, interp.Options{}); err == nil {
				return v, deeper, !deeper.IsNone()
			}
			deeper = v
		}
	}
	return v, deeper, false
}

// sameKeys is the note of values whose maps have keys that are equal or nearly so.
const sameKeys = "same keys"

// deep reports whether a damage nests a value too deeply.
func deep(c *corrupt.Change) bool { return c.Kind == corrupt.TooDeep || c.Kind == corrupt.FarTooDeep }

// The kinds of what was never done before.
const (
	damages = iota
	boundaries
	keys
	spoils
	kinds
)

// fresh returns the next of what was never done before, of a kind that there is much of
// the sooner.
func (s *Source) fresh() (Input, bool) {
	all := 0
	for _, q := range s.news {
		all += len(q)
	}
	if all == 0 {
		return Input{}, false
	}
	from, i := s.r.IntN(all), 0
	for from >= len(s.news[i]) {
		from -= len(s.news[i])
		i++
	}
	q := &s.news[i]
	in := (*q)[0].input()
	(*q)[0] = change{}
	*q = (*q)[1:]
	in.fresh = true
	if in.Way == Mutated {
		in.Packet = s.writeBy(s.writer(in.Note == sameKeys), in.Value, in.Open, true)
	}
	return in, true
}
