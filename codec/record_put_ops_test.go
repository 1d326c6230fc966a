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
		"a load in the other order":                         {[]putOp{op(put32Big, bytes(-1, 0)), op(putLoad32Big, bytes(2, 0))}, []putCode{putReg32Big}},
		"a load behind a write and another write":           {[]putOp{op(put16, bytes(-1, 0)), op(put8, bytes(-1, 3)), op(putLoad16, bytes(2, 0))}, []putCode{putReg16, put8}},
		"a load at the target of a jump":                    {[]putOp{op(putJump, nil), op(put8, bytes(-1, 3)), op(putLoad8, bytes(2, 3))}, []putCode{putJump, putReg8}},
		"a load behind the target of a jump":                {[]putOp{op(putJump, func(op *putOp) { op.off = 1 }), op(put8, bytes(-1, 3)), op(putLoad8, bytes(2, 3))}, []putCode{putJump, put8, putLoad8}},
		"two marks":                                         {[]putOp{op(putMark, into(1)), op(putMark, into(2))}, []putCode{putMark}},
		"three marks":                                       {[]putOp{op(putMark, into(1)), op(putMark, into(2)), op(putMark, into(0))}, []putCode{putMark, putMark}},
		"a mark of registers 1 and 0, and another one":      {[]putOp{op(putMark, func(op *putOp) { op.reg, op.b = 1, 0 }), op(putMark, into(2))}, []putCode{putMark, putMark}},
		"pointers that must be nil, two and two and one":    {[]putOp{op(putNil, nil), op(putNil, at(1)), op(putNil, at(2)), op(putNil, at(3)), op(putNil, at(4))}, []putCode{putNil}},
		"two registers with a place of the run":             {[]putOp{op(putMarkRun, bytes(1, 3)), op(putMarkRun, bytes(2, 3))}, []putCode{putMarkRun}},
		"registers with two places of the run":              {[]putOp{op(putMarkRun, bytes(1, 3)), op(putMarkRun, bytes(2, 4))}, []putCode{putMarkRun, putMarkRun}},
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
		"a text of the run":           {next: putOp{code: putText, reg: -1, a: -1, b: -1, placed: true}},
		"a text behind the run":       {next: op(putText, nil), want: true},
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
		"a mark in two registers":                 {[]putOp{reg(putRun, 2, -1, -1, -1), reg(putMark, 0, 0, -1, 2)}, "\x00\x00", []uint64{2, 5, 2, 200}, false},
		"a mark in the run in two registers":      {[]putOp{reg(putRun, 1, -1, -1, -1), reg(putRun, 2, -1, -1, -1), reg(putMarkRun, 1, 0, -1, 2)}, "\x00\x00\x00", []uint64{2, 5, 2, 200}, false},
		"a size up to a place in the run":         {[]putOp{reg(putMark, 0, 0, -1, -1), reg(putRun, 1, -1, -1, -1), reg(putRun, 3, -1, -1, -1), reg(putSizeRun, 2, 1, 0, -1)}, "\x00\x00\x00\x00", []uint64{0, 3, 7, 200}, false},
		"a size up to the end":                    {[]putOp{reg(putMark, 0, 0, -1, -1), reg(putRun, 1, -1, -1, -1), reg(putRun, 3, -1, -1, -1), reg(putSize, 0, 1, 0, -1)}, "\x00\x00\x00\x00", []uint64{0, 4, 7, 200}, false},
		"a number at a place before":              {[]putOp{reg(putRun, 1, -1, -1, -1), reg(putKeep, 0, 0, -1, -1), reg(putRun, 1, -1, -1, -1), reg(putBack, 0, -1, 0, -1), form(reg(putHead, 0, -1, 2, -1), 1)}, "\x07\x00", []uint64{0, 5, 7, 200}, false},
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
		"a byte of a table":                       {[]putOp{reg(putRun, 1, -1, -1, -1), form(reg(putHead, 0, -1, 2, -1), 1), more(reg(putCheckByte, 0, -1, -1, -1), putMore{table: lacks})}, "\x07", []uint64{9, 5, 7, 200}, false},
		"a byte of no table":                      {[]putOp{reg(putRun, 1, -1, -1, -1), form(reg(putHead, 0, -1, 1, -1), 1), more(reg(putCheckByte, 0, -1, -1, -1), putMore{table: lacks})}, "", nil, false},
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
		"a record that Values read":           {getOp{code: getFail}, "", wrong, 9, false},
		"a run beyond the end":                {getOp{code: getRun, off: 3}, "ab", wrong, 9, false},
		"a run":                               {getOp{code: getRun, off: 2}, "ab", 2, 9, false},
		"a number of a set":                   {getOp{code: getHolds, reg: 0, a: 1, more: holds}, "", 0, 1, false},
		"a number of a set, of another word":  {getOp{code: getHolds, reg: 0, a: 3, more: holds}, "", 0, 1, false},
		"a number of no set":                  {getOp{code: getHolds, reg: 0, a: 2, more: holds}, "", 0, 0, false},
		"a number that is too large for sets": {getOp{code: getHolds, reg: 0, a: 4, more: holds}, "", 0, 9, true},
		"a check of a set":                    {getOp{code: getCheckHolds, a: 1, more: holds}, "", 0, 9, false},
		"a check that fails":                  {getOp{code: getCheckHolds, a: 2, more: holds}, "", wrong, 9, false},
		"a check of a number that is large":   {getOp{code: getCheckHolds, a: 4, more: holds}, "", 0, 9, true},
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

