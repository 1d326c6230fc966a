package corrupt

import (
	"bytes"
	"encoding/hex"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// compiled returns the codec of the text of a schema.
func compiled(t *testing.T, source string) *codec.Codec {
	t.Helper()
	c, err := compiler.New(source)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func engine(t *testing.T, id string) *Engine {
	t.Helper()
	c, err := codec.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return New(raw.Machine(c), interp.Options{KeepWidths: true})
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPackets: each kind of damage does what its name says, to the row it says.
func TestPackets(t *testing.T) {
	for _, test := range []struct{ schema, packet, kind, row, want string }{
		{"godot-4.4", "04000000 02000000 61620000", "one short", "String.length", "04000000 01000000 61620000"},
		{"godot-4.4", "04000000 02000000 61620000", "negative", "String.length", "04000000 ffffffff 61620000"},
		{"godot-4.4", "04000000 02000000 61620000", "NUL inside", "String.text", "04000000 03000000 61006200"},
		{"godot-4.4", "04000000 02000000 61620000", "overlong UTF-8", "String.text", "04000000 02000000 c0800000"},
		{"godot-4.4", "04000000 02000000 61620000", "no padding", "String.text", "04000000 02000000 6162"},
		{"godot-4.4", "04000000 02000000 61620000", "set padding", "String.text", "04000000 02000000 6162ffff"},
		{"godot-4.4", "04000000 02000000 61620000", "unknown flag", "Variant.header", "04010000 02000000 61620000"},
		{"godot-4.4", "04000000 02000000 61620000", "unknown id", "Variant.header", "27000000 02000000 61620000"},
		{"godot-4.4", "04000000 02000000 61620000", "last id", "Variant.header", "ff000000 02000000 61620000"},
		{"godot-4.4", "02000000 2a000000", "other flag", "int.wide", "02000100 2a000000"},
		{"godot-4.4", "02000100 2a000000 00000000", "other id", "Variant.header", "03000000 2a000000 00000000"},
		{"godot-4.4", "02000000 2a000000", "byte order", "int.value", "02000000 0000002a"},
		{"godot-4.4", "01000000 01000000", "other truth", "bool.value", "01000000 02000000"},
		{"godot-4.4", "1c000100 02000000 01000000 02000000 2a000000", "unknown id", "builtin.type", "1c000100 27000000 01000000 02000000 2a000000"},
		{"godot-4.4", "1c000000 01000000 00000000", "huge", "Array.element_count", "1c000000 ffffff7f 00000000"},
		{"godot-4.4", "1c000000 01000000 00000000", "unknown flag", "Array.word", "1c000000 01000080 00000000"},
		{"godot-4.4", "24000000 01000000 0000803f 0000803f 0000803f", "negative", "PackedVector3Array.length", "24000000 ffffffff 0000803f 0000803f 0000803f"},
		{"godot-4.4", "23000000 01000000 0000803f 0000803f", "wraps", "PackedVector2Array.length", "23000000 01000020 0000803f 0000803f"},
		{"godot-4.4", "22000000 01000000 03000000 61620000", "no NUL", "PackedStringArray.strings.text", "22000000 01000000 02000000 61620000"},
		{"godot-4.4", "00000000", "bytes after", "Variant.header", "00000000 00"},
	} {
		var got []string
		for c := range engine(t, test.schema).Same(unhex(t, test.packet), Kind(test.kind), test.row) {
			got = append(got, hex.EncodeToString(c.Packet))
		}
		want := hex.EncodeToString(unhex(t, test.want))
		if !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("%s, %s of %s: %s is not among\n%s", test.packet, test.kind, test.row, want, strings.Join(got, "\n"))
		}
	}
}

// TestOwnSchema damages the content of texts of a fixed size and of texts with an end. It also damages numbers
// of varying width.
func TestOwnSchema(t *testing.T) {
	c := compiled(t, `
encoding Text {
    utf8 strict
}

type Own {
    | 0 | 4 | Text[4]          | fixed  | "four bytes"
    | 4 | N | Text[until "00"] | ends   | "up to a zero byte"
    | P | 6 | Text[6]          | filled | "with zeros behind it" fill "00"
    | Q | V | leb128           | number | "of varying width"
    | R | 1 | Text[1]          | one    | "one byte"
}

schema "own" {
    root Own
}
`)
	e := New(raw.Machine(c), interp.Options{KeepWidths: true})
	packet := unhex(t, "61626364 61626300 616200000000 05 61")
	for _, test := range []struct{ kind, row, want string }{
		{"surrogate", "Own.fixed", "eda08064 61626300 616200000000 05 61"},
		{"overlong UTF-8", "Own.ends", "61626364 c0806300 616200000000 05 61"},
		{"no such byte", "Own.filled", "61626364 61626300 ff6200000000 05 61"},
		{"above 64 bits", "Own.number", "61626364 61626300 616200000000 ffffffffffffffffff7f 61"},
		{"longer form", "Own.number", "61626364 61626300 616200000000 8500 61"},
		{"overlong UTF-8", "Own.one", "61626364 61626300 616200000000 05 c0"},
		{"above U+10FFFF", "Own.one", "61626364 61626300 616200000000 05 f5"},
	} {
		var got []string
		for c := range e.Same(packet, Kind(test.kind), test.row) {
			got = append(got, hex.EncodeToString(c.Packet))
		}
		if want := hex.EncodeToString(unhex(t, test.want)); !slices.Contains(got, want) {
			t.Errorf("%s of %s: %s is not among\n%s", test.kind, test.row, want, strings.Join(got, "\n"))
		}
	}
}

// TestSpoilsCounts holds that arrays are spoilt by one number fewer and one more.
func TestSpoilsCounts(t *testing.T) {
	c := compiled(t, `
type Array {
    | 0 | 6 | u16[3] | three | "three numbers"
    | 6 | 1 | u8     | more  |
}

schema "array" {
    root Array
}
`)
	e := New(raw.Machine(c), interp.Options{})
	v, _, err := e.m.Decode(unhex(t, "0100 0200 0300 04"), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[int]bool{}
	for w := range e.Spoils(v, nil) {
		if w.Kind() == interp.Record && w.Len() == 2 && w.Cells()[0].Kind() == interp.Packed && w.Cells()[0].Scalar() == bytecode.U16 {
			sizes[w.Cells()[0].Len()] = true
		}
	}
	if !sizes[2] || !sizes[4] {
		t.Errorf("sizes %v", sizes)
	}
}

// TestDeep: nesting is as deep as its name says.
func TestDeep(t *testing.T) {
	for _, id := range codec.Schemas() {
		e := engine(t, id)
		wrap := e.wrapper()
		if wrap == nil {
			if strings.HasPrefix(id, "godot") || strings.HasPrefix(id, "pandemonium") {
				t.Errorf("%s: nothing holds values", id)
			}
			continue
		}
		leaf := unhex(t, "00000000")
		for d, want := range map[int]bool{0: true, 1: false} {
			b := append(bytes.Repeat(wrap, int(e.p.Depth)+d), leaf...)
			if _, _, err := e.m.Decode(b, interp.Options{}); (err == nil) != want {
				t.Errorf("%s: %d levels: %v", id, int(e.p.Depth)+d, err)
			}
		}
	}
}

// TestMutate: what comes out is written, read back, and differs; and every kind of
// mutation comes about.
func TestMutate(t *testing.T) {
	for _, id := range []string{"godot-4.4", "godot-3", "pandemonium-5", "godot-2"} {
		e := engine(t, id)
		r := rand.New(rand.NewPCG(1, 2))
		var corpus []interp.Value
		for range 20 {
			corpus = append(corpus, e.draw(r))
		}
		seen := map[Mutation]int{}
		for range 2000 {
			v, kind := e.Mutate(r, corpus[r.IntN(len(corpus))], corpus)
			b, err := e.m.Append(nil, v, e.opt)
			if err != nil {
				t.Fatalf("%s: %s: %v", id, kind, err)
			}
			w, used, err := e.m.Decode(b, e.opt)
			if err != nil || used != len(b) {
				t.Fatalf("%s: %s: %x: used %d, %v", id, kind, b, used, err)
			}
			seen[kind]++
			if len(b) < 200 {
				corpus[r.IntN(len(corpus))] = w
			}
		}
		for _, kind := range mutations {
			if seen[kind] == 0 && kind != Presence {
				t.Errorf("%s: no %s", id, kind)
			}
		}
		t.Log(id, seen)
	}
}

// TestTokens: there is one for each type, each flag and each limit, once.
func TestTokens(t *testing.T) {
	tokens := engine(t, "godot-4.4").Tokens()
	seen := map[string]string{}
	for _, k := range tokens {
		h := hex.EncodeToString(k.Bytes)
		if seen[h] != "" {
			t.Errorf("%s is there twice: %s and %s", h, seen[h], k.Name)
		}
		seen[h] = k.Name
	}
	for h, name := range map[string]string{
		"1c000000": "Variant.header, Array", "1c000200": "Variant.header, Array, Array.kind 2", "02000100": "Variant.header, int, int.wide 1",
		"ffffff7f": "String.length 2147483647", "c080": "overlong UTF-8", "000000000000f07f": "f64",
	} {
		if seen[h] != name {
			t.Errorf("%s is %q, not %q", h, seen[h], name)
		}
	}
	dict := string(Dictionary("about\nit", tokens))
	if !strings.HasPrefix(dict, "# about\n# it\nVariant_header__Nil=\"\\x00\\x00\\x00\\x00\"\n") || strings.Count(dict, "\n") != len(tokens)+2 {
		t.Errorf("the dictionary begins %.200s", dict)
	}
}

// TestSimpler checks that simplifying a packet again and again ends at one that has no simpler one. It finds the part
// that a bug needs in its surroundings.
func TestSimpler(t *testing.T) {
	e := engine(t, "godot-4.4")
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		v := e.draw(r)
		for steps := 0; ; steps++ {
			if steps > 10000 {
				t.Fatal("it does not end")
			}
			var some []interp.Value
			for w := range e.Simpler(v) {
				if len(some) < 8 {
					some = append(some, w)
				}
			}
			if len(some) == 0 {
				break
			}
			v = some[r.IntN(len(some))]
		}
	}
	v, _, err := e.m.Decode(unhex(t, "1c000000 02000000 1b000000 01000000 04000000 03000000 61626300 06000000 05000000 07000000 01000000 01000000"), e.opt)
	if err != nil {
		t.Fatal(err)
	}
	holds := func(b []byte) bool { return bytes.Contains(b, []byte{7, 0, 0, 0}) }
	for again := true; again; {
		again = false
		for w := range e.Simpler(v) {
			if b, err := e.m.Append(nil, w, e.opt); err == nil && holds(b) {
				v, again = w, true
				break
			}
		}
	}
	if b, _ := e.m.Append(nil, v, e.opt); hex.EncodeToString(b) != "060000000000000007000000" {
		t.Errorf("%x is what is left", b)
	}
}

// TestRegions: a malformed number enlarges the region that it is in, and the one around that. An early end reduces them, also with zeros before it.
func TestRegions(t *testing.T) {
	c := compiled(t, `
schema "regions" {
    order big
    root  Outer
}

type Outer {
    | 0 | 2    | u16   | size = size(inner) | "length in bytes"
    | 2 | size | Inner | inner              | "a region"
}

type Inner {
    | 0 | 1      | u8     | size = size(number) + 2 | "length in bytes, and 2"
    | 1 | size-2 | Number | number                  | "a region"
}

type Number {
    | 0 | N | leb128 | value | "a number"
    | N | 1 | u8     | next  | "another one"
}
`)
	m := raw.Machine(c)
	var got []string
	for c := range New(m, interp.Options{}).Packets(unhex(t, "0003 04 05 07")) {
		if c.Kind != BeyondWord {
			continue
		}
		if _, _, err := m.Decode(c.Packet, interp.Options{}); errors.Is(err, interp.ErrValue) {
			got = append(got, hex.EncodeToString(c.Packet))
		}
	}
	if want := "000c0dffffffffffffffffff7f07"; !slices.Contains(got, want) {
		t.Errorf("%s is not among %v", want, got)
	}
	ended := digits(New(m, interp.Options{}).Ended(unhex(t, "0003 04 05 07"), []int{4}))
	if want := []string{"00020305", "00020300"}; !slices.Equal(ended, want) {
		t.Errorf("ended: %v, want %v", ended, want)
	}
}

// digits returns packets in digits.
func digits(packets iter.Seq[[]byte]) (out []string) {
	for b := range packets {
		out = append(out, hex.EncodeToString(b))
	}
	return out
}

// TestCodedRegions: sizes of regions in digits and of varying width follow an early end. Fewer bytes of a size make the region around it smaller.
func TestCodedRegions(t *testing.T) {
	e := New(raw.Machine(compiled(t, `
schema "regions" {
    order big
    root  Outer
}

type Outer {
    | 0   | 4     | octal[4] | size = size(inner) | "length in bytes"
    | 4   | size  | Inner    | inner              | "a region"
}

type Inner {
    | 0   | N     | ber      | size = size(items)  | "length in bytes"
    | N   | size  | u8[until end] | items         | "bytes"
}
`)), interp.Options{})
	for _, test := range []struct {
		packet []byte
		before int
		want   []string
	}{
		{slices.Concat(unhex(t, "32303400 8182"), bytes.Repeat([]byte{7}, 130)), 7, []string{"303032000107", "303032000100"}},
		{unhex(t, "303032000107"), 5, []string{"3030310000", "3030310000"}},
	} {
		if got := digits(e.Ended(test.packet, []int{test.before})); !slices.Equal(got, test.want) {
			t.Errorf("%x before %d: got %v, want %v", test.packet, test.before, got, test.want)
		}
	}
}

// TestMoved: parts behind an early end are at the beginning of their record in another packet.
func TestMoved(t *testing.T) {
	e := New(raw.Machine(compiled(t, `
schema "places" {
    order big
    root  Root
}

type Root {
    | 0          | 1 | u8  | first                  | "a place, and 2"
    | 1          | 1 | u8  | second                 | "a place"
    | @first - 2 | 1 | u8  | one                    | "a part"
    | @second    | 1 | u8  | two                    | "another one"
    | 2          | 2 | u16 | last                   | "a number"
}
`)), interp.Options{})
	for before, want := range map[int][]string{
		1: {"06", "02"},
		3: {"06050a", "02000a"},
	} {
		if got := digits(e.Ended(unhex(t, "06 05 0a0b 0c 0d"), []int{before})); !slices.Equal(got, want) {
			t.Errorf("before %d: got %v, want %v", before, got, want)
		}
	}
}

// TestSummed: a checksum and a number that follows from others are made right, one after the other.
func TestSummed(t *testing.T) {
	for _, test := range []struct {
		name, rows, packet string
		want               []string // the packets with one number after the other made right
	}{
		{"of the rows before", `
    | 0 | 1 | u8  | number                       | "a number"
    | 1 | 2 | u16 | sum = crc32(number) & 0xffff | "the checksum"`, "07 0000", []string{"077a2e"}},
		{"of the rows after, and of that", `
    | 0 | 1 | u8       | all = sum8(first..number) | "the checksum"
    | 1 | 3 | octal[3] | first = sum8(number)      | "another one"
    | 4 | 1 | u8       | number                    | "a number"`, "00 303000 09", []string{"0031310009", "6b31310009"}},
		{"of a record, in the middle of it", `
    | 0 | 1 | u8    | number                    | "a number"
    | 1 | 2 | u16le | sum = sum16(Root with sum as 0) | "the checksum"
    | 3 | 1 | u8    | other                     | "another number"`, "01 0000 02", []string{"01020102"}},
		{"a number that follows from another one", `
    | 0 | 1 | u8    | number                    | "a number"
    | 1 | 1 | u8    | next = number + 1         | "one more"`, "07 00", []string{"0708"}},
		{"a number that is too large for its row", `
    | 0 | 1 | u8    | number                    | "a number"
    | 1 | 1 | u8    | next = number + 1         | "one more"`, "ff 00", nil},
		{"a number that is too large for its digits", `
    | 0 | 1 | u8       | number                 | "a number"
    | 1 | 2 | octal[2] | next = number + 1      | "one more"`, "07 3000", nil},
		{"a condition", `
    | 0 | 1 | u8    | number                    | "a number" check number > 7`, "07", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := New(raw.Machine(compiled(t, "schema \"sums\" {\n    order big\n    root Root\n}\n\ntype Root {"+test.rows+"\n}\n")), interp.Options{})
			var got []string
			for b, ok := e.Summed(unhex(t, test.packet)); ok; b, ok = e.Summed(b) {
				got = append(got, hex.EncodeToString(b))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestNumbers: the numbers with which conditions compare are in packets and in values.
func TestNumbers(t *testing.T) {
	c := compiled(t, `
schema "numbers" {
    order big
    root Root
}

type Root {
    | 0 | 1 | u8  | kind   | "a kind" check kind < 5
    | 1 | 2 | u16 | number | "a number" if kind == 0 || kind == 3
}
`)
	m := raw.Machine(c)
	b := unhex(t, "01")
	v, _, err := m.Decode(b, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pc := slices.IndexFunc(m.Program().Code, func(in bytecode.Instr) bool { return in.Op == bytecode.If })
	e := New(m, interp.Options{})
	var packets, values []string
	for b := range e.Numbers(b, pc) {
		packets = append(packets, hex.EncodeToString(b))
	}
	for w := range e.Renumbered(v, pc) {
		if b, err := m.Append(nil, w, interp.Options{}); err == nil {
			values = append(values, hex.EncodeToString(b))
		}
	}
	if want := []string{"00", "02", "03", "04", "05", "06", "ff"}; !slices.Equal(slices.Sorted(slices.Values(packets)), want) {
		t.Errorf("packets %v, want %v", packets, want)
	}
	if want := []string{"01", "02", "04"}; !slices.Equal(values, want) {
		t.Errorf("values %v, want %v", values, want)
	}
}

// TestIntegers: arrays have a last integer, and a sum, with which a condition compares, in packets and in values. No condition
// of another routine changes them.
func TestIntegers(t *testing.T) {
	c := compiled(t, `
schema "integers" {
    order big
    root Root
}

type Root {
    | 0 | 4 | u16[2] | numbers | "numbers" check sum(numbers) != 70000
    | 4 | 2 | Other  | other   | "another record"
}

type Other {
    | 0 | 1 | u8[1] | x | "a number" check count(x) < 2
    | 1 | 1 | u8    | y | "a number"
}
`)
	m := raw.Machine(c)
	b := unhex(t, "0001 0002 0304")
	v, _, err := m.Decode(b, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := New(m, interp.Options{})
	for pc := range m.Program().Code {
		in := &m.Program().Code[pc]
		if in.Op != bytecode.Check {
			continue
		}
		var values []string
		packets := digits(e.Numbers(b, pc))
		for w := range e.Integers(v, pc) {
			values = append(values, hex.EncodeToString(w.Cells()[0].Bytes()))
		}
		var wantPackets, wantValues []string
		if m.Program().Exprs[in.A].Any(func(x *bytecode.Expr) bool { return x.Op == bytecode.ExprTotal }) {
			wantPackets = []string{"ffff11700304", "ffff11710304", "ffff11720304"}
			wantValues = []string{"ffff7011", "ffff7111", "ffff7211"}
		}
		if !slices.Equal(packets, wantPackets) || !slices.Equal(values[:min(len(values), 3)], wantValues) {
			t.Errorf("instruction %d: packets %v and values %v, want %v and %v", pc, packets, values, wantPackets, wantValues)
		}
	}
}

// TestOrder: a number is damaged in the order of its bytes, which the row before it chooses.
func TestOrder(t *testing.T) {
	c := compiled(t, `
schema "order" {
    order little
    root  Root
}

type Root {
    | 0 | 1 | u8         | kind  | "the order of the bytes"
    order by kind { 0 little, 1 big }
    | 1 | 2 | u16        | n = count(items) | "number of bytes"
    | 3 | n | u8[n]      | items | "bytes"
    | P | N | Item       | item  | "a number"
}

union Item by number {
    | 0 | 2 | u16 | word | {
        0..7 number "the arm"
    }
}

arm Item 1 one {}

arm Item 2 two {}
`)
	for _, test := range []struct {
		kind         Kind
		packet, want string
	}{
		{OneMore, "00 0100 07 0100", "00020007" + "0100"},
		{OneMore, "01 0001 07 0001", "01000207" + "0001"},
		{OtherID, "00 0100 07 0100", "00010007" + "0200"},
		{OtherID, "01 0001 07 0001", "01000107" + "0002"},
	} {
		var got []string
		for c := range New(raw.Machine(c), interp.Options{}).Of(unhex(t, test.packet), test.kind) {
			got = append(got, hex.EncodeToString(c.Packet))
		}
		if !slices.Contains(got, test.want) {
			t.Errorf("%s: %s is not among %v", test.packet, test.want, got)
		}
	}
}

// TestLate checks that a list has two elements, and that the two keys of a map differ. The first element takes more
// bytes in some of the values.
func TestLate(t *testing.T) {
	e := engine(t, "godot-4.4")
	for _, packet := range []string{
		"1c000000 02000000 04000000 01000000 61000000 02000000 05000000",          // ["a", 5]
		"1b000000 01000000 04000000 03000000 61626300 02000000 05000000",          // {"abc": 5}
		"1b000000 01000000 05000000 0000803f 00000040 04000000 03000000 61626300", // {Vector2(1, 2): "abc"}
	} {
		b := unhex(t, packet)
		v, _, err := e.m.Decode(b, e.opt)
		if err != nil {
			t.Fatal(err)
		}
		longest, written := 0, 0
		for w := range e.Late(v, []int{60, 250}) {
			out, err := e.m.Append(nil, w, e.opt)
			if err != nil {
				continue
			}
			written++
			back, _, err := e.m.Decode(out, e.opt)
			if err != nil || back.Len() != 2 {
				t.Errorf("%s: %x has %d elements, %v", packet, out, back.Len(), err)
			}
			longest = max(longest, len(out))
			if last := out[len(out)-4:]; v.Kind() == interp.Map && !bytes.Equal(last, b[len(b)-4:]) {
				t.Errorf("%s: %x does not end with the pair", packet, out)
			}
		}
		if written == 0 || longest < len(b)+100 {
			t.Errorf("%s: %d values, the longest of %d bytes", packet, written, longest)
		}
	}
}

// TestCompared: among the sizes that a condition compares with are those for which the word has the number. An array
// has as many elements, or as many bytes.
func TestCompared(t *testing.T) {
	c := compiled(t, `
schema "compared" {
    order big
    root  Root
}

type Root {
    | 0          | 1          | u8             | length = size(numbers) + 4 | "length in bytes, and 4"
    | 1          | length - 4 | u16[until end] | numbers                    | "numbers"
    | length - 3 | 1          | u8             | more                       | "a number" if length == 104
}
`)
	e := New(raw.Machine(c), interp.Options{})
	var sizes []int
	for pc := range e.p.Code {
		if all := e.Compared(pc); len(all) > 0 && e.p.Code[pc].Op != bytecode.If {
			t.Errorf("%s compares with %v", e.p.Code[pc].Op, all)
		} else if len(all) > 0 {
			sizes = all
		}
	}
	for _, want := range []int{100, 104, 105} {
		if !slices.Contains(sizes, want) {
			t.Errorf("%d is not among %v", want, sizes)
		}
	}
	v, _, err := e.m.Decode(unhex(t, "06 0001"), e.opt)
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for w := range e.Resized(v, []int{3, 4}) {
		for _, n := range nodes(w) {
			if n.v.Kind() == interp.Packed {
				got = append(got, n.v.Len())
			}
		}
	}
	if want := []int{3, 4, 2}; !slices.Equal(got, want) {
		t.Errorf("%v are the sizes, want %v", got, want)
	}
}

// TestCoded: numbers of varying width and in digits are replaced by their neighbours and by 0.
func TestCoded(t *testing.T) {
	c := compiled(t, `
schema "coded" {
    order big
    root Root
}

type Root {
    | 0   | N | leb128   | first  | "a number" check first < 300
    | N   | 2 | octal[2] | second | "a number" fill "00"
}
`)
	var got []string
	for b := range New(raw.Machine(c), interp.Options{}).Coded(unhex(t, "7f 3700")) {
		got = append(got, hex.EncodeToString(b))
	}
	want := []string{
		"003700", "7e3700", "80013700", "800137003700", "ab023700", "ac023700", "ad023700",
		"7f3000", "7f3600",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestDeepParts checks that the parts of a value are at most maxPath levels inside of it. So a value of many
// levels is not copied for each of them.
func TestDeepParts(t *testing.T) {
	c := compiled(t, `
schema "chain" {
    root  Chain
    depth 2000
}

type Chain {
    | 0 | 1 | u8    | more = present(next) |
    | 1 | N | Chain | next                 | "" if more
    | P | 1 | u8    | last                 |
}
`)
	e := New(raw.Machine(c), interp.Options{})
	const levels = 1500
	v, _, err := e.m.Decode(append(bytes.Repeat([]byte{1}, levels-1), make([]byte, levels+1)...), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	deepest := 0
	for n := range e.parts(v, nil) {
		deepest = max(deepest, len(n.path))
	}
	if deepest != maxPath {
		t.Errorf("a part is %d levels inside of the value, not %d", deepest, maxPath)
	}
}
