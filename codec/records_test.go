package codec_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

// TestRecords: reading one by one gives the elements, and the errors, of reading the whole input.
func TestRecords(t *testing.T) {
	read, refused := map[string]int{}, 0
	for _, name := range append(schemasOfTree(t), "testdata/records.oct", "bench/symtab/symtab.oct") {
		r := rand.New(rand.NewPCG(9, uint64(len(name))))
		eachValue(t, name, long.Number(15, 30), func(c *codec.Codec, _ codec.Value, b []byte) {
			if !codec.Named(c) {
				return
			}
			for i := range 3 {
				p := b
				if i > 0 {
					p = damagedCopy(r, b)
				}
				c, err := c.With(codec.Options{Objects: true, Alias: i == 1})
				if err != nil {
					t.Fatal(err)
				}
				whole, used, wantErr := c.Decode(p)
				var got []string
				err = nil
				for v, e := range c.Records(iotest.OneByteReader(bytes.NewReader(p))) {
					if err = e; err == nil {
						got = append(got, v.String())
					}
				}
				if err != nil && strings.Contains(err.Error(), "has no records") {
					return
				}
				e := (*codec.Error)(nil)
				switch {
				case errors.As(err, &e) && errors.Is(err, codec.ErrTrailing) && wantErr == nil && e.Offset == used:
				case (err == nil) != (wantErr == nil):
					t.Errorf("%s: % x: %v, want %v", name, p, err, wantErr)
				case err != nil:
					w := (*codec.Error)(nil)
					if errors.As(wantErr, &w) && strings.Contains(w.Expected, "element") {
						// the whole input is too short for the number of elements, of which one may be refused before
						w.Kind, w.Offset, w.Path = e.Kind, e.Offset, e.Path
					}
					if w == nil || w.Kind != e.Kind || w.Offset != e.Offset || w.Path != e.Path {
						t.Errorf("%s: % x: %v, want %v", name, p, err, wantErr)
					}
					refused++
					continue
				}
				var list codec.Value
				if list = whole; raw.Value(whole).Kind() != interp.List {
					for _, f := range whole.Fields() {
						list = f
					}
				}
				var want []string
				for _, x := range list.All() {
					want = append(want, x.String())
				}
				if len(got) != len(want) || strings.Join(got, "\n") != strings.Join(want, "\n") {
					t.Errorf("%s: % x: %q, want %q", name, p, got, want)
				}
				read[name] += len(got)
			}
		})
	}
	t.Log(read, refused, "refused")
	if len(read) < 5 || refused < long.Number(40, 100) {
		t.Errorf("records of %d schemas were read, and %d inputs refused", len(read), refused)
	}
}

// capture is a pcap file that is made during reading.
type capture struct {
	left int // packets
	rest []byte
	made int64
}

func (c *capture) Read(b []byte) (int, error) {
	if len(c.rest) == 0 {
		if c.left == 0 {
			return 0, io.EOF
		}
		c.left--
		c.rest = packet(c.left)
	}
	n := copy(b, c.rest)
	c.rest = c.rest[n:]
	c.made += int64(n)
	return n, nil
}

// packet returns a packet of 1000 bytes, as a pcap file has it.
func packet(i int) []byte {
	b := make([]byte, 16+1000)
	binary.LittleEndian.PutUint32(b, uint32(i))
	binary.LittleEndian.PutUint32(b[8:], 1000)
	binary.LittleEndian.PutUint32(b[12:], 1000)
	return b
}

// pcapHead is the header of a pcap file whose packets are of a link type for users.
func pcapHead() []byte {
	b := make([]byte, 24)
	binary.LittleEndian.PutUint32(b, 0xa1b2c3d4)
	binary.LittleEndian.PutUint16(b[4:], 2)
	binary.LittleEndian.PutUint16(b[6:], 4)
	binary.LittleEndian.PutUint32(b[16:], 65535)
	binary.LittleEndian.PutUint32(b[20:], 147)
	return b
}

