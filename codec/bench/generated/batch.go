// Records: packages of batch.oct, in either byte order, with structs for its records.

package generated

import (
	"github.com/octable/octable/codec/bench/batch"
	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/run-go-generate/big"
	"github.com/octable/octable/codec/bench/run-go-generate/little"
)

//go:generate go -C ../../.. run ./cmd/octable gen go codec/bench/batch/batch.oct -package little -o codec/bench/run-go-generate/little
//go:generate go -C ../../.. run ./cmd/octable gen go codec/bench/batch/batch-big.oct -package big -o codec/bench/run-go-generate/big

// registerBatch adds the cases of a package, whose functions decode into x and append x.
func registerBatch[T any](order string, decode func(x *T, b []byte) (int, error), encode func(dst []byte, x *T) ([]byte, error)) {
	b := batch.Wire(order)
	add := func(direction string, make func() cases.Run) {
		cases.Add(cases.Case{Workload: "batch-" + order, Direction: direction, Impl: Impl, Bytes: len(b), Make: make})
	}
	add(cases.DecodeStruct, func() cases.Run {
		x := new(T)
		return func(n int) {
			for range n {
				_, err := decode(x, b)
				cases.Must(err)
			}
		}
	})
	add(cases.EncodeStruct, func() cases.Run {
		x, buf := new(T), make([]byte, 0, len(b)+256)
		_, err := decode(x, b)
		cases.Must(err)
		return func(n int) {
			for range n {
				_, err := encode(buf, x)
				cases.Must(err)
			}
		}
	})
}

func registerBatches() {
	registerBatch("little", little.Options{Alias: true}.DecodeInto, little.Options{}.Append)
	registerBatch("big", big.Options{Alias: true}.DecodeInto, big.Options{}.Append)
}
