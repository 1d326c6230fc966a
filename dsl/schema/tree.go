// The resolved schema: what every other package knows of a schema.
//
// A Schema is a tree of records. Everything in it is bound and proved: names are
// pointers to what they name, expressions are typed and folded, offsets and lengths
// agree with the rows before them, what a writer computes is the inverse of what a
// reader takes from it, and all limits of programs hold. Lowering it cannot fail, and
// nothing that uses it sees the syntax tree.
//
// A Schema is resolved for one choice of its option; [Schema.With] returns it for
// another one.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// Schema is a format: its own declarations together with those of the schemas that it extends. Those that it uses of the
// schemas that it imports are in it, too. Their names have the prefix of the import, such as dns.Message.
type Schema struct {
	ID     string
	Title  string
	Source string // origin of its facts
	Role   builtin.Role
	Doc    []string // comment before the declaration
	Pos    dsl.Pos  // of the declaration
	End    dsl.Pos  // behind it
	File   string   // name of the file that declares it

	Big   bool  // numbers have their highest byte first
	Root  *Type // of the outermost value: a record or a union; nil in a library of declarations
	Depth int   // how deeply a union may be nested in itself; 0 if not declared

	Option *Option // nil without an option
	Choice *Choice // the choice that the schema is resolved for; nil without an option
	Gates  []*Gate

	Encodings []*Encoding
	Records   []*Record // declared with type
	Unions    []*Union

	Keys [builtin.NumKeyRules][]*Arm // the arms that a rule for keys names

	Mentions []*Mention // errata about the schema as a whole

	src    *source
	family *family
}

// Option is a choice that is made for a whole schema, such as the precision of reals.
type Option struct {
	Name    string
	Pos     dsl.Pos
	Choices []*Choice
}

// Choice is one setting of an option.
type Choice struct {
	Name   string
	Pos    dsl.Pos
	Index  int
	Scalar builtin.Scalar // that the option represents
}

// Gate is a permission that a caller gives before some rows are read or written.
type Gate struct {
	Name  string
	Doc   string
	Index int
	Pos   dsl.Pos
}

// NUL is the meaning of a zero byte in text.
type NUL uint8

// The meanings of a zero byte.
const (
	NULKeep    NUL = iota // a character
	NULStop               // text ends before it; what follows is ignored
	NULCounted            // as NULStop; a writer adds one at the end and counts it
)

// Encoding is a way to read and write text. The language declares one for each character
// set.
type Encoding struct {
	Name     string
	Doc      []string
	Pos      dsl.Pos
	Charset  builtin.Charset
	AsSchema bool // UTF-16 in the order of the schema
	DropBOM  bool // a byte order mark at the beginning is left out
	NUL      NUL
	Mentions []*Mention

	decl *encodingDecl // nil for the one of the language
	in   [2]*Encoding  // AsSchema: with the lowest, and with the highest byte first
}

// Mention is the name of an erratum at a row, arm, encoding or schema. Pages declare errata.
type Mention struct {
	Name string
	Pos  dsl.Pos
}

// Record is a list of rows: a named type, an arm of a union, or the element of a list.
// Least and Nests are set if the root contains it, and it is not an arm or in place of
// a row.
type Record struct {
	Name     string // "" for the element of a list
	Path     string // name in messages, such as Object.properties
	Doc      []string
	Pos      dsl.Pos
	Arm      *Arm // that it is the content of, or nil
	List     *List
	Params   []*Field // arguments, in order
	Fields   []*Field // all fields in the order of declaration, arguments first
	Stored   []*Field // the fields of its values, in order
	Tuple    *Tuple   // its value is a tuple of numbers; Stored is then one field without a name
	Selector *Field   // the bit that selects between the two scalars of the option, or nil
	Body     []Node
	Stop     *Expr  // holds after the body of the last element of a list that has Last; nil without such a list
	Base     bool   // places of parts count from it; its bytes are its rows, these parts, and those between
	Gaps     *Row   // of Body: the bytes between; nil if they are zeros, and none are behind the last part
	Total    *Field // the checksum of all its bytes, in it or in a record inside of it; or nil
	Least    uint64 // the fewest bytes of a value, without parts
	Nests    bool   // a value inside another one counts towards the depth

	Writes   []*Write
	Examples []*Example
	Mentions []*Mention // errata about the record as a whole

	items    []*dsl.Item
	computed string // as in [Union]
	needs    needs
}

// Tuple is a record of nothing but stored numbers of one scalar.
type Tuple struct {
	Names []string
	Type  *Type // of each number
	Rows  []*Row
}

