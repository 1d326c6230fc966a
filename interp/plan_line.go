// Operations of writers: rows of a record in a form that one loop executes without calls.

package interp

import (
	"maps"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
)

// lineOp is one operation. Registers are places in bytes from the first one of the outermost record, cells are places in
// bytes in the cells of a frame.
type lineOp struct {
	code  lineCode
	frame uint8  // of the cell
	left  uint8  // bits below a number
	width uint8  // lineScale: bits to move a number by; linePatch: bytes
	form  uint8  // bytes of a word, plus 1 if the highest one is first; lineBits: 1 if the highest one is first
	adds  bool   // linePatch: the number is added to the word
	kinds uint16 // bit k is set if a cell of kind k may be here
	cell  uint32
	reg   int32 // of the result
	a, b  int32 // registers; b is also a number of operations or bits
	off   int32 // from the place of the run
	size  int32 // bytes of a run, whose place register a gets. linePatchSize: register of the size. lineNext: cells of an element, or 0
	n     uint64
	m     int64
	bits  *putBit   // lineBits: the first one
	arms  *lineArms // lineSwitch
}

// lineCode is what an operation does.
type lineCode uint8

const (
	lineEnd        lineCode = iota // of the list
	lineRow                        // row a, by a call
	lineChunk                      // chunk b of row a, by a call
	lineNumber                     // number b of row a, by a call
	lineRun                        // size bytes, which are a run
	lineRunConst                   // a run, and lineConst
	lineConst                      // the word n
	lineRunOne                     // a run, and lineOne
	lineOne                        // n and the number of a cell, which reg gets. It must have none of the bits m
	lineRunOneBig                  // a run, and lineOneBig
	lineOneBig                     // lineOne with the highest byte first
	lineRunBits                    // a run, and lineBits
	lineBits                       // n and b numbers of cells
	lineFlags                      // whether b cells, one after another, are true: bits of the next word, the last one at left
	lineCount                      // the number of parts of a cell, up to n, plus m: bits of the next word
	lineWide                       // an integer of 64 bits
	lineWideBig                    // the same with the highest byte first
	lineRunArray                   // a run, and lineArray
	lineArray                      // b bytes, which are n elements of m numbers
	lineCell                       // reg = number of a cell
	lineLoad                       // reg = word of the run
	lineFit                        // reg = a, also a word of the run; bits of n must be 0
	linePatch                      // reg = a, also the word at b + off; bits of n must be 0
	linePatchSize                  // size = bytes since a + m, and linePatch of it
	lineMark                       // reg = place in the run
	linePos                        // reg = place of what comes next
	lineSize                       // reg = bytes since a + off
	lineSum                        // checksum a, by a call
	lineSet                        // reg = n
	lineCopy                       // reg = a
	linePick                       // reg = a >> left & n
	lineAddN                       // reg = a + n
	lineMulN                       // reg = a * n
	lineScale                      // reg = (a / (1 << left) + n) << width, if the sum has none of the bits m
	lineLine                       // reg = a * m + b * n + off
	lineEqN                        // reg = a & m == n
	lineLeN                        // reg = a & m <= n
	lineGeN                        // reg = a & m >= n
	lineAdd                        // reg = a + b
	lineSub                        // reg = a - b
	lineMul                        // reg = a * b
	lineEq                         // reg = a == b
	lineBoth                       // reg = whether a and b are not 0
	lineEither                     // reg = whether a or b is not 0
	lineMin                        // reg = the lower one of a and b
	lineCheck                      // a must not be 0
	lineCheckEq                    // a & m must be n
	lineCheckLe                    // a & m must be n or less
	lineCheckGe                    // a & m must be n or more
	lineCheckSame                  // a must be b
	lineStop                       // the list ends if a is not 0
	lineStopEq                     // the list ends if a & m is n
	lineStay                       // the list does not end
	lineUnless                     // leaves b operations out if a is 0
	lineUnlessEq                   // leaves b operations out unless a & m is n
	lineJump                       // leaves b operations out
	lineAbsent                     // b cells must have no value
	lineOctets                     // bytes, whose number reg gets if it is not negative; m is 1
	lineLeaves                     // values of a union of one byte, whose bytes reg gets if it is not negative. The last one must end the list if n is not 0
	lineDeeper                     // a level of values in values begins
	lineBack                       // it ends
	lineInto                       // the next frame gets the n cells of a record
	lineSwitch                     // the next frame gets the cells of an arm, whose number is in a
	lineEach                       // reg = number of the elements of a list. Without one, b operations are left out, or the list is refused if n is not 0
	lineElement                    // the frame gets the n cells of the element
	lineLone                       // the frame gets the element as its only cell
	lineNext                       // goes on with the next element, b operations before, if reg is not 1
	lineNextStop                   // the same; the last element, and no other one, must end the list
	lineNextStopEq                 // the same behind lineStopEq
)

