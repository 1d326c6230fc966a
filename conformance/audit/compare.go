package audit

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Compare accounts for every row of the document against the expectation.
// Both are left as they are.
//
// If some copies of a document lack rows or titles by an erratum, the
// comparison that leaves the fewest failures decides whether this copy does.
func Compare(doc *Document, want *Expectation) *Report {
	if doc == nil {
		doc = &Document{Name: "(no document)"}
	}
	if want == nil {
		want = &Expectation{Schema: "(no schema)"}
	}
	c := &comparison{doc: doc, want: want}
	c.prepare()

	absent := map[string]bool{}
	report, failures := c.run(absent)
	for failures > 0 {
		improved := false
		for _, id := range c.absentErrata() {
			absent[id] = !absent[id]
			if r, n := c.run(absent); n < failures {
				report, failures, improved = r, n, true
			} else {
				absent[id] = !absent[id]
			}
		}
		if !improved {
			break
		}
	}
	return report
}

// cellNames are the cells of a field row, in their order.
var cellNames = [4]string{"offset", "length", "type", "description"}

// A comparison holds document and expectation with their cells in normal
// form, so that it can be run several times.
type comparison struct {
	doc  *Document
	want *Expectation
	// regions of the document: the introduction and each section.
	regions []gotRegion
	rows    map[*WantRow]*wantRow

	// of the current run
	report *Report
}

// A gotCell is a cell of the document with its readings.
type gotCell struct {
	text     string
	readings []reading
	missing  bool   // the table has no such column
	loose    bool   // of a type: compared by its class
	class    string // of a type, "" if it names none
}

type reading struct {
	phrase
	plain   string
	place   string // normal form, "" if it is not a place
	meaning meaning
}

type gotRow struct {
	*Row
	cells [4]gotCell
}

type gotTable struct {
	*Table
	rows []gotRow
}

type gotRegion struct {
	*Section
	tables []gotTable
}

// A wantRow is an expected row in normal form.
type wantRow struct {
	*WantRow
	text    [4]string // what is expected, as text
	places  [2]string
	element bool
	meaning meaning
}

// prepare brings all cells into normal form.
func (c *comparison) prepare() {
	region := func(s *Section) {
		r := gotRegion{Section: s}
		for i := range s.Tables {
			t := gotTable{Table: &s.Tables[i]}
			for j := range t.Rows {
				row := &t.Rows[j]
				g := gotRow{Row: row}
				for k, text := range []string{row.Offset, row.Length, row.Type, row.Description} {
					g.cells[k] = newGotCell(k, text)
					g.cells[k].missing = s.Tables[i].Columns != nil && !slices.Contains(s.Tables[i].Columns, columns[fieldTable][k]) ||
						k == 1 && text == "" && s.Tables[i].Sized
				}
				t.rows = append(t.rows, g)
			}
			r.tables = append(r.tables, t)
		}
		c.regions = append(c.regions, r)
	}
	region(&c.doc.Intro)
	for i := range c.doc.Sections {
		region(&c.doc.Sections[i])
	}
	c.rows = map[*WantRow]*wantRow{}
	for i := range c.want.Sections {
		for j := range c.want.Sections[i].Subtables {
			rows := c.want.Sections[i].Subtables[j].Rows
			for k := range rows {
				c.rows[&rows[k]] = newWantRow(&rows[k])
			}
		}
	}
}

func newGotCell(k int, text string) gotCell {
	c := gotCell{text: text}
	for _, p := range translate(cellNames[k], text) {
		r := reading{phrase: p, plain: plain(p.Means)}
		switch k {
		case 0, 1:
			if pl, err := parsePlace(p.Means); err == nil {
				r.place = pl.normal()
			}
		case 3:
			r.meaning = meaningOf(p.Means, glossary.words)
		}
		c.readings = append(c.readings, r)
	}
	return c
}

func newWantRow(r *WantRow) *wantRow {
	w := &wantRow{WantRow: r, text: [4]string{r.Offset, r.Length, r.Type, r.describe()}}
	for k := range w.places {
		if pl, err := parsePlace(w.text[k]); err == nil {
			w.places[k] = pl.normal()
			w.element = w.element || k == 0 && pl.isElement()
		}
	}
	w.meaning = meaningOf(w.text[3], glossary.words)
	return w
}

