package diff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// lineNumbers are places in the project's schemas, which move.
var lineNumbers = regexp.MustCompile(`\b((?:godot|pandemonium|ntp|wave|framing)[a-z0-9.-]*\.oct):\d+`)

// TestGolden compares neighbours, and schemas more than one step apart.
func TestGolden(t *testing.T) {
	pairs := [][2]string{
		{"godot-2", "godot-3.0"}, {"godot-3.0", "godot-3"}, {"godot-4.0", "godot-4.3"}, {"godot-4.3", "godot-4.4"},
		{"godot-3", "godot-4.4"}, {"pandemonium-3.8", "pandemonium-5"}, {"godot-4-doc", "godot-4.0"}, {"framing", "framing-big"},
	}
	for _, pair := range golden.Part(6, pairs) {
		name := pair[0] + "-to-" + pair[1]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := compare(t, pair[0], pair[1])
			var b bytes.Buffer
			if err := r.WriteMarkdown(&b); err != nil {
				t.Fatal(err)
			}
			got := lineNumbers.ReplaceAllString(b.String(), "$1:N")
			golden.Check(t, name+".md", []byte(got))
		})
	}
}

func compare(t *testing.T, a, b string) *Report {
	t.Helper()
	old, err := compile.Load(a)
	if err != nil {
		t.Fatal(err)
	}
	new, err := compile.Load(b)
	if err != nil {
		t.Fatal(err)
	}
	return checked(t, a, old, b, new)
}

// checked compares two schemas and tries every witness of the report once more.
func checked(t *testing.T, a string, old *schema.Schema, b string, new *schema.Schema) *Report {
	t.Helper()
	r, err := Schemas(a, old, b, new)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		if c.Sort == Other {
			t.Errorf("%s to %s: no reason was found for %s, %+v", a, b, c.Heading(), c.Effects)
		}
		for _, e := range c.Effects {
			if why := wrong(t, old, new, c, &e); why != "" {
				t.Errorf("%s, %s, %x: %s", c.Heading(), e.Class, []byte(e.Packet), why)
			}
		}
	}
	return r
}

// wrong says why a packet is no witness of its effect. It asks two machines
// that have nothing to do with the search.
func wrong(t *testing.T, old, new *schema.Schema, c *Change, e *Effect) string {
	opt := interp.Options{}
	if e.Objects {
		opt.Open = 0xff
	}
	type outcome struct {
		err    error
		writes bool
	}
	read := func(s *schema.Schema, b []byte) (o outcome) {
		m := machine(t, s, e.Choice)
		v, _, err := m.Decode(b, opt)
		o.err = err
		if err == nil {
			out, err := m.Encode(v, opt)
			o.writes = err == nil && bytes.Equal(out, b)
		}
		return o
	}
	x, y := read(old, e.Packet), read(new, e.Packet)
	refused := map[Class]bool{OldRefuses: true, NewRefuses: true}[e.Class]
	switch e.Class {
	case OldMisreads, OldRefuses:
		if !y.writes {
			return "the new side does not write it"
		}
		if (x.err != nil) != refused {
			return "the old side does something else"
		}
	case NewMisreads, NewRefuses:
		if !x.writes {
			return "the old side does not write it"
		}
		if (y.err != nil) != refused {
			return "the new side does something else"
		}
	case Unwritten:
		if x.writes || y.writes {
			return "somebody writes it"
		}
		if x.err != nil && y.err != nil {
			return "both refuse it"
		}
	case Compatible:
		z := read(old, e.Rewritten)
		if !y.writes || !z.writes || bytes.Equal(e.Packet, e.Rewritten) {
			return "the sides do not write these bytes"
		}
		if c.key != "limit equal keys" && (x.err != nil || read(new, e.Rewritten).err != nil) {
			return "a side does not read what the other writes"
		}
	}
	if e.Class == OldMisreads || e.Class == NewMisreads {
		if e.Old == e.New {
			return "both sides say " + e.Old.Value
		}
	}
	return ""
}

var machines sync.Map // of *interp.Machine, by schema and choice

type schemaChoice struct {
	schema *schema.Schema
	choice string
}

// machine returns what runs a schema under a choice, if it has that, or its
// first one.
func machine(t *testing.T, s *schema.Schema, choice string) *interp.Machine {
	if m, ok := machines.Load(schemaChoice{s, choice}); ok {
		return m.(*interp.Machine)
	}
	at := choice
	if !slices.Contains(s.Choices(), at) {
		at = ""
	}
	with, err := s.With(at)
	if err != nil {
		t.Fatal(err)
	}
	p, err := compile.Schema(with)
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	machines.Store(schemaChoice{s, choice}, m)
	return m
}

