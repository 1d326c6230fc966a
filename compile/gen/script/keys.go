// Keys of maps: texts that are equal if the keys are.

package script

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// keyDoc describes the functions that return the text of a key.
const keyDoc = "A text that two values have in common if they are the same key; %s for a value that is equal to no key. Inside of a key more has to be the same."

// keys prints the functions that return the text of a key.
func (g *Module) keys() {
	unions, records := g.Keyed()
	text := g.OrAbsent(g.l.Text, g.l.Missing)
	for _, r := range unions {
		params := []Param{{"v", g.Union[r]}, {"inside", g.l.Bool}}
		g.function(g.Fn("key", g.Function[r]), params, text, fmt.Sprintf(keyDoc, g.l.Missing), func() {
			g.dispatch(r, func(a *model.Arm) { g.Do("return %s", g.armKey(a.Type)) }, func() { g.Do("return %s", g.l.Missing) })
		})
	}
	for _, t := range records {
		g.function(g.Fn("key", "of", g.l.Routine(g.Class[t])), []Param{{"v", g.Class[t]}}, text, "", func() {
			if Named(t) {
				g.Do("return %s", g.lanesKey(t, false))
				return
			}
			var parts []string
			members := g.Members(t)
			for i, f := range t.Fields {
				if unless, ok := t.Compared(f); ok {
					x := "v" + g.l.Access(members[i].Name)
					parts = append(parts, g.without(members, unless, g.orNothing(f, x, g.keyOf(f.Shape, x, true))))
				}
			}
			g.Do("return %s", g.joined(parts))
		})
	}
	if root := g.Root; slices.Contains(unions, root) {
		g.Raw(g.Row("lookup", map[string]string{"Type": g.Union[root], "Key": g.Fn("key", g.Function[root])}))
	}
}

func (g *Module) joined(parts []string) string {
	return g.Fn("joined") + "([" + strings.Join(parts, ", ") + "])"
}

func (g *Module) numbersKey(x string, exact bool) string {
	return g.Fn("numbers", "key") + "(" + x + ", " + g.Boolean(exact) + ")"
}

// lanesKey prints the text of the key of a tuple of numbers with names.
func (g *Module) lanesKey(t *model.Type, exact bool) string {
	var all []string
	for _, m := range g.Members(t) {
		all = append(all, "v"+g.l.Access(m.Name))
	}
	return g.numbersKey("["+strings.Join(all, ", ")+"]", exact)
}

// orNothing prints the text of the key of a field that may be absent.
func (g *Module) orNothing(f *model.Field, x, key string) string {
	if !f.Optional {
		return key
	}
	return g.choose(g.absent(x, f), `"-"`, key)
}

// without prints the text of the key of a field that counts if other fields are absent.
func (g *Module) without(members []Member, others []*model.Field, key string) string {
	for _, f := range others {
		key = g.choose(g.present("v"+g.l.Access(members[f.Index].Name), f), `""`, key)
	}
	return key
}

// armKey prints the text of the key of an arm.
func (g *Module) armKey(t *model.Type) string {
	mark := Quote(fmt.Sprintf("%d|", t.Index))
	rules := t.Keys.Rule
	switch {
	case rules[builtin.KeyDiffer]:
		return g.l.Missing
	case len(t.Fields) == 0:
		return mark
	}
	members := g.Members(t)
	if Named(t) {
		var all []string
		for _, m := range members {
			all = append(all, "v"+g.l.Access(m.Name))
		}
		x := "[" + strings.Join(all, ", ") + "]"
		key := mark + " + " + g.numbersKey(x, rules[builtin.KeyExact])
		if t.Apart(t.Alone()) {
			key = g.choose(g.Fn("has", "nan")+"("+x+")", g.l.Missing, key)
		}
		return key
	}
	parts := []string{mark}
	var wholes [][2]string // conditions of keys that are one text, and these keys
	for i, f := range t.Fields {
		x := "v"
		if !t.Natural {
			x += g.l.Access(members[i].Name)
		}
		unless, ok := t.Compared(f)
		if !ok {
			continue
		}
		k := g.orNothing(f, x, g.keyOf(f.Shape, x, true))
		alone, ok := g.alone(t, members, f)
		if ruled := g.ruledKey(t, f, x); ok && ruled != k {
			if alone == "" {
				k = ruled
			} else {
				k = g.choose(alone, "("+ruled+")", k)
			}
		}
		if ok && rules[builtin.KeyEqual] && f.Shape.Kind == model.Text {
			if f.Optional {
				k = "(" + k + ")"
			}
			wholes = append(wholes, [2]string{alone, "(" + g.choose("inside", mark, `""`) + ") + " + k})
		}
		parts = append(parts, g.without(members, unless, k))
	}
	key := g.joined(parts)
	for _, w := range wholes {
		if w[0] == "" {
			key = w[1]
		} else {
			key = g.choose(w[0], w[1], key)
		}
	}
	if rules[builtin.KeyEmpty] {
		key = g.choose(g.contentless(t, members), Quote(fmt.Sprintf("%d|empty", t.Index)), key)
	}
	return key
}

