// JSON that loses nothing.
//
// [AppendJSON] writes it, [ParseJSON] reads it, and ParseJSON(AppendJSON(v)) is v,
// for every value, in the sense of [Equal]. What is described here is all that a
// reader in another language needs.
//
// # Plain JSON
//
//	null           Nil
//	true  false    bool
//	"text"         String
//	5  1.5         int or float, by value: a number that is whole is an int, whether it
//	               is written 5, 5.0 or 5e0, and any other is a float
//	[1, "a"]       Array without a type
//	{"a": 1}       Dictionary without types whose keys are Strings, in this order
//
// These pass through JavaScript, jq and any tool that reads numbers as double
// precision without loss, for a writer uses them only where they do:
//
//   - a whole number beyond ±9007199254740991 (2^53-1) is not plain, and a reader
//     refuses it;
//   - a float that is whole, infinite, NaN or -0.0 is not plain;
//   - a Dictionary is not plain where a key is repeated, where a key begins with $,
//     or where a key is made of the digits 0 to 9 alone, since JavaScript moves
//     those to the front. A reader refuses the first two and takes the third.
//
// # Typed objects
//
// Everything else is an object with the key "$type", whose value is the type's
// name in Godot 4. The order of its keys does not matter; other keys than those
// given here, and repeated ones, are refused.
//
//	{"$type": "int", "value": "9223372036854775807"}
//	{"$type": "float", "value": 2}
//	{"$type": "String", "value": {"$bytes": "/w=="}}
//	{"$type": "StringName", "value": "text"}
//	{"$type": "Vector2", "value": [1, 2.5]}
//	{"$type": "PackedInt32Array", "value": [1, 2]}
//	{"$type": "PackedByteArray", "value": "AQID"}
//	{"$type": "PackedVector2Array", "value": [[1, 2], [3, 4]]}
//	{"$type": "PackedStringArray", "value": ["a", "b"]}
//	{"$type": "NodePath", "value": "/root/a:b"}
//	{"$type": "NodePath", "absolute": true, "names": ["a/b"], "subnames": []}
//	{"$type": "RID", "value": 5}
//	{"$type": "Callable"}
//	{"$type": "Signal", "name": "hit", "object": 5}
//	{"$type": "Object", "id": 5}
//	{"$type": "Object", "class": "Node", "properties": [["name", value], …]}
//	{"$type": "Object"}                                       a null object
//	{"$type": "Array", "of": type, "value": [value, …]}
//	{"$type": "Dictionary", "value": [[key, value], …]}
//	{"$type": "Dictionary", "of": [type, type], "value": [[key, value], …]}
//
// An integer, here and below, is a JSON number up to ±9007199254740991, or a
// string with its decimal digits; a writer uses the string only beyond. RIDs and
// ids count from 0 to 2^64-1.
//
// A real, which is a float or a number of a math type or packed array, is a JSON
// number, or one of the strings "inf", "-inf", "-0" and "nan", which is the NaN
// 7ff8000000000000, or 7fc00000 in single precision. Any other NaN is "nan:" and
// its bits in 16 hexadecimal digits, 8 in single precision. A JSON number is read
// as the nearest double, and that as the nearest number of single precision
// where the type holds such; one that is beyond either is refused.
//
// A text is a JSON string. One that is no UTF-8 is {"$bytes": base64}, with
// padding, wherever a text can stand.
//
// Math types have their numbers in the order of the wire. Packed arrays whose
// elements are several numbers have a list for each element. A PackedByteArray is
// base64 with padding; a reader also takes a list of its numbers.
//
// The path of a NodePath is given by its text where that tells it: names are
// what is between slashes and not empty, from the first colon on subnames are
// what is between colons, and a slash at the beginning makes it absolute.
//
// The type of elements of a typed container is the name of a type as in "$type",
// or {"class": text}, or {"script": text}, or for one side of a Dictionary null.
//
// "wide": true in any typed object says that the value is to be written in the
// wide form where the narrow would do; the numbers of math types and of packed
// arrays of vectors are double precision then. An int or a float that would be
// plain is written as a typed object for that.
//
// # The explicit style
//
// [AppendJSONStyle] can write every value as a typed object, plain or not, and every
// number as a string, so that a reader needs no rules but those of typed objects
// and no numbers of JSON. It is a subset of what is described above:
//
//	{"$type": "Nil"}
//	{"$type": "bool", "value": true}
//	{"$type": "int", "value": "5"}
//	{"$type": "float", "value": "1.5"}
//	{"$type": "String", "value": "text"}
//	{"$type": "NodePath", "absolute": true, "names": ["a"], "subnames": []}
//	{"$type": "Vector2", "value": ["1", "2.5"]}
//	{"$type": "Array", "value": [value, …]}
//	{"$type": "Dictionary", "value": [[key, value], …]}
//
// and so on, except that "wide" is true and "width" is a number. NodePaths are
// always given by their parts.
//
// A real can be a string with a number as JSON writes them, of which "-0" is
// negative. It can also be "bits:" and its bits in 16 hexadecimal digits, 8 in single
// precision: "bits:3ff8000000000000", "bits:3fc00000". Either style writes all reals
// so where it is told to, for readers that cannot read decimals to the last bit.
//
// # Values of unknown layout
//
// "kind" says that a value is given by its parts: the Image and InputEvent of
// Godot 2, the TypedArray and PackedTypedArray of Pandemonium, types of a schema
// of one's own, of which "$type" is the number. Such an object can stand for a
// value and for the type of elements.
//
//	{"$type": "InputEvent", "kind": "record", "value": [value, …]}
//	{"$type": 300, "kind": "none"}        also "unit", without a value
//	{"$type": 300, "kind": "bool", "value": true}
//	{"$type": 300, "kind": "int", "value": -5}       also "uint"; an integer
//	{"$type": 300, "kind": "float", "value": 1.5}    a real
//	{"$type": 300, "kind": "text", "value": "a"}     a text
//	{"$type": 300, "kind": "lanes", "scalar": "f32", "value": [1, 2]}
//	{"$type": 300, "kind": "packed", "scalar": "i32", "width": 2, "value": [[1, 2], [3, 4]]}
//	{"$type": 300, "kind": "list", "value": [value, …]}
//	{"$type": 300, "kind": "map", "value": [[key, value], …]}
//
// The scalars are u8, i8, u16, i16, u24, i24, u32, i32, u40, i40, u48, i48, u64, i64,
// f16, f32, f64 and code4. The
// parts of a record that have no type of their own have the "$type" "invalid".

