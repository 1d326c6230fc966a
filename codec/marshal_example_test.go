package codec_test

import (
	"errors"
	"fmt"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

type Item struct {
	Name  string `octable:"name"`
	Count int    `octable:"count,omitempty"`
}

func ExampleValue_To() {
	v := godot.NewDictionary(
		codec.Pair{Key: godot.NewString("name"), Value: godot.NewString("rope")},
		codec.Pair{Key: godot.NewString("count"), Value: godot.NewInt(3)},
	)
	var item Item
	if err := v.To(&item); err != nil {
		panic(err)
	}
	fmt.Println(item)

	var natural any
	if err := v.To(&natural); err != nil {
		panic(err)
	}
	fmt.Println(natural)
	// Output:
	// {rope 3}
	// map[count:3 name:rope]
}

// Nothing that was sent is dropped unseen, unless asked for.
func ExampleOptions_ignoreUnknown() {
	v, _ := godot.ValueOf(map[string]any{"name": "rope", "colour": godot.Color{R: 1, A: 1}})
	var item Item
	fmt.Println(errors.Is(v.To(&item), codec.ErrUnknownKey))
	c, _ := codec.MustLoad("godot-4").With(codec.Options{IgnoreUnknown: true})
	fmt.Println(c.To(v, &item), item.Name)
	// Output:
	// true
	// <nil> rope
}

// If something does not fit, the error says where and what.
func ExampleTypeError() {
	var levels map[string][]uint8
	v, _ := godot.ValueOf(map[string]any{"easy": []any{1, 2, 300}})
	fmt.Println(v.To(&levels))
	// Output:
	// codec: cannot read .easy[2] into Go uint8: int 300 does not fit into uint8; a wider type would take it
}
