// Reading the text notation; notation.go describes it.

package variant

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octable/octable/interp"
)

// TextError is codec.TextError.
type TextError struct {
	Line, Column int // from 1; columns count characters
	Message      string
}

// Error returns the place and the message.
func (e *TextError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) // unreachable: package codec has its own type of the error
}

// NewTextError returns an error for the byte at pos of s.
func NewTextError(s string, pos int, message string) *TextError {
	before := s[:min(pos, len(s))]
	line := strings.Count(before, "\n")
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return &TextError{line + 1, column + 1, message}
}

// ParseText reads a value in Godot's text notation, of any version. The
// error, if any, is a [*TextError].
func ParseText(s string) (interp.Value, error) {
	r := textReader{s: s}
	r.pos = len(s) - len(strings.TrimPrefix(s, "\ufeff"))
	v := r.top()
	if r.err != nil {
		return interp.Value{}, r.err
	}
	return v, nil
}

// textReader reads one text. After the first error it is at the end of the
// text, where every further step fails and changes nothing.
type textReader struct {
	s     string
	pos   int
	depth int
	err   error
}

func (r *textReader) fail(pos int, format string, args ...any) {
	if r.err == nil {
		r.err = NewTextError(r.s, pos, fmt.Sprintf(format, args...))
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

// note takes the note with the given name, if it is here, and returns what
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
		r.fail(at, "after ;@wide there is %s; end the line there", QuoteShort(rest))
	}
	return ok
}

// found describes the text at the reader, for messages.
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
	return QuoteShort(r.s[r.pos:end])
}

// QuoteShort quotes s for a message, cut if it is long.
func QuoteShort(s string) string {
	return strconv.Quote(interp.Clip(s, interp.MaxClip))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// take takes the byte c, after blanks, if it is here.
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

// word takes an identifier, if one is here.
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
	if r.depth >= MaxTextDepth {
		r.fail(r.pos, "values are nested more than %d levels deep here", MaxTextDepth)
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
	case "TypedArray":
		return r.elements(TypedArrayType, name)
	case "PackedTypedArray":
		return r.elements(PackedTypedArrayType, name)
	case "Raw":
		return r.rawValue()
	case "Resource", "SubResource", "ExtResource":
		r.fail(start, "%s(...) refers to a file of a project, which only the engine can load; write the value itself", name)
		return interp.Value{}
	case "InputEvent", "Image":
		r.fail(start, "%s is not read in the form of old engines; see Raw in the documentation of the notation", name)
		return interp.Value{}
	}
	t, ok := TypesByName[name]
	if !ok {
		t, ok = constructors[name]
	}
	switch {
	case ok && t == PackedStringArray:
		r.expect('(', name)
		return interp.MakeList(uint16(PackedStringArray), r.texts(')', name))
	case ok && LayoutOf(t).Lanes > 0:
		return r.numeric(t, name)
	}
	r.fail(start, "%s is no value and no type that values are made of; a text is written in quotes", QuoteShort(name))
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

// quoted reads a text whose opening quote is here.
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

// escape reads an escape, whose backslash is here, and appends its character.
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

// hex reads the digits of \u or \U, whose letter is here.
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
