// Package generated measures what `octable gen go` writes: package variant is the
// output for godot-4.4, of which nothing was changed by hand.
package generated

import (
	"unsafe"

	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/generated/variant"
	"github.com/octable/octable/codec/bench/value"
	"github.com/octable/octable/codec/bench/work"
)

//go:generate go run github.com/octable/octable/cmd/octable gen go godot-4.4 -package variant -o variant

// Impl is the name of the cases.
const Impl = "generated"

// Register adds the cases.
func Register() {
	add := func(w, direction string, make func() cases.Run) {
		cases.Add(cases.Case{Workload: w, Direction: direction, Impl: Impl, Bytes: work.Size(w), Make: make})
	}
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

// constructed returns the value of a workload as a program would make it: the layout
// is the same, and so are the numbers of the types.
func constructed(w string) variant.Value {
	v := value.FromTree(work.Named(w))
	return *(*variant.Value)(unsafe.Pointer(&v))
}

// What is kept, so that it is allocated where it would be in a program.
var (
	sinkValue variant.Value
	sinkBytes []byte
)
