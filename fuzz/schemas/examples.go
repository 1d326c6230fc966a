// Examples of drawn schemas: packets with the values that they represent.

package schemas

import (
	"errors"
	"fmt"
	"strings"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/damage"
	"github.com/octable/octable/conformance/examples"
	"github.com/octable/octable/interp"
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
	printer, err := examples.NewPrinter(p)
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
	if d.axis != nil {
		with = append(with[:len(with):len(with)], d.axis.choices[0].name)
	}
	head := ""
	if len(with) > 0 {
		head = " with " + strings.Join(with, ", ")
	}
	add := func(name string, b []byte) {
		v, used, err := m.Decode(b, opt)
		var e *interp.Error
		line := fmt.Sprintf("example \"%x\"%s ", b, head)
		switch {
		case errors.As(err, &e):
			line += "refused " + e.Word()
			if d.chance(50) {
				line += fmt.Sprint(" at ", e.Offset)
			}
		case used != len(b):
			return
		default:
			literal := printer.String(v)
			again, err := m.Encode(v, opt)
			if err != nil || len(literal) > 300 {
				return
			}
			if t := printer.Type(v); t != nil && t.Union != "" {
				name = t.Name
			}
			line += "is " + literal
			if string(again) != string(b) {
				line += fmt.Sprintf(" again \"%x\"", again)
			}
		}
		for _, dc := range d.decls {
			if dc.name == name {
				dc.body = append(dc.body, line)
			}
		}
	}
	engine := damage.New(m, opt)
	for range 1 + d.n(3) {
		v, used := g.Generate(d.choices[min(d.at, len(d.choices)):])
		d.at += used
		b, err := m.Encode(v, opt)
		if err != nil || len(b) > 100 {
			continue
		}
		name := d.root
		if t := printer.Type(v); t != nil && t.Union != "" {
			name = t.Name
		}
		add(name, b)
		skip, more := d.n(8), 2
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
