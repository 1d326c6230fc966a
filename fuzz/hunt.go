// Hunting: the laws on inputs that are guided by coverage, until the time is over.

package fuzz

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/cover"
	"github.com/octable/octable/conformance/facts"
	"github.com/octable/octable/fuzz/inputs"
	"github.com/octable/octable/interp"
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
	// Progress is called now and then, where it is not nil.
	Progress func(HuntReport)
}

// HuntReport is what came of a hunt.
type HuntReport struct {
	Schema     string        `json:"schema"`
	Program    string        `json:"program"` // hash of the compiled schema
	Seed       uint64        `json:"seed"`
	Took       time.Duration `json:"took"`
	Inputs     int           `json:"inputs"`         // read and written
	PerSecond  float64       `json:"perSecond"`      // inputs
	Checks     int           `json:"checks"`         // inputs on which all laws were tried
	Kept       int           `json:"kept"`           // inputs that reached something new
	Reached    int           `json:"reached"`        // points of the schema
	Points     int           `json:"points"`         // that can be reached
	Full       time.Duration `json:"full,omitempty"` // after which all were reached
	Milestones []Milestone   `json:"milestones"`
	Missing    []string      `json:"missing,omitempty"` // points that were not reached
	Violations []Violation   `json:"violations"`
	Stopped    string        `json:"stopped,omitempty"` // why it ended before its time
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

// Violation is a law that does not hold.
type Violation struct {
	Law     string `json:"law"`
	Schema  string `json:"schema"`            // and whether its gates are open
	Packet  string `json:"packet,omitempty"`  // in hexadecimal digits
	Choices string `json:"choices,omitempty"` // from which the value is drawn, in hexadecimal digits
	Error   string `json:"error"`
}

// Hunt tries the laws on a codec's schema: all of them on each input that reaches
// something new, and on some of the others.
func Hunt(ctx context.Context, name string, c *codec.Codec, opt HuntOptions) (*HuntReport, error) {
	if opt.Time <= 0 {
		opt.Time = time.Minute
	}
	if opt.Most <= 0 {
		opt.Most = 20
	}
	if opt.MaxBytes <= 0 {
		opt.MaxBytes = 1024
	}
	var schemas [2]*Schema // gates closed, open
	gates := len(c.Program().Gates) > 0
	for i := range schemas {
		if i == 1 && !gates {
			break
		}
		var err error
		if schemas[i], err = New(name, c, i == 1); err != nil {
			return nil, err
		}
	}
	if gates {
		schemas[0].other, schemas[1].other = schemas[1], schemas[0]
	}
	m := c.Machine()
	src, err := inputs.New(m, inputs.Options{Seed: opt.Seed, Objects: gates, MaxBytes: opt.MaxBytes})
	if err != nil {
		return nil, err
	}
	for _, b := range opt.Seeds {
		src.Seed(b)
	}
	points := cover.New(m, facts.Everything)
	r := &HuntReport{Schema: name, Program: c.Program().Hash(), Seed: opt.Seed, Violations: []Violation{}, Milestones: []Milestone{}}
	began := time.Now()
	told := began
	broken := map[string]bool{}
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
		s := schemas[0]
		if in.Open {
			s = schemas[1]
		}
		r.Checks++
		for _, v := range s.violations(&in) {
			if !broken[v.Law+v.Schema] {
				broken[v.Law+v.Schema] = true
				r.Violations = append(r.Violations, v)
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

// violations tries all laws on an input, and makes what breaks one smaller.
func (s *Schema) violations(in *inputs.Input) []Violation {
	var all []Violation
	for i := range Laws {
		l := &Laws[i]
		switch {
		case l.Packet != nil && in.Packet != nil && len(in.Packet) <= 1<<14:
			if s.CheckPacket(l, in.Packet) != nil {
				b := Smallest(in.Packet, func(b []byte) bool { return s.CheckPacket(l, b) != nil })
				all = append(all, Violation{Law: l.Name, Schema: s.Name, Packet: fmt.Sprintf("%x", b), Error: s.CheckPacket(l, b).Error()})
			}
		case l.Value != nil && in.Choice != nil:
			if s.CheckLaw(l, in.Choice) != nil {
				c := in.Choice
				for again := true; again; {
					again = false
					for next := Shrink(c); ; {
						x, ok := next()
						if !ok {
							break
						}
						if s.CheckLaw(l, x.(interp.Choices)) != nil {
							c, again = x.(interp.Choices), true
							break
						}
					}
				}
				all = append(all, Violation{Law: l.Name, Schema: s.Name, Choices: fmt.Sprintf("%x", []byte(c)), Error: s.CheckLaw(l, c).Error()})
			}
		}
	}
	return all
}

// Smallest leaves out parts of bytes, and makes them zero, as long as they are bad.
func Smallest(b []byte, bad func([]byte) bool) []byte {
	for again := true; again; {
		again = false
		for run := len(b); run > 0 && !again; run /= 2 {
			for at := 0; at+run <= len(b) && !again; at += max(1, run/2) {
				if out := slices.Delete(bytes.Clone(b), at, at+run); bad(out) {
					b, again = out, true
				}
			}
		}
		for at := 0; at < len(b) && !again; at++ {
			if b[at] != 0 {
				out := bytes.Clone(b)
				out[at] = 0
				if bad(out) {
					b, again = out, true
				}
			}
		}
	}
	return b
}
