// Mutants that nobody can tell from the original, and why.

package mutants

import (
	"fmt"
	"maps"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/interp"
)

// Equivalent reports whether no case can distinguish a mutant from the original at a level,
// with the reason. The cases are those of the facts' setup whose input has less than 2 GiB. The
// facts are those of the mutant's original. If ok is false, equivalence is unproven.
func Equivalent(mu *Mutant, f *reach.Facts, l Level) (reason string, ok bool) {
	runs := false
	for _, pc := range mu.PCs {
		if ok, why := f.Runs(mu.Dir, pc); ok {
			runs = true
		} else {
			reason = "what is wrong is never run: " + why
		}
	}
	if !runs {
		return reason, true
	}
	pc := mu.PCs[0]
	if mu.from != nil {
		x, y := mu.from, mu.to
		if mu.truth {
			x, y = bytecode.Apply(bytecode.ExprNot, x), bytecode.Apply(bytecode.ExprNot, y)
		}
		if f.Same(mu.Dir, pc, x, y) {
			return "the wrong number is always the same as the right one", true
		}
		word := bytecode.Scalar(mu.base.Code[pc].A)
		if mu.sent && !f.Finishes(mu.Dir, pc) && f.Fits(mu.Dir, pc, mu.from, word) && (l == Results || f.Fits(mu.Dir, pc, mu.to, word)) {
			return "what is written there is never sent: such a value is always refused", true
		}
	}
	if mu.site != interp.SiteRun {
		if why, ok := neverRefuses(mu, f); ok {
			return "what it lets through, or refuses, never comes: " + why, true
		}
	}
	if mu.ends == whole && f.UsesAll() {
		return "a value always takes all bytes that there are", true
	}
	if mu.multiple > 0 && f.Multiple(mu.Dir, pc, mu.after, mu.multiple) {
		return fmt.Sprintf("there are always a multiple of %d bytes before it, so there is no padding either way", mu.multiple), true
	}
	if mu.when != nil && f.Never(mu.Dir, pc, mu.when) {
		return "the numbers that it would change never get here", true
	}
	if mu.refuses && l == Results && !f.Finishes(mu.Dir, pc) {
		return "what comes there is always refused", true
	}
	if mu.lastLevel && l == Results && !f.LastLevel() {
		return "what is nested to the last level always has another one inside, and is refused", true
	}
	if mu.atEnd && l < Offsets && (&follows{mu.base, l, lengthBefore(mu.base, pc)}).bytes(pc, 8) {
		return "more bytes have to follow, so the input is refused as too short either way", true
	}
	if mu.wrongReg && mu.Dir == interp.Reading {
		c := &changed{p: mu.base}
		regs := map[uint32]difference{mu.reg: {bits: mu.bits, raw: mu.signed}}
		rest := after(mu.base, pc)
		if mu.base.Code[pc].Op == bytecode.Union {
			rest = []bytecode.Block{{First: pc, Last: pc + 1}} // its own expression looks at it
		}
		return c.reason(mu, c.same(rest, regs))
	}
	return "", false
}

// after returns the instructions that follow pc up to the end of its routine. They are the rest
// of its block, then that of each block around it.
func after(p *bytecode.Program, pc int) []bytecode.Block {
	var rest []bytecode.Block
	var find func(b bytecode.Block)
	find = func(b bytecode.Block) {
		for k := range p.Instrs(b) {
			if k > pc || pc > p.Close(k) {
				continue
			}
			for _, inner := range p.Inner(k) {
				if inner.First <= pc && pc < inner.Last {
					find(inner)
				}
			}
			rest = append(rest, bytecode.Block{First: p.Close(k) + 1, Last: b.Last})
		}
	}
	find(p.Body(p.RoutineAt(pc)))
	return rest
}

// neverRefuses reports whether the original refuses nothing where the mutant does
// not, or the reverse, and why.
func neverRefuses(mu *Mutant, f *reach.Facts) (why string, ok bool) {
	for _, pc := range mu.PCs {
		v, reason := f.Reach(interp.Point{Dir: mu.Dir, PC: pc, Site: mu.site})
		if v == reach.Possible {
			return "", false
		}
		why = reason
	}
	return why, why != ""
}

// lengthBefore returns the expression for the length of the text or bytes in front
// of a padding, or nil.
func lengthBefore(p *bytecode.Program, pad int) *bytecode.Expr {
	if pad == 0 {
		return nil
	}
	switch in := &p.Code[pad-1]; {
	case in.Op == bytecode.Text:
		return p.Exprs[in.B]
	case in.Op == bytecode.Packed && in.C != bytecode.None:
		return p.Exprs[in.C]
	}
	return nil
}

