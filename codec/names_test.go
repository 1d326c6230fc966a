package codec_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
)

// schemasOfTree returns the schemas of the project that describe bytes, by id or file.
func schemasOfTree(t *testing.T) []string {
	all := spec.IDs()
	for _, dir := range []string{"../spec/examples", "../spec/examples/next", "../conformance/examples/testdata", "../fuzz/languages/testdata", "../compile/bytecode/testdata", "../compile/gen/model/testdata"} {
		files, err := filepath.Glob(dir + "/*.oct")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no schemas: %v", dir, err)
		}
		all = append(all, files...)
	}
	return all
}

// eachValue calls f with drawn values of a schema and with those of its examples, as a reader
// gives them, and with a codec whose gates are open.
func eachValue(t *testing.T, name string, draws int, f func(c *codec.Codec, v codec.Value, b []byte)) {
	s, err := compile.Load(name)
	if err != nil || s.Root == nil {
		return // a file that is wrong on purpose, or a library
	}
	for _, choice := range s.Choices() {
		s, err := s.With(choice)
		if err != nil {
			t.Fatal(err)
		}
		p, err := compile.Schema(s)
		if err != nil {
			t.Fatal(err)
		}
		c, err := codec.New(p)
		if err != nil {
			t.Fatal(err)
		}
		if c, err = c.With(codec.Options{Objects: true}); err != nil {
			t.Fatal(err)
		}
		check := func(b []byte) {
			v, _, err := c.Decode(b)
			if err != nil {
				return
			}
			if b, err = c.Encode(v); err == nil {
				f(c, v, b)
			}
		}
		for _, body := range s.Bodies() {
			for _, e := range body.Examples {
				check(e.Bytes)
			}
		}
		g, err := c.Machine().NewGenerator(interp.GenerateOptions{Open: 0xff, MaxBytes: 200})
		if err != nil {
			continue // no value
		}
		random := rand.New(rand.NewPCG(1, 2))
		for i := range draws {
			choices := make([]byte, 2*i)
			for k := range choices {
				choices[k] = byte(random.Uint32())
			}
			v, _ := g.Generate(choices)
			b, err := c.Encode(codec.FromRaw(v))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			check(b)
		}
	}
}

// Text and JSON of values of any schema are read back, and encode to the same bytes.
func TestNames(t *testing.T) {
	for _, name := range schemasOfTree(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			eachValue(t, name, 150, func(c *codec.Codec, v codec.Value, b []byte) {
				for _, form := range []struct {
					name  string
					print func() ([]byte, error)
					parse func([]byte) (codec.Value, error)
				}{
					{"text", func() ([]byte, error) { return c.AppendText(nil, v, c.TextStyle()) }, func(b []byte) (codec.Value, error) { return c.ParseText(string(b)) }},
					{"indented text", func() ([]byte, error) {
						style := c.TextStyle()
						style.Indent = "\t"
						return c.AppendText(nil, v, style)
					}, func(b []byte) (codec.Value, error) { return c.ParseText(string(b)) }},
					{"JSON", func() ([]byte, error) { return c.AppendJSON(nil, v) }, c.ParseJSON},
				} {
					if err := roundTrip(c, b, form.print, form.parse); err != nil {
						t.Errorf("%s of %x: %v", form.name, b, err)
					}
				}
			})
		})
	}
}

func roundTrip(c *codec.Codec, b []byte, print func() ([]byte, error), parse func([]byte) (codec.Value, error)) error {
	text, err := print()
	if err != nil {
		return err
	}
	back, err := parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	if out, err := c.Encode(back); err != nil || !bytes.Equal(out, b) {
		return fmt.Errorf("%s is encoded as %x with the error %v", text, out, err)
	}
	return nil
}
