// Keys of maps: texts that are equal if the keys are.

package script

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
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
			for i, m := range g.Members(t) {
				f, x := t.Fields[i], "v"+g.l.Access(m.Name)
				parts = append(parts, g.orNothing(f, x, g.keyOf(f.Shape, x, true)))
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

// armKey prints the text of the key of an arm.
func (g *Module) armKey(t *model.Type) string {
	mark := Quote(fmt.Sprintf("%d|", t.Index))
	switch {
	case t.Keys.Differ:
		return g.l.Missing
	case len(t.Fields) == 0:
		return mark
	}
	parts := []string{mark}
	members := g.Members(t)
	if Named(t) {
		return mark + " + " + g.lanesKey(t, t.Keys.Exact)
	}
	for i, f := range t.Fields {
		x := "v"
		if !t.Natural {
			x += g.l.Access(members[i].Name)
		}
		unless, ok := t.Compared(f)
		if !ok {
			continue
		}
		k := g.keyOf(f.Shape, x, true)
		if f.Shape.Kind == model.Packed {
			k = g.numbersKey(x, t.Keys.Exact)
		}
		if k = g.orNothing(f, x, k); f.Optional && t.Keys.Text {
			k = "(" + k + ")"
		}
		if f.Shape.Kind == model.Number && f.Shape.Scalar().IsFloat() && t.Keys.Apart {
			k = g.choose("inside"+g.l.And+fmt.Sprintf(g.l.NaN, x), g.l.Missing, k)
		}
		if t.Keys.Text && f.Shape.Kind == model.Text {
			return "(" + g.choose("inside", mark, `""`) + ") + " + k
		}
		for _, other := range unless {
			k = g.choose(g.present("v"+g.l.Access(members[other.Index].Name), other), `""`, k)
		}
		parts = append(parts, k)
	}
	return g.joined(parts)
}

// keyOf prints the text of a part of a key.
func (g *Module) keyOf(s *model.Shape, x string, inside bool) string {
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
