// Meaning: the resolved tree against the text, and values that differ from drawn ones.

package schemas

import (
	"fmt"

	"github.com/octable/octable/conformance/damage"
	"github.com/octable/octable/dsl"
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

// least checks that the fewest bytes of every record and union are those of its routine in
// the program.
func (s *Subject) least() error {
	want := map[string]uint64{}
	for _, u := range s.Resolved.Unions {
		want[u.Name] = u.Least
	}
	for _, r := range s.Resolved.Records {
		want[r.Path] = r.Least
	}
	p := s.Program()
	for i, r := range p.Routines {
		if n, ok := want[r.Name]; ok && n != p.Bounds(uint32(i)).Min {
			return fmt.Errorf("a value of %s takes at least %d bytes in the schema and %d in the program", r.Name, n, p.Bounds(uint32(i)).Min)
		}
	}
	return nil
}

// variants compares the writer with the reference on values that differ from a drawn one
// in one part. Most of them have something that has no place there, which a writer
// refuses; the others are at boundaries.
func (s *Subject) variants(p Packet) error {
	if p.Kind != Encoded {
		return nil
	}
	r := seed(p.Choices)
	if s.engine == nil {
		s.engine = damage.New(s.Codec.Machine(), s.Options())
	}
	v := s.Value(p.Choices).Raw()
	var all []interp.Value
	if len(p.Choices)%4 == 1 {
		w, _ := s.engine.Mutate(r, v, nil)
		all = append(all, w)
	}
	for range 4 {
		all = append(all, s.engine.Spoil(r, v))
	}
	o := s.Options()
	for i, v := range all {
		o.KeepWidths = i == 0
		if err := s.reference.Value(v, o); err != nil {
			return err
		}
	}
	return nil
}
