// The resolved schema: what every other package knows of a schema.
//
// A Schema is a tree of records. Everything in it is bound and proved: names are
// pointers to what they name, expressions are typed and folded, offsets and lengths
// agree with the rows before them, what a writer computes is the inverse of what a
// reader takes from it, and all limits of programs hold. Lowering it cannot fail, and
// nothing that uses it sees the syntax tree.
//
// A Schema is resolved for one choice of its axis; [Schema.With] returns it for
// another one.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// Schema is a format: its own declarations together with those of the schemas that it
// extends.
type Schema struct {
	ID     string
	Title  string
	Source string   // origin of its facts
	Doc    []string // comment before the declaration
	Pos    dsl.Pos  // of the declaration
	File   string   // name of the file that declares it

	Big   bool  // numbers have their highest byte first
	Root  *Type // of the outermost value: a record or a union; nil in a library of declarations
	Depth int   // how deeply a union may be nested in itself; 0 if not declared

	Axis   *Axis   // nil without an axis
	Choice *Choice // the choice that the schema is resolved for; nil without an axis
	Gates  []*Gate

	Encodings []*Encoding
	Consts    []*Const
	Records   []*Record // declared with type
	Unions    []*Union
	Errata    []*Erratum

	Equal  []*Arm // arms whose values are equal keys if their text is equal
	Differ []*Arm // arms whose values are never equal keys
	Exact  []*Arm // arms whose numbers are equal in keys only if their bits are
	Apart  []*Arm // arms that are not equal to themselves inside a key if they hold NaN

	Facts    []string   // says: sentences about the format
	Mentions []*Mention // errata about the schema as a whole

	src    *source
	family *family
}

// Axis is a choice that is made for a whole schema, such as the precision of reals.
type Axis struct {
	Name    string
	Pos     dsl.Pos
	Choices []*Choice
}

// Choice is one setting of an axis.
type Choice struct {
	Name   string
	Pos    dsl.Pos
	Index  int
	Scalar builtin.Scalar // that the axis represents
	Offset *Expr          // of a row, given its letter offset; nil if unchanged
	Length *Expr          // of a row of the axis, given its letter length; nil if unchanged
	Elem   *Expr          // as Offset, of a row in an element of a list
}

// Gate is a permission that a caller gives before some rows are read or written.
type Gate struct {
	Name  string
	Doc   string
	Index int
	Pos   dsl.Pos
}

// Const is a named number.
type Const struct {
	Name  string
	Value int64
	Doc   []string
	Pos   dsl.Pos
}

// UTF8 is how strictly text is checked.
type UTF8 uint8

// The ways to check text.
const (
	UTF8Strict    UTF8 = iota // RFC 3629
	UTF8Loose                 // forms of 1 to 6 bytes; surrogates, and most overlong forms, pass
	UTF8Unchecked             // any bytes
)

// NUL is the meaning of a zero byte in text.
type NUL uint8

// The meanings of a zero byte.
const (
	NULKeep    NUL = iota // a character
	NULStop               // text ends before it; what follows is ignored
	NULCounted            // as NULStop; a writer adds one at the end and counts it
)

// Encoding is a way to read and write text. The encoding utf8 is declared by the
// language.
type Encoding struct {
	Name     string
	Doc      []string
	Pos      dsl.Pos
	UTF8     UTF8
	DropBOM  bool // a byte order mark at the beginning is left out
	NUL      NUL
	Mentions []*Mention
}

// Erratum is a mistake of a document.
type Erratum struct {
	Name   string
	Pos    dsl.Pos
	In     string // the document
	Says   string // the document's statement
	Engine string // the behaviour of engines
	Here   string // the behaviour of the schemas
}

// Mention is an erratum at a row, arm, encoding or schema.
type Mention struct {
	Erratum *Erratum // nil if a later schema removed it
	Name    string
	Pos     dsl.Pos
	Absent  bool   // the document may lack the row
	Said    []Said // the document's own cells
}

