// Hunting: the laws on inputs that are guided by coverage, until the time is over.

package fuzz

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/cover"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/dsl/schema"
)

// HuntOptions say how long, and from where, a hunt goes. The zero value of a limit
// is its default.
type HuntOptions struct {
	Time     time.Duration // default one minute
	Inputs   int           // after which it ends; 0 is no limit
	Seed     uint64
	Seeds    [][]byte // packets to begin with
	Most     int      // violations after which it ends; default 20
	MaxBytes int      // of a packet; default 1024
	// UntilFull ends it once all that can be reached of the schema is.
	UntilFull bool
	// Progress is called now and then, if it is not nil.
	Progress func(HuntReport)
	// Broken is called for each violation when it is complete, if it is not nil.
	Broken func(*Counterexample)
	// Exchange shares packets with other hunts, if it is not nil.
	Exchange inputs.Exchange
}

// HuntReport is the result of a hunt.
type HuntReport struct {
	Schema     string            `json:"schema"`
	Program    string            `json:"program"` // hash of the compiled schema
	Seed       uint64            `json:"seed"`
	Took       time.Duration     `json:"took"`
	Inputs     int               `json:"inputs"`         // read and written
	PerSecond  float64           `json:"perSecond"`      // inputs
	Checks     int               `json:"checks"`         // inputs on which all laws were tried
	Kept       int               `json:"kept"`           // inputs that reached something new
	Reached    int               `json:"reached"`        // points of the schema
	Points     int               `json:"points"`         // that can be reached
	Full       time.Duration     `json:"full,omitempty"` // after which all were reached
	Milestones []Milestone       `json:"milestones"`
	Missing    []string          `json:"missing,omitempty"` // points that were not reached
	Violations []*Counterexample `json:"violations"`
	Untried    []string          `json:"untried,omitempty"` // laws about the reference, if only a program is given
	Stopped    string            `json:"stopped,omitempty"` // why it ended before its time
}

// Percent returns how many of the points that can be reached were, of a hundred.
func (r *HuntReport) Percent() float64 { return 100 * float64(r.Reached) / float64(max(r.Points, 1)) }

// Milestone is when a share of the points was reached.
type Milestone struct {
	Percent int           `json:"percent"`
	After   time.Duration `json:"after"`
	Inputs  int           `json:"inputs"`
}

var milestones = []int{50, 75, 90, 95, 99, 100}

// Hunt tries the laws on a codec's schema. It tries all of them on each input that reaches
// something new, and on some of the others. The resolved schema may be nil if only the program is
// known; then the laws about the reference are not tried.
func Hunt(ctx context.Context, name string, s *schema.Schema, c *codec.Codec, opt HuntOptions) (*HuntReport, error) {
	if opt.Time <= 0 {
		opt.Time = time.Minute
	}
	if opt.Most <= 0 {
		opt.Most = 20
	}
	if opt.MaxBytes <= 0 {
		opt.MaxBytes = 1024
	}
	pair, err := NewPair(name, s, c)
	if err == nil {
		err = pair.NoValue()
	}
	if err != nil {
		return nil, err
	}
	m := raw.Machine(c)
	src, err := inputs.New(m, inputs.Options{Seed: opt.Seed, Objects: pair.Open != nil, MaxBytes: opt.MaxBytes, Exchange: opt.Exchange})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	for _, b := range opt.Seeds {
		src.Seed(b)
	}
	points := cover.New(m, reach.Everything)
	r := &HuntReport{Schema: name, Program: raw.Program(c).Hash(), Seed: opt.Seed, Violations: []*Counterexample{}, Milestones: []Milestone{}}
	began := time.Now()
	told := began
	broken := map[string]bool{}
	laws := Laws
	if s == nil {
		laws, r.Untried = withoutReference()
	}
	measure := func() *cover.Report {
		cov := points.Report(src.Coverage())
		r.Reached, r.Points = len(cov.Reached), len(cov.Reached)+len(cov.Missing)
		r.Took = time.Since(began)
		r.PerSecond = float64(r.Inputs) / r.Took.Seconds()
		for len(r.Milestones) < len(milestones) && 100*r.Reached >= milestones[len(r.Milestones)]*r.Points {
			r.Milestones = append(r.Milestones, Milestone{milestones[len(r.Milestones)], r.Took, r.Inputs})
		}
		if r.Reached == r.Points && r.Full == 0 {
			r.Full = r.Took
		}
		return cov
	}
	for {
		if ctx.Err() != nil {
			r.Stopped = "it was interrupted"
			break
		}
		if opt.UntilFull && r.Full > 0 {
			r.Stopped = "all of the schema was reached"
			break
		}
		if time.Since(began) > opt.Time || opt.Inputs > 0 && r.Inputs >= opt.Inputs {
			break
		}
		in := src.Next()
		r.Inputs++
		if in.New > 0 {
			r.Kept++
		}
		if in.New > 0 && r.Full == 0 {
			measure()
		}
		if time.Since(told) > 100*time.Millisecond {
			measure()
			if told = time.Now(); opt.Progress != nil {
				opt.Progress(*r)
			}
		}
		if in.New == 0 && r.Inputs%64 != 0 {
			continue
		}
		with := pair.With(in.Open)
		r.Checks++
		for i := range laws {
			if id := laws[i].Name + with.Name; !broken[id] {
				if v := with.broken(&laws[i], &in, math.MaxInt); v != nil {
					broken[id] = true
					r.Violations = append(r.Violations, v)
					if opt.Broken != nil {
						opt.Broken(v)
					}
				}
			}
		}
		if len(r.Violations) >= opt.Most {
			r.Stopped = fmt.Sprintf("%d laws do not hold, which is the limit", len(r.Violations))
			break
		}
	}
	for _, q := range measure().Missing {
		r.Missing = append(r.Missing, q.ID)
	}
	return r, nil
}

// withoutReference returns the laws that need no resolved schema, and the names of the others.
func withoutReference() (laws []Law, untried []string) {
	for _, l := range Laws {
		if l.Reference {
			untried = append(untried, l.Name)
		} else {
			laws = append(laws, l)
		}
	}
	return laws, untried
}

// MergeHunts returns the report of parallel hunts as if they were one. Counts are added, a point is
// missing if all hunts missed it, and each law is broken once.
func MergeHunts(reports []*HuntReport) *HuntReport {
	out := *reports[0]
	out.Milestones, out.Violations = slices.Clone(out.Milestones), slices.Clone(out.Violations)
	for _, r := range reports[1:] {
		out.Took = max(out.Took, r.Took)
		out.Inputs += r.Inputs
		out.PerSecond += r.PerSecond
		out.Checks += r.Checks
		out.Kept += r.Kept
		if out.Full == 0 || r.Full > 0 && r.Full < out.Full {
			out.Full = r.Full
		}
		for i, m := range r.Milestones {
			if i == len(out.Milestones) {
				out.Milestones = append(out.Milestones, m)
			} else if m.After < out.Milestones[i].After {
				out.Milestones[i] = m
			}
		}
		out.Missing = slices.DeleteFunc(slices.Clone(out.Missing), func(id string) bool { return !slices.Contains(r.Missing, id) })
		for _, v := range r.Violations {
			if !slices.ContainsFunc(out.Violations, func(w *Counterexample) bool { return v.Law == w.Law && v.Objects == w.Objects }) {
				out.Violations = append(out.Violations, v)
			}
		}
		if out.Stopped == "" {
			out.Stopped = r.Stopped
		}
	}
	if len(reports) > 1 {
		out.Reached = out.Points - len(out.Missing)
	}
	return &out
}
