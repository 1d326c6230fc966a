// Package targets has the fuzz targets of the project in the form of libFuzzer. They are functions of bytes that panic if a
// property does not hold. They return 1 for an input of the kind that the target is about, which a fuzzer keeps, and else
// 0.
//
// go test -fuzz has the same functions as native targets, one for each, and seeds
// for them:
//
//	go test ./fuzz/targets -fuzz 'FuzzDecode$' -fuzzminimizetime 5x -fuzztime 5m
//
// [All] lists them with their seeds and dictionaries, from which the files are made
// that OSS-Fuzz and ClusterFuzzLite expect (folder fuzz/ossfuzz).
package targets

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/godot/container"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/examples"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/fuzz/schemas"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
)

// Target is one of the targets.
type Target struct {
	Name  string // of the function
	About string
	Fuzz  func([]byte) int
	Seeds func() [][]byte        // to begin with
	Words func() []corrupt.Token // a dictionary
}

// All are the targets.
var All = []Target{
	{"Decode", "the laws about packets; the first byte selects the schema", Decode, decodeSeeds, packetWords},
	{"Choices", "all laws on values that are drawn from choices; the first byte selects the schema", Choices, choiceSeeds, nil},
	{"Program", "the law about damaged programs; the first byte selects the program", Program, programSeeds, nil},
	{"ProgramFile", "files of programs", ProgramFile, programFiles, nil},
	{"Schema", "texts of schemas through parser, formatter and compiler", Schema, schemaTexts, schemaWords},
	{"Drawn", "schemas that are drawn from choices, in every way to run them", Drawn, drawnSeeds, nil},
	{"JSON", "the notation of values in JSON", JSON, jsonSeeds, valueWords},
	{"Text", "the notation of values as text", Text, textSeeds, valueWords},
	{"Container", "compressed and encrypted files", Container, containerSeeds, nil},
}

// maxSize is how many bytes an input may have: more only take longer.
const maxSize = 1 << 14

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Decode tries the laws about packets on bytes, whose first selects the schema.
func Decode(b []byte) int {
	if len(b) == 0 || len(b) > maxSize {
		return 0
	}
	s := fuzz.Schemas()[int(b[0])%len(fuzz.Schemas())]
	must(s.CheckPackets(b[1:]))
	if _, _, err := s.Codec.Decode(b[1:]); err != nil {
		return 0
	}
	return 1
}

// Choices tries all laws on what choices make. The first byte selects the schema.
func Choices(b []byte) int {
	if len(b) == 0 || len(b) > 1<<12 {
		return 0
	}
	must(fuzz.Schemas()[int(b[0])%len(fuzz.Schemas())].Check(b[1:]))
	return 1
}

// Program checks the law about programs. The first byte selects a program, the second a number of changes of five bytes
// each, and the rest is a packet.
func Program(b []byte) int {
	if len(b) < 2 || len(b) > 1<<10 {
		return 0
	}
	files := programs()
	n := min(int(b[1]%8)*5, len(b)-2)
	damaged, done, err := fuzz.DamageProgram(files[int(b[0])%len(files)], b[2:2+n])
	must(err)
	if err := fuzz.CheckProgram(damaged, [][]byte{b[2+n:]}); err != nil {
		panic(fmt.Errorf("%s: %w", strings.Join(done, "; "), err))
	}
	if _, err := bytecode.Load(damaged); err != nil {
		return 0
	}
	return 1
}

// ProgramFile takes bytes for the file of a program.
func ProgramFile(b []byte) int {
	must(fuzz.CheckProgram(b, [][]byte{nil, {0, 0, 0, 0}, bytes.Repeat([]byte{1, 0, 0, 0}, 8)}))
	if _, err := bytecode.Load(b); err != nil {
		return 0
	}
	return 1
}

// Schema takes bytes as the text of a schema. If it parses, its formatted text must parse to the same tree. If it compiles,
// the program must pass the verifier, and be saved and loaded. If it has errors, they must have places and texts.
func Schema(b []byte) int {
	if len(b) > maxSize {
		return 0
	}
	file, err := dsl.Parse("fuzz.oct", b)
	if err != nil {
		explained(err)
		return 0
	}
	once := dsl.Format(file)
	again, err := dsl.Parse("fuzz.oct", once)
	if err != nil {
		panic(fmt.Errorf("what was formatted does not parse: %w\n%s", err, once))
	}
	if twice := dsl.Format(again); !bytes.Equal(once, twice) {
		panic(fmt.Errorf("formatted again, it is another text:\n%s\nand\n%s", once, twice))
	}
	p, err := compile.Text("fuzz.oct", b, "")
	if err != nil {
		explained(err)
		return 0
	}
	must(fuzz.CheckProgram(p.Save(), [][]byte{nil, bytes.Repeat([]byte{1, 0, 0, 0}, 8)}))
	return 1
}

