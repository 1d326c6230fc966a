package compile

import (
	"maps"
	"slices"
	"testing"

	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema/schematest"
)

// FuzzCompile compiles texts: one that resolves has a program for every choice.
func FuzzCompile(f *testing.F) {
	texts := schematest.Texts(f, cases)
	for _, name := range long.Part(16, slices.Sorted(maps.Keys(texts))) { // TestPrograms has all
		f.Add(texts[name])
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := resolve("fuzz.oct", text)
		if err != nil {
			t.Skip()
		}
		programs(t, s)
	})
}
