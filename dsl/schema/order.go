// Orders of bytes in bodies: `order` before rows.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// order binds an order of bytes.
func (s *scope) order(d *dsl.Order) *Order {
	n := &Order{Pos: d.Pos, Big: &Expr{Op: builtin.Num, Pos: d.Pos}}
	if d.By == nil {
		if d.Fixed == "big" {
			n.Big.Num = 1
		}
		return n
	}
	var ids [2]builtin.Ranges // little, big
	for _, c := range d.Cases {
		id, ok := s.id(c.ID)
		switch {
		case c.ID.Else:
			s.errorf(c.ID.Pos, c.ID.Width(), dsl.CodeArgs, "an order has no case for all other numbers").WithHint("list the numbers; a reader refuses others")
			continue
		case !ok:
			continue
		case len(builtin.Ranges{id}.Without(builtin.Join(slices.Concat(ids[:]...)...))) != 1:
			s.errorf(c.ID.Pos, c.ID.Width(), dsl.CodeRange, "two cases of the order have the number %s", c.ID).WithHint("give each number one order")
		}
		big := 0
		if c.Order == "big" {
			big = 1
		}
		ids[big] = append(ids[big], id)
	}
	s.then(func() { s.orderBy(n, d, builtin.Join(ids[0]...), builtin.Join(ids[1]...)) })
	return n
}

// orderBy binds an order that a field chooses.
func (s *scope) orderBy(n *Order, d *dsl.Order, little, big builtin.Ranges) {
	x := s.reader(&dsl.Expr{Pos: d.By.Pos, Name: d.By})
	all := builtin.Join(slices.Concat(little, big)...)
	if x.Op != builtin.Ref || len(all) == 0 {
		return
	}
	if len(all) > maxCompared {
		s.errorf(d.Pos, len("order"), dsl.CodeRange, "the order has %d ranges of numbers, and at most %d are allowed", len(all), maxCompared).WithHint("join neighbouring numbers")
		return
	}
	n.By = x.Field
	for _, c := range d.Cases {
		s.selected(x, c.ID)
	}
	if len(big) > 0 {
		n.Big = among(x, big.Signed())
	}
	if numbers, known := s.numbers(x); !known || len(numbers.Without(all)) > 0 {
		n.Check = &Check{Cond: among(x, all.Signed()), Message: x.Field.Name + " has a number for which there is no order"}
	}
}

// orders gives the numbers in rows after an order that order. A record or a union that is used
// in such rows, and has numbers that fix no order, gets the order as an argument.
// Its other uses give it the order of the schema.
func (b *binder) orders() {
	o := &orderer{binder: b, of: map[any]*binder{}, after: map[any]bool{}, takes: map[any]*Field{}}
	for _, c := range b.spaces() {
		for _, d := range c.src.Types {
			o.of[c.records[d.Name]] = c
		}
		for _, d := range c.src.Unions {
			o.of[c.unions[d.Name]] = c
		}
	}
	var all []any
	for _, r := range b.s.Records {
		all = append(all, r)
	}
	for _, u := range b.s.Unions {
		all = append(all, u)
	}
	for _, node := range all {
		o.find(node, false)
	}
	if !o.found {
		return
	}
	for changed := true; changed; {
		changed = false
		for _, node := range o.nodes {
			if o.after[node] && o.takes[node] == nil && o.inherits(node) {
				f := newField("order", dsl.Pos{}, nil)
				f.Doc, f.Param, f.Used = "1 if the highest byte of numbers is first, else 0", true, true
				o.takes[node] = f
				changed = true
			}
		}
	}
	o.declare()
	for _, node := range o.nodes {
		o.assign(node)
	}
}

// orderer finds the order of numbers.
type orderer struct {
	*binder
	of    map[any]*binder // of the schema, or of the import, that declares a record or a union
	found bool            // there is an order in some body
	nodes []any           // records and unions
	after map[any]bool    // those that are used after an order
	takes map[any]*Field  // those that take the order as an argument
}

