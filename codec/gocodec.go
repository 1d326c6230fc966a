// Bytes to Go values and back, and the text forms in the words of a schema.

package codec

import (
	"fmt"

	"github.com/octable/octable/interp"
)

// conversion is how the codec's options convert Go values.
func (c *Codec) conversion() conversion {
	return conversion{c: c, IgnoreUnknown: c.opt.IgnoreUnknown, Exact: c.opt.Exact, Names: c.opt.Names, MaxDepth: c.opt.MaxDepth, interfaces: c.interfaces}
}

// Marshal encodes a Go value: structs and maps as Dictionaries, slices as Arrays
// or packed arrays, math types as themselves. ValueOf of package godot has the whole table and
// the field tags.
func (c *Codec) Marshal(x any) ([]byte, error) { return c.marshal(x) }

// AppendMarshal is [Codec.Marshal] onto the end of dst. It may write to the
// memory behind dst, up to its capacity.
func (c *Codec) AppendMarshal(dst []byte, x any) ([]byte, error) {
	return c.appendMarshal(dst, x, nil)
}

// ValueOf returns the Value that [Codec.Marshal] encodes for a Go value. For schemas of Variants
// that is ValueOf of package godot with the codec's options.
func (c *Codec) ValueOf(x any) (Value, error) {
	if err := c.ready(); err != nil {
		return Value{}, err
	}
	if c.notation != nil {
		return c.namedValue(x)
	}
	return c.conversion().valueOf(x)
}

// To is [Value.To] with the codec's options.
func (c *Codec) To(v Value, ptr any) error {
	if err := c.ready(); err != nil {
		return err
	}
	return c.conversion().to(v, ptr)
}

// appendValue is AppendMarshal by way of a Value.
func (c *Codec) appendValue(dst []byte, x any) ([]byte, error) {
	v, err := c.ValueOf(x)
	if err != nil {
		return dst, err
	}
	return c.Append(dst, v)
}

// Unmarshal decodes b into what ptr points to; [Value.To] has the table of what
// goes into what. If bytes are left over after the value, it reads the value
// and returns an [*Error] of kind [ErrTrailing], since nothing that was sent is
// dropped silently; with [Options.AllowTrailing] they are left alone.
//
// Texts share memory with each other, or, with [Options.Alias], with b.
func (c *Codec) Unmarshal(b []byte, ptr any) error { return c.unmarshal(b, ptr, nil) }

// unmarshalValue is Unmarshal by way of a Value.
func (c *Codec) unmarshalValue(b []byte, ptr any) error {
	v, used, err := c.Decode(b)
	if err != nil {
		return err
	}
	to := c.conversion()
	to.alias = c.opt.Alias
	if c.notation == nil && c.forms == nil {
		to.src = b[:used]
	}
	if err := to.to(v, ptr); err != nil {
		return err
	}
	if used < len(b) && !c.opt.AllowTrailing {
		return c.trailing(b, used)
	}
	return nil
}

func (c *Codec) trailing(b []byte, used int) error {
	rule := c.m.Program().Rules[0]
	return codecError(&interp.Error{Kind: ErrTrailing, Offset: used, Rule: rule, Expected: "the end of the value", Found: fmt.Sprintf("%d more bytes", len(b)-used)})
}
