// Pictures as SVG.

package picture

import (
	_ "embed"
	"fmt"
	"html"
	"strings"
)

// Style is the style sheet of pictures inside of an HTML page, which may set the variables that it uses.
//
//go:embed picture.css
var Style string

// Options say how a picture is drawn.
type Options struct {
	Inline bool   // leave out the style: the page that the picture is part of has it
	ID     string // begins the ids of the elements; pictures of one page need different ones. Default picture
}

// Sizes in pixels.
const (
	gutterWidth = 104
	byteWidth   = 160
	rightEdge   = gutterWidth + PerLine*byteWidth
	fullWidth   = rightEdge + 8
	lineHeight  = 40
	tornHeight  = 48
	rulerHeight = 34
	titleHeight = 26
	stripHeight = 30
	legendRow   = 18
	letterWidth = 7.3 // of a name
	smallWidth  = 6.2 // of a type or an offset
)

// drawing is the SVG that is being made.
type drawing struct {
	b strings.Builder
	y int
}

// SVG returns the picture as an SVG element. Its title and its description are for screen readers.
func (p *Picture) SVG(o Options) string {
	if o.ID == "" {
		o.ID = "picture"
	}
	d := &drawing{y: 6}
	if !o.Inline {
		d.text("h", "start", gutterWidth, d.y+14, fit(p.Title, PerLine*byteWidth, 9))
		d.y += titleHeight
	}
	if p.ruled() {
		d.ruler()
	}
	for _, part := range p.Parts {
		d.part(part)
	}
	var out strings.Builder
	id := html.EscapeString(o.ID)
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" class="layout" role="img" viewBox="0 0 %d %d" width="%d" height="%d" aria-labelledby="%s-title" aria-describedby="%s-text">`+"\n",
		fullWidth, d.y+6, fullWidth, d.y+6, id, id)
	fmt.Fprintf(&out, "<title id=\"%s-title\">Byte layout of %s</title>\n<desc id=\"%s-text\">%s</desc>\n", id, html.EscapeString(p.Title), id, html.EscapeString(strings.Join(p.Describe(), "\n")))
	if !o.Inline {
		fmt.Fprintf(&out, "<style>\n%s</style>\n<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n", Style, fullWidth, d.y+6)
	}
	out.WriteString(d.b.String())
	out.WriteString("</svg>\n")
	return out.String()
}

func (d *drawing) text(class, anchor string, x float64, y int, text string) {
	if text != "" {
		fmt.Fprintf(&d.b, `<text class="%s" text-anchor="%s" x="%.4g" y="%d">%s</text>`+"\n", class, anchor, x, y, html.EscapeString(text))
	}
}

// fit shortens a text to a width, with letters of another width.
func fit(text string, width, letter float64) string { return clip(text, int(width/letter)) }

// ruler draws the numbers of bytes and of their bits.
func (d *drawing) ruler() {
	const bit = byteWidth / 8
	var digits, places, marks strings.Builder
	for i := range PerLine {
		left := gutterWidth + i*byteWidth
		d.text("r", "middle", float64(left+byteWidth/2), d.y+10, fmt.Sprint(i))
		fmt.Fprintf(&marks, "M%d %dV%d", left, d.y+4, d.y+rulerHeight)
		for k := range 8 {
			fmt.Fprintf(&digits, "%d", 7-k)
			fmt.Fprintf(&places, "%d ", left+k*bit+bit/2-3)
			if k > 0 {
				fmt.Fprintf(&marks, "M%d %dv5", left+k*bit, d.y+rulerHeight-5)
			}
		}
	}
	fmt.Fprintf(&marks, "M%d %dV%d", rightEdge, d.y+4, d.y+rulerHeight)
	fmt.Fprintf(&d.b, `<text class="r" x="%s" y="%d">%s</text>`+"\n", strings.TrimSpace(places.String()), d.y+24, digits.String())
	fmt.Fprintf(&d.b, `<path class="r" d="%s"/>`+"\n", marks.String())
	d.y += rulerHeight
}

// part draws a title and the lines below it. A bar at the left shows how deep the part is.
func (d *drawing) part(p *Part) {
	top := d.y
	if p.Title != "" {
		d.text("p", "start", float64(gutterWidth), d.y+18, fit(p.Title, PerLine*byteWidth, smallWidth))
		d.y += titleHeight
	}
	for _, l := range p.lines() {
		d.line(l)
	}
	for i := range p.Depth {
		x := 4 + 5*i
		fmt.Fprintf(&d.b, `<line class="d" x1="%d" x2="%d" y1="%d" y2="%d"/>`+"\n", x, x, top+4, d.y)
	}
}

// line draws the boxes of a line, and the bits of its words below.
func (d *drawing) line(l line) {
	height := lineHeight
	for _, x := range l.boxes {
		if x.torn {
			height = tornHeight
		}
	}
	d.text("o", "end", gutterWidth-8, d.y+height/2+4, fit(l.offset, gutterWidth-12, smallWidth))
	for _, x := range l.boxes {
		d.box(x, height)
	}
	d.y += height
	for _, w := range l.words {
		d.strip(w)
	}
}

