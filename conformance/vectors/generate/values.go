// Values to put into a field: the boundaries of its numbers, the lengths of its
// texts, the counts of its lists.

package generate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/boundary"
)

// variation is another value for a field.
type variation struct {
	what  string // part of an id
	about string
	value interp.Value
	flags []string
	keep  bool
}

// variations returns what to put into a field, by the instructions that write it.
func (g *model) variations(p place) []variation {
	var out []variation
	cell := &g.types[p.typ].cells[p.cell]
	ints := false
	for _, pc := range cell.ops {
		in := &g.p.Code[pc]
		s := in.Scalar()
		switch in.Op {
		case bytecode.Truth:
			out = append(out, variation{"false", "false", interp.MakeBool(0, false), []string{"boundary"}, true})
		case bytecode.Take:
			out = append(out, g.taken(p, cell, in)...)
		case bytecode.Scalars:
			if s.IsFloat() {
				out = append(out, floats()...)
			} else if !ints {
				ints = true // for all widths together
				out = append(out, g.ints(p, cell)...)
			}
		case bytecode.ArmRef:
			if t, ok := g.p.UnionTable(in.C); ok {
				for _, a := range t.Arms {
					name := g.p.Types[a.Type].Name
					out = append(out, variation{name, "the type " + name, interp.MakeUnit(g.m.Tag(int(a.Type))), []string{"type-of-elements"}, false})
				}
			}
		case bytecode.Lanes:
			out = append(out, lanes(in, s, 1)...)
		case bytecode.Packed:
			out = append(out, g.packed(pc, in, s)...)
			if n := p.value.Len(); n > 2 { // a fixed count
				out = append(out, lanes(in, s, n)...)
			}
		case bytecode.Text:
			out = append(out, g.texts(pc, in)...)
		case bytecode.Until, bytecode.Filled:
			out = append(out, g.delimited(pc, in)...)
		case bytecode.Gaps:
			for _, x := range []struct{ name, about, content string }{
				{"2-bytes", "2 bytes", "ab"}, {"zero-at-end", "a zero at the end", "a\x00"}, {"100-bytes", "100 bytes", strings.Repeat("c", 100)},
			} {
				out = append(out, variation{x.name, x.about, interp.MakePacked(0, bytecode.U8, 1, []byte(x.content)), []string{"boundary"}, true})
			}
		case bytecode.List, bytecode.Rest, bytecode.Through, bytecode.Spare:
			out = append(out, g.lists(p, in)...)
		case bytecode.Map:
			out = append(out, g.maps(p, in)...)
		}
		if g.exceeded[pc] < excessLimit {
			for _, v := range g.excess(p, in) {
				g.exceeded[pc] += v.value.Len()
				out = append(out, v)
			}
		}
	}
	return out
}

// numberName returns a short name for a whole number.
func numberName(u uint64, signed bool) string {
	i := int64(u)
	if signed && i < 0 {
		for bit := uint(7); bit < 64; bit++ {
			switch {
			case i == -1<<bit:
				return fmt.Sprintf("-2^%d", bit)
			case bit < 63 && i == -1<<bit-1:
				return fmt.Sprintf("-2^%d-1", bit)
			}
		}
		return strconv.FormatInt(i, 10)
	}
	for bit := uint(7); bit < 64; bit++ {
		switch u {
		case 1 << bit:
			return fmt.Sprintf("2^%d", bit)
		case 1<<bit - 1:
			return fmt.Sprintf("2^%d-1", bit)
		case 1<<bit + 1:
			return fmt.Sprintf("2^%d+1", bit)
		}
	}
	if u == math.MaxUint64 {
		return "2^64-1"
	}
	return strconv.FormatUint(u, 10)
}

// ints returns the boundaries of a whole number. They are those of every width
// that the field can have, and those that conditions compare with.
func (g *model) ints(p place, c *cell) []variation {
	var out []variation
	signed := p.value.Kind() == interp.Int
	add := func(u uint64, keep bool, flags ...string) {
		v := interp.MakeUint(0, u)
		if signed {
			v = interp.MakeInt(0, int64(u))
		}
		name := numberName(u, signed)
		out = append(out, variation{name, "the number " + name, v, slices.Compact(append([]string{"boundary"}, flags...)), keep})
	}
	for _, pc := range c.ops {
		in := &g.p.Code[pc]
		if in.Op != bytecode.Scalars || in.Scalar().IsFloat() {
			continue
		}
		for _, x := range boundary.Integers(in.Scalar()) {
			add(x.Number, x.Common, string(x.Class))
		}
	}
	for _, n := range g.widths(c) {
		add(n, true, "width")
	}
	for _, e := range c.edge {
		for _, d := range []uint64{0, 1, math.MaxUint64} {
			add(e+d, false)
		}
	}
	return out
}

