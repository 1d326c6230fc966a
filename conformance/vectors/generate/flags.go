// Flags: what cases have in common, why implementations get it wrong, and how much it
// matters.

package generate

import (
	"slices"

	"github.com/octable/octable/conformance/internal/pattern"
	"github.com/octable/octable/conformance/vectors"
)

// remark is what is said of the cases that have a key.
type remark struct {
	vectors.Flag
	// levels of a case by its result, where the flag says one. A case has the weakest
	// that its flags say. If no flag names a level, it is a must; bytes that no writer makes are a
	// should: refusing them harms nobody, unless some writer makes them after all.
	valid, acceptable, invalid vectors.Level
}

const (
	must   = vectors.Must
	should = vectors.Should
	may    = vectors.May
)

func said(class, why, effect string) vectors.Flag {
	return vectors.Flag{Class: class, Why: why, Effect: effect}
}

// flags are those that come from how a candidate is made, for any schema.
var flags = map[string]remark{
	"basic": {Flag: said("type missing", "The type is not implemented, or read by the rows of another one.",
		"Values of the type cannot be exchanged.")},
	"lanes": {Flag: said("component order", "Rows and columns, or the order of components, are those of another library; equal or unit numbers hide it.",
		"Vectors and matrices come out mirrored or transposed, without an error.")},
	"optional": {Flag: said("optional field", "A field that is there only sometimes is always read, or never.",
		"All that follows in the packet is misread.")},
	"container": {Flag: said("cursor", "A value's length is one that fits when it is alone, but not what it has taken.",
		"The value is right, and every value behind it wrong.")},
	"boundary": {Flag: said("number range", "Numbers are tried in the middle of their range only.",
		"Large and negative numbers come out as others.")},
	"width": {Flag: said("wrong width", "A number has two widths on the wire, and one of them is not known, always used, or chosen at another boundary.",
		"Large numbers are cut off, or packets are longer than an engine's.")},
	"other-width": {Flag: said("wrong width", "The wider form of a number that the narrower would hold is taken as impossible, though other writers send it.",
		"Packets of other versions, builds and libraries are refused or misread."), acceptable: must},
	"sign": {Flag: said("wrong sign", "Documents say only Integer. Unsigned numbers are read as signed ones, or signed as unsigned.",
		"Numbers with the highest bit set come out as others.")},
	"double": {Flag: said("integer through a double", "The language has one type of number, of double precision.",
		"Integers beyond 2^53, such as ids, change in their last digits without an error.")},
	"order": {Flag: said("byte order", "The order of the host, or of networks, is used.", "Every number is another.")},
	"real": {Flag: said("bits of a real", "Reals go through another precision or through text on their way.",
		"Numbers change a little, or become others.")},
	"whole": {Flag: said("number type", "The language does not tell 1.0 from 1.", "A float comes back as an int, and the engine's code that expects a float fails.")},
	"zero": {Flag: said("bits of a real", "Negative zero is equal to zero, and is written as it.", "The sign is lost."),
		valid: should, acceptable: should},
	"infinite": {Flag: said("bits of a real", "Infinity has no literal in many notations.", "Infinity becomes null or an error.")},
	"nan":      {Flag: said("bits of a real", "NaN has no literal in many notations, and is not equal to itself.", "NaN becomes null, or is written in a form that engines do not write.")},
	"payload": {Flag: said("bits of a real", "Conversions between precisions, and many languages, keep only one NaN.",
		"Which NaN it was is lost."), valid: may, acceptable: may},
	"subnormal": {Flag: said("bits of a real", "The smallest numbers are taken for zero, or for such that single precision holds.", "Small numbers become 0.")},
	"count": {Flag: said("count off by one", "A loop runs once too often or too few, or a count is one of bytes, or of values and not of pairs.",
		"Elements are lost or invented.")},
	"count-long": {Flag: said("check missing", "A count or length that does not fit what follows is believed.",
		"What follows is misread, or memory beyond the packet is."), acceptable: may},
	"count-huge": {Flag: said("limit missing", "Memory is taken for as many elements as a count claims, before looking at how many bytes there are; or count times size passes the end of a machine word.",
		"A packet of a few bytes takes all memory, or ends the process."), acceptable: may},
	"count-bit": {Flag: said("highest bit of a count", "The highest bit, which once was a flag, is left in the number, or makes it negative.",
		"Packets of old versions are refused, or a negative count goes unchecked."), acceptable: should, invalid: should},
	"padding": {Flag: said("padding", "The number of padding bytes is wrong for some lengths: none for all, 4 in place of 0, or counted in the length.",
		"What follows is misread; packets are refused by engines.")},
	"padding-content": {Flag: said("padding looked at", "Padding is demanded to be zero, or taken as part of the text.",
		"Packets of engines that leave padding as the memory was are refused."), acceptable: must},
	"padding-end": {Flag: said("padding at the end", "Padding after the last value is demanded where engines do not, or forgiven where they do.",
		"Packets that engines accept are refused, or packets that engines refuse are accepted."), acceptable: should, invalid: should},
	"padding-left-out": {Flag: said("padding", "A reader looks for the next value in the wrong place.", "Damaged packets are read as something."),
		valid: should, acceptable: may, invalid: should},
	"empty":      {Flag: said("empty text", "Nothing is taken for null, or for the end.", "Empty texts are lost.")},
	"characters": {Flag: said("length in characters", "Lengths are taken from the language's string, whose unit is not the byte.", "Texts that are not ASCII are cut off, or misplace what follows.")},
	"utf8": {Flag: said("checks of text", "The language's decoder replaces what is no UTF-8, or passes it.", "Bytes that were sent are replaced silently."),
		valid: should, acceptable: may, invalid: should},
	"utf8-overlong": {Flag: said("checks of text", "Longer forms of characters are taken.", "Checks of text are passed by, as with ../ in other clothes."),
		valid: may, acceptable: may, invalid: should},
	"utf8-surrogate": {Flag: said("checks of text", "Halves of surrogate pairs are taken as characters.", "Text that nobody can show, or another text."),
		valid: may, acceptable: may, invalid: should},
	"utf8-beyond": {Flag: said("checks of text", "Numbers above the last character are taken.", "Text that nobody can show."),
		valid: may, acceptable: may, invalid: should},
	"mark": {Flag: said("byte order mark", "The mark is kept as a character, or dropped where it is content.", "Texts differ by a character that cannot be seen."),
		valid: should, acceptable: may, invalid: may},
	"nul": {Flag: said("zero byte", "Zero bytes end text in one language and are characters in another; a format's own rule is neither.",
		"Texts differ after a zero byte."), valid: should, acceptable: should, invalid: may},
	"nul-uncounted": {Flag: said("zero byte", "A zero byte at the end is demanded, or the last character is cut off in its place.",
		"Packets of other writers lose characters."), valid: should, acceptable: should, invalid: should},
	"flag":             {Flag: said("wrong flag bit", "A flag is tested or set one bit off, or together with another.", "Fields are read as others."), acceptable: should},
	"word":             {Flag: said("check missing", "A number that is not one of those that mean something is believed.", "Damaged packets are read as something."), acceptable: should, invalid: should},
	"type-of-elements": {Flag: said("type of elements", "Types of elements are numbered in another way, or not known.", "Arrays lose their type, or get another.")},
	"header-bits": {Flag: said("wrong mask", "The header's type and flags are parted with the mask of another version or page, or flags that mean nothing are refused.",
		"Packets that engines take are refused, or read as another type."), acceptable: should},
	"unknown-type": {Flag: said("unknown type taken", "A type that is not known gives nothing, in place of an error.", "What follows is misread without an error.")},
	"truth":        {Flag: said("what is true", "True is tested as 1, or in the lowest byte only.", "Other true values become false."), acceptable: should, invalid: should},
	"truncated":    {Flag: said("check missing", "The end of the input is not looked for before each field.", "A short packet ends the process, gives garbage, or what was in the memory behind it.")},
	"trailing":     {Flag: said("bytes after the value", "Bytes after the value are an error to some, and the next value to others.", "Streams of values cannot be read, or packets with room to spare are refused."), acceptable: may},
	"equal-keys": {Flag: said("equal keys", "The host's map has other rules for which keys are equal and which of two pairs stays.",
		"Pairs are lost, or both are written where engines write one."), valid: may, acceptable: may},
	"keys": {Flag: said("keys of all types", "Keys are taken for texts, or a key that the host's map does not take is left out with its value.",
		"Pairs are lost or misread, or a packet ends the process.")},
	"names": {Flag: said("names of the host", "Names are used as members of an object of the language, in which some mean something else or are in another order.",
		"Pairs are lost or change their order; with __proto__ a sender changes what all objects inherit.")},
	"size": {Flag: said("size", "A count or length is kept in 8, 16 or 24 bits, or an argument list, a stack or a buffer has a lower limit.",
		"Large values are cut off, misread or end the process.")},
	"size-huge": {Flag: said("size", "A length of more than 24 bits is one that few tests have.", "Files and pictures are cut off or refused."), valid: should},
	"key-order": {Flag: said("key order", "The host's map has no order, or sorts its keys.", "The order of a Dictionary, which scripts see, is lost."), valid: should},
	"gate": {Flag: said("gate missing", "Objects are made, or sent, without being asked for.", "Whoever sends the packet chooses what code runs."),
		valid: should, acceptable: may, invalid: must},
	"depth": {Flag: said("limit of nesting", "Nothing bounds nesting, or the bound is another.", "A small packet overflows the stack and ends the process."),
		valid: should, invalid: should},
	"write": {Flag: said("writing what cannot be read", "A value that the format cannot represent is written, cut off or replaced.", "Other readers refuse the packet, or read another value."),
		valid: should, invalid: should},
	"range": {Flag: said("writing what cannot be read", "A number that does not fit its field is cut off.", "Readers get another number."),
		invalid: should},
	"foreign": {Flag: said("writing what cannot be read", "A type that this version does not have is written by the number of another.", "Readers take it for another type, or refuse it."),
		invalid: should},
	"misfit": {Flag: said("type of elements", "Engines drop or convert an element that is not of the type of its container, each version in its own way.",
		"Elements are lost, or others in one engine than in another."), valid: may, acceptable: may},
	"rare": {Flag: said("rare case", "Some conditions of the format hold only for few inputs, which tests by hand do not have.",
		"A branch or a refusal is wrong, and nobody notices."), acceptable: should, invalid: should},
	"mixed": {Flag: said("writing what cannot be read", "Fields that exclude each other are both given.", "One of them is lost without an error."),
		invalid: may},
}

