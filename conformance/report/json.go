// The file of a run, which can be read back.

package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

// Format is the number of the form of the JSON file. It changes when a reader of
// older files would misread a newer one.
const Format = 1

// file is the JSON file.
type file struct {
	Format int            `json:"format"`
	Run    *runner.Run    `json:"run"`
	Suite  *vectors.Suite `json:"suite"`
}

// mostNested is the deepest value of an answer that is kept as JSON. The whole file nests at most
// 100 levels.
const mostNested = 90

// largest is how many bytes of one thing that an implementation gave are kept.
const largest = 16 << 10

// WriteJSON writes a run as a file with all of its results. The cases that it is about are
// included.
func WriteJSON(w io.Writer, run *runner.Run) error {
	out := *run
	out.Results = slices.Clone(run.Results)
	suite := vectors.Suite{Format: vectors.Format, Schema: run.Spec, Program: run.Program, Flags: map[string]vectors.Flag{}}
	var flags map[string]vectors.Flag
	if run.Suite != nil {
		suite, flags = *run.Suite, run.Suite.Flags
		suite.Flags = map[string]vectors.Flag{}
	}
	suite.Cases, suite.Large = nil, nil
	large := map[string]*vectors.Large{}
	if run.Suite != nil {
		for i := range run.Suite.Large {
			large[run.Suite.Large[i].ID] = &run.Suite.Large[i]
		}
	}
	seen := map[string]bool{}
	for i := range out.Results {
		r := &out.Results[i]
		c := *caseOf(r)
		foreign(r)
		if seen[c.ID] {
			continue
		}
		seen[c.ID] = true
		if l := large[c.ID]; l != nil {
			suite.Large = append(suite.Large, *l)
		} else {
			c.Fold()
			suite.Cases = append(suite.Cases, c)
		}
		for _, key := range c.Flags {
			if f, ok := flags[key]; ok {
				suite.Flags[key] = f
			}
		}
	}
	// One line for each result and each case, so that files can be compared.
	type noResults struct {
		*runner.Run
		Results any `json:"results,omitempty"`
	}
	type noCases struct {
		*vectors.Suite
		Cases any `json:"cases,omitempty"`
	}
	j := &lineWriter{w: bufio.NewWriter(w)}
	j.text(fmt.Sprintf(`{"format":%d,"run":`, Format))
	j.open(noResults{Run: &out}, "results")
	for i := range out.Results {
		j.item(i, &out.Results[i])
	}
	j.text("\n]},\n\"suite\":")
	j.open(noCases{Suite: &suite}, "cases")
	for i := range suite.Cases {
		j.item(i, &suite.Cases[i])
	}
	j.text("\n]}}\n")
	return cmp.Or(j.err, j.w.Flush())
}

// lineWriter writes objects whose last key is a list of one item a line.
type lineWriter struct {
	w   *bufio.Writer // its errors stay
	err error
}

func (j *lineWriter) text(s string) { _, _ = j.w.WriteString(s) }

func (j *lineWriter) marshal(v any) []byte {
	b, err := json.Marshal(v)
	if j.err == nil {
		j.err = err
	}
	return b
}

// open begins the list at the end of an object that has other keys.
func (j *lineWriter) open(object any, key string) {
	j.text(strings.TrimSuffix(string(j.marshal(object)), "}"))
	j.text(fmt.Sprintf(",%q:[\n", key))
}

func (j *lineWriter) item(i int, v any) {
	if i > 0 {
		j.text(",\n")
	}
	_, _ = j.w.Write(j.marshal(v))
}

// foreign makes what an implementation gave fit for a file.
func foreign(r *runner.CaseResult) {
	a := &r.Answer
	if len(a.Value) > largest || a.Value != nil && (!json.Valid(a.Value) || vectors.Nesting(a.Value) > mostNested) {
		a.Value, _ = json.Marshal(clean(cut(string(a.Value[:min(len(a.Value), largest)]), 200), false) + fmt.Sprintf(" … %d bytes in all", len(a.Value)))
	}
	for _, s := range []*string{&a.Bytes, &a.Error, &a.Unsupported, &a.Kind, &r.Detail, &r.Reason} {
		*s = clean(cut(*s, largest), true)
	}
	r.Stderr = clean(tail(r.Stderr, largest), true)
}

// Read reads the file of a run. The results point at their cases, and the run at its
// suite.
func Read(r io.Reader) (*runner.Run, error) {
	var f file
	d := json.NewDecoder(r)
	if err := d.Decode(&f); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("the file of a run ends too early; write it again")
		}
		return nil, fmt.Errorf("this is no file of a run: %w", err)
	}
	switch {
	case f.Format > Format:
		return nil, fmt.Errorf("the file of a run has format %d, and this octable reads up to %d; use a newer one", f.Format, Format)
	case f.Format != Format || f.Run == nil || f.Suite == nil:
		return nil, errors.New(`this is no file of a run: it has the keys "format", "run" and "suite"`)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more in the file after the run")
	}
	cases := map[string]*vectors.Case{}
	for i := range f.Suite.Cases {
		if err := f.Suite.Cases[i].Unfold(); err != nil {
			return nil, fmt.Errorf("the file of a run: %w", err)
		}
	}
	for c := range f.Suite.All {
		if cases[c.ID] != nil {
			return nil, fmt.Errorf("the file of a run has the case %q twice", c.ID)
		}
		cases[c.ID] = c
	}
	seen := map[string]bool{}
	for i := range f.Run.Results {
		r := &f.Run.Results[i]
		r.Case = cases[r.ID]
		switch {
		case r.Case == nil:
			return nil, fmt.Errorf("result %d is of the case %q, which the file does not have", i+1, r.ID)
		case seen[name(r)]:
			return nil, fmt.Errorf("the file has two results of %q", name(r))
		case !slices.Contains(runner.Outcomes, r.Outcome):
			return nil, fmt.Errorf("result %d has the unknown outcome %q", i+1, r.Outcome)
		case !slices.Contains(verdicts, r.Verdict):
			return nil, fmt.Errorf("result %d has the unknown verdict %q", i+1, r.Verdict)
		case !slices.Contains(operations, r.Op):
			return nil, fmt.Errorf("result %d is of the unknown operation %q", i+1, r.Op)
		}
		seen[name(r)] = true
	}
	f.Run.Suite = f.Suite
	return f.Run, nil
}

var (
	verdicts   = []runner.Verdict{runner.Pass, runner.Fail, runner.Differs, runner.Skip, runner.ExpectedFail, runner.StalePass}
	operations = []protocol.Op{protocol.Decode, protocol.Encode, protocol.Recode}
)