// nodeOf returns the record or the union that a type is of, or nil.
func nodeOf(t *Type) any {
	switch {
	case t != nil && t.Form == OfRecord && t.Record != nil:
		return t.Record
	case t != nil && t.Form == OfUnion && t.Union != nil:
		return t.Union
	}
	return nil
}

// bodies returns the bodies of a record or a union.
func bodies(node any) [][]Node {
	if r, ok := node.(*Record); ok {
		return [][]Node{r.Body}
	}
	var out [][]Node
	for _, a := range node.(*Union).Arms {
		out = append(out, a.Body)
	}
	return out
}

// find notes the records and unions that are used after an order, from one of them on. after
// is whether it is used after one itself.
func (o *orderer) find(node any, after bool) {
	was, known := o.after[node]
	if node == nil || known && (was || !after) {
		return
	}
	if o.after[node] = after; !known {
		o.nodes = append(o.nodes, node)
	}
	for _, body := range bodies(node) {
		o.each(body, nil, func(t *Type, order *Expr) {
			used := nodeOf(t)
			if _, named := o.of[used]; !named && used != nil { // an element of a list
				o.of[used] = o.of[node]
			}
			o.find(used, (after || order != nil) && o.of[used] == o.of[node])
		})
	}
}

// each calls f for the types in a body, with the last order before each. At first that is the
// given one, which may be nil.
func (o *orderer) each(body []Node, order *Expr, f func(t *Type, order *Expr)) {
	for _, n := range body {
		switch n := n.(type) {
		case *Order:
			o.found, order = true, n.Big
		case *Row:
			f(n.Type, order)
		case *Forms:
			for _, row := range n.Rows {
				f(row.Type, order)
			}
		case *If:
			o.each(n.Then, order, f)
			o.each(n.Else, order, f)
		case *List:
			f(n.Elem, order)
			if n.Key != nil && n.Key != n.Elem {
				f(n.Key, order)
			}
		}
	}
}

// inherits reports whether a record or a union has numbers in the order of its uses.
func (o *orderer) inherits(node any) bool {
	u, union := node.(*Union)
	found := union && u.Word != nil && o.follows(u.Word.Type)
	for _, body := range bodies(node) {
		o.each(body, nil, func(t *Type, order *Expr) {
			found = found || order == nil && (o.follows(t) || o.takes[nodeOf(t)] != nil)
		})
	}
	return found
}

// follows reports whether the numbers of a type fix no order.
func (o *orderer) follows(t *Type) bool {
	switch t.Form {
	case Number, Truth, Array, ArmID:
		if t.Coding != builtin.Fixed {
			return false
		}
		named := builtin.TypeNamed(t.Name)
		wide := max(t.Scalar.Width(), t.Narrow.Width(), t.Wide.Width()) > 1
		return wide && t.Scalar != builtin.Code4 && (named == nil || named.Order == builtin.AsSchema)
	case Text:
		return t.Encoding.AsSchema
	}
	return false
}

// declare declares the arguments for the order.
func (o *orderer) declare() {
	for _, node := range o.nodes {
		f := o.takes[node]
		if f == nil {
			continue
		}
		switch node := node.(type) {
		case *Record:
			f.Record, f.Pos = node, node.Pos
			o.argument(&node.Params, &node.Fields, f)
		case *Union:
			f.Pos = node.Pos
			var fields []*Field
			o.argument(&node.Params, &fields, f)
			for _, a := range node.Arms {
				a.Params = node.Params
				a.Fields = slices.Insert(a.Fields, len(node.Params)-1, f)
			}
		}
	}
}

// argument adds an argument to others, which are the first of some fields.
func (o *orderer) argument(params, fields *[]*Field, f *Field) {
	if len(*params) == builtin.MaxParams {
		o.errorf(f.Pos, 1, dsl.CodeArgs, "at most %d arguments are allowed, and the order of bytes is one of them", builtin.MaxParams).
			WithHint("put `order` into the type itself, or leave an argument out")
		return
	}
	*fields = slices.Insert(*fields, min(len(*params), len(*fields)), f)
	*params = append(slices.Clone(*params), f)
}

