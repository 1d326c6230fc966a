package codec_test

import (
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

func TestReuse(t *testing.T) {
	s := []base{{1, "old"}, {2, "old"}, {3, "old"}}
	first := &s[0]
	if err := array(pairsValue("id", 9)).To(&s); err != nil {
		t.Fatal(err)
	}
	if len(s) != 1 || s[0] != (base{ID: 9}) || first != &s[0] {
		t.Errorf("got %v, want the same memory, cleared", s)
	}
	n := 5
	p := &n
	if err := godot.NewInt(6).To(&p); err != nil || n != 6 {
		t.Errorf("pointer not kept: %v", err)
	}
	var in any = &n
	if err := godot.NewInt(7).To(&in); err != nil || n != 7 {
		t.Errorf("pointer in an interface not kept: %v", err)
	}
	m := map[string]int{"old": 1}
	if err := pairsValue("new", 2).To(&m); err != nil || !reflect.DeepEqual(m, map[string]int{"new": 2}) {
		t.Errorf("got %v, %v", m, err)
	}
}

func TestSlicesAreCopies(t *testing.T) {
	s := []int32{1, 2}
	v, _ := godot.ValueOf(s)
	s[0] = 9
	var back []int32
	if err := v.To(&back); err != nil || back[0] != 1 {
		t.Errorf("the Value changed with the slice: %v", back)
	}
	back[1] = 9
	if got, _ := godot.AsPackedInt32Array(v); got[1] != 2 {
		t.Errorf("the Value changed with the slice read from it: %v", got)
	}
	got, _ := godot.AsPackedInt32Array(v)
	got[1] = 9
	if got, _ := godot.AsPackedInt32Array(v); got[1] != 2 {
		t.Errorf("the Value changed with the accessor's slice: %v", got)
	}
}

// TestBulkAllocs: one copy for a packed array, none into memory that is there.
func TestBulkAllocs(t *testing.T) {
	s := make([]godot.Vector3, 1000)
	v := godot.NewPackedVector3Array(s)
	if n := testing.AllocsPerRun(10, func() { _ = v.To(&s) }); n > 0 && bytesAreMemory {
		t.Errorf("%v allocations reading into a slice with room", n)
	}
	if n := testing.AllocsPerRun(10, func() { _, _ = godot.AsPackedVector3Array(v) }); n > 1 && bytesAreMemory {
		t.Errorf("%v allocations reading", n)
	}
	if n := testing.AllocsPerRun(10, func() { godot.NewPackedVector3Array(s) }); n > 1 && bytesAreMemory {
		t.Errorf("%v allocations writing", n)
	}
}

// bytesAreMemory tells the two builds of the memory functions apart.
var bytesAreMemory = testing.AllocsPerRun(5, func() { variant.BytesOf([]godot.Vector3{{}}) }) <= 1

// TestUnaligned reads 64-bit numbers at all places of a packet.
func TestUnaligned(t *testing.T) {
	b := make([]byte, 64)
	for at := range 16 {
		want := []int64{math.MinInt64 + 5, 1 << 40, -1}
		for i, n := range want {
			binary.LittleEndian.PutUint64(b[at+8*i:], uint64(n))
		}
		v := raw.Wrap(interp.MakePacked(uint16(godot.PackedInt64Array), bytecode.I64, 1, b[at:at+24]))
		got, ok := godot.AsPackedInt64Array(v)
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("at %d: %v", at, got)
		}
		var to []int64
		if err := v.To(&to); err != nil || !reflect.DeepEqual(to, want) {
			t.Errorf("at %d: To gives %v, %v", at, to, err)
		}
	}
}
