// Fusing: arms of unions that are plain enough to be read and written in one
// step each.
//
// The plain form of an arm ([bytecode.Program.Plain]) is taken for the header word
// that it has without flags, and for the one with the flag that the schema's numbers
// have most: words that follow from the header are known then, and conditions on them
// are decided. Forms of known shapes become one operation of the fast loops, with its
// sizes as constants. An arm of any other shape is left to the instructions, and so is
// any header word of another form.

package interp

import (
	"math"
	"math/bits"
	"sync"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// fastOp is one operation of the fast loops.
type fastOp uint8

const (
	fastNone   fastOp = iota // not fused
	fastUnit                 // nothing after the header
	fastBool                 // u32, nonzero is true
	fastInt                  // i32, or i64 with the flag
	fastInt32                // i32 with any flag
	fastInt64                // i64 with any flag
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
	countPlain  uint8 = iota // unchanged
	countLow31               // the highest bit is ignored
	countSigned              // a negative count is 0
)

// fastRead is how one header word is read.
type fastRead struct {
	meta  uint32 // tag, kind and form of the value
	op    fastOp
	count uint8
	pad   uint8  // packed: 1 if there is padding, 2 if it may be missing at the end
	size  uint32 // bytes of all numbers, or of an element
	lanes uint16
	enc   uint16
}

// metaOf packs tag, kind and form in the layout of a Value.
func metaOf(tag uint16, kind Kind, form uint8) uint32 {
	return uint32(tag) | uint32(kind)<<16 | uint32(form)<<24
}

// set stores a value field by field, which is faster than storing it whole.
// meta is tag, kind and form as [metaOf] packs them.
func (v *Value) set(p unsafe.Pointer, u uint64, n, meta uint32) {
	v.p = p
	v.u = u
	v.n = n
	if memory.Raw {
		*(*uint32)(unsafe.Pointer(&v.tag)) = meta
	} else {
		v.tag, v.kind, v.form = uint16(meta), Kind(meta>>16), uint8(meta>>24) // unreachable: except with the tag octable_safe
	}
}

// setNumber stores a number as set does, or a list without elements.
func (v *Value) setNumber(u uint64, meta uint32) { v.set(nil, u, 0, meta) }

// fastWrite is how values of one tag are written.
type fastWrite struct {
	tag    uint16
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
	keyHead uint32        // the header word of text, the usual type of keys
	keyMeta uint32
	mapMode uint           // of the cells of a map: modeMap, or modeSuspect in a union without text
	write   [256]fastWrite // by the low byte of the tag
	rest    func() *plan   // for values in other forms; made when first needed
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
	if in.Op != bytecode.Union || in.Scalar() != bytecode.U32 || in.Swapped() || r.Args != 0 {
		return nil
	}
	u := &fastUnion{routine: routine, nests: r.Nests, least: int(p.Bounds(routine).Min)}
	u.rest = sync.OnceValue(func() *plan { return m.makePlan(routine) })
	number, ok := p.Exprs[in.C].Bits(in.B)
	if u.least < 4 || !ok || number.Shift != 0 || number.Floor || number.Mask&63 != 63 {
		return nil
	}
	u.mapMode = modeSuspect
	f := &fuser{m: m, u: u, r: r, wordReg: in.B}
	arms := p.Tables[in.D].Arms
	for i, arm := range arms {
		if arm.Else || arm.IDs != nil || arm.ID >= 64 {
			continue
		}
		start := m.armStart(routine, i)
		e, ok := f.read(start, uint32(arm.ID))
		if ok {
			u.read[2*arm.ID] = e
			if e.op == fastText && u.mapMode == modeSuspect {
				u.keyHead, u.keyMeta, u.mapMode = uint32(arm.ID), e.meta, modeMap
			}
		}
		if ok {
			f.flag(start, uint32(arm.ID), f.looks&^number.Mask, e)
		}
	}
	u.other = ^(63 | u.flag)
	// The type number goes to the highest 6 bits and the flag to the one below;
	// what else the product has lies lower, since the flag is bit 6 or higher.
	u.spread = 1 << 26
	if u.flag != 0 {
		u.spread |= 1 << (25 - bits.TrailingZeros32(u.flag))
	}
	for i, arm := range arms {
		if arm.Else || arm.IDs != nil || arm.ID >= 64 {
			continue
		}
		start := m.armStart(routine, i)
		if u.flag != 0 {
			if e, ok := f.read(start, uint32(arm.ID)|u.flag); ok {
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

// flag notes the lowest bit that changes the form of an arm without changing its number. A bit
// that is not lower than that of the arms before is left out. The arm's form without it is e;
// it looks at some bits of the header word that are not of the number, so they are bit 6 or
// higher.
func (f *fuser) flag(start int, id uint32, looks uint64, e fastRead) {
	for ; looks != 0; looks &= looks - 1 {
		bit := bits.TrailingZeros64(looks)
		flag := uint32(1) << bit
		if bit > 25 || f.u.flag != 0 && flag >= f.u.flag {
			return
		}
		if other, ok := f.read(start, id|flag); ok && other != e {
			f.u.flag = flag
		}
	}
}

// fuser finds the plain forms of the arms of one union.
type fuser struct {
	m       *Machine
	u       *fastUnion
	r       *bytecode.Routine
	wordReg uint32
	looks   uint64 // bits of the header word that the last form looked at
}

// run is the steps of a record that remain for one header word.
type run struct {
	ops    []*bytecode.Step
	typ    uint32
	cell   int    // the one cell that gets a value
	header uint32 // expression of the header word
}

// follow returns the run of a record for a header word. It is not ok if the
// record does more than the fast loops can.
func (f *fuser) follow(start int, known ...bytecode.Known) (out run, ok bool) {
	p := f.m.p
	form := p.Plain(start, bytecode.Reading, known...)
	f.looks = form.Looks
	if !form.Whole {
		return out, false
	}
	out = run{typ: form.Type, cell: none, header: form.Head}
	for i := range form.Steps.List {
		x := &form.Steps.List[i]
		switch x.Op {
		case bytecode.Absent:
			continue
		case bytecode.Let:
			if form.Needs(x.A) {
				return out, false
			}
			continue
		case bytecode.Word, bytecode.Pad:
		case bytecode.Scalars, bytecode.Truth, bytecode.Lanes, bytecode.Text, bytecode.List, bytecode.Map, bytecode.Packed:
			if out.cell >= 0 {
				return out, false
			}
			out.cell = int(x.Cell())
		default:
			return out, false
		}
		out.ops = append(out.ops, x)
	}
	done := &p.Code[form.Leave]
	t := &p.Types[form.Type]
	if out.cell >= 0 && (done.B&bytecode.DoneAlone == 0 || !t.Fields[out.cell].Alone) {
		return out, false
	}
	return out, out.cell >= 0 || len(t.Fields) == 0
}

// countRule returns how a count follows from a word of 32 bits.
func countRule(x *bytecode.Step) (uint8, bool) {
	b := x.From
	switch {
	case b == nil || b.Shift != 0:
	case b.Mask == 0x7fffffff && !b.Floor && (b.Scalar == bytecode.U32 || b.Scalar == bytecode.I32):
		return countLow31, true
	case b.Mask != math.MaxUint64:
	case b.Scalar == bytecode.U32:
		return countPlain, true
	case b.Scalar == bytecode.I32 && b.Floor:
		return countSigned, true
	}
	return 0, false
}

func isPad(x *bytecode.Step) bool {
	return x.Op == bytecode.Pad && x.A == 4 && x.C == 0 && x.B&bytecode.PadExact == 0
}

// read returns how the record of an arm is read for one header word.
func (f *fuser) read(start int, header uint32) (e fastRead, ok bool) {
	r, ok := f.follow(start, bytecode.Known{Reg: f.wordReg, Word: uint64(header)})
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
	form := func(in *bytecode.Step) (s bytecode.Scalar, form uint8) {
		s = in.Scalar()
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
			return e, in.Scalar() == bytecode.U32 && in.C&bytecode.TruthNonzero != 0
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
	in = ops[1]
	switch in.Op {
	case bytecode.Text:
		c, ok := countRule(in)
		e.op, e.meta, e.enc = fastText, metaOf(tag, Text, 0), uint16(in.A)
		return e, ok && c == countPlain && len(ops) == 3 && isPad(ops[2]) && ops[2].B == 0
	case bytecode.Packed:
		s, form := form(in)
		if in.C == bytecode.None {
			return e, false
		}
		c, ok := countRule(in)
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
		e.count, ok = countRule(in)
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
		e.count, ok = countRule(in)
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
	if r.Args != 0 || m.p.Code[r.Start].Op != bytecode.Fields {
		return 0, false
	}
	out, ok := f.follow(int(r.Start))
	if !ok || len(out.ops) != 3 || m.tags[out.typ] != 0 {
		return 0, false
	}
	word, text, pad := out.ops[0], out.ops[1], out.ops[2]
	if word.Op != bytecode.Word || text.Op != bytecode.Text || !isPad(pad) || pad.B != 0 {
		return 0, false
	}
	c, ok := countRule(text)
	return text.A, ok && c == countPlain && writesCount(word, text)
}

// writesCount reports whether a word is written as the size of the cell of the step behind it.
// The size is the number of elements, or the bytes of text.
func writesCount(word, x *bytecode.Step) bool {
	h := word.Holds
	return h != nil && word.D == bytecode.None && x.Sure && h.Add == 0 && h.Max >= math.MaxInt32
}

// writer finds how values of an arm are written, whose record begins at start.
func (f *fuser) writer(arm bytecode.TableArm, start int) {
	p := f.m.p
	tag := f.m.tags[arm.Type]
	if tag == 0 || f.u.write[uint8(tag)].op != fastNone { // the low byte of the tag may be that of an arm before
		return
	}
	// The header of a value that consists of one cell alone, for each such cell.
	r, ok := f.follow(start, bytecode.Known{Reg: f.wordReg, Word: arm.ID})
	if !ok || r.header == bytecode.None {
		return
	}
	var outside bytecode.Scalar
	// head computes the header word if the one cell has a value.
	head := func(wide bool) (uint32, bool) {
		x, ok := p.Exprs[r.header].Fold(func(e *bytecode.Expr) (int64, bool) {
			switch e.Op {
			case bytecode.ExprOutside:
				if int(e.Arg) != r.cell || outside != bytecode.NoScalar && outside != bytecode.Scalar(e.Arg2) {
					return 0, false
				}
				outside = bytecode.Scalar(e.Arg2)
				return truth(wide), true
			case bytecode.ExprPresent:
				return truth(int(e.Arg) == r.cell), true
			case bytecode.ExprArm:
				return 0, int(e.Arg) != r.cell
			case bytecode.ExprExact, bytecode.ExprWide: // widths are not kept
				return 0, true
			}
			return 0, false
		})
		return uint32(x), ok && x >= 0 && x>>32 == 0
	}
	h, ok := head(false)
	if !ok {
		return
	}
	if h != uint32(arm.ID) {
		if r, ok = f.follow(start, bytecode.Known{Reg: f.wordReg, Word: uint64(h)}); !ok {
			return
		}
	}
	e, ok := f.read(start, h)
	if !ok {
		return
	}
	w := fastWrite{tag: tag, op: e.op, scalar: uint8(e.meta>>24) & formScalar, pad: e.pad, enc: e.enc, head: h, size: e.size, lanes: uint32(e.lanes)}
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
		w.wide, ok = head(true)
		wide, fits := f.read(start, w.wide)
		if !ok || !fits || e.op == fastInt32 && wide.op != fastInt64 || e.op == fastF32 && wide.op != fastF64 {
			return
		}
	case fastUint64:
		w.kind = Uint
	case fastLanes8, fastLanes:
		w.kind = Lanes
	case fastText:
		w.kind = Text
		if !writesCount(r.ops[0], r.ops[1]) || p.Encodings[e.enc].NUL == bytecode.NULCounted {
			return
		}
	case fastPacked, fastList, fastMap, fastTexts:
		w.kind = map[fastOp]Kind{fastPacked: Packed, fastList: List, fastMap: Map, fastTexts: List}[e.op]
		if !writesCount(r.ops[0], r.ops[1]) {
			return
		}
	default:
		return
	}
	f.u.write[uint8(tag)] = w
}
