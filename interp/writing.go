// Writing one value: what each instruction puts in the place of what it reads.

package interp

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/octable/octable/compile/bytecode"
)

// writing is one call in progress.
type writing struct {
	w         *Writer
	m         *Machine
	p         *bytecode.Program
	out       []byte
	base      int // bytes that were there before
	last      int // bytes of the last text, array, list or region
	depth     int
	limit     int
	nest      int
	regs      []uint64
	cells     []Value
	path      []step
	bases     []base    // that are open
	aways     []away    // parts that are written
	held      []int64   // what records write for the places that the writer chooses, in the order of their rows
	places    int       // that were chosen so far
	chosen    *chosen   // for the next part
	measuring bool      // the places are not known yet
	closed    base      // the base that was closed last
	stop      bool      // the last record stops a list
	fast      bool      // values of fused unions go to the fast loop
	obs       *listener // nil if nobody observes the run
	scope     scope     // of the expression that is computed
	err       *Error
}

func (g *writing) fail(kind error, rule uint32, expected, found string) bool {
	if g.err == nil {
		g.failed(kind, rule, bytecode.None, expected, found)
	}
	return false
}

// misfit refuses an expression whose number does not fit the bits it is written in. The error is about the word and names the row
// of the bits.
func (g *writing) misfit(expr, rule uint32) bool {
	var part *bytecode.Expr // the first number that does not fit
	least := int64(0)
	g.p.Exprs[expr].Walk(func(e *bytecode.Expr) {
		switch {
		case part == nil && e.Op == bytecode.ExprFit && uint64(g.scope.value(e.Args[0]))>>uint(e.Arg) != 0:
			part = e
		case e.Op == bytecode.ExprXor && e.Args[0] == part: // of signed bits, from which their least number was subtracted
			least = -e.Args[1].Arg
		}
	})
	expected, found := "a number that fits its bits", ""
	if part != nil {
		found = strconv.FormatInt(g.scope.value(part.Args[0])+least, 10)
		expected = fmt.Sprintf("a number from %d to %d", least, uint64(least)+1<<uint(part.Arg)-1)
		if row := g.rowOfBits(expr, rule, part); row != rule {
			expected += " for " + g.row(row)
		}
	}
	if g.err == nil {
		g.failed(ErrRange, rule, expr, expected, found)
	}
	return false
}

// rowOfBits returns the row of the bits that a part of an expression fills. It is that of the instruction that takes
// them from the word again. Without such an instruction it returns the row of the word.
func (g *writing) rowOfBits(expr, rule uint32, part *bytecode.Expr) uint32 {
	shift := uint(0)
	g.p.Exprs[expr].Walk(func(e *bytecode.Expr) {
		if e.Op != bytecode.ExprShl {
			return
		}
		if x := e.Args[0]; x == part || x.Op == bytecode.ExprXor && x.Args[0] == part {
			shift = uint(e.Args[1].Arg)
		}
	})
	pc := slices.IndexFunc(g.p.Code, func(in bytecode.Instr) bool {
		return (in.Op == bytecode.Header || in.Op == bytecode.Word) && in.C == expr && in.Rule == rule
	})
	if pc < 0 {
		return rule // the expression is not that of a word
	}
	word := g.p.Code[pc].B
	for _, in := range g.p.Code[pc+1:] {
		if in.Op == bytecode.Done || in.Op == bytecode.Word && in.B == word {
			break
		}
		if in.Op != bytecode.Let {
			continue
		}
		x := g.p.Exprs[in.B]
		if x.Op == bytecode.ExprSub && x.Args[0].Op == bytecode.ExprXor { // the sign of the bits
			x = x.Args[0].Args[0]
		}
		if bits, ok := x.Bits(word); ok && bits.Shift == shift && bits.Mask == 1<<uint(part.Arg)-1 {
			return in.Rule
		}
	}
	return rule
}

func (g *writing) failed(kind error, rule, expr uint32, expected, found string) {
	g.err = &Error{Kind: kind, Offset: len(g.out) - g.base, Path: pathText(g.path), Rule: g.p.Rules[rule], Expected: expected, Found: found}
	if g.obs != nil {
		g.obs.failed(g.err, expr, len(g.out)-g.base)
	}
}

