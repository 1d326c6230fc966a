// Digests of listings, for goldens that cover many plans in one line each.

package planlist

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
)

// Digests collects one line for the plans of each schema. It has their number, a digest of their listings and a text
// about their work. If Folder is set, the listings are written into a file of it for each schema, so that those of two
// versions can be compared.
type Digests struct {
	List
	Folder string

	out strings.Builder
}

// Add adds the line of a schema.
func (d *Digests) Add(name string, plans []any, work string) error {
	var all strings.Builder
	d.List = List{Stop: d.Stop, Skip: d.Skip}
	for _, plan := range plans {
		fmt.Fprintf(&all, "plan%s", d.Of(plan))
	}
	sum := fnv.New64a()
	sum.Write([]byte(all.String()))
	fmt.Fprintf(&d.out, "%s: %d plans, %016x, %s\n", name, len(plans), sum.Sum64(), work)
	if d.Folder == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(d.Folder, name+".txt"), []byte(all.String()), 0o644)
}

// String returns the lines.
func (d *Digests) String() string { return d.out.String() }
