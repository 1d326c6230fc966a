//go:build !(amd64 || arm64 || 386 || riscv64 || loong64 || ppc64le || wasm) || octable_safe

// The checked twin of mem_unsafe.go: the same functions on slices, for other
// processors and for those who want every access checked.

package interp

import (
	"encoding/binary"
	"unsafe"
)

type view []byte

func viewOf(b []byte) view { return b[:cap(b)] }

func viewOfText(v *Value) view { return v.Bytes() }

func (w view) load8(i int) byte        { return w[i] }
func (w view) load16(i int) uint16     { return binary.LittleEndian.Uint16(w[i:]) }
func (w view) load32(i int) uint32     { return binary.LittleEndian.Uint32(w[i:]) }
func (w view) load64(i int) uint64     { return binary.LittleEndian.Uint64(w[i:]) }
func (w view) store8(i int, x byte)    { w[i] = x }
func (w view) store16(i int, x uint16) { binary.LittleEndian.PutUint16(w[i:], x) }
func (w view) store32(i int, x uint32) { binary.LittleEndian.PutUint32(w[i:], x) }
func (w view) store64(i int, x uint64) { binary.LittleEndian.PutUint64(w[i:], x) }
func (w view) at(i int) unsafe.Pointer { return unsafe.Pointer(&w[i]) }

func (v *Value) set(p unsafe.Pointer, u uint64, n, meta uint32) {
	v.p, v.u, v.n = p, u, n
	v.tag, v.kind, v.form = uint16(meta), Kind(meta>>16), uint8(meta>>24)
}
