// Plain forms: arms that are a word and one thing after it, as most values are.
// For these there is a loop (fast.go) beside the functions that read and write
// everything (read.go, write.go).

package golang

import (
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/schema"
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
	scalar  bytecode.Scalar
	wide    bool // it is the wider of two forms
	width   int
	enc     int
	pad     bool
	orEnd   bool
	signed  bool        // the word of the count is signed
	reg     int         // register of that word
	count   *model.Expr // of the count, over that register
	nonzero bool

	writes bool // a writer writes this form where nothing asks for another
}

// plains finds the plain forms of the root's union, by arm. There are none where its
// word is not of four bytes with the lowest one first.
func (g *generator) plains() map[*model.Arm]*plain {
	r := g.m.Root
	u := r.Union
	if u == nil || u.Word != bytecode.U32 || g.m.Big || r.Args > 0 || g.m.CountCalls || !r.Nests {
		return nil
	}
	mask, ok := armBits(u)
	if !ok {
		return nil
	}
	out := map[*model.Arm]*plain{}
	loops := false
	for _, a := range u.Arms {
		if a.Else || a.ID&^mask != 0 {
			return nil
		}
		if p := g.plain(r, a); p.kind != notPlain {
			out[a] = p
			loops = loops || p.kind == plainList || p.kind == plainMap
		}
	}
	if !loops {
		return nil
	}
	return out
}

// armBits returns the bits of a union's word that tell its arms apart, from bit 0 on.
func armBits(u *model.Switch) (uint64, bool) {
	switch e := u.Expr; {
	case e.Op == bytecode.ExprReg && e.Reg == u.Reg:
		return 1<<32 - 1, true
	case e.Op == bytecode.ExprAnd && e.Args[0].Op == bytecode.ExprReg && e.Args[0].Reg == u.Reg && e.Args[1].Op == bytecode.ExprNum:
		m := uint64(e.Args[1].Num)
		return m, m&(m+1) == 0 && m < 1<<32
	}
	return 0, false
}

// folding follows an arm under the assumption that bits of its word are known.
type folding struct {
	word int // register of the word
	regs map[int]int64
	mask uint64 // bits of the word that were looked at
	ok   bool
	// writing: the word, and cells that are absent
	head   int64
	writes bool
	alone  int // the cell that has a value
}

// value returns the number that an expression has, if it is known.
func (f *folding) value(e *model.Expr) (int64, bool) {
	if e.Op == bytecode.ExprNum {
		return e.Num, true
	}
	var args []int64
	for i, a := range e.Args {
		if e.Op == bytecode.ExprSelect && e.Args[0].Op == bytecode.ExprExact && i < 2 {
			args = append(args, 0) // widths are not kept here
			continue
		}
		x, ok := f.value(a)
		if !ok {
			return 0, false
		}
		args = append(args, x)
	}
	truth := func(b bool) (int64, bool) {
		if b {
			return 1, true
		}
		return 0, true
	}
	switch e.Op {
	case bytecode.ExprReg:
		x, ok := f.regs[e.Reg]
		return x, ok
	case bytecode.ExprAdd:
		return args[0] + args[1], true
	case bytecode.ExprSub:
		return args[0] - args[1], true
	case bytecode.ExprAnd:
		return args[0] & args[1], true
	case bytecode.ExprShl:
		return args[0] << (uint64(args[1]) & 63), true
	case bytecode.ExprShr:
		return int64(uint64(args[0]) >> (uint64(args[1]) & 63)), true
	case bytecode.ExprEq:
		return truth(args[0] == args[1])
	case bytecode.ExprNe:
		return truth(args[0] != args[1])
	case bytecode.ExprNot:
		return truth(args[0] == 0)
	case bytecode.ExprSelect:
		if args[0] != 0 {
			return args[1], true
		}
		return args[2], true
	case bytecode.ExprFit:
		return args[0], args[0] >= 0 && uint64(args[0])>>uint(e.Num&63) == 0
	case bytecode.ExprExact:
		return 0, true
	case bytecode.ExprPresent, bytecode.ExprArm:
		if f.writes && e.Cell != f.alone {
			return 0, true
		}
		if f.writes && e.Op == bytecode.ExprPresent {
			return 1, true
		}
	}
	return 0, false
}

// look notes which bits of the word an expression takes, if it takes some.
func (f *folding) look(e *model.Expr) bool {
	shift := int64(0)
	mask := int64(-1)
	if e.Op == bytecode.ExprAnd && e.Args[1].Op == bytecode.ExprNum {
		mask = e.Args[1].Num
		e = e.Args[0]
	}
	if e.Op == bytecode.ExprShr && e.Args[1].Op == bytecode.ExprNum {
		shift = e.Args[1].Num
		e = e.Args[0]
	}
	if e.Op != bytecode.ExprReg || e.Reg != f.word || mask < 0 || shift < 0 || shift > 31 {
		return false
	}
	f.mask |= uint64(mask) << uint(shift) & (1<<32 - 1)
	return true
}

