package codec

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
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

// TestFuseOperations compares lists of operations after fusion with those that they should become.
func TestFuseOperations(t *testing.T) {
	into := func(reg int32) func(*putOp) { return func(op *putOp) { op.reg = reg } }
	bytes := func(reg, off int32) func(*putOp) { return func(op *putOp) { op.reg, op.off = reg, off } }
	self := func(op *putOp) { op.reg, op.a, op.mask = 4, 4, ^uint64(0) }
	at := func(word uintptr) func(*putOp) { return func(op *putOp) { op.at = word * strconv.IntSize / 8 } }
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
		"pointers that must be nil, two and two and one":    {[]putOp{op(putNil, nil), op(putNil, at(1)), op(putNil, at(2)), op(putNil, at(3)), op(putNil, at(4))}, []putCode{putNil}},
		"pointers that must be nil, and another one":        {[]putOp{op(putNil, nil), op(putNil, at(2))}, []putCode{putNil, putNil}},
		"marks that are neighbors without the copy between": {[]putOp{op(putMark, into(1)), op(putPick, self), op(putMark, into(2))}, []putCode{putMark}},
	} {
		if c.ops[0].code == putNil && !memory.Raw {
			continue // pointers in checked memory are read one by one
		}
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

// line describes the parts of an operation that tests of lists compare.
func (op *putOp) line() string {
	return fmt.Sprintf("%d off %d reg %d a %d b %d n %d", op.code, op.off, op.reg, op.a, op.b, op.n)
}

// compareOps compares operations with those that a case wants.
func compareOps(t *testing.T, name string, got, want []putOp) {
	t.Helper()
	lines := func(ops []putOp) (out []string) {
		for i := range ops {
			out = append(out, ops[i].line())
		}
		return out
	}
	if !slices.Equal(lines(got), lines(want)) {
		t.Errorf("%s: operations %q, want %q", name, lines(got), lines(want))
	}
}

// placedOp returns an operation with a place in the run and registers.
func placedOp(code putCode, off, reg, a, b int32, n int64) putOp {
	return putOp{code: code, off: off, reg: reg, a: a, b: b, n: n}
}

// TestRelateOperations replaces registers with places of the last run by the places themselves.
func TestRelateOperations(t *testing.T) {
	mark, run, since := placedOp(putMark, 0, 1, -1, -1, 0), placedOp(putRun, 8, -1, -1, -1, 0), placedOp(putSize, 0, 2, 1, -1, 0)
	place, patch := placedOp(putMarkRun, 3, 1, -1, -1, 0), placedOp(putPatch, 0, 5, 1, 2, 0)
	other := placedOp(putMark, 0, 3, -1, 4, 0)
	into := func(code putCode, reg, b int32) putOp { return placedOp(code, 0, reg, -1, b, 0) }
	for name, c := range map[string]struct{ ops, want []putOp }{
		"a mark before a run":                     {[]putOp{mark, run}, []putOp{run, into(putMarkRun, 1, -1)}},
		"two marks before a run":                  {[]putOp{mark, other, run}, []putOp{run, into(putMarkRun, 1, -1), into(putMarkRun, 3, 4)}},
		"marks and a run behind a condition":      {[]putOp{placedOp(putUnless, 1, -1, 0, -1, 0), mark, run}, []putOp{placedOp(putUnless, 1, -1, 0, -1, 0), mark, run}},
		"a mark and no run":                       {[]putOp{mark, since}, []putOp{mark, since}},
		"the size since a place of the run":       {[]putOp{place, since}, []putOp{place, placedOp(putSizeSince, 3, 2, -1, -1, 0)}},
		"the size since the place of another run": {[]putOp{place, run, since}, []putOp{place, run, since}},
		"the size since a register that is set":   {[]putOp{place, placedOp(putSet, 0, 1, -1, -1, 9), since}, []putOp{place, placedOp(putSet, 0, 1, -1, -1, 9), since}},
		"the size between places of the run":      {[]putOp{place, placedOp(putSizeRun, 8, 2, 1, -1, 0)}, []putOp{place, placedOp(putSet, 0, 2, -1, -1, 5)}},
		"a patch of the run":                      {[]putOp{placedOp(putHold, 6, 1, -1, -1, 0), patch}, []putOp{placedOp(putHold, 6, 1, -1, -1, 0), placedOp(putFit, 6, 5, 2, -1, 0)}},
		"a patch behind the target of a jump":     {[]putOp{placedOp(putUnless, 1, -1, 0, -1, 0), place, patch}, []putOp{placedOp(putUnless, 1, -1, 0, -1, 0), place, patch}},
		"the size since one of two registers":     {[]putOp{placedOp(putMarkRun, 3, 4, -1, 1, 0), since}, []putOp{placedOp(putMarkRun, 3, 4, -1, 1, 0), placedOp(putSizeSince, 3, 2, -1, -1, 0)}},
	} {
		l := putList{ops: slices.Clone(c.ops)}
		l.relate()
		compareOps(t, name, l.ops, c.want)
	}
}

// TestSumPatch makes one operation of a word of zeros, its place, a checksum and the patch of the word.
func TestSumPatch(t *testing.T) {
	if !memory.Raw {
		t.Skip("only raw stores are fused")
	}
	end := op(putEnd, nil)
	fused := []putOp{placedOp(putSumPatch, 4, 1, -1, -1, 0), end}
	for name, c := range map[string]struct {
		change func(ops []putOp)
		next   putOp
		keep   []int32
		want   bool
	}{
		"all five":                    {next: end, want: true},
		"a place behind the word":     {change: func(ops []putOp) { ops[1].off = 4 }, next: end},
		"a second register":           {change: func(ops []putOp) { ops[1].b = 3 }, next: end},
		"a word behind another":       {change: func(ops []putOp) { ops[2].off, ops[0].off = 4, 8 }, next: end},
		"a word that is not 0":        {change: func(ops []putOp) { ops[2].n = 1 }, next: end},
		"a word in a register":        {change: func(ops []putOp) { ops[2].reg = 4 }, keep: []int32{4}, next: end},
		"a run with more bytes":       {change: func(ops []putOp) { ops[0].off = 5 }, next: end},
		"a patch of another place":    {change: func(ops []putOp) { ops[4].off = 4 }, next: end},
		"a patch of another size":     {change: func(ops []putOp) { ops[4].scalar = bytecode.U16 }, next: end},
		"a patch in another order":    {change: func(ops []putOp) { ops[4].big = true }, next: end},
		"another number":              {change: func(ops []putOp) { ops[4].a = 5 }, next: end},
		"a checksum that is read":     {keep: []int32{2}, next: end},
		"an operation of the run":     {next: placedOp(putLoad8, 0, 7, -1, -1, 0), keep: []int32{7}},
		"an operation of another run": {next: placedOp(putRun, 1, -1, -1, -1, 0), want: true},
	} {
		ops := []putOp{placedOp(putRun, 4, -1, -1, -1, 0), placedOp(putMarkRun, 0, 1, -1, -1, 0), placedOp(putConst, 0, -1, -1, -1, 0), placedOp(putSum, 0, 2, -1, -1, 0), placedOp(putFit, 0, -1, 2, -1, 0), c.next}
		ops[2].scalar, ops[4].scalar = bytecode.U32, bytecode.U32
		if c.change != nil {
			c.change(ops)
		}
		l := putList{ops: ops}
		ok := l.sumPatch(0, l.targets(), liveAfter(l.ops, c.keep))
		if ok != c.want {
			t.Errorf("%s: fused: %v", name, ok)
		} else if ok {
			compareOps(t, name, []putOp{l.ops[0], end}, fused)
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

// TestOverwritten drops what writes a number that another operation writes again before anything looks at it.
func TestOverwritten(t *testing.T) {
	sized := func(o putOp, s bytecode.Scalar) putOp { o.scalar = s; return o }
	fit := sized(placedOp(putFit, 2, -1, 5, -1, 0), bytecode.U16)
	first, kept := sized(placedOp(putConst, 2, -1, -1, -1, 7), bytecode.U16), sized(placedOp(putConst, 2, 3, -1, -1, 7), bytecode.U16)
	byte8, inner := sized(placedOp(putConst, 2, -1, -1, -1, 7), bytecode.U8), op(putInner, nil)
	terms := sized(placedOp(putTerms, 2, 3, -1, -1, 0), bytecode.U16)
	sum, jump := placedOp(putSum, 0, 4, -1, -1, 0), placedOp(putUnless, 1, -1, 5, -1, 0)
	for name, c := range map[string]struct{ ops, want []putOp }{
		"a constant":                         {[]putOp{first, inner, fit}, []putOp{inner, fit}},
		"a constant in a register":           {[]putOp{kept, fit}, []putOp{placedOp(putSet, 0, 3, -1, -1, 7), fit}},
		"a word in a register":               {[]putOp{terms, fit}, []putOp{placedOp(putTerms, -1, 3, -1, -1, 0), fit}},
		"a number of another size":           {[]putOp{byte8, fit}, []putOp{byte8, fit}},
		"a checksum between":                 {[]putOp{first, sum, fit}, []putOp{first, sum, fit}},
		"another run between":                {[]putOp{first, placedOp(putRun, 4, -1, -1, -1, 0), fit}, []putOp{first, placedOp(putRun, 4, -1, -1, -1, 0), fit}},
		"a number that is written sometimes": {[]putOp{first, jump, fit}, []putOp{first, jump, fit}},
		"a number at another place":          {[]putOp{first, sized(placedOp(putFit, 4, -1, 5, -1, 0), bytecode.U16)}, []putOp{first, sized(placedOp(putFit, 4, -1, 5, -1, 0), bytecode.U16)}},
	} {
		l := putList{ops: slices.Clone(c.ops)}
		l.overwritten()
		compareOps(t, name, l.ops, c.want)
	}
}

// TestNeighborConstants makes one known number of two in neighboring bytes.
func TestNeighborConstants(t *testing.T) {
	known := func(off int32, s bytecode.Scalar, big bool, n int64) putOp {
		return putOp{code: putConst, off: off, reg: -1, a: -1, b: -1, n: n, scalar: s, big: big}
	}
	for name, c := range map[string]struct {
		a, b putOp
		n    uint64
		want bytecode.Scalar
	}{
		"two bytes":                {known(4, bytecode.U8, false, 1), known(5, bytecode.U8, false, 2), 0x0201, bytecode.U16},
		"big-endian and little":    {known(0, bytecode.U16, true, 0x102), known(2, bytecode.U16, false, 0x304), 0x03040201, bytecode.U32},
		"eight bytes":              {known(0, bytecode.U32, true, 0x89504e47), known(4, bytecode.U32, true, 0x0d0a1a0a), 0x0a1a0a0d474e5089, bytecode.U64},
		"a negative number":        {known(0, bytecode.I8, false, -1), known(1, bytecode.I8, false, -2), 0xfeff, bytecode.U16},
		"three bytes":              {known(0, bytecode.U16, false, 1), known(2, bytecode.U8, false, 2), 1, bytecode.NoScalar},
		"a byte between":           {known(0, bytecode.U8, false, 1), known(2, bytecode.U8, false, 2), 1, bytecode.NoScalar},
		"the second one is before": {known(1, bytecode.U8, false, 1), known(0, bytecode.U8, false, 2), 1, bytecode.NoScalar},
	} {
		got := c.a
		if ok := got.with(&c.b, regSet{0}); ok != (c.want != bytecode.NoScalar) || uint64(got.n) != c.n || ok && (got.scalar != c.want || got.big) {
			t.Errorf("%s: %v, %#x of %v", name, ok, got.n, got.scalar)
		}
	}
}

// TestCheckedBytes makes one operation of a load of a byte and a check of it.
func TestCheckedBytes(t *testing.T) {
	var months, lacks [256]int64
	for n := 1; n < 13; n++ {
		months[n] = 1
	}
	lacks[9] = tableLack
	check := func(code putCode, n int64, mask uint64) putOp {
		o := placedOp(code, 0, -1, 1, -1, n)
		o.mask = mask
		return o
	}
	table := func(t *[256]int64) putOp { o := check(putCheckTable, 0, 0); o.more = &putMore{table: t}; return o }
	for name, c := range map[string]struct {
		check putOp
		keep  []int32
		ok    func(n uint64) bool // nil if they stay two
	}{
		"a table":               {table(&months), nil, func(n uint64) bool { return n >= 1 && n <= 12 }},
		"a table with lacks":    {table(&lacks), nil, nil},
		"a range":               {check(putCheckIn, 3, 4), nil, func(n uint64) bool { return n >= 3 && n <= 7 }},
		"less":                  {check(putCheckLess, 24, 0x1f), nil, func(n uint64) bool { return n&0x1f < 24 }},
		"at least":              {check(putCheckLeast, 2, 0xff), nil, func(n uint64) bool { return n >= 2 }},
		"equal":                 {check(putCheckEq, 2, 0xff), nil, nil},
		"a register that stays": {check(putCheckIn, 3, 4), []int32{1}, nil},
	} {
		l := putList{ops: []putOp{placedOp(putLoad8, 5, 1, -1, -1, 0), c.check}}
		l.fuse(c.keep)
		if c.ok == nil {
			if len(l.ops) != 2 {
				t.Errorf("%s: operations %+v", name, l.ops)
			}
			continue
		}
		if len(l.ops) != 1 || l.ops[0].code != putCheckByte || l.ops[0].off != 5 {
			t.Errorf("%s: operations %+v", name, l.ops)
			continue
		}
		for n := range uint64(256) {
			if (l.ops[0].more.table[n] != 0) != c.ok(n) {
				t.Errorf("%s: byte %d is allowed: %v", name, n, !c.ok(n))
			}
		}
	}
}

// TestSettleArguments gives arguments that are known as numbers.
func TestSettleArguments(t *testing.T) {
	set, jump := placedOp(putSet, 0, 1, -1, -1, 9), placedOp(putUnless, 1, -1, 0, -1, 0)
	for name, c := range map[string]struct {
		ops  []putOp
		want []int32
	}{
		"a number":                 {[]putOp{set}, []int32{-2, 3, -1}},
		"a number of one way":      {[]putOp{jump, set}, []int32{1, 3, -1}},
		"a register that is moved": {[]putOp{placedOp(putPick, 0, 1, 0, -1, 0)}, []int32{1, 3, -1}},
	} {
		inner := op(putInner, nil)
		inner.more = &putMore{args: []int32{1, 3, -1}, given: []uint64{5}}
		l := putList{ops: append(slices.Clone(c.ops), inner)}
		l.settle()
		m := l.ops[len(l.ops)-1].more
		if !slices.Equal(m.args, c.want) || m.args[0] < 0 && m.given[-1-m.args[0]] != 9 || m.given[0] != 5 {
			t.Errorf("%s: arguments %v of %v, want %v", name, m.args, m.given, c.want)
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

// TestNumbersAbove finds the number above which all numbers are of an arm.
func TestNumbersAbove(t *testing.T) {
	u := &recordUnion{table: &bytecode.Table{Arms: []bytecode.TableArm{{ID: 53}, {ID: 123}, {Else: true}}}}
	for arm, want := range []uint64{math.MaxUint64, math.MaxUint64, 123} {
		if got := u.above(arm); got != want {
			t.Errorf("arm %d: %d, want %d", arm, got, want)
		}
	}
}
