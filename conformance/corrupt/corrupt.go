// Damage: packets that are wrong in one place.

package corrupt

import (
	"bytes"
	"iter"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// Engine damages packets and changes values of one program. It can be used again
// and is for one goroutine at a time.
type Engine struct {
	m    *interp.Machine
	p    *bytecode.Program
	opt  interp.Options
	rows *reader
	r    *interp.Reader
	rule map[*bytecode.Rule]uint32
	wrap []byte // the bytes before a value that make it the only element of another one
	leaf []byte // a value that wrap makes the only element
	nest bool   // whether wrap is known, or known not to exist
	gen  *interp.Generator
	// The simplest value of each type.
	sample []interp.Value
	form   map[uint16]form     // of tuples and arrays, by tag
	edge   map[uint16][]uint64 // boundaries of the numbers in a type, by tag
	limits []int               // of [Engine.Sized]; nil before they are needed
}

// New returns an Engine for a machine and the options that its packets are read
// with.
func New(m *interp.Machine, opt interp.Options) *Engine {
	p := m.Program()
	e := &Engine{m: m, p: p, opt: opt, rows: analyse(p), r: m.NewReader(opt), rule: make(map[*bytecode.Rule]uint32, len(p.Rules))}
	for i := range p.Rules {
		e.rule[&p.Rules[i]] = uint32(i)
	}
	return e
}

// Kind names what was done to a packet.
type Kind string

// The kinds of damage.
const (
	OneShort      Kind = "one short"        // a length or count is one lower
	Fewer         Kind = "fewer"            // a length ends inside of what it counts
	OneMore       Kind = "one more"         // it is one higher
	OneMoreThere  Kind = "one more there"   // it is one higher, and zeros for the counted parts are at the end
	NoneAtAll     Kind = "zero"             // it is 0
	Huge          Kind = "huge"             // it is the highest positive number
	Large         Kind = "large"            // it is far more than there is, and little enough to take memory for
	Negative      Kind = "negative"         // all of its bits are set
	Wraps         Kind = "wraps"            // times the size of an element it is, in 32 bits, what it was
	TopBit        Kind = "top bit"          // its highest bit is set
	ByteOrder     Kind = "byte order"       // the bytes of a number are in the other order
	UnknownID     Kind = "unknown id"       // the first number that no arm has
	LastID        Kind = "last id"          // the highest number that there is room for
	OtherID       Kind = "other id"         // the number of another arm
	OtherFlag     Kind = "other flag"       // a flag that rows depend on is changed, and the rows are not
	UnknownFlag   Kind = "unknown flag"     // a bit is set that nobody reads
	AllFlags      Kind = "all flags"        // all of these bits are set
	OtherTruth    Kind = "other truth"      // true is another number than 1
	NotAllowed    Kind = "not allowed"      // a number that a condition is about is changed
	NoPadding     Kind = "no padding"       // padding is left out
	ShortPadding  Kind = "short padding"    // one byte of it is left out
	SetPadding    Kind = "set padding"      // it is not what a writer fills it with
	ExtraPadding  Kind = "extra padding"    // it is there where none is needed, or twice
	CutBefore     Kind = "cut before"       // the packet ends before a row
	CutInside     Kind = "cut inside"       // it ends one byte before the row does
	RowMissing    Kind = "row missing"      // the bytes of a row are left out
	RowTwice      Kind = "row twice"        // they are there twice
	BytesAfter    Kind = "bytes after"      // there are bytes after the value
	TooDeep       Kind = "too deep"         // one level deeper than allowed
	FarTooDeep    Kind = "far too deep"     // many times deeper
	NULInside     Kind = "NUL inside"       // of a text
	NULAtEnd      Kind = "NUL at the end"   //
	AfterNUL      Kind = "bad after NUL"    // malformed text is after a NUL
	NoNUL         Kind = "no NUL"           // where one is counted
	Overlong      Kind = "overlong UTF-8"   // more bytes than a character needs
	Surrogate     Kind = "surrogate"        // half of a pair, as a character
	AboveLast     Kind = "above U+10FFFF"   //
	CutCharacter  Kind = "cut character"    // the text ends inside of one
	Continuation  Kind = "continuation"     // a byte that is only valid inside of one
	NoSuchByte    Kind = "no such byte"     // a byte that is in no character
	FiveBytes     Kind = "five bytes"       // a form that UTF-8 had once
	ByteOrderMark Kind = "byte order mark"  // at the beginning
	Noncharacter  Kind = "noncharacter"     // which is allowed
	NotANumber    Kind = "not a number"     // a real is a NaN with a payload
	BeyondWord    Kind = "above 64 bits"    // a number of varying width, or malformed digits
	LongerForm    Kind = "longer form"      // more bytes than such a number needs, or other digits
	ShiftedRow    Kind = "four bytes extra" // four zero bytes are before a row
)

// Change is one damage of a packet.
type Change struct {
	Kind   Kind
	Rule   *bytecode.Rule // the row that it is about
	Path   string         // of the value in the packet that it is in
	Offset int            // of the bytes that are changed, in the packet as it was
	Len    int            // how many of them; 0 if bytes are added
	Packet []byte         // the changed packet, in separate memory
	Before uint64         // the number that is changed, where the row is one that only steers
}

// Packets returns every single damage of a packet that can be read. Of other packets,
// it damages as much as can be read. Of a large packet, it damages some of the bytes of each
// row, the first and the last included. The order is the same for the same packet.
func (e *Engine) Packets(b []byte) iter.Seq[Change] {
	return func(yield func(Change) bool) { e.work(b, "", yield) }
}

// Draw draws one of the first changes of a packet: first its kind, so that rare kinds are drawn, too. It is not ok if the
// packet has none.
func (e *Engine) Draw(r *rand.Rand, b []byte) (packet []byte, ok bool) {
	all, n := map[Kind][][]byte{}, 0
	for ch := range e.Packets(b) {
		all[ch.Kind] = append(all[ch.Kind], ch.Packet)
		if n++; n > 100 {
			break
		}
	}
	if n == 0 {
		return nil, false
	}
	kinds := slices.Sorted(maps.Keys(all))
	some := all[kinds[r.IntN(len(kinds))]]
	return some[r.IntN(len(some))], true
}

// work yields the damages of a packet that are of a kind, of any for "".
func (e *Engine) work(b []byte, only Kind, yield func(Change) bool) {
	w := &work{e: e, b: b, only: only, yield: yield}
	w.events, w.regions, w.used = e.trace(b)
	for i := range damaged(w.events, b) {
		if !w.event(i) {
			return
		}
	}
	w.whole()
}

// Same returns the damages of a packet that are of one kind and about one row, by
// the row's name.
func (e *Engine) Same(b []byte, kind Kind, row string) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for c := range e.Of(b, kind) {
			if c.Rule.Name == row && !yield(c) {
				return
			}
		}
	}
}

