// Plans of writers in which the rows of called records replace the calls.

package interp

import "slices"

// Bounds of a list of rows with those of called records.
const (
	maxFrames = 8   // records whose cells are at hand
	maxInline = 400 // rows
)

// flatRows are the rows of a plan with those of the records that it calls, as they are executed.
type flatRows struct {
	rows    []writeRow
	ops     []lineOp
	sums    []lineTotal
	places  []int // of the first operation of each row
	regs    int   // registers of all records
	deepest int   // levels of records in records
}

// into is the beginning of a called record in the rows of another one. Its cells get a frame, and its arguments
// registers.
type into struct {
	plan   *plan // of the record, or of a union
	call   *link // the record or the union
	frame  uint8 // of the cells
	shift  int   // the first register, from the first one of the outermost record
	passes bool  // the arguments are needed
	id     *argument
	arms   []intoArm // of a union
}

// intoArm is an arm of a union in a list of rows.
type intoArm struct {
	plan *plan // nil if its rows are not added
	skip int   // rows to leave out before its rows
}

// flat returns the rows of a plan with those of the records that it calls. They are made when they are first needed,
// since plans may call each other.
func (p *plan) flat(m *Machine) *flatRows {
	if f := p.inlined.Load(); f != nil {
		return f
	}
	l := inliner{m: m, flatRows: flatRows{regs: max(p.keeps, p.args)}}
	if p.nests {
		l.inside = append(l.inside, p.routine)
	}
	l.rows(p, 0, 0, 0)
	f := &l.flatRows
	f.rows = l.out
	f.line(m, p.quit == none)
	p.inlined.Store(f) // another goroutine may have made the same
	return f
}

// inliner makes the rows of one plan.
type inliner struct {
	flatRows
	m      *Machine
	out    []writeRow
	inside []uint32 // routines whose values may hold values of themselves
}

// rows adds the rows of a plan whose cells are in a frame and whose registers begin at shift.
func (l *inliner) rows(p *plan, frame uint8, shift, nest int) {
	l.regs, l.deepest = max(l.regs, shift+max(p.keeps, p.args)), max(l.deepest, nest)
	places := make([]int, len(p.write.rows)+1) // where each row is
	pads := p.quit != none || slices.ContainsFunc(p.write.rows, func(row writeRow) bool { return row.op == rowPad })
	for i := range p.write.rows {
		places[i] = len(l.out)
		row := p.write.rows[i]
		row.frame, row.shift, row.nest, row.width = frame, shift, uint8(nest), uint16(p.cells)
		if row.inner {
			l.deepest = max(l.deepest, nest+1)
		}
		if (row.op == rowRest || row.op == rowThrough) && row.args == 0 && l.m.plans[row.in.A].byLeaves() {
			row.leaves = l.m.plans[row.in.A]
			l.deepest = max(l.deepest, nest+int(truth(row.inner))+1)
		}
		if row.op == rowRest || row.op == rowThrough {
			if row.given = l.m.leavesGiven(row.in.A, row.args); row.given != nil {
				l.deepest = max(l.deepest, nest+int(truth(row.inner))+1)
			}
		}
		switch row.op {
		case rowCall:
			if l.call(p, row, pads) {
				continue
			}
		case rowList, rowRest, rowThrough:
			if row.leaves == nil && row.given == nil && l.each(p, row, pads) {
				continue
			}
		}
		l.out = append(l.out, row)
	}
	places[len(p.write.rows)] = len(l.out)
	for i := range p.write.rows {
		if op := p.write.rows[i].op; op == rowIf || op == rowJump {
			l.out[places[i]].skip = places[i+1+p.write.rows[i].skip] - places[i] - 1
		}
	}
}

// call adds the rows of what a row calls. It reports false if that is called.
func (l *inliner) call(p *plan, row writeRow, pads bool) bool {
	if row.link == nil || row.frame+1 >= maxFrames || len(l.out) > maxInline {
		return false
	}
	q := row.link.plan(l.m)
	if q == nil || q.nests && slices.Contains(l.inside, q.routine) || q.decides != nil || q.quit != none {
		return false
	}
	if u := q.union; u != nil && (u.size > 0 || u.id < 0) {
		return false
	}
	to := &into{plan: q, call: row.link, frame: row.frame + 1, shift: row.shift + max(p.keeps, p.args)}
	first := row
	first.op, first.into = rowInto, to
	if u := q.union; u != nil {
		first.op, to.id, to.arms = rowSwitch, &row.link.args[u.id], make([]intoArm, len(u.arms))
	}
	sizes, reg := row.sizes, row.reg
	if first.sizes = sizes || pads; !sizes {
		reg = int32(max(p.keeps, p.args)) // a register for the place
		to.shift++
	}
	first.reg = reg
	if q.nests {
		l.inside = append(l.inside, q.routine)
		l.out = append(l.out, writeRow{op: rowDeeper})
	}
	at := len(l.out)
	l.regs = max(l.regs, to.shift)
	l.out = append(l.out, first)
	if q.union == nil {
		to.passes = q.keeps > 0
		l.rows(q, to.frame, to.shift, int(row.nest)+1)
	} else {
		l.arms(q, row, to, at)
	}
	l.out[at].skip = len(l.out) - 1 - at
	if q.nests {
		l.inside = l.inside[:len(l.inside)-1]
		l.out = append(l.out, writeRow{op: rowBack})
	}
	if first.sizes {
		size := row
		size.op, size.from, size.reg = rowSize, reg, reg
		l.out = append(l.out, size)
	}
	return true
}

