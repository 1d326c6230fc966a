// Words of the grammar, with their descriptions.

package builtin

// words has the descriptions of words and signs of the grammar that no other table has.
var words = map[string]string{
	"schema":   "begins the declaration of a schema: `schema \"id\" extends \"other\" { … }`",
	"extends":  "the schema has the declarations of another one, which it may change",
	"title":    "the name of the format for documents",
	"source":   "the origin of the facts",
	"role":     "what the schema is for, if not one format: `document`, or `framing`",
	"root":     "the type or union of a packet; a schema without it is a library",
	"depth":    "how many values may be nested in one another; 1024 if left out",
	"gate":     "declares a permission that a caller gives, which `requires` and `closed` name",
	"option":   "declares a choice for the whole schema; its name is a type of numbers",
	"keys":     "the rules for keys of maps that are the same",
	"order":    "the order of the bytes of numbers: in a schema of all, in a body of those in the rows after it; `order by field { 1 little, 2 big }` takes it from a number",
	"document": "the schema repeats a document, with its mistakes; `octable docs` makes the document again, and `octable audit` compares them",
	"framing":  "the schema is what surrounds packets of others, so it is no guess for the format of bytes",
	"little":   "the lowest byte of a number is first",
	"big":      "the highest byte of a number is first",

	"import":   "declares a name for another schema, whose types this one uses: `import \"id\" as name { … }`",
	"as":       "gives a name",
	"encoding": "declares a way to read and write text",
	"type":     "declares a record: a list of rows",
	"union":    "declares a union: a value of one of several arms, which a number selects",
	"arm":      "declares an arm of a union with its numbers: `arm Union 1 name { … }`",
	"extend":   "changes the rows, bits and examples of an inherited declaration, or adds some",
	"replace":  "takes the place of an inherited declaration",
	"drop":     "removes inherited declarations, rows, bits and examples by their names",
	"change":   "gives inherited arms of a union other names, numbers or labels",

	"by":       "the number that selects an arm of a union, a form of a row, or an order of bytes",
	"or":       "separates the lengths of the forms of a row; `or end` allows padding to be missing at the end of the region",
	"else":     "all numbers that no arm or form has; after a block with `if`, the rows if the condition does not hold",
	"from":     "the type whose beginning a place counts from",
	"until":    "the end of text, bytes or a list: `until end`, `until \"00\"`, or the condition of the last element",
	"end":      "the end of the region, or of the packet",
	"rest":     "`rest any`: a reader ignores bits that no field has",
	"signed":   "the bits are a number in two's complement, whose highest bit is the sign",
	"selects":  "the bit selects between the first two choices of the option, or the bits select an arm of a union",
	"repeat":   "a list of records: `repeat count as name { … }`",
	"map":      "a map, whose elements are a key and a value: `map count as name { … }`",
	"id":       "`Union.id`: the number of an arm, without its content",
	"requires": "readers and writers refuse the value if the gate is closed",
	"refuse":   "readers and writers refuse what gets here, with a reason",
	"writes":   "a writer puts another arm, or nothing, in place of this one",
	"absent":   "nothing is written in place of the arm",

	"example": "bytes of a packet and their value, which are checked",
	"with":    "in an example, open gates, a choice or `strict`; in a checksum, the number that the bytes of a field count as",
	"is":      "the value of the bytes",
	"again":   "the bytes that a writer returns for the value",
	"refused": "the kind of error with which a reader refuses the bytes",

	"@":  "the row is not behind the rows before it, but at the place in this number; alone, a row for the bytes between the other rows",
	"..": "a range; both ends belong to it",
	"|":  "begins a row, and separates its cells: offset, length, type, name with what a writer computes, description",
	"=":  "the number that a writer computes, or that a form, bits or a choice have",
	"!":  "in an expression 1 if the number after it is 0, else 0; before a name, an erratum of the document",
	".":  "a part of what is before it: a field of a row, an arm or a row of a declaration, a type of an import",
}

// WordNamed returns the description of a word or a sign of the grammar, or "".
func WordNamed(name string) string {
	if a := AttributeNamed(name); a != nil && name != "if" {
		return a.Doc
	}
	if name == "if" {
		return "the row, or the rows of the block, are there if the condition holds"
	}
	return words[name]
}

// refusals has the descriptions of the kinds of errors of readers.
var refusals = map[string]string{
	"truncated": "fewer bytes are left than a row, a list, a region or padding needs",
	"type":      "a number that no arm has",
	"text":      "malformed text",
	"value":     "a condition that does not hold, a number that is not the computed one, or bytes that must be 0",
	"closed":    "a gate is closed",
	"depth":     "a value is nested too deeply",
	"limit":     "values take more memory than allowed, or there are too many bytes between parts",
	"trailing":  "bytes are left over",
	"checksum":  "a checksum is not that of the bytes",
	"canonical": "with `strict`, a byte that a writer would not have written",
}

// RefusalNamed returns the description of a kind of error of a reader, or "".
func RefusalNamed(name string) string { return refusals[name] }
