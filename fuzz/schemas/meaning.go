// Meaning: the resolved tree against the text, and the interpreter against the reference.

package schemas

import (
	"fmt"

	"github.com/octable/octable/conformance/damage"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/fuzz/bound"
	"github.com/octable/octable/interp"
)

// bound checks that the resolved schema says what its text says, under every choice.
func (d *Drawn) bound() error {
	var files []*dsl.File
	for _, f := range d.Files {
		file, err := parse(f)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	for _, choice := range d.Schema.Choices() {
		s, err := d.Schema.With(choice)
		if err == nil {
			err = bound.Check(files, s)
		}
		if err != nil {
			return fmt.Errorf("choice %q: %w", choice, err)
		}
	}
	return nil
}

// meaning compares the machine with the reference: on a packet, on the value that it was
// encoded from, and on values that differ from it in one part, some of which no writer
// takes. Depth and widths are drawn.
func (s *Subject) meaning(p Packet) error {
	r := seed(append(interp.Choices(p.Bytes), p.Choices...))
	ref := fuzz.NewReference(s.Resolved, s.Codec.Machine())
	o := s.Options()
	if err := ref.Packet(p.Bytes, o); err != nil {
		return err
	}
	o.MaxDepth = 1 + r.IntN(4)
	if err := ref.Packet(p.Bytes, o); err != nil {
		return err
	}
	if p.Kind != Encoded {
		return nil
	}
	engine := damage.New(s.Codec.Machine(), s.Options())
	v := s.Value(p.Choices).Raw()
	all := []interp.Value{v, s.Odd(p.Choices).Raw()}
	for range 4 {
		w, _ := engine.Mutate(r, v, nil)
		all = append(all, w, engine.Spoil(r, v))
	}
	for i, v := range all {
		o := s.Options()
		o.KeepWidths = i%2 == 1 && r.IntN(3) == 0
		if err := ref.Value(v, o); err != nil {
			return err
		}
	}
	return nil
}
