package codec_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/gotypes"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
)

// schemasOfTree returns the schemas of the project that describe bytes, by id or file.
func schemasOfTree(t *testing.T) []string {
	all := long.Part(3, spec.IDs())
	for _, dir := range []string{"../spec/formats", "../spec/next", "../fuzz/languages/testdata", "../compile/bytecode/testdata", "../compile/gen/model/testdata"} {
		files, err := filepath.Glob(dir + "/*.oct")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no schemas: %v", dir, err)
		}
		all = append(all, long.Part(3, files)...)
	}
	return all
}

// packetSource draws packets for one choice of the gates of a schema.
type packetSource struct {
	codec     *codec.Codec
	schema    *schema.Schema // for the choice
	examples  []drawnPacket
	drawn     [][]drawnPacket // of each draw: one, or none if a reader refuses it
	random    *rand.Rand
	generator *interp.Generator // nil if there is no value
}

// drawnPacket is a value as a reader returns it, with its bytes.
type drawnPacket struct {
	value codec.Value
	bytes []byte
}

// packetSources holds the sources of each schema: compiling and drawing take longer than most tests.
var packetSources = map[string][]*packetSource{}

// sourcesOf returns the sources of a schema; none for a file that is wrong on purpose, or a library.
func sourcesOf(t *testing.T, name string) []*packetSource {
	if made, ok := packetSources[name]; ok {
		return made
	}
	packetSources[name] = nil
	s, err := compile.Load(name)
	if err != nil || s.Root == nil {
		return nil
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
		c, err := raw.Codec(p)
		if err != nil {
			t.Fatal(err)
		}
		if c, err = c.With(codec.Options{Objects: true}); err != nil {
			t.Fatal(err)
		}
		source := &packetSource{codec: c, schema: s, random: rand.New(rand.NewPCG(1, 2))}
		for _, body := range s.Bodies() {
			for _, e := range body.Examples {
				source.examples = append(source.examples, source.read(e.Bytes)...)
			}
		}
		if g, err := raw.Machine(c).NewGenerator(interp.GenerateOptions{Open: 0xff, MaxBytes: 200}); err == nil {
			source.generator = g
		}
		packetSources[name] = append(packetSources[name], source)
	}
	return packetSources[name]
}

// read returns the packet that is written for the value in b; none if b is refused.
func (s *packetSource) read(b []byte) []drawnPacket {
	v, _, err := s.codec.Decode(b)
	if err != nil {
		return nil
	}
	if b, err = s.codec.Encode(v); err != nil {
		return nil
	}
	return []drawnPacket{{v, b}}
}

// draw makes the next draw.
func (s *packetSource) draw(t *testing.T, name string) {
	choices := make([]byte, 2*len(s.drawn))
	for k := range choices {
		choices[k] = byte(s.random.Uint32())
	}
	v, _ := s.generator.Generate(choices)
	b, err := s.codec.Encode(raw.Wrap(v))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s.drawn = append(s.drawn, s.read(b))
}

