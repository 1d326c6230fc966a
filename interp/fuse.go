// Fusing: arms of unions that are plain enough to be read and written in one
// step each.
//
// An arm is run here in thought, for the header word that it has without flags
// and for the one with the flag that the schema's numbers have most: words that
// follow from the header are known then, conditions on them fall away, and what
// is left is a straight run of few instructions. Runs of known shapes become one
// operation of the fast loops, with its sizes as constants; an arm of any other
// shape is left to the instructions, and so is any header word of another form.

package interp

import (
	"math"
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
)

// fastOp is one operation of the fast loops.
type fastOp uint8

const (
	fastNone   fastOp = iota // not fused
	fastUnit                 // nothing after the header
	fastBool                 // u32, nonzero is true
	fastInt                  // i32, or i64 with the flag
	fastInt32                // i32 whatever the flag
	fastInt64                // i64 whatever the flag
	fastF32                  // f32
	fastF64                  // f64
	fastUint64               // u64
	fastLanes8               // numbers of 8 bytes in all
	fastLanes                // numbers of size bytes in all
	fastText                 // u32 length, text, padding to 4
	fastPacked               // u32 count, elements of size bytes, padding if any
	fastList                 // u32 count, values of this union
	fastMap                  // u32 count, pairs of values of this union
	fastTexts                // count, then texts as fastText has them
)

// how a count follows from its word
const (
	countPlain  uint8 = iota // as it is
	countLow31               // the highest bit is ignored
	countSigned              // negative is none
)

// fastRead is how one header word is read.
type fastRead struct {
	meta  uint32 // tag, kind and form of the value
	op    fastOp
	count uint8
	pad   uint8  // packed: 1 where there is padding, 2 where it may be missing at the end
	size  uint32 // bytes of all numbers, or of an element
	lanes uint16
	enc   uint16
}

// metaOf packs tag, kind and form as they stand in a Value.
func metaOf(tag uint16, kind Kind, form uint8) uint32 {
	return uint32(tag) | uint32(kind)<<16 | uint32(form)<<24
}

// fastWrite is how values of one tag are written.
type fastWrite struct {
	op     fastOp
	kind   Kind
	scalar uint8
	pad    uint8
	enc    uint16
	head   uint32 // header word
	wide   uint32 // header word of the wide form
	size   uint32
	lanes  uint32
}

// fastUnion is a union whose arms are fused as far as they can be.
type fastUnion struct {
	routine uint32
	nests   bool
	read    [128]fastRead // by twice the type number, plus 1 where the flag is set
	flag    uint32        // the one flag that header words may have here
	other   uint32        // the bits that they may not have
	spread  uint32        // a header word times this has its place in read in the highest 7 bits
	keyHead uint32        // the header word of text, which keys mostly are; all ones if there is none
	keyMeta uint32
	write   [256]fastWrite // by tag
	least   int            // fewest bytes of a value
}

// fuse prepares every union that reads a u32 word.
func (m *Machine) fuse() {
	m.fast = make([]*fastUnion, len(m.p.Routines))
	if m.p.Big {
		return
	}
	for i := range m.p.Routines {
		if u := m.fuseUnion(uint32(i)); u != nil {
			m.fast[i] = u
		}
	}
}

