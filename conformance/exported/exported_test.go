package exported

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/export"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/conformance/generated"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/spec"
)

// TestSchemas has tools read packets of every schema, example and test schema.
func TestSchemas(t *testing.T) {
	var all []Subject
	modeltest.All(t, "../..", func(name string, m *model.Model, p *bytecode.Program) {
		if !slices.ContainsFunc(all, func(s Subject) bool { return s.Name == name }) { // an example is there by its id and as a file
			all = append(all, Subject{Name: name, Model: m, Program: p})
		}
	})
	for _, tool := range Tools {
		t.Run(tool.Name, func(t *testing.T) {
			var subjects []*Subject
			for _, s := range all { // a copy, which has the results
				subjects = append(subjects, &s)
			}
			err := tool.Check(t.TempDir(), subjects, long.Number(10, 150), 1)
			if missing := generated.Missing(""); errors.As(err, &missing) {
				t.Skip(missing)
			} else if err != nil {
				t.Fatal(err)
			}
			accepted, rejected := 0, 0
			for _, s := range subjects {
				accepted, rejected = accepted+s.Accepted, rejected+s.Rejected
				var unsupported *model.Unsupported
				if id, _, _ := strings.Cut(s.Name, "+"); errors.As(s.Err, &unsupported) && !slices.Contains(spec.IDs(), id) {
					t.Logf("%s: %v", s.Name, s.Err)
				} else if s.Err != nil {
					t.Errorf("%s: %v", s.Name, s.Err)
				}
			}
			t.Logf("%d packets read alike, %d rejected", accepted, rejected)
		})
	}
}

// TestTools checks that every format has a tool, except for the one without a program
// that tests can run.
func TestTools(t *testing.T) {
	for _, f := range export.Formats {
		if (Named(f.Name) == nil) != (f.Name == "imhex") {
			t.Errorf("%s: its tool is %v", f.Name, Named(f.Name))
		}
	}
}
