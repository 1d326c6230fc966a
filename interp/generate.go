// Generating: the third way to run a program. A value is made from a string of
// choices, by the instructions that would write it.
//
// Generating is writing with cells that are drawn when they are first looked at.
// At the start of a record nothing of its cells is known. An expression that asks
// for the presence, the arm, the count, the length or the number of a cell has
// just that drawn; the instruction that writes the cell has the rest drawn, in
// the form that it writes. Derived fields are computed as a writer computes
// them and never drawn, so what comes out is what a reader gives for what a
// writer writes for it.
//
// Which cells a record may have together follows from the instructions that are
// still ahead (generate_paths.go), so a presence is drawn only where both
// answers lead to the end: past no closed gate and no refusal. If a condition
// on the content of cells does not hold, its expression is solved for one of
// them (generate_steer.go); if it cannot be, the cells that it is about are
// drawn again, from their candidates in turn. Arms that an argument selects are
// drawn in the same way.
//
// The same walk, with the parts of a given value in the place of draws, writes
// down the choices that lead to it: see [Generator.Choices].

package interp

import (
	"errors"
	"fmt"

	"github.com/octable/octable/compile/bytecode"
)

// Choices are the decisions from which a [Generator] makes a value. Every string
// of bytes is one. At its end every further decision is 0, which is the
// simplest: so shorter strings, and smaller bytes, give simpler values.
type Choices []byte

// GenerateOptions say which values are made. The zero value is safe: every gate
// is closed, and values are of moderate size.
type GenerateOptions struct {
	// Open has bit i set where gate i of the program is open.
	Open uint8
	// MaxDepth limits how deeply values may be nested; 0 is the schema's own limit.
	MaxDepth int
	// MaxBytes is how many bytes of content are drawn before lists and arrays
	// end; a value takes little more. 0 is 16 KiB. If each value has more than
	// half as many bytes, they are drawn besides.
	MaxBytes int
	// KeepWidths marks numbers to be written in the wide form though they do not
	// need it. It is for a writer that keeps widths.
	KeepWidths bool
	// Repeats lets maps hold equal keys, which a writer merges.
	Repeats bool
}

// Generator makes values from choices. It can be used again and is for one
// goroutine at a time; the values that it makes are valid for ever.
type Generator struct {
	m     *Machine
	opt   GenerateOptions
	limit int // greatest depth
	bytes int
	paths *paths
	free  *Writer // that does not compare views; nil until it is needed
	w     *Writer // for substitutions, and for the sizes of what they put in place
	keys  keySet
	least Value // the value without choices
	run   generating

	redrawn int
}

// mostLeast is how many bytes are drawn besides the limit for a schema whose values all have many.
const mostLeast = 1 << 20

// ErrNoValue says that no value of a schema was found.
var ErrNoValue = errors.New("no value was found")

// NewGenerator returns a Generator. The error is [ErrNoValue] if no value of the schema
// is found with these options.
func (m *Machine) NewGenerator(opt GenerateOptions) (*Generator, error) {
	g := &Generator{m: m, opt: opt, limit: m.depth(&Options{MaxDepth: opt.MaxDepth}), bytes: opt.MaxBytes}
	if g.bytes <= 0 {
		g.bytes = 16 << 10
	}
	if least := m.p.Bounds(m.p.Root).Min; least > uint64(g.bytes/2) {
		g.bytes += int(min(least, mostLeast))
	}
	g.keys.rules = m.keys
	g.w = m.NewWriter(Options{Open: opt.Open, MaxDepth: opt.MaxDepth, KeepWidths: opt.KeepWidths})
	g.paths = findPaths(m, opt.Open)
	least, _, ok := g.make(nil)
	for !ok && g.run.short && g.bytes < mostLeast {
		g.bytes *= 4
		least, _, ok = g.make(nil)
	}
	if !ok {
		return nil, fmt.Errorf("%w of schema %s: %s", ErrNoValue, m.p.Schema, g.run.why)
	}
	g.least = least
	return g, nil
}