// Of returns the damages of a packet that are of one kind.
func (e *Engine) Of(b []byte, kind Kind) iter.Seq[Change] {
	return func(yield func(Change) bool) { e.work(b, kind, yield) }
}

// trace returns the rows and padding of a packet, and the regions that it has the end of.
func (e *Engine) trace(b []byte) (events []interp.Event, regions []region, used int) {
	var open []region
	e.r.Observe(interp.ObserverFunc(func(ev *interp.Event) {
		switch {
		case ev.Kind == interp.Row || ev.Kind == interp.Padding:
			events = append(events, ev.Keep())
		case ev.Kind == interp.Before && e.p.Code[ev.PC].Op == bytecode.Enter:
			open = append(open, region{from: ev.Offset, rows: len(events)})
		case ev.Kind == interp.Before && e.p.Code[ev.PC].Op == bytecode.Leave:
			r := open[len(open)-1]
			r.size = uint64(ev.Offset - r.from)
			open, regions = open[:len(open)-1], append(regions, r)
		}
	}))
	_, used, err := e.r.Read(b)
	if err != nil {
		used = len(b)
	}
	return events, regions, used
}

// work is one packet that is being damaged.
type work struct {
	e       *Engine
	b       []byte
	only    Kind // of damage that is yielded; "" is any
	used    int
	events  []interp.Event
	regions []region
	yield   func(Change) bool
	done    bool
}

