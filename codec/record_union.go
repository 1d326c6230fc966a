// Unions in record plans: a Go interface whose types are declared, or a struct with a field for each arm.

package codec

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// recordUnion is the arms of a union or a switch.
type recordUnion struct {
	size   int // of the word; 0 without one
	scalar bytecode.Scalar
	big    bool
	order  int // the register with the order of the bytes of the word, or -1
	reg    int // of the word
	id     *recordExpr
	table  *bytecode.Table
	arms   []recordArm
	forms  []unionForm // of the numbers below 512, up to the last one with an arm
	slots  []unionSlot // reading: of other numbers, by [unionHash]
	words  []unionForm // reading: by the word, if it is one byte and decides alone; else nil
	boxed  bool        // the Go value is an interface
	others []field     // writing: fields of a struct that are no arms
	byType *armTable   // writing: arms by their types; nil without a table
	factor uint64      // of byType
}

// armTable is arms by the hash of their types: see [box.hash].
type armTable [256]*recordArm

// unionForm is an arm and its plan for a number, with conditions on the word decided.
type unionForm struct {
	arm  *recordArm
	plan *recordPlan // nil: by Values

	// reading: an arm that the loop enters
	enters  bool
	covered bool // of the plan
	first   getAt
	label   *recordLabel
	rest    bool // the arm is the bytes of the region, and nothing else
	empty   bool
	chunk   int // of the slab
	size    uint32
}

// ready notes in all forms what the loop of a reader needs to enter an arm.
func (u *recordUnion) ready() {
	for i := range u.forms {
		u.forms[i].ready()
	}
	for i := range u.words {
		u.words[i].ready()
	}
	for i := range u.slots {
		u.slots[i].form.ready()
	}
}

func (f *unionForm) ready() {
	if f.plan == nil || f.arm.op == nil || f.arm.box.pointer {
		return
	}
	f.enters, f.covered, f.first, f.label = true, f.plan.covered, getsAt(f.plan.gets), f.plan.label
	f.chunk, f.size = f.arm.op.chunk, f.arm.op.size
	op := &f.plan.gets[0]
	f.empty = op.code == getEnd
	f.rest = op.code == getBytes && op.size != 0 && op.at == 0 && op.more.step.encoding == none && f.plan.gets[1].code == getEnd
}

// unionSlot is a number of an arm.
type unionSlot struct {
	id   uint64
	form unionForm
}

// unionHash returns the slot at which the search for a number begins in a table of n slots. n is a power of 2. Without
// slots the result is any number from 0: the hash has 31 bits, so that an int of 32 bits is not negative.
func unionHash(id uint64, n int) int { return int(id*0x9e3779b97f4a7c15>>33) & (n - 1) }

// hash makes the table of numbers that are too large for forms.
func (u *recordUnion) hash() {
	n := 2
	for n < 2*len(u.arms) {
		n *= 2
	}
	u.slots = make([]unionSlot, n)
	for i := range u.table.Arms {
		a := &u.table.Arms[i]
		if k, ok := u.table.ByID(a.ID); a.Else || !ok || k != i || a.ID < uint64(len(u.forms)) {
			continue
		}
		at := unionHash(a.ID, n)
		for u.slots[at].form.arm != nil {
			at = (at + 1) & (n - 1)
		}
		u.slots[at] = unionSlot{a.ID, unionForm{arm: &u.arms[i], plan: u.arms[i].plan}}
	}
}

// byWord makes the table of words.
func (u *recordUnion) byWord() {
	regs := u.id.registers(nil)
	if u.size != 1 || u.scalar != bytecode.U8 || !u.id.short || len(regs) == 0 || slices.ContainsFunc(regs, func(r int32) bool { return int(r) != u.reg }) {
		return
	}
	u.words = make([]unionForm, 256)
	given := make([]uint64, u.reg+1)
	for word := range u.words {
		given[u.reg] = uint64(word)
		u.words[word] = u.form(uint64(u.id.quick(given)))
	}
}

// recordLabel is an arm of a text.
type recordLabel struct {
	shift uint8 // of the length in the word
	mask  uint64
	step  *recordStep
	stops *byteSet // the words that end the list; nil without one
}

