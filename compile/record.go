// Records: their registers and cells, and what begins and ends them.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// body is a record while its instructions are made. It may be the rows of a record in
// place of a row of another one.
type body struct {
	*lowering
	rec   *schema.Record
	path  string // begins the names of rules
	slots *schema.Slots
}

func (l *lowering) body(rec *schema.Record) *body {
	return &body{lowering: l, rec: rec, path: rec.Path, slots: schema.NewSlots()}
}

// reg returns the register of a field.
func (b *body) reg(f *schema.Field) uint32 { return uint32(b.slots.Reg(f)) }

// params gives the arguments of a record or a union their registers, the first ones.
func (b *body) params(fields []*schema.Field) {
	for _, f := range fields {
		b.slots.Reg(f)
	}
}

// cellOf returns the cell of a stored field.
func (b *body) cellOf(f *schema.Field) uint32 { return uint32(b.slots.Cell(f)) }

// Rule returns the rule for a place in the record; name is that of a field, or "".
func (b *body) Rule(pos dsl.Pos, name, doc string) int {
	if name != "" {
		name = "." + name
	}
	return b.rule(pos, b.path+name, doc)
}

// lowerRecord makes the routine of a record.
func (l *lowering) lowerRecord(index uint32, rec *schema.Record) {
	b := l.body(rec)
	b.params(rec.Params)
	b.whole(l.newType(bytecode.Type{Name: rec.Name}), b.Rule(rec.Pos, "", ""), func() {})
	r := &l.p.Routines[index]
	r.Regs, r.Cells = uint32(b.slots.Regs()), uint32(len(rec.Stored))
}

// whole makes a record of a type from its beginning to its end; head makes what is
// before its rows.
func (b *body) whole(typ uint32, rule int, head func()) {
	t := &b.p.Types[typ]
	alone := uint32(0)
	for _, f := range b.rec.Stored {
		t.Fields = append(t.Fields, bytecode.Field{Name: f.Name, Kind: f.Kind, Alone: f.Alone})
		if f.Alone {
			alone = bytecode.DoneAlone
		}
	}
	b.emit(bytecode.Fields, rule, uint32(len(t.Fields)), typ)
	if b.rec.Based() {
		back := 0
		if a := b.rec.Arm; a != nil && a.Union.Word != nil {
			back = a.Union.Word.Type.Scalar.Width()
		}
		b.emit(bytecode.Base, rule, b.text(b.rec.BaseName()), uint32(back))
	}
	head()
	if b.rec.Tuple != nil {
		t.Lanes = b.rec.Tuple.Names
		b.tuple(b.rec.Tuple)
	} else {
		schema.Build(b.rec.Body, b)
		schema.BuildEnd(b.rec, b)
	}
	if b.rec.Based() {
		b.emit(bytecode.Close, rule)
		schema.BuildTotal(b.rec, b)
	}
	schema.BuildStop(b.rec, b)
	b.emit(bytecode.Done, rule, typ, alone)
}

// tuple makes a record that is a tuple of numbers.
func (b *body) tuple(t *schema.Tuple) {
	rule := b.Rule(t.Rows[0].Pos, "", "")
	b.numbers(t.Type, false, rule, func(scalar uint32) {
		b.emit(bytecode.Lanes, rule, scalar, uint32(len(t.Names)), 0)
	})
}
