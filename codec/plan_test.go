package codec_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// Values of a field, beside the results for them.
var _ = planEmbeds{}.note

type (
	planNode struct {
		Name string     `octable:"name"`
		Next *planNode  `octable:"next,omitempty"`
		Kids []planNode `octable:"kids,omitempty"`
	}
	planInner struct {
		A int64  `octable:"a"`
		B string `octable:"b,omitempty"`
	}
	planEmbeds struct {
		planInner
		C    []planInner `octable:"c"`
		note int         // not exported: the codec leaves it out
	}
	planEmbedsPointer struct {
		*PlanOuter
		D bool `octable:"d"`
	}
	PlanOuter struct {
		E float32 `octable:"e"`
	}
	planRest struct {
		F int16          `octable:"f"`
		R map[string]any `octable:",rest"`
	}
	planRequired struct {
		G string  `octable:"g,required"`
		H float64 `octable:"h"`
	}
	planLong struct {
		AVeryLongNameIndeed int8    `octable:"a_very_long_name_indeed"`
		AVeryLongNameIndeer uint16  `octable:"a_very_long_name_indeer"`
		Größe               float64 `octable:"größe"`
		Empty               *int64  `octable:"nil"`
		ExactlyNine         []int32 `octable:"ninechars"`
	}
	planHooked  struct{ s string }
	planWritten struct{ N int64 }
	planText    string
	planUnit    struct{}
)

func (h planHooked) MarshalText() ([]byte, error) {
	if h.s == "bad" {
		return nil, fmt.Errorf("bad text")
	}
	return []byte("<" + h.s + ">"), nil
}

func (h *planHooked) UnmarshalText(b []byte) error {
	if len(b) < 2 {
		return fmt.Errorf("no brackets")
	}
	h.s = string(b[1 : len(b)-1])
	return nil
}

func (w planWritten) MarshalOctable() (codec.Value, error) {
	return godot.NewArray(godot.NewInt(w.N)), nil
}

func (w *planWritten) UnmarshalOctable(v codec.Value) error {
	elems := v.Elems()
	if len(elems) != 1 {
		return fmt.Errorf("not one element")
	}
	w.N, _ = elems[0].AsInt()
	return nil
}

var planLeaves = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](),
	reflect.TypeFor[int64](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[planText](),
	reflect.TypeFor[godot.StringName](), reflect.TypeFor[godot.RID](), reflect.TypeFor[godot.ObjectID](), reflect.TypeFor[godot.Vector2](),
	reflect.TypeFor[godot.Vector3](), reflect.TypeFor[godot.Vector4i](), reflect.TypeFor[godot.Rect2](), reflect.TypeFor[godot.AABB](),
	reflect.TypeFor[godot.Basis](), reflect.TypeFor[godot.Transform3D](), reflect.TypeFor[godot.Projection](), reflect.TypeFor[godot.Color](),
	reflect.TypeFor[[]byte](), reflect.TypeFor[[]int32](), reflect.TypeFor[[]int64](), reflect.TypeFor[[]float32](),
	reflect.TypeFor[[]float64](), reflect.TypeFor[[]string](), reflect.TypeFor[[]godot.Vector2](), reflect.TypeFor[[]godot.Vector3](),
	reflect.TypeFor[[]godot.Color](), reflect.TypeFor[[3]int32](), reflect.TypeFor[[5]uint8](), reflect.TypeFor[[2]string](),
	reflect.TypeFor[any](), reflect.TypeFor[codec.Value](), reflect.TypeFor[godot.NodePath](), reflect.TypeFor[godot.Object](),
	reflect.TypeFor[map[string]int64](), reflect.TypeFor[map[string]any](), reflect.TypeFor[[]codec.Pair](),
	reflect.TypeFor[planNode](), reflect.TypeFor[planInner](), reflect.TypeFor[planEmbeds](), reflect.TypeFor[planEmbedsPointer](),
	reflect.TypeFor[planRest](), reflect.TypeFor[planRequired](), reflect.TypeFor[planLong](), reflect.TypeFor[planHooked](),
	reflect.TypeFor[planWritten](), reflect.TypeFor[planUnit](), reflect.TypeFor[godot.Callable](), reflect.TypeFor[[]uint16](),
	reflect.TypeFor[codec.RawMessage](), reflect.TypeFor[map[string]codec.RawMessage](),
}

