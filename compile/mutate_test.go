package compile

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/octable/octable/dsl/schema/schematest"
)

// TestMutated compiles damaged schemas: those that resolve have a program.
// OCTABLE_LONG=1 asks for many more, by chance.
func TestMutated(t *testing.T) {
	texts := schematest.Texts(t, cases, "../spec/formats", "bytecode/testdata", "gen/model/testdata")
	r, rounds := rand.New(rand.NewPCG(7, 8)), 1
	end := time.Now().Add(time.Hour)
	if os.Getenv("OCTABLE_LONG") == "1" {
		r, rounds, end = rand.New(rand.NewPCG(rand.Uint64(), 0)), 1<<30, time.Now().Add(2*time.Minute)
	}
	order := slices.Sorted(maps.Keys(texts))
	all, compiled := 0, 0
	for round := 0; round < rounds && time.Now().Before(end); round++ {
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
	if compiled*40 < all { // about one in 16 does
		t.Errorf("of %d changed schemas only %d compile", all, compiled)
	}
}
