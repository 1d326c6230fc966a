// Operations of writers that only give a register a number, which nothing looks at.

package interp

import (
	"github.com/octable/octable/compile/bytecode"
)

// registerSet is a set of registers and of two more numbers. The two are whether the size of the last part is looked
// at, and whether an element ends its list.
type registerSet []uint64

func (s registerSet) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s registerSet) put(i int)      { s[i/64] |= 1 << (i % 64) }
func (s registerSet) drop(i int)     { s[i/64] &^= 1 << (i % 64) }

// merge adds a set. It reports whether it has numbers that are new.
func (s registerSet) merge(o registerSet) (more bool) {
	for i, x := range o {
		more = more || x&^s[i] != 0
		s[i] |= x
	}
	return more
}

// prune deletes operations whose only result is a number in a register that no later operation looks at.
func (l *liner) prune() {
	n := len(l.ops)
	last := l.regs + l.most // the number for the size of the last part
	stop := last + 1
	size := stop/64 + 1
	ways := make([][]int, n)
	for _, j := range append(l.jumps, l.calls...) {
		ways[j.op] = append(ways[j.op], l.places[j.row]+j.plus)
	}
	reads := make([]registerSet, n)
	live := make([]registerSet, n+1) // before each operation
	for i := range live {
		live[i] = make(registerSet, size)
	}
	for i := range reads {
		reads[i] = make(registerSet, size)
		l.looks(&l.ops[i], reads[i], last)
	}
	dead := make([]bool, n)
	for again := true; again; {
		again = false
		for i := n - 1; i >= 0; i-- {
			op := &l.ops[i]
			out := make(registerSet, size)
			for _, to := range ways[i] {
				out.merge(live[to])
			}
			if op.code != lineJump {
				out.merge(live[i+1])
			}
			used := out.has(int(op.reg/8)) || op.code == lineSize && out.has(last)
			if dead[i] = (op.code.pure() || op.code == lineSize) && !used || op.code == lineStay && !out.has(stop); !dead[i] {
				if op.code.sets() && op.reg >= 0 {
					out.drop(int(op.reg / 8))
				}
				if op.code == lineSize || op.code == lineOctets || op.code == lineLeaves {
					out.drop(last)
				}
				if op.code == lineStop || op.code == lineStopEq || op.code == lineStay {
					out.drop(stop)
				}
				out.merge(reads[i])
			}
			again = live[i].merge(out) || again
		}
	}
	l.remove(dead)
}

// remove deletes operations.
func (l *liner) remove(dead []bool) {
	to := make([]int, len(l.ops)+1) // the new numbers
	kept := l.ops[:0]
	for i := range l.ops {
		if to[i] = len(kept); !dead[i] {
			kept = append(kept, l.ops[i])
		}
	}
	to[len(l.ops)] = len(kept)
	l.ops = kept
	for i := range l.places {
		l.places[i] = to[l.places[i]]
	}
	for i := range l.jumps {
		l.jumps[i].op = to[l.jumps[i].op]
	}
}

// looks notes the registers that an operation looks at, of which the last ones are those of [registerSet].
func (l *liner) looks(op *lineOp, used registerSet, last int) {
	switch op.code {
	case lineRow, lineNextStop, lineEnd:
		used.put(last + 1)
	}
	switch op.code {
	case lineRow:
		if l.rows[op.a].op == rowPad {
			used.put(last)
		}
		l.rowLooks(&l.rows[op.a], used)
	case lineInto, lineSwitch:
		used.put(int(op.b / 8))
		l.rowLooks(&l.rows[op.a], used)
	case lineSum:
		x := &l.sums[op.a]
		for k := range x.sum.from {
			used.put(x.sum.from[k].reg)
			used.put(x.sum.to[k].reg)
		}
		used.put(x.at.reg)
	case lineLeaves:
		if op.arms.given != nil {
			used.put(int(op.b / 8))
		}
	case lineNext, lineNextStop:
		used.put(int(op.reg / 8))
	case lineChunk, lineNumber, lineBits, lineFlags, lineArray, lineAbsent, lineEach, lineJump, lineEnd:
	case lineUnless, lineUnlessEq:
		used.put(int(op.a / 8))
	case lineSet, lineMark, linePos, lineCell, lineLoad, lineOne, lineOneBig, lineConst, lineCount, lineOctets, lineRun:
	default:
		used.put(int(op.a / 8))
		used.put(int(op.b / 8))
	}
}

// rowLooks notes the registers that a row looks at.
func (l *liner) rowLooks(row *writeRow, used registerSet) {
	own := liveness{m: l.m, used: map[uint32]bool{}}
	switch row.op {
	case rowInto, rowSwitch:
		own.looks(rowCall, row.in, false, 0, 0)
	case rowPatch:
		own.used[uint32(row.from)] = true
		own.number(row.number)
	case rowWord:
		own.expr(row.in.C)
	case rowNumber:
		if row.in.Op == bytecode.Word {
			own.expr(row.in.C)
		}
	case rowStop:
		if !row.n.fixed {
			own.expr(row.in.A)
		}
	default:
		if row.in != nil {
			own.looks(row.op, row.in, false, uint32(row.from), row.args)
		}
	}
	for reg := range own.used {
		used.put(row.shift + int(reg))
	}
}