// labels notes that an arm is a text whose length is in the word of the union.
func (p *recordPlan) labels(u *recordUnion) {
	ops := p.gets[:len(p.gets)-1] // without the end
	if len(ops) == 0 || len(ops) > 2 || u.words == nil || !u.boxed {
		return
	}
	op := &ops[0]
	if op.code != getText || op.a != int32(u.reg) || op.times != 1 || op.n != 0 || op.at != 0 || op.field != nil {
		return
	}
	label := &recordLabel{shift: op.shift, mask: op.mask, step: op.more.step}
	if len(ops) == 2 {
		stop := &ops[1]
		if stop.code != getStopHolds || stop.a != int32(u.reg) {
			return
		}
		label.stops = stop.more.expr.holds
	}
	p.label = label
}

// recordArm is an arm in Go.
type recordArm struct {
	box     box
	at      uintptr     // writing: the place of the number that by is about
	begins  []putBegin  // writing: how the arm begins for the numbers below its length
	plan    *recordPlan // nil: by Values
	by      putBy       // writing: the number in the Go value that the bytes depend on
	known   bool
	sure    bool        // writing: the word is always one of the arm
	isText  bool        // writing: the Go type is a text
	unit    bool        // the field is true
	id      uint64      // writing: a number of the arm, if known is true
	above   uint64      // writing: larger numbers are of the arm
	head    *recordExpr // writing: the word, if it decides conditions
	rests   []putRest   // writing: operations behind beginnings
	byWord  []putBegin  // writing: how the arm begins for words, if lines is not nil
	op      *readOp     // of new values; nil without a pointer or an interface
	field   *field      // of a struct
	offset  uintptr
	typ     reflect.Type   // of the field
	look    *wordPart      // writing: the number that the word depends on, or nil
	words   []putHeadWord  // writing: the words by this number, if it is below 256
	lines   bytecode.Lines // writing: the words of all numbers, or nil
	atField *field         // of at
}

// unionPlan makes the plan of a union. It reports false if Values have to convert it.
func (c *recordCompiler) unionPlan(rec *recordPlan, routine uint32, t reflect.Type, known []bytecode.Known) bool {
	r := &c.p.Routines[routine]
	in := &c.p.Code[r.Start]
	if in.Op != bytecode.Union && in.Op != bytecode.Switch || c.hooked(t) || t == valueType {
		return false
	}
	u := &recordUnion{table: &c.p.Tables[in.D]}
	if in.Op == bytecode.Union {
		if in.Scalar().Odd() || in.Scalar().IsFloat() || in.Coded() && in.Coding() != 0 {
			return false
		}
		u.size, u.scalar, u.reg, u.big = in.Scalar().Width(), in.Scalar(), int(in.B), c.order(in)
		if u.order = none; in.Ordered() {
			u.order = int(in.B) - 1
		}
	}
	b := stepCompiler{recordCompiler: c, form: &bytecode.Plain{Fields: int(r.Start)}, known: known}
	if u.id = b.expr(in.C); u.id == nil {
		return false // unreachable: the number of an arm is an expression of registers, which the verifier asks for
	}
	u.arms = make([]recordArm, len(u.table.Arms))
	for id := range 512 {
		if i, ok := u.table.ByID(uint64(id)); ok {
			u.forms = append(u.forms, make([]unionForm, id+1-len(u.forms))...)
			u.forms[id].arm = &u.arms[i]
		}
	}
	rec.union, rec.regs, rec.whole, rec.covered = u, int(r.Regs), true, true
	content, ok := c.armTypes(u, t)
	if !ok {
		return false
	}
	planned := 0
	for i := range u.arms {
		a := &u.arms[i]
		if content[i] == nil {
			continue
		}
		typ := &c.p.Types[u.table.Arms[i].Type]
		to := content[i]
		if to.Kind() == reflect.Pointer {
			to, a.op = to.Elem(), c.slab(to.Elem())
		} else if u.boxed {
			a.op = c.slab(to)
		}
		plan := &recordPlan{}
		switch at := c.p.ArmAt(in.D, i) + 1; {
		case c.p.Code[at].Op != bytecode.Fields:
		case c.record(plan, routine, at, to, known, nil) && c.forms(u, i, routine, at, to, known):
			a.plan = plan
			planned++
			continue
		}
		c.refuse(to, "no plan for arm "+typ.Name)
	}
	for id := range u.forms {
		if f := &u.forms[id]; f.arm != nil && (f.plan == nil || f.arm.plan == nil) {
			f.plan = f.arm.plan
		}
	}
	return planned > 0
}

