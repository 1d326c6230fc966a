// Checksums over parts of the input or the output.

package interp

import (
	"fmt"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// sum returns the checksum that an instruction computes of parts of b, whose places are in
// registers.
func (m *Machine) sum(in *bytecode.Instr, b []byte, regs []uint64) uint64 {
	s := builtin.Checksum(in.B).Begin(m.p.Big)
	for part := range m.p.SumParts(in) {
		from, to := regs[part.From], regs[part.To]
		if part.With < 0 {
			s.Add(b[from:to])
		} else {
			s.Repeat(byte(part.With), int(to-from))
		}
	}
	return s.Value()
}

// verify refuses a checksum that is not that of the bytes, or a number that is not what a writer
// computes.
func (g *reading) verify(in *bytecode.Instr, want int64, regs []uint64) bool {
	got := regs[in.A]
	if got == uint64(want) {
		return true
	}
	if in.D&bytecode.CompareValue != 0 {
		at := max(0, int(regs[in.C])-int(in.D>>1))
		return g.fail(ErrValue, at, in.Rule, "", lastName(g.row(in.Rule))+" is not the number that a writer computes")
	}
	return g.fail(ErrChecksum, int(regs[in.C]), in.Rule, "", fmt.Sprintf("%s is %#x, but the bytes give %#x", lastName(g.row(in.Rule)), got, uint64(want)))
}
