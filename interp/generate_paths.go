// Static analysis for generating: which cells may still get a value from an
// instruction on, how many levels of nested values are needed at least, and which
// numbers conditions are about.

package interp

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// cellSet is a set of cells.
type cellSet [bytecode.MaxCells / 64]uint64

func (s *cellSet) put(c uint32)      { s[c/64] |= 1 << (c % 64) }
func (s *cellSet) has(c uint32) bool { return s[c/64]>>(c%64)&1 != 0 }
func (s *cellSet) add(t cellSet) {
	for i := range s {
		s[i] |= t[i]
	}
}
func (s *cellSet) keep(t cellSet) {
	for i := range s {
		s[i] &= t[i]
	}
}

// shape is what one way to the end does to cells: which get a value, and which
// must have none.
type shape struct{ has, not cellSet }

// maxShapes bounds the number of shapes that are distinguished.
const maxShapes = 64

// never is more levels than there can be.
const never = 1 << 24

type paths struct {
	p       *bytecode.Program
	open    uint8
	height  []int                         // of each routine: fewest levels of a value of it; never if it has no value
	least   []int                         // from each instruction to the end of its routine
	shapes  [][]shape                     // from each instruction on
	holds   []bool                        // whether from an instruction on there are values of routines that nest
	order   [][]int                       // of each union: its arms by simplicity
	edges   []edges                       // of each routine: the numbers that its conditions are about
	equals  []map[uint32][]*bytecode.Expr // of each routine, by cell: the other sides of equations of its number
	ends    [][]ending                    // of each union: of its arms, nil if unknown
	selects [][]uint64                    // of each union by an argument: the numbers of its arms
	counts  *counting
	places  []places
	asks    [][]*bytecode.Expr  // of each expression: the nodes that look at cells
	texts   map[[2]int][]string // what texts are compared with, by the first instruction of the record and the cell
	found   map[[2]uint32][]int // writers, by instruction and cell
}

// backward computes a fact of every instruction of a block, from the last to the
// first. It returns the one of the first. The fact of an instruction follows from
// those of the instructions that may be run next, which are the first ones of its
// inner blocks if it begins a construct. After is the fact of the end of the block.
func backward[T any](p *bytecode.Program, b bytecode.Block, after T, facts []T, fact func(pc int, in *bytecode.Instr, next []T) T) T {
	var pcs []int
	for pc := range p.Instrs(b) {
		pcs = append(pcs, pc)
	}
	for _, pc := range slices.Backward(pcs) {
		in, next := &p.Code[pc], []T{after}
		switch in.Op {
		case bytecode.Fields, bytecode.Enter, bytecode.Base, bytecode.Seek, bytecode.If, bytecode.Union, bytecode.Switch:
			next = next[:0]
			for _, inner := range p.Inner(pc) {
				next = append(next, backward(p, inner, after, facts, fact))
			}
		}
		facts[pc] = fact(pc, in, next)
		after = facts[pc]
	}
	return after
}

// findTexts finds the texts that the expressions of records compare cells with.
func (s *paths) findTexts() {
	s.texts = map[[2]int][]string{}
	note := func(pc int, expr uint32) {
		for _, e := range s.asks[expr] {
			if at := [2]int{s.counts.fields[pc], int(e.Arg)}; e.Op == bytecode.ExprEquals && !slices.Contains(s.texts[at], s.p.Strings[e.Arg2]) {
				s.texts[at] = append(s.texts[at], s.p.Strings[e.Arg2])
			}
		}
	}
	for pc := range s.p.Code {
		in := &s.p.Code[pc]
		for k, x := range [4]uint32{in.A, in.B, in.C, in.D} {
			switch kind := in.Op.Operands()[k]; {
			case kind == bytecode.OpExpr, kind == bytecode.OpExprOpt && x != bytecode.None:
				note(pc, x)
			case kind == bytecode.OpArgs:
				for _, expr := range s.p.Args[x] {
					note(pc, expr)
				}
			}
		}
	}
}

// literals returns the texts that expressions compare a cell with, in the record of an instruction.
func (s *paths) literals(pc int, cell uint32) []string {
	return s.texts[[2]int{s.counts.fields[pc], int(cell)}]
}

