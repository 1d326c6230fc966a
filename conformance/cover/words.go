// Points in words.

package cover

import (
	"fmt"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

var siteWords = map[interp.Site]string{
	interp.SiteHeld:       "the condition holds",
	interp.SiteJumped:     "the condition does not hold",
	interp.SiteZero:       "it is 0",
	interp.SiteOne:        "it is 1",
	interp.SiteOther:      "it is another number, and taken for true",
	interp.SiteEmpty:      "there is nothing in it",
	interp.SiteSingle:     "there is one part in it",
	interp.SiteSeveral:    "there are several parts in it",
	interp.SitePadEnd:     "the region ends before the padding does, which is allowed",
	interp.SitePadOther:   "the padding is of other bytes than a writer writes",
	interp.SiteMark:       "a byte order mark is left out",
	interp.SiteNULInside:  "the text ends before a zero byte with others after it",
	interp.SiteNULLast:    "the text ends before the zero byte at the end",
	interp.SiteNULMissing: "the zero byte at the end is missing",
	interp.SiteNULKept:    "a zero byte is a character of it",
	interp.SiteLongForm:   "a form that is longer than needed is taken",
	interp.SiteHalf:       "half of a surrogate pair is taken",
	interp.SiteHuge:       "a number above the last character is taken",
	interp.SiteUnchecked:  "bytes that are not UTF-8 are taken",
	interp.SiteAlone:      "one field represents the record",
	interp.SiteFields:     "it is a record with its fields",
	interp.SiteKept:       "the value is written unchanged",
	interp.SiteConverted:  "reals of another precision are converted",
	interp.SiteRounded:    "the number is rounded to single precision",
	interp.SiteOpen:       "the gate is open",

	interp.SiteTooDeep:    "refused: nested too deeply",
	interp.SiteTooNested:  "refused: nested too deeply for the engine",
	interp.SiteShort:      "refused: the input ends too early",
	interp.SiteUnknown:    "refused: the number has no meaning",
	interp.SiteForeign:    "refused: a value of a type that is not one of these",
	interp.SiteOtherArm:   "refused: a value of another type than the number says",
	interp.SiteRefused:    "refused: the number is not allowed",
	interp.SiteClosed:     "refused: the gate is closed",
	interp.SiteLeftOver:   "refused: bytes are left over",
	interp.SiteMemory:     "refused: more memory than the limit",
	interp.SiteKind:       "refused: a value of another kind",
	interp.SiteNothing:    "refused: there is no value",
	interp.SiteFieldCount: "refused: another number of fields",
	interp.SiteNumbers:    "refused: numbers of another sort",
	interp.SiteRange:      "refused: the number does not fit",
	interp.SiteCount:      "refused: another number of parts than the fields before say",
	interp.SitePresent:    "refused: a value in place of no value",
	interp.SitePlace:      "refused: a place outside what was written",
	interp.SiteStray:      "refused: a continuing byte begins a character",
	interp.SiteNoLead:     "refused: a byte that is never part of UTF-8",
	interp.SiteCut:        "refused: the text ends inside a character",
	interp.SiteBroken:     "refused: a character is not continued",
	interp.SiteOverlong:   "refused: a form that is longer than needed",
	interp.SiteSurrogate:  "refused: half of a surrogate pair",
	interp.SiteBeyond:     "refused: a number above the last character",
	interp.SiteNUL:        "refused: a zero byte, which would end the text",
}

// words says what happens at a point.
func (c *Map) words(q *Point) string {
	p := c.m.Program()
	in := &p.Code[q.PC]
	text := siteWords[q.Site]
	switch q.Site {
	case interp.SiteRun:
		text = "it is run"
	case interp.SiteArm:
		a := p.Tables[in.D].Arms[q.N]
		text = fmt.Sprintf("%s, which is %s", a.Numbers(), p.Types[a.Type].Name)
		if a.Else {
			text = "any other number, which is " + p.Types[a.Type].Name
		}
	case interp.SitePadded:
		text = fmt.Sprintf("there are %d bytes of padding", q.N)
		if q.N == 1 {
			text = "there is 1 byte of padding"
		}
	case interp.SiteReplaced:
		text = "something else is written in its place"
		if w, arm, ok := c.rule(in, q.N); ok {
			if w.Absent {
				text = fmt.Sprintf("nothing is written in place of %s", arm)
			} else {
				text = fmt.Sprintf("%s %q is written in place of %s", p.Types[w.Type].Name, w.Text, arm)
			}
		}
	case interp.SiteEmpty:
		if in.Op == bytecode.Fields {
			text = "a unit represents a record without any field"
		}
	case interp.SiteRepeats:
		text = "some key occurs twice"
		if q.Dir == interp.Writing {
			text = "pairs with keys that were there before are left out"
		}
	case interp.SiteYes, interp.SiteNo:
		text = nodeWords(p, q)
	}
	return p.InstrText(in) + ": " + text
}

// rule returns rule n of a subst, and the name of the type that it is for.
func (c *Map) rule(in *bytecode.Instr, n int) (w bytecode.Write, arm string, ok bool) {
	p := c.m.Program()
	t, ok := p.UnionTable(in.B)
	if !ok {
		return w, "", false
	}
	for _, a := range t.Arms {
		rules := p.Types[a.Type].Writes
		if n < len(rules) {
			return rules[n], p.Types[a.Type].Name, true
		}
		n -= len(rules)
	}
	return w, "", false
}

// nodeWords says which way a node of an expression goes.
func nodeWords(p *bytecode.Program, q *Point) string {
	node := p.Exprs[q.Expr].Node(q.N)
	only := *p
	only.Exprs = []*bytecode.Expr{node}
	part := only.ExprText(0)
	yes := q.Site == interp.SiteYes
	switch {
	case node.Op == bytecode.ExprFit && yes:
		return part + " fits"
	case node.Op == bytecode.ExprFit:
		return "refused: " + part + " does not fit"
	case node.Op == bytecode.ExprSelect || node.Op == bytecode.ExprMin || node.Op == bytecode.ExprMax:
		if yes {
			return part + " is the first"
		}
		return part + " is the second"
	case yes:
		return part + " holds"
	}
	return part + " does not hold"
}
