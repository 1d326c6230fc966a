// The loops for plain forms: one function that reads values one after the other and
// one that writes them, each calling itself for the values inside of a value.
//
// They know nothing of errors. What is not plain is left to the functions that read
// and write everything, for that one value; what is wrong ends the loop, and the
// whole is done again by those functions, which say what is wrong and where.

package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// ordered returns the plain forms in the order of the arms.
func (g *generator) ordered() []*plain {
	var out []*plain
	for _, a := range g.m.Root.Union.Arms {
		if p := g.fast[a]; p != nil {
			out = append(out, p)
		}
	}
	return out
}

// keyForm is the form of the text that keys of maps mostly are.
func (g *generator) keyForm() *plain {
	for _, p := range g.ordered() {
		if p.kind == plainText && p.arm.Type.Natural {
			return p
		}
	}
	return nil
}

func (g *generator) hasMaps() bool {
	return slices.ContainsFunc(g.ordered(), func(p *plain) bool { return p.kind == plainMap })
}

// fastTools are what the loop that reads needs.
const fastTools = `// The loop that reads values in their plain forms. It knows nothing of errors: what is
// not plain is left to the functions that read everything, for that one value, and
// what is wrong ends the loop.

package octable

// What is known of the values that a loop reads.
const (
	modeMap     = 1 // they are keys and values in turn
	modeSuspect = 2 // some key may be among them twice
)

// set sets the parts of a value one by one, which is faster than a literal.
func (v *Value) set(p unsafe.Pointer, u uint64, n uint32, tag Type, kind Kind, form uint8) {
	v.p = p
	v.u = u
	v.n = n
	v.tag = tag
	v.kind = kind
	v.form = form
}

// setNumber is set without a pointer.
func (v *Value) setNumber(u uint64, n uint32, tag Type, kind Kind, form uint8) {
	v.p = nil
	v.u = u
	v.n = n
	v.tag = tag
	v.kind = kind
	v.form = form
}

// place of b[i], which must be inside of b.
func addr(b []byte, i int) unsafe.Pointer { return unsafe.Pointer(&b[i]) }

func load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
func load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

//gen:copy textOnes odd

// plainText reports whether the n bytes at b[at:] are ASCII without NUL. At least
// eight bytes must precede them. If it returns false, the text may still be valid.
func plainText(b []byte, at, n int) bool {
	if n <= 8 {
		return odd(load64(b, at+n-8))>>(64-8*uint(n)) == 0
	}
	return plainLong(b, at, n)
}

func plainLong(b []byte, at, n int) bool {
	end := at + n - 8
	t := odd(load64(b, end))
	for ; at < end; at += 8 {
		t |= odd(load64(b, at))
	}
	return t == 0
}

`

// fastReader prints the loop that reads.
func (g *generator) fastReader() string {
	p := &emitter{g: g}
	root := g.routine[g.m.Root]
	mask, _ := g.armBits()
	id := fmt.Sprintf("uint32(w) & %#x", mask)
	switch mask {
	case 0xff:
		id = "uint8(w)"
	case 0xffff:
		id = "uint16(w)"
	case 1<<32 - 1:
		id = "uint32(w)"
	}
	maps, key := g.hasMaps(), g.keyForm()
	p.f("%s", fastTools)
	if g.hasText() {
		p.f(`// oddText reads a text that is not plain.
//
//go:noinline
func (v *Value) oddText(enc *encoding, b []byte, tag Type) bool {
	t, _, why := readText(enc, b)
	*v = makeText(tag, unsafe.String(unsafe.SliceData(t), len(t)))
	return why == ""
}

`)
	}
	p.f(`// rare%s reads a value that the loop leaves to others.
//
//go:noinline
func (r *reader) rare%s(pos, depth int, v *Value) (next int, ok bool) {
	r.pos, r.depth = pos, depth
	*v, ok = r.all%s()
	return r.pos, ok
}

`, root, root, root)
	if maps {
		p.f(`// judge notes whether the keys of a map are distinct, now that they are known.
//
//go:noinline
func (r *reader) judge(v *Value) { v.form = v.form&^formDistinct | r.keys.distinct(v.cells()) }

`)
	}
	p.f("// fast%s reads values into cells at a depth. It returns their end, or -1, and\n// whether their keys are known to be distinct.\n", root)
	p.f("func (r *reader) fast%s(b []byte, pos int, cells []Value, mode uint8, depth int) (next int, verdict uint8) {\n", root)
	p.f("var (\n")
	if maps && key != nil {
		p.f("seen uint64 // filter of the keys so far\n")
	}
	p.f("ok bool\n)\n")
	p.f("for i := 0; uint(i) < uint(len(cells)); {\n")
	p.f("if len(b)-pos < 8 {\n")
	if maps {
		p.f("if mode == modeMap && i&1 == 0 {\nmode |= modeSuspect\n}\n")
	}
	units := slices.DeleteFunc(g.ordered(), func(f *plain) bool { return f.kind != plainUnit || f.mask != 0 })
	if len(units) > 0 {
		p.f("if len(b)-pos >= 4 {\nswitch w := load32(b, pos); %s {\n", strings.Replace(id, "uint32(w)", "w", 1))
		for _, f := range units {
			p.f("case %d:\ncells[i].setNumber(0, 0, %s, KindUnit, 0)\npos += 4\ni++\ncontinue\n", f.arm.ID, g.typeConst[f.arm.Type])
		}
		p.f("}\n}\n")
	}
	p.f("if pos, ok = r.rare%s(pos, depth, &cells[i]); !ok {\nreturn -1, mode\n}\ni++\ncontinue\n}\n", root)
	p.f("w := load64(b, pos)\n")
	if maps && key != nil {
		p.fastKey(key, mask)
	}
	p.f("switch %s {\n", id)
	done := map[*plain]bool{}
	for _, f := range g.ordered() {
		if !done[f] {
			p.fastArm(f, done, root)
		}
	}
	p.f("default:\ngoto rare\n}\ni++\ncontinue\nrare:\n")
	p.f("if pos, ok = r.rare%s(pos, depth, &cells[i]); !ok {\nreturn -1, mode\n}\ni++\n}\nreturn pos, mode\n}\n", root)
	return p.String()
}

