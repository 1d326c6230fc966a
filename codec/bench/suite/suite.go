// Package suite registers the cases of a format. They go into and out of values, and into and out of the
// types that octable generates. The same functions are checked against each other.
package suite

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"unsafe"
	"weak"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/value"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
)

// The names of implementations that every format has.
const (
	Hand      = "hand"
	Generated = "generated"
	Reused    = "generated-reused" // by a Decoder, which keeps the memory of the value before
)

// ErrUnsupported is the error of code written by hand for a part of a format that it lacks. No
// message of the workload has such a part.
var ErrUnsupported = errors.New("a part of the format that the code written by hand does not read")

// Format is a format with messages, all of which are read or written at a time.
type Format struct {
	Workload string
	Codec    func() *codec.Codec
	Wire     func() [][]byte
}

// Spec returns the codec of a schema of spec/formats.
func Spec(id string) *codec.Codec {
	source, err := spec.FS.ReadFile("formats/" + id + ".oct")
	cases.Must(err)
	c, err := compiler.New(string(source))
	cases.Must(err)
	return c
}

// Size returns the bytes of all messages.
func (f *Format) Size() (n int) {
	for _, b := range f.Wire() {
		n += len(b)
	}
	return n
}

// Decode adds a case that reads all messages.
func (f *Format) Decode(direction, impl string, prepare func() func(b []byte) error) {
	cases.Add(cases.Case{Workload: f.Workload, Direction: direction, Impl: impl, Bytes: f.Size(), Make: func() cases.Run {
		wire, read := f.Wire(), prepare()
		return func(n int) {
			for range n {
				for _, b := range wire {
					cases.Must(read(b))
				}
			}
		}
	}})
}

// Encode adds a case that writes all messages, each with its number, over the same buffer.
func (f *Format) Encode(direction, impl string, prepare func() func(dst []byte, i int) ([]byte, error)) {
	cases.Add(cases.Case{Workload: f.Workload, Direction: direction, Impl: impl, Bytes: f.Size(), Make: func() cases.Run {
		count, write, buf := len(f.Wire()), prepare(), make([]byte, 0, f.Size()+256)
		return func(n int) {
			for range n {
				for i := range count {
					_, err := write(buf, i)
					cases.Must(err)
				}
			}
		}
	}})
}

// Values is code written by hand that fills and writes the same cells as octable's interpreter.
type Values struct {
	Format
	Read  func(s *value.Slab, b []byte) (v value.Value, used int, err error)
	Write func(dst []byte, v *value.Value) ([]byte, error)
}

// Register adds the cases of values: those written by hand, and octable's.
func (f *Values) Register(ours string) {
	f.Decode(cases.DecodeValue, Hand, func() func(b []byte) error {
		s := new(value.Slab)
		return func(b []byte) error {
			s.Reset()
			_, _, err := f.Read(s, b)
			return err
		}
	})
	f.Decode(cases.DecodeValue, ours, func() func(b []byte) error {
		r := raw.Machine(f.Codec()).NewReader(interp.Options{})
		return func(b []byte) error {
			_, _, err := r.Read(b)
			return err
		}
	})
	decoded := func() (list []interp.Value) {
		m := raw.Machine(f.Codec())
		for _, b := range f.Wire() {
			v, _, err := m.Decode(b, interp.Options{})
			cases.Must(err)
			list = append(list, v)
		}
		return list
	}
	f.Encode(cases.EncodeDecoded, Hand, func() func(dst []byte, i int) ([]byte, error) {
		list := decoded()
		return func(dst []byte, i int) ([]byte, error) { return f.Write(dst, (*value.Value)(unsafe.Pointer(&list[i]))) }
	})
	f.Encode(cases.EncodeDecoded, ours, func() func(dst []byte, i int) ([]byte, error) {
		list, w := decoded(), raw.Machine(f.Codec()).NewWriter(interp.Options{})
		return func(dst []byte, i int) ([]byte, error) { return w.Append(dst, list[i]) }
	})
}

