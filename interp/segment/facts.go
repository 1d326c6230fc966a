// Words: whether a number is a field, several, or computed.

package segment

import (
	"sync"

	"github.com/octable/octable/compile/bytecode"
)

// facts are what the instructions of a program say about its words.
type facts struct {
	words map[int]Kind // of each word and union: Field, Bits or Derived
	own   map[int]int  // the word of each take that is the whole word and has its name
}

var known sync.Map // of *bytecode.Program: *facts

func factsOf(p *bytecode.Program) *facts {
	if f, ok := known.Load(p); ok {
		return f.(*facts)
	}
	f := &facts{words: map[int]Kind{}, own: map[int]int{}}
	for i := range p.Routines {
		f.routine(p, &p.Routines[i])
	}
	known.Store(p, f)
	return f
}

// routine follows registers from words to cells.
func (f *facts) routine(p *bytecode.Program, r *bytecode.Routine) {
	from := map[uint32][]int{} // the words that a register depends on
	whole := map[uint32]int{}  // the word that a register is
	takes := map[int]int{}     // of each word: cells that depend on it
	for pc := int(r.Start); pc < int(r.End); pc++ {
		switch in := &p.Code[pc]; in.Op {
		case bytecode.Word, bytecode.Union:
			f.words[pc] = Derived
			from[in.B], whole[in.B] = []int{pc}, pc
		case bytecode.Let:
			var words []int
			p.Exprs[in.B].Walk(func(x *bytecode.Expr) {
				if x.Op == bytecode.ExprReg {
					words = append(words, from[uint32(x.Arg)]...)
				}
			})
			from[in.A] = words
			delete(whole, in.A)
		case bytecode.Take, bytecode.ArmRef:
			for _, w := range from[in.B] {
				takes[w]++
				f.words[w] = Bits
			}
			if w, ok := whole[in.B]; ok && in.Op == bytecode.Take && lastName(p.Rules[in.Rule].Name) == lastName(p.Rules[p.Code[w].Rule].Name) {
				f.own[pc] = w
			}
		}
	}
	for _, w := range f.own {
		if takes[w] == 1 {
			f.words[w] = Field
		}
	}
}
