// Text: encodings.

package reference

import (
	"bytes"
	"math/bits"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// byteOrderMark is U+FEFF in UTF-8.
var byteOrderMark = []byte{0xef, 0xbb, 0xbf}

// terminator returns the zero bytes that a writer adds to a text and counts.
func terminator(e *schema.Encoding) int64 { return truth(e != nil && e.NUL == schema.NULCounted) }

// decoded returns the text in bytes. If they are malformed, bad is the offset of the
// first malformed character; else it is -1.
func decoded(e *schema.Encoding, b []byte) (text []byte, bad int) {
	if set := standard(e.Charset); set != nil {
		if e.NUL != schema.NULKeep {
			b, _, _ = bytes.Cut(b, []byte{0})
		}
		return set.decode(b)
	}
	dropped := 0
	if e.DropBOM && bytes.HasPrefix(b, byteOrderMark) {
		dropped = len(byteOrderMark)
		b = b[dropped:]
	}
	if e.NUL != schema.NULKeep {
		b, _, _ = bytes.Cut(b, []byte{0})
	}
	for at := 0; at < len(b); {
		n, char := character(e, b[at:])
		if n == 0 {
			return nil, dropped + at
		}
		text = append(text, char...)
		at += n
	}
	return text, -1
}

// writable reports whether a reader gets a text back from its bytes. A byte order mark
// that a reader drops is not looked for.
func writable(e *schema.Encoding, text []byte) bool {
	marked := *e
	marked.DropBOM = false
	got, bad := decoded(&marked, encoded(e, text))
	return bad < 0 && bytes.Equal(got, text)
}

// encoded returns the bytes of a text, without a zero byte that a writer adds. A character
// that cannot be written becomes a question mark.
func encoded(e *schema.Encoding, text []byte) []byte {
	if set := standard(e.Charset); set != nil {
		return set.encode(text)
	}
	return text
}

// character returns the bytes of the first character and its shortest form. n is 0 if it
// is malformed.
func character(e *schema.Encoding, b []byte) (n int, shortest []byte) {
	if e.Charset == builtin.UTF8Unchecked || b[0] < 0x80 {
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
	shortest = form(number)
	if e.Charset == builtin.UTF8Strict {
		if surrogate := number >= 0xd800 && number <= 0xdfff; surrogate || number > 0x10ffff || len(shortest) < n {
			return 0, nil
		}
		return n, b[:n]
	}
	// Of forms longer than needed, the loose encoding refuses those of 2 bytes, and those
	// of n bytes whose number has at most 5n-11 bits.
	if n == 2 && len(shortest) < 2 || n > 2 && number>>(5*n-11) == 0 {
		return 0, nil
	}
	return n, shortest
}

// form returns the shortest form of a character, which has up to 6 bytes.
func form(number uint32) []byte {
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
