// The page that compares implementations.

package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// HTMLOptions say what is around the comparison.
type HTMLOptions struct {
	Title string    // "" is "Conformance"
	About []string  // paragraphs below the title
	Made  time.Time // the zero time is that of the newest run
}

// HTML writes one page that compares the implementations of runs. Each schema has a section
// with types and classes of bug as the rows and implementations as the columns. The page needs
// nothing but itself, works without scripts, and can be printed.
func HTML(w io.Writer, runs []*runner.Run, opt HTMLOptions) error {
	hash := sha256.Sum256([]byte(pageScript))
	title := "Conformance"
	if len(runs) == 1 {
		title = brief(cmp.Or(runs[0].About.Name, "An implementation"), 80) + " on " + brief(runs[0].Spec, 80)
	}
	p := page{
		Title: brief(cmp.Or(opt.Title, title), most), Made: opt.Made, Outcomes: legend,
		Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Policy: "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'",
	}
	for _, text := range opt.About {
		p.About = append(p.About, brief(text, 10*most))
	}
	bySpec := map[string][]*runner.Run{}
	var specs []string
	for _, r := range runs {
		if bySpec[r.Spec] == nil {
			specs = append(specs, r.Spec)
		}
		bySpec[r.Spec] = append(bySpec[r.Spec], r)
		if opt.Made.IsZero() && r.Started.After(p.Made) {
			p.Made = r.Started
		}
	}
	for i, spec := range specs {
		p.Specs = append(p.Specs, newSection(fmt.Sprintf("s%d", i+1), spec, bySpec[spec]))
	}
	return pageTemplate.Execute(w, &p)
}

type page struct {
	Title    string
	About    []string
	Made     time.Time
	Policy   string
	Style    template.CSS
	Script   template.JS
	Specs    []*section
	Outcomes []legendEntry
}

// One reports whether a section has one implementation, whose card takes the width of the page.
func (s *section) One() bool { return len(s.Impls) == 1 }

func (p *page) Date() string { return day(p.Made) }

func day(t time.Time) string {
	if t.IsZero() {
		return "at an unknown time"
	}
	return t.UTC().Format("2 January 2006")
}

// legendEntry is an outcome with what it means.
type legendEntry struct {
	Outcome runner.Outcome
	Symbol  string
	Kind    string // good, bad or none
	Means   string
}

var legend = []legendEntry{
	{runner.Exact, "✓", "good", "the value or the bytes, to the last bit"},
	{runner.SameValue, "≈", "good", "other bytes that represent the same value"},
	{runner.RefusedRightly, "⊘", "good", "an error for what is not valid"},
	{runner.Unsupported, "–", "none", "declared as missing: never a pass, and counted apart"},
	{runner.Lossy, "↓", "bad", "the value with less in it"},
	{runner.RefusedWrongly, "⊗", "bad", "an error for what is valid"},
	{runner.Accepted, "⊕", "bad", "a value for what is not valid"},
	{runner.Wrong, "≠", "bad", "another value, or bytes that represent another"},
	{runner.SilentNull, "∅", "bad", "null in place of the value, without an error"},
	{runner.Garbled, "?", "bad", "a malformed answer"},
	{runner.Crash, "✕", "bad", "the process ended"},
	{runner.Hang, "∞", "bad", "no answer in time"},
	{runner.OutOfMemory, "▲", "bad", "more memory than allowed"},
	{runner.Outcome(runner.Differs), "◇", "differs", "one of these where the vector is a may: noted, and no failure"},
}

func symbol(o runner.Outcome) string {
	for _, l := range legend {
		if l.Outcome == o {
			return l.Symbol
		}
	}
	return "?"
}

// section is all about one schema.
type section struct {
	ID      string
	Spec    string
	Title   string
	Program string
	Cases   int
	Levels  string
	Impls   []*impl
	Tables  []pageTable
	Types   []*typeVectors // the vectors that anyone fails
	Classes []classIndex
	Failing int

	scheme *scheme
	suite  *vectors.Suite
	byCase map[string]*vector
}

