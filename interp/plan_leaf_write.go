// Writing values of unions of one byte in one loop.

package interp

import (
	"slices"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// headShape is how the byte of a union follows from a record.
type headShape uint8

const (
	headOther  headShape = iota // by head.run
	headNumber                  // a number
	headLine                    // a number plus another one, which has some bits, at its place
	headLines                   // one of several such lines, by the other number
	headNone                    // not known before the record is written
)

// head is the word that a writer computes for a record.
type head struct {
	shape headShape
	run   computation
	word  int64 // headNumber, headLine
	look  look  // headLine, headLines
	bits  uint  // headLine: of the other number
	shift uint  // headLine: of the other number
	lines []interval
}

// look is a number that a cell has: an integer, or the number of its parts.
type look struct {
	cell  int
	parts bool
	kinds uint16 // of cells with such a number; that of others is 0
}

// of returns the number.
func (l *look) of(cells []Value) uint64 {
	v := &cells[l.cell]
	if l.kinds>>(v.kind&15)&1 == 0 {
		return 0
	}
	if l.parts {
		return uint64(v.n)
	}
	return v.u
}

// lookOf returns the number of a cell that an expression is. Texts are as long as in memory.
func (m *Machine) lookOf(e *bytecode.Expr) (l look, ok bool) {
	l.cell = int(e.Arg)
	switch e.Op {
	case bytecode.ExprValue:
		l.kinds = integerKinds | truthKinds
	case bytecode.ExprCount:
		l.parts, l.kinds = true, partsKinds
	case bytecode.ExprLen:
		enc := &m.p.Encodings[e.Arg2]
		l.parts, l.kinds = true, 1<<Text
		return l, enc.Charset.Verbatim() && enc.NUL != bytecode.NULCounted
	default:
		return l, false
	}
	return l, true
}

// head returns the word that a record begins with, if nothing is looked at before it and cells are all that
// it looks at.
func (m *Machine) head(fields int) head {
	for pc := fields + 1; ; pc++ {
		switch in := &m.p.Code[pc]; in.Op {
		case bytecode.Expect:
			continue // the record does that
		case bytecode.Header:
			return m.headOf(in.C)
		}
		return head{shape: headNone}
	}
}

func (m *Machine) headOf(expr uint32) head {
	e := m.p.Exprs[expr]
	if anyNode(e, func(e *bytecode.Expr) bool { return e.Op == bytecode.ExprReg }) {
		return head{shape: headNone}
	}
	if n, ok := e.Fold(func(*bytecode.Expr) (int64, bool) { return 0, false }); ok {
		return head{shape: headNumber, word: n}
	}
	h := head{run: m.computed[expr].run}
	if h.line(m, e, 0) && h.bits > 0 {
		h.shape = headLine
		return h
	}
	h.word, h.bits = 0, 0
	if lines, leaf := piecewise(e); lines != nil {
		if l, ok := m.lookOf(leaf); ok {
			h.shape, h.lines, h.look, h.bits = headLines, lines, l, uint(e.Arg)
		}
	}
	return h
}

// line notes the parts of a sum with one number of a cell.
func (h *head) line(m *Machine, e *bytecode.Expr, shift uint) bool {
	if n, ok := e.Fold(func(*bytecode.Expr) (int64, bool) { return 0, false }); ok {
		h.word += n << shift
		return true
	}
	switch e.Op {
	case bytecode.ExprAdd:
		return shift == 0 && h.line(m, e.Args[0], 0) && h.line(m, e.Args[1], 0)
	case bytecode.ExprShl:
		n, ok := e.Args[1].Constant()
		return ok && shift == 0 && n >= 0 && n < 64 && h.line(m, e.Args[0], uint(n))
	case bytecode.ExprFit:
		l, ok := m.lookOf(e.Args[0])
		if !ok || h.bits > 0 || e.Arg < 1 || e.Arg > 63 {
			return false
		}
		h.look, h.bits, h.shift = l, uint(e.Arg), shift
		return true
	}
	return false
}

// of returns the word for the cells of a record. It is not ok if the word is not known, or if a number does not
// fit.
func (h *head) of(g *writing, cells []Value) (word int64, ok bool) {
	switch h.shape {
	case headNumber:
		return h.word, true
	case headLine:
		x := h.look.of(cells)
		return h.word + int64(x<<(h.shift&63)), x>>(h.bits&63) == 0
	case headLines:
		n := int64(h.look.of(cells))
		for i := range h.lines {
			if p := &h.lines[i]; n <= p.last {
				n = n*p.slope + p.base
				return n, h.bits >= 64 || uint64(n)>>h.bits == 0
			}
		}
		return 0, false
	case headNone:
		return 0, false
	}
	s := &g.scope
	if s.cells, s.misfit = cells, false; s.m == nil {
		s.m, s.open = g.m, g.w.opt.Open
	}
	word = h.run(s)
	return word, !s.misfit
}

// putLeaf is how a record of a union is written with one byte.
type putLeaf struct {
	op     leafOp
	stops  bool // it says whether a list ends
	stop   bool
	size   int // of the run
	chunks []chunk
	expect *bytecode.Instr // of a cell, or nil
	fixed  bool            // the number of parts is n
	n      uint32
	kind   Kind
	enc    uint16
}

// putLeafOf returns the form of a record of a routine.
func (p *plan) putLeafOf(routine uint32) (e putLeaf) {
	var rows []writeRow
	for _, row := range p.write.rows {
		if row.op == rowStop && row.n.fixed {
			e.stops, e.stop = true, row.n.number != 0
			continue
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 && rows[0].op == rowExpect {
		e.expect = rows[0].in
		rows = slices.Delete(rows, 0, 1)
	}
	if p.quit >= 0 || p.keeps > 0 || len(rows) == 0 || len(rows) > 2 || rows[0].op != rowRun {
		return e
	}
	e.size, e.chunks = rows[0].size, rows[0].chunks
	if len(rows) == 1 {
		e.op = leafRun
		return e
	}
	row := &rows[1]
	if !p.lone || !row.sure && !row.n.fixed || row.args != 0 {
		return e
	}
	if row.n.fixed && !row.sure {
		if e.fixed, e.n = true, uint32(row.n.number); row.n.number < 0 || row.n.number >= 1<<32 {
			return e
		}
	}
	switch in := row.in; {
	case row.op == rowText:
		e.op, e.kind, e.enc = leafText, Text, uint16(in.A)
	case row.op == rowPacked && in.Scalar() == bytecode.U8 && in.B == 1 && in.C != bytecode.None:
		e.op, e.kind = leafOctets, Packed
	case row.op == rowList && in.B == routine:
		e.op, e.kind = leafList, List
	case row.op == rowMap && in.B == routine && in.D == routine:
		e.op, e.kind = leafMap, Map
	}
	return e
}

// putLeaves writes values of a union of one byte. If through is true, the last one ends their list and no other
// one does.
func (g *writing) putLeaves(p *plan, list []Value, through bool) bool {
	if p.nests && g.depth > g.limit || g.nest >= maxNest(g.limit) {
		return false
	}
	g.nest++
	if p.nests {
		g.depth++
	}
	ok := g.putLeafLoop(p, list, through)
	g.nest--
	if p.nests {
		g.depth--
	}
	return ok
}

func (g *writing) putLeafLoop(p *plan, list []Value, through bool) bool {
	u := p.union
	for i := range list {
		v := &list[i]
		if int(v.tag) >= len(u.byTag) || u.byTag[v.tag] == 0 {
			return false
		}
		index := int(u.byTag[v.tag]) - 1
		arm := u.arms[index]
		if arm.cells > 0 && !arm.takes(v) {
			if !g.putOther(p, nil, v, through, i == len(list)-1) {
				return false
			}
			continue
		}
		cells := arm.cellsOf(v)
		word, ok := u.heads[index].of(g, cells)
		if !ok || uint64(word) >= 256 {
			if !g.putOther(p, arm, v, through, i == len(list)-1) {
				return false
			}
			continue
		}
		arm = u.putFor(g.m, p.routine, uint64(word), index)
		e := &arm.leaf
		if e.op == leafPlan {
			if !g.putOther(p, arm, v, through, i == len(list)-1) {
				return false
			}
			continue
		}
		if through && e.stop != (i == len(list)-1) {
			return false
		}
		if x := e.expect; x != nil && !(v.kind == Uint && x.Scalar() == bytecode.U64 && x.C&bytecode.ExpectTruth == 0 && arm.lone) && !g.expect(x, &cells[x.B]) {
			return false
		}
		at := g.reserve(e.size)
		if !g.putRun(e.chunks, at, unsafe.SliceData(cells)) {
			return false
		}
		if e.op == leafRun {
			continue
		}
		if v.kind != e.kind || e.fixed && v.n != e.n {
			return false
		}
		switch e.op {
		case leafText:
			n := int(v.n)
			at := g.reserve(n)
			if !g.w.text(memory.Of(g.out), at, v, e.enc) {
				return false
			}
		case leafOctets:
			if v.Width() != 1 || v.Scalar() != bytecode.U8 {
				return false
			}
			g.octetRow(memory.At(v.p, int(v.n)), int(v.n))
		case leafMap:
			if v.form&formDistinct == 0 && (v.form&formRepeats != 0 || g.w.keys.distinct(v.Cells()) == formRepeats) {
				return false
			}
			fallthrough
		case leafList:
			if v.n > 0 && !g.putLeaves(p, v.Cells(), false) {
				return false
			}
		}
	}
	return true
}

// putOther writes a value of another form, by the plan of its arm if that is known.
func (g *writing) putOther(p, arm *plan, v *Value, through, last bool) bool {
	g.stop = false
	base := len(g.regs)
	ok := false
	if arm == nil {
		g.regs = extend(g.regs, base+p.args)
		for _, k := range p.union.given {
			g.regs[base+int(k.Reg)] = k.Word
		}
		ok = g.routine(p.routine, *v, g.regs[base:])
	} else {
		g.regs = extend(g.regs, base+max(arm.keeps, arm.args))
		for _, k := range p.union.given {
			if arm.keeps > 0 {
				g.regs[base+int(k.Reg)] = k.Word
			}
		}
		ok = g.line(&arm.write, arm.cellsOf(v), base)
		if ok && arm.quit >= 0 {
			ok = g.leave(arm, v, base)
		}
	}
	g.regs = g.regs[:base]
	return ok && (!through || g.stop == last)
}
