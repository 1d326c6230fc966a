// Values of the format from what a language shows.

package generated

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/script"
	"github.com/octable/octable/interp"
)

// Read returns the value of the root that is shown. Numbers that the language has in
// one width and the schema in two are of the width that a writer prefers, where that
// holds them. The error says where what is shown is not as the schema and the dialect
// have it.
func (s *Shower) Read(shown any) (v interp.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, is := r.(unreadable)
			if !is {
				panic(r)
			}
			err = e.error
		}
	}()
	v = s.read(s.Model.Root.Shape, shown, 0)
	// A value that is read leniently above has to be shown in the same text.
	again, ok := s.Show(v)
	if !ok {
		return v, errors.New("it has parts that are not of their shape")
	}
	if !reflect.DeepEqual(again, shown) {
		return v, fmt.Errorf("it should be shown as %s", text(again))
	}
	return v, nil
}

type unreadable struct{ error }

func (s *Shower) expect(ok bool, shown any, what string) {
	if !ok {
		panic(unreadable{fmt.Errorf("there should be %s, not %s", what, text(shown))})
	}
}

// tagged returns what is shown as {name: …}.
func tagged(shown any, name string) (any, bool) {
	o, ok := shown.(map[string]any)
	if !ok || len(o) != 1 {
		return nil, false
	}
	x, ok := o[name]
	return x, ok
}

// read reads a value of a shape. The tag is that of the record that it represents, or 0.
func (s *Shower) read(x *model.Shape, shown any, tag uint16) interp.Value {
	if t := script.Around(s.Model, x); t != nil {
		o, _ := tagged(shown, "o")
		members, ok := o.(map[string]any)
		s.expect(ok, shown, "a record "+t.Name)
		return s.read(t.Fields[0].Shape, members[s.Members(t)[0]], tag)
	}
	switch x.Kind {
	case model.Unit:
		return interp.MakeUnit(tag)
	case model.Bool:
		b, ok := shown.(bool)
		s.expect(ok, shown, "true or false")
		return interp.MakeBool(tag, b)
	case model.Number:
		return s.readNumber(x.Scalar(), shown, tag)
	case model.Text:
		return interp.MakeText(tag, s.readText(shown))
	case model.Lanes:
		list, ok := shown.([]any)
		s.expect(ok && len(list) == x.Width, shown, fmt.Sprintf("%d numbers", x.Width))
		return s.lanes(x, list, tag)
	case model.Packed:
		return s.readPacked(x, shown, tag)
	case model.List:
		list, ok := shown.([]any)
		s.expect(ok, shown, "a list")
		cells := make([]interp.Value, len(list))
		for i := range list {
			cells[i] = s.read(x.Elem, list[i], 0)
		}
		return interp.MakeList(tag, cells)
	case model.Map:
		list, ok := shown.([]any)
		s.expect(ok, shown, "a list of pairs")
		cells := make([]interp.Value, 0, 2*len(list))
		for _, e := range list {
			pair, ok := e.([]any)
			s.expect(ok && len(pair) == 2, e, "a pair")
			cells = append(cells, s.read(x.Key, pair[0], 0), s.read(x.Elem, pair[1], 0))
		}
		return interp.MakeMap(tag, cells)
	case model.Union:
		return s.readUnion(x.Routine.Union, shown)
	case model.Record:
		return s.readRecord(x.Type, shown)
	}
	name, _ := tagged(shown, "s") // model.ArmName
	for _, a := range x.Routine.Union.Arms {
		if a.Type.Name == name {
			return interp.MakeUnit(s.tag(a.Type))
		}
	}
	s.expect(false, shown, "the name of a type")
	return interp.Value{}
}

