// Seeds: the smallest value of each shape that the schema has. A shape is which arm
// a value is of, which optional fields it has, and whether its lists are empty.

package generate

import (
	"fmt"
	"maps"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/interp"
)

// seed is a value of one shape.
type seed struct {
	name   string // of the shape, after its content: "elements", "type-builtin.elements"; "" if the type has one shape
	typ    int    // of the value
	value  interp.Value
	open   uint8        // gates
	filled interp.Value // see full; None before it is known
}

// shapeLimit bounds how many shapes are looked for, in a schema whose types hold
// each other in many ways.
const shapeLimit = 250

// combinationLimit bounds the shapes of one type that only combine parts of shapes before them.
const combinationLimit = 32

// seeds returns the shapes of a program's values, simple ones first. Those that are made with
// all gates closed come before the others. Behind them are examples that have fields which none
// of those has.
func (g *model) seeds(examples [][]byte) ([]seed, error) {
	var all []seed
	closed, fields := map[string]bool{}, map[[2]int]bool{}
	for _, open := range g.gates() {
		gen, err := g.m.NewGenerator(interp.GenerateOptions{Open: open, MaxBytes: 256})
		if err != nil {
			return nil, err
		}
		found := g.search(gen, open)
		maps.Copy(fields, found.fields)
		for _, s := range found.out {
			shape, _ := g.shape(g.p.Root, s.value)
			if open != 0 && closed[shape] {
				if !g.gated(s) {
					continue
				}
				s.name = join(s.name, "open")
			}
			closed[shape] = true
			s.filled = g.full(s)
			all = append(all, s)
		}
	}
	for _, b := range examples {
		all = append(all, g.example(b, fields)...)
	}
	return all, nil
}

// example returns the value of a packet if it has fields that are not in a set. They are added to the set.
func (g *model) example(packet []byte, fields map[[2]int]bool) []seed {
	for _, open := range g.gates() {
		v, used, err := g.m.Decode(packet, interp.Options{Open: open})
		if err != nil || used < len(packet) {
			continue
		}
		known := len(fields)
		g.walk(g.p.Root, v, func(p place) { fields[[2]int{p.typ, p.cell}] = true })
		if len(fields) == known {
			return nil
		}
		s := seed{name: g.name(g.p.Root, v), typ: g.typeOf(g.p.Root, v), value: v, open: open}
		s.filled = g.full(s)
		return []seed{s}
	}
	return nil
}

// gated reports whether a value is written in another way with closed gates.
func (g *model) gated(s seed) bool {
	full := g.full(s)
	open, err := g.m.Append(nil, full, interp.Options{Open: s.open})
	if err != nil {
		return false
	}
	closed, err := g.m.Append(nil, full, interp.Options{})
	return err != nil || string(open) != string(closed)
}

// gates returns the settings of gates to try.
func (g *model) gates() []uint8 {
	if len(g.p.Gates) == 0 {
		return []uint8{0}
	}
	return []uint8{0, uint8(1<<len(g.p.Gates) - 1)}
}

// redraws is the number of records that a generator begins again in about the time of one value. It does so if
// conditions on the numbers that it drew do not hold.
const redraws = 16

// shapes is a search for the shapes of values.
type shapes struct {
	g            *model
	gen          *interp.Generator
	open         uint8
	budget       int // values to draw; redraws count as well
	out          []seed
	from         []interp.Choices // of the values in out
	seen         map[string]bool  // shapes
	parts        map[string]bool  // of the shapes
	fields       map[[2]int]bool  // of the records in the values: type and cell
	combinations map[int]int      // by type: shapes that only combine parts of others
	deep         bool             // such shapes are not kept
}

// draw draws a value within the budget, and returns how many of the choices it used.
func (s *shapes) draw(c interp.Choices) (v interp.Value, used int) {
	if s.budget <= 0 {
		return v, 0
	}
	before := s.gen.Redrawn()
	v, used = s.gen.Generate(c)
	s.budget -= 1 + (s.gen.Redrawn()-before)/redraws
	return v, used
}

