package main

import (
	"math"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// memory returns how many bytes of memory values take at most for each byte of a
// packet, when there are many: an element of a list takes a cell, and a record one
// for each field.
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
			d.walk(p.Routines[i].Start, 0, 0)
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

// walk goes on from an instruction, with the cells beyond r times the bytes so far.
func (d *density) walk(pc uint32, sum float64, depth int) {
	set := func(cell uint32, is bool) func() {
		was := d.present[cell]
		d.present[cell] = is
		return func() { d.present[cell] = was }
	}
	for {
		if d.steps++; d.steps > 20000 || depth > 200 {
			d.unbounded = true // more branches than are looked at
			return
		}
		in := &d.p.Code[pc]
		pc++
		width := func(s uint32) float64 { return d.r * float64(bytecode.Scalar(s&0xff).Width()) }
		element := func(routines ...uint32) {
			for _, n := range routines {
				if 1+d.over[n] > 1e-9 {
					d.unbounded = true
				}
			}
		}
		switch in.Op {
		case bytecode.Union, bytecode.Switch:
			if in.Op == bytecode.Union {
				sum -= width(in.A)
			}
			for _, arm := range d.p.Tables[in.D].Arms {
				d.walk(arm.Target, sum, depth+1)
			}
			return
		case bytecode.Word:
			sum -= width(in.A)
		case bytecode.Scalars, bytecode.Truth:
			sum -= width(in.A)
			defer set(in.B, true)()
		case bytecode.Lanes:
			sum -= width(in.A) * float64(in.B)
			defer set(in.C, true)()
		case bytecode.Take, bytecode.ArmRef:
			defer set(in.A, true)()
		case bytecode.Text:
			defer set(in.C, true)()
		case bytecode.Packed:
			defer set(in.D, true)()
		case bytecode.List:
			element(in.B)
			defer set(in.C, true)()
		case bytecode.Map:
			element(in.B, in.D)
			defer set(in.C, true)()
		case bytecode.Rest:
			element(in.A)
			defer set(in.B, true)()
		case bytecode.Call:
			sum += d.over[in.A]
			defer set(in.B, true)()
		case bytecode.Absent:
			defer set(in.A, false)()
		case bytecode.If:
			d.walk(in.B, sum, depth+1)
		case bytecode.Jump:
			pc = in.A
		case bytecode.Refuse:
			return
		case bytecode.Done:
			d.best = max(d.best, sum+d.record(in))
			return
		}
		if math.IsInf(sum, -1) || d.unbounded {
			return
		}
	}
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
