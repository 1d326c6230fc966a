// Keys of maps: bytes that are equal if the keys are.

package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// merged prints a map of a shape without repeated keys.
func (g *generator) merged(s *model.Shape, x string) string {
	p := &emitter{g: g}
	p.f("merged(%s, func(k *keyer, v *%s) {\n", x, g.typeOf(s.Key))
	p.key(s.Key, "*v", "false")
	p.f("})")
	return p.String()
}

// distinctTexts returns the name of the function that reports whether the keys of a map are different texts. It
// returns "" if the keys are not texts.
func (g *generator) distinctTexts(s *model.Shape) string {
	switch {
	case g.record(s.Key) != nil:
		return ""
	case s.Key.Kind == model.Text:
		return "distinctTexts"
	case s.Key.Kind == model.Union && g.textArm(s.Key.Routine) != "":
		return "distinct" + g.union[s.Key.Routine]
	}
	return ""
}

// textArm returns the type of the arm of a union that is a text, or "".
func (g *generator) textArm(r *model.Routine) string {
	for _, a := range r.Union.Arms {
		if !g.inStruct(a.Type) && a.Type.Alone().Shape.Kind == model.Text {
			return g.goType[a.Type]
		}
	}
	return ""
}

// typedKeys prints the functions that append the bytes of keys.
func (g *generator) typedKeys() string {
	p := &emitter{g: g}
	unions, _ := g.m.Keyed()
	for _, r := range unions {
		if text := g.textArm(r); text != "" {
			p.f("// distinct%[1]s reports whether all keys are of type %[2]s, and none is repeated.\nfunc distinct%[1]s[value any](pairs []Pair[%[1]s, value]) bool {\nfor i := range pairs {\nkey, ok := pairs[i].Key.(%[2]s)\nif !ok {\nreturn false\n}\nfor j := range i {\nif pairs[j].Key.(%[2]s) == key {\nreturn false\n}\n}\n}\nreturn true\n}\n\n", g.union[r], text)
		}
	}
	for _, r := range unions {
		p.f("func (k *keyer) union%s(v %s, inside bool) {\nswitch v := v.(type) {\n", g.routine[r], g.union[r])
		for _, a := range r.Union.Arms {
			p.f("case %s:\n", g.goType[a.Type])
			if x := "x := &v\n"; g.inStruct(a.Type) {
				p.f("%s", x)
			} else {
				p.f("y := %s(v)\nx := &y\n", g.paramType(r, a))
			}
			p.f("_ = x\n")
			p.armKey(a.Type)
		}
		p.f("default:\nk.uint(0)\n}\n}\n\n")
	}
	for i := 0; i < len(g.keyed); i++ { // it grows
		t := g.keyed[i]
		p.f("func (k *keyer) record%s(x *%s) {\n", g.goType[t], g.goType[t])
		g.cells = g.places(t)
		if lanesOf(t) != nil {
			p.numbersKey(lanesOf(t), g.lanesList(t), "false", "false")
		} else {
			p.fieldKeys(t)
		}
		p.f("}\n\n")
	}
	g.cells = nil
	return p.String()
}

// lanesList prints the numbers of a tuple with names as a slice.
func (g *generator) lanesList(t *model.Type) string {
	return fmt.Sprintf("[]%s{x.%s}", numberType(lanesOf(t)), strings.Join(g.fieldNames(t), ", x."))
}

// armKey prints the appending of the key of an arm.
func (p *emitter) armKey(t *model.Type) {
	g := p.g
	rules := t.Keys.Rule
	if rules[builtin.KeyDiffer] {
		p.f("k.apart = true\n")
		return
	}
	mark := fmt.Sprintf("k.uint(%d)\n", t.Index+2)
	g.cells = g.places(t)
	if lanesOf(t) != nil {
		p.f("%s", mark)
		p.numbersKey(lanesOf(t), g.lanesList(t), fmt.Sprint(rules[builtin.KeyExact]), fmt.Sprint(t.Apart(t.Alone())))
		return
	}
	for i, f := range t.Fields {
		if alone, ok := p.sole(t, f); ok && rules[builtin.KeyEqual] && f.Shape.Kind == model.Text {
			x, _ := g.inside(g.cells[i])
			p.f("if %s {\nk.uint(1)\nk.text(%s)\nreturn\n}\n", and("!inside", alone), x)
		}
	}
	p.f("%s", mark)
	if rules[builtin.KeyEmpty] {
		var empty []string
		for i, f := range t.Fields {
			switch f.Shape.Kind {
			case model.Text, model.Packed, model.List, model.Map:
				x, _ := g.inside(g.cells[i])
				cond := "len(" + x + ") == 0"
				if g.cells[i].pointer {
					cond = "(" + g.cells[i].field + " == nil || " + cond + ")"
				}
				empty = append(empty, cond)
			}
		}
		p.f("if %s {\nk.uint(0)\nreturn\n}\nk.uint(1)\n", and(empty...))
	}
	p.fieldKeys(t)
}

// and joins conditions.
func and(conds ...string) string {
	var out []string
	for _, c := range conds {
		if c != "true" {
			out = append(out, c)
		}
	}
	if out == nil {
		return "true"
	}
	return strings.Join(out, " && ")
}

