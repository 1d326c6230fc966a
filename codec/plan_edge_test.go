package codec_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// TestPlanEdges: plans read the least and the largest number of each Go type, and leave the next ones to the Value, which refuses them.
func TestPlanEdges(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	for _, typ := range []reflect.Type{
		reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[int](),
		reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uint](),
	} {
		low, high := int64(0), int64(math.MaxInt64)
		if bits := typ.Bits(); typ.Kind() <= reflect.Int64 {
			low, high = -1<<(bits-1), 1<<(bits-1)-1
		} else if bits < 64 {
			high = 1<<bits - 1
		}
		for _, x := range []int64{low, low + 1, 0, 1, high - 1, high, low - 1, high + 1} { // the last two may wrap around
			b, err := c.Marshal(x)
			if err != nil {
				t.Fatal(err)
			}
			fits := low <= x && x <= high
			if codec.ReadsByPlan(c, b, reflect.New(typ).Interface()) != fits {
				t.Errorf("%d into %v: a plan reads it: %v", x, typ, !fits)
			}
			ptr := reflect.New(typ)
			if err := c.Unmarshal(b, ptr.Interface()); (err == nil) != fits || fits && fmt.Sprint(ptr.Elem()) != fmt.Sprint(x) {
				t.Errorf("%d into %v: %v, %v", x, typ, ptr.Elem(), err)
			}
		}
	}
}

// TestListsAtEnd: plans read lists of the smallest values at the end of the input, make no memory for elements that are not
// there, and read texts of a Mapper into memory that is made once.
func TestListsAtEnd(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	const n = 1 << 16
	for _, x := range []any{
		&struct {
			List []bool `octable:",type=Array"`
		}{make([]bool, n)},
		&struct {
			List []int `octable:",type=Array"`
		}{make([]int, n)},
		&struct {
			List []float32 `octable:",type=Array"`
		}{make([]float32, n)},
		&struct {
			List []float64 `octable:",type=Array"`
		}{make([]float64, n)},
		&struct {
			List []string `octable:",type=Array"`
		}{make([]string, n)},
		&struct {
			List []godot.Vector2 `octable:",type=Array"`
		}{make([]godot.Vector2, n)},
	} {
		b, err := c.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		to := reflect.New(reflect.TypeOf(x).Elem()).Interface()
		if !codec.ReadsByPlan(c, b, to) || !reflect.DeepEqual(to, x) {
			t.Errorf("%T is not read by the plan", x)
		}
		const count = 24 // the place of the number of elements
		if got := binary.LittleEndian.Uint32(b[count:]); got != n {
			t.Fatal(got)
		}
		binary.LittleEndian.PutUint32(b[count:], 64*n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err = c.Unmarshal(b, to)
		if runtime.ReadMemStats(&after); err == nil || after.TotalAlloc-before.TotalAlloc > 1<<20 {
			t.Errorf("%T of %d elements in %d bytes: %v, %d bytes are allocated", x, 64*n, len(b), err, after.TotalAlloc-before.TotalAlloc)
		}
	}
	x := struct {
		List []string `octable:",type=Array"`
	}{slices.Repeat([]string{"ten bytes."}, 80)}
	b, err := c.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	m := c.NewMapper()
	allocsAtMost(t, "texts of a Mapper", 1, func() {
		if err := m.Unmarshal(b, &x); err != nil {
			t.Fatal(err)
		}
	})
}

// TestPaddingAtEnd: plans and Values read the same from arrays of bytes whose padding is cut off, of all schemas of Variants.
func TestPaddingAtEnd(t *testing.T) {
	for _, id := range codec.Schemas() {
		c := codec.MustLoad(id)
		if codec.Named(c) {
			continue
		}
		for n := range 6 {
			b, err := c.Marshal(make([]byte, n))
			if err != nil {
				t.Fatal(err)
			}
			for cut := range min(4, len(b)) {
				var plan, value []byte
				p := b[: len(b)-cut : len(b)-cut]
				err, err2 := c.Unmarshal(p, &plan), codec.UnmarshalValue(c, p, &value)
				if !sameError(err, err2) || !bytes.Equal(plan, value) {
					t.Errorf("%s: % x: %v, %v; by Values %v, %v", id, p, plan, err, value, err2)
				}
			}
		}
	}
}

// TestLargeBuffers: values are written into large buffers, which are not kept, before and after small ones.
func TestLargeBuffers(t *testing.T) {
	c := codec.MustLoad("godot-4")
	type numbers struct {
		List []int `octable:",type=Array"`
	}
	for _, n := range []int{1, 1 << 18, 2} {
		for _, x := range []any{bytes.Repeat([]byte{7}, 8*n), numbers{slices.Repeat([]int{5}, n)}} {
			got, err := c.Marshal(x)
			want, err2 := codec.AppendValue(c, nil, x)
			if err != nil || err2 != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d numbers: %d bytes, %v; by Values %d, %v", n, len(got), err, len(want), err2)
			}
		}
	}
}
