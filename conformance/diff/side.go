// A side of a comparison: a schema, its program, and what reads and writes by it.

package diff

import (
	"bytes"
	"errors"
	"math"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Side is one of the two schemas of a comparison, under one choice of its option.
// It is for one goroutine at a time.
type Side struct {
	Name    string         // as reports call it
	Schema  *schema.Schema // nil for a program whose schema is not known
	Program *bytecode.Program

	codec   *codec.Codec
	machine *interp.Machine
	print   *notation.Notation
	units   *units
	types   map[uint16]*bytecode.Type // by the tag of their values
	same    map[uint16]int            // by tag: the number of its meaning, alike on both sides
	reader  *interp.Reader
	tracer  *interp.Reader
	writer  *interp.Writer
	out     []byte
}

// NewSide compiles a schema for a choice of its option, "" for the first.
func NewSide(name string, s *schema.Schema, choice string) (*Side, error) {
	s, err := s.With(choice)
	if err != nil {
		return nil, err
	}
	p, err := compile.Schema(s)
	if err != nil {
		return nil, err
	}
	return FromProgram(name, p, s)
}

// FromProgram returns the side of a compiled program. The schema explains what
// changed in its own words, and may be nil.
func FromProgram(name string, p *bytecode.Program, s *schema.Schema) (*Side, error) {
	c, err := raw.Codec(p)
	if err != nil {
		return nil, err
	}
	print, err := notation.New(p)
	if err != nil {
		return nil, err
	}
	side := &Side{Name: name, Schema: s, Program: p, codec: c, machine: raw.Machine(c), print: print, types: map[uint16]*bytecode.Type{}}
	for i := range p.Types {
		if tag := side.machine.Tag(i); tag != 0 {
			side.types[tag] = &p.Types[i]
		}
	}
	side.units = findUnits(side)
	side.gates(0)
	return side, nil
}

// gates opens all gates, or closes them.
func (s *Side) gates(open uint8) {
	s.reader = s.machine.NewReader(interp.Options{Open: open})
	s.tracer = s.machine.NewReader(interp.Options{Open: open})
	s.writer = s.machine.NewWriter(interp.Options{Open: open})
}

// known returns the name of a type in all versions of the format. It is the name in the newest
// version, or the first name that the type had in its own schema.
func (s *Side) known(t *bytecode.Type) string {
	name := t.Name
	if k, ok := godot.TypeNamed(name); ok {
		return k.String()
	}
	for at := s.Schema; at != nil; at = at.Base() {
		if u := at.Union(t.Union); u != nil && u.Arm(name) != nil && u.Arm(name).Was != "" {
			name = u.Arm(name).Was
		}
	}
	return name
}

// read reads a packet. The value is valid until the next call.
func (s *Side) read(b []byte) (interp.Value, int, error) { return s.reader.Read(b) }

// write writes a value that the side has read, or returns nil. The bytes are valid
// until the next call.
func (s *Side) write(v interp.Value) []byte {
	out, err := s.writer.Append(s.out[:0], v)
	if err != nil {
		return nil
	}
	s.out = out
	return out
}

// writes reports whether a packet, as it was read, is what a writer produces.
func (s *Side) writes(b []byte, v interp.Value, used int) bool {
	return used == len(b) && bytes.Equal(s.write(v), b)
}

// text prints the value of a packet in Godot's notation. If that does not say it
// all, it prints it as schemas write it in examples.
func (s *Side) text(b []byte, open uint8) string {
	opt := interp.Options{Open: open}
	if v, _, err := s.machine.Decode(b, opt); err == nil {
		if text, err := raw.PlainText(s.codec, v); err == nil {
			if text != "" && !strings.Contains(text, "Raw(") && len(text) <= mostText {
				return text
			}
		}
	}
	v, _, err := s.print.Machine().Decode(b, opt)
	if err != nil {
		return err.Error()
	}
	return s.print.Clipped(v, mostText)
}

// mostText is how much of a value is printed.
const mostText = 400

// reading returns the result of a side's reader for a packet.
func (s *Side) reading(b []byte, open uint8) Reading {
	_, used, err := s.machine.Decode(b, interp.Options{Open: open})
	var e *interp.Error
	if errors.As(err, &e) {
		return Reading{Refused: true, Kind: e.Word(), Offset: e.Offset, Error: e.Error()}
	}
	return Reading{Value: s.text(b, open), Used: used}
}

// namedText prints the value of a packet as schemas write it, with the names of the parts of tuples.
func (s *Side) namedText(b []byte, open uint8) string {
	v, _, err := s.print.Machine().Decode(b, interp.Options{Open: open})
	if err != nil {
		return err.Error()
	}
	return s.print.Named(v, mostText)
}

// sameValue reports whether a value of a and one of b mean the same. Types are compared by
// their meaning, numbers by value, fields and parts of tuples by their names.
func sameValue(a *Side, x interp.Value, b *Side, y interp.Value) bool {
	if a.same[x.Tag()] != b.same[y.Tag()] {
		return false
	}
	if x.Kind() != y.Kind() {
		if x, y = lone(x), lone(y); x.Kind() != y.Kind() {
			whole := func(k interp.Kind) bool { return k == interp.Int || k == interp.Uint }
			return whole(x.Kind()) && whole(y.Kind()) && x.Uint() == y.Uint() && (x.Int() >= 0 || x.Kind() == y.Kind())
		}
	}
	switch x.Kind() {
	case interp.None, interp.Unit:
		return true
	case interp.Bool, interp.Int, interp.Uint:
		return x.Uint() == y.Uint()
	case interp.Float:
		return sameFloat(x.Float(), y.Float())
	case interp.Text:
		return x.Text() == y.Text()
	case interp.Lanes, interp.Packed:
		if x.Len() != y.Len() || x.Width() != y.Width() {
			return false
		}
		return sameLanes(a, x, b, y)
	}
	xs, ys := x.Cells(), y.Cells()
	if x.Kind() == interp.Record {
		return sameFields(a, x, b, y)
	}
	if len(xs) != len(ys) {
		return false
	}
	for i := range xs {
		if !sameValue(a, xs[i], b, ys[i]) {
			return false
		}
	}
	return true
}

// lone returns the one field that a record has, if it has just one.
func lone(v interp.Value) interp.Value {
	if v.Kind() != interp.Record {
		return v
	}
	only := interp.Value{}
	for _, c := range v.Cells() {
		if !c.IsNone() {
			if !only.IsNone() {
				return v
			}
			only = c
		}
	}
	return only
}

func sameFloat(x, y float64) bool {
	return x == y && math.Signbit(x) == math.Signbit(y) || x != x && y != y
}

func sameLanes(a *Side, x interp.Value, b *Side, y interp.Value) bool {
	n := x.Len()
	if x.Kind() == interp.Packed {
		n *= x.Width()
	}
	order := laneOrder(a.types[x.Tag()], b.types[y.Tag()])
	for i := range n {
		k := i
		if order != nil && len(order) == n {
			k = order[i]
		}
		float := x.Scalar().IsFloat()
		if float != y.Scalar().IsFloat() || float && !sameFloat(x.LaneFloat(i), y.LaneFloat(k)) || !float && x.LaneInt(i) != y.LaneInt(k) {
			return false
		}
	}
	return true
}

// laneOrder returns the positions of the parts of a tuple in another one, by their names. It
// returns nil if they are in the same order or have other names.
func laneOrder(x, y *bytecode.Type) []int {
	if x == nil || y == nil || len(x.Lanes) != len(y.Lanes) {
		return nil
	}
	order := make([]int, len(x.Lanes))
	moved := false
	for i, name := range x.Lanes {
		at := -1
		for k, other := range y.Lanes {
			if other == name {
				at = k
			}
		}
		if at < 0 {
			return nil
		}
		order[i] = at
		moved = moved || at != i
	}
	if !moved {
		return nil
	}
	return order
}

// sameFields compares records: fields of the same name, and those that are left in
// their order.
func sameFields(a *Side, x interp.Value, b *Side, y interp.Value) bool {
	xs, ys := fields(a, x), fields(b, y)
	if len(xs) != len(ys) {
		return false
	}
	var restX, restY []field
	for _, f := range xs {
		found := false
		for i, g := range ys {
			if g.name == f.name {
				if !sameValue(a, f.value, b, g.value) {
					return false
				}
				ys = append(ys[:i:i], ys[i+1:]...)
				found = true
				break
			}
		}
		if !found {
			restX = append(restX, f)
		}
	}
	restY = ys
	for i := range restX {
		if !sameValue(a, restX[i].value, b, restY[i].value) {
			return false
		}
	}
	return true
}

type field struct {
	name  string
	value interp.Value
}

func fields(s *Side, v interp.Value) []field {
	t := s.types[v.Tag()]
	var out []field
	for i, c := range v.Cells() {
		if c.IsNone() {
			continue
		}
		f := field{value: c}
		if t != nil && i < len(t.Fields) {
			f.name = t.Fields[i].Name
		}
		out = append(out, f)
	}
	return out
}
