// Words: whether a number is a field, several, or computed.

package segment

import (
	"maps"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/octable/octable/compile/bytecode"
)

// facts are what the instructions of a program say about its words.
type facts struct {
	words map[int]Kind   // of each word and union: Field, Bits or Derived
	own   map[int]source // the words of each take that is a whole word and has its name: one for each order of bytes
	takes map[int]int    // the take of each word that is a field
}

// source are the words that a register comes from, and whether it is the whole word.
type source struct {
	words []int
	whole bool
}

var known sync.Map // of weak.Pointer[bytecode.Program]: *facts

// factsOf returns the facts of a program. They are kept as long as the program is.
func factsOf(p *bytecode.Program) *facts {
	key := weak.Make(p)
	if f, ok := known.Load(key); ok {
		return f.(*facts)
	}
	f := &facts{words: map[int]Kind{}, own: map[int]source{}, takes: map[int]int{}}
	for i := range p.Routines {
		takes := map[int]int{}
		f.block(p, p.Body(uint32(i)), map[uint32]source{}, takes)
	}
	for take, s := range f.own {
		for _, w := range s.words {
			if f.takes[w] == -1 {
				f.words[w], f.takes[w] = Field, take
			}
		}
	}
	for w, take := range f.takes {
		if take < 0 {
			delete(f.takes, w)
		}
	}
	if _, loaded := known.LoadOrStore(key, f); !loaded {
		runtime.AddCleanup(p, func(key weak.Pointer[bytecode.Program]) { known.Delete(key) }, key)
	}
	return f
}

// block follows registers from words to cells.
func (f *facts) block(p *bytecode.Program, b bytecode.Block, regs map[uint32]source, takes map[int]int) {
	for pc, in := range p.Instrs(b) {
		switch in.Op {
		case bytecode.Word, bytecode.Union:
			f.words[pc] = Derived
			regs[in.B] = source{[]int{pc}, true}
		case bytecode.Let:
			var from source
			p.Exprs[in.B].Walk(func(x *bytecode.Expr) {
				if x.Op == bytecode.ExprReg {
					from.words = append(from.words, regs[uint32(x.Arg)].words...)
				}
			})
			regs[in.A] = from
		case bytecode.Take, bytecode.ArmRef:
			s := regs[in.B]
			for _, w := range s.words {
				takes[w]++
				f.words[w], f.takes[w] = Bits, -takes[w] // -1 for one take
				if s.whole && in.Op == bytecode.Take && lastName(p.Rules[in.Rule].Name) == lastName(p.Rules[p.Code[w].Rule].Name) {
					f.own[pc] = s
				}
			}
		}
		inner := p.Inner(pc)
		if len(inner) == 0 {
			continue
		}
		after := map[uint32]source{}
		for _, block := range inner {
			branch := maps.Clone(regs)
			f.block(p, block, branch, takes)
			for reg, s := range branch {
				old, ok := after[reg]
				if !ok {
					after[reg] = s
					continue
				}
				for _, w := range s.words {
					if !slices.Contains(old.words, w) {
						old.words = append(slices.Clone(old.words), w)
					}
				}
				after[reg] = source{old.words, old.whole && s.whole}
			}
		}
		maps.Copy(regs, after)
	}
}

// Word returns the kind of the leaf of a word or a union.
func Word(p *bytecode.Program, pc int) Kind { return factsOf(p).words[pc] }

// Taken returns the instruction that puts all of a word into the field of the same name. ok is false
// without one, or if another field depends on the word.
func Taken(p *bytecode.Program, word int) (take int, ok bool) {
	take, ok = factsOf(p).takes[word]
	return take, ok
}

// Own reports whether an instruction puts all of a word into the field of the same name. No other field may
// depend on the word.
func Own(p *bytecode.Program, take int) bool {
	f := factsOf(p)
	s, ok := f.own[take]
	return ok && f.words[s.words[0]] == Field
}
