package main

import (
	"math"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// memory returns the most bytes of memory that values take for each byte of a packet, if there
// are many. An element of a list takes a cell, and a record one for each field.
//
// A number r of cells a byte is enough when no value has more cells than r times
// its bytes; the least such r is found by halving.
func memory(p *bytecode.Program) float64 {
	lo, hi := 0.0, 64.0
	for range 40 {
		r := (lo + hi) / 2
		if enough(p, r) {
			hi = r
		} else {
			lo = r
		}
	}
	return hi * interp.CellSize
}

// enough reports whether elements of all lists have at most r cells a byte.
func enough(p *bytecode.Program, r float64) bool {
	over := make([]float64, len(p.Routines)) // most cells beyond r times the bytes
	for i := range over {
		over[i] = math.Inf(-1)
	}
	for range 2*len(p.Routines) + 8 {
		changed := false
		for i := range p.Routines {
			d := density{p: p, r: r, over: over, present: map[uint32]bool{}, best: math.Inf(-1)}
			d.walk(p.Body(uint32(i)), 0, func(float64) {})
			if d.unbounded {
				return false
			}
			if d.best > over[i]+1e-9 {
				over[i], changed = d.best, true
			}
		}
		if !changed {
			return true
		}
	}
	return false // it grows with every step of recursion
}

// density walks the instructions of a routine along all of their branches.
type density struct {
	p         *bytecode.Program
	r         float64
	over      []float64
	present   map[uint32]bool // cells that have a value
	best      float64
	steps     int
	unbounded bool
}

// walk follows all branches of a block and calls then at the end of each. sum is the number of
// cells beyond r times the bytes so far.
func (d *density) walk(b bytecode.Block, sum float64, then func(sum float64)) {
	set := func(cell uint32, is bool) func() {
		was := d.present[cell]
		d.present[cell] = is
		return func() { d.present[cell] = was }
	}
	for pc, in := range d.p.Instrs(b) {
		if d.steps++; d.steps > 20000 {
			d.unbounded = true // more branches than are looked at
		}
		width := func(s uint32) float64 { return d.r * float64(bytecode.Scalar(s&0xff).Width()) }
		element := func(routines ...uint32) {
			for _, n := range routines {
				if 1+d.over[n] > 1e-9 {
					d.unbounded = true
				}
			}
		}
		switch in.Op {
		case bytecode.Union, bytecode.Word, bytecode.Scalars, bytecode.Truth:
			sum -= width(in.A)
		case bytecode.Lanes:
			sum -= width(in.A) * float64(in.B)
		case bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare:
			element(in.Calls()...)
		case bytecode.Call:
			sum += d.over[in.A]
		case bytecode.Absent:
			defer set(in.A, false)()
		}
		if cell := in.Cell(); cell != bytecode.None {
			defer set(cell, true)()
		}
		if math.IsInf(sum, -1) || d.unbounded {
			return
		}
		inner := d.p.Inner(pc)
		if inner == nil {
			continue
		}
		behind := func(sum float64) { d.walk(bytecode.Block{First: d.p.Close(pc) + 1, Last: b.Last}, sum, then) }
		if in.Op == bytecode.Fields {
			behind = func(sum float64) { d.best = max(d.best, sum+d.record(&d.p.Code[d.p.End(pc)])) }
		}
		for _, block := range inner {
			d.walk(block, sum, behind)
		}
		return
	}
	then(sum)
}

// record returns the cells of the record that an instruction makes.
func (d *density) record(in *bytecode.Instr) float64 {
	fields := d.p.Types[in.A].Fields
	if len(fields) == 0 {
		return 0
	}
	if in.B&bytecode.DoneAlone != 0 {
		alone := -1
		for i := range fields {
			if d.present[uint32(i)] {
				if alone >= 0 {
					return float64(len(fields))
				}
				alone = i
			}
		}
		if alone >= 0 && fields[alone].Alone {
			return 0
		}
	}
	return float64(len(fields))
}
