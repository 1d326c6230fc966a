// Declaring: the fields of a record get their cells before any code is made, since
// a writer computes words from fields that stand after them.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// lanesField is the field that keeps all numbers of a tuple. No name is spelt so.
const lanesField = "all numbers"

// declareAll gives the fields of the items their cells before any code is made,
// since a writer computes words from fields that stand after them.
func (b *body) declareAll(items []*dsl.Item) {
	items = solid(items)
	usedNames(items, b.uses)
	if names, _, ok := b.c.tuple(items); ok && len(names) > 1 {
		f := &field{name: lanesField, pos: items[0].Pos, reg: -1, cell: b.newCell(""), encoding: -1}
		b.rec.cells[f.cell].Kind = kindLanes
		b.rec.lanes = names
		b.fields = append(b.fields, f)
		for _, i := range items {
			if i.Bits != nil {
				b.declareBits(i.Bits)
			}
		}
		b.choices(items)
		return
	}
	b.declareItems(items, "")
	b.choices(items)
}

func (b *body) declareItems(items []*dsl.Item, prev string) {
	for _, i := range solid(items) {
		switch {
		case i.Bits != nil:
			b.declareBits(i.Bits)
		case i.Row != nil:
			if i.Row.Name.Text == prev && whenOf(i.Row.Attrs) != nil {
				continue // the other form of one field
			}
			prev = i.Row.Name.Text
			b.declareRow(i.Row)
		case i.Repeat != nil:
			f := b.declare(i.Repeat.Name)
			f.cell = b.newCell(f.name)
			b.rec.cells[f.cell].Kind = kindList
			if i.Repeat.Map {
				b.rec.cells[f.cell].Kind = kindMap
			} else if _, _, ok := b.c.tuple(i.Repeat.Items); ok {
				b.rec.cells[f.cell].Kind = kindPacked
			}
		case i.Within != nil:
			b.declareItems(i.Within.Items, "")
		case i.If != nil:
			b.declareItems(i.If.Then, "")
			b.declareItems(i.If.Else, "")
		case i.Let != nil:
			f := b.declare(i.Let.Name)
			f.let = schema.Fold(i.Let.Value)
		}
	}
}

func (b *body) declareBits(i *dsl.Bits) {
	if b.rec.word == nil {
		b.c.errorf(i.Pos, 3, dsl.CodeBits, "bits of a union's word stand in its arms only").
			WithHint("write the bits in braces after the row of the word")
		return
	}
	f := b.declare(i.Name)
	b.derived(f, i.Value, i.Attrs)
	if i.Selects != nil {
		if b.c.axis == nil || i.Selects.Text != b.c.axis.Name.Text {
			d := b.c.errorf(i.Selects.Pos, len(i.Selects.Text), dsl.CodeUnknown, "there is no axis %s", i.Selects.Text).WithHint("declare it in the schema: axis %s { … }", i.Selects.Text)
			if b.c.axis != nil && dsl.Nearest(i.Selects.Text, []string{b.c.axis.Name.Text}) != "" {
				d.WithHint("did you mean %s?", b.c.axis.Name.Text)
			}
		} else if len(b.c.axis.Choices) < 2 {
			b.c.errorf(i.Selects.Pos, len(i.Selects.Text), dsl.CodeArgs, "axis %s has one choice, so there is nothing to select", i.Selects.Text)
		} else {
			b.selects = f
			f.used = true
			on := int64(0)
			if b.c.choice > 0 {
				on = 1
			}
			f.derive = &schema.Node{Op: schema.OpNum, Pos: i.Pos, Num: on, OK: true}
		}
	} else if i.Value == nil {
		f.cell = b.newCell(f.name)
	}
}

// derived notes what a writer computes for a field.
func (b *body) derived(f *field, value *dsl.Expr, attrs []*dsl.Attr) {
	if value != nil {
		f.derive = schema.Fold(value)
	}
	for _, a := range attrs {
		if a.Write != nil {
			f.derive = schema.Fold(a.Write)
		}
		if a.Read == "any" {
			f.ignored = true
		}
	}
}

