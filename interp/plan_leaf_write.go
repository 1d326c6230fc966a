// Writing values of unions of one byte in one loop.

package interp

import (
	"math/bits"
	"slices"
	"sync/atomic"
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
	headWidth                   // one of two numbers: whether a scalar holds a number
	headNone                    // not known before the record is written
)

// head is the word that a writer computes for a record.
type head struct {
	shape  headShape
	run    computation
	word   int64 // headNumber, headLine
	look   look  // headLine, headLines
	bits   uint  // headLine: of the other number
	shift  uint  // headLine: of the other number
	lines  bytecode.Lines
	words  [2]int64 // headWidth: if the scalar holds it, and if not
	scalar bytecode.Scalar
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

// head returns the word that a record begins with. Nothing may be looked at before it, and it may look at
// cells only.
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
	if e.Any(func(e *bytecode.Expr) bool { return e.Op == bytecode.ExprReg }) {
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
	if h.width(e) {
		h.shape = headWidth
		return h
	}
	if lines, leaf := headLinesOf(e); lines != nil {
		if l, ok := m.lookOf(leaf); ok {
			h.shape, h.lines, h.look, h.bits = headLines, lines, l, uint(e.Arg)
		}
	}
	return h
}

// width notes the words of an expression that looks at nothing but whether a scalar holds a number.
func (h *head) width(e *bytecode.Expr) bool {
	var leaf *bytecode.Expr
	for i := range h.words {
		n, ok := e.Fold(func(x *bytecode.Expr) (int64, bool) {
			if x.Op != bytecode.ExprOutside || leaf != nil && !leaf.Equal(x) {
				return 0, x.Op == bytecode.ExprExact || x.Op == bytecode.ExprWide // widths are not kept
			}
			leaf = x
			return int64(i), true
		})
		if h.words[i] = n; !ok {
			return false
		}
	}
	if leaf == nil {
		return false
	}
	h.look.cell, h.scalar = int(leaf.Arg), bytecode.Scalar(leaf.Arg2)
	return true
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
		return ok && shift == 0 && uint64(n) < 64 && h.line(m, e.Args[0], uint(n))
	}
	if e.Op != bytecode.ExprFit || h.bits > 0 || e.Arg > 63 {
		return false
	}
	l, ok := m.lookOf(e.Args[0])
	if ok {
		h.look, h.bits, h.shift = l, uint(e.Arg), shift
	}
	return ok
}

