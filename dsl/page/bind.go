// Binding: from the syntax of pages to the parts of schemas.

package page

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// binder binds the pages of one schema and of those that it extends.
type binder struct {
	load  Loader
	files map[string]*dsl.File // by name
	pages map[string]*Page     // bound so far, by id
	diags dsl.Diagnostics
	err   error // of the loader
}

func (b *binder) errorf(pos dsl.Pos, width int, code dsl.Code, format string, args ...any) *dsl.Diagnostic {
	return b.diags.Errorf(b.files[pos.Filename], pos, width, code, format, args...)
}

// next returns the page that a schema has without a file. The schema that it extends must
// have the page p. Errata about the schema as a whole are not taken over.
func (p *Page) next(s *schema.Schema) *Page {
	return &Page{Schema: s, Says: p.Says, Errata: slices.Clone(p.Errata), notes: maps.Clone(p.notes), dropped: maps.Clone(p.dropped)}
}

// page binds a file. The page p is the one that its schema has without the file; the schema
// is nil for a page without one. The chain holds the ids of pages that extend this one.
func (b *binder) page(f *dsl.File, p *Page, chain []string) *Page {
	b.files[f.Name] = f
	var decl *dsl.Page
	for _, d := range f.Page {
		if d.Page != nil && decl != nil {
			b.errorf(d.Page.Pos, 4, dsl.CodeSchema, "a file declares one page, and %q is declared above", decl.Name.Text).WithHint("move it to a separate file")
		} else if d.Page != nil {
			decl = d.Page
		}
	}
	if decl == nil {
		b.diags.Errorf(f, dsl.Pos{Filename: f.Name, Line: 1, Column: 1}, 0, dsl.CodeSchema, "the file declares no page").WithHint(`begin it with: page "name" { … }`)
		return p
	}
	if id := decl.Name.Text; p.Schema != nil && id != p.Schema.ID {
		b.errorf(decl.Name.Pos, len(id)+2, dsl.CodeSchema, "the page is of %q, and beside the schema %q", id, p.Schema.ID).WithHint("a page has the name of its schema")
	}
	if decl.Extends != nil {
		if base := b.base(decl, append(chain, decl.Name.Text)); base != nil {
			p = base.next(p.Schema)
		}
	}
	for _, d := range f.Page {
		switch {
		case d.Erratum != nil:
			b.erratum(p, d.Erratum)
		case d.Drop != nil:
			b.drop(p, d.Drop)
		}
	}
	b.about(p, decl)
	own := map[dsl.Pos]*Note{}
	for _, d := range f.Page {
		switch {
		case d.Note == nil:
		case p.Schema == nil:
			first := d.Note.Paths[0]
			b.errorf(first.Pos, len(first.Path.String()), dsl.CodeSchema, "there is no schema beside the page that it could have notes about").
				WithHint("give the page the name of its schema, in the same folder")
		default:
			b.note(p, d.Note, own)
		}
	}
	p.merge(own)
	return p
}

// base returns the page that a page names as the one it extends, or nil.
func (b *binder) base(decl *dsl.Page, chain []string) *Page {
	id := decl.Extends.Text
	at := func(format string, args ...any) *dsl.Diagnostic {
		return b.errorf(decl.Extends.Pos, len(id)+2, dsl.CodeExtends, format, args...)
	}
	if p := b.pages[id]; p != nil {
		return p
	}
	if slices.Contains(chain, id) {
		at("page %q extends itself", id).WithHint("a page extends the page of an older schema, or one without a schema")
		return nil
	}
	f, err := b.load(id)
	if err != nil {
		b.err = err
		return nil
	}
	if f == nil {
		at("page %q cannot be found", id).WithHint("it is looked for beside this file, as %s.page, and among those of octable", id)
		return nil
	}
	if i := slices.IndexFunc(f.Page, func(d *dsl.PageDecl) bool { return d.Note != nil }); i >= 0 {
		at("page %q has notes about a schema that this one does not extend", id).WithHint("extend a page of errata, or one of a schema that this one extends")
		return nil
	}
	return b.page(f, &Page{}, chain)
}

