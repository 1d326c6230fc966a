// Unions: the word that selects an arm, its bits, and the arms.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// lowerUnion makes the routine of a union. It emits the word that selects an arm, if it reads one, then every
// arm in the order of their numbers.
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
			selector = apply(builtin.And, shifted, bytecode.Num(schema.Mask(u.N)))
		}
		l.emit(bytecode.Union, rule, headScalar(word.Type), regs, l.add(selector), table)
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
		arm := bytecode.TableArm{ID: a.ID, Else: a.Else, Type: l.types[a]}
		if a.IDs.Several() {
			arm.IDs = a.IDs
		}
		arms = append(arms, arm)
		b := l.body(a.Record)
		b.arm(a, uint32(i))
		regs, cells = max(regs, uint32(b.slots.Regs())), max(cells, len(a.Stored))
	}
	l.emit(bytecode.End, rule)
	l.p.Tables[table].Arms = arms
	r := &l.p.Routines[index]
	r.Regs, r.Cells = regs, uint32(cells)
}

// arm makes one arm, which is number index of its table.
func (b *body) arm(a *schema.Arm, index uint32) {
	rule := b.Rule(a.Pos, "", "")
	b.emit(bytecode.Arm, rule, index)
	b.params(a.Union.Params)
	typ := b.types[a]
	b.whole(typ, rule, func() {
		if a.Union.Word != nil {
			b.reg(a.Union.Word.Field)
		}
		schema.BuildArm(a, rule, b)
	})
	b.writes(a, typ)
}

// Subst lets a writer put another value in place of a field.
func (b *body) Subst(f *schema.Field, rule int) {
	b.emit(bytecode.Subst, rule, b.cellOf(f), b.union(f.Union))
}

// writes notes in the type of an arm what a writer puts in its place.
func (b *body) writes(a *schema.Arm, typ uint32) {
	for _, w := range a.Writes {
		out := bytecode.Write{When: bytecode.None, Absent: w.Absent, Text: w.Text}
		if w.When != nil {
			out.When = b.add(schema.Computed(w.When, terms{b}))
		}
		if w.Arm != nil {
			out.Type = b.types[w.Arm]
		}
		b.p.Types[typ].Writes = append(b.p.Types[typ].Writes, out)
	}
}

// Header makes the word of the union, with the number and the bits of the arm.
func (b *body) Header(a *schema.Arm, rule int) {
	word := a.Union.Word
	b.emit(bytecode.Header, rule, headScalar(word.Type), b.reg(word.Field), b.add(schema.Header(a, terms{b})))
}

// headScalar returns the scalar of the word of a union, as an operand. If the last argument of the union chooses
// its order, that is in the register before the word.
func headScalar(t *schema.Type) uint32 {
	if t.Big != nil {
		return uint32(t.Scalar) | bytecode.FlagOrdered
	}
	return wire(t)
}