// randomType makes a Go type.
func randomType(r *rand.Rand, depth int) reflect.Type {
	switch n := r.IntN(10); {
	case depth <= 0 || n < 5:
		return planLeaves[r.IntN(len(planLeaves))]
	case n < 7:
		return reflect.SliceOf(randomType(r, depth-1))
	case n < 8:
		return reflect.PointerTo(randomType(r, depth-1))
	}
	var fields []reflect.StructField
	for i := range r.IntN(7) {
		t := randomType(r, depth-1)
		name := fmt.Sprintf("%c%s", 'a'+i, strings.Repeat("x", r.IntN(12)))
		option := []string{"", "", "", "", ",omitempty", ",omitzero", ",required", ",round", ",exact"}[r.IntN(9)]
		switch {
		case t.Kind() == reflect.Slice && r.IntN(2) == 0 && t.Elem().Kind() == reflect.String:
			option += ",type=Array"
		case t == reflect.TypeFor[[3]int32]() && r.IntN(2) == 0:
			option += ",type=Vector3i"
		case t.Kind() == reflect.Float32 && r.IntN(3) == 0:
			option += ",type=int"
		case t.Kind() == reflect.Int16 && r.IntN(3) == 0:
			option += ",type=float"
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: t,
			Tag: reflect.StructTag(`octable:"` + name + option + `"`)})
	}
	return reflect.StructOf(fields)
}

var planTexts = []string{"", "a", "ab", "abc", "abcd", "entity-0001", "eight ch", "seventeen letters", "grüße", "\u4e16\u754c", "bad\x00nul", "\xff\xfe", "\ufeffmark", strings.Repeat("long ", 300), "x\x01", "<x>"}

// randomFill sets rv, which has an address, to something.
func randomFill(r *rand.Rand, rv reflect.Value, depth int) {
	if rv.Type() == reflect.TypeFor[codec.Value]() {
		rv.Set(reflect.ValueOf([]codec.Value{godot.NewInt(1), godot.NewArray(godot.NewString("x"), godot.NewNil()), godot.NewFloat(0.1), {}}[r.IntN(4)]))
		return
	}
	if rv.Type() == reflect.TypeFor[codec.RawMessage]() && r.IntN(8) > 0 {
		rv.SetBytes([]byte("\x02\x00\x00\x00\x05\x00\x00\x00")[:[]int{0, 8}[r.IntN(2)]])
		return
	}
	switch rv.Kind() {
	case reflect.Bool:
		rv.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		rv.SetInt(int64(r.Uint64()) >> r.IntN(64))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		rv.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float32, reflect.Float64:
		rv.SetFloat([]float64{0, math.Copysign(0, -1), 1.5, 0.1, math.NaN(), math.Inf(1), 1e300, 7}[r.IntN(8)])
	case reflect.String:
		switch text := []byte("abcdefghijklmnopqrst")[:r.IntN(21)]; r.IntN(4) {
		case 0:
			rv.SetString(planTexts[r.IntN(len(planTexts))])
		case 1: // plans look at short texts eight bytes at a time
			if len(text) > 0 && r.IntN(4) == 0 {
				text[r.IntN(len(text))] = "\x00\x01\x7f\x80\xff"[r.IntN(5)]
			}
			rv.SetString(string(text))
		default:
			rv.SetString(planTexts[r.IntN(9)])
		}
	case reflect.Slice:
		if depth <= 0 || r.IntN(6) == 0 {
			return
		}
		n := r.IntN(5)
		rv.Set(reflect.MakeSlice(rv.Type(), n, n+r.IntN(2)))
		for i := range n {
			randomFill(r, rv.Index(i), depth-1)
		}
	case reflect.Array:
		for i := range rv.Len() {
			randomFill(r, rv.Index(i), depth-1)
		}
	case reflect.Map:
		if depth > 0 && r.IntN(4) > 0 {
			rv.Set(reflect.MakeMap(rv.Type()))
			for range r.IntN(2) { // of more, errors may be about any
				k, v := reflect.New(rv.Type().Key()).Elem(), reflect.New(rv.Type().Elem()).Elem()
				randomFill(r, k, depth-1)
				randomFill(r, v, depth-1)
				rv.SetMapIndex(k, v)
			}
		}
	case reflect.Pointer:
		if depth > 0 && r.IntN(3) > 0 {
			rv.Set(reflect.New(rv.Type().Elem()))
			randomFill(r, rv.Elem(), depth-1)
		}
	case reflect.Interface:
		rv.Set(reflect.ValueOf([]any{int64(5), "text", []any{1.5, nil}, map[string]any{"k": true}, godot.Vector2{X: 1, Y: 2}}[r.IntN(5)]))
	case reflect.Struct:
		for i := range rv.NumField() {
			if f := rv.Field(i); f.CanSet() {
				randomFill(r, f, depth-1)
			}
		}
	}
}

