package interp

import (
	"math"
	"reflect"

	"github.com/octable/octable/compile/bytecode"
)

// KeyWork returns how many sums of keys r has made. It adds how many keys r has
// compared after finding them in a table.
func (r *Reader) KeyWork() uint64 { return r.keys.work }

// KeyWork is the same of a Writer.
func (w *Writer) KeyWork() uint64 { return w.keys.work }

// ByPlan reports whether a plan or the fast loop reads b to its end. The instructions then do not read it again. A plan
// gives back the registers and cells that it takes, and leaves all levels.
func (r *Reader) ByPlan(b []byte) bool {
	r.reset(b)
	f := &r.fast
	if f.root != nil {
		f.depth, f.inside, f.memory = 0, false, r.opt.MaxMemory
		_, ok := r.loops(&f.first, &f.cell, f.root, b, 0, len(b), 0)
		return ok
	}
	if f.plan == nil {
		return false
	}
	_, ok := r.planned(b)
	g := &r.run
	return ok && len(g.regs)+len(g.cells)+len(g.regions)+len(g.path)+len(g.bases)+len(g.aways)+g.depth+g.nest == 0 && g.end == len(b)
}

// ByPlan reports whether a plan or the fast loop writes v: the instructions do not write it again. A plan gives back the
// registers and cells that it takes, and leaves all levels.
func (w *Writer) ByPlan(v Value) bool {
	w.keys.forget()
	f := &w.fast
	if f.root != nil {
		f.depth, f.inside = 0, false
		_, ok := w.fastValue(f.root, nil, 0, &v, 0)
		return ok
	}
	if f.plan == nil {
		return false
	}
	_, ok := w.planned(nil, v)
	g := &w.run
	return ok && len(g.regs)+len(g.cells)+len(g.path)+len(g.bases)+len(g.aways)+g.depth+g.nest == 0
}

// Leaves returns how often fast loops of the reader left a part to a function, over all packets.
func (r *Reader) Leaves() int { return r.fast.leaves }

// Leaves returns how often fast loops of the writer left a part to a function, over all values.
func (w *Writer) Leaves() int { return w.fast.leaves }

// Steps returns how many instructions the reader ran for the last packet, beside what its plan read.
func (r *Reader) Steps() int {
	if r.fast.plan == nil {
		return 0
	}
	return math.MaxInt - r.run.steps
}

// Plans returns the parts of a machine that decide how fast it runs. They are the plans and the fast unions of each
// routine, and the expressions that are compiled.
func (m *Machine) Plans() (parts []any) {
	for i := range m.p.Routines {
		if m.plans[i] != nil {
			parts = append(parts, m.plans[i])
		}
		if m.fast[i] != nil {
			parts = append(parts, m.fast[i])
		}
	}
	return append(parts, m.computed)
}

// Forms returns the plans that a machine makes when it first needs them. They are the plans of routines for arguments
// that decide conditions, and the forms of values of unions for each first byte.
func (m *Machine) Forms() (parts []any) {
	for _, p := range m.plans {
		if p == nil {
			continue
		}
		parts = append(parts, p.loops(m)...)
		for key := range p.variants {
			args := make([]uint64, p.args)
			for i, reg := range p.decides {
				args[reg] = uint64(key >> i & 1)
			}
			if v := p.variant(m, args); v != nil {
				parts = append(parts, v)
				parts = append(parts, v.loops(m)...)
			}
		}
	}
	return parts
}

// loops returns the forms of values that the loop for a union reads and writes.
func (p *plan) loops(m *Machine) (forms []any) {
	if p.union == nil || p.union.forms == nil {
		return nil
	}
	u := p.union
	for word := range uint64(256) {
		n, ok := m.p.Exprs[u.word.C].Fold(func(e *bytecode.Expr) (int64, bool) {
			for _, k := range u.with(word) {
				if e.Op == bytecode.ExprReg && uint32(e.Arg) == k.Reg {
					return int64(k.Word), true
				}
			}
			return 0, false
		})
		if i, known := u.table.ByID(uint64(n)); ok && known {
			forms = append(forms, u.armFor(m, p.routine, word, i).leafOf(p.routine), u.formFor(m, p.routine, word, i))
		}
	}
	return forms
}

// Operations returns how many operations the writers of the plans of records have. It also returns how many of them are
// rows that need a call.
func (m *Machine) Operations() (ops, calls int) {
	for _, p := range m.plans {
		if p == nil || p.union != nil {
			continue
		}
		for i := range p.flat(m).ops {
			ops++
			if c := p.flat(m).ops[i].code; c == lineRow || c == lineChunk || c == lineNumber {
				calls++
			}
		}
	}
	return ops, calls
}

// ListedByName are the types that listings of plans print by their names.
var ListedByName = []reflect.Type{reflect.TypeFor[Machine](), reflect.TypeFor[bytecode.Program](), reflect.TypeFor[bytecode.Instr](), reflect.TypeFor[bytecode.Table]()}
