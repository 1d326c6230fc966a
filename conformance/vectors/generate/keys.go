// Maps, and keys that some take for the same.

package generate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// maps returns maps of more pairs, and with keys that are equal.
func (g *model) maps(p place, in *bytecode.Instr) []variation {
	parts := p.value.Cells()
	if len(parts) < 2 {
		return nil
	}
	k, v := parts[0], parts[1]
	pairs := func(cells ...interp.Value) interp.Value { return interp.MakeMap(0, cells) }
	key := func(i int) interp.Value { return g.altered(in.B, k, i) }
	value := func(i int) interp.Value { return g.altered(in.D, v, i) }
	out := []variation{
		{"2", "2 pairs", pairs(key(0), value(0), key(1), value(1)), []string{"count"}, true},
		{"3", "3 pairs", pairs(key(0), value(0), key(1), value(1), key(2), value(2)), []string{"count"}, false},
		{"order", "2 pairs, of which the greater key comes first", pairs(key(1), value(0), key(0), value(1)), []string{"key-order"}, true},
		{"equal-keys", "the same key twice", pairs(k, value(0), k, value(1)), []string{"equal-keys"}, true},
		{"equal-keys-apart", "the same key at the beginning and at the end", pairs(k, value(0), key(1), value(1), k, value(2)), []string{"equal-keys"}, true},
	}
	for _, e := range g.equals(in.B) {
		out = append(out, variation{e.what, e.about, pairs(e.a, value(0), e.b, value(1)), []string{"equal-keys"}, e.keep})
	}
	return append(out, g.named(in.B, pairs, value)...)
}

// hostNames are keys that mean something else in the maps and objects of some languages.
var hostNames = []string{"__proto__", "constructor", "toString", "hasOwnProperty", "length", "__class__", "__dict__", "keys", "$type", ""}

// named returns maps whose keys are special names, for each type of text that a key may have.
func (g *model) named(routine uint32, pairs func(...interp.Value) interp.Value, value func(int) interp.Value) []variation {
	tags := map[string]uint16{}
	if t, ok := g.p.UnionTable(routine); ok {
		for _, a := range t.Arms {
			if cells := g.types[a.Type].cells; len(cells) == 1 && len(cells[0].ops) > 0 && g.p.Code[cells[0].ops[0]].Op == bytecode.Text {
				tags[g.p.Types[a.Type].Name] = g.m.Tag(int(a.Type))
			}
		}
	}
	var out []variation
	for _, typ := range slices.Sorted(maps.Keys(tags)) {
		key := func(text string) interp.Value { return interp.MakeText(tags[typ], text) }
		add := func(what, about string, cells ...interp.Value) {
			out = append(out, variation{what + "-" + typ, about + " of type " + typ, pairs(cells...), []string{"names"}, true})
		}
		for _, name := range hostNames {
			what := "key-" + strings.Trim(name, "$_")
			if name == "" {
				what = "key-empty"
			}
			add(what, fmt.Sprintf("the key %q", name), key(name), value(0), key("b"), value(1))
		}
		add("key-digits", "a key of digits behind a word, both", key("b"), value(0), key("1"), value(1))
		for _, n := range g.numberKeys() {
			add("key-digits-and-number", "the number 1 as a key, and a key \"1\"", n, value(0), key("1"), value(1))
		}
	}
	return out
}

// numberKeys returns the number 1 as a key, if keys may be numbers.
func (g *model) numberKeys() []interp.Value {
	if v, ok := g.sentinel(1); ok && v.Kind() != interp.Text {
		return []interp.Value{v}
	}
	return nil
}

// equal is two keys that might be the same.
type equal struct {
	what, about string
	a, b        interp.Value
	keep        bool
}

// equals returns keys of the root union that some take for the same. These are
// numbers that compare equal, NaNs, and texts of two types.
func (g *model) equals(routine uint32) []equal {
	t, ok := g.p.UnionTable(routine)
	if !ok {
		return nil
	}
	var out []equal
	var texts, numbers []int
	kept := map[string]bool{}
	for _, a := range t.Arms {
		tag := g.m.Tag(int(a.Type))
		cells := g.types[a.Type].cells
		name := g.p.Types[a.Type].Name
		if x, y, ok := g.empties(int(a.Type)); ok {
			out = append(out, equal{"equal-empty-" + name, "two values without content of type " + name, x, y, false})
		}
		if len(cells) != 1 || len(cells[0].ops) == 0 {
			continue
		}
		add := func(what, about string, x, y interp.Value, keep bool) {
			keep = keep && !kept[what]
			kept[what] = kept[what] || keep
			out = append(out, equal{what + "-" + name, about + " of type " + name, x.WithTag(tag), y.WithTag(tag), keep})
		}
		in := &g.p.Code[cells[0].ops[0]]
		s := in.Scalar()
		fill := func(bits uint64) interp.Value { return g.filled(int(a.Type), bits) }
		const nan = 0x7ff8000000000000
		switch {
		case in.Op == bytecode.Text:
			texts = append(texts, int(a.Type))
			add("equal-texts", "the same text twice", interp.MakeText(0, "a"), interp.MakeText(0, "a"), false)
		case (in.Op == bytecode.Scalars || in.Op == bytecode.Lanes || in.Op == bytecode.Packed) && s.IsFloat():
			if in.Op == bytecode.Scalars {
				numbers = append(numbers, int(a.Type))
			}
			add("equal-nans", "NaN twice", fill(nan), fill(nan), in.Op == bytecode.Scalars)
			add("other-nans", "two NaNs with other bits", fill(nan), fill(0xfff8000000000000), false)
			add("equal-zeros", "0.0 and -0.0", fill(0), fill(1<<63), in.Op == bytecode.Scalars)
			add("equal-numbers", "the same numbers twice", fill(0x3ff0000000000000), fill(0x3ff0000000000000), false)
		case in.Op == bytecode.Scalars:
			numbers = append(numbers, int(a.Type))
		}
	}
	out = append(out, g.equalShapes()...)
	for i, x := range texts {
		for _, y := range texts[i+1:] {
			a, b := g.p.Types[x].Name, g.p.Types[y].Name
			out = append(out, equal{"equal-" + a + "-" + b, "the same text as " + a + " and as " + b,
				interp.MakeText(g.m.Tag(x), "a"), interp.MakeText(g.m.Tag(y), "a"), true})
		}
	}
	for _, x := range numbers {
		for _, y := range numbers {
			if !g.isReal(x) && g.isReal(y) {
				a, b := g.p.Types[x].Name, g.p.Types[y].Name
				out = append(out, equal{"equal-" + a + "-" + b, "1 as " + a + " and as " + b,
					interp.MakeInt(g.m.Tag(x), 1), interp.MakeFloat(g.m.Tag(y), 1), g.p.Types[x].Fields[0].Kind == interp.Int})
			}
		}
	}
	return out
}

