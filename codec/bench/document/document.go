// Package document is a workload of MessagePack, a document of 100 maps. It is read into and written from
// generic values and the types of octable's generated code. octable's schema of the format, code written by
// hand, and the libraries that a program would take are compared.
package document

import (
	"fmt"

	"github.com/tinylib/msgp/msgp"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
	gen "github.com/octable/octable/codec/bench/run-go-generate/msgpack"
	"github.com/octable/octable/codec/bench/suite"
)

// Workload is the name of the workload.
const Workload = "msgpack"

// Make returns the document.
func Make() any {
	var list []any
	for i := range 100 {
		list = append(list, map[string]any{"id": 1000 * i, "name": fmt.Sprint("entity-", i), "health": 12.5, "tags": []any{"a", "second", "third tag"}, "on": i%2 == 0})
	}
	return map[string]any{"entities": list}
}

// Wire returns the bytes of the document, as the library writes them with short forms of integers.
func Wire() []byte {
	b, err := msgpack.Marshal(Make())
	cases.Must(err)
	return b
}

// Codec returns the codec of MessagePack.
func Codec() *codec.Codec { return suite.Spec("msgpack") }

var format = suite.Format{Workload: Workload, Codec: Codec, Wire: func() [][]byte { return [][]byte{Wire()} }}

// Values is the code that fills cells.
var Values = suite.Values{Format: format, Read: readCells, Write: appendCells}

// Typed is the code for the types that octable generates.
var Typed = suite.Typed[gen.Value]{
	Format:  format,
	Decoder: func() suite.Decode[gen.Value] { return (&gen.Decoder{Options: gen.Options{Alias: true}}).DecodeInto },
	Read:    gen.Options{Alias: true}.DecodeInto, HandRead: readAny,
	Write: func(dst []byte, x *gen.Value) ([]byte, error) { return gen.Append(dst, *x) }, HandWrite: appendAny,
	Interfaces: interfaces,
}

// Register adds the cases: octable's, and those of the library.
func Register(ours string) {
	size := len(Wire())
	add := func(direction, impl string, make func() cases.Run) {
		cases.Add(cases.Case{Workload: Workload, Direction: direction, Impl: impl, Bytes: size, Make: make})
	}
	Values.Register(ours)
	Typed.Register(ours)
	add(cases.DecodeValueFresh, ours, func() cases.Run {
		b, c := Wire(), Codec()
		return func(n int) {
			for range n {
				_, _, err := c.Decode(b)
				cases.Must(err)
			}
		}
	})
	add(cases.DecodeValueFresh, "msgpack", func() cases.Run {
		b := Wire()
		return func(n int) {
			for range n {
				var v any
				cases.Must(msgpack.Unmarshal(b, &v))
			}
		}
	})
	add(cases.EncodeDecoded, "msgpack", func() cases.Run {
		v := Make()
		return func(n int) {
			for range n {
				_, err := msgpack.Marshal(v)
				cases.Must(err)
			}
		}
	})
	registerLibraries()
}

// registerLibraries adds the cases of the libraries, each with its own generic values.
func registerLibraries() {
	format.Decode(cases.DecodeTyped, "msgpack", func() func(b []byte) error {
		return func(b []byte) error {
			var v any
			return msgpack.Unmarshal(b, &v)
		}
	})
	format.Decode(cases.DecodeTyped, "msgp", func() func(b []byte) error {
		return func(b []byte) error {
			_, _, err := msgp.ReadIntfBytes(b)
			return err
		}
	})
	format.Encode(cases.EncodeTyped, "msgpack", func() func(dst []byte, i int) ([]byte, error) {
		v := Make()
		return func(dst []byte, i int) ([]byte, error) { return msgpack.Marshal(v) }
	})
	format.Encode(cases.EncodeTyped, "msgp", func() func(dst []byte, i int) ([]byte, error) {
		v := Make()
		return func(dst []byte, i int) ([]byte, error) { return msgp.AppendIntf(dst, v) }
	})
}