// forms makes the plans of an arm for each word of a union that decides other conditions. It reports false if one of
// them needs Values.
func (c *recordCompiler) forms(u *recordUnion, arm int, routine uint32, at int, t reflect.Type, known []bytecode.Known) bool {
	conditions := c.conditions(u, at)
	if len(conditions) == 0 {
		return true
	}
	made := map[string]*recordPlan{}
	for id := range u.forms {
		if u.forms[id].arm != &u.arms[arm] {
			continue
		}
		decided, key := map[int]bool{}, ""
		for _, pc := range conditions {
			n, _ := c.p.Exprs[c.p.Code[pc].A].Fold(func(*bytecode.Expr) (int64, bool) { return int64(id), true })
			decided[pc] = n != 0
			key += strconv.FormatBool(n != 0)
		}
		if made[key] == nil {
			made[key] = &recordPlan{}
			if !c.record(made[key], routine, at, t, known, decided) {
				return false // unreachable: the arm has a plan with the conditions, and decisions only leave steps out
			}
			u.arms[arm].head = made[key].head
		}
		u.forms[id].plan = made[key]
	}
	return true
}

// conditions returns the conditions of an arm that look at the word of its union alone. That word is the number of the
// arm. A writer must know the word before the record.
func (c *recordCompiler) conditions(u *recordUnion, at int) (out []int) {
	if u.size == 0 || u.id.op != bytecode.ExprReg || u.id.n != int64(u.reg) {
		return nil
	}
	reg := uint32(u.reg)
	for pc := at + 1; pc < c.p.End(at); pc++ {
		in := &c.p.Code[pc]
		switch sets := in.Sets(); {
		case in.Op == bytecode.Header:
			if c.write && c.p.Exprs[in.C].Any(func(e *bytecode.Expr) bool { return e.Op == bytecode.ExprReg }) {
				return nil
			}
		case sets[0] == reg || sets[1] == reg:
			return nil // unreachable: the compiler gives each number a separate register; a program by hand may set that of the word again
		case in.Op == bytecode.If:
			other := c.p.Exprs[in.A].Any(func(e *bytecode.Expr) bool {
				return e.Op == bytecode.ExprReg && e.Arg != int64(reg) || e.Op != bytecode.ExprReg && e.Op != bytecode.ExprNum && e.Op.Takes() == 0
			})
			if !other {
				out = append(out, pc)
			}
		}
	}
	return out
}

// armTypes finds the Go types of arms: of an interface, or of the fields of a struct.
func (c *recordCompiler) armTypes(u *recordUnion, t reflect.Type) (content []reflect.Type, ok bool) {
	content = make([]reflect.Type, len(u.arms))
	name := func(i int) string { return c.p.Types[u.table.Arms[i].Type].Name }
	if i := c.c.interfaces[t]; i != nil {
		u.boxed = true
		for k := range u.arms {
			if typ, ok := i.types[name(k)]; ok && !c.hooked(typ) {
				if u.arms[k].box, ok = boxOf(t, typ); ok {
					content[k] = typ
				}
			}
		}
		return content, true
	}
	p := planFor(t, want{names: c.names})
	if t.Kind() != reflect.Struct || p.form != formStruct || p.problem != "" || p.fields.variant != "" || p.fields.rest != nil {
		return nil, false
	}
	arms := map[string]bool{}
	for k := range u.arms {
		arms[name(k)] = true
		j, ok := p.fields.byName[name(k)]
		if !ok {
			continue
		}
		f, a := &p.fields.fields[j], &u.arms[k]
		if f.indirect || f.plan.want.typ != 0 || f.omitEmpty || f.omitZero {
			return nil, false
		}
		a.field, a.offset, a.typ = f, f.offset, f.plan.typ
		if content[k] = a.typ; a.typ.Kind() == reflect.Bool && len(c.p.Types[u.table.Arms[k].Type].Fields) == 0 {
			a.unit, content[k] = true, reflect.TypeFor[struct{}]()
		}
	}
	for j := range p.fields.fields {
		if f := &p.fields.fields[j]; !arms[f.name] {
			if f.indirect {
				return nil, false
			}
			u.others = append(u.others, *f)
		}
	}
	return content, true
}