// flatten returns the statements that are left when what is known is known.
func (f *folding) flatten(block []*model.Stmt) []*model.Stmt {
	var out []*model.Stmt
	for _, s := range block {
		switch s.Op {
		case bytecode.Subst, bytecode.Absent:
		case bytecode.Header:
			if f.writes {
				x, ok := f.value(s.Expr)
				if !ok || x < 0 || x >= 1<<32 {
					f.ok = false
					return nil
				}
				f.head, f.regs[s.Reg] = x, x
			}
		case bytecode.Let:
			if f.writes {
				if x, ok := f.value(s.Expr); ok {
					f.regs[s.Reg] = x
					continue
				}
			} else if f.look(s.Expr) {
				f.regs[s.Reg], _ = f.value(s.Expr)
				continue
			}
			out = append(out, s)
		case bytecode.If:
			x, ok := f.value(s.Expr)
			if !ok {
				f.ok = false
				return nil
			}
			if x != 0 {
				out = append(out, f.flatten(s.Then)...)
			} else {
				out = append(out, f.flatten(s.Else)...)
			}
		default:
			out = append(out, s)
		}
	}
	return out
}

// plain finds the plain form of an arm.
func (g *generator) plain(r *model.Routine, a *model.Arm) *plain {
	p := &plain{arm: a}
	if g.twoWidths(r, p) {
		return p
	}
	// What is written where nothing asks for another form is what is mostly read.
	cell := -1
	for i, f := range a.Type.Fields {
		if f.Alone && !f.Optional || len(a.Type.Fields) == 1 {
			cell = i
			break
		}
	}
	p.head = a.ID
	write := &folding{word: r.Union.Reg, regs: map[int]int64{}, ok: true, writes: true, alone: cell}
	written := write.flatten(a.Body)
	q := &plain{arm: a}
	if write.ok && g.match(r, q, written) && g.derived(written) {
		p.writes, p.head = true, uint64(write.head)
	}
	read := &folding{word: r.Union.Reg, regs: map[int]int64{r.Union.Reg: int64(p.head)}, ok: true}
	body := read.flatten(a.Body)
	if !read.ok || !g.match(r, p, body) {
		p.kind = notPlain
		return p
	}
	p.mask = read.mask
	if p.kind != plainUnit {
		for _, s := range body {
			switch s.Op {
			case bytecode.Word, bytecode.Let, bytecode.Pad:
			default:
				if s.Cell != cell || !a.Type.Fields[cell].Alone {
					p.kind = notPlain
					return p
				}
			}
		}
	}
	p.writes = p.writes && q.kind == p.kind && q.width == p.width && q.scalar == p.scalar
	return p
}

