package value

// Slab gives cells that are used again after Reset.
type Slab struct {
	cells []Value
	used  int
}

// Reset takes all cells back.
func (s *Slab) Reset() { s.used = 0 }

// Take returns n cells, whose content is that of an earlier use.
func (s *Slab) Take(n int) []Value {
	if n > len(s.cells)-s.used {
		s.cells, s.used = make([]Value, max(2*len(s.cells), n, 64)), 0
	}
	s.used += n
	return s.cells[s.used-n : s.used : s.used]
}
