// The points of small schemas in full, and reports.

package cover_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/cover"
	"github.com/octable/octable/conformance/internal/corpus"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/interp"
)

// TestPoints: every point of the schemas of the examples, in words, with why it
// does not count.
func TestPoints(t *testing.T) {
	for _, id := range []string{"ntp", "wave"} {
		var b bytes.Buffer
		for _, q := range cover.New(raw.Machine(codec.MustLoad(id)), cover.Setup{}).Points() {
			if q.Site == interp.SiteRun && q.Verdict == reach.Possible {
				continue
			}
			fmt.Fprintf(&b, "%s\n    %s\n", q.ID, q.Text)
			switch q.Verdict {
			case reach.Impossible:
				fmt.Fprintf(&b, "    never: %s\n", q.Excluded)
			case reach.NotHere:
				fmt.Fprintf(&b, "    not in these runs: %s\n", q.Excluded)
			}
		}
		golden.Check(t, id+".txt", b.Bytes())
	}
}

// TestReport checks that each point is reached, missing or excluded. Random inputs reach
// most points of every schema, and no excluded point.
func TestReport(t *testing.T) {
	for _, id := range codec.Schemas() {
		m := raw.Machine(codec.MustLoad(id))
		c := cover.New(m, cover.Setup{Gates: true})
		cov := m.NewCoverage()
		if r := c.Report(cov); r.Percent() != 0 || len(r.Reached) != 0 || len(r.Missing)+len(r.Excluded) != len(c.Points()) {
			t.Errorf("%s: before any run: %s", id, r)
		}
		for seed := uint64(2); seed < 20 && c.Report(cov).Percent() < 75; seed++ {
			inputs, err := corpus.Inputs(m, seed, 1500)
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range inputs {
				opt := interp.Options{Open: in.Open}
				if in.Packet != nil {
					_, _, _ = m.DecodeObserved(in.Packet, opt, cov)
				}
				if !in.Value.IsNone() {
					_, _ = m.AppendObserved(nil, in.Value, opt, cov)
				}
			}
		}
		r := c.Report(cov)
		if r.Percent() < 75 || len(r.Wrong) > 0 || len(r.Reached)+len(r.Missing) == 0 {
			t.Errorf("%s: %s", id, r)
		}
		n := 0
		for _, why := range r.Reasons() {
			n += why.Points
		}
		if n != len(r.Excluded) {
			t.Errorf("%s: reasons for %d of %d points", id, n, len(r.Excluded))
		}
		seen := map[string]bool{}
		for _, q := range c.Points() {
			if seen[q.ID] || q.Text == "" || q.Routine == "" || (q.Verdict == reach.Possible) != (q.Excluded == "") {
				t.Fatalf("%s: %+v", id, q)
			}
			seen[q.ID] = true
		}
	}
}
