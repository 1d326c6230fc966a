// Codecs: a schema ready to read and write.

package codec

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Codec reads and writes values of one schema. It does not change and may be
// used by any number of goroutines. The zero Codec has no schema; its methods return an error.
type Codec struct {
	m     *interp.Machine
	own   []string // names of types that only this schema has, from FirstOwn on
	names []string // name of each Type in this schema, "" if it has none
	opt   Options
	raw   interp.Options
	forms *transforms   // nil without transforms
	types *typePrograms // what is known of Go types

	interfaces map[reflect.Type]*Interface // of Options.Interfaces

	notation *notation.Notation // nil for schemas of Variants, which have Godot's
}

// Options are the choices of a codec. The zero value is the safe default.
type Options struct {
	// Objects allows objects written in full, which an engine with full
	// objects on would make on reading, running code. Both directions.
	Objects bool
	// Strict refuses, when reading, bytes that a writer would not produce. Such are wider forms than needed, set
	// padding, unknown flags, bytes after the value.
	Strict bool
	// KeepWidths writes numbers in the form that they were read in, if they have a narrow and a wide form. Such are int,
	// float and vectors of Godot. The default is the form that a writer chooses, which is that of numbers with more than
	// two forms in any case. Writing only.
	KeepWidths bool
	// Alias lets decoded values point into the given bytes, which must not be changed after that. The default is one
	// private copy. Reading only.
	Alias bool
	// MaxDepth limits how deeply values may be nested; 0 is what the engines
	// allow, 1024 below the top. Both directions.
	MaxDepth int
	// MaxMemory limits the bytes of memory for the values of one call. 0 is no limit beyond the one that always holds:
	// at most 12 times the input, and some hundred bytes. Reading only.
	MaxMemory int
	// IgnoreUnknown leaves out keys of a Dictionary for which the struct has no field. The default is an error.
	// Unmarshal only.
	IgnoreUnknown bool
	// Names decides how keys follow from Go fields without a name in their tag. The default is the name of the field.
	// Marshal and Unmarshal.
	Names Naming
	// Exact refuses numbers that a float of Go or of the schema does not hold exactly. An example is 0.1 in a float32
	// field. Without it they are rounded, as encoding/json does; a number beyond the range of a float is always an
	// error. Marshal and Unmarshal.
	Exact bool
	// Interfaces says which Go types the values of interface types may have: [InterfaceOf] declares them. Marshal and
	// Unmarshal.
	Interfaces []Interface
	// AllowTrailing lets Unmarshal leave bytes after the value alone, as engines
	// do; without it they are an error.
	AllowTrailing bool
	// MaxFrame limits the bytes of one value in a stream, and of one of [Codec.Records]. 0 is 8 MiB, which is what
	// engines allow in a packet. Streams only.
	MaxFrame int
	// Transform converts the bytes of rows, by the name of type and row, such as "IDAT.data". Decode gives Values with
	// the bytes that a Transform decoded, and Append takes such Values. Checks, lengths and checksums of the schema are
	// about the bytes in the packet. Both directions.
	Transform map[string]Transform
}

// Open returns the codec of a program that `octable compile` wrote to a file; [Load] has those of
// the project. Package compiler makes codecs of the text of schemas.
func Open(program []byte) (*Codec, error) {
	p, err := bytecode.Load(program)
	if err != nil {
		return nil, fmt.Errorf("codec: %w", err)
	}
	return newCodec(p)
}

// newCodec returns a codec for a program. Types of Variants have their numbers; others follow in
// the order of the schema.
func newCodec(p *bytecode.Program) (*Codec, error) {
	c := &Codec{names: make([]string, variant.FirstOwn), types: &typePrograms{}}
	var godot variants
	var tags []uint16
	m, err := interp.New(p, func(i int, _ *bytecode.Type) uint16 {
		if tags == nil { // now the program is verified
			godot = findVariants(p)
			tags = c.number(p, godot)
		}
		return tags[i]
	})
	if err != nil {
		return nil, err
	}
	if c.m = m; !godot.root {
		c.notation = notation.Of(m)
	}
	return c.With(Options{})
}

// number gives the types of a program their numbers, and the codec their names. Types
// without a name, and those that are texts, come last.
func (c *Codec) number(p *bytecode.Program, godot variants) []uint16 {
	tags := make([]uint16, len(p.Types))
	var last []int
	own := func(i int) {
		c.own = append(c.own, p.Types[i].Name)
		tags[i] = variant.FirstOwn + uint16(len(c.own)-1)
	}
	for i := range p.Types {
		t := &p.Types[i]
		plain := t.Union == "" && (t.Fields == nil || isText(t))
		inner := t.Name == "" || plain
		known, ok := variant.TypesByName[t.Name]
		switch isGodot := godot.root || godot.types[i]; {
		case inner && isGodot && (godot.root || plain): // values without a type; imported ones are printed with the names of their fields
		case inner:
			last = append(last, i)
		case ok && isGodot && c.names[known] == "":
			c.names[known], tags[i] = t.Name, uint16(known)
		default:
			own(i)
		}
	}
	for _, i := range last {
		own(i)
	}
	return tags
}

