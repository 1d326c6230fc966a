// Laws of generating, for every schema of the project.

package interp_test

import (
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

// machines calls f for every embedded program, with gates closed and open, and
// with widths kept and not.
func machines(t *testing.T, f func(t *testing.T, g *interp.Generator, opt interp.Options)) {
	for _, id := range append(schemaIDs(t), "few-left") {
		m := shapeOrShipped(t, id)
		for _, opt := range []interp.Options{{}, {Open: 0xff}, {KeepWidths: true, Open: 0xff}} {
			if opt.KeepWidths {
				m = unfused(t, m)
			}
			g, err := m.NewGenerator(interp.GenerateOptions{Open: opt.Open, KeepWidths: opt.KeepWidths})
			if err != nil {
				t.Errorf("%s: %v", id, err)
				continue
			}
			t.Run(id, func(t *testing.T) { f(t, g, opt) })
		}
	}
}

// shapeOrShipped returns the machine of a shape or of an embedded schema.
func shapeOrShipped(t *testing.T, id string) *interp.Machine {
	if _, ok := shapes[id]; ok {
		return shape(t, id, "big")
	}
	return shipped(t, id)
}

// unfused returns a machine with the program and tags of m and without the fast loops.
func unfused(t *testing.T, m *interp.Machine) *interp.Machine {
	slow, err := interp.NewUnfused(m.Program(), func(i int, _ *bytecode.Type) uint16 { return m.Tag(i) })
	if err != nil {
		t.Fatal(err)
	}
	return slow
}

// choices returns n bytes of all sorts.
func choices(r *rand.Rand, n int) interp.Choices {
	c := make(interp.Choices, n)
	for i := range c {
		c[i] = byte(r.Uint32())
	}
	return c
}

// TestGenerate checks that a writer writes every generated value, and a reader
// gives it back to the last bit. The bytes are canonical.
func TestGenerate(t *testing.T) {
	machines(t, func(t *testing.T, g *interp.Generator, opt interp.Options) {
		r := rand.New(rand.NewPCG(1, 2))
		m := g.Machine()
		for i := range long.Number(150, 400) {
			c := choices(r, i/4)
			v, used := g.Generate(c)
			b, err := m.Append(nil, v, opt)
			if err != nil {
				t.Fatalf("choices % x: not written: %v", c, err)
			}
			rd := m.NewReader(opt)
			w, n, err := rd.Read(b)
			if err != nil || n != len(b) {
				t.Fatalf("choices % x: % x: read %d: %v", c, b, n, err)
			}
			if !interp.Identical(v, w, true) {
				t.Fatalf("choices % x: % x: %+v read as %+v", c, b, v, w)
			}
			if err := rd.Canonical(b, w, n); err != nil {
				t.Fatalf("choices % x: % x: %v", c, b, err)
			}
			if again, _ := g.Generate(c[:used]); !interp.Identical(v, again, true) {
				t.Fatalf("choices % x: another value from the first %d, which are those used", c, used)
			}
		}
	})
}

// TestChoices: choices for a value that was read lead to it again.
func TestChoices(t *testing.T) {
	machines(t, func(t *testing.T, g *interp.Generator, opt interp.Options) {
		r := rand.New(rand.NewPCG(3, 4))
		m := g.Machine()
		for i := range long.Number(100, 300) {
			v, _ := g.Generate(choices(r, i/3))
			b, err := m.Append(nil, v, opt)
			if err != nil {
				t.Fatal(err)
			}
			v, _, err = m.Decode(b, opt)
			if err != nil {
				t.Fatal(err)
			}
			c, err := g.Choices(v)
			if err != nil {
				t.Fatalf("% x: %v", b, err)
			}
			if again, _ := g.Generate(c); !interp.Identical(v, again, true) {
				t.Fatalf("% x: choices % x give %+v, not %+v", b, c, again, v)
			}
		}
	})
}

// TestGenerateSimplest checks that without choices a value is the simplest of its
// schema. With depths and sizes limited, it keeps to them.
func TestGenerateSimplest(t *testing.T) {
	machines(t, func(t *testing.T, g *interp.Generator, opt interp.Options) {
		v, used := g.Generate(nil)
		if b, err := g.Machine().Append(nil, v, opt); err != nil || used != 0 || len(b) > 64 {
			t.Errorf("% x, from %d choices, %v", b, used, err)
		}
	})
}

// TestGenerateLimits checks that values keep to the depth and the size that they are given. Few records are begun again
// for that.
func TestGenerateLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	all := map[string]*interp.Machine{}
	for _, id := range schemaIDs(t) {
		all[id] = shipped(t, id)
	}
	for _, name := range []string{"union", "values", "nested-arms"} {
		all[name] = shape(t, name, "big")
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		m := all[id]
		for _, depth := range []int{1, 2, 3, 4} {
			g, err := m.NewGenerator(interp.GenerateOptions{Open: 0xff, MaxDepth: depth, MaxBytes: 100})
			if err != nil {
				if depth > 2 { // a file of chunks needs two levels for its first
					t.Errorf("%s: %v", id, err)
				}
				continue
			}
			for range 200 {
				c := choices(r, 200)
				v, _ := g.Generate(c)
				b, err := m.Append(nil, v, interp.Options{Open: 0xff, MaxDepth: depth})
				if err != nil || len(b) > 600 {
					t.Fatalf("%s: depth %d: choices % x: %d bytes, %v", id, depth, c, len(b), err)
				}
			}
			if n := g.Redrawn(); n > 6000 {
				t.Errorf("%s: depth %d: %d records are begun again", id, depth, n)
			}
		}
	}
}

