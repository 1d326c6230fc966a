// Constants: numbers that are known without a packet.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// constant is the value of an expression of numbers and constants.
type constant struct {
	num    int64
	ok     bool
	cyclic bool // it is defined by itself
}

// constants evaluates constants, each of them once.
type constants struct {
	s      *source
	values map[string]constant
}

// Constant returns the value of a named constant.
func (s *source) Constant(name string) (int64, bool) {
	v := s.values[name]
	return v.num, v.ok
}

func (c *constants) named(name string) constant {
	if v, ok := c.values[name]; ok {
		return v
	}
	d := c.s.constant(name)
	if d == nil {
		return constant{}
	}
	c.values[name] = constant{cyclic: true} // until it is known
	v := c.eval(fold(d.Value))
	c.values[name] = v
	return v
}

func (c *constants) eval(x *Expr) constant {
	switch {
	case x.Op == builtin.Num:
		return constant{num: x.Num, ok: !x.bad}
	case x.Op == builtin.Ref:
		return c.named(x.Name)
	case !arithmetic(x.Op):
		return constant{}
	}
	var n [2]int64
	for i, a := range x.Args {
		v := c.eval(a)
		if !v.ok {
			return v
		}
		n[i] = v.num
	}
	num, ok := x.Op.Apply(n[0], n[1])
	return constant{num: num, ok: ok}
}

// arithmetic reports whether an operation is an operator on numbers.
func arithmetic(op builtin.Op) bool {
	if op >= builtin.NumOps {
		return false
	}
	o := &builtin.Operations[op]
	return !o.Call && !o.Writer && o.Params > 0
}

// constants computes the constants and reports those of the file that have no value.
func (r *resolver) constants(s *source, f *dsl.File) {
	c := &constants{s: s, values: map[string]constant{}}
	for _, d := range s.Consts {
		c.named(d.Name.Text)
	}
	s.values = c.values
	for _, d := range s.Consts {
		r.index.constants(s, fold(d.Value))
		if d.Pos.Filename == f.Name && !s.values[d.Name.Text].ok {
			r.constant(s, fold(d.Value), d)
		}
	}
}

// constant reports the reason why a constant has no value.
func (r *resolver) constant(s *source, x *Expr, d *constDecl) {
	switch {
	case x.Op == builtin.Num:
		if x.bad {
			r.tooLarge(x)
		}
	case x.Op == builtin.Ref:
		v, known := s.values[x.Name]
		switch {
		case !known:
			r.unknown(x.name(), "constant", s.declared("const"))
		case v.cyclic:
			r.name(x.name(), dsl.CodeRange, "constant %s is defined by itself", d.Name.Text).WithHint("follow the names: %s leads back to %s", x.Name, d.Name.Text)
		}
	case !arithmetic(x.Op):
		r.errorf(x.Pos, 1, dsl.CodeArgs, "a constant is made of numbers and constants only").WithHint("what depends on a value is written where the value is: in a row, a let or a check")
	default:
		for _, a := range x.Args {
			r.constant(s, a, d)
		}
	}
}

func (r *resolver) tooLarge(x *Expr) {
	r.errorf(x.Pos, 1, dsl.CodeRange, "the number does not fit 64 bits").WithHint("numbers are whole ones below 2^64")
}
