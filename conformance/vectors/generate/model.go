// The values that a program reads and writes: which instructions a
// field is written by, and where in a value fields are.

package generate

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// model is a program, arranged by records.
type model struct {
	m     *interp.Machine
	p     *bytecode.Program
	types []record // by type

	seedList []seed
	equalled []equal                   // what equalShapes has found
	samples  map[uint32][]interp.Value // values of each routine that parts of seeds have
	exceeded map[int]int               // parts of the values that [model.excess] gave for an instruction
	part     func(routine uint32, v interp.Value)
}

// record is a type that values have.
type record struct {
	fields int    // the instruction that begins it
	alone  bool   // a field that is alone represents the record
	cells  []cell // its fields
}

// cell is a field of a record.
type cell struct {
	ops  []int    // instructions that take it from the wire, or put it there
	word int      // the instruction whose word holds it, for a field of some bits; else -1
	wide bool     // one of the instructions is the wider form
	edge []uint64 // numbers that conditions compare with, in its record
}

func newModel(m *interp.Machine) *model {
	p := m.Program()
	g := &model{m: m, p: p, types: make([]record, len(p.Types)), exceeded: map[int]int{}}
	for i := range g.types {
		g.types[i].fields = -1
	}
	for i := range p.Routines {
		var now *record
		word := -1
		p.Walk(p.Body(uint32(i)), func(pc int, in *bytecode.Instr, _ int) bool {
			switch in.Op {
			case bytecode.Fields:
				now = &g.types[in.B]
				now.fields, now.cells = pc, make([]cell, in.A)
				for c := range now.cells {
					now.cells[c].word = -1
				}
				now.alone = p.Code[p.End(pc)].B&bytecode.DoneAlone != 0
				word = -1
			case bytecode.Word, bytecode.Header:
				word = pc
			}
			if now != nil { // what a condition compares is mostly one of the fields of its record
				for _, n := range g.p.Compared(in) {
					for c := range now.cells {
						now.cells[c].edge = append(now.cells[c].edge, uint64(n), -uint64(n))
					}
				}
			}
			if c := in.Cell(); now != nil && c < uint32(len(now.cells)) {
				cell := &now.cells[c]
				cell.ops = append(cell.ops, pc)
				switch in.Op {
				case bytecode.Take, bytecode.ArmRef:
					cell.word = word
				case bytecode.Scalars, bytecode.Lanes, bytecode.Packed:
					cell.wide = cell.wide || in.A&bytecode.FlagWide != 0
				}
			}
			return true
		})
	}
	return g
}

// without returns a machine for the program in which checks that hold are in place of some instructions.
func (g *model) without(some func(pc int, in *bytecode.Instr) bool) (*interp.Machine, error) {
	p := *g.p
	p.Exprs = append(slices.Clone(p.Exprs), bytecode.Num(1))
	p.Strings = append(slices.Clone(p.Strings), "")
	p.Code = slices.Clone(p.Code)
	for pc := range p.Code {
		if in := &p.Code[pc]; some(pc, in) {
			*in = bytecode.Instr{Op: bytecode.Check, Rule: in.Rule, A: uint32(len(p.Exprs) - 1), B: uint32(len(p.Strings) - 1)}
		}
	}
	return interp.NewUnfused(&p, func(i int, _ *bytecode.Type) uint16 { return g.m.Tag(i) })
}

// fields returns the instructions of a record.
func (g *model) fields(t int) bytecode.Block {
	if pc := g.types[t].fields; pc >= 0 {
		return g.p.Inner(pc)[0]
	}
	return bytecode.Block{}
}

// rule returns the row of an instruction.
func (g *model) rule(pc int) *bytecode.Rule { return &g.p.Rules[g.p.Code[pc].Rule] }

// typeOf returns the type that a value of a routine has, or -1.
func (g *model) typeOf(routine uint32, v interp.Value) int {
	if t, ok := g.p.UnionTable(routine); ok {
		for _, a := range t.Arms {
			if g.m.Tag(int(a.Type)) == v.Tag() {
				return int(a.Type)
			}
		}
		return -1
	}
	for _, in := range g.p.Instrs(g.p.Body(routine)) {
		if in.Op == bytecode.Fields {
			return int(in.B)
		}
	}
	return -1
}

// open returns the fields of a value of a type.
func (g *model) open(t int, v interp.Value) []interp.Value {
	n := len(g.types[t].cells)
	cells := make([]interp.Value, n)
	if v.Kind() == interp.Record && v.Len() == len(g.p.Types[t].Fields) && !(n == 1 && g.p.Types[t].Fields[0].Alone) {
		copy(cells, v.Cells())
		return cells
	}
	for i, f := range g.p.Types[t].Fields {
		if f.Alone && (f.Kind == interp.None || f.Kind == v.Kind()) {
			if cells[i] = v; f.Kind != interp.None {
				cells[i] = v.WithTag(0)
			}
			break
		}
	}
	return cells
}

