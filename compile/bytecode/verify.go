// The verifier: no program that passes can make the interpreter leave its
// input, its tables or its stacks, or go on for ever.

package bytecode

import (
	"fmt"
	"math/bits"
)

// Limits of programs. They are far above what schemas need.
const (
	MaxCode     = 1 << 16
	MaxRoutines = 1 << 9
	MaxEdges    = 1 << 17 // ways from an instruction to a next one, in all
	MaxSteps    = 1 << 10 // operations of one expression
	MaxArgs     = 16      // arguments of a routine
	MaxLeast    = 1 << 40 // the fewest bytes of a value
	MaxRegs     = 256
	MaxCells    = 256
	MaxRegions  = 8 // regions open at once in one routine
	MaxTypes    = 1 << 12
	MaxDepth    = 1 << 14 // four routines to a level fit the stack of a goroutine, also in 32 bits
)

// VerifyError says why a program is not safe to run.
type VerifyError struct {
	PC  int // the instruction, or -1
	Msg string
}

func (e *VerifyError) Error() string {
	if e.PC < 0 {
		return "unsafe program: " + e.Msg
	}
	return fmt.Sprintf("unsafe program: instruction %d: %s", e.PC, e.Msg)
}

// Verify checks every index and every path of a program, and computes the sizes
// that [Program.Bounds] returns. The interpreter runs only verified programs.
func Verify(p *Program) error {
	v := &verifier{p: p}
	if err := v.tables(); err != nil {
		return err
	}
	for i := range p.Routines {
		if err := v.routine(uint32(i)); err != nil {
			return err
		}
	}
	v.minima()
	for i := range p.Routines {
		switch m := v.sizes[i].Min; {
		case m == Unbounded:
			return v.fail(int(p.Routines[i].Start), "no value of routine %s ends: it always contains another", p.Routines[i].Name)
		case m > MaxLeast:
			return v.fail(int(p.Routines[i].Start), "a value of routine %s takes at least %d bytes; at most %d are allowed", p.Routines[i].Name, m, uint64(MaxLeast))
		}
	}
	if err := v.progress(); err != nil {
		return err
	}
	v.maxima()
	p.sizes = v.sizes
	return nil
}

type verifier struct {
	p      *Program
	sizes  []Bounds
	unions []bool // routines that are unions
}

func (v *verifier) fail(pc int, format string, args ...any) error {
	return &VerifyError{pc, fmt.Sprintf(format, args...)}
}

