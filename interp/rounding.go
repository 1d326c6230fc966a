// Rounding of keys: maps are written without keys that are the same in single precision.

package interp

import (
	"math"
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// rounding says which floats in the values of a type are written in single precision.
type rounding struct {
	cells []cellRounding
	lets  []bytecode.Instr // that give registers their numbers, from the cells of the record
	regs  int
}

// cellRounding is the rounding of a field.
type cellRounding struct {
	forms []floatForm // of floats
	op    bytecode.Op // List, Map or Call: of values of routines; else 0
	elem  uint32      // routine of the value, of elements, or of keys
	value uint32      // Map: of values
}

// floatForm is one form of the floats of a field, which is written if its conditions hold.
type floatForm struct {
	scalar bytecode.Scalar
	conds  []formCond
}

type formCond struct {
	expr  uint32
	holds bool
}

// findRounding finds the maps in whose keys something is rounded.
func (m *Machine) findRounding() {
	p := m.p
	if !slices.ContainsFunc(p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Map }) {
		return
	}
	all := map[uint32]*rounding{}
	for i := range p.Routines {
		m.roundingOf(uint32(i), all)
	}
	for _, r := range all {
		for i := range r.cells {
			if !m.determined(r, i) {
				r.cells[i].forms = nil
			}
		}
	}
	m.rounding = map[uint32]*rounding{}
	for before := -1; before < len(m.rounding); {
		before = len(m.rounding)
		for t, r := range all {
			if slices.ContainsFunc(r.cells, m.rounds) {
				m.rounding[t] = r
			}
		}
	}
	for t, r := range all {
		for c, x := range r.cells {
			if x.op == bytecode.Map && m.roundsIn(x.elem) {
				if m.roundedMaps == nil {
					m.roundedMaps = map[*bytecode.Type]map[int]uint32{}
				}
				of := &p.Types[t]
				if m.roundedMaps[of] == nil {
					m.roundedMaps[of] = map[int]uint32{}
				}
				m.roundedMaps[of][c] = x.elem
			}
		}
	}
}

// roundingOf collects the rows of floats of the types of a routine.
func (m *Machine) roundingOf(routine uint32, all map[uint32]*rounding) {
	var now *rounding
	var walk func(b bytecode.Block, conds []formCond)
	walk = func(b bytecode.Block, conds []formCond) {
		for pc, in := range m.p.Instrs(b) {
			switch in.Op {
			case bytecode.Fields:
				now = &rounding{cells: make([]cellRounding, len(m.p.Types[in.B].Fields)), regs: int(m.p.Routines[routine].Regs)}
				all[in.B] = now
			case bytecode.Header, bytecode.Word, bytecode.Let:
				if now != nil {
					now.lets = append(now.lets, *in)
				}
			}
			if c := in.Cell(); now != nil && c < uint32(len(now.cells)) {
				now.cells[c].add(in, conds)
			}
			for k, inner := range m.p.Inner(pc) {
				next := conds
				if in.Op == bytecode.If {
					next = append(slices.Clip(conds), formCond{in.A, k == 0})
				}
				walk(inner, next)
			}
		}
	}
	walk(m.p.Body(routine), nil)
}

// determined reports whether floats of a field are always written in the same form, if widths are not kept. The form is tried
// with several values of all fields and registers.
func (m *Machine) determined(r *rounding, cell int) bool {
	c := &r.cells[cell]
	if !slices.ContainsFunc(c.forms, func(f floatForm) bool { return f.scalar != c.forms[0].scalar }) {
		return true
	}
	w := &Writer{m: m}
	first := bytecode.NoScalar
	for _, n := range []int{0, 1, 3, 255} {
		list := make([]Value, n)
		for _, other := range []Value{{}, MakeUint(0, uint64(n)), MakeList(0, list), MakeText(0, string(make([]byte, n)))} {
			for _, f := range []float64{0.5, 0.1} {
				cells := slices.Repeat([]Value{other}, len(r.cells))
				cells[cell] = MakeFloat(0, f)
				scalar := c.written(w, cells, w.formRegs(r, cells, uint64(n)))
				if first == bytecode.NoScalar {
					first = scalar
				}
				if scalar != first {
					return false
				}
			}
		}
	}
	return true
}

