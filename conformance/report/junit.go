// JUnit XML.

package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/octable/octable/conformance/runner"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`

	took time.Duration
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name      string       `xml:"name,attr"`
	Classname string       `xml:"classname,attr"`
	Time      string       `xml:"time,attr"`
	Skipped   *junitSkip   `xml:"skipped"`
	Error     *junitReason `xml:"error"`
	Failure   *junitReason `xml:"failure"`
	Stderr    *junitText   `xml:"system-err"`
}

type junitSkip struct {
	Message string `xml:"message,attr"`
}

type junitReason struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

// JUnit writes a run as JUnit XML; see the package comment for its elements.
func JUnit(w io.Writer, run *runner.Run) error {
	s := schemaOf(run.Spec)
	out := junitSuites{Name: aboutText(&run.About), Time: seconds(run.Took)}
	var properties []junitProperty
	for _, p := range [][2]string{
		{"spec", run.Spec}, {"program", run.Program}, {"command", strings.Join(run.Command, " ")},
		{"implementation", run.About.Name}, {"version", run.About.Version}, {"language", run.About.Language},
	} {
		if p[1] != "" {
			properties = append(properties, junitProperty{p[0], brief(p[1], most)})
		}
	}
	stamp := run.Started.UTC().Format("2006-01-02T15:04:05")
	places := map[string]int{}
	for i := range run.Results {
		r := &run.Results[i]
		typ := brief(caseOf(r).Type, most)
		at, ok := places[typ]
		if !ok {
			at = len(out.Suites)
			places[typ] = at
			out.Suites = append(out.Suites, junitSuite{Name: strings.TrimSpace(brief(run.Spec, most) + " " + typ),
				Timestamp: stamp, Properties: properties})
		}
		suite := &out.Suites[at]
		c := junitCase{Name: brief(name(r), most), Classname: brief(run.Spec, most) + "." + typ, Time: seconds(r.Took)}
		if lines := stderr(r); lines != nil {
			c.Stderr = &junitText{strings.Join(lines, "\n")}
		}
		suite.Tests++
		suite.took += max(r.Took, 0)
		switch r.Verdict {
		case runner.Pass:
		case runner.Skip, runner.ExpectedFail, runner.Differs:
			suite.Skipped++
			c.Skipped = &junitSkip{skipReason(r)}
		default:
			reason := &junitReason{Message: message(r), Type: string(r.Outcome), Text: "\n" + clean(s.words(run, r), true)}
			if r.Verdict == runner.StalePass || slices.Contains(broken, r.Outcome) {
				suite.Errors++
				c.Error = reason
			} else {
				suite.Failures++
				c.Failure = reason
			}
		}
		suite.Cases = append(suite.Cases, c)
	}
	if faults := runFaults(run); len(faults) > 0 {
		suite := junitSuite{Name: brief(run.Spec, most) + " run", Timestamp: stamp, Properties: properties, Tests: len(faults), Errors: len(faults)}
		for _, f := range faults {
			suite.Cases = append(suite.Cases, junitCase{Name: f, Classname: suite.Name, Time: seconds(0), Error: &junitReason{Message: f, Type: "run"}})
		}
		out.Suites = append(out.Suites, suite)
	}
	for i := range out.Suites {
		one := &out.Suites[i]
		one.Time = seconds(one.took)
		out.Tests += one.Tests
		out.Failures += one.Failures
		out.Errors += one.Errors
		out.Skipped += one.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// runFaults are what is wrong with a run beside its results.
func runFaults(run *runner.Run) (faults []string) {
	for _, u := range run.Unused {
		faults = append(faults, brief("expected failure without use: "+u, most))
	}
	if run.Stopped != "" {
		faults = append(faults, brief("the run ended early: "+run.Stopped, most))
	}
	return faults
}

// broken are the outcomes after which nothing is known of what an implementation
// answers to a case.
var broken = []runner.Outcome{runner.Crash, runner.Hang, runner.OutOfMemory, runner.Garbled}

func seconds(d time.Duration) string { d = max(d, 0); return fmt.Sprintf("%.6f", d.Seconds()) }

// skipReason is why a result counts for nothing.
func skipReason(r *runner.CaseResult) string {
	text := r.Reason
	if text == "" {
		text = r.Answer.Unsupported
	}
	if r.Verdict == runner.Differs {
		text = "differs where it may (" + string(r.Outcome) + "): " + wrong(r)
	}
	if r.Verdict == runner.ExpectedFail {
		text = strings.TrimSuffix("expected failure ("+string(r.Outcome)+"): "+text, ": ")
	}
	if text == "" {
		text = "unsupported"
	}
	return brief(text, most)
}

// message is what is wrong with a result, in one line.
func message(r *runner.CaseResult) string {
	text := string(r.Outcome)
	if w := wrong(r); w != "" {
		text += ": " + w
	}
	if r.Verdict == runner.StalePass {
		text = "passes, though the list of expected failures has it"
		if r.Reason != "" {
			text += " (" + r.Reason + ")"
		}
		text += ": take it off the list"
	}
	return brief(text, 2*most)
}

// words says all about a failure in plain text.
func (s *scheme) words(run *runner.Run, r *runner.CaseResult) string {
	var b strings.Builder
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-10s%s\n", name, text)
		}
	}
	c := caseOf(r)
	expected, got := s.explain(r)
	line("about", brief(c.About, most))
	line("level", brief(string(c.Level), most))
	line("expected", expected)
	line("got", got)
	for _, f := range flagsOf(run.Suite, c) {
		line("why", brief(f.Why, most))
	}
	line("again", Command(run, r))
	for _, l := range s.tree(r, plainOptions) {
		b.WriteString(l + "\n")
	}
	return b.String()
}
