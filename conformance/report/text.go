// The summary for a terminal.

package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

// TextOptions say how Text writes.
type TextOptions struct {
	Width  int             // columns; 0 is 100
	Paint  inspect.Painter // nil for plain text
	Causes int             // how many causes of failures are shown in full; 0 is 8, less than 0 all of them
	More   string          // how to see the others, such as "-all shows them"
}

// Text writes the result of a run for a person at a terminal. It shows how many results passed,
// by type and by class of bug. Failures of one cause are together, each with its smallest
// packet.
func Text(w io.Writer, run *runner.Run, opt TextOptions) error {
	s := schemaOf(run.Spec)
	t := &text{Writer: bufio.NewWriter(w), opt: opt, run: run, scheme: s, sum: summarize(run, s), rarity: newRarity(run), told: map[string]int{}}
	t.opt.Width = min(max(cmp.Or(opt.Width, 100), 40), 400)
	t.head()
	t.tables()
	t.causes()
	t.notes()
	t.verdict()
	return t.Flush()
}

type text struct {
	*bufio.Writer
	opt    TextOptions
	run    *runner.Run
	scheme *scheme
	sum    *Summary
	rarity *rarity
	told   map[string]int // causes whose reason has been printed, by the reason
}

func (t *text) paint(s inspect.Style, text string) string { return t.opt.Paint.Paint(s, text) }

// line prints spans in lines of the width there is.
func (t *text) line(indent, hang int, spans ...inspect.Span) {
	for _, l := range t.opt.Paint.Layout(spans, t.opt.Width-indent, hang) {
		fmt.Fprintf(t, "%s%s\n", strings.Repeat(" ", indent), l)
	}
}

// aboutText is the name, version and language of an implementation.
func aboutText(a *protocol.About) string {
	s := brief(cmp.Or(a.Name, "an implementation without a name"), 80)
	if a.Version != "" {
		s += " " + brief(a.Version, 40)
	}
	if a.Language != "" {
		s += " (" + brief(a.Language, 40) + ")"
	}
	return s
}

