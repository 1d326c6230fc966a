package interp

import (
	"bytes"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/octable/octable/interp/memory"
)

// TestJoins compares what two neighbours become with the operation that does the work of both.
func TestJoins(t *testing.T) {
	size := lineOp{code: lineSize, reg: 16, a: 24, off: 3}
	for _, c := range []struct {
		name         string
		before, then lineOp
		want         lineOp // of no code if they stay two
	}{
		{"run and constant", lineOp{code: lineRun, size: 4, a: 8}, lineOp{code: lineConst, n: 7, off: 1}, lineOp{code: lineRunConst, size: 4, a: 8, n: 7, off: 1}},
		{"run and number", lineOp{code: lineRun, size: 4, a: 8}, lineOp{code: lineOne, reg: 16}, lineOp{code: lineRunOne, size: 4, a: 8, reg: 16}},
		{"run and big number", lineOp{code: lineRun, size: 4, a: 8}, lineOp{code: lineOneBig, reg: 16}, lineOp{code: lineRunOneBig, size: 4, a: 8, reg: 16}},
		{"run and bits", lineOp{code: lineRun, size: 4, a: 8}, lineOp{code: lineBits, b: 2, form: 1}, lineOp{code: lineRunBits, size: 4, a: 8, b: 2, form: 1}},
		{"run and array", lineOp{code: lineRun, size: 4, a: 8}, lineOp{code: lineArray, b: 4, m: 1}, lineOp{code: lineRunArray, size: 4, a: 8, b: 4, m: 1}},
		{"run and flags", lineOp{code: lineRun, size: 4, a: 8}, lineOp{code: lineFlags, b: 3}, lineOp{}},
		{"run and run", lineOp{code: lineRun, size: 4, a: 8}, lineOp{code: lineRun, size: 2, a: 16}, lineOp{}},
		{"constant and number", lineOp{code: lineConst}, lineOp{code: lineOne}, lineOp{}},
		{"size and its word", size, lineOp{code: linePatch, reg: 32, a: 16, b: 40, off: 1, form: 3, n: 9}, lineOp{code: linePatchSize, reg: 32, a: 24, m: 3, size: 16, b: 40, off: 1, form: 3, n: 9}},
		{"size and another word", size, lineOp{code: linePatch, reg: 32, a: 8, b: 40}, lineOp{}},
		{"size and a word at it", size, lineOp{code: linePatch, reg: 32, a: 16, b: 16}, lineOp{}},
		{"size that is added", size, lineOp{code: linePatch, reg: 32, a: 16, b: 40, adds: true}, lineOp{}},
		{"stop and next", lineOp{code: lineStopEq, a: 8, m: -1, n: 5}, lineOp{code: lineNextStop, reg: 16, b: -4, frame: 2}, lineOp{code: lineNextStopEq, a: 8, m: -1, n: 5, reg: 16, b: -4, frame: 2}},
		{"stop and next of any list", lineOp{code: lineStopEq, a: 8}, lineOp{code: lineNext, reg: 16}, lineOp{}},
	} {
		got, whole := c.then, c.want.code != lineEnd
		if joined := got.joins(&c.before); joined != whole || joined && got != c.want || !joined && got != c.then {
			t.Errorf("%s: joined %v as %+v, want %+v", c.name, joined, got, c.want)
		}
	}
}

// linerOf returns a liner with operations, each of which is a row, and with jumps.
func linerOf(jumps []lineJumpTo, ops ...lineOp) *liner {
	l := &liner{flatRows: &flatRows{ops: ops}, jumps: jumps}
	for i := range len(ops) + 1 {
		l.places = append(l.places, i)
	}
	return l
}

// TestFuseJumps keeps two operations if a jump leads to the second one. It lets a jump to the first one lead to both.
func TestFuseJumps(t *testing.T) {
	for _, c := range []struct {
		row, ops, at int // the row to which a jump leads, and the operations and the place of the one to which it leads
	}{
		{1, 3, 1}, {2, 4, 2}, {3, 3, 2},
	} {
		l := linerOf([]lineJumpTo{{op: 0, row: c.row}}, lineOp{code: lineJump}, lineOp{code: lineRun, size: 4}, lineOp{code: lineConst}, lineOp{code: lineEnd})
		l.fuse()
		l.aim()
		if at := int(l.ops[0].b) + 1; len(l.ops) != c.ops || at != c.at {
			t.Errorf("jump to row %d: %d operations, place %d, want %d and %d", c.row, len(l.ops), at, c.ops, c.at)
		}
	}
}

