package codec_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// TestRawMessage keeps parts of packets as bytes, in every place that a Go value has.
func TestRawMessage(t *testing.T) {
	c := codec.MustLoad("godot-4")
	type message struct {
		Kind string           `godot:"kind"`
		Body codec.RawMessage `godot:"body"`
	}
	body := mustHex(t, "0300010000000000000000400300000000000000") // a float in the wide form that would fit the narrow one
	body = body[:12]
	b, err := c.Marshal(message{"move", body})
	if err != nil || !bytes.HasSuffix(b, body) {
		t.Fatalf("%x, %v", b, err)
	}
	var got message
	if err := c.Unmarshal(b, &got); err != nil || got.Kind != "move" || !bytes.Equal(got.Body, body) {
		t.Fatalf("%+v, %v", got, err)
	}
	clear(b)
	if !bytes.Equal(got.Body, body) {
		t.Error("the bytes are those of the packet")
	}
	var f float64
	if err := c.Unmarshal(got.Body, &f); err != nil || f != 2 {
		t.Error(f, err)
	}
	number := mustHex(t, "0200000007000000")
	for _, x := range []any{map[string]codec.RawMessage{"a": number}, []codec.RawMessage{number, nil}, &struct {
		A    codec.RawMessage
		Rest map[string]codec.RawMessage `godot:",rest"`
	}{number, map[string]codec.RawMessage{"b": number}}, codec.RawMessage(number)} {
		b, err := c.Marshal(x)
		if err != nil || !bytes.Contains(b, number) {
			t.Errorf("%T: %x, %v", x, b, err)
		}
		v, _, err := c.Decode(b)
		if err != nil {
			t.Errorf("%T: %v", x, err)
		}
		again, err := c.ValueOf(x)
		if err != nil || !again.Equal(v) {
			t.Errorf("%T: %v, %v", x, again, err)
		}
	}
	for _, bad := range []codec.RawMessage{{1, 2, 3}, append(bytes.Clone(number), 0, 0, 0, 0)} {
		if b, err := c.Marshal(message{"a", bad}); err == nil || !strings.Contains(err.Error(), ".body") {
			t.Errorf("%x, %v", b, err)
		}
	}
	var raw codec.RawMessage
	if err := godot.NewInt(7).To(&raw); !errors.Is(err, codec.ErrGoType) {
		t.Error(err)
	}
	if err := c.To(godot.NewInt(7), &raw); err != nil || !bytes.Equal(raw, number) {
		t.Errorf("%x, %v", raw, err)
	}
}
