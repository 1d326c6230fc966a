package notation

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// A Notation prints and reads the values of one machine. It does not change and may be used by
// any number of goroutines.
type Notation struct {
	p *bytecode.Program
	m *interp.Machine
	// types are the numbers of types by tag.
	types map[uint16]uint32
	// fields are the fields of each type.
	fields [][]field
	// names are those of types, or of the rows that they are declared in.
	names []string
	// records are the types of the values of each routine that is no union.
	records []uint32
}

// field is what instructions say about a field.
type field struct {
	forms   []*bytecode.Instr // that read it, without repetitions
	letters bool              // it is a number that holds the letters of a code
	single  bool              // it is of real numbers, none of them in double precision
	absent  bool              // it may have no value
}

// New returns the notation of values that its own machine reads. Tags in them are the numbers of types, from 1.
func New(p *bytecode.Program) (*Notation, error) {
	m, err := interp.New(p, func(i int, _ *bytecode.Type) uint16 { return uint16(i + 1) })
	if err != nil {
		return nil, err
	}
	return Of(m), nil
}

// Of returns the notation of values that a machine reads.
func Of(m *interp.Machine) *Notation {
	p := m.Program()
	n := &Notation{p: p, m: m, types: map[uint16]uint32{}, fields: make([][]field, len(p.Types)), names: make([]string, len(p.Types)), records: make([]uint32, len(p.Routines))}
	for i := range p.Types {
		if tag := m.Tag(i); tag != 0 {
			n.types[tag] = uint32(i)
		}
		n.fields[i] = make([]field, len(p.Types[i].Fields))
	}
	for i := range p.Routines {
		n.routine(uint32(i))
	}
	for _, fields := range n.fields {
		for i := range fields {
			fields[i].classify()
		}
	}
	return n
}

// routine notes the forms of the fields that a routine reads.
func (n *Notation) routine(index uint32) {
	r := &n.p.Routines[index]
	letters := map[uint32]bool{} // registers
	fields := []field(nil)
	for pc := r.Start; pc < r.End; pc++ {
		in := &n.p.Code[pc]
		switch in.Op {
		case bytecode.Absent:
			if int(in.A) < len(fields) {
				fields[in.A].absent = true
			}
		case bytecode.Fields:
			fields, n.records[index] = n.fields[in.B], in.B
			if n.names[in.B] = n.p.Types[in.B].Name; n.names[in.B] == "" {
				n.names[in.B] = n.p.Rules[in.Rule].Name
			}
		case bytecode.Word, bytecode.Union:
			letters[in.B] = in.Scalar() == bytecode.Code4
		case bytecode.Let:
			letters[in.A] = false
		}
		cell := in.Cell()
		if cell == bytecode.None || int(cell) >= len(fields) {
			continue
		}
		f := &fields[cell]
		if in.Op == bytecode.Take && letters[in.B] {
			f.letters = true
		}
		if !slices.ContainsFunc(f.forms, func(have *bytecode.Instr) bool { return alike(have, in) }) {
			f.forms = append(f.forms, in)
		}
	}
}

// alike reports whether two instructions read values of the same form.
func alike(a, b *bytecode.Instr) bool {
	if a.Op != b.Op {
		return false
	}
	switch a.Op {
	case bytecode.Scalars:
		return a.Scalar() == b.Scalar()
	case bytecode.Lanes, bytecode.Packed:
		return a.Scalar() == b.Scalar() && a.B == b.B
	case bytecode.Take:
		x, _ := a.Taken()
		y, _ := b.Taken()
		return x == y
	case bytecode.Until, bytecode.Filled:
		return (a.A == bytecode.None) == (b.A == bytecode.None)
	}
	return true
}

// classify notes how numbers of the field are printed, so that they are read back. Of real
// numbers, the form that rounds most is first: it is taken if it holds them exactly.
func (f *field) classify() {
	slices.SortStableFunc(f.forms, func(a, b *bytecode.Instr) int { return realWidth(a) - realWidth(b) })
	reals, doubles := false, false
	for _, in := range f.forms {
		switch in.Op {
		case bytecode.Scalars, bytecode.Lanes, bytecode.Packed:
			s := in.Scalar()
			reals = reals || s.IsFloat()
			doubles = doubles || s == bytecode.F64
		}
	}
	f.single = reals && !doubles
}

// realWidth returns the bytes of the real numbers of a tuple or array, and 0 for other forms.
func realWidth(in *bytecode.Instr) int {
	if (in.Op == bytecode.Lanes || in.Op == bytecode.Packed) && in.Scalar().IsFloat() {
		return in.Scalar().Width()
	}
	return 0
}

