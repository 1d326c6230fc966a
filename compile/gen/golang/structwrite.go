// The functions of users' structs that write bytes: room is made for all that has a
// known size, and the words of headers and keys are stored as numbers.

package golang

import (
	"fmt"
	"slices"
	"strings"
)

func (p *emitter) writeStruct(u *userStruct) {
	g := p.g
	for _, f := range u.fields {
		if !f.typ.isFast(map[*userStruct]bool{u: true}, true) {
			p.f("// writeFast leaves it to toValue, because of the field %s.\nfunc (x *%s) writeFast(_ *writer, b []byte, _, _ int) ([]byte, int) { return b, -1 }\n\n", f.name, u.name)
			return
		}
	}
	p.f("func (x *%s) writeFast(w *writer, b []byte, pos, depth int) ([]byte, int) {\n", u.name)
	m := g.form(g.nat.mapping)
	p.f("if depth+%d > w.limit || w.wide {\nreturn b, -1\n}\n", u.levels(nil))
	s := &straightWriter{p: p, u: u, x: "x", depth: "depth", inside: []*userStruct{u}}
	s.structure(m)
	p.f("return b, pos\n}\n\n")
}

// structure prints the writing of a struct, for which room is made first.
func (s *straightWriter) structure(m *plain) {
	p, u := s.p, s.u
	omits := false
	for _, f := range u.fields {
		omits = omits || f.omit
	}
	s.plan(u)
	s.begin()
	if omits {
		p.f("n := uint64(0)\n")
		for _, f := range u.fields {
			if f.omit {
				p.f("if %s {\nn++\n}\n", p.notEmpty(f.typ, s.x+"."+f.name))
			} else {
				p.f("n++\n")
			}
		}
		p.f("store64(b, pos, %d|n<<32)\npos += 8\n", m.head)
	} else {
		s.word(uint32(m.head))
		s.word(uint32(len(u.fields)))
	}
	for i, f := range u.fields {
		if f.omit {
			s.flush()
			p.f("if %s {\n", p.notEmpty(f.typ, s.x+"."+f.name))
		}
		s.last = i == len(u.fields)-1
		s.key(f.key)
		s.field(f.typ, s.x+"."+f.name)
		if f.omit {
			s.flush()
			p.f("}\n")
		}
	}
	s.flush()
}

// straightWriter prints stores at known distances from pos.
type straightWriter struct {
	p     *emitter
	u     *userStruct
	at    int
	run   strings.Builder // stores from pos on, of at bytes
	words []uint32        // that wait to be stored, from at-4*len on
	room  string
	lists []string // of texts for which there is to be room, too
	roomy bool     // there is room for them
	x     string   // the struct
	depth string
	last  bool // nothing of the struct comes after the field
	// the structs that this is inside of, whose code is not to be put inside of itself
	inside []*userStruct
}

// plan computes how much room a struct takes without its lists.
func (s *straightWriter) plan(u *userStruct) {
	fixed, texts := 8+16, ""
	for _, f := range u.fields {
		fixed += 8 + (len(f.key)+3)&^3
		n, more := s.size(f.typ, s.x+"."+f.name)
		fixed += n
		texts += more
		if f.typ.sort == sortList && f.typ.elem.sort == sortText {
			s.lists = append(s.lists, s.x+"."+f.name)
			s.roomy = true
		}
	}
	s.room = fmt.Sprintf("%d%s", fixed, texts)
}

// size returns the bytes that a value takes at most before its list, and texts to add.
func (s *straightWriter) size(t *userType, x string) (int, string) {
	switch t.sort {
	case sortText:
		return 12, fmt.Sprintf(" + len(%s)", x)
	case sortLanes:
		return 4 + len(t.lanes)*t.scalar.Width(), ""
	case sortPointer:
		n, _ := s.size(t.elem, "")
		return n + 4, ""
	}
	return 12, ""
}

func (s *straightWriter) begin() {
	if len(s.lists) == 0 {
		s.p.f("if room := %s; len(b)-pos < room {\nb = grow(b, pos, room)\n}\n", s.room)
		return
	}
	s.p.f("room := %s\n", s.room)
	for _, x := range s.lists {
		s.p.f("room += 12 * len(%s)\nfor i := range %s {\nroom += len(%s[i])\n}\n", x, x, x)
	}
	s.p.f("if len(b)-pos < room {\nb = grow(b, pos, room)\n}\n")
	s.lists = nil
}

