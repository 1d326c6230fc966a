package codec_test

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

type (
	putDelimited struct {
		Old   string `octable:"old"`
		New   string `octable:"new"`
		Bytes []byte `octable:"bytes"`
	}
	putCounted struct {
		Kind uint8  `octable:"kind"`
		Text string `octable:"text"`
	}
	putPoint struct {
		X uint16 `octable:"x"`
		Y uint16 `octable:"y"`
	}
	putSized struct {
		Kind uint8    `octable:"kind"`
		A    putPoint `octable:"a"`
		B    string   `octable:"b"`
		C    putPoint `octable:"c"`
	}
	putAbsent struct {
		Kind uint8  `octable:"kind"`
		A    *uint8 `octable:"a"`
		B    *uint8 `octable:"b"`
		C    *uint8 `octable:"c"`
		D    *uint8 `octable:"d"`
		E    *uint8 `octable:"e"`
	}
	putLengths struct {
		Text string `octable:"text"`
		Data []byte `octable:"data"`
	}
	putPointers struct {
		Kind uint8   `octable:"kind"`
		A    *uint16 `octable:"a,omitempty"`
		B    *string `octable:"b,omitempty"`
	}
	putBits struct {
		Kind uint8   `octable:"kind"`
		A    *bool   `octable:"a"`
		B    *uint8  `octable:"b"`
		C    *uint16 `octable:"c"`
		D    *uint32 `octable:"d"`
		E    *uint64 `octable:"e"`
	}
)

// longest is a text as long as a length of one byte allows.
var longest = strings.Repeat("x", 255)

