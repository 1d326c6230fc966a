// Package template executes templates in the language of text/template, without methods.
//
// text/template finds methods by their names at run time, so that a linker keeps every exported method of every type
// of a program that imports it. This package parses with text/template/parse and looks up fields, elements of maps, and
// functions that are given to [New]. Executed for HTML, everything but [HTML] is escaped; attributes have to be quoted,
// and whoever fills in a link checks its scheme.
package template

import (
	"fmt"
	"html"
	"io"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
)

// Funcs are functions by the names that templates call them by. A function has one result.
type Funcs map[string]any

// HTML is a text that [Template.HTML] does not escape.
type HTML string

// Template is a set of named templates. It is safe for concurrent use once all are parsed.
type Template struct {
	trees       map[string]*parse.Tree
	funcs       Funcs
	left, right string
}

// New returns a set without templates, whose actions are between two delimiters; "" are {{ and }}. Besides funcs, templates
// call and, eq, ge and gt (of whole numbers, eq also of texts), index, len, not and printf.
func New(funcs Funcs, left, right string) *Template {
	return &Template{trees: map[string]*parse.Tree{}, funcs: funcs, left: left, right: right}
}

// Parse adds a template, and those that its text defines.
func (t *Template) Parse(name, text string) error {
	_, err := parse.New(name).Parse(text, t.left, t.right, t.trees, own, t.funcs)
	return err
}

// Text executes a template for a text that is not HTML.
func (t *Template) Text(w io.Writer, name string, data any) error {
	return t.execute(w, name, data, func(s string) string { return s })
}

// HTML executes a template for a page.
func (t *Template) HTML(w io.Writer, name string, data any) error {
	return t.execute(w, name, data, func(s string) string { return html.EscapeString(strings.ReplaceAll(s, "\x00", "\ufffd")) })
}

func (t *Template) execute(w io.Writer, name string, data any, escape func(string) string) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case failure:
			err = e.error
		default:
			panic(e)
		}
	}()
	r := run{t: t, w: w, escape: escape}
	r.call(name, reflect.ValueOf(data))
	return nil
}

// own are the functions of every template.
var own = map[string]any{
	"and":    true, // evaluated by [run.value], which stops at an operand that is false
	"eq":     func(a, b any) bool { return a == b || number(a) == number(b) && number(a) != nil },
	"ge":     func(a, b int) bool { return a >= b },
	"gt":     func(a, b int) bool { return a > b },
	"index":  index,
	"len":    func(x any) int { return reflect.ValueOf(x).Len() },
	"not":    func(x any) bool { return !truth(reflect.ValueOf(x)) },
	"printf": fmt.Sprintf,
}

// number returns a signed number of any width as an int64, or nil.
func number(x any) any {
	if v := reflect.ValueOf(x); v.CanInt() {
		return v.Int()
	}
	return nil
}

// index returns the element of a list at several indices, one after the other.
func index(x any, at ...int) any {
	v := reflect.ValueOf(x)
	for _, i := range at {
		v = v.Index(i)
	}
	return v.Interface()
}

// truth reports whether a value is not the zero value of its type, or for lists, maps and texts, not empty.
func truth(v reflect.Value) bool {
	switch v = concrete(v); v.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() > 0
	case reflect.Struct:
		return true
	}
	return !v.IsZero()
}

