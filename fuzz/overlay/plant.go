// Mutant schemata: one program with all changes, of which some are switched on, up to one in each function.

package overlay

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// switchFile is the file that each changed package has beside its own.
const switchFile = "planted_switch.go"

// Edit replaces a part of the body of a function.
type Edit struct {
	File     string // from the root of the module, with slashes
	From, To int    // offsets in the file
	New      string
}

// Planted are the files of a module with all changes in them.
type Planted struct {
	Files     map[string]string // by path
	Functions int               // that have changes
	Of        []int             // the number of the function that has a change, as in package active

	root  string
	spans map[string][]span // of the copies in a file
}

// span is the part of a planted file that has the copy of a function with one change.
type span struct{ from, to, edit int }

// Plant makes all changes in the files of a module. Each function with changes becomes one
// that calls the original or, if a change in it is switched on, a copy with that change. So the build
// of one program is enough for all of them.
func Plant(root string, edits []Edit) (*Planted, error) {
	files := map[string][]int{} // numbers of edits
	for i, e := range edits {
		files[e.File] = append(files[e.File], i)
	}
	out := &Planted{map[string]string{}, 0, make([]int, len(edits)), root, map[string][]span{}}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		f := &source{name: name, text: string(text), to: out}
		if out.Files[name], err = f.plant(edits, files[name]); err != nil {
			errs = append(errs, err)
			continue
		}
		out.Files[path.Join(path.Dir(name), switchFile)] = fmt.Sprintf("package %s\n\nimport \"github.com/octable/octable/fuzz/overlay/active\"\n\nvar plantedAt = &active.At\n", f.tree.Name.Name)
	}
	return out, errors.Join(errs...)
}

// source is a file with changes.
type source struct {
	name, text string
	to         *Planted
	tree       *ast.File
	set        *token.FileSet
}

// plant returns the text with the edits of a list.
func (f *source) plant(edits []Edit, list []int) (string, error) {
	f.set = token.NewFileSet()
	var err error
	if f.tree, err = parser.ParseFile(f.set, f.name, f.text, parser.ParseComments); err != nil {
		return "", err
	}
	functions := map[*ast.FuncDecl][]int{}
	var errs []error
	for _, i := range list {
		fn := f.function(&edits[i])
		if fn == nil {
			errs = append(errs, fmt.Errorf("%s: bytes %d to %d are not in the body of one function", f.name, edits[i].From, edits[i].To))
		}
		functions[fn] = append(functions[fn], i)
	}
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	out, from := "", 0
	for _, d := range f.tree.Decls {
		fn, is := d.(*ast.FuncDecl)
		if !is || functions[fn] == nil {
			continue
		}
		begin, end := f.at(fn.Type.Func), f.at(fn.End())
		number := f.to.Functions
		f.to.Functions++
		for _, i := range functions[fn] {
			f.to.Of[i] = number
		}
		out += f.text[from:begin] + f.dispatcher(fn, number, functions[fn])
		name, after := f.at(fn.Name.Pos()), f.at(fn.Name.End())
		for _, i := range append([]int{-1}, functions[fn]...) {
			text := f.text[after:end]
			if i >= 0 {
				text = f.text[after:edits[i].From] + edits[i].New + f.text[edits[i].To:end]
			}
			at := len(out)
			out += "\n\n" + f.text[begin:name] + copyName(fn, i) + text
			if i >= 0 {
				f.to.spans[f.name] = append(f.to.spans[f.name], span{at, len(out), i})
			}
		}
		from = end
	}
	return out + f.text[from:], nil
}

func (f *source) at(p token.Pos) int { return f.set.Position(p).Offset }

func (f *source) textOf(n ast.Node) string { return f.text[f.at(n.Pos()):f.at(n.End())] }

// function returns the function whose body has an edit, or nil.
func (f *source) function(e *Edit) *ast.FuncDecl {
	for _, d := range f.tree.Decls {
		if fn, is := d.(*ast.FuncDecl); is && fn.Body != nil && f.at(fn.Body.Pos()) <= e.From && e.From <= e.To && e.To <= f.at(fn.Body.End()) {
			return fn
		}
	}
	return nil
}

// copyName returns the name of the copy of a function with a change; -1 is the original.
func copyName(fn *ast.FuncDecl, change int) string {
	return fmt.Sprintf("%sPlanted%d", fn.Name.Name, change+1)
}

// named returns a list of parameters or a receiver with a name for each, and the names.
func (f *source) named(list *ast.FieldList, prefix string) (text string, names []string) {
	var fields []string
	for _, p := range list.List {
		of := p.Names
		if len(of) == 0 {
			of = []*ast.Ident{{Name: "_"}}
		}
		for _, n := range of {
			name := n.Name
			if name == "_" {
				name = fmt.Sprintf("%s%d", prefix, len(fields))
			}
			fields = append(fields, name+" "+f.textOf(p.Type))
			if _, variadic := p.Type.(*ast.Ellipsis); variadic {
				name += "..."
			}
			names = append(names, name)
		}
	}
	return "(" + strings.Join(fields, ", ") + ")", names
}

// dispatcher returns a function that calls the copy with the change that is switched on.
func (f *source) dispatcher(fn *ast.FuncDecl, number int, list []int) string {
	head, receiver, generic := "func ", "", ""
	if fn.Recv != nil {
		text, names := f.named(fn.Recv, "plantedReceiver")
		head, receiver = head+text+" ", names[0]+"."
	}
	head += fn.Name.Name
	if t := fn.Type.TypeParams; t != nil {
		head += f.textOf(t)
		var names []string
		for _, p := range t.List {
			for _, n := range p.Names {
				names = append(names, n.Name)
			}
		}
		generic = "[" + strings.Join(names, ", ") + "]"
	}
	params, args := f.named(fn.Type.Params, "plantedArgument")
	head += params
	result := ""
	if fn.Type.Results != nil {
		head += " " + f.textOf(fn.Type.Results)
		result = "return "
	}
	call := func(i int) string {
		return fmt.Sprintf("%s%s%s%s(%s)", result, receiver, copyName(fn, i), generic, strings.Join(args, ", "))
	}
	out := head + fmt.Sprintf(" {\n\tswitch plantedAt[%d] {\n", number)
	for _, i := range slices.Sorted(slices.Values(list)) {
		out += fmt.Sprintf("\tcase %d:\n\t\t%s\n", i+1, call(i))
		if result == "" {
			out += "\t\treturn\n"
		}
	}
	return out + "\t}\n\t" + call(-1) + "\n}"
}