func (b *binder) erratum(p *Page, d *dsl.Erratum) {
	if old := p.Erratum(d.Name.Text); old != nil {
		b.errorf(d.Name.Pos, len(d.Name.Text), dsl.CodeTwice, "erratum %s is declared already, at %s:%d", old.Name, old.Pos.Filename, old.Pos.Line).
			WithHint("drop it before, or choose another name")
		return
	}
	p.Errata = append(p.Errata, &Erratum{Name: d.Name.Text, Pos: d.Pos, In: d.In.String(), Says: d.Says.String(), Engine: d.Engine.String(), Here: d.Here.String()})
}

func (b *binder) drop(p *Page, names []*dsl.Name) {
	for _, n := range names {
		if !b.known(p, n) {
			continue
		}
		p.Errata = slices.DeleteFunc(p.Errata, func(e *Erratum) bool { return e.Name == n.Text })
		if p.dropped == nil {
			p.dropped = map[string]bool{}
		}
		p.dropped[n.Text] = true
	}
}

// known reports an erratum that the page does not have.
func (b *binder) known(p *Page, n *dsl.Name) bool {
	if p.Erratum(n.Text) != nil {
		return true
	}
	p.hint(b.errorf(n.Pos, len(n.Text), dsl.CodeUnknown, "there is no erratum %s", n.Text), n.Text)
	return false
}

// about binds the remarks about the schema as a whole.
func (b *binder) about(p *Page, decl *dsl.Page) {
	var says []string
	for _, r := range decl.Remarks {
		switch {
		case r.Says != nil:
			says = append(says, r.Says.Text)
		case r.Mark != nil:
			p.Marks = append(p.Marks, b.mark(p, r.Mark))
		default:
			b.meaningless(r, "a page as a whole")
		}
	}
	if says != nil {
		p.Says = says
	}
}

func (b *binder) meaningless(r *dsl.Remark, thing string) {
	word := "caption"
	if r.Row != nil {
		word = "row"
	}
	b.errorf(r.Pos, len(word), dsl.CodeArgs, "%s means nothing for %s", word, thing).WithHint("it is before a row or a list; write it in the note of one")
}

func (b *binder) mark(p *Page, d *dsl.PageMark) *Mark {
	b.known(p, d.Name)
	m := &Mark{Name: d.Name.Text, Pos: d.Pos, Absent: d.Absent}
	for _, s := range d.Said {
		m.Said = append(m.Said, Said{s.Cell, s.Text.Text})
	}
	return m
}

// note binds the remarks of a note, and adds them to the parts that it names.
func (b *binder) note(p *Page, d *dsl.Note, notes map[dsl.Pos]*Note) {
	var n Note
	var inTable *dsl.Remark
	for _, r := range d.Remarks {
		switch {
		case r.Says != nil:
			n.Says = append(n.Says, r.Says.Text)
		case r.Mark != nil:
			n.Marks = append(n.Marks, b.mark(p, r.Mark))
		case r.Caption != nil:
			n.Before, inTable = append(n.Before, Before{Caption: r.Caption.Text}), r
		default:
			n.Before, inTable = append(n.Before, Before{Row: b.row(p, r.Row)}), r
		}
	}
	for _, path := range d.Paths {
		part := b.part(p.Schema, path)
		switch {
		case part.thing == "":
		case inTable != nil && !part.table:
			b.meaningless(inTable, part.thing)
		default:
			old := notes[part.at]
			if old == nil {
				old = &Note{}
				notes[part.at] = old
			}
			old.Before = append(old.Before, n.Before...)
			old.Says = append(old.Says, n.Says...)
			old.Marks = append(old.Marks, n.Marks...)
		}
	}
}

