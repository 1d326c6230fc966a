// Texts of several packets.

package asm

import "strings"

// Part is one packet of a text of several.
type Part struct {
	Text []byte
	Line int    // of its beginning in the whole text, from 0
	Name string // the comment on the line before, or ""
}

// Split returns the packets of a text, each of which begins with a line such as "packet my-format". A text without such a line is one
// part, which the assembler refuses.
func Split(text []byte) (parts []Part) {
	line, begin, comment := 0, 0, ""
	at, first := 0, 0 // of the part
	add := func(end int) {
		if len(parts) > 0 {
			parts[len(parts)-1].Text = text[first:end]
		}
	}
	for s := range strings.Lines(string(text)) {
		words, _, _ := strings.Cut(s, "//")
		switch {
		case strings.HasPrefix(s, "packet ") && headed(strings.Fields(words)):
			if comment == "" {
				begin = at
			}
			add(begin)
			first = at
			parts = append(parts, Part{Line: line, Name: comment})
			comment = ""
		case strings.HasPrefix(s, "//"):
			if comment == "" {
				begin = at
			}
			comment = strings.TrimSpace(s[2:])
		default:
			comment = ""
		}
		at += len(s)
		line++
	}
	add(len(text))
	if len(parts) == 0 {
		return []Part{{Text: text}}
	}
	return parts
}

// headed reports whether the words of a line are those of the first line of a packet.
func headed(words []string) bool {
	if len(words) < 2 || strings.ContainsAny(words[1], "{[<\"=") {
		return false
	}
	for _, w := range words[2:] {
		if w != "open" && w != "exact" {
			return false
		}
	}
	return true
}
