package notation

import (
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// MaxNest is the deepest nesting of values in a text or in JSON.
const MaxNest = 10000

// errNest refuses to print a value that is nested too deeply.
var errNest = errors.New("a value nested more than " + strconv.Itoa(MaxNest) + " levels deep cannot be printed; print its parts one by one")

// maxSafe is the largest integer that JavaScript holds with its neighbors.
const maxSafe = 1<<53 - 1

// Append appends a value to dst, in as many digits as reading needs. Indent, unless empty, puts
// each part of a record, list or map that has parts in it on a separate line.
func (n *Notation) Append(dst []byte, v interp.Value, indent string) ([]byte, error) {
	w := writer{n: n, b: dst, limit: math.MaxInt, exact: true, indent: indent}
	w.value(v, 0)
	if w.deep {
		return dst, errNest
	}
	return w.b, nil
}

// AppendJSON appends a value to dst as JSON.
func (n *Notation) AppendJSON(dst []byte, v interp.Value) ([]byte, error) {
	w := writer{n: n, b: dst, limit: math.MaxInt, exact: true, json: true}
	w.value(v, 0)
	if w.deep {
		return dst, errNest
	}
	return w.b, nil
}

// String prints a value for people: tuples and arrays in single precision have as few digits as
// distinguish them.
func (n *Notation) String(v interp.Value) string { return n.Clipped(v, math.MaxInt) }

// Clipped is String, cut off after a number of bytes.
func (n *Notation) Clipped(v interp.Value, limit int) string {
	w := writer{n: n, limit: limit}
	return w.clipped(v)
}

// Named is Clipped with the names of the parts of tuples, which Parse does not read.
func (n *Notation) Named(v interp.Value, limit int) string {
	w := writer{n: n, limit: limit, named: true}
	return w.clipped(v)
}

// writer prints one value.
type writer struct {
	n      *Notation
	b      []byte
	limit  int    // of bytes
	exact  bool   // what is printed is read back
	json   bool   // not as a text
	indent string // of texts
	deep   bool   // the value was nested too deeply
	named  bool   // parts of tuples have their names
}

// clipped prints a value, cut off after the limit.
func (w *writer) clipped(v interp.Value) string {
	w.value(v, 0)
	if len(w.b) > w.limit {
		return strings.ToValidUTF8(string(w.b[:w.limit]), "") + "…"
	}
	return string(w.b)
}

func (w *writer) full() bool { return w.deep || len(w.b) > w.limit }

func (w *writer) str(s string) { w.b = append(w.b, s...) }

// line begins a line of a text that is indented.
func (w *writer) line(nest int) {
	w.b = append(w.b, '\n')
	for range nest {
		w.str(w.indent)
	}
}

// comma separates the parts of a list; lines says that each has a line.
func (w *writer) comma(i, nest int, lines bool) {
	if i > 0 {
		w.b = append(w.b, ',')
	}
	switch {
	case lines:
		w.line(nest + 1)
	case i > 0 && !w.json:
		w.b = append(w.b, ' ')
	}
}

// close ends a list.
func (w *writer) close(bracket byte, nest int, lines bool) {
	if lines {
		w.line(nest)
	}
	w.b = append(w.b, bracket)
}

// lines reports whether the parts of a value have a line each.
func (w *writer) lines(cells []interp.Value) bool {
	if w.indent == "" {
		return false
	}
	for _, c := range cells {
		switch c.Kind() {
		case interp.List, interp.Map, interp.Record:
			if c.Len() > 0 {
				return true
			}
		}
	}
	return false
}

// value prints a value with the name of its arm.
func (w *writer) value(v interp.Value, nest int) {
	typ, known := w.n.types[v.Tag()]
	switch {
	case w.full():
	case nest > MaxNest || w.json && nest > MaxNest/3: // a value has up to three brackets
		w.deep = w.exact
		w.str("…")
	case !known:
		w.content(v, nil, nest)
	case w.n.p.Types[typ].Union == "":
		w.record(v, typ, nest)
	default:
		w.arm(v, typ, nest)
	}
}

// arm prints a value of a union.
func (w *writer) arm(v interp.Value, typ uint32, nest int) {
	name := w.n.p.Types[typ].Name
	unit := v.Kind() == interp.Unit
	if w.json {
		if !unit {
			w.b = append(w.b, '{')
		}
		w.b = AppendQuoted(w.b, name)
		if !unit {
			w.b = append(w.b, ':')
			w.record(v, typ, nest)
			w.b = append(w.b, '}')
		}
		return
	}
	w.str(name)
	if unit {
		return
	}
	w.b = append(w.b, '(')
	if i := Alone(&w.n.p.Types[typ], v); i >= 0 && w.n.similar(typ, i, w.json) {
		w.record(v, typ, nest)
	} else if v.Kind() == interp.Lanes || v.Kind() == interp.Packed {
		w.numbers(v, w.n.field(typ, i))
	} else {
		w.record(v, typ, nest)
	}
	w.b = append(w.b, ')')
}

// field returns what is known of field i of a type, or nil.
func (n *Notation) field(typ uint32, i int) *field {
	if i < 0 || i >= len(n.fields[typ]) {
		return nil
	}
	return &n.fields[typ][i]
}

// record prints a value of a type: its fields by name, or the one that represents it.
func (w *writer) record(v interp.Value, typ uint32, nest int) {
	t := &w.n.p.Types[typ]
	if v.Kind() != interp.Record {
		i := Alone(t, v)
		if i < 0 || !w.n.similar(typ, i, w.json) {
			w.content(v, w.n.field(typ, i), nest)
			return
		}
		w.b = append(w.b, '{')
		w.key(t, i)
		w.content(v, w.n.field(typ, i), nest+1)
		w.b = append(w.b, '}')
		return
	}
	w.fields(v, typ, true, nest)
}

// fields prints the cells of a record.
func (w *writer) fields(v interp.Value, typ uint32, known bool, nest int) {
	cells := v.Cells()
	lines := w.lines(cells)
	start, n := len(w.b), 0
	w.b = append(w.b, '{')
	for i, c := range cells {
		if c.IsNone() {
			continue
		}
		if w.full() {
			return
		}
		w.comma(n, nest, lines)
		n++
		f := (*field)(nil)
		if known && i < len(w.n.p.Types[typ].Fields) {
			w.key(&w.n.p.Types[typ], i)
			f = w.n.field(typ, i)
		} else if w.json {
			w.b = AppendQuoted(w.b, strconv.Itoa(i))
			w.b = append(w.b, ':')
		}
		if c.Tag() != 0 {
			w.value(c, nest+1)
		} else {
			w.content(c, f, nest+1)
		}
	}
	if n == 0 && known && !w.json && hasMap(&w.n.p.Types[typ]) { // {} is the map
		w.b = append(w.b[:start], "none"...)
		return
	}
	w.close('}', nest, lines)
}

// key prints the name of a field before its value.
func (w *writer) key(t *bytecode.Type, i int) {
	if w.json {
		w.b = AppendQuoted(w.b, t.Fields[i].Name)
		w.b = append(w.b, ':')
		return
	}
	w.str(t.Fields[i].Name)
	w.str(": ")
}

// content prints a value without its name. The field that holds it may be nil.
func (w *writer) content(v interp.Value, f *field, nest int) {
	switch v.Kind() {
	case interp.None:
		if w.json {
			w.str("null")
			return
		}
		w.str("none")
	case interp.Unit:
		w.str("{}")
	case interp.Bool:
		w.b = strconv.AppendBool(w.b, v.Bool())
	case interp.Int:
		w.integer(strconv.FormatInt(v.Int(), 10), v.Int() >= -maxSafe && v.Int() <= maxSafe)
	case interp.Uint:
		if v.Scalar() == bytecode.Code4 || f != nil && f.letters {
			w.text(Code(v.Uint()))
			return
		}
		w.integer(strconv.FormatUint(v.Uint(), 10), v.Uint() <= maxSafe)
	case interp.Float:
		w.float(v, f)
	case interp.Text:
		w.text(v.Text())
	case interp.Lanes, interp.Packed:
		if w.json && isBytes(v) {
			w.b = append(w.b, '"')
			w.b = base64.StdEncoding.AppendEncode(w.b, v.Bytes())
			w.b = append(w.b, '"')
			return
		}
		w.b = append(w.b, '[')
		w.numbers(v, f)
		w.b = append(w.b, ']')
	case interp.List:
		w.list(v, nest)
	case interp.Map:
		w.pairs(v, nest)
	case interp.Record:
		w.fields(v, 0, false, nest)
	}
}

// isBytes reports whether a value is an array of bytes.
func isBytes(v interp.Value) bool {
	return v.Kind() == interp.Packed && v.Scalar() == bytecode.U8 && v.Width() == 1
}

func (w *writer) list(v interp.Value, nest int) {
	cells := v.Cells()
	lines := w.lines(cells)
	w.b = append(w.b, '[')
	for i, e := range cells {
		if w.full() {
			return
		}
		w.comma(i, nest, lines)
		w.value(e, nest+1)
	}
	w.close(']', nest, lines)
}

// pairs prints a map, in JSON as a list of pairs: keys may be of any type and may repeat.
func (w *writer) pairs(v interp.Value, nest int) {
	open, end := "{", byte('}')
	if w.json {
		open, end = "[", ']'
	}
	cells := v.Cells()
	lines := w.lines(cells)
	w.str(open)
	for i := 0; i+1 < len(cells); i += 2 {
		if w.full() {
			return
		}
		w.comma(i, nest, lines)
		if w.json {
			w.b = append(w.b, '[')
		}
		w.value(cells[i], nest+1)
		if w.json {
			w.b = append(w.b, ',')
		} else {
			w.str(": ")
		}
		w.value(cells[i+1], nest+1)
		if w.json {
			w.b = append(w.b, ']')
		}
	}
	w.close(end, nest, lines)
}

// numbers prints lanes, or the elements of a packed array.
func (w *writer) numbers(v interp.Value, f *field) {
	width := 1
	var names []string
	if v.Kind() == interp.Packed {
		width = v.Width()
	} else if typ, ok := w.n.types[v.Tag()]; w.named && ok {
		names = w.n.p.Types[typ].Lanes
	}
	for i := range v.Len() {
		if w.full() {
			return
		}
		w.comma(i, 0, false)
		if i < len(names) {
			w.str(names[i] + ": ")
		}
		if width > 1 {
			w.b = append(w.b, '[')
		}
		for k := range width {
			w.comma(k, 0, false)
			w.lane(v, i*width+k, f)
		}
		if width > 1 {
			w.b = append(w.b, ']')
		}
	}
}

// lane prints one number of a tuple or of a packed array.
func (w *writer) lane(v interp.Value, i int, f *field) {
	switch s := v.Scalar(); {
	case s.IsFloat():
		bits := 64
		if s != bytecode.F64 && (!w.exact || f != nil && f.single) {
			bits = 32
		}
		w.real(s, v.LaneBits(i), bits)
	case s == bytecode.Code4:
		w.text(Code(v.LaneBits(i)))
	case s.Signed():
		w.integer(strconv.FormatInt(v.LaneInt(i), 10), v.LaneInt(i) >= -maxSafe && v.LaneInt(i) <= maxSafe)
	default:
		w.integer(strconv.FormatUint(v.LaneBits(i), 10), v.LaneBits(i) <= maxSafe)
	}
}

// LaneText prints one number of a tuple or of a packed array for people.
func LaneText(v interp.Value, i int) string {
	w := writer{limit: math.MaxInt}
	w.lane(v, i, nil)
	return string(w.b)
}

// Code returns the letters of the number of a code.
func Code(u uint64) string {
	return string([]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24)})
}