func (v *verifier) tables() error {
	p := v.p
	switch {
	case len(p.Code) == 0 || len(p.Code) > MaxCode:
		return v.fail(-1, "%d instructions; at least 1 and at most %d are allowed", len(p.Code), MaxCode)
	case len(p.Routines) == 0 || len(p.Routines) > MaxRoutines:
		return v.fail(-1, "%d routines; at least 1 and at most %d are allowed", len(p.Routines), MaxRoutines)
	case uint64(p.Root) >= uint64(len(p.Routines)):
		return v.fail(-1, "the root routine %d does not exist", p.Root)
	case len(p.Types) == 0 || len(p.Types) > MaxTypes:
		return v.fail(-1, "%d types; at least 1 and at most %d are allowed", len(p.Types), MaxTypes)
	case p.Depth == 0 || p.Depth > MaxDepth:
		return v.fail(-1, "depth %d; at least 1 and at most %d are allowed", p.Depth, MaxDepth)
	case len(p.Gates) > 8:
		return v.fail(-1, "%d gates; at most 8 are allowed", len(p.Gates))
	case len(p.Rules) == 0:
		return v.fail(-1, "there are no rules")
	case p.Routines[p.Root].Args != 0:
		return v.fail(-1, "the root routine takes arguments")
	}
	if err := v.layout(); err != nil {
		return err
	}
	for i, t := range p.Types {
		if len(t.Fields) > MaxCells {
			return v.fail(-1, "type %d has %d fields; at most %d are allowed", i, len(t.Fields), MaxCells)
		}
		for _, w := range t.Writes {
			if w.When != None && uint64(w.When) >= uint64(len(p.Exprs)) || !w.Absent && uint64(w.Type) >= uint64(len(p.Types)) {
				return v.fail(-1, "type %d is written as something that does not exist", i)
			}
			if w.When != None {
				if err := v.expr(-1, w.When, 0, len(t.Fields)); err != nil {
					return err
				}
			}
		}
	}
	for i, e := range p.Encodings {
		if e.UTF8 >= numUTF8 || e.NUL >= numNUL {
			return v.fail(-1, "encoding %d is of an unknown sort", i)
		}
	}
	for _, list := range [][]uint32{p.Equal, p.Differ, p.Exact, p.Apart} {
		for _, t := range list {
			if uint64(t) >= uint64(len(p.Types)) {
				return v.fail(-1, "type %d of the equal keys does not exist", t)
			}
		}
	}
	for i, t := range p.Tables {
		for j, a := range t.Arms {
			if uint64(a.Type) >= uint64(len(p.Types)) {
				return v.fail(-1, "arm %d of table %d has type %d, which does not exist", j, i, a.Type)
			}
			if a.Else && j != len(t.Arms)-1 || !a.Else && j > 0 && t.Arms[j-1].ID >= a.ID {
				return v.fail(-1, "the arms of table %d are out of order", i)
			}
		}
	}
	return nil
}

// layout checks that the code is cut into routines without gaps, each in its own
// place, and that there is not too much of anything that is gone through more than once.
func (v *verifier) layout() error {
	p := v.p
	next := uint32(0)
	for i := range p.Routines {
		r := &p.Routines[i]
		if r.Start != next || r.Start >= r.End || uint64(r.End) > uint64(len(p.Code)) {
			return v.fail(-1, "routine %d is instructions %d to %d; it must begin at %d and have at least one", i, r.Start, r.End, next)
		}
		next = r.End
	}
	if int(next) != len(p.Code) {
		return v.fail(-1, "instruction %d belongs to no routine", next)
	}
	edges := len(p.Code)
	for pc := range p.Code {
		in := &p.Code[pc]
		if in.Op != Union && in.Op != Switch {
			continue
		}
		if uint64(in.D) >= uint64(len(p.Tables)) {
			return v.fail(pc, "table %d does not exist", in.D)
		}
		if edges += len(p.Tables[in.D].Arms); edges > MaxEdges {
			return v.fail(-1, "there are over %d ways from an instruction to the next, too many", MaxEdges)
		}
	}
	for i, e := range p.Exprs {
		if len(e) > MaxSteps {
			return v.fail(-1, "expression %d has %d operations; at most %d are allowed", i, len(e), MaxSteps)
		}
	}
	v.unions = make([]bool, len(p.Routines))
	for i := range p.Routines {
		_, v.unions[i] = p.UnionTable(uint32(i))
	}
	return nil
}

func (v *verifier) union(routine uint32) bool {
	return uint64(routine) < uint64(len(v.unions)) && v.unions[routine]
}

// way is what is known where an instruction is reached.
type way struct {
	reached bool
	open    uint8                 // regions
	record  uint32                // the type whose fields the cells are, or None
	passed  [MaxCells / 64]uint64 // the cells that may have been passed to a routine
}

// pass notes that a cell is passed to a routine. A writer that could do it twice,
// and the routine again, would take a time that doubles with every level.
func (w *way) pass(cell uint32) bool {
	word, bit := &w.passed[cell/64], uint64(1)<<(cell%64)
	again := *word&bit != 0
	*word |= bit
	return !again
}

