// Numbers that are known without a packet.

package schema

import (
	"math/bits"

	"github.com/octable/octable/dsl"
)

// ConstExpr evaluates an expression of numbers and constants.
func constExpr(s *source, e *dsl.Expr) (int64, bool) {
	return s.evaluator().eval(fold(e)).result()
}

// A constant is what a constant expression comes to.
type constant struct {
	num    int64
	ok     bool
	cyclic bool // it is defined by itself
}

func (c constant) result() (int64, bool) { return c.num, c.ok }

// constants evaluates constants, each of them once.
type constants struct {
	s      *source
	values map[string]constant
}

func (s *source) evaluator() *constants {
	if s.values != nil {
		return &constants{s, s.values}
	}
	return &constants{s, map[string]constant{}}
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

func (c *constants) eval(n *folded) constant {
	switch n.Op {
	case opNum:
		return constant{num: n.Num, ok: n.OK}
	case opName:
		return c.named(n.Name.Text)
	case opCall, opOutside:
		return constant{}
	}
	var x [2]int64
	for i, a := range n.Args {
		v := c.eval(a)
		if !v.ok {
			return v
		}
		x[i] = v.num
	}
	return constant{num: apply(n.Op, x[0], x[1]), ok: true}
}

// Constant returns the value of a named constant.
func (s *source) Constant(name string) (int64, bool) {
	return s.evaluator().named(name).result()
}

// Bits returns how many bits a number needs.
func bitsOf(u uint64) int { return bits.Len64(u) }
