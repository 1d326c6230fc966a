package interp_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

// words returns numbers as the wire has them.
func words(w ...uint32) []byte {
	var b []byte
	for _, x := range w {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// TestManyKeysThatDifferLittle reads and writes Dictionaries of keys that differ in one small thing. A hash that leaves it
// out takes them for one key, and the work then grows with the square of their number.
func TestManyKeysThatDifferLittle(t *testing.T) {
	text := func(b []byte, s string) []byte {
		b = append(b, words(4, uint32(len(s)))...)
		b = append(b, s...)
		return append(b, make([]byte, -len(s)&3)...)
	}
	nest := func(depth int, inner []byte) []byte {
		var b []byte
		for range depth {
			b = append(b, words(0x1c, 1)...)
		}
		return append(b, inner...)
	}
	for _, test := range []struct {
		name, schema string
		head         uint32
		key          func(i int) []byte
	}{
		{"plain texts", "godot-4.4", 0x1b, func(i int) []byte { return text(nil, fmt.Sprintf("%08d", i)) }},
		{"late in a packed array", "godot-4.4", 0x1b, func(i int) []byte {
			return append(words(0x20, 18), words(append(make([]uint32, 17), uint32(i))...)...)
		}},
		{"deep inside", "godot-4.4", 0x1b, func(i int) []byte { return nest(20, words(2, uint32(i))) }},
		{"where texts part", "godot-4.4", 0x1b, func(i int) []byte {
			const long = "the quick brown fox jumps over the lazy dog, and then it runs away from it"
			first, second := i%30, 30+i/30%30
			b := text(words(0x1c, 4), long[:first])
			b = text(b, long[first:second])
			b = text(b, long[second:60+i/900%10])
			return text(b, long[60+i/900%10:])
		}},
		{"not a number", "godot-4.4", 0x1b, func(int) []byte { return nest(1, words(3, 0x7fc00000)) }},
		{"not a number in dictionaries", "godot-4.4", 0x1b, func(int) []byte { return words(0x1b, 1, 2, 7, 3, 0x7fc00000) }},
		{"objects by id", "godot-4.4", 0x1b, func(int) []byte { return words(0x10018, 7, 0) }},
		{"objects", "godot-4.4", 0x1b, func(int) []byte { return words(0x18, 1, 'A', 0) }},
		{"objects inside", "godot-4.4", 0x1b, func(int) []byte { return nest(3, words(0x10018, 7, 0)) }},
		{"dictionaries", "godot-3", 18, func(int) []byte { return words(18, 0) }},
		{"signs of nothing", "godot-3", 18, func(i int) []byte {
			b := words(22, 16)
			for k := range 16 {
				b = append(b, words(uint32(i)>>k&1<<31)...)
			}
			return b
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, opt := shipped(t, test.schema), interp.Options{Open: 0xff}
			n := long.Number(2000, 20000)
			b := words(test.head, uint32(n))
			for i := range n {
				b = append(append(b, test.key(i)...), 0, 0, 0, 0)
			}
			r, w := m.NewReader(opt), m.NewWriter(opt)
			v, used, err := r.Read(b)
			if err != nil || used != len(b) {
				t.Fatalf("%d of %d bytes: %v", used, len(b), err)
			}
			if _, err := w.Append(nil, v); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Append(nil, interp.MakeMap(v.Tag(), append([]interp.Value(nil), v.Cells()...))); err != nil {
				t.Fatal(err)
			}
			if r.KeyWork() < uint64(n) {
				t.Errorf("%d keys: the reader made or compared %d", n, r.KeyWork())
			}
			for who, work := range map[string]uint64{"reader": r.KeyWork(), "writer": w.KeyWork()} {
				if work > 2*uint64(len(b)) { // of its square it would be thousands of times as much
					t.Errorf("%d keys in %d bytes: the %s made or compared %d", n, len(b), who, work)
				}
			}
		})
	}
}

// TestKeysOfWriter checks how the loop that writes compares the keys of a map. It leaves this to a function, and a map with
// equal keys to the instructions as well. A reader knows keys that differ.
func TestKeysOfWriter(t *testing.T) {
	m := shipped(t, "godot-4.4")
	for name, c := range map[string]struct {
		second     uint32 // key
		read, made int    // values that are left to functions
	}{"different keys": {8, 0, 1}, "equal keys": {7, 2, 2}} {
		v, _, err := m.Decode(words(0x1b, 2, 2, 7, 0, 2, c.second, 0), interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		read, made := m.NewWriter(interp.Options{}), m.NewWriter(interp.Options{})
		if !read.ByPlan(v) || !made.ByPlan(interp.MakeMap(v.Tag(), v.Cells())) {
			t.Errorf("%s: the loop does not write the map", name)
		}
		if read.Leaves() != c.read || made.Leaves() != c.made {
			t.Errorf("%s: %d and %d values are left to functions, want %d and %d", name, read.Leaves(), made.Leaves(), c.read, c.made)
		}
	}
}

// TestNestedKeys reads Dictionaries as keys of Dictionaries, each of which has enough keys for a table. Results for a
// key are not computed again at every level.
func TestNestedKeys(t *testing.T) {
	t.Run("distinct", func(t *testing.T) { nestedKeys(t, 5) })
	t.Run("repeated", func(t *testing.T) { nestedKeys(t, 4) })
}

func nestedKeys(t *testing.T, distinct uint32) {
	m := shipped(t, "godot-4.4")
	one := words(0)
	for range 1000 {
		b := words(0x1b, 6)
		for i := range uint32(5) {
			b = append(b, words(2, i%distinct, 0)...)
		}
		one = append(append(b, one...), 0, 0, 0, 0)
	}
	many := long.Number(10, 40)
	b := words(0x1c, uint32(many))
	for range many {
		b = append(b, one...)
	}
	r, w := m.NewReader(interp.Options{}), m.NewWriter(interp.Options{})
	v, used, err := r.Read(b)
	if err != nil || used != len(b) {
		t.Fatalf("%d of %d bytes: %v", used, len(b), err)
	}
	if _, err := w.Append(nil, v); err != nil {
		t.Fatal(err)
	}
	for who, work := range map[string]uint64{"reader": r.KeyWork(), "writer": w.KeyWork()} {
		if work > 15*uint64(len(b)) { // with every level done anew, a hundred times
			t.Errorf("%d bytes: the %s made or compared %d", len(b), who, work)
		}
	}
}

// TestRepeatsInKeys: a writer merges the repeated pairs of Dictionaries in keys before it compares the keys. So it writes the
// same bytes again for a value that is read from them.
func TestRepeatsInKeys(t *testing.T) {
	m := shipped(t, "godot-4.4")
	pair := func(key, value uint32) []byte { return words(2, key, 2, value) }
	dictionary := func(pairs ...[]byte) []byte {
		return append(words(0x1b, uint32(len(pairs))), bytes.Join(pairs, nil)...)
	}
	with := func(key []byte, value uint32) []byte { return append(bytes.Clone(key), words(2, value)...) }
	twice, once := dictionary(pair(0, 1), pair(0, 0)), dictionary(pair(0, 0))
	deep := func(key []byte) []byte { return dictionary(with(dictionary(with(key, 1)), 2)) }
	more := func(key []byte) []byte { // of enough pairs for a table
		out := [][]byte{with(key, 9)}
		for i := range uint32(60) {
			out = append(out, pair(i, i))
		}
		return dictionary(out...)
	}
	for _, c := range []struct {
		name     string
		in, want []byte
	}{
		{"in a key", dictionary(with(twice, 7), with(once, 8)), dictionary(with(once, 8))},
		{"in the other key", dictionary(with(once, 7), with(twice, 8)), dictionary(with(once, 8))},
		{"deep in a key", dictionary(with(deep(twice), 7), with(deep(once), 8)), dictionary(with(deep(once), 8))},
		{"in an Array in a key", dictionary(with(append(words(0x1c, 1), twice...), 7), with(append(words(0x1c, 1), once...), 8)),
			dictionary(with(append(words(0x1c, 1), once...), 8))},
		{"in a key that is in many", more(dictionary(with(twice, 1), with(once, 2))), more(dictionary(with(once, 2)))},
		{"in a value", dictionary(append(words(2, 7), twice...)), dictionary(append(words(2, 7), once...))},
		{"of other values", dictionary(with(twice, 7), with(dictionary(pair(0, 1)), 8)), dictionary(with(once, 7), with(dictionary(pair(0, 1)), 8))},
	} {
		v, _, err := m.Decode(c.in, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []interp.Value{v, interp.MakeMap(v.Tag(), append([]interp.Value(nil), v.Cells()...))} {
			if got, err := m.Encode(v, interp.Options{}); err != nil || !bytes.Equal(got, c.want) {
				t.Errorf("%s: % x, %v, want % x", c.name, got, err, c.want)
			}
		}
	}
	v, _, err := m.Decode(dictionary(with(twice, 7), with(once, 8)), interp.Options{})
	if err != nil || !m.SameKey(v.At(0), v.At(2)) || len(m.RepeatedKeys(v.Cells())) != 1 {
		t.Errorf("%v: the keys are not the same: %v", v, err)
	}
}

// TestRepeatedKeys: the fast loop finds keys that are there twice, as the instructions do.
func TestRepeatedKeys(t *testing.T) {
	m := shipped(t, "godot-4.4")
	plain := unfused(t, m)
	opt := interp.Options{}
	for _, keys := range []string{"aa", "aba", "abca", "abcb", "abcc", "abcd", "abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyza"} {
		b := words(0x1b, uint32(len(keys)))
		for i, k := range keys {
			b = append(b, words(4, 1, uint32(k), 2, uint32(i))...)
		}
		if err := agree(m.NewReader(opt), plain.NewReader(opt), m.NewWriter(opt), plain.NewWriter(opt), b); err != nil {
			t.Errorf("%s: %v", keys, err)
		}
	}
	for n := range 24 { // keys of texts with one byte that is not plain
		for at := range n {
			for _, odd := range []byte{0, 0x80} {
				text := bytes.Repeat([]byte("a"), (n+3)&^3)
				clear(text[n:])
				text[at] = odd
				b := append(append(words(0x1b, 1, 4, uint32(n)), text...), words(2, 7)...)
				if err := agree(m.NewReader(opt), plain.NewReader(opt), m.NewWriter(opt), plain.NewWriter(opt), b); err != nil {
					t.Errorf("%q: %v", text[:n], err)
				}
			}
		}
	}
}

// TestOddKeys: keys that no reader gives compare, and hash, without harm.
func TestOddKeys(t *testing.T) {
	m := machineOf(t, `schema "keys" {
    order big
    root T
    depth 20
    keys { empty both }
}
union T by kind { | 0 | 1 | u8 | kind | }
arm T 0 list {
    | 1 | 1 | u8 | n = count(list) |
    repeat n as list { | P | N | T | x | }
}
arm T 1 both {
    | 1 | 1 | u8 | n = len(s) |
    | 2 | n | utf8[n] | s |
    | P | 1 | u8 | x |
}
arm T 2 numbers {
    | 1 | 1 | u8 | k = count(x) |
    | 2 | k | u8[k] | x |
}`)
	tag := func(b string) uint16 {
		v, _, err := m.Decode([]byte(b), interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return v.Tag()
	}
	list, both, numbers := tag("\x00\x00"), tag("\x01\x00\x07"), tag("\x02\x00")
	deep := interp.MakeList(list, nil)
	for range 1<<14 + 10 {
		deep = interp.MakeList(list, []interp.Value{deep})
	}
	record := func(text string, x uint64) interp.Value {
		return interp.MakeRecord(both, []interp.Value{interp.MakeText(0, text), interp.MakeUint(0, x)})
	}
	for name, c := range map[string]struct {
		a, b interp.Value
		same bool
	}{
		"too deep":                   {deep, deep, false},
		"empty records":              {record("", 1), record("", 2), true},
		"records":                    {record("a", 1), record("a", 2), false},
		"a text alone":               {interp.MakeText(both, ""), record("", 2), false},
		"texts alone":                {interp.MakeText(both, ""), interp.MakeText(both, ""), true},
		"elements of different size": {interp.MakePacked(numbers, bytecode.U8, 1, []byte{1, 2}), interp.MakePacked(numbers, bytecode.U8, 2, []byte{1, 2, 3, 4}), false},
	} {
		if m.SameKey(c.a, c.b) != c.same {
			t.Errorf("%s: the same is %v", name, !c.same)
		}
		cells := []interp.Value{c.a, {}, interp.MakeUnit(0), {}, c.b, {}}
		if again := m.RepeatedKeys(cells); len(again) != 0 != c.same || c.same && again[4] != 0 {
			t.Errorf("%s: repeated %v", name, again)
		}
	}
}