// describe returns the description. Without one it returns the name in words.
func (r *WantRow) describe() string {
	if r.Description != "" {
		return r.Description
	}
	return strings.NewReplacer("_", " ", ".", " ").Replace(r.Name)
}

// compareCell compares cell k. It returns the errata it takes to bring both
// together and whether that is possible.
func compareCell(k int, w *wantRow, g *gotCell) ([]string, bool) {
	said := saidOf(w.Said, cellNames[k])
	if g.missing && !binding(said) {
		return nil, true
	}
	for _, r := range g.readings {
		if errata, ok := matchSaid(said, r.plain, r.Erratum); ok {
			return errata, true
		}
		if k == 0 && r.Erratum != "" && r.Means == "element" {
			if w.element {
				return []string{r.Erratum}, true
			}
			continue
		}
		if binding(said) {
			continue
		}
		same := false
		switch k {
		case 0, 1:
			same = r.place != "" && r.place == w.places[k]
		case 2:
			same = strings.EqualFold(r.plain, w.text[k]) || g.loose && (g.class == "" || g.class == wholeNumber(w.text[k]))
		case 3:
			same = r.meaning == w.meaning
		}
		if same {
			return errataOf(r.Erratum), true
		}
	}
	return nil, false
}

// saidOf returns the errata about one cell.
func saidOf(all []Said, cell string) []Said {
	var some []Said
	for _, s := range all {
		if s.Cell == cell {
			some = append(some, s)
		}
	}
	return some
}

// matchSaid reports whether the text is what one of the errata says. It returns
// the id of that erratum together with that of the translation.
func matchSaid(said []Said, text, translation string) ([]string, bool) {
	for _, s := range said {
		if plain(s.Text) == text {
			return errataOf(s.Erratum, translation), true
		}
	}
	return nil, false
}

// binding reports whether the document has to say what one of the errata
// says.
func binding(said []Said) bool {
	return slices.ContainsFunc(said, func(s Said) bool { return !s.Optional })
}

func errataOf(ids ...string) []string {
	var errata []string
	for _, id := range ids {
		if id != "" && !slices.Contains(errata, id) {
			errata = append(errata, id)
		}
	}
	return errata
}

// expected says in words what a cell should hold.
func expected(own string, said []Said) string {
	var texts []string
	if !binding(said) {
		texts = append(texts, strconv.Quote(own))
	}
	for _, s := range said {
		texts = append(texts, fmt.Sprintf("%q (%s)", s.Text, s.Erratum))
	}
	return strings.Join(texts, " or ")
}

// compareRow returns the errata of a row and the cells that differ.
func compareRow(w *wantRow, g *gotRow) (errata []string, differences []Difference) {
	for k := range cellNames {
		ids, ok := compareCell(k, w, &g.cells[k])
		if !ok {
			differences = append(differences, Difference{cellNames[k],
				expected(w.text[k], saidOf(w.Said, cellNames[k])), strconv.Quote(g.cells[k].text)})
			continue
		}
		for _, id := range ids {
			errata = errataOf(append(errata, id)...)
		}
	}
	return errata, differences
}

// A wantTab is an expected table of one run, with the rows that the
// document is assumed to have.
type wantTab struct {
	table   *WantTable
	section *WantSection
	rows    []*wantRow
}

// A wantNumber is an expected number of the prose.
type wantNumber struct {
	text, fact, section, pos string
}

// A wantRegion is an expected section of one run. It includes those after it
// whose title the document is assumed to lack.
type wantRegion struct {
	section *WantSection // nil for the introduction
	tables  []wantTab
	numbers []wantNumber
}

func sectionName(s *WantSection) string {
	switch {
	case s == nil:
		return "the introduction"
	case s.ID < 0:
		return s.Title
	}
	return fmt.Sprintf("section %d: %s", s.ID, s.Title)
}

