// The files of typed packages.

package golang

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
)

// typedFiles returns the file of the schema and the runtime. There is nothing in them that the
// schema does not need.
func (g *generator) typedFiles() ([]model.File, error) {
	g.nameTyped()
	g.on["widths"] = false
	routines := tidied(body(g.readers()) + g.shown(body(g.writers())))
	own := g.doc() + g.typedTypes() + routines + g.boxes() + g.typedKeys()
	var shared strings.Builder
	for _, part := range []struct {
		name string
		when bool
	}{{"typed", true}, {"decode", true}, {"encode", true}, {"number", true}, {"error", true}, {"text", g.on["text"]}, {"sums", g.on["sums"]}, {"parts", g.on["parts"]}} {
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
	for i, name := range []string{fileName(g.o.Package), "runtime"} {
		out, err := g.finish(texts[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files = append(files, model.File{Name: name + ".go", Text: out})
	}
	return files, nil
}

// fileName returns the name of the file with the types of a package. It has no underscore: go build leaves out files such
// as format_linux.go on other systems, and those that end in _test.go. It is not that of the file beside it.
func fileName(name string) string {
	if name = strings.ReplaceAll(name, "_", ""); name == "runtime" {
		return "format"
	}
	return name
}

// tidied returns functions without statements that Go writes shorter.
func tidied(text string) string {
	text = lastCall.ReplaceAllString(text, "return $1\n}\n\n")
	return firstSet.ReplaceAllStringFunc(text, func(s string) string {
		m := firstSet.FindStringSubmatch(s)
		if m[1] != m[2] {
			return s
		}
		return "var " + m[1] + " int64 = "
	})
}

// lastCall matches the end of a function that returns the result of a call. firstSet matches the declaration of a
// register and the statement that sets it next.
var (
	lastCall = regexp.MustCompile(`if !([rw]\.\w+\([^\n{]*\)) \{\nreturn false\n\}\nreturn true\n\}\n\n`)
	firstSet = regexp.MustCompile(`var (r\d+) int64\n(r\d+) = `)
)

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
	of             string // the type of the receiver of a method
	root           bool   // it is needed in any case
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
	kept := needed(all)
	out := slices.Clone(texts)
	for _, d := range slices.Backward(all) {
		if !kept[d] {
			text := out[d.file]
			out[d.file] = text[:d.from] + strings.TrimLeft(text[d.to:], "\n")
		}
	}
	return out, nil
}

// needed returns the declarations that exported functions need. A method is needed if its type
// is, and it is exported, marks an arm of a union, or some declaration uses its name.
func needed(all []*declaration) map[*declaration]bool {
	kept, used := map[*declaration]bool{}, map[string]bool{}
	for more := true; more; {
		more = false
		for _, d := range all {
			wanted := d.root || slices.ContainsFunc(d.names, func(n string) bool { return used[n] || used[ifUsed[n]] })
			if kept[d] || !wanted || d.of != "" && !used[d.of] {
				continue
			}
			kept[d], more = true, true
			for _, n := range d.uses {
				used[n] = true
			}
			for _, n := range d.names {
				used[n] = used[n] || d.of == "" // a type that nothing else uses, and its methods
			}
		}
	}
	return kept
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

// ifUsed holds exported names that are left out if the schema does not use a type.
var ifUsed = map[string]string{"Pair": "Pair", "Code": "Code", "CodeOf": "Code", "Integer": "Integer"}

// declarationOf returns the names that a declaration has and those that it uses.
func declarationOf(d ast.Decl) *declaration {
	out := &declaration{}
	declare := func(n *ast.Ident) {
		out.names = append(out.names, n.Name)
		out.root = out.root || n.IsExported() && ifUsed[n.Name] == ""
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		declare(d.Name)
		if d.Recv != nil {
			out.of = receiver(d.Recv.List[0].Type)
			out.root = out.root || strings.HasPrefix(d.Name.Name, "is") && len(d.Body.List) == 0
		}
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
	own := map[*ast.Ident]bool{}
	if f, ok := d.(*ast.FuncDecl); ok {
		own[f.Name] = true
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !own[id] {
			out.uses = append(out.uses, id.Name)
		}
		return true
	})
	return out
}
