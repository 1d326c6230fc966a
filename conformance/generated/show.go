// Values as they are in a language.

package generated

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/script"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// Dialect is the form of values in a language.
type Dialect struct {
	Members func(t *model.Type) []string // of an object
	Gates   func(*model.Model) []string  // the options that open gates
	Record  func(t *model.Type) string   // class of an object; "" if the language has no classes
	Small   func(i int64) any            // a whole number of up to 32 bits
	Packed  func(v interp.Value) any     // an array of numbers
	NaN     func(bits uint64) uint64     // the bits of a NaN that the language keeps
}

// Whole shows a whole number.
func Whole(i int64) any { return map[string]any{"i": strconv.FormatInt(i, 10)} }

// Real shows a number by its bits.
func Real(f float64) any {
	return map[string]any{"f": fmt.Sprintf("%016x", math.Float64bits(f))}
}

// real shows a number as the language has it.
func (s *Shower) real(f float64) any {
	if f != f {
		f = math.Float64frombits(s.NaN(math.Float64bits(f)))
	}
	return Real(f)
}

// Array shows an array by its bytes.
func Array(scalar string, b []byte) any {
	return map[string]any{"p": []any{scalar, hex.EncodeToString(b)}}
}

// Text shows a text: one that is no Unicode as bytes.
func Text(s string) any {
	if !utf8.ValidString(s) {
		return Array("u8", []byte(s))
	}
	return map[string]any{"s": s}
}

// Broken shows malformed text as strings of UTF-16 can hold it. Each byte that belongs to no character is half of a
// surrogate pair.
func Broken(s string) any {
	var units []uint16
	for i, r := range s {
		if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
			units = append(units, 0xdc00+uint16(s[i]))
		} else {
			units = utf16.AppendRune(units, r)
		}
	}
	var out strings.Builder
	for _, u := range units {
		fmt.Fprintf(&out, "%04x", u)
	}
	return map[string]any{"u": out.String()}
}

// Shower shows values of a schema, and reads what is shown.
type Shower struct {
	Dialect
	Model *model.Model
	codec *codec.Codec
	arms  map[uint16]*model.Arm // by the tag of their values
	bare  map[uint16]bool       // tags of values that have no type in generated code
	loose bool                  // it also shows what is no value of the schema
}

// NewShower returns a Shower for values of a codec, whose schema the model is of.
func NewShower(c *codec.Codec, m *model.Model, d Dialect) *Shower {
	s := &Shower{Dialect: d, Model: m, codec: c, arms: map[uint16]*model.Arm{}, bare: map[uint16]bool{0: true}}
	for _, t := range m.Types {
		if t.Tag == 0 {
			s.bare[s.tag(t)] = true
		}
	}
	for _, r := range m.Routines {
		if r.Union == nil {
			continue
		}
		for _, a := range r.Union.Arms {
			s.arms[s.tag(a.Type)] = a
		}
	}
	return s
}

// tag returns the tag of values of a type.
func (s *Shower) tag(t *model.Type) uint16 { return raw.Machine(s.codec).Tag(t.Index) }

// Show shows a value of the root. It is not ok if the language has no such value,
// since parts of it are not of the shape that they are declared with.
func (s *Shower) Show(v interp.Value) (shown any, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(unshowable); !is {
				panic(r)
			}
			shown, ok = nil, false
		}
	}()
	return s.shape(s.Model.Root.Shape, v), true
}

type unshowable struct{}

func (s *Shower) want(ok bool) {
	if !ok {
		panic(unshowable{})
	}
}