// fastKey prints the reading of a key, which is mostly a plain text.
func (p *emitter) fastKey(key *plain, mask uint64) {
	test := fmt.Sprintf("uint32(w)&%#x != %d", mask|key.mask, key.head&(mask|key.mask))
	if mask == 0xff && key.mask == 0 {
		test = fmt.Sprintf("uint8(w) != %d", key.arm.ID)
	}
	p.f(`if mode == modeMap && i&1 == 0 {
	// a key: mostly plain text
	if %s {
	mode |= modeSuspect
	goto any
	}
	n, start := int(w>>32), pos+8
	end := start + (n+3)&^3
	if w>>32 > uint64(len(b)-start) || end > len(b) {
	return -1, mode
	}
	last := load64(b, start+n-8)
	dirty := odd(last)
	if n <= 8 {
	last >>= (8 - uint(n)) * 8
	dirty >>= (8 - uint(n)) * 8
	} else if dirty == 0 && !plainLong(b, start, n) {
	dirty = 1
	}
	if dirty != 0 {
	mode |= modeSuspect
	goto any
	}
	v := &cells[i]
	var p unsafe.Pointer // never past the end
	if n > 0 {
	p = addr(b, start)
	}
	v.set(p, 0, uint32(n), %s, KindText, 0)
	bit := keyBit(last)
	if seen&bit != 0 && r.keys.rules.twice(cells[:i+1]) {
	mode |= modeSuspect
	}
	seen |= bit
	pos = end
	i++
	continue
}
any:
`, test, p.g.typeConst[key.arm.Type])
}

func (g *generator) hasText() bool {
	return slices.ContainsFunc(g.ordered(), func(p *plain) bool { return p.kind == plainText })
}

// alike returns the forms that are read and written by the same code as f, but for
// their type, which then is computed from the number.
func (g *generator) alike(f *plain) []*plain {
	out := []*plain{f}
	for _, q := range g.ordered() {
		same := q != f && q.kind == f.kind && q.mask == f.mask && q.scalar == f.scalar && q.wide == f.wide && q.width == f.width && q.enc == f.enc &&
			q.pad == f.pad && q.orEnd == f.orEnd && q.writes == f.writes &&
			int64(q.arm.ID)-int64(q.arm.Type.Tag) == int64(f.arm.ID)-int64(f.arm.Type.Tag)
		if same && (f.kind == plainText || f.kind == plainLanes) {
			out = append(out, q)
		}
	}
	return out
}

// fastArm prints the case of a plain form.
func (p *emitter) fastArm(f *plain, done map[*plain]bool, root string) {
	g := p.g
	var ids []string
	forms := g.alike(f)
	for _, q := range forms {
		done[q] = true
		ids = append(ids, fmt.Sprint(q.arm.ID))
	}
	tag := g.typeConst[f.arm.Type]
	if len(forms) > 1 {
		mask, _ := g.armBits()
		diff := f.arm.Type.Tag - int(f.arm.ID)
		tag = fmt.Sprintf("Type(w&%#x)+%d", mask, diff)
	}
	var names []string
	for _, q := range forms {
		names = append(names, q.arm.Type.Name)
	}
	p.f("case %s: // %s\n", strings.Join(ids, ", "), strings.Join(names, ", "))
	if f.mask != 0 && f.kind != plainInts && f.kind != plainFloats {
		p.f("if w&%#x != %#x {\ngoto rare\n}\n", f.mask, f.head&f.mask)
	}
	c := fastRead{p, f, tag}
	switch f.kind {
	case plainText:
		c.text()
	case plainLanes:
		c.lanes()
	case plainPacked:
		c.packed()
	case plainList, plainMap:
		c.children(root)
	default:
		c.numbers()
	}
}

