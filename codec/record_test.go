package codec_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/gotypes"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// goType returns a Go type that may take a value, with numbers of random types.
func goType(r *rand.Rand, v codec.Value) reflect.Type {
	pick := func(types ...reflect.Type) reflect.Type {
		if r.IntN(4) == 0 {
			return types[r.IntN(len(types))]
		}
		return types[0]
	}
	list := func(elem reflect.Type) reflect.Type {
		if r.IntN(5) == 0 {
			return reflect.ArrayOf(v.Len(), elem)
		}
		return reflect.SliceOf(elem)
	}
	switch x := raw.Value(v); x.Kind() {
	case interp.Bool:
		return reflect.TypeFor[bool]()
	case interp.Int, interp.Uint:
		kinds := []reflect.Type{reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
			reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64]()}
		r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		return kinds[0]
	case interp.Float:
		return pick(reflect.TypeFor[float32](), reflect.TypeFor[float64]())
	case interp.Text:
		return pick(reflect.TypeFor[string](), reflect.TypeFor[[]byte]())
	case interp.Packed, interp.Lanes, interp.List:
		for _, e := range v.All() {
			return list(goType(r, e))
		}
		return list(reflect.TypeFor[uint16]())
	case interp.Record:
		var fields []reflect.StructField
		for name, f := range v.Fields() {
			if r.IntN(20) == 0 {
				continue
			}
			typ, options := goType(r, f), ""
			switch r.IntN(8) {
			case 0:
				typ = reflect.PointerTo(typ)
			case 1:
				options = ",omitempty"
			}
			fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", len(fields)), Type: typ, Tag: reflect.StructTag(fmt.Sprintf("octable:%q", name+options))})
		}
		if r.IntN(5) == 0 {
			fields = append(fields, reflect.StructField{Name: "More", Type: reflect.TypeFor[int]()})
		}
		return reflect.StructOf(fields)
	}
	return reflect.TypeFor[any]()
}

type recordPlace struct {
	P    uint16 `octable:"p"`
	Q    uint16 `octable:"q"`
	R    int32  `octable:"r"`
	S    int32  `octable:"s"`
	X    int64  `octable:"x"`
	Name string `octable:"name"`
}

// recordLog takes the records of testdata/records.oct.
type recordLog struct {
	A    []recordReading `octable:"a"`
	B    []string        `octable:"b"`
	C    []recordOption  `octable:"c"`
	Done bool            `octable:"done"`
}

type recordReading struct {
	ID    uint32      `octable:"id"`
	Level int16       `octable:"level"`
	Value float32     `octable:"value"`
	Exact float64     `octable:"exact"`
	Raw   []byte      `octable:"raw"`
	Words []int16     `octable:"words"`
	Place recordPlace `octable:"place"`
}

type recordOption struct {
	Kind    uint8    `octable:"kind"`
	Version uint8    `octable:"-"`
	First   bool     `octable:"first"`
	Op      uint8    `octable:"op"`
	Code    int      `octable:"code"`
	Extra   *uint16  `octable:"extra"`
	Note    *string  `octable:"note"`
	Single  *float32 `octable:"single"`
	More    []byte   `octable:"more,omitempty"`
	Last    uint16   `octable:"last"`
}

// recordSymbol takes the symbols of bench/symtab/symtab.oct.
type recordSymbol struct {
	Name       uint32 `octable:"name_at"`
	Type       uint8  `octable:"type"`
	Binding    uint8  `octable:"binding"`
	Visibility uint8  `octable:"visibility"`
	Reserved   uint8  `octable:"reserved"`
	Section    uint16 `octable:"shndx"`
	Value      uint64 `octable:"value"`
	Size       uint64 `octable:"size"`
}

// recordOther takes them into other types, which are too small for some numbers.
type recordOther struct {
	More string
	recordWritten
}

// recordWritten can be written, too.
type recordWritten struct {
	B [][]byte `octable:"b"`
	A []struct {
		Tail  []string `octable:"-"`
		Level uint8    `octable:"level"`
		Value float64  `octable:"value"`
		ID    int      `octable:"id"`
		Words []uint64 `octable:"words"`
		Raw   []int8   `octable:"raw"`
		Place struct {
			Q    uint16 `octable:"q"`
			P    uint16 `octable:"p"`
			S    uint32 `octable:"s"`
			R    int32  `octable:"r"`
			Name []byte `octable:"name"`
			X    int32  `octable:"x"`
		} `octable:"place"`
		Exact float64 `octable:"exact"`
	} `octable:"a"`
	C []struct {
		Last   uint32  `octable:"last"`
		First  *bool   `octable:"first"`
		Op     *int8   `octable:"op"`
		Extra  uint16  `octable:"extra,omitzero"`
		Kind   int64   `octable:"kind"`
		Code   uint16  `octable:"code"`
		Note   string  `octable:"note,omitempty"`
		Single float64 `octable:"single,omitempty"`
		More   *[]int8 `octable:"more"`
	} `octable:"c"`
	Done bool `octable:"done"`
}

