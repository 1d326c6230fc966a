//go:build octable_safe || !(386 || amd64 || arm || arm64 || loong64 || mipsle || mips64le || ppc64le || riscv64 || wasm)

// Numbers to little-endian bytes and back, on every host, number by number.
// The functions are described in memory_unsafe.go.

package codec

import (
	"encoding/binary"
	"reflect"
)

func bytesOf[T any](s []T) []byte { return appendNumbers(s) }

func sliceOf[T any](b []byte) []T {
	var x T
	n := len(b) / binary.Size(x)
	if n == 0 {
		return []T{}
	}
	s := make([]T, n)
	readNumbers(b, s)
	return s
}

func load[T any](x *T, b []byte) { readNumbers(b, x) }

func rawBytes(rv reflect.Value) []byte {
	if rv.Kind() != reflect.Slice {
		rv = rv.Addr()
	}
	return appendNumbers(rv.Interface())
}

func setRaw(rv reflect.Value, b []byte) {
	if rv.Kind() != reflect.Slice {
		rv = rv.Addr()
	}
	readNumbers(b, rv.Interface())
}

func appendNumbers(x any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, x)
	if err != nil {
		panic("codec: " + err.Error()) // not a type of numbers only: a mistake in this package
	}
	return b
}

func readNumbers(b []byte, x any) {
	if _, err := binary.Decode(b, binary.LittleEndian, x); err != nil {
		panic("codec: " + err.Error())
	}
}
