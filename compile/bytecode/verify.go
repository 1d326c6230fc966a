// The verifier: no program that passes can make the interpreter leave its
// input, its tables or its blocks, or go on for ever.

package bytecode

import (
	"fmt"
	"iter"
	"slices"

	"github.com/octable/octable/dsl/builtin"
)

// Limits of programs, which schemas are held to as well.
const (
	MaxCode     = builtin.MaxCode
	MaxRoutines = builtin.MaxRoutines
	MaxBlocks   = builtin.MaxBlocks
	MaxSteps    = builtin.MaxSteps
	MaxArgs     = builtin.MaxParams
	MaxLeast    = builtin.MaxLeast
	MaxRegs     = builtin.MaxNumbers
	MaxCells    = builtin.MaxFields
	MaxRegions  = builtin.MaxRegions
	MaxBack     = 8 // bytes before the cursor
	MaxTypes    = builtin.MaxTypes
	MaxDepth    = builtin.MaxDepth
)

// VerifyError says why a program is not safe to run.
type VerifyError struct {
	PC      int // the instruction, or -1
	Msg     string
	Endless bool // a value of a routine need not end, or use up its input
}

func (e *VerifyError) Error() string {
	if e.PC < 0 {
		return "unsafe program: " + e.Msg
	}
	return fmt.Sprintf("unsafe program: instruction %d: %s", e.PC, e.Msg)
}

// Verify checks every index, block and path of a program. It computes the sizes and
// the structure that methods such as [Program.Bounds] and [Program.Inner] return. The
// interpreter runs only verified programs. A program that has passed is not written
// to again, so goroutines that share it may all verify it.
func Verify(p *Program) error {
	q := *p
	q.sizes, q.ends, q.arms = nil, nil, nil
	v := &verifier{p: &q}
	for _, step := range []func() error{v.limits, v.layout, v.exprs, v.tables, v.structure, v.routines, v.parted, v.minima, v.progress} {
		if err := step(); err != nil {
			return err
		}
	}
	v.maxima()
	same := slices.Equal(p.sizes, q.sizes) && slices.Equal(p.ends, q.ends) &&
		slices.EqualFunc(p.arms, q.arms, func(a, b []uint32) bool { return slices.Equal(a, b) })
	if !same {
		p.sizes, p.ends, p.arms = q.sizes, q.ends, q.arms
	}
	for i := range p.Tables {
		if t := &p.Tables[i]; !slices.Equal(t.spans, v.spans[i]) {
			t.spans = v.spans[i]
		}
	}
	return nil
}

type verifier struct {
	p     *Program // a copy, whose computed tables are filled in
	spans [][]span // of the numbers of arms, of each table
}

func (v *verifier) fail(pc int, format string, args ...any) error {
	return &VerifyError{PC: pc, Msg: fmt.Sprintf(format, args...)}
}

func (v *verifier) endless(pc int, format string, args ...any) error {
	return &VerifyError{PC: pc, Msg: fmt.Sprintf(format, args...), Endless: true}
}

// limits checks how much there is of everything.
func (v *verifier) limits() error {
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
	case len(p.Gates) > builtin.MaxGates:
		return v.fail(-1, "%d gates; at most %d are allowed", len(p.Gates), builtin.MaxGates)
	case len(p.Rules) == 0:
		return v.fail(-1, "there are no rules")
	case p.Routines[p.Root].Args != 0:
		return v.fail(-1, "the root routine takes arguments")
	}
	return nil
}