// randomBytes writes v with changes of its Dictionaries. Pairs are left out, repeated,
// renamed, in another order, and have values of other types in their places.
func randomBytes(r *rand.Rand, c *codec.Codec, v codec.Value, wild int) []byte {
	one := func(v codec.Value) []byte {
		b, err := c.Encode(v)
		if err != nil {
			b, _ = c.Encode(godot.NewNil())
		}
		return b
	}
	if r.IntN(100) < wild {
		v = []codec.Value{godot.NewNil(), godot.NewInt(int64(r.Uint64()) >> r.IntN(64)), godot.NewFloat(0.25), godot.NewFloat(0.1), godot.NewString("grün"), godot.NewStringName("name"),
			godot.NewArray(), godot.NewArray(godot.NewInt(1)), godot.NewDictionary(), godot.NewPackedStringArray([]string{"p", "ö"}), godot.NewBool(true),
			godot.NewPackedByteArray([]byte{1, 2, 3}), godot.NewPackedInt32Array([]int32{-1, 2}), godot.Vector3{X: 1, Y: 2, Z: 3}.Value(),
			godot.WithElemType(godot.NewArray(godot.NewString("a"), godot.NewStringName("b")), godot.ElemType{}), godot.NewFloat(3), godot.NewRID(7)}[r.IntN(17)]
	}
	switch {
	case v.Type() == godot.DictionaryType && raw.Value(v).Kind() == interp.Map:
		out := one(godot.NewDictionary())
		var pairs []codec.Pair
		for k, val := range v.Pairs() {
			pairs = append(pairs, codec.Pair{Key: k, Value: val})
		}
		if r.IntN(3) == 0 {
			r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		}
		n := 0
		put := func(k, val codec.Value) {
			n++
			if s, ok := k.AsString(); ok && r.IntN(100) < wild {
				k = []codec.Value{godot.NewStringName(s), godot.NewString(s + "x"), godot.NewInt(3), godot.NewString("\ufeff" + s)}[r.IntN(4)]
			}
			out = append(out, one(k)...)
			out = append(out, randomBytes(r, c, val, wild)...)
		}
		for _, p := range pairs {
			if r.IntN(100) < wild {
				switch r.IntN(3) {
				case 0:
					continue
				case 1:
					put(p.Key, p.Value)
				case 2:
					put(godot.NewString("unknown"), p.Value)
				}
			}
			put(p.Key, p.Value)
		}
		binary.LittleEndian.PutUint32(out[4:], uint32(n)|uint32(r.IntN(2)&(wild>>1))<<31)
		return out
	case v.Type() == godot.ArrayType && raw.Value(v).Kind() == interp.List:
		out := one(godot.NewArray())
		for _, e := range v.Elems() {
			out = append(out, randomBytes(r, c, e, wild)...)
		}
		binary.LittleEndian.PutUint32(out[4:], uint32(v.Len()))
		return out
	}
	b := one(v)
	if text := v.Type() == godot.String || v.Type() == godot.PackedStringArray; text && len(b) > 8 && r.IntN(100) < 2*wild {
		b[8+r.IntN(len(b)-8)] = "\x00\x01\x7f\x80\xc3\xff"[r.IntN(6)] // of a letter, or of padding
	}
	return b
}

