// Walking the tree: every node of a file, with its place.

package dsl

import (
	"reflect"
	"sync"
)

// Walk calls visit for a node and, if visit returns true, for every node below it. The order is
// that in which the fields of the tree are declared, which is that of the source. A node is a
// pointer to a struct of the tree: a [*File], a [*Decl] or a [*PageDecl], down to [*Name],
// [*Str] and [*Num]. Comments are not visited.
//
// What a tool wants to know of a file can mostly be asked in a few lines:
//
//	dsl.Walk(file, func(node any) bool {
//	    if name, ok := node.(*dsl.Name); ok {
//	        fmt.Println(name.Pos, name.Text)
//	    }
//	    return true
//	})
func Walk(node any, visit func(node any) bool) {
	if f, ok := node.(*File); ok {
		if f != nil && visit(f) {
			walk(reflect.ValueOf(f.Decls), visit)
			walk(reflect.ValueOf(f.Page), visit)
		}
		return
	}
	walk(reflect.ValueOf(node), visit)
}

func walk(v reflect.Value, visit func(node any) bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || v.Type().Elem().Kind() != reflect.Struct || !visit(v.Interface()) {
			return
		}
		v = v.Elem()
		for _, i := range below(v.Type()) {
			walk(v.Field(i), visit)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Pointer {
			for i := range v.Len() {
				walk(v.Index(i), visit)
			}
		}
	}
}

var nodeFields sync.Map // reflect.Type to []int

// below returns the fields of a type of nodes in which other nodes are.
func below(t reflect.Type) []int {
	if list, ok := nodeFields.Load(t); ok {
		return list.([]int)
	}
	var list []int
	for i := range t.NumField() {
		of := t.Field(i).Type
		if of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() == reflect.Pointer && of.Elem().Kind() == reflect.Struct {
			list = append(list, i)
		}
	}
	nodeFields.Store(t, list)
	return list
}

// NameAt returns the name at a line and column of a file, or nil if there is no
// name. Both are counted from 1. The column may also be the one just after the
// name, where an editor has its cursor when the name has been typed.
func NameAt(f *File, line, column int) *Name {
	var found *Name
	Walk(f, func(node any) bool {
		if n, ok := node.(*Name); ok && n.Pos.Line == line && n.Pos.Column <= column && column <= n.Pos.Column+len(n.Text) {
			found = n
		}
		return true
	})
	return found
}
