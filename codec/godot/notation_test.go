package godot_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

var textStyles = []godot.TextStyle{
	{}, {Names: godot.Godot3Names}, {Names: godot.PandemoniumNames}, {Indent: "\t"}, {Names: godot.Godot3Names, Indent: "  "},
}

// textLaw is the law of the notation. In every style, the text of a value is read as the same
// value, and the same text is written for it again.
func textLaw(v godot.Value) error {
	for _, style := range textStyles {
		text, err := godot.AppendText(nil, v, style)
		if err != nil {
			return fmt.Errorf("style %+v: AppendText: %v", style, err)
		}
		back, err := godot.ParseText(string(text))
		if err != nil {
			return fmt.Errorf("style %+v: ParseText: %v\n%s", style, err, text)
		}
		again, err := godot.AppendText(nil, back, style)
		if err != nil || string(again) != string(text) || !codec.Equal(v, back) {
			return fmt.Errorf("style %+v: written\n%s\nthen\n%s (%v)", style, text, again, err)
		}
	}
	if s := v.String(); strings.Contains(s, "\n") {
		return fmt.Errorf("String has more than one line: %s", s)
	}
	return nil
}

// oneText is a row of the table that feeds reader, writer and fuzzers.
type oneText struct {
	text string // as AppendText writes it
	json string // as AppendJSON writes it
	v    godot.Value
}

func wide(v godot.Value) godot.Value { return raw.Wrap(raw.Value(v).WithWide(true)) }

