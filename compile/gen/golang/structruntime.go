// The runtime of users' structs, a template that is filled in for the schema.

package golang

import (
	"fmt"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// form returns the plain form of an arm, or nil.
func (g *generator) form(a *model.Arm) *plain { return g.fast[a] }

// bitsOf returns the bits of the word that say that an arm is meant in its plain form.
func (g *generator) bitsOf(f *plain) uint64 {
	mask, _ := g.armBits()
	return mask | f.mask
}

// structsFile prints what structs share, for the schema at hand.
func (g *generator) structsFile() string {
	b, err := runtime.ReadFile("runtime/structs.go.txt")
	if err != nil {
		panic(err)
	}
	n := g.nat
	name := func(a *model.Arm) string {
		if a == nil {
			return "0"
		}
		return g.typeConst[a.Type]
	}
	hex := func(x uint64) string { return fmt.Sprintf("%#x", x) }
	mask := func(a *model.Arm) (string, string) {
		if a == nil || g.form(a) == nil {
			return "0", "1" // no such arm
		}
		m := g.bitsOf(g.form(a))
		return hex(m), hex(g.form(a).head & m)
	}
	p := &emitter{g: g}
	count := func(a *model.Arm) string {
		if a == nil {
			return "int64(-1)"
		}
		return p.fastCount(g.form(a))
	}
	boolMask, boolHead := mask(n.boolean)
	listMask, listHead := mask(n.list)
	mapMask, mapHead := mask(n.mapping)
	nilMask, nilHead := mask(n.unit)
	s := g.section(string(b))
	return strings.NewReplacer(
		"TYPENIL", name(n.unit), "TYPEBOOL", name(n.boolean), "TYPEINT", name(n.integer), "TYPEREAL", name(n.real), "TYPETEXT", name(n.text), "TYPEMAP", name(n.mapping),
		"BOOLMASK", boolMask, "BOOLHEAD", boolHead, "LISTMASK", listMask, "LISTHEAD", listHead, "LISTCOUNT", count(n.list),
		"MAPMASK", mapMask, "MAPHEAD", mapHead, "MAPCOUNT", count(n.mapping), "NILMASK", nilMask, "NILHEAD", nilHead,
		"TEXTTEST", g.textTest(), "ENCODING", fmt.Sprint(g.form(n.text).enc),
		"INTAT", g.numberAt(n.integer, "int64"), "FLOATAT", g.numberAt(n.real, "float64"),
		"PUTINT", g.putNumber(n.integer, "i"), "PUTFLOAT", g.putNumber(n.real, "f"),
	).Replace(s) + g.elementTypes()
}

// textTest is the condition that the word w does not begin a text that may be a key.
func (g *generator) textTest() string {
	var texts []string
	for _, f := range g.ordered() {
		if f.kind == plainText && f.enc == g.form(g.nat.text).enc && (f.arm == g.nat.text || f.arm.Type.Keys.Rule[builtin.KeyEqual]) {
			texts = append(texts, fmt.Sprintf("uint32(w)&%#x != %#x", g.bitsOf(f), f.head&g.bitsOf(f)))
		}
	}
	return strings.Join(texts, " && ")
}

// elementTypes prints the function that gives the type of an element of a packed array.
func (g *generator) elementTypes() string {
	p := &emitter{g: g}
	p.f("\n// elementType is the type of the elements of a packed array of tuples.\nfunc elementType(t Type) Type {\nswitch t {\n")
	for _, t := range g.m.Types {
		elem := g.elemOf[t]
		for _, e := range g.m.Types {
			if elem != "" && g.goType[e] == elem {
				p.f("case %s:\nreturn %s\n", g.typeConst[t], g.typeConst[e])
			}
		}
	}
	p.f("}\nreturn 0\n}\n\n// numberWidth is the size of a number, or of those that a struct or array is made of.\nfunc numberWidth[T any]() int {\nvar x T\nswitch any(x).(type) {\n")
	sizes := map[int][]string{}
	seen := map[string]bool{}
	add := func(text string, width int) {
		if !seen[text] {
			seen[text] = true
			sizes[width] = append(sizes[width], text)
		}
	}
	for _, s := range []string{"uint8", "int8"} {
		add(s, 1)
	}
	for _, s := range []string{"uint16", "int16"} {
		add(s, 2)
	}
	for _, s := range []string{"uint64", "int64", "float64"} {
		add(s, 8)
	}
	for _, u := range g.users {
		for _, f := range u.fields {
			for t := f.typ; t != nil; t = t.elem {
				if t.sort == sortPacked && t.elem.sort == sortLanes {
					add(t.elem.text, t.scalar.Width())
				}
			}
		}
	}
	for _, w := range []int{1, 2, 8} {
		if len(sizes[w]) > 0 {
			p.f("case %s:\nreturn %d\n", strings.Join(sizes[w], ", "), w)
		}
	}
	p.f("}\nreturn 4\n}\n")
	return p.String()
}

// numberAt prints the body of the function that reads a number at a place.
func (g *generator) numberAt(a *model.Arm, typ string) string {
	if a == nil {
		return "return 0, -1"
	}
	p := &emitter{g: g}
	f := g.form(a)
	m := g.bitsOf(f)
	p.f("if len(b)-pos < 8 {\nreturn 0, -1\n}\nw := load64(b, pos)\n")
	switch f.kind {
	case plainInts, plainFloats:
		wide := f.head | 1<<f.bit
		m |= 1 << f.bit
		p.f("switch uint32(w) & %#x {\ncase %#x:\n", m, f.head&m)
		if f.kind == plainInts {
			p.f("return int64(w) >> 32, pos + 8\n")
		} else {
			p.f("return widen(uint32(w >> 32)), pos + 8\n")
		}
		p.f("case %#x:\nif len(b)-pos >= 12 {\n", wide&m)
		if f.kind == plainInts {
			p.f("return int64(load64(b, pos+4)), pos + 12\n")
		} else {
			p.f("return math.Float64frombits(load64(b, pos+4)), pos + 12\n")
		}
		p.f("}\n}\nreturn 0, -1")
		return p.String()
	}
	p.f("if uint32(w)&%#x != %#x {\nreturn 0, -1\n}\n", m, f.head&m)
	switch f.scalar {
	case builtin.I32:
		p.f("return int64(w) >> 32, pos + 8")
	case builtin.U32:
		p.f("return int64(w >> 32), pos + 8")
	case builtin.F32:
		p.f("return widen(uint32(w >> 32)), pos + 8")
	case builtin.I64:
		p.f("if len(b)-pos < 12 {\nreturn 0, -1\n}\nreturn int64(load64(b, pos+4)), pos + 12")
	case builtin.F64:
		p.f("if len(b)-pos < 12 {\nreturn 0, -1\n}\nreturn math.Float64frombits(load64(b, pos+4)), pos + 12")
	default:
		return "return 0, -1"
	}
	return p.String()
}

// putNumber prints the body of the function that writes a number.
func (g *generator) putNumber(a *model.Arm, x string) string {
	if a == nil {
		return "return -1"
	}
	f := g.form(a)
	p := &emitter{g: g}
	switch f.kind {
	case plainInts:
		p.f("if int64(int32(i)) == i {\nstore64(b, pos, %d|uint64(i)<<32)\nreturn pos + 8\n}\nstore32(b, pos, %d)\nstore64(b, pos+4, uint64(i))\nreturn pos + 12", f.head, f.head|1<<f.bit)
	case plainFloats:
		p.f("if s := float32(f); float64(s) == f {\nstore64(b, pos, %d|uint64(math.Float32bits(s))<<32)\nreturn pos + 8\n}\nstore32(b, pos, %d)\nstore64(b, pos+4, math.Float64bits(f))\nreturn pos + 12", f.head, f.head|1<<f.bit)
	default:
		switch f.scalar {
		case builtin.I32:
			p.f("if int64(int32(i)) != i {\nreturn -1\n}\nstore64(b, pos, %d|uint64(i)<<32)\nreturn pos + 8", f.head)
		case builtin.F32:
			p.f("store64(b, pos, %d|uint64(narrow(f))<<32)\nreturn pos + 8", f.head)
		case builtin.I64:
			p.f("store32(b, pos, %d)\nstore64(b, pos+4, uint64(i))\nreturn pos + 12", f.head)
		case builtin.F64:
			p.f("store32(b, pos, %d)\nstore64(b, pos+4, math.Float64bits(f))\nreturn pos + 12", f.head)
		default:
			return "return -1"
		}
	}
	_ = x
	return p.String()
}