// row binds a row that a document has in addition.
func (b *binder) row(p *Page, d *dsl.Row) *Row {
	if d.By != nil {
		b.errorf(d.By.Pos, len("by"), dsl.CodeArgs, "a row of a document has one type").WithHint("write a row for each form")
		one := d.In(d.By.Forms[0])
		d = one
	}
	r := &Row{Pos: d.Pos, Offset: d.Offset.Text(true), Length: d.Length.Text(true), Name: d.Name.Text, Doc: d.Doc.String()}
	name := d.Type.Name.Text
	r.Type = &schema.Type{Name: name, Pos: d.Type.Pos}
	if t := builtin.TypeNamed(name); t != nil {
		r.Type.Scalar = t.Scalar
		switch {
		case t.Truth:
			r.Type.Form = schema.Truth
		case t.Text:
			r.Type.Form = schema.Text
		case t.Coding.InDigits():
			r.Type.Coding = inDigits(t.Coding, d)
			r.Type.Scalar = r.Type.Coding.Scalar()
		case d.Type.Extent != nil:
			r.Type.Form = schema.Array
		}
	} else if u := p.Schema.Union(name); u != nil {
		r.Type.Form, r.Type.Union = schema.OfUnion, u
	} else if p.Schema.Encoding(name) != nil {
		r.Type.Form = schema.Text
	} else if a := p.Schema.Option; a != nil && a.Name == name {
		r.Type.Scalar = p.Schema.Choice.Scalar
	} else {
		b.errorf(d.Type.Name.Pos, len(name), dsl.CodeUnknown, "there is no scalar, encoding or union %s", name).WithHint("a row of a document is a number, text or a value of a union")
	}
	for _, a := range d.Attrs {
		if a.Err == nil {
			b.errorf(a.Pos, 1, dsl.CodeArgs, "a row of a document has marks of errata and no other rules").WithHint("leave it out").
				Remove(b.files[a.Pos.Filename], a.Pos, a.EndPos)
			continue
		}
		b.known(p, a.Err)
		r.Marks = append(r.Marks, &Mark{Name: a.Err.Text, Pos: a.Err.Pos})
	}
	return r
}

// merge adds the notes of a page to those that it takes over. Sentences, captions and rows
// take the place of older ones; marks are added.
func (p *Page) merge(own map[dsl.Pos]*Note) {
	if p.notes == nil {
		p.notes = map[dsl.Pos]*Note{}
	}
	for at, n := range own {
		if old := p.notes[at]; old != nil {
			n.Marks = slices.Concat(old.Marks, n.Marks)
			if n.Says == nil {
				n.Says = old.Says
			}
			if n.Before == nil {
				n.Before = old.Before
			}
		}
		p.notes[at] = n
	}
}

// part is a part of a schema.
type part struct {
	thing string // what it is, for messages; "" if there is no such part
	at    dsl.Pos
	table bool // it is a row or a list, which is in a table
}

