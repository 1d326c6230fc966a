// The functions of users' structs.

package golang

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
)

// mapForm, listForm and the others are the plain forms of the arms for values of the
// language.
func (g *generator) form(a *model.Arm) *plain { return g.fast[a] }

// bitsOf returns the bits of the word that say that an arm is meant in its plain form.
func (g *generator) bitsOf(f *plain) uint64 {
	mask, _ := armBits(g.m.Root.Union)
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
			return "0", "1" // there is none
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

// textTest is the condition under which the word w is none of a text that may be a key.
func (g *generator) textTest() string {
	var texts []string
	for _, f := range g.ordered() {
		if f.kind == plainText && f.enc == g.form(g.nat.text).enc && (f.arm == g.nat.text || f.arm.Type.Keys.Text) {
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
	case bytecode.I32:
		p.f("return int64(w) >> 32, pos + 8")
	case bytecode.U32:
		p.f("return int64(w >> 32), pos + 8")
	case bytecode.F32:
		p.f("return widen(uint32(w >> 32)), pos + 8")
	case bytecode.I64:
		p.f("if len(b)-pos < 12 {\nreturn 0, -1\n}\nreturn int64(load64(b, pos+4)), pos + 12")
	case bytecode.F64:
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
		case bytecode.I32:
			p.f("if int64(int32(i)) != i {\nreturn -1\n}\nstore64(b, pos, %d|uint64(i)<<32)\nreturn pos + 8", f.head)
		case bytecode.F32:
			p.f("store64(b, pos, %d|uint64(narrow(f))<<32)\nreturn pos + 8", f.head)
		case bytecode.I64:
			p.f("store32(b, pos, %d)\nstore64(b, pos+4, uint64(i))\nreturn pos + 12", f.head)
		case bytecode.F64:
			p.f("store32(b, pos, %d)\nstore64(b, pos+4, math.Float64bits(f))\nreturn pos + 12", f.head)
		default:
			return "return -1"
		}
	}
	_ = x
	return p.String()
}

// usersFile prints the functions of the structs.
func (g *generator) usersFile() string {
	p := &emitter{g: g}
	p.f("// The structs of %s: how they are read and written.\n\npackage octable\n\n", g.o.Structs.Name)
	for _, u := range g.users {
		p.userStruct(u)
	}
	return p.String()
}

func (p *emitter) userStruct(u *userStruct) {
	n := u.name
	p.f("// MarshalBinary encodes x with the default options; see [Marshal].\nfunc (x *%s) MarshalBinary() ([]byte, error) { return Marshal(x) }\n\n", n)
	p.f("// AppendBinary is MarshalBinary onto the end of dst.\nfunc (x *%s) AppendBinary(dst []byte) ([]byte, error) { return Options{}.Marshal(dst, x) }\n\n", n)
	p.f("// UnmarshalBinary decodes b into x with the default options; see [Unmarshal].\nfunc (x *%s) UnmarshalBinary(b []byte) error { return Unmarshal(b, x) }\n\n", n)
	p.fromStruct(u)
	p.toStruct(u)
	p.readStruct(u)
	p.writeStruct(u)
}

// ---- by way of Values

func (p *emitter) fromStruct(u *userStruct) {
	p.f("func (x *%s) fromValue(v Value, c *conversion) error {\n", u.name)
	p.f("cells, err := c.mapOfKeys(v, %q)\nif err != nil {\nreturn err\n}\nvar seen uint64\nfor i := 0; i+1 < len(cells); i += 2 {\nkey, val, bit := cells[i], cells[i+1], uint64(0)\n", u.name)
	p.f("if key.kind == KindText && (key.tag == %s || keysOf(key.tag)&keyByText != 0) {\nswitch key.Text() {\n", p.g.typeConst[p.g.nat.text.Type])
	for i, f := range u.fields {
		p.f("case %q:\nbit = 1 << %d\n", f.key, i)
	}
	p.f("}\n}\nif bit == 0 {\nif c.ignoreUnknown {\ncontinue\n}\nreturn c.fail(ErrUnknownKey, %q, \"no field takes its key \"+say(key)+\"; Options.IgnoreUnknown leaves such keys out\")\n}\n", u.name)
	p.f("if seen&bit != 0 {\nreturn c.fail(ErrDuplicateKey, %q, \"its key \"+say(key)+\" stands in it twice\")\n}\nseen |= bit\nswitch bit {\n", u.name)
	for i, f := range u.fields {
		p.f("case 1 << %d:\n", i)
		p.from(f.typ, "val", "x."+f.name, fmt.Sprintf("%q", keyStep(f.key)))
	}
	p.f("}\n}\n")
	for i, f := range u.fields {
		if f.required {
			p.f("if seen>>%d&1 == 0 {\nreturn c.fail(ErrMissingKey, %q, %q)\n}\n", i, u.name, fmt.Sprintf("the key %q is missing, which the tag says is required", f.key))
		}
	}
	p.f("c.depth--\nreturn nil\n}\n\n")
}

// keyStep is the step of a path to a field.
func keyStep(key string) string {
	for i, c := range key {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return fmt.Sprintf("[%q]", key)
		}
	}
	if key == "" || len(key) > 40 {
		return fmt.Sprintf("[%q]", key)
	}
	return "." + key
}

