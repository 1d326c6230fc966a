// Package script generates modules in scripting languages. It walks a model once for all of
// them and asks each one for its spellings.
//
// A [Language] is a table. Statements, conditions and expressions that differ in nothing but
// their spelling are formats in it; declarations, such as classes, unions and helpers, are
// rows of a file of templates. A row begins with a line of three # and its name:
//
//	### function
//	def {{.Name}}({{.Params}}) -> {{.Result}}:
//	{{doc "    " .Doc}}
//	{{lines .Body}}
//
// A directive alone on its line does not become a line. The rows "module" and "runtime" are the
// declarations of the two files, and "header" is what both begin with; the other rows are class, union,
// function, switch (reads an arm by its number), names (of arms that fields hold), lookup (in maps), and
// those that begin with helper, which belong to the runtime. Declarations and methods that the exported ones
// do not need are left out ([Grammar]).
//
// A [Printer] prints what no format can express: numbers of several kinds, objects, arrays,
// and the choice of an arm by the type of a value.
//
// The walk decides everything else: the order of declarations, the names of types and
// functions, the variables of a function ([Record]) and whether they are set once, the
// statements in both directions, the tests of a writer, padding, regions, substitutions and
// keys of maps. It expects a runtime in the language with two classes, whose variables are r
// and w, and whose methods have the same names and arguments in every language.
//
// Two names of variables have a number: c3 is the cell of field 3, and r3 is register 3.
// t3 holds the bytes of the text in cell 3. A parameter that a function does not use begins
// with an underscore.
package script