// routine checks the instructions of one routine.
func (v *verifier) routine(index uint32) error {
	p, r := v.p, &v.p.Routines[index]
	if r.Regs > MaxRegs || r.Cells > MaxCells || r.Args > r.Regs || r.Args > MaxArgs {
		return v.fail(int(r.Start), "routine %s has %d registers, %d of them arguments, and %d cells; at most %d, %d and %d are allowed", r.Name, r.Regs, r.Args, r.Cells, MaxRegs, MaxArgs, MaxCells)
	}
	// ways[pc] is what all ways to the instruction must agree in.
	ways := make([]way, r.End-r.Start)
	ways[0] = way{reached: true, record: None}
	reach := func(pc int, target uint32, now way) error {
		if target <= uint32(pc) || target >= r.End {
			return v.fail(pc, "the target %d is not further on in the same routine", target)
		}
		slot := &ways[target-r.Start]
		switch {
		case slot.reached && slot.open != now.open:
			return v.fail(pc, "instruction %d is reached with different regions open", target)
		case slot.reached && slot.record != now.record:
			return v.fail(pc, "instruction %d is reached with different records begun", target)
		}
		for i := range now.passed {
			now.passed[i] |= slot.passed[i]
		}
		*slot = now
		return nil
	}
	for pc := int(r.Start); pc < int(r.End); pc++ {
		in := &p.Code[pc]
		if in.Op >= numOps {
			return v.fail(pc, "operation %d does not exist", in.Op)
		}
		if uint64(in.Rule) >= uint64(len(p.Rules)) {
			return v.fail(pc, "rule %d does not exist", in.Rule)
		}
		now := ways[pc-int(r.Start)]
		if !now.reached {
			return v.fail(pc, "the instruction is never reached")
		}
		cells := uint32(0)
		if now.record != None {
			cells = uint32(len(p.Types[now.record].Fields))
		}
		operands := [4]uint32{in.A, in.B, in.C, in.D}
		for i, kind := range ops[in.Op].operands {
			if err := v.operand(pc, kind, operands[i], r, cells); err != nil {
				return err
			}
		}
		falls := true
		switch in.Op {
		case Fields:
			if int(in.A) != len(p.Types[in.B].Fields) {
				return v.fail(pc, "type %s has %d fields, not %d", p.Types[in.B].Name, len(p.Types[in.B].Fields), in.A)
			}
			if now.record != None {
				return v.fail(pc, "a record is begun inside a record")
			}
			now.record = in.B
		case Done:
			if in.A != now.record {
				return v.fail(pc, "the record that ends is not the one that was begun")
			}
			if now.open != 0 {
				return v.fail(pc, "a region is still open at the end")
			}
			falls = false
		case Refuse:
			falls = false
		case Jump:
			if err := reach(pc, in.A, now); err != nil {
				return err
			}
			falls = false
		case If:
			if err := reach(pc, in.B, now); err != nil {
				return err
			}
		case Union, Switch:
			if in.Op == Union && (!scalars[in.A].integer() || pc != int(r.Start)) {
				return v.fail(pc, "a union begins its routine, with an integer")
			}
			for _, a := range p.Tables[in.D].Arms {
				if err := reach(pc, a.Target, now); err != nil {
					return err
				}
			}
			falls = false
		case Word, Header, Patch:
			if !scalars[in.A].integer() {
				return v.fail(pc, "a word is an integer")
			}
			if in.Op == Word && in.C == None && in.D == None {
				return v.fail(pc, "a word has nothing to write")
			}
		case Truth:
			if !scalars[in.A].integer() {
				return v.fail(pc, "a truth is an integer")
			}
		case Take:
			if in.C > TakeInt {
				return v.fail(pc, "there is no way %d to take a register", in.C)
			}
		case Enter:
			if now.open++; now.open > MaxRegions {
				return v.fail(pc, "more than %d regions are open", MaxRegions)
			}
		case Leave:
			if now.open == 0 {
				return v.fail(pc, "no region is open")
			}
			now.open--
		case Call:
			if !now.pass(in.B) {
				return v.fail(pc, "cell %d is written twice", in.B)
			}
			if len(p.Args[in.C]) != int(p.Routines[in.A].Args) {
				return v.fail(pc, "routine %s takes %d arguments, not %d", p.Routines[in.A].Name, p.Routines[in.A].Args, len(p.Args[in.C]))
			}
			for _, e := range p.Args[in.C] {
				if err := v.expr(pc, e, int(r.Regs), int(cells)); err != nil {
					return err
				}
			}
		case List, Rest, Map:
			elems, cell := []uint32{in.B}, in.C
			if in.Op == Rest {
				elems[0], cell = in.A, in.B
			}
			if !now.pass(cell) {
				return v.fail(pc, "cell %d is written twice", cell)
			}
			if in.Op == Map {
				elems = append(elems, in.D)
			}
			for _, e := range elems {
				if p.Routines[e].Args != 0 {
					return v.fail(pc, "an element takes arguments")
				}
			}
		case ArmRef:
			if !v.union(in.C) {
				return v.fail(pc, "routine %d is not a union", in.C)
			}
		}
		if falls {
			if pc+1 >= int(r.End) {
				return v.fail(pc, "the routine does not end")
			}
			if err := reach(pc, uint32(pc+1), now); err != nil {
				return err
			}
		}
	}
	return v.places(r)
}

