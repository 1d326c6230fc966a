// Models: types, routines and statements.

package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Model is a schema as back ends need it.
type Model struct {
	Schema string // id of the schema
	Title  string // of the format
	Source string // origin of its facts, "" if it is not known
	Choice string // of the option, "" without an option
	Hash   string // of the compiled program, without descriptions and places in the source
	Big    bool   // numbers have their highest byte first
	Depth  int    // how deeply routines that nest may be nested, if the caller does not say
	Gates  []string

	Program   *bytecode.Program // the schema compiles to it; its routines have the same numbers
	Types     []*Type
	Routines  []*Routine
	Root      *Routine
	Encodings []*schema.Encoding
	Rules     []Rule

	// CountCalls says that the depth does not bound the recursion. Calls have to be
	// counted as well, up to [MaxCalls] of the depth.
	CountCalls bool
}

// Nests reports whether some routine counts towards the depth.
func (m *Model) Nests() bool {
	return slices.ContainsFunc(m.Routines, func(r *Routine) bool { return r.Nests })
}

// MaxCalls returns the deepest nesting of routines for a greatest depth. It
// includes routines that do not count towards the depth.
func MaxCalls(depth int) int { return 4*depth + 64 }

// Rule is a row of the schema.
type Rule struct {
	Name string // such as Text.length
}

// Type is a record, or an arm of a union.
type Type struct {
	Index   int            // in Model.Types
	Tag     int            // from 1 on for types that have a name; 0 for others
	Name    string         // "" for the element of a list
	Label   string         // what the document calls it
	Union   string         // "" for a record
	IDs     builtin.Ranges // numbers of the arm
	Else    bool           // arm for all other numbers
	Doc     []string
	Fields  []*Field
	Lanes   []string // names of the numbers, if the value is a tuple of them
	LaneDoc []string // what the rows of these numbers say
	Writes  []Write
	Keys    Keys
	Natural bool // of the arms of the root's union, the first with a shape that languages have a native value for
}

// Alone returns the only field of a type if it represents the record, or nil. A field that
// may be absent does not.
func (t *Type) Alone() *Field {
	if len(t.Fields) == 1 && t.Fields[0].Alone && !t.Fields[0].Optional {
		return t.Fields[0]
	}
	return nil
}

// Bare reports whether a value of the type is that of its only field, with the tag of that.
func (t *Type) Bare() bool {
	f := t.Alone()
	return f != nil && f.Kind == builtin.None
}

// Keys holds the special rules by which values of a type compare as keys of maps.
type Keys struct {
	Rule [builtin.NumKeyRules]bool // the schema names the type in a rule
	Core bool                      // a record compares by its list or map alone
}

// Write is a value that a writer puts in place of one of a type.
type Write struct {
	When   *Expr // over the fields of the type, or nil for always
	Absent bool  // nothing at all
	Type   *Type // else this type, which holds one text
	Text   string
}

// Field is one field of a type.
type Field struct {
	Index    int
	Name     string // "" for the numbers of a tuple
	Doc      string
	Kind     builtin.Kind // of the value it holds; builtin.None if it varies
	Alone    bool         // it may represent the record if no other field is present
	Optional bool         // it may be absent
	Shape    *Shape
}

// Kind is the kind of a shape.
type Kind uint8

// The kinds of shape.
const (
	Unit    Kind = iota // nothing
	Bool                // true or false
	Number              // a number in one of Scalars
	Text                // text
	Lanes               // Width numbers
	Packed              // any number of tuples of Width numbers
	List                // any number of Elem
	Map                 // any number of pairs of Key and Elem
	Union               // an arm of the union Routine
	Record              // the record Type
	ArmName             // the name of an arm of the union Routine
)

// Shape is a set of values.
type Shape struct {
	Kind     Kind
	Scalars  []builtin.Scalar // Number, Lanes, Packed: the one that a writer prefers, then others
	Width    int              // Lanes, Packed
	Names    []string         // Lanes: of the numbers, "" without one
	Encoding int              // Text
	Key      *Shape
	Elem     *Shape
	Routine  *Routine
	Type     *Type
}

// Scalar is the scalar that a writer prefers.
func (s *Shape) Scalar() builtin.Scalar { return s.Scalars[0] }

// Routine reads or writes one value.
type Routine struct {
	Index int
	Name  string
	Args  int    // how many registers are arguments, from register 0 on
	Exact []bool // of each argument: it is within ±[MaxExact] wherever the routine is called
	Nests bool   // counts towards the depth
	Min   uint64 // the fewest bytes that a value takes
	Rule  int    // of the union's word, of the union, or of the record

	Union *Switch // the routine is a union
	Type  *Type   // or one record,
	Body  []*Stmt // read and written so
	Shape *Shape  // of the values: of kind Union, Record, or that of a record's only field
}

// Switch is a union: how the arm is found, and the arms.
type Switch struct {
	Word    builtin.Scalar // read into register Reg; NoScalar if the number is computed from arguments
	Swapped bool           // the bytes of the word are in the other order than those of the schema
	Order   *Expr          // whether the highest byte of the word is first; nil if Swapped says that
	Reg     int
	Expr    *Expr // number of the arm
	Rule    int
	Arms    []*Arm // by number; the one for all others, if there is one, is last
}

