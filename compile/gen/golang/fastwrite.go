// The loop that writes plain forms.

package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// fastWriter prints the loop that writes.
func (g *generator) fastWriter() string {
	p := &emitter{g: g}
	root := g.routine[g.m.Root]
	room := 4 + 8 + 64
	for _, f := range g.ordered() {
		if f.writes && f.kind == plainLanes {
			room = max(room, 4+f.width*f.scalar.Width()+8)
		}
	}
	p.f(`// The loop that writes values in their plain forms; see the one that reads.

package octable

// headroom is the most bytes that a value without a length field, or with a short text, takes.
const headroom = %d

func store32(b []byte, i int, x uint32) { binary.LittleEndian.PutUint32(b[i:], x) }
func store64(b []byte, i int, x uint64) { binary.LittleEndian.PutUint64(b[i:], x) }

// grow returns b with room for n bytes more behind the first pos.
//
//go:noinline
func grow(b []byte, pos, n int) []byte {
	out := make([]byte, max(pos+n, 2*len(b)))
	out = out[:cap(out)]
	copy(out, b[:pos])
	return out
}

// rare%s writes a value that the loop leaves to others.
//
//go:noinline
func (w *writer) rare%s(b []byte, pos, depth int, v *Value) ([]byte, int, bool) {
	w.out, w.depth = b[:pos], depth
	ok := w.all%s(*v)
	b = w.out[:cap(w.out)]
	return b, len(w.out), ok
}

`, room, root, root, root)
	if slices.ContainsFunc(g.ordered(), func(f *plain) bool { return f.kind == plainText && f.writes }) {
		p.f(`// textFits reports whether a text that is not plain can be written.
//
//go:noinline
func textFits(enc *encoding, v *Value) bool {
	bad, _ := checkText(enc, v.Bytes())
	return bad < 0
}

`)
	}
	p.f("// fast%s writes values at a depth behind the first pos bytes of b. It returns b\n// with their bytes, and the end of these, or -1.\n", root)
	p.f("func (w *writer) fast%s(b []byte, pos int, cells []Value, depth int) ([]byte, int) {\n", root)
	p.f("for i := 0; uint(i) < uint(len(cells)); {\nv := &cells[i]\ni++\nrest := b[pos:]\nif len(rest) < headroom {\nb = grow(b, pos, headroom)\nrest = b[pos:]\n}\n")
	p.f("room := (*[headroom]byte)(rest) // stores into it need no further test\nswitch v.tag {\n")
	done := map[*plain]bool{}
	for _, f := range g.ordered() {
		if !f.writes || done[f] {
			continue
		}
		p.fastWrite(f, done, root)
	}
	p.f("default:\ngoto rare\n}\ncontinue\nrare:\n{\nvar ok bool\nif b, pos, ok = w.rare%s(b, pos, depth, v); !ok {\nreturn b, -1\n}\n}\n}\nreturn b, pos\n}\n", root)
	return p.String()
}

// fastWrite prints the case of a plain form.
func (p *emitter) fastWrite(f *plain, done map[*plain]bool, root string) {
	g := p.g
	forms := g.alike(f)
	var tags []string
	for _, q := range forms {
		done[q] = true
		tags = append(tags, g.typeConst[q.arm.Type])
	}
	head := fmt.Sprint(f.head)
	for _, q := range forms {
		if int64(q.head)-int64(q.arm.Type.Tag) != int64(f.head)-int64(f.arm.Type.Tag) {
			forms, tags = forms[:1], tags[:1]
			for _, x := range forms[1:] {
				done[x] = false
			}
			break
		}
	}
	if len(forms) > 1 {
		head = fmt.Sprintf("uint64(v.tag)+%d", int64(f.head)-int64(f.arm.Type.Tag))
		if d := int64(f.head) - int64(f.arm.Type.Tag); d < 0 {
			head = fmt.Sprintf("uint64(v.tag)-%d", -d)
		}
	}
	p.f("case %s:\n", strings.Join(tags, ", "))
	f.print(&fastWritten{p, f, head}, root)
}

