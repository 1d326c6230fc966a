package codec_test

import (
	"testing"

	"github.com/octable/octable/codec"
)

// TestEqualKeysAnywhere writes Dictionaries in which one key stands twice, however
// deep in the key and however late in it that is decided.
func TestEqualKeysAnywhere(t *testing.T) {
	c := codec.MustLoad("godot-4")
	for depth := range 60 {
		for _, last := range []codec.Value{
			codec.NewInt(5), codec.NewString("x"), codec.NewPackedFloat32Array(make([]float32, 40)),
			codec.NewDictionary(codec.Pair{Key: codec.NewFloat(0), Value: codec.NewInt(1)}),
		} {
			key := func(other int64) codec.Value {
				v := codec.NewArray(last, codec.NewInt(other))
				for i := range depth {
					if i%2 == 0 {
						v = codec.NewArray(codec.NewInt(int64(i)), v)
					} else {
						v = codec.NewDictionary(codec.Pair{Key: v, Value: codec.NewNil()})
					}
				}
				return v
			}
			var pairs []codec.Pair
			for i := range int64(10) {
				pairs = append(pairs, codec.Pair{Key: key(i), Value: codec.NewInt(i)})
			}
			pairs = append(pairs, codec.Pair{Key: key(3), Value: codec.NewInt(33)})
			b, err := c.Encode(codec.NewDictionary(pairs...))
			if err != nil {
				t.Fatal(err)
			}
			v, _, err := c.Decode(b)
			if err != nil || v.Len() != 10 {
				t.Fatalf("depth %d: %d pairs were written, not 10: %v", depth, v.Len(), err)
			}
		}
	}
}
