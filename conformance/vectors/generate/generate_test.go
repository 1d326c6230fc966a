package generate

import (
	"bytes"
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/cover"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl/long"
)

var everything = flag.Bool("all", false, "make the vectors of all schemas again, and not of the smallest only")

// TestRegenerate compares an embedded file with a newly generated one. If they differ:
// go generate ./conformance/vectors. That and git diff compare all of them in .ci/run.
func TestRegenerate(t *testing.T) {
	names := codec.Schemas()
	if !*everything {
		long.Only(t)
		names = []string{"ntp"}
	}
	files, err := suites.Files()
	if err != nil {
		t.Fatal(err)
	}
	suites := map[string]*vectors.Suite{}
	for _, name := range names {
		s, _, err := ForSpec(name)
		if err != nil {
			t.Fatal(err)
		}
		suites[name] = s
		if !bytes.Equal(s.Marshal(), files[s.FileName()]) {
			t.Errorf("%s is stale", s.FileName())
		}
	}
	if !*everything {
		return
	}
	cross, err := CrossFile(suites)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(cross.Marshal(), files[vectors.CrossName]) {
		t.Errorf("%s is stale", vectors.CrossName)
	}
}

// parcel is the codec of a format that is nothing like Godot's.
func parcel(t *testing.T) *codec.Codec { return load(t, filepath.Join("testdata", "parcel.oct")) }

