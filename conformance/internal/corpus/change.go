// Programs that make little sense.

package corpus

import (
	"math/rand/v2"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp/boundary"
)

// numbers take the place of constants in expressions.
var numbers = boundary.Integers(builtin.I64)

// Change changes one number of a program, or two. Most of what comes out does not
// pass the verifier, and the rest makes little sense.
func Change(r *rand.Rand, p *bytecode.Program) {
	for range 1 + r.IntN(2) {
		switch in := &p.Code[r.IntN(len(p.Code))]; r.IntN(8) {
		case 0:
			in.Op = bytecode.Op(r.IntN(len(bytecode.Ops())))
		case 1:
			in.A = uint32(r.IntN(12))
		case 2:
			in.B = uint32(r.IntN(12))
		case 3:
			in.C = uint32(r.IntN(len(p.Exprs)))
		case 4:
			in.D = uint32(r.IntN(4))
		case 5:
			in.A = uint32(r.IntN(len(p.Exprs)))
		case 6:
			if t := &p.Types[r.IntN(len(p.Types))]; len(t.Fields) > 0 {
				f := &t.Fields[r.IntN(len(t.Fields))]
				f.Kind, f.Alone = bytecode.Kind(r.IntN(int(builtin.NumKinds))), !f.Alone
			}
		default:
			x := p.Exprs[r.IntN(len(p.Exprs))]
			s := x.Node(r.IntN(x.Size()))
			if s.Op == bytecode.ExprNum && r.IntN(2) == 0 {
				s.Arg = int64(numbers[r.IntN(len(numbers))].Number)
			} else {
				s.Op = bytecode.ExprOp(r.IntN(int(bytecode.ExprFit) + 1))
			}
		}
	}
}