// widths returns boundary numbers of a field with a coding. They are the least number of each
// width above 1 byte, and the numbers around the most that digits hold.
func (g *model) widths(c *cell) []uint64 {
	for _, pc := range c.ops {
		in := &g.p.Code[pc]
		for reg := in.B; in.Op == bytecode.Take && pc > 0; pc-- {
			if w := &g.p.Code[pc-1]; w.Op == bytecode.Word && w.B == reg {
				in = w
			}
		}
		if out := boundary.Coded(in.Coding(), in.Scalar().Signed()); out != nil {
			return out
		}
	}
	return nil
}

// taken returns numbers and truths for a field that is some bits of a word.
func (g *model) taken(p place, c *cell, in *bytecode.Instr) []variation {
	kind, _ := in.Taken()
	if kind == interp.Bool {
		return []variation{{"false", "false", interp.MakeBool(0, false), []string{"flag"}, true}}
	}
	var out []variation
	keep := true
	add := func(u uint64) {
		v := interp.MakeUint(0, u)
		if kind == interp.Int {
			v = interp.MakeInt(0, int64(u))
		}
		name := numberName(u, kind == interp.Int)
		out = append(out, variation{name, "the number " + name, v, []string{"boundary"}, keep})
	}
	for _, e := range append([]uint64{0}, c.edge...) { // what conditions compare with
		add(e)
		add(e + 1)
		add(e - 1)
	}
	for _, n := range g.widths(c) {
		add(n)
	}
	keep = false
	for bit := range 33 {
		add(1<<bit - 1)
		add(1 << bit)
		if kind == interp.Int {
			add(-(uint64(1) << bit))
			add(-(uint64(1) << bit) - 1)
		}
	}
	return out
}

func floats() []variation {
	var out []variation
	for _, r := range boundary.Reals {
		out = append(out, variation{r.Name, r.About, interp.MakeFloat(0, r.Float()), []string{"real", string(r.Class)}, r.Common})
	}
	return out
}

// lanes returns tuples, or n of them in a row.
func lanes(in *bytecode.Instr, s bytecode.Scalar, n int) []variation {
	make := func(bits func(i int) uint64) interp.Value {
		var b []byte
		for i := range int(in.B) * n {
			b = appendBits(b, s, bits(i))
		}
		if in.Op == bytecode.Packed {
			return interp.MakePacked(0, s, int(in.B), b).WithWide(in.A&bytecode.FlagWide != 0)
		}
		return interp.MakeLanes(0, s, b).WithWide(in.A&bytecode.FlagWide != 0)
	}
	var out []variation
	if !s.IsFloat() {
		top := uint64(1) << (8*s.Width() - 1)
		return append(out,
			variation{"extremes", "numbers at both ends of what they can be", make(func(i int) uint64 { return top - uint64(i%2) }), []string{"boundary"}, true},
			variation{"highest-bit", "numbers with the highest bit set", make(func(i int) uint64 { return top + uint64(i) }), []string{"boundary", "sign"}, false},
			variation{"all-ones", "numbers with all bits set", make(func(int) uint64 { return math.MaxUint64 }), []string{"boundary", "sign"}, false})
	}
	var special []uint64
	for _, r := range boundary.Reals {
		switch r.Class {
		case boundary.Payload, boundary.NaN, boundary.Infinite, boundary.Zero, boundary.Subnormal:
			_, single := r.Single()
			if bits, ok := interp.BitsOf(s, r.Float()); ok && (s == bytecode.F64 || single) {
				special = append(special, bits)
			}
		}
	}
	limits := []uint64{0x47efffffe0000000, 0x7ff0000000000000, 0xfff0000000000000, 0x36a0000000000000} // which single precision holds
	out = append(out, variation{"limits", "the greatest number of single precision, infinities, and the least number", make(func(i int) uint64 {
		bits, _ := interp.BitsOf(s, math.Float64frombits(limits[i%len(limits)]))
		return bits
	}), []string{"real", "infinite"}, in.A&bytecode.FlagWide == 0})
	for from := 0; from < len(special); from += int(in.B) {
		name := "specials"
		if from > 0 {
			name = fmt.Sprintf("specials-%d", from/int(in.B)+1)
		}
		out = append(out, variation{name, "NaNs, infinities, -0 and subnormals", make(func(i int) uint64 { return special[(from+i)%len(special)] }),
			[]string{"real", "payload"}, false})
	}
	if s == bytecode.F64 {
		out = append(out, variation{"not-single", "numbers that single precision does not hold",
			make(func(i int) uint64 { return math.Float64bits(0.1 * float64(i+1)) }), []string{"real", "width"}, true})
	}
	return out
}

