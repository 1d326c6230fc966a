// The analysis of a program: which words steer which instructions.

package corrupt

import (
	"math/bits"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// role is what a part of a word is for.
type role uint8

const (
	unused   role = iota // nobody reads the bits
	selector             // leads to an arm of a union
	typeID               // names an arm of a union
	length               // bytes of a text or region
	count                // elements of an array or list
	place                // of a part, behind the beginning of a record
	flag                 // decides which rows there are
	checked              // a condition is about it
	content              // kept as a field of the value
)

// span is a part of a word: bits from shift on.
type span struct{ shift, bits int }

func (s span) mask() uint64 { return (1<<s.bits - 1) << s.shift }

// part is a span and what it is for.
type part struct {
	span
	role  role
	size  int    // count: the fewest bytes of an element that it may be of
	rule  uint32 // the row that names the part, which is the word's own where no other does
	table *bytecode.Table
	expr  *bytecode.Expr // checked, flag: the condition; nil if another routine has it. count, length, place: the number
	plain bool           // count, length, place: a register of the expression is the part unchanged
}

// direct reports whether a count or a length is the part unchanged.
func (p *part) direct() bool { return p.plain && p.expr.Op == bytecode.ExprReg }

// gives reports whether a length is n for a number in the part.
func (p *part) gives(number, n uint64) bool {
	got, ok := p.value(number)
	return ok && got == n
}

// value returns the length, count or place for a number in the part. It is not ok if other numbers are needed.
func (p *part) value(number uint64) (uint64, bool) {
	if !p.plain {
		return 0, false
	}
	got, ok := p.expr.Fold(func(e *bytecode.Expr) (int64, bool) { return int64(number), e.Op == bytecode.ExprReg })
	return uint64(got), ok
}

// word is the analysis of one word instruction. It may be that of the word of a
// union as one of its arms sees it.
type word struct {
	rule   uint32
	scalar bytecode.Scalar
	parts  []part
}

// rest returns the bits that no part of the word has.
func (w *word) rest() uint64 {
	all := wholeOf(w.scalar).mask()
	for _, p := range w.parts {
		all &^= p.mask()
	}
	return all
}

// reader is the analysis of a program.
type reader struct {
	p       *bytecode.Program
	words   map[uint32][]*word        // by rule; forms of a field have different widths
	coded   map[int]*word             // of varying width or in digits, by instruction; the scalar has all bits of a register
	unions  map[uint32][]*word        // words of unions as each arm sees them, by rule
	tables  map[uint32]*site          // of the unions, by rule
	align   map[uint32]bytecode.Instr // padding after the texts and arrays of a row, by rule
	text    map[uint32]bytecode.Instr // by rule
	fixed   map[uint32]bytecode.Instr // truths, numbers and tuples, by rule
	swapped map[uint32]bool           // the bytes of the row's numbers are in the other order
}

// site is the word of a union.
type site struct {
	scalar bytecode.Scalar
	id     span
	table  *bytecode.Table
}

func analyse(p *bytecode.Program) *reader {
	r := &reader{
		p: p, words: map[uint32][]*word{}, coded: map[int]*word{}, unions: map[uint32][]*word{}, tables: map[uint32]*site{},
		align: map[uint32]bytecode.Instr{}, text: map[uint32]bytecode.Instr{}, fixed: map[uint32]bytecode.Instr{}, swapped: map[uint32]bool{},
	}
	for i := range p.Routines {
		body, regs := p.Body(uint32(i)), p.Routines[i].Regs
		p.Walk(body, func(pc int, in *bytecode.Instr, _ int) bool {
			if in.Coding() != builtin.Fixed { // the bytes are not those of a scalar
				if in.Op == bytecode.Word {
					r.coded[pc] = &word{rule: in.Rule, scalar: bytecode.U64}
					(&flow{p, r.coded[pc], pc}).block(body, make([]origin, regs))
				}
				return true
			}
			switch in.Op {
			case bytecode.Word, bytecode.Union, bytecode.Scalars, bytecode.Truth, bytecode.Lanes, bytecode.Packed:
				r.swapped[in.Rule] = in.Swapped()
			}
			switch in.Op {
			case bytecode.Word:
				if r.word(in.Rule, in.Scalar().Width()) == nil {
					w := &word{rule: in.Rule, scalar: in.Scalar()}
					(&flow{p, w, pc}).block(body, make([]origin, regs))
					r.words[in.Rule] = append(r.words[in.Rule], w)
				}
			case bytecode.Union:
				r.union(pc, in, regs)
			case bytecode.Pad:
				r.align[in.Rule] = *in
			case bytecode.Text, bytecode.Until, bytecode.Filled: // the last two of bytes, too
				r.text[in.Rule] = *in
			case bytecode.Truth, bytecode.Scalars, bytecode.Lanes:
				if _, known := r.fixed[in.Rule]; !known {
					r.fixed[in.Rule] = *in
				}
			}
			return true
		})
	}
	return r
}

// word returns the analysis of the word of a row that has a number of bytes, or nil.
func (r *reader) word(rule uint32, width int) *word {
	for _, w := range r.words[rule] {
		if w.scalar.Width() == width {
			return w
		}
	}
	return nil
}

// union finds what the word of a union steers in each of its arms.
func (r *reader) union(pc int, in *bytecode.Instr, regs uint32) {
	s, t := in.Scalar(), &r.p.Tables[in.D]
	id, ok := spanOf(r.p.Exprs[in.C], in.B, wholeOf(s))
	if !ok {
		return
	}
	r.tables[in.Rule] = &site{s, id, t}
	r.unions[in.Rule] = nil
	for _, arm := range r.p.Inner(pc) {
		w := &word{rule: in.Rule, scalar: s, parts: []part{{span: id, role: selector, rule: in.Rule, table: t}}}
		state := make([]origin, regs)
		state[in.B] = w.origin()
		(&flow{r.p, w, pc}).block(arm, state)
		r.unions[in.Rule] = append(r.unions[in.Rule], w)
	}
}

// wholeOf returns all bits of a scalar.
func wholeOf(s bytecode.Scalar) span { return span{0, 8 * s.Width()} }

// origin is where the number in a register comes from.
type origin struct {
	span
	rule  uint32 // of the instruction that took it out of the word
	plain bool   // the register is just these bits
	known bool
}

// origin returns the origin of the register that the word is read into.
func (w *word) origin() origin { return origin{wholeOf(w.scalar), w.rule, true, true} }

// flow finds what a word steers by symbolic execution.
type flow struct {
	p  *bytecode.Program
	w  *word
	at int // the instruction that reads the word
}

// block runs a block with the origins of the registers before it, which it changes, and
// returns those after it.
func (f *flow) block(b bytecode.Block, s []origin) []origin {
	for pc, in := range f.p.Instrs(b) {
		f.use(in, s)
		f.set(pc, in, s)
		if inner := f.p.Inner(pc); len(inner) > 0 {
			var after []origin
			for _, b := range inner {
				after = join(after, f.block(b, slices.Clone(s)))
			}
			s = after
		}
	}
	return s
}

// join returns the origins after two alternatives. If the first of them has no origin
// for a register, it is that of the second.
func join(a, b []origin) []origin {
	if a == nil {
		return b
	}
	for i := range a {
		if !a[i].known {
			a[i] = b[i]
		}
	}
	return a
}

// use notes what an instruction does with parts of the word.
func (f *flow) use(in *bytecode.Instr, s []origin) {
	p, w := f.p, f.w
	expr := func(expr uint32, kind role, size int) {
		if expr == bytecode.None {
			return
		}
		e := p.Exprs[expr]
		e.Walk(func(x *bytecode.Expr) {
			if x.Op == bytecode.ExprReg && s[x.Arg].known {
				o := s[x.Arg]
				w.add(part{span: o.span, role: kind, size: size, rule: o.rule, expr: e, plain: o.plain})
			}
		})
	}
	switch in.Op {
	case bytecode.Text:
		expr(in.B, length, 1)
	case bytecode.Enter:
		expr(in.A, length, 1)
	case bytecode.Packed:
		expr(in.C, count, in.Scalar().Width()*int(in.B))
	case bytecode.List:
		expr(in.A, count, int(min(p.Bounds(in.B).Min, 1<<20)))
	case bytecode.Map:
		expr(in.A, count, int(min(p.Bounds(in.B).Min+p.Bounds(in.D).Min, 1<<20)))
	case bytecode.Seek:
		expr(in.B, place, 0)
	case bytecode.If, bytecode.Stop:
		expr(in.A, flag, 0)
	case bytecode.Check:
		expr(in.A, checked, 0)
	case bytecode.Switch:
		expr(in.C, selector, 0)
	case bytecode.Take:
		if o := s[in.B]; o.known {
			w.add(part{span: o.span, role: content, rule: in.Rule})
		}
	case bytecode.ArmRef:
		if o := s[in.B]; o.known {
			t, _ := p.UnionTable(in.C)
			w.add(part{span: o.span, role: typeID, rule: in.Rule, table: t})
		}
	case bytecode.Call:
		callee := &p.Code[p.Routines[in.A].Start]
		for i, arg := range p.Args[in.C] {
			kind, t := flag, (*bytecode.Table)(nil)
			if callee.Op == bytecode.Switch && p.Exprs[callee.C].Equal(bytecode.Reg(i)) {
				kind, t = selector, &p.Tables[callee.D]
			}
			p.Exprs[arg].Walk(func(x *bytecode.Expr) {
				if x.Op == bytecode.ExprReg && s[x.Arg].known {
					w.add(part{span: s[x.Arg].span, role: kind, rule: s[x.Arg].rule, table: t})
				}
			})
		}
	}
}

// set changes the origin of the register that an instruction sets.
func (f *flow) set(pc int, in *bytecode.Instr, s []origin) {
	switch in.Op {
	case bytecode.Word:
		s[in.B] = origin{}
		if pc == f.at {
			s[in.B] = f.w.origin()
		}
	case bytecode.Mark, bytecode.Size, bytecode.Sum, bytecode.Total:
		s[in.A] = origin{}
	case bytecode.Let:
		o, e := origin{}, f.p.Exprs[in.B]
		e.Walk(func(x *bytecode.Expr) {
			if x.Op != bytecode.ExprReg || !s[x.Arg].known || o.known {
				return
			}
			o = s[x.Arg]
			if part, ok := spanOf(e, uint32(x.Arg), o.span); ok && o.plain {
				o.span = part
			} else {
				o.plain = false
			}
			o.rule = in.Rule
		})
		s[in.A] = o
	}
}

// add notes a use of a part; parts that steer more are before parts that steer less.
func (w *word) add(p part) {
	rank := func(k role) int {
		return map[role]int{selector: 6, typeID: 5, length: 4, count: 4, flag: 3, checked: 2, place: 1, content: 0}[k]
	}
	for i := range w.parts {
		if q := &w.parts[i]; q.span == p.span {
			if rank(p.role) > rank(q.role) {
				if p.table == nil {
					p.table = q.table
				}
				*q = p
			} else if p.role == q.role {
				q.size = min(q.size, p.size)
			}
			return
		}
	}
	// The whole of a word whose parts are used is no part of it.
	if len(w.parts) > 0 && p.bits == 8*w.scalar.Width() {
		return
	}
	w.parts = append(w.parts, p)
}

// spanOf returns the bits of a register that an expression takes out of it. The
// expression is the register itself, shifted to the right, masked, or both.
func spanOf(e *bytecode.Expr, reg uint32, of span) (span, bool) {
	b, ok := e.Bits(reg)
	if !ok || b.Floor || b.Shift >= uint(of.bits) || b.Mask == 0 || b.Mask&(b.Mask+1) != 0 {
		return span{}, false
	}
	return span{of.shift + int(b.Shift), min(of.bits-int(b.Shift), bits.Len64(b.Mask))}, true
}
