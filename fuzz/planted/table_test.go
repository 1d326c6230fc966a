package main

import (
	"testing"

	"github.com/octable/octable/fuzz/overlay"
)

// TestTable checks the table of mistakes. Names are unique, rows are complete, every old text occurs once and
// in one function, and the packages with all mistakes in them have no error of types.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for _, m := range All() {
		if names[m.Name] || m.Effect == "" || m.Old == m.New {
			t.Errorf("%s: the name is used twice, or the row is incomplete", m.Name)
		}
		names[m.Name] = true
	}
	root, err := overlay.Root()
	if err != nil {
		t.Fatal(err)
	}
	planted, err := plantAll(root, All())
	if err != nil {
		t.Fatal(err)
	}
	bad, err := planted.Check()
	if err != nil {
		t.Fatal(err)
	}
	for i, err := range bad {
		t.Errorf("%s: %v", All()[i].Name, err)
	}
}
