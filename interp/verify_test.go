// Verified programs run safely: programs that are changed in one place are either
// refused, or read and write anything without harm.

package interp_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/examples"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

var mutants = flag.Int("mutants", long.Number(150, 900), "how many changed programs to try for each embedded one")

// place is a number in a program that can be changed.
type place struct {
	name string
	get  func() uint64
	set  func(uint64)
}

func at[T bytecode.Kind | uint32 | uint64 | int64 | bytecode.Op | bytecode.ExprOp | builtin.Charset | bytecode.NUL](x *T, format string, args ...any) place {
	return place{fmt.Sprintf(format, args...), func() uint64 { return uint64(*x) }, func(v uint64) { *x = T(v) }}
}

func flagAt(x *bool, format string, args ...any) place {
	return place{fmt.Sprintf(format, args...), func() uint64 { return map[bool]uint64{true: 1}[*x] }, func(v uint64) { *x = v&1 != 0 }}
}

// places returns every number of a program.
func places(p *bytecode.Program) []place {
	all := []place{at(&p.Root, "root"), at(&p.Depth, "depth"), flagAt(&p.Big, "big")}
	for i := range p.Types {
		t := &p.Types[i]
		for j := range t.Fields {
			all = append(all, at(&t.Fields[j].Kind, "type %d field %d kind", i, j), flagAt(&t.Fields[j].Alone, "type %d field %d alone", i, j))
		}
		for j := range t.Writes {
			w := &t.Writes[j]
			all = append(all, at(&w.When, "type %d write %d when", i, j), flagAt(&w.Absent, "type %d write %d absent", i, j), at(&w.Type, "type %d write %d type", i, j))
		}
	}
	for i := range p.Routines {
		r := &p.Routines[i]
		all = append(all, at(&r.Start, "routine %d start", i), at(&r.End, "routine %d end", i), at(&r.Regs, "routine %d regs", i),
			at(&r.Cells, "routine %d cells", i), at(&r.Args, "routine %d args", i), flagAt(&r.Nests, "routine %d nests", i))
	}
	for i := range p.Code {
		in := &p.Code[i]
		all = append(all, at(&in.Op, "instruction %d (%s) op", i, in.Op), at(&in.Rule, "instruction %d rule", i))
		for k, x := range [4]*uint32{&in.A, &in.B, &in.C, &in.D} {
			all = append(all, at(x, "instruction %d (%s) %c", i, in.Op, 'A'+k))
		}
	}
	for i, e := range p.Exprs {
		j := 0
		e.Walk(func(e *bytecode.Expr) {
			all = append(all, at(&e.Op, "expression %d node %d op", i, j), at(&e.Arg, "expression %d node %d arg", i, j), at(&e.Arg2, "expression %d node %d arg2", i, j))
			j++
		})
	}
	for i, list := range append(slices.Clone(p.Keys[:]), p.Args...) {
		for j := range list {
			all = append(all, at(&list[j], "list %d element %d", i, j))
		}
	}
	for i := range p.Tables {
		for j := range p.Tables[i].Arms {
			a := &p.Tables[i].Arms[j]
			all = append(all, at(&a.ID, "table %d arm %d id", i, j), flagAt(&a.Else, "table %d arm %d else", i, j), at(&a.Type, "table %d arm %d type", i, j))
		}
	}
	for i := range p.Encodings {
		e := &p.Encodings[i]
		all = append(all, at(&e.Charset, "encoding %d charset", i), at(&e.NUL, "encoding %d nul", i), flagAt(&e.DropBOM, "encoding %d bom", i))
	}
	return all
}

// newValue returns a number to put in the place of another.
func newValue(r *rand.Rand, old uint64, p *bytecode.Program) uint64 {
	edges := []uint64{0, 1, 2, 7, 8, 15, 16, 31, 63, 64, 127, 128, 255, 256, 257, math.MaxInt16, math.MaxInt32, 1 << 31, math.MaxUint32 - 1, math.MaxUint32, math.MaxInt64, 1 << 63, math.MaxUint64}
	sizes := []int{len(p.Code), len(p.Types), len(p.Routines), len(p.Exprs), len(p.Tables), len(p.Rules), len(p.Args), len(p.Encodings), len(p.Strings)}
	switch r.IntN(6) {
	case 0:
		return edges[r.IntN(len(edges))]
	case 1:
		return uint64(sizes[r.IntN(len(sizes))] - r.IntN(2))
	case 2:
		return r.Uint64N(uint64(sizes[r.IntN(len(sizes))] + 1))
	case 3:
		return r.Uint64N(40)
	case 4:
		return r.Uint64() >> r.IntN(64)
	}
	return old + uint64(r.IntN(9)) - 4
}

