// Reading what has elements: lists and maps with a count, lists to the end, and the
// padding behind them.

package interp

import (
	"fmt"

	"github.com/octable/octable/compile/bytecode"
)

func (g *reading) pad(in *bytecode.Instr) bool {
	n := (int(in.A) - g.last%int(in.A)) % int(in.A)
	if g.obs != nil {
		g.obs.parts(n, min(n, g.end-g.pos))
	}
	if n == 0 {
		return true
	}
	if left := g.end - g.pos; n > left {
		if in.B&bytecode.PadOrEnd == 0 {
			return g.short(in.Rule, n, "the padding of "+g.p.Rules[in.Rule].Name)
		}
		n = left // and the next instruction finds no byte
	}
	g.pos += n
	if in.B&bytecode.PadExact != 0 {
		for i, b := range g.in[g.pos-n : g.pos] {
			if b != byte(in.C) {
				return g.fail(ErrValue, g.pos-n+i, in.Rule, fmt.Sprintf("padding of %#02x", in.C), fmt.Sprintf("%#02x", b))
			}
		}
	}
	return true
}

// passed returns the arguments of the elements of a list, which stay valid while its elements are read.
func (g *reading) passed(pc, regs0 int) []uint64 { return passed(g.p, pc, g.regs[regs0:]) }

// passed returns the arguments of the elements of the list at an instruction.
func passed(p *bytecode.Program, pc int, regs []uint64) []uint64 {
	from, n := p.Passed(pc)
	if n == 0 {
		return nil
	}
	return regs[from : from+n : from+n]
}

// value reads an element, in the fast loop where this call came from it.
func (g *reading) value(routine uint32, args []uint64) (Value, bool) {
	if !g.fast {
		return g.routine(routine, args)
	}
	if p := g.m.plans[routine]; p != nil {
		g.regs = append(g.regs, args...)
		dst := g.r.slab.alloc(1)
		ok := g.planned(p, dst)
		return dst[0], ok
	}
	u := g.m.fast[routine]
	if u == nil {
		return g.routine(routine, args)
	}
	g.r.fast.memory = g.memory
	var v Value
	pos, ok := g.r.fastValue(u, g.in, g.pos, g.end, g.depth, &v)
	g.memory = g.r.fast.memory
	g.pos = pos
	return v, ok
}

// into returns the path with the name of a field whose elements are read. The
// path is unchanged if the field represents an arm of a union.
func (g *reading) into(typ *bytecode.Type, cell uint32) []step { return intoField(g.path, typ, cell) }

func intoField(path []step, typ *bytecode.Type, cell uint32) []step {
	if typ == nil || int(cell) >= len(typ.Fields) || typ.Fields[cell].Alone && (typ.Union != "" || typ.Bare()) {
		return path
	}
	return append(path, step{name: typ.Fields[cell].Name})
}

func (g *reading) list(in *bytecode.Instr, n int64, typ *bytecode.Type, args []uint64) (Value, bool) {
	if !g.enough(n, g.p.Bounds(in.B).Min, in.Rule) || !g.spend(int(n), in.Rule) {
		return Value{}, false
	}
	if g.obs != nil {
		g.obs.parts(int(n), 0)
	}
	if size := g.fixed(in.B); size > 0 {
		return g.skip(int(n), size, in.B, args), true
	}
	begin := g.pos
	cells := g.r.slab.alloc(int(n))
	if g.fast {
		ok := g.elementsOf(in.B, cells, args)
		g.last = g.pos - begin
		return MakeList(0, cells), ok
	}
	steps := len(g.path)
	g.path = append(g.into(typ, in.C), step{})
	for i := range cells {
		g.path[len(g.path)-1] = step{index: i}
		v, ok := g.value(in.B, args)
		if !ok {
			return Value{}, false
		}
		cells[i] = v
	}
	g.path = g.path[:steps]
	g.last = g.pos - begin
	return MakeList(0, cells), true
}

func (g *reading) pairs(in *bytecode.Instr, n int64, typ *bytecode.Type, args []uint64) (Value, bool) {
	if !g.enough(n, g.p.Bounds(in.B).Min+g.p.Bounds(in.D).Min, in.Rule) || !g.spend(2*int(n), in.Rule) {
		return Value{}, false
	}
	if g.obs != nil {
		g.obs.parts(int(n), 0)
	}
	begin := g.pos
	cells := g.r.slab.alloc(2 * int(n))
	steps := len(g.path)
	g.path = append(g.into(typ, in.C), step{})
	keys := args[:g.p.Routines[in.B].Args]
	args = args[len(keys):]
	for i := 0; i < len(cells); i += 2 {
		g.path[len(g.path)-1] = step{index: i / 2, pair: true}
		key, ok := g.value(in.B, keys)
		if !ok {
			return Value{}, false
		}
		g.path[len(g.path)-1].key = key
		value, ok := g.value(in.D, args)
		if !ok {
			return Value{}, false
		}
		cells[i], cells[i+1] = key, value
	}
	g.path = g.path[:steps]
	g.last = g.pos - begin
	v := MakeMap(0, cells)
	v.form |= g.r.keys.distinct(cells)
	return v, true
}

// rest reads a list that ends without a count. last is the number of bytes of the last element.
func (g *reading) rest(in *bytecode.Instr, typ *bytecode.Type, args []uint64) (v Value, last int, ok bool) {
	left := g.end - g.pos
	if size := g.fixed(in.A); size > 0 && in.Op == bytecode.Rest && left%size == 0 && g.spend(left/size, in.Rule) {
		return g.skip(left/size, size, in.A, args), size, true
	}
	begin, cells0 := g.pos, len(g.cells)
	steps := len(g.path)
	g.path = append(g.into(typ, in.B), step{})
	stops, spare := in.Op == bytecode.Through, 0
	if in.Op == bytecode.Spare {
		spare = int(in.C)
	}
	for stops || g.end-g.pos > spare {
		g.path[len(g.path)-1] = step{index: len(g.cells) - cells0}
		if !g.spend(1, in.Rule) {
			return Value{}, 0, false
		}
		g.stop = false
		last = g.pos
		v, ok := g.routine(in.A, args)
		if !ok {
			return Value{}, 0, false
		}
		last = g.pos - last
		g.cells = append(g.cells, v)
		if stops && g.stop {
			break
		}
	}
	g.path = g.path[:steps]
	g.last = g.pos - begin
	cells := g.r.slab.alloc(len(g.cells) - cells0)
	copy(cells, g.cells[cells0:])
	g.cells = g.cells[:cells0]
	return MakeList(0, cells), last, true
}
