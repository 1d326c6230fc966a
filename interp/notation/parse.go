package notation

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Error says where a text cannot be read, and what is wrong there.
type Error struct {
	Offset  int // in bytes
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Parse reads a value in the notation. The error, if any, is an [*Error].
func (n *Notation) Parse(text string) (interp.Value, error) { return n.ParseOf(n.p.Root, text) }

// ParseOf reads a value of a routine in the notation. The error, if any, is an [*Error].
func (n *Notation) ParseOf(routine uint32, text string) (interp.Value, error) {
	p := parser{text: text}
	root := p.value(0)
	if p.space(); p.err == nil && p.pos < len(text) {
		p.fail(p.pos, "the value ends before %s; remove what follows", p.found())
	}
	if p.err != nil {
		return interp.Value{}, p.err
	}
	b := builder{n: n, p: n.p, tries: maxTries}
	return b.routine(routine, root)
}

// ParsePart reads the value that a text begins with. Length is the number of bytes up to its end; what
// follows is not read. The error, if any, is an [*Error].
func ParsePart(text string) (s Source, length int, err error) {
	p := parser{text: text}
	root := p.value(0)
	return root, p.pos, p.err
}

// kind is the form of a node.
type kind uint8

const (
	word     kind = iota // a name, with arguments or without
	numeral              // a number
	quoted               // a text
	sequence             // a list
	pairs                // pairs, or fields with names
)

// node is a part of a text: a [Source].
type node struct {
	kind  kind
	text  string // the name, the digits, the content of the quotes
	parts []*node
	p     *parser
	pos   int
	end   int
}

// parser makes nodes of a text. After an error it is at the end of the text.
type parser struct {
	text string
	pos  int
	err  error
}

func (p *parser) fail(pos int, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{pos, fmt.Sprintf(format, args...)}
	}
	p.pos = len(p.text)
}

// space steps over blanks and comments.
func (p *parser) space() {
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.pos++
		case strings.HasPrefix(p.text[p.pos:], "//"):
			if i := strings.IndexByte(p.text[p.pos:], '\n'); i >= 0 {
				p.pos += i
			} else {
				p.pos = len(p.text)
			}
		default:
			return
		}
	}
}

// found describes what is at the cursor.
func (p *parser) found() string {
	if p.pos >= len(p.text) {
		return "the end of the text"
	}
	end := p.pos
	for end < len(p.text) && isWord(p.text[end]) {
		end++
	}
	if end == p.pos {
		_, size := utf8.DecodeRuneInString(p.text[p.pos:])
		end += size
	}
	return strconv.Quote(interp.Clip(p.text[p.pos:end], interp.MaxClip))
}

