// Attributes: the rules after the cells of a row, after bits, and after a block.

package builtin

// Place is a set of things that an attribute can be written after.
type Place uint8

// The things that have attributes.
const (
	OfRow      Place = 1 << iota // a row
	OfTruth                      // a row of a truth
	OfDigits                     // a row of a number in digits
	OfConstant                   // a row of text or of several numbers that is always the same
	OfBits                       // bits of a word
	OfList                       // a list
	OfHead                       // the word of a union
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
	{Name: "pad", At: OfRow | OfTruth | OfConstant | OfList, Words: []string{"with", "any", "or", "end"},
		Doc: "padding with zeros to a multiple of a number of bytes: `pad 4`, or with another byte: `pad 2 with \"0a\"`; `any` accepts other bytes, `or end` allows no padding at the end of the region"},
	{Name: "any", At: OfRow | OfTruth | OfConstant | OfBits, Doc: "a reader accepts any number, for a row that is always the same any bytes, for a stored truth any number but 0 as true, for a row with several forms a number in any of them, for a number of varying width more bytes than necessary, and for a number in digits other letters, spaces and zero bytes"},
	{Name: "fill", At: OfRow | OfConstant, Words: []string{"any"},
		Doc: "text or bytes end before the bytes at the end of the row that fill it: `fill \"00\"`; with `any` they end before the first of these bytes, and other bytes may follow; of a number in digits, the zero bytes and spaces after the digits: `fill \"0020\"`"},
	{Name: "left", At: OfDigits, Doc: "digits are at the left of their row, without zeros before them: spaces are after them"},
	{Name: "right", At: OfDigits, Doc: "digits are at the right of their row, without zeros before them: spaces are before them"},
	{Name: "view", At: OfRow, Doc: "the row, which has @ in its offset cell, shows bytes that other rows have: a reader reads them, and a writer compares them"},
	{Name: "check", At: OfRow | OfTruth | OfBits | OfList | OfHead, Doc: "a condition that must hold, and a message if it does not; without one the description of the row is the message"},
	{Name: "if", At: OfRow | OfTruth | OfConstant, Doc: "the row is there if the condition holds"},
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

// AttributeWords returns the words that begin an attribute.
func AttributeWords() []string {
	var all []string
	for _, a := range Attributes {
		all = append(all, a.Name)
	}
	return all
}
