// The laws.

package fuzz

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/interp"
)

// Law is something that holds for every schema, and for every value that is made
// for it or for any bytes. One of the two functions is set.
type Law struct {
	Name   string
	Says   string // the law, exactly
	Value  func(s *Schema, v codec.Value) error
	Packet func(s *Schema, b []byte) error
	Of     Values // values that Value is about

	Reference bool // the law needs the resolved schema
}

// Values is a set of values that a law is about.
type Values uint8

// The sets of values.
const (
	WrittenValues Values = iota // of [Schema.Value]
	OddValues                   // of [Schema.Odd]
	AnyValue                    // any value of interp, also one that a writer refuses
)

// Laws are all laws. v is a value of [Law.Of]; b is any bytes. Values are the same if
// [codec.Equal] says so.
var Laws = []Law{
	{Name: "round trip", Says: "encode(v) succeeds; decode(encode(v)) takes all bytes and is v, and so does strict decoding", Value: roundTrip},
	{Name: "canonical form", Says: "for an odd v, encode(v) succeeds and decode(encode(v)) is encoded as the same bytes; keeping widths, " +
		"decode(encode(v)) is v but for pairs whose key is there before and where the schema writes another value than was read", Value: oddRoundTrip, Of: OddValues},
	{Name: "choices", Says: "for b that strict decoding accepts, the choices for decode(b) make decode(b), unless b has more than 4 KiB or no value can be drawn", Packet: choicesBack},
	{Name: "text", Says: "ParseText(AppendText(v)) is v, in every style that has notes", Value: text},
	{Name: "json", Says: "ParseJSON(AppendJSON(v)) is v, in every style", Value: jsonBack},
	{Name: "truncation", Says: "encode(v) without its last bytes is refused as truncated, at an offset within what is left; or it is accepted " +
		"where padding may be missing at the end, and the same value; or where the schema has a row that goes to the end, and it is canonical", Value: truncation},
	{Name: "stream", Says: "values that are written to a stream are read from it in any chunks, each the same as its packet alone", Value: stream},
	{Name: "precision", Says: "what a codec of double precision writes, one of single precision reads, and the reverse; rounded to single precision once, " +
		"numbers survive any further way between the two", Value: precision},
	{Name: "total", Says: "decoding b returns a value, with 0 < used <= len(b) (0 where a value may take no bytes), or an *Error of a known kind with a rule, " +
		"and 0 <= offset <= len(b); the cells of the value take at most 9 times the input and 512 bytes", Packet: total},
	{Name: "idempotence", Says: "where decode(b) gives v, encode(v) succeeds, strict decoding accepts it, and encoding that gives the same bytes; " +
		"left out are texts that begin with two byte order marks; and where gates forbid to write what they allow to read, this holds for " +
		"gates the other way round", Packet: idempotence},
	{Name: "strict", Says: "strict decoding accepts b just where decoding accepts it and encode(decode(b)) is b; it refuses what else decoding accepts as not " +
		"canonical, at the first byte that is different, or as trailing, at the first byte left over; and what decoding refuses, it refuses alike", Packet: strict},
	{Name: "trailing", Says: "where decode(b) takes fewer bytes than there are, and no row goes to the end, the bytes after them may be left out or be any others", Packet: trailing},
	{Name: "memory", Says: "with MaxMemory, decoding is the same or refused as beyond the limit", Packet: memory},
	{Name: "fused", Says: "with and without the fast loops, decoding b gives the same value to the last bit, used and error, and encoding the same bytes", Packet: fused},
	{Name: "saved", Says: "a saved and loaded program does what the original does", Packet: saved},
	{Name: "go values", Says: "where decode(b) gives v, Unmarshal(b) into an any, []any, map[string]any, Value or []float64 gives what v.To gives, or the same " +
		"error; and Marshal of that gives what Encode(ValueOf) of it gives, or the same error", Packet: goValues},
	{Name: "structs", Says: "where decode(b) gives v, Unmarshal(b) into a struct made for v gives what v.To gives, or the same error; Marshal of that gives what " +
		"Encode(ValueOf) of it gives; and where the struct says all that v does, that is v", Packet: structs},
	{Name: "cut", Says: "every beginning of b is refused as truncated, at the row that does not fit or where a list begins whose elements cannot all be there; " +
		"but where padding may be missing, or a row goes to the end", Packet: cut},
	{Name: "modes", Says: "no option changes what b means: with any of them decoding is the same, or refused for the reason that the option is for; b is not changed; " +
		"and a frame of a stream is its packet alone", Packet: modes},
	{Name: "reuse", Says: "a Reader that is used again gives what a new one gives", Packet: reuse},
	{Name: "texts of packets", Says: "where decode(b) gives v, both text forms give v back, which is written as the same bytes", Packet: packetTexts},
	{Name: "kept widths", Says: "keeping widths, what is written for decode(b) is read as decode(b), but for pairs whose key is there before and where the " +
		"schema writes another value than was read; it is written as the same bytes; and not keeping them, it is written as decode(b) is", Packet: keptWidths},
	{Name: "reference, reading", Says: "decoding b gives what the reference gives, with limits of depth, too: the same value to the last bit, used and error, and it is encoded as the same bytes", Packet: referencePacket, Reference: true},
	{Name: "reference, writing", Says: "encoding any value gives what the reference gives: the same bytes or the same error", Value: referenceValue, Of: AnyValue, Reference: true},
}

