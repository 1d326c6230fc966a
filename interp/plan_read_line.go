// Reading by plans: the rows of one record.

package interp

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/octable/octable/interp/memory"
)

// rowsFrame is what the rows of one record work with. It has too many fields for registers of the processor, which each call
// would save.
type rowsFrame struct {
	cells []Value
	regs0 int // the first register on the stack
	end   *readRow
}

// skipped returns the row that is n rows later. It may be the one behind the last row, for which there is room.
func (row *readRow) skipped(n int) *readRow {
	return (*readRow)(unsafe.Add(unsafe.Pointer(row), n*int(unsafe.Sizeof(readRow{}))))
}

// line reads one record, row by row. Its registers begin at regs0 of the stack.
func (g *reading) line(s *readSteps, cells []Value, regs0 int) bool {
	var places []int
	if s.runs > 0 {
		var few [8]int
		if places = few[:]; s.runs > len(few) {
			places = make([]int, s.runs)
		}
	}
	row := unsafe.SliceData(s.rows)
	for f := (rowsFrame{cells, regs0, row.skipped(len(s.rows))}); row != f.end; row = row.skipped(1) {
		switch row.op {
		case rowRun:
			if g.end-g.pos < row.size {
				return false
			}
			if row.run != none {
				places[row.run] = g.pos
			}
			g.pos += row.size
			if row.filled && !g.fill(&row.fills, g.pos-row.size, row.size, unsafe.SliceData(f.cells), f.regs0) {
				return false
			}
		case rowColumn:
			if c := row.col; !c.readOne(memory.Of(g.in), places[c.run]+c.off, f.cells) {
				return false
			}
		case rowRunText:
			var place [1]int
			if !g.textRows(row, f.cells, len(f.cells), place[:]) {
				return false
			}
			if row.run != none {
				places[row.run] = place[0]
			}
			if row.filled { // without checks
				g.fill(&row.fills, place[0], row.size, unsafe.SliceData(f.cells), f.regs0)
			}
		case rowText:
			n := g.partsOf(&row.n, places, f.regs0, f.cells)
			if n < 0 || n > int64(g.end-g.pos) {
				return false
			}
			g.last = int(n)
			if in, v := memory.Of(g.in), &f.cells[row.cell]; n <= math.MaxInt32 && plainText(in, g.pos, int(n)) {
				v.set(in.Addr(g.pos), 0, uint32(n), uint32(Text)<<16)
			} else if n > math.MaxInt32 || !g.r.fastTextSlow(v, g.in, g.pos, int(n), uint32(Text)<<16, row.in.A) {
				return false
			}
			g.pos += int(n)
		case rowPacked:
			if !g.packedRow(row, f.cells, places, f.regs0) {
				return false
			}
		case rowList:
			if !g.listRow(row, g.partsOf(&row.n, places, f.regs0, f.cells), f.cells, f.regs0) {
				return false
			}
		case rowMap:
			if !g.mapRow(row, g.partsOf(&row.n, places, f.regs0, f.cells), f.cells, f.regs0) {
				return false
			}
		case rowPad:
			if !g.pad(row.in) {
				return false
			}
		case rowCall:
			if p := row.linked(); p != nil && p.kind == planArms {
				if !g.armRow(row, p, f.cells, f.regs0) {
					return false
				}
			} else if !g.callRow(row, f.cells, f.regs0) {
				return false
			}
		case rowRest, rowThrough:
			if p := row.linked(); p != nil && (p.kind == planLeaves || p.kind == planRecord) {
				if !g.sequenceRow(row, p, nil, &f.cells[row.cell]) {
					return false
				}
			} else if !g.restRow(row, f.cells, f.regs0) {
				return false
			}
		case rowRegion:
			if p := row.region.linked(); p != nil && p.kind == planArms {
				if !g.armRow(row, p, f.cells, f.regs0) {
					return false
				}
			} else if !g.regionRow(row, f.cells, places, f.regs0) {
				return false
			}
		case rowAbsent:
			for k := range row.size {
				f.cells[row.cell+k].setNumber(0, 0)
			}
		case rowIf:
			if x := &row.number; x.op == numEq {
				if !x.equals(g.regs[f.regs0:]) {
					row = row.skipped(row.skip)
				}
			} else if g.numberOf(row, row.in.A, f.regs0, f.cells) == 0 {
				row = row.skipped(row.skip)
			}
		case rowJump:
			row = row.skipped(row.skip)
		case rowWord:
			g.regs[f.regs0+int(row.reg)] = loadWord(memory.Of(g.in), places[row.run]+row.off, row.word)
		case rowLet:
			g.regs[f.regs0+int(row.reg)] = uint64(g.numberOf(row, row.in.B, f.regs0, f.cells))
		case rowCheck:
			if g.numberOf(row, row.in.A, f.regs0, f.cells) == 0 {
				return false
			}
		case rowGate:
			if g.r.opt.Open>>row.in.A&1 == 0 {
				return false
			}
		case rowTake:
			f.cells[row.cell] = row.value
			if !row.n.fixed {
				f.cells[row.cell] = taken(row.in, g.regs[f.regs0+int(row.in.B)])
			}
		case rowMark:
			place := g.pos
			if row.run != none {
				place = places[row.run] + row.off
			}
			g.regs[f.regs0+int(row.reg)] = uint64(place)
		case rowSize:
			g.last = g.pos - int(g.regs[f.regs0+int(row.from)])
			g.regs[f.regs0+int(row.reg)] = uint64(g.last)
		case rowEnter:
			n := g.numberOf(row, row.in.A, f.regs0, f.cells)
			if n < 0 || n > int64(g.end-g.pos) {
				return false
			}
			g.regions = append(g.regions, region{g.pos, g.end})
			g.end = g.pos + int(n)
		case rowLeave:
			if g.pos < g.end {
				return false
			}
			last := len(g.regions) - 1
			g.last, g.end = g.pos-g.regions[last].begin, g.regions[last].end
			g.regions = g.regions[:last]
		case rowSum:
			if row.reads {
				if !g.sumWord(row, f.regs0) {
					return false
				}
				if x := &row.number; row.stops {
					g.stop = x.equals(g.regs[f.regs0:])
				}
				break
			}
			x := row.sum.sum(g.in, g.regs[f.regs0:])
			if g.regs[f.regs0+int(row.in.A)] = x; row.compares && g.regs[f.regs0+int(row.reg)] != x {
				return false
			}
		case rowCompare:
			if g.regs[f.regs0+int(row.in.A)] != uint64(g.numberOf(row, row.in.B, f.regs0, f.cells)) {
				return false
			}
		case rowStop:
			if x := &row.number; x.op == numEq && !row.n.fixed {
				g.stop = x.equals(g.regs[f.regs0:])
				break
			}
			x := row.n.number
			if !row.n.fixed {
				x = g.numberOf(row, row.in.A, f.regs0, f.cells)
			}
			g.stop = x != 0
		default:
			if !g.moreRows(row, f.cells, f.regs0) {
				return false
			}
		}
	}
	return true
}

