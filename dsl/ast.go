// The syntax tree: one Go type for each production of the grammar, with the
// production in its tags.

package dsl

import "github.com/alecthomas/participle/v2/lexer"

// Pos is a place in a schema file: name, line and column, from 1.
type Pos = lexer.Position

// File is one schema file.
type File struct {
	Name     string     // file name, for positions
	Source   string     // the text that was parsed, without a byte order mark
	Decls    []*Decl    // in the order of the file
	Comments []*Comment // every // comment, in the order of the file

	lines  []int // where each line begins in Source
	broken bool  // has text that is not in Decls
}

// Comment is a comment that documents no declaration.
type Comment struct {
	Pos  Pos
	Text string // with its slashes
}

// Decl is one declaration of a file. Exactly one of the fields after Doc is set.
type Decl struct {
	Pos      Pos
	Doc      []string  `parser:"@Doc*"`
	Schema   *Schema   `parser:"( @@"`
	Change   *Change   `parser:"| @@"`
	Erratum  *Erratum  `parser:"| @@"`
	Encoding *Encoding `parser:"| @@"`
	Const    *Const    `parser:"| @@"`
	Type     *Type     `parser:"| @@"`
	Union    *Union    `parser:"| @@"`
	Arm      *Arm      `parser:"| @@ )"`
	EndPos   Pos
}

// Schema names the schema of the file and the one it extends.
type Schema struct {
	Pos     Pos
	Name    *Str    `parser:"'schema' @@"`
	Extends *Str    `parser:"( 'extends' @@ )?"`
	Props   []*Prop `parser:"'{' @@* '}'"`
}

// Prop is one property of a schema.
type Prop struct {
	Pos     Pos
	Title   *Str    `parser:"( 'title' @@"`
	Source  *Str    `parser:"| 'source' @@"`
	Order   string  `parser:"| 'order' @( 'little' | 'big' )"`
	Root    *Name   `parser:"| 'root' @@"`
	Depth   *Expr   `parser:"| 'depth' @@"`
	Gate    *Gate   `parser:"| 'gate' @@"`
	Axis    *Axis   `parser:"| 'axis' @@"`
	Equal   []*Name `parser:"| 'equal' @@ ( ',' @@ )*"`
	Differ  []*Name `parser:"| 'differ' @@ ( ',' @@ )*"`
	Exact   []*Name `parser:"| 'exact' @@ ( ',' @@ )*"`
	Apart   []*Name `parser:"| 'apart' @@ ( ',' @@ )*"`
	Says    *Str    `parser:"| 'says' @@"`
	Erratum *ErrRef `parser:"| 'erratum' @@ )"`
	EndPos  Pos
}

// Gate is a permission that a caller must give before some rows are read.
type Gate struct {
	Pos  Pos
	Name *Name `parser:"@@"`
	Doc  *Str  `parser:"@@?"`
}

// Axis is a choice made for a whole schema, such as the precision of its reals.
type Axis struct {
	Pos     Pos
	Name    *Name     `parser:"@@"`
	Choices []*Choice `parser:"'{' @@+ '}'"`
}

// Choice is one setting of an axis: its name, the scalar that the axis then
// represents, and the changes of offsets, lengths, and offsets in elements of a
// list that are given for the first choice.
type Choice struct {
	Pos    Pos
	Name   *Name `parser:"@@"`
	Scalar *Name `parser:"@@"`
	Offset *Expr `parser:"( 'offset' @@ )?"`
	Length *Expr `parser:"( 'length' @@ )?"`
	Elem   *Expr `parser:"( 'element' @@ )?"`
	EndPos Pos
}

// Erratum is a mistake of a document, kept beside the rows that it is about.
type Erratum struct {
	Pos    Pos
	Name   *Name `parser:"'erratum' @@"`
	In     *Str  `parser:"( 'in' @@ )?"`
	Says   *Str  `parser:"'{' ( 'says' @@"`
	Engine *Str  `parser:"  | 'engine' @@"`
	Here   *Str  `parser:"  | 'here' @@ )* '}'"`
}