// Drawn draws a schema from choices, and packets for it. It checks that every way to run
// the schema agrees on them.
func Drawn(b []byte) int {
	if len(b) > 1<<12 {
		return 0
	}
	d := schemas.Draw(b)
	if d.Err != nil {
		explained(d.Err)
		return 0
	}
	if err := schemas.Agree(d, b, nil); err != nil {
		panic(fmt.Errorf("%w\n%s", err, d))
	}
	return 1
}

// drawnSeeds are choices of schemas of many sizes.
func drawnSeeds() [][]byte {
	r := rand.New(rand.NewPCG(5, 6))
	var out [][]byte
	for range 60 {
		out = append(out, schemas.RandomChoices(r))
	}
	return out
}

// explained asks that an error says where and what.
func explained(err error) {
	var all dsl.Diagnostics
	if !errors.As(err, &all) {
		if err.Error() == "" {
			panic("an error without words")
		}
		return
	}
	for _, d := range all {
		if d.Error() == "" {
			panic("a diagnostic without words")
		}
	}
}

// JSON takes bytes for a value in JSON. What is read is written, and read back as the
// same, in every style.
func JSON(b []byte) int {
	if len(b) > maxSize {
		return 0
	}
	v, err := godot.ParseJSON(b)
	if err != nil {
		return refused(err)
	}
	for _, style := range []godot.JSONStyle{{}, {Explicit: true}, {Bits: true}, {Explicit: true, Bits: true}} {
		j, err := godot.AppendJSONStyle(nil, v, style)
		must(err)
		w, err := godot.ParseJSON(j)
		if err != nil || !codec.Equal(v, w) {
			panic(fmt.Errorf("%s was written as %s, which is read as %v: %w", b, j, w, err))
		}
	}
	return 1
}

// Text takes bytes for a value as text, likewise.
func Text(b []byte) int {
	if len(b) > maxSize {
		return 0
	}
	v, err := godot.ParseText(string(b))
	if err != nil {
		return refused(err)
	}
	for _, style := range []godot.TextStyle{{}, {Indent: "  "}, godot.StyleOf(codec.MustLoad("godot-3"))} {
		t, err := godot.AppendText(nil, v, style)
		must(err)
		w, err := godot.ParseText(string(t))
		if err != nil || !codec.Equal(v, w) {
			panic(fmt.Errorf("%q was written as %q, which is read as %v: %w", b, t, w, err))
		}
	}
	return 1
}

// containerKey is the key of the encrypted containers.
var containerKey = container.Password("password")

// Container opens bytes as a compressed or encrypted file. It seals the content again, which has to open as the same bytes.
func Container(b []byte) int {
	if len(b) > maxSize {
		return 0
	}
	data, l, err := container.Open(b, containerKey)
	if err != nil {
		return refused(err)
	}
	if len(data) >= 1<<16 || l.Format != container.Encrypted && (l.Block <= 64 || l.Mode >= container.Brotli) {
		return 1 // which takes long, or is not written
	}
	sealed, err := l.Seal(data, containerKey)
	must(err)
	again, layer, err := container.Open(sealed, containerKey)
	if err != nil || !bytes.Equal(data, again) || layer != l {
		panic(fmt.Errorf("%s: %d bytes were sealed, and %d are in it, %s: %w", l, len(data), len(again), layer, err))
	}
	return 1
}

// containerSeeds are containers of each layer.
func containerSeeds() [][]byte {
	var all [][]byte
	for _, n := range []int{0, 1, 40, 1000} {
		for _, data := range [][]byte{bytes.Repeat([]byte("text"), n), pattern(n, n)} {
			layers := []container.Layer{{Format: container.Encrypted, Layout: 3}, {Format: container.Encrypted, Layout: 4}}
			for mode := container.FastLZ; mode < container.Brotli; mode++ {
				for _, f := range []container.Format{container.Compressed, container.Resource} {
					layers = append(layers, container.Layer{Format: f, Mode: mode}, container.Layer{Format: f, Mode: mode, Block: 100})
				}
			}
			for _, l := range layers {
				b, err := l.Seal(data, containerKey)
				must(err)
				all = append(all, b)
			}
		}
	}
	return all
}

func refused(err error) int {
	if err.Error() == "" {
		panic("an error without words")
	}
	return 0
}

// programs are the files of the embedded programs.
var programs = sync.OnceValue(func() [][]byte {
	var files [][]byte
	for _, id := range codec.Schemas() {
		files = append(files, raw.Program(codec.MustLoad(id)).Save())
	}
	return files
})

func programFiles() [][]byte { return programs() }

func programSeeds() [][]byte {
	var all [][]byte
	for i := range programs() {
		for n := range 3 {
			all = append(all, append([]byte{byte(i), byte(n)}, pattern(i+100*n, 40)...))
		}
	}
	return all
}