// unusual are schemas whose drawn values have NaNs or text of other charsets, which plans leave to Values.
var unusual = []string{"records.oct", "numbers.oct", "numbers-big.oct", "form-numbers.oct", "form-orders.oct", "drawn-view-nan.oct", "drawn-view-behind.oct", "views-chosen.oct"}

// TestRecordPlans: plans and Values read the same into Go values, new ones and used ones.
func TestRecordPlans(t *testing.T) {
	planned, schemas := 0, 0
	var drawn, whole readCount
	for _, name := range append(schemasOfTree(t), "testdata/records.oct", "bench/symtab/symtab.oct") {
		r := rand.New(rand.NewPCG(7, uint64(len(name))))
		var targets []*readTarget
		always := map[string][]*readTarget{"testdata/records.oct": {{typ: reflect.TypeFor[recordLog]()}, {typ: reflect.TypeFor[recordOther]()}},
			"bench/symtab/symtab.oct": {{typ: reflect.TypeFor[[]recordSymbol]()}}}[name]
		draws := long.Number(12, 100)
		if always != nil {
			draws = long.Number(24, 300)
		}
		eachOfSource(t, name, draws, func(s *packetSource, p drawnPacket) {
			c, v, b := s.codec, p.value, p.bytes
			if !codec.Named(c) {
				return
			}
			c, err := c.With(codec.Options{Alias: r.IntN(2) == 0, IgnoreUnknown: r.IntN(3) > 0, Exact: r.IntN(4) == 0})
			if err != nil {
				t.Fatal(err)
			}
			if typ := goType(r, v); codec.HasPlan(c, typ) {
				planned++
				targets = append(targets, &readTarget{typ: typ})
			}
			if r.IntN(4) == 0 { // a type of the whole schema
				opt := c.Options()
				opt.IgnoreUnknown = opt.IgnoreUnknown || r.IntN(8) > 0
				c, types := s.goTypes(t, r, opt)
				if types != nil && codec.HasPlan(c, types.Root) {
					schemas++
					x := &readTarget{typ: types.Root}
					for range 3 {
						compareRead(t, filepath.Base(name), r, c, x, b, &whole)
					}
				}
				return
			}
			for _, x := range append(always, targets[max(0, len(targets)-5):]...) {
				if !codec.HasPlan(c, x.typ) {
					t.Fatalf("%s: %v has no plan", name, x.typ)
				}
				slow := drawn.slow
				if !compareRead(t, filepath.Base(name), r, c, x, b, &drawn) {
					return
				}
				if drawn.slow > slow && !slices.Contains(unusual, filepath.Base(name)) {
					t.Errorf("%s: % x into %v: not read by the plan", filepath.Base(name), b, x.typ)
				}
			}
		})
	}
	t.Log(planned, "types,", drawn.equal, "packets,", drawn.slow, "not by plan;", schemas, "types of whole schemas,", whole.equal, "packets,", whole.slow, "not by plan")
	if planned < 100 || drawn.equal < long.Number(500, 1000) || drawn.slow > drawn.equal/40 {
		t.Errorf("%d types have plans, and %d packets were read, %d of them not by the plan", planned, drawn.equal, drawn.slow)
	}
	if schemas < 100 || whole.equal < 300 || 2*whole.slow > whole.equal {
		t.Errorf("%d types of whole schemas have plans, and %d packets were read, %d of them not by the plan", schemas, whole.equal, whole.slow)
	}
}

// compareRead reads damaged copies of a packet by a plan and by Values.
func compareRead(t *testing.T, name string, r *rand.Rand, c *codec.Codec, x *readTarget, b []byte, count *readCount) bool {
	x.plan, x.value = reflect.New(x.typ), reflect.New(x.typ)
	if x.mapper = c.NewMapper(); !x.kept.IsValid() || r.IntN(9) == 0 {
		x.kept, x.valuesK = reflect.New(x.typ), reflect.New(x.typ)
	}
	for range 4 {
		p := damagedCopy(r, b)
		err, want := c.Unmarshal(p, x.plan.Interface()), codec.UnmarshalValue(c, p, x.value.Interface())
		kept, wantKept := x.mapper.Unmarshal(p, x.kept.Interface()), codec.UnmarshalValue(c, p, x.valuesK.Interface())
		if fmt.Sprint(err) != fmt.Sprint(want) || fmt.Sprint(kept) != fmt.Sprint(wantKept) {
			t.Errorf("%s: % x into %v: %v, %v, want %v", name, p, x.typ, err, kept, want)
			return false
		}
		if err != nil { // the values may be set in part
			x.plan, x.value = reflect.New(x.typ), reflect.New(x.typ)
			x.kept, x.valuesK = reflect.New(x.typ), reflect.New(x.typ)
			continue
		}
		if count.equal++; !codec.ReadsByPlan(c, p, reflect.New(x.typ).Interface()) {
			count.slow++
		}
		if !sameGo(x.plan.Elem(), x.value.Elem()) || !sameGo(x.kept.Elem(), x.valuesK.Elem()) {
			t.Errorf("%s: % x into %v:\n%+v\n%+v, want\n%+v", name, p, x.typ, x.plan.Elem(), x.kept.Elem(), x.value.Elem())
			return false
		}
	}
	return true
}