// Arm is one alternative of a union.
type Arm struct {
	ID   uint64         // the lowest of its numbers
	IDs  builtin.Ranges // all of its numbers
	Else bool
	Type *Type
	Body []*Stmt
	Rule int
}

// Listed reports whether arms have several numbers.
func (s *Switch) Listed() bool {
	return slices.ContainsFunc(s.Arms, func(a *Arm) bool { return a.IDs.Several() })
}

// Known returns the numbers of all arms but the one for all others.
func (s *Switch) Known() builtin.Ranges {
	var all builtin.Ranges
	for _, a := range s.Arms {
		all = append(all, a.IDs...)
	}
	return builtin.Join(all...)
}

// Among returns the condition that a number is in one of some ranges. Its parts are
// equal, with a number, and between, with the lowest and the highest; or joins them.
func Among(ids builtin.Ranges, equal func(n uint64) string, between func(lo, hi uint64) string, or string) string {
	var all []string
	for _, r := range ids {
		if r.Lo == r.Hi {
			all = append(all, equal(r.Lo))
		} else {
			all = append(all, between(r.Lo, r.Hi))
		}
	}
	return strings.Join(all, or)
}

// Stmt is one statement, and the branches of an If. An Enter and its Leave, a Base and its
// Close, and a Seek and its Back are in one block with the statements between them.
type Stmt struct {
	Op       Op
	Rule     int              // row of the schema, in Model.Rules
	Scalar   builtin.Scalar   // Word, Header, Patch, Scalars, Truth, Lanes, Packed, Expect
	Swapped  bool             // the bytes of the numbers are in the other order than those of the schema
	Coding   builtin.Coding   // Word, Patch, Scalars: the way in which the number is written in bytes
	Longer   bool             // Word, Scalars: a reader accepts other forms of the coding
	Wide     bool             // Scalars, Take, Lanes, Packed: the wider of two forms
	Reg      int              // Word, Header, Let, Mark, Size, Patch, Sum, Choose: the register that is set. Take, ArmRef, Compare, and Seek with Align: that is taken
	Place    int              // Word: the register that keeps the place, or -1; Patch, Compare: that has it; Size: that has the mark
	Cell     int              // the cell that is set, or written
	Expr     *Expr            // the value, condition, length or count, or nil
	Width    int              // Lanes, Packed: numbers in a tuple
	Names    []string         // Packed: of the numbers in a tuple, nil if they have none
	Encoding int              // Text
	End      *Delimiter       // Text, Packed: the bytes that it ends before. It is nil if there are as many as Expr says, or if it goes on to the end of the region
	Elem     *Routine         // List, Map, Rest: of elements and values; Call: the callee; ArmRef, Subst: the union
	Key      *Routine         // Map
	Args     []*Expr          // Call, and List, Map, Rest: of each element. Those of a key come before those of its value. Check: the number that the error prints, if there is one
	Text     string           // Check: the error
	Nonzero  bool             // Truth: a reader takes every nonzero number for true
	Take     builtin.Kind     // Take: Bool, Uint or Int
	Align    int              // Pad; Seek: of which the place that a writer chooses is a multiple, 0 if the place is stored
	Fill     byte             // Pad; Total, and Sum with Holes: what each byte of the noted words counts as
	OrEnd    bool             // Pad: may be missing at the end of the region
	Exact    bool             // Pad: other bytes than the fill are refused
	Stops    bool             // Rest: the last element is the first one that stops the list
	Spare    int              // Rest: the list ends when at most that number of bytes are left
	Gate     int              // Gate
	Step     string           // List, Map, Rest, Call: the field's name in paths, "" if it represents an arm
	Derived  bool             // Compare: of a number that follows from others; else of a checksum
	Back     int              // Check, ArmRef, Compare: how many bytes before the cursor the row begins that it is about; Base: the record
	Then     []*Stmt          // If
	Else     []*Stmt          // If
	Sum      builtin.Checksum // Sum, Total
	Parts    []Part           // Sum
	Unread   bool             // Sum, Let, Check: a reader does not need it
	Unset    bool             // Sum: a writer does not need it
	Holes    bool             // Sum: each byte of the words that are noted for a base counts as Fill
	OfSum    bool             // Mark: only checksums need the place
	Base     int              // Base, Seek, Note, and Sum with Holes: the number of the records from which places count. Records of the same name have the same number
	Part     int              // Seek: parts with the same number may share a place
	Any      bool             // Seek: a reader accepts other places than the one that a writer chooses; Note, Total: any number
	View     bool             // Seek: other rows have the bytes
	Last     bool             // Seek: no byte of the base is behind the part
}

// Bytes returns the bytes of a number of one width.
func (s *Stmt) Bytes() int {
	if s.Coding != builtin.Fixed {
		return s.Coding.Width()
	}
	return s.Scalar.Width()
}

// Unequal describes a register of a Compare that is not the number of the expression.
func (s *Stmt) Unequal() string { return s.Text + " is not the number that a writer computes" }

