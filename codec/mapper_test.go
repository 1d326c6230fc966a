package codec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/interp/memory"
)

// Animal is the union of the schemas of [TestMapperMemory].
type Animal interface{ legs() int }

type (
	bird struct {
		Name string `octable:"name"`
		Eggs []egg  `octable:"eggs"`
	}
	egg struct {
		Sizes []uint16 `octable:"sizes"`
	}
	fish uint32
)

func (bird) legs() int { return 2 }
func (fish) legs() int { return 0 }

type zoo struct {
	Kind    uint8    `octable:"kind"`
	First   Animal   `octable:"first,omitempty"`
	Animals []Animal `octable:"animals,omitempty"`
}

const zooTypes = `
union Animal by kind {
	| 0 | 1 | u8 | kind |
}

arm Animal 0 bird {
	| 1   | 1 | u8      | length = len(name) |
	| 2   | L | utf8[length] | name          |
	| 2+L | 1 | u8      | n = count(eggs)    |
	| 3+L | E | Egg[n]  | eggs               |
}

arm Animal 1 fish {
	| 1 | 4 | u32 | number |
}

type Egg {
	| 0 | 1 | u8     | n = count(sizes) |
	| 1 | S | u16[n] | sizes            |
}
`

// zooCodec returns a codec of zoos with rows, whose birds are read into the Go type of a value.
func zooCodec(t *testing.T, rows string, of Animal, alias bool) *codec.Codec {
	t.Helper()
	return plannedSchema(t, "schema \"zoo\" {\n\troot Zoo\n}\n"+zooTypes+"\ntype Zoo {\n"+rows+"}\n",
		codec.Options{Alias: alias, Interfaces: []codec.Interface{codec.InterfaceOf("", map[string]Animal{"bird": of, "fish": fish(0)})}})
}

