// Coverage: which instructions, branches and refusals of a program runs have
// reached, in each direction.
//
// Everything that can happen at an instruction has a Site, and every site that an
// instruction has, in one direction, is a Point. Points have fixed places in a set
// of bits, so noting one is one load, and one store where it is new.

package interp

import (
	"bytes"
	"math/bits"
	"sync/atomic"

	"github.com/octable/octable/compile/bytecode"
)

// Direction is reading or writing.
type Direction uint8

// The directions.
const (
	Reading Direction = iota
	Writing
	numDirections
)

// String returns "read" or "write".
func (d Direction) String() string {
	if d == Writing {
		return "write"
	}
	return "read"
}

// Site is something that can happen at an instruction.
type Site uint8

// The sites. Those from SiteTooDeep on end the run with an error.
const (
	SiteRun        Site = iota // the instruction is run
	SiteArm                    // union, switch: arm N of the table is taken
	SiteYes                    // step N of an expression holds, takes its first number, or fits
	SiteNo                     // it does not hold, takes its second number, or does not fit and is refused
	SiteHeld                   // if: the condition holds
	SiteJumped                 // if: it does not
	SiteZero                   // truth, take: 0
	SiteOne                    // truth, take: 1
	SiteOther                  // truth: another number, taken for true
	SiteEmpty                  // text, packed, list, map, rest: nothing in it; fields: a unit stands for a record without any
	SiteSingle                 // packed, list, map, rest: one part
	SiteSeveral                // several parts; bytes of a text
	SiteRepeats                // map: some key stands in it twice; write: pairs are left out
	SitePadded                 // pad: N bytes
	SitePadEnd                 // pad: the input ends inside the padding, or before it
	SitePadOther               // pad: bytes that a writer does not write, passed over
	SiteMark                   // text: a byte order mark was left out
	SiteNULInside              // text: ends before a zero byte that is not the last
	SiteNULLast                // text: ends before a zero byte that is the last
	SiteNULMissing             // text: there is no zero byte, where a writer adds one
	SiteNULKept                // text: a zero byte is a character
	SiteLongForm               // text: an overlong form, written short
	SiteHalf                   // text: half of a surrogate pair is taken
	SiteHuge                   // text: a number above the last character is taken
	SiteUnchecked              // text: bytes that are not UTF-8 are taken
	SiteAlone                  // fields, done: one field stands for the record
	SiteFields                 // fields, done: a record with its fields
	SiteKept                   // subst: the value is written as it is
	SiteReplaced               // subst: rule N of those of the union's arms puts something in its place
	SiteConverted              // lanes, packed: reals of another precision are converted
	SiteRounded                // scalar: a real that single precision does not hold exactly
	SiteOpen                   // gate: it is open

	SiteTooDeep    // the first of a routine: values are nested too deeply
	SiteTooNested  // the first of a routine: records are nested too deeply for the engine
	SiteShort      // the input ends before what there should be
	SiteUnknown    // read: a number that stands for no arm
	SiteForeign    // write: a value of no arm
	SiteOtherArm   // switch, write: a value of another arm than the number says
	SiteRefused    // check: its condition does not hold; truth, pad: another number or byte
	SiteClosed     // gate: it is closed
	SiteLeftOver   // leave: bytes are left in the region
	SiteMemory     // list, map, rest, done: more memory than Options.MaxMemory
	SiteKind       // write: a value of another kind
	SiteNothing    // fields, call: no value
	SiteFieldCount // fields: another number of fields
	SiteNumbers    // lanes, packed: numbers that cannot be converted
	SiteRange      // write: a number that does not fit
	SiteCount      // write: another number of parts than the fields before say
	SitePresent    // absent: there is a value
	SitePlace      // patch: a place outside what was written
	SiteStray      // text: a byte that only continues a form begins one
	SiteNoLead     // text: a byte that never stands in UTF-8
	SiteCut        // text: ends inside a form
	SiteBroken     // text: a form is not continued
	SiteOverlong   // text: a form that is longer than it need be
	SiteSurrogate  // text: half of a surrogate pair
	SiteBeyond     // text: a number above the last character
	SiteNUL        // text, write: a zero byte, which would end it
	numSites
)

