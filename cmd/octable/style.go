package main

import (
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// style is what a part of a text is, and so how it is coloured.
type style uint8

const (
	plain style = iota
	faint       // offsets, padding, notes
	typeName
	fieldName
	steering // headers, lengths, counts
	content  // what is stored
	warning  // bytes left over
	bad      // the byte in error
	numStyles
)

var colors = [numStyles][]color.Attribute{
	plain:     nil,
	faint:     {color.Faint},
	typeName:  {color.FgCyan, color.Bold},
	fieldName: {color.FgBlue},
	steering:  {color.FgMagenta},
	content:   {color.FgGreen},
	warning:   {color.FgYellow},
	bad:       {color.FgRed, color.Bold},
}

// painter colours text, or not.
type painter struct{ on bool }

// painter follows the flag -color; where that is auto, output is coloured on a
// terminal unless the environment has NO_COLOR or says that it is a simple one.
func (e *env) painter() (painter, error) {
	switch e.color {
	case "always":
		return painter{true}, nil
	case "never":
		return painter{}, nil
	case "auto":
		return painter{e.terminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}, nil
	}
	return painter{}, fail(exitUsage, "%q is no value for -color; it is one of auto, always, never", e.color)
}

func (e *env) terminal() bool {
	return e.file != nil && (isatty.IsTerminal(e.file.Fd()) || isatty.IsCygwinTerminal(e.file.Fd()))
}

// width is how many columns the output has: those of the terminal, or as COLUMNS
// says, or 100.
func (e *env) width() int {
	if e.terminal() {
		if w, _, err := term.GetSize(int(e.file.Fd())); err == nil && w > 0 {
			return w
		}
	}
	if w, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && w > 0 {
		return w
	}
	return 100
}

func (p painter) paint(s style, text string) string {
	if !p.on || colors[s] == nil || text == "" {
		return text
	}
	c := color.New(colors[s]...)
	c.EnableColor()
	return c.Sprint(text)
}

// span is a text of one style.
type span struct {
	style style
	text  string
}

// cell is one character of a line, with its style.
type cell struct {
	r     rune
	style style
}

// layout breaks spans into lines of at most so many columns; lines after the first
// are indented by hang columns.
func layout(spans []span, width, hang int) [][]cell {
	var all []cell
	for _, s := range spans {
		for _, r := range s.text {
			all = append(all, cell{r, s.style})
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
				line = append(line, cell{' ', plain})
			}
		}
		n, col, blank := 0, 0, -1
		for n < len(all) {
			w := columns(all[n].r)
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

// columns is how many columns a character takes on a terminal.
func columns(r rune) int {
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
func (p painter) line(cells []cell) string {
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
		b.WriteString(p.paint(cells[i].style, run.String()))
		i = j
	}
	return b.String()
}
