// Coverage as an observer: the points that an event reaches.

package interp

import (
	"bytes"
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// Event notes what an event reaches, unless it is of another machine.
func (c *Coverage) Event(e *Event) {
	if e.m != c.m || e.PC < 0 {
		return
	}
	h := hits{c, e, &c.m.p.Code[e.PC]}
	switch e.Kind {
	case Before:
		h.hit(SiteRun)
	case Computed:
		h.nodes()
	case Branch:
		h.hit(choose(e.N != 0, SiteHeld, SiteJumped))
	case Arm, Replaced:
		h.hitN(e.N)
	case Parts:
		switch {
		case h.in.Op != bytecode.Pad:
			h.hitParts(e.N)
		case e.N <= e.Len:
			h.hitN(e.N)
		}
	case Row, Padding, After, Close:
		if e.Dir == Reading {
			h.read()
		} else {
			h.written()
		}
	case Failed:
		if e.Dir == Reading {
			h.notRead()
		} else {
			h.notWritten()
		}
		h.refused()
	}
}

// hits notes the sites that one event reaches.
type hits struct {
	c  *Coverage
	e  *Event
	in *bytecode.Instr
}

// choose returns the site for a condition.
func choose[T any](held bool, yes, no T) T {
	if held {
		return yes
	}
	return no
}

// hit notes a site, if the instruction has it.
func (h *hits) hit(s Site) {
	if slot := siteSlots[h.e.Dir][h.in.Op][s]; slot != 0 {
		h.c.set(int(h.c.l.first[h.e.Dir][h.e.PC]) + int(slot) - 1)
	}
}

// hitN notes an arm, size of padding, or rule.
func (h *hits) hitN(n int) {
	h.c.set(int(h.c.l.first[h.e.Dir][h.e.PC]) + int(siteCounts[h.e.Dir][h.in.Op]) + n)
}

// hitParts notes the number of parts.
func (h *hits) hitParts(n int) {
	switch n {
	case 0:
		h.hit(SiteEmpty)
	case 1:
		h.hit(SiteSingle)
	default:
		h.hit(SiteSeveral)
	}
}

// read notes sites of an instruction that has read.
func (h *hits) read() {
	e, in := h.e, h.in
	switch in.Op {
	case bytecode.Truth:
		h.hit(choose(!e.Value.Bool(), SiteZero, choose(e.r.number(in, e.Bytes()) == 1, SiteOne, SiteOther)))
	case bytecode.Take:
		if in.C == bytecode.TakeBool {
			h.hit(choose(e.Value.Bool(), SiteOne, SiteZero))
		}
	case bytecode.Text:
		h.text(e.Bytes())
	case bytecode.Until, bytecode.Filled:
		h.delimited(h.content())
	case bytecode.Packed, bytecode.Rest, bytecode.Through, bytecode.Spare, bytecode.Gaps:
		h.hitParts(e.Value.Len())
	case bytecode.Map:
		if e.Value.form&formRepeats != 0 {
			h.hit(SiteRepeats)
		}
	case bytecode.Pad:
		if e.N > e.Len {
			h.hit(SitePadEnd)
		}
		if in.B&bytecode.PadExact == 0 && bytes.Count(e.Bytes(), []byte{byte(in.C)}) < e.Len {
			h.hit(SitePadOther)
		}
	case bytecode.Gate:
		h.hit(SiteOpen)
	case bytecode.Done:
		t := &h.c.m.p.Types[in.A]
		if n := len(t.Fields); n > 0 {
			h.hit(choose(in.B&bytecode.DoneAlone != 0 && alone(t, e.Cells()[:n]) >= 0, SiteAlone, SiteFields))
		}
	}
}

// notRead notes sites, beside the refusal, of an instruction that has not read.
func (h *hits) notRead() {
	switch kind := h.e.Err.Kind; {
	case kind == ErrText && (h.in.Op == bytecode.Until || h.in.Op == bytecode.Filled):
		h.text(h.content())
	case kind == ErrText:
		h.text(h.e.Bytes())
	case h.in.Op == bytecode.Pad && kind == ErrValue && h.e.N > h.e.Len:
		h.hit(SitePadEnd)
	case h.in.Op == bytecode.Done && kind == ErrLimit:
		h.hit(SiteFields)
	}
}

// written notes sites of an instruction that has written.
func (h *hits) written() {
	e, in, v := h.e, h.in, h.e.Value
	switch in.Op {
	case bytecode.Fields:
		h.fields()
	case bytecode.Subst:
		if _, ok := h.c.m.arm(in.B, v.tag); ok && e.N < 0 && v.kind != None {
			h.hit(SiteKept)
		}
	case bytecode.Truth:
		h.hit(choose(v.Bool(), SiteOne, SiteZero))
	case bytecode.Scalars:
		if s := in.Scalar(); s == bytecode.F32 && outside(v, s) {
			h.hit(SiteRounded)
		}
	case bytecode.Lanes, bytecode.Packed:
		if in.Op == bytecode.Packed {
			h.hitParts(v.Len())
		}
		if v.Scalar() != in.Scalar() {
			h.hit(SiteConverted)
		}
	case bytecode.Gaps:
		h.hitParts(v.Len())
	case bytecode.Text:
		h.text(v.Bytes())
	case bytecode.Until, bytecode.Filled:
		h.delimited(v.Bytes())
	case bytecode.Pad:
		h.hitN(e.Len)
	case bytecode.Gate:
		h.hit(SiteOpen)
	}
}

// fields notes the form of the value whose fields were taken.
func (h *hits) fields() {
	v, t := h.e.Value, &h.c.m.p.Types[h.in.B]
	n := int(h.in.A)
	record := v.kind == Record && int(v.n) == n && !(n == 1 && t.Fields[0].Alone)
	switch {
	case n == 0:
		return
	case record:
		h.hit(SiteFields)
	case v.kind == Unit && n > 1:
		h.hit(SiteEmpty)
	default:
		h.hit(SiteAlone)
	}
	for i, c := range h.e.Cells()[:n] {
		given := v
		if record {
			given = v.Cells()[i]
		}
		if c.kind == Map && c.n < given.n {
			h.hit(SiteRepeats)
		}
	}
}

// notWritten notes sites, beside the refusal, of an instruction that has not written.
func (h *hits) notWritten() {
	kind, v := h.e.Err.Kind, h.e.Value
	switch h.in.Op {
	case bytecode.Text:
		if v.kind == Text {
			h.text(v.Bytes())
		}
	case bytecode.Until, bytecode.Filled:
		if v.kind == Text && h.in.A != bytecode.None {
			h.text(v.Bytes())
		}
	case bytecode.Packed:
		if kind == ErrMismatch && h.shaped() {
			h.hitParts(v.Len())
		}
	}
}

// shaped reports whether the value is a tuple or array of the width of the row.
func (h *hits) shaped() bool {
	v := h.e.Value
	if h.in.Op == bytecode.Lanes {
		return v.kind == Lanes && v.n == h.in.B
	}
	return v.kind == Packed && v.Width() == int(h.in.B)
}

// refused notes the site of a refusal.
func (h *hits) refused() {
	switch h.e.Err.Kind {
	case ErrTruncated:
		h.hit(SiteShort)
	case ErrType:
		h.hit(SiteUnknown)
	case ErrValue, ErrChecksum:
		h.hit(SiteRefused)
	case ErrClosed:
		h.hit(SiteClosed)
	case ErrTrailing:
		h.hit(SiteLeftOver)
	case ErrLimit:
		h.hit(SiteMemory)
	case ErrDepth:
		h.hit(choose(h.c.m.p.Routines[h.e.Routine].Nests && h.e.Depth > h.e.Limit, SiteTooDeep, SiteTooNested))
	case ErrRange:
		switch {
		case h.e.Expr != bytecode.None: // a node of it says so
		case siteSlots[h.e.Dir][h.in.Op][SiteCount] != 0:
			h.hit(SiteCount)
		default:
			h.hit(SiteRange)
		}
	case ErrMismatch:
		h.hit(h.mismatch())
	}
}

// mismatch returns the site of a value that an instruction does not write.
func (h *hits) mismatch() Site {
	v := h.e.Value
	switch h.in.Op {
	case bytecode.Union:
		return SiteForeign
	case bytecode.Switch:
		_, ok := h.c.m.arm(h.e.Routine, v.tag)
		return choose(ok, SiteOtherArm, SiteForeign)
	case bytecode.ArmRef:
		return choose(v.kind == Unit, SiteForeign, SiteKind)
	case bytecode.Until, bytecode.Filled:
		return choose(h.in.A == bytecode.None && v.kind == Packed && v.Width() == 1, SiteNumbers, SiteKind)
	case bytecode.Gaps:
		return choose(v.kind == Packed && v.Width() == 1, SiteNumbers, SiteKind)
	case bytecode.Lanes, bytecode.Packed:
		return choose(h.shaped(), SiteNumbers, SiteKind)
	case bytecode.Fields:
		return choose(v.kind == None, SiteNothing, choose(v.kind == Record && h.in.A > 1, SiteFieldCount, SiteKind))
	case bytecode.Call:
		return SiteNothing
	case bytecode.Absent:
		return SitePresent
	case bytecode.Patch:
		return SitePlace
	}
	return SiteKind
}

// nodes notes the outcomes of the nodes of the expression that was computed.
func (h *hits) nodes() {
	at := int(h.c.l.more[h.e.Dir][h.e.PC])
	for _, x := range exprsOf(h.c.m.p, h.e.Dir, h.in) {
		if x == h.e.Expr {
			break
		}
		at += 2 * h.c.m.p.Exprs[x].Size()
	}
	s := h.e.scope
	s.misfit = false
	h.c.node(&s, h.c.m.p.Exprs[h.e.Expr], &at)
}

// node computes a node and its operands, and notes the outcome of each that has two.
// It stops at a number that does not fit. The points of the node begin at a bit, which
// becomes the first after them.
func (c *Coverage) node(s *scope, e *bytecode.Expr, at *int) int64 {
	var args [3]int64
	for i, x := range e.Args {
		if args[i] = c.node(s, x, at); s.misfit {
			return 0
		}
	}
	x := s.apply(e, args[0], args[1], args[2])
	if branches(e) {
		yes := x != 0
		switch e.Op {
		case bytecode.ExprSelect:
			yes = args[0] != 0
		case bytecode.ExprMin:
			yes = args[0] <= args[1]
		case bytecode.ExprMax:
			yes = args[0] >= args[1]
		case bytecode.ExprFit:
			yes = !s.misfit
		}
		c.set(*at + int(truth(yes)))
	}
	*at += 2
	return x
}

// content returns the bytes that were read before a delimiter.
func (h *hits) content() []byte {
	b := h.e.Bytes()
	if h.in.Op == bytecode.Filled {
		fill, _, last := h.c.m.p.Delimiter(h.in)
		return b[:filledAt(b, fill, !last)]
	}
	return b[:len(b)-len(h.c.m.p.Strings[h.in.B])]
}

// delimited records the points of content before a delimiter: empty, or the text's own.
func (h *hits) delimited(b []byte) {
	if h.in.A == bytecode.None {
		h.hit(choose(len(b) == 0, SiteEmpty, SiteSeveral))
		return
	}
	h.text(b)
}

// text records the points of text that is read or written.
func (h *hits) text(b []byte) {
	h.hit(choose(len(b) == 0, SiteEmpty, SiteSeveral))
	enc := &h.c.m.p.Encodings[h.in.A]
	_, bad, _ := encodeText(enc, b)
	if h.e.Dir == Reading {
		var why string
		if _, bad, why = decodeText(enc, b); why == "" {
			bad = none
		}
		if enc.DropBOM && len(b) >= 3 && string(b[:3]) == "\xef\xbb\xbf" {
			h.hit(SiteMark)
			b, bad = b[3:], bad-3
		}
		nul := bytes.IndexByte(b, 0)
		switch {
		case nul < 0 && enc.NUL == bytecode.NULCounted:
			h.hit(SiteNULMissing)
		case nul < 0:
		case enc.NUL == bytecode.NULKeep && !enc.Charset.IsUTF16():
			h.hit(SiteNULKept)
		case enc.NUL == bytecode.NULKeep:
		case nul == len(b)-1:
			h.hit(SiteNULLast)
		default:
			h.hit(SiteNULInside)
		}
		if nul >= 0 && enc.NUL != bytecode.NULKeep {
			b = b[:nul]
		}
	}
	if bad >= 0 {
		if h.e.Dir == Writing && b[bad] == 0 {
			h.hit(SiteNUL)
			return
		}
		if !enc.Charset.Verbatim() {
			h.hit(charsetSite(h.e.Dir, enc, b[bad:]))
			return
		}
		h.hit(formSite(enc.Charset, b[bad:]))
		b = b[:bad]
	}
	if enc.Charset == builtin.UTF8Strict || !enc.Charset.Verbatim() {
		return
	}
	for i := invalidUTF8(b); i >= 0; i = invalidUTF8(b) {
		if enc.Charset == builtin.UTF8Unchecked {
			h.hit(SiteUnchecked)
			return
		}
		form := b[i:min(len(b), i+max(1, bits.LeadingZeros8(^b[i])))]
		switch formSite(builtin.UTF8Strict, form) {
		case SiteSurrogate:
			h.hit(SiteHalf)
		case SiteOverlong:
			h.hit(SiteLongForm)
		default:
			text, _ := readLoose(form)
			h.hit(choose(len(text) < len(form), SiteLongForm, SiteHuge))
		}
		b = b[i+len(form):]
	}
}

// charsetSite returns the site of the error at the beginning of b, in a character set.
func charsetSite(d Direction, enc *bytecode.Encoding, b []byte) Site {
	switch {
	case d == Writing && invalidUTF8(b) == 0:
		return formSite(builtin.UTF8Strict, b)
	case d == Reading && enc.Charset.IsUTF16():
		return choose(len(b) < 2, SiteCut, SiteSurrogate)
	}
	return SiteBeyond
}

// formSite returns the site of the error in the first form of b, which is not UTF-8.
func formSite(how builtin.Charset, b []byte) Site {
	c := b[0]
	n := bits.LeadingZeros8(^c)
	longest := 4
	if how == builtin.UTF8Loose {
		longest = 6
	}
	switch {
	case n == 1:
		return SiteStray
	case n > longest:
		return SiteNoLead
	case c == 0xc0 || c == 0xc1:
		return SiteOverlong
	case c > 0xf4 && longest == 4:
		return SiteBeyond
	}
	for k := 1; k < n; k++ {
		if k >= len(b) {
			return SiteCut
		}
		if b[k]&0xc0 != 0x80 {
			return SiteBroken
		}
	}
	switch {
	case longest == 6 || b[1] < 0x90 && c == 0xf0 || b[1] < 0xa0 && c == 0xe0:
		return SiteOverlong
	case c == 0xed:
		return SiteSurrogate
	}
	return SiteBeyond
}