// characters are texts that are easy to get wrong, and can be written.
var characters = []struct {
	name, about, text string
	flag              string
	keep              bool
}{
	{"2-byte-character", "é, one character of 2 bytes", "é", "characters", true},
	{"3-byte-character", "日, one character of 3 bytes", "日", "characters", true},
	{"4-byte-character", "😀, one character of 4 bytes, and two units of UTF-16", "😀", "characters", true},
	{"mixed", "characters of 1, 2, 3 and 4 bytes", "aé日😀", "characters", false},
	{"not-composed", "e and a combining accent, which are not é", "e\u0301", "characters", false},
	{"last-character", "the last character of Unicode", "\U0010ffff", "characters", false},
	{"noncharacter", "U+FFFF, which is no character but allowed in UTF-8", "\uffff", "characters", false},
	{"mark-inside", "a byte order mark that is not at the beginning", "a\ufeff", "mark", false},
	{"mark-first", "a byte order mark at the beginning", "\ufeffa", "mark", false},
	{"two-marks", "two byte order marks at the beginning", "\ufeff\ufeffa", "mark", false},
	{"control", "control characters and what other notations escape", "\t\r\n\"\\\x7f", "characters", false},
	{"zero-byte", "a zero byte inside", "a\x00b", "nul", true},
	{"zero-byte-last", "a zero byte at the end", "a\x00", "nul", false},
	{"surrogate", "half of a surrogate pair", "\xed\xa0\x80", "utf8-surrogate", true},
	{"not-utf8", "a byte that is no UTF-8", "a\xff", "utf8", true},
	{"overlong", "a zero byte in two", "\xc0\x80", "utf8-overlong", false},
	{"beyond", "a number above the last character", "\xf4\x90\x80\x80", "utf8-beyond", false},
	{"cut", "a character without its end", "\xe6\x97", "utf8", false},
	{"broken", "a character that is not continued", "\xc3a", "utf8", false},
	{"stray", "a byte that only continues a character", "\x80", "utf8", false},
	{"no-lead", "a byte that never occurs in UTF-8", "\xfe", "utf8", false},
	{"latin-1", "é in Latin-1", "\xe9", "utf8", false},
	{"host-name", "__proto__, a special name in JavaScript", "__proto__", "names", true},
}

// texts returns texts of several lengths, and of special characters.
func (g *model) texts(pc int, in *bytecode.Instr) []variation {
	var out []variation
	align := g.alignment(pc)
	for n := range align + 2 {
		about := "no bytes"
		if n > 0 {
			about = plural(n, "byte")
		}
		if align > 1 {
			about += ", and padding to a multiple of " + fmt.Sprint(align)
		}
		flags := []string{"padding"}
		if n == 0 {
			flags = append(flags, "empty")
		}
		what := strings.ReplaceAll(plural(n, "byte"), " ", "-")
		out = append(out, variation{what, about, interp.MakeText(0, "abcdefgh"[:min(n, 8)]), flags, true})
	}
	for _, c := range characters {
		out = append(out, variation{c.name, c.about, interp.MakeText(0, c.text), []string{c.flag}, c.keep})
	}
	return out
}

// delimited returns contents of a row that ends before some bytes. Some are of several
// lengths, and some have the bytes that end it.
func (g *model) delimited(pc int, in *bytecode.Instr) []variation {
	out := []variation{}
	add := func(what, about, content string, flags ...string) {
		v := interp.MakeText(0, content)
		if in.A == bytecode.None {
			v = interp.MakePacked(0, bytecode.U8, 1, []byte(content))
		}
		out = append(out, variation{what, about, v, flags, true})
	}
	if in.A != bytecode.None {
		out = g.texts(pc, in)
	} else {
		add("no-bytes", "no bytes", "", "empty")
		add("2-bytes", "2 bytes", "ab", "boundary")
	}
	end, unit, last := g.p.Delimiter(in)
	longer := "1 byte more than the row has"
	if unit > 1 { // the characters of its code units
		text, _ := g.m.ReadText(int(in.A), []byte(end))
		end, longer = string(text), "1 character more than the row has"
	}
	if in.Op == bytecode.Filled {
		if n, ok := g.p.Exprs[in.B].Constant(); ok && n >= 0 && n < 1<<12 {
			add("too-long", longer, strings.Repeat("c", int(n)/unit+1), "boundary")
		}
	}
	if end != "" {
		add("end-inside", "content that holds the bytes that end it", "a"+end+"b", "boundary")
	}
	if last {
		add("end-last", "content that ends with the bytes that fill its row", "a"+end, "boundary")
	}
	return out
}
