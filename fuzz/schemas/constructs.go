// Constructs: every production, field and alternative of the grammar, and every entry of the
// tables of package builtin.

package schemas

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Constructs returns the names of all constructs that a schema can have, in order. A
// construct is a field of the syntax tree ("Row.Value"), an alternative of one
// ("Pad.Exact"), a type ("type u8"), a function, an operator, an attribute by the
// thing that it is written after, or a property of the resolved schema.
func Constructs() []string {
	all := map[string]bool{}
	seen := map[reflect.Type]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		if t.Kind() != reflect.Struct || seen[t] {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			if !grammatical(f) {
				continue
			}
			for _, word := range alternatives(f) {
				all[t.Name()+"."+f.Name+word] = true
			}
			walk(element(f.Type))
		}
	}
	walk(reflect.TypeFor[dsl.Decl]())
	for _, t := range builtin.Types() {
		all["type "+t.Name] = true
	}
	for _, o := range []builtin.Order{builtin.Little, builtin.Big} {
		all["type with "+o.String()] = true
	}
	for _, f := range builtin.Functions() {
		all[functionConstruct(f)] = true
	}
	for _, a := range builtin.Attributes {
		for at, thing := range things {
			if a.At&at != 0 {
				all["attribute "+a.Name+" of "+thing] = true
			}
		}
	}
	for _, o := range operators {
		all["operator "+o] = true
	}
	for _, r := range builtin.KeyRuleNames() {
		all["key rule "+r] = true
	}
	for _, o := range argumentWords {
		all["argument "+o] = true
	}
	for _, p := range properties {
		all[p.name] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// operators are the symbols of all operators.
var operators = func() []string {
	var all []string
	for _, o := range builtin.Operations {
		if !o.Call && o.Name != "" && !slices.Contains(all, o.Name) {
			all = append(all, o.Name)
		}
	}
	return all
}()

// argumentWords are the operations of arguments of checksums.
var argumentWords = []string{"..", "with"}

var things = map[builtin.Place]string{
	builtin.OfRow: "a row", builtin.OfTruth: "a truth", builtin.OfBits: "bits", builtin.OfList: "a list",
	builtin.OfDigits: "a number in digits",
}

// grammatical reports whether a field of the syntax tree is part of a production, or of a
// file.
func grammatical(f reflect.StructField) bool {
	return f.Tag.Get("parser") != "" || f.Name == "Decls" || slices.Contains(exprFields, f.Name)
}

// exprFields are the fields of expressions, which have no tags.
var exprFields = func() []string {
	var all []string
	for f := range reflect.TypeFor[dsl.Expr]().Fields() {
		if f.Name != "Pos" {
			all = append(all, f.Name)
		}
	}
	return all
}()

func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

var quoted = regexp.MustCompile(`'([^']+)'`)

// alternatives returns the values of a field that are separate constructs, each after a blank.
// They are the words of its tag if it holds one of several, else only "".
func alternatives(f reflect.StructField) []string {
	if f.Type.Kind() != reflect.String {
		return []string{""}
	}
	tag := f.Tag.Get("parser")
	at := strings.Index(tag, "@(")
	if at < 0 {
		return []string{""}
	}
	var out []string
	for _, m := range quoted.FindAllStringSubmatch(tag[at:], -1) {
		out = append(out, " "+m[1])
	}
	return out
}

// Has returns the constructs that a schema has.
func (d *Drawn) Has() map[string]bool {
	has := map[string]bool{}
	for _, file := range d.parsed {
		for _, decl := range file.Decls {
			syntax(has, reflect.ValueOf(decl))
		}
	}
	if d.Schema != nil {
		for _, p := range properties {
			if p.holds(d.Schema) {
				has[p.name] = true
			}
		}
		for rule, arms := range d.Schema.Keys {
			if len(arms) > 0 {
				has["key rule "+builtin.KeyRule(rule).String()] = true
			}
		}
	}
	return has
}

// syntax notes the constructs in a part of a syntax tree.
func syntax(has map[string]bool, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			special(has, v.Interface())
			syntax(has, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			syntax(has, v.Index(i))
		}
	case reflect.Struct:
		t := v.Type()
		for i := range t.NumField() {
			f := t.Field(i)
			if !grammatical(f) || v.Field(i).IsZero() {
				continue
			}
			if words := alternatives(f); len(words) > 1 || words[0] != "" {
				has[t.Name()+"."+f.Name+" "+v.Field(i).String()] = true
			} else {
				has[t.Name()+"."+f.Name] = true
			}
			syntax(has, v.Field(i))
		}
	}
}

