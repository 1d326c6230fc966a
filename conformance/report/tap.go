// The Test Anything Protocol.

package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/conformance/runner"
)

// plainOptions are those of trees in plain text.
var plainOptions = inspect.Options{Width: 90, Row: 8}

// TAP writes a run as TAP version 14; see the package comment for its lines.
func TAP(w io.Writer, run *runner.Run) error {
	s := schemaOf(run.Spec)
	b := bufio.NewWriter(w) // its errors stay
	faults := runFaults(run)
	fmt.Fprintf(b, "TAP version 14\n1..%d", len(run.Results)+len(faults))
	if len(run.Results)+len(faults) == 0 {
		b.WriteString(" # SKIP nothing was run")
	}
	fmt.Fprintf(b, "\n# %s on %s\n", aboutText(&run.About), brief(run.Spec, most))
	for i := range run.Results {
		r := &run.Results[i]
		status, directive := "ok", ""
		switch r.Verdict {
		case runner.Pass:
		case runner.Skip:
			directive = " # SKIP " + tapText(skipReason(r))
		case runner.ExpectedFail, runner.Differs:
			status, directive = "not ok", " # TODO "+tapText(skipReason(r))
		default:
			status = "not ok"
		}
		fmt.Fprintf(b, "%s %d - %s%s\n", status, i+1, tapText(name(r)), directive)
		if status == "not ok" && directive == "" {
			s.yaml(b, run, r)
		}
	}
	for i, f := range faults {
		fmt.Fprintf(b, "not ok %d - %s\n", len(run.Results)+i+1, tapText(f))
	}
	if run.Stopped != "" {
		fmt.Fprintf(b, "Bail out! %s\n", tapText(run.Stopped))
	}
	return b.Flush()
}

// tapText escapes what would begin a directive in a description.
func tapText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(brief(s, most))
}

// yaml writes what is known of a failure.
func (s *scheme) yaml(b *bufio.Writer, run *runner.Run, r *runner.CaseResult) {
	c := caseOf(r)
	expected, got := s.explain(r)
	b.WriteString("  ---\n")
	for _, e := range [][2]string{
		{"outcome", string(r.Outcome)}, {"message", message(r)}, {"about", brief(c.About, most)}, {"level", brief(string(c.Level), most)},
		{"expected", expected}, {"got", got}, {"row", brief(r.Row, most)}, {"path", brief(r.Path, most)},
		{"bytes", digits(c.Bytes)}, {"command", Command(run, r)}, {"stderr", strings.Join(stderr(r), "\n")},
	} {
		if e[1] != "" {
			fmt.Fprintf(b, "  %s: %s\n", e[0], yamlText(e[1]))
		}
		if e[0] == "row" && r.Offset > 0 {
			fmt.Fprintf(b, "  offset: %d\n", r.Offset)
		}
	}
	b.WriteString("  ...\n")
}

// yamlText quotes a text: a string of JSON is one of YAML.
func yamlText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be written
	return strings.TrimSuffix(b.String(), "\n")
}