// follows finds out what is read behind a padding that is cut off.
type follows struct {
	p      *bytecode.Program
	level  Level
	length *bytecode.Expr // of what is padded, which is not 0 then
}

// input is what a block does with an input that has ended.
type input uint8

const (
	unused  input = iota // some path reads nothing
	refused              // every path refuses it as too short
	unknown              // some path may do something else
)

// bytes reports whether bytes are always read behind an instruction. An input that ends there
// is then refused as too short, or, at Results, for any reason. It looks through a number of
// calls.
func (f *follows) bytes(pc, calls int) bool {
	for _, b := range after(f.p, pc) {
		if op := f.p.Code[b.First-1].Op; op == bytecode.Leave || op == bytecode.Back {
			return false // the input of the padding ends with its region
		}
		if does := f.block(b); does != unused {
			return does == refused
		}
	}
	// the instructions that follow where the routine is called
	index := f.p.RoutineAt(pc)
	outside := &follows{f.p, f.level, nil}
	called := false
	for k := range f.p.Code {
		switch c := &f.p.Code[k]; {
		case c.Op == bytecode.Call && c.A == index:
			if calls == 0 || !outside.bytes(k, calls-1) {
				return false
			}
			called = true
		case c.Op == bytecode.List && c.B == index, (c.Op == bytecode.Rest || c.Op == bytecode.Through || c.Op == bytecode.Spare) && c.A == index, c.Op == bytecode.Map && (c.B == index || c.D == index):
			return false
		}
	}
	return called && index != f.p.Root
}

// block returns what a block does with an input that has ended.
func (f *follows) block(b bytecode.Block) input {
	for pc, in := range f.p.Instrs(b) {
		does := unused
		switch in.Op {
		case bytecode.Word, bytecode.Scalars, bytecode.Truth, bytecode.Lanes:
			does = refused
		case bytecode.Call:
			if f.p.Bounds(in.A).Min > 0 {
				does = refused
			}
		case bytecode.Through:
			does = refused
		case bytecode.Check, bytecode.Gate, bytecode.ArmRef:
			if f.level > Results {
				does = unknown
			}
		case bytecode.Enter:
			does = f.block(f.p.Inner(pc)[0])
		case bytecode.If:
			inner := f.p.Inner(pc)
			x := f.p.Exprs[in.A]
			does = f.block(inner[0])
			if f.length != nil && (x.Equal(f.length) || x.Equal(calc(f.length, bytecode.ExprNe, 0))) {
				break
			}
			if other := f.block(inner[1]); other == unknown || does == refused {
				does = other
			}
		}
		if does != unused {
			return does
		}
	}
	return unused
}

// difference is how a number of the mutant may differ from the original's.
type difference struct {
	// by multiples of 2^bits; 64 is not at all
	bits int
	// raw is set for a number of n bits with its highest bit set. It is unsigned in the one and
	// signed in the other, or the same in both.
	raw bool
}

var none = difference{bits: 64}

// differences are how registers differ, without those that do not.
type differences map[uint32]difference

// join returns how registers differ behind two branches.
func (a differences) join(b differences) differences {
	out := maps.Clone(a)
	for r, d := range b {
		if old, ok := out[r]; ok && old != d {
			d = difference{bits: min(old.bits, d.bits)}
		}
		out[r] = d
	}
	return out
}

// changed finds out whether a register that differs makes a difference.
type changed struct {
	p    *bytecode.Program
	used bool // some number that differs is looked at, and it makes none
}

func (c *changed) reason(mu *Mutant, same bool) (string, bool) {
	switch {
	case !same:
		return "", false
	case !c.used:
		return "nothing looks at the number", true
	case mu.signed:
		return fmt.Sprintf("only numbers of 2^%d and more differ, and these are refused either way, as more than there is, or only their lower bits are looked at", mu.bits-1), true
	}
	return "the bits that differ are not looked at", true
}

// same reports whether blocks that follow each other read as in the original.
func (c *changed) same(blocks []bytecode.Block, regs differences) bool {
	ok := true
	for _, b := range blocks {
		if regs, ok = c.block(b, regs); !ok {
			return false
		}
	}
	return true
}

