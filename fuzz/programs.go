// The law about programs: what the verifier lets pass runs safely.

package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime/debug"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// CheckProgram returns an error unless a file is refused, or its program is saved
// unchanged and is safe to run. Reading and writing with it must end without a
// panic, use only bytes that exist, and return errors with a place or a value.
func CheckProgram(file []byte, packets [][]byte) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("program %x: panic: %v\n%s", file, x, debug.Stack())
		}
	}()
	p, err := bytecode.Load(file)
	if err != nil {
		return nil
	}
	if again, err := bytecode.Load(p.Save()); err != nil || !bytes.Equal(again.Save(), p.Save()) {
		return fmt.Errorf("the saved program is not the one that was loaded: %w", errOr(err))
	}
	return Harmless(p, packets)
}

// Harmless runs a program that has passed the verifier on packets, in every way
// there is.
func Harmless(p *bytecode.Program, packets [][]byte) error {
	m, err := interp.New(p, nil)
	if err != nil {
		return nil // two arms with one tag
	}
	slow, err := interp.NewUnfused(p, nil)
	if err != nil {
		return err
	}
	for _, open := range []uint8{0, 0xff} {
		for _, m := range []*interp.Machine{m, slow} {
			opt := interp.Options{Open: open, KeepWidths: m == slow, MaxMemory: 1 << 24}
			r, w := m.NewReader(opt), m.NewWriter(opt)
			for _, b := range packets {
				v, used, err := r.Read(b)
				var e *interp.Error
				switch {
				case err != nil && (!errors.As(err, &e) || e.Offset < 0 || e.Offset > len(b)):
					return fmt.Errorf("reading %x: error %w, which has no place in the bytes", b, err)
				case err != nil:
					continue
				case used < 0 || used > len(b):
					return fmt.Errorf("reading %x: used %d of %d bytes", b, used, len(b))
				}
				out, err := w.Append([]byte("before"), v)
				if !bytes.HasPrefix(out, []byte("before")) {
					return fmt.Errorf("writing changed bytes that were there before: %w", errOr(err))
				}
				if err != nil && !errors.As(err, &e) {
					return err
				}
			}
		}
	}
	return nil
}

// DamageProgram changes numbers of a program by choices. A change takes five bytes: three select the number and two its
// replacement. It returns the file of the changed program, and a description of each change. The program is not modified.
func DamageProgram(file []byte, choices interp.Choices) ([]byte, []string, error) {
	p, err := bytecode.Load(file)
	if err != nil {
		return nil, nil, err
	}
	var all []place
	for _, field := range []string{"Root", "Depth", "Types", "Routines", "Code", "Exprs", "Args", "Tables", "Encodings", "Keys"} {
		all = places(all, func() string { return field }, reflect.ValueOf(p).Elem().FieldByName(field))
	}
	var done []string
	for ; len(choices) >= 5 && len(done) < 8; choices = choices[5:] {
		at := all[int(binary.LittleEndian.Uint32(append(choices[:3:3], 0)))%len(all)]
		old := at.get()
		at.set(newNumber(old, choices[3], choices[4], p))
		done = append(done, fmt.Sprintf("%s is %d, was %d", at.name(), at.get(), old))
	}
	return p.Save(), done, nil
}

// place is a number in a program.
type place struct {
	name func() string
	v    reflect.Value
}

// places appends the numbers in a part of a program. Unexported fields follow from others and are not in its file.
func places(all []place, name func() string, v reflect.Value) []place {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				all = places(all, func() string { return name() + "." + field.Name }, v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			all = places(all, func() string { return fmt.Sprintf("%s[%d]", name(), i) }, v.Index(i))
		}
	case reflect.Pointer:
		all = places(all, name, v.Elem())
	case reflect.Bool:
		all = append(all, place{name, v})
	default:
		if v.CanInt() || v.CanUint() {
			all = append(all, place{name, v})
		}
	}
	return all
}

func (p place) get() uint64 {
	switch {
	case p.v.CanInt():
		return uint64(p.v.Int())
	case p.v.CanUint():
		return p.v.Uint()
	}
	return map[bool]uint64{true: 1}[p.v.Bool()]
}

func (p place) set(x uint64) {
	switch {
	case p.v.CanInt():
		p.v.SetInt(int64(x))
	case p.v.CanUint():
		p.v.SetUint(x & (math.MaxUint64 >> (64 - p.v.Type().Bits())))
	default:
		p.v.SetBool(x&1 != 0)
	}
}

// newNumber returns the replacement of a number. It is one near to it, one that is the size of some table, or one at a
// boundary.
func newNumber(old uint64, how, which byte, p *bytecode.Program) uint64 {
	sizes := []int{len(p.Code), len(p.Types), len(p.Routines), len(p.Exprs), len(p.Tables), len(p.Rules), len(p.Args), len(p.Encodings), len(p.Strings)}
	switch how % 4 {
	case 0:
		return old + uint64(int64(int8(which)))
	case 1:
		return uint64(sizes[int(which)%len(sizes)]) - uint64(how>>2&1)
	case 2:
		return uint64(which)
	}
	return 1<<(which&63) - uint64(how>>2&1)
}