// put reports a packet in which n bytes at an offset are replaced.
func (w *work) put(kind Kind, ev *interp.Event, rule *bytecode.Rule, offset, n int, with ...byte) bool {
	if w.only != "" && w.only != kind {
		return !w.done
	}
	out := make([]byte, 0, len(w.b)-n+len(with))
	out = append(append(append(out, w.b[:offset]...), with...), w.b[offset+n:]...)
	return w.report(kind, ev, rule, offset, n, out)
}

func (w *work) report(kind Kind, ev *interp.Event, rule *bytecode.Rule, offset, n int, out []byte) bool {
	if w.done || w.only != "" && w.only != kind || bytes.Equal(out, w.b) {
		return !w.done
	}
	w.done = !w.yield(Change{Kind: kind, Rule: rule, Path: ev.Path(), Offset: offset, Len: n, Packet: out, Before: ev.Number})
	return !w.done
}

func (w *work) event(i int) bool {
	ev := &w.events[i]
	if ev.Kind == interp.Padding {
		return w.padding(ev)
	}
	rule := w.e.rule[ev.Rule]
	if ev.Len > 0 {
		w.put(CutBefore, ev, ev.Rule, ev.Offset, len(w.b)-ev.Offset)
		if ev.Len > 1 {
			w.put(CutInside, ev, ev.Rule, ev.Offset+ev.Len-1, len(w.b)-ev.Offset-ev.Len+1)
		}
		w.put(RowMissing, ev, ev.Rule, ev.Offset, ev.Len)
		w.put(RowTwice, ev, ev.Rule, ev.Offset, 0, w.b[ev.Offset:ev.Offset+ev.Len]...)
		w.put(ShiftedRow, ev, ev.Rule, ev.Offset, 0, 0, 0, 0, 0)
	}
	if ev.PC >= 0 && w.e.p.Code[ev.PC].Coding().Varies() {
		w.varying(ev, w.e.p.Code[ev.PC].Coding())
	}
	w.word(ev, rule)
	if ev.Derived {
		return !w.done
	}
	if _, ok := w.e.rows.text[rule]; ok && ev.Value.Kind() == interp.Text {
		w.text(i, rule)
		return !w.done
	}
	w.numbers(ev, rule)
	return !w.done
}

func (w *work) padding(ev *interp.Event) bool {
	in := w.e.rows.align[w.e.rule[ev.Rule]]
	w.put(CutBefore, ev, ev.Rule, ev.Offset, len(w.b)-ev.Offset)
	w.put(NoPadding, ev, ev.Rule, ev.Offset, ev.Len)
	if ev.Len > 1 {
		w.put(ShortPadding, ev, ev.Rule, ev.Offset, 1)
	}
	w.put(SetPadding, ev, ev.Rule, ev.Offset, ev.Len, bytes.Repeat([]byte{^byte(in.C)}, ev.Len)...)
	if in.A <= 64 {
		w.put(ExtraPadding, ev, ev.Rule, ev.Offset, 0, bytes.Repeat([]byte{byte(in.C)}, int(in.A))...)
	}
	return !w.done
}

// scalar returns a number of a row as bytes.
func (e *Engine) scalar(rule uint32, s bytecode.Scalar, x uint64) []byte {
	return ordered(s, x, e.p.Big != e.rows.swapped[rule])
}

// scalar returns a number as bytes in the order of a row of the packet, which another row may choose.
func (w *work) scalar(ev *interp.Event, s bytecode.Scalar, x uint64) []byte {
	rule := w.e.rule[ev.Rule]
	if ev.PC < 0 || w.e.p.Code[ev.PC].Rule != rule {
		return w.e.scalar(rule, s, x)
	}
	in := &w.e.p.Code[ev.PC]
	if in.Ordered() {
		return ordered(s, x, !bytes.Equal(w.b[ev.Offset:ev.Offset+ev.Len], ordered(s, ev.Number, false)))
	}
	return ordered(s, x, w.e.p.Big != in.Swapped())
}