// block returns how registers differ behind a block, and whether it reads as in the
// original.
func (c *changed) block(b bytecode.Block, regs differences) (differences, bool) {
	for pc, in := range c.p.Instrs(b) {
		eval := func(e uint32) difference {
			if e == bytecode.None {
				return none
			}
			return c.of(c.p.Exprs[e], regs)
		}
		set := func(r uint32, d difference) {
			regs = maps.Clone(regs)
			delete(regs, r)
			if d != none {
				regs[r] = d
			}
		}
		// counts of 2^31 and more are refused, as negative ones are
		counts := func(d difference) bool { return d == none || d.raw && d.bits >= 32 }
		ok := true
		switch in.Op {
		case bytecode.Union, bytecode.Switch:
			// Any number without an arm is refused.
			d := eval(in.C)
			for _, a := range c.p.Tables[in.D].Arms {
				ok = ok && (d == none || d.raw && !a.Else && below(&a, 1<<(min(d.bits, 63)-1)))
			}
		case bytecode.Word:
			set(in.B, none)
		case bytecode.Let:
			set(in.A, eval(in.B))
		case bytecode.Mark, bytecode.Size:
			_, differs := regs[in.B]
			ok = in.Op == bytecode.Mark || !differs
			set(in.A, none)
		case bytecode.Settle:
			ok = eval(in.B) == none
		case bytecode.Note:
			_, differs := regs[in.C]
			ok = !differs
		case bytecode.Sum, bytecode.Total:
			set(in.A, none)
		case bytecode.Compare:
			_, differs := regs[in.A]
			ok = !differs && eval(in.B) == none
		case bytecode.Check, bytecode.If, bytecode.Stop:
			d := eval(in.A)
			ok = d == none || d.raw
		case bytecode.Take:
			_, differs := regs[in.B]
			ok = !differs
		case bytecode.ArmRef:
			if d, differs := regs[in.B]; differs {
				t, _ := c.p.UnionTable(in.C)
				for _, a := range t.Arms {
					ok = ok && d.raw && below(&a, 1<<(min(d.bits, 63)-1))
				}
				c.used = true
			}
		case bytecode.Text, bytecode.Filled:
			ok = counts(eval(in.B))
		case bytecode.Packed:
			ok = counts(eval(in.C))
		case bytecode.List, bytecode.Map, bytecode.Enter:
			ok = counts(eval(in.A))
		case bytecode.Call:
			for _, e := range c.p.Args[in.C] {
				ok = ok && eval(e) == none
			}
		}
		if !ok {
			return nil, false
		}
		before := regs
		for i, inner := range c.p.Inner(pc) {
			behind, ok := c.block(inner, before)
			if !ok {
				return nil, false
			}
			if i == 0 {
				regs = behind
			} else {
				regs = regs.join(behind)
			}
		}
	}
	return regs, true
}

// of returns how an expression differs.
func (c *changed) of(x *bytecode.Expr, regs differences) difference {
	if x.Op == bytecode.ExprReg {
		d, ok := regs[uint32(x.Arg)]
		if !ok {
			return none
		}
		c.used = true
		return d
	}
	args := make([]difference, len(x.Args))
	all := none
	for i, a := range x.Args {
		args[i] = c.of(a, regs)
		if args[i] != none {
			all.bits = min(all.bits, args[i].bits)
		}
	}
	if all == none {
		return none
	}
	constant := func(i int) int64 {
		if n, ok := x.Args[i].Constant(); ok {
			return n
		}
		return -1
	}
	switch x.Op {
	case bytecode.ExprAnd:
		for i := range args {
			if m := constant(1 - i); m >= 0 && args[i].bits < 63 && m < 1<<args[i].bits {
				return none
			}
		}
	case bytecode.ExprShr:
		if n := constant(1); n >= 0 && int(n) < args[0].bits {
			return difference{bits: args[0].bits - int(n)}
		}
	case bytecode.ExprAdd, bytecode.ExprSub, bytecode.ExprMul:
		return difference{bits: all.bits}
	case bytecode.ExprEq, bytecode.ExprNe:
		// such a number is far from small ones
		for i := range args {
			if n := constant(1 - i); args[i].raw && n >= 0 && n < 1<<(min(args[i].bits, 63)-1) {
				return none
			}
		}
	case bytecode.ExprNot:
		if args[0].raw {
			return none
		}
	}
	return difference{}
}

// below reports whether all numbers of an arm are below a bound.
func below(a *bytecode.TableArm, bound uint64) bool {
	return !slices.ContainsFunc(a.Ends(), func(n uint64) bool { return n >= bound })
}