// puts are schemas, and values that are written.
var puts = []struct {
	name, text string
	cases      []putCase
}{
	{"delimited", `encoding old { latin1 }
type T {
    | 0 | N | old[until "00"] | old |
    | P | M | utf8[until "0d 0a"] | new |
    | Q | L | u8[until "ff"] | bytes |
}`, []putCase{
		{putDelimited{}, "\x00\r\n\xff", true},
		{putDelimited{"a", "b", []byte{1, 0, 0x80}}, "a\x00b\r\n\x01\x00\x80\xff", true},
		{putDelimited{"ä", "b", nil}, "\xe4\x00b\r\n\xff", false},
		{putDelimited{"a", "ä", nil}, "a\x00ä\r\n\xff", true},
		{putDelimited{"a", "b\r", nil}, "a\x00b\r\r\n\xff", true},
		{putDelimited{"a\x00", "b", nil}, "", false},
		{putDelimited{"a", "b", []byte{0xff}}, "", false},
	}},
	{"the length of a delimited text", `encoding old { latin1 }
type T {
    | 0 | 2 | u16 | w | {
        0..7 kind
        8..15 n = len(text)
    }
    | 2 | N | old[until "00"] | text |
}`, []putCase{
		{putCounted{7, "ab"}, "\x02\x07ab\x00", true},
		{putCounted{7, "ä"}, "\x01\x07\xe4\x00", false},
	}},
	{"sizes", `type T {
    | 0 | 1 | u8 | kind |
    | 1 | 2 | u16 | n = size(a) |
    | 3 | n | Point | a |
    | P | 1 | u8 | m = size(b) |
    | P+1 | m | Text | b |
    | Q | 1 | u8 | k = size(c) |
    | Q+1 | k | Point | c |
}
type Point {
    | 0 | 2 | u16 | x |
    | 2 | 2 | u16 | y |
}
type Text {
    | 0 | 1 | u8 | n = len(s) |
    | 1 | n | utf8[n] | s |
}`, []putCase{
		{putSized{Kind: 7, A: putPoint{1, 2}, B: "xyz", C: putPoint{3, 4}}, "\x07\x00\x04\x00\x01\x00\x02\x04\x03xyz\x04\x00\x03\x00\x04", true},
	}},
	{"padding", `type T {
    | 0 | 1 | u8 | kind |
    | 1 | N | Text | b | pad 4
    | P | 4 | Point | a |
    | P+4 | 4 | Point | c |
}
type Point {
    | 0 | 2 | u16 | x |
    | 2 | 2 | u16 | y |
}
type Text {
    | 0 | 1 | u8 | n = len(s) |
    | 1 | n | utf8[n] | s |
}`, []putCase{
		{putSized{Kind: 7, A: putPoint{1, 2}, B: "xy", C: putPoint{3, 4}}, "\x07\x02xy\x00\x00\x01\x00\x02\x00\x03\x00\x04", true},
		{putSized{Kind: 7, A: putPoint{1, 2}, B: "xyz", C: putPoint{3, 4}}, "\x07\x03xyz\x00\x01\x00\x02\x00\x03\x00\x04", true},
	}},
	{"bits behind pointers", `type T {
    | 0 | 1 | u8 | kind |
    if kind == 1 {
        | 1 | 8 | u64 | word | {
            63 a
            56..62 b
            40..55 c
            16..39 d
        }
        | 9 | 8 | u64 | wide | {
            0..39 e
        }
    }
}`, []putCase{
		{putBits{}, "\x00", true},
		{putBits{1, new(true), new(uint8(2)), new(uint16(3)), new(uint32(4)), new(uint64(5))}, "\x01\x82\x00\x03\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05", true},
		{putBits{1, new(false), new(uint8(0x7f)), new(uint16(0)), new(uint32(0xffffff)), new(uint64(0xffffffffff))}, "\x01\x7f\x00\x00\xff\xff\xff\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff", true},
		{putBits{1, new(true), new(uint8(0x80)), new(uint16(0)), new(uint32(0)), new(uint64(0))}, "", false},
		{putBits{1, new(true), new(uint8(0)), new(uint16(0)), new(uint32(0)), new(uint64(1 << 40))}, "", false},
		{putBits{1, nil, new(uint8(0)), new(uint16(0)), new(uint32(0)), new(uint64(0))}, "", false},
		{putBits{1, new(true), new(uint8(0)), new(uint16(0)), new(uint32(0)), nil}, "", false},
	}},
	{"pointers", `type T {
    | 0 | 1 | u8 | kind |
    if kind == 1 {
        | 1 | 2 | u16 | a |
        | 3 | 1 | u8 | n = len(b) |
        | 4 | n | utf8[n] | b |
    }
}`, []putCase{
		{putPointers{}, "\x00", true},
		{putPointers{Kind: 1, A: new(uint16(2)), B: new("b")}, "\x01\x00\x02\x01b", true},
		{putPointers{Kind: 1, A: new(uint16(2)), B: new(longest)}, "\x01\x00\x02\xff" + longest, true},
		{putPointers{A: new(uint16(2))}, "", false},
		{putPointers{B: new("b")}, "", false},
		{putPointers{Kind: 1, A: new(uint16(2))}, "", false},
	}},
	{"absent", `type T {
    | 0 | 1 | u8 | kind |
    if kind == 1 {
        | 1 | 1 | u8 | a |
        | 2 | 1 | u8 | b |
        | 3 | 1 | u8 | c |
        | 4 | 1 | u8 | d |
        | 5 | 1 | u8 | e |
    }
}`, []putCase{
		{putAbsent{}, "\x00", true},
		{putAbsent{Kind: 1, A: new(uint8(1)), B: new(uint8(1)), C: new(uint8(1)), D: new(uint8(1)), E: new(uint8(1))}, "\x01\x01\x01\x01\x01\x01", true},
		{putAbsent{A: new(uint8(1))}, "", false},
		{putAbsent{B: new(uint8(1))}, "", false},
		{putAbsent{C: new(uint8(1))}, "", false},
		{putAbsent{D: new(uint8(1))}, "", false},
		{putAbsent{E: new(uint8(1))}, "", false},
	}},
}

// TestPut writes Go values by plans and by Values, to the same bytes. A plan leaves to Values what it cannot write.
func TestPut(t *testing.T) {
	for _, group := range puts {
		c, err := compiler.New("schema \"put\" {\n    order big\n    root T\n}\n" + group.text)
		if err != nil {
			t.Fatalf("%s: %v", group.name, err)
		}
		for _, x := range group.cases {
			x.check(t, c, group.name)
		}
	}
}

