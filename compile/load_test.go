package compile

import (
	"errors"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
)

// TestResolve resolves schemas from memory, with what they extend beside them.
func TestResolve(t *testing.T) {
	const base = "schema \"base\" { root T }\ntype T { | 0 | 1 | u8 | x | }\n"
	s, err := Resolve("new.oct", []byte("schema \"new\" extends \"base\" {}\nextend T { | 1 | 1 | u8 | y | }\n"), map[string]string{"base": base})
	if err != nil || s.Record("T") == nil || len(s.Record("T").Body) != 2 {
		t.Errorf("%v, %v", s, err)
	}
	for text, file := range map[string]string{"type": "new.oct", "schema \"new\" extends \"wrong\" {}": "new.oct", "schema \"new\" extends \"none\" {}": "new.oct"} {
		var all dsl.Diagnostics
		if _, err := Resolve("new.oct", []byte(text), map[string]string{"wrong": "type"}); !errors.As(err, &all) || all[0].Pos.Filename != file {
			t.Errorf("%s: %v, want an error in %s", text, err, file)
		}
	}
}

// TestFixedMap: a map with a constant number of pairs has the bytes of all of them.
func TestFixedMap(t *testing.T) {
	p, err := Text("map.oct", []byte(`schema "map" { root T }
type T {
    map 3 as pairs {
        | P | 1 | K | key |
        | P+1 | 2 | V | value |
    }
}
type K { | 0 | 1 | u8 | k | }
type V { | 0 | 2 | u16 | v | }
`), "")
	if err != nil {
		t.Fatal(err)
	}
	if b := p.Bounds(p.Root); b.Min != 9 {
		t.Errorf("three pairs of 3 bytes take at least %d", b.Min)
	}
}

// TestOrderedText checks that text in UTF-16 has the order of bytes of the record around it. A number selects that
// order, or it is fixed.
func TestOrderedText(t *testing.T) {
	p, err := Text("text.oct", []byte(`schema "text" { root File }
encoding wide { utf16 }
type File {
    | 0 | 1 | u8 | data |
    order by data { 1 little, 2 big }
    | 1 | 1 | u8 | n = len(text) |
    | 2 | n | wide[n] | text |
    | P | N | Name | name |
    | Q | M | Value | value |
}
type Name { | 0 | 1 | u8 | n = len(text) | | 1 | n | wide[n] | text | }
union Value by kind { | 0 | 2 | u16 | kind | }
arm Value 1 pair {
    | 2 | 2 | u16 | a |
    | 4 | 2 | u16 | b |
}
arm Value 2 name { | 2 | N | Name | name | }
`), "")
	if err != nil {
		t.Fatal(err)
	}
	charsets := map[string]int{}
	for _, in := range p.Code {
		if in.Op == bytecode.Text {
			charsets[p.Encodings[in.A].Charset.Title()]++
		}
	}
	if len(charsets) != 2 {
		t.Errorf("texts are in %v", charsets)
	}
}
