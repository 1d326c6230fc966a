// Draws: the encoding of single decisions in choices. In each of them a byte of 0 is
// the simplest, and every possibility has an encoding.

package interp

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp/boundary"
)

// left reports whether there are choices left. Without, every number is 0.
func (g *generating) left() bool { return !g.dry && g.pos < len(g.in) }

// byte takes one choice.
func (g *generating) byte() byte {
	if !g.left() {
		return 0
	}
	b := g.in[g.pos]
	g.pos++
	return b
}

// put appends one choice.
func (g *generating) put(b ...byte) { g.in = append(g.in, b...) }

// flag draws yes or no.
func (g *generating) flag(want bool) bool {
	if g.choosing {
		if want {
			g.put(1)
		} else {
			g.put(0)
		}
		return want
	}
	return g.byte()&1 != 0
}

// more draws whether a list goes on.
func (g *generating) more(want bool) bool {
	if g.choosing {
		if want {
			g.put(0xff)
		} else {
			g.put(0)
		}
		return want
	}
	if g.depth > softDepth {
		return g.byte() >= 0xa0
	}
	return g.byte() >= 0x50
}

// raw draws a number of n bytes.
func (g *generating) raw(n int) (u uint64) {
	for i := range n {
		u |= uint64(g.byte()) << (8 * i)
	}
	return u
}

func (g *generating) putRaw(n int, u uint64) {
	g.put(binary.LittleEndian.AppendUint64(nil, u)[:n]...)
}

// The meanings of the first byte of a number.
const (
	drawEdge  = 0x40 // below: the number itself
	drawOther = 0x80 // below: one of the edges of the schema, if there are any
	drawRaw   = 0xc0 // below: one of the edges of all numbers. From here on: as many bytes as the low 3 bits say, plus 1
	drawRaw64 = 0xe0 // floats: 4 bytes of single precision below, 8 of double precision from here on
)

// The numbers around which things change, of each width that processors compute with.
var (
	intEdges   = integersAtEdges()
	floatEdges = map[bytecode.Scalar][]uint64{
		bytecode.F16: realsAtEdges(bytecode.F16), bytecode.F32: realsAtEdges(bytecode.F32), bytecode.F64: realsAtEdges(bytecode.F64),
	}
)

