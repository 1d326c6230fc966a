// Transforms: bytes of named rows that represent something else, such as compressed data.

package codec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Transform converts between the bytes of a row in a packet and the bytes in a Value; see [Options].
type Transform struct {
	// Decode returns what bytes of a packet represent. It should limit the size of the result,
	// which may be many times that of the packet.
	Decode func(b []byte) ([]byte, error)
	// Encode returns the bytes of a packet that represent b.
	Encode func(b []byte) ([]byte, error)
	// Joined makes all bytes of the row in one value parts of one stream. The IDAT chunks of a
	// PNG file are such parts. The first part has the result, and the others are empty.
	Joined bool
}

// transforms are those of a codec.
type transforms struct {
	of   *notation.Notation
	rows map[*bytecode.Type][]*row // by field; nil for those that have none
	all  []*row
}

// row is a row with a transform.
type row struct {
	Transform
	name string
}

// newTransforms finds the rows of an option.
func newTransforms(c *Codec, option map[string]Transform) (*transforms, error) {
	if len(option) == 0 {
		return nil, nil
	}
	t := &transforms{of: c.notation, rows: map[*bytecode.Type][]*row{}}
	var names []string
	p := c.m.Program()
	for i := range p.Types {
		typ := &p.Types[i]
		for j, f := range typ.Fields {
			if t.of == nil || !t.of.IsBytes(i, j) {
				continue
			}
			name := typ.Name + "." + f.Name
			names = append(names, name)
			if own, ok := option[name]; ok {
				if t.rows[typ] == nil {
					t.rows[typ] = make([]*row, len(typ.Fields))
				}
				k := slices.IndexFunc(t.all, func(r *row) bool { return r.name == name })
				if k < 0 {
					k = len(t.all)
					t.all = append(t.all, &row{own, name})
				}
				t.rows[typ][j] = t.all[k]
			}
		}
	}
	for name, own := range option {
		switch {
		case own.Decode == nil || own.Encode == nil:
			return nil, fmt.Errorf("codec: option Transform of %s needs both Decode and Encode", name)
		case !slices.Contains(names, name):
			slices.Sort(names)
			return nil, fmt.Errorf("codec: option Transform names %q, which is no row of bytes in schema %s; it has %s", name, c.Schema(), strings.Join(slices.Compact(names), ", "))
		}
	}
	return t, nil
}

// apply returns a value whose rows are converted. Encode chooses the direction.
func (t *transforms) apply(v interp.Value, encode bool) (interp.Value, error) {
	if t == nil {
		return v, nil
	}
	parts := map[*row][][]byte{}
	t.each(v, func(r *row, b []byte) ([]byte, bool) {
		parts[r] = append(parts[r], b)
		return nil, false
	})
	for _, r := range t.all {
		if err := r.convert(parts[r], encode); err != nil {
			verb := "decode"
			if encode {
				verb = "encode"
			}
			return v, fmt.Errorf("codec: the Transform of %s cannot %s: %w", r.name, verb, err)
		}
	}
	return t.each(v, func(r *row, _ []byte) ([]byte, bool) {
		b := parts[r][0]
		parts[r] = parts[r][1:]
		return b, true
	}), nil
}

// convert replaces the bytes of a row.
func (r *row) convert(parts [][]byte, encode bool) (err error) {
	f := r.Decode
	if encode {
		f = r.Encode
	}
	if r.Joined && len(parts) > 0 {
		parts[0], err = f(slices.Concat(parts...))
		clear(parts[1:])
		return err
	}
	for i := range parts {
		if parts[i], err = f(parts[i]); err != nil {
			return fmt.Errorf("number %d of %d: %w", i, len(parts), err)
		}
	}
	return nil
}

// each calls f for the bytes of all rows that have a transform. It returns a value with the bytes that f
// returns in their place, where f reports true.
func (t *transforms) each(v interp.Value, f func(*row, []byte) ([]byte, bool)) interp.Value {
	field := func(typ *bytecode.Type, i int, v interp.Value) interp.Value {
		rows := t.rows[typ]
		if rows == nil || rows[i] == nil || v.Kind() != interp.Packed {
			return t.each(v, f)
		}
		if b, ok := f(rows[i], v.Bytes()); ok {
			return interp.MakePacked(v.Tag(), v.Scalar(), 1, b)
		}
		return v
	}
	typ := t.of.Type(v)
	if v.Kind() == interp.Packed && typ != nil {
		if i := notation.Alone(typ, v); i >= 0 {
			return field(typ, i, v)
		}
	}
	switch v.Kind() {
	case interp.Record, interp.List, interp.Map:
	default:
		return v
	}
	cells := v.Cells()
	copied := false
	for i, c := range cells {
		x := c
		if v.Kind() == interp.Record && typ != nil && i < len(typ.Fields) {
			x = field(typ, i, c)
		} else {
			x = t.each(c, f)
		}
		if x == c {
			continue
		}
		if !copied {
			cells, copied = slices.Clone(cells), true
		}
		cells[i] = x
	}
	if !copied {
		return v
	}
	return v.WithCells(cells)
}
