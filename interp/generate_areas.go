// Areas of generated values: regions of a constant number of bytes, which their content has to use up.

package interp

import (
	"math"

	"github.com/octable/octable/compile/bytecode"
)

// area is a region that is open.
type area struct {
	end   int  // most bytes before its end
	exact bool // its content takes all of them
}

// enter opens a region. The size of one that ends before the end of another one follows from that one.
func (g *generating) enter(f *frame, in *bytecode.Instr) {
	a := g.opened(in)
	if before := &g.p.Code[f.pc-1]; g.area().exact && before.Op == bytecode.Let && g.p.Exprs[before.B].Op == bytecode.ExprLeft {
		if n, known := g.eval(f, in.A); known {
			a = area{g.at + clampInt(max(n, 0)), true}
		}
	}
	g.areas = append(g.areas, a)
}

// opened returns the region that an instruction opens here, or what is known of it from the one around it.
func (g *generating) opened(in *bytecode.Instr) area {
	if in.Op == bytecode.Enter {
		if n, constant := g.p.Exprs[in.A].Constant(); constant {
			return area{g.at + clampInt(max(n, 0)), true}
		}
	}
	return area{end: g.area().end}
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

// rest returns the number of elements of a size that use up the innermost region, or -1 if that has no known end.
func (g *generating) rest(f *frame, size int) (n int, ok bool) {
	if !g.area().exact {
		return none, true
	}
	room := g.spare()
	if room < 0 || room%size != 0 {
		return 0, g.fail("%s: %d bytes are left in the region", g.rule(f), room)
	}
	return room / size, true
}

// ahead returns the region of the instruction that writes a cell, which is drawn before it.
func (g *generating) ahead(pc int) area { return g.opened(&g.p.Code[pc-1]) }
