// Bits of words.

package wireshark

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// word is a number of a constant width in a register.
type word struct {
	reg    int
	scalar builtin.Scalar
}

// bits shows bits of the last word, below that word, if the first of the statements makes them a number.
func (w *writer) bits(of *model.Type, block []*model.Stmt) {
	if w.word.scalar == builtin.NoScalar || w.word.scalar == builtin.Code4 {
		return
	}
	s, width := block[0], 8*w.word.scalar.Width()
	x, signed := unsigned(s.Expr)
	mask, _ := w.word.mask(x)
	if mask &= 1<<width - 1; mask == 0 || mask > math.MaxUint32 { // Wireshark's masks in Lua have 32 bits
		return
	}
	kind, base := fmt.Sprintf("int%d", width), "base.DEC"
	if width > 32 {
		kind = "int64"
	}
	if !signed {
		kind = "u" + kind
	}
	if bits.OnesCount64(mask) == 1 {
		kind, base = "bool", fmt.Sprint(width)
	}
	extra := fmt.Sprintf(", %s, nil, 0x%x", base, mask)
	if i := slices.IndexFunc(block, func(x *model.Stmt) bool { return x.Op == model.OpTake && x.Reg == s.Reg }); i >= 0 {
		if doc := w.doc(of, block[i]); doc != "" {
			extra += ", " + quote(doc)
		}
	}
	w.f("part(s, %s)", w.declare(w.rule(s), kind, "", extra))
}

// unsigned returns the bits whose sign an expression brings to the bits above, which a signed field does by itself.
func unsigned(e *model.Expr) (x *model.Expr, signed bool) {
	if e.Op != builtin.Sub || e.Args[0].Op != builtin.Xor {
		return e, false
	}
	half, x := e.Args[1], e.Args[0]
	if half.Op != builtin.Num || x.Args[1].Op != builtin.Num || x.Args[1].Num != half.Num || half.Num != x.Args[0].Max/2+1 {
		return e, false
	}
	return x.Args[0], true
}

// mask returns the bits of the word that an expression is, and by how many they are shifted down. It
// returns 0 for other expressions.
func (o word) mask(e *model.Expr) (mask uint64, shift int64) {
	switch {
	case e.Op == builtin.Ref && e.Reg == o.reg:
		return 1<<64 - 1, 0
	case e.Op == builtin.Shr && e.Args[1].Op == builtin.Num:
		mask, shift = o.mask(e.Args[0])
		shift += e.Args[1].Num & 63
		return mask >> shift << shift, shift
	case e.Op == builtin.And:
		for i, a := range e.Args {
			if a.Op == builtin.Num {
				mask, shift = o.mask(e.Args[1-i])
				return mask & (uint64(a.Num) << shift), shift
			}
		}
	}
	return 0, 0
}
