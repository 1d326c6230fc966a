// Packets that no writer makes: with other lengths, flags and padding, with malformed
// text, and cut off.

package generate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/boundary"
)

// packet is the bytes of a seed, with the row of each byte.
type packet struct {
	typ   int
	open  uint8
	shape string // of the seed
	form  string // before each part of an id that is about it: "wide-", "narrow-"
	bytes []byte
	rows  []interp.Event // rows and padding, in order, without those of values of the root inside it
}

// trace returns the packet of a value.
func (g *model) trace(typ int, open uint8, v interp.Value) (*packet, error) {
	b, err := g.m.Append(nil, v, interp.Options{Open: open})
	if err != nil {
		return nil, err
	}
	return g.traceBytes(typ, open, b)
}

// traceBytes returns a packet with what each byte of it is.
func (g *model) traceBytes(typ int, open uint8, b []byte) (*packet, error) {
	k := &packet{typ: typ, open: open, bytes: b}
	root := g.p.Rules[g.p.Code[g.p.Routines[g.p.Root].Start].Rule].Name
	depth := 0
	_, _, err := g.m.DecodeObserved(b, interp.Options{Open: open}, interp.ObserverFunc(func(e *interp.Event) {
		switch {
		case e.Kind == interp.Open && e.Rule.Name == root:
			depth++
		case e.Kind == interp.Close && e.Rule.Name == root:
			depth--
		case (e.Kind == interp.Row || e.Kind == interp.Padding) && depth <= 1:
			k.rows = append(k.rows, e.Keep())
		}
	}))
	return k, err
}

// steering returns the rows whose numbers say how much follows: lengths and counts.
func (g *model) steering() map[string]bool {
	rows := map[string]bool{}
	for i := range g.p.Routines {
		var words [bytecode.MaxRegs][]int // instructions whose numbers are in each register
		from := func(e uint32) (pcs []int) {
			if e == bytecode.None {
				return nil
			}
			g.p.Exprs[e].Walk(func(x *bytecode.Expr) {
				if x.Op == bytecode.ExprReg {
					pcs = append(pcs, words[x.Arg]...)
				}
			})
			return pcs
		}
		mark := func(e uint32) {
			for _, at := range from(e) {
				rows[g.rule(at).Name] = true
			}
		}
		g.p.Walk(g.p.Body(uint32(i)), func(pc int, in *bytecode.Instr, _ int) bool {
			switch in.Op {
			case bytecode.Word:
				words[in.B] = []int{pc}
			case bytecode.Let:
				words[in.A] = from(in.B)
			case bytecode.Text:
				mark(in.B)
			case bytecode.Packed:
				mark(in.C)
			case bytecode.List, bytecode.Map, bytecode.Enter:
				mark(in.A)
			}
			return true
		})
	}
	return rows
}

// patch returns the packet with another number in a row.
func (g *model) patch(k *packet, e *interp.Event, n uint64) []byte {
	b := bytes.Clone(k.bytes)
	in := &g.p.Code[e.PC]
	if c := in.Coding(); c != builtin.Fixed {
		if !c.Holds(n) {
			n %= c.Most() + 1
		}
		return slices.Concat(b[:e.Offset], interp.AppendNumber(nil, c, n), b[e.Offset+e.Len:])
	}
	swapped := (in.Op == bytecode.Word || in.Op == bytecode.Union || in.Op == bytecode.Scalars || in.Op == bytecode.Truth) && in.Swapped()
	for i := range e.Len {
		at := e.Offset + i
		if g.p.Big != swapped {
			at = e.Offset + e.Len - 1 - i
		}
		b[at] = byte(n >> (8 * i))
	}
	return b
}

