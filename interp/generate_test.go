// Generated values of small schemas: choices lead to each value that a reader accepts, and few records are begun again.

package interp_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

// conditioned are types of small schemas. The root is T.
var conditioned = map[string]struct {
	text        string
	least, most int // bytes of packets of which one at least is drawn
	redrawn     int // most records that are begun again in 500 draws
	failed      int // most draws that find no value
}{
	"presence": {`type T {
    | 0 | 1 | u8 | flags | "flags" {
        0 first = present(a) "a is there"
        1 second = present(b) "b is there"
    }
    if first {
        | P | 1 | u8 | a | "a"
    } else {
        | P | 1 | u8 | b | "b"
    }
    | P+1 | 1 | u8 | c | "c" if present(a) && a < 100 && !present(b)
}`, 2, 3, 0, 0},
	"count": {`type T {
    | 0 | 1 | u8 | n | "elements, and one" check n > 0 check n < 4
    repeat n - 1 as list {
        | P | 1 | u8 | x | "x"
    }
}`, 1, 3, 1500, 0},
	"size": {`type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    | 1 | N | u8[n] | list | "numbers"
    | P | 1 | u8 | end | "end" check size(list) == 2
}`, 4, 4, 5000, 20},
	"integers before their array": {`type T {
    | 0 | 1 | u8 | total = sum(list) | "the sum"
    | 1 | 1 | u8 | n = count(list) | "elements"
    | 2 | N | u8[n] | list | "numbers" check last(list) < 4
    | P | B | u8[total] | body | "as many bytes" check total != 5
}`, 2, 20, 5000, 20},
	"integers of a stored count": {`type T {
    | 0 | 1 | u8 | n | "elements"
    | 1 | 1 | u8 | total = sum(list) | "the sum"
    | 2 | N | u8[n] | list | "numbers"
}`, 2, 5, 5000, 20},
	"integers of an array": {`type T {
    | 0 | 1 | u8 | n = count(list) | "elements"
    | 1 | N | i16[n] | list | "numbers"
    | P | B | u8[last(list)] | body | "as many bytes"
}`, 1, 20, 5000, 20},
	"an area of numbers": {`type T {
    | 0 | 9 | Inner | inner | "as many bytes as the length says"
}
type Inner {
    | 0   | 1 | u8             | n = len(text) | "length"
    | 1   | n | utf8[n]        | text          | "text"
    | 1+n | R | u16[until end] | rest          | "numbers"
}`, 9, 9, 5000, 20},
	"an area of texts": {`type T {
    | 0 | 4 | Inner | inner | "as many bytes as the length says"
}
type Inner {
    | 0   | 1 | u8              | n = len(text) | "length"
    | 1   | n | utf8[n]         | text          | "text"
    | 1+n | 1 | u8              | x             | "a number"
    | 2+n | R | utf8[until end] | rest          | "text"
}`, 4, 4, 5000, 20},
	"an area that is counted before it": {`type T {
    | 0  | 1 | u8             | n = count(a)  | "elements"
    | 1  | 1 | u8             | total = sum(b) & 0xff | "the sum"
    | 2  | 6 | u16[until end] | a             | "numbers"
    | 8  | 2 | u8[until end]  | b             | "numbers"
    | 10 | 5 | utf8[until end] | c            | "text"
    | 15 | 1 | u8             | m = len(c)    | "its length"
}`, 16, 16, 5000, 20},
	"parts": {`type T {
    | 0 | 1 | u8 | at | "place"
    | 1 | 1 | u8 | then | "place"
    | @at | 8 | u64 | x | "number"
    | @then | 8 | u64 | y | "number"
}`, 32, 200, 100, 0},
	"places behind those of a list that is drawn before": {`type T {
    | 0 | 1 | u8 | all = size(body) | "bytes"
    | 1 | all | Body | body | "a record"
    | P | N | u8[size(body)] | copy | "as many bytes"
}
type Body {
    | 0 | 1 | u8 | first = place(x, 8) | "place"
    | 1 | 1 | u8 | k = size(list) | "bytes"
    | 2 | 1 | u8 | n = count(list) | "elements"
    | @first | 3 | u8[3] | x | "numbers"
    | 3 | k | Element[n] | list | "elements"
}
type Element {
    | 0 | 1 | u8 | at = place(y) | "place"
    | @at from Body | 1 | u8 | y | "number"
}`, 23, 200, 100, 0},
	"a count twice": {`type T {
    | 0 | 1 | u8 | n = count(list) | "elements"
    | 1 | 1 | u8 | x | "a number" if n > 1
    | P | 1 | u8 | m = count(list) | "elements"
    | P+1 | n | u8[n] | list | "elements"
}`, 2, 100, 60, 0},
	"a length of two numbers": {`type T {
    | 0 | 1 | u8 | k | "a number"
    | 1 | 4 | u32 | m | "a number"
    | 5 | N | utf8[k - m] | text | "text"
}`, 5, 200, 1000, 0},
	"length": {`type T {
    | 0 | 1 | u8 | n = len(text) | "bytes"
    | 1 | N | utf8[n] | text | "text"
}`, 1, 80, 0, 0},
	"arms": {`type T {
    | 0 | 1 | u8 | first = arm(value) | "arm"
    | 1 | 1 | u8 | second = arm(other) | "arm" check second != first
    | 2 | N | Body(first) | value | "value"
    | P | M | Body(second) | other | "value"
}
union Body(kind) by kind {}
arm Body 0 none {}
arm Body 1 one { | 0 | 1 | u8 | x | }
arm Body 2 two { | 0 | 2 | u16 | x | }`, 3, 5, 3000, 0},
	"digits": {`type T {
    | 0 | 2 | decimal[2] | n | "digits"
    | 2 | 1 | u8 | low | {
        0..3 a
        4..7 b check b != a
    }
}`, 3, 3, 500, 0},
	"lanes": {`type T {
    | 0 | 2 | Two | v | "tuple"
    | 2 | 1 | u8 | bits | "truth" {
        0 flag
    }
    | 3 | 1 | u8 | n | "number" check n == 5 check flag
}
type Two { | 0 | 1 | u8 | x | | 1 | 1 | u8 | y | }`, 4, 4, 20000, 0},
	"a truth before": {`type T {
    | 0 | 1 | u8 | copy = flag | "the truth"
    | 1 | 1 | bool8 | flag | "a truth"
}`, 2, 2, 0, 0},
	"a length of text before": {`type T {
    | 0 | 1 | u8 | n = len(text) | "bytes"
    | 1 | N | utf8[until "00"] | text | "text"
}`, 2, 20, 0, 0},
	"a count before": {`type T {
    | 0 | 1 | u8 | n = count(list) | "elements"
    | 1 | N | Item[until x == 0] | list | "elements"
}
type Item { | 0 | 1 | u8 | x | }`, 2, 5, 2000, 0},
	"a size before": {`type T {
    | 0 | 1 | u8 | n = size(item) | "bytes"
    | 1 | n | Item | item | "a record"
}
type Item { | 0 | 1 | u8 | m = len(text) | | 1 | m | utf8[m] | text | }`, 2, 20, 0, 0},
	"elements of one size": {`type T {
    | 0 | 8 | u64 | size | "bytes of an element"
    | 8 | 1 | u8 | n | "elements" check n == 0 || size == 123456789
    repeat n as list {
        | P | 4 | u32 | x | "a number"
        | P+4 | 1 | bool8 | y | "a truth"
    }
}`, 9, 19, 3300, 0},
	"a place that counts": {`type T {
    | 0 | 1 | u8 | at | "a place"
    | 1 | 1 | u8 | end | "the place behind"
    | @at | N | u8[max(end - at, 0)] | x | "numbers"
    | @end | 4 | u32 | y | "a number"
}`, 26, 60, 0, 0},
	"a number before": {`type T {
    | 0 | 1 | u8 | n = x | "the number"
    | 1 | 1 | u8 | x | "a number"
    | 2 | 2 | decimal[2] | y | "digits"
    | 4 | 1 | u8 | m = y | "the number"
}`, 5, 5, 0, 0},
	"an arm by a number": {`type T {
    | 0 | 1 | u8 | kind | "a number"
    | 1 | N | Body(kind) | value | "value" check kind != 2
}
union Body(kind) by kind {}
arm Body 0 none {}
arm Body 1 one { | 0 | 1 | u8 | x | }
arm Body else other { refuse "no such number" }`, 1, 2, 20000, 0},
	"an arm by two numbers": {`type T {
    | 0 | 1 | u8 | a | "a number"
    | 1 | 1 | u8 | b | "a number"
    | 2 | N | Body(a + b) | value | "value"
}
union Body(kind) by kind {}
arm Body 0..40 none {}
arm Body else other { refuse "no such number" }`, 2, 2, 20000, 0},
	"equal arms": {`type T {
    | 0 | 1 | u8 | first = arm(value) | "arm"
    | 1 | 1 | u8 | second = arm(other) | "arm" check second == first
    | 2 | N | Body(first) | value | "value"
    | P | M | Body(second) | other | "value"
}
union Body(kind) by kind {}
arm Body 0 none {}
arm Body 1 one { | 0 | 1 | u8 | x | }
arm Body 2 two { | 0 | 2 | u16 | x | }
arm Body 3 three { | 0 | 3 | u8[3] | x | }`, 2, 8, 3000, 0},
	"an arm before": {`type T {
    | 0 | 1 | u8 | kind = arm(value) | "arm"
    | 1 | N | Body | value | "value"
}
union Body by kind { | 0 | 1 | u8 | kind | }
arm Body 0 none {}
arm Body 1 one { | 1 | 1 | u8 | x | }`, 2, 3, 0, 0},
	"an arm that ends": {`type T { | 0 | N | Item[until kind == 2] | items | "elements" }
type Item {
    | 0 | 1 | u8 | kind = arm(value) | "arm"
    | 1 | N | Body(kind) | value | "value"
}
union Body(kind) by kind {}
arm Body 0 none {}
arm Body 1 one { | 0 | 1 | u8 | x | }
arm Body 2 two { | 0 | 2 | u16 | x | }`, 3, 5, 3000, 0},
	"a view alone": {`type T {
    | 0 | 1 | u8 | at = 1 | "place"
    | 1 | 1 | u8 | c = 7 | "number"
    | @at | 1 | u8 | x | view
}`, 2, 2, 0, 0},
	"a type": {`type T {
    | 0 | 4 | Body.id | kind | "a type"
    | 4 | 1 | u8 | x | "a number"
}
union Body by kind { | 0 | 1 | u8 | kind | }
arm Body 0 none {}
arm Body 1 one { | 1 | 1 | u8 | x | }`, 5, 5, 0, 0},
	"floats": {`type T {
    | 0 | 4 | f32 | x | "a number"
    | 4 | 2 | f16 | y | "a number"
    | 6 | 1 | u8 | form = form(z) | "bytes of the number" check form != 4
    | 7 | 4 or 8 | by form { 4 f32, 8 f64 } | z | "a number" any
}`, 15, 15, 20000, 0},
	"bytes until zeros": {`type T {
    | 0 | N | u8[until "0000"] | x | "bytes"
    | P | 2 | u8[2] | two | "numbers"
    | Q | 1 | u8 | n = count(list) | "number"
    repeat n as list { | R | 1 | bool8 | y | }
    repeat 2 as pairs { | S | 1 | bool8 | y | }
    | S | M | u8[until end] | rest | "numbers"
}`, 8, 1000, 0, 0},
	"a filled text before": {`type T {
    | 0 | 1 | u8 | n = len(text) | "bytes"
    | 1 | 4 | utf8[4] | text | "text" fill "20"
}`, 5, 5, 20000, 20},
	"gaps": {`type T {
    | 0 | 1 | u8 | at | "place"
    | @ | N | u8[until end] | gaps | "other bytes"
    | @at | 1 | u8 | x | "number"
}`, 7, 1000, 20000, 0},
	"gaps before the end": {`type T {
    | 0 | 1 | u8 | at | "place"
    | @ | N | u8[until end] | gaps | "other bytes"
    | @at | M | u8[until end] | x | "numbers"
}`, 6, 1000, 20000, 0},
	"short text at the end of a region": {`type T {
    | 0 | 1 | u8 | n | "bytes of the text"
    | 1 | n | u8[until "00"] | x | "a text"
}`, 2, 100, 1000, 0},
	"few gaps at the end of a region": {`type T {
    | 0 | 1 | u8 | n | "bytes of the page"
    | 1 | n | Page | page | "a page"
}
type Page {
    | 0 | 1 | u8 | at | "place"
    | @at | 1 | u8 | x | "number"
    | @ | N | u8[until end] | gaps | "other bytes"
}`, 20, 200, 10000, 0},
	"text at the end of a region": {`type T {
    | 0 | 15 | ascii[until "00"] | magic | "14 letters"
    | 15 | 20 | Record | record | "a record of 20 bytes"
    | 35 | 1 | u8 | n | "bytes of the name" check n > 0
    | 36 | N | Name(n) | name | "a name"
    | P | 12 | utf8[until "6161"] | letters | "10 bytes"
}
type Record { | 0 | 1 | u8 | x | | 1 | N | u8[until "0d0a"] | y | check x < 9 }
type Name(n) { | 0 | n | Text | text | | n | 1 | u8 | last | }
type Text { | 0 | N | latin1[until "00"] | text | }`, 50, 300, 2000, 0},
	"gaps at the end of a region": {`type T {
    | 0 | 30 | Page | page | "a page"
    | 30 | 1 | u8 | n | "bytes of the other page" check n > 3
    | 31 | n | Page | other | "another page"
}
type Page {
    | 0 | 1 | u8 | at | "place"
    | @at | 2 | u16 | x | "number"
    | @ | N | u8[until end] | gaps | "other bytes"
}`, 50, 280, 20000, 0},
	"counts of records": {`type T {
    | 0 | 4 | Boot | boot | "numbers" check boot.unit > 3
    | 4 | N | u8[boot.unit * boot.copies * 512] | copies | "arrays"
    | P | M | Entry[boot.entries] | entries | "a list"
    | Q | L | utf8[boot.entries * 16] | text | "a text"
}
type Boot { | 0 | 1 | u8 | unit | | 1 | 1 | u8 | copies | | 2 | 2 | u16 | entries | }
type Entry { | 0 | 300 | u8[300] | x | }`, 4, 500, 20000, 0},
	"linear sizes": {`type T {
    | 0 | 2 | u16 | n | "a number"
    | 2 | 2 | Pair | pair | "two numbers"
    | 4 | n*2 - 100 | u16[until end] | one | "content"
    | P | 3 + pair.x*3 | u8[until end] | two | "content"
}
type Pair { | 0 | 1 | u8 | x | | 1 | 1 | u8 | y | }
type Content { | 0 | 1 | u8 | k | | 1 | R | u8[until end] | rest | }`, 7, 200, 40000, 0},
	"regions of tuples and records": {`type T {
    | 0           | 2       | Pair    | sizes | "bytes of rows"
    | 2           | sizes.x | Content | one   | "content"
    | 2 + sizes.x | sizes.y | Content | two   | "content"
    | P           | 2       | Word    | word  | "bytes of a row"
    | P + 2       | word.n  | Content | three | "content" check word.flag
}
type Pair { | 0 | 1 | u8 | x | | 1 | 1 | u8 | y | }
type Word { | 0 | 2 | u16 | bits | { 0 flag 1..9 n rest any } | 2 | 0 | u8[0] | none | }
type Content { | 0 | 1 | u8 | k | | 1 | R | u8[until end] | rest | }`, 7, 200, 20000, 1},
	"counts that are equal": {`type T {
    | 0 | 1 | u8    | n | "numbers"
    | 1 | n | u8[n] | a | "numbers"
    | P | 1 | u8    | m | "numbers"
    | Q | m | u8[m] | b | "numbers" check count(a) == count(b) && n == count(b)
}`, 2, 8, 60000, 5},
	"a remainder by presence": {`type T {
    | 0 | 1 | u8 | f | "over 3"
    | 1 | 1 | u8 | a | "a number" if f > 3
    | P | 2 | u16 | k | "a number" check k % 5 == present(a) + 1
}`, 3, 4, 20000, 5},
	"sums of arrays": {`type T {
    | 0 | 2 | u8[2]  | mark          | "ones" check sum(mark) == 2 * 255
    | 2 | 1 | u8     | n = count(xs) | "numbers"
    | 3 | N | i16[n] | xs            | "numbers" check sum(xs) == -5 || n == 0
    | P | 2 | i8[2]  | ys            | "numbers" check 7 - sum(ys) == 8
}`, 5, 11, 3500, 0},
	"an arm by a difference": {`type T {
    | 0 | 1 | u8           | k    | "less than 20"
    | 1 | N | Body(20 - k) | body | "content"
}
union Body(id) by id {}
arm Body 3 three { | 0 | 3 | u8[3] | x | }
arm Body 5 five { | 0 | 5 | u8[5] | x | }
arm Body else other {}`, 1, 6, 1000, 0},
	"wide numbers": {`type T {
    | 0 | 1 | u8 | n = count(pairs) | "number"
    | 1 | 2 | u16 | bits | "bits" { 0..3 a 4..15 b }
    | 3 | 8 | i64 | x | "number"
    map n as pairs { | P | 1 | K | key | | P+1 | 1 | K | value | }
}
type K { | 0 | 1 | u8 | x | }`, 11, 13, 20000, 0},
}

