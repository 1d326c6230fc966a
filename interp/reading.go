// Reading one value: what each instruction takes from the input.

package interp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
)

// reading is one call in progress.
type reading struct {
	r       *Reader
	m       *Machine
	p       *bytecode.Program
	in      []byte
	pos     int
	end     int // of the innermost region
	last    int // bytes of the last text, array, list or region
	depth   int // of the value being read
	limit   int // greatest depth
	nest    int // of calls of the engine
	steps   int // instructions that may still be run
	memory  int // bytes that may still be taken; negative is no limit
	regs    []uint64
	cells   []Value
	path    []step
	bases   []base    // that are open
	aways   []away    // parts that are read
	work    int       // bytes that may still be read in parts
	chosen  *chosen   // for the next part
	closed  base      // the base that was closed last
	stop    bool      // the last record stops a list
	fast    bool      // values of fused unions go to the fast loop
	obs     *listener // nil if nobody observes the run
	regions []region  // around the cursor, that plans have begun
	scope   scope     // of the expression that is computed
	err     *Error
}

// read reads b by the instructions.
func (r *Reader) read(b []byte) (Value, int, error) {
	g := &r.run
	*g = reading{r: r, m: r.m, p: r.m.p, in: b, end: len(b), limit: r.m.depth(&r.opt), memory: none,
		regs: g.regs[:0], cells: g.cells[:0], path: g.path[:0], bases: g.bases[:0], aways: g.aways[:0], obs: r.obs}
	if r.opt.MaxMemory > 0 {
		g.memory = r.opt.MaxMemory
	}
	g.work = partWork(len(b))
	used := len(b)
	if g.m.parts {
		used += g.work
	}
	g.steps = g.m.steps(used)
	v, ok := g.routine(g.p.Root, nil)
	if !ok {
		err := g.err
		g.err = nil
		return Value{}, 0, err
	}
	return v, g.pos, nil
}

// steps returns how many instructions may be run for some bytes of input. A value that uses up bytes may need every
// instruction once, and so may those inside of it that do not.
func (m *Machine) steps(input int) int {
	return int(min(uint64(input+2)*uint64(4096+2*len(m.p.Code)), math.MaxInt))
}

// partWork returns how many bytes of an input may be read in parts.
func partWork(input int) int { return 16*input + 1<<20 }

// fail records the first error and returns false.
func (g *reading) fail(kind error, offset int, rule uint32, expected, found string) bool {
	if g.err == nil {
		g.err = &Error{Kind: kind, Offset: offset, Path: pathText(g.path), Rule: g.p.Rules[rule], Expected: expected, Found: found}
		if g.obs != nil {
			g.obs.failed(g.err, bytecode.None, g.pos)
		}
	}
	return false
}

// text makes a text of the bytes at an offset.
func (g *reading) text(in *bytecode.Instr, b []byte, at int) (Value, bool) {
	enc := &g.p.Encodings[in.A]
	text, bad, why := decodeText(enc, b)
	if why != "" {
		return Value{}, g.fail(ErrText, at+bad, in.Rule, enc.Charset.Standard(), why)
	}
	return g.counted(MakeText(0, unsafe.String(unsafe.SliceData(text), len(text))), at, in.Rule)
}

// counted refuses a text or an array at an offset for which there is no Value. It has more bytes or elements than a Value
// can count.
func (g *reading) counted(v Value, at int, rule uint32) (Value, bool) {
	if v.IsNone() {
		return v, g.fail(ErrLimit, at, rule, fmt.Sprintf("at most %d bytes or elements", uint32(math.MaxUint32)), "more")
	}
	return v, true
}

// deep refuses a value that is nested too deeply, before its routine begins.
func (g *reading) deep(index uint32, expected string) bool {
	r := &g.p.Routines[index]
	if g.obs != nil {
		g.obs.enter(index, g.pos, g.depth, g.limit, len(g.regs), len(g.cells))
	}
	return g.fail(ErrDepth, g.pos, g.p.Code[r.Start].Rule, expected, "")
}

// endless refuses a program that runs on without using up its input. This is not about
// one instruction.
func (g *reading) endless(rule uint32) bool { // unreachable: the verifier asks for that
	if g.obs != nil {
		g.obs.e.PC = none // unreachable: as above
	}
	return g.fail(ErrLimit, g.pos, rule, "a program that uses up its input", "") // unreachable: as above
}

