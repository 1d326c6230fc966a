// Meaning: the resolved tree against the text, and values that differ from drawn ones.

package schemas

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/fuzz/bound"
	"github.com/octable/octable/interp"
)

// bound checks that the resolved schema says what its text says, under every choice.
func (d *Drawn) bound() error {
	var files []*dsl.File
	list := d.Files
	if n := len(list) - 1; n > 0 && list[n-1].ID == library {
		if base := Resolve(list[:n]); base.Err == nil {
			if err := base.bound(); err != nil {
				return err
			}
		}
		list = list[n:]
	}
	for _, f := range list {
		file, err := d.parse(f)
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
	p := raw.Program(s.Codec)
	for i, r := range p.Routines {
		if n, ok := want[r.Name]; ok && n != p.Bounds(uint32(i)).Min {
			return fmt.Errorf("a value of %s takes at least %d bytes in the schema and %d in the program", r.Name, n, p.Bounds(uint32(i)).Min)
		}
	}
	return nil
}

// savedProgram checks that a saved program is the same when it is loaded.
func (s *Subject) savedProgram() error {
	p := raw.Program(s.Codec)
	loaded, err := bytecode.Load(p.Save())
	if err == nil && !reflect.DeepEqual(p, loaded) {
		err = errors.New("the saved program is another one when it is loaded")
	}
	return err
}

// gates compares the machine with the reference while one of several gates is open, with
// plans and without.
func (s *Subject) gates(b []byte) error {
	all := raw.Program(s.Codec).Gates
	if len(all) < 2 {
		return nil
	}
	for _, r := range s.references() {
		for k := range all {
			if err := r.Packet(b, interp.Options{Open: 1 << k}); err != nil {
				return err
			}
		}
	}
	return nil
}

// references returns the reference for the machine with plans and for the one without.
func (s *Subject) references() []*fuzz.Reference {
	if s.both[0] == nil {
		s.both = [2]*fuzz.Reference{fuzz.NewReference(s.Resolved, raw.Machine(s.Codec)), fuzz.NewReference(s.Resolved, s.Unfused())}
	}
	return s.both[:]
}

// variants compares the writer with the reference on values that differ from a drawn one
// in one part. Most of them have an invalid part, which a writer refuses; the others are at
// boundaries.
func (s *Subject) variants(p Packet) error {
	if p.Kind != Encoded {
		return nil
	}
	r := fuzz.Random(p.Choices)
	v := raw.Value(s.Value(p.Choices))
	var all []interp.Value
	if len(p.Choices)%8 == 1 {
		w, _ := s.damage().Mutate(r, v, nil)
		all = append(all, w)
	}
	for range 4 {
		all = append(all, s.damage().Spoil(r, v))
	}
	all = append(all, otherKind(v))
	w := s.damage().Boundary(r, v)
	if all = append(all, w); r.IntN(4) == 0 {
		all = append(all, otherKind(w))
	}
	law := fuzz.LawNamed("reference, writing")
	for _, v := range all {
		if err := law.Value(s.Schema, raw.Wrap(v)); err != nil {
			return err
		}
	}
	return nil
}

// otherKind returns a value with the same integers, each of the other kind if that can hold
// it. The kinds are signed and unsigned.
func otherKind(v interp.Value) interp.Value {
	switch n := v.Uint(); {
	case v.Kind() == interp.Int && v.Int() >= 0:
		return interp.MakeUint(v.Tag(), uint64(v.Int())).WithWide(v.Wide())
	case v.Kind() == interp.Uint && n <= math.MaxInt64:
		return interp.MakeInt(v.Tag(), int64(n)).WithWide(v.Wide())
	}
	cells := slices.Clone(v.Cells())
	if len(cells) == 0 {
		return v
	}
	for i, c := range cells {
		cells[i] = otherKind(c)
	}
	return v.WithCells(cells)
}
