// Numbers that Kaitai does not have: a type for each, which reads its parts and has the number as an instance.

package kaitai

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// numeral returns the type of the entry of a number. It also returns what follows the name of the
// entry in an expression for the number.
func (w *writer) numeral(s *model.Stmt) (typ, after string) {
	c := s.Coding
	if c == builtin.Fixed {
		return w.scalar(s.Scalar, s.Swapped), path(s.Scalar)
	}
	key := fmt.Sprintf("%s %q %s %t", c, c.Fill(), c.Side(), s.Longer)
	name, ok := w.lanes[key]
	if ok {
		return name, ".number"
	}
	name = identifier(c.String())
	if s.Longer {
		name += "_any"
	}
	name = w.taken.Name(name)
	w.lanes[key] = name
	switch t := w.newType(name, nil); {
	case c.End() != "":
		t.ended(c, s.Longer)
	case c.Varies():
		w.coded(t, c, s.Longer)
	case c.Most() > model.MaxExact:
		w.missing.Add("numbers of " + c.String() + ", which may be beyond 2^53")
	case s.Longer || c.Side() != builtin.NoSide:
		w.blanks(t, c, s.Longer)
	default:
		w.digits(t, c)
	}
	return name, ".number"
}

// path returns what follows the name of an entry of a scalar in an expression for the number.
func path(s builtin.Scalar) string {
	if s.Odd() && s != builtin.U24 {
		return ".number"
	}
	return ""
}

// odd returns the name of the type of a scalar that a runtime cannot read with one call. The scalar has a sign or more
// than 32 bits.
func (w *writer) odd(s builtin.Scalar, big bool) string {
	order, key := "le", s.String()
	if big {
		order = "be"
	}
	if big != w.m.Big {
		key += order
	}
	if name, ok := w.lanes[key]; ok {
		return name
	}
	name := w.taken.Name(key)
	w.lanes[key] = name
	t := w.newType(name, nil)
	number := ""
	if s.Width() < 4 {
		number = t.add("", "unsigned").set("type", w.scalar(builtin.U24, big != w.m.Big)).id
	} else {
		lower := &attr{"lower", [][2]string{{"type", "u4" + order}}}
		upper := &attr{"upper", [][2]string{{"type", fmt.Sprintf("u%d%s", s.Width()-4, order)}}}
		switch s.Width() {
		case 5:
			upper.keys[0][1] = "u1"
		case 7:
			upper.keys[0][1] = w.scalar(builtin.U24, big != w.m.Big)
		}
		if t.seq = []*attr{lower, upper}; big {
			t.seq = []*attr{upper, lower}
		}
		number = "upper.as<u8> * 4294967296 + lower.as<u8>"
	}
	switch {
	case s.Width() == 7 && s.Signed(): // the number without its sign may be beyond 2^53
		number = "(upper >= 8388608 ? upper.as<s8> - 16777216 : upper.as<s8>) * 4294967296 + lower.as<s8>"
	case s.Signed():
		x := t.instance("positive", number)
		number = fmt.Sprintf("%s >= %d ? %s.as<s8> - %d : %s.as<s8>", x, int64(1)<<(8*s.Width()-1), x, int64(1)<<(8*s.Width()), x)
	}
	t.instance("number", number)
	return name
}

// coded declares the entries of a number of varying width: its groups, and what they must be.
func (w *writer) coded(t *ktype, c builtin.Coding, longer bool) {
	if c == builtin.BER {
		t.length(longer)
		return
	}
	if ledForms[c] != nil {
		t.led(c, longer)
		return
	}
	t.add("", "groups").set("type", "u1").set("repeat", "until").set("repeat-until", "_ < 128")
	t.demand("", fmt.Sprintf("groups.size <= %d", builtin.MaxCoded), "the number has at most 10 bytes")
	highest, shorter := "groups[9] <= 1", "groups.last == 0"
	switch c {
	case builtin.SLEB128:
		below := "groups[groups.size - 2] % 128"
		highest = "groups[9] == 0 or groups[9] == 127"
		shorter = "(groups.last == 0 and " + below + " < 64) or (groups.last == 127 and " + below + " >= 64)"
	case builtin.VLQ:
		highest, shorter = "groups[0] <= 129", "groups[0] == 128"
	}
	t.demand("", fmt.Sprintf("groups.size < %d or (%s)", builtin.MaxCoded, highest), "the number has 64 bits")
	if !longer {
		t.demand("", "groups.size == 1 or not ("+shorter+")", "the number has no more bytes than necessary")
	}
	switch c {
	case builtin.SLEB128: // the inverted groups of a negative number n are those of -1-n
		negative := t.instance("negative", "groups.last >= 64")
		above := t.instance("magnitude", sum(func(i int) string {
			return fmt.Sprintf("(%s ? 127 - groups[%d] %% 128 : groups[%d] %% 128).as<s8>", negative, i, i)
		}))
		t.instance("number", fmt.Sprintf("%s ? 0 - %s - 1 : %s", negative, above, above))
	case builtin.Zigzag:
		twice := t.instance("twice", sum(lowestFirst))
		half := fmt.Sprintf("(%s / 2).as<s8>", twice)
		t.instance("number", fmt.Sprintf("%s %% 2 == 0 ? %s : 0 - %s - 1", twice, half, half))
	case builtin.VLQ:
		t.instance("number", sum(func(i int) string { return fmt.Sprintf("(groups[groups.size - %d] %% 128).as<u8>", i+1) }))
	default:
		t.instance("number", sum(lowestFirst))
	}
}

