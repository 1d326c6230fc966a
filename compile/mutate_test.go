package compile

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema/schematest"
)

// TestMutated compiles damaged schemas: those that resolve have a program.
// It tries one of three, or all several times with OCTABLE_LONG=1.
func TestMutated(t *testing.T) {
	texts := schematest.Texts(t, cases, "../spec/formats", "bytecode/testdata", "gen/model/testdata")
	r := rand.New(rand.NewPCG(7, 8))
	order := long.Part(3, slices.Sorted(maps.Keys(texts)))
	all, compiled := 0, 0
	for range long.Number(1, 3) {
		for _, name := range order {
			all++
			text := schematest.Mutate(r, texts[name])
			s, err := resolve(name, text)
			if err != nil {
				continue
			}
			compiled++
			t.Run("", func(t *testing.T) {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("panic: %v", p)
					}
					if t.Failed() {
						t.Log(text)
					}
				}()
				programs(t, s)
			})
		}
	}
	t.Logf("%d changed schemas, of which %d compile", all, compiled)
	if compiled*100 < all { // about one in 30 does
		t.Errorf("of %d changed schemas only %d compile", all, compiled)
	}
}