func findPaths(m *Machine, open uint8) *paths {
	p := m.p
	s := &paths{
		p: p, open: open,
		height: make([]int, len(p.Routines)), least: make([]int, len(p.Code)),
		shapes: make([][]shape, len(p.Code)), holds: make([]bool, len(p.Code)),
		order: make([][]int, len(p.Routines)), ends: make([][]ending, len(p.Routines)),
		selects: make([][]uint64, len(p.Routines)),
		asks:    make([][]*bytecode.Expr, len(p.Exprs)),
		found:   map[[2]uint32][]int{}, counts: findCounts(p, (*bytecode.Instr).Count), places: findPlaces(p),
	}
	for i, expr := range p.Exprs {
		expr.Walk(func(e *bytecode.Expr) {
			if e.Op.NeedsCells() {
				s.asks[i] = append(s.asks[i], e)
			}
		})
	}
	s.findTexts()
	for i := range s.height {
		s.height[i] = never
	}
	for changed := true; changed; {
		changed = false
		for i := range p.Routines {
			h := backward(p, p.Body(uint32(i)), 0, s.least, s.levels)
			if p.Routines[i].Nests && h < never {
				h++
			}
			if h < s.height[i] {
				s.height[i], changed = h, true
			}
		}
	}
	nests := make([]bool, len(p.Routines)) // whether values of a routine are, or hold, values that nest
	for changed := true; changed; {
		changed = false
		for i := range p.Routines {
			holds := backward(p, p.Body(uint32(i)), false, s.holds, func(_ int, in *bytecode.Instr, next []bool) bool {
				return nesting(in, next, nests)
			})
			if n := p.Routines[i].Nests || holds; n && !nests[i] {
				nests[i], changed = true, true
			}
		}
	}
	s.findEdges()
	for i := range p.Routines {
		r := &p.Routines[i]
		backward(p, p.Body(uint32(i)), []shape{{}}, s.shapes, s.ahead)
		if t, ok := p.UnionTable(uint32(i)); ok {
			order := make([]int, len(t.Arms))
			for k := range order {
				order[k] = k
			}
			sort.SliceStable(order, func(a, b int) bool {
				x, y := order[a], order[b]
				if h, k := s.holds[m.armStart(uint32(i), x)], s.holds[m.armStart(uint32(i), y)]; h != k {
					return k
				}
				return p.ArmBounds(uint32(i), x).Min < p.ArmBounds(uint32(i), y).Min
			})
			s.order[i], s.ends[i] = order, s.endings(uint32(i))
			if first := &p.Code[r.Start]; first.Op == bytecode.Switch && p.Exprs[first.C].Op == bytecode.ExprReg {
				s.selects[i] = s.selecting(uint32(i))
			}
		}
	}
	return s
}

// levels returns the fewest levels from an instruction to the end.
func (s *paths) levels(_ int, in *bytecode.Instr, next []int) int {
	least := never
	for _, n := range next {
		least = min(least, n)
	}
	switch in.Op {
	case bytecode.Gate:
		if s.open>>in.A&1 == 0 {
			return never
		}
	case bytecode.Call:
		return max(least, s.height[in.A])
	case bytecode.Through:
		return max(least, s.height[in.A])
	case bytecode.List, bytecode.Map:
		if n, ok := s.p.Exprs[in.A].Constant(); ok && n > 0 {
			return max(least, s.height[in.B])
		}
	case bytecode.Check:
		if e := s.p.Exprs[in.A]; constant(e) {
			if x, _ := (&scope{open: s.open}).run(e); x == 0 {
				return never
			}
		}
	}
	return least
}

// constant reports whether an expression depends on nothing but gates.
func constant(e *bytecode.Expr) bool {
	return !e.Any(func(x *bytecode.Expr) bool {
		return x.Op == bytecode.ExprReg || x.Op.NeedsCells() || x.Op == bytecode.ExprExact
	})
}

// nesting reports whether from an instruction on there are values of routines that
// nest.
func nesting(in *bytecode.Instr, next, nests []bool) bool {
	return slices.Contains(next, true) || slices.ContainsFunc(in.Calls(), func(r uint32) bool { return nests[r] })
}

