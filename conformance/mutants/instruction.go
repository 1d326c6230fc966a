// The mistakes that can be made with one instruction.

package mutants

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

const (
	reading = interp.Reading
	writing = interp.Writing
)

func (g *generator) instruction(pc int) {
	in := &g.p.Code[pc]
	switch in.Op {
	case bytecode.Union:
		g.scalar(pc)
		g.head(pc)
	case bytecode.Switch:
		g.arms(pc)
	case bytecode.Header, bytecode.Patch:
		g.written(pc)
	case bytecode.Word:
		g.scalar(pc)
		g.field(pc)
		g.word(pc)
		if in.D == bytecode.None {
			g.written(pc)
		}
	case bytecode.Let:
		g.let(pc)
	case bytecode.Check:
		about := fmt.Sprintf("it is not checked that %s", g.p.ExprText(in.A))
		if n, ok := g.p.Exprs[in.A].Constant(); ok && n == 0 {
			about = fmt.Sprintf("it is not refused (%s)", g.p.Strings[in.B])
		}
		g.both(pc, checkMissing, "unchecked", about, func(e *edit) { e.remove(pc) }, atSite(interp.SiteRefused))
	case bytecode.Compare:
		about := fmt.Sprintf("the computed number %s is not compared", g.p.Rules[in.Rule].Name)
		g.change(pc, reading, checkMissing, "unchecked", "reading, "+about, func(e *edit) { e.remove(pc) }, atSite(interp.SiteRefused))
	case bytecode.Settle:
		about := fmt.Sprintf("the checksum %s is not compared", g.p.Rules[in.Rule].Name)
		g.change(pc, reading, checkMissing, "unchecked", "reading, "+about, func(e *edit) { e.in(pc).C |= bytecode.SettleAny }, atSite(interp.SiteRefused))
	case bytecode.Gate:
		g.both(pc, gateMissing, "ungated", fmt.Sprintf("%s are let through without leave", g.p.Gates[in.A]), func(e *edit) { e.remove(pc) }, atSite(interp.SiteClosed))
	case bytecode.Absent:
		g.change(pc, writing, checkMissing, "unchecked", "writing, a value in a field that this form does not have is left out without an error", func(e *edit) { e.remove(pc) }, atSite(interp.SitePresent))
	case bytecode.ArmRef:
		g.armRef(pc)
	case bytecode.Scalars:
		g.scalar(pc)
		g.field(pc)
		g.numbers(pc)
	case bytecode.Truth:
		g.scalar(pc)
		g.field(pc)
		g.truth(pc)
	case bytecode.Lanes:
		g.scalar(pc)
		g.field(pc)
		g.lanes(pc)
		g.numbers(pc)
	case bytecode.Packed:
		g.scalar(pc)
		g.lanes(pc)
		g.numbers(pc)
		g.count(pc, in.C)
		g.padding(pc)
	case bytecode.Text:
		g.text(pc)
		g.count(pc, in.B)
		g.padding(pc)
	case bytecode.List:
		g.count(pc, in.A)
	case bytecode.Map:
		g.count(pc, in.A)
		g.keys(pc)
	case bytecode.Pad:
		g.pad(pc)
	case bytecode.If:
		g.branch(pc)
	case bytecode.Stop:
		x := g.p.Exprs[in.A]
		not := bytecode.Apply(bytecode.ExprNot, x)
		g.both(pc, branchWrong, "inverted", fmt.Sprintf("a list ends with a value for which %s does not hold", g.p.ExprText(in.A)), func(e *edit) { e.in(pc).A = e.expr(not) }, inTruth(x, not))
	case bytecode.Enter:
		g.region(pc)
	case bytecode.Subst:
		g.subst(pc)
	}
	if wire(in) {
		g.order(pc)
	}
}

