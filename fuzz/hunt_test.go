package fuzz

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// TestHunt checks that the laws hold, and that what can be reached is counted. A
// law that does not hold is shown with a small packet.
func TestHunt(t *testing.T) {
	s, _ := resolved(t, "godot-4.4", "single")
	r, err := Hunt(context.Background(), "godot-4.4", s, codec.MustLoad("godot-4.4"), HuntOptions{Inputs: 1000, Time: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Violations {
		t.Errorf("%s: %s", v.Law, v.Error)
	}
	if r.Inputs != 1000 || r.Checks < 50 || len(r.Milestones) == 0 || r.Percent() < 50 {
		t.Errorf("%d inputs, %d checks, %d milestones, %.1f %%", r.Inputs, r.Checks, len(r.Milestones), r.Percent())
	}
	held := Laws
	defer func() { Laws = held }()
	Laws = append(Laws[:len(Laws):len(Laws)], Law{Name: "no Vector2", Says: "no value is a Vector2", Packet: func(s *Schema, b []byte) error {
		if v, _, err := s.Codec.Decode(b); err == nil && v.Type() == godot.Vector2Type {
			return errors.New("there is one")
		}
		return nil
	}})
	r, err = Hunt(context.Background(), "godot-4.4", s, codec.MustLoad("godot-4.4"), HuntOptions{Time: time.Hour, Most: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Violations) != 1 || r.Violations[0].Packet != "050000000000000000000000" {
		t.Errorf("%+v", r.Violations)
	}
}

// TestHuntReference: the laws about the reference are tried with a schema, and reported as not
// tried without one.
func TestHuntReference(t *testing.T) {
	other, _ := resolved(t, "framing-big", "")
	c := codec.MustLoad("framing")
	r, err := Hunt(context.Background(), "framing", other, c, HuntOptions{Inputs: 500, Time: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	laws := []string{"reference, reading", "reference, writing"}
	var broken []string
	for _, v := range r.Violations {
		broken = append(broken, v.Law)
	}
	if !slices.Equal(broken, laws) || r.Untried != nil {
		t.Errorf("by the schema of another format: %v do not hold, %v are not tried", broken, r.Untried)
	}
	r, err = Hunt(context.Background(), "framing", nil, c, HuntOptions{Inputs: 500, Time: time.Hour})
	if err != nil || len(r.Violations) > 0 || !slices.Equal(r.Untried, laws) {
		t.Errorf("without a schema: %v, %+v, %v are not tried", err, r.Violations, r.Untried)
	}
}

// BenchmarkHunt prints inputs a second with all laws. It also prints how fast all
// that can be reached of each schema is reached.
func BenchmarkHunt(b *testing.B) {
	for _, s := range Schemas() {
		if s.Objects {
			continue
		}
		b.Run(s.Name, func(b *testing.B) {
			for k := range b.N {
				r, err := Hunt(context.Background(), s.Name, s.Resolved, s.Codec, HuntOptions{Time: time.Minute, Seed: uint64(k), UntilFull: true})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(r.PerSecond, "inputs/s")
				b.ReportMetric(float64(r.Points), "points")
				for _, m := range r.Milestones {
					b.ReportMetric(m.After.Seconds(), fmt.Sprintf("s-to-%d%%", m.Percent))
				}
				if len(r.Missing) > 0 {
					b.Errorf("not reached: %v", r.Missing)
				}
				for _, v := range r.Violations {
					b.Errorf("%s: %s", v.Law, v.Error)
				}
			}
		})
	}
}
