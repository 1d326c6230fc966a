// Records: their registers and cells, and what begins them.

package model

import (
	"maps"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// body is a record while its statements are made. It may be the rows of a record in
// place of a row of another one.
type body struct {
	*builder
	*frame
	rec  *schema.Record
	typ  *Type
	path string // begins the names of rules

	slots *schema.Slots
}

// frame is the statements of a record, with those of the records in place of its rows.
type frame struct {
	out   []*Stmt
	known map[int]bound // of registers; others are 0
}

// body returns a record whose statements are to be made. The arguments of its routine
// have the first registers.
func (b *builder) body(r *Routine, params []*schema.Field, rec *schema.Record, typ *Type) *body {
	out := &body{
		builder: b, frame: &frame{known: map[int]bound{}}, rec: rec, typ: typ, path: rec.Path, slots: schema.NewSlots(),
	}
	for i, f := range params {
		out.known[out.slots.Reg(f)] = argument(b.bounds, r.Index, i)
	}
	return out
}

// read notes that a register holds a number of a scalar.
func (b *body) read(reg int, s builtin.Scalar) {
	lo, hi := ScalarBounds(s)
	b.known[reg] = bound{lo, hi}
}

// step returns the name of a field in paths to its elements.
func (b *body) step(f *schema.Field) string {
	if own := b.typ.Fields[b.slots.Cell(f)]; !own.Alone || b.typ.Union == "" {
		return own.Name
	}
	return ""
}

// Rule returns the rule for a place in the record; name is that of a field, or "".
func (b *body) Rule(pos dsl.Pos, name, doc string) int {
	if name != "" {
		name = "." + name
	}
	return b.rule(pos, b.path+name, doc)
}

// emit adds a statement. An error in it is at the number that was read last, if nothing
// else was read since.
func (b *body) emit(op Op, rule int, s Stmt) {
	s.Op, s.Rule = op, rule
	switch op {
	case OpWord, OpHeader:
		b.width = 0
		if s.Coding == builtin.Fixed {
			b.width = s.Scalar.Width()
		}
	case OpLet, OpTake, OpCheck, OpArmRef:
	default:
		b.width = 0
	}
	switch op {
	case OpWord, OpPatch, OpSize, OpCompare:
	default:
		s.Place = -1
	}
	b.out = append(b.out, &s)
}

// either emits a condition and its two branches, or one branch if the condition is
// constant.
func (b *body) either(rule int, cond *Expr, then, other func()) {
	out, before, width := b.out, maps.Clone(b.known), b.width
	branch := func(emit func()) []*Stmt {
		b.out, b.width = nil, width
		emit()
		b.width = 0
		return b.out
	}
	s := &Stmt{Op: OpIf, Rule: rule, Expr: cond, Place: -1}
	s.Then = branch(then)
	after := b.known
	b.known = before
	s.Else = branch(other)
	switch {
	case cond.Op != builtin.Num:
		b.out = append(out, s)
		b.known = afterEither(after, b.known)
	case cond.Num != 0: // a condition on the choice of the option
		b.out = append(out, s.Then...)
		b.known = after
	default:
		b.out = append(out, s.Else...)
	}
}

// afterEither returns the bounds of registers after one of two branches. A register that
// a branch does not set is 0.
func afterEither(yes, no map[int]bound) map[int]bound {
	out := map[int]bound{}
	for _, m := range []map[int]bound{yes, no} {
		for r := range m {
			out[r] = yes[r].or(no[r])
		}
	}
	return out
}

// recordBody makes the routine of a record.
func (b *builder) recordBody(r *Routine, rec *schema.Record) {
	r.Type = b.recordType(rec)
	body := b.body(r, rec.Params, rec, r.Type)
	r.Rule = body.Rule(rec.Pos, "", "")
	r.Body = body.whole(r.Rule, func() {})
}

// whole makes the fields of the type and all statements; head makes those before the
// rows. The rule is that of the record.
func (b *body) whole(rule int, head func()) []*Stmt {
	t := b.typ
	for i, f := range b.rec.Stored {
		t.Fields = append(t.Fields, &Field{Index: i, Name: f.Name, Doc: f.Doc, Kind: f.Kind, Alone: f.Alone})
		if f.Alone && len(b.rec.Stored) > 1 && (f.Kind == builtin.List || f.Kind == builtin.Map) {
			t.Keys.Core = true
		}
	}
	if b.rec.Based() {
		back := 0
		if a := b.rec.Arm; a != nil && a.Union.Word != nil {
			back = a.Union.Word.Type.Scalar.Width()
		}
		b.emit(OpBase, rule, Stmt{Base: b.named(b.rec.BaseName()), Back: back})
	}
	head()
	if b.rec.Tuple != nil {
		t.Lanes = b.rec.Tuple.Names
		for _, row := range b.rec.Tuple.Rows {
			t.LaneDoc = append(t.LaneDoc, row.Doc)
		}
		b.tuple(b.rec.Tuple)
	} else {
		schema.Build(b.rec.Body, b)
		schema.BuildEnd(b.rec, b)
	}
	if b.rec.Based() {
		b.emit(OpClose, rule, Stmt{})
		schema.BuildTotal(b.rec, b)
	}
	schema.BuildStop(b.rec, b)
	b.width = 0
	return b.out
}

// tuple makes a record that is a tuple of numbers.
func (b *body) tuple(t *schema.Tuple) {
	rule := b.Rule(t.Rows[0].Pos, "", "")
	b.numbers(t.Type, false, rule, func(n number) {
		b.emit(OpLanes, rule, Stmt{Scalar: n.scalar, Swapped: n.swapped, Wide: n.wide, Width: len(t.Names)})
	})
}
