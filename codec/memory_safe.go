//go:build !(amd64 || arm64 || 386 || riscv64 || loong64 || ppc64le || wasm) || octable_safe

// The twin of memory_unsafe.go for other hosts, by reflection. The functions are
// described there.

package codec

import (
	"math"
	"reflect"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/interp/memory"
)

const rawMemory = false

type place struct{ v reflect.Value }

func placeAt(ptr reflect.Value) place { return place{ptr.Elem()} }

func placeIn(_ any, rv reflect.Value) place { return place{addressable(rv)} }

func (x place) value(reflect.Type) reflect.Value { return x.v }

type goType struct{ reflect.Type }

func goTypeOf(t reflect.Type) goType { return goType{t} }

func (x place) of(*goType) reflect.Value { return x.v }

func (x place) field(_ uintptr, f *field) place {
	if f == nil {
		return x
	}
	return place{x.v.FieldByIndex(f.index)}
}

func (x place) index(_ reflect.Type, i int) place { return place{x.v.Index(i)} }

func (x place) bits() uint64 {
	switch {
	case x.v.CanInt():
		return uint64(x.v.Int())
	case x.v.CanUint():
		return x.v.Uint()
	case x.v.Kind() == reflect.Float32:
		return uint64(math.Float32bits(*variant.SingleAt(x.v)))
	}
	return math.Float64bits(x.v.Float())
}

func (x place) put(u uint64) {
	switch {
	case x.v.CanInt():
		x.v.SetInt(int64(u) << (64 - x.v.Type().Bits()) >> (64 - x.v.Type().Bits()))
	case x.v.CanUint():
		x.v.SetUint(u)
	case x.v.Kind() == reflect.Float32:
		*variant.SingleAt(x.v) = math.Float32frombits(uint32(u))
	default:
		x.v.SetFloat(math.Float64frombits(u))
	}
}

func (x place) get8() uint8         { return uint8(x.bits()) }
func (x place) get16() uint16       { return uint16(x.bits()) }
func (x place) get32() uint32       { return uint32(x.bits()) }
func (x place) get64() uint64       { return x.bits() }
func (x place) getFloat32() float32 { return *variant.SingleAt(x.v) }
func (x place) getFloat() float64   { return x.v.Float() }
func (x place) getBool() bool       { return x.v.Bool() }
func (x place) getText() string     { return x.v.String() }
func (x place) put8(u uint8)        { x.put(uint64(u)) }
func (x place) put16(u uint16)      { x.put(uint64(u)) }
func (x place) put32(u uint32)      { x.put(uint64(u)) }
func (x place) put64(u uint64)      { x.put(u) }
func (x place) putFloat(f float64)  { x.v.SetFloat(f) }
func (x place) putBool(b bool)      { x.v.SetBool(b) }
func (x place) putText(s string)    { x.v.SetString(s) }

type registers []uint64

func registersOf(regs []uint64) registers { return regs }

func (r registers) at(i int32) *uint64 { return &r[i] }

func put[T uint8 | uint16 | uint32 | uint64](x place, n T) { x.put(uint64(n)) }

func (x place) lanes8(w memory.View, i int)   { x.lanes(w, i, 8) }
func (x place) lanes12(w memory.View, i int)  { x.lanes(w, i, 12) }
func (x place) lanes16(w memory.View, i int)  { x.lanes(w, i, 16) }
func (x place) lanes(w memory.View, i, n int) { variant.SetRaw(x.v, w.Bytes(i, n)) }
func (x place) wire8(w memory.View, i int)    { x.wireN(w, i, 8) }
func (x place) wire12(w memory.View, i int)   { x.wireN(w, i, 12) }
func (x place) wire16(w memory.View, i int)   { x.wireN(w, i, 16) }
func (x place) wireN(w memory.View, i, n int) { copy(w.Bytes(i, n), variant.RawBytes(x.v)) }

func (x place) content() memory.View {
	if x.v.Kind() == reflect.String {
		return memory.OfText(x.v.String())
	}
	return memory.Of(variant.RawBytes(x.v))
}

type putAt struct {
	list []putOp
	i    int
}

func putsAt(ops []putOp) putAt   { return putAt{ops, 0} }
func (o putAt) op() *putOp       { return &o.list[o.i] }
func (o putAt) skip(n int) putAt { return putAt{o.list, o.i + n} }

type getAt struct {
	list []getOp
	i    int
}

