// JSON that loses nothing, which package godot describes.

package variant

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

var errJSONDepth = errors.New("a value nested more than " + strconv.Itoa(MaxTextDepth) +
	" levels deep cannot be written as JSON; write its parts one by one")

// JSONStyle selects one of the forms that package godot describes. [ParseJSON] reads them all.
// The zero value is plain JSON, and typed objects if that would lose something.
type JSONStyle struct {
	Explicit bool // every value is a typed object, and numbers are strings
	Bits     bool // reals are strings with their bits
}

// AppendJSON appends v to dst as JSON. The only error is a value nested over 10000 levels deep,
// in terms of JSON.
func AppendJSON(dst []byte, v interp.Value, style JSONStyle) ([]byte, error) {
	w := jsonWriter{dst: dst, style: style}
	w.value(v)
	if w.deep {
		return dst, errJSONDepth
	}
	return w.dst, nil
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
	if w.depth >= MaxTextDepth {
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
	if t := Type(v.Tag()); t < NumTypes {
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

// plain writes v where plain JSON says it. It returns false if not.
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
	case t == TypeBuiltin && v.Kind() == interp.Record && v.Len() == 1 && v.At(0).Kind() == interp.Unit &&
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
	nan := bits != OrdinaryNaN64
	if precision == 32 {
		f = float64(math.Float32frombits(uint32(bits)))
		nan = bits != OrdinaryNaN32
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
