// Values of the literals in the manual.

package manual

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// value returns the value that a text represents, for the root of the schema. A part of
// another kind than the schema wants is taken unchanged, for a writer to refuse.
func (c *packetCase) value(text string) (v interp.Value, err error) {
	l, err := parseLiteral(text)
	if err != nil {
		return v, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s is no value of the schema: %v", text, r)
		}
	}()
	return c.of(c.s.Root, l, 0), nil
}

// of returns the value of a type.
func (c *packetCase) of(t *schema.Type, l *schema.Literal, tag uint16) interp.Value {
	switch t.Form {
	case schema.Array:
		return interp.MakePacked(tag, t.Scalar, t.Width, lanes(t.Scalar, flat(l.Parts)))
	case schema.ArmID:
		return interp.MakeUnit(c.tag(t.Union, l.Name))
	case schema.OfRecord:
		if t.InPlace {
			return c.field(t.Record.Stored[0], l, tag)
		}
		return c.record(t.Record, l, tag)
	case schema.OfUnion:
		arm := t.Union.Arm(l.Name)
		if arm == nil {
			return plain(l, tag)
		}
		content := l
		if len(l.Parts) == 1 && arm.Tuple == nil && !packed(arm.Record) {
			content = l.Parts[0]
		}
		return c.record(arm.Record, content, c.tag(t.Union, l.Name))
	case schema.Number:
		if l.Kind == schema.Quoted && t.Scalar == builtin.Code4 {
			return interp.MakeUint(tag, uint64(binary.LittleEndian.Uint32([]byte(l.Text))))
		}
		if f, ok := l.Float(); ok && t.Scalar.IsFloat() {
			return interp.MakeFloat(tag, f)
		}
	}
	return plain(l, tag)
}

// packed reports whether the one field of a record is an array of numbers.
func packed(r *schema.Record) bool {
	return len(r.Stored) == 1 && r.Stored[0].Kind == builtin.Packed
}

// tag returns the tag of an arm: the number of its type, from 1.
func (c *packetCase) tag(u *schema.Union, arm string) uint16 {
	for i := range c.print.Machine().Program().Types {
		if t := &c.print.Machine().Program().Types[i]; t.Union == u.Name && t.Name == arm {
			return uint16(i + 1)
		}
	}
	panic("there is no arm " + arm)
}

// record returns the value of a record. Its parts are the fields by name, the numbers of a tuple, or the one
// field that may represent the record.
func (c *packetCase) record(rec *schema.Record, l *schema.Literal, tag uint16) interp.Value {
	switch {
	case rec.Tuple != nil:
		return interp.MakeLanes(tag, rec.Tuple.Type.Scalar, lanes(rec.Tuple.Type.Scalar, l.Parts))
	case len(rec.Stored) == 0:
		return interp.MakeUnit(tag)
	case l.Kind == schema.Pairs && named(rec, l):
		cells := make([]interp.Value, len(rec.Stored))
		for i := 0; i < len(l.Parts); i += 2 {
			f := slices.IndexFunc(rec.Stored, func(f *schema.Field) bool { return f.Name == l.Parts[i].Name })
			cells[f] = c.field(rec.Stored[f], l.Parts[i+1], 0)
		}
		return interp.MakeRecord(tag, cells)
	}
	for _, f := range rec.Stored {
		if !f.Alone {
			continue
		}
		if v := c.field(f, l, tag); v.Kind() == f.Kind || len(rec.Stored) == 1 {
			return v
		}
	}
	return plain(l, tag)
}

// named reports whether all keys of a literal are names of fields.
func named(rec *schema.Record, l *schema.Literal) bool {
	for i := 0; i < len(l.Parts); i += 2 {
		if l.Parts[i].Kind != schema.Named || !slices.ContainsFunc(rec.Stored, func(f *schema.Field) bool { return f.Name == l.Parts[i].Name }) {
			return false
		}
	}
	return len(l.Parts) > 0 || rec.Stored[0].Kind != builtin.Map
}

// field returns the value of a stored field.
func (c *packetCase) field(f *schema.Field, l *schema.Literal, tag uint16) interp.Value {
	switch n := f.Node.(type) {
	case *schema.Row:
		return c.of(n.Type, l, tag)
	case *schema.List:
		return c.list(n, l, tag)
	case *schema.Bit:
		if f.ArmOf != nil {
			return interp.MakeUnit(c.tag(f.ArmOf, l.Name))
		}
	}
	return plain(l, tag)
}

func (c *packetCase) list(n *schema.List, l *schema.Literal, tag uint16) interp.Value {
	switch {
	case l.Kind != schema.Sequence && l.Kind != schema.Pairs && l.Kind != schema.Named:
		return plain(l, tag)
	case n.Elem.Form == schema.Array:
		return interp.MakePacked(tag, n.Elem.Scalar, n.Elem.Width, lanes(n.Elem.Scalar, flat(l.Parts)))
	}
	cells := make([]interp.Value, len(l.Parts))
	for i, part := range l.Parts {
		t := n.Elem
		if n.Map && i%2 == 0 {
			t = n.Key
		}
		cells[i] = c.of(t, part, 0)
	}
	if n.Map {
		return interp.MakeMap(tag, cells)
	}
	return interp.MakeList(tag, cells)
}

// plain returns the value of a literal by itself.
func plain(l *schema.Literal, tag uint16) interp.Value {
	switch l.Kind {
	case schema.Quoted:
		return interp.MakeText(tag, l.Text)
	case schema.Named:
		return interp.MakeBool(tag, l.Name == "true")
	case schema.Numeral:
		if i, err := strconv.ParseInt(l.Whole(), 10, 64); err == nil {
			return interp.MakeInt(tag, i)
		}
		if u, err := strconv.ParseUint(l.Whole(), 10, 64); err == nil {
			return interp.MakeUint(tag, u)
		}
		f, _ := l.Float()
		return interp.MakeFloat(tag, f)
	}
	return interp.MakeList(tag, nil)
}

// flat returns the numbers of tuples.
func flat(ls []*schema.Literal) []*schema.Literal {
	var out []*schema.Literal
	for _, l := range ls {
		if l.Kind == schema.Sequence {
			out = append(out, l.Parts...)
		} else {
			out = append(out, l)
		}
	}
	return out
}

// lanes returns numbers as little-endian bytes.
func lanes(s builtin.Scalar, ls []*schema.Literal) []byte {
	var out []byte
	for _, l := range ls {
		var bits uint64
		switch f, _ := l.Float(); {
		case s.IsFloat():
			bits, _ = interp.BitsOf(s, f)
		case s == builtin.Code4:
			bits = uint64(binary.LittleEndian.Uint32([]byte(l.Text)))
		default:
			i, err := strconv.ParseInt(l.Whole(), 10, 64)
			if bits = uint64(i); err != nil {
				bits, _ = strconv.ParseUint(l.Whole(), 10, 64)
			}
		}
		out = append(out, binary.LittleEndian.AppendUint64(nil, bits)[:s.Width()]...)
	}
	return out
}
