package codec_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp/memory"
)

// goNumbers are the Go types that take the numbers of a scalar, the exact one first.
var goNumbers = map[string][]reflect.Type{
	"u8":  {reflect.TypeFor[uint8](), reflect.TypeFor[int](), reflect.TypeFor[uint16](), reflect.TypeFor[int8]()},
	"i8":  {reflect.TypeFor[int8](), reflect.TypeFor[int64](), reflect.TypeFor[int32](), reflect.TypeFor[uint8]()},
	"u16": {reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[int16](), reflect.TypeFor[int64]()},
	"i16": {reflect.TypeFor[int16](), reflect.TypeFor[int](), reflect.TypeFor[uint64]()},
	"u32": {reflect.TypeFor[uint32](), reflect.TypeFor[int64](), reflect.TypeFor[int32](), reflect.TypeFor[uint64]()},
	"i32": {reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[uint32]()},
	"u64": {reflect.TypeFor[uint64](), reflect.TypeFor[int64](), reflect.TypeFor[uint32]()},
	"i64": {reflect.TypeFor[int64](), reflect.TypeFor[uint64](), reflect.TypeFor[int32]()},
	"f32": {reflect.TypeFor[float32](), reflect.TypeFor[float64]()},
	"f64": {reflect.TypeFor[float64](), reflect.TypeFor[float32]()},
}

var scalarSizes = map[string]int{"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f32": 4, "f64": 8}

// drawColumns returns a schema of a list of records with fields at fixed places, and a struct for the records. Often
// a text is at the end of the records.
func drawColumns(r *rand.Rand) (schema string, record reflect.Type) {
	scalars := []string{"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"}
	var rows []string
	var fields []reflect.StructField
	field := func(name string, t reflect.Type) {
		fields = append(fields, reflect.StructField{Name: strings.ToUpper(name), Type: t, Tag: reflect.StructTag(fmt.Sprintf("octable:%q", name))})
	}
	at := 0
	last, exact := "", r.IntN(2) == 0
	for i := range r.IntN(6) {
		name, scalar := fmt.Sprint("f", i), scalars[r.IntN(len(scalars))]
		if last != "" && r.IntN(2) == 0 {
			scalar = last // neighbors
		}
		types := goNumbers[scalar]
		size := scalarSizes[scalar]
		if scalar[0] == 'u' && r.IntN(4) == 0 {
			top := 8*size - 1
			cut := r.IntN(top)
			rows = append(rows, fmt.Sprintf("| P+%d | %d | %s | %s | \"bits\" {\n%d..%d %sa \"bits\"\n%d..%d %sb \"bits\"\n}", at, size, scalar, name, 0, cut, name, cut+1, top, name))
			field(name+"a", types[r.IntN(2)])
			field(name+"b", types[r.IntN(2)])
		} else {
			t := types[0]
			if !exact && r.IntN(3) == 0 {
				t = types[r.IntN(len(types))]
			}
			rows = append(rows, fmt.Sprintf("| P+%d | %d | %s | %s | \"number\"", at, size, scalar, name))
			field(name, t)
		}
		last, at = scalar, at+size
	}
	if len(rows) == 0 || r.IntN(3) > 0 {
		scalar := []string{"u8", "u16", "u16", "u32"}[r.IntN(4)]
		size := scalarSizes[scalar]
		rows = append(rows, fmt.Sprintf("| P+%d | %d | %s | length = len(text) | \"bytes\"", at, size, scalar),
			fmt.Sprintf("| P+%d | N | %s[length] | text | \"text\"", at+size, []string{"utf8", "utf8", "latin1"}[r.IntN(3)]))
		field("text", reflect.TypeFor[string]())
	}
	schema = fmt.Sprintf("schema \"s\" {\norder %s\nroot T\n}\ntype T {\n| 0 | 2 | u16 | n = count(list) | \"number\"\nrepeat n as list {\n%s\n}\n}\n",
		[]string{"little", "big"}[r.IntN(2)], strings.Join(rows, "\n"))
	return schema, reflect.StructOf(fields)
}

