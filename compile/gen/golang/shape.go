// Conversions between the fields of generated types and values.

package golang

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// scalarGo is the Go type of a scalar.
func scalarGo(s builtin.Scalar) string {
	return [...]string{"", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64", "uint32"}[s.Held()]
}

// goShape returns the Go type of a shape. of is the type that the shape is a field of, if it is the only one.
func (g *generator) goShape(s *model.Shape, of *model.Type) string {
	switch s.Kind {
	case model.Bool:
		return "bool"
	case model.Number:
		return scalarGo(s.Scalar())
	case model.Text:
		return "string"
	case model.Lanes:
		return fmt.Sprintf("[%d]%s", s.Width, scalarGo(s.Scalar()))
	case model.Packed:
		if e := g.elemOf[of]; of != nil && e != "" {
			return "[]" + e
		}
		if s.Width == 1 {
			return "[]" + scalarGo(s.Scalar())
		}
		return fmt.Sprintf("[][%d]%s", s.Width, scalarGo(s.Scalar()))
	case model.List:
		return "[]" + g.goShape(s.Elem, nil)
	case model.Map:
		if s.Key.Kind == model.Union && s.Elem.Kind == model.Union {
			return "[]Pair"
		}
		return fmt.Sprintf("[]struct {\nKey %s\nValue %s\n}", g.goShape(s.Key, nil), g.goShape(s.Elem, nil))
	case model.Record:
		if name := g.goType[s.Type]; name != "" {
			return name
		}
		return "struct{}" // a record without fields
	case model.ArmName:
		return "Type"
	}
	return "Value" // a union, several shapes, or a field without a form
}

// tagOf is the type of a part: that of the record it represents, or 0.
func (g *generator) tagOf(s *model.Shape) string {
	if s.Type == nil || s.Kind == model.Record {
		return "0"
	}
	return g.tag(s.Type)
}

// toValue prints the making of a Value from a Go value of a shape. tag is that of
// the Value, "0" for parts.
func (g *generator) toValue(s *model.Shape, x, tag string) string {
	switch s.Kind {
	case model.Bool:
		return fmt.Sprintf("makeBool(%s, %s)", tag, x)
	case model.Number:
		switch n := s.Scalar(); {
		case n.IsFloat():
			return fmt.Sprintf("makeFloat(%s, float64(%s))", tag, x)
		case n.Signed():
			return fmt.Sprintf("makeInt(%s, int64(%s))", tag, x)
		}
		return fmt.Sprintf("makeUint(%s, uint64(%s))", tag, x)
	case model.Text:
		return fmt.Sprintf("makeText(%s, %s)", tag, x)
	case model.Lanes:
		return g.numbers(s, tag, g.putNumbers(s, x+"[:]"))
	case model.Packed:
		if s.Width > 1 {
			x = fmt.Sprintf("flat[%s](unsafe.Pointer(unsafe.SliceData(%s)), %d*len(%s))", scalarGo(s.Scalar()), x, s.Width, x)
		}
		return g.numbers(s, tag, g.putNumbers(s, x))
	case model.List:
		if s.Elem.Kind == model.Union {
			return fmt.Sprintf("makeCells(KindList, %s, %s)", tag, x)
		}
		g.helpers["list"] = true
		return fmt.Sprintf("makeCells(KindList, %s, listOf(%s, func(x %s) Value { return %s }))", tag, x, g.goShape(s.Elem, nil), g.toValue(s.Elem, "x", g.tagOf(s.Elem)))
	case model.Map:
		if s.Key.Kind == model.Union && s.Elem.Kind == model.Union {
			g.helpers["pairs"] = true
			return fmt.Sprintf("makeCells(KindMap, %s, pairCells(%s))", tag, x)
		}
		g.helpers["map"] = true
		return fmt.Sprintf("makeCells(KindMap, %s, mapOf(%s, func(x %s) (Value, Value) { return %s, %s }))", tag, x,
			strings.TrimPrefix(g.goShape(s, nil), "[]"), g.toValue(s.Key, "x.Key", g.tagOf(s.Key)), g.toValue(s.Elem, "x.Value", g.tagOf(s.Elem)))
	case model.Record:
		if g.goType[s.Type] == "" {
			return "makeUnit(0)"
		}
		if !g.isMethod(s.Type) {
			return x + ".AsValue()"
		}
		return x + ".Value()"
	case model.ArmName:
		return fmt.Sprintf("makeUnit(%s)", x)
	}
	return x
}

// loopVariable matches a variable of a loop in an expression for what loops are at, with its number.
var loopVariable = regexp.MustCompile(`^e(\d*)$|\[i(\d*)\]`)

// inner returns the name of a variable of a loop over the value x. The variables of other loops may select x.
func (p *emitter) inner(name, x string) string {
	most := 0
	for _, m := range loopVariable.FindAllStringSubmatch(x, -1) {
		n, _ := strconv.Atoi(m[1] + m[2])
		most = max(most, n, 1)
	}
	if most == 0 {
		return name
	}
	return name + strconv.Itoa(most+1)
}

// fromValue prints statements that set the variable out of a shape's Go type from the value x.
// They set ok to false if x is of another type.
func (p *emitter) fromValue(s *model.Shape, x, out string) {
	g := p.g
	switch s.Kind {
	case model.Bool:
		p.f("ok = ok && %s.kind == KindBool\n%s = %s.Bool()\n", x, out, x)
	case model.Number:
		n := s.Scalar()
		switch {
		case n.IsFloat():
			p.f("ok = ok && %s.kind == KindFloat\n%s = %s(%s.Float())\n", x, out, scalarGo(n), x)
		case n.Signed():
			p.f("ok = ok && (%s.kind == KindInt || %s.kind == KindUint) && !outside(%s, %s)\n%s = %s(%s.u)\n", x, x, x, scalarConst(n), out, scalarGo(n), x)
		default:
			p.f("ok = ok && (%s.kind == KindInt || %s.kind == KindUint) && !outside(%s, %s)\n%s = %s(%s.u)\n", x, x, x, scalarConst(n), out, scalarGo(n), x)
		}
	case model.Text:
		p.f("ok = ok && %s.kind == KindText\n%s = %s.Text()\n", x, out, x)
	case model.Lanes:
		p.f("ok = ok && get%s(%s, KindLanes, %d, %s[:])\n", g.bulk(s.Scalar()), x, s.Width, out)
	case model.Packed:
		if s.Width == 1 {
			p.f("%s = make(%s, %s.count(ok))\nok = ok && get%s(%s, KindPacked, 1, %s)\n", out, g.goShape(s, nil), x, g.bulk(s.Scalar()), x, out)
		} else {
			p.f("%s = make(%s, %s.count(ok))\nok = ok && get%s(%s, KindPacked, %d, flat[%s](unsafe.Pointer(unsafe.SliceData(%s)), %d*len(%s)))\n", out, g.goShape(s, nil), x, g.bulk(s.Scalar()), x, s.Width, scalarGo(s.Scalar()), out, s.Width, out)
		}
	case model.List:
		p.f("ok = ok && %s.kind == KindList\n", x)
		if s.Elem.Kind == model.Union {
			p.f("%s = %s.cells()\n", out, x)
			break
		}
		i, e := p.inner("i", x), p.inner("e", x)
		if s.Elem.Kind == model.Record && g.goType[s.Elem.Type] == "" {
			i = "_" // no element has content
		}
		p.f("%s = make(%s, len(%s.cells()))\nfor %s, %s := range %s.cells() {\n", out, g.goShape(s, nil), x, i, e, x)
		p.fromValue(s.Elem, e, out+"["+i+"]")
		p.f("}\n")
	case model.Map:
		p.f("ok = ok && %s.kind == KindMap\n", x)
		cells, i, e := p.inner("cells", x), p.inner("i", x), p.inner("e", x)
		p.f("if ok {\n%s = make(%s, 0, %s.n)\n%s := %s.cells()\nfor %s := 0; %s+1 < len(%s); %s += 2 {\n", out, g.goShape(s, nil), x, cells, x, i, i, cells, i)
		p.f("var %s %s\n", e, strings.TrimPrefix(g.goShape(s, nil), "[]"))
		p.fromValue(s.Key, cells+"["+i+"]", e+".Key")
		p.fromValue(s.Elem, cells+"["+i+"+1]", e+".Value")
		p.f("%s = append(%s, %s)\n}\n}\n", out, out, e)
	case model.Record:
		if g.goType[s.Type] == "" {
			p.f("ok = ok && %s.kind == KindUnit\n", x)
			break
		}
		p.f("if y, is := as%s(%s); is {\n%s = y\n} else {\nok = false\n}\n", g.goType[s.Type], x, out)
	case model.ArmName:
		p.f("ok = ok && %s.kind == KindUnit\n%s = %s.tag\n", x, out, x)
	default:
		p.f("%s = %s\n", out, x)
	}
}

// bulk is the name of the functions that turn numbers of a scalar into bytes and back.
func (g *generator) bulk(s builtin.Scalar) string {
	if s == builtin.Code4 {
		s = builtin.U32
	}
	g.helpers[s.String()] = true
	return strings.ToUpper(s.String())
}

// putNumbers prints the bytes of the numbers of a shape, in a scalar that Go has.
func (g *generator) putNumbers(s *model.Shape, x string) string {
	return "put" + g.bulk(s.Scalar().Held()) + "(" + x + ")"
}

// numbers prints the value of lanes or of a packed array from the bytes of [generator.putNumbers].
// If Go lacks the scalar, the value is narrowed to it.
func (g *generator) numbers(s *model.Shape, tag, bytes string) string {
	scalar := s.Scalar()
	text := fmt.Sprintf("makeLanes(%s, %s, %s)", tag, scalarConst(scalar.Held()), bytes)
	if s.Kind == model.Packed {
		text = fmt.Sprintf("makePacked(%s, %s, %d, %s)", tag, scalarConst(scalar.Held()), s.Width, bytes)
	}
	if scalar.Held() == scalar {
		return text
	}
	g.helpers["narrowed"] = true
	return fmt.Sprintf("%s.narrowed(%s)", text, scalarConst(scalar))
}

// numberHelpers prints the functions that other code here needs.
func (g *generator) numberHelpers(p *emitter) {
	if g.helpers["list"] {
		p.f("func listOf[T any](list []T, f func(T) Value) []Value {\nout := make([]Value, len(list))\nfor i, x := range list {\nout[i] = f(x)\n}\nreturn out\n}\n\n")
	}
	if g.helpers["narrowed"] {
		p.f("// narrowed returns v with its numbers as those of a scalar of fewer bytes, or v if that does not hold them.\nfunc (v Value) narrowed(s scalar) Value {\nb := make([]byte, 0, v.numbers()*s.width())\nfor i := range v.numbers() {\n")
		p.f("bits := v.bits(i)\nok := signExtended(s, bits) == signExtended(v.scalar(), bits) && (s.signed() || bits>>(8*s.width()) == 0)\nif s.isFloat() {\nvar half uint16\nhalf, ok = halfOfSingle(uint32(v.bits(i)))\nbits = uint64(half)\n}\nif !ok {\nreturn v\n}\nb = appendScalar(b, s, bits, false)\n}\n")
		p.f("if v.kind == KindLanes {\nreturn makeLanes(v.tag, s, b)\n}\nreturn makePacked(v.tag, s, v.width(), b)\n}\n\n")
	}
	if g.helpers["pairs"] {
		p.f("func pairCells(pairs []Pair) []Value {\nout := make([]Value, 0, 2*len(pairs))\nfor _, p := range pairs {\nout = append(out, p.Key, p.Value)\n}\nreturn out\n}\n\n")
	}
	if g.helpers["map"] {
		p.f("func mapOf[T any](list []T, f func(T) (Value, Value)) []Value {\nout := make([]Value, 0, 2*len(list))\nfor _, x := range list {\nk, v := f(x)\nout = append(out, k, v)\n}\nreturn out\n}\n\n")
	}
	body := p.String()
	if strings.Contains(body, ".count(") {
		p.f("// count returns the elements of a packed array, 0 for others or where it is not wanted.\nfunc (v Value) count(want bool) int {\nif !want || v.kind != KindPacked {\nreturn 0\n}\nreturn int(v.n)\n}\n\n")
	}
	for _, s := range builtin.Scalars() {
		if g.helpers[s.String()] {
			p.bulkFunctions(s, body)
		}
	}
	if strings.Contains(body, "flat[") {
		p.f("// flat returns the n numbers of tuples one after the other. It shares their memory.\nfunc flat[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }\n\n")
	}
}

// bulkFunctions prints the ways from numbers to bytes and back.
func (p *emitter) bulkFunctions(s builtin.Scalar, body string) {
	name, typ, w := strings.ToUpper(s.String()), scalarGo(s), s.Width()
	if strings.Contains(body, "put"+name+"(") {
		p.f("// put%s returns numbers as bytes, the lowest first.\nfunc put%s(x []%s) []byte {\n", name, name, typ)
		switch {
		case s == builtin.U8:
			p.f("return append(make([]byte, 0, len(x)), x...)\n}\n\n")
		default:
			bits := fmt.Sprintf("uint%d(n)", 8*w)
			if s.IsFloat() {
				bits = fmt.Sprintf("math.Float%dbits(n)", 8*w)
			}
			p.f("b := make([]byte, 0, %d*len(x))\nfor _, n := range x {\n", w)
			if w == 1 {
				p.f("b = append(b, byte(n))\n")
			} else {
				p.f("b = binary.LittleEndian.AppendUint%d(b, %s)\n", 8*w, bits)
			}
			p.f("}\nreturn b\n}\n\n")
		}
	}
	if strings.Contains(body, "get"+name+"(") {
		p.f("// get%s sets x to the numbers of v, of width numbers in each element. It returns\n// false where they are others.\nfunc get%s(v Value, kind Kind, width int, x []%s) bool {\n", name, name, typ)
		p.f("if v.kind != kind || v.width() != width || v.numbers() != len(x) {\nreturn false\n}\n")
		if s.IsFloat() {
			p.f("if !v.scalar().isFloat() {\nreturn false\n}\nfor i := range x {\n")
			switch s {
			case builtin.F16:
				p.f("if v.scalar() == scalarF16 {\nx[i] = math.Float32frombits(singleOfHalf(uint16(v.bits(i))))\ncontinue\n}\nb, ok := bitsOf(scalarF16, v.float(i))\nif !ok || math.Float64bits(realOf(scalarF16, b)) != math.Float64bits(v.float(i)) {\nreturn false\n}\nx[i] = math.Float32frombits(singleOfHalf(uint16(b)))\n}\n")
			case builtin.F32:
				p.f("if v.scalar() == scalarF32 {\nx[i] = math.Float32frombits(uint32(v.bits(i)))\ncontinue\n}\nf := v.float(i)\nb := narrow(f)\nif math.Float64bits(widen(b)) != math.Float64bits(f) {\nreturn false\n}\nx[i] = math.Float32frombits(b)\n}\n")
			default:
				p.f("x[i] = v.float(i)\n}\n")
			}
		} else {
			bits := "v.bits(i)"
			if s.Odd() && s.Signed() {
				bits = fmt.Sprintf("signExtended(%s, v.bits(i))", scalarConst(s))
			}
			p.f("if v.scalar() != %s {\nreturn false\n}\nfor i := range x {\nx[i] = %s(%s)\n}\n", scalarConst(s), typ, bits)
		}
		p.f("return true\n}\n\n")
	}
}
