// Parts of packets that stay bytes.

package codec

import (
	"bytes"
	"reflect"

	"github.com/octable/octable/interp"
)

// RawMessage is the bytes of one Variant in a packet: a part that is decoded later, by [Codec.Unmarshal], or sent on
// as it came. Reading checks the bytes and copies them, unless [Options.Alias] is set; writing checks that they are one
// value of the schema. An empty RawMessage is written as Nil.
//
// A struct with the tag option rest, a map around it, or [Value.To] makes the bytes from the decoded value: they
// differ from those of the packet if a writer would have chosen others.
// Of schemas other than Variants a RawMessage is a []byte.
type RawMessage []byte

var rawType = reflect.TypeFor[RawMessage]()

// checkRaw returns the value in the bytes of a RawMessage.
func (c *Codec) checkRaw(b []byte) (interp.Value, error) {
	v, used, err := c.m.Decode(b, c.raw)
	if err == nil && used != len(b) {
		err = c.trailing(b, used)
	}
	return v, codecError(err)
}

// raw makes the value of a RawMessage.
func (w *writer) raw(p *plan, b []byte) (Value, error) {
	if len(b) == 0 {
		return orNil(Value{}), nil
	}
	if w.c == nil {
		return w.fail(p, ErrGoType, "its bytes have no schema; use Codec.ValueOf or Codec.Marshal")
	}
	v, err := w.c.checkRaw(bytes.Clone(b))
	if err != nil {
		return w.fail(p, err, "it is not one value of schema %s: %v", w.c.Schema(), err)
	}
	return w.wanted(p, wrap(v))
}

// raw sets a RawMessage to the bytes of a value.
func (r *reader) raw(p *plan, v Value, rv reflect.Value) error {
	if r.c == nil {
		return r.fail(p, ErrGoType, "a RawMessage needs a schema; use Codec.To or Codec.Unmarshal")
	}
	opt := r.c.raw
	opt.KeepWidths = true
	b, err := r.c.m.Encode(orNil(v).raw, opt)
	if err != nil {
		err = codecError(err)
		return r.fail(p, err, "it cannot be encoded: %v", err)
	}
	rv.SetBytes(b)
	return nil
}
