// Groups: items that belong together.

package schemas

import (
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
	add(fTruths, (*body).truth)
	add(fFloats, (*body).float)
	add(fComputed, (*body).computed)
	add(fComputed, (*body).ahead)
	add(fBits, (*body).word)
	add(fTexts, (*body).text)
	add(fLists, (*body).array)
	add(fLists, (*body).list)
	add(fTuples, (*body).tuples)
	add(fMaps, (*body).pairs)
	add(fRest, (*body).rest)
	add(fRecords, (*body).inner0)
	add(fWordUnions, (*body).unionRow)
	add(fUnions, (*body).cases)
	add(fArmIDs, (*body).armID)
	add(fRegions, (*body).within)
	add(fIfs, (*body).branch)
	add(fOptional, (*body).optional)
	add(fForms, (*body).forms)
	add(fLets, (*body).let)
	add(fChecks, (*body).check)
	add(fGates, (*body).gate)
	add(fNotes, (*body).note)
	add(fErrata, (*body).note)
	add(fRecursion, (*body).recursion)
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
	return []string{"pad " + d.number(int64(pick(d.source, 2, 4, 3, 8, 16))) + d.maybe(70, " any") + d.maybe(20, " or end")}
}

// finish appends a row with a stored field.
func (b *body) finish(r row) {
	b.store(false)
	if r.size != nil {
		b.least(slices.Min(r.size))
	}
	known := len(b.lines)
	b.row(r)
	if b.d.has(fSame) && b.d.chance(50) && r.size != nil {
		cells := strings.SplitN(b.lines[known], "|", 5)
		b.line("|%s|%s|%s| %s | same %s", cells[1], cells[2], cells[3], b.name(), r.name)
	}
}

func (b *body) let() bool {
	name := b.name()
	e, v := b.writer().draw(3)
	if b.d.chance(40) {
		e, v = b.writer().part()
	}
	b.line("let %s = %s", name, text(e))
	b.know(name, v)
	return true
}

func (b *body) check() bool {
	if b.d.chance(30) {
		b.line("if %s {", b.expr().condition(false))
		b.line("    refuse %q", "the numbers do not fit")
		b.line("}")
		return true
	}
	k := len(b.lines) - 1
	if k < 0 || !strings.HasPrefix(b.lines[k], "|") || strings.Contains(b.lines[k], " same ") || strings.Contains(b.lines[k], " if ") {
		return false
	}
	b.line("    check %s %q", b.expr().condition(true), "the numbers do not fit")
	return true
}

// gate draws the demand that a gate is open, under a condition that seldom holds.
func (b *body) gate() bool {
	if b.inner == 0 && b.union == nil || !b.d.chance(60) {
		b.rec.fixed = false
		b.line("if %s {", b.expr().condition(false))
		b.line("    requires %s", pick(b.d.source, b.d.gates...))
		b.line("}")
		return true
	}
	b.line("requires %s", pick(b.d.source, b.d.gates...))
	return true
}

func (b *body) note() bool {
	d := b.d
	switch k := d.n(3); {
	case len(d.errata) > 0 && (k == 2 || !d.has(fNotes)):
		b.line("erratum %s", d.mention())
	case k == 1:
		b.line("says %q", "A sentence.")
	default:
		b.line("caption %q", "A table:")
	}
	return true
}
