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
	Floor    bool   // a negative number means 0
}

// Plain reports whether the number is the word itself.
func (b *Bits) Plain() bool { return b.Shift == 0 && b.Mask == 1<<64-1 && !b.Floor }

// Of returns the number for a word, as a register holds it.
func (b *Bits) Of(word uint64) int64 {
	x := word >> b.Shift & b.Mask
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

// bits matches an expression against bits of a word.
func (b *plainer) bits(e *Expr) (Bits, bool) {
	return e.bits(func(reg int64) (Bits, bool) {
		for _, w := range b.words {
			if int64(w.Reg) == reg {
				return w, true
			}
		}
		return Bits{}, false
	})
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
