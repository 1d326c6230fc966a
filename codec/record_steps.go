// Steps of record plans: each step of a plain form with its place in a Go type.

package codec

import (
	"maps"
	"reflect"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// stepCompiler makes the steps of one record.
type stepCompiler struct {
	*recordCompiler
	rec     *recordPlan
	form    *bytecode.Plain
	known   []bytecode.Known
	decided map[int]bool               // conditions, by their instructions
	typ     reflect.Type               // of the Go value
	fields  []*field                   // by cell, if it is a struct; nil for cells that no field takes
	lanes   []*field                   // by number of the tuple that the record is, if it is a struct
	taken   int                        // fields of the struct that have a cell
	bools   map[uint32]bool            // writing: cells that are true or false in a word
	expects map[uint32]bytecode.Scalar // writing: numbers that must fit cells
	passed  []recordExpr               // of the list that follows
	choice  *bytecode.Instr            // how a writer chooses the place of the row that follows, or nil
	read    map[uint32]bool            // reading: cells that steps before have given values, or left out
	looks   bool                       // reading: expressions may look at these
	regs    int                        // registers of the routine
	size    int                        // the register with the size of a part, for padding; -1 without one
	lets    []recordStep               // reading: what must be in registers before the step at hand
}

// truths finds the cells that bits of a word are the truth of.
func (b *stepCompiler) truths(s *bytecode.Steps) {
	for i := range s.List {
		x := &s.List[i]
		switch x.Op {
		case bytecode.Expect:
			b.bools[x.B] = x.C&bytecode.ExpectTruth != 0
			b.expects[x.B] = x.Scalar()
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
			b.rec.unknown = true
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

// takeLanes finds the fields of a struct for the numbers of a record that is a tuple.
func (b *stepCompiler) takeLanes(typ *bytecode.Type, p *plan) bool {
	b.fields, b.lanes = make([]*field, len(typ.Fields)), make([]*field, len(typ.Lanes))
	for i, name := range typ.Lanes {
		j, ok := p.fields.byName[name]
		if !ok && b.write {
			return false
		} else if !ok {
			b.rec.unknown = true
			continue
		}
		f := &p.fields.fields[j]
		if f.indirect || f.plan.want.typ != 0 || b.write && (f.omitEmpty || f.omitZero) {
			return false
		}
		b.lanes[i], b.taken = f, b.taken+1
	}
	for i := range p.fields.fields {
		if f := &p.fields.fields[i]; (f.required || b.write) && !slices.Contains(b.lanes, f) {
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

// steps makes the steps of a list. If sized is true, padding follows, which looks at the size of the last part.
func (b *stepCompiler) steps(s *bytecode.Steps, sized bool) (out []recordStep, ok bool) {
	run, at := none, none // the last run, and the index of its step
	size := none          // the register with the size of the part before, if padding may follow
	for i := range s.List {
		x := &s.List[i]
		pads := padsNext(s.List[i+1:], sized)
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
			ok = true
			b.absent(&out, x)
		case bytecode.Word:
			ok = x.Run != none && b.word(&out, at, x) || x.Run == none && b.coded(&out, x)
		case bytecode.Header:
			ok = b.header(&out, at, x)
		case bytecode.Scalars, bytecode.Truth:
			ok = x.Run != none && b.number(&out[at], x) || x.Run == none && b.coded(&out, x)
		case bytecode.Take:
			ok = b.bits(&out, at, run, x)
		case bytecode.Lanes:
			ok = b.tuple(&out, at, x, run)
		case bytecode.Let, bytecode.Check, bytecode.If:
			if holds, known := b.decided[x.PC]; known {
				ok = b.branch(&out, x, holds, s.List[i+1:], run, pads)
			} else {
				ok = b.expression(&out, x, pads)
			}
		case bytecode.Pad:
			ok = size >= 0
			out = append(out, padding(x, size, b.write))
		case bytecode.Text, bytecode.Packed, bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Call, bytecode.Until, bytecode.Filled:
			ok = b.measured(&out, x, run, pads)
		default:
			ok = b.wide(&out, x)
		}
		if !ok {
			b.refuse(b.p.Rules[x.Rule].Name, "no step for "+x.Op.String())
			return nil, false
		}
		if b.read[x.Cell()] = true; x.Op == bytecode.Absent {
			b.read[x.A] = true
		}
		switch x.Op {
		case bytecode.Size:
			size = int(x.A)
		case bytecode.Leave, bytecode.Patch, bytecode.Compare, bytecode.Check, bytecode.Let:
		default:
			if size = none; pads && endsSized(x) {
				size = b.size
			}
		}
	}
	for i := range out {
		if !b.write {
			out[i].moves = gathered(out[i].moves, out[i].size)
		}
		out[i].moves = pairs(pairs(out[i].moves))
		if !b.write {
			out[i].moves = doubles(out[i].moves)
		}
	}
	return out, true
}

// padsNext reports whether padding follows, before anything that takes bytes; last says so for what follows the steps.
func padsNext(steps []bytecode.Step, last bool) bool {
	for i := range steps {
		switch steps[i].Op {
		case bytecode.Leave, bytecode.Patch, bytecode.Compare, bytecode.Check, bytecode.Let:
		default:
			return steps[i].Op == bytecode.Pad
		}
	}
	return last
}

// endsSized reports whether a step is a part, or ends with one in both branches, which padding may follow.
func endsSized(x *bytecode.Step) bool {
	switch x.Op {
	case bytecode.Text, bytecode.Packed, bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Call, bytecode.Until, bytecode.Filled:
		return true
	case bytecode.If:
		then, other := x.Then.List, x.Else.List
		return len(then) > 0 && len(other) > 0 && endsSized(&then[len(then)-1]) && endsSized(&other[len(other)-1])
	}
	return false // unreachable: the compiler pads such parts alone; a program by hand may pad others
}

// measured makes the step of a part. If padding follows, a register gets its size.
func (b *stepCompiler) measured(out *[]recordStep, x *bytecode.Step, run int, pads bool) bool {
	if pads && b.size == none {
		b.rec.all = max(b.rec.all, b.regs)
		b.size = b.rec.all
		b.rec.all++
	}
	if pads {
		*out = append(*out, recordStep{code: recordMark, reg: b.size, off: none})
	}
	ok := b.placed(out, x, run)
	if pads {
		*out = append(*out, recordStep{code: recordSize, reg: b.size, from: b.size})
	}
	return ok
}

// padding makes the step of padding behind a part whose size is in a register.
func padding(x *bytecode.Step, size int, write bool) recordStep {
	s := recordStep{code: recordPad, size: int(x.A), bare: x.B&bytecode.PadOrEnd != 0, fill: none, from: size}
	if write || x.B&bytecode.PadExact != 0 {
		s.fill = int(byte(x.C))
	}
	return s
}

// placed makes the step of a part, which may be in a run.
func (b *stepCompiler) placed(out *[]recordStep, x *bytecode.Step, run int) bool {
	step := recordStep{array: none}
	if x.Run != none {
		step.placed, step.off = true, x.Off
	}
	ok := b.part(&step, x, run)
	b.push(out, step)
	return ok
}

// push adds a step behind what must be in registers before it.
func (b *stepCompiler) push(out *[]recordStep, s recordStep) {
	*out, b.lets = append(append(*out, b.lets...), s), nil
}

// tuple makes the moves of a tuple into the fields of a struct. For a slice or an array it makes the step of
// the tuple.
func (b *stepCompiler) tuple(out *[]recordStep, at int, x *bytecode.Step, run int) bool {
	if b.lanes == nil {
		return b.placed(out, x, run)
	}
	s := x.Scalar()
	for i, f := range b.lanes {
		m := move{off: x.Off + i*s.Width(), scalar: s, swapped: x.Swapped()}
		if f != nil && !b.moveField(&(*out)[at], f, f.offset, f.plan.typ, m, numberKind(s)) {
			return false
		}
	}
	return x.A&bytecode.FlagWide == 0
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
func (b *stepCompiler) absent(out *[]recordStep, x *bytecode.Step) {
	if f, offset, t := b.target(x.A); f != nil {
		*out = append(*out, recordStep{code: recordAbsent, field: f, offset: offset, typ: t})
	}
}

// expression makes the step of an instruction that computes a number of registers.
func (b *stepCompiler) expression(out *[]recordStep, x *bytecode.Step, sized bool) bool {
	s := recordStep{}
	switch x.Op {
	case bytecode.Let:
		if !b.form.Needs(x.A) {
			return true
		}
		s.code, s.reg, s.expr = recordLet, int(x.A), b.looking(x.B)
	case bytecode.Check:
		s.code, s.expr = recordCheck, b.looking(x.A)
	case bytecode.If:
		var ok, ok2 bool
		s.code, s.expr = recordIf, b.looking(x.A)
		before := b.read
		b.read = maps.Clone(before)
		s.then, ok = b.steps(x.Then, sized)
		then := b.read
		b.read = maps.Clone(before)
		s.els, ok2 = b.steps(x.Else, sized)
		maps.DeleteFunc(b.read, func(cell uint32, _ bool) bool { return !then[cell] })
		if !ok || !ok2 {
			return false
		}
	}
	*out = append(*out, s)
	return s.expr != nil
}

// branch makes the steps of a branch that is taken. They are a block if those that follow look at the last run.
func (b *stepCompiler) branch(out *[]recordStep, x *bytecode.Step, holds bool, rest []bytecode.Step, run int, sized bool) bool {
	branch := x.Else
	if holds {
		branch = x.Then
	}
	steps, ok := b.steps(branch, sized)
	block := slices.ContainsFunc(rest, func(x bytecode.Step) bool { return x.From != nil && x.From.Run <= run })
	if block && slices.ContainsFunc(steps, func(s recordStep) bool { return s.code == recordRun }) {
		steps = []recordStep{{code: recordIf, then: steps}}
	}
	*out = append(*out, steps...)
	return ok
}

// number makes the move of a number at a place of a run.
func (b *stepCompiler) number(run *recordStep, x *bytecode.Step) bool {
	m, kind := move{off: x.Off, scalar: x.Scalar(), swapped: x.Swapped()}, numberKind(x.Scalar())
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
	return b.moveField(run, f, offset, t, m, kind)
}

// moveField adds the move between a run and a field, or the Go value itself.
func (b *stepCompiler) moveField(run *recordStep, f *field, offset uintptr, t reflect.Type, m move, kind interp.Kind) bool {
	m.field, m.offset = f, offset
	if t.Kind() == reflect.Pointer && f != nil {
		inner := m
		inner.field, inner.offset = nil, 0
		if !b.move(&inner, kind, t.Elem()) {
			return false
		}
		m.code, m.slab, m.inner, b.rec.whole = movePointer, b.slab(t.Elem()), &inner, false
	} else if !b.move(&m, kind, t) {
		return false
	}
	run.moves = append(run.moves, m)
	return true
}

// bits makes the move of bits of a word, or of a register. The form of a writer has no such step.
func (b *stepCompiler) bits(out *[]recordStep, at, run int, x *bytecode.Step) bool {
	kind, _ := x.Taken()
	if x.From != nil {
		m := move{off: x.From.Off, scalar: x.From.Scalar, swapped: x.From.Swapped, from: x.From, any: true}
		return x.From.Run == run && b.moveCell(&(*out)[at], x.A, m, kind)
	}
	scalar := bytecode.U64
	if kind == interp.Int {
		scalar = bytecode.I64
	}
	s := recordStep{code: recordTake, reg: int(x.B)}
	if x.Const {
		s.expr = new(numberExpr(x.N))
	} else {
		s.expr = new(registerExpr(int(x.B)))
	}
	if !b.moveCell(&s, x.A, move{scalar: scalar, any: true}, kind) {
		return false
	}
	if len(s.moves) == 1 {
		*out = append(*out, s)
	}
	return true
}

// part makes the step of a part of variable size.
func (b *stepCompiler) part(s *recordStep, x *bytecode.Step, run int) bool {
	if x.Cell() == bytecode.None || !b.counted(s, x, run) {
		return false // unreachable: the compiler gives each part a cell, and a text without a count an end; a program by hand may not
	}
	f, offset, t := b.target(x.Cell())
	if t == nil {
		s.code, s.size = recordSkip, x.Scalar().Width()
		if x.Op == bytecode.Packed {
			s.size *= int(x.B)
		}
		return !b.write && (x.Op == bytecode.Packed || x.Op == bytecode.Lanes) // the content of any other part is checked
	}
	if t.Kind() == reflect.Pointer && f != nil {
		inner := *s
		*s = recordStep{code: recordPointer, field: f, offset: offset, typ: t, inner: &inner, op: b.slab(t.Elem()), placed: s.placed, off: s.off}
		return b.content(&inner, x, t.Elem())
	}
	s.field, s.offset = f, offset
	return b.content(s, x, t)
}

// counted finds the number of parts of a step.
func (b *stepCompiler) counted(s *recordStep, x *bytecode.Step, run int) bool {
	switch {
	case x.Op == bytecode.Rest && b.p.Bounds(x.A).Min == b.p.Bounds(x.A).Max:
		s.count.rest, s.size = true, int(b.p.Bounds(x.A).Min)
	case x.Op == bytecode.Lanes:
		s.count.n = int64(x.B)
	case x.Op != bytecode.Text && x.Op != bytecode.Packed && x.Op != bytecode.List && x.Op != bytecode.Map:
	case x.Const:
		s.count.n = x.N
	case x.Count() == bytecode.None:
		s.count.rest = true
		return x.Op == bytecode.Packed
	case x.From == nil || !b.write && x.From.Run != run || b.write && !x.Sure || x.From.Scalar.Odd() || x.From.Scalar.IsFloat():
		s.count.expr = b.early(x.Count()) // the run is not the last one, or the number is computed
		return s.count.expr != nil
	default:
		s.count.from, s.count.scalar = x.From, x.From.Scalar
		s.count.big = b.highFirst(x.From.Scalar, x.From.Swapped)
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
		return b.textual(s, x.A, t)
	case bytecode.Until:
		s.end = b.p.Strings[x.B]
		ok := b.textual(s, x.A, t)
		s.inner, s.code = &recordStep{code: s.code}, recordUntil
		return ok
	case bytecode.Filled:
		s.count.expr, s.fill, s.any = b.early(x.B), int(byte(x.D)), x.D&bytecode.FillAny != 0
		ok := b.textual(s, x.A, t)
		s.inner, s.code = &recordStep{code: s.code}, recordFilled
		return ok && s.count.expr != nil
	case bytecode.Lanes, bytecode.Packed:
		s.size, s.lanes = x.Scalar().Width(), 1
		if x.Op == bytecode.Packed {
			s.lanes = int(x.B)
			s.size *= s.lanes
		}
		s.number.swapped = x.Swapped()
		return x.A&bytecode.FlagWide == 0 && b.numbers(s, x.Scalar(), t)
	case bytecode.Map:
		return b.pairs(s, x, t)
	case bytecode.List, bytecode.Rest, bytecode.Through:
		return t.Kind() == reflect.Slice && b.list(s, x, t)
	default: // bytecode.Call
		var known []bytecode.Known
		for i, e := range b.p.Args[x.C] {
			arg := b.early(e)
			if arg == nil {
				return false // unreachable: an argument is an expression of registers, since a reader knows it before the cells
			}
			s.args = append(s.args, *arg)
			if n, ok := arg.number(); ok {
				known = append(known, bytecode.Known{Reg: uint32(i), Word: uint64(n)})
			}
		}
		s.code, s.elem = recordInner, b.value(x.A, t, known...)
		if s.elem == nil {
			return false
		}
		b.rec.whole, b.rec.covered = b.rec.whole && s.elem.whole, b.rec.covered && s.elem.covered
		return true
	}
}

// textual finds how text, or bytes without an encoding, goes into a Go type.
func (b *stepCompiler) textual(s *recordStep, encoding uint32, t reflect.Type) bool {
	if s.encoding = none; encoding != bytecode.None {
		enc := &b.p.Encodings[encoding]
		if s.encoding = int(encoding); b.write && enc.NUL == bytecode.NULCounted || enc.Charset.IsUTF16() {
			return false
		}
		if s.code = recordText; t.Kind() == reflect.String {
			return true
		}
	}
	s.code = recordBytes
	b.slice(s, t)
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// list finds how a list goes into a slice.
func (b *stepCompiler) list(s *recordStep, x *bytecode.Step, t reflect.Type) bool {
	routine := x.B
	if x.Op != bytecode.List {
		routine = x.A
	}
	least := b.p.Bounds(routine).Min
	s.code, s.least, s.args = recordList, uint32(min(least, 1<<30)), b.passed
	s.through, s.tail = x.Op == bytecode.Through, x.Op == bytecode.Rest && !s.count.rest
	b.passed = nil
	s.elem = b.value(routine, t.Elem())
	b.slice(s, t)
	if s.elem != nil && len(s.args) > 0 {
		b.variants(s, routine, t.Elem())
	}
	return s.elem != nil && least > 0
}

// variants makes plans of elements by arguments that decide conditions.
func (b *stepCompiler) variants(s *recordStep, routine uint32, t reflect.Type) {
	r := &b.p.Routines[routine]
	for pc := int(r.Start); pc < int(r.End); pc++ {
		if in := &b.p.Code[pc]; in.Op == bytecode.If {
			e := b.p.Exprs[in.A]
			if e.Op == bytecode.ExprReg && int(e.Arg) < len(s.args) && len(s.decides) < 2 && !slices.Contains(s.decides, int(e.Arg)) {
				s.decides = append(s.decides, int(e.Arg))
			}
		}
	}
	if len(s.decides) == 0 {
		return
	}
	for key := range 1 << len(s.decides) {
		var known []bytecode.Known
		for i, arg := range s.decides {
			known = append(known, bytecode.Known{Reg: uint32(arg), Word: uint64(key >> i & 1)})
		}
		v := b.value(routine, t, known...)
		if v == nil {
			v = s.elem
		}
		s.variants = append(s.variants, v)
	}
}

// numbers decides how an array of numbers is read.
func (c *recordCompiler) numbers(s *recordStep, scalar bytecode.Scalar, t reflect.Type) bool {
	if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
		return false
	}
	elem := t.Elem()
	if s.lanes > 1 {
		if s.tuple = elem; elem.Kind() != reflect.Array || elem.Len() != s.lanes || c.hooked(elem) {
			return false
		}
		elem = elem.Elem()
	}
	s.number.scalar = scalar
	if s.code = recordNumber; !c.move(&s.number, numberKind(scalar), elem) {
		return false
	}
	if t.Kind() == reflect.Array {
		s.array, s.typ = t.Len(), t
		return true
	}
	if scalar == bytecode.U8 && elem.Kind() == reflect.Uint8 && s.lanes == 1 {
		s.code = recordBytes
		s.encoding = none
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

// slab prepares new values of a type that pointers or interfaces refer to.
func (c *recordCompiler) slab(t reflect.Type) *readOp {
	c.slabs++
	return &readOp{plan: planFor(reflect.SliceOf(t), want{}), size: uint32(t.Size()), chunk: c.slabs - 1}
}