// Tuple returns the names of the numbers in a tuple. A number without one has prefix and its place. of is the type that
// the statement is in.
func (s *Stmt) Tuple(of *Type, prefix string) []string {
	names, given := make([]string, s.Width), s.Names
	if s.Op == OpLanes {
		given = of.Lanes
	}
	for i := range names {
		names[i] = prefix + strconv.Itoa(i)
		if len(given) == s.Width && given[i] != "" {
			names[i] = given[i]
		}
	}
	return names
}

// Given returns the arguments of each element, or of the keys and of the values of a map.
func (s *Stmt) Given() (keys, elems []*Expr) {
	if s.Key != nil {
		return s.Args[:s.Key.Args], s.Args[s.Key.Args:]
	}
	return nil, s.Args
}

// Delimiter is bytes that text or bytes end before.
type Delimiter struct {
	Bytes string
	Unit  int  // bytes of a code unit of the content: they begin at a multiple of it
	Fill  bool // they fill the row, which has as many bytes as the expression says
	Last  bool // Fill: the content ends before the last run of them. Else it ends before the first one, and any bytes may follow
	Check bool // reading may make text shorter, which must still end there
	Zero  bool // Last: a zero byte in the content would end the text, and is refused
}

// Part is bytes of a checksum.
type Part struct {
	From, To int // registers that hold the places
	With     int // counts in place of each byte; -1 if the bytes themselves count
}

// Walk calls f for every statement of a block and of its branches.
func Walk(block []*Stmt, f func(*Stmt)) {
	for _, s := range block {
		f(s)
		Walk(s.Then, f)
		Walk(s.Else, f)
	}
}

// Counts returns the numbers of elements of the lists, maps and arrays of a record by their cells. They are expressions
// of registers that a reader has after them; nil for those without a count. Lists under a condition are left out.
func Counts(body []*Stmt) map[int]*Expr {
	counts := map[int]*Expr{}
	for _, s := range body {
		if s.Op == OpList || s.Op == OpMap || s.Op == OpPacked && s.End == nil {
			counts[s.Cell] = s.Expr
		}
	}
	return counts
}

// Exprs calls f for every expression of a statement that a direction computes.
func (s *Stmt) Exprs(writing bool, f func(*Expr)) {
	if writing {
		switch s.Op {
		case OpEnter, OpCompare:
			return
		}
	} else {
		switch s.Op {
		case OpHeader, OpWord, OpPatch, OpBits:
			return
		case OpCheck:
			if s.Unread {
				return
			}
		case OpTotal:
			if s.Any {
				return
			}
		}
	}
	if s.Expr != nil {
		f(s.Expr)
	}
	for _, a := range s.Args {
		f(a)
	}
}

// Uses returns the registers of a routine's block that a direction looks at.
func Uses(block []*Stmt, writing bool) map[int]bool {
	uses := map[int]bool{}
	note := func(e *Expr) {
		e.Walk(func(x *Expr) {
			if x.Op == builtin.Ref {
				uses[x.Reg] = true
			}
		})
	}
	// walk visits the last register that is set first. The value of a register is used
	// only if the register is.
	var walk func(block []*Stmt, after bool)
	walk = func(block []*Stmt, after bool) {
		for i := len(block) - 1; i >= 0; i-- {
			s := block[i]
			if s.Op == OpIf {
				after := Padded(block, i, after, writing)
				walk(s.Else, after)
				walk(s.Then, after)
			}
			switch s.Op {
			case OpBits:
				if writing && uses[s.Reg] {
					note(s.Expr)
				}
				continue
			case OpLet:
				if uses[s.Reg] || writing && fails(s.Expr) {
					note(s.Expr)
				}
				continue
			case OpTake, OpArmRef, OpNote:
				if !writing {
					uses[s.Reg] = true
				}
			case OpSize:
				if writing || Padded(block, i, after, false) {
					uses[s.Reg] = true
				}
				if uses[s.Reg] {
					uses[s.Place] = true
				}
			case OpPatch:
				if writing {
					uses[s.Place] = true
				}
			case OpCompare:
				if !writing {
					uses[s.Reg], uses[s.Place] = true, true
				}
			case OpSeek:
				if writing && s.Align > 0 {
					uses[s.Reg] = true
				}
			case OpSum:
				if s.Needed(uses, writing) {
					for _, p := range s.Parts {
						uses[p.From], uses[p.To] = true, true
					}
				}
			}
			s.Exprs(writing, note)
		}
	}
	walk(block, false)
	return uses
}

// fails reports whether computing an expression can fail.
func fails(e *Expr) bool {
	bad := false
	e.Walk(func(x *Expr) { bad = bad || x.Op == ExprFit })
	return bad
}

// IsVariant reports whether the root is a union of Variants, which are Values in generated Go. They are unions
// with arms for Dictionary, Array and String, as in package codec.
func (m *Model) IsVariant() bool {
	found := map[string]bool{}
	if u := m.Root.Union; u != nil {
		for _, a := range u.Arms {
			found[a.Type.Name] = true
		}
	}
	return found["Dictionary"] && found["Array"] && found["String"]
}
