// The outline of a file.

package lsp

import (
	"fmt"
	"strings"

	"github.com/octable/octable/dsl"
)

// documentSymbols is the outline of a file.
func (s *snapshot) documentSymbols(name string) []documentSymbol {
	source, err := s.source(name)
	if err != nil {
		return nil
	}
	f, _ := s.parse(name, source)
	t := s.text(name)
	out := []documentSymbol{}
	for _, d := range f.Decls {
		name, detail, kind, at := outline(d)
		if at == nil {
			continue
		}
		one := documentSymbol{Name: name, Detail: detail, Kind: kind,
			Range: s.extent(t, d.Pos, d.EndPos), SelectionRange: t.span(at.Offset+t.mark(), at.Offset+len(name)+t.mark())}
		if items := itemsOf(d); items != nil {
			one.Children = s.rows(t, items)
		}
		out = append(out, one)
	}
	return out
}

// extent is the range of a node. A node ends where the next token begins.
func (s *snapshot) extent(t *text, from, to dsl.Pos) textRange {
	begin, end := from.Offset+t.mark(), to.Offset+t.mark()
	return t.span(begin, begin+len(strings.TrimRight(t.s[min(begin, len(t.s)):min(end, len(t.s))], " \t\r\n")))
}

// outline is how a declaration is listed.
func outline(d *dsl.Decl) (name, detail string, kind int, at *dsl.Pos) {
	named := func(n *dsl.Name, detail string, kind int) (string, string, int, *dsl.Pos) {
		return n.Text, detail, kind, &n.Pos
	}
	switch {
	case d.Schema != nil:
		return d.Schema.Name.Text, "schema", symbolModule, &d.Schema.Name.Pos
	case d.Const != nil:
		return named(d.Const.Name, "constant", symbolConstant)
	case d.Encoding != nil:
		return named(d.Encoding.Name, "encoding", symbolEnum)
	case d.Erratum != nil:
		return named(d.Erratum.Name, "erratum", symbolEvent)
	case d.Type != nil:
		return named(d.Type.Name, "type", symbolStruct)
	case d.Union != nil:
		return named(d.Union.Name, "union", symbolEnum)
	case d.Arm != nil:
		return named(d.Arm.Name, "arm of "+d.Arm.Union.Text, symbolClass)
	case d.Change != nil && d.Change.Replace != nil:
		r := d.Change.Replace
		name, detail, kind, at = outline(&dsl.Decl{Encoding: r.Encoding, Type: r.Type, Union: r.Union, Erratum: r.Erratum, Arm: r.Arm})
		return name, "replaces " + detail, kind, at
	case d.Change != nil && d.Change.Extend != nil:
		n := d.Change.Extend.Arms[0]
		return n.Text, fmt.Sprintf("extends %s of %s", plural(int64(len(d.Change.Extend.Arms)), "arm"), d.Change.Extend.Union.Text), symbolClass, &n.Pos
	}
	return "", "", 0, nil
}

func itemsOf(d *dsl.Decl) []*dsl.Item {
	switch {
	case d.Type != nil:
		return d.Type.Items
	case d.Union != nil:
		return d.Union.Items
	case d.Arm != nil:
		return d.Arm.Items
	case d.Change != nil && d.Change.Extend != nil:
		return d.Change.Extend.Items
	case d.Change != nil && d.Change.Replace != nil:
		r := d.Change.Replace
		return itemsOf(&dsl.Decl{Type: r.Type, Union: r.Union, Arm: r.Arm})
	}
	return nil
}

func (s *snapshot) rows(t *text, items []*dsl.Item) (out []documentSymbol) {
	for _, i := range items {
		one := documentSymbol{Range: s.extent(t, i.Pos, i.EndPos)}
		switch {
		case i.Row != nil:
			one.Name, one.Detail, one.Kind = i.Row.Name.Text, i.Row.Type.Name.Text, symbolField
			one.SelectionRange = t.span(i.Row.Name.Pos.Offset+t.mark(), i.Row.Name.Pos.Offset+len(one.Name)+t.mark())
		case i.Repeat != nil:
			one.Name, one.Detail, one.Kind = i.Repeat.Name.Text, "list", symbolArray
			one.SelectionRange = t.span(i.Repeat.Name.Pos.Offset+t.mark(), i.Repeat.Name.Pos.Offset+len(one.Name)+t.mark())
			one.Children = s.rows(t, i.Repeat.Items)
		case i.If != nil:
			out = append(append(out, s.rows(t, i.If.Then)...), s.rows(t, i.If.Else)...)
			continue
		case i.Within != nil:
			out = append(out, s.rows(t, i.Within.Items)...)
			continue
		default:
			continue
		}
		out = append(out, one)
	}
	return out
}
