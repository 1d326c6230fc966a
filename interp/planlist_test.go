package interp_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/planlist"
)

// TestPlanLists compares the plans of the shapes and of every schema with testdata/plans.golden. Each plan is in the file
// once, below the first program that has it.
func TestPlanLists(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("the golden has the plans of a machine with 64 bits")
	}
	var out strings.Builder
	list := planlist.List{Stop: interp.ListedByName, Skip: []string{"writeRow.puts", "unionPlan.slots"}}
	machine := func(name string, m *interp.Machine) {
		fmt.Fprintf(&out, "%s\n", name)
		for i, part := range m.Plans() {
			if text := list.Of(part); text != "" {
				fmt.Fprintf(&out, "%d%s", i, text)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		machine(name, shape(t, name, "big"))
	}
	for _, id := range schemaIDs(t) {
		m, err := interp.New(shipped(t, id).Program(), shippedTag) // no run has changed it
		if err != nil {
			t.Fatal(err)
		}
		machine(id, m)
	}
	golden(t, "testdata/plans.golden", planlist.Labeled(out.String()))
}

// TestOperations compares the number of operations of the writers of the shapes, and that of rows that need a call, with
// testdata/operations.golden: a plan that loses an operation still writes the same bytes.
func TestOperations(t *testing.T) {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		ops, calls := shape(t, name, "big").Operations()
		fmt.Fprintf(&out, "%s: %d operations, %d rows by calls\n", name, ops, calls)
	}
	golden(t, "testdata/operations.golden", out.String())
}

// golden compares a text with a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := planlist.Difference(got, string(want)); d != "" {
		t.Errorf("%s:%s\nRun the test with -update and look at the difference", file, d)
	}
}
