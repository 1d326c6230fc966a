// Watching a run: noting the sites that it reaches.

package interp

import (
	"bytes"
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
)

// watch is what looks at a run: notes what it reaches, and changes its values. A nil
// watch does nothing.
type watch struct {
	d      Direction
	c      *Coverage // nil notes nothing
	change *Change   // nil changes nothing
	pc     int       // the instruction that is run
	expr   int       // bit of the first point of the expression that is computed
}

// watch returns what looks at runs of m with these options, or nil.
func (o *Options) watch(m *Machine, d Direction) *watch {
	c := o.Coverage
	if c != nil && c.m != m {
		c = nil
	}
	if c == nil && o.Change == nil {
		return nil
	}
	return &watch{d: d, c: c, change: o.Change}
}

// at returns the instruction that is run, for back.
func (w *watch) at() int {
	if w == nil {
		return 0
	}
	return w.pc
}

// back goes back to an instruction, whose parts have run others.
func (w *watch) back(pc int) {
	if w != nil {
		w.pc = pc
	}
}

// hitAt goes to an instruction and notes a site of it.
func (w *watch) hitAt(pc int, s Site) {
	if w != nil {
		w.pc = pc
		w.hit(s)
	}
}

// hit notes a site of the instruction that is run. Its callers are made part of the
// loops that run instructions, where there mostly is nothing to note.
//
//go:noinline
func (w *watch) hit(s Site) {
	if w.c == nil {
		return
	}
	if slot := siteSlots[w.d][w.instr().Op][s]; slot != 0 {
		w.c.set(int(w.c.l.first[w.d][w.pc]) + int(slot) - 1)
	}
}

func (w *watch) instr() *bytecode.Instr { return &w.c.m.p.Code[w.pc] }

// hitN notes an arm, size of padding, or rule.
func (w *watch) hitN(n int) {
	if w.c != nil {
		w.c.set(int(w.c.l.first[w.d][w.pc]) + int(siteCounts[w.d][w.instr().Op]) + n)
	}
}

// hitRule notes that rule k of an arm puts something in the place of a value.
func (w *watch) hitRule(arm, k int) {
	if w.c == nil {
		return
	}
	t, _ := w.c.m.p.UnionTable(w.instr().B)
	for _, a := range t.Arms[:arm] {
		k += len(w.c.m.p.Types[a.Type].Writes)
	}
	w.hitN(k)
}

// hitParts notes how many parts there are.
func (w *watch) hitParts(n int) {
	switch n {
	case 0:
		w.hit(SiteEmpty)
	case 1:
		w.hit(SiteSingle)
	default:
		w.hit(SiteSeveral)
	}
}

// changed returns what becomes of a value at the instruction that is run.
func (w *watch) changed(v Value) Value {
	if w.change != nil && w.change.PC == w.pc {
		return w.change.Value(v)
	}
	return v
}

// begin returns the watch of the nodes of an expression, or nil.
func (w *watch) begin(expr uint32) *watch {
	if w.c == nil {
		return nil
	}
	w.expr = int(w.c.l.more[w.d][w.pc])
	for _, e := range exprsOf(w.c.m.p, w.d, w.instr()) {
		if e == expr {
			break
		}
		w.expr += 2 * w.c.m.p.Exprs[e].Size()
	}
	return w
}

// outcome notes the outcome of a node of the expression that begin was called for.
func (w *watch) outcome(node int, yes bool) {
	if yes {
		w.c.set(w.expr + 2*node + 1)
	} else {
		w.c.set(w.expr + 2*node)
	}
}

// hitText notes what is special about text that was read, or that is written. What
// is wrong with it stands at bad, or nothing is.
func (w *watch) hitText(b []byte, bad int) {
	if w.c == nil {
		return
	}
	w.hit(choose(len(b) == 0, SiteEmpty, SiteSeveral))
	enc := &w.c.m.p.Encodings[w.instr().A]
	if w.d == Reading {
		if enc.DropBOM && len(b) >= 3 && string(b[:3]) == "\xef\xbb\xbf" {
			w.hit(SiteMark)
			b, bad = b[3:], bad-3
		}
		nul := bytes.IndexByte(b, 0)
		switch {
		case nul < 0 && enc.NUL == bytecode.NULCounted:
			w.hit(SiteNULMissing)
		case nul < 0:
		case enc.NUL == bytecode.NULKeep:
			w.hit(SiteNULKept)
		case nul == len(b)-1:
			w.hit(SiteNULLast)
		default:
			w.hit(SiteNULInside)
		}
		if nul >= 0 && enc.NUL != bytecode.NULKeep {
			b = b[:nul]
		}
	}
	if bad >= 0 && bad < len(b) {
		if w.d == Writing && b[bad] == 0 {
			w.hit(SiteNUL)
			return
		}
		w.hit(formSite(enc.UTF8, b[bad:]))
		b = b[:bad]
	}
	if enc.UTF8 == bytecode.UTF8Strict {
		return
	}
	for i := invalidUTF8(b); i >= 0; i = invalidUTF8(b) {
		if enc.UTF8 == bytecode.UTF8Unchecked {
			w.hit(SiteUnchecked)
			return
		}
		form := b[i:min(len(b), i+max(1, bits.LeadingZeros8(^b[i])))]
		switch formSite(bytecode.UTF8Strict, form) {
		case SiteSurrogate:
			w.hit(SiteHalf)
		case SiteOverlong:
			w.hit(SiteLongForm)
		default:
			text, _ := looseUTF8(form)
			w.hit(choose(len(text) < len(form), SiteLongForm, SiteHuge))
		}
		b = b[i+len(form):]
	}
}

// formSite says what is wrong with the first form of b, which is not UTF-8.
func formSite(how bytecode.UTF8, b []byte) Site {
	c := b[0]
	n := bits.LeadingZeros8(^c)
	longest := 4
	if how == bytecode.UTF8Loose {
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