// Check checks that the code written by hand and octable read the same cells and write the same bytes. They
// must also refuse the same damage: each message cut at every byte and with every byte changed. Longer messages
// are damaged up to limit bytes.
func (f *Values) Check(t *testing.T, limit int) {
	t.Helper()
	m := raw.Machine(f.Codec())
	compare := func(b []byte, what string, at int) bool {
		v, used, err := m.Decode(b, interp.Options{})
		hand, used2, err2 := f.Read(new(value.Slab), b)
		if errors.Is(err2, ErrUnsupported) && what != whole {
			return true
		}
		if (err == nil) != (err2 == nil) || err == nil && (used != used2 || !value.Same((*value.Value)(unsafe.Pointer(&v)), &hand)) {
			t.Errorf("%s, %s %d: octable reads %d bytes, %v; by hand %d bytes, %v", f.Workload, what, at, used, err, used2, err2)
			return false
		}
		if err != nil {
			return true
		}
		out, err := m.Append(nil, v, interp.Options{})
		byHand, err2 := f.Write(nil, &hand)
		if errors.Is(err2, ErrUnsupported) && what != whole {
			return true
		}
		if (err == nil) != (err2 == nil) || err == nil && !bytes.Equal(out, byHand) {
			t.Errorf("%s, %s %d: octable writes %x, %v; by hand %x, %v", f.Workload, what, at, out, err, byHand, err2)
			return false
		}
		return true
	}
	damage(f.Wire(), limit, compare)
}

// whole is a message without damage, which code written by hand must read.
const whole = "message"

// damaged is how many messages are damaged.
const damaged = 8

// damage calls compare for each message until it returns false. It also does so for the parts of the first
// messages, and for these with a byte changed.
func damage(wire [][]byte, limit int, compare func(b []byte, what string, at int) bool) {
	for i, b := range wire {
		b = b[:len(b):len(b)]
		if !compare(b, whole, i) {
			return
		}
		if i >= damaged {
			continue
		}
		for n := range min(len(b), limit) {
			changed := bytes.Clone(b)
			for _, x := range []byte{1, 0x80, 0xff} {
				changed[n] ^= x
				if !compare(changed, "change of byte", n) {
					return
				}
				changed[n] = b[n]
			}
			if !compare(b[:n:n], "length", n) {
				return
			}
		}
	}
}

// Decode is a function that reads a value into x and returns how many bytes it took.
type Decode[T any] func(x *T, b []byte) (used int, err error)

// Typed is code that reads and writes a type of Go: octable's generated code, and code written by hand.
type Typed[T any] struct {
	Format
	Decoder          func() Decode[T]
	Read, HandRead   Decode[T]
	Interfaces       []codec.Interface // the types of arms, for octable's Mapper
	Write, HandWrite func(dst []byte, x *T) ([]byte, error)
}

// Mapper returns octable's Mapper for the type.
func (f *Typed[T]) Mapper() *codec.Mapper {
	c, err := f.Codec().With(codec.Options{Alias: true, Names: codec.SnakeNames, Interfaces: f.Interfaces})
	cases.Must(err)
	return c.NewMapper()
}

// Register adds the cases of the type. Ours is the name of octable's interpreter.
func (f *Typed[T]) Register(ours string) {
	f.Decode(cases.DecodeTyped, ours, func() func(b []byte) error {
		x, m := new(T), f.Mapper()
		return func(b []byte) error { return m.Unmarshal(b, x) }
	})
	f.Encode(cases.EncodeTyped, ours, func() func(dst []byte, i int) ([]byte, error) {
		list, m := f.decoded(), f.Mapper()
		return func(dst []byte, i int) ([]byte, error) { return m.AppendMarshal(dst, &list[i]) }
	})

	for impl, prepare := range map[string]func() Decode[T]{
		Hand: func() Decode[T] { return f.HandRead }, Generated: func() Decode[T] { return f.Read }, Reused: f.Decoder,
	} {
		f.Decode(cases.DecodeTyped, impl, func() func(b []byte) error {
			x, read := new(T), prepare()
			return func(b []byte) error {
				_, err := read(x, b)
				return err
			}
		})
	}
	var shared weak.Pointer[[]T] // while a case of the job has it: memory at other places has another speed
	for impl, write := range map[string]func([]byte, *T) ([]byte, error){Generated: f.Write, Hand: f.HandWrite} {
		f.Encode(cases.EncodeTyped, impl, func() func(dst []byte, i int) ([]byte, error) {
			list := shared.Value()
			if list == nil {
				list = new(f.decoded())
				shared = weak.Make(list)
			}
			return func(dst []byte, i int) ([]byte, error) { return write(dst, &(*list)[i]) }
		})
	}
}

