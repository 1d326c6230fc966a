package interp_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// TestRowErrors writes values of all kinds as each row alone, reads the bytes back, and refuses other values and bytes.
func TestRowErrors(t *testing.T) {
	m := shapeOf(t, "rows", "big", `encoding counted {
    utf8 strict
    nul  counted
}
encoding loose {
    utf8 loose
}
type T {
    | 0   | 2 | u16              | number  | "a number"
    | 2   | 1 | bool8            | truth   | "a truth"
    | 3   | 2 | u8[2]            | pair    | "numbers"
    | 5   | 4 | ascii[4]         | text    | "a text"
    | 9   | 2 | octal[2]         | digits  | "a number in digits"
    | 11  | 4 | utf8[4]          | filled  | "a text" fill "20"
    | 15  | N | utf8[until "00"] | word    | "a text"
    | P   | 1 | u8               | n = count(list) | "number"
    | P+1 | n | u8[n]            | list    | "numbers"
    | Q   | 1 | u8               | k = len(counted) | "bytes"
    | Q+1 | k | counted[k]       | counted | "a text"
    | S   | 2 | Pair             | at      | "numbers"
    | S+2 | M | loose[until "41"] | loose   | "a text"
}
type Pair {
    | 0 | 1 | u8 | x | "a number"
    | 1 | 1 | u8 | y | "a number"
}`)
	values := map[string]interp.Value{
		"number": interp.MakeScalar(0, bytecode.U16, 258), "large": interp.MakeUint(0, 1<<40), "truth": interp.MakeBool(0, true), "text": interp.MakeText(0, "ab"),
		"other text": interp.MakeText(0, "é\x00"), "unit": interp.MakeUnit(0), "pair": interp.MakeLanes(0, bytecode.U8, []byte{1, 2}),
		"list": interp.MakePacked(0, bytecode.U8, 1, []byte{1, 2, 3}), "digit": interp.MakeScalar(0, bytecode.U8, 7),
	}
	accepts := map[string][]string{
		"number": {"digit", "number"}, "truth": {"truth"}, "pair": {"list"}, "at": {"pair"}, "text": {"text"}, "digits": {"digit"}, "filled": {"other text", "text"}, "word": {"text"},
		"list": {"list"}, "counted": {"text"}, "loose": {"other text", "text"},
	}
	refuses := map[string][]string{
		"number": {"", "a", "abc"}, "truth": {"", "\x01\x01"}, "at": {"a", "abc"}, "pair": {}, "text": {"\xff", "a\x80"}, "digits": {"x1", "8 "}, "filled": {"a\xff ", "\xff "}, "word": {"ab", "\xff\x00", "a\x00b"},
		"counted": {"\xff\x00"}, "loose": {"ab", "\xffA", "\xe0\x81\x81A"},
	}
	p := m.Program()
	for pc := range p.Code {
		in := &p.Code[pc]
		rule, name := p.Rules[in.Rule].Name, ""
		switch in.Op {
		case bytecode.Scalars, bytecode.Truth, bytecode.Lanes, bytecode.Packed, bytecode.Text, bytecode.Until, bytecode.Filled:
			if name = rule[len("T."):]; in.Op == bytecode.Lanes {
				name = "at"
			}
		}
		var got []string
		for kind, v := range values {
			b, err := m.AppendRow([]byte("x"), pc, v)
			if err != nil {
				if string(b) != "x" {
					t.Errorf("%s of %s: % x, %v", kind, rule, b, err)
				}
				continue
			}
			got = append(got, kind)
			back, err := m.ReadRow(pc, b[1:])
			if again, err2 := m.AppendRow([]byte("x"), pc, back); err != nil || err2 != nil || !bytes.Equal(again, b) {
				t.Errorf("%s of %s: % x is read as %v, %v, written as % x, %v", kind, rule, b, back, err, again, err2)
			}
		}
		if slices.Sort(got); !slices.Equal(got, accepts[name]) {
			t.Errorf("row %d, %s, %v writes %v, want %v", pc, name, in.Op, got, accepts[name])
		}
		for _, b := range refuses[name] {
			if v, err := m.ReadRow(pc, []byte(b)); err == nil {
				t.Errorf("%s: % x is read as %v", rule, b, v)
			}
		}
		if in.Op == bytecode.Word {
			if b, ok := interp.AppendWord([]byte("x"), p, pc, 256); ok || string(b) != "x" {
				t.Errorf("%s: 256 is written as % x", rule, b)
			}
			if b, ok := interp.AppendWord([]byte("x"), p, pc, 255); !ok || string(b) != "x\xff" {
				t.Errorf("%s: 255 is written as % x", rule, b)
			}
		}
		if _, err := m.ReadRow(pc, []byte{1}); err == nil && (in.Op == bytecode.Fields || in.Op == bytecode.Done) {
			t.Errorf("row %d, %v reads a byte", pc, in.Op)
		}
	}
}
