// Mistakes with what is inside fields: masks, numbers, text, arrays, maps, padding.

package mutants

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// mask: bits are taken out of a word in another way. A reader makes it; a writer
// has its own expression for the word.
func (g *generator) mask(pc int, expr uint32, set func(e *edit, x uint32)) {
	root := g.p.Exprs[expr]
	with := func(class, change, about string, part, by *bytecode.Expr) {
		x := replaced(root, part, by)
		g.change(pc, reading, class, change, "reading, "+about, func(e *edit) { set(e, e.expr(x)) }, inPlace(root, x))
	}
	parts(root, func(t *bytecode.Expr) {
		switch t.Op {
		case bytecode.ExprAnd:
			m, ok := t.Args[1].Constant()
			if !ok {
				return
			}
			change := func(class, name, about string, to int64) {
				with(class, name, about, t.Args[1], bytecode.Num(to))
			}
			if m == 1 {
				with(flagIgnored, "unset", "the flag is taken as not set", t, bytecode.Num(0))
				with(flagIgnored, "set", "the flag is taken as set", t, bytecode.Num(1))
				change(wrongMask, "mask-3", "two bits are taken, not one", 3)
				return
			}
			if m == math.MaxInt32 {
				change(countBit, "unmasked", "the highest bit is left in the number", math.MaxUint32)
				change(wrongMask, "mask-7fff", "only 15 bits are taken", math.MaxInt16)
				return
			}
			if m == math.MaxUint32 {
				change(wrongMask, "mask-none", "the sum is not cut to 32 bits", -1)
				return
			}
			change(wrongMask, "mask-wider", fmt.Sprintf("the mask is %#x, not %#x", 2*m+1, m), 2*m+1)
			change(wrongMask, "mask-narrower", fmt.Sprintf("the mask is %#x, not %#x", m/2, m), m/2)
			if m == 255 {
				change(wrongMask, "mask-ffff", "the mask is 0xffff, not 0xff", 0xffff)
				change(wrongMask, "mask-3f", "the mask is 0x3f, not 0xff", 0x3f)
			}
			with(wrongMask, "unmasked", "all bits of the number are taken", t, t.Args[0])
		case bytecode.ExprShr:
			n, ok := t.Args[1].Constant()
			if !ok {
				return
			}
			with(wrongFlag, "bit-higher", fmt.Sprintf("bit %d is looked at, not bit %d", n+1, n), t.Args[1], bytecode.Num(n+1))
			if n > 0 {
				with(wrongFlag, "bit-lower", fmt.Sprintf("bit %d is looked at, not bit %d", n-1, n), t.Args[1], bytecode.Num(n-1))
			}
		case bytecode.ExprAdd:
			if _, ok := t.Args[0].Constant(); !ok && t.Args[0].Op != bytecode.ExprShl && t.Args[1].Op == bytecode.ExprReg {
				with(countOff, "without-last", "one of the counts is not added", t, t.Args[0])
			}
		}
	})
}

func (g *generator) let(pc int) {
	in := &g.p.Code[pc]
	g.mask(pc, in.B, func(e *edit, x uint32) { e.in(pc).B = x })
	x := g.p.Exprs[in.B]
	if x.Op != bytecode.ExprAnd || x.Args[0].Op != bytecode.ExprReg {
		return
	}
	if m, ok := x.Args[1].Constant(); ok && m == 1 {
		g.change(pc, reading, wrongFlag, "bit-higher", "reading, bit 1 is looked at, not bit 0", func(e *edit) {
			e.in(pc).B = e.expr(calc(calc(x.Args[0], bytecode.ExprShr, 1), bytecode.ExprAnd, 1))
		})
	}
}

// head: the word that a union begins with, and its types.
func (g *generator) head(pc int) {
	in := &g.p.Code[pc]
	g.mask(pc, in.C, func(e *edit, x uint32) { e.in(pc).C = x })
	if x := g.p.Exprs[in.C]; len(x.Args) == 0 {
		for _, m := range []int64{0xff, 0xffff} {
			masked := calc(x, bytecode.ExprAnd, m)
			g.change(pc, reading, wrongMask, fmt.Sprintf("mask-%x", m), fmt.Sprintf("reading, only the bits %#x of the number are taken", m),
				func(e *edit) { e.in(pc).C = e.expr(masked) }, inPlace(x, masked))
		}
	}
	g.arms(pc)
}

