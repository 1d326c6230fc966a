// Counting: results by verdict, type and class of bug, and failures by cause.

package report

import (
	"cmp"
	"slices"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

// Tally counts results by verdict.
type Tally struct {
	Pass        int
	Fail        int
	Differs     int // are not as a case says that is a may
	Expected    int // fail as a list of expected failures says
	Stale       int // pass though that list says that they fail
	Unsupported int
}

// Good returns the number that passes.
func (t Tally) Good() int { return t.Pass + t.Stale }

// Bad returns the number that fails, expected or not.
func (t Tally) Bad() int { return t.Fail + t.Expected }

// Tried returns the number without cases of something unsupported.
func (t Tally) Tried() int { return t.Good() + t.Bad() + t.Differs }

// Total returns the number of all.
func (t Tally) Total() int { return t.Tried() + t.Unsupported }

func (t *Tally) add(v runner.Verdict) {
	switch v {
	case runner.Pass:
		t.Pass++
	case runner.Differs:
		t.Differs++
	case runner.ExpectedFail:
		t.Expected++
	case runner.StalePass:
		t.Stale++
	case runner.Skip:
		t.Unsupported++
	default:
		t.Fail++
	}
}

// Row counts the results of one type or one class of bug.
type Row struct {
	Name    string
	All     Tally
	Must    Tally                  // of the level "must"
	Bad     map[runner.Outcome]int // outcomes of those that fail or differ
	BadMust map[runner.Outcome]int // of those of the level "must"
	Cases   int                    // different cases: most have a result for each direction
}

// Cause is a set of failures that seem to have one cause, with the same outcome. If the plainest
// case of a type fails, all failures of the type have that cause. Otherwise it is one operation
// and the rarest flag of a case, or also the row if that flag says little.
type Cause struct {
	Row      string // of the first result
	Op       protocol.Op
	Outcome  runner.Outcome
	Classes  []string      // of bug, the rarest first; none if the cases have no flags
	Level    vectors.Level // the strongest
	Expected bool          // all of them are expected failures
	Results  []*runner.CaseResult
}

// Reason is something that an implementation lacks, with the number of results that it explains.
type Reason struct {
	Text  string
	Count int
}

// Summary has the totals of a run.
type Summary struct {
	All         Tally
	Levels      map[vectors.Level]Tally
	Outcomes    map[runner.Outcome]int
	ExactErrors int      // results refused rightly that tell kind and offset of the error
	Ambiguous   int      // passes of null by an implementation that gives it for errors, too
	Types       []Row    // in the order of their numbers in the schema
	Classes     []Row    // by name; a result counts in each class that it has a flag of
	Causes      []Cause  // of failures: the most severe outcome first, must before should, valid packets before invalid ones, then the smallest first
	Differences []Cause  // of results that differ where they may, in the same order
	Stale       []string // ids and operations of passes that were expected to fail
	Unsupported []Reason // most results first
}

// Summarize counts the results of a run.
func Summarize(run *runner.Run) *Summary { return summarize(run, schemaOf(run.Spec)) }

func summarize(run *runner.Run, s *scheme) *Summary {
	sum := &Summary{Levels: map[vectors.Level]Tally{}, Outcomes: map[runner.Outcome]int{}}
	types, classes := table{}, table{}
	causes := map[string]*Cause{}
	rarity := newRarity(run)
	reasons := map[string]int{}
	for i := range run.Results {
		r := &run.Results[i]
		c := caseOf(r)
		sum.All.add(counted(r))
		level := sum.Levels[c.Level]
		level.add(counted(r))
		sum.Levels[c.Level] = level
		sum.Outcomes[r.Outcome]++
		if r.ExactError {
			sum.ExactErrors++
		}
		if r.Ambiguous && !bad(r) {
			sum.Ambiguous++
		}
		types.add(c.Type, r)
		of := classesOf(run.Suite, c)
		for _, class := range of {
			classes.add(class, r)
		}
		switch counted(r) {
		case runner.StalePass:
			sum.Stale = append(sum.Stale, name(r))
		case runner.Skip:
			reasons[cmp.Or(r.Reason, r.Answer.Unsupported, "no reason is told")]++
		case runner.Fail, runner.ExpectedFail, runner.Differs:
			key := rarity.cause(r)
			cause := causes[key]
			if cause == nil {
				cause = &Cause{Outcome: r.Outcome, Level: c.Level, Expected: true}
				causes[key] = cause
			}
			if rank(c.Level) < rank(cause.Level) {
				cause.Level = c.Level
			}
			cause.Expected = cause.Expected && r.Verdict == runner.ExpectedFail
			cause.Results = append(cause.Results, r)
		}
	}
	sum.Types = types.rows(func(a, b string) int { return cmp.Or(cmp.Compare(s.number(a), s.number(b)), cmp.Compare(a, b)) })
	sum.Classes = classes.rows(func(a, b string) int { return cmp.Compare(a, b) })
	for _, c := range causes {
		slices.SortFunc(c.Results, func(a, b *runner.CaseResult) int {
			return cmp.Or(cmp.Compare(size(caseOf(a)), size(caseOf(b))), cmp.Compare(a.ID, b.ID))
		})
		first := c.Results[0]
		c.Row, c.Op = cmp.Or(first.Row, caseOf(first).Row), first.Op
		for _, f := range rarity.explain(first) {
			if f.Class != "" && !slices.Contains(c.Classes, f.Class) {
				c.Classes = append(c.Classes, f.Class)
			}
		}
		if counted(first) == runner.Differs {
			sum.Differences = append(sum.Differences, *c)
		} else {
			sum.Causes = append(sum.Causes, *c)
		}
	}
	slices.SortFunc(sum.Causes, compareCauses)
	slices.SortFunc(sum.Differences, compareCauses)
	for text, n := range reasons {
		sum.Unsupported = append(sum.Unsupported, Reason{text, n})
	}
	slices.SortFunc(sum.Unsupported, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return sum
}

func compareCauses(a, b Cause) int {
	first, second := a.Results[0], b.Results[0]
	invalid := func(r *runner.CaseResult) bool { return caseOf(r).Result == vectors.Invalid }
	return cmp.Or(compareBool(a.Expected, b.Expected), cmp.Compare(severity(first), severity(second)), cmp.Compare(rank(a.Level), rank(b.Level)), compareBool(invalid(first), invalid(second)),
		cmp.Compare(size(caseOf(first)), size(caseOf(second))), cmp.Compare(first.ID, second.ID),
		cmp.Compare(a.Op, b.Op), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Outcome, b.Outcome))
}

// table counts results by names.
type table map[string]*tableRow

type tableRow struct {
	Row
	cases map[string]bool
}

func (t table) add(name string, r *runner.CaseResult) {
	row := t[name]
	if row == nil {
		row = &tableRow{Row{Name: name, Bad: map[runner.Outcome]int{}, BadMust: map[runner.Outcome]int{}}, map[string]bool{}}
		t[name] = row
	}
	row.All.add(counted(r))
	must := caseOf(r).Level == vectors.Must
	if must {
		row.Must.add(counted(r))
	}
	if other(r) {
		row.Bad[r.Outcome]++
		if must {
			row.BadMust[r.Outcome]++
		}
	}
	if !row.cases[r.ID] {
		row.cases[r.ID] = true
		row.Cases++
	}
}

func (t table) rows(order func(a, b string) int) []Row {
	var rows []Row
	for _, r := range t {
		rows = append(rows, r.Row)
	}
	slices.SortFunc(rows, func(a, b Row) int { return order(a.Name, b.Name) })
	return rows
}

// bad reports whether a result fails, expected or not.
func bad(r *runner.CaseResult) bool {
	return counted(r) == runner.Fail || counted(r) == runner.ExpectedFail
}

// counted returns the verdict that a result is counted by. What is expected to differ from a may
// is a difference, as without a list of expected failures.
func counted(r *runner.CaseResult) runner.Verdict {
	if r.Verdict == runner.ExpectedFail && caseOf(r).Level == vectors.May {
		return runner.Differs
	}
	return r.Verdict
}

// other reports whether a result is not as its case says.
func other(r *runner.CaseResult) bool { return bad(r) || counted(r) == runner.Differs }

// worst returns the worst of outcomes, and "" if the list is empty.
func worst(outcomes map[runner.Outcome]int) runner.Outcome {
	for i := len(runner.Outcomes) - 1; i >= 0; i-- {
		if outcomes[runner.Outcomes[i]] > 0 {
			return runner.Outcomes[i]
		}
	}
	return ""
}

// caseOf returns the case of a result, one without content if it has none.
func caseOf(r *runner.CaseResult) *vectors.Case {
	if r.Case == nil {
		return &vectors.Case{ID: r.ID}
	}
	return r.Case
}

// name is what a result is called: the id of its case and the operation.
func name(r *runner.CaseResult) string { return r.ID + " " + string(r.Op) }

// classesOf returns the classes of bug of a case.
func classesOf(s *vectors.Suite, c *vectors.Case) []string {
	var out []string
	for _, f := range flagsOf(s, c) {
		if f.Class != "" {
			out = append(out, f.Class)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// flagsOf returns the flags of a case, as far as they are known.
func flagsOf(s *vectors.Suite, c *vectors.Case) []vectors.Flag {
	if s == nil {
		return nil
	}
	var out []vectors.Flag
	for _, key := range c.Flags {
		if f, ok := s.Flags[key]; ok {
			out = append(out, f)
		}
	}
	return out
}

// size is what cases are compared by: the bytes of the packet, or of the value
// without one.
func size(c *vectors.Case) int {
	switch {
	case c.Bytes != "":
		return len(c.Bytes) / 2
	case c.Canonical != "":
		return len(c.Canonical) / 2
	}
	return len(c.Value)
}

// levels are all there are, the strongest first.
var levels = []vectors.Level{vectors.Must, vectors.Should, vectors.May}

func rank(l vectors.Level) int {
	if i := slices.Index(levels, l); i >= 0 {
		return i
	}
	return 3
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
