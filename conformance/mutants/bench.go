// Benches: cases, and the mutants that they tell from the original.

package mutants

import (
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/octable/octable/interp"
)

// Case is something to try on an implementation: bytes to read, a value to write,
// or both. Bytes and values must not be changed while they are in use.
type Case struct {
	Decode   bool         // whether Bytes are to be read
	Bytes    []byte       //
	Encode   bool         // whether Value is to be written
	Value    interp.Value // for the bench's machine
	Open     uint8        // gates that are open, in both directions
	MaxDepth int          // see interp.Options
}

func (c *Case) does(d interp.Direction) bool {
	if d == interp.Reading {
		return c.Decode
	}
	return c.Encode
}

func (c *Case) options() interp.Options {
	return interp.Options{Open: c.Open, MaxDepth: c.MaxDepth}
}

// Bench holds cases and the outcomes of the original. Adding cases is for one
// goroutine at a time; what only asks may be called by several.
type Bench struct {
	m     *interp.Machine
	level Level
	cases []benchCase
	by    [2][][]int32 // for each direction and instruction: the cases that run it
}

type benchCase struct {
	Case
	want  [2]Outcome
	cover *interp.Coverage
}

// NewBench returns a bench without cases for mutants of m's program, which
// compares at a level. Values that are added have the tags of m.
func NewBench(m *interp.Machine, level Level) *Bench {
	b := &Bench{m: m, level: level}
	for d := range b.by {
		b.by[d] = make([][]int32, len(m.Program().Code))
	}
	return b
}

// Machine returns the machine of the original.
func (b *Bench) Machine() *interp.Machine { return b.m }

// Len returns how many cases there are; they are numbered from 0 on.
func (b *Bench) Len() int { return len(b.cases) }

// Case returns a case.
func (b *Bench) Case(i int) Case { return b.cases[i].Case }

// Outcome returns the result of the original for a case in one direction. It is the zero
// Outcome if the case is not about the direction.
func (b *Bench) Outcome(i int, d interp.Direction) Outcome { return b.cases[i].want[d] }

// Coverage returns what the original reaches in a case, in both directions. It must
// not be changed.
func (b *Bench) Coverage(i int) *interp.Coverage { return b.cases[i].cover }

// Add runs a case on the original and keeps it. It returns the number of the case.
func (b *Bench) Add(c Case) int {
	n := len(b.cases)
	k := benchCase{Case: c, cover: b.m.NewCoverage()}
	for _, d := range []interp.Direction{interp.Reading, interp.Writing} {
		if !c.does(d) {
			continue
		}
		cover := b.m.NewCoverage()
		k.want[d] = run(b.m, d, &c, cover)
		k.cover.Merge(cover)
		for pc := range b.by[d] {
			if cover.HasRun(d, pc) {
				b.by[d][pc] = append(b.by[d][pc], int32(n))
			}
		}
	}
	b.cases = append(b.cases, k)
	return n
}

// run reads or writes a case once, into separate memory, with an observer.
func run(m *interp.Machine, d interp.Direction, c *Case, obs interp.Observer) Outcome {
	var o Outcome
	var err error
	if d == interp.Reading {
		o.Value, o.Used, err = m.DecodeObserved(c.Bytes, c.options(), obs)
	} else {
		o.Bytes, err = m.AppendObserved(nil, c.Value, c.options(), obs)
	}
	errors.As(err, &o.Err)
	return o
}

// Implementation is a mutant that is ready to run, in both directions, of which it
// does one wrong. It is for one goroutine at a time, and what it returns is valid
// until the next call.
type Implementation struct {
	mu  *Mutant
	r   *interp.Reader
	w   *interp.Writer
	in  []byte
	out []byte
}

// New makes a mutant ready to run. Its values have the tags that they have in m, the
// machine of the original. It fails for none that [Of] returned for m's program.
func (mu *Mutant) New(m *interp.Machine) (*Implementation, error) {
	changed, change, err := mu.Machine(m)
	if err != nil {
		return nil, err
	}
	i := &Implementation{mu: mu}
	if mu.Dir == interp.Reading {
		i.r, i.w = changed.NewReader(interp.Options{}), m.NewWriter(interp.Options{})
		i.r.Observe(change)
	} else {
		i.r, i.w = m.NewReader(interp.Options{}), changed.NewWriter(interp.Options{})
		i.w.Observe(change)
	}
	return i, nil
}