// TestWordsOfArm: the first word of an arm is always one of the arm if it sets the register of the union and all its
// numbers are of the arm.
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

// TestRegisterLists drops registers of marks, finds what a list sets first, and takes no register or length for another one.
func TestRegisterLists(t *testing.T) {
	mark := op(putMark, func(o *putOp) { o.reg, o.b = 1, 2 })
	l := putList{ops: []putOp{mark}}
	l.drop([]int32{2})
	if o := &l.ops[0]; o.reg != 2 || o.b != -1 {
		t.Errorf("a mark of which the second register is read: %+v", o)
	}
	jump, set := placedOp(putUnless, 1, -1, 0, -1, 0), placedOp(putSet, 0, 3, -1, -1, 9)
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
	terms := func(off int32, reg int32) putOp {
		o := placedOp(putTerms, off, reg, -1, -1, 4)
		o.more = &putMore{terms: []putTerm{{kind: termText, width: 2, at: 8}}}
		return o
	}
	for name, c := range map[string]struct {
		between []putOp
		want    putCode
	}{
		"a word that is computed before":     {nil, putPick},
		"a word before a jump":               {[]putOp{jump}, putTerms},
		"a word before a use of a register":  {[]putOp{placedOp(putSet, 0, 5, -1, -1, 1)}, putTerms},
		"a word before another register set": {[]putOp{set}, putPick},
	} {
		l := putList{ops: append(append([]putOp{terms(1, -1)}, c.between...), terms(-1, 5))}
		l.share()
		if got := l.ops[len(l.ops)-1].code; got != c.want {
			t.Errorf("%s: operation %v, want %v", name, got, c.want)
		}
	}
	word := terms(0, 5)
	for name, c := range map[string]struct {
		n    int64
		more []putTerm
		want bool
	}{
		"a length":                           {4, nil, true},
		"a length with a constant in it":     {1, nil, false},
		"a length, and bits above":           {4, []putTerm{{kind: 1, shift: 3, width: 2}}, true},
		"a length, and bits in a constant":   {4, []putTerm{{kind: 1, shift: 2, width: 2}}, false},
		"a length, and bits in other ones":   {4, []putTerm{{kind: 1, shift: 4, width: 2}, {kind: 1, shift: 5, width: 2}}, false},
		"a length, and another text of bits": {4, []putTerm{{kind: termText, shift: 4, width: 2, at: 16}}, true},
	} {
		word.n, word.more = c.n, &putMore{terms: append([]putTerm{{kind: termText, width: 2, at: 8}}, c.more...)}
		if got := word.hasLength(8, 0, 3); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	l = putList{ops: []putOp{placedOp(putHoldMark, 0, 1, -1, 2, 0), placedOp(putAdd, 0, 3, 2, 1, 0)}}
	if l.share(); l.ops[1].a != 2 || l.ops[1].b != 1 {
		t.Errorf("a hold and a mark have different values, which are added: %+v", l.ops[1])
	}
	v := putValues{}
	v.forget()
	n := v.get(4)
	if v.set(2, n); v.first(2) != 4 {
		t.Error("the first register with a value is not the one that has had it")
	}
	if v.set(4, v.last+1); v.first(2) != 2 || v.first(-1) != -1 {
		t.Error("a register is not the first one with its value though the one before has another")
	}
	if v.set(6, n); v.first(6) != 2 {
		t.Error("the holder of a value is not kept")
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
	both := func(a, b recordExpr) recordExpr { return recordExpr{op: bytecode.ExprBoth, args: []recordExpr{a, b}} }
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
		"at least 7 and below 9":      {both(compare(bytecode.ExprGe, 7), compare(bytecode.ExprLt, 9)), true, []int64{7, 8}},
		"above 9 and below 7":         {both(compare(bytecode.ExprGt, 9), compare(bytecode.ExprLt, 7)), false, nil},
		"at least 7, and a list":      {both(compare(bytecode.ExprGe, 7), lines(line(math.MaxInt64, 1, 1))), false, nil},
		"at least 7, and not 9":       {both(compare(bytecode.ExprGe, 7), compare(bytecode.ExprNe, 9)), false, nil},
		"above the largest number":    {compare(bytecode.ExprGt, math.MaxInt64), false, nil},
		"below the least number":      {compare(bytecode.ExprLt, math.MinInt64), false, nil},
		"another operation":           {compare(bytecode.ExprShl, 1), false, nil},
		"a number that is not 0":      {registerExpr(0), true, []int64{1, -1}},
		"bits with a floor":           {func() recordExpr { e := compare(bytecode.ExprEq, 7); e.bits.Floor = true; return e }(), false, nil},
		"a multiple that is compared": {func() recordExpr { e := compare(bytecode.ExprEq, 7); e.times = 2; return e }(), false, nil},
	} {
		in, ok := boundsOf(&c.e)
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