// conditionedGenerator returns a generator for a type of conditioned.
func conditionedGenerator(t *testing.T, name string) *interp.Generator {
	t.Helper()
	_, g := generatorOf(t, "schema \"conditioned\" {\n    order big\n    root T\n}\n\n"+conditioned[name].text+"\n")
	return g
}

// generatorOf returns the machine of the text of a schema, and a generator of it.
func generatorOf(t *testing.T, source string) (*interp.Machine, *interp.Generator) {
	t.Helper()
	p, err := compile.Text("test.oct", []byte(source), "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.NewGenerator(interp.GenerateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m, g
}

// TestGenerateMeets: drawing meets conditions within a few records that are begun again.
func TestGenerateMeets(t *testing.T) {
	for name, x := range conditioned {
		t.Run(name, func(t *testing.T) {
			g := conditionedGenerator(t, name)
			r := rand.New(rand.NewPCG(9, 10))
			failed, least, most := 0, 1<<20, 0
			for i := range 500 {
				c := choices(r, r.IntN(500))
				switch i {
				case 0:
					c = bytes.Repeat([]byte{0xff}, 100)
				case 1:
					c = nil
				}
				v, _, ok := g.Try(c)
				if !ok {
					failed++
				}
				b, err := g.Machine().Append(nil, v, interp.Options{})
				if err != nil {
					t.Fatal(err)
				}
				least, most = min(least, len(b)), max(most, len(b))
			}
			if failed > x.failed || g.Redrawn() > x.redrawn {
				t.Errorf("%d draws find no value and %d records are begun again; at most %d and %d are expected", failed, g.Redrawn(), x.failed, x.redrawn)
			}
			if least > x.least || most < x.most {
				t.Errorf("packets of %d to %d bytes are drawn; also %d and %d are expected", least, most, x.least, x.most)
			}
		})
	}
}

// TestGenerateReaches: choices lead to each packet of few bytes that a reader accepts.
func TestGenerateReaches(t *testing.T) {
	for name := range conditioned {
		t.Run(name, func(t *testing.T) {
			g := conditionedGenerator(t, name)
			r := g.Machine().NewReader(interp.Options{})
			packet := make([]byte, 4)
			for i := range 10000 {
				for k := range packet {
					packet[k] = "\x00\x01\x02\x03\x04\x05\x30\x39\x80\xff"[i%10]
					i /= 10
				}
				v, n, err := r.Read(packet)
				if err != nil || r.Canonical(packet[:n], v, n) != nil {
					continue
				}
				c, err := g.Choices(v)
				if err != nil {
					t.Fatalf("% x: %v", packet[:n], err)
				}
				if again, _ := g.Generate(c); !interp.Identical(v, again, true) {
					t.Fatalf("% x: choices % x give %+v", packet[:n], c, again)
				}
			}
		})
	}
}

// changedValues returns values with one part of v replaced. The new part is of another kind, size or number.
func changedValues(v interp.Value) (all []interp.Value) {
	tag := v.Tag()
	all = []interp.Value{
		{}, interp.MakeUnit(tag), interp.MakeUnit(tag + 1), interp.MakeUnit(tag - 1), interp.MakeBool(tag, true), interp.MakeBool(tag, false), interp.MakeInt(tag, -1), interp.MakeUint(tag, 3),
		interp.MakeUint(tag, 1<<40), interp.MakeFloat(tag, 0.1), interp.MakeFloat(tag, 3), interp.MakeText(tag, "\x00 text"), interp.MakeText(tag, "é"),
		interp.MakeLanes(tag, bytecode.U8, []byte{1, 2}), interp.MakeLanes(tag, bytecode.U8, []byte{1, 2, 3}), interp.MakePacked(tag, bytecode.U8, 1, []byte{1, 0, 0}), interp.MakePacked(tag, bytecode.U16, 1, []byte{1, 2}),
		interp.MakePacked(tag, bytecode.U8, 1, make([]byte, 300)), v.WithTag(tag + 1), v.WithTag(tag - 1),
	}
	cells := v.Cells()
	for _, n := range []int{0, 1, 2, 5} {
		all = append(all, interp.MakeList(tag, slices.Repeat([]interp.Value{interp.MakeBool(0, true)}, n)), interp.MakeMap(tag, slices.Repeat([]interp.Value{interp.MakeUint(0, 1)}, n)))
		if len(cells) > 0 {
			all = append(all, v.WithCells(slices.Repeat(cells[:1], n)))
		}
	}
	for i := range cells {
		for _, part := range changedValues(cells[i]) {
			next := slices.Clone(cells)
			next[i] = part
			all = append(all, v.WithCells(next))
		}
	}
	return all
}

// TestChoicesOfOthers: choices for any value lead to it, or are refused.
func TestChoicesOfOthers(t *testing.T) {
	check := func(t *testing.T, g *interp.Generator, r *rand.Rand) {
		var values []interp.Value
		for i := range long.Number(60, 200) {
			v, _ := g.Generate(choices(r, i))
			if values = append(values, changedValue(r, v)); i%20 == 0 {
				values = append(values, changedValues(v)...)
			}
		}
		w, slow := g.Machine().NewWriter(interp.Options{}), unfused(t, g.Machine()).NewWriter(interp.Options{})
		for _, v := range values {
			if err := agreeWriting(w, slow, v, v); err != nil {
				t.Fatal(err)
			}
			c, err := g.Choices(v)
			if err != nil {
				continue
			}
			again, _ := g.Generate(c)
			b, err := g.Machine().Append(nil, v, interp.Options{})
			if err != nil {
				t.Fatalf("choices % x are for %+v, which cannot be written: %v", c, v, err)
			}
			b2, err := g.Machine().Append(nil, again, interp.Options{})
			if err != nil || string(b) != string(b2) {
				t.Fatalf("choices % x are for %+v, and give %+v", c, v, again)
			}
		}
	}
	for name := range conditioned {
		t.Run(name, func(t *testing.T) {
			check(t, conditionedGenerator(t, name), rand.New(rand.NewPCG(11, 12)))
		})
	}
}

// TestGenerateKeeps compares the packets of some choices, and the work for them, with testdata/drawn.golden. Corpora
// keep choices, which keep their meaning. Of the schemas of package languages it has digests.
func TestGenerateKeeps(t *testing.T) {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(conditioned)) {
		g := conditionedGenerator(t, name)
		r := rand.New(rand.NewPCG(13, 14))
		for i := range 20 {
			before := g.Redrawn()
			v, used := g.Generate(choices(r, 2*i))
			b, err := g.Machine().Append(nil, v, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%s: %d of %d choices, %d begun again: %x\n", name, used, 2*i, g.Redrawn()-before, b)
		}
	}
	eachLanguage(t, func(name string, p *bytecode.Program) {
		m, err := interp.New(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := fnv.New64a()
		for _, opt := range []interp.GenerateOptions{{Open: 0xff}, {MaxDepth: 3, MaxBytes: 60}, {Open: 0xff, KeepWidths: true}} {
			g, err := m.NewGenerator(opt)
			if err != nil {
				fmt.Fprintf(sum, "%v\n", err)
				continue
			}
			r := rand.New(rand.NewPCG(17, 18))
			for i := range 30 {
				v, used := g.Generate(choices(r, 4*i))
				b, err := m.Append(nil, v, interp.Options{Open: opt.Open, KeepWidths: opt.KeepWidths})
				fmt.Fprintf(sum, "%d of %d choices, %d begun again: %x, %v\n", used, 4*i, g.Redrawn(), b, err)
			}
		}
		fmt.Fprintf(&out, "%s: %016x\n", name, sum.Sum64())
	})
	golden.Lines(t, "drawn.golden", []byte(out.String()))
}

// TestGenerateNone: a generator of a schema without values says why.
func TestGenerateNone(t *testing.T) {
	for text, want := range map[string]string{
		`union T by kind { | 0 | 1 | u8 | kind | }
arm T else none { refuse "no arm" }`: "no arm of T can be here",
		`type T { | 0 | N | Item[until kind == 0] | items | }
union Item by kind { | 0 | 1 | u8 | kind | }
arm Item 0 end { refuse "no end" }
arm Item 1 one { | 1 | 1 | u8 | x | }
arm Item else other { refuse "no arm" }`: "no arm of Item can be here",
		`type T {
    | 0 | 1 | u8 | bits | { 3 wide = 1 any }
    | 1 | 4 or 16 | by wide { 0 f32[1], 1 f64[2] } | x |
}`: "T.bits asks for the content of a row that is no number, text or list",
		`union T by k { | 0 | 1 | u8 | k | }
arm T 0 one {
    | 1 | 1 | u8 | kind = arm(x) |
    | 2 | N | Named(kind) | x | check kind == 1
}
union Named(kind) by kind {}
arm Named 1 named {
    | 0 | 1 | u8 | n = len(s) | check n < 3
    | 1 | n | utf8[n] | s |
    writes named "too long"
}`: "expected n < 3",
	} {
		m := machineOf(t, "schema \"none\" {\n    order big\n    root T\n}\n\n"+text+"\n")
		if _, err := m.NewGenerator(interp.GenerateOptions{}); !errors.Is(err, interp.ErrNoValue) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q\n%s", err, want, text)
		}
	}
}

// TestChoicesLimits: values within the limits of a generator are drawn and have choices, and others have none.
func TestChoicesLimits(t *testing.T) {
	var arms strings.Builder
	for i := range 200 {
		fmt.Fprintf(&arms, "arm T %d a%d { | 2 | 1 | u8 | x | }\n", i, i)
	}
	for text, c := range map[string]struct {
		opt     interp.GenerateOptions
		packets []string // that have choices
		refused []string // that have none
	}{
		"union T by kind { | 0 | 2 | u16 | kind | }\n" + arms.String() + "arm T else other { kind { 0..15 n } }":                                                                              {packets: []string{"\x00\x00\x05", "\x00\xc7\x05", "\x01\x05"}},
		"type T {\n    | 0 | 1 | u8 | flags | { 0 more = present(x) }\n    | 1 | N | T | x | if more\n}":                                                                                      {opt: interp.GenerateOptions{MaxDepth: 2}, packets: []string{"\x00", "\x01\x00"}, refused: []string{"\x01\x01\x01\x01\x00"}},
		"union T by kind { | 0 | 1 | u8 | kind | }\narm T 0 none {}\narm T 1 box { | 1 | N | T | x | }\n":                                                                                     {opt: interp.GenerateOptions{MaxDepth: 2}, packets: []string{"\x00", "\x01\x00"}, refused: []string{"\x01\x01\x01\x01\x00"}},
		"type T { | 0 | N | Item(1) | item | }\ntype Item(k) {\n    | 0 | 1 | u8 | n = count(list) |\n    repeat n as list { | P | N | Item(k) | item | }\n    | Q | 1 | u8 | y = k + 0 |\n}": {opt: interp.GenerateOptions{MaxDepth: 2}, packets: []string{"\x00\x01", "\x01\x00\x01\x01"}, refused: []string{"\x01\x01\x01\x01\x01\x00\x01\x01\x01\x01\x01\x01"}},
		"type T { | 0 | N | Item[until x == 0] | list | }\ntype Item { | 0 | 1 | u8 | x | }":                                                                                                  {opt: interp.GenerateOptions{MaxBytes: 40}, packets: []string{"\x01\x00"}, refused: []string{strings.Repeat("\x01", 100) + "\x00"}},
		"type T { | 0 | N | Item(1) | item | }\ntype Item(k) {\n    | 0 | 1 | u8 | n = count(list) |\n    repeat n as list { | P | N | Item(k) | item | }\n}": {packets: []string{
			"\x01\x01\x01\x01\x01\x01\x01\x03\x00\x00\x00", "\x50" + strings.Repeat("\x00", 80), "\x01\x01\x01\x01\x01\x09" + strings.Repeat("\x00", 9)}},
		"type T { | 0 | 100 | u8[100] | x | }":                          {opt: interp.GenerateOptions{MaxBytes: 40}, packets: []string{strings.Repeat("\x01", 100)}},
		"type T { repeat until end as list { | P | 1 | bool8 | x | } }": {opt: interp.GenerateOptions{MaxBytes: 40}, packets: []string{"\x01\x00"}, refused: []string{strings.Repeat("\x01", 100)}},
	} {
		m := machineOf(t, "schema \"limits\" {\n    order big\n    root T\n    depth 20\n}\n\n"+text+"\n")
		g, err := m.NewGenerator(c.opt)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(15, 16))
		for i := range 100 {
			v, _ := g.Generate(choices(r, i))
			if _, err := m.Encode(v, interp.Options{MaxDepth: c.opt.MaxDepth}); err != nil {
				t.Errorf("%+v: %v", v, err)
			}
		}
		for _, packet := range append(slices.Clone(c.packets), c.refused...) {
			v, _, err := m.Decode([]byte(packet), interp.Options{})
			if err != nil {
				t.Fatalf("%x: %v\n%s", packet, err, text)
			}
			choices, err := g.Choices(v)
			if slices.Contains(c.refused, packet) {
				if !errors.Is(err, interp.ErrNoChoices) {
					t.Errorf("%x: choices %x, %v\n%s", packet, choices, err, text)
				}
			} else if again, _ := g.Generate(choices); err != nil || !interp.Identical(v, again, true) {
				t.Errorf("%x: choices %x, %v, which give %+v\n%s", packet, choices, err, again, text)
			}
		}
	}
}