// fastRead prints the case of one plain form in the loop that reads.
type fastRead struct {
	*emitter
	plain *plain
	tag   string // prints the type
}

// set prints the setting of the cell to a value with a pointer.
func (p *fastRead) set(at, u, n, kind, form string) {
	p.f("cells[i].set(%s, %s, %s, %s, %s, %s)\n", at, u, n, p.tag, kind, form)
}

// number prints the setting of the cell to a value without one.
func (p *fastRead) number(u, n, kind, form string) {
	p.f("cells[i].setNumber(%s, %s, %s, %s, %s)\n", u, n, p.tag, kind, form)
}

// numbers prints a value that is a number, or nothing.
func (p *fastRead) numbers() {
	switch f := p.plain; f.kind {
	case plainUnit:
		p.number("0", "0", "KindUnit", "0")
		p.f("pos += 4\n")
	case plainTruth:
		p.f("var u uint64\nif w>>32 != 0 {\nu = 1\n}\n")
		p.number("u", "0", "KindBool", "0")
		p.f("pos += 8\n")
	case plainScalar:
		p.fastScalar(f, p.number)
	case plainInts:
		p.f("if len(b)-pos < 12 {\nif w>>%d&1 != 0 {\nreturn -1, mode\n}\n", f.bit)
		p.number("uint64(int64(w)>>32)", "0", "KindInt", "scalarI32")
		p.f("pos += 8\nbreak\n}\n// without a branch: which width comes next cannot be foreseen\n")
		p.f("wide := uint(w>>%d&1)\ncut := 32 - wide*32\n", f.bit)
		p.number("uint64(int64(load64(b, pos+4)<<(cut&63))>>(cut&63))", "0", "KindInt", "scalarI32+uint8(wide)*(scalarI64+formWide-scalarI32)")
		p.f("pos += int(8 + wide*4)\n")
	case plainFloats:
		p.f("if w>>%d&1 == 0 {\nf := math.Float32frombits(uint32(w >> 32))\nx := float64(f)\nif f != f {\nx = widen(uint32(w >> 32))\n}\n", f.bit)
		p.number("math.Float64bits(x)", "0", "KindFloat", "scalarF32")
		p.f("pos += 8\nbreak\n}\nif len(b)-pos < 12 {\nreturn -1, mode\n}\n")
		p.number("load64(b, pos+4)", "0", "KindFloat", "scalarF64|formWide")
		p.f("pos += 12\n")
	}
}

// text prints a text.
func (p *fastRead) text() {
	f := p.plain
	p.f(`n, start := int(w>>32), pos+8
	end := start + (n+3)&^3
	if w>>32 > uint64(len(b)-start) || end > len(b) {
	return -1, mode
	}
	v := &cells[i]
	var p unsafe.Pointer // never past the end
	if n > 0 {
	p = addr(b, start)
	}
	v.set(p, 0, uint32(n), %s, KindText, 0)
	dirty := odd(load64(b, start+n-8))
	if n <= 8 {
	dirty >>= 64 - 8*uint(n)
	} else if dirty == 0 && !plainLong(b, start, n) {
	dirty = 1
	}
	if dirty != 0 && !v.oddText(&encodings[%d], b[start:start+n:start+n], v.tag) {
	return -1, mode
	}
	pos = end
`, p.tag, f.enc)
}

// lanes prints a tuple of numbers.
func (p *fastRead) lanes() {
	f := p.plain
	size := f.width * f.scalar.Width()
	p.f("if len(b)-pos < %d {\nreturn -1, mode\n}\n", 4+size)
	switch {
	case size == 8:
		p.number("load64(b, pos+4)", fmt.Sprint(f.width), "KindLanes", form(f))
	case size < 8:
		p.f("cells[i] = makeLanes(%s, %s, b[pos+4:pos+%d])\ncells[i].form = %s\n", p.tag, scalarConst(f.scalar), 4+size, form(f))
	default:
		p.set("addr(b, pos+4)", "0", fmt.Sprint(f.width), "KindLanes", form(f))
	}
	p.f("pos += %d\n", 4+size)
}