package codec

import (
	"errors"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// maxPlainInt is the largest integer that JavaScript holds with its neighbors.
const maxPlainInt = 1<<53 - 1

var errJSONDepth = errors.New("a value nested more than " + itoa(maxTextDepth) +
	" levels deep cannot be written as JSON; write its parts one by one")

// JSONStyle says which of the forms that json.go describes are written. [ParseJSON]
// reads them all. The zero value is plain JSON wherever that loses nothing.
type JSONStyle struct {
	// Explicit writes every value as a typed object, and numbers as strings.
	Explicit bool
	// Bits writes reals as strings with their bits.
	Bits bool
}

// AppendJSON appends v to dst as JSON, in the form that json.go describes. The
// only error is a value nested over 10000 levels deep, in terms of JSON.
func AppendJSON(dst []byte, v Value) ([]byte, error) { return AppendJSONStyle(dst, v, JSONStyle{}) }

// AppendJSONStyle is [AppendJSON] in a style.
func AppendJSONStyle(dst []byte, v Value, style JSONStyle) ([]byte, error) {
	w := jsonWriter{dst: dst, style: style}
	w.value(v.raw)
	if w.deep {
		return dst, errJSONDepth
	}
	return w.dst, nil
}

// MarshalJSON is [Codec.AppendJSON] for encoding/json.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.of != nil {
		return v.of.AppendJSON(nil, v.raw)
	}
	return AppendJSON(nil, v)
}

// UnmarshalJSON is [ParseJSON] for encoding/json.
func (v *Value) UnmarshalJSON(b []byte) error {
	parsed, err := ParseJSON(b)
	if err == nil {
		*v = parsed
	}
	return err
}