// row returns the name of a row of the schema.
func (g *reading) row(rule uint32) string { return g.p.Rules[rule].Name }

// short refuses input that ends before need bytes.
func (g *reading) short(rule uint32, need int, what string) bool {
	return g.fail(ErrTruncated, g.pos, rule, countOf(need, "byte")+" for "+what, strconv.Itoa(g.end-g.pos))
}

// take returns the next n bytes and steps over them.
func (g *reading) take(n int, rule uint32) ([]byte, bool) {
	if n > g.end-g.pos {
		return nil, g.short(rule, n, g.row(rule))
	}
	b := g.in[g.pos : g.pos+n : g.pos+n]
	g.pos += n
	return b, true
}

// number reads the scalar of an instruction as the bits of a register: signed ones
// sign-extended.
func (g *reading) number(in *bytecode.Instr, b []byte) uint64 {
	return scalarBits(in.Scalar(), b, g.p.Big != in.Swapped())
}

// spend takes memory for n cells off the budget.
func (g *reading) spend(n int, rule uint32) bool {
	if g.memory < 0 {
		return true
	}
	if g.memory -= n * cellSize; g.memory < 0 {
		g.memory = 0
		return g.fail(ErrLimit, g.pos, rule, "values within the limit on memory", strconv.Itoa(n)+" more cells of "+strconv.Itoa(cellSize)+" bytes")
	}
	return true
}

// routine reads one value.
func (g *reading) routine(index uint32, args []uint64) (v Value, ok bool) {
	r := &g.p.Routines[index]
	if r.Nests && g.depth > g.limit {
		return Value{}, g.deep(index, fmt.Sprintf("at most %d levels of values in values", g.limit))
	}
	if g.nest >= maxNest(g.limit) {
		return Value{}, g.deep(index, fmt.Sprintf("at most %d levels of records in records", maxNest(g.limit)))
	}
	regs0, cells0 := len(g.regs), len(g.cells)
	g.regs = extend(append(g.regs, args...), regs0+int(r.Regs))
	g.cells = extend(g.cells, cells0+int(r.Cells))
	g.nest++
	if r.Nests {
		g.depth++
	}
	if g.obs == nil {
		v, ok = g.code(int(r.Start), regs0, cells0)
	} else {
		v, ok = g.observed(index, regs0, cells0)
	}
	g.regs, g.cells = g.regs[:regs0], g.cells[:cells0]
	g.nest--
	if r.Nests {
		g.depth--
	}
	return v, ok
}

// extend returns s with zeros behind it, n long.
func extend[T any](s []T, n int) []T {
	if n > cap(s) {
		s = slices.Grow(s, n-len(s))
	}
	from := len(s)
	s = s[:n]
	clear(s[from:])
	return s
}

// eval computes an expression with the registers and cells of a routine.
func (g *reading) eval(e uint32, regs0, cells0 int) int64 {
	s := &g.scope
	s.m, s.regs, s.cells, s.open, s.reader = g.m, g.regs[regs0:], g.cells[cells0:], g.r.opt.Open, g
	x, _ := s.compute(e)
	if g.obs != nil {
		g.obs.computed(e, *s, x)
	}
	return x
}

