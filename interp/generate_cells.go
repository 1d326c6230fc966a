// Cells while generating: what an expression asks of them is drawn, and the
// instruction that writes them has the rest drawn.

package interp

import "github.com/octable/octable/compile/bytecode"

// decide draws whether a cell has a value, if both lead to the end.
func (g *generating) decide(f *frame, c uint32) bool {
	if f.state[c]&(isAbsent|isPresent) != 0 {
		return true
	}
	yes, no := g.g.paths.presence(f.pc, f.state, c)
	present := yes
	switch {
	case yes && no:
		switch {
		case g.choosing:
			present = f.want[c].kind != None
			if present {
				g.put(0xff)
			} else {
				g.put(0)
			}
		default:
			present = (g.byte() >= 0x80) != (g.bumped(f, c) == 1)
		}
	case g.choosing && present != (f.want[c].kind != None):
		return g.fail("%s: a field is there or is not, unlike the others ask for", g.rule(f))
	}
	if present {
		f.state[c] |= isPresent
	} else {
		f.state[c] |= isAbsent
	}
	return true
}

// ask draws the part of a cell that a node of an expression needs.
func (g *generating) ask(f *frame, e *bytecode.Expr) bool {
	c := uint32(e.Arg)
	if e.Op == bytecode.ExprWide && !g.g.opt.KeepWidths {
		return true
	}
	if e.Op == bytecode.ExprMember {
		return true // it follows the row
	}
	if !g.decide(f, c) {
		return false
	}
	st, v := &f.state[c], &f.cells[c]
	if *st&isAbsent != 0 || *st&isFull != 0 {
		return true
	}
	if v.kind == None {
		v.kind = Unit // it has a value, not yet known
	}
	writers := g.g.paths.writers(f.routine, f.pc, c)
	if len(writers) == 0 {
		return g.fail("%s: nothing writes the field", g.rule(f)) // unreachable: a cell that may have a value has a row ahead
	}
	in := &g.p.Code[writers[0]]
	switch e.Op {
	case bytecode.ExprPresent, bytecode.ExprMore:
		return true
	case bytecode.ExprWide:
		if *st&hasMark == 0 {
			*st |= hasMark
			if wide := g.flag(g.choosing && f.want[c].Wide()); wide {
				v.form |= formWide
			}
		}
		return true
	case bytecode.ExprArm:
		if *st&hasArm != 0 {
			return true
		}
		fits := func(arm int) bool {
			a := &g.m.tables[e.Arg2].Arms[arm]
			return in.Op == bytecode.ArmRef && !a.Else || in.Op != bytecode.ArmRef && g.armFits(e.Arg2, arm) && g.keeps(f, c, a)
		}
		arm, ok := g.drawArm(e.Arg2, g.wanted(f, c), g.bumped(f, c), fits)
		if number, given := g.given(f, c); given {
			if same, known := g.m.tables[e.Arg2].ByID(number); known && fits(same) {
				arm, ok = same, true
			}
		}
		if !ok {
			return false
		}
		*st |= hasArm
		v.tag = g.m.armTag(e.Arg2, arm)
		return true
	case bytecode.ExprCount:
		_, passed := g.p.Passed(writers[0])
		if in.Op != bytecode.Packed && passed == 0 {
			break
		}
		if *st&hasCount == 0 {
			*st |= hasCount
			n, ok := g.countOf(f, c, writers[0])
			if !ok {
				return false
			}
			v.kind, v.n = partsKind(in), uint32(n)
		}
		return true
	}
	return g.early(f, c, in, writers)
}

// countOf draws the number of parts of an array that an instruction writes. It also does so for a list whose elements
// take arguments, which are not known yet.
func (g *generating) countOf(f *frame, c uint32, pc int) (int, bool) {
	in := &g.p.Code[pc]
	if in.Op == bytecode.Packed {
		if in.C != bytecode.None {
			if n, constant := g.p.Exprs[in.C].Constant(); constant {
				return clampInt(n), true
			}
		}
		size := in.Scalar().Width() * int(in.B)
		if ahead := g.ahead(pc); ahead.exact {
			return (ahead.end - g.at) / size, true
		}
		return g.count(f, c, Packed, size)
	}
	most := max(0, g.g.bytes-g.spent) / 4
	for _, r := range in.Calls() {
		if !g.fitsDepth(g.g.paths.height[r]) {
			most = 0
		}
	}
	few := min(most, 64)
	if g.depth > softDepth {
		few = min(few, 1)
	}
	return g.countTo(f, c, partsKind(in), few, most)
}