// each adds the rows of the elements of a list. It reports false if the list is written by a call.
func (l *inliner) each(p *plan, row writeRow, pads bool) bool {
	if row.frame+1 >= maxFrames || len(l.out) > maxInline || row.op == rowList && !row.sure {
		return false
	}
	elem := row.in.A
	if row.op == rowList {
		elem = row.in.B
	}
	q := l.m.plans[elem]
	if q == nil || q.nests || q.decides != nil || q.quit != none || q.union != nil || q.cells == 0 || q.clears || q.write.block || q.write.whole {
		return false
	}
	shift := row.shift + max(p.keeps, p.args)
	place, first := int32(shift-row.shift), row
	sizes := row.sizes || pads
	if sizes {
		if !row.sizes {
			first.reg = place
			shift++
		}
		mark := row
		mark.op, mark.reg, mark.numbers, mark.valued = rowMark, first.reg, nil, false
		l.out = append(l.out, mark)
	}
	nest := int(row.nest) + int(truth(row.inner)) + 1
	first.op, first.reg, first.stops, first.sizes = rowEach, int32(shift-row.shift), row.op == rowThrough, false
	first.into = &into{plan: q, frame: row.frame + 1, shift: shift + 1}
	at := len(l.out)
	l.regs = max(l.regs, shift+1)
	l.out = append(l.out, first)
	l.rows(q, row.frame+1, shift+1, nest)
	next := first
	next.op, next.skip = rowNext, at-len(l.out)-1
	l.out = append(l.out, next)
	if l.out[at].skip = len(l.out) - 1 - at; sizes {
		size := row
		size.op, size.from, size.reg = rowSize, first.from, row.reg
		if !row.sizes {
			size.reg = place
		}
		size.from = size.reg
		l.out = append(l.out, size)
	}
	return true
}

// arms adds the rows of each arm of a union, and the call for arms whose rows are not added.
func (l *inliner) arms(q *plan, row writeRow, to *into, at int) {
	var ends []int
	for i, arm := range q.union.arms {
		to.arms[i].skip = len(l.out) - 1 - at
		if arm.quit == none && len(l.out) < maxInline {
			to.arms[i].plan, to.passes = arm, to.passes || arm.keeps > 0
			l.rows(arm, to.frame, to.shift, int(row.nest)+1)
		} else {
			call := row
			call.sizes = false
			l.out = append(l.out, call)
		}
		ends = append(ends, len(l.out))
		l.out = append(l.out, writeRow{op: rowJump})
	}
	for _, end := range ends {
		l.out[end].skip = len(l.out) - 1 - end
	}
}

// begin begins a called record with the value of a cell. It returns the cells, and how many rows to leave out. It
// returns no cells if the value has to be written by a call.
func (g *writing) begin(row *writeRow, v *Value, regs0 int) (cells *Value, skip int, ok bool) {
	to := row.into
	p, base := to.plan, regs0-row.shift+to.shift
	if row.sizes {
		g.regs[regs0+int(row.reg)] = uint64(len(g.out))
	}
	if v.kind == None {
		return nil, 0, false
	}
	if row.op == rowSwitch {
		u := p.union
		if int(v.tag) >= len(u.byTag) || u.byTag[v.tag] == 0 {
			return nil, 0, false
		}
		arm := int(u.byTag[v.tag]) - 1
		id, fine := to.id.of(g.regs[regs0:])
		if !fine || u.arm(id) != arm {
			return nil, 0, false
		}
		if p, skip = to.arms[arm].plan, to.arms[arm].skip; p == nil {
			return nil, skip, true
		}
	}
	if p.cells > 0 && !p.takes(v) {
		return nil, row.skip, g.callRow(row, v, regs0, nil)
	}
	if to.passes {
		for i := range to.call.args {
			x, fine := to.call.args[i].of(g.regs[regs0:])
			if !fine {
				return nil, 0, false
			}
			g.regs[base+i] = x
		}
	}
	if p.clears {
		clear(g.regs[base+p.args : base+p.keeps])
	}
	if p.lone || p.cells == 0 {
		return v, skip, true
	}
	return (*Value)(v.p), skip, true
}
