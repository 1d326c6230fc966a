// Steps that only the wide form of a record has: unusual numbers, marks, sizes, checksums, regions, and lists
// and texts without a count.

package bytecode

import "github.com/octable/octable/dsl/builtin"

// unusual reports whether an instruction has numbers that no word of 8, 16, 32 or 64 bits holds.
func (in *Instr) unusual() bool {
	s := in.Scalar()
	return s.Odd() || s == F16 || in.Coding() != builtin.Fixed
}

// unusual appends the step of an instruction with unusual numbers, which is not part of a run.
func (b *plainer) unusual(s *Steps, x Step) bool {
	switch s.open = false; x.Op {
	case Word:
		switch late := x.D != None; {
		case !b.write:
		case late && !b.patches:
			return false
		case late:
			b.forget(x.D)
			b.form.needs.add(x.D)
		default:
			b.general(x.C)
		}
		b.forget(x.B)
		b.form.needs.add(x.B)
	case Scalars:
		if !b.cell(x.Cell()) {
			return false // unreachable: two rows of a cell are in the branches of a condition
		}
	case Patch:
		if !b.write { // a reader had the number with the word
			return true
		}
		if !b.patches {
			return false // unreachable: the word that it completes is no step of the form
		}
		b.forget(x.D)
		b.general(x.C)
		b.reads(x.B, x.D)
	default:
		return false
	}
	s.List = append(s.List, x)
	return true
}

// reads notes that a step needs registers.
func (b *plainer) reads(regs ...uint32) {
	for _, r := range regs {
		b.form.needs.add(r)
	}
}

// more appends the steps of an instruction that only the wide form has. The step itself is appended by the
// caller of step.
func (b *plainer) more(s *Steps, x *Step) bool {
	in, open := x.Instr, s.open
	switch s.open = false; in.Op {
	case Pass:
		for r := range in.B {
			b.reads(in.A + r)
		}
	case Mark:
		s.cursor(x, open)
		b.forget(in.A)
		b.reads(in.A)
	case Size:
		b.forget(in.A)
		b.reads(in.A, in.B)
	case Sum:
		if b.write && b.level > 0 && !b.patches { // fields around the condition may not be written yet
			return false
		}
		b.forget(in.A)
		b.reads(in.A)
		for part := range b.p.SumParts(in) {
			b.reads(uint32(part.From), uint32(part.To))
		}
	case Holes:
		return b.patches
	case Note:
		s.cursor(x, open)
		b.reads(in.C)
		return b.patches
	case Total:
		b.forget(in.A)
		b.reads(in.A)
		return b.patches
	case Settle:
		return b.patches && b.general(in.B)
	case Compare:
		if b.write {
			return true
		}
		b.reads(in.A, in.C)
		return b.general(in.B)
	case Stop:
		x.N, x.Const = b.number(in.A)
		return x.Const || b.general(in.A)
	case Rest, Through, Until:
		return b.cell(in.Cell())
	case Filled:
		return b.cell(in.Cell()) && b.general(in.B)
	case ArmRef:
		b.reads(in.B)
		return b.cell(in.A)
	case Enter:
		return (b.write || b.general(in.A)) && b.region(s, x)
	case Base:
		return b.patches && b.region(s, x)
	case Seek:
		return b.patches && b.general(in.B) && b.region(s, x)
	case Choose:
		if b.write {
			b.forget(in.A)
			b.forget(in.B)
			b.reads(in.A, in.B)
		}
		return b.patches
	case Chosen:
		if b.write {
			b.reads(in.A)
		}
		return b.patches
	case Gaps:
		return b.patches && b.cell(in.A)
	default:
		return false // unreachable: all other instructions have steps in the plain form, or none at all
	}
	return true
}

// cursor gives a step that takes no bytes a place in the last run, if that is open. It is the place of the cursor.
func (s *Steps) cursor(x *Step, open bool) {
	if s.open = open; open {
		x.Run, x.Off = len(s.Runs)-1, s.Runs[len(s.Runs)-1]
	}
}

// region appends a region, a row at a place, or the base from which places count. It appends the step that begins it
// and its content, and leaves the last step to the caller of step.
func (b *plainer) region(s *Steps, x *Step) bool {
	undo := b.save(s)
	s.List = append(s.List, *x)
	inner := b.p.Inner(x.PC)[0]
	if b.block(s, inner) != inner.Last {
		return undo()
	}
	s.open = false
	*x = Step{Instr: &b.p.Code[inner.Last], PC: inner.Last, Run: -1}
	return true
}

// arrayMost is the most bytes of an array that is part of a run.
const arrayMost = 256

// fixedArray reports whether an array is part of a run: bytes, whose number is known.
func (b *plainer) fixedArray(x *Step) bool {
	return b.wide && !b.pads && x.Op == Packed && x.C != None && x.Const && x.Scalar() == U8 && x.N > 0 && x.N <= arrayMost && x.N*int64(x.B) <= arrayMost
}
