package codec_test

import (
	"errors"
	"fmt"

	"github.com/octable/octable/codec"
)

type Item struct {
	Name  string `godot:"name"`
	Count int    `godot:"count,omitempty"`
}

type Player struct {
	Name     codec.StringName `godot:"name,required"`
	Position codec.Vector3    `godot:"position"`
	Health   float64          `godot:"health"`
	Bag      []Item           `godot:"bag"`
}

func ExampleValueOf() {
	v, err := codec.ValueOf(Player{
		Name:     "Ayla",
		Position: codec.Vector3{X: 1, Y: 0, Z: -2},
		Health:   0.75,
		Bag:      []Item{{"rope", 1}},
	})
	if err != nil {
		panic(err)
	}
	for key := range v.Pairs() {
		name, _ := key.AsString()
		value, _ := v.Get(name)
		fmt.Println(name, value.Type())
	}
	// Output:
	// name StringName
	// position Vector3
	// health float
	// bag Array
}

func ExampleValue_To() {
	v := codec.NewDictionary(
		codec.Pair{Key: codec.NewString("name"), Value: codec.NewString("rope")},
		codec.Pair{Key: codec.NewString("count"), Value: codec.NewInt(3)},
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
func ExampleConversion() {
	v := codec.NewDictionary(
		codec.Pair{Key: codec.NewString("name"), Value: codec.NewString("rope")},
		codec.Pair{Key: codec.NewString("colour"), Value: codec.Color{R: 1, A: 1}.Value()},
	)
	var item Item
	fmt.Println(errors.Is(v.To(&item), codec.ErrUnknownKey))
	fmt.Println(codec.Conversion{IgnoreUnknown: true}.To(v, &item), item.Name)
	// Output:
	// true
	// <nil> rope
}

// Where something does not fit, the error says where and what.
func ExampleTypeError() {
	var levels map[string][]uint8
	v, _ := codec.ValueOf(map[string]any{"easy": []any{1, 2, 300}})
	fmt.Println(v.To(&levels))
	// Output:
	// codec: cannot read .easy[2] into Go uint8: int 300 does not fit into uint8; a wider type would take it
}

// Vectors of other packages are taken with a tag.
func ExampleValueOf_type() {
	type mglVec3 = [3]float32
	v, err := codec.ValueOf(struct {
		Pos  mglVec3   `godot:"pos,type=Vector3"`
		Path []mglVec3 `godot:"path,type=PackedVector3Array"`
		Tags []string  `godot:"tags,type=Array[StringName]"`
	}{mglVec3{1, 2, 3}, []mglVec3{{4, 5, 6}}, []string{"slow"}})
	if err != nil {
		panic(err)
	}
	for _, value := range v.Pairs() {
		fmt.Println(value.Type(), value.Floats(), value.ElemType().Type)
	}
	// Output:
	// Vector3 [1 2 3] invalid
	// PackedVector3Array [4 5 6] invalid
	// Array [] StringName
}