// A schema in which hardly anything that is drawn blindly would do.
const hard = `schema "hard" {
    title "Conditions"
    source "none"
    order big
    root Top
    gate side "the side door"
}

type Top {
    | 0 | 1 | u8  | kind          | "kind" check kind >= 5 && kind < 9
    | 1 | 2 | u16 | sum           | "kind and 4" check sum == kind + 4
    | 3 | 1 | u8  | n = count(parts) | "number of parts" check n % 3 == 2
    | 4 | 1 | u8  | len = len(name) | "bytes" check len > 2
    | 5 | L | utf8[len] | name    | "a name" pad 4 any
    repeat n as parts {
        | P | 4 | u32 | a | "first" check a != 0
        | P+4 | 4 | u32 | b | "second" check b == a * 2
    }
    | P | V | Body(kind) | body   | "content"
}

union Body(kind) by kind {}
arm Body 5 five {
    | 0 | 4 | f32 | x | "a number"
}
arm Body 6 six {
    requires side
    | 0 | 4 | f32 | x | "a number"
}
arm Body 7 seven {
    requires side
}
arm Body 8 eight {
    | 0 | 1 | u8 | size = size(text) | "bytes of the text"
    | 1 | size | Name | text | "the text"
}
type Name {
    | 0 | 2 | u16 | len = len(text) | "bytes"
    | 2 | L | utf8[len] | text | "the text"
}
`

// TestGenerateConditions: conditions between fields are met.
func TestGenerateConditions(t *testing.T) {
	m, g := generatorOf(t, hard)
	r := rand.New(rand.NewPCG(7, 8))
	kinds := map[uint64]int{}
	for range long.Number(120, 300) {
		c := choices(r, 60)
		v, _ := g.Generate(c)
		b, err := m.Append(nil, v, interp.Options{})
		if err != nil {
			t.Fatalf("choices % x: %v", c, err)
		}
		w, _, err := m.Decode(b, interp.Options{})
		if err != nil || !interp.Identical(v, w, true) {
			t.Fatalf("choices % x: % x: %+v read as %+v, %v", c, b, v, w, err)
		}
		kinds[v.At(0).Uint()]++
	}
	if kinds[5] < 10 || kinds[8] < 10 || len(kinds) != 2 {
		t.Errorf("kinds of value: %v", kinds)
	}
}

// TestGenerateChanged checks that generating does no harm and ends soon, also for
// a program that makes no sense. The verifier must let the program pass. Nearly
// always what generating makes can be written, but not if the program writes a
// cell twice, in two forms, or makes a record of what it writes as something else.
func TestGenerateChanged(t *testing.T) {
	passed, made := 0, 0
	for k, id := range schemaIDs(t) {
		b := shipped(t, id).Program().Save()
		p, err := bytecode.Load(b)
		if err != nil {
			t.Fatal(err)
		}
		all := places(p)
		r := rand.New(rand.NewPCG(9, uint64(k)))
		for range *mutants / 4 {
			changed := change(r, p, all)
			if bytecode.Verify(p) == nil {
				if m, err := interp.New(p, nil); err == nil {
					passed++
					begin := time.Now()
					made += generateChanged(t, id+": "+changed.name, m, r)
					if d := time.Since(begin); d > 2*time.Second {
						t.Errorf("%s: %s: takes %v", id, changed.name, d)
					}
				}
			}
			changed.undo()
		}
	}
	if made < passed*3/4 {
		t.Errorf("only %d of %d programs gave values that can be written", made, passed)
	}
	t.Logf("%d of %d programs gave values that can be written", made, passed)
}

func generateChanged(t *testing.T, name string, m *interp.Machine, r *rand.Rand) int {
	defer func() {
		if x := recover(); x != nil {
			t.Errorf("%s: panic: %v\n%s", name, x, debug.Stack())
		}
	}()
	g, err := m.NewGenerator(interp.GenerateOptions{})
	if err != nil {
		return 0
	}
	for i := range 8 {
		c := choices(r, 20*i)
		v, _ := g.Generate(c)
		if _, err := m.Append(nil, v, interp.Options{}); err != nil {
			return 0
		}
	}
	return 1
}

// TestCompose: the value of a record with one field, which has any kind, is that of the field.
func TestCompose(t *testing.T) {
	m := shapeOf(t, "one", "big", "type T {\n    | 0 | 1 | u8 | f = present(x) |\n    | 1 | 1 | u8 | x | if f\n}")
	p := m.Program()
	for pc := range p.Code {
		if in := &p.Code[pc]; in.Op == bytecode.Done && in.B&bytecode.DoneAlone != 0 {
			p.Types[in.A].Fields[0].Kind = interp.None
			if v := m.Compose(pc, []interp.Value{interp.MakeUint(0, 7)}); v.Kind() != interp.Uint || v.Uint() != 7 {
				t.Errorf("%v", v)
			}
			return
		}
	}
	t.Fatal("no record has one field that may be alone")
}
