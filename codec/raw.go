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
	hooks.ValueOf = conversion{}.valueOf
}
