package interp_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

const misfits = `schema "misfits" {
    order big
    root T
}
type T {
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | bytes = size(item) |
    | 2 | bytes | Item(kind) | item | check kind < 8
    | P | 1 | u8 | n = count(list) |
    repeat n as list {
        | Q   | 1 | u8 | x |
        | Q+1 | 2 | u16 | y |
    }
    | R | 1 | u8 | m = len(text) |
    | R+1 | m | utf8[m] | text |
    | S | 1 | u8 | k = count(numbers) |
    | S+1 | 2*k | u16[k] | numbers |
    | U | 2+kind-kind | utf8[2+kind-kind] | name | fill "20"
    | V | N | Last[until stop == 1](kind) | rest |
    | O | 1 | One(kind) | one |
    | W | B | Body(kind) | body |
    if kind == 1 { | X | 1 | u8 | extra | }
    | Y | 1 | u8 | w = kind * 2 |
    | Y+1 | 4 | u32 | sum = crc32(kind..w) |
}
type Item(k) {
    | 0 | 1 | u8 | x |
    | 1 | 1 | u8 | y | if k > 2
}
type Last(k) { | 0 | 1 | u8 | stop | }
type One(k) { | 0 | 1 | u8 | x | check x + k < 1000 }
union Body(k) by k {}
arm Body 0..1 one { | 0 | 1 | u8 | x | }
arm Body else two { | 0 | 2 | u16 | x | }
`

// wrapped returns an expression that is x if a register is 0 or 1. For a writer it is no number otherwise.
func wrapped(x *bytecode.Expr, reg int) *bytecode.Expr {
	fit := &bytecode.Expr{Op: bytecode.ExprFit, Arg: 1, Args: []*bytecode.Expr{bytecode.Reg(reg)}}
	return bytecode.Apply(bytecode.ExprAdd, x, bytecode.Apply(bytecode.ExprSub, fit, bytecode.Reg(reg)))
}