var siteNames = [numSites]string{
	"run", "arm", "yes", "no", "held", "jumped", "zero", "one", "other", "empty", "single", "several", "repeats",
	"padded", "pad-end", "pad-other", "mark", "nul-inside", "nul-last", "nul-missing", "nul-kept", "long-form", "half",
	"huge", "unchecked", "alone", "fields", "kept", "replaced", "converted", "rounded", "open",
	"too-deep", "too-nested", "short", "unknown", "foreign", "other-arm", "refused", "closed", "left-over", "memory",
	"kind", "nothing", "field-count", "numbers", "range", "count", "present", "place",
	"stray", "no-lead", "cut", "broken", "overlong", "surrogate", "beyond", "nul",
}

// String returns the site's name, such as "pad-end".
func (s Site) String() string {
	if s >= numSites {
		return "invalid"
	}
	return siteNames[s]
}

// Refuses reports whether the run ends there with an error. SiteNo does so, too,
// where the step is [bytecode.ExprFit].
func (s Site) Refuses() bool { return s >= SiteTooDeep }

// Point is one thing that can happen at one instruction in one direction.
type Point struct {
	Index int // in a Coverage
	Dir   Direction
	PC    int
	Site  Site
	N     int    // SiteArm: arm of the table; SitePadded: bytes; SiteReplaced: rule; SiteYes, SiteNo: step of the expression
	Expr  uint32 // SiteYes, SiteNo: the expression
}

var textSites = []Site{SiteStray, SiteNoLead, SiteCut, SiteBroken, SiteOverlong, SiteSurrogate, SiteBeyond}

// sites returns the sites of an operation that it has at most once, in the order
// of their bits.
func sites(d Direction, op bytecode.Op) []Site {
	s := []Site{SiteRun, SiteTooDeep, SiteTooNested}
	add := func(more ...Site) []Site { return append(s, more...) }
	switch op {
	case bytecode.Check:
		return add(SiteRefused)
	case bytecode.If:
		return add(SiteHeld, SiteJumped)
	case bytecode.Gate:
		return add(SiteOpen, SiteClosed)
	}
	if d == Reading {
		switch op {
		case bytecode.Union:
			return add(SiteShort, SiteUnknown)
		case bytecode.Switch:
			return add(SiteUnknown)
		case bytecode.Word, bytecode.Scalars, bytecode.Lanes, bytecode.Enter:
			return add(SiteShort)
		case bytecode.Truth:
			return add(SiteShort, SiteZero, SiteOne, SiteOther, SiteRefused)
		case bytecode.Take:
			return add(SiteZero, SiteOne)
		case bytecode.ArmRef:
			return add(SiteUnknown)
		case bytecode.Text:
			return append(add(SiteShort, SiteEmpty, SiteSeveral, SiteMark, SiteNULInside, SiteNULLast, SiteNULMissing,
				SiteNULKept, SiteLongForm, SiteHalf, SiteHuge, SiteUnchecked), textSites...)
		case bytecode.Packed:
			return add(SiteShort, SiteEmpty, SiteSingle, SiteSeveral)
		case bytecode.Pad:
			return add(SiteShort, SitePadEnd, SitePadOther, SiteRefused)
		case bytecode.List:
			return add(SiteShort, SiteMemory, SiteEmpty, SiteSingle, SiteSeveral)
		case bytecode.Map:
			return add(SiteShort, SiteMemory, SiteEmpty, SiteSingle, SiteSeveral, SiteRepeats)
		case bytecode.Rest:
			return add(SiteMemory, SiteEmpty, SiteSingle, SiteSeveral)
		case bytecode.Leave:
			return add(SiteLeftOver)
		case bytecode.Done:
			return add(SiteMemory, SiteAlone, SiteFields)
		}
		return s
	}
	switch op {
	case bytecode.Union:
		return add(SiteForeign)
	case bytecode.Switch:
		return add(SiteForeign, SiteOtherArm)
	case bytecode.Fields:
		return add(SiteNothing, SiteFieldCount, SiteKind, SiteEmpty, SiteAlone, SiteFields, SiteRepeats)
	case bytecode.Subst:
		return add(SiteKept)
	case bytecode.Header, bytecode.Word:
		return add(SiteRange)
	case bytecode.Scalars:
		return add(SiteKind, SiteRange, SiteRounded)
	case bytecode.Truth:
		return add(SiteKind, SiteZero, SiteOne)
	case bytecode.ArmRef:
		return add(SiteKind, SiteForeign)
	case bytecode.Lanes:
		return add(SiteKind, SiteNumbers, SiteConverted)
	case bytecode.Packed:
		return add(SiteKind, SiteNumbers, SiteConverted, SiteCount, SiteEmpty, SiteSingle, SiteSeveral)
	case bytecode.Text:
		return append(add(SiteKind, SiteCount, SiteEmpty, SiteSeveral, SiteNUL, SiteHalf, SiteHuge, SiteUnchecked), textSites...)
	case bytecode.List, bytecode.Map, bytecode.Rest:
		return add(SiteKind, SiteCount, SiteEmpty, SiteSingle, SiteSeveral)
	case bytecode.Call:
		return add(SiteNothing)
	case bytecode.Absent:
		return add(SitePresent)
	case bytecode.Patch:
		return add(SiteRange, SitePlace)
	}
	return s
}

