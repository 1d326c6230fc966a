// The syntax tree: one Go type for each production of the grammar, with the
// production in its tags.

package dsl

import (
	"encoding/hex"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/octable/octable/dsl/builtin"
)

// Pos is a place in a schema file: name, line and column, from 1.
type Pos = lexer.Position

// File is one file: a schema or a page.
type File struct {
	Name     string      // file name, for positions
	Source   string      // the text that was parsed, without a byte order mark
	Decls    []*Decl     // of a schema, in the order of the file
	Page     []*PageDecl // of a page, in the order of the file
	Comments []*Comment  // every // comment, in the order of the file

	lines  []int // where each line begins in Source
	broken bool  // has text that is not in Decls
}

// Comment is a comment that documents no declaration.
type Comment struct {
	Pos  Pos
	Text string // with its slashes
}

// Decl is one declaration of a file. Exactly one of the fields after Doc is set, besides
// Replace: it gives what follows it in place of the one in the extended schema.
type Decl struct {
	Pos      Pos
	Doc      []string  `parser:"@Doc*"`
	Schema   *Schema   `parser:"( @@"`
	Import   *Import   `parser:"| @@"`
	Extend   *Extend   `parser:"| @@"`
	Drop     []*Path   `parser:"| 'drop' @@+"`
	Change   *Change   `parser:"| @@"`
	Replace  bool      `parser:"| @'replace'?"`
	Encoding *Encoding `parser:"( @@"`
	Type     *Type     `parser:"| @@"`
	Union    *Union    `parser:"| @@"`
	Arm      *Arm      `parser:"| @@ ) )"`
	EndPos   Pos
}

// Schema names the schema of the file and the one it extends.
type Schema struct {
	Pos     Pos
	Name    *Str    `parser:"'schema' @@"`
	Extends *Str    `parser:"( 'extends' @@ )?"`
	Marks   []*Name `parser:"( '!' @@ )*"`
	Props   []*Prop `parser:"'{' @@* '}'"`
	EndPos  Pos
}

// Import makes the types of another schema usable under a prefix.
type Import struct {
	Pos      Pos
	Schema   *Str       `parser:"'import' @@"`
	Name     *Name      `parser:"'as' @@"`
	Settings []*Setting `parser:"( '{' @@ ( ',' @@ )* '}' )?"`
	EndPos   Pos
}

// Setting is a gate that an import opens, or an option with the choice for it.
type Setting struct {
	Pos    Pos
	Name   *Name `parser:"@@"`
	Choice *Name `parser:"@@?"`
}

// Prop is one property of a schema.
type Prop struct {
	Pos    Pos
	Title  *Str    `parser:"( 'title' @@"`
	Source *Str    `parser:"| 'source' @@"`
	Role   string  `parser:"| 'role' @( 'document' | 'framing' )"`
	Order  string  `parser:"| 'order' @( 'little' | 'big' )"`
	Root   *Name   `parser:"| 'root' @@"`
	Depth  *Num    `parser:"| 'depth' @@"`
	Gate   *Gate   `parser:"| 'gate' @@"`
	Option *Option `parser:"| 'option' @@"`
	Keys   *Keys   `parser:"| 'keys' @@ )"`
	EndPos Pos
}

// Gate is a permission that a caller must give before some rows are read.
type Gate struct {
	Pos  Pos
	Name *Name `parser:"@@"`
	Doc  *Str  `parser:"@@?"`
}

// Option is a choice made for a whole schema, such as the precision of its reals.
type Option struct {
	Pos     Pos
	Name    *Name     `parser:"@@"`
	Choices []*Choice `parser:"'{' @@+ '}'"`
}

// Choice is one setting of an option: its name, and the scalar that the option then
// represents.
type Choice struct {
	Pos    Pos
	Name   *Name `parser:"@@"`
	Scalar *Name `parser:"@@ ','?"`
	EndPos Pos
}

// Keys has the rules by which keys of maps compare.
type Keys struct {
	Pos   Pos
	Rules []*KeyRule `parser:"'{' @@* '}'"`
}

// KeyRule is a rule by which values of arms compare as keys of maps.
type KeyRule struct {
	Pos    Pos
	Rule   *Name   `parser:"@@"`
	Arms   []*Name `parser:"@@ ( ',' @@ )*"`
	EndPos Pos
}

// Encoding is a named way to read and write text.
type Encoding struct {
	Pos    Pos
	Name   *Name   `parser:"'encoding' @@"`
	Marks  []*Name `parser:"( '!' @@ )*"`
	Words  []*Name `parser:"'{' @@* '}'"`
	EndPos Pos
}

