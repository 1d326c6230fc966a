package codec_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
)

// partsSchema has a row of each kind of value that goes into Go types.
const partsSchema = `schema "parts" {
    order big
    root Parts
}

type Parts {
    | 0   | 1 | bool8 | on                 | "a truth"
    | 1   | 4 | code4 | code               | "a code"
    | 5   | 8 | u64   | wide               | "a number"
    | 13  | A | Word  | word               | "a text"
    | P   | B | Node  | node               | "nodes in nodes"
    | Q   | C | Kind  | plain              | "an arm without content"
    | R   | D | Kind  | four               | "an arm of a code"
    | S   | E | Kind  | many               | "an arm of a record"
    | U   | 2 | Point | at                 | "a tuple"
    | U2  | H2 | Kind | both               | "an arm of a code and a number"
    | U1  | H | Kind  | more               | "an arm of a code and a number"
    | V   | 1 | u8    | n = count(grades)  | "number of grades"
    map n as grades {
        | W   | F | Word  | key   | "a name"
        | X   | 1 | u8    | value | "a grade"
    }
    | A1 | 1 | u8 | j = count(ages) | "number of ages"
    map j as ages {
        | A2   | 8 | i64 | key   | "a number"
        | A2+8 | 1 | u8  | value | "an age"
    }
    | Y | 1 | u8 | k = count(lists) | "number of pairs"
    map k as lists {
        | Z  | G | List  | key   | "a list"
        | Z1 | 8 | f64  | value | "a number"
    }
}

type Word {
    | 0 | 1 | u8      | l = len(text) | "bytes"
    | 1 | l | utf8[l] | text          | "a text"
}

type Point {
    | 0 | 1 | u8 | x | "a number"
    | 1 | 1 | u8 | y | "a number"
}

type List {
    | 0 | 1 | u8    | m = count(items) | "number of items"
    | 1 | m | u8[m] | items            | "items"
}

type Node {
    | 0 | 1 | u8 | m = count(nodes) | "number of nodes"
    repeat m as nodes {
        | N | S | Node | node | "a node"
    }
}

union Kind by kind { | 0 | 1 | u8 | kind | "kind" }
arm Kind 0 Plain {}
arm Kind 1 Four {
    | 1 | 4 | code4 | code | "a code"
    | 5 | 1 | u8    | _ = 7 | "a byte of one code" if code == 'more'
}
arm Kind 3 Both {
    | 1 | 4 | code4 | Code | "a code"
    | 5 | 1 | u8    | X    | "a number" if Code == 'more'
}
arm Kind 2 Many {
    | 1 | 8 | f64 | real  | "a number"
    | 9 | 4 | f32 | low   | "a number"
}
`

// lower is a text of small letters.
type lower string

func (l *lower) UnmarshalText(b []byte) error {
	if strings.ToLower(string(b)) != string(b) {
		return errors.New("it has capital letters")
	}
	*l = lower(b)
	return nil
}

// grade is an interface of arms of Kind.
type grade interface{ grade() }

type gradePlain struct{}

func (gradePlain) grade() {}

