// Laws about packets.

package fuzz

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/asm"
)

func choicesBack(s *Schema, b []byte) error {
	if len(b) > 4<<10 || s.NoValue != nil {
		return nil
	}
	v, _, err := s.strict.Decode(b)
	if err != nil {
		return nil
	}
	c, err := s.Choices(v)
	if err != nil {
		return err
	}
	return differ(fmt.Sprintf("choices %x", c), v, s.Value(c))
}

func assembled(s *Schema, b []byte) error {
	_, _, err := s.strict.Decode(b)
	for _, want := range []asm.Form{asm.Full, asm.Brief} {
		text, form := s.asm.Disassemble(b, asm.Options{Brief: want == asm.Brief})
		got, problem := s.asm.Assemble(text)
		if problem != nil || !bytes.Equal(got, b) {
			return fmt.Errorf("the text is assembled as %x, %w:\n%s", got, errOr(problem), text)
		}
		if err == nil && form != want {
			return fmt.Errorf("the text of a canonical packet has form %d, not %d:\n%s", form, want, text)
		}
	}
	return nil
}

func packetTexts(s *Schema, b []byte) error {
	v, _, err := s.Codec.Decode(b)
	if err != nil {
		return nil
	}
	if err := text(s, v); err != nil {
		return err
	}
	if err := jsonBack(s, v); err != nil {
		return err
	}
	want, wantErr := s.keep.Encode(raw.Wrap(formless(raw.Value(v))))
	for _, form := range []func() (codec.Value, error){
		func() (codec.Value, error) {
			t, _ := godot.AppendText(nil, v, godot.TextStyle{})
			return godot.ParseText(string(t))
		},
		func() (codec.Value, error) {
			j, _ := godot.AppendJSONStyle(nil, v, godot.JSONStyle{Explicit: true})
			return godot.ParseJSON(j)
		},
	} {
		w, err := form()
		if err != nil {
			return err
		}
		got, err := s.keep.Encode(w)
		if (err == nil) != (wantErr == nil) {
			return fmt.Errorf("written: error %v, not %v", err, wantErr)
		}
		if err := differBytes("written", want, got); err != nil {
			return err
		}
	}
	return nil
}

// formless returns v with NaNs that know no form of a row. A reader notes it, and a writer that
// keeps widths uses it, but a text has only the bits of a NaN.
func formless(v interp.Value) interp.Value {
	if v.Kind() == interp.Float && math.IsNaN(v.Float()) {
		return interp.MakeFloat(v.Tag(), v.Float()).WithWide(v.Wide())
	}
	if len(v.Cells()) == 0 {
		return v
	}
	cells := slices.Clone(v.Cells())
	for i := range cells {
		cells[i] = formless(cells[i])
	}
	return v.WithCells(cells)
}

// taken returns the number of cells in a value.
func taken(v interp.Value) int {
	n := 0
	for _, c := range v.Cells() {
		n += 1 + taken(c)
	}
	return n
}

func total(s *Schema, b []byte) error {
	v, used, err := s.Codec.Decode(b)
	if err != nil {
		return known(err, len(b))
	}
	least := int(raw.Program(s.Codec).Bounds(raw.Program(s.Codec).Root).Min)
	if used < least || used > len(b) {
		return fmt.Errorf("used %d of %d bytes", used, len(b))
	}
	if n, most := taken(raw.Value(v)), s.cells.of(len(b)); n > most {
		return fmt.Errorf("%d cells for %d bytes of input, at most %d are possible", n, len(b), most)
	}
	return nil
}

func known(err error, size int) error {
	var e *interp.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("not an *Error: %w", err)
	}
	if e.Word() == "" || e.Offset < 0 || e.Offset > size || e.Rule.Name == "" && e.Rule.File == "" {
		return fmt.Errorf("an error without a kind, place or rule: %+v", *e)
	}
	return nil
}

func idempotence(s *Schema, b []byte) error {
	v, _, err := s.Codec.Decode(b)
	if err != nil {
		return nil
	}
	if s.Marked(raw.Value(v)) {
		return nil
	}
	c, err := s.Codec.Encode(v)
	if errors.Is(err, codec.ErrTypeMismatch) && s.other != nil {
		s = s.other
		c, err = s.Codec.Encode(v)
	}
	if err != nil {
		return fmt.Errorf("what is read is not written: %w", err)
	}
	w, used, err := s.strict.Decode(c)
	if err != nil || used != len(c) {
		return fmt.Errorf("written as %x, which is not canonical: %w", c, errOr(err))
	}
	again, err := s.Codec.Encode(w)
	if err != nil {
		return fmt.Errorf("written as %x, which is not written: %w", c, err)
	}
	return differBytes("written again", c, again)
}