// TestMapperMemory reads values one after the other into the same Go value, whose memory is used again. It also reads
// into two in turn, of which the other one keeps its content.
func TestMapperMemory(t *testing.T) {
	for name, root := range map[string]string{
		"all":      "| 0 | 1 | u8 | kind |\n| 1 | 1 | u8 | n = count(animals) |\n| 2 | F | Animal | first |\n| 2+F | A | Animal[n] | animals |\n",
		"optional": "| 0 | 1 | u8 | kind |\nif kind == 1 {\n| 1 | F | Animal | first |\n} else {\n| 1 | 1 | u8 | n = count(animals) |\n| 2 | A | Animal[n] | animals |\n}\n",
	} {
		c := zooCodec(t, root, bird{}, true)
		r := rand.New(rand.NewPCG(1, 2))
		packets, want := make([][]byte, 40), make([]zoo, 40)
		for i := range packets {
			x := drawnZoo(r, name == "optional")
			var err error
			if packets[i], err = c.Marshal(&x); err != nil {
				t.Fatal(err)
			}
			if err := c.Unmarshal(packets[i], &want[i]); err != nil {
				t.Fatal(err)
			}
		}
		m := c.NewMapper()
		read := func(x *zoo, i int) {
			if err := m.Unmarshal(packets[i], x); err != nil {
				t.Fatalf("%s, packet %d: %v", name, i, err)
			}
		}
		same := func(x, want zoo, i int) {
			t.Helper()
			if g, w := fmt.Sprintf("%+v", x), fmt.Sprintf("%+v", want); g != w {
				t.Errorf("%s, packet %d: %s, want %s", name, i, g, w)
			}
		}
		var x zoo
		for i := range packets {
			read(&x, i)
			same(x, want[i], i)
		}
		for i := 1; i < len(packets); i++ {
			var one, two zoo
			read(&one, i-1)
			read(&two, i)
			same(one, want[i-1], i-1)
			same(two, want[i], i)
		}
		for i := range packets {
			read(&x, i)
		}
		if n := testing.AllocsPerRun(10, func() { read(&x, 3) }); n > 0 && memory.Raw && name == "all" {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestPointersInInterfaces checks that an interface gets a new pointer. A Mapper sets what the one before points to.
func TestPointersInInterfaces(t *testing.T) {
	c := zooCodec(t, "| 0 | 1 | u8 | kind |\n| 1 | F | Animal | first |\n", &bird{}, false)
	m := c.NewMapper()
	for name, read := range map[string]func(b []byte, ptr any) error{"Unmarshal": func(b []byte, ptr any) error { return c.Unmarshal(b, ptr) }, "Mapper": m.Unmarshal} {
		var x zoo
		if err := read([]byte("\x00\x00\x01a\x00"), &x); err != nil {
			t.Fatal(err)
		}
		before := x.First.(*bird)
		if err := read([]byte("\x00\x00\x01b\x00"), &x); err != nil {
			t.Fatal(err)
		}
		if got, want := before.Name, map[string]string{"Unmarshal": "a", "Mapper": "b"}[name]; got != want || x.First.(*bird).Name != "b" {
			t.Errorf("%s: the bird before is %s, want %s; the new one is %s", name, got, want, x.First.(*bird).Name)
		}
	}
}

// noted is a bird with a field that is in no packet.
type noted struct {
	Name string `octable:"name"`
	Eggs []egg  `octable:"eggs"`
	Note string `octable:"-"`
}

func (noted) legs() int { return 2 }

// TestPointersWithOthers: a Mapper clears the fields that are in no packet, of what a pointer in an interface points to.
func TestPointersWithOthers(t *testing.T) {
	c := zooCodec(t, "| 0 | 1 | u8 | kind |\n| 1 | F | Animal | first |\n", &noted{}, false)
	m := c.NewMapper()
	var x zoo
	for _, name := range []string{"a", "b"} {
		if err := m.Unmarshal([]byte("\x00\x00\x01"+name+"\x00"), &x); err != nil {
			t.Fatal(err)
		}
		got := x.First.(*noted)
		if got.Name != name || got.Note != "" {
			t.Errorf("%+v", got)
		}
		got.Note = "of the program"
	}
}

// drawnZoo returns a zoo. If optional is true, its kind decides about its fields.
func drawnZoo(r *rand.Rand, optional bool) zoo {
	animal := func() Animal {
		if r.IntN(2) == 0 {
			return fish(r.Uint32())
		}
		b := bird{Name: "abcdefghijkl"[:r.IntN(12)]}
		for range r.IntN(4) {
			b.Eggs = append(b.Eggs, egg{make([]uint16, r.IntN(4))})
			for i := range b.Eggs[len(b.Eggs)-1].Sizes {
				b.Eggs[len(b.Eggs)-1].Sizes[i] = uint16(r.Uint32())
			}
		}
		return b
	}
	x := zoo{Kind: uint8(r.IntN(3))}
	if !optional || x.Kind == 1 {
		x.First = animal()
	}
	for range 1 + r.IntN(5) {
		if !optional || x.Kind != 1 {
			x.Animals = append(x.Animals, animal())
		}
	}
	return x
}

// TestPointersOfElements checks that elements of a slice that is used again are cleared. What their pointers point to
// is not set. A Mapper that reads into the same Go value again uses that memory.
func TestPointersOfElements(t *testing.T) {
	for _, body := range []string{
		"repeat until end as list {\n| P | 1 | u8 | a |\n| P+1 | 1 | u8 | n = len(text) |\n| P+2 | N | utf8[n] | text |\n}\n",
		"repeat until end as list {\n| P | 1 | u8 | a |\n| P+1 | 1 | i8 | b |\n}\n",
		"repeat until end as list {\n| P | 1 | u8 | a |\n| P+1 | 1 | i8 | b | if a > 0\n}\n",
	} {
		c, err := compiler.New("schema \"pointers\" { root T }\ntype T {\n" + body + "}\n")
		if err != nil {
			t.Fatal(err)
		}
		type whole struct {
			List []struct {
				A    *uint8 `octable:"a"`
				B    *int8  `octable:"b"`
				Text string `octable:"text"`
			} `octable:"list"`
		}
		type part struct {
			List []struct {
				A *uint8 `octable:"a"`
				B *int8  `octable:"b"`
			} `octable:"list"`
		}
		type text struct {
			List []struct {
				A    *uint8 `octable:"a"`
				Text string `octable:"text"`
			} `octable:"list"`
		}
		for name, read := range map[string]func([]byte, any) error{"Codec": c.Unmarshal, "Mapper": c.NewMapper().Unmarshal} {
			for _, typ := range []reflect.Type{reflect.TypeFor[whole](), reflect.TypeFor[part](), reflect.TypeFor[text]()} {
				x, other := reflect.New(typ), reflect.New(typ)
				var first []*uint8
				for i, packet := range []string{"\x01\x00\x02\x00", "\x05\x00\x06\x00", "\x03\x00\x04\x00"} {
					into := x
					if i == 1 {
						into = other
					}
					if err := read([]byte(packet), into.Interface()); err != nil {
						break // the type lacks a field
					}
					first = append(first, into.Elem().Field(0).Index(0).Field(0).Interface().(*uint8))
				}
				if len(first) > 0 && (len(first) < 3 || *first[0] != 1 || *first[1] != 5 || *first[2] != 3) {
					t.Errorf("%s: %v of %s: the pointers are to %v", name, typ, body, first)
				}
			}
		}
	}
}

// TestMapperPointers reads packets into one value, in which a record is alone and in a list. Pointers that were nil
// get memory that no element of the next call has.
func TestMapperPointers(t *testing.T) {
	c, err := compiler.New(`schema "pointers" {
    order big
    root T
}
type T {
    | 0 | N | R | alone |
    | N | 1 | u8 | n = count(list) |
    repeat n as list { | P | M | R | value | }
}
type R {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b | if a > 2
}`)
	if err != nil {
		t.Fatal(err)
	}
	type record struct {
		A uint8  `octable:"a"`
		B *uint8 `octable:"b"`
	}
	type whole struct {
		Alone record   `octable:"alone"`
		List  []record `octable:"list"`
	}
	m, used := c.NewMapper(), whole{}
	for _, p := range []string{"\x03\x07\x02\x04\x08\x05\x09", "\x01\x02\x04\x08\x05\x09", "\x03\x07", "\x03\x07\x02\x04\x08\x05\x09"} {
		x := whole{}
		err, err2 := m.Unmarshal([]byte(p), &used), c.Unmarshal([]byte(p), &x)
		if fmt.Sprint(err) != fmt.Sprint(err2) || err == nil && !reflect.DeepEqual(used, x) {
			t.Errorf("% x is read as %v, %v, and %v, %v", p, used, err, x, err2)
		}
	}
}

// allocsAtMost checks the least number of allocations of some calls: pools are
// emptied now and then. The checked twin, which reflects, has more.
func allocsAtMost(t *testing.T, what string, want float64, f func()) {
	t.Helper()
	least := math.Inf(1)
	for range 10 {
		least = min(least, testing.AllocsPerRun(1, f))
	}
	if least > want && memory.Raw {
		t.Errorf("%s: %v allocations, want at most %v", what, least, want)
	}
}

func TestMapper(t *testing.T) {
	c, err := codec.MustLoad("godot-4.4").With(codec.Options{Alias: true})
	if err != nil {
		t.Fatal(err)
	}
	m := c.NewMapper()
	in := makePlanState(100)
	buf, err := m.AppendMarshal(nil, in)
	if err != nil {
		t.Fatal(err)
	}
	buf = append(make([]byte, 0, len(buf)+64), buf...)
	out := new(planState)
	if err := m.Unmarshal(buf, out); err != nil || !reflect.DeepEqual(in, out) {
		t.Fatal(err)
	}
	allocsAtMost(t, "Mapper.Unmarshal", 0, func() { _ = m.Unmarshal(buf, out) })
	scratch := make([]byte, 0, len(buf)+64)
	allocsAtMost(t, "Mapper.AppendMarshal", 0, func() { _, _ = m.AppendMarshal(scratch, in) })
	allocsAtMost(t, "Marshal", 1, func() { _, _ = c.Marshal(in) })

	// Memory of slices inside elements is used again by a Mapper only.
	tags := &out.Entities[3].Tags[0]
	if _ = m.Unmarshal(buf, out); tags != &out.Entities[3].Tags[0] {
		t.Error("a Mapper does not use the memory of inner slices again")
	}
	if _ = c.Unmarshal(buf, out); tags == &out.Entities[3].Tags[0] {
		t.Error("Unmarshal uses the memory of inner slices again")
	}
	// A key that is missing clears the element as a new one would be.
	one, err := c.Marshal(map[string]any{"entities": []any{map[string]any{"name": "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Unmarshal(one, out); err != nil || len(out.Entities) != 1 || !reflect.DeepEqual(out.Entities[0], planEntity{Name: "x"}) || out.Tick != in.Tick {
		t.Errorf("%+v, %v", out, err)
	}
	// Elements that were beyond the end may be copies of others.
	two := &planState{Entities: append(make([]planEntity, 0, 4), in.Entities[0], in.Entities[0])[:1]}
	if b, err := c.Marshal(makePlanState(2)); err != nil || m.Unmarshal(b, two) != nil || &two.Entities[0].Tags[0] == &two.Entities[1].Tags[0] {
		t.Error("two elements share memory", err)
	}
}

// Separate strings stay unchanged when the bytes change, and none
// shares memory with a slice that may be appended to.
func TestUnmarshalOwns(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	in := makePlanState(50)
	b, err := c.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []func([]byte, any) error{c.Unmarshal, c.NewMapper().Unmarshal} {
		out := new(planState)
		bytes := append([]byte(nil), b...)
		if err := f(bytes, out); err != nil {
			t.Fatal(err)
		}
		for i := range bytes {
			bytes[i] = 0xff
		}
		for i := range out.Entities {
			_ = append(out.Entities[i].Tags, "more")
			_ = append(out.Entities[i].Path, godot.Vector2{})
		}
		other := new(planState)
		if err := f(b, other); err != nil || !reflect.DeepEqual(in, out) || !reflect.DeepEqual(in, other) {
			t.Error("what was read has changed", err)
		}
	}
	allocsAtMost(t, "Unmarshal of 50 entities", 50+20, func() { _ = c.Unmarshal(b, new(planState)) })
}

// planCalls reads and writes with the Mapper that is at work with it.
type planCalls struct {
	m *codec.Mapper
	N int64
}

func (p *planCalls) UnmarshalOctable(v codec.Value) error {
	b, err := codec.MustLoad("godot-4.4").Encode(v)
	if err != nil {
		return err
	}
	return p.m.Unmarshal(b, &p.N)
}

func (p *planCalls) MarshalOctable() (codec.Value, error) {
	b, err := p.m.AppendMarshal(nil, &p.N)
	if err != nil {
		return codec.Value{}, err
	}
	v, _, err := codec.MustLoad("godot-4.4").Decode(b)
	return v, err
}

func TestMapperInsideItself(t *testing.T) {
	m := codec.MustLoad("godot-4.4").NewMapper()
	type both struct {
		A string    `octable:"a"`
		P planCalls `octable:"p"`
		B string    `octable:"b"`
	}
	in := both{"one", planCalls{m, 7}, "two"}
	b, err := m.AppendMarshal(nil, &in)
	if err != nil {
		t.Fatal(err)
	}
	out := both{P: planCalls{m: m}}
	if err := m.Unmarshal(b, &out); err != nil || out != in {
		t.Error(out, err)
	}
}
