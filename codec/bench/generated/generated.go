// Package generated measures the output of `octable gen go`. Package variant is the output for
// godot-4.4 and for the structs in its file state.go. Packages little and big are those of
// batch.oct in either byte order.
package generated

import (
	"unsafe"

	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/generated/variant"
	"github.com/octable/octable/codec/bench/value"
	"github.com/octable/octable/codec/bench/work"
)

//go:generate go -C .. generate ./hand ./rival ./work
//go:generate go -C ../../.. run ./cmd/octable gen go godot-4.4 -structs codec/bench/generated/variant/state.go -o codec/bench/generated/variant

// Impl is the name of the cases.
const Impl = "generated"

// Register adds the cases.
func Register() {
	add := func(w, direction string, make func() cases.Run) {
		cases.Add(cases.Case{Workload: w, Direction: direction, Impl: Impl, Bytes: work.Size(w), Make: make})
	}
	registerStates()
	registerBatches()
	for _, w := range append(work.Generic(), "game-100k") {
		add(w, cases.DecodeValue, func() cases.Run {
			b, d := work.Wire(w), &variant.Decoder{Options: variant.Options{Alias: true}}
			return func(n int) {
				for range n {
					_, _, err := d.Decode(b)
					cases.Must(err)
				}
			}
		})
		add(w, cases.EncodeValue, func() cases.Run {
			v, e := constructed(w), new(variant.Encoder)
			buf := make([]byte, 0, work.Size(w)+256)
			return func(n int) {
				for range n {
					_, err := e.Append(buf, v)
					cases.Must(err)
				}
			}
		})
		add(w, cases.EncodeDecoded, func() cases.Run {
			v, _, err := variant.Decode(work.Wire(w))
			cases.Must(err)
			e, buf := new(variant.Encoder), make([]byte, 0, work.Size(w)+256)
			return func(n int) {
				for range n {
					_, err := e.Append(buf, v)
					cases.Must(err)
				}
			}
		})
		if w == "game-100k" {
			continue
		}
		add(w, cases.DecodeValueFresh, func() cases.Run {
			b, d := work.Wire(w), &variant.Decoder{Options: variant.Options{Alias: true}}
			return func(n int) {
				for range n {
					v, _, err := d.Decode(append([]byte(nil), b...))
					cases.Must(err)
					sinkValue = v
					d.Release()
				}
			}
		})
		add(w, cases.EncodeValueFresh, func() cases.Run {
			v, e := constructed(w), new(variant.Encoder)
			var scratch []byte
			return func(n int) {
				for range n {
					var err error
					scratch, err = e.Append(scratch[:0], v)
					cases.Must(err)
					sinkBytes = append([]byte(nil), scratch...)
				}
			}
		})
	}
}

// state returns the game state of a workload; the layout is that of package work.
func state(entities int) *variant.State {
	return (*variant.State)(unsafe.Pointer(work.Game(entities)))
}

func registerStates() {
	for _, w := range []string{"game", "game-permuted", "game-100k"} {
		entities := map[string]int{"game": 1, "game-permuted": 1, "game-100k": 100}[w] * work.Entities
		add := func(direction string, make func() cases.Run) {
			cases.Add(cases.Case{Workload: w, Direction: direction, Impl: Impl, Bytes: work.Size(w), Make: make})
		}
		add(cases.DecodeStruct, func() cases.Run {
			b, s, d := work.Wire(w), new(variant.State), &variant.Decoder{Options: variant.Options{Alias: true}}
			return func(n int) {
				for range n {
					cases.Must(d.Unmarshal(b, s))
				}
			}
		})
		add(cases.DecodeStructFresh, func() cases.Run {
			b := work.Wire(w)
			return func(n int) {
				for range n {
					s := new(variant.State)
					cases.Must(variant.Unmarshal(b, s))
					sinkState = s
				}
			}
		})
		if w == "game-permuted" {
			continue
		}
		add(cases.EncodeStruct, func() cases.Run {
			s, e, buf := state(entities), new(variant.Encoder), make([]byte, 0, work.Size(w)+256)
			return func(n int) {
				for range n {
					_, err := e.Marshal(buf, s)
					cases.Must(err)
				}
			}
		})
		add(cases.EncodeStructFresh, func() cases.Run {
			s := state(entities)
			return func(n int) {
				for range n {
					b, err := variant.Marshal(s)
					cases.Must(err)
					sinkBytes = b
				}
			}
		})
	}
}

// constructed returns the value of a workload as a program would make it. The layout is the
// same, and so are the numbers of the types.
func constructed(w string) variant.Value {
	v := value.FromTree(work.Named(w))
	return *(*variant.Value)(unsafe.Pointer(&v))
}

// Results are kept, so that they are allocated as in a program.
var (
	sinkValue variant.Value
	sinkBytes []byte
	sinkState *variant.State
)