// sameGo reports whether two Go values are the same to the last bit.
func sameGo(a, b reflect.Value) bool {
	if a.Kind() != b.Kind() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return sameGo(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		fallthrough
	case reflect.Array:
		for i := range a.Len() {
			if !sameGo(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for it := a.MapRange(); it.Next(); {
			if v := b.MapIndex(it.Key()); !v.IsValid() || !sameGo(it.Value(), v) {
				return false
			}
		}
		return true
	case reflect.Struct:
		if a.Type() == reflect.TypeFor[codec.Value]() && a.CanInterface() {
			return codec.Equal(a.Interface().(codec.Value), b.Interface().(codec.Value))
		}
		for i := range a.NumField() {
			if !sameGo(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.String:
		return a.String() == b.String()
	case reflect.UnsafePointer:
		return true // of a Value, looked at as a whole elsewhere
	}
	if a.CanInt() {
		return a.Int() == b.Int()
	}
	if a.CanUint() {
		return a.Uint() == b.Uint()
	}
	return true
}

func sameError(a, b error) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error())
}

func randomOptions(r *rand.Rand) codec.Options {
	if r.IntN(2) == 0 {
		return codec.Options{Alias: r.IntN(2) == 0}
	}
	o := codec.Options{
		Alias: r.IntN(2) == 0, IgnoreUnknown: r.IntN(2) == 0, Exact: r.IntN(2) == 0, AllowTrailing: r.IntN(2) == 0,
		Strict: r.IntN(8) == 0, KeepWidths: r.IntN(8) == 0,
	}
	if r.IntN(4) == 0 {
		o.MaxDepth = 1 + r.IntN(5)
	}
	if r.IntN(4) == 0 {
		o.MaxMemory = r.IntN(1000)
	}
	return o
}

var planSchemas = []string{"godot-4.4", "godot-4.4+double", "godot-3", "godot-4.0", "pandemonium-5", "godot-2"}

// comparePlan takes both ways with everything that follows from the seed. data,
// if not nil, is read instead of bytes that are made.
func comparePlan(t *testing.T, seed uint64, data []byte) {
	r := rand.New(rand.NewPCG(seed, 4))
	c, err := codec.MustLoad(planSchemas[max(0, r.IntN(2*len(planSchemas))-len(planSchemas))]).With(randomOptions(r))
	if err != nil {
		t.Fatal(err)
	}
	typ := randomType(r, 4)
	report := func(what string, args ...any) {
		t.Helper()
		t.Fatalf("seed %d, %s, %+v, %v: %s", seed, c.Schema(), c.Options(), typ, fmt.Sprintf(what, args...))
	}

	// Writing.
	x := reflect.New(typ)
	randomFill(r, x.Elem(), 6)
	prefix := []byte("head")
	for _, arg := range []any{x.Interface(), x.Elem().Interface()} {
		want, wantErr := codec.AppendValue(c, prefix[:4:4], arg)
		got, gotErr := c.AppendMarshal(prefix[:4:4], arg)
		if string(got) != string(want) || !sameError(gotErr, wantErr) {
			report("AppendMarshal of %+v:\n% x, %v\nby Values\n% x, %v", x.Elem(), got, gotErr, want, wantErr)
		}
		got, gotErr = c.Marshal(arg)
		if string(got) != string(want[4:]) || !sameError(gotErr, wantErr) {
			report("Marshal of %+v:\n% x, %v\nby Values\n% x, %v", x.Elem(), got, gotErr, want[4:], wantErr)
		}
	}

	// Reading, a few times into the same targets.
	free, err := c.With(codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := c.NewMapper()
	byMapper, byCodec, byValue := reflect.New(typ), reflect.New(typ), reflect.New(typ)
	if r.IntN(2) == 0 {
		s := r.Uint64()
		for _, to := range []reflect.Value{byMapper, byCodec, byValue} {
			randomFill(rand.New(rand.NewPCG(s, 1)), to.Elem(), 6)
		}
	}
	for range 4 {
		b := data
		if b == nil {
			y := reflect.New(typ)
			randomFill(r, y.Elem(), 6)
			v, err := godot.ValueOf(y.Interface())
			if err != nil {
				v = godot.NewNil()
			}
			b = randomBytes(r, free, v, []int{0, 0, 2, 10}[r.IntN(4)])
			switch r.IntN(8) {
			case 0:
				b = b[:r.IntN(len(b)+1)]
			case 1:
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			case 2:
				b = append(b, make([]byte, r.IntN(5))...)
			case 3:
				if len(b) >= 4 {
					binary.LittleEndian.PutUint32(b[r.IntN(len(b)/4)*4:], []uint32{math.MaxUint32, 1 << 31, 0, 0x10002, 0x10003, 15}[r.IntN(6)])
				}
			}
		}
		b = append(make([]byte, 0, len(b)), b...) // the end of an allocation
		errValue := codec.UnmarshalValue(c, b, byValue.Interface())
		errCodec := c.Unmarshal(b, byCodec.Interface())
		errMapper := m.Unmarshal(b, byMapper.Interface())
		if !sameError(errCodec, errValue) || !sameError(errMapper, errValue) {
			report("of % x\nUnmarshal: %v\nMapper: %v\nby Values: %v", b, errCodec, errMapper, errValue)
		}
		if errValue != nil && len(b) > 0 && !strings.Contains(errValue.Error(), "more bytes") {
			for _, to := range []reflect.Value{byMapper, byCodec, byValue} {
				to.Elem().SetZero() // set in part
			}
			continue
		}
		if !sameGo(byCodec.Elem(), byValue.Elem()) {
			report("of % x\nUnmarshal: %+v\nby Values: %+v", b, byCodec.Elem(), byValue.Elem())
		}
		if !sameGo(byMapper.Elem(), byValue.Elem()) {
			report("of % x\nMapper: %+v\nby Values: %+v", b, byMapper.Elem(), byValue.Elem())
		}
	}
}

// Both ways between bytes and Go values have the same results and errors.
func TestPlanIsTheWayByValues(t *testing.T) {
	n := uint64(long.Number(1500, 12000))
	if testing.Short() {
		n = uint64(long.Number(1000, 2000))
	}
	for seed := range n {
		comparePlan(t, seed, nil)
	}
}

// TestPlansTaken counts how many drawn values plans read and write without falling back to the Value. The fallback is
// right, but slow.
func TestPlansTaken(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	written, read := 0, 0
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 9))
		x := reflect.New(randomType(r, 4))
		randomFill(r, x.Elem(), 6)
		if codec.WritesByPlan(c, x.Interface()) {
			written++
		}
		if b, err := c.Marshal(x.Interface()); err == nil && codec.ReadsByPlan(c, b, reflect.New(x.Type().Elem()).Interface()) {
			read++
		}
	}
	// the others have hooks, or values that plans do not take
	if memory.Raw && (written != 630 || read != 704) {
		t.Errorf("of 1000 values plans write %d and read %d, not 630 and 704", written, read)
	}
}

