// Functions of users' structs that convert through a Value: they take all that can be
// converted, and say what is wrong with the rest.

package golang

import (
	"fmt"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

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

func (p *emitter) fromStruct(u *userStruct) {
	p.f("func (x *%s) fromValue(v Value, c *conversion) error {\n", u.name)
	p.f("cells, err := c.mapOfKeys(v, %q)\nif err != nil {\nreturn err\n}\nvar seen uint64\nfor i := 0; i+1 < len(cells); i += 2 {\nkey, val, bit := cells[i], cells[i+1], uint64(0)\n", u.name)
	p.f("if key.kind == KindText && (key.tag == %s || keysOf(key.tag)&keyByText != 0) {\nswitch key.Text() {\n", p.g.typeConst[p.g.nat.text.Type])
	for i, f := range u.fields {
		p.f("case %q:\nbit = 1 << %d\n", f.key, i)
	}
	p.f("}\n}\nif bit == 0 {\nif c.ignoreUnknown {\ncontinue\n}\nreturn c.fail(ErrUnknownKey, %q, \"no field takes its key \"+say(key)+\"; Options.IgnoreUnknown leaves such keys out\")\n}\n", u.name)
	p.f("if seen&bit != 0 {\nreturn c.fail(ErrDuplicateKey, %q, \"key \"+say(key)+\" occurs twice\")\n}\nseen |= bit\nswitch bit {\n", u.name)
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
		p.f("if _, twice := m[key]; twice {\nreturn inside(%s, c.fail(ErrDuplicateKey, %s, \"key \"+quote(key)+\" occurs twice\"))\n}\nvar y %s\n", step, name, t.elem.text)
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
	case t.scalar == builtin.F32 && t.lane.sort == sortFloat:
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