// length declares the entries of a length of ASN.1. They are its first byte and the bytes after it, with what these
// must be.
func (t *ktype) length(longer bool) {
	t.add("", "leading").set("type", "u1").set("valid/expr", fmt.Sprintf("_ != 128 and _ < %d", 128+builtin.MaxCoded))
	t.add("", "groups").set("type", "u1").set("repeat", "expr").set("repeat-expr", "leading < 128 ? 0 : leading - 128")
	t.demand("", "groups.size < 9 or groups[0] == 0", "the number has 64 bits")
	if !longer {
		t.demand("", "groups.size == 0 or (groups[0] != 0 and (groups.size > 1 or groups[0] >= 128))", "the number has no more bytes than necessary")
	}
	text := "(leading < 128 ? leading : groups[groups.size - 1]).as<u8>"
	for i := 1; i < 8; i++ {
		text += fmt.Sprintf(" + (groups.size > %d ? groups[groups.size - %d].as<u8> * %d : 0)", i, i+1, int64(1)<<(8*i))
	}
	t.instance("number", text)
}

// ledForms has the forms of numbers whose first byte says how many bytes follow. Each has the lowest first byte, the
// bytes that follow, and the lowest number that needs the form. The highest first byte is at the beginning.
var ledForms = map[builtin.Coding][]struct {
	first, after int
	least        int64
}{
	builtin.QUIC:        {{0xc0, 7, 1 << 30}, {0x80, 3, 1 << 14}, {0x40, 1, 1 << 6}, {0, 0, 0}},
	builtin.CompactSize: {{0xff, 8, 1 << 32}, {0xfe, 4, 1 << 16}, {0xfd, 2, 0xfd}, {0, 0, 0}},
	builtin.EBML: {{0x80, 0, 0}, {0x40, 1, 1<<7 - 1}, {0x20, 2, 1<<14 - 1}, {0x10, 3, 1<<21 - 1}, {8, 4, 1<<28 - 1},
		{4, 5, 1<<35 - 1}, {2, 6, 1<<42 - 1}, {1, 7, 1<<49 - 1}},
}

// led declares the entries of a number whose first byte says how many bytes follow, and what they must be.
func (t *ktype) led(c builtin.Coding, longer bool) {
	after, high, least := "", "", ""
	forms := ledForms[c]
	for i, f := range forms {
		when := ""
		if i < len(forms)-1 {
			when = fmt.Sprintf("leading >= %d ? ", f.first)
		}
		sep := " : "
		if i == len(forms)-1 {
			sep = ""
		}
		after += fmt.Sprint(when, f.after, sep)
		high += fmt.Sprintf("%s(leading - %d).as<u8> * %d%s", when, f.first, int64(1)<<(8*min(f.after, 7)), sep)
		least += fmt.Sprint(when, f.least, sep)
	}
	leading := t.add("", "leading").set("type", "u1")
	if c == builtin.EBML {
		leading.set("valid/expr", "_ != 0")
	}
	t.add("", "groups").set("type", "u1").set("repeat", "expr").set("repeat-expr", after)
	if c == builtin.EBML {
		for n := range 8 {
			known := fmt.Sprintf("groups.size != %d or leading != %d", n, 0x100>>n-1)
			for i := range n {
				known += fmt.Sprintf(" or groups[%d] != 255", i)
			}
			t.demand("", known, "the number is known")
		}
	}
	text := "(" + high + ")"
	for i := range 8 {
		index := fmt.Sprintf("groups.size - %d", i+1)
		if c == builtin.CompactSize {
			index = fmt.Sprint(i)
		}
		text += fmt.Sprintf(" + (groups.size > %d ? groups[%s].as<u8> * %d : 0)", i, index, int64(1)<<(8*i))
	}
	number := t.instance("number", text)
	if !longer {
		t.demand("", fmt.Sprintf("%s >= (%s)", number, least), "the number has no more bytes than necessary")
	}
}

