// The units of a program, which can change one by one.

package diff

import (
	"fmt"
	"strings"

	"github.com/octable/octable/compile/bytecode"
)

// A unit is a part of a program that can change independently. It is an arm of a union, the
// beginning of all arms of a union, a record, or an encoding of text.
type unit struct {
	sort   Sort
	key    string // the same on both sides for what is the same thing
	name   string
	union  string // of an arm
	id     uint64 // of an arm
	other  bool   // the arm for all other numbers
	code   []string
	min    uint64 // the fewest bytes that it takes
	tag    uint16 // of values of an arm
	nested bool   // the arm of a union that is not the outermost value
}

// units are those of one program.
type units struct {
	all    []*unit
	byKey  map[string]*unit
	byTag  map[uint16]*unit
	byRule map[*bytecode.Rule]*unit // the unit whose instructions have the rule
	arms   map[*bytecode.Rule]*bytecode.Table
	word   map[*bytecode.Rule]*bytecode.Expr // of the header of a union: its number
	text   map[*bytecode.Rule]uint32         // of a row of text: its encoding
	rules  map[bytecode.Rule]*bytecode.Rule  // by what they say, as errors have them
}

func findUnits(s *Side) *units {
	p := s.Program
	u := &units{byKey: map[string]*unit{}, byTag: map[uint16]*unit{}, byRule: map[*bytecode.Rule]*unit{}, arms: map[*bytecode.Rule]*bytecode.Table{},
		word: map[*bytecode.Rule]*bytecode.Expr{}, text: map[*bytecode.Rule]uint32{}, rules: map[bytecode.Rule]*bytecode.Rule{}}
	add := func(x *unit) *unit {
		if old := u.byKey[x.key]; old != nil {
			return old
		}
		u.byKey[x.key] = x
		u.all = append(u.all, x)
		return x
	}
	take := func(x *unit, b bytecode.Block) {
		for pc := b.First; pc < b.Last; pc++ {
			in := &p.Code[pc]
			rule := &p.Rules[in.Rule]
			if u.byRule[rule] == nil {
				u.byRule[rule] = x
			}
			switch {
			case in.Op == bytecode.Text, (in.Op == bytecode.Until || in.Op == bytecode.Filled) && in.A != bytecode.None:
				u.text[rule] = in.A
			}
			x.code = append(x.code, instruction(p, pc, x))
		}
	}
	for i := range p.Routines {
		r := &p.Routines[i]
		first := &p.Code[r.Start]
		table, union := p.UnionTable(uint32(i))
		if !union {
			name, part, _ := strings.Cut(r.Name, ".")
			if part == "" {
				take(add(&unit{sort: Record, key: "type " + name, name: name, min: p.Bounds(uint32(i)).Min}), p.Body(uint32(i)))
			}
			continue
		}
		rule := &p.Rules[first.Rule]
		u.arms[rule] = table
		if first.Op == bytecode.Union {
			u.word[rule] = p.Exprs[first.C]
		}
		head := int(r.Start)
		take(add(&unit{sort: Header, key: "union " + r.Name, name: r.Name, min: p.Bounds(uint32(i)).Min}), bytecode.Block{First: head, Last: head + 1})
		for k, inner := range p.Inner(head) {
			a := table.Arms[k]
			t := &p.Types[a.Type]
			x := add(&unit{sort: Arm, key: "arm " + r.Name + " " + s.known(t), name: t.Name, union: r.Name, id: a.ID, other: a.Else,
				min: p.ArmBounds(uint32(i), k).Min, tag: s.machine.Tag(int(a.Type)), nested: uint32(i) != p.Root})
			u.byTag[x.tag] = x
			if a.IDs != nil {
				x.code = append(x.code, "numbers "+a.IDs.String())
			}
			for _, f := range t.Fields {
				x.code = append(x.code, "field "+f.Name)
			}
			for _, l := range t.Lanes {
				x.code = append(x.code, "part "+l)
			}
			take(x, inner)
		}
	}
	// The elements of a list of a record have a separate routine, and belong to
	// the record.
	for i := range p.Routines {
		r := &p.Routines[i]
		name, part, _ := strings.Cut(r.Name, ".")
		if _, union := p.UnionTable(uint32(i)); union || part == "" {
			continue
		}
		owner := u.byKey["type "+name]
		for _, x := range u.all {
			if x.sort == Arm && x.name == name {
				owner = x
			}
		}
		if owner == nil {
			owner = add(&unit{sort: Record, key: "type " + r.Name, name: r.Name, min: p.Bounds(uint32(i)).Min})
		}
		take(owner, p.Body(uint32(i)))
	}
	for i := range p.Rules {
		u.rules[p.Rules[i]] = &p.Rules[i]
	}
	for i := range p.Encodings {
		e := &p.Encodings[i]
		add(&unit{sort: Text, key: "encoding " + e.Name, name: e.Name, code: []string{e.String()}})
	}
	return u
}

// instruction prints an instruction of a unit. The text does not depend on the place of the
// unit in its program, or on its number.
func instruction(p *bytecode.Program, pc int, x *unit) string {
	in := p.Code[pc]
	ops := in.Op.Operands()
	if ops[3] == bytecode.OpTable {
		in.D = 0
	}
	text := p.InstrText(&in)
	for k, arg := range [4]uint32{in.A, in.B, in.C, in.D} { // a type does not change with its own name
		if ops[k] == bytecode.OpType && arg < uint32(len(p.Types)) && p.Types[arg].Name == x.name {
			text = strings.Replace(text, "type "+x.name, "type itself", 1)
		}
	}
	if in.Op == bytecode.Header && x.sort == Arm { // the number of the arm is first
		head := fmt.Sprintf("header %s, r%d, ", in.Scalar(), in.B)
		if rest, ok := strings.CutPrefix(text, head); ok {
			_, rest, _ = strings.Cut(rest, " ")
			text = head + rest
		}
	}
	return text
}

// unit returns the unit to which a row belongs. It is the record or arm for which the row was
// made, or else inside, the one that was begun last.
func (u *units) unit(rule *bytecode.Rule, inside *unit) *unit {
	if x := u.byRule[rule]; x != nil {
		return x
	}
	return inside
}

// chosen returns the arm that a header word leads to, or nil.
func (s *Side) chosen(rule *bytecode.Rule, word uint64) *unit {
	table, expr := s.units.arms[rule], s.units.word[rule]
	if table == nil || expr == nil {
		return nil
	}
	id, ok := expr.OfWord(word)
	if !ok {
		return nil
	}
	arm, known := table.ByID(uint64(id))
	if !known {
		return nil
	}
	return s.units.byTag[s.machine.Tag(int(table.Arms[arm].Type))]
}
