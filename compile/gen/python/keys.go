// Keys of maps: texts that are equal just where the keys are.

package python

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
)

// keys prints the functions that give the text of a key, or None for one that is
// equal to none.
func (g *generator) keys() {
	unions, records := g.m.Keyed()
	for _, r := range unions {
		g.f("def _key_%s(v: %s, inside: bool) -> str | None:\n    \"\"\"A text that two values have in common just where they are the same key.\n\n    None for one that is equal to no key. Inside of a key more has to be the same.\n    \"\"\"\n    _ = inside\n", g.routine[r], g.union[r])
		g.dispatch(r, "    ", func(a *model.Arm) []string { return []string{g.armKey(a)} }, []string{"return None"})
		g.f("\n\n")
	}
	for _, t := range records {
		var parts []string
		for i, m := range g.members(t) {
			x := "v." + m.name
			if f := t.Alone(); f != nil && f.Shape.Kind == model.Lanes {
				parts = append(parts, "_numbers_key(("+x+",), False)")
				continue
			}
			k := g.keyOf(t.Fields[i].Shape, x, "True")
			if m.optional {
				k = fmt.Sprintf("\"-\" if %s is %s else %s", x, m.absent, k)
			}
			parts = append(parts, k)
		}
		g.f("def _key_of_%s(v: %s) -> str | None:\n    return _joined([%s])\n\n\n", model.Snake(g.typeName[t]), g.typeName[t], strings.Join(parts, ", "))
	}
	root := g.m.Root
	if slices.Contains(unions, root) {
		name, typ := g.routine[root], g.union[root]
		g.f("def same_key(a: %s, b: %s) -> bool:\n    \"\"\"Whether two values are the same key of a map.\"\"\"\n    k = _key_%s(a, False)\n    return k is not None and k == _key_%s(b, False)\n\n\n", typ, typ, name, name)
		g.f("def lookup(pairs: Sequence[tuple[%s, _T]], key: %s) -> _T | None:\n    \"\"\"The value of the last pair with a key, or None.\"\"\"\n    k = _key_%s(key, False)\n    if k is not None:\n        for other, value in reversed(pairs):\n            if _key_%s(other, False) == k:\n                return value\n    return None\n", typ, typ, name, name)
	}
}

// armKey returns the text of the key of an arm.
func (g *generator) armKey(a *model.Arm) string {
	t := a.Type
	mark := fmt.Sprintf("%d|", t.Index)
	if t.Keys.Differ {
		return "return None"
	}
	if len(t.Fields) == 0 {
		return fmt.Sprintf("return %q", mark)
	}
	parts := []string{fmt.Sprintf("%q", mark)}
	members := g.members(t)
	for i, f := range t.Fields {
		x := "v"
		switch {
		case t.Natural:
		case f.Shape.Kind == model.Lanes && f.Shape.Names != nil:
			var all []string
			for _, m := range members {
				all = append(all, "v."+m.name)
			}
			return fmt.Sprintf("return %q + _numbers_key((%s,), %s)", mark, strings.Join(all, ", "), boolean(t.Keys.Exact))
		default:
			x = "v." + members[i].name
		}
		unless, ok := t.Compared(f)
		if !ok {
			continue
		}
		k := g.keyOf(f.Shape, x, "True")
		if f.Shape.Kind == model.Packed {
			k = fmt.Sprintf("_numbers_key(%s, %s)", x, boolean(t.Keys.Exact))
		}
		if f.Optional {
			k = fmt.Sprintf("\"-\" if %s is %s else %s", x, g.absent(f), k)
		}
		if f.Shape.Kind == model.Number && f.Shape.Scalar().IsFloat() && t.Keys.Apart {
			k = fmt.Sprintf("None if inside and %s != %s else %s", x, x, k)
		}
		if t.Keys.Text && f.Shape.Kind == model.Text {
			return fmt.Sprintf("return (%q if inside else \"\") + %s", mark, k)
		}
		for _, other := range unless {
			k = fmt.Sprintf("\"\" if v.%s is not %s else (%s)", members[other.Index].name, g.absent(other), k)
		}
		parts = append(parts, k)
	}
	return "return _joined([" + strings.Join(parts, ", ") + "])"
}

// keyOf prints the text of a part of a key.
func (g *generator) keyOf(s *model.Shape, x, inside string) string {
	switch s.Kind {
	case model.Bool:
		return "str(" + x + ")"
	case model.Number:
		if s.Scalar().IsFloat() {
			return "_float_key(" + x + ")"
		}
		return "str(" + x + ")"
	case model.Text:
		return "_text_key(" + x + ")"
	case model.Lanes, model.Packed:
		return "_numbers_key(" + x + ", False)"
	case model.List:
		return fmt.Sprintf("_joined([%s for e in %s])", g.keyOf(s.Elem, "e", "True"), x)
	case model.Map:
		return fmt.Sprintf("_joined([p for k, e in %s for p in (%s, %s)])", x, g.keyOf(s.Key, "k", "False"), g.keyOf(s.Elem, "e", "True"))
	case model.Union:
		return fmt.Sprintf("_key_%s(%s, %s)", g.routine[s.Routine], x, inside)
	case model.Record:
		return fmt.Sprintf("_key_of_%s(%s)", model.Snake(g.typeName[s.Type]), x)
	case model.ArmName:
		return x
	}
	return "\"\""
}