// arms: types that are exchanged, that are not there, and ones that should not be.
func (g *generator) arms(pc int) {
	in := &g.p.Code[pc]
	arms := g.p.Tables[in.D].Arms
	name := func(i int) string { return g.p.Types[arms[i].Type].Name }
	record := func(i int) int { return g.p.ArmAt(in.D, i) + 1 }
	for i, a := range arms {
		without, about := "without-"+name(i), fmt.Sprintf("reading, %s is not known", name(i))
		if a.Else {
			without, about = "no-others", "reading, numbers without a separate form are refused"
		}
		g.add(&Mutant{Class: typeMissing, About: about, Dir: reading, PCs: []int{record(i)}, refuses: true,
			build: func(e *edit) { e.removeArm(in.D, i) }}, pc, without)
		if a.IDs != nil {
			last := a.IDs[len(a.IDs)-1].Hi
			g.add(&Mutant{Class: typeMissing, About: fmt.Sprintf("reading, number %d is not known as %s", last, name(i)), Dir: reading, PCs: []int{record(i)}, refuses: !arms[len(arms)-1].Else,
				build: func(e *edit) { e.shortenArm(in.D, i) }}, pc, "without-last-"+name(i))
		}
		if i+1 < len(arms) && !arms[i+1].Else {
			g.add(&Mutant{Class: typeNumber, About: fmt.Sprintf("reading, the ids of %s and %s are exchanged", name(i), name(i+1)), Dir: reading,
				PCs: []int{record(i + 1), record(i)}, build: func(e *edit) { e.swapArms(in.D, i) }}, pc, "swapped-"+name(i))
		}
	}
	if len(arms) == 0 || arms[len(arms)-1].Else {
		return
	}
	for i, a := range arms {
		if len(g.p.Types[a.Type].Fields) == 0 && g.isEmpty(record(i)) {
			g.add(&Mutant{Class: typeUnknown, About: "reading, an unknown type gives what " + name(i) + " gives", Dir: reading, build: func(e *edit) {
				t := e.p.Types[a.Type]
				t.Writes = nil
				e.p.Types = append(e.p.Types, t)
				e.addElse(pc, i, uint32(len(e.p.Types)-1))
			}}, pc, "unknown-taken")
			break
		}
	}
}

// isEmpty reports whether the record at pc has nothing on the wire.
func (g *generator) isEmpty(pc int) bool {
	for _, in := range g.p.Instrs(g.p.Inner(pc)[0]) {
		if in.Op != bytecode.Header {
			return false
		}
	}
	return true
}

// armRef: the type that a number names.
func (g *generator) armRef(pc int) {
	in := &g.p.Code[pc]
	g.change(pc, reading, typeNumber, "id-plus1", "reading, the type of the next id is taken", func(e *edit) {
		e.before(pc, e.let(in.Rule, in.B, calc(register(in.B), bytecode.ExprAdd, 1)))
	})
	t, ok := g.p.UnionTable(in.C)
	if !ok {
		return
	}
	for _, a := range t.Arms {
		if !a.Else {
			g.change(pc, reading, typeUnknown, "unknown-taken", "reading, an unknown type is taken for "+g.p.Types[a.Type].Name, func(e *edit) {
				// within the ids of the table, which are mostly without gaps
				last := int64(t.Arms[len(t.Arms)-1].ID)
				r := register(in.B)
				e.before(pc, e.let(in.Rule, in.B, bytecode.Apply(bytecode.ExprSelect, calc(r, bytecode.ExprGt, last), bytecode.Num(int64(a.ID)), r)))
			})
			break
		}
	}
}