// siteSlots has, for each direction, operation and site, the place of its bit among
// those of the instruction, plus 1; siteCounts has how many there are.
var siteSlots, siteCounts = func() (slots [numDirections][64][numSites]uint8, counts [numDirections][64]uint8) {
	for d := range numDirections {
		for _, op := range bytecode.Ops() {
			all := sites(d, op)
			for i, s := range all {
				slots[d][op][s] = uint8(i) + 1
			}
			counts[d][op] = uint8(len(all))
		}
	}
	return slots, counts
}()

// exprsOf returns the expressions that an instruction computes in a direction.
func exprsOf(p *bytecode.Program, d Direction, in *bytecode.Instr) []uint32 {
	one := func(e uint32) []uint32 {
		if e == bytecode.None {
			return nil
		}
		return []uint32{e}
	}
	switch in.Op {
	case bytecode.Switch:
		return one(in.C)
	case bytecode.Let, bytecode.Text:
		return one(in.B)
	case bytecode.Packed:
		return one(in.C)
	case bytecode.Check, bytecode.List, bytecode.Map, bytecode.If:
		return one(in.A)
	case bytecode.Call:
		return p.Args[in.C]
	}
	switch {
	case d == Reading && in.Op == bytecode.Union:
		return one(in.C)
	case d == Reading && in.Op == bytecode.Enter:
		return one(in.A)
	case d == Writing && (in.Op == bytecode.Header || in.Op == bytecode.Patch || in.Op == bytecode.Word && in.D == bytecode.None):
		return one(in.C)
	case d == Writing && in.Op == bytecode.Subst:
		var all []uint32
		for _, w := range substRules(p, in) {
			all = append(all, one(w.When)...)
		}
		return all
	}
	return nil
}

// substRules returns what may be written instead of the arms of the union of a
// subst, in the order of the arms.
func substRules(p *bytecode.Program, in *bytecode.Instr) []bytecode.Write {
	var all []bytecode.Write
	if t, ok := p.UnionTable(in.B); ok {
		for _, a := range t.Arms {
			all = append(all, p.Types[a.Type].Writes...)
		}
	}
	return all
}

// many returns how many arms, sizes of padding, or rules an instruction has points for.
func many(p *bytecode.Program, d Direction, in *bytecode.Instr) (Site, int) {
	switch {
	case in.Op == bytecode.Union || in.Op == bytecode.Switch:
		return SiteArm, len(p.Tables[in.D].Arms)
	case in.Op == bytecode.Pad:
		return SitePadded, int(in.A)
	case in.Op == bytecode.Subst && d == Writing:
		return SiteReplaced, len(substRules(p, in))
	}
	return SiteRun, 0
}

// branches reports whether an operation of an expression has two outcomes.
func branches(e bytecode.ExprInstr) bool {
	return truthful(e.Op) || e.Op == bytecode.ExprSelect || e.Op == bytecode.ExprMin || e.Op == bytecode.ExprMax ||
		e.Op == bytecode.ExprFit && e.Arg < 64
}

