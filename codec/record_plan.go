// Plans between the bytes of records and structs: the plain form of a record, of which each field
// has its place in the packet and in the struct.

package codec

import (
	"reflect"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// recordPlan is how a record is read into a Go value, or written from one.
type recordPlan struct {
	steps []recordStep
	regs  int  // registers that checks and conditions use
	flat  bool // a run of fields, or one and a text
	whole bool // the fields are all the memory of the Go value
	zero  reflect.Type
}

// recordCode is what is done with a part of a record.
type recordCode uint8

const (
	recordRun     recordCode = iota // fields of fixed size
	recordText                      // text and a string
	recordBytes                     // text or bytes and a []byte
	recordNumber                    // array of numbers and a slice or an array
	recordList                      // list and a slice
	recordInner                     // record
	recordSkip                      // reading: array that no field takes
	recordPad                       // padding to a multiple of bytes
	recordPointer                   // a part behind a pointer
	recordLet                       // an expression into a register
	recordCheck                     // an expression that must hold
	recordIf                        // steps under a condition
	recordAbsent                    // writing: the field must be left out
	recordPresent                   // writing: the field must not be left out
)

// recordStep is a part of a record.
type recordStep struct {
	code     recordCode
	size     int    // recordRun: bytes; recordPad: multiple; recordNumber, recordSkip: bytes of an element
	moves    []move // recordRun
	words    []word // recordRun: those that the moves do not write, or that have a register
	count    partCount
	encoding int
	field    *field // nil: the Go value itself
	offset   uintptr
	number   move        // recordNumber: of an element
	elem     *recordPlan // recordList, recordInner
	least    uint32
	op       *readOp      // recordNumber, recordList: the slice
	array    int          // recordNumber: length of a Go array, or -1
	typ      reflect.Type // recordNumber: the array
	bare     bool         // recordPad: the padding may be missing at the end
	fill     int          // recordPad: the byte that is written, and that it must be; reading: -1 for any
	inner    *recordStep  // recordPointer
	expr     *bytecode.Expr
	bits     *bytecode.Bits // expr: of a register, which are all that it is computed from besides than
	than     int64
	reg      int          // recordLet
	then     []recordStep // recordIf
	els      []recordStep
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

// word is a number of a run that no field holds. Reading takes it into a register. Writing computes
// it: a constant, and the number of parts of a field or bits of fields.
type word struct {
	off    int
	scalar bytecode.Scalar
	big    bool
	reg    int  // -1: none
	moved  bool // writing: a move has written it
	base   uint64
	count  *wordPart // a text, a slice or an array
	most   uint64    // of count
	bits   []wordPart
}

// wordPart is a field that a word is computed from.
type wordPart struct {
	field   *field
	offset  uintptr
	pointer reflect.Type // of the field, if it is one
	text    bool
	bool    bool
	size    uint8
	signed  bool
	width   uint
	shift   uint
}

// recordCompiler makes the plans of one Go type.
type recordCompiler struct {
	p       *bytecode.Program
	big     bool
	write   bool
	chunks  int
	unknown bool // the schema has fields that the Go type has not
	open    map[uint32]bool
	names   Naming
}

// recordPlan returns how a type is read from records or written as one, or nil if all goes by Values.
func (c *Codec) recordPlan(t reflect.Type, write bool) (*recordPlan, recordCompiler) {
	p := c.m.Program()
	rc := recordCompiler{p: p, big: p.Big, write: write, open: map[uint32]bool{}, names: c.opt.Names}
	return rc.record(p.Root, t), rc
}

// recordProgram returns how a type is read from records, or nil if all goes by Values.
func (c *Codec) recordProgram(t reflect.Type) *readProgram {
	rec, rc := c.recordPlan(t, false)
	if rec == nil {
		return nil
	}
	return &readProgram{record: rec, unknown: rc.unknown, chunks: rc.chunks}
}

// hooked reports whether values of a type are converted by methods of the type.
func (c *recordCompiler) hooked(t reflect.Type) bool {
	p := planFor(t, want{})
	return c.write && p.writeHook != noHook || !c.write && p.readHook != noHook
}

// record returns how values of a routine are read into a type or written from it, or nil.
func (c *recordCompiler) record(routine uint32, t reflect.Type) *recordPlan {
	r := &c.p.Routines[routine]
	in := &c.p.Code[r.Start]
	if in.Op != bytecode.Fields || r.Args != 0 || c.open[routine] {
		return nil
	}
	direction := bytecode.Reading
	if c.write {
		direction = bytecode.Writing
	}
	form := c.p.Plain(int(r.Start), direction)
	typ := &c.p.Types[form.Type]
	done := &c.p.Code[c.p.End(int(r.Start))]
	rest := c.rest(form)
	fixed := form.Fixed || rest != nil && len(typ.Fields) == 1
	single := len(typ.Fields) == 1 && typ.Fields[0].Alone && done.B&bytecode.DoneAlone != 0 && fixed
	if typ.Bare() || !form.Whole && rest == nil || r.Nests || typ.Union != "" || len(typ.Fields) == 0 || c.hooked(t) || t == valueType {
		return nil
	}
	c.open[routine] = true // a record that contains itself goes by Values
	defer delete(c.open, routine)
	rec := &recordPlan{zero: t, whole: form.Fixed}
	b := stepCompiler{recordCompiler: c, form: form, typ: t}
	if t.Kind() == reflect.Struct {
		p := planFor(t, want{names: c.names})
		if p.form != formStruct || p.problem != "" || p.fields.variant != "" || p.fields.rest != nil || !b.take(typ, p) {
			return nil
		}
		rec.whole = rec.whole && b.taken == len(p.fields.fields) && covers(t, p.fields.fields, nil)
	} else if !single {
		return nil
	}
	for reg := range r.Regs {
		if form.Needs(reg) {
			rec.regs = int(r.Regs)
		}
	}
	b.bools = map[uint32]bool{}
	b.truths(&form.Steps)
	var ok bool
	if rec.steps, ok = b.steps(&form.Steps); !ok {
		return nil
	}
	if rest != nil {
		step := recordStep{array: -1}
		if !b.part(&step, &bytecode.Step{Instr: rest, PC: form.Leave, Run: -1}, -1) {
			return nil
		}
		rec.steps = append(rec.steps, step)
	}
	rec.flat = rec.regs == 0 && c.isFlat(rec.steps)
	return rec
}

// rest returns the list of elements of fixed size up to the end that a record ends with, which is all
// that is not plain in it, or nil.
func (c *recordCompiler) rest(form *bytecode.Plain) *bytecode.Instr {
	in := &c.p.Code[form.Leave]
	if in.Op != bytecode.Rest || form.Leave+1 != c.p.End(form.Fields) {
		return nil
	}
	size := c.p.Bounds(in.A)
	if _, n := c.p.Passed(form.Leave); n > 0 || size.Min != size.Max || size.Min == 0 {
		return nil
	}
	return in
}

// isFlat reports whether steps are a run of fields, or one and a text whose length is the only
// word of the run.
func (c *recordCompiler) isFlat(steps []recordStep) bool {
	switch {
	case len(steps) == 0 || len(steps) > 2 || steps[0].code != recordRun:
		return false
	case len(steps) == 1:
		return !slices.ContainsFunc(steps[0].words, func(w word) bool { return !w.isColumn() })
	case steps[1].code != recordText || !c.write:
		return steps[1].code == recordText
	}
	words := steps[0].words
	return len(words) == 1 && words[0].count != nil && words[0].count.pointer == nil && words[0].count.field == steps[1].field
}

// isColumn reports whether the word is the sum of a constant and bits of fields that are no pointers.
func (w *word) isColumn() bool {
	return w.count == nil && !w.moved && !slices.ContainsFunc(w.bits, func(c wordPart) bool { return c.pointer != nil })
}

// stepCompiler makes the steps of one record.
type stepCompiler struct {
	*recordCompiler
	form   *bytecode.Plain
	typ    reflect.Type    // of the Go value
	fields []*field        // by cell, if it is a struct; nil for cells that no field takes
	taken  int             // fields of the struct that have a cell
	bools  map[uint32]bool // writing: cells that are true or false in a word
}

// truths finds the cells that bits of a word are the truth of.
func (b *stepCompiler) truths(s *bytecode.Steps) {
	if s == nil {
		return
	}
	for i := range s.List {
		x := &s.List[i]
		switch x.Op {
		case bytecode.Expect:
			b.bools[x.B] = x.C&bytecode.ExpectTruth != 0
		case bytecode.If:
			b.truths(x.Then)
			b.truths(x.Else)
		}
	}
}

// take finds the fields of a struct for the cells of a record. It reports false if Values have to
// convert it.
func (b *stepCompiler) take(typ *bytecode.Type, p *plan) bool {
	b.fields = make([]*field, len(typ.Fields))
	for i := range typ.Fields {
		j, ok := p.fields.byName[typ.Fields[i].Name]
		if !ok {
			b.unknown = true
			continue
		}
		f := &p.fields.fields[j]
		if f.indirect || f.plan.want.typ != 0 || f.required && !b.form.Fixed {
			return false
		}
		b.fields[i], b.taken = f, b.taken+1
	}
	if b.write {
		return b.taken == len(p.fields.fields) // else the struct has fields that the record has not
	}
	for i := range p.fields.fields {
		if f := &p.fields.fields[i]; f.required && !slices.Contains(b.fields, f) {
			return false
		}
	}
	return true
}

// target returns the field for a cell, and its type, which is nil without a field.
func (b *stepCompiler) target(cell uint32) (*field, uintptr, reflect.Type) {
	if b.fields == nil {
		return nil, 0, b.typ
	}
	if f := b.fields[cell]; f != nil {
		return f, f.offset, f.plan.typ
	}
	return nil, 0, nil
}

// steps makes the steps of a list.
func (b *stepCompiler) steps(s *bytecode.Steps) (out []recordStep, ok bool) {
	run, at := -1, -1 // the last run, and the index of its step
	padded := false   // the step before has a size that may be padded
	for i := range s.List {
		x := &s.List[i]
		if x.Run > run {
			run, at = x.Run, len(out)
			out = append(out, recordStep{code: recordRun, size: s.Runs[run]})
		}
		if b.write && x.Op != bytecode.Absent {
			b.present(&out, x)
		}
		var ok bool
		switch x.Op {
		case bytecode.Expect:
			ok = true // moves and words fit the numbers
		case bytecode.Absent:
			ok = b.absent(&out, x)
		case bytecode.Word:
			ok = b.word(&out[at], x)
		case bytecode.Scalars, bytecode.Truth:
			ok = b.number(&out[at], x)
		case bytecode.Take:
			ok = b.bits(out, at, run, x)
		case bytecode.Let, bytecode.Check, bytecode.If:
			ok = b.expression(&out, x)
		default:
			step := recordStep{array: -1}
			ok = (x.Op != bytecode.Pad || padded) && b.part(&step, x, run)
			out = append(out, step)
		}
		if !ok {
			return nil, false
		}
		padded = x.Op == bytecode.Text || x.Op == bytecode.Packed || x.Op == bytecode.List
	}
	for i := range out {
		out[i].moves = pairs(pairs(out[i].moves))
	}
	return out, true
}

// present notes that the field of a step must have a value.
func (b *stepCompiler) present(out *[]recordStep, x *bytecode.Step) {
	cell := x.Cell()
	if x.Op == bytecode.Expect {
		cell = x.B
	}
	if cell == bytecode.None {
		return
	}
	if f, offset, t := b.target(cell); f != nil && (f.omitEmpty || f.omitZero) {
		*out = append(*out, recordStep{code: recordPresent, field: f, offset: offset, typ: t})
	}
}

// absent notes that the field of a cell must have no value.
func (b *stepCompiler) absent(out *[]recordStep, x *bytecode.Step) bool {
	f, offset, t := b.target(x.A)
	switch {
	case b.write && f == nil && t != nil:
		return false
	case b.write && f != nil:
		*out = append(*out, recordStep{code: recordAbsent, field: f, offset: offset, typ: t})
	}
	return true
}

// expression makes the step of an instruction that computes a number of registers.
func (b *stepCompiler) expression(out *[]recordStep, x *bytecode.Step) bool {
	s := recordStep{}
	var expr uint32
	switch x.Op {
	case bytecode.Let:
		if !b.form.Needs(x.A) {
			return true
		}
		s.code, s.reg, expr = recordLet, int(x.A), x.B
	case bytecode.Check:
		s.code, expr = recordCheck, x.A
	case bytecode.If:
		var ok, ok2 bool
		s.code, expr = recordIf, x.A
		s.then, ok = b.steps(x.Then)
		s.els, ok2 = b.steps(x.Else)
		if !ok || !ok2 {
			return false
		}
	}
	s.expr = b.p.Exprs[expr]
	ok := true
	s.expr.Walk(func(e *bytecode.Expr) {
		ok = ok && (e.Op.Takes() > 0 && !e.Op.NeedsCells() || e.Op == bytecode.ExprNum || e.Op == bytecode.ExprReg)
	})
	if args := s.expr.Args; ok && (len(args) == 1 && s.expr.Op != bytecode.ExprFit || len(args) == 2) {
		var than bool
		if len(args) == 1 {
			than = true
		} else {
			s.than, than = args[1].Constant()
		}
		args[0].Walk(func(e *bytecode.Expr) {
			if bits, ok := args[0].Bits(uint32(e.Arg)); ok && than && e.Op == bytecode.ExprReg {
				s.bits = &bits
			}
		})
	}
	*out = append(*out, s)
	return ok
}

// word makes the word of a run.
func (b *stepCompiler) word(run *recordStep, x *bytecode.Step) bool {
	w := word{off: x.Off, scalar: x.Scalar(), reg: -1}
	w.big = b.big && w.scalar != bytecode.Code4 && w.scalar.Width() > 1
	if b.form.Needs(x.B) {
		w.reg = int(x.B)
	}
	if !b.write {
		if w.reg >= 0 {
			run.words = append(run.words, w)
		}
		return true
	}
	if x.C == bytecode.None {
		return false
	}
	e := b.p.Exprs[x.C]
	if h := x.Holds; h != nil {
		part, t := b.wordPart(h.Cell)
		if t == nil || t.Kind() == reflect.Array {
			return false
		}
		most, ok := h.Most(w.scalar)
		w.count, w.most, w.base = &part, most, h.Add
		if !ok || h.Op == bytecode.ExprLen && b.p.Encodings[h.Enc].NUL == bytecode.NULCounted {
			return false
		}
		run.words = append(run.words, w)
		return true
	}
	if e.Op == bytecode.ExprValue {
		if w.reg >= 0 {
			w.moved = true
			run.words = append(run.words, w)
		}
		kind := numberKind(w.scalar)
		if b.bools[uint32(e.Arg)] {
			kind = interp.Bool
		}
		return b.moveCell(run, uint32(e.Arg), move{off: x.Off, scalar: w.scalar, any: true}, kind)
	}
	most := w.terms(b, e, 0)
	run.words = append(run.words, w)
	return most != 0 && (w.scalar.Width() == 8 || (most-1)>>(8*w.scalar.Width()) == 0)
}

// terms finds what a word is the sum of. It returns the largest sum plus 1, or 0 if it is something else.
func (w *word) terms(b *stepCompiler, e *bytecode.Expr, shift uint) (most uint64) {
	none := func(*bytecode.Expr) (int64, bool) { return 0, false }
	if n, ok := e.Fold(none); ok && n >= 0 && uint64(n)<<shift>>shift == uint64(n) && n<<shift>>shift == n {
		w.base += uint64(n) << shift
		return uint64(n)<<shift + 1
	}
	switch e.Op {
	case bytecode.ExprAdd:
		x, y := w.terms(b, e.Args[0], shift), w.terms(b, e.Args[1], shift)
		if x == 0 || y == 0 || x > 1<<62 || y > 1<<62 {
			return 0
		}
		return x + y - 1
	case bytecode.ExprShl:
		if n, ok := e.Args[1].Constant(); ok && n >= 0 && n < 63 {
			return w.terms(b, e.Args[0], shift+uint(n))
		}
	case bytecode.ExprFit:
		if e.Arg <= 0 || e.Arg > 62-int64(shift) || e.Args[0].Op != bytecode.ExprValue {
			return 0
		}
		part, t := b.wordPart(uint32(e.Args[0].Arg))
		if t == nil {
			return 0
		}
		k := t.Kind()
		part.bool = k == reflect.Bool
		if b.hooked(t) || !part.bool && (k < reflect.Int || k > reflect.Uint64) || part.bool != b.bools[uint32(e.Args[0].Arg)] {
			return 0
		}
		part.size, part.signed, part.width, part.shift = uint8(t.Size()), k <= reflect.Int64, uint(e.Arg), shift
		w.bits = append(w.bits, part)
		return (1<<uint(e.Arg)-1)<<shift + 1
	}
	return 0
}

// wordPart returns the place of a cell's field, and the type of what it holds.
func (b *stepCompiler) wordPart(cell uint32) (part wordPart, t reflect.Type) {
	part.field, part.offset, t = b.target(cell)
	if t != nil && t.Kind() == reflect.Pointer {
		part.pointer, t = t, t.Elem()
	}
	part.text = t != nil && t.Kind() == reflect.String
	return part, t
}

// number makes the move of a number at a place of a run.
func (b *stepCompiler) number(run *recordStep, x *bytecode.Step) bool {
	m, kind := move{off: x.Off, scalar: x.Scalar()}, numberKind(x.Scalar())
	if x.Op == bytecode.Truth {
		kind, m.any = interp.Bool, x.C&bytecode.TruthNonzero != 0
	}
	return b.moveCell(run, x.Cell(), m, kind)
}

// moveCell adds the move between a run and the field of a cell.
func (b *stepCompiler) moveCell(run *recordStep, cell uint32, m move, kind interp.Kind) bool {
	f, offset, t := b.target(cell)
	if t == nil {
		return !b.write && (kind != interp.Bool || m.any) // a truth must be 0 or 1
	}
	m.field, m.offset = f, offset
	if t.Kind() == reflect.Pointer && f != nil {
		inner := m
		inner.field, inner.offset = nil, 0
		if !b.move(&inner, kind, t.Elem()) {
			return false
		}
		m.code, m.typ, m.inner = movePointer, t, &inner
	} else if !b.move(&m, kind, t) {
		return false
	}
	run.moves = append(run.moves, m)
	return true
}

// bits makes the move of bits of a word; a writer computes them with the word.
func (b *stepCompiler) bits(out []recordStep, at, run int, x *bytecode.Step) bool {
	if b.write {
		return true
	}
	if x.From == nil || x.From.Run != run {
		return false
	}
	kind, _ := x.Taken()
	return b.moveCell(&out[at], x.A, move{off: x.From.Off, scalar: x.From.Scalar, from: x.From, any: true}, kind)
}

// part makes the step of a part of variable size.
func (b *stepCompiler) part(s *recordStep, x *bytecode.Step, run int) bool {
	if x.Op == bytecode.Pad {
		s.code, s.size, s.bare, s.fill = recordPad, int(x.A), x.B&bytecode.PadOrEnd != 0, -1
		if b.write || x.B&bytecode.PadExact != 0 {
			s.fill = int(byte(x.C))
		}
		return true
	}
	if x.Cell() == bytecode.None || !b.counted(s, x, run) {
		return false
	}
	f, offset, t := b.target(x.Cell())
	if t == nil {
		s.code, s.size = recordSkip, x.Scalar().Width()
		return !b.write && x.Op == bytecode.Packed && x.B == 1 // the content of any other part is checked
	}
	if t.Kind() == reflect.Pointer && f != nil {
		inner := *s
		*s = recordStep{code: recordPointer, field: f, offset: offset, typ: t, inner: &inner}
		return b.content(&inner, x, t.Elem())
	}
	s.field, s.offset = f, offset
	return b.content(s, x, t)
}

// counted finds the number of parts of a step.
func (b *stepCompiler) counted(s *recordStep, x *bytecode.Step, run int) bool {
	switch {
	case x.Op == bytecode.Rest:
		s.count.rest, s.size = true, int(b.p.Bounds(x.A).Min)
	case x.Op != bytecode.Text && x.Op != bytecode.Packed && x.Op != bytecode.List:
	case x.Const:
		s.count.n = x.N
	case x.Count() == bytecode.None:
		s.count.rest = true
		return x.Op == bytecode.Packed
	case x.From == nil || x.From.Run != run || b.write && !x.Sure || x.From.Scalar.Odd() || x.From.Scalar.IsFloat():
		return false // the run is not the last one, or the number is computed
	default:
		s.count.from, s.count.scalar = x.From, x.From.Scalar
		s.count.big = b.big && x.From.Scalar != bytecode.Code4 && x.From.Scalar.Width() > 1
	}
	return true
}

// content finds how a part is read into a Go type or written from it.
func (b *stepCompiler) content(s *recordStep, x *bytecode.Step, t reflect.Type) bool {
	if b.hooked(t) {
		return false
	}
	switch x.Op {
	case bytecode.Text:
		if s.encoding = int(x.A); b.write && b.p.Encodings[x.A].NUL == bytecode.NULCounted {
			return false
		}
		if s.code = recordText; t.Kind() == reflect.String {
			return true
		}
		s.code = recordBytes
		b.slice(s, t)
		return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
	case bytecode.Packed:
		s.size = x.Scalar().Width()
		return x.B == 1 && x.A&bytecode.FlagWide == 0 && b.numbers(s, x.Scalar(), t)
	case bytecode.List, bytecode.Rest:
		if _, n := b.p.Passed(x.PC); n > 0 || t.Kind() != reflect.Slice {
			return false
		}
		routine := x.B
		if x.Op == bytecode.Rest {
			routine = x.A
		}
		least := b.p.Bounds(routine).Min
		s.code, s.elem, s.least = recordList, b.record(routine, t.Elem()), uint32(least)
		b.slice(s, t)
		return s.elem != nil && least > 0 && least <= 1<<30
	case bytecode.Call:
		if len(b.p.Args[x.C]) > 0 {
			return false
		}
		s.code, s.elem = recordInner, b.record(x.A, t)
		return s.elem != nil
	}
	return false
}

// numbers decides how an array of numbers is read.
func (c *recordCompiler) numbers(s *recordStep, scalar bytecode.Scalar, t reflect.Type) bool {
	if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
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
	if t.Kind() != reflect.Slice {
		return
	}
	s.op = &readOp{code: opList, plan: planFor(t, want{}), size: uint32(t.Elem().Size()), chunk: c.chunks, whole: s.elem == nil}
	c.chunks++
}
