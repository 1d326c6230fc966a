package codec_test

import (
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
)

// TestEqualKeysAnywhere writes Dictionaries in which one key is there twice. It does
// not matter how deep in the key and how late in it that is decided.
func TestEqualKeysAnywhere(t *testing.T) {
	c := codec.MustLoad("godot-4")
	for depth := range 60 {
		for _, last := range []codec.Value{
			godot.NewInt(5), godot.NewString("x"), godot.NewPackedFloat32Array(make([]float32, 40)),
			godot.NewDictionary(codec.Pair{Key: godot.NewFloat(0), Value: godot.NewInt(1)}),
		} {
			key := func(other int64) codec.Value {
				v := godot.NewArray(last, godot.NewInt(other))
				for i := range depth {
					if i%2 == 0 {
						v = godot.NewArray(godot.NewInt(int64(i)), v)
					} else {
						v = godot.NewDictionary(codec.Pair{Key: v, Value: godot.NewNil()})
					}
				}
				return v
			}
			var pairs []codec.Pair
			for i := range int64(10) {
				pairs = append(pairs, codec.Pair{Key: key(i), Value: godot.NewInt(i)})
			}
			pairs = append(pairs, codec.Pair{Key: key(3), Value: godot.NewInt(33)})
			b, err := c.Encode(godot.NewDictionary(pairs...))
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
// the reverse. Paths with the same names are one key.
func TestPathKeys(t *testing.T) {
	for _, id := range codec.Schemas() {
		c := codec.MustLoad(id)
		if c.TypeName(godot.NodePathType) == "" {
			continue
		}
		for _, p := range []godot.NodePath{
			{}, {Absolute: true}, {Names: []string{"a"}}, {Absolute: true, Names: []string{"root", "größe"}, Subnames: []string{"b", "c"}},
		} {
			made := p.Value()
			b, err := c.Encode(godot.NewDictionary(codec.Pair{Key: made, Value: godot.NewInt(1)}))
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
			other := godot.NodePath{Absolute: p.Absolute, Names: append([]string{"x"}, p.Names...), Subnames: p.Subnames}.Value()
			for _, q := range []struct {
				key  codec.Value
				same bool
			}{{made, true}, {read, true}, {other, false}} {
				if raw.Machine(c).SameKey(raw.Value(read), raw.Value(q.key)) != q.same || raw.Machine(c).SameKey(raw.Value(q.key), raw.Value(read)) != q.same {
					t.Errorf("%s: that %s and %s are one key is not %t", id, read, q.key, q.same)
				}
				pairs := []codec.Pair{{Key: read, Value: godot.NewInt(1)}, {Key: q.key, Value: godot.NewInt(2)}}
				for i := range int64(20) { // many keys go through a table
					pairs = append(pairs, codec.Pair{Key: godot.NewInt(i), Value: godot.NewNil()})
				}
				for _, n := range []int{2, len(pairs)} {
					b, err := c.Encode(godot.NewDictionary(pairs[:n]...))
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

// TestKeysThatDiffer reads a map with one text as the key of two arms that are equal as keys. A
// key of one of them is never equal to another.
func TestKeysThatDiffer(t *testing.T) {
	c, err := compiler.New(`schema "keys" {
    root T
    keys {
        equal  A, B
        differ A
    }
}
union Key by kind {
    | 0 | 1 | u8 | kind |
}
arm Key 0 A {
    | 1 | 1 | utf8[1] | t |
}
arm Key 1 B {
    | 1 | 1 | utf8[1] | t |
}
type T {
    | 0 | 1 | u8 | n = count(pairs) |
    map n as pairs {
        | K | A | Key | key   |
        | V | 1 | u8  | value |
    }
}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, pairs := range []string{"\x02\x00x\x05\x01x\x06", "\x02\x01x\x05\x00x\x06", "\x02\x00x\x05\x00x\x06"} {
		v, _, err := c.Decode([]byte(pairs))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := c.Encode(v); err != nil || string(b) != pairs {
			t.Errorf("%q is written as %q, %v", pairs, b, err)
		}
		if m, cells := raw.Machine(c), raw.Value(v).Cells(); m.SameKey(cells[0], cells[2]) {
			t.Errorf("the keys of %q are the same", pairs)
		}
	}
}