// truthful reports whether an operation gives true or false.
func truthful(op bytecode.ExprOp) bool {
	return op >= bytecode.ExprEq && op <= bytecode.ExprEither || op == bytecode.ExprNot || op == bytecode.ExprPresent ||
		op == bytecode.ExprOutside || op == bytecode.ExprWide || op == bytecode.ExprExact || op == bytecode.ExprClosed
}

// coverLayout says where the bits of a program's points are.
type coverLayout struct {
	first [numDirections][]int32 // of each instruction
	more  [numDirections][]int32 // of each instruction: behind its arms, sizes or rules, where the steps of expressions begin
	bits  int
}

func (m *Machine) coverLayout() *coverLayout {
	m.layoutOnce.Do(func() {
		l := &coverLayout{}
		n := 0
		for d := range numDirections {
			l.first[d], l.more[d] = make([]int32, len(m.p.Code)), make([]int32, len(m.p.Code))
			for pc := range m.p.Code {
				in := &m.p.Code[pc]
				l.first[d][pc] = int32(n)
				_, k := many(m.p, d, in)
				n += int(siteCounts[d][in.Op]) + k
				l.more[d][pc] = int32(n)
				for _, e := range exprsOf(m.p, d, in) {
					n += 2 * len(m.p.Exprs[e])
				}
			}
		}
		l.bits = n
		m.layout = l
	})
	return m.layout
}

// applies reports whether an instruction can have a site at all, going by its
// operands alone.
func (m *Machine) applies(d Direction, pc int, s Site) bool {
	p, in := m.p, &m.p.Code[pc]
	switch s {
	case SiteTooDeep, SiteTooNested:
		for i := range p.Routines {
			if r := &p.Routines[i]; int(r.Start) == pc {
				return s == SiteTooNested || r.Nests
			}
		}
		return false
	}
	switch in.Op {
	case bytecode.Union, bytecode.Switch:
		if arms := p.Tables[in.D].Arms; s == SiteUnknown {
			return len(arms) == 0 || !arms[len(arms)-1].Else
		}
	case bytecode.Truth:
		if d == Reading && (s == SiteOther || s == SiteRefused) {
			return (s == SiteOther) == (in.C&bytecode.TruthNonzero != 0)
		}
	case bytecode.Take:
		if s == SiteZero || s == SiteOne {
			return in.C == bytecode.TakeBool
		}
	case bytecode.Pad:
		switch s {
		case SitePadEnd:
			return in.B&bytecode.PadOrEnd != 0
		case SitePadOther:
			return in.B&bytecode.PadExact == 0
		case SiteRefused:
			return in.B&bytecode.PadExact != 0
		}
	case bytecode.Packed:
		if s == SiteShort || s == SiteCount {
			return in.C != bytecode.None
		}
		if s == SiteConverted {
			return bytecode.Scalar(in.A & 0xff).IsFloat()
		}
	case bytecode.Lanes:
		if s == SiteConverted {
			return bytecode.Scalar(in.A & 0xff).IsFloat()
		}
	case bytecode.Rest:
		return s != SiteCount
	case bytecode.Header, bytecode.Word, bytecode.Patch:
		if s == SiteRange {
			return bytecode.Scalar(in.A).Width() < 8 && (in.Op != bytecode.Word || in.D == bytecode.None)
		}
	case bytecode.Scalars:
		switch k := bytecode.Scalar(in.A & 0xff); s {
		case SiteRange:
			return !k.IsFloat()
		case SiteRounded:
			return k == bytecode.F32
		}
	case bytecode.Done:
		n := len(p.Types[in.A].Fields)
		if s == SiteMemory {
			return n > 0
		}
		if s == SiteAlone || s == SiteFields {
			return n > 0 && in.B&bytecode.DoneAlone != 0
		}
	case bytecode.Fields:
		fields := p.Types[in.B].Fields
		switch n := len(fields); s {
		case SiteRun:
		case SiteFieldCount, SiteEmpty:
			return n > 1
		case SiteKind:
			return n > 1 || n == 1 && !fields[0].Alone
		case SiteFields:
			return n > 1 || n == 1 && !fields[0].Alone
		case SiteAlone, SiteRepeats:
			for _, f := range fields {
				if s == SiteAlone && f.Alone || s == SiteRepeats && (f.Kind == 0 || Kind(f.Kind) == Map) {
					return true
				}
			}
			return false
		default:
			return n > 0
		}
	case bytecode.Text:
		enc := &p.Encodings[in.A]
		strict, loose := enc.UTF8 == bytecode.UTF8Strict, enc.UTF8 == bytecode.UTF8Loose
		switch s {
		case SiteMark:
			return enc.DropBOM
		case SiteNULInside, SiteNULLast, SiteNUL:
			return enc.NUL != bytecode.NULKeep
		case SiteNULMissing:
			return enc.NUL == bytecode.NULCounted
		case SiteNULKept:
			return enc.NUL == bytecode.NULKeep
		case SiteLongForm, SiteHalf, SiteHuge:
			return loose
		case SiteSurrogate, SiteBeyond:
			return strict
		case SiteStray, SiteNoLead, SiteCut, SiteBroken, SiteOverlong:
			return strict || loose
		case SiteUnchecked:
			return enc.UTF8 == bytecode.UTF8Unchecked
		}
	}
	return true
}