func (r *wantRegion) addNumbers(s *WantSection, fact string) {
	pos := ""
	if s != nil {
		pos = s.Pos
	}
	for _, n := range numbers(fact) {
		r.numbers = append(r.numbers, wantNumber{n, fact, sectionName(s), pos})
	}
}

// absentErrata returns the errata by which rows or titles may be absent.
func (c *comparison) absentErrata() []string {
	ids := map[string]bool{}
	for _, s := range c.want.Sections {
		ids[s.Absent] = true
		for _, t := range s.Subtables {
			for _, r := range t.Rows {
				ids[r.Absent] = true
			}
		}
	}
	delete(ids, "")
	var sorted []string
	for id := range ids {
		sorted = append(sorted, id)
	}
	sort.Strings(sorted)
	return sorted
}

// wantRegions returns what is expected if the errata in absent apply. It
// makes entries for what is absent by them.
func (c *comparison) wantRegions(absent map[string]bool) []wantRegion {
	regions := []wantRegion{{}}
	for _, f := range c.want.Facts {
		regions[0].addNumbers(nil, f)
	}
	for i := range c.want.Sections {
		s := &c.want.Sections[i]
		if s.Absent != "" && absent[s.Absent] {
			c.add(Entry{Kind: SectionTitle, Status: Absent, Section: sectionName(s), Pos: s.Pos,
				Errata: []string{s.Absent}})
		} else {
			regions = append(regions, wantRegion{section: s})
		}
		r := &regions[len(regions)-1]
		gone := 0
		for j := range s.Subtables {
			t := wantTab{table: &s.Subtables[j], section: s}
			c.present(&t, absent)
			if len(t.rows) == 0 && len(t.table.Rows) > 0 {
				gone++
				continue
			}
			r.tables = append(r.tables, t)
			r.addNumbers(s, t.table.Caption)
			for _, f := range t.table.Facts {
				r.addNumbers(s, f)
			}
		}
		if gone > 0 && gone == len(s.Subtables) {
			continue // the facts are absent with the tables
		}
		for _, f := range s.Facts {
			r.addNumbers(s, f)
		}
	}
	return regions
}

// present adds the rows that the document is assumed to have to a table. It adds an entry
// for each of the others.
func (c *comparison) present(t *wantTab, absent map[string]bool) {
	for k := range t.table.Rows {
		row := c.rows[&t.table.Rows[k]]
		if row.Absent != "" && absent[row.Absent] {
			c.add(Entry{Kind: FieldRow, Status: Absent, Section: sectionName(t.section), Name: row.Name,
				Pos: row.Pos, Errata: []string{row.Absent}})
			continue
		}
		t.rows = append(t.rows, row)
	}
}

func (c *comparison) add(e Entry) { c.report.Entries = append(c.report.Entries, e) }

// where returns the start of a message about a line of the document.
func (c *comparison) where(line int) string {
	if line <= 0 {
		return c.doc.Name + ": "
	}
	return fmt.Sprintf("%s:%d: ", c.doc.Name, line)
}

func inSchema(pos string) string {
	if pos == "" {
		return "the schema"
	}
	return "the schema (" + pos + ")"
}