// bounds are the least and greatest numbers of an integer type, as Go prints them.
func (t *userType) bounds() (low, high string) {
	switch {
	case t.bits == 0 && t.signed:
		return "math.MinInt", "math.MaxInt"
	case t.bits == 0:
		return "0", "math.MaxUint"
	case t.signed:
		return fmt.Sprintf("math.MinInt%d", t.bits), fmt.Sprintf("math.MaxInt%d", t.bits)
	}
	return "0", fmt.Sprintf("math.MaxUint%d", t.bits)
}

// from prints the setting of x to the value v. step is the place of v in the value.
func (p *emitter) from(t *userType, v, x, step string) {
	fail := fmt.Sprintf("if err != nil {\nreturn inside(%s, err)\n}\n", step)
	name := fmt.Sprintf("%q", t.text)
	switch t.sort {
	case sortBool:
		p.f("{\ngot, err := c.toBool(%s, %s)\n%s%s = %s(got)\n}\n", v, name, fail, x, t.text)
	case sortInt:
		low, high := t.bounds()
		p.f("{\ngot, err := c.toInt(%s, %s, %s, %s)\n%s%s = %s(got)\n}\n", v, name, low, high, fail, x, t.text)
	case sortFloat:
		p.f("{\ngot, err := c.toFloat(%s, %s, %t, %t)\n%s%s = %s(got)\n}\n", v, name, t.bits == 32, t.round, fail, x, t.text)
	case sortText:
		p.f("{\ngot, err := c.toText(%s, %s)\n%s%s = %s(got)\n}\n", v, name, fail, x, t.text)
	case sortLanes:
		p.f("{\nerr := c.lanesOf(%s, %s, %d, %t, %s)\n%s", v, p.g.typeConst[t.arm.Type], len(t.lanes), t.scalar.IsFloat(), name, fail)
		lane := *t.lane
		lane.round = t.round
		for i, l := range t.lanes {
			p.f("lane%d := c.toLane(%s, %d)\n", i, v, i)
			p.from(&lane, fmt.Sprintf("lane%d", i), x+l, fmt.Sprintf("%s + %q", step, l))
		}
		p.f("}\n")
	case sortPacked, sortTexts, sortList:
		p.f("{\nn, err := c.elementsOf(%s, %s)\n%sif n < 0 {\n%s = nil\n} else {\n", v, name, fail, x)
		p.f("err := c.enter(%s)\n%s", name, fail)
		i, e := p.fresh("i"), p.fresh("elem")
		p.f("%s = sized(%s, n, false)\nfor %s := range %s {\n", x, x, i, x)
		p.f("%s := element(%s, %s)\n", e, v, i)
		p.from(t.elem, e, x+"["+i+"]", step+" + indexStep("+i+")")
		p.f("}\nc.depth--\n}\n}\n")
	case sortMap:
		p.f("if %s.tag == %s {\n%s = nil\n} else {\ncells, err := c.mapOfKeys(%s, %s)\n%s", v, p.g.tagOrZero(p.g.nat.unit), x, v, name, fail)
		p.f("m := make(%s, len(cells)/2)\nfor i := 0; i+1 < len(cells); i += 2 {\nkey, err := c.toText(cells[i], \"string\")\nif err != nil {\nreturn inside(%s+\"[key \"+say(cells[i])+\"]\", err)\n}\n", t.text, step)
		p.f("if _, twice := m[key]; twice {\nreturn inside(%s, c.fail(ErrDuplicateKey, %s, \"its key \"+quote(key)+\" stands in it twice\"))\n}\nvar y %s\n", step, name, t.elem.text)
		p.from(t.elem, "cells[i+1]", "y", step+" + keyPath(cells[i])")
		p.f("m[key] = y\n}\nc.depth--\n%s = m\n}\n", x)
	case sortStruct:
		p.f("if err := %s.fromValue(%s, c); err != nil {\nreturn inside(%s, err)\n}\n", x, v, step)
	case sortPointer:
		p.f("if %s.tag == %s {\n%s = nil\n} else {\nif %s == nil {\n%s = new(%s)\n}\n", v, p.g.typeConst[t.arm.Type], x, x, x, t.elem.text)
		p.from(t.elem, v, "(*"+x+")", step)
		p.f("}\n")
	case sortValue:
		p.f("%s = %s.own()\n", x, v)
	case sortArm:
		p.f("if y, ok := as%s(%s); ok {\n%s = y\n} else {\nreturn inside(%s, c.mismatch(%s, %s, %q))\n}\n", p.g.goType[t.arm.Type], v, x, step, v, name, t.arm.Type.Name)
	}
}

