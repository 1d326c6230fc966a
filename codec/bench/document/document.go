// Package document is a workload of MessagePack: a document of 100 maps into and out of generic values, by
// octable's schema of the format and by the library that a program would take.
package document

import (
	"fmt"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
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
func Codec() *codec.Codec {
	source, err := spec.FS.ReadFile("formats/msgpack.oct")
	cases.Must(err)
	c, err := compiler.New(string(source))
	cases.Must(err)
	return c
}

// Register adds the cases: octable's, and those of the library.
func Register(ours string) {
	size := len(Wire())
	add := func(direction, impl string, make func() cases.Run) {
		cases.Add(cases.Case{Workload: Workload, Direction: direction, Impl: impl, Bytes: size, Make: make})
	}
	add(cases.DecodeValue, ours, func() cases.Run {
		b, r := Wire(), raw.Machine(Codec()).NewReader(interp.Options{})
		return func(n int) {
			for range n {
				_, _, err := r.Read(b)
				cases.Must(err)
			}
		}
	})
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
	add(cases.EncodeDecoded, ours, func() cases.Run {
		c := Codec()
		v, _, err := c.Decode(Wire())
		cases.Must(err)
		w, buf := raw.Machine(c).NewWriter(interp.Options{}), make([]byte, 0, 2*size)
		return func(n int) {
			for range n {
				_, err := w.Append(buf, raw.Value(v))
				cases.Must(err)
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
}
