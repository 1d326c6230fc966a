// Texts, and bytes that end before a delimiter.

package reference

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// encoding returns the encoding of a text, whose order of bytes may depend on a condition.
func (m *walk) encoding(t *schema.Type, f *frame) *schema.Encoding {
	if t.Big == nil || t.Encoding == nil {
		return t.Encoding
	}
	e := *t.Encoding
	if e.Charset = builtin.UTF16Little; m.known(t.Big, f) != 0 {
		e.Charset = builtin.UTF16Big
	}
	return &e
}

// text walks a text, or bytes with a delimiter. The content has the bytes of its size, or those
// up to a terminator, before the bytes that fill its row, or up to the end of the region.
func (m *walk) text(t *schema.Type, f *frame, v interp.Value) interp.Value {
	e, begin, isText := m.encoding(t, f), m.pos, t.Form == schema.Text
	delimiter, unit := []byte(t.Until+t.Fill), 1
	if isText && orders[e.Charset] != nil {
		delimiter, unit = []byte(t.Until+t.Fill+t.Fill), 2
	}
	found := func(content []byte) int { // where the delimiter begins, after a number of code units; -1 if it does not
		for at := 0; at+len(delimiter) <= len(content); at += unit {
			if bytes.HasPrefix(content[at:], delimiter) {
				return at
			}
		}
		return -1
	}
	last := t.Fill != "" && !t.FillAny
	ends := func(content []byte) bool { // whether a reader finds the end at the delimiter that follows
		if last {
			return !bytes.HasSuffix(content, delimiter)
		}
		return len(delimiter) == 0 || found(slices.Concat(content, delimiter)) == len(content)
	}
	if !m.writes {
		n := int64(m.left())
		if t.Until != "" {
			n = int64(found(plain(m.packet[m.pos:m.end])))
			m.need(n >= 0, interp.ErrTruncated, m.pos, "the bytes % x before the end", delimiter)
		} else if t.Size != nil {
			n = m.known(t.Size, f)
		}
		content := m.take(n, 1)
		m.take(int64(len(t.Until)), 1)
		if t.Fill != "" {
			row := content
			content = row[:len(row)-len(row)%unit] // a byte behind the last code unit fills the row
			if n := found(row); n >= 0 && t.FillAny {
				content = row[:n]
			}
			for last && bytes.HasSuffix(content, delimiter) {
				content = content[:len(content)-unit]
			}
			m.need(len(row)-len(content) <= builtin.MaxFill, interp.ErrLimit, begin, "at most %d bytes that fill a row", builtin.MaxFill)
			for i, b := range row[len(content):] {
				m.need(b == t.Fill[0] || t.FillAny, interp.ErrValue, begin+len(content)+i, "a row filled with % x", t.Fill)
			}
		}
		if !isText {
			return interp.MakePacked(0, builtin.U8, 1, content)
		}
		text, bad := decoded(e, content)
		m.need(bad < 0, interp.ErrText, begin+bad, "a character")
		m.need(!last || e.NUL == schema.NULKeep || !bytes.Contains(content, []byte{0}), interp.ErrValue, begin, "text without a zero byte, which ends it")
		m.need(ends(encoded(e, text)), interp.ErrValue, begin, "text without the bytes % x", delimiter)
		return interp.MakeText(0, string(text))
	}
	var content []byte
	if isText {
		m.must(v, interp.Text)
		content = encoded(e, v.Bytes())
	} else {
		content = m.octets(v)
	}
	m.need(ends(content), interp.ErrValue, m.pos, "content without the bytes % x", delimiter)
	tail := []byte(t.Until)
	if t.Fill != "" {
		n := m.known(t.Size, f) - int64(len(content))
		m.need(n >= 0, interp.ErrRange, m.pos, "content that fits the row, found %d bytes", len(content))
		m.need(n <= builtin.MaxFill, interp.ErrLimit, m.pos, "at most %d bytes that fill a row", builtin.MaxFill)
		tail = bytes.Repeat([]byte(t.Fill), int(n))
	}
	if isText { // a byte order mark that a reader drops is not looked for
		marked := *e
		marked.DropBOM = false
		got, bad := decoded(&marked, content)
		m.need(bad < 0 && bytes.Equal(got, v.Bytes()), interp.ErrText, m.pos, "text that a reader gets back")
	}
	if t.Size != nil && len(delimiter) == 0 {
		tail = make([]byte, terminator(e))
		m.counted(t.Size, int64(len(content)+len(tail)), f)
	}
	m.put(slices.Concat(content, tail)...)
	return v
}

// octets returns the bytes in a value, which must be an array of them.
func (m *walk) octets(v interp.Value) []byte {
	m.must(v, interp.Packed)
	m.need(v.Width() == 1 && v.Scalar() == builtin.U8, interp.ErrMismatch, m.pos, "bytes, found %s", v.Scalar())
	return v.Bytes()
}