// load is the codec of a schema in a file.
func load(t *testing.T, path string) *codec.Codec {
	t.Helper()
	p, err := compile.Program(path, "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := raw.Codec(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestAnySchema: nothing of how vectors are made is about Godot's format. TestRegenerate and TestVectors
// of fuzz/schemas make vectors of smaller schemas in each run.
func TestAnySchema(t *testing.T) {
	long.Only(t)
	c := parcel(t)
	s, err := Suite("", c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	back, err := vectors.Parse(s.Marshal())
	if err != nil {
		t.Fatal(err)
	}
	m, err := MeasureOf(back, c)
	if err != nil {
		t.Fatal(err)
	}
	// The bits of the word that nothing is in are always 0 when it is written.
	for _, p := range m.Cover.Missing {
		if !strings.HasPrefix(p.ID, "Parcel.word/check/") || !strings.HasSuffix(p.ID, "/write") {
			t.Errorf("%s is not reached: %s", p.ID, p.Text)
		}
	}
	for _, x := range m.Open() {
		if x.ID != "Parcel.word/unchecked/write" && x.ID != "Parcel.kind/mask-wider/read" {
			t.Errorf("%s is not noticed: %s", x.ID, x.About)
		}
	}
	if len(m.Cover.Reached) < 250 || m.Told < 250 {
		t.Errorf("%v; %v", m.Cover, m)
	}
	ids := map[string]*vectors.Case{}
	for i := range s.Cases {
		ids[s.Cases[i].ID] = &s.Cases[i]
	}
	for _, want := range []struct {
		id     string
		result vectors.Result
		kind   string
	}{
		{"Parcel.name/3-bytes", vectors.Valid, ""},
		{"Parcel.weight/-6-refused", vectors.Invalid, "value"},
		{"Parcel.points.length/2^32-1", vectors.Invalid, "truncated"},
		{"Parcel.box.things/too-many-refused", vectors.Invalid, "range"},
	} {
		k := ids[want.id]
		if k == nil || k.Result != want.result || k.Error != nil && k.Error.Kind != want.kind {
			t.Errorf("%s is %+v", want.id, k)
		}
	}
}

// TestMeasure: what is not in a suite is missed.
func TestMeasure(t *testing.T) {
	s, err := suites.Load("framing")
	if err != nil {
		t.Fatal(err)
	}
	c := codec.MustLoad("framing")
	whole, err := MeasureOf(s, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole.Open()) > 0 || len(whole.Cover.Missing) > 0 || whole.Score() != 100 {
		t.Errorf("%v; %v", whole.Cover, whole)
	}
	reading := *s
	reading.Cases = slices.DeleteFunc(slices.Clone(s.Cases), func(k vectors.Case) bool { return k.Result != vectors.Invalid })
	less, err := MeasureOf(&reading, c)
	if err != nil {
		t.Fatal(err)
	}
	if less.Told >= whole.Told/2 || len(less.Cover.Reached) >= len(whole.Cover.Reached) || less.Score() >= 100 {
		t.Errorf("without what is written: %v; %v", less.Cover, less)
	}
	none, err := MeasureOf(&vectors.Suite{}, c)
	if err != nil || none.Told != 0 || len(none.Cover.Reached) != 0 {
		t.Errorf("nothing reaches and tells something: %v; %v (%v)", none.Cover, none, err)
	}
}

// TestNothingIdle: every case tells some mutant from the original, or reaches what no
// other case reaches.
func TestNothingIdle(t *testing.T) {
	for _, name := range long.Part(3, []string{"ntp", "godot-3", "wave"}) {
		s, err := suites.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		bench, err := BenchOf(s, codec.MustLoad(name))
		if err != nil {
			t.Fatal(err)
		}
		idle := make([]bool, len(s.Cases))
		for i := range idle {
			idle[i] = true
		}
		mutants, _ := mutants.Of(bench.Machine().Program())
		for _, mu := range mutants {
			for _, i := range bench.Killers(mu) {
				idle[i] = false
			}
		}
		for i := range idle {
			if !idle[i] {
				continue
			}
			rest := bench.Machine().NewCoverage()
			for j := range idle {
				if j != i {
					rest.Merge(bench.Coverage(j))
				}
			}
			if rest.Adds(bench.Coverage(i)) == 0 {
				t.Errorf("%s: %s finds nothing", name, s.Cases[i].ID)
			}
		}
	}
}

// TestLevels: a flag only ever weakens a level, and what would hurt stays a must.
func TestLevels(t *testing.T) {
	s, err := suites.Load("godot-4.4")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		id    string
		level vectors.Level
	}{
		{"Vector2", must},
		{"String.text/3-bytes", must},
		{"String.length/2^31-1", must},
		{"Nil.header/type-39", must},
		{"Object/class-closed", must},
		{"int.value/wide", must},
		{"String.text/padding-set", must},
		{"Dictionary.pairs/equal-keys", may},
		{"Dictionary.pairs/order", should},
		{"String.text/stray", should},
		{"float.value/nan-payload", may},
		{"Object/RefCounted", should},
	} {
		i := slices.IndexFunc(s.Cases, func(k vectors.Case) bool { return k.ID == want.id })
		if i < 0 {
			t.Errorf("there is no case %s", want.id)
		} else if s.Cases[i].Level != want.level {
			t.Errorf("%s is a %s, want %s", want.id, s.Cases[i].Level, want.level)
		}
	}
}

// TestCombinations checks that a record of several unions has a shape for each of their
// arms. It must not have one for each combination of them.
func TestCombinations(t *testing.T) {
	seeds := shapesOf(t, filepath.Join("..", "..", "..", "fuzz", "languages", "testdata", "importing.oct"),
		"number", "point", "text", "numbers", "map", "object")
	if len(seeds) > 100 {
		t.Errorf("%d shapes", len(seeds))
	}
}

// TestFar holds that types are found in a list behind many choices.
func TestFar(t *testing.T) {
	shapesOf(t, filepath.Join("testdata", "far.oct"), "hello", "other", "Extension", "name", "versions")
}

// TestCalledList checks that a list is small though it is longer by the element that ends it. The list is all of a part
// that is called.
func TestCalledList(t *testing.T) {
	shapesOf(t, filepath.Join("testdata", "tags.oct"), "group", "byte", "long")
}

// TestOptionalFields checks that each field is in some shape. Two fields that are only there together, and one behind
// them, come after many others.
func TestOptionalFields(t *testing.T) {
	fields := map[string]bool{}
	path := filepath.Join("testdata", "mqtt.oct")
	g := newModel(raw.Machine(load(t, path)))
	for _, s := range shapesOf(t, path, "connect") {
		g.walk(g.p.Root, s.value, func(p place) { fields[g.p.Types[p.typ].Fields[p.cell].Name] = true })
	}
	for _, name := range []string{"client", "will_topic", "will_message", "user", "password"} {
		if !fields[name] {
			t.Errorf("no shape has %s", name)
		}
	}
}

// TestBarred checks packets and values with a type that is always refused. They are otherwise right, though the region
// around the type has its length.
func TestBarred(t *testing.T) {
	c, err := compiler.New(`schema "barred" { root Root }
type Root {
    | 0 | 1 | u8                    | n = size(items) | "length in bytes"
    | 1 | n | Item[until type == 0] | items           | "items, the last one of type 0"
}
union Item by type {
    | 0 | 1 | u8 | type | "the type"
}
arm Item 0 last {}
arm Item 1 text {
    | 1 | T | utf8[until "00"] | text | "a text"
}
arm Item 2..255 old {
    refuse "not used any more"
}`)
	if err != nil {
		t.Fatal(err)
	}
	all, err := collect(raw.Machine(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for i := range all.all {
		k := &all.all[i]
		switch {
		case k.what == "barred" && bytes.Equal(k.bytes, []byte{2, 2, 0}):
			found++
		case k.what == "barred-refused" && k.bytes == nil && k.value.Len() == 2:
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d of 2 candidates are found", found)
	}
}

// TestBarredEmpty finds a type that is always refused beside one without bytes. In a list, values without bytes are unsafe.
func TestBarredEmpty(t *testing.T) {
	c, err := compiler.New(`schema "barred" { root Root }
type Root {
    | 0 | 1 | u8            | kind            | "the kind"
    | 1 | 1 | u8            | n = count(items) | "number of items"
    | 2 | N | Item[n](kind) | items           | "the items"
}
union Item(kind) by kind {}
arm Item 0 nothing {
    refuse "an item has bytes"
}
arm Item 1 number {
    | 0 | 1 | u8 | x | "a number"
}
arm Item 2 old {
    refuse "not used any more"
    | 0 | 1 | u8 | x | "a number"
}`)
	if err != nil {
		t.Fatal(err)
	}
	all, err := collect(raw.Machine(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(all.all, func(k candidate) bool {
		return k.what == "barred" && len(k.bytes) == 3 && k.bytes[0] == 2
	}) {
		t.Error("no packet has the type that is always refused")
	}
}

// shapesOf returns the shapes of a schema, in which each of the types must be.
func shapesOf(t *testing.T, path string, types ...string) []seed {
	t.Helper()
	g := newModel(raw.Machine(load(t, path)))
	seeds, err := g.seeds(nil)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, s := range seeds {
		g.walk(g.p.Root, s.value, func(p place) { names[g.p.Types[p.typ].Name] = true })
	}
	for _, name := range types {
		if !names[name] {
			t.Errorf("no shape has %s", name)
		}
	}
	return seeds
}

// searches are schemas with a point that only a search reaches, and its number of inputs.
var searches = []struct {
	name, schema, point string
	inputs              int
}{
	{"a list that ends by a size", `
type Root {
    repeat until length != 104 as items {
        | N   | 1          | u8             | length = size(data) + 4 | "length in bytes, and 4"
        | N+1 | length - 4 | u16[until end] | data                    | "numbers"
    }
}`, "Root.items/stop/step2-no/read", 3000},
	{"a condition on a size", `
type Root {
    | 0   | 1      | u8           | length = len(text) | "length in bytes"
    | 1   | length | utf8[length] | text               | "a text"
    | 1+length | 2 | u16          | more               | "a number" if length == 200
}`, "Root.more/if/step2-yes/read", 3000},
	{"a number of elements that a check refuses", `
type Root {
    | 0 | 1         | u8               | place = size(items) + 8 | "length in bytes, and 8"
    | 1 | place - 8 | Item[until end]  | items                   | "elements" check count(items) != 17
}

type Item {
    | 0 | 2 | u16 | kind   | "a number"
    | 2 | 1 | u8  | length = len(text) | "length in bytes"
    | 3 | length | utf8[length] | text | "a text"
}`, "Root.items/check/refused/read", 3000},
	{"an element whose number a flag gives", `
type Root {
    | 0 | 1 | u8 | there = present(mark) | "0 or 1"
    | 1 | 1 | u8 | mark | "a number" if there != 0
    repeat min(there, 2) as items {
        | N    | 4  | u32          | first             | "the first row"
        | N+4  | 1  | u8           | length = len(text) | "length in bytes"
        | N+5  | P  | utf8[length] | text              | "a text"
        | N+P+5 | 200 | u8[200]     | rest               | "bytes"
    }
}`, "Root.items.first/scalar/short/read", 3000},
	{"an arm that another one always replaces", `
union Root by id {
    | 0 | 1 | u8 | id | "always 1"
}

arm Root 1 holder {
    | 1 | N | Kind | kind | "a kind"
}

union Kind by id {
    | 0 | 1 | u8 | id | "the kind"
}

arm Kind 1 text {
    | 1 | 1      | u8           | length = len(text) | "length in bytes"
    | 2 | length | utf8[length] | text               | "a text"
}

arm Kind 2 number {
    writes text "number"
    | 1  | 4 | u32 | sum = crc32(number..other) | "checksum"
    | 5  | 4 | u32 | number                     | "a number"
    | 9  | 4 | u32 | other                      | "another number"
    | 13 | 1 | u8  | last                       | "the end"
}`, "number.last/scalar/run/read", 3000},
	{"a number of elements in digits", `
type Root {
    | 0 | 12 | octal[12] | number = 4095 | "a number" any
    repeat min(max(number - 4095, 0), 5) as items {
        | N   | 2 | u16 | first | "a number"
        | N+2 | 2 | octal[2] | second | "a number"
    }
}`, "Root.items/list/several/read", 100},
	{"a number of elements of an arm that another one mostly replaces", `
union Root by id {
    | 0 | 1 | u8 | word | "the kind" {
        0..1 id "the kind"
        rest any
    }
}

arm Root 0 text {
    | 1 | N | latin1[until "00"] | text | "a text"
}

arm Root 1 list {
    | 1 | 1 | u8 | first | "a number"
    writes text if first % 64 != 61
    | 2 | 1 | u8 | second | "a number"
    writes text if second < 32
    | 3 | 2 | u16 | bits | "the number of elements" {
        4..6 size = count(items)
        rest any
    }
    repeat size as items {
        | N | P | Root | item | "an element"
    }
}`, "list.bits/word/step1-no/write", 10},
	{"a list of more bytes than a number of one byte holds", `
type Root {
    | 0   | 1   | u8              | size = size(items) | "bytes of the elements"
    | 1   | size | Item[until end] | items             | "the elements"
}

type Item {
    | 0 | 1 | u8        | n = count(data) + 2 | "bytes of the element"
    | 1 | N | u8[n - 2] | data                | "the data"
}`, "Root.items/patch/range/write", 200},
	{"padding that only a number of two bytes more than it needs leaves out", `
type Root {
    | 0 | N | Item | item | "an item" pad 4
}

type Item {
    | 0 | 1 | u8     | kind   | "a number"
    | 1 | N | leb128 | number | "a small number" any check number < 100
}`, "Root.item/pad/padded0/read", 10},
	{"a row in a region whose length two checksums cover", `
type Root {
    | 0   | 1    | u8  | size = size(item)       | "length in bytes"
    | 1   | 4    | u32 | outer = crc32(size, sum)       | "a checksum"
    | 5   | 2    | u16 | sum = sum16(size)       | "another one"
    | 7   | size | Item | item                   | "an item"
}

type Item {
    | 0 | 2 | u16 | first  | "a number"
    | 2 | 4 | u32 | second | "another one"
}`, "Item.second/scalar/short/read", 100},
	{"a row before a part that a checksum is of", `
type Root {
    | 0   | 2 | u16 | at = place(part) | "the place of the part"
    | 2   | 2 | u16 | sum = inet(part) | "a checksum"
    | @at | 2 | u16 | part             | "a part"
    | 4   | 2 | u16 | next             | "a number"
}`, "Root.next/scalar/short/read", 100},
}

// TestSearch holds that a search reaches what takes two changes of a packet at once.
func TestSearch(t *testing.T) {
	for _, test := range searches {
		t.Run(test.name, func(t *testing.T) {
			c, err := compiler.New("schema \"search\" {\n    order big\n    root Root\n}\n" + test.schema)
			if err != nil {
				t.Fatal(err)
			}
			g := &candidates{model: newModel(raw.Machine(c))}
			reached := g.m.NewCoverage()
			if _, err := g.search(1, test.inputs, 10*test.inputs, reached); err != nil {
				t.Fatal(err)
			}
			known := false
			for _, q := range cover.New(g.m, g.setup()).Points() {
				if q.ID == test.point {
					known = true
					if !reached.Has(q.Index) {
						t.Errorf("%s is not reached", q.ID)
					}
				}
			}
			if !known {
				t.Errorf("there is no point %s", test.point)
			}
		})
	}
}

// TestPlaces holds that a search tries samples in other values, for what depends on the values around them.
func TestPlaces(t *testing.T) {
	const schema = `
schema "places" {
    order big
    depth 3
    root Root
}

union Root by id {
    | 0 | 1 | u8 | id | "the kind"
}

arm Root 1 list {
    writes text "a"
    | 1 | 1 | u8 | kind | "the byte order"
    order by kind { 2..109 big, 110..121 little }
    | 2 | 1 | u8 | size = count(items) << 4 | "the number of elements"
    repeat size >> 4 as items {
        | N | P | Root | item | "an element"
    }
}

arm Root 2 text {
    | 1 | 1 | u8 | bits | "bits" {
        0 kind = len(text) > 100
    }
    | 2 | 1 or 4 | by kind { 0 u8, 1 u32 } | length = len(text) | "length in bytes"
    | P | length | latin1[length] | text | "a text"
}

arm Root 3 box {
    | 1 | 1 | u8 | kind | "the byte order"
    order by kind { 2..109 big, 110..121 little }
    | 2 | 1 | u8 | size = size(item) << 5 | "length in bytes"
    | 3 | size >> 5 | Root | item | "an item"
}`
	long := append([]byte{2, 1, 0, 0, 0, 101}, bytes.Repeat([]byte{'a'}, 101)...)
	for _, test := range []struct {
		point          string
		sample, around []byte
		step           func(*hunt)
	}{
		{"text.length/word/run/read.3", long, []byte{1, 2, 16, 2, 0, 0}, (*hunt).grafted},
		{"text.length/word/short/read.3", long, []byte{1, 2, 16, 2, 0, 0}, func(h *hunt) { h.grafted(); h.again() }},
		{"Root.id/union/too-deep/read", []byte{1, 2, 16, 2, 0, 0}, []byte{1, 2, 16, 2, 0, 0}, (*hunt).grafted},
		{"text.length/word/run/write.3", long, []byte{3, 2, 96, 2, 0, 0}, (*hunt).grafted},
	} {
		c, err := compiler.New(schema)
		if err != nil {
			t.Fatal(err)
		}
		h := newHunt(&candidates{model: newModel(raw.Machine(c))}, raw.Machine(c).NewCoverage())
		h.news(test.sample, 0)
		h.read(test.sample, 0)
		if test.around != nil {
			h.news(test.around, 0)
			h.read(test.around, 0)
		}
		i := slices.IndexFunc(h.missing, func(q *cover.Point) bool { return q.ID == test.point })
		if i < 0 {
			t.Errorf("%s is not missing at first", test.point)
			continue
		}
		q := h.missing[i]
		h.sample(q, test.sample, 0)
		test.step(h)
		if slices.Contains(h.missing, q) {
			t.Errorf("%s is not reached", q.ID)
		}
	}
}

// TestElements holds that a search makes lists longer if only one packet that runs their condition has an element.
func TestElements(t *testing.T) {
	c, err := compiler.New(`
schema "elements" {
    order big
    root Root
}

type Root {
    | 0 | 1 | u8 | n = count(items) | "the number of elements"
    repeat n as items {
        | N | P | latin1[until "00"] | item | "an element"
    } check count(items) != 7
}`)
	if err != nil {
		t.Fatal(err)
	}
	h := newHunt(&candidates{model: newModel(raw.Machine(c))}, raw.Machine(c).NewCoverage())
	h.read([]byte{0}, 0)
	h.read([]byte{1, 5, 0}, 0)
	for range comparedSamples {
		h.promising([]byte{0}, 0)
	}
	h.promising([]byte{1, 5, 0}, 0)
	h.compared()
	if i := slices.IndexFunc(h.missing, func(q *cover.Point) bool { return q.ID == "Root.items/check/refused/read" }); i >= 0 {
		t.Errorf("%s is not reached", h.missing[i].ID)
	}
}

// TestTell checks that inputs detect all mutants of a schema that are not proven to be equivalent. Only a changed input
// detects some of them.
func TestTell(t *testing.T) {
	c, err := compiler.New(`
schema "tell" {
    order big
    root Root
}

type Root {
    | 0   | 2      | u16          | number             | "a number" check number != 1234
    | 2   | N      | leb128       | second             | "another one" any
    | 2+N | 1      | u8           | length = len(text) | "length in bytes"
    | P   | length | utf8[length] | text               | "a text" pad 4
}`)
	if err != nil {
		t.Fatal(err)
	}
	g := &candidates{model: newModel(raw.Machine(c))}
	all, _ := mutants.Of(g.p)
	none := slices.Repeat([]int{-1}, len(all))
	told, err := g.tell(all, g.untold(all, none), 1)
	if err != nil {
		t.Fatal(err)
	}
	bench := mutants.NewBench(g.m, mutants.Results)
	for i := range told {
		n := bench.Add(told[i].trial(told[i].verdict))
		for _, k := range told[i].mutants {
			if !bench.Kills(all[k], n) {
				t.Errorf("%x does not tell %s", told[i].bytes, all[k].ID)
			}
			none[k] = n
		}
	}
	for _, k := range g.untold(all, none) {
		t.Errorf("no input tells %s", all[k].ID)
	}
}

// TestGates holds that a packet that a closed gate refuses is also read with the gate open.
func TestGates(t *testing.T) {
	c, err := compiler.New(`
schema "gates" {
    gate objects
    order big
    root Root
}

type Root {
    | 0 | 1 | u8 | first | "a number"
    requires objects
    | 1 | 1 | u8 | second | "another one" check second != 2
}
`)
	if err != nil {
		t.Fatal(err)
	}
	g := &candidates{model: newModel(raw.Machine(c))}
	reached := g.m.NewCoverage()
	newHunt(g, reached).near([]byte{1, 2}, 0)
	var got []string
	for _, q := range cover.New(g.m, g.setup()).Report(reached).Reached {
		got = append(got, q.ID)
	}
	if want := "Root.second/check/refused/read"; !slices.Contains(got, want) {
		t.Errorf("%s is not among %v", want, got)
	}
}

// TestFirstRefused holds that few numbers that are accepted are tried, as these take long.
func TestFirstRefused(t *testing.T) {
	for first := 1; first <= 41; first++ {
		accepted := 0
		got := firstRefused(40, func(n int) bool {
			if n < first {
				accepted++
			}
			return n >= first
		})
		if got != first || first > 36 && accepted > 3 {
			t.Errorf("%d is the first, found %d after %d that are accepted", first, got, accepted)
		}
	}
}
