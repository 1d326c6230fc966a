// Columns of plans in writing.

package interp

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// putOp is one operation of columns.
type putOp uint8

const (
	putInt putOp = iota // integers of any width
	putFloat32
	putFloat64
	putTruth
	putLanes
	putOctets // an array of bytes
	putBits   // the sum of numbers of cells, each of some bits at its place, and a constant
)

type writeCol struct {
	op     putOp
	off    int
	cell   int
	at     int // of the cell in the cells of a record, in bytes
	word   loadForm
	n      uint32
	width  uint32 // putOctets: numbers of an element
	size   int
	pieces pieces
}

// column appends a column. It reports false if the column needs a row.
func (s *writeSteps) column(c writeCol) bool {
	c.at = c.cell * int(unsafe.Sizeof(Value{}))
	s.cols = append(s.cols, c)
	return s.absorb(&c)
}

// writeWord resolves the step of a word: a column, if its number needs no register, or else the row. It reports
// whether there is a row.
func (c *planner) writeWord(out *writeSteps, s *bytecode.Steps, i int, row *writeRow) bool {
	x := &s.List[i]
	if x.Run == none {
		row.op = rowNumber
		return true
	}
	col := writeCol{op: putBits, off: x.Off, word: c.load(x.Scalar(), x.Swapped())}
	if x.Const && fits(x.Scalar(), x.N) {
		col.pieces.rest = x.N
		out.column(col)
		row.op, row.n = rowHead, count{number: x.N}
		return c.form.Needs(x.B)
	}
	needed := c.form.Needs(x.B)
	number := runNumber{reg: int32(x.B), word: col.word, off: x.Off}
	if cell, ok := c.valued(s.List, i); ok && (!needed || c.once[x.B] == 1) {
		col.op, col.cell = putInt, cell
		if out.column(col); needed {
			out.gives(number)
		}
		return false
	} else if ok {
		row.valued, row.cell = true, cell
	}
	if sum, ok := c.column(s.List, i); ok {
		col.pieces = sum
		if needed && c.once[x.B] == 1 && sum.apart(col.word.scalar) && !col.word.scalar.Signed() {
			out.column(col)
			out.gives(number)
			return false
		}
		if !needed && out.column(col) {
			return false
		}
		row.op, row.off, row.word, row.col = rowBits, x.Off, col.word, &col
		if !needed {
			row.in = nil
		}
		return true
	}
	if x.Op == bytecode.Word && x.D != bytecode.None {
		return c.place(out, x, row, col)
	}
	row.op, row.off, row.word = rowWord, x.Off, col.word
	if h := x.Holds; h != nil && !needed {
		if most, ok := h.Most(row.word.scalar); ok {
			row.holds, row.most = h, most
			if n := c.m.countOf(h, row.most); n != nil {
				run := &out.rows[out.run]
				run.puts = append(run.puts, putWord{word: row.word, off: row.off, count: n})
				return false
			}
		}
	}
	return true
}

// place resolves the step of a word that a patch writes.
func (c *planner) place(out *writeSteps, x *bytecode.Step, row *writeRow, col writeCol) bool {
	if c.once[x.D] != 1 {
		row.op, row.off, row.size = rowPlace, x.Off, x.Scalar().Width()
		return true
	}
	out.column(col)
	out.gives(runNumber{reg: int32(x.D), place: true, off: x.Off})
	return false
}

// late returns what a patch adds to a word that is written before.
func (c *planner) late(list []bytecode.Step, i int) (late *bytecode.Expr, ok bool) {
	x := &list[i]
	for k := range list[:i] {
		w := &list[k]
		if w.Op != bytecode.Mark || w.A != x.B || list[k+1].Op != bytecode.Word || list[k+1].C == bytecode.None || list[k+1].Scalar() != x.Scalar() {
			continue
		}
		var sum pieces
		before, ok := sumOf(c.m.p.Exprs[list[k+1].C])
		ok = ok && divide(c.m.p.Exprs[x.C], &sum, &late) && late != nil && c.m.regComputation(late) != nil
		return late, ok && sum.rest == before.rest && slices.Equal(sum.list, before.list)
	}
	return nil, false
}

// divide notes the parts of a sum that cells give, and the one that they do not. It is not ok if there are several
// of the latter.
func divide(e *bytecode.Expr, early *pieces, late **bytecode.Expr) bool {
	if e.Op == bytecode.ExprAdd {
		return divide(e.Args[0], early, late) && divide(e.Args[1], early, late)
	}
	if part, ok := sumOf(e); ok {
		early.list, early.rest = append(early.list, part.list...), early.rest+part.rest
		return true
	}
	fine := *late == nil
	*late = e
	return fine
}