// of returns the word for the cells of a record. It is not ok if the word is not known, or if a number does not
// fit.
func (h *head) of(g *writing, cells []Value) (word int64, ok bool) {
	switch h.shape {
	case headNumber:
		return h.word, true
	case headLine, headLines:
		return h.at(h.look.of(cells))
	case headWidth:
		return h.words[truth(outside(cells[h.look.cell], h.scalar))], true
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

// at returns the word for the other number.
func (h *head) at(x uint64) (word int64, ok bool) {
	if h.shape == headLine {
		return h.word + int64(x<<(h.shift&63)), x>>(h.bits&63) == 0
	}
	n := h.lines.At(int64(x))
	return n, uint64(n)>>h.bits == 0
}

// putLeaf is how a record of a union is written with one byte. What is looked at most comes first.
type putLeaf struct {
	op     leafOp
	stops  bool // it says whether a list ends
	stop   bool
	plain  bool // the run is known
	one    bool // the run is known but for the bits of the value
	fixed  bool // the number of parts is n
	quick  bool // the loop of operations writes it: numbers, and text behind them
	kind   Kind
	enc    uint16
	n      uint32
	most   uint8 // expect: bits of an unsigned number that it takes
	arm    int
	size   int    // of the run
	word   uint64 // plain, one: the run
	bit    putBit // one
	chunks []chunk
	expect *bytecode.Instr // of a cell, or nil
	plan   *plan
}

// putArm is what a writer has to know of an arm before it knows the byte.
type putArm struct {
	lone  bool
	parts bool   // the number that is looked at is that of the parts
	width bool   // it is whether a scalar does not hold a number
	kinds uint16 // of cells with such a number
	cells uint32
	at    int // of the cell that is looked at, in bytes
	// forms are those of the byte by the number, if it is below 256. It is nil if the byte follows from something else.
	forms []atomic.Pointer[putLeaf]
	texts []atomic.Uint32 // the bytes of texts by their length, if the value is a text on whose length the byte depends
	head  *head
	plan  *plan
	index int
}

// putArms makes the arms of a union from their plans.
func (u *unionPlan) putArms() {
	arms := make([]putArm, len(u.arms))
	for i, p := range u.arms {
		h := &u.heads[i]
		arms[i] = putArm{lone: p.lone, parts: h.look.parts, width: h.shape == headWidth, kinds: h.look.kinds, cells: uint32(p.cells),
			at: h.look.cell * int(unsafe.Sizeof(Value{})), head: h, plan: p, index: i}
		switch h.shape {
		case headNumber, headLine, headLines, headWidth:
			arms[i].forms = make([]atomic.Pointer[putLeaf], 256)
			if p.lone && h.look.parts && h.look.kinds == 1<<Text {
				arms[i].texts = make([]atomic.Uint32, shortTexts)
			}
		}
	}
	u.puts = make([]*putArm, len(u.byTag))
	for tag, i := range u.byTag {
		if i > 0 {
			u.puts[tag] = &arms[i-1]
		}
	}
}

// cellsIn returns the cells of a value, if they are as many as those of the arm.
func (a *putArm) cellsIn(v *Value) (cells unsafe.Pointer, ok bool) {
	if a.cells == 0 {
		return unsafe.Pointer(v), true
	}
	if a.lone {
		return unsafe.Pointer(v), v.kind != None && v.kind != Record
	}
	return v.p, v.kind == Record && v.n == a.cells
}

// otherNumber returns the number that the byte depends on, of a cell that is not a number.
func (a *putArm) otherNumber(v *Value) uint64 {
	if a.width {
		return uint64(truth(outside(*v, a.head.scalar)))
	}
	return 0
}

// formOf returns how a record is written, or nil if that is not known before.
func (a *putArm) formOf(g *writing, p *plan, v *Value, number uint64) *putLeaf {
	word, ok := a.head.of(g, a.plan.cellsOf(v))
	if !ok || uint64(word) >= 256 {
		return nil
	}
	e := p.union.formFor(g.m, p.routine, uint64(word), a.index)
	if e != nil && a.forms != nil && number < 256 {
		a.forms[number].Store(e)
		a.noteText(e, number)
	}
	return e
}

// putLeafOf returns the form of a record of a routine.
func (p *plan) putLeafOf(m *Machine, routine uint32) *putLeaf {
	e := &putLeaf{plan: p, arm: p.arm}
	var rows []writeRow
	for _, row := range p.write.rows {
		if row.op == rowStop && row.n.fixed {
			e.stops, e.stop = true, row.n.number != 0
			continue
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 && rows[0].op == rowExpect {
		in := rows[0].in
		if s := in.Scalar(); in.C&bytecode.ExpectTruth == 0 && !s.IsFloat() {
			e.most = uint8(8*s.Width() - 1)
		}
		e.expect = in
		rows = slices.Delete(rows, 0, 1)
	}
	if p.quit != none || p.keeps > 0 || len(rows) == 0 || len(rows) > 2 || rows[0].op != rowRun {
		return e
	}
	e.size, e.chunks = rows[0].size, rows[0].chunks
	if c := e.chunks; len(c) == 1 && c[0].op == chunkBits && len(c[0].bits)+len(c[0].counts) == 0 && c[0].at == 0 {
		if e.plain, e.word = true, c[0].rest; c[0].big {
			e.word = bits.ReverseBytes64(e.word)
		}
	} else if len(c) == 1 && c[0].op == chunkBits && len(c[0].bits) == 1 && len(c[0].counts) == 0 && c[0].at == 0 && c[0].big && p.lone {
		e.one, e.word, e.bit = true, c[0].rest, c[0].bits[0]
	}
	quick := (e.expect == nil || e.most > 0) && !slices.ContainsFunc(e.chunks, func(c chunk) bool { return c.op != chunkBits || len(c.counts) > 0 })
	if len(rows) == 1 {
		e.op, e.quick = leafRun, quick
		return e
	}
	row := &rows[1]
	fixed := row.n.fixed && !row.sure
	if !p.lone || !row.sure && !fixed || row.args != 0 || fixed && uint64(row.n.number) >= 1<<32 {
		return e
	}
	if fixed {
		e.fixed, e.n = true, uint32(row.n.number)
	}
	switch in := row.in; {
	case row.op == rowText && m.p.Encodings[in.A].NUL != bytecode.NULCounted:
		e.op, e.kind, e.enc, e.quick = leafText, Text, uint16(in.A), quick
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
	if p.tooDeep(g.depth, g.nest, g.limit) {
		return false
	}
	g.nest++ // if anything fails, all is written again
	if p.nests {
		g.depth++
	}
	u := p.union
	for i := range list {
		v := &list[i]
		if int(v.tag) >= len(u.puts) {
			return false
		}
		arm := u.puts[v.tag]
		if arm == nil {
			return false
		}
		var e *putLeaf
		cells, ok := arm.cellsIn(v)
		if !ok {
			arm = nil
		} else {
			n := uint64(256)
			if arm.forms != nil {
				c := (*Value)(unsafe.Add(cells, arm.at))
				if arm.kinds>>(c.kind&15)&1 == 0 {
					n = arm.otherNumber(c)
				} else if n = c.u; arm.parts {
					n = uint64(c.n)
				}
				if n < 256 {
					e = arm.forms[n].Load()
				}
			}
			if e == nil {
				e = arm.formOf(g, p, v, n)
			}
		}
		if e == nil || e.op == leafPlan {
			if !g.putOther(p, e, arm, v, through, i == len(list)-1) {
				return false
			}
			continue
		}
		if through && e.stop != (i == len(list)-1) {
			return false
		}
		if x := e.expect; x != nil {
			if c := (*Value)(unsafe.Add(cells, int(x.B)*int(unsafe.Sizeof(Value{})))); (c.kind != Uint || c.u>>(e.most&63) != 0 || e.most == 0) && !g.expect(x, c) {
				return false
			}
		}
		at := len(g.out)
		need := e.size
		if e.op == leafText {
			need += int(v.n)
		}
		if cap(g.out)-at < need+headroom {
			g.out = slices.Grow(g.out, need+headroom)
		}
		g.out = g.out[:at+need]
		out := memory.Of(g.out)
		if e.plain {
			out.Store64(at, e.word)
		} else if e.one {
			if v.u&e.bit.over != 0 || !e.bit.takes(v.kind) {
				return false
			}
			out.Store64(at, bits.ReverseBytes64(e.word|v.u<<(e.bit.left&63)))
		} else if !g.putRun(e.chunks, at, (*Value)(cells)) {
			return false
		}
		switch e.op {
		case leafRun:
		case leafText:
			if n := int(v.n); v.kind != Text || e.fixed && v.n != e.n {
				return false
			} else if n >= 4 && n <= 16 {
				if shortText(memory.At(v.p, n), out, at+e.size, n) != 0 && !g.w.oddText(v, e.enc) {
					return false
				}
			} else if !g.w.text(out, at+e.size, v, e.enc) {
				return false
			}
		default:
			if v.kind != e.kind || e.fixed && v.n != e.n || !g.putParts(p, e, v) {
				return false
			}
		}
	}
	g.nest--
	if p.nests {
		g.depth--
	}
	return true
}

// shortText copies text of 4 to 16 bytes. It returns 0 if the text is ASCII without NUL.
func shortText(src, out memory.View, at, n int) (dirty uint64) {
	if n >= 8 {
		x, y := src.Load64(0), src.Load64(n-8)
		out.Store64(at, x)
		out.Store64(at+n-8, y)
		return odd(x) | odd(y)
	}
	x, y := src.Load32(0), src.Load32(n-4)
	out.Store32(at, x)
	out.Store32(at+n-4, y)
	return odd(uint64(x) | uint64(y)<<32)
}

// putParts writes the bytes or the values of an array, a list or a map.
func (g *writing) putParts(p *plan, e *putLeaf, v *Value) bool {
	switch e.op {
	case leafOctets:
		if v.Width() != 1 || v.Scalar() != bytecode.U8 {
			return false
		}
		g.octetRow(memory.At(v.p, int(v.n)), int(v.n))
		return true
	case leafMap:
		if g.w.keys.repeats(v) {
			return false
		}
	}
	return v.n == 0 || g.putLeaves(p, v.Cells(), false)
}

// putOther writes a value of another form. It uses the plan of the form or of its arm if there is one.
func (g *writing) putOther(p *plan, e *putLeaf, a *putArm, v *Value, through, last bool) bool {
	g.stop = false
	base := len(g.regs)
	ok := false
	var arm *plan
	if e != nil {
		arm = e.plan
	} else if a != nil {
		arm = a.plan
	}
	if arm == nil {
		g.regs = extend(g.regs, base+p.args)
		for _, k := range p.union.given {
			g.regs[base+int(k.Reg)] = k.Word
		}
		ok = g.routine(p.routine, *v, g.regs[base:])
	} else {
		flat := arm.flat(g.m)
		if g.nest+flat.deepest >= maxNest(g.limit) {
			return false
		}
		g.regs = extend(g.regs, base+flat.regs)
		for _, k := range p.union.given {
			if arm.keeps > 0 {
				g.regs[base+int(k.Reg)] = k.Word
			}
		}
		ok = g.line(flat, arm.cellsOf(v), base)
		if ok && arm.quit != none {
			ok = g.leave(arm, v, base)
		}
	}
	g.regs = g.regs[:base]
	return ok && (!through || g.stop == last)
}
