package codec_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

// hookedTexts are texts that read and write themselves, as an array of texts.
type hookedTexts struct {
	Texts []shapeParsed `octable:"x,type=PackedStringArray"`
}

// TestMissingArms checks that plans read and write Go values as Values do. The schemas lack arms of a Variant or have
// other ones.
func TestMissingArms(t *testing.T) {
	fields := make([]reflect.StructField, 1<<12+1)
	for i := range fields {
		fields[i] = reflect.StructField{Name: fmt.Sprint("F", i), Type: reflect.TypeFor[bool]()}
	}
	wide := reflect.New(reflect.StructOf(fields)).Elem()
	words := func(list ...uint32) string {
		b, _ := binary.Append(nil, binary.LittleEndian, list)
		return string(b)
	}
	const (
		text = "{ | 4 | 4 | u32 | n = len(s) |\n| 8 | n | utf8[n] | s | pad 4 any\n}\n"
		list = "{ | 4 | 4 | u32 | n = count(list) |\nrepeat n as list { | P | N | Variant | e | } }\n"
		maps = "{ | 4 | 4 | u32 | n = count(map) |\nmap n as map { | P | K | Variant | k |\n| P+K | V | Variant | v | } }\n"
	)
	for name, c := range map[string]struct{ arms, input string }{
		"units":          {"arm Variant 1 Dictionary {}\narm Variant 2 Array {}\narm Variant 3 String {}\n", words(1)},
		"a list":         {"arm Variant 1 Dictionary {}\narm Variant 2 Array " + list + "arm Variant 3 String {}\n", words(2, 1, 3)},
		"a map":          {"arm Variant 1 Dictionary " + maps + "arm Variant 2 Array {}\narm Variant 3 String {}\n", words(1, 0)},
		"texts":          {"arm Variant 1 Dictionary " + maps + "arm Variant 2 Array " + list + "arm Variant 3 String " + text, words(2, 1, 3, 2, 0x6261)},
		"any values":     {"arm Variant 1 Dictionary {}\narm Variant 2 Array " + list + "arm Variant 3 String " + text + "arm Variant 4 PackedStringArray " + list, words(4, 1, 3, 2, 0x6261)},
		"a unit for nil": {"arm Variant 0 Nil {}\narm Variant 1 Dictionary " + maps + "arm Variant 2 Array " + list + "arm Variant 3 String " + text, words(1, 1, 3, 1, 0x78, 2, 0)},
	} {
		cc, err := compiler.New("schema \"arms\" {\n    order little\n    root Variant\n}\nunion Variant by kind { | 0 | 4 | u32 | kind | }\n" + c.arms)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, x := range []any{true, int8(3), uint64(3), float32(1), float64(1), "ab", []string{"ab"}, []any{"ab"}, [][]string{nil}, map[string]string{"a": "b"}, hookedTexts{}, hookedTexts{[]shapeParsed{"a"}},
			struct{ X []string }{}, struct{ X *string }{}, new(string), [2]float32{1, 2}, []byte{1}, wide.Interface()} {
			out, err := cc.Marshal(x)
			want, err2 := codec.AppendValue(cc, nil, x)
			if !bytes.Equal(out, want) || !sameError(err, err2) {
				t.Errorf("%s: %T: written % x, %v; by Values % x, %v", name, x, out, err, want, err2)
			}
			for _, in := range []string{c.input, string(want)} {
				a, b := reflect.New(reflect.TypeOf(x)), reflect.New(reflect.TypeOf(x))
				err, err2 := cc.Unmarshal([]byte(in), a.Interface()), codec.UnmarshalValue(cc, []byte(in), b.Interface())
				if !sameError(err, err2) || err == nil && !sameGo(a.Elem(), b.Elem()) {
					t.Errorf("%s: % x into %T: %v, %v; by Values %v, %v", name, in, x, a.Elem(), err, b.Elem(), err2)
				}
			}
		}
	}
}

// TestArmNumbers: a plan writes an arm of several numbers only with one of them, which an argument computes.
func TestArmNumbers(t *testing.T) {
	cc, err := compiler.New(`schema "numbers" { root T }
type T {
    | 0 | 1 | u8          | kind |
    | 1 | N | U(kind * 2) | body |
}
union U(number) by number {}
arm U 0    none { | 0 | 1 | u8 | x | }
arm U 2..6 some { | 0 | 1 | u8 | x | }
arm U else more { | 0 | 1 | u8 | x | }
`)
	if err != nil {
		t.Fatal(err)
	}
	type x struct {
		X uint8 `octable:"x"`
	}
	type body struct {
		None *x `octable:"none,omitempty"`
		Some *x `octable:"some,omitempty"`
		More *x `octable:"more,omitempty"`
	}
	type record struct {
		Kind uint8 `octable:"kind"`
		Body body  `octable:"body"`
	}
	written := 0
	for kind := range uint8(6) {
		for _, b := range []body{{None: &x{1}}, {Some: &x{2}}, {More: &x{3}}} {
			v := record{kind, b}
			out, err := cc.Marshal(v)
			want, err2 := codec.AppendValue(cc, nil, v)
			if !bytes.Equal(out, want) || !sameError(err, err2) {
				t.Errorf("%d, %+v: written % x, %v; by Values % x, %v", kind, b, out, err, want, err2)
			}
			if err == nil {
				written++
			}
		}
	}
	if written != 6 {
		t.Errorf("%d values are written, want the arm of each of 6 numbers", written)
	}
}
