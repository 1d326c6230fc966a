package bench

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/engine"
)

// Every case runs, so that a measurement does not end in the middle.
func TestCasesRun(t *testing.T) {
	for _, c := range cases.All() {
		if strings.Contains(c.Workload, "100k") && testing.Short() {
			continue
		}
		c.Make()(2)
	}
}

// A bar whose base is misspelt would never be measured.
func TestBarsNameCases(t *testing.T) {
	for _, b := range Bars() {
		for _, base := range b.Base {
			impl := base[strings.LastIndexByte(base, '/')+1:]
			if strings.HasPrefix(impl, Ours) || strings.HasPrefix(impl, "godot") {
				continue
			}
			if cases.Named(base) == nil {
				t.Errorf("%s: no case %s", b.ID, base)
			}
		}
	}
}

func results(nanos map[string][]float64) *Results {
	r := &Results{Speedups: map[string]*Speedup{}}
	for name, list := range nanos {
		c := r.result(name, 0)
		c.Nanos, c.Allocs = list, 3
		for _, x := range list {
			c.Wall = append(c.Wall, 2*x)
		}
	}
	return r
}

func TestJudge(t *testing.T) {
	r := results(map[string][]float64{
		"w/d/octable": {10, 12, 11}, "w/d/a": {20, 20, 20}, "w/d/b": {10, 10, 10}, "big/d/octable": {1000, 1100, 1200},
	})
	for range 3 {
		r.AddEngine("w/d/engine", 55)
	}
	r.Speedups["w/d/octable"] = &Speedup{Rounds: []float64{1.2, 1.8, 1.1}, Control: []float64{1.9, 2, 1}}
	r.Speedups["slow/d/octable"] = &Speedup{Rounds: []float64{1.2}, Control: []float64{1.3}}
	for _, c := range []struct {
		bar   Bar
		state string
		value float64
	}{
		{Bar{Kind: Slower, Subject: "w/d/octable", Base: []string{"w/d/a", "w/d/b"}, Limit: 1.1}, Pass, 1.1},
		{Bar{Kind: Slower, Subject: "w/d/octable", Base: []string{"w/d/a", "w/d/b"}, Limit: 1.05}, Miss, 1.1},
		{Bar{Kind: Slower, Subject: "w/d/octable", Base: []string{"w/d/a"}, Limit: 0.6}, Pass, 0.55},
		{Bar{Kind: Faster, Subject: "w/d/octable", Base: []string{"w/d/a"}, Limit: 1.8}, Pass, 1 / 0.55},
		{Bar{Kind: Faster, Subject: "w/d/octable", Base: []string{"w/d/a"}, Limit: 1.9}, Miss, 1 / 0.55},
		{Bar{Kind: Growth, Subject: "big/d/octable", Base: []string{"w/d/octable"}, Limit: 1, Parts: 100}, Pass, 1},
		{Bar{Kind: Faster, Subject: "w/d/octable", Base: []string{"w/d/a"}, Limit: 1.9, Control: "w/d/octable"}, Skipped, 1 / 0.55},
		{Bar{Kind: Growth, Subject: "big/d/octable", Base: []string{"w/d/b"}, Limit: 1, Parts: 100}, Miss, 1.1},
		{Bar{Kind: Growth, Subject: "big/d/octable", Base: []string{"w/d/b"}, Limit: 1, Parts: 100, Control: "big/d/octable", Less: "w/d/b"}, Skipped, 1.1},
		{Bar{Kind: Growth, Subject: "big/d/octable", Base: []string{"w/d/b"}, Limit: 1, Parts: 100, Control: "big/d/octable", Less: "w/d/a"}, Miss, 1.1},
		{Bar{Kind: Allocs, Subject: "w/d/octable", Limit: 3}, Pass, 3},
		{Bar{Kind: Allocs, Subject: "w/d/octable", Limit: 2}, Miss, 3},
		{Bar{Kind: Nanos, Subject: "w/d/octable", Limit: 11}, Pass, 11},
		{Bar{Kind: Speedup2, Subject: "w/d/octable", Limit: 1.7}, Pass, 1.8},
		{Bar{Kind: Speedup2, Subject: "w/d/octable", Limit: 1.9}, Miss, 1.8},
		{Bar{Kind: Speedup2, Subject: "slow/d/octable", Limit: 1.7}, Skipped, 1.2},
		{Bar{Kind: Slower, Subject: "none", Base: []string{"w/d/a"}, Limit: 9}, Missing, 0},
		{Bar{Kind: Slower, Subject: "w/d/octable", Base: []string{"none"}, Limit: 9}, Missing, 0},
		{Bar{Kind: Speedup2, Subject: "none", Limit: 9}, Missing, 0},
		{Bar{Kind: Faster, Subject: "w/d/octable", Base: []string{"w/d/engine"}, Limit: 2}, Pass, 2.5}, // by the wall's clock
	} {
		if c.bar.Parts == 0 {
			c.bar.Parts = 1
		}
		v := c.bar.Judge(r)
		if v.State != c.state || (v.Measured == nil) != (c.state == Missing) ||
			v.Measured != nil && (v.Measured.Median < c.value*0.999 || v.Measured.Median > c.value*1.001) {
			t.Errorf("%+v: %s %v, want %s %v", c.bar, v.State, v.Measured, c.state, c.value)
		}
	}
}

func TestMeasure(t *testing.T) {
	p := Plan{Time: time.Millisecond, Procs: 1}
	name := "rpc/decode-value/hand-iterative"
	var list []*cases.Case
	for _, c := range cases.All() {
		if c.Job() == "rpc/decode-value" || c.Job() == "rpc/decode-value-fresh" {
			list = append(list, c)
		}
	}
	r := &Results{}
	for p.Round = range 2 {
		r.Add(p.Measure(list, []string{name}))
	}
	if len(r.Cases) != len(list) {
		t.Fatalf("%d of %d cases", len(r.Cases), len(list))
	}
	c := r.Named(name)
	if len(c.Nanos) != 2 || len(c.Wall) != 2 || c.Median() <= 0 || c.Allocs != 0 {
		t.Errorf("%+v", c)
	}
	if r.Named("rpc/decode-value-fresh/json").Allocs < 10 {
		t.Error("allocations are not counted")
	}
	if s := r.Speedups[name]; s == nil || len(s.Rounds) != 2 || s.Best() <= 0 {
		t.Errorf("speed-up %+v", s)
	}
}

// The scripts run in the engines, if there are any.
func TestEngines(t *testing.T) {
	for name, env := range map[string]string{"godot4": "OCTABLE_GODOT4", "godot3": "OCTABLE_GODOT3"} {
		path := os.Getenv(env)
		if path == "" {
			t.Logf("%s is not set", env)
			continue
		}
		e, err := engine.New(name, path)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		list, err := e.Time(time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		for _, timing := range list {
			if timing.Decode <= 0 || timing.Encode <= 0 {
				t.Errorf("%s: %+v", name, timing)
			}
		}
	}
}
