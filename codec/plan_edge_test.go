package codec_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/dsl/long"
)

// TestPlanEdges checks that plans read the least and the largest number of each Go type. They leave the next ones to
// the Value, which refuses them.
func TestPlanEdges(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	for _, typ := range []reflect.Type{
		reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[int](),
		reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uint](),
	} {
		low, high := int64(0), int64(math.MaxInt64)
		if bits := typ.Bits(); typ.Kind() <= reflect.Int64 {
			low, high = -1<<(bits-1), 1<<(bits-1)-1
		} else if bits < 64 {
			high = 1<<bits - 1
		}
		for _, x := range []int64{low, low + 1, 0, 1, high - 1, high, low - 1, high + 1} { // the last two may wrap around
			b, err := c.Marshal(x)
			if err != nil {
				t.Fatal(err)
			}
			fits := low <= x && x <= high
			if codec.ReadsByPlan(c, b, reflect.New(typ).Interface()) != fits {
				t.Errorf("%d into %v: a plan reads it: %v", x, typ, !fits)
			}
			ptr := reflect.New(typ)
			if err := c.Unmarshal(b, ptr.Interface()); (err == nil) != fits || fits && fmt.Sprint(ptr.Elem()) != fmt.Sprint(x) {
				t.Errorf("%d into %v: %v, %v", x, typ, ptr.Elem(), err)
			}
		}
	}
}

// TestListsAtEnd checks that plans read lists of the smallest values at the end of the input. They make no memory for
// elements that are not there, and read texts of a Mapper into memory that is made once.
func TestListsAtEnd(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	const n = 1 << 16
	for _, x := range []any{
		&struct {
			List []bool `octable:",type=Array"`
		}{make([]bool, n)},
		&struct {
			List []int `octable:",type=Array"`
		}{make([]int, n)},
		&struct {
			List []float32 `octable:",type=Array"`
		}{make([]float32, n)},
		&struct {
			List []float64 `octable:",type=Array"`
		}{make([]float64, n)},
		&struct {
			List []string `octable:",type=Array"`
		}{make([]string, n)},
		&struct {
			List []godot.Vector2 `octable:",type=Array"`
		}{make([]godot.Vector2, n)},
	} {
		b, err := c.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		to := reflect.New(reflect.TypeOf(x).Elem()).Interface()
		if !codec.ReadsByPlan(c, b, to) || !reflect.DeepEqual(to, x) {
			t.Errorf("%T is not read by the plan", x)
		}
		const count = 24 // the place of the number of elements
		if got := binary.LittleEndian.Uint32(b[count:]); got != n {
			t.Fatal(got)
		}
		binary.LittleEndian.PutUint32(b[count:], 64*n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err = c.Unmarshal(b, to)
		if runtime.ReadMemStats(&after); err == nil || after.TotalAlloc-before.TotalAlloc > 1<<20 {
			t.Errorf("%T of %d elements in %d bytes: %v, %d bytes are allocated", x, 64*n, len(b), err, after.TotalAlloc-before.TotalAlloc)
		}
	}
	x := struct {
		List []string `octable:",type=Array"`
	}{slices.Repeat([]string{"ten bytes."}, 80)}
	b, err := c.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	m := c.NewMapper()
	allocsAtMost(t, "texts of a Mapper", 1, func() {
		if err := m.Unmarshal(b, &x); err != nil {
			t.Fatal(err)
		}
	})
}

// TestPaddingAtEnd checks that plans and Values read the same from arrays of bytes whose padding is cut off. It takes
// all schemas of Variants.
func TestPaddingAtEnd(t *testing.T) {
	for _, id := range codec.Schemas() {
		c := codec.MustLoad(id)
		if codec.Named(c) {
			continue
		}
		for n := range 6 {
			b, err := c.Marshal(make([]byte, n))
			if err != nil {
				t.Fatal(err)
			}
			for cut := range min(4, len(b)) {
				var plan, value []byte
				p := b[: len(b)-cut : len(b)-cut]
				err, err2 := c.Unmarshal(p, &plan), codec.UnmarshalValue(c, p, &value)
				if !sameError(err, err2) || !bytes.Equal(plan, value) {
					t.Errorf("%s: % x: %v, %v; by Values %v, %v", id, p, plan, err, value, err2)
				}
			}
		}
	}
}

// TestLargeBuffers: values are written into large buffers, which are not kept, before and after small ones.
func TestLargeBuffers(t *testing.T) {
	c := codec.MustLoad("godot-4")
	type numbers struct {
		List []int `octable:",type=Array"`
	}
	for _, n := range []int{1, 1 << 18, 2} {
		for _, x := range []any{bytes.Repeat([]byte{7}, 8*n), numbers{slices.Repeat([]int{5}, n)}} {
			got, err := c.Marshal(x)
			want, err2 := codec.AppendValue(c, nil, x)
			if err != nil || err2 != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d numbers: %d bytes, %v; by Values %d, %v", n, len(got), err, len(want), err2)
			}
		}
	}
}

