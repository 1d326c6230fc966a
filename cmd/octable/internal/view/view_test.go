package view

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec/godot/container"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/spec"
)

// call calls a method as the page does.
func call[R any](t *testing.T, s *Service, method string, params any) R {
	t.Helper()
	r, err := try[R](s, method, params)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return r
}

func try[R any](s *Service, method string, params any) (r R, err error) {
	text, err := json.Marshal(params)
	if err != nil {
		return r, err
	}
	out, err := s.Call(context.Background(), method, text)
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	return r, err
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A Dictionary {"pos": Vector2(1, 2), "list": [42, "hi"]}.
const dictionary = "1b000000 02000000 04000000 03000000 706f7300 05000000 0000803f 00000040 04000000 04000000 6c697374 1c000000 02000000 02000000 2a000000 04000000 02000000 68690000"

// find returns the item with a path and kind.
func find(t *testing.T, s *Service, packet int, path string, kind Kind, part int) Item {
	t.Helper()
	p, err := s.packet(packet)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.nodes {
		if x := &p.nodes[i]; i > 0 && x.Path == path && x.kind == kind {
			return p.item(i, part)
		}
	}
	t.Fatalf("no %s at %q", kind, path)
	return Item{}
}

// content returns the bytes of a packet.
func content(t *testing.T, s *Service, packet int) []byte {
	t.Helper()
	return call[Saved](t, s, "save", PacketParams{packet}).Data
}

// Edits change what they are about, and what depends on it.
func TestEdits(t *testing.T) {
	for _, c := range []struct {
		name, path string
		kind       Kind
		part       int
		text, want string
	}{
		{"text", `["list"][1]`, Row, -1, "hello", strings.Replace(dictionary, "02000000 68690000", "05000000 68656c6c 6f000000", 1)},
		{"value of another type", `["list"][1]`, Value, -1, "true", strings.Replace(dictionary, "04000000 02000000 68690000", "01000000 01000000", 1)},
		{"number", `["list"][0]`, Row, -1, "7", strings.Replace(dictionary, "2a000000", "07000000", 1)},
		{"tuple", `["pos"]`, Row, 1, "3", strings.Replace(dictionary, "00000040", "00004040", 1)},
		{"computed number", `["list"][1]`, Derived, -1, "9", strings.Replace(dictionary, "02000000 6869", "09000000 6869", 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New()
			p := call[Packet](t, s, "open", OpenParams{Data: unhex(t, dictionary), Schema: "godot-4.4"})
			it := find(t, s, p.Packet, c.path, c.kind, c.part)
			after := call[Packet](t, s, "set", SetParams{p.Packet, it.Node, it.Part, c.text})
			if got := content(t, s, after.Packet); !bytes.Equal(got, unhex(t, c.want)) {
				t.Errorf("got  %x\nwant %s", got, c.want)
			}
			if got := content(t, s, p.Packet); !bytes.Equal(got, unhex(t, dictionary)) {
				t.Errorf("the packet before has changed: %x", got)
			}
		})
	}
}

// The input of each item, set unchanged, changes nothing, unless a note says so.
func TestInputs(t *testing.T) {
	s := New()
	for _, info := range long.Part(3, call[Schemas](t, s, "schemas", SchemasParams{}).Schemas) {
		for _, e := range call[Examples](t, s, "examples", ExamplesParams{info.ID}).Examples {
			p := call[Packet](t, s, "open", OpenParams{Data: e.Data, Schema: info.ID})
			inner, err := s.packet(p.Packet)
			if err != nil {
				t.Fatal(err)
			}
			for i := range min(len(inner.nodes), 60) {
				it := inner.item(i, -1)
				if it.Edit == NoEdit || len(p.Errors) > 0 && it.Kind != Derived && it.Kind != Flags {
					continue
				}
				after, err := try[Packet](s, "set", SetParams{p.Packet, i, -1, it.Input})
				var e2 *Error
				if errors.As(err, &e2) && strings.Contains(e2.Message, "edit the bytes") {
					continue // a number with a variable coding
				}
				if err != nil {
					t.Errorf("%s, %s, %s %s %q = %q: %v", info.ID, e.Name, it.Kind, it.Path, it.Label, it.Input, err)
				} else if got := content(t, s, after.Packet); !bytes.Equal(got, e.Data) && (p.Canonical || after.Note == "") {
					t.Errorf("%s, %s, %s %s %q = %q: %x, was %x", info.ID, e.Name, it.Kind, it.Path, it.Label, it.Input, got, e.Data)
				}
			}
		}
	}
}

// The list of schemas, which is made of their heads, says what their resolved trees say.
func TestSchemas(t *testing.T) {
	s := New()
	list := call[Schemas](t, s, "schemas", SchemasParams{}).Schemas
	seen := map[string]bool{}
	for _, info := range list {
		seen[info.ID] = true
		f, err := s.load(info.ID)
		if err != nil {
			t.Error(err)
			continue
		}
		extends := ""
		if base := f.schema.Base(); base != nil {
			extends = base.ID
		}
		var choices []string
		if len(f.schema.Choices()) > 1 {
			choices = f.schema.Choices()
		}
		if info.Title != f.schema.Title || info.Extends != extends || info.Family != f.schema.Lineage()[0].ID || !slices.Equal(info.Choices, choices) {
			t.Errorf("%+v, but the schema is %q, extends %q, of %s, with %q", info, f.schema.Title, extends, f.schema.Lineage()[0].ID, choices)
		}
	}
	for _, id := range spec.All() {
		if loaded, err := compile.Load(id); err != nil || seen[id] != (loaded.Root != nil) {
			t.Errorf("%s is in the list: %v", id, seen[id])
		}
	}
}

// Elements and pairs are inserted and removed, with their counts.
func TestElements(t *testing.T) {
	s := New()
	p := call[Packet](t, s, "open", OpenParams{Data: unhex(t, dictionary), Schema: "godot-4.4"})
	want := func(what string, after Packet, text string) {
		t.Helper()
		if got := call[Export](t, s, "export", ExportParams{after.Packet, "text"}).Text; strings.Join(strings.Fields(got), " ") != text {
			t.Errorf("%s: got %s, want %s", what, got, text)
		}
		if !after.Canonical {
			t.Errorf("%s: not canonical", what)
		}
	}
	first := find(t, s, p.Packet, `["list"][0]`, Value, -1)
	list := find(t, s, p.Packet, `["list"]`, List, -1)
	pair := find(t, s, p.Packet, `["pos"]`, Value, -1)
	want("before", call[Packet](t, s, "insert", InsertParams{Packet: p.Packet, Node: first.Node, Text: "true"}), `{ "pos": Vector2(1, 2), "list": [true, 42, "hi"] }`)
	want("after", call[Packet](t, s, "insert", InsertParams{Packet: p.Packet, Node: first.Node, After: true, Text: "true"}), `{ "pos": Vector2(1, 2), "list": [42, true, "hi"] }`)
	want("copy", call[Packet](t, s, "insert", InsertParams{Packet: p.Packet, Node: first.Node, After: true}), `{ "pos": Vector2(1, 2), "list": [42, 42, "hi"] }`)
	want("append", call[Packet](t, s, "insert", InsertParams{Packet: p.Packet, Node: list.Node, Text: "[]"}), `{ "pos": Vector2(1, 2), "list": [42, "hi", []] }`)
	want("pair", call[Packet](t, s, "insert", InsertParams{Packet: p.Packet, Node: pair.Node, After: true, Key: `"k"`, Text: "1"}), `{ "pos": Vector2(1, 2), "k": 1, "list": [42, "hi"] }`)
	want("remove element", call[Packet](t, s, "remove", NodeParams{p.Packet, first.Node, -1}), `{ "pos": Vector2(1, 2), "list": ["hi"] }`)
	want("remove pair", call[Packet](t, s, "remove", NodeParams{p.Packet, pair.Node, -1}), `{ "list": [42, "hi"] }`)
	if _, err := try[Packet](s, "insert", InsertParams{Packet: p.Packet, Node: pair.Node, Text: "1"}); err == nil {
		t.Error("a pair without a key is inserted")
	}
	if _, err := try[Packet](s, "remove", NodeParams{p.Packet, list.Node, -1}); err == nil {
		t.Error("a list that is no element is removed")
	}
}

// An edit keeps other bytes that a writer would not write.
func TestEditKeeps(t *testing.T) {
	s := New()
	// [1, 5] in 64 bits where 32 suffice, with bits set in the padding of the text
	const odd = "1c000000 03000000 02000000 01000000 02000100 05000000 00000000 04000000 01000000 61112233"
	p := call[Packet](t, s, "open", OpenParams{Data: unhex(t, odd), Schema: "godot-4.4"})
	if p.Canonical || len(p.Errors) > 0 {
		t.Fatalf("%+v", p)
	}
	it := find(t, s, p.Packet, "[0]", Row, -1)
	after := call[Packet](t, s, "set", SetParams{p.Packet, it.Node, -1, "7"})
	if got, want := content(t, s, after.Packet), unhex(t, strings.Replace(odd, "02000000 01000000", "02000000 07000000", 1)); !bytes.Equal(got, want) || after.Note != "" {
		t.Errorf("%q: got  %x\nwant %x", after.Note, got, want)
	}
	canonical := call[Packet](t, s, "canonical", PacketParams{p.Packet})
	if got, want := content(t, s, canonical.Packet), unhex(t, "1c000000 03000000 02000000 01000000 02000000 05000000 04000000 01000000 61000000"); !bytes.Equal(got, want) {
		t.Errorf("canonical: %x", got)
	}
}

// Reading goes on after an error whose bytes are known, and in a stream after a value.
func TestResumed(t *testing.T) {
	const text = `schema "t" {
    order little
    root Message
}

type Message {
    | 0 | 1 | u8          | version | "version" check version <= 2
    | 1 | 1 | u8          | length = len(name) | "bytes of the name"
    | 2 | N | utf8[length] | name   | "name"
    | 2+N | 1 | bool8     | flag    | "flag"
    | 3+N | 2 | u16       | last    | "the last number"
}
`
	s := New()
	c := call[Compiled](t, s, "compile", CompileParams{Text: text})
	if c.Schema == "" {
		t.Fatalf("%+v", c.Diagnostics)
	}
	p := call[Packet](t, s, "open", OpenParams{Data: unhex(t, "09 02 ff fe 07 2a00"), Schema: c.Schema})
	var kinds []string
	for _, f := range p.Errors {
		kinds = append(kinds, fmt.Sprint(f.Kind, " ", f.Offset, " ", f.Resumed))
	}
	if want := []string{"value 0 true", "text 2 true", "value 4 true"}; !slices.Equal(kinds, want) {
		t.Errorf("errors %q, want %q", kinds, want)
	}
	if it := find(t, s, p.Packet, "", Row, -1); it.Label != "version" {
		t.Errorf("first row %+v", it)
	}
	inner, err := s.packet(p.Packet)
	if err != nil {
		t.Fatal(err)
	}
	if it := inner.item(len(inner.nodes)-1, -1); it.Label != "last" || it.Text != "42" {
		t.Errorf("last row %+v", it)
	}
	// the value can be mended
	it := find(t, s, p.Packet, "", Row, -1)
	if after, err := try[Packet](s, "set", SetParams{p.Packet, it.Node, -1, "1"}); err == nil && len(after.Errors) >= len(p.Errors) {
		t.Errorf("%+v", after.Errors)
	}

	framed := call[Packet](t, s, "open", OpenParams{Data: unhex(t, "04000000 ff000000 08000000 02000000 05000000"), Schema: "godot-4.4", Options: Options{Framed: "little"}})
	if len(framed.Errors) != 1 || !framed.Errors[0].Resumed || framed.Errors[0].Offset != 4 {
		t.Errorf("%+v", framed.Errors)
	}
	if it := find(t, s, framed.Packet, "", Row, -1); it.Text != "5" {
		t.Errorf("%+v", it)
	}
}

// Comparing finds the differences between packets and between versions.
func TestCompare(t *testing.T) {
	s := New()
	p := call[Packet](t, s, "open", OpenParams{Data: unhex(t, dictionary), Schema: "godot-4.4"})
	if c := call[Compare](t, s, "compare", CompareParams{p.Packet, p.Packet}); !c.Same || !c.Equal || c.Total != 0 {
		t.Errorf("with itself: %+v", c)
	}
	it := find(t, s, p.Packet, `["list"][1]`, Row, -1)
	q := call[Packet](t, s, "set", SetParams{p.Packet, it.Node, -1, "ho"})
	c := call[Compare](t, s, "compare", CompareParams{p.Packet, q.Packet})
	if c.Same || c.Equal || c.Total != 1 || c.List[0].Old == nil || *c.List[0].Old != it.Span || c.List[0].NewText != `text "ho"` {
		t.Errorf("one text: %+v", c)
	}
	first := find(t, s, p.Packet, `["list"][0]`, Value, -1)
	r := call[Packet](t, s, "remove", NodeParams{p.Packet, first.Node, -1})
	c = call[Compare](t, s, "compare", CompareParams{p.Packet, r.Packet})
	if c.Total != 2 || c.List[1].New != nil || c.List[1].OldNode != first.Node {
		t.Errorf("an element: %+v", c)
	}
	// Vector2 is type 5 in both, Array 28 in one and 19 in the other
	old := call[Packet](t, s, "reread", RereadParams{Packet: p.Packet, Schema: "godot-2"})
	if c := call[Compare](t, s, "compare", CompareParams{p.Packet, old.Packet}); !c.Same || c.Equal || c.Total == 0 {
		t.Errorf("versions: %+v", c)
	}
}

// Exports say the same as the packet.
func TestExports(t *testing.T) {
	s := New()
	b := unhex(t, "04000000 03000000 61225c00")
	p := call[Packet](t, s, "open", OpenParams{Name: "a.bin", Data: b, Schema: "godot-4.4"})
	for form, want := range map[string]string{
		"hex":        "04000000 03000000 61225c00\n",
		"text":       `"a\"\\"` + "\n",
		"json":       `"a\"\\"` + "\n",
		"go":         "[]byte{0x04, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x61, 0x22, 0x5c, 0x00}\n",
		"typescript": "new Uint8Array([0x04, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x61, 0x22, 0x5c, 0x00])\n",
		"python":     `b"\x04\x00\x00\x00\x03\x00\x00\x00a\"\\\x00"` + "\n",
		"gdscript":   "PackedByteArray([0x04, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x61, 0x22, 0x5c, 0x00])\n",
	} {
		if got := call[Export](t, s, "export", ExportParams{p.Packet, form}).Text; got != want {
			t.Errorf("%s: got %q, want %q", form, got, want)
		}
	}
	text := call[Export](t, s, "export", ExportParams{p.Packet, "assembly"}).Text
	q := call[Packet](t, s, "assemble", AssembleParams{p.Packet, strings.Replace(text, "length = 3", "length 2 != 3", 1)})
	if got := content(t, s, q.Packet); !bytes.Equal(got, unhex(t, "04000000 02000000 61225c00")) {
		t.Errorf("assembled: %x", got)
	}
}

// A run is stepped through in both directions.
func TestStep(t *testing.T) {
	s := New()
	p := call[Packet](t, s, "open", OpenParams{Data: unhex(t, dictionary), Schema: "godot-4.4"})
	begin := call[Moment](t, s, "step", StepParams{Packet: p.Packet})
	if begin.Step != 0 || begin.Next == "" || begin.Steps < 10 || begin.Row == nil {
		t.Errorf("begin: %+v", begin)
	}
	at := call[Moment](t, s, "step", StepParams{Packet: p.Packet, Move: "byte", Target: "0x28"})
	next := call[Moment](t, s, "step", StepParams{Packet: p.Packet, At: at.Step, Move: "step"})
	if next.Step != at.Step+1 || next.Last == nil || next.Last.From != 0x28 {
		t.Errorf("byte: %+v, then %+v", at, next)
	}
	if back := call[Moment](t, s, "step", StepParams{Packet: p.Packet, At: next.Step, Move: "back"}); back.Step != at.Step {
		t.Errorf("back: %+v", back)
	}
	if end := call[Moment](t, s, "step", StepParams{Packet: p.Packet, Encode: true, Move: "end"}); end.Result != "72 bytes" || end.PC != -1 {
		t.Errorf("end: %+v", end)
	}
}

// Hostile calls are refused, and none hangs.
func TestHostile(t *testing.T) {
	s := New()
	deep := bytes.Repeat(unhex(t, "1c000000 01000000"), 100_000)
	p := call[Packet](t, s, "open", OpenParams{Data: deep, Schema: "godot-4.4"})
	if len(p.Errors) == 0 || p.Errors[len(p.Errors)-1].Kind != "depth" {
		t.Errorf("%+v", p.Errors)
	}
	for method, params := range map[string]string{
		"nothing":  `{}`,
		"open":     `{"data": "!"}`,
		"reread":   `{"packet": 1, "schema": "../../etc/passwd"}`,
		"children": `{"packet": 1, "node": -5}`,
		"locate":   `{"packet": 1, "offset": -1, "node": 99999999, "part": 4}`,
		"window":   `{"packet": 77}`,
		"splice":   `{"packet": 1, "at": 9223372036854775807, "remove": 9223372036854775807}`,
		"set":      `{"packet": 1, "node": 1, "part": -1, "text": "` + strings.Repeat("[", 100_000) + `"}`,
		"schema":   `{"schema": "text:0000"}`,
		"format":   `{"text": "` + strings.Repeat("{", 100_000) + `"}`,
		"export":   `{"packet": 1, "form": "json"}`,
		"assemble": `{"packet": 1, "text": "packet godot-4.4 ` + strings.Repeat("Array {", 10_000) + `"}`,
		"step":     `{"packet": 1, "move": "sideways"}`,
	} {
		_, err := s.Call(context.Background(), method, json.RawMessage(strings.Replace(params, `"packet": 1,`, fmt.Sprintf(`"packet": %d,`, p.Packet), 1)))
		var e *Error
		if !errors.As(err, &e) || e.Code == "internal" {
			t.Errorf("%s: %v", method, err)
		}
	}
	for _, call := range []string{"window", "children"} { // any numbers are in range
		if _, err := s.Call(context.Background(), call, json.RawMessage(fmt.Sprintf(`{"packet": %d, "from": -9223372036854775808, "to": 9223372036854775807, "count": 9223372036854775807}`, p.Packet))); err != nil {
			t.Errorf("%s: %v", call, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	big := append(unhex(t, "1c000000 40420f00"), bytes.Repeat(unhex(t, "01000000 01000000"), 1_000_000)...)
	text, _ := json.Marshal(OpenParams{Data: big, Schema: "godot-4.4"})
	_, err := s.Call(ctx, "open", text)
	var e *Error
	if !errors.As(err, &e) || e.Code != "time" {
		t.Errorf("a call whose time is over: %v", err)
	}
}

// The oldest packets are forgotten, the newest are not.
func TestKept(t *testing.T) {
	s := New()
	data := make([]byte, 1<<21)
	first := 0
	for range 150 {
		p, err := s.open(t.Context(), OpenParams{Data: data, Schema: "godot-4.4"}) // not as JSON, which takes seconds
		if err != nil {
			t.Fatal(err)
		}
		first = cmp.Or(first, p.Packet)
	}
	if len(s.packets) != len(s.order) || len(s.packets) > maxPackets || s.packets[s.last] == nil {
		t.Errorf("%d packets, %d in order", len(s.packets), len(s.order))
	}
	_, err := try[Window](s, "window", WindowParams{Packet: first})
	var e *Error
	if !errors.As(err, &e) || e.Code != "gone" {
		t.Errorf("the first packet: %v", err)
	}
}

// Diagnostics, hover, completion and format come from the language server.
func TestEditor(t *testing.T) {
	s := New()
	const text = "schema \"t\" {\n    order little\n    root T\n}\n\ntype T {\n    | 0 | 2 | u16 | size = count(body) | \"bytes\"\n    | 2 | N | u8[size] | body | \"content\"\n}\n"
	if c := call[Compiled](t, s, "compile", CompileParams{Text: text}); c.Schema == "" || len(c.Diagnostics) > 0 || len(c.Marks) == 0 {
		t.Errorf("%+v", c)
	}
	bad := call[Compiled](t, s, "compile", CompileParams{Text: strings.Replace(text, "u8[size]", "u8[siz]", 1)})
	if bad.Schema != "" || len(bad.Diagnostics) == 0 || bad.Diagnostics[0].Line != 7 {
		t.Fatalf("%+v", bad)
	}
	if d := bad.Diagnostics[0]; d.FixedText != text {
		t.Errorf("fix %q: %s", d.FixTitle, d.FixedText)
	}
	if h := call[Hover](t, s, "hover", CursorParams{Text: text, Line: 7, Character: 17}); !strings.Contains(h.Text, "size") {
		t.Errorf("%+v", h)
	}
	if c := call[Completions](t, s, "complete", CursorParams{Text: strings.Replace(text, "u8[size]", "u", 1), Line: 7, Character: 15}); !slices.ContainsFunc(c.Items, func(i Completion) bool { return i.Label == "u32" }) {
		t.Errorf("%+v", c)
	}
	if f := call[Formatted](t, s, "format", FormatParams{Text: text}); !strings.HasPrefix(f.Text, "schema \"t\" {\n") {
		t.Errorf("%+v", f)
	}
}

// TestResumedRegions checks that reading continues behind a region with an error. Errors are an unknown type, a row
// that the region cuts off, and bytes that no row takes. Values with bytes that were not read are not edited, since a
// writer would lose these bytes.
func TestResumedRegions(t *testing.T) {
	s := New()
	p := call[Packet](t, s, "open", OpenParams{Data: unhex(t, damagedModule), Schema: "wasm"})
	var kinds []string
	for _, f := range p.Errors {
		kinds = append(kinds, fmt.Sprint(f.Kind, " ", f.Offset, " ", f.Rule, " ", f.Resumed, " ", f.Hint != "", " ", f.Row != nil))
	}
	want := []string{"type 10 Body true true true", "truncated 18 FuncType.result_count true true true", "trailing 21 Section.body true true true"}
	if !slices.Equal(kinds, want) {
		t.Errorf("errors %q, want %q", kinds, want)
	}
	id := find(t, s, p.Packet, ".sections[3]", Row, -1)
	if _, err := try[Packet](s, "set", SetParams{p.Packet, id.Node, -1, "4"}); err == nil || id.Edit != NoEdit {
		t.Error("a value that was not read is edited")
	}
}

// damagedModule has three damaged sections, and one without mistakes. The type of one is unknown, the content of one is
// cut off, and one has a byte that is left over.
const damagedModule = "0061736d 01000000 0f 02 aabb 01 04 01 60 01 7f 08 02 05 ee 03 02 01 00"

// Encrypted files need their password or key, and are saved with it.
func TestEncrypted(t *testing.T) {
	s := New()
	content4 := unhex(t, dictionary)
	key := container.Password("secret")
	file, err := (container.Layer{Format: container.Encrypted, Layout: 4}).Seal(content4, key)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []OpenParams{{Data: file}, {Data: file, Pass: "wrong"}, {Data: file, Key: "00"}} {
		_, err := try[Packet](s, "open", q)
		var e *Error
		if !errors.As(err, &e) || e.Code != "key" {
			t.Errorf("%q %q: %v", q.Pass, q.Key, err)
		}
	}
	for _, q := range []OpenParams{{Data: file, Pass: "secret"}, {Data: file, Key: hex.EncodeToString(key)}} {
		p := call[Packet](t, s, "open", q)
		if p.Size != len(content4) || len(p.Layers) != 1 {
			t.Errorf("%d bytes in %q", p.Size, p.Layers)
		}
		after := call[Packet](t, s, "splice", SpliceParams{p.Packet, 56, 1, []byte{7}, 56})
		again := call[Packet](t, s, "open", OpenParams{Data: content(t, s, after.Packet), Pass: "secret"})
		if got := call[Window](t, s, "window", WindowParams{again.Packet, 56, 57}); !bytes.Equal(got.Data, []byte{7}) {
			t.Errorf("saved byte %x", got.Data)
		}
	}
	if p := call[Packet](t, s, "open", OpenParams{Data: file, Options: Options{Bare: true}}); p.Size != len(file) {
		t.Errorf("%d bytes are shown of %d", p.Size, len(file))
	}
}

// Schemas are proposed for packets of more than a MiB, and for streams.
func TestWhichLong(t *testing.T) {
	s := New()
	array := append(unhex(t, "1d000000 00001000"), make([]byte, 1<<20)...)
	stream := bytes.Repeat(unhex(t, "08000000 02000000 2a000000 0c000000 05000000 0000803f 00000040"), 40_000)
	for _, c := range []struct {
		data   []byte
		framed string
	}{{array, ""}, {stream, "little"}} {
		p := call[Packet](t, s, "open", OpenParams{Data: c.data})
		if p.Schema != "godot-4.4" || p.Options.Framed != c.framed || len(p.Errors) > 0 {
			t.Errorf("%d bytes: %s %q %v: %s", len(c.data), p.Schema, p.Options.Framed, p.Errors, p.Reason)
		}
		if w := call[Proposals](t, s, "which", PacketParams{p.Packet}); len(w.Candidates) < 10 || w.Candidates[0].Schema != "godot-4.4" || w.Candidates[0].Framed != c.framed {
			t.Errorf("%+v", w.Candidates[0])
		}
	}
}

// Stepping goes from one value of a stream to the next, and back.
func TestStepStream(t *testing.T) {
	s := New()
	p := call[Packet](t, s, "open", OpenParams{Data: unhex(t, "08000000 02000000 05000000 08000000 02000000 07000000"), Schema: "godot-4.4", Options: Options{Framed: "little"}})
	end := call[Moment](t, s, "step", StepParams{Packet: p.Packet, Move: "end"})
	if end.Value != 0 || end.Values != 2 || end.Result != "int(5)" || end.Cursor != 12 {
		t.Errorf("end of the first value: %+v", end)
	}
	next := call[Moment](t, s, "step", StepParams{Packet: p.Packet, At: end.Step, Move: "step"})
	if next.Value != 1 || next.Step != 0 || next.Cursor != 16 {
		t.Errorf("after the first value: %+v", next)
	}
	if back := call[Moment](t, s, "step", StepParams{Packet: p.Packet, Value: 1, Move: "back"}); back.Value != 0 || back.Step != end.Step {
		t.Errorf("before the second value: %+v", back)
	}
	if at := call[Moment](t, s, "step", StepParams{Packet: p.Packet, Move: "byte", Target: "20"}); at.Value != 1 || at.Cursor > 20 {
		t.Errorf("byte 20: %+v", at)
	}
	if w := call[Moment](t, s, "step", StepParams{Packet: p.Packet, Value: 1, Encode: true, Move: "end"}); w.Result != "8 bytes" {
		t.Errorf("written: %+v", w)
	}
}

// A text may extend the texts beside it.
func TestBeside(t *testing.T) {
	s := New()
	base := TextFile{"base", "schema \"base\" {\n    order little\n    root T\n}\n\ntype T {\n    | 0 | 1 | u8 | first | \"one\"\n}\n"}
	text := "schema \"next\" extends \"base\" {\n    title \"the next version\"\n}\n\nextend T {\n    | 1 | 2 | u16 | second | \"two\"\n}\n"
	if c := call[Compiled](t, s, "compile", CompileParams{Text: text}); c.Schema != "" || len(c.Diagnostics) == 0 {
		t.Errorf("compiled without the schema that it extends: %+v", c)
	}
	c := call[Compiled](t, s, "compile", CompileParams{text, []TextFile{base}})
	if c.Schema == "" || len(c.Diagnostics) > 0 {
		t.Fatalf("%+v", c.Diagnostics)
	}
	p := call[Packet](t, s, "open", OpenParams{Data: []byte{1, 2, 3}, Schema: c.Schema})
	if it := find(t, s, p.Packet, "", Row, -1); it.Label != "first" || it.Row.File != "base.oct" {
		t.Errorf("%+v", it)
	}
}

// TestLanes checks that rows that are read at once as a tuple are still rows. Each number has its own row, and each row
// its number.
func TestLanes(t *testing.T) {
	s := New()
	p := call[Packet](t, s, "open", OpenParams{Data: []byte{5, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}, Schema: "godot-4.4"})
	way := call[Way](t, s, "locate", LocateParams{Packet: p.Packet, Offset: 9, Part: -1})
	y := way.Steps[len(way.Steps)-1].Item
	info := call[RowInfo](t, s, "row", RowParams{"godot-4.4", *y.Row})
	x := call[Way](t, s, "locate", LocateParams{Packet: p.Packet, Offset: 5, Part: -1})
	if first := x.Steps[len(x.Steps)-1].Item; y.Label != "y" || y.Row.Line != first.Row.Line+1 || info.Name != "Vector2.y" {
		t.Errorf("byte 9 is %s of row %v, %s; byte 5 is of row %v", y.Label, y.Row, info.Name, first.Row)
	}
	if found := call[ReadBy](t, s, "readBy", ReadByParams{p.Packet, *y.Row, -1}); len(found.Items) != 1 || found.Items[0].Part != 1 || found.Items[0].Label != "y" {
		t.Errorf("the row of y has read %+v", found.Items)
	}
}

// A range of bytes is at the smallest node that has it, with the rows of all of its leaves.
func TestRange(t *testing.T) {
	s := New()
	// [Vector2(1, 2), 7]
	p := call[Packet](t, s, "open", OpenParams{Data: unhex(t, "1c000000 02000000 05000000 0000803f 00000040 02000000 07000000"), Schema: "godot-4.4"})
	for _, test := range []struct {
		from, to int
		label    string
		rows     int
	}{
		{0, 8, "Array", 2},      // the header and the count
		{8, 20, "[0]", 3},       // all of an element
		{13, 15, "x", 1},        // within a number
		{12, 20, "Vector2", 2},  // the numbers of a tuple, which are one row
		{16, 28, "elements", 3}, // parts of two elements
		{0, 28, "Array", 5},
	} {
		way := call[Way](t, s, "locate", LocateParams{Packet: p.Packet, Offset: test.from, To: test.to, Part: -1})
		last := way.Steps[len(way.Steps)-1].Item
		if label := cmp.Or(last.Label, last.Type); label != test.label || len(way.Rows) != test.rows {
			t.Errorf("bytes %d to %d are in %s, of the rows %v", test.from, test.to, label, way.Rows)
		}
	}
}
