// The errata of documents, and the changes since the schema before.

package docs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/page"
)

// errata lists the mistakes of documents that the schema names anywhere.
func (b *builder) errata() {
	seen := map[string]bool{}
	for _, m := range b.opt.Page.About() {
		seen[m.Name] = true
	}
	for _, body := range b.s.Bodies() {
		for _, id := range b.errataOf(&body) {
			seen[id] = true
		}
	}
	if len(seen) == 0 {
		return
	}
	list := slices.DeleteFunc(slices.Clone(b.opt.Page.Errata), func(e *page.Erratum) bool { return !seen[e.Name] })
	s := b.section(&b.page.Sections, plain("Errata of documents"), "errata")
	s.paragraph(plain("Differences between documents of the format and the engines, between documents, and within a document, if they concern this schema."))
	for _, e := range list {
		sub := &Section{Title: plain(e.Name), Anchor: b.page.Label + "_" + anchor(e.Name), Number: -1}
		s.Sections = append(s.Sections, sub)
		var items []Text
		for _, x := range []struct{ what, text string }{{"In", e.In}, {"Says", e.Says}, {"Engines", e.Engine}, {"Here", e.Here}} {
			if x.text != "" {
				items = append(items, join(Text{{Style: Emph, Text: x.what}}, plain(": "), b.linked(x.text, list)))
			}
		}
		sub.add(List{items})
	}
}

var erratumID = regexp.MustCompile(`\bE[0-9]+\b`)

// linked is a text in which errata of the page can be followed.
func (b *builder) linked(text string, list []*page.Erratum) Text {
	var out Text
	at := 0
	for _, m := range erratumID.FindAllStringIndex(text, -1) {
		id := text[m[0]:m[1]]
		if !slices.ContainsFunc(list, func(e *page.Erratum) bool { return e.Name == id }) {
			continue
		}
		if m[0] > at {
			out = append(out, Span{Text: text[at:m[0]]})
		}
		out = append(out, Span{Style: Link, Text: id, Ref: b.page.Label + "_" + anchor(id)})
		at = m[1]
	}
	if at < len(text) {
		out = append(out, Span{Text: text[at:]})
	}
	return out
}

// changes lists what changed on the wire since the schema before.
func (b *builder) changes() {
	if b.report == nil {
		return
	}
	s := b.section(&b.page.Sections, plain("Changes"), "changes")
	r := b.report
	s.paragraph(join(plain("What changes on the wire from "), code(r.Old.Name), plain(" ("+r.Old.Title+"): "+r.Summary()+". Each change is shown with the shortest packet that was found to show it.")))
	for i := range r.Changes {
		c := &r.Changes[i]
		sub := &Section{Title: plain(c.Heading()), Anchor: b.page.Label + "_change_" + anchor(fmt.Sprint(c.Sort, " ", c.Title())), Number: -1}
		s.Sections = append(s.Sections, sub)
		for _, a := range c.About {
			sub.paragraph(sentence(plain(a)))
		}
		if len(c.Removed)+len(c.Added) > 0 {
			var rows []string
			for _, l := range c.Removed {
				rows = append(rows, "- "+l)
			}
			for _, l := range c.Added {
				rows = append(rows, "+ "+l)
			}
			sub.paragraph(plain("In rows of the schema:"))
			sub.add(Listing{strings.Join(rows, "\n")})
		}
		if len(c.Effects) == 0 {
			sub.paragraph(sentence(plain(c.Summary())))
		}
		for _, e := range c.Effects {
			sub.paragraph(capitalText(plain(e.Heading() + ":")))
			var items []Text
			for _, l := range e.Lines() {
				items = append(items, join(plain(l[0]+": "), code(l[1])))
			}
			sub.add(List{items})
		}
	}
}
