// History: a schema that extends others is the schema that it was split from.

package schemas

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
)

// unsplit checks that the schema has the programs of the one that it was split from. A
// schema that is not split has no such one, and passes.
func (d *Drawn) unsplit() error {
	if len(d.Files) < 2 || d.Whole.Text == "" {
		return nil
	}
	whole := Resolve([]File{d.Whole})
	if whole.Err != nil {
		return fmt.Errorf("the schema before it was split does not resolve: %w\n%s", whole.Err, whole)
	}
	for _, choice := range d.Schema.Choices() {
		a, err := program(d.Schema, choice)
		if err != nil {
			return err
		}
		b, err := program(whole.Schema, choice)
		if err != nil {
			return err
		}
		anywhere(a)
		anywhere(b)
		if a.Hash() != b.Hash() {
			return fmt.Errorf("choice %q: the schema before it was split has another program:\n%s", choice, whole)
		}
	}
	return nil
}

// anywhere takes out of a program in which file and in which order things are declared.
func anywhere(p *bytecode.Program) {
	rules := make([]bytecode.Rule, len(p.Code))
	for pc := range p.Code {
		r := p.Rules[p.Code[pc].Rule]
		rules[pc] = bytecode.Rule{File: "drawn.oct", Name: r.Name, Doc: r.Doc}
		p.Code[pc].Rule = uint32(pc)
	}
	p.Rules = rules
	order := make([]uint32, len(p.Types))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int {
		x, y := p.Types[a].Union, p.Types[b].Union
		if (x == "") != (y == "") {
			return strings.Compare(y, x) // arms first
		}
		return strings.Compare(x, y)
	})
	place := make([]uint32, len(order))
	types := make([]bytecode.Type, len(order))
	for i, old := range order {
		place[old], types[i] = uint32(i), p.Types[old]
	}
	p.Types = types
	for pc := range p.Code {
		in := &p.Code[pc]
		for k, x := range []*uint32{&in.A, &in.B, &in.C, &in.D} {
			if in.Op.Operands()[k] == bytecode.OpType {
				*x = place[*x]
			}
		}
	}
	for _, t := range p.Tables {
		for i := range t.Arms {
			t.Arms[i].Type = place[t.Arms[i].Type]
		}
	}
	for _, t := range p.Types {
		for i := range t.Writes {
			if w := &t.Writes[i]; !w.Absent {
				w.Type = place[w.Type]
			}
		}
	}
	for _, list := range p.Keys {
		for i := range list {
			list[i] = place[list[i]]
		}
		slices.Sort(list)
	}
}
