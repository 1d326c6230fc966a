// Results of cases.

package runner

import (
	"time"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
)

// Outcome is the outcome of one case in one direction.
type Outcome string

// The outcomes. The package comment says which of them pass.
const (
	Exact          Outcome = "exact bytes"         // the value or the bytes, to the last bit
	SameValue      Outcome = "same value"          // other bytes that represent the same value, such as other padding
	Lossy          Outcome = "lossy"               // the value with less in it: a float rounded, a type of elements lost
	Wrong          Outcome = "wrong value"         // another value, or bytes that represent another
	SilentNull     Outcome = "silently null"       // null instead of the value, or of an error
	RefusedRightly Outcome = "refused rightly"     // an error for what is to be refused
	RefusedWrongly Outcome = "refused wrongly"     // an error for bytes that represent a value, or for a value that has bytes
	Accepted       Outcome = "accepted wrongly"    // a value for malformed bytes, or bytes for a value that has none
	Crash          Outcome = "crash"               // the process ended
	Hang           Outcome = "hang"                // no answer in time
	OutOfMemory    Outcome = "out of memory"       // more memory than allowed
	Garbled        Outcome = "not of the protocol" // the answer is malformed
	Unsupported    Outcome = "unsupported"         // declared as such, or in hello; never a pass, never a failure
)

// Outcomes lists all outcomes, best first.
var Outcomes = []Outcome{Exact, SameValue, RefusedRightly, Unsupported, Lossy, RefusedWrongly, Accepted, Wrong,
	SilentNull, Garbled, Crash, Hang, OutOfMemory}

// Verdict is whether an outcome is what the case asks for.
type Verdict string

// The verdicts.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Differs      Verdict = "differs"             // not as the case says, which is a may: noted, and no failure
	Skip         Verdict = "unsupported"         // counted apart
	ExpectedFail Verdict = "expected"            // fails, as the list of expected failures says
	StalePass    Verdict = "passes unexpectedly" // the list of expected failures says that it fails: an error
)

// CaseResult is the result of one case in one direction.
type CaseResult struct {
	Case    *vectors.Case   `json:"-"`
	ID      string          `json:"id"`
	Op      protocol.Op     `json:"op"`
	Outcome Outcome         `json:"outcome"`
	Verdict Verdict         `json:"verdict"`
	Reason  string          `json:"reason,omitempty"` // of an expected failure, or what is not supported
	Detail  string          `json:"detail,omitempty"` // what is wrong, in a sentence: field, offset, expected and got
	Row     string          `json:"row,omitempty"`    // of the schema where the difference is
	Offset  int             `json:"offset,omitempty"` // of the first difference, in the bytes of the case
	Path    string          `json:"path,omitempty"`   // of the first difference, in the value
	Answer  protocol.Answer `json:"answer"`           // as it was given
	// Ambiguous marks an answer of null by an implementation that gives it for an error as well as
	// for Nil. See protocol.About.NullOnError. The answer was taken for what the case asks for.
	Ambiguous bool   `json:"ambiguous,omitempty"`
	Stderr    string `json:"stderr,omitempty"` // the end of what the child wrote while it died
	// ExactError is set where a refusal came with the kind of the case and, in
	// reading, its offset.
	ExactError bool          `json:"exactError,omitempty"`
	Took       time.Duration `json:"took"`
}

// Run is one implementation on one suite.
type Run struct {
	About    protocol.About `json:"about"`
	Spec     string         `json:"spec"`
	Suite    *vectors.Suite `json:"-"`
	Program  string         `json:"program"` // hash of the compiled schema of the suite
	Command  []string       `json:"command"`
	Flags    []string       `json:"flags,omitempty"` // of the runner, that a single case needs, too, such as -tcp
	Started  time.Time      `json:"started"`
	Took     time.Duration  `json:"took"`
	Restarts int            `json:"restarts"` // how often the child had to be started again
	Results  []CaseResult   `json:"results"`
	// Notes are what went wrong beside the cases, such as a process that crashed at
	// its end, in sentences.
	Notes []string `json:"notes,omitempty"`
	// Unused are lines of the list of expected failures that fit nothing: errors.
	Unused []string `json:"unused,omitempty"`
	// Stopped says why the run ended before all cases were asked; "" if it did not.
	Stopped string `json:"stopped,omitempty"`
}

// Count returns how many results have a verdict.
func (r *Run) Count(v Verdict) int {
	n := 0
	for i := range r.Results {
		if r.Results[i].Verdict == v {
			n++
		}
	}
	return n
}