// Encoding is a named way to read and write text.
type Encoding struct {
	Pos    Pos
	Name   *Name       `parser:"'encoding' @@"`
	Rules  []*TextRule `parser:"'{' @@* '}'"`
	EndPos Pos
}

// TextRule is one rule of an encoding.
type TextRule struct {
	Pos     Pos
	UTF8    string  `parser:"( 'utf8' @( 'strict' | 'loose' | 'unchecked' )"`
	BOM     string  `parser:"| 'bom' @( 'drop' | 'keep' )"`
	NUL     string  `parser:"| 'nul' @( 'keep' | 'stop' | 'counted' )"`
	Erratum *ErrRef `parser:"| 'erratum' @@ )"`
	EndPos  Pos
}

// Const names a number.
type Const struct {
	Pos   Pos
	Name  *Name `parser:"'const' @@"`
	Value *Expr `parser:"'=' @@"`
}

// Type is a named record, written inside others.
type Type struct {
	Pos   Pos
	Name  *Name   `parser:"'type' @@"`
	Args  []*Name `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
	Items []*Item `parser:"'{' @@* '}'"`
}

// Union is a value of one of several arms, selected by a number: a field of
// the rows that all arms begin with, or an argument.
type Union struct {
	Pos   Pos
	Name  *Name   `parser:"'union' @@"`
	Args  []*Name `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
	By    *Name   `parser:"'by' @@"`
	Items []*Item `parser:"'{' @@* '}'"`
}

// Arm is one alternative of a union.
type Arm struct {
	Pos   Pos
	Union *Name   `parser:"'arm' @@"`
	ID    *ArmID  `parser:"@@"`
	Name  *Name   `parser:"@@"`
	Label *Str    `parser:"@@?"`
	Items []*Item `parser:"'{' @@* '}'"`
}

// ArmID is the number of an arm, a code of letters, or else for all others.
type ArmID struct {
	Pos  Pos
	Num  *Num   `parser:"( @@"`
	Code string `parser:"| @Code"`
	Else bool   `parser:"| @'else' )"`
}

// Change says what a schema does to the one it extends.
type Change struct {
	Pos      Pos
	Replace  *Replace  `parser:"( @@"`
	Extend   *Extend   `parser:"| @@"`
	Remove   *Remove   `parser:"| @@"`
	Renumber *Renumber `parser:"| @@"`
	Rename   *Rename   `parser:"| @@ )"`
}

// Replace gives a declaration of the extended schema a new body.
type Replace struct {
	Pos      Pos
	Encoding *Encoding `parser:"'replace' ( @@"`
	Type     *Type     `parser:"| @@"`
	Union    *Union    `parser:"| @@"`
	Erratum  *Erratum  `parser:"| @@"`
	Arm      *Arm      `parser:"| @@ )"`
}

// Extend puts items before those that arms of the extended schema have.
type Extend struct {
	Pos    Pos
	Union  *Name   `parser:"'extend' 'arm' @@"`
	Arms   []*Name `parser:"@@+"`
	Items  []*Item `parser:"'{' @@* '}'"`
	EndPos Pos
}

// Remove takes an arm, a type or an erratum out of the extended schema.
type Remove struct {
	Pos   Pos
	Kind  string  `parser:"'remove' @( 'arm' | 'type' | 'union' | 'erratum' )"`
	Names []*Name `parser:"@@+"`
}

// Renumber gives arms of a union other numbers.
type Renumber struct {
	Pos    Pos
	Union  *Name    `parser:"'renumber' @@"`
	Lines  []*NewID `parser:"'{' @@* '}'"`
	EndPos Pos
}

// NewID is an arm and its new number.
type NewID struct {
	Pos    Pos
	Name   *Name `parser:"@@"`
	ID     *Num  `parser:"@@"`
	EndPos Pos
}

// Rename gives arms of a union, or types, other names.
type Rename struct {
	Pos    Pos
	Union  *Name      `parser:"'rename' @@"`
	Lines  []*NewName `parser:"'{' @@* '}'"`
	EndPos Pos
}

// NewName is an arm, its new name and its new label.
type NewName struct {
	Pos    Pos
	Old    *Name `parser:"@@"`
	New    *Name `parser:"@@"`
	Label  *Str  `parser:"@@?"`
	EndPos Pos
}

