// Functions for packages of this module that work with the interpreter; see package raw.

package codec

import (
	"github.com/octable/octable/codec/internal/hooks"
	"github.com/octable/octable/interp"
)

func init() {
	hooks.Value = func(v Value) interp.Value { return v.raw }
	hooks.Wrap = wrap
	hooks.Named = (*Codec).named
	hooks.PlainText = func(c *Codec, v interp.Value) (string, error) {
		style := c.style()
		style.Plain = true
		b, err := c.appendText(nil, v, style)
		return string(b), err
	}
	hooks.Machine = func(c *Codec) *interp.Machine { return c.m }
	hooks.New = newCodec
	hooks.ParsePath = (*Codec).parsePath
	hooks.Reader = (*Codec).reader
	hooks.ValueOf = conversion{}.valueOf
}

// reader returns a function that decodes into memory that its next call uses again.
func (c *Codec) reader() func(b []byte) (v Value, used int, err error) {
	if c.m == nil || c.opt.Strict || c.forms != nil {
		return c.Decode
	}
	r := c.m.NewReader(c.raw)
	return func(b []byte) (Value, int, error) {
		v, used, err := r.Read(b)
		if err != nil {
			return Value{}, 0, codecError(err)
		}
		return Value{raw: v, of: c.notation}, used, nil
	}
}