// exact returns the scalar in which a form of the field has to hold real numbers exactly. It is
// that of another form, or that of the instruction if none is wider.
func (f *field) exact(in *bytecode.Instr) bytecode.Scalar {
	if last := f.forms[len(f.forms)-1]; realWidth(in) > 0 && realWidth(last) > realWidth(in) {
		return last.Scalar()
	}
	return in.Scalar()
}

// Machine returns the machine that reads the values.
func (n *Notation) Machine() *interp.Machine { return n.m }

// Type returns the type of a value, or nil if it has none. A number or a list that is the field of a record has none.
func (n *Notation) Type(v interp.Value) *bytecode.Type {
	if i, ok := n.types[v.Tag()]; ok {
		return &n.p.Types[i]
	}
	return nil
}

// IsBytes reports whether field i of a type is an array of bytes in all its forms.
func (n *Notation) IsBytes(typ, i int) bool {
	forms := n.fields[typ][i].forms
	return len(forms) > 0 && !slices.ContainsFunc(forms, func(in *bytecode.Instr) bool {
		switch in.Op {
		case bytecode.Packed:
			return in.Scalar() != bytecode.U8 || in.B != 1
		case bytecode.Until, bytecode.Filled:
			return in.A != bytecode.None
		}
		return true
	})
}

// Letters returns the letters of field i of a record, if it holds the number of a code. The
// field may represent the record.
func (n *Notation) Letters(record interp.Value, i int) (text string, ok bool) {
	typ, ok := n.types[record.Tag()]
	if f := n.field(typ, i); !ok || f == nil || !f.letters {
		return "", false
	}
	if record.Kind() == interp.Record {
		record = record.At(i)
	}
	return Code(record.Uint()), true
}

// Alone returns the field that a value represents its record by, or -1.
func Alone(t *bytecode.Type, v interp.Value) int {
	if v.Kind() == interp.Record || v.IsNone() {
		return -1
	}
	for i, f := range t.Fields {
		if f.Alone && (f.Kind == v.Kind() || len(t.Fields) == 1) {
			return i
		}
	}
	return -1
}

// class is what kinds of value look alike in a text. A value may look like several.
type class uint8

const (
	classNumber class = 1 << iota
	classText
	classList
	classMap
)

// classOf returns what the values of field i of a type look like. A code without letters is a number. In JSON, maps are
// lists of pairs, bytes are texts, and a number may be a text.
func (n *Notation) classOf(typ uint32, i int, json bool) class {
	f := &n.fields[typ][i]
	switch n.p.Types[typ].Fields[i].Kind {
	case interp.Int, interp.Uint, interp.Float:
		if json || f.letters || slices.ContainsFunc(f.forms, ofCode) {
			return classNumber | classText
		}
		return classNumber
	case interp.Text:
		return classText
	case interp.Packed:
		if json && slices.ContainsFunc(f.forms, ofBytes) {
			return classList | classText
		}
		return classList
	case interp.Lanes, interp.List:
		return classList
	case interp.Map:
		if json {
			return classList
		}
		return classMap
	}
	return 0
}

// ofBytes reports whether an instruction reads an array of bytes.
func ofBytes(in *bytecode.Instr) bool {
	return isContent(in) || in.Op == bytecode.Packed && in.Scalar() == bytecode.U8 && in.B == 1
}

// ofCode reports whether an instruction reads the number of a code.
func ofCode(in *bytecode.Instr) bool {
	return in.Op == bytecode.Scalars && in.Scalar() == bytecode.Code4
}

// similar reports whether another field that may represent its record looks like field i. The
// array of one number looks like the number in the brackets of an arm: Point(1).
func (n *Notation) similar(typ uint32, i int, json bool) bool {
	t := &n.p.Types[typ]
	alike := func(i, k int) bool {
		own, other := n.classOf(typ, i, json), n.classOf(typ, k, json)
		spread := t.Union != "" && own&classList != 0 && other&classNumber != 0 && t.Fields[i].Kind != interp.List
		return spread || own&other != 0
	}
	for k, f := range t.Fields {
		if k != i && f.Alone && (alike(i, k) || alike(k, i)) {
			return true
		}
	}
	return false
}

// hasMap reports whether a map may represent a record of a type.
func hasMap(t *bytecode.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f bytecode.Field) bool { return f.Alone && f.Kind == interp.Map })
}
