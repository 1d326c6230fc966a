// Laws about values.

package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

func roundTrip(s *Schema, v codec.Value) error {
	b, err := s.Codec.Encode(v)
	if err != nil {
		return err
	}
	for _, c := range []*codec.Codec{s.Codec, s.strict} {
		w, used, err := c.Decode(b)
		if err != nil || used != len(b) {
			return fmt.Errorf("encoded as %x: used %d: %w", b, used, errOr(err))
		}
		if err := differ(fmt.Sprintf("encoded as %x", b), v, w); err != nil {
			return err
		}
	}
	return nil
}

func canonicalForm(s *Schema, v codec.Value) error {
	b, err := s.Codec.Encode(v)
	if err != nil {
		return nil // see eitherForm
	}
	w, _, err := s.strict.Decode(b)
	if err != nil {
		if m := s.merged(v); !codec.Equal(s.merged(m), m) {
			return nil // keys that differ only by repeated pairs are written as they are given
		}
		if r, _, err := s.Codec.Decode(b); err == nil && !codec.Equal(s.merged(r), r) {
			return nil // and so are keys that differ only before they are rounded
		}
		return fmt.Errorf("encoded as %x: %w", b, err)
	}
	again, err := s.Codec.Encode(w)
	if err != nil {
		return fmt.Errorf("encoded as %x: %w", b, err)
	}
	return differBytes("encoded again", b, again)
}

func eitherForm(s *Schema, v codec.Value) error {
	if _, err := s.Codec.Encode(v); err != nil {
		return err
	}
	_, err := s.keep.Encode(v)
	return err
}

func keptForm(s *Schema, v codec.Value) error {
	b, err := s.keep.Encode(v)
	if err != nil {
		if !codec.Equal(s.merged(v), v) {
			return nil // see eitherForm
		}
		return err
	}
	w, _, err := s.keep.Decode(b)
	if err != nil {
		return fmt.Errorf("encoded as %x with its widths: %w", b, err)
	}
	if s.writesOther {
		return nil
	}
	return differ(fmt.Sprintf("encoded as %x with its widths", b), s.merged(v), w)
}

// merged returns v with pairs as a writer writes them. Each key is there once,
// at its first place and with its last value.
func (s *Schema) merged(v codec.Value) codec.Value {
	return raw.Wrap(merge(raw.Machine(s.Codec), raw.Value(v)))
}

func merge(m *interp.Machine, v interp.Value) interp.Value {
	cells := v.Cells()
	if len(cells) == 0 {
		return v
	}
	var out []interp.Value
	for i, c := range cells {
		if v.Kind() == interp.Map && i%2 == 1 {
			continue
		}
		first := len(out)
		if v.Kind() == interp.Map {
			for k := 0; k < len(out); k += 2 {
				// compared as they are sent, not as they are merged
				if m.SameKey(out[k], c) {
					first = k
					break
				}
			}
		}
		if first == len(out) {
			out = append(out, c)
			if v.Kind() == interp.Map {
				out = append(out, cells[i+1])
			}
		} else {
			out[first+1] = cells[i+1]
		}
	}
	for i := range out {
		out[i] = merge(m, out[i])
	}
	return v.WithCells(out)
}

func text(s *Schema, v codec.Value) error {
	for _, style := range []godot.TextStyle{{}, godot.StyleOf(s.Codec), {Indent: "\t"}} {
		t, err := godot.AppendText(nil, v, style)
		if err != nil {
			return err
		}
		w, err := godot.ParseText(string(t))
		if err != nil {
			return fmt.Errorf("text %s: %w", t, err)
		}
		if err := differ(fmt.Sprintf("text %s", t), v, w); err != nil {
			return err
		}
	}
	return nil
}

func named(s *Schema, v codec.Value) error {
	want, err := s.Codec.Encode(v)
	if err != nil {
		return nil // law round trip
	}
	text, err := s.Codec.Text(v)
	if err != nil {
		return err
	}
	j, err := s.Codec.AppendJSON(nil, v)
	if err != nil {
		return err
	}
	back, err := s.Codec.ParseText(text)
	if err == nil {
		err = encodesAs(s, back, want)
	}
	if err != nil {
		return fmt.Errorf("text %s: %w", text, err)
	}
	if back, err = s.Codec.ParseJSON(j); err == nil {
		err = encodesAs(s, back, want)
	}
	if err != nil {
		return fmt.Errorf("JSON %s: %w", j, err)
	}
	return nil
}

// encodesAs returns an error if a value is not encoded as the given bytes.
func encodesAs(s *Schema, v codec.Value, want []byte) error {
	b, err := s.Codec.Encode(v)
	if err != nil {
		return err
	}
	return differBytes("encoded", want, b)
}

func jsonBack(_ *Schema, v codec.Value) error {
	for _, style := range []godot.JSONStyle{{}, {Explicit: true}, {Bits: true}, {Explicit: true, Bits: true}} {
		j, err := godot.AppendJSONStyle(nil, v, style)
		if err != nil {
			return err
		}
		w, err := godot.ParseJSON(j)
		if err != nil {
			return fmt.Errorf("json %s: %w", j, err)
		}
		if err := differ(fmt.Sprintf("json %s", j), v, w); err != nil {
			return err
		}
	}
	return nil
}