// Marked reports whether reading v again can give another value. This is so if the schema drops byte order marks and v has
// a text that begins with one. A packet with two marks gives such a text. It is written with one mark, which the next
// reader drops.
func (s *Schema) Marked(v interp.Value) bool { return s.dropsMarks && marked(v) }

func marked(v interp.Value) bool {
	return v.Kind() == interp.Text && strings.HasPrefix(v.Text(), "\ufeff") || slices.ContainsFunc(v.Cells(), marked)
}

func strict(s *Schema, b []byte) error {
	v, used, err := s.Codec.Decode(b)
	w, strictUsed, strictErr := s.strict.Decode(b)
	if err != nil {
		if !reflect.DeepEqual(err, strictErr) {
			return fmt.Errorf("strict: %v; else: %v", strictErr, err)
		}
		return nil
	}
	c, err := s.Codec.Encode(v)
	if err == nil && bytes.Equal(b, c) {
		if strictErr != nil || strictUsed != used {
			return fmt.Errorf("strict refuses what is canonical: used %d and %d: %w", strictUsed, used, errOr(strictErr))
		}
		return differ("strict reads another value", v, w)
	}
	if strictErr == nil {
		return fmt.Errorf("strict accepts what is written as %x", c)
	}
	var e *interp.Error
	if !errors.As(strictErr, &e) {
		return known(strictErr, len(b))
	}
	if err != nil { // what is read cannot be written
		if e.Kind != codec.ErrNotCanonical {
			return fmt.Errorf("strict: %w", strictErr)
		}
		return nil
	}
	at := 0
	for at < len(c) && at < used && b[at] == c[at] {
		at++
	}
	want := codec.ErrNotCanonical
	if at == used && at == len(c) {
		want = codec.ErrTrailing
	}
	if e.Kind != want || e.Offset != at || e.Rule.File == "" {
		return fmt.Errorf("strict: %v, kind %v at %d; byte %d differs from %x", e, e.Kind, e.Offset, at, c)
	}
	return nil
}

func trailing(s *Schema, b []byte) error {
	v, used, err := s.Codec.Decode(b)
	if err != nil || used == len(b) || s.toEnd {
		return nil
	}
	for _, other := range [][]byte{b[:used:used], append(b[:used:used], 0xff, 0, 0xff), append(b[:used:used], b...)} {
		w, n, err := s.Codec.Decode(other)
		if err != nil || n != used {
			return fmt.Errorf("%x: used %d, not %d: %w", other, n, used, errOr(err))
		}
		if err := differ(fmt.Sprintf("%x", other), v, w); err != nil {
			return err
		}
	}
	return nil
}

func memory(s *Schema, b []byte) error {
	v, used, err := raw.Machine(s.Codec).Decode(b, s.raw)
	most := s.cells.of(len(b)) * interp.CellSize
	for _, limit := range []int{1, len(b)/2 + 1, len(b) + 1, 4*len(b) + 1, most} {
		for _, m := range []*interp.Machine{raw.Machine(s.Codec), s.unfused} {
			opt := s.raw
			opt.MaxMemory = limit
			w, n, limited := m.Decode(b, opt)
			if errors.Is(limited, interp.ErrLimit) {
				if limit >= most && err == nil {
					return fmt.Errorf("with MaxMemory of %d: %w", limit, limited)
				}
				continue
			}
			if err := Outcome(v, used, err, w, n, limited); err != nil {
				return fmt.Errorf("with MaxMemory of %d: %w", limit, err)
			}
		}
	}
	return nil
}

