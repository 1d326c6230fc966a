// Checks that what a writer computes is what a reader takes from it.

package compile

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// derivable reports the sizes, counts and conditions that a writer cannot keep:
// where a reader takes a size from fields that a writer computes, reading back
// what was computed must give the size again. It is tried for many sizes, since
// the expressions are sums, products and bounds of them.
func (b *body) derivable() {
	for _, p := range b.patches {
		b.c.errorf(p.row.Pos, 1, dsl.CodeUnderived, "the size that %s holds is of a row that does not stand after it in this record", p.word.name).
			WithHint("a writer measures what it writes after the word; put the word before that row")
	}
}

// probe checks one size expression: how many elements or bytes a reader takes,
// given what a writer computed for so many.
func (b *body) probe(size *dsl.Expr, target *field, what string) {
	words := map[string]string{"len": "length", "count": "count"}
	n := schema.Fold(size)
	for _, len := range []int64{0, 1, 2, 3, 4, 7, 255, 256, 65535, 65536, 1<<31 - 1} {
		env := &probeEnv{b: b, target: target, len: len}
		got := env.read(n, 0)
		if env.failed {
			return // unknown names are reported where they are compiled
		}
		if !env.derived {
			b.c.errorf(size.Pos, 1, dsl.CodeUnderived, "a writer cannot compute this %s of %s: none of the fields in it is computed from %s", words[what], target.name, target.name).
				WithHint("give the field that holds it a value, for example: | … | u32 | length = %s(%s) |", what, target.name)
			return
		}
		if got != len {
			b.c.errorf(size.Pos, 1, dsl.CodeInverse, "where the %s of %s is %d, a writer computes fields from which a reader takes %d", words[what], target.name, len, got).
				WithHint("the size here must be the inverse of what the fields are computed from")
			return
		}
	}
}

// probeEnv evaluates expressions as a reader does after a writer wrote a value
// whose target has a given length and every other list is empty.
type probeEnv struct {
	b       *body
	target  *field
	len     int64
	derived bool // some field was computed from the target
	failed  bool
	steps   int // nodes visited
}

// maxProbe bounds the steps of one evaluation, since definitions may branch.
const maxProbe = 5000

func (p *probeEnv) read(n *schema.Node, depth int) int64 {
	if p.steps++; depth > 50 || p.steps > maxProbe || p.failed {
		p.failed = true
		return 0
	}
	switch n.Op {
	case schema.OpNum:
		return n.Num
	case schema.OpName:
		if f := p.b.lookup(n.Name.Text); f != nil {
			switch {
			case f.let != nil:
				return p.read(f.let, depth+1)
			case f.derive != nil:
				return p.write(f.derive, depth+1)
			case f.cell >= 0 || f.isArg:
				return 0
			}
			p.failed = true
			return 0
		}
		if v, ok := p.b.c.s.Constant(n.Name.Text); ok {
			return v
		}
		p.failed = true
		return 0
	case schema.OpCall:
		if n.Name.Text != "min" && n.Name.Text != "max" {
			p.failed = true
			return 0
		}
		return p.call(n, depth, p.read)
	}
	return p.apply(n, depth, p.read)
}

func (p *probeEnv) write(n *schema.Node, depth int) int64 {
	if p.steps++; depth > 50 || p.steps > maxProbe || p.failed {
		p.failed = true
		return 0
	}
	switch n.Op {
	case schema.OpNum:
		return n.Num
	case schema.OpName:
		f := p.b.lookup(n.Name.Text)
		switch {
		case f == nil:
			v, ok := p.b.c.s.Constant(n.Name.Text)
			p.failed = p.failed || !ok
			return v
		case f.let != nil:
			return p.write(f.let, depth+1)
		case f.derive != nil:
			return p.write(f.derive, depth+1)
		}
		return 0
	case schema.OpCall:
		switch n.Name.Text {
		case "min", "max":
			return p.call(n, depth, p.write)
		case "count", "len", "size":
			if len(n.Args) == 1 && n.Args[0].Op == schema.OpName && n.Args[0].Name.Text == p.target.name {
				p.derived = true
				return p.len
			}
			if len(n.Args) != 1 || n.Args[0].Op != schema.OpName || p.b.lookup(n.Args[0].Name.Text) == nil {
				p.failed = true
			}
		case "present":
			return 1
		case "arm", "closed":
		default:
			p.failed = true
		}
		return 0
	case schema.OpOutside, nodeKeep, nodeKeepWide:
		return 0
	}
	return p.apply(n, depth, p.write)
}

func (p *probeEnv) call(n *schema.Node, depth int, eval func(*schema.Node, int) int64) int64 {
	if len(n.Args) != 2 {
		return 0
	}
	a, b := eval(n.Args[0], depth+1), eval(n.Args[1], depth+1)
	if n.Name.Text == "min" {
		return min(a, b)
	}
	return max(a, b)
}

func (p *probeEnv) apply(n *schema.Node, depth int, eval func(*schema.Node, int) int64) int64 {
	var x [2]int64
	for i, a := range n.Args {
		if i < 2 {
			x[i] = eval(a, depth+1)
		}
	}
	return schema.Apply(n.Op, x[0], x[1])
}

// probeRegion checks the size of a region: a writer cannot know it unless it is
// computed from the one row of the region whose size varies.
func (b *body) probeRegion(w *dsl.Within) {
	c := b.c
	fixed, varies := int64(0), []*field(nil)
	for _, i := range solid(w.Items) {
		switch {
		case i.Row != nil:
			if n, ok := c.fixedSize(i.Row); ok && whenOf(i.Row.Attrs) == nil {
				fixed += n
			} else {
				varies = append(varies, b.lookup(i.Row.Name.Text))
			}
		case i.Repeat != nil:
			varies = append(varies, b.lookup(i.Repeat.Name.Text))
		case i.If != nil, i.Within != nil:
			varies = append(varies, nil)
		}
	}
	one := len(varies) < 2
	n := schema.Fold(w.Size)
	lengths := []int64{0, 1, 7, 256, 65536}
	if len(varies) == 0 {
		lengths = lengths[:1]
	}
	for _, size := range lengths {
		env := &probeEnv{b: b, target: &field{}, len: size}
		if varies != nil && varies[0] != nil {
			env.target = varies[0]
		}
		got := env.read(n, 0)
		switch {
		case env.failed:
			return
		case !one:
			c.errorf(w.Size.Pos, 1, dsl.CodeUnderived, "a writer cannot compute the size of this region: the sizes of %d parts of it vary", len(varies)).
				WithHint("put them into a type, and take the size of the row that holds it")
			return
		case varies != nil && !env.derived:
			c.errorf(w.Size.Pos, 1, dsl.CodeUnderived, "a writer cannot compute the size of this region: none of the fields in it is computed from a row in it").
				WithHint("give the field that holds it a value, for example: | … | u32 | length = size(ROW) |")
			return
		case one && got != fixed+size:
			c.errorf(w.Size.Pos, 1, dsl.CodeInverse, "the rows of this region have %d bytes where a reader takes it to have %d", fixed+size, got).
				WithHint("the size here must be the inverse of what the fields are computed from")
			return
		}
	}
}