func (m *Machine) fuseUnion(routine uint32) *fastUnion {
	p := m.p
	r := &p.Routines[routine]
	in := &p.Code[r.Start]
	if in.Op != bytecode.Union || bytecode.Scalar(in.A) != bytecode.U32 || r.Args != 0 {
		return nil
	}
	u := &fastUnion{routine: routine, nests: r.Nests, least: int(p.Bounds(routine).Min)}
	if u.least < 4 {
		return nil
	}
	u.keyHead = math.MaxUint32
	regs := make([]uint64, r.Regs)
	s := scope{m: m, regs: regs}
	number := func(h uint32) uint64 {
		regs[in.B] = uint64(h)
		x, _ := s.eval(in.C)
		return uint64(x)
	}
	for h := range uint32(64) {
		if number(h) != uint64(h) {
			return nil
		}
	}
	f := &fuser{m: m, u: u, r: r, wordReg: in.B}
	// The flag is the lowest bit that makes an arm another one without changing its number.
	for bit := 6; bit <= 25 && u.flag == 0; bit++ {
		for i, arm := range p.Tables[in.D].Arms {
			h := uint32(arm.ID) | 1<<bit
			if arm.Else || arm.ID >= 64 || number(h) != arm.ID {
				continue
			}
			start := p.ArmAt(in.D, i) + 1
			a, okA := f.read(start, uint32(arm.ID))
			b, okB := f.read(start, h)
			if okA && okB && a != b {
				u.flag = 1 << bit
				break
			}
		}
	}
	u.other = ^(63 | u.flag)
	// The type number goes to the highest 6 bits and the flag to the one below;
	// what else the product has lies lower, since the flag is bit 6 or higher.
	u.spread = 1 << 26
	if u.flag != 0 {
		u.spread |= 1 << (25 - min(25, bits.TrailingZeros32(u.flag)))
	}
	for i, arm := range p.Tables[in.D].Arms {
		if arm.Else || arm.ID >= 64 {
			continue
		}
		start := p.ArmAt(in.D, i) + 1
		if e, ok := f.read(start, uint32(arm.ID)); ok {
			u.read[2*arm.ID] = e
			if e.op == fastText && u.keyHead == math.MaxUint32 {
				u.keyHead, u.keyMeta = uint32(arm.ID), e.meta
			}
		}
		if h := uint32(arm.ID) | u.flag; u.flag != 0 && number(h) == arm.ID {
			if e, ok := f.read(start, h); ok {
				u.read[2*arm.ID+1] = e
			}
		}
		f.writer(arm, start)
		if a, b := &u.read[2*arm.ID], &u.read[2*arm.ID+1]; u.flag != 0 && a.op == fastInt32 && b.op == fastInt64 {
			a.op, b.op = fastInt, fastInt
		}
	}
	return u
}

// fuser runs arms of one union in thought.
type fuser struct {
	m       *Machine
	u       *fastUnion
	r       *bytecode.Routine
	wordReg uint32
}

// run is what is left of an arm for one header word.
type run struct {
	ops    []bytecode.Instr
	typ    uint32
	cell   int              // the one cell that gets a value
	lets   []bytecode.Instr // computed after a word was read
	header uint32           // expression of the header word
}

// follow runs a record for a header word and returns what is left; ok is false
// if the record does more than the fast loops can.
func (f *fuser) follow(start int, header uint32) (out run, ok bool) {
	p := f.m.p
	regs := make([]uint64, max(int(f.r.Regs), 1))
	known := make([]bool, len(regs))
	out.cell = -1
	s := scope{m: f.m, regs: regs}
	depends := func(expr uint32) bool { // on a word that is not known
		return anyNode(p.Exprs[expr], func(e *bytecode.Expr) bool {
			return e.Op == bytecode.ExprReg && (int(e.Arg) >= len(known) || !known[e.Arg]) || e.Op == bytecode.ExprClosed || e.Op.NeedsCells()
		})
	}
	keep := func(cell uint32) bool {
		if out.cell >= 0 && out.cell != int(cell) {
			return false
		}
		out.cell = int(cell)
		return true
	}
	for pc := start; ; pc++ {
		in := p.Code[pc]
		switch in.Op {
		case bytecode.End, bytecode.Fields, bytecode.Subst, bytecode.Absent:
		case bytecode.Header:
			regs[in.B], known[in.B] = uint64(header), true
			out.header = in.C
		case bytecode.Let:
			if depends(in.B) {
				out.lets = append(out.lets, in)
				continue
			}
			x, _ := s.eval(in.B)
			regs[in.A], known[in.A] = uint64(x), true
		case bytecode.If:
			if depends(in.A) {
				return out, false
			}
			if x, _ := s.eval(in.A); x == 0 {
				pc = p.End(pc)
			}
		case bytecode.Else:
			pc = p.End(pc)
		case bytecode.Word, bytecode.Pad:
			out.ops = append(out.ops, in)
		case bytecode.Scalars, bytecode.Truth:
			if !keep(in.B) {
				return out, false
			}
			out.ops = append(out.ops, in)
		case bytecode.Lanes, bytecode.Text, bytecode.List, bytecode.Map:
			if !keep(in.C) {
				return out, false
			}
			out.ops = append(out.ops, in)
		case bytecode.Packed:
			if !keep(in.D) {
				return out, false
			}
			out.ops = append(out.ops, in)
		case bytecode.Done:
			out.typ = in.A
			t := &p.Types[in.A]
			if out.cell >= 0 && (in.B&bytecode.DoneAlone == 0 || !t.Fields[out.cell].Alone) {
				return out, false
			}
			if out.cell < 0 && len(t.Fields) > 0 {
				return out, false
			}
			return out, true
		default:
			return out, false
		}
	}
}

