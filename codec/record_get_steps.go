// Operations of the steps of a record that is read.

package codec

import (
	"maps"
	"math/bits"
	"reflect"

	"github.com/octable/octable/compile/bytecode"
)

// getList makes the operations of a list of steps.
type getList struct {
	c      *recordCompiler
	ops    []getOp
	base   int32 // of the registers of the record
	frame  int   // registers that are used
	open   int   // the operation that begins the last run, if nothing follows its bytes; else -1
	size   int   // bytes of that run
	run    int   // place in it of the last run of the steps
	at     uintptr
	padded int32           // the register with the place of the part that padding follows
	depth  int             // records that have the steps inside
	deep   int             // the most of them
	picks  map[int32]getOp // registers that are bits of others
	wide   map[int32]int   // bits of registers, if they are fewer than 64
}

// lowerReads makes the operations of all plans of a reader.
func (c *recordCompiler) lowerReads() {
	for _, rec := range c.plans {
		c.lowerRead(rec)
		rec.stale = !(rec.flat && rec.whole) && !rec.union.overwrites()
	}
}

// lowerRead makes the operations of a plan and of those inside.
func (c *recordCompiler) lowerRead(rec *recordPlan) {
	if rec.broken || rec.lowered {
		return
	}
	rec.lowered = true
	u := rec.union
	if u == nil {
		c.lowerGets(rec, rec)
		return
	}
	rec.regs = rec.args
	if u.size > 0 {
		rec.regs = max(rec.regs, u.reg+1)
	}
	for _, r := range u.id.registers(nil) {
		rec.clears = rec.clears || int(r) >= rec.args && (u.size == 0 || int(r) != u.reg)
		rec.regs = max(rec.regs, int(r)+1)
	}
	seen := map[*recordPlan]bool{}
	lower := func(p *recordPlan) {
		if p != nil && !seen[p] {
			seen[p] = true
			c.lowerGets(p, rec)
			rec.regs, rec.deep, rec.clears = max(rec.regs, p.regs), max(rec.deep, p.deep+1), rec.clears || p.clears
		}
	}
	for i := range u.arms {
		lower(u.arms[i].plan)
	}
	u.hash()
	u.byWord()
	for i := range u.arms {
		if a := &u.arms[i]; a.plan != nil && !a.box.pointer {
			a.plan.labels(u)
		}
	}
	for _, f := range u.forms {
		lower(f.plan)
	}
}

// lowerGets makes the operations of the steps of a plan, whose registers are those of a routine.
func (c *recordCompiler) lowerGets(p, routine *recordPlan) {
	l := getList{c: c, frame: max(routine.all, routine.args), open: -1, padded: -1, picks: map[int32]getOp{}, wide: map[int32]int{}}
	l.steps(p.steps)
	l.drop()
	p.gets, p.deep = l.ops, l.deep
	p.clears, p.regs = l.unset(routine), max(l.used(), routine.args)
}

// add appends an operation and returns its index.
func (l *getList) add(op getOp) int {
	if op.reg >= 0 {
		l.forget(op.reg)
	}
	op.at += l.at
	l.ops = append(l.ops, op)
	return len(l.ops) - 1
}

// forget notes that a register is set.
func (l *getList) forget(reg int32) {
	delete(l.wide, reg)
	for r, op := range l.picks {
		if r == reg || op.a == reg {
			delete(l.picks, r)
		}
	}
}

// more makes room for bytes in the run.
func (l *getList) more(size int) {
	if l.open < 0 {
		l.open, l.size = l.add(getOp{code: getRun, reg: -1, a: -1, b: -1}), 0
	}
	l.run = l.size
	l.size += size
	l.ops[l.open].off = int32(l.size)
}

// temp returns a new register.
func (l *getList) temp() int32 {
	l.frame++
	return int32(l.frame - 1)
}

// readsRun reports whether steps look at the run before them.
func readsRun(steps []recordStep) bool {
	for i := range steps {
		s := &steps[i]
		switch {
		case s.code == recordRun:
			return false
		case s.placed, s.count.from != nil, s.inner != nil && s.inner.count.from != nil, s.code == recordMark && s.off >= 0:
			return true
		}
	}
	return false
}

