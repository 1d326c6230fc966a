// Mutants: what they are, and the list of those of a program.

package mutants

import (
	"fmt"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Mutant is an implementation with one mistake, in one direction. In the other one
// it is right.
type Mutant struct {
	ID    string // stays the same while its row does: "String.length/u16/read"
	Class string // of Classes
	About string // what is wrong, in words
	Row   bytecode.Rule
	Dir   interp.Direction
	// PCs are instructions of the original: the mistake shows only where one of them
	// is run.
	PCs []int

	base  *bytecode.Program
	build func(*edit)
	value func(*interp.Machine, interp.Value) interp.Value // with the original's machine
	at    int                                              // where values are changed
	ends  ending                                           // what is wrong about the end of the input

	// Facts for a proof of equivalence.
	from, to *bytecode.Expr // the mistake is that to is computed in place of from
	truth    bool           // of which only matters whether they are 0
	sent     bool           // and it goes into the output, and nowhere else
	site     interp.Site    // it shows only where the original refuses for this at one of PCs
	multiple int64          // it shows only where the bytes that are padded are no multiple of this
	after    bool           // those of PCs[0] itself, not of what is before
	when     *bytecode.Expr // it shows only where this is not 0
	reg      uint32         // it changes this register behind PCs[0], and nothing else, where wrongReg is set
	wrongReg bool
	bits     int  // by multiples of 2^bits
	signed   bool // it is taken as signed and not as unsigned, or the reverse; bits is its width
	atEnd    bool // it shows only where the region ends inside padding
	refuses  bool // it only refuses, sooner, what comes to PCs
	// It only refuses, sooner, what is nested to the last level.
	lastLevel bool
}

// ending is what a mutant does at the end of the input.
type ending uint8

const (
	right ending = iota
	zeros        // there are zeros behind it
	whole        // it has to be where the value ends
)

// Program returns the changed program, which passes the verifier. If the mistake
// is one that no program can have it is the original, and [Mutant.Machine] returns
// what changes the values.
func (mu *Mutant) Program() *bytecode.Program {
	e := editOf(mu.base)
	if mu.build != nil {
		mu.build(e)
	}
	return e.p
}

// foreignTag is the tag of what an unknown type gives where a mutant takes it.
const foreignTag = 1<<16 - 2

// change is an observer that changes the values of one instruction: what it reads, or
// what it is to write.
type change struct {
	pc    int
	value func(interp.Value) interp.Value
}

// Event changes the value of an event of the instruction.
func (c *change) Event(e *interp.Event) {
	if e.PC == c.pc && e.Settable() {
		e.Value = c.value(e.Value)
	}
}

// Machine returns a machine that makes the mistake, and the observer that changes its
// values, or nil. The runs of the machine must have this observer. Types have the tags that they have
// in m, the machine of the original. Its other direction is to be left to m, and
// mistakes about the end of the input are not in it: [Mutant.New] has all of that.
func (mu *Mutant) Machine(m *interp.Machine) (*interp.Machine, interp.Observer, error) {
	n := len(mu.base.Types)
	changed, err := interp.NewUnfused(mu.Program(), func(i int, _ *bytecode.Type) uint16 {
		if i >= n {
			return foreignTag
		}
		return m.Tag(i)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("mutant %s: %w", mu.ID, err)
	}
	if mu.value == nil {
		return changed, nil, nil
	}
	return changed, &change{pc: mu.at, value: func(v interp.Value) interp.Value { return mu.value(m, v) }}, nil
}

// Refused is a change that the verifier does not let pass. No implementation of this engine can make
// it, so it is not a mutant.
type Refused struct {
	ID  string
	Why error
}

// Of returns the mutants of a program, in the order of its instructions. It also returns those that
// the verifier refuses.
func Of(p *bytecode.Program) ([]*Mutant, []Refused) {
	g := &generator{p: p, ids: map[string]int{}}
	for i := range p.Routines {
		g.routine, g.fields = uint32(i), -1
		p.Walk(p.Body(uint32(i)), func(pc int, in *bytecode.Instr, _ int) bool {
			if in.Op == bytecode.Fields {
				g.fields = pc
			}
			g.instruction(pc)
			return true
		})
	}
	g.whole()
	return g.out, g.refused
}

// generator makes the mutants of a program.
type generator struct {
	p       *bytecode.Program
	routine uint32 // of the instruction
	fields  int    // the instruction that begins its record, or -1
	ids     map[string]int
	out     []*Mutant
	refused []Refused
}

// rule returns the row of an instruction.
func (g *generator) rule(pc int) bytecode.Rule { return g.p.Rules[g.p.Code[pc].Rule] }

// add notes a mutant, if the verifier lets it pass and it is another program.
func (g *generator) add(mu *Mutant, pc int, change string) {
	mu.base, mu.Row = g.p, g.rule(pc)
	name := mu.Row.Name
	if name == "" {
		name = g.p.Routines[g.routine].Name
	}
	switch in := &g.p.Code[pc]; in.Op {
	case bytecode.Scalars, bytecode.Lanes, bytecode.Packed:
		if in.A&bytecode.FlagWide != 0 {
			change = "wide-" + change // the narrow form is of the same row
		}
	}
	id := name + "/" + change + "/" + mu.Dir.String()
	g.ids[id]++
	if n := g.ids[id]; n > 1 {
		id = fmt.Sprintf("%s/%s.%d/%s", name, change, n, mu.Dir)
	}
	mu.ID = id
	if mu.PCs == nil {
		mu.PCs = []int{pc}
	}
	if mu.build != nil {
		if err := bytecode.Verify(mu.Program()); err != nil {
			g.refused = append(g.refused, Refused{id, err})
			return
		}
	}
	g.out = append(g.out, mu)
}

// hint says what a proof of equivalence can go by.
type hint func(*Mutant)

// change adds a mutant whose program is changed.
func (g *generator) change(pc int, d interp.Direction, class, change, about string, build func(*edit), hints ...hint) {
	mu := &Mutant{Class: class, About: about, Dir: d, build: build}
	for _, h := range hints {
		h(mu)
	}
	g.add(mu, pc, change)
}

// both adds two, one for each direction.
func (g *generator) both(pc int, class, change, about string, build func(*edit), hints ...hint) {
	g.change(pc, interp.Reading, class, change, ing(interp.Reading)+about, build, hints...)
	g.change(pc, interp.Writing, class, change, ing(interp.Writing)+about, build, hints...)
}

// inPlace: one expression is computed in place of another.
func inPlace(from, to *bytecode.Expr) hint { return func(mu *Mutant) { mu.from, mu.to = from, to } }

// inTruth: of which only matters whether they are 0.
func inTruth(from, to *bytecode.Expr) hint {
	return func(mu *Mutant) { mu.from, mu.to, mu.truth = from, to, true }
}

// atSite: it shows only where the original refuses for this.
func atSite(s interp.Site) hint { return func(mu *Mutant) { mu.site = s } }

// unless: it shows only where the bytes that are, or would be, padded are no multiple.
func unless(n uint32, after bool) hint {
	return func(mu *Mutant) { mu.multiple, mu.after = int64(n), after }
}

// inReg: it changes nothing but a register, in any way.
func inReg(r uint32) hint { return func(mu *Mutant) { mu.reg, mu.wrongReg = r, true } }

// inSign: it is only whether the highest bit of a register makes it negative.
func inSign(r uint32, bits int) hint {
	return func(mu *Mutant) { mu.reg, mu.wrongReg, mu.signed, mu.bits = r, true, true, bits }
}

// atEnd: it shows only where the region ends inside padding.
func atEnd(mu *Mutant) { mu.atEnd = true }

// ing begins the description of a mistake in a direction.
func ing(d interp.Direction) string {
	if d == interp.Writing {
		return "writing, "
	}
	return "reading, "
}

// content adds a mutant that changes the numbers that pc is about.
func (g *generator) content(pc int, d interp.Direction, class, change, about string, f func(interp.Value) interp.Value, hints ...hint) {
	mu := &Mutant{Class: class, About: ing(d) + about, Dir: d, at: pc, value: func(_ *interp.Machine, v interp.Value) interp.Value { return f(v) }}
	for _, h := range hints {
		h(mu)
	}
	g.add(mu, pc, change)
}

// record adds a mutant that changes the value of the record to which pc belongs.
func (g *generator) record(pc int, d interp.Direction, class, change, about string, f func(*interp.Machine, interp.Value) interp.Value) {
	at := g.fields
	if d == interp.Reading {
		at = g.p.End(at)
	}
	g.add(&Mutant{Class: class, About: ing(d) + about, Dir: d, at: at, value: f}, pc, change)
}

// user returns the instruction behind pc, in the same record, that keeps a cell, or -1.
func (g *generator) user(pc int, cell uint32) int {
	for ; pc < g.p.End(g.fields); pc++ {
		if g.p.Code[pc].Cell() == cell {
			return pc
		}
	}
	return -1
}

// onCell converts a change of one cell into a change of the record's value.
func onCell(cell uint32, f func(interp.Value) interp.Value) func(*interp.Machine, interp.Value) interp.Value {
	return func(_ *interp.Machine, v interp.Value) interp.Value {
		if v.Kind() != interp.Record {
			return f(v)
		}
		cells := slices.Clone(v.Cells())
		if int(cell) < len(cells) {
			cells[cell] = f(cells[cell])
		}
		return interp.MakeRecord(v.Tag(), cells)
	}
}
