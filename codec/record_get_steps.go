// Operations of the steps of a record that is read.

package codec

import (
	"maps"
	"math/bits"
	"reflect"
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// getList makes the operations of a list of steps.
type getList struct {
	c     *recordCompiler
	ops   []getOp
	base  int32 // of the registers of the record
	frame int   // registers that are used
	open  int   // the operation that begins the last run, if nothing follows its bytes; else -1
	size  int   // bytes of that run
	run   int   // place in it of the last run of the steps
	at    uintptr
	depth int             // records that have the steps inside
	deep  int             // the most of them
	picks map[int32]getOp // registers that are bits of others
	ends  []int32         // registers that have the ends of the regions around
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
	rec.regs, rec.entry = rec.args, make([]getOp, 2)
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
	u.ready()
	op := getOp{code: getUnion, size: 1, reg: none, a: none, b: none, more: &getMore{step: &recordStep{elem: rec}}}
	if reg := u.given(); reg >= 0 {
		op.a, op.mask = reg, ^uint64(0)
	}
	op.more.union = rec.enters(op.a)
	rec.entry[0], rec.entry[1] = op, getOp{code: getEnd, reg: none, a: none, b: none}
}

// given returns the argument that is the number of the arm, or -1.
func (u *recordUnion) given() int32 {
	if u.size == 0 && u.id.isRegister() {
		return int32(u.id.n)
	}
	return none
}

// enters returns the union if the loop of a reader may enter its arms, or nil. number is the register of the arm's number,
// or -1 without one. The interface gets a value before it is read, which must not be a copy.
func (rec *recordPlan) enters(number int32) *recordUnion {
	if u := rec.union; rawMemory && u.boxed && !rec.clears && (u.words != nil || number >= 0) {
		return u
	}
	return nil
}

// lowerGets makes the operations of the steps of a plan, whose registers are those of a routine.
func (c *recordCompiler) lowerGets(p, routine *recordPlan) {
	l := getList{c: c, frame: max(routine.all, p.all, routine.args), open: none, picks: map[int32]getOp{}}
	l.steps(p.steps)
	l.drop()
	l.add(getOp{code: getEnd, reg: none, a: none, b: none})
	p.gets, p.deep = l.ops, l.deep
	p.clears, p.regs = l.unset(routine), max(l.used(), routine.args)
}

// add appends an operation and returns its index.
func (l *getList) add(op getOp) int {
	if op.reg != none {
		l.forget(op.reg)
	}
	op.at += l.at
	l.ops = append(l.ops, op)
	return len(l.ops) - 1
}

// forget notes that a register is set.
func (l *getList) forget(reg int32) {
	for r, op := range l.picks {
		if r == reg || op.a == reg {
			delete(l.picks, r)
		}
	}
}

// more makes room for bytes in the run.
func (l *getList) more(size int) {
	if l.open == none {
		l.open, l.size = l.add(getOp{code: getRun, reg: none, a: none, b: none}), 0
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
		op := getOp{reg: none, a: none, b: none, at: s.offset, field: s.field, base: l.base}
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
		case recordCoded:
			l.open = none
			op.code, op.more = getCoded, &getMore{coding: s.coding, longer: s.longer}
			if s.reg != none {
				op.reg = reg
			}
			if len(s.moves) > 0 {
				op.at, op.field, op.more.move = s.moves[0].offset, s.moves[0].field, &s.moves[0]
			}
			l.add(op)
		case recordCheck:
			l.condition(s.expr, getCheckIn, getCheckHolds, getCheck)
		case recordIf:
			l.branches(s, readsRun(steps[i+1:]))
		case recordMark:
			op.code, op.reg = getMark, reg
			if s.off >= 0 {
				op.code, op.off = getMarkRun, int32(l.run+s.off)
			} else if l.open != none {
				op.code, op.off = getMarkRun, int32(l.size)
			}
			l.add(op)
		case recordSize:
			op.code, op.reg, op.a = getSize, reg, l.base+int32(s.from)
			if l.open != none {
				op.code, op.off = getSizeRun, int32(l.size)
			}
			l.add(op)
		case recordSum:
			op.code, op.reg, op.more = getSum, reg, &getMore{step: s}
			for _, r := range s.summed() {
				op.more.reads = append(op.more.reads, l.base+int32(r))
			}
			l.add(op)
		case recordTotal:
			op.code, op.reg, op.more = getTotal, reg, &getMore{step: s}
			for _, r := range s.summed() {
				op.more.reads = append(op.more.reads, l.base+int32(r))
			}
			l.add(op)
		case recordCompare:
			l.same(reg, l.number(s.expr))
		case recordEnter:
			l.open = none
			l.amount(&op, s.expr)
			op.code, op.reg = getEnter, l.temp()
			l.ends = append(l.ends, op.reg)
			l.add(op)
		case recordLeave:
			l.open = none
			op.code, op.a = getLeave, l.ends[len(l.ends)-1]
			l.ends = l.ends[:len(l.ends)-1]
			l.add(op)
		case recordStop:
			l.condition(s.expr, getStopIn, getStopHolds, getStop)
		case recordAbsent:
			op.code, op.more = getAbsent, &getMore{step: s}
			if s.typ.Kind() == reflect.Pointer {
				op.code = getNil
			}
			l.add(op)
		case recordPad:
			l.open = none
			op.code, op.a, op.more = getPadding, l.base+int32(s.from), &getMore{step: s}
			l.add(op)
		default:
			l.part(s, readsRun(steps[i+1:]))
		}
	}
}

