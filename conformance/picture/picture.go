// Package picture draws byte layouts, in the manner of the diagrams in RFCs. It draws a type, from the rows of
// its schema, or a packet.
//
//	func Type(s *schema.Schema, name string) (*Picture, error)
//	func Packet(p *segment.Packet, s *schema.Schema) *Picture
//	func (p *Picture) SVG(o Options) string   // a drawing, light and dark
//	func (p *Picture) Text() string           // the same in characters
//	func (p *Picture) Describe() []string     // one sentence for each cell, for readers without the drawing
//
// A Picture is a list of parts, which are drawn from top to bottom. A part is a title, such as a
// condition, and cells. [Part.lines] puts the cells into lines of four bytes; SVG and Text draw the same lines.
// A cell whose size varies has a line for itself, with torn edges. The bits of a word are a strip below its line.
//
// The package knows no format: names, sizes and descriptions are those of the schema.
package picture

import (
	"fmt"
	"strings"
)

// PerLine is the number of bytes in a line.
const PerLine = 4

// mostFixed is the number of bytes from which on a cell is drawn torn.
const mostFixed = 4 * PerLine

// Varies is the size of a cell whose size varies.
const Varies = -1

// Kind is the kind of a [Cell].
type Kind uint8

// The kinds of cells.
const (
	Field   Kind = iota // a value
	Derived             // a number that a writer computes: a length, count or checksum
	Flags               // a word whose bits are fields
	Padding             // padding, or the bytes between parts
	Nested              // a value of another type, which has its picture
	Raw                 // bytes that no row explains
)

var kinds = [...]string{"field", "derived", "flags", "padding", "nested", "raw"}

// String returns the kind as one word.
func (k Kind) String() string { return kinds[k] }

// Picture is the layout of a type or of a packet.
type Picture struct {
	Title string
	Parts []*Part
}

// Part is a run of cells.
type Part struct {
	Title string // "" for none
	Depth int    // of nesting
	Cells []*Cell
}

// Cell is one row of a schema, or its bytes in a packet.
type Cell struct {
	Kind   Kind
	Offset string // of the first byte
	Column int    // of the first byte in its line; -1 if the line is not known, and a line begins
	Bytes  int    // or Varies
	Length string // the number of bytes as the schema has it
	Name   string
	Type   string // "" in a packet
	Value  string // what a writer computes, or the value in a packet
	Doc    string // description
	Bits   int    // of a word of flags
	Flags  []Flag // from the highest bit to the lowest
}

// Flag is some bits of a word.
type Flag struct {
	Lo, N int
	Name  string
	Doc   string
}

// numbers returns the bits of the flag, from the lowest to the highest.
func (f Flag) numbers() string {
	if f.N == 1 {
		return fmt.Sprint("bit ", f.Lo)
	}
	return fmt.Sprintf("bits %d to %d", f.Lo, f.Lo+f.N-1)
}

// line is one line of a drawing.
type line struct {
	offset string // of its first box, "" in the later lines of a cell
	boxes  []*box
	words  []*Cell // words whose bits are shown below
}

// box is the part of a cell in one line.
type box struct {
	cell     *Cell
	from, to int    // columns
	label    bool   // it has the name of the cell
	upper    [2]int // the columns of its upper edge; none if the cell goes on
	lower    [2]int // the columns of its lower edge
	torn     bool   // it represents more bytes, or fewer, than it has columns
}

// lines puts the cells of a part into lines.
func (p *Part) lines() []line {
	var out []line
	column := 0
	next := func(offset string) {
		out = append(out, line{offset: offset})
	}
	for _, c := range p.Cells {
		if c.Bytes == 0 {
			continue // only the description has it
		}
		torn := c.Bytes == Varies || c.Bytes > mostFixed
		begin := max(c.Column, 0)
		switch {
		case torn:
			next(c.Offset)
			column = 0
		case len(out) == 0 || column == 0 || c.Column != column:
			next(c.Offset)
			column = begin
		}
		at := &out[len(out)-1]
		if torn {
			at.boxes = append(at.boxes, &box{cell: c, to: PerLine, label: true, upper: [2]int{0, PerLine}, lower: [2]int{0, PerLine}, torn: true})
			column = 0
			if c.Bytes != Varies && c.Column >= 0 {
				column = (c.Column + c.Bytes) % PerLine
			}
			if column != 0 { // the cell behind begins a line at its column
				column = PerLine
			}
			continue
		}
		column = spread(&out, c, column)
		if len(c.Flags) > 0 {
			out[len(out)-1].words = append(out[len(out)-1].words, c)
		}
	}
	return out
}

// spread adds the boxes of a cell of few bytes from a column on, and returns the column behind it.
func spread(out *[]line, c *Cell, column int) int {
	left := c.Bytes
	var above, widest *box
	for left > 0 {
		if column == PerLine {
			*out = append(*out, line{})
			column = 0
		}
		n := min(left, PerLine-column)
		left -= n
		at := &(*out)[len(*out)-1]
		x := &box{cell: c, from: column, to: column + n, upper: [2]int{column, column + n}, lower: [2]int{column, column + n}}
		if above != nil {
			above.lower[0] = max(above.from, x.to)
			x.upper[1] = min(x.to, above.from)
		}
		if widest == nil || n > widest.to-widest.from {
			widest = x
		}
		at.boxes = append(at.boxes, x)
		above = x
		column += n
	}
	widest.label = true
	return column % PerLine
}

// size returns the number of bytes of a cell in words.
func (c *Cell) size() string {
	switch {
	case c.Bytes == 1:
		return "1 byte"
	case c.Bytes != Varies:
		return fmt.Sprint(c.Bytes, " bytes")
	case c.Length != "":
		return c.Length + " bytes"
	}
	return "its size varies"
}

// detail returns the type and the value.
func (c *Cell) detail() string {
	switch {
	case c.Type == "" || c.Value == "":
		return c.Type + c.Value
	}
	return c.Type + " = " + c.Value
}

// within returns as much of type and value as a number of characters has room for.
func (c *Cell) within(most int) string {
	if text := c.detail(); len([]rune(text)) <= most || c.Type == "" {
		return clip(text, most)
	}
	return clip(c.Type, most)
}

// sentence returns the cell as one sentence.
func (c *Cell) sentence() string {
	var b strings.Builder
	if c.Offset != "" {
		b.WriteString(c.Offset + ": ")
	}
	if c.Name != "" {
		b.WriteString(c.Name + ", ")
	}
	b.WriteString(c.size())
	if detail := c.detail(); detail != "" {
		b.WriteString(", " + detail)
	}
	if c.Doc != "" {
		b.WriteString(": " + c.Doc)
	}
	return b.String()
}

// Describe returns the picture as text: the titles of parts, and a line for each cell and each flag.
func (p *Picture) Describe() []string {
	var out []string
	for _, part := range p.Parts {
		indent := strings.Repeat("  ", part.Depth)
		if part.Title != "" {
			out = append(out, indent+part.Title)
		}
		for _, c := range part.Cells {
			out = append(out, indent+c.sentence())
			for _, f := range c.Flags {
				line := indent + "  " + f.numbers() + ": " + f.Name
				if f.Doc != "" {
					line += ": " + f.Doc
				}
				out = append(out, line)
			}
		}
	}
	return out
}

// clip shortens a text to a number of characters.
func clip(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	if most < 2 {
		return ""
	}
	return string(r[:most-1]) + "…"
}
