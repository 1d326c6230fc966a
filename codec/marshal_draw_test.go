package codec_test

import (
	"errors"
	"math"
	"net/netip"
	"reflect"
	"sync"
	"testing"
	"testing/quick"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// everything has a field of every kind that testing/quick can fill.
type everything struct {
	Bool    bool
	Int     int
	Int8    int8
	Uint32  uint32
	Float   float64
	Single  float32
	Text    string
	Name    godot.StringName
	Path    godot.NodePath
	RID     godot.RID
	Object  godot.ObjectID
	Signal  godot.Signal
	V2      godot.Vector2
	R2i     godot.Rect2i
	T3      godot.Transform3D
	P       godot.Projection
	Bytes   []byte
	Int32s  []int32
	Int64s  []int64
	Singles []float32
	Floats  []float64
	Texts   []string
	V2s     []godot.Vector2
	V3is    []godot.Vector3i
	Colors  []godot.Color
	Array   [3]int64
	Ints    []int
	ByText  map[string]int16
	ByVec   map[godot.Vector3i][]bool
	Ptr     *int
	Inner   struct{ A, B []uint16 }
	Columns [3][3]float64  `octable:"columns,type=Basis,round"`
	Square  [][2]int32     `octable:"square,type=PackedVector2iArray"`
	Longs   []int32        `octable:"longs,type=PackedInt64Array"`
	Typed   map[int]string `octable:"typed,type=Dictionary[int, StringName]"`
}

func TestQuick(t *testing.T) {
	roundTrip := func(x everything) bool {
		for i := range x.Columns { // so that nothing is rounded
			for j := range x.Columns[i] {
				x.Columns[i][j] = float64(int8(i*7 - j))
			}
		}
		v, err := godot.ValueOf(x)
		if err != nil {
			t.Log(err)
			return false
		}
		var y everything
		if err := v.To(&y); err != nil {
			t.Log(err)
			return false
		}
		again, err := godot.ValueOf(&y)
		return err == nil && codec.Equal(v, again)
	}
	if err := quick.Check(roundTrip, &quick.Config{MaxCount: 200}); err != nil {
		t.Error(err)
	}
}

// TestConcurrentPlans makes the plans of types that contain each other from
// several goroutines at once. It is for the race detector.
func TestConcurrentPlans(t *testing.T) {
	type b struct {
		A []*struct {
			B map[string]*struct{ C []any }
		}
		Self *b
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, x := range []any{b{Self: &b{}}, tree{}, []b{{}}} {
				v, err := godot.ValueOf(x)
				if err != nil {
					t.Error(err)
				}
				if err := v.To(reflect.New(reflect.TypeOf(x)).Interface()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// draw makes a value of choices, so that a fuzzer that shrinks its input
// shrinks the value.
func draw(choices *[]byte, depth int) codec.Value {
	next := func() int {
		if len(*choices) == 0 {
			return 0
		}
		b := (*choices)[0]
		*choices = (*choices)[1:]
		return int(b)
	}
	words := []string{"Bool", "Int", "Inner", "A", "B", "ByText", "Texts", "id", "kind", "name", "hp", "pos", "next", ""}
	switch n := next(); n % 16 {
	case 0:
		return godot.NewNil()
	case 1:
		return godot.NewInt(int64(int8(next())))
	case 2:
		return godot.NewFloat(float64(int8(next())) / 4)
	case 3:
		return godot.NewFloat(math.Float64frombits(uint64(next())<<56 | uint64(next())<<48 | uint64(next())))
	case 4:
		return godot.NewString(words[next()%len(words)])
	case 5:
		return godot.NewStringName(words[next()%len(words)])
	case 6:
		return newWideLanes(godot.Vector2Type, float64(next())/16, float64(next())*1e-9)
	case 7, 8:
		if depth == 0 {
			return godot.NewArray()
		}
		elems := make([]codec.Value, next()%8)
		for i := range elems {
			elems[i] = draw(choices, depth-1)
		}
		return godot.NewArray(elems...)
	case 9, 10, 11:
		if depth == 0 {
			return godot.NewDictionary()
		}
		pairs := make([]codec.Pair, next()%8)
		for i := range pairs {
			pairs[i] = codec.Pair{Key: draw(choices, depth-1), Value: draw(choices, depth-1)}
		}
		return godot.NewDictionary(pairs...)
	case 12:
		return godot.NewBool(next()%2 == 1)
	case 13:
		return godot.NewPackedInt32Array([]int32{int32(next()) << 24, int32(next())})
	default:
		return pairCases[next()%len(pairCases)].value
	}
}

// FuzzTo reads any value into Go types of all kinds. It must not panic, and each result must be
// written and read again as the same.
func FuzzTo(f *testing.F) {
	for i := range pairCases {
		f.Add([]byte{15, byte(i)})
	}
	f.Add([]byte{9, 2, 4, 0, 12, 1, 4, 1, 1, 5})
	f.Fuzz(func(t *testing.T, choices []byte) {
		v := draw(&choices, 6)
		_ = codec.Describe(v)
		for _, into := range []any{new(any), new(codec.Value), new(everything), new(entity), new(deep), new(withRest), new(withPairs),
			new(asked), new(tree), new([]any), new(map[any]any), new(map[string]any), new([]codec.Pair),
			new([]float32), new([]int), new([][2]float64), new(*int), new(float32), new(string), new(celsius), new(netip.Addr)} {
			if v.To(into) != nil {
				continue
			}
			a, err := godot.ValueOf(into)
			if err != nil {
				// Only a Go map may hold keys that are one for the engine.
				if errors.Is(err, codec.ErrDuplicateKey) {
					continue
				}
				t.Fatalf("%T: read from %s, not written: %v", into, shown(v), err)
			}
			fresh := reflect.New(reflect.TypeOf(into).Elem()).Interface()
			if err := a.To(fresh); err != nil {
				t.Fatalf("%T: written as %s, not read again: %v", into, shown(a), err)
			}
			b, err := godot.ValueOf(fresh)
			if err != nil || !codec.Equal(a, b) {
				t.Fatalf("%T: %s became %s, %v", into, shown(a), shown(b), err)
			}
		}
	})
}
