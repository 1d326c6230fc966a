// Paths into values: one notation, for reading, changing and error messages.

package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Path is a place in a value: a step for each container on the way.
//
//	string   the field of a record; the key of a Dictionary, a String or StringName
//	int      the element of an Array, [-1] is the last one; an int key of a Dictionary
//	Value    any other key of a Dictionary
//	nil      behind the last element of an Array, for [Value.Set]
//
// It prints as error messages have it, .player.items[0]["a key"], and [Codec.ParsePath] reads that.
type Path []any

// String returns the path in the notation that [Codec.ParsePath] reads; a dot is the value itself.
func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for _, x := range p {
		b.WriteString(stepText(x))
	}
	return b.String()
}

func stepText(x any) string {
	switch x := x.(type) {
	case nil:
		return "[]"
	case string:
		return nameStep(x)
	case Value:
		return keyStep(x)
	}
	return fmt.Sprintf("[%v]", x)
}

// ParsePath reads a path such as player.items[0]["a key"]. The values in brackets are in the notation of
// [Codec.ParseText]. A dot may come before the first name, and a dot alone is the empty path.
func (c *Codec) ParsePath(text string) (Path, error) {
	if err := c.ready(); err != nil {
		return nil, err
	}
	p, rest, err := c.parsePath(text)
	if err == nil && rest != "" {
		err = fmt.Errorf("codec: nothing may follow a path, but here %s", shortQuote(rest))
	}
	return p, err
}

// parsePath reads a path up to a blank or an equals sign.
func (c *Codec) parsePath(text string) (p Path, rest string, err error) {
	p = Path{}
	if rest = text; rest == "" {
		return nil, "", errors.New("codec: the path is empty; the path of the whole value is a dot")
	}
	for rest != "" && rest[0] != ' ' && rest[0] != '=' {
		if rest[0] == '[' {
			n := bracket(rest)
			if n < 0 {
				return nil, "", fmt.Errorf("codec: there is no ] for the [ of %s", shortQuote(rest))
			}
			x, err := c.parseKey(rest[1:n])
			if err != nil {
				return nil, "", fmt.Errorf("codec: in the brackets of path %s: %w", shortQuote(text), err)
			}
			p, rest = append(p, x), rest[n+1:]
			continue
		}
		after, dot := strings.CutPrefix(rest, ".")
		if !dot && len(p) > 0 {
			return nil, "", fmt.Errorf("codec: a dot or [ has to come before %s", shortQuote(rest))
		}
		n := strings.IndexAny(after, ".[ =")
		if n < 0 {
			n = len(after)
		}
		switch {
		case n > 0:
			p = append(p, after[:n])
		case after != "" && after[0] == '.':
			return nil, "", errors.New("codec: there are two dots in a row in the path")
		case len(p) > 0:
			return nil, "", errors.New("codec: a key has to follow the last dot of a path")
		}
		rest = after[n:]
	}
	return p, rest, nil
}

// bracket returns the place of the bracket that closes the first one of a text, or -1.
func bracket(text string) int {
	quoted, depth := false, 0
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '[' || b == '(' || b == '{':
			depth++
		case b == ']' || b == ')' || b == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return none
}

// parseKey reads the content of brackets.
func (c *Codec) parseKey(text string) (any, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	v, err := variant.ParseText(text)
	if err != nil {
		return nil, textError(err)
	}
	key := wrap(v)
	if i, ok := key.AsInt(); ok && i == int64(int(i)) {
		return int(i), nil
	}
	if s, ok := key.AsString(); ok && key.Type() == variant.String {
		return s, nil
	}
	return key, nil
}

// At returns the part of v at a path, with steps as in a [Path]. It is the zero Value if v has no such part. Of equal
// keys the last one counts, as for [Value.Get].
func (v Value) At(path ...any) Value {
	for _, x := range path {
		var ok bool
		if v, ok = v.step(x); !ok {
			return Value{}
		}
	}
	return v
}

// step returns the part of v at one step.
func (v Value) step(x any) (Value, bool) {
	if v.list().Kind() == interp.Map {
		if i := v.pair(x); i >= 0 {
			return Value{raw: v.list().Cells()[i+1], of: v.of}, true
		}
		return Value{}, false
	}
	if name, ok := x.(string); ok {
		f := v.Field(name)
		return f, !f.raw.IsNone()
	}
	if i := v.place(x); i >= 0 {
		return v.Index(i), true
	}
	return Value{}, false
}

// place returns the number of an element, or -1.
func (v Value) place(x any) int {
	i, ok := x.(int)
	n := v.elements()
	if i < 0 {
		i += n
	}
	if !ok || i < 0 || i >= n {
		return none
	}
	return i
}

// elements returns how many elements [Value.Index] finds.
func (v Value) elements() int {
	switch k := v.list().Kind(); k {
	case interp.List, interp.Packed, interp.Lanes:
		return v.list().Len()
	}
	return 0
}

