package codec_test

import (
	"bytes"
	"testing"

	"github.com/octable/octable/codec"
)

// TestCutNumbers: no Go number takes bytes behind the end of a packet.
func TestCutNumbers(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	for _, x := range []any{int64(1) << 40, int64(7), 0.1, float32(0.5), true} {
		whole, err := c.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		for _, ptr := range []any{new(bool), new(int8), new(int32), new(int64), new(uint16), new(uint64), new(int), new(float32), new(float64), new(any), new(codec.Value)} {
			for n := range whole {
				b := append(bytes.Clone(whole[:n]), whole[n:]...)[:n] // the rest is behind the end
				if codec.ReadsByPlan(c, b, ptr) || c.Unmarshal(b, ptr) == nil {
					t.Errorf("%d of %d bytes of %v are read into %T", n, len(whole), x, ptr)
				}
			}
		}
	}
}

// TestCutUnknown checks the reading of a key that a struct does not have. Its value is skipped in the packets
// that a reader accepts, and in no other.
func TestCutUnknown(t *testing.T) {
	for _, id := range []string{"godot-3", "godot-4.4", "pandemonium-5"} {
		c, err := codec.MustLoad(id).With(codec.Options{Objects: true, IgnoreUnknown: true})
		if err != nil {
			t.Fatal(err)
		}
		check := func(x any) {
			whole, err := c.Marshal(map[string]any{"x": x})
			if err != nil {
				return
			}
			for n := range min(len(whole), 16) {
				b := whole[:len(whole)-n]
				_, _, want := c.Decode(b)
				var s struct {
					A int `octable:"a"`
				}
				if err := c.Unmarshal(b, &s); (err == nil) != (want == nil) {
					t.Fatalf("%s: % x: %v; as a value: %v", id, b, err, want)
				}
			}
		}
		for n := range 9 {
			for _, x := range []any{make([]byte, n), make([]int32, n), make([]float64, n), make([]string, n), "abcdefghi"[:n], map[string]any{"abcdefghi"[:n]: n}} {
				check(x)
				check([]any{x, x})
			}
		}
		eachValue(t, id, 20, func(_ *codec.Codec, v codec.Value, _ []byte) { check(v) })
	}
}

// TestDepthOfUnknown: values of keys that a struct does not have count towards the depth.
func TestDepthOfUnknown(t *testing.T) {
	type inner struct {
		A int64 `octable:"a"`
	}
	type outer struct {
		Inner inner `octable:"inner"`
	}
	whole := codec.MustLoad("godot-4.4")
	for _, unknown := range []any{int64(1), []any{}, []any{[]any{}}, []any{[]any{[]any{1}}}, map[string]any{"x": []any{}}} {
		b, err := whole.Marshal(map[string]any{"inner": map[string]any{"a": 5, "unknown": unknown}})
		if err != nil {
			t.Fatal(err)
		}
		for depth := range 6 {
			c, err := whole.With(codec.Options{MaxDepth: depth, IgnoreUnknown: true})
			if err != nil {
				t.Fatal(err)
			}
			var x, y outer
			if err, want := c.Unmarshal(b, &x), codec.UnmarshalValue(c, b, &y); !sameError(err, want) || err == nil && x != y {
				t.Errorf("%v, depth %d: %v, %v, want %v, %v", unknown, depth, x, err, y, want)
			}
		}
	}
}
