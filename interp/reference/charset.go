// Character sets: text whose bytes are not its value.

package reference

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/octable/octable/dsl/builtin"
)

// charset is a character set of one byte for each character, or UTF-16 in an order of bytes.
type charset struct {
	table *charmap.Charmap
	limit rune // the table has a character below it only
	order binary.ByteOrder
}

// standard returns a character set, or nil if the bytes of text are its value.
func standard(c builtin.Charset) *charset {
	switch c {
	case builtin.ASCII:
		return &charset{table: charmap.ISO8859_1, limit: 0x80}
	case builtin.Latin1:
		return &charset{table: charmap.ISO8859_1, limit: 0x100}
	case builtin.MacRoman:
		return &charset{table: charmap.Macintosh, limit: utf8.MaxRune}
	case builtin.UTF16Little:
		return &charset{order: binary.LittleEndian}
	case builtin.UTF16Big:
		return &charset{order: binary.BigEndian}
	}
	return nil
}

// decode returns the text in bytes. If they are malformed, bad is the offset of the first
// malformed character; else it is -1.
func (c *charset) decode(b []byte) (text []byte, bad int) {
	if c.table != nil {
		for i, x := range b {
			r := c.table.DecodeByte(x)
			if r >= c.limit {
				return nil, i
			}
			text = utf8.AppendRune(text, r)
		}
		return text, -1
	}
	for at := 0; at < len(b); at += 2 {
		if len(b)-at < 2 {
			return nil, at
		}
		r := rune(c.order.Uint16(b[at:]))
		if utf16.IsSurrogate(r) {
			if len(b)-at < 4 {
				return nil, at
			}
			if r = utf16.DecodeRune(r, rune(c.order.Uint16(b[at+2:]))); r == utf8.RuneError {
				return nil, at
			}
			at += 2
		}
		text = utf8.AppendRune(text, r)
	}
	return text, -1
}

// encode returns the bytes of a text. A character that cannot be written becomes a question
// mark.
func (c *charset) encode(text []byte) []byte {
	var out []byte
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			r = '?'
		}
		text = text[n:]
		if c.table != nil {
			x, ok := c.table.EncodeRune(r)
			if !ok || r >= c.limit {
				x = '?'
			}
			out = append(out, x)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			out = append(out, 0, 0)
			c.order.PutUint16(out[len(out)-2:], unit)
		}
	}
	return out
}
