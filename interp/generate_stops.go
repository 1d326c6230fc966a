// Ends of lists while generating: which arms of a union can be the last element of a list that one
// of its elements ends, and which can be before it.

package interp

import "github.com/octable/octable/compile/bytecode"

// ending says which elements of a list an arm can be.
type ending struct{ last, other bool }

// endings computes the endings of the arms of a union from the words that select them. It returns
// nil unless the union has a word of one byte.
func (s *paths) endings(routine uint32) []ending {
	start := int(s.p.Routines[routine].Start)
	union := &s.p.Code[start]
	if union.Op != bytecode.Union || union.Scalar().Width() != 1 {
		return nil
	}
	t := &s.p.Tables[union.D]
	out := make([]ending, len(t.Arms))
	stops := make([]*bytecode.Expr, len(t.Arms)) // conditions on which the arm ends a list
	for arm, b := range s.p.Inner(start) {
		for pc := b.First; pc < b.Last; pc++ {
			if s.p.Code[pc].Op == bytecode.Stop {
				stops[arm] = s.p.Exprs[s.p.Code[pc].A]
			}
		}
	}
	other := func(e *bytecode.Expr) bool { return e.Op == bytecode.ExprReg && uint32(e.Arg) != union.B }
	for word := range uint64(1 << 8) {
		id, ok := s.p.Exprs[union.C].OfWord(word)
		if !ok {
			return nil // unreachable: the compiler makes the number of an arm from bits of the word
		}
		arm, ok := t.ByID(uint64(id))
		if !ok {
			continue
		}
		x, known := int64(0), false
		if stop := stops[arm]; stop != nil && !stop.Any(other) {
			x, known = stop.OfWord(word)
		}
		out[arm].last = out[arm].last || !known || x != 0
		out[arm].other = out[arm].other || !known || x == 0
	}
	return out
}

// canStop reports whether an arm of a union can have the place in a list that the frame needs.
func (g *generating) canStop(f *frame, arm int) bool {
	all := g.g.paths.ends[f.routine]
	return f.need == either || all == nil || f.need == stops && all[arm].last || f.need == goesOn && all[arm].other
}
