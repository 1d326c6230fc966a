// Interfaces with declared Go types.

package codec

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/interp"
)

// Interface says which Go types the values of an interface type may have; see [InterfaceOf].
type Interface struct {
	typ   reflect.Type
	key   string
	types map[string]reflect.Type
	names map[reflect.Type]string
}

// InterfaceOf declares the types of an interface type I for [Options.Interfaces] by their names.
//
// A value of a schema of Variants is a Dictionary with the name under the key, and then the keys of the struct. The types
// are structs, or pointers to structs:
//
//	codec.InterfaceOf("kind", map[string]Shape{"circle": Circle{}, "box": &Box{}})
//
// A value of any other schema is an arm of a union, and the names are those of arms. The types are those of the content of
// the arms, or pointers to them. The key is empty:
//
//	codec.InterfaceOf("", map[string]Data{"A": A{}, "MX": &MX{}})
func InterfaceOf[I any](key string, types map[string]I) Interface {
	i := Interface{typ: reflect.TypeFor[I](), key: key, types: map[string]reflect.Type{}, names: map[reflect.Type]string{}}
	for name, x := range types {
		t := reflect.TypeOf(x)
		i.types[name] = t
		i.names[t] = name
	}
	return i
}

// interfacesOf checks the declarations of a Codec. Arms says that its values are arms of unions.
func interfacesOf(all []Interface, arms bool) (map[reflect.Type]*Interface, error) {
	if len(all) == 0 {
		return nil, nil
	}
	out := map[reflect.Type]*Interface{}
	for k := range all {
		i := &all[k]
		switch {
		case i.typ == nil || i.typ.Kind() != reflect.Interface:
			return nil, fmt.Errorf("codec: option Interfaces: %v is no interface type; declare one with InterfaceOf", i.typ)
		case arms && i.key != "":
			return nil, fmt.Errorf("codec: option Interfaces: %v has the key %q; arms of unions have none, so give an empty one", i.typ, i.key)
		case !arms && i.key == "":
			return nil, fmt.Errorf("codec: option Interfaces: %v has no key for the names of its types", i.typ)
		case out[i.typ] != nil:
			return nil, fmt.Errorf("codec: option Interfaces: %v is declared twice", i.typ)
		case len(i.names) != len(i.types):
			return nil, fmt.Errorf("codec: option Interfaces: %v has a type with two names", i.typ)
		}
		for _, name := range slices.Sorted(maps.Keys(i.types)) {
			t := i.types[name]
			if arms && t != nil {
				continue
			}
			if arms {
				return nil, fmt.Errorf("codec: option Interfaces: %q of %v is nil; give a value of its type", name, i.typ)
			}
			if t != nil && t.Kind() == reflect.Pointer {
				t = t.Elem()
			}
			if t == nil || t.Kind() != reflect.Struct {
				return nil, fmt.Errorf("codec: option Interfaces: %q of %v is %v; only structs and pointers to structs have a place for its name", name, i.typ, i.types[name])
			}
		}
		out[i.typ] = i
	}
	return out, nil
}

// known lists the names of the types.
func (i *Interface) known() string { return strings.Join(slices.Sorted(maps.Keys(i.types)), ", ") }

// named puts the name of its type before the pairs of a value.
func (w *writer) named(p *plan, i *Interface, t reflect.Type, v Value) (Value, error) {
	name, ok := i.names[t]
	switch {
	case !ok:
		return w.fail(p, ErrGoType, "it holds %v, which is not one of the types of Options.Interfaces: %s", t, i.known())
	case v.raw.Kind() != interp.Map || v.Type() != variant.DictionaryType:
		return w.fail(p, ErrGoType, "%v is written as %s, which has no place for the name of its type", t, describe(v))
	}
	pairs := []Pair{{wrap(variant.MakeString(i.key)), wrap(variant.MakeString(name))}}
	for k, x := range v.Pairs() {
		if s, ok := k.AsString(); ok && s == i.key {
			return w.fail(p, ErrDuplicateKey, "%v has the key %s, which is that of the name of its type", t, shortQuote(i.key))
		}
		pairs = append(pairs, Pair{k, x})
	}
	return dictionary(pairs), nil
}

// named sets an interface to a value of the type that the Dictionary names.
func (r *reader) named(p *plan, i *Interface, v Value, rv reflect.Value) error {
	if v.Type() != variant.DictionaryType {
		return r.mismatch(p, v, "Dictionary")
	}
	found, _ := v.Get(i.key)
	name, _ := found.AsString()
	t, ok := i.types[name]
	if !ok {
		return r.fail(p, ErrMismatch, "its key %s is %s, which names none of its types: %s", shortQuote(i.key), describe(orNil(found)), i.known())
	}
	rest, err := v.Without(i.key)
	if err != nil {
		return err
	}
	elem := t
	if t.Kind() == reflect.Pointer {
		elem = t.Elem()
	}
	x := reflect.New(elem)
	r.src = nil // the pairs have other places
	if err := r.value(planFor(elem, p.want), rest, x.Elem()); err != nil {
		return err
	}
	if t.Kind() != reflect.Pointer {
		x = x.Elem()
	}
	rv.Set(x)
	return nil
}

// named sets an interface to an arm of a union.
func (r *goReader) named(i *Interface, v interp.Value, rv reflect.Value, round bool) error {
	t := r.n.Type(v)
	if t == nil || t.Union == "" {
		return r.unlike(v, rv, "the type of a record")
	}
	typ, ok := i.types[t.Name]
	if !ok {
		return r.wrong(rv, ErrMismatch, "it is the arm %s of %s, which names none of its types: %s", t.Name, t.Union, i.known())
	}
	elem := typ
	if typ.Kind() == reflect.Pointer {
		elem = typ.Elem()
	}
	x := reflect.New(elem)
	if err := r.content(t, v, x.Elem(), round); err != nil {
		return within(nameStep(t.Name), err)
	}
	if typ.Kind() != reflect.Pointer {
		x = x.Elem()
	}
	rv.Set(x)
	return nil
}