// add notes a row of the field, under some conditions.
func (c *cellRounding) add(in *bytecode.Instr, conds []formCond) {
	switch in.Op {
	case bytecode.Scalars, bytecode.Lanes, bytecode.Packed:
		if !in.Coded() && in.Scalar().IsFloat() {
			c.forms = append(c.forms, floatForm{in.Scalar(), conds})
		}
	case bytecode.Call, bytecode.Rest, bytecode.Through:
		c.op, c.elem = in.Op, in.A
	case bytecode.List, bytecode.Map:
		c.op, c.elem, c.value = in.Op, in.B, in.D
	}
}

// rounds reports whether something in the values of a field may be written in single precision.
func (m *Machine) rounds(c cellRounding) bool {
	return slices.ContainsFunc(c.forms, func(f floatForm) bool { return f.scalar == bytecode.F32 }) ||
		c.op != 0 && m.roundsIn(c.elem) || c.op == bytecode.Map && m.roundsIn(c.value)
}

// roundsIn reports whether values of a routine have such a field.
func (m *Machine) roundsIn(routine uint32) bool {
	if t := m.tables[routine]; t != nil {
		return slices.ContainsFunc(t.Arms, func(a bytecode.TableArm) bool { return m.rounding[a.Type] != nil })
	}
	return m.rounding[m.typeOf(routine, 0)] != nil
}

// typeOf returns the type of values of a routine with a tag, or None.
func (m *Machine) typeOf(routine uint32, tag uint16) uint32 {
	if t := m.tables[routine]; t != nil {
		if arm, ok := m.arm(routine, tag); ok {
			return t.Arms[arm].Type
		}
		return bytecode.None
	}
	for _, in := range m.p.Instrs(m.p.Body(routine)) {
		if in.Op == bytecode.Fields {
			return in.B
		}
	}
	return bytecode.None
}

// rounded returns a key of a routine, or a part of a key, as a reader gets it back from what is written: with floats
// rounded that are written in single precision. It reports whether that is another value.
func (w *Writer) rounded(routine uint32, v Value, depth int) (out Value, differs bool) {
	m, typ := w.m, w.m.typeOf(routine, v.tag)
	r := m.rounding[typ]
	if r == nil || depth > maxSame || !inexact(v, depth) {
		return v, false
	}
	t := &m.p.Types[typ]
	given := make([]Value, len(t.Fields))
	if !distribute(t, v, given) {
		return v, false
	}
	cells := slices.Clone(given)
	var regs []uint64
	for i := range cells {
		c, other := &r.cells[i], false
		switch {
		case c.op != 0:
			cells[i], other = w.roundedParts(c, cells[i], depth)
		case len(c.forms) > 0 && inexact(cells[i], depth):
			if regs == nil {
				regs = w.formRegs(r, given, 0)
			}
			if c.written(w, given, regs) == bytecode.F32 {
				cells[i], other = single(cells[i]), true
			}
		}
		differs = differs || other
	}
	if alone := slices.Index(given, v); alone >= 0 {
		return cells[alone], differs
	}
	return MakeRecord(v.tag, cells).WithWide(v.Wide()), differs
}

// roundedParts returns a value of another routine, or a list or map of such, with rounded floats.
func (w *Writer) roundedParts(c *cellRounding, v Value, depth int) (out Value, differs bool) {
	switch {
	case c.op == bytecode.Call:
		return w.rounded(c.elem, v, depth+1)
	case v.kind != List && v.kind != Map:
		return v, false
	}
	cells := slices.Clone(v.Cells())
	for i := range cells {
		routine, other := c.elem, false
		if v.kind == Map && i%2 == 1 {
			routine = c.value
		}
		cells[i], other = w.rounded(routine, cells[i], depth+1)
		differs = differs || other
	}
	return v.WithCells(cells), differs
}