// scalar: the number is of another form.
func (g *generator) scalar(pc int) {
	in := &g.p.Code[pc]
	if in.Coding() != builtin.Fixed {
		g.coding(pc)
		return
	}
	s, wide := in.Scalar(), in.A&^0xff
	set := func(t bytecode.Scalar) func(*edit) {
		return func(e *edit) {
			e.in(pc).A = uint32(t) | wide
			if in.Op == bytecode.Word || in.Op == bytecode.Union {
				e.rowIs(pc, t.Width())
			}
		}
	}
	for t := bytecode.U8; t <= bytecode.F64; t++ {
		switch {
		case t == s || s == bytecode.Code4 || s.Width() == 1 && t.Width() == 1 && in.Op == bytecode.Truth:
		case s.IsFloat() == t.IsFloat() && s.Signed() == t.Signed() && s.Width() != t.Width():
			about := fmt.Sprintf("the number has %d bits, not %d", 8*t.Width(), 8*s.Width())
			g.change(pc, reading, wrongWidth, t.String(), "reading, "+about, set(t))
			switch {
			case in.Op == bytecode.Union: // whose word the headers write
			case in.Op == bytecode.Lanes && !s.IsFloat(), in.Op == bytecode.Packed && !s.IsFloat():
				g.packedAs(pc, t, about)
			default:
				g.change(pc, writing, wrongWidth, t.String(), "writing, "+about, set(t))
			}
		case s.Width() == t.Width() && s.IsFloat() == t.IsFloat() && in.Op != bytecode.Truth:
			// A writer writes the same bytes with either sign.
			var hints []hint
			if in.Op == bytecode.Word || in.Op == bytecode.Union {
				hints = append(hints, inSign(in.B, 8*s.Width()))
			}
			g.change(pc, reading, wrongSign, t.String(), fmt.Sprintf("reading, %s is read as %s", s, t), set(t), hints...)
		case s.Width() == t.Width() && !s.Signed() == !t.Signed() && s.IsFloat() != t.IsFloat() && in.Op != bytecode.Word && in.Op != bytecode.Truth && in.Op != bytecode.Union:
			g.change(pc, reading, wrongNumber, t.String(), fmt.Sprintf("reading, %s is read as %s", s, t), set(t))
		}
	}
	if s.Width() > 1 {
		g.swappedBytes(pc, s)
	}
}

// coding changes the coding of a number or the bytes around its digits. It also lets a reader
// take more or fewer forms of the number.
func (g *generator) coding(pc int) {
	in := &g.p.Code[pc]
	c, longer := in.Coding(), in.Longer()
	others := builtin.Codings()
	switch {
	case c.End() != "":
		others = nil
		for _, end := range []string{c.End(), c.End()[len(c.End())-1:], c.End()[:1] + "\x00"} {
			for _, kind := range builtin.EndedCodings() {
				if other, ok := builtin.Ended(kind, end); ok && !slices.Contains(others, other) {
					others = append(others, other)
				}
			}
		}
	case c.InDigits():
		others = nil
		for _, kind := range builtin.DigitCodings() {
			for _, fill := range []string{c.Fill(), strings.TrimSuffix(c.Fill(), c.Fill()[max(0, len(c.Fill())-1):]), c.Fill() + "\x00"} {
				if other, ok := builtin.InDigits(kind, c.Width(), fill); ok && !slices.Contains(others, other.At(c.Side())) {
					others = append(others, other.At(c.Side()))
				}
			}
		}
		for _, side := range builtin.Sides {
			others = append(others, c.At(side))
		}
	}
	for _, other := range others {
		if other != c && (other.Scalar() == c.Scalar() || c.InDigits()) {
			g.both(pc, wrongNumber, other.String(), fmt.Sprintf("%s is taken for %s", c, other), func(e *edit) { e.in(pc).A = bytecode.Coded(other, longer) })
		}
	}
	form := "a number in more bytes than necessary"
	switch {
	case c.End() != "":
		form = "a number with zeros before it or other letters"
	case c.InDigits():
		form = "a number with other spaces and zero bytes"
	}
	about := "reading, " + form + " is accepted"
	if longer {
		about = "reading, " + form + " is refused"
	}
	g.change(pc, reading, wrongWidth, "longer", about, func(e *edit) { e.in(pc).A = bytecode.Coded(c, !longer) })
}