// goTypes makes Go types for the values of the source's schema, and a codec with other options that knows them.
func (s *packetSource) goTypes(t *testing.T, r *rand.Rand, o codec.Options) (*codec.Codec, *gotypes.Types) {
	types := gotypes.New(s.schema, raw.Program(s.codec), r)
	if types == nil {
		return nil, nil
	}
	o.Objects, o.Interfaces = true, types.Interfaces
	c, err := s.codec.With(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, types
}

// eachValue calls f with values of a schema, as a reader gives them, and with a codec. The gates of the
// codec are open. The values are drawn, and those of its examples.
func eachValue(t *testing.T, name string, draws int, f func(c *codec.Codec, v codec.Value, b []byte)) {
	eachOfSource(t, name, draws, func(s *packetSource, p drawnPacket) { f(s.codec, p.value, p.bytes) })
}

// eachOfSource calls f as [eachValue] does, with the source.
func eachOfSource(t *testing.T, name string, draws int, f func(s *packetSource, p drawnPacket)) {
	for _, s := range sourcesOf(t, name) {
		all := slices.Clip(s.examples)
		for i := 0; s.generator != nil && i < draws; i++ {
			if i == len(s.drawn) {
				s.draw(t, name)
			}
			all = append(all, s.drawn[i]...)
		}
		for _, p := range all {
			f(s, p)
		}
		codec.Forget(s.codec) // programs of thousands of drawn types, which no other test uses
	}
}

// Text and JSON of values of any schema are read back, and encode to the same bytes.
func TestNames(t *testing.T) {
	for _, name := range schemasOfTree(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			eachValue(t, name, long.Number(12, 150), func(c *codec.Codec, v codec.Value, b []byte) {
				for _, form := range []struct {
					name  string
					print func() ([]byte, error)
					parse func([]byte) (codec.Value, error)
				}{
					{"text", func() ([]byte, error) { return c.AppendText(nil, v, "") }, func(b []byte) (codec.Value, error) { return c.ParseText(string(b)) }},
					{"indented text", func() ([]byte, error) {
						return c.AppendText(nil, v, "\t")
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

// Values of any schema go into empty interfaces, and from there to the same bytes.
func TestNamesAny(t *testing.T) {
	values := 0
	for _, name := range schemasOfTree(t) {
		eachValue(t, name, long.Number(12, 60), func(c *codec.Codec, v codec.Value, b []byte) {
			if !codec.Named(c) || strings.Contains(v.String(), "nan") { // float64 makes a NaN quiet
				return
			}
			values++
			var x any
			if err := c.Unmarshal(b, &x); err != nil {
				t.Errorf("%s: %s: %v", name, v, err)
			} else if again, err := c.Marshal(x); err != nil || !bytes.Equal(again, b) {
				t.Errorf("%s: %s: %#v is %x, not %x, %v", name, v, x, again, b, err)
			}
		})
	}
	if values < long.Number(200, 1000) {
		t.Errorf("only %d values", values)
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

// compiled returns the codec of a schema.
func compiled(t testing.TB, name string) *codec.Codec {
	p, err := compile.Program(name, "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := raw.Codec(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// An element whose only field is the number of an arm is that number, and is written as it.
func TestNumberOfArm(t *testing.T) {
	c, err := compiler.New(`schema "ids" { root T }
union V by v { | 0 | 1 | u8 | v | }
arm V 5 none {}
type Item { | 0 | 4 | V.id | v | }
type T {
    | 0 | 1 | u8 | n = count(pairs) |
    map n as pairs {
        | N   | P | V    | key  |
        | N+P | 4 | Item | item | check 1 == 1
    }
}
`)
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.ParseText(`{none: none}`)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := c.Encode(v); err != nil || !bytes.Equal(b, []byte{1, 5, 5, 0, 0, 0}) {
		t.Errorf("%v is written as % x, %v", v, b, err)
	}
}

// TestTruthOfArm checks a truth that is the content of an arm. In a struct of all arms, a truth also says that one
// without content is there. In a map it is not left out.
func TestTruthOfArm(t *testing.T) {
	c, err := compiler.New(`schema "arms" { root V }
union V by v { | 0 | 1 | u8 | v | }
arm V 5 none {}
arm V 6 truth { | 1 | 1 | bool8 | b | }
`)
	if err != nil {
		t.Fatal(err)
	}
	type all struct {
		None  bool  `octable:"none"`
		Truth *bool `octable:"truth"`
	}
	yes := true
	for _, x := range []struct {
		value any
		bytes string
	}{
		{all{None: true}, "\x05"},
		{all{Truth: &yes}, "\x06\x01"},
		{map[string]bool{"truth": true}, "\x06\x01"},
		{map[string]bool{"none": true}, ""},
	} {
		b, err := codec.AppendValue(c, nil, x.value)
		if string(b) != x.bytes || (err != nil) != (x.bytes == "") {
			t.Errorf("%+v is written as %q, %v", x.value, b, err)
		}
	}
}

// Fields, elements and numbers are found by name and place, and print as parts of the value.
func TestNavigate(t *testing.T) {
	c := compiled(t, "testdata/batch.oct")
	const text = `{magic: "DATA", samples: [{time: 5, level: -10, value: 0.1, at: [1, 2], raw: [7, 8], kind: Say("hi"), pairs: {"a": 1}}, {time: 6, level: 0, value: 2, at: [3, 4], raw: [], note: "n", kind: Ping, pairs: {}}]}`
	v, err := c.ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	if v, _, err = c.Decode(b); err != nil {
		t.Fatal(err)
	}
	first, second := v.Field("samples").Index(0), v.Field("samples").Index(1)
	for _, test := range []struct {
		got  codec.Value
		want string
	}{
		{v, text},
		{v.Field("magic"), `"DATA"`},
		{first.Field("level"), "-10"},
		{first.Field("at"), "[1, 2]"},
		{first.Field("at").Index(1), "2"},
		{first.Field("raw").Index(1), "8"},
		{first.Field("kind"), `Say("hi")`},
		{second.Field("kind"), "Ping"},
		{first.Field("kind").Field("text"), `"hi"`},
		{second.Field("note"), `"n"`},
		{first.Field("note"), "null"},   // absent
		{first.Field("levels"), "null"}, // no such field
		{v.Field("samples").Index(2), "null"},
		{v.Field("samples").Index(-1), "null"},
		{v.Index(0), "null"},
	} {
		got, want := test.got, test.want
		if got.IsNil() && want == "null" {
			continue
		}
		if got.String() != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if i, ok := first.Field("level").AsInt(); i != -10 || !ok {
		t.Error(i, ok)
	}
	if i, ok := first.Field("time").AsInt(); i != 5 || !ok {
		t.Error(i, ok)
	}
	if s, ok := second.Field("note").AsString(); s != "n" || !ok {
		t.Error(s, ok)
	}
	if f, ok := second.Field("value").AsFloat(); f != 2 || !ok {
		t.Error(f, ok)
	}
	if b := first.Field("raw").Bytes(); !bytes.Equal(b, []byte{7, 8}) {
		t.Error(b)
	}
	if name := first.Field("kind").Name(); name != "Say" || v.Name() != "Batch" || c.TypeName(v.Type()) != "Batch" || c.TypeName(math.MaxUint16) != "" {
		t.Error(name, v.Name(), c.TypeName(v.Type()))
	}
	var names []string
	for name := range first.Fields() {
		names = append(names, name)
	}
	if got := fmt.Sprint(names); got != "[time level value at raw kind pairs]" {
		t.Error(got)
	}
	var all []string
	for i, e := range v.Field("samples").All() {
		all = append(all, fmt.Sprint(i, e.Field("time")))
	}
	for k, e := range first.Field("pairs").Pairs() {
		all = append(all, fmt.Sprint(k, e))
	}
	for _, e := range v.Field("samples").Elems() {
		all = append(all, e.Field("time").String())
	}
	if got := fmt.Sprint(all); got != `[0 5 1 6 "a"1 5 6]` && got != `[0 5 1 6 "a" 1 5 6]` {
		t.Error(got)
	}
	j, err := v.MarshalJSON()
	if err != nil || !bytes.Contains(j, []byte(`"at":[1,2],"raw":"Bwg=","kind":{"Say":"hi"},"pairs":[["a",1]]`)) {
		t.Errorf("%s %v", j, err)
	}
	array := godot.NewArray(godot.NewInt(1), godot.NewString("a"))
	var back codec.Value
	if j, err = array.MarshalJSON(); err != nil || back.UnmarshalJSON(j) != nil || !back.Equal(array) {
		t.Errorf("%s is read back as %v, %v", j, back, err)
	}
	if err := back.UnmarshalJSON(j[1:]); err == nil || !back.Equal(array) {
		t.Errorf("malformed JSON: %v, %v", back, err)
	}
	if got := fmt.Sprint(array.Index(1), array.Index(2).IsNil(), godot.Vector2{X: 1, Y: 2}.Value().Index(1)); got != `"a" true 2.0` {
		t.Error(got)
	}
}

// JSON that is malformed, or not of the schema, has an error at its place.
func TestNamesErrors(t *testing.T) {
	c, err := compiler.New(`schema "test" { root T }
type T {
    | 0 | 4 | f32 | real | "a number"
    | 4 | A | U   | one  | "an arm"
    | B | 1 | u8  | n = count(all) | "pairs"
    map n as all {
        | C   | 1 | u8 | key   | "a key"
        | C+1 | 1 | u8 | value | "a value"
    }
}
union U by kind { | 0 | 1 | u8 | kind | "kind" }
arm U 0 None {}
`)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{"real": 1.5, "one": "None", "all": [[1, 2]]}`: "<nil>",
		`{"real": 1.5`: "codec: 1:13: ",
		`{"real": true, "one": "None", "all": []}`: "codec: 1:10: ",
		`{"real": 1.5, "one": 5, "all": []}`:       "codec: 1:22: ",
		`{"real": 1.5, "one": "None", "all": 5}`:   "codec: 1:37: ",
		`{"real": 1.5, "one": "None", "all": [5]}`: "codec: 1:37: ",
	} {
		if _, err := c.ParseJSON([]byte(text)); !strings.HasPrefix(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
