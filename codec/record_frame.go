// Frames: the records around a value that a plan reads or writes.

package codec

import "slices"

// none is the number of a register, an operation or a place that there is not.
const none = -1

// recordFrames are the records around a value, with their registers.
type recordFrames struct {
	depth  int // containers around the value
	limit  int
	regs   []uint64
	stop   bool    // the last record ends its list
	places [64]int // of records in the packet
}

// depthPart is how many levels Values may count for a record in a record.
const depthPart = 4

// push begins a record, whose arguments are the last registers. It returns where its registers begin, and
// false if there is no plan for it, or if it is too deep.
func (f *recordFrames) push(rec *recordPlan) (regs int, ok bool) {
	if rec.broken || f.depth+rec.deep >= f.limit/depthPart {
		return 0, false
	}
	regs = len(f.regs) - rec.args
	n := len(f.regs) + rec.regs - rec.args
	if n > cap(f.regs) {
		f.regs = slices.Grow(f.regs, n-len(f.regs))
	}
	f.regs = f.regs[:n]
	if rec.clears {
		clear(f.regs[regs+rec.args:])
	}
	f.depth++
	return regs, true
}

// pop ends a record, with its registers and its arguments.
func (f *recordFrames) pop(regs int) {
	f.depth--
	f.regs = f.regs[:regs]
}