type jsonWriter struct {
	dst   []byte
	style JSONStyle
	depth int
	deep  bool
}

func (w *jsonWriter) str(s string) { w.dst = append(w.dst, s...) }

// begin writes an opening bracket. It returns false when that is one too many.
func (w *jsonWriter) begin(bracket string) bool {
	if w.depth >= maxTextDepth {
		w.deep = true
	}
	w.depth++
	w.str(bracket)
	return !w.deep
}

func (w *jsonWriter) end(bracket string) {
	w.depth--
	w.str(bracket)
}

// open begins a typed object.
func (w *jsonWriter) open(v interp.Value) {
	w.begin(`{"$type":`)
	if t := Type(v.Tag()); t < numTypes {
		w.quote(typeNames[t])
	} else {
		w.dst = strconv.AppendUint(w.dst, uint64(t), 10)
	}
	if markedWide(v) {
		w.str(`,"wide":true`)
	}
}

func (w *jsonWriter) value(v interp.Value) {
	if w.deep {
		return
	}
	if !w.style.Explicit && !markedWide(v) && w.plain(v) {
		return
	}
	w.open(v)
	switch shapeOf(v) {
	case shapeNil, shapeNullObject, shapeCallable:
	case shapeBool:
		w.str(`,"value":`)
		w.dst = strconv.AppendBool(w.dst, v.Bool())
	case shapeInt:
		w.str(`,"value":`)
		w.int(v.Int())
	case shapeRID:
		w.str(`,"value":`)
		w.uint(v.Uint())
	case shapeFloat:
		w.str(`,"value":`)
		w.real(math.Float64bits(v.Float()), 64)
	case shapeText:
		w.str(`,"value":`)
		w.text(v.Text())
	case shapeNodePath:
		if path, ok := nodePathText(v); ok && !w.style.Explicit {
			w.str(`,"value":`)
			w.text(path)
			break
		}
		w.str(`,"absolute":`)
		w.dst = strconv.AppendBool(w.dst, v.At(0).Bool())
		w.str(`,"names":`)
		w.texts(v.At(1))
		w.str(`,"subnames":`)
		w.texts(v.At(2))
	case shapeObjectID:
		w.str(`,"id":`)
		w.uint(v.Uint())
	case shapeObject:
		w.str(`,"class":`)
		w.text(v.At(1).Text())
		w.str(`,"properties":`)
		w.begin("[")
		for i, p := range v.At(2).Cells() {
			w.comma(i)
			w.begin("[")
			w.text(p.At(0).Text())
			w.str(",")
			w.value(p.At(1))
			w.end("]")
		}
		w.end("]")
	case shapeSignal:
		w.str(`,"name":`)
		w.text(v.At(0).Text())
		w.str(`,"object":`)
		w.uint(v.At(1).Uint())
	case shapeArray:
		w.str(`,"value":`)
		w.list(v)
	case shapeTypedArray:
		w.str(`,"of":`)
		w.elem(v.At(0))
		w.str(`,"value":`)
		w.list(v.At(1))
	case shapeDictionary:
		w.str(`,"value":`)
		w.pairs(v)
	case shapeTypedDictionary:
		w.str(`,"of":`)
		w.begin("[")
		w.elem(v.At(0))
		w.str(",")
		w.elem(v.At(1))
		w.end("]")
		w.str(`,"value":`)
		w.pairs(v.At(2))
	case shapeStrings:
		w.str(`,"value":`)
		w.texts(v)
	case shapeLanes, shapePacked:
		w.str(`,"value":`)
		w.numbers(v)
	default:
		w.rawValue(v)
	}
	w.end("}")
}

