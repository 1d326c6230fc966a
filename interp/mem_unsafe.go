//go:build (amd64 || arm64 || 386 || riscv64 || loong64 || ppc64le || wasm) && !octable_safe

// Raw loads and stores, for processors with the byte order of the wire and
// loads that need no alignment. The checked twin is mem_safe.go; callers test
// every length once before, and no address beyond an allocation is ever formed.

package interp

import "unsafe"

// view is bytes that are read or written at tested offsets.
type view struct{ p unsafe.Pointer }

func viewOf(b []byte) view { return view{unsafe.Pointer(unsafe.SliceData(b))} }

func viewOfText(v *Value) view { return view{v.p} }

func (w view) load8(i int) byte     { return *(*byte)(unsafe.Add(w.p, i)) }
func (w view) load16(i int) uint16  { return *(*uint16)(unsafe.Add(w.p, i)) }
func (w view) load32(i int) uint32  { return *(*uint32)(unsafe.Add(w.p, i)) }
func (w view) load64(i int) uint64  { return *(*uint64)(unsafe.Add(w.p, i)) }
func (w view) store8(i int, x byte) { *(*byte)(unsafe.Add(w.p, i)) = x }
func (w view) store16(i int, x uint16) {
	*(*uint16)(unsafe.Add(w.p, i)) = x
}
func (w view) store32(i int, x uint32) {
	*(*uint32)(unsafe.Add(w.p, i)) = x
}
func (w view) store64(i int, x uint64) {
	*(*uint64)(unsafe.Add(w.p, i)) = x
}

// at returns the address of the byte at offset i, which must exist.
func (w view) at(i int) unsafe.Pointer { return unsafe.Add(w.p, i) }

// set stores a value field by field, which is faster than storing it whole.
// meta is tag, kind and form as [metaOf] packs them.
func (v *Value) set(p unsafe.Pointer, u uint64, n, meta uint32) {
	v.p = p
	v.u = u
	v.n = n
	*(*uint32)(unsafe.Pointer(&v.tag)) = meta
}
