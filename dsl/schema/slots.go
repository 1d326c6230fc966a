// Slots: the registers and cells of a record that is lowered.

package schema

// Slots gives the fields of a record their registers and cells. Registers are in the
// order in which they are asked for.
type Slots struct {
	regs  map[*Field]int
	sizes map[*Field]Sizes // of words that get the size of a later row
	kept  map[any]int      // registers of a [Place], of a [Sum], and of where a word with a checksum is
	next  *int             // number of registers so far; records in place of rows share it
	cell  int              // of the stored field of a record in place of a row, else -1
}

// Sizes are the registers of a word that gets the size of a row after it.
type Sizes struct{ Place, Size int }

// NewSlots returns slots of which none is taken.
func NewSlots() *Slots {
	return &Slots{regs: map[*Field]int{}, sizes: map[*Field]Sizes{}, kept: map[any]int{}, next: new(int), cell: -1}
}

// Inside returns the slots of a record in place of the row of a field.
func (s *Slots) Inside(f *Field) *Slots {
	inner := NewSlots()
	inner.next, inner.cell = s.next, s.Cell(f)
	return inner
}

// Reg returns the register of a field.
func (s *Slots) Reg(f *Field) int {
	r, ok := s.regs[f]
	if !ok {
		r = s.New()
		s.regs[f] = r
	}
	return r
}

// RegOrNew returns the register of a field, or one that no field has if it is nil.
func (s *Slots) RegOrNew(f *Field) int {
	if f == nil {
		return s.New()
	}
	return s.Reg(f)
}

// New returns a register that no field has.
func (s *Slots) New() int {
	*s.next++
	return *s.next - 1
}

// Regs returns the number of registers so far.
func (s *Slots) Regs() int { return *s.next }

// Cell returns the cell of a stored field.
func (s *Slots) Cell(f *Field) int {
	if s.cell >= 0 {
		return s.cell
	}
	return f.Index
}

// Sizes returns the registers of a word that gets the size of a later row.
func (s *Slots) Sizes(word *Field) Sizes {
	r, ok := s.sizes[word]
	if !ok {
		r = Sizes{Place: s.New(), Size: s.New()}
		s.sizes[word] = r
	}
	return r
}

// Kept returns the register of the offset of a [Place], or of the result of a [*Sum]. Of a [*Field] that gets a checksum
// it is the register of the place of the word.
func (s *Slots) Kept(of any) int {
	r, ok := s.kept[of]
	if !ok {
		r = s.New()
		s.kept[of] = r
	}
	return r
}