// steps adds steps.
func (l *getList) steps(steps []recordStep) {
	for i := range steps {
		s := &steps[i]
		op := getOp{reg: -1, a: -1, b: -1, at: s.offset, field: s.field, base: l.base}
		reg := l.base + int32(s.reg)
		switch s.code {
		case recordRun:
			l.more(s.size)
			for j := range s.moves {
				l.move(&s.moves[j])
			}
			for j := range s.words {
				l.word(&s.words[j])
			}
		case recordLet:
			l.let(s.expr, reg)
		case recordTake:
			l.take(&s.moves[0], s.expr)
		case recordCheck:
			l.condition(s.expr, getCheckEq, getCheckHolds, getCheck)
		case recordIf:
			l.branches(s, readsRun(steps[i+1:]))
		case recordMark:
			op.code, op.reg = getMark, reg
			if s.off >= 0 {
				op.code, op.off = getMarkRun, int32(l.run+s.off)
			} else if l.open >= 0 {
				op.code, op.off = getMarkRun, int32(l.size)
			}
			l.add(op)
		case recordSize:
			op.code, op.reg, op.a = getSize, reg, l.base+int32(s.from)
			if l.open >= 0 {
				op.code, op.off = getSizeRun, int32(l.size)
			}
			l.add(op)
		case recordSum:
			op.code, op.reg, op.more = getSum, reg, &getMore{step: s}
			for _, r := range s.sum.Registers() {
				op.more.reads = append(op.more.reads, l.base+int32(r))
			}
			l.add(op)
		case recordCompare:
			op.code, op.a, op.b = getSame, reg, l.number(s.expr)
			l.add(op)
		case recordEnter:
			l.open = -1
			op.code = getEnter
			l.amount(&op, s.expr)
			l.add(op)
		case recordLeave:
			l.open = -1
			op.code = getLeave
			l.add(op)
		case recordStop:
			l.condition(s.expr, getFail, getStopHolds, getStop)
		case recordAbsent:
			op.code, op.more = getAbsent, &getMore{step: s}
			if s.typ.Kind() == reflect.Pointer {
				op.code = getNil
			}
			l.add(op)
		case recordPad:
			l.open = -1
			op.code, op.a, op.more = getPadding, l.padded, &getMore{step: s}
			l.add(op)
		default:
			padded := i+1 < len(steps) && steps[i+1].code == recordPad
			l.part(s, padded, readsRun(steps[i+1:]))
		}
	}
}

// let adds the operation of an expression, whose number goes into a register.
func (l *getList) let(e *recordExpr, reg int32) {
	op := getOp{code: getLinear, reg: reg, a: -1, b: -1, base: l.base}
	if l.linear(&op, e) {
		if op.a < 0 {
			op.code = getSet
		}
		i := l.add(op)
		if op = l.ops[i]; op.a >= 0 && op.times == 1 && op.n == 0 && op.a != reg {
			l.picks[reg] = op
			l.wide[reg] = bits.Len64(op.mask)
		}
		return
	}
	op.more = &getMore{expr: e}
	switch {
	case e.holds != nil:
		op.code, op.a = getHolds, l.base+int32(e.n)
	case l.equality(&op, e):
		op.code = getEqual
	case e.short:
		op.code = getQuick
	case len(e.args) == 2 && e.lines == nil && e.op != bytecode.ExprFit && e.part == nil:
		op.a, op.b, op.mask, op.more = l.number(&e.args[0]), l.number(&e.args[1]), uint64(e.op), nil
		switch op.code = getOp2; e.op {
		case bytecode.ExprAdd:
			op.code = getAdd
		case bytecode.ExprSub:
			op.code = getSub
		case bytecode.ExprMul:
			op.code = getMul
		}
	default:
		op.code = getEval
	}
	l.add(op)
	if op.code == getHolds || op.code == getEqual {
		l.wide[reg] = 1
	}
}