// run compares under the assumption that the errata in absent apply. It
// returns the report and the number of failures.
func (c *comparison) run(absent map[string]bool) (*Report, int) {
	c.report = &Report{Document: c.doc.Name, Form: c.doc.Form, Schema: c.want.Schema, Entries: []Entry{}}
	for _, text := range c.want.check() {
		c.add(Entry{Kind: Damage, Status: Failed, Message: text + "."})
	}
	for _, p := range c.doc.Problems {
		if p.Other && c.want.Tables {
			continue
		}
		c.add(Entry{Kind: Damage, Status: Failed, Line: p.Line,
			Message: c.where(p.Line) + p.Text + "; repair the document or take another copy."})
	}
	for _, g := range c.doc.Glossed {
		c.add(Entry{Kind: TableHead, Status: Erratum, Line: g.Line, Errata: []string{g.Erratum}})
	}
	if c.want.Tables {
		c.runTables(absent)
		c.report.finish()
		return c.report, len(c.report.Failures())
	}
	c.types()

	want := c.wantRegions(absent)
	c.region(&want[0], &c.regions[0])
	// The introduction has no title; what follows is paired by title.
	ws, gs := want[1:], c.regions[1:]
	pairs, _ := align(len(ws), len(gs), func(i, j int) int {
		id, title, _ := c.titleDifferences(ws[i].section, gs[j].Section)
		switch {
		case !id && !title:
			return 0
		case id && title:
			return 7
		}
		return 2
	}, constant(3), constant(3))
	for _, p := range pairs {
		switch {
		case p.a < 0:
			g := &gs[p.b]
			c.add(Entry{Kind: SectionTitle, Status: Failed, Line: g.Line, Section: g.Raw,
				Differences: []Difference{{"title", "no section", strconv.Quote(g.Raw)}},
				Message: fmt.Sprintf("%sthe section %q has no type in the schema, or is in another place than there; "+
					"add the type, or take the section out of the document.", c.where(g.Line), g.Raw)})
			c.region(&wantRegion{}, g)
		case p.b < 0:
			w := &ws[p.a]
			c.add(Entry{Kind: SectionTitle, Status: Failed, Section: sectionName(w.section), Pos: w.section.Pos,
				Differences: []Difference{{"title", sectionName(w.section), "no section"}},
				Message: fmt.Sprintf("%sthe document lacks the title of %s of %s, or has it in another place; "+
					"add it to the document, or note the erratum by which it is absent.",
					c.where(0), sectionName(w.section), inSchema(w.section.Pos))})
			c.region(w, nil)
		default:
			c.title(ws[p.a].section, gs[p.b].Section)
			c.region(&ws[p.a], &gs[p.b])
		}
	}
	c.report.finish()
	return c.report, len(c.report.Failures())
}

// titleDifferences reports in which parts a title differs.
func (c *comparison) titleDifferences(w *WantSection, g *Section) (id, title, target bool) {
	said := saidOf(w.Said, "title")
	_, ok := matchSaid(said, g.Title, "")
	if !ok && !binding(said) {
		ok = strings.EqualFold(plain(w.Title), g.Title)
	}
	name, _, _ := strings.Cut(plain(w.Title), " (")
	return w.ID != g.Number, !ok, g.Target != "" && !strings.EqualFold(g.Target, name)
}

// title makes the entry for a section that the document has.
func (c *comparison) title(w *WantSection, g *Section) {
	e := Entry{Kind: SectionTitle, Status: Matched, Line: g.Line, Section: sectionName(w), Pos: w.Pos}
	id, title, target := c.titleDifferences(w, g)
	said := saidOf(w.Said, "title")
	if id {
		e.Differences = append(e.Differences, Difference{"number", strconv.Itoa(w.ID), strconv.Quote(g.Raw)})
	}
	if title {
		e.Differences = append(e.Differences, Difference{"title", expected(w.Title, said), strconv.Quote(g.Title)})
	}
	if target {
		e.Differences = append(e.Differences, Difference{"class name", strconv.Quote(w.Title), strconv.Quote(g.Target)})
	}
	if errata, ok := matchSaid(said, g.Title, ""); ok {
		e.Errata = errata
	}
	c.conclude(&e, fmt.Sprintf("title of %s", sectionName(w)), "the section")
}

// conclude sets status and message of an entry from its differences and
// errata, and adds it.
func (c *comparison) conclude(e *Entry, subject, holder string) {
	switch {
	case len(e.Differences) > 0:
		e.Status = Failed
		var parts []string
		for _, d := range e.Differences {
			parts = append(parts, fmt.Sprintf("%s: expected %s, found %s", d.Cell, d.Expected, d.Found))
		}
		e.Message = fmt.Sprintf("%s%s: %s; correct the document or %s, or note on %s the erratum by which they differ.",
			c.where(e.Line), subject, strings.Join(parts, "; "), inSchema(e.Pos), holder)
	case len(e.Errata) > 0:
		e.Status = Erratum
	default:
		e.Status = Matched
	}
	c.add(*e)
}

