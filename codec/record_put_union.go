// Operations of all plans of a type, and what a writer of unions looks up.

package codec

import (
	"math"
	"math/bits"
	"reflect"
	"slices"

	"github.com/octable/octable/compile/bytecode"
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

// link begins the operations of a record with those for its registers and its arms. It notes which records they enter.
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
		rec.puts = []putOp{{code: putUnion, reg: none, a: none, b: none, more: &putMore{enter: rec}}, {code: putEnd, reg: none, a: none, b: none}}
	}
	if rec.clears {
		rec.puts = slices.Insert(rec.puts, 0, putOp{code: putClear, reg: none, a: int32(rec.args), b: int32(rec.regs)})
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
		if op := &p.puts[i]; op.code == putUnion {
			u, e := p.union, p.union.id
			m.types, m.factor = u.byType, u.factor
			if u.size == 0 && e.isRegister() {
				op.a = int32(e.n)
			} else if u.size == 0 {
				m.types = nil // unreachable: a union without a word is selected by an argument; a program by hand may have another expression
			}
		}
		if op := &p.puts[i]; op.code == putElems && m.step.variants != nil {
			op.choose()
		}
		if s := m.step; s != nil && (s.code == recordInner || s.code == recordList) && s.variants == nil && !s.elem.broken && !s.elem.flat {
			m.enter, m.nests = s.elem, s.elem.nests
		} else if s != nil && s.code == recordPairs && !s.elem.broken && !s.pair.value.broken {
			m.enter, m.values, m.nests = s.elem, s.pair.value, s.elem.nests || s.pair.value.nests
			m.even = rawMemory && s.elem == s.pair.value && s.pair.fields[0].offset == 0 && 2*s.pair.fields[1].offset == uintptr(s.op.size)
		}
		m.note()
	}
}

// note notes what the loop of a writer needs to enter records and elements.
func (m *putMore) note() {
	s := m.step
	if s == nil {
		return
	}
	if m.flags = 0; s.through {
		m.flags |= putThrough
	}
	if len(m.args) > 0 && s.code != recordInner {
		m.flags |= putArgs
	}
	if m.nests {
		m.flags |= putNests
	}
	if m.values != nil && !m.even {
		m.flags |= putApart
	}
	if s.code == recordList || s.code == recordPairs {
		if m.size = uintptr(s.op.size); m.even {
			m.size /= 2
		}
	}
}

// choose notes the plans of the elements of a list by the arguments that decide. These are all known or all in
// registers.
func (op *putOp) choose() {
	m := op.more
	var plans []*recordPlan
	for _, p := range m.step.variants {
		m.nests = m.nests || p.nests
		if p.broken || p.flat {
			p = nil
		}
		plans = append(plans, p)
	}
	var regs []int32
	key, known := uint64(0), 0
	for i, arg := range m.step.decides {
		if r := m.args[arg]; r >= 0 {
			regs = append(regs, r)
		} else if n := m.given[-1-r]; n <= 1 {
			key, known = key|n<<i, known+1
		}
	}
	switch len(m.step.decides) {
	case known:
		m.enter = plans[key]
	case len(regs):
		m.decides, m.variants = regs, plans
	}
}

func (c *recordCompiler) lowerPlan(rec *recordPlan) {
	u := rec.union
	if u == nil {
		rec.regs = max(c.lowerSteps(rec, rec.all, nil), rec.args)
		rec.clears = readsUnset(rec.puts, rec.args, none)
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
		a.above = u.above(i)
		a.isText = a.plan.zero.Type.Kind() == reflect.String
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
		given := none
		if l.arm.head != nil {
			given = u.reg
		}
		rec.clears = rec.clears || readsUnset(l.plan.puts, rec.args, given) || u.size > 0 && l.arm.head == nil && !l.arm.sure && !setsFirst(l.plan.puts, u.reg)
	}
	for i := range u.arms {
		if a := &u.arms[i]; a.plan != nil && u.size > 0 {
			a.few()
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

// above returns the number above which all numbers are of an arm.
func (u *recordUnion) above(arm int) (n uint64) {
	if !u.table.Arms[arm].Else {
		return math.MaxUint64
	}
	for i := range u.table.Arms {
		for _, end := range u.table.Arms[i].Ends() {
			n = max(n, end)
		}
	}
	return n
}

// always reports whether the first word of an arm is always a number of the arm. It must be the only one that
// sets the register of the union.
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
	var free []uint64 // bits that the number depends on
	for j := range w.bits {
		b := &w.bits[j]
		for bit := b.shift; bit < b.shift+b.width; bit++ {
			if mask>>(bit&63)&1 != 0 {
				free = append(free, 1<<bit)
			}
		}
	}
	if len(free) > 8 {
		return false
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
	for set := range 1 << len(free) {
		regs[u.reg] = w.base
		for j, bit := range free {
			if regs[u.reg] += bit * uint64(set>>j&1); w.base&bit != 0 {
				return false // a carry
			}
		}
		if !u.has(a, uint64(u.id.quick(regs))) {
			return false
		}
	}
	return true
}

// setsOf returns the registers that steps set.
func setsOf(steps []recordStep) map[int]bool {
	out := map[int]bool{}
	for i := range steps {
		s := &steps[i]
		switch s.code {
		case recordLet, recordMark, recordSize, recordSum, recordTotal, recordPlace, recordPatch, recordCoded:
			out[s.reg] = true
		case recordPlaces: // if it chooses a place; otherwise these are 0
			out[s.reg], out[s.from] = true, true
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
	l := putList{c: c, temps: max(temps, p.all, p.args), open: none, bound: p.zero.Size()}
	l.steps(mergeSteps(p.steps))
	l.prune(keep)
	l.finish()
	p.puts = l.ops
	return l.most
}

// armFactors is how many factors are tried for a table of arms.
const armFactors = 4096

// find makes the table of the types of arms, unless two types have the same hash with every factor.
func (u *recordUnion) find() {
	if !u.boxed || !rawMemory {
		return
	}
	table := new(armTable)
	for n := range uint64(armFactors) {
		if factor := (2*n + 1) * 0x9e3779b97f4a7c15; u.fill(table, factor) {
			u.byType, u.factor = table, factor
			return
		}
		clear(table[:])
	}
}

// fill puts the arms into a table. It reports false if two types have the same hash.
func (u *recordUnion) fill(table *armTable, factor uint64) bool {
	for i := range u.arms {
		a := &u.arms[i]
		if a.plan == nil {
			continue
		}
		at := &table[a.box.hash(factor)]
		if *at != nil {
			return false
		}
		*at = a
	}
	return true
}