// again makes room again, after something that has used it up.
func (s *straightWriter) again() {
	if s.last {
		return
	}
	for _, f := range s.u.fields {
		if s.roomy && f.typ.sort == sortList && f.typ.elem.sort == sortText {
			s.p.f("{\n")
			s.lists = append(s.lists, s.x+"."+f.name)
			s.begin()
			s.p.f("}\n")
			return
		}
	}
	s.begin()
}

func (s *straightWriter) word(w uint32) {
	s.words = append(s.words, w)
	s.at += 4
}

// put adds a statement to the run, in which q is the place of the run.
func (s *straightWriter) put(format string, args ...any) {
	fmt.Fprintf(&s.run, format, args...)
}

// store adds the words that wait to the run.
func (s *straightWriter) store() {
	at := s.at - 4*len(s.words)
	for i := 0; i < len(s.words); i++ {
		if i+1 < len(s.words) {
			s.put("store64(q[:], %d, %#x)\n", at+4*i, uint64(s.words[i])|uint64(s.words[i+1])<<32)
			i++
		} else {
			s.put("store32(q[:], %d, %#x)\n", at+4*i, s.words[i])
		}
	}
	s.words = nil
}

// flush prints the run and steps over it.
func (s *straightWriter) flush() {
	if s.store(); s.at > 0 {
		s.put("pos += %d\n", s.at)
		s.end(0)
	}
}

// end prints the run, which steps over itself and stores up to n bytes more. There is one
// test for room for all of it.
func (s *straightWriter) end(n int) {
	s.p.f("{\nq := (*[%d]byte)(b[pos:])\n%s}\n", s.at+n, s.run.String())
	s.run.Reset()
	s.at = 0
}

func (s *straightWriter) key(key string) {
	f := s.p.g.form(s.p.g.nat.text)
	s.word(uint32(f.head))
	s.word(uint32(len(key)))
	for i := 0; i < len(key); i += 4 {
		var bits uint32
		for k := 0; k < 4 && i+k < len(key); k++ {
			bits |= uint32(key[i+k]) << (8 * k)
		}
		s.word(bits)
	}
}

const noWay = "return b, -1\n"

// field prints the writing of a value. There is room for it, but for lists.
func (s *straightWriter) field(t *userType, x string) {
	p, g := s.p, s.p.g
	f := g.fast[t.arm]
	switch {
	case t.sort == sortBool:
		s.store()
		s.put("store64(q[:], %d, %d)\nif %s {\nq[%d] = 1\n}\n", s.at, f.head, x, s.at+4)
		s.at += 8
	case t.sort == sortInt:
		if !t.signed && (t.bits == 0 || t.bits == 64) {
			p.f("if uint64(%s) > math.MaxInt64 {\n%s}\n", x, noWay)
		}
		if f.kind == plainInts {
			s.store()
			s.put("if i := int64(%s); int64(int32(i)) == i {\nstore64(q[:], %d, %d|uint64(i)<<32)\npos += %d\n} else {\nstore32(q[:], %d, %d)\nstore64(q[:], %d, uint64(i))\npos += %d\n}\n",
				x, s.at, f.head, s.at+8, s.at, f.head|1<<f.bit, s.at+4, s.at+12)
			s.end(12)
			break
		}
		s.flush()
		p.f("if pos = putInt(b, pos, int64(%s)); pos < 0 {\n%s}\n", x, noWay)
	case t.sort == sortFloat:
		if f.kind == plainFloats {
			s.store()
			s.put("if f := float64(%s); float64(float32(f)) == f {\nstore64(q[:], %d, %d|uint64(math.Float32bits(float32(f)))<<32)\npos += %d\n} else {\nstore32(q[:], %d, %d)\nstore64(q[:], %d, math.Float64bits(f))\npos += %d\n}\n",
				x, s.at, f.head, s.at+8, s.at, f.head|1<<f.bit, s.at+4, s.at+12)
			s.end(12)
			break
		}
		s.flush()
		p.f("pos = putFloat(b, pos, float64(%s))\n", x)
	case t.sort == sortText:
		s.flush()
		p.f("if pos = putText(b, pos, %d, string(%s)); pos < 0 {\n%s}\n", f.head, x, noWay)
	case t.sort == sortLanes && t.lane.base == scalarGo(t.scalar):
		s.lanes(t, f, x)
	case t.sort == sortPacked:
		s.flush()
		p.f("{\nt := bytesOf(%s)\nif len(%s) > math.MaxInt32 {\n%s}\nif room := len(t) + 16 + headroom; len(b)-pos < room {\nb = grow(b, pos, room)\n}\nstore64(b, pos, %d|uint64(len(%s))<<32)\ncopy(b[pos+8:], t)\n", x, x, noWay, f.head, x)
		if f.pad {
			p.f("store32(b, pos+8+len(t), 0)\npos += 8 + (len(t)+3)&^3\n}\n")
		} else {
			p.f("pos += 8 + len(t)\n}\n")
		}
		s.again()
	case t.sort == sortList:
		s.list(t, f, x)
	case t.sort == sortStruct:
		s.flush()
		p.f("if b, pos = %s.writeFast(w, b, pos, %s+1); pos < 0 {\n%s}\n", x, s.depth, noWay)
		s.again()
	case t.sort == sortPointer:
		s.flush()
		p.f("if %s == nil {\nstore32(b, pos, %d)\npos += 4\n} else {\n", x, f.head)
		if t.elem.sort == sortText {
			p.f("if room := len(*%s) + 28 + headroom; len(b)-pos < room {\nb = grow(b, pos, room)\n}\n", x)
		}
		s.field(t.elem, "(*"+x+")")
		s.flush()
		p.f("}\n")
		if t.elem.sort == sortText {
			s.again()
		}
	default:
		panic("golang: a field that is not fast")
	}
}

