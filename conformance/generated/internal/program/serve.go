// The packages as an implementation of the conformance protocol.

package main

import (
	"encoding/json"
	"errors"

	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/interp"
)

// served answers for all packages.
type served struct{ packages map[string]*packaged }

// packaged is a package, and how its tags relate to those of package codec.
type packaged struct {
	implementation
	toCodec map[uint16]uint16
	toOwn   map[uint16]uint16
}

func newServed() *served {
	s := &served{map[string]*packaged{}}
	for _, i := range all {
		c := i.codec()
		p := &packaged{i, map[uint16]uint16{0: 0}, map[uint16]uint16{0: 0}}
		for n := range raw.Program(c).Types {
			if own := tag(n, &raw.Program(c).Types[n]); own != 0 {
				p.toCodec[own], p.toOwn[raw.Machine(c).Tag(n)] = raw.Machine(c).Tag(n), own
			}
		}
		s.packages[i.name] = p
	}
	return s
}

// About implements [protocol.Implementation].
func (s *served) About() protocol.About {
	a := protocol.About{Protocol: protocol.Version, Name: "generated Go", Language: "Go", Link: "https://github.com/octable/octable",
		Ops: []protocol.Op{protocol.Decode, protocol.Encode, protocol.Recode}, Objects: true}
	for _, i := range all {
		a.Specs = append(a.Specs, i.name)
	}
	return a
}

// foreign is a tag that no type of a package has.
const foreign = 0xffff

// retagged returns a value whose tags are looked up in a table.
func retagged(v interp.Value, tags map[uint16]uint16) interp.Value {
	tag, ok := tags[v.Tag()]
	if !ok {
		tag = foreign
	}
	cells := v.Cells()
	if v.Kind() != interp.List && v.Kind() != interp.Map && v.Kind() != interp.Record {
		return v.WithTag(tag)
	}
	out := make([]interp.Value, len(cells))
	for i, c := range cells {
		out[i] = retagged(c, tags)
	}
	return v.WithCells(out).WithTag(tag)
}

func (s *served) find(spec string) (*packaged, error) {
	if p := s.packages[spec]; p != nil {
		return p, nil
	}
	return nil, &protocol.Lack{What: "the schema " + spec + ", of which there is no package"}
}

// kinds are the words for kinds of errors, by what packages and the interpreter say.
var kinds = func() map[string]string {
	m := map[string]string{}
	for _, kind := range interp.ErrorKinds {
		m[kind.Err.Error()] = kind.Word
	}
	return m
}()

// refusal makes an error of a package one of the protocol.
func (p *packaged) refusal(err error) error {
	if err == nil {
		return nil
	}
	t := p.trouble(err)
	if t == nil {
		panic(err)
	}
	return &protocol.Refusal{Kind: kinds[t.Kind], Offset: t.Offset, Text: err.Error()}
}

// Decode implements [protocol.Implementation].
func (s *served) Decode(spec string, b []byte, objects bool) (json.RawMessage, int, error) {
	p, err := s.find(spec)
	if err != nil {
		return nil, 0, err
	}
	v, used, err := p.decode(b, options{gates: objects})
	if err != nil {
		return nil, 0, p.refusal(err)
	}
	value, err := godot.AppendJSON(nil, raw.Wrap(retagged(v, p.toCodec)))
	return value, used, err
}

// Encode implements [protocol.Implementation].
func (s *served) Encode(spec string, value json.RawMessage, objects bool) ([]byte, error) {
	p, err := s.find(spec)
	if err != nil {
		return nil, err
	}
	v, err := godot.ParseJSON(value)
	if err != nil {
		return nil, err
	}
	b, err := p.append(nil, retagged(raw.Value(v), p.toOwn), options{gates: objects})
	if errors.Is(err, errUnlike) {
		return nil, &protocol.Lack{What: "values of other types than those of the schema"}
	}
	return b, p.refusal(err)
}

// Recode implements [protocol.Implementation].
func (s *served) Recode(spec string, b []byte, objects bool) ([]byte, int, error) {
	p, err := s.find(spec)
	if err != nil {
		return nil, 0, err
	}
	v, used, err := p.decode(b, options{gates: objects})
	if err != nil {
		return nil, 0, p.refusal(err)
	}
	again, err := p.append(nil, v, options{gates: objects})
	return again, used, p.refusal(err)
}
