// Programs that make little sense.

package corpus

import (
	"iter"
	"math/rand/v2"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/boundary"
)

// numbers take the place of constants in expressions.
var numbers = boundary.Integers(builtin.I64)

// Changed changes a program n times, one or two numbers each time. It returns machines of the
// results that pass the verifier. Most do not, and the others make little sense.
func Changed(r *rand.Rand, p *bytecode.Program, n int) iter.Seq[*interp.Machine] {
	file := p.Save()
	return func(yield func(*interp.Machine) bool) {
		for range n {
			p, err := bytecode.Load(file)
			if err != nil {
				panic(err) // unreachable: it is the file of a program
			}
			change(r, p)
			if m, err := interp.NewUnfused(p, nil); err == nil && !yield(m) {
				return
			}
		}
	}
}

// change changes one number of a program, or two.
func change(r *rand.Rand, p *bytecode.Program) {
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
