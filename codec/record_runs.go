// Runs of numbers in the steps of a record: which numbers have a separate one, and which a part behind another run needs.

package codec

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// apart gives each number of three, five, six or seven bytes, and of half precision, a separate run.
func apart(s *bytecode.Steps) {
	var runs, moved []int // moved has the new numbers of runs
	for i := range s.List {
		x := &s.List[i]
		if x.Run == len(moved) {
			moved, runs = append(moved, len(runs)), append(runs, s.Runs[x.Run])
		}
		if x.Run != none {
			x.Run = moved[x.Run]
		}
		if x.From != nil {
			x.From.Run = moved[x.From.Run]
		}
		switch x.Op {
		case bytecode.If:
			apart(x.Then)
			apart(x.Else)
		case bytecode.Word, bytecode.Scalars:
			if x.Run == none && (x.Scalar().Odd() || x.Scalar() == bytecode.F16) && x.Coding() == builtin.Fixed {
				x.Run, x.Off, runs = len(runs), 0, append(runs, x.Scalar().Width())
			}
		}
	}
	s.Runs = runs
}

// farWords notes that the registers of some words are needed. Such a word has the number of a part, but is not in the
// last run before the part.
func (c *recordCompiler) farWords(form *bytecode.Plain, s *bytecode.Steps) {
	run := none
	for i := range s.List {
		x := &s.List[i]
		run = max(run, x.Run)
		switch {
		case x.Op == bytecode.If:
			c.farWords(form, x.Then)
			c.farWords(form, x.Else)
		case x.From != nil && x.From.Run != run:
			form.Need(c.p, x.From.Reg)
		}
	}
}

// odd reports whether a run has a number of three, five, six or seven bytes.
func (s *recordStep) odd() bool {
	return slices.ContainsFunc(s.moves, func(m move) bool { return m.scalar.Odd() }) || slices.ContainsFunc(s.words, func(w word) bool { return w.scalar.Odd() })
}