// TextRule is one rule of an encoding: its name, and its word if it takes one.
type TextRule struct {
	Name, Word *Name // Word is nil for a character set, and if it is missing
}

// Rules returns the rules of an encoding.
func (e *Encoding) Rules() []TextRule {
	var out []TextRule
	for i := 0; i < len(e.Words); i++ {
		r := TextRule{Name: e.Words[i]}
		if builtin.TextRuleNamed(r.Name.Text) != nil && i+1 < len(e.Words) {
			i++
			r.Word = e.Words[i]
		}
		out = append(out, r)
	}
	return out
}

// Type is a named record, written inside others.
type Type struct {
	Pos   Pos
	Name  *Name   `parser:"'type' @@"`
	Args  []*Name `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
	Marks []*Name `parser:"( '!' @@ )*"`
	Items []*Item `parser:"'{' @@* '}'"`
}

// Union is a value of one of several arms, selected by a number. The number is a field of the rows that all arms begin
// with, or an argument.
type Union struct {
	Pos   Pos
	Name  *Name   `parser:"'union' @@"`
	Args  []*Name `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
	By    *Name   `parser:"'by' @@"`
	Marks []*Name `parser:"( '!' @@ )*"`
	Items []*Item `parser:"'{' @@* '}'"`
}

// Arm is one alternative of a union.
type Arm struct {
	Pos   Pos
	Union *Name   `parser:"'arm' @@"`
	IDs   []*ID   `parser:"@@ ( ',' @@ )*"`
	Name  *Name   `parser:"@@"`
	Label *Str    `parser:"@@?"`
	Marks []*Name `parser:"( '!' @@ )*"`
	Items []*Item `parser:"'{' @@* '}'"`
}

// ID is a number, a range of numbers, a code of letters, or else for all others.
type ID struct {
	Pos  Pos
	Num  *Num   `parser:"( @@"`
	High *Num   `parser:"  ( '..' @@ )?"`
	Code string `parser:"| @Code"`
	Else bool   `parser:"| @'else' )"`
}

// String returns the id in the notation of schemas.
func (id *ID) String() string {
	switch {
	case id.High != nil:
		return id.Num.Text + ".." + id.High.Text
	case id.Num != nil:
		return id.Num.Text
	case id.Else:
		return "else"
	}
	return id.Code
}

// Width returns the number of bytes from the beginning of the id to its end. The id has
// to be on one line.
func (id *ID) Width() int {
	if id.High != nil {
		return max(1, id.High.Pos.Offset+len(id.High.Text)-id.Pos.Offset)
	}
	return len(id.String())
}

// Path names a type, a union, an arm of a union, or a part of one of them.
type Path struct {
	Pos   Pos
	Names []*Name `parser:"@@ ( '.' @@ )*"`
}

// String returns the path in the notation of schemas.
func (p *Path) String() string {
	var s []string
	for _, n := range p.Names {
		s = append(s, n.Text)
	}
	return strings.Join(s, ".")
}

// Extend merges items with those that declarations of the extended schema have.
type Extend struct {
	Pos    Pos
	Paths  []*Path `parser:"'extend' @@+"`
	Marks  []*Name `parser:"( '!' @@ )*"`
	Items  []*Item `parser:"( '{' @@* '}' )?"`
	EndPos Pos
}

// Change gives arms of a union other names, numbers and labels, all at once.
type Change struct {
	Pos    Pos
	Union  *Name     `parser:"'change' @@"`
	Arms   []*NewArm `parser:"'{' @@+ '}'"`
	EndPos Pos
}

// NewArm is an arm with its new name, its new number and its new label. At least one of
// them is given.
type NewArm struct {
	Pos    Pos
	Old    *Name `parser:"@@"`
	New    *Name `parser:"@@?"`
	ID     *Num  `parser:"@@?"`
	Label  *Str  `parser:"@@?"`
	EndPos Pos
}

// Name returns the name that the arm has afterwards.
func (a *NewArm) Name() *Name {
	if a.New != nil {
		return a.New
	}
	return a.Old
}

// Item is one line, or one block, of a body. Exactly one field is set.
type Item struct {
	Pos     Pos
	Row     *Row     `parser:"( @@"`
	Repeat  *Repeat  `parser:"| @@"`
	If      *If      `parser:"| @@"`
	Order   *Order   `parser:"| @@"`
	Refuse  *Str     `parser:"| 'refuse' @@"`
	Require *Name    `parser:"| 'requires' @@"`
	Writes  *Writes  `parser:"| @@"`
	Example *Example `parser:"| @@"`
	Word    *Word    `parser:"| (?= Ident '{' ) @@ )"`
	EndPos  Pos
}

