// Go values straight into bytes.

package codec

import (
	"math"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// writeProgram is how one Go type is written.
type writeProgram struct {
	root   *writeOp
	record *recordPlan  // of a schema with names
	slow   []string     // record: the parts that go by Values
	pool   sync.Pool    // *planWriter
	usual  atomic.Int64 // bytes of the last result that was large
}

// writeOp is how one value is written.
type writeOp struct {
	code     opcode
	unsigned bool
	padded   bool
	counted  bool // texts without headers
	packed   bool // opTexts: without headers
	head     uint32
	head2    uint32 // of the wide form; opPointer: of Nil
	size     uint32 // bytes in memory: of numbers, of an element
	most     int32  // bytes that it takes at most, without what only length tells
	encoding int
	plan     *plan
	elem     *writeOp
	strct    *writeStruct
}

// writeField is a field of a struct.
type writeField struct {
	key0, key1 uint64
	offset     uintptr
	skip       int32 // bytes of the key
	rest       int32 // bytes that this value and the fields after it take at most, but for lengths, and some more
	head       uint32
	head2      uint32
	code       opcode
	omits      bool
	op         *writeOp
	field      *field
	key        string // all bytes of the key, where it is long
}

// writeStruct is how a struct is written.
type writeStruct struct {
	head   uint32
	room   int // bytes for everything but what only lengths tell, and some more
	fields []writeField
	rest   *field // a map of RawMessages, or nil
	byName map[string]int
}

// slack is how many bytes stores may go beyond what is written.
const slack = 16

// writeProgram returns the program for a type; it is nil where all goes by Values.
func (c *Codec) writeProgram(t reflect.Type) *writeProgram {
	if p, ok := c.types.write.Load(t); ok {
		return p.(*writeProgram)
	}
	p := &writeProgram{}
	if c.notation != nil {
		var rc *recordCompiler
		p.record, rc = c.recordPlan(t, true)
		p.slow = rc.slow
	} else {
		k := compiler{m: c.m, structs: map[*plan]any{}}
		p.root = k.writeOp(planFor(t, want{names: c.opt.Names}))
	}
	if p.record == nil && (p.root == nil || p.root.code == opOther) {
		p = nil
	}
	kept, _ := c.types.write.LoadOrStore(t, p)
	return kept.(*writeProgram)
}

func (c *compiler) writeOp(p *plan) *writeOp {
	op := &writeOp{plan: p, most: 12}
	op.code = c.writeCode(p, op)
	return op
}

// written returns the form in which values of a type are written.
func (c *compiler) written(t Type, kind interp.Kind, op *writeOp) (f interp.Form, ok bool) {
	f, op.head2, ok = c.m.WriteForm(uint16(t))
	op.head, op.size, op.encoding, op.padded = f.Head, uint32(f.Size), f.Encoding, f.Padded
	return f, ok && f.Kind == kind
}

func (c *compiler) writeCode(p *plan, op *writeOp) opcode {
	if p.writeHook != noHook {
		return opOther
	}
	switch p.form {
	case formRaw:
		return opRaw
	case formBool:
		if _, ok := c.written(variant.Bool, interp.Bool, op); ok {
			return opBool
		}
	case formInt, formUint:
		f, ok := c.written(variant.Int, interp.Int, op)
		if !ok || f.Scalar != bytecode.I32 || p.godot != variant.Int {
			return opOther
		}
		op.size, op.unsigned = uint32(p.typ.Size()), p.form == formUint
		if size64(p.typ) && !op.unsigned {
			return opInt64
		}
		return opInt
	case formFloat:
		f, ok := c.written(variant.Float, interp.Float, op)
		if !ok || f.Scalar != bytecode.F32 || p.godot != variant.Float {
			return opOther
		}
		if size64(p.typ) {
			return opFloat64
		}
		return opFloat32
	case formText:
		if f, ok := c.written(p.godot, interp.Text, op); ok && !f.Texts {
			return opText
		}
	case formLanes:
		f, ok := c.written(p.godot, interp.Lanes, op)
		if !ok || !p.flat || p.godot.rowwise() || f.Scalar != p.lanes.Scalar || f.Lanes != p.lanes.Lanes {
			return opOther
		}
		op.most = int32(4 + f.Size)
		switch f.Size {
		case 8:
			return opLanes8
		case 12:
			return opLanes12
		case 16:
			return opLanes16
		}
		return opLanes
	case formPacked:
		f, ok := c.written(p.godot, interp.Packed, op)
		if !ok || !p.flat || f.Scalar != p.lanes.Scalar || f.Lanes != p.lanes.Lanes {
			return opOther
		}
		if p.typ.Kind() == reflect.Array {
			return opPackedArray
		}
		return opPacked
	case formPackedText, formList:
		if p.typ.Kind() != reflect.Slice || p.want.elem != (variant.ElemType{}) || p.elem.form == formNone {
			return opOther
		}
		f, ok := c.written(p.godot, interp.List, op)
		if !ok {
			return opOther
		}
		op.size = uint32(p.typ.Elem().Size())
		op.elem = c.writeOp(p.elem)
		if p.form == formPackedText {
			if !f.Texts || p.elem.form != formText || p.elem.writeHook != noHook {
				return opOther
			}
			op.packed, op.counted = true, f.Counted
			return opTexts
		}
		switch {
		case f.Texts || op.elem.code == opOther:
			return opOther
		case op.elem.code == opText:
			return opTexts
		}
		return opList
	case formMap:
		form, _, ok := c.m.WriteForm(variant.DictionaryType)
		if op.head = form.Head; ok && form.Kind == interp.Map && p.isRawMap() {
			return opRawMap
		}
	case formStruct:
		if op.strct = c.writeStruct(p); op.strct == nil {
			return opOther
		}
		op.head = op.strct.head
		return opStruct
	case formPointer:
		if p.elem.form == formPointer || p.elem.form == formInterface {
			return opOther
		}
		if _, ok := c.written(variant.Nil, interp.Unit, op); !ok {
			return opOther
		}
		op.head2 = op.head
		if op.elem = c.writeOp(p.elem); op.elem.code == opOther {
			return opOther
		}
		return opPointer
	}
	return opOther
}

func (c *compiler) writeStruct(p *plan) *writeStruct {
	if s, ok := c.structs[p]; ok {
		return s.(*writeStruct)
	}
	c.structs[p] = (*writeStruct)(nil)
	sp := p.fields
	if p.problem != "" || sp == nil || sp.rest != nil && (sp.rest.indirect || !sp.rest.plan.isRawMap()) || p.want.key != (variant.ElemType{}) || p.want.elem != (variant.ElemType{}) {
		return nil
	}
	form, _, ok := c.m.WriteForm(variant.DictionaryType)
	if !ok || form.Kind != interp.Map {
		return nil
	}
	key, _, ok := c.m.WriteForm(variant.String)
	if !ok || key.Kind != interp.Text || key.Texts {
		return nil
	}
	for _, f := range sp.fields {
		if f.indirect || !isPlainName(f.name) || len(f.name) > 1<<12 || !c.m.CheckText(key.Encoding, []byte(f.name)) {
			return nil
		}
	}
	if len(sp.fields) > 1<<12 {
		return nil
	}
	s := &writeStruct{head: form.Head, rest: sp.rest, byName: sp.byName}
	c.structs[p] = s
	s.fields = make([]writeField, len(sp.fields))
	for i := range sp.fields {
		sf := &sp.fields[i]
		f := &s.fields[i]
		f.op = c.writeOp(sf.plan)
		f.code, f.head, f.head2 = f.op.code, f.op.head, f.op.head2
		f.key0, f.key1, _ = keyWords(key.Head, sf.name)
		f.offset, f.field = sf.offset, sf
		f.skip = int32(8 + (len(sf.name)+3)&^3)
		f.omits = sf.omitEmpty || sf.omitZero
		if len(sf.name) > 8 {
			f.key = (sf.name + "\x00\x00\x00")[:f.skip-8]
		}
	}
	room := int32(slack)
	for i := len(s.fields) - 1; i >= 0; i-- {
		f := &s.fields[i]
		room += f.op.most
		f.rest = room
		room += f.skip
	}
	s.room = int(room) + 8
	return s
}

// planWriter is one call of writing, and what is kept for the next.
type planWriter struct {
	c      *Codec
	out    []byte
	mem    memory.View
	end    int // capacity of out
	depth  int
	limit  int
	own    []byte // buffer for results of unknown length
	raw    *interp.Writer
	rawOf  *interp.Machine
	regs   []uint64 // of records
	stop   bool     // the last record ends its list
	places [64]int  // of records in the packet
}

// keepMost is the size of the largest buffer that is kept.
const keepMost = 1 << 20

// directLeast is the size from which results are made where they stay.
const directLeast = 32 << 10

// appendMarshal appends the bytes of x to dst; m may be nil.
func (c *Codec) appendMarshal(dst []byte, x any, m *Mapper) ([]byte, error) {
	if err := c.ready(); err != nil {
		return dst, err
	}
	if !c.opt.KeepWidths {
		if prog, at := c.target(x, m); prog != nil {
			w := c.planWriter(prog, m)
			out, ok := w.run(prog, dst, at)
			if m == nil {
				prog.pool.Put(w)
			}
			if ok {
				return out, nil
			}
		}
	}
	return c.appendValue(dst, x)
}

// marshal returns the bytes of x in separate memory.
//
// Small ones are made in a buffer that is kept, and copied. Large ones would
// take longer to copy than to make: they are made in new memory, whose size is
// that of the last result for the type, and copied only where that was far off.
func (c *Codec) marshal(x any) ([]byte, error) {
	if err := c.ready(); err != nil {
		return nil, err
	}
	prog, at := c.target(x, nil)
	if prog == nil || c.opt.KeepWidths {
		return c.appendValue(nil, x)
	}
	w := c.planWriter(prog, nil)
	usual := int(prog.usual.Load())
	direct := usual > directLeast
	buf := w.own[:0]
	if direct {
		buf = memory.Buffer(usual + usual/64 + 2*slack)
	}
	out, ok := w.run(prog, buf, at)
	if ok {
		if n := int64(len(out)); n != int64(usual) {
			prog.usual.Store(n)
		}
		if cap(out) > directLeast && len(out) >= cap(out)-cap(out)/4 {
			if !direct {
				w.own = nil
			}
		} else {
			if !direct {
				w.own = out[:0]
			}
			out = append([]byte(nil), out...)
		}
	}
	if cap(w.own) > keepMost {
		w.own = nil
	}
	prog.pool.Put(w)
	if !ok {
		return c.appendValue(nil, x)
	}
	return out, nil
}

// target returns the program for what x is or points to, and its place. m may be
// nil.
func (c *Codec) target(x any, m *Mapper) (prog *writeProgram, at place) {
	rv := reflect.ValueOf(x)
	if !rv.IsValid() || c.forms != nil || c.notation != nil && c.opt.MaxDepth > 0 {
		return nil, place{}
	}
	t, pointer := rv.Type(), rv.Kind() == reflect.Pointer
	if pointer && (rv.IsNil() || t.Elem().Kind() == reflect.Pointer) {
		return nil, place{}
	}
	switch {
	case m != nil && m.writeType == t:
		prog = m.write
	case pointer:
		prog = c.writeProgram(t.Elem())
	default:
		prog = c.writeProgram(t)
	}
	if m != nil {
		m.writeType, m.write = t, prog
	}
	switch {
	case prog == nil:
		return nil, place{}
	case pointer:
		return prog, placeAt(rv)
	}
	return prog, placeIn(x, rv)
}

func (c *Codec) planWriter(prog *writeProgram, m *Mapper) (w *planWriter) {
	if m != nil {
		if m.w == nil {
			m.w = &planWriter{}
		}
		w = m.w
	} else if w, _ = prog.pool.Get().(*planWriter); w == nil {
		w = &planWriter{}
	}
	w.c, w.limit = c, c.limits()
	return w
}

// run appends a value to dst.
func (w *planWriter) run(prog *writeProgram, dst []byte, at place) ([]byte, bool) {
	w.depth, w.regs = 0, w.regs[:0]
	w.set(dst)
	var end int
	if prog.record != nil {
		end = w.record(prog.record, at, len(dst))
	} else {
		end = w.value(prog.root, at, len(dst))
	}
	out := w.out
	w.out, w.mem, w.c = nil, memory.View{}, nil
	if end < 0 {
		return nil, false
	}
	return out[:end], true
}

func (w *planWriter) set(out []byte) { w.out, w.mem, w.end = out, memory.Of(out), cap(out) }

// grow makes room for n more bytes behind pos.
//
//go:noinline
func (w *planWriter) grow(pos, n int) { w.set(slices.Grow(w.out[:pos], n)) }

// value writes the value at x behind pos and returns where it ends.
func (w *planWriter) value(op *writeOp, x place, pos int) int {
	if w.end-pos < int(op.most)+slack {
		w.grow(pos, int(op.most)+slack)
	}
	mem := w.mem
	switch op.code {
	case opBool:
		b := uint64(0)
		if x.getBool() {
			b = 1 << 32
		}
		mem.Store64(pos, uint64(op.head)|b)
		return pos + 8
	case opInt64:
		return writeInt(mem, pos, int64(x.get64()), op.head, op.head2)
	case opInt:
		var i int64
		switch {
		case op.size == 1 && op.unsigned:
			i = int64(x.get8())
		case op.size == 1:
			i = int64(int8(x.get8()))
		case op.size == 2 && op.unsigned:
			i = int64(x.get16())
		case op.size == 2:
			i = int64(int16(x.get16()))
		case op.size == 4 && op.unsigned:
			i = int64(x.get32())
		case op.size == 4:
			i = int64(int32(x.get32()))
		default:
			if i = int64(x.get64()); i < 0 {
				return wrong
			}
		}
		return writeInt(mem, pos, i, op.head, op.head2)
	case opFloat64:
		return writeFloat(mem, pos, x.getFloat(), op.head, op.head2)
	case opFloat32:
		return writeFloat(mem, pos, float64(x.getFloat32()), op.head, op.head2)
	case opText:
		return w.text(op, x.getText(), pos, slack)
	case opLanes8:
		mem.Store32(pos, op.head)
		x.wire8(mem, pos+4)
		return pos + 12
	case opLanes12:
		mem.Store32(pos, op.head)
		x.wire12(mem, pos+4)
		return pos + 16
	case opLanes16:
		mem.Store32(pos, op.head)
		x.wire16(mem, pos+4)
		return pos + 20
	case opLanes:
		mem.Store32(pos, op.head)
		x.wireN(mem, pos+4, int(op.size))
		return pos + 4 + int(op.size)
	case opPacked:
		return w.packed(op, x, pos, x.length())
	case opPackedArray:
		return w.packed(op, x, pos, op.plan.typ.Len())
	case opTexts:
		return w.texts(op, x, pos)
	case opList:
		return w.list(op, x, pos)
	case opStruct:
		return w.structure(op.strct, x, pos)
	case opPointer:
		if to, ok := x.pointed(); ok {
			return w.value(op.elem, to, pos)
		}
		mem.Store32(pos, op.head2)
		return pos + 4
	}
	return w.other(op, x, pos)
}

func writeInt(mem memory.View, pos int, i int64, narrow, wide uint32) int {
	if int64(int32(i)) == i {
		mem.Store64(pos, uint64(narrow)|uint64(i)<<32)
		return pos + 8
	}
	mem.Store32(pos, wide)
	mem.Store64(pos+4, uint64(i))
	return pos + 12
}

func writeFloat(mem memory.View, pos int, f float64, narrow, wide uint32) int {
	if s := float32(f); float64(s) == f {
		mem.Store64(pos, uint64(narrow)|uint64(math.Float32bits(s))<<32)
		return pos + 8
	}
	mem.Store32(pos, wide)
	mem.Store64(pos+4, math.Float64bits(f))
	return pos + 12
}

// other writes a value by way of Values.
//
//go:noinline
func (w *planWriter) other(op *writeOp, x place, pos int) int {
	left := w.limit - w.depth
	if left <= 0 {
		return wrong
	}
	if op.code == opRaw {
		b := x.value(op.plan.typ).Bytes()
		if _, err := w.c.checkRaw(b); err != nil { // also of empty bytes, which are Nil
			return wrong
		}
		w.set(append(w.out[:pos], b...))
		return len(w.out)
	}
	if op.code == opRawMap {
		w.depth++
		end, ok := w.rawPairs(op.plan, x, pos+8, nil)
		if w.depth--; !ok {
			return wrong
		}
		w.mem.Store64(pos, uint64(op.head)|uint64(x.value(op.plan.typ).Len())<<32)
		return end
	}
	from := writer{conversion: w.c.conversion(), depth: w.depth}
	from.max = from.maxDepth()
	v, err := from.value(op.plan, x.value(op.plan.typ))
	if err != nil {
		return wrong
	}
	opt := w.c.raw
	opt.MaxDepth = left
	if w.raw == nil || w.c.m != w.rawOf {
		w.raw, w.rawOf = w.c.m.NewWriter(opt), w.c.m
	} else {
		w.raw.SetOptions(opt)
	}
	out, err := w.raw.Append(w.out[:pos], v.raw)
	if err != nil {
		return wrong
	}
	w.set(out)
	return len(out)
}

// text writes a text with its header and leaves room for some bytes behind it.
func (w *planWriter) text(op *writeOp, s string, pos, rest int) int {
	n := len(s)
	if w.end-pos-rest < 8+n {
		if n > math.MaxInt32 {
			return wrong
		}
		w.grow(pos, 8+n+rest)
	}
	w.mem.Store64(pos, uint64(op.head)|uint64(n)<<32)
	pos += 8
	if !w.copyText(s, pos) && !w.c.m.CheckText(op.encoding, []byte(s)) {
		return wrong
	}
	return pos + (n+3)&^3
}

// copyText writes a text and zeros up to a multiple of 4 to where there is room
// for it and eight bytes more. It reports whether it is ASCII without NUL.
func (w *planWriter) copyText(s string, pos int) bool {
	n := len(s)
	mem, t := w.mem, memory.OfText(s)
	var marks uint64
	switch {
	case n > 16:
		mem.Store32(pos+(n-1)&^3, 0)
		last := t.Load64(n - 8)
		marks = odd(last)
		for i := 0; i < n-8; i += 8 {
			x := t.Load64(i)
			marks |= odd(x)
			mem.Store64(pos+i, x)
		}
		mem.Store64(pos+n-8, last)
	case n >= 8:
		first, last := t.Load64(0), t.Load64(n-8)
		marks = odd(first) | odd(last)
		mem.Store64(pos, first)
		if n > 8 {
			mem.Store64(pos+8, last>>(8*(16-uint(n))&63))
		}
	case n >= 4:
		first, last := uint64(t.Load32(0)), uint64(t.Load32(n-4))
		marks = odd(first | last<<32)
		mem.Store64(pos, first|last<<(8*(uint(n)-4)&63))
	case n > 0:
		x := uint32(t.Load8(0)) | uint32(t.Load8(n>>1))<<(8*(uint(n)>>1)&31) | uint32(t.Load8(n-1))<<(8*(uint(n)-1)&31)
		marks = odd(uint64(x) | textOnes<<(8*uint(n)&63))
		mem.Store32(pos, x)
	}
	return marks == 0
}

// texts writes a slice of texts.
func (w *planWriter) texts(op *writeOp, x place, pos int) int {
	n := x.length()
	if n > math.MaxInt32 || w.depth >= w.limit {
		return wrong
	}
	w.mem.Store64(pos, uint64(op.head)|uint64(n)<<32)
	pos += 8
	list := x.slice(uintptr(op.size))
	if op.packed {
		return w.packedTexts(op, list, n, pos)
	}
	elem := op.elem
	head := uint64(elem.head)
	for i := range n {
		s := list.at(i).getText()
		n := len(s)
		if w.end-pos < 8+n+slack {
			if n > math.MaxInt32 {
				return wrong
			}
			w.grow(pos, 8+n+slack)
		}
		w.mem.Store64(pos, head|uint64(n)<<32)
		pos += 8
		if !w.copyText(s, pos) && !w.c.m.CheckText(elem.encoding, []byte(s)) {
			return wrong
		}
		pos += (n + 3) &^ 3
	}
	return pos
}

// packedTexts writes texts without headers.
func (w *planWriter) packedTexts(op *writeOp, list elems, n, pos int) int {
	counted := 0
	if op.counted {
		counted = 1
	}
	for i := range n {
		s := list.at(i).getText()
		n := len(s)
		if w.end-pos < 8+n+slack {
			if n > math.MaxInt32-1 {
				return wrong
			}
			w.grow(pos, 8+n+slack)
		}
		w.mem.Store32(pos, uint32(n+counted))
		pos += 4
		w.mem.Store64(pos+n&^3, 0)
		if !w.copyText(s, pos) && !w.c.m.CheckText(op.encoding, []byte(s)) {
			return wrong
		}
		pos += (n + counted + 3) &^ 3
	}
	return pos
}

// packed writes a slice or array of numbers.
func (w *planWriter) packed(op *writeOp, x place, pos, n int) int {
	if n > math.MaxInt32/int(op.size) {
		return wrong
	}
	size := n * int(op.size)
	if w.end-pos < 12+size+slack {
		w.grow(pos, 12+size+slack)
	}
	w.mem.Store64(pos, uint64(op.head)|uint64(n)<<32)
	pos += 8
	if n == 0 {
		return pos
	}
	if op.padded {
		w.mem.Store32(pos+size&^3, 0)
	}
	if op.code == opPackedArray {
		x.wireN(w.mem, pos, size)
	} else {
		x.slice(0).wireN(w.mem, pos, size)
	}
	pos += size
	if op.padded {
		pos += -size & 3
	}
	return pos
}

// list writes a slice element by element.
func (w *planWriter) list(op *writeOp, x place, pos int) int {
	n := x.length()
	if n > math.MaxInt32 || w.depth >= w.limit {
		return wrong
	}
	w.mem.Store64(pos, uint64(op.head)|uint64(n)<<32)
	pos += 8
	w.depth++
	elem, list := op.elem, x.slice(uintptr(op.size))
	for i := range n {
		if elem.code == opStruct {
			pos = w.structure(elem.strct, list.at(i), pos)
		} else {
			pos = w.value(elem, list.at(i), pos)
		}
		if pos < 0 {
			return wrong
		}
	}
	w.depth--
	return pos
}

// structure writes a struct.
func (w *planWriter) structure(s *writeStruct, x place, pos int) int {
	if w.depth >= w.limit {
		return wrong
	}
	if w.end-pos < s.room {
		w.grow(pos, s.room)
	}
	w.depth++
	start, n := pos, len(s.fields)
	pos += 8
	mem := w.mem
	for i := range s.fields {
		f := &s.fields[i]
		from := x.field(f.offset, f.field)
		if f.omits && f.field.omitted(from.value(f.op.plan.typ)) {
			n--
			continue
		}
		mem.Store64(pos, f.key0)
		mem.Store64(pos+8, f.key1)
		if f.key != "" {
			copy(mem.Bytes(pos+8, len(f.key)), f.key)
		}
		pos += int(f.skip)
		switch f.code {
		case opInt64:
			i := int64(from.get64())
			if int64(int32(i)) == i {
				mem.Store64(pos, uint64(f.head)|uint64(i)<<32)
				pos += 8
			} else {
				mem.Store32(pos, f.head2)
				mem.Store64(pos+4, uint64(i))
				pos += 12
			}
			continue
		case opFloat64:
			x := from.getFloat()
			if s := float32(x); float64(s) == x {
				mem.Store64(pos, uint64(f.head)|uint64(math.Float32bits(s))<<32)
				pos += 8
			} else {
				mem.Store32(pos, f.head2)
				mem.Store64(pos+4, math.Float64bits(x))
				pos += 12
			}
			continue
		case opLanes12:
			mem.Store32(pos, f.head)
			from.wire12(mem, pos+4)
			pos += 16
			continue
		case opLanes8:
			mem.Store32(pos, f.head)
			from.wire8(mem, pos+4)
			pos += 12
			continue
		case opText:
			pos = w.text(f.op, from.getText(), pos, int(f.rest))
		case opTexts:
			pos = w.texts(f.op, from, pos)
		default:
			pos = w.value(f.op, from, pos)
		}
		if pos < 0 {
			return wrong
		}
		if w.end-pos < int(f.rest) {
			w.grow(pos, int(f.rest))
		}
		mem = w.mem
	}
	if f := s.rest; f != nil {
		from := x.field(f.offset, f)
		var ok bool
		if pos, ok = w.rawPairs(f.plan, from, pos, s.byName); !ok {
			return wrong
		}
		n += from.value(f.plan.typ).Len()
		mem = w.mem
	}
	w.depth--
	mem.Store64(start, uint64(s.head)|uint64(n)<<32)
	return pos
}
