// The fast path of users' structs: it reads bytes whose keys are in the order of the fields.
// Anything else falls back to the reading of single keys.

package golang

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// words are known bytes of the input: those of headers and keys.
type knownWord struct {
	at   int
	bits uint32
	mask uint32
}

// straight prints the reading of a struct whose keys are in the order of its fields.
type straight struct {
	p      *emitter
	u      *userStruct
	known  []knownWord
	at     int // bytes of q that are planned, and not yet stepped over
	later  []func()
	escape string // code of the fallback
	depth  string
	inside []*userStruct // whose code is not to be put inside of itself

	// In an element of a slice, left is the number of elements from this one on. spares are the
	// variables from which the slices in its fields are cut, and spare is that of the slice that
	// is printed.
	left   string
	spares map[*userField]string
	spare  string
}

func (s *straight) word(bits, mask uint32) {
	s.known = append(s.known, knownWord{s.at, bits, mask})
	s.at += 4
}

// flush prints the tests of the known bytes, need in all, and then the code that
// depends on them.
func (s *straight) flush(need int) {
	p := s.p
	if need > 0 || len(s.known) > 0 {
		var conds []string
		if need > 0 {
			conds = append(conds, fmt.Sprintf("len(q) < %d", need))
		}
		for i := 0; i < len(s.known); i++ {
			k := s.known[i]
			if i+1 < len(s.known) && k.mask == math.MaxUint32 && s.known[i+1].mask == math.MaxUint32 && s.known[i+1].at == k.at+4 {
				conds = append(conds, fmt.Sprintf("load64(q, %d) != %#x", k.at, uint64(k.bits)|uint64(s.known[i+1].bits)<<32))
				i++
				continue
			}
			if k.mask == math.MaxUint32 {
				conds = append(conds, fmt.Sprintf("load32(q, %d) != %#x", k.at, k.bits))
			} else if k.mask != 0 {
				conds = append(conds, fmt.Sprintf("load32(q, %d)&%#x != %#x", k.at, k.mask, k.bits))
			}
		}
		p.f("if %s {\n%s}\n", strings.Join(conds, " ||\n"), s.escape)
	}
	for _, f := range s.later {
		f()
	}
	s.known, s.later = nil, nil
}

// key plans the word and the letters of a key.
func (s *straight) key(key string) {
	f := s.p.g.form(s.p.g.nat.text)
	s.word(uint32(f.head), math.MaxUint32)
	s.word(uint32(len(key)), math.MaxUint32)
	for i := 0; i < len(key); i += 4 {
		var bits, mask uint32
		for k := 0; k < 4 && i+k < len(key); k++ {
			bits |= uint32(key[i+k]) << (8 * k)
			mask |= 0xff << (8 * k)
		}
		s.word(bits, mask)
	}
}

// isStraight reports whether all keys of a struct are written, in the same order.
func (u *userStruct) isStraight() bool {
	for _, f := range u.fields {
		if f.omit {
			return false
		}
		for _, c := range []byte(f.key) {
			if c >= 0x80 || c == 0 {
				return false
			}
		}
	}
	return len(u.fields) > 0
}