// pair returns the index of the last key in the cells of a map that a step means, or -1.
func (v Value) pair(x any) int {
	cells := v.list().Cells()
	for i := len(cells) - 2; i >= 0; i -= 2 {
		if (Value{raw: cells[i], of: v.of}).isKey(x) {
			return i
		}
	}
	return none
}

// isKey reports whether a step means a key.
func (v Value) isKey(x any) bool {
	switch x := x.(type) {
	case string:
		s, ok := v.AsString()
		return ok && s == x
	case int:
		i, ok := v.AsInt()
		return ok && i == int64(x)
	case Value:
		return Equal(v, x)
	}
	return false
}

// keyOf returns the key that a step makes in a map.
func (v Value) keyOf(x any) Value {
	switch x := x.(type) {
	case string:
		if v.of != nil {
			return Value{raw: interp.MakeText(0, x), of: v.of}
		}
		return wrap(variant.MakeString(x))
	case int:
		if v.of != nil {
			return Value{raw: interp.MakeInt(0, int64(x)), of: v.of}
		}
		return wrap(variant.MakeInt(int64(x)))
	case Value:
		return x
	}
	return Value{}
}

// With returns v with x at one step. The key or field is set or added, or the element replaced. With the step nil an
// Array gets x behind its last element. See [Path] for steps. v does not change.
func (v Value) With(step any, x Value) (Value, error) { return v.Set(Path{step}, x) }

// Set returns v with x at a path. A Dictionary gets the last key of the path if it does not have it; all other
// steps must be there. v does not change. Elements have to be of the type of a typed container; the
// rest is checked when the result is encoded.
func (v Value) Set(path Path, x Value) (Value, error) {
	if v.of == nil {
		x = orNil(x)
	}
	return v.change(path, 0, func(Value) (Value, error) { return x, nil })
}

// Without returns v without the key or element at a path. v does not change.
func (v Value) Without(path ...any) (Value, error) {
	if len(path) == 0 {
		return v, errors.New("codec: Without needs the path of a key or an element")
	}
	last := len(path) - 1
	return v.change(path[:last], 0, func(around Value) (Value, error) {
		l := around.list()
		from, to := none, 0
		switch l.Kind() {
		case interp.Map:
			from = around.pair(path[last])
			to = from + 2
		case interp.List:
			from = around.place(path[last])
			to = from + 1
		}
		if from < 0 {
			return v, around.missing(path, last)
		}
		return around.withCells(slices.Delete(slices.Clone(l.Cells()), from, to)), nil
	})
}

// change returns v with the part behind at steps of the path replaced.
func (v Value) change(path Path, at int, replace func(Value) (Value, error)) (Value, error) {
	if at == len(path) {
		return replace(v)
	}
	l, x := v.list(), path[at]
	var old Value
	i, last := none, at == len(path)-1
	switch {
	case l.Kind() == interp.Map:
		if i = v.pair(x); i >= 0 {
			i++
			old = Value{raw: l.Cells()[i], of: v.of}
		} else if key := v.keyOf(x); last && !key.raw.IsNone() {
			part, err := replace(Value{})
			if err == nil {
				err = v.takes(path, key, part)
			}
			return v.withCells(append(slices.Clone(l.Cells()), key.raw, part.raw)), err
		}
	default:
		if name, ok := x.(string); ok && v.of != nil && l.Kind() != interp.List {
			return v.changeField(path, at, name, replace)
		}
		if i = v.place(x); i >= 0 {
			old = v.Index(i)
		} else if x == nil && last && l.Kind() == interp.List {
			i = l.Len()
		}
	}
	if i < 0 {
		return v, v.missing(path, at)
	}
	part, err := old.change(path, at+1, replace)
	if err != nil {
		return v, err
	}
	if l.Kind() == interp.Packed || l.Kind() == interp.Lanes {
		return v.withNumber(path[:at+1], i, part)
	}
	if err := v.takes(path[:at+1], Value{}, part); err != nil {
		return v, err
	}
	cells := slices.Clone(l.Cells())
	if i == len(cells) {
		cells = append(cells, interp.Value{})
	}
	cells[i] = part.raw
	if v.Type() == variant.PackedStringArray {
		cells[i] = part.raw.WithTag(0)
	}
	return v.withCells(cells), nil
}

// changeField returns a record with a field replaced.
func (v Value) changeField(path Path, at int, name string, replace func(Value) (Value, error)) (Value, error) {
	t := v.of.Type(v.raw)
	if t == nil {
		return v, v.missing(path, at)
	}
	for i := range t.Fields {
		if t.Fields[i].Name != name {
			continue
		}
		alone := notation.Alone(t, v.raw) == i
		if !alone && (v.raw.Kind() != interp.Record || i >= v.raw.Len()) {
			break
		}
		part, err := v.Field(name).change(path, at+1, replace)
		switch {
		case err != nil:
			return v, err
		case alone:
			return Value{raw: part.raw.WithTag(v.raw.Tag()), of: v.of}, nil
		}
		cells := slices.Clone(v.raw.Cells())
		cells[i] = part.raw
		return Value{raw: v.raw.WithCells(cells), of: v.of}, nil
	}
	return v, v.missing(path, at)
}

