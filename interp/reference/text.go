// Texts: character sets, and text and bytes that end before a delimiter.

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

// text walks a text of a size.
func (m *walk) text(t *schema.Type, f *frame, v interp.Value) interp.Value {
	e, begin := m.encoding(t, f), m.pos
	if !m.writes {
		return m.characters(e, m.take(m.known(t.Size, f), 1), begin)
	}
	m.must(v, interp.Text)
	m.writable(e, v)
	content := encoded(e, v.Bytes())
	m.counted(t.Size, int64(len(content))+terminator(e), f)
	m.put(content...)
	m.put(make([]byte, terminator(e))...)
	return v
}

// delimited reports whether text or bytes end before a delimiter, or text at the end of the
// region.
func delimited(t *schema.Type) bool {
	return t.Until+t.Fill != "" || t.Form == schema.Text && t.Size == nil
}

// delimited walks content that ends before a terminator, before bytes that fill its row, or at the end of
// the region.
func (m *walk) delimited(t *schema.Type, f *frame, v interp.Value) interp.Value {
	e, begin, content := m.encoding(t, f), m.pos, []byte(nil)
	delimiter := []byte(t.Until + t.Fill)
	// A reader finds the end of content at the delimiter that follows it.
	found := func() bool {
		return len(delimiter) == 0 || bytes.Index(slices.Concat(content, delimiter), delimiter) == len(content)
	}
	if !m.writes {
		if t.Fill == "" {
			n := m.left()
			if t.Until != "" {
				n = bytes.Index(plain(m.packet[m.pos:m.end]), delimiter)
			}
			m.need(n >= 0, interp.ErrTruncated, m.pos, "the bytes % x before the end", t.Until)
			content = m.take(int64(n), 1)
			m.take(int64(len(t.Until)), 1)
		} else {
			row := m.take(m.known(t.Size, f), 1)
			content, _, _ = bytes.Cut(row, delimiter)
			m.need(len(row)-len(content) <= builtin.MaxFill, interp.ErrLimit, begin, "%d bytes that fill a row", builtin.MaxFill)
			for i, b := range row[len(content):] {
				m.need(b == t.Fill[0] || t.FillAny, interp.ErrValue, begin+len(content)+i, "a row filled with % x", t.Fill)
			}
		}
		if t.Form == schema.Array {
			return interp.MakePacked(0, builtin.U8, 1, content)
		}
		v = m.characters(e, content, begin)
		content = encoded(e, v.Bytes())
		m.need(found(), interp.ErrValue, begin, "text without the bytes % x", delimiter)
		return v
	}
	if t.Form == schema.Text {
		m.must(v, interp.Text)
		content = encoded(e, v.Bytes())
	} else {
		content = m.octets(v)
	}
	m.need(found(), interp.ErrValue, m.pos, "content without the bytes % x", delimiter)
	fills := int64(0)
	if t.Fill != "" {
		fills = m.known(t.Size, f) - int64(len(content))
	}
	m.need(fills >= 0, interp.ErrRange, m.pos, "at most %d bytes, found %d", int64(len(content))+fills, len(content))
	m.need(fills <= builtin.MaxFill, interp.ErrLimit, m.pos, "at most %d bytes that fill a row", builtin.MaxFill)
	if t.Form == schema.Text {
		m.writable(e, v)
	}
	m.put(slices.Concat(content, []byte(t.Until), bytes.Repeat([]byte(t.Fill), int(fills)))...)
	return v
}

// octets returns the bytes in a value, which must be an array of them.
func (m *walk) octets(v interp.Value) []byte {
	m.must(v, interp.Packed)
	m.need(v.Width() == 1 && v.Scalar() == builtin.U8, interp.ErrMismatch, m.pos, "bytes, found %s", v.Scalar())
	return v.Bytes()
}

// characters returns the text in bytes that begin at an offset.
func (m *walk) characters(e *schema.Encoding, b []byte, begin int) interp.Value {
	text, bad := decoded(e, b)
	m.need(bad < 0, interp.ErrText, begin+bad, "a character")
	return interp.MakeText(0, string(text))
}

