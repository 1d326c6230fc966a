// Text: checking, and the rules that formats have for marks and zero bytes.

package interp

import (
	"bytes"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// Each byte of a word.
const (
	textOnes = 0x0101010101010101
	textHigh = 0x8080808080808080
)

// odd marks the high bit of each byte of w that is NUL or not ASCII. It may also
// mark a byte 1 above a NUL.
func odd(w uint64) uint64 { return ((w - textOnes) | w) & textHigh }

// readText applies an encoding to bytes from the wire. The result shares memory
// with b except where b has overlong forms, which are then written short. On
// failure it returns the place of the first bad byte.
func readText(enc *bytecode.Encoding, b []byte) (text []byte, bad int, why string) {
	skip := 0
	if enc.DropBOM && len(b) >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf {
		b, skip = b[3:], 3
	}
	if enc.NUL != bytecode.NULKeep {
		if i := bytes.IndexByte(b, 0); i >= 0 {
			b = b[:i]
		}
	}
	switch enc.Charset {
	case builtin.UTF8Strict:
		if i := invalidUTF8(b); i >= 0 {
			return nil, skip + i, badUTF8(b[i:])
		}
	case builtin.UTF8Loose:
		if utf8.Valid(b) {
			return b, 0, ""
		}
		text, i := readLoose(b)
		if i >= 0 {
			return nil, skip + i, badUTF8(b[i:])
		}
		return text, 0, ""
	}
	return b, 0, ""
}

// checkText reports whether text can be written so that a reader gets it back.
func checkText(enc *bytecode.Encoding, b []byte) (bad int, why string) {
	if enc.NUL != bytecode.NULKeep {
		if i := bytes.IndexByte(b, 0); i >= 0 {
			return i, "a NUL, which ends text in this format"
		}
	}
	switch enc.Charset {
	case builtin.UTF8Strict:
		if i := invalidUTF8(b); i >= 0 {
			return i, badUTF8(b[i:])
		}
	case builtin.UTF8Loose:
		if !utf8.Valid(b) {
			if text, i := readLoose(b); i >= 0 {
				return i, badUTF8(b[i:])
			} else if !bytes.Equal(text, b) {
				return 0, "an overlong form of a character"
			}
		}
	}
	return none, ""
}

// invalidUTF8 returns the place of the first byte that is not UTF-8, or -1.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return none
	}
	i := 0
	for r, n := utf8.DecodeRune(b); r != utf8.RuneError || n != 1; r, n = utf8.DecodeRune(b[i:]) {
		i += n
	}
	return i
}

// badUTF8 says which bytes are not a character.
func badUTF8(b []byte) string {
	out := "the bytes"
	for _, c := range b[:min(len(b), 6)] {
		out += " " + hex(c)[2:]
	}
	return out + ", which are not a character"
}

// readLoose reads forms of 1 to 6 bytes for numbers of up to 31 bits. Surrogates
// pass. Of the overlong forms it refuses those of 2 bytes, and longer ones whose
// first two bytes hold only zeros and whose third has, in its 7 low bits shifted
// right by 7 less the length of the form, only zeros too; others are written
// short in the result. It returns the place of the first byte refused, or -1.
func readLoose(b []byte) ([]byte, int) {
	out := b
	shared := true
	for i := 0; i < len(b); {
		c := b[i]
		var n int
		var value uint32
		switch {
		case c < 0x80:
			n, value = 1, uint32(c)
		case c < 0xc2:
			return nil, i
		case c < 0xe0:
			n, value = 2, uint32(c&0x1f)
		case c < 0xf0:
			n, value = 3, uint32(c&0x0f)
		case c < 0xf8:
			n, value = 4, uint32(c&0x07)
		case c < 0xfc:
			n, value = 5, uint32(c&0x03)
		case c < 0xfe:
			n, value = 6, uint32(c&0x01)
		default:
			return nil, i
		}
		if len(b)-i < n {
			return nil, i
		}
		for k := 1; k < n; k++ {
			d := b[i+k]
			if d&0xc0 != 0x80 {
				return nil, i
			}
			value = value<<6 | uint32(d&0x3f)
			if k == 1 && n > 2 && value == 0 && (b[i+2]&0x7f)>>(7-n) == 0 {
				return nil, i
			}
		}
		if form := formLength(value); form < n {
			if shared {
				out, shared = append(make([]byte, 0, len(b)), b[:i]...), false
			}
			out = appendForm(out, value, form)
		} else if !shared {
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out, none
}

// formLength is the number of bytes of the shortest form.
func formLength(value uint32) int {
	switch {
	case value < 1<<7:
		return 1
	case value < 1<<11:
		return 2
	case value < 1<<16:
		return 3
	case value < 1<<21:
		return 4
	case value < 1<<26:
		return 5
	}
	return 6
}

// appendForm appends the form of n bytes.
func appendForm(out []byte, value uint32, n int) []byte {
	if n == 1 {
		return append(out, byte(value))
	}
	lead := [7]byte{2: 0xc0, 3: 0xe0, 4: 0xf0, 5: 0xf8, 6: 0xfc}
	out = append(out, lead[n]|byte(value>>(6*(n-1))))
	for k := n - 2; k >= 0; k-- {
		out = append(out, 0x80|byte(value>>(6*k))&0x3f)
	}
	return out
}