// types compares the tables of type ids.
func (c *comparison) types() {
	ws, gs := c.want.Types, c.doc.Types
	compare := func(w *WantType, g *TypeRow) (errata []string, differences []Difference) {
		said := saidOf(w.Said, "id")
		errata, ok := matchSaid(said, g.ID, "")
		if !ok && (binding(said) || g.ID != strconv.Itoa(w.ID)) {
			differences = append(differences, Difference{"id", expected(strconv.Itoa(w.ID), said), strconv.Quote(g.ID)})
		}
		labels := w.Labels
		if len(labels) == 0 {
			labels = []string{w.Name}
		}
		said = saidOf(w.Said, "label")
		for _, r := range translate("label", g.Label) {
			label := plain(r.Means)
			ids, ok := matchSaid(said, label, r.Erratum)
			if !ok && !binding(said) {
				ok = slices.ContainsFunc(labels, func(l string) bool { return strings.EqualFold(plain(l), label) })
				ids = errataOf(r.Erratum)
			}
			if ok {
				return errataOf(append(errata, ids...)...), differences
			}
		}
		return errata, append(differences, Difference{"label",
			expected(strings.Join(labels, " or "), said), strconv.Quote(g.Label)})
	}
	pairs, _ := align(len(ws), len(gs), func(i, j int) int {
		_, differences := compare(&ws[i], &gs[j])
		return 2 * len(differences)
	}, constant(2), constant(2))
	for _, p := range pairs {
		switch {
		case p.a < 0:
			g := &gs[p.b]
			c.add(Entry{Kind: TypeIDRow, Status: Failed, Line: g.Line, Row: g.Row,
				Differences: []Difference{{"row", "no row", fmt.Sprintf("%q, %q", g.ID, g.Label)}},
				Message: fmt.Sprintf("%srow %d of the table of type ids (%q, %q) is not in the schema, or is in another place than there; "+
					"add the type to the schema, or take the row out of the document.", c.where(g.Line), g.Row, g.ID, g.Label)})
		case p.b < 0:
			w := &ws[p.a]
			c.add(Entry{Kind: TypeIDRow, Status: Failed, Name: w.Name, Pos: w.Pos,
				Differences: []Difference{{"row", fmt.Sprintf("%d, %q", w.ID, w.Name), "no row"}},
				Message: fmt.Sprintf("%sthe table of type ids lacks the row %d %s of %s, or has it in another place; "+
					"add it to the document, or take it out of the schema.", c.where(0), w.ID, w.Name, inSchema(w.Pos))})
		default:
			w, g := &ws[p.a], &gs[p.b]
			e := Entry{Kind: TypeIDRow, Line: g.Line, Row: g.Row, Name: w.Name, Pos: w.Pos}
			e.Errata, e.Differences = compare(w, g)
			if len(e.Differences) > 0 && e.Differences[0].Cell == "label" && g.LabelLine > 0 {
				e.Line = g.LabelLine
			}
			c.conclude(&e, fmt.Sprintf("row %d of the table of type ids", g.Row), "the type")
		}
	}
}

// region compares the tables and the prose of a section. g is nil if the
// document has no such section.
func (c *comparison) region(w *wantRegion, g *gotRegion) {
	if g == nil {
		g = &gotRegion{Section: &Section{}}
	}
	c.tables(w, g)
	c.prose(w, g)
}

// tables compares the tables of a section.
func (c *comparison) tables(w *wantRegion, g *gotRegion) {
	type key struct{ i, j int }
	costs := map[key]int{}
	pairs, _ := align(len(w.tables), len(g.tables), func(i, j int) int {
		k := key{i, j}
		if _, ok := costs[k]; !ok {
			_, costs[k] = alignRows(w.tables[i].rows, g.tables[j].rows)
		}
		return costs[k]
	}, func(i int) int { return 1 + rowGap*len(w.tables[i].rows) },
		func(j int) int { return 1 + rowGap*len(g.tables[j].rows) })
	for _, p := range pairs {
		switch {
		case p.a < 0:
			t := &g.tables[p.b]
			if len(t.rows) == 0 {
				c.add(Entry{Kind: TableHead, Status: Failed, Line: t.Line,
					Message: c.where(t.Line) + "this table has no rows and no counterpart in the schema; take it out of the document."})
			}
			c.tableRows(nil, nil, t.rows, g.Raw)
		case p.b < 0:
			c.tableRows(w.tables[p.a].section, w.tables[p.a].rows, nil, "")
		default:
			wt, gt := &w.tables[p.a], &g.tables[p.b]
			if !c.want.Tables {
				c.caption(wt, gt)
			}
			c.tableRows(wt.section, wt.rows, gt.rows, "")
		}
	}
}