func (g *generator) tagOrZero(a *model.Arm) string {
	if a == nil {
		return "0"
	}
	return g.typeConst[a.Type]
}

func (p *emitter) toStruct(u *userStruct) {
	p.f("func (x *%s) toValue(c *conversion) (Value, error) {\nif err := c.enter(%q); err != nil {\nreturn Value{}, err\n}\ncells := make([]Value, 0, %d)\n", u.name, u.name, 2*len(u.fields))
	text := p.g.typeConst[p.g.nat.text.Type]
	for _, f := range u.fields {
		if f.omit {
			p.f("if %s {\n", p.notEmpty(f.typ, "x."+f.name))
		}
		p.f("{\nvar y Value\n")
		p.to(f.typ, "x."+f.name, "y", fmt.Sprintf("%q", keyStep(f.key)))
		p.f("cells = append(cells, makeText(%s, %q), y)\n}\n", text, f.key)
		if f.omit {
			p.f("}\n")
		}
	}
	p.f("c.depth--\nreturn makeCells(KindMap, %s, cells), nil\n}\n\n", p.g.typeConst[p.g.nat.mapping.Type])
}

// notEmpty is the condition under which a field with omitempty is written.
func (p *emitter) notEmpty(t *userType, x string) string {
	switch t.sort {
	case sortBool:
		return "bool(" + x + ")"
	case sortInt, sortFloat:
		return x + " != 0"
	case sortText, sortPacked, sortTexts, sortList, sortMap:
		return "len(" + x + ") > 0"
	case sortPointer:
		return x + " != nil"
	case sortValue:
		return "!" + x + ".IsNone()"
	}
	return "true"
}

