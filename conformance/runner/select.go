// Which cases are run.

package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
)

// Filter chooses cases and operations. Each list that is not empty has to have one
// that fits. Ids are patterns: * stands for any characters, ? for one.
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

// Glob reports whether a text fits a pattern, in which * stands for any characters
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
	if c.Bytes != "" || c.Value == nil { // a packet may be empty
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
	c    *vectors.Case
	op   protocol.Op
	lack string // why it is not asked: what is not supported
}

// tasks are what is to be asked of an implementation, in the order of the suite.
func tasks(s *vectors.Suite, about *protocol.About, f *Filter) []task {
	shows := about.Can(protocol.Decode) && about.Can(protocol.Encode)
	var all []task
	for i := range s.Cases {
		c := &s.Cases[i]
		if !f.Match(c) {
			continue
		}
		for _, op := range Ops(c) {
			// Asked for by name, recode is asked beside the others.
			wanted := op != protocol.Recode || !shows || len(f.Ops) > 0
			if wanted && about.Can(op) && among(f.Ops, op) {
				all = append(all, task{c, op, lack(c, about)})
			}
		}
	}
	return all
}

func lack(c *vectors.Case, about *protocol.About) string {
	var lacks []string
	for _, t := range c.Uses {
		if about.Lack(t) {
			lacks = append(lacks, t)
		}
	}
	if len(lacks) > 0 {
		return fmt.Sprintf("its hello says that it lacks %s", strings.Join(lacks, ", "))
	}
	if c.Objects && !about.Objects {
		return "its hello does not say that it can be told to allow objects in full"
	}
	return ""
}
