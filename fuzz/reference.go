// The law about the meaning of a schema: the interpreter agrees with the reference.

package fuzz

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/interp/reference"
)

// machine is an [interp.Machine], or an implementation that a test plants a mistake in.
type machine interface {
	Decode(b []byte, o interp.Options) (v interp.Value, used int, err error)
	Encode(v interp.Value, o interp.Options) ([]byte, error)
}

// Reference compares a machine with the definition of meaning of its schema.
type Reference struct {
	s     *schema.Schema
	m     machine
	tags  map[*schema.Record]uint16
	print *notation.Notation
	// twins are tags of records that have the same row as another one, by the tag of that. A
	// schema that is imported twice has elements of lists that only their types distinguish.
	twins map[uint16]uint16
}

// NewReference returns a Reference. The machine must run the program that the schema is
// compiled to, for the same choice.
func NewReference(s *schema.Schema, m *interp.Machine) *Reference {
	r := &Reference{s: s, m: m, tags: map[*schema.Record]uint16{}, print: notation.Of(m), twins: map[uint16]uint16{}}
	p := m.Program()
	arms := map[[2]string]uint16{}
	for i := range p.Types {
		arms[[2]string{p.Types[i].Union, p.Types[i].Name}] = m.Tag(i)
	}
	records := map[bytecode.Rule]uint16{}
	for _, routine := range p.Routines {
		if in := p.Code[routine.Start]; in.Op == bytecode.Fields {
			rule, tag := p.Rules[in.Rule], m.Tag(int(in.B))
			if first, ok := records[rule]; ok {
				r.twins[tag] = first
			} else {
				records[rule] = tag
			}
		}
	}
	r.each(func(rec *schema.Record) {
		rule := bytecode.Rule{File: path.Base(rec.Pos.Filename), Line: uint32(rec.Pos.Line), Name: rec.Path}
		tag, ok := records[rule]
		if !ok {
			tag = math.MaxUint16 // nothing reads or writes it
		}
		r.tags[rec] = tag
	})
	for _, u := range s.Unions {
		for _, a := range u.Arms {
			r.tags[a.Record] = arms[[2]string{u.Name, a.Name}]
		}
	}
	return r
}

// each calls f for every record of the schema that is not an arm.
func (r *Reference) each(f func(*schema.Record)) {
	var body func([]schema.Node)
	element := func(l *schema.List, t *schema.Type) {
		if t != nil && t.Record != nil && t.Record.List == l {
			f(t.Record)
			body(t.Record.Body)
		}
	}
	body = func(nodes []schema.Node) {
		schema.Walk(nodes, func(n schema.Node) bool {
			l, is := n.(*schema.List)
			if is {
				element(l, l.Key)
				element(l, l.Elem)
			}
			return !is
		})
	}
	for _, b := range r.s.Bodies() {
		body(b.Nodes)
	}
	for _, rec := range r.s.Records {
		f(rec)
	}
}

func (r *Reference) options(o interp.Options) reference.Options {
	return reference.Options{
		Tags: r.tags, Open: o.Open, MaxDepth: o.MaxDepth, MaxMemory: o.MaxMemory, KeepWidths: o.KeepWidths,
	}
}

// Packet decodes bytes, and encodes the value that they are with and without its widths.
// The error is about the first difference in verdict, kind or offset of the error, value
// or bytes.
func (r *Reference) Packet(b []byte, o interp.Options) error {
	v, ok, err := r.read(b, o)
	if err != nil || !ok {
		return err
	}
	if err := r.either(v, o); err != nil {
		return fmt.Errorf("packet %x: %w", b, err)
	}
	return nil
}

// either encodes a value with and without its widths.
func (r *Reference) either(v interp.Value, o interp.Options) error {
	for _, keep := range []bool{false, true} {
		o.KeepWidths = keep
		if err := r.Value(v, o); err != nil {
			return err
		}
	}
	return nil
}

// Read decodes bytes. The error is about the first difference, as for Packet.
func (r *Reference) Read(b []byte, o interp.Options) error {
	_, _, err := r.read(b, o)
	return err
}

// read decodes bytes and reports whether they are accepted. The error is about a difference.
func (r *Reference) read(b []byte, o interp.Options) (v interp.Value, ok bool, err error) {
	v, used, refused := r.m.Decode(b, o)
	w, n, refused2 := reference.Decode(r.s, b, r.options(o))
	switch {
	case !sameVerdict(refused, refused2):
		err = mismatch(verdict(refused2), verdict(refused), "decoding %x with %+v: %s, by the reference %s", b, o, verdict(refused), verdict(refused2))
	case used != n:
		err = mismatch(fmt.Sprintf("%d bytes are used", n), fmt.Sprintf("%d bytes are used", used), "decoding %x with %+v: used %d, by the reference %d", b, o, used, n)
	case !interp.Identical(r.first(v), w, false):
		err = different(fmt.Sprintf("decoding %x with %+v: -reference +machine", b, o), raw.Wrap(w), raw.Wrap(v))
	}
	return v, refused == nil, err
}

// first returns a value in which tags of twins are those of the first one.
func (r *Reference) first(v interp.Value) interp.Value {
	if len(r.twins) == 0 {
		return v
	}
	if cells := v.Cells(); len(cells) > 0 {
		out := make([]interp.Value, len(cells))
		for i, c := range cells {
			out[i] = r.first(c)
		}
		v = v.WithCells(out)
	}
	if tag, ok := r.twins[v.Tag()]; ok {
		return v.WithTag(tag)
	}
	return v
}

// Value encodes a value. The error is about the first difference, as for Packet.
func (r *Reference) Value(v interp.Value, o interp.Options) error {
	out, err := r.m.Encode(v, o)
	out2, err2 := reference.Encode(r.s, v, r.options(o))
	switch {
	case !sameVerdict(err, err2):
		return mismatch(verdict(err2), verdict(err), "encoding %s with %+v: %s, by the reference %s", r.print.String(v), o, verdict(err), verdict(err2))
	case !bytes.Equal(out, out2):
		return mismatch(out2, out, "encoding %s with %+v: %x, by the reference %x", r.print.String(v), o, out, out2)
	}
	return nil
}

// Agree compares a machine with the meaning of its schema on a packet. It does so
// with all gates closed and all open; see [Reference.Packet].
func Agree(s *schema.Schema, m *interp.Machine, packet []byte) error {
	r := NewReference(s, m)
	for _, open := range []uint8{0, 0xff} {
		if err := r.Packet(packet, interp.Options{Open: open}); err != nil {
			return fmt.Errorf("schema %s: %w", s.ID, err)
		}
	}
	return nil
}

// sameVerdict reports whether two errors are nil, or of the same kind and offset.
func sameVerdict(a, b error) bool {
	var x, y *interp.Error
	if !errors.As(a, &x) || !errors.As(b, &y) {
		return a == nil && b == nil
	}
	return x.Kind == y.Kind && x.Offset == y.Offset
}

func verdict(err error) string {
	if err == nil {
		return "accepted"
	}
	return fmt.Sprintf("refused (%v)", err)
}