// fastWritten prints the case of one plain form in the loop that writes.
type fastWritten struct {
	*emitter
	plain *plain
	head  string // prints the header
}

// rare prints that a value is written in another way under a condition.
func (p *fastWritten) rare(cond string) { p.f("if %s {\ngoto rare\n}\n", cond) }

// numbers prints a value that is a number, or nothing.
func (p *fastWritten) numbers() {
	switch f := p.plain; f.kind {
	case plainUnit:
		p.f("store32(room[:], 0, %s)\npos += 4\n", p.head)
	case plainTruth:
		p.rare("v.kind != KindBool")
		p.f("store64(room[:], 0, %s|v.u&1<<32)\npos += 8\n", p.head)
	case plainScalar:
		p.fastPut(f, p.head, p.rare)
	case plainInts:
		p.rare("v.kind != KindInt")
		p.f("// without a branch: the upper half of a short number is written over by what comes next\n")
		p.f("wide := uint64(0)\nif v.u+1<<31 >= 1<<32 {\nwide = 1\n}\nstore32(room[:], 0, %s|uint32(wide)<<%d)\nstore64(room[:], 4, v.u)\npos += int(8 + wide*4)\n", p.head, f.bit)
	case plainFloats:
		p.rare("v.kind != KindFloat")
		p.f("f := math.Float64frombits(v.u)\nif s := float32(f); float64(s) == f {\nstore64(room[:], 0, %s|uint64(math.Float32bits(s))<<32)\npos += 8\n} else {\nstore32(room[:], 0, %s|1<<%d)\nstore64(room[:], 4, v.u)\npos += 12\n}\n", p.head, p.head, f.bit)
	}
}

// text prints a text. A short one is not copied by a call.
func (p *fastWritten) text() {
	f := p.plain
	p.rare("v.kind != KindText")
	p.f(`n := int(v.n)
	store64(room[:], 0, %s|uint64(n)<<32)
	t := unsafe.Slice((*byte)(v.p), n)
	var marks uint64
	switch {
	case n > 16:
	if len(b)-pos < 8+n+8+headroom {
		b = grow(b, pos+8, n+8+headroom)
	}
	store64(b, pos+8+n, 0)
	copy(b[pos+8:], t)
	if !plainText(b, pos+8, n) {
		marks = 1
	}
	case n > 8:
	first, last := load64(t, 0), load64(t, n-8)
	marks = odd(first) | odd(last)
	store64(room[:], 8, first)
	store64(room[:], 16, last>>(8*(16-uint(n))&63))
	case n == 8:
	w := load64(t, 0)
	marks = odd(w)
	store64(room[:], 8, w)
	case n >= 4:
	first, last := uint64(load32(t, 0)), uint64(load32(t, n-4))
	marks = odd(first | last<<32)
	store64(room[:], 8, first|last<<(8*(uint(n)-4)&63))
	case n > 0:
	w := uint32(t[0]) | uint32(t[n>>1])<<(8*(uint(n)>>1)&31) | uint32(t[n-1])<<(8*(uint(n)-1)&31)
	marks = odd(uint64(w) | uint64(textOnes)<<(8*uint(n)&63))
	store32(room[:], 8, w)
	}
	if marks != 0 && !textFits(&encodings[%d], v) {
	return b, -1
	}
	pos += 8 + (n+3)&^3
`, p.head, f.enc)
}