// Said is the text of one cell of a document.
type Said struct {
	Cell string // offset, length, type, name, description or label
	Text string
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
	Selector *Field   // the bit that selects between the two scalars of the axis, or nil
	Body     []Node
	Least    uint64 // the fewest bytes of a value
	Nests    bool   // a value inside another one counts towards the depth

	Writes   []*Write
	Examples []*Example

	items []*dsl.Item
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
	Name   string
	Doc    []string
	Pos    dsl.Pos
	Params []*Field
	Word   *Row   // that all arms begin with; nil if an argument selects the arm
	By     *Field // the argument, the word, or bits of the word
	Lo, N  int    // the bits of the word that select the arm: the lowest, and how many
	Closed bool   // bits of the word that no arm has must be zero
	Arms   []*Arm // in the order of declaration; [Union.Sorted] has them by number
	Body   []Node // Word and notes
	Least  uint64 // the fewest bytes of a value
	Nests  bool   // a value inside another one counts towards the depth

	items []*dsl.Item
}

// Arm is one alternative of a union. Its fields begin with the arguments and the word
// of the union, which all arms share.
type Arm struct {
	*Record
	Union *Union
	ID    uint64
	Code  string // letters of a code4 number, with quotes; "" for a number
	Else  bool   // it is the arm for all numbers without one
	Label string // the document's name for it
	Was   string // its name in the schema that this one extends; "" if that has no such arm
	Bits  []*Bit // of the union's word
}

// Field is a name in a record. It has one value, in however many forms it is read.
type Field struct {
	Name     string
	Pos      dsl.Pos
	Doc      string
	Record   *Record      // nil for an argument or the word of a union
	Index    int          // in Record.Stored; -1 if the value is not part of a record's value
	Kind     builtin.Kind // of a stored value; None if it varies or is a record or a union
	Alone    bool         // it may represent its record if no other field is present
	Optional bool         // it may be absent
	Param    bool         // it is an argument
	Union    *Union       // its value is one of the union
	ArmOf    *Union       // its value is an arm of the union, without content
	Text     *Encoding    // its value is text
	Let      *Expr        // it is computed from what was read or written before it
	Derive   *Expr        // computed by a writer; a stored field has it only if a writer puts another number in its place
	Used     bool         // a reader needs its number
	Ignored  bool         // a reader accepts any number
	Selects  bool         // its bit selects between the two forms of the axis
	Measures *Field       // Derive takes the size of this row or list
	Measured *Field       // the field that holds the size of this one
	Node     Node         // the first row, the bits, the list or the let that declares it; nil for an argument

	state fieldState
}

// Node is an item of a body: one of [Row], [Forms], [Bit], [List], [Region], [If],
// [Let], [Refuse], [Require], and, without meaning for bytes, [Write], [Caption],
// [Fact] and [Mention].
type Node interface{ node() }

// Row is one row of a table.
type Row struct {
	Field    *Field
	Pos      dsl.Pos
	Offset   *Expr // as declared, with letters
	Length   *Expr // as declared, with letters
	Type     *Type
	Value    *Expr // as declared: what a writer computes
	Write    *Expr // as declared: what a writer puts in place of what was read
	Doc      string
	When     *Expr // nil if the row is always there
	Wide     bool  // it is the wider one of the forms of its field
	Nonzero  bool  // a truth: a reader takes any number but 0 for true
	Any      bool  // a reader accepts any number
	Checks   []*Check
	Bits     []*Bit
	Closed   bool    // bits that no field has must be zero
	RestAt   dsl.Pos // of the rule for bits that no field has; zero if left out
	Pad      *Pad
	Same     *Row             // it documents the bytes of another row, and is neither read nor written
	Moved    map[string]*Expr // offsets under other choices, by name
	Mentions []*Mention
}

// Forms are rows of one field, of which at most one is there: the first whose
// condition holds. A row with a condition is in Forms also if it is the only one.
type Forms struct {
	Field *Field
	Rows  []*Row
	Body  []Node // the rows, with the captions, facts and mentions between them
	Total bool   // the last row is there if no other is; its condition is implied
}

