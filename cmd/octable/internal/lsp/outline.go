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
	for _, d := range f.Page {
		name, detail, kind, at := outlinePage(d)
		if at != nil {
			out = append(out, documentSymbol{Name: name, Detail: detail, Kind: kind,
				Range: s.extent(t, d.Pos, d.EndPos), SelectionRange: t.span(at.Offset+t.mark(), at.Offset+len(name)+t.mark())})
		}
	}
	for _, d := range f.Decls {
		if d.Change != nil {
			out = append(out, s.renamed(t, d.Change)...)
			continue
		}
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

// renamed lists the arms that get another name.
func (s *snapshot) renamed(t *text, d *dsl.Change) (out []documentSymbol) {
	for _, a := range d.Arms {
		if n := a.New; n != nil {
			out = append(out, documentSymbol{Name: n.Text, Detail: "arm of " + d.Union.Text + ", was " + a.Old.Text, Kind: symbolClass,
				Range: s.extent(t, a.Pos, a.EndPos), SelectionRange: t.span(n.Pos.Offset+t.mark(), n.Pos.Offset+len(n.Text)+t.mark())})
		}
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
		if d.Replace {
			detail = "replaces " + detail
		}
		return n.Text, detail, kind, &n.Pos
	}
	switch {
	case d.Schema != nil:
		return d.Schema.Name.Text, "schema", symbolModule, &d.Schema.Name.Pos
	case d.Import != nil:
		return named(d.Import.Name, "import of "+d.Import.Schema.Text, symbolModule)
	case d.Encoding != nil:
		return named(d.Encoding.Name, "encoding", symbolEnum)
	case d.Type != nil:
		return named(d.Type.Name, "type", symbolStruct)
	case d.Union != nil:
		return named(d.Union.Name, "union", symbolEnum)
	case d.Arm != nil:
		return named(d.Arm.Name, "arm of "+d.Arm.Union.Text, symbolClass)
	case d.Extend != nil:
		var all []string
		for _, p := range d.Extend.Paths {
			all = append(all, p.String())
		}
		first := d.Extend.Paths[0].Names
		return named(first[len(first)-1], "extends "+strings.Join(all, ", "), symbolClass)
	}
	return "", "", 0, nil
}

// outlinePage is how a declaration of a page is listed.
func outlinePage(d *dsl.PageDecl) (name, detail string, kind int, at *dsl.Pos) {
	switch {
	case d.Page != nil:
		return d.Page.Name.Text, "page", symbolModule, &d.Page.Name.Pos
	case d.Erratum != nil:
		return d.Erratum.Name.Text, "erratum", symbolEvent, &d.Erratum.Name.Pos
	case d.Note != nil:
		first := d.Note.Paths[0]
		if n := len(d.Note.Paths); n > 1 {
			detail = fmt.Sprintf("and %d more", n-1)
		}
		return first.Path.String(), detail, symbolField, &first.Pos
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
	case d.Extend != nil:
		return d.Extend.Items
	}
	return nil
}

func (s *snapshot) rows(t *text, items []*dsl.Item) (out []documentSymbol) {
	for _, i := range items {
		one := documentSymbol{Range: s.extent(t, i.Pos, i.EndPos)}
		switch {
		case i.Row != nil:
			one.Name, one.Detail, one.Kind = i.Row.Name.Text, i.Row.Types(), symbolField
			one.SelectionRange = t.span(i.Row.Name.Pos.Offset+t.mark(), i.Row.Name.Pos.Offset+len(one.Name)+t.mark())
		case i.Repeat != nil:
			one.Name, one.Detail, one.Kind = i.Repeat.Name.Text, "list", symbolArray
			one.SelectionRange = t.span(i.Repeat.Name.Pos.Offset+t.mark(), i.Repeat.Name.Pos.Offset+len(one.Name)+t.mark())
			one.Children = s.rows(t, i.Repeat.Items)
		case i.If != nil:
			out = append(append(out, s.rows(t, i.If.Then)...), s.rows(t, i.If.Else)...)
			continue
		default:
			continue
		}
		out = append(out, one)
	}
	return out
}

// maxSymbols bounds the answer to one search.
const maxSymbols = 1000

// workspaceSymbols returns the declarations whose name has the letters of the query in their order. It looks
// into all schema files in the folders of the workspace and all open documents.
func (s *server) workspaceSymbols(_ call, params workspaceSymbolParams) (any, error) {
	now := s.snapshot()
	s.mu.Lock()
	folders := s.folders
	s.mu.Unlock()
	out := []workspaceSymbol{}
	for _, name := range now.files(folders) {
		schema := ""
		for _, d := range now.documentSymbols(name) {
			if d.Kind == symbolModule {
				schema = d.Name
			}
			if len(out) < maxSymbols && contains(d.Name, params.Query) {
				out = append(out, workspaceSymbol{d.Name, d.Kind, schema, location{now.uriOf(name), d.SelectionRange}})
			}
		}
	}
	return out, nil
}

// contains reports whether a name has the letters of a query in their order, in any case.
func contains(name, query string) bool {
	rest := []rune(strings.ToLower(query))
	for _, r := range strings.ToLower(name) {
		if len(rest) > 0 && r == rest[0] {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}