// packets returns the examples of a schema, some of them damaged, and bytes of chance.
func packets(t *testing.T, id string, r *rand.Rand) [][]byte {
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	results, err := examples.Run(s, "")
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for _, e := range results {
		out = append(out, e.Bytes)
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	out = out[:min(len(out), 40)]
	for _, b := range out[:len(out)/2] {
		c := bytes.Clone(b)
		if len(c) > 0 {
			c[r.IntN(len(c))] = byte(r.IntN(256))
			out = append(out, c[:len(c)-r.IntN(2)])
		}
	}
	for range 4 {
		b := make([]byte, r.IntN(64))
		for i := range b {
			b[i] = byte(r.IntN(256) & r.Int() & r.Int()) // few bits
		}
		out = append(out, b)
	}
	return append(out, nil)
}

// harmless runs a program on packets and values, in every way there is.
func harmless(p *bytecode.Program, in [][]byte, values []interp.Value) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("panic: %v\n%s", x, debug.Stack())
		}
	}()
	m, err := interp.New(p, nil)
	if err != nil {
		return nil // two arms with one tag
	}
	slow, err := interp.NewUnfused(p, nil)
	if err != nil {
		return err
	}
	for _, open := range []uint8{0, 0xff} {
		for _, m := range []*interp.Machine{m, slow} {
			opt := interp.Options{Open: open, KeepWidths: m == slow}
			r, w := m.NewReader(opt), m.NewWriter(opt)
			for _, b := range in {
				v, used, err := r.Read(b)
				if err != nil {
					if e := (*interp.Error)(nil); !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(b) {
						return fmt.Errorf("reading %x: error %v, which has no place in the bytes", b, err)
					}
					continue
				}
				if used < 0 || used > len(b) {
					return fmt.Errorf("reading %x: used %d of %d bytes", b, used, len(b))
				}
				if _, err := w.Append([]byte("before"), v); err != nil {
					if e := (*interp.Error)(nil); !errors.As(err, &e) {
						return err
					}
				}
			}
			for _, v := range values {
				out, err := w.Append([]byte("before"), v)
				if !bytes.HasPrefix(out, []byte("before")) {
					return fmt.Errorf("writing changed bytes that were there before (error: %v)", err)
				}
				if len(out) > 1<<20 {
					return fmt.Errorf("writing a small value made %d bytes", len(out))
				}
			}
		}
	}
	return nil
}

func TestChangedPrograms(t *testing.T) {
	files, err := filepath.Glob("../codec/programs/*.octb")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range long.Part(3, files) {
		name := strings.TrimSuffix(filepath.Base(file), bytecode.Extension)
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := bytecode.Load(b)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			id, _, _ := strings.Cut(name, "+")
			changeProgram(t, p, packets(t, id, r), r)
			if !bytes.Equal(p.Save(), b) {
				t.Error("the changes were not taken back")
			}
		})
	}
}

// TestWordsOfUnions checks that a writer refuses a word that the byte of a union does not hold. A compiled program
// never has such a word.
func TestWordsOfUnions(t *testing.T) {
	for word, fits := range map[int64]bool{-1: false, 0: true, 255: true, 256: false} {
		p, err := compile.Text("test.oct", []byte("schema \"words\" { root T }\nunion T by kind { | 0 | 1 | u8 | kind | }\narm T 5 none {}\n"), "")
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Code {
			if in := &p.Code[i]; in.Op == bytecode.Header {
				p.Exprs[in.C] = &bytecode.Expr{Op: bytecode.ExprNum, Arg: word}
			}
		}
		if err := bytecode.Verify(p); err != nil {
			t.Fatal(err)
		}
		m, err := interp.New(p, shippedTag)
		if err != nil {
			t.Fatal(err)
		}
		v, _, err := m.Decode([]byte{5}, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Encode(v, interp.Options{})
		if (err == nil) != fits || fits && string(b) != string([]byte{byte(word)}) {
			t.Errorf("the word %d is written as % x, %v", word, b, err)
		}
	}
}

// TestChangedParts changes programs with rows at places that fields hold.
func TestChangedParts(t *testing.T) {
	for _, name := range []string{"spec/formats/elf64", "spec/formats/pck", "dsl/schema/testdata/errors/none-places", "dsl/schema/testdata/errors/none-gaps"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			p := programOf(t, "../"+name+".oct")
			m, err := interp.New(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			var in [][]byte
			for len(in) < 20 {
				choices := make(interp.Choices, 200)
				for i := range choices {
					choices[i] = byte(r.Uint32())
				}
				v, err := m.Generate(choices, interp.GenerateOptions{MaxBytes: 200})
				if err != nil {
					t.Fatal(err)
				}
				b, err := m.Encode(v, interp.Options{})
				if err != nil {
					t.Fatal(err)
				}
				in = append(in, b)
			}
			changeProgram(t, p, in, r)
		})
	}
}

