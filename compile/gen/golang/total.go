// Numbers that a writer puts at places of what it has written.

package golang

import (
	"fmt"
	"maps"
	"slices"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// total prints that a writer computes the checksum of a whole record. The writer puts it into the
// words that were noted for it.
func (p *emitter) total(s *model.Stmt, uses map[int]bool) {
	at := p.fresh("at")
	if p.g.typed {
		p.f("w.out = out\n")
	}
	p.f("if !w.measuring && len(w.closed.notes) > 0 {\n%s", totalled(s, "w", uses))
	x := p.fresh("n")
	p.f("%s := %s\n", x, p.g.number(s.Expr, "w"))
	p.ranged(s.Expr, x, s.Scalar, s.Rule)
	p.f("for _, %s := range w.closed.notes {\n", at)
	p.storeAt(s, at+".from", x)
	p.f("}\n}\n")
}

// totalled prints that a side computes the checksum of a whole record, if an expression has it.
func totalled(s *model.Stmt, side string, uses map[int]bool) string {
	if !uses[s.Reg] {
		return ""
	}
	return fmt.Sprintf("r%d = %s\n", s.Reg, sumOf(s, fmt.Sprintf("%s.totalled(%d)", side, s.Fill)))
}

// storeAt prints that a number of one width is put at a place of the output.
func (p *emitter) storeAt(s *model.Stmt, at, x string) {
	out := p.out()
	switch {
	case s.Coding.InDigits():
		p.f("copy(%s[%s:], %s)\n", out, at, p.coded(s, "nil", fmt.Sprintf("uint64(%s)", x)))
	case s.Scalar == builtin.Code4:
		p.f("binary.LittleEndian.PutUint32(%s[%s:], uint32(%s))\n", out, at, x)
	case s.Scalar.Odd(), s.Swapped:
		p.f("appendScalar(%[6]s[%[1]s:%[1]s:%[1]s+%[2]d], %[3]s, uint64(%[4]s), %[5]s)\n", at, s.Scalar.Width(), scalarConst(s.Scalar), x, bigConst(s.Swapped), out)
	case s.Scalar.Width() == 1:
		p.f("%s[%s] = byte(%s)\n", out, at, x)
	default:
		p.f("order.PutUint%[1]d(%[2]s[%[3]s:], uint%[1]d(%[4]s))\n", 8*s.Scalar.Width(), out, at, x)
	}
}

// zeroWords finds the numbers that a writer first writes as 0 and later patches. For the marks around each, it
// returns the registers with its place.
func zeroWords(body []*model.Stmt) map[[2]int][]int {
	out := map[[2]int][]int{}
	var blocks func(block []*model.Stmt)
	blocks = func(block []*model.Stmt) {
		for i, s := range block {
			if i+2 < len(block) && s.Op == model.OpMark && block[i+2].Op == model.OpMark && isZero(block[i+1]) {
				model.Walk(block[i+1:i+2], func(word *model.Stmt) {
					if word.Op == model.OpWord {
						out[[2]int{s.Reg, block[i+2].Reg}] = append(out[[2]int{s.Reg, block[i+2].Reg}], word.Place)
					}
				})
			}
			blocks(s.Then)
			blocks(s.Else)
		}
	}
	blocks(body)
	return out
}

// isZero reports whether a statement writes the bytes of a number as 0.
func isZero(s *model.Stmt) bool {
	if s.Op == model.OpIf {
		return len(s.Then) == 1 && len(s.Else) == 1 && isZero(s.Then[0]) && isZero(s.Else[0])
	}
	return s.Op == model.OpWord && s.Place >= 0 && s.Coding == builtin.Fixed
}

// inPlace returns a block in which a checksum is that of the output so far, if this is possible. The parts of
// the checksum must follow each other in the output, and those that count as 0 must be words that are 0 until
// the checksum is known.
func inPlace(block []*model.Stmt, zeros map[[2]int][]int) []*model.Stmt {
	var out []*model.Stmt
	for _, s := range block {
		if s.Op == model.OpPatch { // the word is not 0 from here on
			maps.DeleteFunc(zeros, func(_ [2]int, places []int) bool { return slices.Contains(places, s.Place) })
		}
		c := *s
		c.Then, c.Else = inPlace(s.Then, zeros), inPlace(s.Else, zeros)
		if s.Op == model.OpSum && s.Parts[0].With < 0 {
			one := s.Parts[0]
			for _, part := range s.Parts[1:] {
				if part.From != one.To || part.With >= 0 && (part.With != 0 || zeros[[2]int{part.From, part.To}] == nil) {
					one.From = -1
				}
				one.To = part.To
			}
			if one.From >= 0 {
				c.Parts = []model.Part{one}
			}
		}
		out = append(out, &c)
	}
	return out
}
