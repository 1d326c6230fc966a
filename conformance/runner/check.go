// Suites in tests of Go implementations.

package runner

import (
	"context"
	"fmt"
	"strings"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
)

// T is the part of *testing.T that [Check] needs.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// Check runs suites against an implementation in this process, and reports each
// failure as one of the test. To run some cases alone, give opt a Filter.
func Check(t T, impl protocol.Implementation, opt Options, suites ...*vectors.Suite) {
	t.Helper()
	for _, s := range suites {
		run, err := Conform(context.Background(), s, Local(impl, 0), opt)
		if err != nil {
			t.Errorf("%s: %v", s.Spec(), err)
			continue
		}
		for i := range run.Results {
			if r := &run.Results[i]; r.Verdict == Fail || r.Verdict == StalePass {
				t.Errorf("%s: %s", s.Spec(), r.Sentence())
			}
		}
		for _, text := range run.Unused {
			t.Errorf("%s", text)
		}
		if run.Stopped != "" {
			t.Errorf("%s: stopped before the end: %s", s.Spec(), run.Stopped)
		}
		t.Logf("%s: %d results: %d pass, %d fail, %d expected to, %d differ, %d unsupported", s.Spec(), len(run.Results),
			run.Count(Pass), run.Count(Fail), run.Count(ExpectedFail), run.Count(Differs), run.Count(Skip))
	}
}

// Sentence returns the result of a case in one line.
func (r *CaseResult) Sentence() string {
	s := fmt.Sprintf("%s %s: %s", r.Op, r.ID, r.Outcome)
	if r.Path != "" {
		s += " at " + r.Path
	}
	if r.Detail != "" {
		s += ": " + r.Detail
	}
	if r.Answer.Error != "" && r.Verdict != Pass {
		s += ": " + r.Answer.Error
	}
	var where []string
	if r.Row != "" {
		where = append(where, r.Row)
	}
	if r.Offset > 0 {
		where = append(where, fmt.Sprintf("byte %d", r.Offset))
	}
	if len(where) > 0 {
		s += " (" + strings.Join(where, ", ") + ")"
	}
	if r.Verdict == StalePass {
		s += "; " + r.Reason
	}
	return s
}