// LawNamed returns one of Laws.
func LawNamed(name string) *Law {
	return &Laws[slices.IndexFunc(Laws, func(l Law) bool { return l.Name == name })]
}

// Check runs all laws that are about values on the value and the odd value that
// choices make, and those about packets on their bytes.
func (s *Schema) Check(c interp.Choices) error {
	for i := range Laws {
		if err := s.CheckLaw(&Laws[i], c); err != nil {
			return err
		}
	}
	return nil
}

// Drawn returns the values that choices make for a law about values.
func (s *Schema) Drawn(l *Law, c interp.Choices) []codec.Value {
	switch l.Of {
	case OddValues:
		return []codec.Value{s.Odd(c)}
	case AnyValue:
		return []codec.Value{s.Value(c), s.Odd(c)}
	}
	return []codec.Value{s.Value(c)}
}

// CheckLaw runs one law on the values that choices make, or on their bytes.
func (s *Schema) CheckLaw(l *Law, c interp.Choices) error {
	if l.Value != nil {
		for _, v := range s.Drawn(l, c) {
			if err := s.CheckValue(l, v); err != nil {
				return err
			}
		}
		return nil
	}
	b, err := s.Codec.Encode(s.Value(c))
	if err == nil {
		err = s.CheckPacket(l, b)
	}
	if b, err2 := s.keep.Encode(s.Odd(c)); err == nil && err2 == nil {
		err = s.CheckPacket(l, b)
	}
	return err
}

// CheckValue runs one law that is about values.
func (s *Schema) CheckValue(l *Law, v codec.Value) error {
	if err := l.Value(s, v); err != nil {
		t, _ := codec.AppendText(nil, v, codec.TextStyle{})
		return fmt.Errorf("law %q, schema %s, value %s: %w", l.Name, s, t, err)
	}
	return nil
}

