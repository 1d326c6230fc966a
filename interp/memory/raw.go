//go:build (amd64 || arm64 || 386 || riscv64 || loong64 || ppc64le || wasm) && !octable_safe

package memory

import (
	"strings"
	"unsafe"
)

// Raw reports whether loads and stores are unchecked.
const Raw = true

// View is bytes that are read or written at tested offsets.
type View struct{ p unsafe.Pointer }

// Of returns the memory of b up to its capacity.
func Of(b []byte) View { return View{unsafe.Pointer(unsafe.SliceData(b))} }

// OfText returns the bytes of s.
func OfText(s string) View { return View{unsafe.Pointer(unsafe.StringData(s))} }

// At returns the n bytes at an address.
func At(p unsafe.Pointer, n int) View { return View{p} }

// Load8 returns the byte at offset i.
func (w View) Load8(i int) byte { return *(*byte)(unsafe.Add(w.p, i)) }

// Load16 returns the little-endian number at offset i.
func (w View) Load16(i int) uint16 { return *(*uint16)(unsafe.Add(w.p, i)) }

// Load32 returns the little-endian number at offset i.
func (w View) Load32(i int) uint32 { return *(*uint32)(unsafe.Add(w.p, i)) }

// Load64 returns the little-endian number at offset i.
func (w View) Load64(i int) uint64 { return *(*uint64)(unsafe.Add(w.p, i)) }

// Store8 sets the byte at offset i.
func (w View) Store8(i int, x byte) { *(*byte)(unsafe.Add(w.p, i)) = x }

// Store16 sets the little-endian number at offset i.
func (w View) Store16(i int, x uint16) { *(*uint16)(unsafe.Add(w.p, i)) = x }

// Store32 sets the little-endian number at offset i.
func (w View) Store32(i int, x uint32) { *(*uint32)(unsafe.Add(w.p, i)) = x }

// Store64 sets the little-endian number at offset i.
func (w View) Store64(i int, x uint64) { *(*uint64)(unsafe.Add(w.p, i)) = x }

// Addr returns the address of the byte at offset i, which must exist.
func (w View) Addr(i int) unsafe.Pointer { return unsafe.Add(w.p, i) }

// Text returns the n bytes at offset i as a string that shares their memory.
func (w View) Text(i, n int) string { return unsafe.String((*byte)(unsafe.Add(w.p, i)), n) }

// Bytes returns the n bytes at offset i.
func (w View) Bytes(i, n int) []byte { return unsafe.Slice((*byte)(unsafe.Add(w.p, i)), n) }

// From returns the memory from offset i on.
func (w View) From(i int) View { return View{unsafe.Add(w.p, i)} }

// Store sets the little-endian number at offset i.
func Store[T uint8 | uint16 | uint32 | uint64](w View, i int, x T) { *(*T)(unsafe.Add(w.p, i)) = x }

// Load returns the little-endian number at offset i.
func Load[T uint8 | uint16 | uint32 | uint64](w View, i int) T { return *(*T)(unsafe.Add(w.p, i)) }

// Buffer returns an empty buffer with room for n bytes. A Builder does not
// zero its memory, as making a slice does.
func Buffer(n int) []byte {
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), b.Cap())[:0]
}
