//go:build (amd64 || arm64 || 386 || riscv64 || loong64 || ppc64le || wasm) && !octable_safe

// Memory of Go values: numbers as little-endian bytes, and fields and elements at known
// offsets. On these hosts numbers have the order of the wire, and loads need no
// alignment. memory_safe.go does the same by reflection, on every host.
//
// Callers test every length before, and no address beyond an allocation is ever
// formed.

package codec

import (
	"reflect"
	"unsafe"

	"github.com/octable/octable/interp/memory"
)

// rawMemory says that numbers in Go values may be set together.
const rawMemory = true

// place is the address of a Go value.
type place struct{ p unsafe.Pointer }

// header is the memory layout of a slice.
type header struct {
	p        unsafe.Pointer
	len, cap int
}

// nothing is the address of empty slices that are not nil.
var nothing [8]byte

// placeAt returns the place that a pointer points to.
func placeAt(ptr reflect.Value) place { return place{ptr.UnsafePointer()} }

// placeIn returns a place from which the value in x can be read. rv is the reflection of x.
func placeIn(x any, rv reflect.Value) place {
	k := rv.Kind()
	if k == reflect.Slice || k == reflect.String || k == reflect.Struct && rv.Type().Size() > unsafe.Sizeof(x)/2 {
		return place{(*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1]} // more than a pointer: an interface holds the address
	}
	ptr := reflect.New(rv.Type())
	ptr.Elem().Set(rv)
	return placeAt(ptr)
}

// value returns the reflection of the value at the place, whose type is t.
func (x place) value(t reflect.Type) reflect.Value { return reflect.NewAt(t, x.p).Elem() }

// goType is a type with its pointer type, as interfaces have it. [reflect.NewAt] looks for the pointer type in a map.
type goType struct {
	reflect.Type
	pointer unsafe.Pointer
}

// goTypeOf returns the type of places.
func goTypeOf(t reflect.Type) goType {
	null := reflect.Zero(reflect.PointerTo(t)).Interface()
	return goType{t, (*[2]unsafe.Pointer)(unsafe.Pointer(&null))[0]}
}

// of returns the reflection of the value at the place, whose type is t.
func (x place) of(t *goType) reflect.Value {
	var ptr any
	*(*[2]unsafe.Pointer)(unsafe.Pointer(&ptr)) = [2]unsafe.Pointer{t.pointer, x.p}
	return reflect.ValueOf(ptr).Elem()
}

// field returns the place of a field, or the place itself without one.
func (x place) field(offset uintptr, _ *field) place { return place{unsafe.Add(x.p, offset)} }

// index returns the place of element i of an array of type t.
func (x place) index(t reflect.Type, i int) place {
	return place{unsafe.Add(x.p, uintptr(i)*t.Elem().Size())}
}

func (x place) get8() uint8         { return *(*uint8)(x.p) }
func (x place) get16() uint16       { return *(*uint16)(x.p) }
func (x place) get32() uint32       { return *(*uint32)(x.p) }
func (x place) get64() uint64       { return *(*uint64)(x.p) }
func (x place) getFloat32() float32 { return *(*float32)(x.p) }
func (x place) getFloat() float64   { return *(*float64)(x.p) }
func (x place) getBool() bool       { return *(*bool)(x.p) }
func (x place) getText() string     { return *(*string)(x.p) }
func (x place) put8(u uint8)        { *(*uint8)(x.p) = u }
func (x place) put16(u uint16)      { *(*uint16)(x.p) = u }
func (x place) put32(u uint32)      { *(*uint32)(x.p) = u }
func (x place) put64(u uint64)      { *(*uint64)(x.p) = u }
func (x place) putFloat(f float64)  { *(*float64)(x.p) = f }
func (x place) putBool(b bool)      { *(*bool)(x.p) = b }
func (x place) putText(s string)    { *(*string)(x.p) = s }

// registers are the registers of a record that is read.
type registers struct{ p unsafe.Pointer }

func registersOf(regs []uint64) registers { return registers{unsafe.Pointer(unsafe.SliceData(regs))} }

// at returns a register. A plan has made sure that there is one.
func (r registers) at(i int32) *uint64 { return (*uint64)(unsafe.Add(r.p, uintptr(i)*8)) }

// put sets the number at x.
func put[T uint8 | uint16 | uint32 | uint64](x place, n T) { *(*T)(x.p) = n }

// lanes… set n bytes of numbers.
func (x place) lanes8(w memory.View, i int) { *(*uint64)(x.p) = w.Load64(i) }
func (x place) lanes12(w memory.View, i int) {
	*(*[3]uint32)(x.p) = *(*[3]uint32)(w.Addr(i))
}
func (x place) lanes16(w memory.View, i int) {
	*(*[2]uint64)(x.p) = *(*[2]uint64)(w.Addr(i))
}
func (x place) lanes(w memory.View, i, n int) {
	copy(unsafe.Slice((*byte)(x.p), n), w.Bytes(i, n))
}