// digits declares the entries of a number in digits, and of the bytes that fill its row.
func (w *writer) digits(t *ktype, c builtin.Coding) {
	n := c.Digits()
	t.add("", "digits").set("type", "u1").set("repeat", "expr").set("repeat-expr", fmt.Sprint(n)).set("valid/expr", digit("_", c, false))
	for _, b := range []byte(c.Fill()) {
		t.add("", "fill").set("type", "u1").set("valid", fmt.Sprint(b))
	}
	text, factor := "", int64(1)
	for i := n - 1; i >= 0; i-- {
		text = fmt.Sprintf(" + (%s).as<u8> * %d", digitValue(fmt.Sprintf("digits[%d]", i), c), factor) + text
		factor *= int64(c.Base())
	}
	t.instance("number", text[len(" + "):])
}

// ended declares the entries of a number in digits before a terminator, and what they must be. The first byte
// of the terminator is the last one of the digits.
func (t *ktype) ended(c builtin.Coding, any bool) {
	within := digit("_", c, any)
	if c.Signed() {
		within = "(" + within + " or _ == 45)"
	}
	t.add("", "digits").set("type", "u1").set("repeat", "until").set("repeat-until", "not "+within)
	end := c.End()
	t.demand("", fmt.Sprintf("digits.last == %d", end[0]), "the terminator is after the digits")
	for _, b := range []byte(end[1:]) {
		t.add("", "fill").set("type", "u1").set("valid", fmt.Sprint(b))
	}
	n, negative := t.instance("count", "digits.size - 1"), ""
	if c.Signed() {
		negative = t.instance("negative", "digits[0] == 45")
		n = t.instance("count", fmt.Sprintf("%s ? digits.size - 2 : digits.size - 1", negative))
		t.demand("", fmt.Sprintf("digits.size <= %d", 2+builtin.MaxDigits), "the number has at most 31 digits")
		for i := range builtin.MaxDigits {
			t.demand("", fmt.Sprintf("digits.size <= %d or digits[%d] != 45", i+1, i+1), "a sign is before the digits")
		}
	}
	most, limit := highestDigits(c), builtin.MaxDigits
	if !any {
		limit = len(most)
	}
	t.demand("", fmt.Sprintf("%s >= 1 and %s <= %d", n, n, limit), fmt.Sprintf("the number has 1 to %d digits", limit))
	at := func(i int) string { return fmt.Sprintf("digits[digits.size - %d]", i+2) } // from the lowest one
	highest := fmt.Sprintf("%s <= %d", at(0), most[len(most)-1])
	if c.Signed() {
		highest = fmt.Sprintf("(%s <= 55 or (%s and %s == 56))", at(0), negative, at(0))
	}
	for i := 1; i < len(most); i++ {
		b := most[len(most)-1-i]
		highest = fmt.Sprintf("(%s < %d or (%s == %d and %s))", at(i), b, at(i), b, highest)
	}
	if c.Base() != 16 {
		t.demand("", fmt.Sprintf("%s < %d or %s", n, len(most), highest), "the number has 64 bits")
	}
	for i := len(most); i < limit; i++ {
		t.demand("", fmt.Sprintf("%s <= %d or %s == 48", n, i, at(i)), "the number has 64 bits")
	}
	if !any {
		zero := fmt.Sprintf("%s == 1 or digits[digits.size - 1 - %s] != 48", n, n)
		if c.Signed() {
			zero = fmt.Sprintf("digits[digits.size - 1 - %s] != 48 or (%s == 1 and not %s)", n, n, negative)
		}
		t.demand("", zero, "the number has no zeros before it")
	}
	text, factor, rest := "", int64(1), int64(1)
	for i := range most {
		as := "u8"
		if c.Signed() {
			as = "s8"
		}
		text += fmt.Sprintf(" + (%s > %d ? (%s).as<%s> * %d : 0)", n, i, digitValue(at(i), c), as, factor)
		if rest > 1 {
			text = strings.TrimSuffix(text, " : 0)") + fmt.Sprintf(" * %d : 0)", rest)
		}
		if factor > math.MaxInt64/int64(c.Base()) { // as 10^19 and 2^63 are beyond the literals of some languages
			rest *= int64(c.Base())
			continue
		}
		factor *= int64(c.Base())
	}
	text = text[len(" + "):]
	if c.Signed() {
		magnitude := t.instance("magnitude", text)
		text = fmt.Sprintf("%s ? 0 - %s : %s", negative, magnitude, magnitude)
	}
	t.instance("number", text)
}

