// This project's codec as an implementation, also with programs that are not its own.

package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/interp"
)

// Octable returns this project's own codec as an implementation of every schema it
// has.
func Octable() Implementation {
	return ForCodec(About{
		Name:     "octable",
		Language: "Go",
		Link:     "https://github.com/octable/octable",
		Specs:    codec.Schemas(),
	}, codec.Load)
}

// ForCodec returns an implementation that reads and writes with codecs of package
// codec. load gets the codec for the name of a schema. What about says is completed
// with what follows from that.
func ForCodec(about About, load func(spec string) (*codec.Codec, error)) Implementation {
	about.Protocol, about.Objects = Version, true
	if about.Ops == nil {
		about.Ops = []Op{Decode, Encode, Recode}
	}
	return &forCodec{about: about, load: load}
}

type forCodec struct {
	about About
	load  func(string) (*codec.Codec, error)
	known sync.Map // of codecKey to *codec.Codec
}

type codecKey struct {
	spec    string
	objects bool
}

func (f *forCodec) About() About {
	about := f.about
	about.Ops, about.Specs = slices.Clone(about.Ops), slices.Clone(about.Specs)
	return about
}

func (f *forCodec) codec(spec string, objects bool) (*codec.Codec, error) {
	key := codecKey{spec, objects}
	if c, ok := f.known.Load(key); ok {
		return c.(*codec.Codec), nil
	}
	c, err := f.load(spec)
	if err != nil {
		return nil, &Lack{fmt.Sprintf("the schema %q: %v", spec, err)}
	}
	opt := c.Options()
	opt.Objects = objects
	if c, err = c.With(opt); err != nil {
		return nil, err
	}
	f.known.Store(key, c)
	return c, nil
}

// refusal makes the error of a codec one that says where it is.
func refusal(err error) error {
	var e *interp.Error
	if errors.As(err, &e) {
		return &Refusal{Kind: e.Word(), Offset: e.Offset, Text: e.Error()}
	}
	return err
}

func (f *forCodec) Decode(spec string, b []byte, objects bool) (json.RawMessage, int, error) {
	c, err := f.codec(spec, objects)
	if err != nil {
		return nil, 0, err
	}
	v, used, err := c.Decode(b)
	if err != nil {
		return nil, 0, refusal(err)
	}
	value, err := godot.AppendJSON(nil, v)
	return value, used, err
}

func (f *forCodec) Encode(spec string, value json.RawMessage, objects bool) ([]byte, error) {
	c, err := f.codec(spec, objects)
	if err != nil {
		return nil, err
	}
	v, err := godot.ParseJSON(value)
	if err != nil {
		return nil, err
	}
	b, err := c.Encode(v)
	return b, refusal(err)
}

func (f *forCodec) Recode(spec string, b []byte, objects bool) ([]byte, int, error) {
	c, err := f.codec(spec, objects)
	if err != nil {
		return nil, 0, err
	}
	v, used, err := c.Decode(b)
	if err != nil {
		return nil, 0, refusal(err)
	}
	again, err := c.Encode(v)
	return again, used, refusal(err)
}
