// Minimising: the smallest input of the same cause.

package differential

import (
	"bytes"
	"context"
	"iter"
	"time"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/interp"
)

// slow reports whether it takes a target long to show an outcome again.
func slow(o runner.Outcome) bool {
	return o == runner.Crash || o == runner.Hang || o == runner.OutOfMemory || o == runner.Garbled
}

// answered is a test that was asked, with its result.
type answered struct {
	t      *test
	v      Verdict
	answer protocol.Answer
	stderr string
}

// minimiser makes one input smaller.
type minimiser struct {
	w     *worker
	best  answered
	asked int
	end   time.Time
	gen   *interp.Generator
	eng   *corrupt.Engine
	opt   interp.Options // by which values are written
	drift bool           // another row or kind will do
}

// minimise returns the smallest input of the same cause as one that was found. It also returns
// the number of questions that this took. It first simplifies the value, part by part, under
// the damage if there is one. Then it simplifies the choices from which the value is drawn, and
// then the bytes, regardless of their meaning.
func (w *worker) minimise(ctx context.Context, found answered) (answered, int, error) {
	m := &minimiser{w: w, best: found, end: time.Now().Add(w.opt.Minimise)}
	if slow(found.v.Outcome) && len(found.t.packet) > small {
		m.end = time.Now().Add(patience * w.opt.Minimise)
	}
	if found.t.in.Open {
		m.opt.Open = 0xff
	}
	var err error
	if m.gen, err = w.s.m.NewGenerator(interp.GenerateOptions{Open: m.opt.Open}); err != nil {
		return found, 0, err
	}
	m.eng = corrupt.New(w.s.m, m.opt)
	if found.t.op == protocol.Encode {
		return m.best, m.asked, m.values(ctx, raw.Value(found.t.value))
	}
	in := &found.t.in
	base, known := raw.Value(found.t.value), found.t.refuse == nil
	if in.Way == inputs.Damaged {
		base, _, err = w.s.m.Decode(in.Base, m.opt)
		known = err == nil
	}
	if known {
		// Wide forms stay what they are where the packet has them.
		packet := found.t.packet
		if in.Way == inputs.Damaged {
			packet = in.Base
		}
		wide := m.opt
		wide.KeepWidths = true
		if b, err := w.s.m.Encode(base, wide); err == nil && bytes.Equal(b, packet) {
			m.opt = wide
		}
		if b, err := w.s.m.Encode(base, m.opt); in.Way == inputs.Damaged || err == nil && bytes.Equal(b, packet) {
			if err := m.values(ctx, base); err != nil {
				return m.best, m.asked, err
			}
		}
	}
	if slow(found.v.Outcome) && len(m.best.t.packet) > small {
		// A beginning of the packet may do, though what is wrong with it is another thing.
		m.drift = true
		if err := m.beginnings(ctx); err != nil {
			return m.best, m.asked, err
		}
	}
	return m.best, m.asked, m.bytes(ctx)
}

// patience is how much longer what is slow to show is looked at, until it is small.
const patience = 4

// small is how many bytes are few enough for people to look at.
const small = 24

// tests returns the tests of a value: to write it, to read its packet, or to read damaged
// packets. The damage is of the same kind and row as that of the best test.
func (m *minimiser) tests(v interp.Value, c interp.Choices) iter.Seq[*test] {
	return func(yield func(*test) bool) {
		if m.best.t.op == protocol.Encode {
			in := m.best.t.in
			in.Choice, in.Value = c, v
			if t := m.w.s.writing(in, v); t != nil {
				yield(t)
			}
			return
		}
		b, err := m.w.s.m.Encode(v, m.opt)
		if err != nil || len(b) > len(m.best.t.packet)+16 {
			return
		}
		in := m.best.t.in
		in.Choice, in.Value = c, v
		if in.Way != inputs.Damaged {
			t := m.w.s.read(in, b)
			t.op = m.best.t.op
			yield(t)
			return
		}
		for change := range m.eng.Same(b, in.Change.Kind, in.Change.Rule.Name) {
			next := in
			next.Base, next.Change, next.Packet = b, change, change.Packet
			if !yield(m.w.s.read(next, change.Packet)) {
				return
			}
		}
	}
}

