// Blocks: the structure of a program, which is a list of instructions and a tree at
// the same time.
//
// An instruction that begins a block is followed by the instructions inside it and by the
// instruction that ends it:
//
//	fields … done             a record; a routine without a union is one
//	union  arm … arm … end    the arms of a union, each one record; a routine may be one
//	switch arm … arm … end
//	if … end                  a condition
//	if … else … end
//	enter … leave             a region
//	base … close              a record that parts count from
//	seek … back               a part
//
// There are no jumps. [Verify] computes the end of each block once.

package bytecode

import (
	"iter"
	"slices"
)

// Block is a run of instructions of one level: from First up to, and without, Last.
// Blocks inside of it belong to the instructions that begin them.
type Block struct{ First, Last int }

// Body returns the instructions of a routine.
func (p *Program) Body(routine uint32) Block {
	r := &p.Routines[routine]
	return Block{int(r.Start), int(r.End)}
}

// End returns the instruction that ends the block of an instruction. If ends at its else or end, arm at the next arm or
// end; else, union and switch at their end, enter at leave, base at close, seek at back, and a record at done. For other
// instructions it returns the instruction itself.
func (p *Program) End(pc int) int { return int(p.ends[pc]) }

// Close returns the last instruction of the construct that an instruction begins. It is the end of an if even if it has
// an else, otherwise [Program.End].
func (p *Program) Close(pc int) int {
	end := p.End(pc)
	if p.Code[pc].Op == If && p.Code[end].Op == Else {
		end = p.End(end)
	}
	return end
}

// Inner returns the blocks inside the construct that an instruction begins. An if has two branches, of which the second
// may be empty; a union or switch has its arms, in the order of its table; a record, a region, a base and a part have their
// content. Other instructions have no blocks.
func (p *Program) Inner(pc int) []Block {
	end := p.End(pc)
	switch p.Code[pc].Op {
	case If:
		if p.Code[end].Op == Else {
			return []Block{{pc + 1, end}, {end + 1, p.End(end)}}
		}
		return []Block{{pc + 1, end}, {end, end}}
	case Union, Switch:
		var arms []Block
		for at := pc + 1; at < end; at = p.End(at) {
			arms = append(arms, Block{at + 1, p.End(at)})
		}
		return arms
	case Fields, Enter, Base, Seek:
		return []Block{{pc + 1, end}}
	}
	return nil
}

// Instrs returns the instructions of a block in order. It leaves out those inside of
// inner blocks, and the instructions that end inner blocks.
func (p *Program) Instrs(b Block) iter.Seq2[int, *Instr] {
	return func(yield func(int, *Instr) bool) {
		for pc := b.First; pc < b.Last; pc = p.Close(pc) + 1 {
			if !yield(pc, &p.Code[pc]) {
				return
			}
		}
	}
}

// Walk calls f for every instruction of a block and of its inner blocks, in the order of the code. f gets the number of
// blocks around it. Instructions that only end or divide blocks are left out. If f returns false, inner blocks are left
// out, too.
func (p *Program) Walk(b Block, f func(pc int, in *Instr, level int) bool) {
	p.walk(b, 0, f)
}

func (p *Program) walk(b Block, level int, f func(int, *Instr, int) bool) {
	for pc, in := range p.Instrs(b) {
		if f(pc, in, level) {
			for _, inner := range p.Inner(pc) {
				p.walk(inner, level+1, f)
			}
		}
	}
}

// ArmAt returns the instruction that begins arm i of a table.
func (p *Program) ArmAt(table uint32, i int) int { return int(p.arms[table][i]) }

// marked returns the words that begin at a mark: one, or one for each order of bytes.
func (p *Program) marked(mark int) []int {
	words := []int{mark + 1}
	if p.Code[mark+1].Op == If {
		words = nil
		for _, b := range p.Inner(mark + 1) {
			words = append(words, b.First)
		}
	}
	if slices.ContainsFunc(words, func(k int) bool { return p.Code[k].Op != Word || p.Code[k].D != None }) {
		return nil
	}
	return words
}

// begun reports whether a register is the mark before a word.
func (p *Program) begun(word int, reg uint32) bool {
	for k := word - 1; k >= 0; k-- {
		switch in := &p.Code[k]; in.Op {
		case Mark:
			return in.A == reg && slices.Contains(p.marked(k), word)
		case Word, If, Else: // of another order of bytes
		default:
			return false
		}
	}
	return false // unreachable: a routine does not begin with a word
}

// Patched returns the word whose number an instruction completes. It is one that keeps the place,
// or one behind a mark of it.
func (p *Program) Patched(patch int) (word int, ok bool) {
	for k := patch; k >= 0 && p.Code[k].Op != Fields; k-- {
		if in := &p.Code[k]; in.Op == Word && (in.D == p.Code[patch].B || p.begun(k, p.Code[patch].B)) {
			return k, true
		}
	}
	return 0, false
}

// Completed reports whether an instruction after a word completes its number.
func (p *Program) Completed(word int) bool {
	if p.Code[word].D != None {
		return true
	}
	for k := word + 1; k < len(p.Code) && p.Code[k].Op != Done; k++ {
		if in := &p.Code[k]; in.Op == Patch && p.begun(word, in.B) {
			return true
		}
	}
	return false
}
