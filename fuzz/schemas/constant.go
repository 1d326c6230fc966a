// Rows that are always the same.

package schemas

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// constantRow draws a row of text, of bytes or of equal numbers that are always the same.
func (b *body) constantRow() bool {
	d := b.d
	r := row{name: b.name(), attrs: d.list(30, "any")}
	n := int64(0)
	fill := func() {
		if n == 0 || d.chance(25) {
			n += 1 + int64(d.n(9))
			r.attrs = append(r.attrs, fmt.Sprintf("fill %q", pick(d.source, "00", "20", "ff")))
		}
	}
	switch d.n(3) {
	case 0:
		name := pick(d.source, "ascii", "utf8", "latin1", "macroman", "windows1252", "cp437", "utf16le", "utf16be")
		charset, _ := builtin.CharsetNamed(name, false)
		text := strings.Repeat(pick(d.source, "a", "SQLite", "q\"r", "x\x00y"), 1+d.n(3))
		if charset != builtin.ASCII && d.chance(30) {
			text += "é"
		}
		bytes, _ := charset.Encode(text)
		n = int64(len(bytes))
		fill()
		r.typ, r.value, r.size = fmt.Sprintf("%s[%d]", name, n), strconv.Quote(text), d.each(n)
	case 1:
		bytes := make([]byte, d.n(20))
		for i := range bytes {
			bytes[i] = byte(d.n(256))
		}
		n = int64(len(bytes))
		fill()
		r.typ, r.value, r.size = fmt.Sprintf("u8[%d]", n), fmt.Sprintf("%q", fmt.Sprintf("%x", bytes)), d.each(n)
	default:
		name, s, option := b.scalar()
		if s == builtin.Code4 || option && b.union != nil { // of whose arms bits may select the numbers
			name, s, option = "u8", builtin.U8, false
		}
		r.value = "0"
		if s.Signed() && !isFloat(d, s, option) && d.chance(50) {
			r.value = "-1"
		} else if s == builtin.U8 {
			r.value = pick(d.source, "0", "0xff", "65")
		}
		n = 1 + int64(d.n(6))
		r.typ, r.size = fmt.Sprintf("%s[%d]", name, n), d.sizes(s, option, n)
	}
	b.least(slices.Min(r.size))
	if pad := b.pad(20); len(pad) > 0 { // without conditions
		r.attrs = append(r.attrs, pad[0])
	}
	b.row(r)
	b.unchecked = len(b.lines)
	return true
}
