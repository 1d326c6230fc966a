// Reading into Go types: the cells of a record are the fields of its struct.

package golang

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// fixedRun is the bytes of rows of fixed sizes in succession, whose length is tested once.
type fixedRun struct {
	name string
	at   int // the next row begins here
}

// fixed returns the bytes of a statement that always reads as many, or 0. Such a statement refuses only
// the end of the input.
func fixed(s *model.Stmt) int {
	switch s.Op {
	case model.OpWord, model.OpScalars:
		if s.Coding == builtin.Fixed {
			return s.Scalar.Width()
		}
	case model.OpTruth:
		if s.Nonzero {
			return s.Scalar.Width()
		}
	case model.OpLanes:
		return s.Width * s.Scalar.Width()
	}
	return 0
}

// fixed is the function with this name, and counts arrays of bytes of a constant size too.
func (p *emitter) fixed(s *model.Stmt) int {
	if s.Op == model.OpPacked && s.End == nil && s.Expr != nil && s.Expr.Op == builtin.Num && s.Expr.Num > 0 && s.Expr.Num <= largestRun && isBytes(p.g.cells[s.Cell].shape) {
		return int(s.Expr.Num)
	}
	return fixed(s)
}

// largestRun is how many bytes an array in a run has at most.
const largestRun = 256

// between reports whether a statement between fixed ones depends on nothing but registers.
func between(s *model.Stmt) bool {
	switch s.Op {
	case model.OpHeader, model.OpPatch, model.OpBits, model.OpSubst, model.OpAbsent, model.OpExpect, model.OpLet, model.OpTake:
		return true
	}
	return false
}

// begin prints the reading of the fixed statements that begin a block.
func (p *emitter) begin(block []*model.Stmt, uses map[int]bool) {
	if p.fixed(block[0]) == 0 || p.run != nil && p.run.at < p.runEnd {
		return
	}
	total, kept := 0, false
	var rows []string
	for _, s := range block {
		n := p.fixed(s)
		if n == 0 && !between(s) {
			break
		}
		if n > 0 {
			total += n
			rows = append(rows, fmt.Sprintf("%d, %d", n, s.Rule))
			kept = kept || s.Op != model.OpWord || uses[s.Reg]
		}
	}
	p.run, p.runEnd = &fixedRun{name: p.fresh("b")}, total
	if kept {
		p.f("%s := r.next(%d)\nif %s == nil {\nreturn r.cut(%s)\n}\n", p.run.name, total, p.run.name, strings.Join(rows, ", "))
	} else {
		p.f("if r.next(%d) == nil {\nreturn r.cut(%s)\n}\n", total, strings.Join(rows, ", "))
	}
}

// bytes returns the bytes of the next n of the run, as a slice that may be longer.
func (p *emitter) bytes(n int) string {
	at := p.run.at
	p.run.at += n
	return from(p.run.name, fmt.Sprint(at))
}

func from(b, at string) string {
	if at == "0" {
		return b
	}
	return b + "[" + at + ":]"
}

// orderOf is the order of the bytes of numbers.
func (g *generator) orderOf(swapped bool) string {
	if g.m.Big != swapped {
		return "binary.BigEndian"
	}
	return "binary.LittleEndian"
}

// load prints the number of a scalar at the beginning of bytes, in a Go type.
func (g *generator) load(s builtin.Scalar, swapped bool, b, typ string, raw bool) string {
	order, bits, natural := g.orderOf(swapped), "", scalarGo(s)
	switch w := s.Width(); {
	case s == builtin.Code4:
		bits = "binary.LittleEndian.Uint32(" + b + ")"
	case w == 1:
		if i := strings.IndexByte(b, '['); i >= 0 && strings.HasSuffix(b, ":]") {
			bits = b[:len(b)-2] + "]"
		} else {
			bits = b + "[0]"
		}
	case s.Odd():
		bits, natural = fmt.Sprintf("scalarBits(%s, %s, %s)", scalarConst(s), b, bigConst(swapped)), "uint64"
		if s.Signed() {
			natural = ""
		}
	default:
		bits = fmt.Sprintf("%s.Uint%d(%s)", order, 8*w, b)
	}
	return g.number64(s, bits, natural, typ, raw)
}