// truth: what is true.
func (g *generator) truth(pc int) {
	in := &g.p.Code[pc]
	s := in.Scalar()
	if in.C&bytecode.TruthNonzero != 0 {
		g.change(pc, reading, truthRule, "only-1", "reading, numbers other than 0 and 1 are refused", func(e *edit) { e.in(pc).C = 0 })
	} else {
		g.change(pc, reading, truthRule, "nonzero", "reading, any number but 0 is true", func(e *edit) { e.in(pc).C = bytecode.TruthNonzero })
	}
	as := func(change, about string, x func(*bytecode.Expr) *bytecode.Expr) {
		g.change(pc, reading, truthRule, change, "reading, "+about, func(e *edit) {
			r := e.reg(pc)
			old := *e.in(pc)
			*e.in(pc) = bytecode.Instr{Op: bytecode.Word, A: old.A, B: r, C: e.expr(bytecode.Num(0)), D: bytecode.None, Rule: old.Rule}
			e.after(pc, e.let(old.Rule, r, x(register(r))), bytecode.Instr{Op: bytecode.Take, A: old.B, B: r, C: bytecode.TakeBool, Rule: old.Rule})
		})
	}
	as("equals-1", "only 1 is true, and other numbers are false", times(1, bytecode.ExprEq))
	as("lowest-bit", "the lowest bit alone is looked at", times(1, bytecode.ExprAnd))
	if s.Width() > 1 {
		as("lowest-byte", "the lowest byte alone is looked at", times(255, bytecode.ExprAnd))
	}
}

// lanes: the order of components.
func (g *generator) lanes(pc int) {
	in := g.p.Code[pc]
	n := int(in.B)
	add := func(change, about string, order []int) {
		f := func(order []int) func(interp.Value) interp.Value {
			return func(v interp.Value) interp.Value { return permuted(v, order) }
		}
		g.content(pc, reading, laneOrder, change, about, f(order))
		inverse := make([]int, n)
		for i, k := range order {
			inverse[k] = i
		}
		g.content(pc, writing, laneOrder, change, about, f(inverse))
	}
	identity := func() []int {
		o := make([]int, n)
		for i := range o {
			o[i] = i
		}
		return o
	}
	for i := range n - 1 {
		o := identity()
		o[i], o[i+1] = i+1, i
		add(fmt.Sprintf("swap%d-%d", i+1, i+2), fmt.Sprintf("components %d and %d are exchanged", i+1, i+2), o)
	}
	transposed := func(rows, columns, of int) {
		o := identity()
		for r := range rows {
			for c := range columns {
				o[r*columns+c] = c*rows + r
			}
		}
		if of == n {
			add(fmt.Sprintf("transposed%dx%d", rows, columns), fmt.Sprintf("rows and columns of a %d by %d matrix are exchanged", rows, columns), o)
			return
		}
		add(fmt.Sprintf("transposed%dx%d", rows, columns), fmt.Sprintf("rows and columns of the first %d by %d numbers are exchanged", rows, columns), o)
	}
	switch n {
	case 4:
		add("last-first", "the last component comes first", []int{3, 0, 1, 2})
	case 6:
		transposed(3, 2, n)
		transposed(2, 3, n)
	case 9:
		transposed(3, 3, n)
	case 12:
		transposed(3, 3, 9)
		transposed(3, 4, n)
		transposed(4, 3, n)
	case 16:
		transposed(4, 4, n)
	}
}

// permuted returns a value whose tuples have component order[i] in place i.
func permuted(v interp.Value, order []int) interp.Value {
	if (v.Kind() != interp.Lanes && v.Kind() != interp.Packed) || v.Width() != len(order) {
		return v
	}
	w, b := v.Scalar().Width(), v.Bytes()
	out := make([]byte, len(b))
	for at := 0; at+w*len(order) <= len(b); at += w * len(order) {
		for i, k := range order {
			copy(out[at+i*w:at+(i+1)*w], b[at+k*w:])
		}
	}
	return remake(v, v.Scalar(), out)
}

