package view

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
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
	for _, info := range call[Schemas](t, s, "schemas", SchemasParams{}).Schemas {
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