// wire… write n bytes of numbers.
func (x place) wire8(w memory.View, i int) { w.Store64(i, *(*uint64)(x.p)) }
func (x place) wire12(w memory.View, i int) {
	*(*[3]uint32)(w.Addr(i)) = *(*[3]uint32)(x.p)
}
func (x place) wire16(w memory.View, i int) {
	*(*[2]uint64)(w.Addr(i)) = *(*[2]uint64)(x.p)
}
func (x place) wireN(w memory.View, i, n int) {
	copy(w.Bytes(i, n), unsafe.Slice((*byte)(x.p), n))
}

// wireFew writes n bytes, of which there are few.
func (x place) wireFew(w memory.View, i, n int) { memory.CopyShort(w, i, memory.At(x.p, n), n) }

// content returns the bytes of the text or the slice at x.
func (x place) content() memory.View { return memory.At(*(*unsafe.Pointer)(x.p), 0) }

// putAt is an operation of a list, which [putEnd] ends.
type putAt struct{ p *putOp }

// putsAt returns the first operation of a list.
func putsAt(ops []putOp) putAt { return putAt{unsafe.SliceData(ops)} }

func (o putAt) op() *putOp { return o.p }

// skip returns the operation n places further.
func (o putAt) skip(n int) putAt {
	return putAt{(*putOp)(unsafe.Add(unsafe.Pointer(o.p), n*int(unsafe.Sizeof(putOp{}))))}
}

// getAt is an operation of a list, which [getEnd] ends.
type getAt struct{ p *getOp }

// getsAt returns the first operation of a list.
func getsAt(ops []getOp) getAt { return getAt{unsafe.SliceData(ops)} }

func (o getAt) op() *getOp { return o.p }

// skip returns the operation n places further.
func (o getAt) skip(n int) getAt {
	return getAt{(*getOp)(unsafe.Add(unsafe.Pointer(o.p), n*int(unsafe.Sizeof(getOp{}))))}
}

// putFrame is the registers of a record.
type putFrame struct{ p unsafe.Pointer }

// frameAt returns the registers from one on, which has a place.
func frameAt(regs []uint64, from int) putFrame {
	return putFrame{unsafe.Add(unsafe.Pointer(unsafe.SliceData(regs)), from*8)}
}

func (f putFrame) get(reg int32) uint64    { return *(*uint64)(unsafe.Add(f.p, uintptr(reg)*8)) }
func (f putFrame) set(reg int32, n uint64) { *(*uint64)(unsafe.Add(f.p, uintptr(reg)*8)) = n }

// pointed returns the place that the pointer at x points to; false means a nil pointer.
func (x place) pointed() (place, bool) {
	p := *(*unsafe.Pointer)(x.p)
	return place{p}, p != nil
}

// point sets the pointer at x.
func (x place) point(ptr reflect.Value) { *(*unsafe.Pointer)(x.p) = ptr.UnsafePointer() }

// forget sets the pointer at x to nil.
func (x place) forget() { *(*unsafe.Pointer)(x.p) = nil }

// drop sets the slice at x to nil.
func (x place) drop() { *(*header)(x.p) = header{} }

// empty makes the slice at x empty, and not nil. If fresh is true, its memory is not used again.
func (x place) empty(fresh bool) {
	if h := (*header)(x.p); fresh || h.p == nil {
		*h = header{p: unsafe.Pointer(&nothing)}
	} else {
		h.len = 0
	}
}

// elems are the elements of a slice or array.
type elems struct {
	p    unsafe.Pointer
	size uintptr
}

func (e elems) at(i int) place { return place{unsafe.Add(e.p, uintptr(i)*e.size)} }

// column is a field of elements.
type column elems

// column returns a field of the elements from one on.
func (e elems) column(first int, offset uintptr, f *field) column {
	return column{e.at(first).field(offset, f).p, e.size}
}

func (c column) at(i int) place { return elems(c).at(i) }

// from returns the column from element i on.
func (c column) from(i int) column { return column{c.at(i).p, c.size} }

// wireFew writes n bytes, of which there are few.
func (e elems) wireFew(w memory.View, i, n int) { place{e.p}.wireFew(w, i, n) }

// wireN writes n bytes of numbers, those of all elements.
func (e elems) wireN(w memory.View, i, n int) { place{e.p}.wireN(w, i, n) }

func (x place) slice(size uintptr) elems { return elems{(*header)(x.p).p, size} }

// length returns the length of the text or the slice at x: both have it behind their pointer.
func (x place) length() int { return *(*int)(unsafe.Add(x.p, unsafe.Offsetof(header{}.len))) }

