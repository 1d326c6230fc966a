// Delimiters: text and bytes that end before a terminator, before bytes that fill their row,
// or at the end of their region.

package interp

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// indexUnits returns where a delimiter begins first in code units, or -1.
func indexUnits(b []byte, delimiter string, unit int) int {
	for at := 0; ; at++ {
		n := bytes.Index(b[at:], []byte(delimiter))
		if n < 0 {
			return -1
		}
		if at += n; at%unit == 0 {
			return at
		}
	}
}

// filledAt returns where the bytes that fill a row begin. They are the code units of the fill at the end of the row, and a byte
// behind its last code unit. With first they begin at the first code unit of the fill.
func filledAt(row []byte, fill string, first bool) int {
	unit := len(fill)
	n := len(row) - len(row)%unit
	if first {
		if at := indexUnits(row, fill, unit); at >= 0 {
			return at
		}
		return n
	}
	for n > 0 && string(row[n-unit:n]) == fill {
		n -= unit
	}
	return n
}

// ends reports whether a reader finds the end of content that is followed by a delimiter. With last, the delimiter is a code
// unit that fills a row, and the content ends before the last run of it.
func ends(content []byte, delimiter string, unit int, last bool) bool {
	if last {
		return !bytes.HasSuffix(content, []byte(delimiter))
	}
	if len(delimiter) <= 1 {
		return delimiter == "" || bytes.IndexByte(content, delimiter[0]) < 0
	}
	tail := content[max(0, len(content)-len(delimiter)):]
	return indexUnits(content, delimiter, unit) < 0 && indexUnits([]byte(string(tail)+delimiter), delimiter, unit) == len(tail)
}

// FilledAt is filledAt for package codec. Generated code copies filledAt, and exports no such function.
func FilledAt(row []byte, fill string, first bool) int { return filledAt(row, fill, first) }

// Ends is ends for package codec. Generated code copies ends.
func Ends(content []byte, delimiter string, unit int, last bool) bool {
	return ends(content, delimiter, unit, last)
}

// lacking says which bytes content lacks, so that a reader finds its end.
func lacking(content, end string, last bool) string {
	if last {
		return content + " without the bytes " + hexText(end) + " at its end, which fill the row"
	}
	return content + " without the bytes " + hexText(end) + ", which end it"
}

// hexText prints bytes in hexadecimal.
func hexText(b string) string {
	var out []string
	for i := range len(b) {
		out = append(out, hex(b[i])[2:])
	}
	return strings.Join(out, " ")
}

// until reads content up to a terminator, or up to the end of the region.
func (g *reading) until(in *bytecode.Instr) (Value, bool) {
	at, rest := g.pos, g.in[g.pos:g.end]
	end, unit, _ := g.p.Delimiter(in)
	n := len(rest)
	if end != "" {
		n = indexUnits(rest, end, unit)
	}
	if n < 0 {
		return Value{}, g.fail(ErrTruncated, at, in.Rule, "the bytes "+hexText(end)+" after "+g.row(in.Rule), countOf(len(rest), "byte")+" without them")
	}
	g.last = n + len(end)
	g.pos += g.last
	return g.content(in, rest[:n:n], at)
}

// filled reads content and the bytes that fill its row.
func (g *reading) filled(in *bytecode.Instr, size int64) (Value, bool) {
	at := g.pos
	b, ok := g.claim(size, 1, in.Rule)
	if !ok {
		return Value{}, false
	}
	g.last = len(b)
	fill, _, last := g.p.Delimiter(in)
	n := filledAt(b, fill, !last)
	if len(b)-n > builtin.MaxFill {
		return Value{}, g.fail(ErrLimit, at, in.Rule, fmt.Sprintf("at most %d bytes that fill %s", builtin.MaxFill, g.row(in.Rule)), strconv.Itoa(len(b)-n))
	}
	if i := len(b) - 1; last && n < len(b) && b[i] != fill[0] { // behind the last code unit
		return Value{}, g.fail(ErrValue, at+i, in.Rule, "a row filled with "+hex(fill[0]), hex(b[i]))
	}
	return g.content(in, b[:n:n], at)
}

// content makes a value of the bytes of a row that begins at an offset. Text that an
// encoding makes shorter must still end where its row says, and no zero byte may end it before bytes that fill its row.
func (g *reading) content(in *bytecode.Instr, b []byte, at int) (Value, bool) {
	if in.A == bytecode.None {
		return g.counted(MakePacked(0, bytecode.U8, 1, b), at, in.Rule)
	}
	v, ok := g.text(in, b, at)
	if !ok {
		return v, false
	}
	enc, written := &g.p.Encodings[in.A], v.Bytes()
	if !enc.Charset.Verbatim() {
		written, _, _ = encodeText(enc, written)
	}
	switch end, unit, last := g.p.Delimiter(in); {
	case len(written) == len(b):
	case last && enc.NUL != bytecode.NULKeep && bytes.IndexByte(b, 0) >= 0:
		return Value{}, g.fail(ErrValue, at, in.Rule, "text without a zero byte, which ends it before its row is filled", "")
	case !ends(written, end, unit, last):
		return Value{}, g.fail(ErrValue, at, in.Rule, lacking("text", end, last), "")
	}
	return v, true
}

