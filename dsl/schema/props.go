// Properties of schemas.

package schema

import (
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

func (r *resolver) props(s *source, decl *dsl.Schema) {
	seen := map[string]bool{}
	once := func(p *dsl.Prop, name string) {
		if seen[name] {
			r.errorf(p.Pos, len(name), dsl.CodeTwice, "%s is given twice", name).WithHint("keep one").Remove(s.File, p.Pos, p.EndPos)
		}
		seen[name] = true
	}
	gates, options := []*dsl.Gate(nil), []*dsl.Option(nil)
	for _, p := range decl.Props {
		switch {
		case p.Title != nil:
			once(p, "title")
			s.Title = p.Title.Text
		case p.Source != nil:
			once(p, "source")
			s.Source = p.Source.Text
		case p.Role != "":
			once(p, "role")
			s.Role = builtin.RoleOf(p.Role)
		case p.Order != "":
			once(p, "order")
			s.Order = p.Order
		case p.Root != nil:
			once(p, "root")
			s.Root = p.Root.Text
		case p.Depth != nil:
			once(p, "depth")
			r.depth(s, p.Depth)
		case p.Gate != nil:
			for _, g := range gates {
				if g.Name.Text == p.Gate.Name.Text {
					r.name(p.Gate.Name, dsl.CodeTwice, "gate %s is declared twice", g.Name.Text).WithHint("keep one").Remove(s.File, p.Pos, p.EndPos)
				}
			}
			gates = append(gates, p.Gate)
			r.notStrict(p.Gate.Name)
			r.index.declare(p.Gate.Name, GateName, "", s.gateName(p.Gate.Name.Text))
		case p.Option != nil:
			for _, a := range options {
				if a.Name.Text == p.Option.Name.Text {
					r.name(p.Option.Name, dsl.CodeTwice, "option %s is declared twice", a.Name.Text).WithHint("keep one").Remove(s.File, p.Pos, p.EndPos)
				}
			}
			options = append(options, p.Option)
			for _, c := range p.Option.Choices {
				r.notStrict(c.Name)
			}
			r.index.option(p.Option, s.Option)
		case p.Keys != nil:
			once(p, "keys")
			r.keyRules(s, p.Keys)
		}
	}
	if len(gates) > 0 {
		s.Gates = gates
	}
	if len(options) > 0 {
		s.Option = options[0]
	}
	if len(options) > 1 {
		r.errorf(decl.Pos, 6, dsl.CodeSchema, "a schema has at most one option, this one has %d", len(options)).WithHint("make one schema for each choice of the others")
	}
	if len(s.Gates) > builtin.MaxGates {
		r.errorf(decl.Pos, 6, dsl.CodeSchema, "a schema has at most %d gates, this one has %d", builtin.MaxGates, len(s.Gates)).WithHint("let one gate allow everything that is always allowed together")
		s.Gates = s.Gates[:builtin.MaxGates]
	}
}

// depth takes over the depth.
func (r *resolver) depth(s *source, n *dsl.Num) {
	if depth, ok := parseUint(n); ok && depth > 0 && depth <= builtin.MaxDepth {
		s.Depth = int(depth)
	} else {
		r.errorf(n.Pos, len(n.Text), dsl.CodeRange, "a depth is a number from 1 to %d", builtin.MaxDepth).WithHint("it is how deeply values may be nested; 1024 does for most formats")
	}
}

// keyRules takes over the rules for keys. They replace those of the extended schema.
func (r *resolver) keyRules(s *source, keys *dsl.Keys) {
	s.Keys = [builtin.NumKeyRules][]string{}
	for _, k := range keys.Rules {
		rule, ok := builtin.KeyRuleNamed(k.Rule.Text)
		switch {
		case !ok:
			d := r.name(k.Rule, dsl.CodeUnknown, "there is no rule %s for keys", k.Rule.Text).
				WithHint("the rules are %s", strings.Join(builtin.KeyRuleNames(), ", "))
			r.near(d, k.Rule.Text, builtin.KeyRuleNames)
		case s.Keys[rule] != nil:
			r.name(k.Rule, dsl.CodeTwice, "%s is given twice", rule).WithHint("name all arms after one of them")
		default:
			s.Keys[rule] = names(k.Arms)
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