// note is a flag for some cases of Godot's format: known from issues and documents.
type note struct {
	key     string
	ids     *pattern.Pattern
	schemas *pattern.Pattern
	results []vectors.Result // none is all
	remark
}

func id(text string) *pattern.Pattern { return pattern.New(text) }

const issue = "https://github.com/godotengine/godot/issues/"
const pull = "https://github.com/godotengine/godot/pull/"
const docs = "https://github.com/godotengine/godot-docs/issues/"

var notes = []note{
	{key: "wide-ints", ids: id(`^int\.(value|wide)/wide|^int\.header/bit-16`), schemas: id(`^(godot|pandemonium)-[^2]`),
		remark: remark{Flag: vectors.Flag{Class: "wrong width", Why: "Godot 3.0 wrote every int in 64 bits, also small ones, because of a comparison with an unsigned number.",
			Effect: "Packets and files of Godot 3.0 cannot be read.", Links: []string{issue + "15383", pull + "22223", issue + "23354"}}}},
	{key: "padding-garbage", ids: id(`/padding-(last-)?set`), schemas: id(`^(godot|pandemonium)-`),
		remark: remark{Flag: vectors.Flag{Class: "padding looked at", Why: "Godot up to 4.5 leaves the padding of some texts and arrays as the memory was, and readers never look at it.",
			Effect: "Packets that engines send are refused.", Links: []string{issue + "17257", issue + "29010", issue + "44999"}}}},
	{key: "text-padding", ids: id(`/(padding-missing|padding-cut)`), schemas: id(`^(godot|pandemonium)-`),
		remark: remark{Flag: vectors.Flag{Class: "padding at the end", Why: "Engines demand the padding of a text since 2.1.5, 3.0.6 and 3.1; libraries of other languages had left it out.",
			Effect: "Engines refuse packets without it.", Links: []string{issue + "20807"}}}},
	{key: "zero-in-string-arrays", ids: id(`StringArray\.strings\.`), schemas: id(`^(godot|pandemonium)-\S*\d$`),
		remark: remark{Flag: vectors.Flag{Class: "zero byte", Why: "In an array of strings each text ends in a zero byte, which its length counts; nowhere else it does. Old pages do not say so.",
			Effect: "Texts have a zero byte too many, or lose their last character.", Links: []string{issue + "17230", issue + "39911", docs + "4087"}}}},
	{key: "objects-run-code", ids: id(`^Object/.*closed|^Object\.header/bit-16`), schemas: id(`^(godot|pandemonium)-`), results: []vectors.Result{vectors.Invalid},
		remark: remark{Flag: vectors.Flag{Class: "gate missing", Why: "Until 3.1.1 engines made any object that a packet named.",
			Effect: "Whoever sends the packet chooses what code runs.", Links: []string{issue + "27395", pull + "27485", issue + "28734", pull + "30306"}}}},
	{key: "nesting", ids: id(`/(deepest|too-deep)`), schemas: id(`^(godot|pandemonium)-`),
		remark: remark{Flag: vectors.Flag{Class: "limit of nesting", Why: "Engines before 3.3.5, 3.4.3 and 4.0 did not bound nesting when reading, and before 3.4 not when writing.",
			Effect: "A packet of 8 KiB overflows the stack.", Links: []string{pull + "58111", issue + "51071", pull + "51068"}}}},
	{key: "counts-believed", ids: id(`/2\^(31|32|30|29)`), schemas: id(`^(godot|pandemonium)-`), results: []vectors.Result{vectors.Invalid},
		remark: remark{Flag: vectors.Flag{Class: "limit missing", Why: "Engines before 2.1.5, 3.0.6 and 3.1 read past the end, or took memory for what a count claims; a packet of 8 bytes ended the process.",
			Effect: "A few bytes from anyone end a server.", Links: []string{pull + "20558", issue + "99430"}}}},
	{key: "eight-byte-count", ids: id(`^Packed(Int64|Float64)Array\.length/`), schemas: id(`^godot-4`),
		remark: remark{Flag: vectors.Flag{Class: "wrong width", Why: "The page for Godot 4 gave the count 8 bytes, as an engine in development wrote it.",
			Effect: "An 8-byte count is read as other numbers, without an error.", Links: []string{issue + "48213"}}}},
	{key: "rid-size", ids: id(`^RID`), schemas: id(`^godot-4\.`),
		remark: remark{Flag: vectors.Flag{Class: "field left out", Why: "A RID has 8 bytes since Godot 4, and none before; pages said that it cannot be written.",
			Effect: "What follows is misread.", Links: []string{"https://github.com/godotengine/godot-docs/pull/10662"}}}},
	{key: "typed-containers", ids: id(`(type|kind)-(builtin|class|script)|^(builtin|class|script)\.|^(Array|Dictionary)\.(builtin|class|script)`), schemas: id(`^godot-4\.[34]`),
		remark: remark{Flag: vectors.Flag{Class: "type of elements", Why: "Since 4.3 an Array, and since 4.4 a Dictionary, may begin with the type of what is in it; before, the same bits meant nothing.",
			Effect: "Readers of older pages take the type for the count.", Links: []string{issue + "76841", pull + "78219", issue + "84749"}}}},
	{key: "class-stands-for-id", ids: id(`type-(class|script)`), schemas: id(`^godot-4\.[34]`),
		remark: remark{Flag: vectors.Flag{Class: "gate missing", Why: "Without full objects an engine replaces any class name by EncodedObjectAsID, both when reading and when writing.",
			Effect: "The type of elements changes on the way.", Links: []string{issue + "90721", pull + "94212", issue + "97433"}}, acceptable: may}},
	{key: "double-precision", ids: id(`^(Vector[234]|Rect2|Plane|Quaternion|AABB|Basis|Transform[23]D|Projection|PackedVector[234]Array)(\.\w+)?/wide`), schemas: id(`^godot-4\.`),
		remark: remark{Flag: vectors.Flag{Class: "wrong width", Why: "Builds of double precision write vectors in double precision and say so in bit 16; every build reads both.",
			Effect: "Packets of such builds cannot be read.", Links: []string{issue + "57935", pull + "58205", pull + "83202"}}}},
	{key: "nan-keys", ids: id(`equal-nans|other-nans`), schemas: id(`^(godot|pandemonium)-`),
		remark: remark{Flag: vectors.Flag{Class: "equal keys", Why: "A NaN is equal to another as a key, though it is not as a number.",
			Effect: "Pairs cannot be found again, or are lost.", Links: []string{issue + "16031", issue + "16033"}}, valid: may, acceptable: may}},
	{key: "callable", ids: id(`^Callable`), schemas: id(`^godot-4\.`),
		remark: remark{Flag: vectors.Flag{Class: "field left out", Why: "A Callable is written as its type alone, and read as an empty one.",
			Effect: "What follows is misread where more is expected.", Links: []string{issue + "79813", issue + "120654"}}}},
	{key: "ids-of-another-version", ids: id(`/type-\d|\.header/bit-[0-7]$`), schemas: id(`^(godot|pandemonium)-`),
		remark: remark{Flag: vectors.Flag{Class: "wrong type id", Why: "Godot 3 and 4, and the pages of both, number the types differently from 6 on.",
			Effect: "A saved Dictionary comes back as a Transform3D, without an error.", Links: []string{issue + "69114", issue + "73530", docs + "3264"}}}},
}

