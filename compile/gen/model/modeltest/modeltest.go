// Package modeltest gives tests of back ends the models of all schemas.
package modeltest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

// Schemas returns the paths of the test schemas, in which rows may be unread. root is the
// path of the project's root.
func Schemas(t testing.TB, root string) []string {
	t.Helper()
	pattern := filepath.Join(root, "compile/gen/model/modeltest/testdata/*.oct")
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no schemas match %s: %v", pattern, err)
	}
	return paths
}

// All calls f for every schema, example and test schema, with each choice of its option.
// root is the path of the project's root. A name is the schema's id, +, and the choice, which is empty
// for a schema without an option.
func All(t testing.TB, root string, f func(name string, m *model.Model, p *bytecode.Program)) {
	t.Helper()
	for _, id := range append(spec.All(), Schemas(t, root)...) {
		s, err := compile.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		if s.Root == nil {
			continue // a library of declarations
		}
		for _, choice := range s.Choices() {
			s, err := s.With(choice)
			if err != nil {
				t.Fatal(err)
			}
			p, err := compile.Schema(s)
			if err != nil {
				t.Fatal(err)
			}
			m, err := model.New(s, p)
			if err != nil {
				t.Fatal(err)
			}
			f(strings.TrimSuffix(filepath.Base(id), ".oct")+"+"+choice, m, p)
		}
	}
}

// Of returns the model of one of the schemas, with the first of its choices.
func Of(t testing.TB, id string) *model.Model {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return New(t, s)
}

// New returns the model of a schema without choices.
func New(t testing.TB, s *schema.Schema) *model.Model {
	t.Helper()
	p, err := compile.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(s, p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
