package bytecode_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
)

const plainSchema = `schema "plain" {
    title "Plain records"
    source "none"
    order little
    root T
}
type T {
    | 0 | 2 | u16 | word | "bits" {
        0..3   low  "a number"
        4..15  high "a number"
    }
    | 2 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P   | 4 | u32 | a | "a"
        | P+4 | 2 | u16 | length = len(s) | "bytes"
        | P+6 | N | utf8[length] | s | "text" pad 4 any
    }
    | Q | 4 | i32 | m = count(more) | "number"
    repeat max(m, 0) as more { | R | 1 | u8 | x | "x" }
    | S | 1 | u8 | size = size(inner) | "bytes"
    | S+1 | size | Inner | inner | "a record"
}
type Inner {
    | 0 | 1 | u8 | y | "y"
    | 1 | L | u8[until end] | tail | "the rest"
}
`

// describe lists the steps of a plain form: the operation, its place in a run, and
// how its number follows.
func describe(s *bytecode.Steps) string {
	var out []string
	for i := range s.List {
		x := &s.List[i]
		text := x.Op.String()
		if x.Run >= 0 {
			text += fmt.Sprintf(" %d+%d", x.Run, x.Off)
		}
		if b := x.From; b != nil {
			text += fmt.Sprintf(" from %d+%d", b.Run, b.Off)
			if b.Shift > 0 || !b.Plain() && !b.Floor {
				text += fmt.Sprintf(">>%d&%#x", b.Shift, b.Mask)
			}
			if b.Half != 0 {
				text += fmt.Sprintf(" sign %#x", b.Half)
			}
			if b.Floor {
				text += " floor"
			}
		}
		if x.Op == bytecode.Stop && x.Const {
			text += fmt.Sprint(" = ", x.N)
		}
		if x.Sure {
			text += " sure"
		}
		if x.Holds != nil {
			text += fmt.Sprintf(" %s(c%d)", x.Holds.Op, x.Holds.Cell)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ") + fmt.Sprint(" ", s.Runs)
}

// TestPlain compares the plain forms of records with what the schema says.
func TestPlain(t *testing.T) {
	p, err := compile.Text("plain.oct", []byte(plainSchema), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		routine string
		d       bytecode.Direction
		leave   bytecode.Op
		fixed   bool
		want    string
	}{
		{"T", bytecode.Reading, bytecode.Enter, false, "word 0+0, let from 0+0>>0&0xf, take from 0+0>>0&0xf, let from 0+0>>4&0xfff, take from 0+0>>4&0xfff, word 0+2 count(c2), " +
			"list from 0+2 sure, word 1+0 count(c3), packed from 1+0 floor sure, word 2+0 [3 4 1]"},
		{"T", bytecode.Writing, bytecode.Word, false, "expect, expect, word 0+0, let from 0+0>>0&0xf, let from 0+0>>4&0xfff, word 0+2 count(c2), " +
			"list from 0+2 sure, word 1+0 count(c3), packed from 1+0 floor sure [3 4]"},
		{"T.list", bytecode.Reading, bytecode.Done, true, "scalar 0+0, word 0+4 len(c1), text from 0+4 sure, pad [6]"},
		{"Inner", bytecode.Writing, bytecode.Done, true, "scalar 0+0, packed [1]"},
	} {
		for i := range p.Routines {
			if p.Routines[i].Name != c.routine {
				continue
			}
			f := p.Plain(int(p.Routines[i].Start), c.d)
			if got := describe(&f.Steps); got != c.want {
				t.Errorf("%s: have %s\nwant %s", c.routine, got, c.want)
			}
			if op := p.Code[f.Leave].Op; op != c.leave || f.Whole != (op == bytecode.Done) || f.Whole && f.Fixed != c.fixed {
				t.Errorf("%s: leaves at %s, whole %v, fixed %v", c.routine, op, f.Whole, f.Fixed)
			}
		}
	}
}

// TestWide compares wide forms: places within a run, constants, and conditions of lists that are decided.
func TestWide(t *testing.T) {
	for _, c := range []struct {
		schema string
		fields bytecode.Op // the one after which the form begins
		d      bytecode.Direction
		known  []bytecode.Known
		want   string
	}{
		{"png", bytecode.Fields, bytecode.Writing, nil, "word 0+0, word 0+4, word 0+8, mark 0+12, word 0+12, expect, word 0+16, check, expect, word 0+20, check, expect, word 0+24, check, " +
			"expect, word 0+25, check, word 0+26, word 0+27, expect, word 0+28, check, mark 0+29, mark 0+29, word 0+29, sum, compare, patch, let from 0+25, pass, through [33]"},
		{"dns", bytecode.Union, bytecode.Reading, []bytecode.Known{{Word: 5}}, "let, text, stop = 0 []"},
		{"dns", bytecode.Union, bytecode.Reading, []bytecode.Known{{Word: 0}}, "let, text, stop = 1 []"},
	} {
		p, err := compile.Program(c.schema, "")
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for p.Code[at].Op != c.fields {
			at++
		}
		if c.fields == bytecode.Union {
			at = p.ArmAt(p.Code[at].D, 0) + 1
		}
		f := p.Wide(at, c.d, c.known...)
		if got := describe(&f.Steps); got != c.want || !f.Whole {
			t.Errorf("%s: have %s, whole %v\nwant %s", c.schema, got, f.Whole, c.want)
		}
	}
}

// TestPlainArms decides conditions on a header word whose number is known.
func TestPlainArms(t *testing.T) {
	p, err := compile.Program("godot-4.4", "single")
	if err != nil {
		t.Fatal(err)
	}
	union := &p.Code[p.Routines[p.Root].Start]
	for _, c := range []struct {
		word  uint64
		looks uint64
		want  string
	}{
		{2, 1 << 16, "let, scalar 0+0 [4]"},
		{2 | 1<<16, 1 << 16, "let, scalar 0+0 [8]"},
		{28, 3 << 16, "let, absent, word 0+0 count(c1), let from 0+0>>0&0x7fffffff, list from 0+0>>0&0x7fffffff sure [4]"},
	} {
		arm, _ := p.Tables[union.D].ByID(c.word & 0xff)
		f := p.Plain(p.ArmAt(union.D, arm)+1, bytecode.Reading, bytecode.Known{Reg: union.B, Word: c.word})
		if got := describe(&f.Steps); got != c.want || f.Looks != c.looks || !f.Whole {
			t.Errorf("%#x: have %s, looks at %#x, whole %v\nwant %s, %#x", c.word, got, f.Looks, f.Whole, c.want, c.looks)
		}
	}
}

// TestSignedPlain compares the plain forms of a word of bits, of which some have a sign. A length with a sign is computed.
func TestSignedPlain(t *testing.T) {
	p, err := compile.Text("signed.oct", []byte(`schema "signed" {
    order little
    root T
}
type T {
    | 0 | 2 | u16 | w | {
        0..3 x signed
        4..10 y
        11..15 n signed = count(bytes)
    }
    | 2 | N | u8[n] | bytes |
}`), "")
	if err != nil {
		t.Fatal(err)
	}
	want := "word 0+0, let, take from 0+0>>0&0xf sign 0x8, let from 0+0>>4&0x7f, take from 0+0>>4&0x7f, let, packed [2]"
	f := p.Plain(0, bytecode.Reading)
	if got := describe(&f.Steps); got != want || f.Needs(1) || !f.Needs(3) {
		t.Errorf("have %s, needs r1: %t, r3: %t\nwant %s, and r3 alone", got, f.Needs(1), f.Needs(3), want)
	}
}

// TestFits compares what a writer puts into bits, with a sign and without one.
func TestFits(t *testing.T) {
	num, apply := bytecode.Num, bytecode.Apply
	fit := func(x *bytecode.Expr, n int64) *bytecode.Expr {
		return &bytecode.Expr{Op: bytecode.ExprFit, Arg: n, Args: []*bytecode.Expr{x}}
	}
	x := bytecode.Reg(0)
	signed := func(add, flip, n int64) *bytecode.Expr {
		return apply(bytecode.ExprXor, fit(apply(bytecode.ExprAdd, x, num(add)), n), num(flip))
	}
	for _, c := range []struct {
		e    *bytecode.Expr
		n    uint
		half uint64
		ok   bool
	}{
		{fit(x, 5), 5, 0, true},
		{fit(x, 64), 0, 0, false},
		{fit(x, 0), 0, 0, false},
		{signed(16, 16, 5), 5, 16, true},
		{signed(8, 16, 5), 5, 16, false},
		{signed(16, 8, 5), 5, 16, false},
		{signed(8, 8, 5), 5, 16, false},
		{apply(bytecode.ExprXor, fit(x, 5), num(16)), 0, 0, false},
		{apply(bytecode.ExprXor, x, num(16)), 0, 0, false},
		{x, 0, 0, false},
	} {
		of, n, half, ok := c.e.Fits()
		if ok != c.ok || ok && (of != x || n != c.n || half != c.half) {
			t.Errorf("%v: have %v, %d, %d, %t; want %d, %d, %t", c.e, of, n, half, ok, c.n, c.half, c.ok)
		}
	}
}

// TestFold computes expressions.
func TestFold(t *testing.T) {
	num := bytecode.Num
	leaf := func(e *bytecode.Expr) (int64, bool) { return 40 + e.Arg, e.Op == bytecode.ExprReg && e.Arg < 3 }
	fit := &bytecode.Expr{Op: bytecode.ExprFit, Arg: 5, Args: []*bytecode.Expr{bytecode.Reg(1)}}
	for _, c := range []struct {
		e    *bytecode.Expr
		want int64
		ok   bool
	}{
		{bytecode.Apply(bytecode.ExprSub, bytecode.Reg(2), num(2)), 40, true},
		{bytecode.Apply(bytecode.ExprDiv, num(3), num(0)), 0, true},
		{bytecode.Apply(bytecode.ExprSelect, num(0), num(1), bytecode.Reg(0)), 40, true},
		{bytecode.Apply(bytecode.ExprShr, num(-1), num(60)), 15, true},
		{bytecode.Apply(bytecode.ExprAdd, bytecode.Reg(3), num(2)), 0, false},
		{fit, 0, false},
	} {
		if got, ok := c.e.Fold(leaf); ok != c.ok || ok && got != c.want {
			t.Errorf("%v: have %d, %v; want %d, %v", c.e, got, ok, c.want, c.ok)
		}
	}
}

// TestCellsTwice: a reader's plain form ends before an instruction that gives a cell a value again.
func TestCellsTwice(t *testing.T) {
	number := bytecode.Instr{Op: bytecode.Scalars, A: uint32(bytecode.U8), B: 0}
	absent := bytecode.Instr{Op: bytecode.Absent, A: 0}
	for _, c := range [][]bytecode.Instr{{number, number}, {number, absent}, {absent, number}, {absent, absent}} {
		p, _ := post(t)
		p.Code[6], p.Code[7] = c[0], c[1]
		if err := bytecode.Verify(p); err != nil {
			t.Fatal(err)
		}
		if form := p.Plain(2, bytecode.Reading); form.Whole || form.Leave != 7 {
			t.Errorf("%s after %s: the form is whole: %t, ends at %d", c[1].Op, c[0].Op, form.Whole, form.Leave)
		}
		p.Code[7] = p.Code[4]
		if err := bytecode.Verify(p); err != nil {
			t.Fatal(err)
		}
		if form := p.Plain(2, bytecode.Reading); !form.Whole {
			t.Errorf("%s alone: the form ends at %d", c[0].Op, form.Leave)
		}
	}
}

// TestFixed checks that a plain form is fixed if each cell has a value on each path. That includes programs by hand.
func TestFixed(t *testing.T) {
	number, other, end := bytecode.Instr{Op: bytecode.Scalars, A: uint32(bytecode.U8), B: 0}, bytecode.Instr{Op: bytecode.Else}, bytecode.Instr{Op: bytecode.End}
	for name, c := range map[string]struct {
		code []bytecode.Instr
		want bool
	}{
		"on both paths": {[]bytecode.Instr{number, other, number, end}, true},
		"on one":        {[]bytecode.Instr{number, other, end}, false},
		"on the other":  {[]bytecode.Instr{other, number, end}, false},
	} {
		p, _ := post(t)
		code := slices.Concat([]bytecode.Instr{{Op: bytecode.If, A: uint32(len(p.Exprs))}}, c.code)
		p.Exprs = append(p.Exprs, bytecode.Reg(0))
		p.Code = slices.Replace(p.Code, 6, 7, code...)
		p.Routines[0].End += uint32(len(code) - 1)
		if err := bytecode.Verify(p); err != nil {
			t.Fatal(err)
		}
		if form := p.Plain(2, bytecode.Reading); !form.Whole || form.Fixed != c.want {
			t.Errorf("%s: whole %t, fixed %t", name, form.Whole, form.Fixed)
		}
	}
}
