// The page of results, in Markdown.

package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

// PageOptions say what a page of results says beside the results.
type PageOptions struct {
	Title string   // "" is "Results"
	About []string // paragraphs of Markdown below the title
	// Origin describes, in Markdown, how the runs of an implementation were obtained: what was
	// installed, from where. The keys are names of implementations, as in About.Name.
	Origin map[string]string
	// Link returns the place of the file of a run, as seen from the page; "" for no link. For nil
	// it returns that of the page made by HTML. It may be nil.
	Link func(run *runner.Run) string
	// Causes is the number of causes of failures that are shown of each run. 0 is 10, and less
	// than 0 is all of them.
	Causes int
}

// Page writes results as Markdown. A table for each schema comes first. A section for each
// implementation says how its results were obtained and what goes wrong, with the smallest
// packet for each cause.
func Page(w io.Writer, runs []*runner.Run, opt PageOptions) error {
	m := &markdown{Writer: bufio.NewWriter(w), opt: opt}
	if m.opt.Link == nil {
		m.opt.Link = func(*runner.Run) string { return "" }
	}
	fmt.Fprintf(m, "# %s\n\n", mark(cmp.Or(opt.Title, "Results")))
	for _, p := range opt.About {
		fmt.Fprintf(m, "%s\n\n", strings.TrimSpace(p))
	}
	if to := m.opt.Link(nil); to != "" {
		fmt.Fprintf(m, "[All of it as one page, to be opened in a browser](%s), with the bytes of every vector that fails.\n\n", target(to))
	}
	m.overview(runs)
	var names []string
	byName := map[string][]*runner.Run{}
	for _, r := range runs {
		if byName[r.About.Name] == nil {
			names = append(names, r.About.Name)
		}
		byName[r.About.Name] = append(byName[r.About.Name], r)
	}
	for _, name := range names {
		m.implementation(byName[name])
	}
	return m.Flush()
}

type markdown struct {
	*bufio.Writer // its errors stay
	opt           PageOptions
}

// overview is a table for each schema.
func (m *markdown) overview(runs []*runner.Run) {
	var specs []string
	for _, r := range runs {
		if !slices.Contains(specs, r.Spec) {
			specs = append(specs, r.Spec)
		}
	}
	for _, spec := range specs {
		s := schemaOf(spec)
		fmt.Fprintf(m, "## %s\n\n", mark(spec))
		var rows []string
		var facts []string
		for _, r := range runs {
			if r.Spec != spec {
				continue
			}
			if facts == nil {
				facts = nonEmpty(mark(s.title), mark(vectorsText(r)), "program "+code(fmt.Sprintf("%.12s", r.Program)))
			}
			sum := summarize(r, s)
			cells := []string{link(strings.TrimSpace(r.About.Name+" "+r.About.Version), "#"+anchor(r.About.Name)), mark(r.About.Language)}
			for _, l := range levels {
				cells = append(cells, ratio(sum.Levels[l]))
			}
			stopped, misread := 0, 0
			for i := range r.Results {
				if o := r.Results[i].Outcome; !bad(&r.Results[i]) {
					continue
				} else if slices.Contains(broken, o) {
					stopped++
				} else if o == runner.Wrong || o == runner.SilentNull || o == runner.Lossy {
					misread++
				}
			}
			for _, n := range []int{sum.All.Bad(), stopped, misread, sum.All.Unsupported} {
				cells = append(cells, number(n))
			}
			cells = append(cells, day(r.Started), link("run", m.opt.Link(r)))
			rows = append(rows, "| "+strings.Join(cells, " | ")+" |\n")
		}
		fmt.Fprintf(m, "%s.\n\n", strings.Join(facts, "; "))
		m.WriteString("| implementation | language | must | should | may | fail | of these: crash, hang, memory | of these: wrong, null, lossy | unsupported | run | file |\n")
		m.WriteString("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |\n")
		fmt.Fprintf(m, "%s\n", strings.Join(rows, ""))
	}
	m.WriteString("A vector has a result for reading and one for writing, or one for both at once where an implementation\n" +
		"cannot show its values. The levels count results that pass of those tried; what an implementation says it\n" +
		"does not support is counted apart and never a pass. What differs from a vector that is a may is no failure.\n\n")
}

