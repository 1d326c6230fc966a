package godot_test

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

type Player struct {
	Name     godot.StringName `octable:"name,required"`
	Position godot.Vector3    `octable:"position"`
	Health   float64          `octable:"health"`
	Bag      []Item           `octable:"bag"`
}

type Item struct {
	Name  string `octable:"name"`
	Count int    `octable:"count,omitempty"`
}

func ExampleValueOf() {
	v, err := godot.ValueOf(Player{
		Name:     "Ayla",
		Position: godot.Vector3{X: 1, Y: 0, Z: -2},
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

// Vectors of other packages are taken with a tag.
func ExampleValueOf_type() {
	type mglVec3 = [3]float32
	v, err := godot.ValueOf(struct {
		Pos  mglVec3   `octable:"pos,type=Vector3"`
		Path []mglVec3 `octable:"path,type=PackedVector3Array"`
		Tags []string  `octable:"tags,type=Array[StringName]"`
	}{mglVec3{1, 2, 3}, []mglVec3{{4, 5, 6}}, []string{"slow"}})
	if err != nil {
		panic(err)
	}
	for _, value := range v.Pairs() {
		fmt.Println(value.Type(), value.Floats(), godot.ElemTypeOf(value).Type)
	}
	// Output:
	// Vector3 [1 2 3] invalid
	// PackedVector3Array [4 5 6] invalid
	// Array [] StringName
}

func ExampleNewEncoder() {
	var file bytes.Buffer
	e := godot.NewEncoder(codec.MustLoad("godot-4"), &file)
	if err := e.Encode(42); err != nil {
		fmt.Println(err)
	}
	if err := e.EncodeValue(godot.NewNil()); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%x\n", file.Bytes())
	// Output:
	// 08000000020000002a0000000400000000000000
}

// The bytes that FileAccess.store_var writes, and how to read them.
func ExampleNewDecoder() {
	f, err := os.Open("testdata/packets/save.dat")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	d := godot.NewDecoder(codec.MustLoad("godot-4"), f)
	for {
		v, err := d.DecodeValue()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v.Type(), v.Len())
	}
	// Output:
	// Dictionary 7
	// Array 3
}