// pcapCodec returns the codec of pcap files.
func pcapCodec(t testing.TB) *codec.Codec {
	source, err := os.ReadFile("../spec/formats/pcap.oct")
	if err != nil {
		t.Fatal(err)
	}
	c, err := compiler.New(string(source))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRecordsMemory reads a file of 100 MB in little memory.
func TestRecordsMemory(t *testing.T) {
	c := pcapCodec(t)
	for alias, packets := range map[bool]int{false: long.Number(5_000, 20_000), true: long.Number(20_000, 100_000)} {
		c, err := c.With(codec.Options{Alias: alias})
		if err != nil {
			t.Fatal(err)
		}
		file := &capture{left: packets, rest: pcapHead()}
		n := 0
		var first, most uint64 // bytes in use
		var m runtime.MemStats
		for v, err := range c.Records(file) {
			if err != nil {
				t.Fatal(err)
			}
			if n%(packets/long.Number(3, 10)) == 0 { // each takes long beside the heap of other tests
				runtime.GC()
				runtime.ReadMemStats(&m)
				if most = max(most, m.HeapAlloc); n == 0 {
					first, most = m.HeapAlloc, 0
				}
			}
			if sec, _ := v.Field("seconds").AsInt(); int(sec) != packets-1-n {
				t.Fatalf("packet %d: %v", n, v)
			}
			n++
		}
		if n != packets || file.made < int64(packets)*1000 {
			t.Errorf("%d packets, %d bytes", n, file.made)
		}
		if most > first+1<<20 {
			t.Errorf("alias %v: %d bytes are in use at the first packet, and up to %d later", alias, first, most)
		}
	}
}

// stuck is an io.Reader that returns nothing.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// TestRecordsErrors: errors have offset and index.
func TestRecordsErrors(t *testing.T) {
	pcap := pcapCodec(t)
	counted := plannedSchema(t, `schema "counted" { root T }
type T {
    | 0 | 1 | i8 | n = count(list) | "number of elements"
    repeat n as list {
        | P | 2 | u16 | x | "a number"
        | Q | 1 | u8  | y | "a number"
    }
}
`, codec.Options{})
	file := append(append(pcapHead(), packet(1)...), packet(2)...)
	broken := iotest.ErrReader(errors.New("broken"))
	two := "\x02\x01\x02\x03\x04\x05\x06"
	for _, test := range []struct {
		name, want string
		r          io.Reader
		n          int
		opt        codec.Options
	}{
		{"counted", "<nil>", strings.NewReader(two), 2, codec.Options{}},
		{"counted left", "byte 7: bytes are left over", iotest.OneByteReader(strings.NewReader(two + "\x07")), 2, codec.Options{}},
		{"counted trailing", "<nil>", strings.NewReader(two + "\x07"), 2, codec.Options{AllowTrailing: true}},
		{"counted reader", "codec: reading record 1 at byte 4: broken", io.MultiReader(strings.NewReader(two), broken), 1, codec.Options{}},
		{"counted negative", "byte 1: the input ends too early: expected -1 elements", strings.NewReader("\xff" + two), 0, codec.Options{}},
		{"counted memory", "byte 1: limit exceeded", strings.NewReader(two), 0, codec.Options{MaxMemory: 10}},
		{"counted stuck", "codec: reading record 0 at byte 0: " + io.ErrNoProgress.Error(), stuck{}, 0, codec.Options{}},
		{"reader at an element", "codec: reading record 1 at byte 1040: broken", io.MultiReader(bytes.NewReader(file), broken), 1, codec.Options{}},
		{"reader with the last bytes", "codec: reading record 2 at byte 2056: broken", iotest.DataErrReader(io.MultiReader(strings.NewReader(string(file)+"\x00"), broken)), 2, codec.Options{}},
		{"cut", "byte 1056, at .packets[1]: ", bytes.NewReader(file[:len(file)-1]), 1, codec.Options{}},
		{"reader", "codec: reading record 1 at byte 1040: timeout", iotest.TimeoutReader(io.MultiReader(bytes.NewReader(file[:1500]), bytes.NewReader(file[1500:]))), 1, codec.Options{}},
		{"limit", "byte 24, at .packets[0]: limit exceeded: expected an element of at most 100 bytes", bytes.NewReader(file), 0, codec.Options{MaxFrame: 100}},
		{"limit of an element", "<nil>", bytes.NewReader(file), 2, codec.Options{MaxFrame: 1016}},
		{"strict", "Options.Strict needs the whole input", bytes.NewReader(file), 0, codec.Options{Strict: true}},
	} {
		c := pcap
		if strings.HasPrefix(test.name, "counted") {
			c = counted
		}
		c, err := c.With(test.opt)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, e := range c.Records(test.r) {
			if err = e; err == nil {
				n++
			}
		}
		if !strings.Contains(fmt.Sprint(err), test.want) || n != test.n {
			t.Errorf("%s: %d records, %v; want %d, %s", test.name, n, err, test.n, test.want)
		}
	}
	for _, e := range codec.MustLoad("godot-4").Records(bytes.NewReader(file)) {
		if e == nil || !strings.Contains(e.Error(), "schema godot-4.4 has no records to iterate") {
			t.Error(e)
		}
	}
}

// TestThroughEmpty: a list that ends with an element has one, so structs without elements are refused as Values are.
func TestThroughEmpty(t *testing.T) {
	c, err := compiler.New("schema \"through\" { root T }\ntype T {\n    | 0 | 1 | u8 | n |\n    | 1 | N | Item[until last == 1] | items |\n}\n" +
		"type Item {\n    | 0 | 1 | u8 | last |\n    | 1 | 2 | u16 | x |\n}")
	if err != nil {
		t.Fatal(err)
	}
	type item struct {
		Last uint8  `octable:"last"`
		X    uint16 `octable:"x"`
	}
	type list struct {
		N     uint8  `octable:"n"`
		Items []item `octable:"items"`
	}
	if !codec.HasPlan(c, reflect.TypeFor[list]()) {
		t.Fatal("no plan")
	}
	for _, items := range [][]item{nil, {}, {{Last: 1, X: 2}}, {{X: 3}, {Last: 1}}, {{X: 3}}} {
		x := list{5, items}
		b, err := c.Marshal(x)
		want, wrong := codec.AppendValue(c, nil, x)
		if fmt.Sprint(err) != fmt.Sprint(wrong) || err == nil && !bytes.Equal(b, want) {
			t.Errorf("%v: % x, %v; by way of a value % x, %v", items, b, err, want, wrong)
		}
		if (err == nil) != (len(items) > 0 && items[len(items)-1].Last == 1) {
			t.Errorf("%v: %v", items, err)
		}
	}
	type pointed struct {
		N     uint8   `octable:"n"`
		Items *[]item `octable:"items"`
	}
	type pointers struct {
		N     uint8   `octable:"n"`
		Items []*item `octable:"items"`
	}
	type none struct {
		N     uint8   `octable:"n"`
		Items [0]item `octable:"items"`
	}
	for _, x := range []any{pointed{1, &[]item{}}, pointers{1, nil}, none{N: 1}} {
		_, err := c.Marshal(x)
		if _, want := codec.AppendValue(c, nil, x); err == nil || err.Error() != fmt.Sprint(want) {
			t.Errorf("%T: %v; by way of a value %v", x, err, want)
		}
	}
}

// TestPointerAfterList: a pointer behind a list that a pointer refers to is not nested, so its value is read into.
func TestPointerAfterList(t *testing.T) {
	c, err := compiler.New(`schema "after" {
	root File
}
type File {
	| 0     | 1 | u8      | n = count(items) |
	| 1     | N | Item[n] | items            |
	| 1 + N | 1 | u8      | last             |
}
type Item {
	| 0     | 1 | u8    | n = count(data) |
	| 1     | n | u8[n] | data            |
}
`)
	if err != nil {
		t.Fatal(err)
	}
	type item struct {
		Data []byte `octable:"data"`
	}
	last := uint8(0)
	x := struct {
		Items *[]item `octable:"items"`
		Last  *uint8  `octable:"last"`
	}{&[]item{{}}, &last}
	if !codec.HasPlan(c, reflect.TypeOf(x)) {
		t.Fatal("no plan")
	}
	m := c.NewMapper()
	for n := range uint8(3) {
		if err := m.Unmarshal([]byte{1, 1, 7, n}, &x); err != nil || x.Last != &last || last != n || fmt.Sprint(*x.Items) != "[{[7]}]" {
			t.Errorf("%v: %v, %d in place of %d", err, x.Items, last, n)
		}
	}
}
