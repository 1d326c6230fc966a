package fuzz

import (
	"encoding/hex"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/dsl/schema/schematest"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
)

var (
	referenceValues = flag.Int("reference.values", 0, "drawn values per schema that are compared with the reference; 0 is 3, or 40 with OCTABLE_LONG=1")
	referenceSeed   = flag.Uint64("reference.seed", 1, "seed of the drawn values")
)

// folders hold schemas, and files hold texts of schemas in tests.
var (
	manual  = "../dsl/LANGUAGE.md"
	folders = []string{"testdata/corners", "../spec/formats", "../spec/next", "../compile/gen/model/testdata", "../compile/gen/model/modeltest/testdata", "../compile/bytecode/testdata", "../dsl/schema/testdata/errors", "languages/testdata"}
	files   = []string{"../compile/*_test.go", "../interp/*_test.go", "../compile/gen/*_test.go", "../compile/gen/*/*_test.go", "../dsl/schema/*_test.go", "../codec/*_test.go", "../compile/bytecode/*_test.go", "../conformance/*/*_test.go"}
)

// compiled is a schema under one choice with its program.
type compiled struct {
	name string
	s    *schema.Schema
	m    *interp.Machine
}

// all calls f for every schema of a text that compiles, under each choice, and reports
// whether there is one.
func all(name, text string, f func(compiled)) bool {
	file, err := dsl.Parse(name, []byte(text))
	if err != nil {
		return false
	}
	s, err := schema.Resolve(file, func(id string) (*dsl.File, error) {
		if text, err := os.ReadFile(filepath.Join(filepath.Dir(name), filepath.Base(id)+".oct")); err == nil {
			return dsl.Parse(id, text)
		}
		path, text, ok := spec.Source(id)
		if !ok {
			return nil, os.ErrNotExist
		}
		return dsl.Parse(path, text)
	})
	if err != nil || s.Root == nil {
		return false
	}
	for _, choice := range s.Choices() {
		s, err := s.With(choice)
		if err != nil {
			return false
		}
		p, err := compile.Schema(s)
		if err != nil {
			return false
		}
		m, err := interp.New(p, nil)
		if err != nil {
			return false
		}
		f(compiled{name + "+" + choice, s, m})
	}
	return true
}