var textTable = []oneText{
	{`null`, `null`, godot.NewNil()},
	{`true`, `true`, godot.NewBool(true)},
	{`5`, `5`, godot.NewInt(5)},
	{`-9223372036854775808`, `{"$type":"int","value":"-9223372036854775808"}`, godot.NewInt(math.MinInt64)},
	{`9007199254740991`, `9007199254740991`, godot.NewInt(1<<53 - 1)},
	{`9007199254740992`, `{"$type":"int","value":"9007199254740992"}`, godot.NewInt(1 << 53)},
	{`1.0`, `{"$type":"float","value":1}`, godot.NewFloat(1)},
	{`-2.5`, `-2.5`, godot.NewFloat(-2.5)},
	{`0.1`, `0.1`, godot.NewFloat(0.1)},
	{`0.0`, `{"$type":"float","value":0}`, godot.NewFloat(0)},
	{`-0.0`, `{"$type":"float","value":"-0"}`, godot.NewFloat(math.Copysign(0, -1))},
	{`100000000000000.0`, `{"$type":"float","value":100000000000000}`, godot.NewFloat(1e14)},
	{`1e+15`, `{"$type":"float","value":1e+15}`, godot.NewFloat(1e15)},
	{`1e-05`, `1e-05`, godot.NewFloat(1e-5)},
	{`126.347510702372929`, `126.34751070237293`, godot.NewFloat(126.34751070237293)},
	{`5e-324`, `5e-324`, godot.NewFloat(5e-324)},
	{`1e-309`, `1e-309`, godot.NewFloat(1e-309)}, // engines read no digits as it
	{`inf`, `{"$type":"float","value":"inf"}`, godot.NewFloat(math.Inf(1))},
	{`inf_neg`, `{"$type":"float","value":"-inf"}`, godot.NewFloat(math.Inf(-1))},
	{`nan`, `{"$type":"float","value":"nan"}`, godot.NewFloat(math.Float64frombits(variant.OrdinaryNaN64))},
	{"nan;@bits=fff8000000000001\n", `{"$type":"float","value":"nan:fff8000000000001"}`, godot.NewFloat(math.Float64frombits(0xfff8000000000001))},
	{"5;@wide\n", `{"$type":"int","wide":true,"value":5}`, wide(godot.NewInt(5))},
	{"5000000000", `5000000000`, wide(godot.NewInt(5000000000))},
	{"1.5;@wide\n", `{"$type":"float","wide":true,"value":1.5}`, wide(godot.NewFloat(1.5))},
	{`"a\"\\\n\t\r\b\f'/"`, `"a\"\\\n\t\r\u0008\u000c'/"`, godot.NewString("a\"\\\n\t\r\b\f'/")},
	{`"größe 日本 😀"`, `"größe 日本 😀"`, godot.NewString("größe 日本 😀")},
	{`"\u0000\u000b\u007f\u2028"`, `"\u0000\u000b\u007f\u2028"`, godot.NewString("\x00\v\x7f\u2028")},
	{`"a\U1100ffé\U1100c3"`, `{"$type":"String","value":{"$bytes":"Yf/DqcM="}}`, godot.NewString("a\xffé\xc3")},
	{`&"name"`, `{"$type":"StringName","value":"name"}`, godot.NewStringName("name")},
	{`Vector2(1, -2.5)`, `{"$type":"Vector2","value":[1,-2.5]}`, newLanes(godot.Vector2Type, 1, -2.5)},
	{`Vector2(-0.0, inf_neg)`, `{"$type":"Vector2","value":["-0","-inf"]}`, newLanes(godot.Vector2Type, float32(math.Copysign(0, -1)), float32(math.Inf(-1)))},
	{"Vector2(nan, nan;@bits=ffc00000\n)", `{"$type":"Vector2","value":["nan","nan:ffc00000"]}`,
		newLanes(godot.Vector2Type, math.Float32frombits(variant.OrdinaryNaN32), math.Float32frombits(0xffc00000))},
	{"Vector2(0.1, 2);@wide\n", `{"$type":"Vector2","wide":true,"value":[0.1,2]}`, newWideLanes(godot.Vector2Type, 0.1, 2)},
	{`Vector3i(1, 2, -3)`, `{"$type":"Vector3i","value":[1,2,-3]}`, newIntLanes(godot.Vector3iType, 1, 2, -3)},
	{`Color(0.1, 0.2, 1e-45, 10000000000)`, `{"$type":"Color","value":[0.1,0.2,1e-45,10000000000]}`, newLanes(godot.ColorType, 0.1, 0.2, 1e-45, 1e10)},
	{`PackedByteArray(1, 2, 255)`, `{"$type":"PackedByteArray","value":"AQL/"}`, raw.Wrap(interp.MakePacked(uint16(godot.PackedByteArray), 1, 1, []byte{1, 2, 255}))},
	{`PackedStringArray("a", "")`, `{"$type":"PackedStringArray","value":["a",""]}`, godot.NewPackedStringArray([]string{"a", ""})},
	{`PackedVector2Array(1, 2, 3, 4)`, `{"$type":"PackedVector2Array","value":[[1,2],[3,4]]}`,
		newPacked(godot.PackedVector2Array, 9, 2, raw.Value(newLanes(godot.Vector4Type, 1, 2, 3, 4)).Bytes())},
	{`NodePath("/root/a:b:c")`, `{"$type":"NodePath","value":"/root/a:b:c"}`, godot.NodePath{[]string{"root", "a"}, []string{"b", "c"}, true}.Value()},
	{`NodePath(true, ["a/b", ""], ["c"])`, `{"$type":"NodePath","absolute":true,"names":["a/b",""],"subnames":["c"]}`,
		godot.NodePath{[]string{"a/b", ""}, []string{"c"}, true}.Value()},
	{`RID()`, `{"$type":"RID","value":0}`, godot.NewRID(0)},
	{`RID(-1)`, `{"$type":"RID","value":"18446744073709551615"}`, godot.NewRID(math.MaxUint64)},
	{`Callable()`, `{"$type":"Callable"}`, godot.NewCallable()},
	{`Signal()`, `{"$type":"Signal","name":"","object":0}`, godot.Signal{}.Value()},
	{`Signal("hit", 5)`, `{"$type":"Signal","name":"hit","object":5}`, godot.Signal{"hit", 5}.Value()},
	{`Object()`, `{"$type":"Object"}`, godot.Object{}.Value()},
	{`Object(5)`, `{"$type":"Object","id":5}`, godot.NewObjectID(5)},
	{`Object(RefCounted,)`, `{"$type":"Object","class":"RefCounted","properties":[]}`, godot.Object{Class: "RefCounted"}.Value()},
	{`Object(Node, "a": 1, "a": null)`, `{"$type":"Object","class":"Node","properties":[["a",1],["a",null]]}`,
		godot.Object{"Node", []godot.Property{{"a", godot.NewInt(1)}, {"a", godot.NewNil()}}}.Value()},
	{`Object("a b",)`, `{"$type":"Object","class":"a b","properties":[]}`, godot.Object{Class: "a b"}.Value()},
	{`[]`, `[]`, godot.NewArray()},
	{`[1, "a", [null]]`, `[1,"a",[null]]`, godot.NewArray(godot.NewInt(1), godot.NewString("a"), godot.NewArray(godot.NewNil()))},
	{`Array[int]([1])`, `{"$type":"Array","of":"int","value":[1]}`, godot.WithElemType(godot.NewArray(godot.NewInt(1)), godot.ElemType{Type: godot.Int})},
	{`Array[Object]([])`, `{"$type":"Array","of":"Object","value":[]}`, godot.WithElemType(godot.NewArray(), godot.ElemType{Type: godot.ObjectType})},
	{`Array[Node]([])`, `{"$type":"Array","of":{"class":"Node"},"value":[]}`, godot.WithElemType(godot.NewArray(), godot.ElemType{Type: godot.ObjectType, Class: "Node"})},
	{`Array["int"]([])`, `{"$type":"Array","of":{"class":"int"},"value":[]}`, godot.WithElemType(godot.NewArray(), godot.ElemType{Type: godot.ObjectType, Class: "int"})},
	{`Array[Resource("res://x.gd")]([])`, `{"$type":"Array","of":{"script":"res://x.gd"},"value":[]}`,
		godot.WithElemType(godot.NewArray(), godot.ElemType{Type: godot.ObjectType, Script: "res://x.gd"})},
	{`{}`, `{}`, godot.NewDictionary()},
	{`{"b": 1, "a": 2.5}`, `{"b":1,"a":2.5}`, godot.NewDictionary(codec.Pair{Key: godot.NewString("b"), Value: godot.NewInt(1)}, codec.Pair{Key: godot.NewString("a"), Value: godot.NewFloat(2.5)})},
	{`{"1": 1}`, `{"$type":"Dictionary","value":[["1",1]]}`, godot.NewDictionary(codec.Pair{Key: godot.NewString("1"), Value: godot.NewInt(1)})},
	{`{"$a": 1}`, `{"$type":"Dictionary","value":[["$a",1]]}`, godot.NewDictionary(codec.Pair{Key: godot.NewString("$a"), Value: godot.NewInt(1)})},
	{`{1: 1, 1: 2}`, `{"$type":"Dictionary","value":[[1,1],[1,2]]}`, godot.NewDictionary(codec.Pair{Key: godot.NewInt(1), Value: godot.NewInt(1)}, codec.Pair{Key: godot.NewInt(1), Value: godot.NewInt(2)})},
	{`Dictionary[int, Variant]({1: null})`, `{"$type":"Dictionary","of":["int",null],"value":[[1,null]]}`,
		godot.WithPairTypes(godot.NewDictionary(codec.Pair{Key: godot.NewInt(1), Value: godot.NewNil()}), godot.ElemType{Type: godot.Int}, godot.ElemType{})},
	{`Raw(0, none)`, `{"$type":"invalid","kind":"none"}`, godot.Value{}},
	{`Raw(InputEvent, record, [Raw(0, uint, 1), "a", Raw(0, none)])`,
		`{"$type":"InputEvent","kind":"record","value":[{"$type":"invalid","kind":"uint","value":1},"a",{"$type":"invalid","kind":"none"}]}`,
		raw.Wrap(interp.MakeRecord(uint16(godot.InputEventType), []interp.Value{interp.MakeUint(0, 1), raw.Value(godot.NewString("a")), {}}))},
	{`Raw(300, packed, i32, 2, 1, 2, 3, 4)`, `{"$type":300,"kind":"packed","scalar":"i32","width":2,"value":[[1,2],[3,4]]}`,
		raw.Wrap(interp.MakePacked(300, 6, 2, raw.Value(newIntLanes(godot.Vector4iType, 1, 2, 3, 4)).Bytes()))},
	{`Raw(Vector2, lanes, f64, 1, 2)`, `{"$type":"Vector2","kind":"lanes","scalar":"f64","value":[1,2]}`,
		raw.Wrap(raw.Value(newWideLanes(godot.Vector2Type, 1, 2)).WithWide(false))},
	{`Raw(300, packed, f16, 1, 1.5, -0.0)`, `{"$type":300,"kind":"packed","scalar":"f16","width":1,"value":[1.5,"-0"]}`,
		raw.Wrap(interp.MakePacked(300, bytecode.F16, 1, []byte{0, 0x3e, 0, 0x80}))},
	{`Raw(PackedStringArray, list, [5])`, `{"$type":"PackedStringArray","kind":"list","value":[5]}`,
		raw.Wrap(interp.MakeList(uint16(godot.PackedStringArray), []interp.Value{raw.Value(godot.NewInt(5))}))},
	{`Raw(Object, record, [Raw(0, none), "Node", 5])`, `{"$type":"Object","kind":"record","value":[{"$type":"invalid","kind":"none"},"Node",5]}`,
		raw.Wrap(interp.MakeRecord(uint16(godot.ObjectType), []interp.Value{{}, raw.Value(godot.NewString("Node")), raw.Value(godot.NewInt(5))}))},
	{`Raw(Object, record, [Raw(0, none), "Node", [5]])`, `{"$type":"Object","kind":"record","value":[{"$type":"invalid","kind":"none"},"Node",[5]]}`,
		raw.Wrap(interp.MakeRecord(uint16(godot.ObjectType), []interp.Value{{}, raw.Value(godot.NewString("Node")), raw.Value(godot.NewArray(godot.NewInt(5)))}))},
	{`Vector2(7.038530691851209e-26, 0)`, `{"$type":"Vector2","value":[7.038530691851209e-26,0]}`, godot.Vector2{X: math.Float32frombits(0x15ae43fd), Y: 0}.Value()}, // its shortest digits are another number if they are a double first
	{"Array[Raw(builtin, record, [Raw(int, unit)]);@wide\n]([])", `{"$type":"Array","of":{"$type":"builtin","wide":true,"kind":"record","value":[{"$type":"int","kind":"unit"}]},"value":[]}`,
		raw.Wrap(interp.MakeRecord(uint16(godot.ArrayType), []interp.Value{interp.MakeRecord(uint16(variant.TypeBuiltin), []interp.Value{interp.MakeUnit(uint16(godot.Int))}).WithWide(true), raw.Value(godot.NewArray())}))},
	{`Array["Variant"]([])`, `{"$type":"Array","of":{"class":"Variant"},"value":[]}`, godot.WithElemType(godot.NewArray(), godot.ElemType{Type: godot.ObjectType, Class: "Variant"})},
	{`Array[int]([1, 2])`, `{"$type":"Array","of":"int","value":[1,2]}`, godot.WithElemType(godot.NewArray(godot.NewInt(1), godot.NewInt(2)), godot.ElemType{Type: godot.Int})},
	{`Object(Node, "a": 2, "a": null)`, `{"$type":"Object","class":"Node","properties":[["a",2],["a",null]]}`,
		godot.Object{"Node", []godot.Property{{"a", godot.NewInt(2)}, {"a", godot.NewNil()}}}.Value()},
	{`Raw(300, map, {1: 2})`, `{"$type":300,"kind":"map","value":[[1,2]]}`, raw.Wrap(interp.MakeMap(300, []interp.Value{raw.Value(godot.NewInt(1)), raw.Value(godot.NewInt(2))}))},
}