// liner makes the operations of a list of rows.
type liner struct {
	*flatRows
	m     *Machine
	kept  int // registers for the places of runs
	temps int // registers for parts of expressions that are in use
	most  int // registers of both
	jumps []lineJumpTo
	calls []lineJumpTo     // rows that may leave rows out by a call
	marks map[int32]markAt // registers that are places
	here  *markAt          // the place of what comes next, if it is known
	spare int32            // a register that nothing looks at
}

// lineJumpTo is an operation that leads to a row, which may have no operation yet.
type lineJumpTo struct {
	op, row int
	plus    int // operations of the row to leave out
	arm     *lineArm
}

// markAt is a place: that in a register plus a number of bytes. It is known in the rows after one.
type markAt struct {
	reg int32
	off int
	row int
}

// line makes the operations of the rows. If whole is false, the instructions write the rest of the record and may look at any
// register.
func (f *flatRows) line(m *Machine, whole bool) {
	l := liner{flatRows: f, m: m, marks: map[int32]markAt{}}
	l.spare = l.keep()
	for i := range f.rows {
		f.places = append(f.places, len(f.ops))
		l.temps = 0
		l.join(i)
		l.row(i)
	}
	f.places = append(f.places, len(f.ops))
	l.add(lineOp{code: lineEnd})
	if whole {
		l.prune()
	}
	l.fuse()
	l.aim()
	f.regs += l.most
}

// aim gives jumps their numbers of operations. A jump to a jump leads to where that leads.
func (l *liner) aim() {
	to := map[int]int{}
	for _, j := range l.jumps {
		if l.ops[j.op].code == lineJump {
			to[j.op] = l.places[j.row] + j.plus
		}
	}
	for _, j := range l.jumps {
		at := l.places[j.row] + j.plus
		for l.ops[at].code == lineJump {
			at = to[at]
		}
		if n := int32(at - j.op - 1); j.arm != nil {
			j.arm.skip = n
		} else {
			l.ops[j.op].b = n
		}
	}
}

// join forgets the places that are not known on all ways to a row.
func (l *liner) join(i int) {
	for _, j := range slices.Concat(l.jumps, l.calls) {
		if j.row != i {
			continue
		}
		from := 0 // the row of the jump
		for from+1 < len(l.places) && l.places[from+1] <= j.op {
			from++
		}
		l.here = nil
		for reg, mark := range l.marks {
			if mark.row > from {
				delete(l.marks, reg)
			}
		}
	}
}

// forget forgets the places in registers from one on.
func (l *liner) forget(least int32) {
	for reg := range l.marks {
		if reg >= least {
			delete(l.marks, reg)
		}
	}
}

// add adds an operation.
func (l *liner) add(op lineOp) {
	if op.code.sets() {
		delete(l.marks, op.reg)
	}
	if op.code.writes() {
		l.here = nil
	}
	l.ops = append(l.ops, op)
}

// writes reports whether an operation may append bytes.
func (c lineCode) writes() bool {
	switch c {
	case lineRow, lineRun, lineOctets, lineLeaves:
		return true
	}
	return false
}