// countOf finds how a count follows from the word before it, by trying words.
func (f *fuser) countOf(r run, word bytecode.Instr, expr uint32) (uint8, bool) {
	p := f.m.p
	regs := make([]uint64, 256)
	s := scope{m: f.m, regs: regs}
	try := func(w uint32) int64 {
		regs[word.B] = uint64(w)
		if bytecode.Scalar(word.A).Signed() {
			regs[word.B] = uint64(int32(w))
		}
		for _, l := range r.lets {
			x, _ := s.eval(l.B)
			regs[l.A] = uint64(x)
		}
		x, _ := s.eval(expr)
		return x
	}
	for _, l := range append(append([]uint32(nil), expr), letExprs(r.lets)...) {
		if anyNode(p.Exprs[l], func(e *bytecode.Expr) bool {
			return e.Op.NeedsCells() || e.Op == bytecode.ExprExact || e.Op == bytecode.ExprClosed || e.Op == bytecode.ExprDiv || e.Op == bytecode.ExprMod
		}) {
			return 0, false
		}
	}
	if s := bytecode.Scalar(word.A); s != bytecode.U32 && s != bytecode.I32 {
		return 0, false
	}
	rules := []func(w uint32) int64{
		countPlain:  func(w uint32) int64 { return int64(w) },
		countLow31:  func(w uint32) int64 { return int64(w & 0x7fffffff) },
		countSigned: func(w uint32) int64 { return int64(max(int32(w), 0)) },
	}
	for rule, want := range rules {
		same := true
		for bit := range 32 {
			for _, w := range []uint32{1 << bit, 1<<bit - 1, ^uint32(0) << bit, 0x5a5a5a5a >> bit, 0xa5a5a5a5 << bit} {
				same = same && try(w) == want(w)
			}
		}
		if same {
			return uint8(rule), true
		}
	}
	return 0, false
}

func letExprs(lets []bytecode.Instr) []uint32 {
	var out []uint32
	for _, l := range lets {
		out = append(out, l.B)
	}
	return out
}

func isPad(in bytecode.Instr) bool {
	return in.Op == bytecode.Pad && in.A == 4 && in.C == 0 && in.B&bytecode.PadExact == 0
}

// anyNode reports whether a node of an expression meets a condition.
func anyNode(e *bytecode.Expr, meets func(*bytecode.Expr) bool) bool {
	found := false
	e.Walk(func(x *bytecode.Expr) { found = found || meets(x) })
	return found
}

