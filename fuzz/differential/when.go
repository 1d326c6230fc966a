// Conditions of known differences: what a value or packet has in it.

package differential

import (
	"maps"
	"slices"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

// conditions are what a rule of known differences can ask of a packet. Each is about
// something that the schemas keep, and an engine does not.
var conditions = map[string]func(s *subject, t *test) bool{
	// A typed container has an element, key or value of another type.
	"wrong element": func(_ *subject, t *test) bool { return some(t.value, wrongElement) },
	// A typed container is of Nil, or of a class or script without a name.
	"type of nothing": func(_ *subject, t *test) bool {
		return some(t.value, func(v codec.Value) bool {
			key, value := godot.PairTypesOf(v)
			for _, e := range []godot.ElemType{godot.ElemTypeOf(v), key, value} {
				if e.Type == godot.Nil || e.Type == godot.ObjectType && e.Class == "" && e.Script == "" {
					return true
				}
			}
			return false
		})
	},
	// A Dictionary has a key twice.
	"equal keys": func(s *subject, t *test) bool {
		return some(t.value, func(v codec.Value) bool {
			cells := pairsOf(v)
			for i := 0; i < len(cells); i += 2 {
				for k := i + 2; k < len(cells); k += 2 {
					if s.m.SameKey(cells[i], cells[k]) {
						return true
					}
				}
			}
			return false
		})
	},
	// A Dictionary has a key that is, or holds, what is not a number.
	"NaN key": func(_ *subject, t *test) bool { return someKey(t.value, hasNaN) },
	// A Dictionary has a key that is, or holds, an object.
	"object key": func(_ *subject, t *test) bool { return someKey(t.value, hasObject) },
	// A vector, or an array of them, has the precision of another build.
	"wide reals": func(_ *subject, t *test) bool {
		return some(t.value, func(v codec.Value) bool {
			k := raw.Value(v).Kind()
			return raw.Value(v).Wide() && (k == interp.Lanes || k == interp.Packed)
		})
	},
	// There is an object by its id, or a Signal, which has one.
	"object id": func(_ *subject, t *test) bool {
		return some(t.value, func(v codec.Value) bool { return v.Type() == godot.ObjectType || v.Type() == godot.SignalType })
	},
	// There is an object with its class and properties.
	"object in full": func(_ *subject, t *test) bool {
		return some(t.value, func(v codec.Value) bool {
			_, id := godot.AsObjectID(v)
			return v.Type() == godot.ObjectType && !id && raw.Value(v).Kind() != interp.Unit && !(raw.Value(v).Kind() == interp.Text && raw.Value(v).Len() == 0)
		})
	},
	// Objects in full are allowed.
	"objects allowed": func(_ *subject, t *test) bool { return t.in.Open },
	// A text has what is no character of Unicode.
	"no character": func(_ *subject, t *test) bool {
		return some(t.value, func(v codec.Value) bool {
			for _, r := range raw.Value(v).Text() {
				if r == '\ufffd' { // also of bytes that are no UTF-8
					return true
				}
			}
			return false
		})
	},
	// A NodePath has a name without a character, or is absolute without names.
	"empty name": func(_ *subject, t *test) bool {
		return some(t.value, func(v codec.Value) bool {
			if v.Type() != godot.NodePathType {
				return false
			}
			p, ok := godot.AsNodePath(v)
			return ok && (slices.Contains(p.Names, "") || slices.Contains(p.Subnames, "") || p.Absolute && len(p.Names) == 0)
		})
	},
}

// Conditions are the names that a rule can have in "when".
func Conditions() []string { return slices.Sorted(maps.Keys(conditions)) }

// some reports whether something holds for a value or for any value in it.
func some(v codec.Value, is func(codec.Value) bool) bool {
	if is(v) {
		return true
	}
	for _, c := range raw.Value(v).Cells() {
		if some(raw.Wrap(c), is) {
			return true
		}
	}
	return false
}

// pairsOf returns the keys and values of a Dictionary, in turn.
func pairsOf(v codec.Value) []interp.Value {
	if v.Type() != godot.DictionaryType {
		return nil
	}
	var cells []interp.Value
	for k, x := range v.Pairs() {
		cells = append(cells, raw.Value(k), raw.Value(x))
	}
	return cells
}

func wrongElement(v codec.Value) bool {
	other := func(want godot.ElemType, e codec.Value) bool {
		switch {
		case want.IsUntyped(), want.Type == godot.Nil:
			return false
		case want.Type == godot.ObjectType || want.Type == godot.Invalid: // a class or script
			return e.Type() != godot.ObjectType
		}
		return e.Type() != want.Type
	}
	switch v.Type() {
	case godot.ArrayType:
		for _, e := range v.Elems() {
			if other(godot.ElemTypeOf(v), e) {
				return true
			}
		}
	case godot.DictionaryType:
		key, value := godot.PairTypesOf(v)
		for k, e := range v.Pairs() {
			if other(key, k) || other(value, e) {
				return true
			}
		}
	}
	return false
}

// someKey reports whether something holds for a key in a value.
func someKey(v codec.Value, is func(interp.Value) bool) bool {
	return some(v, func(v codec.Value) bool {
		cells := pairsOf(v)
		for i := 0; i < len(cells); i += 2 {
			if is(cells[i]) {
				return true
			}
		}
		return false
	})
}

func hasObject(v interp.Value) bool {
	return codec.Type(v.Tag()) == godot.ObjectType || slices.ContainsFunc(v.Cells(), hasObject)
}

func hasNaN(v interp.Value) bool {
	switch v.Kind() {
	case interp.Float:
		return v.Float() != v.Float()
	case interp.Lanes, interp.Packed:
		if !v.Scalar().IsFloat() {
			return false
		}
		for i := range len(v.Bytes()) / v.Scalar().Width() {
			if f := v.LaneFloat(i); f != f {
				return true
			}
		}
	}
	return slices.ContainsFunc(v.Cells(), hasNaN)
}