func whenOf(attrs []*dsl.Attr) *dsl.Expr {
	for _, a := range attrs {
		if a.When != nil {
			return a.When
		}
	}
	return nil
}

func (b *body) declareRow(row *dsl.Row) {
	c := b.c
	named := false
	for _, bf := range row.Bits {
		if bf.Name == nil {
			continue
		}
		named = true
		f := b.declare(bf.Name)
		b.derived(f, bf.Value, bf.Attrs)
		if bf.Value == nil {
			f.cell = b.newCell(f.name)
		}
	}
	f := b.declare(row.Name)
	b.derived(f, row.Value, row.Attrs)
	t := row.Type
	if enc := c.encoding(t.Name.Text); enc >= 0 && t.Size != nil {
		f.encoding = enc
	}
	if u := c.s.Union(t.Name.Text); u != nil {
		if t.ID {
			f.armOf = u
		} else {
			f.union = u
		}
	}
	switch {
	case row.Value != nil || named || len(row.Bits) > 0:
		f.used = f.used || named // its bits are
		return
	}
	f.cell = b.newCell(f.name)
	if f.union != nil {
		b.rec.calls[f.cell] = f.union
	}
	b.rec.cells[f.cell].Kind = c.rowKind(t)
}

// rowKind is the kind of value in a row, or 0 where it varies.
func (c *compiler) rowKind(t *dsl.TypeRef) uint8 {
	name := t.Name.Text
	if t.ID {
		return 0
	}
	if t.Size != nil {
		if c.encoding(name) >= 0 {
			return kindText
		}
		return kindPacked
	}
	if truthWidth(name) != bytecode.NoScalar {
		return kindBool
	}
	if s := c.scalar(name); s != bytecode.NoScalar {
		switch {
		case s.IsFloat():
			return kindFloat
		case s.Signed():
			return kindInt
		}
		return kindUint
	}
	if rec := c.s.Type(name); rec != nil && len(rec.Args) == 0 {
		if row := single(rec.Items); row != nil {
			return c.rowKind(row.Type)
		}
	}
	return 0
}

// single returns the one stored row of a record that is written in place.
func single(items []*dsl.Item) *dsl.Row {
	var found *dsl.Row
	for _, i := range items {
		switch {
		case i.Row != nil && len(i.Row.Bits) > 0:
			return nil
		case i.Row != nil && i.Row.Value != nil:
		case i.Row != nil:
			if found != nil {
				return nil
			}
			found = i.Row
		case i.Erratum != nil, i.Says != nil, i.Caption != nil, i.Check != nil, i.Example != nil:
		default:
			return nil
		}
	}
	return found
}

func truthWidth(name string) bytecode.Scalar {
	switch name {
	case "bool8":
		return bytecode.U8
	case "bool16":
		return bytecode.U16
	case "bool32":
		return bytecode.U32
	}
	return bytecode.NoScalar
}

// scalar returns the scalar of a type name: its own, or the axis' for its choice.
func (c *compiler) scalar(name string) bytecode.Scalar {
	if s, ok := bytecode.ScalarNamed(name); ok {
		return s
	}
	if c.axis != nil && name == c.axis.Name.Text {
		s, _ := bytecode.ScalarNamed(c.axis.Choices[c.choice].Scalar.Text)
		return s
	}
	return bytecode.NoScalar
}