// derived reports whether the word of a count or length is just that.
func (g *generator) derived(body []*model.Stmt) bool {
	for _, s := range body {
		if s.Op != bytecode.Word {
			continue
		}
		e := s.Expr
		if e == nil {
			return false
		}
		if e.Op == bytecode.ExprFit {
			e = e.Args[0]
		}
		switch e.Op {
		case bytecode.ExprCount:
		case bytecode.ExprLen:
			if g.m.Encodings[e.Encoding].NUL == schema.NULCounted {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// match sets the form of an arm from its statements without branches.
func (g *generator) match(r *model.Routine, p *plain, body []*model.Stmt) bool {
	at := func(i int, op bytecode.Op) *model.Stmt {
		if i < len(body) && body[i].Op == op {
			return body[i]
		}
		return nil
	}
	if len(body) == 0 {
		p.kind = plainUnit
		return len(p.arm.Type.Fields) == 0
	}
	if len(body) == 1 {
		switch s := body[0]; s.Op {
		case bytecode.Truth:
			p.kind, p.nonzero = plainTruth, s.Nonzero
			return s.Scalar == bytecode.U32 && s.Nonzero
		case bytecode.Scalars:
			p.kind, p.scalar, p.wide = plainScalar, s.Scalar, s.Wide
			return s.Scalar.Width() >= 4 && s.Scalar != bytecode.Code4
		case bytecode.Lanes:
			p.kind, p.scalar, p.wide, p.width = plainLanes, s.Scalar, s.Wide, s.Width
			return true
		}
		return false
	}
	w := at(0, bytecode.Word)
	if w == nil || w.Scalar != bytecode.U32 && w.Scalar != bytecode.I32 || w.Place >= 0 {
		return false
	}
	p.signed, p.reg = w.Scalar.Signed(), w.Reg
	i := 1
	if l := at(1, bytecode.Let); l != nil { // the count without a flag
		if e := l.Expr; e.Op != bytecode.ExprAnd || e.Args[0].Op != bytecode.ExprReg || e.Args[0].Reg != w.Reg || e.Args[1].Op != bytecode.ExprNum {
			return false
		}
		p.count = l.Expr
		i++
		p.reg = w.Reg
		defer func(reg int) {
			if p.count != nil && p.count != l.Expr {
				p.count = nil
			}
		}(l.Reg)
	}
	if i >= len(body) {
		return false
	}
	s := body[i]
	counts := func(e *model.Expr) bool { // e is the word, or what the let made of it
		switch {
		case e == nil:
			return false
		case p.count != nil:
			return e.Op == bytecode.ExprReg && e.Reg == body[1].Reg
		}
		p.count = e
		only := true
		e.Walk(func(x *model.Expr) { only = only && (x.Op != bytecode.ExprReg || x.Reg == w.Reg) && !x.Op.NeedsCells() })
		return only
	}
	last := i == len(body)-1
	pad := at(i+1, bytecode.Pad)
	if pad != nil {
		if pad.Align != 4 || pad.Exact || pad.Fill != 0 || i+1 != len(body)-1 {
			return false
		}
		p.pad, p.orEnd, last = true, pad.OrEnd, true
	}
	if !last {
		return false
	}
	switch s.Op {
	case bytecode.Text:
		p.kind, p.enc = plainText, s.Encoding
		return p.pad && !p.orEnd && !p.signed && counts(s.Expr) && p.count.Op == bytecode.ExprReg
	case bytecode.Packed:
		p.kind, p.scalar, p.wide, p.width = plainPacked, s.Scalar, s.Wide, s.Width
		return counts(s.Expr)
	case bytecode.List:
		p.kind = plainList
		return !p.pad && s.Elem == r && counts(s.Expr)
	case bytecode.Map:
		p.kind = plainMap
		return !p.pad && s.Elem == r && s.Key == r && counts(s.Expr)
	}
	return false
}

// twoWidths finds a number that has 4 bytes, or 8 where a bit of the word says so,
// and is written with 8 where 4 cannot hold it.
func (g *generator) twoWidths(r *model.Routine, p *plain) bool {
	var head, let, cond *model.Stmt
	for _, s := range p.arm.Body {
		switch s.Op {
		case bytecode.Header:
			head = s
		case bytecode.Let:
			let = s
		case bytecode.If:
			cond = s
		default:
			return false
		}
	}
	if head == nil || let == nil || cond == nil || len(p.arm.Body) != 3 || len(p.arm.Type.Fields) != 1 {
		return false
	}
	f := &folding{word: r.Union.Reg}
	if !f.look(let.Expr) || bits.OnesCount64(f.mask) != 1 {
		return false
	}
	narrow, wide := cond.Then, cond.Else
	switch e := cond.Expr; {
	case e.Op == bytecode.ExprReg && e.Reg == let.Reg:
		narrow, wide = wide, narrow
	case e.Op == bytecode.ExprNot && e.Args[0].Op == bytecode.ExprReg && e.Args[0].Reg == let.Reg:
	default:
		return false
	}
	if len(narrow) != 1 || len(wide) != 1 || narrow[0].Op != bytecode.Scalars || wide[0].Op != bytecode.Scalars || narrow[0].Wide || !wide[0].Wide {
		return false
	}
	switch [2]bytecode.Scalar{narrow[0].Scalar, wide[0].Scalar} {
	case [2]bytecode.Scalar{bytecode.I32, bytecode.I64}:
		p.kind = plainInts
	case [2]bytecode.Scalar{bytecode.F32, bytecode.F64}:
		p.kind = plainFloats
	default:
		return false
	}
	p.bit = bits.TrailingZeros64(f.mask)
	p.scalar = narrow[0].Scalar
	// the word is a number, and the bit where the number is outside of 4 bytes
	if e := head.Expr; e.Op == bytecode.ExprAdd && e.Args[0].Op == bytecode.ExprNum {
		flag := e.Args[1]
		if flag.Op == bytecode.ExprShl && flag.Args[1].IsNum(int64(p.bit)) {
			flag = flag.Args[0]
			for flag.Op == bytecode.ExprFit {
				flag = flag.Args[0]
			}
			if flag.Op == bytecode.ExprSelect && flag.Args[0].Op == bytecode.ExprExact {
				flag = flag.Args[2]
			}
			if flag.Op == bytecode.ExprOutside && flag.Scalar == p.scalar {
				p.writes, p.head = true, uint64(e.Args[0].Num)
			}
		}
	}
	return true
}
