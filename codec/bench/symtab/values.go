// Cells, read and written by hand, and the types of octable's generated code.

package symtab

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
	gen "github.com/octable/octable/codec/bench/run-go-generate/symtab"
	"github.com/octable/octable/codec/bench/suite"
	"github.com/octable/octable/codec/bench/value"
	"github.com/octable/octable/codec/compiler"
)

// The numbers of the types, which a test compares with those of the codec.
const (
	tagTable  = 256
	tagSymbol = 257
	fields    = 8
)

// workload returns the workload with a number of symbols.
func workload(n int) suite.Format {
	return suite.Format{Workload: "symtab", Codec: Codec, Wire: func() [][]byte {
		t := Make()
		t.Symbols = t.Symbols[:n]
		b, err := t.Append(nil)
		cases.Must(err)
		return [][]byte{b}
	}}
}

// Codec returns the codec of the schema.
func Codec() *codec.Codec {
	c, err := compiler.New(schema)
	cases.Must(err)
	return c
}

func values(n int) *suite.Values {
	return &suite.Values{Format: workload(n), Read: readValue, Write: appendValue}
}

// typed is the code for generated types, which have the layout of those here.
func typed(n int) *suite.Typed[gen.Table] {
	return &suite.Typed[gen.Table]{
		Format:  workload(n),
		Decoder: func() suite.Decode[gen.Table] { return (&gen.Decoder{Options: gen.Options{Alias: true}}).DecodeInto },
		Read:    gen.Options{Alias: true}.DecodeInto,
		HandRead: func(x *gen.Table, b []byte) (int, error) {
			return len(b), (*Table)(unsafe.Pointer(x)).Decode(b)
		},
		Write:     gen.Append,
		HandWrite: func(dst []byte, x *gen.Table) ([]byte, error) { return (*Table)(unsafe.Pointer(x)).Append(dst) },
	}
}

func readValue(s *value.Slab, b []byte) (value.Value, int, error) {
	if len(b)%symbolSize != 0 {
		return value.Value{}, 0, errSize
	}
	n := len(b) / symbolSize
	list, cells := s.Take(n), s.Take(fields*n)
	for i := range list {
		c, b := cells[i*fields:(i+1)*fields], b[i*symbolSize:(i+1)*symbolSize]
		c[0] = value.Value{U: uint64(binary.LittleEndian.Uint32(b)), Kind: value.Uint, Form: value.U32}
		c[1], c[2] = value.Bits(b[4]&15), value.Bits(b[4]>>4)
		c[3], c[4] = value.Bits(b[5]&3), value.Bits(b[5]>>2)
		c[5] = value.Value{U: uint64(binary.LittleEndian.Uint16(b[6:])), Kind: value.Uint, Form: value.U16}
		c[6] = value.Value{U: binary.LittleEndian.Uint64(b[8:]), Kind: value.Uint, Form: value.U64}
		c[7] = value.Value{U: binary.LittleEndian.Uint64(b[16:]), Kind: value.Uint, Form: value.U64}
		list[i] = value.Value{P: unsafe.Pointer(&c[0]), N: fields, Kind: value.Record, Tag: tagSymbol}
	}
	return value.MakeCells(value.List, tagTable, list), len(b), nil
}

func appendValue(out []byte, v *value.Value) ([]byte, error) {
	if v.Kind != value.List || v.Tag != tagTable {
		return out, value.ErrKind
	}
	list := v.Cells()
	for i := range list {
		c, err := value.Fields(&list[i], tagSymbol, fields)
		if err != nil {
			return out, err
		}
		if err := value.Numbers(c, math.MaxUint64); err != nil {
			return out, err
		}
		if c[0].U > math.MaxUint32 || c[1].U > 15 || c[2].U > 15 || c[3].U > 3 || c[4].U > 63 || c[5].U > math.MaxUint16 {
			return out, errRange
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(c[0].U))
		out = append(out, byte(c[1].U|c[2].U<<4), byte(c[3].U|c[4].U<<2))
		out = binary.LittleEndian.AppendUint16(out, uint16(c[5].U))
		out = binary.LittleEndian.AppendUint64(out, c[6].U)
		out = binary.LittleEndian.AppendUint64(out, c[7].U)
	}
	return out, nil
}
