package codec_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/dsl/long"
)

// parts yields some parts of a value and their paths.
func parts(r *rand.Rand, v codec.Value, path []any, yield func(path []any, v codec.Value)) {
	yield(path, v)
	for name, f := range v.Fields() {
		parts(r, f, append(path[:len(path):len(path)], name), yield)
	}
	n := 0
	for range v.All() {
		n++
	}
	for i, e := range v.All() {
		if i == 0 || i == n-1 || r.IntN(4) == 0 {
			step := any(i)
			if r.IntN(3) == 0 {
				step = i - n
			}
			parts(r, e, append(path[:len(path):len(path)], step), yield)
		}
	}
}

// TestGetNamed: Get finds the parts that Decode gives, in values of all schemas with names.
func TestGetNamed(t *testing.T) {
	found, elements := 0, 0
	for _, name := range append(schemasOfTree(t), "testdata/records.oct", "bench/symtab/symtab.oct") {
		r := rand.New(rand.NewPCG(3, uint64(len(name))))
		eachValue(t, name, long.Number(8, 20), func(c *codec.Codec, _ codec.Value, b []byte) {
			if !codec.Named(c) {
				return
			}
			for _, alias := range []bool{false, true} {
				c, err := c.With(codec.Options{Objects: true, Alias: alias})
				if err != nil {
					t.Fatal(err)
				}
				whole, _, err := c.Decode(b)
				if err != nil {
					continue
				}
				parts(r, whole, nil, func(path []any, want codec.Value) {
					if whole.At(path...).Type() != want.Type() || !whole.At(path...).Equal(want) {
						return // of a name that is used twice
					}
					got, err := c.Get(b, path...)
					if err != nil || !got.Equal(want) || got.String() != want.String() {
						t.Errorf("%s %v: %v, %v, want %v", name, path, got, err, want)
					}
					found++
					if len(path) > 0 {
						if _, isInt := path[len(path)-1].(int); isInt {
							elements++
						}
					}
				})
				if _, err := c.Get(b, "no such field"); err == nil {
					t.Errorf("%s: there is a field of any name", name)
				}
			}
		})
	}
	if found < long.Number(2000, 10000) || elements < long.Number(200, 1000) {
		t.Errorf("only %d parts and %d elements were found", found, elements)
	}
}

const manyRows = `schema "many" {
	order big
	root  File
}

type File {
	| 0  | 4  | u32         | rows = count(list)     | "elements"
	| 4  | 4  | u32         | numbers = count(words) | "numbers"
	| 8  | N  | u32[numbers] | words                 | "numbers"
	| 8+N | M | Row[rows]   | list                   | "elements"
	| 8+N+M | 4 | u32       | last                   | "the last number"
}

type Row {
	| 0 | 4 | u32   | id    | "number"
	| 4 | 4 | f32   | value | "value"
	| 8 | 8 | u8[8] | name  | "eight bytes"
}
`

