// Keys of maps: texts that are equal just where the keys are.

package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
)

// keys prints the functions that give the text of a key, or undefined for one that
// is equal to none.
func (g *generator) keys() {
	unions, records := g.m.Keyed()
	for _, r := range unions {
		name := g.routine[r]
		g.f("/**\n * A text that two values have in common just where they are the same key; undefined for one\n * that is equal to no key. Inside of a key more has to be the same.\n */\nfunction key%s(v: %s, inside: boolean): string | undefined {\n", name, name)
		g.f("  void inside;\n")
		g.dispatch(r, "v", "  ", func(a *model.Arm) string { return g.armKey(a) }, "return undefined;")
		g.f("}\n\n")
	}
	for _, t := range records {
		var parts []string
		for i, m := range g.members(t) {
			x := "v." + m.name
			if f := t.Alone(); f != nil && f.Shape.Kind == model.Lanes {
				parts = append(parts, "floatKey(Number("+x+"))")
				continue
			}
			k := g.keyOf(t.Fields[i].Shape, x, "true")
			if m.optional {
				k = fmt.Sprintf("(%s === undefined ? \"-\" : %s)", x, k)
			}
			parts = append(parts, k)
		}
		g.f("function key%s(v: %s): string | undefined {\n  return joined([%s]);\n}\n\n", g.typeName[t], g.typeName[t], strings.Join(parts, ", "))
	}
	g.f(`/** Puts the texts of parts together; undefined where one of them is. */
function joined(parts: readonly (string | undefined)[]): string | undefined {
  let out = "(";
  for (const p of parts) {
    if (p === undefined) return undefined;
    out += p + ",";
  }
  return out + ")";
}

function textKey(s: string | Uint8Array): string {
  return typeof s === "string" ? ` + "`${s.length}:${s}`" + ` : ` + "`x${s.join()}`" + `;
}

function numbersKey(x: Iterable<number | bigint>, exact: boolean): string {
  let out = "[";
  for (const n of x) out += (typeof n === "bigint" ? String(n) : exact ? bitsKey(n) : floatKey(n)) + ",";
  return out + "]";
}

`)
	root := g.m.Root
	if slices.Contains(unions, root) {
		g.f("/** Whether two values are the same key of a map. */\nexport function sameKey(a: %s, b: %s): boolean {\n  const k = key%s(a, false);\n  return k !== undefined && k === key%s(b, false);\n}\n\n", g.routine[root], g.routine[root], g.routine[root], g.routine[root])
		g.f("/** The value of the last pair with a key, or undefined. */\nexport function lookup<V>(pairs: readonly (readonly [%s, V])[], key: %s): V | undefined {\n  const k = key%s(key, false);\n  if (k === undefined) return undefined;\n  for (let i = pairs.length - 1; i >= 0; i--) {\n    const p = pairs[i]!;\n    if (key%s(p[0], false) === k) return p[1];\n  }\n  return undefined;\n}\n", g.routine[root], g.routine[root], g.routine[root], g.routine[root])
	}
}

// armKey returns the text of the key of an arm.
func (g *generator) armKey(a *model.Arm) string {
	t := a.Type
	mark := fmt.Sprintf("%d|", t.Index)
	if t.Keys.Differ {
		return "return undefined;"
	}
	if len(t.Fields) == 0 {
		return fmt.Sprintf("return %q;", mark)
	}
	var parts []string
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
			return fmt.Sprintf("return %q + numbersKey([%s], %t);", mark, strings.Join(all, ", "), t.Keys.Exact)
		default:
			x = "v." + members[i].name
		}
		unless, ok := t.Compared(f)
		if !ok {
			continue
		}
		k := g.keyOf(f.Shape, x, "true")
		if f.Shape.Kind == model.Packed {
			k = fmt.Sprintf("numbersKey(%s, %t)", x, t.Keys.Exact)
		}
		if members[i].optional {
			k = fmt.Sprintf("(%s === undefined ? \"-\" : %s)", x, k)
		}
		if f.Shape.Kind == model.Number && f.Shape.Scalar().IsFloat() && t.Keys.Apart {
			k = fmt.Sprintf("inside && Number.isNaN(%s) ? undefined : %s", x, k)
		}
		if t.Keys.Text && f.Shape.Kind == model.Text {
			return fmt.Sprintf("return (inside ? %q : \"\") + %s;", mark, k)
		}
		for _, other := range unless {
			k = fmt.Sprintf("(v.%s !== undefined ? \"\" : %s)", members[other.Index].name, k)
		}
		parts = append(parts, k)
	}
	return fmt.Sprintf("return joined([%q, %s]);", mark, strings.Join(parts, ", "))
}

// keyOf prints the text of a part of a key.
func (g *generator) keyOf(s *model.Shape, x, inside string) string {
	switch s.Kind {
	case model.Bool:
		return "String(" + x + ")"
	case model.Number:
		if s.Scalar().IsFloat() {
			return "floatKey(" + x + ")"
		}
		return "String(" + x + ")"
	case model.Text:
		return "textKey(" + x + ")"
	case model.Lanes, model.Packed:
		return "numbersKey(" + x + ", false)"
	case model.List:
		return fmt.Sprintf("joined(%s.map((e) => %s))", x, g.keyOf(s.Elem, "e", "true"))
	case model.Map:
		return fmt.Sprintf("joined(%s.flatMap(([k, e]) => [%s, %s]))", x, g.keyOf(s.Key, "k", "false"), g.keyOf(s.Elem, "e", "true"))
	case model.Union:
		return fmt.Sprintf("key%s(%s, %s)", g.routine[s.Routine], x, inside)
	case model.Record:
		return fmt.Sprintf("key%s(%s)", g.typeName[s.Type], x)
	case model.ArmName:
		return x
	}
	return "\"\""
}