// sets reports whether an operation gives register reg a number.
func (c lineCode) sets() bool {
	switch c {
	case lineScale, lineFit, linePatch, lineSize, lineOctets, lineLeaves, lineEach, lineOne, lineOneBig:
		return true
	}
	return c.pure()
}

// pure reports whether that is all that it does.
func (c lineCode) pure() bool {
	return c >= lineSet && c <= lineMin && c != lineScale || c == lineMark || c == linePos || c == lineCell || c == lineLoad
}

// jump adds an operation that leads to a row.
func (l *liner) jump(op lineOp, row int) {
	l.jumps = append(l.jumps, lineJumpTo{op: len(l.ops), row: row})
	l.add(op)
}

// temp returns a register for a part of an expression.
func (l *liner) temp() int32 {
	l.temps++
	l.most = max(l.most, l.kept+l.temps)
	return int32(8 * (l.regs + l.kept + l.temps - 1))
}

// keep returns a register for a place.
func (l *liner) keep() int32 {
	l.kept++
	l.most = max(l.most, l.kept+l.temps)
	return int32(8 * (l.regs + l.kept - 1))
}

// mark gives a register a place, which is known from a row on.
func (l *liner) mark(op lineOp, at markAt) {
	l.add(op)
	l.marks[op.reg] = at
}

// placeIn returns the place in a register.
func (l *liner) placeIn(reg int32) (markAt, int32) {
	if at, ok := l.marks[reg]; ok {
		return at, at.reg
	}
	return markAt{reg: reg}, reg
}

// register returns a register of the record of a row.
func (row *writeRow) register(r int32) int32 { return int32(8 * (row.shift + int(r))) }

// placeOf returns the place of a cell.
func placeOf(i int) uint32 { return uint32(i * int(unsafe.Sizeof(Value{}))) }

// formOfWord returns the form of a word without a sign, or 0.
func formOfWord(w loadForm) uint8 {
	if w.scalar.Signed() || w.scalar.Odd() || w.scalar.IsFloat() {
		return 0
	}
	n := uint8(w.scalar.Width())
	return n + uint8(truth(w.big))
}

// above returns the bits that a number of a word must not have.
func above(w loadForm) uint64 {
	if w.scalar.Width() == 8 {
		return 0
	}
	return ^uint64(0) << (8 * w.scalar.Width())
}

// row adds the operations of a row.
func (l *liner) row(i int) {
	row := &l.rows[i]
	first, jumps := len(l.ops), len(l.jumps)
	if row.op == rowIf || row.op == rowInto || row.op == rowSwitch {
		l.calls = append(l.calls, lineJumpTo{op: first, row: i + 1 + row.skip})
	}
	marks, here := maps.Clone(l.marks), l.here
	if !l.quick(i, row) {
		clear(l.ops[first:])
		l.ops, l.jumps = l.ops[:first], l.jumps[:jumps]
		l.marks, l.here = marks, here
		l.add(lineOp{code: lineRow, a: int32(i)})
		switch row.op {
		case rowText, rowPacked, rowList, rowMap, rowCall, rowRest, rowThrough:
			delete(l.marks, row.register(row.reg))
		case rowInto, rowSwitch:
			delete(l.marks, row.register(row.reg))
			l.forget(int32(8 * row.into.shift))
		default:
			l.forget(int32(8 * row.shift))
		}
	}
}

