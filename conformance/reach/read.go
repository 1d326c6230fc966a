// Symbolic execution of the instructions that read.

package reach

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// fixed returns the bytes that values of a routine take, where they all take the same.
func (w *walk) fixed(routine uint32) (int64, bool) {
	b := w.p.Bounds(routine)
	return int64(b.Min), b.Min == b.Max
}

// read goes through an instruction that reads. It returns false if that is the end.
func (w *walk) read(pc int, in *bytecode.Instr) bool {
	n := w.start(in)
	ok := w.step(pc, in)
	if in.Op != bytecode.Leave { // which says how many bytes are behind it
		w.spend(n)
	}
	return ok
}

// has reports whether n bytes are left for certain.
func (p *path) has(n int64) bool { return n <= p.behind && p.behind > 0 || n <= p.sure && p.sure > 0 }

// start notes whether the bytes that an instruction reads are left for certain, and returns how many these are.
func (w *walk) start(in *bytecode.Instr) int64 {
	n, known := w.takes(in)
	w.enough = known && w.way.has(n)
	return n
}

// spend notes that an instruction has read n bytes, if they were left for certain.
func (w *walk) spend(n int64) {
	y := &w.way
	switch {
	case !w.enough:
		y.behind = 0
	case n > 0 && y.behind > 0:
		y.behind -= n
		y.used = y.used || y.behind == 0
	}
	if y.sure = max(y.sure-n, 0); !w.enough {
		y.sure = 0
	}
	w.enough = false
}

// takes returns the bytes that an instruction reads, if they are always as many.
func (w *walk) takes(in *bytecode.Instr) (n int64, known bool) {
	n = int64(w.p.Own(in))
	switch in.Op {
	case bytecode.Word, bytecode.Scalars, bytecode.Union:
		return n, in.Coding() == builtin.Fixed
	case bytecode.Truth, bytecode.Lanes, bytecode.Fields, bytecode.Take, bytecode.ArmRef, bytecode.Absent:
		return n, true
	case bytecode.Packed:
		return n, in.C != bytecode.None && w.p.Exprs[in.C].Op == bytecode.ExprNum
	case bytecode.Text:
		return n, w.p.Exprs[in.B].Op == bytecode.ExprNum
	case bytecode.Call:
		return w.fixed(in.A)
	}
	return 0, false
}

// step is read without the bytes that are left.
func (w *walk) step(pc int, in *bytecode.Instr) bool {
	switch in.Op {
	case bytecode.Text, bytecode.Until, bytecode.Filled, bytecode.Gaps, bytecode.Packed, bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare, bytecode.Call:
		return w.readParts(pc, in)
	case bytecode.Enter, bytecode.Leave:
		return w.region(pc, in)
	case bytecode.Base, bytecode.Close, bytecode.Seek, bytecode.Back:
		return w.part(pc, in)
	}
	w.readLeaf(pc, in)
	return true
}

