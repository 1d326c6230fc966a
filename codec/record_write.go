// Writing records from structs by their plans. Anything unusual is wrong, and the whole value is
// written again through Values, which define the semantics and the errors.

package codec

import (
	"math"
	"math/bits"
	"reflect"

	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// record writes the record in x behind pos and returns where it ends.
func (w *planWriter) record(rec *recordPlan, x place, pos int) int {
	if rec.regs == 0 {
		return w.steps(rec.steps, x, pos, 0)
	}
	regs := len(w.regs)
	w.regs = append(w.regs, make([]uint64, rec.regs)...)
	pos = w.steps(rec.steps, x, pos, regs)
	w.regs = w.regs[:regs]
	return pos
}

// steps writes the steps of a record, whose registers begin at regs.
func (w *planWriter) steps(steps []recordStep, x place, pos, regs int) int {
	last := 0
	for i := range steps {
		s := &steps[i]
		switch s.code {
		case recordRun:
			if w.end-pos < s.size+slack {
				w.grow(pos, s.size+slack)
			}
			if !storeAll(s.moves, w.mem, pos, x, !w.c.opt.Exact) {
				return wrong
			}
			for j := range s.words {
				if !w.word(&s.words[j], x, pos, regs) {
					return wrong
				}
			}
			pos += s.size
		case recordPad:
			n := (s.size - last%s.size) % s.size
			if w.end-pos < n+slack {
				w.grow(pos, n+slack)
			}
			for k := range n {
				w.mem.Store8(pos+k, byte(s.fill))
			}
			pos += n
		case recordLet, recordCheck, recordIf:
			n, ok := s.evaluate(w.regs[regs:])
			switch {
			case !ok || s.code == recordCheck && n == 0:
				return wrong
			case s.code == recordLet:
				w.regs[regs+s.reg] = uint64(n)
			case s.code == recordIf:
				branch := s.then
				if n == 0 {
					branch = s.els
				}
				if pos = w.steps(branch, x, pos, regs); pos < 0 {
					return wrong
				}
			}
		case recordAbsent, recordPresent:
			if s.left(x.field(s.offset, s.field)) != (s.code == recordAbsent) {
				return wrong
			}
		default:
			begin := pos
			if pos = w.part(s, x.field(s.offset, s.field), pos); pos < 0 {
				return wrong
			}
			last = pos - begin
		}
	}
	return pos
}

// left reports whether the field at x is left out.
func (s *recordStep) left(x place) bool {
	if s.typ.Kind() == reflect.Pointer {
		if _, ok := x.pointed(); !ok {
			return true
		}
	}
	return s.field.omitted(x.value(s.typ))
}

// word computes and writes a word.
func (w *planWriter) word(f *word, x place, pos, regs int) bool {
	if f.moved {
		w.regs[regs+f.reg] = interp.LoadNumber(w.mem, pos+f.off, f.scalar, f.big)
		return true
	}
	n := f.base
	if c := f.count; c != nil {
		at, ok := c.place(x)
		if !ok {
			return false
		}
		var parts uint64
		if c.text {
			parts = uint64(len(at.getText()))
		} else {
			parts = uint64(at.length())
		}
		if parts > f.most {
			return false
		}
		n += parts
	}
	for i := range f.bits {
		c := &f.bits[i]
		at, ok := c.place(x)
		if !ok {
			return false
		}
		part := c.number(at)
		if part>>c.width != 0 {
			return false
		}
		n += part << c.shift
	}
	interp.StoreNumber(w.mem, pos+f.off, f.scalar, f.big, n)
	if f.reg >= 0 {
		w.regs[regs+f.reg] = n
	}
	return true
}

// storeColumn computes and writes a word of several records.
func (f *word) storeColumn(out memory.View, places []int, list elems, first int) bool {
	var sums [64]uint64
	for i := range f.bits {
		c := &f.bits[i]
		at := list.column(first, c.offset, c.field)
		shift, over := c.shift&63, uint64(0)
		switch {
		case c.size == 1 && !c.signed && (!c.bool || rawMemory):
			for k := range places {
				x := uint64(at.at(k).get8())
				over |= x
				sums[k&63] += x << shift
			}
		default:
			for k := range places {
				x := c.number(at.at(k))
				over |= x
				sums[k&63] += x << shift
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

// number returns the integer at x, or 1 or 0 for a truth.
func (p *wordPart) number(x place) uint64 {
	switch {
	case !p.bool:
		return x.integer(p.size, p.signed)
	case x.getBool():
		return 1
	}
	return 0
}

// place returns the place of the field in a struct. It reports false for a nil pointer.
func (p *wordPart) place(x place) (place, bool) {
	at := x.field(p.offset, p.field)
	if p.pointer == nil {
		return at, true
	}
	return at.pointed()
}

// part writes the part of variable size that is in x.
func (w *planWriter) part(s *recordStep, x place, pos int) int {
	switch s.code {
	case recordInner:
		return w.record(s.elem, x, pos)
	case recordPointer:
		to, ok := x.pointed()
		if !ok {
			return wrong
		}
		return w.part(s.inner, to, pos)
	}
	n := s.array
	switch {
	case s.code == recordText:
		n = len(x.getText())
	case n < 0:
		n = x.length()
	}
	if n > math.MaxInt32 || s.count.from == nil && !s.count.rest && int64(n) != s.count.n {
		return wrong
	}
	switch s.code {
	case recordText:
		return w.plainText(s, x.getText(), pos)
	case recordBytes:
		return w.bytes(s, x, n, pos)
	case recordNumber:
		return w.numbers(s, x, n, pos)
	}
	list := x.slice(uintptr(s.op.size))
	if s.elem.flat {
		return w.columns(s.elem, list, n, pos)
	}
	for k := range n {
		if pos = w.record(s.elem, list.at(k), pos); pos < 0 {
			return wrong
		}
	}
	return pos
}

// columns writes n records that are a run of fields, and a text if there is a second step. The texts
// are written record by record, and then each number for a block of records at a time.
func (w *planWriter) columns(rec *recordPlan, list elems, n, pos int) int {
	run := &rec.steps[0]
	for first := 0; first < n; first += len(w.places) {
		block := w.places[:min(len(w.places), n-first)]
		if len(rec.steps) == 1 {
			if need := len(block)*run.size + slack; w.end-pos < need {
				w.grow(pos, need)
			}
			for k := range block {
				block[k] = pos
				pos += run.size
			}
		} else if pos = w.runTextColumn(run, &rec.steps[1], list, first, block, pos); pos < 0 {
			return wrong
		}
		for j := range run.words {
			if f := &run.words[j]; f.count == nil && !f.storeColumn(w.mem, block, list, first) {
				return wrong
			}
		}
		for j := range run.moves {
			if !run.moves[j].storeColumn(w.mem, block, list, first, !w.c.opt.Exact) {
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
		if marks != 0 && !w.c.m.CheckText(s.encoding, []byte(text)) {
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
	if !w.copyText(text, pos) && !w.c.m.CheckText(s.encoding, []byte(text)) {
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
	if s.encoding >= 0 && !w.c.m.CheckText(s.encoding, w.mem.Bytes(pos, n)) {
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
	if s.array >= 0 {
		for k := range n {
			if !s.number.store(w.mem, pos+k*s.size, x.index(s.typ, k), !w.c.opt.Exact) {
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
