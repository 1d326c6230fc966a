// Bytes of examples: hexadecimal digits, and words of arms.

package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// part is a part of the bytes of an example: bytes, or the word of an arm.
type part struct {
	bytes []byte
	word  *wordText // nil for bytes
}

// wordText is the word of an arm as an example writes it: <Arm wide kind=2 16..31=0xffff>.
type wordText struct {
	union *dsl.Name // nil if the arm is named without its union
	arm   *dsl.Name
	items []wordItem
	order string // of its bytes, little or big, if it is one of the items; else ""
}

// wordItem gives bits of a word a number.
type wordItem struct {
	name   *dsl.Name // nil if the bits are given by number
	lo, hi uint64    // without a name
	value  *uint64   // nil: every bit is set
	pos    dsl.Pos
	width  int
}

// packetError is a mistake in the bytes of an example.
type packetError struct {
	pos           dsl.Pos
	width         int
	message, hint string
	fix           *dsl.Fix // the replacement that the hint names, or nil
}

func (e *packetError) withHint(format string, args ...any) *packetError {
	e.hint = fmt.Sprintf(format, args...)
	return e
}

// replace names the text to write in place of a name at the place of the mistake.
func (e *packetError) replace(old, text string) *packetError {
	e.fix = &dsl.Fix{Old: old, New: text}
	return e
}

// wordError returns a mistake at a name in a word.
func wordError(n *dsl.Name, format string, args ...any) *packetError {
	return &packetError{pos: n.Pos, width: len(n.Text), message: fmt.Sprintf(format, args...)}
}

// packetReader reads the bytes of an example.
type packetReader struct {
	text string
	pos  dsl.Pos // of the text
	at   int
}

func (r *packetReader) place(at int) dsl.Pos {
	p := r.pos
	p.Offset += 1 + at
	p.Column += 1 + at
	return p
}

func (r *packetReader) errorf(from, width int, format string, args ...any) *packetError {
	return &packetError{pos: r.place(from), width: width, message: fmt.Sprintf(format, args...)}
}

// packet reads the bytes of an example.
func packet(s *dsl.Str) ([]part, *packetError) {
	r := &packetReader{text: s.Text, pos: s.Pos}
	parts := []part{}
	for {
		r.spaces()
		switch {
		case r.at == len(r.text):
			return parts, nil
		case r.text[r.at] == '<':
			w, err := r.word()
			if err != nil {
				return nil, err
			}
			parts = append(parts, part{word: w})
		default:
			b, err := r.hex()
			if err != nil {
				return nil, err
			}
			parts = append(parts, part{bytes: b})
		}
	}
}

func (r *packetReader) spaces() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// hex reads digits up to a word or the end.
func (r *packetReader) hex() ([]byte, *packetError) {
	const hint = "write two hexadecimal digits for each byte, or <Arm> for the word of an arm"
	var out []byte
	half, digits, from := byte(0), 0, r.at
	for ; r.at < len(r.text) && r.text[r.at] != '<'; r.spaces() {
		i := strings.IndexByte("0123456789abcdef", r.text[r.at]|0x20)
		if i < 0 || r.text[r.at] < '0' {
			rest := []rune(r.text[r.at:])
			return nil, r.errorf(r.at, 1, "the bytes of an example are hexadecimal digits, and %q is not one", string(rest[:1])).withHint(hint)
		}
		if digits%2 == 1 {
			out = append(out, half<<4|byte(i))
		}
		half = byte(i)
		digits++
		r.at++
	}
	if digits%2 == 1 {
		return nil, r.errorf(from, r.at-from, "%d hexadecimal digits are not a whole number of bytes", digits).withHint(hint)
	}
	return out, nil
}

// word reads the word of an arm.
func (r *packetReader) word() (*wordText, *packetError) {
	const hint = "write <Arm>, and after the name the bits that are set: <Arm wide kind=2 16..31=0xffff>"
	from := r.at
	end := strings.IndexByte(r.text[from:], '>')
	if end < 0 {
		return nil, r.errorf(from, 1, "this < has no > after it").withHint(hint)
	}
	end += from
	r.at++
	var w *wordText
	for r.spaces(); r.at < end; r.spaces() {
		at, text := r.at, r.text[r.at:end]
		if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
			text = text[:i]
		}
		r.at += len(text)
		if w == nil {
			if w = r.arm(text, at); w == nil {
				return nil, r.errorf(at, len(text), "%s is not the name of an arm", text).withHint(hint)
			}
			continue
		}
		item, ok := r.item(text, at)
		if !ok {
			return nil, r.errorf(at, len(text), "%s gives no bits a number", text).withHint(hint)
		}
		w.items = append(w.items, item)
	}
	if w == nil {
		return nil, r.errorf(from, end+1-from, "the word names no arm").withHint(hint)
	}
	r.at = end + 1
	return w, nil
}