// packedAs adds a mutant that writes the integers of a tuple or an array in another width. The
// converted bytes can have another number of elements, so the mutant changes the value.
func (g *generator) packedAs(pc int, t bytecode.Scalar, about string) {
	in := g.p.Code[pc]
	s := in.Scalar()
	g.add(&Mutant{Class: wrongWidth, About: "writing, " + about, Dir: writing, at: pc,
		build: func(e *edit) { e.in(pc).A = uint32(t) | in.A&^0xff },
		value: func(_ *interp.Machine, v interp.Value) interp.Value {
			if v.Scalar() != s {
				return v
			}
			n := len(v.Bytes()) / s.Width()
			b := make([]byte, 0, n*t.Width())
			for i := range n {
				bits := uint64(v.LaneInt(i))
				if !s.Signed() {
					bits = v.LaneBits(i)
				}
				for k := range t.Width() {
					b = append(b, byte(bits>>(8*k)))
				}
			}
			return remake(v, t, b)
		}}, pc, t.String())
}

// remake returns a tuple or array of other numbers.
func remake(v interp.Value, s bytecode.Scalar, b []byte) interp.Value {
	if v.Kind() == interp.Packed {
		return interp.MakePacked(v.Tag(), s, v.Width(), b)
	}
	return interp.MakeLanes(v.Tag(), s, b)
}

// swappedBytes: one field has the other order of bytes.
func (g *generator) swappedBytes(pc int, s bytecode.Scalar) {
	in := g.p.Code[pc]
	const about = "the bytes of the number are in the other order"
	switch in.Op {
	case bytecode.Word, bytecode.Union:
		swap := func(r *bytecode.Expr) *bytecode.Expr {
			var x *bytecode.Expr
			for k := range s.Width() {
				one := calc(calc(calc(r, bytecode.ExprShr, int64(8*k)), bytecode.ExprAnd, 255), bytecode.ExprShl, int64(8*(s.Width()-1-k)))
				if k > 0 {
					one = bytecode.Apply(bytecode.ExprAdd, x, one)
				}
				x = one
			}
			return x
		}
		if in.Op == bytecode.Union {
			g.change(pc, reading, byteOrder, "swapped", "reading, "+about, func(e *edit) {
				// the mask of the type stays behind the swap
				word := register(in.B)
				e.in(pc).C = e.expr(rewritten(e.p.Exprs[in.C], func(x *bytecode.Expr) *bytecode.Expr {
					if x.Equal(word) {
						return swap(x)
					}
					return nil
				}))
			})
			return
		}
		g.change(pc, reading, byteOrder, "swapped", "reading, "+about, func(e *edit) {
			e.after(pc, e.let(in.Rule, in.B, swap(register(in.B))))
		}, inReg(in.B))
		if in.D == bytecode.None && s.Width() < 8 && !s.Signed() {
			g.writeAs(pc, byteOrder, "swapped", about, swap)
		}
	case bytecode.Scalars, bytecode.Lanes, bytecode.Packed:
		swap := func(v interp.Value) interp.Value { return swapped(v, s) }
		g.content(pc, reading, byteOrder, "swapped", about, swap)
		g.content(pc, writing, byteOrder, "swapped", about, swap)
	}
}

// swapped returns a value with the bytes of its numbers reversed.
func swapped(v interp.Value, s bytecode.Scalar) interp.Value {
	turn := func(bits uint64) uint64 {
		var out uint64
		for range s.Width() {
			out, bits = out<<8|bits&255, bits>>8
		}
		return out
	}
	switch v.Kind() {
	case interp.Int:
		bits := turn(v.Uint())
		shift := 64 - 8*s.Width()
		return interp.MakeInt(v.Tag(), int64(bits<<shift)>>shift)
	case interp.Uint:
		return interp.MakeUint(v.Tag(), turn(v.Uint()))
	case interp.Float:
		bits, _ := interp.BitsOf(s, v.Float())
		return interp.MakeFloat(v.Tag(), interp.RealOf(s, turn(bits)))
	case interp.Lanes, interp.Packed:
		if v.Scalar() != s {
			return v
		}
		b, w := v.Bytes(), s.Width()
		out := make([]byte, len(b))
		for i := range out {
			out[i] = b[i/w*w+w-1-i%w]
		}
		return remake(v, s, out)
	}
	return v
}