// number64 prints an expression of type typ for the number of a scalar with some bits. The bits are an
// expression of type natural; a number that is signed or has a fraction needs a conversion.
func (g *generator) number64(s builtin.Scalar, bits, natural, typ string, raw bool) string {
	switch {
	case s.IsFloat():
		return g.real(s, bits, typ, raw)
	case typ == "Integer":
		if s.Signed() {
			return fmt.Sprintf("integerOf(int64(%s))", g.signed(s, bits))
		}
		return fmt.Sprintf("Integer{Bits: uint64(%s)}", bits)
	case s.Signed():
		x := g.signed(s, bits)
		if strings.HasPrefix(x, typ+"(") {
			return x
		}
		return typ + "(" + x + ")"
	case natural == typ:
		return bits
	}
	return typ + "(" + bits + ")"
}

// signed prints bits as a signed number of the type of the scalar.
func (g *generator) signed(s builtin.Scalar, bits string) string {
	return scalarGo(s) + "(" + bits + ")"
}

// real prints the real number with some bits. If raw is true all bits of a NaN are kept.
func (g *generator) real(s builtin.Scalar, bits, typ string, raw bool) string {
	switch {
	case s == builtin.F64:
		return "math.Float64frombits(" + bits + ")"
	case s == builtin.F32 && typ == "float32" && !raw:
		return "single(" + bits + ")"
	case s == builtin.F32 && typ == "float32":
		return "math.Float32frombits(" + bits + ")"
	case s == builtin.F32:
		return "widen(" + bits + ")"
	case typ == "float32" && !raw:
		return "single(singleOfHalf(" + bits + "))"
	case typ == "float32":
		return "math.Float32frombits(singleOfHalf(" + bits + "))"
	}
	return "widenHalf(" + bits + ")"
}

// typedHead prints what begins the reading of a record.
func (p *emitter) typedHead() {
	for _, at := range p.g.cells {
		if at.absent {
			p.f("%s = nil\n", at.field)
		}
	}
}

// typedEnd prints what ends the reading of a record. Its memory counts as that of a Value does:
// a record that one field represents takes none.
func (p *emitter) typedEnd(t *model.Type, rule int) {
	if len(t.Fields) > 0 && t.Alone() == nil {
		var sole []string
		for _, f := range t.Fields {
			if alone, ok := p.sole(t, f); ok {
				sole = append(sole, alone)
			}
		}
		sole = append(sole, "r.memory < 0", fmt.Sprintf("r.spend(%d, %d)", len(t.Fields), rule))
		if p.inside {
			p.f("if !(%s) {\nreturn false\n}\n", strings.Join(sole, " || "))
		} else {
			p.f("return %s\n", strings.Join(sole, " || "))
		}
		return
	}
	p.ends()
}

// ends prints what ends a function, unless the statements of an arm are inside of that of the union.
func (p *emitter) ends() {
	if !p.inside {
		p.f("return true\n")
	}
}

// largestInside is the largest number of statements of an arm that the function of its union reads and writes.
const largestInside = 8

// isInside reports whether the function of the union reads and writes an arm.
func (g *generator) isInside(a *model.Arm) bool { return isShort(a) && g.isBoxed(a.Type) }

// into begins a value at the place of a cell, and returns it.
func (p *emitter) into(cell int) place {
	at := p.g.cells[cell]
	if at.pointer {
		p.f("%s = %s\n", at.field, p.g.boxFor(p.g.typeOf(at.shape)))
	}
	return at
}