// room sets the length of the slice at x if its capacity allows it and it is not nil. It
// returns the length before.
func (x place) room(n int) (before int, ok bool) {
	h := (*header)(x.p)
	if n > h.cap || h.p == nil {
		return 0, false
	}
	before, h.len = h.len, n
	return before, true
}

// make sets the slice at x to a new one of type t with n elements.
func (x place) make(t reflect.Type, n int) {
	if n == 0 {
		*(*header)(x.p) = header{p: unsafe.Pointer(&nothing)}
		return
	}
	*(*header)(x.p) = header{}
	rv := reflect.NewAt(t, x.p).Elem()
	rv.Grow(n)
	rv.SetLen(n)
}

// makeOf sets the slice at x to a new one with the numbers in b, of size bytes each.
// Appending saves the zeroing that making costs.
func (x place) makeOf(_ reflect.Type, size int, b []byte) {
	if len(b) == 0 {
		*(*header)(x.p) = header{p: unsafe.Pointer(&nothing)}
		return
	}
	own := append([]byte(nil), b...)
	*(*header)(x.p) = header{unsafe.Pointer(unsafe.SliceData(own)), len(own) / size, cap(own) / size}
}

// setOf sets the numbers of the slice at x to those in b.
func (x place) setOf(b []byte) {
	copy(unsafe.Slice((*byte)((*header)(x.p).p), len(b)), b)
}

// chunk holds elements that short slices are cut from.
type chunk struct {
	p    unsafe.Pointer
	left int
	made int // elements so far
}

// fill gives the chunk n new elements of a slice type.
func (c *chunk) fill(t reflect.Type, n int) {
	var h header
	place{unsafe.Pointer(&h)}.make(t, n)
	c.p, c.left = h.p, n
	c.made += n
}

// cut sets the slice at x to the first n elements of the chunk, which has at least n.
func (c *chunk) cut(x place, n int, size uintptr) {
	*(*header)(x.p) = header{c.p, n, n}
	if c.left -= n; c.left > 0 {
		c.p = unsafe.Add(c.p, uintptr(n)*size)
	} else {
		c.p = nil
	}
}

// one returns the place of the first element of the chunk, which has at least one.
func (c *chunk) one(size uintptr) place {
	x := place{c.p}
	if c.left--; c.left > 0 {
		c.p = unsafe.Add(c.p, size)
	} else {
		c.p = nil
	}
	return x
}

// pointTo sets the pointer at x to a place.
func (x place) pointTo(to place) { *(*unsafe.Pointer)(x.p) = to.p }

// box is a concrete type in an interface.
type box struct {
	tab     unsafe.Pointer // the first word of the interface
	pointer bool           // the type is a pointer
}

// boxOf returns how values of a type are kept in an interface type. It is not ok if the interface holds them itself
// and they are no pointers.
func boxOf(in, t reflect.Type) (box, bool) {
	x := reflect.New(in)
	x.Elem().Set(reflect.Zero(t))
	words := (*[2]unsafe.Pointer)(x.UnsafePointer())
	pointer := t.Kind() == reflect.Pointer
	return box{words[0], pointer}, pointer || words[1] != nil
}

// put sets the interface at x to the value at a place.
func (b *box) put(x, value place) { *(*[2]unsafe.Pointer)(x.p) = [2]unsafe.Pointer{b.tab, value.p} }

// holds reports whether the interface at x holds a value of the type, and its place. It is false for a nil pointer.
func (b *box) holds(x place) (place, bool) {
	words := (*[2]unsafe.Pointer)(x.p)
	if words[0] != b.tab {
		return place{}, false
	}
	return place{words[1]}, words[1] != nil
}

// hash returns a number that depends on the type and a factor alone.
func (b *box) hash(factor uint64) uint8 { return uint8(uint64(uintptr(b.tab)) * factor >> 56) }

// boxHash returns the number of the type in the interface at x.
func boxHash(x place, factor uint64) uint8 { return uint8(uint64(*(*uintptr)(x.p)) * factor >> 56) }

// share sets the slice of bytes at x to b.
func (x place) share(b []byte) {
	if len(b) == 0 {
		b = nothing[:0:0]
	}
	*(*[]byte)(x.p) = b
}

// spread sets the length of the slice at x to its capacity. It returns the length before, and the capacity.
func (x place) spread() (before, n int) {
	h := (*header)(x.p)
	if h.p == nil {
		return 0, 0
	}
	before, h.len = h.len, h.cap
	return before, h.len
}

// extend makes the slice at x, which is full, longer by at least n elements, and returns its length.
func (x place) extend(t reflect.Type, n int) int {
	rv := reflect.NewAt(t, x.p).Elem()
	rv.Grow(n)
	rv.SetLen(rv.Cap())
	return rv.Len()
}