// Points returns everything that can happen at the instructions of the program,
// going by their operands alone: some of it may never happen.
func (m *Machine) Points() []Point {
	l := m.coverLayout()
	var all []Point
	for d := range numDirections {
		for pc := range m.p.Code {
			in := &m.p.Code[pc]
			at := int(l.first[d][pc])
			for i, s := range sites(d, in.Op) {
				if m.applies(d, pc, s) {
					all = append(all, Point{Index: at + i, Dir: d, PC: pc, Site: s})
				}
			}
			at += int(siteCounts[d][in.Op])
			s, n := many(m.p, d, in)
			for i := range n {
				all = append(all, Point{Index: at + i, Dir: d, PC: pc, Site: s, N: i})
			}
			at += n
			for _, e := range exprsOf(m.p, d, in) {
				for k, step := range m.p.Exprs[e] {
					if branches(step) {
						all = append(all, Point{Index: at + 2*k, Dir: d, PC: pc, Site: SiteNo, N: k, Expr: e},
							Point{Index: at + 2*k + 1, Dir: d, PC: pc, Site: SiteYes, N: k, Expr: e})
					}
				}
				at += 2 * len(m.p.Exprs[e])
			}
		}
	}
	return all
}

// Coverage notes which points of one machine's program runs reach. It may be used
// by several runs at the same time.
type Coverage struct {
	m    *Machine
	l    *coverLayout
	bits []atomic.Uint64
}

// NewCoverage returns a Coverage in which nothing is reached, for [Options] of
// runs of m. Runs of another machine note nothing in it.
func (m *Machine) NewCoverage() *Coverage {
	l := m.coverLayout()
	return &Coverage{m: m, l: l, bits: make([]atomic.Uint64, (l.bits+63)/64)}
}

// Has reports whether the point with an index is reached.
func (c *Coverage) Has(index int) bool {
	return index >= 0 && index < c.l.bits && c.bits[index>>6].Load()>>(index&63)&1 != 0
}

// HasRun reports whether an instruction was run in a direction.
func (c *Coverage) HasRun(d Direction, pc int) bool { return c.Has(int(c.l.first[d][pc])) }

// Count returns how many points are reached.
func (c *Coverage) Count() int {
	n := 0
	for i := range c.bits {
		n += bits.OnesCount64(c.bits[i].Load())
	}
	return n
}

// Merge adds what another Coverage of the same machine has reached, and returns
// how many points are new.
func (c *Coverage) Merge(other *Coverage) (added int) {
	for i := range min(len(c.bits), len(other.bits)) {
		if b := other.bits[i].Load(); b&^c.bits[i].Load() != 0 {
			added += bits.OnesCount64(b &^ c.bits[i].Or(b))
		}
	}
	return added
}