// special notes the names of the language in a node.
func special(has map[string]bool, node any) {
	attributes := func(attrs []*dsl.Attr, thing builtin.Place) {
		for _, a := range attrs {
			for _, known := range builtin.Attributes {
				field := strings.ToUpper(known.Name[:1]) + known.Name[1:]
				if known.Name == "if" {
					field = "When"
				}
				if v := reflect.ValueOf(*a).FieldByName(field); v.IsValid() && !v.IsZero() || a.Side == known.Name {
					at := thing
					if known.At&at == 0 { // of a row with @, also of a truth or a list
						at = builtin.OfRow
					}
					has["attribute "+known.Name+" of "+things[at]] = true
				}
			}
		}
	}
	switch n := node.(type) {
	case *dsl.Row:
		place := builtin.OfRow
		if n.Type != nil {
			switch t := builtin.TypeNamed(n.Type.Name.Text); {
			case t != nil && t.Truth:
				place = builtin.OfTruth
			case t != nil && t.Coding.Base() > 0:
				place = builtin.OfDigits
			}
		}
		attributes(n.Attrs, place)
	case *dsl.TypeRef:
		if t := builtin.TypeNamed(n.Name.Text); t != nil && t.Order != builtin.AsSchema {
			has["type with "+t.Order.String()] = true
		} else if t != nil {
			has["type "+t.Name] = true
		}
	case *dsl.BitField:
		attributes(n.Attrs, builtin.OfBits)
	case *dsl.Repeat:
		attributes(n.Attrs, builtin.OfList)
	case *dsl.Expr:
		switch {
		case slices.Contains(argumentWords, n.Op):
			has["argument "+n.Op] = true
		case n.Op != "":
			has["operator "+n.Op] = true
		case n.IsCall:
			if _, ok := builtin.FunctionNamed(n.Name.Text); ok {
				has[functionConstruct(n.Name.Text)] = true
			}
		}
	}
}

// functionConstruct returns the construct of a function. All CRCs are one: they differ in the parameters of a table.
func functionConstruct(name string) string {
	if sum, ok := builtin.ChecksumNamed(name); ok && builtin.Sums[sum].CRC != nil {
		return "function of a CRC"
	}
	return "function " + name
}

// property is a construct that only the resolved schema shows.
type property struct {
	name  string
	holds func(*schema.Schema) bool
}

// node returns a property that some node of the schema has.
func node(name string, is func(schema.Node) bool) property {
	return property{name, func(s *schema.Schema) bool {
		found := false
		for _, b := range s.Bodies() {
			schema.Walk(b.Nodes, func(n schema.Node) bool {
				found = found || is(n)
				return !found
			})
		}
		return found
	}}
}

func onUnion(name string, is func(*schema.Union) bool) property {
	return property{name, func(s *schema.Schema) bool { return slices.ContainsFunc(s.Unions, is) }}
}

func onRow(name string, is func(*schema.Row) bool) property {
	return node(name, func(n schema.Node) bool { r, ok := n.(*schema.Row); return ok && is(r) })
}

// fixedBytes returns the bytes of rows of a fixed size, or -1 if a block has anything else.
func fixedBytes(body []schema.Node) (sum int64) {
	for _, n := range body {
		r, ok := n.(*schema.Row)
		if !ok || !r.Type.Fixed || r.Inline != nil {
			return -1
		}
		sum += r.Type.Bytes
	}
	return sum
}

