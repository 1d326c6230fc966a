// Groups: items that belong together.

package schemas

import (
	"fmt"
	"slices"
	"strings"
)

// groups are what bodies are drawn from. A function returns false if the group has no
// place there.
var groups []struct {
	feature feature
	draw    func(*body) bool
}

func init() {
	add := func(f feature, draw func(*body) bool) {
		groups = append(groups, struct {
			feature feature
			draw    func(*body) bool
		}{f, draw})
	}
	add(always, (*body).number)
	add(fCodings, (*body).varying)
	add(fDigits, (*body).inDigits)
	add(fTruths, (*body).truth)
	add(fFloats, (*body).float)
	add(fComputed, (*body).computed)
	add(fComputed, (*body).ahead)
	add(fBits, (*body).word)
	add(fTexts, (*body).text)
	add(fTexts, (*body).constantRow)
	add(fDelimited, (*body).delimited)
	add(fLists, (*body).array)
	add(fLists, (*body).list)
	add(fLists, (*body).listRow)
	add(fLists, (*body).through)
	add(fTuples, (*body).tuples)
	add(fMaps, (*body).pairs)
	add(fRest, (*body).rest)
	add(fRecords, (*body).recordRow)
	add(fMembers, (*body).members)
	add(fWordUnions, (*body).unionRow)
	add(fUnions, (*body).cases)
	add(fArmIDs, (*body).armID)
	add(fRegions, (*body).bounded)
	add(fParts, (*body).parts)
	add(fIfs, (*body).branch)
	add(fOptional, (*body).optional)
	add(fMore, (*body).ifMore)
	add(fForms, (*body).forms)
	add(fCharsets, (*body).encodings)
	add(fChecks, (*body).check)
	add(fSums, (*body).sum)
	add(fGates, (*body).gate)
	add(fRecursion, func(b *body) bool { return b.recursion(false) })
	add(fBodyOrders, (*body).order)
}

// musts draws conditions that hold for the samples.
func (b *body) musts(percent int) []string {
	if !b.d.has(fMusts) || !b.d.chance(percent) {
		return nil
	}
	out := []string{"check " + b.expr().condition(true)}
	if b.d.chance(15) {
		out = append(out, "check "+b.expr().condition(true))
	}
	return out
}

// pad draws padding.
func (b *body) pad(percent int) []string {
	d := b.d
	if !d.has(fPads) || !d.chance(percent) {
		return nil
	}
	to := pick(d.source, 2, 4, 3, 8, 16)
	if d.likely(onVariants, 0) {
		to = 4 // as in the formats whose values are variants
	}
	out := []string{"pad " + d.number(int64(to)) + pick(d.source, "", "", "", ` with "20"`) + d.maybe(70, " any") + d.maybe(20, " or end")}
	return append(out, b.musts(15)...) // before the padding
}

// finish appends a row with a stored field.
func (b *body) finish(r row) {
	b.store(false)
	if r.size != nil {
		b.least(slices.Min(r.size))
	}
	b.row(r)
}

// stored8 draws a stored byte that expressions can name.
func (b *body) stored8(name string, attrs ...string) {
	b.finish(row{typ: "u8", size: b.d.each(1), name: name, attrs: attrs})
	b.know(name, 0)
}

// order draws an order of bytes for the rows that follow. That of the first record is by a field.
func (b *body) order() bool {
	d := b.d
	orders := []string{"little", "big"}
	if len(d.records) > 1 && d.chance(60) {
		b.line("order %s", pick(d.source, orders...))
		return true
	}
	name := b.name()
	b.stored8(name)
	var cases []string
	for lo := d.n(3); lo < 256 && len(cases) < 4; {
		hi := lo + d.n(120)
		ids := fmt.Sprint(lo)
		if hi > lo {
			ids = fmt.Sprintf("%d..%d", lo, min(hi, 255))
		}
		cases = append(cases, ids+" "+pick(d.source, orders...))
		lo = hi + 1 + d.n(3)
	}
	b.line("order by %s { %s }", name, strings.Join(cases, ", "))
	if d.has(fRecursion) {
		b.recursion(true)
	}
	return true
}

// check draws a condition of a record, or of the row before it.
func (b *body) check() bool {
	if b.d.chance(30) {
		b.line("if %s {", b.expr().condition(false))
		b.line("    refuse %q", "the numbers do not fit")
		b.line("}")
		return true
	}
	k := len(b.lines) - 1
	if k < 0 || k+1 == b.unchecked || !strings.HasPrefix(b.lines[k], "|") || strings.Contains(b.lines[k], " if ") {
		return false
	}
	b.line("    check %s %q", b.expr().condition(true), "the numbers do not fit")
	return true
}

// gate draws the demand that a gate is open, under a condition that seldom holds.
func (b *body) gate() bool {
	if b.inner == 0 && b.union == nil || !b.d.chance(60) {
		b.line("if %s {", b.expr().condition(false))
		b.line("    requires %s", pick(b.d.source, b.d.gates...))
		b.line("}")
		return true
	}
	b.line("requires %s", pick(b.d.source, b.d.gates...))
	return true
}