// TestNoChange checks that a schema and itself, as one file and as another one,
// have no differences. Schemas that say the same in other words have none either.
func TestNoChange(t *testing.T) {
	for _, id := range []string{"godot-4.4", "pandemonium-5", "godot-2", "ntp", "wave"} {
		if r := compare(t, id, id); len(r.Changes) > 0 || r.Breaks() {
			t.Errorf("%s: %s", id, r.Summary())
		}
	}
	other := strings.NewReplacer(`"the text"`, `"what it says"`, "length", "size", "    | 4", "| 4").Replace(small)
	if r := checked(t, "a", resolve(t, small), "b", resolve(t, other)); len(r.Changes) > 0 {
		t.Errorf("other words: %s", r.Summary())
	}
}

const small = `schema "small" {
    title "for tests"
    root  Value
    depth 8
    gate  secrets
}

encoding text {
    utf8 strict
    bom  drop
    nul  stop
}

// Digits are small.

union Value by type {
    | 0 | 4 | u32 | header | "type and flags" {
        0..7  type "type"
        rest  any
    }
}

arm Value 0 Nothing {
    example "00000000" is Nothing
}

arm Value 1 Number {
    header { 16 wide = form(value) "64 bits" }
    | 4 | 4 or 8 | by wide { 0 i32, 1 i64 } | value | "the number" any
}

arm Value 2 Truth {
    | 4 | 4 | bool32 | value | "true or false" any
}

arm Value 3 Word {
    | 4 | 4 | u32          | length = len(text) | "its length"
    | 8 | N | text[length] | text               | "the text" pad 4 any
}

arm Value 4 Point {
    | 4 | 4 | f32 | x | "across"
    | 8 | 4 | f32 | y | "up"
}

arm Value 5 Many {
    | 4 | 4 | u32 | count = count(values) | "how many"
    repeat count as values {
        | P | V | Value | value | "one of them"
    }
}

arm Value 6 Digit {
    | 4 | 4 | u32 | digit | "0 to 9"
    check digit <= 9 "a digit is at most 9"
}

arm Value 7 Secret {
    requires secrets
    | 4 | 4 | u32 | number | "a number"
}
`

