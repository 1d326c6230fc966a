package codec_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

type Hero struct {
	Name string        `octable:"name"`
	Pos  godot.Vector3 `octable:"pos"`
	HP   float64       `octable:"hp"`
}

func Example() {
	c := codec.MustLoad("godot-4")

	b, err := c.Marshal(Hero{"Ada", godot.Vector3{X: 1, Y: 2.5, Z: -3}, 12.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(b), "bytes")

	var p Hero
	if err := c.Unmarshal(b, &p); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+v\n", p)
	// Output:
	// 80 bytes
	// {Name:Ada Pos:{X:1 Y:2.5 Z:-3} HP:12.5}
}

func ExampleLoad() {
	for _, id := range []string{"godot-4", "godot-3", "godot-4.4+double"} {
		c, err := codec.Load(id)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(c.Schema(), c.TypeName(godot.PackedByteArray))
	}
	// Output:
	// godot-4.4 PackedByteArray
	// godot-3 PoolByteArray
	// godot-4.4 PackedByteArray
}

// A packet that an engine wrote.
func ExampleCodec_Decode() {
	packet, err := os.ReadFile("testdata/packets/player.bin")
	if err != nil {
		fmt.Println(err)
		return
	}
	v, used, err := codec.MustLoad("godot-4").Decode(packet)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(used == len(packet), v.Type(), v.Len())
	for key, value := range v.Pairs() {
		fmt.Println(key, value.Type(), value)
	}
	// Output:
	// true Dictionary 7
	// "name" String "Ada"
	// "pos" Vector3 Vector3(1, 2.5, -3)
	// "hp" float 12.5
	// "score" int 5000000000
	// "tags" Array Array[StringName]([&"human", &"größe"])
	// "home" NodePath NodePath("/root/Town/House:door")
	// "bag" PackedInt32Array PackedInt32Array(1, 1, 2)
}

// An error says what is wrong, where, and by which row of the schema.
func ExampleError() {
	packet, _ := hex.DecodeString("1c000000" + "01000000" + "04000000" + "ff000000")
	_, _, err := codec.MustLoad("godot-4").Decode(packet)
	var e *codec.Error
	if errors.As(err, &e) {
		fmt.Println(e.Word(), "at byte", e.Offset, "in", e.Path, "by", e.Row)
	}
	fmt.Println(errors.Is(err, codec.ErrTruncated))
	// Output:
	// truncated at byte 16 in [0] by String.text
	// true
}

func ExampleCodec_Append() {
	v := godot.NewDictionary(
		codec.Pair{Key: godot.NewString("hp"), Value: godot.NewFloat(12.5)},
		codec.Pair{Key: godot.NewStringName("at"), Value: godot.Vector2{X: 1, Y: 2}.Value()},
	)
	b, err := codec.MustLoad("godot-3").Append(nil, v)
	fmt.Printf("%x %v\n", b, err != nil) // Godot 3 has no StringName
	b, err = codec.MustLoad("godot-4").Append(nil, v)
	fmt.Printf("%x %v\n", b, err)
	// Output:
	//  true
	// 1b000000020000000400000002000000687000000300000000004841150000000200000061740000050000000000803f00000040 <nil>
}

// Strict reading names the first byte that an engine would not have written.
func ExampleOptions_strict() {
	strict, err := codec.MustLoad("godot-4").With(codec.Options{Strict: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	wide, _ := hex.DecodeString("02000100" + "0500000000000000") // 5 in 64 bits
	_, _, err = strict.Decode(wide)
	fmt.Println(errors.Is(err, codec.ErrNotCanonical), err.(*codec.Error).Offset)
	// Output:
	// true 2
}

// A schema of another format gives values names. Structs take its records by field name.
func Example_otherFormat() {
	wave := codec.MustLoad("wave")
	v, err := wave.ParseText(`{wave: [{id: "fmt ", body: format({tag: 1, channels: 2, rate: 8000,
		bytes_per_second: 16000, block: 2, bits: 8})}, {id: "data", body: data(128, 127)}]}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := wave.Encode(v)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%x\n", b[:12])
	fmt.Println(v.Field("wave").Index(0).Field("body").Field("rate"))

	type format struct {
		Channels int `octable:"channels"`
		Rate     int `octable:"rate"`
	}
	var file struct {
		Chunks []struct {
			ID   string `octable:"id"`
			Body struct {
				Format *format `octable:"format"`
				Data   []byte  `octable:"data"`
			} `octable:"body"`
		} `octable:"wave"`
	}
	wave, err = wave.With(codec.Options{IgnoreUnknown: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := wave.Unmarshal(b, &file); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(*file.Chunks[0].Body.Format, file.Chunks[1].ID, file.Chunks[1].Body.Data)
	// Output:
	// 524946462600000057415645
	// 8000
	// {2 8000} data [128 127]
}
