package examples

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
)

// example is an example of a schema, and of those that extend it.
type example struct {
	text  string // its file and line
	named bool   // a later schema may drop or replace it
	shape string // its type or arm, what it is about, and the options
	kills []int  // the tests of which it is one
}

// TestNeeded finds examples of the shipped schemas that check nothing which another one does not. Each
// mutant of a schema that an example detects, in the schema and in those that extend it, must be
// detected by one that stays; an example without a name goes if that holds without it and one of
// its shape stays: the same type or arm, verdict and options. A mutant that a check of the record detects
// is detected by an example.
func TestNeeded(t *testing.T) {
	long.Only(t)
	all := map[string]*example{}
	var tests [][]*example // the examples that detect a mutant
	recorded := record(t)
	for _, id := range spec.IDs() {
		s, err := compile.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		if s.Root != nil {
			tests = append(tests, detected(t, s, recorded[id], all)...)
		}
	}
	for i, list := range tests {
		for _, e := range list {
			e.kills = append(e.kills, i)
		}
	}
	order := make([]*example, 0, len(all))
	shapes, left := map[string]int{}, make([]int, len(tests))
	for _, e := range all {
		order = append(order, e)
		shapes[e.shape]++
	}
	for i, list := range tests {
		left[i] = len(list)
	}
	slices.SortFunc(order, func(a, b *example) int {
		return cmp.Or(len(a.kills)-len(b.kills), strings.Compare(b.text, a.text))
	})
	for _, e := range order {
		if e.named || shapes[e.shape] == 1 || slices.ContainsFunc(e.kills, func(i int) bool { return left[i] == 1 }) {
			continue
		}
		shapes[e.shape]--
		for _, i := range e.kills {
			left[i]--
		}
		t.Errorf("%s: no mutant needs the example, and one of the same shape stays: %s", e.text, e.shape)
	}
	t.Logf("%d examples, %d mutants that they detect", len(all), len(tests))
}

// detected returns, for each mutant of a schema that its examples detect, these examples. It reports mutants
// that only a recorded check detects.
func detected(t *testing.T, s *schema.Schema, record []*recorded, all map[string]*example) [][]*example {
	var out [][]*example
	bodies := map[string][]schema.Body{}
	for _, b := range s.Bodies() {
		bodies[b.Type] = append(bodies[b.Type], b)
	}
	for root, list := range bodies {
		rooted, err := s.Rooted(root)
		if err != nil {
			continue
		}
		p, err := compile.Schema(rooted)
		if err != nil {
			t.Fatal(err)
		}
		m, err := interp.New(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		bench := mutants.NewBench(m, mutants.Kinds)
		var cases []*example
		var lines []int // of the recorded checks
		for _, b := range list {
			for _, e := range b.Examples {
				if e.Choice != nil && e.Choice != rooted.Choice {
					continue
				}
				bench.Add(caseOf(m, e))
				cases = append(cases, known(all, b, e))
			}
		}
		if root == s.Root.Name {
			for _, e := range record {
				if e.choice == "" || s.Choice != nil && e.choice == s.Choice.Name {
					for _, g := range e.gates {
						e.Open = append(e.Open, s.Gate(g))
					}
					bench.Add(caseOf(m, e.Example))
					lines = append(lines, e.line)
				}
			}
		}
		mutants, _ := mutants.Of(p)
		for _, mu := range mutants {
			if killers := bench.Killers(mu); len(killers) > 0 {
				var by []*example
				for _, i := range killers {
					if i < len(cases) {
						by = append(by, cases[i])
					}
				}
				if by == nil {
					t.Errorf("%s: %s: no example detects it, and record.txt:%d does", s.ID, mu.ID, lines[killers[0]-len(cases)])
					continue
				}
				out = append(out, by)
			}
		}
	}
	return out
}

// caseOf returns an example as a case of a bench: its bytes, and their value if there is one.
func caseOf(m *interp.Machine, e *schema.Example) mutants.Case {
	c := mutants.Case{Decode: true, Bytes: e.Bytes, Open: openGates(e)}
	if v, _, err := m.Decode(e.Bytes, interp.Options{Open: c.Open}); err == nil {
		c.Encode, c.Value = true, v
	}
	return c
}

// known returns an example under its place in a file.
func known(all map[string]*example, b schema.Body, e *schema.Example) *example {
	at := fmt.Sprintf("%s:%d", e.File, e.Pos.Line)
	if all[at] == nil {
		verdict := cmp.Or(e.Refuse, "is")
		if e.Again != nil {
			verdict = "again"
		}
		size := len(e.Bytes)
		if e.Refuse != "" {
			size = len(e.Bytes)
		}
		all[at] = &example{text: at, named: e.Name != "", shape: fmt.Sprintf("%s %s %s of %d bytes, gates %d, strict %t", e.From, b.Name, verdict, size, openGates(e), e.Strict)}
	}
	return all[at]
}
