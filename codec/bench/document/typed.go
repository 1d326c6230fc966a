// The types of octable's generated code, read and written by hand.

package document

import (
	"encoding/binary"
	"errors"
	"math"
	"unicode/utf8"
	"unsafe"

	gen "github.com/octable/octable/codec/bench/run-go-generate/msgpack"
	"github.com/octable/octable/codec/bench/suite"
)

var (
	errShort  = errors.New("msgpack: the input ends inside a value")
	errFormat = errors.New("msgpack: the format is never used")
	errText   = errors.New("msgpack: text is not UTF-8")
	errDepth  = errors.New("msgpack: values are nested too deep")
)

// maxDepth is how deeply values may be nested.
const maxDepth = 512

// decoder reads a document.
type decoder struct {
	in    []byte
	pos   int
	depth int
}

// readAny reads a document into x. Texts and bytes share the memory of b.
func readAny(x *gen.Value, b []byte) (int, error) {
	d := decoder{in: b}
	v, err := d.value()
	if err != nil {
		return 0, err
	}
	*x = v
	return d.pos, nil
}

// uint reads a number of n bytes.
func (d *decoder) uint(n int) (uint64, error) {
	if n > len(d.in)-d.pos {
		return 0, errShort
	}
	b := d.in[d.pos:]
	d.pos += n
	switch n {
	case 1:
		return uint64(b[0]), nil
	case 2:
		return uint64(binary.BigEndian.Uint16(b)), nil
	case 4:
		return uint64(binary.BigEndian.Uint32(b)), nil
	}
	return binary.BigEndian.Uint64(b), nil
}

// take returns the next n bytes.
func (d *decoder) take(n uint64, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	if n > uint64(len(d.in)-d.pos) {
		return nil, errShort
	}
	d.pos += int(n)
	return d.in[d.pos-int(n) : d.pos : d.pos], nil
}

