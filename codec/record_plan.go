// Plans between the bytes of records and structs: the plain form of a record, of which each field
// has its place in the packet and in the struct.

package codec

import (
	"reflect"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// recordRead is how a record is read into a Go value.
type recordRead struct {
	steps []recordStep
	flat  bool // a run of fields, or one and a text
	whole bool // the fields are all the memory of the Go value
	zero  reflect.Type
}

// recordCode is what is done with a part of a record.
type recordCode uint8

const (
	recordRun    recordCode = iota // fields of fixed size
	recordText                     // text into a string
	recordBytes                    // text or bytes into a []byte
	recordNumber                   // array of numbers into a slice or an array
	recordList                     // list into a slice
	recordInner                    // record
	recordSkip                     // text or array that no field takes
	recordPad                      // padding to a multiple of bytes
)

// recordStep is a part of a record.
type recordStep struct {
	code     recordCode
	size     int    // recordRun: bytes; recordPad: multiple; recordNumber, recordSkip: bytes of an element
	moves    []move // recordRun
	count    partCount
	encoding int
	field    *field // nil: the Go value itself
	offset   uintptr
	number   move        // recordNumber: of an element
	elem     *recordRead // recordList, recordInner
	least    uint32
	op       *readOp      // recordNumber, recordList: the slice
	array    int          // recordNumber: length of a Go array, or -1
	typ      reflect.Type // recordNumber: the array
	bare     bool         // recordPad: the padding may be missing at the end
	fill     int          // recordPad: the byte that it must be, or -1
}

// partCount is the number of parts: a constant, bits of a word of the last run, or, if rest is
// true, as many as there are.
type partCount struct {
	n      int64
	from   *bytecode.Bits
	scalar bytecode.Scalar
	big    bool
	rest   bool
}

// moveCode is how a number is moved from the packet to Go memory.
type moveCode uint8

const (
	moveAny moveCode = iota // into an integer that may be too small, or of another size
	move8
	move16
	move16Big
	move32
	move32Big
	move64
	move64Big
	moveSingle // float32, which is not a NaN
	moveSingleBig
	moveFloat // into a float64
	moveBool
	movePair16Big // two numbers that are neighbors in the packet and in Go memory
	movePair32Big
)

// move is a number at a place of a run.
type move struct {
	code   moveCode
	off    int
	field  *field // nil: the Go value itself
	offset uintptr
	scalar bytecode.Scalar
	big    bool
	from   *bytecode.Bits // bits of a word
	int    bool           // the number is signed
	signed bool           // moveAny: the Go type is
	size   uint8          // moveAny: bytes of the Go type
	any    bool           // moveBool: any number is true that is not 0
}

// recordCompiler makes the plans of one Go type.
type recordCompiler struct {
	p       *bytecode.Program
	big     bool
	chunks  int
	unknown bool // the schema has fields that the Go type has not
	open    map[uint32]bool
}

// recordProgram returns how a type is read from records, or nil if all goes by Values.
func (c *Codec) recordProgram(t reflect.Type) *readProgram {
	p := c.m.Program()
	rc := recordCompiler{p: p, big: p.Big, open: map[uint32]bool{}}
	rec := rc.record(p.Root, t)
	if rec == nil {
		return nil
	}
	return &readProgram{record: rec, unknown: rc.unknown, chunks: rc.chunks}
}

// record returns how the values of a routine are read into a type, or nil.
func (c *recordCompiler) record(routine uint32, t reflect.Type) *recordRead {
	r := &c.p.Routines[routine]
	in := &c.p.Code[r.Start]
	if in.Op != bytecode.Fields || r.Args != 0 || c.open[routine] {
		return nil
	}
	form := c.p.Plain(int(r.Start), bytecode.Reading)
	typ := &c.p.Types[form.Type]
	done := &c.p.Code[c.p.End(int(r.Start))]
	single := len(typ.Fields) == 1 && typ.Fields[0].Alone && done.B&bytecode.DoneAlone != 0
	if !form.Whole || !form.Fixed || typ.Union != "" || len(typ.Fields) == 0 {
		return nil
	}
	c.open[routine] = true // a record that contains itself goes by Values
	defer delete(c.open, routine)
	p := planFor(t, want{})
	if p.readHook != noHook || t == valueType {
		return nil
	}
	rec := &recordRead{zero: t}
	fields := make([]*field, len(typ.Fields))
	if t.Kind() == reflect.Struct {
		if p.form != formStruct || p.problem != "" || p.fields.rest != nil {
			return nil
		}
		taken := 0
		for i := range typ.Fields {
			j, ok := p.fields.byName[typ.Fields[i].Name]
			if !ok {
				c.unknown = true
				continue
			}
			f := &p.fields.fields[j]
			if f.indirect || f.plan.want.typ != 0 {
				return nil
			}
			fields[i], taken = f, taken+1
		}
		for i := range p.fields.fields {
			if p.fields.fields[i].required {
				return nil
			}
		}
		rec.whole = taken == len(p.fields.fields) && covers(t, p.fields.fields, nil)
	} else if !single {
		return nil
	} else {
		rec.whole = true
	}
	if !c.steps(rec, form, fields, t) {
		return nil
	}
	for i := range rec.steps {
		rec.steps[i].moves = pairs(pairs(rec.steps[i].moves))
	}
	rec.flat = len(rec.steps) > 0 && len(rec.steps) <= 2 && rec.steps[0].code == recordRun && (len(rec.steps) == 1 || rec.steps[1].code == recordText)
	return rec
}

// steps makes the steps of a record. t is the Go type; fields has its field for each cell, which is
// nil for cells that are left out, and for a Go value that is no struct.
func (c *recordCompiler) steps(rec *recordRead, form *bytecode.Plain, fields []*field, t reflect.Type) bool {
	run := -1
	at := -1 // index of the step of the last run
	for i := range form.Steps.List {
		x := &form.Steps.List[i]
		if x.Run > run {
			run = x.Run
			at = len(rec.steps)
			rec.steps = append(rec.steps, recordStep{code: recordRun, size: form.Steps.Runs[run]})
		}
		// target returns the type of the field for a cell, or nil if there is none.
		target := func(cell uint32) (*field, uintptr, reflect.Type) {
			if t.Kind() != reflect.Struct {
				return nil, 0, t
			}
			if f := fields[cell]; f != nil {
				return f, f.offset, f.plan.typ
			}
			return nil, 0, nil
		}
		switch x.Op {
		case bytecode.Word, bytecode.Let:
			if x.Op == bytecode.Word && form.Needs(x.B) || x.Op == bytecode.Let && form.Needs(x.A) {
				return false
			}
		case bytecode.Scalars, bytecode.Truth:
			f, offset, gt := target(x.Cell())
			m := move{off: x.Off, field: f, offset: offset, scalar: x.Scalar()}
			kind := numberKind(m.scalar)
			if x.Op == bytecode.Truth {
				kind, m.any = interp.Bool, x.C&bytecode.TruthNonzero != 0
			}
			if gt == nil {
				if kind == interp.Bool && !m.any {
					return false // the number must be 0 or 1
				}
				continue
			}
			if !c.move(&m, kind, gt) {
				return false
			}
			rec.steps[at].moves = append(rec.steps[at].moves, m)
		case bytecode.Take:
			if x.From == nil || x.From.Run != run {
				return false
			}
			f, offset, gt := target(x.A)
			if gt == nil {
				continue
			}
			m := move{off: x.From.Off, field: f, offset: offset, scalar: x.From.Scalar, from: x.From, any: true}
			kind, _ := x.Taken()
			if !c.move(&m, kind, gt) {
				return false
			}
			rec.steps[at].moves = append(rec.steps[at].moves, m)
		default:
			s := recordStep{array: -1}
			if !c.part(&s, x, run, target) {
				return false
			}
			rec.steps = append(rec.steps, s)
		}
	}
	return true
}

// pairs makes one move of two numbers that are neighbors in the packet and in Go memory.
func pairs(moves []move) []move {
	if !rawMemory {
		return moves
	}
	var out []move
	for i := 0; i < len(moves); i++ {
		m := moves[i]
		width := map[moveCode]int{move16: 2, move16Big: 2, move32: 4, move32Big: 4}[m.code]
		if i+1 < len(moves) && width > 0 && m.field != nil {
			if next := moves[i+1]; next.code == m.code && next.off == m.off+width && next.offset == m.offset+uintptr(width) {
				m.code = map[moveCode]moveCode{move16: move32, move16Big: movePair16Big, move32: move64, move32Big: movePair32Big}[m.code]
				m.scalar, m.big = map[moveCode]bytecode.Scalar{move32: bytecode.U32, move64: bytecode.U64}[m.code], false
				i++
			}
		}
		out = append(out, m)
	}
	return out
}

// numberKind returns the kind of the values of a scalar.
func numberKind(s bytecode.Scalar) interp.Kind {
	switch {
	case s.IsFloat():
		return interp.Float
	case s.Signed():
		return interp.Int
	}
	return interp.Uint
}

// move decides how a number goes into a Go type.
func (c *recordCompiler) move(m *move, kind interp.Kind, t reflect.Type) bool {
	if planFor(t, want{}).readHook != noHook || m.scalar.Odd() || m.scalar == bytecode.F16 {
		return false
	}
	m.int = kind == interp.Int
	m.big = c.big && m.scalar != bytecode.Code4 && m.scalar.Width() > 1
	k := t.Kind()
	width := m.scalar.Width()
	integer := k >= reflect.Int && k <= reflect.Uint64
	switch {
	case kind == interp.Bool && k == reflect.Bool:
		m.code = moveBool
		return true
	case kind == interp.Float && m.from == nil && width == 4 && k == reflect.Float32:
		m.code = moveSingle
	case kind == interp.Float && m.from == nil && width == 8 && k == reflect.Float64:
		m.code = move64
	case kind == interp.Float && m.from == nil && k == reflect.Float64:
		m.code = moveFloat
		return true
	case (kind == interp.Int || kind == interp.Uint) && integer:
		m.signed, m.size = k <= reflect.Int64, uint8(t.Size())
		if int(t.Size()) != width || m.signed != (kind == interp.Int) || m.from != nil {
			m.code = moveAny
			return true
		}
		m.code = map[int]moveCode{1: move8, 2: move16, 4: move32, 8: move64}[width]
	default:
		return false
	}
	if m.big {
		m.code++
	}
	return true
}

// part decides how a part of variable size is read.
func (c *recordCompiler) part(s *recordStep, x *bytecode.Step, run int, target func(uint32) (*field, uintptr, reflect.Type)) bool {
	counted := x.Op == bytecode.Text || x.Op == bytecode.Packed || x.Op == bytecode.List
	if counted {
		switch {
		case x.Const:
			s.count.n = x.N
		case x.Count() == bytecode.None:
			if s.count.rest = true; x.Op != bytecode.Packed {
				return false
			}
		case x.From == nil || x.From.Run != run:
			return false // the run is not the last one, or the number is computed
		default:
			s.count.from, s.count.scalar = x.From, x.From.Scalar
			s.count.big = c.big && x.From.Scalar != bytecode.Code4 && x.From.Scalar.Width() > 1
			if x.From.Scalar.Odd() || x.From.Scalar.IsFloat() {
				return false
			}
		}
	}
	var t reflect.Type
	switch x.Op {
	case bytecode.Pad:
		s.code, s.size, s.bare, s.fill = recordPad, int(x.A), x.B&bytecode.PadOrEnd != 0, -1
		if x.B&bytecode.PadExact != 0 {
			s.fill = int(byte(x.C))
		}
		return true
	case bytecode.Text:
		s.encoding = int(x.A)
		if s.field, s.offset, t = target(x.C); t == nil {
			return false // text must be well-formed, also if no field takes it
		}
		if planFor(t, want{}).readHook != noHook {
			return false
		}
		switch {
		case t.Kind() == reflect.String:
			s.code = recordText
			return true
		case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
			s.code = recordBytes
			c.slice(s, t)
			return true
		}
		return false
	case bytecode.Packed:
		if x.B != 1 || x.A&bytecode.FlagWide != 0 {
			return false
		}
		s.size = x.Scalar().Width()
		if s.field, s.offset, t = target(x.D); t == nil {
			s.code = recordSkip
			return true
		}
		return c.numbers(s, x.Scalar(), t)
	case bytecode.List:
		if s.field, s.offset, t = target(x.C); t == nil || t.Kind() != reflect.Slice || planFor(t, want{}).readHook != noHook || c.p.Code[x.PC].Op != bytecode.List {
			return false
		}
		if _, n := c.p.Passed(x.PC); n > 0 {
			return false
		}
		s.code, s.elem = recordList, c.record(x.B, t.Elem())
		least := c.p.Bounds(x.B).Min
		if s.elem == nil || least == 0 || least > 1<<30 {
			return false
		}
		s.least = uint32(least)
		c.slice(s, t)
		return true
	case bytecode.Call:
		if s.field, s.offset, t = target(x.B); t == nil || len(c.p.Args[x.C]) > 0 {
			return false
		}
		s.code, s.elem = recordInner, c.record(x.A, t)
		return s.elem != nil
	}
	return false
}

// numbers decides how an array of numbers is read.
func (c *recordCompiler) numbers(s *recordStep, scalar bytecode.Scalar, t reflect.Type) bool {
	if planFor(t, want{}).readHook != noHook || t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
		return false
	}
	s.number.scalar = scalar
	if s.code = recordNumber; !c.move(&s.number, numberKind(scalar), t.Elem()) {
		return false
	}
	if t.Kind() == reflect.Array {
		s.array, s.typ = t.Len(), t
		return true
	}
	if scalar == bytecode.U8 && t.Elem().Kind() == reflect.Uint8 {
		s.code = recordBytes
		s.encoding = -1
	}
	c.slice(s, t)
	return true
}

// slice prepares a slice for [planReader.sized].
func (c *recordCompiler) slice(s *recordStep, t reflect.Type) {
	s.op = &readOp{code: opList, plan: planFor(t, want{}), size: uint32(t.Elem().Size()), chunk: c.chunks, whole: s.elem == nil}
	c.chunks++
}
