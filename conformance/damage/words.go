// What the words of a program steer: found from the instructions that use them.

package damage

import (
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
)

// role is what a part of a word is for.
type role uint8

const (
	unused   role = iota // nobody reads the bits
	selector             // leads to an arm of a union
	typeID               // names an arm of a union
	length               // bytes of a text or region
	count                // elements of an array or list
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
	role   role
	size   int    // count: the fewest bytes of an element that it may be of
	rule   uint32 // the row that names the part, which is the word's own where no other does
	table  *bytecode.Table
	expr   uint32 // checked, flag: the condition
	direct bool   // count, length: the number is the part as it stands
}

// word is the analysis of one word instruction, or of the word of a union as one
// of its arms sees it.
type word struct {
	rule   uint32
	scalar bytecode.Scalar
	parts  []part
}

// rest returns the bits that no part of the word has.
func (w *word) rest() uint64 {
	all := span{0, 8 * w.scalar.Width()}.mask()
	for _, p := range w.parts {
		all &^= p.mask()
	}
	return all
}

// reader is the analysis of a program.
type reader struct {
	p      *bytecode.Program
	words  map[uint32]*word            // by rule
	unions map[uint32]map[uint32]*word // words of unions: by rule and first instruction of the arm
	tables map[uint32]*site            // of the unions, by rule
	align  map[uint32]bytecode.Instr   // padding after the texts and arrays of a row, by rule
	text   map[uint32]bytecode.Instr   // by rule
	fixed  map[uint32]bytecode.Instr   // truths, numbers and tuples, by rule
}

// site is the word of a union.
type site struct {
	scalar bytecode.Scalar
	id     span
	table  *bytecode.Table
}

func analyse(p *bytecode.Program) *reader {
	r := &reader{
		p: p, words: map[uint32]*word{}, unions: map[uint32]map[uint32]*word{}, tables: map[uint32]*site{},
		align: map[uint32]bytecode.Instr{}, text: map[uint32]bytecode.Instr{}, fixed: map[uint32]bytecode.Instr{},
	}
	for i := range p.Routines {
		for pc := p.Routines[i].Start; pc < p.Routines[i].End; pc++ {
			in := p.Code[pc]
			switch in.Op {
			case bytecode.Word:
				if r.words[in.Rule] == nil {
					w := &word{rule: in.Rule, scalar: bytecode.Scalar(in.A)}
					r.follow(&p.Routines[i], pc+1, in.B, w)
					r.words[in.Rule] = w
				}
			case bytecode.Union:
				t := &p.Tables[in.D]
				id, ok := spanOf(p.Exprs[in.C], in.B, span{0, 8 * bytecode.Scalar(in.A).Width()})
				if !ok {
					continue
				}
				r.tables[in.Rule] = &site{bytecode.Scalar(in.A), id, t}
				r.unions[in.Rule] = map[uint32]*word{}
				for _, arm := range t.Arms {
					w := &word{rule: in.Rule, scalar: bytecode.Scalar(in.A)}
					w.parts = append(w.parts, part{span: id, role: selector, rule: in.Rule, table: t})
					r.follow(&p.Routines[i], arm.Target, in.B, w)
					r.unions[in.Rule][arm.Target] = w
				}
			case bytecode.Pad:
				r.align[in.Rule] = in
			case bytecode.Text:
				r.text[in.Rule] = in
			case bytecode.Truth, bytecode.Scalars, bytecode.Lanes:
				if _, known := r.fixed[in.Rule]; !known {
					r.fixed[in.Rule] = in
				}
			}
		}
	}
	return r
}

// origin is where the number in a register comes from.
type origin struct {
	span
	rule  uint32 // of the instruction that took it out of the word
	plain bool   // the register is just these bits
	known bool
}

