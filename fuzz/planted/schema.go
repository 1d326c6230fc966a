// Mistakes in dsl/schema: names, folding, forms, layout, proofs, history.
//
// The reference and the interpreter read the same resolved schema, so these are found by
// other laws: a schema that is well-formed by construction resolves, what is drawn into
// it is in the resolved tree, and what is written is read back.

package main

var schemaMistakes = []Mistake{
	{
		Name: "schema/sum-operand", File: "dsl/schema/fold.go",
		Old:    "\tx.Args = append(x.Args, fold(a))\n",
		New:    "\tx.Args = append(x.Args, fold(a))\n\t\tif e.Op == \"+\" && x.Args[0].Op == builtin.Add {\n\t\t\tx.Args[0] = x.Args[0].Args[0]\n\t\t}\n",
		Effect: "A sum of three operands loses the middle one.",
	},
	{
		Name: "schema/sum-order", File: "dsl/schema/fold.go",
		Old:    "\tx.Args = append(x.Args, fold(a))\n",
		New:    "\tx.Args = append([]*Expr{fold(a)}, x.Args...)\n",
		Effect: "The operands of an operator are swapped.",
	},
	{
		Name: "schema/and-as-or", File: "dsl/schema/fold.go",
		Old:    "x.Op, _ = builtin.OperatorNamed(e.Op)\n",
		New:    "x.Op, _ = builtin.OperatorNamed(e.Op)\n\t\tif x.Op == builtin.Both {\n\t\t\tx.Op = builtin.Either\n\t\t}\n",
		Effect: "A condition made with && holds if one of its parts does.",
	},
	{
		Name: "schema/equal-numbers", File: "dsl/schema/fold.go",
		Old:    "if x.Op != y.Op || x.Num != y.Num || x.Field",
		New:    "if x.Op != y.Op || x.Field",
		Effect: "Conditions that compare a field with different numbers are taken for one condition.",
	},
	{
		Name: "schema/opposite-first", File: "dsl/schema/fold.go",
		Old:    "if x.Op == builtin.Not {\n\t\tx, y = y, x\n\t}",
		New:    "if x.Op == builtin.Not && y.Op == builtin.Not {\n\t\tx, y = y, x\n\t}",
		Effect: "Forms under !c and c, in this order, are not known to be complete.",
	},
	{
		Name: "schema/code-order", File: "dsl/schema/source.go",
		Old:    "id |= uint64(code[i]) << (8 * i)",
		New:    "id = id<<8 | uint64(code[i])",
		Effect: "The letters of a code4 number are in the reverse order.",
	},
	{
		Name: "schema/constant-order", File: "dsl/schema/constant.go",
		Old:    "num, ok := x.Op.Apply(n[0], n[1])",
		New:    "num, ok := x.Op.Apply(n[1], n[0])",
		Effect: "The operands of an operator in a constant are swapped.",
	},
	{
		Name: "schema/forms-total", File: "dsl/schema/forms.go",
		Old:    "forms.Total = last > 0 && forms.Rows[last-1].When.opposite(forms.Rows[last].When)",
		New:    "forms.Total = last > 0",
		Effect: "The last of several forms is read whenever no other is, whether or not its condition holds.",
	},
	{
		Name: "schema/forms-absent", File: "dsl/schema/forms.go",
		Old:    "if !slices.Contains(here, f) && !slices.Contains(out, f) {",
		New:    "if !slices.Contains(out, f) {",
		Effect: "The bits that a form has are absent after it is read.",
	},
	{
		Name: "schema/forms-wide", File: "dsl/schema/forms.go",
		Old:    "row.Wide = row.Type.width() > narrowest",
		New:    "row.Wide = row.Type.width() >= narrowest",
		Effect: "The narrow form of a number is remembered as wide, so a writer that keeps widths writes the wide one.",
	},
	{
		Name: "schema/forms-kind", File: "dsl/schema/row.go",
		Old:    "if f.Kind != kind {\n\t\t\tf.Kind = builtin.None\n\t\t}",
		New:    "if f.Kind == builtin.None {\n\t\t\tf.Kind = kind\n\t\t}",
		Effect: "A field whose forms have different kinds keeps the kind of the first.",
	},
	{
		Name: "schema/alone-twice", File: "dsl/schema/record.go",
		Old:    "f.Alone = f.Alone && (i == j || f.Kind != g.Kind)",
		New:    "f.Alone = f.Alone && (i == j || f != g)",
		Effect: "Two fields of one kind may both represent their record, so one is written in place of the other.",
	},
	{
		Name: "schema/branch-absent", File: "dsl/schema/record.go",
		Old:    "for k, other := range [][]Node{n.Else, n.Then} {",
		New:    "for k, other := range [][]Node{n.Then, n.Else} {",
		Effect: "The fields of a branch are absent after the branch itself.",
	},
	{
		Name: "schema/branch-else", File: "dsl/schema/record.go",
		Old:    "n.Then, n.Else = s.body(i.If.Then), s.body(i.If.Else)",
		New:    "n.Else, n.Then = s.body(i.If.Else), s.body(i.If.Then)",
		Effect: "The fields of else are stored before those of the branch above it.",
	},
	{
		Name: "schema/layout-conditional", File: "dsl/schema/layout.go",
		Old:    "if _, fixed := l.p.rowSize(rows[0]); fixed {",
		New:    "if _, fixed := l.p.rowSize(rows[0]); !fixed {",
		Effect: "The offset after a conditional row counts the row as if it were always there.",
	},
	{
		Name: "schema/layout-branch", File: "dsl/schema/layout.go",
		Old:    "if !then.known || !other.known || !then.at.Equal(other.at) {",
		New:    "if !then.known || !other.known || then.at.Equal(other.at) {",
		Effect: "The place after branches of equal length is unknown, and that after others is known.",
	},
	{
		Name: "schema/layout-element", File: "dsl/schema/layout.go",
		Old:    "at = cursor{at.at.Plus(Letter(\"i\"), size), true}",
		New:    "at = cursor{Letter(\"i\").Plus(at.at, size), true}",
		Effect: "The offset of element i of a list is the offset of the list times the size of an element, plus i.",
	},
	{
		Name: "schema/layout-width", File: "dsl/schema/size.go",
		Old:    "one *= int64(max(t.Width, 1))",
		New:    "one = int64(max(t.Width, 1))",
		Effect: "The length of an array counts elements instead of bytes.",
	},
	{
		Name: "schema/linear-times", File: "dsl/schema/linear.go",
		Old:    "return LinearOf[V]{}.Plus(a, b.Num), true",
		New:    "return LinearOf[V]{}.Plus(a, 1), true",
		Effect: "A letter times a number is the letter.",
	},
	{
		Name: "schema/least-branch", File: "dsl/schema/size.go",
		Old:    "least = min(p.fewest(n.Then), p.fewest(n.Else))",
		New:    "least = max(p.fewest(n.Then), p.fewest(n.Else))",
		Effect: "The fewest bytes of a record with branches are those of the longer branch.",
	},
	{
		Name: "schema/size-of-union", File: "dsl/schema/progress.go",
		Old:    "return sum(head, least)",
		New:    "return max(head, least)",
		Effect: "The fewest bytes of a union are those of its word or of its shortest arm.",
	},
	{
		Name: "schema/bits-count", File: "dsl/schema/union.go",
		Old:    "return int(a), int(z-a) + 1",
		New:    "return int(a), max(1, int(z-a))",
		Effect: "A field of several bits has one bit less.",
	},
	{
		Name: "schema/bits-overlap", File: "dsl/schema/union.go",
		Old:    "taken |= m\n\t\tif bf.Value == nil",
		New:    "taken = m\n\t\tif bf.Value == nil",
		Effect: "Bits that overlap a field other than the one before are accepted.",
	},
	{
		Name: "schema/bits-rest", File: "dsl/schema/union.go",
		Old:    "row.Closed, row.RestAt = false, bf.Pos",
		New:    "row.RestAt = bf.Pos",
		Effect: "A reader refuses bits that the schema ignores, and ignores those that must be zero.",
	},
	{
		Name: "schema/claim-shift", File: "dsl/schema/union.go",
		Old:    "taken := uint64(Mask(u.N)) << u.Lo",
		New:    "taken := uint64(Mask(u.N))",
		Effect: "The bits that select an arm are taken to be the lowest ones of the word.",
	},
	{
		Name: "schema/arm-range", File: "dsl/schema/union.go",
		Old:    "if u.N < 64 && !a.Else && a.ID >= 1<<u.N {",
		New:    "if u.N < 64 && !a.Else && a.ID > 1<<u.N {",
		Effect: "An arm whose number is one too large for the bits that select it is accepted.",
	},
	{
		Name: "schema/kind-signed", File: "dsl/schema/type.go",
		Old:    "case scalar.Signed():\n\t\treturn builtin.Int",
		New:    "case scalar.Signed():\n\t\treturn builtin.Uint",
		Effect: "A signed number has the kind of an unsigned one, so it cannot represent its record.",
	},
	{
		Name: "schema/precision-swap", File: "dsl/schema/type.go",
		Old:    "t.Narrow, t.Wide = s.s.Axis.Choices[0].Scalar, s.s.Axis.Choices[1].Scalar",
		New:    "t.Wide, t.Narrow = s.s.Axis.Choices[0].Scalar, s.s.Axis.Choices[1].Scalar",
		Effect: "The bit that selects between the forms of the axis selects the other form.",
	},
	{
		Name: "schema/tuple-mixed", File: "dsl/schema/list.go",
		Old:    "if scalar, _ := s.scalar(name); !scalar.Valid() || t.Type != nil && t.Type.Name != name {",
		New:    "if scalar, _ := s.scalar(name); !scalar.Valid() {",
		Effect: "Numbers of different scalars become a tuple of the first one.",
	},
	{
		Name: "schema/text-nul", File: "dsl/schema/bind.go",
		Old:    "\"counted\": NULCounted",
		New:    "\"counted\": NULStop",
		Effect: "A writer does not add the zero byte that the encoding counts.",
	},
	{
		Name: "schema/write-ignored", File: "dsl/schema/written.go",
		Old:    "if write != nil {\n\t\tvalue = write\n\t}",
		New:    "if write != nil && value != nil {\n\t\tvalue = write\n\t}",
		Effect: "A writer puts back the number that was read, although the schema says which one it writes.",
	},
	{
		Name: "schema/kept-derived", File: "dsl/schema/limit.go",
		Old:    "return f.Index < 0 || !r.Type.Scalar.IsFloat() && (f.Used || f.Derive != nil)",
		New:    "return f.Index < 0 || !r.Type.Scalar.IsFloat() && f.Used",
		Effect: "A stored number that a writer replaces is written unchanged.",
	},
	{
		Name: "schema/keep-narrow", File: "dsl/schema/written.go",
		Old:    "condition, narrow = condition.Args[0], second",
		New:    "condition = condition.Args[0]",
		Effect: "A writer that keeps widths asks whether the wide form can hold the number, if the narrow form is the second.",
	},
	{
		Name: "schema/inverse-more", File: "dsl/schema/try.go",
		Old:    "if !t.wrong && got != plus+n {",
		New:    "if !t.wrong && got > plus+n {",
		Effect: "A size that gives less than what was written is accepted.",
	},
	{
		Name: "schema/inverse-region", File: "dsl/schema/derive.go",
		Old:    "fixed += size\n\t\t\t} else {",
		New:    "fixed = size\n\t\t\t} else {",
		Effect: "The size of a region counts the last of its fixed rows only.",
	},
	{
		Name: "schema/ways-forms", File: "dsl/schema/derive.go",
		Old:    "at = at.and(r.When, false)",
		New:    "at = at.and(r.When, true)",
		Effect: "A form is taken to be there if the forms before it are, too.",
	},
	{
		Name: "schema/trial-bits", File: "dsl/schema/try.go",
		Old:    "word += e.field(b.Field, true, depth) << b.Lo",
		New:    "word += e.field(b.Field, true, depth)",
		Effect: "The proof of a size takes the bits of a word to be all at its bottom.",
	},
	{
		Name: "schema/extend-order", File: "dsl/schema/change.go",
		Old:    "b.Items = append(append([]*dsl.Item(nil), c.Extend.Items...), a.Items...)",
		New:    "b.Items = append(append([]*dsl.Item(nil), a.Items...), c.Extend.Items...)",
		Effect: "What extends an arm comes after its rows instead of before them.",
	},
	{
		Name: "schema/renumber-wrong", File: "dsl/schema/change.go",
		Old:    "b := *a\n\t\t\t\tb.ID = id\n\t\t\t\tu.put(&b)",
		New:    "b := *a\n\t\t\t\tif b.Code != \"\" {\n\t\t\t\t\tb.ID = id\n\t\t\t\t}\n\t\t\t\tu.put(&b)",
		Effect: "An arm with a number keeps it, although a later schema renumbers it.",
	},
	{
		Name: "schema/remove-next", File: "dsl/schema/change.go",
		Old:    "u.Arms = append(u.Arms[:i:i], u.Arms[i+1:]...)",
		New:    "u.Arms = append(u.Arms[:i:i], u.Arms[min(i+2, len(u.Arms)):]...)",
		Effect: "The arm after a removed one is removed, too.",
	},
}