// spoilt adds what can be made of a packet by changing and cutting it.
func (c *candidates) spoilt(k *packet, steering map[string]bool) {
	header := c.headerRow()
	done := map[string]bool{} // rows of this packet, of which the first of each is taken
	for i := range k.rows {
		e := &k.rows[i]
		name := e.Rule.Name
		key := fmt.Sprint(name, e.Kind)
		first := !done[key]
		done[key] = true
		add := func(what, about string, b []byte, keep bool, flags ...string) {
			c.add(candidate{typ: k.typ, shape: k.shape, rule: e.Rule, what: k.form + what, about: about, bytes: b, open: k.open, flags: flags, keep: keep})
		}
		if !first { // the parts of a list are alike
			continue
		}
		if e.Kind == interp.Padding {
			c.padding(k, e, add)
			continue
		}
		if e.Len > 0 {
			// The header word is the same for all types.
			simple := name != header || k.form == "" && !c.headerCut
			c.headerCut = c.headerCut || name == header
			add("cut", "the input ends inside it", k.bytes[:e.Offset+e.Len-1], simple, "truncated")
			add("missing", "the input ends before it", k.bytes[:e.Offset], false, "truncated")
		}
		if e.Value.Kind() == interp.Float {
			for _, r := range boundary.Reals {
				bits := r.Bits
				switch e.Len {
				case 2:
					bits, _ = interp.BitsOf(bytecode.F16, r.Float())
				case 4:
					single, _ := r.Single()
					bits = uint64(single)
				}
				add(r.Name+"-bits", r.About+", or what is next to it", c.patch(k, e, bits), false, "real", string(r.Class))
			}
		}
		switch {
		case e.Len > 8 || e.Len == 0 || e.Value.Kind() == interp.Text:
			// no number
		case name == header:
			c.headers(k, e, add)
		case steering[name]:
			c.counts(k, e, add)
			fallthrough
		case e.Derived || e.Value.Kind() == interp.Bool || e.Value.IsNone():
			for bit := range 8 * e.Len {
				n := e.Number ^ 1<<bit
				add(fmt.Sprintf("bit-%d", bit), fmt.Sprintf("bit %d is flipped", bit), c.patch(k, e, n), false, "flag")
			}
			for _, n := range []uint64{0, 2, 3, 0x100, 0x80000000, 0xffffffff, 1 << 31} {
				add(fmt.Sprintf("%x", n), fmt.Sprintf("the number 0x%x", n), c.patch(k, e, n), n == 2 && e.Value.Kind() == interp.Bool, "word")
			}
		}
		if e.Value.Kind() == interp.Bool {
			for _, n := range []uint64{2, 0x100, 0x80000000} {
				add(fmt.Sprintf("%x", n), fmt.Sprintf("the number 0x%x, which is neither 0 nor 1", n), c.patch(k, e, n), n == 2 || n == 0x100, "truth")
			}
		}
	}
	end := &interp.Event{Rule: &bytecode.Rule{Name: c.p.Types[k.typ].Name, File: c.typeRule(k.typ).File}}
	c.together(k, steering)
	keepTrailing := false
	if simple, ok := c.simplest(); ok {
		keepTrailing = k.typ == c.typeOf(c.p.Root, simple) && k.form == ""
	}
	for _, n := range []int{1, 4} {
		c.add(candidate{typ: k.typ, rule: end.Rule, what: k.form + "trailing-" + fmt.Sprint(n), about: plural(n, "byte") + " after the value",
			bytes: append(bytes.Clone(k.bytes), make([]byte, n)...), open: k.open, flags: []string{"trailing"}, keep: keepTrailing})
	}
}

// together changes two words that steer in one packet. A count that is one off may be
// made up for by another.
func (c *candidates) together(k *packet, steering map[string]bool) {
	var words []*interp.Event
	for i := range k.rows {
		if e := &k.rows[i]; e.Kind == interp.Row && steering[e.Rule.Name] && e.Len > 0 && e.Len <= 8 {
			words = append(words, e)
		}
	}
	for i, a := range words {
		for _, b := range words[i+1:] {
			if a.Rule == b.Rule || len(words) > 8 {
				continue
			}
			for _, x := range []uint64{a.Number - 1, a.Number + 1} {
				for _, y := range []uint64{b.Number - 1, b.Number + 1, b.Number ^ 2, b.Number ^ 3, b.Number ^ 4} {
					x, y := cut(x, a.Len), cut(y, b.Len)
					changed := *k
					changed.bytes = c.patch(k, a, x)
					c.add(candidate{typ: k.typ, shape: k.shape, rule: b.Rule, open: k.open, flags: []string{"count-long"},
						what:  fmt.Sprintf("%s%x-with-%s-%x", k.form, y, lastPart(a.Rule.Name), x),
						about: fmt.Sprintf("the number 0x%x, and 0x%x in %s", y, x, a.Rule.Name), bytes: c.patch(&changed, b, y)})
				}
			}
		}
	}
}

// cut returns the part of a number that n bytes hold.
func cut(n uint64, size int) uint64 {
	if size >= 8 {
		return n
	}
	return n & (1<<(8*size) - 1)
}

func lastPart(row string) string { return row[strings.LastIndexByte(row, '.')+1:] }