// try keeps the value of choices if it has a new shape. It reports whether a search can go on from it.
func (s *shapes) try(c interp.Choices) bool {
	g := s.g
	v, _ := s.draw(c)
	if v.IsNone() {
		return false
	}
	v = g.still(g.p.Root, v)
	shape, small := g.shape(g.p.Root, v)
	if !small || s.seen[shape] || len(s.out) >= shapeLimit {
		return false
	}
	if _, err := g.m.Append(nil, v, interp.Options{Open: s.open}); err != nil {
		return false
	}
	s.seen[shape] = true
	t := g.typeOf(g.p.Root, v)
	g.walk(g.p.Root, v, func(p place) { s.fields[[2]int{p.typ, p.cell}] = true })
	known := len(s.parts)
	for part := range strings.FieldsSeq(shape) {
		s.parts[part] = true
	}
	if len(s.parts) == known {
		if s.combinations[t]++; s.deep || s.combinations[t] > combinationLimit {
			return false
		}
	}
	s.out = append(s.out, seed{name: g.name(g.p.Root, v), typ: t, value: v, open: s.open})
	s.from = append(s.from, c)
	return true
}

// search makes values of choices that are 0 but for few, and keeps the first of each
// shape. What has a new shape is where it goes on from.
func (g *model) search(gen *interp.Generator, open uint8) *shapes {
	arms, inner := 1, 1
	for i := range g.p.Routines {
		t, ok := g.p.UnionTable(uint32(i))
		if !ok {
			continue
		}
		if uint32(i) == g.p.Root {
			arms = len(t.Arms)
		}
		inner = max(inner, min(len(t.Arms), 12))
	}
	s := &shapes{g: g, gen: gen, open: open, budget: 20_000 + 6_000*arms, seen: map[string]bool{}, parts: map[string]bool{}, fields: map[[2]int]bool{}, combinations: map[int]int{}}
	var from []interp.Choices
	if arms == 1 {
		s.try(nil)
		from = append(from, nil)
	}
	for i := range arms {
		if arms > 1 {
			c := interp.Choices{byte(i)}
			if arms > 128 { // as the generator draws them
				c = append(c, byte(i>>8))
			}
			s.try(c)
			from = append(from, c)
		}
	}
	values := []byte{1, 0xff, 0x50}
	for i := 2; i <= inner; i++ {
		values = append(values, byte(i))
	}
	for i := range g.compared() {
		values = append(values, 0x40+byte(i)) // numbers that the schema compares with
	}
	// One more choice that is not 0 is at each place behind, and two of them are at
	// near ones. Some fields are there only when two things are chosen.
	const far, near = 16, 5
	for len(from) > 0 && len(s.out) < shapeLimit && s.budget > 0 {
		c := from[0]
		from = from[1:]
		_, used := s.draw(padded(c, max(far, len(c)+near))) // choices after the used ones have no effect
		for at := len(c); at < used; at++ {
			for _, b := range values {
				next := padded(c, at+1)
				next[at] = b
				if s.try(next) {
					from = append(from, next)
				}
				if at+1 >= len(c)+near {
					continue
				}
				_, used := s.draw(padded(next, len(c)+near))
				for more := at + 1; more < used; more++ {
					for _, b := range values {
						both := padded(next, more+1)
						both[more] = b
						if s.try(both) {
							from = append(from, both)
						}
					}
				}
			}
		}
	}
	s.deepen(values)
	return s
}

// deepen looks for fields that are in no value so far. It changes one choice at any place behind
// those of each value.
func (s *shapes) deepen(values []byte) {
	const most = 256 // choices
	s.budget, s.deep = max(s.budget, 20_000), true
	for i := 0; i < len(s.from) && s.unseen() && s.budget > 0; i++ {
		c := s.from[i]
		_, used := s.draw(padded(c, most))
		for at := len(c); at < used; at++ {
			for _, b := range values {
				next := padded(c, at+1)
				next[at] = b
				s.try(next)
			}
		}
	}
}

// unseen reports whether a field is in no value.
func (s *shapes) unseen() bool {
	for t := range s.g.types {
		for c := range s.g.types[t].cells {
			if s.g.types[t].fields >= 0 && len(s.g.types[t].cells[c].ops) > 0 && !s.fields[[2]int{t, c}] {
				return true
			}
		}
	}
	return false
}

// compared returns how many of the numbers that conditions are about are tried in a search. If
// an argument selects the arm of a union, they are those of the arms.
func (g *model) compared() int {
	n := 12
	for i := range g.p.Routines {
		if t, ok := g.p.UnionTable(uint32(i)); ok && g.p.Code[g.p.Routines[i].Start].Op == bytecode.Switch {
			n = max(n, min(len(t.Arms), 40))
		}
	}
	return n
}

// padded returns choices with zeros behind them, n in all.
func padded(c interp.Choices, n int) interp.Choices {
	out := make(interp.Choices, n)
	copy(out, c)
	return out
}

