// Records: what begins them, and the nodes of their bodies.

package model

import (
	"maps"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// body is a record while its statements are made, or the rows of a record in place of
// a row of another one.
type body struct {
	*builder
	*frame
	rec  *schema.Record
	typ  *Type
	path string // begins the names of rules
	regs map[*schema.Field]int
	size map[*schema.Field]sizes // of words that get the size of a later row
	cell int                     // of the stored field of a record in place of a row, else -1
}

// frame is the statements and registers of a record, with those of the records in place
// of its rows.
type frame struct {
	out   []*Stmt
	next  int           // number of registers so far
	known map[int]bound // of registers; others are 0
}

// sizes are the registers of a word that gets the size of a row after it.
type sizes struct{ place, size int }

// body returns a record whose statements are to be made. The arguments of its routine
// have the first registers.
func (b *builder) body(r *Routine, params []*schema.Field, rec *schema.Record, typ *Type) *body {
	out := &body{
		builder: b, frame: &frame{known: map[int]bound{}}, rec: rec, typ: typ, path: rec.Path,
		regs: map[*schema.Field]int{}, size: map[*schema.Field]sizes{}, cell: -1,
	}
	for i, f := range params {
		out.known[out.reg(f)] = argument(b.bounds, r.Index, i)
	}
	return out
}

// reg returns the register of a field.
func (b *body) reg(f *schema.Field) int {
	r, ok := b.regs[f]
	if !ok {
		r = b.newReg()
		b.regs[f] = r
	}
	return r
}

func (b *body) newReg() int {
	b.next++
	return b.next - 1
}

// read notes that a register holds a number of a scalar.
func (b *body) read(reg int, s bytecode.Scalar) {
	lo, hi := ScalarBounds(s)
	b.known[reg] = bound{lo, hi}
}

// cellOf returns the cell of a stored field.
func (b *body) cellOf(f *schema.Field) int {
	if b.cell >= 0 {
		return b.cell
	}
	return f.Index
}

// stored reports whether the value of a field is in a cell.
func stored(f *schema.Field) bool { return f.Index >= 0 }

// step returns the name of a field in paths to its elements.
func (b *body) step(f *schema.Field) string {
	if own := b.typ.Fields[b.cellOf(f)]; !own.Alone {
		return own.Name
	}
	return ""
}

// at returns the rule for a place in the record; name is that of a field, or "".
func (b *body) at(pos dsl.Pos, name, doc string) int {
	if name != "" {
		name = "." + name
	}
	return b.rule(pos, b.path+name, doc)
}

// emit adds a statement. An error in it is at the number that was read last, if nothing
// else was read since.
func (b *body) emit(op bytecode.Op, rule int, s Stmt) {
	s.Op, s.Rule = op, rule
	switch op {
	case bytecode.Word, bytecode.Header:
		b.width = s.Scalar.Width()
	case bytecode.Let, bytecode.Take, bytecode.Check, bytecode.ArmRef:
	default:
		b.width = 0
	}
	switch op {
	case bytecode.Word, bytecode.Patch, bytecode.Size:
	default:
		s.Place = -1
	}
	b.out = append(b.out, &s)
}

// refuse emits a check, which refuses with a text unless the condition holds.
func (b *body) refuse(rule int, cond *Expr, text string) {
	b.emit(bytecode.Check, rule, Stmt{Expr: cond, Text: text, Back: b.width})
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
	s := &Stmt{Op: bytecode.If, Rule: rule, Expr: cond, Place: -1}
	s.Then = branch(then)
	after := b.known
	b.known = before
	s.Else = branch(other)
	switch {
	case cond.Op != bytecode.ExprNum:
		b.out = append(out, s)
		b.known = afterEither(after, b.known)
	case cond.Num != 0: // a condition on the choice of the axis
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
	r.Rule = body.at(rec.Pos, "", "")
	r.Body = body.whole(func() {})
}

// whole makes the fields of the type and all statements; head makes those before the
// rows.
func (b *body) whole(head func()) []*Stmt {
	t := b.typ
	for i, f := range b.rec.Stored {
		t.Fields = append(t.Fields, &Field{Index: i, Name: f.Name, Doc: f.Doc, Kind: f.Kind, Alone: f.Alone})
		if f.Alone && len(b.rec.Stored) > 1 && (f.Kind == builtin.List || f.Kind == builtin.Map) {
			t.Keys.Core = true
		}
	}
	head()
	if b.rec.Tuple != nil {
		t.Lanes = b.rec.Tuple.Names
		b.tuple(b.rec.Tuple)
	} else {
		b.nodes(b.rec.Body)
	}
	b.width = 0
	return b.out
}

// tuple makes a record that is a tuple of numbers.
func (b *body) tuple(t *schema.Tuple) {
	rule := b.at(t.Rows[0].Pos, "", "")
	b.numbers(t.Type, false, rule, func(scalar bytecode.Scalar, wide bool) {
		b.emit(bytecode.Lanes, rule, Stmt{Scalar: scalar, Wide: wide, Width: len(t.Names)})
	})
}

// nodes makes the statements of the nodes of a body, in order.
func (b *body) nodes(body []schema.Node) {
	for _, n := range body {
		switch n := n.(type) {
		case *schema.Row:
			if n.Same == nil {
				b.row(n)
			}
		case *schema.Forms:
			b.forms(n)
		case *schema.List:
			b.list(n)
		case *schema.Region:
			b.region(n)
		case *schema.If:
			b.branch(n)
		case *schema.Let:
			value := b.expr(n.Value)
			b.let(b.at(n.Pos, n.Field.Name, ""), b.reg(n.Field), value)
		case *schema.Check:
			b.refuse(b.at(n.Pos, "", ""), b.expr(n.Cond), n.Message)
		case *schema.Require:
			b.emit(bytecode.Gate, b.at(n.Pos, "", ""), Stmt{Gate: n.Gate.Index})
		}
	}
}

// let gives a register a number.
func (b *body) let(rule, reg int, value *Expr) {
	b.emit(bytecode.Let, rule, Stmt{Reg: reg, Expr: value})
	b.known[reg] = bound{value.Min, value.Max}
}

// region makes rows that are limited to a number of bytes.
func (b *body) region(n *schema.Region) {
	rule := b.at(n.Pos, "region", "")
	rows := func() {
		b.emit(bytecode.Enter, rule, Stmt{Expr: b.expr(n.Size)})
		b.nodes(n.Body)
		b.emit(bytecode.Leave, rule, Stmt{})
	}
	if n.Pad == nil {
		rows()
		return
	}
	b.measured(rule, rows)
	b.pad(n.Pad, rule)
}

// branch makes rows under a condition. A field of one branch is absent in the other.
func (b *body) branch(n *schema.If) {
	absent := func(fields []*schema.Field) {
		for _, f := range fields {
			b.emit(bytecode.Absent, b.at(n.Pos, f.Name, ""), Stmt{Cell: b.cellOf(f)})
		}
	}
	b.either(b.at(n.Pos, "", ""), b.expr(n.Cond), func() {
		b.nodes(n.Then)
		absent(n.Absent[0])
	}, func() {
		b.nodes(n.Else)
		absent(n.Absent[1])
	})
}
