// Selecting the cases to run.

package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
)

// Filter chooses cases and operations. Each list that is not empty has to have one
// that fits. Ids are patterns: * matches any characters, ? one.
type Filter struct {
	IDs     []string
	Not     []string // patterns of ids that are left out
	Types   []string // what a case tests
	Flags   []string
	Levels  []vectors.Level
	Results []vectors.Result
	Ops     []protocol.Op
}

// Match reports whether a case is among those that the filter chooses.
func (f *Filter) Match(c *vectors.Case) bool {
	fits := func(pattern string) bool { return Glob(pattern, c.ID) }
	return (len(f.IDs) == 0 || slices.ContainsFunc(f.IDs, fits)) && !slices.ContainsFunc(f.Not, fits) &&
		among(f.Types, c.Type) && among(f.Levels, c.Level) && among(f.Results, c.Result) &&
		(len(f.Flags) == 0 || slices.ContainsFunc(f.Flags, func(flag string) bool { return slices.Contains(c.Flags, flag) }))
}

// All reports whether the filter leaves nothing out.
func (f *Filter) All() bool {
	return len(f.IDs)+len(f.Not)+len(f.Types)+len(f.Flags)+len(f.Levels)+len(f.Results)+len(f.Ops) == 0
}

func among[T comparable](list []T, x T) bool { return len(list) == 0 || slices.Contains(list, x) }

// Glob reports whether a text fits a pattern, in which * matches any characters
// and ? for one.
func Glob(pattern, text string) bool {
	p, t := 0, 0
	star, mark := -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// Ops returns the operations that a case can be asked as, recode among them.
func Ops(c *vectors.Case) []protocol.Op {
	var ops []protocol.Op
	if c.Reads() {
		ops = append(ops, protocol.Decode)
	}
	if c.Value != nil {
		ops = append(ops, protocol.Encode)
	}
	if slices.Contains(ops, protocol.Decode) {
		ops = append(ops, protocol.Recode)
	}
	return ops
}

// task is a case in one direction.
type task struct {
	c     *vectors.Case
	large *vectors.Large // the rule of a large case, whose c has no packet and no value
	op    protocol.Op
	lack  string // what is not supported
	probe bool   // it is asked although something is not supported, which must not give a wrong value
}

// whole returns the case with its packet and value.
func (t *task) whole() (*vectors.Case, error) {
	if t.large == nil {
		return t.c, nil
	}
	c, err := t.large.Expand()
	return &c, err
}

// mostUsual is the size of the largest packet that is asked without [Options.Large].
const mostUsual = 1<<20 + 64

// tasks are what is to be asked of an implementation, in the order of the suite.
func tasks(s *vectors.Suite, about *protocol.About, f *Filter, large bool) []task {
	var all []task
	add := func(c *vectors.Case, l *vectors.Large, ops []protocol.Op) {
		for _, op := range ops {
			if about.Can(op) && among(f.Ops, op) {
				why, kind := lack(c, about)
				all = append(all, task{c, l, op, why, kind && op == protocol.Decode && l == nil && c.Result != vectors.Invalid})
			}
		}
	}
	for i := range s.Cases {
		if c := &s.Cases[i]; f.Match(c) {
			add(c, nil, Ops(c))
		}
	}
	for i := range s.Large {
		if l := &s.Large[i]; f.Match(&l.Case) && (large || l.Size() <= mostUsual) {
			add(&l.Case, l, []protocol.Op{protocol.Decode, protocol.Encode, protocol.Recode})
		}
	}
	return all
}

// lack says what an implementation lacks for a case. It reports whether that is a type or a
// feature of the format.
func lack(c *vectors.Case, about *protocol.About) (why string, format bool) {
	var lacks []string
	for _, t := range c.Uses {
		if about.Lack(t) {
			lacks = append(lacks, t)
		}
	}
	for _, t := range c.Features() {
		if slices.Contains(about.Without, t) {
			lacks = append(lacks, t)
		}
	}
	if c.Objects && !about.Objects {
		return "its hello does not say that it can be told to allow objects in full", false
	}
	if len(lacks) > 0 {
		return fmt.Sprintf("its hello says that it lacks %s", strings.Join(lacks, ", ")), true
	}
	return "", false
}
