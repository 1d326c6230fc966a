// Styles of text, and its layout in lines of a given width.

package inspect

import (
	"strings"
	"unicode"

	"github.com/fatih/color"
)

// Style is the role of a part of a text, which decides its colour.
type Style uint8

// The styles.
const (
	Plain     Style = iota
	Faint           // offsets, padding, notes
	TypeName        //
	FieldName       //
	Steering        // headers, lengths, counts
	Content         // what is stored
	Warning         // bytes left over
	Bad             // the byte in error
	numStyles
)

var colors = [numStyles]*color.Color{
	Faint:     color.New(color.Faint),
	TypeName:  color.New(color.FgCyan, color.Bold),
	FieldName: color.New(color.FgBlue),
	Steering:  color.New(color.FgMagenta),
	Content:   color.New(color.FgGreen),
	Warning:   color.New(color.FgYellow),
	Bad:       color.New(color.FgRed, color.Bold),
}

func init() {
	for _, c := range colors {
		if c != nil {
			c.EnableColor() // whoever paints has found out that there are colours
		}
	}
}

// A Painter makes what is written of text of one style. It is called for plain
// text, too, so that one for HTML can escape it. A nil Painter leaves text unchanged.
type Painter func(s Style, text string) string

// Color is the Painter for terminals.
func Color(s Style, text string) string {
	if s >= numStyles || colors[s] == nil || text == "" {
		return text
	}
	return colors[s].Sprint(text)
}

// Paint is p(s, text), or text where p is nil.
func (p Painter) Paint(s Style, text string) string {
	if p == nil {
		return text
	}
	return p(s, text)
}

// Span is a text of one style.
type Span struct {
	Style Style
	Text  string
}

// cell is one character of a line, with its style.
type cell struct {
	r     rune
	style Style
}

// Layout breaks spans into lines of at most width columns, at blanks if there are some. Lines after the first
// are indented by hang columns.
func (p Painter) Layout(spans []Span, width, hang int) []string {
	var lines []string
	for _, l := range layout(spans, width, hang) {
		lines = append(lines, p.line(l))
	}
	return lines
}

func layout(spans []Span, width, hang int) [][]cell {
	var all []cell
	for _, s := range spans {
		for _, r := range s.Text {
			all = append(all, cell{r, s.Style})
		}
	}
	width = max(width, 8)
	hang = min(hang, width/2)
	var lines [][]cell
	for first := true; first || len(all) > 0; first = false {
		room := width
		var line []cell
		if !first {
			room -= hang
			for range hang {
				line = append(line, cell{' ', Plain})
			}
		}
		n, col, blank := 0, 0, -1
		for n < len(all) {
			w := Columns(all[n].r)
			if col+w > room {
				break
			}
			if all[n].r == ' ' {
				blank = n
			}
			col += w
			n++
		}
		if n < len(all) && all[n].r != ' ' && blank > room/3 {
			n = blank
		}
		n = max(n, min(1, len(all)))
		line = append(line, all[:n]...)
		all = all[n:]
		for len(all) > 0 && all[0].r == ' ' {
			all = all[1:]
		}
		lines = append(lines, line)
	}
	return lines
}

// Columns returns the number of columns of a character on a terminal.
func Columns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) || unicode.Is(unicode.Cf, r):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// line prints cells, trailing blanks left out.
func (p Painter) line(cells []cell) string {
	for len(cells) > 0 && cells[len(cells)-1].r == ' ' {
		cells = cells[:len(cells)-1]
	}
	var b strings.Builder
	for i := 0; i < len(cells); {
		j := i
		var run strings.Builder
		for j < len(cells) && cells[j].style == cells[i].style {
			run.WriteRune(cells[j].r)
			j++
		}
		b.WriteString(p.Paint(cells[i].style, run.String()))
		i = j
	}
	return b.String()
}
