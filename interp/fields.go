// Cells of records that are written: what a row expects, and the numbers in them.

package interp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
)

func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// foreign describes a value that no arm of a union is for.
func foreign(v Value) string {
	if v.kind == None {
		return "nothing"
	}
	return describe(v) + " with tag " + strconv.Itoa(int(v.tag)) + ", which it does not have"
}

// counted checks that a reader would take from what was written the number of
// elements or bytes that there are.
func (g *writing) counted(rule, expr uint32, n int64, eval func(e, rule uint32) (int64, bool)) bool {
	x, ok := eval(expr, rule)
	if !ok {
		return false
	}
	if x != n {
		return g.fail(ErrRange, rule, fmt.Sprintf("%d, as many as the fields before it say", x), fmt.Sprint(n))
	}
	return true
}

// distribute takes the cells of a record of a type from a value. It reports whether the
// value has them: all, or one that represents the record. Without cells it only reports that.
func distribute(t *bytecode.Type, v Value, cells []Value) bool {
	clear(cells)
	switch n := len(t.Fields); {
	case n == 0:
	case n == 1 && t.Fields[0].Alone && t.Fields[0].Kind == None && v.kind != None: // a value of a declared type
		if cells != nil {
			cells[0] = v
		}
	case v.kind == Record && int(v.n) == n && !(n == 1 && t.Fields[0].Alone && v.Cells()[0].kind != None):
		copy(cells, v.Cells())
	case v.kind == None, v.kind == Record && n > 1:
		return false
	case v.kind == Unit && n > 1:
	default:
		for i, f := range t.Fields {
			if f.Alone && (f.Kind == v.kind || n == 1) {
				if cells != nil {
					cells[i] = v
				}
				return true
			}
		}
		return false
	}
	return true
}

// fields takes the cells of a record from a value, which must have them.
func (g *writing) fields(t *bytecode.Type, v Value, cells []Value, rule uint32) bool {
	if !distribute(t, v, cells) {
		return g.unlike(t, v, rule)
	}
	for i := range t.Fields {
		g.w.keys.merge(&cells[i])
	}
	return true
}

// unlike refuses a value that does not have the cells of a record.
func (g *writing) unlike(t *bytecode.Type, v Value, rule uint32) bool {
	n := len(t.Fields)
	switch {
	case v.kind == None:
		return g.mismatch(rule, v, "a value")
	case v.kind == Record && n > 1:
		return g.fail(ErrMismatch, rule, strconv.Itoa(n)+" fields for "+t.Name, strconv.Itoa(int(v.n)))
	}
	return g.mismatch(rule, v, "the fields of "+t.Name)
}

// subst puts in place of a cell what its arm says is written instead of it.
func (g *writing) subst(in *bytecode.Instr, c *Value) {
	for range 4 { // a replacement may itself be replaced
		if c.kind == None {
			return
		}
		arm, ok := g.m.arm(in.B, c.tag)
		if !ok {
			return // the call that writes it says so
		}
		t := &g.p.Types[g.m.tables[in.B].Arms[arm].Type]
		if !distribute(t, *c, nil) {
			return // the call that writes it says so
		}
		done := true
		for k, w := range t.Writes {
			if w.When != bytecode.None {
				s := scope{m: g.m, cells: make([]Value, len(t.Fields)), open: g.w.opt.Open}
				distribute(t, *c, s.cells)
				x, _ := s.eval(w.When)
				if g.obs != nil {
					g.obs.computed(w.When, scope{m: g.m, cells: slices.Clone(s.cells), open: g.w.opt.Open}, x)
				}
				if x == 0 {
					continue
				}
			}
			if g.obs != nil {
				g.obs.replaced(g.m.tables[in.B], arm, k)
			}
			if w.Absent {
				*c = Value{}
				return
			}
			next := MakeText(g.m.tags[w.Type], w.Text)
			if next.tag == c.tag && next.Text() == c.Text() && c.kind == Text {
				return
			}
			*c, done = next, false
			break
		}
		if done {
			return
		}
	}
}

// expect refuses a value that is not of the kind of its row.
func (g *writing) expect(in *bytecode.Instr, c *Value) bool {
	switch {
	case in.C&bytecode.ExpectTruth == 0:
		return g.integer(in.Scalar(), *c, in.Rule)
	case c.kind != Bool:
		return g.mismatch(in.Rule, *c, "a bool")
	}
	return true
}

// integer refuses a value that is not an integer, or one that does not fit.
func (g *writing) integer(s bytecode.Scalar, c Value, rule uint32) bool {
	switch {
	case c.kind != Int && c.kind != Uint:
		return g.mismatch(rule, c, "an integer")
	case outside(c, s):
		return g.fail(ErrRange, rule, "a number that fits "+s.String(), keyText(c))
	}
	return true
}

// scalar writes a number.
func (g *writing) scalar(s bytecode.Scalar, c Value, big bool, rule uint32) bool {
	bits := c.u
	switch {
	case s.IsFloat():
		if c.kind != Float {
			return g.mismatch(rule, c, "a float")
		}
		var ok bool
		if bits, ok = BitsOf(s, c.Float()); !ok {
			return g.inexact(s, c.Float(), rule)
		}
	case !g.integer(s, c, rule):
		return false
	}
	g.put(s, bits, big)
	return true
}

// numbers writes the lanes of a tuple or array. It converts between floats.
func (g *writing) numbers(s bytecode.Scalar, c Value, big bool, rule uint32) bool {
	have := c.Scalar()
	if s == have {
		g.out = append(g.out, inOrder(s, c.Bytes(), big)...)
		return true
	}
	if !s.IsFloat() || !have.IsFloat() {
		return g.mismatch(rule, c, "numbers of "+s.String())
	}
	for i := range c.numbers() {
		f := RealOf(have, c.bits(i))
		bits, ok := BitsOf(s, f)
		if !ok {
			return g.inexact(s, f, rule)
		}
		g.put(s, bits, big)
	}
	return true
}

// inexact refuses a real number that a scalar does not hold.
func (g *writing) inexact(s bytecode.Scalar, f float64, rule uint32) bool {
	return g.fail(ErrValue, rule, "a number that "+s.String()+" holds exactly", strconv.FormatFloat(f, 'g', -1, 64))
}
