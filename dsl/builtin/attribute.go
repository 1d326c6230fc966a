// Attributes: the rules after the cells of a row, after bits, and after a block.

package builtin

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
	Name string
	At   Place // what it can be written after
	Doc  string
}

// Attributes are all attributes.
var Attributes = []Attribute{
	{"pad", OfRow | OfTruth | OfList | OfRegion, "padding to a multiple of a number of bytes: `pad 4`; `fill` gives the byte, `exact` refuses others, `or end` allows none at the end"},
	{"read any", OfRow | OfTruth | OfBits, "a reader accepts any number"},
	{"read nonzero", OfTruth, "a reader takes any number but 0 for true"},
	{"write", OfRow | OfTruth | OfBits, "a writer puts this number in place of the one that was read"},
	{"must", OfRow | OfTruth | OfBits, "a condition that a reader demands"},
	{"when", OfRow | OfTruth, "the row is there if the condition holds"},
	{"at", OfRow | OfTruth, "the offset under another choice of the axis"},
	{"same", OfRow | OfTruth, "the row documents the bytes of another one, and is neither read nor written"},
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
