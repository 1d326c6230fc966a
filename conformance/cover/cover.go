// Maps of points, and reports.

package cover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/interp"
)

// Setup describes the runs whose coverage is measured. What only other
// runs can reach is left out of the count.
type Setup = reach.Setup

// Point is one thing that can happen.
type Point struct {
	interp.Point
	ID      string        // stays the same while its row does: "String.length/short/read"
	Routine string        // name of the routine
	Row     bytecode.Rule // of the schema
	Text    string        // what happens, in words
	// Verdict is reach.Possible where the point counts.
	Verdict reach.Verdict
	// Excluded is why it does not count, in words.
	Excluded string
}

// Map is the points of a program. It does not change.
type Map struct {
	m      *interp.Machine
	points []Point
	setup  Setup
}

// New returns the points of a machine's program.
func New(m *interp.Machine, s Setup) *Map {
	c := &Map{m: m, setup: s}
	p := m.Program()
	ids := map[string]int{}
	r := 0
	f := reach.Of(m, s)
	for _, point := range m.Points() {
		for point.PC < int(p.Routines[r].Start) {
			r = 0 // writing begins again
		}
		for point.PC >= int(p.Routines[r].End) {
			r++
		}
		in := &p.Code[point.PC]
		q := Point{Point: point, Routine: p.Routines[r].Name, Row: p.Rules[in.Rule]}
		q.Text = c.words(&q)
		q.ID = c.id(&q)
		if ids[q.ID]++; ids[q.ID] > 1 {
			q.ID += fmt.Sprintf(".%d", ids[q.ID])
		}
		q.Verdict, q.Excluded = f.Reach(point)
		c.points = append(c.points, q)
	}
	return c
}

// Points returns all points, by direction and instruction. They must not be changed.
func (c *Map) Points() []Point { return c.points }

// id makes a name of the row, the operation, the site and the direction.
func (c *Map) id(q *Point) string {
	name := q.Row.Name
	if name == "" {
		name = q.Routine
	}
	what := q.Site.String()
	p := c.m.Program()
	in := &p.Code[q.PC]
	switch q.Site {
	case interp.SiteArm:
		a := p.Tables[in.D].Arms[q.N]
		what += "-" + p.Types[a.Type].Name
	case interp.SitePadded, interp.SiteReplaced:
		what += fmt.Sprint(q.N)
	case interp.SiteYes, interp.SiteNo:
		what = fmt.Sprintf("step%d-%s", q.N, what)
	}
	return fmt.Sprintf("%s/%s/%s/%s", name, in.Op, what, q.Dir)
}

// Report is the coverage of a Map.
type Report struct {
	Reached  []*Point // those that count
	Missing  []*Point // not reached, and not shown to be unreachable
	Excluded []*Point // shown to be unreachable, or only by other runs, with the reason
	// Wrong are points that were reached although they were shown to be unreachable:
	// a mistake of this project.
	Wrong []*Point
}

// Report returns the points that a coverage of the map's machine has reached.
func (c *Map) Report(cov *interp.Coverage) *Report {
	r := &Report{}
	for i := range c.points {
		q := &c.points[i]
		has := cov.Has(q.Index)
		switch {
		case has && q.Verdict == reach.Impossible:
			r.Wrong = append(r.Wrong, q)
		case has && q.Verdict == reach.Possible:
			r.Reached = append(r.Reached, q)
		case q.Verdict != reach.Possible:
			r.Excluded = append(r.Excluded, q)
		default:
			r.Missing = append(r.Missing, q)
		}
	}
	return r
}

// Percent returns how many of the points that can be reached were, of a hundred.
func (r *Report) Percent() float64 {
	n := len(r.Reached) + len(r.Missing)
	if n == 0 {
		return 100
	}
	return 100 * float64(len(r.Reached)) / float64(n)
}

// String returns the figures in one line.
func (r *Report) String() string {
	s := fmt.Sprintf("%d of %d points (%.1f %%); %d more do not count", len(r.Reached), len(r.Reached)+len(r.Missing), r.Percent(), len(r.Excluded))
	if len(r.Wrong) > 0 {
		s += fmt.Sprintf("; %d were reached though they were thought never to be", len(r.Wrong))
	}
	return s
}

// Reasons counts the excluded points by reason, the most first.
func (r *Report) Reasons() []Reason {
	n := map[string]int{}
	for _, q := range r.Excluded {
		n[q.Excluded]++
	}
	var all []Reason
	for why, k := range n {
		all = append(all, Reason{why, k})
	}
	slices.SortFunc(all, func(a, b Reason) int {
		if a.Points != b.Points {
			return b.Points - a.Points
		}
		return strings.Compare(a.Why, b.Why)
	})
	return all
}

// Reason is why points are excluded, and how many are.
type Reason struct {
	Why    string
	Points int
}
