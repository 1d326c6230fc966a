package schema

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema/schematest"
)

// survey resolves a text and checks the form of its mistakes. It reports whether the
// text parses, and whether it resolves.
func survey(t *testing.T, text string) (parsed, resolved bool) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("panic: %v\n%s", p, text)
		}
	}()
	check := func(err error) {
		ds, ok := err.(dsl.Diagnostics)
		if !ok || len(ds) == 0 {
			t.Fatalf("the error is not Diagnostics: %#v\n%s", err, text)
		}
		for _, d := range ds {
			checkDiagnostic(t, d)
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
	f, err := dsl.Parse("mutated.oct", []byte(text))
	NewIndex(f, beside)
	if err != nil {
		return false, false
	}
	if _, err = Resolve(f, beside); err != nil {
		check(err)
	}
	return true, err == nil
}

// TestMutated damages every schema and every case of an error. With
// OCTABLE_LONG=1 it does so several times, and damages those of the manual, too.
func TestMutated(t *testing.T) {
	texts := schematest.Texts(t, "testdata/errors")
	if long.Asked() {
		maps.Copy(texts, schematest.Blocks(t, "../LANGUAGE.md"))
	}
	r := rand.New(rand.NewPCG(5, 6))
	order := long.Part(12, slices.Sorted(maps.Keys(texts)))
	all, parsed, resolved := 0, 0, 0
	for range long.Number(1, 4) {
		for _, name := range order {
			text := texts[name]
			change := schematest.Mutate
			if all%2 == 1 {
				change = schematest.Vary
			}
			p, c := survey(t, change(r, text))
			all++
			if p {
				parsed++
			}
			if c {
				resolved++
			}
		}
	}
	t.Logf("%d changed schemas, of which %d parse and %d resolve", all, parsed, resolved)
	if parsed*5 < all || resolved == 0 {
		t.Errorf("of %d changed schemas only %d parse and %d resolve", all, parsed, resolved)
	}
}