// changeProgram changes a program in one place at a time. It expects that the programs that
// pass the verifier do no harm with some packets.
func changeProgram(t *testing.T, p *bytecode.Program, in [][]byte, r *rand.Rand) {
	m, err := interp.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	var values []interp.Value
	for _, b := range in {
		if v, _, err := m.Decode(b, interp.Options{Open: 0xff}); err == nil {
			values = append(values, v)
		}
	}
	if err := harmless(p, in, values); err != nil {
		t.Fatalf("the program itself: %v", err)
	}
	all := places(p)
	passed := 0
	for range *mutants {
		changed := change(r, p, all)
		watch := time.AfterFunc(30*time.Second, func() { panic("a program that passed does not end: " + changed.name) })
		begin := time.Now()
		if bytecode.Verify(p) == nil {
			passed++
			if err := harmless(p, in, values); err != nil {
				t.Errorf("%s: %v", changed.name, err)
			}
		}
		watch.Stop()
		if d := time.Since(begin); d > 2*time.Second {
			t.Errorf("%s: takes %v", changed.name, d)
		}
		changed.undo()
	}
	t.Logf("%d places, %d of %d changed programs pass", len(all), passed, *mutants)
}

type changed struct {
	name string
	undo func()
}

// change changes a program in one or two places.
func change(r *rand.Rand, p *bytecode.Program, all []place) changed {
	switch r.IntN(12) {
	case 0: // two instructions change places
		i, j := r.IntN(len(p.Code)), r.IntN(len(p.Code))
		if r.IntN(2) == 0 {
			j = min(i+1, len(p.Code)-1)
		}
		swap := func() { p.Code[i], p.Code[j] = p.Code[j], p.Code[i] }
		swap()
		return changed{fmt.Sprintf("instructions %d and %d swapped", i, j), swap}
	case 1: // an instruction in place of another
		i, j := r.IntN(len(p.Code)), r.IntN(len(p.Code))
		old := p.Code[i]
		p.Code[i] = p.Code[j]
		return changed{fmt.Sprintf("instruction %d in place of %d", j, i), func() { p.Code[i] = old }}
	}
	var names []string
	var undo []func()
	for range 1 + r.IntN(2) {
		x := all[r.IntN(len(all))]
		old := x.get()
		x.set(newValue(r, old, p))
		names = append(names, fmt.Sprintf("%s: %d, was %d", x.name, x.get(), old))
		undo = append([]func(){func() { x.set(old) }}, undo...)
	}
	return changed{strings.Join(names, "; "), func() {
		for _, f := range undo {
			f()
		}
	}}
}

// TestDeepest checks that the deepest values that a program may allow do not
// overflow the stack. Several routines may nest within one level.
func TestDeepest(t *testing.T) {
	p, err := compile.Text("deep.oct", []byte(`schema "deep" {
    title  "Boxes in boxes"
    source "made for a test"
    order  little
    root   Item
    depth  16384
}

type A { | 0 | N | B | b | "a record" }
type B { | 0 | N | C | c | "a record" }
type C {
    | 0 | 1 | u8 | count = count(pairs) | "number of pairs"
    map count as pairs {
        | P | N | Item | key   | "a key"
        | X | M | Item | value | "a value"
    }
}

union Item by kind { | 0 | 1 | u8 | kind | "what it is" }
arm Item 0 end {}
arm Item 1 box { | 1 | N | A | a | "a record" }
`), "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, depth := range []int{1000, bytecode.MaxDepth - 1, 3 * bytecode.MaxDepth} {
		b := bytes.Repeat([]byte{1, 1, 0}, depth) // boxes of one pair: end, and the next
		b = append(b, 0)
		for name, m := range map[string]*interp.Machine{"fused": m, "unfused": unfused(t, m)} {
			opt := interp.Options{MaxDepth: 2 * bytecode.MaxDepth}
			v, used, err := m.Decode(b, opt)
			if err != nil {
				if depth == 1000 || !errors.Is(err, interp.ErrDepth) {
					t.Errorf("%d levels, %s: %v", depth, name, err)
				}
				continue
			}
			if depth > bytecode.MaxDepth || used != len(b) {
				t.Errorf("%d levels, %s: %d of %d bytes read", depth, name, used, len(b))
			}
			out, err := m.Append(nil, v, opt)
			if err != nil && !errors.Is(err, interp.ErrDepth) || err == nil && !bytes.Equal(out, b) {
				t.Errorf("%d levels, %s: writing: %v", depth, name, err)
			}
		}
	}
}

// TestUnionOfUnsetRegister: a union whose number is in a register that nothing has set has no plan. Its number is 0.
func TestUnionOfUnsetRegister(t *testing.T) {
	m := shapeOf(t, "unset", "big", `type T {
    | 0 | 1 | u8 | k |
    | 1 | N | U(k) | u |
}
union U(k) by k {}
arm U 0 a { | 0 | 1 | u8 | n = count(x) |
    | 1 | n | u8[n] | x | }
arm U else b { | 0 | 2 | u16 | y | }`)
	p := m.Program()
	for pc := range p.Code {
		if in := &p.Code[pc]; in.Op == bytecode.Switch {
			in.C = uint32(len(p.Exprs))
		}
	}
	p.Exprs = append(p.Exprs, &bytecode.Expr{Op: bytecode.ExprReg, Arg: 1})
	m, err := interp.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, used, err := m.Decode([]byte{7, 1, 9}, interp.Options{}); used != 3 || err != nil {
		t.Errorf("%d bytes, %v", used, err)
	}
}