// TestGenerateSteers checks that numbers are drawn that select each arm of a union by an argument. The argument passes
// through a list, an equation and a region of stored length.
func TestGenerateSteers(t *testing.T) {
	m, g := generatorOf(t, `schema "steered" {
    order big
    root T
}

type T {
    | 0 | 2 | u16 | link | "of packets"
    | 2 | R | Packet[until end](link) | packets | "packets"
}

type Packet(link) {
    | 0 | 1 | u8 | captured | "bytes of the body"
    | 1 | 4 | u32 | original | "bytes before they were cut"
    | 5 | captured | Body(link * (captured == original)) | body | "content"
}

union Body(link) by link {}
arm Body 300 first {
    | 0 | 2 | u16 | kind | "of the content"
    | 2 | N | Inner(kind + 7, 1) | inner | "content"
}
arm Body else raw { | 0 | R | u8[until end] | x | "bytes" }

union Inner(kind, plain) by kind {}
arm Inner 1000 small { | 0 | 2 | u16 | a | "number" }
arm Inner 2000 large { | 0 | 4 | u32 | b | "number" }
arm Inner else other { | 0 | 1 | u8 | c | "number" }
`)
	r := rand.New(rand.NewPCG(11, 12))
	found := map[string]int{}
	for range 2000 {
		v, _, ok := g.Try(choices(r, 12+r.IntN(60)))
		if !ok {
			found["none"]++
		}
		b, err := m.Append(nil, v, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for at := 2; at < len(b); {
			size := int(b[at])
			if int(binary.BigEndian.Uint32(b[at+1:])) == size && binary.BigEndian.Uint16(b) == 300 {
				found[fmt.Sprint(binary.BigEndian.Uint16(b[at+5:])+7)]++
			}
			at += 5 + size
		}
	}
	if found["none"] > 0 || found["1000"] < 40 || found["2000"] < 40 {
		t.Errorf("of 2000 values %d are of other choices, and %d and %d packets of the arms are drawn", found["none"], found["1000"], found["2000"])
	}
	if g.Redrawn() > 4000 {
		t.Errorf("%d records are begun again", g.Redrawn())
	}
}

// TestGenerateLarge bounds the work for a value. Records that are begun again have many others in
// them. No list of these ends with the region, unless one of its records has bytes that fill the rest.
func TestGenerateLarge(t *testing.T) {
	m := machineOf(t, `
schema "blocks" {
    title "Records of any size in a block"
    order little
    root  Log
}
type Log {
    | 0 | R | Block[until end] | blocks | "blocks"
}
type Block {
    | 0 | 32768 | Records | records | "records"
}
type Records {
    | 0 | N | Record[until end] | records | "records"
}
type Record {
    | 0 | 4 | u32 | sum | "sum"
    | 4 | 2 | u16 | length = count(data) | "length"
    | 6 | 1 | u8 | kind | "kind" check kind <= 4
    | 7 | length | u8[length] | data | "data"
}
`)
	g, err := m.NewGenerator(interp.GenerateOptions{MaxBytes: 128})
	if err != nil {
		t.Fatal(err)
	}
	const most = 600_000 // allocations; a block has 4681 records
	redrawn := 0
	for b := range long.Number(6, 16) {
		before := g.Redrawn()
		n := testing.AllocsPerRun(1, func() { g.Generate(interp.Choices{byte(255 - b)}) })
		if redrawn = max(redrawn, g.Redrawn()-before); n > most {
			t.Fatalf("%.0f allocations for the choice %d", n, 255-b)
		}
	}
	if redrawn == 0 {
		t.Error("no record is begun again")
	}
}

// TestGenerateSmallest holds that a value is drawn of a schema whose smallest one has more elements than MaxBytes allows.
func TestGenerateSmallest(t *testing.T) {
	for text, least := range map[string]int{
		"type T { | 0 | 1 | u8 | shift | check shift <= 2\n | 1 | 32768<<shift | u8[until end] | code | }":                                                                            32769,
		"type T { | 0 | 4096 | P[1024] | parts | | 4096 | 4096 | u32[1024] | times | }\ntype P {| 0 | 3 | u24 | at | | 3 | 1 | u8 | n | | @at from T | n | u8[n] | data | if n > 0 }": 8192,
	} {
		m := machineOf(t, "schema \"large\" {\n    root T\n}\n\n"+text+"\n")
		g, err := m.NewGenerator(interp.GenerateOptions{MaxBytes: 128})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		v, _ := g.Generate(nil)
		if b, err := m.Encode(v, interp.Options{}); err != nil || len(b) != least {
			t.Errorf("%s: %d bytes, expected %d; %v", text, len(b), least, err)
		}
	}
}