// code runs instructions to the end of the routine. The registers and cells of
// the routine begin at regs0 and cells0 of their stacks.
func (g *reading) code(pc, regs0, cells0 int) (Value, bool) {
	p := g.p
	var ends [bytecode.MaxRegions]int   // of the regions that enclose the innermost
	var starts [bytecode.MaxRegions]int // of the open regions
	open := 0
	var typ *bytecode.Type // of the record being read
	eval := func(e uint32) int64 {
		switch x := p.Exprs[e]; x.Op {
		case bytecode.ExprNum:
			return x.Arg
		case bytecode.ExprReg:
			return int64(g.regs[regs0+int(x.Arg)])
		}
		return g.eval(e, regs0, cells0)
	}
	for ; ; pc++ {
		in := &p.Code[pc]
		if g.obs != nil {
			g.before(pc)
		}
		if g.steps--; g.steps < 0 {
			return Value{}, g.endless(in.Rule) // unreachable: the verifier asks for repetitions that use up input
		}
		switch in.Op {
		case bytecode.Fields:
			typ = &p.Types[in.B]

		case bytecode.Subst, bytecode.Header, bytecode.Patch, bytecode.Choose:
			// these write

		case bytecode.Arm, bytecode.End:
			// these divide and end blocks

		case bytecode.Union, bytecode.Switch:
			at := g.pos
			if in.Op == bytecode.Union {
				b, ok := g.take(in.Scalar().Width(), in.Rule)
				if !ok {
					return Value{}, false
				}
				if in.Ordered() {
					g.regs[regs0+int(in.B)] = scalarBits(in.Scalar(), b, g.regs[regs0+int(in.B)-1] != 0)
				} else {
					g.regs[regs0+int(in.B)] = g.number(in, b)
				}
				if g.obs != nil {
					g.word(g.regs[regs0+int(in.B)])
				}
			}
			id := uint64(eval(in.C))
			arm, ok := p.Tables[in.D].ByID(id)
			if !ok {
				return Value{}, g.fail(ErrType, at, in.Rule, "a known type", "number "+numberText(id))
			}
			pc = p.ArmAt(in.D, arm)

		case bytecode.Word:
			x, ok := g.scalarOf(in)
			if !ok {
				return Value{}, false
			}
			g.regs[regs0+int(in.B)] = x

		case bytecode.Let:
			g.regs[regs0+int(in.A)] = uint64(eval(in.B))

		case bytecode.Check:
			if eval(in.A) == 0 {
				return Value{}, g.fail(ErrValue, max(0, g.pos-int(in.C)), in.Rule, "", g.m.refused(in, g.regs[regs0:]))
			}

		case bytecode.Stop:
			g.stop = eval(in.A) != 0

		case bytecode.Scalars:
			x, ok := g.scalarOf(in)
			if !ok {
				return Value{}, false
			}
			v := scalarValue(in.Scalar(), x)
			if in.A&bytecode.FlagWide != 0 {
				v.form |= formWide
			}
			g.cells[cells0+int(in.B)] = v

		case bytecode.Truth:
			at := g.pos
			s := in.Scalar()
			b, ok := g.take(s.Width(), in.Rule)
			if !ok {
				return Value{}, false
			}
			x := g.number(in, b)
			if x > 1 && in.C&bytecode.TruthNonzero == 0 {
				return Value{}, g.fail(ErrValue, at, in.Rule, "0 or 1", fmt.Sprint(x))
			}
			v := MakeBool(0, x != 0)
			g.cells[cells0+int(in.B)] = v

		case bytecode.Expect, bytecode.Pass:
			// a writer, or the list that follows, looks at this

		case bytecode.Take:
			g.cells[cells0+int(in.A)] = taken(in, g.regs[regs0+int(in.B)])

		case bytecode.ArmRef:
			id := g.regs[regs0+int(in.B)]
			t := g.m.tables[in.C]
			arm, ok := t.ByID(id)
			if !ok || t.Arms[arm].Else {
				return Value{}, g.fail(ErrType, max(0, g.pos-int(in.D)), in.Rule, "a known type", "number "+numberText(id))
			}
			g.cells[cells0+int(in.A)] = MakeUnit(g.m.tags[t.Arms[arm].Type])

		case bytecode.Lanes:
			s := in.Scalar()
			b, ok := g.take(s.Width()*int(in.B), in.Rule)
			if !ok {
				return Value{}, false
			}
			v := MakeLanes(0, s, g.little(in, b))
			if in.A&bytecode.FlagWide != 0 {
				v.form |= formWide
			}
			g.cells[cells0+int(in.C)] = v

		case bytecode.Text:
			at := g.pos
			b, ok := g.claim(eval(in.B), 1, in.Rule)
			if !ok {
				return Value{}, false
			}
			g.last = len(b)
			v, ok := g.text(in, b, at)
			if !ok {
				return Value{}, false
			}
			g.cells[cells0+int(in.C)] = v

		case bytecode.Until:
			v, ok := g.until(in)
			if !ok {
				return Value{}, false
			}
			g.cells[cells0+int(in.C)] = v

		case bytecode.Filled:
			v, ok := g.filled(in, eval(in.B))
			if !ok {
				return Value{}, false
			}
			g.cells[cells0+int(in.C)] = v

		case bytecode.Packed:
			s := in.Scalar()
			size := s.Width() * int(in.B)
			n := int64((g.end - g.pos) / size)
			if in.C != bytecode.None {
				n = eval(in.C)
			}
			b, ok := g.claim(n, size, in.Rule)
			if !ok {
				return Value{}, false
			}
			g.last = len(b)
			v, ok := g.counted(MakePacked(0, s, int(in.B), g.inPlace(in, b)), g.pos-len(b), in.Rule)
			if !ok {
				return Value{}, false
			}
			if in.A&bytecode.FlagWide != 0 {
				v.form |= formWide
			}
			g.cells[cells0+int(in.D)] = v

		case bytecode.Pad:
			if !g.pad(in) {
				return Value{}, false
			}

		case bytecode.List:
			v, ok := g.list(in, eval(in.A), typ, g.passed(pc, regs0))
			if !ok {
				return Value{}, false
			}
			g.cells[cells0+int(in.C)] = v

		case bytecode.Map:
			v, ok := g.pairs(in, eval(in.A), typ, g.passed(pc, regs0))
			if !ok {
				return Value{}, false
			}
			g.cells[cells0+int(in.C)] = v

		case bytecode.Rest, bytecode.Through, bytecode.Spare:
			v, last, ok := g.rest(in, typ, g.passed(pc, regs0))
			if !ok {
				return Value{}, false
			}
			g.cells[cells0+int(in.B)] = v
			if in.Op == bytecode.Spare {
				g.regs[regs0+int(in.D)] = uint64(last)
			}

		case bytecode.Call:
			var args [16]uint64
			n := 0
			for _, e := range p.Args[in.C] {
				if n < len(args) {
					args[n] = uint64(eval(e))
					n++
				}
			}
			g.path = append(g.path, step{name: lastName(g.row(in.Rule))})
			begin := g.pos
			v, ok := g.value(in.A, args[:n])
			if !ok {
				return Value{}, false
			}
			g.path = g.path[:len(g.path)-1]
			g.last = g.pos - begin
			g.cells[cells0+int(in.B)] = v

		case bytecode.If:
			if eval(in.A) == 0 {
				pc = p.End(pc)
			}

		case bytecode.Else:
			pc = p.End(pc)

		case bytecode.Absent:
			g.cells[cells0+int(in.A)] = Value{}

		case bytecode.Gate:
			if g.r.opt.Open>>in.A&1 == 0 {
				return Value{}, g.fail(ErrClosed, g.pos, in.Rule, "", fmt.Sprintf("%s are read only where the caller allows it", p.Gates[in.A]))
			}

		case bytecode.Enter:
			n := eval(in.A)
			if n < 0 {
				return Value{}, g.fail(ErrTruncated, g.pos, in.Rule, "a size of 0 or more for "+p.Rules[in.Rule].Name, strconv.FormatInt(n, 10))
			}
			if n > int64(g.end-g.pos) {
				return Value{}, g.short(in.Rule, clampInt(n), p.Rules[in.Rule].Name)
			}
			ends[open], starts[open] = g.end, g.pos
			open++
			g.end = g.pos + int(n)

		case bytecode.Leave:
			if g.pos < g.end {
				return Value{}, g.fail(ErrTrailing, g.pos, in.Rule, "the end of "+p.Rules[in.Rule].Name, fmt.Sprintf("%s more", countOf(g.end-g.pos, "byte")))
			}
			open--
			g.end = ends[open]
			g.last = g.pos - starts[open]

		case bytecode.Base:
			g.openBase(g.m.texts[in.A], int(in.B))

		case bytecode.Gaps:
			kept, ok := g.gaps(in.Rule)
			if !ok {
				return Value{}, false
			}
			g.cells[cells0+int(in.A)] = MakePacked(0, bytecode.U8, 1, kept)

		case bytecode.Close:
			if !g.closeBase(in.Rule) {
				return Value{}, false
			}

		case bytecode.Chosen:
			g.chosen = &chosen{align: int(in.B), any: in.C&bytecode.ChosenAny != 0}

		case bytecode.Seek:
			if !g.seek(g.m.texts[in.A], eval(in.B), g.m.texts[in.C], in.Rule, g.chosen, in.D&bytecode.SeekView != 0) {
				return Value{}, false
			}
			g.chosen = nil

		case bytecode.Back:
			if !g.back() {
				return Value{}, false
			}

		case bytecode.Mark:
			g.regs[regs0+int(in.A)] = uint64(g.pos)

		case bytecode.Size:
			g.regs[regs0+int(in.A)] = uint64(g.pos) - g.regs[regs0+int(in.B)]
			g.last = int(g.regs[regs0+int(in.A)])

		case bytecode.Sum:
			if in.D&bytecode.SumWrite == 0 {
				g.regs[regs0+int(in.A)] = g.m.sum(pc, g.in, g.regs[regs0:], g.bases)
			}

		case bytecode.Note:
			if !g.note(g.m.texts[in.B], in.Width(), g.regs[regs0+int(in.C)], in.Rule) {
				return Value{}, false // unreachable: the verifier asks for an open base around a checksum
			}

		case bytecode.Total:
			if p.Code[pc+1].C&bytecode.SettleAny == 0 && len(g.closed.notes) > 0 {
				g.regs[regs0+int(in.A)] = g.m.total(in, g.totalled(byte(in.C)))
			}

		case bytecode.Settle:
			if in.C&bytecode.SettleAny == 0 && !g.totals(uint64(eval(in.B))) {
				return Value{}, false
			}

		case bytecode.Compare:
			if !g.verify(in, eval(in.B), g.regs[regs0:]) {
				return Value{}, false
			}

		case bytecode.Done:
			return g.done(in, g.cells[cells0:])
		}
		if g.obs != nil {
			g.after(pc)
		}
	}
}