func TestTextTable(t *testing.T) {
	for _, row := range textTable {
		text, err := godot.AppendText(nil, row.v, godot.TextStyle{})
		if err != nil || string(text) != row.text {
			t.Errorf("wrote %s (%v), want %s", text, err, row.text)
		}
		if v, err := godot.ParseText(row.text); err != nil || !codec.Equal(v, row.v) {
			t.Errorf("%s reads as %v (%v)", row.text, v, err)
		}
		if err := textLaw(row.v); err != nil {
			t.Errorf("%s: %v", row.text, err)
		}
	}
}

func TestTextStyles(t *testing.T) {
	v := godot.NewDictionary(
		codec.Pair{Key: godot.NewStringName("at"), Value: newLanes(godot.QuaternionType, 0, 0, 0, 1)},
		codec.Pair{Key: godot.NewString("list"), Value: godot.NewArray(godot.NewInt(1), godot.NewArray(godot.NewPackedStringArray([]string{"a"})))},
		codec.Pair{Key: godot.NewString("o"), Value: godot.Object{"Node", []godot.Property{{"name", godot.NewString("n")}}}.Value()},
		codec.Pair{Key: godot.NewString("n"), Value: wide(godot.NewInt(1))})
	for _, test := range []struct {
		style godot.TextStyle
		want  string
	}{
		{godot.TextStyle{Plain: true}, `{&"at": Quaternion(0, 0, 0, 1), "list": [1, [PackedStringArray("a")]], "o": Object(Node, "name": "n"), "n": 1}`},
		{godot.TextStyle{Names: godot.Godot3Names}, `{@"at": Quat(0, 0, 0, 1), "list": [1, [PoolStringArray("a")]], "o": Object(Node, "name": "n"), "n": 1;@wide` + "\n}"},
		{godot.TextStyle{Names: godot.PandemoniumNames, Indent: "  "}, `{
  @"at": Quaternion(0, 0, 0, 1),
  "list": [
    1,
    [
      PoolStringArray("a")
    ]
  ],
  "o": Object(Node,
    "name": "n"
  ),
  "n": 1;@wide
}`},
	} {
		if got, err := godot.AppendText(nil, v, test.style); err != nil || string(got) != test.want {
			t.Errorf("style %+v: %v\n%s\nwant\n%s", test.style, err, got, test.want)
		}
	}
}

