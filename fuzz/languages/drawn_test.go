package languages_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/conformance/generated"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/fuzz/languages"
	"github.com/octable/octable/fuzz/schemas"
)

var (
	language = flag.String("language", "go", "compare `NAMES` of languages and formats, with commas between them, or all")
	count    = flag.Int("schemas", long.Number(0, 10), "draw `N` schemas for each; 0 skips the test")
	seed     = flag.Uint64("seed", 1, "of the first schema; the others follow. 0 is drawn")
	size     = flag.Int("batch", 100, "schemas in a batch")
	shrink   = flag.Bool("shrink", false, "shrink schemas that disagree, which takes minutes for each")
	values   = flag.Int("values", 3, "values for each schema and set of options")
)

// TestDrawn compares schemas: with even seeds drawn ones, with odd seeds changed ones that somebody wrote. TestCases tests the
// comparison in go test ./....
func TestDrawn(t *testing.T) {
	if *count == 0 {
		t.Skip("set OCTABLE_LONG=1 or -schemas to compare drawn schemas")
	}
	if *seed == 0 {
		*seed = rand.Uint64() >> 16
	}
	names := strings.Split(*language, ",")
	if *language == "all" {
		names = languages.Names
	}
	changer := schemas.NewChanger(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) { drawn(t, name, changer) })
	}
}

func drawn(t *testing.T, language string, changer *schemas.Changer) {
	begin := time.Now()
	unsupported := map[string]int{}
	agreed := 0
	for done := 0; done < *count; done += *size {
		var all []*schemas.Drawn
		var texts []string
		var resolved []*schema.Schema
		for i := range min(*size, *count-done) {
			d, text := draw(changer, *seed+uint64(done+i))
			s, err := choose(d.Schema, *seed+uint64(done+i))
			if err != nil {
				t.Fatal(err)
			}
			all, texts, resolved = append(all, d), append(texts, text), append(resolved, s)
		}
		results, err := languages.Compare(language, t.TempDir(), resolved, languages.Options{Values: *values, Seed: *seed + uint64(done)})
		if missing := generated.Missing(""); errors.As(err, &missing) {
			t.Skip(missing)
		} else if err != nil {
			t.Errorf("seeds %d to %d: %.4000s", *seed+uint64(done), *seed+uint64(done+len(all)-1), err)
		}
		for i, err := range results {
			var u *model.Unsupported
			switch {
			case err == nil:
				agreed++
			case errors.As(err, &u):
				for _, part := range u.Parts {
					unsupported[part]++
				}
			default:
				t.Errorf("-seed %d -schemas 1: %.3000s\n%s", *seed+uint64(done+i), err, texts[i])
				if *shrink {
					small := schemas.Shrink(all[i], func(d *schemas.Drawn) bool { return disagrees(t, language, d, *seed+uint64(done+i)) })
					t.Logf("shrunk:\n%s", small)
				}
			}
		}
	}
	t.Logf("%s: %d of %d schemas from seed %d agree, in %v", language, agreed, *count, *seed, time.Since(begin).Round(time.Second))
	for part, n := range unsupported {
		t.Logf("%d schemas are refused: %s", n, part)
	}
}

// draw draws the schema of a seed. The text says what it is.
func draw(c *schemas.Changer, seed uint64) (d *schemas.Drawn, text string) {
	if seed%2 == 1 {
		return c.Draw(seed)
	}
	d, _ = schemas.Random(seed)
	return d, d.String()
}

// disagrees reports whether a schema is one that a language does not agree on.
func disagrees(t *testing.T, language string, d *schemas.Drawn, seed uint64) bool {
	if d.Err != nil {
		return false
	}
	s, err := choose(d.Schema, seed)
	if err != nil {
		return false
	}
	results, err := languages.Compare(language, t.TempDir(), []*schema.Schema{s}, languages.Options{Values: *values, Seed: seed})
	var u *model.Unsupported
	return err == nil && results[0] != nil && !errors.As(results[0], &u)
}

// choose returns the schema for one of the choices of its option.
func choose(s *schema.Schema, seed uint64) (*schema.Schema, error) {
	choices := s.Choices()
	c, err := s.With(choices[seed%uint64(len(choices))])
	if err != nil {
		return nil, fmt.Errorf("seed %d: %w", seed, err)
	}
	return c, nil
}
