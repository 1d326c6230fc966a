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

// TestPathKeys looks up NodePaths that were made in Dictionaries that were read, and
// the other way round: paths with the same names are one key.
func TestPathKeys(t *testing.T) {
	for _, id := range codec.Schemas() {
		c := codec.MustLoad(id)
		if c.TypeName(codec.NodePathType) == "" {
			continue
		}
		for _, p := range []codec.NodePath{
			{}, {Absolute: true}, {Names: []string{"a"}}, {Absolute: true, Names: []string{"root", "größe"}, Subnames: []string{"b", "c"}},
		} {
			made := p.Value()
			b, err := c.Encode(codec.NewDictionary(codec.Pair{Key: made, Value: codec.NewInt(1)}))
			if err != nil {
				t.Logf("%s has paths of another form: %v", id, err)
				break
			}
			dict, _, err := c.Decode(b)
			if err != nil {
				t.Fatalf("%s: %v", id, err)
			}
			var read codec.Value
			for key := range dict.Pairs() {
				read = key
			}
			other := codec.NodePath{Absolute: p.Absolute, Names: append([]string{"x"}, p.Names...), Subnames: p.Subnames}.Value()
			for _, q := range []struct {
				key  codec.Value
				same bool
			}{{made, true}, {read, true}, {other, false}} {
				if c.Machine().SameKey(read.Raw(), q.key.Raw()) != q.same || c.Machine().SameKey(q.key.Raw(), read.Raw()) != q.same {
					t.Errorf("%s: that %s and %s are one key is not %t", id, read, q.key, q.same)
				}
				pairs := []codec.Pair{{Key: read, Value: codec.NewInt(1)}, {Key: q.key, Value: codec.NewInt(2)}}
				for i := range int64(20) { // many keys go through a table
					pairs = append(pairs, codec.Pair{Key: codec.NewInt(i), Value: codec.NewNil()})
				}
				for _, n := range []int{2, len(pairs)} {
					b, err := c.Encode(codec.NewDictionary(pairs[:n]...))
					if err != nil {
						t.Fatalf("%s: %v", id, err)
					}
					v, _, err := c.Decode(b)
					want := n
					if q.same {
						want--
					}
					if err != nil || v.Len() != want {
						t.Errorf("%s: of %d pairs with the keys %s and %s %d are written, want %d: %v", id, n, read, q.key, v.Len(), want, err)
					}
				}
			}
		}
	}
}
