// Lists, arrays and texts of several counts.

package generate

import (
	"fmt"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// alignment returns what the text, array or region at pc is padded to, or 1.
func (g *model) alignment(pc int) int {
	if next := &g.p.Code[pc+1]; next.Op == bytecode.Pad {
		return int(next.A)
	}
	return 1
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// packed returns arrays of several counts, and with special numbers.
func (g *model) packed(pc int, in *bytecode.Instr, s bytecode.Scalar) []variation {
	var out []variation
	size, align := s.Width()*int(in.B), g.alignment(pc)
	most := 2
	if align > size {
		most = align + 1
	}
	for n := range most + 1 {
		if n == 1 && size >= align {
			continue // the array itself
		}
		var b []byte
		for i := range n * int(in.B) {
			b = appendNumber(b, s, float64(i+1))
		}
		flags := []string{"count"}
		if align > 1 {
			flags = append(flags, "padding")
		}
		about := plural(n, "element")
		if pad := -n * size & (align - 1); align > 1 && align&(align-1) == 0 {
			about += " and " + plural(pad, "byte") + " of padding"
		}
		out = append(out, variation{fmt.Sprint(n), about,
			interp.MakePacked(0, s, int(in.B), b).WithWide(in.A&bytecode.FlagWide != 0), flags, in.A&bytecode.FlagWide == 0})
	}
	return append(out, lanes(in, s, 2)...)
}

// altered returns a value like v that is not the same. It is the i-th relative of v, or another
// value of the routine if nothing in v can be counted up.
func (g *model) altered(routine uint32, v interp.Value, i int) interp.Value {
	if i == 0 {
		return v
	}
	changed := false
	g.walk(routine, v, func(p place) {
		if changed || p.hole {
			return
		}
		var with interp.Value
		switch p.value.Kind() {
		case interp.Int:
			with = interp.MakeInt(0, p.value.Int()+int64(i))
		case interp.Uint:
			with = interp.MakeUint(0, p.value.Uint()+uint64(i))
		case interp.Text:
			text := p.value.Text()
			for n := i; n > 0; n /= 26 {
				text += string(rune('a' + n%26))
			}
			with = interp.MakeText(0, text)
		default:
			return
		}
		changed = true
		v = g.replace(routine, v, p.path, with)
	})
	if changed {
		return v
	}
	for _, w := range g.samples[routine] {
		if i--; sameValue(v, w) {
			i++
		} else if i == 0 {
			return w
		}
	}
	if i > 0 && len(g.samples[routine]) > 1 {
		// Relatives of the first that has some.
		for _, w := range g.samples[routine] {
			if x := g.relative(routine, w, i+len(g.samples[routine])); !sameValue(x, w) {
				return x
			}
		}
	}
	return v
}

// relative is altered for values in which something can be counted up.
func (g *model) relative(routine uint32, v interp.Value, i int) interp.Value {
	known := g.samples
	g.samples = nil
	defer func() { g.samples = known }()
	return g.altered(routine, v, i)
}

// tooMany returns the count that the word before a list, array or text cannot hold. It returns
// 0 if the word holds more than a case should have.
func (g *model) tooMany(p place) int {
	count := 0
	g.p.Walk(g.fields(p.typ), func(_ int, in *bytecode.Instr, _ int) bool {
		if in.Op != bytecode.Word || in.C == bytecode.None {
			return true
		}
		g.p.Exprs[in.C].Walk(func(e *bytecode.Expr) {
			if w := in.Scalar().Width(); count == 0 && w <= 2 && (e.Op == bytecode.ExprCount || e.Op == bytecode.ExprLen) && int(e.Arg) == p.cell {
				count = 1 << (8 * w)
			}
		})
		return true
	})
	return count
}

// excessLimit bounds the parts of all values of [model.excess] for one instruction: they are
// large, and alike in every shape.
const excessLimit = 1 << 16

// largest bounds the values in one of the values of [model.excess], with those in its parts.
const largest = 1 << 18

// weight returns the number of values in a value.
func weight(v interp.Value) int {
	n := 1
	switch v.Kind() {
	case interp.List, interp.Map, interp.Record:
		for _, c := range v.Cells() {
			n += weight(c)
		}
	}
	return n
}

// excess returns values with as many parts or bytes as the word before them can just
// hold. Other values have half as many, and one more. They are for words of 1 or 2
// bytes: what passes others is no case.
func (g *model) excess(p place, in *bytecode.Instr) []variation {
	n := g.tooMany(p)
	if n == 0 || in.Op != bytecode.Text && in.Op != bytecode.Packed && in.Op != bytecode.List && in.Op != bytecode.Map {
		return nil
	}
	var out []variation
	for _, x := range []struct {
		n           int
		what, about string
		keep        bool
	}{
		{n / 2, "half", "%d, for which the highest bit of the word before it is set", true},
		{n - 1, "most", "%d, which is as many as the word before it can hold", false},
		{n, "too-many", "%d, which is one more than the word before it can hold", true},
	} {
		if v, ok := g.many(p, in, x.n); ok {
			out = append(out, variation{x.what, fmt.Sprintf(x.about, x.n), v, []string{"range"}, x.keep})
		}
	}
	return out
}

// many returns a value with n parts or bytes.
func (g *model) many(p place, in *bytecode.Instr, n int) (interp.Value, bool) {
	v := p.value
	switch in.Op {
	case bytecode.Text:
		v = interp.MakeText(0, strings.Repeat("a", n))
	case bytecode.Packed:
		s := in.Scalar()
		v = interp.MakePacked(0, s, int(in.B), make([]byte, n*int(in.B)*s.Width())).WithWide(in.A&bytecode.FlagWide != 0)
	case bytecode.List, bytecode.Map:
		parts := v.Cells()
		step := 1
		if in.Op == bytecode.Map {
			step = 2
		}
		if len(parts) < step || n*weight(parts[0]) > largest {
			return v, false
		}
		var more []interp.Value
		for i := range n {
			more = append(more, parts[:step]...)
			if step == 2 {
				more[2*i] = g.altered(in.B, parts[0], i)
			}
		}
		v = v.WithCells(more)
	}
	return v, true
}

// lists returns lists of more parts.
func (g *model) lists(p place, in *bytecode.Instr) []variation {
	elem := in.B
	if in.Op == bytecode.Rest || in.Op == bytecode.Through || in.Op == bytecode.Spare {
		elem = in.A
	}
	parts := p.value.Cells()
	if len(parts) == 0 {
		return nil
	}
	var out []variation
	for _, n := range []int{2, 3, 5} {
		var more []interp.Value
		for i := range n {
			more = append(more, g.altered(elem, parts[0], i))
		}
		out = append(out, variation{fmt.Sprint(n), plural(n, "element"), interp.MakeList(0, more), []string{"count"}, n == 2})
	}
	return out
}