// branches adds a condition with its steps. If back is true, those that follow look at the run before.
func (l *getList) branches(s *recordStep, back bool) {
	size, run := l.size, l.run
	kept := l.keep(back)
	inner := func(steps []recordStep) {
		l.open, l.size, l.run = none, 0, 0
		l.steps(steps)
	}
	if s.expr == nil {
		inner(s.then)
	} else {
		at := l.condition(s.expr, getUnlessIn, getUnlessHolds, getUnless)
		picks := maps.Clone(l.picks)
		inner(s.then)
		if len(s.els) > 0 {
			end := l.add(getOp{code: getJump, a: none, b: none, reg: none})
			l.ops[at].off = int32(len(l.ops) - at - 1)
			l.picks = picks
			inner(s.els)
			at = end
		}
		l.ops[at].off = int32(len(l.ops) - at - 1)
		clear(l.picks) // as two ways lead here
	}
	l.open = none
	l.back(kept)
	if back {
		l.size, l.run = size, run
	}
}

// keep keeps the place of the run in a register if steps that follow others look at it.
func (l *getList) keep(back bool) int32 {
	if !back {
		return none
	}
	return l.ops[l.add(getOp{code: getKeep, reg: l.temp(), a: none, b: none})].reg
}

// back makes the place in a register that of the run again.
func (l *getList) back(kept int32) {
	if kept >= 0 {
		l.add(getOp{code: getBack, a: kept, reg: none, b: none})
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
	op := getOp{reg: none, a: none, b: none, off: int32(m.off + l.run), at: m.offset, field: m.field}
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
		if op.code = getPointed; !op.bitsOf(m.inner, l.run) || op.n != 0 {
			op.code = getAny
		}
		op.more = &getMore{move: m}
	default:
		if op.code = getBits; !op.bitsOf(m, l.run) {
			op.code = getAny
		} else if op.n != 0 {
			op.code = getSigned
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
		op.shift, op.mask, op.size, op.n = uint8(m.from.Shift), m.from.Mask, m.size, int64(m.from.Half)
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
	op := getOp{code: getLoad, reg: l.base + int32(w.reg), a: none, b: none, off: int32(w.off + l.run)}
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
	l.add(op)
}

// take adds a number that goes into a field.
func (l *getList) take(m *move, e *recordExpr) {
	op := getOp{code: getTake, reg: none, a: l.number(e), b: none, at: m.offset, field: m.field, more: &getMore{move: m}}
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
	case move64, move64Big:
		x.size = 8
	}
	if x.size > 0 && rawMemory {
		x.code, x.more = getTakeBits, nil
		op = x
	}
	l.add(op)
}

// part adds a part of variable size, or one in a run. If back is true, what follows looks at the run before.
func (l *getList) part(s *recordStep, back bool) {
	if s.code == recordInner && l.inner(s, back) {
		return
	}
	if s.code == recordInner && s.elem.union != nil {
		l.open = none
		l.add(getOp{code: getInto, reg: none, a: none, b: none, at: s.offset, field: s.field, base: l.base, more: &getMore{step: s}})
		return
	}
	if s.code == recordList && l.elems(s) {
		return
	}
	op := getOp{code: getPart, reg: none, a: none, b: none, at: s.offset, field: s.field, base: l.base, n: int64(l.run), more: &getMore{step: s}}
	c := &s.count
	number := s.code == recordBytes && s.array == none && s.size <= 1 || s.code == recordText
	switch {
	case s.code == recordBytes && s.fixedBytes() && (s.placed || l.open != none || !back):
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
		if op.n = 0; c.rest {
			op.size = 1
		} else {
			l.counted(&op, c)
		}
	}
	l.open = none
	l.add(op)
}

// elems adds a list. It reports false for elements without a plan.
func (l *getList) elems(s *recordStep) bool {
	op := getOp{code: getElems, reg: none, a: none, b: none, at: s.offset, field: s.field, base: l.base, off: int32(l.run), more: &getMore{step: s, own: none}}
	plans := s.elements()
	if slices.ContainsFunc(plans, func(e *recordPlan) bool { return e.broken }) {
		return false
	}
	inside := l.depth <= 8 && !slices.ContainsFunc(plans, func(e *recordPlan) bool { return e.nests })
	if inside && !l.elemsInside(&op, plans) {
		return false
	}
	switch c := &s.count; {
	case c.rest:
	case s.through, s.tail:
		if s.tail {
			op.size = elemsRest
		}
		if inside && len(s.decides) == 0 {
			op.more.first = s.elem.entered()
		}
	default:
		l.counted(&op, c)
		op.size = elemsCounted
	}
	l.open = none
	l.add(op)
	return true
}

// elemsInside gives elements registers behind those of the record around the list, with their arguments. It reports false if
// an element needs more than that for each of them.
func (l *getList) elemsInside(op *getOp, plans []*recordPlan) bool {
	s, size, args := op.more.step, 0, map[int32]bool{}
	for _, e := range plans {
		l.c.lowerRead(e)
		if e.clears || !e.covered || !e.keepsArgs() {
			return false
		}
		size = max(size, e.all, e.regs, e.args)
		for _, r := range e.givenTo(true) {
			args[r] = true
		}
		l.deep = max(l.deep, l.depth+e.deep+1)
	}
	for _, i := range s.decides {
		args[int32(i)] = true
	}
	op.more.own = l.frame
	l.frame += size
	for i := range s.args {
		if reg := int32(op.more.own + i); args[int32(i)] {
			l.let(&s.args[i], reg)
			op.more.reads = append(op.more.reads, reg)
		}
	}
	return true
}

// counted makes the number of an operation that of parts.
func (l *getList) counted(op *getOp, c *partCount) {
	switch {
	case c.from != nil:
		reg := l.temp()
		l.word(&word{reg: int(reg - l.base), off: c.from.Off, scalar: c.scalar, big: c.big})
		e := recordExpr{op: bytecode.ExprReg, short: true, n: none, times: 1, bits: *c.from}
		e.bits.Reg = uint32(reg - l.base)
		l.amount(op, &e)
	case c.expr != nil:
		l.amount(op, c.expr)
	default:
		op.n = c.n
	}
}

// fixedBytes reports whether a step reads a known number of bytes that are no text.
func (s *recordStep) fixedBytes() bool {
	return s.encoding == none && s.array == none && s.size <= 1 && s.count.expr == nil && s.count.from == nil && !s.count.rest && s.count.n >= 0 && s.count.n < 1<<16
}

// inner adds the operations of a record, or the one of a union. Its registers are behind those of the record around.
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
		op := getOp{code: getUnion, reg: none, a: none, b: none, at: s.offset, field: s.field, n: int64(base), more: &getMore{step: s}}
		if reg := e.union.given(); reg >= 0 {
			l.pick(&op, base-l.base+reg, 0, ^uint64(0))
		}
		for _, r := range e.givenTo(op.a == none) {
			op.more.reads = append(op.more.reads, base+r)
		}
		op.more.union = e.enters(op.a)
		l.open, l.deep = none, max(l.deep, l.depth+e.deep+1)
		l.add(op)
	} else {
		outer, at := l.base, l.at
		l.base, l.at, l.depth = base, at+s.offset, l.depth+1
		l.deep = max(l.deep, l.depth)
		l.steps(e.steps)
		l.base, l.at, l.depth = outer, at, l.depth-1
	}
	if l.back(kept); back {
		l.open, l.size, l.run = none, size, run
	}
	return true
}