// claim takes n elements of a size, whose number came from the input.
func (g *reading) claim(n int64, size int, rule uint32) ([]byte, bool) {
	if n < 0 || n > int64((g.end-g.pos)/size) {
		what := countOf(n, "byte") + " for " + g.row(rule)
		if size > 1 {
			what = countOf(n, "element") + " of " + strconv.Itoa(size) + " bytes for " + g.row(rule)
		}
		return nil, g.fail(ErrTruncated, g.pos, rule, what, strconv.Itoa(g.end-g.pos))
	}
	return g.take(int(n)*size, rule)
}

// enough checks a count from the input against the bytes that are left, before memory
// is taken. An element has the least number of bytes, or more.
func (g *reading) enough(n int64, least uint64, rule uint32) bool {
	if n < 0 || uint64(n) > uint64(g.end-g.pos)/least {
		return g.fail(ErrTruncated, g.pos, rule, countOf(n, "element")+" of at least "+countOf(least, "byte")+" for "+g.row(rule), countOf(g.end-g.pos, "byte"))
	}
	return true
}

// little returns numbers as little-endian bytes.
func (g *reading) little(in *bytecode.Instr, b []byte) []byte {
	return inOrder(in.Scalar(), b, g.p.Big != in.Swapped())
}

// taken returns the value that a Take gives for the number in its register.
func taken(in *bytecode.Instr, x uint64) Value {
	kind, wide := in.Taken()
	v := MakeBool(0, x != 0)
	switch kind {
	case Uint:
		v = MakeUint(0, x)
	case Int:
		v = MakeInt(0, int64(x))
	}
	return v.WithWide(wide)
}

