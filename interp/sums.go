// Checksums over parts of the input or the output.

package interp

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// sum returns the checksum that an instruction computes of parts of b, whose places are in
// registers. The words that are noted in one of the bases may not count.
func (m *Machine) sum(pc int, b []byte, regs []uint64, bases []base) uint64 {
	in := &m.p.Code[pc]
	var holes []note
	name, with, ok := m.p.Holes(pc)
	if ok {
		holes = notesOf(bases, m.texts[name])
	}
	s := builtin.Checksum(in.B).Begin(m.p.Big)
	for part := range m.p.SumParts(in) {
		from, to := regs[part.From], regs[part.To]
		if part.With < 0 {
			s.Add(without(b, int(from), int(to), holes, with))
		} else {
			s.Repeat(byte(part.With), int(to-from))
		}
	}
	return s.Value()
}

// sumPlan is a checksum in a plan: its parts are resolved.
type sumPlan struct {
	of    builtin.Checksum
	big   bool
	parts []bytecode.SumPart
	from  []placeAt // of the parts
	to    []placeAt
	whole bool // one part, whose bytes count as themselves
}

// placeAt is a place: that in a register plus a number of bytes.
type placeAt struct{ reg, off int }

func (p *placeAt) of(regs []uint64) int { return int(regs[p.reg]) + p.off }

// sumPlan returns the checksum of an instruction of which no words of bases are left out.
func (m *Machine) sumPlan(pc int) *sumPlan {
	in := &m.p.Code[pc]
	s := &sumPlan{of: builtin.Checksum(in.B), big: m.p.Big, parts: slices.Collect(m.p.SumParts(in))}
	for _, part := range s.parts {
		s.from, s.to = append(s.from, placeAt{reg: part.From}), append(s.to, placeAt{reg: part.To})
	}
	s.whole = len(s.parts) == 1 && s.parts[0].With < 0
	return s
}

// sum returns the checksum of parts of b, whose places are in registers.
func (x *sumPlan) sum(b []byte, regs []uint64) uint64 {
	if x.whole && x.of == builtin.CRC32 {
		return uint64(crcOf(b[x.from[0].of(regs):x.to[0].of(regs)]))
	}
	if x.of == builtin.Inet {
		if sum, ok := x.inet(b, regs); ok {
			return sum
		}
	}
	s := x.of.Begin(x.big)
	for i := range x.parts {
		part := &x.parts[i]
		from, to := x.from[i].of(regs), x.to[i].of(regs)
		if part.With < 0 {
			s.Add(b[from:to])
		} else {
			s.Repeat(byte(part.With), to-from)
		}
	}
	return s.Value()
}

// crcTables are those of the CRC-32 of a byte that up to seven bytes follow.
var crcTables = func() (t [8][256]uint32) {
	t[0] = *crc32.IEEETable
	for i := 1; i < len(t); i++ {
		for b := range t[i] {
			t[i][b] = t[0][t[i-1][b]&0xff] ^ t[i-1][b]>>8
		}
	}
	return t
}()

// crcOf returns the CRC-32 of b. [crc32.ChecksumIEEE] takes the last up to 15 bytes, and short texts, byte by byte. Zeros
// before the bytes would not change the sum but for its start, so the last up to seven are a word with zeros before them.
func crcOf(b []byte) uint32 {
	t, crc, rest := &crcTables, ^uint32(0), b
	if len(b) < 8 {
		for _, c := range b {
			crc = t[0][byte(crc)^c] ^ crc>>8
		}
		return ^crc
	}
	if len(b) >= 64 {
		n := len(b) &^ 15
		crc, rest = ^crc32.ChecksumIEEE(b[:n]), b[n:]
	}
	for ; len(rest) >= 8; rest = rest[8:] {
		crc = crcStep(t, binary.LittleEndian.Uint64(rest)^uint64(crc))
	}
	if k := len(rest); k > 0 {
		x := binary.LittleEndian.Uint64(b[len(b)-8:]) >> (64 - 8*k)
		crc = crcStep(t, (x^uint64(crc))<<(64-8*k)) ^ crc>>(8*k)
	}
	return ^crc
}

