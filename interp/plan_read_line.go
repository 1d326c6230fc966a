// Reading by plans: the rows of one record.

package interp

import (
	"math"
	"unsafe"

	"github.com/octable/octable/interp/memory"
)

// line reads one record, row by row. Its registers begin at regs0 of the stack.
func (g *reading) line(s *readSteps, cells []Value, regs0 int) bool {
	var few [8]int
	places := few[:]
	if s.runs > len(few) {
		places = make([]int, s.runs)
	}
	for i := range s.rows {
		row := &s.rows[i]
		switch row.op {
		case rowRun:
			if g.end-g.pos < row.size {
				return false
			}
			places[row.run] = g.pos
			g.pos += row.size
			if row.filled {
				g.fill(&row.fills, g.pos-row.size, row.size, unsafe.SliceData(cells), regs0)
			}
		case rowColumn:
			if c := row.col; !c.readOne(memory.Of(g.in), places[c.run]+c.off, cells) {
				return false
			}
		case rowRunText:
			if !g.textRows(row, cells, len(cells), places[row.run:row.run+1]) {
				return false
			}
			if row.filled {
				g.fill(&row.fills, places[row.run], row.size, unsafe.SliceData(cells), regs0)
			}
		case rowText:
			n := g.partsOf(&row.n, places, regs0, cells)
			if n < 0 || n > int64(g.end-g.pos) {
				return false
			}
			g.last = int(n)
			if in, v := memory.Of(g.in), &cells[row.cell]; n <= math.MaxInt32 && plainText(in, g.pos, int(n)) {
				v.set(in.Addr(g.pos), 0, uint32(n), uint32(Text)<<16)
			} else if n > math.MaxInt32 || !g.r.fastTextSlow(v, g.in, g.pos, int(n), uint32(Text)<<16, row.in.A) {
				return false
			}
			g.pos += int(n)
		case rowPacked:
			if !g.packedRow(row, cells, places, regs0) {
				return false
			}
		case rowList:
			if !g.listRow(row, g.partsOf(&row.n, places, regs0, cells), cells, regs0) {
				return false
			}
		case rowMap:
			if !g.mapRow(row, g.partsOf(&row.n, places, regs0, cells), cells, regs0) {
				return false
			}
		case rowPad:
			if !g.pad(row.in) {
				return false
			}
		case rowCall:
			if !g.callRow(row, cells, regs0) {
				return false
			}
		case rowIf:
			branch := row.then
			if g.evaluate(row.in.A, regs0, cells) == 0 {
				branch = row.els
			}
			if !g.line(branch, cells, regs0) {
				return false
			}
		case rowWord:
			g.regs[regs0+int(row.in.B)] = loadWord(memory.Of(g.in), places[row.run]+row.off, row.word)
		case rowLet:
			g.regs[regs0+int(row.in.A)] = uint64(g.evaluate(row.in.B, regs0, cells))
		case rowCheck:
			if g.evaluate(row.in.A, regs0, cells) == 0 {
				return false
			}
		case rowGate:
			if g.r.opt.Open>>row.in.A&1 == 0 {
				return false
			}
		case rowTake:
			cells[row.cell] = row.value
			if !row.n.fixed {
				cells[row.cell] = taken(row.in, g.regs[regs0+int(row.in.B)])
			}
		case rowMark:
			place := g.pos
			if row.run >= 0 {
				place = places[row.run] + row.off
			}
			g.regs[regs0+int(row.in.A)] = uint64(place)
		case rowSize:
			g.last = g.pos - int(g.regs[regs0+int(row.in.B)])
			g.regs[regs0+int(row.in.A)] = uint64(g.last)
		case rowEnter:
			n := g.evaluate(row.in.A, regs0, cells)
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
		case rowCompare:
			if g.regs[regs0+int(row.in.A)] != uint64(g.evaluate(row.in.B, regs0, cells)) {
				return false
			}
		case rowStop:
			x := row.n.number
			if !row.n.fixed {
				x = g.evaluate(row.in.A, regs0, cells)
			}
			g.stop = x != 0
		default:
			if !g.moreRows(row, cells, regs0) {
				return false
			}
		}
	}
	return true
}

func (g *reading) callRow(row *readRow, cells []Value, regs0 int) (ok bool) {
	begin := g.pos
	at := row.cell
	if list := g.p.Args[row.in.C]; len(list) > 0 {
		top := len(g.regs)
		for _, e := range list {
			g.regs = append(g.regs, uint64(g.evaluate(e, regs0, cells)))
		}
		if p := g.m.plans[row.in.A]; p != nil {
			ok = g.planned(p, cells[at:at+1])
		} else {
			cells[at], ok = g.routine(row.in.A, g.regs[top:])
			g.regs = g.regs[:top]
		}
	} else {
		ok = g.into1(row.in.A, cells[at:at+1], nil)
	}
	g.last = g.pos - begin
	return ok
}
