// Aiming: inputs near what can be reached of the program and was not yet.

package inputs

import (
	"bytes"
	"iter"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// aim is what is left to be reached, and what comes near to it.
type aim struct {
	left []interp.Point
	run  map[where]int      // the point that an instruction is run, by its index
	near map[where][]*entry // inputs that run an instruction at which something is left
}

// where is an instruction in a direction.
type where struct {
	dir interp.Direction
	pc  int
}

// nearest is how many inputs are noted for an instruction.
const nearest = 64

// newAim returns what can be reached by inputs with n options.
func newAim(m *interp.Machine, opt Options) *aim {
	setup := reach.Everything
	switch {
	case opt.Plain:
		setup = reach.Setup{Gates: opt.Objects, ReadBack: true}
	case opt.Defaults:
		setup = reach.Setup{Gates: opt.Objects}
	}
	f := reach.Of(m, setup)
	a := &aim{run: map[where]int{}, near: map[where][]*entry{}}
	for _, q := range m.Points() {
		if q.Site == interp.SiteRun {
			a.run[where{q.Dir, q.PC}] = q.Index
		}
		if v, _ := f.Reach(q); v == reach.Possible && !beyond(m.Program(), q, opt.MaxBytes) {
			a.left = append(a.left, q)
		}
	}
	return a
}

// beyond reports whether only packets of more than most bytes reach the point. There the size of
// a part or the count of a list has to exceed its number.
func beyond(p *bytecode.Program, q interp.Point, most int) bool {
	in := &p.Code[q.PC]
	size := in.Op == bytecode.Patch || in.Op == bytecode.Word && in.C != bytecode.None && p.Exprs[in.C].Op == bytecode.ExprCount
	return q.Site == interp.SiteRange && size && most>>min(8*builtin.Scalar(in.A).Width(), 62) == 0
}

// near notes an input that reached something new.
func (s *Source) near(e *entry) {
	a := s.aim
	left := a.left[:0]
	for _, q := range a.left {
		if !s.all.Has(q.Index) {
			left = append(left, q)
		}
	}
	a.left = left
	noted := map[where]bool{}
	for _, q := range left {
		at := where{q.Dir, q.PC}
		if noted[at] || !s.one.Has(a.run[at]) {
			continue
		}
		noted[at] = true
		if all := a.near[at]; len(all) < nearest {
			a.near[at] = append(all, e)
		} else {
			all[s.r.IntN(nearest)] = e
		}
	}
}

// aimed makes an input of one that runs an instruction at which something is left to
// be reached. It is not ok if none exists.
func (s *Source) aimed() (in Input, ok bool) {
	if len(s.aim.left) == 0 {
		return in, false
	}
	q := s.aim.left[s.r.IntN(len(s.aim.left))]
	all := s.aim.near[where{q.Dir, q.PC}]
	if len(all) == 0 {
		// Nothing came there: perhaps a value does that says it is of another type.
		if n := len(s.m.Program().Types); q.Dir == interp.Writing && !s.opt.Plain && len(s.vals) > 0 && s.r.IntN(8) == 0 {
			in.Way, in.Value = Spoiled, s.vals[s.r.IntN(len(s.vals))].WithTag(s.m.Tag(s.r.IntN(n)))
			return in, true
		}
		return in, false
	}
	e := all[s.r.IntN(len(all))]
	in.Open = e.in.Open
	eng := s.eng[b2i(in.Open)]
	value := !e.in.Value.IsNone() && e.in.Err == nil
	deeper := value && eng.Depth() < s.opt.MaxBytes // a level takes a byte or more
	if deeper && (q.Site == interp.SiteTooDeep || q.Site == interp.SiteTooNested) && s.r.IntN(4) == 0 {
		in.Way, in.Note = Bytes, "deeper"
		for v := range eng.Deeper(e.in.Value, 1+eng.Depth()) {
			if b := s.lenient(v); b != nil && s.r.IntN(4) > 0 {
				in.Packet = b
			}
		}
		return in, in.Packet != nil
	}
	if value && s.r.IntN(2) == 0 {
		if q.Dir == interp.Writing && !s.opt.Plain && s.r.IntN(4) > 0 {
			in.Way = Spoiled
			if v, ok := e.spoils.step(func() iter.Seq[interp.Value] { return eng.Spoils(e.in.Value, nil) }); ok {
				in.Value = v
			} else {
				in.Value = eng.Spoil(s.r, e.in.Value)
			}
			return in, true
		}
		var kind corrupt.Mutation
		in.Way = Mutated
		others := s.vals
		if q.Site == interp.SiteRepeats {
			others = s.repeating(eng)
		}
		in.Value, kind = eng.Mutate(s.r, e.in.Value, others)
		in.Note = string(kind)
		in.Packet = s.write(in.Value, in.Open)
		if q.Dir == interp.Writing && s.opt.Plain && s.r.IntN(2) == 0 {
			in = Input{Way: Bytes, Note: in.Note, Open: in.Open, Packet: s.lenient(in.Value)}
		}
		if q.Dir == interp.Writing || in.Packet == nil || s.r.IntN(2) == 0 {
			return in, in.Packet != nil
		}
		// A value that is longer there may be cut where the one that was kept cannot.
		return Input{Way: Bytes, Open: in.Open, Packet: s.cut(in.Packet)}, true
	}
	if e.in.Packet == nil {
		return in, false
	}
	switch s.r.IntN(3) {
	case 0:
		c, ok := s.damage(e, eng)
		if ok {
			in = damagedInput(&e.in, c)
		}
		return in, ok
	case 1:
		in.Way, in.Packet = Bytes, s.cut(e.in.Packet)
	default:
		in.Way, in.Packet = Bytes, s.havoc(e.in.Packet)
	}
	return in, true
}

// cut returns a part of a packet from its beginning.
func (s *Source) cut(b []byte) []byte { return bytes.Clone(b[:s.r.IntN(len(b)+1)]) }

// lenient returns what a writer would write that knows no limits. Its gates are open,
// and its pairs may have equal keys. It may be refused.
func (s *Source) lenient(v interp.Value) []byte {
	b, err := s.apart.Encode(v, interp.Options{Open: gates(true), KeepWidths: true, MaxDepth: bytecode.MaxDepth})
	if err != nil {
		return nil
	}
	return b
}

// repeating returns a value in which a key comes twice, if there is one.
func (s *Source) repeating(eng *corrupt.Engine) []interp.Value {
	for _, i := range s.r.Perm(len(s.vals)) {
		for v := range eng.SameKeys(s.vals[i], nil) {
			return []interp.Value{v}
		}
	}
	return nil
}
