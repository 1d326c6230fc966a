// The law about Go types of any schema.

package fuzz

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/gotypes"
	"github.com/octable/octable/codec/raw"
)

// goTypes has Go types for the values of a schema, and a codec that knows them.
type goTypes struct {
	*gotypes.Types
	codec  *codec.Codec
	mapper *codec.Mapper // of all packets, good and bad
	again  reflect.Value // into which the mapper reads each packet
	kept   any           // the value of the packet before, which later calls leave alone
	writes []byte        // the packet of it
}

// newGoTypes makes the Go types, which follow from the program. It returns nil for a schema without them.
func newGoTypes(s *Schema) *goTypes {
	if s.Resolved == nil || typesMade.Load() >= maxTypes {
		return nil
	}
	p := raw.Program(s.Codec)
	types := gotypes.New(s.Resolved, p, Random(p.Save()))
	if types == nil {
		return nil
	}
	typesMade.Add(int64(types.Made))
	c, err := s.Codec.With(codec.Options{Objects: s.Objects, IgnoreUnknown: true, Interfaces: types.Interfaces})
	if err != nil {
		panic(err) // the interfaces are made so that they may be declared
	}
	return &goTypes{Types: types, codec: c, mapper: c.NewMapper(), again: reflect.New(types.Root)}
}

// Random returns a source of numbers that bytes determine.
func Random(b []byte) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write(b)
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// check compares plans with the way by Values for a packet. It does so for copies of it with one byte changed, and
// again for the packet.
func (g *goTypes) check(b []byte) error {
	r := Random(b)
	for range min(6, len(b)) {
		damaged := slices.Clip(append(make([]byte, 0, len(b)), b...)) // its memory ends where it does
		damaged[r.IntN(len(b))] = "\x00\x01\x02\x7f\x80\xff"[r.IntN(6)]
		if err := g.reads(damaged[:len(b)-r.IntN(2)*r.IntN(len(b))], 1); err != nil {
			return fmt.Errorf("damaged to %x: %w", damaged, err)
		}
	}
	return g.reads(b, 4)
}

// reads decodes a packet into the type of the root by plans and through its value. Plans read it alone, and into memory
// that is used again. The results must be the same, or refused for the same reason. It writes the result, and variants
// of it with one change, as many as changes, in the same ways.
func (g *goTypes) reads(b []byte, changes int) error {
	again := g.again
	v, used, err := g.codec.Decode(b)
	if err != nil {
		for _, unmarshal := range []func([]byte, any) error{g.codec.Unmarshal, g.mapper.Unmarshal} {
			if err2 := unmarshal(b, again.Interface()); fmt.Sprint(err) != fmt.Sprint(err2) {
				return fmt.Errorf("into %v: error %v, by way of a value %v", g.Root, err2, err)
			}
		}
		return nil
	}
	if used < len(b) { // a list may end at another place if fewer bytes are behind it
		return g.reads(b[:used], changes)
	}
	generic, direct := reflect.New(g.Root), reflect.New(g.Root)
	err, err2 := g.codec.To(v, generic.Interface()), g.codec.Unmarshal(b, direct.Interface())
	if fmt.Sprint(err) != fmt.Sprint(err2) {
		return fmt.Errorf("into %v: error %v, by way of a value %v", g.Root, err2, err)
	}
	if err != nil {
		return nil
	}
	for range 2 {
		if err := g.mapper.Unmarshal(b, again.Interface()); err != nil {
			return fmt.Errorf("into %v by a Mapper: error %v", g.Root, err)
		}
	}
	for _, x := range []reflect.Value{direct, again} {
		if err := g.written(x, generic); err != nil {
			return err
		}
	}
	if out, err := g.codec.Marshal(g.kept); g.writes != nil && (err != nil || !bytes.Equal(out, g.writes)) {
		return fmt.Errorf("the value of another packet, %x, has become that of %x: %w", g.writes, out, errOr(err))
	}
	g.kept = direct.Interface()
	g.writes, _ = g.codec.Marshal(g.kept)
	r := Random(b)
	for range changes {
		x := reflect.New(g.Root)
		x.Elem().Set(direct.Elem())
		g.Change(r, x.Elem())
		if err := g.written(x, x); err != nil {
			return fmt.Errorf("with a change, %+v: %w", x.Elem(), err)
		}
	}
	return nil
}

// written compares the output of the codec and of a Mapper for x with that through a Value. The Value is that of
// another Go value. The outputs must be the same.
func (g *goTypes) written(x, other reflect.Value) error {
	v, err := g.codec.ValueOf(other.Interface())
	w, err2 := g.codec.ValueOf(x.Interface())
	if fmt.Sprint(err) != fmt.Sprint(err2) {
		return fmt.Errorf("from %v: error %v, by way of a value %v", g.Root, err2, err)
	}
	var want []byte
	if err == nil {
		if err := differ(fmt.Sprintf("into %v", g.Root), v, w); err != nil {
			return err
		}
		want, err = g.codec.Encode(v)
	}
	for _, marshal := range []func(any) ([]byte, error){g.codec.Marshal, func(x any) ([]byte, error) { return g.mapper.AppendMarshal(nil, x) }} {
		out, err2 := marshal(x.Interface())
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			return fmt.Errorf("writing %v: error %v, by way of a value %v", g.Root, err2, err)
		}
		if err == nil {
			if err := differBytes(fmt.Sprintf("writing %v", g.Root), want, out); err != nil {
				return err
			}
		}
	}
	return nil
}
