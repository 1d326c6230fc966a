// Character sets: how bytes represent the characters of text.

package builtin

import (
	"encoding/binary"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Charset is a way in which bytes represent characters.
type Charset uint8

// The character sets. The bytes of text in a [Charset.Verbatim] one are its value.
const (
	UTF8Strict    Charset = iota // as RFC 3629 says
	UTF8Loose                    // forms of 1 to 6 bytes; surrogates, and most overlong forms, pass
	UTF8Unchecked                // any bytes
	ASCII                        // the characters up to U+007F
	Latin1                       // ISO 8859-1: the characters up to U+00FF
	MacRoman                     // Mac OS Roman
	UTF16Little                  // UTF-16, the lowest byte of a unit first
	UTF16Big                     // UTF-16, the highest byte of a unit first
	Windows1252                  // Windows-1252, which is often meant by Latin-1
	CP437                        // the code page of the first PC
	NumCharsets
)

// charsets are all character sets.
var charsets = [NumCharsets]struct {
	name, title, standard string
	upper                 []uint16 // the characters of the bytes from 0x80 on, 0 for a byte without one
}{
	UTF8Strict:    {"utf8", "strict UTF-8", "UTF-8", nil},
	UTF8Loose:     {"utf8", "loose UTF-8", "UTF-8", nil},
	UTF8Unchecked: {"utf8", "any bytes", "UTF-8", nil},
	ASCII:         {"ascii", "ASCII", "ASCII", nil},
	Latin1:        {"latin1", "ISO 8859-1", "ISO 8859-1", latin1},
	MacRoman:      {"macroman", "Mac OS Roman", "Mac OS Roman", macRoman},
	UTF16Little:   {"utf16le", "UTF-16, the lowest byte first", "UTF-16", nil},
	UTF16Big:      {"utf16be", "UTF-16, the highest byte first", "UTF-16", nil},
	Windows1252:   {"windows1252", "Windows-1252", "Windows-1252", windows1252},
	CP437:         {"cp437", "code page 437", "code page 437", cp437},
}

var latin1 = func() []uint16 {
	all := make([]uint16, 128)
	for i := range all {
		all[i] = uint16(0x80 + i)
	}
	return all
}()

// macRoman is the table ROMAN.TXT of Apple, of 2005.
var macRoman = units("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø" +
	"¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ")

// windows1252 is the table CP1252.TXT of Unicode, of 1998.
var windows1252 = units("€\x00‚ƒ„…†‡ˆ‰Š‹Œ\x00Ž\x00\x00‘’“”•–—˜™š›œ\x00žŸ" +
	"\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ")

// cp437 is the table CP437.TXT of Unicode, of 1996.
var cp437 = units("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
	"└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0")

func units(s string) []uint16 {
	var all []uint16
	for _, r := range s {
		all = append(all, uint16(r))
	}
	return all
}

// String returns the name of a type of text in the character set.
func (c Charset) String() string { return charsets[c].name }

// Title returns the name of the standard, and the variant of it.
func (c Charset) Title() string { return charsets[c].title }

// Standard returns the name of the standard.
func (c Charset) Standard() string { return charsets[c].standard }

// Verbatim reports whether the bytes of text are its value, which is one of the ways to
// check UTF-8.
func (c Charset) Verbatim() bool { return c <= UTF8Unchecked }

// Unit returns the number of bytes of which each character takes a multiple.
func (c Charset) Unit() int {
	if c.IsUTF16() {
		return 2
	}
	return 1
}

// IsUTF16 reports whether the character set is UTF-16.
func (c Charset) IsUTF16() bool { return c == UTF16Little || c == UTF16Big }

// Upper returns the characters of the bytes from 0x80 on, or nil if these bytes are not
// characters. No character is beyond U+FFFF, and 0 is that of a byte without one.
func (c Charset) Upper() []uint16 { return charsets[c].upper }

// Encode returns the bytes of a text, which is UTF-8. It also reports whether the character set has all of its
// characters.
func (c Charset) Encode(text string) (bytes []byte, ok bool) {
	for _, r := range text {
		at := slices.Index(c.Upper(), uint16(r))
		switch {
		case c.Verbatim():
			bytes = utf8.AppendRune(bytes, r)
		case c.IsUTF16():
			for _, unit := range utf16.AppendRune(nil, r) {
				if c == UTF16Big {
					bytes = binary.BigEndian.AppendUint16(bytes, unit)
				} else {
					bytes = binary.LittleEndian.AppendUint16(bytes, unit)
				}
			}
		case r < 0x80:
			bytes = append(bytes, byte(r))
		case r <= 0xffff && at >= 0:
			bytes = append(bytes, byte(0x80+at))
		default:
			return nil, false
		}
	}
	return bytes, true
}

// UTF16 returns the character set UTF-16 with an order of bytes.
func UTF16(big bool) Charset {
	if big {
		return UTF16Big
	}
	return UTF16Little
}

// CharsetNamed returns the character set of a type of text, or of the rule of an encoding.
// It reports whether there is one. big is the order of bytes of the schema.
func CharsetNamed(name string, big bool) (Charset, bool) {
	if name == "utf16" {
		return UTF16(big), true
	}
	for c := ASCII; c < NumCharsets; c++ {
		if charsets[c].name == name {
			return c, true
		}
	}
	return UTF8Strict, name == "utf8"
}

// CharsetNames returns the names of the character sets other than utf8.
func CharsetNames() []string {
	var all []string
	for c := ASCII; c < NumCharsets; c++ {
		if !c.IsUTF16() {
			all = append(all, charsets[c].name)
		}
	}
	return append(all, "utf16", "utf16le", "utf16be")
}