// plain writes v where plain JSON says it. It returns false where not.
func (w *jsonWriter) plain(v interp.Value) bool {
	switch shapeOf(v) {
	case shapeNil:
		w.str("null")
	case shapeBool:
		w.dst = strconv.AppendBool(w.dst, v.Bool())
	case shapeInt:
		i := v.Int()
		if i < -maxPlainInt || i > maxPlainInt {
			return false
		}
		w.dst = strconv.AppendInt(w.dst, i, 10)
	case shapeFloat:
		f := v.Float()
		if f != f || f == math.Trunc(f) || w.style.Bits {
			return false
		}
		w.real(math.Float64bits(f), 64)
	case shapeText:
		if Type(v.Tag()) != String || !utf8.ValidString(v.Text()) {
			return false
		}
		w.quote(v.Text())
	case shapeArray:
		w.list(v)
	case shapeDictionary:
		if !plainKeys(v) {
			return false
		}
		w.begin("{")
		cells := v.Cells()
		for i := 0; i+1 < len(cells); i += 2 {
			w.comma(i)
			w.quote(cells[i].Text())
			w.str(":")
			w.value(cells[i+1])
		}
		w.end("}")
	default:
		return false
	}
	return true
}

// plainKeys reports whether the keys of a Map can be those of a JSON object.
func plainKeys(v interp.Value) bool {
	cells := v.Cells()
	var seen map[string]bool
	if len(cells) > 2 {
		seen = make(map[string]bool, len(cells)/2)
	}
	for i := 0; i < len(cells); i += 2 {
		k := cells[i]
		text := k.Text()
		if Type(k.Tag()) != String || k.Kind() != interp.Text || markedWide(k) || !utf8.ValidString(text) ||
			text != "" && text[0] == '$' || isDigits(text) || seen[text] {
			return false
		}
		if seen != nil {
			seen[text] = true
		}
	}
	return true
}

func isDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

func (w *jsonWriter) comma(i int) {
	if i > 0 {
		w.str(",")
	}
}

func (w *jsonWriter) list(v interp.Value) {
	w.begin("[")
	for i, c := range v.Cells() {
		w.comma(i)
		if v.Kind() == interp.Record && isReference(c) {
			w.open(c)
			w.rawValue(c)
			w.end("}")
			continue
		}
		w.value(c)
	}
	w.end("]")
}

func (w *jsonWriter) pairs(v interp.Value) {
	w.begin("[")
	cells := v.Cells()
	for i := 0; i+1 < len(cells); i += 2 {
		w.comma(i)
		w.begin("[")
		w.value(cells[i])
		w.str(",")
		w.value(cells[i+1])
		w.end("]")
	}
	w.end("]")
}

func (w *jsonWriter) texts(v interp.Value) {
	w.begin("[")
	for i, c := range v.Cells() {
		w.comma(i)
		w.text(c.Text())
	}
	w.end("]")
}

// elem writes the type of elements.
func (w *jsonWriter) elem(v interp.Value) {
	switch t := Type(v.Tag()); {
	case isUntyped(v):
		w.str("null")
	case v.Wide():
		w.value(v)
	case t == typeBuiltin && v.Kind() == interp.Record && v.Len() == 1 && v.At(0).Kind() == interp.Unit &&
		!v.At(0).Wide() && isElemName(Type(v.At(0).Tag())):
		w.quote(typeNames[v.At(0).Tag()])
	case t == typeClass && v.Kind() == interp.Text:
		w.begin(`{"class":`)
		w.text(v.Text())
		w.end("}")
	case t == typeScript && v.Kind() == interp.Text:
		w.begin(`{"script":`)
		w.text(v.Text())
		w.end("}")
	default:
		w.value(v)
	}
}

func (w *jsonWriter) rawValue(v interp.Value) {
	w.str(`,"kind":"`)
	w.str(v.Kind().String())
	w.str(`"`)
	if v.Kind() <= interp.Unit {
		return
	}
	if v.Kind() == interp.Lanes || v.Kind() == interp.Packed {
		w.str(`,"scalar":"`)
		w.str(v.Scalar().String())
		w.str(`"`)
		if v.Kind() == interp.Packed {
			w.str(`,"width":`)
			w.dst = strconv.AppendInt(w.dst, int64(v.Width()), 10)
		}
	}
	w.str(`,"value":`)
	switch v.Kind() {
	case interp.Bool:
		w.dst = strconv.AppendBool(w.dst, v.Bool())
	case interp.Int:
		w.int(v.Int())
	case interp.Uint:
		w.uint(v.Uint())
	case interp.Float:
		w.real(math.Float64bits(v.Float()), 64)
	case interp.Text:
		w.text(v.Text())
	case interp.Lanes, interp.Packed:
		w.numbers(v)
	case interp.Map:
		w.pairs(v)
	default:
		w.list(v)
	}
}

