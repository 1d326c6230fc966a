package runner

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl/long"
)

// planted is our own codec with a mistake in what it gives.
type planted struct {
	protocol.Implementation
	about  func(*protocol.About)
	read   func(b []byte, v codec.Value) (codec.Value, error)
	recode func(b, again []byte) []byte
}

func (p planted) About() protocol.About {
	a := p.Implementation.About()
	if p.about != nil {
		p.about(&a)
	}
	return a
}

func (p planted) Decode(spec string, b []byte, objects bool) (json.RawMessage, int, error) {
	value, used, err := p.Implementation.Decode(spec, b, objects)
	if err != nil || p.read == nil {
		return value, used, err
	}
	v, err := godot.ParseJSON(value)
	if err == nil {
		v, err = p.read(b, v)
	}
	if err != nil {
		return nil, 0, err
	}
	value, err = godot.AppendJSON(nil, v)
	return value, used, err
}

func (p planted) Recode(spec string, b []byte, objects bool) ([]byte, int, error) {
	again, used, err := p.Implementation.Recode(spec, b, objects)
	if err == nil && p.recode != nil {
		again = p.recode(b, again)
	}
	return again, used, err
}

// pairs returns a Dictionary at the top without the pairs that keep refuses.
func pairs(v codec.Value, keep func(key, value codec.Value) bool) codec.Value {
	if v.Type() != godot.DictionaryType || v.Len() > 1000 {
		return v
	}
	var cells []codec.Pair
	for k, e := range v.Pairs() {
		if keep(k, e) {
			cells = append(cells, codec.Pair{Key: k, Value: e})
		}
	}
	return godot.NewDictionary(cells...)
}

// TestPlanted checks mistakes similar to those for which the classes of vectors were made. They are failures
// at must or should, and the class that was made for them reports it. Without OCTABLE_LONG=1 it tries every
// other mistake.
func TestPlanted(t *testing.T) {
	t.Parallel()
	s, err := suites.Load("godot-4.4")
	if err != nil {
		t.Fatal(err)
	}
	named := func(names ...string) func([]byte, codec.Value) (codec.Value, error) {
		return func(_ []byte, v codec.Value) (codec.Value, error) {
			return pairs(v, func(k, _ codec.Value) bool {
				text, ok := k.AsString()
				return !ok || !slices.Contains(names, text)
			}), nil
		}
	}
	count := func(typ codec.Type, most int) func([]byte, codec.Value) (codec.Value, error) {
		return func(_ []byte, v codec.Value) (codec.Value, error) {
			if v.Type() == typ && v.Len() > most {
				return v, errors.New("the count has no more bits")
			}
			return v, nil
		}
	}
	mistakes := map[string]struct {
		impl  planted
		flag  string // of a case that fails; "" is any
		id    string // or what its id holds
		op    protocol.Op
		large bool
	}{
		"a Callable as a key ends the function": {planted{read: func(_ []byte, v codec.Value) (codec.Value, error) {
			if v.Type() == godot.DictionaryType {
				for k := range v.Pairs() {
					if k.Type() == godot.CallableType {
						return v, errors.New("unhashable")
					}
				}
			}
			return v, nil
		}}, "keys", "", protocol.Decode, false},
		"a pair whose value is nil is left out": {planted{read: func(_ []byte, v codec.Value) (codec.Value, error) {
			return pairs(v, func(_, e codec.Value) bool { return !e.IsNil() }), nil
		}}, "", "Nil/value-of-Dictionary", protocol.Decode, false},
		"a Dictionary as a key is left out": {planted{read: func(_ []byte, v codec.Value) (codec.Value, error) {
			return pairs(v, func(k, _ codec.Value) bool { return k.Type() != godot.DictionaryType }), nil
		}}, "keys", "", protocol.Decode, false},
		"hasOwnProperty is a member of the host": {planted{read: named("hasOwnProperty")}, "names", "", protocol.Decode, false},
		"__dict__ is a member of the host":       {planted{read: named("__dict__")}, "names", "", protocol.Decode, false},
		"8 bits for the pairs of a Dictionary":   {planted{read: count(godot.DictionaryType, 1<<8-1)}, "size", "", protocol.Decode, false},
		"16 bits for the bytes of a StringName":  {planted{read: count(godot.StringNameType, 1<<16-1)}, "size", "", protocol.Decode, false},
		"16 bits for a PackedVector4Array":       {planted{read: count(godot.PackedVector4Array, 1<<16-1)}, "size", "", protocol.Decode, false},
		"24 bits for a PackedByteArray":          {planted{read: count(godot.PackedByteArray, 1<<24-1)}, "size-huge", "", protocol.Decode, true},
		"a declared lack gives a string": {planted{about: func(a *protocol.About) { a.Lacks = []string{"Rect2i"} }, read: func(_ []byte, v codec.Value) (codec.Value, error) {
			if v.Type() == godot.Rect2iType {
				v = godot.NewString("Rect2i")
			}
			return v, nil
		}}, "", "Rect2i", protocol.Decode, false},
		"a value keeps the flag of its packet": {planted{recode: func(b, again []byte) []byte {
			if b[0] == 2 && len(b) > 2 && b[2]&1 != 0 {
				again[2] |= 1
			}
			return again
		}}, "", "int.", protocol.Recode, false},
	}
	for _, name := range long.Part(12, slices.Sorted(maps.Keys(mistakes))) {
		c := mistakes[name]
		t.Run(name, func(t *testing.T) {
			if c.large {
				long.Only(t)
			}
			t.Parallel()
			c.impl.Implementation = protocol.Octable()
			filter := Filter{IDs: []string{"*" + c.id + "*"}, Levels: []vectors.Level{vectors.Must, vectors.Should}, Ops: []protocol.Op{c.op}}
			if c.flag != "" {
				filter.Flags = []string{c.flag}
			}
			run, err := Conform(context.Background(), s, Local(c.impl, 0), Options{Large: c.large, Filter: filter})
			if err != nil {
				t.Fatal(err)
			}
			if run.Count(Fail) > 0 {
				return
			}
			t.Errorf("none of %d cases of %q %q fails", len(run.Results), c.flag, c.id)
		})
	}
}
