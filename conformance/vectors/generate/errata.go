// The mistakes of documents that cases are about.

package generate

import (
	"fmt"
	"path"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// Errata are the flags of rows at which the schema notes a mistake of the documents,
// by file and line. Nil has none.
type Errata map[string]map[string]vectors.Flag

// ErrataOf returns those of a schema.
func ErrataOf(s *schema.Schema) Errata {
	flags := map[string]vectors.Flag{}
	for _, e := range s.Errata {
		where := e.In.String()
		if where != "" {
			where = " (" + where + ")"
		}
		flags[e.Name.Text] = vectors.Flag{Class: "mistake of a document", Why: "The document" + where + " says: " + e.Says.String(),
			Effect: "Engines: " + e.Engine.String(), Errata: []string{e.Name.Text}}
	}
	out := Errata{}
	add := func(pos dsl.Pos, name string) {
		f, ok := flags[name]
		if !ok {
			return
		}
		key := lineOf(path.Base(pos.Filename), pos.Line)
		if out[key] == nil {
			out[key] = map[string]vectors.Flag{}
		}
		out[key]["document-"+name] = f
	}
	walk := func(items []*dsl.Item, pos dsl.Pos) {
		for _, it := range items {
			row := pos
			dsl.Walk(it, func(n any) bool {
				switch n := n.(type) {
				case *dsl.Row:
					row = n.Pos
				case *dsl.BitField:
					row = n.Pos
				case *dsl.Bits:
					row = n.Pos
				case *dsl.ErrRef:
					if !n.Absent {
						add(row, n.Name.Text)
					}
				}
				return true
			})
		}
	}
	for _, t := range s.Types {
		walk(t.Items, t.Pos)
	}
	for _, u := range s.Unions {
		walk(u.Items, u.Pos)
		for _, a := range u.Arms {
			walk(a.Items, a.Pos)
		}
	}
	return out
}

func lineOf(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// of returns the flags of a row.
func (e Errata) of(r *bytecode.Rule) map[string]vectors.Flag {
	return e[lineOf(path.Base(r.File), int(r.Line))]
}
