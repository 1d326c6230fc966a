// Events: reading and writing report the same rows, and an observer may change values.

package interp_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// rowsOf returns an observer that keeps the rows and padding with bytes. A value that is about to be written has none.
func rowsOf(t *testing.T, all *[]interp.Event) interp.Observer {
	return interp.ObserverFunc(func(e *interp.Event) {
		if e.Kind == interp.Operand && e.Len != 0 {
			t.Fatalf("%s: %d bytes before the value is written", e.Rule.Name, e.Len)
		}
		if (e.Kind == interp.Row || e.Kind == interp.Padding) && e.Len > 0 {
			*all = append(*all, e.Keep())
		}
	})
}

// TestRows checks that each byte of an output is in one row or in padding. Reading the
// output reports the same rows.
func TestRows(t *testing.T) {
	machines(t, func(t *testing.T, g *interp.Generator, opt interp.Options) {
		r := rand.New(rand.NewPCG(15, 16))
		m := g.Machine()
		for i := range 100 {
			v, _ := g.Generate(choices(r, i))
			var wrote, read []interp.Event
			b, err := m.AppendObserved([]byte("before"), v, opt, rowsOf(t, &wrote))
			if err != nil {
				t.Fatal(err)
			}
			b = b[len("before"):]
			if _, _, err := m.DecodeObserved(b, opt, rowsOf(t, &read)); err != nil {
				t.Fatal(err)
			}
			slices.SortStableFunc(wrote, func(a, b interp.Event) int { return cmp.Compare(a.Offset, b.Offset) })
			end := 0
			for k, e := range wrote {
				if e.Offset != end {
					t.Fatalf("% x: %s begins at %d, and the row before it ends at %d", b, e.Rule.Name, e.Offset, end)
				}
				end = e.End()
				if k >= len(read) {
					break
				}
				if f := read[k]; rowText(e) != rowText(f) {
					t.Fatalf("% x: written %s, read %s", b, rowText(e), rowText(f))
				}
			}
			if end != len(b) || len(read) != len(wrote) {
				t.Fatalf("% x: %d rows up to %d are written, %d are read", b, len(wrote), end, len(read))
			}
		}
	})
}

// rowText returns what reading and writing must agree on.
func rowText(e interp.Event) string {
	number := e.Number
	if e.Derived {
		number &= 1<<(8*min(e.Len, 7)) - 1 // signed ones are extended when they are read
	}
	return fmt.Sprintf("kind %d, bytes %d to %d, %s:%d, path %q, depth %d, derived %v %#x, value %s", e.Kind, e.Offset, e.End(), e.Rule.File, e.Rule.Line, e.Path(), e.Depth, e.Derived, number, e.Value.Kind())
}

// TestEventsNest checks the order of events. Values are closed in the reverse order of that in which they are
// opened, each instruction that begins also ends, and an error is the last event.
func TestEventsNest(t *testing.T) {
	machines(t, func(t *testing.T, g *interp.Generator, opt interp.Options) {
		r := rand.New(rand.NewPCG(17, 18))
		m := g.Machine()
		for i := range 100 {
			v, _ := g.Generate(choices(r, i))
			b, err := m.Append(nil, v, opt)
			if err != nil {
				t.Fatal(err)
			}
			if i%2 == 0 && len(b) > 0 {
				b = b[:r.IntN(len(b))]
			}
			var open []int // instructions, and -1 for values
			failed := false
			_, _, err = m.DecodeObserved(b, opt, interp.ObserverFunc(func(e *interp.Event) {
				if failed {
					t.Fatalf("% x: an event of kind %d follows an error", b, e.Kind)
				}
				if e.Expr != bytecode.None && e.Kind != interp.Computed && e.Kind != interp.Failed {
					t.Fatalf("% x: an event of kind %d has an expression", b, e.Kind)
				}
				last := func() int { return open[len(open)-1] }
				switch e.Kind {
				case interp.Open:
					open = append(open, -1)
				case interp.Before:
					open = append(open, e.PC)
				case interp.Failed:
					failed = true
				case interp.Row, interp.Padding, interp.Branch, interp.Arm, interp.After:
					if last() != e.PC {
						t.Fatalf("% x: instruction %d ends and %d is run", b, e.PC, last())
					}
					if e.Kind != interp.Row || m.Program().Code[e.PC].Op != bytecode.Union {
						open = open[:len(open)-1]
					}
				case interp.Close:
					if last() != e.PC || open[len(open)-2] != -1 {
						t.Fatalf("% x: a value ends with instruction %d and %v is open", b, e.PC, open)
					}
					open = open[:len(open)-2]
				}
			}))
			if failed != (err != nil) || !failed && len(open) != 0 {
				t.Fatalf("% x: failed %v, %v, open %v", b, failed, err, open)
			}
		}
	})
}

