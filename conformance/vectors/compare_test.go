package vectors

import (
	"encoding/hex"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

func TestCompare(t *testing.T) {
	for _, test := range []struct {
		want, got string
		r         Relation
		path, say string
	}{
		{`1`, `1`, Exact, ``, ``},
		{`1`, `{"$type":"int","wide":true,"value":"1"}`, Exact, ``, ``},
		{`1`, `2`, Wrong, ``, `it is 2, and should be 1`},
		{`1`, `{"$type":"float","value":1}`, Lossy, ``, `the type is lost: it is the float 1.0, and should be the int 1`},
		{`{"$type":"float","value":1}`, `1`, Lossy, ``, `the type is lost: it is the int 1, and should be the float 1.0`},
		{`{"$type":"int","value":"9007199254740993"}`, `{"$type":"int","value":"9007199254740992"}`, Lossy, ``,
			`digits are lost: it is 9007199254740992, and should be 9007199254740993`},
		{`0.1`, `{"$type":"float","value":"bits:3fb99999a0000000"}`, Lossy, ``, `it is rounded to single precision: 0.10000000149011612, and should be 0.1`},
		{`{"$type":"float","value":"-0"}`, `{"$type":"float","value":"0"}`, Lossy, ``, `the sign is lost: it is 0, and should be -0.0`},
		{`{"$type":"float","value":"nan"}`, `{"$type":"float","value":"nan:fff8000000000000"}`, SameValue, ``, `it is the NaN fff8000000000000 in place of 7ff8000000000000`},
		{`{"$type":"Object"}`, `null`, SameValue, ``, `it is null in place of Object()`},
		{`{"$type":"Object","id":0}`, `{"$type":"Object"}`, SameValue, ``, `it is Object() in place of Object(0)`},
		{`{"$type":"Object","id":0}`, `{"$type":"Object","id":0}`, Exact, ``, ``},
		{`{"$type":"Object","id":1}`, `{"$type":"Object"}`, Wrong, ``, `it is Object(), and should be Object(1)`},
		{`null`, `false`, Wrong, ``, `it is the bool false, and should be the Nil null`},
		{`{"$type":"Array","kind":"record","value":[{"$type":"invalid","kind":"bool","value":true},{"$type":"invalid","kind":"list","value":[]}]}`,
			`{"$type":"Array","kind":"record","value":[{"$type":"invalid","kind":"bool","value":false},{"$type":"invalid","kind":"list","value":[]}]}`,
			Wrong, ``, `it is Array[Raw(0, bool, false)]([]), and should be Array[Raw(0, bool, true)]([])`},
		{`{"$type":"PackedInt64Array","value":["-1"]}`, `{"$type":"PackedInt64Array","kind":"packed","scalar":"u64","width":1,"value":["18446744073709551615"]}`,
			Wrong, `[0]`, `it is 18446744073709551615, and should be -1`},
		{`"a"`, `{"$type":"StringName","value":"a"}`, Lossy, ``, `the type is lost: it is a StringName, and should be a String`},
		{`"a"`, `"a\u0000\u0000"`, Wrong, ``, `it ends with zero bytes that are padding: "a\x00\x00", and should be "a"`},
		{`"ab"`, `"a"`, Wrong, ``, `its end is missing: it is "a", and should be "ab"`},
		{`{"$type":"String","value":{"$bytes":"/w=="}}`, `"\ufffd"`, Lossy, ``, `bytes that are no characters are replaced: it is "\ufffd", and should be "\xff"`},
		{`{"$type":"Vector2","value":[1,2]}`, `{"$type":"Vector2","wide":true,"value":[1,2]}`, Exact, ``, ``},
		{`{"$type":"Vector2","wide":true,"value":[1,0.1]}`, `{"$type":"Vector2","value":[1,0.1]}`, Lossy, `.y`,
			`it is rounded to single precision: 0.10000000149011612, and should be 0.1`},
		{`{"$type":"Vector3","value":[1,2,3]}`, `{"$type":"Vector3","value":[1,3,2]}`, Wrong, `.y`, `it is 3, and should be 2`},
		{`{"$type":"PackedVector2Array","value":[[1,2],[3,4]]}`, `{"$type":"PackedVector2Array","value":[[1,2],[3,5]]}`, Wrong, `[1].y`, `it is 5, and should be 4`},
		{`{"$type":"PackedInt32Array","value":[1,2]}`, `[1,2]`, Lossy, ``, `the type is lost: it is an Array, and should be a PackedInt32Array`},
		{`{"$type":"PackedInt32Array","value":[1,2]}`, `{"$type":"PackedInt32Array","value":[1]}`, Wrong, ``, `it has 1 elements, and should have 2`},
		{`[1,[2,3]]`, `[1,[2,4]]`, Wrong, `[1][1]`, `it is 4, and should be 3`},
		{`[0.1,2]`, `[{"$type":"float","value":"bits:3fb99999a0000000"},3]`, Wrong, `[1]`, `it is 3, and should be 2`},
		{`{"a":[{"b":1}]}`, `{"a":[{"b":2}]}`, Wrong, `["a"][0]["b"]`, `it is 2, and should be 1`},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, Lossy, ``, `the order of the pairs is lost`},
		{`{"a":1,"b":2}`, `{"b":2,"a":3}`, Wrong, `["a"]`, `it is 3, and should be 1`},
		{`{"a":1,"b":2}`, `{"b":2,"c":1}`, Wrong, `.key(0)`, `it is "b", and should be "a"`},
		{`{"$type":"Array","of":"int","value":[1]}`, `[1]`, Lossy, ``, `the type of the elements is lost: it is [1], and should be Array[int]([1])`},
		{`[1]`, `{"$type":"Array","of":"int","value":[1]}`, Wrong, ``, `the type of the elements is another: it is Array[int]([1]), and should be [1]`},
		{`{"$type":"Array","of":{"class":"X"},"value":[]}`, `{"$type":"Array","of":{"script":"X"},"value":[]}`, Wrong, ``,
			`the type of the elements is another: it is Array[Resource("X")]([]), and should be Array[X]([])`},
		{`{"$type":"float","value":1e300}`, `{"$type":"float","value":"inf"}`, Wrong, ``, `it is +Inf, and should be 1e+300`},
		{`{"$type":"RID","value":0}`, `{"$type":"RID","kind":"unit"}`, Exact, ``, ``},
		{`{"$type":"NodePath","value":"/a:b"}`, `{"$type":"NodePath","value":"a:b"}`, Wrong, `.absolute`, `it is false, and should be true`},
	} {
		want, err := godot.ParseJSON([]byte(test.want))
		if err != nil {
			t.Fatal(err)
		}
		got, err := godot.ParseJSON([]byte(test.got))
		if err != nil {
			t.Fatal(err)
		}
		r, path, say := Compare(want, got)
		if r != test.r || path != test.path || say != test.say {
			t.Errorf("%s, %s: %s, %q, %q; want %s, %q, %q", test.want, test.got, r, path, say, test.r, test.path, test.say)
		}
		if r, _, _ := Compare(want, want); r != Exact {
			t.Errorf("%s is not itself", test.want)
		}
	}
}

// TestCompareWithBytes checks that a value that is read from bytes is the same as one read from JSON. The
// schema may have types for its parts.
func TestCompareWithBytes(t *testing.T) {
	packet, err := hex.DecodeString("0f000000" + "01000080" + "01000000" + "01000000" + "0100000061000000" + "0100000062000000")
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := codec.MustLoad("godot-3").Decode(packet)
	if err != nil {
		t.Fatal(err)
	}
	want, err := godot.ParseJSON([]byte(`{"$type":"NodePath","value":"/a:b"}`))
	if err != nil {
		t.Fatal(err)
	}
	if r, path, say := Compare(want, v); r != Exact {
		t.Errorf("%s: %s %s", r, path, say)
	}
}