// caption compares the caption words of a table.
func (c *comparison) caption(w *wantTab, g *gotTable) {
	want := meaningOf(w.table.Caption, glossary.captionWords).words
	got := meaningOf(g.Caption, glossary.captionWords).words
	if want == got {
		return
	}
	e := Entry{Kind: TableHead, Line: g.Line, Section: sectionName(w.section), Pos: w.section.Pos,
		Differences: []Difference{{"caption", fmt.Sprintf("%q (key words: %s)", w.table.Caption, orNone(want)),
			fmt.Sprintf("%q (key words: %s)", g.Caption, orNone(got))}}}
	c.conclude(&e, "caption of the table in "+sectionName(w.section), "the section")
}

// rowGap is the cost of a row without a partner; a pair costs one for each
// cell that differs.
const rowGap = 3

func alignRows(ws []*wantRow, gs []gotRow) ([]pair, int) {
	return align(len(ws), len(gs), func(i, j int) int {
		n := 0
		for k := range cellNames {
			if _, ok := compareCell(k, ws[i], &gs[j].cells[k]); !ok {
				n++
			}
		}
		return n
	}, constant(rowGap), constant(rowGap))
}

// tableRows makes the entries for the rows of a pair of tables.
func (c *comparison) tableRows(s *WantSection, ws []*wantRow, gs []gotRow, raw string) {
	section := raw
	if s != nil {
		section = sectionName(s)
	} else if section == "" {
		section = "the introduction"
	}
	pairs, _ := alignRows(ws, gs)
	for _, p := range pairs {
		switch {
		case p.a < 0:
			g := &gs[p.b]
			cells := fmt.Sprintf("%q, %q, %q, %q", g.Offset, g.Length, g.Type, g.Description)
			c.add(Entry{Kind: FieldRow, Status: Failed, Line: g.Line, Row: g.Row.Row, Section: section,
				Differences: []Difference{{"row", "no row", cells}},
				Message: fmt.Sprintf("%srow %d of the table in %s (%s) is not in the schema, or is in another place than there; "+
					"add the field to the schema, or take the row out of the document.", c.where(g.Line), g.Row.Row, section, cells)})
		case p.b < 0:
			w := ws[p.a]
			cells := fmt.Sprintf("%q, %q, %q, %q", w.text[0], w.text[1], w.text[2], w.text[3])
			c.add(Entry{Kind: FieldRow, Status: Failed, Section: section, Name: w.Name, Pos: w.Pos,
				Differences: []Difference{{"row", cells, "no row"}},
				Message: fmt.Sprintf("%sthe document lacks the row %s (%s) in %s of %s, or has it in another place; "+
					"add the row to the document, or note on the field the erratum by which it is absent.",
					c.where(0), w.Name, cells, section, inSchema(w.Pos))})
		default:
			w, g := ws[p.a], &gs[p.b]
			e := Entry{Kind: FieldRow, Line: g.Line, Row: g.Row.Row, Section: section, Name: w.Name, Pos: w.Pos}
			e.Errata, e.Differences = compareRow(w, g)
			for i, d := range e.Differences {
				k := slices.Index(cellNames[:], d.Cell)
				if i == 0 && g.Lines[k] > 0 {
					e.Line = g.Lines[k]
				}
				if k == 3 && !binding(saidOf(w.Said, d.Cell)) {
					e.Differences[i].Found += " (" + w.meaning.difference(g.cells[k].readings[0].meaning) + ")"
				}
			}
			c.conclude(&e, fmt.Sprintf("row %d (%s) of the table in %s", g.Row.Row, w.Name, section), "the field")
		}
	}
}
