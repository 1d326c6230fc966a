// Bounds on the memory of values.

package fuzz

import (
	"math"

	"github.com/octable/octable/compile/bytecode"
)

// cellBound bounds the cells in a value that is read. There are at most more, and each byte of
// its packet adds at most perByte.
type cellBound struct {
	perByte, more float64
	shared        bool // parts and views may read the same bytes again
}

// of returns the most cells of a value that is read from n bytes.
func (b cellBound) of(n int) int {
	reads := float64(n)
	if b.shared { // at most once for each byte, since a place takes one
		reads *= reads + 1
	}
	return int(math.Ceil(b.perByte*reads + b.more))
}

// newCellBound computes the bound of a program. It tries a number of cells for a byte: the cells of
// each routine must exceed the share of its bytes by a finite number, and those of an element of a
// list must not exceed it at all.
func newCellBound(p *bytecode.Program) cellBound {
	var b cellBound
	for pc := range p.Code {
		b.shared = b.shared || p.Code[pc].Op == bytecode.Seek
	}
	const most = 1 << 16
	for b.perByte = 1.0 / 64; ; b.perByte *= 1.25 {
		c := &cells{p: p, perByte: b.perByte, more: make([]float64, len(p.Routines))}
		if c.settle() || b.perByte > most {
			b.more = c.more[p.Root]
			return b
		}
	}
}

// cells are the cells of values of each routine beyond their share of the bytes.
type cells struct {
	p       *bytecode.Program
	perByte float64
	more    []float64
	endless bool // a list has elements with more cells than their share
}

// settle computes the fixed point from below, and reports whether it exists.
func (c *cells) settle() bool {
	for i := range c.more {
		c.more[i] = math.Inf(-1)
	}
	for range len(c.more) + 2 {
		changed := false
		for i := range c.more {
			if n := c.block(c.p.Body(uint32(i))); n > c.more[i] {
				c.more[i], changed = n, true
			}
		}
		if c.endless || !changed {
			return !c.endless
		}
	}
	return false
}

// block returns the cells of a block beyond its share.
func (c *cells) block(b bytecode.Block) float64 {
	sum := 0.0
	for pc, in := range c.p.Instrs(b) {
		sum += c.instr(in)
		inner := c.p.Inner(pc)
		most := math.Inf(-1)
		for _, b := range inner {
			most = max(most, c.block(b))
		}
		if len(inner) > 0 {
			sum += most
		}
	}
	return sum
}

// instr returns the cells of an instruction beyond its share, without its blocks.
func (c *cells) instr(in *bytecode.Instr) float64 {
	element := 0.0
	for _, r := range in.Calls() {
		element += 1 + c.more[r]
	}
	switch in.Op {
	case bytecode.Fields:
		return float64(len(c.p.Types[in.B].Fields))
	case bytecode.Call:
		return c.more[in.A]
	case bytecode.List, bytecode.Map:
		if n, ok := c.p.Exprs[in.A].Constant(); ok {
			if n == 0 {
				return 0
			}
			return float64(n) * element
		}
		c.endless = c.endless || element > 0
		return 0
	case bytecode.Rest, bytecode.Through, bytecode.Spare:
		c.endless = c.endless || element > 0
		if in.Op == bytecode.Through { // at least one
			return element
		}
		return 0
	}
	return -c.perByte * float64(c.p.Own(in))
}
