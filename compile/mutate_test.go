package compile

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema/schematest"
)

// TestMutated compiles damaged schemas: those that resolve have a program.
// It tries one of three, or all several times with OCTABLE_LONG=1.
func TestMutated(t *testing.T) {
	texts := schematest.Texts(t, cases, "../spec/formats", "bytecode/testdata", "gen/model/testdata")
	r := rand.New(rand.NewPCG(7, 8))
	order := long.Part(6, slices.Sorted(maps.Keys(texts)))
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

// TestMutatedKeeps compares digests of mistakes and of programs with testdata/damaged.digests. The mistakes are those
// of damaged schemas of package languages. The programs are those of schemas that resolve.
func TestMutatedKeeps(t *testing.T) {
	const folder, file = "../fuzz/languages/testdata", "testdata/damaged.digests"
	texts := schematest.Texts(t, folder)
	beside := map[string]string{}
	maps.DeleteFunc(texts, func(name, _ string) bool { return !strings.HasPrefix(name, folder) })
	for name, text := range texts {
		beside[strings.TrimSuffix(filepath.Base(name), ".oct")] = text
	}
	var out strings.Builder
	for _, name := range golden.Part(10, slices.Sorted(maps.Keys(texts))) {
		r, sum, compiled := rand.New(rand.NewPCG(9, uint64(len(name)))), fnv.New64a(), 0
		for range 6 {
			s, err := Resolve(filepath.Base(name), []byte(schematest.Mutate(r, texts[name])), beside)
			fmt.Fprintln(sum, err)
			if err != nil {
				continue
			}
			compiled++
			for _, p := range programs(t, s) {
				sum.Write(p.Save())
			}
		}
		fmt.Fprintf(&out, "%s: %d of 6 compile, %016x\n", filepath.Base(name), compiled, sum.Sum64())
	}
	golden.Lines(t, "damaged.digests", []byte(out.String()))
}
