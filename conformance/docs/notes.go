// Notes: what no table can say, as text files of package spec.

package docs

import (
	"strings"

	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

// notes are those of one schema.
type notes struct {
	title, label string
	classes      bool              // arms are classes of the engine's manual
	plain        []string          // names of arms that are not
	framing      string            // id of the schema that surrounds values in files and streams
	parts        map[string]string // by heading: intro, packet, type NAME …
	has          map[string]bool
	inherited    *notes
}

// Framing returns the id of the schema that surrounds values of a schema in files and streams, or "".
func Framing(s *schema.Schema) string { return notesOf(s).framing }

// notesOf returns the notes of a schema, which include those of the schemas that it
// extends.
func notesOf(s *schema.Schema) *notes {
	var n *notes
	for _, one := range s.Lineage() {
		text, ok := spec.Notes(one.ID)
		if !ok {
			continue
		}
		n = parseNotes(string(text), n)
	}
	if n == nil {
		n = &notes{}
	}
	return n
}

// parseNotes reads notes: lines that begin with @ say what the lines after them
// are about.
func parseNotes(text string, on *notes) *notes {
	n := &notes{parts: map[string]string{}, has: map[string]bool{}, inherited: on}
	if on != nil {
		n.title, n.label, n.classes, n.plain, n.framing = on.title, on.label, on.classes, on.plain, on.framing
	}
	at := ""
	for line := range strings.Lines(text) {
		head, ok := strings.CutPrefix(line, "@")
		if !ok {
			if at != "" {
				n.parts[at] += line
			}
			continue
		}
		head = strings.TrimSpace(head)
		word, rest, _ := strings.Cut(head, " ")
		switch word {
		case "title":
			n.title = rest
		case "label":
			n.label = rest
		case "classes":
			n.classes = rest != "no"
			_, but, _ := strings.Cut(rest, "but ")
			n.plain = strings.Fields(but)
		case "framing":
			if at = word; rest != "" {
				n.framing = rest
			}
			n.has[at] = true
		default:
			at = head
			n.has[at] = true
		}
	}
	return n
}

// part returns the text under a heading: that of the newest schema that has one.
func (n *notes) part(head string) string {
	for ; n != nil; n = n.inherited {
		if n.has[head] {
			return n.parts[head]
		}
	}
	return ""
}

// blocks reads the text of a note. Paragraphs are apart by empty lines; a line
// that begins with "- " is a point of a list, with "> " a note, and lines that
// begin with four blanks are a listing.
func (b *builder) blocks(text string) []Block {
	var out []Block
	var lines []string
	flush := func() {
		if lines == nil {
			return
		}
		text := strings.Join(lines, " ")
		if rest, ok := strings.CutPrefix(text, "> "); ok {
			out = append(out, Note{b.text(strings.ReplaceAll(rest, " > ", " "))})
		} else {
			out = append(out, Paragraph{b.text(text)})
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n ")
		switch {
		case line == "":
			flush()
		case strings.HasPrefix(line, "    "):
			flush()
			if l, ok := last[Listing](out); ok {
				out[len(out)-1] = Listing{l.Text + "\n" + line[4:]}
			} else {
				out = append(out, Listing{line[4:]})
			}
		case strings.HasPrefix(line, "- "):
			flush()
			item := b.text(line[2:])
			if l, ok := last[List](out); ok {
				out[len(out)-1] = List{append(l.Items, item)}
			} else {
				out = append(out, List{[]Text{item}})
			}
		case strings.HasPrefix(line, "  "): // a point goes on
			if l, ok := last[List](out); ok && lines == nil {
				n := len(l.Items) - 1
				l.Items[n] = join(l.Items[n], plain(" "), b.text(strings.TrimSpace(line)))
				break
			}
			lines = append(lines, strings.TrimSpace(line))
		default:
			lines = append(lines, line)
		}
	}
	flush()
	return out
}

func last[T any](list []Block) (T, bool) {
	if len(list) == 0 {
		var none T
		return none, false
	}
	x, ok := list[len(list)-1].(T)
	return x, ok
}

// text reads running text. It may have `code`, *emphasis*, {Type} for a section of the
// page, {class FileAccess} and {method FileAccess.get_var} for the engine's manual.
func (b *builder) text(s string) Text {
	var out Text
	for s != "" {
		i := strings.IndexAny(s, "`*{")
		if i < 0 {
			break
		}
		end := map[byte]string{'`': "`", '*': "*", '{': "}"}[s[i]]
		n := strings.Index(s[i+1:], end)
		if n < 0 {
			break
		}
		inner := s[i+1 : i+1+n]
		if i > 0 {
			out = append(out, Span{Text: s[:i]})
		}
		switch s[i] {
		case '`':
			out = append(out, Span{Style: Code, Text: inner})
		case '*':
			out = append(out, Span{Style: Emph, Text: inner})
		default:
			out = append(out, b.reference(inner))
		}
		s = s[i+n+2:]
	}
	if s != "" {
		out = append(out, Span{Text: s})
	}
	return out
}

// reference reads the text in braces.
func (b *builder) reference(inner string) Span {
	word, rest, _ := strings.Cut(inner, " ")
	switch word {
	case "class":
		return b.class(rest, rest)
	case "method":
		class, method, _ := strings.Cut(rest, ".")
		s := b.class(class, method+"()")
		if s.Style == Class {
			s.Ref = class + "_method_" + method
		}
		return s
	}
	if a := b.anchors[inner]; a != "" {
		return Span{Style: Link, Text: inner, Ref: a}
	}
	return Span{Style: Code, Text: inner}
}

// class names a class of the engine.
func (b *builder) class(name, text string) Span {
	if !b.notes.classes {
		return Span{Style: Code, Text: text}
	}
	return Span{Style: Class, Text: text, Ref: name}
}
