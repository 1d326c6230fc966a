// Changing a copy of a program: instructions are inserted, removed and moved.

package mutants

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// edit is a copy of a program that is being changed.
type edit struct {
	p    *bytecode.Program
	base *bytecode.Program // the original, whose blocks are known
	at   []int             // the place of each instruction of the original
	// fresh is set once tables are copies, too.
	fresh bool
}

func editOf(p *bytecode.Program) *edit {
	q := *p
	q.Code = slices.Clone(p.Code)
	q.Routines = slices.Clone(p.Routines)
	q.Types = slices.Clone(p.Types)
	q.Exprs = slices.Clip(p.Exprs)
	q.Args = slices.Clip(p.Args)
	q.Encodings = slices.Clip(p.Encodings)
	e := &edit{p: &q, base: p, at: make([]int, len(p.Code))}
	for i := range e.at {
		e.at[i] = i
	}
	return e
}

// in returns instruction pc of the original.
func (e *edit) in(pc int) *bytecode.Instr { return &e.p.Code[e.at[pc]] }

// expr adds an expression.
func (e *edit) expr(x *bytecode.Expr) uint32 {
	e.p.Exprs = append(e.p.Exprs, x.Clone())
	return uint32(len(e.p.Exprs) - 1)
}

// encoding adds an encoding.
func (e *edit) encoding(x bytecode.Encoding) uint32 {
	e.p.Encodings = append(e.p.Encodings, x)
	return uint32(len(e.p.Encodings) - 1)
}

// reg adds a register to the routine of instruction pc of the original.
func (e *edit) reg(pc int) uint32 {
	for i := range e.p.Routines {
		if r := &e.p.Routines[i]; uint32(e.at[pc]) < r.End {
			r.Regs++
			return r.Regs - 1
		}
	}
	return bytecode.MaxRegs // which the verifier refuses
}

// tables makes copies of the tables, to be changed.
func (e *edit) tables() []bytecode.Table {
	if !e.fresh {
		e.fresh = true
		e.p.Tables = slices.Clone(e.p.Tables)
		for i := range e.p.Tables {
			e.p.Tables[i].Arms = slices.Clone(e.p.Tables[i].Arms)
		}
	}
	return e.p.Tables
}

// replace puts instructions in the place of n others.
func (e *edit) replace(place, n int, ins ...bytecode.Instr) {
	e.p.Code = slices.Replace(e.p.Code, place, place+n, ins...)
	more := len(ins) - n
	for i := range e.p.Routines {
		r := &e.p.Routines[i]
		if int(r.Start) > place {
			r.Start = uint32(int(r.Start) + more)
		}
		if int(r.End) > place {
			r.End = uint32(int(r.End) + more)
		}
	}
	for i := range e.at {
		if e.at[i] >= place+n {
			e.at[i] += more
		}
	}
}

// before inserts instructions before pc of the original, in the same block.
func (e *edit) before(pc int, ins ...bytecode.Instr) { e.replace(e.at[pc], 0, ins...) }

// after inserts instructions behind pc of the original, which begins no block.
func (e *edit) after(pc int, ins ...bytecode.Instr) { e.replace(e.at[pc]+1, 0, ins...) }

// remove takes instruction pc of the original out.
func (e *edit) remove(pc int) { e.replace(e.at[pc], 1) }

// reorder puts instructions of the original in another order. They follow each other
// from first on.
func (e *edit) reorder(first int, order []int) {
	old := slices.Clone(e.p.Code)
	base := e.at[first]
	places := make([]int, len(order))
	for i, pc := range order {
		e.p.Code[base+i] = old[e.at[pc]]
		places[i] = base + i
	}
	for i, pc := range order {
		e.at[pc] = places[i]
	}
}

// removeArm takes an arm out of a table, with its block.
func (e *edit) removeArm(table uint32, arm int) {
	t := &e.tables()[table]
	for k := arm + 1; k < len(t.Arms); k++ {
		e.in(e.base.ArmAt(table, k)).A--
	}
	t.Arms = slices.Delete(t.Arms, arm, arm+1)
	pc := e.base.ArmAt(table, arm)
	e.replace(e.at[pc], e.base.End(pc)-pc)
}

// shortenArm takes the highest number of an arm that has several.
func (e *edit) shortenArm(table uint32, arm int) {
	a := &e.tables()[table].Arms[arm]
	if a.IDs = a.IDs.Without(builtin.Ranges{builtin.One(a.IDs[len(a.IDs)-1].Hi)}); !a.IDs.Several() {
		a.IDs = nil
	}
}

// swapArms exchanges the numbers of an arm and the next one. Blocks are in the order
// of the numbers, so these are exchanged too.
func (e *edit) swapArms(table uint32, arm int) {
	arms := e.tables()[table].Arms
	arms[arm].Type, arms[arm+1].Type = arms[arm+1].Type, arms[arm].Type
	first, second := e.base.ArmAt(table, arm), e.base.ArmAt(table, arm+1)
	end := e.base.End(second)
	e.reorder(first, slices.Concat(places(first, first+1), places(second+1, end), places(second, second+1), places(first+1, second)))
}

// places returns the places from a first one up to, and without, a last one.
func places(first, last int) []int {
	var all []int
	for pc := first; pc < last; pc++ {
		all = append(all, pc)
	}
	return all
}

// addElse adds an arm for all other numbers to the union at pc. It has a copy of
// the block of another arm.
func (e *edit) addElse(pc, arm int, typ uint32) {
	table := e.base.Code[pc].D
	t := &e.tables()[table]
	from := e.base.ArmAt(table, arm)
	block := slices.Clone(e.p.Code[e.at[from]:e.at[e.base.End(from)]])
	block[0].A = uint32(len(t.Arms))
	t.Arms = append(t.Arms, bytecode.TableArm{Else: true, Type: typ})
	e.before(e.base.End(pc), block...)
}

// rowIs changes errors about the number that instruction pc reads. Those that refer
// to its first byte then refer to n bytes before the cursor.
func (e *edit) rowIs(pc, n int) {
	word := &e.base.Code[pc]
	starts := []int{pc + 1}
	if word.Op == bytecode.Union {
		starts = nil
		for i := range e.base.Tables[word.D].Arms {
			starts = append(starts, e.base.ArmAt(word.D, i)+1)
		}
	}
	change := func(back *uint32) {
		if *back == uint32(word.Scalar().Width()) {
			*back = uint32(n)
		}
	}
	for _, k := range starts {
		for rows := true; rows; k++ {
			switch in := e.in(k); in.Op {
			case bytecode.Check:
				change(&in.C)
			case bytecode.ArmRef:
				change(&in.D)
			case bytecode.Let, bytecode.Take, bytecode.Header, bytecode.Fields, bytecode.Expect, bytecode.If:
			default:
				rows = false
			}
		}
	}
}

// let is an instruction that computes a register.
func (e *edit) let(rule, reg uint32, x *bytecode.Expr) bytecode.Instr {
	return bytecode.Instr{Op: bytecode.Let, A: reg, B: e.expr(x), Rule: rule}
}