func (p *emitter) readStruct(u *userStruct) {
	g := p.g
	for _, f := range u.fields {
		if !f.typ.isFast(map[*userStruct]bool{u: true}, false) {
			p.f("// readFast leaves it to fromValue, because of the field %s.\nfunc (x *%s) readFast(*reader, []byte, int, int, bool) int { return -1 }\n\n", f.name, u.name)
			return
		}
	}
	if u.isStraight() {
		p.f("func (x *%s) readFast(r *reader, b []byte, pos, depth int, elem bool) int {\n", u.name)
		p.f("if depth+%d > r.limit {\nreturn -1\n}\nstart := pos\nif r.misses > 2 { // the keys are in another order\nreturn x.readKeys(r, b, start, depth, elem)\n}\n// q is the rest of the input. Its length is tested once for each run of parts of known size.\nq := b[pos:]\n", u.levels(nil))
		s := &straight{p: p, u: u, escape: "return x.readKeys(r, b, start, depth, elem)\n", depth: "depth", inside: []*userStruct{u}}
		s.structure("x")
		p.f("return len(b) - len(q)\n}\n\n")
		p.f("// rest returns the bytes after x, which is read with its keys in any order; nil if that\n// is not plain.\nfunc (x *%s) rest(r *reader, b []byte, pos, depth int) []byte {\nif pos = x.readKeys(r, b, pos, depth, true); pos < 0 {\nreturn nil\n}\nreturn b[pos:]\n}\n\n", u.name)
	} else {
		p.f("func (x *%s) readFast(r *reader, b []byte, pos, depth int, elem bool) int {\nif depth > r.limit {\nreturn -1\n}\nreturn x.readKeys(r, b, pos, depth, elem)\n}\n\n", u.name)
	}
	p.f("// readKeys reads the keys in any order.\n//\n//go:noinline\nfunc (x *%s) readKeys(r *reader, b []byte, pos, depth int, elem bool) int {\n", u.name)
	p.f("r.misses++\nn, pos := mapAt(b, pos)\nif pos < 0 || n > 0 && depth >= r.limit {\nreturn -1\n}\nvar seen uint64\nfor range n {\n")
	p.f("if len(b)-pos < 8 {\nreturn -1\n}\nw := load64(b, pos)\nstart, size := pos+8, int(w>>32)\npos = start + (size+3)&^3\nif %s || w>>32 > uint64(len(b)-start) || pos > len(b) {\nreturn -1\n}\nbit := uint64(0)\n// a key need not be checked where it is a name\nswitch string(b[start:start+size]) {\n", g.textTest())
	for i, f := range u.fields {
		p.f("case %q:\nbit = 1 << %d\n", f.key, i)
		p.names = 0
		p.at(f.typ, "x."+f.name)
	}
	p.f("}\nif pos < 0 || bit == 0 || seen&bit != 0 {\nreturn -1\n}\nseen |= bit\n}\n")
	required := uint64(0)
	for i, f := range u.fields {
		if f.required {
			required |= 1 << i
		}
	}
	if required != 0 {
		p.f("if seen&%#x != %#x {\nreturn -1\n}\n", required, required)
	}
	p.f("if seen != %#x && elem && r.again { // what an element of a slice was before does not count\n", uint64(1)<<len(u.fields)-1)
	for i, f := range u.fields {
		p.f("if seen>>%d&1 == 0 {\nclearField(&x.%s)\n}\n", i, f.name)
	}
	p.f("}\nreturn pos\n}\n\n")
}

// structure prints the reading of a struct.
func (s *straight) structure(x string) {
	m := s.p.g.form(s.p.g.nat.mapping)
	s.word(uint32(m.head), math.MaxUint32)
	s.word(uint32(len(s.u.fields)), math.MaxUint32)
	for _, f := range s.u.fields {
		s.key(f.key)
		s.spare = s.spares[f]
		s.field(f.typ, x+"."+f.name)
	}
	if s.at > 0 || len(s.known) > 0 {
		s.flush(s.at)
		s.p.f("q = q[%d:]\n", s.at)
	}
}