// Bit is a field in bits of a word: of a row, or, in an arm, of the union's word.
type Bit struct {
	Field    *Field
	Pos      dsl.Pos
	Lo, N    int   // the lowest bit, and how many
	Value    *Expr // as declared
	Write    *Expr
	Doc      string
	Any      bool
	Checks   []*Check
	Mentions []*Mention
}

// List is a list of elements.
type List struct {
	Field    *Field
	Pos      dsl.Pos
	Count    *Expr // nil: up to the end of the region
	Doc      string
	Map      bool
	Element  *Record // rows of an element as declared; of a map the two rows
	Key      *Type   // of a map: the type of keys, a record or a union
	Elem     *Type   // of elements, or of values of a map: a record, a union, or an array's tuple
	Pad      *Pad
	Mentions []*Mention
}

// Region limits rows to a number of bytes, which they use up.
type Region struct {
	Pos      dsl.Pos
	Size     *Expr
	Body     []Node
	Pad      *Pad
	Mentions []*Mention
}

// If holds rows that are there under a condition.
type If struct {
	Pos        dsl.Pos
	Cond       *Expr
	Then, Else []Node
	HasElse    bool
	Absent     [2][]*Field // stored fields that Then, and Else, do not have but the other does
}

// Let names a number.
type Let struct {
	Field *Field
	Pos   dsl.Pos
	Value *Expr
}

// Check is a condition that must hold after a row or bits.
type Check struct {
	Cond    *Expr
	Message string // "" for the description of the row or the bits
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

// Caption begins a table of a document.
type Caption struct {
	Pos  dsl.Pos
	Text string
}

// Fact is a sentence of a document.
type Fact struct {
	Pos  dsl.Pos
	Text string
}

func (*Row) node()     {}
func (*Forms) node()   {}
func (*Bit) node()     {}
func (*List) node()    {}
func (*Region) node()  {}
func (*If) node()      {}
func (*Let) node()     {}
func (*Refuse) node()  {}
func (*Require) node() {}
func (*Write) node()   {}
func (*Caption) node() {}
func (*Fact) node()    {}
func (*Mention) node() {}

// Pad pads the part before it to a multiple of To bytes.
type Pad struct {
	To    int
	Exact bool // a reader refuses bytes other than 0
	OrEnd bool // padding may be missing at the end of the input
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
	Name     string // as declared
	Pos      dsl.Pos
	Scalar   builtin.Scalar // Number, Truth, Array, ArmID
	Narrow   builtin.Scalar // if the record's Selector selects the scalar: the one for 0; else NoScalar
	Wide     builtin.Scalar // as Narrow: the one for 1
	Axis     bool           // the scalar is that of the axis
	Width    int            // Array: numbers of a tuple
	Encoding *Encoding      // Text
	Size     *Expr          // Text: bytes; Array: tuples; nil: up to the end of the region
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
	Num    int64          // Num
	Name   string         // Letter; Num: the constant's name, if it was named; Ref: as written
	Field  *Field         // Ref, Count, Len, Size, Arm, Present, Outside, Keep, KeepAll
	Gate   *Gate          // Closed
	Union  *Union         // Arm
	Scalar builtin.Scalar // Outside, Keep
	Args   []*Expr        // operands of operators; Keep, KeepAll: the declared value

	bad bool // the number does not fit 64 bits
}

// Example is bytes with the value that they represent, or the way they are refused.
type Example struct {
	Pos    dsl.Pos
	File   string
	Bytes  string   // hexadecimal digits and spaces
	Open   []*Gate  // gates that are open
	Choice *Choice  // the choice that it is about, or nil
	Value  *Literal // nil if refused
	Refuse string   // word of the error
	At     int      // offset of the error, -1 if not said
	Again  *string  // bytes that a writer makes; nil if the same
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
