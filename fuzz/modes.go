// The law about the options of a codec.

package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// modes: no option changes what bytes mean. With any of them decoding gives the same
// as without, or refuses for the reason that the option is for; bytes given are not
// changed; and a frame of a stream is its packet alone.
func modes(s *Schema, b []byte) error {
	v, used, err := s.Codec.Decode(b)
	same := func(what string, w codec.Value, n int, err2 error) error {
		if fmt.Sprint(err) != fmt.Sprint(err2) || used != n {
			return fmt.Errorf("%s: used %d, not %d, and error %v, not %v", what, n, used, err2, err)
		}
		if err != nil {
			return nil
		}
		return differ(what, v, w)
	}
	for _, o := range []codec.Options{{Alias: true}, {KeepWidths: true}, {Alias: true, MaxMemory: 1 << 30}, {MaxDepth: 1}, {MaxDepth: 2, KeepWidths: true}, {MaxMemory: 100}} {
		o.Objects = s.Objects
		c, err2 := s.Codec.With(o)
		if err2 != nil {
			return err2
		}
		in := bytes.Clone(b)
		w, n, err2 := c.Decode(in)
		switch {
		case o.MaxDepth > 0 && errors.Is(err2, codec.ErrDepth), o.MaxMemory > 0 && errors.Is(err2, codec.ErrLimit):
		default:
			if err := same(fmt.Sprintf("with %+v", o), w, n, err2); err != nil {
				return err
			}
		}
		if !bytes.Equal(in, b) {
			return fmt.Errorf("with %+v the bytes were changed to %x", o, in)
		}
	}
	d := godot.NewDecoder(s.Codec, bytes.NewReader(append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)))
	w, err2 := d.DecodeValue()
	n := used
	if err == nil && used < len(b) {
		if !errors.Is(err2, godot.ErrFrame) {
			return fmt.Errorf("as a frame, whose last %d bytes are left over: %w", len(b)-used, errOr(err2))
		}
		err2 = nil
	}
	return same("as a frame", w, n, err2)
}