// TestTextReads reads what is not written as AppendText writes it.
func TestTextReads(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{" ; a comment\n [1, 2,] ; another", `[1, 2]`},
		{"\ufeff5", `5`},
		{`nil`, `null`},
		{`[-inf, -inf.0, inf.0, nan.0, 1e400]`, `[inf_neg, inf_neg, inf, nan, inf]`},
		{"Vector2(-nan, 1.)", "Vector2(nan;@bits=ffc00000\n, 1)"},
		{`[007, -0, 1E3, 2e-2]`, `[7, 0, 1000.0, 0.02]`},
		{`"\u0041\U01F600\ud83d\ude00\q\v\a\'"`, `"A😀😀qva'"`},
		{`"\UFFFFFF"`, `"` + "\ufffd" + `"`},
		{"\"a\\\nb\"", `"a\nb"`},
		{`@"a"`, `&"a"`},
		{`^"/a/b:c"`, `NodePath("/a/b:c")`},
		{`NodePath("a//b/")`, `NodePath("a/b")`},
		{`[NodePath("a:"), NodePath(":"), NodePath("/:p"), NodePath("//")]`, `[NodePath("a"), NodePath(""), NodePath("/:p"), NodePath("/")]`},
		{`[#f80, #ff880080]`, `[Color(1, 0.53333336, 0, 1), Color(1, 0.53333336, 0, 0.5019608)]`},
		{`PackedByteArray("AQID")`, `PackedByteArray(1, 2, 3)`},
		{`PoolByteArray(256, -1, 300.7)`, `PackedByteArray(0, 255, 44)`},
		{`[Vector2i(1.9, -1.9), Vector2i(3000000000, -2.14748e+09)]`, `[Vector2i(1, -1), Vector2i(-1294967296, -2147480000)]`},
		{`Vector2(9007199254740993, 16777217)`, `Vector2(9.007199e+15, 16777216)`},
		{`[Quat(1,2,3,4), Matrix32(1,2,3,4,5,6), Rect3(1,2,3,4,5,6), FloatArray(1), RealArray(1), IntArray(1), ByteArray(1)]`,
			`[Quaternion(1, 2, 3, 4), Transform2D(1, 2, 3, 4, 5, 6), AABB(1, 2, 3, 4, 5, 6), PackedFloat32Array(1), PackedFloat32Array(1), PackedInt32Array(1), PackedByteArray(1)]`},
		{`PoolVector2iArray( -2.14748e+09, 1 )`, `PackedVector2iArray(-2147480000, 1)`},
		{`Array[Variant]([1])`, `[1]`},
		{`Dictionary[Variant, Variant]({})`, `{}`},
		{`Array [ int ] ( [ ] )`, `Array[int]([])`},
		{`Array[Resource("uid://abc", "res://x.gd")]([])`, `Array[Resource("res://x.gd")]([])`},
		{"Object(RefCounted,\"script\":null)\n", `Object(RefCounted, "script": null)`},
		{`RID(18446744073709551615)`, `RID(-1)`},
		{`PackedInt64Array(1.9, -1e10)`, `PackedInt64Array(1, -10000000000)`},
		{`"\é"`, `"é"`},
		{"nan ;@bits=7ff8000000000001", "nan;@bits=7ff8000000000001\n"},
	} {
		v, err := godot.ParseText(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got, _ := godot.AppendText(nil, v, godot.TextStyle{}); string(got) != test.want {
			t.Errorf("%s reads as %s, want %s", test.text, got, test.want)
		}
		if err := textLaw(v); err != nil {
			t.Errorf("%s: %v", test.text, err)
		}
	}
}