// vectorsText counts the cases of a run by level.
func vectorsText(r *runner.Run) string {
	seen := map[string]bool{}
	counts := map[vectors.Level]int{}
	for i := range r.Results {
		if c := caseOf(&r.Results[i]); !seen[c.ID] {
			seen[c.ID] = true
			counts[c.Level]++
		}
	}
	return count(len(seen), "vector") + ": " + levelsText(counts)
}

func levelsText(counts map[vectors.Level]int) string {
	var parts []string
	for _, l := range levels {
		if counts[l] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[l], l))
		}
	}
	return strings.Join(parts, ", ")
}

func ratio(t Tally) string {
	if t.Tried() == 0 {
		return "–"
	}
	text := fmt.Sprintf("%d / %d", t.Good(), t.Tried())
	if t.Good() == t.Tried() {
		text = "**" + text + "**"
	}
	return text
}

func number(n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprint(n)
}

// implementation is what there is to say of one, in all its runs.
func (m *markdown) implementation(runs []*runner.Run) {
	about := &runs[0].About
	name := cmp.Or(about.Name, "without a name")
	title := mark(brief(name, 80))
	fmt.Fprintf(m, "## %s\n\n", title)
	if isLink(about.Link) {
		fmt.Fprintf(m, "<%s>\n\n", target(brief(about.Link, most)))
	}
	if how := strings.TrimSpace(m.opt.Origin[about.Name]); how != "" {
		fmt.Fprintf(m, "%s\n\n", how)
	}
	var notes []string
	for _, r := range runs {
		for _, n := range append(slices.Clone(r.About.Notes), r.Notes...) {
			if n = mark(brief(n, most)); !slices.Contains(notes, n) {
				notes = append(notes, n)
			}
		}
	}
	for _, n := range notes {
		fmt.Fprintf(m, "- %s\n", n)
	}
	if len(notes) > 0 {
		fmt.Fprintln(m)
	}
	for _, r := range runs {
		m.run(r)
	}
}

