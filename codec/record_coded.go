// Numbers of codings in record plans: those of varying width and those in digits. They are in no run.

package codec

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// coded makes the steps of a number of a coding: of a field, or of a register.
func (b *stepCompiler) coded(out *[]recordStep, x *bytecode.Step) bool {
	s := recordStep{code: recordCoded, reg: none, coding: x.Coding(), longer: x.Longer()}
	if s.coding == builtin.Fixed {
		return false // unreachable: numbers of the bytes of their scalars are in runs
	}
	m := move{scalar: x.Scalar(), any: true}
	if x.Op == bytecode.Scalars {
		ok := b.moveCell(&s, x.Cell(), m, numberKind(m.scalar))
		*out = append(*out, s)
		return ok
	}
	if b.form.Needs(x.B) {
		s.reg = int(x.B)
	}
	if b.write && x.C == bytecode.None {
		*out = append(*out, recordStep{code: recordMark, off: none, reg: int(x.D)})
		if s.expr = new(numberExpr(0)); s.coding.Varies() {
			s.code = recordLet // the patch inserts the number
		}
	} else if e := b.written(x); e != nil && e.Op == bytecode.ExprValue && !b.bools[uint32(e.Arg)] {
		if !b.moveCell(&s, uint32(e.Arg), m, numberKind(m.scalar)) {
			return false
		}
	} else if e != nil {
		s.expr = b.expr(x.C)
	}
	*out = append(*out, s)
	return !b.write || len(s.moves) > 0 || s.expr != nil
}

// written returns the expression that a writer computes a word by, or nil for a reader.
func (b *stepCompiler) written(x *bytecode.Step) *bytecode.Expr {
	if !b.write {
		return nil
	}
	return b.p.Exprs[x.C]
}

// coded reads the number of an operation at pos and returns where it ends, or wrong.
func (r *planReader) coded(op *getOp, x place, pos int) int {
	m := op.more
	n, size, ok := interp.ReadNumber(m.coding, m.longer, r.b[pos:r.end])
	if !ok || m.move != nil && !m.move.set(r, n, x.field(op.at, op.field)) {
		return wrong
	}
	if op.reg != none {
		*registersOf(r.regs[r.base:]).at(op.reg) = n
	}
	return pos + size
}

// coded writes the number of an operation at pos and returns where it ends, or wrong.
func (w *planWriter) coded(op *putOp, x place, pos int, frame []uint64) int {
	m, n := op.more, uint64(0)
	if m.move == nil {
		n = frame[op.a]
	} else {
		var ok bool
		if n, ok = m.move.number(x.field(op.at, op.field), true); !ok {
			return wrong
		}
	}
	if op.reg != none {
		frame[op.reg] = n
	}
	if n > m.most {
		return wrong
	}
	room := max(bytecode.MaxCoded, m.coding.Longest(false))
	if w.end-pos < room+slack {
		w.grow(pos, room+slack)
	}
	return pos + len(interp.AppendNumber(w.mem.Bytes(pos, room)[:0], m.coding, n))
}

// patchCoded writes the number of a word that was left out, or that has digits, before pos. It returns where the record
// ends then, or wrong.
func (w *planWriter) patchCoded(op *putOp, pos int, frame []uint64) int {
	m, at, n := op.more, int(frame[op.a]), frame[op.b]
	if op.reg != none {
		frame[op.reg] = n
	}
	if n > m.most || at > pos { // a program by hand may have put the word at a place
		return wrong
	}
	if !m.coding.Varies() {
		interp.AppendNumber(w.mem.Bytes(at, m.coding.Width())[:0], m.coding, n)
		return pos
	}
	var buf [32]byte // no canonical number is longer
	number := interp.AppendNumber(buf[:0], m.coding, n)
	if w.end-pos < len(number)+slack {
		w.grow(pos, len(number)+slack)
	}
	if w.placed != nil {
		w.placed.Shift(at, len(number))
	}
	b := w.mem.Bytes(at, pos-at+len(number))
	copy(b[len(number):], b)
	copy(b, number)
	return pos + len(number)
}
