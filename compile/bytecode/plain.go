// Plain forms: records as flat lists of steps.
//
// A plain record consists of runs of fields of fixed size, and of parts whose size
// follows from a word before them. The steps are found by matching instructions and
// expression trees. Nothing is executed, and nothing is tried.

package bytecode

// Direction distinguishes reading from writing.
type Direction uint8

// The directions.
const (
	Reading Direction = iota
	Writing
)

// Plain is the plain form of a record in one direction.
type Plain struct {
	Fields int    // the instruction that begins the record
	Type   uint32 // type of the record
	Steps  Steps
	Leave  int    // the first instruction that is not part of the form
	Whole  bool   // the record is plain as a whole: Leave is its done
	Fixed  bool   // every cell has a value in every record that is read
	Head   uint32 // expression of the header word, or None
	// Looks has the bits of the first register that is known which the form depends on.
	Looks uint64
	needs set
}

// Needs reports whether an expression that has to be evaluated uses a register.
func (f *Plain) Needs(reg uint32) bool { return f.needs.has(reg) }

// Steps is a list of steps without conditions between them.
type Steps struct {
	List []Step
	Runs []int // bytes of each run of fields of fixed size
	open bool  // the next such field continues the last run
}

// Step is an instruction of a plain form.
type Step struct {
	*Instr
	PC   int
	Run  int   // Word, Header, Scalars, Truth, Lanes, Mark and Packed within a run: index of the run in the list, else -1
	Off  int   // bytes from the beginning of the run
	From *Bits // Take, Let, Text, Packed, List, Map: the number is these bits of a word of the same list
	N    int64 // Take, Text, Packed, List, Map, Header, Word, Stop: the number, if Const
	// Const: the number is a constant.
	Const bool
	// Sure: the word that a writer computes always gives the number of parts.
	Sure  bool
	Holds *Holds // Word: a writer's number follows from the parts of a cell
	Then  *Steps // If
	Else  *Steps
}

// Known is a register whose number is known.
type Known struct {
	Reg  uint32
	Word uint64
}

// Plain returns the plain form of the record that begins at an instruction. If
// registers are known, conditions on them are decided and leave no step.
// The program must have passed [Verify].
func (p *Program) Plain(fields int, d Direction, known ...Known) *Plain {
	return p.plain(fields, d, plainer{}, known)
}

// Wide returns the plain form with more kinds of steps. They are regions, marks, checksums, lists up to the end, numbers
// in the other order of bytes, and all instructions that need no base. Their operands are those of the instruction.
// Conditions on registers that are known are decided in both directions.
func (p *Program) Wide(fields int, d Direction, known ...Known) *Plain {
	return p.plain(fields, d, plainer{wide: true}, known)
}

// Widest returns the wide form with all other kinds of steps. These are words that a patch completes (of three, five, six or
// seven bytes, of varying width or in digits), checksums under conditions, tuples of half precision, texts of charsets of
// one byte, rows at places, words of unions in an order that a field selects, and expressions of a reader that look at
// cells. The fields before a step must be written or read before it.
func (p *Program) Widest(fields int, d Direction, known ...Known) *Plain {
	return p.plain(fields, d, plainer{wide: true, patches: true}, known)
}

func (p *Program) plain(fields int, d Direction, b plainer, known []Known) *Plain {
	in := &p.Code[fields]
	f := &Plain{Fields: fields, Type: in.B, Fixed: true, Head: None}
	done := p.End(fields)
	b.p, b.write, b.form, b.given = p, d == Writing, f, None
	p.Walk(Block{fields + 1, done}, func(_ int, in *Instr, _ int) bool {
		b.pads = b.pads || in.Op == Pad
		return true
	})
	for _, k := range known {
		b.learn(k.Reg, int64(k.Word))
		b.given = known[0].Reg
	}
	f.Leave = b.block(&f.Steps, Block{fields + 1, done})
	f.Whole = f.Leave == done
	for i := range p.Types[f.Type].Fields {
		if !b.always.has(uint32(i)) {
			f.Fixed = false
		}
	}
	if !f.Whole {
		for i := range f.needs {
			f.needs[i] = 1<<64 - 1
		}
	}
	f.lets(p, &f.Steps)
	return f
}