// still returns a value in which parts that are values of the root routine are the simplest. A
// shape ends at them.
func (g *model) still(routine uint32, v interp.Value) interp.Value {
	simple, ok := g.simplest()
	if !ok {
		return v
	}
	g.walk(routine, v, func(p place) {
		if p.hole && !p.inner {
			v = g.replace(routine, v, p.path, simple)
		}
	})
	return v
}

// simplest returns the value of the root union that says the least. It still shows
// a cursor in the wrong place.
func (g *model) simplest() (interp.Value, bool) { return g.sentinel(7) }

// sentinel returns a value of the root union that shows a number. It is of the first arm that is
// a whole number, or else of the first that is a text.
func (g *model) sentinel(n int64) (interp.Value, bool) {
	t, ok := g.p.UnionTable(g.p.Root)
	if !ok {
		return interp.Value{}, false
	}
	var text interp.Value
	for _, a := range t.Arms {
		cells := g.types[a.Type].cells
		if len(cells) != 1 || len(cells[0].ops) == 0 {
			continue
		}
		in := &g.p.Code[cells[0].ops[0]]
		s := in.Scalar()
		tag := g.m.Tag(int(a.Type))
		switch {
		case in.Op == bytecode.Scalars && !s.IsFloat() && s.Width() >= 4 && s.Signed():
			return interp.MakeInt(tag, n), true
		case in.Op == bytecode.Scalars && !s.IsFloat() && s.Width() >= 4:
			return interp.MakeUint(tag, uint64(n)), true
		case in.Op == bytecode.Text && text.IsNone():
			text = interp.MakeText(tag, fmt.Sprintf("~%d", n))
		}
	}
	return text, !text.IsNone()
}

// shape returns a text that is the same for values of the same shape. small
// reports whether no list of the value has several parts.
func (g *model) shape(routine uint32, v interp.Value) (shape string, small bool) {
	var b strings.Builder
	small = true
	t := g.typeOf(routine, v)
	if t < 0 {
		return "?", false
	}
	b.WriteString(g.p.Types[t].Name)
	g.walk(routine, v, func(p place) {
		if p.hole {
			if !p.inner {
				b.WriteString("*")
			}
			return
		}
		if p.inner {
			return // inside a part that is a value of the root itself
		}
		b.WriteString(" ")
		for _, i := range p.path {
			b.WriteByte('a' + byte(min(i, 25)))
		}
		b.WriteString(g.p.Types[p.typ].Name)
		op := g.p.Code[g.types[p.typ].cells[p.cell].ops[0]].Op
		if k := p.value.Kind(); (k == interp.List || k == interp.Map) && op != bytecode.Call { // a list that is called is a separate place
			most := 2
			if op == bytecode.Through {
				most = 3 // the last element is of the kind that ends the list
			}
			b.WriteByte('0' + byte(min(p.value.Len(), most)))
			small = small && p.value.Len() < most
		}
		small = small && p.again < 2
	})
	return b.String(), small
}

// name says which of the fields that its type can do without a value has.
func (g *model) name(routine uint32, v interp.Value) string {
	var parts []string
	g.walk(routine, v, func(p place) {
		if p.hole || p.inner {
			return
		}
		field := g.p.Types[p.typ].Fields[p.cell].Name
		in := &g.p.Code[g.types[p.typ].cells[p.cell].ops[0]]
		switch {
		case in.Op == bytecode.Call && in.A != g.p.Root && g.armOf(in.A, p.value) != "":
			field += "-" + g.armOf(in.A, p.value)
		case p.value.Kind() == interp.List || p.value.Kind() == interp.Map:
			if p.value.Len() == 0 {
				return
			}
		case !g.optional(p.typ, p.cell):
			return
		}
		if field != "" {
			parts = append(parts, field)
		}
	})
	return strings.Join(parts, ".")
}

// armOf returns the name of the arm of a union that a value is of, or "".
func (g *model) armOf(routine uint32, v interp.Value) string {
	if t := g.typeOf(routine, v); t >= 0 && g.p.Types[t].Union != "" {
		return g.p.Types[t].Name
	}
	return ""
}

// optional reports whether a field can be left out.
func (g *model) optional(t, c int) bool {
	found := false
	g.p.Walk(g.fields(t), func(_ int, in *bytecode.Instr, _ int) bool {
		found = found || in.Op == bytecode.Absent && int(in.A) == c
		return true
	})
	return found
}

