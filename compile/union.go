// Unions: the word that selects an arm, its bits, and the arms.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// lowerUnion makes the routine of a union: the word that selects an arm, if it reads
// one, then every arm in the order of their numbers.
func (l *lowering) lowerUnion(index uint32, u *schema.Union) {
	table := uint32(len(l.p.Tables))
	l.p.Tables = append(l.p.Tables, bytecode.Table{})
	regs, cells := uint32(len(u.Params)), 0
	rule := l.rule(u.Pos, u.Name, "")
	if word := u.Word; word != nil {
		rule = l.rule(word.Pos, u.Name+"."+word.Field.Name, word.Doc)
		selector := bytecode.Reg(int(regs))
		if u.By != word.Field {
			shifted := apply(builtin.Shr, selector, bytecode.Num(int64(u.Lo)))
			selector = apply(builtin.And, shifted, bytecode.Num(mask(u.N)))
		}
		l.emit(bytecode.Union, rule, uint32(word.Type.Scalar), regs, l.add(selector), table)
		regs++
	} else {
		for i, f := range u.Params {
			if f == u.By {
				l.emit(bytecode.Switch, rule, 0, 0, l.add(bytecode.Reg(i)), table)
			}
		}
	}
	var arms []bytecode.TableArm
	for i, a := range u.Sorted() {
		arms = append(arms, bytecode.TableArm{ID: a.ID, Else: a.Else, Type: l.types[a]})
		b := l.body(a.Record)
		b.arm(a, uint32(i))
		regs, cells = max(regs, *b.next), max(cells, len(a.Stored))
	}
	l.emit(bytecode.End, rule)
	l.p.Tables[table].Arms = arms
	r := &l.p.Routines[index]
	r.Regs, r.Cells = regs, uint32(cells)
}

// arm makes one arm, which is number index of its table.
func (b *body) arm(a *schema.Arm, index uint32) {
	rule := b.at(a.Pos, "", "")
	b.emit(bytecode.Arm, rule, index)
	b.params(a.Union.Params)
	typ := b.types[a]
	b.whole(typ, rule, func() {
		if a.Union.Word != nil {
			b.reg(a.Union.Word.Field)
		}
		b.substitutions(rule)
		if a.Union.Word != nil {
			b.header(a, rule)
		}
	})
	b.writes(a, typ)
}

// substitutions lets a writer put another value in place of fields whose union says so.
func (b *body) substitutions(rule uint32) {
	for _, f := range b.rec.Stored {
		if f.Union != nil && isWritten(f.Union) {
			b.emit(bytecode.Subst, rule, b.cellOf(f), b.union(f.Union))
		}
	}
}

// isWritten reports whether some arm of a union is written as something else.
func isWritten(u *schema.Union) bool {
	for _, a := range u.Arms {
		if len(a.Writes) > 0 {
			return true
		}
	}
	return false
}

// writes notes in the type of an arm what a writer puts in its place.
func (b *body) writes(a *schema.Arm, typ uint32) {
	for _, w := range a.Writes {
		out := bytecode.Write{When: bytecode.None, Absent: w.Absent, Text: w.Text}
		if w.When != nil {
			out.When = b.add(b.tree(w.When, writing))
		}
		if w.Arm != nil {
			out.Type = b.types[w.Arm]
		}
		b.p.Types[typ].Writes = append(b.p.Types[typ].Writes, out)
	}
}

// header writes the word of the union, with the number and the bits of the arm, and
// takes the bits from the word that the union has read.
func (b *body) header(a *schema.Arm, rule uint32) {
	u := a.Union
	word := b.reg(u.Word.Field)
	all := bytecode.Num(int64(a.ID << u.Lo))
	free := uint64(mask(8*u.Word.Type.Scalar.Width())) &^ (uint64(mask(u.N)) << u.Lo)
	for _, bit := range a.Bits {
		all = b.join(all, bit)
		free &^= uint64(mask(bit.N)) << bit.Lo
	}
	b.emit(bytecode.Header, rule, uint32(u.Word.Type.Scalar), word, b.add(all))
	b.takeBits(a.Bits, word)
	if u.Closed && free != 0 {
		b.refuse(rule, b.add(without(word, free)), "bits are set that have no meaning here")
	}
}
