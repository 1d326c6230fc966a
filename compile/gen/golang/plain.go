// Plain forms: arms that are a word and one thing after it, as most values are.
// For these there is a loop (fast.go) beside the functions that read and write
// everything (read.go, write.go).

package golang

import (
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// plainKind says what follows the word of an arm.
type plainKind int

const (
	notPlain plainKind = iota
	plainUnit
	plainTruth
	plainScalar // one number
	plainInts   // a whole number of 4 bytes or, where a bit of the word says so, of 8
	plainFloats // another number of 4 bytes or 8
	plainText
	plainLanes
	plainPacked
	plainList
	plainMap
)

// plain is the plain form of an arm.
type plain struct {
	arm     *model.Arm
	kind    plainKind
	head    uint64 // the word
	mask    uint64 // bits of it that the arm looks at; others may be anything when reading
	bit     int    // plainInts, plainFloats: which bit says that there are 8 bytes
	scalar  builtin.Scalar
	wide    bool // it is the wider of two forms
	width   int
	enc     int
	pad     bool
	orEnd   bool
	count   *bytecode.Bits // how the number of parts follows from its word
	nonzero bool

	writes bool // a writer writes this form where nothing asks for another
}

// plains finds the plain forms of the root's union, by arm. It is empty if its
// word is not of four bytes with the lowest one first.
func (g *generator) plains() map[*model.Arm]*plain {
	r := g.m.Root
	u := r.Union
	if u == nil || u.Word != builtin.U32 || g.m.Big || r.Args > 0 || g.m.CountCalls || !r.Nests || g.on["parts"] {
		return nil
	}
	mask, ok := g.armBits()
	if !ok {
		return nil
	}
	table := g.root().D
	out := map[*model.Arm]*plain{}
	loops := false
	for i, a := range u.Arms {
		if a.IDs.Several() {
			continue
		}
		if a.Else || a.ID&^mask != 0 {
			return nil
		}
		f := former{g: g, arm: a, fields: g.m.Program.ArmAt(table, i) + 1}
		if p := f.plain(); p.kind != notPlain {
			out[a] = p
			loops = loops || p.kind == plainList || p.kind == plainMap
		}
	}
	if !loops {
		return nil
	}
	return out
}

// root returns the first instruction of the root, which is a union.
func (g *generator) root() *bytecode.Instr {
	return &g.m.Program.Code[g.m.Program.Routines[g.m.Root.Index].Start]
}

// armBits returns the bits of the word of the root's union that distinguish its arms,
// from bit 0 on.
func (g *generator) armBits() (uint64, bool) {
	in := g.root()
	b, ok := g.m.Program.Exprs[in.C].Bits(in.B)
	m := b.Mask & (1<<32 - 1)
	return m, ok && b.Shift == 0 && !b.Floor && m&(m+1) == 0
}

// former finds the plain form of an arm.
type former struct {
	g      *generator
	arm    *model.Arm
	fields int // the instruction that begins it
	looks  uint64
	expr   uint32 // of the header word
}

// read returns the steps that are left of the arm for a word, in the order of the
// bytes.
func (f *former) read(word uint64) (steps []*bytecode.Step, ok bool) {
	form := f.g.m.Program.Plain(f.fields, bytecode.Reading, bytecode.Known{Reg: f.g.root().B, Word: word})
	f.looks, f.expr = form.Looks, form.Head
	for i := range form.Steps.List {
		switch x := &form.Steps.List[i]; x.Op {
		case bytecode.Absent:
		case bytecode.Let:
			if form.Needs(x.A) {
				return nil, false
			}
		default:
			steps = append(steps, x)
		}
	}
	return steps, form.Whole
}

// head computes the word with which a writer begins the arm if only the field alone has a
// value. outside tells whether a scalar cannot hold it. Widths are not kept.
func (f *former) head(alone int, outside bool, scalar builtin.Scalar) (uint64, bool) {
	if f.expr == bytecode.None {
		return 0, false
	}
	is := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	x, ok := f.g.m.Program.Exprs[f.expr].Fold(func(e *bytecode.Expr) (int64, bool) {
		switch e.Op {
		case bytecode.ExprExact, bytecode.ExprWide:
			return 0, true
		case bytecode.ExprPresent:
			return is(int(e.Arg) == alone), true
		case bytecode.ExprArm:
			return 0, int(e.Arg) != alone
		case bytecode.ExprOutside:
			return is(outside), int(e.Arg) == alone && builtin.Scalar(e.Arg2) == scalar
		}
		return 0, false
	})
	return uint64(x), ok && x >= 0 && x < 1<<32
}

// plain finds the plain form of the arm.
func (f *former) plain() *plain {
	a := f.arm
	if p, ok := f.twoWidths(); ok {
		return p
	}
	// The form that is written if nothing asks for another one is mostly read.
	cell := -1
	for i, field := range a.Type.Fields {
		if field.Alone && !field.Optional || len(a.Type.Fields) == 1 {
			cell = i
			break
		}
	}
	p := &plain{arm: a, head: a.ID}
	if h, ok := f.head(cell, false, builtin.NoScalar); ok {
		steps, ok := f.read(h)
		if ok && f.match(new(plain), steps) && f.derived(steps) {
			p.writes, p.head = true, h
		}
	}
	steps, ok := f.read(p.head)
	if !ok || !f.match(p, steps) {
		p.kind = notPlain
		return p
	}
	p.mask = f.looks & (1<<32 - 1)
	for _, x := range steps {
		if c := x.Cell(); c != bytecode.None && (int(c) != cell || !a.Type.Fields[cell].Alone) {
			p.kind = notPlain
		}
	}
	return p
}

// derived reports whether the word of a count or length is just that.
func (f *former) derived(steps []*bytecode.Step) bool {
	for _, x := range steps {
		if x.Op != bytecode.Word {
			continue
		}
		h := x.Holds
		if h == nil || h.Add != 0 || h.Op == bytecode.ExprLen && f.g.m.Program.Encodings[h.Enc].NUL == bytecode.NULCounted {
			return false
		}
	}
	return true
}

// number sets scalar and width of numbers.
func (p *plain) number(x *bytecode.Step) {
	p.scalar, p.wide = x.Scalar(), x.A&bytecode.FlagWide != 0
	if x.Op != bytecode.Scalars {
		p.width = int(x.B)
	}
}

// match sets the form of the arm from its steps.
func (f *former) match(p *plain, steps []*bytecode.Step) bool {
	root := uint32(f.g.m.Root.Index)
	if len(steps) == 0 {
		p.kind = plainUnit
		return len(f.arm.Type.Fields) == 0
	}
	x := steps[0]
	if len(steps) == 1 {
		switch x.Op {
		case bytecode.Truth:
			p.kind, p.nonzero = plainTruth, x.C&bytecode.TruthNonzero != 0
			return x.Scalar() == builtin.U32 && p.nonzero
		case bytecode.Scalars:
			p.kind = plainScalar
			p.number(x)
			return p.scalar.Width() >= 4 && p.scalar != builtin.Code4
		case bytecode.Lanes:
			p.kind = plainLanes
			p.number(x)
			return true
		}
		return false
	}
	word := x
	if s := word.Scalar(); word.Op != bytecode.Word || s != builtin.U32 && s != builtin.I32 || word.D != bytecode.None || len(steps) > 3 {
		return false
	}
	if len(steps) == 3 {
		pad := steps[2]
		if pad.Op != bytecode.Pad || pad.A != 4 || pad.B&bytecode.PadExact != 0 || pad.C != 0 {
			return false
		}
		p.pad, p.orEnd = true, pad.B&bytecode.PadOrEnd != 0
	}
	x = steps[1]
	p.count = x.From
	if p.count == nil || p.count.Shift != 0 {
		return false
	}
	switch x.Op {
	case bytecode.Text:
		p.kind, p.enc = plainText, int(x.A)
		return p.pad && !p.orEnd && p.count.Scalar == builtin.U32 && p.count.Plain()
	case bytecode.Packed:
		p.kind = plainPacked
		p.number(x)
		return true
	case bytecode.List:
		p.kind = plainList
		return !p.pad && x.B == root
	case bytecode.Map:
		p.kind = plainMap
		return !p.pad && x.B == root && x.D == root
	}
	return false
}

// twoWidths finds a number of 4 bytes, or of 8 if a bit of the word says so. A writer uses 8 if
// 4 cannot hold the number.
func (f *former) twoWidths() (*plain, bool) {
	p := &plain{arm: f.arm}
	one := func(word uint64) *bytecode.Step {
		steps, ok := f.read(word)
		if !ok || len(steps) != 1 || steps[0].Op != bytecode.Scalars {
			return nil
		}
		return steps[0]
	}
	narrow := one(f.arm.ID)
	if narrow == nil || len(f.arm.Type.Fields) != 1 || bits.OnesCount64(f.looks) != 1 {
		return nil, false
	}
	p.bit = bits.TrailingZeros64(f.looks)
	wide := one(f.arm.ID | 1<<p.bit)
	if wide == nil || wide.A&bytecode.FlagWide == 0 {
		return nil, false
	}
	p.scalar = builtin.Scalar(narrow.A)
	switch [2]builtin.Scalar{p.scalar, wide.Scalar()} {
	case [2]builtin.Scalar{builtin.I32, builtin.I64}:
		p.kind = plainInts
	case [2]builtin.Scalar{builtin.F32, builtin.F64}:
		p.kind = plainFloats
	default:
		return nil, false
	}
	// the word is a number, and the bit where the number is outside of 4 bytes
	short, ok := f.head(0, false, p.scalar)
	long, okLong := f.head(0, true, p.scalar)
	if ok && okLong && long == short|1<<p.bit && long != short {
		p.writes, p.head = true, short
	}
	return p, true
}
