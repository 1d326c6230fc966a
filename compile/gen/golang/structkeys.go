// Functions of users' structs that read bytes whose keys are in any order:
// each value where its key is found.

package golang

import (
	"fmt"
)

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