// places checks that what patch takes for a place in what was written is one: on
// every path its register was set last by a word that keeps its place.
func (v *verifier) places(r *Routine) error {
	p := v.p
	patches := false
	for pc := r.Start; pc < r.End; pc++ {
		patches = patches || p.Code[pc].Op == Patch
	}
	if !patches {
		return nil
	}
	type set [MaxRegs / 64]uint64
	held := make([]set, r.End-r.Start) // registers that hold a place before the instruction
	for i := range held[1:] {
		held[1+i] = set{1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1}
	}
	for pc := r.Start; pc < r.End; pc++ {
		in := &p.Code[pc]
		now := held[pc-r.Start]
		change, place := uint32(None), false
		switch in.Op {
		case Union, Header:
			change = in.B
		case Word:
			if change = in.B; in.D != None {
				change, place = in.D, true
			}
		case Let, Mark, Size:
			change = in.A
		case Patch:
			if now[in.B/64]>>(in.B%64)&1 == 0 {
				return v.fail(int(pc), "register %d does not hold the place of a word on every path", in.B)
			}
			change = in.D
		}
		if change != None {
			now[change/64] &^= 1 << (change % 64)
			if place {
				now[change/64] |= 1 << (change % 64)
			}
		}
		p.successors(int(pc), func(next int) {
			h := &held[uint32(next)-r.Start]
			for i := range h {
				h[i] &= now[i]
			}
		})
	}
	return nil
}

func (s scalarInfo) integer() bool { return s.width > 0 && s.name[0] != 'f' }

// UnionTable returns the table of a routine that is a union.
func (p *Program) UnionTable(routine uint32) (*Table, bool) {
	if uint64(routine) >= uint64(len(p.Routines)) {
		return nil, false
	}
	r := &p.Routines[routine]
	for pc := r.Start; pc < r.End; pc++ {
		switch in := &p.Code[pc]; in.Op {
		case Union, Switch:
			if uint64(in.D) >= uint64(len(p.Tables)) {
				return nil, false
			}
			return &p.Tables[in.D], true
		case Nop:
		default:
			return nil, false
		}
	}
	return nil, false
}