// box draws the part of a cell in a line: its inside, its edges, its name and its type.
func (d *drawing) box(x *box, height int) {
	left, right, bottom := gutterWidth+x.from*byteWidth, gutterWidth+x.to*byteWidth, d.y+height
	fmt.Fprintf(&d.b, `<g class="k-%s"><title>%s</title>`, x.cell.Kind, html.EscapeString(x.cell.sentence()))
	if x.torn {
		d.torn(left, right, height)
	} else {
		fmt.Fprintf(&d.b, `<rect class="i" x="%d" y="%d" width="%d" height="%d"/>`, left, d.y, right-left, height)
		edges := fmt.Sprintf("M%d %dV%dM%d %dV%d", left, d.y, bottom, right, d.y, bottom)
		if x.upper[0] < x.upper[1] {
			edges += fmt.Sprintf("M%d %dH%d", gutterWidth+x.upper[0]*byteWidth, d.y, gutterWidth+x.upper[1]*byteWidth)
		}
		if x.lower[0] < x.lower[1] {
			edges += fmt.Sprintf("M%d %dH%d", gutterWidth+x.lower[0]*byteWidth, bottom, gutterWidth+x.lower[1]*byteWidth)
		}
		fmt.Fprintf(&d.b, `<path class="e" d="%s"/>`+"\n", edges)
	}
	if x.label {
		middle, width := float64(left+right)/2, float64(right-left-10)
		name := x.cell.Name
		most := int(width / smallWidth)
		size := x.cell.within(most)
		if x.cell.Bytes == Varies && x.cell.Length != "" {
			size = clip(strings.TrimPrefix(size+", "+x.cell.size(), ", "), most)
		}
		y := d.y + height/2
		if size == "" || name == "" {
			y += 10
		}
		d.text("n", "middle", middle, y-3, fit(name, width, letterWidth))
		if name == "" {
			y -= 10
		}
		d.text("t", "middle", middle, y+13, size)
	}
	d.b.WriteString("</g>\n")
}

// torn draws a box whose sides are torn.
func (d *drawing) torn(left, right, height int) {
	third := height / 3
	side := func(x, from, to int) string {
		step := (to - from) / 3
		return fmt.Sprintf("L%d %dL%d %dL%d %dL%d %d", x, from+step, x+5, from+step+step/3, x-5, to-step-step/3, x, to-step)
	}
	top, bottom := d.y, d.y+3*third
	path := fmt.Sprintf("M%d %dH%d%sL%d %dH%d%sZ", left, top, right, side(right, top, bottom), right, d.y+height, left, side(left, bottom, top))
	fmt.Fprintf(&d.b, `<path class="i e" d="%s"/>`+"\n", path)
}

// strip draws the bits of a word, from the highest to the lowest. A name that is too long for its bits is
// below the strip.
func (d *drawing) strip(w *Cell) {
	bit := float64(PerLine*byteWidth) / float64(w.Bits)
	var legend []string
	d.y += 8
	fmt.Fprintf(&d.b, `<rect class="spare" x="%d" y="%d" width="%d" height="%d"/>`+"\n", gutterWidth, d.y+12, PerLine*byteWidth, stripHeight)
	d.text("o", "end", gutterWidth-8, d.y+12+stripHeight/2+4, fit(w.Name, gutterWidth-12, smallWidth))
	for _, f := range w.Flags {
		left := gutterWidth + float64(w.Bits-f.Lo-f.N)*bit
		width := float64(f.N) * bit
		name := f.Name
		if float64(len([]rune(name)))*letterWidth > width-4 {
			legend = append(legend, fmt.Sprintf("%s  %s: %s", key(len(legend)), f.numbers(), join(f.Name, f.Doc)))
			name = key(len(legend) - 1)
		}
		fmt.Fprintf(&d.b, `<g class="k-flags"><title>%s</title><rect class="i e" x="%.4g" y="%d" width="%.4g" height="%d"/>`+"\n", html.EscapeString(f.numbers()+": "+join(f.Name, f.Doc)), left, d.y+12, width, stripHeight)
		d.text("n", "middle", left+width/2, d.y+12+stripHeight/2+5, name)
		d.text("r", "middle", left+bit/2, d.y+9, fmt.Sprint(f.Lo+f.N-1))
		if f.N > 1 {
			d.text("r", "middle", left+width-bit/2, d.y+9, fmt.Sprint(f.Lo))
		}
		d.b.WriteString("</g>\n")
	}
	d.y += 12 + stripHeight
	for _, text := range legend {
		d.y += legendRow
		d.text("t", "start", gutterWidth+4, d.y-4, fit(text, PerLine*byteWidth-8, smallWidth))
	}
	d.y += 8
}

// key is the letter of a flag in the strip and in the text below it.
func key(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return fmt.Sprint(i)
}
