// The properties of a schema, and its constants.

package schema

import (
	"github.com/octable/octable/dsl"
)

func (r *resolver) props(s *source, decl *dsl.Schema) {
	seen := map[string]bool{}
	once := func(p *dsl.Prop, name string) {
		if seen[name] {
			r.errorf(p.Pos, len(name), dsl.CodeTwice, "%s is given twice", name).WithHint("keep one")
		}
		seen[name] = true
	}
	gates, axes := []*dsl.Gate(nil), []*dsl.Axis(nil)
	for _, p := range decl.Props {
		if p.Equal != nil || p.Differ != nil || p.Exact != nil || p.Apart != nil {
			// what is said of keys is said anew as a whole
			s.Equal, s.Differ, s.Exact, s.Apart = nil, nil, nil, nil
		}
	}
	for _, p := range decl.Props {
		switch {
		case p.Title != nil:
			once(p, "title")
			s.Title = p.Title.Text
		case p.Source != nil:
			once(p, "source")
			s.Source = p.Source.Text
		case p.Order != "":
			once(p, "order")
			s.Order = p.Order
		case p.Root != nil:
			once(p, "root")
			s.Root = p.Root.Text
		case p.Depth != nil:
			once(p, "depth")
		case p.Gate != nil:
			for _, g := range gates {
				if g.Name.Text == p.Gate.Name.Text {
					r.name(p.Gate.Name, dsl.CodeTwice, "gate %s is declared twice", g.Name.Text).WithHint("keep one")
				}
			}
			gates = append(gates, p.Gate)
		case p.Axis != nil:
			for _, a := range axes {
				if a.Name.Text == p.Axis.Name.Text {
					r.name(p.Axis.Name, dsl.CodeTwice, "axis %s is declared twice", a.Name.Text).WithHint("keep one")
				}
			}
			axes = append(axes, p.Axis)
		case p.Equal != nil:
			s.Equal = names(p.Equal)
		case p.Differ != nil:
			s.Differ = names(p.Differ)
		case p.Exact != nil:
			s.Exact = names(p.Exact)
		case p.Apart != nil:
			s.Apart = names(p.Apart)
		case p.Says != nil:
			s.Says = append(s.Says, p.Says)
		case p.Erratum != nil:
			s.Refs = append(s.Refs, p.Erratum)
		}
	}
	if len(gates) > 0 {
		s.Gates = gates
	}
	if len(axes) > 0 {
		s.Axes = axes
	}
	if len(s.Axes) > 1 {
		r.errorf(decl.Pos, 6, dsl.CodeSchema, "a schema has at most one axis, this one has %d", len(s.Axes)).WithHint("make one schema for each choice of the others")
		s.Axes = s.Axes[:1]
	}
	if len(s.Gates) > 8 {
		r.errorf(decl.Pos, 6, dsl.CodeSchema, "a schema has at most 8 gates, this one has %d", len(s.Gates)).WithHint("let one gate stand for what is always allowed together")
		s.Gates = s.Gates[:8]
	}
}

// maxNesting is the deepest that an interpreter allows values to be nested.
const maxNesting = 1 << 14

// depth takes over the depth, which may name constants of the file.
func (r *resolver) depth(s *source, decl *dsl.Schema) {
	for _, p := range decl.Props {
		if p.Depth == nil {
			continue
		}
		if n, ok := constExpr(s, p.Depth); ok && n > 0 && n <= maxNesting {
			s.Depth = int(n)
		} else {
			r.errorf(p.Depth.Pos, 1, dsl.CodeRange, "a depth is a constant from 1 to %d", maxNesting).WithHint("it is how deeply values may be nested; 1024 does for most formats")
		}
	}
}

// constants computes the constants and reports those of the file that have no value.
func (r *resolver) constants(s *source, f *dsl.File) {
	c := &constants{s: s, values: map[string]constant{}}
	for _, d := range s.Consts {
		c.named(d.Name.Text)
	}
	s.values = c.values
	for _, d := range s.Consts {
		if d.Pos.Filename == f.Name && !s.values[d.Name.Text].ok {
			r.constant(s, fold(d.Value), d)
		}
	}
}

// constant reports why an expression is none that has a value.
func (r *resolver) constant(s *source, n *folded, d *dsl.Const) {
	switch n.Op {
	case opNum:
		if !n.OK {
			r.errorf(n.Pos, 1, dsl.CodeRange, "the number does not fit 64 bits").WithHint("numbers are whole ones below 2^64")
		}
	case opName:
		v, known := s.values[n.Name.Text]
		switch {
		case !known:
			var all []string
			for _, c := range s.Consts {
				all = append(all, c.Name.Text)
			}
			r.unknown(n.Name, "constant", all)
		case v.cyclic:
			r.name(n.Name, dsl.CodeRange, "constant %s is defined by itself", d.Name.Text).WithHint("follow the names: %s leads back to %s", n.Name.Text, d.Name.Text)
		}
	case opCall, opOutside:
		r.errorf(n.Pos, 1, dsl.CodeArgs, "a constant is made of numbers and constants only").WithHint("what depends on a value is written where the value is: in a row, a let or a check")
	default:
		for _, a := range n.Args {
			r.constant(s, a, d)
		}
	}
}

func names(ns []*dsl.Name) []string {
	out := make([]string, len(ns))
	for i, n := range ns {
		out[i] = n.Text
	}
	return out
}