// partsKind returns the kind of the values of an array, a list or a map.
func partsKind(in *bytecode.Instr) Kind {
	switch in.Op {
	case bytecode.Packed:
		return Packed
	case bytecode.Map:
		return Map
	}
	return List
}

// keeps reports whether a writer keeps an arm, and does not put another in its
// place. It decides that as far as it depends on gates alone.
func (g *generating) keeps(f *frame, c uint32, a *bytecode.TableArm) bool {
	if f.subst == nil || f.subst[c] == nil {
		return true
	}
	for _, w := range g.p.Types[a.Type].Writes {
		if w.When != bytecode.None {
			if g.p.Exprs[w.When].Any(func(e *bytecode.Expr) bool { return e.Op.NeedsCells() || e.Op == bytecode.ExprReg }) {
				continue
			}
			s := scope{m: g.m, open: g.g.opt.Open}
			if x, _ := s.eval(w.When); x == 0 {
				continue
			}
		}
		return !w.Absent && w.Type == a.Type
	}
	return true
}

func (g *generating) wanted(f *frame, c uint32) Value {
	if g.choosing {
		return f.want[c]
	}
	return Value{}
}

// bumped returns which candidate is to be taken instead of what is drawn, less
// one; 0 is what is drawn.
func (g *generating) bumped(f *frame, c uint32) int {
	f.drawn.put(c)
	if f.again.bump == nil {
		return 0
	}
	return max(f.again.bump[c], 0)
}

// given returns the number that replaces the drawn number of a cell, if there is one.
func (g *generating) given(f *frame, c uint32) (number uint64, ok bool) {
	if f.again.bump == nil || f.again.bump[c] != bumpEqual {
		number, ok = f.again.places[uint64(c)]
		return number, ok
	}
	return f.again.equal[c], true
}

// early draws all of a cell before the instruction that writes it.
func (g *generating) early(f *frame, c uint32, in *bytecode.Instr, writers []int) bool {
	if _, passed := g.p.Passed(writers[0]); passed > 0 {
		return g.fail("%s asks for the content of elements that take arguments", g.rule(f)) // unreachable: the compiler asks for their number alone
	}
	op := in.Op
	if op == bytecode.Packed && in.Scalar().IsFloat() {
		op = bytecode.Lanes // nothing takes the sum of floats, either
	}
	v := &f.cells[c]
	form := v.form & formWide
	at, last, seen := g.at, g.last, g.begun()
	g.areas = append(g.areas, g.ahead(writers[0]))
	defer func() { g.areas = g.areas[:len(g.areas)-1] }()
	ok := true
	switch op {
	case bytecode.Scalars:
		widest := in.Scalar()
		for _, pc := range writers[1:] {
			if w := &g.p.Code[pc]; w.Op == bytecode.Scalars {
				if s := w.Scalar(); s.Width() > widest.Width() {
					widest = s
				}
			}
		}
		*v, ok = g.number(f, c, widest, 0, in.Coding())
	case bytecode.Truth:
		*v, ok = g.truth(f, c)
	case bytecode.Take:
		bits := g.g.paths.bits(writers)
		kind, _ := in.Taken()
		if kind == Bool {
			*v, ok = g.truth(f, c)
			break
		}
		scalar := bytecode.U64
		if kind == Int {
			scalar, bits = signed(bits), 0
		}
		*v, ok = g.number(f, c, scalar, bits, g.g.paths.coding(writers))
	case bytecode.Packed:
		n := int(v.n)
		if f.state[c]&hasCount == 0 {
			n, ok = g.countOf(f, c, writers[0])
		}
		if ok {
			*v, ok = g.packed(f, c, in, n)
		}
	case bytecode.Text:
		*v, ok = g.text(f, c, &g.p.Encodings[in.A], none)
	case bytecode.Until, bytecode.Filled:
		*v, ok = g.delimited(f, c, in, none, none)
	case bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare:
		*v, ok = g.elements(f, c, in, none, nil)
	default:
		return g.fail("%s asks for the content of a row that is no number, text or list", g.rule(f))
	}
	f.ahead[c] = span{seen, g.begun()}
	f.size[c] = g.at - at
	g.at, g.last = at, last
	v.form |= form
	f.state[c] |= isFull | hasArm
	return ok
}

// truth draws a truth value.
func (g *generating) truth(f *frame, c uint32) (Value, bool) {
	want := g.wanted(f, c)
	if g.choosing && want.kind != Bool {
		return want, g.fail("%s is a %s", g.rule(f), want.kind)
	}
	b := g.flag(want.Bool()) != (g.bumped(f, c) > 0)
	if number, given := g.given(f, c); given && g.bumped(f, c) == 0 {
		b = number != 0
	}
	return MakeBool(0, b), true
}

