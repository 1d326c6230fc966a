// Symbolic execution of routines: every path, in each direction.

package reach

import (
	"fmt"
	"maps"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Setup describes the runs that facts are about. What only other runs
// can do is taken as impossible. The zero Setup is for runs with the default
// options, which write values of the shapes that the schema has.
type Setup struct {
	// Gates is set where runs come with gates open and closed; else all gates are
	// closed.
	Gates bool
	// Widths is set where some runs keep widths; see interp.Options.
	Widths bool
	// Memory is set where some runs have a limit on memory.
	Memory bool
	// Depths is set where some runs have another limit on levels than the schema's.
	Depths bool
	// Shapes is set if values to be written may be of any shape. That includes other
	// kinds, missing fields and numbers of another sort. Else they have the shapes of
	// values that are read, with any numbers and texts: in each field a value of its
	// kind, and values in fields that have some together. Or they are of types that the
	// root's union does not have.
	Shapes bool
	// ReadBack is set if all values that are written were read with the same options by an
	// unchanged program. The program writes each field under the same conditions as it reads it.
	// The other fields are as for reading.
	ReadBack bool
	// Size is the most bytes or parts of a value or input; 0 is 16 Mi.
	Size int64
}

// Everything is the Setup of runs with every option and any value.
var Everything = Setup{Gates: true, Widths: true, Memory: true, Depths: true, Shapes: true}

// maxSteps is the number of instructions of one routine that are walked, on all paths together.
// Beyond it everything is assumed to happen in the routine.
const maxSteps = 1 << 17

// maxGrown is how often the range of numbers of a cell or an argument grows before it includes
// all. The ranges of a type that contains itself may grow with each level.
const maxGrown = 16

// place is a point without its index.
type place struct {
	d    interp.Direction
	pc   int
	site interp.Site
	n    int
	expr uint32
}

// context is what is known where a routine is called.
type context struct {
	called bool
	args   []span
	// arm is set where, writing, the first argument is always the number of the
	// value's own arm.
	arm bool
	// nothing is set where, writing, there may be no value.
	nothing bool
	// sure is the number of bytes that, reading, are left for certain.
	sure  int64
	grown int // how often it had to be made larger
}

// shape is how records of a type are read, or can be written.
type shape struct{ alone, fields, repeats bool }

// cellSet are the cells of a record that have a value together.
type cellSet struct {
	typ   uint32
	cells [bytecode.MaxCells / 64]uint64
}

func setOf(typ uint32, cells map[uint32]bool) cellSet {
	s := cellSet{typ: typ}
	for c := range cells {
		s.cells[c/64] |= 1 << (c % 64)
	}
	return s
}

func (s *cellSet) has(cell uint32) bool {
	return cell < bytecode.MaxCells && s.cells[cell/64]>>(cell%64)&1 == 1
}

func (s cellSet) within(t cellSet) bool {
	for i := range s.cells {
		if s.cells[i]&^t.cells[i] != 0 {
			return false
		}
	}
	return s.typ == t.typ
}

// field is a cell of the records of a type.
type field struct{ typ, cell uint32 }

// arm is a type of a union.
type arm struct{ union, typ uint32 }

// numbers are those that a field can have, or of parts that it can have, when it is read.
type numbers struct {
	span
	grown int // how often it had to be made larger
}

// Facts are proved facts about a program. It does not change.
type Facts struct {
	p *bytecode.Program
	s Setup
	// all is what can happen with every option and any value; nil if that is s.
	all *Facts

	can    map[place]bool // what can happen
	idle   map[place]bool // what can happen and makes no difference
	ranges map[place]span // what numbers there are where a point depends on it
	gaveUp [2][]bool      // of each direction and routine: there are too many paths

	contexts [2][]context
	shapes   []shape // of each done
	sets     map[cellSet]bool
	consumes []bool // of each routine: at its end the region is used up
	maps     []bool // of each routine: what is read can be a map
	got      map[field]numbers
	left     map[arm]bool    // arms of which some values are written as they are, behind every subst
	texts    map[uint32]span // of each type: how long the texts are that are put in place of values
	nested   []bool          // of each routine: values can be nested too deeply there
	framed   []bool          // of each routine: records can be
	deepest  bool            // a value can end at the last level that is allowed
}

// Of returns the facts of a machine's program.
func Of(m *interp.Machine, s Setup) *Facts {
	if s.Size <= 0 {
		s.Size = 16 << 20
	}
	p := m.Program()
	wide := Everything
	wide.Size = 1 << 40
	f := &Facts{p: p, s: s, shapes: make([]shape, len(p.Code)), consumes: make([]bool, len(p.Routines)), maps: make([]bool, len(p.Routines)), sets: map[cellSet]bool{}, got: map[field]numbers{},
		left: map[arm]bool{}, texts: map[uint32]span{}}
	for i := range f.consumes {
		f.consumes[i] = true
	}
	for d := range f.contexts {
		f.contexts[d] = make([]context, len(p.Routines))
		f.contexts[d][p.Root] = context{called: true, nothing: true}
	}
	f.depths()
	if s != wide {
		f.all = Of(m, wide)
	}
	for {
		f.can, f.idle, f.ranges = map[place]bool{}, map[place]bool{}, map[place]span{}
		changed := false
		for _, d := range []interp.Direction{interp.Reading, interp.Writing} {
			f.gaveUp[d] = make([]bool, len(p.Routines))
			for i := range p.Routines {
				if f.contexts[d][i].called && f.routine(d, uint32(i)) {
					changed = true
				}
			}
		}
		if !changed {
			return f
		}
	}
}

// walk is one routine being gone through in one direction.
type walk struct {
	*Facts
	d       interp.Direction
	index   uint32
	way     path
	known   map[string]*unknown
	steps   int
	changed bool // something that other routines depend on
	ends    bool // on all paths so far the region is used up at the end

	probed  int // an instruction at which probe is called, before and after it is run
	probe   func(after bool)
	refuses bool // an expression may have been refused
	enough  bool // the instruction at hand has all of its bytes

	finishes bool // a path that runs the probed instruction reaches the end
}

// path is the state on one path.
type path struct {
	way
	regs    []*sum
	there   map[uint32]bool // cells that have a value; writing, that have to
	maps    map[uint32]bool // reading: cells whose value can be a map
	typ     uint32          // of the record
	last    *sum            // bytes of the last text, array, list or region; nil is any number
	used    bool            // the region is used up
	regions []region        // open regions; used is that of the region outside
	left    *sum            // bytes of the region that was left last
	sure    int64           // bytes that are left for certain
	behind  int64           // bytes that are left up to the end of the region, if that is known, else 0
	read    *cellSet        // writing what was read: the cells that have a value
	met     bool            // the probed instruction was run
}

// region is an open region.
type region struct {
	used   bool // the region outside is used up
	size   *sum
	behind int64 // the bytes behind it, if that is known, else 0
}

func (p *path) fork() path {
	q := *p
	q.spans = maps.Clone(p.spans)
	q.regs = slices.Clone(p.regs)
	q.there = maps.Clone(p.there)
	q.maps = maps.Clone(p.maps)
	q.regions = slices.Clone(p.regions)
	return q
}

// routine goes through a routine, and reports whether others have to be gone
// through again.
func (f *Facts) routine(d interp.Direction, index uint32) bool {
	w := f.walk(d, index)
	start := int(f.p.Routines[index].Start)
	if !w.back() {
		if f.nested[index] {
			w.mark(start, interp.SiteTooDeep)
		}
		if f.framed[index] {
			w.mark(start, interp.SiteTooNested)
		}
	}
	w.body()
	if w.steps > maxSteps {
		f.gaveUp[d][index] = true
		w.way.sure = 0 // every routine that it calls may get anything
		for pc := start; pc < int(f.p.Routines[index].End); pc++ {
			for _, callee := range f.p.Code[pc].Calls() {
				w.call(callee, nil, false)
				w.nothing(callee)
			}
		}
		w.ends = false
	}
	if d == interp.Reading && f.consumes[index] && !w.ends {
		f.consumes[index], w.changed = false, true
	}
	return w.changed
}

// walk returns a walk at the beginning of a routine.
func (f *Facts) walk(d interp.Direction, index uint32) *walk {
	r := &f.p.Routines[index]
	w := &walk{Facts: f, d: d, index: index, known: map[string]*unknown{}, ends: true, probed: -1}
	w.way = path{way: way{spans: map[*unknown]span{}}, there: map[uint32]bool{}, maps: map[uint32]bool{}, sure: f.contexts[d][index].sure}
	for i := range r.Regs {
		if int(i) < len(f.contexts[d][index].args) {
			s := f.contexts[d][index].args[i]
			w.way.regs = append(w.way.regs, just(w.unknown(fmt.Sprint("arg", i), s, 0)))
			if n, ok := s.single(); ok {
				w.way.regs[i] = constant(n)
			}
			continue
		}
		w.way.regs = append(w.way.regs, constant(0))
	}
	return w
}

// back reports whether it is being written what was read before.
func (w *walk) back() bool { return w.d == interp.Writing && w.s.ReadBack }

func (w *walk) mark(pc int, s interp.Site) {
	if s != interp.SiteShort || !w.enough {
		w.can[place{w.d, pc, s, 0, 0}] = true
	}
}
func (w *walk) markN(pc int, s interp.Site, n int) { w.can[place{w.d, pc, s, n, 0}] = true }

// seen notes the numbers that there are at a place.
func (w *walk) seen(at place, r span) {
	if old, ok := w.ranges[at]; ok {
		r = r.join(old)
	}
	w.ranges[at] = r
}

// unknown returns the unknown with a key.
func (w *walk) unknown(key string, s span, op bytecode.ExprOp, args ...*sum) *unknown {
	u, ok := w.known[key]
	if !ok {
		// keys of keys would double with every step
		u = &unknown{key: fmt.Sprint("#", len(w.known)), span: s, op: op, args: args}
		w.known[key] = u
	}
	// The same expression of the same unknowns may be known better on another path.
	u.span = u.span.join(s)
	return u
}

// number returns a new number that an instruction makes.
func (w *walk) number(pc int, s span) *sum { return just(w.unknown(fmt.Sprint("at", pc), s, 0)) }

// size is the numbers that there can be of bytes or parts.
func (w *walk) size() span { return span{0, w.s.Size} }

// count is the numbers that there can be of bytes or parts of one value.
func (w *walk) count() span { return w.size().meet(low(32)) }