// impl is one implementation: a column.
type impl struct {
	Index    int
	ID       string
	Name     string
	Version  string
	Language string
	Link     string
	Sum      *Summary
	Must     Tally
	Percent  int // of the results of level must that were tried; -1 without any
	Bar      []barPart
	Notes    []string
	Facts    string
	Causes   []causeLine

	run    *runner.Run
	rarity *rarity
}

type barPart struct {
	Kind  string
	Count int
	Label string
}

type causeLine struct {
	Symbol, Text, Href, Case string
	Count                    int
}

// pageTable is a table of the matrix.
type pageTable struct {
	Title string
	Rows  []pageRow
}

type pageRow struct {
	Key          string // what vectors are filtered by
	Href         string
	Name         string
	Cases        int
	Bad, BadMust int
	Other        int // that fail or differ
	Order        int
	Cells        []pageCell

	raw string // the name as the vectors have it
}

type pageCell struct {
	Index     int
	Href      string
	Label     string // in words
	All, Must cellFace
}

// cellFace is what is seen of a cell.
type cellFace struct {
	Kind    string // good, some, bad, none, or empty
	Symbol  string
	Text    string
	Percent int // that pass
	Fine    int // percent that pass or may differ
}

// typeVectors are the vectors of one type that some implementation fails.
type typeVectors struct {
	ID      string
	Name    string
	Vectors []*vector
}

type vector struct {
	ID       string
	Name     string
	Level    string // and result
	About    string
	Row      string
	Type     string // key
	Classes  string // keys, with blanks between
	Tree     template.HTML
	Expected []fact
	Flags    []pageFlag
	Answers  []answer

	kase *vectors.Case
}

type fact struct{ Name, Text string }

type pageFlag struct {
	Class, Text string
	Links       []string
}

type answer struct {
	Impl    *impl
	Symbol  string
	Kind    string
	What    string
	Detail  string
	Got     template.HTML
	Stderr  string
	Command string
}

type classIndex struct {
	ID, Name string
	Vectors  []*vector
}

func newSection(id, spec string, runs []*runner.Run) *section {
	s := &section{ID: id, Spec: brief(spec, most), scheme: schemaOf(spec), byCase: map[string]*vector{}}
	s.Title = s.scheme.title
	byLevel := map[vectors.Level]int{}
	seen := map[string]bool{}
	for i, run := range runs {
		s.Program = cmp.Or(s.Program, brief(run.Program, 64))
		if run.Suite != nil {
			s.suite, s.Title = run.Suite, cmp.Or(s.Title, brief(run.Suite.Title, most))
		}
		for j := range run.Results {
			if c := caseOf(&run.Results[j]); !seen[c.ID] {
				seen[c.ID] = true
				s.Cases++
				byLevel[c.Level]++
			}
		}
		s.Impls = append(s.Impls, s.impl(i, run))
	}
	s.Levels = levelsText(byLevel)
	types := s.rows("t", func(sum *Summary) []Row { return sum.Types }, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.scheme.number(a), s.scheme.number(b)), cmp.Compare(a, b))
	})
	classes := s.rows("k", func(sum *Summary) []Row { return sum.Classes }, strings.Compare)
	s.Tables = []pageTable{{"Types", types}}
	if len(classes) > 0 {
		s.Tables = append(s.Tables, pageTable{"Classes of bug", classes})
	}
	s.vectors(types, classes)
	for _, m := range s.Impls {
		m.Causes = s.causes(m)
	}
	return s
}

