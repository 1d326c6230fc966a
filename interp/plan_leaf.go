// Values of unions of one byte: those of a simple form are read one after another in one loop.

package interp

import (
	"math"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// leafOp is the form of a value behind the byte of its union.
type leafOp uint8

const (
	leafPlan   leafOp = iota // any other: by the plan of the arm
	leafValue                // known, without more bytes
	leafText                 // text of a known length
	leafRun                  // numbers that are a run
	leafOther                // one number that is not a fill: signed or a float
	leafOctets               // bytes
	leafList                 // values of the union
	leafMap                  // pairs of values of the union
	leafRest                 // bytes up to the end of the region
)

// leaf is how a value of a union is read for one byte.
type leaf struct {
	op     leafOp
	word   bool // the number of parts is in a word behind the byte
	stops  bool // it says whether a list ends
	stop   bool // a list ends with it
	single bool // leafRun: of one cell
	load   loadForm
	size   int    // bytes of the run
	n      uint32 // parts, if they are known
	enc    uint32
	meta   uint32 // of the value
	value  Value
	row    *readRow
	takes  []readRow // leafRun: cells whose values are known
	plan   *plan     // of the arm
}

// leafOf returns the form of a record of a routine.
func (p *plan) leafOf(routine uint32) *leaf {
	e := p.simple(routine)
	if e.op == leafPlan { // the plan begins behind the byte
		e.size, e.word = 0, false
	}
	return e
}

func (p *plan) simple(routine uint32) *leaf {
	e := &leaf{plan: p}
	var rows []readRow
	for _, row := range p.read.rows {
		if row.op == rowStop && row.n.fixed {
			e.stops, e.stop = true, row.n.number != 0
			continue
		}
		rows = append(rows, row)
	}
	if p.leave != none || p.regs > 0 || p.alone {
		return e
	}
	if len(rows) == 0 {
		if p.cells == 0 {
			e.op, e.value, e.meta = leafValue, MakeUnit(p.tag), metaOf(p.tag, Unit, 0)
		}
		return e
	}
	row := &rows[0]
	e.row, e.size = row, row.size
	if p.single && row.op == rowTake && row.n.fixed && len(rows) == 1 {
		e.op, e.value = leafValue, row.value
		e.meta = metaOf(p.tag, e.value.kind, e.value.form)
		return e
	}
	for !p.single && row.op == rowTake && row.n.fixed && len(rows) > 1 {
		e.takes = append(e.takes, *row)
		rows = rows[1:]
		row = &rows[0]
		e.row, e.size = row, row.size
	}
	filled := row.op == rowRun && len(row.fills.regs)+len(row.fills.marks) == 0 && row.fills.other == nil
	switch {
	case filled && len(rows) == 1 && p.cells > 0 && len(row.fills.cells)+len(row.fills.views)+len(e.takes) == p.cells && p.fixed:
		e.op, e.single = leafRun, p.single
		return e
	case filled && p.single && len(row.fills.checks) == 0 && len(rows) == 2 && rows[1].op == rowColumn && rows[1].col.off == 0:
		e.op, e.row = leafOther, &rows[1]
		return e
	case !p.single:
		return e
	}
	if row.op == rowRunText && !row.filled && row.off == 0 && row.align == 1 {
		e.op, e.word, e.load, e.enc, e.meta = leafText, true, row.word, row.in.A, metaOf(p.tag, Text, 0)
		return e
	}
	if filled && !row.filled && len(rows) == 2 {
		row = &rows[1]
		if n := &row.n; n.bits == nil || !n.plain || n.off != 0 || n.word.scalar.Signed() || n.word.scalar.Width() != e.size || e.size > 4 {
			return e
		}
		e.word, e.load = true, row.n.word
	} else if len(rows) > 1 || !row.n.fixed || row.n.number < 0 || row.n.number > math.MaxInt32 {
		return e
	} else {
		e.n, e.size = uint32(row.n.number), 0
	}
	switch in := row.in; {
	case row.op == rowText:
		e.op, e.enc, e.meta = leafText, in.A, metaOf(p.tag, Text, 0)
	case row.op == rowPacked && in.Scalar() == bytecode.U8 && in.B == 1 && in.C != bytecode.None:
		e.op, e.meta = leafOctets, metaOf(p.tag, Packed, formOf(in.A))
	case row.op == rowList && in.B == routine && row.args == 0:
		e.op, e.meta = leafList, metaOf(p.tag, List, 0)
	case row.op == rowMap && in.B == routine && in.D == routine && row.args == 0:
		e.op, e.meta = leafMap, metaOf(p.tag, Map, 0)
	}
	return e
}

// leafFor returns the form of values for a byte, or nil if no arm has it.
func (g *reading) leafFor(p *plan, word byte) *leaf {
	u := p.union
	regs0 := len(g.regs)
	g.regs = extend(g.regs, regs0+u.regs)
	for _, k := range u.given {
		g.regs[regs0+int(k.Reg)] = k.Word
	}
	g.regs[regs0+int(u.word.B)] = uint64(word)
	i, ok := u.table.ByID(uint64(g.evaluate(u.word.C, regs0, nil)))
	g.regs = g.regs[:regs0]
	if !ok {
		return nil
	}
	e := u.armFor(g.m, p.routine, uint64(word), i).leafOf(p.routine)
	u.leaves[word].Store(e) // another goroutine may have made the same
	return e
}

// mode says where a sequence of values ends.
type mode uint8

const (
	modeAll     mode = iota // when the list is full
	modeThrough             // with the first value that ends it
	modeRest                // at the end of the region
)

// leaves reads values of a union of one byte into the cells of a list. It returns how many there are: the list
// may be full before the sequence ends.
func (g *reading) leaves(p *plan, list []Value, until mode) (n int, ok bool) {
	if p.tooDeep(g.depth, g.nest, g.limit) {
		return 0, false
	}
	g.nest++ // if anything fails, all is read again
	if p.nests {
		g.depth++
	}
	table := p.union.leaves
	in, pos, end := memory.Of(g.in), g.pos, g.end
	for n < len(list) {
		if pos >= end {
			if until != modeRest {
				return n, false
			}
			break
		}
		word := in.Load8(pos)
		e := table[word].Load()
		if e == nil {
			if e = g.leafFor(p, word); e == nil {
				return n, false
			}
		}
		pos++
		if until != modeAll && !g.afford(1) {
			return n, false
		}
		v := &list[n]
		n++
		if e.op == leafValue {
			v.setNumber(e.value.u, e.meta)
			if until == modeThrough {
				if g.stop = e.stop; e.stop {
					break
				}
			}
			continue
		}
		if end-pos < e.size {
			return n, false
		}
		parts := e.n
		if e.word {
			parts = uint32(loadWord(in, pos, e.load))
		}
		at := pos
		pos += e.size
		switch e.op {
		case leafText:
			k := int(parts)
			if k > end-pos || k < 0 {
				return n, false
			}
			if plainText(in, pos, k) {
				v.set(in.Addr(pos), 0, parts, e.meta)
			} else if k == 0 {
				v.setNumber(0, e.meta)
			} else if !g.r.fastTextSlow(v, g.in, pos, k, e.meta, e.enc) {
				return n, false
			}
			pos += k
		case leafRun:
			cells := v
			if !e.single {
				k := e.plan.cells
				if !g.afford(k) {
					return n, false
				}
				cells = &g.r.slab.alloc(k)[0]
			}
			if !g.fill(&e.row.fills, at, e.size, cells, 0) {
				return n, false
			}
			if e.single {
				v.tag = e.plan.tag
			} else {
				for i := range e.takes {
					*(*Value)(unsafe.Add(unsafe.Pointer(cells), e.takes[i].cell*int(unsafe.Sizeof(Value{})))) = e.takes[i].value
				}
				v.set(unsafe.Pointer(cells), 0, uint32(e.plan.cells), metaOf(e.plan.tag, Record, 0))
			}
		case leafOther:
			if !e.row.col.readOne(in, at, list[n-1:n]) {
				return n, false
			}
			v.tag = e.plan.tag
		case leafOctets:
			k := int(parts)
			if k > end-pos || k < 0 {
				return n, false
			}
			var first unsafe.Pointer // never past the end
			if k > 0 {
				first = in.Addr(pos)
			}
			v.set(first, 1<<widthShift, parts, e.meta)
			pos += k
		case leafList, leafMap:
			g.pos = pos
			if !g.leafParts(p, e, v, int64(parts)) {
				return n, false
			}
			pos = g.pos
		default:
			g.pos = pos
			if !g.leafRecord(p, e.plan, word, list[n-1:n]) {
				return n, false
			}
			pos = g.pos
		}
		if until == modeThrough {
			if e.op != leafPlan {
				g.stop = e.stop
			}
			if g.stop {
				break
			}
		}
	}
	g.pos = pos
	g.nest--
	if p.nests {
		g.depth--
	}
	return n, true
}

// leafParts reads the values in a list or a map.
func (g *reading) leafParts(p *plan, e *leaf, v *Value, n int64) bool {
	least, each := p.union.least, int64(1)
	if e.op == leafMap {
		least, each = 2*least, 2
	}
	if !g.room(n, least, each) {
		return false
	}
	cells := g.r.slab.alloc(int(n * each))
	if len(cells) > 0 {
		if _, ok := g.leaves(p, cells, modeAll); !ok {
			return false
		}
	}
	meta := e.meta
	if e.op == leafMap {
		meta |= uint32(g.r.keys.distinct(cells)) << 24
	}
	var first unsafe.Pointer
	if len(cells) > 0 {
		first = unsafe.Pointer(unsafe.SliceData(cells))
	}
	v.set(first, 0, uint32(n), meta)
	return true
}

// leafRecord reads a record behind the byte of its union.
func (g *reading) leafRecord(p, arm *plan, word byte, dst []Value) bool {
	g.r.fast.leaves++
	g.stop = false
	if arm.regs == 0 && arm.leave == none {
		return g.record(arm, &dst[0], len(g.regs))
	}
	base := len(g.regs)
	g.regs = extend(g.regs, base+p.union.regs)
	for _, k := range p.union.given {
		g.regs[base+int(k.Reg)] = k.Word
	}
	g.regs[base+int(p.union.word.B)] = uint64(word)
	ok := g.record(arm, &dst[0], base)
	g.regs = g.regs[:base]
	return ok
}