// withCells returns a container with other elements, and its own type.
func (v Value) withCells(cells []interp.Value) Value {
	l := v.list().WithCells(cells)
	if v.raw.Kind() != interp.Record {
		return Value{raw: l, of: v.of}
	}
	record := slices.Clone(v.raw.Cells())
	n := len(record) - 1
	record[n] = l.WithTag(record[n].Tag())
	return Value{raw: v.raw.WithCells(record), of: v.of}
}

// takes returns an error if a container does not take an element.
func (v Value) takes(path Path, key, x Value) error {
	if x.of != v.of && x.of != nil {
		return fmt.Errorf("codec: %s: a value of another schema: %w", interp.ClipPath(path.String()), ErrMismatch)
	}
	if v.of != nil {
		return nil
	}
	want, keys := variant.ElemType{}, variant.ElemType{}
	switch v.Type() {
	case variant.PackedStringArray:
		want.Type = variant.String
	case variant.ArrayType:
		if v.raw.Kind() == interp.Record {
			want = variant.ElemTypeOf(v.raw.At(0))
		}
	case variant.DictionaryType:
		if v.raw.Kind() == interp.Record && v.raw.Len() > 2 {
			keys, want = variant.ElemTypeOf(v.raw.At(0)), variant.ElemTypeOf(v.raw.At(1))
		}
	}
	switch {
	case !fits(want, x):
		return fmt.Errorf("codec: %s: it is %s, but the elements have to be %v: %w", interp.ClipPath(path.String()), describe(x), want, ErrMismatch)
	case !key.raw.IsNone() && !fits(keys, key):
		return fmt.Errorf("codec: %s: the key is %s, but the keys have to be %v: %w", interp.ClipPath(path.String()), describe(key), keys, ErrMismatch)
	}
	return nil
}

// withNumber returns an array or a math type with another number or element.
func (v Value) withNumber(path Path, i int, x Value) (Value, error) {
	s, width := v.raw.Scalar(), 1
	if v.raw.Kind() == interp.Packed {
		width = v.raw.Width()
	}
	b := slices.Clone(v.raw.Bytes())
	size := s.Width() * width
	ok := false
	switch {
	case width > 1:
		if ok = x.raw.Kind() == interp.Lanes && x.raw.Scalar() == s && len(x.raw.Bytes()) == size; ok {
			copy(b[i*size:], x.raw.Bytes())
		}
	case s.IsFloat():
		f, isFloat := x.AsFloat()
		if n, isInt := x.AsInt(); isInt && !isFloat {
			f, isFloat = exactFloat(n)
		}
		if bits, fits := interp.BitsOf(s, f); fits && isFloat {
			putBits(b[i*size:], size, bits)
			ok = true
		}
	default:
		var n int64
		if n, ok = x.AsInt(); ok {
			putBits(b[i*size:], size, uint64(n))
		}
	}
	out := interp.MakeLanes(v.raw.Tag(), s, b)
	if v.raw.Kind() == interp.Packed {
		out = interp.MakePacked(v.raw.Tag(), s, width, b)
	}
	out = out.WithWide(v.raw.Wide())
	if n, isInt := x.AsInt(); ok && width == 1 && !s.IsFloat() {
		got := Value{raw: out, of: v.of}.number(i)
		ok = isInt && (s == bytecode.U64 && n >= 0 || got.Int() == n && (got.Kind() == interp.Int || n >= 0))
	}
	if !ok {
		return v, fmt.Errorf("codec: %s: %s is no element of %s: %w", interp.ClipPath(path.String()), describe(x), v.Name(), ErrMismatch)
	}
	return Value{raw: out, of: v.of}, nil
}

// putBits stores the lowest bytes of a number.
func putBits(b []byte, size int, bits uint64) {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], bits)
	copy(b[:size], all[:])
}

// missing says why there is nothing at a step of a path in v.
func (v Value) missing(path Path, at int) error {
	place := interp.ClipPath(path[:at+1].String())
	switch x := path[at].(type) {
	case nil, string, int, Value:
	default:
		return fmt.Errorf("codec: a step of a path is a string, an int, a Value or nil, not %T", x)
	}
	_, named := path[at].(string)
	switch n := v.elements(); {
	case v.list().Kind() == interp.Map:
		return fmt.Errorf("codec: %s: there is no such key in %s: %w", place, v.container(), ErrMissingKey)
	case v.of != nil && named && (v.raw.Kind() == interp.Record || v.raw.Kind() == interp.Unit):
		return fmt.Errorf("codec: %s: %s has no such field: %w", place, v.Name(), ErrMissingKey)
	case v.list().Kind() == interp.List || n > 0:
		return fmt.Errorf("codec: %s: %s has %d elements, from [0] on: %w", place, v.container(), n, ErrMissingKey)
	}
	return fmt.Errorf("codec: %s: %s has no keys and no elements: %w", place, v.container(), ErrMissingKey)
}

// container names what a path leads into.
func (v Value) container() string {
	if name := v.Name(); name != "" && v.raw.Tag() != 0 {
		return name
	}
	return "the " + v.raw.Kind().String()
}
