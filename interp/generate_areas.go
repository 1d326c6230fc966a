// Areas of generated values: regions of a constant number of bytes, which their content has to use up.

package interp

import (
	"math"
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// area is a region that is open.
type area struct {
	end   int  // most bytes before its end
	exact bool // its content takes all of them
	stop  int  // where it ends; none if that follows from the content
}

// enter opens a region. The size of one that ends before the end of another one follows from that one.
func (g *generating) enter(f *frame, in *bytecode.Instr) {
	a := g.opened(in)
	before := &g.p.Code[f.pc-1]
	left := before.Op == bytecode.Let && g.p.Exprs[before.B].Op == bytecode.ExprLeft
	if g.area().exact && left {
		if n, known := g.eval(f, in.A); known {
			a = area{end: g.at + clampInt(max(n, 0)), exact: true}
		}
	}
	a.stop = none
	if !g.patched(f.pc) && (!left || g.area().exact) {
		if n, known := g.eval(f, in.A); known {
			a.stop = g.at + clampInt(n) // of a negative size, before its beginning: refused
		}
	}
	g.areas = append(g.areas, a)
}

// patched reports whether the size of the region that an instruction opens follows from the content.
func (g *generating) patched(pc int) bool {
	regs, deep := g.p.Exprs[g.p.Code[pc].A].Registers(), 0
	for ; ; pc++ {
		switch in := &g.p.Code[pc]; in.Op {
		case bytecode.Enter:
			deep++
		case bytecode.Leave:
			deep--
		case bytecode.Patch:
			if deep > 0 || slices.Contains(regs, in.D) {
				return true
			}
		case bytecode.Done:
			return false
		}
	}
}

// closes reports whether only conditions are between an instruction and the end of the innermost region.
func (g *generating) closes(f *frame, pc int) bool {
	for pc++; ; pc++ {
		switch g.p.Code[pc].Op {
		case bytecode.Leave:
			return true
		case bytecode.Done:
			return f.closes
		case bytecode.Check, bytecode.Let, bytecode.Mark, bytecode.Size:
		default:
			return false
		}
	}
}

// remainder returns the bytes up to the end of the innermost region, or none. What ends at an instruction has to end
// there, too.
func (g *generating) remainder(f *frame, pc int) int {
	if len(g.areas) == 0 || g.area().stop < 0 || !g.closes(f, pc) {
		return none
	}
	return g.area().stop - g.at
}

// opened returns the region that an instruction opens here. One without a constant size ends with the region around it, or before.
func (g *generating) opened(in *bytecode.Instr) area {
	if in.Op == bytecode.Enter {
		if n, constant := g.p.Exprs[in.A].Constant(); constant {
			return area{end: g.at + clampInt(max(n, 0)), exact: true}
		}
	}
	return area{end: g.area().end, stop: none}
}

// area returns the innermost region.
func (g *generating) area() area {
	if len(g.areas) == 0 {
		return area{end: math.MaxInt}
	}
	return g.areas[len(g.areas)-1]
}

// spare returns the bytes up to the end of the innermost region.
func (g *generating) spare() int { return g.area().end - g.at }

// rest returns the number of elements of a size that use up the innermost region. It returns -1 if that has no known
// end.
func (g *generating) rest(f *frame, size int) (n int, ok bool) {
	room := g.spare()
	if !g.area().exact {
		if room = g.remainder(f, f.pc); room < 0 || f.state[g.p.Code[f.pc].Cell()]&hasCount != 0 {
			return none, true
		}
	}
	if room < 0 || room%size != 0 {
		return 0, g.fail("%s: %d bytes are left in the region", g.rule(f), room)
	}
	return room / size, true
}

// ahead returns the region of the instruction that writes a cell, which is drawn before it.
func (g *generating) ahead(pc int) area { return g.opened(&g.p.Code[pc-1]) }
