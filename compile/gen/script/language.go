// Languages: the spellings that the walk asks for.

package script

import (
	"embed"
	"text/template"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// Language holds the spellings of a language. A format is one of package fmt; its comment
// names the operands.
type Language struct {
	Target string   // the output, in errors
	Files  embed.FS // the table of declarations, language.tmpl, and the runtime, in the folder runtime
	Suffix string   // of the files of the runtime
	Mark   string   // begins the lines of the runtime that begin and end sections
	New    func(g *Module) Printer
	Tidy   func(file string) string // the last step
	// Funcs returns more functions for language.tmpl. uses reports whether a file has some code.
	Funcs func(p Printer, uses func(code string) bool) template.FuncMap

	FileNames [2]string // of the module of a schema and of the runtime
	Grammar   *Grammar
	Public    string                       // names that the module exports of the runtime, with spaces between
	Makers    string                       // the name of the object with functions that make values, or ""
	IsPublic  func(text, name string) bool // a declaration of the module is exported

	// Names.
	Reserved string                        // names of types that the module has for itself, with spaces between
	Routine  func(name string) string      // of a routine or an arm, as a part of names of functions
	Join     func(words ...string) string  // of a function or a method, from its parts
	Private  string                        // begins the names of functions that are not exported
	Member   func(name string) string      // of a member
	Taken    string                        // name of a member that every arm has
	Option   []string                      // names of options that are not gates
	Access   func(name string) string      // a member of the object before it
	Inner    func(x, name string) string   // a member of what may not be an object
	Doc      func(indent, s string) string // a comment on a declaration
	Unkept   string                        // describes what a number does not keep of a NaN, behind "nor"
	Others   string                        // describes the arms that are not values of the language

	// Statements.
	Indent string // of a block
	End    string // of a statement
	Pass   string // an empty block, or "" if it may be empty
	Let    string // format of the declaration of a constant: name, value
	Var    string // format of the declaration of a variable: name, first value
	Typed  string // format of the declaration of a variable: name, first value, type
	Guard  string // format of a conditional statement: condition, statement
	Fail   string // format of an error in reading: arguments
	If     string // format of the beginning of a block: condition
	Else   string // between two blocks
	Close  string // the end of the last block, with its line break
	Try    string // the beginning of a block whose errors get a step of their path
	Catch  string // format of its end: the step
	Repeat string // the beginning of a block that is executed four times

	// Conditions.
	Bools          [2]string // false and true
	Not            string    // format: a condition in parentheses
	And, Or        string    // between conditions
	Equal, Unequal string    // between numbers
	Same           string    // format: a variable of text, and a literal; the compiler does not conclude what the variable holds
	Is, IsNot      string    // formats of a comparison with the absent value: value, absent value
	Closed         string    // format of a closed gate: reader or writer, bit of the gate
	NaN            string    // format: number
	NotBool        string    // format: value
	NotList        string    // format: value
	NotText        [2]string // formats, of texts alone, and of texts or bytes: value

	// Expressions.
	Choose   string // format: condition, value if it holds, other value
	Number   string // format of a condition as a number: condition
	Length   string // format: list or bytes
	Quotient string // format of a quotient, rounded down: positive number, divisor
	String   string // format of a number as text: number
	Template string // format of a text with the value of n at its end: text
	Lambda   string // format of a function of k: result
	Closure  string // format of a function: parameters, result
	Each     string // format of a list with a value for each e of a list: list, value
	EachPair string // format of a list with two values for each k and e of a map: map, both values
	Encoding string // format: number of an encoding
	Missing  string // the absent value
	Other    string // the absent value beside values of a union that has Missing; its type is before the point

	// Types.
	Bool, Text, Bytes string
	Nothing           string // of arms without content, and their value
	Whole             string // of arms that are a whole number, and of numbers of arms beyond those of Int
	Int               string // of small numbers
	Void              string // of functions without a result
	Reader, Writer    string
	Input, Output     string                // members of the reader and the writer: the bytes
	Part              string                // format of a part of a checksum: three numbers
	Octets            func(b string) string // constant bytes
	List              func(elem string) string
	Tuple             string // format: types with commas between
	Scalar            func(s builtin.Scalar) string
	Packed            func(s *model.Shape) string
	Loose             bool // a value of any type can be compared with the absent value
}

// Printer prints what depends on the kinds of numbers and objects of a language. Methods
// without a result print statements.
type Printer interface {
	Begin()                                       // functions of Module.Record follow
	Register(reg int) string                      // the type of a register
	Declare(v *Variable)                          // the declaration of a variable that is not set once
	Assume(e *model.Expr, holds bool)             // a condition holds from here on, or does not
	Under(e *model.Expr, holds bool, body func()) // a condition holds in a block, or does not
	Settle(s *model.Stmt)                         // a statement is complete
	Dispatch(arms []*Case, other func())          // the case that v is in

	Numbers
	Reading
	Writing
}

// Numbers are the methods of a [Printer] for expressions.
type Numbers interface {
	Print(e *model.Expr) string
	Kept(s *model.Stmt) string                           // the expression of a statement, in the kind of its register
	Argument(e *model.Expr, exact bool) string           // an argument of a routine, see [model.Routine.Exact]
	Literal(n int64, other *model.Expr) string           // a number in the kind of an expression
	Compare(op builtin.Op, a, b *model.Expr) string      // the condition of a comparison
	Wide(e *model.Expr, bits int64) string               // the condition that a number does not fit its bits
	Beyond(e *model.Expr, x string, lo, hi int64) string // the condition that a number, printed as x, is out of a range
	Outside(e *model.Expr) string                        // see [builtin.Outside]
	Count(cell int) string                               // the number of elements of a cell
	Integers(e *model.Expr) string                       // the sum or the last of the integers of an array
	Value(cell int) string                               // a cell as a number
	Member(typ, x string) string                         // a whole number or a truth of a type in a record, as a number
}

// Reading holds the methods of a [Printer] for reading. call is the call of the reader that
// returns the number of a statement.
type Reading interface {
	Read(s *model.Stmt) string                // the call of the reader for a number
	Word(s *model.Stmt, call string) string   // the number that a register gets
	Number(s *model.Stmt, call string) string // the number that a cell gets
	Take(s *model.Stmt) string                // the value that a cell gets from a register
	ReadLanes(s *model.Stmt)
	ReadPacked(s *model.Stmt, n string) // n is the number of tuples
	Construct(t *model.Type)            // returns the record
}

// Writing holds the methods of a [Printer] for writing.
type Writing interface {
	NotRecord(t *model.Type) string               // the condition that v is not a record
	NoArm(s *model.Stmt) string                   // the condition that a cell is not the name of an arm
	NotPacked(s *model.Stmt) (cond, count string) // the condition that a cell is not an array, and its length
	Expect(s *model.Stmt)                         // the tests of a number that is part of a word
	Cuts(s *model.Stmt) bool                      // the register of a statement cannot hold every number of its expression
	Write(s *model.Stmt, x string)                // the writing of a number, printed as Put prints it
	Put(s *model.Stmt, x string) string           // a number, printed as x, as the writer takes it
	PutBool(s *model.Stmt, c string) string       // a truth value as the writer takes it
	WriteNumber(s *model.Stmt)
	WriteLanes(s *model.Stmt, lanes []string)
	WritePacked(s *model.Stmt)
	Patch(s *model.Stmt, x string)                  // a number in the room that was left for it
	Text(t *model.Type, member, text string) string // an object with a text
}

// Hooks are methods of a [Printer] for a language that has one kind of number.
type Hooks struct{}

// Begin does nothing.
func (Hooks) Begin() {}

// Assume does nothing.
func (Hooks) Assume(*model.Expr, bool) {}

// Under prints the block.
func (Hooks) Under(_ *model.Expr, _ bool, body func()) { body() }

// Settle does nothing.
func (Hooks) Settle(*model.Stmt) {}