// TestGetConstant checks that Get skips lists of elements of a fixed size in constant time and without memory. Arrays
// of numbers are skipped in the same way.
func TestGetConstant(t *testing.T) {
	c, err := compiler.New(manyRows)
	if err != nil {
		t.Fatal(err)
	}
	file := func(n int) []byte {
		b := binary.BigEndian.AppendUint32(nil, uint32(n))
		b = binary.BigEndian.AppendUint32(b, uint32(n))
		for i := range n {
			b = binary.BigEndian.AppendUint32(b, uint32(i))
		}
		for i := range n {
			b = binary.BigEndian.AppendUint32(b, uint32(7*i))
			b = append(b, make([]byte, 4)...)
			b = append(b, fmt.Sprintf("%8d", i)...)
		}
		return binary.BigEndian.AppendUint32(b, 99)
	}
	small, large := file(100), file(100000)
	runtime.GC() // not while times are measured
	for _, path := range [][]any{{"last"}, {"list", -1, "id"}, {"words", 50}, {"list", 3, "value"}} {
		for _, b := range [][]byte{small, large} {
			if v, err := c.Get(b, path...); err != nil || v.String() != map[string]string{"last": "99", "words": "50"}[path[0].(string)] && path[0] != "list" {
				t.Fatal(path, v, err)
			}
		}
		if allocs := testing.AllocsPerRun(50, func() { _, _ = c.Get(large, path...) }); allocs > 3 {
			t.Errorf("%v: %v allocations", path, allocs)
		}
		best := func(b []byte) time.Duration {
			least := time.Hour
			for range 30 {
				start := time.Now()
				for range 20 {
					_, _ = c.Get(b, path...)
				}
				least = min(least, time.Since(start))
			}
			return least
		}
		if s, l := best(small), best(large); l > 5*s {
			t.Errorf("%v: %v with 100 elements, %v with 100000", path, s, l)
		}
	}
	v, err := c.Get(large, "list", 5)
	if want := c.Schema(); err != nil || want != "many" || v.Field("id").String() != "35" {
		t.Error(v, err)
	}
	if _, err := c.Get(large[:1000], "last"); err == nil {
		t.Error("a packet that ends too early has a last number")
	}
}

// TestGetBehind: Get finds what follows a list of equal elements.
func TestGetBehind(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	for _, elem := range []any{nil, false, true, 0, 1, -1, 1.5, "", "abcde", []any{}, map[string]any{"a": false}} {
		b, err := c.Marshal([]any{slices.Repeat([]any{elem}, 40), 7})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{-3, -2, -1, 0, 1, 2} {
			v, err := c.Get(b, i)
			n, ok := v.AsInt()
			if is := i == 1 || i == -1; is != (ok && n == 7) || (err == nil) != (i >= -2 && i < 2) {
				t.Errorf("element %d behind 40 times %v: %v, %v", i, elem, v, err)
			}
		}
	}
}

// TestSkip checks that Get skips values without decoding them, also lists of elements that are nearly alike. It takes
// no more bytes than there are.
func TestSkip(t *testing.T) {
	lists, missed := 0, 0
	for seed := range uint64(long.Number(1000, 10000)) {
		r := rand.New(rand.NewPCG(seed, 21))
		c := codec.MustLoad(planSchemas[seed%uint64(len(planSchemas))])
		typ := randomType(r, 3)
		list := reflect.MakeSlice(reflect.SliceOf(typ), 40, 40)
		randomFill(r, list.Index(0), 5)
		for i := 1; i < list.Len(); i++ { // most are like the one before
			if list.Index(i).Set(list.Index(i - 1)); r.IntN(3) == 0 {
				randomFill(r, list.Index(i), 5)
			}
		}
		x := reflect.New(list.Type())
		x.Elem().Set(list.Slice(0, r.IntN(41)))
		b, err := codec.AppendValue(c, nil, x.Interface())
		if err != nil {
			continue
		}
		lists++
		before := codec.Missed(c)
		if n, ok := codec.Skip(c, b); !ok || n != len(b) {
			t.Fatalf("seed %d: %d bytes are skipped, %v, of %d: % x", seed, n, ok, len(b), b)
		}
		if seed < 3000 {
			missed += codec.Missed(c) - before
		}
		for range 20 {
			if _, used, err := c.Decode(b); err == nil {
				if n, ok := codec.Skip(c, b); ok && n != used { // padding at the end, which may be missing, is not skipped
					t.Fatalf("seed %d: %d bytes are skipped of a value of %d: % x", seed, n, used, b)
				}
			} else if n, ok := codec.Skip(c, b); ok && n > len(b) {
				t.Fatalf("seed %d: %d bytes of %d are skipped: % x", seed, n, len(b), b)
			}
			b = damagedCopy(r, b)
		}
	}
	want := long.Number(20478, 58305)
	if lists < long.Number(300, 1000) || strconv.IntSize == 64 && missed != want {
		t.Errorf("in %d lists %d elements and values are not like the ones before, not %d", lists, missed, want)
	}
}