// Item is one line, or one block, of a body. Exactly one field is set.
type Item struct {
	Pos     Pos
	Row     *Row     `parser:"( @@"`
	Repeat  *Repeat  `parser:"| @@"`
	Within  *Within  `parser:"| @@"`
	If      *If      `parser:"| @@"`
	Let     *Let     `parser:"| @@"`
	Refuse  *Str     `parser:"| 'refuse' @@"`
	Require *Name    `parser:"| 'requires' @@"`
	Writes  *Writes  `parser:"| @@"`
	Caption *Str     `parser:"| 'caption' @@"`
	Says    *Str     `parser:"| 'says' @@"`
	Example *Example `parser:"| @@"`
	Erratum *ErrRef  `parser:"| 'erratum' @@"`
	Word    *Word    `parser:"| (?= Ident '{' ) @@ )"`
	EndPos  Pos
}

// Row is one row of a table: offset, length, type, name and description.
type Row struct {
	Pos    Pos
	Offset *Expr       `parser:"'|' @@"`
	Length *Expr       `parser:"'|' @@"`
	Type   *TypeRef    `parser:"'|' @@"`
	Name   *Name       `parser:"'|' @@"`
	Value  *Expr       `parser:"( '=' @@ )? '|'"`
	Doc    *Str        `parser:"@@?"`
	Bits   []*BitField `parser:"( '{' @@+ '}' )?"`
	Attrs  []*Attr     `parser:"@@*"`
}

