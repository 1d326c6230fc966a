// Examples.

package schema

import "github.com/octable/octable/dsl"

// examples binds the examples in items and in the blocks of them.
func (s *scope) examples(items []*dsl.Item) {
	eachItem(items, func(i *dsl.Item) {
		if i.Example != nil {
			s.rec.Examples = append(s.rec.Examples, s.example(i.Example))
		}
	})
}

func (b *binder) example(d *dsl.Example) *Example {
	e := &Example{Pos: d.Pos, File: d.Pos.Filename, Bytes: d.Bytes.Text, At: -1, Value: literal(d.Value), Refuse: d.Refuse.String()}
	for _, open := range d.Open {
		if g := b.s.Gate(open.Text); g != nil {
			e.Open = append(e.Open, g)
			b.index.use(open, b.src.Gates[g.Index].Name)
			continue
		}
		for _, c := range b.choices() {
			if c.Name == open.Text {
				e.Choice = c
				b.index.use(open, b.src.Axis.Choices[c.Index].Name)
			}
		}
	}
	if d.At != nil {
		if at, ok := parseUint(d.At); ok && at < 1<<31 {
			e.At = int(at)
		} else {
			b.errorf(d.At.Pos, len(d.At.Text), dsl.CodeRange, "%s is not an offset in the bytes of an example", d.At.Text).WithHint("write the number of bytes before the mistake")
		}
	}
	if d.Again != nil {
		e.Again = &d.Again.Text
	}
	return e
}

func (b *binder) choices() []*Choice {
	if b.s.Axis == nil {
		return nil
	}
	return b.s.Axis.Choices
}

func literal(d *dsl.Literal) *Literal {
	if d == nil {
		return nil
	}
	l := &Literal{Pos: d.Pos}
	switch {
	case d.Name != nil:
		l.Kind, l.Name = Named, d.Name.Text
		l.Parts = literals(d.Args)
	case d.Num != nil:
		l.Kind, l.Num = Numeral, d.Num.Text
		if d.Neg {
			l.Num = "-" + l.Num
		}
	case d.Text != nil:
		l.Kind, l.Text = Quoted, d.Text.Text
	case d.IsMap:
		l.Kind = Pairs
		for _, p := range d.Pairs {
			l.Parts = append(l.Parts, literal(p.Key), literal(p.Value))
		}
	default:
		l.Kind = Sequence
		l.Parts = literals(d.Elems)
	}
	return l
}

func literals(ds []*dsl.Literal) []*Literal {
	var out []*Literal
	for _, d := range ds {
		out = append(out, literal(d))
	}
	return out
}