type (
	textRow struct {
		A    uint32 `octable:"a"`
		B    uint16 `octable:"b"`
		Text string `octable:"text"`
	}
	textArm struct {
		Say *struct {
			Text string `octable:"text"`
		} `octable:"say"`
		Name *struct {
			Text []byte `octable:"text"`
			N    uint8  `octable:"n"`
		} `octable:"name"`
	}
	textEntry struct {
		Key   string
		Value string
	}
)

// textPlace is a place for a short text, with the Go value that has a text there between others.
type textPlace struct {
	c    *codec.Codec
	with func(text string) any // a Go value with a text between others
}

// textPlaces returns places for short texts by their names.
func textPlaces(t *testing.T) map[string]textPlace {
	schemaOf := func(types string) *codec.Codec {
		c, err := compiler.New("schema \"texts\" {\n    order big\n    root T\n}\n" + types)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	variants := codec.MustLoad("godot-4.4")
	rows := `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 4 | u32 | a |
        | P+4 | 2 | u16 | b |
        | P+6 | 2 | u16le | len = len(text) |
        | P+8 | len | utf8[len] | text |
    }
}`
	return map[string]textPlace{
		"text":     {variants, func(s string) any { return &s }},
		"name":     {variants, func(s string) any { n := godot.StringName(s); return &n }},
		"texts":    {variants, func(s string) any { return &[]string{"one", s, "two"} }},
		"field":    {variants, func(s string) any { return &planInner{A: 5, B: s} }},
		"elements": {variants, func(s string) any { return &[]planInner{{1, "one"}, {2, s}, {3, "three"}} }},
		"array": {variants, func(s string) any {
			return &struct {
				Texts []string `octable:"texts,type=Array"`
				Last  string   `octable:"last"`
			}{[]string{"one", s, "two"}, s}
		}},
		"rows":      {schemaOf(rows), func(s string) any { return &shapePairs[textRow]{[]textRow{{1, 2, "one"}, {3, 4, s}, {5, 6, "three"}}} }},
		"last rows": {schemaOf(rows), func(s string) any { return &shapePairs[textRow]{slices.Repeat([]textRow{{3, 4, s}}, 66)} }},
		"arms": {schemaOf(`type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list { | P | N | U | value | }
}
union U by kind { | 0 | 1 | u8 | kind | }
arm U 1 say {
    | 1 | 1 | u8 | len = len(text) |
    | 2 | len | utf8[len] | text |
}
arm U 2 name {
    | 1 | 2 | u16 | len = count(text) |
    | 3 | len | u8[len] | text |
    | P | 1 | u8 | n |
}`), func(s string) any {
			var list shapePairs[textArm]
			list.List = make([]textArm, 3)
			for i := range list.List {
				list.List[i].Say = &struct {
					Text string `octable:"text"`
				}{s}
			}
			list.List[1] = textArm{Name: &struct {
				Text []byte `octable:"text"`
				N    uint8  `octable:"n"`
			}{[]byte(s), 7}}
			return &list
		}},
		"pairs": {schemaOf(`type T {
    | 0 | 1 | u8 | n = count(list) |
    map n as list {
        | P | N | S | key |
        | Q | M | S | value |
    }
}
type S {
    | 0 | 1 | u8 | n = len(text) |
    | 1 | n | utf8[n] | text |
}`), func(s string) any {
			return &shapePairs[textEntry]{[]textEntry{{"one", s}, {s + "2", "two"}, {s + "1", s}}}
		}},
		"until": {schemaOf("type T {\n    | 0 | N | utf8[until \"00\"] | text |\n    | P | 1 | u8 | a |\n}"), func(s string) any {
			return &struct {
				Text string `octable:"text"`
				A    uint8  `octable:"a"`
			}{s, 1}
		}},
		"until two": {schemaOf("type T {\n    | 0 | N | utf8[until \"0d0a\"] | text |\n    | P | 1 | u8 | a |\n}"), func(s string) any {
			return &struct {
				Text string `octable:"text"`
				A    uint8  `octable:"a"`
			}{s, 1}
		}},
		"filled": {schemaOf("type T {\n    | 0 | 24 | utf8[24] | text | fill \"20\"\n    | 24 | 1 | u8 | a |\n}"), func(s string) any {
			return &struct {
				Text string `octable:"text"`
				A    uint8  `octable:"a"`
			}{s, 1}
		}},
		"end": {schemaOf("type T {\n    | 0 | 1 | u8 | a |\n    | 1 | N | utf8[until end] | text |\n}"), func(s string) any {
			return &struct {
				A    uint8  `octable:"a"`
				Text string `octable:"text"`
			}{1, s}
		}},
	}
}

// TestShortTexts: plans read and write texts of each length, with an odd byte at each place, as Values do.
func TestShortTexts(t *testing.T) {
	for name, x := range textPlaces(t) {
		byPlan, all := 0, 0
		for _, alias := range []bool{false, true} {
			c, err := x.c.With(codec.Options{Alias: alias, IgnoreUnknown: true})
			if err != nil {
				t.Fatal(err)
			}
			m := c.NewMapper()
			for n := 0; n < 21; n += long.Number(3, 1) {
				text := "abcdefghijklmnopqrst"[:n]
				whole, err := codec.AppendValue(c, nil, x.with(text))
				if err != nil {
					t.Fatal(err)
				}
				for k := range max(1, n) {
					for _, odd := range []string{"", "\x00", "\x7f", "\x80", "\xff", "é"} {
						value := x.with(withBytes(text, k, odd))
						want, wantErr := codec.AppendValue(c, nil, value)
						got, err := c.Marshal(value)
						if !bytes.Equal(got, want) || !sameError(err, wantErr) {
							t.Fatalf("%s: %+v is written % x, %v; by Values % x, %v", name, value, got, err, want, wantErr)
						}
						if n == 0 {
							continue
						}
						b := bytes.ReplaceAll(whole, []byte(text), []byte(withBytes(text, k, odd)))
						b = append(make([]byte, 0, len(b)), b...) // the end of its memory
						typ := reflect.TypeOf(value).Elem()
						plan, kept, values := reflect.New(typ), reflect.New(typ), reflect.New(typ)
						err, wantErr = c.Unmarshal(b, plan.Interface()), codec.UnmarshalValue(c, b, values.Interface())
						keptErr := m.Unmarshal(b, kept.Interface())
						if !sameError(err, wantErr) || !sameError(keptErr, wantErr) || err == nil && !(sameGo(plan.Elem(), values.Elem()) && sameGo(kept.Elem(), values.Elem())) {
							t.Fatalf("%s: % x is read %+v, %v, and %+v, %v; by Values %+v, %v", name, b, plan.Elem(), err, kept.Elem(), keptErr, values.Elem(), wantErr)
						}
						if all++; codec.ReadsByPlan(c, b, kept.Interface()) {
							byPlan++
						}
					}
				}
			}
		}
		if 4*byPlan < all {
			t.Errorf("%s: plans read %d of %d packets", name, byPlan, all)
		}
	}
}

// TestTextsBehind checks that plans and Values read the same of a packet whose text goes on behind its end. The memory
// there has letters.
func TestTextsBehind(t *testing.T) {
	const text = "abcdefghijklmnopqrst"
	for name, x := range textPlaces(t) {
		for _, alias := range []bool{false, true} {
			c, err := x.c.With(codec.Options{Alias: alias, IgnoreUnknown: true})
			if err != nil {
				t.Fatal(err)
			}
			b, err := codec.AppendValue(c, nil, x.with(text))
			if err != nil {
				t.Fatal(err)
			}
			at := bytes.Index(b, []byte(text))
			for n := at; n < at+len(text); n++ {
				typ := reflect.TypeOf(x.with("")).Elem()
				plan, values := reflect.New(typ), reflect.New(typ)
				err, want := c.Unmarshal(b[:n], plan.Interface()), codec.UnmarshalValue(c, b[:n], values.Interface())
				if !sameError(err, want) || err == nil && !sameGo(plan.Elem(), values.Elem()) {
					t.Errorf("%s: %d bytes of % x are read %+v, %v; by Values %+v, %v", name, n, b, plan.Elem(), err, values.Elem(), want)
				}
				if err != nil && strings.Contains(fmt.Sprintf("%+v", plan.Elem()), text[:max(4, n-at+1)]) {
					t.Errorf("%s: %d bytes of % x leave %+v, with letters of other memory", name, n, b, plan.Elem())
				}
			}
		}
	}
}

// withBytes returns a text with other bytes in place of those at k.
func withBytes(text string, k int, odd string) string {
	if k+len(odd) > len(text) {
		return text
	}
	return text[:k] + odd + text[k+len(odd):]
}