// Union is a value of one of several arms. Least and Nests are set if the root contains
// it.
type Union struct {
	Name     string
	Doc      []string
	Pos      dsl.Pos
	Params   []*Field
	Word     *Row       // that all arms begin with; nil if an argument selects the arm
	By       *Field     // the argument, the word, or bits of the word
	Lo, N    int        // the bits of the word that select the arm: the lowest, and how many
	Closed   bool       // bits of the word that no arm has must be zero
	Arms     []*Arm     // in the order of declaration; [Union.Sorted] has them by number
	Examples []*Example // its own; arms have theirs
	Body     []Node     // Word
	Stop     *Expr      // holds after the arm of the last element of a list that has Last; nil without such a list
	Least    uint64     // the fewest bytes of a value
	Nests    bool       // a value inside another one counts towards the depth

	Mentions []*Mention // errata about the union as a whole

	items    []*dsl.Item
	decl     *unionDecl
	computed string // if declared cells are those of the first choice and another one is made: that choice, for messages
}

// Arm is one alternative of a union. Its fields begin with the arguments and the word
// of the union, which all arms share.
type Arm struct {
	*Record
	Union *Union
	ID    uint64 // the lowest of IDs
	IDs   builtin.Ranges
	Code  string // letters of code4 numbers as the schema writes them; "" for numbers
	Else  bool   // it is the arm for all numbers without one
	hex   bool   // its numbers are written in hexadecimal
	Label string // the document's name for it
	Was   string // its name in the schema that this one extends; "" if that has no such arm
	Bits  []*Bit // of the union's word
	Form  *Expr  // the number that a writer gives the word; nil if IDs and bits tell it
}

// Field is a name in a record. It has one value, whichever form it is read in.
type Field struct {
	Name      string
	Pos       dsl.Pos
	Doc       string
	Record    *Record        // nil for an argument or the word of a union
	Index     int            // in Record.Stored; -1 if the value is not part of a record's value
	Kind      builtin.Kind   // of a stored value; None if it varies or is a record or a union
	Alone     bool           // it may represent its record if no other field is present
	Optional  bool           // it may be absent
	Param     bool           // it is an argument
	Union     *Union         // its value is one of the union
	ArmOf     *Union         // its value is an arm of the union, without content; a row of the number, or bits that select it
	Text      *Encoding      // its value is text
	Texts     []string       // what expressions compare the text with; Match numbers them from 1
	Integers  builtin.Scalar // its value is an array of these; NoScalar: of floats or tuples, or it is no array
	Derive    *Expr          // computed by a writer; nil for a stored field
	Used      bool           // a reader needs its number
	Ignored   bool           // a reader accepts any number
	Selects   bool           // its bit selects between the two forms of the option
	Redundant *Redundant     // a reader, which does not need the number, compares it with Derive; nil if it does not
	Sometimes bool           // a condition decides whether it is there
	Measures  *Field         // Derive takes the size of this row or list
	Measured  *Field         // the field that holds the size of this one
	Bytes     *Field         // the bytes of this row or list, of a row with a region those of the region. It is nil if nothing needs them
	PlaceOf   *Field         // Derive takes the place of this part
	Sum       *Sum           // Derive is a checksum; nil if it is not
	Places    [2]bool        // a checksum begins or ends at the begin, or at the end, of this row or list
	Node      Node           // the first row, the bits or the list that declares it; nil for an argument
	Forms     *Forms         // of its row; nil if the row has one form

	state fieldState
	kept  bool // a reader keeps the number of bits
}

// Redundant says how a reader compares a number that it does not need.
type Redundant struct {
	At    Place // where an error is
	Back  int   // bytes before At
	There *Expr // the condition under which the number is there; nil: always
}

// Node is an item of a body. It is one of [Row], [Forms], [Bit], [List], [If], [Order], [Refuse], [Require], [SumStep],
// and, without meaning for bytes, [Write] and [Mention].
type Node interface{ node() }

// Row is one row of a table.
type Row struct {
	Field    *Field
	Pos      dsl.Pos
	At       *Part  // the place of a row that is not behind the rows before it; else nil
	Offset   *Expr  // as declared, with letters; nil if At is set
	Begin    string // the offset under the choice of the schema, such as 4+N, in numbers and earlier letters. It is "" if it depends on other content
	Length   *Expr  // as declared, with letters
	Bound    *Expr  // the bytes of its region, without padding; nil if it has none
	Tail     *Tail  // the rows after it, if its length cell is end-N; Bound computes the bytes before them
	Stated   bool   // a writer compares the bytes of the region with Bound, which is not computed from the row
	Type     *Type
	Value    *Expr  // as declared: what a writer computes
	Constant []byte // the bytes that it always has; nil if it is one number, or not constant; empty after a mistake
	Words    []*Row // the numbers as which Constant is read and written, of 4, 2 and 1 bytes
	Doc      string
	When     *Expr          // nil if the row is always there
	IDs      builtin.Ranges // that select it, if it is a form of a row
	Inline   *Expr          // the number of the field, which has no bytes in this form; nil if it has bytes
	Wide     bool           // it is wider than another form of its field
	Nonzero  bool           // a truth: a reader takes any number but 0 for true
	Any      bool           // a reader accepts any number
	Checks   []*Check
	Bits     []*Bit
	Rest     bool // a reader ignores bits that no field has; else they must be zero
	Pad      *Pad
	Members  []*Member // numbers in the value of its record that expressions need
	Mentions []*Mention
}

