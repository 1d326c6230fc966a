// Languages: the spellings that the walk asks for.

package script

import (
	"embed"
	"text/template"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// Language holds the spellings of a language. Strings that are called formats are those of
// package fmt.
type Language struct {
	Target   string   // the output, in errors
	Files    embed.FS // the table, language.tmpl, and the runtime, in the folder runtime
	Suffix   string   // of the files of the runtime
	Mark     string   // begins the lines of the runtime that begin and end sections
	Reserved string   // names of types that the module has for itself, with spaces between

	// Names.
	Routine func(name string) string      // of a routine or an arm, as a part of names of functions
	Join    func(words ...string) string  // of a function or a method
	Private string                        // begins the names of functions that are not exported
	Member  func(name string) string      // of a member
	Others  string                        // describes the arms that are not values of the language
	Taken   string                        // by a member that every arm has
	Option  []string                      // names of options that are not gates
	Access  func(name string) string      // a member of the object before it
	Doc     func(indent, s string) string // a comment on the declaration around or after it

	// Statements.
	Indent string    // of a block
	End    string    // of a statement
	Pass   string    // an empty block, if it must not be empty
	Let    string    // format of a variable and the only value that it gets
	Var    string    // format of a variable and its first value
	Typed  string    // format of a variable, its first value and its type
	Guard  string    // format of a condition, and a statement that is executed if it holds
	Fail   string    // format of the arguments of an error in reading
	If     string    // format of a condition, which begins a block
	Else   string    // ends the first block and begins the second
	Fi     string    // ends a block
	Try    string    // begins a block whose errors get a step of their path
	Catch  string    // format of the step, which ends the block
	Repeat string    // begins a block that is executed four times
	Bools  [2]string // false and true

	// Expressions.
	Not, And, Or     string    // formats of conditions
	Choose           string    // format of a condition, a value if it holds, and another value
	Equal, Unequal   string    // operators
	Is, IsNot        string    // formats of a value and the absent value
	Missing, Other   string    // the absent value, and that of a union that has the first one; of the type before the point
	Closed           string    // format of the side and the bit of a gate
	Number           string    // format of a condition, as a number
	Length           string    // format of a list or bytes
	String           string    // format of a number, as text
	Lambda           string    // format of a function of k
	Template         string    // format of text with {n} or ${n}
	Each, EachPair   string    // formats of a list, and values for each e, or of a map, and two for each k and e
	NaN              string    // format of a number
	Encoding         string    // format of the number of an encoding
	NotList, NotBool string    // formats of a value
	NotText          [2]string // formats of a value: that has to be text, or text or bytes

	// Types.
	Bool, Text, Bytes, Nothing, Whole string
	Int                               string // of numbers that are small
	Void                              string // result of a function without one
	Loose                             bool   // a value of any type can be compared with the absent value
	Reader, Writer                    string
	List                              func(elem string) string
	Tuple                             string // format of the types of the parts
	Scalar                            func(s builtin.Scalar) string
	Packed                            func(s *model.Shape) string

	New   func(g *Module) Printer
	Funcs func(p Printer) template.FuncMap // more functions for the table
	Tidy  func(module string) string
}

// Printer prints what depends on the kinds of numbers in a language, and declarations.
type Printer interface {
	Begin()                                       // the functions of Module.Record follow
	Register(reg int) string                      // type of a register
	Declare(v *Variable)                          // declares a variable that is not set once
	Assume(e *model.Expr, holds bool)             // the condition holds from here on, or does not
	Under(e *model.Expr, holds bool, body func()) // the condition holds in a block, or does not
	Settle(s *model.Stmt)                         // a statement has been printed

	// Expressions.
	Print(e *model.Expr) string
	Kept(s *model.Stmt) string                           // the expression of a statement, as its register holds it
	Argument(e *model.Expr, exact bool) string           // of a routine
	Literal(n int64, other *model.Expr) string           // for an operation with another expression
	Compare(op builtin.Op, a, b *model.Expr) string      // a condition
	Wide(e *model.Expr, bits int64) string               // whether a number does not fit its bits
	Beyond(e *model.Expr, x string, lo, hi int64) string // whether a number, printed as x, is out of a range
	Outside(e *model.Expr) string
	Count(cell int) string
	Value(cell int) string

	// Reading: the values that variables get.
	Word(s *model.Stmt, call string) string
	Number(s *model.Stmt, call string) string
	Take(s *model.Stmt) string
	ReadLanes(s *model.Stmt)
	ReadPacked(s *model.Stmt)
	Construct(t *model.Type) // returns the record

	// Writing.
	CheckTaken(s *model.Stmt)
	Cuts(s *model.Stmt) bool // the register holds the number in a kind that it may not fit
	Put(s *model.Stmt, x string) string
	PutBool(s *model.Stmt, c string) string
	WriteNumber(s *model.Stmt)
	WriteLanes(s *model.Stmt, lanes []string)
	NotPacked(s *model.Stmt) (cond, count string)
	WritePacked(s *model.Stmt)
	Patch(s *model.Stmt, x string)
	NotRecord(t *model.Type) string                 // a condition about v
	NoArm(s *model.Stmt) string                     // a condition about a name of an arm
	Text(t *model.Type, member, text string) string // a value with a text
	Dispatch(arms []*Case, other func())
}

// Hooks are the methods of a [Printer] for which a language without kinds of numbers has no use.
type Hooks struct{}

func (Hooks) Begin()                                   {}
func (Hooks) Assume(*model.Expr, bool)                 {}
func (Hooks) Under(_ *model.Expr, _ bool, body func()) { body() }
func (Hooks) Settle(*model.Stmt)                       {}
