// Why points can never be reached.

package cover

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// facts is what is known of a program.
type facts struct {
	p *bytecode.Program
	s Setup
}

func newFacts(m *interp.Machine, s Setup) *facts {
	return &facts{p: m.Program(), s: s}
}

// excluded returns why a point can never be reached, or "".
func (f *facts) excluded(q *Point) string {
	if why := f.bySetup(q); why != "" {
		return why
	}
	return ""
}

// bySetup returns why the runs that are measured do not reach a point.
func (f *facts) bySetup(q *Point) string {
	switch q.Site {
	case interp.SiteMemory:
		if !f.s.Memory {
			return "no run has a limit on memory"
		}
	case interp.SiteOpen:
		if !f.s.Gates {
			return "no run has a gate open"
		}
	case interp.SiteYes:
		if f.p.Exprs[q.Expr][q.N].Op == bytecode.ExprExact && !f.s.Widths {
			return "no run keeps widths"
		}
	}
	return ""
}
