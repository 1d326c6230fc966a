// Facts are believed where inputs of all sorts do not contradict them.

package reach_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/internal/corpus"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

// TestSound checks that impossible points are not reached, for every schema, with any inputs and options. Runs of a
// setup do not do what the setup leaves out.
func TestSound(t *testing.T) {
	constructs, err := filepath.Glob("../../fuzz/languages/testdata/*.oct")
	if err != nil || len(constructs) == 0 {
		t.Fatal("no schemas with each construct", err)
	}
	formats, err := filepath.Glob("../../spec/formats/*.oct")
	if err != nil || len(formats) == 0 {
		t.Fatal("no schemas of formats", err)
	}
	schemas := slices.Concat(long.Part(6, codec.Schemas()), long.Part(6, constructs), long.Part(4, formats))
	for _, id := range schemas {
		t.Run(filepath.Base(id), func(t *testing.T) {
			name, choice, _ := strings.Cut(id, "+")
			p, err := compile.Program(name, choice)
			if err != nil {
				t.Fatal(err)
			}
			m, err := interp.New(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			inputs, err := corpus.Inputs(m, 1, long.Number(600, 2000))
			if err != nil {
				t.Fatal(err)
			}
			plain, any, back := m.NewCoverage(), m.NewCoverage(), m.NewCoverage()
			run := func(c *interp.Coverage, in corpus.Input, opt interp.Options) {
				opt.Open = in.Open
				if in.Packet != nil {
					_, _, _ = m.DecodeObserved(in.Packet, opt, c)
				}
				if !in.Value.IsNone() || in.Odd {
					_, _ = m.AppendObserved(nil, in.Value, opt, c)
				}
			}
			for i, in := range inputs {
				if in.Packet != nil {
					opt := interp.Options{Open: in.Open}
					if v, _, err := m.DecodeObserved(in.Packet, opt, back); err == nil {
						_, _ = m.AppendObserved(nil, v, opt, back)
					}
				}
				if !in.Odd {
					run(plain, in, interp.Options{})
				}
				run(any, in, interp.Options{KeepWidths: i%2 == 0, MaxMemory: i % 3 * 100, MaxDepth: i % 4})
			}
			any.Merge(plain)
			readBack := reach.Of(m, reach.Setup{Gates: true, ReadBack: true})
			here, everything := reach.Of(m, reach.Setup{Gates: true}), reach.Of(m, reach.Everything)
			possible := 0
			for _, q := range m.Points() {
				v, why := here.Reach(q)
				w, whyEver := everything.Reach(q)
				if (v == reach.Possible) != (why == "") || (w == reach.Possible) != (whyEver == "") {
					t.Errorf("%+v: %d %q, %d %q", q, v, why, w, whyEver)
				}
				if v == reach.Impossible && w == reach.Possible {
					t.Errorf("%+v: impossible, and possible with other options", q)
				}
				if v == reach.Possible {
					possible++
				}
				if any.Has(q.Index) && (v == reach.Impossible || w == reach.Impossible) {
					t.Errorf("%s %s at %d of %q happens, and was thought impossible: %s", q.Dir, q.Site, q.PC, m.Program().InstrText(&m.Program().Code[q.PC]), why+whyEver)
				}
				if b, whyNot := readBack.Reach(q); back.Has(q.Index) && b != reach.Possible && whyNot != reach.Unread {
					t.Errorf("%s %s at %d of %q happens where nothing is written but what was read, and was thought not to: %s", q.Dir, q.Site, q.PC, m.Program().InstrText(&m.Program().Code[q.PC]), whyNot)
				}
				if plain.Has(q.Index) && v == reach.NotHere && why != reach.Unread {
					t.Errorf("%s %s at %d of %q happens in runs that were thought not to do it: %s", q.Dir, q.Site, q.PC, m.Program().InstrText(&m.Program().Code[q.PC]), why)
				}
			}
			if possible == 0 {
				t.Error("nothing is possible")
			}
		})
	}
}

// TestLevels checks points at limits of depth. In wave, chunks, bodies and lists take turns in being inside one another, so one
// of them meets each limit, and only a body may have nothing inside it. In Variant every level is like the others.
func TestLevels(t *testing.T) {
	for _, c := range []struct {
		id    string
		depth uint32
		deep  string // what can be one level deeper than allowed
		last  bool
	}{
		{"wave", 1, "List", true}, {"wave", 2, "Chunk", true}, {"wave", 3, "Body", false}, {"wave", 4, "List", true},
		{"wave", 999, "Body", false}, {"wave", 1000, "List", true}, {"godot-4.4", 1, "Variant", true}, {"godot-4.4", 1024, "Variant", true}, {"ntp", 5, "", false},
	} {
		original := raw.Machine(codec.MustLoad(c.id))
		p, err := bytecode.Load(original.Program().Save())
		if err != nil {
			t.Fatal(err)
		}
		p.Depth = c.depth
		m, err := interp.New(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := reach.Of(m, reach.Setup{Gates: true})
		for _, q := range m.Points() {
			v, _ := f.Reach(q)
			for i := range p.Routines {
				if r := &p.Routines[i]; q.Site == interp.SiteTooDeep && int(r.Start) == q.PC && (v == reach.Possible) != (r.Name == c.deep) {
					t.Errorf("%s, at most %d levels: %s too deep: %d", c.id, c.depth, r.Name, v)
				}
			}
		}
		if f.LastLevel() != c.last {
			t.Errorf("%s, at most %d levels: a value ends at the last: %v", c.id, c.depth, !c.last)
		}
	}
}

// TestChanged checks the same for programs that make little sense, as long as the
// verifier lets them pass. Their facts are found soon.
func TestChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, id := range long.Part(3, []string{"godot-2", "godot-4.4", "ntp", "wave"}) {
		original := raw.Machine(codec.MustLoad(id))
		inputs, err := corpus.Inputs(original, 4, 100)
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		for m := range corpus.Changed(r, original.Program(), 320) {
			tried++
			c := m.NewCoverage()
			for _, in := range inputs {
				opt := interp.Options{Open: in.Open}
				if in.Packet != nil {
					v, _, err := m.DecodeObserved(in.Packet, opt, c)
					if err == nil {
						_, _ = m.AppendObserved(nil, v, opt, c)
					}
				}
				_, _ = m.AppendObserved(nil, in.Value, opt, c)
			}
			f := reach.Of(m, reach.Everything)
			for _, q := range m.Points() {
				if v, why := f.Reach(q); c.Has(q.Index) && v == reach.Impossible {
					t.Errorf("%s: %s %s at %d of %q happens, and was thought impossible: %s", id, q.Dir, q.Site, q.PC, m.Program().InstrText(&m.Program().Code[q.PC]), why)
				}
			}
		}
		if tried < 50 {
			t.Errorf("%s: only %d changed programs pass the verifier", id, tried)
		}
	}
}

// TestNumbersOfArms checks that a reader of an arm has a number of the arm, wherever these are. An arm for all others
// has none of theirs.
func TestNumbersOfArms(t *testing.T) {
	for _, arms := range []string{"0..9", "0..9, 20, 250", "250, 5, 30..40", "0..99, 101..254"} {
		c, err := compiler.New(`schema "arms" { root T }
union T by id {
    | 0 | 1 | u8 | id |
}
arm T ` + arms + ` a {
    id { 0..7 own }
}
arm T else other {
    id { 0..7 number }
    | 1 | 1 | u8 | x | check x != number
}`)
		if err != nil {
			t.Fatal(err)
		}
		m := raw.Machine(c)
		p, f := m.Program(), reach.Of(m, reach.Everything)
		checks := 0
		for _, q := range m.Points() {
			in := &p.Code[q.PC]
			if q.Dir != interp.Reading || in.Op != bytecode.Check || q.Site != interp.SiteRefused {
				continue
			}
			want := reach.Impossible
			if p.Rules[in.Rule].Name == "other.x" {
				want = reach.Possible
			}
			if verdict, why := f.Reach(q); verdict != want {
				t.Errorf("%s: %s is refused: verdict %d, want %d (%s)", arms, p.InstrText(in), verdict, want, why)
			}
			checks++
		}
		if checks != 3 {
			t.Errorf("%s: %d checks", arms, checks)
		}
	}
}

// TestEnough checks that rows that have their bytes for certain are not short. They are those behind one that leaves
// bytes for them, and the first byte of an element of a list up to the end. A region without them is used up.
func TestEnough(t *testing.T) {
	for text, want := range map[string]struct {
		short []string // rows that can be
		whole bool
	}{
		"type T {\n    | 0 | 1 | u8 | a |\n    | 1 | end-3 | u8[until end] | b |\n    | end-3 | 2 | u16 | c |\n    | end-1 | 1 | bool8 | d |\n}":                                     {[]string{"T.a", "T.b"}, true},
		"type T {\n    | 0 | end-2 | U[until end] | b |\n    | P | 1 | u8 | c |\n    | P+1 | 1 | u8 | d |\n}\nunion U by k { | 0 | 1 | u8 | k | }\narm U 0 x { | 1 | 1 | u8 | y | }": {[]string{"T.b", "x.y"}, true},
		"type T {\n    | 0 | N | U[until end] | b |\n}\ntype U {\n    | 0 | 1 | u8 | k |\n    | 1 | 1 | bool8 | y |\n}":                                                              {[]string{"U.y"}, true},
		"type T {\n    | 0 | N | U[until k == 0] | b |\n}\ntype U {\n    | 0 | 1 | u8 | k |\n    | 1 | 1 | bool8 | y |\n}":                                                           {[]string{"U.k", "U.y"}, false},
		"type T {\n    | 0 | 1 | u8 | n = count(b) |\n    | 1 | 2*n | U[n] | b |\n}\ntype U {\n    | 0 | 1 | bool8 | k |\n    | 1 | 1 | u8 | y |\n}":                                 {[]string{"T.b", "T.n"}, false},
		"type T {\n    | 0 | 1 | u8 | n = count(b) |\n    | 1 | N | U[n] | b |\n}\ntype U {\n    | 0 | 1 | u8 | k |\n    | 1 | 1 | bool8 | y | if k == 0\n}":                         {[]string{"T.b", "T.n", "U.k", "U.y"}, false},
		"type T {\n    | 0 | N | U[until end] | b |\n}\ntype U {\n    | 0 | 2 | u16 | k |\n}":                                                                                        {[]string{"U.k"}, true},
	} {
		c, err := compiler.New("schema \"enough\" { root T }\n" + text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		m := raw.Machine(c)
		p, f := m.Program(), reach.Of(m, reach.Everything)
		var short []string
		for _, q := range m.Points() {
			if q.Dir != interp.Reading || q.Site != interp.SiteShort {
				continue
			}
			name := p.Rules[p.Code[q.PC].Rule].Name
			if verdict, _ := f.Reach(q); verdict == reach.Possible && !slices.Contains(short, name) {
				short = append(short, name)
			}
		}
		slices.Sort(short)
		if !slices.Equal(short, want.short) || f.UsesAll() != want.whole {
			t.Errorf("short can be %q, and all bytes are used: %v; want %q, %v\n%s", short, f.UsesAll(), want.short, want.whole, text)
		}
	}
}