// readUnion reads an arm: one that says which it is, or one that the language has
// separate values for.
func (s *Shower) readUnion(u *model.Switch, shown any) interp.Value {
	if o, ok := tagged(shown, "o"); ok {
		members, _ := o.(map[string]any)
		name, _ := tagged(members["$type"], "s")
		for _, a := range u.Arms {
			if a.Type.Name == name {
				return s.readRecord(a.Type, shown)
			}
		}
		s.expect(false, shown, "one of the types of the union")
	}
	for _, a := range u.Arms {
		if !a.Type.Natural {
			continue
		}
		if len(a.Type.Fields) == 0 {
			if shown == nil {
				return interp.MakeUnit(s.tag(a.Type))
			}
			continue
		}
		x := a.Type.Fields[0].Shape
		var fits bool
		switch x.Kind {
		case model.Bool:
			_, fits = shown.(bool)
		case model.Text:
			_, fits = tagged(shown, "s")
			if _, is := tagged(shown, "p"); is {
				fits = true
			}
		case model.Number:
			kind := "i"
			if x.Scalar().IsFloat() {
				kind = "f"
			}
			_, fits = tagged(shown, kind)
		}
		if fits {
			return s.readRecord(a.Type, shown)
		}
	}
	s.expect(false, shown, "one of the types of the union")
	return interp.Value{}
}

// readRecord reads an arm or record.
func (s *Shower) readRecord(t *model.Type, shown any) interp.Value {
	tag := s.tag(t)
	if t.Natural && len(t.Fields) == 1 {
		return s.read(t.Fields[0].Shape, shown, tag)
	}
	o, _ := tagged(shown, "o")
	members, ok := o.(map[string]any)
	s.expect(ok, shown, "an object")
	if len(t.Fields) == 0 {
		return interp.MakeUnit(tag)
	}
	if f := t.Alone(); f != nil && f.Shape.Kind == model.Lanes && f.Shape.Names != nil {
		var list []any
		for _, name := range s.Members(t) {
			list = append(list, members[name])
		}
		return s.lanes(f.Shape, list, tag)
	}
	names := s.Members(t)
	cells := make([]interp.Value, len(t.Fields))
	present, last := 0, 0
	for i, f := range t.Fields {
		member, ok := members[names[i]]
		if !ok {
			s.expect(f.Optional, shown, "a member "+names[i])
			continue
		}
		cells[i] = s.read(f.Shape, member, 0)
		present, last = present+1, i
	}
	if present == 1 && t.Fields[last].Alone {
		return cells[last].WithTag(tag)
	}
	return interp.MakeRecord(tag, cells)
}

func (s *Shower) readText(shown any) string {
	if x, ok := tagged(shown, "s"); ok {
		if str, ok := x.(string); ok {
			return str
		}
	}
	_, b := s.readArray(shown)
	return string(b)
}

// readArray reads an array that is shown by its bytes.
func (s *Shower) readArray(shown any) (bytecode.Scalar, []byte) {
	x, _ := tagged(shown, "p")
	parts, ok := x.([]any)
	s.expect(ok && len(parts) == 2, shown, "text or an array of numbers")
	name, _ := parts[0].(string)
	digits, ok := parts[1].(string)
	scalar, known := bytecode.ScalarNamed(name)
	b, err := hex.DecodeString(digits)
	s.expect(ok && known && err == nil, shown, "an array of numbers by its bytes")
	return scalar, b
}

// bits returns a number as a scalar holds it. It is not ok if it does not.
func (s *Shower) bits(n bytecode.Scalar, shown any) (u uint64, ok bool) {
	if n == bytecode.Code4 {
		letters := []rune(s.readText(shown))
		s.expect(len(letters) == 4, shown, "four letters")
		for i, r := range letters {
			s.expect(r < 256, shown, "letters of one byte")
			u |= uint64(r) << (8 * i)
		}
		return u, true
	}
	digits, whole := tagged(shown, "i")
	str, _ := digits.(string)
	if whole {
		s.expect(!n.IsFloat(), shown, "a real number")
		if !n.Signed() {
			u, err := strconv.ParseUint(str, 10, 8*n.Width())
			return u, err == nil
		}
		i, err := strconv.ParseInt(str, 10, 8*n.Width())
		return uint64(i), err == nil
	}
	digits, real := tagged(shown, "f")
	str, _ = digits.(string)
	s.expect(real, shown, "a number")
	b, err := strconv.ParseUint(str, 16, 64)
	s.expect(err == nil && len(str) == 16, shown, "a number by its bits")
	f := math.Float64frombits(b)
	switch {
	case n == bytecode.F64:
		return b, true
	case n == bytecode.F16:
		u, ok = interp.BitsOf(n, f)
		return u, ok && (f == f || math.Float64bits(interp.RealOf(n, u)) == b|1<<51)
	case n == bytecode.F32 && f != f:
		u = b>>63<<31 | 0x7f800000 | b>>29&0x7fffff
		return u, widened(uint32(u)) == b
	case n == bytecode.F32:
		g := float32(f)
		return uint64(math.Float32bits(g)), float64(g) == f
	}
	s.expect(f == math.Trunc(f) && math.Abs(f) <= model.MaxExact, shown, "a whole number")
	if !n.Signed() {
		return uint64(f), f >= 0 && uint64(f)>>(8*n.Width()-1)>>1 == 0
	}
	i := int64(f)
	return uint64(i), i>>(8*n.Width()-1) == 0 || i>>(8*n.Width()-1) == -1
}

