// Numbers of a run in one record: cells and registers that are bits of it.

package interp

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/octable/octable/interp/memory"
)

// fill is bits of eight bytes of a run that become the unsigned number in a cell or a register. All of them
// are loaded in the same way, so that a run is a loop without a branch.
type fill struct {
	to    uint32 // place of the cell in bytes, or the register
	meta  uint32 // of the cell
	off   int16  // of the eight bytes from the beginning of the run; negative in a shorter run
	left  uint8  // bits above the number
	right uint8  // 64 less the bits of the number
}

// fills are the numbers of a run.
type fills struct {
	big     bool
	order   bool // an order is chosen
	cells   []fill
	regs    []fill
	views   []fillView
	marks   []fillMark
	checks  []fillCheck
	other   *fills       // cells, registers and checks in the other order
	alone   []fill       // cells whose number nothing else gets
	numbers []fillNumber // the other numbers, also those in the other order
	rest    *fills       // cells in the other order whose number nothing else gets
	more    bool         // there is something besides alone
}

// fillNumber is a number of a run that a cell and a register may get. It may have to pass a check.
type fillNumber struct {
	fill             // without a cell meta is 0
	reg   int32      // the register, or -1
	big   bool       // the highest byte is first
	check *fillCheck // or nil
}

// fillView is a cell whose bytes are a part of a run.
type fillView struct {
	to    uint32 // as in fill
	meta  uint32
	n     uint32
	width uint64 // of an array, as in a Value
	off   int
}

// fillMark is a place in a run that becomes the number of a register.
type fillMark struct {
	reg int32
	off int
}

// any reports whether there is one.
func (r *fills) any() bool {
	return len(r.cells)+len(r.regs)+len(r.views)+len(r.marks)+len(r.checks) > 0 || r.other != nil && r.other.any()
}

// ready is called when the fills of a run are complete. A number that several cells, registers and checks need is loaded once.
func (r *fills) ready() {
	r.alone, r.numbers = nil, nil
	for _, f := range r.cells {
		if slices.ContainsFunc(r.regs, f.same) || slices.ContainsFunc(r.checks, func(c fillCheck) bool { return f.same(c.fill) }) {
			r.numbers = append(r.numbers, fillNumber{fill: f, reg: none})
		} else {
			r.alone = append(r.alone, f)
		}
	}
	for _, f := range r.regs {
		r.number(f, func(n *fillNumber) bool { return n.reg < 0 }).reg = int32(f.to)
	}
	for i := range r.checks {
		r.number(r.checks[i].fill, func(n *fillNumber) bool { return n.check == nil }).check = &r.checks[i]
	}
	for i := range r.numbers {
		r.numbers[i].big = r.big
	}
	if r.rest = nil; r.other != nil {
		r.other.ready()
		r.numbers = append(r.numbers, r.other.numbers...)
		if len(r.other.alone) > 0 {
			r.rest = r.other
		}
	}
	r.more = len(r.numbers)+len(r.views)+len(r.marks) > 0 || r.rest != nil
}

// number returns the number of the bits of a fill that is free for another purpose, or a new one.
func (r *fills) number(f fill, free func(n *fillNumber) bool) *fillNumber {
	for i := range r.numbers {
		if n := &r.numbers[i]; f.same(n.fill) && free(n) {
			return n
		}
	}
	f.to, f.meta = 0, 0
	r.numbers = append(r.numbers, fillNumber{fill: f, reg: none})
	return &r.numbers[len(r.numbers)-1]
}

// same reports whether two fills are the same bits.
func (f fill) same(o fill) bool { return f.off == o.off && f.left == o.left && f.right == o.right }

// registers calls f with the list of registers of each order.
func (r *fills) registers(f func(list *[]fill)) {
	for ; r != nil; r = r.other {
		f(&r.regs)
	}
}

// fillOf returns the bits of a word of a run of some bytes, from a bit on. It reports false if they are not
// bits of eight bytes, or if they have a sign.
func (r *fills) fillOf(word loadForm, size, off int, shift uint, mask uint64) (f fill, ok bool) {
	w, n := word.scalar.Width(), uint(bits.Len64(mask))
	if mask&(mask+1) != 0 || n == 0 || word.scalar.Odd() || word.scalar.IsFloat() && w < 8 || shift >= uint(8*w) || size >= 1<<15 {
		return f, false
	}
	if n > uint(8*w)-shift {
		if n = uint(8*w) - shift; word.scalar.Signed() && w < 8 {
			return f, false
		}
	}
	if w > 1 {
		r.order, r.big = true, word.big
	}
	at := min(off, size-8)
	before := uint(8 * (off - at)) // bits of the bytes before the word
	f.off, f.right = int16(at), uint8(64-n)
	if word.big || w == 1 && r.order && r.big {
		f.left = uint8(before + uint(8*w) - shift - n)
	} else {
		f.left = uint8(64 - before - shift - n)
	}
	return f, true
}

// swap makes fills of single bytes those of a run whose highest byte is first. The others have chosen the order.
func (r *fills) swap() {
	swap := func(f *fill) {
		n := 64 - f.right
		from := 64 - f.left - n // the lowest bit, in a word whose lowest byte is first
		byteAt := from &^ 7
		f.left = byteAt + 8 - (from - byteAt) - n
	}
	for _, list := range [2][]fill{r.cells, r.regs} {
		for i := range list {
			swap(&list[i])
		}
	}
	for i := range r.checks {
		swap(&r.checks[i].fill)
	}
}

