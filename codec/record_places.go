// Rows at places: where they are, and the bytes between them.
//
// The interpreter's [interp.Places] decides what a reader accepts, so that a plan and the interpreter agree.

package codec

import "github.com/octable/octable/compile/bytecode"

// place begins or ends a row at a place, or a record that such rows count from. It returns the place of the cursor.
func (r *planReader) place(s *recordStep, pos, regs int) int {
	ok := true
	switch in := s.places; in.Op {
	case bytecode.Base:
		r.placed.Open(in, pos, r.end)
	case bytecode.Seek:
		pos, r.end, ok = r.placed.Seek(in, s.choice, r.evaluate(s.count.expr, place{}, pos, regs), pos, r.end)
	case bytecode.Back:
		pos, r.end, ok = r.placed.Back(pos)
	default: // bytecode.Close
		pos, r.end, ok = r.placed.Close(in, pos, r.end)
	}
	if !ok {
		return wrong
	}
	return pos
}

// gaps reads the bytes that no row of a record has into a []byte.
func (r *planReader) gaps(s *recordStep, x place, pos int) int {
	b, ok := r.placed.Gaps(s.places, pos, r.end)
	if !ok {
		return wrong
	}
	if !s.lacks {
		x.share(b)
	}
	return pos
}