// compare compares two ways to decode b, and to encode what it is.
func (s *Schema) compare(b []byte, m *interp.Machine, opt interp.Options) error {
	first := raw.Machine(s.Codec)
	v, used, err := first.Decode(b, s.raw)
	w, n, err2 := m.Decode(b, opt)
	if err := Outcome(v, used, err, w, n, err2); err != nil || err2 != nil {
		return err
	}
	for _, keep := range []bool{false, true} {
		raw, opt := s.raw, opt
		raw.KeepWidths, opt.KeepWidths = keep, keep
		out, err := first.Append([]byte("before"), v, raw)
		out2, err2 := m.Append([]byte("before"), v, opt)
		if !reflect.DeepEqual(err, err2) {
			return fmt.Errorf("writing: error %v, not %v", err2, err)
		}
		if err := differBytes("written", out, out2); err != nil {
			return err
		}
	}
	return nil
}

func fused(s *Schema, b []byte) error { return s.compare(b, s.unfused, s.raw) }

func saved(s *Schema, b []byte) error { return s.compare(b, s.saved, s.raw) }

func reuse(s *Schema, b []byte) error {
	m := raw.Machine(s.Codec)
	v, used, err := m.Decode(b, s.raw)
	r := m.NewReader(s.raw)
	for i, first := range [][]byte{nil, b, append(bytes.Clone(b), b...), b[:len(b)/2]} {
		_, _, _ = r.Read(first)
		w, n, err2 := r.ReadCopy(b)
		if err := Outcome(v, used, err, w, n, err2); err != nil {
			return fmt.Errorf("reader used before, %d: %w", i, err)
		}
	}
	return nil
}

func keptWidths(s *Schema, b []byte) error {
	v, _, err := s.keep.Decode(b)
	if err != nil || s.Marked(raw.Value(v)) {
		return nil
	}
	c, err := s.keep.Encode(v)
	if errors.Is(err, codec.ErrTypeMismatch) && s.other != nil {
		s = s.other
		c, err = s.keep.Encode(v)
	}
	if err != nil {
		return err
	}
	w, _, err := s.keep.Decode(c)
	if err != nil {
		return fmt.Errorf("written as %x: %w", c, err)
	}
	if !s.writesOther {
		if err := differ(fmt.Sprintf("written as %x", c), s.merged(v), w); err != nil {
			return err
		}
	}
	again, err := s.keep.Encode(w)
	if err != nil {
		return fmt.Errorf("written as %x: %w", c, err)
	}
	if err := differBytes("written again", c, again); err != nil {
		return err
	}
	narrow, err := s.Codec.Encode(v)
	if err != nil {
		return err
	}
	if again, err = s.Codec.Encode(w); err != nil {
		return err
	}
	return differBytes("written without its widths", narrow, again)
}

func goValues(s *Schema, b []byte) error {
	v, used, err := s.Codec.Decode(b)
	if err != nil {
		return nil
	}
	if used < len(b) { // a list may end at another place if fewer bytes are behind it
		return goValues(s, b[:used])
	}
	for _, target := range []func() any{
		func() any { return new(any) },
		func() any { return new([]any) },
		func() any { return new(map[string]any) },
		func() any { return new(codec.Value) },
		func() any { return new([]float64) },
	} {
		want, got := target(), target()
		err, err2 := v.To(want), s.Codec.Unmarshal(b, got)
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			return fmt.Errorf("into %T: error %v, not %v", want, err2, err)
		}
		if err != nil {
			continue
		}
		x, err := s.Codec.ValueOf(want)
		y, err2 := s.Codec.ValueOf(got)
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			return fmt.Errorf("from %T: error %v, not %v", want, err2, err)
		}
		if err != nil {
			continue
		}
		if err := differ(fmt.Sprintf("into %T", want), x, y); err != nil {
			return err
		}
		out, err := s.Codec.Encode(x)
		out2, err2 := s.Codec.Marshal(got)
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			return fmt.Errorf("writing %T: error %v, not %v", want, err2, err)
		}
		if err := differBytes(fmt.Sprintf("writing %T", want), out, out2); err != nil && len(out) > 0 {
			return err
		}
	}
	return nil
}

func referencePacket(s *Schema, b []byte) error {
	v, ok, err := s.reference.read(b, s.raw)
	if err == nil && ok {
		err = s.reference.either(v, s.raw)
	}
	for _, depth := range []int{1, 3} {
		if err != nil {
			break
		}
		o := s.raw
		o.MaxDepth = depth
		if err = s.reference.Read(b, o); err == nil && ok && s.nests {
			err = s.reference.Value(v, o)
		}
	}
	return err
}
