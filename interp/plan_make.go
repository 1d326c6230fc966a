// Plans: records whose operands are resolved before any value is read or written.
//
// The compiler's package says which records are plain ([bytecode.Program.Plain]). A
// plan is such a form with everything resolved: the cell, the place in a run of
// fields, the meta word of the value, the byte order. It has two parts:
//
//	rows     what decides where fields are: the length of a run, texts, arrays,
//	         lists, conditions. They are executed record by record.
//	columns  fields at known places: numbers, truths, tuples. Each column is
//	         executed for a block of up to 64 records of a list at a time, in
//	         a separate loop, since a branch for each field of each record
//	         costs more than the field.
//
// A single record is executed row by row, and so is every record with a list, a condition
// or a checksum in it. Its rows are one flat list (plan_flat.go):
//
//	runs        all that has a known place in a run is one row: numbers are bits of eight bytes, in one loop
//	            without a branch; those that a register or a check needs as well are loaded once; arrays of a known number of bytes are copied or referred to; registers
//	            get words and places of the run (plan_fill.go, plan_put.go)
//	words       that later rows complete hold the numbers of the cells in the run; the late numbers are
//	            added
//	calls       know the plan that they lead to when the plan is made, with the conditions decided that
//	            their arguments decide (plan_call.go)
//	conditions  jumps over rows
//	regions     one row with what is in them, if that is one row
//	arms        that follow from an argument and are a known value, numbers of a run or the rest of a region need no rows
//	checksums   one row with the word that has them
//	records     that are one list are a row of the record around them
//	registers   that nothing looks at, or that get the same number again, are left out (plan_live.go)
//	checks      of the size of a region are left out, since a region has that size
//
// A writer's rows become operations of 64 bytes (plan_line.go), with those of the records that they call and of the elements of
// lists in place. One loop executes them (plan_line_run.go); rows that need a call leave it. An operation costs about as much
// for the jump to it as for its work, so a record should have few of them:
//
//	places      in a run are sums of one register
//	results     that nothing looks at are left out, with their operations (plan_line_live.go)
//	neighbours  are one operation (plan_line_fuse.go): the beginning of a run and its first field, a size and the word that
//	            it completes, the end of an element and the beginning of the next one
//	numbers     of single fields go into their register with the field
//	jumps       to jumps lead to where those lead
//	texts       of arms whose byte follows from the length have their byte in a table, without a form
//	            (plan_line_leaves.go); so have lists of values of one byte whose argument decides conditions, by the
//	            argument
//
// Checksums, long copies and lists of values of one byte are calls inside of the loop. Such a call stores
// the registers of the loop and loads them again, which takes less time than to leave the loop and enter it again.
//
// Values of a union of one byte are read and written one after another, by a table of the forms
// that they have for each byte (plan_leaf.go, plan_leaf_write.go).
//
// A plan knows nothing of errors. If anything is wrong the whole input is read, or
// the whole value written, again by the instructions, which say what and where. An
// instruction that has no step is executed as such: a plan leaves to the instructions
// at that place of the record, with the cells and registers that it has. Expressions
// other than counts and lengths are computed by the same evaluator. Depth, memory and
// regions are counted as the instructions count them.

package interp

import (
	"slices"
	"sync/atomic"

	"github.com/octable/octable/compile/bytecode"
)

// blockSize is how many records of a list are read or written at a time.
const blockSize = 64

// plan is a record, or a union of records.
type plan struct {
	routine uint32
	nests   bool
	typ     uint32
	tag     uint16
	cells   int
	single  bool // the value is its one cell
	alone   bool // one cell may represent the record
	args    int  // registers that the caller gives
	arm     int  // of the union, if the word is known
	fixed   bool // every cell has a value
	covered bool // read: every cell has a value or is cleared by a row
	regs    int  // registers to keep; 0 if none is needed
	zeros   bool // read: registers must be 0 at first
	steady  bool // read: arguments keep their registers
	plain   bool // read: the value is the record with all its cells, and each of them gets a value
	leave   int  // the instruction to leave at, or -1
	read    readSteps
	value   Value // read: if it is known; else None

	lone   bool // write: the value is its one cell
	keeps  int  // write: as regs
	clears bool // write: as zeros
	quit   int  // write: as leave
	write  writeSteps

	inlined atomic.Pointer[flatRows] // write: made when it is first needed

	union *unionPlan
	kind  planKind // read

	// decides has the arguments that conditions look at. If each of them is 0 or 1, a plan in which these
	// conditions are decided is used. Such plans are made when they are first needed.
	decides  []uint32
	variants []atomic.Pointer[plan]
}

// tooDeep reports whether the record of a plan is inside of more values or routines than a limit allows.
func (p *plan) tooDeep(depth, routines, limit int) bool {
	return p.nests && depth > limit || routines >= maxNest(limit)
}

