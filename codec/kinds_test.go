package codec_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// TestKinds reads a Variant of each kind into Go types of each kind: the table says which are read. The others are errors,
// and nothing that is read is lost.
func TestKinds(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	values := []any{true, 7, 2.5, "a", godot.StringName("a"), godot.NodePath{Names: []string{"a"}}, godot.Vector2{X: 1}, godot.Vector2i{X: 1}, godot.Vector3{X: 1}, godot.Color{R: 1}, godot.RID(5),
		[]any{1}, map[string]any{"a": 1}, []byte{1}, []int32{1}, []int64{1}, []float32{1}, []float64{1}, []string{"a"}, []godot.Vector2{{X: 1}}}
	type inner struct {
		A int `octable:"a"`
	}
	for _, row := range []struct {
		typ  reflect.Type
		want string // x for each value that is read
	}{
		{reflect.TypeFor[bool](), "x..................."},
		{reflect.TypeFor[int](), ".x.................."},
		{reflect.TypeFor[uint8](), ".x.................."},
		{reflect.TypeFor[float64](), ".xx................."},
		{reflect.TypeFor[float32](), ".xx................."},
		{reflect.TypeFor[string](), "...xx..............."},
		{reflect.TypeFor[shapeParsed](), "...xx..............."}, // by its UnmarshalText
		{reflect.TypeFor[tick](), "...................."},        // whose UnmarshalText refuses these texts
		{reflect.TypeFor[time.Time](), "...................."},
		{reflect.TypeFor[godot.StringName](), "...xx..............."},
		{reflect.TypeFor[godot.NodePath](), ".....x.............."},
		{reflect.TypeFor[godot.Vector2](), "......x............."},
		{reflect.TypeFor[godot.Vector3i](), "...................."},
		{reflect.TypeFor[godot.RID](), "..........x........."},
		{reflect.TypeFor[[]any](), "...........x.xxxxxxx"},
		{reflect.TypeFor[[]int](), "...........x.xxxxx.."},
		{reflect.TypeFor[[]uint8](), "...........x.xxxxx.."},
		{reflect.TypeFor[[]string](), "..................x."},
		{reflect.TypeFor[[]float32](), "...........x.xxxxx.."},
		{reflect.TypeFor[[1]int](), "...........x.xxxxx.."},
		{reflect.TypeFor[map[string]any](), "............x......."},
		{reflect.TypeFor[map[string]int](), "............x......."},
		{reflect.TypeFor[inner](), "............x......."},
		{reflect.TypeFor[*inner](), "............x......."},
		{reflect.TypeFor[any](), "xxxxxxxxxxxxxxxxxxxx"},
	} {
		got := ""
		for _, value := range values {
			b, err := c.Marshal(value)
			if err != nil {
				t.Fatalf("%T: %v", value, err)
			}
			x := reflect.New(row.typ)
			if c.Unmarshal(b, x.Interface()) != nil {
				got += "."
				continue
			}
			if got += "x"; x.Elem().IsZero() {
				t.Errorf("%T is read into %v without an error, which is then %v", value, row.typ, x.Elem())
			}
		}
		if got != row.want {
			t.Errorf("%v: %s, want %s", row.typ, got, row.want)
		}
	}
}
