// Reading the text notation; notation.go describes it.

package codec

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// TextError says where a text or JSON cannot be read, what is wrong there, and
// what to write instead where that is known.
type TextError struct {
	Line, Column int // from 1; columns count characters
	Message      string
}

// Error returns the place and the message.
func (e *TextError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

// newTextError returns an error for the byte at pos of s.
func newTextError(s string, pos int, message string) *TextError {
	before := s[:min(pos, len(s))]
	line := strings.Count(before, "\n")
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return &TextError{line + 1, column + 1, message}
}

// ParseText reads a value in Godot's text notation, of whatever version. The
// error, if any, is a [*TextError].
func ParseText(s string) (Value, error) {
	r := textReader{s: s}
	r.pos = len(s) - len(strings.TrimPrefix(s, "\ufeff"))
	v := r.top()
	if r.err != nil {
		return Value{}, r.err
	}
	return Value{v}, nil
}

// textReader reads one text. After the first error it stands at the end of the
// text, where every further step fails and changes nothing.
type textReader struct {
	s     string
	pos   int
	depth int
	err   error
}

func (r *textReader) fail(pos int, format string, args ...any) {
	if r.err == nil {
		r.err = newTextError(r.s, pos, fmt.Sprintf(format, args...))
	}
	r.pos = len(r.s)
}

func (r *textReader) top() interp.Value {
	r.space()
	if r.pos == len(r.s) {
		r.fail(r.pos, "there is no value; null is written null")
	}
	v := r.value()
	r.space()
	if r.err == nil && r.pos < len(r.s) {
		r.fail(r.pos, "the value ends before %s; remove what follows, or put several values in [ ] with commas", r.found())
	}
	return v
}

// space skips blanks and comments.
func (r *textReader) space() {
	for r.pos < len(r.s) {
		switch c := r.s[r.pos]; {
		case c == ';':
			if strings.HasPrefix(r.s[r.pos:], ";@") {
				r.fail(r.pos, "a note (;@) does not follow a value that it can belong to; move it there, or write the comment with ; and a blank")
				return
			}
			r.comment()
		case c > ' ' || c == 0:
			return
		default:
			r.pos++
		}
	}
}

// comment skips to the end of the line and returns what it skipped.
func (r *textReader) comment() string {
	start := r.pos
	if i := strings.IndexByte(r.s[r.pos:], '\n'); i >= 0 {
		r.pos += i + 1
		return r.s[start : r.pos-1]
	}
	r.pos = len(r.s)
	return r.s[start:]
}

// note takes the note with the given name, if it stands here, and returns what
// follows its name.
func (r *textReader) note(name string) (string, bool) {
	at := r.pos
	for at < len(r.s) && (r.s[at] == ' ' || r.s[at] == '\t') {
		at++
	}
	if !strings.HasPrefix(r.s[at:], ";@"+name) {
		return "", false
	}
	r.pos = at
	return strings.TrimRight(r.comment()[len(";@")+len(name):], " \t\r"), true
}

// wide takes the note that the value before it is in the wide form.
func (r *textReader) wide() bool {
	at := r.pos
	rest, ok := r.note("wide")
	if ok && rest != "" {
		r.fail(at, "after ;@wide there is %s; end the line there", quoteShort(rest))
	}
	return ok
}

// found describes what stands at the reader, for messages.
func (r *textReader) found() string {
	if r.pos >= len(r.s) {
		return "the end of the text"
	}
	end := r.pos
	for end < len(r.s) && (isLetter(r.s[end]) || isDigit(r.s[end])) {
		end++
	}
	if end == r.pos {
		_, size := utf8.DecodeRuneInString(r.s[r.pos:])
		end += size
	}
	return quoteShort(r.s[r.pos:end])
}

// quoteShort quotes s for a message, cut where it is long.
func quoteShort(s string) string {
	if len(s) > 40 {
		cut := 40
		for cut > 30 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		return strconv.Quote(s[:cut]) + "..."
	}
	return strconv.Quote(s)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// take takes the byte c, after blanks, if it stands here.
func (r *textReader) take(c byte) bool {
	r.space()
	if r.pos < len(r.s) && r.s[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

// expect is take, where anything else is an error.
func (r *textReader) expect(c byte, where string) bool {
	if r.take(c) {
		return true
	}
	r.fail(r.pos, "%s needs %q, not %s", where, c, r.found())
	return false
}

// word takes an identifier, if one stands here.
func (r *textReader) word() string {
	r.space()
	start := r.pos
	if start < len(r.s) && isLetter(r.s[start]) {
		for r.pos < len(r.s) && (isLetter(r.s[r.pos]) || isDigit(r.s[r.pos])) {
			r.pos++
		}
	}
	return r.s[start:r.pos]
}

// value reads a value with its note.
func (r *textReader) value() interp.Value {
	r.space()
	if r.depth >= maxTextDepth {
		r.fail(r.pos, "values are nested more than %d levels deep here", maxTextDepth)
	}
	r.depth++
	v := r.bare()
	r.depth--
	if r.err == nil && r.wide() {
		v = v.WithWide(true)
	}
	return v
}

// bare reads a value. Math types and packed arrays take their note themselves,
// for it says how precise their numbers are.
func (r *textReader) bare() interp.Value {
	if r.pos >= len(r.s) {
		r.fail(r.pos, "the text ends where a value should be")
		return interp.Value{}
	}
	start := r.pos
	switch c := r.s[r.pos]; {
	case c == '{':
		return r.pairs()
	case c == '[':
		return interp.MakeList(uint16(ArrayType), r.list())
	case c == '"':
		return interp.MakeText(uint16(String), r.quoted())
	case c == '&' || c == '@' || c == '^':
		r.pos++
		if r.pos >= len(r.s) || r.s[r.pos] != '"' {
			r.fail(r.pos, "after %c there should be a text in quotes, not %s", c, r.found())
			return interp.Value{}
		}
		text := r.quoted()
		if c == '^' {
			return r.nodePath(start, text)
		}
		return interp.MakeText(uint16(StringNameType), text)
	case c == '#':
		return r.color()
	case c == '-' || isDigit(c):
		n := r.number()
		if n.kind == isInt {
			return interp.MakeInt(uint16(Int), int64(n.bits))
		}
		return r.float(start, uint16(Float), n)
	case isLetter(c):
		return r.named(start, r.word())
	}
	hint := ""
	switch r.s[r.pos] {
	case '\'':
		hint = `; texts are written in "double quotes"`
	case '+', '.':
		hint = "; numbers begin with a digit or -"
	case 0:
		hint = "; the text must not hold NUL"
	}
	r.fail(r.pos, "a value cannot begin with %s%s", r.found(), hint)
	return interp.Value{}
}

// constructors are the names before ( that are followed by numbers, beside
// those that types have.
var constructors = map[string]Type{
	"Rect3": AABBType, "ByteArray": PackedByteArray, "PackedIntArray": PackedInt32Array,
	"PackedRealArray": PackedFloat32Array, "FloatArray": PackedFloat32Array, "Vector4Array": PackedVector4Array,
	"Vector2iArray": PackedVector2iArray, "Vector3iArray": PackedVector3iArray, "Vector4iArray": PackedVector4iArray,
}

// named reads what begins with a name.
func (r *textReader) named(start int, name string) interp.Value {
	switch name {
	case "null", "nil":
		return interp.MakeUnit(uint16(Nil))
	case "true", "false":
		return interp.MakeBool(uint16(Bool), name == "true")
	case "inf", "inf_neg", "nan":
		r.pos = start
		return r.float(start, uint16(Float), r.number())
	case "NodePath":
		return r.nodePathCall(start)
	case "RID":
		r.expect('(', "RID")
		id := uint64(0)
		if !r.take(')') {
			id = r.id()
			r.expect(')', "RID")
		}
		return interp.MakeUint(uint16(RIDType), id)
	case "Callable":
		r.expect('(', "Callable")
		r.expect(')', "Callable")
		return interp.MakeUnit(uint16(CallableType))
	case "Signal":
		return r.signal()
	case "Object":
		return r.object()
	case "Array":
		return r.typedArray(start)
	case "Dictionary":
		return r.typedDictionary(start)
	case "Raw":
		return r.rawValue()
	case "Resource", "SubResource", "ExtResource":
		r.fail(start, "%s(...) stands for something in a file of a project, which only the engine can load; write the value itself", name)
		return interp.Value{}
	case "InputEvent", "Image":
		r.fail(start, "%s is not read in the form of old engines; see Raw in the documentation of the notation", name)
		return interp.Value{}
	}
	t, ok := typesByName[name]
	if !ok {
		t, ok = constructors[name]
	}
	switch {
	case ok && t == PackedStringArray:
		r.expect('(', name)
		return interp.MakeList(uint16(PackedStringArray), r.texts(')', name))
	case ok && layoutOf(t).lanes > 0:
		return r.numeric(t, name)
	}
	r.fail(start, "%s is no value and no type that values are made of; a text is written in quotes", quoteShort(name))
	return interp.Value{}
}

// list reads the elements of an Array.
func (r *textReader) list() []interp.Value {
	r.expect('[', "an Array")
	var cells []interp.Value
	for r.err == nil && !r.take(']') {
		cells = append(cells, r.value())
		if !r.take(',') {
			r.expect(']', "after an element an Array")
			break
		}
	}
	return cells
}

// pairs reads a Dictionary.
func (r *textReader) pairs() interp.Value {
	r.expect('{', "a Dictionary")
	var cells []interp.Value
	for r.err == nil && !r.take('}') {
		key := r.value()
		r.expect(':', "after a key a Dictionary")
		cells = append(cells, key, r.value())
		if !r.take(',') {
			r.expect('}', "after a pair a Dictionary")
			break
		}
	}
	return interp.MakeMap(uint16(DictionaryType), cells)
}

// texts reads texts in quotes up to the byte end. A comma after the last is allowed.
func (r *textReader) texts(end byte, where string) []interp.Value {
	var cells []interp.Value
	for r.err == nil && !r.take(end) {
		cells = append(cells, interp.MakeText(0, r.quotedHere(where)))
		if !r.take(',') {
			r.expect(end, where)
			break
		}
	}
	return cells
}

// quotedHere reads a text in quotes after blanks.
func (r *textReader) quotedHere(where string) string {
	r.space()
	if r.pos >= len(r.s) || r.s[r.pos] != '"' {
		r.fail(r.pos, "%s needs a text in quotes here, not %s", where, r.found())
		return ""
	}
	return r.quoted()
}

// quoted reads a text whose opening quote stands here.
func (r *textReader) quoted() string {
	open := r.pos
	r.pos++
	start := r.pos
	var buf []byte // nil until something in the text is not the text itself
	for r.pos < len(r.s) {
		c := r.s[r.pos]
		switch {
		case c == '"':
			r.pos++
			if buf == nil {
				return r.s[start : r.pos-1]
			}
			return string(append(buf, r.s[start:r.pos-1]...))
		case c == '\\':
			if buf == nil {
				buf = make([]byte, 0, 64)
			}
			buf = append(buf, r.s[start:r.pos]...)
			buf = r.escape(buf)
			start = r.pos
		case c == 0:
			r.fail(r.pos, `the text in quotes holds NUL; write \u0000`)
		case c < utf8.RuneSelf:
			r.pos++
		default:
			_, size := utf8.DecodeRuneInString(r.s[r.pos:])
			if size == 1 {
				r.fail(r.pos, `the byte %02X is no UTF-8; write \U1100%02x if it is to be in the text`, c, c)
				return ""
			}
			r.pos += size
		}
	}
	r.fail(open, `the text that begins here has no closing quote`)
	return ""
}

// escape reads an escape, whose backslash stands here, and appends what it is.
func (r *textReader) escape(buf []byte) []byte {
	start := r.pos
	r.pos++
	if r.pos >= len(r.s) {
		return buf // the missing quote is reported
	}
	c := r.s[r.pos]
	switch c {
	case 'b':
		c = '\b'
	case 't':
		c = '\t'
	case 'n':
		c = '\n'
	case 'f':
		c = '\f'
	case 'r':
		c = '\r'
	case 'u', 'U':
		code := r.hex(start)
		switch {
		case code >= 0xd800 && code < 0xdc00:
			if low := r.lowSurrogate(); low != 0 {
				return utf8.AppendRune(buf, (code-0xd800)<<10+low-0xdc00+0x10000)
			}
			fallthrough
		case code >= 0xdc00 && code < 0xe000 && r.err == nil:
			r.fail(start, `%s is one half of a pair of surrogates; write both, or the character itself`, r.s[start:min(r.pos, len(r.s))])
			return buf
		case code >= 0x110000 && code <= 0x1100ff:
			return append(buf, byte(code))
		}
		return utf8.AppendRune(buf, code) // beyond Unicode: U+FFFD, as in Godot 4
	default:
		if c >= utf8.RuneSelf || c == 0 {
			return buf // read as if there were no backslash
		}
	}
	r.pos++
	return append(buf, c)
}

// hex reads the digits of \u or \U, whose letter stands here.
func (r *textReader) hex(start int) rune {
	digits := 4
	if r.s[r.pos] == 'U' {
		digits = 6
	}
	r.pos++
	code := rune(0)
	for range digits {
		d := -1
		if r.pos < len(r.s) {
			d = hexDigit(r.s[r.pos])
		}
		if d < 0 {
			r.fail(start, `after \%c there must be %d hexadecimal digits`, r.s[start+1], digits)
			return 0
		}
		code = code<<4 | rune(d)
		r.pos++
	}
	return code
}

// lowSurrogate takes an escape that is the second half of a pair, or returns 0.
func (r *textReader) lowSurrogate() rune {
	if !strings.HasPrefix(r.s[r.pos:], `\u`) && !strings.HasPrefix(r.s[r.pos:], `\U`) {
		return 0
	}
	end := r.pos
	r.pos++
	code := r.hex(end)
	if code < 0xdc00 || code >= 0xe000 {
		if r.err == nil {
			r.pos = end
		}
		return 0
	}
	return code
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// numberKind says what a number in a text is.
type numberKind uint8

const (
	isInt     numberKind = iota // bits are an int64
	isFloat                     // bits are a float64
	isSingle                    // bits are a float32: a NaN of which a note gave the bits
	isInvalid                   // none, the reader has failed
)

// number is one number of a text.
type number struct {
	bits uint64
	kind numberKind
}

func (n number) float() float64 {
	switch n.kind {
	case isInt:
		return float64(int64(n.bits))
	case isSingle:
		return float64(math.Float32frombits(uint32(n.bits)))
	}
	return math.Float64frombits(n.bits)
}

// number reads a number, inf, inf_neg or nan, a NaN with its note.
func (r *textReader) number() number {
	r.space()
	start := r.pos
	if r.pos < len(r.s) && r.s[r.pos] == '-' {
		r.pos++
	}
	if r.pos < len(r.s) && isLetter(r.s[r.pos]) {
		return r.special(start)
	}
	digits := func() int {
		from := r.pos
		for r.pos < len(r.s) && isDigit(r.s[r.pos]) {
			r.pos++
		}
		return r.pos - from
	}
	if digits() == 0 {
		r.pos = start
		r.fail(start, "there should be a number, not %s", r.found())
		return number{kind: isInvalid}
	}
	whole := true
	if r.pos < len(r.s) && r.s[r.pos] == '.' {
		whole = false
		r.pos++
		digits()
	}
	if r.pos < len(r.s) && (r.s[r.pos] == 'e' || r.s[r.pos] == 'E') {
		whole = false
		r.pos++
		if r.pos < len(r.s) && (r.s[r.pos] == '-' || r.s[r.pos] == '+') {
			r.pos++
		}
		if digits() == 0 {
			r.fail(start, "the exponent of %s has no digits; write them, or leave out the e", quoteShort(r.s[start:r.pos]))
			return number{kind: isInvalid}
		}
	}
	if r.pos < len(r.s) && (isLetter(r.s[r.pos]) || r.s[r.pos] == '.') {
		hint := "; a number has at most one point and one exponent, and no sign of its type"
		if c := r.s[r.pos]; c == 'x' || c == 'X' {
			hint = "; hexadecimal numbers are no part of the notation (engines read 0), write it in decimal"
		} else if c == '_' {
			hint = "; write the digits without _"
		}
		r.fail(start, "after the number %s there is %s%s", quoteShort(r.s[start:r.pos]), r.found(), hint)
		return number{kind: isInvalid}
	}
	if whole {
		i, err := strconv.ParseInt(r.s[start:r.pos], 10, 64)
		if err != nil {
			r.fail(start, "the int %s is outside of 64 bits; as a float it is written with .0 at its end", quoteShort(r.s[start:r.pos]))
		}
		return number{uint64(i), isInt}
	}
	f, _ := strconv.ParseFloat(r.s[start:r.pos], 64) // too large is inf, as in the engines
	return number{math.Float64bits(f), isFloat}
}

// float returns a number as a float of the given tag.
func (r *textReader) float(start int, tag uint16, n number) interp.Value {
	if n.kind == isSingle {
		r.fail(start, "a float is of double precision; write the bits of the NaN in 16 digits")
	}
	return interp.MakeFloat(tag, n.float())
}

// special reads a number that is a name; start is where its sign is, if it has one.
func (r *textReader) special(start int) number {
	name := r.word()
	neg := r.s[start] == '-'
	f := math.Inf(1)
	switch {
	case name == "inf":
	case name == "inf_neg" && !neg:
		neg = true
	case name == "nan":
		f = math.Float64frombits(ordinaryNaN64)
	default:
		r.pos = start
		r.fail(start, "there should be a number, not %s", quoteShort(r.s[start:start+len(name)]))
		return number{kind: isInvalid}
	}
	if neg {
		f = -f
	}
	if strings.HasPrefix(r.s[r.pos:], ".0") { // Godot 3.2 writes inf.0
		r.pos += 2
	}
	if name == "nan" {
		at := r.pos
		if bits, ok := r.note("bits="); ok {
			u, err := strconv.ParseUint(bits, 16, 64)
			n := number{u, isFloat}
			if len(bits) == 8 {
				n.kind = isSingle
			}
			if err != nil || len(bits) != 8 && len(bits) != 16 || n.float() == n.float() {
				r.fail(at, "%s are not the bits of a NaN; write 8 hexadecimal digits for single precision, 16 for double", quoteShort(bits))
			}
			return n
		}
	}
	return number{math.Float64bits(f), isFloat}
}

// color reads a color in the notation of web pages.
func (r *textReader) color() interp.Value {
	start := r.pos
	r.pos++
	for r.pos < len(r.s) && hexDigit(r.s[r.pos]) >= 0 {
		r.pos++
	}
	digits := r.s[start+1 : r.pos]
	lanes := [4]float32{3: 1}
	switch len(digits) {
	case 3, 4:
		for i := range digits {
			lanes[i] = float32(hexDigit(digits[i])) / 15
		}
	case 6, 8:
		for i := 0; i < len(digits); i += 2 {
			lanes[i/2] = float32(hexDigit(digits[i])<<4|hexDigit(digits[i+1])) / 255
		}
	default:
		r.fail(start, "a color after # has 3, 4, 6 or 8 hexadecimal digits, not %d", len(digits))
	}
	return newLanes(ColorType, lanes[:]...).raw
}

// numeric reads a math type or a packed array of numbers, with its note.
func (r *textReader) numeric(t Type, name string) interp.Value {
	l := layoutOf(t)
	start := r.pos
	r.expect('(', name)
	r.space()
	if t == PackedByteArray && r.pos < len(r.s) && r.s[r.pos] == '"' {
		at := r.pos
		b, err := base64.StdEncoding.DecodeString(r.quoted())
		if err != nil && r.err == nil {
			r.fail(at, "the text is no base64 with padding: %v", err)
		}
		r.expect(')', name)
		return interp.MakePacked(uint16(t), bytecode.U8, 1, b).WithWide(r.wide())
	}
	if t == ColorType && r.pos < len(r.s) && r.s[r.pos] == '"' {
		r.fail(r.pos, "Color takes four numbers here; a color in hexadecimal digits is written #ff8800")
	}
	var numbers []number
	if !r.take(')') {
		for r.err == nil {
			numbers = append(numbers, r.number())
			if !r.take(',') {
				r.expect(')', "after a number "+name)
				break
			}
		}
	}
	wide := r.wide()
	if r.err != nil {
		return interp.Value{}
	}
	if !l.packed && len(numbers) != l.lanes {
		r.fail(start, "%s is made of %d numbers, not %d", name, l.lanes, len(numbers))
	}
	if len(numbers)%l.lanes != 0 {
		r.fail(start, "%s takes %d numbers for each element, and %d are left over", name, l.lanes, len(numbers)%l.lanes)
	}
	scalar := l.scalar
	if wide && l.real {
		scalar = bytecode.F64
	}
	b := r.pack(start, name, scalar, numbers)
	if l.packed {
		return interp.MakePacked(uint16(t), scalar, l.lanes, b).WithWide(wide)
	}
	return interp.MakeLanes(uint16(t), scalar, b).WithWide(wide)
}

// pack returns numbers as little-endian scalars. Ints that are too large lose
// their upper bits and fractions are cut off, as in the engines.
func (r *textReader) pack(start int, name string, scalar bytecode.Scalar, numbers []number) []byte {
	b := make([]byte, 0, len(numbers)*scalar.Width())
	for i, n := range numbers {
		if !scalar.IsFloat() && n.kind != isInt {
			whole := math.Trunc(n.float())
			limit := float64(1 << 31)
			if scalar.Width() == 8 {
				limit = 1 << 63
			}
			if !(whole >= -limit && whole < limit) {
				r.fail(start, "number %d of %s is %v, which is no %d-bit integer", i+1, name, n.float(), 8*scalar.Width())
				return nil
			}
			n = number{uint64(int64(whole)), isInt}
		}
		switch scalar {
		case bytecode.F32:
			var f float32
			switch n.kind {
			case isInt:
				f = single(int64(n.bits))
			case isSingle:
				f = math.Float32frombits(uint32(n.bits))
			default:
				f = float32(n.float())
				if f != f {
					f = math.Float32frombits(ordinaryNaN32 | uint32(n.bits>>32)&(1<<31))
				}
				if f != f && n.bits != ordinaryNaN64 && n.bits != 1<<63|ordinaryNaN64 {
					r.fail(start, "number %d of %s has the bits of a NaN of double precision; single precision has 8 digits", i+1, name)
					return nil
				}
			}
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
		case bytecode.F64:
			if n.kind == isSingle {
				r.fail(start, "number %d of %s has the bits of a NaN of single precision; double precision has 16 digits", i+1, name)
				return nil
			}
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(n.float()))
		default:
			for range scalar.Width() {
				b = append(b, byte(n.bits))
				n.bits >>= 8
			}
		}
	}
	return b
}

// id reads the number of an RID or object: 64 bits, signed or not.
func (r *textReader) id() uint64 {
	r.space()
	start := r.pos
	if r.pos < len(r.s) && r.s[r.pos] == '-' {
		r.pos++
	}
	for r.pos < len(r.s) && isDigit(r.s[r.pos]) {
		r.pos++
	}
	text := r.s[start:r.pos]
	if id, err := strconv.ParseUint(text, 10, 64); err == nil {
		return id
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.pos = start
		r.fail(start, "there should be an id, a whole number of 64 bits, not %s", r.found())
	}
	return uint64(id)
}

func (r *textReader) nodePathCall(start int) interp.Value {
	r.expect('(', "NodePath")
	r.space()
	if r.pos < len(r.s) && r.s[r.pos] == '"' {
		text := r.quoted()
		r.expect(')', "NodePath")
		return r.nodePath(start, text)
	}
	absolute := r.word()
	if absolute != "true" && absolute != "false" {
		r.fail(r.pos, `NodePath needs a text in quotes, or true or false and two lists of texts`)
	}
	var names [2][]interp.Value
	for i := range names {
		r.expect(',', "NodePath")
		r.expect('[', "NodePath")
		names[i] = r.texts(']', "NodePath")
	}
	r.expect(')', "NodePath")
	return makeNodePath(absolute == "true", names[0], names[1])
}

// nodePath returns the path that a text is.
func (r *textReader) nodePath(start int, text string) interp.Value {
	v, ok := parseNodePath(text)
	if !ok && r.err == nil {
		r.fail(start, "the path %s has an empty name after a colon; remove the colon or write the name", quoteShort(text))
	}
	return v
}

func (r *textReader) signal() interp.Value {
	r.expect('(', "Signal")
	if r.take(')') {
		return Signal{}.Value().raw
	}
	name := r.quotedHere("Signal")
	r.expect(',', "after the name Signal")
	id := r.id()
	r.expect(')', "Signal")
	return Signal{name, id}.Value().raw
}

func (r *textReader) object() interp.Value {
	r.expect('(', "Object")
	if r.take(')') {
		return Object{}.Value().raw
	}
	var o Object
	switch {
	case r.pos < len(r.s) && r.s[r.pos] == '"':
		at := r.pos
		if o.Class = r.quoted(); o.Class == "" {
			r.fail(at, "the class of the object has no name; a null object is written Object()")
		}
	case r.pos < len(r.s) && isLetter(r.s[r.pos]):
		o.Class = r.word()
	default:
		id := r.id()
		r.expect(')', "Object")
		return NewObjectID(id).raw
	}
	r.expect(',', "after its class an Object")
	for r.err == nil && !r.take(')') {
		name := r.quotedHere("a property of an Object")
		r.expect(':', "after the name of a property an Object")
		o.Properties = append(o.Properties, Property{name, Value{r.value()}})
		if !r.take(',') {
			r.expect(')', "after a property an Object")
			break
		}
	}
	return o.Value().raw
}

func (r *textReader) typedArray(start int) interp.Value {
	if !r.take('[') {
		r.fail(start, "Array needs the type of its elements in [ ]; an Array without one is written [ ]")
		return interp.Value{}
	}
	elem := r.elem()
	r.expect(']', "after its type an Array")
	r.expect('(', "after its type an Array")
	r.space()
	list := interp.MakeList(uint16(ArrayType), r.list())
	r.expect(')', "after its elements an Array")
	if elem.IsNone() {
		return list
	}
	return interp.MakeRecord(uint16(ArrayType), []interp.Value{elem, list})
}

func (r *textReader) typedDictionary(start int) interp.Value {
	if !r.take('[') {
		r.fail(start, "Dictionary needs the types of its keys and values in [ ]; a Dictionary without them is written { }")
		return interp.Value{}
	}
	key := r.elem()
	r.expect(',', "after the type of its keys a Dictionary")
	elem := r.elem()
	r.expect(']', "after its types a Dictionary")
	r.expect('(', "after its types a Dictionary")
	r.space()
	m := r.pairs()
	r.expect(')', "after its pairs a Dictionary")
	if key.IsNone() && elem.IsNone() {
		return m
	}
	return interp.MakeRecord(uint16(DictionaryType), []interp.Value{key, elem, m})
}

// elem reads the element type of a typed container.
func (r *textReader) elem() interp.Value {
	r.space()
	start := r.pos
	if r.pos < len(r.s) && r.s[r.pos] == '"' {
		return interp.MakeText(uint16(typeClass), r.quoted())
	}
	name := r.word()
	switch name {
	case "":
		r.fail(start, "there should be the name of a type, not %s", r.found())
		return interp.Value{}
	case "Variant":
		return interp.Value{}
	case "Raw":
		r.pos = start
		return r.value()
	case "SubResource", "ExtResource":
		r.fail(start, "%s(...) stands for something in the same file; write Resource with the path of the script", name)
		return interp.Value{}
	case "Resource":
		if r.take('(') {
			return r.script()
		}
	}
	if t, ok := elemNamed(name); ok {
		return interp.MakeRecord(uint16(typeBuiltin), []interp.Value{interp.MakeUnit(uint16(t))})
	}
	return interp.MakeText(uint16(typeClass), name)
}

// script reads the inside of Resource(...): a path, or a uid and a path.
func (r *textReader) script() interp.Value {
	path := r.quotedHere("Resource")
	if r.take(',') {
		at := r.pos
		second := r.quotedHere("Resource")
		switch first := path; {
		case strings.HasPrefix(first, "uid://"):
			path = second
		case !strings.HasPrefix(second, "uid://"):
			r.fail(at, "Resource has two paths; one of them may be a uid, which begins with uid://")
		}
	}
	r.expect(')', "Resource")
	return interp.MakeText(uint16(typeScript), path)
}

// kindsByName are the names that Raw has for the kinds of values.
var kindsByName = func() map[string]interp.Kind {
	m := map[string]interp.Kind{}
	for k := interp.None; k <= interp.Record; k++ {
		m[k.String()] = k
	}
	return m
}()

// rawTypeNamed returns the type that a name in Raw means, the inner ones included.
func rawTypeNamed(name string) (Type, bool) {
	for t := Invalid; t < numTypes; t++ {
		if typeNames[t] == name {
			return t, true
		}
	}
	return 0, false
}

// rawValue reads the inside of Raw(...).
func (r *textReader) rawValue() interp.Value {
	r.expect('(', "Raw")
	r.space()
	start := r.pos
	var t Type
	if r.pos < len(r.s) && isDigit(r.s[r.pos]) {
		id := r.id()
		if id > math.MaxUint16 {
			r.fail(start, "the number of a type is at most %d", math.MaxUint16)
		}
		t = Type(id)
	} else {
		var ok bool
		if t, ok = rawTypeNamed(r.word()); !ok {
			r.pos = start
			r.fail(start, "Raw needs the name or number of a type, not %s", r.found())
		}
	}
	r.expect(',', "after its type Raw")
	r.space()
	at := r.pos
	kind, ok := kindsByName[r.word()]
	if !ok && r.err == nil {
		r.pos = at
		r.fail(at, "after its type Raw needs a kind (none, unit, bool, int, uint, float, text, lanes, packed, list, map, record), not %s", r.found())
	}
	if r.err != nil {
		return interp.Value{}
	}
	tag := uint16(t)
	if kind > interp.Unit {
		r.expect(',', "after its kind Raw")
	}
	r.space()
	at = r.pos
	var v interp.Value
	switch kind {
	case interp.None:
		v = v.WithTag(tag)
	case interp.Unit:
		v = interp.MakeUnit(tag)
	case interp.Bool:
		word := r.word()
		if word != "true" && word != "false" {
			r.fail(at, "there should be true or false")
		}
		v = interp.MakeBool(tag, word == "true")
	case interp.Int, interp.Uint:
		id := r.id()
		v = interp.MakeUint(tag, id)
		if kind == interp.Int {
			v = interp.MakeInt(tag, int64(id))
		}
	case interp.Float:
		v = r.float(at, tag, r.number())
	case interp.Text:
		v = interp.MakeText(tag, r.quotedHere("Raw"))
	case interp.Lanes, interp.Packed:
		return r.rawNumbers(tag, kind)
	case interp.List:
		v = interp.MakeList(tag, r.list())
	case interp.Map:
		v = r.pairs().WithTag(tag)
	case interp.Record:
		v = interp.MakeRecord(tag, r.list())
	}
	r.expect(')', "Raw")
	return v
}

// rawNumbers reads the rest of Raw(type, lanes and Raw(type, packed.
func (r *textReader) rawNumbers(tag uint16, kind interp.Kind) interp.Value {
	start := r.pos
	scalar, ok := bytecode.ScalarNamed(r.word())
	if !ok {
		r.fail(start, "there should be a scalar: u8, i8, u16, i16, u32, i32, u64, i64, f32, f64 or code4")
		return interp.Value{}
	}
	lanes := uint64(1)
	if kind == interp.Packed {
		r.expect(',', "after its scalar Raw")
		at := r.pos
		if lanes = r.id(); lanes < 1 || lanes > 255 {
			r.fail(at, "the numbers of each element are 1 to 255")
			return interp.Value{}
		}
	}
	var numbers []number
	for r.err == nil && r.take(',') {
		if scalar.IsFloat() {
			numbers = append(numbers, r.number())
		} else {
			numbers = append(numbers, number{r.id(), isInt})
		}
	}
	r.expect(')', "Raw")
	if r.err == nil && len(numbers)%int(lanes) != 0 {
		r.fail(start, "Raw has %d numbers, which are no whole elements of %d", len(numbers), lanes)
	}
	b := r.pack(start, "Raw", scalar, numbers)
	if r.err != nil {
		return interp.Value{}
	}
	if kind == interp.Packed {
		return interp.MakePacked(tag, scalar, int(lanes), b)
	}
	return interp.MakeLanes(tag, scalar, b)
}

// single is the single nearest to i. The conversion in one step is a bit off on
// some machines of 32 bits. In two steps it is right where a double holds i, and
// for larger numbers when the bits that a double has no room for leave their mark
// in its last one.
func single(i int64) float32 {
	if -1<<53 <= i && i <= 1<<53 {
		return float32(float64(i))
	}
	high := i >> 11
	if i&(1<<11-1) != 0 {
		high |= 1
	}
	return float32(float64(high) * (1 << 11))
}
