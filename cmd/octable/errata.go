package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

type errataCommand struct {
	*env
	spec string
	json bool
}

func (e *env) errataCommand() *cobra.Command {
	c := &errataCommand{env: e}
	cmd := &cobra.Command{
		Use:   "errata [FLAG…] [ERRATUM…]",
		Short: "List the mistakes of the documents, and their rows",
		Long: `Errata lists the mistakes of the documents of the format: the statement of the
document, the behaviour of engines and of the schemas, and the rows at which a
schema or its page notes the erratum. With -spec these are the rows of one
schema, inherited rows included; errata without such a row are omitted.`,
		Example: `octable errata E12
octable errata -spec godot-4-doc`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeErrata,
		RunE:              func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	cmd.Flags().StringVar(&c.spec, "spec", "", "show the rows of one schema: an `ID`, or the path of a .oct file")
	_ = cmd.RegisterFlagCompletionFunc("spec", completeSpec)
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	return cmd
}

func completeErrata(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	pages, err := embeddedPages()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for _, e := range errataOf(pages) {
		out = append(out, e.Name+"\t"+clip(e.Says, 60))
	}
	return beginning(out, word), cobra.ShellCompDirectiveNoFileComp
}

// embeddedPages returns the pages of the schemas that octable has.
func embeddedPages() ([]*page.Page, error) {
	var out []*page.Page
	for _, id := range spec.IDs() {
		s, err := compile.Load(id)
		if err != nil {
			return nil, err
		}
		p, err := page.Load(s, page.Embedded)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// errataOf returns the errata that pages declare, each once.
func errataOf(pages []*page.Page) []*page.Erratum {
	var out []*page.Erratum
	for _, p := range pages {
		for _, e := range p.Errata {
			if !slices.ContainsFunc(out, func(o *page.Erratum) bool { return o.Name == e.Name }) {
				out = append(out, e)
			}
		}
	}
	return out
}

// erratum is what is to be said of one.
type erratum struct {
	ID     string         `json:"id"`
	In     string         `json:"in"`
	Says   string         `json:"says"`
	Engine string         `json:"engine"`
	Here   string         `json:"here"`
	Pos    string         `json:"pos"`
	Places []erratumPlace `json:"places,omitempty"`
}

// erratumPlace is a row at which an erratum is noted.
type erratumPlace struct {
	Pos    string            `json:"pos"`
	Row    string            `json:"row"`
	Absent bool              `json:"absent,omitempty"`
	Said   map[string]string `json:"said,omitempty"`
}

func (c *errataCommand) run(names []string) error {
	w := errataWalk{places: map[string][]erratumPlace{}, seen: map[string]bool{}}
	var pages []*page.Page
	if c.spec != "" {
		s, err := loadSchema(c.spec)
		if err != nil {
			return err
		}
		p, err := loadPage(s, c.spec)
		if err != nil {
			return err
		}
		pages = []*page.Page{p}
		w.page(p)
	} else {
		var err error
		if pages, err = embeddedPages(); err != nil {
			return err
		}
		for _, p := range pages {
			w.file = p.Schema.File
			w.page(p)
		}
	}
	var all []erratum
	known := []string{}
	for _, e := range errataOf(pages) {
		known = append(known, e.Name)
		places := w.places[e.Name]
		if len(names) > 0 && !contains(names, e.Name) || c.spec != "" && len(places) == 0 && len(names) == 0 {
			continue
		}
		all = append(all, erratum{e.Name, e.In, e.Says, e.Engine, e.Here, position(e.Pos), places})
	}
	for _, n := range names {
		if !contains(known, n) {
			return fail(exitUsage, "there is no erratum %q%s", n, meant(n, known, ""))
		}
	}
	if c.json {
		return c.writeJSON(all)
	}
	for i, e := range all {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		c.write(e)
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if strings.EqualFold(x, s) {
			return true
		}
	}
	return false
}

func (c *errataCommand) write(e erratum) {
	fmt.Fprintf(c.stdout, "%s  %s\n", e.ID, e.In)
	fmt.Fprint(c.stdout, entry("document", e.Says, 12), entry("engines", e.Engine, 12), entry("here", e.Here, 12))
	for i, p := range e.Places {
		name := ""
		if i == 0 {
			name = "noted at"
		}
		line := p.Pos + " " + p.Row
		if p.Absent {
			line += ", which some documents lack"
		}
		if len(p.Said) > 0 {
			var cells []string
			for _, cell := range []string{"offset", "length", "type", "name", "description", "label"} {
				if text, ok := p.Said[cell]; ok {
					cells = append(cells, fmt.Sprintf("%s %q", cell, text))
				}
			}
			line += ", where the document says " + strings.Join(cells, ", ")
		}
		fmt.Fprint(c.stdout, entry(name, line, 12))
	}
}

func position(p dsl.Pos) string { return fmt.Sprintf("%s:%d", path.Base(p.Filename), p.Line) }

// errataWalk collects the rows at which errata are noted.
type errataWalk struct {
	file   string // only marks in this file and the page beside it count; "" is all files
	places map[string][]erratumPlace
	seen   map[string]bool
}

func (w *errataWalk) page(p *page.Page) {
	for _, m := range p.About() {
		w.add(m, "schema "+p.Schema.ID)
	}
	for _, e := range p.Schema.Encodings {
		for _, m := range e.Mentions {
			w.add(&page.Mark{Name: m.Name, Pos: m.Pos}, "encoding "+e.Name)
		}
	}
	for _, b := range p.Schema.Bodies() {
		p.EachMark(&b, func(m *page.Mark, at schema.Node) {
			row := b.Name
			switch at := at.(type) {
			case *schema.Row:
				row += "." + at.Field.Name
			case *schema.Bit:
				row += "." + at.Field.Name
			case *schema.List:
				row += "." + at.Field.Name
			}
			w.add(m, row)
		})
	}
}

func (w *errataWalk) add(m *page.Mark, row string) {
	if name := path.Base(m.Pos.Filename); w.file != "" && name != path.Base(w.file) && name != path.Base(page.Path(w.file)) {
		return
	}
	key := m.Name + " " + fmt.Sprint(m.Pos)
	if dsl.IsPage(m.Pos.Filename) {
		key += " " + row // a note may be about several rows
	}
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	p := erratumPlace{Pos: position(m.Pos), Row: row, Absent: m.Absent}
	for _, s := range m.Said {
		if p.Said == nil {
			p.Said = map[string]string{}
		}
		p.Said[s.Cell] = s.Text
	}
	w.places[m.Name] = append(w.places[m.Name], p)
}
