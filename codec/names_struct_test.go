package codec_test

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
)

type batch struct {
	Magic   string   `octable:"magic"`
	Samples []sample `octable:"samples"`
}

type sample struct {
	Time  uint32  `octable:"time"`
	Level int16   `octable:"level"`
	Value float32 `octable:"value"`
	At    [2]int  `octable:"at"`
	Raw   []byte  `octable:"raw"`
	Note  *string `octable:"note"`
	Kind  struct {
		Ping bool
		Say  *string
	} `octable:"kind"`
	Pairs map[string]uint8 `octable:"pairs"`
}

// Structs go to bytes and back by names of fields, and are the value of the same text.
func TestStructs(t *testing.T) {
	c := compiled(t, "testdata/batch.oct")
	hi, note := "hi", "n"
	in := batch{Magic: "DATA", Samples: []sample{
		{Time: 5, Level: -10, Value: 0.1, At: [2]int{1, 2}, Raw: []byte{7, 8}, Pairs: map[string]uint8{"a": 1, "b": 2}},
		{Time: math.MaxUint32, At: [2]int{3, 65535}, Raw: []byte{}, Note: &note, Pairs: map[string]uint8{}},
	}}
	in.Samples[0].Kind.Say = &hi
	in.Samples[1].Kind.Ping = true
	b, err := c.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.ParseText(`{magic: "DATA", samples: [{time: 5, level: -10, value: 0.1, at: [1, 2], raw: [7, 8], kind: Say("hi"), pairs: {"a": 1, "b": 2}},
		{time: 4294967295, level: 0, value: 0, at: [3, 65535], raw: [], note: "n", kind: Ping, pairs: {}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := c.Encode(v); err != nil || !bytes.Equal(b, want) {
		t.Errorf("the struct is %x, the text is %x, %v", b, want, err)
	}
	for name, back := range map[string]func(ptr any) error{
		"codec":  func(ptr any) error { return c.Unmarshal(b, ptr) },
		"mapper": func(ptr any) error { return c.NewMapper().Unmarshal(b, ptr) },
		"value":  func(ptr any) error { v, _, _ := c.Decode(b); return v.To(ptr) },
	} {
		var out batch
		if err := back(&out); err != nil || !reflect.DeepEqual(in, out) {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
	for name, ptr := range map[string]any{"any": new(any), "map": new(map[string]any), "value": new(codec.Value), "mixed": &struct {
		Magic   [4]byte          `octable:"magic"`
		Samples []map[string]any `octable:"samples"`
	}{}} {
		if err := c.Unmarshal(b, ptr); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again, err := c.Marshal(ptr); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%s: %x, not %x, %v", name, again, b, err)
		}
	}
}

// A value that does not fit its Go type gives an error with the path of the value and the type.
func TestStructErrors(t *testing.T) {
	c := compiled(t, "testdata/batch.oct")
	v, err := c.ParseText(`{magic: "DATA", samples: [{time: 70000, level: -10, value: 0.1, at: [1, 2], raw: [7], kind: Say("hi"), pairs: {"a": 1}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	type one[T any] struct {
		Samples []T `octable:"samples"`
		Magic   any `octable:"magic"`
	}
	loose := with(codec.Options{IgnoreUnknown: true})
	for _, e := range []struct {
		ptr  any
		want string
		kind error
	}{
		{new(one[struct {
			Time uint16 `octable:"time"`
		}]), "codec: cannot read .samples[0].time into Go uint16: int 70000 does not fit into uint16; a wider type would take it", codec.ErrInexact},
		{new(one[struct {
			Level uint `octable:"level"`
		}]), "codec: cannot read .samples[0].level into Go uint: int -10 does not fit into uint; a signed type would take it", codec.ErrInexact},
		{new(one[struct {
			Level string `octable:"level"`
		}]), "codec: cannot read .samples[0].level into Go string: it is -10; its Go type is an integer, any or codec.Value", codec.ErrMismatch},
		{new(one[struct {
			At [3]int `octable:"at"`
		}]), "codec: cannot read .samples[0].at into Go [3]int: it has 2 elements, and the Go array 3; a slice takes any number", codec.ErrMismatch},
		{new(one[struct {
			Kind string `octable:"kind"`
		}]), `codec: cannot read .samples[0].kind into Go string: it is Say("hi"); its Go type is a struct with a field for each arm, a map of string, any or codec.Value`, codec.ErrMismatch},
		{new(one[struct {
			Kind struct{ Ping bool } `octable:"kind"`
		}]), "codec: cannot read .samples[0].kind into Go struct { Ping bool }: it is the arm Say of Kind, which no field takes; add one, a pointer to its content", codec.ErrUnknownKey},
		{new(one[struct {
			Note *string `octable:"note,required"`
		}]), "codec: cannot read .samples[0] into Go struct { Note *string \"octable:\\\"note,required\\\"\" }: the field \"note\" is absent, which the tag says is required", codec.ErrMissingKey},
		{new([]int), "codec: cannot read the value into Go []int: it is {magic: \"DATA\", samples: [{time: 70000, …; its Go type is a struct, a map of string, any or codec.Value", codec.ErrMismatch},
	} {
		err := loose.To(v, e.ptr)
		if err == nil || err.Error() != e.want || !errors.Is(err, e.kind) {
			t.Errorf("%v\nwant %s", err, e.want)
		}
	}
	err = v.To(new(one[struct{}]))
	if want := `codec: cannot read .samples[0] into Go struct {}: no field takes its field "time"; add one with the tag ` + "`octable:\"time\"`" + `, or use Codec.To with Options.IgnoreUnknown`; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	type sampleOf[T any] struct {
		Samples []struct {
			Level T `octable:"level"`
		} `octable:"samples"`
	}
	bad := sampleOf[any]{}
	bad.Samples = append(bad.Samples, struct {
		Level any `octable:"level"`
	}{"x"})
	_, err = c.Marshal(bad)
	if want := `codec: cannot write .samples[0].level from Go string: "x" is not a value of level, which is an integer (i16)`; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	_, err = c.Marshal(struct{ Magics string }{"DATA"})
	if want := `codec: cannot write .Magics from Go string: Batch has no field Magics; its fields are {magic: …, samples: …}`; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	strict, err := c.With(codec.Options{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	_, err = strict.Marshal(map[string]any{"magic": "DATA", "samples": []map[string]any{{"value": 0.1}}})
	if want := `codec: cannot write .samples[0].value from Go float64: 0.1 is not a value of value, which is a number (f32)`; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}
