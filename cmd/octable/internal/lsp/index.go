// Names of a file, with the syntax of their declarations.

package lsp

import (
	"maps"
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
	files    []*dsl.File
	imported []*dsl.File // what these files import, with the lineage and the imports of that
}

// index returns the names of a file of a lineage. It is computed once for each version
// of the files.
func (s *snapshot) index(name string, files []*dsl.File) *index {
	f, cache := files[len(files)-1], s.parser
	cache.mu.Lock()
	known := cache.files[f.Name].index
	cache.mu.Unlock()
	imported := s.imported(name, files)
	if known != nil && slices.Equal(known.files, files) && slices.Equal(known.imported, imported) {
		return known
	}
	x := &index{schema.NewIndex(f, s.loader(name)), files, imported}
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if p := cache.files[f.Name]; p.file == f {
		p.index = x
		cache.files[f.Name] = p
	}
	return x
}

// file returns the file whose names the index holds.
func (x *index) file() *dsl.File { return x.files[len(x.files)-1] }

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

// declared returns the type, the union or the arm that a path names, or nil.
func (x *index) declared(path string) *schema.Declaration {
	union, arm, ok := strings.Cut(path, ".")
	if !ok {
		return x.find(union, schema.TypeName, schema.UnionName)
	}
	for _, a := range x.arms(union) {
		if a.Name == arm {
			return a
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

// count returns the number of arms of a union, which may be one of an import.
func (x *index) count(union *schema.Declaration) int {
	n := 0
	for _, list := range append(slices.Collect(maps.Values(x.Imported)), x.Declared) {
		if !slices.Contains(list, union) {
			continue
		}
		for _, d := range list {
			if d.Sort == schema.ArmName && d.Owner == union.Name {
				n++
			}
		}
		break
	}
	return n
}

// syntax returns the node of the newest declaration of a name, and the comment before
// it. If a replacement has no comment, it is that of the declaration before.
func (x *index) syntax(d *schema.Declaration) (node any, doc []string) {
	node, doc = x.declaring(d.Body)
	switch d.Sort {
	case schema.GateName, schema.OptionName, schema.ChoiceName, schema.ArgumentName, schema.FieldName, schema.LetterName, schema.ExampleName:
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
	for _, f := range slices.Concat(x.files, x.imported) {
		if f.Name != at.Filename {
			continue
		}
		for _, d := range f.Decls {
			if at.Offset < d.Pos.Offset || at.Offset >= d.EndPos.Offset {
				continue
			}
			dsl.Walk(d, func(node any) bool {
				if n := ownName(node); found == nil && n != nil && n.Pos.Offset == at.Offset {
					found = node
				}
				return found == nil
			})
			return found, d.Doc
		}
	}
	return nil, nil
}

// ownName returns the name that a node declares, or nil. A name declares itself.
func ownName(node any) *dsl.Name {
	switch node := node.(type) {
	case *dsl.Row:
		return node.Name
	case *dsl.BitField:
		return node.Name
	case *dsl.Repeat:
		return node.Name
	case *dsl.Example:
		return node.Name
	case *dsl.Import:
		return node.Name
	case *dsl.Type:
		return node.Name
	case *dsl.Union:
		return node.Name
	case *dsl.Arm:
		return node.Name
	case *dsl.Encoding:
		return node.Name
	case *dsl.Gate:
		return node.Name
	case *dsl.Option:
		return node.Name
	case *dsl.Choice:
		return node.Name
	case *dsl.Name:
		return node
	}
	return nil
}

// documentation returns a comment before a declaration, in Markdown.
func documentation(doc []string) string {
	var words []string
	for _, l := range doc {
		words = append(words, strings.Fields(strings.TrimPrefix(l, "///"))...)
	}
	return markdown(strings.Join(words, " "))
}
