// The game state as Go structs, for every library that takes structs.

package work

//go:generate go tool msgp -file state.go -o state_msgp.go -tests=false

// State is one tick of a game: the value of the workload "game".
type State struct {
	Tick     int64    `msg:"tick" msgpack:"tick" cbor:"tick" json:"tick" octable:"tick"`
	Entities []Entity `msg:"entities" msgpack:"entities" cbor:"entities" json:"entities" octable:"entities"`
}

// Entity is one thing in the game: six fields, a name and three tags.
type Entity struct {
	ID   int64    `msg:"id" msgpack:"id" cbor:"id" json:"id" octable:"id"`
	Name string   `msg:"name" msgpack:"name" cbor:"name" json:"name" octable:"name"`
	Pos  Vector3  `msg:"pos" msgpack:"pos" cbor:"pos" json:"pos" octable:"pos,type=Vector3"`
	Vel  Vector3  `msg:"vel" msgpack:"vel" cbor:"vel" json:"vel" octable:"vel,type=Vector3"`
	HP   float64  `msg:"hp" msgpack:"hp" cbor:"hp" json:"hp" octable:"hp"`
	Tags []string `msg:"tags" msgpack:"tags" cbor:"tags" json:"tags" octable:"tags,type=Array"`
}

// Vector3 is Godot's Vector3 in single precision.
type Vector3 struct {
	X float32 `msg:"x" msgpack:"x" cbor:"x" json:"x"`
	Y float32 `msg:"y" msgpack:"y" cbor:"y" json:"y"`
	Z float32 `msg:"z" msgpack:"z" cbor:"z" json:"z"`
}
