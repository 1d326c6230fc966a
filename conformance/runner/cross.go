// Packets that versions of the format read differently, as cases of one version.

package runner

import (
	"encoding/hex"
	"slices"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// Cross returns the cases that the packets of a file are for one schema, all of level
// should. Their ids begin with "cross/". What a writer gives for a value, and so whether a packet is
// valid or acceptable, is what the codec gives, which has to be that of the schema.
func Cross(f *vectors.CrossFile, c *codec.Codec, spec string) (*vectors.Suite, error) {
	p := raw.Program(c)
	s := &vectors.Suite{Format: vectors.Format, Schema: p.Schema, Title: p.Schema, Flags: f.Flags}
	if spec != p.Schema {
		s.Choice = p.Choice
	}
	for i := range f.Cases {
		cross := &f.Cases[i]
		for k := range cross.Readings {
			r := &cross.Readings[k]
			if r.Spec != spec {
				continue
			}
			one := vectors.Case{ID: "cross/" + cross.ID, About: cross.About, Bytes: cross.Bytes, Flags: cross.Flags, Used: r.Used, Value: r.Value, Error: r.Error,
				Result: vectors.Invalid, Level: vectors.Should, Type: p.Routines[p.Root].Name, Row: p.Routines[p.Root].Name}
			if r.Error == nil {
				if err := valued(&one, c); err != nil {
					return nil, err
				}
			}
			s.Cases = append(s.Cases, one)
		}
	}
	return s, nil
}

// valued completes a case whose bytes represent a value.
func valued(one *vectors.Case, c *codec.Codec) error {
	v, err := godot.ParseJSON(one.Value)
	if err != nil {
		return err
	}
	one.Type, one.Row = c.TypeName(v.Type()), c.TypeName(v.Type())
	used := map[string]bool{}
	uses(c, raw.Value(v), used)
	for name := range used {
		one.Uses = append(one.Uses, name)
	}
	slices.Sort(one.Uses)
	written, err := c.Encode(v)
	if err != nil {
		return err
	}
	one.Result = vectors.Valid
	if text := hex.EncodeToString(written); text != one.Bytes {
		one.Result, one.Canonical = vectors.Acceptable, text
	}
	return nil
}

// uses collects the types in a value.
func uses(c *codec.Codec, v interp.Value, into map[string]bool) {
	if name := c.TypeName(codec.Type(v.Tag())); name != "" {
		into[name] = true
	}
	for _, part := range v.Cells() {
		uses(c, part, into)
	}
}