// terminator returns the zero bytes that a writer adds to a text and counts.
func terminator(e *schema.Encoding) int64 { return truth(e != nil && e.NUL == schema.NULCounted) }

// decoded returns the text in bytes. If they are malformed, bad is the offset of the
// first malformed character; else it is -1.
func decoded(e *schema.Encoding, b []byte) (text []byte, bad int) {
	mark := []byte{0xef, 0xbb, 0xbf} // U+FEFF in UTF-8
	dropped := 0
	if e.DropBOM && bytes.HasPrefix(b, mark) {
		dropped = len(mark)
		b = b[dropped:]
	}
	if e.NUL != schema.NULKeep {
		b, _, _ = bytes.Cut(b, []byte{0})
	}
	for at := 0; at < len(b); {
		n, char := character(e.Charset, b[at:])
		if n == 0 {
			return nil, dropped + at
		}
		text = append(text, char...)
		at += n
	}
	return text, -1
}

// encoded returns the bytes of a text, without a zero byte that a writer adds. A character
// that cannot be written becomes a question mark.
func encoded(e *schema.Encoding, text []byte) (out []byte) {
	chars, order := characters[e.Charset], orders[e.Charset]
	if chars == nil && order == nil {
		return text
	}
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			r = '?'
		}
		text = text[n:]
		if order == nil {
			if r == utf8.RuneError || !slices.Contains(chars, r) {
				r = '?'
			}
			out = append(out, byte(slices.Index(chars, r)))
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			out = append(out, 0, 0)
			order.PutUint16(out[len(out)-2:], unit)
		}
	}
	return out
}

// characters has the character of each byte, for the character sets of one byte.
var characters = map[builtin.Charset][]rune{
	builtin.ASCII:  first(0x80),
	builtin.Latin1: first(0x100),
	builtin.MacRoman: append(first(0x80), []rune("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø"+
		"¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ")...),
	builtin.Windows1252: slices.Concat(first(0x80), []rune("€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ"), first(0x100)[0xa0:]),
	builtin.CP437: append(first(0x80), []rune("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"+
		"└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0")...),
}

// orders has the order of bytes of UTF-16.
var orders = map[builtin.Charset]binary.ByteOrder{
	builtin.UTF16Little: binary.LittleEndian,
	builtin.UTF16Big:    binary.BigEndian,
}

// first returns the first n characters.
func first(n rune) (all []rune) {
	for r := range n {
		all = append(all, r)
	}
	return all
}

// character returns the size of the first character, and its bytes in a value. n is 0 if it is
// malformed.
func character(c builtin.Charset, b []byte) (n int, char []byte) {
	chars, order := characters[c], orders[c]
	switch {
	case order != nil:
		if len(b) < 2 || utf16.IsSurrogate(rune(order.Uint16(b))) && len(b) < 4 {
			return 0, nil
		}
		r := rune(order.Uint16(b))
		if n = 2; utf16.IsSurrogate(r) {
			if r, n = utf16.DecodeRune(r, rune(order.Uint16(b[2:]))), 4; r == utf8.RuneError {
				return 0, nil
			}
		}
		return n, utf8.AppendRune(nil, r)
	case chars != nil && int(b[0]) < len(chars) && chars[b[0]] != utf8.RuneError:
		return 1, utf8.AppendRune(nil, chars[b[0]])
	case chars != nil:
		return 0, nil
	case c == builtin.UTF8Unchecked || b[0] < 0x80:
		return 1, b[:1]
	}
	n = bits.LeadingZeros8(^b[0]) // the first byte has n bits set, then one that is not
	if n < 2 || n > 6 || n > len(b) {
		return 0, nil
	}
	number := uint32(b[0] & (0xff >> n))
	for _, next := range b[1:n] {
		number = number<<6 | uint32(next&0x3f)
	}
	least := 1
	for len(form(number, least)) == 0 {
		least++
	}
	refused := !bytes.Equal(form(number, n), b[:n])
	switch {
	case c == builtin.UTF8Strict:
		refused = !utf8.Valid(b[:n])
	case n == 2: // of forms longer than needed, the loose encoding refuses those of 2 bytes,
		refused = refused || least < 2
	default: // and those of n bytes whose number has at most 5n-11 bits
		refused = refused || number>>(5*n-11) == 0
	}
	if refused {
		return 0, nil
	}
	return n, form(number, least)
}

// form returns the form of a character in n bytes of UTF-8, or nothing if it needs more. The first
// byte has 7-n bits of it, and each other has 6.
func form(number uint32, n int) (b []byte) {
	switch {
	case n == 1 && number < 0x80:
		return []byte{byte(number)}
	case n == 1 || number>>(5*n+1) != 0:
		return nil
	}
	for i := range n {
		b = append(b, 0x80|byte(number>>(6*(n-1-i))&0x3f))
	}
	b[0] |= byte(0xff << (8 - n))
	return b
}