func isWord(c byte) bool {
	return c == '_' || c == '.' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= utf8.RuneSelf
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// take steps over a byte after blanks, if it is there.
func (p *parser) take(c byte) bool {
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// value parses a value.
func (p *parser) value(nest int) *node {
	p.space()
	n := &node{p: p, pos: p.pos}
	switch {
	case nest > MaxNest:
		p.fail(p.pos, "values are nested more than %d levels deep here", MaxNest)
	case p.pos >= len(p.text):
		p.fail(p.pos, "the text ends where a value should be")
	default:
		p.parse(n, nest)
	}
	n.end = p.pos
	return n
}

func (p *parser) parse(n *node, nest int) {
	switch c := p.text[p.pos]; {
	case c == '{':
		p.pos++
		n.kind = pairs
		p.list(n, '}', nest)
	case c == '[':
		p.pos++
		n.kind = sequence
		p.list(n, ']', nest)
	case c == '"':
		n.kind = quoted
		p.quoted(n)
	case c == '-' || isDigit(c):
		n.kind = numeral
		p.pos++
		for p.pos < len(p.text) && (isWord(p.text[p.pos]) || (p.text[p.pos] == '+' || p.text[p.pos] == '-') && p.text[p.pos-1]|0x20 == 'e' && !strings.HasPrefix(p.text[n.pos:], "0x")) {
			p.pos++
		}
		n.text = p.text[n.pos:p.pos]
	case isWord(c):
		for p.pos < len(p.text) && isWord(p.text[p.pos]) {
			p.pos++
		}
		n.text = p.text[n.pos:p.pos]
		if end := p.pos; p.take('(') {
			p.list(n, ')', nest)
		} else {
			p.pos = end
		}
	default:
		p.fail(p.pos, "a value cannot begin with %s", p.found())
	}
}

// list parses parts with commas up to a bracket. A comma after the last is allowed.
func (p *parser) list(n *node, end byte, nest int) {
	for p.err == nil && !p.take(end) {
		n.parts = append(n.parts, p.value(nest+1))
		if n.kind == pairs {
			if !p.take(':') {
				p.fail(p.pos, "after a name or key there should be \":\", not %s", p.found())
				return
			}
			n.parts = append(n.parts, p.value(nest+1))
		}
		if !p.take(',') && !p.take(end) {
			p.fail(p.pos, "there should be a comma or %q, not %s", end, p.found())
		} else if p.text[p.pos-1] == end {
			return
		}
	}
}

// quoted parses a text in quotes.
func (p *parser) quoted(n *node) {
	end := p.pos + 1
	for end < len(p.text) && p.text[end] != '"' && p.text[end] != '\n' {
		if p.text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(p.text) || p.text[end] != '"' {
		p.fail(p.pos, "the text that begins here has no closing quote on its line")
		return
	}
	text, err := strconv.Unquote(p.text[p.pos : end+1])
	if err != nil {
		p.fail(p.pos, "%s is not a text with the escapes of Go", strconv.Quote(interp.Clip(p.text[p.pos:end+1], interp.MaxClip)))
		return
	}
	n.text = text
	p.pos = end + 1
}

// Errorf returns an error at the node.
func (n *node) Errorf(format string, args ...any) error {
	return &Error{n.pos, fmt.Sprintf(format, args...)}
}

// String returns the text of the node, cut off.
func (n *node) String() string {
	return interp.Clip(n.p.text[n.pos:n.end], interp.MaxClip)
}

// Absent reports whether the node is the word "none".
func (n *node) Absent() bool { return n.kind == word && n.text == "none" && len(n.parts) == 0 }

// Value returns false: a text has no finished values.
func (n *node) Value() (interp.Value, bool) { return interp.Value{}, false }

func sources(nodes []*node) []Source {
	out := make([]Source, len(nodes))
	for i, n := range nodes {
		out[i] = n
	}
	return out
}

// Arm returns the name of a node and its arguments.
func (n *node) Arm() (name string, args []Source, ok bool) {
	if n.kind != word {
		return "", nil, false
	}
	return n.text, sources(n.parts), true
}

// Fields returns pairs whose keys are names.
func (n *node) Fields() ([]Member, bool) {
	if n.kind != pairs {
		return nil, false
	}
	var out []Member
	for i := 0; i+1 < len(n.parts); i += 2 {
		key := n.parts[i]
		if key.kind != word || len(key.parts) > 0 {
			return nil, false
		}
		out = append(out, Member{key.text, n.parts[i+1]})
	}
	return out, true
}

// List returns the elements of a list.
func (n *node) List() ([]Source, bool) {
	if n.kind != sequence {
		return nil, false
	}
	return sources(n.parts), true
}

// Pairs returns keys and values.
func (n *node) Pairs() ([]Source, bool) {
	if n.kind != pairs {
		return nil, false
	}
	return sources(n.parts), true
}

// Bool returns true or false.
func (n *node) Bool() (value, ok bool) {
	return n.text == "true", n.kind == word && (n.text == "true" || n.text == "false") && len(n.parts) == 0
}

// Whole returns an integer.
func (n *node) Whole() (bits uint64, negative, ok bool) {
	if n.kind != numeral {
		return 0, false, false
	}
	return Whole(strings.ReplaceAll(n.text, "_", ""))
}

// Whole returns the integer of a numeral, decimal or hexadecimal after 0x.
func Whole(text string) (bits uint64, negative, ok bool) {
	digits, negative := strings.CutPrefix(text, "-")
	base := 10
	if rest, hex := strings.CutPrefix(strings.ToLower(digits), "0x"); hex {
		digits, base = rest, 16
	}
	bits, err := strconv.ParseUint(digits, base, 64)
	if err != nil || negative && bits > 1<<63 {
		return 0, false, false
	}
	if negative {
		return -bits, bits != 0, true
	}
	return bits, false, true
}

// Real returns a real number.
func (n *node) Real(s bytecode.Scalar) (bits uint64, ok bool) {
	switch {
	case n.kind == numeral:
		return Real(strings.ReplaceAll(n.text, "_", ""), s)
	case n.kind == word && n.text == "nan" && len(n.parts) == 1 && n.parts[0].kind == numeral:
		digits, ok := strings.CutPrefix(n.parts[0].text, "0x")
		if !ok {
			return 0, false
		}
		return Real("nan:"+digits, s)
	case n.kind == word && len(n.parts) == 0:
		return Real(n.text, s)
	}
	return 0, false
}

// Real returns the bits of a real number in a scalar. The text is a decimal, inf, -inf, nan, or nan: and the
// bits of a NaN in the hexadecimal digits of a scalar. Decimals are rounded, except in half precision.
func Real(text string, s bytecode.Scalar) (bits uint64, ok bool) {
	switch text {
	case "nan":
		return ordinaryNaN(s), true
	case "inf":
		return interp.BitsOf(s, math.Inf(1))
	case "-inf":
		return interp.BitsOf(s, math.Inf(-1))
	case "":
		return 0, false
	}
	if digits, nan := strings.CutPrefix(text, "nan:"); nan {
		bits, err := strconv.ParseUint(digits, 16, 64)
		from, known := map[int]bytecode.Scalar{4: bytecode.F16, 8: bytecode.F32, 16: bytecode.F64}[len(digits)]
		if f := interp.RealOf(from, bits); err != nil || !known || f == f {
			return 0, false
		} else if from != s {
			return interp.BitsOf(s, f)
		}
		return bits, true
	}
	if c := text[0]; c != '-' && !isDigit(c) || strings.ContainsAny(text, "pPxX") {
		return 0, false
	}
	precision := 64
	if s != bytecode.F64 {
		precision = 32
	}
	f, err := strconv.ParseFloat(text, precision)
	if err != nil {
		return 0, false
	}
	return interp.BitsOf(s, f)
}

// Text returns a text in quotes.
func (n *node) Text() (string, bool) { return n.text, n.kind == quoted }

// Bytes returns false: a text has bytes as a list.
func (n *node) Bytes() ([]byte, bool) { return nil, false }
