// Numbers of plain forms: bits of a register, and what they must hold.

package bytecode

// Bits is a number that follows from a word.
type Bits struct {
	Run, Off int // place of the word
	Scalar   Scalar
	Swapped  bool   // the bytes of the word are in the other order
	Reg      uint32 // register of the word
	Shift    uint
	Mask     uint64 // all ones when all bits count
	Half     uint64 // the highest bit of the mask if it is a sign, else 0
	Floor    bool   // a negative number means 0
}

// Plain reports whether the number is the word itself.
func (b *Bits) Plain() bool { return b.Shift == 0 && b.Mask == 1<<64-1 && b.Half == 0 && !b.Floor }

// Masked reports whether the number is the word after a shift and a mask.
func (b *Bits) Masked() bool { return b.Half == 0 && !b.Floor }

// Of returns the number for a word, as a register holds it.
func (b *Bits) Of(word uint64) int64 {
	x := (word>>b.Shift&b.Mask ^ b.Half) - b.Half
	if b.Floor && int64(x) < 0 {
		return 0
	}
	return int64(x)
}

// Holds says how a writer computes a word from the number of parts of a cell. The
// word is that number plus a constant.
type Holds struct {
	Op   ExprOp // ExprCount or ExprLen
	Cell uint32
	Enc  uint32 // ExprLen: encoding
	Max  uint64 // the number is at most this
	Add  uint64
}

// Most returns the largest number of parts that a word of a scalar represents. It is not ok if that word represents none.
func (h *Holds) Most(s Scalar) (most uint64, ok bool) {
	width := uint(8 * s.Width())
	if s.Signed() {
		width--
	}
	top := uint64(1)<<width - 1 // of 64 bits, 0 minus 1
	return min(h.Max, top-h.Add), top >= h.Add
}

// bits matches an expression against bits of a word without a sign.
func (b *plainer) bits(e *Expr) (Bits, bool) {
	return e.bits(func(reg int64) (Bits, bool) {
		w, ok := b.held(uint32(reg))
		return w, ok && w.Half == 0
	})
}

// held returns the bits of a word that a register holds.
func (b *plainer) held(reg uint32) (Bits, bool) {
	for _, w := range b.words {
		if w.Reg == reg {
			return w, true
		}
	}
	return Bits{}, false
}

// signedBits matches an expression against bits of a word of which the highest is a sign.
func (b *plainer) signedBits(e *Expr) (Bits, bool) {
	x, half := e.sign()
	if half == 0 {
		return Bits{}, false
	}
	out, ok := b.bits(x)
	out.Half = half
	return out, ok && out.Mask == 2*half-1 && !out.Floor
}

// sign matches an expression against the number of bits whose highest one is a sign. It returns the expression of the bits and
// the highest bit, or 0 for another expression.
func (e *Expr) sign() (of *Expr, half uint64) {
	if e.Op != ExprSub || e.Args[0].Op != ExprXor {
		return nil, 0
	}
	n, ok := e.Args[1].fixed()
	m, ok2 := e.Args[0].Args[1].fixed()
	if !ok || !ok2 || n != m {
		return nil, 0
	}
	return e.Args[0].Args[0], uint64(n)
}

// Fits matches an expression against a number that a writer puts into bits. It is Fit(x, n), or Fit(x + half, n) ^ half if
// the highest of the bits, half, is a sign.
func (e *Expr) Fits() (x *Expr, n uint, half uint64, ok bool) {
	fit := e
	if e.Op == ExprXor {
		fit = e.Args[0]
	}
	if fit.Op != ExprFit || fit.Arg < 1 || fit.Arg > 63 {
		return nil, 0, 0, false
	}
	x, n = fit.Args[0], uint(fit.Arg)
	if fit == e {
		return x, n, 0, true
	}
	half = 1 << (n - 1)
	if x.Op != ExprAdd {
		return nil, 0, 0, false
	}
	add, ok := x.Args[1].Constant()
	flip, ok2 := e.Args[1].Constant()
	return x.Args[0], n, half, ok && ok2 && uint64(add) == half && uint64(flip) == half
}

// Bits returns which bits of the word in a register an expression is.
func (e *Expr) Bits(reg uint32) (Bits, bool) {
	return e.bits(func(r int64) (Bits, bool) { return Bits{Reg: reg, Mask: 1<<64 - 1}, r == int64(reg) })
}

// bits matches an expression against bits of a word that a register holds.
func (e *Expr) bits(word func(reg int64) (Bits, bool)) (out Bits, ok bool) {
	switch e.Op {
	case ExprReg:
		return word(e.Arg)
	case ExprAnd, ExprShr, ExprMax:
	default:
		return out, false
	}
	n, constant := e.Args[1].fixed()
	if out, ok = e.Args[0].bits(word); !ok || !constant || out.Floor {
		return out, false
	}
	switch e.Op {
	case ExprAnd:
		out.Mask &= uint64(n)
	case ExprShr:
		out.Shift += uint(n) & 63
		out.Mask >>= uint(n) & 63
		if out.Shift > 63 {
			return out, false
		}
	case ExprMax:
		out.Floor = true
		return out, n == 0
	}
	return out, true
}

// holds matches the expression of a word against the number of parts of a cell.
func (p *Program) holds(e *Expr) *Holds {
	switch e.Op {
	case ExprCount, ExprLen:
		if e.Op == ExprLen && !p.Encodings[e.Arg2].Charset.Verbatim() {
			return nil
		}
		return &Holds{Op: e.Op, Cell: uint32(e.Arg), Enc: e.Arg2, Max: 1<<63 - 1}
	case ExprFit:
		h := p.holds(e.Args[0])
		if h == nil || h.Add != 0 {
			return nil
		}
		if e.Arg < 63 {
			h.Max = min(h.Max, 1<<uint(e.Arg)-1)
		}
		return h
	case ExprShl:
		if n, ok := e.Args[1].fixed(); ok && n == 0 {
			return p.holds(e.Args[0])
		}
	case ExprAdd:
		h := p.holds(e.Args[0])
		if n, ok := e.Args[1].fixed(); ok && h != nil && n >= 0 && n < 1<<62 && h.Add < 1<<62 && (n == 0 || h.Max < 1<<62) {
			h.Add += uint64(n)
			return h
		}
	}
	return nil
}

// fixed computes an expression of numbers alone.
func (e *Expr) fixed() (int64, bool) {
	return e.Fold(func(*Expr) (int64, bool) { return 0, false })
}

// Fold computes an expression whose leaves other than numbers are computed by leaf.
// It is not ok if a leaf is not, or if a number does not fit its bits.
func (e *Expr) Fold(leaf func(*Expr) (int64, bool)) (int64, bool) {
	if e.Op == ExprNum {
		return e.Arg, true
	}
	if e.Op.Takes() == 0 {
		return leaf(e)
	}
	var args [3]int64
	for i, x := range e.Args {
		n, ok := x.Fold(leaf)
		if !ok {
			return 0, false
		}
		args[i] = n
	}
	if e.Op == ExprFit {
		return args[0], uint64(args[0])>>uint(e.Arg) == 0
	}
	return e.Op.Compute(args[0], args[1], args[2]), true
}

// Compute returns the result of an operation on numbers. For operations that look at
// anything else it is the first number.
func (o ExprOp) Compute(a, b, c int64) int64 {
	if n, ok := exprOps[o].of.Apply(a, b); ok {
		return n
	}
	if o == ExprSelect && a != 0 {
		return b
	} else if o == ExprSelect {
		return c
	}
	return a
}