// plainer finds the plain form of one record.
type plainer struct {
	p       *Program
	write   bool
	wide    bool
	patches bool // unusual words may be completed by a patch
	pads    bool // the record has padding, which looks at the size of the part before it
	form    *Plain

	given  uint32 // the first register that is known, or None
	known  []Known
	words  []Bits // by register, of the list of steps at hand
	used   set    // cells that some path gives a value
	always set    // cells that every path gives a value
	steps  *Steps // to which the step at hand is appended
	level  int    // of conditions around it
}

func (b *plainer) learn(reg uint32, x int64) {
	b.forget(reg)
	b.known = append(b.known, Known{reg, uint64(x)})
}

// forget makes the number of a register unknown.
func (b *plainer) forget(reg uint32) {
	for i := range b.known {
		if b.known[i].Reg == reg {
			b.known = append(b.known[:i:i], b.known[i+1:]...)
			break
		}
	}
	for i := range b.words {
		if b.words[i].Reg == reg {
			b.words = append(b.words[:i:i], b.words[i+1:]...)
			break
		}
	}
}

// number returns the number of an expression, if it is known.
func (b *plainer) number(expr uint32) (int64, bool) {
	e := b.p.Exprs[expr]
	b.look(e)
	return e.Fold(func(e *Expr) (int64, bool) {
		if e.Op == ExprReg {
			return b.register(uint32(e.Arg))
		}
		return 0, false
	})
}

// register returns the number in a register, if it is known.
func (b *plainer) register(reg uint32) (int64, bool) {
	for _, k := range b.known {
		if k.Reg == reg {
			return int64(k.Word), true
		}
	}
	return 0, false
}

// look notes the bits of the given register that an expression looks at.
func (b *plainer) look(e *Expr) {
	if bits, ok := e.Bits(b.given); ok {
		b.form.Looks |= bits.Mask << bits.Shift
		return
	}
	for _, x := range e.Args {
		b.look(x)
	}
}

// general notes that an expression has to be evaluated. It reports whether that is
// possible before the cells of a record that is read are known.
func (b *plainer) general(expr uint32) bool {
	ok := true
	b.p.Exprs[expr].Walk(func(e *Expr) {
		switch {
		case e.Op == ExprReg:
			b.form.needs.add(uint32(e.Arg))
		case (e.Op == ExprMore || e.Op == ExprLeft) && b.wide && !b.write:
			b.steps.open = false // so that the cursor is at the step
		case (e.Op == ExprLen || e.Op == ExprEquals) && !b.write, b.patches && !b.write && e.Op.looks():
			b.form.Fixed = false // so that cells are empty before
		case e.Op.NeedsCells() && !b.write:
			ok = false
		}
	})
	return ok
}

// looks reports whether a caller of [Program.Widest] may take a number from what was read into a cell.
func (o ExprOp) looks() bool {
	switch o {
	case ExprCount, ExprTotal, ExprLast, ExprMember, ExprValue, ExprPresent:
		return true
	}
	return false
}

// cell notes that an instruction gives a cell its value. It reports whether it is the
// only one on its path.
func (b *plainer) cell(c uint32) bool {
	if b.used.has(c) && !b.write {
		return false
	}
	b.used.add(c)
	b.always.add(c)
	return true
}

// block appends the steps of a block. It returns the first instruction that has none.
func (b *plainer) block(s *Steps, at Block) int {
	for pc := at.First; pc < at.Last; pc = b.p.Close(pc) + 1 {
		if !b.step(s, pc) {
			return pc
		}
	}
	return at.Last
}

// fixed gives a step its place in a run.
func (s *Steps) fixed(x *Step, size int) {
	if !s.open {
		s.Runs, s.open = append(s.Runs, 0), true
	}
	x.Run = len(s.Runs) - 1
	x.Off = s.Runs[x.Run]
	s.Runs[x.Run] += size
}