// decodeSeeds are packets of each schema that together reach much of it, and the
// examples that people wrote.
func decodeSeeds() [][]byte {
	var all [][]byte
	for i, s := range fuzz.Schemas() {
		packets, err := inputs.Corpus(raw.Machine(s.Codec), inputs.Options{Seed: 1, Objects: s.Objects, MaxBytes: 128}, 1000)
		must(err)
		if id, choice, _ := strings.Cut(strings.TrimSuffix(s.Name, " with objects"), "+"); !s.Objects {
			source, err := compile.Load(id)
			must(err)
			results, err := examples.Run(source, choice)
			must(err)
			for _, r := range results {
				packets = append(packets, r.Bytes)
			}
		}
		for _, b := range packets {
			all = append(all, append([]byte{byte(i)}, b...))
		}
	}
	return all
}

func choiceSeeds() [][]byte {
	var all [][]byte
	for i := range fuzz.Schemas() {
		for k := range 6 {
			all = append(all, append([]byte{byte(i)}, pattern(i, 12*k)...))
		}
	}
	return all
}

// pattern returns n bytes that look like any.
func pattern(seed, n int) interp.Choices {
	c := make(interp.Choices, n)
	x := uint32(seed)*2654435761 + 1
	for i := range c {
		x = x*1664525 + 1013904223
		c[i] = byte(x >> 24)
	}
	return c
}

func schemaTexts() [][]byte {
	var all [][]byte
	for _, id := range spec.IDs() {
		_, text, _ := spec.Source(id)
		all = append(all, text)
	}
	return append(all, []byte("schema \"a\" {\n    order little\n    root T\n}\n\ntype T {\n    | 0 | 4 | u32 | n = len(t) | \"\"\n    | 4 | N | utf8[n] | t | \"\" pad 4 any\n}\n"))
}

// values are of every type of a schema.
func values() []codec.Value {
	var all []codec.Value
	for _, id := range []string{"godot-4.4", "godot-3", "pandemonium-5", "godot-2"} {
		m := raw.Machine(codec.MustLoad(id))
		g, err := m.NewGenerator(interp.GenerateOptions{Open: 0xff, MaxBytes: 64, KeepWidths: true})
		must(err)
		for b := range 80 {
			v, _ := g.Generate(append(interp.Choices{byte(b)}, pattern(b, 12)...))
			all = append(all, raw.Wrap(v))
		}
	}
	return all
}

func jsonSeeds() [][]byte {
	var all [][]byte
	for _, v := range values() {
		j, err := godot.AppendJSON(nil, v)
		must(err)
		all = append(all, j)
	}
	return all
}

func textSeeds() [][]byte {
	var all [][]byte
	for _, v := range values() {
		t, err := godot.AppendText(nil, v, godot.TextStyle{})
		must(err)
		all = append(all, t)
	}
	return all
}

// packetWords are the words of all schemas.
func packetWords() []corrupt.Token {
	var all []corrupt.Token
	seen := map[string]bool{}
	for _, id := range codec.Schemas() {
		for _, t := range corrupt.New(raw.Machine(codec.MustLoad(id)), interp.Options{Open: 0xff}).Tokens() {
			if !seen[string(t.Bytes)] {
				seen[string(t.Bytes)] = true
				all = append(all, corrupt.Token{Name: id + ", " + t.Name, Bytes: t.Bytes})
			}
		}
	}
	return all
}

// literal matches text in quotes in the grammar.
var literal = regexp.MustCompile(`"((?:[^"\\]|\\.)+)"`)

func schemaWords() []corrupt.Token {
	var all []string
	for _, m := range literal.FindAllStringSubmatch(dsl.Grammar(), -1) {
		all = append(all, m[1])
	}
	for _, t := range builtin.Types() {
		all = append(all, t.Name)
	}
	for _, f := range builtin.Functions() {
		all = append(all, f+"(")
	}
	return words(append(all, "text", "real", "outside", "pad 4", "0xffffffff", "18446744073709551615"))
}

func valueWords() []corrupt.Token {
	all := []string{"null", "true", "false", "nan", "inf", "-inf", "inf_neg", `"$type"`, `"value"`, `"of"`, `"wide"`, `"$bytes"`, `"nan:7ff8000000000001"`, "-0.0", "1e308",
		"9223372036854775807", "-9223372036854775808", "9007199254740993", "&\"", "^\"", "@\"", ";@wide", `\ud800`, `\u0000`, "{", "}", "[", "]", "(", ")", ":", ","}
	for t := godot.Nil; ; t++ {
		name := t.String()
		if known, ok := godot.TypeNamed(name); !ok || known != t {
			break
		}
		all = append(all, name, name+"(")
	}
	return words(all)
}

// words are a dictionary of texts.
func words(all []string) []corrupt.Token {
	slices.Sort(all)
	var out []corrupt.Token
	for _, w := range slices.Compact(all) {
		out = append(out, corrupt.Token{Name: w, Bytes: []byte(w)})
	}
	return out
}