// lanes prints a tuple of numbers.
func (p *fastWritten) lanes() {
	f := p.plain
	p.rare(fmt.Sprintf("v.kind != KindLanes || v.n != %d || v.form&formScalar != %s", f.width, scalarConst(f.scalar)))
	size := f.width * f.scalar.Width()
	p.f("store32(room[:], 0, uint32(%s))\n", p.head)
	if size <= 8 {
		p.f("store64(room[:], 4, v.u)\n")
	} else {
		p.f("{\nt := unsafe.Slice((*byte)(v.p), %d)\n", size)
		at := 0
		for ; at+8 <= size && size <= 32; at += 8 {
			p.f("store64(room[:], %d, load64(t, %d))\n", 4+at, at)
		}
		for ; at+4 <= size && size <= 32; at += 4 {
			p.f("store32(room[:], %d, load32(t, %d))\n", 4+at, at)
		}
		if at < size {
			p.f("copy(b[pos+%d:], t[%d:])\n", 4+at, at)
		}
		p.f("}\n")
	}
	p.f("pos += %d\n", 4+size)
}

// packed prints an array of numbers.
func (p *fastWritten) packed() {
	f := p.plain
	p.rare(fmt.Sprintf("v.kind != KindPacked || v.u>>widthShift != %d || v.form&formScalar != %s || v.n > math.MaxInt32", f.width, scalarConst(f.scalar)))
	p.f("{\nn := v.size()\nstore64(room[:], 0, %s|uint64(v.n)<<32)\nif len(b)-pos < 8+n+4+headroom {\nb = grow(b, pos+8, n+4+headroom)\n}\n", p.head)
	if f.pad {
		p.f("store32(b, pos+8+n, 0)\n")
	}
	p.f("copy(b[pos+8:], unsafe.Slice((*byte)(v.p), n))\n")
	if f.pad {
		p.f("pos += 8 + (n+3)&^3\n}\n")
	} else {
		p.f("pos += 8 + n\n}\n")
	}
}

// children prints a list or a map.
func (p *fastWritten) children(root string) {
	f := p.plain
	if f.kind == plainMap {
		p.rare("v.kind != KindMap || v.n > math.MaxInt32")
		p.f("inner := unsafe.Slice((*Value)(v.p), 2*int(v.n))\nif v.form&formDistinct == 0 && w.keys.distinct(inner) != formDistinct {\ngoto rare\n}\n")
		p.f("store64(room[:], 0, %s|uint64(v.n)<<32)\npos += 8\nif v.n > 0 {\n", p.head)
		p.fastChildren(root)
		return
	}
	p.rare("v.kind != KindList || v.n > math.MaxInt32")
	p.f("inner := unsafe.Slice((*Value)(v.p), int(v.n))\n")
	p.f("store64(room[:], 0, %s|uint64(v.n)<<32)\npos += 8\nif v.n > 0 {\n", p.head)
	p.fastChildren(root)
}

// fastChildren prints the writing of the values inside of a value. It goes on with those of
// the last value, since nothing is left to do after them.
func (p *emitter) fastChildren(root string) {
	p.f("if depth >= w.limit {\nreturn b, -1\n}\nif i == len(cells) {\ncells, i, depth = inner, 0, depth+1\ncontinue\n}\n")
	p.f("if b, pos = w.fast%s(b, pos, inner, depth+1); pos < 0 {\nreturn b, -1\n}\n}\n", root)
}

func (p *emitter) fastPut(f *plain, head string, kind func(string)) {
	s := f.scalar
	switch {
	case s == builtin.F64:
		kind("v.kind != KindFloat")
		p.f("store32(room[:], 0, %s)\nstore64(room[:], 4, v.u)\npos += 12\n", head)
	case s == builtin.F32:
		kind("v.kind != KindFloat")
		p.f("store64(room[:], 0, %s|uint64(narrow(math.Float64frombits(v.u)))<<32)\npos += 8\n", head)
	case s.Width() == 8:
		kind(fmt.Sprintf("v.kind != KindInt && v.kind != KindUint || outside(*v, %s)", scalarConst(s)))
		p.f("store32(room[:], 0, %s)\nstore64(room[:], 4, v.u)\npos += 12\n", head)
	default:
		kind(fmt.Sprintf("v.kind != KindInt && v.kind != KindUint || outside(*v, %s)", scalarConst(s)))
		p.f("store64(room[:], 0, %s|uint64(uint32(v.u))<<32)\npos += 8\n", head)
	}
}
