// Package batch is a workload of plain records. It has 1000 records of u32, u16, i16, f32 and a
// text with a u16 length, in either byte order. It has the schema, the records, and code
// written by hand that fills and writes the same cells as octable's interpreter.
package batch

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"unsafe"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/value"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

//go:embed batch.oct
var schema string

// Records is the number of records of a batch.
const Records = 1000

// Orders are the names of the byte orders. The workloads are batch-little and
// batch-big.
var Orders = []string{"little", "big"}

// Codec returns the codec of the schema in a byte order.
func Codec(order string) *codec.Codec {
	p, err := compile.Text("batch.oct", []byte(strings.Replace(schema, "order  little", "order  "+order, 1)), "")
	cases.Must(err)
	c, err := raw.Codec(p)
	cases.Must(err)
	return c
}

// Value returns a batch as a program makes it: every record has separate memory.
func Value() value.Value {
	r := rand.New(rand.NewPCG(2026, 10))
	records := make([]value.Value, Records)
	for i := range records {
		records[i] = value.MakeCells(value.Record, 0, []value.Value{
			{Kind: value.Uint, U: uint64(r.Uint32())},
			{Kind: value.Uint, U: uint64(r.IntN(1 << 16))},
			{Kind: value.Int, U: uint64(int64(r.IntN(1<<16) - 1<<15))},
			value.MakeFloat(0, float64(r.Float32())),
			value.MakeText(0, fmt.Sprintf("sensor-%0*d", 1+r.IntN(9), i)),
		})
	}
	return value.MakeCells(value.List, 0, records)
}

// Wire returns the bytes of a batch.
func Wire(order string) []byte {
	v := Value()
	var b []byte
	var err error
	if order == "big" {
		b, err = AppendBig(nil, &v)
	} else {
		b, err = AppendLittle(nil, &v)
	}
	cases.Must(err)
	return b
}

// Decoder keeps the cells of a batch from one call to the next.
type Decoder struct {
	list, cells []value.Value
}

// reset returns the cells for n records.
func (d *Decoder) reset(n int) (list, cells []value.Value) {
	if n > len(d.list) {
		d.list, d.cells = make([]value.Value, n), make([]value.Value, 5*n)
	}
	return d.list[:n], d.cells[:5*n]
}

var (
	errShort = errors.New("batch: the input ends inside a record")
	errText  = errors.New("batch: text is not UTF-8")
	errKind  = errors.New("batch: a value is of another kind")
	errRange = errors.New("batch: a number does not fit")
)

// minRecord is the size of a record without text.
const minRecord = 14

// The forms of numbers in a Value, as package interp has them.
const (
	formU16 = 3
	formI16 = 4
	formU32 = 5
	formF32 = 9
)

// textOf returns the address of text, which is nil without a text.
func textOf(b []byte) unsafe.Pointer {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(b))
}

// ascii reports whether text is ASCII, eight bytes at a time.
func ascii(b []byte) bool {
	if n := len(b); n >= 8 {
		all := binary.LittleEndian.Uint64(b[n-8:])
		for ; len(b) > 8; b = b[8:] {
			all |= binary.LittleEndian.Uint64(b)
		}
		return all&0x8080808080808080 == 0
	}
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// double returns the bits of a single as those of a double.
func double(bits uint32) uint64 { return math.Float64bits(float64(math.Float32frombits(bits))) }

// fields checks the kinds and ranges of a record's cells.
func fields(v *value.Value) ([]value.Value, error) {
	if v.Kind != value.Record || v.N != 5 {
		return nil, errKind
	}
	c := unsafe.Slice((*value.Value)(v.P), 5)
	if !integer(&c[0]) || !integer(&c[1]) || !integer(&c[2]) || c[3].Kind != value.Float || c[4].Kind != value.Text {
		return nil, errKind
	}
	if c[0].U > math.MaxUint32 || c[1].U > math.MaxUint16 || int64(c[2].U) != int64(int16(c[2].U)) || c[4].N > math.MaxUint16 {
		return nil, errRange
	}
	return c, nil
}

func integer(v *value.Value) bool { return v.Kind == value.Uint || v.Kind == value.Int }

// Register adds the cases: those written by hand, and octable's.
func Register(ours string) {
	for _, order := range Orders {
		w := "batch-" + order
		size := len(Wire(order))
		add := func(direction, impl string, make func() cases.Run) {
			cases.Add(cases.Case{Workload: w, Direction: direction, Impl: impl, Bytes: size, Make: make})
		}
		registerStructs(ours, order, add)
		decode, encode := (*Decoder).Little, AppendLittle
		if order == "big" {
			decode, encode = (*Decoder).Big, AppendBig
		}
		add(cases.DecodeValue, "hand", func() cases.Run {
			b, d := Wire(order), new(Decoder)
			return func(n int) {
				for range n {
					_, err := decode(d, b)
					cases.Must(err)
				}
			}
		})
		add(cases.EncodeValue, "hand", func() cases.Run {
			v, buf := Value(), make([]byte, 0, size+256)
			return func(n int) {
				for range n {
					_, err := encode(buf, &v)
					cases.Must(err)
				}
			}
		})
		for impl, machine := range map[string]func(order string) *interp.Machine{ours: planned, ours + "-unfused": unfused} {
			add(cases.DecodeValue, impl, func() cases.Run {
				b, r := Wire(order), machine(order).NewReader(interp.Options{})
				return func(n int) {
					for range n {
						_, _, err := r.Read(b)
						cases.Must(err)
					}
				}
			})
			add(cases.EncodeValue, impl, func() cases.Run {
				v, e, buf := Value(), machine(order).NewWriter(interp.Options{}), make([]byte, 0, size+256)
				return func(n int) {
					for range n {
						_, err := e.Append(buf, *(*interp.Value)(unsafe.Pointer(&v)))
						cases.Must(err)
					}
				}
			})
		}
	}
}

// planned returns the machine of an order.
func planned(order string) *interp.Machine { return raw.Machine(Codec(order)) }

// unfused returns the machine of an order without plans.
func unfused(order string) *interp.Machine {
	m := planned(order)
	slow, err := interp.NewUnfused(m.Program(), func(i int, _ *bytecode.Type) uint16 { return m.Tag(i) })
	cases.Must(err)
	return slow
}
