package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/fuzz/overlay"
)

var folders = []string{"dsl/schema", "compile", "compile/bytecode", "interp", "codec"}

// TestEquivalents holds: each line of equivalent.txt is about a mutant of the current source.
func TestEquivalents(t *testing.T) {
	table, err := readEquivalents(equivalentText)
	if err != nil {
		t.Fatal(err)
	}
	root, err := overlay.Root()
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, folder := range folders {
		list, err := mutants(root, folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			if keys[m.Key] {
				t.Errorf("two mutants have the key %s", m.Key)
			}
			keys[m.Key] = true
		}
	}
	for key := range table.of {
		if !keys[key] {
			t.Errorf("equivalent.txt: the source has no mutant %s; remove the line or correct its key", key)
		}
	}
}

// TestEnumeration lists the mutants of a function of each kind of statement.
func TestEnumeration(t *testing.T) {
	got := changes(t, `func f(a, b int, s []int) (bool, error) {
	for i := 1; a < b; i++ {
		if s[0] == 7 { break }
		a += b
		s[1] = a
		g(a)
	}
	fail("a text", a + 1)
	if a > 2 && h(b) || !k() {
		return true, errorf("a text", b - 1)
	}
	_ = make([]int, 0, a*2)
	return false, nil
}`)
	want := `i := 1 => i := 2
i := 1 => i := 0
a < b => !(a < b)
a < b => a <= b
i++ => i--
i++ =>
s[0] == 7 => s[0] != 7
s[0] == 7 => s[1] == 7
s[0] == 7 => s[0] == 8
s[0] == 7 => s[0] == 6
break => continue
a += b => a -= b
a += b =>
s[1] = a => _ = a
s[1] = a => s[2] = a
s[1] = a => s[0] = a
g(a) =>
fail("a text", a + 1) =>
a > 2 && h(b) || !k() => !(a > 2 && h(b) || !k())
a > 2 && h(b) || !k() => a > 2 && h(b) && !k()
a > 2 && h(b) => a > 2 || h(b)
a > 2 => a >= 2
a > 2 && h(b) || !k() => a > 3 && h(b) || !k()
a > 2 && h(b) || !k() => a > 1 && h(b) || !k()
!k() => k()
return true, errorf("a text", b - 1) => return true, nil
true => false
make([]int, 0, a*2) => make([]int, 1, a*2)
false => true`
	wanted := strings.Split(want, "\n")
	slices.Sort(got)
	slices.Sort(wanted)
	for _, line := range got {
		if !slices.Contains(wanted, line) {
			t.Errorf("unexpected: %s", line)
		}
	}
	for _, line := range wanted {
		if !slices.Contains(got, line) {
			t.Errorf("missing: %s", line)
		}
	}
}

// TestLeftOut: a statement that is unreachable, with the reason, and results without a meaning have no mutants.
func TestLeftOut(t *testing.T) {
	got := changes(t, `func f(a int) (int, bool) {
	if a == b { // unreachable: a condition is
		return 1, false
	}
	a = b // unreachable: b
	return 1, true
	return 1, fail("a text")
}`)
	slices.Sort(got)
	want := []string{"a == b => a != b", "false => true", "return 1, true => return 0, true", "return 1, true => return 2, true", "true => false"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestReach: the condition of a case is reached if the switch is.
func TestReach(t *testing.T) {
	list, err := mutantsOf("p", "p/f.go", "package p\n\nfunc f(a, b int) {\n\tswitch {\n\tcase a < b:\n\t\tg(a)\n\t}\n}\n")
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	if list[0].Line != 5 || list[0].Reach.Line != 4 || list[1].Reach.Line != 6 {
		t.Errorf("a case at line %d is reached at %d, a call at %d", list[0].Line, list[0].Reach.Line, list[1].Reach.Line)
	}
}

// TestReadEquivalents refuses lines without an argument and keys that are there twice.
func TestReadEquivalents(t *testing.T) {
	for _, text := range []string{"a key", "a key -- ", "k -- a\nk -- b"} {
		if _, err := readEquivalents(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
	table, err := readEquivalents("# note\n\nk: a => b -- no effect\n")
	if err != nil || table.reason("k: a => b") != "no effect" || table.reason("k") != "" {
		t.Errorf("%v, %v", table, err)
	}
}

// changes returns the changes of the mutants of a function.
func changes(t *testing.T, text string) []string {
	t.Helper()
	list, err := mutantsOf("p", "p/f.go", "package p\n\n"+text)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range list {
		out = append(out, strings.TrimSpace(m.change()))
	}
	return out
}