// ahead returns the shapes from an instruction on.
func (s *paths) ahead(pc int, in *bytecode.Instr, next [][]shape) []shape {
	if s.least[pc] >= never {
		return nil
	}
	var out []shape
	for _, shapes := range next {
		for _, sh := range shapes {
			if c := in.Cell(); c != bytecode.None {
				sh.has.put(c)
			} else if in.Op == bytecode.Absent {
				sh.not.put(in.A)
			}
			known := false
			for _, o := range out {
				known = known || o == sh
			}
			if !known && len(out) < maxShapes {
				out = append(out, sh)
			}
		}
	}
	return out
}

// presence reports whether a cell may have a value, and whether it may have none. It considers the paths from an
// instruction on that agree with the decided states.
func (s *paths) presence(pc int, decided []state, c uint32) (yes, no bool) {
	for i := range s.shapes[pc] {
		sh := &s.shapes[pc][i]
		agrees := true
		for d, st := range decided {
			if st&isPresent != 0 && sh.not.has(uint32(d)) || st&isAbsent != 0 && sh.has.has(uint32(d)) {
				agrees = false
				break
			}
		}
		if agrees {
			if sh.has.has(c) {
				yes = true
			} else {
				no = true
			}
		}
	}
	return yes, no
}

// writers returns the instructions that may give a cell its value from pc on.
func (s *paths) writers(routine uint32, pc int, c uint32) []int {
	key := [2]uint32{uint32(pc), c}
	if w, ok := s.found[key]; ok {
		return w
	}
	var out []int
	if s.least[pc] < never {
		s.reached(s.p.Body(routine), pc, func(at int, in *bytecode.Instr) {
			if in.Cell() == c {
				out = append(out, at)
			}
		})
	}
	s.found[key] = out
	return out
}

// reached calls f for the instructions of a block that a run from an instruction
// on may reach. They must be able to come to the end.
func (s *paths) reached(b bytecode.Block, from int, f func(pc int, in *bytecode.Instr)) {
	for pc, in := range s.p.Instrs(b) {
		if pc >= from {
			if s.least[pc] >= never {
				return
			}
			f(pc, in)
		}
		for _, inner := range s.p.Inner(pc) {
			s.reached(inner, from, f)
			if inner.First <= from && from < inner.Last {
				break // the other blocks are alternatives to the one that from is in
			}
		}
	}
}

// sources calls f for the instructions that set the registers from which instructions take a
// number. They are words, headers and results of expressions.
func (s *paths) sources(takes []int, f func(in *bytecode.Instr)) {
	for _, pc := range takes {
		reg := s.p.Code[pc].B
		for i := range slices.Backward(s.p.Code[:pc]) {
			in := &s.p.Code[i]
			if (in.Op == bytecode.Word || in.Op == bytecode.Header) && in.B == reg || in.Op == bytecode.Let && in.A == reg {
				f(in)
				break
			}
		}
	}
}

// bits returns how many bits a number may have, given the instructions that take it. They are those of its widest
// word, or of its part of a word.
func (s *paths) bits(takes []int) int {
	most := 0
	s.sources(takes, func(in *bytecode.Instr) {
		if in.Op == bytecode.Let {
			most = max(most, masked(s.p.Exprs[in.B]))
		} else {
			most = max(most, 8*in.Scalar().Width())
		}
	})
	return most
}

// coding returns the coding with fewer than 64 bits of the words that instructions take a number from, or
// Fixed.
func (s *paths) coding(takes []int) bytecode.Coding {
	coding := builtin.Fixed
	s.sources(takes, func(in *bytecode.Instr) {
		if in.Op == bytecode.Word && !in.Coding().Holds(math.MaxUint64) && coding == builtin.Fixed {
			coding = in.Coding()
		}
	})
	return coding
}

// masked returns how many bits the result of an expression may have: those of its mask, or 64.
func masked(e *bytecode.Expr) int {
	if e.Op == bytecode.ExprAnd {
		if mask, ok := e.Args[1].Constant(); ok {
			return bits.Len64(uint64(mask))
		}
	}
	return 64
}

// selecting returns the numbers that select an arm of a union by an argument. Those of simple arms are first, and those of
// arms that always refuse are left out.
func (s *paths) selecting(routine uint32) []uint64 {
	var out []uint64
	t, _ := s.p.UnionTable(routine)
	arms := s.p.Inner(int(s.p.Routines[routine].Start))
	for _, arm := range s.order[routine] {
		if s.least[arms[arm].First] < never {
			out = append(out, t.Arms[arm].Ends()...)
		}
	}
	return out
}

