package codec_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

// plannedSchema compiles a schema for a test of plans.
func plannedSchema(t *testing.T, source string, opt codec.Options) *codec.Codec {
	t.Helper()
	c, err := compiler.New(source)
	if err == nil {
		c, err = c.With(opt)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestNeighbors reads and writes numbers that are neighbors in a record that is in no list.
func TestNeighbors(t *testing.T) {
	type numbers struct {
		A, B uint32
		C, D uint16
		E, F uint64
		G    uint32
	}
	for _, order := range []string{"little", "big"} {
		c := plannedSchema(t, "schema \"s\" {\norder "+order+"\nroot T\n}\ntype T {\n| 0 | 4 | u32 | a | \"\"\n| 4 | 4 | u32 | b | \"\"\n| 8 | 2 | u16 | c | \"\"\n| 10 | 2 | u16 | d | \"\"\n| 12 | 8 | u64 | e | \"\"\n| 20 | 8 | u64 | f | \"\"\n| 28 | 4 | u32 | g | \"\"\n}\n", codec.Options{Names: codec.SnakeNames})
		b := make([]byte, 32)
		for i := range b {
			b[i] = byte(i + 1)
		}
		var plan, value numbers
		err := c.Unmarshal(b, &plan)
		if err2 := codec.UnmarshalValue(c, b, &value); err != nil || err2 != nil || plan != value || !codec.ReadsByPlan(c, b, new(numbers)) {
			t.Errorf("%s: %+v, %v; by Values %+v, %v", order, plan, err, value, err2)
		}
		if out, err := c.Marshal(&plan); err != nil || !bytes.Equal(out, b) || !codec.WritesByPlan(c, &plan) {
			t.Errorf("%s: % x, %v", order, out, err)
		}
	}
}

const pairsSchema = `schema "s" {
order big
root T
}
type T {
| 0 | 1 | u8 | n = count(pairs) | "pairs"
map n as pairs {
| P | K | Key | key | "a key"
| P+K | 4 | Point | value | "a value"
}
}
union Key by kind {
| 0 | 1 | u8 | kind | "kind"
}
arm Key 1 text {
| 1 | 1 | u8 | n = len(text) | "bytes"
| 2 | n | utf8[n] | text | "text"
}
arm Key 2 name {
| 1 | 1 | u8 | n = len(text) | "bytes"
| 2 | n | utf8[n] | text | "text"
}
arm Key 3 number {
| 1 | 2 | i16 | number | "number"
}
arm Key 4 real {
| 1 | 4 | f32 | real | "number"
}
type Point {
| 0 | 2 | i16 | x | "a place"
| 2 | 2 | i16 | y | "a place"
}
`

type (
	pairKey    interface{}
	pairText   string
	pairName   string
	pairNumber int16
	pairReal   float32
	pairPoint  struct {
		Y int16
		X int16
	}
	pairMap []struct {
		Key   pairKey
		Value pairPoint
	}
)

// TestPairPlans reads and writes maps by plans, and leaves keys that may be equal to Values.
func TestPairPlans(t *testing.T) {
	c := plannedSchema(t, pairsSchema, codec.Options{Names: codec.SnakeNames, Interfaces: []codec.Interface{codec.InterfaceOf("", map[string]pairKey{
		"text": pairText(""), "name": pairName(""), "number": pairNumber(0), "real": pairReal(0)})}})
	for _, test := range []struct {
		bytes   string
		written bool // by the plan
		same    bool // to the same bytes
	}{
		{"\x00", true, true},
		{"\x03\x01\x01a\x00\x01\xff\xfe\x02\x01b\x00\x03\x00\x04\x03\x00\x05\x00\x06\x00\x07", true, true},
		{"\x02\x01\x01a\x00\x01\xff\xfe\x01\x01a\x00\x03\x00\x04", false, false},
		{"\x02\x01\x01a\x00\x01\xff\xfe\x02\x01a\x00\x03\x00\x04", false, true}, // two arms
		{"\x02\x03\x00\x05\x00\x06\x00\x07\x03\x00\x05\x00\x06\x00\x07", false, false},
		{"\x02\x03\x00\x05\x00\x06\x00\x07\x03\xff\x05\x00\x06\x00\x07", true, true},
		{"\x01\x04\x3f\x80\x00\x00\x00\x06\x00\x07", true, true},
		{"\x02\x01\x01a\x00\x01\x00\x02\x01\x01b\x00\x01\x00\x02", true, true},
		{"\x02\x01\x00\x00\x01\x00\x02\x01\x01a\x00\x01\x00\x02", true, true},
		{"\x02\x01\x02ab\x00\x01\x00\x02\x01\x02cb\x00\x01\x00\x02", true, true},
		{"\x02\x01\x03abc\x00\x01\x00\x02\x01\x03abd\x00\x01\x00\x02", true, true},
		{"\x02\x01\x04abcd\x00\x01\x00\x02\x01\x04abce\x00\x01\x00\x02", true, true},
		{"\x03\x01\x05abcde\x00\x01\x00\x02\x01\x05abxde\x00\x01\x00\x02\x01\x05abcdf\x00\x01\x00\x02", true, true},
		{"\x02\x01\x08abcdefgh\x00\x01\x00\x02\x01\x08abcdefgi\x00\x01\x00\x02", true, true},
		{"\x03\x01\x0aabcdefghij\x00\x01\x00\x02\x01\x0aabcdxfghij\x00\x01\x00\x02\x01\x01x\x00\x01\x00\x02", true, true},
		{"\x02\x01\x08abcdefgh\x00\x01\x00\x02\x01\x08abcdefgh\x00\x01\x00\x02", false, false},
		{"\x02\x01\x04abcd\x00\x01\x00\x02\x01\x04abcd\x00\x01\x00\x02", false, false},
		{"\x02\x01\x14xxxxxxxxxxxxxxxxxxxx\x00\x01\x00\x02\x01\x14xxxxxxxxxxyxxxxxxxxx\x00\x01\x00\x02", true, true},
		{"\x02\x01\x14xxxxxxxxxxxxxxxxxxxx\x00\x01\x00\x02\x01\x14xxxxxxxxxxxxxxxxxxxx\x00\x01\x00\x02", false, false},
		{"\x03\x01\x01a\x00\x01\x00\x02\x01\x41bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\x00\x01\x00\x02\x01\x01c\x00\x01\x00\x02", true, true},
		{"\x02\x04\x3f\x80\x00\x00\x00\x06\x00\x07\x04\x40\x80\x00\x00\x00\x06\x00\x07", false, true},
	} {
		b := []byte(test.bytes)
		x, kept, value := pairMap{{Key: "before"}}, make(pairMap, 9)[:1], pairMap(nil)
		err, err2, err3 := c.Unmarshal(b, &x), codec.UnmarshalValue(c, b, &value), c.NewMapper().Unmarshal(b, &kept)
		if err != nil || err2 != nil || err3 != nil || len(x)+len(value) > 0 && !reflect.DeepEqual(x, value) || !sameGo(reflect.ValueOf(kept), reflect.ValueOf(value)) || !codec.ReadsByPlan(c, b, new(pairMap)) {
			t.Errorf("% x: %v, %v, %v, %v; by Values %v, %v", b, x, err, kept, err3, value, err2)
		}
		out, err := c.Marshal(x)
		want, err2 := codec.AppendValue(c, nil, x)
		if err != nil || err2 != nil || !bytes.Equal(out, want) || bytes.Equal(out, b) != test.same || codec.WritesByPlan(c, &x) != test.written {
			t.Errorf("%v: % x, %v; by Values % x, %v", x, out, err, want, err2)
		}
	}
	many := pairMap{}
	for i := range 40 {
		many = append(many, pairMap{{Key: pairNumber(i)}, {Key: pairText(string(rune('a' + i)))}}...)
	}
	for range 2 {
		out, err := c.Marshal(many)
		want, err2 := codec.AppendValue(c, nil, many)
		if err != nil || err2 != nil || !bytes.Equal(out, want) {
			t.Errorf("% x, %v; by Values % x, %v", out, err, want, err2)
		}
		many = append(many, many[3])
	}
	if many = many[:len(many)-2]; !codec.WritesByPlan(c, many) || codec.WritesByPlan(c, append(many, many[7])) {
		t.Error("a map of many keys")
	}
}

// A map whose values have maps.
type (
	deepNode struct {
		A     uint8
		Pairs []deepPair
	}
	deepPair struct {
		Key   uint8
		Value deepNode
	}
)

// TestDeepPairs writes maps inside of maps, with more registers than a writer has places for at first.
func TestDeepPairs(t *testing.T) {
	c := plannedSchema(t, `schema "s" {
order big
root T
}
type T {
| 0 | 1 | u8 | a | "a number"
| 1 | 1 | u8 | b = a + 1 | "a number"
| 2 | 1 | u8 | c = a * b | "a number"
| 3 | 1 | u8 | n = count(pairs) | "pairs"
map n as pairs {
| P | 1 | u8 | key | "a key"
| P+1 | V | T | value | "a value"
}
}
`, codec.Options{Names: codec.SnakeNames})
	x := deepNode{A: 1, Pairs: []deepPair{}}
	for depth := range 100 {
		x = deepNode{A: 3, Pairs: []deepPair{{1, deepNode{A: 5, Pairs: []deepPair{}}}, {2, x}}}
		out, err := c.Marshal(x)
		want, err2 := codec.AppendValue(c, nil, x)
		var back deepNode
		if err3 := c.Unmarshal(out, &back); err != nil || err2 != nil || err3 != nil || !bytes.Equal(out, want) || !reflect.DeepEqual(back, x) {
			t.Fatalf("depth %d: % x, %v; by Values % x, %v; %v", depth, out, err, want, err2, err3)
		}
	}
}

// TestTupleStructs converts tuples of numbers with names from and to structs.
func TestTupleStructs(t *testing.T) {
	c := plannedSchema(t, pairsSchema, codec.Options{Names: codec.SnakeNames})
	b := []byte("\x01\x03\x00\x05\x00\x06\xff\xf7")
	var missing []struct {
		Key   any
		Value struct{ X uint16 }
	}
	if err := c.Unmarshal(b, &missing); err == nil {
		t.Errorf("a struct without a field for a number: %v", missing)
	}
	loose, _ := c.With(codec.Options{Names: codec.SnakeNames, IgnoreUnknown: true})
	if err := loose.Unmarshal(b, &missing); err != nil || missing[0].Value.X != 6 {
		t.Errorf("%v, %v", missing, err)
	}
	if _, err := c.Marshal(missing); err == nil {
		t.Error("a tuple is written without a number")
	}
	v, err := c.ParseText(`[({number(5): {y: -9, x: 6}})]`)
	if err == nil {
		t.Errorf("%v", v)
	}
	if v, err = c.ParseText(`{pairs: {number(5): {y: -9, x: 6}}}`); err != nil {
		t.Fatal(err)
	}
	if out, err := c.Append(nil, v); err != nil || !bytes.Equal(out, b) {
		t.Errorf("% x, %v", out, err)
	}
	for _, text := range []string{`{pairs: {number(5): {x: 6}}}`, `{pairs: {number(5): {x: 6, y: 1, z: 2}}}`, `{pairs: {number(5): {x: 6, x: 1}}}`} {
		if v, err := c.ParseText(text); err == nil {
			t.Errorf("%s: %v", text, v)
		}
	}
}
