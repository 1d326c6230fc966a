// Symbolic execution of the instructions that read and write.

package facts

import (
	"maps"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// fixed returns the bytes that values of a routine take, where they all take the same.
func (w *walk) fixed(routine uint32) (int64, bool) {
	b := w.p.Bounds(routine)
	return int64(b.Min), b.Min == b.Max
}

// read goes through an instruction that reads. It returns false where that is the end.
func (w *walk) read(pc int, in *bytecode.Instr) bool {
	y := &w.way
	var n *sum
	count := func(expr uint32) bool {
		w.mark(pc, interp.SiteShort)
		s, ok := w.eval(pc, expr)
		if !ok || !y.limit(s, span{0, 1 << 62}) {
			return false
		}
		n = s
		if cell, ok := kept(in); ok && in.Op != bytecode.Text {
			w.gets(cell, y.span(n))
		}
		return true
	}
	// sized notes how many bytes so many parts of a size are.
	sized := func(size int64, known bool) {
		y.last = nil
		if known && n != nil {
			if s := plus(constant(0), n, size); exact(y.span(s)) {
				y.last = s
			}
		}
	}
	switch in.Op {
	case bytecode.Fields:
		y.typ = in.B
	case bytecode.Word:
		w.mark(pc, interp.SiteShort)
		y.regs[in.B] = w.number(pc, scalarSpan(bytecode.Scalar(in.A)))
	case bytecode.Scalars:
		w.mark(pc, interp.SiteShort)
		if s := bytecode.Scalar(in.A & 0xff); s.IsFloat() {
			w.gets(in.B, anything)
		} else {
			w.gets(in.B, scalarSpan(s))
		}
		y.there[in.B] = true
	case bytecode.Truth:
		for _, s := range []interp.Site{interp.SiteShort, interp.SiteZero, interp.SiteOne, interp.SiteOther, interp.SiteRefused} {
			w.mark(pc, s)
		}
		w.gets(in.B, boolean)
		y.there[in.B] = true
	case bytecode.Take:
		r := y.span(y.regs[in.B])
		w.seen(place{w.d, pc, interp.SiteZero, 0, 0}, r)
		if r.has(0) {
			w.mark(pc, interp.SiteZero)
		}
		if r != (span{}) {
			w.mark(pc, interp.SiteOne)
		}
		w.gets(in.A, r.join(boolean)) // it may be taken for true or false
		y.there[in.A] = true
	case bytecode.ArmRef:
		t, _ := w.p.UnionTable(in.C)
		r := y.span(y.regs[in.B])
		known := int64(0)
		for _, a := range t.Arms {
			if !a.Else && a.ID < 1<<62 && r.has(int64(a.ID)) {
				known++
			}
		}
		w.seen(place{w.d, pc, interp.SiteUnknown, 0, 0}, r)
		if !exact(r) || r.hi-r.lo >= known {
			w.mark(pc, interp.SiteUnknown)
		}
		y.there[in.A] = true
	case bytecode.Lanes:
		w.mark(pc, interp.SiteShort)
		y.there[in.C] = true
	case bytecode.Text:
		if !count(in.B) {
			return false
		}
		w.parts(pc, n)
		if y.span(n).hi > 0 {
			w.text(pc, in)
		}
		sized(1, true)
		y.there[in.C] = true
	case bytecode.Packed:
		size := int64(bytecode.Scalar(in.A&0xff).Width()) * int64(in.B)
		if in.C != bytecode.None {
			if !count(in.C) {
				return false
			}
		} else {
			n = w.number(pc, w.size())
			w.gets(in.D, w.size())
			y.used = y.used || size == 1 // else some may be left
		}
		w.parts(pc, n)
		sized(size, true)
		y.there[in.D] = true
	case bytecode.List:
		if !count(in.A) {
			return false
		}
		w.mark(pc, interp.SiteMemory)
		w.parts(pc, n)
		w.call(in.B, nil, false)
		sized(w.fixed(in.B))
		y.there[in.C] = true
	case bytecode.Map:
		if !count(in.A) {
			return false
		}
		w.mark(pc, interp.SiteMemory)
		w.parts(pc, n)
		if y.span(n).hi > 1 {
			w.mark(pc, interp.SiteRepeats)
		}
		w.call(in.B, nil, false)
		w.call(in.D, nil, false)
		y.last = nil
		y.there[in.C] = true
		y.maps[in.C] = true
	case bytecode.Rest:
		w.mark(pc, interp.SiteMemory)
		w.parts(pc, nil)
		w.gets(in.B, w.size())
		w.call(in.A, nil, false)
		y.last, y.used = nil, true
		y.there[in.B] = true
	case bytecode.Call:
		args, ok := w.args(pc, in)
		if !ok {
			return false
		}
		w.call(in.A, args, false)
		n = constant(1)
		sized(w.fixed(in.A))
		y.used = y.used || w.consumes[in.A]
		y.there[in.B] = true
		if w.maps[in.A] {
			y.maps[in.B] = true
		}
	case bytecode.Absent:
		delete(y.there, in.A)
	case bytecode.Enter:
		w.mark(pc, interp.SiteShort)
		if s, ok := w.eval(pc, in.A); !ok || !y.limit(s, span{0, 1 << 62}) {
			return false
		}
		y.outside = append(y.outside, y.used)
		y.used = false
	case bytecode.Leave:
		if !y.used {
			w.mark(pc, interp.SiteLeftOver)
		}
		y.used = y.outside[len(y.outside)-1]
		y.outside = y.outside[:len(y.outside)-1]
		y.last = nil
	}
	return true
}

// args computes the arguments of a call.
func (w *walk) args(pc int, in *bytecode.Instr) ([]*sum, bool) {
	var args []*sum
	for _, e := range w.p.Args[in.C] {
		s, ok := w.eval(pc, e)
		if !ok {
			return nil, false
		}
		args = append(args, s)
	}
	return args, true
}

// gets notes the numbers of a cell, or of its parts, that is read.
func (w *walk) gets(cell uint32, s span) {
	at := field{w.way.typ, cell}
	old, ok := w.got[at]
	if ok && s.within(old.span) {
		return
	}
	if ok {
		s = s.join(old.span)
	}
	if old.grown++; old.grown > 16 {
		s = anything
	}
	w.got[at], w.changed = numbers{s, old.grown}, true
}

// inRecord calls f for each instruction of the records of the current type that the
// routine contains.
func (w *walk) inRecord(f func(pc int, in *bytecode.Instr)) {
	typ := uint32(bytecode.None)
	for pc := w.p.Routines[w.index].Start; pc < w.p.Routines[w.index].End; pc++ {
		in := &w.p.Code[pc]
		if in.Op == bytecode.Fields {
			typ = in.B
		}
		if typ == w.way.typ {
			f(int(pc), in)
		}
	}
}

// readers calls f for each instruction that gives a cell of the record its value.
func (w *walk) readers(cell uint32, f func(in *bytecode.Instr)) {
	w.inRecord(func(_ int, in *bytecode.Instr) {
		if in.Cell() == cell {
			f(in)
		}
	})
}

// readAs reports whether a scalar holds all numbers of a cell that was read.
func (w *walk) readAs(cell uint32, s bytecode.Scalar) bool {
	all := true
	w.readers(cell, func(in *bytecode.Instr) {
		from := bytecode.Scalar(in.A & 0xff)
		switch {
		case in.Op != bytecode.Scalars, from.IsFloat() != s.IsFloat():
			all = false
		case s.IsFloat():
			all = all && s == bytecode.F64 // what is not a number is no single to itself
		case from.Width() == s.Width():
			all = all && from == s
		default:
			all = all && from.Width() < s.Width() && (s.Signed() || !from.Signed())
		}
	})
	return all
}

// text marks everything that can be special about text. Text that was read in an
// encoding is not refused by a writer of it.
func (w *walk) text(pc int, in *bytecode.Instr) {
	for s := interp.SiteMark; s <= interp.SiteUnchecked; s++ {
		w.mark(pc, s)
	}
	if w.back() {
		same := true
		w.readers(in.C, func(o *bytecode.Instr) { same = same && o.Op == bytecode.Text && o.A == in.A })
		if same {
			return
		}
	}
	for s := interp.SiteStray; s <= interp.SiteNUL; s++ {
		w.mark(pc, s)
	}
}

// write goes through an instruction that writes. It returns false where that is the end.
func (w *walk) write(pc int, in *bytecode.Instr) bool {
	y := &w.way
	var n *sum
	// odd marks a refusal of values that the schema has no shape for.
	odd := func(sites ...interp.Site) {
		for _, s := range sites {
			if w.s.Shapes {
				w.mark(pc, s)
			}
		}
	}
	of := func(op bytecode.ExprOp, cell uint32, arg uint32) *sum {
		return w.cell(&bytecode.Expr{Op: op, Arg: int64(cell), Arg2: arg})
	}
	// counted compares how many parts there are with how many there are to be.
	counted := func(expr uint32, parts *sum) bool {
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
		if y.span(d) != (span{}) {
			w.mark(pc, interp.SiteCount)
		}
		return y.limit(d, span{})
	}
	sized := func(size int64, known bool) {
		if y.last = nil; known {
			if s := plus(constant(0), n, size); exact(y.span(s)) {
				y.last = s
			}
		}
	}
	if cell, ok := kept(in); ok {
		y.there[cell] = true
	}
	switch in.Op {
	case bytecode.Fields:
		y.typ = in.B
		w.fields(pc, in)
		odd(interp.SiteFieldCount, interp.SiteKind, interp.SiteEmpty)
		if w.contexts[w.d][w.index].nothing {
			odd(interp.SiteNothing)
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
			if o := &w.p.Code[k]; o.Op == bytecode.Word && o.D == in.B && bytecode.Scalar(o.A).Width() < bytecode.Scalar(in.A).Width() {
				w.mark(pc, interp.SitePlace)
			}
		}
		return w.put(pc, in, in.D)
	case bytecode.Scalars:
		odd(interp.SiteKind)
		s := bytecode.Scalar(in.A & 0xff)
		at := place{w.d, pc, interp.SiteRange, 0, 0}
		w.seen(at, anything)
		if y.span(of(bytecode.ExprOutside, in.B, uint32(s))) != (span{}) {
			w.mark(pc, interp.SiteRange)
			w.mark(pc, interp.SiteRounded)
		}
	case bytecode.Truth:
		odd(interp.SiteKind)
		w.mark(pc, interp.SiteZero)
		w.mark(pc, interp.SiteOne)
	case bytecode.ArmRef:
		odd(interp.SiteKind)
		if y.span(of(bytecode.ExprArm, in.A, in.C)).lo < 0 {
			w.mark(pc, interp.SiteForeign)
		}
	case bytecode.Lanes:
		odd(interp.SiteKind, interp.SiteNumbers)
		w.converted(pc, in, in.C)
	case bytecode.Packed:
		odd(interp.SiteKind, interp.SiteNumbers)
		w.converted(pc, in, in.D)
		n = of(bytecode.ExprCount, in.D, 0)
		if !counted(in.C, n) {
			return false
		}
		sized(int64(bytecode.Scalar(in.A&0xff).Width())*int64(in.B), true)
	case bytecode.Text:
		odd(interp.SiteKind)
		n = of(bytecode.ExprLen, in.C, in.A)
		w.text(pc, in)
		if !counted(in.B, n) {
			return false
		}
		if w.p.Encodings[in.A].NUL == bytecode.NULCounted {
			w.mark(pc, interp.SiteEmpty)
		}
		sized(1, true)
	case bytecode.List, bytecode.Map, bytecode.Rest:
		odd(interp.SiteKind)
		expr, cell := in.A, in.C
		if in.Op == bytecode.Rest {
			expr, cell = bytecode.None, in.B
		}
		n = of(bytecode.ExprCount, cell, 0)
		if !counted(expr, n) {
			return false
		}
		for _, callee := range in.Calls() {
			w.element(callee)
		}
		if y.last = nil; in.Op == bytecode.List {
			sized(w.fixed(in.B))
		}
	case bytecode.Call:
		args, ok := w.args(pc, in)
		if !ok {
			return false
		}
		if !w.given(in.B) {
			odd(interp.SiteNothing)
		}
		arm := false
		if _, union := w.p.UnionTable(in.A); union && len(args) > 0 {
			arm = keyOf(args[0]) == keyOf(of(bytecode.ExprArm, in.B, in.A)) || w.back() && w.sent(pc, in)
		}
		w.call(in.A, args, arm)
		n = constant(1)
		sized(w.fixed(in.A))
	case bytecode.Absent:
		if !w.missing(in.A) && (w.s.Shapes || w.together(in.A)) {
			w.mark(pc, interp.SitePresent)
		}
		y.spans[w.ask(bytecode.ExprPresent, in.A)] = span{}
	}
	return true
}

// sent reports whether the number of an arm that is called stands in a field of its
// own: read as it is, and written as it was read.
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
				return true // only what is absent has no arm
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
			return true // what is absent has the number 0
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

// put goes through an instruction that computes a word.
func (w *walk) put(pc int, in *bytecode.Instr, reg uint32) bool {
	s, ok := w.eval(pc, in.C)
	if !ok {
		return false
	}
	to := scalarSpan(bytecode.Scalar(in.A))
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

// fields marks how the value of a record can be.
func (w *walk) fields(pc int, in *bytecode.Instr) {
	s := shape{true, true, true}
	if !w.s.Shapes {
		s = shape{}
		for k := range w.p.Code {
			if c := &w.p.Code[k]; c.Op == bytecode.Done && c.A == in.B {
				s.alone = s.alone || w.shapes[k].alone
				s.fields = s.fields || w.shapes[k].fields
				s.repeats = s.repeats || w.shapes[k].repeats
			}
		}
	}
	if s.alone {
		w.mark(pc, interp.SiteAlone)
	}
	if s.fields {
		w.mark(pc, interp.SiteFields)
	}
	if s.repeats {
		w.mark(pc, interp.SiteRepeats)
	}
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
		other = other || o.Op == in.Op && bytecode.Scalar(o.A&0xff) != bytecode.Scalar(in.A&0xff)
	})
	if other {
		w.mark(pc, interp.SiteConverted)
	}
}
