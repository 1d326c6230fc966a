// Pictures in characters, as RFCs have them.

package picture

import (
	"fmt"
	"strings"
)

// perByte is the number of characters of a byte: two for each bit.
const perByte = 16

// Text returns the picture in characters, 80 or less in a line but for long offsets.
func (p *Picture) Text() string {
	gutter := p.gutter()
	var b strings.Builder
	b.WriteString(p.Title + "\n")
	if p.ruled() {
		for _, row := range rulers() {
			b.WriteString(strings.TrimRight(strings.Repeat(" ", gutter+1)+row, " ") + "\n")
		}
	}
	for _, part := range p.Parts {
		if part.Title != "" {
			b.WriteString(strings.Repeat(" ", gutter) + strings.Repeat("  ", part.Depth) + part.Title + "\n")
		}
		part.text(&b, gutter)
	}
	return b.String()
}

// gutter returns the number of characters for offsets.
func (p *Picture) gutter() int {
	most := 2
	for _, part := range p.Parts {
		for _, c := range part.Cells {
			most = max(most, len([]rune(c.Offset)))
		}
	}
	return min(most, 14) + 1
}

// ruled reports whether the picture has cells.
func (p *Picture) ruled() bool {
	for _, part := range p.Parts {
		if len(part.Cells) > 0 {
			return true
		}
	}
	return false
}

// rulers returns the numbers of bytes, and those of their bits.
func rulers() [2]string {
	var bytes, bits strings.Builder
	for i := range PerLine {
		bytes.WriteString(fmt.Sprintf("%-*d", perByte, i))
		for bit := 7; bit >= 0; bit-- {
			bits.WriteString(fmt.Sprintf("%-2d", bit))
		}
	}
	return [2]string{bytes.String(), bits.String()}
}

// text draws the lines of a part.
func (p *Part) text(b *strings.Builder, gutter int) {
	lines := p.lines()
	for i, l := range lines {
		edge := border(l, true)
		if i > 0 {
			edge = merge(border(lines[i-1], false), edge)
		}
		if i > 0 && len(lines[i-1].words) > 0 { // the strip is between the lines
			edge = border(l, true)
		}
		writeLine(b, gutter, "", edge)
		writeLine(b, gutter, l.offset, content(l))
		if len(l.words) > 0 || i == len(lines)-1 {
			writeLine(b, gutter, "", border(l, false))
		}
		for _, w := range l.words {
			for _, f := range w.Flags {
				writeLine(b, gutter, "", fmt.Sprintf("  %s.%s  %s", w.Name, f.Name, f.numbers()))
			}
		}
	}
}

func writeLine(b *strings.Builder, gutter int, offset, text string) {
	b.WriteString(strings.TrimRight(fmt.Sprintf("%*s %s", gutter, clip(offset, gutter), text), " ") + "\n")
}

// border draws the upper or the lower edge of a line. A cell that goes on has none.
func border(l line, upper bool) string {
	out := []byte(strings.Repeat(" ", PerLine*perByte+1))
	for _, x := range l.boxes {
		out[x.from*perByte], out[x.to*perByte] = '+', '+'
		edge := x.lower
		if upper {
			edge = x.upper
		}
		for i := edge[0] * perByte; edge[0] < edge[1] && i <= edge[1]*perByte; i++ {
			out[i] = "+-"[i%2]
		}
	}
	return string(out)
}

// merge draws two edges at the same place.
func merge(a, b string) string {
	out := []byte(a)
	for i := range out {
		if out[i] == ' ' || b[i] != ' ' {
			out[i] = b[i]
		}
	}
	return string(out)
}

// content draws the names of a line between the sides of its boxes.
func content(l line) string {
	out := []rune(strings.Repeat(" ", PerLine*perByte+1))
	for _, x := range l.boxes {
		side := '|'
		if x.torn {
			side = '/'
		}
		out[x.from*perByte], out[x.to*perByte] = side, side
		if !x.label {
			continue
		}
		width := (x.to-x.from)*perByte - 1
		text := x.cell.Name
		if detail := x.cell.within(width - 3 - len([]rune(text))); detail != "" {
			text += "  " + detail
		}
		r := []rune(clip(text, width-1))
		copy(out[x.from*perByte+1+(width-len(r))/2:], r)
	}
	return string(out)
}