// to prints the setting of y to the Value of x.
func (p *emitter) to(t *userType, x, y, step string) {
	g := p.g
	fail := func(err, problem string) string {
		return fmt.Sprintf("return Value{}, inside(%s, c.fail(%s, %q, %s))\n", step, err, t.text, problem)
	}
	tag := "0"
	if t.arm != nil {
		tag = g.typeConst[t.arm.Type]
	}
	switch t.sort {
	case sortBool:
		p.f("%s = makeBool(%s, bool(%s))\n", y, tag, x)
	case sortInt:
		if !t.signed && (t.bits == 0 || t.bits == 64) {
			p.f("if uint64(%s) > math.MaxInt64 {\n%s}\n", x, fail("ErrRange", fmt.Sprintf("strconv.FormatUint(uint64(%s), 10)+\" does not fit, since the format has no number over \"+strconv.FormatInt(math.MaxInt64, 10)", x)))
		}
		p.f("%s = makeInt(%s, int64(%s))\n", y, tag, x)
	case sortFloat:
		p.f("%s = makeFloat(%s, float64(%s))\n", y, tag, x)
	case sortText:
		p.f("%s = makeText(%s, string(%s))\n", y, tag, x)
	case sortLanes:
		p.f("{\nvar n [%d]%s\n", len(t.lanes), scalarGo(t.scalar))
		for i, l := range t.lanes {
			fail := func(err, problem string) string {
				return fmt.Sprintf("return Value{}, inside(%s + %q, c.fail(%s, %q, %s))\n", step, l, err, t.lane.text, problem)
			}
			p.lane(t, x+l, fmt.Sprintf("n[%d]", i), fail("ErrRange", fmt.Sprintf("%q", "a number does not fit into the "+t.scalar.String()+" that "+t.arm.Type.Name+" is made of; add round to the tag to have it rounded")))
		}
		p.f("%s = makeLanes(%s, %s, bytesOf(n[:]))\n}\n", y, tag, scalarConst(t.scalar))
	case sortPacked:
		if t.elem.sort != sortLanes {
			p.f("%s = makePacked(%s, %s, 1, bytesOf(%s))\n", y, tag, scalarConst(t.scalar), x)
		} else {
			p.f("%s = makePacked(%s, %s, %d, bytesOf(%s))\n", y, tag, scalarConst(t.scalar), len(t.elem.lanes), x)
		}
	case sortTexts, sortList:
		kind := "KindList"
		p.f("{\nif err := c.enter(%q); err != nil {\nreturn Value{}, inside(%s, err)\n}\ncells := make([]Value, len(%s))\n", t.text, step, x)
		i := p.fresh("i")
		p.f("for %s := range %s {\n", i, x)
		if t.sort == sortTexts {
			p.f("cells[%s] = makeText(%s, string(%s[%s]))\n", i, g.tagOf(t.arm.Type.Alone().Shape.Elem), x, i)
		} else {
			p.to(t.elem, x+"["+i+"]", "cells["+i+"]", step+" + indexStep("+i+")")
		}
		p.f("}\nc.depth--\n%s = makeCells(%s, %s, cells)\n}\n", y, kind, tag)
	case sortMap:
		p.f("{\nif err := c.enter(%q); err != nil {\nreturn Value{}, inside(%s, err)\n}\nkeys := make([]string, 0, len(%s))\nfor key := range %s {\nkeys = append(keys, key)\n}\nslices.Sort(keys)\ncells := make([]Value, 0, 2*len(keys))\nfor _, key := range keys {\nval := %s[key]\nvar y Value\n", t.text, step, x, x, x)
		p.to(t.elem, "val", "y", step+" + keyStep(key)")
		p.f("cells = append(cells, makeText(%s, key), y)\n}\nc.depth--\n%s = makeCells(KindMap, %s, cells)\n}\n", g.typeConst[g.nat.text.Type], y, tag)
	case sortStruct:
		p.f("{\nin, err := %s.toValue(c)\nif err != nil {\nreturn Value{}, inside(%s, err)\n}\n%s = in\n}\n", x, step, y)
	case sortPointer:
		p.f("if %s == nil {\n%s = makeUnit(%s)\n} else {\n", x, y, tag)
		p.to(t.elem, "(*"+x+")", y, step)
		p.f("}\n")
	case sortValue:
		p.f("%s = %s.own()\n", y, x)
	case sortArm:
		method := "Value"
		if !g.isMethod(t.arm.Type) {
			method = "AsValue"
		}
		p.f("%s = %s.%s()\n", y, x, method)
	}
}

