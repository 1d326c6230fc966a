package godot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/internal/variant"
)

// jsonStyles are all styles.
var jsonStyles = []godot.JSONStyle{{}, {Explicit: true}, {Bits: true}, {Explicit: true, Bits: true}}

// jsonLaw is the law of the JSON form. It also has to hold after other programs have read and written the JSON as
// double precision.
func jsonLaw(v codec.Value) error {
	for _, style := range jsonStyles {
		text, err := godot.AppendJSONStyle(nil, v, style)
		if err != nil {
			return fmt.Errorf("%+v: AppendJSON: %v", style, err)
		}
		back, err := godot.ParseJSON(text)
		if err != nil {
			return fmt.Errorf("%+v: ParseJSON: %v\n%s", style, err, text)
		}
		again, err := godot.AppendJSONStyle(nil, back, style)
		if err != nil || !bytes.Equal(again, text) || !codec.Equal(v, back) {
			return fmt.Errorf("%+v: written\n%s\nthen\n%s (%v)", style, text, again, err)
		}
		if !json.Valid(text) {
			return fmt.Errorf("%+v: encoding/json refuses\n%s", style, text)
		}
		if style.Explicit {
			if err := explicit(text); err != nil {
				return fmt.Errorf("%v in\n%s", err, text)
			}
		}
	}
	return nil
}

