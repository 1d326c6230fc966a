// The mistakes of documents that cases are about.

package generate

import (
	"fmt"
	"path"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
)

// Errata are the flags of rows at which the schema notes a mistake of the documents,
// by file and line. Nil has none.
type Errata map[string]map[string]vectors.Flag

// ErrataOf returns those of a schema and its page.
func ErrataOf(p *page.Page) Errata {
	flags := map[string]vectors.Flag{}
	for _, e := range p.Errata {
		document := "The document"
		if e.In != "" {
			document += " (" + e.In + ")"
		}
		flags[e.Name] = vectors.Flag{Class: "mistake of a document", Why: document + " says: " + e.Says, Effect: "Engines: " + e.Engine, Errata: []string{e.Name}}
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
	for _, b := range p.Schema.Bodies() {
		p.EachMark(&b, func(m *page.Mark, at schema.Node) {
			pos := b.Pos
			switch at := at.(type) {
			case *schema.Row:
				pos = at.Pos
			case *schema.Bit:
				pos = at.Pos
			case *schema.List:
				pos = at.Pos
			}
			if !m.Absent {
				add(pos, m.Name)
			}
		})
	}
	return out
}

func lineOf(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// of returns the flags of a row.
func (e Errata) of(r *bytecode.Rule) map[string]vectors.Flag {
	return e[lineOf(path.Base(r.File), int(r.Line))]
}