// equality makes an operation compare bits of a register with its number. It reports false for another expression.
func (l *getList) equality(op *getOp, e *recordExpr) bool {
	if !e.short || e.lines != nil || e.holds != nil || e.op != bytecode.ExprEq || e.bits.Floor || e.times != 1 {
		return false
	}
	l.pick(op, int32(e.bits.Reg), e.bits.Shift, e.bits.Mask)
	op.n, op.more = e.than-e.plus, nil
	return true
}

// linear makes the number of an operation that of an expression. It reports false if that is not linear in a register.
func (l *getList) linear(op *getOp, e *recordExpr) bool {
	if n, ok := e.number(); ok {
		op.a, op.n = -1, n
		return true
	}
	if !e.short || e.lines != nil || e.holds != nil || e.op != bytecode.ExprReg {
		return false
	}
	if e.n >= 0 {
		l.pick(op, int32(e.n), 0, ^uint64(0))
		op.times, op.n = 1, 0
		return true
	}
	if e.bits.Floor || int64(int32(e.times)) != e.times {
		return false
	}
	l.pick(op, int32(e.bits.Reg), e.bits.Shift, e.bits.Mask)
	op.times, op.n = int32(e.times), e.plus
	return true
}

// pick makes the bits of an operation those of a register of the record, or of the register that this one has bits of.
func (l *getList) pick(op *getOp, reg int32, shift uint, mask uint64) {
	op.a, op.shift, op.mask = l.base+reg, uint8(shift), mask
	if n, ok := l.wide[op.a]; ok {
		op.mask &= ^uint64(0) >> (64 - n) >> shift
	}
	if from, ok := l.picks[op.a]; ok && uint(from.shift)+shift < 64 {
		op.a, op.shift, op.mask = from.a, from.shift+uint8(shift), from.mask>>shift&mask
	}
}

// amount makes the number of an operation that of an expression.
func (l *getList) amount(op *getOp, e *recordExpr) {
	if !l.linear(op, e) {
		reg := l.temp()
		l.let(e, reg)
		op.a, op.mask, op.times = reg, ^uint64(0), 1
	}
}

// number returns a register that has the number of an expression.
func (l *getList) number(e *recordExpr) int32 {
	if e.short && e.lines == nil && e.holds == nil && e.op == bytecode.ExprReg && e.n >= 0 {
		return l.base + int32(e.n)
	}
	reg := l.temp()
	l.let(e, reg)
	return reg
}

// condition adds an operation that depends on whether an expression is 0, and returns its index; -1 if none is needed.
func (l *getList) condition(e *recordExpr, equal, holds, other getCode) int {
	op := getOp{code: other, reg: -1, a: -1, b: -1, base: l.base}
	if n, ok := e.number(); ok && other == getCheck && n != 0 {
		return -1
	}
	op.more = &getMore{expr: e}
	switch {
	case equal != getFail && l.equality(&op, e):
		op.code = equal
	case e.holds != nil:
		op.code, op.a = holds, l.base+int32(e.n)
	case other == getCheck && !e.short && e.lines == nil && e.op == bytecode.ExprEq && len(e.args) == 2:
		op.code, op.a, op.b, op.more = getSame, l.number(&e.args[0]), l.number(&e.args[1]), nil
	}
	return l.add(op)
}

// branches adds a condition with its steps. If back is true, those that follow look at the run before.
func (l *getList) branches(s *recordStep, back bool) {
	size, run := l.size, l.run
	kept := l.keep(back)
	inner := func(steps []recordStep) {
		l.open, l.size, l.run = -1, 0, 0
		l.steps(steps)
	}
	if s.expr == nil {
		inner(s.then)
	} else {
		at := l.condition(s.expr, getUnlessEq, getUnlessHolds, getUnless)
		picks, wide := maps.Clone(l.picks), maps.Clone(l.wide)
		inner(s.then)
		if len(s.els) > 0 {
			end := l.add(getOp{code: getJump, a: -1, b: -1, reg: -1})
			l.ops[at].off = int32(len(l.ops) - at - 1)
			l.picks, l.wide = picks, wide
			inner(s.els)
			at = end
		}
		l.ops[at].off = int32(len(l.ops) - at - 1)
		clear(l.picks)
		clear(l.wide)
	}
	l.open = -1
	l.back(kept)
	if back {
		l.size, l.run = size, run
	}
}

