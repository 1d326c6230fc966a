package codec

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/octable/octable/compile/bytecode"
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

// TestFuseOperations makes one operation of a comparison and of the check or the stop that alone reads it.
func TestFuseOperations(t *testing.T) {
	into := func(code putCode) putOp { return op(code, func(o *putOp) { o.reg, o.a = 1, 0 }) }
	reads := func(code putCode, reg int32) putOp { return op(code, func(o *putOp) { o.a = reg }) }
	since := op(putSize, func(o *putOp) { o.reg, o.a, o.n = 1, 0, 2 })
	patch := op(putPatch, func(o *putOp) { o.a, o.b = 2, 1 })
	null := func(at uintptr) putOp { return op(putNil, func(o *putOp) { o.at = at }) }
	sum := func(o putOp) putOp { o.mask = ^uint64(0); return o }
	for name, c := range map[string]struct {
		ops  []putOp
		want []putCode
	}{
		"a size that is patched":          {[]putOp{since, patch}, []putCode{putPatchSize}},
		"a sum that is patched":           {[]putOp{since, sum(op(putAddN, func(o *putOp) { o.reg, o.a, o.n = 3, 1, 5 })), op(putPatch, func(o *putOp) { o.a, o.b = 2, 3 })}, []putCode{putPatchSize}},
		"bits of a size that are added":   {[]putOp{since, op(putAddN, func(o *putOp) { o.reg, o.a, o.mask = 3, 1, 15 }), op(putPatch, func(o *putOp) { o.a, o.b = 2, 3 })}, []putCode{putSize, putAddN, putPatch}},
		"a size that is read":             {[]putOp{since, patch, reads(putCheck, 1)}, []putCode{putSize, putPatch, putCheck}},
		"a size at itself":                {[]putOp{since, op(putPatch, func(o *putOp) { o.a, o.b = 1, 1 })}, []putCode{putSize, putPatch}},
		"another size is patched":         {[]putOp{since, op(putPatch, func(o *putOp) { o.a, o.b = 2, 3 })}, []putCode{putSize, putPatch}},
		"pointers that are not neighbors": {[]putOp{null(8), null(24)}, []putCode{putNil, putNil}},
		"a table that is checked":         {[]putOp{into(putTable), reads(putCheck, 1)}, []putCode{putCheckTable}},
		"a table that ends a list":        {[]putOp{into(putTable), reads(putStop, 1)}, []putCode{putStopTable}},
		"a number that is checked":        {[]putOp{into(putEqN), reads(putCheck, 1)}, []putCode{putCheckEq}},
		"less that is checked":            {[]putOp{into(putLessN), reads(putCheck, 1)}, []putCode{putCheckLess}},
		"at least that is checked":        {[]putOp{into(putLeastN), reads(putCheck, 1)}, []putCode{putCheckLeast}},
		"a number that ends a list":       {[]putOp{into(putEqN), reads(putStop, 1)}, []putCode{putStopEq}},
		"less that ends a list":           {[]putOp{into(putLessN), reads(putStop, 1)}, []putCode{putLessN, putStop}},
		"two that are checked":            {[]putOp{into(putEq), reads(putCheck, 1)}, []putCode{putCheckSame}},
		"another register is checked":     {[]putOp{into(putEq), reads(putCheck, 2)}, []putCode{putEq, putCheck}},
		"a register that is read":         {[]putOp{into(putEq), reads(putCheck, 1), reads(putStop, 1)}, []putCode{putEq, putCheck, putStop}},
		"a check with a jump to it":       {[]putOp{op(putUnless, func(o *putOp) { o.a, o.off = 2, 1 }), into(putEq), reads(putCheck, 1)}, []putCode{putUnless, putEq, putCheck}},
	} {
		l := putList{ops: slices.Clone(c.ops)}
		l.fuse(nil)
		var got []putCode
		for i := range l.ops {
			got = append(got, l.ops[i].code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: operations %v, want %v", name, got, c.want)
		}
	}
}

// TestFuseSize makes one operation of a size, a number that is added to it, and its place in the output.
func TestFuseSize(t *testing.T) {
	add := op(putAddN, func(o *putOp) { o.reg, o.a, o.n, o.mask = 3, 1, 5, ^uint64(0) })
	l := putList{ops: []putOp{op(putSize, func(o *putOp) { o.reg, o.a, o.n = 1, 0, 2 }), add,
		op(putPatch, func(o *putOp) { o.a, o.b, o.reg, o.scalar, o.big = 2, 3, 4, bytecode.U16, true }), op(putCheck, func(o *putOp) { o.a = 4 })}}
	l.fuse(nil)
	if o := l.ops[0]; len(l.ops) != 2 || o.code != putPatchSize || o.a != 2 || o.b != 0 || o.reg != 4 || o.n != -3 || o.form != 2|formBig || o.mask != 0xffffffffffff0000 {
		t.Errorf("%+v", l.ops)
	}
}

// TestFusePointers makes one operation of pointers that are neighbors, where memory is raw.
func TestFusePointers(t *testing.T) {
	var ops []putOp
	for k := range uintptr(3) {
		ops = append(ops, op(putNil, func(o *putOp) { o.at = 8 + k*pointerSize }))
	}
	l := putList{ops: ops}
	l.fuse(nil)
	if !memory.Raw {
		if len(l.ops) != 3 {
			t.Errorf("%+v", l.ops)
		}
		return
	}
	for set, want := range map[int]bool{-1: true, 0: true, 1: false, 3: false, 4: true} {
		var fields [5]*int
		if set >= 0 {
			fields[set] = new(int)
		}
		l.ops[0].at = pointerSize
		w := &planWriter{mem: memory.Of(nil)}
		_, _, _, pos := w.leaf(putsAt(append(slices.Clone(l.ops), op(putEnd, nil))), placeAt(reflect.ValueOf(&fields)), 0, 0)
		if len(l.ops) != 1 || (pos == 0) != want {
			t.Errorf("pointer %d: place %d, operations %+v", set, pos, l.ops)
		}
	}
}

// TestJoinMarks counts sizes from a mark whose distance is known.
func TestJoinMarks(t *testing.T) {
	run := func(n int32) putOp { return op(putRun, func(o *putOp) { o.off = n }) }
	mark := func(code putCode, reg, off int32) putOp { return op(code, func(o *putOp) { o.reg, o.off = reg, off }) }
	size := func(from int32) putOp { return op(putSize, func(o *putOp) { o.reg, o.a = 9, from }) }
	part, unless := op(putText, nil), func(n int32) putOp { return op(putUnless, func(o *putOp) { o.a, o.off = 7, n }) }
	type sized struct {
		from int32
		less int64
	}
	for name, c := range map[string]struct {
		ops  []putOp
		want []sized
	}{
		"a number that is written later":   {[]putOp{run(8), mark(putMarkRun, 1, 8), mark(putHold, 0, 2), part, size(1)}, []sized{{0, 6}}},
		"two marks":                        {[]putOp{mark(putMark, 1, 0), run(4), mark(putMarkRun, 2, 3), part, size(2), size(1)}, []sized{{1, 3}, {1, 0}}},
		"behind a run":                     {[]putOp{run(4), mark(putMarkRun, 1, 1), mark(putMark, 2, 0), part, size(2)}, []sized{{1, 3}}},
		"a part between":                   {[]putOp{mark(putMark, 1, 0), part, mark(putMark, 2, 0), part, size(2)}, []sized{{2, 0}}},
		"a mark that is a size now":        {[]putOp{mark(putMark, 9, 0), mark(putMark, 2, 0), part, size(9), size(2)}, []sized{{9, 0}, {2, 0}}},
		"a number in place of a mark":      {[]putOp{mark(putMark, 1, 0), mark(putMark, 2, 0), op(putSet, func(o *putOp) { o.reg = 1 }), part, size(2)}, []sized{{2, 0}}},
		"a mark before a condition":        {[]putOp{mark(putMark, 1, 0), mark(putMark, 2, 0), unless(1), part, size(2)}, []sized{{1, 0}}},
		"a mark in a condition":            {[]putOp{unless(1), mark(putMark, 1, 0), mark(putMark, 2, 0), part, size(2)}, []sized{{2, 0}}},
		"a number of a mark in conditions": {[]putOp{mark(putMark, 1, 0), mark(putMark, 2, 0), unless(1), op(putSet, func(o *putOp) { o.reg = 1 }), size(2)}, []sized{{2, 0}}},
	} {
		l := putList{ops: c.ops}
		l.joinMarks()
		var got []sized
		for i := range l.ops {
			if o := &l.ops[i]; o.code == putSize {
				got = append(got, sized{o.a, o.n})
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
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

// TestLiveRegisters checks which registers are read behind an operation. One is if a way from there leads to a use
// before the register is set.
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

// placedOp returns an operation with a place in the run and registers.
func placedOp(code putCode, off, reg, a, b int32, n int64) putOp {
	return putOp{code: code, off: off, reg: reg, a: a, b: b, n: n}
}

// TestNumbersOfParts finds where the number that a word depends on is.
func TestNumbersOfParts(t *testing.T) {
	for want, part := range map[putBy]*wordPart{
		byNone: nil, byParts: {list: true}, byOutside: {size: 8, outside: true}, by8: {size: 1}, by16: {size: 2}, by32: {size: 4}, by64: {size: 8, signed: true},
		bySigned8: {size: 1, signed: true}, bySigned16: {size: 2, signed: true}, bySigned32: {size: 4, signed: true},
	} {
		if got := part.by(); got != want {
			t.Errorf("%+v: %v, want %v", part, got, want)
		}
	}
}

// TestBeginnings compares the bytes that an arm begins with, and the operations that follow them.
func TestBeginnings(t *testing.T) {
	const8 := func(off int32, n int64) putOp {
		o := placedOp(putConst, off, 0, -1, -1, n)
		o.form = 1
		return o
	}
	length := func(mask uint64) putOp {
		o := placedOp(putLength, 0, 0, -1, -1, 0x40)
		o.form, o.mask, o.at = 1, mask, 8
		return o
	}
	text := func(o putOp) putOp { o.at = 8; return o }
	var stops, lacks [256]int64
	stops[0x40], lacks[0x43] = 1, tableLack
	stop := func(table *[256]int64) putOp {
		o := placedOp(putStopTable, 0, -1, 0, -1, 0)
		o.more = &putMore{table: table}
		return o
	}
	run := func(n int32) putOp { return placedOp(putRun, n, -1, -1, -1, 0) }
	big := placedOp(putConst, 1, -1, -1, -1, 0x102)
	big.form = 2 | formBig
	store, end := placedOp(put8, 1, -1, -1, -1, 0), op(putEnd, nil)
	part := &wordPart{offset: 8, text: true}
	elems := &wordPart{offset: 8, list: true}
	counted := func(code putCode) []putOp { // by the low bits of the word
		count := placedOp(putAddN, -1, 1, 0, -1, 0)
		count.mask = 0x3f
		return []putOp{run(1), length(^uint64(0x3f)), count, text(op(code, func(o *putOp) { o.check, o.a = true, 1 })), end}
	}
	for name, c := range map[string]struct {
		ops    []putOp
		part   *wordPart
		number uint64
		want   putBegin
		rest   []putCode
	}{
		"a constant":                       {[]putOp{run(1), const8(0, 7), end}, nil, 0, putBegin{bytes: 7, size: 1, then: beginEnd}, nil},
		"two constants":                    {[]putOp{run(3), const8(0, 7), big, end}, nil, 0, putBegin{bytes: 0x020107, size: 3, then: beginEnd}, nil},
		"a text":                           {[]putOp{run(1), length(^uint64(0x3f)), text(op(putText, nil)), end}, part, 5, putBegin{bytes: 0x45, size: 1, then: beginText}, nil},
		"a text that is too long":          {[]putOp{run(1), length(^uint64(0x3f)), text(op(putText, nil)), end}, part, 64, putBegin{size: 1, then: beginRest}, []putCode{putLength, putText, putEnd}},
		"a text that ends a list":          {[]putOp{run(1), length(^uint64(0x3f)), text(op(putText, nil)), stop(&stops), end}, part, 0, putBegin{bytes: 0x40, size: 1, then: beginText, stop: true}, nil},
		"a text that ends no list":         {[]putOp{run(1), length(^uint64(0x3f)), text(op(putText, nil)), stop(&stops), end}, part, 1, putBegin{bytes: 0x41, size: 1, then: beginText}, nil},
		"a number behind the word":         {[]putOp{run(2), store, const8(0, 0x40), end}, nil, 0, putBegin{bytes: 0x40, size: 2, then: beginRest}, []putCode{put8, putEnd}},
		"a number, and the end of a list":  {[]putOp{run(2), store, const8(0, 0x40), stop(&stops), end}, nil, 0, putBegin{bytes: 0x40, size: 2, then: beginRest, stop: true}, []putCode{put8, putEnd}},
		"a number, and another end":        {[]putOp{run(2), store, const8(0, 0x41), stop(&stops), end}, nil, 0, putBegin{bytes: 0x41, size: 2, then: beginRest}, []putCode{put8, putEnd}},
		"an end that has to be computed":   {[]putOp{run(2), store, const8(0, 0x43), stop(&lacks), end}, nil, 0, noBegin, nil},
		"a record, which may end the list": {[]putOp{run(2), const8(0, 0x40), op(putInner, nil), stop(&stops), end}, nil, 0, noBegin, nil},
		"elements that the word counts":    {counted(putElems), elems, 5, putBegin{bytes: 0x45, size: 1, then: beginRest}, []putCode{putElems, putEnd}},
		"pairs that the word counts":       {counted(putPairs), elems, 5, putBegin{bytes: 0x45, size: 1, then: beginRest}, []putCode{putPairs, putEnd}},
		"bytes that the word counts":       {counted(putOctets), elems, 5, putBegin{bytes: 0x45, size: 1, then: beginRest}, []putCode{putOctets, putEnd}},
		"more than eight bytes":            {[]putOp{run(9), const8(8, 1), end}, nil, 0, putBegin{size: 9, then: beginRest}, []putCode{putConst, putEnd}},
	} {
		a := &recordArm{}
		got := a.begin(&recordPlan{puts: c.ops}, c.part, map[int32]uint64{}, c.number)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		var rest []putCode
		for _, r := range a.rests {
			for i := range r.ops {
				rest = append(rest, r.ops[i].code)
			}
		}
		if !slices.Equal(rest, c.rest) {
			t.Errorf("%s: operations %v follow, want %v", name, rest, c.rest)
		}
	}
}

// TestBitsOfWords checks when bits of a number are a part of a word. All numbers of that width must fit the row of the
// number.
func TestBitsOfWords(t *testing.T) {
	for _, c := range []struct {
		fits bytecode.Scalar
		bits int64
		want bool
	}{
		{bytecode.NoScalar, 8, true}, {bytecode.U8, 7, true}, {bytecode.U8, 8, false}, {bytecode.I8, 8, false}, {bytecode.U8, 9, false}, {bytecode.U16, 15, true}, {bytecode.U16, 16, false},
		{bytecode.U16, 17, false}, {bytecode.U32, 31, true}, {bytecode.U32, 32, false}, {bytecode.U64, 62, true}, {bytecode.U64, 63, false},
	} {
		var w word
		leaf := recordExpr{op: bytecode.ExprValue, part: &wordPart{size: 8}, fits: c.fits}
		got := w.takes(&recordExpr{op: bytecode.ExprFit, n: c.bits, args: []recordExpr{leaf}})
		if got != c.want || got && (len(w.bits) != 1 || w.bits[0].width != uint(c.bits)) {
			t.Errorf("%d bits of %v: %t, %+v", c.bits, c.fits, got, w.bits)
		}
	}
}

// TestFarArms finds the arms of numbers that are too large for a list of all numbers. Other numbers may be at their
// places in the table or not.
func TestFarArms(t *testing.T) {
	for n := uint64(1); n < 40; n++ {
		u := &recordUnion{table: &bytecode.Table{}, arms: make([]recordArm, n)}
		of := map[uint64]*recordArm{}
		for i := range n {
			id := 1000 + i*n
			u.table.Arms = append(u.table.Arms, bytecode.TableArm{ID: id})
			of[id] = &u.arms[i]
		}
		u.hash()
		for id := range 1000 + n*n + 100 {
			if got := u.form(id).arm; got != of[id] {
				t.Errorf("%d numbers: the arm of %d is %p, not %p", n, id, got, of[id])
			}
		}
	}
}

// TestVariants selects the plan of elements by arguments, which are known when the plan is made or in registers.
func TestVariants(t *testing.T) {
	plans := []*recordPlan{{args: 0}, {args: 1}, {args: 2}, {args: 3}}
	flat := []*recordPlan{{flat: true}, {broken: true}, {}, {nests: true}}
	regs := []uint64{0, 1, 2}
	for name, c := range map[string]struct {
		plans  []*recordPlan
		args   []int32
		given  []uint64
		want   *recordPlan
		always bool
		nests  bool
	}{
		"known":                   {plans, []int32{-1, -2}, []uint64{1, 0}, plans[1], true, false},
		"known, no truth":         {plans, []int32{-1, -2}, []uint64{2, 0}, nil, false, false},
		"in registers":            {plans, []int32{0, 1}, nil, plans[2], false, false},
		"in registers, no truth":  {plans, []int32{2, 0}, nil, nil, false, false},
		"no truth for the second": {plans, []int32{0, 2}, nil, nil, false, false},
		"half known":              {plans, []int32{0, -1}, []uint64{1}, nil, false, false},
		"flat":                    {flat, []int32{0, 0}, nil, nil, false, true},
		"broken":                  {flat, []int32{1, 0}, nil, nil, false, true},
		"nesting":                 {flat, []int32{1, 1}, nil, flat[3], false, true},
	} {
		o := op(putElems, nil)
		o.more = &putMore{args: c.args, given: c.given, step: &recordStep{decides: []int{0, 1}, variants: c.plans}}
		o.choose()
		got := o.more.enter
		if (got != nil) != c.always {
			t.Errorf("%s: always %v", name, got)
		}
		if got == nil {
			got = o.more.variant(frameAt(regs, 0))
		}
		if got != c.want || o.more.nests != c.nests && c.want != nil {
			t.Errorf("%s: plan %v, want %v; nests: %v", name, got, c.want, o.more.nests)
		}
	}
}

// TestNumbersAbove finds the number above which all numbers are of an arm, and a number of each arm.
func TestNumbersAbove(t *testing.T) {
	u := &recordUnion{table: &bytecode.Table{Arms: []bytecode.TableArm{{ID: 53}, {ID: 123}, {Else: true}}}}
	for arm, want := range []uint64{math.MaxUint64, math.MaxUint64, 123} {
		if got := u.above(arm); got != want {
			t.Errorf("arm %d: %d, want %d", arm, got, want)
		}
	}
	last := &recordUnion{table: &bytecode.Table{Arms: []bytecode.TableArm{{ID: 0}, {ID: math.MaxUint64}, {Else: true}}}, arms: make([]recordArm, 3)}
	last.forms = []unionForm{{arm: &last.arms[0]}, {arm: &last.arms[2]}}
	for arm, want := range []uint64{0, math.MaxUint64, 1} {
		if got, ok := last.numberOf(arm); got != want || !ok {
			t.Errorf("a number of arm %d: %d, %v, want %d", arm, got, ok, want)
		}
	}
	last.forms = last.forms[:1]
	if got, ok := last.numberOf(2); ok {
		t.Errorf("a number of the arm for all others: %d", got)
	}
}

// TestWritingLoop runs lists of operations of the loop that writes structs. It compares the bytes, the registers, and whether
// the last operation is left to a call.
func TestWritingLoop(t *testing.T) {
	bit := func(o putOp, n int64, mask uint64) putOp { o.n, o.mask = n, mask; return o }
	form := func(o putOp, form uint8) putOp { o.form = form; return o }
	more := func(o putOp, m putMore) putOp { o.more = &m; return o }
	reg := func(code putCode, off, reg, a, b int32) putOp { return placedOp(code, off, reg, a, b, 0) }
	lacks := &[256]int64{7: 1, 8: tableLack}
	for name, c := range map[string]struct {
		ops   []putOp
		out   string   // the bytes up to the place of the loop, from zeros; "" for a refusal
		regs  []uint64 // of 9, 5, 7, 200
		calls bool     // the last operation is left to a call
	}{
		"a record that Values write":              {[]putOp{op(putFail, nil)}, "", nil, false},
		"a hold with its number":                  {[]putOp{reg(putRun, 3, -1, -1, -1), form(reg(putHold, 1, 0, -1, 1), 2)}, "\x00\x00\x00", []uint64{1, 0, 7, 200}, false},
		"a hold without its number":               {[]putOp{reg(putRun, 3, -1, -1, -1), form(reg(putHold, 1, 0, -1, -1), 2)}, "\x00\x00\x00", []uint64{1, 5, 7, 200}, false},
		"a mark":                                  {[]putOp{reg(putRun, 2, -1, -1, -1), reg(putMark, 0, 0, -1, -1)}, "\x00\x00", []uint64{2, 5, 7, 200}, false},
		"a mark in the run":                       {[]putOp{reg(putRun, 1, -1, -1, -1), reg(putRun, 2, -1, -1, -1), reg(putMarkRun, 1, 0, -1, -1)}, "\x00\x00\x00", []uint64{2, 5, 7, 200}, false},
		"a size up to a place in the run":         {[]putOp{reg(putMark, 0, 0, -1, -1), reg(putRun, 1, -1, -1, -1), reg(putRun, 3, -1, -1, -1), reg(putSizeRun, 2, 1, 0, -1)}, "\x00\x00\x00\x00", []uint64{0, 3, 7, 200}, false},
		"a size up to the end":                    {[]putOp{reg(putMark, 0, 0, -1, -1), reg(putRun, 1, -1, -1, -1), reg(putRun, 3, -1, -1, -1), reg(putSize, 0, 1, 0, -1)}, "\x00\x00\x00\x00", []uint64{0, 4, 7, 200}, false},
		"a size less a number":                    {[]putOp{reg(putMark, 0, 0, -1, -1), reg(putRun, 3, -1, -1, -1), placedOp(putSize, 0, 1, 0, -1, 2)}, "\x00\x00\x00", []uint64{0, 1, 7, 200}, false},
		"a size at a place":                       {[]putOp{reg(putRun, 3, -1, -1, -1), reg(putMarkRun, 1, 0, -1, -1), form(bit(reg(putPatchSize, 0, 2, 0, 0), -4, ^uint64(0xff)), 1)}, "\x00\x06\x00", []uint64{1, 5, 6, 200}, false},
		"a size that is too large for its place":  {[]putOp{reg(putRun, 3, -1, -1, -1), reg(putMarkRun, 1, 0, -1, -1), form(bit(reg(putPatchSize, 0, 2, 0, 0), -254, ^uint64(0xff)), 1)}, "", nil, false},
		"the least of two":                        {[]putOp{reg(putMin, 0, 0, 1, 2)}, "\x00", []uint64{5, 5, 7, 200}, false},
		"the most of two":                         {[]putOp{reg(putMax, 0, 0, 1, 2)}, "\x00", []uint64{7, 5, 7, 200}, false},
		"the product of two":                      {[]putOp{reg(putMul, 0, 0, 1, 2)}, "\x00", []uint64{35, 5, 7, 200}, false},
		"two that are equal":                      {[]putOp{reg(putEq, 0, 0, 1, 1)}, "\x00", []uint64{1, 5, 7, 200}, false},
		"two that are not":                        {[]putOp{reg(putEq, 0, 0, 1, 2)}, "\x00", []uint64{0, 5, 7, 200}, false},
		"a number that is not 0":                  {[]putOp{reg(putCheck, 0, -1, 1, -1)}, "\x00", []uint64{9, 5, 7, 200}, false},
		"a number that is 0":                      {[]putOp{reg(putSet, 0, 0, -1, -1), reg(putCheck, 0, -1, 0, -1)}, "", nil, false},
		"two that must be equal":                  {[]putOp{reg(putCheckSame, 0, -1, 1, 1)}, "\x00", []uint64{9, 5, 7, 200}, false},
		"two that must be equal and are not":      {[]putOp{reg(putCheckSame, 0, -1, 1, 2)}, "", nil, false},
		"bits that are 5":                         {[]putOp{bit(reg(putCheckEq, 0, -1, 1, -1), 5, 7)}, "\x00", []uint64{9, 5, 7, 200}, false},
		"bits that are not 4":                     {[]putOp{bit(reg(putCheckEq, 0, -1, 1, -1), 4, 7)}, "", nil, false},
		"bits that are at least 4":                {[]putOp{bit(reg(putCheckLeast, 0, -1, 1, -1), 4, 7)}, "\x00", []uint64{9, 5, 7, 200}, false},
		"bits that are less than 6":               {[]putOp{bit(reg(putCheckLeast, 0, -1, 1, -1), 6, 7)}, "", nil, false},
		"a number of a table":                     {[]putOp{more(reg(putTable, 0, 0, 2, -1), putMore{table: lacks})}, "\x00", []uint64{1, 5, 7, 200}, false},
		"a number that a table has to compute":    {[]putOp{placedOp(putSet, 0, 2, -1, -1, 8), more(reg(putTable, 0, 0, 2, -1), putMore{table: lacks})}, "\x00", []uint64{9, 5, 8, 200}, true},
		"a number that is too large for a table":  {[]putOp{placedOp(putSet, 0, 2, -1, -1, 256), more(reg(putTable, 0, 0, 2, -1), putMore{table: lacks})}, "\x00", []uint64{9, 5, 256, 200}, true},
		"a number that a table refuses":           {[]putOp{more(reg(putCheckTable, 0, -1, 1, -1), putMore{table: lacks})}, "", nil, false},
		"a sum of bits and the length of a text":  {[]putOp{reg(putRun, 2, -1, -1, -1), form(more(placedOp(putTerms, 1, 0, -1, -1, 0x40), putMore{terms: []putTerm{{kind: termText, width: 4}}}), 1)}, "\x00\x43", []uint64{0x43, 5, 7, 200}, false},
		"the same in a register":                  {[]putOp{more(placedOp(putTerms, -1, 0, -1, -1, 0x40), putMore{terms: []putTerm{{kind: termText, width: 4}}})}, "\x00", []uint64{0x43, 5, 7, 200}, false},
		"a length that has no place in its bits":  {[]putOp{more(placedOp(putTerms, -1, 0, -1, -1, 0x40), putMore{terms: []putTerm{{kind: termText, width: 1}}})}, "", nil, false},
		"a length in a register":                  {[]putOp{bit(reg(putLength, -1, 0, -1, -1), 0x40, ^uint64(0x3f))}, "\x00", []uint64{0x43, 5, 7, 200}, false},
		"a length that is too large for its bits": {[]putOp{bit(reg(putLength, -1, 0, -1, -1), 0x40, ^uint64(1))}, "", nil, false},
	} {
		text, out := "abc", make([]byte, 64)
		w := &planWriter{mem: memory.Of(out), end: len(out)}
		w.regs = []uint64{9, 5, 7, 200}
		ops := append(slices.Clone(c.ops), op(putEnd, nil))
		o, _, _, pos := w.leaf(putsAt(ops), placeAt(reflect.ValueOf(&text)), 0, 0)
		want := putCode(putEnd)
		if c.calls {
			want = c.ops[len(c.ops)-1].code
		}
		if c.out == "" {
			if pos != wrong {
				t.Errorf("%s: is not refused", name)
			}
		} else if pos < 0 || string(out[:max(pos, 1)]) != c.out || !slices.Equal(w.regs, c.regs) || o.op().code != want {
			t.Errorf("%s: % x, registers %v, operation %v of %d", name, out[:max(pos, 1)], w.regs, o.op().code, pos)
		}
	}
	for n, ends := range map[int64]bool{0: false, 1: true, 2: true} {
		w := &planWriter{}
		w.regs = []uint64{uint64(n)}
		if w.leaf(putsAt([]putOp{reg(putStop, 0, -1, 0, -1), op(putEnd, nil)}), place{}, 0, 0); w.stop != ends {
			t.Errorf("register %d ends a list: %v", n, w.stop)
		}
	}
}

// TestReadingLoop runs single operations of the loop that reads structs. It compares the number of bytes read, the registers,
// and whether the operation is left to a call.
func TestReadingLoop(t *testing.T) {
	holds := &getMore{expr: &recordExpr{holds: &byteSet{0: 1 << 5, 3: 1 << 8}}}
	for name, c := range map[string]struct {
		op    getOp
		in    string
		pos   int
		reg   uint64
		calls bool
	}{
		"a record that Values read":         {getOp{code: getFail}, "", wrong, 9, false},
		"a run beyond the end":              {getOp{code: getRun, off: 3}, "ab", wrong, 9, false},
		"a run":                             {getOp{code: getRun, off: 2}, "ab", 2, 9, false},
		"a check of a set":                  {getOp{code: getCheckHolds, a: 1, more: holds}, "", 0, 9, false},
		"a check that fails":                {getOp{code: getCheckHolds, a: 2, more: holds}, "", wrong, 9, false},
		"a check of a number that is large": {getOp{code: getCheckHolds, a: 4, more: holds}, "", 0, 9, true},
	} {
		r := &planReader{in: memory.Of([]byte(c.in + "        ")), b: []byte(c.in), end: len(c.in)}
		r.regs = []uint64{9, 5, 7, 200, 256}
		o, _, _, pos := r.leaf(getsAt([]getOp{c.op, {code: getEnd, reg: -1, a: -1, b: -1}}), place{}, 0, 0)
		want := getCode(getEnd)
		if c.calls {
			want = c.op.code
		}
		if pos != c.pos || r.regs[0] != c.reg || pos >= 0 && o.op().code != want {
			t.Errorf("%s: %d bytes, registers %v, operation %v", name, pos, r.regs, o.op().code)
		}
	}
}

// TestWordsOfArm checks when the first word of an arm is always one of the arm. It is if it sets the register of the
// union and all its numbers are of the arm.
func TestWordsOfArm(t *testing.T) {
	bitsOf := func(e recordExpr, shift uint, mask uint64) recordExpr {
		e.n, e.times, e.bits = -1, 1, bytecode.Bits{Shift: shift, Mask: mask}
		return e
	}
	run := func(words ...word) []recordStep { return []recordStep{{code: recordRun, words: words}} }
	part := func(shift, width uint) wordPart { return wordPart{shift: shift, width: width} }
	count := wordPart{list: true}
	for name, c := range map[string]struct {
		id    recordExpr
		steps []recordStep
		want  bool
	}{
		"no steps":                             {registerExpr(0), nil, false},
		"a constant":                           {registerExpr(0), run(word{base: 5}), true},
		"a constant of another arm":            {registerExpr(0), run(word{base: 99}), false},
		"a word of another register":           {registerExpr(0), run(word{base: 5, reg: 1}), false},
		"a word behind the word":               {registerExpr(0), run(word{base: 5}, word{base: 5}), false},
		"a word that is moved":                 {registerExpr(0), run(word{base: 5, moved: true}), false},
		"a word that is set again":             {registerExpr(0), append(run(word{base: 5}), recordStep{code: recordLet}), false},
		"bits of the arm":                      {registerExpr(0), run(word{base: 4, bits: []wordPart{part(0, 2)}}), true},
		"bits of two arms":                     {registerExpr(0), run(word{base: 4, bits: []wordPart{part(0, 4)}}), false},
		"bits that are carried":                {registerExpr(0), run(word{base: 4, bits: []wordPart{part(2, 1)}}), false},
		"nine bits":                            {registerExpr(0), run(word{bits: []wordPart{part(0, 9)}}), false},
		"nine bits that the number is not of":  {bitsOf(registerExpr(0), 16, 7), run(word{base: 5 << 16, bits: []wordPart{part(0, 9)}}), true},
		"a count that the number is not of":    {bitsOf(registerExpr(0), 16, 7), run(word{base: 5 << 16, count: &count, most: 255}), true},
		"a count that the number is of":        {registerExpr(0), run(word{base: 5, count: &count, most: 3}), false},
		"a count that is carried":              {bitsOf(registerExpr(0), 16, 7), run(word{base: 5<<16 + 1, count: &count, most: 255}), false},
		"a count of 64 bits":                   {bitsOf(registerExpr(0), 63, 1), run(word{count: &count, most: 1 << 63}), false},
		"a number that is of another register": {registerExpr(1), run(word{base: 5}), false},
	} {
		u := &recordUnion{size: 1, id: &c.id, arms: make([]recordArm, 2)}
		u.forms = make([]unionForm, 8)
		plan := &recordPlan{steps: c.steps}
		for id := 4; id < 8; id++ {
			u.forms[id] = unionForm{arm: &u.arms[0], plan: plan}
		}
		u.table = &bytecode.Table{}
		if got := u.always(&u.arms[0], plan); got != c.want {
			t.Errorf("%s: always %v", name, got)
		}
	}
}

// TestRegisterLists drops registers that nothing reads, and finds what a list sets first.
func TestRegisterLists(t *testing.T) {
	for _, c := range []struct {
		keep   []int32
		reg, b int32
	}{{[]int32{1, 2}, 1, 2}, {[]int32{1}, 1, -1}, {[]int32{2}, 1, 2}} {
		l := putList{ops: []putOp{placedOp(putHold, 0, 1, -1, 2, 0)}}
		l.drop(c.keep)
		if o := &l.ops[0]; o.reg != c.reg || o.b != c.b {
			t.Errorf("a place for a number, with the registers %v read behind it: %+v", c.keep, o)
		}
	}
	l := putList{ops: []putOp{placedOp(putConst, 0, 1, -1, -1, 0)}}
	if l.drop(nil); l.ops[0].reg != none {
		t.Errorf("a number in a register that nothing reads: %+v", l.ops[0])
	}
	jump, set, mark := placedOp(putUnless, 1, -1, 0, -1, 0), placedOp(putSet, 0, 3, -1, -1, 9), placedOp(putMark, 0, 1, -1, -1, 0)
	for name, c := range map[string]struct {
		ops  []putOp
		want bool
	}{
		"a list that sets it":     {[]putOp{mark, set}, true},
		"a list that may jump":    {[]putOp{jump, set}, false},
		"a list that sets others": {[]putOp{mark}, false},
	} {
		if got := setsFirst(c.ops, 3); got != c.want {
			t.Errorf("%s: sets it first: %v", name, got)
		}
	}
}

// TestRanges finds the numbers that conditions hold for.
func TestRanges(t *testing.T) {
	line := func(last, slope, base int64) bytecode.Line {
		return bytecode.Line{Last: last, Slope: slope, Base: base}
	}
	lines := func(list ...bytecode.Line) recordExpr {
		return recordExpr{op: bytecode.ExprEither, lines: list, args: []recordExpr{registerExpr(0)}}
	}
	compare := func(op bytecode.ExprOp, n int64) recordExpr {
		e := registerExpr(-1)
		e.op, e.than, e.times, e.bits = op, n, 1, bytecode.Bits{Mask: ^uint64(0)}
		return e
	}
	for name, c := range map[string]struct {
		e    recordExpr
		ok   bool
		ends []int64 // the first and the last number
	}{
		"below 4":                     {lines(line(3, 0, 1), line(math.MaxInt64, 0, 0)), true, []int64{math.MinInt64, 3}},
		"from 4":                      {lines(line(3, 0, 0), line(math.MaxInt64, 0, 1)), true, []int64{4, math.MaxInt64}},
		"from 4 to 8":                 {lines(line(3, 0, 0), line(8, 0, 1), line(math.MaxInt64, 0, 0)), true, []int64{4, 8}},
		"below 4 and from 8":          {lines(line(3, 0, 1), line(7, 0, 0), line(math.MaxInt64, 0, 1)), true, []int64{8, 3}},
		"4 and 8":                     {lines(line(3, 0, 0), line(4, 0, 1), line(7, 0, 0), line(8, 0, 1), line(math.MaxInt64, 0, 0)), false, nil},
		"a sum":                       {lines(line(math.MaxInt64, 1, 1)), false, nil},
		"equal":                       {compare(bytecode.ExprEq, 7), true, []int64{7, 7}},
		"above the largest number":    {compare(bytecode.ExprGt, math.MaxInt64), false, nil},
		"below the least number":      {compare(bytecode.ExprLt, math.MinInt64), false, nil},
		"another operation":           {compare(bytecode.ExprShl, 1), false, nil},
		"a number that is not 0":      {registerExpr(0), true, []int64{1, -1}},
		"bits with a floor":           {func() recordExpr { e := compare(bytecode.ExprEq, 7); e.bits.Floor = true; return e }(), false, nil},
		"a multiple that is compared": {func() recordExpr { e := compare(bytecode.ExprEq, 7); e.times = 2; return e }(), false, nil},
	} {
		in, ok := rangeOf(&c.e)
		if ok != c.ok || ok && (int64(in.low) != c.ends[0] || int64(in.low+in.span) != c.ends[1]) {
			t.Errorf("%s: %d to %d, %v", name, int64(in.low), int64(in.low+in.span), ok)
		}
	}
	truths, others := lines(line(3, 0, 1), line(math.MaxInt64, 0, 0)), lines(line(3, 0, 1), line(math.MaxInt64, 0, 2))
	if e := truths.tabled(); e.holds == nil || *e.holds != [4]uint64{0xf} || e.n != 0 {
		t.Errorf("a table of truths: %+v", e)
	}
	if e := others.tabled(); e != &others {
		t.Errorf("a table of numbers that are no truths: %+v", e)
	}
}