// numberOf computes the number of a row.
func (g *reading) numberOf(row *readRow, expr uint32, regs0 int, cells []Value) int64 {
	if row.number.op == numNone {
		return g.evaluate(expr, regs0, cells)
	}
	x, _ := row.number.of(g.regs[regs0:])
	return x
}

// sumWord reads the word of a checksum of the bytes before it.
func (g *reading) sumWord(row *readRow, regs0 int) bool {
	if g.end-g.pos < row.size {
		return false
	}
	at := g.pos
	g.pos = at + row.size
	var x, sum uint64
	if row.crc {
		w := memory.Of(g.in).Load32(at)
		if row.word.big {
			w = bits.ReverseBytes32(w)
		}
		from := g.regs[regs0+int(row.from)]
		x, sum = uint64(w), uint64(crcOf(g.in[from:at:at]))
	} else {
		regs := g.regs[regs0:]
		regs[row.reg] = uint64(at) // the end of the last part
		x, sum = loadWord(memory.Of(g.in), at, row.word), row.sum.sum(g.in, regs)
	}
	return x == sum
}

// beginRegion begins a region, whose end becomes that of the input. It reports false if the input does not have as many bytes.
func (g *reading) beginRegion(row *readRow, cells []Value, regs0 int) bool {
	var n int64
	if x := &row.number; x.op == numReg {
		n = int64(g.regs[regs0+int(x.a)])
	} else {
		n = g.numberOf(row, row.in.A, regs0, cells)
	}
	if n < 0 || n > int64(g.end-g.pos) {
		return false
	}
	g.end = g.pos + int(n)
	return true
}

// regionRow reads the one row of a region.
func (g *reading) regionRow(row *readRow, cells []Value, places []int, regs0 int) (ok bool) {
	begin, end := g.pos, g.end
	if !g.beginRegion(row, cells, regs0) {
		return false
	}
	switch inner := row.region; inner.op {
	case rowCall:
		ok = g.callRow(inner, cells, regs0)
	case rowPacked:
		ok = g.packedRow(inner, cells, places, regs0)
	default:
		ok = g.restRow(inner, cells, regs0)
	}
	ok = ok && g.pos >= g.end
	g.last, g.end = g.pos-begin, end
	return ok
}

func (g *reading) callRow(row *readRow, cells []Value, regs0 int) (ok bool) {
	begin, base := g.pos, len(g.regs)
	dst := cells[row.cell : row.cell+1]
	var p *plan
	if l := row.link; l != nil {
		g.regs, _ = l.pass(g.regs, regs0)
		p = l.plan(g.m)
	} else {
		for _, e := range g.p.Args[row.in.C] {
			g.regs = append(g.regs, uint64(g.evaluate(e, regs0, cells)))
		}
		p = g.m.plans[row.in.A]
	}
	if p != nil {
		ok = g.enter(p, dst, base)
	} else {
		dst[0], ok = g.value(row.in.A, g.regs[base:])
		g.regs = g.regs[:base]
	}
	g.last = g.pos - begin
	return ok
}