// Forms are the forms of one row, of which a number selects one, or a row under a condition.
// Forms of a row have one field, one value, and the same bits, checks and padding.
type Forms struct {
	Field    *Field
	Pos      dsl.Pos
	Rows     []*Row
	Total    bool    // one of the rows is there: the last one if no other is; its condition is implied
	Selector *Expr   // the number that selects the form; nil for a row under a condition
	Check    *Check  // some form has the number; nil if every number has one
	Lengths  []*Expr // as declared: the lengths of the forms in their order, each once
	Number   *Field  // the selector, if a writer computes it with form(); else nil
	Arm      *Arm    // whose number selects the form, if a writer computes it from the value; else nil
	Any      bool    // a reader accepts a number in a form if an earlier form holds it

	any      *dsl.Attr
	end      dsl.Pos  // behind the row
	computed []*Field // the fields whose value is form() of the row
}

// Bit is a field in bits of a word: of a row, or, in an arm, of the union's word.
type Bit struct {
	Field    *Field
	Row      *Row // of the word; nil for the word of a union
	Pos      dsl.Pos
	Lo, N    int   // the lowest bit, and how many
	Signed   bool  // two's complement
	Value    *Expr // as declared
	Doc      string
	Any      bool
	Checks   []*Check
	Mentions []*Mention
}

// List is a list of elements.
type List struct {
	Field    *Field
	Pos      dsl.Pos
	Row      *Row   // the row that declares it, as T[n]; its type is that of an element. Nil after repeat
	Count    *Expr  // nil: up to the last element if Last is set, else up to the end of the region, less Spare
	Last     bool   // elements end with the first one whose Stop holds
	Spare    *Spare // elements end when few bytes are left; else nil
	Doc      string
	Map      bool
	Element  *Record  // rows of an element as declared; of a map the two rows
	Key      *Type    // of a map: the type of keys, a record or a union
	Elem     *Type    // of elements, or of values of a map: a record, a union, or an array's tuple
	Checks   []*Check // after the list with its padding
	Pad      *Pad
	Mentions []*Mention
}

// Spare describes a list that ends when at most some bytes are left. A writer refuses more bytes behind it, and a last
// element before which a reader would have ended it.
type Spare struct {
	Bytes   int64
	Last    *Field // the bytes of the last element, 0 without one
	Behind  *Field // the bytes of the rows behind the list; nil without such rows
	Left    *Field // the bytes that are left behind the record; none to a writer
	TooMany bool   // the rows behind it may take more than Bytes
	TooFew  bool   // the last element and the rows behind it may take no more than Bytes
}

// If holds rows that are there under a condition.
type If struct {
	Pos        dsl.Pos
	Cond       *Expr
	Then, Else []Node
	HasElse    bool
	Absent     [2][]*Field // stored fields that Then, and Else, do not have but the other does
	More       *More       // the condition, if it is more(); else nil
}

// More is the condition that bytes are left. A writer writes the rows under it if their first
// field has a value.
type More struct {
	Field *Field // whose number is 1 if there are bytes, else 0
	Of    *Field // the first stored field of the rows; nil before they are bound
}

// Check is a condition that must hold after a row or bits.
type Check struct {
	Cond    *Expr
	Message string // if it does not hold
}

// Order is the order of the bytes of numbers in the rows after it in its body. It includes the
// types that these use.
type Order struct {
	Pos   dsl.Pos
	Big   *Expr  // a condition: the highest byte is first
	By    *Field // by which the order is chosen, or nil
	Check *Check // that the field has a number of a case, or nil
}

// Refuse refuses every packet and value that gets to it.
type Refuse struct {
	Pos    dsl.Pos
	Reason string
}

// Require demands that a gate is open.
type Require struct {
	Gate *Gate
	Pos  dsl.Pos
}

// Write says that a writer puts another value in place of an arm.
type Write struct {
	Pos    dsl.Pos
	When   *Expr // nil: always
	Absent bool  // nothing
	Arm    *Arm  // else a value of this arm, which holds one text
	Text   string
}

