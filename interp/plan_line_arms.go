// Writing arms and elements in one loop, with their arguments.

package interp

// lineArms are the arms of a union.
type lineArms struct {
	tags  []uint8 // the number of the entry in list
	list  []lineArm
	ids   []int16     // by numbers below their length: the arm
	rest  int32       // the arm of all other numbers, or -1 if they have several
	puts  []*putArm   // lineLeaves: by tag
	given [][]*putArm // lineLeaves: the same by register b, or nil
}

// lineArm is an arm of a union. The first one is for values that need a call.
type lineArm struct {
	known bool
	alone bool // id is the only number of the arm
	arm   int32
	cells uint32 // 0 if the value is its one cell
	skip  int32  // operations to leave out
	id    uint64
}

// arms returns the arms of a union. Their operations are found when all rows have some.
func (l *liner) arms(i int, row *writeRow) *lineArms {
	u := row.into.plan.union
	arms := &lineArms{tags: make([]uint8, len(u.byTag)), list: make([]lineArm, 1, len(u.arms)+1), ids: u.ids, rest: int32(u.other)}
	for k := range u.table.Arms {
		if a := &u.table.Arms[k]; !a.Else && (a.IDs != nil || a.ID >= uint64(len(u.ids))) {
			arms.rest = none
		}
	}
	for tag, k := range u.byTag {
		if k == 0 || len(arms.list) > 255 {
			continue
		}
		arm, to := u.arms[k-1], &row.into.arms[k-1]
		if to.plan == nil || arm.clears || arm.cells == 0 && !arm.lone && arm.typ == 0 {
			continue
		}
		t := &u.table.Arms[k-1]
		arms.list = append(arms.list, lineArm{known: true, alone: !t.Else && t.IDs == nil, arm: int32(k - 1), id: t.ID})
		a := &arms.list[len(arms.list)-1]
		if !arm.lone {
			a.cells = uint32(arm.cells)
		}
		arms.tags[tag] = uint8(len(arms.list) - 1)
		l.jumps = append(l.jumps, lineJumpTo{op: len(l.ops), row: i + 1 + to.skip, arm: a})
	}
	return arms
}

// arguments adds operations that give the registers of a called record its arguments.
func (l *liner) arguments(row *writeRow) bool {
	if to := row.into; to.passes {
		for k := range to.call.args {
			if !l.argument(row, k, int32(8*(to.shift+k))) {
				return false
			}
		}
	}
	return true
}

// argument gives a register an argument.
func (l *liner) argument(row *writeRow, k int, to int32) bool {
	if a := &row.into.call.args[k]; a.known {
		l.add(lineOp{code: lineSet, reg: to, n: a.n})
		return true
	}
	return l.number(l.m.p.Exprs[l.m.p.Args[row.in.C][k]], row.shift, to)
}

// element adds the operations that begin an element of a list.
func (l *liner) element(row *writeRow) bool {
	to := row.into
	p := to.plan
	l.forget(int32(8 * to.shift))
	l.here = nil
	op := lineOp{code: lineElement, frame: to.frame, n: uint64(p.cells)}
	if p.lone {
		op.code = lineLone
	}
	l.add(op)
	if row.stops {
		l.add(lineOp{code: lineStay})
	}
	for k := range int(row.args) {
		l.add(lineOp{code: lineCopy, reg: int32(8 * (to.shift + k)), a: row.register(row.from + int32(k))})
	}
	return true
}