// Machine returns the machine whose values g makes.
func (g *Generator) Machine() *Machine { return g.m }

// Generate makes a value from choices and returns how many of them it used. The bytes after
// those have no effect. A writer with the same gates and depth writes the value, and a reader
// reads it back to the last bit.
func (g *Generator) Generate(c Choices) (v Value, used int) {
	v, used, _ = g.Try(c)
	return v, used
}

// Try is Generate, and reports false if conditions were not met in many tries. The value is
// then not one of these choices.
func (g *Generator) Try(c Choices) (v Value, used int, ok bool) {
	if v, used, ok = g.make(c); !ok {
		return g.least, len(c), false
	}
	return v, used, true
}

// Redrawn returns how many records were begun again so far, since a condition on what was
// drawn did not hold. A record with many others in it counts more than once.
func (g *Generator) Redrawn() int { return g.redrawn }

// Generate makes one value from choices. It fails if no value of the schema
// could be found with these options; see [Machine.NewGenerator].
func (m *Machine) Generate(c Choices, opt GenerateOptions) (Value, error) {
	g, err := m.NewGenerator(opt)
	if err != nil {
		return Value{}, err
	}
	v, _ := g.Generate(c)
	return v, nil
}

// Bounds of the work for one value.
const (
	maxTries     = 5000 // records that are begun again
	freeRecords  = 2048 // records inside of such a record, up to which it counts once
	triedRecords = 4    // more of them that count as another one
)

func (g *Generator) make(c Choices) (Value, int, bool) {
	r := &g.run
	*r = generating{g: g, m: g.m, p: g.m.p, in: c, tries: maxTries}
	v, ok := r.routine(g.m.p.Root, nil, nil, 0, Value{})
	g.redrawn += maxTries - max(r.tries, 0)
	if ok && g.m.views {
		if v, ok = g.show(v); !ok {
			r.why = "its views show other bytes than those that are drawn"
		}
	}
	return v, min(max(r.pos, r.seen), len(c)), ok
}

// ErrNoChoices says that a value is not one that a [Generator] makes.
var ErrNoChoices = errors.New("no choices lead to the value")

// Choices returns choices from which g makes v. There are such choices for every
// value that a reader gives for bytes that are canonical, within the depth and
// size of g's options; the error is [ErrNoChoices] for others.
func (g *Generator) Choices(v Value) (Choices, error) {
	r := &g.run
	*r = generating{g: g, m: g.m, p: g.m.p, choosing: true}
	_, ok := r.routine(g.m.p.Root, nil, nil, 0, v)
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrNoChoices, r.why)
	}
	if g.m.views {
		if shown, ok := g.show(v); !ok || !Identical(v, shown, false) {
			return nil, fmt.Errorf("%w: a view has other bytes", ErrNoChoices)
		}
	}
	out := r.in
	for len(out) > 0 && out[len(out)-1] == 0 {
		out = out[:len(out)-1]
	}
	return out, nil
}

// generating is one call in progress.
type generating struct {
	g        *Generator
	m        *Machine
	p        *bytecode.Program
	in       Choices
	pos      int
	seen     int      // choices that earlier tries have used
	choosing bool     // a value is given, and its choices are appended to in
	need     stopping // of the record that is made next
	closing  bool     // the innermost region ends with it
	dry      bool     // all choices are the simplest
	at       int      // bytes that a writer would have written
	last     int      // bytes of the last text, array, list or region
	spent    int      // bytes of content that were drawn
	depth    int
	nest     int
	tries    int
	records  int // that are part of the value
	why      string
	short    bool              // a count that is given has more elements than may be drawn
	bases    []base            // that are open
	room     []int             // of each: where the next part is placed, 0 before the first one
	drawn    [][]drawnPart     // of each: of its parts, in the order of their drawing
	aways    []away            // parts that are drawn
	roomy    int               // the room for parts is 2 to this power
	narrow   bool              // parts overlap
	chosen   *chosen           // for the next part
	places   map[uint64]uint64 // of the next record or tuple: the numbers that they are to have
	areas    []area            // regions that are open
}