// write draws what is not yet known of a cell, and steps over its bytes.
func (g *generating) write(f *frame, in *bytecode.Instr) bool {
	c := in.Cell()
	if f.state[c]&isAbsent != 0 || g.choosing && f.want[c].kind == None {
		return g.fail("%s has no value where it has one", g.rule(f))
	}
	f.state[c] |= isPresent
	st, v := f.state[c], &f.cells[c]
	f.part = v
	full := st&isFull != 0
	ok := true
	switch in.Op {
	case bytecode.Scalars:
		return g.writeNumber(f, c, in)

	case bytecode.Truth:
		if !full {
			*v, ok = g.truth(f, c)
		}
		g.at += in.Scalar().Width()

	case bytecode.Take:
		*v = taken(in, f.regs[in.B])
		if g.choosing && f.want[c].u != v.u {
			return g.fail("%s is %d", g.rule(f), v.u) // unreachable: the word has been computed from the cell
		}

	case bytecode.ArmRef:
		t := g.m.tables[in.C]
		arm, known := t.ByID(f.regs[in.B])
		if !known || t.Arms[arm].Else {
			return g.fail("%s is of no arm", g.rule(f))
		}
		*v = MakeUnit(g.m.tags[t.Arms[arm].Type])
		if want := f.want; g.choosing && (want[c].kind != Unit || want[c].tag != v.tag) {
			return g.fail("%s is another arm", g.rule(f))
		}

	case bytecode.Lanes:
		if !full {
			*v, ok = g.lanes(f, c, in)
		}
		g.at += v.size()

	case bytecode.Until, bytecode.Filled:
		return g.writeDelimited(f, c, in)

	case bytecode.Gaps:
		*v, ok = g.gaps(f, c)

	case bytecode.Packed:
		var n int
		if n, ok = g.counted(f, c, in.C); !ok {
			return false
		}
		if !full {
			*v, ok = g.packed(f, c, in, n)
		} else if n >= 0 && n != int(v.n) {
			return g.fail("%s has another count", g.rule(f))
		}
		g.last = v.size()
		g.at += g.last

	case bytecode.Text:
		return g.writeText(f, c, in)

	case bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare:
		return g.writeList(f, c, in)

	case bytecode.Call:
		if full { // unreachable: only a program by hand takes the number of a record that is not written yet
			g.reach(f, c)
			g.last = f.size[c]
			g.at += g.last
			return true
		}
		var forced *uint16
		if st&hasArm != 0 {
			tag := v.tag
			forced = &tag
		}
		at := g.at
		if *v, ok = g.call(f, c, in, forced); !ok {
			return false
		}
		g.last = g.at - at
	}
	return ok
}

// writeNumber draws the number of a cell if it is not known, and steps over its bytes.
func (g *generating) writeNumber(f *frame, c uint32, in *bytecode.Instr) bool {
	s, v, ok := in.Scalar(), &f.cells[c], true
	if f.state[c]&isFull == 0 {
		if *v, ok = g.number(f, c, s, 0, in.Coding()); !ok {
			return false
		}
	}
	bits, fit := v.u, v.kind == Float || !outside(*v, s) && in.Coding().Holds(v.u)
	if s.IsFloat() {
		bits, fit = BitsOf(s, v.Float())
	}
	if !fit {
		return g.fail("%s does not fit %s", g.rule(f), s)
	}
	*v = scalarValue(s, bits)
	v.form |= wideForm(in)
	g.at += numberSize(in, bits)
	return true
}

// counted returns the number of elements of a cell. An expression or the choice that was made for the cell
// determines it. It returns -1 if neither determines it.
func (g *generating) counted(f *frame, c, expr uint32) (n int, ok bool) {
	chosen := f.state[c]&hasCount != 0
	n = none
	if expr != bytecode.None {
		x, ok := g.eval(f, expr)
		if !ok || x < 0 {
			return 0, ok && g.fail("%s has a negative count", g.rule(f))
		}
		n = clampInt(x)
	}
	if !chosen {
		return n, true
	}
	if n >= 0 && n != int(f.cells[c].n) {
		return 0, g.fail("%s has another count", g.rule(f))
	}
	return int(f.cells[c].n), true
}

// writeText writes a text after its length.
func (g *generating) writeText(f *frame, c uint32, in *bytecode.Instr) bool {
	v, full := &f.cells[c], f.state[c]&isFull != 0
	x, ok := g.eval(f, in.B)
	if !ok {
		return false
	}
	enc := &g.p.Encodings[in.A]
	extra := 0
	if enc.NUL == bytecode.NULCounted {
		extra = 1
	}
	n := clampInt(x) - extra
	if !full {
		if *v, ok = g.text(f, c, enc, n); !ok {
			return false
		}
	}
	if n != encoded(enc, v.Bytes()) {
		return g.fail("%s has another length", g.rule(f))
	}
	g.last = n + extra
	g.at += g.last
	return true
}