// field: it is left out, or taken twice.
func (g *generator) field(pc int) {
	in := g.p.Code[pc]
	const out, twice = "the field is left out", "as many bytes are taken again after the field"
	if in.Op == bytecode.Word {
		if in.D == bytecode.None {
			g.change(pc, writing, fieldMissing, "out", "writing, "+out, func(e *edit) { *e.in(pc) = bytecode.Instr{Op: bytecode.Let, A: in.B, B: in.C, Rule: in.Rule} })
		}
		g.change(pc, reading, fieldMissing, "out", "reading, "+out, func(e *edit) {
			e.rowIs(pc, 0)
			e.remove(pc)
		})
	} else {
		g.both(pc, fieldMissing, "out", out, func(e *edit) { e.remove(pc) })
	}
	g.both(pc, fieldTwice, "twice", twice, func(e *edit) {
		again := *e.in(pc)
		if again.Op == bytecode.Word {
			again.B, again.D = e.reg(pc), bytecode.None
			again.C = e.expr(bytecode.Num(0))
		}
		e.after(pc, again)
	})
}

// writeAs makes a mutant that writes another number than it goes by afterwards.
func (g *generator) writeAs(pc int, class, change, about string, x func(r *bytecode.Expr) *bytecode.Expr, hints ...hint) {
	g.change(pc, writing, class, change, "writing, "+about, func(e *edit) {
		in := *e.in(pc)
		kept, result := e.reg(pc), in.B
		if in.Op == bytecode.Patch {
			result = in.D
		}
		e.before(pc, bytecode.Instr{Op: bytecode.Let, A: kept, B: in.C, Rule: in.Rule})
		e.in(pc).C = e.expr(x(register(kept)))
		e.after(pc, e.let(in.Rule, result, register(kept)))
	}, append(hints, func(mu *Mutant) { mu.sent = true })...)
}

// plus returns what adds to a number.
func plus(n int64) func(*bytecode.Expr) *bytecode.Expr { return times(n, bytecode.ExprAdd) }

// times returns what applies an operation with another number.
func times(n int64, o bytecode.ExprOp) func(*bytecode.Expr) *bytecode.Expr {
	return func(x *bytecode.Expr) *bytecode.Expr { return calc(x, o, n) }
}

// rounded returns what rounds a number up to a multiple.
func rounded(n int64) func(*bytecode.Expr) *bytecode.Expr {
	return func(x *bytecode.Expr) *bytecode.Expr {
		return calc(calc(calc(x, bytecode.ExprAdd, n-1), bytecode.ExprDiv, n), bytecode.ExprMul, n)
	}
}

