// Operations of writers that do what two neighbours did.

package interp

// runFirst are the operations of a run that are one with the beginning of the run.
var runFirst = map[lineCode]lineCode{
	lineConst: lineRunConst, lineOne: lineRunOne, lineOneBig: lineRunOneBig, lineBits: lineRunBits, lineArray: lineRunArray,
}

// fuse joins operations with the ones before them, unless a jump leads between them. The second one of two gets the work of
// the first one, so a jump to the first one leads to both.
func (l *liner) fuse() {
	to := make([]bool, len(l.ops)+1)
	for _, list := range [][]lineJumpTo{l.jumps, l.calls} {
		for _, j := range list {
			to[l.places[j.row]+j.plus] = true
		}
	}
	dead := make([]bool, len(l.ops))
	for i := 1; i < len(l.ops); i++ {
		dead[i-1] = !to[i] && l.ops[i].joins(&l.ops[i-1])
	}
	l.remove(dead)
	l.enter()
}

// joins makes an operation do the work of the one before it too. It reports false if no operation does both.
func (o *lineOp) joins(before *lineOp) bool {
	switch before.code {
	case lineRun:
		code, ok := runFirst[o.code]
		if !ok {
			return false
		}
		o.code, o.size, o.a = code, before.size, before.a
		return true
	case lineSize:
		if o.code != linePatch || o.adds || o.a != before.reg || o.b == before.reg {
			return false
		}
		o.code, o.a, o.m, o.size = linePatchSize, before.a, int64(before.off), before.reg
		return true
	case lineStopEq:
		if o.code != lineNextStop {
			return false
		}
		o.code, o.a, o.m, o.n = lineNextStopEq, before.a, before.m, before.n
		return true
	}
	return false
}

// enter makes the operation at the end of an element begin the next one, if that has several cells.
func (l *liner) enter() {
	for k := range l.jumps {
		j := &l.jumps[k]
		op, next := &l.ops[j.op], &l.ops[l.places[j.row]+j.plus]
		switch op.code {
		case lineNext, lineNextStop, lineNextStopEq:
			if next.code == lineElement && next.n < 1<<31 {
				op.size = int32(next.n)
				j.plus++
			}
		}
	}
}