// planKind says how values are read by a plan.
type planKind uint8

const (
	planOther  planKind = iota
	planRecord          // one after another
	planBlocks          // several records at a time
	planLeaves          // a union of one byte, by a loop over the bytes
	planArms            // a union whose arm follows from an argument
)

// kindOf returns how values are read by a plan that is complete.
func (p *plan) kindOf() planKind {
	switch u := p.union; {
	case p.decides != nil:
	case u == nil && p.inBlocks():
		return planBlocks
	case u == nil:
		return planRecord
	case u.leaves != nil:
		return planLeaves
	case u.simple != nil:
		return planArms
	}
	return planOther
}

// unionPlan is a union of records behind a word.
type unionPlan struct {
	word   *bytecode.Instr
	byTag  []int32  // as in [Machine]
	load   loadForm // of the word
	size   int      // of the word; 0 if the arm follows from an expression
	table  *bytecode.Table
	regs   int
	given  []bytecode.Known          // of a variant
	heads  []head                    // write: of each arm
	puts   []*putArm                 // write: by tag, if the word is one byte
	forms  []atomic.Pointer[putLeaf] // write: by word
	ids    []int16                   // by numbers below 512: the arm, or -1
	id     int                       // the register that has the number, or -1
	slots  *[slots]slot              // by a hash of the number, or nil
	factor uint64
	other  int     // the arm of all other numbers, or -1
	arms   []*plan // by arm of the table
	simple []*leaf // read: as arms; nil if the arm does not follow from a register
	// known are plans in which conditions and counts that follow from the word are decided. They are indexed
	// by a word of eight bits. They are made when they are first needed. Nil if the word has more bits.
	known  []atomic.Pointer[plan]
	leaves []atomic.Pointer[leaf] // as known
	least  uint64                 // bytes of a value
}

// loadForm says how a number is loaded: a scalar in an order of bytes.
type loadForm struct {
	scalar bytecode.Scalar
	big    bool
}

// rowOp is one operation of rows.
type rowOp uint8

const (
	rowRun rowOp = iota // a run of fields
	rowText
	rowPacked
	rowList
	rowMap
	rowPad
	rowCall
	rowIf
	rowWord  // a word into its register
	rowLet   // an expression into a register
	rowCheck // an expression that must hold
	rowGate
	rowExpect // write: the cell must be of a kind
	rowTake   // a register into a cell
	rowAbsent // write: the cell must have no value
	rowMark   // the place of the cursor into a register
	rowSize
	rowEnter // read: begin a region
	rowLeave // read: end it
	rowSum
	rowCompare // read: a register must be what an expression gives
	rowStop
	rowRest    // elements up to the end
	rowThrough // elements up to one that ends the list
	rowUntil
	rowFilled
	rowArmRef
	rowNumber // an unusual number
	rowPlace  // write: a word that a patch completes
	rowPatch  // write
	rowHead   // write: the word of a union, which is known, into its register
	rowRunText
	rowBits   // write: a word of bits
	rowJump   // over rows
	rowRegion // read: a region with one row in it
	rowColumn // read
	rowInto   // write: a called record, whose rows follow
	rowSwitch // write: one of several such records
	rowEach   // write: a list, the rows of whose elements follow
	rowNext   // write: the end of these rows
	rowDeeper // write: a level of values in values begins
	rowBack   // write: it ends
)

// count says how the number of parts follows.
type count struct {
	word   loadForm
	plain  bool // the word is the number
	run    int
	off    int
	bits   *bytecode.Bits // nil: constant or an expression
	fixed  bool
	number int64
	expr   uint32
}

// planner makes the plan of one record in one direction.
type planner struct {
	m       *Machine
	form    *bytecode.Plain
	big     bool
	once    map[uint32]int // how often a register is given a number
	covered bool           // read: each path gives every cell a value or says that it is absent
}

// makePlans makes plans for all routines that have no faster form.
func (m *Machine) makePlans() {
	m.plans = make([]*plan, len(m.p.Routines))
	for i := range m.p.Routines {
		if m.fast[i] == nil {
			p := m.makePlan(uint32(i))
			if p != nil && p.args > 0 {
				p.decides = m.decides(uint32(i))
				p.kind = p.kindOf()
				p.variants = make([]atomic.Pointer[plan], 1<<len(p.decides))
			}
			m.plans[i] = p
		}
	}
}

// decides returns the arguments of a routine that are conditions in it, up to 3.
func (m *Machine) decides(routine uint32) (regs []uint32) {
	r := &m.p.Routines[routine]
	for pc := int(r.Start); pc < int(r.End); pc++ {
		if in := &m.p.Code[pc]; in.Op == bytecode.If {
			e := m.p.Exprs[in.A]
			if reg := uint32(e.Arg); e.Op == bytecode.ExprReg && reg < r.Args && len(regs) < 3 && !slices.Contains(regs, reg) {
				regs = append(regs, reg)
			}
		}
	}
	return regs
}