// fillColumns sets the fields of a record, seldom to values that the scalar does not take.
func fillColumns(r *rand.Rand, rv reflect.Value) {
	for i := range rv.NumField() {
		switch f := rv.Field(i); {
		case f.Kind() == reflect.String:
			n := []int{0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 40}[r.IntN(13)]
			text := strings.Repeat("abcdefgh", 6)[:n]
			if r.IntN(20) == 0 {
				text += []string{"ä", "\x00", "\ufeff", "\xff", strings.Repeat("x", 300)}[r.IntN(5)]
			}
			f.SetString(text)
		case f.CanInt():
			f.SetInt([]int64{0, 1, int64(r.IntN(100)), -1, 127, -128, 255, int64(r.Uint64())}[r.IntN(3+r.IntN(2)*r.IntN(6))])
		case f.CanUint():
			f.SetUint([]uint64{0, 1, uint64(r.IntN(100)), 127, 128, 255, r.Uint64()}[r.IntN(3+r.IntN(2)*r.IntN(5))])
		case f.CanFloat():
			f.SetFloat([]float64{0, 1.5, -2, float64(float32(r.NormFloat64()))}[r.IntN(4)])
		}
	}
}

// TestColumns checks that plans read and write lists of records as Values do. The records have fields at fixed
// places; lists are read and written in blocks and at their ends, whole, cut and damaged.
func TestColumns(t *testing.T) {
	written, read := 0, 0
	for seed := range uint64(long.Number(130, 400)) {
		r := rand.New(rand.NewPCG(seed, 12))
		schema, record := drawColumns(r)
		c, err := compiler.New(schema)
		if err != nil {
			t.Fatalf("%v\n%s", err, schema)
		}
		if c, err = c.With(codec.Options{Alias: r.IntN(2) == 0, Exact: r.IntN(3) == 0}); err != nil {
			t.Fatal(err)
		}
		typ := reflect.StructOf([]reflect.StructField{{Name: "List", Type: reflect.SliceOf(record), Tag: `octable:"list"`}})
		m := c.NewMapper()
		kept, keptValue := reflect.New(typ), reflect.New(typ)
		for _, n := range []int{0, 1, 2, 63, 64, 65, 1 + r.IntN(140)} {
			x := reflect.New(typ)
			x.Elem().Field(0).Set(reflect.MakeSlice(reflect.SliceOf(record), n, n))
			for i := range n {
				fillColumns(r, x.Elem().Field(0).Index(i))
			}
			fail := func(format string, args ...any) {
				t.Helper()
				t.Fatalf("seed %d, %v, %d records: %s\n%s", seed, typ, n, fmt.Sprintf(format, args...), schema)
			}
			want, wantErr := codec.AppendValue(c, nil, x.Interface())
			got, gotErr := c.Marshal(x.Interface())
			if !bytes.Equal(got, want) || !sameError(gotErr, wantErr) {
				fail("written % x, %v, want % x, %v", got, gotErr, want, wantErr)
			}
			if wantErr != nil {
				continue
			}
			if codec.WritesByPlan(c, x.Interface()) {
				written++
			}
			for i := range 4 {
				b := want
				if i > 0 {
					b = damagedCopy(r, want)
				}
				plan, value := reflect.New(typ), reflect.New(typ)
				err, wantErr := c.Unmarshal(b, plan.Interface()), codec.UnmarshalValue(c, b, value.Interface())
				keptErr, keptWant := m.Unmarshal(b, kept.Interface()), codec.UnmarshalValue(c, b, keptValue.Interface())
				if !sameError(err, wantErr) || !sameError(keptErr, keptWant) {
					fail("% x: %v, with a Mapper %v, want %v", b, err, keptErr, wantErr)
				}
				if wantErr != nil || keptWant != nil {
					kept, keptValue = reflect.New(typ), reflect.New(typ)
					continue
				}
				if !sameGo(plan.Elem(), value.Elem()) || !sameGo(kept.Elem(), keptValue.Elem()) {
					fail("% x: have %+v, with a Mapper %+v, want %+v", b, plan.Elem(), kept.Elem(), value.Elem())
				}
				if codec.ReadsByPlan(c, b, reflect.New(typ).Interface()) {
					read++
				}
			}
		}
	}
	if wantWritten, wantRead := long.Number(394, 1280), long.Number(1276, 4131); memory.Raw && (written != wantWritten || read != wantRead) {
		t.Errorf("plans write %d lists and read %d, not %d and %d", written, read, wantWritten, wantRead)
	}
}