// values tries values that are simpler, and then the choices that the simplest is
// drawn from.
func (m *minimiser) values(ctx context.Context, v interp.Value) error {
	for again := true; again && time.Now().Before(m.end); {
		var all []interp.Value
		i, err := m.first(ctx, func(yield func(*test) bool) {
			for w := range m.eng.Simpler(v) {
				for t := range m.tests(w, nil) {
					all = append(all, w)
					if !yield(t) {
						return
					}
				}
			}
		})
		if err != nil {
			return err
		}
		if again = i >= 0; again {
			v = all[i]
		}
	}
	c, err := m.gen.Choices(v)
	if err != nil || slow(m.best.v.Outcome) {
		return nil // in a wide form, or not worth its time
	}
	return m.choices(ctx, c)
}

// choices tries choices that are simpler, as long as there are any of the same cause.
func (m *minimiser) choices(ctx context.Context, c interp.Choices) error {
	for again := true; again && time.Now().Before(m.end); {
		var all []interp.Choices
		i, err := m.first(ctx, func(yield func(*test) bool) {
			for simpler := range fuzz.Simpler(c) {
				v, _ := m.gen.Generate(simpler)
				for t := range m.tests(v, simpler) {
					all = append(all, simpler)
					if !yield(t) {
						return
					}
				}
			}
		})
		if err != nil {
			return err
		}
		if again = i >= 0; again {
			c = all[i]
		}
	}
	return nil
}

// beginnings tries the first bytes of the packet alone.
func (m *minimiser) beginnings(ctx context.Context) error {
	b := m.best.t.packet
	_, err := m.first(ctx, func(yield func(*test) bool) {
		for n := 4; n <= small && n < len(b); n += 4 {
			in := m.best.t.in
			in.Packet = b[:n:n]
			t := m.w.s.read(in, in.Packet)
			t.op = m.best.t.op
			if !yield(t) {
				return
			}
		}
	})
	return err
}

// bytes makes the packet smaller, by [fuzz.Smaller].
func (m *minimiser) bytes(ctx context.Context) error {
	for again := true; again && time.Now().Before(m.end); {
		b := m.best.t.packet
		i, err := m.first(ctx, func(yield func(*test) bool) {
			for out := range fuzz.Smaller(b) {
				in := m.best.t.in
				in.Packet = out
				t := m.w.s.read(in, out)
				t.op = m.best.t.op
				if !yield(t) {
					return
				}
			}
		})
		if err != nil {
			return err
		}
		again = i >= 0
	}
	return nil
}

// first asks tests in turn and takes the first of the same cause, whose number it
// returns, or -1.
func (m *minimiser) first(ctx context.Context, tests iter.Seq[*test]) (int, error) {
	size := 24
	if slow(m.best.v.Outcome) {
		size = 1
	}
	var batch []*test
	at, found, faults := 0, -1, 0
	var failed error
	ask := func() bool {
		all, err := m.w.ask(ctx, batch)
		m.asked += len(batch)
		for i, a := range all {
			if slow(a.v.Outcome) && !slow(m.best.v.Outcome) {
				// Not what is looked for, and another of its kind costs as much.
				m.w.beside = append(m.w.beside, a)
				size = 4
				if faults++; faults > 2 {
					m.end = time.Now()
				}
			}
			// The finding is not known, so a known one differs.
			if (a.v.same(&m.best.v) || m.drift && a.v.Outcome == m.best.v.Outcome) && smaller(a.t, m.best.t) && m.w.why(&a) == "" {
				if slow(a.v.Outcome) && len(m.best.t.packet) > small && len(a.t.packet) <= small {
					m.end = time.Now().Add(m.w.opt.Minimise)
				}
				found, m.best = at+i, a
				return false
			}
		}
		at += len(batch)
		batch = batch[:0]
		failed = err
		return err == nil && time.Now().Before(m.end)
	}
	goOn := true
	for t := range tests {
		batch = append(batch, t)
		if len(batch) == size {
			if goOn = ask(); !goOn {
				break
			}
		}
	}
	if goOn && len(batch) > 0 {
		ask()
	}
	return found, failed
}

// smaller reports whether one test is simpler than another: shorter, or as long with
// less in it. What cannot be written is as long as its notation.
func smaller(a, b *test) bool {
	x, y := a.packet, b.packet
	if a.unwritten() && b.unwritten() {
		x, y = a.said(), b.said()
	}
	if len(x) != len(y) {
		return len(x) < len(y)
	}
	weigh := func(x []byte) (n int) {
		for _, c := range x {
			n += int(c)
		}
		return n
	}
	return weigh(x) < weigh(y)
}