// flipped adds a packet with one bit of a word flipped. It is the packet of an
// empty value, in which no other bit hides it.
func (c *candidates) flipped(k *packet) {
	done := map[string]bool{}
	for i := range k.rows {
		e := &k.rows[i]
		if e.Kind != interp.Row || !e.Derived || done[e.Rule.Name] || e.Rule.Name == c.headerRow() {
			continue
		}
		done[e.Rule.Name] = true
		for bit := range min(8*e.Len, 64) {
			c.add(candidate{typ: k.typ, shape: k.shape, rule: e.Rule, what: fmt.Sprintf("only-bit-%d", bit), flags: []string{"flag"}, open: k.open,
				about: fmt.Sprintf("bit %d is flipped, in a value that is otherwise empty", bit), bytes: c.patch(k, e, e.Number^1<<bit)})
		}
	}
}

// typeRule returns the row of a type itself.
func (g *model) typeRule(t int) *bytecode.Rule {
	if pc := g.types[t].fields; pc >= 0 {
		return g.rule(pc)
	}
	return &bytecode.Rule{Name: g.p.Types[t].Name}
}

type adder func(what, about string, b []byte, keep bool, flags ...string)

func (c *candidates) padding(k *packet, e *interp.Event, add adder) {
	full := bytes.Clone(k.bytes)
	for i := range e.Len {
		full[e.Offset+i] = 0xff
	}
	add("padding-set", "padding that is not zero", full, true, "padding-content")
	last := bytes.Clone(k.bytes)
	last[e.Offset+e.Len-1] = 1
	add("padding-last-set", "padding whose last byte is not zero", last, false, "padding-content")
	add("padding-missing", "the input ends before the padding", k.bytes[:e.Offset], true, "padding-end")
	if e.Len > 1 {
		add("padding-cut", "the input ends inside the padding", k.bytes[:e.Offset+e.Len-1], false, "padding-end")
	}
	// As many bytes less in every size that counts it.
	less := &packet{bytes: bytes.Clone(k.bytes)}
	for i := range k.rows {
		size := &k.rows[i]
		end := uint64(e.Offset + e.Len)
		if size.Kind == interp.Row && size.Derived && size.Offset < e.Offset && uint64(size.Offset+size.Len)+size.Number >= end && size.Number <= uint64(len(k.bytes)) {
			less.bytes = c.patch(less, size, size.Number-uint64(e.Len))
		}
	}
	add("padding-not-counted", "no padding, which sizes do not count either", append(less.bytes[:e.Offset:e.Offset], less.bytes[e.Offset+e.Len:]...), false, "padding-end")
	if rest := k.bytes[e.Offset+e.Len:]; len(rest) > 0 {
		add("padding-left-out", "no padding, and what follows at once", append(bytes.Clone(k.bytes[:e.Offset]), rest...), false, "padding-left-out")
	}
	for n := 1; n <= 4; n++ {
		more := append(bytes.Clone(k.bytes[:e.Offset+e.Len]), make([]byte, n)...)
		add("padding-plus-"+fmt.Sprint(n), plural(n, "byte")+" of padding too many", append(more, k.bytes[e.Offset+e.Len:]...), false, "padding-left-out")
	}
}

// maxUnknown is the most numbers without an arm that are tried.
const maxUnknown = 1 << 12

// headers: the word that tells the arm, and flags.
func (c *candidates) headers(k *packet, e *interp.Event, add adder) {
	for bit := range 8 * e.Len {
		add(fmt.Sprintf("bit-%d", bit), fmt.Sprintf("bit %d of the header is flipped", bit), c.patch(k, e, e.Number^1<<bit), false, "header-bits")
	}
	// Bits in pairs represent other numbers than single bits.
	for bit := 8; bit < 8*e.Len-1; bit++ {
		add(fmt.Sprintf("bits-%d-%d", bit, bit+1), fmt.Sprintf("bits %d and %d of the header are flipped", bit, bit+1),
			c.patch(k, e, e.Number^3<<bit), false, "header-bits")
	}
	t, ok := c.p.UnionTable(c.p.Root)
	if !ok {
		return
	}
	most := uint64(0)
	for i := range t.Arms {
		a := &t.Arms[i]
		if a.Else {
			return
		}
		most = max(most, slices.Max(a.Ends()))
	}
	unknown := func(n uint64, keep bool) {
		if _, known := t.ByID(n); !known && n <= 1<<(8*e.Len)-1 {
			add(fmt.Sprintf("type-%d", n), fmt.Sprintf("the type %d, which there is not", n), c.patch(k, e, n), keep, "unknown-type")
		}
	}
	if k.typ != int(t.Arms[0].Type) {
		return
	}
	unknown(most+1, true)
	for n := range min(most, maxUnknown) {
		unknown(n, false)
	}
	for _, n := range []uint64{most + 2, 0x7f, 0x80, 0xff} {
		unknown(n, n == 0xff)
	}
}

