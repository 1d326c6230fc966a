// Facts are believed where inputs of all sorts do not contradict them.

package facts_test

import (
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/facts"
	"github.com/octable/octable/conformance/internal/corpus"
	"github.com/octable/octable/interp"
)

// TestSound: what is impossible does not happen, for every schema, whatever the
// inputs and options; and what the setup leaves out is not done by its runs.
func TestSound(t *testing.T) {
	for _, id := range codec.Schemas() {
		t.Run(id, func(t *testing.T) {
			m := codec.MustLoad(id).Machine()
			inputs, err := corpus.Inputs(m, 1, 2000)
			if err != nil {
				t.Fatal(err)
			}
			plain, any := m.NewCoverage(), m.NewCoverage()
			run := func(c *interp.Coverage, in corpus.Input, opt interp.Options) {
				opt.Open, opt.Coverage = in.Open, c
				if in.Packet != nil {
					_, _, _ = m.NewReader(opt).Read(in.Packet)
				}
				if !in.Value.IsNone() || in.Odd {
					_, _ = m.NewWriter(opt).Append(nil, in.Value)
				}
			}
			for i, in := range inputs {
				if !in.Odd {
					run(plain, in, interp.Options{})
				}
				run(any, in, interp.Options{KeepWidths: i%2 == 0, MaxMemory: i % 3 * 100})
			}
			any.Merge(plain)
			here, everything := facts.Of(m, facts.Setup{Gates: true}), facts.Of(m, facts.Everything)
			possible := 0
			for _, q := range m.Points() {
				v, why := here.Reach(q)
				w, whyEver := everything.Reach(q)
				if (v == facts.Possible) != (why == "") || (w == facts.Possible) != (whyEver == "") {
					t.Errorf("%+v: %d %q, %d %q", q, v, why, w, whyEver)
				}
				if v == facts.Impossible && w == facts.Possible {
					t.Errorf("%+v: impossible, and possible with other options", q)
				}
				if v == facts.Possible {
					possible++
				}
				if any.Has(q.Index) && (v == facts.Impossible || w == facts.Impossible) {
					t.Errorf("%s %s at %d of %q happens, and was thought impossible: %s", q.Dir, q.Site, q.PC, m.Program().InstrText(&m.Program().Code[q.PC]), why+whyEver)
				}
				if plain.Has(q.Index) && v == facts.NotHere && why != facts.Unread {
					t.Errorf("%s %s at %d of %q happens in runs that were thought not to do it: %s", q.Dir, q.Site, q.PC, m.Program().InstrText(&m.Program().Code[q.PC]), why)
				}
			}
			if possible == 0 {
				t.Error("nothing is possible")
			}
		})
	}
}
