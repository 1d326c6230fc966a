// The parts of a page.

package docs

import (
	"html/template"

	"github.com/octable/octable/dsl"
)

// Style is the role of a piece of running text.
type Style uint8

// The styles.
const (
	Plain Style = iota
	Code        // a name or bytes of the format
	Emph        //
	Link        // to an anchor of the page, in Ref
	Class       // a class of the engine; Ref is the rest of its label, such as _method_get_var
)

// Span is a piece of running text.
type Span struct {
	Style Style
	Text  string
	Ref   string
}

// Text is running text.
type Text []Span

// String is the text without its styles.
func (t Text) String() string {
	s := ""
	for _, x := range t {
		s += x.Text
	}
	return s
}

func plain(s string) Text { return Text{{Text: s}} }
func code(s string) Text  { return Text{{Style: Code, Text: s}} }

// join puts texts one after another.
func join(parts ...Text) Text {
	var out Text
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// Block is a part of a section: one of the types below.
type Block any

// Paragraph is a block of running text.
type Paragraph struct{ Text Text }

// List is a list of points.
type List struct{ Items []Text }

// Note is a paragraph that is set apart.
type Note struct{ Text Text }

// Table is a table with a head.
type Table struct {
	Head []string
	Rows [][]Text
	At   []dsl.Pos // where the schema declares each of Rows; nil for other tables
}

// Listing is text that keeps its lines.
type Listing struct{ Text string }

// Dump is a packet beside what its bytes mean.
type Dump struct {
	About  string // the value, in words
	Packet []byte
	Text   string        // the dump as text
	HTML   template.HTML // and as HTML, whose classes are the styles
}

// Figure is the byte layout of a type, which the tables beside it have as text. Only HTML has it.
type Figure struct {
	SVG template.HTML
}

// Section is a titled part of a page.
type Section struct {
	Title    Text
	Anchor   string
	Number   int // of a type; -1 for other sections
	Blocks   []Block
	Sections []*Section
}

// Page is the documentation of one schema.
type Page struct {
	ID       string // of the schema
	Title    string
	Label    string // by which other pages refer to it
	About    []Block
	Sections []*Section

	bare bool // it is a document again, which has no labels
}

func (s *Section) paragraph(t Text) { s.Blocks = append(s.Blocks, Paragraph{t}) }

func (s *Section) add(list ...Block) { s.Blocks = append(s.Blocks, list...) }