// putCase is a value, its bytes or "" if it cannot be written, and whether the plan writes it.
type putCase struct {
	value any
	bytes string
	plan  bool
}

// check writes the value by the plan and by Values.
func (x *putCase) check(t *testing.T, c *codec.Codec, name string) {
	t.Helper()
	out, err := c.Marshal(x.value)
	want, err2 := codec.AppendValue(c, nil, x.value)
	if string(out) != x.bytes || !bytes.Equal(out, want) || (err != nil) != (x.bytes == "") || (err2 != nil) != (x.bytes == "") {
		t.Errorf("%s: %+v: % x, %v; by Values % x, %v", name, x.value, out, err, want, err2)
	}
	if codec.WritesByPlan(c, x.value) != x.plan {
		t.Errorf("%s: %+v: written by the plan: %v", name, x.value, !x.plan)
	}
}

// TestPutLengths writes texts and bytes of many lengths into buffers that have room and that have none.
func TestPutLengths(t *testing.T) {
	c, err := compiler.New(`
schema "lengths" {
    order big
    root  T
}
type T {
    | 0 | 2 | u16 | n = len(text) |
    | 2 | n | utf8[n] | text |
    | P | R | u8[until end] | data |
}
`)
	if err != nil {
		t.Fatal(err)
	}
	m := c.NewMapper()
	var lengths []int
	for n := range 70 {
		lengths = append(lengths, n, 480+n)
	}
	for _, n := range lengths {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(1 + i*7%127)
		}
		for _, x := range []putLengths{{string(data), nil}, {"", data}, {string(data), data[:n/2]}} {
			want, err := codec.AppendValue(c, nil, x)
			if err != nil {
				t.Fatal(err)
			}
			for _, room := range []int{0, n / 2, 4096} {
				if out, err := m.AppendMarshal(make([]byte, 0, room), &x); err != nil || !bytes.Equal(out, want) {
					t.Fatalf("%d bytes in a buffer of %d: % x, %v, want % x", n, room, out, err, want)
				}
			}
		}
	}
}

// TestNamedUnion: a union has values with names unless it has all the arms that a Variant has.
func TestNamedUnion(t *testing.T) {
	arms := []string{"Dictionary", "Array", "String"}
	for set := range 8 {
		text := "schema \"named\" {\n    root T\n}\nunion T by kind { | 0 | 1 | u8 | kind | }\narm T 0 Other {}\n"
		n := 0
		for i, name := range arms {
			if set>>i&1 != 0 {
				n++
				text += fmt.Sprintf("arm T %d %s {}\n", n, name)
			}
		}
		c, err := compiler.New(text)
		if err != nil {
			t.Fatal(err)
		}
		if codec.Named(c) == (set == 7) {
			t.Errorf("%s: named %v", text, codec.Named(c))
		}
	}
}

type putNumber[N putNumbers] struct {
	Value N `octable:"value"`
}

