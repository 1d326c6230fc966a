// Answers about one text, for a page with a private editor.

package lsp

import (
	"errors"

	"github.com/octable/octable/dsl"
)

// Local answers about texts of schemas without a protocol. It reads no files: a text may extend the schemas of octable
// and the texts beside it, which are given by their ids. It may be used by any number of goroutines.
type Local struct{ parser *parser }

// NewLocal returns a Local.
func NewLocal() *Local { return &Local{&parser{files: map[string]parsed{}}} }

// localName is the file name of a text. It is not absolute, so nothing is looked for beside it.
const localName = "schema.oct"

// Place is a place in a text: a line from 0, and a character of it in units of UTF-16.
type Place struct{ Line, Character int }

// Area is the text from one place to another.
type Area struct{ Start, End Place }

// Problem is a diagnostic. Fixed is the text with the fix that FixTitle describes, if there is one.
type Problem struct {
	Area
	Code, Message   string
	FixTitle, Fixed string
}

// Word is a completion: the text that replaces an area.
type Word struct {
	Area
	Label, Detail, Doc string
}

// Mark is a highlighted word of a line.
type Mark struct {
	Place
	Len  int
	Sort string // a type of token of the protocol
}

// place returns a place in a text.
func (l *Local) place(name, source string, beside map[string]string, at Place) place {
	t := newText(source, false)
	docs := map[string]*document{}
	for id, text := range beside {
		docs[id+".oct"] = &document{uri: id + ".oct", name: id + ".oct", text: newText(text, false)}
	}
	docs[name] = &document{uri: name, name: name, text: t}
	now := &snapshot{docs: docs, parser: l.parser}
	return place{now, name, t, max(t.offset(position(at))-t.mark(), 0)}
}

func areaOf(r textRange) Area {
	return Area{Place{r.Start.Line, r.Start.Character}, Place{r.End.Line, r.End.Character}}
}

// Check returns what is wrong in a text.
func (l *Local) Check(source string, beside map[string]string) []Problem {
	p := l.place(localName, source, beside, Place{})
	var out []Problem
	for _, d := range p.check(localName) {
		one := Problem{Area: areaOf(d.Range), Code: d.Code, Message: d.Message}
		if edit, ok := fix(p.text, d); ok {
			from, to := p.text.offset(edit.Range.Start), p.text.offset(edit.Range.End)
			one.FixTitle, one.Fixed = title(d), source[:from]+edit.NewText+source[to:]
		}
		out = append(out, one)
	}
	return out
}

// Hover returns an explanation of the name at a place, in Markdown, and the area of the name.
func (l *Local) Hover(source string, beside map[string]string, at Place) (text string, area Area, ok bool) {
	p := l.place(localName, source, beside, at)
	text, from, to, ok := p.hover(localName, p.offset)
	if !ok {
		return "", Area{}, false
	}
	return text, areaOf(p.span(from, to)), true
}

// Complete returns the words that fit at a place, the likely ones first.
func (l *Local) Complete(source string, beside map[string]string, at Place) []Word {
	p := l.place(localName, source, beside, at)
	items, from := p.complete(localName, p.offset)
	var out []Word
	for _, i := range items {
		w := Word{Area: areaOf(p.span(from, p.offset)), Label: i.Label, Detail: i.Detail}
		if i.Documentation != nil {
			w.Doc = i.Documentation.Value
		}
		out = append(out, w)
	}
	return out
}

// Format returns a text in the one style there is. The error says why the text cannot be read.
func (l *Local) Format(source string) (string, error) {
	f, err := dsl.Parse(localName, []byte(source))
	if err != nil {
		return "", errors.New(firstOf(err))
	}
	return string(dsl.Format(f)), nil
}

// Marks returns the words of a file to highlight, in order.
func (l *Local) Marks(name, source string) []Mark {
	p := l.place(name, source, nil, Place{})
	var out []Mark
	for _, t := range p.tokens() {
		r := p.span(t.from, t.to)
		for line := r.Start.Line; line <= r.End.Line; line++ {
			m := Mark{Place: Place{Line: line}, Sort: t.sort}
			end := p.text.position(p.text.lines[line] + len(p.text.line(line))).Character
			if line == r.Start.Line {
				m.Character = r.Start.Character
			}
			if line == r.End.Line {
				end = r.End.Character
			}
			if m.Len = end - m.Character; m.Len > 0 {
				out = append(out, m)
			}
		}
	}
	return out
}
