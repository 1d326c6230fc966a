// Operations of all plans of a type, and what a writer of unions looks up.

package codec

import (
	"math/bits"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// lower makes the operations of all plans.
func (c *recordCompiler) lower() {
	for _, rec := range c.plans {
		if !rec.broken {
			c.lowerPlan(rec)
		}
	}
	for _, rec := range c.plans {
		if !rec.broken {
			rec.link()
		}
	}
}

// link begins the operations of a record with those for its registers and its arms, and notes which records they enter.
func (rec *recordPlan) link() {
	if u := rec.union; u != nil {
		for i := range u.arms {
			a := &u.arms[i]
			if a.plan == nil {
				continue
			}
			a.plan.enter(rec.regs)
			for _, f := range u.forms {
				if f.arm == a && f.plan != a.plan {
					f.plan.enter(rec.regs)
				}
			}
		}
		rec.puts = []putOp{{code: putUnion, reg: -1, a: -1, b: -1, more: &putMore{enter: rec}}, {code: putEnd, reg: -1, a: -1, b: -1}}
	}
	if rec.clears {
		rec.puts = slices.Insert(rec.puts, 0, putOp{code: putClear, reg: -1, a: int32(rec.args), b: int32(rec.regs)})
	}
	rec.enter(rec.regs)
}

// enter notes how many registers a record has, and the records that its operations enter.
func (p *recordPlan) enter(regs int) {
	for i := range p.puts {
		m := p.puts[i].more
		if m == nil {
			continue
		}
		m.top = regs
		if s := m.step; s != nil && (s.code == recordInner || s.code == recordList) && s.variants == nil && !s.elem.broken && !s.elem.flat {
			m.enter = s.elem
		}
	}
}

func (c *recordCompiler) lowerPlan(rec *recordPlan) {
	u := rec.union
	if u == nil {
		rec.regs = max(c.lowerSteps(rec, rec.all, nil), rec.args)
		rec.clears = readsUnset(rec.puts, rec.args, -1)
		return
	}
	var all []unionForm
	most := rec.args
	keep := u.id.registers(nil)
	for i := range u.arms {
		a := &u.arms[i]
		if a.plan == nil {
			continue
		}
		a.id, a.known = u.numberOf(i)
		plans := []*recordPlan{a.plan}
		for _, f := range u.forms {
			if f.arm == a && !slices.Contains(plans, f.plan) {
				plans = append(plans, f.plan)
			}
		}
		for _, p := range plans {
			all = append(all, unionForm{arm: a, plan: p})
			if a.sure = u.size > 0 && a.head == nil && u.always(a, p); a.sure {
				most = max(most, c.lowerSteps(p, rec.all, nil))
				continue
			}
			if most = max(most, c.lowerSteps(p, rec.all, keep)); u.size > 0 {
				most = max(most, u.reg+1)
			}
		}
		a.heads(u)
	}
	for _, r := range keep {
		rec.clears = rec.clears || int(r) >= rec.args && (u.size == 0 || int(r) != u.reg)
		if int(r) >= rec.args && slices.ContainsFunc(u.arms, func(a recordArm) bool { return a.plan != nil && !a.sure }) {
			most = max(most, int(r)+1)
		}
	}
	for _, l := range all {
		given := -1
		if l.arm.head != nil {
			given = u.reg
		}
		rec.clears = rec.clears || readsUnset(l.plan.puts, rec.args, given) || u.size > 0 && l.arm.head == nil && !l.arm.sure && !setsFirst(l.plan.puts, u.reg)
	}
	for i := range u.arms {
		if a := &u.arms[i]; a.plan != nil && u.size > 0 {
			a.text()
		}
	}
	u.find()
	rec.regs = most
}

// numberOf returns a number of an arm.
func (u *recordUnion) numberOf(arm int) (id uint64, ok bool) {
	for _, id := range []uint64{u.table.Arms[arm].ID, ^uint64(0)} {
		if i, ok := u.table.ByID(id); ok && i == arm {
			return id, true
		}
	}
	i := slices.IndexFunc(u.forms, func(f unionForm) bool { return f.arm == &u.arms[arm] })
	return uint64(max(i, 0)), i >= 0
}

// always reports whether the first word of an arm, which is the only one that sets the register of the union, is
// always a number of the arm.
func (u *recordUnion) always(a *recordArm, p *recordPlan) bool {
	if len(p.steps) == 0 || p.steps[0].code != recordRun || !u.id.short || u.id.lines != nil || setsOf(p.steps[1:])[u.reg] {
		return false
	}
	i := slices.IndexFunc(p.steps[0].words, func(w word) bool { return w.reg == u.reg })
	if i < 0 {
		return false
	}
	w := &p.steps[0].words[i]
	mask := ^uint64(0)
	if u.id.n < 0 || u.id.op != bytecode.ExprReg {
		mask = u.id.bits.Mask << u.id.bits.Shift
	}
	for j := range w.bits {
		if b := &w.bits[j]; mask&((1<<b.width-1)<<b.shift) != 0 {
			return false
		}
	}
	if w.count != nil {
		length := uint64(1)<<min(bits.Len64(w.most), 63) - 1
		if (mask|w.base)&length != 0 || w.most > length {
			return false
		}
	}
	if w.moved || slices.ContainsFunc(p.steps[0].words[i+1:], func(w word) bool { return w.reg == u.reg }) {
		return false
	}
	if slices.ContainsFunc(u.id.registers(nil), func(r int32) bool { return int(r) != u.reg }) {
		return false
	}
	regs := make([]uint64, u.reg+1)
	regs[u.reg] = w.base
	return u.has(a, uint64(u.id.quick(regs)))
}

// setsOf returns the registers that steps set.
func setsOf(steps []recordStep) map[int]bool {
	out := map[int]bool{}
	for i := range steps {
		s := &steps[i]
		switch s.code {
		case recordLet, recordMark, recordSize, recordSum, recordPlace, recordPatch:
			out[s.reg] = true
		}
		for j := range s.words {
			out[s.words[j].reg] = true
		}
		for _, list := range [][]recordStep{s.then, s.els} {
			for r := range setsOf(list) {
				out[r] = true
			}
		}
	}
	return out
}

// lowerSteps makes the operations of a plan, whose registers are below temps; others read those in keep. It returns how
// many registers the operations use.
func (c *recordCompiler) lowerSteps(p *recordPlan, temps int, keep []int32) int {
	l := putList{c: c, temps: max(temps, p.args), open: -1, bound: p.zero.Size()}
	l.steps(mergeSteps(p.steps))
	l.prune(keep)
	l.finish()
	p.puts = l.ops
	return l.most
}

// heads notes the words of a union by the number that they depend on.
func (a *recordArm) heads(u *recordUnion) {
	if a.head == nil {
		return
	}
	leaf := a.head.onlyPart()
	if leaf == nil || leaf.part.pointer != nil {
		return
	}
	a.look = leaf.part
	a.words = make([]putHeadWord, 256)
	for n := range a.words {
		word, ok := a.head.given(int64(n))
		if leaf.fits != bytecode.NoScalar && !interp.Fits(leaf.fits, int64(n)) {
			ok = false
		}
		if ok && u.has(a, uint64(word)) {
			a.words[n] = putHeadWord{uint64(word), u.form(uint64(word)).plan}
		}
	}
}

// text makes the arm one that writes a text behind a word of one byte, which has its length, and nothing else.
func (a *recordArm) text() {
	ops := a.plan.puts[:len(a.plan.puts)-1]
	if !a.sure || len(ops) < 3 || len(ops) > 4 || ops[0].code != putRun || ops[0].off != 1 || ops[1].code != putLength || ops[1].off != 0 || ops[1].form != 1 ||
		ops[2].code != putText || ops[2].check || ops[2].point || ops[1].at != ops[2].at || uint64(ops[1].n)+^ops[1].mask<<ops[1].shift > 255 {
		return
	}
	if len(ops) == 4 {
		stop := &ops[3]
		if stop.code != putStopTable || stop.a != ops[1].reg || slices.Contains(stop.more.table[:], tableLack) {
			return
		}
		a.stops = stop.more.table
	} else if ops[1].reg >= 0 {
		return
	}
	a.length, a.content = &ops[1], ops[2].more.step
}

// putHeadWord is the word of a union, and the plan of the arm for it; nil if Values have to look.
type putHeadWord struct {
	word uint64
	plan *recordPlan
}

// find makes the table of the types of arms.
func (u *recordUnion) find() {
	if !u.boxed || !rawMemory {
		return
	}
	for size := 8; size <= 256; size *= 2 {
		for shift := uint(3); shift < 16; shift++ {
			table := make([]*recordArm, size)
			ok := true
			for i := range u.arms {
				a := &u.arms[i]
				if a.plan == nil {
					continue
				}
				at := &table[a.box.hash(shift)&uintptr(size-1)]
				if ok = *at == nil; !ok {
					break
				}
				*at = a
			}
			if ok {
				u.byType, u.shift = table, shift
				return
			}
		}
	}
}
