//go:build (amd64 || arm64 || 386 || riscv64 || loong64 || ppc64le || wasm) && !octable_safe

// Numbers of Go values as little-endian bytes. On these hosts numbers have the order of the
// packet. numbers_safe.go does the same by reflection, on every host.

package variant

import (
	"reflect"
	"unsafe"
)

// The types below are numbers of one width, or arrays and structs of
// nothing but those, so that there is no padding between them and no pointer
// in them. Function leaves of package codec makes sure of that.

// view returns the memory of s.
func view[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// BytesOf returns a copy of the numbers in s as little-endian bytes.
func BytesOf[T any](s []T) []byte {
	return append([]byte(nil), view(s)...)
}

// sliceOf is the reverse of BytesOf. Appending, where alignment allows, saves
// the zeroing that making a slice costs.
func sliceOf[T any](b []byte) []T {
	var x T
	n := len(b) / int(unsafe.Sizeof(x))
	if n == 0 {
		return []T{}
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(p)%unsafe.Alignof(x) == 0 {
		return append([]T(nil), unsafe.Slice((*T)(p), n)...)
	}
	s := make([]T, n)
	copy(view(s), b)
	return s
}

// Load sets x to the numbers in b.
func Load[T any](x *T, b []byte) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x)), b)
}

// numbersOf returns the memory of the numbers of a slice, or of an addressable value.
func numbersOf(rv reflect.Value) []byte {
	if rv.Kind() == reflect.Slice {
		return unsafe.Slice((*byte)(rv.UnsafePointer()), rv.Len()*int(rv.Type().Elem().Size()))
	}
	return unsafe.Slice((*byte)(rv.Addr().UnsafePointer()), int(rv.Type().Size()))
}

// RawBytes is BytesOf for a slice, or an addressable value.
func RawBytes(rv reflect.Value) []byte {
	return append([]byte(nil), numbersOf(rv)...)
}

// SetRaw sets the elements of a slice, or an addressable value, to the numbers
// in b. There must be enough of them.
func SetRaw(rv reflect.Value, b []byte) {
	copy(numbersOf(rv), b)
}
