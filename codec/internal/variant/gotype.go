// Go types of package godot, which registers them.

package variant

import (
	"iter"
	"maps"
	"reflect"

	"github.com/octable/octable/interp"
)

// GoType is a Go type that represents one type of Variants.
type GoType struct {
	Type Type
	Make func(x any) interp.Value // nil if the kind of the Go type says it: numbers, texts
}

// natural returns the Go value for an empty interface, or false if a type has none.
type natural func(v interp.Value) (x any, ok bool)

var (
	goTypes  = map[reflect.Type]GoType{}
	naturals [NumTypes]natural
)

// Register declares a Go type. It must be called while packages are initialized.
func Register[T any](t Type, makes func(T) interp.Value) {
	g := GoType{Type: t}
	if makes != nil {
		g.Make = func(x any) interp.Value { return makes(x.(T)) }
	}
	goTypes[reflect.TypeFor[T]()] = g
}

// RegisterNatural declares the Go value of a type for an empty interface. It must be called while
// packages are initialized.
func RegisterNatural[T any](t Type, as func(interp.Value) (T, bool)) {
	naturals[t] = func(v interp.Value) (any, bool) { return as(v) }
}

// GoTypeOf returns the type of Variants that a Go type represents.
func GoTypeOf(t reflect.Type) (GoType, bool) {
	g, ok := goTypes[t]
	return g, ok
}

// GoTypes ranges over the Go types that are registered.
func GoTypes() iter.Seq2[reflect.Type, GoType] { return maps.All(goTypes) }

// Natural returns the Go value of v for an empty interface, or false if its type has none.
func Natural(v interp.Value) (x any, ok bool) {
	if t := Type(v.Tag()); t < NumTypes && naturals[t] != nil {
		return naturals[t](v)
	}
	return nil, false
}
