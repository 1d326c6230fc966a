// Expressions of record plans: registers, and in writing the fields of Go values.

package codec

import (
	"reflect"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// recordExpr is an expression whose leaves are resolved.
type recordExpr struct {
	op    bytecode.ExprOp
	short bool            // registers are all that it looks at: see [recordExpr.quick]
	bits  bytecode.Bits   // short: of a register
	times int64           // short: the bits are multiplied by it
	plus  int64           // short: and it is added
	than  int64           // short: for a comparison or another operation with the bits
	n     int64           // of a number, a register, a number of bits
	part  *wordPart       // a field
	in    *wordPart       // of part, which is a record: the field of it that counts
	step  *recordStep     // of part: whether it is left out counts
	text  string          // of part: whether it is that text counts
	union *recordUnion    // of part: the number of its arm counts
	fits  bytecode.Scalar // of part: the number must fit it, unless it is NoScalar
	lines bytecode.Lines  // of the only argument, instead of the operation
	holds *byteSet        // short: of the register n, for numbers below 256 instead of the operation: see [stepCompiler.tabulate]
	args  []recordExpr
}

// recordScope is what an expression is computed from.
type recordScope struct {
	regs  []uint64
	x     place
	left  int  // reading: bytes in the region
	exact bool // writing: Options.KeepWidths
	bad   bool // a number does not fit, or a field has no value
}

// expr returns the expression with a number, or nil if Values have to compute it.
func (b *stepCompiler) expr(index uint32) *recordExpr {
	e, ok := b.node(b.p.Exprs[index])
	if !ok {
		return nil
	}
	return &e
}

// looking is expr of a step that may look at fields that were read before it.
func (b *stepCompiler) looking(index uint32) *recordExpr {
	b.looks = true
	e := b.expr(index)
	b.looks = false
	return e
}

// early is looking for a number that is needed where no field is at hand: a register has it then.
func (b *stepCompiler) early(index uint32) *recordExpr {
	e := b.looking(index)
	if e == nil || b.write || !e.hasParts() {
		return e
	}
	b.rec.all = max(b.rec.all, b.regs)
	b.lets = append(b.lets, recordStep{code: recordLet, reg: b.rec.all, expr: e})
	b.rec.all++
	return new(registerExpr(b.rec.all - 1))
}

func (b *stepCompiler) node(e *bytecode.Expr) (out recordExpr, ok bool) {
	if n, ok := e.Fold(b.constant); ok {
		return numberExpr(n), true
	}
	out = recordExpr{op: e.Op, n: e.Arg}
	switch {
	case (e.Op == bytecode.ExprMore || e.Op == bytecode.ExprLeft) && !b.write, e.Op == bytecode.ExprExact:
		return out, true
	case e.Op == bytecode.ExprMore:
		return out, b.leaf(e, &out)
	case e.Op == bytecode.ExprReg:
		return registerExpr(int(e.Arg)), true
	case e.Op == bytecode.ExprWide:
		return numberExpr(0), b.write // Go values ask for no form
	case e.Op.NeedsCells():
		return out, (b.write || b.looks && b.read[uint32(e.Arg)]) && b.leaf(e, &out)
	case e.Op.Takes() == 0, e.Op == bytecode.ExprFit && !b.write: // a number that a reader computes always fits
		return out, false
	}
	if lines, leaf := e.Lines(); lines != nil {
		arg, ok := b.node(leaf)
		out.lines, out.args = lines, []recordExpr{arg}
		if out.shorten(e, !b.write); out.short {
			out.lines = nil
		}
		out.short = out.short || arg.short
		return out, ok
	}
	for _, x := range e.Args {
		arg, ok := b.node(x)
		if !ok {
			return out, false
		}
		out.args = append(out.args, arg)
	}
	if out.shorten(e, !b.write); !out.short && !b.write {
		b.tabulate(e, &out)
	}
	return out, true
}

// tabulate notes which numbers below 256 of the only register make an expression true.
func (b *stepCompiler) tabulate(e *bytecode.Expr, out *recordExpr) {
	reg := int64(none)
	if e.Any(func(leaf *bytecode.Expr) bool {
		other := leaf.Op == bytecode.ExprFit || leaf.Op.Takes() == 0 && leaf.Op != bytecode.ExprNum && (leaf.Op != bytecode.ExprReg || reg >= 0 && leaf.Arg != reg)
		if leaf.Op == bytecode.ExprReg {
			reg = leaf.Arg
		}
		return other
	}) || reg < 0 {
		return
	}
	var holds byteSet
	for word := range 256 {
		n, ok := e.Fold(func(*bytecode.Expr) (int64, bool) { return int64(word), true })
		if !ok || n>>1 != 0 {
			return
		}
		holds.put(uint64(word), uint64(n))
	}
	out.short, out.holds, out.n = true, &holds, reg
}

// numberExpr returns the expression of a number.
func numberExpr(n int64) recordExpr {
	return recordExpr{op: bytecode.ExprNum, short: true, than: n}
}

// registerExpr returns the expression of a register.
func registerExpr(reg int) recordExpr {
	return recordExpr{op: bytecode.ExprReg, short: true, n: int64(reg)}
}

// number returns the number that an expression always is.
func (e *recordExpr) number() (int64, bool) { return e.than, e.op == bytecode.ExprNum && e.short }

// constant returns the number of an argument that is known.
func (b *stepCompiler) constant(e *bytecode.Expr) (int64, bool) {
	if e.Op == bytecode.ExprReg {
		for _, k := range b.known {
			if int64(k.Reg) == e.Arg && !b.sets(k.Reg) {
				return int64(k.Word), true
			}
		}
	}
	return 0, false
}

// sets reports whether an instruction of the record sets a register.
func (b *stepCompiler) sets(reg uint32) bool {
	for pc := b.form.Fields; pc < b.p.End(b.form.Fields); pc++ {
		if sets := b.p.Code[pc].Sets(); sets[0] == reg || sets[1] == reg {
			return true // unreachable: the compiler sets no register of an argument; a program by hand may
		}
	}
	return false
}

// shorten notes that an expression has a short form. It is bits of one register, multiplied by a constant and with a
// constant added, or an operation of these and a constant. If computed is false, the bits are neither multiplied nor
// added to.
func (e *recordExpr) shorten(of *bytecode.Expr, computed bool) {
	if e.linear(of, computed) {
		e.short, e.op, e.n = true, bytecode.ExprReg, none
		return
	}
	switch {
	case len(of.Args) == 2:
		var ok bool
		if e.than, ok = of.Args[1].Constant(); !ok {
			return
		}
	case len(of.Args) != 1 || of.Op == bytecode.ExprFit:
		return
	}
	e.short = e.linear(of.Args[0], computed)
}

// linear finds the bits of a register that an expression is computed from, and the constants.
func (e *recordExpr) linear(of *bytecode.Expr, computed bool) (ok bool) {
	if e.bits, ok = bitsOf(of); ok {
		e.times, e.plus = 1, 0
		return true
	}
	if !computed || len(of.Args) != 2 || of.Op != bytecode.ExprAdd && of.Op != bytecode.ExprSub && of.Op != bytecode.ExprMul {
		return false
	}
	n, ok := of.Args[1].Constant()
	if !ok || !e.linear(of.Args[0], computed) {
		return false
	}
	switch of.Op {
	case bytecode.ExprAdd:
		e.plus += n
	case bytecode.ExprSub:
		e.plus -= n
	default:
		e.times, e.plus = e.times*n, e.plus*n
	}
	return true
}

// bitsOf returns which bits of a register an expression is.
func bitsOf(e *bytecode.Expr) (out bytecode.Bits, ok bool) {
	e.Walk(func(leaf *bytecode.Expr) {
		if leaf.Op == bytecode.ExprReg && !ok {
			out, ok = e.Bits(uint32(leaf.Arg))
		}
	})
	return out, ok
}

// leaf resolves a node about a field.
func (b *stepCompiler) leaf(e *bytecode.Expr, out *recordExpr) bool {
	part, t := b.wordPart(uint32(e.Arg))
	if t == nil || b.hooked(t) {
		return false
	}
	out.part = &part
	switch e.Op {
	case bytecode.ExprValue:
		out.fits = b.expects[uint32(e.Arg)]
		return part.numeric(t) && (!b.write || part.bool == b.bools[uint32(e.Arg)])
	case bytecode.ExprCount, bytecode.ExprLen:
		if !b.write && e.Op == bytecode.ExprLen {
			enc := &b.p.Encodings[e.Arg2]
			if part.runes = !enc.Charset.Verbatim(); enc.NUL == bytecode.NULCounted || part.runes && (!part.text || enc.Charset.IsUTF16()) {
				return false
			}
		}
		return b.counts(e, &part, t)
	case bytecode.ExprTotal, bytecode.ExprLast:
		k := t.Kind()
		if k != reflect.Slice && k != reflect.Array || t.Elem().Kind() < reflect.Int || t.Elem().Kind() > reflect.Uint64 {
			return false
		}
		if part.size, part.signed = uint8(t.Elem().Size()), t.Elem().Kind() <= reflect.Int64; k == reflect.Array {
			part.array = t
		}
		return true
	case bytecode.ExprEquals:
		out.text = b.p.Strings[e.Arg2]
		return part.text
	case bytecode.ExprMember:
		out.in = b.member(uint32(e.Arg), int(e.Arg2), t)
		return out.in != nil
	case bytecode.ExprPresent, bytecode.ExprMore: // more bytes follow if the field is there
		out.op = bytecode.ExprPresent
		out.step = &recordStep{field: part.field, typ: t}
		if part.pointer != nil {
			out.step.typ = part.pointer
		}
		return part.field != nil && (b.write || part.pointer != nil)
	case bytecode.ExprArm:
		out.union = b.armsOf(e.Arg2, t)
		return out.union != nil && part.field != nil && !part.field.omitEmpty && !part.field.omitZero
	case bytecode.ExprOutside: // no step writes a float in its wide form
		part.size, out.fits = uint8(t.Size()), bytecode.Scalar(e.Arg2)
		return out.fits.IsFloat() && (t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64)
	}
	return false // unreachable: no other operation looks at a field
}

// numeric notes how the numbers or truths of a type are loaded. It reports false for another type.
func (p *wordPart) numeric(t reflect.Type) bool {
	k := t.Kind()
	p.bool, p.size, p.signed = k == reflect.Bool, uint8(t.Size()), k <= reflect.Int64
	return k >= reflect.Bool && k <= reflect.Uint64
}

// member returns the field of a Go type for a number of the record in a cell, or nil.
func (b *stepCompiler) member(cell uint32, place int, t reflect.Type) *wordPart {
	var typ *bytecode.Type
	b.p.Walk(bytecode.Block{First: b.form.Fields + 1, Last: b.p.End(b.form.Fields)}, func(_ int, in *bytecode.Instr, _ int) bool {
		if in.Op == bytecode.Call && in.B == cell {
			if first := &b.p.Code[b.p.Routines[in.A].Start]; first.Op == bytecode.Fields {
				typ = &b.p.Types[first.B]
			}
		}
		return true
	})
	p := planFor(t, want{names: b.names})
	if typ == nil || p.form != formStruct || p.problem != "" {
		return nil
	}
	names := typ.Lanes // of a tuple
	if len(names) == 0 {
		for i := range typ.Fields {
			names = append(names, typ.Fields[i].Name)
		}
	}
	if place >= len(names) {
		return nil // unreachable: the compiler counts the numbers of the record; a program by hand may not
	}
	j, ok := p.fields.byName[names[place]]
	if !ok || p.fields.fields[j].indirect {
		return nil
	}
	f := &p.fields.fields[j]
	in := &wordPart{field: f, offset: f.offset}
	if t = f.plan.typ; t.Kind() == reflect.Pointer {
		in.pointer, t = t, t.Elem()
	}
	if b.hooked(t) || !in.numeric(t) {
		return nil // unreachable: the plan of the record puts the number into no other type
	}
	return in
}

// value computes an expression.
func (e *recordExpr) value(s *recordScope) int64 {
	if e.short {
		return e.quick(s.regs)
	}
	return e.operate(s)
}

// operate computes an operation from its arguments.
func (e *recordExpr) operate(s *recordScope) int64 {
	if e.lines != nil {
		return e.lines.At(e.args[0].value(s))
	}
	switch e.op {
	case bytecode.ExprMore:
		return truth(s.left > 0)
	case bytecode.ExprLeft:
		return int64(s.left)
	case bytecode.ExprExact:
		return truth(s.exact)
	case bytecode.ExprValue, bytecode.ExprCount, bytecode.ExprLen:
		at, ok := e.part.place(s.x)
		if !ok {
			s.bad = true
			return 0
		}
		n := e.part.number(at)
		if e.fits != bytecode.NoScalar && (!interp.Fits(e.fits, int64(n)) || int64(n) < 0 && e.part.signed != e.fits.Signed()) {
			s.bad = true
		}
		return int64(n)
	case bytecode.ExprTotal, bytecode.ExprLast:
		at, ok := e.part.place(s.x)
		if !ok {
			return 0 // of an array that is absent
		}
		return e.part.integers(at, e.op == bytecode.ExprLast)
	case bytecode.ExprEquals:
		at, ok := e.part.place(s.x)
		return truth(ok && at.getText() == e.text)
	case bytecode.ExprMember:
		at, ok := e.part.place(s.x)
		if ok {
			at, ok = e.in.place(at)
		}
		if !ok {
			return 0 // unreachable: the compiler looks at numbers that are always there; a program by hand may not
		}
		return int64(e.in.number(at))
	case bytecode.ExprPresent:
		return truth(!e.step.left(s.x.field(e.part.offset, e.part.field)))
	case bytecode.ExprArm:
		at, ok := e.part.place(s.x)
		if !ok {
			s.bad = true
			return 0
		}
		a, _, ok := e.union.held(at)
		if !ok {
			s.bad = true
			return 0
		}
		return int64(a.id)
	case bytecode.ExprOutside:
		at, ok := e.part.place(s.x)
		if !ok {
			s.bad = true
			return 0
		}
		f := at.getReal(e.part.size)
		s.bad = s.bad || f != f // the form of a NaN follows from its bits
		bits, ok := interp.BitsOf(e.fits, f)
		return truth(!ok || interp.RealOf(e.fits, bits) != f)
	case bytecode.ExprFit:
		n := e.args[0].value(s)
		if uint64(n)>>uint(e.n) != 0 {
			s.bad = true
		}
		return n
	case bytecode.ExprAdd:
		return e.args[0].value(s) + e.args[1].value(s)
	case bytecode.ExprSub:
		return e.args[0].value(s) - e.args[1].value(s)
	case bytecode.ExprMul:
		return e.args[0].value(s) * e.args[1].value(s)
	}
	var args [3]int64
	for i := range e.args {
		args[i] = e.args[i].value(s)
	}
	return e.op.Compute(args[0], args[1], args[2])
}

// quick computes an expression that is short.
func (e *recordExpr) quick(regs []uint64) int64 {
	switch {
	case e.op == bytecode.ExprNum:
		return e.than
	case e.holds != nil:
		if n := regs[e.n]; n < 256 {
			return int64(e.holds.bit(uint64(n)))
		}
		return e.operate(&recordScope{regs: regs})
	case e.lines != nil:
		return e.lines.At(e.args[0].quick(regs))
	case e.op == bytecode.ExprReg && e.n >= 0:
		return int64(regs[e.n])
	}
	x := e.bits.Of(regs[e.bits.Reg])*e.times + e.plus
	switch e.op {
	case bytecode.ExprReg:
		return x
	case bytecode.ExprEq:
		return truth(x == e.than)
	case bytecode.ExprNe:
		return truth(x != e.than)
	}
	return e.op.Compute(x, e.than, 0)
}

// truth returns 1 for true and 0 for false.
func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