// arm reads the name of an arm, with its union or without. It returns nil for another text.
func (r *packetReader) arm(text string, at int) *wordText {
	union, arm, both := strings.Cut(text, ".")
	if !both {
		if name := r.name(text, at); name != nil {
			return &wordText{arm: name}
		}
		return nil
	}
	w := &wordText{union: r.name(union, at), arm: r.name(arm, at+len(union)+1)}
	if w.union == nil || w.arm == nil {
		return nil
	}
	return w
}

// item reads name, name=n, n, n=m or n..m=k.
func (r *packetReader) item(text string, at int) (wordItem, bool) {
	item := wordItem{pos: r.place(at), width: len(text)}
	which, value, given := strings.Cut(text, "=")
	if given {
		n, ok := parseUint(&dsl.Num{Text: value})
		if !ok {
			return item, false
		}
		item.value = &n
	}
	if item.name = r.name(which, at); item.name != nil {
		return item, true
	}
	lo, hi, span := strings.Cut(which, "..")
	if !span {
		hi = lo
	}
	var ok, ok2 bool
	item.lo, ok = parseUint(&dsl.Num{Text: lo})
	item.hi, ok2 = parseUint(&dsl.Num{Text: hi})
	return item, ok && ok2
}

// name returns a text as a name, or nil if it is not an identifier.
func (r *packetReader) name(text string, at int) *dsl.Name {
	for i, c := range []byte(text) {
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return nil
		}
	}
	if text == "" {
		return nil
	}
	return &dsl.Name{Pos: r.place(at), Text: text}
}

// render returns the bytes of an example in the schema that is bound. Arms have the names
// that they have in the schema from.
func (b *binder) render(parts []part, from *source) ([]byte, *packetError) {
	out := []byte{}
	for _, p := range parts {
		if p.word == nil {
			out = append(out, p.bytes...)
			continue
		}
		u, n, err := b.wordOf(p.word, from)
		if err != nil {
			return nil, err
		}
		big := b.s.Big != u.Word.Type.Swapped
		if p.word.order != "" {
			big = p.word.order == "big"
		}
		out = u.appendWord(out, n, big)
	}
	return out, nil
}

// appendWord appends the bytes of the union's word.
func (u *Union) appendWord(out []byte, n uint64, big bool) []byte {
	width := u.Word.Type.Scalar.Width()
	for i := range width {
		shift := 8 * i
		if big && u.Word.Type.Scalar != builtin.Code4 {
			shift = 8 * (width - 1 - i)
		}
		out = append(out, byte(n>>shift))
	}
	return out
}

// wordOf returns the number of a word and the union that it belongs to.
func (b *binder) wordOf(w *wordText, from *source) (*Union, uint64, *packetError) {
	a, err := b.armOfWord(w, from)
	if err != nil {
		return nil, 0, err
	}
	u := a.Union
	selects := uint64(Mask(u.N)) << u.Lo
	n, given := a.FixedID()<<u.Lo, uint64(0)
	for _, bit := range a.Bits {
		if bit.Value != nil {
			if c, ok := bit.Value.constant(); ok {
				n |= uint64(c) & uint64(Mask(bit.N)) << bit.Lo
				given |= uint64(Mask(bit.N)) << bit.Lo
			}
		}
	}
	for _, item := range w.items {
		if item.order() && u.Word.Type.Big != nil && w.order == "" {
			w.order = item.name.Text
			continue
		}
		lo, width, err := b.bitsOf(item, a)
		if err != nil {
			return nil, 0, err
		}
		mask, value := uint64(Mask(width)), uint64(Mask(width))
		if item.value != nil {
			value = *item.value
		}
		if value&^mask != 0 {
			return nil, 0, item.errorf("%d does not fit the bits", value).withHint("write a number up to %d", mask)
		}
		if selects&(mask<<lo) != 0 && !a.Several() {
			return nil, 0, item.errorf("these bits hold the number of the arm").withHint("leave them out, or write the word as hexadecimal digits")
		}
		n = n&^(mask<<lo) | value<<lo
		given |= mask << lo
	}
	if u.Word.Type.Big != nil && w.order == "" {
		return nil, 0, wordError(w.arm, "the word of union %s has the order of the row that uses it", u.Name).withHint("write <%s little> or <%s big>", a.Name, a.Name)
	}
	switch open := a.varying() << u.Lo; {
	case !a.Several(), given&open == open && u.ByID(n&selects>>u.Lo) == a:
	case a.Else:
		return nil, 0, wordError(w.arm, "arm %s has only numbers that no other arm has", a.Name).
			withHint("give one that no other arm has: <%s %s>", a.Name, cmp.Or(a.itemsOf(open), u.By.Name+"=n"))
	case given&open != open:
		err := wordError(w.arm, "arm %s has several numbers, and this does not give one", a.Name).withHint("write the word as hexadecimal digits")
		if items := a.itemsOf(open); items != "" {
			err.withHint("give one of %s: <%s %s>", a.IDText(), a.Name, items)
		}
		return nil, 0, err
	default:
		return nil, 0, wordError(w.arm, "the bits give the number %s, which arm %s does not have", numberText(n&selects>>u.Lo, a.hex), a.Name).withHint("give one of %s", a.IDText())
	}
	return u, n, nil
}