// state is what has been decided about a cell.
type state uint8

const (
	isAbsent  state = 1 << iota // it has no value
	isPresent                   // it has one
	hasArm                      // its arm is known
	hasCount                    // it is packed, and its count is known
	hasMark                     // whether it is marked wide is known
	isFull                      // all of it is known
)

// stopping is whether a record has to stop a list.
type stopping uint8

const (
	either stopping = iota
	stops
	goesOn
)

// frame is one try to make a value of a routine.
type frame struct {
	routine uint32
	regs    []uint64
	cells   []Value
	want    []Value // choosing: what the cells are to be
	state   []state
	drawn   cellSet        // whose draws another candidate changes
	size    []int          // of lists drawn before they are written: their bytes
	ahead   []span         // their parts
	ends    map[uint32]int // bytes of the last elements of lists that end when few bytes are left
	subst   []*bytecode.Instr
	again   *again
	need    stopping
	closes  bool // the innermost region around the record ends with it
	pc      int
	aim     *aim   // what another try is to have
	part    *Value // the cell that was written last, nil if a part began since
}

// again is what is changed from one try to the next.
type again struct {
	bump   []int    // of each cell: 0 as drawn, else 1 plus the candidate to take
	many   []int    // of each cell: how many candidates it had
	equal  []uint64 // of each cell: the last of its candidates
	turn   int
	aims   int // tries that had an aim
	blamed cellSet
	seed   uint64 // of the choices, so that other choices try other candidates
	first  int    // added to the arm that is drawn
	arm    int    // added to it in further tries
	arms   int
	inside []map[uint64]uint64 // of each cell: numbers for places of its record or tuple, of which other rows ask
	places map[uint64]uint64   // the same of this record or tuple
}

// bumpEqual is the candidate that is equal to a number.
const bumpEqual = -1

// maxTurns is how often one record is begun again with the same arm.
const maxTurns = 1500

// turns bounds how often the record is begun again, by the combinations of the candidates of
// cells that were changed. Candidates are drawn, so there are some turns for each combination.
func (a *again) turns() int {
	turns := 4
	for c, n := range a.many {
		if a.blamed.has(uint32(c)) {
			turns = min(turns*(n+1), maxTurns)
		}
	}
	return turns
}

// next changes a cell on which the condition that failed depends. It is most often the last
// one, since conditions are mostly about cells before them. Blame holds such cells that another
// candidate changes, and equal is the number that one of them should be equal to, if that is
// known. If it is exact, the cell is given that number in half of the tries. It returns false
// when everything has been tried.
func (a *again) next(blame cellSet, equal uint64, exact bool) bool {
	a.blamed.add(blame)
	if a.turn++; blame != (cellSet{}) && a.turn < a.turns() {
		x := (uint64(a.turn) + a.seed) * 0x9e3779b97f4a7c15
		x ^= x >> 29
		x *= 0xbf58476d1ce4e5b9
		x ^= x >> 32
		for c := len(a.bump) - 1; ; c-- {
			if c < 0 {
				c = len(a.bump) - 1
			}
			if !blame.has(uint32(c)) {
				continue
			}
			if x&3 != 0 {
				a.bump[c], a.equal[c] = int((x>>8)%uint64(a.many[c]+1)), equal
				if exact && x>>40&1 == 0 {
					a.bump[c] = bumpEqual
				}
				return true
			}
			x >>= 2
			if x == 0 {
				return true
			}
		}
	}
	a.turn, a.blamed = 0, cellSet{}
	clear(a.bump)
	a.arm++
	return a.arm < a.arms
}

func (g *generating) fail(format string, args ...any) bool {
	if g.why == "" || !g.choosing {
		g.why = fmt.Sprintf(format, args...)
	}
	return false
}