// sole prints the condition that a field represents its record. It reports whether the field can.
func (p *emitter) sole(t *model.Type, f *model.Field) (cond string, ok bool) {
	others, ok := t.CanBeAlone(f)
	var conds []string
	if f.Optional {
		conds = append(conds, p.g.cells[f.Index].field+" != nil")
	}
	for _, other := range others {
		conds = append(conds, p.g.cells[other.Index].field+" == nil")
	}
	return and(conds...), ok
}

// fieldKeys prints the appending of the keys of the fields of a record.
func (p *emitter) fieldKeys(t *model.Type) {
	g := p.g
	for i, f := range t.Fields {
		unless, ok := t.Compared(f)
		if !ok {
			continue
		}
		at := g.cells[i]
		if len(unless) > 0 {
			var conds []string
			for _, other := range unless {
				conds = append(conds, g.cells[other.Index].field+" == nil")
			}
			p.f("if %s {\n", and(conds...))
		}
		if f.Optional {
			p.f("if %s == nil {\nk.uint(0)\n} else {\nk.uint(1)\n", at.field)
		}
		p.fieldKey(t, f, at)
		if f.Optional {
			p.f("}\n")
		}
		if len(unless) > 0 {
			p.f("}\n")
		}
	}
}

// fieldKey prints the appending of the key of a field. The rules of its type apply if it
// represents its record.
func (p *emitter) fieldKey(t *model.Type, f *model.Field, at place) {
	g := p.g
	alone, ok := p.sole(t, f)
	rule := func(on bool) string {
		if !on || !ok {
			return "false"
		}
		return alone
	}
	switch s := f.Shape; {
	case g.record(s) == nil && (s.Kind == model.Lanes || s.Kind == model.Packed):
		p.numbersKey(s, at.x, rule(t.Keys.Rule[builtin.KeyExact]), rule(t.Apart(f)))
	case s.Kind == model.Number && s.Scalar().IsFloat() && ok && t.Keys.Rule[builtin.KeyApart]:
		p.f("if %s {\nk.apart = true\n}\n", and("inside", alone, at.x+" != "+at.x))
		p.key(s, at.x, "true")
	default:
		p.key(s, at.x, "true")
	}
}

// numbersKey prints the appending of the key of numbers. exact and apart are conditions: the bits
// count, and a NaN is equal to nothing.
func (p *emitter) numbersKey(s *model.Shape, x, exact, apart string) {
	typ := numberType(s)
	one := func(x string) {
		switch typ {
		case "float32", "float64":
			p.f("k.%ss(%s, %s, %s)\n", typ, x, exact, apart)
		default:
			p.f("keyOf(k, %s)\n", x)
		}
	}
	slice := primary(x) + "[:]"
	switch {
	case s.Kind == model.Lanes && strings.HasPrefix(x, "[]"):
		one(x)
	case s.Width == 1 || s.Kind == model.Lanes:
		one(slice)
	default:
		i := p.inner("i", x)
		p.f("k.uint(uint64(len(%s)))\nfor %s := range %s {\n", x, i, x)
		one(primary(x) + "[" + i + "][:]")
		p.f("}\n")
	}
}

// key prints the appending of the key of a value of a shape.
func (p *emitter) key(s *model.Shape, x, inside string) {
	g := p.g
	if t := g.record(s); t != nil {
		if !slices.Contains(g.keyed, t) {
			g.keyed = append(g.keyed, t)
		}
		p.f("k.record%s(%s)\n", g.goType[t], place{x: x}.address())
		return
	}
	switch s.Kind {
	case model.Bool:
		p.f("k.uint(uint64(truth(%s)))\n", x)
	case model.Number:
		switch typ := numberType(s); {
		case typ == "float32" || typ == "float64":
			p.f("k.float(float64(%s))\n", x)
		case isInteger(s):
			p.f("k.uint(uint64(truth(%s.Negative)))\nk.uint(%s.Bits)\n", primary(x), primary(x))
		default:
			p.f("k.uint(uint64(%s))\n", x)
		}
	case model.Text:
		p.f("k.text(%s)\n", x)
	case model.Lanes, model.Packed:
		p.numbersKey(s, x, "false", "false")
	case model.List:
		i := p.inner("i", x)
		p.f("k.uint(uint64(len(%s)))\nfor %s := range %s {\n", x, i, x)
		p.key(s.Elem, primary(x)+"["+i+"]", "true")
		p.f("}\n")
	case model.Map:
		i := p.inner("i", x)
		m := p.fresh("m")
		p.f("%s := %s\nk.uint(uint64(len(%s)))\nfor %s := range %s {\n", m, g.merged(s, x), m, i, m)
		p.key(s.Key, m+"["+i+"].Key", "false")
		p.key(s.Elem, m+"["+i+"].Value", "true")
		p.f("}\n")
	case model.Union:
		p.f("k.union%s(%s, %s)\n", g.routine[s.Routine], x, inside)
	case model.ArmName:
		p.f("k.uint(uint64(%s))\n", x)
	}
}
