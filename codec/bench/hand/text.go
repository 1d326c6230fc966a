// Text: eight bytes at a time while it is plain.

package hand

import (
	"bytes"
	"unicode/utf8"
	"unsafe"
)

const (
	ones = 0x0101010101010101
	high = 0x8080808080808080
)

// mark sets the high bit of each byte of w that is not plain: NUL, or not
// ASCII. It may also mark a byte 1 above a NUL.
func mark(w uint64) uint64 { return ((w - ones) | w) & high }

// plain reports whether the n bytes of text at b[at:] are ASCII without NUL.
// At least eight bytes must precede the text. If it returns false, the text
// may still be valid: see odd.
func plain(b []byte, at, n int) bool {
	if n <= 8 {
		return mark(u64(b, at+n-8))>>(64-8*uint(n)) == 0
	}
	return plainLong(b, at, n)
}

func plainLong(b []byte, at, n int) bool {
	end := at + n - 8
	t := mark(u64(b, end))
	for ; at < end; at += 8 {
		t |= mark(u64(b, at))
	}
	return t == 0
}

// odd returns what a text means that is not plain, and whether it is UTF-8.
//
//go:noinline
func odd(t []byte) ([]byte, bool) {
	t = bytes.TrimPrefix(t, []byte("\xef\xbb\xbf"))
	if i := bytes.IndexByte(t, 0); i >= 0 {
		t = t[:i]
	}
	return t, utf8.Valid(t)
}

// textAt returns the bytes of the text whose length is at b[at:], and the
// position after its padding. It returns an error if the text is refused. At
// least four bytes must precede the length.
func textAt(b []byte, at int) (t []byte, next int, err error) {
	if len(b)-at < 4 {
		return nil, at, fail(at, "text without a length")
	}
	n := int(u32(b, at))
	at += 4
	next = at + (n+3)&^3
	if uint(n) > uint(len(b)-at) || next > len(b) {
		return nil, at, fail(at-4, "text is longer than the packet")
	}
	t = b[at : at+n : at+n]
	if !plain(b, at, n) {
		ok := false
		if t, ok = odd(t); !ok {
			return nil, at, fail(at, "text is not UTF-8")
		}
	}
	return t, next, nil
}

// alias returns a string that shares the memory of b.
func alias(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