// readCell prints the reading of a statement into a field.
func (p *emitter) readCell(s *model.Stmt) {
	g := p.g
	at := p.into(s.Cell)
	x := at.x
	typ := g.typeOf(at.shape)
	switch s.Op {
	case model.OpScalars:
		if s.Coding == builtin.Fixed {
			p.f("%s = %s\n", x, g.load(s.Scalar, s.Swapped, p.bytes(s.Scalar.Width()), typ, false))
			break
		}
		v := p.fresh("n")
		word, args := codingCall(s.Coding)
		p.f("%s, ok := r.%s(%s, %t, %d)\nif !ok {\nreturn false\n}\n%s = %s\n", v, word, args, s.Longer, s.Rule, x, g.number64(s.Scalar, v, "uint64", typ, false))
	case model.OpTruth:
		if s.Nonzero {
			p.f("%s = %s != 0\n", x, g.load(unsignedOf(s.Scalar), s.Swapped, p.bytes(s.Scalar.Width()), "uint64", false))
			break
		}
		p.f("if %s, ok = r.truth(%s, %s, %d); %s", x, scalarConst(s.Scalar), bigConst(s.Swapped), s.Rule, p.failed())
	case model.OpTake:
		reg := fmt.Sprintf("r%d", s.Reg)
		switch {
		case s.Take == builtin.Bool:
			p.f("%s = %s != 0\n", x, reg)
		case typ == "Integer" && s.Take == builtin.Int:
			p.f("%s = integerOf(%s)\n", x, reg)
		case typ == "Integer":
			p.f("%s = Integer{Bits: uint64(%s)}\n", x, reg)
		default:
			p.f("%s = %s(%s)\n", x, typ, reg)
		}
	case model.OpArmRef:
		back := "r.pos"
		if s.Back > 0 {
			back = fmt.Sprintf("r.before(%d)", s.Back)
		}
		p.f("if %s, ok = r.name%s(r%d, %s, %d); %s", x, g.routine[s.Elem], s.Reg, back, s.Rule, p.failed())
	case model.OpLanes:
		p.readLanes(s, at)
	case model.OpText:
		text := fmt.Sprintf("%s, ok = r.text(&encodings[%d], %s, %d); %s", x, s.Encoding, p.count(s, 1), s.Rule, p.failed())
		if s.End == nil && keeps(g.m.Encodings[s.Encoding]) {
			t := p.fresh("t")
			p.f("if %s := %s; %s != nil {\n%s = plainText(%s)\n} else if %s", t, p.part(s), t, x, t, text)
		} else {
			p.f("if %s", text)
		}
		p.over(s)
	case model.OpPacked:
		p.readPacked(s, x)
	case model.OpList, model.OpRest, model.OpMap:
		p.readElements(s, x)
	case model.OpCall:
		p.f("if !r.read%s(%s) {\nreturn r.within(\"\", step{name: %q})\n}\n", g.routine[s.Elem], g.arguments(s.Args, "r", at.address()), s.Step)
	}
}

// unsignedOf returns the unsigned scalar of the width of another.
func unsignedOf(s builtin.Scalar) builtin.Scalar {
	if !s.Signed() {
		return s
	}
	for _, u := range builtin.Scalars() {
		if u.Width() == s.Width() && !u.Signed() && !u.IsFloat() && u != builtin.Code4 {
			return u
		}
	}
	return s
}

// readLanes prints the reading of a tuple of numbers.
func (p *emitter) readLanes(s *model.Stmt, at place) {
	g := p.g
	typ := numberType(at.shape)
	var all []string
	for range s.Width {
		all = append(all, g.load(s.Scalar, s.Swapped, p.bytes(s.Scalar.Width()), typ, true))
	}
	if p.tuple != "" {
		p.f("*x = %s{%s}\n", p.tuple, strings.Join(all, ", "))
		return
	}
	p.f("%s = [%d]%s{%s}\n", at.x, s.Width, typ, strings.Join(all, ", "))
}

// readPacked prints the reading of an array of numbers.
func (p *emitter) readPacked(s *model.Stmt, x string) {
	g := p.g
	shape := g.cells[s.Cell].shape
	size := s.Width * s.Scalar.Width()
	n := p.count(s, size)
	if isBytes(shape) {
		if n := p.fixed(s); n > 0 {
			at := p.run.at
			p.run.at += n
			p.f("%s = %s[%d:%d:%d]\n", x, p.run.name, at, p.run.at, p.run.at)
			return
		}
		claim := fmt.Sprintf("if %s, ok = r.claim(%s, 1, %d); %s", x, n, s.Rule, p.failed())
		if s.End == nil {
			claim = fmt.Sprintf("if %s = %s; %s == nil {\n%s}\n", x, p.part(s), x, claim)
		}
		p.f("%s", claim)
		p.over(s)
		return
	}
	b := p.fresh("b")
	p.f("%s, ok := r.claim(%s, %d, %d)\nif !ok {\nreturn false\n}\n", b, n, size, s.Rule)
	p.f("%s = sized(%s, len(%s)/%d)\nfor i := range %s {\n", x, x, b, size, primary(x))
	typ := numberType(shape)
	number := func(k int) string {
		at := fmt.Sprintf("%d*i", size)
		if k > 0 {
			at += fmt.Sprintf("+%d", k*s.Scalar.Width())
		}
		return g.load(s.Scalar, s.Swapped, from(b, at), typ, true)
	}
	if s.Width == 1 {
		p.f("%s[i] = %s\n}\n", primary(x), number(0))
	} else {
		var all []string
		for k := range s.Width {
			all = append(all, number(k))
		}
		p.f("%s[i] = [%d]%s{%s}\n}\n", primary(x), s.Width, typ, strings.Join(all, ", "))
	}
	p.over(s)
}

// keeps reports whether text is any bytes, and all of them.
func keeps(e *schema.Encoding) bool {
	return e.Charset == builtin.UTF8Unchecked && e.NUL == schema.NULKeep && !e.DropBOM
}