// number returns the bytes of a number in place of that of a row of a packet. It is not ok if the row cannot hold the number.
func (e *Engine) number(b []byte, ev *interp.Event, s bytecode.Scalar, x uint64) ([]byte, bool) {
	if ev.PC >= 0 && e.p.Code[ev.PC].Coded() {
		c := e.p.Code[ev.PC].Coding()
		if !c.Holds(x) {
			return nil, false
		}
		return interp.AppendNumber(nil, c, x), true
	}
	return (&work{e: e, b: b}).scalar(ev, s, x), x&^wholeOf(s).mask() == 0
}

// ordered returns a number as bytes, the highest first if big is true.
func ordered(s bytecode.Scalar, x uint64, big bool) []byte {
	b := littleEndian(s, x)
	if big && s != bytecode.Code4 {
		return reversed(b)
	}
	return b
}

func reversed(b []byte) []byte {
	out := make([]byte, len(b))
	for i, x := range b {
		out[len(b)-1-i] = x
	}
	return out
}

// find returns the analysis of the word of a row.
func (e *Engine) find(ev *interp.Event) *word {
	rule := e.rule[ev.Rule]
	if u := e.rows.tables[rule]; u != nil {
		arm, ok := u.table.ByID(ev.Number & u.id.mask() >> u.id.shift)
		if !ok {
			return nil
		}
		return e.rows.unions[rule][arm]
	}
	return e.rows.word(rule, ev.Len)
}

// sizes returns the analysis of the word of a row that may be a size, or nil.
func (e *Engine) sizes(ev *interp.Event) *word {
	if ev.PC >= 0 && e.p.Code[ev.PC].Coded() {
		return e.rows.coded[ev.PC]
	}
	if found := e.find(ev); found != nil && found.scalar.Width() == ev.Len {
		return found
	}
	return nil
}

// maxFewer bounds the lengths that are tried instead of a longer one.
const maxFewer = 64

func (w *work) word(ev *interp.Event, rule uint32) {
	found := w.e.find(ev)
	if found == nil || found.scalar.Width() != ev.Len {
		return
	}
	s := found.scalar
	all := span{0, 8 * s.Width()}.mask()
	number := ev.Number & all
	if ev.Derived { // those that are stored are damaged so by numbers
		w.put(ByteOrder, ev, ev.Rule, ev.Offset, ev.Len, reversed(w.b[ev.Offset:ev.Offset+ev.Len])...)
	}
	for _, p := range found.parts {
		at := &w.e.p.Rules[p.rule]
		most := p.mask() >> p.shift
		now := number & p.mask() >> p.shift
		set := func(kind Kind, x uint64) {
			if x > most {
				return
			}
			w.put(kind, ev, at, ev.Offset, ev.Len, w.scalar(ev, s, number&^p.mask()|x<<p.shift)...)
		}
		switch p.role {
		case length, count:
			if now > 0 {
				set(OneShort, now-1)
			}
			set(OneMore, now+1)
			if now < most {
				out := append(bytes.Clone(w.b), make([]byte, max(4, p.size))...)
				copy(out[ev.Offset:], w.scalar(ev, s, number&^p.mask()|(now+1)<<p.shift))
				w.report(OneMoreThere, ev, at, ev.Offset, ev.Len, out)
			}
			set(NoneAtAll, 0)
			for x := uint64(1); p.role == length && x+1 < min(now, maxFewer); x++ {
				set(Fewer, x)
			}
			set(Huge, min(most, math.MaxInt32))
			set(Large, 1<<24)
			if p.bits >= 32 {
				set(Negative, most)
				set(TopBit, now|1<<(p.bits-1))
			}
			if p.role == count && p.size > 1 && p.size&(p.size-1) == 0 && p.bits >= 16 {
				set(Wraps, now+1<<32/uint64(p.size))
			}
		case selector, typeID:
			if p.table == nil {
				break
			}
			if n := len(p.table.Arms); n == 0 || !p.table.Arms[n-1].Else { // else every number is known
				if unknown := (builtin.Ranges{{Hi: most}}).Without(p.table.Known()); len(unknown) > 0 {
					set(UnknownID, unknown[0].Lo)
				}
			}
			set(LastID, most)
			w.neighbours(p.table, now, func(x uint64) {
				set(OtherID, x)
				if x <= most { // without the flags of the arm that it was
					w.put(OtherID, ev, at, ev.Offset, ev.Len, w.scalar(ev, s, x<<p.shift)...)
				}
			})
			if p.role == selector && p.bits < 8 {
				set(OtherFlag, 0)
			}
		case flag:
			if p.bits <= 4 {
				for x := range most + 1 {
					set(OtherFlag, x)
				}
				break
			}
			w.bounds(p, now, func(x uint64) { set(NotAllowed, x) })
		case checked:
			w.bounds(p, now, func(x uint64) { set(NotAllowed, x) })
		}
	}
	if rest := found.rest(); rest != 0 {
		for r := rest; r != 0; { // of each run of bits the lowest and the highest
			low := bits.TrailingZeros64(r)
			n := bits.TrailingZeros64(^(r >> low))
			w.put(UnknownFlag, ev, ev.Rule, ev.Offset, ev.Len, w.scalar(ev, s, number|1<<low)...)
			if n > 1 {
				w.put(UnknownFlag, ev, ev.Rule, ev.Offset, ev.Len, w.scalar(ev, s, number|1<<(low+n-1))...)
			}
			r &^= (span{low, n}).mask()
		}
		w.put(AllFlags, ev, ev.Rule, ev.Offset, ev.Len, w.scalar(ev, s, number|rest)...)
	}
}