// decoded returns the messages.
func (f *Typed[T]) decoded() []T {
	list := make([]T, len(f.Wire()))
	for i, b := range f.Wire() {
		_, err := f.Read(&list[i], b)
		cases.Must(err)
	}
	return list
}

// Check checks that the generated code and the code written by hand read the same and write the same.
func (f *Typed[T]) Check(t *testing.T, limit int) {
	t.Helper()
	var reused, reusedHand, again T
	decoder, mapper := f.Decoder(), f.Mapper()
	var mapped T
	damage(f.Wire(), limit, func(b []byte, what string, at int) bool {
		var x, hand T
		used, err := f.Read(&x, b)
		used2, err2 := f.HandRead(&hand, b)
		if errors.Is(err2, ErrUnsupported) && what != whole {
			return true
		}
		if (err == nil) != (err2 == nil) || err == nil && (used != used2 || !same(reflect.ValueOf(x), reflect.ValueOf(hand))) {
			t.Errorf("%s, %s %d: generated code reads %d bytes, %v, %v; by hand %d bytes, %v, %v", f.Workload, what, at, used, x, err, used2, hand, err2)
			return false
		}
		if used == len(b) || err != nil { // a Mapper refuses bytes after the value
			if err3 := mapper.Unmarshal(b, &mapped); (err == nil) != (err3 == nil) || err == nil && !same(reflect.ValueOf(x), reflect.ValueOf(mapped)) {
				t.Errorf("%s, %s %d: a Mapper reads %v, %v; generated code %v, %v", f.Workload, what, at, mapped, err3, x, err)
				return false
			}
		}
		if err == nil {
			out, err := f.Write(nil, &x)
			out2, err2 := mapper.AppendMarshal(nil, &x)
			if (err == nil) != (err2 == nil) || err == nil && !bytes.Equal(out, out2) {
				t.Errorf("%s, %s %d: a Mapper writes %x, %v; generated code %x, %v", f.Workload, what, at, out2, err2, out, err)
				return false
			}
		}
		if err != nil {
			if _, err := decoder(&again, b); err == nil {
				t.Errorf("%s, %s %d: a decoder that is used again reads what others refuse", f.Workload, what, at)
				return false
			}
			return true
		}
		out, err := f.Write(nil, &x)
		byHand, err2 := f.HandWrite(nil, &hand)
		if errors.Is(err2, ErrUnsupported) && what != whole {
			return true
		}
		if (err == nil) != (err2 == nil) || err == nil && !bytes.Equal(out, byHand) {
			t.Errorf("%s, %s %d: generated code writes %x, %v; by hand %x, %v", f.Workload, what, at, out, err, byHand, err2)
			return false
		}
		_, err = f.Read(&reused, b)
		_, err2 = f.HandRead(&reusedHand, b)
		if err != nil || err2 != nil || !same(reflect.ValueOf(reused), reflect.ValueOf(x)) || !same(reflect.ValueOf(reusedHand), reflect.ValueOf(x)) {
			t.Errorf("%s, %s %d: a value that is used again is read as %v, %v; by hand as %v, %v", f.Workload, what, at, reused, err, reusedHand, err2)
			return false
		}
		if used, err := decoder(&again, b); err != nil || used != used2 || !same(reflect.ValueOf(again), reflect.ValueOf(x)) {
			t.Errorf("%s, %s %d: a decoder that is used again reads %d bytes, %v, %v; want %d bytes, %v", f.Workload, what, at, used, again, err, used2, x)
			return false
		}
		return true
	})
}

// same reports whether two values are equal; no slice and an empty one are.
func same(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Interface, reflect.Pointer:
		return a.IsNil() == b.IsNil() && (a.IsNil() || same(a.Elem(), b.Elem()))
	case reflect.Float32, reflect.Float64:
		return a.Float() == b.Float() || a.Float() != a.Float() && b.Float() != b.Float()
	}
	return a.Interface() == b.Interface()
}