// readCount counts packets that were read.
type readCount struct{ equal, slow int }

// readTarget is a Go type, and values of it that are read over and over.
type readTarget struct {
	typ           reflect.Type
	mapper        *codec.Mapper
	plan, value   reflect.Value
	kept, valuesK reflect.Value
}

// TestRecordWritePlans: plans and Values write the same from Go values that were read, and from changed ones.
func TestRecordWritePlans(t *testing.T) {
	planned, equal, slow, wholeSlow, refused := 0, 0, 0, 0, 0
	for _, name := range append(schemasOfTree(t), "testdata/records.oct", "bench/symtab/symtab.oct") {
		r := rand.New(rand.NewPCG(8, uint64(len(name))))
		always := map[string][]reflect.Type{"testdata/records.oct": {reflect.TypeFor[recordLog](), reflect.TypeFor[recordWritten]()},
			"bench/symtab/symtab.oct": {reflect.TypeFor[[]recordSymbol]()}}[name]
		draws := long.Number(12, 100)
		if always != nil {
			draws = long.Number(24, 300)
		}
		eachOfSource(t, name, draws, func(s *packetSource, p drawnPacket) {
			c, v, b := s.codec, p.value, p.bytes
			if !codec.Named(c) {
				return
			}
			c, err := c.With(codec.Options{IgnoreUnknown: true, Exact: r.IntN(4) == 0})
			if err != nil {
				t.Fatal(err)
			}
			types := append(always[:len(always):len(always)], goType(r, v), goType(r, v))
			var whole reflect.Type
			var ofSchema *gotypes.Types
			if r.IntN(2) == 0 { // a type of the whole schema
				var with *codec.Codec
				if with, ofSchema = s.goTypes(t, r, c.Options()); ofSchema != nil {
					c, whole = with, ofSchema.Root
					types = append(types, whole)
				}
			}
			m := c.NewMapper()
			for _, typ := range types {
				if !codec.HasWritePlan(c, typ) {
					if slices.Contains(always, typ) {
						t.Fatalf("%s: %v has no plan", name, typ)
					}
					continue
				}
				planned++
				x := reflect.New(typ)
				if codec.UnmarshalValue(c, b, x.Interface()) != nil {
					continue
				}
				rounds := 4
				if len(b) < 16 { // few of whose numbers change in a round
					rounds = long.Number(6, 40)
				}
				for i := range rounds {
					if i > 0 {
						for range 1 + r.IntN(4) {
							ofSchema.Change(r, x.Elem())
						}
					}
					want, wantErr := codec.AppendValue(c, nil, x.Interface())
					of := x.Elem().Interface()
					if typ.Kind() == reflect.Interface { // which the value in it does not tell
						of = x.Interface()
					}
					got, err := c.Marshal(of)
					kept, keptErr := m.AppendMarshal([]byte("a"), x.Interface())
					if fmt.Sprint(err) != fmt.Sprint(wantErr) || fmt.Sprint(keptErr) != fmt.Sprint(wantErr) {
						t.Errorf("%s: %+v: %v, %v, want %v", filepath.Base(name), x.Elem(), err, keptErr, wantErr)
						return
					}
					if wantErr != nil {
						refused++
						continue
					}
					if !codec.WritesByPlan(c, x.Interface()) {
						slow++
						if _, parts := codec.SlowParts(c, typ); typ == whole || len(parts) > 0 {
							wholeSlow++
						} else if base := filepath.Base(name); !slices.Contains(unusual, base) {
							t.Errorf("%s: %+v: not written by the plan", base, x.Elem())
						}
					}
					if equal++; !bytes.Equal(got, want) || string(kept) != "a"+string(want) {
						t.Errorf("%s: %+v:\n% x\n% x, want\n% x", filepath.Base(name), x.Elem(), got, kept, want)
						return
					}
				}
			}
		})
	}
	t.Log(planned, "types,", equal, "values,", slow, "not by plan,", wholeSlow, "of them types of whole schemas,", refused, "refused")
	if planned < 100 || equal < 1000 || refused < 100 || slow-wholeSlow > equal/20 || wholeSlow > equal/4 {
		t.Errorf("%d types have plans, %d values were written, %d of them not by the plan, and %d refused", planned, equal, slow, refused)
	}
}

