package codec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

const mostNames = 80

// TestConcurrency asks that the documentation says of each type that is not an error how goroutines may share it.
func TestConcurrency(t *testing.T) {
	for _, dir := range []string{".", "godot"} {
		doc, types := "", []string{}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			doc += f.Doc.Text()
			for _, d := range f.Decls {
				if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
					s := d.Specs[0].(*ast.TypeSpec)
					if st, ok := s.Type.(*ast.StructType); ok && s.Name.IsExported() && !strings.HasSuffix(s.Name.Name, "Error") && hidden(st) {
						types = append(types, s.Name.Name)
					}
				}
			}
		}
		_, section, _ := strings.Cut(doc, "# Concurrency")
		section, _, _ = strings.Cut(section, "\n# ")
		if len(types) == 0 {
			t.Errorf("%s has no types", dir)
		}
		for _, name := range types {
			if !strings.Contains(section, "["+name+"]") {
				t.Errorf("section Concurrency of %s does not name %s", dir, name)
			}
		}
	}
}

// hidden reports whether a struct has fields that are not exported.
func hidden(s *ast.StructType) bool {
	for _, f := range s.Fields.List {
		if len(f.Names) > 0 && !f.Names[0].IsExported() {
			return true
		}
	}
	return false
}

// TestAPI counts the exported names at the top level of the package. It also looks for packages of
// the interpreter in signatures. Constants, variables and functions that make types are included.
func TestAPI(t *testing.T) {
	names := 0
	fset := token.NewFileSet()
	internal := func(name string, n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && (x.Name == "interp" || x.Name == "bytecode" || x.Name == "notation" || x.Name == "variant") {
					t.Errorf("%s has %s.%s in its signature", name, x.Name, s.Sel)
				}
			}
			return true
		})
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(f) // removes unexported names, fields and methods included
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names++
				} else if !exported(d.Recv.List[0].Type) {
					break
				}
				internal(d.Name.Name, d.Type)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						names++
						internal(s.Name.Name, s.Type)
					case *ast.ValueSpec:
						names += len(s.Names)
						internal(s.Names[0].Name, s)
					}
				}
			}
		}
	}
	if names > mostNames {
		t.Errorf("%d names, want at most %d", names, mostNames)
	}
	t.Log(names, "names")
}

// exported reports whether a receiver has an exported type.
func exported(t ast.Expr) bool {
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	id, ok := t.(*ast.Ident)
	return ok && id.IsExported()
}
