// Package schematest makes texts of schemas for tests: those of the project, and ones
// that are damaged at random.
package schematest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/spec"
)

// Texts returns the text of every schema of the project by id. It adds every schema
// in some folders by path.
func Texts(t testing.TB, folders ...string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, id := range spec.IDs() {
		_, text, _ := spec.Source(id)
		texts[id] = string(text)
	}
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(folder, "*.oct"))
		if err != nil || len(names) == 0 { // unreachable: the folders of tests have schemas
			t.Fatalf("%s: %d schemas, %v", folder, len(names), err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err) // unreachable: the file has been found
			}
			text, _ = Split(text)
			texts[name] = string(text)
		}
	}
	return texts
}

// Blocks returns the texts of the schemas in a page of Markdown by their numbers. They are between lines "```oct" and
// "```" or "---".
func Blocks(t testing.TB, page string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err) // unreachable: the page is in the project
	}
	texts := map[string]string{}
	for i, block := range strings.Split(string(text), "\n```oct\n")[1:] {
		block, _, _ = strings.Cut(block, "\n```")
		block, _, _ = strings.Cut(block, "\n---\n")
		texts[fmt.Sprintf("%s %03d", page, i)] = block + "\n"
	}
	return texts
}

// word matches a name, a number, an operator or a bracket.
var word = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]*|[0-9]+|[-+*/<>=!&|]+|[{}()\[\]]`)

// Mutate changes a schema as a slip of the hand does. A word or a line is lost, doubled, or exchanged for another of the
// file. Most results still parse.
func Mutate(r *rand.Rand, text string) string {
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