// neighbours gives the numbers of the arms before and after one.
func (w *work) neighbours(t *bytecode.Table, now uint64, set func(uint64)) {
	for i, a := range t.Arms {
		if !a.Numbers().Contains(now) {
			continue
		}
		if a.IDs != nil {
			for _, n := range a.Ends() {
				set(n)
			}
		}
		if i > 0 {
			set(t.Arms[i-1].ID)
		}
		if i+1 < len(t.Arms) && !t.Arms[i+1].Else {
			set(t.Arms[i+1].ID)
		}
	}
}

// bounds gives numbers around those that a condition compares with.
func (w *work) bounds(p part, now uint64, set func(uint64)) {
	set(0)
	p.expr.Walk(func(e *bytecode.Expr) {
		if n, ok := e.Constant(); ok {
			set(uint64(n) - 1)
			set(uint64(n))
			set(uint64(n) + 1)
		}
	})
	set(now + 1)
	set(p.mask() >> p.shift)
}

// numbers damages a row of truths, numbers or tuples, or an array of numbers.
func (w *work) numbers(ev *interp.Event, rule uint32) {
	bytesOf := w.b[ev.Offset : ev.Offset+ev.Len]
	in, ok := w.e.rows.fixed[rule]
	if ok && in.Op == bytecode.Truth {
		s := in.Scalar()
		for _, x := range []uint64{2, 1 << 8, 1 << 31, math.MaxUint32} {
			if s.Width() == ev.Len && x&^(span{0, 8 * s.Width()}).mask() == 0 {
				w.put(OtherTruth, ev, ev.Rule, ev.Offset, ev.Len, w.scalar(ev, s, x)...)
			}
		}
		w.put(ByteOrder, ev, ev.Rule, ev.Offset, ev.Len, reversed(bytesOf)...)
		return
	}
	s := ev.Value.Scalar()
	width := 0
	if s.Valid() {
		width = s.Width()
	}
	if width > 1 && width <= ev.Len && s != bytecode.Code4 {
		swapped := bytes.Clone(bytesOf)
		for i := 0; i+width <= len(swapped); i += width {
			copy(swapped[i:], reversed(swapped[i:i+width]))
		}
		w.put(ByteOrder, ev, ev.Rule, ev.Offset, ev.Len, swapped...)
	}
	if ev.Len < width { // an array without elements
		return
	}
	switch s {
	case bytecode.F32:
		w.put(NotANumber, ev, ev.Rule, ev.Offset, 4, w.scalar(ev, s, 0x7fa00001)...)
	case bytecode.F64:
		w.put(NotANumber, ev, ev.Rule, ev.Offset, 8, w.scalar(ev, s, 0x7ff4000000000001)...)
	}
}