// TestEngineTexts reads what engines wrote. That "ours" is what the engine reads
// as the bytes in "hex" was asked of the engines when the files were made.
func TestEngineTexts(t *testing.T) {
	for _, name := range []string{"godot4.jsonl", "godot3.jsonl"} {
		file := filepath.Join("testdata", "notation", name)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		lines := bufio.NewScanner(bytes.NewReader(data))
		for lines.Scan() {
			var row struct {
				Text string `json:"text"`
				Ours string `json:"ours"`
				Hex  string `json:"hex"`
			}
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			v, err := godot.ParseText(row.Text)
			if err != nil {
				t.Errorf("%s: %s: %v", name, row.Text, err)
			}
			style := godot.TextStyle{}
			if name == "godot3.jsonl" {
				style.Names = godot.Godot3Names
			}
			ours, _ := godot.AppendText(nil, v, style)
			if golden.Updates() {
				row.Ours = string(ours)
			}
			if string(ours) != row.Ours {
				t.Errorf("%s: %s: wrote %s, want %s", name, row.Text, ours, row.Ours)
			}
			if err := textLaw(v); err != nil {
				t.Errorf("%s: %s: %v", name, row.Text, err)
			}
			enc.Encode(row)
		}
		if golden.Updates() {
			os.WriteFile(file, out.Bytes(), 0o644)
		}
	}
}