// TypeRef is the type of a row: a scalar, text or bytes of a length, a
// record, a union, or the number of one of a union's arms.
type TypeRef struct {
	Pos  Pos
	Name *Name   `parser:"@@"`
	ID   bool    `parser:"( @( '.' 'id' ) )?"`
	Size *Expr   `parser:"( '[' @@ ']' )?"`
	Args []*Expr `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
}

// Attr is a rule of one row. A row that is the same as a field documents bytes
// that another row reads, and is itself neither read nor written.
type Attr struct {
	Pos   Pos
	Pad   *Pad    `parser:"( @@"`
	Any   bool    `parser:"| @'any'"`
	Write *Expr   `parser:"| 'write' @@"`
	Check *Check  `parser:"| @@"`
	When  *When   `parser:"| @@"`
	At    *At     `parser:"| @@"`
	Same  *Name   `parser:"| 'same' @@"`
	Err   *ErrRef `parser:"| '!' @@ )"`
}

// At gives the offset that a row has under another choice of an axis.
type At struct {
	Pos    Pos
	Choice *Name `parser:"'at' @@"`
	Offset *Expr `parser:"@@"`
}

// When is the condition under which a row is there. It has no brace after it, which
// distinguishes it from an if with items.
type When struct {
	Pos  Pos
	Cond *Expr
}

// Pad is padding to a multiple of a number of bytes.
type Pad struct {
	Pos   Pos
	To    *Num `parser:"'pad' @@"`
	Any   bool `parser:"( @'any' )?"`
	OrEnd bool `parser:"( @( 'or' 'end' ) )?"`
}

// BitField is some bits of the word in a row, or of the word of an arm's union.
type BitField struct {
	Pos     Pos
	Rest    bool    `parser:"( @( 'rest' 'any' )"`
	Lo      *Num    `parser:"| @@"`
	Hi      *Num    `parser:"( '..' @@ )?"`
	Name    *Name   `parser:"@@"`
	Selects *Name   `parser:"( 'selects' @@ )?"`
	Value   *Expr   `parser:"( '=' @@ )?"`
	Doc     *Str    `parser:"@@?"`
	Attrs   []*Attr `parser:"@@* )"`
	EndPos  Pos
}

// Word has the bits of an arm in the word of its union.
type Word struct {
	Pos  Pos
	Name *Name       `parser:"@@"`
	Bits []*BitField `parser:"'{' @@+ '}'"`
}

// Repeat is a list of elements: of a counted number, or as many as there are
// before the end of what encloses it.
type Repeat struct {
	Pos   Pos
	ToEnd bool    `parser:"'repeat' ( @( 'to' 'end' )"`
	Count *Expr   `parser:"| @@ )"`
	Name  *Name   `parser:"'as' @@"`
	Map   bool    `parser:"( @'map' )?"`
	Doc   *Str    `parser:"@@?"`
	Items []*Item `parser:"'{' @@* '}'"`
	Attrs []*Attr `parser:"@@*"`
}

// Within limits rows to a number of bytes, which they must use up.
type Within struct {
	Pos   Pos
	Size  *Expr   `parser:"'within' @@"`
	Items []*Item `parser:"'{' @@* '}'"`
	Attrs []*Attr `parser:"@@*"`
}

// If holds rows that are there only under a condition.
type If struct {
	Pos  Pos
	Cond *Expr   `parser:"'if' @@"`
	Then []*Item `parser:"'{' @@* '}'"`
	Else []*Item `parser:"( 'else' '{' @@* '}' )?"`
}

// Let names a number computed from fields.
type Let struct {
	Pos   Pos
	Name  *Name `parser:"'let' @@"`
	Value *Expr `parser:"'=' @@"`
}

// Check is a condition that must hold, and the message if it does not: by default the
// description of what has it.
type Check struct {
	Pos     Pos
	Cond    *Expr `parser:"'check' @@"`
	Message *Str  `parser:"@@?"`
}

// Writes says that a writer puts another value in place of this arm.
type Writes struct {
	Pos    Pos
	Absent bool  `parser:"'writes' ( @'absent'"`
	Arm    *Name `parser:"| @@"`
	Text   *Str  `parser:"@@? )"`
	When   *Expr `parser:"( 'if' @@ )?"`
}

// Example is bytes and the value they represent, or the error that refuses them.
type Example struct {
	Pos    Pos
	Bytes  *Str     `parser:"'example' @@"`
	Open   []*Name  `parser:"( 'with' @@ ( ',' @@ )* )?"`
	Value  *Literal `parser:"( 'is' @@"`
	Refuse *Name    `parser:"| 'refused' @@"`
	At     *Num     `parser:"( 'at' @@ )? )"`
	Again  *Str     `parser:"( 'again' @@ )?"`
}

// Literal is a value of an example.
type Literal struct {
	Pos    Pos
	Name   *Name      `parser:"( @@"`
	Args   []*Literal `parser:"( '(' ( @@ ( ',' @@ )* )? ')' )?"`
	Neg    bool       `parser:"| ( @'-' )?"`
	Num    *Num       `parser:"@@"`
	Text   *Str       `parser:"| @@"`
	IsList bool       `parser:"| @'['"`
	Elems  []*Literal `parser:"( @@ ( ',' @@ )* )? ']'"`
	IsMap  bool       `parser:"| @'{'"`
	Pairs  []*LitPair `parser:"( @@ ( ',' @@ )* )? '}' )"`
}

// LitPair is a key and a value, or a field and its value, of a literal.
type LitPair struct {
	Pos   Pos
	Key   *Literal `parser:"@@ ':'"`
	Value *Literal `parser:"@@"`
}

// ErrRef names an erratum, and what the document says in a cell.
type ErrRef struct {
	Pos    Pos
	Name   *Name   `parser:"@@"`
	Absent bool    `parser:"( @'absent' )?"`
	Said   []*Said `parser:"( 'said' @@ ( ',' @@ )* )?"`
}

// Said is the text of one cell of a document.
type Said struct {
	Pos  Pos
	Cell string `parser:"@( 'offset' | 'length' | 'type' | 'name' | 'description' | 'label' )"`
	Text *Str   `parser:"@@"`
}

// Name is an identifier where it is declared or used.
type Name struct {
	Pos  Pos
	Text string `parser:"@Ident"`
}

// String returns the identifier; it may be called on nil.
func (n *Name) String() string {
	if n == nil {
		return ""
	}
	return n.Text
}

// Str is a quoted text.
type Str struct {
	Pos  Pos
	Text string `parser:"@String"`
}

// String returns the text without its quotes; it may be called on nil.
func (s *Str) String() string {
	if s == nil {
		return ""
	}
	return s.Text
}

// Num is a number as it was written.
type Num struct {
	Pos  Pos
	Text string `parser:"@Number"`
}