// read returns how the record of an arm is read for one header word.
func (f *fuser) read(start int, header uint32) (e fastRead, ok bool) {
	r, ok := f.follow(start, header)
	if !ok {
		return e, false
	}
	tag := f.m.tags[r.typ]
	ops := r.ops
	if len(ops) == 0 {
		e.op, e.meta = fastUnit, metaOf(tag, Unit, 0)
		return e, true
	}
	in := ops[0]
	form := func(in bytecode.Instr) (s bytecode.Scalar, form uint8) {
		s = bytecode.Scalar(in.A & 0xff)
		form = uint8(s)
		if in.A&bytecode.FlagWide != 0 {
			form |= formWide
		}
		return s, form
	}
	if len(ops) == 1 {
		switch in.Op {
		case bytecode.Truth:
			e.op, e.meta = fastBool, metaOf(tag, Bool, 0)
			return e, bytecode.Scalar(in.A) == bytecode.U32 && in.C&bytecode.TruthNonzero != 0
		case bytecode.Scalars:
			s, form := form(in)
			switch s {
			case bytecode.I32:
				e.op, e.meta = fastInt32, metaOf(tag, Int, form)
			case bytecode.I64:
				e.op, e.meta = fastInt64, metaOf(tag, Int, form)
			case bytecode.F32:
				e.op, e.meta = fastF32, metaOf(tag, Float, form)
			case bytecode.F64:
				e.op, e.meta = fastF64, metaOf(tag, Float, form)
			case bytecode.U64:
				e.op, e.meta = fastUint64, metaOf(tag, Uint, form)
			}
			return e, e.op != fastNone
		case bytecode.Lanes:
			s, form := form(in)
			e.lanes, e.size = uint16(in.B), in.B*uint32(s.Width())
			e.op, e.meta = fastLanes, metaOf(tag, Lanes, form)
			if e.size == 8 {
				e.op = fastLanes8
			}
			return e, e.size >= 8
		}
		return e, false
	}
	if in.Op != bytecode.Word || len(ops) > 3 {
		return e, false
	}
	word, in := in, ops[1]
	switch in.Op {
	case bytecode.Text:
		c, ok := f.countOf(r, word, in.B)
		e.op, e.meta, e.enc = fastText, metaOf(tag, Text, 0), uint16(in.A)
		return e, ok && c == countPlain && len(ops) == 3 && isPad(ops[2]) && ops[2].B == 0
	case bytecode.Packed:
		s, form := form(in)
		if in.C == bytecode.None {
			return e, false
		}
		c, ok := f.countOf(r, word, in.C)
		e.op, e.meta, e.lanes, e.size = fastPacked, metaOf(tag, Packed, form), uint16(in.B), in.B*uint32(s.Width())
		if len(ops) == 3 {
			if !isPad(ops[2]) {
				return e, false
			}
			e.pad = 1
			if ops[2].B&bytecode.PadOrEnd != 0 {
				e.pad = 2
			}
		}
		return e, ok && c == countPlain
	case bytecode.List:
		e.count, ok = f.countOf(r, word, in.A)
		if len(ops) != 2 || !ok {
			return e, false
		}
		e.meta = metaOf(tag, List, 0)
		if in.B == f.u.routine {
			e.op = fastList
			return e, true
		}
		if enc, ok := f.m.textElement(in.B); ok {
			e.op, e.enc = fastTexts, uint16(enc)
			return e, true
		}
	case bytecode.Map:
		e.count, ok = f.countOf(r, word, in.A)
		e.op, e.meta = fastMap, metaOf(tag, Map, formDistinct)
		return e, ok && len(ops) == 2 && in.B == f.u.routine && in.D == f.u.routine
	}
	return e, false
}

// textElement reports whether a routine is a u32 length, text and padding to 4,
// whose value has tag 0.
func (m *Machine) textElement(routine uint32) (enc uint32, ok bool) {
	r := &m.p.Routines[routine]
	f := &fuser{m: m, r: r}
	if r.Args != 0 {
		return 0, false
	}
	out, ok := f.follow(int(r.Start), 0)
	if !ok || len(out.ops) != 3 || len(out.lets) != 0 || m.tags[out.typ] != 0 {
		return 0, false
	}
	word, text, pad := out.ops[0], out.ops[1], out.ops[2]
	if word.Op != bytecode.Word || word.D != bytecode.None || text.Op != bytecode.Text || !isPad(pad) || pad.B != 0 {
		return 0, false
	}
	c, ok := f.countOf(out, word, text.B)
	return text.A, ok && c == countPlain && f.writesCount(word, 0, bytecode.ExprLen)
}

