// Mistakes in compile, and in the steps of dsl/schema that it lowers.

package main

var compileMistakes = []Mistake{
	{
		Name: "compile/register", File: "dsl/schema/steps.go",
		Old:    "to.Either(rows[0].When, rule, func() { steps(rows[0]) }, func()",
		New:    "to.Either(rows[0].When, rule, func() {\n\t\t\tif steps(rows[0]); rows[0].Kept() {\n\t\t\t\tto.Let(rows[0].Field, &Expr{Op: builtin.Num}, rule)\n\t\t\t}\n\t\t}, func()",
		Effect: "An expression after the forms of a field sees the last form only; the others are 0.",
	},
	{
		Name: "compile/forms-none", File: "dsl/schema/steps.go",
		Old:    "for _, f := range n.Absent() {\n\t\t\tpos,",
		New:    "for _, f := range n.Absent()[:0] {\n\t\t\tpos,",
		Effect: "A writer accepts a value for a field that is not there, and drops it.",
	},
	{
		Name: "compile/forms-implied", File: "dsl/schema/steps.go",
		Old:    "case len(rows) == 1 && n.Total:",
		New:    "case len(rows) == 1:",
		Effect: "The last form of a field is read although its condition does not hold.",
	},
	{
		Name: "compile/size-form", File: "dsl/schema/steps.go",
		Old:    "func(word *Row) { to.Patch(f, word, rule) }",
		New:    "func(*Row) { to.Patch(f, n.Rows[0], rule) }",
		Effect: "A writer puts a size into the first of several forms, whichever is there.",
	},
	{
		Name: "compile/branch-absent", File: "dsl/schema/steps.go",
		Old:    "buildBranch(n.Else, n.Absent[1], n.Pos, to)",
		New:    "buildBranch(n.Else, n.Absent[0], n.Pos, to)",
		Effect: "The fields of else are absent after they are read.",
	},
	{
		Name: "compile/region-padding", File: "dsl/schema/steps.go",
		Old:    "padded(pad, false, rule, to, steps)",
		New:    "padded(pad, true, rule, to, steps)",
		Effect: "A writer computes the padding of a region from the last of its parts.",
	},
	{
		Name: "compile/number-padding", File: "dsl/schema/steps.go",
		Old:    "bounded(f, row, row.Pad, row.Words == nil && row.Type.sized(), rule, to, content)",
		New:    "bounded(f, row, row.Pad, !row.Type.InPlace, rule, to, content)",
		Effect: "The padding of a number is computed from the row before it.",
	},
	{
		Name: "compile/take-sign", File: "dsl/schema/steps.go",
		Old:    "case t.Scalar.Signed():\n\t\tto.Take",
		New:    "case t.Scalar.Signed() && t.Scalar.Width() < 8:\n\t\tto.Take",
		Effect: "An i64 that an expression uses is kept as an unsigned number.",
	},
	{
		Name: "compile/truth-nonzero", File: "compile/row.go",
		Old:    "if row.Nonzero {",
		New:    "if row.Nonzero && row.Any {",
		Effect: "A truth that may have any nonzero number is refused unless it is 0 or 1.",
	},
	{
		Name: "compile/must-offset", File: "compile/program.go",
		Old:    "case bytecode.Let, bytecode.Take, bytecode.Check, bytecode.ArmRef,",
		New:    "case bytecode.Let, bytecode.Check, bytecode.ArmRef,",
		Effect: "The error of a condition after stored bits is at the byte after their word.",
	},
	{
		Name: "compile/pad-exact", File: "compile/row.go",
		Old:    "if p.Exact {\n\t\tflags |= bytecode.PadExact",
		New:    "if p.Exact && p.To > 4 {\n\t\tflags |= bytecode.PadExact",
		Effect: "Exact padding with zeros may have any bytes.",
	},
	{
		Name: "compile/selector-shift", File: "compile/union.go",
		Old:    "selector = apply(builtin.And, shifted, bytecode.Num(schema.Mask(u.N)))",
		New:    "selector = apply(builtin.And, shifted, bytecode.Num(schema.Mask(u.N)<<u.Lo))",
		Effect: "The number of an arm is masked as if it were not shifted yet.",
	},
	{
		Name: "compile/header-shift", File: "dsl/schema/terms.go",
		Old:    "a.FixedID()<<a.Union.Lo",
		New:    "a.FixedID()",
		Effect: "A writer puts the number of an arm into the lowest bits of the word.",
	},
	{
		Name: "compile/header-free", File: "dsl/schema/steps.go",
		Old:    "free := unused(u.Word, a.Bits) &^ (uint64(Mask(u.N)) << u.Lo)",
		New:    "free := unused(u.Word, a.Bits) &^ uint64(Mask(u.N))",
		Effect: "A reader refuses the bits that select an arm.",
	},
	{
		Name: "compile/signed-half", File: "dsl/schema/terms.go",
		Old:    "half := int64(1) << (bits - 1)",
		New:    "half := int64(1)<<(bits-1) - 1",
		Effect: "A signed word of bits is written as another number.",
	},
	{
		Name: "compile/bit-one", File: "dsl/schema/terms.go",
		Old:    "if bit.Lo > 0 {",
		New:    "if bit.Lo > 1 {",
		Effect: "A writer puts a field that begins at bit 1 at bit 0.",
	},
	{
		Name: "compile/bit-fit", File: "dsl/schema/terms.go",
		Old:    "x = to.Fit(x, bit.N)",
		New:    "x = to.Fit(x, bit.N+bit.Lo)",
		Effect: "A number that does not fit its bits changes the bits above.",
	},
	{
		Name: "compile/bit-fit-signed", File: "dsl/schema/terms.go",
		Old:    "to.Fit(to.Apply(builtin.Add, x, to.Num(half)), bit.N)",
		New:    "to.Fit(to.Apply(builtin.Add, x, to.Num(half)), bit.N+1)",
		Effect: "A number that does not fit its signed bits changes the bit above.",
	},
	{
		Name: "compile/bit-sign", File: "dsl/schema/steps.go",
		Old:    "if half := b.half(); half != 0 {",
		New:    "if half := b.half(); half != 0 && b.Lo == 0 {",
		Effect: "A reader takes signed bits for unsigned ones if they do not begin at bit 0.",
	},
	{
		Name: "compile/bits-free", File: "dsl/schema/steps.go",
		Old:    "if free := unused(row, row.Bits); free != 0 && !row.Rest {",
		New:    "if free := unused(row, row.Bits); free != 0 {",
		Effect: "A reader refuses bits that the schema ignores.",
	},
	{
		Name: "compile/fold-order", File: "compile/expr.go",
		Old:    "result, _ := op.Apply(n[0], n[1])",
		New:    "result, _ := op.Apply(n[1], n[0])",
		Effect: "The operands of an operator on two numbers are swapped.",
	},
	{
		Name: "compile/arguments", File: "compile/row.go",
		Old:    "list = append(list, b.expr(a))",
		New:    "list = append([]uint32{b.expr(a)}, list...)",
		Effect: "Arguments are given in the reverse order.",
	},
	{
		Name: "compile/select-precision", File: "compile/row.go",
		Old:    "func() { emit(ordered(t, t.Wide) | bytecode.FlagWide) },\n\t\tfunc() { emit(ordered(t, t.Narrow) | flag) })",
		New:    "func() { emit(ordered(t, t.Narrow) | bytecode.FlagWide) },\n\t\tfunc() { emit(ordered(t, t.Wide) | flag) })",
		Effect: "The selected form of the option is the other one.",
	},
	{
		Name: "compile/patch-padding", File: "dsl/schema/steps.go",
		Old:    "measured(f, rule, to, func() { padded(pad, sized, rule, to, content) })",
		New:    "padded(pad, sized, rule, to, func() { measured(f, rule, to, content) })",
		Effect: "The size of a row does not count its padding.",
	},
	{
		Name: "compile/keep-outside", File: "dsl/schema/written.go",
		Old:    "kept := binary(builtin.Either,\n\t\t&Expr{Op: builtin.Wide, Pos: n.Pos, Field: n.Field},\n\t\t&Expr{Op: builtin.Outside, Pos: n.Pos, Field: n.Field, Scalar: narrow})",
		New:    "kept := &Expr{Op: builtin.Wide, Pos: n.Pos, Field: n.Field}",
		Effect: "A writer that keeps widths refuses a number that only the wide form can hold.",
	},
	{
		Name: "compile/write-condition", File: "compile/union.go",
		Old:    "if w.When != nil {",
		New:    "if w.When != nil && !w.Absent {",
		Effect: "A value that is written as nothing under a condition is always written as nothing.",
	},
	{
		Name: "compile/spare-left", File: "compile/row.go",
		Old:    "range n.Demands(true) {",
		New:    "range n.Demands(false) {",
		Effect: "The bytes behind a record do not count for the list in it that ends when few bytes are left.",
	},
}