// numbers: what is lost on the way of a number.
func (g *generator) numbers(pc int) {
	in := g.p.Code[pc]
	s := in.Scalar()
	cell := in.Cell()
	add := func(class, change, about string, f func(bits uint64) uint64, hints ...hint) {
		on := func(v interp.Value) interp.Value { return eachNumber(v, s, f) }
		g.content(pc, reading, class, change, about, on)
		g.content(pc, writing, class, change, about, on, hints...)
	}
	// Of a number alone it is known whether it is one that single precision holds.
	single := &bytecode.Expr{Op: bytecode.ExprOutside, Arg: int64(cell), Arg2: uint32(bytecode.F32)}
	var whenSingle, whenDouble []hint
	if in.Op == bytecode.Scalars {
		whenSingle = []hint{func(mu *Mutant) { mu.when = bytecode.Apply(bytecode.ExprNot, single) }}
		whenDouble = []hint{func(mu *Mutant) { mu.when = single }} // as a NaN is not
	}
	switch {
	case s == bytecode.I64:
		add(throughDouble, "double", "integers go through a double", func(bits uint64) uint64 { return uint64(toInt(float64(int64(bits)))) })
		add(wrongWidth, "low32", "integers are cut to 32 bits", func(bits uint64) uint64 { return uint64(int64(int32(bits))) })
	case s == bytecode.U64:
		add(throughDouble, "double", "integers go through a double", func(bits uint64) uint64 {
			if f := float64(bits); f < 1<<64 {
				return uint64(f)
			}
			return math.MaxUint64
		})
		add(wrongWidth, "low32", "integers are cut to 32 bits", func(bits uint64) uint64 { return bits & math.MaxUint32 })
	case s == bytecode.F32:
		add(realBits, "minus-zero", "-0 becomes 0", func(bits uint64) uint64 { return noMinus(bits, 1<<31) })
		add(realBits, "nan-payload", "every NaN becomes the same one", func(bits uint64) uint64 {
			if f := math.Float32frombits(uint32(bits)); f != f {
				return 0x7fc00000
			}
			return bits
		}, whenDouble...)
	case s == bytecode.F64:
		add(realBits, "minus-zero", "-0 becomes 0", func(bits uint64) uint64 { return noMinus(bits, 1<<63) }, whenSingle...)
		add(realBits, "nan-payload", "every NaN becomes the same one", func(bits uint64) uint64 {
			if f := math.Float64frombits(bits); f != f {
				return 0x7ff8000000000000
			}
			return bits
		})
		add(realBits, "single", "doubles go through single precision", func(bits uint64) uint64 {
			if f := math.Float64frombits(bits); f == f {
				return math.Float64bits(float64(float32(f)))
			}
			return bits
		}, whenDouble...)
	}
}

func noMinus(bits, minus uint64) uint64 {
	if bits == minus {
		return 0
	}
	return bits
}

// toInt rounds towards 0 and stays within 64 bits.
func toInt(f float64) int64 {
	if f >= 1<<63 {
		return math.MaxInt64
	}
	return int64(f)
}

// eachNumber changes the bits of every number of a value that is of scalar s.
func eachNumber(v interp.Value, s bytecode.Scalar, f func(uint64) uint64) interp.Value {
	switch v.Kind() {
	case interp.Int:
		return interp.MakeInt(v.Tag(), int64(f(v.Uint())))
	case interp.Uint:
		return interp.MakeUint(v.Tag(), f(v.Uint()))
	case interp.Float:
		if s == bytecode.F64 {
			return interp.MakeFloat(v.Tag(), math.Float64frombits(f(math.Float64bits(v.Float()))))
		}
		if x := v.Float(); x != x {
			return interp.MakeFloat(v.Tag(), math.Float64frombits(0x7ff8000000000000|(f(math.Float64bits(x)>>29&0x7fffff|0x7fc00000)&0x3fffff)<<29))
		} else if float64(float32(x)) == x {
			return interp.MakeFloat(v.Tag(), float64(math.Float32frombits(uint32(f(uint64(math.Float32bits(float32(x))))))))
		}
	case interp.Lanes, interp.Packed:
		if v.Scalar() != s {
			return v
		}
		w := s.Width()
		n := len(v.Bytes()) / w
		out := make([]byte, 0, n*w)
		for i := range n {
			bits := f(v.LaneBits(i))
			for k := range w {
				out = append(out, byte(bits>>(8*k)))
			}
		}
		return remake(v, s, out)
	}
	return v
}

// count: how a reader makes the number of parts from what it has read.
func (g *generator) count(pc int, expr uint32) {
	if expr == bytecode.None {
		return
	}
	root := g.p.Exprs[expr]
	parts(root, func(t *bytecode.Expr) {
		if t.Op != bytecode.ExprMax && t.Op != bytecode.ExprMin {
			return
		}
		class, change, about := countSign, "negative", "a negative count is refused"
		if n, ok := t.Args[1].Constant(); !ok || n != 0 || t.Op == bytecode.ExprMin {
			class, change, about = limitMissing, "unbounded", "the count is not bounded by the total"
		}
		x := replaced(root, t, t.Args[0])
		g.change(pc, reading, class, change, "reading, "+about, func(e *edit) {
			in := e.in(pc)
			switch x := e.expr(x); in.Op {
			case bytecode.Packed:
				in.C = x
			case bytecode.Text:
				in.B = x
			default:
				in.A = x
			}
		}, inPlace(root, x))
	})
}