// Adds returns how many points Merge would add.
func (c *Coverage) Adds(other *Coverage) (n int) {
	for i := range min(len(c.bits), len(other.bits)) {
		n += bits.OnesCount64(other.bits[i].Load() &^ c.bits[i].Load())
	}
	return n
}

// Clone returns a copy.
func (c *Coverage) Clone() *Coverage {
	d := &Coverage{m: c.m, l: c.l, bits: make([]atomic.Uint64, len(c.bits))}
	d.Merge(c)
	return d
}

// Reset makes all points unreached.
func (c *Coverage) Reset() {
	for i := range c.bits {
		c.bits[i].Store(0)
	}
}

func (c *Coverage) set(index int) {
	w, b := &c.bits[index>>6], uint64(1)<<(index&63)
	if w.Load()&b == 0 {
		w.Or(b)
	}
}

// watch is what looks at a run: notes what it reaches, and changes its values. A nil
// watch does nothing.
type watch struct {
	d      Direction
	c      *Coverage // nil notes nothing
	change *Change   // nil changes nothing
	pc     int       // the instruction that is run
	expr   int       // where the points of the expression are that is computed
}

// watch returns what looks at runs of m with these options, or nil.
func (o *Options) watch(m *Machine, d Direction) *watch {
	c := o.Coverage
	if c != nil && c.m != m {
		c = nil
	}
	if c == nil && o.Change == nil {
		return nil
	}
	return &watch{d: d, c: c, change: o.Change}
}

// at returns the instruction that is run, for back.
func (w *watch) at() int {
	if w == nil {
		return 0
	}
	return w.pc
}

// back goes back to an instruction, whose parts have run others.
func (w *watch) back(pc int) {
	if w != nil {
		w.pc = pc
	}
}

// hitAt goes to an instruction and notes a site of it.
func (w *watch) hitAt(pc int, s Site) {
	if w != nil {
		w.pc = pc
		w.hit(s)
	}
}

// hit notes a site of the instruction that is run. Its callers are made part of the
// loops that run instructions, where there mostly is nothing to note.
//
//go:noinline
func (w *watch) hit(s Site) {
	if w.c == nil {
		return
	}
	if slot := siteSlots[w.d][w.instr().Op][s]; slot != 0 {
		w.c.set(int(w.c.l.first[w.d][w.pc]) + int(slot) - 1)
	}
}

func (w *watch) instr() *bytecode.Instr { return &w.c.m.p.Code[w.pc] }

// hitN notes an arm, size of padding, or rule.
func (w *watch) hitN(n int) {
	if w.c != nil {
		w.c.set(int(w.c.l.first[w.d][w.pc]) + int(siteCounts[w.d][w.instr().Op]) + n)
	}
}

// hitArm notes the arm of a union or switch.
func (w *watch) hitArm(arm bytecode.TableArm) {
	if w.c == nil {
		return
	}
	for i, a := range w.c.m.p.Tables[w.instr().D].Arms {
		if a == arm {
			w.hitN(i)
			return
		}
	}
}

// hitRule notes that rule k of an arm puts something in the place of a value.
func (w *watch) hitRule(arm bytecode.TableArm, k int) {
	if w.c == nil {
		return
	}
	t, _ := w.c.m.p.UnionTable(w.instr().B)
	for _, a := range t.Arms {
		if a == arm {
			w.hitN(k)
			return
		}
		k += len(w.c.m.p.Types[a.Type].Writes)
	}
}

// hitParts notes how many parts there are.
func (w *watch) hitParts(n int) {
	switch n {
	case 0:
		w.hit(SiteEmpty)
	case 1:
		w.hit(SiteSingle)
	default:
		w.hit(SiteSeveral)
	}
}

// changed returns what becomes of a value at the instruction that is run.
func (w *watch) changed(v Value) Value {
	if w.change != nil && w.change.PC == w.pc {
		return w.change.Value(v)
	}
	return v
}

// begin returns the watch of the steps of an expression, or nil.
func (w *watch) begin(expr uint32) *watch {
	if w.c == nil {
		return nil
	}
	w.expr = int(w.c.l.more[w.d][w.pc])
	for _, e := range exprsOf(w.c.m.p, w.d, w.instr()) {
		if e == expr {
			break
		}
		w.expr += 2 * len(w.c.m.p.Exprs[e])
	}
	return w
}