// eachSchema calls f for every schema that tests have: one of twelve without OCTABLE_LONG=1, and all corners.
func eachSchema(t *testing.T, f func(compiled)) {
	t.Helper()
	for _, id := range long.Part(20, spec.IDs()) {
		name, text, _ := spec.Source(id)
		if s, err := compile.Load(id); err == nil && s.Root != nil && !all(name, string(text), f) {
			t.Errorf("%s does not compile", id)
		}
	}
	n := 0
	for _, folder := range folders {
		paths, err := filepath.Glob(filepath.Join(folder, "*.oct"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d schemas, %v", folder, len(paths), err)
		}
		if folder != "testdata/corners" {
			paths = long.Part(20, paths)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if all(path, string(text), f) {
				n++
			} else if folder == "testdata/corners" {
				_, err := compile.Program(path, "")
				t.Errorf("%s does not compile: %v", path, err)
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d schemas in folders", n)
	}
	n = 0
	for _, pattern := range files {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			for _, text := range long.Part(12, literals(t, path)) {
				name := filepath.Base(path) + ":" + strconv.Itoa(n)
				if all(name, text, f) || all(name, "schema \"x\" {\n root T\n}\n"+text, f) || all(name, "schema \"x\" {\n root T\n}\ntype T {\n"+text+"\n}\n", f) {
					n++
				}
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d schemas in tests", n)
	}
	n = 0
	blocks := schematest.Blocks(t, manual)
	for _, name := range long.Part(12, slices.Sorted(maps.Keys(blocks))) {
		if all(name, blocks[name], f) {
			n++
		}
	}
	if n < 10 {
		t.Errorf("only %d schemas in the manual", n)
	}
}

// literals returns the string literals of a Go file that can be a schema.
func literals(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(text, "|") {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

// TestReference compares the interpreter with the reference for every schema. It
// does so on its examples, on drawn values, and on packets that are damaged.
func TestReference(t *testing.T) {
	differ := map[string]int{}
	eachSchema(t, func(c compiled) {
		t.Run(filepath.Base(c.name), func(t *testing.T) {
			if n := compareSchema(t, c); n > 0 {
				differ[c.name] = n
			}
		})
	})
	var names []string
	for name := range differ {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t.Logf("%d differences: %s", differ[name], name)
	}
}

func compareSchema(t *testing.T, c compiled) (failures int) {
	r := NewReference(c.s, c.m)
	check := func(err error) {
		if err != nil {
			failures++
			if failures <= 3 {
				t.Errorf("%.1500s", err)
			}
		}
	}
	var packets [][]byte
	for _, b := range c.s.Bodies() {
		for _, e := range b.Examples {
			packets = append(packets, e.Bytes)
		}
	}
	n := *referenceValues
	if n == 0 {
		n = long.Number(3, 40)
	}
	random := rand.New(rand.NewPCG(*referenceSeed, 1))
	for _, open := range []uint8{0, 0xff} {
		if open != 0 && len(c.s.Gates) == 0 {
			break
		}
		o := interp.Options{Open: open}
		for _, b := range packets {
			check(r.Packet(b, o))
		}
		engine := corrupt.New(c.m, o)
		for _, odd := range []bool{false, true} {
			g, err := c.m.NewGenerator(interp.GenerateOptions{Open: open, KeepWidths: odd, Repeats: odd})
			for range n { // bytes at random
				b := make([]byte, random.IntN(24))
				for k := range b {
					b[k] = byte(random.Uint32() >> random.IntN(32) & 0xff >> random.IntN(8))
				}
				check(r.Packet(b, o))
			}
			if err != nil { // no value is written, or none is found
				t.Log(err)
				continue
			}
			for i := range n {
				choices := make(interp.Choices, i%80)
				for k := range choices {
					choices[k] = byte(random.Uint32())
				}
				v, _ := g.Generate(choices)
				for _, keep := range []bool{false, true} {
					o.KeepWidths = keep
					check(r.Value(v, o))
					check(r.Value(engine.Spoil(random, v), o))
				}
				o.KeepWidths = false
				b, err := c.m.Encode(v, o)
				if err != nil {
					continue
				}
				check(r.Packet(b, o))
				check(r.Packet(b, interp.Options{Open: open, MaxDepth: 1 + i%3, MaxMemory: 24 * (1 + i%9)}))
				left := 20
				step := 0
				for change := range engine.Packets(b) {
					if step++; step%(1+len(b)/8) != i%(1+len(b)/8) {
						continue
					}
					check(r.Packet(change.Packet, o))
					if left--; left == 0 {
						break
					}
				}
				for range 4 {
					bad := append([]byte(nil), b...)
					if len(bad) > 0 {
						bad[random.IntN(len(bad))] ^= byte(1 << random.IntN(8))
						bad = bad[:random.IntN(len(bad)+1)]
					}
					check(r.Packet(bad, o))
				}
			}
		}
	}
	return failures
}

// TestReferenceLong compares the interpreter with the reference on a list of many small
// elements. It is about limits on the work of the interpreter.
func TestReferenceLong(t *testing.T) {
	long.Only(t)
	text, err := os.ReadFile("testdata/corners/many-conditions.oct")
	if err != nil {
		t.Fatal(err)
	}
	all("many-conditions", string(text), func(c compiled) {
		for _, last := range []byte{0, 255} { // accepted, and refused
			packet := append(append([]byte{0x10, 0x27}, make([]byte, 9999)...), last)
			if err := Agree(c.s, c.m, packet); err != nil {
				text := err.Error()
				t.Errorf("%.80s … %s", text, text[max(0, len(text)-300):])
			}
		}
	})
}

// TestReferenceVectors compares the interpreter with the reference on the conformance
// vectors.
func TestReferenceVectors(t *testing.T) {
	for _, id := range suites.Specs() {
		suite, err := suites.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		p, err := compile.Load(strings.Split(id, "+")[0])
		if err != nil {
			t.Fatal(err)
		}
		_, choice, _ := strings.Cut(id, "+")
		s, err := p.With(choice)
		if err != nil {
			t.Fatal(err)
		}
		program, err := compile.Schema(s)
		if err != nil {
			t.Fatal(err)
		}
		m, err := interp.New(program, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, failures := NewReference(s, m), 0
		for _, c := range long.Part(40, suite.Cases) {
			b, err := hex.DecodeString(c.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			for _, open := range []uint8{0, 0xff} {
				if err := r.Packet(b, interp.Options{Open: open}); err != nil {
					if failures++; failures <= 3 {
						t.Errorf("%s, %s: %.1000s", id, c.ID, err)
					}
				}
			}
		}
		t.Logf("%s: %d cases", id, len(suite.Cases))
	}
}