// row returns the name of a row of the schema.
func (g *writing) row(rule uint32) string { return g.p.Rules[rule].Name }

// deep refuses a value that is nested too deeply, before its routine begins.
func (g *writing) deep(index uint32, expected string) bool {
	if g.obs != nil {
		g.obs.enter(index, len(g.out)-g.base, g.depth, g.limit, len(g.regs), len(g.cells))
	}
	return g.fail(ErrDepth, g.p.Code[g.p.Routines[index].Start].Rule, expected, "")
}

// mismatch refuses a value of another kind than there should be.
func (g *writing) mismatch(rule uint32, v Value, want string) bool {
	return g.fail(ErrMismatch, rule, want, describe(v))
}

// big reports whether the numbers of an instruction have their highest byte first.
func (g *writing) big(in *bytecode.Instr) bool { return g.p.Big != in.Swapped() }

// put appends a number, with its highest byte first if big is true.
func (g *writing) put(s bytecode.Scalar, bits uint64, big bool) {
	g.out = appendScalar(g.out, s, bits, big)
}

func (g *writing) routine(index uint32, v Value, args []uint64) bool {
	r := &g.p.Routines[index]
	if r.Nests && g.depth > g.limit {
		return g.deep(index, fmt.Sprintf("at most %d levels of values in values", g.limit))
	}
	if g.nest >= maxNest(g.limit) {
		return g.deep(index, fmt.Sprintf("at most %d levels of records in records", maxNest(g.limit)))
	}
	regs0, cells0 := len(g.regs), len(g.cells)
	g.regs = extend(append(g.regs, args...), regs0+int(r.Regs))
	g.cells = extend(g.cells, cells0+int(r.Cells))
	g.nest++
	if r.Nests {
		g.depth++
	}
	var ok bool
	if g.obs == nil {
		ok = g.code(index, int(r.Start), v, regs0, cells0)
	} else {
		ok = g.observed(index, v, regs0, cells0)
	}
	g.regs, g.cells = g.regs[:regs0], g.cells[:cells0]
	g.nest--
	if r.Nests {
		g.depth--
	}
	return ok
}

// eval computes an expression with the registers and cells of a routine.
func (g *writing) eval(e, rule uint32, regs0, cells0, numCells int) (int64, bool) {
	s := &g.scope
	s.m, s.regs, s.cells = g.m, g.regs[regs0:], g.cells[cells0:cells0+numCells]
	s.open, s.exact = g.w.opt.Open, g.w.opt.KeepWidths
	x, ok := s.compute(e)
	if g.obs != nil {
		g.obs.computed(e, *s, x)
	}
	if !ok {
		return 0, g.misfit(e, rule)
	}
	return x, true
}