// encoding returns the index of a text encoding, or -1. "utf8" and "bytes" are
// there without being declared.
func (c *compiler) encoding(name string) int {
	if i, ok := c.encodings[name]; ok {
		return int(i)
	}
	e := bytecode.Encoding{Name: name}
	decl := c.s.Encoding(name)
	switch {
	case decl != nil:
		for _, rule := range decl.Rules {
			switch {
			case rule.UTF8 != "":
				e.UTF8 = map[string]bytecode.UTF8{"strict": bytecode.UTF8Strict, "loose": bytecode.UTF8Loose, "unchecked": bytecode.UTF8Unchecked}[rule.UTF8]
			case rule.BOM != "":
				e.DropBOM = rule.BOM == "drop"
			case rule.NUL != "":
				e.NUL = map[string]bytecode.NUL{"keep": bytecode.NULKeep, "stop": bytecode.NULStop, "counted": bytecode.NULCounted}[rule.NUL]
			}
		}
	case name == "utf8":
	default:
		return -1
	}
	c.p.Encodings = append(c.p.Encodings, e)
	c.encodings[name] = uint32(len(c.p.Encodings) - 1)
	return len(c.p.Encodings) - 1
}

// tuple reports whether items are nothing but stored numbers of one form, and
// returns their names and the name of the form.
func (c *compiler) tuple(items []*dsl.Item) (names []string, form string, ok bool) {
	for _, i := range items {
		switch {
		case i.Row != nil:
			r := i.Row
			if r.Value != nil || len(r.Bits) > 0 || r.Type.Size != nil || r.Type.ID || len(r.Type.Args) > 0 {
				return nil, "", false
			}
			for _, a := range r.Attrs {
				if a.Err == nil && a.At == nil {
					return nil, "", false
				}
			}
			name := r.Type.Name.Text
			if c.scalar(name) == bytecode.NoScalar || form != "" && form != name {
				return nil, "", false
			}
			form = name
			names = append(names, r.Name.Text)
		case i.Bits != nil && i.Bits.Selects != nil:
		case i.Erratum != nil, i.Says != nil, i.Caption != nil, i.Example != nil, i.Writes != nil:
		default:
			return nil, "", false
		}
	}
	return names, form, len(names) > 0
}

// choices turns the flags that choose between two forms of one row into flags
// that also obey a caller who keeps widths.
func (b *body) choices(items []*dsl.Item) {
	for k := 0; k+1 < len(items); k++ {
		first, second := items[k].Row, items[k+1].Row
		if first == nil || second == nil || first.Name.Text != second.Name.Text {
			continue
		}
		w1, w2 := whenOf(first.Attrs), whenOf(second.Attrs)
		if w1 == nil || w2 == nil || !opposite(schema.Fold(w1), schema.Fold(w2)) {
			continue
		}
		n := schema.Fold(w2)
		narrowRow := first
		if n.Op == schema.OpNot {
			n, narrowRow = n.Args[0], second
		}
		if n.Op != schema.OpName {
			continue
		}
		flag, value := b.lookup(n.Name.Text), b.lookup(first.Name.Text)
		s := b.c.scalar(narrowRow.Type.Name.Text)
		if flag == nil || value == nil || value.cell < 0 || flag.derive == nil || s == bytecode.NoScalar {
			continue
		}
		name := &dsl.Name{Pos: first.Pos, Text: value.name}
		flag.derive = &schema.Node{Op: nodeKeep, Pos: first.Pos, Name: name, Num: int64(s), Args: []*schema.Node{flag.derive}}
	}
	if b.selects != nil {
		b.selects.derive = &schema.Node{Op: nodeKeepWide, Pos: b.selects.pos, Args: []*schema.Node{b.selects.derive}}
	}
}

// Operations that the compiler puts around what a schema says.
const (
	nodeKeep     schema.NodeOp = "keep"      // keeping widths: is Name wide, or outside scalar Num? else Args[0]
	nodeKeepWide schema.NodeOp = "keep wide" // keeping widths: is the first number cell wide? else Args[0]
)

func opposite(a, b *schema.Node) bool {
	if a.Op == schema.OpNot {
		a, b = b, a
	}
	return b.Op == schema.OpNot && same(a, b.Args[0])
}

func same(a, b *schema.Node) bool {
	if a.Op != b.Op || a.Num != b.Num || a.Name.String() != b.Name.String() || len(a.Args) != len(b.Args) {
		return false
	}
	for i := range a.Args {
		if !same(a.Args[i], b.Args[i]) {
			return false
		}
	}
	return true
}
