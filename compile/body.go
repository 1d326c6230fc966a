// Bodies: the fields of one record while its instructions are made.

package compile

import (
	"path"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// field is one name in a body: a number in a register, a value in a cell, or both.
type field struct {
	name     string
	pos      dsl.Pos
	reg      int // register that holds the number, once it is read; -1 if none does
	cell     int // cell that keeps the value; -1 for what is derived
	encoding int // of text; -1 otherwise
	union    *schema.Union
	armOf    *schema.Union // the value is the number of an arm of this union
	derive   *schema.Node  // what a writer computes
	let      *schema.Node
	isArg    bool
	read     bool // a text that a reader knows, since its row has been passed
	used     bool // a reader uses the number
	ignored  bool // what is read is ignored by declaration
	checked  bool
}

// record holds what a body and the records written in place inside it share.
type record struct {
	regs   int
	cells  []bytecode.Field
	calls  []*schema.Union // of each cell: the union it is of, for substitution
	lanes  []string
	word   *schema.Union // the union whose word the arm's bits are in
	wordAt int           // its register
}

// body makes the instructions of one record.
type body struct {
	c       *compiler
	name    string // for rules
	rec     *record
	fields  []*field
	selects *field            // the flag that chooses the form of the axis
	uses    map[string]bool   // names that readers use
	patches map[string]*patch // words that hold the size of a row, by the row's name
	before  int               // diagnostics before this record
}

// patch is a word that is written before what it measures.
type patch struct {
	row  *dsl.Row
	word *field
	at   uint32 // register with its place
	size uint32 // register with the size
}

func (b *body) lookup(name string) *field {
	for i := len(b.fields) - 1; i >= 0; i-- {
		if b.fields[i].name == name {
			return b.fields[i]
		}
	}
	return nil
}

func (b *body) names() []string {
	var out []string
	for _, f := range b.fields {
		out = append(out, f.name)
	}
	for _, c := range b.c.s.Consts {
		out = append(out, c.Name.Text)
	}
	return out
}

func (b *body) newReg() int {
	b.rec.regs++ // the verifier says where there are too many
	return b.rec.regs - 1
}

func (b *body) declare(name *dsl.Name) *field {
	if old := b.lookup(name.Text); old != nil {
		b.c.errorf(name.Pos, len(name.Text), dsl.CodeTwice, "there is a field %s in this record already, in line %d", name.Text, old.pos.Line).
			WithHint("give one another name; only rows that follow each other, under opposite conditions, share one")
	}
	f := &field{name: name.Text, pos: name.Pos, reg: -1, cell: -1, encoding: -1}
	b.fields = append(b.fields, f)
	return f
}

func (b *body) newCell(name string) int {
	b.rec.cells = append(b.rec.cells, bytecode.Field{Name: name})
	b.rec.calls = append(b.rec.calls, nil)
	return len(b.rec.cells) - 1
}

// rule returns the index of the rule for a place in the schema.
func (b *body) rule(pos dsl.Pos, name string, doc *dsl.Str) uint32 {
	full := b.name
	if name != "" {
		full += "." + name
	}
	return b.c.rule(pos, full, doc.String())
}

func (c *compiler) rule(pos dsl.Pos, name, doc string) uint32 {
	r := bytecode.Rule{File: path.Base(pos.Filename), Line: uint32(pos.Line), Name: name, Doc: doc}
	for i := len(c.p.Rules) - 1; i >= 0 && i >= len(c.p.Rules)-8; i-- {
		if c.p.Rules[i] == r {
			return uint32(i)
		}
	}
	c.p.Rules = append(c.p.Rules, r)
	return uint32(len(c.p.Rules) - 1)
}

func (c *compiler) text(s string) uint32 {
	if i, ok := c.strings[s]; ok {
		return i
	}
	c.p.Strings = append(c.p.Strings, s)
	c.strings[s] = uint32(len(c.p.Strings) - 1)
	return c.strings[s]
}

func (c *compiler) emit(op bytecode.Op, rule uint32, operands ...uint32) int {
	in := bytecode.Instr{Op: op, Rule: rule}
	for i, x := range operands {
		switch i {
		case 0:
			in.A = x
		case 1:
			in.B = x
		case 2:
			in.C = x
		case 3:
			in.D = x
		}
	}
	c.p.Code = append(c.p.Code, in)
	return len(c.p.Code) - 1
}

// refuse emits a check, which refuses with a text unless it holds.
func (c *compiler) refuse(rule, cond uint32, text string) {
	c.emit(bytecode.Check, rule, cond, c.text(text), c.back())
}

// back returns the width of the word that the next instruction is about: errors of a
// check, or of the number of an arm, are at the word that has just been read.
func (c *compiler) back() uint32 {
	for pc := len(c.p.Code) - 1; pc >= 0; pc-- {
		switch in := &c.p.Code[pc]; in.Op {
		case bytecode.Word, bytecode.Union:
			return uint32(bytecode.Scalar(in.A).Width())
		case bytecode.Let, bytecode.Take, bytecode.Check, bytecode.ArmRef, bytecode.Header, bytecode.Fields, bytecode.Arm, bytecode.If:
		default:
			return 0
		}
	}
	return 0
}

// usedNames collects the names that a reader of the items needs as numbers.
func usedNames(items []*dsl.Item, uses map[string]bool) {
	var node func(n *schema.Node)
	node = func(n *schema.Node) {
		if n.Op == schema.OpName {
			uses[n.Name.Text] = true
		}
		if n.Op == schema.OpCall && n.Name.Text != "min" && n.Name.Text != "max" {
			return
		}
		for _, a := range n.Args {
			node(a)
		}
	}
	expr := func(e *dsl.Expr) {
		if e != nil {
			node(schema.Fold(e))
		}
	}
	attrs := func(as []*dsl.Attr) {
		for _, a := range as {
			expr(a.When)
			expr(a.Must)
		}
	}
	for _, i := range items {
		switch {
		case i.Row != nil:
			expr(i.Row.Type.Size)
			for _, a := range i.Row.Type.Args {
				expr(a)
			}
			attrs(i.Row.Attrs)
			for _, bf := range i.Row.Bits {
				attrs(bf.Attrs)
			}
		case i.Bits != nil:
			attrs(i.Bits.Attrs)
		case i.Repeat != nil:
			expr(i.Repeat.Count)
			usedNames(i.Repeat.Items, uses)
		case i.Within != nil:
			expr(i.Within.Size)
			usedNames(i.Within.Items, uses)
		case i.If != nil:
			expr(i.If.Cond)
			usedNames(i.If.Then, uses)
			usedNames(i.If.Else, uses)
		case i.Let != nil:
			expr(i.Let.Value)
		case i.Check != nil:
			expr(i.Check.Cond)
		}
	}
}

// solid returns the items that make instructions: captions, facts, errata,
// examples and the like stand between them without meaning for the bytes.
func solid(items []*dsl.Item) []*dsl.Item {
	out := make([]*dsl.Item, 0, len(items))
	for _, i := range items {
		if i.Row != nil && sameAs(i.Row) != nil {
			continue
		}
		if i.Caption == nil && i.Says == nil && i.Erratum == nil && i.Example == nil && i.Writes == nil {
			out = append(out, i)
		}
	}
	return out
}

// sameAs returns the field whose bytes a row documents a second time, or nil.
func sameAs(row *dsl.Row) *dsl.Name {
	for _, a := range row.Attrs {
		if a.Same != nil {
			return a.Same
		}
	}
	return nil
}