// quick adds the operations of a row that is not executed by a call. It reports false if it is.
func (l *liner) quick(i int, row *writeRow) bool {
	number := func(expr *bytecode.Expr) (int32, bool) { return l.operand(expr, row.shift) }
	switch row.op {
	case rowRun:
		l.run(i, row)
	case rowWord:
		return l.word(row)
	case rowLet:
		return l.number(l.m.p.Exprs[row.in.B], row.shift, row.register(row.reg))
	case rowHead:
		l.add(lineOp{code: lineSet, reg: row.register(row.reg), n: uint64(row.n.number)})
	case rowMark:
		if row.valued {
			l.add(lineOp{code: lineMark, reg: row.register(row.reg), off: int32(row.off)})
			return true
		}
		l.pos(i, row.register(row.reg))
		for _, n := range row.numbers {
			l.pos(i, row.register(n.reg))
		}
	case rowSize:
		at, a := l.placeIn(row.register(row.from))
		l.add(lineOp{code: lineSize, reg: row.register(row.reg), a: a, off: int32(at.off)})
	case rowSum:
		l.sum(i, row)
	case rowDeeper:
		l.add(lineOp{code: lineDeeper})
	case rowBack:
		l.add(lineOp{code: lineBack})
	case rowStop:
		if row.n.fixed {
			return false
		}
		e := l.m.p.Exprs[row.in.A]
		if x, ok := comparison(e); ok && x.op == numEq {
			l.add(lineOp{code: lineStopEq, a: row.register(int32(x.a)), m: x.m, n: uint64(x.n)})
			return true
		}
		a, ok := number(e)
		l.add(lineOp{code: lineStop, a: a})
		return ok
	case rowCheck:
		return l.check(l.m.p.Exprs[row.in.A], row)
	case rowAbsent:
		l.add(lineOp{code: lineAbsent, frame: row.frame, cell: placeOf(row.cell), b: int32(row.size)})
	case rowPacked:
		if row.word.scalar != bytecode.U8 || row.in.B != 1 || row.in.C != bytecode.None && !row.sure {
			return false
		}
		op := lineOp{code: lineOctets, frame: row.frame, cell: placeOf(row.cell), reg: none, m: 1}
		if row.sizes {
			op.reg = row.register(row.reg)
		}
		l.add(op)
	case rowRest, rowThrough:
		return l.leaves(i, row)
	case rowPatch:
		at, b := l.placeIn(row.register(row.from))
		a, ok := number(row.number)
		form := formOfWord(row.word)
		l.add(lineOp{code: linePatch, reg: row.register(row.reg), a: a, b: b, off: int32(at.off), form: form, width: uint8(row.size), adds: row.adds, n: above(row.word)})
		return ok && form > 0
	case rowIf:
		to := i + 1 + row.skip
		e := l.m.p.Exprs[row.in.A]
		if x, ok := comparison(e); ok && x.op == numEq {
			l.jump(lineOp{code: lineUnlessEq, a: row.register(int32(x.a)), m: x.m, n: uint64(x.n)}, to)
			return true
		}
		a, ok := number(e)
		l.jump(lineOp{code: lineUnless, a: a}, to)
		return ok
	case rowJump:
		if row.skip != 0 {
			l.jump(lineOp{code: lineJump}, i+1+row.skip)
		}
	case rowInto, rowSwitch:
		return l.into(i, row)
	case rowEach:
		l.jump(lineOp{code: lineEach, frame: row.frame, cell: placeOf(row.cell), reg: row.register(row.reg), n: uint64(truth(row.stops))}, i+1+row.skip)
		return l.element(row)
	case rowNext:
		op := lineOp{code: lineNext, frame: row.into.frame, reg: row.register(row.reg)}
		if row.stops {
			op.code = lineNextStop
		}
		l.jumps = append(l.jumps, lineJumpTo{op: len(l.ops), row: i + 1 + row.skip, plus: 1})
		l.add(op)
	default:
		return false
	}
	return true
}

// leaves adds the operation for values of a union of one byte.
func (l *liner) leaves(i int, row *writeRow) bool {
	op := lineOp{code: lineLeaves, frame: row.frame, cell: placeOf(row.cell), a: int32(i), reg: none, n: uint64(truth(row.op == rowThrough)), arms: &lineArms{}}
	switch {
	case row.leaves != nil && !row.leaves.nests:
		op.arms.puts = row.leaves.union.puts
	case row.given != nil:
		op.b = row.register(row.from)
		for _, p := range row.given {
			op.arms.given = append(op.arms.given, p.union.puts)
		}
	default:
		return false
	}
	if row.sizes {
		op.reg = row.register(row.reg)
	}
	l.add(op)
	return true
}

