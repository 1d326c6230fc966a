// Facts about the cells of a record.

package reach

import (
	"fmt"
	"maps"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// cell returns what an expression asks of a cell.
func (w *walk) cell(e *bytecode.Expr) *sum {
	of := func(s span) *sum {
		u := w.unknown(fmt.Sprintf("%s%d.%d.%d", e.Op, w.way.typ, e.Arg, e.Arg2), s, e.Op)
		u.asks, u.cell, u.union = true, e.Arg, e.Arg2
		return just(u)
	}
	if e.Op == bytecode.ExprMore && w.d == interp.Writing {
		return w.cell(&bytecode.Expr{Op: bytecode.ExprPresent, Arg: e.Arg})
	}
	if w.back() && w.way.read != nil && e.Op != bytecode.ExprPresent {
		if !w.way.read.has(uint32(e.Arg)) {
			return constant(0)
		}
		switch got, ok := w.got[field{w.way.typ, uint32(e.Arg)}]; {
		case e.Op == bytecode.ExprOutside && w.readAs(uint32(e.Arg), bytecode.Scalar(e.Arg2)):
			return constant(0)
		case e.Op == bytecode.ExprCount && ok:
			return of(got.span.meet(w.count()))
		case e.Op == bytecode.ExprValue && ok:
			return of(got.span)
		case e.Op == bytecode.ExprLen && !w.asIs(w.index, w.way.typ):
			n := w.texts[w.way.typ]
			if w.p.Encodings[e.Arg2].NUL == bytecode.NULCounted {
				n = span{n.lo + 1, n.hi + 1}
			}
			return of(n)
		}
	}
	switch e.Op {
	case bytecode.ExprCount:
		return of(w.count())
	case bytecode.ExprLen:
		s := w.count()
		if w.p.Encodings[e.Arg2].NUL == bytecode.NULCounted {
			s.hi++ // an absent text has no NUL, and the length 0
		}
		return of(s)
	case bytecode.ExprArm:
		return of(w.arms(uint32(e.Arg), e.Arg2))
	case bytecode.ExprPresent, bytecode.ExprWide, bytecode.ExprMore:
		return of(boolean)
	case bytecode.ExprOutside:
		if w.fits(w.field(uint32(e.Arg)), bytecode.Scalar(e.Arg2)) {
			return constant(0)
		}
		return of(boolean)
	case bytecode.ExprValue:
		if w.field(uint32(e.Arg)) == interp.Bool && !w.s.Shapes {
			return of(boolean)
		}
	}
	return of(anything)
}

// absent sets the answers about cells without a value to 0.
func (w *walk) absent() {
	for u, s := range maps.Clone(w.way.spans) {
		if !u.asks || u.op != bytecode.ExprPresent || s != (span{}) {
			continue
		}
		for _, other := range w.known {
			if other.asks && other.cell == u.cell {
				w.way.spans[other] = span{}
			}
		}
	}
}

// field returns the kind of a cell's values, or None where it can be any.
func (w *walk) field(cell uint32) interp.Kind {
	if w.s.Shapes || int(w.way.typ) >= len(w.p.Types) {
		return interp.None
	}
	if fields := w.p.Types[w.way.typ].Fields; int(cell) < len(fields) {
		return fields[cell].Kind
	}
	return interp.None
}

// fits reports whether a scalar holds every value of a kind.
func (w *walk) fits(k interp.Kind, s bytecode.Scalar) bool {
	return k == interp.Float && s == bytecode.F64 || k == interp.Int && s == bytecode.I64 || k == interp.Uint && s == bytecode.U64
}

// arms returns the numbers that the arm of a cell can have in a union.
func (w *walk) arms(cell, union uint32) span {
	s := span{}
	if w.foreign(union) {
		s.lo = -1
	}
	t, _ := w.p.UnionTable(union)
	for _, r := range t.Known() {
		s.hi = max(s.hi, int64(min(r.Hi, 1<<62)))
		if r.Hi >= 1<<62 {
			return anything
		}
	}
	return s
}

// foreign reports whether there are values that are of no arm of a union.
func (w *walk) foreign(union uint32) bool {
	return w.s.Shapes || union == w.p.Root && !w.s.ReadBack
}

// together reports whether a cell may have a value beside those that had to have one
// so far.
func (w *walk) together(cell uint32) bool {
	cells := maps.Clone(w.way.there)
	cells[cell] = true
	set := setOf(w.way.typ, cells)
	for read := range w.sets {
		if set.within(read) {
			return true
		}
	}
	return false
}

// missing reports whether a cell surely has no value.
func (w *walk) missing(cell uint32) bool {
	if w.way.spanOf(w.ask(bytecode.ExprPresent, cell)) == (span{}) {
		return true
	}
	for _, u := range w.known {
		if u.asks && u.op == bytecode.ExprArm && u.cell == int64(cell) && w.way.spanOf(u) == (span{}) {
			t, _ := w.p.UnionTable(u.union)
			if _, ok := t.ByID(0); !ok {
				return true // an absent value has no arm; any other has one
			}
		}
	}
	return false
}

// given reports whether a cell surely has a value.
func (w *walk) given(cell uint32) bool {
	if !w.way.spanOf(w.ask(bytecode.ExprPresent, cell)).has(0) {
		return true
	}
	for _, u := range w.known {
		if u.asks && u.op == bytecode.ExprArm && u.cell == int64(cell) && !w.way.spanOf(u).has(0) {
			return true // an absent value has the number 0
		}
	}
	return false
}

// ask returns the unknown that an expression asks of a cell.
func (w *walk) ask(op bytecode.ExprOp, cell uint32) *unknown {
	u := w.cell(&bytecode.Expr{Op: op, Arg: int64(cell)}).Alone()
	return u
}

// kept returns the cell without whose value an instruction cannot write.
func kept(in *bytecode.Instr) (uint32, bool) {
	cell := in.Cell()
	return cell, cell != bytecode.None && in.Op != bytecode.Take
}