func FuzzPlan(f *testing.F) {
	f.Add(uint64(1), []byte(nil))
	f.Add(uint64(2), []byte("\x1b\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		if len(data) == 0 {
			data = nil
		}
		comparePlan(t, seed, data)
	})
}

// entities is what games send: structs with slices inside.
type planState struct {
	Tick     int64        `octable:"tick"`
	Entities []planEntity `octable:"entities"`
}

type planEntity struct {
	ID   int64           `octable:"id"`
	Name string          `octable:"name"`
	Pos  godot.Vector3   `octable:"pos"`
	HP   float64         `octable:"hp"`
	Tags []string        `octable:"tags,type=Array"`
	Path []godot.Vector2 `octable:"path"`
}

func makePlanState(n int) *planState {
	s := &planState{Tick: 1 << 40}
	for i := range n {
		s.Entities = append(s.Entities, planEntity{ID: int64(i), Name: fmt.Sprint("entity ", i), Pos: godot.Vector3{X: float32(i)},
			HP: float64(i) / 10, Tags: []string{"a", "bird", "of prey, which is long"}, Path: []godot.Vector2{{X: 1, Y: 2}, {X: 3, Y: float32(i)}}})
	}
	return s
}

func TestPlansOfManyGoroutines(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	b, err := c.Marshal(makePlanState(20))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for range 8 {
		go func() {
			var err error
			for range 200 {
				out := new(planState)
				if err = c.Unmarshal(b, out); err != nil {
					break
				}
				var again []byte
				if again, err = c.Marshal(out); err == nil && string(again) != string(b) {
					err = fmt.Errorf("other bytes")
				}
			}
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// Large results are made where they stay, also when the size changes.
func TestMarshalSizes(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	for _, n := range []int{1, 2000, 2000, 1500, 3, 9000, 8990, 1} {
		in := makePlanState(n)
		want, err := codec.AppendValue(c, nil, in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Marshal(in)
		if err != nil || string(got) != string(want) {
			t.Errorf("%d entities: %d bytes, want %d; %v", n, len(got), len(want), err)
		}
		if cap(got) > len(got)+len(got)/2+1024 {
			t.Errorf("%d entities: %d bytes in memory for %d", n, len(got), cap(got))
		}
	}
	x := make([]godot.Vector3, 1<<16)
	b, err := c.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	allocsAtMost(t, "Marshal of a large packed array", 2, func() { b, _ = c.Marshal(x) })
	m := c.NewMapper()
	allocsAtMost(t, "Unmarshal of one", 1, func() { x = nil; _ = m.Unmarshal(b, &x) })
	if len(x) != 1<<16 {
		t.Error(len(x))
	}
}
