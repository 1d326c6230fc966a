// Fields in the wrong order, and mistakes of the whole program.

package mutants

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// wire reports whether an instruction takes bytes.
func wire(in *bytecode.Instr) bool {
	switch in.Op {
	case bytecode.Word, bytecode.Scalars, bytecode.Truth, bytecode.Lanes, bytecode.Text, bytecode.Packed, bytecode.List, bytecode.Map, bytecode.Call:
		return true
	}
	return false
}

// silent reports whether an instruction takes no bytes and can be moved behind those
// that do.
func silent(in *bytecode.Instr) bool {
	switch in.Op {
	case bytecode.Let, bytecode.Take, bytecode.Check, bytecode.ArmRef, bytecode.Expect:
		return true
	}
	return false
}

// order exchanges the field at pc with the next one.
func (g *generator) order(pc int) {
	padded := func(at int) (end int) {
		for end = at + 1; g.p.Code[end].Op == bytecode.Pad; end++ {
		}
		return end
	}
	quiet := func(at int) (end int) {
		for end = at; silent(&g.p.Code[end]); end++ {
		}
		return end
	}
	first := padded(pc)
	next := quiet(first)
	if !wire(&g.p.Code[next]) {
		return
	}
	second := padded(next)
	end := quiet(second)
	set := map[uint32]bool{}
	for k := pc; k < next; k++ {
		if r, ok := sets(&g.p.Code[k]); ok {
			set[r] = true
		}
	}
	if g.uses(next, set) {
		return
	}
	order := slices.Concat(places(next, second), places(pc, first), places(first, next), places(second, end))
	name := g.rule(next).Name
	g.both(pc, fieldOrder, "behind-"+name[strings.LastIndexByte(name, '.')+1:], fmt.Sprintf("it is behind %s", name), func(e *edit) { e.reorder(pc, order) })
}

// sets returns the register that an instruction sets.
func sets(in *bytecode.Instr) (uint32, bool) {
	switch in.Op {
	case bytecode.Word:
		return in.B, true
	case bytecode.Let:
		return in.A, true
	}
	return 0, false
}

// uses reports whether an instruction looks at one of some registers.
func (g *generator) uses(pc int, regs map[uint32]bool) (used bool) {
	in := &g.p.Code[pc]
	var exprs []uint32
	switch in.Op {
	case bytecode.Text:
		exprs = []uint32{in.B}
	case bytecode.Packed, bytecode.Word:
		exprs = []uint32{in.C}
	case bytecode.List, bytecode.Map:
		exprs = []uint32{in.A}
	case bytecode.Call:
		exprs = g.p.Args[in.C]
	}
	for _, e := range exprs {
		if e == bytecode.None {
			continue
		}
		g.p.Exprs[e].Walk(func(x *bytecode.Expr) {
			used = used || x.Op == bytecode.ExprReg && regs[uint32(x.Arg)]
		})
	}
	return used
}

// whole: mistakes that are everywhere.
func (g *generator) whole() {
	root := int(g.p.Routines[g.p.Root].Start)
	g.routine = g.p.Root
	order := "highest"
	if g.p.Big {
		order = "lowest"
	}
	var all, wide, deep []int
	for pc := range g.p.Code {
		if in := &g.p.Code[pc]; wire(in) || in.Op == bytecode.Header || in.Op == bytecode.Union {
			all = append(all, pc)
			switch in.Op {
			case bytecode.Text, bytecode.List, bytecode.Map, bytecode.Call: // which are no numbers
			default:
				if in.Scalar().Width() > 1 {
					wide = append(wide, pc)
				}
			}
		}
	}
	for i := range g.p.Routines {
		if r := &g.p.Routines[i]; r.Nests {
			deep = append(deep, int(r.Start))
		}
	}
	every := func(d interp.Direction, class, change, about string, pcs []int, f func(*edit)) {
		if len(pcs) > 0 {
			mu := &Mutant{Class: class, About: ing(d) + about, Dir: d, PCs: slices.Clone(pcs), build: f, lastLevel: change == "depth-minus1"}
			if class != byteOrder {
				mu.site = interp.SiteTooDeep
			}
			g.add(mu, root, change)
		}
	}
	for _, d := range []interp.Direction{reading, writing} {
		every(d, byteOrder, "all-swapped", "all numbers have their "+order+" byte first", wide, func(e *edit) { e.p.Big = !e.p.Big })
		every(d, wrongLimit, "depth-plus1", "one more level of nesting is allowed", deep, func(e *edit) { e.p.Depth++ })
		every(d, wrongLimit, "depth-minus1", "one level of nesting less is allowed", deep, func(e *edit) { e.p.Depth-- })
		every(d, limitMissing, "depth-any", "nesting is not limited", deep, func(e *edit) { e.p.Depth = bytecode.MaxDepth })
	}
	g.add(&Mutant{Class: inputEnd, About: "reading, zeros are taken where the input ends too early", Dir: reading, PCs: slices.Clone(all), ends: zeros}, root, "zeros")
	g.add(&Mutant{Class: inputAfter, About: "reading, bytes after the value are refused", Dir: reading, PCs: slices.Clone(all), ends: whole}, root, "whole")
	for rule, mistake := range [builtin.NumKeyRules]struct{ change, about string }{
		builtin.KeyEqual:  {"text-apart", "a key is not equal to one of another type with the same text, where %s should be"},
		builtin.KeyDiffer: {"same", "keys of type %s can be equal"},
		builtin.KeyExact:  {"by-value", "keys of type %s are equal when their numbers are, even if their bits differ"},
		builtin.KeyApart:  {"nan-same", "inside a key, a NaN of type %s is equal to itself"},
		builtin.KeyEmpty:  {"empty-apart", "empty keys of type %s are not equal if their numbers differ"},
	} {
		for i, t := range g.p.Keys[rule] {
			g.add(&Mutant{Class: equalKeys, About: "writing, " + fmt.Sprintf(mistake.about, g.p.Types[t].Name), Dir: writing, PCs: g.maps(), build: func(e *edit) {
				e.p.Keys[rule] = slices.Delete(slices.Clone(e.p.Keys[rule]), i, i+1)
			}}, root, mistake.change+"-"+g.p.Types[t].Name)
		}
	}
	if pcs := g.maps(); len(pcs) > 0 {
		g.add(&Mutant{Class: equalKeys, About: "writing, pairs with equal keys are all written", Dir: writing, PCs: pcs, build: func(e *edit) {
			e.p.Keys[builtin.KeyDiffer] = nil
			for i := range e.p.Types {
				e.p.Keys[builtin.KeyDiffer] = append(e.p.Keys[builtin.KeyDiffer], uint32(i))
			}
		}}, root, "unmerged")
	}
}

// maps returns the instructions that keep maps.
func (g *generator) maps() []int {
	var pcs []int
	for pc := range g.p.Code {
		if g.p.Code[pc].Op == bytecode.Map {
			pcs = append(pcs, pc)
		}
	}
	return pcs
}
