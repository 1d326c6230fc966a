// Texts: offsets in bytes, and the lines and characters of the protocol.

package lsp

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// text is a document with the places where its lines begin.
type text struct {
	s     string
	lines []int
	utf8  bool // characters are counted in bytes, not in units of UTF-16
}

func newText(s string, inBytes bool) *text {
	t := &text{s: s, lines: []int{0}, utf8: inBytes}
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' || s[i] == '\r' && (i+1 == len(s) || s[i+1] != '\n') {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// mark is the length of the byte order mark at the beginning. The places of a
// schema do not count it.
func (t *text) mark() int {
	if strings.HasPrefix(t.s, "\ufeff") {
		return len("\ufeff")
	}
	return 0
}

// line is a line without its end.
func (t *text) line(n int) string {
	if n < 0 || n >= len(t.lines) {
		return ""
	}
	end := len(t.s)
	if n+1 < len(t.lines) {
		end = t.lines[n+1]
	}
	return strings.TrimRight(t.s[t.lines[n]:end], "\r\n")
}

// offset returns the place of a position. A position beyond the end of a line, or
// of the text, is at that end.
func (t *text) offset(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(t.lines):
		return len(t.s)
	}
	line := t.line(p.Line)
	at := 0
	for units := 0; at < len(line); {
		r, n := utf8.DecodeRuneInString(line[at:])
		if units += t.units(r, n); units > p.Character {
			break
		}
		at += n
	}
	return t.lines[p.Line] + at
}

// position is the line and character of an offset.
func (t *text) position(offset int) position {
	offset = min(max(offset, 0), len(t.s))
	line := sort.SearchInts(t.lines, offset+1) - 1
	p := position{Line: line}
	for at := t.lines[line]; at < offset; {
		r, n := utf8.DecodeRuneInString(t.s[at:])
		p.Character += t.units(r, n)
		at += n
	}
	return p
}

func (t *text) units(r rune, bytes int) int {
	switch {
	case t.utf8:
		return bytes
	case r > 0xffff:
		return 2
	}
	return 1
}

func (t *text) span(from, to int) textRange { return textRange{t.position(from), t.position(to)} }

// change returns the text with a part of it replaced.
func (t *text) change(c contentChange) *text {
	if c.Range == nil {
		return newText(c.Text, t.utf8)
	}
	from, to := t.offset(c.Range.Start), t.offset(c.Range.End)
	return newText(t.s[:from]+c.Text+t.s[max(from, to):], t.utf8)
}