// isText reports whether the values of a record are texts, which have no separate type. So a name in a NodePath that
// was read is the same as one that a NodePath of package godot makes, and so are keys that hold them.
func isText(t *bytecode.Type) bool {
	return len(t.Fields) == 1 && t.Fields[0].Alone && t.Fields[0].Kind == interp.Text
}

// errNoSchema says that a codec was made without a schema.
var errNoSchema = errors.New("codec: the zero Codec has no schema; get a Codec from Load, Open or compiler.New")

// ready returns an error for the zero Codec and for a nil pointer.
func (c *Codec) ready() error {
	if c == nil || c.m == nil {
		return errNoSchema
	}
	return nil
}

// With returns a codec for the same schema with other options.
func (c *Codec) With(o Options) (*Codec, error) {
	if err := c.ready(); err != nil {
		return nil, err
	}
	for _, n := range []struct {
		name string
		v    int
	}{{"MaxDepth", o.MaxDepth}, {"MaxMemory", o.MaxMemory}, {"MaxFrame", o.MaxFrame}} {
		if n.v < 0 {
			return nil, fmt.Errorf("codec: option %s is %d; it must not be negative", n.name, n.v)
		}
	}
	if o.MaxDepth > bytecode.MaxDepth {
		return nil, fmt.Errorf("codec: option MaxDepth is %d; at most %d is allowed", o.MaxDepth, bytecode.MaxDepth)
	}
	if o.Names > CamelNames {
		return nil, fmt.Errorf("codec: option Names is %d; there are GoNames, SnakeNames and CamelNames", o.Names)
	}
	d := *c
	d.opt = o
	if o.Names != c.opt.Names || o.Interfaces != nil || c.opt.Interfaces != nil {
		d.types = &typePrograms{}
	}
	var err error
	if d.forms, err = newTransforms(c, o.Transform); err != nil {
		return nil, err
	}
	if d.interfaces, err = interfacesOf(o.Interfaces, c.notation != nil); err != nil {
		return nil, err
	}
	d.raw = interp.Options{MaxDepth: o.MaxDepth, MaxMemory: o.MaxMemory, KeepWidths: o.KeepWidths}
	if o.Objects {
		d.raw.Open = 0xff
	}
	return &d, nil
}

// Schema returns the id of the codec's schema, such as "godot-4.4".
func (c *Codec) Schema() string {
	if c.ready() != nil {
		return ""
	}
	return c.m.Program().Schema
}

// Options returns the codec's options.
func (c *Codec) Options() Options {
	if c == nil {
		return Options{}
	}
	return c.opt
}

// TypeName returns the name that this schema has for a type, such as "PoolByteArray" for PackedByteArray in Godot 3. It
// is "" if the schema does not have the type.
func (c *Codec) TypeName(t Type) string {
	switch {
	case c.ready() != nil:
		return ""
	case t < variant.FirstOwn:
		return c.names[t]
	case int(t-variant.FirstOwn) < len(c.own):
		return c.own[t-variant.FirstOwn]
	}
	return ""
}

// Decode decodes the value at the beginning of b and returns how many bytes it took. It does not look at bytes after
// them, as engines do not, unless the codec is strict. What was sent is kept, also where an engine would drop it: equal
// keys of a Dictionary, elements of a typed Array that are of another type.
//
// The error is an [*Error].
func (c *Codec) Decode(b []byte) (v Value, used int, err error) {
	if err := c.ready(); err != nil {
		return Value{}, 0, err
	}
	if !c.opt.Alias {
		b = append(make([]byte, 0, len(b)), b...)
	}
	raw, used, err := c.m.Decode(b, c.raw)
	if err == nil && c.opt.Strict {
		err = c.canonical(b, raw, used)
	}
	if err != nil {
		return Value{}, 0, codecError(err)
	}
	if raw, err = c.forms.apply(raw, false); err != nil {
		return Value{}, 0, err
	}
	return Value{raw: raw, of: c.notation}, used, nil
}

// Append encodes v and appends the bytes to dst, as an engine writes them. On
// error it returns dst unchanged; the error is an [*Error].
func (c *Codec) Append(dst []byte, v Value) ([]byte, error) {
	if err := c.ready(); err != nil {
		return dst, err
	}
	if cap(dst) == 0 {
		out, err := c.Encode(v) // which knows how much memory it takes
		if err != nil {
			return dst, err
		}
		return out, nil
	}
	raw, err := c.forms.apply(v.raw, true)
	if err != nil {
		return dst, err
	}
	out, err := c.m.Append(dst, raw, c.raw)
	if err != nil {
		return dst, codecError(err)
	}
	return out, nil
}

// Encode encodes v into new memory.
func (c *Codec) Encode(v Value) ([]byte, error) {
	if err := c.ready(); err != nil {
		return nil, err
	}
	raw, err := c.forms.apply(v.raw, true)
	if err != nil {
		return nil, err
	}
	out, err := c.m.Encode(raw, c.raw)
	if err != nil {
		return nil, codecError(err)
	}
	return out, nil
}

// canonical returns an error for the first byte that a writer would not have
// written, or nil.
func (c *Codec) canonical(b []byte, v interp.Value, used int) error {
	return c.m.NewReader(c.raw).Canonical(b, v, used)
}