// Order is the order of the bytes of numbers in the rows after it. It is constant, or goes by
// the number of a field.
type Order struct {
	Pos    Pos
	Fixed  string       `parser:"'order' ( @( 'little' | 'big' )"`
	By     *Name        `parser:"| 'by' @@"`
	Cases  []*OrderCase `parser:"  '{' ( @@ ','? )+ '}' )"`
	EndPos Pos
}

// OrderCase is the order for a number, or for a range of numbers.
type OrderCase struct {
	Pos    Pos
	ID     *ID    `parser:"@@"`
	Order  string `parser:"@( 'little' | 'big' )"`
	EndPos Pos
}

// Row is one row of a table: offset, length, type, name and description. Either By or Type
// is set, and either At or Offset.
type Row struct {
	Pos    Pos
	At     *At         `parser:"'|' ( @@"`
	Offset *Expr       `parser:"| @@ )"`
	Length *Expr       `parser:"'|' @@"`
	Others []*Expr     `parser:"( 'or' @@ )*"` // lengths of other forms
	By     *By         `parser:"'|' ( @@"`
	Type   *TypeRef    `parser:"| @@ )"`
	Name   *Name       `parser:"'|' @@"`
	Value  *Expr       `parser:"( '=' ( @@"`
	Text   *Str        `parser:"| @@ ) )? '|'"` // of a row that is always the same
	Doc    *Str        `parser:"@@?"`
	Bits   []*BitField `parser:"( '{' @@+ '}' )?"`
	Attrs  []*Attr     `parser:"@@*"`
	EndPos Pos
}

// Computed returns what a writer computes for the row, or the text that the row always has. It returns nil for a row that
// is stored.
func (r *Row) Computed() *Expr {
	if r.Text != nil {
		return &Expr{Pos: r.Text.Pos, Str: r.Text}
	}
	return r.Value
}

// At is the place of a part: the number of bytes from the beginning of its base. The base is the record that has the
// row, or the one around it that Base names. Without a Value the row has the bytes between the parts of its record.
type At struct {
	Pos   Pos
	Value *Expr `parser:"'@' ( @@"`
	Base  *Path `parser:"  ( 'from' @@ )? )?"`
}

// By has the forms of a row, of which a number selects one.
type By struct {
	Pos      Pos
	Selector *Expr   `parser:"'by' @@"`
	Forms    []*Form `parser:"'{' @@ ( ',' @@ )* '}'"`
}

// Form is one form of a row, with the numbers that select it. It is a type, or the number that the row then has without
// any bytes.
type Form struct {
	Pos   Pos
	IDs   []*ID    `parser:"@@ ( ',' @@ )*"`
	Type  *TypeRef `parser:"( @@"`
	Value *Expr    `parser:"| '=' @@ )"`
	Doc   *Str     `parser:"@@?"`
}

// String returns the type of the form, or its value.
func (f *Form) String() string {
	if f.Value != nil {
		return "= " + f.Value.Text(false)
	}
	return f.Type.String()
}

// Lengths returns the lengths in the length cell of the row.
func (r *Row) Lengths() []*Expr { return append([]*Expr{r.Length}, r.Others...) }

// Types returns the name of the type of the row, or those of its forms.
func (r *Row) Types() string {
	if r.By == nil {
		return r.Type.Path()
	}
	var all []string
	for _, form := range r.By.Forms {
		if form.Type != nil {
			all = append(all, form.Type.Path())
		}
	}
	return strings.Join(all, " or ")
}

// In returns the row as if it had one form only.
func (r *Row) In(form *Form) *Row {
	one := *r
	one.Pos, one.By, one.Type = form.Pos, nil, form.Type
	if form.Doc != nil {
		one.Doc = form.Doc
	}
	return &one
}

