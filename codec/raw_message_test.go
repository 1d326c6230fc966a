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
		Kind string           `octable:"kind"`
		Body codec.RawMessage `octable:"body"`
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
		Rest map[string]codec.RawMessage `octable:",rest"`
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
	two, err := c.With(codec.Options{MaxDepth: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []any{map[string]codec.RawMessage{"a": {1, 2, 3}, "b": number}, map[string]codec.RawMessage{"a": nil, "b": append(bytes.Clone(number), 0)}} {
		if b, err := c.Marshal(x); err == nil {
			t.Errorf("%x", b)
		}
	}
	if b, err := c.Marshal(map[string]codec.RawMessage{"a": nil}); err != nil || !bytes.HasSuffix(b, []byte{0, 0, 0, 0}) {
		t.Errorf("%x, %v", b, err)
	}
	if b, err := two.Marshal([]any{[]any{[]any{map[string]codec.RawMessage{"a": number}}}}); !errors.Is(err, codec.ErrNesting) {
		t.Errorf("%x, %v", b, err)
	}
	one, err := c.With(codec.Options{MaxDepth: 1})
	if err != nil {
		t.Fatal(err)
	}
	for depth, x := range []any{map[string]codec.RawMessage{"a": number}, []map[string]codec.RawMessage{{"a": number}}} {
		b, err := one.Marshal(x)
		want, err2 := codec.AppendValue(one, nil, x)
		if !bytes.Equal(b, want) || !sameError(err, err2) || (err == nil) != (depth == 0) {
			t.Errorf("%T: %x, %v; by Values %x, %v", x, b, err, want, err2)
		}
	}
	if b, err := two.Marshal(map[string]codec.RawMessage{"a": number}); err != nil || !bytes.HasSuffix(b, number) {
		t.Errorf("%x, %v", b, err)
	}
	for _, bad := range []codec.RawMessage{{1, 2, 3}, append(bytes.Clone(number), 0, 0, 0, 0)} {
		if b, err := c.Marshal(message{"a", bad}); err == nil || !strings.Contains(err.Error(), ".body") {
			t.Errorf("%x, %v", b, err)
		}
	}
	if _, err := godot.ValueOf(codec.RawMessage(number)); !errors.Is(err, codec.ErrGoType) {
		t.Error(err)
	}
	var raw codec.RawMessage
	if err := codec.MustLoad("godot-2").To(godot.NewInt(1<<40), &raw); err == nil || !strings.Contains(err.Error(), "it cannot be encoded") {
		t.Errorf("%x, %v", raw, err)
	}
	if err := godot.NewInt(7).To(&raw); !errors.Is(err, codec.ErrGoType) {
		t.Error(err)
	}
	if err := c.To(godot.NewInt(7), &raw); err != nil || !bytes.Equal(raw, number) {
		t.Errorf("%x, %v", raw, err)
	}
}

// TestRawMessageBytes keeps bytes that no writer makes, in every container. They are a float in the wide form that
// would fit the narrow one, and text with other padding.
func TestRawMessageBytes(t *testing.T) {
	c := codec.MustLoad("godot-4")
	wide := mustHex(t, "030001000000000000000040")
	odd := mustHex(t, "0400000001000000"+"61ffffff")
	number := mustHex(t, "0200000007000000")
	text := func(s string) []byte { b, _ := c.Marshal(s); return b }
	dictionary := func(pairs ...[]byte) []byte {
		return append(mustHex(t, "1b000000"+[]string{"00", "01", "02", "03"}[len(pairs)/2]+"000000"), bytes.Join(pairs, nil)...)
	}
	type inner struct {
		Kept codec.RawMessage            `octable:"kept"`
		Rest map[string]codec.RawMessage `octable:",rest"`
	}
	type positional struct {
		_    struct{} `octable:",array"`
		A, B codec.RawMessage
	}
	list := append(mustHex(t, "1c00000002000000"), append(bytes.Clone(wide), odd...)...)
	for name, x := range map[string]struct {
		packet []byte
		ptr    any
	}{
		"map":        {dictionary(text("a"), wide, text("b"), odd), &map[string]codec.RawMessage{}},
		"rest":       {dictionary(text("kept"), wide, text("a"), odd, text("b"), wide), &inner{}},
		"slice":      {list, &[]codec.RawMessage{}},
		"typed":      {append(mustHex(t, "1c0001000200000002000000"), append(bytes.Clone(number), number...)...), &[]codec.RawMessage{}},
		"positional": {list, &positional{}},
		"nested":     {dictionary(text("x"), dictionary(text("kept"), odd, text("a"), wide)), &map[string]*inner{}},
		"rest of rest": {dictionary(text("kept"), odd, text("y"), dictionary(text("a"), wide)), &struct {
			Kept codec.RawMessage                       `octable:"kept"`
			Rest map[string]map[string]codec.RawMessage `octable:",rest"`
		}{}},
	} {
		for _, alias := range []bool{false, true} {
			a, err := c.With(codec.Options{Alias: alias})
			if err != nil {
				t.Fatal(err)
			}
			b := bytes.Clone(x.packet)
			if err := a.Unmarshal(b, x.ptr); err != nil {
				t.Fatal(name, err)
			}
			if !alias {
				clear(b) // the bytes are copies
			}
			out, err := a.Marshal(x.ptr)
			if exact := name != "nested" && name != "typed" && name != "rest of rest" && name != "positional"; err != nil || exact && !bytes.Equal(out, x.packet) {
				t.Errorf("%s, alias %v: %v\n%x\n%x", name, alias, err, out, x.packet)
			}
			var parts []codec.RawMessage
			switch p := x.ptr.(type) {
			case *positional:
				parts = append(parts, p.A, p.B)
			case *map[string]*inner:
				parts = append(parts, (*p)["x"].Rest["a"], (*p)["x"].Kept)
			default:
				continue
			}
			if !bytes.Equal(parts[0], wide) || !bytes.Equal(parts[1], odd) {
				t.Errorf("%s: %x", name, parts)
			}
		}
	}
	taken := struct {
		A    int
		Rest map[string]codec.RawMessage `octable:",rest"`
	}{1, map[string]codec.RawMessage{"A": wide}}
	if b, err := c.Marshal(&taken); !errors.Is(err, codec.ErrDuplicateKey) {
		t.Errorf("%x, %v", b, err)
	}
}