// formRegs computes the registers that select the forms of floats, from the cells of their record. Those that depend on
// something else have a number that is given.
func (w *Writer) formRegs(r *rounding, cells []Value, others uint64) []uint64 {
	regs := slices.Repeat([]uint64{others}, r.regs)
	s := w.scope(cells, regs)
	for i := range r.lets {
		switch in := &r.lets[i]; {
		case in.Op == bytecode.Let:
			x, _ := s.compute(in.B)
			regs[in.A] = uint64(x)
		case in.Op == bytecode.Header || in.C != bytecode.None:
			x, _ := s.compute(in.C)
			regs[in.B] = uint64(x)
		}
	}
	return regs
}

func (w *Writer) scope(cells []Value, regs []uint64) scope {
	return scope{m: w.m, regs: regs, cells: cells, open: w.opt.Open, exact: w.opt.KeepWidths}
}

// written returns the scalar in which floats of a field are written.
func (c *cellRounding) written(w *Writer, cells []Value, regs []uint64) bytecode.Scalar {
	s := w.scope(cells, regs)
	for _, f := range c.forms {
		if !slices.ContainsFunc(f.conds, func(x formCond) bool {
			y, _ := s.compute(x.expr)
			return (y != 0) != x.holds
		}) {
			return f.scalar
		}
	}
	return c.forms[0].scalar
}

// single returns floats rounded to single precision. Other values do not change.
func single(v Value) Value {
	var b []byte
	switch v.kind {
	case Float:
		v.u = math.Float64bits(widen(narrow(v.Float())))
		return v
	case Lanes, Packed:
		for i := range v.numbers() {
			b = appendScalar(b, bytecode.F32, uint64(narrow(v.float(i))), false)
		}
	default:
		return v
	}
	if v.kind == Lanes {
		return MakeLanes(v.tag, bytecode.F32, b).WithWide(v.Wide())
	}
	return MakePacked(v.tag, bytecode.F32, v.Width(), b).WithWide(v.Wide())
}

// inexact reports whether a value has floats that single precision may not hold.
func inexact(v Value, depth int) bool {
	switch v.kind {
	case Float:
		f := v.Float()
		return float64(float32(f)) != f
	case Lanes, Packed:
		if v.Scalar() != bytecode.F64 {
			return false
		}
		for i := range v.numbers() {
			if f := v.float(i); float64(float32(f)) != f {
				return true
			}
		}
	case List, Map, Record:
		return depth > maxSame || slices.ContainsFunc(v.Cells(), func(c Value) bool { return inexact(c, depth+1) })
	}
	return false
}

// roundedMap merges the pairs of a map with rounded keys. It reports false if no key is rounded.
func (g *writing) roundedMap(t *bytecode.Type, cell int, c *Value) bool {
	routine, ok := g.m.roundedMaps[t][cell]
	if !ok {
		return false
	}
	keys, differ := g.w.roundedKeys(routine, c.Cells())
	if differ {
		*c = g.w.keys.merged(*c, keys)
		g.w.keys.forget() // the rounded keys are dropped
	}
	return differ
}

// roundedKeys returns the pairs of a map with keys as they are written. It reports whether one differs.
func (w *Writer) roundedKeys(routine uint32, pairs []Value) (out []Value, differ bool) {
	for i := 0; i < len(pairs); i += 2 {
		if key, differs := w.rounded(routine, pairs[i], 0); differs {
			if out == nil {
				out = slices.Clone(pairs)
			}
			out[i] = key
		}
	}
	return out, out != nil
}

// distinct reports whether no two keys of a map are the same as they are written.
func (w *Writer) distinct(v *Value, routine uint32) bool {
	if w.m.roundedMaps != nil {
		if pairs, differ := w.roundedKeys(routine, v.Cells()); differ {
			w.keys.forget()
			distinct := w.keys.distinct(pairs) == formDistinct
			w.keys.forget() // the rounded keys are dropped
			return distinct
		}
	}
	return v.form&formDistinct != 0 || v.form&formRepeats == 0 && w.keys.distinct(v.Cells()) == formDistinct
}