// layout checks that the code is cut into routines without gaps, each in its own
// place.
func (v *verifier) layout() error {
	p := v.p
	next := uint32(0)
	for i := range p.Routines {
		r := &p.Routines[i]
		if r.Start != next || r.Start >= r.End || uint64(r.End) > uint64(len(p.Code)) {
			return v.fail(-1, "routine %d is instructions %d to %d; it must begin at %d and have at least one", i, r.Start, r.End, next)
		}
		if r.Regs > MaxRegs || r.Cells > MaxCells || r.Args > r.Regs || r.Args > MaxArgs {
			return v.fail(int(r.Start), "routine %s has %d registers, %d of them arguments, and %d cells; at most %d, %d and %d are allowed", r.Name, r.Regs, r.Args, r.Cells, MaxRegs, MaxArgs, MaxCells)
		}
		next = r.End
	}
	if int(next) != len(p.Code) {
		return v.fail(-1, "instruction %d belongs to no routine", next)
	}
	return nil
}

// tables checks the tables of types, encodings, keys and arms.
func (v *verifier) tables() error {
	p := v.p
	for i, t := range p.Types {
		if len(t.Fields) > MaxCells {
			return v.fail(-1, "type %d has %d fields; at most %d are allowed", i, len(t.Fields), MaxCells)
		}
		for k, f := range t.Fields {
			if f.Kind >= builtin.NumKinds {
				return v.fail(-1, "field %d of type %d has kind %d; at most %d is allowed", k, i, f.Kind, builtin.NumKinds-1)
			}
		}
		for _, w := range t.Writes {
			if !w.Absent && uint64(w.Type) >= uint64(len(p.Types)) {
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
		if e.Charset >= builtin.NumCharsets || e.DropBOM && !e.Charset.Verbatim() || e.NUL != NULKeep && e.Charset.IsUTF16() || e.NUL >= numNUL {
			return v.fail(-1, "encoding %d is of an unknown sort", i)
		}
	}
	for rule, list := range p.Keys {
		for _, t := range list {
			if uint64(t) >= uint64(len(p.Types)) {
				return v.fail(-1, "type %d of the rule %s for keys does not exist", t, builtin.KeyRule(rule))
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
		spans, ok := t.index()
		if v.spans = append(v.spans, spans); !ok {
			return v.fail(-1, "the numbers of the arms of table %d are out of order", i)
		}
	}
	return nil
}

// structure checks that every routine is one record or one union, whose arms are one record each. Every table must
// belong to one union. It notes where blocks end.
func (v *verifier) structure() error {
	p := v.p
	p.ends = make([]uint32, len(p.Code))
	p.arms = make([][]uint32, len(p.Tables))
	for i := range p.Routines {
		if err := v.nesting(&p.Routines[i]); err != nil {
			return err
		}
	}
	for i, arms := range p.arms {
		if arms == nil {
			return v.fail(-1, "table %d belongs to no union or switch", i)
		}
	}
	return nil
}

// nesting checks the blocks of one routine.
func (v *verifier) nesting(r *Routine) error {
	p := v.p
	var open []int // instructions whose blocks are open, the innermost last
	begin := func(pc int) { open = append(open, pc) }
	end := func(pc int) {
		p.ends[open[len(open)-1]] = uint32(pc)
		open = open[:len(open)-1]
	}
	for pc := int(r.Start); pc < int(r.End); pc++ {
		in := &p.Code[pc]
		p.ends[pc] = uint32(pc)
		first := pc == int(r.Start)
		if in.Op >= numOps {
			return v.fail(pc, "operation %d does not exist", in.Op)
		}
		if (in.Op == Arm || in.Op == End) && len(open) > 0 && p.Code[pc-1].Op == Done {
			end(pc) // of the arm before
		}
		outer := numOps // operation of the innermost block
		if len(open) > 0 {
			outer = p.Code[open[len(open)-1]].Op
		}
		if !first && outer == numOps {
			return v.fail(pc, "%s follows the end of routine %s", in.Op, r.Name)
		}
		if !in.Op.isIn(outer) || outer == Arm && open[len(open)-1] != pc-1 {
			if first {
				return v.fail(pc, "routine %s begins with %s; it must begin with fields, union or switch", r.Name, in.Op)
			}
			return v.fail(pc, "%s is inside %s of instruction %d, where it must not be", in.Op, outer, open[len(open)-1])
		}
		switch in.Op {
		case Union, Switch:
			if uint64(in.D) >= uint64(len(p.Tables)) {
				return v.fail(pc, "table %d does not exist", in.D)
			}
			if p.arms[in.D] != nil {
				return v.fail(pc, "table %d belongs to another union or switch", in.D)
			}
			p.arms[in.D] = make([]uint32, 0, len(p.Tables[in.D].Arms))
			begin(pc)
		case Arm:
			table := p.Code[open[len(open)-1]].D
			if n := len(p.arms[table]); int(in.A) != n || n == len(p.Tables[table].Arms) {
				return v.fail(pc, "arm %d is not the next one of table %d, which has %d", in.A, table, len(p.Tables[table].Arms))
			}
			p.arms[table] = append(p.arms[table], uint32(pc))
			begin(pc)
		case End:
			if outer == Union || outer == Switch {
				table := p.Code[open[len(open)-1]].D
				if n := len(p.arms[table]); n != len(p.Tables[table].Arms) {
					return v.fail(pc, "%s ends after %d arms; table %d has %d", outer, n, table, len(p.Tables[table].Arms))
				}
			}
			end(pc)
		case Else:
			end(pc)
			begin(pc)
		case Leave, Close, Back, Done:
			end(pc)
		case Fields, If, Enter, Base, Seek:
			begin(pc)
		}
		if len(open) > MaxBlocks {
			return v.fail(pc, "more than %d blocks are nested", MaxBlocks)
		}
	}
	if len(open) > 0 {
		pc := open[len(open)-1]
		return v.fail(pc, "%s does not end in routine %s", p.Code[pc].Op, r.Name)
	}
	return nil
}

// isIn reports whether an instruction may be inside a block that an operation begins,
// or, for numOps, outside of all.
func (o Op) isIn(outer Op) bool {
	switch o {
	case Fields:
		return outer == Arm || outer == numOps
	case Union, Switch:
		return outer == numOps
	case Arm:
		return outer == Union || outer == Switch
	case Else:
		return outer == If
	case End:
		return outer == If || outer == Else || outer == Union || outer == Switch
	case Leave:
		return outer == Enter
	case Close:
		return outer == Base
	case Back:
		return outer == Seek
	case Base, Done:
		return outer == Fields
	}
	return outer == Fields || outer == If || outer == Else || outer == Enter || outer == Base || outer == Seek
}

// routines checks the operands of all instructions, and what holds on every path.
func (v *verifier) routines() error {
	p := v.p
	for i := range p.Routines {
		r := &p.Routines[i]
		record := uint32(None) // the type whose fields the cells are
		for pc := int(r.Start); pc < int(r.End); pc++ {
			in := &p.Code[pc]
			if uint64(in.Rule) >= uint64(len(p.Rules)) {
				return v.fail(pc, "rule %d does not exist", in.Rule)
			}
			if err := v.instr(pc, r, record); err != nil {
				return err
			}
			switch in.Op {
			case Fields:
				record = in.B
			case Done:
				record = None
			}
		}
		s := &state{}
		for reg := range r.Args {
			s.numbers.add(reg)
		}
		if err := v.flow(p.Body(uint32(i)), s, 0); err != nil {
			return err
		}
	}
	return nil
}

// instr checks one instruction by itself.
func (v *verifier) instr(pc int, r *Routine, record uint32) error {
	p, in := v.p, &v.p.Code[pc]
	cells := uint32(0)
	if record != None {
		cells = uint32(len(p.Types[record].Fields))
	}
	for i, x := range in.operands() {
		if err := v.operand(pc, ops[in.Op].operands[i], x, r, cells); err != nil {
			return err
		}
	}
	switch in.Op {
	case Fields:
		if int(in.A) != len(p.Types[in.B].Fields) {
			return v.fail(pc, "type %s has %d fields, not %d", p.Types[in.B].Name, len(p.Types[in.B].Fields), in.A)
		}
	case Done:
		if in.A != record {
			return v.fail(pc, "the record that ends is not the one that was begun")
		}
	case Union, Word, Header, Patch, Truth, Expect:
		if !in.Scalar().IsInteger() {
			return v.fail(pc, "%s takes an integer, not %s", in.Op, in.Scalar())
		}
		if in.Ordered() && (in.B == 0 || in.B > r.Args) {
			return v.fail(pc, "the register before r%d is not an argument, which would have the order of the word", in.B)
		}
		if in.Op == Word && in.C == None && in.D == None {
			return v.fail(pc, "a word has nothing to write")
		}
		if in.Op == Patch {
			for k := pc; p.Code[k].Op != Fields; k-- { // of the same record
				if w := &p.Code[k]; w.Op == Word && (w.D == in.B || p.begun(k, in.B)) && w.Coding() != in.Coding() {
					return v.fail(pc, "the word at instruction %d is not of %s", k, in.Coding())
				}
			}
		}
	case Take:
		if in.C > TakeWideInt {
			return v.fail(pc, "there is no way %d to take a register", in.C)
		}
	case Call:
		if len(p.Args[in.C]) != int(p.Routines[in.A].Args) {
			return v.fail(pc, "routine %s takes %d arguments, not %d", p.Routines[in.A].Name, p.Routines[in.A].Args, len(p.Args[in.C]))
		}
		for _, e := range p.Args[in.C] {
			if err := v.expr(pc, e, int(r.Regs), int(cells)); err != nil {
				return err
			}
		}
	case Pass:
		if uint64(in.A)+uint64(in.B) > uint64(r.Regs) {
			return v.fail(pc, "register %d does not exist", uint64(in.A)+uint64(in.B)-1)
		}
	case List, Rest, Through, Spare, Map:
		args := uint32(0)
		for _, e := range in.Calls() {
			args += p.Routines[e].Args
		}
		if _, n := p.Passed(pc); n != args {
			return v.fail(pc, "the elements take %d arguments, not %d", args, n)
		}
		if in.Op == Through && !p.stops(in.A) {
			return v.fail(pc, "some values of routine %s end no list", p.Routines[in.A].Name)
		}
	case Sum:
		return v.parts(pc, int(r.Regs), int(cells))
	case Settle:
		if !in.Scalar().IsInteger() || in.Varies() {
			return v.fail(pc, "settle takes an integer of one width")
		}
	case Until, Filled:
		if in.A != None && p.Encodings[in.A].NUL == NULCounted {
			return v.fail(pc, "text that ends before other bytes has no zero byte that is counted")
		}
	case ArmRef:
		if !v.union(in.C) {
			return v.fail(pc, "routine %d is not a union", in.C)
		}
	}
	return v.neighbors(pc)
}

// neighbors checks the instructions before and behind those that have a place.
func (v *verifier) neighbors(pc int) error {
	p, in := v.p, &v.p.Code[pc]
	switch in.Op {
	case Pass:
		if next := p.Code[pc+1].Op; next != List && next != Rest && next != Through && next != Spare && next != Map {
			return v.fail(pc, "pass is before %s; it must be before a list", next)
		}
	case Chosen:
		if next := p.Code[pc+1].Op; next != Seek {
			return v.fail(pc, "chosen is before %s; it must be before seek", next)
		}
		if p.Code[pc+1].D&SeekView != 0 {
			return v.fail(pc, "a writer chooses no place of a view")
		}
	case Note:
		if last := &p.Code[pc-1]; last.Op != Word || last.A != in.A || last.B != in.C || last.D != None || in.Varies() {
			return v.fail(pc, "note is not behind the word of one width that it is about")
		}
	case Holes:
		if next := p.Code[pc+1].Op; next != Sum {
			return v.fail(pc, "holes is before %s; it must be before sum", next)
		}
	case Total:
		if last, next := p.Code[pc-1].Op, p.Code[pc+1].Op; last != Close || next != Settle {
			return v.fail(pc, "total is between %s and %s; it must be between close and settle", last, next)
		}
	case Settle:
		if last := p.Code[pc-1].Op; last != Total {
			return v.fail(pc, "settle is behind %s; it must be behind total", last)
		}
	case Gaps:
		if next := p.Code[pc+1].Op; next != Close {
			return v.fail(pc, "gaps is before %s; it must be before close", next)
		}
	}
	return nil
}

// stops reports whether every value of a routine says if it ends a list.
func (p *Program) stops(routine uint32) bool {
	r, last := &p.Routines[routine], numOps
	for pc := r.Start; pc < r.End; pc++ {
		if p.Code[pc].Op == Done && last != Stop {
			return false
		}
		last = p.Code[pc].Op
	}
	return true
}

// Passed returns the registers that the elements of a list get as arguments: the first one, and their number. Those of a
// key are before those of its value.
func (p *Program) Passed(pc int) (from, n uint32) {
	if pc == 0 || p.Code[pc-1].Op != Pass {
		return 0, 0
	}
	return p.Code[pc-1].A, p.Code[pc-1].B
}

// parts checks the parts of a checksum: two places in registers, and a number.
func (v *verifier) parts(pc, regs, cells int) error {
	args := v.p.Args[v.p.Code[pc].C]
	if len(args) == 0 || len(args)%3 != 0 {
		return v.fail(pc, "the parts of a checksum are 3 expressions each, not %d in all", len(args))
	}
	for i, e := range args {
		if err := v.expr(pc, e, regs, cells); err != nil {
			return err
		}
		x := v.p.Exprs[e]
		if n, ok := x.Constant(); i%3 == 2 && (!ok || n < -1 || n > 255) {
			return v.fail(pc, "a byte of a checksum counts as itself or as a number up to 255")
		}
		if i%3 < 2 && x.Op != ExprReg {
			return v.fail(pc, "the place of a checksum is in a register")
		}
	}
	return nil
}

// Holes returns the record for which words are noted that do not count in the checksum of an instruction. with is the
// number that each of their bytes counts as.
func (p *Program) Holes(pc int) (name uint32, with byte, ok bool) {
	if pc == 0 || p.Code[pc-1].Op != Holes {
		return 0, 0, false
	}
	return p.Code[pc-1].A, byte(p.Code[pc-1].B), true
}

// SumParts returns the parts of a checksum.
func (p *Program) SumParts(in *Instr) iter.Seq[SumPart] {
	return func(yield func(SumPart) bool) {
		args := p.Args[in.C]
		for i := 0; i+2 < len(args); i += 3 {
			if !yield(SumPart{int(p.Exprs[args[i]].Arg), int(p.Exprs[args[i+1]].Arg), int(p.Exprs[args[i+2]].Arg)}) {
				return
			}
		}
	}
}

// SumPart is the bytes between the places in two registers.
type SumPart struct {
	From, To int
	With     int // counts in place of each byte; -1 if the bytes themselves count
}

// Calls returns the routines that an instruction calls, in the order of the bytes. They are that of a value, that of the
// elements of a list, or those of the keys and values of a map.
func (in *Instr) Calls() []uint32 {
	switch in.Op {
	case Call, Rest, Through, Spare:
		return []uint32{in.A}
	case List:
		return []uint32{in.B}
	case Map:
		return []uint32{in.B, in.D}
	}
	return nil
}

// UnionTable returns the table of a routine that is a union.
func (p *Program) UnionTable(routine uint32) (*Table, bool) {
	if uint64(routine) >= uint64(len(p.Routines)) {
		return nil, false
	}
	switch in := &p.Code[p.Routines[routine].Start]; in.Op {
	case Union, Switch:
		return &p.Tables[in.D], true
	}
	return nil, false
}
