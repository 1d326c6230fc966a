// Mutant schemata: one program with all mistakes, of which some are switched on, up to one in each function.

package main

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

// schemata are the files of a module with all mistakes in them.
type schemata struct {
	files     map[string]string // by path
	functions int               // that have mistakes
	of        []int             // the number of the function that has a mistake, as in package active
}

// newSchemata plants all mistakes in the files of a module. Each function with mistakes becomes one
// that calls the original or, if a mistake in it is switched on, a copy with that mistake. So the build
// of one program is enough for all of them.
func newSchemata(root string, mistakes []Mistake) (*schemata, error) {
	files := map[string][]int{} // numbers of mistakes
	for i, m := range mistakes {
		files[m.File] = append(files[m.File], i)
	}
	out := &schemata{map[string]string{}, 0, make([]int, len(mistakes))}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		f := &source{name: name, text: string(text), to: out}
		if out.files[name], err = f.plant(mistakes, files[name]); err != nil {
			errs = append(errs, err)
			continue
		}
		out.files[path.Join(path.Dir(name), "planted_switch.go")] = fmt.Sprintf("package %s\n\nimport \"github.com/octable/octable/fuzz/planted/active\"\n\nvar plantedAt = &active.At\n", f.tree.Name.Name)
	}
	return out, errors.Join(errs...)
}

// source is a file with mistakes.
type source struct {
	name, text string
	to         *schemata
	tree       *ast.File
	set        *token.FileSet
}

// plant returns the text with the mistakes of a list.
func (f *source) plant(mistakes []Mistake, list []int) (string, error) {
	f.set = token.NewFileSet()
	var err error
	if f.tree, err = parser.ParseFile(f.set, f.name, f.text, parser.ParseComments); err != nil {
		return "", err
	}
	functions := map[*ast.FuncDecl][]int{}
	var errs []error
	for _, i := range list {
		fn, err := f.function(&mistakes[i])
		errs = append(errs, err)
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
		number := f.to.functions
		f.to.functions++
		for _, i := range functions[fn] {
			f.to.of[i] = number
		}
		out += f.text[from:begin] + f.dispatcher(fn, number, functions[fn])
		for _, i := range append([]int{-1}, functions[fn]...) {
			text := f.text[begin:f.at(fn.Name.Pos())] + copyName(fn, i) + f.text[f.at(fn.Name.End()):end]
			if i >= 0 {
				text = strings.Replace(text, mistakes[i].Old, mistakes[i].New, 1)
			}
			out += "\n\n" + text
		}
		from = end
	}
	return out + f.text[from:], nil
}

func (f *source) at(p token.Pos) int { return f.set.Position(p).Offset }

// function returns the function whose body has a mistake.
func (f *source) function(m *Mistake) (*ast.FuncDecl, error) {
	if _, err := m.Patch(f.text); err != nil {
		return nil, err
	}
	at := strings.Index(f.text, m.Old)
	for _, d := range f.tree.Decls {
		if fn, is := d.(*ast.FuncDecl); is && fn.Body != nil && f.at(fn.Body.Pos()) <= at && at+len(m.Old) <= f.at(fn.Body.End()) {
			return fn, nil
		}
	}
	return nil, fmt.Errorf("%s: the old text is not in the body of one function of %s", m.Name, m.File)
}

// copyName returns the name of the copy of a function with a mistake; -1 is the original.
func copyName(fn *ast.FuncDecl, mistake int) string {
	return fmt.Sprintf("%sPlanted%d", fn.Name.Name, mistake+1)
}

// dispatcher returns a function that calls the copy with the mistake that is switched on.
func (f *source) dispatcher(fn *ast.FuncDecl, number int, list []int) string {
	receiver, result := "", ""
	if fn.Recv != nil {
		receiver = fn.Recv.List[0].Names[0].Name + "."
	}
	var args []string
	for _, p := range fn.Type.Params.List {
		for _, n := range p.Names {
			arg := n.Name
			if _, variadic := p.Type.(*ast.Ellipsis); variadic {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	if fn.Type.Results != nil {
		result = "return "
	}
	call := func(i int) string {
		return fmt.Sprintf("%s%s%s(%s)", result, receiver, copyName(fn, i), strings.Join(args, ", "))
	}
	out := f.text[f.at(fn.Type.Func):f.at(fn.Body.Pos())] + fmt.Sprintf("{\n\tswitch plantedAt[%d] {\n", number)
	for _, i := range slices.Sorted(slices.Values(list)) {
		out += fmt.Sprintf("\tcase %d:\n\t\t%s\n", i+1, call(i))
		if result == "" {
			out += "\t\treturn\n"
		}
	}
	return out + "\t}\n\t" + call(-1) + "\n}"
}