// word: what a count or length counts.
func (g *generator) word(pc int) {
	in := &g.p.Code[pc]
	read := func(class, change, about string, x func(r *bytecode.Expr) *bytecode.Expr) {
		g.change(pc, reading, class, change, "reading, "+about, func(e *edit) { e.after(pc, e.let(in.Rule, in.B, x(register(in.B)))) }, inReg(in.B))
	}
	if in.D != bytecode.None { // a size, written later
		read(countOff, "plus1", "the size counts one more", plus(1))
		read(countOff, "minus1", "the size counts one less", plus(-1))
		read(countUnit, "with-head", "the size is taken without the number that holds it", plus(int64(in.Scalar().Width())))
		return
	}
	counts, lengths := uint32(bytecode.None), uint32(bytecode.None)
	counted := false
	g.p.Exprs[in.C].Walk(func(x *bytecode.Expr) {
		switch x.Op {
		case bytecode.ExprCount:
			counts = uint32(x.Arg)
		case bytecode.ExprLen:
			lengths = uint32(x.Arg)
			counted = g.p.Encodings[x.Arg2].NUL == bytecode.NULCounted
		}
	})
	if counts == bytecode.None && lengths == bytecode.None {
		return
	}
	what := "the count"
	if counts == bytecode.None {
		what = "the length"
	}
	read(countOff, "plus1", what+" is taken as one more", plus(1))
	read(countOff, "minus1", what+" is taken as one less", plus(-1))
	g.writeAs(pc, countOff, "plus1", what+" is one more", plus(1))
	g.writeAs(pc, countOff, "minus1", what+" is one less", plus(-1))
	if counted {
		g.writeAs(pc, nulRule, "nul-uncounted", "the zero byte at the end is not counted", plus(-1))
	}
	if lengths != bytecode.None {
		if pad := g.user(pc, lengths) + 1; pad > 0 && g.p.Code[pad].Op == bytecode.Pad {
			g.writeAs(pc, padCounted, "padded", "the length counts the padding", rounded(int64(g.p.Code[pad].A)))
		}
		return
	}
	user := g.user(pc, counts)
	if user < 0 {
		return
	}
	switch u := &g.p.Code[user]; u.Op {
	case bytecode.Packed:
		if size := int64(u.Scalar().Width()) * int64(u.B); size > 1 {
			read(countUnit, "bytes", "the count is taken for bytes", times(size, bytecode.ExprDiv))
			g.writeAs(pc, countUnit, "bytes", "bytes are counted", times(size, bytecode.ExprMul))
			if u.B > 1 {
				read(countUnit, "numbers", "the count is taken for numbers", times(int64(u.B), bytecode.ExprDiv))
				g.writeAs(pc, countUnit, "numbers", "numbers are counted", times(int64(u.B), bytecode.ExprMul))
			}
		} else if pad := user + 1; g.p.Code[pad].Op == bytecode.Pad {
			g.writeAs(pc, padCounted, "padded", "the count counts the padding", rounded(int64(g.p.Code[pad].A)))
		}
	case bytecode.Map:
		read(countUnit, "values", "the count is taken for keys and values", times(2, bytecode.ExprDiv))
		g.writeAs(pc, countUnit, "values", "keys and values are counted", times(2, bytecode.ExprMul))
	}
}

// written: the parts of a word that a writer computes.
func (g *generator) written(pc int) {
	in := &g.p.Code[pc]
	root := g.p.Exprs[in.C]
	// with makes a mutant that writes the expression with one part changed.
	with := func(class, change, about string, part, by *bytecode.Expr) {
		x := replaced(root, part, by)
		g.writeAs(pc, class, change, about, func(*bytecode.Expr) *bytecode.Expr { return x }, inPlace(root, x))
	}
	if in.Op == bytecode.Patch {
		g.writeAs(pc, countOff, "plus1", "the size is one more", plus(1))
		g.writeAs(pc, countOff, "minus1", "the size is one less", plus(-1))
		with(countUnit, "with-head", "the size counts the number that holds it", root,
			calc(root, bytecode.ExprAdd, int64(in.Least())))
		parts(root, func(t *bytecode.Expr) {
			if n, ok := t.Constant(); ok && n != 0 {
				with(countUnit, "without-head", fmt.Sprintf("the size does not count %d bytes that it should", n), t, bytecode.Num(0))
			}
		})
		return
	}
	for _, t := range terms(root) {
		if n, ok := t.Constant(); ok {
			if in.Op == bytecode.Header {
				with(typeNumber, "id-plus1", fmt.Sprintf("the type id is %d, not %d", n+1, n), t, bytecode.Num(n+1))
				with(typeNumber, "id-minus1", fmt.Sprintf("the type id is %d, not %d", n-1, n), t, bytecode.Num(n-1))
				continue
			}
			with(wrongMask, "plus1", fmt.Sprintf("the number is %d, not %d", n+1, n), t, bytecode.Num(n+1))
			with(wrongMask, "zero", fmt.Sprintf("the number is 0, not %d", n), t, bytecode.Num(0))
			continue
		}
		fit, shift, ok := bitsOf(t)
		if !ok {
			continue
		}
		value, width := fit.Args[0], fit.Arg
		what := fmt.Sprintf("bit %d", shift)
		if width > 1 {
			what = fmt.Sprintf("bits %d to %d", shift, shift+width-1)
		}
		name := strings.ReplaceAll(strings.TrimPrefix(what, "bit"), " to ", "-")
		name = "bit" + strings.TrimLeft(name, "s ")
		n, constant := value.Constant()
		if !constant || n != 0 {
			with(flagIgnored, name+"-unset", what+" left 0", value, bytecode.Num(0))
			with(wrongFlag, name+"-left", what+" written one place too high", t, calc(fit, bytecode.ExprShl, shift+1))
			if shift > 0 {
				with(wrongFlag, name+"-right", what+" written one place too low", t, calc(fit, bytecode.ExprShl, shift-1))
			}
		}
		if width == 1 && !(constant && n == 1) {
			with(flagIgnored, name+"-set", what+" always set", value, bytecode.Num(1))
		}
	}
	g.form(pc, root)
}

