// Values to put into a field: the boundaries of its numbers, the lengths of its
// texts, the counts of its lists.

package generate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
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
		s := bytecode.Scalar(in.A & 0xff)
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
		case bytecode.List, bytecode.Rest:
			out = append(out, g.lists(p, in)...)
		case bytecode.Map:
			out = append(out, g.maps(p, in)...)
		}
		out = append(out, g.excess(p, in)...)
	}
	return out
}

// numberName returns a short name for a whole number.
func numberName(u uint64, signed bool) string {
	i := int64(u)
	if signed && i < 0 {
		if n := numberName(uint64(-i), false); i != math.MinInt64 && len(n) > 6 && !strings.ContainsAny(n, "+-") {
			return "-" + n
		}
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

// ints returns the boundaries of a whole number: those of every width that the
// field can have, and those that conditions compare with.
func (g *model) ints(p place, c *cell) []variation {
	var out []variation
	signed := p.value.Kind() == interp.Int
	add := func(u uint64, keep bool, flags ...string) {
		v := interp.MakeUint(0, u)
		if signed {
			v = interp.MakeInt(0, int64(u))
		}
		name := numberName(u, signed)
		out = append(out, variation{name, "the number " + strings.Trim(name, "^"), v, append([]string{"boundary"}, flags...), keep})
		out[len(out)-1].about = "the number " + name
	}
	add(0, true)
	add(1, false)
	if signed {
		add(math.MaxUint64, true)
	}
	widest := 0
	for _, pc := range c.ops {
		if in := &g.p.Code[pc]; in.Op == bytecode.Scalars {
			widest = max(widest, bytecode.Scalar(in.A&0xff).Width())
		}
	}
	for _, pc := range c.ops {
		in := &g.p.Code[pc]
		s := bytecode.Scalar(in.A & 0xff)
		if in.Op != bytecode.Scalars || s.IsFloat() {
			continue
		}
		bits := uint(8 * s.Width())
		least, most := uint64(0), uint64(1)<<bits-1
		if bits == 64 {
			most = math.MaxUint64
		}
		if s.Signed() {
			least, most = uint64(math.MaxUint64)<<(bits-1), most>>1
		}
		add(least, true, "width")
		add(most, true, "width")
		if bits < 64 {
			add(most+1, true, "width")
			if signed {
				add(least-1, true, "width")
			} else {
				add(most, true, "width")
			}
		}
		if !s.Signed() {
			add(most>>1, false, "sign")
			add(most>>1+1, true, "sign")
		}
	}
	if widest == 8 {
		add(1<<31, false, "width")
		add(1<<32-1, true, "width")
		add(1<<32, false, "width")
		add(1<<53, false, "double")
		add(1<<53+1, true, "double")
		if signed {
			add(math.MaxUint64-1<<53, false, "double") // -(2^53+1)
		}
	}
	add(0x0102030405060708>>(8*(8-min(widest, 8))), false, "order")
	for _, e := range c.edge {
		for _, d := range []uint64{0, 1, math.MaxUint64} {
			add(e+d, false)
		}
	}
	return out
}

// taken returns numbers and truths for a field that is some bits of a word.
func (g *model) taken(p place, c *cell, in *bytecode.Instr) []variation {
	if in.C == bytecode.TakeBool {
		return []variation{{"false", "false", interp.MakeBool(0, false), []string{"flag"}, true}}
	}
	var out []variation
	keep := true
	add := func(u uint64) {
		v := interp.MakeUint(0, u)
		if in.C == bytecode.TakeInt {
			v = interp.MakeInt(0, int64(u))
		}
		name := numberName(u, in.C == bytecode.TakeInt)
		out = append(out, variation{name, "the number " + name, v, []string{"boundary"}, keep})
	}
	for _, e := range append([]uint64{0}, c.edge...) { // what conditions compare with
		add(e)
		add(e + 1)
		add(e - 1)
	}
	keep = false
	for bit := range 33 {
		add(1<<bit - 1)
		add(1 << bit)
		if in.C == bytecode.TakeInt {
			add(-(uint64(1) << bit))
			add(-(uint64(1) << bit) - 1)
		}
	}
	return out
}

// reals are the numbers that are easy to get wrong, as doubles; single says that
// single precision holds them.
var reals = []struct {
	name   string
	about  string
	bits   uint64
	single bool
	keep   bool
	flag   string
}{
	{"0", "the number 0.0", 0, true, true, "boundary"},
	{"1", "the number 1.0, which is whole and yet no int", 0x3ff0000000000000, true, true, "whole"},
	{"-0", "negative zero", 0x8000000000000000, true, true, "zero"},
	{"0.1", "the number 0.1, which single precision does not hold", 0x3fb999999999999a, false, true, "width"},
	{"inf", "infinity", 0x7ff0000000000000, true, true, "infinite"},
	{"-inf", "negative infinity", 0xfff0000000000000, true, true, "infinite"},
	{"nan", "the ordinary NaN", 0x7ff8000000000000, true, true, "nan"},
	{"nan-payload", "a NaN with a payload", 0x7ff8000000000001, false, true, "payload"},
	{"nan-payload-single", "a NaN with a payload that single precision holds", 0x7ff8000020000000, true, false, "payload"},
	{"nan-signaling", "a signaling NaN", 0x7ff0000000000001, false, false, "payload"},
	{"nan-signaling-single", "a signaling NaN of single precision", 0x7ff0000020000000, true, false, "payload"},
	{"nan-negative", "a NaN with its sign set", 0xfff8000000000000, true, false, "payload"},
	{"max-single", "the greatest number of single precision", 0x47efffffe0000000, true, true, "width"},
	{"beyond-single", "twice the greatest number of single precision", 0x47ffffffe0000000, false, true, "width"},
	{"rounds-to-inf", "a number that rounds to the infinity of single precision", 0x47effffff0000000, false, false, "width"},
	{"min-single", "the least number of single precision above 0, a subnormal", 0x36a0000000000000, true, true, "subnormal"},
	{"below-single", "half the least number of single precision", 0x3690000000000000, false, true, "subnormal"},
	{"2^24+1", "the number 16777217, the first whole one that single precision does not hold", 0x4170000010000000, false, true, "width"},
	{"max-double", "the greatest number of double precision", 0x7fefffffffffffff, false, false, "boundary"},
	{"min-double", "the least number of double precision above 0, a subnormal", 1, false, true, "subnormal"},
	{"1/3", "a third", 0x3fd5555555555555, false, false, "width"},
}

func floats() []variation {
	var out []variation
	for _, r := range reals {
		out = append(out, variation{r.name, r.about, interp.MakeFloat(0, math.Float64frombits(r.bits)), []string{"real", r.flag}, r.keep})
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
	for _, r := range reals {
		if r.flag != "payload" && r.flag != "nan" && r.flag != "infinite" && r.flag != "zero" && r.flag != "subnormal" {
			continue
		}
		if s == bytecode.F64 {
			special = append(special, r.bits)
		} else if r.single {
			special = append(special, uint64(narrow(r.bits)))
		}
	}
	for from := 0; from < len(special); from += int(in.B) {
		name := "specials"
		if from > 0 {
			name = fmt.Sprintf("specials-%d", from/int(in.B)+1)
		}
		out = append(out, variation{name, "NaNs, infinities, -0 and subnormals", make(func(i int) uint64 { return special[(from+i)%len(special)] }),
			[]string{"real", "payload"}, from == 0 && in.A&bytecode.FlagWide == 0})
	}
	if s == bytecode.F64 {
		out = append(out, variation{"not-single", "numbers that single precision does not hold",
			make(func(i int) uint64 { return math.Float64bits(0.1 * float64(i+1)) }), []string{"real", "width"}, true})
	}
	return out
}

// narrow returns the bits of single precision for those of a double that it holds.
func narrow(bits uint64) uint32 {
	f := math.Float64frombits(bits)
	if f != f {
		return uint32(bits>>63)<<31 | 0x7f800000 | uint32(bits>>29)&0x7fffff
	}
	return math.Float32bits(float32(f))
}

// alignment returns what the text, array or region at pc is padded to, or 1.
func (g *model) alignment(pc int) int {
	if next := &g.p.Code[pc+1]; next.Op == bytecode.Pad {
		return int(next.A)
	}
	return 1
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// packed returns arrays of several counts, and with special numbers.
func (g *model) packed(pc int, in *bytecode.Instr, s bytecode.Scalar) []variation {
	var out []variation
	size, align := s.Width()*int(in.B), g.alignment(pc)
	most := 2
	if align > size {
		most = align + 1
	}
	for n := range most + 1 {
		if n == 1 && size >= align {
			continue // the array itself
		}
		var b []byte
		for i := range n * int(in.B) {
			b = appendNumber(b, s, float64(i+1))
		}
		flags := []string{"count"}
		if align > 1 {
			flags = append(flags, "padding")
		}
		about := plural(n, "element")
		if pad := -n * size & (align - 1); align > 1 && align&(align-1) == 0 {
			about += " and " + plural(pad, "byte") + " of padding"
		}
		out = append(out, variation{fmt.Sprint(n), about,
			interp.MakePacked(0, s, int(in.B), b).WithWide(in.A&bytecode.FlagWide != 0), flags, in.A&bytecode.FlagWide == 0})
	}
	return append(out, lanes(in, s, 2)...)
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
	{"no-lead", "a byte that never stands in UTF-8", "\xfe", "utf8", false},
	{"latin-1", "é in Latin-1", "\xe9", "utf8", false},
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
		out = append(out, variation{plural(n, "byte"), about, interp.MakeText(0, "abcdefgh"[:min(n, 8)]), flags, true})
		out[len(out)-1].what = strings.ReplaceAll(out[len(out)-1].what, " ", "-")
	}
	for _, c := range characters {
		out = append(out, variation{c.name, c.about, interp.MakeText(0, c.text), []string{c.flag}, c.keep})
	}
	return out
}

// altered returns a value like v that is not the same: its i-th relative, or another
// value of the routine where nothing in it can be counted up.
func (g *model) altered(routine uint32, v interp.Value, i int) interp.Value {
	if i == 0 {
		return v
	}
	changed := false
	g.walk(routine, v, func(p place) {
		if changed || p.hole {
			return
		}
		with := p.value
		switch p.value.Kind() {
		case interp.Int:
			with = interp.MakeInt(0, p.value.Int()+int64(i))
		case interp.Uint:
			with = interp.MakeUint(0, p.value.Uint()+uint64(i))
		case interp.Text:
			with = interp.MakeText(0, p.value.Text()+string(rune('a'+i%26))+strings.Repeat("z", i/26))
		default:
			return
		}
		changed = true
		v = g.replace(routine, v, p.path, with)
	})
	if changed {
		return v
	}
	for _, w := range g.samples[routine] {
		if i--; sameValue(v, w) {
			i++
		} else if i == 0 {
			return w
		}
	}
	if i > 0 && len(g.samples[routine]) > 1 {
		// Relatives of the first that has some.
		for _, w := range g.samples[routine] {
			if x := g.relative(routine, w, i+len(g.samples[routine])); !sameValue(x, w) {
				return x
			}
		}
	}
	return v
}

// relative is altered for values in which something can be counted up.
func (g *model) relative(routine uint32, v interp.Value, i int) interp.Value {
	known := g.samples
	g.samples = nil
	defer func() { g.samples = known }()
	return g.altered(routine, v, i)
}

// tooMany returns the count that the word before a list, array or text cannot hold, or 0
// where it holds more than a case should have.
func (g *model) tooMany(p place) int {
	for pc := g.types[p.typ].fields; pc < len(g.p.Code) && g.p.Code[pc].Op != bytecode.Done; pc++ {
		in := &g.p.Code[pc]
		if in.Op != bytecode.Word || in.C == bytecode.None {
			continue
		}
		for _, e := range g.p.Exprs[in.C] {
			if (e.Op == bytecode.ExprCount || e.Op == bytecode.ExprLen) && int(e.Arg) == p.cell {
				if w := bytecode.Scalar(in.A).Width(); w <= 2 {
					return 1 << (8 * w)
				}
			}
		}
	}
	return 0
}

// excess returns values with as many parts or bytes as the word before them can just
// hold, half as many, and one more. They are for words of 1 or 2 bytes: what passes
// others is no case.
func (g *model) excess(p place, in *bytecode.Instr) []variation {
	n := g.tooMany(p)
	if n == 0 || in.Op != bytecode.Text && in.Op != bytecode.Packed && in.Op != bytecode.List && in.Op != bytecode.Map {
		return nil
	}
	var out []variation
	for _, x := range []struct {
		n           int
		what, about string
		keep        bool
	}{
		{n / 2, "half", "%d, for which the highest bit of the word before it is set", true},
		{n - 1, "most", "%d, which is as many as the word before it can hold", false},
		{n, "too-many", "%d, which is one more than the word before it can hold", true},
	} {
		if v, ok := g.many(p, in, x.n); ok {
			out = append(out, variation{x.what, fmt.Sprintf(x.about, x.n), v, []string{"range"}, x.keep})
		}
	}
	return out
}

// many returns a value with n parts or bytes.
func (g *model) many(p place, in *bytecode.Instr, n int) (interp.Value, bool) {
	v := p.value
	switch in.Op {
	case bytecode.Text:
		v = interp.MakeText(0, strings.Repeat("a", n))
	case bytecode.Packed:
		s := bytecode.Scalar(in.A & 0xff)
		v = interp.MakePacked(0, s, int(in.B), make([]byte, n*int(in.B)*s.Width())).WithWide(in.A&bytecode.FlagWide != 0)
	case bytecode.List, bytecode.Map:
		parts := v.Cells()
		step := 1
		if in.Op == bytecode.Map {
			step = 2
		}
		if len(parts) < step {
			return v, false
		}
		var more []interp.Value
		for i := range n {
			more = append(more, parts[:step]...)
			if step == 2 {
				more[2*i] = g.altered(in.B, parts[0], i)
			}
		}
		v = withParts(v, more)
	}
	return v, true
}

// lists returns lists of more parts.
func (g *model) lists(p place, in *bytecode.Instr) []variation {
	elem := in.B
	if in.Op == bytecode.Rest {
		elem = in.A
	}
	parts := p.value.Cells()
	if len(parts) == 0 {
		return nil
	}
	var out []variation
	for _, n := range []int{2, 3, 5} {
		var more []interp.Value
		for i := range n {
			more = append(more, g.altered(elem, parts[0], i))
		}
		out = append(out, variation{fmt.Sprint(n), plural(n, "element"), interp.MakeList(0, more), []string{"count"}, n == 2})
	}
	return out
}

// maps returns maps of more pairs, and with keys that are equal.
func (g *model) maps(p place, in *bytecode.Instr) []variation {
	parts := p.value.Cells()
	if len(parts) < 2 {
		return nil
	}
	k, v := parts[0], parts[1]
	pairs := func(cells ...interp.Value) interp.Value { return interp.MakeMap(0, cells) }
	key := func(i int) interp.Value { return g.altered(in.B, k, i) }
	value := func(i int) interp.Value { return g.altered(in.D, v, i) }
	out := []variation{
		{"2", "2 pairs", pairs(key(0), value(0), key(1), value(1)), []string{"count"}, true},
		{"3", "3 pairs", pairs(key(0), value(0), key(1), value(1), key(2), value(2)), []string{"count"}, false},
		{"order", "2 pairs, of which the greater key comes first", pairs(key(1), value(0), key(0), value(1)), []string{"key-order"}, true},
		{"equal-keys", "the same key twice", pairs(k, value(0), k, value(1)), []string{"equal-keys"}, true},
		{"equal-keys-apart", "the same key at the beginning and at the end", pairs(k, value(0), key(1), value(1), k, value(2)), []string{"equal-keys"}, true},
	}
	for _, e := range g.equals(in.B) {
		out = append(out, variation{e.what, e.about, pairs(e.a, value(0), e.b, value(1)), []string{"equal-keys"}, e.keep})
	}
	return out
}

// equal is two keys that might be the same.
type equal struct {
	what, about string
	a, b        interp.Value
	keep        bool
}

// equals returns keys of the root union that some take for the same: numbers that
// compare equal, NaNs, and texts of two types.
func (g *model) equals(routine uint32) []equal {
	t, ok := g.p.UnionTable(routine)
	if !ok {
		return nil
	}
	var out []equal
	var texts, numbers []int
	kept := map[string]bool{}
	for _, a := range t.Arms {
		tag := g.m.Tag(int(a.Type))
		cells := g.types[a.Type].cells
		name := g.p.Types[a.Type].Name
		if len(cells) != 1 || len(cells[0].ops) == 0 {
			continue
		}
		add := func(what, about string, x, y interp.Value, keep bool) {
			keep = keep && !kept[what]
			kept[what] = kept[what] || keep
			out = append(out, equal{what + "-" + name, about + " of type " + name, x.WithTag(tag), y.WithTag(tag), keep})
		}
		in := &g.p.Code[cells[0].ops[0]]
		s := bytecode.Scalar(in.A & 0xff)
		fill := func(bits uint64) interp.Value { return g.filled(int(a.Type), bits) }
		const nan = 0x7ff8000000000000
		switch {
		case in.Op == bytecode.Text:
			texts = append(texts, int(a.Type))
			add("equal-texts", "the same text twice", interp.MakeText(0, "a"), interp.MakeText(0, "a"), false)
		case (in.Op == bytecode.Scalars || in.Op == bytecode.Lanes || in.Op == bytecode.Packed) && s.IsFloat():
			if in.Op == bytecode.Scalars {
				numbers = append(numbers, int(a.Type))
			}
			add("equal-nans", "NaN twice", fill(nan), fill(nan), in.Op == bytecode.Scalars)
			add("other-nans", "two NaNs with other bits", fill(nan), fill(0xfff8000000000000), false)
			add("equal-zeros", "0.0 and -0.0", fill(0), fill(1<<63), in.Op == bytecode.Scalars)
			add("equal-numbers", "the same numbers twice", fill(0x3ff0000000000000), fill(0x3ff0000000000000), false)
		case in.Op == bytecode.Scalars:
			numbers = append(numbers, int(a.Type))
		}
	}
	out = append(out, g.equalShapes()...)
	for i, x := range texts {
		for _, y := range texts[i+1:] {
			a, b := g.p.Types[x].Name, g.p.Types[y].Name
			out = append(out, equal{"equal-" + a + "-" + b, "the same text as " + a + " and as " + b,
				interp.MakeText(g.m.Tag(x), "a"), interp.MakeText(g.m.Tag(y), "a"), true})
		}
	}
	for _, x := range numbers {
		for _, y := range numbers {
			if !g.isReal(x) && g.isReal(y) {
				a, b := g.p.Types[x].Name, g.p.Types[y].Name
				out = append(out, equal{"equal-" + a + "-" + b, "1 as " + a + " and as " + b,
					interp.MakeInt(g.m.Tag(x), 1), interp.MakeFloat(g.m.Tag(y), 1), g.p.Types[x].Fields[0].Kind == uint8(interp.Int)})
			}
		}
	}
	return out
}

func (g *model) isReal(t int) bool {
	return bytecode.Scalar(g.p.Code[g.types[t].cells[0].ops[0]].A & 0xff).IsFloat()
}

// equalShapes returns, for every shape, the same value twice, and with a NaN or a zero
// inside.
func (g *model) equalShapes() []equal {
	if g.equalled != nil {
		return g.equalled
	}
	out := []equal{}
	defer func() { g.equalled = out }()
	one := interp.MakeFloat(0, 1)
	for _, s := range g.seedList {
		if s.open != 0 {
			continue
		}
		full := g.full(s)
		name := join(g.p.Types[s.typ].Name, s.name)
		out = append(out, equal{"equal-" + name, "the same value twice, of type " + name, full, full, false})
		done := false
		g.walk(g.p.Root, full, func(p place) {
			if !p.hole || p.topPath > 0 || done {
				return
			}
			done = true
			for _, a := range g.realArms() {
				with := func(bits uint64) interp.Value {
					return g.replace(g.p.Root, full, p.path, g.filled(a, bits))
				}
				const nan = 0x7ff8000000000000
				inside := " of type " + g.p.Types[a].Name + " inside a " + g.p.Types[s.typ].Name
				end := g.p.Types[a].Name + "-in-" + name
				out = append(out,
					equal{"equal-nans-" + end, "NaN twice" + inside, with(nan), with(nan), false},
					equal{"equal-zeros-" + end, "0.0 and -0.0" + inside, with(0), with(1 << 63), false},
					equal{"equal-numbers-" + end, "the same number twice" + inside, with(math.Float64bits(one.Float())), with(math.Float64bits(one.Float())), false})
			}
		})
	}
	return out
}

// realArms returns the types of the root union that hold nothing but reals.
func (g *model) realArms() []int {
	var out []int
	t, ok := g.p.UnionTable(g.p.Root)
	if !ok {
		return nil
	}
	for _, a := range t.Arms {
		cells := g.types[a.Type].cells
		if len(cells) != 1 || len(cells[0].ops) == 0 {
			continue
		}
		in := &g.p.Code[cells[0].ops[0]]
		if op := in.Op; (op == bytecode.Scalars || op == bytecode.Lanes || op == bytecode.Packed) && bytecode.Scalar(in.A&0xff).IsFloat() {
			out = append(out, int(a.Type))
		}
	}
	return out
}

// filled returns a value of such a type whose first number has the given bits as a
// double, and whose others are 1.
func (g *model) filled(t int, bits uint64) interp.Value {
	in := &g.p.Code[g.types[t].cells[0].ops[0]]
	s := bytecode.Scalar(in.A & 0xff)
	tag := g.m.Tag(t)
	if in.Op == bytecode.Scalars {
		return interp.MakeFloat(tag, math.Float64frombits(bits))
	}
	if s == bytecode.F32 {
		bits = uint64(narrow(bits))
	}
	var b []byte
	for i := range int(in.B) {
		if i > 0 {
			b = appendNumber(b, s, 1)
		} else {
			b = appendBits(b, s, bits)
		}
	}
	if in.Op == bytecode.Packed {
		return interp.MakePacked(tag, s, int(in.B), b).WithWide(in.A&bytecode.FlagWide != 0)
	}
	return interp.MakeLanes(tag, s, b).WithWide(in.A&bytecode.FlagWide != 0)
}