var badTexts = []string{
	``, ` ; only a comment`, `5 6`, `[1 2]`, `[1,,2]`, `[1`, `{1 2}`, `{1:`, `{"a":1 "b":2}`, `0x10`, `1_000`, `1.5.5`, `5.0f`, `1e`, `+5`, `.5`,
	`- 5`, `-a`, `9223372036854775808`, `'a'`, `"abc`, `"a\`, `"\u12"`, `"\ud83d"`, `"\ude00"`, `"\ud83d\u0041"`, "\"\xff\"", "\"a\x00b\"", "\x00",
	`&name`, `foo`, `TRUE`, `Vector2(1)`, `Vector2(1, 2,)`, `Vector2(1, "a")`, `Vector2 5`, `Vector2i(nan, 1)`, `PackedInt32Array(1e10)`,
	`PackedVector2Array(1, 2, 3)`, `PackedByteArray("AQI")`, `Color("red")`, `#12`, `NodePath(5)`, `NodePath("a::b")`, `NodePath(true, ["a"])`,
	`RID(1.5)`, `RID(18446744073709551616)`, `Callable(1)`, `Signal("a")`, `Object(Node)`, `Object("",)`, `Object(Node, a: 1)`, `Resource("res://x.tres")`,
	`InputEvent(KEY, 65)`, `Array([1])`, `Array[int](1)`, `Array[Array[int]]([])`, `Array[5]([])`, `Dictionary[int]({})`,
	`Array[Resource("a", "b")]([])`, `Array[ExtResource("1")]([])`, "5;@wider", "5;@hm", ";@wide\n5", "nan;@bits=12", "nan;@bits=7ff0000000000000",
	"nan;@bits=7fc00001", "Vector2(nan;@bits=7ff8000000000001\n, 1)", `Raw(5)`, `Raw(nothing, unit)`, `Raw(70000, unit)`, `Raw(300, thing)`,
	`Raw(300, bool, 1)`, `Raw(300, lanes, f33)`, `Raw(300, packed, u8, 0)`, `Raw(300, packed, u8, 2, 1)`, `Raw(300, packed, f16, 1, 0.1)`,
	`PackedFloat64Array(nan;@bits=7fc00001` + "\n)", `PackedInt64Array(1e19)`, `TypedArray( 5 , 1 )`, `Dictionary(5)`, `x` + strings.Repeat("é", 25), "[\n  1,\n  é?]",
	strings.Repeat("[", variant.MaxTextDepth+1),
}

