package bytecode_test

import (
	"math"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// Arms have lists of ranges between those of other arms; the last arm is for all others.
func TestByIDOfRanges(t *testing.T) {
	p, _ := post(t)
	arms := p.Tables[0].Arms
	arms[0].IDs = builtin.Ranges{{Lo: 1, Hi: 1}, {Lo: 5, Hi: 9}, {Lo: math.MaxUint64, Hi: math.MaxUint64}}
	arms[1].IDs = builtin.Ranges{{Lo: 2, Hi: 4}, {Lo: 11, Hi: 1 << 63}}
	numbers := map[uint64]int{0: -1, 1: 0, 2: 1, 3: 1, 4: 1, 5: 0, 9: 0, 10: -1, 11: 1, 1 << 40: 1, 1 << 63: 1, 1<<63 + 1: -1, math.MaxUint64: 0}
	check := func(p *bytecode.Program) {
		t.Helper()
		for id, want := range numbers {
			arm, ok := p.Tables[0].ByID(id)
			if !ok {
				arm = -1
			}
			if arm != want {
				t.Errorf("%d is of arm %d, want %d", id, arm, want)
			}
		}
	}
	if err := bytecode.Verify(p); err != nil {
		t.Fatal(err)
	}
	check(p)
	loaded, err := bytecode.Load(p.Save())
	if err != nil {
		t.Fatal(err)
	}
	check(loaded)

	arms[1] = bytecode.TableArm{Else: true, Type: arms[1].Type}
	if err := bytecode.Verify(p); err != nil {
		t.Fatal(err)
	}
	numbers = map[uint64]int{0: 1, 1: 0, 2: 1, 7: 0, 10: 1, math.MaxUint64: 0}
	check(p)
}
