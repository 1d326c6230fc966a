// Blocks: conditions and lists, and words that hold the size of what follows.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// measuredBy returns the rows whose size an expression takes.
func measuredBy(n *schema.Node) []string {
	if n == nil {
		return nil
	}
	if n.Op == schema.OpCall && n.Name.Text == "size" && len(n.Args) == 1 && n.Args[0].Op == schema.OpName {
		return []string{n.Args[0].Name.Text}
	}
	var out []string
	for _, a := range n.Args {
		out = append(out, measuredBy(a)...)
	}
	return out
}

func (b *body) beforeMeasured(name string, rule uint32) *patch {
	p := b.patches[name]
	if p != nil {
		b.c.emit(bytecode.Mark, rule, p.size)
	}
	return p
}

func (b *body) afterMeasured(p *patch, rule uint32) {
	if p == nil {
		return
	}
	c := b.c
	c.emit(bytecode.Size, rule, p.size, p.size)
	x := &exprCompiler{b: b, dir: writing, sizes: map[string]uint32{}}
	for _, t := range measuredBy(p.word.derive) {
		x.sizes[t] = p.size
	}
	word := c.scalar(p.row.Type.Name.Text)
	c.emit(bytecode.Patch, rule, uint32(word), p.at, c.addExpr(x.tree(p.word.derive, 0)), uint32(p.word.reg))
	p.word.derive = &schema.Node{Op: schema.OpNum, OK: true}
	for name, q := range b.patches {
		if q == p {
			delete(b.patches, name)
		}
	}
}

// branch lowers rows under a condition. A field of one branch is absent in the
// other.
func (b *body) branch(i *dsl.If) {
	c := b.c
	rule := b.rule(i.Pos, "", nil)
	cond := b.expr(i.Cond, both)
	then, other := b.cellsOf(i.Then), b.cellsOf(i.Else)
	absent := func(from, except map[int]string) {
		for cell := range len(b.rec.cells) {
			if name, ok := from[cell]; ok {
				if _, here := except[cell]; !here {
					c.emit(bytecode.Absent, b.rule(i.Pos, name, nil), uint32(cell))
				}
			}
		}
	}
	c.either(rule, cond, func() {
		b.lowerItems(i.Then)
		absent(other, then)
	}, func() {
		b.lowerItems(i.Else)
		absent(then, other)
	})
}

// either emits a condition and its two branches. A second branch that is empty is left
// out.
func (c *compiler) either(rule, cond uint32, then, other func()) {
	c.emit(bytecode.If, rule, cond)
	then()
	at := c.emit(bytecode.Else, rule)
	if other(); len(c.p.Code) == at+1 {
		c.p.Code = c.p.Code[:at]
	}
	c.emit(bytecode.End, rule)
}

// cellsOf returns the cells that items keep values in, with their names.
func (b *body) cellsOf(items []*dsl.Item) map[int]string {
	out := map[int]string{}
	add := func(name string) {
		if f := b.lookup(name); f != nil && f.cell >= 0 {
			out[f.cell] = name
		}
	}
	for _, i := range items {
		switch {
		case i.Row != nil:
			add(i.Row.Name.Text)
			for _, bf := range i.Row.Bits {
				add(bf.Name.String())
			}
		case i.Repeat != nil:
			add(i.Repeat.Name.Text)
		case i.Within != nil:
			for cell, name := range b.cellsOf(i.Within.Items) {
				out[cell] = name
			}
		case i.If != nil:
			for _, branch := range [][]*dsl.Item{i.If.Then, i.If.Else} {
				for cell, name := range b.cellsOf(branch) {
					out[cell] = name
				}
			}
		}
	}
	return out
}

// repeat lowers a list.
func (b *body) repeat(r *dsl.Repeat) {
	c := b.c
	f := b.lookup(r.Name.Text)
	rule := b.rule(r.Pos, r.Name.Text, r.Doc)
	measured := b.beforeMeasured(r.Name.Text, rule)
	if r.Count != nil {
		if _, fixed := schema.ConstExpr(c.s, r.Count); !fixed {
			b.probe(r.Count, f, "count")
		}
	}
	switch {
	case r.Map && r.ToEnd:
		c.errorf(r.Pos, 6, dsl.CodeArgs, "a map needs a count").WithHint("write repeat COUNT as %s map { … }", r.Name.Text)
	case r.Map:
		var pair []*dsl.Row
		for _, i := range r.Items {
			if i.Row != nil {
				pair = append(pair, i.Row)
			}
		}
		if len(pair) != 2 || len(r.Items) != 2 {
			c.errorf(r.Pos, 6, dsl.CodeArgs, "an element of a map is two rows, the key and the value").WithHint("use a list without map for other elements")
			return
		}
		c.emit(bytecode.Map, rule, b.expr(r.Count, both), b.element(pair[:1], r), uint32(f.cell), b.element(pair[1:], r))
	default:
		if names, form, ok := c.tuple(r.Items); ok {
			rowRule := rule
			for _, i := range r.Items {
				if i.Row != nil {
					rowRule = c.rule(r.Pos, b.name+"."+r.Name.Text, i.Row.Doc.String())
					break
				}
			}
			count := uint32(bytecode.None)
			if !r.ToEnd {
				count = b.expr(r.Count, both)
			}
			b.widths(form, rowRule, func(s uint32) {
				c.emit(bytecode.Packed, rowRule, s, uint32(len(names)), count, uint32(f.cell))
			})
			break
		}
		elem := b.elementItems(r)
		if r.ToEnd {
			c.emit(bytecode.Rest, rule, elem, uint32(f.cell))
		} else {
			c.emit(bytecode.List, rule, b.expr(r.Count, both), elem, uint32(f.cell))
		}
	}
	b.pad(r.Attrs, rule)
	b.afterMeasured(measured, rule)
}

// elementItems returns the routine of a list's elements.
func (b *body) elementItems(r *dsl.Repeat) uint32 {
	var rows []*dsl.Row
	plain := true
	for _, i := range r.Items {
		switch {
		case i.Row != nil:
			rows = append(rows, i.Row)
		case i.Erratum != nil || i.Says != nil || i.Caption != nil:
		default:
			plain = false
		}
	}
	if plain && len(rows) == 1 {
		return b.element(rows, r)
	}
	return b.anonymous(r.Name.Text, r.Items, r.Pos)
}

// element returns the routine of one row: the union or record that it is of, or
// a record of its own.
func (b *body) element(rows []*dsl.Row, r *dsl.Repeat) uint32 {
	row := rows[0]
	plain := len(row.Type.Args) == 0 && row.Type.Size == nil && !row.Type.ID && row.Value == nil && len(row.Bits) == 0
	for _, a := range row.Attrs {
		plain = plain && a.Err != nil
	}
	if plain {
		if u := b.c.s.Union(row.Type.Name.Text); u != nil && len(u.Args) == 0 {
			return b.c.unionRoutine(u)
		}
		if t := b.c.s.Type(row.Type.Name.Text); t != nil && len(t.Args) == 0 {
			return b.c.typeRoutine(t)
		}
	}
	return b.anonymous(r.Name.Text+"."+row.Name.Text, []*dsl.Item{{Pos: row.Pos, Row: row}}, row.Pos)
}