// WordText returns the text of the number in a word of a type: letters, or digits.
func WordText(s bytecode.Scalar, number uint64) string {
	switch {
	case s == bytecode.Code4:
		return strconv.Quote(Code(number))
	case s.Signed():
		return strconv.FormatInt(int64(number), 10)
	}
	return strconv.FormatUint(number, 10)
}

// WordText returns the text of the number in the word of an instruction.
func (n *Notation) WordText(pc int, number uint64) string {
	if in := &n.p.Code[pc]; in.Op == bytecode.Word || in.Op == bytecode.Union || in.Op == bytecode.Header {
		return WordText(in.Scalar(), number)
	}
	return strconv.FormatUint(number, 10)
}

// integer prints an integer; safe says that JSON can have it as a number.
func (w *writer) integer(digits string, safe bool) {
	if w.json && !safe {
		digits = `"` + digits + `"`
	}
	w.str(digits)
}

// float prints a Float.
func (w *writer) float(v interp.Value, f *field) {
	bits := 64
	if f != nil && f.single {
		bits = 32
	}
	w.real(bytecode.F64, math.Float64bits(v.Float()), bits)
}

// real prints the number that the bits of a scalar represent, in the digits of single or
// double precision.
func (w *writer) real(s bytecode.Scalar, number uint64, bits int) {
	f := interp.RealOf(s, number)
	special := ""
	switch {
	case f != f && number == ordinaryNaN(s) || f != f && !w.exact:
		special = "nan"
	case f != f && w.json:
		special = "nan:" + hexDigits(s, number)
	case f != f:
		w.str("nan(0x" + hexDigits(s, number) + ")")
		return
	case math.IsInf(f, 1):
		special = "inf"
	case math.IsInf(f, -1):
		special = "-inf"
	case f == 0 && math.Signbit(f) && w.json:
		special = "-0"
	case f == 0 && math.Signbit(f):
		special = "-0.0"
	}
	switch {
	case special != "" && w.json:
		w.str(`"` + special + `"`)
		return
	case special != "":
		w.str(special)
		return
	}
	w.b = strconv.AppendFloat(w.b, f, 'g', -1, bits)
}