// limits are weaker levels. They are for what engines of a series differ in, or what
// is not for an implementation of the format to decide.
var limits = []struct {
	ids, schemas, values *pattern.Pattern // nil is any
	closed               bool             // the level also applies to cases that are refused because a gate is closed
	level                vectors.Level
}{
	// Godot 3 takes the empty absolute path for the empty relative one.
	{nil, id(`^(godot-[23]|pandemonium)`), id(`"absolute":true,"names":\[\],`), false, may},
	// Whether a script or a class exists is not the format's to know.
	{nil, id(`^(godot|pandemonium)-`), id(`\{"script":`), false, may},
	{nil, id(`^(godot|pandemonium)-`), id(`"\$type":"Object","class":("[^R]|\{)`), false, may},
	// An engine writes the null object as Nil, and an object as its instance id, in place of refusing them.
	{id(`/.*closed-write$`), id(`^(godot|pandemonium)-`), id(`^\{"\$type":"Object"\}$`), true, may},
	{id(`/.*closed-write$`), id(`^(godot|pandemonium)-`), nil, true, should},
	// The texts of an engine hold no zero byte, so no engine was asked to write one.
	{id(`/zero-byte.*-(written|refused)$`), id(`^(godot|pandemonium)-`), nil, false, may},
}

// describe gives a case its flags and level, and returns the flags by key.
func describe(c *vectors.Case, schema string, keys []string) map[string]vectors.Flag {
	out := map[string]vectors.Flag{}
	level, said := must, false
	weaken := func(f remark) {
		l := f.valid
		switch c.Result {
		case vectors.Acceptable:
			l = f.acceptable
		case vectors.Invalid:
			l = f.invalid
		}
		said = said || l != ""
		if rank(l) > rank(level) {
			level = l
		}
	}
	add := func(key string, f remark) {
		if _, ok := out[key]; ok {
			return
		}
		out[key] = f.Flag
		c.Flags = append(c.Flags, key)
		weaken(f)
	}
	for _, k := range keys {
		add(k, flags[k])
	}
	for _, n := range notes {
		if n.ids.MatchString(c.ID) && n.schemas.MatchString(schema) && (n.results == nil || slices.Contains(n.results, c.Result)) {
			add(n.key, n.remark)
		}
	}
	if c.Result == vectors.Acceptable && !said {
		level = should
	}
	for _, l := range limits {
		if (l.ids == nil || l.ids.MatchString(c.ID)) && l.schemas.MatchString(schema) && (l.values == nil || l.values.Match(c.Value)) &&
			(l.closed || c.Error == nil || c.Error.Kind != "closed") && rank(l.level) > rank(level) {
			level = l.level
		}
	}
	c.Level = level
	return out
}

func rank(l vectors.Level) int {
	switch l {
	case should:
		return 1
	case may:
		return 2
	}
	return 0
}