func (v *verifier) operand(pc int, kind Operand, x uint32, r *Routine, cells uint32) error {
	p := v.p
	limit := uint64(1) << 32
	what := ""
	switch kind {
	case NoOperand:
		limit, what = 1, "operand"
	case OpReg:
		limit, what = uint64(r.Regs), "register"
	case OpRegOpt:
		if x == None {
			return nil
		}
		limit, what = uint64(r.Regs), "register"
	case OpCell:
		limit, what = uint64(cells), "cell"
	case OpExpr, OpExprOpt:
		if kind == OpExprOpt && x == None {
			return nil
		}
		return v.expr(pc, x, int(r.Regs), int(cells))
	case OpScalar:
		if !Scalar(min(x, 255)).Valid() {
			return v.fail(pc, "scalar %d does not exist", x)
		}
	case OpWidth:
		if !Scalar(x&0xff).Valid() || x&^0xff&^FlagWide != 0 {
			return v.fail(pc, "scalar %d does not exist", x)
		}
	case OpLaneCount:
		if x == 0 || x > 255 {
			return v.fail(pc, "%d numbers in a tuple; at least 1 and at most 255 are allowed", x)
		}
	case OpCount:
		limit, what = uint64(r.Cells)+1, "number of cells"
	case OpType:
		limit, what = uint64(len(p.Types)), "type"
	case OpRoutine:
		limit, what = uint64(len(p.Routines)), "routine"
	case OpTable:
		limit, what = uint64(len(p.Tables)), "table"
	case OpString:
		limit, what = uint64(len(p.Strings)), "text"
	case OpEncoding:
		limit, what = uint64(len(p.Encodings)), "encoding"
	case OpArgs:
		limit, what = uint64(len(p.Args)), "argument list"
	case OpGate:
		limit, what = uint64(len(p.Gates)), "gate"
	case OpFlags:
		limit, what = 256, "flags"
	case OpAlign:
		if x < 2 || x > 4096 {
			return v.fail(pc, "alignment %d; at least 2 and at most 4096 are allowed", x)
		}
	}
	if uint64(x) >= limit {
		return v.fail(pc, "%s %d does not exist", what, x)
	}
	return nil
}

func (v *verifier) expr(pc int, index uint32, regs, cells int) error {
	p := v.p
	if uint64(index) >= uint64(len(p.Exprs)) {
		return v.fail(pc, "expression %d does not exist", index)
	}
	depth := 0
	for _, e := range p.Exprs[index] {
		if e.Op >= numExprOps {
			return v.fail(pc, "expression %d has operation %d, which does not exist", index, e.Op)
		}
		info := exprOps[e.Op]
		if depth < info.takes {
			return v.fail(pc, "expression %d takes a number that is not there", index)
		}
		depth += 1 - info.takes
		if depth > MaxStack {
			return v.fail(pc, "expression %d holds more than %d numbers", index, MaxStack)
		}
		bad := false
		switch {
		case e.Op == ExprReg:
			bad = e.Arg < 0 || e.Arg >= int64(regs)
		case e.Op == ExprClosed:
			bad = e.Arg < 0 || e.Arg >= int64(len(p.Gates))
		case info.cell:
			bad = e.Arg < 0 || e.Arg >= int64(cells)
			switch e.Op {
			case ExprLen:
				bad = bad || uint64(e.Arg2) >= uint64(len(p.Encodings))
			case ExprOutside:
				bad = bad || e.Arg2 > 255 || !Scalar(e.Arg2).Valid()
			case ExprArm:
				bad = bad || !v.union(e.Arg2)
			}
		}
		kinds := e.Op.operands()
		if kinds[0] == NoOperand && e.Arg != 0 || kinds[1] == NoOperand && e.Arg2 != 0 {
			return v.fail(pc, "expression %d has arguments where there are none", index)
		}
		if e.Op == ExprFit && (e.Arg < 1 || e.Arg > 64) {
			return v.fail(pc, "expression %d is to fit %d bits; at least 1 and at most 64 are allowed", index, e.Arg)
		}
		if bad {
			return v.fail(pc, "expression %d refers to something that does not exist", index)
		}
	}
	if depth != 1 {
		return v.fail(pc, "expression %d leaves %d numbers, not 1", index, depth)
	}
	return nil
}

