// Expressions: the same words mean a register to a reader and, where a writer
// computes a field, the value that it is computed from.

package compile

import (
	"sort"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// direction says what the names in an expression stand for.
type direction int

const (
	both    direction = iota // what has been read or written so far
	writing                  // the fields of the value being written
)

// exprCompiler makes one expression for one record.
type exprCompiler struct {
	b     *body
	dir   direction
	steps int
	bad   bool
	sizes map[string]uint32 // registers that hold sizes of rows, by name
}

// expr compiles an expression and returns its index.
func (b *body) expr(e *dsl.Expr, dir direction) uint32 {
	return b.c.addExpr(b.tree(schema.Fold(e), dir))
}

func (b *body) tree(n *schema.Node, dir direction) *bytecode.Expr {
	return (&exprCompiler{b: b, dir: dir}).tree(n, 0)
}

func (c *compiler) addExpr(e *bytecode.Expr) uint32 {
	c.p.Exprs = append(c.p.Exprs, e)
	return uint32(len(c.p.Exprs) - 1)
}

var operators = map[schema.NodeOp]bytecode.ExprOp{
	"+": bytecode.ExprAdd, "-": bytecode.ExprSub, "*": bytecode.ExprMul, "/": bytecode.ExprDiv, "%": bytecode.ExprMod,
	"&": bytecode.ExprAnd, "^": bytecode.ExprXor, "<<": bytecode.ExprShl, ">>": bytecode.ExprShr,
	"==": bytecode.ExprEq, "!=": bytecode.ExprNe, "<": bytecode.ExprLt, "<=": bytecode.ExprLe, ">": bytecode.ExprGt, ">=": bytecode.ExprGe,
	"&&": bytecode.ExprBoth, "||": bytecode.ExprEither, schema.OpNeg: bytecode.ExprNeg, schema.OpNot: bytecode.ExprNot,
}

// leaf returns the expression of an operation that has no operands.
func leaf(op bytecode.ExprOp, arg int64, arg2 uint32) *bytecode.Expr {
	return &bytecode.Expr{Op: op, Arg: arg, Arg2: arg2}
}

// fit returns an expression that must be of at most some bits. It is not computed even
// if it is constant, so that the fields of a word can be distinguished in its expression.
func fit(e *bytecode.Expr, bits int) *bytecode.Expr {
	return &bytecode.Expr{Op: bytecode.ExprFit, Arg: int64(bits), Args: []*bytecode.Expr{e}}
}

// apply returns the expression of an operation on operands. An operation on numbers
// only becomes its result.
func apply(op bytecode.ExprOp, args ...*bytecode.Expr) *bytecode.Expr {
	var n [3]int64
	for i, a := range args {
		var ok bool
		if n[i], ok = a.Constant(); !ok {
			return bytecode.Apply(op, args...)
		}
	}
	switch op {
	case bytecode.ExprMin:
		return bytecode.Num(min(n[0], n[1]))
	case bytecode.ExprMax:
		return bytecode.Num(max(n[0], n[1]))
	case bytecode.ExprSelect:
		if n[0] != 0 {
			return args[1]
		}
		return args[2]
	}
	for name, o := range operators {
		if o == op {
			return bytecode.Num(schema.Apply(name, n[0], n[1]))
		}
	}
	return bytecode.Apply(op, args...)
}

func (x *exprCompiler) errorf(pos dsl.Pos, width int, code dsl.Code, format string, args ...any) *dsl.Diagnostic {
	x.bad = true
	return x.b.c.errorf(pos, width, code, format, args...)
}

// Limits of one expression, below those of programs since bits and signs are added.
const (
	maxExprDepth = 100
	maxExprSteps = 1000
)

// tree compiles a node of an expression. After an error it returns the number 0.
func (x *exprCompiler) tree(n *schema.Node, depth int) *bytecode.Expr {
	if x.steps++; depth > maxExprDepth || x.steps > maxExprSteps {
		if !x.bad {
			x.errorf(n.Pos, 1, dsl.CodeArgs, "the expression is too long, or defined by itself").WithHint("follow the names in it: one of them must not lead back here")
		}
		return bytecode.Num(0)
	}
	switch n.Op {
	case schema.OpNum:
		if !n.OK {
			x.errorf(n.Pos, 1, dsl.CodeRange, "the number does not fit 64 bits").WithHint("numbers are whole ones below 2^64")
		}
		return bytecode.Num(n.Num)
	case schema.OpName:
		return x.name(n, depth)
	case schema.OpCall:
		return x.call(n, depth)
	case schema.OpOutside:
		return x.outside(n)
	case nodeKeep, nodeKeepWide:
		return x.keep(n, depth)
	}
	args := make([]*bytecode.Expr, len(n.Args))
	for i, a := range n.Args {
		args[i] = x.tree(a, depth+1)
	}
	return apply(operators[n.Op], args...)
}

func (x *exprCompiler) name(n *schema.Node, depth int) *bytecode.Expr {
	c, name := x.b.c, n.Name.Text
	if f := x.b.lookup(name); f != nil {
		if x.dir == both {
			if f.reg < 0 {
				x.unread(f, n)
				return bytecode.Num(0)
			}
			return bytecode.Reg(f.reg)
		}
		switch {
		case f.isArg || f.let == nil && f.cell < 0 && f.derive == nil && f.reg >= 0:
			return bytecode.Reg(f.reg)
		case f.cell >= 0 && f.armOf != nil:
			return leaf(bytecode.ExprArm, int64(f.cell), c.unionRoutine(f.armOf))
		case f.cell >= 0:
			return leaf(bytecode.ExprValue, int64(f.cell), 0)
		case f.let != nil:
			return x.tree(f.let, depth+1)
		case f.derive != nil:
			return x.tree(f.derive, depth+1)
		}
		x.errorf(n.Pos, len(name), dsl.CodeDirection, "%s is not a number that a writer knows here", name).WithHint("use a field that is stored, or computed from stored fields")
		return bytecode.Num(0)
	}
	if v, ok := c.s.Constant(name); ok {
		return bytecode.Num(v)
	}
	d := x.errorf(n.Pos, len(name), dsl.CodeUnknown, "there is no field or constant %s", name)
	if near := c.near(name, x.b.names); near != "" {
		d.WithHint("did you mean %s?", near)
	} else {
		d.WithHint("names here are fields that stand in this record, and constants")
	}
	return bytecode.Num(0)
}

func (x *exprCompiler) call(n *schema.Node, depth int) *bytecode.Expr {
	c, name := x.b.c, n.Name.Text
	want := map[string]int{"min": 2, "max": 2, "closed": 1, "count": 1, "len": 1, "arm": 1, "present": 1, "size": 1}
	args, known := want[name]
	if !known {
		var all []string
		for f := range want {
			all = append(all, f)
		}
		d := x.errorf(n.Pos, len(name), dsl.CodeUnknown, "there is no function %s", name)
		sort.Strings(all)
		if near := dsl.Nearest(name, all); near != "" {
			d.WithHint("did you mean %s?", near)
		} else {
			d.WithHint("there are: %s", strings.Join(all, ", "))
		}
		return bytecode.Num(0)
	}
	if len(n.Args) != args {
		x.errorf(n.Pos, len(name), dsl.CodeArgs, "%s takes %d argument%s, not %d", name, args, plural(args), len(n.Args)).WithHint("for example: %s(%s)", name, []string{"", "x", "x, 1"}[args])
		return bytecode.Num(0)
	}
	switch name {
	case "min":
		return apply(bytecode.ExprMin, x.tree(n.Args[0], depth+1), x.tree(n.Args[1], depth+1))
	case "max":
		return apply(bytecode.ExprMax, x.tree(n.Args[0], depth+1), x.tree(n.Args[1], depth+1))
	}
	arg := n.Args[0]
	if arg.Op != schema.OpName {
		x.errorf(n.Pos, len(name), dsl.CodeArgs, "%s takes the name of a field", name).WithHint("for example: %s(x)", name)
		return bytecode.Num(0)
	}
	target := arg.Name.Text
	if name == "closed" {
		g := c.s.Gate(target)
		if g < 0 {
			x.b.c.unknownGate(arg.Name)
			return bytecode.Num(0)
		}
		return leaf(bytecode.ExprClosed, int64(g), 0)
	}
	if name == "size" {
		if reg, ok := x.sizes[target]; ok {
			return bytecode.Reg(int(reg))
		}
		x.errorf(arg.Pos, len(target), dsl.CodeUnderived, "the size of %s is known only in the value of a whole row that stands before it", target).
			WithHint("write it as the value of a row above that of %s", target)
		return bytecode.Num(0)
	}
	f := x.b.lookup(target)
	if f == nil || f.cell < 0 {
		d := x.errorf(arg.Pos, len(target), dsl.CodeUnknown, "there is no stored field %s to take the %s of", target, name)
		if near := c.near(target, x.b.names); near != "" {
			d.WithHint("did you mean %s?", near)
		}
		return bytecode.Num(0)
	}
	if x.dir == both && !(name == "len" && f.read) {
		x.errorf(n.Pos, len(name), dsl.CodeDirection, "%s(%s) is known to a writer only", name, target).
			WithHint("use the field that holds it: a reader takes it from there, and a writer has written it")
		return bytecode.Num(0)
	}
	switch name {
	case "count":
		if k := x.b.rec.cells[f.cell].Kind; k != kindList && k != kindMap && k != kindPacked {
			d := x.errorf(arg.Pos, len(target), dsl.CodeArgs, "%s is neither a list nor an array, so it has no count", target).WithHint("count takes what repeat or a type with brackets declares")
			if f.encoding >= 0 {
				d.WithHint("len(%s) is the number of its bytes", target)
			}
		}
		return leaf(bytecode.ExprCount, int64(f.cell), 0)
	case "len":
		if f.encoding < 0 {
			x.errorf(arg.Pos, len(target), dsl.CodeArgs, "%s is not text, so it has no len", target).WithHint("count(%s) is the number of its elements", target)
			return bytecode.Num(0)
		}
		return leaf(bytecode.ExprLen, int64(f.cell), uint32(f.encoding))
	case "present":
		return leaf(bytecode.ExprPresent, int64(f.cell), 0)
	default: // arm
		if f.union == nil {
			x.errorf(arg.Pos, len(target), dsl.CodeArgs, "%s is not a union, so it has no arm", target).WithHint("arm takes a field whose type is a union")
			return bytecode.Num(0)
		}
		return leaf(bytecode.ExprArm, int64(f.cell), c.unionRoutine(f.union))
	}
}

func (x *exprCompiler) outside(n *schema.Node) *bytecode.Expr {
	f, s := (*field)(nil), bytecode.NoScalar
	if n.Args[0].Op == schema.OpName {
		f = x.b.lookup(n.Args[0].Name.Text)
	}
	if n.Name != nil {
		s, _ = bytecode.ScalarNamed(n.Name.Text)
	}
	if f == nil || f.cell < 0 || s == bytecode.NoScalar || x.dir == both {
		x.errorf(n.Pos, 1, dsl.CodeArgs, "outside stands between a stored field and a scalar, in what a writer computes").
			WithHint("for example: value outside i32")
		return bytecode.Num(0)
	}
	return leaf(bytecode.ExprOutside, int64(f.cell), uint32(s))
}

// keep asks for the form that the value was read in, where the caller wants
// widths kept, and for what the schema says otherwise.
func (x *exprCompiler) keep(n *schema.Node, depth int) *bytecode.Expr {
	cell := -1
	if n.Op == nodeKeep {
		cell = x.b.lookup(n.Name.Text).cell
	} else {
		for i, f := range x.b.rec.cells {
			if f.Kind == kindLanes || f.Kind == kindPacked || f.Kind == kindFloat {
				cell = i
				break
			}
		}
	}
	if cell < 0 {
		return x.tree(n.Args[0], depth+1)
	}
	kept := leaf(bytecode.ExprWide, int64(cell), 0)
	if n.Op == nodeKeep {
		kept = apply(bytecode.ExprEither, kept, leaf(bytecode.ExprOutside, int64(cell), uint32(n.Num)))
	}
	return apply(bytecode.ExprSelect, leaf(bytecode.ExprExact, 0, 0), kept, x.tree(n.Args[0], depth+1))
}

// unread reports a field that a reader does not have as a number.
func (x *exprCompiler) unread(f *field, n *schema.Node) {
	kind := uint8(kindInt)
	if f.cell >= 0 {
		kind = x.b.rec.cells[f.cell].Kind
	}
	what := map[uint8]string{kindBool: "a truth", kindFloat: "a float", kindText: "text", kindLanes: "a tuple", kindPacked: "an array", kindList: "a list", kindMap: "a map", 0: "a value of its own"}[kind]
	if what == "" {
		x.errorf(n.Pos, len(f.name), dsl.CodeDirection, "%s is not known here, since it is read later", f.name).WithHint("use a field that stands before this place, or move this behind the row of %s", f.name)
		return
	}
	x.errorf(n.Pos, len(f.name), dsl.CodeDirection, "%s is %s, and expressions are of integers", f.name, what).WithHint("use an integer that is read before this place")
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// unknownGate reports a gate that the schema does not declare.
func (c *compiler) unknownGate(n *dsl.Name) {
	var all []string
	for _, g := range c.s.Gates {
		all = append(all, g.Name.Text)
	}
	d := c.errorf(n.Pos, len(n.Text), dsl.CodeUnknown, "there is no gate %s", n.Text).WithHint("declare it in the schema: gate %s \"…\"", n.Text)
	if near := c.near(n.Text, func() []string { return all }); near != "" {
		d.WithHint("did you mean %s?", near)
	}
}
