// The laws.

package fuzz

import (
	"fmt"
	"slices"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/interp"
)

// Law is a statement that holds for every schema. It is about every value that is made for the
// schema, or about any bytes. One of the two functions is set.
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
	{Name: "canonical form", Says: "for an odd v for which encode(v) succeeds, strict decoding accepts it unless keys are the same once their own pairs are merged or they are read back, and decode(encode(v)) is encoded as the same bytes",
		Value: canonicalForm, Of: OddValues},
	{Name: "either form", Says: "for an odd v, encode(v) succeeds, and so it does keeping widths; this holds if no size that is stored and no condition depends on the form " +
		"of a number, or on pairs whose key is there before",
		Value: eitherForm, Of: OddValues},
	{Name: "kept form", Says: "for an odd v, keeping widths, encode(v) succeeds unless v repeats a key, and decode(encode(v)) is v but for pairs whose key is there before " +
		"and where the schema writes another value than was read", Value: keptForm, Of: OddValues},
	{Name: "choices", Says: "for b that strict decoding accepts, the choices for decode(b) make decode(b), unless b has more than 4 KiB or no value can be drawn", Packet: choicesBack},
	{Name: "text", Says: "ParseText(AppendText(v)) is v, in every style that has notes", Value: text},
	{Name: "json", Says: "ParseJSON(AppendJSON(v)) is v, in every style", Value: jsonBack},
	{Name: "names", Says: "text and JSON of v in the form of the schema, by names unless it is of Variants, are read back and encode as v does", Value: named},
	{Name: "truncation", Says: "encode(v) without its last bytes is refused as truncated, at an offset within what is left; or it is accepted " +
		"where padding may be missing at the end, and the same value; or where the schema has a row that goes to the end, and it is canonical; in both cases a checksum may be wrong, and refused or not, and a row to the end may have a part of a character or be another one than a number or a condition says; rows behind one that leaves bytes for them have other bytes, which may be refused", Value: truncation},
	{Name: "stream", Says: "values that are written to a stream are read from it in any chunks, each the same as its packet alone", Value: stream},
	{Name: "precision", Says: "what a codec of double precision writes, one of single precision reads, and the reverse; rounded to single precision once, " +
		"numbers survive any further way between the two", Value: precision},
	{Name: "total", Says: "decoding b returns a value, with 0 < used <= len(b) (0 where a value may take no bytes), or an *Error of a known kind with a rule, " +
		"and 0 <= offset <= len(b); the value has no more cells than the schema allows for as many bytes", Packet: total},
	{Name: "idempotence", Says: "where decode(b) gives v, encode(v) succeeds, strict decoding accepts it, and encoding that gives the same bytes; " +
		"left out are texts that begin with two byte order marks; and where gates forbid to write what they allow to read, this holds " +
		"with the gates inverted", Packet: idempotence},
	{Name: "strict", Says: "strict decoding accepts b just where decoding accepts it and encode(decode(b)) is b; it refuses what else decoding accepts as not " +
		"canonical, at the first byte that is different, or as trailing, at the first byte left over; and what decoding refuses, it refuses alike", Packet: strict},
	{Name: "trailing", Says: "where decode(b) takes fewer bytes than there are, and no row goes to the end, the bytes after them may be left out or be any others", Packet: trailing},
	{Name: "memory", Says: "with MaxMemory, decoding is the same or refused as beyond the limit; the most that a packet of the length can take is enough", Packet: memory},
	{Name: "fused", Says: "with and without the fast loops, decoding b gives the same value to the last bit, used and error, and encoding the same bytes", Packet: fused},
	{Name: "saved", Says: "a saved and loaded program does what the original does", Packet: saved},
	{Name: "go values", Says: "where decode(b) gives v, Unmarshal(b) into an any, []any, map[string]any, Value or []float64 gives what v.To gives, or the same " +
		"error; and Marshal of that gives what Encode(ValueOf) of it gives, or the same error", Packet: goValues},
	{Name: "structs", Says: "where decode(b) gives v, Unmarshal(b) into a Go type that is made for the schema, or of Variants for v, gives what v.To gives, or the " +
		"same error; Marshal of that, also with a change, gives what Encode(ValueOf) of it gives; and where a struct for a Variant says all that v does, that is v", Packet: structs},
	{Name: "cut", Says: "every beginning of b is refused as truncated, at the row that does not fit or where a list begins whose elements cannot all be there; " +
		"but where padding may be missing, or a row goes to the end", Packet: cut},
	{Name: "modes", Says: "no option changes what b means: with any of them decoding is the same, or refused for the reason that the option is for; b is not changed; " +
		"and a frame of a stream is its packet alone", Packet: modes},
	{Name: "reuse", Says: "a Reader that is used again gives what a new one gives", Packet: reuse},
	{Name: "texts of packets", Says: "where decode(b) gives v, both text forms give v back, which is written as the same bytes; but a NaN forgets the form that it was read in", Packet: packetTexts},
	{Name: "kept widths", Says: "keeping widths, what is written for decode(b) is read as decode(b), but for pairs whose key is there before and where the " +
		"schema writes another value than was read; it is written as the same bytes; and not keeping them, it is written as decode(b) is", Packet: keptWidths},
	{Name: "assembler", Says: "assembling the text of b, with and without what a writer computes, gives b; the texts of b that strict decoding accepts are as short as was asked for",
		Packet: assembled},
	{Name: "reference, reading", Says: "decoding b gives what the reference gives, with limits of depth, too: the same value to the last bit, used and error, and it is encoded as the same bytes", Packet: referencePacket, Reference: true},
	{Name: "reference, writing", Says: "encoding any value gives what the reference gives: the same bytes or the same error", Value: referenceValue, Of: AnyValue, Reference: true},
}

// LawNamed returns one of Laws.
func LawNamed(name string) *Law {
	return &Laws[slices.IndexFunc(Laws, func(l Law) bool { return l.Name == name })]
}

// Check runs all laws on the value and the odd value that choices make. Laws about packets run
// on the bytes of the values.
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
		t, _ := godot.AppendText(nil, v, godot.TextStyle{})
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
