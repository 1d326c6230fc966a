// A value as a tree of names and contents, without bytes.

package inspect

import (
	"strconv"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Tree prints values as trees of names and contents.
type Tree struct {
	n      *notation.Notation
	out    Writer
	line   []byte // what is not written yet
	indent []byte // of the lines below the value
	usual  map[usage]*bytecode.Type
}

// usage is a kind of values in a union.
type usage struct {
	union string
	kind  interp.Kind // Int for all integers
}

// usageOf returns the usage of values of a kind.
func usageOf(union string, kind interp.Kind) usage {
	if kind == interp.Uint {
		kind = interp.Int
	}
	return usage{union, kind}
}

// NewTree returns a Tree that prints values of a notation's machine.
func NewTree(n *notation.Notation, w Writer) *Tree {
	p := &Tree{n: n, out: w, usual: map[usage]*bytecode.Type{}}
	types := n.Machine().Program().Types
	for i := range types {
		t := &types[i]
		if len(t.Fields) != 1 || !t.Fields[0].Alone {
			continue
		}
		use := usageOf(t.Union, t.Fields[0].Kind)
		if first := p.usual[use]; first == nil || t.ID < first.ID {
			p.usual[use] = t
		}
	}
	return p
}

// Print prints a value.
func (p *Tree) Print(val interp.Value) {
	p.value(val, 0)
	p.flush()
}

func (p *Tree) flush() {
	_, _ = p.out.Write(p.line)
	p.line = p.line[:0]
}

// value ends a line with a value, and prints the lines of its parts. The label of the value
// begins at byte start of the line.
func (p *Tree) value(val interp.Value, start int) {
	t := p.n.Type(val)
	named := t != nil && t.Union != ""
	if !named && t != nil && len(p.line) == start {
		switch val.Kind() {
		case interp.Record, interp.Unit, interp.None:
			named = true // there is nothing else to say
		}
	}
	separator := ""
	if len(p.line) > start {
		separator = ": "
	}
	if named {
		p.line = append(append(p.line, separator...), t.Name...)
		separator = " "
		switch val.Kind() {
		case interp.List, interp.Map, interp.Packed:
			separator = ", "
		}
	}
	p.text(val, t, separator)
	p.line = append(p.line, '\n')
	if len(p.line) > 16<<10 {
		p.flush()
	}
	switch cells := val.Cells(); val.Kind() {
	case interp.List:
		for i, e := range cells {
			start := p.branch(i == len(cells)-1)
			p.line = append(strconv.AppendInt(append(p.line, '['), int64(i), 10), ']')
			p.part(e, start, i == len(cells)-1)
		}
	case interp.Map:
		for i := 0; i+1 < len(cells); i += 2 {
			start := p.branch(i+2 >= len(cells))
			p.line = append(append(append(p.line, '['), interp.Clip(p.key(cells[i]), mostKey)...), ']')
			p.part(cells[i+1], start, i+2 >= len(cells))
		}
	case interp.Record:
		p.record(val, t)
	}
}

// record prints the lines of the fields of a record.
func (p *Tree) record(val interp.Value, t *bytecode.Type) {
	if t == nil {
		return
	}
	cells := val.Cells()
	cells = cells[:min(len(cells), len(t.Fields))]
	last := len(cells) - 1
	for last >= 0 && cells[last].IsNone() {
		last--
	}
	for i, f := range cells {
		if f.IsNone() {
			continue
		}
		start := p.branch(i == last)
		p.line = append(p.line, t.Fields[i].Name...)
		if letters, ok := p.n.Letters(val, i); ok {
			p.line = append(strconv.AppendQuote(append(p.line, ": "...), letters), '\n')
			continue
		}
		p.part(f, start, i == last)
	}
}

// branch begins the line of a part, and returns where its label begins.
func (p *Tree) branch(last bool) int {
	p.line = append(p.line, p.indent...)
	if last {
		p.line = append(p.line, "└─ "...)
	} else {
		p.line = append(p.line, "├─ "...)
	}
	return len(p.line)
}

// part ends the line of a part, and prints the lines below it.
func (p *Tree) part(val interp.Value, start int, last bool) {
	around := len(p.indent)
	if last {
		p.indent = append(p.indent, "   "...)
	} else {
		p.indent = append(p.indent, "│  "...)
	}
	p.value(val, start)
	p.indent = p.indent[:around]
}

// text appends what a value says on its own line, after a separator.
func (p *Tree) text(val interp.Value, t *bytecode.Type, separator string) {
	switch val.Kind() {
	case interp.Record, interp.Unit, interp.None:
		return
	}
	p.line = append(p.line, separator...)
	switch val.Kind() {
	case interp.List:
		p.line = append(p.line, count(val.Len(), "element", "elements")...)
	case interp.Map:
		p.line = append(p.line, count(val.Len(), "pair", "pairs")...)
	case interp.Lanes:
		for i := range val.Len() {
			if i > 0 {
				p.line = append(p.line, ", "...)
			}
			if t != nil && i < len(t.Lanes) {
				p.line = append(append(p.line, t.Lanes[i]...), ' ')
			}
			p.line = append(p.line, notation.LaneText(val, i)...)
		}
	case interp.Packed:
		p.line = append(p.line, count(val.Len(), "element", "elements")...)
		if val.Len() > 0 {
			p.line = append(append(p.line, ": "...), numbersText(val, 0, val.Len(), val.Width())...)
		}
	case interp.Text:
		p.line = strconv.AppendQuote(p.line, val.Text())
	case interp.Int:
		p.line = strconv.AppendInt(p.line, val.Int(), 10)
	default:
		p.line = append(p.line, p.n.String(val.WithTag(0))...)
	}
}

// key prints the key of a pair. The first type of a union with values of a kind is not named.
func (p *Tree) key(val interp.Value) string {
	switch val.Kind() {
	case interp.Text, interp.Int, interp.Uint, interp.Bool, interp.Float:
		if t := p.n.Type(val); t == nil || t == p.usual[usageOf(t.Union, val.Kind())] {
			return p.n.String(val.WithTag(0))
		}
	}
	return p.n.String(val)
}

// mostKey is how many characters of a key a line has.
const mostKey = 200
