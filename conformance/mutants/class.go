// The classes of bug that mutants represent.

package mutants

// Class is a kind of mistake.
type Class struct {
	Name string // such as "wrong width"
	Why  string // people make it
}

// The names of the classes.
const (
	wrongWidth    = "wrong width"
	wrongSign     = "wrong sign"
	wrongNumber   = "real for integer"
	byteOrder     = "byte order"
	fieldOrder    = "fields swapped"
	fieldMissing  = "field left out"
	fieldTwice    = "field doubled"
	laneOrder     = "component order"
	padMissing    = "padding missing"
	padNeedless   = "padding where none is"
	padAlways     = "padding always"
	padAlign      = "wrong alignment"
	padFill       = "padding not zero"
	padStrict     = "padding looked at"
	padEnd        = "padding at the end"
	padCounted    = "padding counted"
	wrongMask     = "wrong mask"
	wrongFlag     = "wrong flag bit"
	flagIgnored   = "flag ignored"
	checkMissing  = "check missing"
	gateMissing   = "gate missing"
	wrongLimit    = "limit off by one"
	limitMissing  = "limit missing"
	countOff      = "count off by one"
	countUnit     = "unit of a count"
	countSign     = "negative count"
	countBit      = "highest bit of a count"
	nulRule       = "zero byte"
	markRule      = "byte order mark"
	textChecks    = "checks of text"
	textLength    = "length in characters"
	typeNumber    = "wrong type id"
	typeMissing   = "type missing"
	typeUnknown   = "unknown type taken"
	formAlways    = "form of a number"
	branchWrong   = "optional field"
	truthRule     = "what is true"
	equalKeys     = "equal keys"
	pairOrder     = "order of pairs"
	inputEnd      = "end of the input"
	inputAfter    = "bytes after the value"
	objectRule    = "null object"
	throughDouble = "integer through a double"
	realBits      = "bits of a real"
	regionIgnored = "region ignored"
)

// Classes are the classes of bug, each with why implementations have it.
var Classes = []Class{
	{wrongWidth, "A number's width is taken from the host language's type, or from another row of the document."},
	{wrongSign, "Documents say only Integer. Unsigned numbers are read as signed ones, or signed as unsigned, and the fault shows only when the highest bit is set."},
	{wrongNumber, "Tables name reals Integer, and integers Float, or rows are copied with the wrong type."},
	{byteOrder, "The order of the host, or of networks, is used in place of the format's, in all fields or in one."},
	{fieldOrder, "Two fields next to each other are read and written in the wrong order."},
	{fieldMissing, "A field that is not needed for the result is not read, or not written, and all that follows is in the wrong place."},
	{fieldTwice, "A length or number is taken twice, by the caller and by the callee, and all that follows is in the wrong place."},
	{laneOrder, "Rows and columns, or the order of components, are those of another library; values of symmetric or unit form hide it."},
	{padMissing, "Text whose length is a multiple of 4, as in most tests, has no padding, so its absence is not noticed."},
	{padNeedless, "What is true of text, that it is padded, is believed of everything that has a length."},
	{padAlways, "The number of padding bytes is computed as 4 - n % 4, which is 4 and not 0 for multiples of 4."},
	{padAlign, "Padding goes to the width of the host's words, or to another multiple than the format's."},
	{padFill, "Padding is left as the memory was, and sends what was in it."},
	{padStrict, "A reader demands zeros where older writers left garbage."},
	{padEnd, "Padding after the last value is demanded where engines do not, or forgiven where they do."},
	{padCounted, "The length is taken from the padded buffer."},
	{wrongMask, "The header's type and flags are parted with the mask of another version or page."},
	{wrongFlag, "A flag is tested or set one bit off, as documents count bits from 0 or from 1."},
	{flagIgnored, "A flag is not known to the implementation's author and never looked at or set, or taken for granted."},
	{checkMissing, "A condition that the implementation's own writer never breaks is not checked."},
	{gateMissing, "Objects are made, or sent, without being asked for."},
	{wrongLimit, "A limit is tested with < in place of <=."},
	{limitMissing, "Nothing bounds nesting, and a small packet overflows the stack."},
	{countOff, "A count includes something that it should not, or a loop runs once too often or too few."},
	{countUnit, "Counts of elements and of bytes, or of pairs and of values, are confused."},
	{countSign, "A negative count is refused, or becomes a huge one, while engines read an empty list."},
	{countBit, "The highest bit of a count, which once was a flag, is left in the number."},
	{nulRule, "Zero bytes end text in one language and are characters in another; a format's own rule is neither."},
	{markRule, "The mark is kept as a character, or dropped where it is content, by the language's own decoder."},
	{textChecks, "The language's decoder accepts or replaces text that the format's decoder refuses, or refuses text that it accepts."},
	{textLength, "The length is taken from the string, whose unit is not the byte."},
	{typeNumber, "Type ids are those of another version or page, or counted by hand."},
	{typeMissing, "A type is not implemented."},
	{typeUnknown, "A type id that is not known gives nothing, in place of an error, and what follows is misread."},
	{formAlways, "Numbers have always the wide form, or always the narrow one, or the boundary between them is wrong."},
	{branchWrong, "A field that is there only sometimes is always read, or never."},
	{truthRule, "True is tested as == 1, or in the lowest byte only, or other numbers are refused."},
	{equalKeys, "The host's map has other rules for which keys are equal and which of two pairs stays."},
	{pairOrder, "The host's map has another order, or no order."},
	{inputEnd, "Nothing looks whether there are as many bytes as are taken: what is missing is zeros, or the bytes that happen to be there."},
	{inputAfter, "A packet is thought to be one value and nothing else."},
	{objectRule, "What has no value is sent in its own form in place of the one that engines send."},
	{throughDouble, "The language has one type of number, and integers beyond 2^53 are rounded."},
	{realBits, "-0 or the payload of a NaN is lost in a conversion, or a double goes through single precision."},
	{regionIgnored, "A size that bounds what is inside it is read and not used."},
}