// armsOf returns the arms of a union with their numbers, or nil. They serve to find the arm that a Go value is of.
func (c *recordCompiler) armsOf(routine uint32, t reflect.Type) *recordUnion {
	u := &recordUnion{table: &c.p.Tables[c.p.Code[c.p.Routines[routine].Start].D]}
	u.arms = make([]recordArm, len(u.table.Arms))
	content, ok := c.armTypes(u, t)
	if !ok {
		return nil
	}
	for i := range u.arms {
		if u.arms[i].id = u.table.Arms[i].ID; content[i] != nil {
			u.arms[i].plan = &recordPlan{}
		}
	}
	return u
}

// form returns the arm with a number and its plan. There is no plan if Values have to look for the arm.
func (u *recordUnion) form(id uint64) unionForm {
	if id < uint64(len(u.forms)) {
		return u.forms[id]
	}
	return u.far(id)
}

// far is form for numbers after those of forms.
func (u *recordUnion) far(id uint64) unionForm {
	for at := unionHash(id, len(u.slots)); at < len(u.slots) && u.slots[at].form.arm != nil; at = (at + 1) & (len(u.slots) - 1) {
		if s := &u.slots[at]; s.id == id {
			return s.form
		}
	}
	if i, ok := u.table.ByID(id); ok {
		return unionForm{arm: &u.arms[i], plan: u.arms[i].plan}
	}
	return unionForm{}
}

// has reports whether a number is of an arm that has a plan.
func (u *recordUnion) has(a *recordArm, id uint64) bool {
	f := u.form(id)
	return f.arm == a && f.plan != nil
}

// union reads a value of a union.
func (r *planReader) union(rec *recordPlan, x place, pos, regs int, fresh bool) int {
	u := rec.union
	if r.end-pos < u.size {
		return wrong
	}
	if u.words != nil {
		f := &u.words[r.b[pos]]
		r.regs[regs+u.reg] = uint64(r.b[pos])
		if f.plan == nil {
			return wrong
		}
		return r.unionArm(rec, f.arm, f.plan, x, pos+1, regs, fresh)
	}
	if u.size > 0 {
		big := u.big
		if u.order >= 0 {
			big = r.regs[regs+u.order] != 0
		}
		r.regs[regs+u.reg] = interp.LoadNumber(r.in, pos, u.scalar, big)
		pos += u.size
	}
	var id uint64
	if e := u.id; e.isRegister() {
		id = r.regs[regs+int(e.n)]
	} else {
		id = uint64(r.evaluate(e, place{}, pos, regs))
	}
	f := u.form(id)
	if f.plan == nil {
		return wrong
	}
	return r.unionArm(rec, f.arm, f.plan, x, pos, regs, fresh)
}

// unionIn reads the union of an operation, whose registers begin at regs.
func (r *planReader) unionIn(op *getOp, x place, pos, regs int) int {
	rec := op.more.step.elem
	if rec.clears {
		clear(r.regs[regs+rec.args : regs+rec.regs])
	}
	if op.a == none {
		return r.union(rec, x, pos, regs, r.fresh)
	}
	f := rec.union.form(bitsAt(r.regs[r.base+int(op.a)], op.shift, op.mask))
	if f.plan == nil {
		return wrong
	}
	return r.unionArm(rec, f.arm, f.plan, x, pos, regs, r.fresh)
}

// unionArm reads the arm of a union behind its word.
func (r *planReader) unionArm(rec *recordPlan, a *recordArm, plan *recordPlan, x place, pos, regs int, fresh bool) int {
	u, nested := rec.union, r.nested
	r.nested = true
	if u.boxed {
		var at place
		again := false
		if !a.box.pointer {
			at, again = r.boxed(a.op)
		} else if at, again = a.box.holds(x); !again || !r.keep || fresh {
			at, again = r.new(a.op), false
		}
		if pos = r.arm(plan, at, pos, regs, !again); pos != wrong {
			a.box.put(x, at)
		}
	} else {
		pos = r.armField(rec, a, plan, x, pos, regs, fresh)
	}
	r.nested = nested
	return pos
}

