package interp_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/planlist"
)

var planList = planlist.List{Stop: interp.ListedByName, Skip: []string{"writeRow.puts", "unionPlan.slots", "unionPlan.known", "unionPlan.forms", "unionPlan.leaves"}}

// TestPlanLists compares the plans of the shapes and of every schema with testdata/plans.golden. Each plan is in the file
// once, below the first program that has it.
func TestPlanLists(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("the golden has the plans of a machine with 64 bits")
	}
	var out strings.Builder
	list := planList
	machine := func(name string, m *interp.Machine) {
		fmt.Fprintf(&out, "%s\n", name)
		for i, part := range m.Plans() {
			if text := list.Of(part); text != "" {
				fmt.Fprintf(&out, "%d%s", i, text)
			}
		}
	}
	eachShape(t, machine)
	golden.Check(t, "plans.golden", []byte(planlist.Labeled(out.String())))
}

var lists = flag.String("lists", "", "write the listings of TestPlanDigests into a `folder`")

// eachShape calls f for the machines of the shapes and of the schemas that octable has.
func eachShape(t *testing.T, f func(name string, m *interp.Machine)) {
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		f(name, shape(t, name, "big"))
	}
	for _, id := range schemaIDs(t) {
		m, err := interp.New(shipped(t, id).Program(), shippedTag) // no run has changed it
		if err != nil {
			t.Fatal(err)
		}
		f(id, m)
	}
}

// TestPlanDigests compares digests of plans with testdata/plans.digests. The plans are those of the schemas of
// package languages, the shapes and every schema, with the plans that a machine makes later, from what it reads or
// writes. The numbers of packets that plans read and write, and of
// instructions that they leave to the interpreter, are compared as well. The listings are too long for a golden: the
// flag -lists writes them, to compare those of two versions.
func TestPlanDigests(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("the golden has the plans of a machine with 64 bits")
	}
	d := planlist.Digests{List: planList, Folder: *lists}
	add := func(name string, m *interp.Machine) {
		work := struct{ All, Read, Steps, ReadCalls, Written, WriteCalls int }{}
		if g, err := m.NewGenerator(interp.GenerateOptions{Open: 0xff, MaxBytes: 200}); err == nil {
			r, w := m.NewReader(interp.Options{Open: 0xff}), m.NewWriter(interp.Options{Open: 0xff})
			random := rand.New(rand.NewPCG(1, 2))
			for i := range 30 {
				v, _ := g.Generate(choices(random, 4*i))
				b, err := w.Append(nil, v)
				if err != nil {
					t.Fatal(err)
				}
				read, written := r.Leaves(), w.Leaves()
				if work.All++; r.ByPlan(b) {
					work.Read, work.Steps, work.ReadCalls = work.Read+1, work.Steps+r.Steps(), work.ReadCalls+r.Leaves()-read
				}
				if w.ByPlan(v) {
					work.Written, work.WriteCalls = work.Written+1, work.WriteCalls+w.Leaves()-written
				}
			}
		}
		if err := d.Add(name, append(m.Plans(), m.Forms()...), fmt.Sprintf("%+v", work)); err != nil {
			t.Fatal(err)
		}
	}
	eachLanguage(t, func(name string, p *bytecode.Program) {
		m, err := interp.New(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		add(name, m)
	})
	eachShape(t, add)
	golden.Lines(t, "plans.digests", []byte(d.String()))
}

// eachLanguage calls f for each choice of the schemas of package languages: of one in four without OCTABLE_LONG=1.
func eachLanguage(t *testing.T, f func(name string, p *bytecode.Program)) {
	t.Helper()
	files, err := filepath.Glob("../fuzz/languages/testdata/*.oct")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d schemas: %v", len(files), err)
	}
	for _, file := range golden.Part(8, files) {
		s, err := compile.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if s.Root == nil { // a library
			continue
		}
		for _, choice := range s.Choices() {
			with, err := s.With(choice)
			if err != nil {
				t.Fatal(err)
			}
			p, err := compile.Schema(with)
			if err != nil {
				t.Fatal(err)
			}
			f(strings.TrimSuffix(filepath.Base(file), ".oct")+strings.TrimRight("-"+choice, "-"), p)
		}
	}
}

// TestOperations compares numbers of operations with testdata/operations.golden. They are those of the writers of the
// shapes, and of the rows that need a call. A plan that loses an operation still writes the same bytes.
func TestOperations(t *testing.T) {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		ops, calls := shape(t, name, "big").Operations()
		fmt.Fprintf(&out, "%s: %d operations, %d rows by calls\n", name, ops, calls)
	}
	golden.Check(t, "operations.golden", []byte(out.String()))
}
