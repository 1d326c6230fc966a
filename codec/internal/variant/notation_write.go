// Writing the text notation, which package godot describes.

package variant

import (
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// TextNames says whose names of types a text uses. [ParseText] reads all of them.
type TextNames uint8

// The families of names.
const (
	Godot4Names      TextNames = iota // PackedByteArray, Transform3D, Quaternion, &"name"
	Godot3Names                       // PoolByteArray, Transform, Quat, @"name"
	PandemoniumNames                  // PoolByteArray, Transform, Quaternion, @"name"
)

// TextStyle is a style of [AppendText]. The zero TextStyle writes Godot 4's names,
// in one line as far as the notation allows.
type TextStyle struct {
	Names  TextNames
	Indent string // if it is not empty, each pair and property has a separate line, indented with this
	Plain  bool   // leave out the notes ";@...", and with them what they say; see the notation
}

// StyleOf returns the style that the engines of a schema read and write. It follows from the names that
// PackedByteArray and Quaternion have in the schema.
func StyleOf(bytes, quaternion string) TextStyle {
	switch {
	case bytes == "PackedByteArray":
		return TextStyle{Names: Godot4Names}
	case quaternion == "Quaternion":
		return TextStyle{Names: PandemoniumNames}
	}
	return TextStyle{Names: Godot3Names}
}

// MaxTextDepth is the deepest nesting of values in a text or in JSON.
const MaxTextDepth = 10000

var errTextDepth = errors.New("a value nested more than " + strconv.Itoa(MaxTextDepth) +
	" levels deep cannot be written as text; write its parts one by one")

// AppendText appends v to dst in Godot's text notation. The only error is a
// value nested over 10000 levels deep.
func AppendText(dst []byte, v interp.Value, style TextStyle) ([]byte, error) {
	w := textWriter{dst: dst, style: style}
	if !w.value(v) {
		return dst, errTextDepth
	}
	return w.dst, nil
}

// Plain returns v in Godot 4's notation, in one line and without notes. It is for people to read.
func Plain(v interp.Value) string {
	w := textWriter{style: TextStyle{Plain: true}}
	if !w.value(v) {
		w.dst = append(w.dst, "..."...)
	}
	return string(w.dst)
}

type textWriter struct {
	dst   []byte
	style TextStyle
	depth int
}

func (w *textWriter) str(s string) { w.dst = append(w.dst, s...) }

// oldNames are the names of types in Godot 3, if they are others.
var oldNames = map[Type]string{
	QuaternionType: "Quat", Transform3DType: "Transform", PackedByteArray: "PoolByteArray",
	PackedInt32Array: "PoolIntArray", PackedFloat32Array: "PoolRealArray", PackedStringArray: "PoolStringArray",
	PackedVector2Array: "PoolVector2Array", PackedVector3Array: "PoolVector3Array",
	PackedColorArray: "PoolColorArray", PackedVector2iArray: "PoolVector2iArray",
	PackedVector3iArray: "PoolVector3iArray", PackedVector4Array: "PoolVector4Array",
	PackedVector4iArray: "PoolVector4iArray",
}

func (w *textWriter) name(t Type) {
	if w.style.Names != Godot4Names && (t != QuaternionType || w.style.Names == Godot3Names) {
		if name, ok := oldNames[t]; ok {
			w.str(name)
			return
		}
	}
	w.str(typeNames[t])
}

// note adds what the notation itself cannot say, as a comment that engines skip.
func (w *textWriter) note(text string) {
	if !w.style.Plain {
		w.str(";@")
		w.str(text)
		w.str("\n")
	}
}

// line begins a line of a container, or of what follows it.
func (w *textWriter) line(level int) {
	if n := len(w.dst); w.dst[n-1] != '\n' {
		w.str("\n")
	}
	for range level {
		w.str(w.style.Indent)
	}
}

// value writes v. It returns false when v is nested too deeply.
func (w *textWriter) value(v interp.Value) bool {
	if w.depth >= MaxTextDepth {
		return false
	}
	w.depth++
	ok := w.bare(v)
	w.depth--
	if markedWide(v) {
		w.note("wide")
	}
	return ok
}

// bare writes v without the note that it is wide.
func (w *textWriter) bare(v interp.Value) bool {
	switch shapeOf(v) {
	case shapeNil:
		w.str("null")
	case shapeBool:
		w.dst = strconv.AppendBool(w.dst, v.Bool())
	case shapeInt:
		w.dst = strconv.AppendInt(w.dst, v.Int(), 10)
	case shapeFloat:
		w.float(v.Float())
	case shapeText:
		if Type(v.Tag()) == StringNameType {
			if w.style.Names == Godot4Names {
				w.str("&")
			} else {
				w.str("@")
			}
		}
		w.quote(v.Text())
	case shapeNodePath:
		w.nodePath(v)
	case shapeRID:
		w.str("RID(")
		if v.Uint() != 0 {
			w.dst = strconv.AppendInt(w.dst, v.Int(), 10)
		}
		w.str(")")
	case shapeNullObject:
		w.str("Object()")
	case shapeObjectID:
		w.str("Object(")
		w.dst = strconv.AppendInt(w.dst, v.Int(), 10)
		w.str(")")
	case shapeObject:
		return w.object(v)
	case shapeCallable:
		w.str("Callable()")
	case shapeSignal:
		name, id := v.At(0).Text(), v.At(1)
		w.str("Signal(")
		if name != "" || id.Uint() != 0 {
			w.quote(name)
			w.str(", ")
			w.dst = strconv.AppendInt(w.dst, id.Int(), 10)
		}
		w.str(")")
	case shapeArray:
		return w.list(v)
	case shapeTypedArray:
		w.str("Array[")
		ok := w.elem(v.At(0))
		w.str("](")
		ok = ok && w.list(v.At(1))
		w.str(")")
		return ok
	case shapeElements:
		w.name(Type(v.Tag()))
		w.str("( ")
		w.name(Type(v.At(0).Tag()))
		w.str(" , ")
		for i, c := range v.At(2).Cells() {
			if i > 0 {
				w.str(", ")
			}
			if !w.value(c) {
				return false
			}
		}
		w.str(" )")
	case shapeDictionary:
		return w.pairs(v)
	case shapeTypedDictionary:
		w.str("Dictionary[")
		ok := w.elem(v.At(0))
		w.str(", ")
		ok = ok && w.elem(v.At(1))
		w.str("](")
		ok = ok && w.pairs(v.At(2))
		w.str(")")
		return ok
	case shapeStrings:
		w.name(PackedStringArray)
		w.str("(")
		w.texts(v)
		w.str(")")
	case shapeLanes, shapePacked:
		w.name(Type(v.Tag()))
		w.str("(")
		w.numbers(v, "")
		w.str(")")
	default:
		return w.rawValue(v)
	}
	return true
}

// rawValue writes what has no form in Godot's notation.
func (w *textWriter) rawValue(v interp.Value) bool {
	w.str("Raw(")
	if t := Type(v.Tag()); t != Invalid && t < NumTypes {
		w.str(typeNames[t])
	} else {
		w.dst = strconv.AppendUint(w.dst, uint64(t), 10)
	}
	w.str(", ")
	w.str(v.Kind().String())
	ok := true
	switch v.Kind() {
	case interp.Bool:
		w.str(", ")
		w.dst = strconv.AppendBool(w.dst, v.Bool())
	case interp.Int:
		w.str(", ")
		w.dst = strconv.AppendInt(w.dst, v.Int(), 10)
	case interp.Uint:
		w.str(", ")
		w.dst = strconv.AppendUint(w.dst, v.Uint(), 10)
	case interp.Float:
		w.str(", ")
		w.float(v.Float())
	case interp.Text:
		w.str(", ")
		w.quote(v.Text())
	case interp.Lanes, interp.Packed:
		w.str(", ")
		w.str(v.Scalar().String())
		if v.Kind() == interp.Packed {
			w.str(", ")
			w.dst = strconv.AppendInt(w.dst, int64(v.Width()), 10)
		}
		w.numbers(v, ", ")
	case interp.List, interp.Record:
		w.str(", ")
		ok = w.list(v)
	case interp.Map:
		w.str(", ")
		ok = w.pairs(v)
	}
	w.str(")")
	return ok
}

// list writes the cells of v in brackets.
func (w *textWriter) list(v interp.Value) bool {
	cells := v.Cells()
	w.str("[")
	lines := w.style.Indent != "" && hasContainer(cells)
	for i, c := range cells {
		w.separate(i, lines)
		ok := true
		if v.Kind() == interp.Record && isReference(c) {
			ok = w.rawValue(c)
		} else {
			ok = w.value(c)
		}
		if !ok {
			return false
		}
	}
	if lines {
		w.line(w.depth - 1)
	}
	w.str("]")
	return true
}

// hasContainer reports whether some cell is worth a separate line.
func hasContainer(cells []interp.Value) bool {
	for _, c := range cells {
		if (c.Kind() == interp.List || c.Kind() == interp.Map || c.Kind() == interp.Record) && c.Len() > 0 {
			return true
		}
	}
	return false
}

// separate writes what is between an element and the one before it. An element may begin a line.
func (w *textWriter) separate(i int, lines bool) {
	if i > 0 {
		w.str(",")
	}
	if lines {
		w.line(w.depth)
	} else if i > 0 {
		w.str(" ")
	}
}

// pairs writes the pairs of v in braces.
func (w *textWriter) pairs(v interp.Value) bool {
	cells := v.Cells()
	w.str("{")
	for i := 0; i+1 < len(cells); i += 2 {
		w.separate(i, w.style.Indent != "")
		if !w.value(cells[i]) {
			return false
		}
		w.str(": ")
		if !w.value(cells[i+1]) {
			return false
		}
	}
	if w.style.Indent != "" && len(cells) > 0 {
		w.line(w.depth - 1)
	}
	w.str("}")
	return true
}

func (w *textWriter) object(v interp.Value) bool {
	w.str("Object(")
	if class := v.At(1).Text(); isIdentifier(class) {
		w.str(class)
	} else {
		w.quote(class)
	}
	props := v.At(2).Cells()
	if len(props) == 0 {
		w.str(",")
	}
	for i, p := range props {
		w.separate(i+1, w.style.Indent != "") // the class is before the first
		w.quote(p.At(0).Text())
		w.str(": ")
		if !w.value(p.At(1)) {
			return false
		}
	}
	if w.style.Indent != "" && len(props) > 0 {
		w.line(w.depth - 1)
	}
	w.str(")")
	return true
}

// elem writes the element type of a typed container.
func (w *textWriter) elem(v interp.Value) bool {
	switch t := Type(v.Tag()); {
	case isUntyped(v):
		w.str("Variant")
	case v.Wide():
		return w.value(v)
	case t == TypeBuiltin && v.Kind() == interp.Record && v.Len() == 1 && v.At(0).Kind() == interp.Unit &&
		!v.At(0).Wide() && isElemName(Type(v.At(0).Tag())):
		w.str(typeNames[v.At(0).Tag()])
	case t == typeClass && v.Kind() == interp.Text:
		if class := v.Text(); isIdentifier(class) && !isReservedElem(class) {
			w.str(class)
		} else {
			w.quote(class)
		}
	case t == typeScript && v.Kind() == interp.Text:
		w.str("Resource(")
		w.quote(v.Text())
		w.str(")")
	default:
		w.depth++
		ok := w.depth < MaxTextDepth && w.rawValue(v)
		w.depth--
		return ok
	}
	return true
}

// isElemName reports whether the name of t in an element type means t.
func isElemName(t Type) bool { return t > Invalid && t < TypeBuiltin }

// isReservedElem reports whether a class of that name would be read as something else.
func isReservedElem(name string) bool {
	switch name {
	case "Variant", "SubResource", "ExtResource", "Raw":
		return true
	}
	t, ok := elemNamed(name)
	return ok && isElemName(t)
}

// elemNamed returns the type that a name in an element type means. It accepts only current names, since an older
// name may be a class of Godot 4.
func elemNamed(name string) (Type, bool) {
	t, ok := TypesByName[name]
	return t, ok && isElemName(t) && typeNames[t] == name
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isLetter(c) && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

func (w *textWriter) nodePath(v interp.Value) {
	w.str("NodePath(")
	if text, ok := nodePathText(v); ok {
		w.quote(text)
	} else {
		w.dst = strconv.AppendBool(w.dst, v.At(0).Bool())
		w.str(", [")
		w.texts(v.At(1))
		w.str("], [")
		w.texts(v.At(2))
		w.str("]")
	}
	w.str(")")
}

// texts writes the texts of a List, quoted and with commas.
func (w *textWriter) texts(v interp.Value) {
	for i, c := range v.Cells() {
		if i > 0 {
			w.str(", ")
		}
		w.quote(c.Text())
	}
}

// quote writes a text in quotes. Bytes that are not UTF-8 are written as the
// characters U+110000 to U+1100FF, which there are not.
func (w *textWriter) quote(s string) {
	w.str(`"`)
	start := 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		escape := ""
		switch {
		case r == '"':
			escape = `\"`
		case r == '\\':
			escape = `\\`
		case r == '\n':
			escape = `\n`
		case r == '\t':
			escape = `\t`
		case r == '\r':
			escape = `\r`
		case r == '\b':
			escape = `\b`
		case r == '\f':
			escape = `\f`
		case r == utf8.RuneError && size == 1:
			escape = `\U1100` + hexByte(s[i])
		case r < 0x10000 && !unicode.IsPrint(r):
			escape = `\u` + hexByte(byte(r>>8)) + hexByte(byte(r))
		}
		if escape != "" {
			w.str(s[start:i])
			w.str(escape)
			start = i + size
		}
		i += size
	}
	w.str(s[start:])
	w.str(`"`)
}

const hexDigits = "0123456789abcdef"

func hexByte(b byte) string { return string([]byte{hexDigits[b>>4], hexDigits[b&15]}) }

// numbers writes the numbers of a Lanes or Packed value, with first before them.
func (w *textWriter) numbers(v interp.Value, first string) {
	scalar := v.Scalar()
	width := scalar.Width()
	if width == 0 {
		return // unreachable: numbers in memory have a size
	}
	n := len(v.Bytes()) / width
	for i := range n {
		if i > 0 {
			w.str(", ")
		} else {
			w.str(first)
		}
		switch {
		case scalar == bytecode.F32:
			w.single(math.Float32frombits(uint32(v.LaneBits(i))))
		case scalar == bytecode.F64:
			w.double(math.Float64frombits(v.LaneBits(i)))
		case scalar == bytecode.F16:
			w.single(math.Float32frombits(interp.SingleOfHalf(uint16(v.LaneBits(i)))))
		case scalar.Signed():
			w.dst = strconv.AppendInt(w.dst, v.LaneInt(i), 10)
		default:
			w.dst = strconv.AppendUint(w.dst, v.LaneBits(i), 10)
		}
	}
}

const (
	OrdinaryNaN32 = 0x7fc00000
	OrdinaryNaN64 = 0x7ff8000000000000
)

// float writes a number that reads as a float and not as an int.
func (w *textWriter) float(f float64) {
	start := len(w.dst)
	w.double(f)
	for _, c := range w.dst[start:] {
		if c != '-' && (c < '0' || c > '9') {
			return
		}
	}
	w.str(".0")
}

// single writes a number that is to be single precision.
func (w *textWriter) single(f float32) {
	if f != f {
		w.str("nan")
		if bits := math.Float32bits(f); bits != OrdinaryNaN32 {
			w.note("bits=" + hexBits(uint64(bits), 8))
		}
		return
	}
	start := len(w.dst)
	if w.special(float64(f)) {
		return
	}
	w.dst = appendDecimal(w.dst, newDecimal(float64(f), -1, 32), false)
	text := w.dst[start:]
	if exact, _ := strconv.ParseFloat(string(text), 64); float32(exact) == f && float32(EngineNumber(text)) == f {
		return
	}
	w.dst = AppendEngineDouble(w.dst[:start], float64(f))
}

// double writes a number that is to be double precision; a whole one may look
// like an int.
func (w *textWriter) double(f float64) {
	if f != f {
		w.str("nan")
		if bits := math.Float64bits(f); bits != OrdinaryNaN64 {
			w.note("bits=" + hexBits(bits, 16))
		}
		return
	}
	if !w.special(f) {
		w.dst = AppendEngineDouble(w.dst, f)
	}
}

// special writes zeros and infinities.
func (w *textWriter) special(f float64) bool {
	switch {
	case f == 0 && math.Signbit(f):
		w.str("-0.0")
	case f == 0:
		w.str("0")
	case math.IsInf(f, 1):
		w.str("inf")
	case math.IsInf(f, -1):
		w.str("inf_neg")
	default:
		return false
	}
	return true
}

func hexBits(bits uint64, digits int) string {
	b := make([]byte, digits)
	for i := range b {
		b[i] = hexDigits[bits>>(4*(digits-1-i))&15]
	}
	return string(b)
}

// appendBase64 is what both text forms write bytes as.
func appendBase64(dst, b []byte) []byte { return base64.StdEncoding.AppendEncode(dst, b) }
