package interp

import "testing"

// TestFillNumbers checks that a number that a cell, a register and a check need is loaded once. Numbers of both
// orders are in one list.
func TestFillNumbers(t *testing.T) {
	bits := func(off int16) fill { return fill{off: off, left: 8, right: 48} }
	with := func(f fill, to, meta uint32) fill {
		f.to, f.meta = to, meta
		return f
	}
	r := fills{
		big:    true,
		cells:  []fill{with(bits(0), 0, 1), with(bits(2), 24, 1)},
		regs:   []fill{with(bits(2), 5, 0), with(bits(2), 6, 0), with(bits(4), 7, 0)},
		checks: []fillCheck{{fill: bits(2), span: 9}, {fill: bits(6), span: 3}},
		other:  &fills{cells: []fill{with(bits(0), 48, 1)}, regs: []fill{with(bits(2), 8, 0)}},
	}
	for range 2 { // again, when registers have been left out
		r.ready()
		if len(r.alone) != 1 || r.alone[0].to != 0 || r.rest != r.other || len(r.rest.alone) != 1 || !r.more {
			t.Errorf("cells by themselves: %+v, %+v", r.alone, r.rest)
		}
		want := []fillNumber{
			{fill: with(bits(2), 24, 1), reg: 5, big: true, check: &r.checks[0]},
			{fill: bits(2), reg: 6, big: true},
			{fill: bits(4), reg: 7, big: true},
			{fill: bits(6), reg: -1, big: true, check: &r.checks[1]},
			{fill: bits(2), reg: 8},
		}
		if len(r.numbers) != len(want) {
			t.Fatalf("numbers: %+v", r.numbers)
		}
		for i, n := range r.numbers {
			if n != want[i] {
				t.Errorf("number %d: have %+v, want %+v", i, n, want[i])
			}
		}
	}
}
