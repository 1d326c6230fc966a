// Parsing JSON into nodes, with the place of each.

package variant

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// jsonNode is a piece of JSON.
type jsonNode struct {
	pos   int
	kind  byte       // its first letter: n t f " [ {, and 0 for numbers
	text  string     // a string's text, a number in its digits, or a long list of leaves without its brackets
	parts []jsonNode // elements of other lists, or keys and values in turn
}

var jsonKinds = map[byte]string{
	'n': "null", 't': "true", 'f': "false", '0': "a number", '"': "a string", '[': "a list", '{': "an object",
}

// jsonParser reads JSON in two steps: text to nodes, nodes to values. After the
// first error it goes on without effect.
type jsonParser struct {
	s     string
	pos   int
	depth int
	err   error
}

func (p *jsonParser) fail(pos int, format string, args ...any) {
	if p.err == nil {
		p.err = NewTextError(p.s, pos, fmt.Sprintf(format, args...))
	}
	p.pos = len(p.s)
}

func (p *jsonParser) space() {
	for p.pos < len(p.s) && (p.s[p.pos] == ' ' || p.s[p.pos] == '\t' || p.s[p.pos] == '\n' || p.s[p.pos] == '\r') {
		p.pos++
	}
}

func (p *jsonParser) found() string {
	r := textReader{s: p.s, pos: p.pos}
	return r.found()
}

