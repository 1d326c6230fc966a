// Reading single values out of packets.

package codec

import (
	"bytes"
	"strings"

	"github.com/octable/octable/interp"
)

// Get decodes the value at a path of the packet b and skips the rest. The steps are those of a [Path]; of equal keys
// the last one counts. Without such a value Get returns the zero Value and an error for which errors.Is reports [ErrMissingKey].
//
// Of the parts of a Variant that Get skips it checks only the lengths, and only the result takes memory. Arrays of numbers and
// vectors are skipped in constant time. Typed containers on the way, packets of other
// schemas, and packets read with Options.Strict are decoded as a whole.
func (c *Codec) Get(b []byte, path ...any) (Value, error) {
	if err := c.ready(); err != nil {
		return Value{}, err
	}
	if c.notation == nil && !c.opt.Strict && c.opt.MaxMemory == 0 {
		s := c.types.skipper(c.m)
		if pos, end, n, ok := s.find(b, path); ok {
			if v, ok := c.part(b[pos:end], path[n:]); ok {
				return v, nil
			}
		}
	}
	v, _, err := c.Decode(b)
	if err != nil {
		return Value{}, err
	}
	for i, x := range path {
		next, ok := v.step(x)
		if !ok {
			return Value{}, v.missing(append(Path(nil), path...), i)
		}
		v = next
	}
	return v, nil
}

// part decodes the part of a value at the rest of a path.
func (c *Codec) part(b []byte, rest []any) (Value, bool) {
	if len(rest) == 0 || c.opt.Alias {
		v, _, err := c.Decode(b)
		if err == nil {
			v = v.At(rest...)
		}
		return v, err == nil && !v.raw.IsNone()
	}
	r, _, err := c.m.Decode(b, c.raw) // shares the memory of b
	v := wrap(r).At(rest...)
	if err != nil || v.raw.IsNone() {
		return v, false
	}
	switch v.raw.Kind() {
	case interp.Text:
		return wrap(interp.MakeText(v.raw.Tag(), strings.Clone(v.raw.Text()))), true
	case interp.Lanes:
		if v.raw.Len()*v.raw.Scalar().Width() <= 8 { // in the Value itself
			return v, true
		}
		return wrap(interp.MakeLanes(v.raw.Tag(), v.raw.Scalar(), bytes.Clone(v.raw.Bytes())).WithWide(v.raw.Wide())), true
	case interp.Unit, interp.Bool, interp.Int, interp.Uint, interp.Float:
		return v, true
	}
	if v, _, err = c.Decode(b); err != nil {
		return v, false
	}
	return v.At(rest...), true
}