// explicit returns an error for wrong JSON in the explicit style. Each number but a width is a string, and null is
// only a type of elements.
func explicit(text []byte) error {
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return err
	}
	var walk func(key string, x any) error
	walk = func(key string, x any) error {
		switch x := x.(type) {
		case float64:
			if key != "width" && key != "$type" {
				return fmt.Errorf("the number %v under %q", x, key)
			}
		case nil:
			if key != "of" {
				return fmt.Errorf("null under %q", key)
			}
		case map[string]any:
			if x["$type"] == nil && x["$bytes"] == nil && x["class"] == nil && x["script"] == nil {
				return fmt.Errorf("a plain object under %q", key)
			}
			for k, v := range x {
				if err := walk(k, v); err != nil {
					return err
				}
			}
		case []any:
			for _, v := range x {
				if err := walk(key, v); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if _, ok := tree.(map[string]any); !ok {
		return fmt.Errorf("a plain %T", tree)
	}
	return walk("", tree)
}

func TestJSONStyles(t *testing.T) {
	for _, test := range []struct {
		v              codec.Value
		explicit, bits string
	}{
		{godot.NewNil(), `{"$type":"Nil"}`, `null`},
		{godot.NewBool(true), `{"$type":"bool","value":true}`, `true`},
		{godot.NewInt(5), `{"$type":"int","value":"5"}`, `5`},
		{godot.NewFloat(1), `{"$type":"float","value":"1"}`, `{"$type":"float","value":"bits:3ff0000000000000"}`},
		{godot.NewFloat(1.5), `{"$type":"float","value":"1.5"}`, `{"$type":"float","value":"bits:3ff8000000000000"}`},
		{godot.NewFloat(math.Copysign(0, -1)), `{"$type":"float","value":"-0"}`, `{"$type":"float","value":"bits:8000000000000000"}`},
		{godot.NewFloat(math.Inf(-1)), `{"$type":"float","value":"-inf"}`, `{"$type":"float","value":"bits:fff0000000000000"}`},
		{godot.NewString("a"), `{"$type":"String","value":"a"}`, `"a"`},
		{godot.NewRID(7), `{"$type":"RID","value":"7"}`, `{"$type":"RID","value":7}`},
		{godot.NodePath{Names: []string{"a"}, Absolute: true}.Value(), `{"$type":"NodePath","absolute":true,"names":["a"],"subnames":[]}`, `{"$type":"NodePath","value":"/a"}`},
		{godot.Vector2{X: 1, Y: 2.5}.Value(), `{"$type":"Vector2","value":["1","2.5"]}`, `{"$type":"Vector2","value":["bits:3f800000","bits:40200000"]}`},
		{godot.WithElemType(godot.NewArray(godot.NewInt(1)), godot.ElemType{Type: godot.Int}), `{"$type":"Array","of":"int","value":[{"$type":"int","value":"1"}]}`, `{"$type":"Array","of":"int","value":[1]}`},
		{godot.NewDictionary(codec.Pair{Key: godot.NewString("a"), Value: godot.NewNil()}), `{"$type":"Dictionary","value":[[{"$type":"String","value":"a"},{"$type":"Nil"}]]}`, `{"a":null}`},
	} {
		for i, want := range []string{test.explicit, test.bits} {
			got, err := godot.AppendJSONStyle(nil, test.v, godot.JSONStyle{Explicit: i == 0, Bits: i == 1})
			if err != nil || string(got) != want {
				t.Errorf("wrote %s (%v), want %s", got, err, want)
			}
		}
	}
}

func TestJSONTable(t *testing.T) {
	for _, row := range textTable {
		text, err := godot.AppendJSON(nil, row.v)
		if err != nil || string(text) != row.json {
			t.Errorf("wrote %s (%v), want %s", text, err, row.json)
		}
		if v, err := godot.ParseJSON([]byte(row.json)); err != nil || !codec.Equal(v, row.v) {
			t.Errorf("%s reads as %v (%v)", row.json, v, err)
		}
		if err := jsonLaw(row.v); err != nil {
			t.Errorf("%s: %v", row.text, err)
		}
	}
}

// TestJSONReads reads what is not written as AppendJSON writes it.
func TestJSONReads(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{` [ 5 , 5.0, 5e0, -0, 1.5e-1 ] `, `[5, 5, 5, 0, 0.15]`},
		{`"\u0041\ud83d\ude00\/"`, `"A😀/"`},
		{`{"2": 1, "1": 2}`, `{"2": 1, "1": 2}`},
		{`{"value": [1, 2.0], "$type": "Vector2", "wide": false}`, `Vector2(1, 2)`},
		{`{"$type": "float", "value": 1e300}`, `1e+300`},
		{`{"$type": "PackedByteArray", "value": [1, 255]}`, `PackedByteArray(1, 255)`},
		{`{"$type": "PackedInt64Array", "value": [1, "-9223372036854775808"]}`, `PackedInt64Array(1, -9223372036854775808)`},
		{`{"$type": "int", "value": 1e3}`, `1000`},
		{`{"$type": "Nil"}`, `null`},
		{`{"$type": "float", "value": "1e3"}`, `1000.0`},
		{`{"$type": "Vector2", "value": ["-0.0", "bits:3F800000"]}`, `Vector2(-0.0, 1)`},
	} {
		v, err := godot.ParseJSON([]byte(test.text))
		if err != nil || v.String() != test.want {
			t.Errorf("%s reads as %v (%v), want %s", test.text, v, err, test.want)
		}
	}
}

// TestJSONThroughDoubles passes JSON through what knows numbers only as doubles.
func TestJSONThroughDoubles(t *testing.T) {
	for _, row := range textTable {
		var tree any
		if err := json.Unmarshal([]byte(row.json), &tree); err != nil {
			t.Fatal(err)
		}
		if m, ok := tree.(map[string]any); ok && m["$type"] == nil && len(m) > 1 {
			continue // Go's maps lose the order, JavaScript's objects do not
		}
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := godot.ParseJSON(text); err != nil || !codec.Equal(v, row.v) {
			t.Errorf("%s became %s, which is %v (%v)", row.json, text, v, err)
		}
	}
}

func TestJSONMarshaler(t *testing.T) {
	type thing struct {
		A codec.Value
		B []codec.Value
	}
	in := thing{godot.NewFloat(1), []codec.Value{godot.NewString("<&>\u2028"), {}, godot.NewRID(1)}}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out thing
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	if !codec.Equal(in.A, out.A) || len(out.B) != 3 || !codec.Equal(in.B[0], out.B[0]) || !codec.Equal(in.B[1], out.B[1]) || !codec.Equal(in.B[2], out.B[2]) {
		t.Errorf("%s became %v", text, out)
	}
}

var badJSON = []string{
	``, `nul`, `5 6`, `[1,]`, `[1`, `{"a":1,}`, `{a: 1}`, `{"a" 1}`, `{"a": 1`, `01`, `1.`, `-`, `1e`, `.5`, `'a'`, `"abc`, `"\x41"`, `"\ud83d"`, `"\u12"`,
	"\"\n\"", "\"\xff\"", "NaN", `9007199254740992`, `1e300`, `{"$a": 1}`, `{"a": 1, "a": 2}`, `{"$type": "Vector2"}`, `{"$type": "Vector2", "value": [1]}`,
	`{"$type": "Vector2", "value": [1, "x"]}`, `{"$type": "Vector2", "value": [1, "nan:7ff8000000000001"]}`, `{"$type": "Vector2i", "value": [1, 2.5]}`,
	`{"$type": "Vector2i", "value": [1, 3000000000]}`, `{"$type": "Vector2", "value": [1, 2], "x": 1}`, `{"$type": "Nope"}`, `{"$type": null}`,
	`{"$type": "int", "value": 1, "value": 2}`, `{"$type": "int", "value": "9223372036854775808"}`, `{"$type": "int", "value": true}`,
	`{"$type": "float", "value": 1e999}`, `{"$type": "Vector2", "value": [0, -1e39]}`, `{"$type": "PackedFloat32Array", "value": [3.5e38]}`, `{"$type": "float", "value": "nan:7ff0000000000000"}`, `{"$type": "float", "value": "bits:3f800000"}`, `{"$type": "Vector2", "value": ["bits:+f800000", 1]}`, `{"$type": "float", "value": "01"}`, `{"$type": "float", "value": ""}`, `{"$type": "float", "value": "1e999"}`, `{"$type": "bool", "value": 1}`, `{"$type": "int", "wide": 1, "value": 1}`,
	`{"$type": "String", "value": {"$bytes": "?"}}`, `{"$type": "String", "value": 1}`, `{"$type": "NodePath", "value": "a::b"}`, `{"$type": "NodePath", "names": []}`,
	`{"$type": "RID", "value": -1}`, `{"$type": "Object", "class": "", "properties": []}`, `{"$type": "Object", "class": "A", "properties": [["a"]]}`,
	`{"$type": "Array", "of": "Nope", "value": []}`, `{"$type": "Array", "of": {"a": 1}, "value": []}`, `{"$type": "Array", "of": null, "value": []}`,
	`{"$type": "Array", "of": 5, "value": []}`, `{"$type": "Dictionary", "of": ["int"], "value": []}`, `{"$type": "Dictionary", "value": [[1]]}`,
	`{"$type": "PackedVector2Array", "value": [[1, 2, 3]]}`, `{"$type": "PackedVector2Array", "value": [1]}`, `{"$type": "PackedByteArray", "value": [256]}`,
	`{"$type": 300}`, `{"$type": 70000, "kind": "unit"}`, `{"$type": 300, "kind": "thing"}`, `{"$type": 300, "kind": "lanes", "scalar": "f33", "value": []}`,
	`{"$type": 300, "kind": "packed", "scalar": "u8", "width": 0, "value": []}`, `{"$type": 300, "kind": "record", "value": {}}`,
	`"a\`, `"\u00g0"`, `[{"$type": "int", "value": true}, 1]`, `{"$type": "Dictionary", "of": [null, null], "value": []}`, `{"$type": "String", "value": {"$bytes": 5}}`,
	`{"$type": 300, "kind": "packed", "scalar": "f16", "width": 1, "value": [0.1]}`,
	strings.Repeat("[", variant.MaxTextDepth+1),
}

func TestJSONErrors(t *testing.T) {
	checkErrors(t, filepath.Join("testdata", "json", "errors.txt"), badJSON, func(s string) error {
		v, err := godot.ParseJSON([]byte(s))
		if err == nil {
			t.Errorf("%q is read as %v", s, v)
		}
		return err
	})
}

func TestJSONLawRandom(t *testing.T) {
	for seed := range uint64(3000) {
		if err := jsonLaw(randomValue(seed)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// FuzzParseJSON reads anything: it must not panic, and what it reads obeys the law.
func FuzzParseJSON(f *testing.F) {
	for _, row := range textTable {
		f.Add([]byte(row.json))
	}
	for _, s := range badJSON {
		if len(s) < 200 {
			f.Add([]byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := godot.ParseJSON(b)
		if err != nil {
			return
		}
		if err := jsonLaw(v); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(b) {
			t.Fatalf("encoding/json refuses %q", b)
		}
	})
}

// TestLongLists reads lists that are long enough to remain text in every place of a list. It compares their errors
// with those of short lists.
func TestLongLists(t *testing.T) {
	const many = 3000
	long := func(first, rest, last string) string {
		return "[" + first + strings.Repeat(", "+rest, many) + last + "]"
	}
	parse := func(text string) codec.Value {
		t.Helper()
		v, err := godot.ParseJSON([]byte(text))
		if err != nil {
			t.Fatalf("%.60s: %v", text, err)
		}
		return v
	}
	list := parse(long("1", "2", `, "a,b\u00e9"`))
	if list.Len() != many+2 || !codec.Equal(list.Index(0), godot.NewInt(1)) || !codec.Equal(list.Index(many), godot.NewInt(2)) || !codec.Equal(list.Index(many+1), godot.NewString("a,b\u00e9")) {
		t.Errorf("another list of %d", list.Len())
	}
	mixed := parse(long("1", "2", `, [3, "x"], null`))
	if mixed.Len() != many+3 || mixed.Index(many+1).Len() != 2 {
		t.Errorf("another list of %d", mixed.Len())
	}
	for _, v := range []codec.Value{list, mixed, parse(`{"$type": "PackedInt32Array", "value": ` + long("1", "-2", "") + "}"),
		parse(`{"$type": "PackedFloat64Array", "value": ` + long("1", "2.5", `, "nan"`) + "}"),
		parse(`{"$type": "PackedStringArray", "value": ` + long(`"a"`, `"b"`, `, "]"`) + "}")} {
		if v.Len() < many+1 {
			t.Errorf("%d elements", v.Len())
		}
		if err := jsonLaw(v); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []struct{ before, first, rest, last, after string }{
		{"", "1", "2", ", 03", ""},
		{"", "1", "2", ", -", ""},
		{"", "1", "2", ",", ""},
		{"", "1", "2", ` "c"`, ""},
		{"", "1", "2", ", {", ""},
		{"", "1", "2", ", nil", ""},
		{"", `"a"`, `"b"`, `, "\x"`, ""},
		{"", "1", "2", ", 3", "]"},
		{`{"$type": "PackedInt32Array", "value": `, "1", "2", ", 3.5", "}"},
		{`{"$type": "PackedInt32Array", "value": `, "1", "2", `, "c"`, "}"},
		{`{"$type": "PackedStringArray", "value": `, `"a"`, `"b"`, `, 3`, "}"},
		{`{"$type": "PackedVector2Array", "value": `, "1", "2", ", 3", "}"},
		{`{"$type": "Dictionary", "value": `, "1", "2", ", 3", "}"},
	} {
		errorOf := func(text string) *codec.TextError {
			_, err := godot.ParseJSON([]byte(text))
			var e *codec.TextError
			if !errors.As(err, &e) {
				t.Fatalf("%.60s: %v", text, err)
			}
			return e
		}
		short := errorOf(c.before + "[" + c.first + ", " + c.rest + c.last + "]" + c.after)
		got := errorOf(c.before + long(c.first, c.rest, c.last) + c.after)
		if short.Column > len(c.before)+len("[")+len(c.first) { // it is behind the repeated elements
			short.Column += (many - 1) * len(", "+c.rest)
		}
		if *got != *short {
			t.Errorf("%s…%s%s: %v, want %v", c.before, c.last, c.after, got, short)
		}
	}
	if _, err := godot.ParseJSON([]byte(`{"$type": "Vector2", "value": ` + long("1", "2", "") + "}")); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("not %d", many+1)) {
		t.Errorf("two numbers of %d: %v", many+1, err)
	}
}
