// Lowering: routines, and what begins and ends a record.

package compile

import (
	"fmt"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// kinds of value, in the numbering of package interp.
const (
	kindBool   = 2
	kindInt    = 3
	kindUint   = 4
	kindFloat  = 5
	kindText   = 6
	kindLanes  = 7
	kindPacked = 8
	kindList   = 9
	kindMap    = 10
)

// unionRoutine returns the routine of a union, which is compiled when its turn comes.
func (c *compiler) unionRoutine(u *schema.Union) uint32 {
	key := "union " + u.Name
	if i, ok := c.routines[key]; ok {
		return i
	}
	i := uint32(len(c.p.Routines))
	c.routines[key] = i
	c.p.Routines = append(c.p.Routines, bytecode.Routine{Name: u.Name, Args: uint32(len(u.Args))})
	c.pending = append(c.pending, func() { c.lowerUnion(i, u) })
	return i
}

// typeRoutine returns the routine of a named record.
func (c *compiler) typeRoutine(t *schema.Type) uint32 {
	key := "type " + t.Name
	if i, ok := c.routines[key]; ok {
		return i
	}
	i := uint32(len(c.p.Routines))
	c.routines[key] = i
	c.p.Routines = append(c.p.Routines, bytecode.Routine{Name: t.Name, Args: uint32(len(t.Args))})
	c.pending = append(c.pending, func() { c.lowerRecord(i, t.Name, t.Name, t.Args, t.Items, t.Pos) })
	return i
}

// lowerRecord makes the code of a routine that is one record.
func (c *compiler) lowerRecord(index uint32, name, typeName string, args []*dsl.Name, items []*dsl.Item, pos dsl.Pos) {
	start := len(c.p.Code)
	typ := uint32(len(c.p.Types))
	c.p.Types = append(c.p.Types, bytecode.Type{Name: typeName})
	b := c.newBody(name, args)
	rule := b.rule(pos, "", nil)
	fields := c.emit(bytecode.Fields, rule, 0, typ)
	b.declareAll(items)
	b.lowerItems(items)
	b.finish(typ, fields, rule)
	c.limits(pos, name, b.rec)
	r := &c.p.Routines[index]
	r.Start, r.End, r.Regs, r.Cells = uint32(start), uint32(len(c.p.Code)), uint32(b.rec.regs), uint32(len(b.rec.cells))
}

func (c *compiler) newBody(name string, args []*dsl.Name) *body {
	b := &body{c: c, name: name, rec: &record{}, uses: map[string]bool{}, patches: map[string]*patch{}, before: len(c.diags)}
	for _, a := range args {
		f := b.declare(a)
		f.reg, f.isArg, f.used = b.newReg(), true, true
	}
	return b
}

// finish ends a record: the type learns its fields, and unused fields are reported.
func (b *body) finish(typ uint32, fields int, rule uint32) {
	c := b.c
	t := &c.p.Types[typ]
	t.Fields = b.rec.cells
	t.Lanes = b.rec.lanes
	alone := b.alone()
	flags := uint32(0)
	for i := range t.Fields {
		t.Fields[i].Alone = alone[i]
		if alone[i] {
			flags = bytecode.DoneAlone
		}
	}
	c.p.Code[fields].A = uint32(len(t.Fields))
	c.emit(bytecode.Done, rule, typ, flags)
	b.derivable()
	for _, d := range c.diags[b.before:] {
		if d.Code == dsl.CodeUnknown || d.Code == dsl.CodeArgs {
			return // a use may be misspelt
		}
	}
	for _, f := range b.fields {
		if f.derive != nil && !f.used && !f.ignored && !f.checked {
			c.errorf(f.pos, len(f.name), dsl.CodeInverse, "a writer computes %s, but a reader neither uses nor checks it", f.name).
				WithHint("add `read any` if what is read is to be ignored, or `must …` to check it")
		}
	}
}

// alone says which fields may stand for their record when no other is present:
// those whose kind tells them from all others.
func (b *body) alone() []bool {
	cells := b.rec.cells
	out := make([]bool, len(cells))
	for i, f := range cells {
		out[i] = f.Kind != 0
		for j, g := range cells {
			if i != j && g.Kind == f.Kind {
				out[i] = false
			}
		}
	}
	return out
}

// unknownType reports a type name that means nothing.
func (c *compiler) unknownType(n *dsl.Name) {
	all := []string{"bool8", "bool16", "bool32", "utf8"}
	for s := bytecode.U8; s.Valid(); s++ {
		all = append(all, s.String())
	}
	for _, t := range c.s.Types {
		all = append(all, t.Name)
	}
	for _, u := range c.s.Unions {
		all = append(all, u.Name)
	}
	for _, e := range c.s.Encodings {
		all = append(all, e.Name.Text)
	}
	if c.axis != nil {
		all = append(all, c.axis.Name.Text)
	}
	d := c.errorf(n.Pos, len(n.Text), dsl.CodeUnknown, "there is no type %s", n.Text)
	if near := c.near(n.Text, func() []string { return all }); near != "" {
		d.WithHint("did you mean %s?", near)
	} else {
		d.WithHint("a type is a scalar such as u32, an encoding with a length in brackets, a type, a union or an axis of the schema")
	}
}

func (b *body) anonymous(name string, items []*dsl.Item, pos dsl.Pos) uint32 {
	c := b.c
	full := b.name + "." + name
	key := fmt.Sprintf("element %s at %s:%d:%d", full, pos.Filename, pos.Line, pos.Column)
	if i, ok := c.routines[key]; ok {
		return i
	}
	i := uint32(len(c.p.Routines))
	c.routines[key] = i
	c.p.Routines = append(c.p.Routines, bytecode.Routine{Name: full})
	c.pending = append(c.pending, func() { c.lowerRecord(i, full, "", nil, items, pos) })
	return i
}