// writable refuses a text unless a reader gets it back from its bytes. A byte order mark that a
// reader drops is not looked for.
func (m *walk) writable(e *schema.Encoding, v interp.Value) {
	marked := *e
	marked.DropBOM = false
	got, bad := decoded(&marked, encoded(e, v.Bytes()))
	m.need(bad < 0 && bytes.Equal(got, v.Bytes()), interp.ErrText, m.pos, "text that a reader gets back")
}

// terminator returns the zero bytes that a writer adds to a text and counts.
func terminator(e *schema.Encoding) int64 { return truth(e != nil && e.NUL == schema.NULCounted) }

// decoded returns the text in bytes. If they are malformed, bad is the offset of the
// first malformed character; else it is -1.
func decoded(e *schema.Encoding, b []byte) (text []byte, bad int) {
	mark := []byte{0xef, 0xbb, 0xbf} // U+FEFF in UTF-8
	dropped := 0
	if table, order := table(e.Charset); e.DropBOM && table == nil && order == nil && bytes.HasPrefix(b, mark) {
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
	table, order := table(e.Charset)
	if table == nil && order == nil {
		return text
	}
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			r = '?'
		}
		text = text[n:]
		if order == nil {
			if !slices.Contains(table, r) {
				r = '?'
			}
			out = append(out, byte(slices.Index(table, r)))
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			out = append(out, 0, 0)
			order.PutUint16(out[len(out)-2:], unit)
		}
	}
	return out
}

// table returns the characters of the bytes of a character set, or its order of bytes if it is UTF-16. It returns
// nothing if the bytes of a text are its value.
func table(c builtin.Charset) (all []rune, order binary.ByteOrder) {
	for r := range rune(0x100) {
		all = append(all, r)
	}
	switch c {
	case builtin.ASCII:
		return all[:0x80], nil
	case builtin.Latin1:
		return all, nil
	case builtin.MacRoman:
		return append(all[:0x80], []rune("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø"+
			"¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ")...), nil
	case builtin.UTF16Little:
		return nil, binary.LittleEndian
	case builtin.UTF16Big:
		return nil, binary.BigEndian
	}
	return nil, nil
}

// character returns the size of the first character, and its bytes in a value. n is 0 if it is malformed.
func character(c builtin.Charset, b []byte) (n int, char []byte) {
	table, order := table(c)
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
	case table != nil:
		if int(b[0]) >= len(table) {
			return 0, nil
		}
		return 1, utf8.AppendRune(nil, table[b[0]])
	case c == builtin.UTF8Unchecked || b[0] < 0x80:
		return 1, b[:1]
	}
	n = bits.LeadingZeros8(^b[0]) // the first byte has n bits set, then one that is not
	if n < 2 || n > 6 || n > len(b) {
		return 0, nil
	}
	number := uint32(b[0] & (0xff >> n))
	for _, next := range b[1:n] {
		if next>>6 != 2 {
			return 0, nil
		}
		number = number<<6 | uint32(next&0x3f)
	}
	char = shortestForm(number)
	if c == builtin.UTF8Strict {
		if !utf8.Valid(b[:n]) {
			return 0, nil
		}
		return n, char
	}
	// Of forms longer than needed, the loose encoding refuses those of 2 bytes, and those
	// of n bytes whose number has at most 5n-11 bits.
	if n == 2 && len(char) < 2 || n > 2 && number>>(5*n-11) == 0 {
		return 0, nil
	}
	return n, char
}

// shortestForm returns the shortest form of a character in UTF-8, which has up to 6 bytes.
func shortestForm(number uint32) []byte {
	if number < 0x80 {
		return []byte{byte(number)}
	}
	n := 2
	for n < 6 && number>>(5*n+1) != 0 { // 7-n bits in the first byte, 6 in each other
		n++
	}
	b := make([]byte, n)
	for i := n - 1; i > 0; i-- {
		b[i] = 0x80 | byte(number&0x3f)
		number >>= 6
	}
	b[0] = byte(0xff<<(8-n)) | byte(number)
	return b
}