// list prints the writing of a slice.
func (s *straightWriter) list(t *userType, f *plain, x string) {
	p, g := s.p, s.p.g
	s.store()
	i := p.fresh("i")
	p.f("if len(%s) > math.MaxInt32 {\n%s}\n", x, noWay)
	s.put("store64(q[:], %d, %d|uint64(len(%s))<<32)\npos += %d\n", s.at, f.head, x, s.at+8)
	s.end(8)
	p.f("for %s := range %s {\n", i, x)
	e, y := t.elem, fmt.Sprintf("%s[%s]", x, i)
	switch {
	case e.sort == sortStruct && !slices.Contains(s.inside, e.str) && len(s.inside) < 3:
		// in place, which is faster than a call
		in := p.fresh("e")
		p.f("%s := &%s\n", in, y)
		inner := &straightWriter{p: p, u: e.str, x: in, depth: s.depth + "+2", inside: append(slices.Clone(s.inside), e.str)}
		inner.structure(g.form(g.nat.mapping))
	case e.sort == sortStruct:
		p.f("if b, pos = %s.writeFast(w, b, pos, %s+2); pos < 0 {\n%s}\n", y, s.depth, noWay)
	case e.sort == sortText:
		if !s.roomy {
			p.f("if room := len(%s) + 28; len(b)-pos < room {\nb = grow(b, pos, room)\n}\n", y)
		}
		p.f("if pos = putText(b, pos, %d, string(%s)); pos < 0 {\n%s}\n", g.form(e.arm).head, y, noWay)
	case e.sort == sortBool || e.sort == sortInt || e.sort == sortFloat || e.sort == sortLanes:
		p.f("if len(b)-pos < headroom {\nb = grow(b, pos, headroom)\n}\n")
		inner := &straightWriter{p: p, u: s.u, x: s.x, depth: s.depth, room: "headroom"}
		inner.field(e, y)
		inner.flush()
	default:
		panic("golang: an element that is not fast")
	}
	p.f("}\n")
	if e.sort != sortText || !s.roomy {
		s.again()
	}
}

// lanes prints the writing of a tuple of numbers.
func (s *straightWriter) lanes(t *userType, f *plain, x string) {
	s.word(uint32(f.head))
	s.store()
	w := t.scalar.Width()
	for i, l := range t.lanes {
		n := x + l
		if t.scalar.IsFloat() {
			n = fmt.Sprintf("math.Float%dbits(%s)", 8*w, n)
		}
		switch w {
		case 4, 8:
			s.put("store%d(q[:], %d, uint%d(%s))\n", 8*w, s.at+i*w, 8*w, n)
		default:
			for k := range w {
				s.put("q[%d] = byte(%s >> %d)\n", s.at+i*w+k, n, 8*k)
			}
		}
	}
	s.at += w * len(t.lanes)
}