func onForms(name string, is func(*schema.Forms) bool) property {
	return node(name, func(n schema.Node) bool { f, ok := n.(*schema.Forms); return ok && is(f) })
}

var properties = []property{
	{"recursion", func(s *schema.Schema) bool {
		return slices.ContainsFunc(s.Unions, func(u *schema.Union) bool { return u.Nests }) || slices.ContainsFunc(s.Records, func(r *schema.Record) bool { return r.Nests })
	}},
	onUnion("union by a word", func(u *schema.Union) bool { return u.Word != nil && u.By == u.Word.Field }),
	onUnion("union by bits of a word", func(u *schema.Union) bool { return u.Word != nil && u.By != u.Word.Field }),
	onUnion("condition of the word of a union", func(u *schema.Union) bool { return u.Word != nil && len(u.Word.Checks) > 0 }),
	onUnion("union by a word in a chosen order", func(u *schema.Union) bool { return u.Word != nil && u.Word.Type.Big != nil }),
	onUnion("union by an argument", func(u *schema.Union) bool { return u.Word == nil }),
	onUnion("union with a gap", func(u *schema.Union) bool {
		var ids []uint64
		for _, a := range u.Sorted() {
			if !a.Else {
				ids = append(ids, a.ID)
			}
		}
		return len(ids) > 1 && ids[len(ids)-1]-ids[0] >= uint64(len(ids))
	}),
	onUnion("union with an arm of several numbers", func(u *schema.Union) bool {
		return slices.ContainsFunc(u.Arms, func(a *schema.Arm) bool { return a.IDs.Several() })
	}),
	onUnion("union by a word with an else arm", func(u *schema.Union) bool {
		return u.Word != nil && slices.ContainsFunc(u.Arms, func(a *schema.Arm) bool { return a.Else })
	}),
	node("rows if bytes are left", func(n schema.Node) bool { i, ok := n.(*schema.If); return ok && i.More != nil }),
	node("blocks of one size", func(n schema.Node) bool {
		i, ok := n.(*schema.If)
		return ok && i.More == nil && fixedBytes(i.Then) > 0 && fixedBytes(i.Then) == fixedBytes(i.Else)
	}),
	onRow("record of one size with a condition", func(r *schema.Row) bool {
		return r.Type.Form == schema.OfRecord && r.Type.Fixed && slices.ContainsFunc(r.Type.Record.Body, func(n schema.Node) bool {
			_, is := n.(*schema.If)
			return is
		})
	}),
	onRow("record of one size with a list", func(r *schema.Row) bool {
		return r.Type.Form == schema.OfRecord && r.Type.Fixed && slices.ContainsFunc(r.Type.Record.Body, func(n schema.Node) bool {
			_, is := n.(*schema.List)
			return is
		})
	}),
	onRow("union of one size", func(r *schema.Row) bool {
		return r.Type.Form == schema.OfUnion && r.Type.Fixed && r.Length.Op != builtin.Letter
	}),
	onForms("row under a condition", func(f *schema.Forms) bool { return !f.Total }),
	onForms("forms of a flag", func(f *schema.Forms) bool { return f.Total && f.Check == nil && len(f.Rows) == 2 }),
	onForms("forms of some numbers", func(f *schema.Forms) bool { return f.Check != nil }),
	onForms("three forms", func(f *schema.Forms) bool { return len(f.Rows) > 2 }),
	onForms("forms of bits", func(f *schema.Forms) bool { return f.Total && len(f.Rows[0].Bits) > 0 }),
	onForms("forms of arrays", func(f *schema.Forms) bool { return f.Total && f.Rows[0].Type.Form == schema.Array }),
	onForms("forms of a text in several encodings", func(f *schema.Forms) bool {
		return f.Rows[0].Type.Form == schema.Text && f.Rows[0].Type.Encoding != f.Rows[len(f.Rows)-1].Type.Encoding
	}),
	onRow("number of a record", func(r *schema.Row) bool { return len(r.Members) > 0 }),
	onRow("number of a tuple", func(r *schema.Row) bool { return len(r.Members) > 0 && r.Type.Record.Tuple != nil }),
	onRow("length cell with the number of a record", func(r *schema.Row) bool { return r.Bound != nil && namesMember(r.Bound) }),
	onForms("size in several forms", func(f *schema.Forms) bool { return f.Total && f.Field.Measures != nil }),
	onForms("computed forms", func(f *schema.Forms) bool { return f.Total && f.Field.Derive != nil }),
	onForms("form that a writer chooses", func(f *schema.Forms) bool { return f.Number != nil || f.Arm != nil }),
	onForms("form without bytes", func(f *schema.Forms) bool {
		return slices.ContainsFunc(f.Rows, func(r *schema.Row) bool { return r.Inline != nil })
	}),
	onForms("form that is the number of an arm", func(f *schema.Forms) bool { return f.Arm != nil }),
	onForms("form that a reader checks", func(f *schema.Forms) bool { return (f.Number != nil || f.Arm != nil) && !f.Any }),
	node("list of values with a condition of each", func(n schema.Node) bool {
		l, ok := n.(*schema.List)
		return ok && l.Element.Bare()
	}),
	onRow("record in place", func(r *schema.Row) bool { return r.Type.InPlace }),
	onRow("record", func(r *schema.Row) bool { return r.Type.Form == schema.OfRecord && !r.Type.InPlace }),
	onRow("numbers that a bit selects", func(r *schema.Row) bool { return r.Type.Narrow != builtin.NoScalar }),
	onRow("computed truth", func(r *schema.Row) bool { return r.Type.Form == schema.Truth && r.Value != nil }),
	onRow("array of constant length", func(r *schema.Row) bool { return r.Type.Form == schema.Array && r.Type.Fixed }),
	onRow("text that is always the same", func(r *schema.Row) bool { return r.Constant != nil && r.Type.Form == schema.Text }),
	onRow("numbers that are always the same", func(r *schema.Row) bool { return r.Constant != nil && r.Type.Form == schema.Array }),
	onRow("array up to the end", func(r *schema.Row) bool { return r.Type.Form == schema.Array && r.Type.ToEnd() }),
	onRow("text up to the end", func(r *schema.Row) bool { return r.Type.Form == schema.Text && r.Type.ToEnd() }),
	onRow("text up to a terminator", func(r *schema.Row) bool { return r.Type.Form == schema.Text && r.Type.Until != "" }),
	onRow("bytes up to a terminator", func(r *schema.Row) bool { return r.Type.Form == schema.Array && r.Type.Until != "" }),
	onRow("filled text", func(r *schema.Row) bool { return r.Type.Form == schema.Text && r.Type.Fill != "" }),
	onRow("text in UTF-16 before a code unit", func(r *schema.Row) bool {
		_, unit := r.Type.Delimiter()
		return unit > 1 && (r.Type.Until != "" || r.Type.Fill != "")
	}),
	onRow("filled bytes of a stored length", func(r *schema.Row) bool {
		return r.Type.Form == schema.Array && r.Type.Fill != "" && !r.Type.Fixed
	}),
	onRow("region", func(r *schema.Row) bool { return r.Bound != nil }),
	onRow("region before the rows at the end", func(r *schema.Row) bool { return r.Tail != nil }),
	onRow("region of a stored size", func(r *schema.Row) bool { return r.Stated }),
	onRow("region of a constant size", func(r *schema.Row) bool { _, ok := r.Area(); return ok }),
	onRow("size of a row that was read", func(r *schema.Row) bool { return r.Field.Bytes != nil && !r.Stated }),
	onRow("length of the type", func(r *schema.Row) bool { return r.Bound == nil && r.Length.Named() }),
	onRow("size of a row", func(r *schema.Row) bool { return r.Field.Measures != nil }),
	onRow("size in bits", func(r *schema.Row) bool { return len(r.Bits) > 0 && r.Field.Measures != nil }),
	onRow("size from another size", func(r *schema.Row) bool {
		return r.Field.Measures != nil && ofSize(r.Field.Derive)
	}),
	onRow("size of rows before", func(r *schema.Row) bool { return r.Field.Derive != nil && sizeBefore(r.Field.Derive) }),
	onRow("redundant number", func(r *schema.Row) bool { return r.Field.Redundant != nil }),
	onRow("bits that select an arm", func(r *schema.Row) bool {
		return slices.ContainsFunc(r.Bits, func(b *schema.Bit) bool { return b.Field.ArmOf != nil })
	}),
	onRow("redundant bits", func(r *schema.Row) bool {
		return slices.ContainsFunc(r.Bits, func(b *schema.Bit) bool { return b.Field.Redundant != nil })
	}),
	onRow("checksum", func(r *schema.Row) bool { return r.Field.Sum != nil }),
	onRow("checksum of a row at a place", func(r *schema.Row) bool { return r.At != nil && len(r.At.Sums) > 0 }),
	onRow("checksum of a whole record", func(r *schema.Row) bool { return r.Field.Sum != nil && r.Field.Sum.Base != nil }),
	onRow("checksum without one of a whole record", func(r *schema.Row) bool {
		return r.Field.Sum != nil && r.Field.Sum.Base == nil && r.Field.Sum.Hole != nil
	}),
	node("checksum that is written later", func(n schema.Node) bool { s, ok := n.(*schema.SumStep); return ok && !s.Patch }),
	{"example with strict", func(s *schema.Schema) bool {
		return slices.ContainsFunc(s.Bodies(), func(b schema.Body) bool {
			return slices.ContainsFunc(b.Examples, func(e *schema.Example) bool { return e.Strict })
		})
	}},
	onRow("row at a place", func(r *schema.Row) bool { return r.At != nil && !r.At.Gaps }),
	onRow("row of the bytes between", func(r *schema.Row) bool { return r.At != nil && r.At.Gaps }),
	onRow("row at a place up to the end", func(r *schema.Row) bool { return r.At != nil && r.At.Last }),
	onRow("row at a place in a record around", func(r *schema.Row) bool { return r.At != nil && r.At.Named }),
	onRow("row at a place that a writer chooses", func(r *schema.Row) bool { return r.At != nil && r.At.Place != nil }),
	onRow("view", func(r *schema.Row) bool { return r.At != nil && r.At.View }),
	onRow("view up to the end", func(r *schema.Row) bool { return r.At != nil && r.At.View && r.At.Last }),
	onRow("view in a record around", func(r *schema.Row) bool { return r.At != nil && r.At.View && r.At.Named }),
	onRow("view under a condition", func(r *schema.Row) bool { return r.At != nil && r.At.View && r.When != nil }),
	onRow("row at a multiple", func(r *schema.Row) bool { return r.At != nil && r.At.Align > 1 }),
	onRow("row at a place that a writer would not choose", func(r *schema.Row) bool { return r.At != nil && r.At.Place != nil && r.At.Any }),
	onRow("row at a place under a condition", func(r *schema.Row) bool { return r.At != nil && r.When != nil }),
	node("list at a place", func(n schema.Node) bool { l, ok := n.(*schema.List); return ok && l.Row != nil && l.Row.At != nil }),
	{"root that is used after an order", func(s *schema.Schema) bool { return s.Root.Record != nil && s.Root.Record.Bare() }},
	{"root that places count from", func(s *schema.Schema) bool { return s.Root.Record != nil && s.Root.Record.Base }},
	onRow("signed bits", func(r *schema.Row) bool {
		return slices.ContainsFunc(r.Bits, func(b *schema.Bit) bool { return b.Signed })
	}),
	onRow("signed word of bits", func(r *schema.Row) bool { return len(r.Bits) > 0 && r.Type.Scalar.Signed() }),
	{"tuple", func(s *schema.Schema) bool {
		return slices.ContainsFunc(s.Records, func(r *schema.Record) bool { return r.Tuple != nil }) ||
			slices.ContainsFunc(s.Unions, func(u *schema.Union) bool {
				return slices.ContainsFunc(u.Arms, func(a *schema.Arm) bool { return a.Tuple != nil })
			})
	}},
	node("array of tuples", func(n schema.Node) bool { l, ok := n.(*schema.List); return ok && l.Elem != nil && l.Elem.Width > 1 }),
	node("list of records", func(n schema.Node) bool {
		l, ok := n.(*schema.List)
		return ok && !l.Map && l.Elem.Form == schema.OfRecord
	}),
	node("list of unions", func(n schema.Node) bool {
		l, ok := n.(*schema.List)
		return ok && !l.Map && l.Elem.Form == schema.OfUnion
	}),
	node("list in a row", func(n schema.Node) bool { l, ok := n.(*schema.List); return ok && l.Row != nil }),
	node("list in a region", func(n schema.Node) bool { l, ok := n.(*schema.List); return ok && l.Row != nil && l.Row.Bound != nil }),
	node("list of both branches", func(n schema.Node) bool {
		l, ok := n.(*schema.List)
		return ok && l.Field.Node != schema.Node(l)
	}),
	node("order by a field", func(n schema.Node) bool { o, ok := n.(*schema.Order); return ok && o.By != nil }),
	onRow("number in a chosen order", func(r *schema.Row) bool { return r.Type.Big != nil }),
	node("elements with outer fields", func(n schema.Node) bool { l, ok := n.(*schema.List); return ok && len(l.Element.Params) > 0 }),
	node("number of varying width in any form", func(n schema.Node) bool {
		row, ok := n.(*schema.Row)
		return ok && row.Type.Longer && row.Type.Coding.Varies()
	}),
	node("bits of varying width", func(n schema.Node) bool {
		row, ok := n.(*schema.Row)
		return ok && row.Type.Coding.Varies() && len(row.Bits) > 0
	}),
	node("computed number of varying width", func(n schema.Node) bool {
		row, ok := n.(*schema.Row)
		return ok && row.Type.Coding.Varies() && row.Value != nil
	}),
	onRow("number in digits", func(r *schema.Row) bool { return r.Type.Coding.InDigits() }),
	onRow("number in digits in any form", func(r *schema.Row) bool { return r.Type.Coding.InDigits() && r.Type.Longer }),
	onRow("number in digits before a terminator", func(r *schema.Row) bool { return r.Type.Coding.End() != "" }),
	onRow("number in digits before a terminator in any form", func(r *schema.Row) bool { return r.Type.Coding.End() != "" && r.Type.Longer }),
	onRow("signed number in digits", func(r *schema.Row) bool { return r.Type.Coding.End() != "" && r.Type.Scalar.Signed() }),
	onRow("digits before other bytes than usual", func(r *schema.Row) bool {
		return r.Type.Coding.InDigits() && r.Type.Coding.Fill() != r.Type.Coding.DefaultFill()
	}),
	onRow("bits of a number in digits", func(r *schema.Row) bool { return r.Type.Coding.InDigits() && len(r.Bits) > 0 }),
	onRow("computed number in digits", func(r *schema.Row) bool { return r.Type.Coding.InDigits() && r.Value != nil }),
	onRow("size in a number in digits", func(r *schema.Row) bool { return r.Type.Coding.InDigits() && r.Field.Measures != nil }),
	onRow("checksum in digits", func(r *schema.Row) bool { return r.Type.Coding.Base() > 0 && r.Field.Sum != nil }),
	node("list of numbers of varying width", func(n schema.Node) bool {
		l, ok := n.(*schema.List)
		return ok && l.Row != nil && coded(l.Element)
	}),
	node("size in a number of varying width", func(n schema.Node) bool {
		row, ok := n.(*schema.Row)
		return ok && row.Type.Coding.Varies() && row.Field.Measures != nil
	}),
	node("list in a row with arguments", func(n schema.Node) bool {
		l, ok := n.(*schema.List)
		return ok && l.Row != nil && len(l.Elem.Args) > 0
	}),
	node("size of a list that was read", func(n schema.Node) bool {
		l, ok := n.(*schema.List)
		return ok && l.Field.Bytes != nil && (l.Row == nil || !l.Row.Stated)
	}),
	node("condition of a list", func(n schema.Node) bool {
		l, ok := n.(*schema.List)
		return ok && len(l.Checks) > 0
	}),
	node("map with outer fields", func(n schema.Node) bool {
		l, ok := n.(*schema.List)
		return ok && l.Map && len(l.Key.Args)+len(l.Elem.Args) > 0
	}),
	{"option of three choices", func(s *schema.Schema) bool { return s.Option != nil && len(s.Option.Choices) == 3 }},
	onRow("number of an import in the other order", func(r *schema.Row) bool {
		t := builtin.TypeNamed(r.Type.Name)
		return r.Type.Swapped && (t == nil || t.Order == builtin.AsSchema)
	}),
	{"root is a union", func(s *schema.Schema) bool { return s.Root.Union != nil }},
	{"lineage of three", func(s *schema.Schema) bool { return len(s.Lineage()) > 2 }},
}

