// Character sets: text whose bytes are not its value.

package interp

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// decodeText applies an encoding to bytes from the wire. The result may share memory with
// b. On failure it returns the place of the first bad byte.
func decodeText(enc *bytecode.Encoding, b []byte) (text []byte, bad int, why string) {
	if enc.Charset.Verbatim() {
		return readText(enc, b)
	}
	if enc.NUL != bytecode.NULKeep {
		if i := bytes.IndexByte(b, 0); i >= 0 {
			b = b[:i]
		}
	}
	if enc.Charset.IsUTF16() {
		return readUnits(b, enc.Charset == builtin.UTF16Big)
	}
	if onlyASCII(b) {
		return b, 0, ""
	}
	upper := enc.Charset.Upper()
	text = make([]byte, 0, len(b))
	for i, c := range b {
		switch {
		case c < utf8.RuneSelf:
			text = append(text, c)
		case len(upper) > 0 && upper[c-utf8.RuneSelf] != 0:
			text = utf8.AppendRune(text, rune(upper[c-utf8.RuneSelf]))
		default:
			return nil, i, badUTF8(b[i:])
		}
	}
	return text, 0, ""
}

// onlyASCII reports whether all bytes are ASCII.
func onlyASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// readUnits returns the text in bytes that are UTF-16.
func readUnits(b []byte, big bool) (text []byte, bad int, why string) {
	unit := func(i int) rune {
		if big {
			return rune(b[i])<<8 | rune(b[i+1])
		}
		return rune(b[i+1])<<8 | rune(b[i])
	}
	text = make([]byte, 0, len(b))
	for i := 0; i < len(b); i += 2 {
		if i+1 == len(b) {
			return nil, i, badUTF8(b[i:])
		}
		r := unit(i)
		if utf16.IsSurrogate(r) {
			if len(b)-i >= 4 {
				r = utf16.DecodeRune(r, unit(i+2))
			}
			if r < 0x10000 {
				return nil, i, badUTF8(b[i:])
			}
			i += 2
		}
		text = utf8.AppendRune(text, r)
	}
	return text, 0, ""
}

// encodeText returns the bytes of text, without a zero byte that a writer adds. Each
// character that cannot be written becomes a question mark; the first one is at bad, which
// is -1 if all can be written.
func encodeText(enc *bytecode.Encoding, text []byte) (b []byte, bad int, why string) {
	if enc.Charset.Verbatim() {
		bad, why = checkText(enc, text)
		return text, bad, why
	}
	if !enc.Charset.IsUTF16() && onlyASCII(text) && (enc.NUL == bytecode.NULKeep || bytes.IndexByte(text, 0) < 0) {
		return text, none, ""
	}
	bad = none
	refuse := func(at int, reason string) {
		if bad < 0 {
			bad, why = at, reason
		}
	}
	upper, wide, big := enc.Charset.Upper(), enc.Charset.IsUTF16(), enc.Charset == builtin.UTF16Big
	put := func(unit rune) {
		switch {
		case big:
			b = append(b, byte(unit>>8), byte(unit))
		case wide:
			b = append(b, byte(unit), byte(unit>>8))
		default:
			b = append(b, byte(unit))
		}
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		at := none
		if r >= utf8.RuneSelf {
			at = slices.Index(upper, uint16(r))
		}
		switch {
		case r == utf8.RuneError && n == 1:
			refuse(i, badUTF8(text[i:]))
			put('?')
		case r == 0 && enc.NUL != bytecode.NULKeep:
			refuse(i, "a NUL, which ends text in this format")
			put(0)
		case r >= 0x10000 && wide:
			high, low := utf16.EncodeRune(r)
			put(high)
			put(low)
		case r < utf8.RuneSelf || wide:
			put(r)
		case r < 0x10000 && at >= 0:
			put(utf8.RuneSelf + rune(at))
		default:
			refuse(i, "the character "+strconv.QuoteRuneToASCII(r)+", which is not in "+enc.Charset.Standard())
			put('?')
		}
		i += n
	}
	return b, bad, why
}

// encodedLen returns the bytes that a text takes, and 0 for other kinds.
func encodedLen(enc *bytecode.Encoding, v Value) int64 {
	if enc.Charset.Verbatim() || v.kind != Text {
		return textLen(enc, v)
	}
	n := utf8.RuneCountInString(v.Text())
	if enc.Charset.IsUTF16() {
		for _, r := range v.Text() {
			if r >= 0x10000 {
				n++
			}
		}
		n *= 2
	}
	return int64(n) + truth(enc.NUL == bytecode.NULCounted)
}
