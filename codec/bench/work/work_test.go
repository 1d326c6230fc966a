package work

import (
	"testing"
)

func TestSizes(t *testing.T) {
	for name, want := range map[string]int{
		"rpc": RPCSize, "game": GameSize, "game-permuted": GameSize, "nest": NestSize, "ints": IntsSize,
		"vec3-64K": 8 + 12*Small, "vec3-12M": 8 + 12<<20, "bytes-16M": 8 + 16<<20, "game-100k": 20_000_052,
	} {
		b := Wire(name)
		if Size(name) != want {
			t.Errorf("the size of %s is given as %d, want %d", name, Size(name), want)
		}
		if len(b) != want {
			t.Errorf("%s has %d bytes, want %d", name, len(b), want)
		}
		if got := Godot3(b); len(got) != len(b) {
			t.Errorf("%s has %d bytes for Godot 3, want %d", name, len(got), len(b))
		}
	}
}

func TestGameCounts(t *testing.T) {
	texts := 0
	var count func(t Tree)
	count = func(t Tree) {
		switch t := t.(type) {
		case string:
			texts++
		case Dict:
			for _, e := range t {
				count(e.Key)
				count(e.Value)
			}
		case []any:
			for _, e := range t {
				count(e)
			}
		}
	}
	count(Named("game"))
	if texts != 10_002 {
		t.Errorf("game has %d strings, want 10002", texts)
	}
}