// step appends the step of an instruction.
func (b *plainer) step(s *Steps, pc int) bool {
	in := &b.p.Code[pc]
	x := Step{Instr: in, PC: pc, Run: -1}
	b.steps = s
	switch {
	case !in.special(), b.wide && (in.Op == Expect || in.Op == Packed || in.Op == Note || in.Op == Settle):
	case !b.wide || in.Op == Union || in.Ordered() && !b.patches:
		return false
	case in.unusual() && !(b.patches && in.Op == Lanes && in.Scalar() == F16):
		return b.unusual(s, x)
	}
	switch in.Op {
	case Subst:
		return !b.write
	case Patch, Header, Word, Let:
		if there, ok := b.registers(s, &x); !there {
			return ok
		}
	case Check:
		if n, ok := b.number(in.A); ok && n != 0 && b.wide {
			return true
		}
		if !b.general(in.A) {
			return false
		}
	case Gate:
	case Expect:
		if !b.write {
			return true
		}
	case Take:
		if b.write { // a word has written the cell
			b.always.add(in.A)
			return true
		}
		if !b.cell(in.A) {
			return false
		}
		if n, ok := b.register(in.B); ok {
			b.look(Reg(int(in.B)))
			x.N, x.Const = n, true
		} else if bits, ok := b.held(in.B); ok && (bits.Half == 0 || in.C == TakeInt) {
			x.From = &bits
		} else {
			b.form.needs.add(in.B)
		}
	case Scalars, Truth, Lanes:
		size := in.Scalar().Width()
		if in.Op == Lanes {
			size *= int(in.B)
		}
		s.fixed(&x, size)
		if !b.cell(in.Cell()) {
			return false
		}
	case Absent:
		if b.used.has(in.A) && !b.write {
			return false
		}
		b.used.add(in.A)
		b.form.Fixed = false
	case Text, Packed, List, Map:
		if in.Op == Text && !b.verbatim(in) {
			return false
		}
		if !b.cell(in.Cell()) || !b.count(s, &x, in.Count()) {
			return false
		}
		if b.fixedArray(&x) {
			s.fixed(&x, int(x.N)*int(in.B))
			break
		}
		s.open = false
	case Pad:
		s.open = false
	case Call:
		s.open = false
		if !b.cell(in.B) {
			return false
		}
		for _, e := range b.p.Args[in.C] {
			if !b.general(e) {
				return false // unreachable: a reader knows the arguments before the cells
			}
		}
	case If:
		return b.condition(s, x)
	default:
		if !b.wide || !b.more(s, &x) {
			return false
		}
	}
	s.List = append(s.List, x)
	return true
}

// verbatim reports whether the bytes of a text are its value, or, if the caller takes other texts, ASCII is.
func (b *plainer) verbatim(in *Instr) bool {
	c := b.p.Encodings[in.A].Charset
	return c.Verbatim() || b.patches && !c.IsUTF16()
}

// registers gives the step of a word or of a register its place, and notes what registers hold. It
// reports whether there is a step, and otherwise whether the instruction needs none.
func (b *plainer) registers(s *Steps, x *Step) (there, ok bool) {
	switch x.Op {
	case Patch:
		b.forget(x.D)
		if !b.write {
			return false, true
		}
		if !b.wide {
			return false, false // unreachable: the word that it completes is no step of the form
		}
		b.general(x.C)
		b.reads(x.B)
		b.form.needs.add(x.D)
		s.open = false
	case Header:
		b.form.Head = x.C
		if !b.write {
			return false, true
		}
		if x.N, x.Const = b.register(x.B); !x.Const {
			b.general(x.C)
		}
		if x.Ordered() {
			b.reads(x.B - 1)
			s.open = false
			break
		}
		s.fixed(x, x.Scalar().Width())
	case Word:
		if x.D == None || !b.write {
			b.word(s, x)
			break
		}
		if !b.wide {
			return false, false
		}
		b.forget(x.B)
		b.forget(x.D)
		b.form.needs.add(x.D)
		s.fixed(x, x.Scalar().Width())
	case Let:
		if n, ok := b.number(x.B); ok && (!b.write || b.wide) {
			b.learn(x.A, n)
			break
		}
		bits, ok := b.bits(b.p.Exprs[x.B])
		signed, isSigned := b.signedBits(b.p.Exprs[x.B])
		if !ok && !isSigned && !b.general(x.B) {
			return false, false
		}
		if b.forget(x.A); isSigned {
			signed.Reg = x.A
			b.words = append(b.words, signed)
		}
		if ok {
			from := bits
			x.From = &from
			bits.Reg = x.A
			b.words = append(b.words, bits)
		}
	}
	return true, true
}

// save returns a function that undoes all that is appended to a list from now on, and returns false.
func (b *plainer) save(s *Steps) func() bool {
	before := *s
	before.Runs = append([]int(nil), s.Runs...)
	saved := *b
	saved.known, saved.words = append([]Known(nil), b.known...), append([]Bits(nil), b.words...)
	return func() bool {
		*b, *s = saved, before
		return false
	}
}