// TestPartsInto reads parts of a value into Go types that hold them, and into types that do not.
func TestPartsInto(t *testing.T) {
	c := plannedSchema(t, partsSchema, codec.Options{})
	v, hole := partsValue(t, c)
	exact, two := plannedSchema(t, partsSchema, codec.Options{Exact: true}), plannedSchema(t, partsSchema, codec.Options{MaxDepth: 2})
	nodes := parse(t, c, `{on: true, code: "abcd", wide: 1, word: "W", node: [`+strings.Repeat("[], ", 9)+`[]], plain: Plain, four: Plain, many: Plain, both: Plain, at: [1, 2], more: Plain, grades: {}, ages: {}, lists: {}}`).Field("node")
	grades := plannedSchema(t, partsSchema, codec.Options{Interfaces: []codec.Interface{codec.InterfaceOf("", map[string]grade{"Plain": gradePlain{}})}})
	for _, test := range []struct {
		c    *codec.Codec
		name string
		ptr  any
		want string // the value as JSON of Go, or the error
	}{
		{c, "on", new(bool), `true`},
		{c, "on", new(int), `the value into Go int: it is true; its Go type is bool, any or codec.Value`},
		{c, "code", new(any), `"abcd"`},
		{c, "code", new(bytes4), `[97,98,99,100]`},
		{c, "code", new([]byte), `the value into Go []uint8: it is "abcd"; its Go type is an integer, any or codec.Value`},
		{c, "wide", new(int64), `the value into Go int64: 18446744073709551615 does not fit into int64; use uint64`},
		{c, "word", new(lower), `the value into Go codec_test.lower: its UnmarshalText: it has capital letters`},
		{c, "word", new([]byte), `"Vw=="`},
		{c, "word", new(int), `the value into Go int: it is "W"; its Go type is string, []byte, any or codec.Value`},
		{c, "word", new(struct{}), `the value into Go struct {}: it is "W"; its Go type is another one, any or codec.Value`},
		{c, "node", new(any), `[[],[[]]]`},
		{two, "node", new(any), `[[],[[]]]`},
		{two, "node", new([][][][]any), `[[],[[]]]`},
		{c, "node", new(endless), `the value into Go codec_test.endless: the Go value is 4097 pointers deep, or points to itself`},
		{c, "hole", new(any), `[null,[[]]]`},
		{c, "hole", &[]any{1}, `[null,[[]]]`},
		{c, "hole", new([]*[]any), `[null,[[]]]`},
		{c, "hole", new([]int), `[0] into Go int: it has no value; its Go type is a pointer, any or codec.Value`},
		{c, "both", new(struct{ Both struct{ Code, X any } }), `{"Both":{"Code":"more","X":5}}`},
		{c, "plain", new(any), `"Plain"`},
		{c, "plain", new(map[string]codec.Value), `{"Plain":"Plain"}`},
		{c, "plain", new(grade), `the value into Go codec_test.grade: it is an interface with methods; use any or a pointer to a type, or declare its types in Options.Interfaces`},
		{grades, "plain", new(grade), `{}`},
		{grades, "four", new(grade), `the value into Go codec_test.grade: it is the arm Four of Kind, which names none of its types: Plain`},
		{grades, "at", new(grade), `the value into Go codec_test.grade: it is [1, 2]; its Go type is the type of a record, any or codec.Value`},
		{c, "four", new(any), `{"Four":"ABCD"}`},
		{c, "four", new(map[string]string), `{"Four":"ABCD"}`},
		{c, "four", new(map[string]*any), `{"Four":"ABCD"}`},
		{c, "four", new(map[int]string), `the value into Go map[int]string: it is Four("ABCD"); its Go type is a struct with a field for each arm, a map of string, any or codec.Value`},
		{c, "four", new(struct{ Four bytes4 }), `{"Four":[65,66,67,68]}`},
		{c, "four", new(struct{ Four uint32 }), `{"Four":1145258561}`},
		{c, "four", new(struct{ *hiddenArm }), `the value into Go struct { *codec_test.hiddenArm }: the embedded pointer *codec_test.hiddenArm is nil and cannot be set, since its type is not exported`},
		{c, "four", new(twoKeys), `the value into Go codec_test.twoKeys: the type has two fields with the key "a"; give one another name in its tag`},
		{c, "more", new(any), `{"Four":"more"}`},
		{c, "more", new(map[string]string), `{"Four":"more"}`},
		{c, "more", new(struct{ Four bytes4 }), `{"Four":[109,111,114,101]}`},
		{c, "many", new(manyOf[map[string]int]), `.Many.real into Go int: float 0.1 is not an integer of 64 bits; use float64`},
		{c, "many", new(manyOf[twoKeys]), `.Many into Go codec_test.twoKeys: the type has two fields with the key "a"; give one another name in its tag`},
		{c, "many", new(manyOf[struct {
			Real int `octable:"real,string"`
		}]), `.Many into Go struct { Real int "octable:\"real,string\"" }: field Real has a tag with array, exact, string or unix, which are for Variants; Options.Exact is for all schemas`},
		{c, "many", new(manyOf[struct{ *hiddenRest }]), `.Many into Go struct { *codec_test.hiddenRest }: the embedded pointer *codec_test.hiddenRest is nil and cannot be set, since its type is not exported`},
		{c, "many", new(manyOf[restOf[[]codec.Pair]]), `.Many into Go codec_test.restOf[[]github.com/octable/octable/codec.Pair]: field Rest for the rest has to be a map of string, since fields of records have names`},
		{c, "many", new(manyOf[restOf[map[int]any]]), `.Many into Go codec_test.restOf[map[int]interface {}]: field Rest for the rest has to be a map of string, since fields of records have names`},
		{c, "many", new(manyOf[restOf[map[string]string]]), `.Many.real into Go string: it is 0.1; its Go type is float64, any or codec.Value`},
		{c, "many", &manyOf[restOf[map[string]any]]{restOf[map[string]any]{map[string]any{"old": 1}}}, `{"Many":{"Rest":{"low":0.5,"real":0.1}}}`},
		{exact, "many", new(manyOf[map[string]float32]), `.Many.real into Go float32: float 0.1 does not fit into float32 without being rounded; use float64, or add round to the tag, or leave out Options.Exact`},
		{exact, "many", new(struct {
			Many map[string]float32 `octable:",round"`
		}), `{"Many":{"low":0.5,"real":0.1}}`},
		{exact, "", new(struct {
			_     struct{}            `octable:",ignoreunknown"`
			Lists map[[1]byte]float32 `octable:"lists,round"`
		}), `{{} map[[1]:0.1]}`},
		{exact, "", new(struct {
			Rest map[string]float32 `octable:",rest"`
		}), `.on into Go float32: it is true; its Go type is bool, any or codec.Value`},
		{c, "many", new(manyOf[placed]), `.Many into Go codec_test.placed: it is Many({real: 0.1, low: 0.5}); its Go type is another one, any or codec.Value`},
		{c, "four", new(placed), `the value into Go codec_test.placed: it is Four("ABCD"); its Go type is a struct with a field for each arm, a map of string, any or codec.Value`},
		{c, "at", new([2]int), `[1,2]`},
		{c, "at", new(map[string]int), `the value into Go map[string]int: it is [1, 2]; its Go type is a slice or an array, any or codec.Value`},
		{c, "grades", new(map[lower]int), `["B"] into Go codec_test.lower: its UnmarshalText: it has capital letters`},
		{c, "lists", new(map[any]float32), `the value into Go map[interface {}]float32: its key [1] has no equality in Go; []codec.Pair takes any keys`},
		{c, "lists", new(map[[1]byte]float32), `map[[1]:0.1]`},
		{exact, "lists", new([]struct {
			Key   [1]byte
			Value float32
		}), `[0] into Go float32: float 0.1 does not fit into float32 without being rounded; use float64, or add round to the tag, or leave out Options.Exact`},
		{exact, "lists", new(map[[1]byte]float32), `[[1]] into Go float32: float 0.1 does not fit into float32 without being rounded; use float64, or add round to the tag, or leave out Options.Exact`},
		{two, "many nodes", new([]*[]any), `[[],[],[],[],[],[],[],[],[],[]]`}, // pointers beside one another are not nested
		{two, "", new(any), `.node[1][0] into Go interface {}: it is nested over 2 levels deep; set Options.MaxDepth to allow more`},
		{two, "", new(struct {
			Node [][][]any              `octable:"node"`
			Rest map[string]codec.Value `octable:",rest"`
		}), `.node[1][0] into Go []interface {}: it is nested over 2 levels deep; set Options.MaxDepth to allow more`},
	} {
		part := v.Field(test.name)
		switch test.name {
		case "":
			part = v
		case "hole":
			part = hole
		case "many nodes":
			part = nodes
		}
		checkInto(t, test.c, test.name, part, test.ptr, test.want)
	}
}

