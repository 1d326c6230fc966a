// The workloads.

package work

import (
	"fmt"
	"math/rand/v2"
	"sync"
)

// Sizes on the wire, which the tests hold the generators to.
const (
	RPCSize  = 120
	GameSize = 200_052 // for 1000 entities
	NestSize = 488
	IntsSize = 900_284
)

const (
	nestDepth = 60
	intCount  = 100_000
	wideInts  = 25_069 // of intCount, so that the packet has IntsSize bytes

	// Entities is the number of entities in the workload "game".
	Entities = 1000
	// Small is the number of Vector3 that fill 64 KiB.
	Small = 64 << 10 / 12
	// Large is the number of Vector3 that fill 12 MiB.
	Large = 12 << 20 / 12
	// Blob is the number of bytes of the workload "bytes".
	Blob = 16 << 20
)

func source(name uint64) *rand.Rand { return rand.New(rand.NewPCG(2026, name)) }

// RPC is a small remote call: nine values of eight types.
func RPC() Tree {
	return []any{
		"update_player",
		int64(1_837_462_915),         // the peer
		int64(1_767_225_600_123_456), // microseconds: an int of 64 bits
		Vector3{12.5, 0.25, -733.0625},
		Quaternion{0, 0.70710677, 0, 0.70710677},
		4.5, // a float that fits 32 bits
		true,
		"jump",
		nil,
	}
}

// Nest is arrays in arrays, with one int in the innermost.
func Nest() Tree {
	var t Tree = int64(42)
	for range nestDepth {
		t = []any{t}
	}
	return t
}

// Ints is an Array of ints, a quarter of which need 64 bits, in random order.
func Ints() Tree {
	r := source(3)
	a := make([]any, intCount)
	for i := range a {
		if i < wideInts {
			a[i] = int64(1)<<40 + r.Int64N(1<<50)
		} else {
			a[i] = int64(int32(r.Uint32()))
		}
	}
	r.Shuffle(len(a), func(i, j int) { a[i], a[j] = a[j], a[i] })
	return a
}

// Game returns a state with n entities. An entity takes 200 bytes on the wire,
// as long as n is at most 1000 or all names happen to be padded to one length.
func Game(n int) *State {
	r := source(1)
	vec := func(scale float32) Vector3 {
		f := func() float32 { return (r.Float32() - 0.5) * scale }
		return Vector3{f(), f(), f()}
	}
	kinds := [][]string{
		{"enemy", "flying", "ai"},
		{"player", "human", "p1"},
		{"static", "solid", "map"},
		{"pickup", "shiny", "hud"},
	}
	s := &State{Tick: 123_456, Entities: make([]Entity, n)}
	for i := range s.Entities {
		s.Entities[i] = Entity{
			ID:   int64(1000 + i),
			Name: fmt.Sprintf("entity-%04d", i),
			Pos:  vec(2000),
			Vel:  vec(20),
			HP:   float64(r.IntN(400)) / 4,
			Tags: append([]string(nil), kinds[r.IntN(len(kinds))]...),
		}
	}
	return s
}

// Orders of the keys of an entity.
var (
	Declared = []int{0, 1, 2, 3, 4, 5} // as in the struct
	Permuted = []int{5, 2, 0, 4, 1, 3} // another one, the same for every entity
)

// Tree returns s with the keys of its entities in the given order.
func (s *State) Tree(order []int) Tree {
	entities := make([]any, len(s.Entities))
	for i := range s.Entities {
		e := &s.Entities[i]
		tags := make([]any, len(e.Tags))
		for j, t := range e.Tags {
			tags[j] = t
		}
		fields := Dict{{"id", e.ID}, {"name", e.Name}, {"pos", e.Pos}, {"vel", e.Vel}, {"hp", e.HP}, {"tags", tags}}
		d := make(Dict, len(fields))
		for j, f := range order {
			d[j] = fields[f]
		}
		entities[i] = d
	}
	return Dict{{"tick", s.Tick}, {"entities", entities}}
}

// Vectors returns n vectors.
func Vectors(n int) []Vector3 {
	r := source(4)
	v := make([]Vector3, n)
	for i := range v {
		v[i] = Vector3{r.Float32(), r.Float32(), r.Float32()}
	}
	return v
}

// Bytes returns n bytes.
func Bytes(n int) []byte {
	r := source(5)
	b := make([]byte, n)
	for i := 0; i+8 <= n; i += 8 {
		le.PutUint64(b[i:], r.Uint64())
	}
	return b
}

// Named returns the tree of a workload by its name: rpc, game, game-permuted,
// game-100k, nest, ints, vec3-64K, vec3-12M, bytes-16M.
func Named(name string) Tree {
	switch name {
	case "rpc":
		return RPC()
	case "game":
		return Game(Entities).Tree(Declared)
	case "game-permuted":
		return Game(Entities).Tree(Permuted)
	case "game-100k":
		return Game(100 * Entities).Tree(Declared)
	case "nest":
		return Nest()
	case "ints":
		return Ints()
	case "vec3-64K":
		return Vectors(Small)
	case "vec3-12M":
		return Vectors(Large)
	case "bytes-16M":
		return Bytes(Blob)
	}
	panic("work: no workload " + name)
}

// Generic lists the workloads that are trees of many values.
func Generic() []string { return []string{"rpc", "game", "nest", "ints"} }

// Size returns how many bytes the packet of a workload has.
func Size(name string) int {
	switch name {
	case "rpc":
		return RPCSize
	case "game", "game-permuted":
		return GameSize
	case "game-100k":
		return 52 + 200*100*Entities
	case "nest":
		return NestSize
	case "ints":
		return IntsSize
	case "vec3-64K":
		return 8 + 12*Small
	case "vec3-12M":
		return 8 + 12*Large
	case "bytes-16M":
		return 8 + Blob
	}
	panic("work: no workload " + name)
}

var (
	wireLock sync.Mutex
	wires    = map[string][]byte{}
)

// Wire returns the packet of a workload, as Godot 4.4 writes it. It is the same
// memory each time, which must not be written to, until Forget is called.
func Wire(name string) []byte {
	wireLock.Lock()
	defer wireLock.Unlock()
	if wires[name] == nil {
		b := Append(make([]byte, 0, Size(name)), Named(name))
		wires[name] = b[:len(b):len(b)]
	}
	return wires[name]
}

// Forget drops the packets. So a measurement of one workload does not run with
// the packets of all others alive.
func Forget() {
	wireLock.Lock()
	defer wireLock.Unlock()
	clear(wires)
}