// TypeRef is the type of a row. It is a scalar, text or bytes of a length, a record, a union, or the number of one of a
// union's arms. Import is the prefix of the import that declares the type, nil without one.
type TypeRef struct {
	Pos    Pos
	Import *Name   `parser:"( (?= Ident '.' (?! 'id' ) Ident ) @@ '.' )?"`
	Name   *Name   `parser:"@@"`
	ID     bool    `parser:"( @( '.' 'id' ) )?"`
	Extent *Extent `parser:"( '[' @@ ']' )?"`
	Args   []*Expr `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
	EndPos Pos
}

// Path returns the name of the type with the prefix of its import.
func (t *TypeRef) Path() string {
	if t.Import != nil {
		return t.Import.Text + "." + t.Name.Text
	}
	return t.Name.Text
}

// Extent is a number of bytes or elements, or all up to an end. The end is that of what encloses them, a terminator, or an
// element with a condition.
type Extent struct {
	Pos   Pos
	End   bool  `parser:"( 'until' ( @'end'"`
	Until *Str  `parser:"| @@"`
	Cond  *Expr `parser:"| @@ )"`
	Count *Expr `parser:"| @@ )"`
}

// Attr is a rule of one row, or the mark of an erratum.
type Attr struct {
	Pos   Pos
	Pad   *Pad   `parser:"( @@"`
	Any   bool   `parser:"| @'any'"`
	Fill  *Str   `parser:"| 'fill' @@"`
	View  bool   `parser:"| @'view'"`
	Side  string `parser:"| @( 'left' | 'right' )"` // of digits
	Check *Check `parser:"| @@"`
	When  *When  `parser:"| @@"`
	Err   *Name  `parser:"| '!' @@ )"`

	EndPos Pos
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
	With  *Str `parser:"( 'with' @@ )?"`
	Any   bool `parser:"( @'any' )?"`
	OrEnd bool `parser:"( @( 'or' 'end' ) )?"`
}

// BitField is some bits of the word in a row, or of the word of an arm's union.
type BitField struct {
	Pos     Pos
	Rest    bool     `parser:"( @( 'rest' 'any' )"`
	Lo      *Num     `parser:"| @@"`
	Hi      *Num     `parser:"( '..' @@ )?"`
	Name    *Name    `parser:"@@"`
	Signed  bool     `parser:"( @'signed'"`       // two's complement
	Selects *TypeRef `parser:"| 'selects' @@ )?"` // the option, or a union
	Value   *Expr    `parser:"( '=' @@ )?"`
	Doc     *Str     `parser:"@@?"`
	Attrs   []*Attr  `parser:"@@* )"`
	EndPos  Pos
}

// Word has the bits of an arm in the word of its union.
type Word struct {
	Pos  Pos
	Name *Name       `parser:"@@"`
	Bits []*BitField `parser:"'{' @@+ '}'"`
}

// Repeat is a list of elements, or a map: a list of keys with their values.
type Repeat struct {
	Pos    Pos
	Map    bool    `parser:"( 'repeat' | @'map' )"`
	Extent *Extent `parser:"@@"`
	Name   *Name   `parser:"'as' @@"`
	Doc    *Str    `parser:"@@?"`
	Items  []*Item `parser:"'{' @@* '}'"`
	Attrs  []*Attr `parser:"@@*"`
}

// If holds rows that are there only under a condition.
type If struct {
	Pos  Pos
	Cond *Expr   `parser:"'if' @@"`
	Then []*Item `parser:"'{' @@* '}'"`
	Else []*Item `parser:"( 'else' ( '{' @@* '}' | (?= 'if') @@ ) )?"` // else if: another If alone
}

// Check is a condition that must hold, and the message if it does not. The default
// message is the description of what has the check.
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
	When   *When `parser:"@@?"`
	EndPos Pos
}

// Example is bytes and the value they represent, or the error that refuses them. In the
// bytes, <Arm items> is the word of an arm.
type Example struct {
	Pos    Pos
	Name   *Name    `parser:"'example' @@?"`
	Bytes  *Str     `parser:"@@"`
	Open   []*Name  `parser:"( 'with' @@ ( ',' @@ )* )?"`
	Value  *Literal `parser:"( 'is' @@"`
	Again  *Str     `parser:"  ( 'again' @@ )?"`
	Refuse *Name    `parser:"| 'refused' @@ )"`
}

// Literal is a value of an example.
type Literal struct {
	Pos    Pos
	Neg    bool       `parser:"( ( @'-' )?"`
	Num    *Num       `parser:"( @@"`
	Name   *Name      `parser:"| @@"`
	Args   []*Literal `parser:"( '(' ( @@ ( ',' @@ )* )? ')' )? )"`
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

// End returns the place behind the identifier.
func (n *Name) End() Pos {
	at := n.Pos
	at.Advance(n.Text)
	return at
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

// Bytes returns the bytes of a text that has them in hexadecimal, with blanks between.
func (s *Str) Bytes() ([]byte, error) { return hex.DecodeString(strings.ReplaceAll(s.Text, " ", "")) }

// Num is a number as it was written.
type Num struct {
	Pos  Pos
	Text string `parser:"@Number"`
}
