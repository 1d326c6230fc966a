package codec_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

// bitsList is a list of records of one word. An argument of the format is " signed" or empty.
const bitsList = `schema "bits" {
    order little
    root T
}
type T {
    | 0 | 4 | u32 | n = count(list) |
    repeat n as list {
        | P | 4 | u32 | w | {
            0..11 x%[1]s
            12..21 y%[1]s
            22..31 z%[1]s
        }
    }
}`

type bitsOf[N any] struct {
	List []struct {
		X N `octable:"x"`
		Y N `octable:"y"`
		Z N `octable:"z"`
	} `octable:"list"`
}

// BenchmarkBits reads and writes 1,000 records of three fields of bits, signed and unsigned.
func BenchmarkBits(b *testing.B) {
	packet := "\xe8\x03\x00\x00" + strings.Repeat("\x01\x08\x70\x80", 1000)
	for _, c := range []struct {
		name, sign string
		value      any
	}{
		{"unsigned16", "", &bitsOf[uint16]{}}, {"signed16", " signed", &bitsOf[int16]{}},
		{"unsigned32", "", &bitsOf[uint32]{}}, {"signed32", " signed", &bitsOf[int32]{}},
		{"unsigned64", "", &bitsOf[uint64]{}}, {"signed64", " signed", &bitsOf[int64]{}},
	} {
		cc, err := compiler.New(fmt.Sprintf(bitsList, c.sign))
		if err != nil {
			b.Fatal(err)
		}
		m, x := cc.NewMapper(), reflect.New(reflect.TypeOf(c.value).Elem()).Interface()
		b.Run("decode/"+c.name, func(b *testing.B) {
			for b.Loop() {
				if err := m.Unmarshal([]byte(packet), x); err != nil {
					b.Fatal(err)
				}
			}
		})
		var out []byte
		b.Run("encode/"+c.name, func(b *testing.B) {
			for b.Loop() {
				if out, err = m.AppendMarshal(out[:0], x); err != nil {
					b.Fatal(err)
				}
			}
		})
		if string(out) != packet && len(out) > 0 {
			b.Errorf("%s: written % x", c.name, out[:16])
		}
		b.Run("value/"+c.name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err = cc.Decode([]byte(packet)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// signedBits is a schema of records with one signed field of bits between two unsigned ones.
type signedBits struct {
	word   int  // bytes
	big    bool // the highest byte is first
	lo, n  int
	behind string // rows of a record behind the word
	number reflect.Type
	codec  *codec.Codec
}

// compile makes the codec unless it exists. It returns the Go type of the value, whose only field is the list.
func (c *signedBits) compile(t *testing.T) reflect.Type {
	t.Helper()
	order := map[bool]string{true: "big", false: "little"}[c.big]
	text := fmt.Sprintf("schema \"bits\" {\n    order %s\n    root T\n}\ntype T {\n    | 0 | 1 | u8 | n = count(list) |\n    repeat n as list {\n        | P | %d | u%d | w | {\n", order, c.word, 8*c.word)
	var fields []reflect.StructField
	add := func(name string, lo, n int, sign string, typ reflect.Type) {
		if n > 0 {
			text += fmt.Sprintf("            %d..%d %s%s\n", lo, lo+n-1, name, sign)
			fields = append(fields, reflect.StructField{Name: strings.ToUpper(name), Type: typ, Tag: reflect.StructTag(`octable:"` + name + `"`)})
		}
	}
	least := func(n int) reflect.Type {
		for _, x := range []any{false, uint8(0), uint16(0), uint32(0)} {
			if n <= map[bool]int{true: 1, false: 8 * int(reflect.TypeOf(x).Size())}[x == false] {
				return reflect.TypeOf(x)
			}
		}
		return reflect.TypeFor[uint64]()
	}
	rest := 8*c.word - c.lo - c.n
	add("a", 0, c.lo, "", least(c.lo))
	add("x", c.lo, c.n, " signed", c.number)
	add("b", c.lo+c.n, rest, "", least(rest))
	if c.behind != "" {
		fields = append(fields, reflect.StructField{Name: "Text", Type: reflect.TypeFor[string](), Tag: `octable:"text"`})
		fields = append(fields, reflect.StructField{Name: "Last", Type: reflect.TypeFor[uint8](), Tag: `octable:"last"`})
	}
	if c.codec == nil {
		var err error
		if c.codec, err = compiler.New(text + "        }\n" + c.behind + "    }\n}"); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
	}
	return reflect.StructOf([]reflect.StructField{{Name: "List", Type: reflect.SliceOf(reflect.StructOf(fields)), Tag: `octable:"list"`}})
}

func (c *signedBits) String() string {
	return fmt.Sprintf("bits %d to %d of u%d in %v, big-endian %t, behind %q", c.lo, c.lo+c.n-1, 8*c.word, c.number, c.big, c.behind)
}

// packet returns a list of records with the numbers, between bits that are 0 and 1 in turn.
func (c *signedBits) packet(numbers []int64) []byte {
	out := []byte{byte(len(numbers))}
	for i, x := range numbers {
		word := uint64(x) & (1<<c.n - 1) << c.lo
		if i%2 == 1 {
			word |= ^((1<<c.n - 1) << c.lo)
		}
		b := binary.LittleEndian.AppendUint64(nil, word)[:c.word]
		if c.big {
			slices.Reverse(b)
		}
		if out = append(out, b...); c.behind != "" {
			out = append(out, 1, 'x', 7)
		}
	}
	return out
}

// elem returns the type of the number, which may be behind a pointer.
func (c *signedBits) elem() reflect.Type {
	if c.number.Kind() == reflect.Pointer {
		return c.number.Elem()
	}
	return c.number
}

// set sets a number, which may be behind a pointer. It reports false if the Go type does not hold it.
func (c *signedBits) set(list reflect.Value, i int, x int64) bool {
	v := list.Index(i).FieldByName("X")
	if number := reflect.Zero(c.elem()); number.CanUint() && number.OverflowUint(uint64(x)) || number.CanInt() && number.OverflowInt(x) {
		return false
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	v.Set(reflect.ValueOf(x).Convert(v.Type()))
	return true
}

// TestSignedBits reads and writes the limits of signed fields of bits in lists, by plans. It also tries numbers beyond
// the limits, which Values refuse.
func TestSignedBits(t *testing.T) {
	types := []reflect.Type{
		reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[*int16](), reflect.TypeFor[*int64](),
		reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint64](),
	}
	for _, word := range []int{1, 2, 4, 8} {
		for i, at := range [][2]int{{0, 2}, {0, 5}, {1, 7}, {3, 3}, {0, 8}, {0, 12}, {2, 11}, {4, 12}, {8, 8}, {12, 10}, {0, 31}, {0, 32}, {20, 12}, {32, 32}, {1, 60}, {0, 62}, {0, 63}, {1, 63}, {0, 64}} {
			for _, behind := range []string{"", "        | P+W | 1 | u8 | k = len(text) |\n        | P+W+1 | k | utf8[k] | text |\n        | Q | 1 | u8 | last |\n"} {
				if at[0]+at[1] > 8*word {
					continue
				}
				c := signedBits{word: word, big: i%2 == 0, lo: at[0], n: at[1], behind: strings.ReplaceAll(behind, "W", fmt.Sprint(word))}
				for _, c.number = range types {
					c.check(t)
				}
			}
		}
	}
}

// check reads and writes lists.
func (c *signedBits) check(t *testing.T) {
	t.Helper()
	typ, cc := c.compile(t), c.codec
	least, most := int64(math.MinInt64)>>(64-c.n), int64(math.MaxInt64)>>(64-c.n)
	numbers := []int64{0, most, -1, least, 1, least + 1, most - 1, most}
	packet := c.packet(numbers)
	signed := c.elem().Kind() <= reflect.Int64
	holds := signed && c.n <= c.elem().Bits()

	x, y := reflect.New(typ), reflect.New(typ)
	err, err2 := cc.Unmarshal(packet, x.Interface()), codec.UnmarshalValue(cc, packet, y.Interface())
	if !sameError(err, err2) || holds != (err == nil) || holds && !sameGo(x.Elem(), y.Elem()) {
		t.Errorf("%v: % x: %+v, %v; by Values %+v, %v", c, packet, x.Elem(), err, y.Elem(), err2)
		return
	}
	if got := codec.ReadsByPlan(cc, packet, reflect.New(typ).Interface()); got != holds {
		t.Errorf("%v: % x is read by the plan: %t", c, packet, got)
	}
	small := c.packet([]int64{0, 1, 0, 1, 0, 1, 0, 1})
	if err := cc.Unmarshal(small, x.Interface()); err != nil {
		t.Errorf("%v: % x: %v", c, small, err)
		return
	}
	list := x.Elem().Field(0)
	for i, n := range numbers {
		if holds && !c.set(list, i, n) {
			t.Errorf("%v: %d is beyond the Go type", c, n)
		}
	}
	out, err := cc.Marshal(x.Interface())
	if want := map[bool][]byte{true: packet, false: small}[holds]; err != nil || !bytes.Equal(out, want) {
		t.Errorf("%v: % x is written % x, %v", c, want, out, err)
	}
	if signed && !codec.WritesByPlan(cc, x.Interface()) {
		t.Errorf("%v: % x is not written by the plan", c, packet)
	}
	for i, n := range []int64{least, most, least - 1, most + 1, 2*most + 1, -2*most - 2, math.MinInt64, math.MaxInt64, -1} {
		i %= len(numbers)
		before := reflect.New(list.Type()).Elem()
		before.Set(reflect.AppendSlice(before, list))
		if !c.set(list, i, n) {
			continue
		}
		got, err := cc.Marshal(x.Interface())
		want, err2 := codec.AppendValue(cc, nil, x.Interface())
		if fits := n >= least && n <= most && (signed || n >= 0); !sameError(err, err2) || fits != (err == nil) || fits && !bytes.Equal(got, want) {
			t.Errorf("%v: element %d, %d is written % x, %v; by Values % x, %v", c, i, n, got, err, want, err2)
		}
		reflect.Copy(list, before)
	}
}

// TestSignedNeighbors writes the limits of three signed fields that are neighbors in Go memory. It also tries numbers beyond
// them.
func TestSignedNeighbors(t *testing.T) {
	for _, order := range []string{"big", "little"} {
		cc, err := compiler.New("schema \"bits\" {\n    order " + order + "\n    root T\n}\n" + signedShape)
		if err != nil {
			t.Fatal(err)
		}
		for field, n := range []int{12, 10, 10} {
			most := int16(1)<<(n-1) - 1
			for _, x := range []int16{0, -1, most, -most - 1, most + 1, -most - 2, math.MaxInt16, math.MinInt16} {
				for at := range 3 {
					value := shapeSigned{List: make([]shapeSignedItem, 3)}
					item := &value.List[at]
					*[]*int16{&item.X, &item.Y, &item.Z}[field] = x
					item.E = 0xffff
					got, err := cc.Marshal(&value)
					want, err2 := codec.AppendValue(cc, nil, &value)
					if fits := x >= -most-1 && x <= most; !sameError(err, err2) || fits != (err == nil) || !bytes.Equal(got, want) {
						t.Errorf("%s: %+v is written % x, %v; by Values % x, %v", order, value, got, err, want, err2)
					}
					if err != nil {
						continue
					}
					var back shapeSigned
					if err := cc.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, value) || !codec.WritesByPlan(cc, &value) || !codec.ReadsByPlan(cc, got, &back) {
						t.Errorf("%s: % x is read %+v, %v", order, got, back, err)
					}
				}
			}
		}
	}
}
