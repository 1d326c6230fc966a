// Laying out: blank lines, aligned cells, and the text of lines.

package dsl

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// settle decides for the lines of one declaration where their comments and blank
// lines go.
func (p *printer) settle(lines []*line, first bool) {
	for i, l := range lines {
		notes := l.notes
		if n := len(notes); n > 0 && notes[n-1].trailing {
			l.behind = notes[n-1].text
			notes = notes[:n-1]
		}
		moved := false
		for _, c := range notes {
			if c.inside {
				c.blank = false
				if !moved {
					c.blank, l.blank = l.blank, false
				}
				moved = true
			}
			l.above = append(l.above, c)
		}
		if l.kind == closeLine {
			l.blank = false
		}
		if i > 0 && lines[i-1].kind == docLine {
			l.blank = false
			for j := range l.above {
				l.above[j].blank = false
			}
		}
		switch {
		case i == 0:
			l.setBlank(first)
		case lines[i-1].opens:
			l.setBlank(false)
		}
	}
}

// setBlank sets whether a blank line is before a line and its comments.
func (l *line) setBlank(blank bool) {
	if len(l.above) > 0 {
		l.above[0].blank = blank
	} else {
		l.blank = blank
	}
}

// parted reports whether the source has a blank line before a line or one of its comments.
func (l *line) parted() bool {
	return l.blank || slices.ContainsFunc(l.notes, func(n note) bool { return n.blank })
}

// hasBlank reports whether a blank line separates a line from the one before it.
func (l *line) hasBlank() bool {
	for _, c := range l.above {
		if c.blank {
			return true
		}
	}
	return l.blank
}

// align pads the cells of lines that belong together.
func align(lines []*line) {
	for i := 0; i < len(lines); {
		l := lines[i]
		group := []*line{l}
		next := i + 1
		switch l.kind {
		case plainLine, docLine, closeLine:
		case keyLine:
			// the keys of a declaration, with any lines between them
			for ; next < len(lines) && lines[next].decl == l.decl; next++ {
				if lines[next].kind == keyLine {
					group = append(group, lines[next])
				}
			}
			alignGroup(group)
			for ; i < next; i++ {
				if lines[i].kind == choiceLine && lines[i-1].kind != choiceLine {
					end := i + 1
					for end < next && lines[end].kind == choiceLine && !lines[end].hasBlank() {
						end++
					}
					alignGroup(lines[i:end])
				}
			}
			continue
		default:
			for next < len(lines) && lines[next].kind == l.kind && lines[next].indent == l.indent && !lines[next].hasBlank() {
				group = append(group, lines[next])
				next++
			}
			alignGroup(group)
		}
		i = next
	}
}

func alignGroup(group []*line) {
	kind := group[0].kind
	columns := 0
	for _, l := range group {
		columns = max(columns, len(l.cells))
	}
	for c := range columns {
		var cells []string
		width, number := 0, kind == changeLine && c == 2
		for _, l := range group {
			if c < len(l.cells) && (kind == rowLine && c < 4 || number || !l.endsAt(c)) {
				cells = append(cells, l.cells[c])
				width = max(width, utf8.RuneCountInString(l.cells[c]))
			}
		}
		right := kind == rowLine && c < 2 && countUp(cells) || number
		for _, l := range group {
			if c >= len(l.cells) || kind != rowLine && !number && l.endsAt(c) {
				continue
			}
			space := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(l.cells[c])))
			switch {
			case kind == rowLine && c == 4:
			case right:
				l.cells[c] = space + l.cells[c]
			default:
				l.cells[c] += space
			}
		}
	}
}

// endsAt reports whether all cells after a cell are empty.
func (l *line) endsAt(c int) bool {
	for _, s := range l.cells[c+1:] {
		if s != "" {
			return false
		}
	}
	return true
}

// countUp reports whether the cells differ only in the number they begin with.
func countUp(cells []string) bool {
	var rest string
	for i, c := range cells {
		tail := strings.TrimLeft(c, "0123456789")
		if len(tail) == len(c) || i > 0 && tail != rest {
			return false
		}
		rest = tail
	}
	return true
}

const indentation = "    "

func render(lines []*line) []byte {
	var b strings.Builder
	for _, l := range lines {
		indent := strings.Repeat(indentation, l.indent)
		for _, c := range l.above {
			if c.blank {
				b.WriteByte('\n')
			}
			b.WriteString(indent)
			if l.kind == closeLine {
				b.WriteString(indentation)
			}
			b.WriteString(c.text + "\n")
		}
		text := l.text()
		if text == "" {
			continue // the end of the file
		}
		if l.blank {
			b.WriteByte('\n')
		}
		b.WriteString(indent + text)
		if l.behind != "" {
			b.WriteString(" " + l.behind)
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// text returns the line without its indentation and comments.
func (l *line) text() string {
	if l.kind == rowLine {
		return strings.TrimRight(l.lead+"| "+strings.Join(l.cells[:4], " | ")+" | "+l.cells[4], " ")
	}
	var b strings.Builder
	for i, c := range l.cells {
		if c == "" {
			continue
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		if i == 1 && l.kind == fieldLine {
			b.WriteByte(' ')
		}
		b.WriteString(c)
	}
	return strings.TrimRight(b.String(), " ")
}
