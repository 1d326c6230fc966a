// The game state as package work has it, for octable gen go.

package variant

// State is one tick of a game: the value of the workload "game".
type State struct {
	Tick     int64    `octable:"tick"`
	Entities []Entity `octable:"entities"`
}

// Entity is one thing in the game: six fields, a name and three tags.
type Entity struct {
	ID   int64    `octable:"id"`
	Name string   `octable:"name"`
	Pos  Vector3  `octable:"pos"`
	Vel  Vector3  `octable:"vel"`
	HP   float64  `octable:"hp"`
	Tags []string `octable:"tags,type=Array"`
}