// integersAtEdges returns numbers of 64 bits, each one once.
func integersAtEdges() (all []uint64) {
	add := func(n uint64) {
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	for _, s := range builtin.Scalars() {
		if s.IsFloat() || s.Odd() {
			continue
		}
		for _, x := range boundary.Integers(s) {
			add(x.Number)
		}
	}
	for _, n := range boundary.Coded(builtin.LEB128, false) {
		add(n - 1)
		add(n)
	}
	return all
}

// realsAtEdges returns the bits of numbers in a scalar, each one once.
func realsAtEdges(s bytecode.Scalar) (all []uint64) {
	for _, x := range boundary.Reals {
		bits, _ := BitsOf(s, x.Float())
		if s == bytecode.F32 {
			single, _ := x.Single()
			bits = uint64(single)
		}
		if !slices.Contains(all, bits) {
			all = append(all, bits)
		}
	}
	return all
}

// cut makes a number one of a scalar, sign-extended where that is signed.
func cut(s bytecode.Scalar, bits int, u uint64) uint64 {
	if bits > 0 && bits < 64 {
		return u & (1<<bits - 1)
	}
	w := 8 * s.Width()
	if s.Signed() {
		return uint64(int64(u<<(64-w)) >> (64 - w))
	}
	return u & (1<<w - 1)
}

// bits draws a number of a scalar as the bits that represent it in a register.
// If bits is not 0, the number has at most that many. The edges of the schema come first.
func (g *generating) bits(s bytecode.Scalar, bits int, extra []uint64, want uint64) uint64 {
	if s.Width() == 1 && bits == 0 {
		if g.choosing {
			g.put(byte(want))
			return want
		}
		return cut(s, 0, uint64(g.byte()))
	}
	if s.IsFloat() {
		return g.floatBits(s, want)
	}
	if g.choosing {
		if want < drawEdge {
			g.put(byte(want))
			return want
		}
		n := 1
		for n < 8 && cut(s, bits, uint64(int64(want<<(64-8*n))>>(64-8*n))) != want {
			n++
		}
		g.put(drawRaw | byte(n-1))
		g.putRaw(n, want)
		return want
	}
	b := g.byte()
	switch {
	case b < drawEdge:
		return cut(s, bits, uint64(b))
	case b < drawOther && len(extra) > 0:
		return cut(s, bits, extra[int(b-drawEdge)%len(extra)])
	case b < drawRaw:
		return cut(s, bits, intEdges[int(b-drawEdge)%len(intEdges)])
	}
	n := int(b&7) + 1
	u := g.raw(n)
	return cut(s, bits, uint64(int64(u<<(64-8*n))>>(64-8*n)))
}

// few draws a number of parts of something else: mostly a small one.
func (g *generating) few(s bytecode.Scalar, bits int, want uint64) uint64 {
	if g.choosing {
		if want < 8 {
			g.put(byte(want))
		} else {
			g.put(0xf7)
			g.putRaw(8, want)
		}
		return want
	}
	b := g.byte()
	if b < 0xf0 {
		return cut(s, bits, uint64(b%8))
	}
	return cut(s, bits, g.raw(int(b&7)+1))
}

func (g *generating) floatBits(s bytecode.Scalar, want uint64) uint64 {
	if g.choosing {
		switch s {
		case bytecode.F16:
			g.put(drawRaw)
			g.putRaw(2, want)
		case bytecode.F32:
			g.put(drawRaw)
			g.putRaw(4, want)
		default:
			g.put(drawRaw64)
			g.putRaw(8, want)
		}
		return want
	}
	b := g.byte()
	switch s {
	case bytecode.F16:
		switch {
		case b < drawEdge:
			half, _ := narrowHalf(float64(b))
			return uint64(half)
		case b < drawRaw:
			return floatEdges[s][int(b-drawEdge)%len(floatEdges[s])]
		}
		return g.raw(2)
	case bytecode.F32:
		switch {
		case b < drawEdge:
			return uint64(math.Float32bits(float32(b)))
		case b < drawRaw:
			return floatEdges[s][int(b-drawEdge)%len(floatEdges[s])]
		}
		return g.raw(4)
	}
	switch {
	case b < drawEdge:
		return math.Float64bits(float64(b))
	case b < drawRaw:
		return floatEdges[s][int(b-drawEdge)%len(floatEdges[s])]
	case b < drawRaw64:
		return math.Float64bits(widen(uint32(g.raw(4))))
	}
	return g.raw(8)
}

// number draws the number of a cell. In a further try it is a candidate. Digits limit it.
func (g *generating) number(f *frame, c uint32, s bytecode.Scalar, bits int, digits bytecode.Coding) (Value, bool) {
	want := g.wanted(f, c)
	extra := g.around(f, c)
	if g.choosing {
		switch {
		case s.IsFloat() != (want.kind == Float), !s.IsFloat() && want.kind != Int && want.kind != Uint:
			return want, g.fail("%s is a %s", g.rule(f), want.kind)
		case !s.IsFloat() && (outside(want, s) || cut(s, bits, want.u) != want.u || !digits.Holds(want.u)):
			return want, g.fail("%s does not fit", g.rule(f))
		}
	}
	wanted := want.u
	if s.IsFloat() {
		var ok bool
		if wanted, ok = BitsOf(s, want.Float()); !ok && g.choosing {
			return want, g.fail("%s does not hold the number exactly", g.rule(f))
		}
	}
	var u uint64
	b := g.bumped(f, c)
	number, given := g.given(f, c)
	if base, view, ok := g.placed(f.pc, c); ok && b == 0 && !given {
		u = g.place(base, view, s, bits, wanted)
	} else if g.g.paths.counts.has(f.pc, c) {
		if u = g.few(s, bits, wanted); b > 0 {
			u = cut(s, bits, uint64(b-1)%8)
		}
	} else if u = g.bits(s, bits, extra, wanted); b > 0 {
		u = candidate(s, bits, extra, b-1, f.again.equal[c])
	}
	if given && b == 0 {
		u = cut(s, bits, number)
	}
	if !digits.Holds(u) {
		u %= digits.Most() + 1
	}
	v := scalarValue(s, u)
	v.form = 0
	g.spent += s.Width()
	return v, true
}

// The candidates for numbers after the edges of the schema.
const (
	drawSmall = 40 // small numbers
	drawEqual = 20 // times the number that it should be equal to
)

// candidate returns candidate i for a number.
func candidate(s bytecode.Scalar, bits int, extra []uint64, i int, equal uint64) uint64 {
	if s.IsFloat() {
		return floatEdges[s][i%len(floatEdges[s])]
	}
	if i < len(extra) {
		return cut(s, bits, extra[i])
	}
	if i -= len(extra); i < drawSmall {
		return cut(s, bits, uint64(i))
	}
	return cut(s, bits, equal)
}

// candidates returns how many candidates a cell has in a further try.
func (g *generating) candidates(f *frame, c uint32) int {
	if f.state[c]&isPresent != 0 {
		switch f.cells[c].kind {
		case Int, Uint, Float:
			return len(g.g.paths.edges[f.routine]) + drawSmall + drawEqual
		case Text, List, Map, Packed, Record:
			return 6 + len(g.g.paths.literals(f.pc, c))
		case Unit:
			return 40
		}
	}
	return 1 // the other truth value, or that it is there
}

// lanes draws a tuple.
func (g *generating) lanes(f *frame, c uint32, in *bytecode.Instr) (Value, bool) {
	s := in.Scalar()
	want := g.wanted(f, c)
	if g.choosing && (want.kind != Lanes || want.Scalar() != s || want.n != in.B) {
		return want, g.fail("%s is of another form", g.rule(f))
	}
	b := g.numbers(f, c, s, int(in.B), want)
	for place, n := range f.again.places {
		at := int(place) * s.Width()
		appendScalar(b[at:at], s, cut(s, 0, n), false)
	}
	v := MakeLanes(0, s, b)
	v.form |= wideForm(in)
	return v, true
}

// numbers draws numbers in a row.
func (g *generating) numbers(f *frame, c uint32, s bytecode.Scalar, n int, want Value) []byte {
	b, few := make([]byte, n*s.Width()), g.g.paths.counts.has(f.pc, c)
	g.spent += len(b)
	for i := 0; i < n && (g.choosing || g.left()); i++ {
		w := want.LaneBits(i)
		if !s.IsFloat() {
			w = cut(s, 0, w)
		}
		at := i * s.Width()
		if few {
			w = g.few(s, 0, w)
		} else {
			w = g.bits(s, 0, nil, w)
		}
		appendScalar(b[at:at], s, w, false)
	}
	if f.again.bump != nil && f.again.bump[c] == bumpEqual && !s.IsFloat() {
		sumUp(b, s, int64(f.again.equal[c]))
	}
	return b
}

// sumUp changes numbers in a row so that their sum is another one, if they can have it.
func sumUp(b []byte, s bytecode.Scalar, sum int64) {
	lo, hi := int64(0), int64(math.MaxInt64)
	if w := 8 * s.Width(); s.Signed() {
		lo, hi = -1<<(w-1), 1<<(w-1)-1
	} else if w < 64 {
		hi = 1<<w - 1
	}
	for at := 0; at < len(b); at += s.Width() {
		n := min(max(sum, lo), hi)
		appendScalar(b[at:at], s, uint64(n), false)
		sum -= n
	}
}

// count draws the number of elements of a size. The number is small, or has up to 4 bytes, as
// many as the first byte says.
func (g *generating) count(f *frame, c uint32, kind Kind, size int) (int, bool) {
	most := max(0, min(g.g.bytes-g.spent, g.spare())) / size
	return g.countTo(f, c, kind, most, most)
}

// countTo draws a number of elements up to a limit. A number above few is rare: only 4 bytes give it.
func (g *generating) countTo(f *frame, c uint32, kind Kind, few, most int) (int, bool) {
	if g.choosing {
		n := int(g.wanted(f, c).n)
		if g.wanted(f, c).kind != kind || n > most {
			return 0, g.fail("%s has %d elements", g.rule(f), n)
		}
		if n < 8 && n <= few {
			g.put(byte(n))
		} else {
			g.put(0xf3)
			g.putRaw(4, uint64(n))
		}
		return n, true
	}
	n, b := 0, g.byte()
	if b < 0xf0 {
		n = int(b % 8)
	} else {
		n = int(g.raw(int(b&3)+1) & math.MaxInt32)
	}
	if bump := g.bumped(f, c); bump > 0 {
		n, b = bump-1, 0
	}
	if n > most || n > few && b != 0xf3 {
		n %= few + 1
	}
	return n, true
}

// packed draws an array; n below 0 means that its count is drawn, too.
func (g *generating) packed(f *frame, c uint32, in *bytecode.Instr, n int) (Value, bool) {
	s := in.Scalar()
	size := s.Width() * int(in.B)
	want := g.wanted(f, c)
	ok := true
	if n < 0 && in.C == bytecode.None {
		n, ok = g.rest(f, size)
	}
	if n < 0 && ok {
		n, ok = g.count(f, c, Packed, size)
	}
	if !ok {
		return want, false
	}
	if n > g.g.bytes/size {
		g.short = true
		return want, g.fail("%s has %d elements", g.rule(f), n)
	}
	if g.choosing && (want.kind != Packed || want.Scalar() != s || want.Width() != int(in.B) || int(want.n) != n) {
		return want, g.fail("%s is of another form", g.rule(f))
	}
	v := MakePacked(0, s, int(in.B), g.numbers(f, c, s, n*int(in.B), want))
	v.form |= wideForm(in)
	return v, true
}

// delimited draws content that ends before a delimiter: n bytes, or up to most bytes, unless they are negative.
func (g *generating) delimited(f *frame, c uint32, in *bytecode.Instr, n, most int) (v Value, ok bool) {
	end, unit, last := g.p.Delimiter(in)
	if end == "" {
		if n, ok = g.rest(f, 1); !ok {
			return v, false
		}
	}
	if in.A == bytecode.None {
		v, ok = g.packed(f, c, &bytecode.Instr{A: uint32(bytecode.U8), B: 1}, n)
	} else {
		v, ok = g.text(f, c, &g.p.Encodings[in.A], n)
	}
	content := contentOf(g.p, in, &v).b
	long := most >= 0 && len(content) > most
	if !ok || !long && ends(content, end, unit, last) {
		return v, ok
	}
	if g.choosing {
		return v, g.fail("%s holds the bytes that end it, or is too long", g.rule(f))
	}
	if in.A != bytecode.None && (n >= 0 || !g.p.Encodings[in.A].Charset.Verbatim()) {
		v = MakeText(0, string(delimitText(&g.p.Encodings[in.A], v.Bytes(), end, last, most)))
		if n >= 0 {
			v = MakeText(0, v.Text()+strings.Repeat(letter(end), (n-len(contentOf(g.p, in, &v).b))/unit))
		}
		return v, true
	}
	b := slices.Clone(v.Bytes())
	if long {
		b = b[:most]
	}
	b = delimit(g.p, in, b)
	if in.A == bytecode.None {
		return MakePacked(0, bytecode.U8, 1, b), true
	}
	return MakeText(0, string(b)), true
}

// letter returns a letter that is not in a delimiter.
func letter(delimiter string) string {
	b := byte('a')
	for strings.IndexByte(delimiter, b) >= 0 {
		b++
	}
	return string(b)
}

// The meanings of a byte of text.
const (
	textChar    = 0x20 // below: the text ends
	textSpecial = 0x7f // below: the character itself
	textRaw     = 0xf8 // below: one of the special characters; from here on: the 4 bytes after it are its number
)

// specials are the characters that are easy to get wrong.
var specials = []uint32{'é', 'ß', 'ö', '日', '本', '😀', 0, '"', '\\', '\'', '\n', '\t', '\r', 0x7f, 0x80, 0x7ff, 0x800, 0xfeff,
	0xfffd, 0xfffe, 0xffff, 0x10000, 0x10ffff, 0x301, 0x202e, 0x2028, 0x1f, 0xd800, 0xdfff, 0x110000, 0x200000, 0x4000000, 0x7fffffff, 0xff}

// text draws a text. With n of 0 or more it takes n bytes, without a zero byte that a writer
// adds.
func (g *generating) text(f *frame, c uint32, enc *bytecode.Encoding, n int) (Value, bool) {
	want, literals := g.wanted(f, c), g.g.paths.literals(f.pc, c)
	if g.choosing {
		b := want.Bytes()
		if len(literals) > 0 {
			g.put(0)
		}
		if want.kind != Text || n >= 0 && n != encoded(enc, b) || n < 0 && len(b) > max(0, g.g.bytes-g.spent) || !readable(enc, b) {
			return want, g.fail("%s is no text that can be here", g.rule(f))
		}
		for len(b) > 0 {
			x, size := charOf(enc, b)
			if textChar <= x && x < textSpecial {
				g.put(byte(x))
			} else {
				g.put(textRaw)
				g.putRaw(4, uint64(x))
			}
			b = b[size:]
		}
		g.put(0)
		g.spent += len(want.Bytes())
		return MakeText(0, want.Text()), true
	}
	most := n
	if n < 0 {
		most = max(0, min(g.g.bytes-g.spent, g.spare()))
	}
	if most > g.g.bytes {
		return want, g.fail("%s has %d bytes", g.rule(f), n)
	}
	bump := g.bumped(f, c)
	if len(literals) > 0 {
		k := int(g.byte()) % (len(literals) + 1)
		if bump > 0 {
			k = bump
		}
		if 0 < k && k <= len(literals) {
			text := literals[k-1]
			if size := encoded(enc, []byte(text)); size == n || n < 0 && size <= most {
				g.spent += len(text)
				return MakeText(0, text), true
			}
		}
		bump -= len(literals)
	}
	var out []byte
	size := 0 // that it takes
	for {
		b := g.byte()
		if b < textChar {
			break
		}
		x := uint32(b)
		switch {
		case b >= textRaw:
			x = uint32(g.raw(4)) & math.MaxInt32
		case b >= textSpecial:
			x = specials[int(b-textSpecial)%len(specials)]
		}
		char := appendChar(enc, nil, x)
		if _, bad, _ := encodeText(enc, char); bad >= 0 || len(out) == 0 && enc.DropBOM && x == 0xfeff {
			char = append(char[:0], 'a'+byte(x%26))
		}
		if takes := encoded(enc, char); size+takes <= most {
			out, size = append(out, char...), size+takes
		}
	}
	if bump > 0 && n < 0 {
		out = []byte("abcdef")[:min(bump-1, 6)]
	}
	for size < n {
		out, size = append(out, 'a'), size+enc.Charset.Unit()
	}
	if n >= 0 && size > n {
		return want, g.fail("%s has %d bytes, which are no characters", g.rule(f), n)
	}
	g.spent += len(out)
	return MakeText(0, string(out)), true
}

// encoded returns the number of bytes that text takes, without a zero byte that a writer adds.
func encoded(enc *bytecode.Encoding, text []byte) int {
	b, _, _ := encodeText(enc, text)
	return len(b)
}

// readable reports whether a reader gets a text back.
func readable(enc *bytecode.Encoding, text []byte) bool {
	b, bad, _ := encodeText(enc, text)
	if bad >= 0 {
		return false
	}
	got, _, why := decodeText(enc, b)
	return why == "" && string(got) == string(text)
}

// charOf returns the first character of text that is well formed.
func charOf(enc *bytecode.Encoding, b []byte) (x uint32, size int) {
	lead := b[0]
	if lead < 0x80 || enc.Charset == builtin.UTF8Unchecked {
		return uint32(lead), 1
	}
	n := 2
	for n < 6 && lead<<n&0x80 != 0 {
		n++
	}
	x = uint32(lead << n >> n)
	for _, d := range b[1:n] {
		x = x<<6 | uint32(d&0x3f)
	}
	return x, n
}

func appendChar(enc *bytecode.Encoding, out []byte, x uint32) []byte {
	if enc.Charset == builtin.UTF8Unchecked && x < 256 {
		return append(out, byte(x))
	}
	return appendForm(out, x, formLength(x))
}
