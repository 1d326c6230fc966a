// Causes: which failures have one, and what explains them.

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

// severities are the outcomes that are not as a case says, the worst first.
var severities = []runner.Outcome{runner.Crash, runner.Hang, runner.OutOfMemory, runner.Garbled, runner.SilentNull, runner.Wrong,
	runner.Lossy, runner.Accepted, runner.RefusedWrongly, runner.SameValue}

// severity is the rank of the outcome of a result, 0 for the worst. A wrong value is worse than
// wrong bytes.
func severity(r *runner.CaseResult) int {
	n := 2 * slices.Index(severities, r.Outcome)
	if n < 0 {
		return 2 * len(severities)
	}
	if r.Outcome == runner.Wrong && r.Op != protocol.Decode {
		n++
	}
	return n
}

// fatal reports whether a result left no process, or none that answers.
func fatal(o runner.Outcome) bool {
	return o == runner.Crash || o == runner.Hang || o == runner.OutOfMemory
}

// rarity is what is known of a run to tell its causes.
type rarity struct {
	suite  *vectors.Suite
	cases  int
	count  map[string]int  // of different cases with a flag
	tried  map[string]int  // of results by operation and flag
	wrong  map[string]int  // likewise, of those with an outcome
	failed map[string]bool // names and outcomes of failures
	plain  map[string]bool // types and outcomes of failures of the plainest case of a type
	passes map[string]bool // types of which some case passes
}

func newRarity(run *runner.Run) *rarity {
	ra := &rarity{suite: run.Suite, count: map[string]int{}, tried: map[string]int{}, wrong: map[string]int{}, failed: map[string]bool{}, plain: map[string]bool{}, passes: map[string]bool{}}
	seen := map[string]bool{}
	for i := range run.Results {
		r := &run.Results[i]
		c := caseOf(r)
		for _, key := range c.Flags {
			if r.Verdict != runner.Skip {
				ra.tried[string(r.Op)+key]++
			}
			if other(r) {
				ra.wrong[string(r.Op)+key+string(r.Outcome)]++
			}
		}
		if other(r) {
			ra.failed[name(r)+"\x00"+string(r.Outcome)] = true
		}
		switch {
		case other(r) && c.ID == c.Type && !fatal(r.Outcome):
			ra.plain[c.Type+"\x00"+string(r.Outcome)] = true
		case r.Verdict == runner.Pass && c.Result == vectors.Valid:
			ra.passes[c.Type] = true
		}
		if seen[c.ID] {
			continue
		}
		seen[c.ID] = true
		ra.cases++
		for _, key := range c.Flags {
			ra.count[key]++
		}
	}
	return ra
}

// erratum reports whether a flag is about a mistake in a document, and not a class of bug.
func erratum(key string) bool { return strings.HasPrefix(key, "document-") }

// flags returns the keys of the flags that may explain a failure. First is that of which the
// largest part fails likewise, then the rarest. The flag of a missing type is left out if the
// implementation has the type.
func (ra *rarity) flags(r *runner.CaseResult) []string {
	c := caseOf(r)
	var out []string
	for _, key := range c.Flags {
		if !erratum(key) && (key != "basic" || !ra.passes[c.Type]) {
			out = append(out, key)
		}
	}
	part := func(key string) int {
		return 100 * ra.wrong[string(r.Op)+key+string(r.Outcome)] / max(ra.tried[string(r.Op)+key], 1)
	}
	slices.SortStableFunc(out, func(a, b string) int {
		return cmp.Or(-cmp.Compare(part(a), part(b)), cmp.Compare(ra.count[a], ra.count[b]), cmp.Compare(a, b))
	})
	return out
}

// general reports whether a flag is on too many cases to tell a cause.
func (ra *rarity) general(key string) bool { return ra.count[key]*8 > ra.cases || key == "container" }

// cause returns what the results of one cause have in common.
func (ra *rarity) cause(r *runner.CaseResult) string {
	c := caseOf(r)
	parts := []string{fmt.Sprint(counted(r) == runner.Differs), string(r.Outcome)}
	flags := ra.flags(r)
	special := func(key string) bool { return !ra.general(key) }
	op := r.Op
	if op == protocol.Recode { // reading or writing alone may fail likewise
		for _, alone := range []protocol.Op{protocol.Encode, protocol.Decode} {
			if ra.failed[r.ID+" "+string(alone)+"\x00"+string(r.Outcome)] {
				op = alone
			}
		}
	}
	switch {
	case ra.plain[c.Type+"\x00"+string(r.Outcome)]:
		parts = append(parts, "type", c.Type)
	case slices.ContainsFunc(flags, special):
		parts = append(parts, "flag", string(op), flags[slices.IndexFunc(flags, special)])
	default:
		parts = append(parts, "row", string(op), c.Row)
		parts = append(parts, flags...)
	}
	return strings.Join(parts, "\x00")
}

// mostFlags is how many flags explain a failure.
const mostFlags = 2

// explain returns the flags that say why people make the mistake of a result, in the order of
// [rarity.flags].
// General ones and errata are there only if there are no others.
func (ra *rarity) explain(r *runner.CaseResult) []vectors.Flag {
	if ra.suite == nil {
		return nil
	}
	keys := ra.flags(r)
	if special := slices.DeleteFunc(slices.Clone(keys), ra.general); len(special) > 0 {
		keys = special
	}
	if len(keys) == 0 {
		for _, key := range caseOf(r).Flags {
			if erratum(key) || key == "basic" {
				keys = append(keys, key)
			}
		}
	}
	var out []vectors.Flag
	for _, key := range keys[:min(len(keys), mostFlags)] {
		if f, ok := ra.suite.Flags[key]; ok {
			out = append(out, f)
		}
	}
	return out
}