func getsAt(ops []getOp) getAt   { return getAt{ops, 0} }
func (o getAt) op() *getOp       { return &o.list[o.i] }
func (o getAt) skip(n int) getAt { return getAt{o.list, o.i + n} }

type putFrame struct{ regs []uint64 }

func frameAt(regs []uint64, from int) putFrame { return putFrame{regs[from:cap(regs)]} }
func (f putFrame) get(reg int32) uint64        { return f.regs[reg] }
func (f putFrame) set(reg int32, n uint64)     { f.regs[reg] = n }

func (x place) pointed() (place, bool) {
	if x.v.IsNil() {
		return place{}, false
	}
	return place{x.v.Elem()}, true
}

func (x place) point(ptr reflect.Value) { x.v.Set(ptr.Convert(x.v.Type())) }

func (x place) forget() { x.v.SetZero() }
func (x place) drop()   { x.v.SetZero() }

type elems struct{ v reflect.Value }

func (e elems) at(i int) place { return place{e.v.Index(i)} }

type column struct {
	list  elems
	first int
	f     *field
}

func (e elems) column(first int, _ uintptr, f *field) column { return column{e, first, f} }

func (c column) at(i int) place { return c.list.at(c.first+i).field(0, c.f) }

func (c column) from(i int) column { return column{c.list, c.first + i, c.f} }

func (e elems) wireN(w memory.View, i, n int) { copy(w.Bytes(i, n), variant.RawBytes(e.v)) }

func (e elems) wireFew(w memory.View, i, n int) { e.wireN(w, i, n) }

func (x place) slice(uintptr) elems { return elems{x.v} }
func (x place) length() int         { return x.v.Len() }

func (x place) room(n int) (before int, ok bool) {
	if n > x.v.Cap() || x.v.IsNil() {
		return 0, false
	}
	before = x.v.Len()
	x.v.SetLen(n)
	return before, true
}

func (x place) empty(fresh bool) {
	if fresh || x.v.IsNil() {
		x.v.Set(reflect.MakeSlice(x.v.Type(), 0, 0))
	}
	x.v.SetLen(0)
}

func (x place) make(t reflect.Type, n int) { x.v.Set(reflect.MakeSlice(t, n, n)) }

func (x place) makeOf(t reflect.Type, size int, b []byte) {
	x.make(t, len(b)/size)
	x.setOf(b)
}

func (x place) setOf(b []byte) {
	if len(b) > 0 {
		variant.SetRaw(x.v, b)
	}
}

type chunk struct {
	v    reflect.Value
	left int
	made int // elements so far
}

func (c *chunk) fill(t reflect.Type, n int) {
	c.v, c.left = reflect.MakeSlice(t, n, n), n
	c.made += n
}

func (c *chunk) cut(x place, n int, _ uintptr) {
	x.v.Set(c.v.Slice3(0, n, n))
	c.v = c.v.Slice(n, c.left)
	c.left -= n
}

func (c *chunk) one(uintptr) place {
	x := place{c.v.Index(0)}
	c.v = c.v.Slice(1, c.left)
	c.left--
	return x
}

func (x place) pointTo(to place) { x.v.Set(to.v.Addr().Convert(x.v.Type())) }

type box struct {
	t       reflect.Type
	pointer bool
}

func boxOf(_, t reflect.Type) (box, bool) { return box{t, t.Kind() == reflect.Pointer}, true }

func (b *box) put(x, value place) {
	if b.pointer {
		value.v = value.v.Addr()
	}
	x.v.Set(value.v.Convert(b.t))
}

func (b *box) holds(x place) (place, bool) {
	switch e := x.v.Elem(); {
	case !e.IsValid() || e.Type() != b.t || b.pointer && e.IsNil():
		return place{}, false
	case b.pointer:
		return place{e.Elem()}, true
	default:
		return place{addressable(e)}, true
	}
}

func (b *box) hash(uint64) uint8 { return 0 }

func boxHash(place, uint64) uint8 { return 0 }

func (x place) share(b []byte) {
	if b == nil {
		b = []byte{}
	}
	x.v.SetBytes(b)
}

func (x place) spread() (before, n int) {
	before = x.v.Len()
	x.v.SetLen(x.v.Cap())
	return before, x.v.Len()
}

func (x place) extend(_ reflect.Type, n int) int {
	x.v.Grow(n)
	x.v.SetLen(x.v.Cap())
	return x.v.Len()
}