// TestEnter lets the end of an element begin the next one.
func TestEnter(t *testing.T) {
	for _, first := range []lineCode{lineElement, lineLone} {
		l := linerOf([]lineJumpTo{{op: 2, row: 0}}, lineOp{code: first, n: 3}, lineOp{code: lineStay}, lineOp{code: lineNext}, lineOp{code: lineEnd})
		l.fuse()
		l.aim()
		size, b := int32(3), int32(-2)
		if first == lineLone {
			size, b = 0, -3
		}
		if next := &l.ops[2]; next.size != size || next.b != b {
			t.Errorf("operation %d: %d cells and %d operations, want %d and %d", first, next.size, next.b, size, b)
		}
	}
}

// TestAim lets jumps to jumps lead to where these lead.
func TestAim(t *testing.T) {
	arm := &lineArm{}
	l := linerOf([]lineJumpTo{{op: 0, row: 2}, {op: 1, row: 2, arm: arm}, {op: 2, row: 4}, {op: 3, row: 0}},
		lineOp{code: lineUnless}, lineOp{code: lineSwitch}, lineOp{code: lineJump}, lineOp{code: lineNext}, lineOp{code: lineJump}, lineOp{code: lineEnd})
	l.jumps = append(l.jumps, lineJumpTo{op: 4, row: 5})
	l.aim()
	if got, want := fmt.Sprint(l.ops[0].b, arm.skip, l.ops[2].b, l.ops[3].b, l.ops[4].b), "4 3 2 -4 0"; got != want {
		t.Errorf("jumps leave out %s operations, want %s", got, want)
	}
}

// TestPruneStay deletes the operation that says that an element does not end its list, if another one says so later.
func TestPruneStay(t *testing.T) {
	for _, c := range []struct {
		ops  []lineOp
		want int
	}{
		{[]lineOp{{code: lineStay}, {code: lineStopEq}, {code: lineNextStop}, {code: lineEnd}}, 3},
		{[]lineOp{{code: lineStay}, {code: lineStop}, {code: lineNextStop}, {code: lineEnd}}, 3},
		{[]lineOp{{code: lineStay}, {code: lineNextStop}, {code: lineEnd}}, 3},
		{[]lineOp{{code: lineStay}, {code: lineEnd}}, 2},
	} {
		l := linerOf(nil, c.ops...)
		l.prune()
		if len(l.ops) != c.want {
			t.Errorf("%d operations of %d are left, want %d", len(l.ops), len(c.ops), c.want)
		}
	}
}

// TestLeafText copies text of any short length, with and without a byte that needs a look.
func TestLeafText(t *testing.T) {
	for n := range shortTexts {
		for _, odd := range []byte{'a', 0, 0x80, 0xff} {
			for at := range max(n, 1) {
				from, to := bytes.Repeat([]byte{'x'}, n+8), make([]byte, n+16)
				if n > 0 {
					from[at] = odd
				}
				clean := leafTextOf(memory.Of(from), memory.Of(to), 2, n) == 0
				if !bytes.Equal(to[2:2+n], from[:n]) || clean != (n == 0 || odd == 'a') {
					t.Fatalf("%d bytes with %#x at %d: %v %q", n, odd, at, clean, to[2:2+n])
				}
			}
		}
	}
}

// TestNoteText notes the bytes of texts whose form is a byte and the text.
func TestNoteText(t *testing.T) {
	form := putLeaf{op: leafText, quick: true, plain: true, size: 1, word: 0x41, stop: true}
	for _, c := range []struct {
		name   string
		change func(*putLeaf)
		number uint64
		want   uint32
	}{
		{"text", func(*putLeaf) {}, 3, 0x41 | textKnown | textStop},
		{"text in a list", func(e *putLeaf) { e.stop = false }, 3, 0x41 | textKnown},
		{"fixed length", func(e *putLeaf) { e.fixed, e.n = true, 3 }, 3, 0x41 | textKnown | textStop},
		{"another length", func(e *putLeaf) { e.fixed, e.n = true, 4 }, 3, 0},
		{"two bytes", func(e *putLeaf) { e.size = 2 }, 3, 0},
		{"number", func(e *putLeaf) { e.op = leafRun }, 3, 0},
		{"bits", func(e *putLeaf) { e.plain = false }, 3, 0},
		{"long", func(*putLeaf) {}, shortTexts, 0},
	} {
		e := form
		c.change(&e)
		a := putArm{texts: make([]atomic.Uint32, shortTexts)}
		a.noteText(&e, c.number)
		if got := a.texts[3].Load(); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
}
