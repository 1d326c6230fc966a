// Registers of generated values: the numbers that a writer computes.

package interp

import "github.com/octable/octable/compile/bytecode"

// register runs an instruction that sets a register. The number has the bytes that it takes in the packet.
func (g *generating) register(f *frame, in *bytecode.Instr) bool {
	switch in.Op {
	case bytecode.Sum, bytecode.Total:
		f.regs[in.A] = 0 // no value depends on it

	case bytecode.Choose: // the scalar of its word
		word := f.pc
		for g.p.Code[word].Op != bytecode.Word && g.p.Code[word].Op != bytecode.Done {
			word++
		}
		f.regs[in.A], f.regs[in.B] = uint64(g.p.Code[word].Scalar()), 0

	case bytecode.Mark:
		f.regs[in.A] = uint64(g.at)

	case bytecode.Size:
		f.regs[in.A] = uint64(g.at) - f.regs[in.B]
		g.last = int(f.regs[in.A])

	case bytecode.Let:
		x, ok := g.eval(f, in.B)
		if g.p.Exprs[in.B].Op == bytecode.ExprLeft && g.p.Code[f.pc+1].Op == bytecode.Enter {
			x = int64(max(0, g.spare()))
		}
		f.regs[in.A] = uint64(x)
		return ok

	case bytecode.Patch:
		if !g.stored(f, in, in.D) {
			return false
		}
		if in.Varies() {
			g.at += numberSize(in, f.regs[in.D])
		}

	case bytecode.Header, bytecode.Word:
		if in.Op == bytecode.Word && in.D != bytecode.None { // patched later
			f.regs[in.D] = uint64(g.at)
			g.at += in.Width()
			return true
		}
		if !g.stored(f, in, in.B) {
			return false
		}
		g.at += numberSize(in, f.regs[in.B])
	}
	return true
}

// stored sets a register to the number that a writer computes for an instruction.
func (g *generating) stored(f *frame, in *bytecode.Instr, reg uint32) bool {
	x, ok := g.eval(f, in.C)
	if !ok {
		return false
	}
	if !holds(in, x) {
		return g.fail("%s does not fit its bytes", g.rule(f))
	}
	f.regs[reg] = uint64(x)
	return true
}
