// Changes: schemas that somebody wrote, with small changes that keep them right.

package schemas

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/dsl/schema/schematest"
)

// Changer draws schemas that differ in a few rows from those that somebody wrote.
type Changer struct {
	names []string
	texts map[string]string
}

// NewChanger returns a Changer for the schemas of the project, of its tests and of its manual. It takes those that have
// a root and need no other file. It is for tests of packages beside this one.
func NewChanger(t testing.TB) *Changer {
	const root = "../../"
	c := &Changer{texts: schematest.Texts(t, root+"fuzz/languages/testdata", root+"fuzz/testdata/corners", root+"compile/gen/model/testdata", root+"compile/bytecode/testdata")}
	maps.Copy(c.texts, schematest.Blocks(t, root+"dsl/LANGUAGE.md"))
	for _, name := range slices.Sorted(maps.Keys(c.texts)) {
		if Resolve([]File{{changedID, c.texts[name]}}).Err == nil {
			c.names = append(c.names, name)
		}
	}
	return c
}

// changedID is the id that the file of a changed schema has.
const changedID = "changed"

// Draw draws a schema from a seed. It tries a few changes of one schema, and keeps those whose results resolve. It also
// returns the name of the schema and the lines that are other ones.
func (c *Changer) Draw(seed uint64) (d *Drawn, changes string) {
	r := rand.New(rand.NewPCG(seed, 9))
	for {
		name := c.names[r.IntN(len(c.names))]
		d = Resolve([]File{{changedID, c.texts[name]}})
		for range 4 + r.IntN(8) {
			next := Resolve([]File{{changedID, schematest.Vary(r, d.Files[0].Text)}})
			if next.Err == nil {
				d = next
			}
		}
		if changes := otherLines(c.texts[name], d.Files[0].Text); changes != "" {
			return d, name + "\n" + changes
		}
	}
}

// otherLines returns the lines of a text that another one does not have, with their numbers.
func otherLines(before, text string) string {
	known := map[string]bool{}
	for line := range strings.Lines(before) {
		known[line] = true
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		if n++; !known[line] {
			fmt.Fprintf(&b, "%d: %s", n, line)
		}
	}
	return b.String()
}