type putNumbers interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// TestWordOfNumber checks a word of an arm that depends on a number of any size. The number is in one byte with it or
// before it.
func TestWordOfNumber(t *testing.T) {
	compiled := func(small, wide string) *codec.Codec {
		c, err := compiler.New(`
schema "words" {
    order big
    root  T
}
union T by word { | 0 | 1 | u8 | word | }
arm T ` + small + `, 0xd0..0xd1 number {
    | 1 | 0 or 1 or 2 | by word { ` + small + wide + ` } | value | any
}
arm T else other { refuse "no such number" }
`)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	signed := compiled("0xe0..0xff", " = word - 0x100, 0xd0 i8, 0xd1 i16")
	writesWords[int8](t, signed)
	writesWords[int16](t, signed)
	writesWords[int32](t, signed)
	writesWords[int64](t, signed)
	unsigned := compiled("0x00..0x1f", " = word, 0xd0 u8, 0xd1 u16")
	writesWords[uint8](t, unsigned)
	writesWords[uint16](t, unsigned)
	writesWords[uint32](t, unsigned)
	writesWords[uint64](t, unsigned)
}

// writesWords writes numbers of a Go type by the plan and by Values.
func writesWords[N putNumbers](t *testing.T, c *codec.Codec) {
	opt := c.Options()
	opt.Interfaces = []codec.Interface{codec.InterfaceOf("", map[string]any{"number": putNumber[N]{}})}
	c, err := c.With(opt)
	if err != nil {
		t.Fatal(err)
	}
	m := c.NewMapper()
	for _, n := range []int64{-32769, -32768, -129, -128, -33, -32, -2, -1, 0, 1, 31, 32, 127, 128, 255, 256, 32767, 32768, 65535, 65536} {
		if int64(N(n)) != n {
			continue
		}
		var x any = putNumber[N]{N(n)}
		out, err := m.AppendMarshal(nil, &x)
		want, err2 := codec.AppendValue(c, nil, &x)
		if (err == nil) != (err2 == nil) || !bytes.Equal(out, want) {
			t.Errorf("%+v of %T: % x, %v; by Values % x, %v", x, x, out, err, want, err2)
		}
	}
}

type putUnsigned uint16

// TestMixedKeys writes maps whose keys are numbers and texts, in one order.
func TestMixedKeys(t *testing.T) {
	c := plannedSchema(t, pairsSchema, codec.Options{Names: codec.SnakeNames, Interfaces: []codec.Interface{codec.InterfaceOf("", map[string]pairKey{
		"text": pairText(""), "name": pairName(""), "number": putUnsigned(0), "real": pairReal(0)})}})
	const want = "\x03\x03\x00\x02\x00\x00\x00\x00\x03\x00\x0a\x00\x00\x00\x00\x01\x01a\x00\x00\x00\x00"
	for range 20 {
		out, err := c.Marshal(map[pairKey]pairPoint{pairText("a"): {}, putUnsigned(10): {}, putUnsigned(2): {}})
		if err != nil || string(out) != want {
			t.Fatalf("% x, %v, want % x", out, err, want)
		}
	}
}

type (
	deepValue interface{ deepValue() }
	deepText  string
	deepList  []deepValue
	deepByte  uint8
	deepNone  struct{}
	deepOther struct{}
	deepWide  struct {
		Value uint32 `octable:"value"`
	}
)

func (deepText) deepValue()  {}
func (deepList) deepValue()  {}
func (deepByte) deepValue()  {}
func (deepNone) deepValue()  {}
func (deepWide) deepValue()  {}
func (deepOther) deepValue() {}

// TestPutGiven writes unions whose arm is selected by an argument, which is that of the arm or not.
func TestPutGiven(t *testing.T) {
	type given struct {
		Kind  uint8     `octable:"kind"`
		Value deepValue `octable:"value"`
	}
	c := plannedSchema(t, `schema "given" {
    order big
    root T
}
type T {
    | 0 | 1 | u8 | kind |
    | 1 | N | U(kind) | value |
}
union U(kind) by kind {}
arm U 1 wide { | 0 | 4 | u32 | value | }
arm U 2 text { | 0 | N | utf8[until end] | text | }
arm U else none {}
`, codec.Options{Names: codec.SnakeNames, Interfaces: []codec.Interface{codec.InterfaceOf("", map[string]deepValue{
		"wide": deepWide{}, "text": deepText(""), "none": deepNone{},
	})}})
	for _, value := range []deepValue{deepWide{1}, deepText("ab"), deepNone{}} {
		for kind := range uint8(5) {
			x := given{kind, value}
			got, err := c.Marshal(&x)
			want, err2 := codec.AppendValue(c, nil, &x)
			if !bytes.Equal(got, want) || !sameError(err, err2) || codec.WritesByPlan(c, &x) != (err == nil) {
				t.Errorf("%+v: % x, %v; by Values % x, %v; written by the plan: %v", x, got, err, want, err2, codec.WritesByPlan(c, &x))
			}
		}
	}
}

// TestPutDeep writes lists in lists, of which there are more than one run of the loop enters.
func TestPutDeep(t *testing.T) {
	c := plannedSchema(t, `schema "deep" {
    order big
    root V
}
union V by kind { | 0 | 1 | u8 | kind | }
arm V 0x90..0x9f, 0xdc list {
    | 1 | 0 or 1 | by kind { 0x90..0x9f = kind - 0x90, 0xdc u8 } | n = count(elements) |
    repeat n as elements { | P | N | V | element | }
}
arm V 0xa0..0xbf, 0xd9 text {
    | 1 | 0 or 1 | by kind { 0xa0..0xbf = kind - 0xa0, 0xd9 u8 } | n = len(text) |
    | P | n | utf8[n] | text |
}
arm V 0x00..0x7f, 0xcc byte {
    | 1 | 0 or 1 | by kind { 0x00..0x7f = kind, 0xcc u8 } | value |
}
arm V 0xc0 none {}
arm V else other { refuse "not used" }
arm V 0xc1 wide { | 1 | 4 | u32 | value | }
`, codec.Options{Names: codec.SnakeNames, Interfaces: []codec.Interface{codec.InterfaceOf("", map[string]deepValue{
		"list": deepList{}, "text": deepText(""), "byte": deepByte(0), "none": deepNone{}, "wide": deepWide{}, "other": deepOther{},
	})}})
	for _, inner := range []struct {
		value deepValue
		bytes string
	}{
		{deepText("abc"), "\xa3abc"},
		{deepByte(5), "\x05"},
		{deepNone{}, "\xc0"},
		{deepWide{1}, "\xc1\x00\x00\x00\x01"},
		{deepList{deepText("a"), deepNone{}, deepByte(0)}, "\x93\xa1a\xc0\x00"},
	} {
		value, want := inner.value, inner.bytes
		for depth := range 100 {
			if got, err := c.Marshal(&value); err != nil || string(got) != want || !codec.WritesByPlan(c, &value) {
				t.Errorf("%v in %d lists: % x, %v, want % x", inner.value, depth, got, err, want)
				break
			}
			value, want = deepList{value}, "\x91"+want
		}
	}
	m := c.NewMapper()
	list := deepList{deepNone{}}
	refused, value, kept := deepValue(deepList{deepOther{}}), deepValue(list), weak.Make(&list[0])
	if _, err := m.AppendMarshal(nil, &refused); err == nil {
		t.Error("a value of an arm that is refused is written")
	}
	if _, err := m.AppendMarshal(nil, &value); err != nil {
		t.Error(err)
	}
	if runtime.GC(); kept.Value() != nil {
		t.Error("a Mapper keeps a Go value that it has written, after one that was refused")
	}
	runtime.KeepAlive(m)
}

type (
	readValue interface{}
	readLabel string
	readList  []readValue
	readItem  struct {
		Value readValue `octable:"value"`
	}
	readBoxed struct {
		Value readValue `octable:"value"`
	}
	readNamed struct {
		Kind uint8       `octable:"kind"`
		List []readValue `octable:"list"`
	}
)

// TestReadDeep reads lists and unions in each other, of which there are more than the loop enters by itself.
func TestReadDeep(t *testing.T) {
	for _, end := range []string{"head == 0", "head == 0 || head == 2 || head == 0x40"} {
		for depth, alias := range map[string]bool{"": false, "depth 1024": true, "depth 24": false} {
			readsDeep(t, depth, end, codec.Options{Alias: alias, Names: codec.SnakeNames, Interfaces: []codec.Interface{codec.InterfaceOf("", map[string]readValue{
				"label": readLabel(""), "rest": readList{}, "last": readLasts{}, "item": readItem{}, "named": readNamed{}, "raw": readRaw{},
				"boxed": readBoxed{}, "pair": putPoint{},
			})}})
		}
	}
}

// readsDeep reads with a limit of the depth and lists that end with a label of a condition.
func readsDeep(t *testing.T, depth, end string, opt codec.Options) {
	t.Helper()
	c := plannedSchema(t, `schema "deep" {
    order big
    root V
    `+depth+`
}
union V by head { | 0 | 1 | u8 | head | }
arm V 0..63 label {
    head { 0..5 n = len(text) }
    | 1 | n | utf8[n] | text |
}
arm V 0x40 rest {
    | 1 | 1 | u8 | n = size(list) |
    | 2 | n | V[until end] | list |
}
arm V 0x41 last {
    | 1 | N | V[until `+end+`] | list |
}
arm V 0x42 item {
    | 1 | N | V | value |
}
arm V 0x43 named {
    | 1 | 1 | u8 | kind |
    | 2 | 1 | u8 | n = count(list) |
    repeat n as list { | P | N | V | value | }
}
arm V 0x44 raw {
    | 1 | N | u8[until end] | data |
}
arm V 0x45 boxed {
    | 1 | N | W | value |
}
union W by word { | 0 | 1 | u8 | word | }
arm W 0 pair {
    | 1 | 2 | u16 | x |
    | 3 | 2 | u16 | y |
}
arm W 1 raw {
    | 1 | N | u8[until end] | data |
}
`, opt)
	m := c.NewMapper()
	var kept readValue
	for _, inner := range []string{"\x03abc", "\x00", "\x09abcdefghi", "\x04aä!", "\x01\xff", "\x05abc", "\x40\x00", "\x40\x04\x03abc", "\x40\x05\x03abc\x00", "\x40\x02\x03a", "\x41\x03abc\x00", "\x41\x00", "\x41\x03abc", "\x41\x02\xff\xff\x00", "\x42\x01a", "\x42", "\x43\x07\x02\x01a\x00", "\x43\x07\x00", "\x40\x04\x44abc", "\x40\x09\x00\x44abcdefg", "\x40\x12\x40\x02\x44a\x40\x02\x44b\x40\x02\x44c\x40\x04\x44def", "\x02xy", "\x45\x00\x00\x01\x00\x02", "\x45\x01abc"} {
		for _, around := range []string{"\x40", "\x41", "\x42", "\x43"} {
			b := inner
			for range 16 {
				switch around {
				case "\x40":
					b = around + string(rune(len(b))) + b
				case "\x41":
					b = around + b + "\x00"
				case "\x42":
					b = around + b
				default:
					b = around + "\x01\x01" + b
				}
				var plan, value readValue
				err, err2 := c.Unmarshal([]byte(b), &plan), codec.UnmarshalValue(c, []byte(b), &value)
				if !sameError(err, err2) || err == nil && !reflect.DeepEqual(plan, value) {
					t.Fatalf("% x: %v, %v; by Values %v, %v", b, plan, err, value, err2)
				}
				if err == nil && depth == "depth 1024" && !codec.ReadsByPlan(c, []byte(b), new(readValue)) {
					t.Fatalf("% x is not read by the plan", b)
				}
				if err3 := m.Unmarshal([]byte(b), &kept); !sameError(err3, err2) || err3 == nil && !reflect.DeepEqual(kept, value) {
					t.Fatalf("% x: read into a used value %v, %v; by Values %v, %v", b, kept, err3, value, err2)
				}
				if err != nil {
					continue
				}
				out, err := c.Marshal(&plan)
				want, err2 := codec.AppendValue(c, nil, &plan)
				if !bytes.Equal(out, want) || !sameError(err, err2) {
					t.Fatalf("% x: written % x, %v; by Values % x, %v", b, out, err, want, err2)
				}
			}
		}
	}
}

// TestReadRest reads arms that are the bytes of their regions, which share the memory of the packet or not.
func TestReadRest(t *testing.T) {
	for _, alias := range []bool{false, true} {
		c := plannedSchema(t, `schema "rest" {
    order big
    root V
}
union V by head { | 0 | 1 | u8 | head | }
arm V 0 rest {
    | 1 | 1 | u8 | n = size(list) |
    | 2 | n | V[until end] | list |
}
arm V 1 raw {
    | 1 | N | u8[until end] | data |
}
arm V 0x80..0xbf label {
    head { 0..5 n = len(text) - 1 }
    | 1 | n + 1 | utf8[n + 1] | text |
}
arm V else other { refuse "not used" }
`, codec.Options{Alias: alias, Names: codec.SnakeNames, Interfaces: []codec.Interface{codec.InterfaceOf("", map[string]readValue{
			"rest": readList{}, "raw": readRaw{}, "label": readLabel(""),
		})}})
		for _, text := range []string{"\x01abc", "\x01", "\x82abc", "\x00\x60" + strings.Repeat("\x8aabcdefghij\x01", 8), "\x82ab", "\x00\x00", "\x00\x12\x00\x02\x01a\x00\x02\x01b\x00\x02\x01c\x00\x04\x01def", "\x00\x04\x00\x02\x01", "\x00\x12\x00\x02\x01a\x00\x02\x01b\x00\x02\x01c\x00\x05\x01def"} {
			b := []byte(text)
			var plan, value readValue
			err, err2 := c.Unmarshal(b, &plan), codec.UnmarshalValue(c, b, &value)
			if !sameError(err, err2) || err == nil && !reflect.DeepEqual(plan, value) {
				t.Errorf("% x: %v, %v; by Values %v, %v", b, plan, err, value, err2)
			}
			before := fmt.Sprint(plan)
			b[len(b)-1]++
			if shared := fmt.Sprint(plan) != before; err == nil && shared != (alias && len(b) > 2) {
				t.Errorf("% x: shares the memory of the packet: %v", text, shared)
			}
		}
	}
}

type (
	readLasts []readValue
	readRaw   []byte
)

// TestCountPointed: a pointer to a text that is too long, or to none, is refused as a text itself.
func TestCountPointed(t *testing.T) {
	c := plannedSchema(t, `schema "pointed" { root T }
type T {
    | 0 | 1 | u8      | n = len(text) | "bytes of the text"
    | 1 | n | utf8[n] | text          | "the text"
}
`, codec.Options{})
	type direct struct {
		Text string `octable:"text"`
	}
	type pointed struct {
		Text *string `octable:"text"`
	}
	all := []any{&pointed{}}
	for _, n := range []int{0, 1, 255, 256} {
		text := strings.Repeat("a", n)
		all = append(all, &direct{text}, &pointed{&text})
	}
	refused := 0
	for _, x := range all {
		if !codec.HasWritePlan(c, reflect.TypeOf(x).Elem()) {
			t.Fatalf("%T has no plan", x)
		}
		want, wantErr := codec.AppendValue(c, nil, x)
		got, err := c.Marshal(x)
		if !sameError(err, wantErr) || !bytes.Equal(got, want) {
			t.Errorf("%+v: % x, %v; want % x, %v", x, got, err, want, wantErr)
		}
		if err != nil {
			refused++
		}
	}
	if refused != 3 {
		t.Errorf("%d values are refused", refused)
	}
}

// TestPaddedForms: padding follows a row that has one of two types.
func TestPaddedForms(t *testing.T) {
	c := plannedSchema(t, `schema "padded" { root T }
type T {
    | 0 | 1 | u8                                 | wide | "1 for wide text" check wide <= 1
    | 1 | 1 | u8                                 | n    | "length"
    | 2 | n | by wide { 0 utf8[n], 1 latin1[n] } | text | "the text" pad 4
}
`, codec.Options{})
	type text struct {
		Wide uint8  `octable:"wide"`
		N    uint8  `octable:"n"`
		Text string `octable:"text"`
	}
	if !codec.HasPlan(c, reflect.TypeFor[text]()) || !codec.HasWritePlan(c, reflect.TypeFor[text]()) {
		t.Fatal(codec.SlowParts(c, reflect.TypeFor[text]()))
	}
	for _, x := range []text{{0, 3, "abc"}, {1, 3, "ab\u00e9"}, {0, 2, "\u00e9"}, {1, 2, "ab"}, {1, 0, ""}} {
		b, err := c.Marshal(&x)
		want, wantErr := codec.AppendValue(c, nil, &x)
		if err != nil || wantErr != nil || !bytes.Equal(b, want) || len(b) != 2+(int(x.N)+3)/4*4 {
			t.Errorf("%+v: % x, %v; want % x, %v", x, b, err, want, wantErr)
		}
		var back text
		if err := c.Unmarshal(b, &back); err != nil || back != x {
			t.Errorf("% x: %+v, %v; want %+v", b, back, err, x)
		}
	}
}
