// The files of results.

package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
)

// File is the record of a run. It has all details of results that do not pass, and the
// outcomes of the others. The vectors are not in it; Vectors tells which they were.
type File struct {
	About    protocol.About `json:"about"`
	Spec     string         `json:"spec"`
	Program  string         `json:"program"` // of the schema
	Vectors  string         `json:"vectors"` // digest of their file
	Command  []string       `json:"command,omitempty"`
	Flags    []string       `json:"flags,omitempty"`
	Machine  string         `json:"machine"`
	Started  time.Time      `json:"started"`
	Took     time.Duration  `json:"took"` // nanoseconds
	Restarts int            `json:"restarts"`
	Notes    []string       `json:"notes,omitempty"`
	// Passed has operations and ids by outcome, Unsupported by what is lacking.
	Passed      map[string][]string `json:"passed"`
	Unsupported map[string][]string `json:"unsupported,omitempty"`
	// Other are the results that neither passed nor are unsupported.
	Other []runner.CaseResult `json:"other,omitempty"`
}

// ReadFile reads a file that Marshal has written.
func ReadFile(name string) (*File, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var f File
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &f, nil
}

// longest is how much of an answer is kept.
const longest = 1 << 10

// NewFile returns what is kept of a run.
func NewFile(run *runner.Run, machine string) *File {
	f := &File{About: run.About, Spec: run.Spec, Program: run.Program, Vectors: digest(run.Spec), Command: run.Command, Flags: run.Flags, Machine: machine,
		Started: run.Started.UTC().Truncate(time.Second), Took: run.Took.Truncate(time.Millisecond), Restarts: run.Restarts, Notes: run.Notes,
		Passed: map[string][]string{}, Unsupported: map[string][]string{}}
	for i := range run.Results {
		r := run.Results[i]
		name := string(r.Op) + " " + r.ID
		switch r.Verdict {
		case runner.Pass:
			f.Passed[string(r.Outcome)] = append(f.Passed[string(r.Outcome)], name)
		case runner.Skip:
			f.Unsupported[r.Reason] = append(f.Unsupported[r.Reason], name)
		default:
			if len(r.Answer.Value) > longest {
				r.Answer.Value, _ = json.Marshal(fmt.Sprintf("a value in %d bytes of JSON", len(r.Answer.Value)))
			}
			r.Took = r.Took.Truncate(100 * time.Millisecond)
			f.Other = append(f.Other, r)
		}
	}
	return f
}

// Marshal writes a file, with a line for each result that does not pass.
func (f *File) Marshal() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	short := *f
	short.Other = nil
	if err := e.Encode(&short); err != nil {
		return nil, err
	}
	if len(f.Other) > 0 {
		b.Truncate(b.Len() - len("}\n"))
		b.WriteString(",\"other\":[")
		for i := range f.Other {
			b.WriteString([]string{"\n", ",\n"}[min(i, 1)])
			if err := e.Encode(&f.Other[i]); err != nil {
				return nil, err
			}
			b.Truncate(b.Len() - 1)
		}
		b.WriteString("\n]}\n")
	}
	return b.Bytes(), nil
}

// Stale reports whether the file is about other vectors than those of today.
func (f *File) Stale() bool { return f.Vectors != digest(f.Spec) }

// digest is that of the embedded vectors of a spec.
func digest(spec string) string {
	m, err := suites.Manifest()
	if err != nil {
		return ""
	}
	for _, f := range m.Files {
		if f.Spec == spec {
			return f.SHA256
		}
	}
	return ""
}

// Run returns the run that is kept in a file, for reports. The suite is that of today;
// an error says that the run was one of others.
func (f *File) Run(s *vectors.Suite) (*runner.Run, error) {
	if f.Stale() {
		return nil, fmt.Errorf("the results of %s on %s are about other vectors", f.About.Name, f.Spec)
	}
	run := &runner.Run{About: f.About, Spec: f.Spec, Suite: s, Program: f.Program, Command: f.Command, Flags: f.Flags,
		Started: f.Started, Took: f.Took, Restarts: f.Restarts, Notes: f.Notes}
	cases := map[string]*vectors.Case{}
	for c := range s.All {
		cases[c.ID] = c
	}
	add := func(r runner.CaseResult) error {
		if r.Case = cases[r.ID]; r.Case == nil {
			return fmt.Errorf("the results of %s on %s are about other vectors: there is no %s", f.About.Name, f.Spec, r.ID)
		}
		if r.Row == "" {
			r.Row = r.Case.Row
		}
		run.Results = append(run.Results, r)
		return nil
	}
	for _, of := range []struct {
		names   map[string][]string
		verdict runner.Verdict
	}{{f.Passed, runner.Pass}, {f.Unsupported, runner.Skip}} {
		for what, names := range of.names {
			for _, name := range names {
				op, id, _ := strings.Cut(name, " ")
				r := runner.CaseResult{ID: id, Op: protocol.Op(op), Verdict: of.verdict, Outcome: runner.Outcome(what)}
				if of.verdict == runner.Skip {
					r.Outcome, r.Reason = runner.Unsupported, what
				}
				if err := add(r); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, r := range f.Other {
		if err := add(r); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(run.Results, func(a, b runner.CaseResult) int {
		return strings.Compare(a.ID+" "+string(a.Op), b.ID+" "+string(b.Op))
	})
	return run, nil
}

// outcomes has the outcome of each result by operation and id.
func (f *File) outcomes() map[string]runner.Outcome {
	out := map[string]runner.Outcome{}
	for outcome, names := range f.Passed {
		for _, n := range names {
			out[n] = runner.Outcome(outcome)
		}
	}
	for _, names := range f.Unsupported {
		for _, n := range names {
			out[n] = runner.Unsupported
		}
	}
	for i := range f.Other {
		out[string(f.Other[i].Op)+" "+f.Other[i].ID] = f.Other[i].Outcome
	}
	return out
}