func (t *text) head() {
	r := t.run
	facts := []string{count(len(r.Results), "result") + " in " + r.Took.Round(time.Millisecond).String()}
	if r.Restarts > 0 {
		facts = append(facts, "started again "+count(r.Restarts, "time"))
	}
	t.line(0, 2, inspect.Span{Style: inspect.TypeName, Text: aboutText(&r.About)}, inspect.Span{Style: inspect.Plain, Text: " on " + brief(r.Spec, most)},
		inspect.Span{Style: inspect.Faint, Text: ": " + strings.Join(facts, ", ")})
	spans := []inspect.Span{}
	add := func(style inspect.Style, what string) {
		if len(spans) > 0 {
			spans = append(spans, inspect.Span{Style: inspect.Faint, Text: " · "})
		}
		spans = append(spans, inspect.Span{Style: style, Text: what})
	}
	a := t.sum.All
	pass, other := "pass", 0
	for i := range t.run.Results {
		if r := &t.run.Results[i]; r.Verdict == runner.Pass && r.Outcome == runner.SameValue {
			other++
		}
	}
	if other > 0 {
		pass = fmt.Sprintf("pass (%d in another form)", other)
	}
	for _, part := range []struct {
		style inspect.Style
		n     int
		what  string
	}{
		{inspect.Content, a.Pass, pass}, {inspect.Bad, a.Fail, "fail"}, {inspect.Bad, a.Stale, "pass unexpectedly"},
		{inspect.Warning, a.Expected, "fail as expected"}, {inspect.Warning, a.Differs, "differ where they may"}, {inspect.Faint, a.Unsupported, "unsupported"},
	} {
		if part.n > 0 {
			add(part.style, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	t.line(2, 2, spans...)
	spans = nil
	for _, l := range levels {
		if n := t.sum.Levels[l]; n.Tried() > 0 {
			style := inspect.Content
			if n.Bad() > 0 {
				style = inspect.Warning
				if l == vectors.Must {
					style = inspect.Bad
				}
			}
			add(style, fmt.Sprintf("%d of %d %s", n.Good(), n.Tried(), l))
		}
	}
	t.line(2, 2, spans...)
}

// tables prints the counts by type and by class of bug.
func (t *text) tables() {
	t.table("type", t.sum.Types)
	t.table("class of bug", t.sum.Classes)
}

func (t *text) table(title string, rows []Row) {
	if len(rows) == 0 {
		return
	}
	widest := len(title)
	for _, r := range rows {
		widest = max(widest, width(brief(r.Name, most)))
	}
	widest = min(max(widest, len("by "+title)-2), t.opt.Width-34)
	fmt.Fprintf(t, "\n%s\n", t.paint(inspect.Faint, fmt.Sprintf("%-*s  %5s %5s %5s %5s", widest+2, "by "+title, "pass", "fail", "may", "unsup")))
	clear := 0
	for _, r := range rows {
		if r.All.Good() == r.All.Total() && len(rows) > 6 {
			clear++
			continue
		}
		name := fit(cmp.Or(brief(r.Name, most), "(none)"), widest)
		fmt.Fprintf(t, "  %s  ", t.paint(inspect.FieldName, name+strings.Repeat(" ", widest-width(name))))
		fmt.Fprintf(t, "%s %s %s %s", t.number(inspect.Content, r.All.Good()), t.number(inspect.Bad, r.All.Bad()), t.number(inspect.Warning, r.All.Differs), t.number(inspect.Faint, r.All.Unsupported))
		var bads []string
		for _, o := range slices.Backward(runner.Outcomes) {
			if n := r.Bad[o]; n > 0 {
				bads = append(bads, fmt.Sprintf("%d %s", n, o))
			}
		}
		if len(bads) > 0 {
			lines := t.opt.Paint.Layout([]inspect.Span{{Style: inspect.Plain, Text: strings.Join(bads, ", ")}}, max(t.opt.Width-widest-30, 10), 0)
			for i, l := range lines {
				if i > 0 {
					fmt.Fprintf(t, "\n%s", strings.Repeat(" ", widest+27))
				}
				fmt.Fprintf(t, "  %s", l)
			}
		}
		fmt.Fprintln(t)
	}
	if clear > 0 {
		fmt.Fprintf(t, "  %s\n", t.paint(inspect.Faint, fmt.Sprintf("all pass in %d of %d rows", clear, len(rows))))
	}
}

func (t *text) number(s inspect.Style, n int) string {
	if n == 0 {
		return t.paint(inspect.Faint, "    -")
	}
	return t.paint(s, fmt.Sprintf("%5d", n))
}

func width(s string) int {
	n := 0
	for _, r := range s {
		n += inspect.Columns(r)
	}
	return n
}

// fit shortens a text to a number of columns.
func fit(s string, columns int) string {
	if width(s) <= columns {
		return s
	}
	n := 0
	for i, r := range s {
		if n += inspect.Columns(r); n >= columns {
			return s[:i] + "…"
		}
	}
	return s
}

// causes prints the failures.
func (t *text) causes() {
	n := 0
	for _, c := range t.sum.Causes {
		n += len(c.Results)
	}
	if n == 0 {
		return
	}
	limit := t.opt.Causes
	switch {
	case limit == 0:
		limit = 8
	case limit < 0:
		limit = len(t.sum.Causes)
	}
	fmt.Fprintf(t, "\n%s\n", t.paint(inspect.TypeName, fmt.Sprintf("%s of %s", count(n, "failure"), count(len(t.sum.Causes), "cause"))))
	for limit < len(t.sum.Causes) && fatal(t.sum.Causes[limit].Outcome) && !t.sum.Causes[limit].Expected {
		limit++ // all crashes and hangs are shown
	}
	for i := range t.sum.Causes {
		if i == limit {
			break
		}
		t.cause(i+1, &t.sum.Causes[i])
	}
	if left := len(t.sum.Causes) - limit; left > 0 {
		text := "… and " + count(left, "cause") + " more"
		if t.opt.More != "" {
			text += "; " + t.opt.More
		}
		fmt.Fprintf(t, "\n%s\n", text)
		t.brief(t.sum.Causes[limit:])
	}
}

// cause prints one cause with its smallest packet.
func (t *text) cause(number int, c *Cause) {
	r := c.Results[0]
	kase := caseOf(r)
	fmt.Fprintln(t)
	head := []inspect.Span{{Style: inspect.Plain, Text: fmt.Sprintf("%d. ", number)}, {Style: inspect.Bad, Text: string(c.Outcome)},
		{Style: inspect.FieldName, Text: " " + brief(c.Row, most)}, {Style: inspect.Plain, Text: ", " + string(c.Op)}}
	notes := []string{string(c.Level)}
	notes = append(notes, c.Classes...)
	if c.Expected {
		notes = append(notes, "expected: "+r.Reason)
	}
	t.line(0, 3, append(head, inspect.Span{Style: inspect.Faint, Text: "  " + brief(strings.Join(notes, ", "), most)})...)
	t.line(3, 0, inspect.Span{Style: inspect.TypeName, Text: brief(r.ID, most)}, inspect.Span{Style: inspect.Plain, Text: "  " + brief(kase.About, most)})
	opt := inspect.Options{Width: t.opt.Width - 3, Row: 8, Paint: t.opt.Paint}
	t.block(t.scheme.tree(r, opt))
	expected, got := t.scheme.explain(r)
	t.entry("expected", inspect.Content, expected)
	t.entry("got", inspect.Bad, got)
	for i, l := range stderr(r) {
		t.entry([]string{"stderr", ""}[min(i, 1)], inspect.Plain, l)
	}
	if wrote := t.scheme.wrote(r, opt); len(wrote) > 1 {
		t.entry("", inspect.Plain, "which are")
		t.block(wrote)
	}
	t.entry("wrong", inspect.Plain, t.wrong(r))
	var before []string
	for _, f := range t.rarity.explain(r) {
		if told := t.told[f.Why]; told > 0 {
			before = append(before, fmt.Sprintf("%s, as in %d", brief(f.Class, most), told))
			continue
		}
		t.told[f.Why] = number
		t.entry("why", inspect.Plain, brief(f.Why, most))
		t.entry("effect", inspect.Plain, brief(f.Effect, most))
		t.entry("see", inspect.Faint, brief(strings.Join(append(slices.Clone(f.Errata), f.Links...), " "), most))
	}
	t.entry("why", inspect.Plain, strings.Join(before, "; "))
	if cmd := Command(t.run, r); cmd != "" {
		// On one line of any length, to be copied.
		fmt.Fprintf(t, "   %s%s\n", t.paint(inspect.Faint, fmt.Sprintf("%-10s", "again")), cmd)
	}
	if more := c.Results[1:]; len(more) > 0 {
		text := fmt.Sprintf("%d more like it: ", len(more))
		for i, m := range more {
			if i == 4 && len(more) > 5 {
				text += ", …"
				break
			}
			if i > 0 {
				text += ", "
			}
			text += brief(m.ID, most)
		}
		t.line(3, 10, inspect.Span{Style: inspect.Faint, Text: text})
	}
}

// wrong is the sentence about the difference and where it is.
func (t *text) wrong(r *runner.CaseResult) string {
	return brief(wrong(r), 2*most)
}

// wrong is what is wrong, with the field, offset and row where the runner's
// sentence does not tell them.
func wrong(r *runner.CaseResult) string {
	var where []string
	if r.Row != "" && !strings.Contains(r.Detail, r.Row) {
		where = append(where, rowPlace(caseOf(r), r.Row))
	}
	if at := fmt.Sprintf("byte %d", r.Offset); placed(r) && !strings.Contains(r.Detail, at) {
		where = append(where, at)
	}
	if r.Path != "" && !strings.Contains(r.Detail, r.Path) {
		where = append(where, "in "+r.Path)
	}
	switch {
	case len(where) == 0:
		return r.Detail
	case r.Detail == "":
		return "at " + strings.Join(where, ", ")
	}
	return r.Detail + " (" + strings.Join(where, ", ") + ")"
}

// entry prints a text with what it is before it.
func (t *text) entry(name string, s inspect.Style, text string) {
	if text == "" {
		return
	}
	for i, l := range t.opt.Paint.Layout([]inspect.Span{{Style: s, Text: text}}, max(t.opt.Width-13, 20), 0) {
		if i > 0 {
			name = ""
		}
		fmt.Fprintf(t, "   %s%s\n", t.paint(inspect.Faint, fmt.Sprintf("%-10s", name)), l)
	}
}

// block prints lines of a tree.
func (t *text) block(lines []string) {
	for _, l := range lines {
		if l != "" {
			l = "   " + l
		}
		fmt.Fprintln(t, l)
	}
}

// brief prints causes in a line each, those that differ in nothing but the row as one.
func (t *text) brief(causes []Cause) {
	type line struct {
		*Cause
		rows    []string
		results int
	}
	var lines []*line
	known := map[string]*line{}
	for i := range causes {
		c := &causes[i]
		key := fmt.Sprint(c.Op, c.Outcome, c.Level, c.Expected, c.Classes)
		l := known[key]
		if l == nil {
			l = &line{Cause: c}
			known[key] = l
			lines = append(lines, l)
		}
		l.results += len(c.Results)
		l.rows = append(l.rows, brief(c.Row, most))
	}
	const mostLines, mostRows = 40, 6
	for i, l := range lines {
		if i == mostLines {
			fmt.Fprintf(t, "  … and %d more like these\n", len(lines)-i)
			break
		}
		rows := strings.Join(l.rows[:min(len(l.rows), mostRows)], ", ")
		if more := len(l.rows) - mostRows; more > 0 {
			rows += fmt.Sprintf(" and %s", count(more, "more row"))
		}
		text := fmt.Sprintf(", %s of %s", l.Op, rows)
		if len(l.Classes) > 0 {
			text += " (" + brief(strings.Join(l.Classes, ", "), most) + ")"
		}
		t.line(2, 6, inspect.Span{Style: inspect.Bad, Text: string(l.Outcome)}, inspect.Span{Style: inspect.Plain, Text: text},
			inspect.Span{Style: inspect.Faint, Text: ": " + count(l.results, "result") + ", such as " + brief(l.Results[0].ID, most)})
	}
}

// notes prints results that are not failures of a case. These are permitted differences,
// unsupported cases, and faults of the list of expected failures or of the run.
func (t *text) notes() {
	const mostReasons = 12
	if len(t.sum.Differences) > 0 {
		fmt.Fprintf(t, "\n%s\n", t.paint(inspect.TypeName, "differ where they may"))
		t.brief(t.sum.Differences)
	}
	list := func(style inspect.Style, title string, lines []string) {
		for i, l := range lines {
			if i == 0 {
				fmt.Fprintf(t, "\n%s\n", t.paint(style, title))
			}
			if i == 3*mostReasons && len(lines) > i+1 {
				fmt.Fprintf(t, "  … and %d more\n", len(lines)-i)
				return
			}
			t.line(2, 4, inspect.Span{Style: inspect.Plain, Text: brief(l, most)})
		}
	}
	if len(t.sum.Unsupported) > 0 {
		fmt.Fprintf(t, "\n%s\n", t.paint(inspect.TypeName, "unsupported, never a pass"))
		for i, r := range t.sum.Unsupported {
			if i == mostReasons {
				fmt.Fprintf(t, "  … and %s more\n", count(len(t.sum.Unsupported)-i, "reason"))
				break
			}
			t.line(2, 8, inspect.Span{Style: inspect.Plain, Text: fmt.Sprintf("%5d  %s", r.Count, brief(r.Text, 300))})
		}
	}
	if n := t.sum.Ambiguous; n > 0 {
		fmt.Fprintln(t)
		t.line(0, 2, inspect.Span{Style: inspect.Warning, Text: fmt.Sprintf("%s of null by what gives null for errors, too: whether it was right cannot be told", count(n, "result"))})
	}
	list(inspect.Bad, "pass, though the list of expected failures has them: take them off it", t.sum.Stale)
	list(inspect.Bad, "lines of the list of expected failures that fit nothing: take them off it", t.run.Unused)
	list(inspect.Warning, "noted on the way", t.run.Notes)
}

// verdict is the last line.
func (t *text) verdict() {
	a := t.sum.All
	must := t.sum.Levels[vectors.Must]
	style, text := inspect.Content, "Everything passes."
	switch {
	case t.run.Stopped != "":
		style, text = inspect.Bad, fmt.Sprintf("The run ended early, after %s: %s", count(a.Total(), "result"), brief(t.run.Stopped, most))
	case a.Total() == 0:
		style, text = inspect.Bad, "Nothing was run."
	case a.Tried() == 0:
		style, text = inspect.Warning, "Nothing was tried: everything is unsupported."
	case a.Fail > 0:
		style, text = inspect.Bad, fmt.Sprintf("%d of %d fail, %d of them at the level must.", a.Fail, a.Tried(), must.Fail)
	case a.Stale > 0:
		style, text = inspect.Bad, fmt.Sprintf("Nothing fails unexpectedly, but %d pass that were expected to fail.", a.Stale)
	case len(t.run.Unused) > 0:
		style, text = inspect.Bad, "Nothing fails unexpectedly, but the list of expected failures has lines that fit nothing."
	case a.Expected > 0:
		style, text = inspect.Warning, fmt.Sprintf("Nothing fails but the %d that were expected to.", a.Expected)
	case a.Unsupported > 0:
		text = "Everything that is supported passes."
	case a.Differs > 0:
		text = "Everything passes but what may differ."
	}
	fmt.Fprintf(t, "\n%s\n", t.paint(style, text))
}