// keys: which pairs of a map are one.
func (g *generator) keys(pc int) {
	in := &g.p.Code[pc]
	on := func(f func(m *interp.Machine, pairs []interp.Value) []interp.Value) func(*interp.Machine, interp.Value) interp.Value {
		return func(m *interp.Machine, v interp.Value) interp.Value {
			return onCell(in.C, func(v interp.Value) interp.Value {
				if v.Kind() == interp.Map {
					return interp.MakeMap(v.Tag(), f(m, v.Cells()))
				}
				return v
			})(m, v)
		}
	}
	turned := on(func(_ *interp.Machine, pairs []interp.Value) []interp.Value {
		out := slices.Clone(pairs)
		slices.Reverse(out)
		for i := 0; i+1 < len(out); i += 2 {
			out[i], out[i+1] = out[i+1], out[i]
		}
		return out
	})
	g.record(pc, reading, pairOrder, "turned", "pairs are in another order than they were sent in", turned)
	g.record(pc, writing, pairOrder, "turned", "pairs are sent in another order than they have", turned)
	merge := func(last, moves bool) func(*interp.Machine, interp.Value) interp.Value {
		return on(func(m *interp.Machine, pairs []interp.Value) []interp.Value {
			again := m.RepeatedKeys(pairs)
			values := map[int]int{} // of each first pair of a key: the pair whose value is sent
			for i, first := range again {
				if last {
					values[first] = max(values[first], i)
				}
			}
			var out []interp.Value
			for i := 0; i+1 < len(pairs); i += 2 {
				first, repeated := again[i]
				if !repeated {
					first = i
				}
				from := max(i, values[first])
				switch {
				case moves && from == i:
					out = append(out, pairs[i], pairs[i+1])
				case !moves && !repeated:
					out = append(out, pairs[i], pairs[from+1])
				}
			}
			return out
		})
	}
	g.record(pc, reading, equalKeys, "merged", "of pairs with equal keys one is left", merge(true, false))
	g.record(pc, writing, equalKeys, "first", "of pairs with equal keys the first value stays", merge(false, false))
	g.record(pc, writing, equalKeys, "moved", "a pair whose key comes again is at the place of the last one", merge(true, true))
}

// otherCharsets are the character sets of mutants.
var otherCharsets = map[builtin.Charset]builtin.Charset{
	builtin.ASCII: builtin.Latin1, builtin.Latin1: builtin.MacRoman, builtin.MacRoman: builtin.Latin1,
	builtin.Windows1252: builtin.Latin1, builtin.CP437: builtin.Windows1252, builtin.UTF16Little: builtin.UTF16Big, builtin.UTF16Big: builtin.UTF16Little,
}