// partsValue returns a decoded value of partsSchema, and its node with a part that has no value.
func partsValue(t *testing.T, c *codec.Codec) (v, hole codec.Value) {
	v = parse(t, c, `{on: true, code: "abcd", wide: 18446744073709551615, word: "W", node: [[], [[]]], plain: Plain, four: Four("ABCD"), many: Many({real: 0.1, low: 0.5}), both: Both({Code: "more", X: 5}), at: [1, 2], more: Four("more"), grades: {"a": 1, "B": 2}, ages: {-1: 2}, lists: {[1]: 0.1}}`)
	b, err := c.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	if v, _, err = c.Decode(b); err != nil {
		t.Fatal(err)
	}
	hole, err = v.Field("node").Set(codec.Path{0}, codec.Value{})
	if err != nil {
		t.Fatal(err)
	}
	return v, hole
}

// checkInto holds that a part goes into what ptr points to. Want is the Go value as JSON, or the error.
func checkInto(t *testing.T, c *codec.Codec, name string, part codec.Value, ptr any, want string) {
	t.Helper()
	err := c.To(part, ptr)
	got, failed := json.Marshal(ptr)
	if err != nil {
		got = []byte(strings.TrimPrefix(err.Error(), "codec: cannot read "))
	} else if failed != nil {
		got = fmt.Append(nil, reflect.ValueOf(ptr).Elem())
	}
	if string(got) != want {
		t.Errorf("%s, %T: got  %s\nwant %s", name, ptr, got, want)
	}
}