// readLeaf goes through an instruction that reads a number, or none.
func (w *walk) readLeaf(pc int, in *bytecode.Instr) {
	y := &w.way
	switch in.Op {
	case bytecode.Fields:
		y.typ = in.B
	case bytecode.Word:
		w.mark(pc, interp.SiteShort)
		w.mark(pc, interp.SiteRefused)
		y.regs[in.B] = w.number(pc, scalarSpan(in.Scalar()))
	case bytecode.Scalars:
		w.mark(pc, interp.SiteShort)
		w.mark(pc, interp.SiteRefused)
		if s := in.Scalar(); s.IsFloat() {
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
		_, known, _ := shared(t.Known(), r)
		w.seen(place{w.d, pc, interp.SiteUnknown, 0, 0}, r)
		if !exact(r) || r.hi-r.lo >= known {
			w.mark(pc, interp.SiteUnknown)
		}
		y.there[in.A] = true
	case bytecode.Lanes:
		w.mark(pc, interp.SiteShort)
		y.there[in.C] = true
	case bytecode.Absent:
		delete(y.there, in.A)
	}
}

// readParts goes through an instruction that reads text, or a value with parts.
func (w *walk) readParts(pc int, in *bytecode.Instr) bool {
	y := &w.way
	var n *sum
	var ok bool
	switch in.Op {
	case bytecode.Text:
		if n, ok = w.numbered(pc, in, in.B); !ok {
			return false
		}
		w.parts(pc, n)
		if y.span(n).hi > 0 {
			w.text(pc, in)
		}
		w.sized(n, 1, true)
		y.there[in.C] = true
	case bytecode.Until, bytecode.Filled:
		if in.Op == bytecode.Filled {
			if _, ok = w.numbered(pc, in, in.B); !ok {
				return false
			}
		}
		w.delimited(pc, in)
		w.gets(in.C, w.size())
		y.used = y.used || in.Op == bytecode.Until && w.p.Strings[in.B] == ""
		y.there[in.C] = true
	case bytecode.Gaps:
		w.parts(pc, nil)
		w.gets(in.A, w.size())
		y.used, y.there[in.A] = true, true
	case bytecode.Packed:
		size := int64(in.Scalar().Width()) * int64(in.B)
		if in.C != bytecode.None {
			if n, ok = w.numbered(pc, in, in.C); !ok {
				return false
			}
		} else {
			n = w.number(pc, w.size())
			w.gets(in.D, w.size())
			y.used = y.used || size == 1 // else some may be left
		}
		w.parts(pc, n)
		w.sized(n, size, true)
		y.there[in.D] = true
	case bytecode.List:
		if n, ok = w.numbered(pc, in, in.A); !ok {
			return false
		}
		w.mark(pc, interp.SiteMemory)
		w.parts(pc, n)
		y.sure = 0
		if size, known := w.fixed(in.B); known { // the bytes of all elements are there
			y.sure = size
		}
		w.elements(pc, in)
		y.sure = 0
		w.sizedParts(n, in.B)
		y.there[in.C] = true
	case bytecode.Map:
		if n, ok = w.numbered(pc, in, in.A); !ok {
			return false
		}
		w.mark(pc, interp.SiteMemory)
		w.parts(pc, n)
		if y.span(n).hi > 1 {
			w.mark(pc, interp.SiteRepeats)
		}
		w.elements(pc, in)
		y.last = nil
		y.there[in.C] = true
		y.maps[in.C] = true
	case bytecode.Rest, bytecode.Through, bytecode.Spare:
		w.mark(pc, interp.SiteMemory)
		w.parts(pc, nil)
		w.gets(in.B, w.size())
		if y.sure = 0; in.Op == bytecode.Rest { // it goes on only while bytes are left
			y.sure = 1
		}
		w.elements(pc, in)
		if in.Op == bytecode.Spare {
			y.regs[in.D] = w.number(pc, w.size())
		}
		y.sure = 0
		y.last, y.used = nil, y.used || in.Op == bytecode.Rest
		y.there[in.B] = true
	case bytecode.Call:
		args, ok := w.args(pc, in)
		if !ok {
			return false
		}
		w.call(in.A, args, false)
		n = constant(1)
		w.sizedParts(n, in.A)
		y.used = y.used || w.consumes[in.A]
		y.there[in.B] = true
		if w.maps[in.A] {
			y.maps[in.B] = true
		}
	}
	return true
}

// region goes through the begin or the end of a region.
func (w *walk) region(pc int, in *bytecode.Instr) bool {
	y := &w.way
	switch in.Op {
	case bytecode.Enter:
		w.mark(pc, interp.SiteShort)
		s, ok := w.eval(pc, in.A)
		if !ok || !y.limit(s, span{0, 1 << 62}) {
			return false
		}
		y.regions = append(y.regions, region{y.used, s, w.behind(pc, in)})
		y.used = false
	case bytecode.Leave:
		if !y.used {
			w.mark(pc, interp.SiteLeftOver)
		}
		last := y.regions[len(y.regions)-1]
		y.regions = y.regions[:len(y.regions)-1]
		y.used, y.left, y.behind = last.used, last.size, last.behind
		y.last = nil
	}
	return true
}

// behind returns how many bytes are behind a region that goes up to some bytes before the end. It returns 0 for another
// one.
func (w *walk) behind(pc int, in *bytecode.Instr) int64 {
	let, size := &w.p.Code[pc-1], w.p.Exprs[in.A]
	if let.Op != bytecode.Let || w.p.Exprs[let.B].Op != bytecode.ExprLeft || size.Op != bytecode.ExprSub || size.Args[0].Op != bytecode.ExprReg ||
		size.Args[0].Arg != int64(let.A) {
		return 0
	}
	n, _ := size.Args[1].Constant()
	return n
}

// part goes through the begin or the end of a base, or of a row at a place in one. It
// ignores the number that is the place: a reader and a writer refuse it by the bytes around it.
func (w *walk) part(pc int, in *bytecode.Instr) bool {
	y := &w.way
	switch in.Op {
	case bytecode.Seek:
		if _, ok := w.eval(pc, in.B); !ok {
			return false
		}
		y.regions = append(y.regions, region{used: y.used})
		y.used = false
	case bytecode.Back:
		y.used = y.regions[len(y.regions)-1].used
		y.regions = y.regions[:len(y.regions)-1]
	}
	y.last = nil
	return true
}

// numbered computes the number of parts that are read.
func (w *walk) numbered(pc int, in *bytecode.Instr, expr uint32) (*sum, bool) {
	w.mark(pc, interp.SiteShort)
	n, ok := w.eval(pc, expr)
	if !ok || !w.way.limit(n, span{0, 1 << 62}) {
		return nil, false
	}
	if cell, ok := kept(in); ok && in.Op != bytecode.Text && in.Op != bytecode.Filled {
		w.gets(cell, w.way.span(n))
	}
	return n, true
}

// sized records the number of bytes of n parts of a size.
func (w *walk) sized(n *sum, size int64, known bool) {
	w.way.last = nil
	if known && n != nil {
		if s := plus(constant(0), n, size); exact(w.way.span(s)) {
			w.way.last = s
		}
	}
}

// sizedParts records the number of bytes of n values of a routine.
func (w *walk) sizedParts(n *sum, routine uint32) {
	size, known := w.fixed(routine)
	w.sized(n, size, known)
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
	if old.grown++; old.grown > maxGrown {
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
		from := in.Scalar()
		switch {
		case in.Op != bytecode.Scalars, from.IsFloat() != s.IsFloat():
			all = false
		case s.IsFloat():
			// a NaN is outside of single precision
			all = all && (s == bytecode.F64 || s == bytecode.F16 && from == s)
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

// delimited marks everything that can happen at content that ends before a delimiter.
func (w *walk) delimited(pc int, in *bytecode.Instr) {
	for _, s := range []interp.Site{interp.SiteShort, interp.SiteRange, interp.SiteMemory, interp.SiteEmpty, interp.SiteSeveral} {
		w.mark(pc, s)
	}
	same := in.Op == bytecode.Until && w.back()
	if same { // content that was read before a terminator does not have it
		w.readers(in.C, func(o *bytecode.Instr) { same = same && o.Op == bytecode.Until && o.A == in.A && o.B == in.B })
	}
	if !same {
		w.mark(pc, interp.SiteRefused)
	}
	if in.A != bytecode.None {
		w.text(pc, in)
	}
	w.way.last = nil
}