// keep keeps the place of the run in a register if steps that follow others look at it.
func (l *getList) keep(back bool) int32 {
	if !back {
		return -1
	}
	return l.ops[l.add(getOp{code: getKeep, reg: l.temp(), a: -1, b: -1})].reg
}

// back makes the place in a register that of the run again.
func (l *getList) back(kept int32) {
	if kept >= 0 {
		l.add(getOp{code: getBack, a: kept, reg: -1, b: -1})
	}
}

// wordForm returns the form of a word that an operation loads; 0 for one of another size.
func wordForm(s bytecode.Scalar, big bool) uint8 {
	switch w := s.Width(); {
	case w == 1:
		return 1
	case w != 2 && w != 4:
		return 0
	case big:
		return uint8(w) | formBig
	default:
		return uint8(w)
	}
}

// move adds a number of a run that goes into a field.
func (l *getList) move(m *move) {
	op := getOp{reg: -1, a: -1, b: -1, off: int32(m.off + l.run), at: m.offset, field: m.field}
	switch m.code {
	case move8, move16, move16Big, move32, move32Big, move64, move64Big:
		op.code = get8 + getCode(m.code-move8)
	case movePair16Big:
		op.code = getPair16Big
	case movePair32Big:
		op.code, op.shift, op.n = getPair32Big, m.low, int64(m.high)
	case moveGather:
		op.code, op.more = getGather, &getMore{move: m}
	case moveDouble:
		op.code = getDouble
	case movePointer:
		if op.code = getPointed; !op.bitsOf(m.inner, l.run) {
			op.code = getAny
		}
		op.more = &getMore{move: m}
	default:
		if op.code = getBits; !op.bitsOf(m, l.run) {
			op.code = getAny
		}
	}
	if op.code == getAny {
		op.more = &getMore{move: new(m.shifted(l.run))}
	}
	l.add(op)
}

// bitsOf makes the operation one that moves bits of a word, behind a number of bytes of the run. It reports false if the
// move looks at them.
func (op *getOp) bitsOf(m *move, run int) bool {
	op.off, op.form, op.mask = int32(m.off+run), wordForm(m.scalar, m.big), ^uint64(0)
	switch m.code {
	case moveBits:
		op.shift, op.mask, op.size = uint8(m.from.Shift), m.from.Mask, m.size
	case move8, move16, move16Big, move32, move32Big:
		op.size = uint8(m.scalar.Width())
	case moveAny: // into a wider type
		if op.size = m.size; m.int || m.from != nil || int(m.size) <= m.scalar.Width() {
			return false
		}
	default:
		return false
	}
	return op.form != 0
}

// word adds a number of a run that goes into a register.
func (l *getList) word(w *word) {
	op := getOp{code: getLoad, reg: l.base + int32(w.reg), a: -1, b: -1, off: int32(w.off + l.run)}
	width := w.scalar.Width()
	switch {
	case w.scalar.Signed() || w.scalar.IsFloat() || wordForm(w.scalar, w.big) == 0:
	case width == 1:
		op.code = getLoad8
	case width == 2 && w.big:
		op.code = getLoad16Big
	case width == 2:
		op.code = getLoad16
	case w.big:
		op.code = getLoad32Big
	default:
		op.code = getLoad32
	}
	if op.code == getLoad {
		op.more = &getMore{scalar: w.scalar, big: w.big}
	}
	if l.add(op); op.code != getLoad {
		l.wide[op.reg] = 8 * width
	}
}

