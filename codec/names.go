// Values by the names of a schema: which types are those of Variants, and text and JSON in the
// form that the schema has.

package codec

import (
	"errors"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// variants says which types of a program are those of Variants.
type variants struct {
	root  bool         // the outermost value is a Variant
	types map[int]bool // types of Variants and of the values in them
}

// findVariants looks for unions of Variants: they have arms for Dictionary, Array and String.
func findVariants(p *bytecode.Program) variants {
	v := variants{types: map[int]bool{}}
	var routines []uint32
	for i := range p.Routines {
		if isVariant(p, uint32(i)) {
			routines = append(routines, uint32(i))
			v.root = v.root || uint32(i) == p.Root
		}
	}
	for i := 0; i < len(routines); i++ { // grows
		r := &p.Routines[routines[i]]
		for pc := r.Start; pc < r.End; pc++ {
			in := &p.Code[pc]
			if in.Op == bytecode.Fields {
				v.types[int(in.B)] = true
			}
			for _, next := range in.Calls() {
				if !slices.Contains(routines, next) {
					routines = append(routines, next)
				}
			}
		}
	}
	return v
}

// isVariant reports whether the values of a routine are Variants.
func isVariant(p *bytecode.Program, routine uint32) bool {
	table, ok := p.UnionTable(routine)
	if !ok {
		return false
	}
	var found [numTypes]bool
	for i := range table.Arms {
		found[typesByName[p.Types[table.Arms[i].Type].Name]] = true
	}
	return found[DictionaryType] && found[ArrayType] && found[String]
}

// AppendText appends v to dst as text that [Codec.ParseText] reads. For schemas of Variants that
// is Godot's notation, as [AppendText] writes it in a style. For any other schema it is the
// notation of the examples in schemas, {id: 5, name: "a"}, of which the style has the indent.
func (c *Codec) AppendText(dst []byte, v Value, style TextStyle) ([]byte, error) {
	if c.notation == nil {
		return AppendText(dst, v, style)
	}
	return c.notation.Append(dst, v.raw, style.Indent)
}

// ParseText reads text as [Codec.AppendText] writes it. The error, if any, is a [*TextError].
func (c *Codec) ParseText(s string) (Value, error) {
	if c.notation == nil {
		return ParseText(s)
	}
	v, err := c.notation.Parse(s)
	if e := (*notation.Error)(nil); errors.As(err, &e) {
		return Value{}, newTextError(s, e.Offset, e.Message)
	}
	return c.named(v), err
}

// AppendJSON appends v to dst as JSON that [Codec.ParseJSON] reads. For schemas of Variants that
// is the JSON of [AppendJSON]. For any other schema records are objects with the names of
// their fields, and arms of unions are {"Name": content} or "Name".
func (c *Codec) AppendJSON(dst []byte, v Value) ([]byte, error) {
	if c.notation == nil {
		return AppendJSON(dst, v)
	}
	return c.notation.AppendJSON(dst, v.raw)
}

// ParseJSON reads JSON as [Codec.AppendJSON] writes it. The error, if any, is a [*TextError].
func (c *Codec) ParseJSON(b []byte) (Value, error) {
	if c.notation == nil {
		return ParseJSON(b)
	}
	p := jsonParser{s: string(b)}
	node := p.document()
	if p.err != nil {
		return Value{}, p.err
	}
	v, err := c.notation.Build(jsonSource{&p, &node})
	if err != nil {
		return Value{}, err
	}
	return c.named(v), nil
}

// named returns a value of the schema.
func (c *Codec) named(v interp.Value) Value { return Value{v, c.notation} }