// routine makes one value. A forced arm is given by its tag; bump is added to an arm that is drawn.
func (g *generating) routine(index uint32, args []uint64, forced *uint16, bump int, want Value) (Value, bool) {
	r := &g.p.Routines[index]
	need, places, closes := g.need, g.places, g.closing
	g.need, g.places, g.closing = either, nil, false
	if r.Nests {
		if g.depth > g.g.limit {
			return Value{}, g.fail("%s is nested too deeply", r.Name)
		}
		g.depth++
		defer func() { g.depth-- }()
	}
	if g.nest++; g.nest > maxNest(g.g.limit) {
		return Value{}, g.fail("%s is nested too deeply", r.Name)
	}
	defer func() { g.nest-- }()
	f := frame{
		routine: index, regs: make([]uint64, r.Regs), cells: make([]Value, r.Cells),
		state: make([]state, r.Cells), size: make([]int, r.Cells), ahead: make([]span, r.Cells), need: need, closes: closes,
	}
	if g.choosing {
		f.want = make([]Value, r.Cells)
	}
	pos, at, spent, dry := g.pos, g.at, g.spent, g.dry
	parts, narrow, areas := g.partsSoFar(), 0, len(g.areas)
	g.records++
	records := g.records
	defer func() { g.dry = dry }()
	a := again{first: bump, places: places}
	for {
		copy(f.regs, args)
		f.again = &a
		v, ok := g.code(&f, forced, want)
		g.areas = g.areas[:areas]
		if ok {
			return v, true
		}
		g.partsBack(parts)
		if g.choosing || g.tries <= 0 {
			return Value{}, false
		}
		g.tries -= 1 + max(0, g.records-records-freeRecords)/triedRecords
		wider := g.narrow && narrow < roomy
		g.narrow = false
		if a.bump == nil {
			a.bump, a.many, a.equal = make([]int, r.Cells), make([]int, r.Cells), make([]uint64, r.Cells)
			for _, b := range g.in[min(pos, len(g.in)):min(pos+8, len(g.in))] {
				a.seed = a.seed<<8 | uint64(b)
			}
			g.seen = max(g.seen, pos+8)
		}
		g.seen = max(g.seen, g.pos)
		for c := range a.many {
			a.many[c] = max(a.many[c], g.candidates(&f, uint32(c)))
		}
		blame := g.blame(&f)
		blame.keep(f.drawn)
		g.inside(&f)
		if f.aim == nil {
			f.aim = g.hold(&f)
		}
		if f.aim != nil {
			a.aims++
			a.bump[f.aim.cell], a.equal[f.aim.cell] = bumpEqual, f.aim.number
		} else if wider {
			narrow++
			g.roomy++
		} else if equal, exact := g.compared(&f, blame); !a.next(blame, equal, exact) {
			if g.pos = pos; !g.left() {
				return Value{}, false
			}
			g.dry = true
			a, narrow = again{first: bump, places: places}, 0
			g.roomy = 0
		}
		g.pos, g.at, g.spent, g.records = pos, at, spent, records
		clear(f.regs)
		clear(f.cells)
		clear(f.state)
		clear(f.size)
		clear(f.ahead)
		clear(f.subst)
		f.drawn, f.aim = cellSet{}, nil
	}
}

// scope is where the expressions of a record look.
func (g *generating) scope(f *frame) scope {
	return scope{m: g.m, regs: f.regs, cells: f.cells, open: g.g.opt.Open, exact: g.g.opt.KeepWidths}
}

// eval computes an expression, after what it asks of cells has been drawn.
func (g *generating) eval(f *frame, index uint32) (int64, bool) {
	expr := g.p.Exprs[index]
	for _, e := range g.g.paths.asks[index] {
		if !g.ask(f, e) {
			return 0, false
		}
	}
	s := g.scope(f)
	x, ok := s.run(expr)
	if !ok {
		return 0, g.fail("%s does not fit its bits", g.rule(f))
	}
	return x, true
}

func (g *generating) rule(f *frame) string { return g.p.Rules[g.p.Code[f.pc].Rule].Name }