func (p *Program) constant(expr uint32) (uint64, bool) {
	if expr == None {
		return 0, false
	}
	if e := p.Exprs[expr]; len(e) == 1 && e[0].Op == ExprNum && e[0].Arg >= 0 {
		return uint64(e[0].Arg), true
	}
	return 0, false
}

func addSize(a, b uint64) uint64 {
	if s := a + b; s >= a && a != Unbounded && b != Unbounded {
		return s
	}
	return Unbounded
}

func mulSize(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return 0
	}
	hi, lo := bits.Mul64(a, b)
	if hi != 0 || a == Unbounded || b == Unbounded {
		return Unbounded
	}
	return lo
}

// own returns the fewest bytes an instruction uses up by itself, given the
// fewest of each routine.
func (v *verifier) own(in *Instr) uint64 {
	p := v.p
	switch in.Op {
	case Union, Word, Scalars, Truth:
		return uint64(Scalar(in.A & 0xff).Width())
	case Lanes:
		return uint64(Scalar(in.A&0xff).Width()) * uint64(in.B)
	case Packed:
		if n, ok := p.constant(in.C); ok {
			return mulSize(n, uint64(Scalar(in.A&0xff).Width())*uint64(in.B))
		}
	case Text:
		n, _ := p.constant(in.B)
		return n
	case List:
		if n, ok := p.constant(in.A); ok {
			return mulSize(n, v.sizes[in.B].Min)
		}
	case Map:
		if n, ok := p.constant(in.A); ok {
			return mulSize(n, addSize(v.sizes[in.B].Min, v.sizes[in.D].Min))
		}
	case Call:
		return v.sizes[in.A].Min
	}
	return 0
}

// successors calls f for every instruction that may follow pc.
func (p *Program) successors(pc int, f func(next int)) {
	switch in := &p.Code[pc]; in.Op {
	case Done, Refuse:
	case Jump:
		f(int(in.A))
	case If:
		f(pc + 1)
		f(int(in.B))
	case Union, Switch:
		for _, a := range p.Tables[in.D].Arms {
			f(int(a.Target))
		}
	default:
		f(pc + 1)
	}
}

// minima computes the fewest bytes of each routine, as a fixed point from above.
func (v *verifier) minima() {
	p := v.p
	v.sizes = make([]Bounds, len(p.Routines))
	for i := range v.sizes {
		v.sizes[i].Min = Unbounded
	}
	for round := 0; round <= len(p.Routines); round++ {
		changed := false
		for i := range p.Routines {
			if m := v.minFrom(&p.Routines[i], int(p.Routines[i].Start)); m < v.sizes[i].Min {
				v.sizes[i].Min, changed = m, true
			}
		}
		if !changed {
			return
		}
	}
}

// minFrom returns the fewest bytes from an instruction to the end of its routine.
func (v *verifier) minFrom(r *Routine, from int) uint64 {
	best := make([]uint64, int(r.End)-from)
	for pc := int(r.End) - 1; pc >= from; pc-- {
		least := uint64(Unbounded)
		if v.p.Code[pc].Op == Done {
			least = 0
		}
		v.p.successors(pc, func(next int) {
			if next >= from {
				least = min(least, best[next-from])
			}
		})
		best[pc-from] = addSize(least, v.own(&v.p.Code[pc]))
	}
	return best[0]
}