// crcStep returns the CRC-32 of eight bytes. The sum of the bytes before them has been added to the first four.
func crcStep(t *[8][256]uint32, x uint64) uint32 {
	return t[7][byte(x)] ^ t[6][byte(x>>8)] ^ t[5][byte(x>>16)] ^ t[4][byte(x>>24)] ^
		t[3][byte(x>>32)] ^ t[2][byte(x>>40)] ^ t[1][byte(x>>48)] ^ t[0][x>>56]
}

// inet returns the internet checksum of parts that have an even number of bytes each, but for the last one.
func (x *sumPlan) inet(b []byte, regs []uint64) (sum uint64, ok bool) {
	odd := false
	for i := range x.parts {
		part := &x.parts[i]
		if odd || part.With > 0 {
			return 0, false
		}
		from, to := x.from[i].of(regs), x.to[i].of(regs)
		if odd = (to-from)&1 != 0; part.With == 0 {
			continue
		}
		bytes := b[from:to]
		for ; len(bytes) >= 4; bytes = bytes[4:] {
			sum += uint64(binary.BigEndian.Uint32(bytes)) // 65536 and 1 are the same in such a sum
		}
		for k, c := range bytes {
			sum += uint64(c) << (8 * (^k & 1))
		}
	}
	for sum>>16 != 0 {
		sum = sum>>16 + sum&0xffff
	}
	return ^sum & 0xffff, true
}

// total returns the checksum of the bytes of a base.
func (m *Machine) total(in *bytecode.Instr, b []byte) uint64 {
	s := builtin.Checksum(in.B).Begin(m.p.Big)
	s.Add(b)
	return s.Value()
}

// settle puts the checksum of the base that was closed last into the words that are for it.
func (g *writing) settle(in *bytecode.Instr, x int64) bool {
	if !g.fitting(in, x) {
		return false // unreachable: the compiler makes the number fit its word
	}
	for _, n := range g.closed.notes {
		if n.from < g.base || n.to > len(g.out) || n.to-n.from != in.Width() {
			return g.fail(ErrMismatch, n.rule, "a place inside what was written", "") // unreachable: the words of a base are of one width, and inside of it
		}
		g.store(in, n.from, uint64(x))
		if g.obs != nil {
			g.obs.settled(n, n.from-g.base, uint64(x))
		}
	}
	return true
}

// store puts a number of one width into the output.
func (g *writing) store(in *bytecode.Instr, at int, x uint64) {
	if out := g.out[: at : at+in.Width()]; in.Coded() {
		AppendNumber(out, in.Coding(), x)
	} else {
		appendScalar(out, in.Scalar(), x, g.big(in))
	}
}

// verify refuses a checksum that is not that of the bytes. It also refuses a number that is not
// what a writer computes.
func (g *reading) verify(in *bytecode.Instr, want int64, regs []uint64) bool {
	got := regs[in.A]
	if got == uint64(want) {
		return true
	}
	if in.D&bytecode.CompareValue != 0 {
		at := max(0, int(regs[in.C])-int(in.D>>1))
		return g.fail(ErrValue, at, in.Rule, "", unequalText(lastName(g.row(in.Rule)), int64(got), want))
	}
	return g.fail(ErrChecksum, int(regs[in.C]), in.Rule, "", fmt.Sprintf("%s is %#x, but the bytes give %#x", lastName(g.row(in.Rule)), got, uint64(want)))
}

// Checksum is a checksum of a program, for programs that read and write bytes by themselves.
type Checksum struct{ plan *sumPlan }

// Checksum returns the checksum of an instruction of which no words are left out.
func (m *Machine) Checksum(pc int) Checksum { return Checksum{m.sumPlan(pc)} }

// Of returns the checksum of parts of b, whose places are in registers.
func (c Checksum) Of(b []byte, regs []uint64) uint64 { return c.plan.sum(b, regs) }

// Registers returns the registers with the places of the parts.
func (c Checksum) Registers() (regs []int) {
	for _, part := range c.plan.parts {
		regs = append(regs, part.From, part.To)
	}
	return regs
}
