package compile

import (
	"testing"

	"github.com/octable/octable/dsl/schema/schematest"
)

// FuzzCompile compiles texts: one that resolves has a program for every choice.
func FuzzCompile(f *testing.F) {
	for _, text := range schematest.Texts(f, cases) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := resolve("fuzz.oct", text)
		if err != nil {
			t.Skip()
		}
		programs(t, s)
	})
}
