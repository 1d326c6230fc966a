package interp

import (
	"errors"
	"strconv"
	"strings"
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

// TestLaneFloat converts the numbers of tuples, and gives 0 for others.
func TestLaneFloat(t *testing.T) {
	for _, c := range []struct {
		v    Value
		i    int
		want float64
	}{
		{MakeLanes(0, bytecode.I8, []byte{1, 0xff}), 1, -1},
		{MakeLanes(0, bytecode.U8, []byte{1, 0xff}), 1, 255},
		{MakeLanes(0, bytecode.F16, []byte{0, 0x3c}), 0, 1},
		{MakePacked(0, bytecode.F32, 1, []byte{0, 0, 0x80, 0x3f}), 0, 1},
		{MakeLanes(0, bytecode.U8, []byte{1, 2}), 2, 0},
		{MakeLanes(0, bytecode.U8, []byte{1, 2}), -1, 0},
		{MakeInt(0, 5), 0, 0},
	} {
		if got := c.v.LaneFloat(c.i); got != c.want {
			t.Errorf("number %d of %v is %v, want %v", c.i, c.v, got, c.want)
		}
	}
}

// TestErrorTexts: an error of no kind has no word, and a message has the beginning of a long text.
func TestErrorTexts(t *testing.T) {
	if got := (&Error{Kind: errors.New("other")}).Word(); got != "" {
		t.Errorf("word %q", got)
	}
	for _, c := range []string{"a", "ä", "\xff"} { // characters, and an invalid byte
		for _, n := range []int{40, 41} {
			want := strings.Repeat(c, 40)
			if n > 40 {
				want += "…"
			}
			if got := keyText(MakeText(0, strings.Repeat(c, n))); got != strconv.Quote(want) {
				t.Errorf("%d times %q: %s", n, c, got)
			}
		}
	}
}
