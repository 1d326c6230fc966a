// Reachability of points, with proofs for the unreachable ones.

package reach

import (
	"fmt"
	"maps"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// depths finds out where values, and records, can be nested too deeply.
func (f *Facts) depths() {
	n := len(f.p.Routines)
	f.nested, f.framed = make([]bool, n), make([]bool, n)
	calls := make([][]uint32, n)
	for i := range f.p.Routines {
		for pc := f.p.Routines[i].Start; pc < f.p.Routines[i].End; pc++ {
			for _, c := range f.p.Code[pc].Calls() {
				if !slices.Contains(calls[i], c) {
					calls[i] = append(calls[i], c)
				}
			}
		}
	}
	// within[i] is what a value of routine i can have inside it.
	within := make([][]bool, n)
	for i := range within {
		within[i] = make([]bool, n)
		todo := append([]uint32(nil), calls[i]...)
		for len(todo) > 0 {
			c := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !within[i][c] {
				within[i][c] = true
				todo = append(todo, calls[c]...)
			}
		}
	}
	f.levels(calls)
	// The engine allows four records to a level, and 64 more.
	var chain func(i uint32, left int) int
	chain = func(i uint32, left int) int {
		if f.p.Routines[i].Nests || left == 0 {
			return 0
		}
		longest := 0
		for _, c := range calls[i] {
			longest = max(longest, chain(c, left-1))
		}
		return longest + 1
	}
	for i := range f.p.Routines {
		if chain(uint32(i), 4) > 3 && n > 64 || within[i][i] && !f.p.Routines[i].Nests && !f.throughLevels(uint32(i), calls) {
			for k := range f.framed {
				f.framed[k] = true
			}
		}
	}
}

// levels finds the routines that can be nested n levels inside of others.
func (f *Facts) levels(calls [][]uint32) {
	limit := int(f.p.Depth)
	at := f.inside(calls, map[uint32]bool{f.p.Root: true})
	seen := map[string]int{} // levels at which there are the same routines come again and again
	var all []map[uint32]bool
	for d := 0; len(at) > 0; d++ {
		key := fmt.Sprint(at)
		if first, again := seen[key]; again {
			// From here on it goes round; the limit is as if it were so much sooner.
			period := d - first
			if limit >= first {
				limit = first + (limit-first)%period
			}
			all = append(all, all[first:]...)
			all = append(all, all[first:]...) // levels 1 and 2, and the one behind the limit, are there
			break
		}
		seen[key] = d
		all = append(all, at)
		next := map[uint32]bool{}
		for i := range at {
			if f.p.Routines[i].Nests {
				for _, c := range calls[i] {
					next[c] = true
				}
			}
		}
		at = f.inside(calls, next)
	}
	for d, at := range all {
		for i := range at {
			if r := &f.p.Routines[i]; r.Nests && (d == limit+1 || f.s.Depths && d > 1) {
				f.nested[i] = true
			}
			f.deepest = f.deepest || d == limit && f.p.Routines[i].Nests && f.flat(i)
		}
	}
}

// inside adds to routines what they call without another level.
func (f *Facts) inside(calls [][]uint32, at map[uint32]bool) map[uint32]bool {
	todo := slices.Collect(maps.Keys(at))
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if f.p.Routines[i].Nests {
			continue
		}
		for _, c := range calls[i] {
			if !at[c] {
				at[c] = true
				todo = append(todo, c)
			}
		}
	}
	return at
}

// flat reports whether a value of a routine may have no other level inside it.
func (f *Facts) flat(index uint32) bool {
	asked := map[uint32]bool{}
	var routine func(index uint32) bool
	var block func(b bytecode.Block) bool
	routine = func(index uint32) bool {
		if asked[index] {
			return true // not known
		}
		asked[index] = true
		return block(f.p.Body(index))
	}
	block = func(b bytecode.Block) bool {
		for pc, in := range f.p.Instrs(b) {
			if in.Op == bytecode.Call && (f.p.Routines[in.A].Nests || !routine(in.A)) {
				return false
			}
			if inner := f.p.Inner(pc); inner != nil && !slices.ContainsFunc(inner, block) {
				return false
			}
		}
		return true
	}
	return routine(index)
}

// LastLevel reports whether a value that is nested as deeply as allowed can be read
// or written to its end.
func (f *Facts) LastLevel() bool { return f.deepest || f.s.Depths }

// throughLevels reports whether a routine contains itself only through one that
// counts towards the depth.
func (f *Facts) throughLevels(i uint32, calls [][]uint32) bool {
	seen := make([]bool, len(calls))
	todo := append([]uint32(nil), calls[i]...)
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if c == i {
			return false
		}
		if !seen[c] && !f.p.Routines[c].Nests {
			seen[c] = true
			todo = append(todo, calls[c]...)
		}
	}
	return true
}

// Runs reports whether an instruction can be run in a direction, and if not, why.
func (f *Facts) Runs(d interp.Direction, pc int) (ok bool, why string) {
	if f.gaveUp[d][f.p.RoutineAt(pc)] || f.can[place{d, pc, interp.SiteRun, 0, 0}] {
		return true, ""
	}
	return false, f.unrun(d, pc)
}