func truncation(s *Schema, v codec.Value) error {
	b, err := s.Codec.Encode(v)
	if err != nil {
		return err
	}
	step := max(1, len(b)/100)
	for n := len(b) - 1; n >= 0; n-- {
		if n%step != 0 && n < len(b)-16 {
			continue
		}
		w, used, err := s.Codec.Decode(b[:n:n])
		var e *interp.Error
		switch {
		case errors.As(err, &e) && e.Kind == codec.ErrTruncated:
			if e.Offset < 0 || e.Offset > n {
				return fmt.Errorf("of %x the first %d: truncated at %d", b, n, e.Offset)
			}
			continue
		case errors.As(err, &e) && e.Kind == codec.ErrChecksum && (s.pads || s.toEnd):
			continue
		case errors.As(err, &e) && s.toEnd && e.Kind == codec.ErrText:
			continue // a character is cut
		case errors.As(err, &e) && (s.toEnd || s.pads) && (e.Kind == codec.ErrValue && (s.compares || s.measures) || e.Kind == codec.ErrClosed && s.measures):
			continue // a computed number or a condition does not match the shorter content
		case err != nil && s.tails:
			continue // the rows at the end have other bytes
		case err != nil:
			return fmt.Errorf("of %x the first %d: %w", b, n, err)
		}
		again, err := s.Codec.Encode(w)
		switch {
		case err != nil && s.tails && used < n:
			continue // a list ends there only because of the bytes that are left
		case err != nil:
			return fmt.Errorf("of %x the first %d: %w", b, n, err)
		}
		if used == n && s.pads && bytes.Equal(again, b) || s.toEnd && bytes.Equal(again, b[:used]) ||
			s.toEnd && s.pads && bytes.HasPrefix(again, b[:used]) {
			continue
		}
		if _, _, err := s.strict.Decode(b[:n:n]); s.toEnd && (s.sums || s.tails) && errors.As(err, &e) && e.Kind == codec.ErrNotCanonical {
			continue // a checksum that a reader does not compare
		}
		return fmt.Errorf("of %x the first %d are accepted, as %s", b, n, w)
	}
	return nil
}

// chunks reads in pieces of changing size.
type chunks struct {
	b    []byte
	size uint32
}

func (r *chunks) Read(p []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, io.EOF
	}
	r.size = r.size*1664525 + 1013904223
	n := min(len(p), len(r.b), int(r.size>>28))
	copy(p, r.b[:n])
	r.b = r.b[n:]
	return n, nil
}

func stream(s *Schema, v codec.Value) error {
	values := []codec.Value{v, s.Value(nil), v}
	for _, c := range raw.Value(v).Cells() {
		if _, err := s.Codec.Encode(raw.Wrap(c)); err == nil && len(values) < 8 {
			values = append(values, raw.Wrap(c))
		}
	}
	for _, big := range []bool{false, true} {
		var out bytes.Buffer
		enc := godot.NewEncoder(s.Codec, &out)
		enc.SetBigEndian(big)
		var want []byte
		for _, v := range values {
			if err := enc.EncodeValue(v); err != nil {
				return err
			}
			b, err := s.Codec.Encode(v)
			if err != nil {
				return err
			}
			if big {
				want = binary.BigEndian.AppendUint32(want, uint32(len(b)))
			} else {
				want = binary.LittleEndian.AppendUint32(want, uint32(len(b)))
			}
			want = append(want, b...)
		}
		if err := differBytes("stream", want, out.Bytes()); err != nil {
			return err
		}
		for seed := range uint32(3) {
			dec := godot.NewDecoder(s.strict, &chunks{out.Bytes(), seed})
			dec.SetBigEndian(big)
			for i, v := range values {
				b, _ := s.Codec.Encode(v)
				alone, _, err := s.Codec.Decode(b)
				if err != nil {
					return err
				}
				w, err := dec.DecodeValue()
				if err != nil {
					return fmt.Errorf("value %d of stream %x: %w", i, want, err)
				}
				if err := differ(fmt.Sprintf("value %d of the stream", i), alone, w); err != nil {
					return err
				}
			}
			if _, err := dec.DecodeValue(); err != io.EOF {
				return fmt.Errorf("at the end of the stream: %w", errOr(err))
			}
			if dec.Offset() != int64(len(want)) {
				return fmt.Errorf("after the stream of %d bytes the offset is %d", len(want), dec.Offset())
			}
		}
	}
	return nil
}

func precision(s *Schema, v codec.Value) error {
	if s.twin == nil {
		return nil
	}
	across := func(v codec.Value, from, to *codec.Codec) (codec.Value, []byte, error) {
		b, err := from.Encode(v)
		if err != nil {
			return v, nil, err
		}
		w, used, err := to.Decode(b)
		if err != nil || used != len(b) {
			return v, b, fmt.Errorf("%x: used %d: %w", b, used, errOr(err))
		}
		return w, b, nil
	}
	w, _, err := across(v, s.Codec, s.twin) // in doubles
	if err != nil {
		return err
	}
	w, single, err := across(w, s.twin, s.Codec) // rounded
	if err != nil {
		return err
	}
	w, double, err := across(w, s.Codec, s.twin)
	if err != nil {
		return err
	}
	w, again, err := across(w, s.twin, s.Codec)
	if err != nil {
		return err
	}
	if err := differBytes("single precision", single, again); err != nil {
		return err
	}
	last, err := s.Codec.Encode(w)
	if err != nil {
		return err
	}
	return differBytes("double precision", double, last)
}

func referenceValue(s *Schema, v codec.Value) error {
	return s.reference.either(raw.Value(v), s.raw)
}
