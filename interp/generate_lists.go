// Lists while generating: which elements a list or a map gets.

package interp

import "github.com/octable/octable/compile/bytecode"

// elements draws a list or map; n below 0 means that its count is drawn, too.
// A choice before each element says whether the element exists.
func (g *generating) elements(f *frame, c uint32, in *bytecode.Instr, n int, args []uint64) (Value, bool) {
	elem, second, kind := in.B, uint32(0), partsKind(in)
	switch in.Op {
	case bytecode.Rest, bytecode.Through, bytecode.Spare:
		elem = in.A
	case bytecode.Map:
		second = in.D
	}
	var given [2][]uint64 // of a key or an element, and of the value of a key
	if len(args) > 0 {
		k := g.p.Routines[elem].Args
		given = [2][]uint64{args[:k], args[k:]}
	}
	levels := g.g.paths.height[elem]
	if kind == Map {
		levels = max(levels, g.g.paths.height[second])
	}
	want := g.wanted(f, c)
	if g.choosing && want.kind != kind {
		return want, g.fail("%s is a %s", g.rule(f), want.kind)
	}
	from := want.Cells()
	var cells []Value
	step := 1
	if kind == Map {
		step = 2
	}
	l := listSize{count: n, wanted: len(from) / step, enough: none, levels: levels, through: in.Op == bytecode.Through, rest: in.Op == bytecode.Rest}
	if n < 0 {
		l.enough += g.bumped(f, c)
	}
	last, begun := l.through, []started(nil)
	for i, ended := 0, false; !ended; i++ {
		var goes, fine bool
		if goes, ended, fine = g.another(f, &l, i); !fine {
			return want, false
		} else if !goes {
			break
		}
		g.spent += 4
		var part [2]Value
		if g.choosing {
			if i >= l.wanted {
				return want, g.fail("%s has too few elements", g.rule(f))
			}
			copy(part[:step], from[i*step:])
		}
		ok := true
		at, parts := g.at, g.partsSoFar()
		for k := range step {
			elem := elem
			if k == 1 {
				elem = second
			}
			if last {
				g.need = choose(ended, stops, goesOn)
			}
			if part[k], ok = g.routine(elem, given[k], nil, 0, part[k]); !ok {
				break
			}
		}
		if !ok && last && !ended && !g.choosing { // every element may end the list
			g.at, g.need, ended = at, stops, true
			part[0], ok = g.routine(elem, given[0], nil, 0, Value{})
		}
		if !ok {
			if g.choosing || n >= 0 || last {
				return want, false
			}
			g.at = at
			g.partsBack(parts)
			break // the list ends before it
		}
		if kind == Map && !g.g.opt.Repeats && g.repeats(cells, part[0]) {
			if g.choosing || n >= 0 {
				return want, g.fail("%s has a key twice", g.rule(f))
			}
			g.at = at
			g.partsBack(parts)
			continue
		}
		cells = append(cells, part[:step]...)
		if in.Op == bytecode.Spare {
			begun = append(begun, started{at, parts})
		}
	}
	if in.Op == bytecode.Spare {
		cells = cells[:g.spared(f, c, int(in.C), begun)]
	}
	if g.choosing && n >= 0 && len(from) != n*step {
		return want, g.fail("%s has another count", g.rule(f))
	}
	v := MakeList(0, cells)
	if kind == Map {
		v = MakeMap(0, cells)
		g.g.keys.forget() // cells were used again since
		v.form |= g.g.keys.distinct(cells)
	}
	return v, true
}

// started is where an element begins.
type started struct {
	at    int
	parts progress
}

// spared returns how many elements a list keeps that ends when few bytes are left. Behind it there are at most few bytes.
// So elements are often removed again that a reader would not find with few bytes behind them. The area of what
// follows is limited.
func (g *generating) spared(f *frame, c uint32, few int, begun []started) int {
	n := len(begun)
	short := func() bool { return n > 0 && g.at-begun[n-1].at <= few }
	keep := short() && g.flag(g.choosing) && f.again.bump == nil // not if the record is begun again
	for ; !keep && short(); n-- {
		g.at = begun[n-1].at
		g.partsBack(begun[n-1].parts)
	}
	if f.ends == nil {
		f.ends = map[uint32]int{}
	}
	f.ends[c] = 0
	if n > 0 {
		f.ends[c] = g.at - begun[n-1].at
	}
	behind := g.area()
	behind.end = min(behind.end, g.at+few)
	if len(g.areas) == 0 {
		behind.stop = none
	}
	g.areas = append(g.areas, behind) // up to the end of the record
	return n
}

// listSize says how many elements a list gets.
type listSize struct {
	count   int  // that it has to have, or -1
	wanted  int  // of the value that is written
	enough  int  // most elements of a list without a count, or -1
	levels  int  // of values inside of an element
	through bool // an element ends the list
	rest    bool // the list goes up to the end of a region
}

// another reports whether a list gets element i, and whether that one is to end it.
func (g *generating) another(f *frame, l *listSize, i int) (goes, ends, ok bool) {
	room := g.fitsDepth(l.levels) && g.spent <= g.g.bytes
	switch {
	case l.rest && g.area().exact:
		return g.spare() > 0, false, true
	case l.through:
		ends = !room || !g.more(i+1 < l.wanted) || l.enough >= 0 && i+1 >= l.enough
		if g.choosing && ends != (i+1 >= l.wanted) {
			return false, false, g.fail("%s has too many elements", g.rule(f))
		}
		return true, ends, true
	case l.count >= 0 && i == l.count:
		return false, false, true
	case l.count >= 0 && !room:
		g.short = true
		return false, false, g.fail("%s has %d elements", g.rule(f), l.count)
	case l.count >= 0:
		return true, false, true
	case !room && i < l.wanted:
		return false, false, g.fail("%s has too many elements", g.rule(f))
	case !room:
		return false, false, true
	}
	more := g.more(i < l.wanted)
	return i < l.enough || more && l.enough < 0, false, true
}

func (g *generating) repeats(cells []Value, key Value) bool {
	for i := 0; i < len(cells); i += 2 {
		if g.m.SameKey(cells[i], key) {
			return true
		}
	}
	return false
}