// TestRecordAllocs: records with conditions and checks go into reused structs, and out of them, without allocations.
func TestRecordAllocs(t *testing.T) {
	if !memory.Raw {
		t.Skip("reflection allocates")
	}
	source, err := os.ReadFile("testdata/records.oct")
	if err != nil {
		t.Fatal(err)
	}
	c, err := compiler.New(string(source))
	if err != nil {
		t.Fatal(err)
	}
	if c, err = c.With(codec.Options{Alias: true}); err != nil {
		t.Fatal(err)
	}
	type option struct {
		Kind   uint8   `octable:"kind"`
		First  bool    `octable:"first"`
		Op     uint8   `octable:"op"`
		Code   uint8   `octable:"code"`
		Extra  uint16  `octable:"extra,omitempty"`
		Note   string  `octable:"note,omitempty"`
		Single float32 `octable:"single,omitempty"`
		More   []byte  `octable:"more,omitempty"`
		Last   uint16  `octable:"last"`
	}
	type file struct {
		A    []recordReading `octable:"a"`
		B    []string        `octable:"b"`
		C    []option        `octable:"c"`
		Done bool            `octable:"done"`
	}
	x := file{A: []recordReading{{Raw: []byte{1}, Words: []int16{2, 3}}}, B: []string{"one", "two"}}
	for i := range 50 {
		x.C = append(x.C, option{Kind: 1, Op: 7, Extra: 5, Note: "a note", Last: uint16(i)})
	}
	m := c.NewMapper()
	packet, err := m.AppendMarshal(nil, &x)
	if err != nil {
		t.Fatal(err)
	}
	var y file
	buf := make([]byte, 0, len(packet)+64)
	for name, f := range map[string]func() error{
		"reading": func() error { return m.Unmarshal(packet, &y) },
		"writing": func() error { _, err := m.AppendMarshal(buf, &x); return err },
	} {
		if err := f(); err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(20, func() { _ = f() }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	if !reflect.DeepEqual(x.C, y.C) {
		t.Errorf("have %v, want %v", y.C, x.C)
	}
}

// TestSharedMemory checks that small slices of one call are in memory that is allocated together. So are those of the
// next calls of a Mapper. A buffer that is large enough is all that writing needs.
func TestSharedMemory(t *testing.T) {
	if !memory.Raw {
		t.Skip("reflection allocates")
	}
	c, err := compiler.New(`schema "shared" {
    order little
    root T
}
type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P   | 1 | u8 | k = count(inner) |
        repeat k as inner {
            | Q   | 1 | u8 | a |
            | Q+1 | 1 | i8 | b | if a > 100
        }
        | R   | 1   | u8     | m = count(numbers) |
        | R+1 | m*2 | u16[m] | numbers            |
    }
}`)
	if err != nil {
		t.Fatal(err)
	}
	type inner struct {
		A uint8 `octable:"a"`
		B int8  `octable:"b,omitempty"`
	}
	type elem struct {
		Inner   []inner  `octable:"inner"`
		Numbers []uint16 `octable:"numbers"`
	}
	type list struct {
		List []elem `octable:"list"`
	}
	var x, y list
	for range 200 {
		x.List = append(x.List, elem{make([]inner, 2), make([]uint16, 3)})
	}
	b, err := c.Marshal(&x)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Unmarshal(b, &y); err != nil || !reflect.DeepEqual(x, y) || !codec.ReadsByPlan(c, b, &y) {
		t.Fatalf("%+v, %v", y, err)
	}
	allocsAtMost(t, "reading 400 small slices", 40, func() { y = list{}; _ = c.Unmarshal(b, &y) })
	one, m := list{List: x.List[:1]}, c.NewMapper()
	small, err := m.AppendMarshal(nil, &one)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(200, func() { y = list{}; _ = m.Unmarshal(small, &y) }); n > 0 {
		t.Errorf("reading small slices by a Mapper: %v allocations", n)
	}
	buf := make([]byte, 0, len(b)+64)
	if n := testing.AllocsPerRun(200, func() { _, _ = c.AppendMarshal(buf, &x) }); n > 0 {
		t.Errorf("AppendMarshal: %v allocations", n)
	}
}

// damagedCopy returns a copy of a packet, often damaged, whose end is that of its memory.
func damagedCopy(r *rand.Rand, b []byte) []byte {
	b = append(make([]byte, 0, len(b)), b...)
	switch {
	case len(b) == 0 || r.IntN(2) == 0:
	case r.IntN(3) == 0:
		b = b[:r.IntN(len(b)):len(b)]
		b = append(make([]byte, 0, len(b)), b...)
	default:
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	}
	return b
}
