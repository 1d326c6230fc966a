package audit

import (
	"fmt"
)

// prose compares the numbers outside tables.
func (c *comparison) prose(w *wantRegion, g *gotRegion) {
	type gotNumber struct {
		text string
		line ProseLine
	}
	var got []gotNumber
	for _, l := range g.Prose {
		for _, n := range numbers(l.Text) {
			got = append(got, gotNumber{n, l})
		}
	}
	section := sectionName(w.section)
	if w.section == nil && g.Raw != "" {
		section = fmt.Sprintf("section %q", g.Raw)
	}
	pairs, cost := align(len(w.numbers), len(got), func(i, j int) int {
		if w.numbers[i].text == got[j].text {
			return 0
		}
		return 3
	}, constant(2), constant(2))
	if cost == 0 {
		return
	}
	near := g.Line
	for _, p := range pairs {
		switch {
		case p.a < 0:
			n := got[p.b]
			near = n.line.Line
			c.add(Entry{Kind: Prose, Status: Failed, Line: near, Section: section,
				Differences: []Difference{{"prose", "no number", n.text}},
				Message: fmt.Sprintf("%sthe prose of %s has the number %s in %q, for which the schema states no fact; "+
					"add a sentence with this number to its facts, or correct the document.", c.where(near), section, n.text, n.line.Text)})
		case p.b < 0:
			n := w.numbers[p.a]
			c.add(Entry{Kind: Prose, Status: Failed, Section: n.section, Pos: n.pos,
				Differences: []Difference{{"prose", n.text, "no number"}},
				Message: fmt.Sprintf("%sthe prose of %s lacks the number %s of the fact %q in %s; "+
					"correct the document, or take the fact out of the schema.", c.where(near), n.section, n.text, n.fact, inSchema(n.pos))})
		case w.numbers[p.a].text != got[p.b].text:
			n, o := w.numbers[p.a], got[p.b]
			near = o.line.Line
			c.add(Entry{Kind: Prose, Status: Failed, Line: near, Section: n.section, Pos: n.pos,
				Differences: []Difference{{"prose", n.text, o.text}},
				Message: fmt.Sprintf("%sthe prose of %s: expected the number %s (%q in %s), found %s in %q; "+
					"correct the document or the fact.", c.where(near), n.section, n.text, n.fact, inSchema(n.pos), o.text, o.line.Text)})
		default:
			near = got[p.b].line.Line
		}
	}
}