// lane prints the setting of a number of the format to a field.
func (p *emitter) lane(t *userType, x, n, fail string) {
	to := scalarGo(t.scalar)
	switch {
	case t.lane.base == to:
		p.f("%s = %s\n", n, x)
	case t.scalar == bytecode.F32 && t.lane.sort == sortFloat:
		p.f("if !fitsSingle(float64(%s), %t || c.round) {\n%s}\n%s = float32(%s)\n", x, t.round, fail, n, x)
	case t.scalar.IsFloat() && t.lane.sort == sortFloat:
		p.f("%s = %s(%s)\n", n, to, x)
	case t.scalar.IsFloat():
		p.f("if f, ok := exactFloat(int64(%s)); !(ok && %t || %t || c.round) && !fitsSingle(f, false) {\n%s}\n%s = %s(%s)\n", x, true, t.round, fail, n, to, x)
	case t.lane.sort == sortFloat:
		p.f("if i, ok := exactInt(float64(%s)); !ok || int64(%s(i)) != i {\n%s}\n%s = %s(%s)\n", x, to, fail, n, to, x)
	default:
		p.f("if int64(%s(%s)) != int64(%s) {\n%s}\n%s = %s(%s)\n", to, x, x, fail, n, to, x)
	}
}

// ---- straight from bytes

// words are known bytes of the input: those of headers and keys.
type knownWord struct {
	at   int
	bits uint32
	mask uint32
}

// straight prints the reading of a struct whose keys stand in the order of its fields.
type straight struct {
	p      *emitter
	u      *userStruct
	known  []knownWord
	at     int // bytes of q that are planned, and not yet stepped over
	later  []func()
	escape string // what is done where something else stands there
	depth  string
	inside []*userStruct // whose code is not to be put inside of itself

	// Of an element of a slice: how many there are from this one on, and the variables
	// that the slices in it are cut from, of its fields and of the one that is printed.
	left   string
	spares map[*userField]string
	spare  string
}

func (s *straight) word(bits, mask uint32) {
	s.known = append(s.known, knownWord{s.at, bits, mask})
	s.at += 4
}