// assign gives the types in a record or a union their order.
func (o *orderer) assign(node any) {
	var order *Expr
	if f := o.takes[node]; f != nil {
		order = &Expr{Op: builtin.Ref, Name: f.Name, Field: f}
	}
	if r, ok := node.(*Record); ok && r.Tuple != nil {
		o.give(node, r.Tuple.Type, order)
	}
	for _, body := range bodies(node) {
		o.each(body, order, func(t *Type, order *Expr) { o.give(node, t, order) })
	}
	if u, ok := node.(*Union); ok {
		if u.Word != nil {
			o.give(node, u.Word.Type, order)
		}
		for _, a := range u.Arms {
			if a.Tuple != nil {
				o.give(node, a.Tuple.Type, order)
			}
		}
	}
}

// give gives an order to a type in a record or a union. The order nil is that of the schema that
// declares the record or the union. A type of an import has the order of the imported schema.
func (o *orderer) give(in any, t *Type, order *Expr) {
	used := nodeOf(t)
	switch {
	case o.takes[used] != nil:
		if order == nil || o.of[used] != o.of[in] {
			order = &Expr{Op: builtin.Num, Pos: t.Pos}
			if o.of[used].big() {
				order.Num = 1
			}
		}
		t.Args = append(t.Args, order)
	case order == nil || !o.follows(t):
	case t.Form == Text && order.Op == builtin.Num:
		if big := order.Num != 0; t.Encoding.Charset != builtin.UTF16(big) {
			t.Encoding = t.Encoding.In(big)
		}
	case order.Op == builtin.Num:
		t.Swapped = (order.Num != 0) != o.s.Big
	default:
		if t.Big = order; t.Form == Text {
			t.Encoding.In(false)
			t.Encoding.In(true)
		}
	}
}

// isOrder reports whether a field is the argument for the order.
func isOrder(f *Field) bool { return f.Param && f.state.at == nil }

// givenOrder reports whether a record or a union takes the order as an argument.
func givenOrder(t *Type) bool {
	var params []*Field
	switch node := nodeOf(t).(type) {
	case *Record:
		params = node.Params
	case *Union:
		params = node.Params
	}
	return len(params) > 0 && isOrder(params[len(params)-1])
}

// rootInOrder returns a record whose only row is of a type that takes the order as an argument. The
// row passes the order of the schema. Its values are those of the type.
func (b *binder) rootInOrder(t *Type) *Type {
	rec := &Record{Path: t.Name + ".root", Pos: t.Pos}
	row := &Row{Pos: t.Pos, Offset: &Expr{Op: builtin.Num, Pos: t.Pos}, Length: &Expr{Op: builtin.Letter, Pos: t.Pos, Name: "N"}, Begin: "0"}
	row.Field = &Field{Name: "value", Pos: t.Pos, Record: rec, Alone: true, Node: row}
	inner := *t
	inner.Args = []*Expr{{Op: builtin.Num, Pos: t.Pos}}
	if b.big() {
		inner.Args[0].Num = 1
	}
	row.Type = &inner
	rec.Fields, rec.Stored, rec.Body = []*Field{row.Field}, []*Field{row.Field}, []Node{row}
	return &Type{Form: OfRecord, Name: t.Name, Pos: t.Pos, Record: rec}
}

// In returns the encoding with the units of UTF-16 in an order of bytes.
func (e *Encoding) In(big bool) *Encoding {
	i := 0
	if big {
		i = 1
	}
	if e.in[i] == nil {
		out := *e
		out.AsSchema, out.Charset, out.in = false, builtin.UTF16(big), [2]*Encoding{}
		e.in[i] = &out
	}
	return e.in[i]
}