// column adds a column to a run of some bytes. It reports false if the column needs a row.
func (r *fills) column(c *readCol, size int) bool {
	shift, mask := uint(0), uint64(1<<64-1)
	switch c.op {
	case colU8, colU16, colU32, col64, colU16Big, colU32Big, col64Big:
		mask = 1<<(8*c.word.scalar.Width()) - 1
	case colBits:
		if !c.bits.Masked() || Kind(c.meta>>16) == Bool && c.mask > 1 {
			return false
		}
		shift, mask = uint(c.shift), c.mask
	case colLanes:
		r.views = append(r.views, fillView{to: uint32(c.cell) * uint32(unsafe.Sizeof(Value{})), meta: c.meta, n: c.n, width: c.width, off: c.off})
		return true
	default:
		return false
	}
	return r.add(func(r *fills) *[]fill { return &r.cells }, fill{to: uint32(c.cell) * uint32(unsafe.Sizeof(Value{})), meta: c.meta}, c.word, size, c.off, shift, mask)
}

// register adds a number to a run that becomes that of a register.
func (r *fills) register(reg uint32, word loadForm, size, off int, shift uint, mask uint64) bool {
	return r.add(func(r *fills) *[]fill { return &r.regs }, fill{to: reg}, word, size, off, shift, mask)
}

func (r *fills) add(list func(*fills) *[]fill, to fill, word loadForm, size, off int, shift uint, mask uint64) bool {
	if w := word.scalar.Width(); w > 1 && r.order && r.big != word.big {
		if r.other == nil {
			r.other = new(fills)
		}
		return r.other.add(list, to, word, size, off, shift, mask)
	}
	chosen := r.order
	f, ok := r.fillOf(word, size, off, shift, mask)
	if !ok {
		return false
	}
	if !chosen && r.order && r.big {
		r.swap()
	}
	f.to, f.meta = to.to, to.meta
	*list(r) = append(*list(r), f)
	return true
}

// load returns the number of a fill, in a run at a place.
func (f *fill) load(in memory.View, at int) uint64 {
	return in.Load64(at+int(f.off)) << (f.left & 63) >> (f.right & 63)
}

// loadBig is load for a run whose highest byte is first.
func (f *fill) loadBig(in memory.View, at int) uint64 {
	return bits.ReverseBytes64(in.Load64(at+int(f.off))) << (f.left & 63) >> (f.right & 63)
}

// fill gives cells and registers their numbers, from a run at a place. It reports whether the numbers pass the checks.
func (g *reading) fill(r *fills, at, size int, cells *Value, regs0 int) bool {
	in, from := memory.Of(g.in), at
	if at+size < 8 { // eight bytes would begin before the input
		copy(g.r.short[8:], g.in[at:at+size])
		in, from = memory.Of(g.r.short[:]), 8
	}
	if r.big {
		fillBig(in, from, r.alone, cells)
	} else {
		fillLittle(in, from, r.alone, cells)
	}
	if !r.more {
		return true
	}
	regs, marks, views := g.regs, r.marks, r.views
	for i := range marks {
		m := &marks[i]
		regs[regs0+int(m.reg)] = uint64(at + m.off)
	}
	for i := range views {
		v := &views[i]
		(*Value)(unsafe.Add(unsafe.Pointer(cells), v.to)).set(memory.Of(g.in).Addr(at+v.off), v.width, v.n, v.meta)
	}
	list, rest := r.numbers, r.rest
	for i := range list {
		n := &list[i]
		x := in.Load64(from + int(n.off))
		if n.big {
			x = bits.ReverseBytes64(x)
		}
		x = x << (n.left & 63) >> (n.right & 63)
		if n.reg >= 0 {
			regs[regs0+int(n.reg)] = x
		}
		if n.check != nil && !n.check.holds(x) {
			return false
		}
		if n.meta != 0 {
			(*Value)(unsafe.Add(unsafe.Pointer(cells), n.to)).setNumber(x, n.meta)
		}
	}
	if rest != nil {
		if rest.big {
			fillBig(in, from, rest.alone, cells)
		} else {
			fillLittle(in, from, rest.alone, cells)
		}
	}
	return true
}

// fillBig gives cells their numbers. It calls nothing, so that what it works with stays in registers.
func fillBig(in memory.View, at int, list []fill, cells *Value) {
	for i := range list {
		f := &list[i]
		(*Value)(unsafe.Add(unsafe.Pointer(cells), f.to)).setNumber(f.loadBig(in, at), f.meta)
	}
}

// fillLittle is fillBig for a run whose lowest byte is first.
func fillLittle(in memory.View, at int, list []fill, cells *Value) {
	for i := range list {
		f := &list[i]
		(*Value)(unsafe.Add(unsafe.Pointer(cells), f.to)).setNumber(f.load(in, at), f.meta)
	}
}

// fillWord adds the word of a step to its run, and reports whether it could. If a register is given several numbers,
// the list of rows must end with the run, so that the order is that of the steps.
func (s *readSteps) fillWord(once bool, reg uint32, word loadForm, run, off int, shift uint, mask uint64) bool {
	row := s.runRow(run)
	return (once || row == &s.rows[len(s.rows)-1]) && row.fills.register(reg, word, row.size, off, shift, mask)
}

// runRow returns the row of a run that has begun.
func (s *readSteps) runRow(run int) *readRow {
	i := len(s.rows) - 1
	for s.rows[i].op != rowRun || s.rows[i].run != run {
		i--
	}
	return &s.rows[i]
}

// fillMark adds a place in a run.
func (s *readSteps) fillMark(reg uint32, run, off int) {
	row := s.runRow(run)
	row.fills.marks = append(row.fills.marks, fillMark{int32(reg), off})
}

// fillColumn adds a column to its run. Cells are not looked at while a record is read, so all columns of a
// run can be read where it begins.
func (s *readSteps) fillColumn(c *readCol) bool {
	row := s.runRow(c.run)
	return row.fills.column(c, row.size)
}
