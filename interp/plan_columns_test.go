package interp

import (
	"math"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// TestColumns reads a number at a place as a column of one record and as one of several.
func TestColumns(t *testing.T) {
	in := []byte("\x00\x00\x81\x02\x83\x04\x85\x06\x87\x88........")
	word := func(s bytecode.Scalar, big bool) loadForm { return loadForm{scalar: s, big: big} }
	bit := func(shift uint, mask uint64, floor bool) *bytecode.Bits {
		return &bytecode.Bits{Shift: shift, Mask: mask, Floor: floor}
	}
	for name, c := range map[string]struct {
		col  readCol
		kind Kind
		want uint64
	}{
		"a byte":                         {readCol{op: colU8}, Uint, 0x81},
		"two bytes":                      {readCol{op: colU16}, Uint, 0x0281},
		"two bytes, the highest first":   {readCol{op: colU16Big}, Uint, 0x8102},
		"two bytes with a sign":          {readCol{op: colI16, word: word(bytecode.I16, false)}, Int, 0x0281},
		"four bytes":                     {readCol{op: colU32}, Uint, 0x04830281},
		"four bytes, the highest first":  {readCol{op: colU32Big}, Uint, 0x81028304},
		"eight bytes":                    {readCol{op: col64}, Uint, 0x8887_0685_0483_0281},
		"eight bytes, the highest first": {readCol{op: col64Big}, Uint, 0x8102_8304_8506_8788},
		"four bytes with a sign":         {readCol{op: colI32, word: word(bytecode.I32, false)}, Int, 0x04830281},
		"a sign, the highest first":      {readCol{op: colI16Big, word: word(bytecode.I16, true)}, Int, math.MaxUint64 - 0x7efd},
		"a wide sign, the highest first": {readCol{op: colI32Big, word: word(bytecode.I32, true)}, Int, math.MaxUint64 - 0x7efd_7cfb},
		"a single":                       {readCol{op: colF32, word: word(bytecode.F32, false)}, Float, math.Float64bits(float64(math.Float32frombits(0x04830281)))},
		"a single, the highest first":    {readCol{op: colF32Big, word: word(bytecode.F32, true)}, Float, math.Float64bits(float64(math.Float32frombits(0x81028304)))},
		"eight bytes of lanes":           {readCol{op: colLanes8, size: 8, n: 2}, Lanes, 0x8887_0685_0483_0281},
		"four bytes of lanes":            {readCol{op: colLanes8, size: 4, n: 4}, Lanes, 0x04830281},
		"three bytes of lanes":           {readCol{op: colLanes8, size: 3, n: 3}, Lanes, 0x830281},
		"another number":                 {readCol{op: colNumber, word: word(bytecode.I8, false)}, Int, math.MaxUint64 - 0x7e},
		"bits":                           {readCol{op: colBits, word: word(bytecode.U16, true), bits: bit(4, 0xff, false), shift: 4, mask: 0xff}, Uint, 0x10},
		"a bit":                          {readCol{op: colBits, word: word(bytecode.U16, true), bits: bit(15, 1, false), shift: 15, mask: 1}, Bool, 1},
		"bits that are a truth":          {readCol{op: colBits, word: word(bytecode.U16, true), bits: bit(8, 0xff, false), shift: 8, mask: 0xff}, Bool, 1},
		"bits that are no truth":         {readCol{op: colBits, word: word(bytecode.U16, true), bits: bit(2, 0x1f, false), shift: 2, mask: 0x1f}, Bool, 0},
		"bits of at least 0":             {readCol{op: colBits, word: word(bytecode.I8, false), bits: bit(0, math.MaxUint64, true), mask: math.MaxUint64}, Uint, 0},
		"a truth of at least 0":          {readCol{op: colBits, word: word(bytecode.U16, true), bits: bit(0, math.MaxUint64, true), mask: math.MaxUint64}, Bool, 1},
		"any truth":                      {readCol{op: colTruth, word: word(bytecode.U8, false), any: true}, Bool, 1},
	} {
		c.col.off, c.col.cell, c.col.meta = 2, 1, metaOf(0, c.kind, 0)
		var one [2]Value
		if ok := c.col.readOne(memory.Of(in), 2, one[:]); !ok || one[1].kind != c.kind || one[1].u != c.want || one[0].kind != None {
			t.Errorf("%s: %#x of kind %v in one record, want %#x", name, one[1].u, one[1].kind, c.want)
		}
		var list [6]Value
		if ok := c.col.read(memory.Of(in), []int{0, 0, 0}, list[:], 2); !ok || list[1].u != c.want || list[5].u != c.want || list[5].kind != c.kind || list[5].n != c.col.n || list[4].kind != None {
			t.Errorf("%s: %#x and %#x in a list, want %#x", name, list[1].u, list[5].u, c.want)
		}
	}
	strict := readCol{op: colTruth, word: word(bytecode.U8, false), off: 2, meta: metaOf(0, Bool, 0)}
	if strict.readOne(memory.Of(in), 2, make([]Value, 1)) {
		t.Error("0x81 is read as a truth that must be 0 or 1")
	}
}

// TestLoneColumn writes columns of one value that is no record.
func TestLoneColumn(t *testing.T) {
	octets := MakePacked(0, bytecode.U8, 1, []byte("abc"))
	for name, c := range map[string]struct {
		col   writeCol
		value Value
		want  string // "" if it does not fit
	}{
		"a truth":            {writeCol{op: putTruth, word: loadForm{scalar: bytecode.U16, big: true}}, MakeBool(0, true), "\x00\x01"},
		"a number":           {writeCol{op: putTruth, word: loadForm{scalar: bytecode.U16}}, MakeUint(0, 1), ""},
		"bytes":              {writeCol{op: putOctets, n: 3, width: 1, size: 3}, octets, "abc"},
		"bytes of a number":  {writeCol{op: putOctets, n: 2, width: 1, size: 2}, octets, ""},
		"bytes that are not": {writeCol{op: putOctets, n: 3, width: 1, size: 3}, MakeUint(0, 1), ""},
		"bits":               {writeCol{op: putBits, word: loadForm{scalar: bytecode.U8}, pieces: pieces{[]piece{{bits: 3, shift: 2}}, 0x80}}, MakeUint(0, 7), "\x9c"},
		"too many bits":      {writeCol{op: putBits, word: loadForm{scalar: bytecode.U8}, pieces: pieces{[]piece{{bits: 3, shift: 2}}, 0x80}}, MakeUint(0, 8), ""},
		"a number that fits": {writeCol{op: putInt, word: loadForm{scalar: bytecode.U8}}, MakeUint(0, 255), "\xff"},
		"a large number":     {writeCol{op: putInt, word: loadForm{scalar: bytecode.U8}}, MakeUint(0, 256), ""},
	} {
		out := make([]byte, 32)
		ok := c.col.write(memory.Of(out), []int{4}, records{[]Value{c.value}, true})
		if ok != (c.want != "") || ok && string(out[4:4+len(c.want)]) != c.want {
			t.Errorf("%s: % x, %v", name, out[:8], ok)
		}
	}
}

// TestColumnOfIntegers refuses integers of several records of which one does not fit.
func TestColumnOfIntegers(t *testing.T) {
	for _, c := range []struct {
		scalar bytecode.Scalar
		number Value
		want   bool
	}{
		{bytecode.I8, MakeInt(0, -128), true}, {bytecode.I8, MakeUint(0, 127), true}, {bytecode.I8, MakeUint(0, 128), false},
		{bytecode.I8, MakeUint(0, math.MaxUint64), false}, {bytecode.I8, MakeUint(0, 1<<64-128), false}, {bytecode.I8, MakeBool(0, true), false},
		{bytecode.I16, MakeInt(0, -1<<15), true}, {bytecode.I16, MakeUint(0, math.MaxUint64), false}, {bytecode.I16, MakeInt(0, 1<<15), false},
		{bytecode.I32, MakeInt(0, -1<<31), true}, {bytecode.I32, MakeUint(0, math.MaxUint64), false}, {bytecode.I32, MakeInt(0, -1<<31-1), false},
		{bytecode.U8, MakeUint(0, 255), true}, {bytecode.U8, MakeInt(0, -1), false}, {bytecode.U32, MakeUint(0, 1<<32), false},
	} {
		for _, big := range []bool{false, true} {
			col := writeCol{op: putInt, word: loadForm{scalar: c.scalar, big: big}}
			list := []Value{MakeRecord(0, []Value{MakeInt(0, 7)}), MakeRecord(0, []Value{c.number}), MakeRecord(0, []Value{MakeUint(0, 9)})}
			if ok := col.writeInts(memory.Of(make([]byte, 64)), []int{0, 16, 32}, list); ok != c.want {
				t.Errorf("%s, big %v: %+v fits: %v", c.scalar, big, c.number, ok)
			}
		}
	}
}
