package fuzz

import (
	"bytes"
	"encoding/hex"
	"flag"
	"strings"
	"sync"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/examples"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

var samples = flag.Int("samples", long.Number(4, 25), "how many samples of each schema to try each law on")

// TestLaws tries every law on values of every schema.
func TestLaws(t *testing.T) {
	for _, s := range Schemas() {
		t.Run(s.Name, func(t *testing.T) {
			p := gopter.DefaultTestParametersWithSeed(1)
			p.MinSuccessfulTests = *samples
			p.MaxSize = 150
			properties := gopter.NewProperties(p)
			for i := range Laws {
				l := &Laws[i]
				properties.Property(l.Name, prop.ForAll(func(x Sample) (bool, error) {
					err := s.CheckLaw(l, x.Choices)
					return err == nil, err
				}, s.Samples()))
			}
			var out bytes.Buffer
			if !properties.Run(gopter.NewFormatedReporter(false, 200, &out)) {
				t.Error(out.String())
			}
		})
	}
}

// TestExamples tries the laws about packets on the examples of the schemas, which
// people wrote.
func TestExamples(t *testing.T) {
	for i, s := range long.Part(6, Schemas()) {
		for _, b := range packets(t, s) {
			if err := s.CheckPackets(b); err != nil {
				t.Errorf("%d: %v", i, err)
			}
		}
	}
}

var written sync.Map // of [][]byte, by id of the schema

// packets returns the bytes of the examples of a schema.
func packets(t testing.TB, s *Schema) [][]byte {
	id, choice, _ := strings.Cut(strings.TrimSuffix(s.Name, " with objects"), "+")
	if known, ok := written.Load(id + choice); ok {
		return known.([][]byte)
	}
	source, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	results, err := examples.Run(source, choice)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for _, r := range results {
		out = append(out, r.Bytes)
	}
	written.Store(id+choice, out)
	return out
}

// found are packets for which a law once did not hold, by the name of the schema.
var found = []struct{ schema, packet, why string }{
	{"pandemonium-3.5 with objects", "14000000 05000000 00303030 30000000 00000000", "a class that begins with a zero byte, and has a length"},
	{"godot-4.4", "04000000 07000000 efbbbfef bbbf6100", "two byte order marks, of which a reader drops one"},
	{"pandemonium-5", "1b000000 17000000 18000000 04000000 4e6f6465 00000000", "a class where only an id is written"},
	{"pandemonium-5 with objects", "1b000000 17000000 18000000 04000000 4e6f6465 00000000", "a type Object that text and JSON made a null object of"},
	{"pandemonium-5 with objects", "1b000100 17000000 00000000", "an id where a class is written"},
	{"pandemonium-5", "1c000000 16000000 00000000", "a packed array of RIDs, whose type is no RID"},
	{"godot-3.0 with objects", "13000000 02000000 14000000 05000000 ae9fd8f1 44000000 00000000", "bytes without their padding, before another element"},
	{"godot-4.4", "1c000000 01000000 1b000500 00000000 00000000 00000000", "the most cells for few bytes"},
	{"godot-3", "03000000 0000a07f", "a NaN whose form no text has"},
	{"msgpack", strings.Repeat("91", 131) + "00", "a cell for each byte"},
	{"msgpack", "820000ca 00000000 ca7fa000 00", "a NaN of the narrower of two forms"},
	{"wasm", "0061736d 01000000" + strings.Repeat("000100", 13), "sections of three bytes"},
	{"dns", strings.Repeat("00", 7) + "02" + strings.Repeat("00", 26), "records of names that share their bytes"},
	{"dns", "00000000 0000000f 00000000 00000000 00000000 00000900 00000000 00000000 00004000 00000000 00000090 00000000 00002000 00000400 00000000 00000900 00000000 " +
		"00020000 00004000 00000000 00009000 00000000 00020000 00004000 00000000 00009000 00000000 00020000 00004000 00000000 00009000 00000000 00020000 00004000 00000000 00009000 " +
		"00000000 00020000 00004000 00000000 00009000 00000000 00020000 00", "many cells for few bytes"},
	{"cbor", "db000000 00000000 00db0000 00000000 00009826 005f4044 00000000 ff" + strings.Repeat("00", 34), "a tag, a list and a chunk in few bytes"},
	{"tar", "", "no bytes at all, for which the list of entries takes a cell"},
	{"opentype", "74727565 00040000 00000000 00000000 00000000 00000000 00000000 00000000 65bbf568 0000004c 00000004 00000000 5b770000 0000006c 00000005 00000000 " +
		"5b770000 0000006c 00000005 65bbf568" + strings.Repeat("00", 28) + "5b770000 00000000", "two tables that share their place"},
}

// TestFound tries the laws about packets on what was once found.
func TestFound(t *testing.T) {
	for _, f := range found {
		b, err := hex.DecodeString(strings.ReplaceAll(f.packet, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if err := prepared(t, f.schema).CheckPackets(b); err != nil {
			t.Errorf("%s: %v", f.why, err)
		}
	}
}

// prepared returns one of the embedded schemas, or the schema of a format with its gates closed.
func prepared(t *testing.T, name string) *Schema {
	t.Helper()
	for _, s := range Schemas() {
		if s.Name == name {
			return s
		}
	}
	s, p := resolved(t, "../spec/formats/"+name+".oct", "")
	c, err := raw.Codec(p)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := NewPair(name, s, c)
	if err != nil {
		t.Fatal(err)
	}
	return pair.Closed
}

// pattern returns n choices that look like any.
func pattern(seed, n int) interp.Choices {
	c := make(interp.Choices, n)
	x := uint32(seed)*2654435761 + 1
	for i := range c {
		x = x*1664525 + 1013904223
		c[i] = byte(x >> 24)
	}
	return c
}

// TestShrink: a property that does not hold is shown with a simple value.
func TestShrink(t *testing.T) {
	var s *Schema
	for _, s = range Schemas() {
		if s.Name == "godot-4.4" {
			break
		}
	}
	for _, test := range []struct {
		name string
		bad  func(v codec.Value) bool
		want int // bytes of the packet, at most
	}{
		{"an int of 64 bits", func(v codec.Value) bool { return v.Type() == godot.Int && raw.Value(v).Int() > 1<<31 }, 12},
		{"a text of some length", func(v codec.Value) bool { return v.Type() == godot.String && v.Len() > 2 }, 12},
		{"an array with a bool", func(v codec.Value) bool {
			for _, e := range v.Elems() {
				if e.Type() == godot.Bool {
					return true
				}
			}
			return false
		}, 16},
	} {
		c := interp.Choices(nil)
		for i := 0; !test.bad(s.Value(c)); i++ {
			c = pattern(i, 100)
		}
		for again := true; again; {
			again = false
			for x := range Simpler(c) {
				if test.bad(s.Value(x)) {
					c, again = x, true
					break
				}
			}
		}
		b, err := s.Codec.Encode(s.Value(c))
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > test.want {
			t.Errorf("%s: shrunk to choices %x, packet %x, %s", test.name, c, b, s.Value(c))
		}
	}
}

// BenchmarkLaws counts how often a second all laws are tried on one value.
func BenchmarkLaws(b *testing.B) {
	for _, s := range Schemas() {
		if s.Name != "godot-4.4" {
			continue
		}
		b.Run("generate", func(b *testing.B) {
			for i := range b.N {
				s.Value(pattern(i, 60))
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "values/s")
		})
		b.Run("check", func(b *testing.B) {
			for i := range b.N {
				if err := s.Check(pattern(i, 60)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "checks/s")
		})
	}
}

// programFiles returns the files of all embedded programs.
func programFiles() [][]byte {
	var files [][]byte
	for _, id := range codec.Schemas() {
		files = append(files, raw.Program(codec.MustLoad(id)).Save())
	}
	return files
}

// damagedProgram tries the law about programs on one that is changed as choices say.
func damagedProgram(t testing.TB, file []byte, c interp.Choices, packets [][]byte) []byte {
	damaged, done, err := DamageProgram(file, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckProgram(damaged, packets); err != nil {
		t.Fatalf("choices %x: %s: %v", []byte(c), strings.Join(done, "; "), err)
	}
	return damaged
}

// TestPrograms: changed programs are refused or harmless.
func TestPrograms(t *testing.T) {
	files := programFiles()
	passed := 0
	for i, file := range files {
		in := [][]byte{pattern(i, 60), nil}
		c := codec.MustLoad(codec.Schemas()[i])
		g, err := raw.Machine(c).NewGenerator(interp.GenerateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for k := range 8 {
			v, _ := g.Generate(pattern(k, 10*k))
			b, err := c.Encode(raw.Wrap(v))
			if err != nil {
				t.Fatal(err)
			}
			in = append(in, b, b[:len(b)/2])
		}
		for k := range *samples / 2 {
			c := pattern(i*1000+k, 5+5*(k%3))
			if _, err := bytecode.Load(damagedProgram(t, file, c, in)); err == nil {
				passed++
			}
		}
	}
	if all := *samples / 2 * len(files); passed < all/20 || passed == all {
		t.Errorf("%d of %d changed programs pass the verifier", passed, all)
	}
}
