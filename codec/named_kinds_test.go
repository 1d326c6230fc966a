package codec_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/dsl/golden"
)

// partNames are the fields of partsSchema, with one value for each.
var partNames = []struct{ name, text string }{{"on", "true"}, {"code", `"abcd"`}, {"wide", "18446744073709551615"}, {"word", `"W"`}, {"node", "[[], [[]]]"}, {"plain", "Plain"}, {"four", `Four("ABCD")`},
	{"many", "Many({real: 0.1, low: 0.5})"}, {"both", `Both({Code: "more", X: 5})`}, {"at", "[1, 2]"}, {"more", `Four("more")`}, {"grades", `{"a": 1, "B": 2}`}, {"ages", "{-1: 2}"}, {"lists", "{[1]: 0.1}"}}

// TestNamedKinds compares conversions of parts of a record with testdata/named-kinds.golden. These are Go values of
// each kind to parts, the parts to Go types of each kind, and the errors of the others.
func TestNamedKinds(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("the golden has an int of 64 bits")
	}
	exact := plannedSchema(t, partsSchema, codec.Options{Exact: true})
	whole := "{"
	for _, p := range partNames {
		whole += p.name + ": " + p.text + ", "
	}
	v := parse(t, exact, strings.TrimSuffix(whole, ", ")+"}")
	fields := map[string]any{}
	for _, p := range partNames {
		fields[p.name] = v.Field(p.name)
	}
	one, text, list := 1, "Plain", []any{}
	values := []any{nil, true, 0, -1, int64(math.MaxInt64), uint64(math.MaxUint64), uint8(255), 0.0, 0.5, 0.1, math.NaN(), 1e300, float32(0.1), "", "a", "Plain", "Four", "abcd", "\xff", []byte("abcd"), bytes4{1}, lower("x"), shout(""),
		[]any{}, []any{nil}, []any{1, 2}, []int{1, 2}, [2]int8{-1, 2}, []uint16{1, 65535}, []any{[]any{}}, []string{"a"}, []codec.Pair{}, map[string]any{}, map[string]any{"Four": "abcd"}, map[string]any{"Plain": nil}, map[string]any{"Four": "abcd", "Plain": nil},
		map[string]any{"Many": map[string]any{"real": 1, "low": 0.5}}, map[string]int{"a": 1}, map[int]int{-1: 1}, map[any]any{1.5: true}, struct{}{}, struct{ Four any }{"abcd"}, struct{ Four *string }{}, v.Field("word"), codec.Value{}, &one, &text, &list, (*int)(nil), func() {}, 1i}
	types := []reflect.Type{reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](),
		reflect.TypeFor[bytes4](), reflect.TypeFor[lower](), reflect.TypeFor[[]any](), reflect.TypeFor[[1]any](), reflect.TypeFor[[]int](), reflect.TypeFor[[2]int](), reflect.TypeFor[[]string](), reflect.TypeFor[[]codec.Pair](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[int]any](), reflect.TypeFor[map[any]any](),
		reflect.TypeFor[struct{ Four any }](), reflect.TypeFor[struct{ A, B int }](), reflect.TypeFor[any](), reflect.TypeFor[*any](), reflect.TypeFor[codec.Value](), reflect.TypeFor[func()](), reflect.TypeFor[complex64](), reflect.TypeFor[chan int]()}
	var out strings.Builder
	for _, p := range partNames {
		for _, x := range values {
			got := ""
			fields[p.name] = x
			if v, err := exact.ValueOf(fields); err != nil {
				got = err.Error()
			} else {
				got = v.Field(p.name).String()
			}
			fmt.Fprintf(&out, "%s = %T %.40s: %s\n", p.name, x, inJSON(x), strings.TrimPrefix(got, "codec: cannot write "))
		}
		fields[p.name] = v.Field(p.name)
		for _, typ := range types {
			x := reflect.New(typ)
			got := ""
			if err := exact.To(v.Field(p.name), x.Interface()); err != nil {
				got = err.Error()
			} else {
				got = inJSON(x.Elem().Interface())
			}
			fmt.Fprintf(&out, "%s to %s: %s\n", p.name, typ, strings.TrimPrefix(got, "codec: cannot read "))
		}
	}
	golden.Check(t, "named-kinds.golden", []byte(out.String()))
}

// inJSON returns a value as JSON of Go, or as Go prints it.
func inJSON(x any) string {
	if b, err := json.Marshal(x); err == nil {
		return string(b)
	}
	if k := reflect.ValueOf(x).Kind(); k == reflect.Func || k == reflect.Chan {
		return k.String()
	}
	return fmt.Sprint(x)
}