// done makes a value of the cells.
func (g *reading) done(in *bytecode.Instr, cells []Value) (Value, bool) {
	t := &g.p.Types[in.A]
	tag := g.m.tags[in.A]
	if len(t.Fields) == 0 {
		return MakeUnit(tag), true
	}
	cells = cells[:len(t.Fields)]
	if in.B&bytecode.DoneAlone != 0 {
		if i := alone(t, cells); i >= 0 {
			v := cells[i]
			if t.Fields[i].Kind != None {
				v.tag = tag
			}
			return v, true
		}
	}
	if !g.spend(len(cells), in.Rule) {
		return Value{}, false
	}
	out := g.r.slab.alloc(len(cells))
	copy(out, cells)
	return MakeRecord(tag, out), true
}

// alone returns the one cell of a record that has a value, or -1. The field of the cell
// must be one that may replace the record.
func alone(t *bytecode.Type, cells []Value) int {
	found := none
	for i := range cells {
		if cells[i].kind != None {
			if found >= 0 {
				return none
			}
			found = i
		}
	}
	if found >= 0 && t.Fields[found].Alone {
		return found
	}
	return none
}

// refused describes the condition of an instruction, which does not hold.
func (m *Machine) refused(in *bytecode.Instr, regs []uint64) string {
	text := m.p.Strings[in.B]
	if reg, ok := m.p.Exprs[in.A].Subject(); ok {
		return refusedText(text, int64(regs[reg]))
	}
	return text
}
