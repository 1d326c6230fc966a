// Foreign text, made harmless.

package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean returns a text that can be shown on a terminal. It shows as numbers: control
// characters, characters that change the direction of text, and bytes that are not UTF-8.
// Newlines and tabs stay where lines is set.
func clean(s string, lines bool) string {
	if isClean(s, lines) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case harmless(r, lines):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
		i += n
	}
	return b.String()
}

func isClean(s string, lines bool) bool {
	for _, r := range s {
		if !harmless(r, lines) {
			return false
		}
	}
	return utf8.ValidString(s)
}

func harmless(r rune, lines bool) bool {
	switch {
	case r == '\n' || r == '\t':
		return lines
	case r >= ' ' && r < 0x7f:
		return true
	}
	return unicode.IsGraphic(r) && !unicode.Is(unicode.Zl, r) && !unicode.Is(unicode.Zp, r) && !noCharacter(r)
}

// noCharacter reports characters that XML does not allow.
func noCharacter(r rune) bool { return r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef }

// cut shortens a text to about most bytes, with a note of how long it was.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return fmt.Sprintf("%s … %d bytes in all", s[:most], len(s))
}

// tail is cut with the end of the text left.
func tail(s string, most int) string {
	if len(s) <= most {
		return s
	}
	from := len(s) - most
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return fmt.Sprintf("%d bytes in all … %s", len(s), s[from:])
}

// brief is a text as a line of a report has it: clean, and cut to about most
// bytes.
func brief(s string, most int) string { return clean(cut(s, most), false) }