// write writes a column: one field of several records, at places of the output. It
// reports whether all values fit.
func (c *writeCol) write(out memory.View, places []int, r records) bool {
	if !r.lone {
		switch c.op {
		case putInt:
			if c.word.scalar.Width() < 8 {
				return c.writeInts(out, places, r.list)
			}
			if c.word.scalar == bytecode.U64 && !c.word.big {
				return c.writeWide(out, places, r.list)
			}
		case putBits:
			return c.writeBits(out, places, r.list)
		case putFloat32:
			return c.writeSingles(out, places, r.list)
		}
	}
	for k, p := range places {
		p += c.off
		v := &noValue
		if c.op != putBits {
			v = r.cell(k, c.cell)
		}
		switch c.op {
		case putInt:
			if v.kind != Int && v.kind != Uint || outside(*v, c.word.scalar) {
				return false
			}
			storeWord(out, p, c.word, v.u)
		case putFloat32:
			if v.kind != Float {
				return false
			}
			storeWord(out, p, c.word, uint64(narrow(v.Float())))
		case putFloat64:
			if v.kind != Float {
				return false
			}
			storeWord(out, p, c.word, v.u)
		case putTruth:
			if v.kind != Bool {
				return false
			}
			storeWord(out, p, c.word, v.u&1)
		case putBits:
			x, ok := c.pieces.sum(r.list[k : k+1])
			if !ok {
				return false
			}
			storeWord(out, p, c.word, uint64(x))
		case putOctets:
			if !c.holds(v) {
				return false
			}
			memory.CopyShort(out, p, memory.At(v.p, c.size), c.size)
		case putLanes:
			if v.kind != Lanes || v.n != c.n || v.Scalar() != c.word.scalar {
				return false
			}
			b := v.Bytes()
			w := c.word.scalar.Width()
			if !c.word.big {
				w = 1
			}
			for i := 0; i < len(b); i += w {
				for j := range w {
					out.Store8(p+i+j, b[i+w-1-j])
				}
			}
		}
	}
	return true
}

func (c *writeCol) writeSingles(out memory.View, places []int, list []Value) bool {
	bad := Kind(0)
	at, off, big := c.at, c.off, c.word.big
	list = list[:len(places)]
	for k, p := range places {
		v := (*Value)(unsafe.Add(list[k].p, at))
		bad |= v.kind ^ Float
		f := math.Float64frombits(v.u)
		x := math.Float32bits(float32(f))
		if f != f {
			x = narrow(f)
		}
		if big {
			x = bits.ReverseBytes32(x)
		}
		out.Store32(p+off, x)
	}
	return bad == 0
}

// writeInts writes integers of up to 32 bits. Those that do not fit are noticed at the
// end.
func (c *writeCol) writeInts(out memory.View, places []int, list []Value) bool {
	width := 8 * c.word.scalar.Width()
	low := uint64(0) // the least number
	if c.word.scalar.Signed() {
		low = -(1 << (width - 1))
	}
	out = out.From(c.off)
	var over uint64
	var kinds Kind
	switch {
	case width == 8:
		over, kinds = storeInts[uint8](out, places, list, c.at, low)
	case width == 16 && c.word.big:
		over, kinds = storeSwapped[uint16](out, places, list, c.at, low)
	case width == 16:
		over, kinds = storeInts[uint16](out, places, list, c.at, low)
	case c.word.big:
		over, kinds = storeSwapped[uint32](out, places, list, c.at, low)
	default:
		over, kinds = storeInts[uint32](out, places, list, c.at, low)
	}
	if low != 0 && kinds == 1 { // a Uint near 2^64 looks like a negative Int
		for k := range list {
			if v := (*Value)(unsafe.Add(list[k].p, c.at)); v.kind == Uint && v.u >= low {
				return false
			}
		}
	}
	return over>>width == 0 && kinds <= 1
}

// storeInts stores integers with the lowest byte first. It returns the bits of their
// distances from the least number, and of their kinds: 0 for Int, 1 for Uint. It is not
// inlined so that all it works with is in registers.
//
//go:noinline
func storeInts[T uint8 | uint16 | uint32](out memory.View, places []int, list []Value, at int, low uint64) (over uint64, kinds Kind) {
	list = list[:len(places)]
	for k, p := range places {
		v := (*Value)(unsafe.Add(list[k].p, at))
		x := v.u
		over |= x - low
		kinds |= v.kind - Int
		memory.Store(out, p, T(x))
	}
	return over, kinds
}

// storeSwapped is storeInts with the highest byte first.
//
//go:noinline
func storeSwapped[T uint16 | uint32](out memory.View, places []int, list []Value, at int, low uint64) (over uint64, kinds Kind) {
	list = list[:len(places)]
	for k, p := range places {
		v := (*Value)(unsafe.Add(list[k].p, at))
		x := v.u
		over |= x - low
		kinds |= v.kind - Int
		memory.Store(out, p, T(bits.ReverseBytes64(x)>>(64-8*unsafe.Sizeof(T(0)))))
	}
	return over, kinds
}

// storeWord stores a number in the form of a scalar.
func storeWord(out memory.View, at int, f loadForm, x uint64) {
	switch f.scalar.Width() {
	case 1:
		out.Store8(at, byte(x))
	case 2:
		w := uint16(x)
		if f.big {
			w = bits.ReverseBytes16(w)
		}
		out.Store16(at, w)
	case 4:
		w := uint32(x)
		if f.big {
			w = bits.ReverseBytes32(w)
		}
		out.Store32(at, w)
	case 8:
		if f.big {
			x = bits.ReverseBytes64(x)
		}
		out.Store64(at, x)
	default:
		appendScalar(out.Bytes(at, f.scalar.Width())[:0], f.scalar, x, f.big)
	}
}