// variant returns the plan for the arguments that decide.
func (p *plan) variant(m *Machine, args []uint64) *plan {
	key := uint64(0)
	for i, reg := range p.decides {
		if args[reg] > 1 {
			return p
		}
		key |= args[reg] << i
	}
	v := p.variants[key].Load()
	if v == nil {
		var known []bytecode.Known
		for i, reg := range p.decides {
			known = append(known, bytecode.Known{Reg: reg, Word: key >> i & 1})
		}
		v = m.makePlan(p.routine, known...)
		p.variants[key].Store(v) // another goroutine may have made the same
	}
	return v
}

// makePlan makes the plan of a routine, in which some arguments may be known.
func (m *Machine) makePlan(routine uint32, known ...bytecode.Known) *plan {
	r := &m.p.Routines[routine]
	in := &m.p.Code[r.Start]
	if in.Op == bytecode.Fields {
		if m.p.Types[in.B].Bare() {
			return nil
		}
		return m.recordPlan(routine, int(r.Start), true, known...)
	}
	if in.Op == bytecode.Union && (in.Scalar().Odd() || in.Swapped() || in.Ordered()) {
		return nil
	}
	if in.Op == bytecode.Switch && slices.ContainsFunc(m.p.Exprs[in.C].Registers(), func(reg uint32) bool { return reg >= uint32(r.Args) }) {
		return nil // only a program that no schema has reads a register before it is set
	}
	u := &unionPlan{word: in, table: &m.p.Tables[in.D], regs: int(r.Regs), given: known, byTag: m.byTag[routine]}
	if in.Op == bytecode.Union {
		c := planner{big: m.p.Big}
		u.load, u.size = c.load(in.Scalar(), false), in.Scalar().Width()
	}
	for i := range u.table.Arms {
		u.arms = append(u.arms, m.recordPlan(routine, m.armStart(routine, i), true, known...))
	}
	if u.size == 0 {
		if u.number(m); u.id >= 0 {
			u.armForms(routine)
		}
	}
	if in.Op == bytecode.Union && in.Scalar() == bytecode.U8 && int(r.Args) == len(known) {
		u.known, u.forms = make([]atomic.Pointer[plan], 256), make([]atomic.Pointer[putLeaf], 256)
		u.leaves, u.least = make([]atomic.Pointer[leaf], 256), m.p.Bounds(routine).Min
		for i := range u.table.Arms {
			u.heads = append(u.heads, m.head(m.armStart(routine, i)))
		}
		u.putArms()
	}
	p := &plan{routine: routine, nests: r.Nests, args: int(r.Args), leave: none, quit: none, union: u}
	p.kind = p.kindOf()
	return p
}

// armFor returns the plan of an arm for a word of the union.
func (u *unionPlan) armFor(m *Machine, routine uint32, word uint64, arm int) *plan {
	p := m.recordPlan(routine, m.armStart(routine, arm), false, u.with(word)...)
	u.known[word].Store(p) // another goroutine may have made the same
	return p
}

// number notes which arm has which number.
func (u *unionPlan) number(m *Machine) {
	u.ids, u.id = make([]int16, 512), none
	for id := range u.ids {
		u.ids[id] = none
		if i, ok := u.table.ByID(uint64(id)); ok {
			u.ids[id] = int16(i)
		}
	}
	if e := m.p.Exprs[u.word.C]; e.Op == bytecode.ExprReg {
		u.id = int(e.Arg)
	}
	u.hash(0x9e3779b97f4a7c15)
}

// slot is the arm of a number.
type slot struct {
	id  uint64
	arm int32
}

// slots is the size of a table of numbers.
const slots = 256

// hash makes a table of the numbers of arms, in which each has a separate place. It makes no table if arms have several
// numbers, or if it does not find a factor.
func (u *unionPlan) hash(factor uint64) {
	for range 64 {
		factor = factor*6364136223846793005 + 1442695040888963407 | 1
		table, other := new([slots]slot), int32(none)
		for i := range table {
			table[i].arm = none
		}
		fine := true
		for i, a := range u.table.Arms {
			if a.Else {
				other = int32(i)
				continue
			}
			s := &table[a.ID*factor>>56]
			fine = fine && a.IDs == nil && s.arm < 0
			*s = slot{a.ID, int32(i)}
		}
		if fine {
			for i := range table {
				if table[i].arm < 0 {
					table[i].arm = other
				}
			}
			u.slots, u.factor, u.other = table, factor, int(other)
			return
		}
	}
}