// selectTurn is the try of a record from which on numbers that select no arm are replaced. Every other try takes the
// number of the next arm.
const selectTurn = 4

// selector returns the number that a cell must have to select an arm. An argument must be the number plus a
// constant. The number must be the only one among the cells. The cells are those that the call of a union is about.
func (g *generating) selector(f *frame, in *bytecode.Instr, cells cellSet) (n uint64, ok bool) {
	numbers, turn := g.g.paths.selects[in.A], f.again.turn-selectTurn
	if len(numbers) == 0 || turn < 0 || turn%2 != 0 || f.state[in.B]&hasArm != 0 {
		return 0, false
	}
	n = numbers[turn/2%len(numbers)]
	s := g.scope(f)
	var args []uint64
	for _, e := range g.p.Args[in.C] {
		x, _ := s.run(g.p.Exprs[e])
		args = append(args, uint64(x))
	}
	now, _ := (&scope{m: g.m, regs: args}).run(g.p.Exprs[g.p.Code[g.p.Routines[in.A].Start].C])
	only := none
	for c := range f.cells {
		if k := f.cells[c].kind; cells.has(uint32(c)) && (k == Int || k == Uint) {
			if only >= 0 {
				return n, true
			}
			only = c
		}
	}
	if only >= 0 {
		n += f.cells[only].u - uint64(now)
	}
	return n, true
}

// compared returns a number that one of some cells should be equal to. If an equation does not hold, it is the constant or the
// left side, such as the size of content. It is that of one of several equations in turn. If an element should end a list and does not, it is
// the number that ends the list, and exact is true. If a number selects no arm in several tries, it is that of
// an arm, and exact is true.
func (g *generating) compared(f *frame, cells cellSet) (n uint64, exact bool) {
	in := &g.p.Code[f.pc]
	if in.Op == bytecode.Call {
		return g.selector(f, in, cells)
	}
	if in.Op != bytecode.Check && in.Op != bytecode.Stop {
		return 0, false
	}
	all := equations(g.p.Exprs[in.A], nil)
	if len(all) == 0 {
		return 0, false
	}
	one := all[f.again.turn%len(all)]
	if x, ok := one.Args[1].Constant(); ok || in.Op == bytecode.Stop {
		return uint64(x), ok && in.Op == bytecode.Stop && f.need == stops
	}
	s := g.scope(f)
	x, _ := s.run(one.Args[0])
	regs := one.Args[1].Registers()
	if len(regs) == 0 {
		return uint64(x), false
	}
	return s.solve(one.Args[1], regs[f.again.turn%len(regs)], x), false
}

// solve returns the number of a register for which an expression is n. It returns n if the expression is not linear in
// the register.
func (s *scope) solve(e *bytecode.Expr, reg uint32, n int64) uint64 {
	old := s.regs[reg]
	defer func() { s.regs[reg] = old }()
	at := func(x uint64) int64 {
		s.regs[reg] = x
		y, _ := s.run(e)
		return y
	}
	zero := at(0)
	each := at(1) - zero
	if each == 0 {
		return uint64(n)
	}
	if x := uint64((n - zero) / each); at(x) == n {
		return x
	}
	return uint64(n)
}

// inside notes numbers of records and tuples that a condition or a count which does not hold is about. In a further try the
// record has other numbers: that of the other side of an equation, or one of the candidates.
func (g *generating) inside(f *frame) {
	in, turn := &g.p.Code[f.pc], f.again.turn
	count := uint32(bytecode.None)
	switch in.Op {
	case bytecode.List, bytecode.Map:
		count = in.A
	case bytecode.Text, bytecode.Filled:
		count = in.B
	case bytecode.Packed:
		count = in.C
	}
	if count != bytecode.None {
		for _, reg := range g.p.Exprs[count].Registers() {
			g.within(f, reg, uint64(turn%8))
		}
	}
	if in.Op != bytecode.Check {
		return
	}
	extra := g.g.paths.edges[f.routine]
	for _, reg := range g.p.Exprs[in.A].Registers() {
		g.within(f, reg, candidate(bytecode.U64, 0, extra, turn%(len(extra)+drawSmall), 0))
	}
	s := g.scope(f)
	for _, one := range equations(g.p.Exprs[in.A], nil) {
		for side, e := range one.Args {
			if regs := e.Registers(); len(regs) > 0 {
				reg := regs[turn%len(regs)]
				x, _ := s.run(one.Args[1-side])
				g.within(f, reg, s.solve(e, reg, x))
			}
		}
	}
}

