// Values by the names of a schema: which types are those of Variants, and text and JSON in the
// form that the schema has.

package codec

import (
	"errors"
	"slices"

	"github.com/octable/octable/codec/internal/variant"
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
	var found [variant.NumTypes]bool
	for i := range table.Arms {
		found[variant.TypesByName[p.Types[table.Arms[i].Type].Name]] = true
	}
	return found[variant.DictionaryType] && found[variant.ArrayType] && found[variant.String]
}

// Text returns a value as text that [Codec.ParseText] reads. If the codec's schema has an engine,
// the engine reads it as well.
func (c *Codec) Text(v Value) (string, error) {
	b, err := c.AppendText(nil, v, "")
	return string(b), err
}

// AppendText appends v to dst as text that [Codec.ParseText] reads. For schemas of Variants that
// is Godot's notation with the names of the schema. For any other schema it is the notation of the
// examples in schemas, {id: 5, name: "a"}. If indent is not empty, each pair of a Dictionary,
// field and element has a separate line, indented with it.
func (c *Codec) AppendText(dst []byte, v Value, indent string) ([]byte, error) {
	if err := c.ready(); err != nil {
		return dst, err
	}
	style := c.style()
	style.Indent = indent
	return c.appendText(dst, v.raw, style)
}

func (c *Codec) appendText(dst []byte, v interp.Value, style variant.TextStyle) ([]byte, error) {
	if c.notation == nil {
		return variant.AppendText(dst, v, style)
	}
	return c.notation.Append(dst, v, style.Indent)
}

// style returns the style of Godot's notation that the engines of the schema read and write.
func (c *Codec) style() variant.TextStyle {
	return variant.StyleOf(c.TypeName(variant.PackedByteArray), c.TypeName(variant.QuaternionType))
}

// ParseText reads text as [Codec.AppendText] writes it. The error, if any, is a [*TextError].
func (c *Codec) ParseText(s string) (Value, error) {
	if err := c.ready(); err != nil {
		return Value{}, err
	}
	if c.notation == nil {
		v, err := variant.ParseText(s)
		return wrap(v), textError(err)
	}
	v, err := c.notation.Parse(s)
	if e := (*notation.Error)(nil); errors.As(err, &e) {
		err = variant.NewTextError(s, e.Offset, e.Message)
	}
	return c.parsed(v, err)
}

// AppendJSON appends v to dst as JSON that [Codec.ParseJSON] reads. For schemas of Variants that
// is the JSON of package godot. For any other schema records are objects with the names of
// their fields, and arms of unions are {"Name": content} or "Name".
func (c *Codec) AppendJSON(dst []byte, v Value) ([]byte, error) {
	if err := c.ready(); err != nil {
		return dst, err
	}
	if c.notation == nil {
		return variant.AppendJSON(dst, v.raw, variant.JSONStyle{})
	}
	return c.notation.AppendJSON(dst, v.raw)
}

// ParseJSON reads JSON as [Codec.AppendJSON] writes it. The error, if any, is a [*TextError].
func (c *Codec) ParseJSON(b []byte) (Value, error) {
	if err := c.ready(); err != nil {
		return Value{}, err
	}
	if c.notation == nil {
		v, err := variant.ParseJSON(b)
		return wrap(v), textError(err)
	}
	return c.parsed(variant.BuildJSON(c.notation, b))
}

// parsed returns a value of the schema that was read from text or JSON.
func (c *Codec) parsed(v interp.Value, err error) (Value, error) {
	if err != nil {
		return Value{}, textError(err)
	}
	return c.named(v), nil
}

// String returns v in Godot 4's notation, or with the names of another schema, in one line and
// without notes. It is for people to read; [Codec.AppendText] loses nothing.
func (v Value) String() string {
	if v.of != nil {
		return v.of.String(v.raw)
	}
	return variant.Plain(v.raw)
}

// MarshalJSON is [Codec.AppendJSON] for encoding/json.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.of != nil {
		return v.of.AppendJSON(nil, v.raw)
	}
	return variant.AppendJSON(nil, v.raw, variant.JSONStyle{})
}

// UnmarshalJSON reads the JSON of a Variant for encoding/json.
func (v *Value) UnmarshalJSON(b []byte) error {
	parsed, err := variant.ParseJSON(b)
	if err == nil {
		*v = wrap(parsed)
	}
	return textError(err)
}

// named returns a value of the schema.
func (c *Codec) named(v interp.Value) Value { return Value{raw: v, of: c.notation} }