// text: what is text, how long it is, and what zero bytes and marks mean.
func (g *generator) text(pc int) {
	in := g.p.Code[pc]
	enc, fields := g.p.Encodings[in.A], g.fields
	as := func(d interp.Direction, class, change, about string, to bytecode.Encoding) {
		g.change(pc, d, class, change, ing(d)+about, func(e *edit) { e.in(pc).A = e.encoding(to) })
	}
	// length makes a mutant whose length follows the other encoding, too.
	length := func(class, change, about string, to bytecode.Encoding) {
		g.change(pc, writing, class, change, "writing, "+about, func(e *edit) {
			n := e.encoding(to)
			e.in(pc).A = n
			for k := fields; k < pc; k++ {
				if w := e.in(k); w.Op == bytecode.Word && w.D == bytecode.None {
					w.C = e.expr(rewritten(e.p.Exprs[w.C], func(x *bytecode.Expr) *bytecode.Expr {
						if x.Op == bytecode.ExprLen && x.Arg == int64(in.C) {
							return &bytecode.Expr{Op: x.Op, Arg: x.Arg, Arg2: n}
						}
						return nil
					}))
				}
			}
		})
	}
	if !enc.Charset.Verbatim() {
		to := enc
		to.Charset = otherCharsets[enc.Charset]
		for _, d := range []interp.Direction{reading, writing} {
			as(d, textChecks, "charset", "text is "+to.Charset.Title(), to)
		}
		return
	}
	for how, name := range []string{"strict", "loose", "unchecked"} {
		to := enc
		if to.Charset = builtin.Charset(how); to != enc {
			about := []string{"only well-formed UTF-8 is text", "UTF-8 is checked loosely: surrogates and large numbers pass", "UTF-8 is not checked"}[how]
			as(reading, textChecks, name, about, to)
			as(writing, textChecks, name, about, to)
		}
	}
	to := enc
	to.DropBOM = !enc.DropBOM
	if to.DropBOM {
		as(reading, markRule, "mark-dropped", "a byte order mark at the beginning is left out", to)
	} else {
		as(reading, markRule, "mark-kept", "a byte order mark at the beginning stays", to)
	}
	to = enc
	if enc.NUL == bytecode.NULKeep {
		to.NUL = bytecode.NULStop
		as(reading, nulRule, "nul-stops", "text ends before a zero byte", to)
		as(writing, nulRule, "nul-refused", "text with a zero byte is refused", to)
	} else {
		to.NUL = bytecode.NULKeep
		as(reading, nulRule, "nul-kept", "zero bytes are characters", to)
		if enc.NUL == bytecode.NULStop {
			as(writing, nulRule, "nul-kept", "zero bytes are written as characters", to)
		}
	}
	if enc.NUL == bytecode.NULCounted {
		to.NUL = bytecode.NULStop
		length(nulRule, "nul-missing", "there is no zero byte at the end", to)
		g.change(pc, reading, nulRule, "nul-cut", "reading, the last byte is taken for a zero byte and left out", func(e *edit) {
			// what is read is one byte less, and the byte is stepped over
			n, r := e.expr(calc(e.p.Exprs[in.B], bytecode.ExprSub, 1)), e.reg(pc)
			e.in(pc).B = n
			e.after(pc, bytecode.Instr{Op: bytecode.Word, A: uint32(bytecode.U8), B: r, C: e.expr(bytecode.Num(0)), D: bytecode.None, Rule: in.Rule})
		})
	} else {
		to.NUL = bytecode.NULCounted
		length(nulRule, "nul-added", "a zero byte is added at the end", to)
	}
	unchecked := enc
	unchecked.Charset = builtin.UTF8Unchecked
	g.add(&Mutant{Class: textLength, About: "writing, characters are counted, and as many bytes are written", Dir: writing, at: fields,
		build: func(e *edit) { e.in(pc).A = e.encoding(unchecked) },
		value: onCell(in.C, func(v interp.Value) interp.Value {
			if v.Kind() != interp.Text || checked(enc, v.Bytes()) {
				return v
			}
			return interp.MakeText(v.Tag(), v.Text()[:utf8.RuneCount(v.Bytes())])
		})}, pc, "characters")
}

// checked reports whether text has what a writer refuses.
func checked(enc bytecode.Encoding, b []byte) bool {
	return enc.NUL != bytecode.NULKeep && bytes.IndexByte(b, 0) >= 0 || enc.Charset == builtin.UTF8Strict && !utf8.Valid(b)
}

// padding: if there is no padding.
func (g *generator) padding(pc int) {
	if g.p.Code[pc+1].Op == bytecode.Pad {
		return
	}
	in := g.p.Code[pc]
	if in.Op == bytecode.Packed && in.C == bytecode.None {
		return // nothing follows
	}
	g.both(pc, padNeedless, "padded", "it is padded to a multiple of 4", func(e *edit) {
		e.after(pc, bytecode.Instr{Op: bytecode.Pad, A: 4, Rule: in.Rule})
	}, unless(4, true))
	g.both(pc, padNeedless, "padded8", "it is padded to a multiple of 8", func(e *edit) {
		e.after(pc, bytecode.Instr{Op: bytecode.Pad, A: 8, Rule: in.Rule})
	}, unless(8, true))
}

