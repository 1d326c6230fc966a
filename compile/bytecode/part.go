// Parts: what holds for the instructions at places of a base.

package bytecode

// seek checks the content of a part. Places inside of it and outside are not behind each other.
func (v *verifier) seek(pc int, s *state, regions int) error {
	path := *s
	path.before, path.marks = path.places, [MaxRegs]uint32{}
	for reg, mark := range s.marks {
		if mark != 0 {
			path.outer.add(uint32(reg))
		}
	}
	if err := v.flow(v.p.Inner(pc)[0], &path, regions); err != nil {
		return err
	}
	s.passed, s.numbers = path.passed, path.numbers
	for k := pc; k < v.p.End(pc); k++ {
		for _, reg := range v.p.Code[k].Sets() {
			if reg != None {
				s.set(reg)
			}
		}
	}
	return nil
}

// parted checks that every part is inside of its base. The content of a part must not lead back to the routine
// that has the part, so that reading ends.
func (v *verifier) parted() error {
	p := v.p
	needs := make([]map[string]bool, len(p.Routines)) // the bases that a routine must be inside of
	for changed := true; changed; {
		changed = false
		for i := range p.Routines {
			if needs[i] == nil {
				needs[i] = map[string]bool{}
			}
			p.needs(p.Body(uint32(i)), needs, map[string]bool{}, func(name string) {
				changed = changed || !needs[i][name]
				needs[i][name] = true
			})
		}
	}
	for name := range needs[p.Root] {
		return v.fail(-1, "a part that counts from %q is not always inside of it", name)
	}
	for i := range p.Routines {
		r := &p.Routines[i]
		for pc := int(r.Start); pc < int(r.End); pc++ {
			if p.Code[pc].Op == Seek && p.leads(p.Inner(pc)[0], uint32(i), map[uint32]bool{}) {
				return v.endless(pc, "the part leads to routine %s, which has it", r.Name)
			}
		}
	}
	return nil
}

// needs calls f for the bases that the instructions of a block must be inside of. It leaves out
// those that are open.
func (p *Program) needs(b Block, of []map[string]bool, open map[string]bool, f func(string)) {
	need := func(name string) {
		if !open[name] {
			f(name)
		}
	}
	for pc, in := range p.Instrs(b) {
		name := ""
		switch in.Op {
		case Seek:
			need(p.Strings[in.A])
		case Note:
			need(p.Strings[in.B])
		case Holes:
			need(p.Strings[in.A])
		case Base:
			name = p.Strings[in.A]
		}
		for _, r := range in.Calls() {
			for inner := range of[r] {
				need(inner)
			}
		}
		inside := open
		if in.Op == Base {
			inside = map[string]bool{name: true} // there is one base at most in a record
		}
		for _, inner := range p.Inner(pc) {
			p.needs(inner, of, inside, f)
		}
	}
}

// leads reports whether the instructions of a block call a routine, also through others.
func (p *Program) leads(b Block, to uint32, seen map[uint32]bool) bool {
	found := false
	p.Walk(b, func(_ int, in *Instr, _ int) bool {
		for _, r := range in.Calls() {
			if found = found || r == to; !found && !seen[r] {
				seen[r] = true
				found = p.leads(p.Body(r), to, seen)
			}
		}
		return true
	})
	return found
}

// ToEnd reports whether an instruction of a block takes all bytes to the end of the region around the block.
// Instructions in regions of the block do not count.
func (p *Program) ToEnd(b Block) bool {
	found := false
	p.Walk(b, func(_ int, in *Instr, _ int) bool {
		found = found || in.Op == Rest || in.Op == Packed && in.C == None || in.Op == Until && p.Strings[in.B] == ""
		return in.Op != Enter && in.Op != Seek
	})
	return found
}
