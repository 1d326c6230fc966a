// Records as Go structs: code written by hand, and octable's Mapper.

package batch

import (
	"unsafe"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
)

// Record is one reading.
type Record struct {
	ID     uint32  `octable:"id"`
	Sensor uint16  `octable:"sensor"`
	Level  int16   `octable:"level"`
	Value  float32 `octable:"value"`
	Name   string  `octable:"name"`
}

// Batch is a batch of readings.
type Batch struct {
	Records []Record `octable:"records"`
}

// textIn returns text that shares the memory of b.
func textIn(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// registerStructs adds the cases of structs.
func registerStructs(ours, order string, add func(direction, impl string, make func() cases.Run)) {
	mapper := func() *codec.Mapper {
		c, err := Codec(order).With(codec.Options{Alias: true})
		cases.Must(err)
		return c.NewMapper()
	}
	decode, encode := (*Batch).DecodeLittle, (*Batch).AppendLittle
	if order == "big" {
		decode, encode = (*Batch).DecodeBig, (*Batch).AppendBig
	}
	add(cases.DecodeStruct, "hand", func() cases.Run {
		b, x := Wire(order), new(Batch)
		return func(n int) {
			for range n {
				cases.Must(decode(x, b))
			}
		}
	})
	add(cases.DecodeStruct, ours, func() cases.Run {
		b, x, m := Wire(order), new(Batch), mapper()
		return func(n int) {
			for range n {
				cases.Must(m.Unmarshal(b, x))
			}
		}
	})
	add(cases.EncodeStruct, "hand", func() cases.Run {
		x := new(Batch)
		cases.Must(decode(x, Wire(order)))
		buf := make([]byte, 0, len(Wire(order))+256)
		return func(n int) {
			for range n {
				_, err := encode(x, buf)
				cases.Must(err)
			}
		}
	})
	add(cases.EncodeStruct, ours, func() cases.Run {
		x, m := new(Batch), mapper()
		cases.Must(decode(x, Wire(order)))
		buf := make([]byte, 0, len(Wire(order))+256)
		return func(n int) {
			for range n {
				_, err := m.AppendMarshal(buf, x)
				cases.Must(err)
			}
		}
	})
}