// Verdict is whether a point can be reached.
type Verdict uint8

// The verdicts.
const (
	// Possible is any point that is not proved unreachable.
	Possible Verdict = iota
	// Impossible is an unreachable point.
	Impossible
	// NotHere is a point that only runs of another Setup reach, or without an effect.
	NotHere
)

// Unread is the reason why a point does not count although runs may reach it.
const Unread = "nothing looks at it where it does so"

// Reach says whether a point can be reached, and if not, why.
func (f *Facts) Reach(q interp.Point) (Verdict, string) {
	at := place{q.Dir, q.PC, q.Site, q.N, q.Expr}
	possible := f.gaveUp[q.Dir][f.p.RoutineAt(q.PC)] || f.can[at]
	why := f.setup(q)
	switch {
	case why != "":
	case possible:
		return Possible, ""
	case f.idle[at]:
		return NotHere, Unread
	default:
		var runs bool
		if runs, why = f.Runs(q.Dir, q.PC); runs {
			why = f.why(q)
		}
	}
	if f.all != nil {
		v, ever := f.all.Reach(q)
		if v != Impossible {
			return NotHere, why
		}
		why = ever
	}
	return Impossible, why
}

// setup returns why the runs that facts are about do not reach a point.
func (f *Facts) setup(q interp.Point) string {
	at := place{q.Dir, q.PC, q.Site, q.N, q.Expr}
	if f.s.ReadBack && q.Dir == interp.Writing && f.all != nil && !f.gaveUp[q.Dir][f.p.RoutineAt(q.PC)] && !f.can[at] && !f.idle[at] {
		if v, _ := f.all.Reach(q); v == Possible {
			return "nothing is written but what was read"
		}
	}
	switch q.Site {
	case interp.SiteMemory:
		if !f.s.Memory {
			return "no run has a limit on memory"
		}
	case interp.SiteOpen:
		if !f.s.Gates {
			return "no run has a gate open"
		}
	case interp.SiteYes:
		if f.p.Exprs[q.Expr].Node(q.N).Op == bytecode.ExprExact && !f.s.Widths {
			return "no run keeps widths"
		}
	case interp.SiteKind, interp.SiteNothing, interp.SiteFieldCount, interp.SiteNumbers:
		if !f.s.Shapes {
			return "no value has a shape that the schema does not have"
		}
	case interp.SiteEmpty:
		if !f.s.Shapes && f.p.Code[q.PC].Op == bytecode.Fields {
			return "no value has a shape that the schema does not have"
		}
	case interp.SiteForeign:
		if union := f.unionOf(q.PC); !f.s.Shapes && union != f.p.Root {
			return fmt.Sprintf("no value of %s is of another type than those", f.p.Routines[union].Name)
		}
	}
	return ""
}

// unionOf returns the union that an instruction is about.
func (f *Facts) unionOf(pc int) uint32 {
	if in := &f.p.Code[pc]; in.Op == bytecode.ArmRef {
		return in.C
	}
	return f.p.RoutineAt(pc)
}

// unrun says why an instruction is never run.
func (f *Facts) unrun(d interp.Direction, pc int) string {
	index := f.p.RoutineAt(pc)
	r := &f.p.Routines[index]
	if !f.contexts[d][index].called {
		return fmt.Sprintf("no %s is ever %s", r.Name, done(d))
	}
	leading := f.leading(f.p.Body(index), pc)
	for i := len(leading) - 1; i >= 0; i-- {
		k := leading[i]
		if !f.can[place{d, k, interp.SiteRun, 0, 0}] {
			continue
		}
		switch in := &f.p.Code[k]; in.Op {
		case bytecode.If:
			if pc <= f.p.End(k) || pc > f.p.Close(k) {
				return fmt.Sprintf("%s never holds when %s", f.p.ExprText(in.A), doing(d))
			}
			return fmt.Sprintf("%s always holds when %s", f.p.ExprText(in.A), doing(d))
		case bytecode.Union, bytecode.Switch:
			return fmt.Sprintf("no number leads to it when %s", doing(d))
		case bytecode.Gate:
			return "no run has a gate open"
		default:
			return fmt.Sprintf("%q before it refuses any value there", f.p.InstrText(in))
		}
	}
	return "nothing leads to it"
}

// leading returns the instructions of a block that paths to pc can run, in order.
func (f *Facts) leading(b bytecode.Block, pc int) []int {
	var all []int
	for k := range f.p.Instrs(b) {
		if k >= pc {
			break
		}
		all = append(all, k)
		for _, inner := range f.p.Inner(k) {
			if pc > f.p.Close(k) || inner.First <= pc && pc <= inner.Last {
				all = append(all, f.leading(inner, pc)...)
			}
		}
	}
	return all
}

func doing(d interp.Direction) string {
	if d == interp.Writing {
		return "writing"
	}
	return "reading"
}