func (m *markdown) run(r *runner.Run) {
	s := schemaOf(r.Spec)
	sum := summarize(r, s)
	fmt.Fprintf(m, "### %s on %s\n\n", mark(strings.TrimSpace(brief(r.About.Name, 80)+" "+brief(r.About.Version, 40))), mark(r.Spec))
	command := "In the process of the suite"
	if len(r.Command) > 0 {
		fmt.Fprintf(m, "%s\n", fence(commandLine(r)))
		command = "Run"
	}
	facts := []string{fmt.Sprintf("%s on %s, in %v", command, day(r.Started), r.Took.Round(time.Millisecond))}
	if r.Restarts > 0 {
		facts = append(facts, "started again "+count(r.Restarts, "time"))
	}
	parts := []string{fmt.Sprintf("%d of %d pass", sum.All.Good(), sum.All.Tried())}
	for _, o := range runner.Outcomes {
		if n := sum.Outcomes[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	fmt.Fprintf(m, "%s. %s.\n\n", strings.Join(facts, ", "), strings.Join(parts, ", "))
	if sum.Ambiguous > 0 {
		fmt.Fprintf(m, "It gives null for errors, too: whether %s of null are right cannot be told.\n\n", count(sum.Ambiguous, "result"))
	}
	for _, f := range runFaults(r) {
		fmt.Fprintf(m, "%s.\n\n", mark(f))
	}
	if len(sum.Unsupported) > 0 {
		var reasons []string
		for _, u := range sum.Unsupported[:min(len(sum.Unsupported), 20)] {
			reasons = append(reasons, fmt.Sprintf("%s (%d)", mark(brief(u.Text, 200)), u.Count))
		}
		fmt.Fprintf(m, "Unsupported: %s.\n\n", strings.Join(reasons, "; "))
	}
	m.causes(r, s, sum)
}

// causes shows the first causes in full, and the others as a table.
func (m *markdown) causes(r *runner.Run, s *scheme, sum *Summary) {
	limit := m.opt.Causes
	switch {
	case limit == 0:
		limit = 10
	case limit < 0:
		limit = len(sum.Causes)
	}
	for i := range sum.Causes {
		if i == limit {
			break
		}
		c := &sum.Causes[i]
		one := c.Results[0]
		notes := append([]string{string(c.Level)}, c.Classes...)
		if c.Expected {
			notes = append(notes, "expected: "+one.Reason)
		}
		fmt.Fprintf(m, "%d. **%s**, %s of %s (%s), %s: %s\n\n", i+1, c.Outcome, c.Op, code(cmp.Or(c.Row, "no row")),
			mark(brief(strings.Join(notes, ", "), most)), count(len(c.Results), "result"), mark(brief(wrong(one), 2*most)))
		var b strings.Builder
		line := func(name, text string) {
			if text != "" {
				fmt.Fprintf(&b, "%-10s%s\n", name, text)
			}
		}
		for _, l := range s.tree(one, plainOptions) {
			b.WriteString(l + "\n")
		}
		expected, got := s.explain(one)
		line("case", brief(one.ID, most))
		line("expected", expected)
		line("got", got)
		for i, l := range stderr(one) {
			line([]string{"stderr", ""}[min(i, 1)], l)
		}
		m.indented(fence(clean(b.String(), true)))
	}
	if left := sum.Causes[min(limit, len(sum.Causes)):]; len(left) > 0 {
		fmt.Fprintf(m, "<details><summary>and %s</summary>\n\n| outcome | operation | row | results | smallest case |\n| --- | --- | --- | ---: | --- |\n", count(len(left), "more cause"))
		for i := range left {
			c := &left[i]
			fmt.Fprintf(m, "| %s | %s | %s | %d | %s |\n", c.Outcome, c.Op, code(c.Row), len(c.Results), code(c.Results[0].ID))
		}
		m.WriteString("\n</details>\n\n")
	}
}

// indented writes a block inside a list.
func (m *markdown) indented(block string) {
	for line := range strings.Lines(block) {
		if line != "\n" {
			line = "   " + line
		}
		_, _ = m.WriteString(line)
	}
	m.WriteString("\n")
}

// mark escapes what Markdown, or HTML in it, would take for more than text.
func mark(s string) string {
	var b strings.Builder
	for _, r := range brief(s, 4*most) {
		if strings.ContainsRune("\\`*_[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code is a text as code in a line. In a table a | ends a cell even there.
func code(s string) string {
	s = strings.ReplaceAll(brief(s, most), "|", "¦")
	if s == "" {
		return "–"
	}
	ticks := strings.Repeat("`", longest(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// fence is a text as a block of code.
func fence(s string) string {
	ticks := strings.Repeat("`", max(longest(s, '`')+1, 3))
	return ticks + "\n" + strings.TrimRight(s, "\n") + "\n" + ticks + "\n"
}

// longest is the length of the longest run of a character.
func longest(s string, c rune) int {
	most, n := 0, 0
	for _, r := range s {
		if n++; r != c {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

// link is a text that leads somewhere, if it does.
func link(text, to string) string {
	if to == "" {
		return "–"
	}
	return "[" + mark(text) + "](" + target(to) + ")"
}

// target escapes the address of a link.
func target(to string) string {
	var b strings.Builder
	for _, c := range []byte(to) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`<>()"\`+"`|", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// anchor is the anchor that hosts of Markdown give a heading.
func anchor(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(brief(cmp.Or(name, "without a name"), 80)) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 0x7f:
			b.WriteRune(r)
		}
	}
	return b.String()
}