// counts: a length or a count that is not the one that it should be.
func (c *candidates) counts(k *packet, e *interp.Event, add adder) {
	top := uint64(1) << (8*e.Len - 1)
	n := e.Number
	put := func(what, about string, n uint64, keep bool, flags ...string) {
		if n < top*2 || e.Len == 8 {
			add(what, about, c.patch(k, e, n), keep, flags...)
		}
	}
	put("plus-1", "one more than there is", n+1, true, "count-long")
	if low := n & (top - 1); low > 0 {
		put("minus-1", "one less than there is", n-1, false, "count-long")
		put("zero", "none, though something follows", n&top, false, "count-long")
	}
	put("2^31-1", "the greatest signed number", n&^(top*2-1)|top-1, true, "count-huge")
	put("2^31", "the highest bit alone", top, false, "count-huge", "count-bit")
	put("highest-bit", "the highest bit is set as well", n|top, false, "count-bit")
	put("2^32-1", "all bits set", top*2-1, true, "count-huge")
	put("2^30", "a quarter of what the word can hold", top>>1, false, "count-huge")
	put("2^29", "an eighth of what the word can hold", top>>2, false, "count-huge")
	put("2^31-3", "so much that padding passes 2^31", top-3, false, "count-huge")
	put("2^32-3", "so much that padding passes 2^32", top*2-3, false, "count-huge")
	for less := range min(n, 24) {
		put(fmt.Sprint(less), fmt.Sprintf("%d, though there is more", less), less, false, "count-long")
	}
	put("16-bit", "more than 16 bits hold", n+0x10000, false, "count-long")
	put("8-bit", "more than 8 bits hold", n+0x100, false, "count-long")
	put("24-bit", "more than 24 bits hold", n+0x1000000, false, "count-long")
}

// badTexts are malformed or unusual texts, to put in place of a text.
var badTexts = []struct {
	name, about, text string
	flag              string
}{
	{"stray", "a byte that only continues a character", "\x80", "utf8"},
	{"no-lead", "the byte FE, which never occurs in UTF-8", "\xfe", "utf8"},
	{"ff", "the byte FF", "\xff", "utf8"},
	{"cut-2", "a character of 2 bytes without its second", "\xc3", "utf8"},
	{"cut-3", "a character of 3 bytes without its third", "\xe6\x97", "utf8"},
	{"cut-4", "a character of 4 bytes without its fourth", "\xf0\x9f\x98", "utf8"},
	{"broken", "a character of 2 bytes whose second is a letter", "\xc3a", "utf8"},
	{"broken-3", "a character of 3 bytes whose third is a letter", "\xe6\x97a", "utf8"},
	{"overlong-2", "a zero byte in 2 bytes", "\xc0\x80", "utf8-overlong"},
	{"overlong-2-letter", "the letter A in 2 bytes", "\xc1\x81", "utf8-overlong"},
	{"overlong-3", "a zero byte in 3 bytes", "\xe0\x80\x80", "utf8-overlong"},
	{"overlong-3-late", "U+0400 in the shape of 3 bytes", "\xe0\x90\x80", "utf8-overlong"},
	{"overlong-4", "a zero byte in 4 bytes", "\xf0\x80\x80\x80", "utf8-overlong"},
	{"overlong-4-late", "U+7000 in the shape of 4 bytes", "\xf0\x87\x80\x80", "utf8-overlong"},
	{"surrogate", "half of a surrogate pair", "\xed\xa0\x80", "utf8-surrogate"},
	{"surrogate-pair", "a surrogate pair in 6 bytes", "\xed\xa0\xbd\xed\xb8\x80", "utf8-surrogate"},
	{"beyond", "a number above the last character", "\xf4\x90\x80\x80", "utf8-beyond"},
	{"5-bytes", "a form of 5 bytes", "\xf8\x88\x80\x80\x80", "utf8-beyond"},
	{"6-bytes", "a form of 6 bytes", "\xfc\x84\x80\x80\x80\x80", "utf8-beyond"},
	{"after-text", "a byte that is no UTF-8, after 3 letters", "abc\xff", "utf8"},
	{"last-character", "the last character of Unicode", "\xf4\x8f\xbf\xbf", "characters"},
	{"noncharacter", "U+FFFF", "\xef\xbf\xbf", "characters"},
	{"mark", "a byte order mark before a letter", "\xef\xbb\xbfa", "mark"},
	{"mark-alone", "a byte order mark alone", "\xef\xbb\xbf", "mark"},
	{"mark-cut", "the beginning of a byte order mark", "\xef\xbb", "utf8"},
	{"mark-inside", "a byte order mark after a letter", "a\xef\xbb\xbf", "mark"},
	{"mark-zero", "a byte order mark before a zero byte", "\xef\xbb\xbf\x00", "mark"},
	{"two-marks", "two byte order marks", "\xef\xbb\xbf\xef\xbb\xbfa", "mark"},
	{"zero", "a zero byte alone", "\x00", "nul"},
	{"zero-last", "a letter and a zero byte", "a\x00", "nul"},
	{"zero-inside", "a zero byte between letters", "a\x00b", "nul"},
	{"zero-then-broken", "a zero byte, and then a byte that is no UTF-8", "a\x00\xff", "nul"},
	{"two-zeros", "a letter and two zero bytes", "a\x00\x00", "nul"},
}

