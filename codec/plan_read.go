// Bytes straight into Go values.

package codec

import (
	"math"
	"reflect"

	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// learn gives the reader separate fields, in the order of the Go types.
func (r *planReader) learn(prog *readProgram) {
	r.fields = append(r.fields[:0], prog.fields...)
	for i, first := 0, 0; i < len(r.fields); i++ {
		f := &r.fields[i]
		if f.op != nil {
			f.next = &r.fields[i+1]
		} else {
			f.next = &r.fields[first]
			first = i + 1
		}
	}
}

// planReader is one call of reading, and what is kept for the next.
type planReader struct {
	c    *Codec
	prog *readProgram
	in   memory.View
	b    []byte
	end  int
	recordFrames
	memory  int  // bytes that may still be taken
	limited bool // there is a limit to them
	alias   bool // strings point into b
	keep    bool // slices in elements of slices are used again
	skips   bool // keys that no field has are left out
	more    int  // elements to come after the one that is being read
	fields  []readField
	text    memory.View // where strings are copied to
	textPos int
	textEnd int // eight bytes before the end
	used    int // bytes for strings in this call
	usual   int // bytes of strings in the last one
	chunks  []chunk
	reader  *interp.Reader
	placed  *interp.ReadPlaces // of the packet, if the plan reads rows at places
	slabs   []slab
	touched []int // slabs that are used in this call
	boxes   []int // slabs that have blocks
	into    any   // the pointer of the last call, if tracks is true
	intoAt  uintptr
	same    bool // this call is for the same Go value as the last one, and tracks is true
	tracks  bool // values that interfaces refer to are used again in the next call for the same Go value
	nested  bool // in an element or an arm, where a pointer keeps nothing that it pointed to
	base    int  // of the registers of the record that operations read
	fresh   bool // slices in it may not use their memory again
	floor   int  // of the levels of the record, in which arms are
	top     int
	levels  [getLevels]getLevel
	leaves  uint // counts what the loop of operations leaves to functions, over all packets
}

// unmarshal reads b into what ptr points to; m may be nil.
func (c *Codec) unmarshal(b []byte, ptr any, m *Mapper) error {
	if err := c.ready(); err != nil {
		return err
	}
	rv := reflect.ValueOf(ptr)
	if rv.Kind() != reflect.Pointer || rv.IsNil() || c.opt.Strict || c.forms != nil || c.notation != nil && (c.opt.MaxDepth > 0 || c.opt.MaxMemory > 0) {
		return c.unmarshalValue(b, ptr)
	}
	var prog *readProgram
	if t := rv.Type(); m != nil && m.readType == t {
		prog = m.read
	} else if prog = c.readProgram(t.Elem()); m != nil {
		m.readType, m.read = t, prog
	}
	if prog == nil || prog.unknown && !c.opt.IgnoreUnknown {
		return c.unmarshalValue(b, ptr)
	}
	r := prog.reader(m)
	if r.tracks, r.same = r.keep && prog.record != nil, false; r.tracks {
		r.restart(ptr, rv.Pointer())
	}
	used := r.start(c, b, placeAt(rv))
	if m == nil {
		prog.pool.Put(r)
	}
	if used < 0 {
		return c.unmarshalValue(b, ptr)
	}
	if used < len(b) && !c.opt.AllowTrailing {
		return c.trailing(b, used)
	}
	return nil
}

// reader returns a reader of the program, that of a Mapper if there is one.
func (prog *readProgram) reader(m *Mapper) (r *planReader) {
	if m != nil {
		if m.r == nil {
			m.r = &planReader{keep: true}
		}
		r = m.r
	} else if r, _ = prog.pool.Get().(*planReader); r == nil {
		r = &planReader{}
	}
	if r.prog != prog {
		r.prog, r.usual = prog, 0
		r.learn(prog)
		r.chunks = make([]chunk, prog.chunks)
		r.slabs, r.touched = make([]slab, prog.slabs), make([]int, 0, prog.slabs)
		r.into, r.intoAt, r.boxes = nil, 0, nil
		r.placed = nil
	}
	return r
}

// start reads a value at the beginning of b and returns how many bytes it takes, or wrong.
func (r *planReader) start(c *Codec, b []byte, x place) (used int) {
	r.c, r.b, r.in, r.end = c, b, memory.Of(b), len(b)
	r.alias, r.skips, r.limit = c.opt.Alias, c.opt.IgnoreUnknown, c.limits()
	r.depth, r.more, r.memory, r.limited = 0, 0, c.opt.MaxMemory, c.opt.MaxMemory > 0
	r.regs, r.nested, r.top, r.floor = r.regs[:0], false, 0, 0
	prog := r.prog
	if prog.places {
		if r.placed == nil {
			r.placed = c.m.NewReadPlaces()
		}
		r.placed.Reset(b)
	}
	if prog.record != nil {
		used = r.record(prog.record, x, 0, false)
	} else {
		used = r.value(prog.root, x, 0, false)
	}
	r.b, r.in, r.usual, r.c = nil, memory.View{}, r.used-max(0, r.textEnd-r.textPos), nil
	r.text, r.textPos, r.textEnd, r.used = memory.View{}, 0, 0, 0
	if prog.places {
		r.placed.Reset(nil)
	}
	r.rest()
	if !r.tracks {
		clear(r.levels[:]) // a reader that is kept must not keep the Go value
	}
	return used
}

// wrong is the place after a value that goes by Values with all that is around it.
const wrong = -1

// value reads the value at pos and returns the place behind it. If clear is true, the value before in x is ignored, but
// slices may use its memory again.
func (r *planReader) value(op *readOp, x place, pos int, clear bool) int {
	end := r.end
	if end-pos < 8 {
		return r.other(op, x, pos, clear)
	}
	in := r.in
	w := in.Load64(pos)
	head := uint32(w)
	switch op.code {
	case opBool:
		if head == op.head {
			x.putBool(w>>32 != 0)
			return pos + 8
		}
	case opInt64:
		if head == op.head {
			x.put64(uint64(int64(w) >> 32))
			return pos + 8
		}
		if head == op.head2 && end-pos >= 12 {
			x.put64(in.Load64(pos + 4))
			return pos + 12
		}
	case opInt:
		i, next := int64(w)>>32, pos+8
		if head != op.head {
			if head != op.head2 || end-pos < 12 {
				break
			}
			i, next = int64(in.Load64(pos+4)), pos+12
		}
		if i < op.low || i > op.high {
			return wrong
		}
		x.putSize(op.size, uint64(i))
		return next
	case opFloat64:
		if head == op.head {
			if f := math.Float32frombits(uint32(w >> 32)); f == f {
				x.putFloat(float64(f))
				return pos + 8
			}
		} else if head == op.head2 && end-pos >= 12 {
			x.put64(in.Load64(pos + 4))
			return pos + 12
		} else if head == op.int {
			x.putFloat(float64(int64(w) >> 32))
			return pos + 8
		}
	case opFloat32:
		if f := math.Float32frombits(uint32(w >> 32)); head == op.head && f == f {
			x.put32(uint32(w >> 32))
			return pos + 8
		}
	case opText:
		if head == op.head || head == op.head2 {
			n, start := int(w>>32), pos+8
			next, ok := memory.Padded(start, w>>32, end)
			if !ok {
				return wrong
			}
			if !plainText(in, start, n) {
				return r.oddText(x, op.encoding, start, n, next)
			}
			x.putText(r.string(start, n))
			return next
		}
	case opLanes8:
		if head == op.head && end-pos >= 12 {
			x.lanes8(in, pos+4)
			return pos + 12
		}
	case opLanes12:
		if head == op.head && end-pos >= 16 {
			x.lanes12(in, pos+4)
			return pos + 16
		}
	case opLanes16:
		if head == op.head && end-pos >= 20 {
			x.lanes16(in, pos+4)
			return pos + 20
		}
	case opLanes:
		if n := int(op.size); head == op.head && end-pos-4 >= n {
			x.lanes(in, pos+4, n)
			return pos + 4 + n
		}
	default:
		return r.compound(op, x, pos, w, clear)
	}
	return r.other(op, x, pos, clear)
}

// compound reads a value with parts or behind a pointer, which begins with the eight bytes of w.
func (r *planReader) compound(op *readOp, x place, pos int, w uint64, clear bool) int {
	head := uint32(w)
	switch op.code {
	case opPacked, opPackedArray:
		if head == op.head {
			return r.packed(op, x, pos, uint(w>>32))
		}
	case opTexts:
		if head == op.head {
			return r.texts(op, x, pos)
		}
		if head == op.head2 {
			return r.packedTexts(op, x, pos, uint32(w>>32))
		}
	case opList:
		if head == op.head {
			return r.list(op, x, pos, uint32(w>>32))
		}
	case opStruct:
		if head == op.head {
			return r.structure(op.strct, x, pos, clear)
		}
	case opPointer:
		to, ok := x.pointed()
		if head == op.elem.head && ok && !clear {
			return r.value(op.elem, to, pos, false)
		}
		if head == op.elem.head {
			ptr := reflect.New(op.elem.plan.typ)
			pos = r.value(op.elem, placeAt(ptr), pos, false)
			if pos != wrong {
				x.point(ptr)
			}
			return pos
		}
	}
	return r.other(op, x, pos, clear)
}

// other reads a value by way of Values.
//
//go:noinline
func (r *planReader) other(op *readOp, x place, pos int, clear bool) int {
	r.leaves++
	left := r.limit - r.depth
	if r.limited || left <= 0 {
		return wrong
	}
	rv := x.value(op.plan.typ)
	if clear {
		rv.SetZero()
	}
	opt := r.c.raw
	opt.MaxDepth = left
	if r.reader == nil || r.reader.Machine() != r.c.m {
		r.reader = r.c.m.NewReader(opt)
	} else {
		r.reader.SetOptions(opt)
	}
	// A method of the Value's target may lead back to here only by another reader.
	b := r.b[pos:]
	v, used, err := r.reader.Read(b)
	if err != nil {
		return wrong
	}
	if op.code == opRaw {
		if b = b[:used:used]; !r.alias {
			b = append(make([]byte, 0, used), b...)
		}
		rv.SetBytes(b)
		return pos + used
	}
	keeps, texts := op.kept()
	if b = b[:used]; texts && !r.alias {
		b = append(make([]byte, 0, used), b...)
	}
	switch {
	case keeps:
		v, _, err = r.c.m.Decode(b, opt)
	case texts && !r.alias:
		v, _, err = r.reader.Read(b)
	}
	if err != nil {
		return wrong // unreachable: the reader has read the same bytes
	}
	to := reader{conversion: r.c.conversion(), depth: r.depth}
	if op.plan.hasRaw() {
		to.src = r.b[pos : pos+used]
	}
	to.max = to.maxDepth()
	if to.value(op.plan, wrap(v), rv) != nil {
		return wrong
	}
	return pos + used
}

// kept says whether the Value that is read by op, or its texts, may be kept in
// the target.
func (op *readOp) kept() (value, texts bool) {
	switch op.code {
	case opOther:
		return op.keeps, op.texts
	case opText, opTexts:
		return false, true
	case opList, opStruct, opPointer:
		return true, true
	}
	return false, false
}

// string returns the text at start.
func (r *planReader) string(start, n int) string {
	if n == 0 {
		return ""
	}
	if r.alias {
		return r.in.Text(start, n)
	}
	return r.own(start, n)
}

const (
	ownAlone = 1 << 10 // texts of that length are alone
	ownChunk = 16 << 10
)

// own returns a copy of the text at start. Texts of one call are together.
func (r *planReader) own(start, n int) string {
	at := r.textPos
	if r.textEnd-at < max(1, n-8) || n >= ownAlone {
		if n >= ownAlone {
			return string(r.b[start : start+n])
		}
		r.leaves++
		size := max(r.usual-r.used, r.used, 64)
		size = max(min(size, ownChunk, r.end-start), n) + 16
		r.used += size
		r.text, r.textPos, r.textEnd, at = memory.Of(make([]byte, 0, size)), 0, size-8, 0
	}
	r.textPos = at + n
	switch {
	case n <= 8:
		r.text.Store64(at, r.in.Load64(start+n-8)>>(64-8*uint(n)))
	case n <= 16:
		first, last := r.in.Load64(start), r.in.Load64(start+n-8)
		r.text.Store64(at, first)
		r.text.Store64(at+n-8, last)
	default:
		copy(r.text.Bytes(at, n), r.b[start:start+n])
	}
	return r.text.Text(at, n)
}

// oddText reads text that is not plain.
//
//go:noinline
func (r *planReader) oddText(x place, encoding, start, n, next int) int {
	r.leaves++
	text, ok := r.c.m.ReadText(encoding, r.b[start:start+n:start+n])
	if !ok {
		return wrong
	}
	switch {
	case len(text) == 0:
		x.putText("")
	case r.alias:
		x.putText(memory.Of(text).Text(0, len(text)))
	default:
		x.putText(string(text))
	}
	return next
}

// packed reads a slice or array of numbers.
func (r *planReader) packed(op *readOp, x place, pos int, n uint) int {
	pos += 8
	left := uint(r.end - pos)
	if n > left/uint(op.size) {
		return wrong
	}
	size := n * uint(op.size)
	b := r.b[pos : pos+int(size)]
	if op.padded != 0 {
		if size = (size + 3) &^ 3; size > left {
			if op.padded == 1 {
				return wrong
			}
			size = left
		}
	}
	if op.code == opPackedArray {
		if int(n) != op.plan.typ.Len() {
			return wrong
		}
		if n > 0 {
			x.lanes(r.in, pos, len(b))
		}
		return pos + int(size)
	}
	if _, ok := x.room(int(n)); ok {
		x.setOf(b)
	} else {
		x.makeOf(op.plan.typ, int(op.size), b)
	}
	return pos + int(size)
}

// enter counts a container with a number of parts, of which each takes at least
// some bytes.
func (r *planReader) enter(pos, parts int, least uint32) bool {
	return uint64(parts)*uint64(least) <= uint64(r.end-pos) && r.depth < r.limit && (!r.limited || r.charge(parts))
}

// charge counts the memory that a Value would need for its parts.
//
//go:noinline
func (r *planReader) charge(cells int) bool {
	r.memory -= cells * interp.CellSize
	return r.memory >= 0
}

// sized gives the slice at x a length. It returns how many of the elements still
// hold what they held, for their slices to be used again.
func (r *planReader) sized(op *readOp, x place, n int) (kept int) {
	if before, ok := x.room(n); ok {
		if op.whole || op.code == opTexts {
			return 0
		}
		if r.keep {
			kept = min(before, n)
		}
		switch {
		case kept == 0:
			x.of(&op.plan.mem).Clear()
		case n > kept:
			x.of(&op.plan.mem).Slice(kept, n).Clear()
		}
		return kept
	}
	size := int(op.size)
	if (r.more > 0 || r.keep) && n > 0 && n <= 256/max(size, 1) {
		r.cut(op, x, n)
		return 0
	}
	x.make(op.plan.typ, n)
	return 0
}

// chunkBytes is how large a chunk grows.
const chunkBytes = 8 << 10

// cut sets the slice at x to n new elements, which are a part of a chunk. A Mapper has chunks for several calls.
func (r *planReader) cut(op *readOp, x place, n int) {
	c, size := &r.chunks[op.chunk], max(1, int(op.size))
	if c.left < n {
		made := max(n, min(n*(r.more+1), chunkBytes/size))
		if r.keep {
			made = max(made, min(c.made, chunkBytes/size))
		}
		c.fill(op.plan.typ, made)
	}
	c.cut(x, n, uintptr(op.size))
}

// texts reads an Array of texts.
func (r *planReader) texts(op *readOp, x place, pos int) int {
	n := int(op.count.Of(r.in.Load32(pos + 4)))
	pos += 8
	if uint64(n)*8 > uint64(r.end-pos) || r.depth >= r.limit || r.limited && !r.charge(n) {
		return wrong
	}
	if _, ok := x.room(n); !ok {
		r.sized(op, x, n)
	}
	list, head := x.slice(uintptr(op.size)), op.elem.head
	in, end := r.in, r.end
	for i := range n {
		// a plain text that is not to be copied, or is short
		if end-pos >= 8 {
			w := in.Load64(pos)
			n, start := int(w>>32), pos+8
			next, ok := memory.Padded(start, w>>32, end)
			if uint32(w) != head || !ok || n == 0 {
				goto other
			}
			if n <= 8 {
				w = in.Load64(start + n - 8)
				if odd(w)>>(64-8*uint(n)) != 0 {
					goto other
				}
			} else if n > 16 || odd(in.Load64(start))|odd(in.Load64(start+n-8)) != 0 {
				goto other
			}
			if r.alias {
				list.at(i).putText(in.Text(start, n))
			} else {
				t := r.textPos
				if n > 8 || t >= r.textEnd {
					goto other
				}
				r.text.Store64(t, w>>(64-8*uint(n)))
				list.at(i).putText(r.text.Text(t, n))
				r.textPos = t + n
			}
			pos = next
			continue
		}
	other:
		r.leaves++
		r.depth++
		pos = r.value(op.elem, list.at(i), pos, false)
		if r.depth--; pos == wrong {
			return wrong
		}
	}
	return pos
}

// packedTexts reads a PackedStringArray: texts without headers.
func (r *planReader) packedTexts(op *readOp, x place, pos int, word uint32) int {
	n := int(op.count2.Of(word))
	pos += 8
	if !r.enter(pos, n, 4) {
		return wrong
	}
	r.sized(op, x, n)
	in, end := r.in, r.end
	list := x.slice(uintptr(op.size))
	for i := range n {
		if end-pos < 4 {
			return wrong
		}
		size, start := int(in.Load32(pos)), pos+4
		next, ok := memory.Padded(start, uint64(uint32(size)), end)
		if !ok {
			return wrong
		}
		n := size
		if op.counted && n > 0 && in.Load8(start+n-1) == 0 {
			n--
		}
		if !plainText(in, start, n) {
			if r.oddText(list.at(i), op.encoded, start, size, next) == wrong {
				return wrong
			}
		} else {
			list.at(i).putText(r.string(start, n))
		}
		pos = next
	}
	return pos
}

// list reads an Array.
func (r *planReader) list(op *readOp, x place, pos int, word uint32) int {
	n := int(op.count.Of(word))
	pos += 8
	elem := op.elem
	if !r.enter(pos, n, elem.least) {
		return wrong
	}
	kept := r.sized(op, x, n)
	if n == 0 {
		return pos
	}
	list := x.slice(uintptr(op.size))
	r.depth++
	more := r.more
	for i := range n {
		r.more = n - 1 - i
		if elem.code == opStruct && r.end-pos >= 8 && r.in.Load32(pos) == elem.head {
			pos = r.structure(elem.strct, list.at(i), pos, i < kept)
		} else {
			pos = r.value(elem, list.at(i), pos, i < kept)
		}
		if pos == wrong {
			return wrong
		}
	}
	r.more = more
	r.depth--
	return pos
}

// putSize sets an integer of a size in bytes.
func (x place) putSize(size uint32, w uint64) {
	switch size {
	case 1:
		x.put8(uint8(w))
	case 2:
		x.put16(uint16(w))
	case 4:
		x.put32(uint32(w))
	default:
		x.put64(w)
	}
}
