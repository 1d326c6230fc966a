// Sizes: the fewest and the most bytes of values, and that a program uses up its
// input.

package bytecode

import "math/bits"

func (p *Program) constant(expr uint32) (uint64, bool) {
	if expr == None {
		return 0, false
	}
	n, ok := p.Exprs[expr].Constant()
	return uint64(n), ok && n >= 0
}

func addSize(a, b uint64) uint64 {
	if s := a + b; s >= a && a != Unbounded && b != Unbounded {
		return s
	}
	return Unbounded
}

func mulSize(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return 0
	}
	hi, lo := bits.Mul64(a, b)
	if hi != 0 || a == Unbounded || b == Unbounded {
		return Unbounded
	}
	return lo
}

// Own returns the fewest bytes that an instruction uses up, without those of its
// blocks. The fewest of each routine must be known.
func (p *Program) Own(in *Instr) uint64 {
	switch in.Op {
	case Union, Word, Scalars, Truth:
		return uint64(in.Least())
	case Lanes:
		return uint64(in.Scalar().Width()) * uint64(in.B)
	case Packed:
		if n, ok := p.constant(in.C); ok {
			return mulSize(n, uint64(in.Scalar().Width())*uint64(in.B))
		}
	case Text:
		if n, ok := p.constant(in.B); ok {
			return n
		}
	case Until:
		return uint64(len(p.Strings[in.B]))
	case Filled:
		if n, ok := p.constant(in.B); ok {
			return n
		}
	case List:
		if n, ok := p.constant(in.A); ok {
			return mulSize(n, p.sizes[in.B].Min)
		}
	case Map:
		if n, ok := p.constant(in.A); ok {
			return mulSize(n, addSize(p.sizes[in.B].Min, p.sizes[in.D].Min))
		}
	case Call, Through:
		return p.sizes[in.A].Min
	}
	return 0
}

// fewest returns the fewest bytes of a block. Arms that are always refused have no values, so
// they count only if refused is set.
func (p *Program) fewest(b Block, refused bool) uint64 {
	sum := uint64(0)
	for pc, in := range p.Instrs(b) {
		sum = addSize(sum, p.Own(in))
		if in.Op.begins() {
			least := uint64(Unbounded)
			for _, inner := range p.Inner(pc) {
				if refused || in.Op != Union && in.Op != Switch || !p.refuses(inner) {
					least = min(least, p.fewest(inner, refused))
				}
			}
			if n, ok := p.area(in); ok {
				least = max(least, n)
			}
			sum = addSize(sum, least)
		}
	}
	return sum
}

// refuses reports whether a block has a condition that never holds, outside of conditions and regions.
func (p *Program) refuses(b Block) bool {
	for pc, in := range p.Instrs(b) {
		n, constant := uint64(1), false
		if in.Op == Check {
			n, constant = p.constant(in.A)
		}
		if constant && n == 0 || (in.Op == Fields || in.Op == Base) && p.refuses(p.Inner(pc)[0]) {
			return true
		}
	}
	return false
}

// area returns the bytes of a region, if they are constant. Its content uses them up.
func (p *Program) area(in *Instr) (bytes uint64, ok bool) {
	if in.Op != Enter {
		return 0, false
	}
	return p.constant(in.A)
}

// begins reports whether the operation has blocks inside.
func (o Op) begins() bool {
	return o == Fields || o == Union || o == Switch || o == If || o == Enter || o == Base
}

// minima computes the fewest bytes of each routine, as a fixed point from above.
func (v *verifier) minima() error {
	p := v.p
	p.sizes = make([]Bounds, len(p.Routines))
	for i := range p.sizes {
		p.sizes[i].Min = Unbounded
	}
	ended := make([]bool, len(p.Routines)) // without arms that are refused
	for _, refused := range []bool{false, true} {
		for changed := true; changed; {
			changed = false
			for i := range p.Routines {
				if ended[i] {
					continue
				}
				if m := p.fewest(p.Body(uint32(i)), refused); m < p.sizes[i].Min {
					p.sizes[i].Min, changed = m, true
				}
			}
		}
		for i := range p.Routines {
			ended[i] = p.sizes[i].Min != Unbounded
		}
	}
	for i := range p.Routines {
		r := &p.Routines[i]
		switch m := p.sizes[i].Min; {
		case m == Unbounded:
			return v.endless(int(r.Start), "no value of routine %s ends: it always contains another", r.Name)
		case m > MaxLeast:
			return v.fail(int(r.Start), "a value of routine %s takes at least %d bytes; at most %d are allowed", r.Name, m, uint64(MaxLeast))
		}
	}
	return nil
}

