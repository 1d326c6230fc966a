// Writing records from structs by their plans. Anything unusual is wrong, and the whole value is
// written again through Values, which define the semantics and the errors.

package codec

import (
	"math"
	"math/bits"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// record writes the value in x behind pos and returns where it ends. Its arguments are the last registers.
func (w *planWriter) record(rec *recordPlan, x place, pos int) int {
	base := len(w.regs) - rec.args
	n := base + rec.regs
	if rec.broken || rec.nests || n >= cap(w.regs) {
		return w.nested(rec, x, pos)
	}
	w.regs = w.regs[:n]
	pos = w.content(rec, x, pos, base)
	w.regs = w.regs[:base]
	return pos
}

// whole is record for the value that a call of Marshal writes.
func (w *planWriter) whole(rec *recordPlan, x place, pos int) int {
	if w.calls == nil {
		w.calls, w.regs = new([putCalls]putCall), make([]uint64, 0, 64)
	}
	w.top = 0
	pos = w.record(rec, x, pos)
	for i := range w.calls {
		c := &w.calls[i]
		if c.n == 0 {
			break
		}
		c.n, c.x, c.list = 0, place{}, elems{} // so that the Go value is not kept
	}
	return pos
}

// content is record behind the registers of the record, which begin at base.
func (w *planWriter) content(rec *recordPlan, x place, pos, base int) int {
	return w.put(rec.puts, x, pos, base)
}

// nested is record for any plan. It counts the records around the value and makes room for registers.
func (w *planWriter) nested(rec *recordPlan, x place, pos int) int {
	base := len(w.regs) - rec.args
	if rec.broken || rec.nests && w.depth >= w.limit/depthPart {
		return wrong
	}
	w.room(base + rec.regs)
	if rec.nests {
		w.depth++
	}
	pos = w.content(rec, x, pos, base)
	if rec.nests {
		w.depth--
	}
	w.regs = w.regs[:base]
	return pos
}

// room makes n registers, of which one more has a place.
func (w *planWriter) room(n int) {
	if n >= cap(w.regs) {
		w.regs = slices.Grow(w.regs, n+1-len(w.regs))
	}
	w.regs = w.regs[:n]
}

// evaluate computes an expression of the registers from regs on, and of fields at x. It is not ok if a number does
// not fit.
func (w *planWriter) evaluate(e *recordExpr, x place, regs int) (int64, bool) {
	frame := w.regs[regs:cap(w.regs)]
	if e.short {
		return e.quick(frame), true
	}
	s := recordScope{regs: frame, x: x, exact: w.c.opt.KeepWidths}
	n := e.value(&s)
	return n, !s.bad
}

// left reports whether the field at x is left out.
func (s *recordStep) left(x place) bool {
	switch s.typ.Kind() {
	case reflect.Pointer:
		if _, ok := x.pointed(); !ok {
			return true
		}
	case reflect.Interface:
		if x.value(s.typ).IsNil() {
			return true
		}
	}
	if !s.field.omitEmpty && !s.field.omitZero {
		return false
	}
	return s.field.omitted(x.value(s.typ))
}

// number computes a word.
func (f *word) number(x place) (n uint64, ok bool) {
	n = f.base
	if c := f.count; c != nil {
		at, ok := c.place(x)
		if !ok {
			return 0, false
		}
		parts := c.number(at)
		if parts > f.most {
			return 0, false
		}
		n += parts
	}
	for i := range f.bits {
		c := &f.bits[i]
		at, ok := c.place(x)
		if !ok {
			return 0, false
		}
		part := c.number(at) + c.half
		if part>>c.width != 0 {
			return 0, false
		}
		n += (part ^ c.half) << c.shift
	}
	return n, true
}

// storeColumn computes and writes a word of several records.
func (f *word) storeColumn(out memory.View, places []int, list elems, first int) bool {
	if f.isPair() {
		return f.storePair(out, places, list, first)
	}
	var sums [64]uint64
	for i := range f.bits {
		c := &f.bits[i]
		at := list.column(first, c.offset, c.field)
		shift, half, over := c.shift&63, c.half, uint64(0)
		switch {
		case c.size == 1 && !c.signed && (!c.bool || rawMemory):
			for k := range places {
				x := uint64(at.at(k).get8())
				over |= x
				sums[k&63] += x << shift
			}
		default:
			for k := range places {
				x := c.number(at.at(k)) + half
				over |= x
				sums[k&63] += (x ^ half) << shift
			}
		}
		if over>>c.width != 0 {
			return false
		}
	}
	off, base := f.off, f.base
	switch width := f.scalar.Width(); {
	case width == 1:
		for k, p := range places {
			out.Store8(p+off, uint8(base+sums[k&63]))
		}
	case width == 2 && f.big:
		for k, p := range places {
			out.Store16(p+off, bits.ReverseBytes16(uint16(base+sums[k&63])))
		}
	case width == 2:
		for k, p := range places {
			out.Store16(p+off, uint16(base+sums[k&63]))
		}
	default:
		for k, p := range places {
			interp.StoreNumber(out, p+off, f.scalar, f.big, base+sums[k&63])
		}
	}
	return true
}

// isPair reports whether the word is a byte with two bytes of fields.
func (f *word) isPair() bool {
	isByte := func(p *wordPart) bool { return rawMemory && p.size == 1 && !p.signed && !p.bool && !p.text && !p.list }
	return f.scalar.Width() == 1 && len(f.bits) == 2 && isByte(&f.bits[0]) && isByte(&f.bits[1])
}

// storePair is storeColumn of a byte with two bytes of fields.
func (f *word) storePair(out memory.View, places []int, list elems, first int) bool {
	a, b := &f.bits[0], &f.bits[1]
	atA, atB := list.column(first, a.offset, a.field), list.column(first, b.offset, b.field)
	over, off, base := uint(0), f.off, uint(f.base)
	for k, p := range places {
		x, y := uint(atA.at(k).get8()), uint(atB.at(k).get8())
		over |= x>>(a.width&31) | y>>(b.width&31)
		out.Store8(p+off, uint8(base+x<<(a.shift&31)+y<<(b.shift&31)))
	}
	return over == 0
}

// number returns the integer at x, 1 or 0 for a truth, or the number of parts.
func (p *wordPart) number(x place) uint64 {
	switch {
	case p.runes:
		return uint64(utf8.RuneCountInString(x.getText()))
	case p.text:
		return uint64(len(x.getText()))
	case p.list:
		return uint64(x.length())
	case !p.bool:
		return x.integer(p.size, p.signed)
	case x.getBool():
		return 1
	}
	return 0
}

// integers returns the sum of the integers of the slice or the array at x, or the last of them.
func (p *wordPart) integers(x place, last bool) (sum int64) {
	n, list := 0, elems{}
	if p.array != nil {
		n = p.array.Len()
	} else if n = x.length(); n > 0 {
		list = x.slice(uintptr(p.size))
	}
	i := 0
	if last {
		i = max(n-1, 0)
	}
	for ; i < n; i++ {
		at := x
		if p.array != nil {
			at = x.index(p.array, i)
		} else {
			at = list.at(i)
		}
		sum += int64(at.integer(p.size, p.signed))
	}
	return sum
}

// place returns the place of the field in a struct. It reports false for a nil pointer.
func (p *wordPart) place(x place) (place, bool) {
	at := x.field(p.offset, p.field)
	if p.pointer == nil {
		return at, true
	}
	return at.pointed()
}

// part writes the part of variable size that an operation of the record in of writes.
func (w *planWriter) part(op *putOp, of place, pos, base int) int {
	x := of.field(op.at, op.field)
	if op.point {
		var ok bool
		if x, ok = x.pointed(); !ok {
			return wrong
		}
	}
	s := op.more.step
	n := s.array
	switch {
	case s.code == recordInner:
		w.pass(op.more, base)
		return w.record(s.elem, x, pos)
	case n < 0:
		n = x.length()
	}
	want := op.n
	if op.check && op.a != none {
		want = int64(w.regs[base+int(op.a)])
	}
	switch {
	case s.code == recordUntil, s.code == recordFilled:
		return w.delimited(s, x, pos, want)
	case n > math.MaxInt32 || op.check && want != int64(n):
		return wrong
	}
	switch s.code {
	case recordText:
		return w.plainText(s, x.getText(), pos)
	case recordBytes:
		return w.bytes(s, x, n, pos)
	case recordNumber:
		return w.numbers(s, x, n, pos)
	case recordPairs:
		return w.recordPairs(s, x, n, pos)
	}
	return w.recordList(op, x, n, pos, base)
}

// recordList writes the n elements of a slice.
func (w *planWriter) recordList(op *putOp, x place, n, pos, base int) int {
	s, args := op.more.step, len(w.regs)
	w.pass(op.more, base)
	if s.through && n == 0 {
		return wrong
	}
	elem := s.element(w.regs[args:])
	list := x.slice(uintptr(s.op.size))
	if elem.flat {
		w.regs = w.regs[:args]
		return w.columns(elem, list, n, pos)
	}
	for k := range n {
		w.regs = append(w.regs, w.regs[args:args+len(s.args)]...)
		w.stop = false
		if pos = w.record(elem, list.at(k), pos); pos == wrong || s.through && w.stop != (k == n-1) {
			return wrong
		}
	}
	w.regs = w.regs[:args]
	return pos
}

// delimited writes text or bytes and what ends them, of want bytes if they are filled.
func (w *planWriter) delimited(s *recordStep, x place, pos int, want int64) int {
	begin := pos
	if s.inner.code == recordText {
		pos = w.plainText(s, x.getText(), pos)
	} else {
		pos = w.bytes(s, x, x.length(), pos)
	}
	if pos == wrong {
		return wrong
	}
	b, end := w.mem.Bytes(begin, pos-begin), s.end
	if s.code == recordFilled {
		end = string([]byte{byte(s.fill)})
	}
	if !interp.Ends(b, end, 1, s.code == recordFilled && !s.any) {
		return wrong
	}
	n := len(s.end)
	if s.code == recordFilled {
		if n = int(want) - len(b); want > math.MaxInt32 || n < 0 || n > builtin.MaxFill {
			return wrong
		}
	}
	if w.end-pos < n+slack {
		w.grow(pos, n+slack)
	}
	for k := range n {
		if c := byte(s.fill); s.code == recordUntil {
			w.mem.Store8(pos+k, s.end[k])
		} else {
			w.mem.Store8(pos+k, c)
		}
	}
	return pos + n
}

// isASCII reports whether a text is ASCII without NUL.
func isASCII(text []byte) bool {
	for _, c := range text {
		if c == 0 || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// columns writes n records that are a run of fields, and a text if there is a second step. The texts
// are written record by record, and then each number for a block of records at a time.
func (w *planWriter) columns(rec *recordPlan, list elems, n, pos int) int {
	run := &rec.steps[0]
	moves, words := run.moves, run.words
	if rec.rows != nil {
		moves, words = rec.rows.moves, rec.rows.words
	}
	for first := 0; first < n; first += len(w.places) {
		block := w.places[:min(len(w.places), n-first)]
		if len(rec.steps) == 1 {
			if need := len(block)*run.size + slack; w.end-pos < need {
				w.grow(pos, need)
			}
			if rec.rows != nil && !rec.rows.column(w.mem, pos, run.size, list, first, len(block)) {
				return wrong
			}
			if len(moves)+len(words) == 0 {
				pos += len(block) * run.size
				continue
			}
			for k := range block {
				block[k] = pos
				pos += run.size
			}
		} else if pos = w.runTextColumn(run, &rec.steps[1], list, first, block, pos); pos == wrong {
			return wrong
		}
		for j := range words {
			if f := &words[j]; f.count == nil && !f.storeColumn(w.mem, block, list, first) {
				return wrong
			}
		}
		for j := range moves {
			if !moves[j].storeColumn(w.mem, block, list, first, !w.c.opt.Exact) {
				return wrong
			}
		}
	}
	return pos
}

// runTextColumn makes room for records, notes their places, and writes their texts and lengths.
func (w *planWriter) runTextColumn(run, s *recordStep, list elems, first int, block []int, pos int) int {
	word := &run.words[0]
	mem, end, most, size := w.mem, w.end, word.most, run.size
	at := list.column(first, s.offset, s.field)
	for k := range block {
		text := at.at(k).getText()
		n := len(text)
		if end-pos < size+n+slack {
			w.grow(pos, size+n+slack)
			mem, end = w.mem, w.end
		}
		if uint64(n) > most {
			return wrong
		}
		block[k] = pos
		interp.StoreNumber(mem, pos+word.off, word.scalar, word.big, uint64(n)+word.base)
		pos += size
		from := memory.OfText(text)
		var marks uint64
		switch {
		case n > 16:
			if w.copyText(text, pos) {
				break
			}
			marks = 1
		case n >= 8:
			a, b := from.Load64(0), from.Load64(n-8)
			marks = odd(a) | odd(b)
			mem.Store64(pos, a)
			mem.Store64(pos+n-8, b)
		case n >= 4:
			a, b := uint64(from.Load32(0)), uint64(from.Load32(n-4))
			marks = odd(a | b<<32)
			mem.Store32(pos, uint32(a))
			mem.Store32(pos+n-4, uint32(b))
		case n > 0:
			if !w.copyText(text, pos) {
				marks = 1
			}
		}
		if marks != 0 && !w.oddText(text, s.encoding) {
			return wrong
		}
		pos += n
	}
	return pos
}

// plainText writes a text without a header.
func (w *planWriter) plainText(s *recordStep, text string, pos int) int {
	n := len(text)
	if w.end-pos < n+slack {
		w.grow(pos, n+slack)
	}
	if !w.copyText(text, pos) && !w.oddText(text, s.encoding) {
		return wrong
	}
	return pos + n
}

// bytes writes a []byte.
func (w *planWriter) bytes(s *recordStep, x place, n, pos int) int {
	if w.end-pos < n+slack {
		w.grow(pos, n+slack)
	}
	if n > 0 {
		x.slice(1).wireN(w.mem, pos, n)
	}
	if b := w.mem.Bytes(pos, n); s.encoding != none && !isASCII(b) && !w.c.m.CheckText(s.encoding, b) {
		return wrong
	}
	return pos + n
}

// numbers writes the numbers of a slice or an array.
func (w *planWriter) numbers(s *recordStep, x place, n, pos int) int {
	if n > math.MaxInt32/s.size {
		return wrong
	}
	if w.end-pos < n*s.size+slack {
		w.grow(pos, n*s.size+slack)
	}
	if s.array != none && s.number.copied() {
		x.wireN(w.mem, pos, n*s.size)
		return pos + n*s.size
	}
	if s.array != none {
		for k := range n {
			if !w.tuple(s, x.index(s.typ, k), pos+k*s.size) {
				return wrong
			}
		}
		return pos + n*s.size
	}
	if n == 0 {
		return pos
	}
	list := x.slice(uintptr(s.op.size))
	if s.number.copied() {
		list.wireN(w.mem, pos, n*s.size)
		return pos + n*s.size
	}
	if s.lanes > 1 {
		for k := range n {
			if !w.tuple(s, list.at(k), pos+k*s.size) {
				return wrong
			}
		}
		return pos + n*s.size
	}
	for first := 0; first < n; first += len(w.places) {
		block := w.places[:min(len(w.places), n-first)]
		for k := range block {
			block[k] = pos
			pos += s.size
		}
		if !s.number.storeColumn(w.mem, block, list, first, !w.c.opt.Exact) {
			return wrong
		}
	}
	return pos
}

// tuple writes an element of an array: a number, or a tuple from a Go array.
func (w *planWriter) tuple(s *recordStep, x place, pos int) bool {
	if s.lanes == 1 {
		return s.number.store(w.mem, pos, x, !w.c.opt.Exact)
	}
	width := s.size / s.lanes
	for k := range s.lanes {
		if !s.number.store(w.mem, pos+k*width, x.index(s.tuple, k), !w.c.opt.Exact) {
			return false
		}
	}
	return true
}