// alone prints the condition that a field represents its record, "" if it always does. It
// reports whether the field can.
func (g *Module) alone(t *model.Type, members []Member, f *model.Field) (cond string, ok bool) {
	others, ok := t.CanBeAlone(f)
	var conds []string
	for _, other := range others {
		conds = append(conds, g.absent("v"+g.l.Access(members[other.Index].Name), other))
	}
	if len(conds) > 0 && f.Optional {
		conds = append(conds, g.present("v"+g.l.Access(members[f.Index].Name), f))
	}
	return strings.Join(conds, g.l.And), ok
}

// ruledKey prints the text of the key of a field that represents its record, by the rules
// of the type.
func (g *Module) ruledKey(t *model.Type, f *model.Field, x string) string {
	k := g.keyOf(f.Shape, x, true)
	switch f.Shape.Kind {
	case model.Lanes, model.Packed:
		x, _ := g.within(x, f.Shape)
		k = g.numbersKey(x, t.Keys.Rule[builtin.KeyExact])
		if t.Apart(f) {
			k = g.choose(g.Fn("has", "nan")+"("+x+")", g.l.Missing, k)
		}
	case model.Number:
		if f.Shape.Scalar().IsFloat() && t.Keys.Rule[builtin.KeyApart] {
			return g.choose("inside"+g.l.And+fmt.Sprintf(g.l.NaN, x), g.l.Missing, g.orNothing(f, x, k))
		}
	}
	return g.orNothing(f, x, k)
}

// contentless prints the condition that all texts, arrays, lists and maps are empty.
func (g *Module) contentless(t *model.Type, members []Member) string {
	var conds []string
	for i, f := range t.Fields {
		switch f.Shape.Kind {
		case model.Text, model.Packed, model.List, model.Map:
			x, _ := g.within("v"+g.l.Access(members[i].Name), f.Shape)
			conds = append(conds, fmt.Sprintf(g.l.Length, x)+g.l.Equal+"0")
		}
	}
	return strings.Join(conds, g.l.And)
}

// within returns a value, and its shape, without the records around it.
func (g *Module) within(x string, s *model.Shape) (string, *model.Shape) {
	return g.inside(x, s, func(x, name string) string { return x + g.l.Access(name) })
}

// merged prints a map of a shape without repeated keys.
func (g *Module) merged(s *model.Shape, x string) string {
	return g.Fn("merged") + "(" + x + ", " + fmt.Sprintf(g.l.Lambda, g.keyOf(s.Key, "k", false)) + ")"
}

// keyOf prints the text of a part of a key.
func (g *Module) keyOf(s *model.Shape, x string, inside bool) string {
	x, s = g.within(x, s)
	switch s.Kind {
	case model.Bool:
		return fmt.Sprintf(g.l.String, x)
	case model.Number:
		if s.Scalar().IsFloat() {
			return g.Fn("float", "key") + "(" + x + ")"
		}
		return fmt.Sprintf(g.l.String, x)
	case model.Text:
		return g.Fn("text", "key") + "(" + x + ")"
	case model.Lanes, model.Packed:
		return g.numbersKey(x, false)
	case model.List:
		return g.Fn("joined") + "(" + fmt.Sprintf(g.l.Each, x, g.keyOf(s.Elem, "e", true)) + ")"
	case model.Map:
		x = g.merged(s, x)
		return g.Fn("joined") + "(" + fmt.Sprintf(g.l.EachPair, x, g.keyOf(s.Key, "k", false), g.keyOf(s.Elem, "e", true)) + ")"
	case model.Union:
		return g.Fn("key", g.Function[s.Routine]) + "(" + x + ", " + g.Boolean(inside) + ")"
	case model.Record:
		return g.Fn("key", "of", g.l.Routine(g.Class[s.Type])) + "(" + x + ")"
	case model.ArmName:
		return x
	}
	return `""`
}