// ordinaryNaN returns the bits of the NaN of a scalar that has no others to say.
func ordinaryNaN(s bytecode.Scalar) uint64 {
	switch s {
	case bytecode.F16:
		return 0x7e00
	case bytecode.F32:
		return 0x7fc00000
	}
	return 0x7ff8 << 48
}

// hexDigits prints the bits of a scalar.
func hexDigits(s bytecode.Scalar, bits uint64) string {
	text := strconv.FormatUint(bits, 16)
	return strings.Repeat("0", 2*s.Width()-len(text)) + text
}

// text prints a text.
func (w *writer) text(s string) {
	more := ""
	if room := max(w.limit-len(w.b), 0); len(s) > room {
		s, more = s[:room], " " // past the limit, so that it is cut off
	}
	switch {
	case !w.json:
		w.b = append(strconv.AppendQuote(w.b, s), more...)
	case utf8.ValidString(s):
		w.b = AppendQuoted(w.b, s)
	default:
		w.str(`{"$bytes":"`)
		w.b = base64.StdEncoding.AppendEncode(w.b, []byte(s))
		w.str(`"}`)
	}
}

// AppendQuoted appends a text that is UTF-8 to dst as a string of JSON.
func AppendQuoted(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i, r := range s {
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
		case r < ' ', r >= 0x7f && r < 0xa0, r == '\u2028', r == '\u2029', r == '\ufeff':
			escape = `\u` + string([]byte{digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15]})
		default:
			continue
		}
		dst = append(dst, s[start:i]...)
		dst = append(dst, escape...)
		start = i + utf8.RuneLen(r)
	}
	return append(append(dst, s[start:]...), '"')
}

// AppendField appends the value of field i of a type, as [Notation.BuildField] reads it. The name of
// the field is left out.
func (n *Notation) AppendField(dst []byte, typ uint32, i int, v interp.Value) ([]byte, error) {
	w := writer{n: n, b: dst, limit: math.MaxInt, exact: true}
	if v.Tag() != 0 {
		w.value(v, 0)
	} else {
		w.content(v, n.field(typ, i), 0)
	}
	if w.deep {
		return dst, errNest
	}
	return w.b, nil
}