func (s *section) impl(i int, run *runner.Run) *impl {
	sum := summarize(run, s.scheme)
	m := &impl{Index: i, ID: fmt.Sprintf("%si%d", s.ID, i+1), run: run, rarity: newRarity(run), Sum: sum, Must: sum.Levels[vectors.Must], Percent: -1}
	m.Name = brief(cmp.Or(run.About.Name, "without a name"), 80)
	m.Version, m.Language = brief(run.About.Version, 40), brief(run.About.Language, 40)
	if isLink(run.About.Link) {
		m.Link = brief(run.About.Link, most)
	}
	if m.Must.Tried() > 0 {
		m.Percent = percent(m.Must)
	}
	for _, p := range []barPart{
		{"good", sum.All.Good(), "pass"}, {"differs", sum.All.Differs, "differ"}, {"expected", sum.All.Expected, "fail as expected"},
		{"bad", sum.All.Fail, "fail"}, {"none", sum.All.Unsupported, "unsupported"},
	} {
		if p.Count > 0 {
			m.Bar = append(m.Bar, p)
		}
	}
	for _, n := range run.About.Notes {
		m.Notes = append(m.Notes, brief(n, most))
	}
	if n := len(sum.Unsupported); n > 0 {
		const mostReasons = 40
		var parts []string
		for _, r := range sum.Unsupported[:min(n, mostReasons)] {
			parts = append(parts, fmt.Sprintf("%s (%d)", brief(r.Text, 200), r.Count))
		}
		if n > mostReasons {
			parts = append(parts, fmt.Sprintf("and %d more", n-mostReasons))
		}
		m.Notes = append(m.Notes, "Unsupported: "+strings.Join(parts, ", ")+".")
	}
	if n := len(sum.Stale); n > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("%s although expected to fail: %s.", count(n, "result")+" passing", brief(strings.Join(sum.Stale, ", "), most)))
	}
	if n := sum.Ambiguous; n > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("It gives null for errors, too: whether %s of null are right cannot be told.", count(n, "result")))
	}
	for _, n := range append(slices.Clone(run.Notes), runFaults(run)...) {
		m.Notes = append(m.Notes, brief(n, most))
	}
	facts := []string{"run " + day(run.Started), "in " + run.Took.Round(time.Millisecond).String()}
	if run.Restarts > 0 {
		facts = append(facts, "started again "+count(run.Restarts, "time"))
	}
	m.Facts = strings.Join(facts, ", ")
	return m
}