// empties returns two records of a type whose texts, lists and maps are empty, and whose numbers
// differ. It is not ok if the type has other fields, or only one of the sorts.
func (g *model) empties(t int) (x, y interp.Value, ok bool) {
	var a, b []interp.Value
	numbers := 0
	add := func(zero, one interp.Value) {
		a, b = append(a, zero), append(b, one)
		numbers++
	}
	for _, f := range g.p.Types[t].Fields {
		switch f.Kind {
		case interp.Bool:
			add(interp.MakeBool(0, false), interp.MakeBool(0, true))
		case interp.Uint:
			add(interp.MakeUint(0, 0), interp.MakeUint(0, 1))
		case interp.Int:
			add(interp.MakeInt(0, 0), interp.MakeInt(0, 1))
		case interp.Text:
			a, b = append(a, interp.MakeText(0, "")), append(b, interp.MakeText(0, ""))
		case interp.List:
			a, b = append(a, interp.MakeList(0, nil)), append(b, interp.MakeList(0, nil))
		case interp.Map:
			a, b = append(a, interp.MakeMap(0, nil)), append(b, interp.MakeMap(0, nil))
		default:
			return x, y, false
		}
	}
	tag := g.m.Tag(t)
	return interp.MakeRecord(tag, a), interp.MakeRecord(tag, b), numbers > 0 && numbers < len(a)
}

func (g *model) isReal(t int) bool {
	return bytecode.Scalar(g.p.Code[g.types[t].cells[0].ops[0]].A & 0xff).IsFloat()
}

// equalShapes returns, for every shape, the same value twice, and with a NaN or a zero
// inside.
func (g *model) equalShapes() []equal {
	if g.equalled != nil {
		return g.equalled
	}
	out := []equal{}
	defer func() { g.equalled = out }()
	one := interp.MakeFloat(0, 1)
	for _, s := range g.seedList {
		if s.open != 0 {
			continue
		}
		full := g.full(s)
		name := join(g.p.Types[s.typ].Name, s.name)
		out = append(out, equal{"equal-" + name, "the same value twice, of type " + name, full, full, false})
		done := false
		g.walk(g.p.Root, full, func(p place) {
			if !p.hole || p.inner || done {
				return
			}
			done = true
			for _, a := range g.realArms() {
				with := func(bits uint64) interp.Value {
					return g.replace(g.p.Root, full, p.path, g.filled(a, bits))
				}
				const nan = 0x7ff8000000000000
				inside := " of type " + g.p.Types[a].Name + " inside a " + g.p.Types[s.typ].Name
				end := g.p.Types[a].Name + "-in-" + name
				out = append(out,
					equal{"equal-nans-" + end, "NaN twice" + inside, with(nan), with(nan), false},
					equal{"equal-zeros-" + end, "0.0 and -0.0" + inside, with(0), with(1 << 63), false},
					equal{"equal-numbers-" + end, "the same number twice" + inside, with(math.Float64bits(one.Float())), with(math.Float64bits(one.Float())), false})
			}
		})
	}
	return out
}

// realArms returns the types of the root union that hold nothing but reals.
func (g *model) realArms() []int {
	var out []int
	t, ok := g.p.UnionTable(g.p.Root)
	if !ok {
		return nil
	}
	for _, a := range t.Arms {
		cells := g.types[a.Type].cells
		if len(cells) != 1 || len(cells[0].ops) == 0 {
			continue
		}
		in := &g.p.Code[cells[0].ops[0]]
		if op := in.Op; (op == bytecode.Scalars || op == bytecode.Lanes || op == bytecode.Packed) && in.Scalar().IsFloat() {
			out = append(out, int(a.Type))
		}
	}
	return out
}

// filled returns a value of such a type whose first number has the given bits as a
// double. Its other numbers are 1.
func (g *model) filled(t int, bits uint64) interp.Value {
	in := &g.p.Code[g.types[t].cells[0].ops[0]]
	s := in.Scalar()
	tag := g.m.Tag(t)
	if in.Op == bytecode.Scalars {
		return interp.MakeFloat(tag, math.Float64frombits(bits))
	}
	bits, _ = interp.BitsOf(s, math.Float64frombits(bits))
	var b []byte
	for i := range int(in.B) {
		if i > 0 {
			b = appendNumber(b, s, 1)
		} else {
			b = appendBits(b, s, bits)
		}
	}
	if in.Op == bytecode.Packed {
		return interp.MakePacked(tag, s, int(in.B), b).WithWide(in.A&bytecode.FlagWide != 0)
	}
	return interp.MakeLanes(tag, s, b).WithWide(in.A&bytecode.FlagWide != 0)
}