// TestOddColumns checks that plans read an unusual byte of a text as Values do. The byte ends the text or is
// not ASCII, at any place of a text of any length.
func TestOddColumns(t *testing.T) {
	c, err := compiler.New(`schema "s" {
    order little
    root T
}
encoding stopped {
    utf8 loose
    nul stop
}
type T {
    | 0 | 2 | u16 | n = count(list) |
    repeat n as list {
        | P    | 4 | u32             | a             |
        | P+4  | 4 | u32             | b             |
        | P+8  | 2 | u16             | k = len(text) |
        | P+10 | N | stopped[k]      | text          |
    }
}`)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = c.With(codec.Options{Alias: true}); err != nil {
		t.Fatal(err)
	}
	type list struct {
		List []struct {
			A    uint32 `octable:"a"`
			B    uint32 `octable:"b"`
			Text string `octable:"text"`
		} `octable:"list"`
	}
	for n := range 34 {
		for i := range n {
			for _, odd := range []byte{0, 0x7f, 0x80, 0xff} {
				text := bytes.Repeat([]byte{'a'}, n)
				text[i] = odd
				b := append([]byte{2, 0}, make([]byte, 8)...)
				b = append(append(b, byte(n), 0), text...)
				b = append(append(b, make([]byte, 8)...), 1, 0, 'b')
				var plan, value list
				if err, wantErr := c.Unmarshal(b, &plan), codec.UnmarshalValue(c, b, &value); !sameError(err, wantErr) || err == nil && !reflect.DeepEqual(plan, value) {
					t.Errorf("%q: %+v, %v, want %+v, %v", text, plan, err, value, wantErr)
				}
			}
		}
	}
}

// scattered is a record whose fields but the first are together in 8 bytes of Go memory. The last of them are
// bits of a word.
type scattered struct {
	D    uint8 `octable:"d"`
	A    uint8 `octable:"a"`
	B    uint8 `octable:"b"`
	C    uint8 `octable:"c"`
	Low  uint8 `octable:"low"`
	Mid  uint8 `octable:"mid"`
	High uint8 `octable:"high"`
	Top  uint8 `octable:"top"`
	Last uint8 `octable:"last"`
}

// TestScatters checks the fields of records that one store writes. Plans write them as Values do, up to the last field.
func TestScatters(t *testing.T) {
	c, err := compiler.New(`schema "s" {
    order little
    root T
}
type T {
    | 0 | 2 | u16 | n = count(list) |
    repeat n as list {
        | P   | 1 | u8 | a |
        | P+1 | 1 | u8 | b |
        | P+2 | 1 | u8 | c |
        | P+3 | 4 | u32 | word | {
            0..3   low
            4..9   mid
            10..15 high
            16..23 top
            24..31 last
        }
        | P+7 | 1 | u8 | d |
    }
}`)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 13))
	var x struct {
		List []scattered `octable:"list"`
	}
	for i := range 100 {
		x.List = append(x.List, scattered{uint8(i), 1, 2, 3, uint8(r.IntN(16)), uint8(r.IntN(64)), uint8(r.IntN(64)), uint8(r.Uint32()), uint8(r.Uint32())})
	}
	compare := func() error {
		t.Helper()
		want, wantErr := codec.AppendValue(c, nil, &x)
		got, gotErr := c.Marshal(&x)
		if !bytes.Equal(got, want) || !sameError(gotErr, wantErr) {
			t.Errorf("written % x, %v, want % x, %v", got, gotErr, want, wantErr)
		}
		return wantErr
	}
	if err := compare(); err != nil || !codec.WritesByPlan(c, &x) {
		t.Errorf("%v; the plan must write it", err)
	}
	x.List[70].Mid = 64
	if err := compare(); err == nil {
		t.Error("64 does not fit into 6 bits")
	}
}