func isLink(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// sentence ends a text with a full stop.
func sentence(s string) string { return strings.TrimSuffix(s, ".") + "." }

func nonEmpty(all ...string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// percent of those tried that pass: 100 only where all do.
func percent(t Tally) int {
	if t.Tried() == 0 {
		return 0
	}
	return t.Good() * 100 / t.Tried()
}

// rows are those of one table: of each implementation, the row of each name.
func (s *section) rows(prefix string, of func(*Summary) []Row, order func(a, b string) int) []pageRow {
	cells := make([]map[string]Row, len(s.Impls))
	var names []string
	for i, m := range s.Impls {
		cells[i] = map[string]Row{}
		for _, r := range of(m.Sum) {
			cells[i][r.Name] = r
			names = append(names, r.Name)
		}
	}
	slices.SortFunc(names, order)
	var out []pageRow
	for n, name := range slices.Compact(names) {
		key := fmt.Sprintf("%s%d", prefix, n+1)
		row := pageRow{Key: key, Href: "#" + s.ID + key, Name: cmp.Or(brief(name, 80), "(none)"), Order: n, raw: name}
		for i, m := range s.Impls {
			r := cells[i][name]
			row.Cases = max(row.Cases, r.Cases)
			row.Bad += r.All.Bad()
			row.Other += r.All.Bad() + r.All.Differs
			row.BadMust += r.Must.Bad()
			cell := pageCell{Index: i, All: face(r.All, r.Bad), Must: face(r.Must, r.BadMust), Label: row.Name + ", " + strings.TrimSpace(m.Name+" "+m.Version) + ": " + inWords(r)}
			if r.All.Bad()+r.All.Differs > 0 {
				cell.Href = row.Href
			}
			row.Cells = append(row.Cells, cell)
		}
		out = append(out, row)
	}
	return out
}

func face(t Tally, outcomes map[runner.Outcome]int) cellFace {
	f := cellFace{Percent: percent(t), Fine: percent(t)}
	if t.Tried() > 0 {
		f.Fine = (t.Good() + t.Differs) * 100 / t.Tried()
	}
	switch {
	case t.Total() == 0:
		return cellFace{Kind: "empty", Symbol: "", Text: ""}
	case t.Tried() == 0:
		return cellFace{Kind: "none", Symbol: symbol(runner.Unsupported), Text: fmt.Sprint(t.Unsupported)}
	case t.Bad() == 0 && t.Differs == 0:
		f.Kind, f.Symbol, f.Text = "good", symbol(runner.Exact), fmt.Sprint(t.Good())
		return f
	case t.Bad() == 0:
		f.Kind, f.Symbol, f.Text = "differs", symbol(runner.Outcome(runner.Differs)), fmt.Sprintf("%d/%d", t.Good(), t.Tried())
		return f
	case t.Good() == 0:
		f.Kind = "bad"
	default:
		f.Kind = "some"
	}
	f.Symbol, f.Text = symbol(worst(outcomes)), fmt.Sprintf("%d/%d", t.Good(), t.Tried())
	return f
}

func inWords(r Row) string {
	if r.All.Total() == 0 {
		return "no vectors"
	}
	parts := []string{fmt.Sprintf("%d of %d pass", r.All.Good(), r.All.Tried())}
	for _, o := range slices.Backward(runner.Outcomes) {
		if n := r.Bad[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	if r.All.Unsupported > 0 {
		parts = append(parts, fmt.Sprintf("%d unsupported", r.All.Unsupported))
	}
	return strings.Join(parts, ", ")
}

// vectors collects the vectors that some implementation fails.
func (s *section) vectors(types, classes []pageRow) {
	keys := func(rows []pageRow) map[string]pageRow {
		m := map[string]pageRow{}
		for _, r := range rows {
			m[r.raw] = r
		}
		return m
	}
	typeRows, classRows := keys(types), keys(classes)
	groups := make([]*typeVectors, len(types))
	index := make([]classIndex, len(classes))
	for _, m := range s.Impls {
		for i := range m.run.Results {
			r := &m.run.Results[i]
			if !other(r) {
				continue
			}
			v := s.byCase[r.ID]
			if v == nil {
				c := caseOf(r)
				row := typeRows[c.Type]
				v = s.vector(c, m.rarity.explain(r), fmt.Sprintf("%sv%d", s.ID, len(s.byCase)+1), row.Key)
				s.byCase[r.ID] = v
				if groups[row.Order] == nil {
					groups[row.Order] = &typeVectors{ID: s.ID + row.Key, Name: row.Name}
				}
				groups[row.Order].Vectors = append(groups[row.Order].Vectors, v)
				var keys []string
				for _, class := range classesOf(m.run.Suite, c) {
					k := classRows[class]
					keys = append(keys, k.Key)
					index[k.Order].ID, index[k.Order].Name = s.ID+k.Key, k.Name
					index[k.Order].Vectors = append(index[k.Order].Vectors, v)
				}
				v.Classes = strings.Join(keys, " ")
			}
			v.Answers = append(v.Answers, s.answer(m, r))
		}
	}
	s.Failing = len(s.byCase)
	order := func(a, b *vector) int {
		return cmp.Or(cmp.Compare(rank(a.kase.Level), rank(b.kase.Level)),
			compareBool(a.kase.Result == vectors.Invalid, b.kase.Result == vectors.Invalid), cmp.Compare(size(a.kase), size(b.kase)), cmp.Compare(a.kase.ID, b.kase.ID))
	}
	for _, g := range groups {
		if g != nil {
			slices.SortFunc(g.Vectors, order)
			s.Types = append(s.Types, g)
		}
	}
	for _, k := range index {
		if k.Name != "" {
			slices.SortFunc(k.Vectors, order)
			s.Classes = append(s.Classes, k)
		}
	}
}

// pageTree shows trees in the width of a page.
var pageTree = inspect.Options{Width: 84, Row: 4, Paint: paintHTML} // words of 4 bytes, in lines that a phone can show

func paintHTML(style inspect.Style, text string) string {
	text = html.EscapeString(text)
	switch style {
	case inspect.Plain:
		return text
	case inspect.Faint:
		return "<i>" + text + "</i>"
	}
	letter := map[inspect.Style]string{inspect.TypeName: "t", inspect.FieldName: "n", inspect.Steering: "s", inspect.Content: "c", inspect.Warning: "w", inspect.Bad: "e"}[style]
	return "<b class=" + letter + ">" + text + "</b>"
}

func (s *section) vector(c *vectors.Case, flags []vectors.Flag, id, typeKey string) *vector {
	v := &vector{ID: id, Type: typeKey, kase: c, Name: brief(c.ID, most), Level: brief(string(c.Result)+", "+string(c.Level), most),
		About: brief(c.About, most), Row: brief(rowPlace(c, c.Row), most)}
	for _, f := range flags {
		p := pageFlag{Class: brief(f.Class, most)}
		text := []string{sentence(f.Why)}
		if f.Effect != "" {
			text = append(text, "Effect: "+sentence(f.Effect))
		}
		text = append(text, f.Errata...)
		for _, l := range f.Links {
			if isLink(l) {
				p.Links = append(p.Links, brief(l, most))
			} else {
				text = append(text, l)
			}
		}
		p.Text = brief(strings.Join(text, " "), 2*most)
		v.Flags = append(v.Flags, p)
	}
	plain := runner.CaseResult{Case: c, Op: protocol.Decode}
	if c.Bytes == "" {
		plain.Op = protocol.Encode
	}
	v.Tree = template.HTML(strings.Join(s.scheme.tree(&plain, pageTree), "\n"))
	if c.Result == vectors.Invalid && c.Bytes == "" && c.Value != nil {
		text, _ := s.scheme.value(c.Value)
		v.Expected = append(v.Expected, fact{"value", text})
	}
	name := "read as"
	if c.Result == vectors.Invalid {
		name = "to be"
	}
	if c.Bytes != "" || c.Result == vectors.Invalid {
		v.Expected = append(v.Expected, fact{name, s.scheme.expected(plain.Op, c)})
	}
	if c.Result != vectors.Invalid {
		v.Expected = append(v.Expected, fact{"written as", digits(canonical(c))})
	}
	return v
}

func (s *section) answer(m *impl, r *runner.CaseResult) answer {
	_, got := s.scheme.explain(r)
	a := answer{Impl: m, Symbol: symbol(r.Outcome), Kind: "bad", What: string(r.Op) + ": " + string(r.Outcome), Detail: brief(wrong(r), 2*most),
		Stderr: strings.Join(stderr(r), "\n"), Command: Command(m.run, r)}
	if got != string(r.Outcome) {
		a.Got = template.HTML(html.EscapeString(got))
		if r.Answer.Bytes != "" && r.Op != protocol.Decode {
			a.Got = differing(got, digits(canonical(caseOf(r))))
		}
	}
	switch counted(r) {
	case runner.ExpectedFail:
		a.Kind, a.What = "expected", a.What+", as expected"
	case runner.Differs:
		a.Kind, a.What = "differs", a.What+", which may be"
	}
	if r.Reason != "" {
		a.What += " (" + brief(r.Reason, most) + ")"
	}
	return a
}

// differing marks what is from the first different digit on, the whole byte.
func differing(got, want string) template.HTML {
	n := 0
	for n < len(got) && n < len(want) && got[n] == want[n] {
		n++
	}
	if n == len(got) {
		return template.HTML(html.EscapeString(got) + " <mark>…</mark>") // what comes next is missing
	}
	n -= (n % 9) % 2 // groups of eight digits and a blank
	return template.HTML(html.EscapeString(got[:n]) + "<mark>" + html.EscapeString(got[n:]) + "</mark>")
}

// causes are those of an implementation, in lines.
func (s *section) causes(m *impl) []causeLine {
	const mostCauses = 60
	var out []causeLine
	for i, c := range m.Sum.Causes {
		if i == mostCauses {
			out = append(out, causeLine{Text: fmt.Sprintf("and %s more", count(len(m.Sum.Causes)-i, "cause"))})
			break
		}
		line := causeLine{Symbol: symbol(c.Outcome), Count: len(c.Results), Case: brief(c.Results[0].ID, most),
			Text: fmt.Sprintf("%s %s, %s", c.Outcome, brief(cmp.Or(c.Row, "somewhere"), most), c.Op)}
		if len(c.Classes) > 0 {
			line.Text += " (" + brief(c.Classes[0], most) + ")"
		}
		if v := s.byCase[c.Results[0].ID]; v != nil {
			line.Href = "#" + v.ID
		}
		out = append(out, line)
	}
	return out
}
