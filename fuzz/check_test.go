package fuzz

import (
	"testing"
	"time"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
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

// TestCheckShipped: the laws hold for every shipped schema under each choice.
func TestCheckShipped(t *testing.T) {
	for _, id := range spec.IDs() {
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
			c, err := Check(s, p, DefaultTries)
			if err != nil {
				t.Fatal(err)
			}
			if c != nil {
				t.Errorf("%s: %+v", id, *c)
			}
			t.Logf("%s %s: %v", id, choice, time.Since(began).Round(time.Millisecond))
		}
	}
}