// close makes a value of fields, as a reader does.
func (g *model) close(t int, cells []interp.Value) interp.Value {
	fields := g.p.Types[t].Fields
	tag := g.m.Tag(t)
	if len(fields) == 0 {
		return interp.MakeUnit(tag)
	}
	cells = cells[:len(fields)]
	if g.types[t].alone {
		alone, count := -1, 0
		for i := range cells {
			if !cells[i].IsNone() {
				alone = i
				count++
			}
		}
		if count == 1 && fields[alone].Alone && fields[alone].Kind == interp.None {
			return cells[alone]
		}
		if count == 1 && fields[alone].Alone {
			return cells[alone].WithTag(tag)
		}
	}
	return interp.MakeRecord(tag, append([]interp.Value(nil), cells...))
}

// place is a field in a value.
type place struct {
	path   []int // cell, and index of the part for lists, in turn
	typ    int   // type of the record
	within []int // types of the records around it and of its record, the outermost first
	starts []int // how much of path leads to each of those
	again  int   // how many of those around it have its type, or are of its union
	cell   int
	value  interp.Value
	inner  bool   // it is inside a value of the root that is a part of the whole one
	hole   bool   // the place is not that of a field, but of such a part
	part   string // of a hole: what it is, "in", "key-of" or "value-of" its container
}

// walk calls f for every field of a value of a routine, outer ones first. It also does so for every part that
// is a value of the root, before its fields.
func (g *model) walk(routine uint32, v interp.Value, f func(place)) {
	g.walkIn(routine, v, place{}, f)
}

func (g *model) walkIn(routine uint32, v interp.Value, at place, f func(place)) {
	t := g.typeOf(routine, v)
	if t < 0 {
		return
	}
	at.inner = at.inner || routine == g.p.Root && len(at.path) > 0
	cells := g.open(t, v)
	for c := range cells {
		if cells[c].IsNone() || len(g.types[t].cells[c].ops) == 0 {
			continue
		}
		here := at
		here.path = append(append([]int(nil), at.path...), c)
		here.within = append(append([]int(nil), at.within...), t)
		here.starts = append(append([]int(nil), at.starts...), len(at.path))
		here.again = 0
		for _, w := range at.within {
			if u := g.p.Types[t].Union; w == t || u != "" && u == g.p.Types[w].Union {
				here.again++
			}
		}
		here.typ, here.cell, here.value, here.hole = t, c, cells[c], false
		f(here)
		in := &g.p.Code[g.types[t].cells[c].ops[0]]
		part := func(routine uint32, v interp.Value, i int, name string) {
			if g.part != nil {
				g.part(routine, v)
			}
			there := here
			if i >= 0 {
				there.path = append(append([]int(nil), here.path...), i)
			}
			if routine == g.p.Root {
				hole := there
				hole.hole, hole.value, hole.part = true, v, name
				f(hole)
			}
			g.walkIn(routine, v, there, f)
		}
		switch in.Op {
		case bytecode.Call:
			part(in.A, cells[c], -1, "in")
		case bytecode.List:
			for i, e := range cells[c].Cells() {
				part(in.B, e, i, "in")
			}
		case bytecode.Rest, bytecode.Through, bytecode.Spare:
			for i, e := range cells[c].Cells() {
				part(in.A, e, i, "in")
			}
		case bytecode.Map:
			for i, e := range cells[c].Cells() {
				if i%2 == 0 {
					part(in.B, e, i, "key-of")
				} else {
					part(in.D, e, i, "value-of")
				}
			}
		}
	}
}

// replace returns v with another value at a path.
func (g *model) replace(routine uint32, v interp.Value, path []int, with interp.Value) interp.Value {
	if len(path) == 0 {
		return with
	}
	t := g.typeOf(routine, v)
	if t < 0 {
		return v
	}
	cells := g.open(t, v)
	c := path[0]
	if len(path) == 1 {
		cells[c] = with
		return g.close(t, cells)
	}
	in := &g.p.Code[g.types[t].cells[c].ops[0]]
	if in.Op == bytecode.Call {
		cells[c] = g.replace(in.A, cells[c], path[1:], with)
		return g.close(t, cells)
	}
	parts := append([]interp.Value(nil), cells[c].Cells()...)
	i := path[1]
	elem := in.B
	switch {
	case in.Op == bytecode.Rest || in.Op == bytecode.Through || in.Op == bytecode.Spare:
		elem = in.A
	case in.Op == bytecode.Map && i%2 == 1:
		elem = in.D
	}
	parts[i] = g.replace(elem, parts[i], path[2:], with)
	cells[c] = cells[c].WithCells(parts)
	return g.close(t, cells)
}
