package vectors

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// TestPartsOfRecords checks that the names that a schema has for the parts of a value are not part of it. A
// NodePath that was read is the same as that of the notation.
func TestPartsOfRecords(t *testing.T) {
	c := codec.MustLoad("godot-3")
	read, _, err := c.Decode([]byte("\x0f\x00\x00\x00\x01\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00a\x55\x00\x00"))
	if err != nil {
		t.Fatal(err)
	}
	meant, err := godot.ParseJSON([]byte(`{"$type": "NodePath", "value": "a"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]codec.Value{{read, meant}, {meant, read}} {
		if r, path, text := Compare(pair[0], pair[1]); r != Exact {
			t.Errorf("%s at %s: %s", r, path, text)
		}
	}
}

func TestFold(t *testing.T) {
	text := strings.Repeat(`{"$type":"Array","value":[`, 300) + `{"$type":"Nil"}` + strings.Repeat("]}", 300)
	f := fold(text)
	if f.Times < 290 || f.Text() != text {
		t.Errorf("%d times %q, %q, %q", f.Times, f.Before, f.Inner, f.After)
	}
	if f := fold("[[1]]"); f.Text() != "[[1]]" {
		t.Errorf("%+v", f)
	}
	s := Suite{Format: Format, Cases: []Case{{ID: "a", Result: Valid, Bytes: "00", Value: json.RawMessage(text)}}}
	back, err := Parse(s.Marshal())
	if err != nil || string(back.Cases[0].Value) != text || back.Cases[0].Deep != nil {
		t.Errorf("a deep value becomes another: %v", err)
	}
}
