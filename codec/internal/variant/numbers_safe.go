//go:build !(amd64 || arm64 || 386 || riscv64 || loong64 || ppc64le || wasm) || octable_safe

// The twin of numbers_unsafe.go for other hosts, by reflection. The functions are described there.

package variant

import (
	"encoding/binary"
	"math"
	"reflect"
)

func BytesOf[T any](s []T) []byte { return appendNumbers(nil, reflect.ValueOf(s)) }

func sliceOf[T any](b []byte) []T {
	s := make([]T, len(b)/binary.Size(*new(T)))
	readNumbers(b, reflect.ValueOf(s))
	return s
}

func Load[T any](x *T, b []byte) { readNumbers(b, reflect.ValueOf(x).Elem()) }

func RawBytes(rv reflect.Value) []byte { return appendNumbers(nil, rv) }

func SetRaw(rv reflect.Value, b []byte) { readNumbers(b, rv) }

// SingleAt returns the address of a float32. Reflection itself would give and
// take its value as a float64, which changes the bits of some NaN.
func SingleAt(rv reflect.Value) *float32 {
	return rv.Addr().Convert(reflect.TypeFor[*float32]()).Interface().(*float32)
}

// appendNumbers appends the numbers of a slice, or of an addressable value.
func appendNumbers(b []byte, rv reflect.Value) []byte {
	switch rv.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range rv.Len() {
			b = appendNumbers(b, rv.Index(i))
		}
	case reflect.Struct:
		for i := range rv.NumField() {
			b = appendNumbers(b, rv.Field(i))
		}
	case reflect.Uint8:
		b = append(b, byte(rv.Uint()))
	case reflect.Int32:
		b = binary.LittleEndian.AppendUint32(b, uint32(rv.Int()))
	case reflect.Int64:
		b = binary.LittleEndian.AppendUint64(b, uint64(rv.Int()))
	case reflect.Float32:
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(*SingleAt(rv)))
	case reflect.Float64:
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(rv.Float()))
	default:
		panic("codec: " + rv.Type().String() + " is not made of the numbers of the format") // a mistake in this package
	}
	return b
}

// readNumbers sets the numbers of a slice, or of an addressable value, and
// returns the bytes that are left.
func readNumbers(b []byte, rv reflect.Value) []byte {
	switch rv.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range rv.Len() {
			b = readNumbers(b, rv.Index(i))
		}
		return b
	case reflect.Struct:
		for i := range rv.NumField() {
			b = readNumbers(b, rv.Field(i))
		}
		return b
	case reflect.Uint8:
		rv.SetUint(uint64(b[0]))
	case reflect.Int32:
		rv.SetInt(int64(int32(binary.LittleEndian.Uint32(b))))
	case reflect.Int64:
		rv.SetInt(int64(binary.LittleEndian.Uint64(b)))
	case reflect.Float32:
		*SingleAt(rv) = math.Float32frombits(binary.LittleEndian.Uint32(b))
	case reflect.Float64:
		rv.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	default:
		panic("codec: " + rv.Type().String() + " is not made of the numbers of the format")
	}
	return b[rv.Type().Size():]
}