// part returns the part that a path names.
func (b *binder) part(s *schema.Schema, path *dsl.PartPath) part {
	names := path.Path.Names
	first := names[0].Text
	var found part
	var nodes []schema.Node
	switch u, rec := s.Union(first), s.Record(first); {
	case u != nil:
		found, nodes = part{thing: "a union", at: u.Pos}, u.Body
		names = names[1:]
		if len(names) > 0 {
			if a := u.Arm(names[0].Text); a != nil {
				found, nodes = part{thing: "an arm", at: a.Pos}, a.Body
				names = names[1:]
			} else if inside(u.Body, names[0].Text) == nil {
				b.unknown(names[0], fmt.Sprintf("union %s has no arm or row", first), append(armNames(u), partNames(u.Body)...))
				return part{}
			}
		}
	case rec != nil:
		found, nodes = part{thing: "a type", at: rec.Pos}, rec.Body
		names = names[1:]
	default:
		var all []string
		for _, u := range s.Unions {
			all = append(all, u.Name)
		}
		for _, r := range s.Records {
			all = append(all, r.Name)
		}
		b.unknown(names[0], "there is no type or union", all)
		return part{}
	}
	var last []schema.Node
	for i, n := range names {
		if last = inside(nodes, n.Text); last == nil {
			before := path.Path.Names[len(path.Path.Names)-len(names)+i-1].Text
			b.unknown(n, before+" has no row, list or bits", partNames(nodes))
			return part{}
		}
		switch x := last[0].(type) {
		case *schema.Row:
			found, nodes = part{"a row", x.Pos, true}, bitNodes(x.Bits)
		case *schema.Bit:
			found, nodes = part{thing: "bits", at: x.Pos}, nil
		case *schema.List:
			found, nodes = part{"a list", x.Pos, true}, x.Element.Body
		}
	}
	if path.Form == nil {
		return found
	}
	k, err := strconv.Atoi(path.Form.Text)
	if err != nil || len(last) < 2 || k >= len(last) {
		b.errorf(path.Form.Pos, len(path.Form.Text), dsl.CodeUnknown, "%s has no form %s", names[len(names)-1].Text, path.Form.Text).
			WithHint("a row with several forms has the forms 0, 1 and so on; leave the number out for the first")
		return part{}
	}
	return part{"a row", last[k].(*schema.Row).Pos, true}
}

func (b *binder) unknown(n *dsl.Name, what string, all []string) {
	d := b.errorf(n.Pos, len(n.Text), dsl.CodeUnknown, "%s %s", what, n.Text)
	slices.Sort(all)
	all = slices.Compact(all)
	if near := builtin.Nearest(n.Text, all); near != "" {
		d.Suggest(n.Text, near)
	} else if len(all) > 0 && len(all) <= 8 {
		d.WithHint("there is %s", strings.Join(all, ", "))
	} else {
		d.WithHint("a path names a type or a union, then an arm, rows, lists and bits inside it")
	}
}

// inside returns the rows, the list or the bits of a name in a body. These are the forms
// of a row, or else one node. Nodes in lists are not in the body.
func inside(body []schema.Node, name string) []schema.Node {
	var out []schema.Node
	eachPart(body, func(n schema.Node, f *schema.Field) {
		if f.Name == name {
			out = append(out, n)
		}
	})
	return out
}

func partNames(body []schema.Node) []string {
	var out []string
	eachPart(body, func(_ schema.Node, f *schema.Field) { out = append(out, f.Name) })
	return out
}

// eachPart calls f for the rows, lists and bits of a body outside of lists. Bits of a row are
// inside the row.
func eachPart(body []schema.Node, f func(schema.Node, *schema.Field)) {
	schema.Walk(body, func(n schema.Node) bool {
		switch n := n.(type) {
		case *schema.Row:
			f(n, n.Field)
			return false
		case *schema.List:
			f(n, n.Field)
			return false
		case *schema.Bit:
			f(n, n.Field)
		}
		return true
	})
}

func bitNodes(bits []*schema.Bit) []schema.Node {
	var out []schema.Node
	for _, bit := range bits {
		out = append(out, bit)
	}
	return out
}

func armNames(u *schema.Union) []string {
	var out []string
	for _, a := range u.Arms {
		out = append(out, a.Name)
	}
	return out
}

// inDigits returns the coding of a row with numbers in digits. It is only a kind if the row has neither a width nor a terminator.
func inDigits(kind builtin.Coding, d *dsl.Row) builtin.Coding {
	x := d.Type.Extent
	if x != nil && x.Until != nil {
		end, err := x.Until.Bytes()
		if c, ok := builtin.Ended(kind, string(end)); ok && err == nil {
			return c
		}
	}
	if x != nil && x.Count != nil && x.Count.Num != nil {
		if n, err := strconv.Atoi(x.Count.Num.Text); err == nil {
			if c, ok := builtin.InDigits(kind, n, kind.DefaultFill()); ok {
				return c
			}
		}
	}
	return kind
}