func done(d interp.Direction) string {
	if d == interp.Writing {
		return "written"
	}
	return "read"
}

// why says why something never happens at an instruction that is run.
func (f *Facts) why(q interp.Point) string {
	in := &f.p.Code[q.PC]
	numbers := func(site interp.Site, n int, expr uint32) (span, bool) {
		r, ok := f.ranges[place{q.Dir, q.PC, site, n, expr}]
		return r, ok
	}
	switch q.Site {
	case interp.SiteYes, interp.SiteNo:
		return f.whyStep(q)
	case interp.SiteHeld:
		return fmt.Sprintf("%s never holds when %s", f.p.ExprText(in.A), doing(q.Dir))
	case interp.SiteJumped:
		return fmt.Sprintf("%s always holds when %s", f.p.ExprText(in.A), doing(q.Dir))
	case interp.SiteRefused:
		if in.Op == bytecode.Check {
			return fmt.Sprintf("%s always holds when %s", f.p.ExprText(in.A), doing(q.Dir))
		}
		return "there is never any padding"
	case interp.SiteArm:
		return "the number is never that one"
	case interp.SiteZero, interp.SiteOne:
		if r, ok := numbers(interp.SiteZero, 0, 0); ok {
			return fmt.Sprintf("the number is always %s", r)
		}
	case interp.SiteEmpty, interp.SiteSingle, interp.SiteSeveral:
		if r, ok := numbers(interp.SiteEmpty, 0, 0); ok {
			return fmt.Sprintf("the number of parts is always %s", r)
		}
	case interp.SiteRepeats:
		if in.Op == bytecode.Fields {
			return "no field of it is ever a map"
		}
		return "there is never more than one pair"
	case interp.SiteMemory:
		return "no memory is taken, as the one field that has a value represents the record"
	case interp.SitePadded:
		if r, ok := numbers(interp.SitePadded, 0, 0); ok && r.hi == int64(in.A) {
			return fmt.Sprintf("there are always %d bytes of padding", r.lo)
		}
		return "the bytes before the padding never leave that many bytes of padding"
	case interp.SitePadEnd, interp.SitePadOther:
		return "there is never any padding"
	case interp.SiteUnknown:
		if r, ok := numbers(interp.SiteUnknown, 0, 0); ok {
			return fmt.Sprintf("the number is always %s, and each of these has a meaning", r)
		}
	case interp.SiteNothing:
		return "there is always a value where this comes"
	case interp.SiteForeign:
		return "what is written before it refuses such a value: it has no number"
	case interp.SiteOtherArm:
		if len(f.p.Tables[in.D].Arms) == 1 {
			return "there is no other arm"
		}
		return "the number is made from the value's own arm"
	case interp.SiteRange:
		if r, ok := numbers(interp.SiteRange, 0, 0); ok && r != anything {
			if r.hi >= f.s.Size {
				return fmt.Sprintf("the number is always %s, in values of at most %d bytes or parts", r, f.s.Size)
			}
			return fmt.Sprintf("the number is always %s", r)
		}
		return "only numbers that fit get here"
	case interp.SiteRounded:
		return "only numbers that single precision holds get here"
	case interp.SiteCount:
		return "the fields before say what there is, as they are made from it"
	case interp.SitePresent:
		return "a value that comes here has none in this field, or the fields before it and this one never have values together"
	case interp.SitePlace:
		return "the verifier has shown that it is the place of a number that was written"
	case interp.SiteLeftOver:
		return "what is inside always takes all that is left"
	case interp.SiteAlone:
		return "no field is ever the only one that has a value and may be alone"
	case interp.SiteFields:
		return "the one field that has a value always represents the record"
	case interp.SiteConverted:
		return "no reader of the schema gives such numbers in another precision"
	case interp.SiteTooDeep:
		return "it is never just one level deeper than is allowed"
	case interp.SiteTooNested:
		return "the limit on levels is reached before, as each level has few records"
	}
	if in.Op == bytecode.Text {
		return "the text is always empty"
	}
	return "the analysis of the program finds no way to it"
}

// whyStep says why a step of an expression never goes one way.
func (f *Facts) whyStep(q interp.Point) string {
	r, ok := f.ranges[place{q.Dir, q.PC, interp.SiteNo, q.N, q.Expr}]
	switch op := f.p.Exprs[q.Expr].Node(q.N).Op; {
	case op == bytecode.ExprFit && ok && q.Site == interp.SiteNo:
		return fmt.Sprintf("the number is always %s", r)
	case (op == bytecode.ExprMin || op == bytecode.ExprMax) && ok:
		return fmt.Sprintf("the first number less the second is always %s", r)
	case op == bytecode.ExprSelect && q.Site == interp.SiteYes:
		return "its condition never holds when " + doing(q.Dir)
	case op == bytecode.ExprSelect:
		return "its condition always holds when " + doing(q.Dir)
	case q.Site == interp.SiteYes:
		return "it never holds when " + doing(q.Dir)
	}
	return "it always holds when " + doing(q.Dir)
}
