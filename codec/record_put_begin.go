// Beginnings of arms: bytes that follow from one number in the Go value.

package codec

import (
	"encoding/binary"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// putBy is the number in a Go value that the word of its arm depends on.
type putBy uint8

const (
	byNothing putBy = iota // any other arm
	byNone                 // the bytes are always the same; the number is 0
	byParts                // the length of a text or of a slice
	by8
	by16
	by32
	by64
	bySigned8
	bySigned16
	bySigned32
	byOutside // 1 for a float64 that is no float32, else 0; the greatest number for a NaN
)

// by returns how the number of a part is found.
func (p *wordPart) by() putBy {
	switch {
	case p == nil:
		return byNone
	case p.text || p.list:
		return byParts
	case p.outside:
		return byOutside
	}
	by := map[uint8]putBy{1: by8, 2: by16, 4: by32, 8: by64}[p.size]
	if p.signed && p.size != 8 {
		by += bySigned8 - by8
	}
	return by
}

// putHeadWord is the word of a union, and the plan of the arm for it. The plan is nil if Values have to look.
type putHeadWord struct {
	word uint64
	plan *recordPlan
}

// putThen is what follows the beginning of an arm.
type putThen uint8

const (
	beginNone putThen = iota // there is no beginning
	beginEnd                 // nothing
	beginText                // the text that the number is the length of
	beginRest                // operations
)

// putBegin is the bytes that an arm begins with for a number.
type putBegin struct {
	bytes uint64 // the first one is lowest
	size  uint8
	then  putThen
	stop  bool // the arm ends its list
	rest  uint16
}

// putRest is the operations behind a beginning. They are ops, and those of a plan from one on.
type putRest struct {
	plan *recordPlan
	from int
	ops  []putOp
}

// noBegin is the beginning of an arm whose bytes do not follow from a number.
var noBegin putBegin

// heads notes the words of a union by the number that they depend on.
func (a *recordArm) heads(u *recordUnion) {
	if a.head == nil || !rawMemory {
		return
	}
	leaf := a.head.onlyPart()
	if leaf == nil || leaf.part.pointer != nil {
		return
	}
	switch {
	case leaf.op == bytecode.ExprOutside && (leaf.fits != bytecode.F32 || leaf.part.size != 8):
		return
	case leaf.op == bytecode.ExprPresent, leaf.op == bytecode.ExprArm, leaf.op == bytecode.ExprTotal, leaf.op == bytecode.ExprLast, leaf.op == bytecode.ExprEquals:
		return
	}
	a.look = new(*leaf.part)
	a.words = make([]putHeadWord, 256)
	if leaf.op == bytecode.ExprOutside {
		a.words = a.words[:2]
		a.look.outside, a.look.signed = true, false
	} else {
		a.lines = a.head.linesOf(leaf)
	}
	plans := make([]*recordPlan, len(a.words))
	for n := range a.words {
		word, ok := a.head.given(int64(n))
		if leaf.fits != bytecode.NoScalar && !interp.Fits(leaf.fits, int64(n)) {
			ok = false // unreachable: the compiler expects bits of a header to be truths or to fit U64; a program by hand may say another scalar
		}
		if ok && u.has(a, uint64(word)) {
			plans[n] = u.form(uint64(word)).plan
			a.words[n] = putHeadWord{uint64(word), plans[n]}
		}
	}
	a.by, a.at, a.atField = a.look.by(), a.look.offset, a.look.field
	a.beginnings(plans, u.reg)
	if a.lines == nil || u.size != 1 {
		return
	}
	a.byWord = make([]putBegin, 256)
	for word := range a.byWord {
		if f := u.form(uint64(word)); f.arm == a && f.plan != nil {
			a.byWord[word] = a.begin(f.plan, nil, map[int32]uint64{int32(u.reg): uint64(word)}, 0)
		}
	}
}

// few notes the bytes of an arm that are constant. It also notes those that depend on a byte or the length of a text.
func (a *recordArm) few() {
	if !a.sure || a.head != nil || !rawMemory {
		return
	}
	plans := slices.Repeat([]*recordPlan{a.plan}, 256)
	var look *wordPart
	for i := range a.plan.puts {
		switch op := &a.plan.puts[i]; op.code {
		case putTerms:
			if t := &op.more.terms[0]; len(op.more.terms) == 1 && t.kind == termByte {
				look = &wordPart{offset: uintptr(t.at), size: 1}
			}
		case putLength:
			look = &wordPart{offset: op.at, text: true}
		}
	}
	if look == nil {
		plans = plans[:1]
	}
	old := *a
	if a.look = look; look != nil {
		a.at = look.offset
	}
	a.by = look.by()
	if a.beginnings(plans, none); !slices.ContainsFunc(a.begins, func(h putBegin) bool { return h.then != beginNone }) {
		*a = old
	}
}

// beginnings finds how the arm begins for each number.
func (a *recordArm) beginnings(plans []*recordPlan, reg int) {
	a.begins = make([]putBegin, len(plans))
	for n, plan := range plans {
		if plan == nil {
			continue
		}
		regs := map[int32]uint64{}
		if reg >= 0 {
			regs[int32(reg)] = a.words[n].word
		}
		a.begins[n] = a.begin(plan, a.look, regs, uint64(n))
	}
}

// begin runs the operations of a plan. It stops at one whose bytes do not follow from registers and the number of a
// part.
func (a *recordArm) begin(plan *recordPlan, part *wordPart, regs map[int32]uint64, number uint64) putBegin {
	if part == nil {
		part = &wordPart{offset: ^uintptr(0)}
	}
	run, size := 0, 0
	out := make([]byte, 8)
	var stores []putOp  // of other numbers
	for i := 0; ; i++ { // up to putEnd
		op := &plan.puts[i]
		n, known := uint64(op.n), true
		switch op.code {
		case putRun:
			run, size = size, size+int(op.off)
			continue
		case putConst, putSet:
		case putHead:
			n, known = regs[op.a]
		case putPick, putAddN:
			n, known = regs[op.a]
			n = bitsAt(n, op.shift, op.mask) + uint64(op.n)
		case putLength:
			known = (part.text || part.list) && op.at == part.offset && number&op.mask == 0
			n += number << (op.shift & 63)
		case putTerms:
			t := &op.more.terms[0]
			known = len(op.more.terms) == 1 && t.kind == termByte && uintptr(t.at) == part.offset && part.size == 1 && number>>t.width == 0
			n += number << (t.shift & 63)
		case putInt:
			m := op.more.move
			if known = op.at == part.offset && part.size > 0 && interp.Fits(m.scalar, int64(number)); !known {
				break
			}
			n = number
		case put8, put16, put16Big, put32, put32Big, put64, put64Big, putPair16Big, putPair32Big, putNarrow:
			stores = append(stores, *op)
			continue
		default:
			known = false
		}
		if w := op.form &^ formBig; known && w > 0 && op.off >= 0 {
			known = known && run+int(op.off)+int(w) <= len(out)
		}
		if !known {
			rest := append(stores, plan.puts[i:]...)
			return a.behind(plan, part, i, rest, regs, number, putBegin{bytes: binary.LittleEndian.Uint64(out), size: uint8(size)}, run == 0 && size < 128)
		}
		if op.form != 0 && op.off >= 0 {
			w := int(op.form &^ formBig)
			for k := range w {
				at := run + int(op.off) + k
				if op.form&formBig != 0 {
					at = run + int(op.off) + w - 1 - k
				}
				out[at] = byte(n >> (8 * k))
			}
		}
		if op.reg != none {
			regs[op.reg] = n
		}
	}
}

// behind completes the beginning of an arm by what the operations that are left are. If begun is true, they are in the
// only run before them.
func (a *recordArm) behind(plan *recordPlan, part *wordPart, from int, rest []putOp, regs map[int32]uint64, number uint64, h putBegin, begun bool) putBegin {
	op, next := &rest[0], 0
	if (op.code == putText || op.code == putElems || op.code == putPairs || op.code == putOctets) && op.check && op.at == part.offset && !op.point && (part.text || part.list) {
		if n, ok := regs[op.a]; op.a != none && ok && n == number || op.a == none && uint64(op.n) == number {
			op.check, op.a = false, none
		}
	}
	h.then = beginEnd
	if op.code == putText && part.text && op.at == part.offset && !op.check && !op.point {
		h.then, next = beginText, 1
	}
	if stop := &rest[next]; stop.code == putStopTable {
		if word, ok := regs[stop.a]; ok && word < 256 && stop.more.table[word] != tableLack {
			h.stop, next = stop.more.table[word] != 0, next+1
		}
	}
	if rest[next].code == putEnd && h.size <= 8 {
		return h
	}
	h.then, h.stop = beginRest, false
	rest = h.stopping(rest, regs)
	if !begun || slices.ContainsFunc(rest, func(op putOp) bool { return len(op.reads()) > 0 }) {
		return noBegin
	}
	i := slices.IndexFunc(a.rests, func(r putRest) bool {
		return r.plan == plan && r.from == from && r.ops[0].check == op.check && len(r.ops) == len(rest)
	})
	if i < 0 {
		i = len(a.rests)
		a.rests = append(a.rests, putRest{plan, from, rest})
	}
	h.rest = uint16(i) // at most one for each of 256 numbers and 256 words
	return h
}

// stopping notes whether the arm ends its list, if registers that are known decide it. It returns the operations without
// the one that decides it.
func (h *putBegin) stopping(rest []putOp, regs map[int32]uint64) []putOp {
	i := slices.IndexFunc(rest, func(op putOp) bool { return op.code == putStopTable })
	if i < 0 || slices.ContainsFunc(rest[:i], func(op putOp) bool { _, jumps := op.target(0); return jumps || len(op.sets()) > 0 || op.enters() }) {
		return rest
	}
	word, ok := regs[rest[i].a]
	if !ok || word > 255 || rest[i].more.table[word] == tableLack {
		return rest
	}
	h.stop = rest[i].more.table[word] != 0
	return slices.Delete(slices.Clone(rest), i, i+1)
}

// enters reports whether an operation may write other records, which may say that they end a list.
func (op *putOp) enters() bool {
	switch op.code {
	case putInner, putElems, putPairs, putUnion, putPart:
		return true
	}
	return false
}
