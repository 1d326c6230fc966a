package codec

import (
	"reflect"
	"slices"
	"testing"

	"github.com/octable/octable/interp/memory"
)

// op returns an operation without registers, changed by a function.
func op(code putCode, change func(*putOp)) putOp {
	out := putOp{code: code, reg: -1, a: -1, b: -1}
	if change != nil {
		change(&out)
	}
	return out
}

// TestFuseOperations compares lists of operations after fusion with those that they should become.
func TestFuseOperations(t *testing.T) {
	into := func(reg int32) func(*putOp) { return func(op *putOp) { op.reg = reg } }
	bytes := func(reg, off int32) func(*putOp) { return func(op *putOp) { op.reg, op.off = reg, off } }
	self := func(op *putOp) { op.reg, op.a, op.mask = 4, 4, ^uint64(0) }
	for name, c := range map[string]struct {
		ops  []putOp
		want []putCode
	}{
		"a load of a byte that the first operation writes":  {[]putOp{op(put8, bytes(-1, 3)), op(putLoad8, bytes(2, 3))}, []putCode{putReg8}},
		"a load of a byte that none writes":                 {[]putOp{op(put8, bytes(-1, 2)), op(putLoad8, bytes(2, 3))}, []putCode{put8, putLoad8}},
		"a load behind a write and another write":           {[]putOp{op(put16, bytes(-1, 0)), op(put8, bytes(-1, 3)), op(putLoad16, bytes(2, 0))}, []putCode{putReg16, put8}},
		"a load at the target of a jump":                    {[]putOp{op(putJump, nil), op(put8, bytes(-1, 3)), op(putLoad8, bytes(2, 3))}, []putCode{putJump, putReg8}},
		"a load behind the target of a jump":                {[]putOp{op(putJump, func(op *putOp) { op.off = 1 }), op(put8, bytes(-1, 3)), op(putLoad8, bytes(2, 3))}, []putCode{putJump, put8, putLoad8}},
		"two marks":                                         {[]putOp{op(putMark, into(1)), op(putMark, into(2))}, []putCode{putMark}},
		"three marks":                                       {[]putOp{op(putMark, into(1)), op(putMark, into(2)), op(putMark, into(0))}, []putCode{putMark, putMark}},
		"a mark of registers 1 and 0, and another one":      {[]putOp{op(putMark, func(op *putOp) { op.reg, op.b = 1, 0 }), op(putMark, into(2))}, []putCode{putMark, putMark}},
		"marks that are neighbors without the copy between": {[]putOp{op(putMark, into(1)), op(putPick, self), op(putMark, into(2))}, []putCode{putMark}},
	} {
		l := putList{ops: slices.Clone(c.ops)}
		l.fuse([]int32{0, 1, 2, 4})
		var got []putCode
		for i := range l.ops {
			got = append(got, l.ops[i].code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: operations %v, want %v", name, got, c.want)
		}
	}
}

// TestGatherTerms makes one term of neighboring bytes of one bit each.
func TestGatherTerms(t *testing.T) {
	if !memory.Raw {
		t.Skip("only raw loads take several bytes at once")
	}
	neighbors := func(n int) (out []putTerm) {
		for i := range n {
			out = append(out, putTerm{at: uint32(i), shift: uint8(7 - i), width: 1, kind: termByte})
		}
		return out
	}
	apart := neighbors(3)
	apart[2].at++
	for name, c := range map[string]struct {
		terms, want []putTerm
		bound       uintptr
	}{
		"eight bytes":           {neighbors(8), []putTerm{{0, 0, 8, termGather}}, 8},
		"two of eight bytes":    {neighbors(2), []putTerm{{0, 6, 2, termGather}}, 8},
		"a value of seven":      {neighbors(2), neighbors(2), 7},
		"one":                   {neighbors(1), neighbors(1), 8},
		"none":                  {nil, nil, 8},
		"a byte between":        {apart, []putTerm{{0, 6, 2, termGather}, apart[2]}, 8},
		"a number of two bytes": {[]putTerm{{0, 7, 1, 2}, {2, 6, 1, 2}}, []putTerm{{0, 7, 1, 2}, {2, 6, 1, 2}}, 8},
	} {
		o := op(putTerms, func(op *putOp) { op.more = &putMore{terms: c.terms} })
		(&putList{bound: c.bound}).gather(&o)
		if !slices.Equal(o.more.terms, c.want) {
			t.Errorf("%s: terms %v, want %v", name, o.more.terms, c.want)
		}
	}
}

// TestShareRegisters: arguments of a record are the registers that have had their values for the longest time.
func TestShareRegisters(t *testing.T) {
	pick := op(putPick, func(op *putOp) { op.reg, op.a, op.mask = 2, 1, ^uint64(0) })
	for _, args := range [][]int32{{2}, {2, 0}, {-1, 2}} {
		inner := op(putInner, func(op *putOp) { op.more = &putMore{args: args} })
		l := putList{ops: []putOp{pick, inner}}
		l.share()
		want := slices.Clone(args)
		want[slices.Index(want, 2)] = 1
		if got := l.ops[1].more.args; !slices.Equal(got, want) {
			t.Errorf("arguments %v are registers %v, want %v", args, got, want)
		}
	}
}

// TestLiveRegisters: a register is read behind an operation if a way from there leads to a use before the register is set.
func TestLiveRegisters(t *testing.T) {
	set := func(reg, a int32) putOp { return op(putPick, func(op *putOp) { op.reg, op.a = reg, a }) }
	jump := func(by int32) putOp { return op(putJump, func(op *putOp) { op.off = by }) }
	ops := []putOp{set(1, 0), jump(1), set(1, 3), set(2, 1), set(1, 0)}
	var got [][]int32
	for _, live := range liveAfter(ops, []int32{2}) {
		var list []int32
		for r := range int32(4) {
			if live.has(r) {
				list = append(list, r)
			}
		}
		got = append(got, list)
	}
	if want := [][]int32{{1}, {1}, {1}, {2}, {2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("registers %v, want %v", got, want)
	}
	left := withoutDead([]putOp{jump(3), set(1, 0), set(2, 0), set(3, 0), set(4, 0)}, []bool{false, true, false, true, false})
	if len(left) != 3 || left[0].off != 1 || left[1].reg != 2 || left[2].reg != 4 {
		t.Errorf("left are %+v", left)
	}
}
