// This wrapper serves a Go codec as an implementation for octable conform:
//
//	octable conform -spec godot-4.4 -- go run ./conformance/wrappers/go
//
// The codec is this project's own. To check another one, put its calls into Decode and
// Encode, and what it says of itself into About.
package main

import (
	"encoding/json"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/protocol"
)

func main() { protocol.Main(wrapper{codec.MustLoad("godot-4.4")}) }

type wrapper struct{ mine *codec.Codec }

func (w wrapper) About() protocol.About {
	return protocol.About{Protocol: protocol.Version, Name: "mine", Version: "1.0", Language: "Go",
		Ops: []protocol.Op{protocol.Decode, protocol.Encode, protocol.Recode}, Specs: []string{"godot-4.4"},
		Lacks: []string{"RID", "Callable", "Signal"}} // what it does not have at all
}

// Decode turns bytes into a value of the codec, and that into a codec.Value. The functions of
// package godot make these: NewInt, NewString, NewDictionary, the method Value of Vector2 and so on.
func (w wrapper) Decode(_ string, b []byte, _ bool) (json.RawMessage, int, error) {
	v, used, err := w.mine.Decode(b)
	if err != nil {
		return nil, 0, err
	}
	value, err := v.MarshalJSON()
	return value, used, err
}

// Encode turns JSON into a codec.Value, and that into a value of the codec. Its methods Type, AsInt,
// AsString, Pairs and so on return its type and content.
func (w wrapper) Encode(_ string, value json.RawMessage, _ bool) ([]byte, error) {
	v, err := godot.ParseJSON(value)
	if err != nil {
		return nil, err
	}
	return w.mine.Encode(v)
}

// Recode reads a value and writes it again, without JSON between the two.
func (w wrapper) Recode(_ string, b []byte, _ bool) ([]byte, int, error) {
	v, used, err := w.mine.Decode(b)
	if err != nil {
		return nil, 0, err
	}
	again, err := w.mine.Encode(v)
	return again, used, err
}