// part prints the bytes of a row that does not end before others.
func (p *emitter) part(s *model.Stmt) string {
	if s.Expr == nil {
		return "r.next(r.end - r.pos)"
	}
	return "r.part(" + p.g.int64(s.Expr, "r") + ")"
}

// primary returns an expression as one that can be indexed and whose fields and methods can be named.
func primary(x string) string {
	if x[0] == '*' {
		return "(" + x + ")"
	}
	return x
}

// readElements prints the reading of a list or map.
func (p *emitter) readElements(s *model.Stmt, x string) {
	g := p.g
	keys, elems := s.Given()
	at := primary(x)
	read := func(r *model.Routine, args []*model.Expr, to, path string) {
		p.f("if !r.read%s(%s) {\nreturn r.within(%q, step{%s})\n}\n", g.routine[r], g.arguments(args, "r", to), s.Step, path)
	}
	i := p.fresh("i")
	if s.Op == model.OpRest {
		more := "r.pos < r.end"
		if s.Stops {
			p.f("r.stop = false\n")
			more = "!r.stop"
		} else if s.Spare > 0 {
			more = fmt.Sprintf("r.end-r.pos > %d", s.Spare)
		}
		first := "0"
		slab := "&r.boxes." + g.listSlab(g.cells[s.Cell].shape)
		p.f("%s = listOf(%s, %s, 0)\n", x, slab, x)
		if size := g.plainSize(s); size > 0 {
			first = "len(" + x + ")"
			p.f("if r.memory < 0 {\n%[1]s = listOf(%[5]s, %[1]s, (r.end-r.pos)/%[2]d)\n%[1]s = %[3]s[:r.plain%[4]s(%[1]s)]\n}\n", x, size, at, g.routine[s.Elem], slab)
		}
		p.f("for %s := %s; %s; %s++ {\nif r.memory >= 0 && !r.spend(1, %d) {\nreturn r.within(%q, step{index: %s})\n}\n%s = longer(%s, %s)\n", i, first, more, i, s.Rule, s.Step, i, x, slab, x)
		read(s.Elem, elems, fmt.Sprintf("&%s[%s]", at, i), "index: "+i)
		p.f("}\n")
		return
	}
	n := p.fresh("n")
	p.f("%s := %s\n", n, g.int64(s.Expr, "r"))
	list := fmt.Sprintf("%s = listOf(&r.boxes.%s, %s, int(%s))\n", x, g.listSlab(g.cells[s.Cell].shape), x, n)
	if s.Op == model.OpList {
		p.f("if !r.enough(%s, %d, %d) || r.memory >= 0 && !r.spend(int(%s), %d) {\nreturn false\n}\n", n, s.Elem.Min, s.Rule, n, s.Rule)
		p.f("%s", list)
		if g.isPlainList(s) {
			plain := "r.plain" + g.routine[s.Elem]
			p.f("for %[1]s := %[2]s(%[3]s); %[1]s < len(%[3]s); %[1]s += 1 + %[2]s(%[4]s[%[1]s+1:]) {\n", i, plain, x, at)
		} else {
			p.f("for %s := range %s {\n", i, at)
		}
		read(s.Elem, elems, fmt.Sprintf("&%s[%s]", at, i), "index: "+i)
		p.f("}\n")
		return
	}
	p.f("if !r.enough(%s, %d, %d) || r.memory >= 0 && !r.spend(2*int(%s), %d) {\nreturn false\n}\n", n, s.Key.Min+s.Elem.Min, s.Rule, n, s.Rule)
	p.f("%sfor %s := range %s {\n", list, i, at)
	read(s.Key, keys, fmt.Sprintf("&%s[%s].Key", at, i), fmt.Sprintf("index: %s, pair: true", i))
	read(s.Elem, elems, fmt.Sprintf("&%s[%s].Value", at, i), fmt.Sprintf("index: %s, pair: true, key: keyText(%s[%s].Key)", i, at, i))
	p.f("}\n")
}

// int64 prints an expression as a number of type int64, also if it is constant.
func (g *generator) int64(e *model.Expr, side string) string {
	return typedNumber(g.number(e, side))
}