// run adds the operations of a run.
func (l *liner) run(i int, row *writeRow) {
	first, at := len(l.ops), markAt{reg: l.spare, row: i}
	if slices.ContainsFunc(row.numbers, func(n runNumber) bool { return n.place }) {
		at.reg = l.keep()
	}
	l.add(lineOp{code: lineRun, size: int32(row.size), a: at.reg})
	for k := range row.chunks {
		c := &row.chunks[k]
		op := lineOp{frame: row.frame, off: int32(c.at), n: c.rest}
		switch c.op {
		case chunkBits:
			rest, flags := l.flags(row, c.bits)
			for _, n := range c.counts {
				l.add(lineOp{code: lineCount, frame: row.frame, cell: n.cell, kinds: n.kinds, left: n.left, n: n.most, m: int64(n.add)})
			}
			switch {
			case len(c.bits)+len(c.counts) == 0:
				if op.code = lineConst; c.big {
					op.n = bits.ReverseBytes64(op.n)
				}
			case len(c.bits) == 1 && len(c.counts) == 0 && !flags:
				p := &c.bits[0]
				op.code, op.cell, op.left, op.m, op.reg = lineOne, p.cell, p.left, int64(p.over), l.spare
				if c.big {
					op.code = lineOneBig
				}
				if op.kinds = truthKinds; p.kind == Uint {
					op.kinds = integerKinds
				}
			default:
				op.code, op.b, op.form = lineBits, int32(len(rest)), uint8(truth(c.big))
				if len(rest) > 0 {
					op.bits = &rest[0]
				}
			}
			l.add(op)
			continue
		case chunkWide:
			if op.cell = uint32(c.col.at); c.col.word.scalar == bytecode.U64 {
				op.code = lineWide + lineCode(truth(c.col.word.big))
				l.add(op)
				continue
			}
		case chunkArray:
			if c.col.size <= 16 {
				op.code, op.cell, op.n, op.m, op.b = lineArray, uint32(c.col.at), uint64(c.col.n), int64(c.col.width), int32(c.col.size)
				l.add(op)
				continue
			}
		}
		l.add(lineOp{code: lineChunk, a: int32(i), b: int32(k)})
	}
	for k := range row.numbers {
		n := &row.numbers[k]
		op := lineOp{code: lineMark, reg: row.register(n.reg), off: int32(n.off)}
		if n.place {
			at.off = n.off
			l.mark(op, at)
			continue
		}
		if op.form = formOfWord(n.word); op.form == 0 {
			op = lineOp{code: lineNumber, a: int32(i), b: int32(k)}
			delete(l.marks, row.register(n.reg))
		} else if cell, ok := row.cellAt(n); ok {
			if l.alsoIn(first, placeOf(cell), op.reg) {
				continue
			}
			op.code, op.frame, op.cell = lineCell, row.frame, placeOf(cell)
		} else {
			op.code = lineLoad
		}
		l.add(op)
	}
	if at.reg != l.spare {
		at.off = row.size
		l.here = &at
	}
}

// alsoIn makes the operation for the number of a cell, of those from one on, give it to a register. It reports false
// without such an operation.
func (l *liner) alsoIn(from int, cell uint32, reg int32) bool {
	for i := range l.ops[from:] {
		op := &l.ops[from+i]
		if (op.code == lineOne || op.code == lineOneBig) && op.cell == cell && op.reg == l.spare && op.kinds == integerKinds {
			op.reg = reg
			delete(l.marks, reg)
			return true
		}
	}
	return false
}

// pos gives a register the place of what comes next.
func (l *liner) pos(i int, reg int32) {
	if l.here == nil {
		l.here = &markAt{reg: l.keep(), row: i}
		l.add(lineOp{code: linePos, reg: l.here.reg})
	}
	at := *l.here
	at.row = i
	l.mark(lineOp{code: linePos, reg: reg}, at)
}