// within gives a number of a record or a tuple, if a register has one, in a further try.
func (g *generating) within(f *frame, reg uint32, n uint64) {
	member := g.member(f, reg)
	if member == nil {
		return
	}
	if f.again.inside == nil {
		f.again.inside = make([]map[uint64]uint64, len(f.cells))
	}
	places := &f.again.inside[member.Arg]
	if *places == nil {
		*places = map[uint64]uint64{}
	}
	(*places)[uint64(member.Arg2)] = n
}

// member returns the number of a record or a tuple that a register has, or nil.
func (g *generating) member(f *frame, reg uint32) *bytecode.Expr {
	code := g.p.Code[g.p.Routines[f.routine].Start:f.pc]
	for i := range slices.Backward(code) {
		if in := &code[i]; in.Op == bytecode.Let && in.A == reg {
			if of := g.p.Exprs[in.B]; of.Op == bytecode.ExprMember {
				return of
			}
			return nil
		}
	}
	return nil
}

// equations appends the equations of which one makes a condition hold.
func equations(e *bytecode.Expr, all []*bytecode.Expr) []*bytecode.Expr {
	switch e.Op {
	case bytecode.ExprEq:
		return append(all, e)
	case bytecode.ExprEither:
		return equations(e.Args[1], equations(e.Args[0], all))
	}
	return all
}

// blame returns the cells that the instruction at which a try ended is about.
func (g *generating) blame(f *frame) cellSet {
	p := g.p
	r := &p.Routines[f.routine]
	regs := make([]cellSet, r.Regs)
	of := func(expr uint32) (out cellSet) {
		if expr == bytecode.None {
			return out
		}
		p.Exprs[expr].Walk(func(e *bytecode.Expr) {
			if e.Op == bytecode.ExprReg {
				out.add(regs[e.Arg])
			} else if e.Op.NeedsCells() {
				out.put(uint32(e.Arg))
			}
		})
		return out
	}
	// The record that it is in began at the last fields before it.
	start := f.pc
	for start > int(r.Start) && p.Code[start].Op != bytecode.Fields {
		start--
	}
	var ifs cellSet
	for pc := start; pc < f.pc; pc++ {
		in := &p.Code[pc]
		switch in.Op {
		case bytecode.Word, bytecode.Header, bytecode.Patch:
			reg := in.B
			if in.Op == bytecode.Patch {
				reg = in.D
			}
			regs[reg].add(of(in.C))
		case bytecode.Let:
			regs[in.A].add(of(in.B))
		case bytecode.If:
			ifs.add(of(in.A))
		case bytecode.Size: // depends on the cells after the mark
			for at := pc; at >= start && (p.Code[at].Op != bytecode.Mark || p.Code[at].A != in.B); at-- {
				if c := p.Code[at].Cell(); c != bytecode.None {
					regs[in.A].put(c)
				}
			}
		}
	}
	in := &p.Code[f.pc]
	var out cellSet
	switch in.Op {
	case bytecode.Word, bytecode.Header, bytecode.Patch:
		return of(in.C)
	case bytecode.Let, bytecode.Text, bytecode.Filled:
		out = of(in.B)
	case bytecode.Check, bytecode.If, bytecode.Stop, bytecode.List, bytecode.Map:
		// A refusal under conditions is about them, and so is whether a cell has a value.
		if out = of(in.A); out == (cellSet{}) || len(g.g.paths.asks[in.A]) > 0 {
			out.add(ifs)
		}
	case bytecode.Packed:
		out = of(in.C)
	case bytecode.Call:
		for _, e := range p.Args[in.C] {
			out.add(of(e))
		}
		out.put(in.B)
	case bytecode.ArmRef:
		out = regs[in.B]
	case bytecode.Absent:
		out.put(in.A)
		out.add(ifs)
	case bytecode.Gate:
		out = ifs
	}
	from, n := p.Passed(f.pc)
	for reg := range n {
		out.add(regs[from+reg])
	}
	if c := in.Cell(); c != bytecode.None && f.state[c]&isAbsent != 0 {
		out.put(c)
		out.add(ifs)
	}
	return out
}
