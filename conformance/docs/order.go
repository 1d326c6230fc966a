package docs

import (
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// orders holds the order of bytes that types get as an argument from all of their uses.
type orders struct {
	known  map[*schema.Field]order
	asking map[*schema.Field]bool
}

// An order is the order of bytes in a type. It is not fixed if uses differ, or a field of the
// packet tells it.
type order struct{ big, fixed, used bool }

// of returns whether the highest byte of a number is first, given the condition that decides it. fixed is
// true if that is the same in all packets.
func (o *orders) of(s *schema.Schema, e *schema.Expr) (big, fixed bool) {
	got := o.find(s, e)
	return got.big, got.fixed && got.used
}

func (o *orders) find(s *schema.Schema, e *schema.Expr) order {
	switch {
	case e.Op == builtin.Num:
		return order{e.Num != 0, true, true}
	case e.Op != builtin.Ref || !e.Field.Param:
		return order{used: true}
	}
	f := e.Field
	if got, ok := o.known[f]; ok {
		return got
	}
	if o.asking[f] { // a type that contains itself passes on what it gets
		return order{fixed: true}
	}
	if o.asking == nil {
		o.asking, o.known = map[*schema.Field]bool{}, map[*schema.Field]order{}
	}
	o.asking[f] = true
	all := order{fixed: true}
	for _, arg := range arguments(s, f) {
		one := o.find(s, arg)
		switch {
		case !one.used && one.fixed:
		case !all.used:
			all = one
		case !one.fixed || one.big != all.big:
			all.fixed = false
		}
	}
	delete(o.asking, f)
	if len(o.asking) == 0 {
		o.known[f] = all
	}
	return all
}

// arguments returns the expressions that rows give for an argument.
func arguments(s *schema.Schema, f *schema.Field) []*schema.Expr {
	var out []*schema.Expr
	add := func(t *schema.Type) {
		if t == nil {
			return
		}
		if i := slices.Index(t.Params(), f); i >= 0 && i < len(t.Args) {
			out = append(out, t.Args[i])
		}
	}
	for _, body := range s.Bodies() {
		schema.Walk(body.Nodes, func(n schema.Node) bool {
			switch n := n.(type) {
			case *schema.Row:
				add(n.Type)
			case *schema.List:
				add(n.Elem)
				if n.Key != n.Elem {
					add(n.Key)
				}
			}
			return true
		})
	}
	return out
}
