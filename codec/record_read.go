// Reading records into structs by their plans. Anything unusual is wrong, and the whole packet is
// read again through Values, which define the semantics and the errors.

package codec

import (
	"bytes"
	"math"
	"reflect"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// of returns the number of parts, -1 if it is negative or too large. run is the place of the last run.
func (c *partCount) of(in memory.View, run int) int {
	if c.from == nil {
		return int(c.n)
	}
	n := c.from.Of(interp.LoadNumber(in, run+c.from.Off, c.scalar, c.big))
	if n < 0 || n > math.MaxInt32 {
		return none
	}
	return int(n)
}

// record reads a value at pos and returns where it ends. Its arguments are the last registers. If fresh is
// true, slices in x may not use their memory again.
func (r *planReader) record(rec *recordPlan, x place, pos int, fresh bool) int {
	if rec.regs == 0 && rec.union == nil && !rec.nests && !rec.broken {
		return r.get(rec.gets, x, pos, len(r.regs), fresh)
	}
	regs, ok := r.push(rec)
	if !ok {
		return wrong
	}
	if rec.union != nil {
		pos = r.union(rec, x, pos, regs, fresh)
	} else {
		pos = r.get(rec.gets, x, pos, regs, fresh)
	}
	r.pop(regs)
	return pos
}

// evaluate computes an expression of the registers from regs on, and of fields at x.
func (r *planReader) evaluate(e *recordExpr, x place, pos, regs int) int64 {
	if e.short {
		return e.quick(r.regs[regs:])
	}
	return r.operate(e, x, pos, regs)
}

// operate computes an expression that is not short.
func (r *planReader) operate(e *recordExpr, x place, pos, regs int) int64 {
	return e.value(&recordScope{regs: r.regs[regs:], x: x, left: r.end - pos})
}

// pass makes the arguments of a value the last registers.
func (r *planReader) pass(args []recordExpr, pos, regs int) {
	for i := range args {
		r.regs = append(r.regs, uint64(r.evaluate(&args[i], place{}, pos, regs)))
	}
}

// count returns the number of parts of a step, or -1.
func (r *planReader) count(s *recordStep, pos, run, regs int) int {
	c := &s.count
	if c.expr == nil {
		return c.of(r.in, run)
	}
	return countOf(r.evaluate(c.expr, place{}, pos, regs))
}

// textInto reads a text into a string.
func (r *planReader) textInto(s *recordStep, at place, pos, run, regs int) int {
	return r.textOf(s, at, pos, r.count(s, pos, run, regs))
}

// textOf reads a text of n bytes into a string.
func (r *planReader) textOf(s *recordStep, at place, pos, n int) int {
	if uint(n) > uint(r.end-pos) {
		return wrong
	}
	switch {
	case n == 0:
		at.putText("")
	case pos+n >= 8 && plainText(r.in, pos, n):
		at.putText(r.string(pos, n))
	case r.oddText(at, s.encoding, pos, n, 0) == wrong:
		return wrong
	}
	return pos + n
}

// part reads a part of variable size into x.
func (r *planReader) part(s *recordStep, x place, pos, run, regs int, fresh bool) int {
	switch s.code {
	case recordInner:
		r.pass(s.args, pos, regs)
		return r.record(s.elem, x, pos, fresh)
	case recordText:
		return r.textInto(s, x, pos, run, regs)
	case recordPointer:
		to, ok := x.pointed()
		if again := r.tracks && r.nested; !ok || again {
			if to, fresh = r.reached(x, s.op), true; again {
				to.value(s.op.plan.typ.Elem()).SetZero()
			}
		}
		return r.part(s.inner, to, pos, run, regs, fresh)
	case recordUntil, recordFilled:
		return r.delimited(s, x, pos, regs, fresh)
	case recordList:
		return r.recordList(s, x, pos, run, regs, fresh)
	case recordPairs:
		return r.recordPairs(s, x, pos, run, regs, fresh)
	case recordPlaces:
		return r.place(s, pos, regs)
	case recordGaps:
		return r.gaps(s, x, pos)
	}
	n := (r.end - pos) / max(1, s.size)
	if !s.count.rest {
		if n = r.count(s, pos, run, regs); n < 0 {
			return wrong
		}
	}
	if uint(n) > uint(r.end-pos)/uint(max(1, s.size)) {
		return wrong
	}
	switch s.code {
	case recordSkip:
		return pos + n*s.size
	case recordBytes:
		return r.bytes(s, x, pos, n, fresh)
	}
	return r.numbers(s, x, pos, n, fresh)
}

// listed gives the slice at x a length. It returns how many of the elements still hold what they held.
func (r *planReader) listed(s *recordStep, x place, n int, fresh bool) (kept int) {
	if fresh {
		x.drop()
	}
	return r.sized(s.op, x, n)
}

// bytes reads bytes or text into a []byte.
func (r *planReader) bytes(s *recordStep, x place, pos, n int, fresh bool) int {
	b := r.b[pos : pos+n]
	if s.encoding != none {
		text, ok := r.c.m.ReadText(s.encoding, b)
		if !ok {
			return wrong
		}
		b = text
	}
	if r.alias {
		x.share(b[:len(b):len(b)])
		return pos + n
	}
	if _, ok := x.room(len(b)); ok && !fresh {
		x.setOf(b)
	} else {
		x.makeOf(s.op.plan.typ, 1, b)
	}
	return pos + n
}

// numbers reads an array of numbers into a slice or array.
func (r *planReader) numbers(s *recordStep, x place, pos, n int, fresh bool) int {
	if s.array != none {
		switch {
		case n != s.array:
			return wrong
		case s.number.copied():
			x.lanes(r.in, pos, n*s.size)
			return pos + n*s.size
		}
		for k := range n {
			if !r.tuple(s, x.index(s.typ, k), pos+k*s.size) {
				return wrong
			}
		}
		return pos + n*s.size
	}
	r.listed(s, x, n, fresh)
	if s.number.copied() {
		x.setOf(r.b[pos : pos+n*s.size])
		return pos + n*s.size
	}
	list := x.slice(uintptr(s.op.size))
	if s.lanes > 1 {
		for k := range n {
			if !r.tuple(s, list.at(k), pos+k*s.size) {
				return wrong
			}
		}
		return pos + n*s.size
	}
	for first := 0; first < n; first += len(r.places) {
		block := r.places[:min(len(r.places), n-first)]
		for k := range block {
			block[k] = pos
			pos += s.size
		}
		if !s.number.column(r, r.in, block, list, first) {
			return wrong
		}
	}
	return pos
}

// tuple reads an element of an array: a number, or a tuple into a Go array.
func (r *planReader) tuple(s *recordStep, x place, pos int) bool {
	if s.lanes == 1 {
		return s.number.move(r, r.in, pos, x)
	}
	width := s.size / s.lanes
	for k := range s.lanes {
		if !s.number.move(r, r.in, pos+k*width, x.index(s.tuple, k)) {
			return false
		}
	}
	return true
}

// reached returns the place that the pointer at x points to. A nil pointer gets a new value. A Mapper that reads into the
// same Go value again uses the memory of the values that pointers in elements and arms refer to.
func (r *planReader) reached(x place, op *readOp) place {
	to, ok := x.pointed()
	switch {
	case r.tracks && r.nested:
		to, _ = r.boxed(op)
	case ok:
		return to
	case r.tracks:
		to = placeAt(reflect.New(op.plan.typ.Elem())) // the memory of the slab is not for one call alone
	default:
		to = r.new(op)
	}
	x.pointTo(to)
	return to
}

// slab holds new values that pointers and interfaces refer to.
type slab struct {
	chunk
	used   int // values in this call
	usual  int // values in the last one
	typ    reflect.Type
	blocks []chunk // the memory of values of interfaces that a Mapper may use again
	again  bool    // the block has values of earlier calls
}

// restart begins a call for the Go value that ptr points to. The memory of the last call is used again if it was for the
// same one.
func (r *planReader) restart(ptr any, at uintptr) {
	if r.same = r.into != nil && r.intoAt == at; r.same {
		return
	}
	for _, i := range r.boxes {
		s := &r.slabs[i]
		s.chunk, s.blocks = chunk{made: s.made}, nil
	}
	r.boxes, r.into, r.intoAt = r.boxes[:0], ptr, at
}

// slabBytes is how large a slab grows before it is known how many values there are.
const slabBytes = 4 << 10

// new returns the place of a new value. Those of one call are together, and those of several calls of a Mapper.
func (r *planReader) new(op *readOp) place {
	s := &r.slabs[op.chunk]
	if s.used == 0 {
		r.touched = append(r.touched, op.chunk)
	}
	if s.left == 0 {
		s.fill(op.plan.typ, s.room(r, op))
	}
	s.used++
	return s.one(uintptr(op.size))
}

// room returns for how many values the slab gets memory.
func (s *slab) room(r *planReader, op *readOp) int {
	n := max(s.usual-s.used, min(max(s.used, s.made), slabBytes/max(1, int(op.size))), 1)
	return max(1, min(n, len(r.b)))
}

// boxed returns the place of a value that an interface refers to. again reports whether it may hold one of an earlier
// call.
func (r *planReader) boxed(op *readOp) (at place, again bool) {
	s := &r.slabs[op.chunk]
	if s.left > 0 {
		if s.used == 0 {
			r.touched = append(r.touched, op.chunk)
		}
		s.used++
		return s.one(uintptr(op.size)), s.again
	}
	s.again = false
	if !r.tracks {
		return r.new(op), false
	}
	if s.typ = op.plan.typ; s.blocks == nil {
		r.boxes = append(r.boxes, op.chunk)
	}
	s.fill(op.plan.typ, s.room(r, op))
	s.blocks = append(s.blocks, s.chunk)
	return r.boxed(op)
}

// rest ends a call. A Mapper keeps the memory that no value has taken for the next one.
func (r *planReader) rest() {
	for _, i := range r.touched {
		s := &r.slabs[i]
		switch s.used, s.usual = 0, s.used; {
		case !r.keep:
			s.chunk = chunk{}
		case len(s.blocks) > 1: // from now on, they are one
			s.fill(s.typ, s.usual)
			s.blocks, s.again = append(s.blocks[:0:0], s.chunk), true
		case s.blocks != nil:
			made := s.made
			s.chunk, s.again = s.blocks[0], true
			s.made = made
		}
	}
	r.touched = r.touched[:0]
	if !r.keep {
		clear(r.chunks)
	}
}

// recordList reads a list into a slice.
func (r *planReader) recordList(s *recordStep, x place, pos, run, regs int, fresh bool) int {
	args := len(r.regs)
	r.pass(s.args, pos, regs)
	elem := s.element(r.regs[args:])
	own := r.frame(s, elem, args)
	more, nested := r.more, r.nested
	r.nested = true
	switch {
	case s.through || s.tail:
		pos = r.openList(s, elem, x, pos, args, own, fresh)
	default:
		n := (r.end - pos) / max(1, s.size)
		if !s.count.rest {
			n = r.count(s, pos, run, regs)
		}
		pos = r.closedList(s, elem, x, pos, n, args, own, fresh)
	}
	if own >= 0 {
		r.pop(own)
	}
	r.more, r.nested = more, nested
	r.regs = r.regs[:args]
	return pos
}

// element returns the plan of the elements for their arguments.
func (s *recordStep) element(args []uint64) *recordPlan {
	key := 0
	for i, arg := range s.decides {
		if args[arg] > 1 {
			return s.elem
		}
		key |= int(args[arg]) << i
	}
	if s.variants == nil {
		return s.elem
	}
	return s.variants[key]
}

// closedList reads a list of n elements.
func (r *planReader) closedList(s *recordStep, elem *recordPlan, x place, pos, n, args, own int, fresh bool) int {
	if !s.holds(n, r.end-pos) {
		return wrong
	}
	kept := r.listed(s, x, n, fresh)
	list := x.slice(uintptr(s.op.size))
	if elem.flat && (elem.whole || kept == 0) {
		return r.columns(elem, list, n, pos)
	}
	for k := range n {
		r.more = n - k - 1
		if pos = r.element(s, elem, list.at(k), pos, args, own, k < kept); pos == wrong {
			return wrong
		}
	}
	return pos
}

// frame makes the registers of the elements of a list, which use them one after the other. It returns their begin, or -1
// if the elements have no registers or each of them must allocate its registers.
func (r *planReader) frame(s *recordStep, elem *recordPlan, args int) int {
	if elem.broken || elem.regs == 0 && elem.union == nil || r.depth+elem.deep >= r.limit/depthPart {
		return none
	}
	r.regs = append(r.regs, r.regs[args:args+len(s.args)]...)
	own, _ := r.push(elem)
	return own
}

// element reads an element of a list, whose registers begin at own. If kept is true, it holds what was read before.
func (r *planReader) element(s *recordStep, elem *recordPlan, at place, pos, args, own int, kept bool) int {
	if kept && !elem.covered {
		at.of(&elem.zero).SetZero()
		kept = false
	}
	fresh := !kept || !r.keep
	if own < 0 {
		if len(s.args) > 0 {
			r.regs = append(r.regs, r.regs[args:args+len(s.args)]...)
		}
		return r.record(elem, at, pos, fresh)
	}
	if len(s.args) > 0 {
		copy(r.regs[own:], r.regs[args:args+len(s.args)])
	}
	if elem.clears {
		clear(r.regs[own+elem.args : own+elem.regs])
	}
	if elem.union != nil {
		return r.union(elem, at, pos, own, fresh)
	}
	return r.get(elem.gets, at, pos, own, fresh)
}

// openList reads elements up to the end of the region, or up to the one that stops the list.
func (r *planReader) openList(s *recordStep, elem *recordPlan, x place, pos, args, own int, fresh bool) int {
	t := s.op.plan.typ
	if fresh {
		x.drop()
	}
	kept, had := x.spread()
	if !r.keep {
		kept = 0
	}
	have, n := had, 0
	stale := elem.stale
	for r.stop = false; s.through && !r.stop || !s.through && pos < r.end; n++ {
		if n == have {
			have = r.extend(s, x, n)
		}
		at := x.slice(uintptr(s.op.size)).at(n)
		if stale && n >= kept && n < had {
			at.of(&elem.zero).SetZero()
		}
		r.stop, r.more = false, 1
		if pos = r.element(s, elem, at, pos, args, own, stale && n < kept); pos == wrong {
			x.room(min(n, have))
			return wrong
		}
	}
	if _, ok := x.room(n); !ok {
		x.make(t, 0)
	}
	return pos
}

// overwrites reports whether reading sets all memory of the Go value, and uses nothing again that it refers to.
func (u *recordUnion) overwrites() bool {
	if u == nil || !u.boxed {
		return false
	}
	for i := range u.arms {
		if u.arms[i].box.pointer {
			return false
		}
	}
	return true
}

// firstElements is how many elements a list begins with if their number is not known.
const firstElements = 4

// extend makes room for more than n elements in the slice at x, and returns for how many.
func (r *planReader) extend(s *recordStep, x place, n int) int {
	size := int(s.op.size)
	if n > 0 || r.more == 0 && !r.keep || size == 0 || firstElements > 256/size {
		return x.extend(s.op.plan.typ, max(n, firstElements))
	}
	r.cut(s.op, x, firstElements)
	return firstElements
}

// delimited reads text or bytes up to a terminator, or those before the bytes that fill their row.
func (r *planReader) delimited(s *recordStep, x place, pos, regs int, fresh bool) int {
	b := r.b[pos:r.end]
	n, next := len(b), r.end
	if s.code == recordUntil && s.end != "" {
		if n = indexText(b, s.end); n < 0 {
			return wrong
		}
		next = pos + n + len(s.end)
	} else if s.code == recordFilled {
		all := r.count(s, pos, 0, regs)
		if all < 0 || all > len(b) {
			return wrong
		}
		b, next = b[:all], pos+all
		n = interp.FilledAt(b, string([]byte{byte(s.fill)}), s.any)
		if len(b)-n > builtin.MaxFill {
			return wrong
		}
	}
	if s.encoding != none && !isASCII(b[:n]) {
		enc := &r.c.m.Program().Encodings[s.encoding]
		text, ok := r.c.m.ReadText(s.encoding, b[:n:n])
		if verbatim := enc.Charset.Verbatim(); !ok || verbatim && len(text) != n || !verbatim && enc.NUL != bytecode.NULKeep {
			return wrong
		}
	}
	if s.inner.code == recordBytes {
		n = r.bytes(s, x, pos, n, fresh)
	} else {
		n = r.textOf(s, x, pos, n)
	}
	if n < 0 {
		return wrong // unreachable: the text has been read above, and bytes without an encoding are not refused
	}
	return next
}

// indexText returns where a text begins in b, or -1.
func indexText(b []byte, text string) int {
	if len(text) == 1 {
		return bytes.IndexByte(b, text[0])
	}
	return bytes.Index(b, []byte(text))
}