// readArm prints the reading of an arm of a union.
func (p *emitter) readArm(r *model.Routine, a *model.Arm) {
	g := p.g
	args := params(r, a, false)
	if args != "" {
		args = ", " + args
	}
	typ, name := g.paramType(r, a), g.goType[a.Type]
	if g.isBoxed(a.Type) {
		y := "y"
		if !g.inStruct(a.Type) {
			y = "(*" + typ + ")(y)"
		}
		p.f("y := boxOf(&r.boxes.%s)\n", g.arm[a])
		if g.isInside(a) {
			p.f("{\nx := %s\n", y)
			p.inside = true
			p.record(a.Type, a.Body, a.Rule, nil)
			p.inside = false
			p.f("}\n")
		} else {
			p.f("if !r.read%s(%s%s) {\nreturn false\n}\n", g.arm[a], y, args)
		}
		p.f("point(x, %s(%s), unsafe.Pointer(y))\n", g.union[r], g.zero(a.Type))
		return
	}
	p.f("var y %s\nif !r.read%s(&y%s) {\nreturn false\n}\n", typ, g.arm[a], args)
	if g.inStruct(a.Type) {
		p.f("*x = y\n")
	} else {
		p.f("*x = %s(y)\n", name)
	}
}

// isBoxed reports whether values of an arm are in slabs. An interface points to them; it holds values of
// one pointer itself, and those without a field or of a number of one byte need no memory.
func (g *generator) isBoxed(t *model.Type) bool {
	if !g.inStruct(t) {
		f := t.Alone()
		return f.Shape.Kind != model.Bool && (f.Shape.Kind != model.Number || !strings.HasSuffix(numberType(f.Shape), "int8"))
	}
	pointers, others := g.words(t)
	return others || pointers > 1
}

// words returns how many pointers a struct has, and whether it has anything else.
func (g *generator) words(t *model.Type) (pointers int, others bool) {
	if lanesOf(t) != nil {
		return 0, true
	}
	for i, f := range t.Fields {
		if r := g.record(f.Shape); g.placeIn("x", t, i).pointer {
			pointers++
		} else if r != nil {
			n, more := g.words(r)
			pointers, others = pointers+n, others || more
		} else {
			others = others || g.typeOf(f.Shape) != "struct{}"
		}
	}
	return pointers, others
}

// zero prints the zero value of an arm.
func (g *generator) zero(t *model.Type) string {
	name := g.goType[t]
	if g.inStruct(t) {
		return name + "{}"
	}
	switch f := t.Alone(); f.Shape.Kind {
	case model.Number:
		return name + "(0)"
	case model.Text:
		return name + "(\"\")"
	}
	return name + "(nil)"
}

// slabOf returns the name of the slab of a type for one use of it.
func (g *generator) slabOf(use, typ string) string {
	if g.slabs == nil {
		g.slabs = map[string]string{}
	}
	key := use + " " + typ
	if g.slabs[key] == "" {
		g.slabs[key] = fmt.Sprintf("%s%d", use, len(g.slabs))
	}
	return g.slabs[key]
}

// listSlab returns the name of the slab with the lists of a shape.
func (g *generator) listSlab(s *model.Shape) string {
	return g.slabOf("list", strings.TrimPrefix(g.typeOf(s), "[]"))
}

// boxFor prints a new value of a type that an optional field points to. Numbers are in one slab.
func (g *generator) boxFor(typ string) string {
	if integers[typ] != builtin.NoScalar || typ == "bool" || strings.HasPrefix(typ, "float") {
		return fmt.Sprintf("fieldOf[%s](&r.boxes.%s)", typ, g.slabOf("field", "uint64"))
	}
	return "boxOf(&r.boxes." + g.slabOf("field", typ) + ")"
}

// boxes prints the slabs of lists, of optional fields and of the arms of unions.
func (g *generator) boxes() string {
	p, again := &emitter{g: g}, &emitter{g: g}
	box := func(name, typ string) {
		p.f("%s slab[%s]\n", name, typ)
		again.f("b.%s.again()\n", name)
	}
	for _, key := range slices.Sorted(maps.Keys(g.slabs)) {
		if use, typ, _ := strings.Cut(key, " "); use == "list" {
			p.f("%s slab[%s]\n", g.slabs[key], typ) // values keep their lists
		} else {
			box(g.slabs[key], typ)
		}
	}
	for _, r := range g.m.Routines {
		if r.Union == nil {
			continue
		}
		for _, a := range r.Union.Arms {
			if g.isBoxed(a.Type) {
				box(g.arm[a], g.goType[a.Type])
			}
		}
	}
	if g.on["boxes"] = p.Len() > 0; !g.on["boxes"] {
		return ""
	}
	return "// boxes are slabs of lists, of the values of unions, and of what optional fields point to.\ntype boxes struct {\n" + p.String() +
		"}\n\n// again takes back the values before. These keep the memory of their lists.\nfunc (b *boxes) again() {\n" + again.String() + "}\n\n"
}