func resolve(t *testing.T, text string) *schema.Schema {
	t.Helper()
	f, err := dsl.Parse("small.oct", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// One edit of a schema is one change, of the classes that it must have.
func TestEdits(t *testing.T) {
	edits := []struct {
		name      string
		from, to  string
		title     string
		kinds     []Kind
		classes   []Class
		backwards []Class // of the inverse edit
	}{
		{"a type more", "arm Value 7", "arm Value 8 Byte {\n    | 4 | 4 | u32 | value |\n}\n\narm Value 7",
			"Byte", []Kind{Added}, []Class{OldRefuses}, []Class{NewRefuses}},
		{"another name", "arm Value 4 Point", "arm Value 4 Place",
			"Place", []Kind{Renamed}, nil, nil},
		{"a wider row", "| 4 | 4 | u32 | digit | \"0 to 9\"", "| 4 | 8 | u64 | digit | \"0 to 9\"",
			"Digit", []Kind{Rewritten}, []Class{OldMisreads, OldRefuses, NewRefuses}, []Class{NewMisreads, OldRefuses, NewRefuses}},
		{"fields change places", "| 4 | 4 | f32 | x | \"across\"\n    | 8 | 4 | f32 | y | \"up\"", "| 4 | 4 | f32 | y | \"up\"\n    | 8 | 4 | f32 | x | \"across\"",
			"Point", []Kind{Rewritten}, []Class{OldMisreads, NewMisreads}, []Class{OldMisreads, NewMisreads}},
		{"a writer that always writes 64 bits", "header { 16 wide = form(value) \"64 bits\" }\n    | 4 | 4 or 8 | by wide { 0 i32, 1 i64 } | value | \"the number\" any", "header { 16 wide = 1 \"64 bits\" any }\n    | 4 | 4 or 8 | by wide { 0 i32, 1 i64 } | value | \"the number\"",
			"Number", []Kind{Rewritten}, []Class{Compatible}, []Class{Compatible}},
		{"a flag moves", "header { 16 wide", "header { 17 wide",
			"Number", []Kind{Rewritten}, []Class{OldMisreads, NewMisreads, OldRefuses, NewRefuses}, []Class{OldMisreads, NewMisreads, OldRefuses, NewRefuses}},
		{"a constant", "check digit <= 9", "check digit <= 7",
			"Digit", []Kind{Rewritten}, []Class{NewRefuses}, []Class{OldRefuses}},
		{"a stricter truth", "\"true or false\" any", "\"true or false\"",
			"Truth", []Kind{Rewritten}, []Class{Unwritten}, []Class{Unwritten}},
		{"padding that must be zero", "\"the text\" pad 4 any", "\"the text\" pad 4",
			"Word", []Kind{Rewritten}, []Class{Unwritten}, []Class{Unwritten}},
		{"no padding", "\"the text\" pad 4 any", "\"the text\"",
			"Word", []Kind{Rewritten}, []Class{OldMisreads, NewMisreads, OldRefuses}, []Class{OldMisreads, NewMisreads, NewRefuses}},
		{"loose text", "utf8 strict", "utf8 loose",
			"text", []Kind{Changed}, []Class{OldRefuses}, []Class{NewRefuses}},
		{"a byte order mark is text", "bom  drop", "bom  keep",
			"text", []Kind{Changed}, []Class{OldMisreads}, []Class{NewMisreads}},
		{"less deep", "depth 8", "depth 6",
			"depth", []Kind{Changed}, []Class{NewRefuses}, []Class{OldRefuses}},
		{"other flags are an error", "rest  any", "",
			"Value", []Kind{Rewritten}, []Class{Unwritten}, []Class{Unwritten}},
		{"a gate", "    requires secrets\n    | 4 | 4 | u32 | number", "    | 4 | 4 | u32 | number",
			"Secret", []Kind{Rewritten}, []Class{OldRefuses}, []Class{NewRefuses}},
		{"the other byte order", "root  Value", "root  Value\n    order big",
			"byte order", []Kind{Changed}, []Class{OldMisreads, NewMisreads}, []Class{OldMisreads, NewMisreads}},
	}
	for _, test := range long.Part(4, edits) {
		t.Run(test.name, func(t *testing.T) {
			if strings.Count(small, test.from) != 1 {
				t.Fatalf("%q is %d times in the schema", test.from, strings.Count(small, test.from))
			}
			before, after := resolve(t, small), resolve(t, strings.Replace(small, test.from, test.to, 1))
			check := func(r *Report, kinds []Kind, classes []Class) {
				t.Helper()
				if len(r.Changes) != 1 {
					var b strings.Builder
					_ = r.WriteText(&b)
					t.Fatalf("%d changes, not one\n%s", len(r.Changes), b.String())
				}
				c := r.Changes[0]
				if !slices.Equal(c.Kinds, kinds) {
					t.Errorf("it is %v, not %v", c.Kinds, kinds)
				}
				var got []Class
				for _, e := range c.Effects {
					got = append(got, e.Class)
				}
				slices.Sort(got)
				slices.Sort(classes)
				if !slices.Equal(got, classes) {
					var b strings.Builder
					_ = r.WriteText(&b)
					t.Errorf("effects %q, not %q\n%s", got, classes, b.String())
				}
			}
			r := checked(t, "before", before, "after", after)
			check(r, test.kinds, test.classes)
			if r.Changes[0].Title() != test.title {
				t.Errorf("it is about %s, not %s", r.Changes[0].Title(), test.title)
			}
			back := test.kinds
			if test.kinds[0] == Added {
				back = []Kind{Removed}
			}
			check(checked(t, "after", after, "before", before), back, test.backwards)
		})
	}
}

// Two types that change numbers are two changes, and readers of either side take
// them for each other.
func TestSwapped(t *testing.T) {
	other := strings.NewReplacer("arm Value 2 Truth", "arm Value 6 Truth", "arm Value 6 Digit", "arm Value 2 Digit").Replace(small)
	r := checked(t, "a", resolve(t, small), "b", resolve(t, other))
	if len(r.Changes) != 2 || r.Changes[0].Title() != "Digit" || r.Changes[1].Title() != "Truth" {
		t.Fatal(r.Summary())
	}
	for _, c := range r.Changes {
		if !slices.Equal(c.Kinds, []Kind{Renumbered}) || c.Class != OldMisreads || len(c.Effects) < 2 || !c.Effects[0].Shortest || len(c.Effects[0].Packet) != 8 {
			t.Errorf("%s: %+v", c.Heading(), c)
		}
	}
}

// TestNamedParts: values that differ in the names of the parts of a tuple are printed with these.
func TestNamedParts(t *testing.T) {
	other := strings.NewReplacer("| x |", "| y |", "| y |", "| x |").Replace(small)
	r := checked(t, "a", resolve(t, small), "b", resolve(t, other))
	if len(r.Changes) != 1 || len(r.Changes[0].Effects) == 0 {
		t.Fatal(r.Summary())
	}
	for _, e := range r.Changes[0].Effects {
		if !strings.HasPrefix(e.Old.Value, "Point(x: ") || e.New.Value != strings.NewReplacer("x", "y", "y", "x").Replace(e.Old.Value) {
			t.Errorf("%x is %s, and %s", []byte(e.Packet), e.Old.Value, e.New.Value)
		}
	}
}

// TestUnexplained checks that a difference is found also if the programs do not explain it.
func TestUnexplained(t *testing.T) {
	old, err := NewSide("old", resolve(t, small), "")
	if err != nil {
		t.Fatal(err)
	}
	new, err := NewSide("new", resolve(t, strings.Replace(small, "header { 16 wide", "header { 17 wide", 1)), "")
	if err != nil {
		t.Fatal(err)
	}
	p := pair(old, new)
	p.changes, p.order = map[string]*Change{}, nil
	r := find(p)
	if len(r.Changes) != 1 || r.Changes[0].Sort != Other || r.Changes[0].Title() != "Number" || r.Changes[0].Class != OldMisreads {
		var b strings.Builder
		_ = r.WriteText(&b)
		t.Error(b.String())
	}
}

// JSON of a report says what the report says.
func TestJSON(t *testing.T) {
	r := checked(t, "a", resolve(t, small), "b", resolve(t, strings.Replace(small, "header { 16 wide", "header { 17 wide", 1)))
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	var x, y strings.Builder
	_, _ = r.WriteText(&x), back.WriteText(&y)
	if x.String() != y.String() {
		t.Errorf("%s\nis read back as\n%s", x.String(), y.String())
	}
}

// TestRecordRoot: a change in the list of a record that is the root is seen. The first choice
// of such a schema is not that of a type.
func TestRecordRoot(t *testing.T) {
	const sensor = `schema "sensor" { root Message }
type Message {
    | 0 | 1 | u8 | count = count(samples) | "number of samples"
    repeat count as samples {
        | 1+i*3 | 1 | u8  | channel | "channel" check channel < 8
        | 2+i*3 | 2 | u16 | level   | "level"
    }
}`
	r := checked(t, "a", resolve(t, sensor), "b", resolve(t, strings.Replace(sensor, "< 8", "< 16", 1)))
	if len(r.Changes) != 1 || r.Changes[0].Class != OldRefuses {
		var b strings.Builder
		_ = r.WriteText(&b)
		t.Error(b.String())
	}
}

// TestStop: a change of the condition that ends a list is told in the notation of schemas.
func TestStop(t *testing.T) {
	const blocks = `schema "blocks" { root File }
type File {
    | 0 | N | Block[until kind == 59] | blocks |
}
type Block {
    | 0 | 1 | u8  | kind |
    | 1 | 2 | u16 | size |
}`
	r := checked(t, "a", resolve(t, blocks), "b", resolve(t, strings.Replace(blocks, "59", "60", 1)))
	if len(r.Changes) != 1 || !slices.Equal(r.Changes[0].Removed, []string{"until kind == 59"}) || !slices.Equal(r.Changes[0].Added, []string{"until kind == 60"}) {
		var b strings.Builder
		_ = r.WriteText(&b)
		t.Error(b.String())
	}
}

// TestLastFields: a change of the last fields of a record with many is seen.
func TestLastFields(t *testing.T) {
	var rows strings.Builder
	for i := range 16 {
		fmt.Fprintf(&rows, "| %d | 4 | u32 | f%d |\n", 4*i, i)
	}
	header := `schema "header" { root Header }
type Header {
` + rows.String() + `| 64 | 2 | u16 | n = count(data) |
| 66 | n | u8[n] | data |
}`
	r := checked(t, "a", resolve(t, header), "b", resolve(t, strings.Replace(header, "u16", "u16be", 1)))
	if len(r.Changes) != 1 || r.Changes[0].Class == Unseen {
		var b strings.Builder
		_ = r.WriteText(&b)
		t.Error(b.String())
	}
}
