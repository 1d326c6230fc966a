// Mistakes in dsl/builtin, the operations on numbers, and in compile/bytecode: plain forms,
// sizes, files.

package main

var bytecodeMistakes = []Mistake{
	{
		Name: "builtin/shift-right", File: "dsl/builtin/apply.go",
		Old:    "return int64(uint64(a) >> (uint64(b) & 63)), true",
		New:    "return a >> (uint64(b) & 63), true",
		Effect: "A negative number is shifted to the right with its sign.",
	},
	{
		Name: "builtin/shift-left", File: "dsl/builtin/apply.go",
		Old:    "return a << (uint64(b) & 63), true",
		New:    "return a << uint64(b), true",
		Effect: "A shift by 64 or more gives 0.",
	},
	{
		Name: "builtin/less-unsigned", File: "dsl/builtin/apply.go",
		Old:    "return truth(a < b)",
		New:    "return truth(uint64(a) < uint64(b))",
		Effect: "A negative number is not less than a positive one.",
	},
	{
		Name: "builtin/greater-equal", File: "dsl/builtin/apply.go",
		Old:    "return truth(a >= b)",
		New:    "return truth(a > b)",
		Effect: "Equal numbers do not meet >=.",
	},
	{
		Name: "builtin/both-bits", File: "dsl/builtin/apply.go",
		Old:    "return truth(a != 0 && b != 0)",
		New:    "return truth(a&b != 0)",
		Effect: "Two numbers without a common bit do not meet &&.",
	},
	{
		Name: "builtin/modulo-zero", File: "dsl/builtin/apply.go",
		Old:    "if b == 0 {\n\t\t\treturn 0, true\n\t\t}\n\t\treturn a % b, true",
		New:    "if b == 0 {\n\t\t\treturn a, true\n\t\t}\n\t\treturn a % b, true",
		Effect: "The remainder of a division by 0 is the dividend.",
	},
	{
		Name: "bytecode/plain-outer-word", File: "compile/bytecode/plain.go",
		Old:    "b.known, b.words = append([]Known(nil), saved.known...), nil",
		New:    "b.known, b.words = append([]Known(nil), saved.known...), append([]Bits(nil), saved.words...)",
		Effect: "A plan takes a count inside a branch from a place of the branch, not from the word before it.",
	},
	{
		Name: "bytecode/plain-always", File: "compile/bytecode/plain.go",
		Old:    "b.used.add(in.A)\n\t\tb.form.Fixed = false",
		New:    "b.used.add(in.A)\n\t\tb.always.add(in.A)",
		Effect: "A plan does not clear a cell that a branch leaves empty, which keeps the value of an earlier read.",
	},
	{
		Name: "bytecode/plain-take", File: "compile/bytecode/plain.go",
		Old:    "} else {\n\t\t\tb.form.needs.add(in.B)\n\t\t}",
		New:    "}",
		Effect: "A plan does not keep a register that a cell is taken from.",
	},
	{
		Name: "bytecode/plain-fit", File: "compile/bytecode/plain_number.go",
		Old:    "h.Max = min(h.Max, 1<<uint(e.Arg)-1)",
		New:    "h.Max = min(h.Max, 1<<uint(e.Arg))",
		Effect: "A plan writes a count that is one too large for its bits.",
	},
	{
		Name: "bytecode/plain-add", File: "compile/bytecode/plain_number.go",
		Old:    "h.Add += uint64(n)\n\t\t\treturn h",
		New:    "return h",
		Effect: "A plan writes a count without the number that the schema adds to it.",
	},
	{
		Name: "bytecode/plain-call", File: "compile/bytecode/plain.go",
		Old:    "case Call:\n\t\ts.open = false",
		New:    "case Call:",
		Effect: "A plan places the fields after a record before it.",
	},
	{
		Name: "bytecode/plain-lets", File: "compile/bytecode/plain.go",
		Old:    "if f.needs.has(x.A) {",
		New:    "if f.needs.has(x.A) && x.From == nil {",
		Effect: "A plan does not keep the word of bits that an expression needs.",
	},
	{
		Name: "bytecode/sizes-branch", File: "compile/bytecode/sizes.go",
		Old:    "least = min(least, p.fewest(inner, refused))",
		New:    "least = p.fewest(inner, refused)",
		Effect: "The fewest bytes of an element are those of its last branch or arm, so short lists are refused.",
	},
	{
		Name: "bytecode/sizes-tuple", File: "compile/bytecode/sizes.go",
		Old:    "return mulSize(n, uint64(in.Scalar().Width())*uint64(in.B))",
		New:    "return mulSize(n, uint64(in.Scalar().Width()))",
		Effect: "The fewest bytes of an array of tuples count one number of each.",
	},
	{
		Name: "bytecode/file-flag", File: "compile/bytecode/file.go",
		Old:    "s.num(flag(e.DropBOM))",
		New:    "s.num(flag(e.DropBOM && e.Charset == builtin.UTF8Strict))",
		Effect: "A saved program keeps byte order marks that the original drops.",
	},
	{
		Name: "bytecode/find-arm", File: "compile/bytecode/program.go",
		Old:    "if hi > 0 && t.Arms[hi-1].Else {",
		New:    "if hi > 1 && t.Arms[hi-1].Else {",
		Effect: "The else arm of a union without other arms is found only under its own number.",
	},
}
