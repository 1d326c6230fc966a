package reference_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const project = "github.com/octable/octable/"

// allowed are the packages of the project that the reference may import, with the
// identifiers that it may name. Of package schema it names types, fields and constants
// only: a function or a method may be one that the compiler uses.
var allowed = map[string][]string{
	"dsl/builtin": {"Scalar", "End", "Width", "Signed", "IsFloat", "Lo", "Hi", "Varies", "Base", "Digits", "Fill", "Kind", "Side"},
	"dsl/schema":  {},
	"interp": {
		"Error", "Kind", "Offset", "Expected",
		"ErrTruncated", "ErrType", "ErrText", "ErrValue", "ErrClosed", "ErrDepth", "ErrLimit", "ErrTrailing", "ErrChecksum", "ErrMismatch", "ErrRange",
		"None", "Unit", "Bool", "Int", "Uint", "Float", "Text", "Lanes", "Packed", "List", "Map", "Record",
		"Value", "Tag", "WithTag", "IsNone", "Wide", "WithWide", "Scalar", "Len", "Width", "Bytes", "LaneBits", "Cells", "At",
		"MakeUnit", "MakeBool", "MakeInt", "MakeUint", "MakeFloat", "MakeText", "MakeLanes", "MakePacked", "MakeList", "MakeMap", "MakeRecord",
	},
}

// exportData returns a function that opens the compiler's export data of a package that the reference imports.
func exportData(t *testing.T) importer.Lookup {
	t.Helper()
	list, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(list)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

// TestIndependence checks that the reference is independent of the compiler and the
// interpreter. It shares only the values, the kinds of error and the tree with them.
func TestIndependence(t *testing.T) {
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if len(files) < 5 {
		t.Fatalf("%d files", len(files))
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "gc", exportData(t))}).Check(project+"interp/reference", fset, files, &info)
	if err != nil {
		t.Fatal(err)
	}
	for _, imported := range pkg.Imports() {
		if name, of := strings.CutPrefix(imported.Path(), project); of && allowed[name] == nil {
			t.Errorf("the reference imports %s", name)
		}
	}
	seen := map[string]bool{}
	for id, obj := range info.Uses {
		if obj.Pkg() == nil {
			continue
		}
		name, of := strings.CutPrefix(obj.Pkg().Path(), project)
		if !of || obj.Pkg() == pkg {
			continue
		}
		seen[name+"."+id.Name] = true
		_, function := obj.(*types.Func)
		_, variable := obj.(*types.Var)
		if (function || name == "interp" || variable && name == "dsl/builtin") && !slices.Contains(allowed[name], id.Name) {
			t.Errorf("%s: the reference names %s of package %s", fset.Position(id.Pos()), id.Name, name)
		}
	}
	for name, list := range allowed {
		for _, id := range list {
			if !seen[name+"."+id] {
				t.Errorf("the reference does not name %s of package %s any more; take it off the list", id, name)
			}
		}
	}
}
