package godot_test

import (
	"fmt"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// A save editor: one value is read without the rest, and another one is changed.
func Example_saveEditor() {
	c := codec.MustLoad("godot-4")
	save, err := c.Marshal(map[string]any{
		"player": map[string]any{"gold": 20, "items": []string{"rope", "key"}},
		"tiles":  []godot.Vector2{{X: 1, Y: 2}, {X: 3, Y: 4}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	tile, err := c.Get(save, "tiles", -1)
	fmt.Println(tile, err)

	v, _, err := c.Decode(save)
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err = v.Set(codec.Path{"player", "gold"}, godot.NewInt(500))
	if err != nil {
		fmt.Println(err)
		return
	}
	save, err = c.Encode(v)
	if err != nil {
		fmt.Println(err)
		return
	}
	gold, err := c.Get(save, "player", "gold")
	fmt.Println(gold, err)
	_, err = c.Get(save, "player", "silver")
	fmt.Println(err)
	// Output:
	// Vector2(3, 4) <nil>
	// 500 <nil>
	// codec: .player.silver: there is no such key in Dictionary: codec: a required key is missing
}
