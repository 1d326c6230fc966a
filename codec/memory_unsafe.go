//go:build !octable_safe && (386 || amd64 || arm || arm64 || loong64 || mipsle || mips64le || ppc64le || riscv64 || wasm)

// Numbers to little-endian bytes and back, on hosts where their memory already
// is that: one copy. memory_safe.go does the same on every host.

package codec

import (
	"reflect"
	"unsafe"
)

// The types in this file are numbers of one width, or arrays and structs of
// nothing but those, so that there is no padding between them and no pointer
// in them. Planning makes sure of that; see leaves.

// view returns the memory of s.
func view[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// bytesOf returns a copy of the numbers in s as little-endian bytes.
func bytesOf[T any](s []T) []byte {
	return append([]byte(nil), view(s)...)
}

// sliceOf is the reverse of bytesOf. Appending, where alignment allows, saves
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

// load sets x to the numbers in b.
func load[T any](x *T, b []byte) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x)), b)
}

// memory returns the numbers of a slice, or of an addressable value.
func memory(rv reflect.Value) []byte {
	if rv.Kind() == reflect.Slice {
		return unsafe.Slice((*byte)(rv.UnsafePointer()), rv.Len()*int(rv.Type().Elem().Size()))
	}
	return unsafe.Slice((*byte)(rv.Addr().UnsafePointer()), int(rv.Type().Size()))
}

// rawBytes is bytesOf for a slice, or an addressable value.
func rawBytes(rv reflect.Value) []byte {
	return append([]byte(nil), memory(rv)...)
}

// setRaw sets the elements of a slice, or an addressable value, to the numbers
// in b, of which there must be enough.
func setRaw(rv reflect.Value, b []byte) {
	copy(memory(rv), b)
}
