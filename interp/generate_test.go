// Generated values of small schemas: choices lead to each value that a reader accepts, and few records are begun again.

package interp_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
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
	"parts": {`type T {
    | 0 | 1 | u8 | at | "place"
    | 1 | 1 | u8 | then | "place"
    | @at | 8 | u64 | x | "number"
    | @then | 8 | u64 | y | "number"
}`, 32, 200, 100, 0},
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
			for range 500 {
				v, _, ok := g.Try(choices(r, r.IntN(500)))
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

// TestChoicesOfOthers: choices for any value lead to it, or are refused.
func TestChoicesOfOthers(t *testing.T) {
	check := func(t *testing.T, g *interp.Generator, r *rand.Rand) {
		for i := range 200 {
			v, _ := g.Generate(choices(r, i))
			v = changedValue(r, v)
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

// TestGenerateKeeps compares the packets of some choices, and the work for them, with testdata/drawn.golden: corpora keep choices, which keep their meaning.
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
	golden(t, "testdata/drawn.golden", out.String())
}
