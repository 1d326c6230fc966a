// The loop that reads plain forms.

package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

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
	f.print(&fastRead{p, f, tag}, root)
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
			p.f("size = left\n")
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
