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
		Name: "schema/code-order", File: "dsl/scan.go",
		Old:    "n |= uint64(letters[i]) << (8 * i)",
		New:    "n = n<<8 | uint64(letters[i])",
		Effect: "The letters of a code4 number are in the reverse order.",
	},
	{
		Name: "schema/forms-total", File: "dsl/schema/forms.go",
		Old:    "if len(ids) > 0 && (!known || len(numbers.Without(ids)) > 0) {",
		New:    "if len(ids) > 0 && !known {",
		Effect: "The last of several forms is read for a number that no form has.",
	},
	{
		Name: "schema/forms-number", File: "dsl/schema/formnumber.go",
		Old:    "if step := next - last; step != 1 {",
		New:    "if step := next - last; step > 1 {",
		Effect: "A writer computes the number of a form wrong if its number is less than that of the form before it.",
	},
	{
		Name: "schema/forms-wide", File: "dsl/schema/forms.go",
		Old:    "row.Wide = row.Type.width() > narrowest",
		New:    "row.Wide = row.Type.width() >= narrowest",
		Effect: "The narrow form of a number is remembered as wide, so a writer that keeps widths writes the wide one.",
	},
	{
		Name: "schema/forms-computed", File: "dsl/schema/formnumber.go",
		Old:    "x = &Expr{Op: builtin.Not, Pos: pos, Args: []*Expr{n.among(n.Rows[k].held())}}",
		New:    "x = &Expr{Op: builtin.Not, Pos: pos, Args: []*Expr{n.among(n.Rows[k+1].held())}}",
		Effect: "A writer chooses a form that does not hold the number that it computes.",
	},
	{
		Name: "schema/forms-shortest", File: "dsl/schema/formnumber.go",
		Old:    "holds := n.among(before)\n",
		New:    "holds := n.among(n.Rows[0].held())\n",
		Effect: "A reader takes a number in the third of three forms although the second one holds it.",
	},
	{
		Name: "schema/forms-inline", File: "dsl/schema/formnumber.go",
		Old:    "x := binary(builtin.Mul, n.among(held.Without(before)), row.numberOf(n, pos, last.base()))",
		New:    "x := binary(builtin.Mul, n.among(held), row.numberOf(n, pos, last.base()))",
		Effect: "A writer adds the numbers of two forms that hold the same value.",
	},
	{
		Name: "schema/forms-arm", File: "dsl/schema/terms.go",
		Old:    "return to.Fit(Computed(a.Form, to), a.Union.N)",
		New:    "return to.Num(int64(a.ID))",
		Effect: "A writer gives an arm of several numbers the lowest one in every form of its row.",
	},
	{
		Name: "schema/alone-twice", File: "dsl/schema/record.go",
		Old:    "f.Alone = f.Alone && (i == j || g.Optional && f.Kind != g.Kind)",
		New:    "f.Alone = f.Alone && (i == j || g.Optional)",
		Effect: "Two fields of one kind may both represent their record, so one is written in place of the other.",
	},
	{
		Name: "schema/branch-absent", File: "dsl/schema/record.go",
		Old:    "for k, other := range [][]Node{n.Else, n.Then} {",
		New:    "for k, other := range [][]Node{n.Then, n.Else} {",
		Effect: "The fields of a branch may not be absent after the other branch.",
	},
	{
		Name: "schema/branch-both", File: "dsl/schema/record.go",
		Old:    "if !has([][]Node{n.Then, n.Else}[k], f) && !slices.Contains",
		New:    "if !slices.Contains",
		Effect: "A list that both branches have is absent after each of them.",
	},
	{
		Name: "schema/layout-conditional", File: "dsl/schema/layout.go",
		Old:    "if _, fixed := l.p.rowSize(rows[0]); fixed || rows[0].Length.Named() {",
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
		Name: "schema/layout-constant-list", File: "dsl/schema/size.go",
		Old:    "return each.times(n), constant",
		New:    "return each, constant",
		Effect: "A record with a list of a constant count has the size of one element.",
	},
	{
		Name: "schema/layout-element", File: "dsl/schema/layout.go",
		Old:    "first = cursor{at.at.Plus(Letter(\"i\"), each.bytes), true}",
		New:    "first = cursor{Letter(\"i\").Plus(at.at, each.bytes), true}",
		Effect: "The offset of element i of a list is the offset of the list times the size of an element, plus i.",
	},
	{
		Name: "schema/layout-width", File: "dsl/schema/size.go",
		Old:    "one = one.times(int64(max(t.Width, 1)))",
		New:    "one = fixedSize{1, 1, 0}.times(int64(max(t.Width, 1)))",
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
		Old:    "taken |= m\n\t\ts.storeBits(",
		New:    "taken = m\n\t\ts.storeBits(",
		Effect: "Bits that overlap a field other than the one before are accepted.",
	},
	{
		Name: "schema/bits-rest", File: "dsl/schema/union.go",
		Old:    "row.Rest = true",
		New:    "row.Rest = false",
		Effect: "A reader refuses bits that the schema ignores.",
	},
	{
		Name: "schema/claim-shift", File: "dsl/schema/union.go",
		Old:    "taken = uint64(Mask(u.N)) << u.Lo",
		New:    "taken = uint64(Mask(u.N))",
		Effect: "The bits that select an arm are taken to be the lowest ones of the word.",
	},
	{
		Name: "schema/arm-range", File: "dsl/schema/union.go",
		Old:    "a.IDs[len(a.IDs)-1].Hi >= 1<<u.N:",
		New:    "a.IDs[len(a.IDs)-1].Hi > 1<<u.N:",
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
		Old:    "t.Narrow, t.Wide = t.Option.Choices[0].Scalar, t.Option.Choices[1].Scalar",
		New:    "t.Wide, t.Narrow = t.Option.Choices[0].Scalar, t.Option.Choices[1].Scalar",
		Effect: "The bit that selects between the forms of the option selects the other form.",
	},
	{
		Name: "schema/tuple-mixed", File: "dsl/schema/list.go",
		Old:    "if scalar, _ := s.scalar(name); !scalar.Valid() || coding(name) != builtin.Fixed || t.Type != nil && t.Type.Name != name {",
		New:    "if scalar, _ := s.scalar(name); !scalar.Valid() || coding(name) != builtin.Fixed {",
		Effect: "Numbers of different scalars become a tuple of the first one.",
	},
	{
		Name: "schema/text-nul", File: "dsl/schema/bind.go",
		Old:    "\"counted\": NULCounted",
		New:    "\"counted\": NULStop",
		Effect: "A writer does not add the zero byte that the encoding counts.",
	},
	{
		Name: "schema/keep-read", File: "dsl/schema/written.go",
		Old:    "kept := binary(builtin.Either,",
		New:    "kept := binary(builtin.Both,",
		Effect: "A writer that keeps widths writes the narrow form of a number that was read in its wide form.",
	},
	{
		Name: "schema/keep-narrow", File: "dsl/schema/written.go",
		Old:    "if narrow.Type.width() > wide.Type.width() {",
		New:    "if narrow.Type.width() < wide.Type.width() {",
		Effect: "A writer never keeps the width of a number whose form a computed flag selects.",
	},
	{
		Name: "schema/inverse-more", File: "dsl/schema/try.go",
		Old:    "if !t.wrong && got != length {",
		New:    "if !t.wrong && got > length {",
		Effect: "A size that gives less than what was written is accepted.",
	},
	{
		Name: "schema/inverse-region", File: "dsl/schema/derive.go",
		Old:    "if out.given {",
		New:    "if out.given && out.derived {",
		Effect: "A writer does not compare a stored size of a region with the bytes of its row.",
	},
	{
		Name: "schema/ways-forms", File: "dsl/schema/derive.go",
		Old:    "at = at.and(r.When, false)",
		New:    "at = at.and(r.When, true)",
		Effect: "A form is taken to be there if the forms before it are, too.",
	},
	{
		Name: "schema/trial-bits", File: "dsl/schema/try.go",
		Old:    "word += e.field(b.Field, true) << b.Lo",
		New:    "word += e.field(b.Field, true)",
		Effect: "The proof of a size takes the bits of a word to be all at its bottom.",
	},
	{
		Name: "schema/extend-order", File: "dsl/schema/merge.go",
		Old:    "return slices.Concat(first, m.items, next)",
		New:    "return slices.Concat(first, next, m.items)",
		Effect: "New rows of a block that extends a record come before its rows instead of after them.",
	},
	{
		Name: "schema/renumber-wrong", File: "dsl/schema/change.go",
		Old:    "\t\t\tb.IDs, b.Code, b.hex = builtin.Ranges{builtin.One(id)}, \"\", isHex(line.ID)\n",
		New:    "\t\t\tif b.Code != \"\" {\n\t\t\t\tb.IDs, b.Code, b.hex = builtin.Ranges{builtin.One(id)}, \"\", isHex(line.ID)\n\t\t\t}\n",
		Effect: "An arm with a number keeps it, although a later schema renumbers it.",
	},
	{
		Name: "schema/drop-first", File: "dsl/schema/change.go",
		Old:    "t.Union.Arms = remove(t.Union.Arms, t.Arm)",
		New:    "t.Union.Arms = remove(t.Union.Arms, t.Union.Arms[0])",
		Effect: "The first arm of a union is dropped in place of the one that is named.",
	},
	{
		Name: "schema/spare-behind", File: "dsl/schema/spare.go",
		Old:    "&Check{binary(builtin.Le, total(parts[1:]), most),",
		New:    "&Check{binary(builtin.Ge, most, most),",
		Effect: "A writer writes rows that a reader takes for elements of a list that ends when few bytes are left.",
		Missed: "Values are drawn again until a reader finds all elements; the tests of the writer notice it.",
	},
	{
		Name: "schema/spare-last", File: "dsl/schema/spare.go",
		Old:    "binary(builtin.Gt, total(parts), most)",
		New:    "binary(builtin.Ge, total(parts), most)",
		Effect: "A writer writes a last element before which a reader ends the list.",
		Missed: "Values are drawn again until a reader finds all elements; the tests of the writer notice it.",
	},
}
