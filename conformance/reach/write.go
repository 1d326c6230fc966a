// Symbolic execution of the instructions that write.

package reach

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// write goes through an instruction that writes. It returns false if that is the end.
func (w *walk) write(pc int, in *bytecode.Instr) bool {
	if cell, ok := kept(in); ok {
		w.way.there[cell] = true
	}
	switch in.Op {
	case bytecode.Packed, bytecode.Gaps, bytecode.Until, bytecode.Filled, bytecode.Text, bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare, bytecode.Call:
		return w.writeParts(pc, in)
	case bytecode.Base, bytecode.Close, bytecode.Seek, bytecode.Back:
		return w.part(pc, in)
	}
	return w.writeLeaf(pc, in)
}

// odd marks a refusal of values that the schema has no shape for.
func (w *walk) odd(pc int, sites ...interp.Site) {
	for _, s := range sites {
		if w.s.Shapes {
			w.mark(pc, s)
		}
	}
}

// of returns a property of a cell.
func (w *walk) of(op bytecode.ExprOp, cell uint32, arg uint32) *sum {
	return w.cell(&bytecode.Expr{Op: op, Arg: int64(cell), Arg2: arg})
}

// counted compares how many parts there are with how many there are to be.
func (w *walk) counted(pc int, in *bytecode.Instr, expr uint32, parts *sum) bool {
	if in.Op == bytecode.Text {
		w.parts(pc, parts)
	} else {
		defer func() { w.parts(pc, parts) }()
	}
	if expr == bytecode.None {
		return true
	}
	s, ok := w.eval(pc, expr)
	if !ok {
		return false
	}
	d := plus(s, parts, -1)
	if w.way.span(d) != (span{}) {
		w.mark(pc, interp.SiteCount)
	}
	return w.way.limit(d, span{})
}

// writeLeaf goes through an instruction that writes a number, or none.
func (w *walk) writeLeaf(pc int, in *bytecode.Instr) bool {
	y := &w.way
	switch in.Op {
	case bytecode.Fields:
		y.typ = in.B
		w.fields(pc, in)
		w.odd(pc, interp.SiteFieldCount, interp.SiteKind, interp.SiteEmpty)
		if w.contexts[w.d][w.index].nothing {
			w.odd(pc, interp.SiteNothing)
		}
	case bytecode.Subst:
		w.subst(pc, in)
	case bytecode.Header, bytecode.Word:
		if in.Op == bytecode.Word && in.D != bytecode.None {
			y.regs[in.D] = w.number(pc, w.size())
			return true
		}
		return w.put(pc, in, in.B)
	case bytecode.Patch:
		// The verifier has seen that there is a word there, but not how wide.
		for k := w.p.Routines[w.index].Start; k < w.p.Routines[w.index].End; k++ {
			if o := &w.p.Code[k]; o.Op == bytecode.Word && o.D == in.B && o.Scalar().Width() < in.Scalar().Width() {
				w.mark(pc, interp.SitePlace)
			}
		}
		return w.put(pc, in, in.D)
	case bytecode.Expect:
		w.odd(pc, interp.SiteKind)
		s := in.Scalar()
		w.seen(place{w.d, pc, interp.SiteRange, 0, 0}, anything)
		if y.span(w.of(bytecode.ExprOutside, in.B, uint32(s))) != (span{}) {
			w.mark(pc, interp.SiteRange)
		}
		holds := scalarSpan(s)
		if in.C&bytecode.ExpectTruth != 0 {
			holds = boolean
		}
		return y.limit(w.of(bytecode.ExprValue, in.B, 0), holds)
	case bytecode.Scalars:
		w.odd(pc, interp.SiteKind)
		s := in.Scalar()
		at := place{w.d, pc, interp.SiteRange, 0, 0}
		w.seen(at, anything)
		if y.span(w.of(bytecode.ExprOutside, in.B, uint32(s))) != (span{}) {
			w.mark(pc, interp.SiteRange)
			w.mark(pc, interp.SiteRounded)
			w.mark(pc, interp.SiteRefused)
		}
	case bytecode.Truth:
		w.odd(pc, interp.SiteKind)
		w.mark(pc, interp.SiteZero)
		w.mark(pc, interp.SiteOne)
	case bytecode.ArmRef:
		w.odd(pc, interp.SiteKind)
		if y.span(w.of(bytecode.ExprArm, in.A, in.C)).lo < 0 {
			w.mark(pc, interp.SiteForeign)
		}
	case bytecode.Lanes:
		w.odd(pc, interp.SiteKind, interp.SiteNumbers)
		w.converted(pc, in, in.C)
	case bytecode.Absent:
		if !w.missing(in.A) && (w.s.Shapes || w.together(in.A)) {
			w.mark(pc, interp.SitePresent)
		}
		y.spans[w.ask(bytecode.ExprPresent, in.A)] = span{}
	}
	return true
}