// form: a number is always written wide, or always narrow, or the boundary between
// the two is wrong. What follows the word goes by it.
func (g *generator) form(pc int, root *bytecode.Expr) {
	with := func(change, about string, part, by *bytecode.Expr) {
		x := replaced(root, part, by)
		g.change(pc, writing, formAlways, change, "writing, "+about, func(e *edit) { e.in(pc).C = e.expr(x) }, inPlace(root, x))
	}
	seen := map[bytecode.Scalar]bool{}
	for _, t := range terms(root) {
		fit, _, ok := bitsOf(t)
		if !ok {
			continue
		}
		value := fit.Args[0]
		asked := false
		parts(value, func(part *bytecode.Expr) {
			asked = asked || part.Op == bytecode.ExprOutside || part.Op == bytecode.ExprExact || part.Op == bytecode.ExprWide
		})
		if asked {
			with("wide", "the wide form is always taken", value, bytecode.Num(1))
		}
		parts(value, func(part *bytecode.Expr) {
			if part.Op != bytecode.ExprOutside {
				return
			}
			s := bytecode.Scalar(part.Arg2)
			if narrow := g.narrow(pc, uint32(part.Arg), s); narrow >= 0 && !seen[s] {
				seen[s] = true
				g.alwaysNarrow(pc, narrow, root, value, s)
			}
			if s.IsFloat() {
				return
			}
			other := bytecode.U32
			if !s.Signed() {
				other = bytecode.I32
			}
			for _, other := range []bytecode.Scalar{other, bytecode.I16} {
				if other == s {
					continue
				}
				limit := &bytecode.Expr{Op: part.Op, Arg: part.Arg, Arg2: uint32(other)}
				with("outside-"+other.String(), fmt.Sprintf("the wide form is taken outside %s, not outside %s", other, s), part, limit)
			}
		})
	}
}

// narrow returns the instruction that keeps a cell's number in a scalar, or -1.
// It looks in the record of the word at pc.
func (g *generator) narrow(pc int, cell uint32, s bytecode.Scalar) int {
	for k := pc; k < g.p.End(g.fields); k++ {
		if in := &g.p.Code[k]; in.Op == bytecode.Scalars && in.B == cell && in.Scalar() == s {
			return k
		}
	}
	return -1
}

// alwaysNarrow: the narrow form is written, even if bits are lost.
func (g *generator) alwaysNarrow(pc, narrow int, root, value *bytecode.Expr, s bytecode.Scalar) {
	x := replaced(root, value, bytecode.Num(0))
	mu := &Mutant{Class: formAlways, About: fmt.Sprintf("writing, the narrow form is always taken, and numbers outside %s are cut", s), Dir: writing, at: narrow,
		build: func(e *edit) { e.in(pc).C = e.expr(x) },
		value: func(_ *interp.Machine, v interp.Value) interp.Value {
			bits := 64 - 8*s.Width()
			switch {
			case v.Kind() == interp.Int && s.Signed():
				return interp.MakeInt(v.Tag(), v.Int()<<bits>>bits)
			case v.Kind() == interp.Uint:
				return interp.MakeUint(v.Tag(), v.Uint()<<bits>>bits)
			}
			return v
		}}
	inPlace(root, x)(mu)
	g.add(mu, pc, "narrow")
}