// order reports whether an item is an order of bytes.
func (i *wordItem) order() bool {
	return i.name != nil && i.value == nil && (i.name.Text == "little" || i.name.Text == "big")
}

// itemsOf returns the items that give the fields in some bits a number.
func (a *Arm) itemsOf(bits uint64) string {
	var out []string
	for _, bit := range a.Bits {
		if bits&(uint64(Mask(bit.N))<<bit.Lo) != 0 {
			out = append(out, bit.Field.Name+"=n")
		}
	}
	return strings.Join(out, " ")
}

func (i *wordItem) errorf(format string, args ...any) *packetError {
	return &packetError{pos: i.pos, width: i.width, message: fmt.Sprintf(format, args...)}
}

// bitsOf returns the bits that an item of a word is about: the lowest, and how many.
func (b *binder) bitsOf(item wordItem, a *Arm) (lo, n int, err *packetError) {
	u := a.Union
	width := 8 * u.Word.Type.Scalar.Width()
	if item.name == nil {
		if item.hi < item.lo || item.hi >= uint64(width) {
			return lo, n, item.errorf("bits go from 0 to %d, the lower one first", width-1).withHint("write 3 for one bit, 0..7 for eight")
		}
		return int(item.lo), int(item.hi-item.lo) + 1, nil
	}
	var names []string
	for _, bit := range a.Bits {
		if bit.Field.Name == item.name.Text {
			b.index.field(item.name, bit.Field)
			return bit.Lo, bit.N, nil
		}
		names = append(names, bit.Field.Name)
	}
	if item.name.Text == u.By.Name {
		b.index.field(item.name, u.By)
		return u.Lo, u.N, nil
	}
	hint := "give them by number, such as 16 or 16..17=2"
	if len(names) > 0 {
		hint = "it has " + strings.Join(names, ", ")
	}
	return lo, n, item.errorf("arm %s has no bits %s", a.Name, item.name.Text).withHint("%s", hint)
}

// armOfWord returns the arm that a word names.
func (b *binder) armOfWord(w *wordText, from *source) (*Arm, *packetError) {
	var found, wordless []*unionDecl
	for _, u := range from.Unions {
		switch {
		case w.union != nil && u.Name != w.union.Text || u.Arm(w.arm.Text) == nil:
		case u.hasWord():
			found = append(found, u)
		default:
			wordless = append(wordless, u)
		}
	}
	if len(found) == 0 {
		found = wordless
	}
	switch {
	case len(found) == 0 && w.union != nil && from.Union(w.union.Text) == nil:
		return nil, wordError(w.union, "there is no union %s", w.union.Text).near(w.union.Text, from.declared("union"))
	case len(found) == 0:
		return nil, wordError(w.arm, "there is no arm %s", w.arm.Text).near(w.arm.Text, from.declared("arm"))
	case len(found) > 1:
		return nil, wordError(w.arm, "unions %s and %s both have an arm %s", found[0].Name, found[1].Name, w.arm.Text).
			withHint("write <%s.%s>", found[0].Name, w.arm.Text).replace(w.arm.Text, found[0].Name+"."+w.arm.Text)
	}
	d := b.src.armSince(found[0].Name, w.arm.Text, from)
	if d == nil {
		return nil, wordError(w.arm, "there is no arm %s any more", w.arm.Text)
	}
	if w.union != nil {
		b.index.use(w.union, found[0].At)
	}
	b.index.use(w.arm, d.At)
	a := b.unions[d.Union].Arm(d.Name)
	if a.Union.Word == nil {
		return nil, wordError(w.arm, "union %s has no word: an argument selects the arm", d.Union).withHint("write the bytes as hexadecimal digits")
	}
	return a, nil
}

func (e *packetError) near(name string, all []string) *packetError {
	if near := builtin.Nearest(name, all); near != "" {
		return e.withHint("did you mean %s?", near).replace(name, near)
	}
	return e.withHint("declare it, or write the bytes as hexadecimal digits")
}

// hasWord reports whether the arms of a union begin with a word.
func (u *unionDecl) hasWord() bool {
	return slices.ContainsFunc(u.Items, func(i *dsl.Item) bool { return i.Row != nil })
}

// armSince returns the arm that had a name in an older schema of the lineage, or nil.
func (s *source) armSince(union, name string, from *source) *armDecl {
	if s == nil {
		return nil // unreachable: the older schema is one of the lineage
	}
	if s != from {
		old := s.Base.armSince(union, name, from)
		if old == nil {
			return nil
		}
		if u := s.Union(union); u != nil {
			for _, a := range u.Arms {
				if a.Was == old.Name {
					return a
				}
			}
		}
		return nil
	}
	if u := s.Union(union); u != nil {
		return u.Arm(name)
	}
	return nil
}