// highestDigits returns the digits of the highest number of a coding. The last digit of the lowest signed number is one more.
func highestDigits(c builtin.Coding) string {
	if c.Signed() {
		return strconv.FormatInt(math.MaxInt64, 10)
	}
	return strconv.FormatUint(c.Most(), int(c.Base()))
}

// blanks declares the entries of a number in digits that may have spaces around them. Each byte has
// an instance for the number up to it, and one that tells whether the spaces before the number are
// over. Any accepts other letters, spaces and zero bytes.
func (w *writer) blanks(t *ktype, c builtin.Coding, any bool) {
	t.add("", "digits").set("type", "u1").set("repeat", "expr").set("repeat-expr", fmt.Sprint(c.Width()))
	number, begun := "0.as<u8>", ""
	at := func(i int) string { return fmt.Sprintf("digits[%d]", i) }
	for i := range c.Width() {
		x := at(i)
		after := digit(x, c, any)
		if i > 0 {
			after += fmt.Sprintf(" and (%s or not %s)", digit(at(i-1), c, any), begun)
			begun += " or "
		}
		t.demand("", fmt.Sprintf("%s == 0 or %s == 32 or (%s)", x, x, after), "digits of one number with spaces around them")
		begun = t.instance("begun", begun+x+" != 32")
		number = t.instance("up_to", fmt.Sprintf("%s ? %s * %d + %s : %s", digit(x, c, any), number, c.Base(), digitValue(x, c), number))
	}
	if !any {
		t.side(c, at)
	}
	t.instance("number", number)
}

// side demands that the digits of a number are at one side, without zeros before them. The bytes after them must be
// those of the fill.
func (t *ktype) side(c builtin.Coding, at func(int) string) {
	n, message := c.Digits(), "digits at one side of the number"
	first, next := at(0), 1
	if c.Side() == builtin.Right {
		first, next = at(n-1), n
	}
	t.demand("", digit(first, c, false), message)
	for i := range n {
		t.demand("", at(i)+" != 0", message)
		switch {
		case c.Side() == builtin.Right && i < n-1:
			before := ""
			if i > 0 {
				before = " or " + at(i-1) + " != 32"
			}
			t.demand("", at(i)+" != 48"+before, message)
		case c.Side() == builtin.Left && i == next:
			t.demand("", at(0)+" != 48 or "+at(1)+" == 32", message)
		}
	}
	for i, b := range []byte(c.Fill()) {
		t.demand("", fmt.Sprintf("%s == %d", at(n+i), b), "the bytes after the digits")
	}
}

// digit returns the condition that a byte is a digit, also one with a letter of the other size.
func digit(x string, c builtin.Coding, any bool) string {
	in := func(low, high byte) string { return fmt.Sprintf("(%s >= %d and %s < %d)", x, low, x, int(high)+1) }
	alphabet := c.Alphabet()
	if len(alphabet) <= 10 {
		return in('0', alphabet[len(alphabet)-1])
	}
	text := in('0', '9') + " or " + in(alphabet[10], alphabet[len(alphabet)-1])
	if any {
		text = in('0', '9') + " or " + in('A', 'F') + " or " + in('a', 'f')
	}
	return "(" + text + ")"
}

// digitValue returns the number of a digit.
func digitValue(x string, c builtin.Coding) string {
	if c.Base() <= 10 {
		return x + " - 48"
	}
	return fmt.Sprintf("(%s < 58 ? %s - 48 : %s < 97 ? %s - 55 : %s - 87)", x, x, x, x, x)
}

// lowestFirst returns a group of a number whose lowest group is first.
func lowestFirst(i int) string { return fmt.Sprintf("(groups[%d] %% 128).as<u8>", i) }

// sum returns the sum of the groups of a number, given the group that begins at bit 7i.
func sum(group func(i int) string) string {
	text := group(0)
	for i := 1; i < builtin.MaxCoded; i++ {
		factor := fmt.Sprint(int64(1) << (7 * min(i, 8)))
		if i == 9 { // as 2^63 is beyond the literals of some languages
			factor += " * 128"
		}
		text += fmt.Sprintf(" + (groups.size > %d ? %s * %s : 0)", i, group(i), factor)
	}
	return text
}