func (*Row) node()     {}
func (*Forms) node()   {}
func (*Bit) node()     {}
func (*List) node()    {}
func (*If) node()      {}
func (*Order) node()   {}
func (*Refuse) node()  {}
func (*Require) node() {}
func (*SumStep) node() {}
func (*Write) node()   {}
func (*Mention) node() {}

// Pad pads the part before it to a multiple of To bytes.
type Pad struct {
	To    int
	Fill  byte // the bytes of the padding
	Exact bool // a reader refuses other bytes
	OrEnd bool // padding may be missing at the end of the region
}

// Form is the sort of a type.
type Form uint8

// The sorts of types.
const (
	Number   Form = iota // one number of Scalar
	Truth                // a number of Scalar that is 0 or 1
	Text                 // Size bytes of text
	Array                // Size tuples of Width numbers of Scalar
	ArmID                // the number of an arm of Union
	OfRecord             // a value of Record
	OfUnion              // a value of Union
)

// Type is the type of a row or of the elements of a list.
type Type struct {
	Form     Form
	Name     string // as declared; of a record or a union with the prefix of its import
	Pos      dsl.Pos
	Scalar   builtin.Scalar // Number, Truth, Array, ArmID
	Narrow   builtin.Scalar // if the record's Selector selects the scalar: the one for 0; else NoScalar
	Wide     builtin.Scalar // as Narrow: the one for 1
	Option   *Option        // whose scalar it is; nil if it is of another type
	Swapped  bool           // the bytes of numbers are in the other order than those of the schema
	Big      *Expr          // if it is not nil, a condition: the highest byte of numbers is first
	Coding   builtin.Coding // Number: the way in which it is written in bytes, of which there may be several
	Longer   bool           // a reader accepts more bytes of Coding than necessary
	Width    int            // Array: numbers of a tuple
	Encoding *Encoding      // Text
	Size     *Expr          // Text: bytes; Array: tuples; nil: up to the terminator, or to the end of the region
	Until    string         // Text, Array of u8: the terminator, which is not part of the value; "" without one
	Fill     string         // Text, Array of u8: the byte that fills the row: the value ends before the last run of it. It is "" if the value takes Size
	FillAny  bool           // content ends before the first byte of Fill, and a reader accepts any bytes after it
	Union    *Union
	Record   *Record
	InPlace  bool // OfRecord: its one stored field is stored in the row's own field
	Args     []*Expr
	Fixed    bool  // the number of bytes does not depend on content
	Bytes    int64 // number of bytes if Fixed
}

// Expr is an expression. Numbers are 64-bit two's complement.
//
// To a reader a field in an expression is the number that was read. In what a writer
// computes (Derive, Value, Write) it is the field's value; a field that is not stored
// is there what it is computed from.
type Expr struct {
	Op     builtin.Op
	Pos    dsl.Pos
	Num    int64          // Num; Where: the place is a multiple of it, 0 for any place
	Name   string         // Letter, Ref: as written
	Field  *Field         // Ref, Count, Len, Size, Arm, Present, Form, Outside, Wide, Total, Last, Match
	Gate   *Gate          // Closed
	Union  *Union         // Arm
	Scalar builtin.Scalar // Outside
	Sum    *Sum           // Sum
	Forms  *Forms         // Form
	Passed bool           // Size: the row or list is before the expression
	Args   []*Expr        // operands of operators; Keep: what is declared and what is kept; Form: the number

	bad  bool        // the number does not fit 64 bits
	code string      // Num: the letters in quotes that it is written as, or ""
	text *dsl.Str    // Num: the text that a Match is compared with, or nil
	rows []*dsl.Expr // Sum: the arguments, as written
}

// Example is bytes of a type with the value that they represent, or the way they are
// refused.
type Example struct {
	Pos    dsl.Pos
	File   string
	Name   string // "" without a name
	From   string // the schema that declares it
	Bytes  []byte
	Open   []*Gate  // gates that are open
	Strict bool     // a reader refuses bytes that a writer does not make, and bytes behind the value
	Choice *Choice  // the choice that it is about, or nil
	Value  *Literal // nil if refused; arms have the names that they have now
	Refuse string   // word of the error
	Again  []byte   // bytes that a writer makes; nil if the same
}

// Literal is the value of an example.
type Literal struct {
	Pos   dsl.Pos
	Kind  LiteralKind
	Name  string     // Named
	Num   string     // Numeral: digits, with sign
	Text  string     // Quoted
	Parts []*Literal // arguments of Named, elements of Sequence, alternating keys and values of Pairs
}

// LiteralKind is the form of a literal.
type LiteralKind uint8

// The forms of literals.
const (
	Named LiteralKind = iota
	Numeral
	Quoted
	Sequence
	Pairs
)
