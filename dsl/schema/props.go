// Properties of schemas.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
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
			// the rules for keys are replaced as a whole
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
			r.index.declare(p.Gate.Name, GateName, "", s.gateName(p.Gate.Name.Text))
		case p.Axis != nil:
			for _, a := range axes {
				if a.Name.Text == p.Axis.Name.Text {
					r.name(p.Axis.Name, dsl.CodeTwice, "axis %s is declared twice", a.Name.Text).WithHint("keep one")
				}
			}
			axes = append(axes, p.Axis)
			r.index.axis(p.Axis, s.Axis)
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
		s.Axis = axes[0]
	}
	if len(axes) > 1 {
		r.errorf(decl.Pos, 6, dsl.CodeSchema, "a schema has at most one axis, this one has %d", len(axes)).WithHint("make one schema for each choice of the others")
	}
	if len(s.Gates) > builtin.MaxGates {
		r.errorf(decl.Pos, 6, dsl.CodeSchema, "a schema has at most %d gates, this one has %d", builtin.MaxGates, len(s.Gates)).WithHint("let one gate allow everything that is always allowed together")
		s.Gates = s.Gates[:builtin.MaxGates]
	}
}

// depth takes over the depth, which may name constants of the file.
func (r *resolver) depth(s *source, decl *dsl.Schema) {
	for _, p := range decl.Props {
		if p.Depth == nil {
			continue
		}
		depth := fold(p.Depth)
		r.index.constants(s, depth)
		value := (&constants{s, s.values}).eval(depth)
		if n := value.num; value.ok && n > 0 && n <= builtin.MaxDepth {
			s.Depth = int(n)
		} else {
			r.errorf(p.Depth.Pos, 1, dsl.CodeRange, "a depth is a constant from 1 to %d", builtin.MaxDepth).WithHint("it is how deeply values may be nested; 1024 does for most formats")
		}
	}
}

// gateName returns the name that declares a gate, or nil.
func (s *source) gateName(name string) *dsl.Name {
	for _, g := range s.Gates {
		if g.Name.Text == name {
			return g.Name
		}
	}
	return nil
}

func names(ns []*dsl.Name) []string {
	out := make([]string, len(ns))
	for i, n := range ns {
		out[i] = n.Text
	}
	return out
}