// flush prints the tests of what is known, of so many bytes in all, and then what
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
		p.f("if depth+%d > r.limit {\nreturn -1\n}\nstart := pos\nif r.misses > 2 { // the keys do not stand in this order\nreturn x.readKeys(r, b, start, depth, elem)\n}\n// q is what is left. Its length is tested once for each run of what has a known size.\nq := b[pos:]\n", u.levels(nil))
		s := &straight{p: p, u: u, escape: "return x.readKeys(r, b, start, depth, elem)\n", depth: "depth", inside: []*userStruct{u}}
		s.structure("x")
		p.f("return len(b) - len(q)\n}\n\n")
		p.f("// rest is what stands after x, which is read with its keys in whatever order; nil where\n// that is not plain.\nfunc (x *%s) rest(r *reader, b []byte, pos, depth int) []byte {\nif pos = x.readKeys(r, b, pos, depth, true); pos < 0 {\nreturn nil\n}\nreturn b[pos:]\n}\n\n", u.name)
	} else {
		p.f("func (x *%s) readFast(r *reader, b []byte, pos, depth int, elem bool) int {\nif depth > r.limit {\nreturn -1\n}\nreturn x.readKeys(r, b, pos, depth, elem)\n}\n\n", u.name)
	}
	p.f("// readKeys reads the keys in whatever order they stand.\n//\n//go:noinline\nfunc (x *%s) readKeys(r *reader, b []byte, pos, depth int, elem bool) int {\n", u.name)
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
func loadLane(s bytecode.Scalar, b string, at int) string {
	load := fmt.Sprintf("load%d(%s, %d)", 8*s.Width(), b, at)
	switch s {
	case bytecode.U8, bytecode.I8:
		load = fmt.Sprintf("%s[%d]", b, at)
	case bytecode.U16, bytecode.I16:
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

// elementAt prints the reading of an element at pos.
func (p *emitter) elementAt(t *userType, x, depth string) {
	if t.sort == sortStruct {
		p.f("pos = %s.readFast(r, b, pos, %s+2, true)\n", x, depth)
		return
	}
	p.deeperFrom(t, x, depth, 2)
}

// at prints the reading of a value at pos, which becomes where it ends, or -1.
func (p *emitter) at(t *userType, x string) { p.deeper(t, x, 1) }

func (p *emitter) deeper(t *userType, x string, levels int) { p.deeperFrom(t, x, "depth", levels) }

func (p *emitter) deeperFrom(t *userType, x, depth string, levels int) {
	g := p.g
	switch t.sort {
	case sortBool:
		p.f("{\nvar y bool\ny, pos = boolAt(b, pos)\n%s = %s(y)\n}\n", x, t.text)
	case sortInt:
		p.f("{\nvar y int64\nif y, pos = intAt(b, pos); ")
		low, high := t.bounds()
		if t.signed && t.bits == 64 {
			p.f("pos >= 0 {\n%s = %s(y)\n}\n}\n", x, t.text)
			break
		}
		if t.signed {
			p.f("y < %s || y > %s {\npos = -1\n", low, high)
		} else if t.bits == 0 || t.bits == 64 {
			p.f("y < 0 {\npos = -1\n")
		} else {
			p.f("y < 0 || y > %s {\npos = -1\n", high)
		}
		p.f("} else {\n%s = %s(y)\n}\n}\n", x, t.text)
	case sortFloat:
		p.f("{\nvar y float64\ny, pos = floatAt(b, pos)\n")
		if t.bits == 32 && !t.round {
			p.f("if !fitsSingle(y, false) {\npos = -1\n}\n")
		} else if t.bits == 32 {
			p.f("if !fitsSingle(y, true) {\npos = -1\n}\n")
		}
		p.f("%s = %s(y)\n}\n", x, t.text)
	case sortText:
		p.f("{\nvar y string\ny, pos = textAt(b, pos)\n%s = %s\n}\n", x, t.convert("y"))
	case sortLanes:
		f := g.fast[t.arm]
		size := len(t.lanes) * t.scalar.Width()
		if t.lane.base != scalarGo(t.scalar) {
			p.f("pos = -1\n")
			break
		}
		p.f("if len(b)-pos < %d || load32(b, pos)&%#x != %#x {\npos = -1\n} else {\nq := b[pos:]\n", 4+size, g.bitsOf(f), f.head&g.bitsOf(f))
		for i, l := range t.lanes {
			p.f("%s%s = %s\n", x, l, loadLane(t.scalar, "q", 4+i*t.scalar.Width()))
		}
		p.f("pos += %d\n}\n", 4+size)
	case sortPacked:
		f := g.fast[t.arm]
		size := f.width * f.scalar.Width()
		p.f("if len(b)-pos < 8 || load32(b, pos)&%#x != %#x {\npos = -1\n} else {\nw := load64(b, pos)\nn := %s\nleft := int64(len(b)-pos-8)\nif n < 0 || n > left/%d {\npos = -1\n} else {\nsize := n * %d\n", g.bitsOf(f), f.head&g.bitsOf(f), p.fastCount(f), size, size)
		p.f("%s = numbers(%s, b[pos+8:pos+8+int(size)], int(n))\n", x, x)
		if f.pad && size%4 != 0 {
			p.f("if size = (size + 3) &^ 3; size > left {\n")
			if f.orEnd {
				p.f("size = left\n")
			} else {
				p.f("size = -1 << 62\n")
			}
			p.f("}\n")
		}
		p.f("pos = max(-1, pos+8+int(size))\n}\n}\n")
	case sortList:
		i := p.fresh("i")
		p.f("{\nvar n int\nif n, pos = listAt(b, pos); pos < 0 || n > 0 && %s+%d >= r.limit {\npos = -1\n} else {\n%s = sized(%s, n, r.again)\nfor %s := range %s {\n", depth, levels, x, x, i, x)
		if t.elem.sort == sortStruct {
			p.f("pos = %s[%s].readFast(r, b, pos, %s+%d, true)\n", x, i, depth, levels+1)
		} else {
			p.deeperFrom(t.elem, fmt.Sprintf("%s[%s]", x, i), depth, levels+1)
		}
		p.f("if pos < 0 {\nbreak\n}\n}\n}\n}\n")
	case sortStruct:
		elem := "elem"
		if depth != "depth" || levels > 1 {
			elem = "true"
		}
		p.f("pos = %s.readFast(r, b, pos, %s+%d, %s)\n", x, depth, levels, elem)
	case sortPointer:
		p.f("if isNull(b, pos) {\n%s = nil\npos += 4\n} else {\nif %s == nil {\n%s = new(%s)\n}\n", x, x, x, t.elem.text)
		p.deeperFrom(t.elem, "(*"+x+")", depth, levels)
		p.f("}\n")
	default:
		p.f("pos = -1\n")
	}
}

// ---- straight to bytes

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

// levels is how many levels of values are inside of a struct's map at most, as far as
// it is written or read in place. What is deeper sees to itself.
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

// straightWriter prints stores at known distances from pos.
type straightWriter struct {
	p     *emitter
	u     *userStruct
	at    int
	words []uint32 // that wait to be stored, from at-4*len on
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

// store prints the words that wait.
func (s *straightWriter) store() {
	at := s.at - 4*len(s.words)
	for i := 0; i < len(s.words); i++ {
		if i+1 < len(s.words) {
			s.p.f("store64(b, pos+%d, %#x)\n", at+4*i, uint64(s.words[i])|uint64(s.words[i+1])<<32)
			i++
		} else {
			s.p.f("store32(b, pos+%d, %#x)\n", at+4*i, s.words[i])
		}
	}
	s.words = nil
}

// flush stores what waits and steps over it.
func (s *straightWriter) flush() {
	s.store()
	if s.at > 0 {
		s.p.f("pos += %d\n", s.at)
	}
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
		p.f("store64(b, pos+%d, %d)\nif %s {\nb[pos+%d] = 1\n}\n", s.at, f.head, x, s.at+4)
		s.at += 8
	case t.sort == sortInt:
		s.flush()
		if !t.signed && (t.bits == 0 || t.bits == 64) {
			p.f("if uint64(%s) > math.MaxInt64 {\n%s}\n", x, noWay)
		}
		if f.kind == plainInts {
			p.f("if i := int64(%s); int64(int32(i)) == i {\nstore64(b, pos, %d|uint64(i)<<32)\npos += 8\n} else {\nstore32(b, pos, %d)\nstore64(b, pos+4, uint64(i))\npos += 12\n}\n", x, f.head, f.head|1<<f.bit)
			break
		}
		p.f("if pos = putInt(b, pos, int64(%s)); pos < 0 {\n%s}\n", x, noWay)
	case t.sort == sortFloat:
		s.flush()
		if f.kind == plainFloats {
			p.f("if f := float64(%s); float64(float32(f)) == f {\nstore64(b, pos, %d|uint64(math.Float32bits(float32(f)))<<32)\npos += 8\n} else {\nstore32(b, pos, %d)\nstore64(b, pos+4, math.Float64bits(f))\npos += 12\n}\n", x, f.head, f.head|1<<f.bit)
			break
		}
		p.f("pos = putFloat(b, pos, float64(%s))\n", x)
	case t.sort == sortText:
		s.flush()
		p.f("if pos = putText(b, pos, %d, string(%s)); pos < 0 {\n%s}\n", f.head, x, noWay)
	case t.sort == sortLanes && t.lane.base == scalarGo(t.scalar):
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
				p.f("store%d(b, pos+%d, uint%d(%s))\n", 8*w, s.at+i*w, 8*w, n)
			default:
				for k := range w {
					p.f("b[pos+%d] = byte(%s >> %d)\n", s.at+i*w+k, n, 8*k)
				}
			}
		}
		s.at += w * len(t.lanes)
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
		s.flush()
		i := p.fresh("i")
		p.f("if len(%s) > math.MaxInt32 {\n%s}\n", x, noWay)
		p.f("store64(b, pos, %d|uint64(len(%s))<<32)\npos += 8\n", f.head, x)
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
