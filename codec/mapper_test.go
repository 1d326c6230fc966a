package codec_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
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

// TestMapperMemory reads values one after the other into the same Go value, whose memory is used again, and into two in
// turn, of which the other one keeps what it has.
func TestMapperMemory(t *testing.T) {
	for name, root := range map[string]string{
		"all":      "| 0 | 1 | u8 | kind |\n| 1 | 1 | u8 | n = count(animals) |\n| 2 | F | Animal | first |\n| 2+F | A | Animal[n] | animals |\n",
		"optional": "| 0 | 1 | u8 | kind |\nif kind == 1 {\n| 1 | F | Animal | first |\n} else {\n| 1 | 1 | u8 | n = count(animals) |\n| 2 | A | Animal[n] | animals |\n}\n",
	} {
		c, err := compiler.New("schema \"zoo\" {\n\troot Zoo\n}\n" + zooTypes + "\ntype Zoo {\n" + root + "}\n")
		if err != nil {
			t.Fatal(err)
		}
		c, err = c.With(codec.Options{Alias: true, Interfaces: []codec.Interface{codec.InterfaceOf("", map[string]Animal{"bird": bird{}, "fish": fish(0)})}})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		packets, want := make([][]byte, 40), make([]zoo, 40)
		for i := range packets {
			x := drawnZoo(r, name == "optional")
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

// TestPointersOfElements: elements of a slice that is used again are cleared, so that what their pointers point to is not set. A
// Mapper that reads into the same Go value again uses that memory.
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

// TestMapperPointers reads packets into one value, in which a record is alone and in a list: pointers that were nil get
// memory that no element of the next call has.
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