// arm reads the content of an arm. If fresh is true, its place holds nothing.
func (r *planReader) arm(plan *recordPlan, at place, pos, regs int, fresh bool) int {
	if !fresh && !plan.covered {
		at.of(&plan.zero).SetZero()
		fresh = true
	}
	return r.get(plan.gets, at, pos, regs, fresh)
}

// armField reads an arm into its field of the struct at x. The other fields become zero.
func (r *planReader) armField(rec *recordPlan, a *recordArm, plan *recordPlan, x place, pos, regs int, fresh bool) int {
	f := x.field(a.offset, a.field)
	var before place
	again := false
	if !fresh {
		if a.op != nil && r.keep {
			before, again = f.pointed()
		}
		x.of(&rec.zero).SetZero()
	}
	switch {
	case a.unit:
		f.putBool(true)
		return r.get(plan.gets, f, pos, regs, true)
	case a.op == nil:
		return r.arm(plan, f, pos, regs, true)
	case !again:
		before = r.new(a.op)
	}
	f.pointTo(before)
	return r.arm(plan, before, pos, regs, !again)
}

// union writes the value of a union.
func (w *planWriter) union(rec *recordPlan, x place, pos, regs int) int {
	u := rec.union
	var a *recordArm
	at, ok := x, false
	if u.byType == nil {
		a, at, ok = u.held(x)
	} else if a = u.byType[boxHash(x, u.factor)]; a != nil {
		at, ok = a.box.holds(x)
	}
	if !ok {
		return wrong
	}
	if a.head != nil {
		return w.headed(u, a, at, pos, regs)
	}
	if u.size > 0 {
		if pos = w.put(a.plan.puts, at, pos, regs); pos == wrong || a.sure {
			return pos
		}
	}
	id := uint64(0)
	if e := u.id; e.isRegister() {
		id = w.regs[regs+int(e.n)]
	} else {
		var n int64
		n, ok = w.evaluate(e, x, regs)
		id = uint64(n)
	}
	if !ok || !u.has(a, id) {
		return wrong
	}
	if u.size > 0 {
		return pos
	}
	return w.put(a.plan.puts, at, pos, regs)
}

// headed writes an arm whose word is computed before it.
func (w *planWriter) headed(u *recordUnion, a *recordArm, at place, pos, regs int) int {
	if p := a.look; p != nil && !p.outside {
		if n := p.number(at.field(p.offset, p.field)); n < uint64(len(a.words)) && a.words[n].plan != nil {
			h := &a.words[n]
			w.regs[regs+u.reg] = h.word
			return w.put(h.plan.puts, at, pos, regs)
		}
	}
	n, ok := w.evaluate(a.head, at, regs)
	if !ok || !u.has(a, uint64(n)) {
		return wrong
	}
	w.regs[regs+u.reg] = uint64(n)
	return w.put(u.form(uint64(n)).plan.puts, at, pos, regs)
}

// held returns the arm that the Go value at x is of, and the place of its content.
func (u *recordUnion) held(x place) (arm *recordArm, at place, ok bool) {
	if u.boxed {
		for i := range u.arms {
			if a := &u.arms[i]; a.plan != nil {
				if at, ok := a.box.holds(x); ok {
					return a, at, true
				}
			}
		}
		return nil, at, false
	}
	for i := range u.arms {
		a := &u.arms[i]
		if a.field == nil {
			continue
		}
		f := x.field(a.offset, a.field)
		to, set := f, false
		if a.typ.Kind() == reflect.Pointer {
			to, set = f.pointed()
		} else {
			set = !f.value(a.typ).IsZero()
		}
		if !set {
			continue
		}
		if ok || a.plan == nil {
			return nil, at, false
		}
		arm, at, ok = a, to, true
	}
	for i := range u.others {
		f := &u.others[i]
		ok = ok && x.field(f.offset, f).value(f.plan.typ).IsZero()
	}
	return arm, at, ok
}