// numbers writes the numbers of a Lanes or Packed value.
func (w *jsonWriter) numbers(v interp.Value) {
	scalar := v.Scalar()
	if Type(v.Tag()) == PackedByteArray && shapeOf(v) == shapePacked {
		w.str(`"`)
		w.dst = appendBase64(w.dst, v.Bytes())
		w.str(`"`)
		return
	}
	w.begin("[")
	width := v.Width()
	nested := v.Kind() == interp.Packed && width > 1
	n := 0
	if scalar.Width() > 0 {
		n = len(v.Bytes()) / scalar.Width()
	}
	for i := range n {
		w.comma(i)
		if nested && i%width == 0 {
			w.begin("[")
		}
		switch {
		case scalar == bytecode.F32:
			w.real(v.LaneBits(i), 32)
		case scalar == bytecode.F64:
			w.real(v.LaneBits(i), 64)
		case scalar == bytecode.F16:
			w.real(uint64(interp.SingleOfHalf(uint16(v.LaneBits(i)))), 32)
		case scalar.Signed():
			w.int(v.LaneInt(i))
		default:
			w.uint(v.LaneBits(i))
		}
		if nested && i%width == width-1 {
			w.end("]")
		}
	}
	w.end("]")
}

func (w *jsonWriter) int(i int64) {
	if i >= -maxPlainInt && i <= maxPlainInt && !w.style.Explicit {
		w.dst = strconv.AppendInt(w.dst, i, 10)
		return
	}
	w.str(`"`)
	w.dst = strconv.AppendInt(w.dst, i, 10)
	w.str(`"`)
}

func (w *jsonWriter) uint(u uint64) {
	if u <= maxPlainInt && !w.style.Explicit {
		w.dst = strconv.AppendUint(w.dst, u, 10)
		return
	}
	w.str(`"`)
	w.dst = strconv.AppendUint(w.dst, u, 10)
	w.str(`"`)
}

// real writes a number given as the bits of its precision.
func (w *jsonWriter) real(bits uint64, precision int) {
	f := math.Float64frombits(bits)
	nan := bits != ordinaryNaN64
	if precision == 32 {
		f = float64(math.Float32frombits(uint32(bits)))
		nan = bits != ordinaryNaN32
	}
	quote := ""
	if w.style.Explicit {
		quote = `"`
	}
	switch {
	case w.style.Bits:
		w.str(`"bits:`)
		w.str(hexBits(bits, precision/4))
		w.str(`"`)
	case f != f && nan:
		w.str(`"nan:`)
		w.str(hexBits(bits, precision/4))
		w.str(`"`)
	case f != f:
		w.str(`"nan"`)
	case math.IsInf(f, 1):
		w.str(`"inf"`)
	case math.IsInf(f, -1):
		w.str(`"-inf"`)
	case f == 0 && math.Signbit(f):
		w.str(`"-0"`)
	case f == 0:
		w.str(quote + "0" + quote)
	default:
		w.str(quote)
		start := len(w.dst)
		w.dst = appendDecimal(w.dst, newDecimal(f, -1, precision), false)
		if precision == 32 {
			if exact, _ := strconv.ParseFloat(string(w.dst[start:]), 64); float64(float32(exact)) != f {
				w.dst = appendDecimal(w.dst[:start], newDecimal(f, -1, 64), false)
			}
		}
		w.str(quote)
	}
}

func (w *jsonWriter) text(s string) {
	if utf8.ValidString(s) {
		w.quote(s)
		return
	}
	w.begin(`{"$bytes":"`)
	w.dst = appendBase64(w.dst, []byte(s))
	w.end(`"}`)
}

// quote writes a string that is UTF-8.
func (w *jsonWriter) quote(s string) { w.dst = notation.AppendQuoted(w.dst, s) }