func (g *generator) pad(pc int) {
	in := g.p.Code[pc]
	never := unless(in.A, false) // padded
	g.both(pc, padMissing, "unpadded", "there is no padding", func(e *edit) { e.remove(pc) }, never)
	for _, n := range []uint32{2, 4, 8, 16} {
		if n != in.A && (n < 16 || in.A == 8) {
			g.both(pc, padAlign, fmt.Sprintf("to%d", n), fmt.Sprintf("padding goes to a multiple of %d, not %d", n, in.A), func(e *edit) { e.in(pc).A = n }, unless(max(n, in.A), false))
		}
	}
	g.change(pc, writing, padFill, "filled", "writing, padding is not zero", func(e *edit) { e.in(pc).C = in.C ^ 0xcd }, never)
	if in.B&bytecode.PadExact == 0 {
		g.change(pc, reading, padStrict, "exact", fmt.Sprintf("reading, padding other than %#02x is refused", in.C), func(e *edit) { e.in(pc).B |= bytecode.PadExact }, never)
	} else {
		g.change(pc, reading, checkMissing, "any", "reading, any padding is taken", func(e *edit) { e.in(pc).B &^= bytecode.PadExact }, never)
	}
	if in.B&bytecode.PadOrEnd == 0 {
		g.change(pc, reading, padEnd, "or-end", "reading, padding may be missing at the end of the region", func(e *edit) { e.in(pc).B |= bytecode.PadOrEnd }, never, atEnd)
	} else {
		g.change(pc, reading, padEnd, "always", "reading, padding must not be missing at the end of the region", func(e *edit) { e.in(pc).B &^= bytecode.PadOrEnd }, never, atEnd)
	}
	size, ok := g.size(pc - 1)
	if !ok {
		return
	}
	g.both(pc, padAlways, "full", fmt.Sprintf("there are %d bytes of padding instead of none", in.A), func(e *edit) {
		none := bytecode.Apply(bytecode.ExprNot, calc(size, bytecode.ExprMod, int64(in.A)))
		ins := []bytecode.Instr{{Op: bytecode.If, A: e.expr(none), Rule: in.Rule}}
		for range in.A {
			ins = append(ins, bytecode.Instr{Op: bytecode.Word, A: uint32(bytecode.U8), B: e.reg(pc), C: e.expr(bytecode.Num(int64(in.C))), D: bytecode.None, Rule: in.Rule})
		}
		e.after(pc, append(ins, bytecode.Instr{Op: bytecode.End, Rule: in.Rule})...)
	})
}

// size returns the number of bytes that an instruction takes, if it is text or packed.
func (g *generator) size(pc int) (*bytecode.Expr, bool) {
	switch in := &g.p.Code[pc]; in.Op {
	case bytecode.Text:
		return g.p.Exprs[in.B], true
	case bytecode.Packed:
		if in.C != bytecode.None {
			return calc(g.p.Exprs[in.C], bytecode.ExprMul, int64(in.Scalar().Width())*int64(in.B)), true
		}
	}
	return nil, false
}

// branch: a part that is there only sometimes.
func (g *generator) branch(pc int) {
	x := g.p.Exprs[g.p.Code[pc].A]
	is := g.p.ExprText(g.p.Code[pc].A)
	as := func(change, about string, to *bytecode.Expr) {
		g.both(pc, branchWrong, change, about, func(e *edit) { e.in(pc).A = e.expr(to) }, inTruth(x, to))
	}
	as("always", fmt.Sprintf("what depends on %s is always there", is), bytecode.Num(1))
	as("never", fmt.Sprintf("what depends on %s is never there", is), bytecode.Num(0))
	as("inverted", fmt.Sprintf("what depends on %s is there when it does not hold", is), bytecode.Apply(bytecode.ExprNot, x))
	parts(x, func(t *bytecode.Expr) {
		if t.Op != bytecode.ExprBoth && t.Op != bytecode.ExprEither {
			return
		}
		for i, name := range []string{"first", "second"} {
			as("only-"+name, fmt.Sprintf("of the conditions of %s only the %s is looked at", is, name), replaced(x, t, t.Args[i]))
		}
	})
}

// region: its size is read and not used.
func (g *generator) region(pc int) {
	leave := g.p.End(pc)
	g.change(pc, reading, regionIgnored, "ignored", "reading, the size is not used", func(e *edit) {
		e.remove(leave)
		e.remove(pc)
	})
}

// subst: what is written instead of a value that has no content.
func (g *generator) subst(pc int) {
	in := &g.p.Code[pc]
	t, ok := g.p.UnionTable(in.B)
	if !ok {
		return
	}
	for _, a := range t.Arms {
		typ := g.p.Types[a.Type]
		for k := range typ.Writes {
			g.change(pc, writing, objectRule, fmt.Sprintf("as-is-%s%d", typ.Name, k), fmt.Sprintf("writing, %s is written unchanged instead of something else", typ.Name), func(e *edit) {
				e.p.Types[a.Type].Writes = slices.Delete(slices.Clone(typ.Writes), k, k+1)
			})
		}
	}
}
