// Package symtab is a workload of the symbols of an ELF file. They are 10,000 records of fixed size with
// bits, up to the end of the input. It has the schema, and code written by hand that reads and writes the
// same structs.
package symtab

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"math/rand/v2"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
)

//go:embed symtab.oct
var schema string

// Symbol is an entry of the table.
type Symbol struct {
	Name       uint32 `octable:"name_at"`
	Type       uint8  `octable:"type"`
	Binding    uint8  `octable:"binding"`
	Visibility uint8  `octable:"visibility"`
	Reserved   uint8  `octable:"reserved"`
	Section    uint16 `octable:"shndx"`
	Value      uint64 `octable:"value"`
	Size       uint64 `octable:"size"`
}

// Table is a symbol table.
type Table struct {
	Symbols []Symbol `octable:"symbols"`
}

const (
	symbols    = 10_000
	symbolSize = 24
)

var (
	errSize  = errors.New("symtab: the input is no multiple of 24 bytes")
	errRange = errors.New("symtab: a number does not fit its bits")
)

// Make returns a table of symbols as compilers write them.
func Make() *Table {
	r := rand.New(rand.NewPCG(2026, 11))
	t := &Table{Symbols: make([]Symbol, symbols)}
	for i := range t.Symbols {
		t.Symbols[i] = Symbol{Name: r.Uint32N(1 << 20), Type: uint8(r.IntN(5)), Binding: uint8(r.IntN(3)), Visibility: uint8(r.IntN(4)),
			Section: uint16(r.IntN(40)), Value: r.Uint64N(1 << 40), Size: r.Uint64N(1 << 16)}
	}
	return t
}

// Decode reads a table into structs that are used again.
func (t *Table) Decode(b []byte) error {
	if len(b)%symbolSize != 0 {
		return errSize
	}
	n := len(b) / symbolSize
	if n > cap(t.Symbols) {
		t.Symbols = make([]Symbol, n)
	}
	t.Symbols = t.Symbols[:n]
	for i := range t.Symbols {
		s, b := &t.Symbols[i], b[i*symbolSize:(i+1)*symbolSize]
		s.Name = binary.LittleEndian.Uint32(b)
		s.Type, s.Binding = b[4]&15, b[4]>>4
		s.Visibility, s.Reserved = b[5]&3, b[5]>>2
		s.Section = binary.LittleEndian.Uint16(b[6:])
		s.Value = binary.LittleEndian.Uint64(b[8:])
		s.Size = binary.LittleEndian.Uint64(b[16:])
	}
	return nil
}

// Append appends a table.
func (t *Table) Append(out []byte) ([]byte, error) {
	for i := range t.Symbols {
		s := &t.Symbols[i]
		if s.Type > 15 || s.Binding > 15 || s.Visibility > 3 || s.Reserved > 63 {
			return out, errRange
		}
		out = binary.LittleEndian.AppendUint32(out, s.Name)
		out = append(out, s.Type|s.Binding<<4, s.Visibility|s.Reserved<<2)
		out = binary.LittleEndian.AppendUint16(out, s.Section)
		out = binary.LittleEndian.AppendUint64(out, s.Value)
		out = binary.LittleEndian.AppendUint64(out, s.Size)
	}
	return out, nil
}

// Mapper returns octable's reader and writer.
func Mapper() *codec.Mapper { return Codec().NewMapper() }

// Register adds the cases: those written by hand, and octable's.
func Register(ours string) {
	values(symbols).Register(ours)
	typed(symbols).Register(ours)
	wire, err := Make().Append(nil)
	cases.Must(err)
	decode := func(impl string, prepare func() func(b []byte, t *Table) error) {
		cases.Add(cases.Case{Workload: "symtab", Direction: cases.DecodeStruct, Impl: impl, Bytes: len(wire), Make: func() cases.Run {
			f, t := prepare(), new(Table)
			return func(n int) {
				for range n {
					cases.Must(f(wire, t))
				}
			}
		}})
	}
	encode := func(impl string, prepare func() func(t *Table, out []byte) ([]byte, error)) {
		cases.Add(cases.Case{Workload: "symtab", Direction: cases.EncodeStruct, Impl: impl, Bytes: len(wire), Make: func() cases.Run {
			f, t, buf := prepare(), Make(), make([]byte, 0, len(wire)+256)
			return func(n int) {
				for range n {
					_, err := f(t, buf)
					cases.Must(err)
				}
			}
		}})
	}
	decode("hand", func() func([]byte, *Table) error { return func(b []byte, t *Table) error { return t.Decode(b) } })
	encode("hand", func() func(*Table, []byte) ([]byte, error) { return (*Table).Append })
	decode(ours, func() func([]byte, *Table) error {
		m := Mapper()
		return func(b []byte, t *Table) error { return m.Unmarshal(b, t) }
	})
	encode(ours, func() func(*Table, []byte) ([]byte, error) {
		m := Mapper()
		return func(t *Table, out []byte) ([]byte, error) { return m.AppendMarshal(out, t) }
	})
}