func textIn(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func (d *decoder) value() (gen.Value, error) {
	if d.pos == len(d.in) {
		return nil, errShort
	}
	if d.depth > maxDepth {
		return nil, errDepth
	}
	format := d.in[d.pos]
	d.pos++
	switch {
	case format < 0x80:
		return gen.Uint(format), nil
	case format < 0x90:
		return d.pairs(uint64(format-0x80), nil)
	case format < 0xa0:
		return d.array(uint64(format-0x90), nil)
	case format < 0xc0:
		return d.str(uint64(format-0xa0), nil)
	case format >= 0xe0:
		return gen.Int(int8(format)), nil
	}
	switch format {
	case 0xc0:
		return gen.Nil{}, nil
	case 0xc2, 0xc3:
		return gen.Bool(format == 0xc3), nil
	case 0xc4, 0xc5, 0xc6:
		b, err := d.take(d.uint(1 << (format - 0xc4)))
		return gen.Bin(b), err
	case 0xca:
		bits, err := d.uint(4)
		return gen.Float(math.Float32frombits(uint32(bits))), err
	case 0xcb:
		bits, err := d.uint(8)
		return gen.Float(math.Float64frombits(bits)), err
	case 0xcc, 0xcd, 0xce, 0xcf:
		n, err := d.uint(1 << (format - 0xcc))
		return gen.Uint(n), err
	case 0xd0:
		n, err := d.uint(1)
		return gen.Int(int8(n)), err
	case 0xd1:
		n, err := d.uint(2)
		return gen.Int(int16(n)), err
	case 0xd2:
		n, err := d.uint(4)
		return gen.Int(int32(n)), err
	case 0xd3:
		n, err := d.uint(8)
		return gen.Int(n), err
	case 0xd9, 0xda, 0xdb:
		return d.str(d.uint(1 << (format - 0xd9)))
	case 0xdc, 0xdd:
		return d.array(d.uint(2 << (format - 0xdc)))
	case 0xde, 0xdf:
		return d.pairs(d.uint(2 << (format - 0xde)))
	case 0xc1:
		return nil, errFormat
	}
	return nil, suite.ErrUnsupported // extensions
}

func (d *decoder) str(n uint64, err error) (gen.Value, error) {
	b, err := d.take(n, err)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(b) {
		return nil, errText
	}
	return gen.Str(textIn(b)), nil
}

func (d *decoder) array(n uint64, err error) (gen.Value, error) {
	if err != nil {
		return nil, err
	}
	if n > uint64(len(d.in)-d.pos) {
		return nil, errShort
	}
	d.depth++
	list := make(gen.Array, n)
	for i := range list {
		if list[i], err = d.value(); err != nil {
			return nil, err
		}
	}
	d.depth--
	return list, nil
}

func (d *decoder) pairs(n uint64, err error) (gen.Value, error) {
	if err != nil {
		return nil, err
	}
	if n > uint64(len(d.in)-d.pos)/2 {
		return nil, errShort
	}
	d.depth++
	list := make(gen.Map, n)
	for i := range list {
		if list[i].Key, err = d.value(); err != nil {
			return nil, err
		}
		if list[i].Value, err = d.value(); err != nil {
			return nil, err
		}
	}
	d.depth--
	return list, nil
}

// repeated reports whether a map has a key twice. Keys are texts.
func repeated(list gen.Map) (bool, error) {
	for i := range list {
		key, ok := list[i].Key.(gen.Str)
		if !ok {
			return false, suite.ErrUnsupported
		}
		for j := range i {
			if list[j].Key.(gen.Str) == key {
				return true, nil
			}
		}
	}
	return false, nil
}

// head appends a format whose number is in it, or is behind it in 1, 2 or 4 bytes. A format of one byte is 0
// for types that do not have it.
func head(out []byte, n int, fixed byte, most int, one, two byte) []byte {
	switch {
	case n <= most:
		return append(out, fixed|byte(n))
	case n <= math.MaxUint8 && one != 0:
		return append(out, one, byte(n))
	case n <= math.MaxUint16:
		return append(out, two, byte(n>>8), byte(n))
	}
	return binary.BigEndian.AppendUint32(append(out, two+1), uint32(n))
}

// appendAny appends a document.
func appendAny(out []byte, x *gen.Value) ([]byte, error) { return appendValue(out, *x, 0) }

func appendValue(out []byte, x gen.Value, depth int) ([]byte, error) {
	if depth > maxDepth {
		return out, errDepth
	}
	var err error
	switch x := x.(type) {
	case gen.Uint:
		return appendUint(out, uint64(x)), nil
	case gen.Int:
		return appendInt(out, int64(x)), nil
	case gen.Str:
		if !utf8.ValidString(string(x)) {
			return out, errText
		}
		return append(head(out, len(x), 0xa0, 31, 0xd9, 0xda), x...), nil
	case gen.Map:
		if again, err := repeated(x); again || err != nil {
			return out, suite.ErrUnsupported
		}
		out = head(out, len(x), 0x80, 15, 0, 0xde)
		for i := range x {
			if out, err = appendValue(out, x[i].Key, depth+1); err != nil {
				return out, err
			}
			if out, err = appendValue(out, x[i].Value, depth+1); err != nil {
				return out, err
			}
		}
		return out, nil
	case gen.Array:
		out = head(out, len(x), 0x90, 15, 0, 0xdc)
		for i := range x {
			if out, err = appendValue(out, x[i], depth+1); err != nil {
				return out, err
			}
		}
		return out, nil
	case gen.Nil:
		return append(out, 0xc0), nil
	case gen.Bool:
		if x {
			return append(out, 0xc3), nil
		}
		return append(out, 0xc2), nil
	case gen.Bin:
		return append(head(out, len(x), 0, -1, 0xc4, 0xc5), x...), nil
	case gen.Float:
		return appendFloat(out, float64(x)), nil
	}
	return out, suite.ErrUnsupported
}

func appendUint(out []byte, x uint64) []byte {
	switch {
	case x < 0x80:
		return append(out, byte(x))
	case x <= math.MaxUint8:
		return append(out, 0xcc, byte(x))
	case x <= math.MaxUint16:
		return append(out, 0xcd, byte(x>>8), byte(x))
	case x <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(out, 0xce), uint32(x))
	}
	return binary.BigEndian.AppendUint64(append(out, 0xcf), x)
}

func appendInt(out []byte, x int64) []byte {
	switch {
	case x < 0 && x >= -32:
		return append(out, byte(x))
	case x == int64(int8(x)):
		return append(out, 0xd0, byte(x))
	case x == int64(int16(x)):
		return append(out, 0xd1, byte(x>>8), byte(x))
	case x == int64(int32(x)):
		return binary.BigEndian.AppendUint32(append(out, 0xd2), uint32(x))
	}
	return binary.BigEndian.AppendUint64(append(out, 0xd3), uint64(x))
}

func appendFloat(out []byte, x float64) []byte {
	if float64(float32(x)) == x {
		return binary.BigEndian.AppendUint32(append(out, 0xca), math.Float32bits(float32(x)))
	}
	return binary.BigEndian.AppendUint64(append(out, 0xcb), math.Float64bits(x))
}