// TestMisfits checks that a number that does not fit is refused wherever a writer computes it. Plans and the instructions
// report the row of the instruction. A generator makes no such value.
func TestMisfits(t *testing.T) {
	program := func() *bytecode.Program {
		p, err := compile.Text("misfits.oct", []byte(misfits), "")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	original := machineOf(t, misfits)
	values := misfitValues(t, original)
	operands := map[bytecode.Op]func(*bytecode.Instr) *uint32{
		bytecode.Let: func(in *bytecode.Instr) *uint32 { return &in.B }, bytecode.Text: func(in *bytecode.Instr) *uint32 { return &in.B }, bytecode.Filled: func(in *bytecode.Instr) *uint32 { return &in.B },
		bytecode.Check: func(in *bytecode.Instr) *uint32 { return &in.A }, bytecode.If: func(in *bytecode.Instr) *uint32 { return &in.A }, bytecode.Stop: func(in *bytecode.Instr) *uint32 { return &in.A }, bytecode.List: func(in *bytecode.Instr) *uint32 { return &in.A },
		bytecode.Patch: func(in *bytecode.Instr) *uint32 { return &in.C }, bytecode.Switch: func(in *bytecode.Instr) *uint32 { return &in.C }, bytecode.Packed: func(in *bytecode.Instr) *uint32 { return &in.C }, bytecode.Word: func(in *bytecode.Instr) *uint32 { return &in.C },
		bytecode.Call: func(in *bytecode.Instr) *uint32 { return &in.C },
	}
	seen := map[bytecode.Op]bool{}
	for pc := range program().Code {
		p := program()
		in := &p.Code[pc]
		operand := operands[in.Op]
		r := slices.IndexFunc(p.Routines, func(r bytecode.Routine) bool { return pc >= int(r.Start) && pc < int(r.End) })
		if operand == nil || *operand(in) == bytecode.None || in.Op == bytecode.Call && len(p.Args[in.C]) == 0 {
			continue
		}
		reg := 0 // of the kind
		if p.Routines[r].Args == 0 {
			i := slices.IndexFunc(p.Code[p.Routines[r].Start:], func(in bytecode.Instr) bool { return in.Op == bytecode.Word })
			if first := int(p.Routines[r].Start) + i; i < 0 || first >= pc {
				continue
			} else {
				reg = int(p.Code[first].B)
			}
		}
		at := operand(in)
		if in.Op == bytecode.Call {
			p.Args[in.C] = slices.Clone(p.Args[in.C])
			at = &p.Args[in.C][0]
		}
		p.Exprs = append(p.Exprs, wrapped(p.Exprs[*at], reg))
		*at = uint32(len(p.Exprs) - 1)
		name := fmt.Sprintf("instruction %d, %s", pc, in.Op)
		if err := bytecode.Verify(p); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m, err := interp.New(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.NewGenerator(interp.GenerateOptions{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for kind, v := range values {
			want, _ := original.Encode(v, interp.Options{})
			got, n, err := m.Decode(want, interp.Options{})
			got2, n2, err2 := m.DecodeObserved(want, interp.Options{}, interp.ObserverFunc(func(*interp.Event) {}))
			if n != n2 || fmt.Sprint(err) != fmt.Sprint(err2) || !interp.Identical(got, got2, true) {
				t.Errorf("%s: kind %d: read %v, %v; by the instructions %v, %v", name, kind, got, err, got2, err2)
			}
			b, err := m.Encode(v, interp.Options{})
			b2, err2 := m.AppendObserved(nil, v, interp.Options{}, interp.ObserverFunc(func(*interp.Event) {}))
			choices, none := g.Choices(v)
			var e *interp.Error
			switch {
			case fmt.Sprint(err) != fmt.Sprint(err2) || string(b) != string(b2):
				t.Errorf("%s: kind %d: % x, %v; by the instructions % x, %v", name, kind, b, err, b2, err2)
			case kind < 2 && (err != nil || string(b) != string(want)):
				t.Errorf("%s: kind %d: % x, %v, want % x", name, kind, b, err, want)
			case kind < 2:
				if got, _, ok := g.Try(choices); none != nil || !ok || !interp.Identical(got, v, true) {
					t.Errorf("%s: kind %d: generated %v, %v", name, kind, got, none)
				}
				if got, _, err := m.Decode(want, interp.Options{}); err != nil || !interp.Identical(got, v, true) {
					t.Errorf("%s: kind %d: read %v, %v", name, kind, got, err)
				}
			case !errors.As(err, &e) || e.Kind != interp.ErrRange || e.Rule != p.Rules[in.Rule]:
				t.Errorf("%s: kind %d: % x, %v", name, kind, b, err)
			case !errors.Is(none, interp.ErrNoChoices):
				t.Errorf("%s: kind %d: choices % x, %v", name, kind, choices, none)
			default:
				seen[in.Op] = true
			}
		}
	}
	for op := range operands {
		if !seen[op] {
			t.Errorf("no %s was changed", op)
		}
	}
}

// misfitValues returns a value of each kind.
func misfitValues(t *testing.T, m *interp.Machine) (values []interp.Value) {
	for _, kind := range []byte{0, 1, 2} {
		b := []byte{kind, 1, 5, 2, 6, 0, 7, 6, 0, 7, 2, 'a', 'b', 1, 0, 8, 'c', ' ', 0, 1, 7, 9}
		switch kind {
		case 1:
			b = append(b, 4)
		case 2:
			b = append(b, 3)
		}
		b = append(b, 2*kind, 0, 0, 0, 0)
		v, _, err := m.Decode(b, interp.Options{})
		var e *interp.Error
		if errors.As(err, &e) && e.Kind == interp.ErrChecksum {
			binary.BigEndian.PutUint32(b[len(b)-4:], crc32.ChecksumIEEE(b[:len(b)-4]))
			v, _, err = m.Decode(b, interp.Options{})
		}
		if err != nil {
			t.Fatalf("% x: %v", b, err)
		}
		values = append(values, v)
	}
	return values
}

// TestPatchOutside: a program by hand takes another register for the place of a word that it completes. The verifier accepts
// some that are behind what was written at times. A writer refuses these.
func TestPatchOutside(t *testing.T) {
	original := programOf(t, "../fuzz/languages/testdata/part-sums.oct")
	refused := 0
	try := func(p *bytecode.Program) {
		m, err := interp.New(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.NewGenerator(interp.GenerateOptions{MaxBytes: 200})
		if err != nil {
			return
		}
		for r := range uint64(20) {
			v, _ := g.Generate(choices(rand.New(rand.NewPCG(r, 2)), 40))
			c := m.NewCoverage()
			var e *interp.Error
			_, err := m.AppendObserved(nil, v, interp.Options{}, c)
			if errors.As(err, &e) && e.Kind == interp.ErrMismatch && e.Expected == "a place inside what was written" {
				refused++
				return
			}
		}
	}
	for pc := range original.Code {
		if original.Code[pc].Op != bytecode.Patch {
			continue
		}
		for reg := range original.Routines[original.Root].Regs {
			p := *original
			p.Code = slices.Clone(original.Code)
			if p.Code[pc].B = reg; bytecode.Verify(&p) == nil {
				try(&p)
			}
		}
	}
	if refused == 0 {
		t.Error("no writer refuses a place")
	}
}

const bitsOfWord = `schema "bits" { root T }
type T {
    | 0 | 1 | u8 | head | {
        0..2  low
        3..6  high = count(list)
        7     flag
    }
    | 1 | N | u8[high] | list |
}
`

// TestMisfitNamesBits: the error of a number that does not fit its bits names their row and its limits.
func TestMisfitNamesBits(t *testing.T) {
	m := machineOf(t, bitsOfWord)
	for want, value := range map[string][2]uint64{
		"a number from 0 to 7 for T.low, found 8":    {8, 0},
		"a number from 0 to 15 for T.high, found 16": {7, 16},
		"": {7, 15},
	} {
		v := interp.MakeRecord(m.Tag(0), []interp.Value{interp.MakeUint(0, value[0]), interp.MakeBool(0, true), interp.MakePacked(0, bytecode.U8, 1, make([]byte, value[1]))})
		_, err := m.Encode(v, interp.Options{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v: %v, want %s", value, err, want)
		}
	}
}

// TestMisfitSigned: the limits of signed bits are below and above 0, and the number is the one of the value.
func TestMisfitSigned(t *testing.T) {
	m := machineOf(t, `schema "signed" {
    root T
}
type T {
    | 0 | 8 | u64 | a | { 3..6 x signed }
    | 8 | 8 | u64 | b | { 0..63 y signed }
}
`)
	for _, c := range []struct {
		x, y int64
		want string
	}{
		{-8, math.MinInt64, ""},
		{7, math.MaxInt64, ""},
		{-9, 0, "a number from -8 to 7 for T.x, found -9"},
		{8, 0, "a number from -8 to 7 for T.x, found 8"},
		{math.MinInt64, 0, "a number from -8 to 7 for T.x, found -9223372036854775808"},
		{math.MaxInt64, 0, "a number from -8 to 7 for T.x, found 9223372036854775807"},
	} {
		v := interp.MakeRecord(m.Tag(0), []interp.Value{interp.MakeInt(0, c.x), interp.MakeInt(0, c.y)})
		b, err := m.Encode(v, interp.Options{})
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%d: %v, want %s", c.x, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want := binary.LittleEndian.AppendUint64([]byte{byte(c.x) & 15 << 3, 7: 0}, uint64(c.y))
		if !bytes.Equal(b, want) {
			t.Errorf("%d, %d: % x, want % x", c.x, c.y, b, want)
		}
		got, _, err := m.Decode(b, interp.Options{})
		if again, err2 := m.Encode(got, interp.Options{}); err != nil || err2 != nil || !bytes.Equal(again, want) {
			t.Errorf("% x: %v, again % x, %v", b, err, again, err2)
		}
	}
}

// TestUnequal: the error of a number that does not follow from others says both.
func TestUnequal(t *testing.T) {
	m := machineOf(t, `schema "unequal" {
    root T
}
type T {
    | 0 | 1 | i8  | n |
    | 1 | 4 | i32 | twice = n * 2 |
}
`)
	_, _, err := m.Decode([]byte{0xff, 0xfd, 0xff, 0xff, 0xff}, interp.Options{})
	if want := "twice is -3, but a writer computes -2"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestOrderedSizes: the size of a row in one of several forms has the order of the body.
func TestOrderedSizes(t *testing.T) {
	m := machineOf(t, `schema "ordered-sizes" {
    root T
}
type T {
    | 0 | 1 | u8 | data | "1: the lowest byte first, 2: the highest"
    order by data { 1 little, 2 big }
    | 1 | N | Block | block |
}
type Block {
    | 0 | 1      | u8                       | wide              |
    | 1 | 2 or 4 | by wide { 0 u16, 1 u32 } | size = size(body) |
    | P | size   | Body                     | body              |
}
type Body {
    | 0 | 1 | u8            | x    |
    | 1 | R | u8[until end] | rest |
}
`)
	for _, packet := range []string{
		"\x01\x00\x03\x00abc", "\x02\x00\x00\x03abc", "\x01\x01\x03\x00\x00\x00abc", "\x02\x01\x00\x00\x00\x03abc",
	} {
		v, _, err := m.Decode([]byte(packet), interp.Options{})
		if err != nil {
			t.Errorf("%q: %v", packet, err)
			continue
		}
		if b, err := m.Encode(v, interp.Options{}); err != nil || string(b) != packet {
			t.Errorf("%q is written as %q, %v", packet, b, err)
		}
	}
}
