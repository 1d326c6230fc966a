// Elements of arrays, lists and maps that plans read.

package interp

import (
	"math"
	"slices"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

func (g *reading) packedRow(row *readRow, cells []Value, places []int, regs0 int) bool {
	in := row.in
	s := in.Scalar()
	if s == bytecode.U8 && in.B == 1 {
		n := int64(g.end - g.pos)
		if in.C != bytecode.None {
			k := g.partsOf(&row.n, places, regs0, cells)
			if uint64(k) > uint64(n) {
				return false
			}
			n = k
		}
		if n > math.MaxInt32 {
			return false
		}
		var p unsafe.Pointer // never past the end
		if n > 0 {
			p = memory.Of(g.in).Addr(g.pos)
		}
		cells[row.cell].set(p, 1<<widthShift, uint32(n), metaOf(0, Packed, formOf(in.A)))
		g.last = int(n)
		g.pos += int(n)
		return true
	}
	size := s.Width() * int(in.B)
	n := int64((g.end - g.pos) / size)
	if in.C != bytecode.None {
		if k := g.partsOf(&row.n, places, regs0, cells); k < 0 || k > n {
			return false
		} else {
			n = k
		}
	}
	b := g.in[g.pos : g.pos+int(n)*size : g.pos+int(n)*size]
	g.last = len(b)
	g.pos += len(b)
	v := MakePacked(0, s, int(in.B), g.little(in, b))
	if in.A&bytecode.FlagWide != 0 {
		v.form |= formWide
	}
	cells[row.cell] = v
	return true
}

// room checks a count against the bytes that are left, and the memory for its cells.
func (g *reading) room(n int64, least uint64, cells int64) bool {
	return n >= 0 && uint64(n) <= uint64(g.end-g.pos)/least && g.afford(int(n*cells))
}

// passedBy returns the arguments of the elements of a list. They stay valid while these are read.
func (g *reading) passedBy(row *readRow, regs0 int) []uint64 {
	if row.args == 0 {
		return nil
	}
	at := regs0 + int(row.from)
	return g.regs[at : at+int(row.args) : at+int(row.args)]
}

func (g *reading) listRow(row *readRow, n int64, cells []Value, regs0 int) bool {
	elem := row.in.B
	if n == 0 {
		cells[row.cell].setNumber(0, metaOf(0, List, 0))
		g.last = 0
		return true
	}
	if !g.room(n, g.p.Bounds(elem).Min, 1) {
		return false
	}
	begin := g.pos
	list := g.r.slab.alloc(int(n))
	var ok bool
	switch p := row.linked(); {
	case p != nil && p.kind == planLeaves:
		_, ok = g.leaves(p, list, modeAll)
	case p != nil && p.kind == planRecord:
		_, ok = g.records(p, list, nil, modeAll)
	default:
		if row.link != nil {
			row.link.plan(g.m)
		}
		ok = g.elementsOf(elem, list, g.passedBy(row, regs0))
	}
	if !ok {
		return false
	}
	g.last = g.pos - begin
	cells[row.cell].set(unsafe.Pointer(unsafe.SliceData(list)), 0, uint32(n), metaOf(0, List, 0))
	return true
}

// elementsOf reads values of a routine until list is full.
func (g *reading) elementsOf(elem uint32, list []Value, args []uint64) bool {
	p := g.m.plans[elem]
	v := p.given(g.m, args)
	if v.byLeaves() {
		if len(list) == 0 {
			return true
		}
		_, ok := g.leaves(v, list, modeAll)
		return ok
	}
	if v != nil && v.union == nil && !p.inBlocks() {
		_, ok := g.records(v, list, args, modeAll)
		return ok
	}
	if p != nil && len(args) == 0 && !p.inBlocks() {
		for i := range list {
			if !g.planned(p, list[i:i+1]) {
				return false
			}
		}
		return true
	}
	if !p.inBlocks() {
		for i := range list {
			if !g.into1(elem, list[i:i+1], args) {
				return false
			}
		}
		return true
	}
	if len(list) == 0 {
		return true
	}
	if p.tooDeep(g.depth, g.nest, g.limit) {
		return false
	}
	g.nest++
	if p.nests {
		g.depth++
	}
	for len(list) > 0 {
		n := min(len(list), blockSize)
		if !g.block(p, list[:n]) {
			return false
		}
		list = list[n:]
	}
	g.nest--
	if p.nests {
		g.depth--
	}
	return true
}

// inBlocks reports whether several records are read at a time.
func (p *plan) inBlocks() bool {
	return p != nil && p.union == nil && p.leave == none && p.args == 0 && !p.alone && p.cells > 0
}

// block reads records until list is full, column by column.
func (g *reading) block(p *plan, list []Value) bool {
	cells, stride := list, 1
	if !p.single {
		stride = p.cells
		if !g.afford(stride * len(list)) {
			return false
		}
		cells = g.r.slab.alloc(stride * len(list))
	}
	if !p.covered {
		clear(cells)
	}
	regs0 := len(g.regs)
	g.regs = lengthen(g.regs, regs0+p.regs, p.zeros)
	ok := true
	if p.read.block {
		ok = g.columns(&p.read, cells, stride, len(list))
	} else {
		for k := 0; k < len(list) && ok; k++ {
			if k > 0 && p.zeros {
				clear(g.regs[regs0:])
			}
			ok = g.line(&p.read, cells[k*stride:k*stride+stride], regs0)
		}
	}
	g.regs = g.regs[:regs0]
	if !ok {
		return false
	}
	if p.single {
		if p.tag != 0 {
			for k := range list {
				list[k].tag = p.tag
			}
		}
		return true
	}
	meta := metaOf(p.tag, Record, 0)
	for k := range list {
		list[k].set(unsafe.Pointer(&cells[k*stride]), 0, uint32(stride), meta)
	}
	return true
}

func (g *reading) mapRow(row *readRow, n int64, cells []Value, regs0 int) bool {
	in := row.in
	args, ofKeys := g.passedBy(row, regs0), g.p.Routines[in.B].Args
	keys, args := args[:ofKeys], args[ofKeys:]
	if !g.room(n, g.p.Bounds(in.B).Min+g.p.Bounds(in.D).Min, 2) {
		return false
	}
	begin := g.pos
	pairs := g.r.slab.alloc(2 * int(n))
	if p := g.m.plans[in.B].given(g.m, keys); in.B == in.D && n > 0 && p.byLeaves() && slices.Equal(keys, args) {
		if _, ok := g.leaves(p, pairs, modeAll); !ok {
			return false
		}
		return g.mapOf(row, cells, pairs, begin)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !g.into1(in.B, pairs[i:i+1], keys) || !g.into1(in.D, pairs[i+1:i+2], args) {
			return false
		}
	}
	return g.mapOf(row, cells, pairs, begin)
}

// mapOf stores the map of pairs that have been read.
func (g *reading) mapOf(row *readRow, cells, pairs []Value, begin int) bool {
	g.last = g.pos - begin
	v := MakeMap(0, pairs)
	v.form |= g.r.keys.distinct(pairs)
	cells[row.cell] = v
	return true
}

// into1 reads one value of a routine into dst[0].
func (g *reading) into1(routine uint32, dst []Value, args []uint64) (ok bool) {
	if p := g.m.plans[routine]; p != nil {
		g.regs = append(g.regs, args...)
		return g.planned(p, dst)
	}
	dst[0], ok = g.value(routine, args)
	return ok
}