// follow finds what the word in a register steers from an instruction on.
func (r *reader) follow(routine *bytecode.Routine, from, reg uint32, w *word) {
	p := r.p
	first := make([]origin, routine.Regs)
	first[reg] = origin{span{0, 8 * w.scalar.Width()}, w.rule, true, true}
	state := map[uint32][]origin{from: first}
	reach := func(pc uint32, s []origin) {
		if _, known := state[pc]; !known {
			state[pc] = s
		}
	}
	for pc := from; pc < routine.End; pc++ {
		s, ok := state[pc]
		if !ok {
			continue
		}
		in := &p.Code[pc]
		use := func(expr uint32, kind role, size int) {
			if expr == bytecode.None {
				return
			}
			for _, e := range p.Exprs[expr] {
				if e.Op == bytecode.ExprReg && s[e.Arg].known {
					o := s[e.Arg]
					w.add(part{span: o.span, role: kind, size: size, rule: o.rule, expr: expr, direct: o.plain && len(p.Exprs[expr]) == 1})
				}
			}
		}
		set := func(reg uint32, o origin) {
			t := append([]origin(nil), s...)
			t[reg] = o
			s = t
		}
		switch in.Op {
		case bytecode.Word:
			set(in.B, origin{})
		case bytecode.Mark, bytecode.Size:
			set(in.A, origin{})
		case bytecode.Let:
			o := origin{}
			for _, e := range p.Exprs[in.B] {
				if e.Op == bytecode.ExprReg && s[e.Arg].known && !o.known {
					o = s[e.Arg]
					if part, ok := spanOf(p.Exprs[in.B], uint32(e.Arg), o.span); ok && o.plain {
						o.span = part
					} else {
						o.plain = false
					}
					o.rule = in.Rule
				}
			}
			set(in.A, o)
		case bytecode.Text, bytecode.Enter:
			expr := in.B
			if in.Op == bytecode.Enter {
				expr = in.A
			}
			use(expr, length, 1)
		case bytecode.Packed:
			use(in.C, count, bytecode.Scalar(in.A&0xff).Width()*int(in.B))
		case bytecode.List:
			use(in.A, count, int(min(p.Bounds(in.B).Min, 1<<20)))
		case bytecode.Map:
			use(in.A, count, int(min(p.Bounds(in.B).Min+p.Bounds(in.D).Min, 1<<20)))
		case bytecode.If:
			use(in.A, flag, 0)
		case bytecode.Check:
			use(in.A, checked, 0)
		case bytecode.Switch:
			use(in.C, selector, 0)
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
			for i, e := range p.Args[in.C] {
				for _, x := range p.Exprs[e] {
					if x.Op != bytecode.ExprReg || !s[x.Arg].known {
						continue
					}
					kind := flag
					var t *bytecode.Table
					callee := &p.Routines[in.A]
					for at := callee.Start; at < callee.End; at++ {
						if c := &p.Code[at]; c.Op == bytecode.Switch && len(p.Exprs[c.C]) == 1 && p.Exprs[c.C][0].Op == bytecode.ExprReg && int(p.Exprs[c.C][0].Arg) == i {
							kind, t = selector, &p.Tables[c.D]
						}
					}
					w.add(part{span: s[x.Arg].span, role: kind, rule: s[x.Arg].rule, table: t})
				}
			}
		}
		switch in.Op {
		case bytecode.Done, bytecode.Refuse:
		case bytecode.Jump:
			reach(in.A, s)
		case bytecode.If:
			reach(pc+1, s)
			reach(in.B, s)
		case bytecode.Union, bytecode.Switch:
			for _, a := range p.Tables[in.D].Arms {
				reach(a.Target, s)
			}
		default:
			reach(pc+1, s)
		}
	}
}

// add notes a use of a part; what steers more stands before what steers less.
func (w *word) add(p part) {
	rank := func(k role) int {
		return map[role]int{selector: 6, typeID: 5, length: 4, count: 4, flag: 3, checked: 2, content: 1}[k]
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

// spanOf returns the bits of a register that an expression takes out of it: the
// register itself, shifted to the right, masked, or both.
func spanOf(e bytecode.Expr, reg uint32, of span) (span, bool) {
	if len(e) == 0 || e[0].Op != bytecode.ExprReg || uint32(e[0].Arg) != reg {
		return span{}, false
	}
	for i := 1; i < len(e); i += 2 {
		if i+1 >= len(e) || e[i].Op != bytecode.ExprNum {
			return span{}, false
		}
		n := uint64(e[i].Arg)
		switch e[i+1].Op {
		case bytecode.ExprShr:
			if n >= uint64(of.bits) {
				return span{}, false
			}
			of = span{of.shift + int(n), of.bits - int(n)}
		case bytecode.ExprAnd:
			if n == 0 || n&(n+1) != 0 {
				return span{}, false
			}
			of.bits = min(of.bits, bits.Len64(n))
		default:
			return span{}, false
		}
	}
	return of, true
}
