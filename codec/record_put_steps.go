// Operations of the steps of a record.

package codec

import (
	"math/bits"
	"reflect"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// putList makes the operations of a list of steps.
type putList struct {
	c     *recordCompiler
	ops   []putOp
	temps int     // the first register for numbers in between
	temp  int     // the next one
	most  int     // registers that are used
	open  int     // the operation that begins the last run, if nothing follows its bytes; else -1
	size  int     // bytes of that run
	base  int     // place in it of the last run of the steps
	bound uintptr // bytes of the Go value
	depth int     // records that have the operations inside
}

// mergeSteps makes one condition of neighboring ones that are equal, and one run of neighboring runs.
func mergeSteps(steps []recordStep) []recordStep {
	var out []recordStep
	for _, s := range steps {
		if s.code == recordIf && s.expr != nil && len(out) > 0 {
			before := &out[len(out)-1]
			if before.code == recordIf && before.expr != nil && before.expr.sameShort(s.expr) {
				sets := setsOf([]recordStep{*before})
				if !slices.ContainsFunc(s.expr.registers(nil), func(r int32) bool { return sets[int(r)] }) {
					before.then = slices.Concat(before.then, s.then)
					before.els = slices.Concat(before.els, s.els)
					continue
				}
			}
		}
		out = append(out, s)
	}
	steps, out = out, nil
	for _, s := range steps {
		s.then, s.els = mergeSteps(s.then), mergeSteps(s.els)
		if n := len(out) - 1; s.code == recordRun && n >= 0 && out[n].code == recordRun {
			before := &out[n]
			moves, words := slices.Clone(before.moves), slices.Clone(before.words)
			for _, m := range s.moves {
				moves = append(moves, m.shifted(before.size))
			}
			for _, w := range s.words {
				w.off += before.size
				words = append(words, w)
			}
			before.base = before.size
			before.moves, before.words, before.size = pairs(pairs(moves)), words, before.size+s.size
			continue
		}
		out = append(out, s)
	}
	return out
}

// shifted returns the move at a later place.
func (m move) shifted(by int) move {
	m.off += by
	if m.inner != nil {
		m.inner = new(m.inner.shifted(by))
	}
	return m
}

// add appends an operation and returns its index.
func (l *putList) add(op putOp) int {
	l.ops = append(l.ops, op)
	return len(l.ops) - 1
}

// run makes room for bytes.
func (l *putList) run(size int) {
	if l.open == none {
		l.open, l.size = l.add(putOp{code: putRun, reg: none, a: none, b: none}), 0
	}
	l.base = l.size
	l.size += size
	l.ops[l.open].off = int32(l.size)
}

// fixed reports whether a step writes a known number of bytes from a slice.
func (s *recordStep) fixed() bool {
	return s.code == recordBytes && s.encoding == none && s.array == none && s.count.expr == nil && s.count.from == nil && !s.count.rest && !s.through && !s.tail && s.count.n >= 0 && s.count.n < 1<<16
}

// looksBack reports whether steps look at the run before them.
func looksBack(steps []recordStep) bool {
	for i := range steps {
		s := &steps[i]
		switch {
		case s.code == recordRun:
			return false
		case s.placed, s.code == recordHead, s.code == recordPlace, s.code == recordWord, s.code == recordMark && s.off >= 0:
			return true
		}
	}
	return false
}

// steps adds steps.
func (l *putList) steps(steps []recordStep) {
	for i := range steps {
		s := &steps[i]
		l.temp = l.temps
		switch s.code {
		case recordRun:
			l.run(s.size)
			l.moves(s, l.base)
			l.words(s, l.base)
			l.base += s.base
		case recordIf:
			l.branches(s)
		case recordMark:
			op := putOp{code: putMark, reg: int32(s.reg), a: none, b: none}
			switch {
			case s.off >= 0:
				op.code, op.off = putMarkRun, int32(l.base+s.off)
			case l.open != none:
				op.code, op.off = putMarkRun, int32(l.size)
			}
			l.add(op)
		case recordSize:
			op := putOp{code: putSize, reg: int32(s.reg), a: int32(s.from), b: none}
			if l.open != none {
				op.code, op.off = putSizeRun, int32(l.size)
			}
			l.add(op)
		case recordSum:
			l.add(putOp{code: putSum, reg: int32(s.reg), a: none, b: none, more: &putMore{step: s}})
		case recordHead:
			f := &s.words[0]
			l.add(putOp{code: putHead, a: int32(f.reg), reg: none, b: none, off: int32(l.base + s.off), scalar: f.scalar, big: f.big})
		case recordPlace:
			f := &s.words[0]
			l.add(putOp{code: putHold, a: none, reg: int32(s.reg), b: int32(f.reg), off: int32(l.base + s.off), scalar: f.scalar, big: f.big})
		case recordLet:
			l.let(s.expr, int32(s.reg))
		case recordCheck:
			l.check(s.expr)
		case recordStop:
			l.add(putOp{code: putStop, a: l.number(s.expr), b: none, reg: none})
		case recordWord:
			f := &s.words[0]
			l.add(putOp{code: putFit, a: l.number(s.expr), b: none, reg: int32(f.reg), off: int32(l.base + s.off), scalar: f.scalar, big: f.big})
		case recordCoded:
			op := putOp{code: putCoded, a: none, b: none, reg: int32(s.reg), more: &putMore{coding: s.coding, most: s.coding.Most()}}
			if s.expr != nil {
				op.a = l.number(s.expr)
			} else {
				op.at, op.field, op.more.move = s.moves[0].offset, s.moves[0].field, &s.moves[0]
			}
			l.open = none
			l.add(op)
		case recordPatch:
			f := &s.words[0]
			if s.coding != builtin.Fixed {
				l.add(putOp{code: putPatchCoded, a: int32(s.from), b: l.number(s.expr), reg: int32(s.reg), more: &putMore{coding: s.coding, most: s.coding.Most()}})
				l.open = none
				continue
			}
			l.add(putOp{code: putPatch, a: int32(s.from), b: l.number(s.expr), reg: int32(s.reg), scalar: f.scalar, big: f.big})
		case recordTotal:
			l.add(putOp{code: putTotal, reg: int32(s.reg), a: none, b: none, more: &putMore{step: s}})
		case recordPlaces, recordGaps:
			l.places(s)
		case recordAbsent, recordPresent:
			op := putOp{code: putLeft, a: none, b: none, reg: none, at: s.offset, field: s.field, more: &putMore{step: s}}
			if s.code == recordAbsent && s.typ.Kind() == reflect.Pointer && !s.field.omitEmpty && !s.field.omitZero {
				op.code = putNil
			}
			l.add(op)
		case recordPad:
			l.open = none
			l.add(putOp{code: putPadding, a: int32(s.from), b: none, reg: none, more: &putMore{step: s}})
		default:
			back := looksBack(steps[i+1:])
			if !back && l.inline(s) {
				continue
			}
			l.part(s, l.open != none || !back)
		}
	}
}

// places adds an operation for rows at places. It is the begin or the end of a row or of the record from which places
// count, a chosen place, a word with a checksum of the record, or the bytes between rows.
func (l *putList) places(s *recordStep) {
	op := putOp{code: putPlaces, reg: none, a: none, b: none, at: s.offset, field: s.field, more: &putMore{step: s}}
	switch {
	case s.code == recordGaps:
		op.code = putGaps
	case s.places.Op == bytecode.Choose:
		op.code, op.reg, op.b = putChoose, int32(s.reg), int32(s.from)
		l.add(op)
		return
	case s.places.Op == bytecode.Seek:
		if op.a = l.number(s.count.expr); s.choice != nil {
			op.b = int32(s.choice.A)
		}
	case s.places.Op == bytecode.Settle:
		op.a = l.number(s.count.expr)
	case s.places.Op == bytecode.Note:
		if op.off = int32(l.size); s.placed {
			op.off = int32(l.base + s.off)
		}
		op.placed = s.placed || l.open != none
		l.add(op)
		return
	}
	l.open = none
	l.add(op)
}

// branches adds a condition with its steps. What follows does not look at the run before: a run ends at a condition.
func (l *putList) branches(s *recordStep) {
	inner := func(steps []recordStep) {
		l.open, l.size, l.base = none, 0, 0
		l.steps(steps)
	}
	if s.expr == nil {
		inner(s.then)
	} else {
		at := l.unless(s.expr)
		inner(s.then)
		if len(s.els) > 0 {
			end := l.add(putOp{code: putJump, a: none, b: none, reg: none})
			l.ops[at].off = int32(len(l.ops) - at - 1)
			inner(s.els)
			at = end
		}
		l.ops[at].off = int32(len(l.ops) - at - 1)
	}
	l.open = none
}

// moves adds the numbers of a run.
func (l *putList) moves(s *recordStep, base int) {
	for i := range s.moves {
		m := &s.moves[i]
		op := putOp{reg: none, a: none, b: none, off: int32(m.off + base), at: m.offset, field: m.field}
		switch m.code {
		case move8, move16, move16Big, move32, move32Big, move64, move64Big, moveSingle, moveSingleBig:
			if op.code = put8 + putCode(m.code-move8); op.code == putSingle || op.code == putSingleBig {
				op.scalar, op.big = m.scalar, op.code == putSingleBig
			}
		case movePair16Big:
			op.code = putPair16Big
		case movePair32Big:
			op.code, op.shift, op.n = putPair32Big, m.low, int64(m.high)
		default:
			op.code, op.more = putAny, &putMore{move: new(m.shifted(base))}
			if m.code == moveBool && m.scalar.Width() == 1 && rawMemory {
				op.code = put8
			} else if m.code == movePointer && m.inner.code >= move8 && m.inner.code <= move64Big {
				op.code, op.scalar, op.big = putPointed, m.scalar, m.inner.big
			} else if m.code == moveAny && rawMemory {
				op.code, op.scalar, op.big, op.check = putInt, m.scalar, m.big, m.int != m.signed
			} else if m.code == moveFloat {
				op.code, op.scalar, op.big = putNarrow, m.scalar, m.big
			}
		}
		l.add(op)
	}
}

// words adds the words of a run.
func (l *putList) words(s *recordStep, base int) {
	for i := range s.words {
		f := s.words[i]
		f.off += base
		op := putOp{code: putWord, reg: int32(f.reg), a: none, b: none, off: int32(f.off), scalar: f.scalar, big: f.big}
		switch {
		case f.moved:
			op.code = putLoad
			switch w := f.scalar.Width(); {
			case f.scalar.Signed() || w == 8:
			case w == 1:
				op.code = putLoad8
			case w == 2 && f.big:
				op.code = putLoad16Big
			case w == 2:
				op.code = putLoad16
			case w == 4 && f.big:
				op.code = putLoad32Big
			case w == 4:
				op.code = putLoad32
			}
		case f.count == nil && len(f.bits) == 0:
			op.code, op.n = putConst, int64(f.base)
		case rawMemory && f.isTerms():
			more := &putMore{}
			for i := range f.bits {
				more.terms = append(more.terms, f.bits[i].term())
			}
			if f.count != nil {
				f.count.width = min(uint(bits.Len64(f.most)), 63) // no length has more bits
				more.terms = append(more.terms, f.count.term())
			}
			op.code, op.n, op.more = putTerms, int64(f.base), more
		default:
			op.more = &putMore{word: &f}
		}
		l.add(op)
	}
}

// isTerms reports whether the word is a sum of terms: numbers without a sign, and bits with one.
func (f *word) isTerms() bool {
	if c := f.count; c != nil && (c.pointer != nil || f.most&(f.most+1) != 0) {
		return false
	}
	return !slices.ContainsFunc(f.bits, func(p wordPart) bool { return p.signed && p.half == 0 && !p.bool })
}

// term returns the place, the bits and the kind of a part of a word.
func (p *wordPart) term() putTerm {
	t := putTerm{at: uint32(p.offset), shift: uint8(p.shift), width: uint8(p.width)}
	switch {
	case p.text:
		t.kind = termText
	case p.list:
		t.kind = termList
	case p.bool || p.size == 1:
		t.kind = termByte
	default:
		t.kind = p.size
	}
	if p.half != 0 {
		t.kind |= termSigned
	}
	if p.pointer != nil {
		t.kind |= termPointer
	}
	return t
}

// inline adds the operations of a record that needs no registers. It reports false for another part.
func (l *putList) inline(s *recordStep) bool {
	if s.code != recordInner || !rawMemory || len(s.args) > 0 || s.elem.broken || s.elem.nests || s.elem.union != nil || s.elem.args > 0 || l.depth > 8 {
		return false
	}
	in := putList{c: l.c, temps: s.elem.all, open: none, bound: s.elem.zero.Size(), depth: l.depth + 1}
	in.steps(mergeSteps(s.elem.steps))
	in.prune(nil)
	if in.most > 0 {
		return false
	}
	for i := range in.ops {
		if !in.ops[i].shifts() {
			return false
		}
	}
	for _, op := range in.ops {
		op.inside(s.offset)
		l.add(op)
	}
	l.open = none
	return true
}

// shifts reports whether an operation can be of a record inside of another one.
func (op *putOp) shifts() bool {
	switch op.code {
	case putFail, putAny, putCoded, putWord, putEval, putTable, putCheckTable, putStopTable, putStop, putSum:
		return false
	}
	return true
}

// inside makes the operation one of a record that is at an offset of another one.
func (op *putOp) inside(offset uintptr) {
	op.at += offset
	if op.more != nil && op.more.terms != nil {
		terms := slices.Clone(op.more.terms)
		for i := range terms {
			terms[i].at += uint32(offset)
		}
		op.more = &putMore{terms: terms}
	}
}

// part adds a part of variable size, or one in a run. If joins is true, a part of a known size may be in the run before.
func (l *putList) part(s *recordStep, joins bool) {
	op := putOp{code: putPart, reg: none, a: none, b: none, at: s.offset, field: s.field, more: &putMore{}}
	if s.code == recordPointer {
		op.point, s = true, s.inner
	}
	op.more.step = s
	switch {
	case s.fixed() && !op.point && (s.placed || joins):
		if op.code, op.n, op.off = putBytes, s.count.n, int32(l.base+s.off); !s.placed {
			base := l.base
			l.run(int(s.count.n))
			op.off, l.base = int32(l.base), base
		}
		l.add(op)
		return
	case s.placed:
		op.off, op.placed = int32(l.base+s.off), true
	case s.code == recordInner && s.elem.broken:
		op.code = putFail
	case s.code == recordInner:
		op.code = putInner
	case s.code == recordText:
		op.code = putText
	case s.code == recordBytes:
		op.code = putOctets
	case s.code == recordList && s.array == none && !op.point:
		op.code = putElems
	case s.code == recordPairs && !op.point:
		op.code = putPairs
	}
	for i := range s.args {
		if n, ok := s.args[i].number(); ok {
			op.more.given = append(op.more.given, uint64(n))
			op.more.args = append(op.more.args, -int32(len(op.more.given)))
			continue
		}
		op.more.args = append(op.more.args, l.number(&s.args[i]))
	}
	switch c := &s.count; {
	case s.code == recordInner:
	case c.expr != nil:
		op.check, op.a = true, l.number(c.expr)
	case c.from != nil, c.rest, s.through, s.tail, s.code == recordUntil:
	default:
		op.check, op.n = true, c.n
	}
	l.add(op)
	if !s.placed {
		l.open = none
	}
}