// whole damages the packet as a whole.
func (w *work) whole() {
	if w.done || len(w.events) == 0 {
		return
	}
	ev := &w.events[0]
	root := &interp.Event{Rule: ev.Rule}
	w.put(BytesAfter, root, ev.Rule, len(w.b), 0, 0)
	w.put(BytesAfter, root, ev.Rule, len(w.b), 0, 0, 0, 0, 0)
	w.put(BytesAfter, root, ev.Rule, len(w.b), 0, w.b...)
	if wrap := w.e.wrapper(); wrap != nil {
		levels := w.e.Depth()
		for _, d := range []struct {
			kind   Kind
			levels int
		}{{TooDeep, levels + 1}, {FarTooDeep, 16 * levels}} {
			if d.levels*len(wrap) <= maxDeep {
				w.put(d.kind, root, ev.Rule, 0, 0, bytes.Repeat(wrap, d.levels)...)
			}
		}
	}
}

// maxDeep is how many bytes may be put before a value to nest it.
const maxDeep = 1 << 20

// wrapper returns the bytes that, put before a value, make it the only element of another one. It returns nil if the
// format has no such form.
func (e *Engine) wrapper() []byte {
	if e.nest {
		return e.wrap
	}
	e.nest = true
	leaf, err := e.m.Generate(nil, interp.GenerateOptions{Open: e.opt.Open})
	if err != nil {
		return nil
	}
	inner, err := e.m.Append(nil, leaf, e.opt)
	if err != nil {
		return nil
	}
	e.leaf = inner
	t, ok := e.p.UnionTable(e.p.Root)
	if !ok {
		return nil
	}
	for _, arm := range t.Arms {
		typ := &e.p.Types[arm.Type]
		for cell := range typ.Fields {
			if typ.Fields[cell].Kind != interp.List {
				continue
			}
			tag, list := e.m.Tag(int(arm.Type)), []interp.Value{leaf}
			cells := make([]interp.Value, len(typ.Fields))
			for i, f := range typ.Fields {
				cells[i] = zero(f.Kind)
			}
			cells[cell] = interp.MakeList(0, list)
			e.wrapIn(interp.MakeRecord(tag, cells))
			if typ.Fields[cell].Alone {
				e.wrapIn(interp.MakeList(tag, list))
			}
		}
	}
	return e.wrap
}

// wrapIn makes the bytes of v before its last part, which is the leaf, the wrapper. It does so if they are fewer than
// those of the wrapper that there is.
func (e *Engine) wrapIn(v interp.Value) {
	outer, err := e.m.Append(nil, v, e.opt)
	if err != nil || !bytes.HasSuffix(outer, e.leaf) {
		return
	}
	wrap := outer[:len(outer)-len(e.leaf)]
	twice := append(bytes.Clone(wrap), outer...)
	if _, used, err := e.m.Decode(twice, e.opt); err == nil && used == len(twice) && (e.wrap == nil || len(wrap) < len(e.wrap)) {
		e.wrap = bytes.Clone(wrap)
	}
}

// zero returns the number 0 or false of a kind, and no value of another kind.
func zero(k interp.Kind) interp.Value {
	switch k {
	case interp.Bool:
		return interp.MakeBool(0, false)
	case interp.Uint:
		return interp.MakeUint(0, 0)
	case interp.Int:
		return interp.MakeInt(0, 0)
	}
	return interp.Value{}
}

// Arm returns the type that the word of a union leads to. The event of an
// [interp.Observer] must be the row of such a word.
func (e *Engine) Arm(ev *interp.Event) (*bytecode.Type, bool) {
	if ev.Kind != interp.Row || !ev.Derived {
		return nil, false
	}
	u := e.rows.tables[e.rule[ev.Rule]]
	if u == nil {
		return nil, false
	}
	arm, ok := u.table.ByID(ev.Number & u.id.mask() >> u.id.shift)
	if !ok {
		return nil, false
	}
	return &e.p.Types[u.table.Arms[arm].Type], true
}