// progress checks that elements of lists take bytes, and that no routine can
// call itself without one having been used up.
func (v *verifier) progress() error {
	p := v.p
	for pc := range p.Code {
		in := &p.Code[pc]
		elem, ok := uint64(1), false
		switch in.Op {
		case List:
			elem, ok = v.sizes[in.B].Min, true
		case Rest:
			elem, ok = v.sizes[in.A].Min, true
		case Map:
			elem, ok = addSize(v.sizes[in.B].Min, v.sizes[in.D].Min), true
		}
		if ok && elem == 0 {
			return v.fail(pc, "an element of the list may take no bytes, so a count is not bounded by the input")
		}
	}
	// An edge where nothing has been used up before the call.
	edges := make([][]uint32, len(p.Routines))
	for i := range p.Routines {
		r := &p.Routines[i]
		used := make([]uint64, r.End-r.Start) // fewest bytes used up before the instruction
		for k := range used {
			used[k] = Unbounded
		}
		used[0] = 0
		for pc := int(r.Start); pc < int(r.End); pc++ {
			u := used[pc-int(r.Start)]
			if u == Unbounded {
				continue
			}
			in := &p.Code[pc]
			if u == 0 {
				switch in.Op {
				case Call, Rest:
					edges[i] = append(edges[i], in.A)
				case List:
					edges[i] = append(edges[i], in.B)
				case Map:
					edges[i] = append(edges[i], in.B)
					if v.sizes[in.B].Min == 0 {
						edges[i] = append(edges[i], in.D)
					}
				}
			}
			after := addSize(u, v.own(in))
			p.successors(pc, func(next int) {
				slot := &used[next-int(r.Start)]
				*slot = min(*slot, after)
			})
		}
	}
	state := make([]uint8, len(p.Routines))
	var visit func(i uint32) error
	visit = func(i uint32) error {
		switch state[i] {
		case 1:
			return v.fail(int(p.Routines[i].Start), "routine %s can contain itself without using up a byte", p.Routines[i].Name)
		case 2:
			return nil
		}
		state[i] = 1
		for _, e := range edges[i] {
			if err := visit(e); err != nil {
				return err
			}
		}
		state[i] = 2
		return nil
	}
	for i := range p.Routines {
		if err := visit(uint32(i)); err != nil {
			return err
		}
	}
	return nil
}

// maxima computes the most bytes of each routine.
func (v *verifier) maxima() {
	p := v.p
	state := make([]uint8, len(p.Routines))
	var most func(i uint32) uint64
	most = func(i uint32) uint64 {
		if state[i] == 1 {
			return Unbounded
		}
		if state[i] == 2 {
			return v.sizes[i].Max
		}
		state[i] = 1
		r := &p.Routines[i]
		v.sizes[i].Max = v.maxFrom(r, int(r.Start), most)
		state[i] = 2
		return v.sizes[i].Max
	}
	for i := range p.Routines {
		most(uint32(i))
	}
}

func (v *verifier) maxFrom(r *Routine, from int, most func(uint32) uint64) uint64 {
	p := v.p
	best := make([]uint64, int(r.End)-from)
	for pc := int(r.End) - 1; pc >= from; pc-- {
		in := &p.Code[pc]
		var after, own uint64
		p.successors(pc, func(next int) {
			if next >= from {
				after = max(after, best[next-from])
			}
		})
		switch in.Op {
		case Call:
			own = most(in.A)
		case List, Map, Rest:
			own = Unbounded
		case Text, Packed:
			expr := in.B
			if in.Op == Packed {
				expr = in.C
			}
			if _, ok := p.constant(expr); ok {
				own = v.own(in)
			} else {
				own = Unbounded
			}
		case Pad:
			own = uint64(in.A - 1)
		default:
			own = v.own(in)
		}
		best[pc-from] = addSize(after, own)
	}
	return best[0]
}

// ArmBounds returns the sizes of one arm of a union, its header word included.
// The program must have passed [Verify].
func (p *Program) ArmBounds(routine uint32, arm TableArm) Bounds {
	v := &verifier{p: p, sizes: p.sizes}
	r := &p.Routines[routine]
	head := v.own(&p.Code[r.Start])
	b := Bounds{v.minFrom(r, int(arm.Target)), v.maxFrom(r, int(arm.Target), func(i uint32) uint64 { return p.sizes[i].Max })}
	return Bounds{addSize(head, b.Min), addSize(head, b.Max)}
}
