// Mutant schemata: one program with all mistakes, of which one is switched on.

package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// variable is the environment variable that has the number of the mistake in a built
// program, from 1. Without it there is none.
const variable = "OCTABLE_PLANTED"

// schemata returns the files of a module with all mistakes in them, by path. Each function
// with mistakes becomes one that calls the original or, if a mistake in it is switched on,
// a copy with that mistake. So the build of one program is enough for all of them.
func schemata(root string, mistakes []Mistake) (map[string]string, error) {
	files := map[string][]int{} // numbers of mistakes
	for i, m := range mistakes {
		files[m.File] = append(files[m.File], i)
	}
	out := map[string]string{}
	var errs []error
	for name, list := range files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		f := &source{name: name, text: string(text)}
		if out[name], err = f.plant(mistakes, list); err != nil {
			errs = append(errs, err)
			continue
		}
		out[path.Join(path.Dir(name), "planted_switch.go")] = fmt.Sprintf(`package %s

import (
	"os"
	"strconv"
)

var plantedMistake, _ = strconv.Atoi(os.Getenv(%q))
`, f.tree.Name.Name, variable)
	}
	return out, errors.Join(errs...)
}

// source is a file with mistakes.
type source struct {
	name, text string
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
		out += f.text[from:begin] + f.dispatcher(fn, functions[fn])
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
func (f *source) dispatcher(fn *ast.FuncDecl, list []int) string {
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
	out := f.text[f.at(fn.Type.Func):f.at(fn.Body.Pos())] + "{\n\tswitch plantedMistake {\n"
	for _, i := range slices.Sorted(slices.Values(list)) {
		out += fmt.Sprintf("\tcase %d:\n\t\t%s\n", i+1, call(i))
		if result == "" {
			out += "\t\treturn\n"
		}
	}
	return out + "\t}\n\t" + call(-1) + "\n}"
}
