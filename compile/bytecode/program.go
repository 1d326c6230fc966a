// Programs: code and the tables that it refers to.

package bytecode

import (
	"cmp"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// Program is a compiled schema for one choice of its option. A program that
// passes [Verify] must not be changed.
type Program struct {
	Schema    string // id of the schema
	Title     string // of the format
	Role      builtin.Role
	Choice    string   // name of the choice of the option, "" without an option
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
	Keys      [builtin.NumKeyRules][]uint32 // types that a rule for keys names

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

// Bare reports whether a value of the type is that of its only field, with the tag of that. A type has such values if it
// has no name, and its field is a record or a union.
func (t *Type) Bare() bool {
	return len(t.Fields) == 1 && t.Fields[0].Alone && t.Fields[0].Kind == builtin.None
}

// RoutineAt returns the routine of an instruction.
func (p *Program) RoutineAt(pc int) uint32 {
	return uint32(slices.IndexFunc(p.Routines, func(r Routine) bool { return uint32(pc) < r.End }))
}

// Bare returns the routine whose values those of a routine are, without records that are their only
// field.
func (p *Program) Bare(routine uint32) uint32 {
	for range p.Routines {
		in := &p.Code[p.Routines[routine].Start]
		if in.Op != Fields || !p.Types[in.B].Bare() {
			break
		}
		for pc := p.Routines[routine].Start; pc < p.Routines[routine].End; pc++ {
			if x := &p.Code[pc]; x.Op == Call {
				routine = x.A
				break
			}
		}
	}
	return routine
}

// InBare reports whether an instruction is in a record whose value is that of its only field.
func (p *Program) InBare(pc int) bool {
	i := slices.IndexFunc(p.Routines, func(r Routine) bool { return int(r.Start) <= pc && pc < int(r.End) })
	if i < 0 {
		return false
	}
	in := &p.Code[p.Routines[i].Start]
	return in.Op == Fields && p.Types[in.B].Bare()
}

// Write is the arm that a writer writes in place of another one.
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

	// computed by Verify
	spans []span // of the numbers of all arms, by number; nil if every arm has one
}

// TableArm is one arm of a table.
type TableArm struct {
	ID   uint64         // the lowest of its numbers
	IDs  builtin.Ranges // all of its numbers; nil if ID is the only one
	Else bool
	Type uint32
}

// Numbers returns the numbers of an arm. The arm for all other numbers has none.
func (a *TableArm) Numbers() builtin.Ranges {
	if a.Else || a.IDs != nil {
		return a.IDs
	}
	return builtin.Ranges{builtin.One(a.ID)}
}

// Ends returns the lowest and the highest number of each range of an arm.
func (a *TableArm) Ends() []uint64 {
	var out []uint64
	for _, r := range a.Numbers() {
		if out = append(out, r.Lo); r.Hi != r.Lo {
			out = append(out, r.Hi)
		}
	}
	return out
}

// Known returns the numbers of all arms, without the arm for all others.
func (t *Table) Known() builtin.Ranges {
	var all builtin.Ranges
	for i := range t.Arms {
		all = append(all, t.Arms[i].Numbers()...)
	}
	return builtin.Join(all...)
}

// span is a range of numbers of one arm.
type span struct {
	builtin.Range
	arm int
}

// NUL is the meaning of a zero byte in text.
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
	Charset builtin.Charset
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

// Spared reports whether a check is about a list that ends when few bytes are left. Only a writer refuses such a list.
func (p *Program) Spared(pc int) bool {
	regs := p.Exprs[p.Code[pc].A].Registers()
	for pc > 0 && p.Code[pc].Op == Check {
		pc--
	}
	in := &p.Code[pc]
	return in.Op == Let && p.Exprs[in.B].Op == ExprLeft && slices.Contains(regs, in.A)
}

// Delimiter returns the bytes that the content of an [Until] or a [Filled] ends before, or "". It also returns the
// number of bytes of a code unit of the content. The delimiter begins after a number of whole units. The content ends before
// the first delimiter, or before the last run of delimiters in the row if last is true.
func (p *Program) Delimiter(in *Instr) (end string, unit int, last bool) {
	unit = 1
	if in.A != None {
		unit = p.Encodings[in.A].Charset.Unit()
	}
	if in.Op == Filled {
		return strings.Repeat(string([]byte{byte(in.D)}), unit), unit, in.D&FillAny == 0
	}
	return p.Strings[in.B], unit, false
}

// ByID returns the index of the arm with the given number, or of the arm for all
// others. The program must have passed [Verify] if arms have several numbers.
func (t *Table) ByID(id uint64) (int, bool) {
	if t.spans != nil {
		return t.bySpan(id)
	}
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

// bySpan is ByID of a table whose arms have several numbers.
func (t *Table) bySpan(id uint64) (int, bool) {
	i, ok := slices.BinarySearchFunc(t.spans, id, func(s span, id uint64) int { return cmp.Compare(s.Hi, id) })
	if ok || i < len(t.spans) && t.spans[i].Lo <= id {
		return t.spans[i].arm, true
	}
	last := len(t.Arms) - 1
	return last, last >= 0 && t.Arms[last].Else
}

// index returns the spans of a table. It reports whether the numbers of arms are
// disjoint, and those of each arm sorted with gaps between them.
func (t *Table) index() (spans []span, ok bool) {
	several := false
	for i := range t.Arms {
		a := &t.Arms[i]
		if a.IDs != nil && (a.Else || !a.IDs.Several() || a.IDs[0].Lo != a.ID) {
			return nil, false
		}
		several = several || a.IDs != nil
		for k, r := range a.IDs {
			if r.Lo > r.Hi || k > 0 && (a.IDs[k-1].Hi >= r.Lo || a.IDs[k-1].Hi+1 == r.Lo) {
				return nil, false
			}
		}
	}
	if !several {
		return nil, true
	}
	for i := range t.Arms {
		for _, r := range t.Arms[i].Numbers() {
			spans = append(spans, span{r, i})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.Lo, b.Lo) })
	for i := 1; i < len(spans); i++ {
		if spans[i-1].Hi >= spans[i].Lo {
			return nil, false
		}
	}
	return spans, true
}
