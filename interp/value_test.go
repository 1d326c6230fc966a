package interp

import (
	"testing"

	"github.com/octable/octable/compile/bytecode"
)

// TestIdentical compares values of which each differs from every other one in one property.
func TestIdentical(t *testing.T) {
	one := MakeInt(1, 1)
	values := []Value{
		{},
		MakeUnit(1),
		MakeBool(1, true),
		one,
		MakeInt(1, 2),
		MakeInt(2, 1),
		MakeUint(1, 1),
		one.WithWide(true),
		MakeScalar(1, bytecode.I16, 1),
		MakeText(1, "a"),
		MakeText(1, "b"),
		MakeLanes(1, bytecode.U8, []byte{1, 2}),
		MakeLanes(1, bytecode.I8, []byte{1, 2}),
		MakePacked(1, bytecode.U8, 1, []byte{1, 2}),
		MakePacked(1, bytecode.U8, 2, []byte{1, 2}),
		MakePacked(1, bytecode.U8, 2, []byte{1, 2, 3, 4}),
		MakeList(1, []Value{one, one}),
		MakeList(1, []Value{one, MakeInt(1, 2)}),
		MakeList(1, []Value{one}),
		MakeMap(1, []Value{one, one}),
		MakeRecord(1, []Value{one, one}),
	}
	for i, a := range values {
		for j, b := range values {
			if got := Identical(a, b, true); got != (i == j) {
				t.Errorf("values %d and %d (%v and %v): Identical is %t", i, j, a, b, got)
			}
		}
	}
	if !Identical(one, MakeScalar(1, bytecode.I16, 1), false) {
		t.Error("the scalar of a number is compared though it is not asked for")
	}
	if Identical(values[11], values[12], false) {
		t.Error("the scalar of a tuple is not compared")
	}
}
