package schema

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/spec"
)

// word matches what a mutation exchanges for another: names, numbers, operators.
var word = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]*|[0-9]+|[-+*/<>=!&|]+|[{}()\[\]]`)

// mutate changes a schema as a slip of the hand does: a word or a line is lost,
// doubled, or exchanged for another of the file. Most results still parse.
func mutate(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 1 + r.IntN(2) {
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		switch r.IntN(8) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += lines[i]
		case 2:
			lines[i] += lines[j]
		case 3:
			lines[i], lines[j] = lines[j], lines[i]
		default:
			a, b := word.FindAllStringIndex(lines[i], -1), word.FindAllString(lines[j], -1)
			if len(a) == 0 || len(b) == 0 {
				continue
			}
			at, other := a[r.IntN(len(a))], b[r.IntN(len(b))]
			switch r.IntN(6) {
			case 0:
				other = []string{"0", "1", "4", "8", "255", "4294967296", "18446744073709551615", "99999999999999999999"}[r.IntN(8)]
			case 1:
				other = []string{"u8", "f32", "i64", "bool32", "code4", "utf8", "real", "Variant", "rest", "count", "size", "len"}[r.IntN(12)]
			}
			lines[i] = lines[i][:at[0]] + other + lines[i][at[1]:]
		}
	}
	return strings.Join(lines, "")
}

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
			t.Fatalf("the error is no Diagnostics: %#v\n%s", err, text)
		}
		for _, d := range ds {
			checkDiagnostic(t, d)
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
	f, err := dsl.Parse("mutated.oct", []byte(text))
	if err != nil {
		return false, false
	}
	if _, err = Resolve(f, beside); err != nil {
		check(err)
	}
	return true, err == nil
}

// TestMutated damages every schema and every case of an error. OCTABLE_LONG=1 asks
// for many more changes, by chance.
func TestMutated(t *testing.T) {
	texts := map[string]string{}
	for _, id := range spec.IDs() {
		_, text, _ := spec.Source(id)
		texts[id] = string(text)
	}
	names, _ := filepath.Glob("testdata/errors/*.oct")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	r, rounds := rand.New(rand.NewPCG(5, 6)), 1
	end := time.Now().Add(time.Hour)
	if os.Getenv("OCTABLE_LONG") == "1" {
		r, rounds, end = rand.New(rand.NewPCG(rand.Uint64(), 0)), 1<<30, time.Now().Add(2*time.Minute)
	}
	order := slices.Sorted(maps.Keys(texts))
	all, parsed, resolved := 0, 0, 0
	for round := 0; round < rounds; round++ {
		for _, name := range order {
			if time.Now().After(end) {
				rounds = 0
				break
			}
			text := texts[name]
			p, c := survey(t, mutate(r, text))
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