func (s *Shower) readNumber(n bytecode.Scalar, shown any, tag uint16) interp.Value {
	u, ok := s.bits(n, shown)
	s.expect(ok, shown, "a number of "+n.String())
	switch {
	case n == bytecode.F32:
		return interp.MakeFloat(tag, float64(math.Float32frombits(uint32(u))))
	case n.IsFloat():
		return interp.MakeFloat(tag, interp.RealOf(n, u))
	case n.Signed():
		return interp.MakeInt(tag, int64(u))
	}
	return interp.MakeUint(tag, u)
}

// numbers returns numbers as scalars of the first of those of a shape that holds all.
func (s *Shower) numbers(x *model.Shape, list []any) (bytecode.Scalar, []byte) {
next:
	for _, n := range x.Scalars {
		b := make([]byte, 0, n.Width()*len(list))
		for _, shown := range list {
			u, ok := s.bits(n, shown)
			if !ok {
				continue next
			}
			b = append(b, binary.LittleEndian.AppendUint64(nil, u)[:n.Width()]...)
		}
		return n, b
	}
	s.expect(false, list, "numbers of "+x.Scalar().String())
	return 0, nil
}

// wide reports whether a scalar is the wider of two that a shape has.
func wide(x *model.Shape, n bytecode.Scalar) bool {
	for _, other := range x.Scalars {
		if other.Width() < n.Width() {
			return true
		}
	}
	return false
}

func (s *Shower) lanes(x *model.Shape, list []any, tag uint16) interp.Value {
	n, b := s.numbers(x, list)
	return interp.MakeLanes(tag, n, b).WithWide(wide(x, n))
}

// fromArray returns the numbers of a typed array in a scalar of a shape. If the scalar of the
// array is not one of the shape, it takes the first that holds them.
func fromArray(x *model.Shape, n bytecode.Scalar, b []byte) (bytecode.Scalar, []byte) {
	if slices.Contains(x.Scalars, n) {
		return n, b
	}
	v := interp.MakePacked(0, n, 1, b)
	for _, s := range x.Scalars {
		out := inScalar(v, s)
		if !s.IsFloat() && n.IsFloat() {
			var whole []byte
			for i := range v.Len() {
				whole = append(whole, binary.LittleEndian.AppendUint64(nil, uint64(int64(v.LaneFloat(i))))[:s.Width()]...)
			}
			out = interp.MakePacked(0, s, 1, whole)
		}
		if bytes.Equal(inScalar(out, n).Bytes(), b) {
			return s, out.Bytes()
		}
	}
	return n, b
}

// readPacked reads an array: by its bytes, as a list of numbers, or of lists of them.
func (s *Shower) readPacked(x *model.Shape, shown any, tag uint16) interp.Value {
	list, ok := shown.([]any)
	if !ok {
		n, b := s.readArray(shown)
		if x.Scalar() == bytecode.Code4 {
			n = bytecode.Code4
		}
		n, b = fromArray(x, n, b)
		s.expect(len(b)%(x.Width*n.Width()) == 0, shown, fmt.Sprintf("tuples of %d numbers", x.Width))
		return interp.MakePacked(tag, n, x.Width, b).WithWide(wide(x, n))
	}
	if x.Width > 1 {
		var flat []any
		for _, e := range list {
			tuple, ok := e.([]any)
			s.expect(ok && len(tuple) == x.Width, e, fmt.Sprintf("%d numbers", x.Width))
			flat = append(flat, tuple...)
		}
		list = flat
	}
	n, b := s.numbers(x, list)
	return interp.MakePacked(tag, n, x.Width, b).WithWide(wide(x, n))
}