// word gives a word its place, and notes what its register holds.
func (b *plainer) word(s *Steps, x *Step) {
	b.forget(x.B)
	s.fixed(x, x.Scalar().Width())
	b.words = append(b.words, Bits{Run: x.Run, Off: x.Off, Scalar: x.Scalar(), Swapped: x.Swapped(), Reg: x.B, Mask: 1<<64 - 1})
	if x.C != None {
		x.Holds = b.p.holds(b.p.Exprs[x.C])
	}
	if !b.write || x.C == None {
		return
	}
	if b.wide {
		x.N, x.Const = b.number(x.C)
	}
	switch {
	case x.Const:
		b.learn(x.B, x.N)
	case x.Holds == nil:
		b.general(x.C)
	}
}

// Count returns the expression for a number of parts, or None. The parts are those of a text, an array, a list or a
// map.
func (in *Instr) Count() uint32 {
	switch in.Op {
	case Text:
		return in.B
	case Packed:
		return in.C
	case List, Map:
		return in.A
	}
	return None
}

// count finds out how the number of parts follows from what was read.
func (b *plainer) count(s *Steps, x *Step, expr uint32) bool {
	if expr == None {
		return true
	}
	if n, ok := b.number(expr); ok {
		x.N, x.Const = n, true
		return true
	}
	if bits, ok := b.bits(b.p.Exprs[expr]); ok {
		x.From = &bits
		if x.Sure = sure(s, x); b.write && !x.Sure {
			b.general(expr)
		}
		return true
	}
	return b.general(expr)
}

// sure reports whether a count is always correct in its word. A writer writes the word so that it gives the number of
// parts of the step's cell. It lowers the most that the word holds to what a reader can take from it.
func sure(s *Steps, x *Step) bool {
	for i := range s.List {
		w := &s.List[i]
		if w.Op != Word || w.Run != x.From.Run || w.Off != x.From.Off {
			continue
		}
		h := w.Holds
		if h == nil || h.Cell != x.Cell() || (h.Op == ExprLen) != (x.Op == Text) || x.Op == Text && h.Enc != x.A || x.From.Shift != 0 {
			return false
		}
		m := x.From.Mask
		if m == 1<<64-1 {
			return h.Add == 0
		}
		if m&(m+1) != 0 || m&h.Add != 0 {
			return false // unreachable: a reader gets the number from the word
		}
		h.Max = min(h.Max, m)
		return true
	}
	return false // unreachable: the word is in the list
}

// condition appends a condition: the branch that is taken, if that is known, or a
// step with both branches.
func (b *plainer) condition(s *Steps, x Step) bool {
	blocks := b.p.Inner(x.PC)
	undo := b.save(s)
	saved := *b
	if n, ok := b.number(x.A); ok && (!b.write || b.wide) {
		branch := blocks[0]
		if n == 0 {
			branch = blocks[1]
		}
		if b.block(s, branch) != branch.Last {
			return undo()
		}
		return true
	}
	if !b.general(x.A) {
		return false
	}
	x.Then, x.Else = new(Steps), new(Steps)
	after := saved
	for i, steps := range []*Steps{x.Then, x.Else} {
		b.known, b.words = append([]Known(nil), saved.known...), nil
		b.used, b.always = saved.used, saved.always
		b.level = saved.level + 1
		if b.block(steps, blocks[i]) != blocks[i].Last {
			return undo()
		}
		for k := range after.used {
			after.used[k] |= b.used[k]
		}
		if i == 0 {
			after.always = b.always
		} else {
			for k := range after.always {
				after.always[k] &= b.always[k]
			}
		}
	}
	b.used, b.always = after.used, after.always
	b.known, b.words, b.level = saved.known, saved.words, saved.level
	for _, branch := range blocks {
		b.p.Walk(branch, func(_ int, in *Instr, _ int) bool {
			for _, reg := range in.Sets() {
				b.forget(reg)
			}
			return true
		})
	}
	s.List, s.open = append(s.List, x), false
	return true
}

// lets notes the registers that a let needs whose register is needed. It goes
// through the steps from the last to the first, for chains of lets, which the compiler does
// not make.
func (f *Plain) lets(p *Program, s *Steps) {
	for i := len(s.List) - 1; i >= 0; i-- {
		switch x := &s.List[i]; x.Op {
		case If:
			f.lets(p, x.Then)
			f.lets(p, x.Else)
		case Let:
			if f.needs.has(x.A) {
				for _, reg := range p.Exprs[x.B].Registers() {
					f.needs.add(reg)
				}
			}
		}
	}
}

// Need notes that a register must have its number, and those that it is computed from.
func (f *Plain) Need(p *Program, reg uint32) {
	f.needs.add(reg)
	f.lets(p, &f.Steps)
}
