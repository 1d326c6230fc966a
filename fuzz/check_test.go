package fuzz

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/dsl/schema/schematest"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
)

// resolved returns a schema under a choice, and its program.
func resolved(t testing.TB, id, choice string) (*schema.Schema, *bytecode.Program) {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.With(choice); err != nil {
		t.Fatal(err)
	}
	p, err := compile.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

// TestCheckShipped: the laws hold for every shipped schema under each choice. TestCheckAll of cmd/octable tries all with
// few inputs.
func TestCheckShipped(t *testing.T) {
	long.Only(t)
	formats, err := filepath.Glob("../spec/formats/*.oct")
	if err != nil || len(formats) == 0 {
		t.Fatalf("no formats: %v", err)
	}
	for _, id := range append(spec.IDs(), formats...) {
		s, err := compile.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		if s.Root == nil {
			continue
		}
		for _, choice := range s.Choices() {
			s, p := resolved(t, id, choice)
			began := time.Now()
			c, tried, err := Check(s, p, DefaultTries)
			if err != nil {
				t.Fatal(err)
			}
			if c == nil && tried < DefaultTries {
				t.Errorf("%s: only %d of %d inputs were tried", id, tried, DefaultTries)
			}
			if c != nil {
				t.Errorf("%s: %+v", id, *c)
			}
			t.Logf("%s %s: %v", id, choice, time.Since(began).Round(time.Millisecond))
		}
	}
}

// TestCheckEach checks each schema that tests and the manual have, with few inputs. Many of them have one row of a kind. In
// some, values or packets are ambiguous on purpose, so the laws about one direction after the other may not hold.
func TestCheckEach(t *testing.T) {
	long.Only(t)
	n := 0
	eachSchema(t, func(c compiled) {
		n++
		x, _, err := Check(c.s, c.m.Program(), 60)
		if x != nil && x.Law != "idempotence" && x.Law != "round trip" || err != nil && !errors.Is(err, interp.ErrNoValue) {
			t.Errorf("%s: %+v, %v", c.name, x, err)
		}
	})
	if n < 600 {
		t.Errorf("only %d schemas", n)
	}
}

// parsed returns a schema from memory, and its program.
func parsed(t *testing.T, source string) (*schema.Schema, *bytecode.Program) {
	t.Helper()
	f, err := dsl.Parse("check.oct", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, func(string) (*dsl.File, error) { return nil, os.ErrNotExist })
	if err != nil {
		t.Fatal(err)
	}
	p, err := compile.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

// TestCheckReadAny checks that laws hold for a schema whose reader accepts more than its writer writes. A packet is not
// written again as it was read.
func TestCheckReadAny(t *testing.T) {
	s, p := parsed(t, `
schema "any" {
    root A
}

type A {
    | 0 | 1 | u8 | first | "a kind, and a bit" {
        7    old  = 0 "has no meaning" any
        0..6 kind     "what it is"
    }
    | 1 | 1 | u8 | second | "more"
}
`)
	if x, _, err := Check(s, p, DefaultTries); x != nil || err != nil {
		t.Fatalf("%+v, %v", x, err)
	}
	m, err := interp.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := m.Decode([]byte{0x85, 1}, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := m.Encode(v, interp.Options{}); err != nil || !bytes.Equal(b, []byte{5, 1}) {
		t.Fatalf("% x, %v", b, err)
	}
	// The same program has the same counterexample, which is small.
	for _, mu := range first(mutants.Of(p)) {
		x, tried, err := Check(s, mu.Program(), 200)
		again, tried2, err2 := Check(s, mu.Program(), 200)
		if !reflect.DeepEqual(x, again) || tried != tried2 || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Errorf("%s: checked twice: %+v and %+v", mu.ID, x, again)
		}
		if x != nil && len(x.Packet) > 4 {
			t.Errorf("%s: the counterexample is not small: %+v", mu.ID, x)
		}
	}
}

// TestCheckHard: laws are tried on schemas whose values are hard to draw.
func TestCheckHard(t *testing.T) {
	for name, rows := range map[string]string{
		"no row has an expression": `
type File {
    | 0 | A | u8[until "00"] | name  | "a name"
    | A | 4 | f32            | level | "a number"
}`,
		"each packet is larger than those drawn for other schemas": `
type File {
    | 0    | 1020  | u32[255] | table | "a row of a fixed size"
    | 1020 | 4     | u32      | total = count(b) | "number of elements"
    | 1024 | A     | u16[total] | a | "a list"
    | B    | C     | u32[total] | b | "another one"
}`,
		"few numbers select an arm": `
type File {
    | 0 | N | Block[until kind == 0x3b] | blocks | "up to the last one"
}

type Block {
    | 0 | 1 | u8         | kind | "its number"
    | 1 | N | Body(kind) | body | "its content"
}

union Body(kind) by kind {}

arm Body 0x21 extension {
    | 0 | 1 | u8                   | label | "a number"
    | 1 | N | Sub[until size == 0] | parts | "up to an empty one"
}

arm Body 0x2c image {
    | 0 | 2 | u16                  | width | "a number"
    | 2 | N | Sub[until size == 0] | parts | "up to an empty one"
}

arm Body 0x3b trailer {}

arm Body else other { refuse "unknown block" }

type Sub {
    | 0 | 1    | u8            | size = size(data) | "length in bytes"
    | 1 | size | u8[until end] | data              | "bytes"
}`,
	} {
		t.Run(name, func(t *testing.T) {
			const tries = 1000
			s, p := parsed(t, "schema \"hard\" {\n    root File\n}\n"+rows)
			x, tried, err := Check(s, p, tries)
			if x != nil || err != nil || tried < tries {
				t.Errorf("%+v, %d inputs, %v", x, tried, err)
			}
		})
	}
}

func first[T, U any](x T, _ U) T { return x }

// TestCheckNoValue: a schema without values that can be drawn is reported as such.
func TestCheckNoValue(t *testing.T) {
	s, p := resolved(t, "wave", "")
	for _, mu := range first(mutants.Of(p)) {
		if mu.ID != "Wave.form/swapped/read" {
			continue
		}
		if _, _, err := Check(s, mu.Program(), DefaultTries); !errors.Is(err, interp.ErrNoValue) {
			t.Errorf("%v", err)
		}
		return
	}
	t.Error("there is no such mutant")
}

// mistaken is an implementation with a mistake that no program can have.
type mistaken struct{ *mutants.Implementation }

func (m mistaken) Decode(b []byte, o interp.Options) (interp.Value, int, error) {
	if out := m.Implementation.Decode(b, o); out.Err == nil {
		return out.Value, out.Used, nil
	} else {
		return interp.Value{}, 0, out.Err
	}
}

func (m mistaken) Encode(v interp.Value, o interp.Options) ([]byte, error) {
	if out := m.Implementation.Encode(v, o); out.Err == nil {
		return slices.Clone(out.Bytes), nil
	} else {
		return nil, out.Err
	}
}

// mutantTries is twice as many inputs as a check tries. Which ones it draws depends on the program, and a rare one is
// then likely.
const mutantTries = 2 * DefaultTries

// checkMutant checks a schema with a mistake. The mistake is first in its program, if a program can have it, and then in
// an interpreter whose program is right.
func checkMutant(t *testing.T, s *schema.Schema, p *bytecode.Program, mu *mutants.Mutant) (*Counterexample, error) {
	if changed := mu.Program(); changed.Hash() != p.Hash() {
		if x, _, err := Check(s, changed, mutantTries); x != nil || err != nil {
			return x, err
		}
	}
	c, err := raw.Codec(p)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := NewPair(p.Schema, s, c)
	if err != nil {
		t.Fatal(err)
	}
	bad, err := mu.New(raw.Machine(c))
	if err != nil {
		t.Fatal(err)
	}
	pair.Closed.reference.m = mistaken{bad}
	src, err := source(s, c, false)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := check(pair, src, mutantTries)
	return x, nil
}

// TestCheckMutants checks that mutantTries inputs find every mistake planted in a program. Mutants that are
// equivalent or need larger packets are left out.
func TestCheckMutants(t *testing.T) {
	for _, name := range []string{"clock", "chunks"} {
		t.Run(name, func(t *testing.T) {
			if name == "chunks" {
				long.Only(t)
			}
			text, err := os.ReadFile("testdata/" + name + ".oct")
			if err != nil {
				t.Fatal(err)
			}
			s, p := parsed(t, string(text))
			checkMutants(t, s, p)
		})
	}
}

// larger reports whether a mutant can show only in packets of more bytes than a check draws. It reads the size of a
// region with the wrong sign.
func larger(p *bytecode.Program, mu *mutants.Mutant) bool {
	pc := mu.PCs[0]
	word := &p.Code[pc]
	return mu.Class == "wrong sign" && word.Op == bytecode.Word && p.Code[pc+1].Op == bytecode.Enter && 1<<(8*builtin.Scalar(word.A).Width()-1) > 512
}

func checkMutants(t *testing.T, s *schema.Schema, p *bytecode.Program) {
	c, err := raw.Codec(p)
	if err != nil {
		t.Fatal(err)
	}
	id := p.Schema
	known := reach.Of(raw.Machine(c), reach.Everything)
	all, _ := mutants.Of(p)
	all = long.Part(40, all)
	found, same := 0, 0
	laws, classes := map[string]int{}, map[string]bool{}
	var tries []int
	began := time.Now()
	for _, mu := range all {
		x, err := checkMutant(t, s, p, mu)
		_, equivalent := mutants.Equivalent(mu, known, mutants.Offsets)
		switch {
		case errors.Is(err, interp.ErrNoValue):
			found++
			laws["no value"]++
			classes[mu.Class] = true
		case err != nil:
			t.Errorf("%s: %s: %v", id, mu.ID, err)
		case x != nil:
			found++
			laws[x.Law]++
			classes[mu.Class] = true
			tries = append(tries, x.Try)
		case equivalent || larger(p, mu):
			same++
		default:
			t.Errorf("%s: %s (%s) is not found: %s", id, mu.ID, mu.Class, mu.About)
		}
	}
	slices.Sort(tries)
	t.Logf("%s: %d of %d mutants in %d classes are found, half of them by %d inputs, the last by %d; %d more are equivalent or show in larger packets alone; by law: %v; %v", id, found, len(all), len(classes),
		tries[len(tries)/2], tries[len(tries)-1], same, laws, time.Since(began).Round(time.Millisecond))
}

// TestCheckLarge bounds the work for a schema whose values all have many records.
func TestCheckLarge(t *testing.T) {
	long.Only(t)
	s, p := parsed(t, schematest.FilledBlock(`    | 0 | 4 | u32 | a | "a"
    | 4 | 4 | u32 | b | "b" check b <= 4`))
	x, tried, err := Check(s, p, DefaultTries)
	if err != nil || x != nil {
		t.Fatal(x, err)
	}
	if tried < 50 || tried > DefaultTries/4 {
		t.Errorf("%d inputs were tried, of 32 KiB each", tried)
	}
}
