// Steps of words: numbers of a run that no field holds.

package codec

import (
	"reflect"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// word makes the word of a run.
func (b *stepCompiler) word(out *[]recordStep, at int, x *bytecode.Step) bool {
	run := &(*out)[at]
	w := word{off: x.Off, scalar: x.Scalar(), reg: none, big: b.order(x.Instr)}
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
		*out = append(*out, recordStep{code: recordPlace, off: x.Off, words: []word{w}, reg: int(x.D)})
		return x.D != bytecode.None
	}
	if h := x.Holds; h != nil {
		part, t := b.wordPart(h.Cell)
		if t == nil || t.Kind() == reflect.Array {
			return false
		}
		part.list = !part.text
		most, ok := h.Most(w.scalar)
		w.count, w.most, w.base = &part, most, h.Add
		if !ok || h.Op == bytecode.ExprLen && b.p.Encodings[h.Enc].NUL == bytecode.NULCounted {
			return false
		}
		run.words = append(run.words, w)
		return true
	}
	if e := b.p.Exprs[x.C]; e.Op == bytecode.ExprValue {
		if w.reg >= 0 {
			w.moved = true
			run.words = append(run.words, w)
		}
		m := move{off: x.Off, scalar: w.scalar, swapped: x.Swapped(), any: true}
		return !b.bools[uint32(e.Arg)] && b.moveCell(run, uint32(e.Arg), m, numberKind(w.scalar)) // truths are bits
	}
	return b.computed(out, at, w, x)
}

// header makes the word of a union, which a reader of the union takes.
func (b *stepCompiler) header(out *[]recordStep, at int, x *bytecode.Step) bool {
	w := word{off: x.Off, scalar: x.Scalar(), reg: int(x.B), big: b.order(x.Instr)}
	if x.Ordered() {
		return b.orderedHeader(out, w, x)
	}
	if b.decided != nil {
		b.rec.head = b.expr(x.C)
		*out = append(*out, recordStep{code: recordHead, off: x.Off, words: []word{w}})
		return b.rec.head != nil
	}
	return b.computed(out, at, w, x)
}

// orderedHeader makes the word of a union with an order of bytes in the register before that of the word. It
// makes a run for each order.
func (b *stepCompiler) orderedHeader(out *[]recordStep, w word, x *bytecode.Step) bool {
	s, ok := recordStep{code: recordIf, expr: new(registerExpr(w.reg - 1))}, true
	for _, big := range []bool{true, false} {
		steps := []recordStep{{code: recordRun, size: w.scalar.Width()}}
		if w.off, w.big = 0, big && w.scalar.Width() > 1; b.decided != nil {
			b.rec.head = b.expr(x.C)
			steps = append(steps, recordStep{code: recordHead, words: []word{w}})
			ok = ok && b.rec.head != nil
		} else {
			ok = b.computed(&steps, 0, w, x) && ok
		}
		if big {
			s.then = steps
		} else {
			s.els = steps
		}
	}
	*out = append(*out, s)
	return ok
}

// computed makes the word of a run that the expression of a step gives.
func (b *stepCompiler) computed(out *[]recordStep, at int, w word, x *bytecode.Step) bool {
	sum := w
	if x.Const {
		sum.base = uint64(x.N)
		(*out)[at].words = append((*out)[at].words, sum)
		return interp.Fits(w.scalar, x.N)
	}
	most, ok := sum.terms(b, b.p.Exprs[x.C], 0)
	bits := 8 * w.scalar.Width()
	if w.scalar.Signed() {
		bits--
	}
	if ok && most>>bits == 0 {
		(*out)[at].words = append((*out)[at].words, sum)
		return true
	}
	s := recordStep{code: recordWord, off: w.off, words: []word{w}, expr: b.expr(x.C)}
	*out = append(*out, s)
	return s.expr != nil
}

// order reports whether numbers of an instruction have their highest byte first.
func (b *recordCompiler) order(in *bytecode.Instr) bool {
	return b.highFirst(in.Scalar(), in.Swapped())
}

// highFirst reports whether numbers of a scalar have their highest byte first. Swapped ones are in the other
// order than the program.
func (b *recordCompiler) highFirst(s bytecode.Scalar, swapped bool) bool {
	return b.big != swapped && s != bytecode.Code4 && s.Width() > 1
}

// terms finds what a word is the sum of, and returns the largest sum. It reports false if the word is something else.
func (w *word) terms(b *stepCompiler, e *bytecode.Expr, shift uint) (most uint64, ok bool) {
	unknown := func(*bytecode.Expr) (int64, bool) { return 0, false }
	if n, ok := e.Fold(unknown); ok && n >= 0 && uint64(n)<<shift>>shift == uint64(n) && n<<shift>>shift == n {
		w.base += uint64(n) << shift
		return uint64(n) << shift, true
	}
	switch e.Op {
	case bytecode.ExprAdd:
		x, okX := w.terms(b, e.Args[0], shift)
		y, okY := w.terms(b, e.Args[1], shift)
		return x + y, okX && okY && x+y < 1<<63
	case bytecode.ExprShl:
		if n, ok := e.Args[1].Constant(); ok && n >= 0 && n < 63 {
			return w.terms(b, e.Args[0], shift+uint(n))
		}
	case bytecode.ExprFit, bytecode.ExprXor:
		leaf, width, half, ok := e.Fits()
		if !ok || width+shift > 62 || leaf.Op != bytecode.ExprValue && leaf.Op != bytecode.ExprLen && leaf.Op != bytecode.ExprCount {
			return 0, false
		}
		part, t := b.wordPart(uint32(leaf.Arg))
		if t == nil {
			return 0, false
		}
		if leaf.Op != bytecode.ExprValue && !b.counts(leaf, &part, t) {
			return 0, false
		}
		if leaf.Op == bytecode.ExprValue && (b.hooked(t) || !part.numeric(t) || part.bool != b.bools[uint32(leaf.Arg)]) {
			return 0, false
		}
		if half != 0 && (leaf.Op != bytecode.ExprValue || part.bool || !part.signed) {
			return 0, false
		}
		part.width, part.shift, part.half = width, shift, half
		w.bits = append(w.bits, part)
		return (1<<width - 1) << shift, true
	}
	return 0, false
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

// counts reports whether the number of parts of a field of a type is known without a look at them.
func (b *stepCompiler) counts(e *bytecode.Expr, part *wordPart, t reflect.Type) bool {
	if e.Op == bytecode.ExprLen {
		part.list = !part.text
		return (part.text || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8) && !b.hooked(t)
	}
	part.list = true
	return t.Kind() == reflect.Slice && !b.hooked(t)
}