// content is what an instruction writes of a value.
type content struct {
	b   []byte
	bad int    // why is not empty: the byte of the text that cannot be written
	why string // text: the reason why a reader would not get it back; "" if it would
}

// octets refuses a value unless it is bytes.
func (g *writing) octets(v *Value, rule uint32) bool {
	switch {
	case v.kind != Packed || v.Width() != 1:
		return g.mismatch(rule, *v, ArrayOf(1, bytecode.U8))
	case v.Scalar() != bytecode.U8:
		return g.mismatch(rule, *v, "numbers of u8")
	}
	return true
}

// content returns the content of a value, which must end where a reader finds its end.
func (g *writing) content(in *bytecode.Instr, v *Value) (content, bool) {
	switch {
	case in.A == bytecode.None && !g.octets(v, in.Rule):
		return content{}, false
	case in.A != bytecode.None && v.kind != Text:
		return content{}, g.mismatch(in.Rule, *v, "text")
	}
	c := contentOf(g.p, in, v)
	if end, unit, last := g.p.Delimiter(in); !ends(c.b, end, unit, last) {
		return content{}, g.fail(ErrValue, in.Rule, lacking("content", end, last), "")
	}
	return c, true
}

// contentOf returns the content of a value.
func contentOf(p *bytecode.Program, in *bytecode.Instr, v *Value) (c content) {
	if in.A == bytecode.None {
		return content{b: v.Bytes()}
	}
	c.b, c.bad, c.why = encodeText(&p.Encodings[in.A], v.Bytes())
	return c
}

// putContent writes content, unless it is text that a reader would not get back.
func (g *writing) putContent(in *bytecode.Instr, c content) bool {
	if c.why != "" {
		return g.fail(ErrText, in.Rule, "text that a reader gets back", fmt.Sprintf("%s, at byte %d of it", c.why, c.bad))
	}
	g.out = append(g.out, c.b...)
	return true
}

// until writes content and its terminator.
func (g *writing) until(in *bytecode.Instr, v *Value) bool {
	c, ok := g.content(in, v)
	if !ok || !g.putContent(in, c) {
		return false
	}
	g.out = append(g.out, g.p.Strings[in.B]...)
	g.last = len(c.b) + len(g.p.Strings[in.B])
	return true
}

// filled writes content and fills its row.
func (g *writing) filled(in *bytecode.Instr, v *Value, size func() (int64, bool)) bool {
	c, ok := g.content(in, v)
	if !ok {
		return false
	}
	n, ok := size()
	fill := n - int64(len(c.b))
	switch {
	case !ok:
		return false
	case fill < 0:
		return g.fail(ErrRange, in.Rule, fmt.Sprintf("at most %d bytes, as the fields before it say", n), strconv.Itoa(len(c.b)))
	case fill > builtin.MaxFill:
		return g.fail(ErrLimit, in.Rule, fmt.Sprintf("at most %d bytes that fill %s", builtin.MaxFill, g.p.Rules[in.Rule].Name), fmt.Sprint(fill))
	case !g.putContent(in, c):
		return false
	}
	for range fill {
		g.out = append(g.out, byte(in.D))
	}
	g.last = int(n)
	return true
}

// delimit changes drawn content, whose code units are bytes, until a reader finds its end. It replaces bytes, and cuts text.
func delimit(p *bytecode.Program, in *bytecode.Instr, b []byte) []byte {
	end, unit, last := p.Delimiter(in)
	other := byte(0)
	for strings.IndexByte(end, other) >= 0 {
		other++
	}
	if in.A == bytecode.None && !last {
		b = bytes.ReplaceAll(b, []byte(end), bytes.Repeat([]byte{other}, len(end)))
	}
	for !ends(b, end, unit, last) {
		at := len(b) - unit
		if !last {
			at = bytes.Index(append(b[:len(b):len(b)], end...), []byte(end))
		}
		if in.A == bytecode.None {
			b[at] = other
			continue
		}
		b = b[:at]
	}
	for in.A != bytecode.None && len(b) > 0 && (!readable(&p.Encodings[in.A], b) || !ends(b, end, unit, last)) {
		b = b[:len(b)-1]
	}
	return b
}

// delimitText cuts drawn text until a reader finds its end. The text then takes at
// most as many bytes as most says, unless that is negative.
func delimitText(enc *bytecode.Encoding, text []byte, end string, last bool, most int) []byte {
	for len(text) > 0 {
		if b, _, _ := encodeText(enc, text); ends(b, end, enc.Charset.Unit(), last) && (most < 0 || len(b) <= most) {
			break
		}
		_, n := utf8.DecodeLastRune(text)
		text = text[:len(text)-n]
	}
	return text
}
