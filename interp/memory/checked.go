//go:build !(amd64 || arm64 || 386 || riscv64 || loong64 || ppc64le || wasm) || octable_safe

package memory

import (
	"encoding/binary"
	"unsafe"
)

// Raw reports whether loads and stores are unchecked.
const Raw = false

// View is bytes that are read or written at tested offsets.
type View []byte

// Of returns the memory of b up to its capacity.
func Of(b []byte) View { return b[:cap(b)] }

// OfText returns the bytes of s.
func OfText(s string) View { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// At returns the n bytes at an address.
func At(p unsafe.Pointer, n int) View { return unsafe.Slice((*byte)(p), n) }

// Load8 returns the byte at offset i.
func (w View) Load8(i int) byte { return w[i] }

// Load16 returns the little-endian number at offset i.
func (w View) Load16(i int) uint16 { return binary.LittleEndian.Uint16(w[i:]) }

// Load32 returns the little-endian number at offset i.
func (w View) Load32(i int) uint32 { return binary.LittleEndian.Uint32(w[i:]) }

// Load64 returns the little-endian number at offset i.
func (w View) Load64(i int) uint64 { return binary.LittleEndian.Uint64(w[i:]) }

// Store8 sets the byte at offset i.
func (w View) Store8(i int, x byte) { w[i] = x }

// Store16 sets the little-endian number at offset i.
func (w View) Store16(i int, x uint16) { binary.LittleEndian.PutUint16(w[i:], x) }

// Store32 sets the little-endian number at offset i.
func (w View) Store32(i int, x uint32) { binary.LittleEndian.PutUint32(w[i:], x) }

// Store64 sets the little-endian number at offset i.
func (w View) Store64(i int, x uint64) { binary.LittleEndian.PutUint64(w[i:], x) }

// Addr returns the address of the byte at offset i, which must exist.
func (w View) Addr(i int) unsafe.Pointer { return unsafe.Pointer(&w[i]) }

// Text returns the n bytes at offset i as a string that shares their memory.
func (w View) Text(i, n int) string { return unsafe.String(&w[i], n) }

// Bytes returns the n bytes at offset i.
func (w View) Bytes(i, n int) []byte { return w[i : i+n : i+n] }

// From returns the memory from offset i on.
func (w View) From(i int) View { return w[i:] }

// Store sets the little-endian number at offset i.
func Store[T uint8 | uint16 | uint32 | uint64](w View, i int, x T) {
	w = w[i : i+int(unsafe.Sizeof(x))]
	for k := range w {
		w[k] = byte(uint64(x) >> (8 * k))
	}
}

// Load returns the little-endian number at offset i.
func Load[T uint8 | uint16 | uint32 | uint64](w View, i int) (x T) {
	for k, b := range w[i : i+int(unsafe.Sizeof(x))] {
		x |= T(b) << (8 * k)
	}
	return x
}

// Buffer returns an empty buffer with room for n bytes.
func Buffer(n int) []byte { return make([]byte, 0, n) }
