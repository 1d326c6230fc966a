package inputs

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

func source(t testing.TB, id string, opt Options) *Source {
	t.Helper()
	p, err := compile.Program(id, "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := raw.Codec(p)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(raw.Machine(c), opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestClose holds that a closed source leaves no goroutine of a sequence that it began.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	s := source(t, "ntp", Options{Seed: 1})
	for range 500 {
		s.Next()
	}
	if runtime.NumGoroutine() <= before {
		t.Fatal("no sequence is begun")
	}
	s.Close()
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines after Close, and %d before the source", n, before)
	}
}

// TestNext checks that what an input says of itself is so. Every way of making one
// comes about, and the same seed makes the same inputs.
func TestNext(t *testing.T) {
	s, again := source(t, "godot-4.4", Options{Objects: true, Seed: 3}), source(t, "godot-4.4", Options{Objects: true, Seed: 3})
	ways := map[Way]int{}
	valid, refused, unwritten := 0, 0, 0
	for range 5000 {
		in := s.Next()
		if b := again.Next(); string(b.Packet) != string(in.Packet) || b.Way != in.Way {
			t.Fatalf("%s %x, and again %s %x", in.Way, in.Packet, b.Way, b.Packet)
		}
		ways[in.Way]++
		opt := interp.Options{Open: gates(in.Open)}
		if in.Packet != nil {
			_, used, err := s.m.Decode(in.Packet, opt)
			if (err == nil) != (in.Err == nil) || err == nil && used != in.Used {
				t.Fatalf("%s, %s: %x: %v, %v", in.Way, in.Note, in.Packet, err, in.Err)
			}
		}
		switch {
		case in.Valid():
			valid++
		case in.Err != nil:
			refused++
		case in.WriteErr != nil:
			unwritten++
		}
		if (in.Way == Drawn || in.Way == Mutated) && in.Err != nil {
			t.Errorf("%s, %s: %x is refused: %v", in.Way, in.Note, in.Packet, in.Err)
		}
	}
	for _, w := range []Way{Drawn, Mutated, Damaged, Bytes, Spoiled} {
		if ways[w] < 50 {
			t.Errorf("%d inputs by way of %s", ways[w], w)
		}
	}
	if valid < 500 || refused < 500 || unwritten < 100 {
		t.Errorf("%d valid, %d refused, %d that cannot be written", valid, refused, unwritten)
	}
}

// TestPadded holds that a source of a schema makes inputs if padding makes the smallest packet larger than MaxBytes.
func TestPadded(t *testing.T) {
	s := source(t, "testdata/padded.oct", Options{MaxBytes: 512})
	done := make(chan int)
	go func() {
		n := 0
		for range 200 {
			if in := s.Next(); in.Err == nil && in.Packet != nil {
				n++
			}
		}
		done <- n
	}()
	select {
	case n := <-done:
		if n == 0 {
			t.Error("no packet is valid")
		}
	case <-time.After(time.Minute):
		t.Fatal("no input is made")
	}
}

// TestGuided: with the coverage as a guide more is reached than without.
func TestGuided(t *testing.T) {
	const n = 6000
	reached := map[bool]int{}
	for _, blind := range []bool{false, true} {
		s := source(t, "godot-4.4", Options{NoCoverage: blind, Plain: true})
		cov := s.m.NewCoverage()
		for range n {
			in := s.Next()
			v, _, err := s.m.DecodeObserved(in.Packet, interp.Options{}, cov)
			if err == nil {
				_, _ = s.m.AppendObserved(nil, v, interp.Options{}, cov)
			}
		}
		reached[blind] = cov.Count()
	}
	t.Logf("%d points of the program with coverage as a guide, %d without, in %d inputs", reached[false], reached[true], n)
	if reached[false] <= reached[true] {
		t.Errorf("%d points with coverage as a guide, %d without", reached[false], reached[true])
	}
}

// TestFull checks that all that can be reached of a schema is reached from its examples. It tries every
// option, and what other implementations are asked.
func TestFull(t *testing.T) {
	const most = 400_000
	for _, c := range []struct {
		id  string
		opt Options
	}{
		{"framing", Options{}}, {"../../fuzz/testdata/clock.oct", Options{}}, {"wave", Options{}}, {"godot-3", Options{Objects: true}},
		{"godot-4.4", Options{Plain: true}}, {"pandemonium-5", Options{Plain: true, Objects: true}}, {"wave", Options{Plain: true}},
	} {
		t.Run(fmt.Sprintf("%s plain=%v", filepath.Base(c.id), c.opt.Plain), func(t *testing.T) {
			if strings.Contains(c.id, "-") || c.id == "wave" { // with many types
				long.Only(t)
			}
			c.opt.MaxBytes = 512
			s := source(t, c.id, c.opt)
			schema, err := compile.Load(c.id)
			if err != nil {
				t.Fatal(err)
			}
			for _, body := range schema.Bodies() {
				for _, e := range body.Examples {
					s.Seed(e.Bytes)
				}
			}
			for s.made < most && len(s.aim.left) > 0 {
				s.Next()
			}
			p := s.Program()
			for _, q := range s.aim.left {
				t.Errorf("not reached in %d inputs: %s %s of %q, %s", s.made, q.Dir, q.Site, p.InstrText(&p.Code[q.PC]), p.Rules[p.Code[q.PC].Rule].Name)
			}
		})
	}
}

// BenchmarkNext counts inputs a second, and what they reach.
func BenchmarkNext(b *testing.B) {
	for _, id := range []string{"godot-4.4", "godot-3", "pandemonium-5"} {
		b.Run(id, func(b *testing.B) {
			s := source(b, id, Options{Objects: true, Shallow: true})
			for range b.N {
				s.Next()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "inputs/s")
			b.ReportMetric(float64(s.Coverage().Count()), "points")
			b.ReportMetric(float64(len(s.keep)), "kept")
		})
	}
}

func ExampleSource() {
	s, err := New(raw.Machine(codec.MustLoad("godot-4.4")), Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 4 {
		in := s.Next()
		fmt.Printf("%x %s\n", in.Packet, raw.Wrap(in.Value))
	}
	// Output:
	// 00000000 null
	// 19000000 Callable()
	// 0100000000000000 false
	// 0200000000000000 0
}

// TestCorpus: a corpus is small, and no packet in it is there for nothing.
func TestCorpus(t *testing.T) {
	s := source(t, "godot-3", Options{})
	opt := Options{Objects: true, Seed: 1}
	all, err := Corpus(s.m, opt, 4000)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 60 || len(all) > 600 {
		t.Errorf("%d packets", len(all))
	}
	if again := Fewest(s.m, opt, append(all, all...)); len(again) != len(all) {
		t.Errorf("of %d packets %d are needed", len(all), len(again))
	}
}
