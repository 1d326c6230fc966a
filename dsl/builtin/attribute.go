// Attributes: the rules after the cells of a row, after bits, and after a block.

package builtin

import (
	"slices"
	"strings"
)

// Place is a set of things that an attribute can be written after.
type Place uint8

// The things that have attributes.
const (
	OfRow    Place = 1 << iota // a row
	OfTruth                    // a row of a truth
	OfBits                     // bits of a word
	OfList                     // a list
	OfRegion                   // a region
)

// Attribute is a rule that is written after something.
type Attribute struct {
	Name  string
	At    Place // what it can be written after
	Doc   string
	Words []string // that can follow its operand
}

// Attributes are all attributes.
var Attributes = []Attribute{
	{Name: "pad", At: OfRow | OfTruth | OfList | OfRegion, Words: []string{"fill", "exact", "or", "end"},
		Doc: "padding to a multiple of a number of bytes: `pad 4`; `fill` gives the byte, `exact` refuses others, `or end` allows no padding at the end"},
	{Name: "read any", At: OfRow | OfTruth | OfBits, Doc: "a reader takes any bits"},
	{Name: "read nonzero", At: OfTruth, Doc: "a reader takes any number but 0 for true"},
	{Name: "write", At: OfRow | OfBits, Doc: "a writer puts this number in place of the one that was read"},
	{Name: "must", At: OfRow | OfTruth | OfBits, Doc: "a condition that a reader demands"},
	{Name: "when", At: OfRow | OfTruth, Doc: "the row is there if the condition holds"},
	{Name: "at", At: OfRow | OfTruth, Doc: "the offset under another choice of the axis"},
	{Name: "same", At: OfRow | OfTruth, Doc: "the row documents the bytes of another one, and is neither read nor written"},
}

// AttributeNamed returns the attribute with a name, or nil.
func AttributeNamed(name string) *Attribute {
	for i := range Attributes {
		if Attributes[i].Name == name {
			return &Attributes[i]
		}
	}
	return nil
}

// AttributeWords returns the words that can begin an attribute, if after is "", or else
// those that follow it as the second word of a name, such as any after read.
func AttributeWords(after string) []string {
	var all []string
	for _, a := range Attributes {
		first, second, _ := strings.Cut(a.Name, " ")
		if after == "" {
			second = first
		} else if first != after {
			continue
		}
		if second != "" && !slices.Contains(all, second) {
			all = append(all, second)
		}
	}
	return all
}
