// Minimising: the smallest input of the same cause.

package differential

import (
	"bytes"
	"context"
	"encoding/binary"
	"iter"
	"slices"
	"time"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/fuzz/inputs"
	"github.com/octable/octable/interp"
)

// slow reports whether it takes a target long to show an outcome again.
func slow(o runner.Outcome) bool {
	return o == runner.Crash || o == runner.Hang || o == runner.OutOfMemory || o == runner.Garbled
}

// answered is a test that was asked, and what came of it.
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
}

// minimise returns the smallest input of the same cause as one that was found, and
// how many questions that took.
func (w *worker) minimise(ctx context.Context, found answered) (answered, int, error) {
	m := &minimiser{w: w, best: found, end: time.Now().Add(w.opt.Minimise)}
	open := uint8(0)
	if found.t.in.Open {
		open = 0xff
	}
	var err error
	if m.gen, err = w.s.m.NewGenerator(interp.GenerateOptions{Open: open}); err != nil {
		return found, 0, err
	}
	switch t := found.t; {
	case t.in.Way == inputs.Damaged:
		err = m.damaged(ctx)
	case t.refuse == nil:
		err = m.value(ctx)
	}
	if err == nil && found.t.op != protocol.Encode {
		err = m.bytes(ctx)
	}
	return m.best, m.asked, err
}

// value shrinks the choices that a value is drawn from.
func (m *minimiser) value(ctx context.Context) error {
	v := m.best.t.value.Raw()
	c, err := m.gen.Choices(v)
	if err != nil {
		if m.best.t.in.Choice == nil {
			return nil
		}
		c = m.best.t.in.Choice
	}
	canonical := m.best.t.valid() || m.best.t.op == protocol.Encode
	return m.choices(ctx, c, func(c interp.Choices, v interp.Value, b []byte) iter.Seq[*test] {
		return func(yield func(*test) bool) {
			in := m.best.t.in
			in.Choice, in.Value = c, v
			if canonical {
				t := m.w.s.read(in, b)
				t.op = m.best.t.op
				yield(t)
				return
			}
			// The wide forms of the same value.
			wide, err := m.w.s.m.Encode(v.WithWide(true), interp.Options{Open: m.gen.Options().Open, KeepWidths: true})
			if err == nil && !bytes.Equal(wide, b) {
				yield(m.w.s.read(in, wide))
			}
		}
	})
}

// damaged shrinks the value under a damage.
func (m *minimiser) damaged(ctx context.Context) error {
	in := m.best.t.in
	base, _, err := m.w.s.m.Decode(in.Base, interp.Options{Open: m.gen.Options().Open})
	if err != nil {
		return nil
	}
	c, err := m.gen.Choices(base)
	if err != nil {
		return nil
	}
	eng := m.w.s.eng
	return m.choices(ctx, c, func(c interp.Choices, _ interp.Value, b []byte) iter.Seq[*test] {
		return func(yield func(*test) bool) {
			for change := range eng.Same(b, in.Change.Kind, in.Change.Rule.Name) {
				next := in
				next.Choice, next.Base, next.Change, next.Packet = c, b, change, change.Packet
				if !yield(m.w.s.read(next, change.Packet)) {
					return
				}
			}
		}
	})
}

// choices tries choices that are simpler, as long as there are any of the same cause.
// From each come the value, its packet, and the tests to be made of them.
func (m *minimiser) choices(ctx context.Context, c interp.Choices, tests func(interp.Choices, interp.Value, []byte) iter.Seq[*test]) error {
	from := []int{} // of each test: which choices it is made of
	for again := true; again && time.Now().Before(m.end); {
		again = false
		next := fuzz.Shrink(c)
		var all []interp.Choices
		candidates := func(yield func(*test) bool) {
			all, from = all[:0], from[:0]
			for {
				x, ok := next()
				if !ok {
					return
				}
				simpler := x.(interp.Choices)
				v, _ := m.gen.Generate(simpler)
				b, err := m.w.s.m.Encode(v, interp.Options{Open: m.gen.Options().Open})
				if err != nil || len(b) > len(m.best.t.packet)+16 {
					continue
				}
				all = append(all, simpler)
				for t := range tests(simpler, v, b) {
					from = append(from, len(all)-1)
					if !yield(t) {
						return
					}
				}
			}
		}
		i, err := m.first(ctx, candidates)
		if err != nil {
			return err
		}
		if i >= 0 {
			c, again = all[from[i]], true
		}
	}
	return nil
}

// bytes makes the packet smaller without regard to what it means: parts are left
// out, and then made zero.
func (m *minimiser) bytes(ctx context.Context) error {
	for again := true; again && time.Now().Before(m.end); {
		again = false
		b := m.best.t.packet
		i, err := m.first(ctx, func(yield func(*test) bool) {
			try := func(out []byte) bool {
				if bytes.Equal(out, b) {
					return true
				}
				in := m.best.t.in
				in.Packet = out
				t := m.w.s.read(in, out)
				t.op = m.best.t.op
				return yield(t)
			}
			for run := len(b); run > 0; run /= 2 {
				for at := 0; at+run <= len(b); at += max(1, run/2) {
					if !try(slices.Delete(bytes.Clone(b), at, at+run)) {
						return
					}
				}
			}
			for at := 0; at+4 <= len(b); at += 4 {
				word := binary.LittleEndian.Uint32(b[at:])
				for _, x := range []uint32{0, 1, word & 0xff} {
					if x < word {
						out := bytes.Clone(b)
						binary.LittleEndian.PutUint32(out[at:], x)
						if !try(out) {
							return
						}
					}
				}
			}
			for at := range b {
				if b[at] != 0 {
					out := bytes.Clone(b)
					out[at] = 0
					if !try(out) {
						return
					}
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
	at, found := 0, -1
	var failed error
	ask := func() bool {
		all, err := m.w.ask(ctx, batch)
		m.asked += len(batch)
		for i, a := range all {
			if a.v.same(&m.best.v) && smaller(a.t, m.best.t) {
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
// less in it.
func smaller(a, b *test) bool {
	if len(a.packet) != len(b.packet) {
		return len(a.packet) < len(b.packet)
	}
	weigh := func(x []byte) (n int) {
		for _, c := range x {
			n += int(c)
		}
		return n
	}
	return weigh(a.packet) < weigh(b.packet)
}
