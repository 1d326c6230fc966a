// Definite assignment: registers are set before they are used, and cells before they are written.

package bytecode

// set is a set of cells or of registers.
type set [max(MaxCells, MaxRegs) / 64]uint64

func (s *set) has(i uint32) bool { return s[i/64]>>(i%64)&1 == 1 }

func (s *set) add(i uint32) { s[i/64] |= 1 << (i % 64) }

func (s *set) remove(i uint32) { s[i/64] &^= 1 << (i % 64) }

// state holds facts about all paths to an instruction.
type state struct {
	passed set             // cells that some path may have passed to a routine
	places set             // registers that hold the place of a word on every path
	bits   set             // registers that hold, on every path, the mark before a word with bits that are known later
	before set             // those of them that hold a place outside of the part
	outer  set             // registers that hold the place of a mark outside of the part
	marks  [MaxRegs]uint32 // of each register, the mark that has set it on every path, plus 1. It is 0 if that is not one mark

	numbers set // registers that the caller, or something else than a mark in the record, sets
}

func (s *state) join(o *state) {
	for i := range s.passed {
		s.passed[i] |= o.passed[i]
		s.places[i] &= o.places[i]
		s.bits[i] &= o.bits[i]
		s.numbers[i] |= o.numbers[i]
		s.before[i] |= o.before[i]
		s.outer[i] &= o.outer[i]
	}
	for i := range s.marks {
		if s.marks[i] != o.marks[i] {
			s.marks[i] = 0
		}
	}
}

// set notes that a register becomes a number that is not the place of a word.
func (s *state) set(reg uint32) {
	s.places.remove(reg)
	s.bits.remove(reg)
	s.outer.remove(reg)
	s.marks[reg] = 0
}

// flow checks two rules for every path through a block. No cell is passed to a routine twice, since a writer
// would take a time that doubles with every level. Patch has the place of a word. regions is the number of
// regions that are open.
func (v *verifier) flow(b Block, s *state, regions int) error {
	p := v.p
	for pc, in := range p.Instrs(b) {
		switch in.Op {
		case Enter:
			if regions == MaxRegions {
				return v.fail(pc, "more than %d regions are open", MaxRegions)
			}
		case Patch:
			if !s.places.has(in.B) && (in.Coding().Varies() || !s.bits.has(in.B)) {
				return v.fail(pc, "register %d does not hold the place of a word on every path", in.B)
			}
			if in.Coding().Varies() && s.before.has(in.B) {
				return v.fail(pc, "the word of register %d is outside of the part, which a number of varying width would move", in.B)
			}
		case Compare:
			// A number that is not there on every path has a place or 0.
			if s.marks[in.C] == 0 && !s.outer.has(in.C) && (in.D&CompareValue == 0 || s.numbers.has(in.C)) {
				return v.fail(pc, "register %d does not hold a place on every path", in.C)
			}
		case Sum:
			for part := range p.SumParts(in) {
				// Marks are passed in the order of the code.
				if from, to := s.marks[part.From], s.marks[part.To]; from == 0 || to < from {
					return v.fail(pc, "registers %d and %d do not hold the begin and the end of a part on every path", part.From, part.To)
				}
			}
		case Call, List, Rest, Through, Spare, Map:
			cell := in.Cell()
			if s.passed.has(cell) {
				return v.fail(pc, "cell %d is written twice", cell)
			}
			s.passed.add(cell)
		}
		for _, reg := range in.Sets() {
			if reg != None {
				s.set(reg)
			}
		}
		switch in.Op {
		case Word:
			if in.D != None {
				s.places.add(in.D)
				s.before.remove(in.D)
			}
		case Mark:
			s.marks[in.A] = uint32(pc) + 1
			if len(p.marked(pc)) > 0 {
				s.bits.add(in.A)
			}
		case Union:
			s.numbers.add(in.B)
		case Fields:
			for k := pc; k < p.End(pc); k++ {
				for _, reg := range p.Code[k].Sets() {
					if reg != None && p.Code[k].Op != Mark {
						s.numbers.add(reg)
					}
				}
			}
		}
		inner := regions
		if in.Op == Enter {
			inner++
		}
		if in.Op == Seek { // whose bytes are not behind those before it
			if err := v.seek(pc, s, inner); err != nil {
				return err
			}
			continue
		}
		if err := v.branches(p.Inner(pc), s, inner); err != nil {
			return err
		}
	}
	return nil
}

// branches checks blocks of which one is run, and joins their states.
func (v *verifier) branches(blocks []Block, s *state, regions int) error {
	switch len(blocks) {
	case 0:
		return nil
	case 1:
		return v.flow(blocks[0], s, regions)
	}
	before, path := *s, state{}
	if err := v.flow(blocks[0], s, regions); err != nil {
		return err
	}
	for _, block := range blocks[1:] {
		path = before
		if err := v.flow(block, &path, regions); err != nil {
			return err
		}
		s.join(&path)
	}
	return nil
}

// Sets returns the registers that an instruction sets. None is no register.
func (in *Instr) Sets() [2]uint32 {
	switch in.Op {
	case Word:
		return [2]uint32{in.B, in.D}
	case Union, Header:
		return [2]uint32{in.B, None}
	case Choose:
		return [2]uint32{in.A, in.B}
	case Let, Size, Sum, Total, Mark:
		return [2]uint32{in.A, None}
	case Patch, Spare:
		return [2]uint32{in.D, None}
	}
	return [2]uint32{None, None}
}
