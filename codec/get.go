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
// Get checks only the lengths of the parts of a Variant that it skips, and of elements of a fixed size in other schemas. It skips
// arrays of numbers and vectors, and lists of such elements, in constant time, and only the result takes memory. It decodes the whole
// packet if there is a typed container of Variants on the way, if the result contains other values and is not an element of a list,
// and with Options.Strict, Options.MaxMemory or Options.Transform.
func (c *Codec) Get(b []byte, path ...any) (Value, error) {
	if err := c.ready(); err != nil {
		return Value{}, err
	}
	switch {
	case c.opt.Strict || c.opt.MaxMemory > 0 || c.forms != nil:
	case c.notation != nil:
		if v, ok := c.find(b, path); ok {
			return v, nil
		}
	default:
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

// find returns the value at a path of a packet with names. It is not ok if the packet has to be decoded as a whole.
func (c *Codec) find(b []byte, path []any) (Value, bool) {
	r, _ := c.types.sparse.Get().(*interp.Reader)
	if r == nil || r.Machine() != c.m {
		r = c.m.NewReader(c.raw)
	} else {
		r.SetOptions(c.raw)
	}
	defer c.types.sparse.Put(r)
	defer r.Forget()
	at, _, err := r.ReadSparse(b)
	if err != nil {
		return Value{}, false
	}
	v := Value{raw: at, of: c.notation}
	var list interp.Value // that v is an element of
	index := 0
	for _, x := range path {
		list = interp.Value{}
		if _, isInt := x.(int); isInt && (v.list().Kind() == interp.List || v.list().Kind() == interp.Packed) {
			k := v.list().Kind()
			if index = v.place(x); index < 0 {
				return Value{}, false
			}
			e, skipped, ok := r.Element(b, v.list(), index)
			switch {
			case !ok:
				return Value{}, false
			case skipped && k == interp.List:
				list, v = v.list(), Value{raw: e, of: c.notation}
				continue
			case skipped:
				v, x = Value{raw: e, of: c.notation}, 0
			}
		}
		next, ok := v.step(x)
		if !ok {
			return Value{}, false
		}
		v = next
	}
	if v.raw.Kind() == interp.Packed {
		if _, skipped, _ := r.Element(b, v.raw, 0); skipped {
			return Value{}, false
		}
	}
	if own, ok := c.ownPart(v.raw); ok {
		return Value{raw: own, of: c.notation}, true
	}
	if list.IsNone() {
		return Value{}, false
	}
	e, ok := r.OwnElement(b, list, index, !c.opt.Alias)
	return Value{raw: e, of: c.notation}, ok
}

// ownPart returns a value without parts in separate memory. It is not ok for values with parts.
func (c *Codec) ownPart(v interp.Value) (interp.Value, bool) {
	switch v.Kind() {
	case interp.Text, interp.Lanes, interp.Packed:
		if c.opt.Alias {
			return v, true
		}
	}
	switch v.Kind() {
	case interp.Text:
		return interp.MakeText(v.Tag(), strings.Clone(v.Text())), true
	case interp.Lanes:
		if v.Len()*v.Scalar().Width() <= 8 { // in the Value itself
			return v, true
		}
		return interp.MakeLanes(v.Tag(), v.Scalar(), bytes.Clone(v.Bytes())).WithWide(v.Wide()), true
	case interp.Packed:
		return interp.MakePacked(v.Tag(), v.Scalar(), v.Width(), bytes.Clone(v.Bytes())).WithWide(v.Wide()), true
	case interp.Unit, interp.Bool, interp.Int, interp.Uint, interp.Float:
		return v, true
	}
	return v, false
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
	if own, ok := c.ownPart(v.raw); ok {
		return wrap(own), true
	}
	v, _, err = c.Decode(b)
	return v.At(rest...), err == nil
}