// writeParts goes through an instruction that writes text, or a value with parts.
func (w *walk) writeParts(pc int, in *bytecode.Instr) bool {
	y := &w.way
	switch in.Op {
	case bytecode.Packed:
		w.odd(pc, interp.SiteKind, interp.SiteNumbers)
		w.converted(pc, in, in.D)
		n := w.of(bytecode.ExprCount, in.D, 0)
		if !w.counted(pc, in, in.C, n) {
			return false
		}
		w.sized(n, int64(in.Scalar().Width())*int64(in.B), true)
	case bytecode.Gaps:
		w.odd(pc, interp.SiteKind, interp.SiteNumbers)
		w.parts(pc, w.of(bytecode.ExprCount, in.A, 0))
	case bytecode.Until, bytecode.Filled:
		w.odd(pc, interp.SiteKind, interp.SiteNumbers)
		w.delimited(pc, in)
		if in.Op == bytecode.Filled {
			if _, ok := w.eval(pc, in.B); !ok {
				return false
			}
		}
	case bytecode.Text:
		w.odd(pc, interp.SiteKind)
		n := w.of(bytecode.ExprLen, in.C, in.A)
		w.text(pc, in)
		if !w.counted(pc, in, in.B, n) {
			return false
		}
		if w.p.Encodings[in.A].NUL == bytecode.NULCounted {
			w.mark(pc, interp.SiteEmpty)
		}
		w.sized(n, 1, true)
	case bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare:
		w.odd(pc, interp.SiteKind)
		expr, cell := in.A, in.C
		if in.Op == bytecode.Rest || in.Op == bytecode.Through || in.Op == bytecode.Spare {
			expr, cell = bytecode.None, in.B
		}
		n := w.of(bytecode.ExprCount, cell, 0)
		if !w.counted(pc, in, expr, n) {
			return false
		}
		w.elements(pc, in)
		if in.Op == bytecode.Spare {
			w.way.regs[in.D] = w.number(pc, w.size())
		}
		if in.Op == bytecode.Through {
			w.mark(pc, interp.SiteRefused)
			if !y.limit(n, span{1, 1 << 62}) {
				return false
			}
		}
		if y.last = nil; in.Op == bytecode.List {
			w.sizedParts(n, in.B)
		}
	case bytecode.Call:
		args, ok := w.args(pc, in)
		if !ok {
			return false
		}
		if !w.given(in.B) {
			w.odd(pc, interp.SiteNothing)
		}
		arm := false
		if _, union := w.p.UnionTable(in.A); union && len(args) > 0 {
			arm = keyOf(args[0]) == keyOf(w.of(bytecode.ExprArm, in.B, in.A)) || w.back() && w.sent(pc, in)
		}
		w.call(in.A, args, arm)
		w.sizedParts(constant(1), in.A)
	}
	return true
}

// sent reports whether the number of an arm that is called is in a separate
// field. The field is read and written unchanged.
func (w *walk) sent(call int, in *bytecode.Instr) bool {
	x := w.p.Exprs[w.p.Args[in.C][0]]
	if x.Op != bytecode.ExprReg {
		return false
	}
	sent := false
	w.inRecord(func(pc int, take *bytecode.Instr) {
		if pc > call || take.Op != bytecode.Take || int64(take.B) != x.Arg {
			return
		}
		word := &w.p.Code[pc-1]
		value := &bytecode.Expr{Op: bytecode.ExprValue, Arg: int64(take.A)}
		sent = word.Op == bytecode.Word && word.B == take.B && word.D == bytecode.None && w.p.Exprs[word.C].Equal(value)
	})
	return sent
}

// put goes through an instruction that computes a word.
func (w *walk) put(pc int, in *bytecode.Instr, reg uint32) bool {
	s, ok := w.eval(pc, in.C)
	if !ok {
		return false
	}
	to := scalarSpan(in.Scalar())
	r := w.way.span(s)
	w.seen(place{w.d, pc, interp.SiteRange, 0, 0}, r)
	if !r.within(to) {
		w.mark(pc, interp.SiteRange)
	}
	if !w.way.limit(s, to) {
		return false
	}
	w.way.regs[reg] = s
	return true
}

// subst marks what can be put in the place of a value.
func (w *walk) subst(pc int, in *bytecode.Instr) {
	w.mark(pc, interp.SiteKept)
	t, ok := w.p.UnionTable(in.B)
	if !ok {
		return
	}
	n := 0
	before := w.way
	for _, a := range t.Arms {
		left := !w.back() || w.isRead(a.Type)
		for _, rule := range w.p.Types[a.Type].Writes {
			n++
			if !left {
				continue
			}
			if rule.When != bytecode.None {
				w.way = before.fork()
				w.way.typ, w.way.read = a.Type, nil
				e := &evaluation{w: w, pc: pc, expr: rule.When}
				e.cell = func(x *bytecode.Expr) *sum {
					other := *x
					other.Arg += int64(a.Type+1) << 32 // cells of another record
					return w.cell(&other)
				}
				s, ok := e.node(w.p.Exprs[rule.When], true)
				if w.back() {
					left = !ok || w.way.span(s).has(0)
				}
			} else {
				left = !w.back()
			}
			w.markN(pc, interp.SiteReplaced, n-1)
			if !rule.Absent {
				w.puts(rule.Type, int64(len(rule.Text)))
			}
		}
		if at := (arm{in.B, a.Type}); left && !w.left[at] {
			w.left[at], w.changed = true, true
		}
	}
	w.way = before
}

// puts notes that a text of a length is put in place of other values.
func (w *walk) puts(typ uint32, n int64) {
	s := span{n, n}
	old, ok := w.texts[typ]
	if ok {
		s = s.join(old)
	}
	if !ok || s != old {
		w.texts[typ], w.changed = s, true
	}
}

// converted marks that reals come in another precision.
func (w *walk) converted(pc int, in *bytecode.Instr, cell uint32) {
	other := w.s.Shapes
	w.readers(cell, func(o *bytecode.Instr) {
		other = other || o.Op == in.Op && o.Scalar() != in.Scalar()
	})
	if other {
		w.mark(pc, interp.SiteConverted)
		w.mark(pc, interp.SiteRefused)
	}
}
