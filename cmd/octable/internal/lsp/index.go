// Names of a file, with the syntax of their declarations.

package lsp

import (
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// site is a place in a file.
type site struct {
	file string
	at   int // offset in bytes
	len  int
}

func siteOf(pos dsl.Pos, name string) site { return site{pos.Filename, pos.Offset, len(name)} }

// index holds the names of a file, which is the last of a lineage.
type index struct {
	*schema.Index
	files []*dsl.File
}

// index returns the names of a file of a lineage.
func (s *snapshot) index(name string, files []*dsl.File) *index {
	return &index{schema.NewIndex(files[len(files)-1], s.loader(name)), files}
}

// at returns the name at an offset, which may be just behind it, or nil.
func (x *index) at(offset int) *schema.Name {
	var found *schema.Name
	for i := range x.Names {
		if n := &x.Names[i]; n.Pos.Offset <= offset && offset <= n.Pos.Offset+len(n.Text) {
			found = n
		}
	}
	return found
}

// find returns the declaration in force of a name of one of some sorts, or nil.
func (x *index) find(name string, sorts ...schema.Sort) *schema.Declaration {
	for _, d := range x.Declared {
		if d.Name == name && slices.Contains(sorts, d.Sort) {
			return d
		}
	}
	return nil
}

// arms returns the arms of a union.
func (x *index) arms(union string) []*schema.Declaration {
	var out []*schema.Declaration
	for _, d := range x.Declared {
		if d.Sort == schema.ArmName && d.Owner == union {
			out = append(out, d)
		}
	}
	return out
}

// syntax returns the node of the newest declaration of a name, and the comment before
// it. If a replacement has no comment, it is that of the declaration before.
func (x *index) syntax(d *schema.Declaration) (node any, doc []string) {
	node, doc = x.declaring(d.Body)
	switch d.Sort {
	case schema.GateName, schema.AxisName, schema.ChoiceName, schema.ArgumentName, schema.FieldName, schema.LetterName:
		return node, nil // they are part of a declaration
	}
	for i := len(d.At) - 1; i >= 0 && len(doc) == 0; i-- {
		_, doc = x.declaring(d.At[i])
	}
	return node, doc
}

// declaring returns the node that declares the name at a place, and the comment before
// its declaration.
func (x *index) declaring(at dsl.Pos) (found any, doc []string) {
	for _, f := range x.files {
		if f.Name != at.Filename {
			continue
		}
		for _, d := range f.Decls {
			if at.Offset < d.Pos.Offset || at.Offset >= d.EndPos.Offset {
				continue
			}
			var path []any
			dsl.Walk(d, func(node any) bool {
				n, ok := node.(*dsl.Name)
				switch {
				case ok && n.Pos.Offset == at.Offset && found == nil:
					found = nameOf(path, n)
				case !ok:
					path = append(path, node)
				}
				return true
			})
			return found, d.Doc
		}
	}
	return nil, nil
}

// nameOf returns the last of some nodes that has a name as its own, or the name itself.
func nameOf(path []any, n *dsl.Name) any {
	for _, node := range slices.Backward(path) {
		var own *dsl.Name
		switch node := node.(type) {
		case *dsl.Row:
			own = node.Name
		case *dsl.BitField:
			own = node.Name
		case *dsl.Bits:
			own = node.Name
		case *dsl.Repeat:
			own = node.Name
		case *dsl.Let:
			own = node.Name
		case *dsl.Type:
			own = node.Name
		case *dsl.Union:
			own = node.Name
		case *dsl.Arm:
			own = node.Name
		case *dsl.Const:
			own = node.Name
		case *dsl.Encoding:
			own = node.Name
		case *dsl.Gate:
			own = node.Name
		case *dsl.Axis:
			own = node.Name
		case *dsl.Choice:
			own = node.Name
		case *dsl.Erratum:
			own = node.Name
		}
		if own == n {
			return node
		}
	}
	return n
}

// documentation returns a comment before a declaration, in Markdown.
func documentation(doc []string) string {
	var words []string
	for _, l := range doc {
		words = append(words, strings.Fields(strings.TrimPrefix(l, "///"))...)
	}
	return markdown(strings.Join(words, " "))
}

// says returns the statement that an erratum is about, in Markdown, or "".
func (x *index) says(d *schema.Declaration) string {
	node, _ := x.syntax(d)
	if e, ok := node.(*dsl.Erratum); ok {
		return markdown(e.Says.String())
	}
	return ""
}
