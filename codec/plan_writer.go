// Writing by plans: the values of Go types, from memory into bytes.

package codec

import (
	"math"
	"reflect"
	"slices"

	"github.com/octable/octable/interp/memory"
)

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
		w.own = nil // unreachable: slices.Grow leaves less than a quarter of so large a buffer unused, and such a result is not kept
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
	if pointer && rv.IsNil() {
		return nil, place{}
	}
	switch {
	case m != nil && m.writeType == t:
		prog = m.write
	case pointer && t.Elem().Kind() == reflect.Pointer:
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
	if prog.places {
		end = w.placing(prog.record, at, len(dst))
	} else if prog.record != nil {
		end = w.whole(prog.record, at, len(dst))
	} else {
		end = w.value(prog.root, at, len(dst))
	}
	out := w.out
	w.out, w.mem, w.c = nil, memory.View{}, nil
	w.keys = w.keys[:0]
	if end < 0 {
		return nil, false
	}
	return out[:end], true
}

func (w *planWriter) set(out []byte) { w.out, w.mem, w.end = out, memory.Of(out), cap(out) }

// grow makes room for n more bytes behind pos.
//
//go:noinline
func (w *planWriter) grow(pos, n int) {
	w.leaves++
	w.set(slices.Grow(w.out[:pos], n))
}

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
	w.leaves++
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
		end := w.rawPairs(op.plan, x, pos+8, nil)
		if w.depth--; end < 0 {
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
	if !w.copyText(s, pos) && !w.oddText(s, op.encoding) {
		return wrong
	}
	return pos + (n+3)&^3
}

// copyText writes a text and zeros up to a multiple of 4. At pos there is room
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

// oddText reports whether a text that is not plain can be written.
func (w *planWriter) oddText(s string, encoding int) bool {
	w.leaves++
	return w.c.m.CheckText(encoding, []byte(s))
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
		if !w.copyText(s, pos) && !w.oddText(s, elem.encoding) {
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
		if !w.copyText(s, pos) && !w.oddText(s, op.encoding) {
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
		if pos == wrong {
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
		if pos == wrong {
			return wrong
		}
		if w.end-pos < int(f.rest) {
			w.grow(pos, int(f.rest))
		}
		mem = w.mem
	}
	if f := s.rest; f != nil {
		from := x.field(f.offset, f)
		if pos = w.rawPairs(f.plan, from, pos, s.byName); pos == wrong {
			return wrong
		}
		n += from.value(f.plan.typ).Len()
		mem = w.mem
	}
	w.depth--
	mem.Store64(start, uint64(s.head)|uint64(n)<<32)
	return pos
}
