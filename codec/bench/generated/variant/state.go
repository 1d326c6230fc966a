// The game state as package work has it, for octable gen go.

package variant

// State is one tick of a game: the value of the workload "game".
type State struct {
	Tick     int64    `godot:"tick"`
	Entities []Entity `godot:"entities"`
}

// Entity is one thing in the game: six fields, a name and three tags.
type Entity struct {
	ID   int64    `godot:"id"`
	Name string   `godot:"name"`
	Pos  Vector3  `godot:"pos"`
	Vel  Vector3  `godot:"vel"`
	HP   float64  `godot:"hp"`
	Tags []string `godot:"tags,type=Array"`
}