// code executes instructions from pc to the end of a routine.
func (g *writing) code(index uint32, pc int, v Value, regs0, cells0 int) bool {
	p := g.p
	numCells := int(p.Routines[index].Cells)
	eval := func(e uint32, rule uint32) (int64, bool) {
		switch x := p.Exprs[e]; x.Op {
		case bytecode.ExprNum:
			return x.Arg, true
		case bytecode.ExprReg:
			return int64(g.regs[regs0+int(x.Arg)]), true
		}
		return g.eval(e, rule, regs0, cells0, numCells)
	}
	var typ *bytecode.Type // of the record being written
	// operand returns the value of a cell that is written. It is valid until a value
	// inside it is written.
	operand := func(cell uint32) *Value {
		c := &g.cells[cells0+int(cell)]
		if g.obs != nil {
			return g.cellOperand(c)
		}
		return c
	}
	for ; ; pc++ {
		in := &p.Code[pc]
		if g.obs != nil {
			g.before(pc)
		}
		switch in.Op {
		case bytecode.Take, bytecode.Enter, bytecode.Leave, bytecode.Compare, bytecode.Pass, bytecode.Holes:
			// these read, or what follows looks at them

		case bytecode.Arm, bytecode.End:
			// these divide and end blocks

		case bytecode.Union, bytecode.Switch:
			if g.obs != nil {
				v = g.operand(v)
			}
			arm, ok := g.m.arm(index, v.tag)
			if !ok {
				return g.fail(ErrMismatch, in.Rule, "a type of schema "+p.Schema, foreign(v))
			}
			if in.Op == bytecode.Switch {
				id, ok := eval(in.C, in.Rule)
				if !ok {
					return false
				}
				if want, known := p.Tables[in.D].ByID(uint64(id)); !known || want != arm {
					return g.fail(ErrMismatch, in.Rule, fmt.Sprintf("the arm for number %d", id), p.Types[p.Tables[in.D].Arms[arm].Type].Name)
				}
			}
			pc = p.ArmAt(in.D, arm)

		case bytecode.Fields:
			typ = &p.Types[in.B]
			if g.obs != nil {
				v = g.operand(v)
			}
			if !g.fields(typ, v, g.cells[cells0:cells0+numCells], in.Rule) {
				return false
			}

		case bytecode.Subst:
			g.subst(in, &g.cells[cells0+int(in.A)])

		case bytecode.Header, bytecode.Word:
			if in.Op == bytecode.Word && in.D != bytecode.None {
				g.regs[regs0+int(in.D)] = uint64(len(g.out))
				if !in.Varies() {
					g.putNumber(in, 0)
				}
				break
			}
			x, ok := eval(in.C, in.Rule)
			if !ok {
				return false
			}
			if !g.fitting(in, x) {
				return false
			}
			g.regs[regs0+int(in.B)] = uint64(x)
			if in.Ordered() {
				g.put(in.Scalar(), uint64(x), g.regs[regs0+int(in.B)-1] != 0)
				break
			}
			g.putNumber(in, uint64(x))

		case bytecode.Expect:
			if !g.expect(in, operand(in.B)) {
				return false
			}

		case bytecode.Let:
			x, ok := eval(in.B, in.Rule)
			if !ok {
				return false
			}
			g.regs[regs0+int(in.A)] = uint64(x)

		case bytecode.Check:
			x, ok := eval(in.A, in.Rule)
			if !ok {
				return false
			}
			if x == 0 {
				return g.fail(ErrValue, in.Rule, "", g.m.refused(in, g.regs[regs0:]))
			}

		case bytecode.Scalars:
			c := operand(in.B)
			if in.Coded() {
				if !g.integer(in.Scalar(), *c, in.Rule) || !g.fitting(in, int64(c.u)) {
					return false
				}
				g.putNumber(in, c.u)
				break
			}
			if !g.scalar(in.Scalar(), *c, g.big(in), in.Rule) {
				return false
			}

		case bytecode.Truth:
			c := operand(in.B)
			if c.kind != Bool {
				return g.mismatch(in.Rule, *c, "a bool")
			}
			g.put(in.Scalar(), c.u&1, g.big(in))

		case bytecode.ArmRef:
			c := operand(in.A)
			if c.kind != Unit {
				return g.mismatch(in.Rule, *c, "a type")
			}
			if arm, ok := g.m.arm(in.C, c.tag); !ok || g.m.tables[in.C].Arms[arm].Else {
				return g.fail(ErrMismatch, in.Rule, "a type of schema "+p.Schema, fmt.Sprintf("type %d", c.tag))
			}

		case bytecode.Lanes:
			c := operand(in.C)
			if c.kind != Lanes || c.n != in.B {
				return g.mismatch(in.Rule, *c, fmt.Sprintf("%d × %s", in.B, in.Scalar()))
			}
			if !g.numbers(in.Scalar(), *c, g.big(in), in.Rule) {
				return false
			}

		case bytecode.Packed:
			c := operand(in.D)
			if c.kind != Packed || c.Width() != int(in.B) {
				return g.mismatch(in.Rule, *c, ArrayOf(int(in.B), in.Scalar()))
			}
			if in.C != bytecode.None && !g.counted(in.Rule, in.C, int64(c.n), eval) {
				return false
			}
			at := len(g.out)
			if !g.numbers(in.Scalar(), *c, g.big(in), in.Rule) {
				return false
			}
			g.last = len(g.out) - at

		case bytecode.Text:
			c := operand(in.C)
			if c.kind != Text {
				return g.mismatch(in.Rule, *c, "text")
			}
			enc := &p.Encodings[in.A]
			b, bad, why := encodeText(enc, c.Bytes())
			if why != "" {
				return g.fail(ErrText, in.Rule, "text that a reader gets back", fmt.Sprintf("%s, at byte %d of it", why, bad))
			}
			n := int64(len(b)) + truth(enc.NUL == bytecode.NULCounted)
			if !g.counted(in.Rule, in.B, n, eval) {
				return false
			}
			g.out = append(g.out, b...)
			if enc.NUL == bytecode.NULCounted {
				g.out = append(g.out, 0)
			}
			g.last = int(n)

		case bytecode.Until:
			if !g.until(in, operand(in.C)) {
				return false
			}

		case bytecode.Filled:
			if !g.filled(in, operand(in.C), func() (int64, bool) { return eval(in.B, in.Rule) }) {
				return false
			}

		case bytecode.Pad:
			n := (int(in.A) - g.last%int(in.A)) % int(in.A)
			for ; n > 0; n-- {
				g.out = append(g.out, byte(in.C))
			}

		case bytecode.List, bytecode.Rest, bytecode.Through, bytecode.Spare:
			at, elem := in.C, in.B
			if in.Op != bytecode.List {
				at, elem = in.B, in.A
			}
			c, steps := *operand(at), len(g.path)
			if c.kind != List {
				return g.mismatch(in.Rule, c, "a list")
			}
			if in.Op == bytecode.List && !g.counted(in.Rule, in.A, int64(c.n), eval) {
				return false
			}
			if g.obs != nil {
				g.obs.parts(int(c.n), 0)
			}
			begin, args := len(g.out), passed(p, pc, g.regs[regs0:])
			stops := in.Op == bytecode.Through
			if stops && c.n == 0 {
				return g.fail(ErrValue, in.Rule, "an element that ends the list", "no element")
			}
			g.path = append(intoField(g.path, typ, at), step{})
			last := len(g.out)
			for i, e := range c.Cells() {
				g.path[len(g.path)-1] = step{index: i}
				g.stop = false
				last = len(g.out)
				if !g.value(elem, e, args) {
					return false
				}
				if stops && g.stop != (i == int(c.n)-1) {
					return g.fail(ErrValue, in.Rule, "the last element, and no other, to end the list", "element "+strconv.Itoa(i))
				}
			}
			g.path = g.path[:steps]
			g.last = len(g.out) - begin
			if in.Op == bytecode.Spare {
				g.regs[regs0+int(in.D)] = uint64(len(g.out) - last)
			}

		case bytecode.Map:
			c := *operand(in.C)
			if c.kind != Map {
				return g.mismatch(in.Rule, c, "a map")
			}
			if !g.counted(in.Rule, in.A, int64(c.n), eval) {
				return false
			}
			if g.obs != nil {
				g.obs.parts(int(c.n), 0)
			}
			at, steps := len(g.out), len(g.path)
			args := passed(p, pc, g.regs[regs0:])
			keys := p.Routines[in.B].Args
			g.path = append(intoField(g.path, typ, in.C), step{})
			pairs := c.Cells()
			for i := 0; i < len(pairs); i += 2 {
				g.path[len(g.path)-1] = step{index: i / 2, pair: true}
				if !g.value(in.B, pairs[i], args[:keys]) {
					return false
				}
				g.path[len(g.path)-1].key = pairs[i]
				if !g.value(in.D, pairs[i+1], args[keys:]) {
					return false
				}
			}
			g.path = g.path[:steps]
			g.last = len(g.out) - at

		case bytecode.Call:
			var args [16]uint64
			n := 0
			for _, e := range p.Args[in.C] {
				x, ok := eval(e, in.Rule)
				if !ok {
					return false
				}
				if n < len(args) {
					args[n] = uint64(x)
					n++
				}
			}
			c := *operand(in.B)
			g.path = append(g.path, step{name: lastName(p.Rules[in.Rule].Name)})
			if c.kind == None {
				return g.fail(ErrMismatch, in.Rule, "a value", describe(c))
			}
			at := len(g.out)
			if !g.value(in.A, c, args[:n]) {
				return false
			}
			g.path = g.path[:len(g.path)-1]
			g.last = len(g.out) - at

		case bytecode.If:
			x, ok := eval(in.A, in.Rule)
			if !ok {
				return false
			}
			if x == 0 {
				pc = p.End(pc)
			}

		case bytecode.Else:
			pc = p.End(pc)

		case bytecode.Absent:
			if c := operand(in.A); c.kind != None {
				return g.fail(ErrMismatch, in.Rule, "no value of "+p.Rules[in.Rule].Name+" beside the other fields", describe(*c))
			}

		case bytecode.Gate:
			if g.w.opt.Open>>in.A&1 == 0 {
				return g.fail(ErrClosed, in.Rule, "", fmt.Sprintf("%s are written only where the caller allows it", p.Gates[in.A]))
			}

		case bytecode.Base:
			g.openBase(g.m.texts[in.A])

		case bytecode.Gaps:
			c := operand(in.A)
			if !g.octets(c, in.Rule) {
				return false
			}
			g.keepGaps(in.Rule)
			g.out = append(g.out, c.Bytes()...)

		case bytecode.Close:
			if g.w.free {
				g.bases[len(g.bases)-1].views = nil
			}
			if !g.closeBase(in.Rule) {
				return false
			}

		case bytecode.Choose:
			place := g.choose()
			g.regs[regs0+int(in.A)], g.regs[regs0+int(in.B)] = place, g.heldFor(place)

		case bytecode.Chosen:
			if !g.choosing(in, g.regs[regs0+int(in.A)]) {
				return false
			}

		case bytecode.Seek:
			x, ok := eval(in.B, in.Rule)
			if !ok || !g.seek(g.m.texts[in.A], x, g.m.texts[in.C], in.Rule, g.chosen, g.m.last[pc], in.D&bytecode.SeekView != 0) {
				return false
			}
			g.chosen = nil

		case bytecode.Back:
			g.back()

		case bytecode.Mark:
			g.regs[regs0+int(in.A)] = uint64(len(g.out))

		case bytecode.Size:
			g.regs[regs0+int(in.A)] = uint64(len(g.out)) - g.regs[regs0+int(in.B)]
			g.last = int(g.regs[regs0+int(in.A)])

		case bytecode.Patch:
			x, ok := eval(in.C, in.Rule)
			if !ok {
				return false
			}
			if !g.fitting(in, x) {
				return false
			}
			at, end := g.regs[regs0+int(in.B)], g.regs[regs0+int(in.B)]+uint64(in.Width())
			if in.Varies() {
				number := AppendNumber(nil, in.Coding(), uint64(x))
				g.out = slices.Insert(g.out, int(at), number...)
				g.shiftNotes(int(at), len(number))
				g.regs[regs0+int(in.D)] = uint64(x)
				break
			}
			if at < uint64(g.base) || end > uint64(len(g.out)) {
				return g.fail(ErrMismatch, in.Rule, "a place inside what was written", "")
			}
			g.store(in, int(at), uint64(x))
			g.regs[regs0+int(in.D)] = uint64(x)

		case bytecode.Sum:
			if in.D&bytecode.SumRead == 0 {
				g.regs[regs0+int(in.A)] = g.m.sum(pc, g.out, g.regs[regs0:], g.bases)
			}

		case bytecode.Note:
			if !g.note(g.m.texts[in.B], in.Width(), in.Rule) {
				return false // unreachable: the verifier asks for an open base around a checksum
			}

		case bytecode.Total:
			if !g.measuring && len(g.closed.notes) > 0 {
				g.regs[regs0+int(in.A)] = g.m.total(in, g.totalled(byte(in.C)))
			}

		case bytecode.Settle:
			if g.measuring {
				break
			}
			x, ok := eval(in.B, in.Rule)
			if !ok || !g.settle(in, x) {
				return false // unreachable: see settle
			}

		case bytecode.Stop:
			x, ok := eval(in.A, in.Rule)
			if !ok {
				return false
			}
			g.stop = x != 0

		case bytecode.Done:
			return true
		}
		if g.obs != nil {
			g.after(pc)
		}
	}
}

// value writes an element, in the fast loop where this call came from it.
func (g *writing) value(routine uint32, v Value, args []uint64) bool {
	if u := g.m.fast[routine]; g.fast && u != nil {
		out, ok := g.w.fastValue(u, g.out, g.base, &v, g.depth)
		g.out = out
		return ok
	}
	if p := g.m.plans[routine]; g.fast && p != nil {
		g.regs = append(g.regs, args...)
		one := v // v itself stays off the heap
		return g.planned(p, &one)
	}
	return g.routine(routine, v, args)
}