// packed prints an array of numbers.
func (p *fastRead) packed() {
	f := p.plain
	size := f.width * f.scalar.Width()
	p.f("n := %s\n", p.fastCount(f))
	p.f("left := uint64(len(b) - pos - 8)\nif uint64(n) > left/%d {\nreturn -1, mode\n}\nvar p unsafe.Pointer\nif n > 0 {\np = addr(b, pos+8)\n}\n", size)
	p.set("p", fmt.Sprintf("%d<<widthShift", f.width), "uint32(n)", "KindPacked", form(f))
	p.f("size := uint64(n) * %d\n", size)
	if f.pad && size%4 != 0 {
		p.f("if size = (size + 3) &^ 3; size > left {\n")
		if f.orEnd {
			p.f("if len(b) != len(r.in) {\nreturn -1, mode\n}\nsize = left\n")
		} else {
			p.f("return -1, mode\n")
		}
		p.f("}\n")
	}
	p.f("pos += 8 + int(size)\n")
}

// children prints a list or a map, whose parts are read by a call for them.
func (p *fastRead) children(root string) {
	f := p.plain
	each, kind, form, inner := "n", "KindList", "0", "0"
	if f.kind == plainMap {
		each, kind, form, inner = "2*n", "KindMap", "formDistinct", "modeMap"
	}
	p.f("n := %s\npos += 8\nv := &cells[i]\ni++\n", p.fastCount(f))
	p.f("if n == 0 {\n")
	p.f("v.setNumber(0, 0, %s, %s, %s)\ncontinue\n}\n", p.tag, kind, form)
	p.f("size := %s\nif uint64(size) > uint64(len(b)-pos)/%d || depth >= r.limit {\nreturn -1, mode\n}\n", each, p.g.m.Root.Min)
	p.f("if r.memory >= 0 && !r.spend(int(size), 0) {\nreturn -1, mode\n}\n")
	p.f("var children []Value\nif cur, used := r.slab.cur, r.slab.used; int(size) <= len(cur)-used { // alloc, inlined\nchildren, r.slab.used = cur[used:used+int(size):used+int(size)], used+int(size)\n} else {\nchildren = r.slab.more(int(size))\n}\n")
	p.f("v.set(unsafe.Pointer(unsafe.SliceData(children)), 0, uint32(n), %s, %s, %s)\n", p.tag, kind, form)
	if f.kind == plainMap {
		if p.g.keyForm() == nil {
			inner = "modeMap | modeSuspect"
		}
		p.f("inner := uint8(%s)\nif n > fewKeys {\ninner |= modeSuspect\n}\n", inner)
		p.f("if pos, inner = r.fast%s(b, pos, children, inner, depth+1); pos < 0 {\nreturn -1, mode\n}\nif inner&modeSuspect != 0 {\nr.judge(v)\n}\ncontinue\n", root)
	} else {
		p.f("if mode == 0 && i == len(cells) { // the last of a list: nothing is left to do after its children\ncells, i, depth = children, 0, depth+1\ncontinue\n}\n")
		p.f("if pos, _ = r.fast%s(b, pos, children, 0, depth+1); pos < 0 {\nreturn -1, mode\n}\ncontinue\n", root)
	}
}

// form is the form of the numbers of a value.
func form(f *plain) string {
	if f.wide {
		return scalarConst(f.scalar) + "|formWide"
	}
	return scalarConst(f.scalar)
}

// fastCount prints the number of parts, from the word behind the header.
func (p *emitter) fastCount(f *plain) string {
	word := "int64(w >> 32)"
	if f.count.Scalar.Signed() {
		word = "int64(w) >> 32"
	}
	if f.count.Plain() {
		return word
	}
	word = "(" + word + ")"
	if f.count.Mask != 1<<64-1 {
		word = fmt.Sprintf("(%s&%d)", word, int64(f.count.Mask))
	}
	if f.count.Floor {
		word = "max(" + word + ", 0)"
	}
	return word
}

func (p *emitter) fastScalar(f *plain, number func(u, n, kind, form string)) {
	s := f.scalar
	kind := "KindUint"
	switch {
	case s.IsFloat():
		kind = "KindFloat"
	case s.Signed():
		kind = "KindInt"
	}
	form := form(f)
	if s.Width() == 8 {
		p.f("if len(b)-pos < 12 {\nreturn -1, mode\n}\n")
		number("load64(b, pos+4)", "0", kind, form)
		p.f("pos += 12\n")
		return
	}
	u := "w>>32"
	switch s {
	case builtin.I32:
		u = "uint64(int64(w)>>32)"
	case builtin.F32:
		p.f("f := math.Float32frombits(uint32(w >> 32))\nx := float64(f)\nif f != f {\nx = widen(uint32(w >> 32))\n}\n")
		u = "math.Float64bits(x)"
	}
	number(u, "0", kind, form)
	p.f("pos += 8\n")
}

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
	c := fastWritten{p, f, head}
	switch f.kind {
	case plainText:
		c.text()
	case plainLanes:
		c.lanes()
	case plainPacked:
		c.packed()
	case plainList, plainMap:
		c.children(root)
	default:
		c.numbers()
	}
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