// flags adds the operations for cells, one after another, that are single bits, one after another. It returns the other ones.
func (l *liner) flags(row *writeRow, list []putBit) (rest []putBit, some bool) {
	for i := 0; i < len(list); {
		n := 1
		for ; i+n < len(list) && list[i].kind == Bool; n++ {
			x, y := &list[i+n-1], &list[i+n]
			if y.kind != Bool || y.cell != x.cell+placeOf(1) || y.left+1 != x.left {
				break
			}
		}
		if n < leastFlags {
			rest = append(rest, list[i])
			i++
			continue
		}
		l.add(lineOp{code: lineFlags, frame: row.frame, cell: list[i].cell, b: int32(n), left: list[i+n-1].left})
		i, some = i+n, true
	}
	return rest, some
}

// leastFlags is the least number of bits for which a record has a separate operation.
const leastFlags = 3

// sum adds the operation of a checksum.
func (l *liner) sum(i int, row *writeRow) {
	x := lineTotal{sum: *row.sum, reg: row.register(int32(row.in.A)) / 8, word: row.patch}
	place := func(reg int) placeAt {
		at, r := l.placeIn(row.register(int32(reg)))
		return placeAt{int(r / 8), at.off}
	}
	x.sum.from, x.sum.to = nil, nil
	for _, part := range row.sum.parts {
		x.sum.from, x.sum.to = append(x.sum.from, place(part.From)), append(x.sum.to, place(part.To))
	}
	if p := row.patch; p != nil {
		x.form, x.at, x.to = formOfWord(p.word), place(int(p.from)), row.register(p.reg)/8
		delete(l.marks, row.register(p.reg))
	}
	l.sums = append(l.sums, x)
	l.add(lineOp{code: lineSum, a: int32(len(l.sums) - 1), b: int32(i)})
	delete(l.marks, 8*x.reg)
}

// cellAt returns the cell whose number a word of a run is.
func (row *writeRow) cellAt(n *runNumber) (cell int, ok bool) {
	for i := range row.puts {
		w := &row.puts[i]
		if w.off == n.off && w.word == n.word && w.col == nil && w.count == nil && w.parts.rest == 0 && len(w.parts.list) == 1 {
			p := &w.parts.list[0]
			return p.cell, !p.truth && p.shift == 0 && int(p.bits) == 8*n.word.scalar.Width()
		}
	}
	return 0, false
}

// word adds the operations of a word that is not known before the record is written.
func (l *liner) word(row *writeRow) bool {
	form := formOfWord(row.word)
	if form == 0 || row.valued || row.holds != nil {
		return false
	}
	a, ok := l.operand(l.m.p.Exprs[row.in.C], row.shift)
	l.add(lineOp{code: lineFit, reg: row.register(int32(row.in.B)), a: a, off: int32(row.off), form: form, n: above(row.word)})
	return ok
}

// into adds the operations that begin a called record.
func (l *liner) into(i int, row *writeRow) bool {
	to := row.into
	p := to.plan
	if row.sizes {
		l.pos(i, row.register(row.reg))
	}
	l.forget(int32(8 * to.shift))
	op := lineOp{code: lineInto, frame: row.frame, cell: placeOf(row.cell), a: int32(i)}
	if row.op == rowInto {
		if op.n = uint64(p.cells); p.lone || p.cells == 0 || p.clears {
			return false
		}
		if !l.arguments(row) {
			return false
		}
		l.add(op)
		return true
	}
	if !l.arguments(row) {
		return false
	}
	id := int32(8 * (to.shift + p.union.id)) // the register of the argument
	switch e := l.m.p.Exprs[l.m.p.Args[row.in.C][p.union.id]]; {
	case e.Op == bytecode.ExprReg:
		id = row.register(int32(e.Arg))
	case !to.passes:
		if id = l.temp(); !l.argument(row, p.union.id, id) {
			return false
		}
	}
	op.code, op.b = lineSwitch, id
	op.arms = l.arms(i, row)
	l.add(op)
	return true
}
