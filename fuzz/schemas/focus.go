// Focus: constructs that a random subset of features seldom draws.

package schemas

// focus is a construct that needs several features or choices at once. These are more likely
// in a schema that has the focus.
type focus int

const (
	noFocus focus = iota
	onAbsentNumbers
	onAreas
	onArguments
	onArmBits
	onArmForms
	onBitForms
	onCountedTexts
	onFills
	onGates
	onInfinities
	onLateSums
	onMapArguments
	onMarks
	onOddSigned
	onOptionalElements
	onOptionalTruths
	onPoints
	onRedundantBits
	onRegionLists
	onSizesBehind
	onSizesOfBoth
	onTextRecords
	onTextToEnd
	onTotals
	onTupleMembers
	onUnits
	onVariants
	onVaryingBits
	onViews
	numFocuses
)

// focuses has, for each focus, the features that its schemas have and lack. draw draws the group with which
// its records begin, or end if last is set.
var focuses [numFocuses]struct {
	has, lacks []feature
	draw       func(*body) bool
	last       bool
}

func init() {
	f := &focuses
	f[onAbsentNumbers].has = []feature{fIfs, fLists, fRecords, fRegions}
	f[onAbsentNumbers].lacks = []feature{fMembers, fTuples, fWordUnions, fWrites}
	f[onAbsentNumbers].draw = func(b *body) bool { return b.outside((*body).listRow, (*body).absentNumber) }
	f[onAreas].has, f[onAreas].draw = []feature{fRegions}, (*body).bounded
	f[onArguments].has = []feature{fArgs, fIfs, fRecords, fSigned}
	f[onArguments].draw = func(b *body) bool { return b.outside((*body).recordRow, (*body).branch) }
	f[onArmBits].has, f[onArmBits].draw = []feature{fArmIDs, fBits, fWordUnions}, (*body).word
	f[onArmForms].has, f[onArmForms].lacks = []feature{fForms, fIDs, fWordUnions}, []feature{fBits, fParts, fSelects}
	f[onArmForms].draw = (*body).unionRow
	f[onBitForms].has, f[onBitForms].draw = []feature{fBits, fForms}, (*body).forms
	f[onFills].has, f[onFills].draw = []feature{fDelimited, fExamples, fTexts}, (*body).delimited
	f[onCountedTexts].has, f[onCountedTexts].draw = []feature{fEncodings, fPads, fTexts}, (*body).text
	f[onGates].has, f[onGates].draw = []feature{fExpressions, fGates, fIfs}, (*body).gated
	f[onInfinities].has, f[onInfinities].draw = []feature{fExamples, fFloats, fHalves}, (*body).float
	f[onInfinities].lacks = []feature{fParts, fSelects, fWordUnions, fWrites}
	f[onLateSums].has, f[onLateSums].draw = []feature{fRegions, fSums}, (*body).bounded
	f[onMapArguments].has, f[onMapArguments].draw = []feature{fArgs, fMaps, fOuter, fRecords}, (*body).pairs
	f[onMarks].has = []feature{fErrata, fExtends, fWordUnions}
	f[onOddSigned].has, f[onOddSigned].draw = []feature{fOddWidths, fSigned}, (*body).number
	f[onOptionalElements].has = []feature{fLists, fOptional, fRecords}
	f[onOptionalElements].draw = func(b *body) bool { return b.outside((*body).listRow, (*body).optional) }
	f[onOptionalTruths].has, f[onOptionalTruths].draw = []feature{fOptional, fPads, fTruths}, (*body).optional
	f[onPoints].has, f[onPoints].draw = []feature{fBig, fFloats, fLists, fRecords}, (*body).listRow
	f[onPoints].lacks = []feature{fMembers, fRecursion, fTuples, fWordUnions}
	f[onRedundantBits].has, f[onRedundantBits].draw = []feature{fBits, fComputed}, (*body).word
	f[onRegionLists].has, f[onRegionLists].draw = []feature{fLists, fRecords, fRegions}, (*body).listRow
	f[onSizesBehind].has, f[onSizesBehind].draw = []feature{fComputed}, (*body).ahead
	f[onSizesOfBoth].has, f[onSizesOfBoth].draw = []feature{fBits, fExpressions, fRegions}, (*body).bounded
	f[onTextRecords].has, f[onTextRecords].draw = []feature{fFloats, fLists, fPads, fRecords, fRegions, fTexts}, (*body).listRow
	f[onTextRecords].lacks = []feature{fCharsets, fMembers, fRecursion, fTuples}
	f[onTextToEnd].has, f[onTextToEnd].draw, f[onTextToEnd].last = []feature{fDelimited, fTexts}, (*body).delimited, true
	f[onTotals].has, f[onTotals].draw = []feature{fParts, fSums}, (*body).parts
	f[onTotals].lacks = []feature{fCodings, fRecursion}
	f[onTupleMembers].has, f[onTupleMembers].draw = []feature{fMembers, fTuples}, (*body).members
	f[onTupleMembers].lacks = []feature{fFloats, fSelects}
	f[onUnits].has, f[onUnits].draw = []feature{fCharsets, fDelimited, fTexts}, (*body).delimited
	f[onVariants].has = []feature{fFloats, fForms, fLists, fPads, fSigned, fTexts, fTruths, fWordUnions}
	f[onVariants].lacks = []feature{fBig, fCodes, fIDs, fParts, fSelects, fWrites}
	f[onVaryingBits].has, f[onVaryingBits].draw = []feature{fBits, fCodings, fExamples}, (*body).varying
	f[onViews].has, f[onViews].draw = []feature{fOptional, fParts}, (*body).parts
	f[onViews].lacks = []feature{fRecursion}
}

// drawFocus draws the focus of the schema, which some have none of, and sets features for it.
func (d *drawer) drawFocus() {
	if !d.chance(75) {
		return
	}
	d.focus = focus(1 + d.n(int(numFocuses)-1))
	if d.chance(20) { // these need more than others, or interp has loops for them alone
		d.focus = pick(d.source, onVariants, onVariants, onTextRecords, onPoints, onTotals, onBitForms, onUnits)
	}
	for _, f := range focuses[d.focus].has {
		d.on[f] = true
	}
	for _, f := range focuses[d.focus].lacks {
		d.on[f] = false
	}
}

// outside draws one group in the outermost record and another one in those inside of it.
func (b *body) outside(first, inner func(*body) bool) bool {
	if b.d.nesting > 1 {
		return inner(b)
	}
	return first(b)
}

// gated draws a condition, or the demand that a gate is open.
func (b *body) gated() bool {
	if b.d.chance(50) {
		return b.gate()
	}
	return b.branch()
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