func (p *jsonParser) take(c byte) bool {
	p.space()
	if p.pos < len(p.s) && p.s[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *jsonParser) expect(c byte, where string) {
	if !p.take(c) {
		p.fail(p.pos, "%s there should be %q, not %s", where, c, p.found())
	}
}

func (p *jsonParser) node() jsonNode {
	p.space()
	n := jsonNode{pos: p.pos}
	if p.pos >= len(p.s) {
		p.fail(p.pos, "the JSON ends where a value should be")
		return n
	}
	switch c := p.s[p.pos]; {
	case c == '{' || c == '[':
		if p.depth >= MaxTextDepth {
			p.fail(p.pos, "lists and objects are nested more than %d levels deep here", MaxTextDepth)
			return n
		}
		p.depth++
		p.pos++
		n.kind = c
		if c == '[' {
			n.text, n.parts = p.items()
		} else {
			n.parts = p.members()
		}
		p.depth--
	case c == '"':
		n.kind = '"'
		n.text = p.quoted()
	case c == '-' || isDigit(c):
		n.kind = '0'
		n.text = p.number()
	default:
		start := p.pos
		for p.pos < len(p.s) && isLetter(p.s[p.pos]) {
			p.pos++
		}
		n.kind = c
		if word := p.s[start:p.pos]; word != "null" && word != "true" && word != "false" {
			p.pos = start
			p.fail(start, "JSON has no value that begins with %s", p.found())
		}
	}
	return n
}

// items returns the elements of a list. Those of a long list of numbers and strings remain text, as
// millions of nodes take a gigabyte.
func (p *jsonParser) items() (leaves string, items []jsonNode) {
	if p.take(']') {
		return "", nil
	}
	start := p.pos
	flat := true
	for p.err == nil {
		if len(items) == longList {
			if flat && p.skipLeaves() {
				return p.s[start : p.pos-1], nil
			}
			// Growing step by step copies millions of nodes again and again.
			items = slices.Grow(items, p.flat()/((p.pos-start)/longList))
		}
		n := p.node()
		flat = flat && n.isLeaf()
		items = append(items, n)
		if !p.take(',') {
			p.expect(']', "after an element")
			break
		}
	}
	return "", items
}

// isLeaf reports whether a node is a number or a string.
func (n *jsonNode) isLeaf() bool { return n.kind == '0' || n.kind == '"' }

// skipLeaves moves behind the end of a list if its remaining elements are numbers and strings. Otherwise it changes nothing.
func (p *jsonParser) skipLeaves() bool {
	start := p.pos
	for {
		if p.space(); p.pos < len(p.s) && (p.s[p.pos] == '[' || p.s[p.pos] == '{') {
			break
		}
		n := p.node()
		if p.err != nil || !n.isLeaf() {
			break
		}
		if p.take(']') {
			return true
		}
		if !p.take(',') {
			break
		}
	}
	p.pos, p.err = start, nil
	return false
}

// each yields the elements of a list. A node is valid until the next one.
func (p *jsonParser) each(n *jsonNode) iter.Seq[*jsonNode] {
	return func(yield func(*jsonNode) bool) {
		if n.kind != '[' || n.text == "" {
			for i := range n.parts {
				if !yield(&n.parts[i]) {
					return
				}
			}
			return
		}
		list := jsonParser{s: p.s, pos: n.pos + 1}
		var item jsonNode
		for more := true; more; more = list.take(',') {
			if item = list.node(); !yield(&item) {
				return
			}
		}
	}
}

// count returns the number of elements of a list.
func (p *jsonParser) count(n *jsonNode) int {
	if n.kind != '[' || n.text == "" {
		return len(n.parts)
	}
	count := 0
	for range p.each(n) {
		count++
	}
	return count
}

// elements returns the elements of a list, or the keys and values of an object in turn.
func (p *jsonParser) elements(n *jsonNode) []jsonNode {
	if n.kind == '[' && n.text != "" {
		list := make([]jsonNode, 0, p.count(n))
		for item := range p.each(n) {
			list = append(list, *item)
		}
		n.text, n.parts = "", list
	}
	return n.parts
}

// longList is the number of elements by which the length of the rest of a list is estimated.
const longList = 1024

// flat returns the number of bytes before the next end or begin of a list or object.
func (p *jsonParser) flat() int {
	ahead := p.s[p.pos:]
	for _, end := range []string{"]", "[", "{"} {
		ahead, _, _ = strings.Cut(ahead, end)
	}
	return len(ahead)
}

func (p *jsonParser) members() []jsonNode {
	var items []jsonNode
	if p.take('}') {
		return nil
	}
	for p.err == nil {
		p.space()
		key := jsonNode{pos: p.pos, kind: '"'}
		if p.pos < len(p.s) && p.s[p.pos] == '"' {
			key.text = p.quoted()
		} else {
			p.fail(p.pos, "a key should be a string, not %s", p.found())
		}
		p.expect(':', "after a key")
		items = append(items, key, p.node())
		if !p.take(',') {
			p.expect('}', "after a member")
			break
		}
	}
	return items
}

func (p *jsonParser) number() string {
	start := p.pos
	digits := func() bool {
		from := p.pos
		for p.pos < len(p.s) && isDigit(p.s[p.pos]) {
			p.pos++
		}
		return p.pos > from
	}
	if p.s[p.pos] == '-' {
		p.pos++
	}
	zero := p.pos < len(p.s) && p.s[p.pos] == '0'
	first := p.pos
	ok := digits() && (!zero || p.pos == first+1)
	if ok && p.pos < len(p.s) && p.s[p.pos] == '.' {
		p.pos++
		ok = digits()
	}
	if ok && p.pos < len(p.s) && (p.s[p.pos] == 'e' || p.s[p.pos] == 'E') {
		p.pos++
		if p.pos < len(p.s) && (p.s[p.pos] == '-' || p.s[p.pos] == '+') {
			p.pos++
		}
		ok = digits()
	}
	if !ok {
		p.fail(start, "%s is no number of JSON", QuoteShort(p.s[start:min(p.pos+1, len(p.s))]))
		return "0"
	}
	return p.s[start:p.pos]
}

func (p *jsonParser) quoted() string {
	open := p.pos
	p.pos++
	start := p.pos
	var buf []byte
	for p.pos < len(p.s) {
		c := p.s[p.pos]
		switch {
		case c == '"':
			p.pos++
			if buf == nil {
				return p.s[start : p.pos-1]
			}
			return string(append(buf, p.s[start:p.pos-1]...))
		case c == '\\':
			if buf == nil {
				buf = make([]byte, 0, 64)
			}
			buf = append(buf, p.s[start:p.pos]...)
			buf = p.escape(buf)
			start = p.pos
		case c < ' ':
			p.fail(p.pos, `a string of JSON must not hold the control character %02X; write \u%04x`, c, c)
		case c < utf8.RuneSelf:
			p.pos++
		default:
			_, size := utf8.DecodeRuneInString(p.s[p.pos:])
			if size == 1 {
				p.fail(p.pos, `the byte %02X is not UTF-8; write text that is not UTF-8 as {"$bytes": base64}`, c)
				return ""
			}
			p.pos += size
		}
	}
	p.fail(open, "the string that begins here has no closing quote")
	return ""
}

func (p *jsonParser) escape(buf []byte) []byte {
	start := p.pos
	p.pos += 2
	if p.pos > len(p.s) {
		p.pos = len(p.s)
		return buf // the missing quote is reported
	}
	switch c := p.s[start+1]; c {
	case '"', '\\', '/':
		return append(buf, c)
	case 'b':
		return append(buf, '\b')
	case 'f':
		return append(buf, '\f')
	case 'n':
		return append(buf, '\n')
	case 'r':
		return append(buf, '\r')
	case 't':
		return append(buf, '\t')
	case 'u':
		code, ok := p.hex4()
		if ok && code >= 0xd800 && code < 0xdc00 && strings.HasPrefix(p.s[p.pos:], `\u`) {
			p.pos += 2
			low, ok := p.hex4()
			if ok && low >= 0xdc00 && low < 0xe000 {
				return utf8.AppendRune(buf, (code-0xd800)<<10+low-0xdc00+0x10000)
			}
		}
		if p.err == nil && ok && (code < 0xd800 || code >= 0xe000) {
			return utf8.AppendRune(buf, code)
		}
		p.fail(start, `\u must be followed by 4 hexadecimal digits, and half of a surrogate pair by the other half; write text that is not UTF-8 as {"$bytes": base64}`)
		return buf
	}
	p.fail(start, `JSON has no escape %s`, QuoteShort(p.s[start:p.pos]))
	return buf
}

func (p *jsonParser) hex4() (rune, bool) {
	if p.pos+4 > len(p.s) {
		return 0, false
	}
	code := rune(0)
	for range 4 {
		d := hexDigit(p.s[p.pos])
		if d < 0 {
			return 0, false
		}
		code = code<<4 | rune(d)
		p.pos++
	}
	return code, true
}

// want fails if n is not of the given kind.
func (p *jsonParser) want(n *jsonNode, kind byte, what string) bool {
	if n.kind == kind {
		return true
	}
	p.fail(n.pos, "%s should be %s, not %s", what, jsonKinds[kind], jsonKinds[n.kind])
	return false
}
