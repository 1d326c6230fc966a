package codec_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
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