// code runs the instructions of a routine.
func (g *generating) code(f *frame, forced *uint16, want Value) (Value, bool) {
	p := g.p
	pc := int(p.Routines[f.routine].Start)
	for ; ; pc++ {
		f.pc = pc
		in := &p.Code[pc]
		switch in.Op {
		case bytecode.Enter:
			g.enter(f, in)

		case bytecode.Leave:
			g.areas = g.areas[:len(g.areas)-1]

		case bytecode.Arm, bytecode.End, bytecode.Expect, bytecode.Compare, bytecode.Pass, bytecode.Note, bytecode.Holes, bytecode.Settle:

		case bytecode.Union, bytecode.Switch:
			arm, ok := g.arm(f, in, forced, want)
			if !ok {
				return Value{}, false
			}
			pc = p.ArmAt(in.D, arm)

		case bytecode.Fields:
			if g.choosing {
				w := writing{w: g.g.w, m: g.m, p: p}
				if !w.fields(&p.Types[in.B], want, f.want, in.Rule) {
					return Value{}, g.fail("%v", w.err)
				}
			}

		case bytecode.Subst:
			if f.subst == nil {
				f.subst = make([]*bytecode.Instr, len(f.cells))
			}
			f.subst[in.A] = in

		case bytecode.Sum, bytecode.Total, bytecode.Header, bytecode.Word, bytecode.Let, bytecode.Choose, bytecode.Mark, bytecode.Size, bytecode.Patch:
			if !g.register(f, in) {
				return Value{}, false
			}

		case bytecode.Check:
			x, ok := g.eval(f, in.A)
			if !ok {
				return Value{}, false
			}
			if x == 0 {
				return Value{}, g.fail("%s", p.Strings[in.B])
			}

		case bytecode.Stop:
			x, ok := g.eval(f, in.A)
			if !ok {
				return Value{}, false
			}
			if f.need != either && (x != 0) != (f.need == stops) {
				return Value{}, g.fail("%s", choose(x != 0, "the list ends", "the list goes on"))
			}

		case bytecode.Scalars, bytecode.Truth, bytecode.Take, bytecode.ArmRef, bytecode.Lanes, bytecode.Packed,
			bytecode.Text, bytecode.Until, bytecode.Filled, bytecode.Gaps, bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare, bytecode.Call:
			if !g.write(f, in) {
				return Value{}, false
			}
			f.state[in.Cell()] |= isFull | hasArm // for what is computed from it after it

		case bytecode.Pad:
			g.at += (int(in.A) - g.last%int(in.A)) % int(in.A)

		case bytecode.If:
			x, ok := g.eval(f, in.A)
			if !ok {
				return Value{}, false
			}
			if x == 0 {
				pc = p.End(pc)
			}

		case bytecode.Else:
			pc = p.End(pc)

		case bytecode.Absent:
			if f.state[in.A]&isPresent != 0 || g.choosing && f.want[in.A].kind != None {
				return Value{}, g.fail("%s has a value where it has none", g.rule(f))
			}
			f.state[in.A] |= isAbsent

		case bytecode.Gate:
			if g.g.opt.Open>>in.A&1 == 0 {
				return Value{}, g.fail("%s are closed", p.Gates[in.A])
			}

		case bytecode.Base, bytecode.Chosen, bytecode.Seek, bytecode.Back, bytecode.Close:
			if !g.visit(f, in) {
				return Value{}, false
			}

		case bytecode.Done:
			return g.done(in, f.cells)
		}
	}
}

// done makes a value of the cells, as a reader does.
func (g *generating) done(in *bytecode.Instr, cells []Value) (Value, bool) {
	t := &g.p.Types[in.A]
	tag := g.m.tags[in.A]
	if len(t.Fields) == 0 {
		return MakeUnit(tag), true
	}
	cells = cells[:len(t.Fields)]
	if in.B&bytecode.DoneAlone != 0 {
		alone := none
		for i := range cells {
			if cells[i].kind != None {
				if alone >= 0 {
					alone = -2
					break
				}
				alone = i
			}
		}
		if alone >= 0 && t.Fields[alone].Alone {
			if t.Fields[alone].Kind == None {
				return cells[alone], true
			}
			return cells[alone].WithTag(tag), true
		}
	}
	return MakeRecord(tag, append([]Value(nil), cells...)), true
}