// writeWide writes integers of 64 bits. Those that do not fit are noticed at the end.
func (c *writeCol) writeWide(out memory.View, places []int, list []Value) bool {
	bad, at, off := false, c.at, c.off
	list = list[:len(places)]
	for k, p := range places {
		v := (*Value)(unsafe.Add(list[k].p, at))
		bad = bad || v.kind != Uint && (v.kind != Int || int64(v.u) < 0)
		out.Store64(p+off, v.u)
	}
	return !bad
}

// writeBits writes words of bits, part by part. The parts have separate bits of the word.
func (c *writeCol) writeBits(out memory.View, places []int, list []Value) bool {
	var words [blockSize]uint64
	var over uint64
	bad := false
	for i := range places {
		words[i] = uint64(c.pieces.rest)
	}
	for i := range c.pieces.list {
		list = list[:len(places)] // not before: a record without cells has no parts and no list
		x := &c.pieces.list[i]
		first, second := Int, Uint
		if x.truth {
			first, second = Bool, Bool
		}
		at, bits, shift := x.cell*int(unsafe.Sizeof(Value{})), x.bits&63, x.shift&63
		for k := range list {
			v := (*Value)(unsafe.Add(list[k].p, at))
			bad = bad || v.kind != first && v.kind != second
			over |= v.u >> bits
			words[k] += v.u << shift
		}
	}
	if bad || over != 0 {
		return false
	}
	for k, p := range places {
		storeWord(out, p+c.off, c.word, words[k])
	}
	return true
}

// noValue is in place of the cell of a column that has none.
var noValue Value

// sum returns the word of a record, whose cells must be of the kinds that are expected.
func (p *pieces) sum(cells []Value) (int64, bool) {
	sum := p.rest
	for i := range p.list {
		x := &p.list[i]
		v := &cells[x.cell]
		if x.truth && v.kind != Bool || !x.truth && v.kind != Int && v.kind != Uint || v.u>>x.bits != 0 {
			return 0, false
		}
		sum += int64(v.u << x.shift)
	}
	return sum, true
}

// piecesOf returns the parts of the word that an instruction writes, if it is a sum of them.
func piecesOf(exprs []*bytecode.Expr, in *bytecode.Instr) (pieces, bool) {
	if in.C == bytecode.None || in.Op == bytecode.Word && in.D != bytecode.None {
		return pieces{}, false
	}
	return sumOf(exprs[in.C])
}

// expected reports whether the steps before a word say of which kinds its parts are, and notes that.
func expected(before []bytecode.Step, sum *pieces) bool {
	for i := range sum.list {
		p, found := &sum.list[i], false
		for k := range before {
			x := &before[k]
			if x.Op != bytecode.Expect || int(x.B) != p.cell {
				continue
			}
			bits := 8 * uint(x.Scalar().Width())
			if x.Scalar().Signed() {
				bits--
			}
			p.truth = x.C&bytecode.ExpectTruth != 0
			found = p.truth || !x.Scalar().IsFloat() && p.bits <= min(bits, 63)
		}
		if !found {
			return false
		}
	}
	return true
}

// column returns the sum that a word is, if a column or a row of bits writes it.
func (c *planner) column(list []bytecode.Step, i int) (pieces, bool) {
	x := &list[i]
	if x.Op != bytecode.Word && x.Op != bytecode.Header || x.Run == none || x.Const {
		return pieces{}, false
	}
	sum, ok := piecesOf(c.m.p.Exprs, x.Instr)
	return sum, ok && expected(list[:i], &sum)
}

// valued returns the cell whose number a word is, if the step before says that it fits.
func (c *planner) valued(list []bytecode.Step, i int) (cell int, ok bool) {
	x := &list[i]
	if x.Op != bytecode.Word || x.Run == none || x.C == bytecode.None || x.D != bytecode.None {
		return 0, false
	}
	e := c.m.p.Exprs[x.C]
	if e.Op != bytecode.ExprValue {
		return 0, false
	}
	return int(e.Arg), slices.ContainsFunc(list[:i], func(b bytecode.Step) bool {
		return b.Op == bytecode.Expect && int64(b.B) == e.Arg && b.C&bytecode.ExpectTruth == 0 && b.Scalar() == x.Scalar()
	})
}

// inColumn reports whether a column behind a step looks at the kind of a cell.
func (c *planner) inColumn(list []bytecode.Step, i int, cell uint32) bool {
	for k := i + 1; k < len(list); k++ {
		if v, ok := c.valued(list, k); ok && v == int(cell) {
			return true
		}
		sum, ok := c.column(list, k)
		if ok && slices.ContainsFunc(sum.list, func(p piece) bool { return p.cell == int(cell) }) {
			return true
		}
	}
	return false
}