// step notes, before step k of an expression is done, what came of the step before
// it, and what this one is going to do.
func (w *watch) step(expr bytecode.Expr, k int, stack []int64) {
	note := func(k int, yes bool) {
		if yes {
			w.c.set(w.expr + 2*k + 1)
		} else {
			w.c.set(w.expr + 2*k)
		}
	}
	n := len(stack)
	if k > 0 && truthful(expr[k-1].Op) {
		note(k-1, stack[n-1] != 0)
	}
	if k == len(expr) {
		return
	}
	switch e := expr[k]; e.Op {
	case bytecode.ExprSelect:
		note(k, stack[n-3] != 0)
	case bytecode.ExprMin:
		note(k, stack[n-2] <= stack[n-1])
	case bytecode.ExprMax:
		note(k, stack[n-2] >= stack[n-1])
	case bytecode.ExprFit:
		note(k, e.Arg >= 64 || uint64(stack[n-1])>>uint(e.Arg) == 0)
	}
}

// hitText notes what is special about text that was read, or that is written. What
// is wrong with it stands at bad, or nothing is.
func (w *watch) hitText(b []byte, bad int) {
	if w.c == nil {
		return
	}
	w.hit(choose(len(b) == 0, SiteEmpty, SiteSeveral))
	enc := &w.c.m.p.Encodings[w.instr().A]
	if w.d == Reading {
		if enc.DropBOM && len(b) >= 3 && string(b[:3]) == "\xef\xbb\xbf" {
			w.hit(SiteMark)
			b, bad = b[3:], bad-3
		}
		nul := bytes.IndexByte(b, 0)
		switch {
		case nul < 0 && enc.NUL == bytecode.NULCounted:
			w.hit(SiteNULMissing)
		case nul < 0:
		case enc.NUL == bytecode.NULKeep:
			w.hit(SiteNULKept)
		case nul == len(b)-1:
			w.hit(SiteNULLast)
		default:
			w.hit(SiteNULInside)
		}
		if nul >= 0 && enc.NUL != bytecode.NULKeep {
			b = b[:nul]
		}
	}
	if bad >= 0 && bad < len(b) {
		if w.d == Writing && b[bad] == 0 {
			w.hit(SiteNUL)
			return
		}
		w.hit(formSite(enc.UTF8, b[bad:]))
		b = b[:bad]
	}
	if enc.UTF8 == bytecode.UTF8Strict {
		return
	}
	for i := invalidUTF8(b); i >= 0; i = invalidUTF8(b) {
		if enc.UTF8 == bytecode.UTF8Unchecked {
			w.hit(SiteUnchecked)
			return
		}
		form := b[i:min(len(b), i+max(1, bits.LeadingZeros8(^b[i])))]
		switch formSite(bytecode.UTF8Strict, form) {
		case SiteSurrogate:
			w.hit(SiteHalf)
		case SiteOverlong:
			w.hit(SiteLongForm)
		default:
			text, _ := looseUTF8(form)
			w.hit(choose(len(text) < len(form), SiteLongForm, SiteHuge))
		}
		b = b[i+len(form):]
	}
}

// formSite says what is wrong with the first form of b, which is not UTF-8.
func formSite(how bytecode.UTF8, b []byte) Site {
	c := b[0]
	n := bits.LeadingZeros8(^c)
	longest := 4
	if how == bytecode.UTF8Loose {
		longest = 6
	}
	switch {
	case n == 1:
		return SiteStray
	case n > longest:
		return SiteNoLead
	case c == 0xc0 || c == 0xc1:
		return SiteOverlong
	case c > 0xf4 && longest == 4:
		return SiteBeyond
	}
	for k := 1; k < n; k++ {
		if k >= len(b) {
			return SiteCut
		}
		if b[k]&0xc0 != 0x80 {
			return SiteBroken
		}
	}
	switch {
	case longest == 6 || b[1] < 0x90 && c == 0xf0 || b[1] < 0xa0 && c == 0xe0:
		return SiteOverlong
	case c == 0xed:
		return SiteSurrogate
	}
	return SiteBeyond
}
