package codec_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/godot"
)

const saved = `{"player": {"gold": 5, "a key": [1, 2, 3], &"name": "Ayla"}, "at": PackedVector2Array(1, 2, 3, 4),` +
	` "n": PackedInt32Array(7, 8), "s": PackedStringArray("a", "b"), "t": Array[int]([1, 2]), Vector2i(1, 2): "tile", 9: "nine", "d": Dictionary[String, int]({"x": 1}), "v": Vector3(1, 2, 3)}`

func parse(t *testing.T, c *codec.Codec, text string) codec.Value {
	t.Helper()
	v, err := c.ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestPath reads and prints paths.
func TestPath(t *testing.T) {
	c := codec.MustLoad("godot-4")
	for _, test := range []struct {
		text, prints string
		steps        int
	}{
		{".", ".", 0},
		{"player.gold", ".player.gold", 2},
		{".player.gold", ".player.gold", 2},
		{`player["a key"][-1]`, `.player["a key"][-1]`, 3},
		{`["player"].x`, ".player.x", 2},
		{`[Vector2i(1, 2)][]`, "[Vector2i(1, 2)][]", 2},
		{`[&"n]ame"]`, `[&"n]ame"]`, 1},
		{`["\"]"].x`, `["\"]"].x`, 2},
	} {
		p, err := c.ParsePath(test.text)
		if err != nil || p.String() != test.prints || len(p) != test.steps {
			t.Errorf("%s: %v, %v", test.text, p, err)
			continue
		}
		again, err := c.ParsePath(p.String())
		if err != nil || !cmp.Equal(p, again) {
			t.Errorf("%s: %v again, %v", test.text, again, err)
		}
	}
	for _, bad := range []string{"", "a.", "a..b", "[1", "a b", "a[1]b", "[{]", "..a", "[x]"} {
		if p, err := c.ParsePath(bad); err == nil || !strings.HasPrefix(err.Error(), "codec: ") {
			t.Errorf("%q: %v, %v", bad, p, err)
		}
	}
}

// TestAtAndGet finds the same parts in a Value and in its bytes.
func TestAtAndGet(t *testing.T) {
	c := codec.MustLoad("godot-4")
	v := parse(t, c, saved)
	b, err := c.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ path, want string }{
		{".", v.String()},
		{"player.gold", "5"}, {`player["a key"][-1]`, "3"}, {"player.name", `"Ayla"`}, {`player[&"name"]`, `"Ayla"`},
		{"at[1]", "Vector2(3, 4)"}, {"at[1][0]", "3.0"}, {"n[-2]", "7"}, {"s[1]", `"b"`}, {"t[1]", "2"}, {"[Vector2i(1, 2)]", `"tile"`},
		{"[9]", `"nine"`}, {"d.x", "1"}, {"v[2]", "3.0"}, {"t", "Array[int]([1, 2])"},
	} {
		p, err := c.ParsePath(test.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.At(p...); got.String() != test.want {
			t.Errorf("At %s is %v, want %s", test.path, got, test.want)
		}
		if got, err := c.Get(b, p...); err != nil || !got.Equal(v.At(p...)) {
			t.Errorf("Get %s is %v, %v, want %s", test.path, got, err, test.want)
		}
	}
	for _, path := range []codec.Path{{"x"}, {"player", 5}, {"player", "gold", "x"}, {"t", 2}, {"t", -3}, {"t", "x"}, {"player", "a key", 3}, {"player", "a key", -4}, {"player", "a key", "x"}, {int8(4)}, {nil}, {"t", nil}, {"at", 1, 2}} {
		if got := v.At(path...); !got.IsNil() {
			t.Errorf("At %v is %v", path, got)
		}
		got, err := c.Get(b, path...)
		if err == nil || !strings.HasPrefix(err.Error(), "codec: ") || len(err.Error()) > 200 {
			t.Errorf("Get %v is %v, %v", path, got, err)
		}
	}
	for i := range b {
		if _, err := c.Get(b[:i], "v", 2); !errors.Is(err, codec.ErrTruncated) {
			t.Errorf("Get of %d bytes: %v", i, err)
		}
	}
}

// TestSet changes values, and leaves the old ones.
func TestSet(t *testing.T) {
	c := codec.MustLoad("godot-4")
	v := parse(t, c, saved)
	for _, test := range []struct{ path, text, want string }{
		{"player.gold", "500", `"gold": 5`},
		{"player.level", "1", ""},
		{"player[&\"name\"]", `"Bo"`, ""},
		{`player["a key"][0]`, "null", ""},
		{`player["a key"][]`, `"more"`, ""},
		{"at[0]", "Vector2(9, 9)", ""}, {"at[0][1]", "9.0", ""}, {"n[1]", "-1", ""}, {"s[0]", `"z"`, ""}, {"t[0]", "6", ""},
		{"d.y", "2", ""}, {"v[0]", "4.0", ""}, {"[Vector2i(1, 2)]", "5", ""}, {"[Vector2i(3, 4)]", "5", ""}, {"[10]", "5", ""}, {".", "null", ""},
	} {
		p, err := c.ParsePath(test.path)
		if err != nil {
			t.Fatal(err)
		}
		x := parse(t, c, test.text)
		before := v.String()
		got, err := v.Set(p, x)
		if n := len(p); n > 0 && p[n-1] == nil {
			p[n-1] = -1
		}
		if at := got.At(p...); err != nil || !at.Equal(x) {
			t.Errorf("%s is %v, %v, want %s", test.path, at, err, test.text)
		}
		if v.String() != before {
			t.Fatalf("setting %s changed the old value", test.path)
		}
		b, err := c.Encode(got)
		if err != nil {
			t.Errorf("%s: %v", test.path, err)
		}
		if back, _, err := c.Decode(b); err != nil || !back.Equal(got) {
			t.Errorf("%s: %v, %v", test.path, back, err)
		}
	}
	for _, test := range []struct {
		path, text string
		want       error
	}{
		{"x.y", "1", codec.ErrMissingKey}, {"t[2]", "1", codec.ErrMissingKey}, {"t[0]", `"a"`, codec.ErrMismatch}, {"t[]", `"a"`, codec.ErrMismatch},
		{"d.y", "1.5", codec.ErrMismatch}, {"d[3]", "1", codec.ErrMismatch}, {"n[0]", "1.5", codec.ErrMismatch}, {"n[0]", "3000000000", codec.ErrMismatch}, {"at[0]", "Vector3(1, 2, 3)", codec.ErrMismatch},
		{"s[0]", "1", codec.ErrMismatch}, {"player[]", "1", codec.ErrMissingKey}, {"player.gold.x", "1", codec.ErrMissingKey}, {"v[0]", `"a"`, codec.ErrMismatch}, {"v[0]", "9007199254740993", codec.ErrMismatch},
	} {
		p, err := c.ParsePath(test.path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := v.Set(p, parse(t, c, test.text)); !errors.Is(err, test.want) || !got.Equal(v) || test.want == codec.ErrMismatch && !strings.HasPrefix(err.Error(), "codec: "+p.String()+": ") {
			t.Errorf("%s = %s: %v", test.path, test.text, err)
		}
	}
	if got, err := v.Set(codec.Path{"v", 1}, godot.NewInt(7)); err != nil || got.At("v").String() != "Vector3(1, 7, 3)" {
		t.Error(got, err)
	}
	got, err := v.Without("player", "gold")
	if err != nil || got.At("player", "gold").String() != (codec.Value{}).String() || got.At("player").Len() != 2 || v.At("player").Len() != 3 {
		t.Error(got, err)
	}
	if got, err = v.Without("t", -1); err != nil || got.At("t").String() != "Array[int]([1])" {
		t.Error(got, err)
	}
	if got, err = v.With("n", godot.NewInt(1)); err != nil || got.At("n").String() != "1" {
		t.Error(got, err)
	}
	for _, path := range []codec.Path{{}, {"x"}, {"t", 4}, {"n", 0}, {"player", "gold", 0}} {
		if _, err := v.Without(path...); err == nil {
			t.Errorf("Without %v is no error", path)
		}
	}
}

// TestSetNamed changes values of a schema with names.
func TestSetNamed(t *testing.T) {
	c, err := compiler.New(`schema "team" {
	order little
	root  Team
}

type Team {
	| 0 | 1 | u8 | id | "a number"
	| 1 | 1 | u8 | n = count(players) | "number of players"
	repeat n as players {
		| P   | 2 | u16 | level | "its level"
		| P+2 | 1 | u8  | lives | "its lives" check lives < 9 "a cat"
	}
}`)
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.ValueOf(map[string]any{"id": 5, "players": []map[string]any{{"level": 1, "lives": 2}, {"level": 3, "lives": 4}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := v.Set(codec.Path{"players", -1, "level"}, v.At("players", 0, "level"))
	if err != nil || !got.At("players", 1, "level").Equal(v.At("players", 0, "level")) {
		t.Error(got, err)
	}
	if _, err := v.Set(codec.Path{"players", 0, "nothing"}, v); !errors.Is(err, codec.ErrMissingKey) {
		t.Error(err)
	}
	if got, err = v.Without("players", 0); err != nil || got.At("players").Len() != 1 {
		t.Error(got, err)
	}
	b, err := c.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	if x, err := c.Get(b, "players", 1, "lives"); err != nil || x.String() != "4" {
		t.Error(x, err)
	}
	b[len(b)-1] = 9 // of the last player
	if x, err := c.Get(b, "players", 1, "lives"); !errors.Is(err, codec.ErrValue) {
		t.Error(x, err)
	}
	if x, err := c.Get(b, "players", 0, "lives"); err != nil || x.String() != "2" {
		t.Error(x, err)
	}
	b[len(b)-1] = 4
	for _, path := range []codec.Path{{"players", 2}, {"players", -3, "lives"}, {"players", 1, "nothing"}, {"id", "x"}} {
		if x, err := c.Get(b, path...); !errors.Is(err, codec.ErrMissingKey) || !x.Equal(codec.Value{}) {
			t.Errorf("Get %v is %v, %v", path, x, err)
		}
	}
}

// TestSetKeys sets keys of maps and fields that represent their records, of a schema with names.
func TestSetKeys(t *testing.T) {
	c, err := compiler.New(`schema "keys" { root T }

type T {
	| 0 | 1 | u8 | n = count(scores) | "number of scores"
	map n as scores {
		| P   | 1 | i8 | key   | "a number"
		| P+1 | 1 | u8 | value | "its score"
	}
	| A | 1 | u8 | m = count(ages) | "number of ages"
	map m as ages {
		| Q | R | Text | key   | "a name"
		| S | 1 | u8   | value | "an age"
	}
	| B | 1 | u8 | k = count(words) | "number of words"
	repeat k as words {
		| C | D | Text | word | "a word"
		| E | 1 | u8   | x    | "a number"
	}
	| F | 1 | u8     | kind | "the sort of the last row"
	| G | H | Either(kind) | either | "a number or a text"
}

type Either(k) {
	if k != 0 {
		| 0 | 1 | u8 | number | "a number"
	} else {
		| 0 | N | Text | text | "a text"
	}
}

type Text {
	| 0 | 1 | u8      | l = len(text) | "bytes"
	| 1 | l | utf8[l] | text          | "a text"
}`)
	if err != nil {
		t.Fatal(err)
	}
	v := parse(t, c, `{scores: {1: 2}, ages: {"a": 5}, words: [{word: "b", x: 3}], kind: 1, either: 7}`)
	five := v.At("ages", "a")
	for _, path := range []codec.Path{{"scores", 1}, {"scores", 7}, {"ages", "a"}, {"ages", "b"}, {"words", 0, "x"}, {"either"}, {"either", "number"}} {
		got, err := v.Set(path, five)
		if err != nil || got.At(path...).String() != "5" {
			t.Errorf("%v is %v, %v", path, got, err)
			continue
		}
		b, err := c.Encode(got)
		if err != nil {
			t.Errorf("%v: %v", path, err)
		} else if back, _, err := c.Decode(b); err != nil || back.String() != got.String() {
			t.Errorf("%v: %v, %v; want %v", path, back, err, got)
		}
	}
	c, err = compiler.New(`schema "other" { root T }
type T { | 0 | 2 | u16 | x | "a number" }`)
	if err != nil {
		t.Fatal(err)
	}
	other := parse(t, c, "5")
	for _, test := range []struct {
		path codec.Path
		x    codec.Value
		want error
	}{
		{codec.Path{"scores", 1, "x"}, five, codec.ErrMissingKey},
		{codec.Path{"either", "text"}, five, codec.ErrMissingKey},
		{codec.Path{"kind", "x"}, five, codec.ErrMissingKey},
		{codec.Path{"words", "x"}, five, codec.ErrMissingKey},
		{codec.Path{"scores", nil}, five, codec.ErrMissingKey},
		{codec.Path{"scores", 7}, other, codec.ErrMismatch},
	} {
		if got, err := v.Set(test.path, test.x); !errors.Is(err, test.want) || !got.Equal(v) {
			t.Errorf("%v: %v, %v", test.path, got, err)
		}
	}
}

// TestNotComparable asks that == between Values does not compile, and that go-cmp compares them.
func TestNotComparable(t *testing.T) {
	if reflect.TypeFor[codec.Value]().Comparable() {
		t.Error("Values are comparable with ==")
	}
	a, b := godot.NewArray(godot.NewInt(1)), godot.NewArray(godot.NewInt(1))
	if !cmp.Equal(map[string]codec.Value{"a": a}, map[string]codec.Value{"a": b}) || cmp.Equal(a, godot.NewArray()) {
		t.Error("go-cmp does not compare Values")
	}
}

// TestGetAllocations asks that Get takes no memory beyond the result.
func TestGetAllocations(t *testing.T) {
	c := codec.MustLoad("godot-4")
	v := parse(t, c, saved)
	b, err := c.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	alias, err := c.With(codec.Options{Alias: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path codec.Path
		c    *codec.Codec
		most float64
	}{
		{codec.Path{"player", "gold"}, alias, 0}, {codec.Path{"player", "name"}, alias, 0}, {codec.Path{"at", 1}, alias, 0}, {codec.Path{"n", 1}, c, 0},
		{codec.Path{"player", "name"}, c, 1}, {codec.Path{"at", 1}, c, 0}, {codec.Path{"at"}, c, 1}, {codec.Path{"player"}, alias, 2},
	} {
		n := testing.AllocsPerRun(100, func() {
			if _, err := test.c.Get(b, test.path...); err != nil {
				t.Fatal(err)
			}
		})
		if n > test.most {
			t.Errorf("Get of %v allocates %v times, want at most %v", test.path, n, test.most)
		}
	}
}

// TestGetElements asks that Get finds every element of lists of elements that are almost alike.
func TestGetElements(t *testing.T) {
	c := codec.MustLoad("godot-4")
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		elems := make([]codec.Value, 8+r.IntN(40))
		for i := range elems {
			x := []any{r.IntN(5), strings.Repeat("x", r.IntN(12)), 1.5, []any{1, strings.Repeat("yé", r.IntN(3))}, godot.Vector3{X: 1}, r.Int64(), 0.1, nil, true}
			n := 1 + r.IntN(2)
			if r.IntN(8) == 0 {
				n = r.IntN(len(x))
			}
			m := map[string]any{"a": x[0], "some name": x[1], "list": x[3], "last": x[n]}
			if r.IntN(10) == 0 {
				delete(m, "last")
			}
			var err error
			if elems[i], err = godot.ValueOf(m); err != nil {
				t.Fatal(err)
			}
		}
		b, err := c.Encode(godot.NewArray(godot.NewArray(elems...), godot.NewString("behind")))
		if err != nil {
			t.Fatal(err)
		}
		for i := range elems {
			if got, err := c.Get(b, 0, i); err != nil || !got.Equal(elems[i]) {
				t.Fatalf("element %d is %v, %v, want %v", i, got, err, elems[i])
			}
		}
		if got, err := c.Get(b, 1); err != nil || got.String() != `"behind"` {
			t.Fatal(got, err)
		}
		if cut := r.IntN(len(b)); cut > 0 {
			if _, err := c.Get(b[:cut:cut], 1); !errors.Is(err, codec.ErrTruncated) {
				t.Fatalf("%d of %d bytes: %v", cut, len(b), err)
			}
		}
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		got, err := c.Get(b, 0, r.IntN(len(elems)))
		if err == nil && got.String() == "" {
			t.Fatal(got)
		}
	}
}

// TestGetForms asks that Get finds every part of any Value of any schema of Variants.
func TestGetForms(t *testing.T) {
	for _, id := range codec.Schemas() {
		c := codec.MustLoad(id)
		if codec.Named(c) {
			continue
		}
		for _, text := range []string{saved, `[1, [2, "é", {"b": PackedByteArray(1, 2, 3)}], 9000000000, 0.1, null, true, "x", NodePath("a/b:c"), PackedStringArray("a", "bcde")]`,
			`{"t": Array[Dictionary]([{"a": [1, 2]}, {"b": {"c": 3}}])}`, `{NodePath("a"): 1, "a": 2, &"b": 3, NodePath("b"): 4}`, `{"\ufeffa": 1, "a": 2, "b": {"a": Color(1, 0, 0, 1), "last": PackedByteArray(1)}}`} {
			v := parse(t, c, text)
			b, err := c.Encode(v)
			if err != nil {
				continue // types that the version does not have
			}
			if v, _, err = c.Decode(b); err != nil {
				t.Fatal(err)
			}
			walkPaths(v, nil, func(p codec.Path) {
				got, err := c.Get(b, p...)
				if err != nil || !got.Equal(v.At(p...)) {
					t.Errorf("%s: %v of %v is %v, %v", id, p, v, got, err)
				}
			})
		}
	}
}

// walkPaths calls f for all parts of a Variant.
func walkPaths(v codec.Value, at codec.Path, f func(codec.Path)) {
	f(at)
	for k, x := range v.Pairs() {
		walkPaths(x, append(append(codec.Path(nil), at...), k), f)
		if s, ok := k.AsString(); ok {
			walkPaths(x, append(append(codec.Path(nil), at...), s), f)
		}
	}
	for i, x := range v.All() {
		walkPaths(x, append(append(codec.Path(nil), at...), i), f)
	}
}

// TestSetZero: the zero Value is Nil in a Dictionary or Array.
func TestSetZero(t *testing.T) {
	got, err := godot.NewArray(godot.NewInt(1), godot.NewInt(2)).Set(codec.Path{0}, codec.Value{})
	if want := godot.NewArray(godot.NewNil(), godot.NewInt(2)); err != nil || !got.Equal(want) || got.At(0).Type() != godot.NewNil().Type() {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}