// Stats counts constructs and their pairs in schemas.
type Stats struct {
	Schemas int
	Lines   int
	Count   map[string]int

	index map[string]int
	pairs [][]bool // by two indexes, the lower one first
}

// Add counts a schema.
func (s *Stats) Add(d *Drawn) {
	if s.Count == nil {
		s.Count, s.index = map[string]int{}, map[string]int{}
		for i, name := range Constructs() {
			s.index[name] = i
			s.pairs = append(s.pairs, make([]bool, len(s.pairs)))
		}
	}
	s.Schemas++
	s.Lines += strings.Count(d.Top().Text, "\n")
	var list []int
	for name, has := range d.Has() {
		if has {
			s.Count[name]++
			list = append(list, s.index[name])
		}
	}
	sort.Ints(list)
	for i, a := range list {
		for _, b := range list[:i] {
			s.pairs[a][b] = true
		}
	}
}

// Rare returns the constructs that fewer than a share of the schemas have, with their
// number.
func (s *Stats) Rare(percent float64) []string {
	var out []string
	for _, name := range Constructs() {
		if 100*float64(s.Count[name]) < percent*float64(s.Schemas) {
			out = append(out, fmt.Sprintf("%s (%d)", name, s.Count[name]))
		}
	}
	return out
}

// PairsShare returns the percentage of all pairs of constructs that some schema has.
func (s *Stats) PairsShare() float64 {
	seen, all := 0, 0
	for _, row := range s.pairs {
		for _, pair := range row {
			all++
			if pair {
				seen++
			}
		}
	}
	return 100 * float64(seen) / float64(max(1, all))
}

// coded reports whether a record is a number of varying width.
func coded(rec *schema.Record) bool {
	row, ok := rec.Body[0].(*schema.Row)
	return ok && row.Type.Coding.Varies()
}

// ofSize reports whether an expression names a field that holds the size of a row.
func ofSize(e *schema.Expr) bool {
	return e != nil && (e.Op == builtin.Ref && e.Field.Measures != nil || slices.ContainsFunc(e.Args, ofSize))
}

// sizeBefore reports whether an expression takes the size of a row before it.
func sizeBefore(e *schema.Expr) bool {
	return e.Passed || slices.ContainsFunc(e.Args, sizeBefore)
}

// namesMember reports whether an expression names a number of a row of a record.
func namesMember(e *schema.Expr) bool {
	return e.Field != nil && strings.Contains(e.Field.Name, ".") || slices.ContainsFunc(e.Args, namesMember)
}
