package codec_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

type Entity struct {
	ID   int           `octable:"id"`
	Pos  godot.Vector2 `octable:"pos"`
	Tags []string      `octable:"tags"`
}

// A Mapper reads and writes the same types again and again, in memory that it keeps.
func ExampleMapper() {
	m := codec.MustLoad("godot-4").NewMapper()
	var packet []byte
	var state struct {
		Entities []Entity `octable:"entities"`
	}
	for frame := range 3 {
		in := struct {
			Entities []Entity `octable:"entities"`
		}{[]Entity{{frame, godot.Vector2{X: float32(frame)}, []string{"npc"}}}}
		var err error
		if packet, err = m.AppendMarshal(packet[:0], &in); err != nil {
			fmt.Println(err)
			return
		}
		if err := m.Unmarshal(packet, &state); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(len(packet), state.Entities)
	}
	// Output:
	// 112 [{0 {0 0} [npc]}]
	// 112 [{1 {1 0} [npc]}]
	// 112 [{2 {2 0} [npc]}]
}

// Percent is written as a text such as "75 %".
type Percent int

func (p Percent) MarshalOctable() (codec.Value, error) {
	return godot.NewString(fmt.Sprintf("%d %%", int(p))), nil
}

func (p *Percent) UnmarshalOctable(v codec.Value) error {
	text, ok := v.AsString()
	if !ok {
		return errors.New("a percentage is a String")
	}
	_, err := fmt.Sscanf(text, "%d %%", (*int)(p))
	return err
}

// A type with these methods has a special form. Their errors get the path of the value.
func ExampleMarshaler() {
	c := codec.MustLoad("godot-4")
	b, err := c.Marshal(map[string]Percent{"loaded": 75})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, _, _ := c.Decode(b)
	fmt.Println(v)
	var back map[string]Percent
	fmt.Println(c.Unmarshal(b, &back), int(back["loaded"]))

	b, _ = c.Marshal(map[string]int{"loaded": 75})
	fmt.Println(c.Unmarshal(b, &back))
	// Output:
	// {"loaded": "75 %"}
	// <nil> 75
	// codec: cannot read .loaded into Go codec_test.Percent: its UnmarshalOctable: a percentage is a String
}

// A key with the option required must be in a Dictionary. Without the option, a field whose key is missing keeps its
// value.
func ExampleCodec_Unmarshal_required() {
	type login struct {
		User string `octable:"user,required"`
		Lang string `octable:"lang"`
	}
	c := codec.MustLoad("godot-4")
	b, _ := c.Marshal(map[string]string{"lang": "eo"})
	l := login{Lang: "en"}
	err := c.Unmarshal(b, &l)
	fmt.Println(errors.Is(err, codec.ErrMissingKey), err)

	b, _ = c.Marshal(map[string]string{"user": "ada"})
	l = login{Lang: "en"}
	fmt.Println(c.Unmarshal(b, &l), l)
	// Output:
	// true codec: cannot read the value into Go codec_test.login: the key "user" is missing, which the tag says is required
	// <nil> {ada en}
}

// A map with the option rest takes the keys that no field has, and writes them again. As RawMessages they keep their bytes.
func ExampleRawMessage_rest() {
	type save struct {
		Gold int                         `octable:"gold"`
		Rest map[string]codec.RawMessage `octable:",rest"`
	}
	c := codec.MustLoad("godot-4")
	b, _ := c.Marshal(map[string]any{"gold": 5, "name": "Ada", "pos": godot.Vector2{X: 1}})
	var s save
	if err := c.Unmarshal(b, &s); err != nil {
		fmt.Println(err)
		return
	}
	s.Gold = 500
	b, err := c.Marshal(&s)
	if err != nil {
		fmt.Println(err)
		return
	}
	v, _, _ := c.Decode(b)
	fmt.Println(v)
	var name string
	fmt.Println(c.Unmarshal(s.Rest["name"], &name), strings.ToUpper(name))
	// Output:
	// {"gold": 500, "name": "Ada", "pos": Vector2(1, 0)}
	// <nil> ADA
}

// Get reads one value out of a packet, and Set changes one of a Value.
func ExampleCodec_Get() {
	c := codec.MustLoad("godot-4")
	b, _ := c.Marshal(map[string]any{"players": []any{map[string]any{"name": "Ada", "gold": 5}}})
	gold, err := c.Get(b, "players", -1, "gold")
	fmt.Println(gold, err)

	v, _, _ := c.Decode(b)
	v, err = v.Set(codec.Path{"players", 0, "gold"}, godot.NewInt(500))
	fmt.Println(v.At("players", 0), err)
	v, err = v.Without("players", 0, "name")
	fmt.Println(v, err)
	// Output:
	// 5 <nil>
	// {"gold": 500, "name": "Ada"} <nil>
	// {"players": [{"gold": 500}]} <nil>
}
