// Plans mean what the instructions mean, for records of any shape.

package interp_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

// sameError reports whether two errors say the same.
func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == b
	}
	var x, y *interp.Error
	return errors.As(a, &x) && errors.As(b, &y) && x.Offset == y.Offset && x.Error() == y.Error() && reflect.DeepEqual(x.Rule, y.Rule)
}

// agree reads bytes by plans and by the instructions, and writes the value by both.
func agree(fast, slow *interp.Reader, w, wSlow *interp.Writer, b []byte) error {
	v, n, err := fast.Read(b)
	v2, n2, err2 := slow.Read(b)
	if !sameError(err, err2) || n != n2 {
		return fmt.Errorf("% x: plans read %d, %v; the instructions %d, %v", b, n, err, n2, err2)
	}
	if err != nil {
		return nil
	}
	if !interp.Identical(v, v2, true) {
		return fmt.Errorf("% x: plans read %+v, the instructions %+v", b, v, v2)
	}
	return agreeWriting(w, wSlow, v, v2) // each with its own, which knows whether keys are repeated
}

// agreeWriting compares the bytes of v by plans with those of v2, an equal value, by instructions.
func agreeWriting(w, slow *interp.Writer, v, v2 interp.Value) error {
	dst := append([]byte("before"), bytes.Repeat([]byte{0xee}, 1<<12)...) // behind it there are old bytes
	out, err := w.Append(dst[:6], v)
	out2, err2 := slow.Append([]byte("before"), v2)
	if !sameError(err, err2) || !bytes.Equal(out, out2) {
		return fmt.Errorf("%+v: plans write % x, %v; the instructions % x, %v", v, out, err, out2, err2)
	}
	return nil
}

// damaged returns bytes with a few of them changed, left out or repeated.
func damaged(r *rand.Rand, b []byte) []byte {
	c := bytes.Clone(b)
	for range 1 + r.IntN(3) {
		if len(c) == 0 {
			break
		}
		i := r.IntN(len(c))
		switch r.IntN(5) {
		case 0:
			c[i] = byte(r.IntN(256))
		case 1:
			c[i] ^= 1 << r.IntN(8)
		case 2:
			c = c[:i]
		case 3:
			c = append(c[:i], c[i+1:]...)
		case 4:
			c = append(c[:i:i], append([]byte{byte(r.IntN(256))}, c[i:]...)...)
		}
	}
	return c
}

// changedValue returns a value with one part of another kind or size.
func changedValue(r *rand.Rand, v interp.Value) interp.Value {
	if cells := v.Cells(); len(cells) > 0 && r.IntN(4) > 0 {
		next := append([]interp.Value(nil), cells...)
		i := r.IntN(len(next))
		next[i] = changedValue(r, next[i])
		if r.IntN(12) == 0 {
			next = next[:len(next)-1]
		}
		return v.WithCells(next)
	}
	switch r.IntN(11) {
	case 0:
		return interp.Value{}
	case 1:
		return interp.MakeInt(v.Tag(), int64(r.Uint64())>>r.IntN(64))
	case 2:
		x := r.Uint64() >> r.IntN(64)
		if r.IntN(2) == 0 {
			x = -x // near 2^64, with the bits of a negative Int
		}
		return interp.MakeUint(v.Tag(), x)
	case 3:
		return interp.MakeFloat(v.Tag(), r.NormFloat64())
	case 4:
		return interp.MakeText(v.Tag(), strings.Repeat("aé\x00\xff"[:1+r.IntN(5)], 1<<r.IntN(10)))
	case 5:
		return interp.MakeBool(v.Tag(), r.IntN(2) == 0)
	case 6:
		return interp.MakeRecord(v.Tag(), []interp.Value{v, v}[:r.IntN(3)])
	case 7:
		return interp.MakeList(v.Tag(), []interp.Value{v, v}[:r.IntN(3)])
	case 8:
		return interp.MakeLanes(v.Tag(), bytecode.U8, make([]byte, r.IntN(6)))
	case 9:
		return interp.MakePacked(v.Tag(), bytecode.U8, 1+r.IntN(2), make([]byte, r.IntN(300)))
	}
	return v.WithTag(uint16(r.IntN(8)))
}

// unmarked returns a value whose maps do not know that their keys differ.
func unmarked(v interp.Value) interp.Value {
	cells := v.Cells()
	if len(cells) == 0 {
		return v
	}
	next := make([]interp.Value, len(cells))
	for i := range cells {
		next[i] = unmarked(cells[i])
	}
	return v.WithCells(next)
}