// rawTexts adds packets in which a text is bytes that no writer takes.
func (c *candidates) rawTexts(s seed, full interp.Value, p place, first map[string]bool) {
	for _, pc := range c.types[p.typ].cells[p.cell].ops {
		in := &c.p.Code[pc]
		if in.Op != bytecode.Text {
			continue
		}
		encoding := c.p.Encodings[in.A].Name
		counted := c.p.Encodings[in.A].NUL == bytecode.NULCounted
		keep := !first[encoding]
		for _, t := range badTexts {
			texts := []struct{ suffix, about, text string }{{"", "", t.text}}
			if counted {
				texts = append(texts, struct{ suffix, about, text string }{"-uncounted", ", and no zero byte after it", t.text})
			}
			for _, raw := range texts {
				length := len(raw.text)
				if raw.suffix != "" {
					length--
				}
				b, rule, ok := c.withText(s, full, p, max(length, 0), raw.text)
				if !ok {
					continue
				}
				first[encoding] = true
				if at := bytes.LastIndex(b, []byte(raw.text)) + len(raw.text); at < len(b) {
					c.add(candidate{typ: s.typ, shape: s.name, rule: rule, what: t.name + raw.suffix + "-at-end", about: t.about + raw.about + ", where the input ends", bytes: b[:at],
						open: s.open, flags: []string{t.flag, "padding-end"}})
				}
				c.add(candidate{typ: s.typ, shape: s.name, rule: rule, what: t.name + raw.suffix, about: t.about + raw.about, bytes: b, open: s.open,
					flags: []string{t.flag}, keep: keep && raw.suffix == ""})
			}
		}
		if counted { // a text without the zero byte at its end
			for _, n := range []int{1, 2, 3, 4, 5} {
				if b, rule, ok := c.withText(s, full, p, n-1, "abcdefgh"[:n]); ok {
					c.add(candidate{typ: s.typ, shape: s.name, rule: rule, what: fmt.Sprintf("%d-uncounted", n), about: plural(n, "letter") + " without a zero byte",
						bytes: b, open: s.open, flags: []string{"nul-uncounted"}, keep: n == 1})
				}
			}
		}
	}
}

// withText returns the packet in which a field has bytes that its writer may refuse. It writes
// as many letters, and then replaces them.
func (c *candidates) withText(s seed, full interp.Value, p place, letters int, text string) ([]byte, *bytecode.Rule, bool) {
	placeholder := strings.Repeat("~", letters)
	v := c.replace(c.p.Root, full, p.path, interp.MakeText(0, placeholder))
	k, err := c.trace(s.typ, s.open, v)
	if err != nil {
		return nil, nil, false
	}
	for i := range k.rows {
		e := &k.rows[i]
		if e.Kind == interp.Row && e.Value.Kind() == interp.Text && e.Value.Text() == placeholder && e.Len >= len(text) &&
			(letters > 0 || e.Len == len(text)) {
			b := bytes.Clone(k.bytes)
			copy(b[e.Offset:], text)
			return b, e.Rule, true
		}
	}
	return nil, nil, false
}