// concrete returns the value in an interface.
func concrete(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// failure ends an execution.
type failure struct{ error }

// variable is a variable that is in scope.
type variable struct {
	name  string
	value reflect.Value
}

// run is one execution of a template.
type run struct {
	t      *Template
	w      io.Writer
	escape func(string) string
	tree   *parse.Tree
	vars   []variable
}

// fail ends the execution with an error about a node.
func (r *run) fail(n parse.Node, format string, args ...any) {
	place, context := r.tree.ErrorContext(n)
	panic(failure{fmt.Errorf("template: %s: %s: %s", place, context, fmt.Sprintf(format, args...))})
}

func (r *run) write(s string) {
	if _, err := io.WriteString(r.w, s); err != nil {
		panic(failure{err})
	}
}

// call executes a template, with data as $ and dot.
func (r *run) call(name string, data reflect.Value) {
	tree := r.t.trees[name]
	if tree == nil {
		panic(failure{fmt.Errorf("template: %q is not defined", name)})
	}
	inner := run{t: r.t, w: r.w, escape: r.escape, tree: tree, vars: []variable{{"$", data}}}
	inner.list(data, tree.Root)
}

// list executes nodes; variables that they declare end with them.
func (r *run) list(dot reflect.Value, l *parse.ListNode) {
	if l == nil {
		return
	}
	defer func(n int) { r.vars = r.vars[:n] }(len(r.vars))
	for _, n := range l.Nodes {
		r.node(dot, n)
	}
}

func (r *run) node(dot reflect.Value, n parse.Node) {
	defer func(n int, isAction bool) {
		if !isAction {
			r.vars = r.vars[:n]
		}
	}(len(r.vars), n.Type() == parse.NodeAction)
	switch n := n.(type) {
	case *parse.TextNode:
		r.write(string(n.Text))
	case *parse.ActionNode:
		if v := r.pipe(dot, n.Pipe); len(n.Pipe.Decl) == 0 {
			r.print(v)
		}
	case *parse.IfNode:
		if truth(r.pipe(dot, n.Pipe)) {
			r.list(dot, n.List)
		} else {
			r.list(dot, n.ElseList)
		}
	case *parse.WithNode:
		if v := r.pipe(dot, n.Pipe); truth(v) {
			r.list(v, n.List)
		} else {
			r.list(dot, n.ElseList)
		}
	case *parse.RangeNode:
		r.each(dot, n)
	case *parse.TemplateNode:
		var data reflect.Value
		if n.Pipe != nil {
			data = r.pipe(dot, n.Pipe)
		}
		r.call(n.Name, data)
	default:
		r.fail(n, "statements of this kind are not supported")
	}
}

// each executes a range over a list.
func (r *run) each(dot reflect.Value, n *parse.RangeNode) {
	list := concrete(r.value(dot, n.Pipe))
	if list.IsValid() && list.Kind() != reflect.Slice && list.Kind() != reflect.Array {
		r.fail(n, "range over a %s", list.Type())
	}
	if !list.IsValid() || list.Len() == 0 {
		r.list(dot, n.ElseList)
		return
	}
	outer := len(r.vars)
	for i := range list.Len() {
		values := []reflect.Value{reflect.ValueOf(i), list.Index(i)}
		if len(n.Pipe.Decl) == 1 {
			values = values[1:]
		}
		r.vars = r.vars[:outer]
		for j, v := range n.Pipe.Decl {
			r.vars = append(r.vars, variable{v.Ident[0], values[j]})
		}
		r.list(list.Index(i), n.List)
	}
}

// print writes a value.
func (r *run) print(v reflect.Value) {
	if v = concrete(v); !v.IsValid() {
		return
	}
	switch x := v.Interface().(type) {
	case HTML:
		r.write(string(x))
	case string:
		r.write(r.escape(x))
	default:
		r.write(r.escape(fmt.Sprint(x)))
	}
}

// pipe returns the value of a pipeline, and sets its variable.
func (r *run) pipe(dot reflect.Value, p *parse.PipeNode) reflect.Value {
	v := r.value(dot, p)
	for _, d := range p.Decl {
		if !p.IsAssign {
			r.vars = append(r.vars, variable{d.Ident[0], v})
			continue
		}
		for i, old := range slices.Backward(r.vars) {
			if old.name == d.Ident[0] {
				r.vars[i].value = v
				break
			}
		}
	}
	return v
}

// value returns the value of a pipeline, which is one command.
func (r *run) value(dot reflect.Value, p *parse.PipeNode) reflect.Value {
	if len(p.Cmds) != 1 {
		r.fail(p, "| is not supported")
	}
	args := p.Cmds[0].Args
	f, ok := args[0].(*parse.IdentifierNode)
	if !ok {
		if len(args) > 1 {
			r.fail(p, "only functions take arguments")
		}
		return r.operand(dot, args[0])
	}
	if f.Ident == "and" {
		v := r.operand(dot, args[1])
		for i := 2; i < len(args) && truth(v); i++ {
			v = r.operand(dot, args[i])
		}
		return v
	}
	return r.apply(dot, f, args[1:])
}

// apply calls a function.
func (r *run) apply(dot reflect.Value, f *parse.IdentifierNode, args []parse.Node) reflect.Value {
	fn := reflect.ValueOf(r.t.funcs[f.Ident])
	if !fn.IsValid() {
		fn = reflect.ValueOf(own[f.Ident])
	}
	typ := fn.Type()
	if n := typ.NumIn(); len(args) != n && !(typ.IsVariadic() && len(args) >= n-1) {
		r.fail(f, "%d arguments, want %d", len(args), n)
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		var want reflect.Type
		if last := typ.NumIn() - 1; typ.IsVariadic() && i >= last {
			want = typ.In(last).Elem()
		} else {
			want = typ.In(i)
		}
		v := r.operand(dot, a)
		if v.IsValid() && !v.Type().AssignableTo(want) {
			v = concrete(v)
		}
		switch {
		case !v.IsValid():
			v = reflect.Zero(want)
		case !v.Type().AssignableTo(want):
			r.fail(a, "argument %d is a %s, want %s", i+1, v.Type(), want)
		}
		in[i] = v
	}
	return fn.Call(in)[0]
}

// operand returns the value of an argument.
func (r *run) operand(dot reflect.Value, n parse.Node) reflect.Value {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot
	case *parse.FieldNode:
		return r.fields(n, dot, n.Ident)
	case *parse.VariableNode:
		for _, v := range slices.Backward(r.vars) {
			if v.name == n.Ident[0] {
				return r.fields(n, v.value, n.Ident[1:])
			}
		}
	case *parse.ChainNode:
		return r.fields(n, r.operand(dot, n.Node), n.Field)
	case *parse.PipeNode:
		return r.value(dot, n)
	case *parse.IdentifierNode:
		return r.apply(dot, n, nil)
	case *parse.StringNode:
		return reflect.ValueOf(n.Text)
	case *parse.BoolNode:
		return reflect.ValueOf(n.True)
	case *parse.NumberNode:
		return reflect.ValueOf(int(n.Int64))
	}
	r.fail(n, "operands of this kind are not supported")
	panic("unreachable")
}

// fields returns a field of a field of a value; a map has zero values for keys that it lacks.
func (r *run) fields(n parse.Node, v reflect.Value, names []string) reflect.Value {
	for _, name := range names {
		v = concrete(v)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		switch v.Kind() {
		case reflect.Struct:
			f := v.FieldByName(name)
			if !f.IsValid() {
				r.fail(n, "%s has no field %s; methods are not called", v.Type(), name)
			}
			v = f
		case reflect.Map:
			f := v.MapIndex(reflect.ValueOf(name))
			if !f.IsValid() {
				f = reflect.Zero(v.Type().Elem())
			}
			v = f
		default:
			r.fail(n, "no field %s of %s", name, v)
		}
	}
	return v
}