// TestSettable: a run continues with the values that an observer assigns.
func TestSettable(t *testing.T) {
	m := machineOf(t, observed)
	plusOne := interp.ObserverFunc(func(e *interp.Event) {
		if e.Settable() && e.Value.Kind() == interp.Uint && e.Kind != interp.Close {
			e.Value = interp.MakeUint(0, e.Value.Uint()+1)
		}
	})
	numbers := func(v interp.Value) (all []uint64) {
		for _, c := range v.Cells() {
			all = append(all, c.Uint())
		}
		return all
	}
	v, _, err := m.Decode([]byte{1, 5, 0, 7, 0, 0, 0}, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := m.DecodeObserved([]byte{0, 4, 0, 6, 0, 0, 0}, interp.Options{}, plusOne)
	if err != nil || !slices.Equal(numbers(w), []uint64{1, 5, 7}) {
		t.Errorf("%d, %v", numbers(w), err)
	}
	b, err := m.AppendObserved(nil, v, interp.Options{}, plusOne)
	if string(b) != "\x02\x06\x00\x08\x00\x00\x00" || err != nil {
		t.Errorf("% x, %v", b, err)
	}
	if w, _, _ := m.Decode([]byte{0, 4, 0, 6, 0, 0, 0}, interp.Options{}); !slices.Equal(numbers(w), []uint64{0, 4, 6}) {
		t.Errorf("an observer of the call before changes a value to %d", numbers(w))
	}
	if b, _ := m.Append(nil, v, interp.Options{}); string(b) != "\x01\x05\x00\x07\x00\x00\x00" {
		t.Errorf("an observer of the call before changes a packet to % x", b)
	}
	r := m.NewReader(interp.Options{})
	r.Observe(plusOne)
	if w, _, _ := r.Read([]byte{0, 4, 0, 6, 0, 0, 0}); !slices.Equal(numbers(w), []uint64{1, 5, 7}) {
		t.Errorf("%d", numbers(w))
	}
	r.Observe(nil)
	if w, _, _ := r.Read([]byte{1, 5, 0, 7, 0, 0, 0}); !interp.Identical(v, w, true) {
		t.Errorf("not observed: %+v instead of %+v", w, v)
	}
}

const observed = `schema "observed" {
    title "Events"
    source "none"
    order little
    root Top
}
type Top {
    | 0 | 1 | u8 | a | "one"
    | 1 | 2 | u16 | b | "two"
    | 3 | 4 | u32 | c | "three"
}
`

// TestRowsAlone: the value of a row alone has the bytes that it has in a packet.
func TestRowsAlone(t *testing.T) {
	m := machineOf(t, `schema "rows" {
    root T
}
type T {
    | 0 | 1 | u8 | n |
    | 1 | L | utf8[until "00"] | name |
    | A | 4 | utf8[4] | tag | fill "20"
    | A+4 | 2 | u16 | x |
    | A+6 | 4 | f32 | y |
    | A+10 | 1 | bool8 | z |
    | A+11 | 1 | bool8 | off |
    | A+12 | 3 | u8[3] | raw |
    | A+15 | n | utf8[n] | data | fill "00"
}`)
	rows := map[string]string{}
	_, _, err := m.DecodeObserved([]byte("\x04name\x00ab  \x02\x01\x00\x00\x80\x3f\x01\x00\x07\x08\x09da\x00\x00"), interp.Options{}, interp.ObserverFunc(func(e *interp.Event) {
		if e.Kind != interp.Row || e.Value.Kind() == interp.None {
			return
		}
		b, err := m.AppendRow([]byte("before"), e.PC, e.Value)
		if want := "before" + string(e.Bytes()); err != nil || string(b) != want && e.Rule.Name != "T.data" {
			t.Errorf("%s: % x, %v, want % x", e.Rule.Name, b, err, want)
		}
		rows[e.Rule.Name] = string(b[len("before"):])
	}))
	if err != nil || rows["T.data"] != "da" || rows["T.tag"] != "ab  " || rows["T.name"] != "name\x00" || len(rows) < 8 {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestReplaced: a writer reports the rule by which it replaces a value, counted over the arms of the union.
func TestReplaced(t *testing.T) {
	m := machineOf(t, `schema "replaced" {
    root U
    gate all
}
union Kind(tag) by tag {}
arm Kind 1 number {
    | 0 | 1 | u8 | n |
    writes class "nine" if n == 9
    writes absent if n == 0
}
arm Kind 2 class {
    | 0 | 1 | u8         | size = len(name) |
    | 1 | N | utf8[size] | name             |
}
arm Kind 3 script {
    | 0 | 1 | u8 | id |
    writes class "Script" if closed(all)
}
union U by id {
    | 0 | 1 | u8 | id |
}
arm U 0 typed {
    | 1 | 1 | u8        | tag = arm(kind) |
    | 2 | N | Kind(tag) | kind            | if tag != 0
}`)
	for _, c := range []struct {
		packet string
		open   uint8
		want   []int
	}{
		{"\x00\x01\x05", 0, nil},
		{"\x00\x01\x09", 0, []int{0}},
		{"\x00\x01\x00", 0, []int{1}},
		{"\x00\x03\x01", 0, []int{2}},
		{"\x00\x03\x01", 1, nil},
	} {
		opt := interp.Options{Open: c.open}
		v, _, err := m.Decode([]byte(c.packet), opt)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		if _, err := m.AppendObserved(nil, v, opt, interp.ObserverFunc(func(e *interp.Event) {
			if e.Kind == interp.Replaced {
				got = append(got, e.N)
			}
		})); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("% x: rules %v replace values, %v, want %v", c.packet, got, err, c.want)
		}
		noted := m.NewCoverage()
		_, _ = m.AppendObserved(nil, v, opt, noted)
		if kept := slices.ContainsFunc(reached(m, noted), func(s string) bool { return strings.HasSuffix(s, " kept") }); kept != (c.want == nil) {
			t.Errorf("% x: rules %v replace values, and that the value is kept is noted: %v", c.packet, c.want, kept)
		}
	}
}

// TestKeptEvents checks that an event that is kept has its path and its place. It has no bytes, registers and cells of
// the run.
func TestKeptEvents(t *testing.T) {
	m := machineOf(t, "schema \"kept\" {\n    order big\n    root T\n}\ntype T {\n| 0 | 1 | u8 | n = len(text) |\n| 1 | n | utf8[n] | text |\n}\n")
	var kept []interp.Event
	rows := 0
	o := interp.ObserverFunc(func(e *interp.Event) {
		if e.Kind != interp.Row || e.Len == 0 {
			return
		}
		rows++
		if len(e.Bytes()) != e.Len || len(e.Registers()) != 1 || len(e.Cells()) != 1 {
			t.Errorf("%s: bytes % x, registers %v, cells %v", e.Rule.Name, e.Bytes(), e.Registers(), e.Cells())
		}
		kept = append(kept, e.Keep())
	})
	v, _, err := m.DecodeObserved([]byte("\x02ab"), interp.Options{}, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.AppendObserved(nil, v, interp.Options{}, o); err != nil || rows != 4 {
		t.Errorf("%d rows, %v", rows, err)
	}
	for i := range kept {
		e := &kept[i]
		if e.Bytes() != nil || e.Registers() != nil || e.Cells() != nil || e.Offset != []int{0, 1}[i%2] || e.Len != []int{1, 2}[i%2] {
			t.Errorf("event %d: %d bytes at %d, % x, %v, %v", i, e.Len, e.Offset, e.Bytes(), e.Registers(), e.Cells())
		}
	}
}