// writeList writes a list or a map.
func (g *generating) writeList(f *frame, c uint32, in *bytecode.Instr) bool {
	v, full, expr := &f.cells[c], f.state[c]&isFull != 0, uint32(bytecode.None)
	if in.Op != bytecode.Rest && in.Op != bytecode.Through && in.Op != bytecode.Spare {
		expr = in.A
	}
	n, ok := g.counted(f, c, expr)
	if !ok {
		return false
	}
	if !full {
		at := g.at
		if *v, ok = g.elements(f, c, in, n, passed(g.p, f.pc, f.regs)); !ok {
			return false
		}
		f.size[c], g.at = g.at-at, at
	} else {
		g.reach(f, c)
	}
	if n >= 0 && n != int(v.n) {
		return g.fail("%s has another count", g.rule(f))
	}
	if in.Op == bytecode.Spare {
		f.regs[in.D] = uint64(f.ends[c])
	}
	g.last = f.size[c]
	g.at += g.last
	return true
}

// writeDelimited draws content that ends before a delimiter, unless it is known, and steps
// over its bytes.
func (g *generating) writeDelimited(f *frame, c uint32, in *bytecode.Instr) bool {
	most := none
	if in.Op == bytecode.Filled {
		x, ok := g.eval(f, in.B)
		_, constant := g.p.Exprs[in.B].Constant()
		if !ok || x < 0 || x > int64(g.g.bytes) && !constant {
			return ok && g.fail("%s has %d bytes", g.rule(f), x)
		}
		most = int(x)
	}
	v := &f.cells[c]
	if f.state[c]&isFull == 0 {
		n := none
		if in.Op == bytecode.Until {
			n = max(g.remainder(f, f.pc)-len(g.p.Strings[in.B]), none) // none if the region is too small, which is refused
		}
		var ok bool
		if *v, ok = g.delimited(f, c, in, n, most); !ok {
			return false
		}
	}
	switch n := len(contentOf(g.p, in, v).b); {
	case in.Op == bytecode.Until:
		g.last = n + len(g.p.Strings[in.B])
	case n > most:
		return g.fail("%s has %d bytes, more than %d", g.rule(f), n, most)
	default:
		g.last = most
	}
	g.at += g.last
	return true
}

// call makes a value of another routine, and puts in its place what a writer
// would write instead of it.
func (g *generating) call(f *frame, c uint32, in *bytecode.Instr, forced *uint16) (Value, bool) {
	var args []uint64
	for _, e := range g.p.Args[in.C] {
		x, ok := g.eval(f, e)
		if !ok {
			return Value{}, false
		}
		args = append(args, uint64(x))
	}
	if !g.steer(f, in, args) {
		return Value{}, false
	}
	at := g.at
	dry, bump := g.dry, g.bumped(f, c)
	if places := f.again.inside; places != nil && places[c] != nil && bump%2 == 1 {
		g.places = places[c]
	} else if _, union := g.p.UnionTable(in.A); !union || forced != nil {
		g.dry = dry || bump > 0
	}
	g.closing = g.closes(f, f.pc)
	v, ok := g.routine(in.A, args, forced, bump, g.wanted(f, c))
	g.dry = dry
	if !ok || f.subst == nil || f.subst[c] == nil {
		return v, ok
	}
	w := writing{w: g.g.w, m: g.m, p: g.p, limit: g.g.limit, depth: g.depth}
	instead := v
	if w.subst(f.subst[c], &instead); instead.kind == v.kind && instead.tag == v.tag && instead.Text() == v.Text() {
		return v, true
	}
	if instead.tag != v.tag || instead.kind == None || g.choosing {
		return v, g.fail("%s is written as something else", g.rule(f))
	}
	if !w.routine(in.A, instead, args) {
		return v, g.fail("%v", w.err)
	}
	g.at = at + len(w.out)
	return instead, true
}

func wideForm(in *bytecode.Instr) uint8 {
	if in.A&bytecode.FlagWide != 0 {
		return formWide
	}
	return 0
}

// signed returns the signed scalar of a number of bits, or I64.
func signed(bits int) bytecode.Scalar {
	for _, s := range []bytecode.Scalar{bytecode.I8, bytecode.I16, bytecode.I32} {
		if 8*s.Width() == bits {
			return s
		}
	}
	return bytecode.I64
}