// slotted is arm with a table of the numbers of arms.
func (u *unionPlan) slotted(id uint64) int {
	s := &u.slots[id*u.factor>>56]
	if s.id != id {
		return u.other
	}
	return int(s.arm)
}

// arm returns the index of the arm with a number, or -1.
func (u *unionPlan) arm(id uint64) int {
	if u.slots != nil {
		return u.slotted(id)
	}
	if id < uint64(len(u.ids)) {
		return int(u.ids[id])
	}
	if i, ok := u.table.ByID(id); ok {
		return i
	}
	return none
}

// with returns the registers that are known when the word is.
func (u *unionPlan) with(word uint64) []bytecode.Known {
	return append([]bytecode.Known{{Reg: u.word.B, Word: word}}, u.given...)
}

// formFor returns how an arm is written with a word, both of which are known. It returns nil if a reader would take
// the word for another arm.
func (u *unionPlan) formFor(m *Machine, routine uint32, word uint64, arm int) *putLeaf {
	e := u.forms[word].Load()
	if e == nil {
		p := m.recordPlan(routine, m.armStart(routine, arm), true, u.with(word)...)
		p.arm = arm
		e = p.putLeafOf(m, routine)
		u.forms[word].Store(e) // another goroutine may have made the same
	}
	if e.arm != arm {
		return nil
	}
	return e
}

// recordPlan makes the plan of the record whose fields begin at an instruction, for both directions or for
// reading alone.
func (m *Machine) recordPlan(routine uint32, fields int, both bool, known ...bytecode.Known) *plan {
	r := &m.p.Routines[routine]
	form := m.p.Wide(fields, bytecode.Reading, known...)
	typ := &m.p.Types[form.Type]
	p := &plan{routine: routine, nests: r.Nests, args: int(r.Args), typ: form.Type, tag: m.tags[form.Type], cells: len(typ.Fields), fixed: form.Fixed, leave: none}
	done := &m.p.Code[m.p.End(fields)]
	if done.B&bytecode.DoneAlone != 0 {
		p.single = form.Whole && form.Fixed && p.cells == 1 && typ.Fields[0].Alone
		p.alone = !p.single && !form.Fixed
	}
	if !form.Whole {
		p.leave, p.single, p.fixed = form.Leave, false, false
	}
	for reg := range r.Regs {
		if form.Needs(reg) {
			p.regs = int(r.Regs)
		}
	}
	c := planner{m: m, form: form, big: m.p.Big}
	c.survey(routine, p.cells)
	c.readSteps(&p.read, &form.Steps)
	p.covered = p.leave == none && (p.fixed || c.covered)
	if p.zeros = true; p.leave == none {
		var regs bool
		regs, p.zeros = p.read.prune(m, routine)
		p.regs = int(truth(regs)) * int(r.Regs)
	}
	p.value = p.known()
	m.fuseText(p)
	p.read.flatten(m, known, p.leave == none)
	p.plain = !p.single && !p.alone && p.cells > 0 && p.covered
	p.steady = p.leave == none
	for reg := range r.Args {
		p.steady = p.steady && c.once[reg] == 1
	}
	p.kind = p.kindOf()
	if !both {
		return p
	}

	form = m.p.Wide(fields, bytecode.Writing, known...)
	p.lone, p.quit = p.cells == 1 && typ.Fields[0].Alone, none
	if !form.Whole {
		p.quit = form.Leave
	}
	for reg := range r.Regs {
		if form.Needs(reg) {
			p.keeps = int(r.Regs)
		}
	}
	c.form = form
	c.survey(routine, 0)
	c.writeSteps(&p.write, &form.Steps)
	m.fuseWrite(p)
	if p.clears = true; p.quit == none {
		var regs bool
		regs, p.clears = p.write.prune(m, routine)
		p.keeps = int(truth(regs)) * int(r.Regs)
	}
	p.write.flatten(m, known)
	p.write.whole = p.quit == none && len(p.write.rows) == 1 && p.write.rows[0].op == rowRun && len(p.write.rows[0].numbers) == 0
	return p
}

// known returns the value of a record that is read without a look at the input, or no value.
func (p *plan) known() (v Value) {
	rows := p.read.rows
	switch {
	case p.leave != none:
	case p.cells == 0 && len(rows) == 0:
		return MakeUnit(p.tag)
	case p.single && len(rows) == 1 && rows[0].op == rowTake && rows[0].n.fixed:
		v = rows[0].value
		v.tag = p.tag
	}
	return v
}

// count resolves the number of parts of a step.
func (c *planner) count(x *bytecode.Step, expr uint32) count {
	n := count{fixed: x.Const, number: x.N, expr: expr}
	if x.From != nil {
		n.bits, n.plain = x.From, x.From.Plain()
		n.word, n.run, n.off = c.load(x.From.Scalar, x.From.Swapped), x.From.Run, x.From.Off
	}
	return n
}
