// Focus: constructs that a random subset of features seldom draws.

package schemas

// focus is a construct that needs several features or choices at once, which are more likely
// in a schema that has the focus.
type focus int

const (
	noFocus focus = iota
	onArmForms
	onBitForms
	onInfinities
	onLateSums
	onMapArguments
	onMarks
	onOddSigned
	onRedundantBits
	onRegionLists
	onSizesOfBoth
	onTextToEnd
	numFocuses
)

// focuses say what a schema with a focus has and lacks, and the group that its records begin
// with, or end with if last is set.
var focuses [numFocuses]struct {
	has, lacks []feature
	draw       func(*body) bool
	last       bool
}

func init() {
	f := &focuses
	f[onArmForms].has, f[onArmForms].lacks = []feature{fForms, fIDs, fWordUnions}, []feature{fBits, fParts, fSelects}
	f[onArmForms].draw = (*body).unionRow
	f[onBitForms].has, f[onBitForms].draw = []feature{fBits, fForms}, (*body).forms
	f[onInfinities].has, f[onInfinities].draw = []feature{fExamples, fFloats}, (*body).float
	f[onInfinities].lacks = []feature{fParts, fSelects, fWordUnions, fWrites}
	f[onLateSums].has, f[onLateSums].draw = []feature{fRegions, fSums}, (*body).bounded
	f[onMapArguments].has, f[onMapArguments].draw = []feature{fArgs, fMaps, fOuter, fRecords}, (*body).pairs
	f[onMarks].has = []feature{fErrata, fExtends, fWordUnions}
	f[onOddSigned].has, f[onOddSigned].draw = []feature{fOddWidths, fSigned}, (*body).number
	f[onRedundantBits].has, f[onRedundantBits].draw = []feature{fBits, fComputed}, (*body).word
	f[onRegionLists].has, f[onRegionLists].draw = []feature{fLists, fRecords, fRegions}, (*body).listRow
	f[onSizesOfBoth].has, f[onSizesOfBoth].draw = []feature{fBits, fExpressions, fRegions}, (*body).bounded
	f[onTextToEnd].has, f[onTextToEnd].draw, f[onTextToEnd].last = []feature{fDelimited, fTexts}, (*body).delimited, true
}

// drawFocus draws the focus of the schema, which most have none of, and sets features for it.
func (d *drawer) drawFocus() {
	if !d.chance(45) {
		return
	}
	d.focus = focus(1 + d.n(int(numFocuses)-1))
	for _, f := range focuses[d.focus].has {
		d.on[f] = true
	}
	for _, f := range focuses[d.focus].lacks {
		d.on[f] = false
	}
}

// likely draws true in a percentage of cases, and nearly always in a schema with a focus.
func (d *drawer) likely(f focus, percent int) bool {
	if d.focus == f {
		percent = 85
	}
	return d.chance(percent)
}

// focused draws the group of the focus of the schema, at the beginning or the end of a record.
func (b *body) focused(last bool) {
	f := &focuses[b.d.focus]
	if f.draw != nil && f.last == last && !b.ended && b.d.budget > 0 && b.d.nesting < 4 && b.d.chance(70) {
		f.draw(b)
	}
}