// progress checks that elements of lists take bytes. It also checks that no
// routine can call itself without a byte having been used up.
func (v *verifier) progress() error {
	p := v.p
	for pc := range p.Code {
		switch in := &p.Code[pc]; in.Op {
		case List, Rest, Through, Spare, Map:
			elem := uint64(0)
			for _, r := range in.Calls() {
				elem = addSize(elem, p.sizes[r].Min)
			}
			if elem == 0 {
				return v.endless(pc, "an element of the list may take no bytes, so a count is not bounded by the input")
			}
		}
	}
	edges := make([][]uint32, len(p.Routines)) // routines that are called before a byte is used up
	for i := range p.Routines {
		p.idle(p.Body(uint32(i)), func(r uint32) { edges[i] = append(edges[i], r) })
	}
	state := make([]uint8, len(p.Routines))
	var visit func(i uint32) error
	visit = func(i uint32) error {
		switch state[i] {
		case 1:
			return v.endless(int(p.Routines[i].Start), "routine %s can contain itself without using up a byte", p.Routines[i].Name)
		case 2:
			return nil
		}
		state[i] = 1
		for _, e := range edges[i] {
			if err := visit(e); err != nil {
				return err
			}
		}
		state[i] = 2
		return nil
	}
	for i := range p.Routines {
		if err := visit(uint32(i)); err != nil {
			return err
		}
	}
	return nil
}

// idle calls f for every routine that a block may call before a byte is used up. It
// reports whether the block may end before one is.
func (p *Program) idle(b Block, f func(routine uint32)) bool {
	for pc, in := range p.Instrs(b) {
		for _, r := range in.Calls() {
			f(r)
			if p.sizes[r].Min > 0 {
				break
			}
		}
		if p.Own(in) > 0 {
			return false
		}
		if in.Op == Seek { // which leads to no routine around it: see parts.go
			p.idle(p.Inner(pc)[0], f)
		}
		if in.Op.begins() {
			ends := false
			for _, inner := range p.Inner(pc) {
				if p.idle(inner, f) {
					ends = true
				}
			}
			if n, _ := p.area(in); !ends || n > 0 {
				return false
			}
		}
	}
	return true
}

// maxima computes the most bytes of each routine.
func (v *verifier) maxima() {
	p := v.p
	state := make([]uint8, len(p.Routines))
	var most func(i uint32) uint64
	most = func(i uint32) uint64 {
		if state[i] == 1 {
			return Unbounded
		}
		if state[i] == 2 {
			return p.sizes[i].Max
		}
		state[i] = 1
		p.sizes[i].Max = p.most(p.Body(i), most)
		state[i] = 2
		return p.sizes[i].Max
	}
	for i := range p.Routines {
		most(uint32(i))
	}
}

// most returns the most bytes of a block, given those of each routine.
func (p *Program) most(b Block, routine func(uint32) uint64) uint64 {
	sum := uint64(0)
	for pc, in := range p.Instrs(b) {
		own := p.Own(in)
		switch in.Op {
		case Call:
			own = routine(in.A)
		case Word, Scalars:
			if in.Varies() {
				own = uint64(in.Coding().Longest(in.Longer()))
			}
		case Seek:
			continue
		case List, Map:
			own = Unbounded
			if n, ok := p.constant(in.A); ok {
				elem := uint64(0)
				for _, r := range in.Calls() {
					elem = addSize(elem, routine(r))
				}
				own = mulSize(n, elem)
			}
		case Rest, Through, Spare, Until, Base:
			own = Unbounded
		case Text, Filled:
			if _, ok := p.constant(in.B); !ok {
				own = Unbounded
			}
		case Packed:
			if _, ok := p.constant(in.C); !ok {
				own = Unbounded
			}
		case Pad:
			own = uint64(in.A - 1)
		}
		inner := uint64(0)
		for _, block := range p.Inner(pc) {
			inner = max(inner, p.most(block, routine))
		}
		sum = addSize(sum, addSize(own, inner))
	}
	return sum
}

// ArmBounds returns the sizes of one arm of a union, its header word included.
// The program must have passed [Verify].
func (p *Program) ArmBounds(routine uint32, arm int) Bounds {
	head := &p.Code[p.Routines[routine].Start]
	at := p.ArmAt(head.D, arm)
	b := Block{at + 1, p.End(at)}
	word := p.Own(head)
	return Bounds{addSize(word, p.fewest(b, true)), addSize(word, p.most(b, func(i uint32) uint64 { return p.sizes[i].Max }))}
}