// shape shows a value of a shape. If it is of another shape and the shower is loose, it is shown
// unchanged.
func (s *Shower) shape(x *model.Shape, v interp.Value) (shown any) {
	if s.loose {
		defer func() {
			if r := recover(); r != nil {
				if _, is := r.(unshowable); !is {
					panic(r)
				}
				shown = s.foreign(v)
			}
		}()
	}
	if t := script.Around(s.Model, x); t != nil {
		return s.wrapped(t, s.shape(t.Fields[0].Shape, v))
	}
	switch x.Kind {
	case model.Bool:
		s.want(v.Kind() == interp.Bool)
		return v.Bool()
	case model.Number:
		return s.number(x, v, false)
	case model.Text:
		s.want(v.Kind() == interp.Text)
		if c := s.Model.Encodings[x.Encoding].Charset; c != builtin.UTF8Loose && c != builtin.UTF8Unchecked && !utf8.ValidString(v.Text()) {
			s.want(s.loose)
			return Broken(v.Text())
		}
		return Text(v.Text())
	case model.Lanes:
		s.want(v.Kind() == interp.Lanes && v.Width() == x.Width && s.sameSort(v, x))
		out := []any{}
		for i := range x.Width {
			out = append(out, s.lane(v, i))
		}
		return out
	case model.Packed:
		s.want(v.Kind() == interp.Packed && v.Width() == x.Width && s.sameSort(v, x))
		if !slices.Contains(x.Scalars, v.Scalar()) {
			v = inScalar(v, x.Scalar())
		}
		return s.Packed(v)
	case model.List:
		s.want(v.Kind() == interp.List)
		out := []any{}
		for _, c := range v.Cells() {
			out = append(out, s.shape(x.Elem, c))
		}
		return out
	case model.Map:
		s.want(v.Kind() == interp.Map)
		out := []any{}
		c := v.Cells()
		for i := 0; i+1 < len(c); i += 2 {
			out = append(out, []any{s.shape(x.Key, c[i]), s.shape(x.Elem, c[i+1])})
		}
		return out
	case model.Union:
		arm := s.arms[v.Tag()]
		s.want(arm != nil && armOf(x.Routine, arm) && v.Kind() != interp.None)
		return s.record(arm.Type, v, true)
	case model.Record:
		return s.record(x.Type, v, false)
	case model.ArmName:
		arm := s.arms[v.Tag()]
		s.want(v.Kind() == interp.Unit && (s.loose || arm != nil && armOf(x.Routine, arm)))
		return map[string]any{"s": s.typeName(v)}
	}
	panic(unshowable{})
}

// wrapped shows a record of which the only field is shown.
func (s *Shower) wrapped(t *model.Type, shown any) any {
	out := map[string]any{s.Members(t)[0]: shown}
	if s.Record(t) != "" {
		out["$record"] = map[string]any{"s": s.Record(t)}
	}
	return map[string]any{"o": out}
}

func armOf(r *model.Routine, arm *model.Arm) bool {
	for _, a := range r.Union.Arms {
		if a == arm {
			return true
		}
	}
	return false
}

// sameSort reports whether numbers are of one of the scalars of a shape. Writers take
// reals of any precision.
func (s *Shower) sameSort(v interp.Value, x *model.Shape) bool {
	return slices.Contains(x.Scalars, v.Scalar()) || s.loose && v.Scalar().IsFloat() && x.Scalar().IsFloat()
}

// inScalar returns an array with its numbers in another scalar.
func inScalar(v interp.Value, n bytecode.Scalar) interp.Value {
	var b []byte
	for i := range v.Len() * v.Width() {
		bits := uint64(v.LaneInt(i))
		if n.IsFloat() {
			bits, _ = interp.BitsOf(n, v.LaneFloat(i))
		}
		b = append(b, binary.LittleEndian.AppendUint64(nil, bits)[:n.Width()]...)
	}
	return interp.MakePacked(v.Tag(), n, v.Width(), b)
}

func (s *Shower) number(x *model.Shape, v interp.Value, natural bool) any {
	n := x.Scalar()
	switch {
	case n.IsFloat():
		s.want(v.Kind() == interp.Float)
		return s.real(v.Float())
	case n == bytecode.Code4:
		s.want(v.Kind() == interp.Uint && (v.Uint() < 1<<32 || s.loose))
		var letters []rune
		for u := v.Uint(); u != 0 || len(letters) < 4; u >>= 8 {
			letters = append(letters, rune(u&0xff))
		}
		return Text(string(letters))
	}
	unsigned := v.Kind() == interp.Uint
	form := func(n bytecode.Scalar) bool { return unsigned != n.Signed() }
	s.want((unsigned || v.Kind() == interp.Int) && (slices.ContainsFunc(x.Scalars, form) || s.loose))
	if natural || n.Width() > 6 {
		if unsigned {
			return map[string]any{"i": strconv.FormatUint(v.Uint(), 10)}
		}
		return Whole(v.Int())
	}
	if unsigned && v.Uint() > math.MaxInt64 { // as much too large as this is
		s.want(s.loose)
		return s.Small(math.MaxInt64)
	}
	i := v.Int()
	s.want(s.loose || i >= -model.MaxExact && i <= model.MaxExact) // others a language may round
	return s.Small(i)
}

func (s *Shower) lane(v interp.Value, i int) any {
	switch n := v.Scalar(); {
	case n.IsFloat():
		return s.real(v.LaneFloat(i))
	case n == bytecode.U64:
		return map[string]any{"i": strconv.FormatUint(v.LaneBits(i), 10)}
	case n == bytecode.U56:
		return Whole(int64(v.LaneBits(i)))
	case n == bytecode.I64, n == bytecode.I56:
		return Whole(v.LaneInt(i))
	case n.Signed():
		return s.Small(v.LaneInt(i))
	}
	return s.Small(int64(v.LaneBits(i)))
}