// lawOfPlans draws values of a machine and compares plans with the instructions.
func lawOfPlans(t *testing.T, m *interp.Machine, opt interp.Options, rounds int) {
	t.Helper()
	g, err := m.NewGenerator(interp.GenerateOptions{Open: opt.Open, MaxBytes: 4000})
	if err != nil {
		t.Fatal(err)
	}
	r, other := rand.New(rand.NewPCG(11, uint64(opt.Open))), rand.New(rand.NewPCG(12, uint64(opt.Open)))
	plain := unfused(t, m)
	fast, slow, w, wSlow := m.NewReader(opt), plain.NewReader(opt), m.NewWriter(opt), plain.NewWriter(opt)
	longest := 0
	for i := range rounds {
		v, _ := g.Generate(choices(r, 1<<(i%10)))
		if err := agreeWriting(w, wSlow, v, v); err != nil {
			t.Fatal(err)
		}
		b, err := wSlow.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, len(b))
		if !fast.ByPlan(b) || !w.ByPlan(v) || !w.ByPlan(unmarked(v)) {
			t.Fatalf("% x: no plan reads and writes %+v", b, v)
		}
		if err := agree(fast, slow, w, wSlow, b); err != nil {
			t.Fatal(err)
		}
		for range 6 {
			if err := agree(fast, slow, w, wSlow, damaged(r, b)); err != nil {
				t.Fatal(err)
			}
		}
		for range 4 {
			x := changedValue(r, v)
			if err := agreeWriting(w, wSlow, x, x); err != nil {
				t.Fatal(err)
			}
		}
		// limits mean the same
		for _, limited := range []interp.Options{{Open: opt.Open, MaxMemory: 1 + r.IntN(2000)}, {Open: opt.Open, MaxDepth: 1 + r.IntN(4)}} {
			used := m.NewReader(limited)
			_, _, _ = used.Read(damaged(other, b)) // nothing of it is left
			if err := agree(used, plain.NewReader(limited), m.NewWriter(limited), plain.NewWriter(limited), b); err != nil {
				t.Fatalf("%+v: %v", limited, err)
			}
		}
	}
	if longest < 16 {
		t.Errorf("the longest value has %d bytes", longest)
	}
}

// TestPlans compares plans with the instructions for every shape, in both orders.
func TestPlans(t *testing.T) {
	for name := range shapes {
		for _, order := range []string{"little", "big"} {
			t.Run(name+"-"+order, func(t *testing.T) {
				lawOfPlans(t, shape(t, name, order), interp.Options{Open: 0xff}, long.Number(40, 300))
			})
		}
	}
}

// TestPlansOfChain compares plans with the instructions for records in records, more than a depth of 1 allows.
func TestPlansOfChain(t *testing.T) {
	lawOfPlans(t, shapeOf(t, "chain", "big", chain(76)), interp.Options{Open: 0xff}, 40)
}

// TestPlansOfSchemas compares plans with the instructions for every embedded program.
func TestPlansOfSchemas(t *testing.T) {
	for _, id := range schemaIDs(t) {
		for _, open := range []uint8{0, 0xff} {
			t.Run(fmt.Sprint(id, "-", open), func(t *testing.T) {
				lawOfPlans(t, shipped(t, id), interp.Options{Open: open}, 40)
			})
		}
	}
}

// TestMemoryOfRest: a list up to the end takes the memory of its elements, wherever it begins.
func TestMemoryOfRest(t *testing.T) {
	m := shapeOf(t, "rest", "big", `type T {
    | 0 | 8 | u64 | head | "a number"
    repeat until end as list {
        | P | 1 | bool8 | x | "a truth"
    }
}`)
	const cell = 24
	for n := range 20 {
		b := append(make([]byte, 8), bytes.Repeat([]byte{1}, n)...)
		need := cell * (n + 2) // the elements, and the fields of the record
		for _, machine := range []*interp.Machine{m, unfused(t, m)} {
			if _, _, err := machine.NewReader(interp.Options{MaxMemory: need}).Read(b); err != nil {
				t.Errorf("%d elements do not fit into %d bytes: %v", n, need, err)
			}
			for less := need - 1; less > 0; less = (less - 1) / cell * cell { // also none is left for the next cell
				if _, _, err := machine.NewReader(interp.Options{MaxMemory: less}).Read(b); err == nil {
					t.Errorf("%d elements fit into %d bytes", n, less)
				}
			}
		}
	}
}

// TestLeastMemory: the least limit refuses each value with cells, by plans, the fast loops and the instructions.
func TestLeastMemory(t *testing.T) {
	refused := 0
	eachShape(t, func(name string, m *interp.Machine) {
		g, err := m.NewGenerator(interp.GenerateOptions{Open: 0xff, MaxBytes: 100})
		if err != nil {
			return
		}
		r := rand.New(rand.NewPCG(3, 4))
		for i := range 12 {
			v, _ := g.Generate(choices(r, 8*i))
			b, err := m.Encode(v, interp.Options{Open: 0xff})
			if err != nil || len(v.Cells()) == 0 {
				continue
			}
			for _, machine := range []*interp.Machine{m, unfused(t, m)} {
				_, _, err := machine.Decode(b, interp.Options{Open: 0xff, MaxMemory: 1})
				if _, _, err2 := machine.DecodeObserved(b, interp.Options{Open: 0xff, MaxMemory: 1}, interp.ObserverFunc(func(*interp.Event) {})); !errors.Is(err, interp.ErrLimit) || !sameError(err, err2) {
					t.Errorf("%s: % x: %v, by the instructions %v", name, b, err, err2)
				}
				refused++
			}
		}
	})
	if refused < 900 {
		t.Errorf("only %d packets", refused)
	}
}
