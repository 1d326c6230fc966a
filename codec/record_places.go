// Rows at places: where they are, and the bytes between them.
//
// Plans call [interp.ReadPlaces] and [interp.WritePlaces], which accept and place rows as the interpreter does.

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
	case bytecode.Note:
		ok = r.placed.Note(in, pos, uint64(r.evaluate(s.count.expr, place{}, pos, regs)))
	case bytecode.Settle:
		ok = r.placed.Settle(r.evaluate(s.count.expr, place{}, pos, regs))
	default: // bytecode.Close
		pos, r.end, ok = r.placed.Close(in, pos, r.end)
	}
	if !ok {
		return wrong
	}
	return pos
}

// summed returns the registers with the places of what a checksum is of.
func (s *recordStep) summed() []int {
	if s.code == recordTotal && s.places.Op == bytecode.Total {
		return nil
	}
	return s.sum.Registers()
}

// total returns a checksum of a record with rows at places. The checksum may leave out words of the record.
func (r *planReader) total(s *recordStep, pos int, regs []uint64) uint64 {
	if s.places.Op == bytecode.Sum {
		return r.placed.Sum(s.pc, regs)
	}
	return r.placed.Total(s.places, pos)
}

// gaps reads the bytes that no row of a record has into a []byte.
func (r *planReader) gaps(s *recordStep, x place, pos int) int {
	b, ok := r.placed.Gaps(s.places, pos, r.end)
	if !ok {
		return wrong
	}
	if s.typ != nil {
		x.share(b)
	}
	return pos
}

// placing writes the value of a call of Marshal that has rows at places behind pos. It writes it twice if the writer
// chooses the places.
func (w *planWriter) placing(rec *recordPlan, x place, pos int) int {
	if w.placed == nil || w.placedIn != w.c.m {
		w.placed, w.placedIn = w.c.m.NewWritePlaces(), w.c.m
	}
	end := pos
	if w.c.m.Chooses() {
		w.placed.Reset(true)
		end = w.whole(rec, x, pos)
	}
	if w.placed.Reset(false); end != wrong {
		w.depth, w.regs, w.keys = 0, w.regs[:0], w.keys[:0]
		end = w.whole(rec, x, pos)
	}
	w.placed.Reset(true)
	return end
}

// place runs an operation for rows at places. It begins or ends such a row or the record from which they count, or
// handles a word for a checksum of the record or for its end. It returns the place of the cursor.
func (w *planWriter) place(op *putOp, at, pos int, frame []uint64) int {
	s, out, ok := op.more.step, w.out[:pos], true
	switch s.places.Op {
	case bytecode.Base:
		w.placed.Open(s.places, out)
	case bytecode.Seek:
		number := uint64(0)
		if op.b != none {
			number = frame[op.b]
		}
		ok = w.placed.Seek(s.pc, s.choice, number, int64(frame[op.a]), out)
	case bytecode.Back:
		out = w.placed.Back(out)
	case bytecode.Note:
		ok = w.placed.Note(s.places, out[:at])
	case bytecode.Settle:
		ok = w.placed.Settle(s.places, int64(frame[op.a]), out)
	default: // bytecode.Close
		if out, ok = w.placed.Close(s.places, out); ok {
			w.set(out)
		}
	}
	if !ok {
		return wrong
	}
	return len(out)
}

// total returns a checksum of a record with rows at places. The checksum may leave out words of the record.
func (w *planWriter) total(s *recordStep, pos int, frame []uint64) uint64 {
	if s.places.Op == bytecode.Sum {
		return w.placed.Sum(s.pc, frame, w.out[:pos])
	}
	return w.placed.Total(s.places, w.out[:pos])
}

// gaps writes the bytes between the rows of a record, which are in the []byte of the field.
func (w *planWriter) gaps(op *putOp, x place, pos int) int {
	x = x.field(op.at, op.field)
	w.placed.Keep(op.more.step.places, w.out[:pos])
	return w.bytes(op.more.step, x, x.length(), pos)
}