// writesCount reports whether a word is written as the number of elements, or
// the bytes of text, of the one cell that has a value.
func (f *fuser) writesCount(word bytecode.Instr, cell int, op bytecode.ExprOp) bool {
	p := f.m.p
	if word.C == bytecode.None || word.D != bytecode.None {
		return false
	}
	if anyNode(p.Exprs[word.C], func(e *bytecode.Expr) bool {
		switch e.Op {
		case bytecode.ExprNum, bytecode.ExprFit, bytecode.ExprShl, bytecode.ExprAdd:
			return false
		case op:
			return int(e.Arg) != cell
		}
		return true
	}) {
		return false
	}
	for _, n := range []uint32{0, 1, 2, 3, 1000, 1 << 20, 1<<31 - 2} {
		cells := make([]Value, cell+1)
		want := int64(n)
		switch op {
		case bytecode.ExprLen:
			cells[cell] = Value{kind: Text, n: n}
			p.Exprs[word.C].Walk(func(e *bytecode.Expr) {
				if e.Op == op && p.Encodings[e.Arg2].NUL == bytecode.NULCounted {
					want++
				}
			})
		default:
			cells[cell] = Value{kind: List, n: n}
		}
		s := scope{m: f.m, regs: make([]uint64, 256), cells: cells}
		if x, ok := s.eval(word.C); !ok || x != want {
			return false
		}
	}
	return true
}

// writer finds how values of an arm are written, whose record begins at start.
func (f *fuser) writer(arm bytecode.TableArm, start int) {
	p := f.m.p
	tag := f.m.tags[arm.Type]
	if tag == 0 || int(tag) >= len(f.u.write) {
		return
	}
	t := &p.Types[arm.Type]
	// For each cell that may stand alone, what the header is then.
	r, ok := f.follow(start, uint32(arm.ID))
	if !ok {
		return
	}
	cells := make([]Value, len(t.Fields))
	var outside bytecode.Scalar
	head := func(wide bool) (uint32, bool) {
		expr := p.Exprs[r.header].Clone()
		known := true
		expr.Walk(func(e *bytecode.Expr) {
			switch e.Op {
			case bytecode.ExprOutside:
				known = known && int(e.Arg) == r.cell && (outside == bytecode.NoScalar || outside == bytecode.Scalar(e.Arg2))
				outside = bytecode.Scalar(e.Arg2)
				*e = *bytecode.Num(truth(wide))
			case bytecode.ExprPresent:
				*e = *bytecode.Num(truth(int(e.Arg) == r.cell))
			case bytecode.ExprArm:
				known = known && int(e.Arg) != r.cell
				*e = *bytecode.Num(0)
			case bytecode.ExprExact, bytecode.ExprWide: // widths are not kept
				*e = *bytecode.Num(0)
			case bytecode.ExprCount, bytecode.ExprLen, bytecode.ExprValue, bytecode.ExprReg, bytecode.ExprClosed:
				known = false
			}
		})
		if !known {
			return 0, false
		}
		x, ok := (&scope{m: f.m, cells: cells}).run(expr)
		return uint32(x), ok && x >= 0 && x>>32 == 0
	}
	h, ok := head(false)
	if !ok {
		return
	}
	if h != uint32(arm.ID) {
		if r, ok = f.follow(start, h); !ok {
			return
		}
	}
	e, ok := f.read(start, h)
	if !ok {
		return
	}
	w := fastWrite{op: e.op, scalar: uint8(e.meta>>24) & formScalar, pad: e.pad, enc: e.enc, head: h, size: e.size, lanes: uint32(e.lanes)}
	switch e.op {
	case fastUnit:
		w.kind = Unit
	case fastBool:
		w.kind = Bool
	case fastInt32, fastF32:
		w.kind = Int
		if e.op == fastF32 {
			w.kind = Float
		}
		if outside == bytecode.NoScalar || outside.Width() != 4 || outside.IsFloat() != (e.op == fastF32) {
			return // one width only
		}
		if w.wide, ok = head(true); !ok {
			return
		}
		wide, ok := f.read(start, w.wide)
		if !ok || e.op == fastInt32 && wide.op != fastInt64 || e.op == fastF32 && wide.op != fastF64 {
			return
		}
	case fastUint64:
		w.kind = Uint
	case fastLanes8, fastLanes:
		w.kind = Lanes
	case fastText:
		w.kind = Text
		if !f.writesCount(r.ops[0], r.cell, bytecode.ExprLen) {
			return
		}
	case fastPacked, fastList, fastMap, fastTexts:
		w.kind = map[fastOp]Kind{fastPacked: Packed, fastList: List, fastMap: Map, fastTexts: List}[e.op]
		if !f.writesCount(r.ops[0], r.cell, bytecode.ExprCount) {
			return
		}
	default:
		return
	}
	f.u.write[tag] = w
}