func TestTextErrors(t *testing.T) {
	checkErrors(t, filepath.Join("testdata", "notation", "errors.txt"), badTexts, func(s string) error {
		v, err := godot.ParseText(s)
		if err == nil {
			t.Errorf("%q is read as %v", s, v)
		} else if !codec.Equal(v, godot.Value{}) {
			t.Errorf("%q has an error and the value %v", s, v)
		}
		return err
	})
}

// checkErrors compares the errors of read with a golden file.
func checkErrors(t *testing.T, file string, inputs []string, read func(string) error) {
	t.Helper()
	var out bytes.Buffer
	for _, s := range inputs {
		err := read(s)
		var textError *codec.TextError
		if !errors.As(err, &textError) {
			t.Errorf("%q: the error is no *TextError: %v", s, err)
		}
		fmt.Fprintf(&out, "%s\n    %v\n", variant.QuoteShort(s), err)
	}
	golden.File(t, file, out.Bytes())
}

func TestTextLawRandom(t *testing.T) {
	for seed := range uint64(long.Number(50, 150)) {
		if err := textLaw(randomValue(seed)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func TestTextDepth(t *testing.T) {
	v := godot.NewNil()
	for range variant.MaxTextDepth - 1 {
		v = godot.NewArray(v)
	}
	for _, check := range []func(godot.Value) ([]byte, error){
		func(v godot.Value) ([]byte, error) { return godot.AppendText(nil, v, godot.TextStyle{}) },
		func(v godot.Value) ([]byte, error) { return godot.AppendJSON(nil, v) },
	} {
		if _, err := check(v); err != nil {
			t.Error(err)
		}
		for _, deep := range []godot.Value{
			godot.NewArray(godot.NewArray(v)), godot.WithElemType(godot.NewArray(godot.NewArray(v)), godot.ElemType{Type: godot.ArrayType}), godot.Object{"Node", []godot.Property{{"a", godot.NewArray(v)}}}.Value(),
			godot.NewDictionary(codec.Pair{Key: godot.NewArray(v), Value: godot.NewNil()}), godot.NewDictionary(codec.Pair{Key: godot.NewNil(), Value: godot.NewArray(v)}),
			raw.Wrap(interp.MakeRecord(uint16(variant.TypedArrayType), []interp.Value{interp.MakeUnit(uint16(godot.ArrayType)), {}, interp.MakeList(0, []interp.Value{raw.Value(godot.NewArray(v))})})),
		} {
			if dst, err := check(deep); err == nil || len(dst) != 0 {
				t.Error("too deep a value is written")
			}
		}
	}
	text, _ := godot.AppendText(nil, v, godot.TextStyle{})
	if back, err := godot.ParseText(string(text)); err != nil || !codec.Equal(v, back) {
		t.Error(err)
	}
	if s := godot.NewArray(godot.NewArray(v)).String(); !strings.HasSuffix(s, "...") {
		t.Errorf("String ends with %s", s[len(s)-5:])
	}
}

// TestTextNumbers checks that numbers mean the same to a correct reader. As far
// as it can be, they mean the same to the engines.
func TestTextNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	missed := 0
	const n = 20000
	for i := range n {
		f := r.NormFloat64() * 1000
		if i%2 == 0 {
			f = math.Float64frombits(r.Uint64())
		}
		if f != f || math.IsInf(f, 0) {
			continue
		}
		text, _ := godot.AppendText(nil, godot.NewFloat(f), godot.TextStyle{})
		if back, err := strconv.ParseFloat(string(text), 64); err != nil || back != f {
			t.Fatalf("%v is written %s", f, text)
		}
		if i%2 == 1 && variant.EngineNumber(text) != f {
			missed++
		}
		single := math.Float32frombits(r.Uint32())
		if single != single {
			continue
		}
		text, _ = godot.AppendText(nil, newLanes(godot.Vector2Type, single, 0), godot.TextStyle{})
		digits := strings.TrimSuffix(strings.TrimPrefix(string(text), "Vector2("), ", 0)")
		if back, _ := strconv.ParseFloat(digits, 64); !strings.HasPrefix(digits, "inf") && (float32(back) != single || float32(variant.EngineNumber([]byte(digits))) != single) {
			t.Fatalf("%v is written %s", single, text)
		}
	}
	if missed > n/2*3/100 {
		t.Errorf("engines read %d of %d doubles wrong", missed, n/2)
	}
}

// TestEngineNumber has numbers that an engine was asked about.
func TestEngineNumber(t *testing.T) {
	for _, test := range []struct {
		text string
		bits uint64
	}{
		{"7.078406569534682e+64", 0x4d65822107fcfd53},
		{"-126.34751070237293", 0xc05f963d9d876ce8},
		{"6.64560053218490432e-01", 0x3fe5441371d9a55c},
		{"3.1790587319898538e+115", 0x57e9d1860d1d68d7},
		{"0.000000000000000000000000000000000000000000001", 0},
		{"123456789012345678901234567890.0", 0x45f8ee90ff6c373e},
		{"1e400", 0x7ff0000000000000},
	} {
		if f := variant.EngineNumber([]byte(test.text)); math.Float64bits(f) != test.bits {
			t.Errorf("%s is %x, to an engine %x", test.text, math.Float64bits(f), test.bits)
		}
	}
}

func TestEqual(t *testing.T) {
	var all []godot.Value
	for _, row := range textTable {
		all = append(all, row.v)
	}
	for i, a := range all {
		for j, b := range all {
			if codec.Equal(a, b) != (i == j) {
				t.Errorf("Equal(%s, %s) is %t", textTable[i].text, textTable[j].text, i != j)
			}
		}
	}
	same := [][2]godot.Value{
		{godot.NewRID(0), raw.Wrap(interp.MakeUnit(uint16(godot.RIDType)))},
		{godot.Object{}.Value(), raw.Wrap(interp.MakeUnit(uint16(godot.ObjectType)))},
		{godot.NewInt(1 << 40), wide(godot.NewInt(1 << 40))},
		{godot.NewFloat(0.1), wide(godot.NewFloat(0.1))},
	}
	for _, p := range same {
		if !codec.Equal(p[0], p[1]) || !codec.Equal(p[1], p[0]) {
			t.Errorf("%v is not itself", p[0])
		}
	}
}

// FuzzParseText reads anything: it must not panic, and what it reads obeys the law.
func FuzzParseText(f *testing.F) {
	for _, row := range textTable {
		f.Add(row.text)
	}
	for _, s := range badTexts {
		if len(s) < 100 {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := godot.ParseText(s)
		if err != nil {
			return
		}
		if err := textLaw(v); err != nil {
			t.Fatal(err)
		}
		if err := jsonLaw(v); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzTextLaw makes values of the fuzzer's bytes and checks both laws.
func FuzzTextLaw(f *testing.F) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		data := make([]byte, r.IntN(300))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := valueMaker{slices.Clone(data)}
		v := m.value(5)
		if err := textLaw(v); err != nil {
			t.Fatal(err)
		}
		if err := jsonLaw(v); err != nil {
			t.Fatal(err)
		}
	})
}

// TestDigitsBesideTheNearest writes numbers for which neither the shortest digits nor 18
// are right for engines. Right are 17 that lie beside the nearest ones.
func TestDigitsBesideTheNearest(t *testing.T) {
	for _, f := range []float64{-15534103.478482693, 1.8367099231598242e-40, -9.78957066839258e+123} {
		text := variant.AppendEngineDouble(nil, f)
		if exact, _ := strconv.ParseFloat(string(text), 64); exact != f || variant.EngineNumber(text) != f {
			t.Errorf("%v is written %s, which is %v, and %v to engines", f, text, exact, variant.EngineNumber(text))
		}
	}
}