// arm returns the index of the arm of a union that is run.
func (g *generating) arm(f *frame, in *bytecode.Instr, forced *uint16, want Value) (int, bool) {
	t := &g.p.Tables[in.D]
	if in.Op == bytecode.Switch {
		id, ok := g.eval(f, in.C)
		if !ok {
			return 0, false
		}
		arm, known := t.ByID(uint64(id))
		if !known || !g.armFits(f.routine, arm) {
			return arm, g.fail("number %d is of no arm that can be here", id)
		}
		if tag := g.m.armTag(f.routine, arm); forced != nil && *forced != tag || g.choosing && want.tag != tag {
			return arm, g.fail("number %d is of another arm", id)
		}
		return arm, true
	}
	if forced != nil {
		arm, ok := g.m.arm(f.routine, *forced)
		if !ok || !g.armFits(f.routine, arm) {
			return arm, g.fail("the arm cannot be here") // unreachable: ask draws an arm that fits
		}
		return arm, true
	}
	arm, ok := g.drawArm(f.routine, want, f.again.first+f.again.arm, func(arm int) bool { return g.armFits(f.routine, arm) && g.canStop(f, arm) })
	f.again.arms = len(t.Arms)
	return arm, ok
}

// fitsDepth reports whether a value of this many levels is allowed at the current depth.
func (g *generating) fitsDepth(levels int) bool { return g.depth+levels <= g.g.limit+1 }

// armFits reports whether the depth allows an arm of a union.
func (g *generating) armFits(routine uint32, arm int) bool {
	return g.fitsDepth(g.g.paths.least[g.m.armStart(routine, arm)])
}

// softDepth is the depth from which on values in values are rare.
const softDepth = 4

// armHolds is the first choice that means one of the arms that hold values.
const armHolds = 0xe0

// drawArm draws an arm of a union: its number in the order of simplicity. The number is in one
// byte, or in two if there are more than 128 arms. Near the top the highest numbers mean arms
// that hold values again; deep inside only the lowest number that means such an arm does.
func (g *generating) drawArm(routine uint32, want Value, bump int, ok func(arm int) bool) (int, bool) {
	t := g.m.tables[routine]
	order := g.g.paths.order[routine]
	n := len(order)
	if n == 0 {
		return 0, g.fail("%s has no arms", g.p.Routines[routine].Name) // unreachable: the resolver refuses a union without arms
	}
	if g.choosing {
		for i, k := range order {
			if g.m.tags[t.Arms[k].Type] == want.tag && want.kind != None {
				if !ok(k) {
					break
				}
				g.put(byte(i))
				if n > 128 {
					g.put(byte(i >> 8))
				}
				return k, true
			}
		}
		return 0, g.fail("%s of tag %d is of no arm of %s that can be here", want.kind, want.tag, g.p.Routines[routine].Name)
	}
	b := int(g.byte())
	if n > 128 {
		b |= int(g.byte()) << 8
	}
	i := (b%n + bump) % n
	holds := func(i int) bool { return g.g.paths.holds[g.m.armStart(routine, order[i])] }
	holding := 0
	for holding < n && holds(n-1-holding) {
		holding++
	}
	if g.depth <= softDepth && n <= 128 && b >= armHolds && holding > 0 && bump == 0 {
		i = n - 1 - b%holding
	}
	if g.depth > softDepth && b >= n && holds(i) {
		i = b / n % n
		for holds(i) && i > 0 {
			i--
		}
	}
	for k := range n {
		if arm := order[(i+k)%n]; ok(arm) {
			return arm, true
		}
	}
	return 0, g.fail("no arm of %s can be here", g.p.Routines[routine].Name)
}