// take adds a number that goes into a field.
func (l *getList) take(m *move, e *recordExpr) {
	op := getOp{code: getTake, reg: -1, a: l.number(e), b: -1, at: m.offset, field: m.field, more: &getMore{move: m}}
	x := op
	l.pick(&x, op.a-l.base, 0, ^uint64(0))
	switch n := bits.Len64(x.mask); m.code {
	case moveBool:
		if n <= 1 {
			x.size = 1
		}
	case moveAny:
		if !m.int && (n < 8*int(m.size) || n == 8*int(m.size) && !m.signed) {
			x.size = m.size
		}
	case moveBits:
		x.size = m.size
	case move64, move64Big:
		x.size = 8
	}
	if x.size > 0 && rawMemory {
		x.code, x.more = getTakeBits, nil
		op = x
	}
	l.add(op)
}

// part adds a part of variable size, or one in a run. It is padded, or what follows looks at the run before.
func (l *getList) part(s *recordStep, padded, back bool) {
	if s.code == recordInner && l.inner(s, back) {
		return
	}
	if l.padded = -1; padded && !s.placed {
		l.open, l.padded = -1, l.temp()
		l.add(getOp{code: getMark, reg: l.padded, a: -1, b: -1})
	}
	op := getOp{code: getPart, reg: -1, a: -1, b: -1, at: s.offset, field: s.field, base: l.base, n: int64(l.run), more: &getMore{step: s}}
	c := &s.count
	number := s.code == recordBytes && s.array < 0 && s.size <= 1 || s.code == recordText
	switch {
	case s.code == recordBytes && s.fixedBytes() && (s.placed || !padded && (l.open >= 0 || !back)):
		if op.code, op.n, op.off = getFixed, c.n, int32(l.run+s.off); !s.placed {
			run := l.run
			l.more(int(c.n))
			op.off, l.run = int32(l.run), run
		}
		l.add(op)
		return
	case s.placed:
		op.off, op.size = int32(l.run+s.off), 1
		l.add(op)
		return
	case !number:
	default:
		op.code = getText
		if s.code == recordBytes {
			op.code = getBytes
		}
		op.n = 0
		switch {
		case c.rest:
			op.size = 1
		case c.from != nil:
			l.word(&word{reg: int(l.temp() - l.base), off: c.from.Off, scalar: c.scalar, big: c.big})
			e := recordExpr{op: bytecode.ExprReg, short: true, n: -1, times: 1, bits: *c.from}
			e.bits.Reg = uint32(l.ops[len(l.ops)-1].reg - l.base)
			l.amount(&op, &e)
		case c.expr != nil:
			l.amount(&op, c.expr)
		default:
			op.n = c.n
		}
	}
	l.open = -1
	l.add(op)
}

// fixedBytes reports whether a step reads a known number of bytes that are no text.
func (s *recordStep) fixedBytes() bool {
	return s.encoding < 0 && s.array < 0 && s.size <= 1 && s.count.expr == nil && s.count.from == nil && !s.count.rest && s.count.n >= 0 && s.count.n < 1<<16
}

// inner adds the operations of a record, or the one of a union, whose registers are behind those of the record around.
// It reports false for a part that may contain others of its kind.
func (l *getList) inner(s *recordStep, back bool) bool {
	e := s.elem
	if e.broken || e.nests || l.depth > 8 || e.union == nil && !rawMemory {
		return false
	}
	l.c.lowerRead(e)
	base := int32(l.frame)
	l.frame += max(e.all, e.regs, e.args)
	for i := range s.args {
		l.let(&s.args[i], base+int32(i))
	}
	kept := l.keep(back)
	size, run := l.size, l.run
	if e.union != nil {
		op := getOp{code: getUnion, reg: -1, a: -1, b: -1, at: s.offset, field: s.field, n: int64(base), more: &getMore{step: s}}
		for i := range s.args {
			op.more.reads = append(op.more.reads, base+int32(i))
		}
		l.open, l.deep = -1, max(l.deep, l.depth+e.deep+1)
		l.add(op)
	} else {
		outer, at := l.base, l.at
		l.base, l.at, l.depth = base, at+s.offset, l.depth+1
		l.deep = max(l.deep, l.depth)
		l.steps(e.steps)
		l.base, l.at, l.depth = outer, at, l.depth-1
	}
	if l.back(kept); back {
		l.open, l.size, l.run = -1, size, run
	}
	return true
}