// field plans the reading of a value, the next one in q.
func (s *straight) field(t *userType, x string) {
	p, g := s.p, s.p.g
	f := g.fast[t.arm]
	off := s.at
	step := func(from string) { p.f("q = q[%s:]\n", from); s.at = 0 }
	switch {
	case t.sort == sortBool:
		s.word(uint32(f.head), math.MaxUint32)
		s.later = append(s.later, func() { p.f("%s = load32(q, %d) != 0\n", x, off+4) })
		s.at += 4
	case t.sort == sortInt && f.kind == plainInts && (t.bits == 64 && t.signed), t.sort == sortFloat && f.kind == plainFloats && t.bits == 64:
		s.flush(off + 8)
		p.f("switch load32(q, %d) {\ncase %#x:\n", off, f.head)
		if t.sort == sortInt {
			p.f("%s = %s(int32(load32(q, %d)))\n", x, t.text, off+4)
		} else {
			p.f("%s = %s(math.Float32frombits(load32(q, %d)))\n", x, t.text, off+4)
		}
		p.f("q = q[%d:]\ncase %#x:\nif len(q) < %d {\n%s}\n", off+8, f.head|1<<f.bit, off+12, s.escape)
		if t.sort == sortInt {
			p.f("%s = %s(load64(q, %d))\n", x, t.text, off+4)
		} else {
			p.f("%s = %s(math.Float64frombits(load64(q, %d)))\n", x, t.text, off+4)
		}
		p.f("q = q[%d:]\ndefault:\n%s}\n", off+12, s.escape)
		s.at = 0
	case t.sort == sortText:
		s.word(uint32(f.head), math.MaxUint32)
		s.at += 4
		s.flush(s.at)
		p.f("{\nn := int(load32(q, %d))\nend := %d + (n+3)&^3\nif n < 0 || n > len(q)-%d || end > len(q) {\n%s}\n", off+4, off+8, off+8, s.escape)
		s.plainTest(off + 8)
		p.f("%s = %s\n", x, t.convert(fmt.Sprintf("alias(q[%d:%d+n])", off+8, off+8)))
		step("end")
		p.f("}\n")
	case t.sort == sortLanes && t.lane.base == scalarGo(t.scalar):
		s.word(uint32(f.head), math.MaxUint32)
		w := t.scalar.Width()
		s.later = append(s.later, func() {
			for i, l := range t.lanes {
				p.f("%s%s = %s\n", x, l, loadLane(t.scalar, "q", off+4+i*w))
			}
		})
		s.at += w * len(t.lanes)
	case t.sort == sortStruct:
		s.flush(s.at)
		p.f("if next := %s.readFast(r, b, len(b)-len(q)+%d, %s+1, %s); next < 0 {\nreturn -1\n} else {\nq = b[next:]\n}\n", x, off, s.depth, s.elem())
		s.at = 0
	case t.sort == sortList:
		s.word(uint32(f.head), math.MaxUint32)
		s.at += 4
		s.flush(s.at)
		i := p.fresh("i")
		p.f("{\nw := load64(q, %d)\ncount := %s\nq = q[%d:]\nif count < 0 || count > int64(len(q))/%d {\n%s}\n", off, p.fastCount(f), off+8, g.m.Root.Min, s.escape)
		p.f("switch s := %s; {\n", x)
		if s.spare == "" {
			p.f("case s == nil || int(count) > cap(s):\n%s = make(%s, count)\n", x, t.text)
		} else {
			p.f("case int(count) > cap(s):\n%s = carve(&%s, int(count), %s)\ncase s == nil:\n%s = make(%s, 0)\n", x, s.spare, s.left, x, t.text)
		}
		p.f("case r.again:\n%s = s[:count]\ndefault:\n%s = sized(s, int(count), false)\n}\n", x, x)
		switch e := t.elem; {
		case e.sort == sortText:
			tf := g.form(e.arm)
			p.f("for %s := range %s {\nif len(q) < 8 {\n%s}\nw := load64(q, 0)\nn := int(w >> 32)\nend := 8 + (n+3)&^3\nif uint32(w) != %#x || w>>32 > uint64(len(q)-8) || end > len(q) {\n%s}\n", i, x, s.escape, tf.head, s.escape)
			s.plainTest(8)
			p.f("%s[%s] = %s\nq = q[end:]\n}\n", x, i, e.convert("alias(q[8:8+n])"))
		case e.sort == sortStruct && e.str.isStraight() && !slices.Contains(s.inside, e.str) && len(s.inside) < 3:
			// in place, which is faster than a call
			in, at, label := p.fresh("e"), p.fresh("at"), p.fresh("elements")
			spares := map[*userField]string{}
			for _, f := range e.str.fields {
				if f.typ.sort == sortList {
					spares[f] = p.fresh("spare")
					p.f("var %s %s\n", spares[f], f.typ.text)
				}
			}
			p.f("%s:\nfor %s := range %s {\n%s, %s := &%s[%s], len(b)-len(q)\n", label, i, x, in, at, x, i)
			escape := fmt.Sprintf("if q = %s.rest(r, b, %s, %s+2); q != nil {\ncontinue %s\n}\nreturn -1\n", in, at, s.depth, label)
			p.f("if r.misses > 2 {\n%s}\n", escape)
			inner := &straight{p: p, u: e.str, escape: escape, depth: s.depth + "+2", inside: append(slices.Clone(s.inside), e.str),
				spares: spares, left: fmt.Sprintf("len(%s)-%s", x, i)}
			inner.structure(in)
			p.f("}\n")
		default:
			p.f("pos := len(b) - len(q)\nfor %s := range %s {\n", i, x)
			p.elementAt(t.elem, fmt.Sprintf("%s[%s]", x, i), s.depth)
			p.f("if pos < 0 {\nreturn -1\n}\n}\nq = b[pos:]\n")
		}
		p.f("}\n")
		s.at = 0
	default:
		s.flush(s.at)
		p.f("{\npos := len(b) - len(q) + %d\n", off)
		p.deeperFrom(t, x, s.depth, 1)
		p.f("if pos < 0 {\n%s}\nq = b[pos:]\n}\n", s.escape)
		s.at = 0
	}
}