// record shows an arm or record.
func (s *Shower) record(t *model.Type, v interp.Value, arm bool) any {
	s.want(v.Tag() == s.tag(t) || s.loose && !arm) // writers do not look at tags of records
	if len(t.Fields) == 0 {
		s.want(v.Kind() == interp.Unit || s.loose) // writers do not look what is in it
		if t.Natural {
			return nil
		}
	}
	out := map[string]any{}
	if arm {
		out["$type"] = map[string]any{"s": t.Name}
	}
	if s.Record(t) != "" {
		out["$record"] = map[string]any{"s": s.Record(t)}
	}
	cells := s.cells(t, v)
	if t.Natural {
		if x := t.Fields[0].Shape; x.Kind == model.Number {
			return s.number(x, cells[0], true)
		}
		return s.shape(t.Fields[0].Shape, cells[0])
	}
	if f := t.Alone(); f != nil && f.Shape.Kind == model.Lanes && f.Shape.Names != nil {
		c := cells[0]
		s.want(c.Kind() == interp.Lanes && c.Width() == f.Shape.Width && s.sameSort(c, f.Shape))
		for i, name := range s.Members(t) {
			out[name] = s.lane(c, i)
		}
		return map[string]any{"o": out}
	}
	names := s.Members(t)
	for i, f := range t.Fields {
		if cells[i].Kind() == interp.None {
			s.want(f.Optional || s.loose)
			continue
		}
		out[names[i]] = s.shape(f.Shape, cells[i])
	}
	return map[string]any{"o": out}
}

// cells returns the fields of a value of a type.
func (s *Shower) cells(t *model.Type, v interp.Value) []interp.Value {
	n := len(t.Fields)
	cells := make([]interp.Value, n)
	switch {
	case n == 0:
	case n == 1 && t.Fields[0].Alone && t.Fields[0].Kind == interp.None && !v.IsNone():
		cells[0] = v
	case v.Kind() == interp.Record && v.Len() == n && !(n == 1 && t.Fields[0].Alone && !v.Cells()[0].IsNone()):
		copy(cells, v.Cells())
	case v.Kind() == interp.None || v.Kind() == interp.Record && n > 1:
		panic(unshowable{})
	case v.Kind() == interp.Unit && n > 1:
	default:
		for i, f := range t.Fields {
			if f.Alone && (f.Kind == v.Kind() || n == 1) {
				cells[i] = v.WithTag(0)
				if n == 1 {
					cells[i] = v
				}
				return cells
			}
		}
		panic(unshowable{})
	}
	return cells
}

// foreign shows a value that is not of its declared shape. It shows the content in an object with the type.
func (s *Shower) foreign(v interp.Value) any {
	var inside any
	switch v.Kind() {
	case interp.None:
		return map[string]any{"o": map[string]any{}} // which is of no type
	case interp.Unit:
	case interp.Bool:
		inside = v.Bool()
	case interp.Int:
		inside = Whole(v.Int())
	case interp.Uint:
		inside = map[string]any{"i": strconv.FormatUint(v.Uint(), 10)}
	case interp.Float:
		inside = s.real(v.Float())
	case interp.Text:
		inside = Text(v.Text())
	case interp.Packed:
		inside = s.Packed(v)
	case interp.Lanes:
		list := []any{}
		for i := range v.Width() {
			list = append(list, s.lane(v, i))
		}
		inside = list
	case interp.Map:
		list, cells := []any{}, v.Cells()
		for i := 0; i+1 < len(cells); i += 2 {
			list = append(list, []any{s.part(cells[i]), s.part(cells[i+1])})
		}
		inside = list
	default:
		list := []any{}
		for _, c := range v.Cells() {
			list = append(list, s.part(c))
		}
		inside = list
	}
	if s.bare[v.Tag()] {
		return inside
	}
	return map[string]any{"o": map[string]any{"$type": map[string]any{"s": s.typeName(v)}, "value": inside}}
}

// typeName returns the name that the schema has for a value's type, or any.
func (s *Shower) typeName(v interp.Value) string {
	if name := s.codec.TypeName(codec.Type(v.Tag())); name != "" {
		return name
	}
	return codec.Type(v.Tag()).String()
}

// part shows a part of such a value: as one of the root, if it is that.
func (s *Shower) part(v interp.Value) any {
	if a := s.arms[v.Tag()]; a != nil && s.Model.Root.Union != nil && armOf(s.Model.Root, a) {
		return s.shape(s.Model.Root.Shape, v)
	}
	return s.foreign(v)
}
