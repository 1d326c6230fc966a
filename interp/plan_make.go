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
// A single record is executed row by row, with its columns among the rows in the order of
// the bytes. So is every record with a list, a condition or a checksum in it.
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
	regs    int  // registers to keep; 0 if none is needed
	leave   int  // the instruction to leave at, or -1
	read    readSteps
	value   Value // read: if it is known; else None

	lone  bool // write: the value is its one cell
	keeps int  // write: as regs
	quit  int  // write: as leave
	write writeSteps
	leaf  putLeaf // write: of a union of one byte

	union *unionPlan

	// decides has the arguments that conditions look at. If each of them is 0 or 1, a plan in which these
	// conditions are decided is used. Such plans are made when they are first needed.
	decides  []uint32
	variants []atomic.Pointer[plan]
}

// unionPlan is a union of records behind a word.
type unionPlan struct {
	word  *bytecode.Instr
	byTag []int32  // as in [Machine]
	load  loadForm // of the word
	size  int      // of the word; 0 if the arm follows from an expression
	table *bytecode.Table
	regs  int
	given []bytecode.Known       // of a variant
	heads []head                 // write: of each arm
	put   []atomic.Pointer[plan] // write: by word and arm, as known
	arms  []*plan                // by arm of the table
	// known are plans in which conditions and counts that follow from the word are decided, by a word of
	// eight bits. They are made when they are first needed. Nil if the word has more bits.
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
	rowInt    // write: a column of an integer of up to 32 bits
	rowConst  // write: a column of a constant
	rowBits   // write: a word of bits
	rowValue  // write: the number of a cell, which is written, into a register
	rowSumOf  // write: a word of bits, which is written, into a register
	rowColumn // write: any other column
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
	m    *Machine
	form *bytecode.Plain
	big  bool
}

// makePlans makes plans for all routines that have no faster form.
func (m *Machine) makePlans() {
	m.plans = make([]*plan, len(m.p.Routines))
	for i := range m.p.Routines {
		if m.fast[i] == nil {
			p := m.makePlan(uint32(i))
			if p != nil && p.args > 0 {
				p.decides = m.decides(uint32(i))
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
	switch in.Op {
	case bytecode.Fields:
		return m.recordPlan(routine, int(r.Start), true, known...)
	case bytecode.Union, bytecode.Switch:
		if in.Op == bytecode.Union && (in.Scalar().Odd() || in.Swapped() || in.Ordered()) {
			return nil
		}
		u := &unionPlan{word: in, table: &m.p.Tables[in.D], regs: int(r.Regs), given: known, byTag: m.byTag[routine]}
		if in.Op == bytecode.Union {
			c := planner{big: m.p.Big}
			u.load, u.size = c.load(in.Scalar(), false), in.Scalar().Width()
		}
		for i := range u.table.Arms {
			u.arms = append(u.arms, m.recordPlan(routine, m.armStart(routine, i), true, known...))
		}
		if in.Op == bytecode.Union && in.Scalar() == bytecode.U8 && int(r.Args) == len(known) {
			u.known, u.put = make([]atomic.Pointer[plan], 256), make([]atomic.Pointer[plan], 256)
			u.leaves, u.least = make([]atomic.Pointer[leaf], 256), m.p.Bounds(routine).Min
			for i := range u.table.Arms {
				u.heads = append(u.heads, m.head(m.armStart(routine, i)))
			}
		}
		return &plan{routine: routine, nests: r.Nests, args: int(r.Args), leave: -1, quit: -1, union: u}
	}
	return nil
}

// armFor returns the plan of an arm for a word of the union.
func (u *unionPlan) armFor(m *Machine, routine uint32, word uint64, arm int) *plan {
	p := m.recordPlan(routine, m.armStart(routine, arm), false, u.with(word)...)
	u.known[word].Store(p) // another goroutine may have made the same
	return p
}

// with returns the registers that are known when the word is.
func (u *unionPlan) with(word uint64) []bytecode.Known {
	return append([]bytecode.Known{{Reg: u.word.B, Word: word}}, u.given...)
}

// putFor returns the plan in which an arm is written with a word, both of which are known.
func (u *unionPlan) putFor(m *Machine, routine uint32, word uint64, arm int) *plan {
	p := u.put[word].Load()
	if p == nil {
		p = m.recordPlan(routine, m.armStart(routine, arm), true, u.with(word)...)
		p.arm = arm
		u.put[word].Store(p) // another goroutine may have made the same
	}
	if p.arm != arm { // two arms have the word, of which a reader takes one
		return u.arms[arm]
	}
	return p
}

// recordPlan makes the plan of the record whose fields begin at an instruction, for both directions or for
// reading alone.
func (m *Machine) recordPlan(routine uint32, fields int, both bool, known ...bytecode.Known) *plan {
	r := &m.p.Routines[routine]
	form := m.p.Wide(fields, bytecode.Reading, known...)
	typ := &m.p.Types[form.Type]
	p := &plan{routine: routine, nests: r.Nests, args: int(r.Args), typ: form.Type, tag: m.tags[form.Type], cells: len(typ.Fields), fixed: form.Fixed, leave: -1}
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
	c.readSteps(&p.read, &form.Steps)
	p.value = p.known()
	if !both {
		m.fuseText(p)
		return p
	}

	form = m.p.Wide(fields, bytecode.Writing, known...)
	p.lone, p.quit = p.cells == 1 && typ.Fields[0].Alone, -1
	if !form.Whole {
		p.quit = form.Leave
	}
	for reg := range r.Regs {
		if form.Needs(reg) {
			p.keeps = int(r.Regs)
		}
	}
	c.form = form
	c.writeSteps(&p.write, &form.Steps)
	m.fuseText(p)
	m.fuseWrite(p)
	p.write.finish(m)
	p.leaf = p.putLeafOf(routine)
	return p
}

// known returns the value of a record that is read without a look at the input, or no value.
func (p *plan) known() (v Value) {
	rows := p.read.rows
	switch {
	case p.leave >= 0:
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