// plainTest prints what plainText does, without a call for short texts.
func (s *straight) plainTest(start int) {
	s.p.f("dirty := odd(load64(q, %d+n))\nif n <= 8 {\ndirty >>= 64 - 8*uint(n)\n} else if dirty == 0 && !plainLong(q, %d, n) {\ndirty = 1\n}\nif dirty != 0 {\n%s}\n", start-8, start, s.escape)
}

// convert prints a string as a type.
func (t *userType) convert(x string) string {
	if t.text == "string" {
		return x
	}
	return t.text + "(" + x + ")"
}

// loadLane prints the loading of a number.
func loadLane(s builtin.Scalar, b string, at int) string {
	load := fmt.Sprintf("load%d(%s, %d)", 8*s.Width(), b, at)
	switch s {
	case builtin.U8, builtin.I8:
		load = fmt.Sprintf("%s[%d]", b, at)
	case builtin.U16, builtin.I16:
		load = fmt.Sprintf("uint16(load32(%s, %d))", b, at)
	}
	switch {
	case s.IsFloat():
		return fmt.Sprintf("math.Float%dfrombits(%s)", 8*s.Width(), load)
	case s.Signed():
		return fmt.Sprintf("%s(%s)", scalarGo(s), load)
	}
	return load
}

// elem says whether the struct is an element of a slice.
func (s *straight) elem() string {
	if len(s.inside) > 1 {
		return "true"
	}
	return "elem"
}

// levels returns the most levels of values inside of a struct's map that are written
// or read in place. Deeper values count their own levels.
func (u *userStruct) levels(inside []*userStruct) int {
	most := 0
	for _, f := range u.fields {
		n := 1
		switch t := f.typ; {
		case t.sort == sortList && t.elem.sort == sortStruct && !slices.Contains(inside, t.elem.str) && len(inside) < 3:
			n = 2 + t.elem.str.levels(append(slices.Clone(inside), u))
		case t.sort == sortList:
			n = 2
		}
		most = max(most, n)
	}
	return most
}

// isFast reports whether values of a type are read or written without a Value between.
func (t *userType) isFast(seen map[*userStruct]bool, writing bool) bool {
	switch t.sort {
	case sortBool, sortInt, sortFloat, sortText:
		return true
	case sortLanes:
		return t.lane.base == scalarGo(t.scalar)
	case sortPacked:
		return t.elem.sort != sortLanes || t.elem.lane.base == scalarGo(t.scalar)
	case sortList, sortPointer:
		e := t.elem
		if writing && (e.sort == sortPacked || e.sort == sortList || e.sort == sortPointer) {
			return false
		}
		return e.isFast(seen, writing)
	case sortStruct:
		if seen[t.str] {
			return true
		}
		seen[t.str] = true
		for _, f := range t.str.fields {
			if !f.typ.isFast(seen, writing) {
				return false
			}
		}
		return true
	}
	return false
}