// TestPartsFrom makes a value from Go values that are written as a part, and refuses others.
func TestPartsFrom(t *testing.T) {
	c, exact := plannedSchema(t, partsSchema, codec.Options{}), plannedSchema(t, partsSchema, codec.Options{Exact: true})
	for _, test := range []struct {
		c    *codec.Codec
		name string
		x    any
		want string // the part of the value as text, or the error
	}{
		{c, "ages", map[int64]int{1 << 62: 1, 1<<62 + 1: 2, 1<<62 - 1: 3, -5: 4}, `{-5: 4, 4611686018427387903: 3, 4611686018427387904: 1, 4611686018427387905: 2}`},
		{c, "ages", map[any]int{uint8(10): 1, 9: 2, 11: 3, uint16(12): 4}, `{9: 2, 11: 3, 10: 1, 12: 4}`},
		{c, "grades", map[string]int{"b": 1, "a": 2}, `{"a": 2, "b": 1}`},
		{c, "grades", map[any]int{lower("a"): 1, shout("b"): 2, "a ": 3}, `{"a": 1, "a ": 3, "b": 2}`},
		{c, "wide", shout("HI"), `.wide from Go codec_test.shout: "hi" is not a value of wide, which is an integer (u64)`},
		{c, "grades", map[any]int{nil: 1, "a": 2}, `codec: byte 25, at .grades.key(0): value does not fit the schema: expected text, found nothing (Word.text, schema.oct:37)`},
		{c, "word", shout("HI"), `"hi"`},
		{c, "word", new(shout("HI")), `"hi"`},
		{c, "word", shout(""), `.word from Go codec_test.shout: a codec_test.shout, whose MarshalText fails (it is empty), is not a value of word, which is a text in quotes`},
		{c, "many", manyOf[numbers[int]]{numbers[int]{-5, 0.1}}, `Many({real: -5, low: 0.1})`},
		{exact, "many", manyOf[numbers[uint]]{numbers[uint]{5, 0.1}}, `Many({real: 5, low: 0.1})`},
		{exact, "many", manyOf[numbers[int64]]{numbers[int64]{1<<53 + 1, 0}}, `.many.Many.real from Go int64: 9007199254740993 is not a value of real, which is a number (f64)`},
		{exact, "many", manyOf[numbers[int64]]{numbers[int64]{-1<<53 - 1, 0}}, `.many.Many.real from Go int64: -9007199254740993 is not a value of real, which is a number (f64)`},
		{exact, "many", manyOf[numbers[uint64]]{numbers[uint64]{1<<64 - 1, 0}}, `.many.Many.real from Go uint64: 18446744073709551615 is not a value of real, which is a number (f64)`},
		{exact, "many", manyOf[map[string]float64]{map[string]float64{"real": 1, "low": 0.1}}, `.many.Many.low from Go float64: 0.1 is not a value of low, which is a number (f32)`},
		{exact, "many", struct {
			Many map[string]float64 `octable:",round"`
		}{map[string]float64{"real": 1, "low": 0.1}}, `Many({real: 1, low: 0.1})`},
		{c, "many", manyOf[restOf[map[string]any]]{restOf[map[string]any]{map[string]any{"real": 1, "low": 2}}}, `Many({real: 1, low: 2})`},
		{c, "many", manyOf[restOf[[]codec.Pair]]{}, `.many from Go codec_test.manyOf[github.com/octable/octable/codec_test.restOf[[]github.com/octable/octable/codec.Pair]]: a codec_test.manyOf[github.com/octable/octable/codec_test.restOf[[]github.com/octable/octable/codec.Pair]] is not a value of Kind; begin it with the name of an arm: Plain, Four, Many, Both`},
		{c, "many", manyOf[restOf[map[any]any]]{restOf[map[any]any]{map[any]any{"real": 1, "low": 2}}}, `.many.Many from Go codec_test.restOf[map[interface {}]interface {}]: a codec_test.restOf[map[interface {}]interface {}] is not the fields of Many: {real: …, low: …}`},
	} {
		whole := map[string]any{"on": true, "code": "abcd", "wide": 0, "word": "w", "node": []any{}, "plain": "Plain", "four": "Plain", "many": "Plain", "both": "Plain",
			"at": []int{1, 2}, "more": "Plain", "grades": map[string]int{}, "ages": map[int]int{}, "lists": map[string]int{}}
		whole[test.name] = test.x
		v, err := test.c.ValueOf(whole)
		got := v.Field(test.name).String()
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "codec: cannot write ")
		} else if b, err := test.c.Marshal(whole); err != nil {
			got = err.Error()
		} else if back, _, err := c.Decode(b); err != nil || !back.Equal(v) {
			t.Errorf("%s, %T: %v is read back, %v", test.name, test.x, back, err)
		}
		if got != test.want {
			t.Errorf("%s, %T: got  %s\nwant %s", test.name, test.x, got, test.want)
		}
	}
}

type (
	endless       *endless
	bytes4        [4]byte
	manyOf[T any] struct{ Many T }
	restOf[T any] struct {
		Rest T `octable:",rest"`
	}
	twoKeys struct {
		A int `octable:"a"`
		B int `octable:"a"`
	}
	placed struct {
		_ struct{} `octable:",array"`
		A int
	}
	numbers[T any] struct {
		Real T       `octable:"real"`
		Low  float64 `octable:"low,round"`
	}
	hiddenArm  struct{ Four string }
	hiddenRest struct {
		Rest map[string]any `octable:",rest"`
	}
)
