// Sites: everything that can happen at an instruction, in each direction.

package interp

import (
	"math"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// Site is something that can happen at an instruction.
type Site uint8

// The sites. Those from SiteTooDeep on end the run with an error.
const (
	SiteRun        Site = iota // the instruction is run
	SiteArm                    // union, switch: arm N of the table is taken
	SiteYes                    // node N of an expression holds, takes its first number, or fits
	SiteNo                     // it does not hold, takes its second number, or does not fit and is refused
	SiteHeld                   // if: the condition holds
	SiteJumped                 // if: it does not
	SiteZero                   // truth, take: 0
	SiteOne                    // truth, take: 1
	SiteOther                  // truth: another number, taken for true
	SiteEmpty                  // text, packed, list, map, rest: nothing in it; fields: a unit represents a record without fields
	SiteSingle                 // packed, list, map, rest: one part
	SiteSeveral                // several parts; bytes of a text
	SiteRepeats                // map: some key occurs twice; write: pairs are left out
	SitePadded                 // pad: N bytes
	SitePadEnd                 // pad: the region ends inside the padding, or before it
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
	SiteAlone                  // fields, done: one field represents the record
	SiteFields                 // fields, done: a record with its fields
	SiteKept                   // subst: the value is written unchanged
	SiteReplaced               // subst: rule N of those of the union's arms replaces it
	SiteConverted              // lanes, packed: reals of another precision are converted
	SiteRounded                // scalar: a real that single precision does not hold exactly
	SiteOpen                   // gate: it is open

	SiteTooDeep    // the first of a routine: values are nested too deeply
	SiteTooNested  // the first of a routine: records are nested too deeply for the engine
	SiteShort      // the input ends before what there should be
	SiteUnknown    // read: the number of no arm
	SiteForeign    // write: a value of no arm
	SiteOtherArm   // switch, write: a value of another arm than the number says
	SiteRefused    // check: its condition does not hold. truth, pad: another number or byte. numbers: one that 16 bits do not hold, or another form of one of varying width
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
	SiteNoLead     // text: a byte that never occurs in UTF-8
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
// where the node is [bytecode.ExprFit].
func (s Site) Refuses() bool { return s >= SiteTooDeep }

// Point is one thing that can happen at one instruction in one direction.
type Point struct {
	Index int // in a Coverage
	Dir   Direction
	PC    int
	Site  Site
	N     int    // SiteArm: arm of the table; SitePadded: bytes; SiteReplaced: rule; SiteYes, SiteNo: node of the expression
	Expr  uint32 // SiteYes, SiteNo: the expression
}

var textSites = []Site{SiteStray, SiteNoLead, SiteCut, SiteBroken, SiteOverlong, SiteSurrogate, SiteBeyond}

// sites returns the sites of an operation that it has at most once, in the order
// of their bits. Operations that only divide or end blocks have no sites.
func sites(d Direction, op bytecode.Op) []Site {
	s := []Site{SiteRun, SiteTooDeep, SiteTooNested}
	add := func(more ...Site) []Site { return append(s, more...) }
	switch op {
	case bytecode.Arm, bytecode.Else, bytecode.End:
		return nil
	case bytecode.Check:
		return add(SiteRefused)
	case bytecode.If:
		return add(SiteHeld, SiteJumped)
	case bytecode.Gate:
		return add(SiteOpen, SiteClosed)
	}
	if d == Reading {
		return append(s, readingSites(op)...)
	}
	return append(s, writingSites(op)...)
}

// readingSites returns the sites that an instruction has for readers alone.
func readingSites(op bytecode.Op) []Site {
	switch op {
	case bytecode.Union:
		return []Site{SiteShort, SiteUnknown}
	case bytecode.Switch:
		return []Site{SiteUnknown}
	case bytecode.Word, bytecode.Scalars:
		return []Site{SiteShort, SiteRefused}
	case bytecode.Lanes, bytecode.Enter:
		return []Site{SiteShort}
	case bytecode.Truth:
		return []Site{SiteShort, SiteZero, SiteOne, SiteOther, SiteRefused}
	case bytecode.Take:
		return []Site{SiteZero, SiteOne}
	case bytecode.ArmRef:
		return []Site{SiteUnknown}
	case bytecode.Text:
		return append([]Site{SiteShort, SiteEmpty, SiteSeveral, SiteMark, SiteNULInside, SiteNULLast, SiteNULMissing,
			SiteNULKept, SiteLongForm, SiteHalf, SiteHuge, SiteUnchecked}, textSites...)
	case bytecode.Packed:
		return []Site{SiteShort, SiteEmpty, SiteSingle, SiteSeveral}
	case bytecode.Until, bytecode.Filled:
		return append([]Site{SiteShort, SiteMemory, SiteRefused, SiteEmpty, SiteSeveral, SiteMark, SiteNULInside, SiteNULLast,
			SiteNULKept, SiteLongForm, SiteHalf, SiteHuge, SiteUnchecked}, textSites...)
	case bytecode.Gaps:
		return []Site{SiteEmpty, SiteSingle, SiteSeveral}
	case bytecode.Pad:
		return []Site{SiteShort, SitePadEnd, SitePadOther, SiteRefused}
	case bytecode.List:
		return []Site{SiteShort, SiteMemory, SiteEmpty, SiteSingle, SiteSeveral}
	case bytecode.Map:
		return []Site{SiteShort, SiteMemory, SiteEmpty, SiteSingle, SiteSeveral, SiteRepeats}
	case bytecode.Rest, bytecode.Spare:
		return []Site{SiteMemory, SiteEmpty, SiteSingle, SiteSeveral}
	case bytecode.Through:
		return []Site{SiteMemory, SiteSingle, SiteSeveral}
	case bytecode.Leave:
		return []Site{SiteLeftOver}
	case bytecode.Compare:
		return []Site{SiteRefused}
	case bytecode.Settle:
		return []Site{SiteRefused}
	case bytecode.Done:
		return []Site{SiteMemory, SiteAlone, SiteFields}
	}
	return nil
}

// writingSites returns the sites that an instruction has for writers alone.
func writingSites(op bytecode.Op) []Site {
	switch op {
	case bytecode.Union:
		return []Site{SiteForeign}
	case bytecode.Switch:
		return []Site{SiteForeign, SiteOtherArm}
	case bytecode.Fields:
		return []Site{SiteNothing, SiteFieldCount, SiteKind, SiteEmpty, SiteAlone, SiteFields, SiteRepeats}
	case bytecode.Subst:
		return []Site{SiteKept}
	case bytecode.Header, bytecode.Word:
		return []Site{SiteRange}
	case bytecode.Expect:
		return []Site{SiteKind, SiteRange}
	case bytecode.Scalars:
		return []Site{SiteKind, SiteRange, SiteRounded, SiteRefused}
	case bytecode.Truth:
		return []Site{SiteKind, SiteZero, SiteOne}
	case bytecode.ArmRef:
		return []Site{SiteKind, SiteForeign}
	case bytecode.Lanes:
		return []Site{SiteKind, SiteNumbers, SiteConverted, SiteRefused}
	case bytecode.Packed:
		return []Site{SiteKind, SiteNumbers, SiteConverted, SiteRefused, SiteCount, SiteEmpty, SiteSingle, SiteSeveral}
	case bytecode.Text:
		return append([]Site{SiteKind, SiteCount, SiteEmpty, SiteSeveral, SiteNUL, SiteHalf, SiteHuge, SiteUnchecked}, textSites...)
	case bytecode.Until, bytecode.Filled:
		return append([]Site{SiteKind, SiteNumbers, SiteRefused, SiteRange, SiteMemory, SiteEmpty, SiteSeveral, SiteNUL, SiteHalf, SiteHuge,
			SiteUnchecked}, textSites...)
	case bytecode.Gaps:
		return []Site{SiteKind, SiteNumbers, SiteEmpty, SiteSingle, SiteSeveral}
	case bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Spare:
		return []Site{SiteKind, SiteCount, SiteEmpty, SiteSingle, SiteSeveral}
	case bytecode.Through:
		return []Site{SiteKind, SiteRefused, SiteSingle, SiteSeveral}
	case bytecode.Call:
		return []Site{SiteNothing}
	case bytecode.Absent:
		return []Site{SitePresent}
	case bytecode.Patch:
		return []Site{SiteRange, SitePlace}
	}
	return nil
}

// siteSlots has the place of a site's bit among those of the instruction, plus 1. It is by
// direction, operation and site. siteCounts has the number of sites.
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
	case bytecode.Let, bytecode.Text, bytecode.Filled:
		return one(in.B)
	case bytecode.Packed:
		return one(in.C)
	case bytecode.Check, bytecode.List, bytecode.Map, bytecode.If, bytecode.Stop:
		return one(in.A)
	case bytecode.Call:
		return p.Args[in.C]
	}
	switch {
	case d == Reading && in.Op == bytecode.Union:
		return one(in.C)
	case d == Reading && in.Op == bytecode.Enter:
		return one(in.A)
	case d == Reading && in.Op == bytecode.Compare:
		return one(in.B)
	case in.Op == bytecode.Settle && (d == Writing || in.C&bytecode.SettleAny == 0):
		return one(in.B)
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
// subst. It is in the order of the arms.
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

// branches reports whether a node of an expression has two outcomes.
func branches(e *bytecode.Expr) bool {
	return truthful(e.Op) || e.Op == bytecode.ExprSelect || e.Op == bytecode.ExprMin || e.Op == bytecode.ExprMax ||
		e.Op == bytecode.ExprFit && e.Arg < 64
}

// truthful reports whether an operation gives true or false.
func truthful(op bytecode.ExprOp) bool {
	return op >= bytecode.ExprEq && op <= bytecode.ExprEither || op == bytecode.ExprNot || op == bytecode.ExprPresent || op == bytecode.ExprMore ||
		op == bytecode.ExprOutside || op == bytecode.ExprWide || op == bytecode.ExprExact || op == bytecode.ExprClosed
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
	if d == Reading && s == SiteRefused && (in.Op == bytecode.Word || in.Op == bytecode.Scalars) {
		return in.Coded()
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
		case SiteShort:
			return in.B&bytecode.PadOrEnd == 0
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
			return in.Scalar().IsFloat()
		}
		if s == SiteRefused {
			return in.Scalar() == bytecode.F16
		}
	case bytecode.Lanes:
		switch s {
		case SiteConverted:
			return in.Scalar().IsFloat()
		case SiteRefused:
			return in.Scalar() == bytecode.F16
		}
	case bytecode.Rest, bytecode.Spare:
		return s != SiteCount
	case bytecode.Header, bytecode.Word, bytecode.Patch:
		if s == SiteRange {
			return (in.Scalar().Width() < 8 || !in.Coding().Holds(math.MaxUint64)) && (in.Op != bytecode.Word || in.D == bytecode.None)
		}
		if s == SitePlace {
			return !in.Varies()
		}
	case bytecode.Expect:
		if s == SiteRange {
			return in.C&bytecode.ExpectTruth == 0
		}
	case bytecode.Scalars:
		switch k := in.Scalar(); s {
		case SiteRange:
			return !k.IsFloat()
		case SiteRounded:
			return k == bytecode.F32
		case SiteRefused:
			return k == bytecode.F16
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
		return fieldsApply(p.Types[in.B].Fields, s)
	case bytecode.Until, bytecode.Filled:
		return m.delimits(d, in, s)
	case bytecode.Text:
		return textApplies(d, &p.Encodings[in.A], s)
	}
	return true
}

// fieldsApply reports whether a writer of a record with these fields can come to a site of its instruction.
func fieldsApply(fields []bytecode.Field, s Site) bool {
	switch n := len(fields); s {
	case SiteRun:
	case SiteFieldCount, SiteEmpty:
		return n > 1
	case SiteKind, SiteFields:
		return n > 1 || n == 1 && !fields[0].Alone
	case SiteAlone:
		return slices.ContainsFunc(fields, func(f bytecode.Field) bool { return f.Alone })
	case SiteRepeats:
		return slices.ContainsFunc(fields, func(f bytecode.Field) bool { return f.Kind == None || f.Kind == Map })
	default:
		return n > 0
	}
	return true
}

// delimits reports whether text or bytes that end before a delimiter can have a site.
func (m *Machine) delimits(d Direction, in *bytecode.Instr, s Site) bool {
	end, unit, last := m.p.Delimiter(in)
	switch s {
	case SiteRun, SiteKind, SiteEmpty, SiteSeveral:
		return true
	case SiteNumbers:
		return in.A == bytecode.None
	case SiteShort:
		return end != ""
	case SiteRange:
		return in.Op == bytecode.Filled
	case SiteMemory:
		if in.Op != bytecode.Filled {
			return false
		}
		n, constant := m.p.Exprs[in.B].Constant()
		return !constant || n > builtin.MaxFill
	case SiteRefused:
		if d == Writing {
			return end != ""
		}
		if last && unit > 1 { // of a row that is filled up: its size is an expression
			if n, constant := m.p.Exprs[in.B].Constant(); !constant || n%int64(unit) != 0 {
				return true // a byte behind the last code unit
			}
		}
		return end != "" && in.A != bytecode.None && (m.p.Encodings[in.A].Charset == builtin.UTF8Loose || m.p.Encodings[in.A].NUL != bytecode.NULKeep)
	}
	if in.A == bytecode.None || end == strings.Repeat("\x00", unit) && (s == SiteNULInside || s == SiteNULLast || s == SiteNULKept) {
		return false
	}
	return textApplies(d, &m.p.Encodings[in.A], s)
}

// textApplies reports whether text in an encoding can have a site.
func textApplies(d Direction, enc *bytecode.Encoding, s Site) bool {
	if !enc.Charset.Verbatim() {
		return charsetApplies(d, enc, s)
	}
	strict, loose := enc.Charset == builtin.UTF8Strict, enc.Charset == builtin.UTF8Loose
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
		return enc.Charset == builtin.UTF8Unchecked
	}
	return true
}

// charsetApplies reports whether text whose bytes are not its value can have a site. A writer
// refuses values that are not UTF-8.
func charsetApplies(d Direction, enc *bytecode.Encoding, s Site) bool {
	wide := enc.Charset.IsUTF16()
	switch s {
	case SiteMark, SiteLongForm, SiteHalf, SiteHuge, SiteUnchecked:
		return false
	case SiteNULInside, SiteNULLast, SiteNUL:
		return enc.NUL != bytecode.NULKeep
	case SiteNULMissing:
		return enc.NUL == bytecode.NULCounted
	case SiteNULKept:
		return enc.NUL == bytecode.NULKeep && !wide
	case SiteStray, SiteNoLead, SiteBroken, SiteOverlong:
		return d == Writing
	case SiteCut, SiteSurrogate:
		return d == Writing || wide
	case SiteBeyond:
		return d == Writing || enc.Charset == builtin.ASCII
	}
	return true
}
