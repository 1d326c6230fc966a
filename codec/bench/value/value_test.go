package value

import (
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/octable/octable/codec/bench/work"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// The references would be compared with something else if the layouts differed.
func TestLayout(t *testing.T) {
	ours, theirs := reflect.TypeFor[Value](), reflect.TypeFor[interp.Value]()
	if ours.Size() != theirs.Size() || ours.NumField() != theirs.NumField() {
		t.Fatalf("%d bytes in %d fields, the interpreter has %d in %d", ours.Size(), ours.NumField(), theirs.Size(), theirs.NumField())
	}
	for i := range ours.NumField() {
		a, b := ours.Field(i), theirs.Field(i)
		if a.Offset != b.Offset || a.Type.Kind() != b.Type.Kind() {
			t.Errorf("%s is a %v at %d, the interpreter's %s a %v at %d", a.Name, a.Type, a.Offset, b.Name, b.Type, b.Offset)
		}
	}
}

func TestConstructors(t *testing.T) {
	b := []byte{0, 0, 128, 63, 0, 0, 128, 63, 0, 0, 128, 63}
	cells := []Value{MakeUnit(1), MakeUnit(1)}
	theirs := []interp.Value{interp.MakeUnit(1), interp.MakeUnit(1)}
	for i, c := range []struct {
		ours   Value
		theirs interp.Value
	}{
		{MakeUnit(1), interp.MakeUnit(1)},
		{MakeBool(2, true), interp.MakeBool(2, true)},
		{MakeInt(3, -5), interp.MakeInt(3, -5)},
		{MakeFloat(4, math.Pi), interp.MakeFloat(4, math.Pi)},
		{MakeText(5, ""), interp.MakeText(5, "")},
		{MakeText(5, "abc"), interp.MakeText(5, "abc")},
		{MakeLanes(6, F32, b[:8]), interp.MakeLanes(6, bytecode.F32, b[:8])},
		{MakeLanes(7, F32, b), interp.MakeLanes(7, bytecode.F32, b)},
		{MakePacked(8, F32, 3, b), interp.MakePacked(8, bytecode.F32, 3, b)},
		{MakePacked(8, U8, 1, b), interp.MakePacked(8, bytecode.U8, 1, b)},
		{MakePacked(8, I32, 1, nil), interp.MakePacked(8, bytecode.I32, 1, nil)},
		{MakeCells(List, 9, cells), interp.MakeList(9, theirs)},
		{MakeCells(Map, 9, cells), interp.MakeMap(9, theirs)},
	} {
		theirs := *(*Value)(unsafe.Pointer(&c.theirs))
		if !Same(&c.ours, &theirs) {
			t.Errorf("%d: %+v is not %+v", i, c.ours, theirs)
		}
	}
}

func TestFromTree(t *testing.T) {
	v := FromTree(work.Named("rpc"))
	if w := FromTree(work.Named("rpc")); !Same(&v, &w) {
		t.Error("a value is not the same as itself")
	}
	if w := FromTree(work.Named("nest")); Same(&v, &w) {
		t.Error("two values are the same")
	}
}
