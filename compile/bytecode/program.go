// Programs: code and the tables that it refers to.

package bytecode

// Program is a compiled schema for one choice of its axis. A program that
// passes [Verify] must not be changed.
type Program struct {
	Schema    string   // id of the schema
	Title     string   // of the format
	Choice    string   // name of the choice of the axis, "" without an axis
	Big       bool     // numbers have their highest byte first
	Root      uint32   // the routine of the outermost value
	Depth     uint32   // how deeply routines marked Nests may be nested, if the caller does not say
	Gates     []string // names of the gates
	Types     []Type
	Routines  []Routine
	Code      []Instr
	Exprs     []*Expr
	Args      [][]uint32 // lists of expressions
	Tables    []Table
	Encodings []Encoding
	Strings   []string
	Rules     []Rule
	Equal     []uint32 // types whose values are equal keys when their text is equal
	Differ    []uint32 // types whose values are never equal keys, not even inside one
	Exact     []uint32 // types whose numbers are equal in keys only when their bits are
	Apart     []uint32 // types that, inside a key, are not equal to themselves when not a number

	// computed by Verify
	sizes []Bounds   // of routines
	ends  []uint32   // of each instruction, see End
	arms  [][]uint32 // of each table, see ArmAt
}

// Type names a shape of value: an arm of a union, or a record.
type Type struct {
	Name   string
	Label  string // what the document calls it
	Union  string // "" for a record that belongs to no union
	ID     uint64 // number of the arm
	Fields []Field
	Lanes  []string // names of the numbers, if the value is a tuple of them
	Writes []Write
}

// Field is one field of a record, in one cell.
type Field struct {
	Name  string
	Kind  Kind // of the value it holds; builtin.None if it varies
	Alone bool // it may represent the record if no other field is present
}

// Write says what a writer puts in place of an arm.
type Write struct {
	When   uint32 // expression over the arm's cells, or None for always
	Absent bool   // nothing at all
	Type   uint32 // else this type, which holds one text
	Text   string
}

// Routine reads or writes one value.
type Routine struct {
	Name  string
	Start uint32 // first instruction
	End   uint32 // the instruction after the last
	Regs  uint32
	Cells uint32
	Args  uint32 // number of arguments, which are in the first registers
	Nests bool   // counts towards the depth
}

// Table lists the arms of one union or switch.
type Table struct {
	Arms []TableArm // by number; the arm for all others, if there is one, is last
}

// TableArm is one arm of a table.
type TableArm struct {
	ID   uint64
	Else bool
	Type uint32
}

// UTF8 is how strictly text is checked.
type UTF8 uint8

// The ways to check text.
const (
	UTF8Strict    UTF8 = iota // as RFC 3629 says
	UTF8Loose                 // forms of 1 to 6 bytes; surrogates, and most overlong forms, pass
	UTF8Unchecked             // any bytes
	numUTF8
)

// NUL is what a zero byte in text means.
type NUL uint8

// The meanings of a zero byte.
const (
	NULKeep    NUL = iota // a character
	NULStop               // text ends before it; what follows is ignored
	NULCounted            // as NULStop; a writer adds one at the end and counts it
	numNUL
)

// Encoding is a way to read and write text.
type Encoding struct {
	Name    string
	UTF8    UTF8
	DropBOM bool // a byte order mark at the beginning is left out
	NUL     NUL
}

// Rule is the schema row that an instruction was made from.
type Rule struct {
	File string
	Line uint32
	Name string // such as String.length
	Doc  string // description of the row
}

// Bounds are the fewest and the most bytes that a value takes on the wire.
type Bounds struct {
	Min uint64
	Max uint64 // Unbounded when there is no limit
}

// Unbounded is a size without a limit.
const Unbounded = 1<<64 - 1

// Bounds returns how many bytes a value of a routine can take.
// The program must have passed [Verify].
func (p *Program) Bounds(routine uint32) Bounds { return p.sizes[routine] }

// ByID returns the index of the arm with the given number, or of the arm for all
// others.
func (t *Table) ByID(id uint64) (int, bool) {
	lo, hi := 0, len(t.Arms)
	if hi > 0 && t.Arms[hi-1].Else {
		hi--
	}
	n := hi
	for lo < hi {
		m := int(uint(lo+hi) / 2)
		if t.Arms[m].ID < id {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < n && t.Arms[lo].ID == id {
		return lo, true
	}
	return n, n < len(t.Arms)
}