// tooMany is what an implementation refuses that allows no bytes after a value.
var tooMany = &interp.Error{Kind: interp.ErrTrailing, Expected: "the end of the input"}

// Decode reads the value at the beginning of b.
func (i *Implementation) Decode(b []byte, opt interp.Options) (o Outcome) {
	i.r.SetOptions(opt)
	n := len(b)
	if i.mu.ends == zeros {
		i.in = append(append(i.in[:0], b...), make([]byte, 256)...)
		b = i.in
	}
	var err error
	o.Value, o.Used, err = i.r.Read(b)
	errors.As(err, &o.Err)
	o.Used = min(o.Used, n)
	if i.mu.ends == whole && err == nil && o.Used < n {
		return Outcome{Err: tooMany}
	}
	return o
}

// Encode writes a value.
func (i *Implementation) Encode(v interp.Value, opt interp.Options) (o Outcome) {
	i.w.SetOptions(opt)
	var err error
	i.out, err = i.w.Append(i.out[:0], v)
	if errors.As(err, &o.Err); err == nil {
		o.Bytes = i.out
	}
	return o
}

// try does with a case what the mutant does wrong.
func (i *Implementation) try(c *Case) Outcome {
	if i.mu.Dir == interp.Reading {
		return i.Decode(c.Bytes, c.options())
	}
	return i.Encode(c.Value, c.options())
}

// Candidates returns the cases that run the changed instructions of a mutant, in order. No
// other case can distinguish it from the original.
func (b *Bench) Candidates(mu *Mutant) []int32 {
	if len(mu.PCs) == 1 {
		return b.by[mu.Dir][mu.PCs[0]]
	}
	var all []int32
	for _, pc := range mu.PCs {
		all = append(all, b.by[mu.Dir][pc]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Killer returns the first case that tells a mutant from the original, from case
// number from on, or -1.
func (b *Bench) Killer(mu *Mutant, from int) int {
	found := -1
	b.each(mu, from, nil, func(i int) bool { found = i; return false })
	return found
}

// Killers returns all cases that tell a mutant from the original.
func (b *Bench) Killers(mu *Mutant) []int {
	var all []int
	b.each(mu, 0, nil, func(i int) bool { all = append(all, i); return true })
	return all
}

// Tells reports whether one of some cases tells a mutant from the original, from case number from on.
func (b *Bench) Tells(mu *Mutant, from int, some func(i int) bool) bool {
	found := false
	b.each(mu, from, some, func(int) bool { found = true; return false })
	return found
}

// each calls f for the cases that tell a mutant from the original, until f says no. They are of all cases or of some.
func (b *Bench) each(mu *Mutant, from int, some, f func(i int) bool) {
	var t *Implementation
	for _, i := range b.Candidates(mu) {
		if int(i) < from || some != nil && !some(int(i)) {
			continue
		}
		if t == nil {
			var err error
			if t, err = mu.New(b.m); err != nil {
				return
			}
		}
		c := &b.cases[i]
		if !Same(mu.Dir, c.want[mu.Dir], t.try(&c.Case), b.level) && !f(int(i)) {
			return
		}
	}
}

// Kills reports whether a case tells a mutant from the original.
func (b *Bench) Kills(mu *Mutant, i int) bool { return b.Killer(mu, i) == i }

// Score returns for each mutant the first case from number from on that distinguishes it from
// the original, or -1. It runs the cases in as many goroutines as there are processors.
func (b *Bench) Score(mutants []*Mutant, from int) []int {
	out := make([]int, len(mutants))
	var wait sync.WaitGroup
	work := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for k := range work {
				out[k] = b.Killer(mutants[k], from)
			}
		})
	}
	for k := range mutants {
		work <- k
	}
	close(work)
	wait.Wait()
	return out
}
