// Coverage: which instructions, branches and refusals of a program runs have
// reached, in each direction.
//
// Everything that can happen at an instruction has a Site, and every site that an
// instruction has, in one direction, is a Point. Points have fixed places in a set
// of bits, so noting one is one load, and one store if it is new.

package interp

import (
	"math/bits"
	"sync/atomic"

	"github.com/octable/octable/compile/bytecode"
)

// coverLayout says where the bits of a program's points are.
type coverLayout struct {
	first [numDirections][]int32 // of each instruction
	more  [numDirections][]int32 // of each instruction: behind its arms, sizes or rules, where the nodes of expressions begin
	bits  int
}

// newCoverLayout returns the places of the bits of a machine's points.
func newCoverLayout(m *Machine) *coverLayout {
	l := &coverLayout{}
	for d := range numDirections {
		l.first[d], l.more[d] = make([]int32, len(m.p.Code)), make([]int32, len(m.p.Code))
		for pc := range m.p.Code {
			in := &m.p.Code[pc]
			l.first[d][pc] = int32(l.bits)
			_, k := many(m.p, d, in)
			l.bits += int(siteCounts[d][in.Op]) + k
			l.more[d][pc] = int32(l.bits)
			for _, e := range exprsOf(m.p, d, in) {
				l.bits += 2 * m.p.Exprs[e].Size()
			}
		}
	}
	return l
}

// Points returns all points of the instructions of the program, judged by their operands alone.
// Some may not be reachable.
func (m *Machine) Points() []Point {
	l := m.cover()
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
				k := 0
				m.p.Exprs[e].Walk(func(node *bytecode.Expr) {
					if branches(node) {
						all = append(all, Point{Index: at + 2*k, Dir: d, PC: pc, Site: SiteNo, N: k, Expr: e},
							Point{Index: at + 2*k + 1, Dir: d, PC: pc, Site: SiteYes, N: k, Expr: e})
					}
					k++
				})
				at += 2 * k
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

// NewCoverage returns a Coverage in which nothing is reached. It is an [Observer] of
// runs of m; runs of another machine note nothing in it.
func (m *Machine) NewCoverage() *Coverage {
	l := m.cover()
	return &Coverage{m: m, l: l, bits: make([]atomic.Uint64, (l.bits+63)/64)}
}

// Has reports whether the point with an index is reached.
func (c *Coverage) Has(index int) bool {
	return index >= 0 && index < c.l.bits && c.bits[index>>6].Load()>>(index&63)&1 != 0
}

// HasRun reports whether an instruction that has sites was run in a direction.
func (c *Coverage) HasRun(d Direction, pc int) bool {
	first := c.l.first[d][pc]
	return first < c.l.more[d][pc] && c.Has(int(first))
}

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