// CheckPackets runs all laws that are about packets.
func (s *Schema) CheckPackets(b []byte) error {
	for i := range Laws {
		if l := &Laws[i]; l.Packet != nil {
			if err := s.CheckPacket(l, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckPacket runs one law that is about packets.
func (s *Schema) CheckPacket(l *Law, b []byte) error {
	if err := l.Packet(s, b); err != nil {
		return fmt.Errorf("law %q, schema %s, packet %x: %w", l.Name, s, b, err)
	}
	return nil
}

// tree is a value as go-cmp can show it.
func tree(v codec.Value) any {
	b, err := codec.AppendJSON(nil, v)
	if err != nil {
		return err.Error()
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		return string(b)
	}
	return out
}

// Mismatch is the error of a law whose two results differ.
type Mismatch struct {
	Want, Got any // a codec.Value, []byte, or an error
	text      string
}

func (m *Mismatch) Error() string { return m.text }

func mismatch(want, got any, format string, args ...any) error {
	return &Mismatch{want, got, fmt.Sprintf(format, args...)}
}

// differ returns a [*Mismatch] that shows how values differ, or nil.
func differ(what string, want, got codec.Value) error {
	if codec.Equal(want, got) {
		return nil
	}
	return different(what, want, got)
}

// different returns a [*Mismatch] that shows two values.
func different(what string, want, got codec.Value) error {
	if d := cmp.Diff(tree(want), tree(got)); d != "" {
		return mismatch(want, got, "%s (-want +got):\n%s", what, d)
	}
	return mismatch(want, got, "%s: want %+v, got %+v", what, want.Raw(), got.Raw())
}

// differBytes returns a [*Mismatch] that shows how bytes differ, or nil.
func differBytes(what string, want, got []byte) error {
	if bytes.Equal(want, got) {
		return nil
	}
	return mismatch(want, got, "%s: want %x, got %x", what, want, got)
}

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

// errOr makes an error of none, for laws that ask for none.
func errOr(err error) error {
	if err == nil {
		return errors.New("there was no error")
	}
	return err
}

func oddRoundTrip(s *Schema, v codec.Value) error {
	b, err := s.Codec.Encode(v)
	if err != nil {
		return err
	}
	w, _, err := s.strict.Decode(b)
	if err != nil {
		return fmt.Errorf("encoded as %x: %w", b, err)
	}
	again, err := s.Codec.Encode(w)
	if err != nil {
		return fmt.Errorf("encoded as %x: %w", b, err)
	}
	if err := differBytes("encoded again", b, again); err != nil {
		return err
	}
	if b, err = s.keep.Encode(v); err != nil {
		return err
	}
	if w, _, err = s.keep.Decode(b); err != nil {
		return fmt.Errorf("encoded as %x with its widths: %w", b, err)
	}
	if s.writesOther {
		return nil
	}
	return differ(fmt.Sprintf("encoded as %x with its widths", b), s.merged(v), w)
}

// merged returns v with pairs as a writer writes them: each key once, at its
// first place and with its last value.
func (s *Schema) merged(v codec.Value) codec.Value {
	return codec.FromRaw(merge(s.Codec.Machine(), v.Raw()))
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

func text(s *Schema, v codec.Value) error {
	for _, style := range []codec.TextStyle{{}, s.Codec.TextStyle(), {Indent: "\t"}} {
		t, err := codec.AppendText(nil, v, style)
		if err != nil {
			return err
		}
		w, err := codec.ParseText(string(t))
		if err != nil {
			return fmt.Errorf("text %s: %w", t, err)
		}
		if err := differ(fmt.Sprintf("text %s", t), v, w); err != nil {
			return err
		}
	}
	return nil
}

func jsonBack(_ *Schema, v codec.Value) error {
	for _, style := range []codec.JSONStyle{{}, {Explicit: true}, {Bits: true}, {Explicit: true, Bits: true}} {
		j, err := codec.AppendJSONStyle(nil, v, style)
		if err != nil {
			return err
		}
		w, err := codec.ParseJSON(j)
		if err != nil {
			return fmt.Errorf("json %s: %w", j, err)
		}
		if err := differ(fmt.Sprintf("json %s", j), v, w); err != nil {
			return err
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
	want, wantErr := s.keep.Encode(v)
	for _, form := range []func() (codec.Value, error){
		func() (codec.Value, error) {
			t, _ := codec.AppendText(nil, v, codec.TextStyle{})
			return codec.ParseText(string(t))
		},
		func() (codec.Value, error) {
			j, _ := codec.AppendJSONStyle(nil, v, codec.JSONStyle{Explicit: true})
			return codec.ParseJSON(j)
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
		var e *codec.Error
		switch {
		case errors.As(err, &e) && e.Kind == codec.ErrTruncated:
			if e.Offset < 0 || e.Offset > n {
				return fmt.Errorf("of %x the first %d: truncated at %d", b, n, e.Offset)
			}
			continue
		case err != nil:
			return fmt.Errorf("of %x the first %d: %w", b, n, err)
		}
		again, err := s.Codec.Encode(w)
		if err != nil {
			return fmt.Errorf("of %x the first %d: %w", b, n, err)
		}
		if used == n && s.pads && bytes.Equal(again, b) || s.toEnd && bytes.Equal(again, b[:used]) ||
			s.toEnd && s.pads && bytes.HasPrefix(again, b[:used]) {
			continue
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
	for _, c := range v.Raw().Cells() {
		if _, err := s.Codec.Encode(codec.FromRaw(c)); err == nil && len(values) < 8 {
			values = append(values, codec.FromRaw(c))
		}
	}
	for _, big := range []bool{false, true} {
		var out bytes.Buffer
		enc := s.Codec.NewEncoder(&out)
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
			dec := s.strict.NewDecoder(&chunks{out.Bytes(), seed})
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

// cellBytes is what a cell of a value takes in memory.
var cellBytes = int(reflect.TypeFor[interp.Value]().Size())

// taken returns the bytes of memory that the cells in a value take.
func taken(v interp.Value) int {
	n := 0
	for _, c := range v.Cells() {
		n += cellBytes + taken(c)
	}
	return n
}

func total(s *Schema, b []byte) error {
	v, used, err := s.Codec.Decode(b)
	if err != nil {
		return known(err, len(b))
	}
	least := int(s.Codec.Program().Bounds(s.Codec.Program().Root).Min)
	if used < least || used > len(b) {
		return fmt.Errorf("used %d of %d bytes", used, len(b))
	}
	if n := taken(v.Raw()); n > 9*len(b)+512 {
		return fmt.Errorf("%d bytes of cells for %d bytes of input", n, len(b))
	}
	return nil
}

func known(err error, size int) error {
	var e *codec.Error
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
	if Marked(v.Raw()) {
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

// Marked reports whether v has a text that begins with a byte order mark. A reader that
// drops marks leaves the second of two, and drops it from what is written for the text.
func Marked(v interp.Value) bool {
	if v.Kind() == interp.Text && strings.HasPrefix(v.Text(), "\ufeff") {
		return true
	}
	for _, c := range v.Cells() {
		if Marked(c) {
			return true
		}
	}
	return false
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
	var e *codec.Error
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
	v, used, err := s.Codec.Machine().Decode(b, s.raw)
	for _, limit := range []int{1, len(b)/2 + 1, len(b) + 1, 4*len(b) + 1, 16*len(b) + 1024} {
		for _, m := range []*interp.Machine{s.Codec.Machine(), s.unfused} {
			opt := s.raw
			opt.MaxMemory = limit
			w, n, limited := m.Decode(b, opt)
			if errors.Is(limited, interp.ErrLimit) {
				if limit > 16*len(b) {
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

// Outcome compares the results of two ways of decoding: the values to the last bit, the bytes
// used, and the errors. It returns an error if they differ.
func Outcome(v interp.Value, used int, err error, w interp.Value, n int, err2 error) error {
	if !reflect.DeepEqual(err, err2) {
		return fmt.Errorf("error %v, not %v", err2, err)
	}
	if used != n {
		return fmt.Errorf("used %d, not %d", n, used)
	}
	if !same(v, w, true) {
		return different("values", codec.FromRaw(v), codec.FromRaw(w))
	}
	return nil
}

// same reports whether two values agree in everything that can be asked of them. The scalar
// in which a single number was read is compared only if scalars is true.
func same(a, b interp.Value, scalars bool) bool {
	if a.Kind() != b.Kind() || a.Tag() != b.Tag() || a.Wide() != b.Wide() ||
		a.Len() != b.Len() || a.Width() != b.Width() || a.Uint() != b.Uint() || !bytes.Equal(a.Bytes(), b.Bytes()) {
		return false
	}
	if (scalars || a.Kind() == interp.Lanes || a.Kind() == interp.Packed) && a.Scalar() != b.Scalar() {
		return false
	}
	x, y := a.Cells(), b.Cells()
	for i := range x {
		if !same(x[i], y[i], scalars) {
			return false
		}
	}
	return true
}

// compare compares two ways to decode b, and to encode what it is.
func (s *Schema) compare(b []byte, m *interp.Machine, opt interp.Options) error {
	first := s.Codec.Machine()
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
	m := s.Codec.Machine()
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
	if err != nil || Marked(v.Raw()) {
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
	for _, target := range []func() any{
		func() any { return new(any) },
		func() any { return new([]any) },
		func() any { return new(map[string]any) },
		func() any { return new(codec.Value) },
		func() any { return new([]float64) },
	} {
		want, got := target(), target()
		err, err2 := v.To(want), s.Codec.Unmarshal(b[:used], got)
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			return fmt.Errorf("into %T: error %v, not %v", want, err2, err)
		}
		if err != nil {
			continue
		}
		x, err := codec.ValueOf(want)
		y, err2 := codec.ValueOf(got)
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
	for _, depth := range []int{0, 1, 3} {
		o := s.raw
		o.MaxDepth = depth
		if err := s.reference.Packet(b, o); err != nil {
			return err
		}
	}
	return nil
}

func referenceValue(s *Schema, v codec.Value) error {
	for _, keep := range []bool{false, true} {
		o := s.raw
		o.KeepWidths = keep
		if err := s.reference.Value(v.Raw(), o); err != nil {
			return err
		}
	}
	return nil
}