// full returns a value of the same shape with something in every field. So a field that is left
// out, doubled or exchanged changes the result. Numbers count up.
func (g *model) full(s seed) interp.Value {
	if !s.filled.IsNone() {
		return s.filled
	}
	v := s.value
	n := 0
	g.walk(g.p.Root, v, func(p place) {
		if p.hole || p.inner {
			return
		}
		for _, with := range g.filling(p, &n) {
			next := g.replace(g.p.Root, v, p.path, with)
			if g.writes(next, s.open) {
				v = next
				break
			}
		}
	})
	return v
}

// writes reports whether a value is written, and read back unchanged.
func (g *model) writes(v interp.Value, open uint8) bool {
	b, err := g.m.Append(nil, v, interp.Options{Open: open})
	if err != nil {
		return false
	}
	w, used, err := g.m.Decode(b, interp.Options{Open: open})
	return err == nil && used == len(b) && sameValue(v, w)
}

// filling returns what to put into a field, the first that fits.
func (g *model) filling(p place, n *int) []interp.Value {
	v := p.value
	next := func() float64 { *n++; return float64(*n) }
	var out []interp.Value
	for _, pc := range g.types[p.typ].cells[p.cell].ops {
		in := &g.p.Code[pc]
		s := in.Scalar()
		switch in.Op {
		case bytecode.Scalars, bytecode.Take:
			switch v.Kind() {
			case interp.Float:
				out = append(out, interp.MakeFloat(0, 1.5))
			case interp.Bool:
				out = append(out, interp.MakeBool(0, true))
			case interp.Int:
				out = append(out, interp.MakeInt(0, int64(next())))
			case interp.Uint:
				if v.Uint() == 0 {
					out = append(out, interp.MakeUint(0, uint64(next())))
				}
			}
		case bytecode.Truth:
			out = append(out, interp.MakeBool(0, true))
		case bytecode.ArmRef:
			if simple, ok := g.sentinel(0); ok {
				out = append(out, interp.MakeUnit(simple.Tag()))
			}
		case bytecode.Lanes:
			b := make([]byte, 0, int(in.B)*s.Width())
			for range in.B {
				b = appendNumber(b, s, next())
			}
			out = append(out, interp.MakeLanes(0, s, b).WithWide(in.A&bytecode.FlagWide != 0))
		case bytecode.Packed:
			count := 1
			if v.Len() > 1 {
				count = v.Len() // it is fixed
			}
			b := make([]byte, 0, count*int(in.B)*s.Width())
			for range count * int(in.B) {
				b = appendNumber(b, s, next())
			}
			out = append(out, interp.MakePacked(0, s, int(in.B), b).WithWide(in.A&bytecode.FlagWide != 0))
		case bytecode.Text:
			*n++
			out = append(out, interp.MakeText(0, string(rune('a'+(*n-1)%26))))
		case bytecode.Until, bytecode.Filled:
			*n++
			letter := string(rune('a' + (*n-1)%26))
			out = append(out, interp.MakeText(0, letter))
			if in.A == bytecode.None {
				out[0] = interp.MakePacked(0, bytecode.U8, 1, []byte(letter))
			}
		case bytecode.Gaps:
			out = append(out, interp.MakePacked(0, bytecode.U8, 1, nil))
		}
		if len(out) > 0 {
			break // the form that is written first
		}
	}
	return out
}

// appendNumber appends a number as a scalar, lowest byte first.
func appendNumber(b []byte, s bytecode.Scalar, f float64) []byte {
	u := uint64(int64(f))
	if s.IsFloat() {
		u, _ = interp.BitsOf(s, f)
	}
	return appendBits(b, s, u)
}

// appendBits appends the bits of a scalar, lowest byte first.
func appendBits(b []byte, s bytecode.Scalar, u uint64) []byte {
	for range s.Width() {
		b = append(b, byte(u))
		u >>= 8
	}
	return b
}

// sameValue reports whether two values are the same in all that a notation says.
func sameValue(a, b interp.Value) bool { return mutants.SameValue(a, b) }

// collectSamples keeps the values that parts of seeds have, different ones, by their
// routine.
func (g *model) collectSamples() {
	g.samples = map[uint32][]interp.Value{}
	g.part = func(routine uint32, v interp.Value) {
		for _, w := range g.samples[routine] {
			if sameValue(v, w) {
				return
			}
		}
		g.samples[routine] = append(g.samples[routine], v)
	}
	for _, s := range g.seedList {
		g.walk(g.p.Root, g.full(s), func(place) {})
	}
	g.part = nil
}
