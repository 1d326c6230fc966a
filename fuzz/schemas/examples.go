// Examples of drawn schemas: packets with the values that they represent.

package schemas

import (
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// examples adds examples to the root: values that are drawn, their bytes, and bytes that are
// damaged. The schema is resolved and compiled for that, before it is split.
func (d *drawer) examples() {
	flat := part{id: "drawn", props: append(d.props[:len(d.props):len(d.props)], "root "+d.root), decls: d.decls}
	r := Resolve([]File{flat.file()})
	if r.Err != nil {
		return
	}
	p, err := compile.Schema(r.Schema)
	if err != nil {
		return // which Agree reports
	}
	printer, err := notation.New(p)
	if err != nil {
		return
	}
	m := printer.Machine()
	opt := interp.Options{Open: 0xff}
	g, err := m.NewGenerator(interp.GenerateOptions{Open: opt.Open, MaxBytes: 64})
	if err != nil {
		return
	}
	with := d.gates
	if d.option != nil {
		with = append(with[:len(with):len(with)], d.option.choices[0].name)
	}
	add := func(name string, b []byte) {
		v, used, err := m.Decode(b, opt)
		with := with
		if d.chance(25) {
			if with = append([]string{"strict"}, with...); err == nil {
				err = m.NewReader(opt).Canonical(b, v, used)
			}
		}
		head := ""
		if len(with) > 0 {
			head = " with " + strings.Join(with, ", ")
		}
		var e *interp.Error
		line := "example "
		if d.chance(25) {
			line += fmt.Sprint("sample", d.new(), " ")
		}
		line += fmt.Sprintf("\"%s\"%s ", d.packet(r.Schema, b), head)
		switch {
		case errors.As(err, &e):
			line += "refused " + e.Word()
		case used != len(b):
			return
		default:
			literal := printer.String(v)
			again, err := m.Encode(v, opt)
			if err != nil || len(literal) > 300 {
				return
			}
			line += "is " + literal
			if string(again) != string(b) {
				line += fmt.Sprintf(" again \"%s\"", d.packet(r.Schema, again))
			}
		}
		for _, dc := range d.decls {
			if dc.name == name {
				dc.body = append(dc.body, line)
			}
		}
	}
	engine := corrupt.New(m, opt)
	for range 1 + d.n(3) {
		v, used := g.Generate(d.choices[min(d.at, len(d.choices)):])
		d.at += used
		b, err := m.Encode(v, opt)
		if err != nil || len(b) > 100 {
			continue
		}
		name := d.root
		if t := printer.Type(v); t != nil && r.Schema.Root.Union != nil {
			name = t.Name
		}
		add(name, b)
		if d.has(fFloats) {
			infinite(engine.Boundaries(v, nil), printer, func(v interp.Value) {
				if b, err := m.Encode(v, opt); err == nil && len(b) <= 100 {
					add(name, b)
				}
			})
		}
		skip, more := d.n(8), 3
		for c := range engine.Packets(b) {
			if skip--; skip < 0 {
				add(name, c.Packet)
				if more--; more == 0 {
					break
				}
				skip = d.n(8)
			}
		}
	}
}

// infinite calls f for the first of some values that has a negative infinite number.
func infinite(values iter.Seq[interp.Value], printer *notation.Notation, f func(interp.Value)) {
	tries := 1000
	for v := range values {
		if tries--; tries < 0 {
			return
		}
		if strings.Contains(printer.String(v), "-inf") {
			f(v)
			return
		}
	}
}

// packet returns the bytes of an example. Some begin with the word of an arm, if the schema
// extends no other one, in which the arm may have another name.
func (d *drawer) packet(s *schema.Schema, b []byte) string {
	u := s.Root.Union
	if u == nil || u.Word == nil || d.has(fExtends) || d.chance(40) {
		return hex.EncodeToString(b)
	}
	width := u.Word.Type.Scalar.Width()
	if len(b) < width {
		return hex.EncodeToString(b)
	}
	var word uint64
	for i, x := range b[:width] {
		shift := 8 * i
		if s.Big != u.Word.Type.Swapped && u.Word.Type.Scalar != builtin.Code4 {
			shift = 8 * (width - 1 - i)
		}
		word |= uint64(x) << shift
	}
	a := u.ByID(word >> u.Lo & uint64(schema.Mask(u.N)))
	if a == nil || a.Else || a.Form != nil { // a form gives the number
		return hex.EncodeToString(b)
	}
	text, known := u.Name+"."+a.Name, uint64(0)
	for _, bit := range a.Bits {
		mask := uint64(schema.Mask(bit.N))
		known |= mask << bit.Lo
		text += fmt.Sprintf(" %s=%d", bit.Field.Name, word>>bit.Lo&mask)
	}
	if a.IDs.Varying()<<u.Lo&^known != 0 { // no field says which of several numbers it is
		return hex.EncodeToString(b)
	}
	known |= uint64(schema.Mask(u.N)) << u.Lo
	for i := range 8 * width {
		if word&^known>>i&1 != 0 {
			text += fmt.Sprint(" ", i)
		}
	}
	return fmt.Sprintf("<%s> %x", text, b[width:])
}
