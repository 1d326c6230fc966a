// The files of packages whose values have types of their own.

package golang

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
)

// typedFiles returns the file of the schema and the runtime, in which there is nothing that the
// schema does not need.
func (g *generator) typedFiles() ([]model.File, error) {
	g.nameTyped()
	g.on["widths"] = false
	own := g.doc() + g.typedTypes() + body(g.readers()) + body(g.writers()) + g.typedKeys()
	var shared strings.Builder
	for _, part := range []struct {
		name string
		when bool
	}{{"typed", true}, {"decode", true}, {"encode", true}, {"number", true}, {"error", true}, {"text", g.on["text"]}, {"sums", g.on["sums"]}} {
		if !part.when {
			continue
		}
		b, err := runtime.ReadFile("runtime/" + part.name + ".go.txt")
		if err != nil {
			return nil, err
		}
		text := g.section(string(b))
		if shared.Len() > 0 {
			text = body(text)
		}
		shared.WriteString(text)
	}
	texts, err := pruned(own, copied(shared.String()))
	if err != nil {
		return nil, err
	}
	var files []model.File
	for i, name := range []string{g.o.Package, "runtime"} {
		out, err := g.finish(texts[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files = append(files, model.File{Name: name + ".go", Text: out})
	}
	return files, nil
}

// body returns what follows the package clause and the imports of a file.
func body(text string) string {
	text = text[strings.Index("\n"+text, "\npackage "):]
	text = text[strings.IndexByte(text, '\n'):]
	if i := strings.Index(text, "\nimport ("); i >= 0 {
		return text[i+strings.Index(text[i:], "\n)\n")+2:]
	}
	if i := strings.Index(text, "\nimport \""); i >= 0 {
		return text[i+1+strings.IndexByte(text[i+1:], '\n'):]
	}
	return text
}

// declaration is a declaration of a file.
type declaration struct {
	file, from, to int
	names          []string
	uses           []string
	root           bool // it is needed in any case
}

// pruned returns the texts of files without declarations that exported functions do not need.
func pruned(texts ...string) ([]string, error) {
	var all []*declaration
	for i, text := range texts {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "", text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, text)
		}
		for _, d := range file.Decls {
			decl := declarationOf(d)
			decl.file = i
			decl.from, decl.to = set.Position(decl.begin(d)).Offset, set.Position(d.End()).Offset
			all = append(all, decl)
		}
	}
	by := map[string][]*declaration{}
	for _, d := range all {
		for _, n := range d.names {
			by[n] = append(by[n], d)
		}
	}
	kept := map[*declaration]bool{}
	var keep func(d *declaration)
	keep = func(d *declaration) {
		if kept[d] {
			return
		}
		kept[d] = true
		for _, n := range d.uses {
			for _, other := range by[n] {
				keep(other)
			}
		}
	}
	for _, d := range all {
		if d.root {
			keep(d)
		}
	}
	out := slices.Clone(texts)
	for _, d := range slices.Backward(all) {
		if !kept[d] {
			text := out[d.file]
			out[d.file] = text[:d.from] + strings.TrimLeft(text[d.to:], "\n")
		}
	}
	return out, nil
}

// begin returns where a declaration with its comment begins.
func (*declaration) begin(d ast.Decl) token.Pos {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	}
	return d.Pos()
}

// ifUsed are exported names that are left out if the schema does not use them.
var ifUsed = []string{"Pair", "Code", "CodeOf", "Integer"}

// declarationOf returns the names that a declaration has and those that it uses. A method has its
// own name, so that it is needed if any method of this name is.
func declarationOf(d ast.Decl) *declaration {
	out := &declaration{}
	declare := func(n *ast.Ident) {
		out.names = append(out.names, n.Name)
		out.root = out.root || n.IsExported() && !slices.Contains(ifUsed, n.Name)
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		declare(d.Name)
		if d.Recv != nil && d.Name.IsExported() {
			if of := receiver(d.Recv.List[0].Type); !ast.IsExported(of) || slices.Contains(ifUsed, of) {
				out.root, out.names = false, []string{of}
			}
		}
		out.root = out.root || d.Recv != nil && strings.HasPrefix(d.Name.Name, "is") && d.Body != nil && len(d.Body.List) == 0
	case *ast.GenDecl:
		out.root = d.Tok == token.IMPORT
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				declare(spec.Name)
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					declare(n)
				}
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			out.uses = append(out.uses, id.Name)
		}
		return true
	})
	return out
}
