package codec_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
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

// TestStructErrors checks the error for a value that does not fit its Go type. It has the path of the value and the
// type.
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
	err = v.To(new(one[struct{ Time int }]))
	if want := `codec: cannot read .samples[0] into Go struct { Time int }: no field takes its field "time"; use Codec.To with Options.Names = SnakeNames, by which Time takes it`; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
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
	named := struct{ Magic string }{"DATA"}
	_, err = c.Marshal(named)
	if want := `codec: cannot write .Magic from Go string: Batch has no field Magic; its fields are {magic: …, samples: …}; set Options.Names = SnakeNames`; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	camel, err := compiler.New("schema \"camel\" {\n    root T\n}\n\ntype T {\n    | 0 | 1 | u8 | maxHp |\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	_, err = camel.Marshal(struct{ MaxHp uint8 }{5})
	if want := `codec: cannot write .MaxHp from Go uint8: T has no field MaxHp; its fields are {maxHp: …}; set Options.Names = CamelNames`; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	if _, err = c.Marshal(map[string]any{"Magic": "DATA"}); err == nil || strings.Contains(err.Error(), "Options.Names") {
		t.Errorf("%v, but keys of maps have no naming", err)
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

// shout is a text in capital letters.
type shout string

func (s shout) MarshalText() ([]byte, error) {
	if s == "" {
		return nil, errors.New("it is empty")
	}
	return bytes.ToLower([]byte(s)), nil
}

func (s *shout) UnmarshalText(b []byte) error {
	if len(b) > 3 {
		return errors.New("it is too long")
	}
	*s = shout(bytes.ToUpper(b))
	return nil
}

// half makes its own values.
type half int

func (h half) MarshalOctable() (codec.Value, error) {
	c, err := codec.Load("godot-4")
	if err != nil {
		return codec.Value{}, err
	}
	return c.ValueOf(int(h) * 2)
}

func (h *half) UnmarshalOctable(v codec.Value) error {
	n, ok := v.AsInt()
	if !ok || n%2 != 0 {
		return errors.New("it is odd")
	}
	*h = half(n / 2)
	return nil
}

// One field of a sample.
type (
	noteOf[T any] struct {
		X T `octable:"note"`
	}
	levelOf[T any] struct {
		X T `octable:"level"`
	}
	timeOf[T any] struct {
		X T `octable:"time"`
	}
	kindOf[T any] struct {
		X T `octable:"kind"`
	}
	pairsOf[T any] struct {
		X T `octable:"pairs"`
	}
	atOf[T any] struct {
		X T `octable:"at"`
	}
	rawOf[T any] struct {
		X T `octable:"raw"`
	}
	valueOf[T any] struct {
		X T `octable:"value"`
	}
)

// Parts of a value go into many Go types and come back as the same bytes.
func TestStructParts(t *testing.T) {
	c := compiled(t, "testdata/batch.oct")
	v, err := c.ParseText(`{magic: "DATA", samples: [{time: 5, level: -10, value: 0.5, at: [1, 2], raw: [7, 8], note: "hi", kind: Say("yes"), pairs: {"a": 1, "b": 2, "a": 3}}, {time: 6, level: 12, value: 1, at: [3, 4], raw: [], kind: Ping, pairs: {}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	type text struct{ Text string }
	type samples[T any] struct {
		Samples []T `octable:"samples"`
	}
	loose := with(codec.Options{IgnoreUnknown: true})
	for _, e := range []struct {
		ptr  any
		want string // the value as JSON of Go, or the error
	}{
		{new(samples[noteOf[*shout]]), `{"Samples":[{"X":"hi"},{"X":null}]}`},
		{new(samples[noteOf[*shout]]), `{"Samples":[{"X":"hi"},{"X":null}]}`},
		{new(samples[noteOf[**string]]), `{"Samples":[{"X":"hi"},{"X":null}]}`},
		{new(samples[levelOf[half]]), `{"Samples":[{"X":-5},{"X":6}]}`},
		{new(samples[timeOf[half]]), `codec: cannot read .samples[0].time into Go codec_test.half: its UnmarshalOctable: it is odd`},
		{new(samples[kindOf[map[string]*shout]]), `codec: cannot read .samples[1].kind.Ping into Go codec_test.shout: it is Ping; its Go type is a struct, a map of string, any or codec.Value`},
		{new(samples[kindOf[struct{ Ping, Say any }]]), `{"Samples":[{"X":{"Ping":null,"Say":"yes"}},{"X":{"Ping":{},"Say":null}}]}`},
		{new(samples[kindOf[map[int]string]]), `codec: cannot read .samples[0].kind into Go map[int]string: it is Say("yes"); its Go type is a struct with a field for each arm, a map of string, any or codec.Value`},
		{new(samples[pairsOf[[]codec.Pair]]), `{"Samples":[{"X":[{"Key":"a","Value":1},{"Key":"b","Value":2},{"Key":"a","Value":3}]},{"X":[]}]}`},
		{new(samples[pairsOf[map[string]int]]), `codec: cannot read .samples[0].pairs into Go map[string]int: key "a" occurs twice; []codec.Pair takes all pairs`},
		{new(samples[pairsOf[map[shout]float32]]), `codec: cannot read .samples[0].pairs into Go map[codec_test.shout]float32: key "a" occurs twice; []codec.Pair takes all pairs`},
		{new(samples[pairsOf[map[any]any]]), `codec: cannot read .samples[0].pairs into Go map[interface {}]interface {}: key "a" occurs twice; []codec.Pair takes all pairs`},
		{new(samples[pairsOf[[]int]]), `codec: cannot read .samples[0].pairs into Go []int: it is {"a": 1, "b": 2, "a": 3}; its Go type is a map, []codec.Pair, a slice of structs with Key and Value, any or codec.Value`},
		{new(samples[pairsOf[[]struct{ Key, Value any }]]), `{"Samples":[{"X":[{"Key":"a","Value":1},{"Key":"b","Value":2},{"Key":"a","Value":3}]},{"X":[]}]}`},
		{new(samples[pairsOf[map[string]string]]), `codec: cannot read .samples[0].pairs["a"] into Go string: it is 1; its Go type is an integer, any or codec.Value`},
		{new(samples[noteOf[error]]), `codec: cannot read .samples[0].note into Go error: it is an interface with methods; use any or a pointer to a type, or declare its types in Options.Interfaces`},
		{new(samples[struct {
			Time int            `octable:"time"`
			Rest map[string]any `octable:",rest"`
		}]), `{"Samples":[{"Time":5,"Rest":{"at":[1,2],"kind":{"Say":"yes"},"level":-10,"note":"hi","pairs":[{"Key":"a","Value":1},{"Key":"b","Value":2},{"Key":"a","Value":3}],"raw":"Bwg=","value":0.5}},{"Time":6,"Rest":{"at":[3,4],"kind":"Ping","level":12,"pairs":[],"raw":"","value":1}}]}`},
		{new(samples[struct {
			Rest map[string]int `octable:",rest"`
		}]), `codec: cannot read .samples[0].value into Go int: float 0.5 is not an integer of 64 bits; use float64`},
		{new(samples[map[string]any]), `{"Samples":[{"at":[1,2],"kind":{"Say":"yes"},"level":-10,"note":"hi","pairs":[{"Key":"a","Value":1},{"Key":"b","Value":2},{"Key":"a","Value":3}],"raw":"Bwg=","time":5,"value":0.5},{"at":[3,4],"kind":"Ping","level":12,"pairs":[],"raw":"","time":6,"value":1}]}`},
		{new(samples[map[string]codec.Value]), `{"Samples":[{"at":[1,2],"kind":{"Say":"yes"},"level":-10,"note":"hi","pairs":[["a",1],["b",2],["a",3]],"raw":"Bwg=","time":5,"value":0.5},{"at":[3,4],"kind":"Ping","level":12,"pairs":[],"raw":"","time":6,"value":1}]}`},
		{new(samples[atOf[[2]uint16]]), `{"Samples":[{"X":[1,2]},{"X":[3,4]}]}`},
		{new(samples[atOf[[]float64]]), `{"Samples":[{"X":[1,2]},{"X":[3,4]}]}`},
		{new(samples[rawOf[string]]), `codec: cannot read .samples[0].raw into Go string: it is [7, 8]; its Go type is a slice or an array, any or codec.Value`},
		{new(samples[rawOf[[2]byte]]), `codec: cannot read .samples[1].raw into Go [2]uint8: it has 0 elements, and the Go array 2; a slice takes any number`},
		{new(samples[valueOf[float32]]), `{"Samples":[{"X":0.5},{"X":1}]}`},
		{new(samples[valueOf[int]]), `codec: cannot read .samples[0].value into Go int: float 0.5 is not an integer of 64 bits; use float64`},
		{new(samples[valueOf[bool]]), `codec: cannot read .samples[0].value into Go bool: it is 0.5; its Go type is float64, any or codec.Value`},
		{new(samples[any]), `{"Samples":[{"at":[1,2],"kind":{"Say":"yes"},"level":-10,"note":"hi","pairs":[{"Key":"a","Value":1},{"Key":"b","Value":2},{"Key":"a","Value":3}],"raw":"Bwg=","time":5,"value":0.5},{"at":[3,4],"kind":"Ping","level":12,"pairs":[],"raw":"","time":6,"value":1}]}`},
		{new(samples[text]), `{"Samples":[{"Text":""},{"Text":""}]}`},
	} {
		err := loose.To(v, e.ptr)
		b, failed := json.Marshal(e.ptr)
		got := string(b)
		if err != nil {
			got = err.Error()
		} else if failed != nil {
			t.Fatal(failed)
		}
		if got != e.want {
			t.Errorf("%T: got  %s\nwant %s", e.ptr, got, e.want)
		}
	}
}

// TestArmOfTruth writes arms of a truth and of nothing from structs that have a field for each arm. It does so by ValueOf,
// which no plan does, and by Marshal. Codes in lists are numbers in Go as well as texts.
func TestArmOfTruth(t *testing.T) {
	c := plannedSchema(t, `schema "truth" {
    order big
    root T
}
union Kind by kind { | 0 | 1 | u8 | kind | }
arm Kind 0 Ping {}
arm Kind 1 On { | 1 | 1 | bool8 | value | }
type T {
    | 0 | N | Kind | kind |
    | P | 8 | code4[2] | codes |
}
`, codec.Options{Names: codec.SnakeNames})
	type kind struct {
		Ping bool  `octable:"Ping"`
		On   *bool `octable:"On"`
	}
	type value struct {
		Kind  kind
		Codes []uint32
	}
	codes := []uint32{0x44434241, 255}
	for _, x := range []struct {
		kind  kind
		bytes string
	}{
		{kind{Ping: true}, "\x00"},
		{kind{On: new(true)}, "\x01\x01"},
		{kind{On: new(false)}, "\x01\x00"},
	} {
		want := x.bytes + "ABCD\xff\x00\x00\x00"
		in := value{x.kind, codes}
		v, err := c.ValueOf(in)
		if err != nil {
			t.Errorf("%+v: %v", in, err)
			continue
		}
		byValue, err := c.Encode(v)
		byPlan, err2 := c.Marshal(&in)
		if err != nil || err2 != nil || string(byValue) != want || string(byPlan) != want {
			t.Errorf("%+v: % x, %v; by plan % x, %v; want % x", in, byValue, err, byPlan, err2, want)
		}
		var out value
		if err := c.Unmarshal(byValue, &out); err != nil || !reflect.DeepEqual(in, out) {
			t.Errorf("%+v: %+v, %v", in, out, err)
		}
	}
	for _, codes := range []any{[]int64{-1, 1}, []uint64{1 << 32, 1}, []string{"ABC", "ABCD"}} {
		_, err := c.Marshal(map[string]any{"kind": kind{Ping: true}, "codes": codes})
		if err == nil || !strings.Contains(err.Error(), "is not a number that code4 holds") {
			t.Errorf("%v: %v", codes, err)
		}
	}
}
