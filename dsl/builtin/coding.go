// Codings: numbers whose width on the wire depends on the number.

package builtin

// Coding is the way in which a number is written in bytes. Numbers of a coding other than
// Fixed have 64 bits and take 1 to MaxCoded bytes.
type Coding uint8

// The codings. Order matters only in that it is saved in program files.
const (
	Fixed   Coding = iota // the bytes of its scalar
	LEB128                // groups of 7 bits, the lowest first
	SLEB128               // as LEB128; the highest bit of the last group is the sign
	Zigzag                // LEB128 of 2n for n of 0 or more, and of -2n-1 for others
	VLQ                   // groups of 7 bits, the highest first
	numCodings
)

// MaxCoded is the most bytes of a number of varying width.
const MaxCoded = 10

var codings = [numCodings]struct {
	name   string
	scalar Scalar // of its numbers
	doc    string
}{
	Fixed:   {name: "fixed"},
	LEB128:  {"leb128", U64, "unsigned integer of at most 64 bits in groups of 7 bits, the lowest first; 1 to 10 bytes"},
	SLEB128: {"sleb128", I64, "signed integer of at most 64 bits in groups of 7 bits, the lowest first; 1 to 10 bytes"},
	Zigzag:  {"zigzag", I64, "signed integer of at most 64 bits, as leb128 of 2n, or of -2n-1 if n is negative; 1 to 10 bytes"},
	VLQ:     {"vlq", U64, "unsigned integer of at most 64 bits in groups of 7 bits, the highest first; 1 to 10 bytes"},
}

// Valid reports whether c is one of the declared codings.
func (c Coding) Valid() bool { return c < numCodings }

// String returns the name that schemas use.
func (c Coding) String() string {
	if c >= numCodings {
		return "invalid"
	}
	return codings[c].name
}

// Scalar returns the scalar of the numbers of a coding, NoScalar for Fixed.
func (c Coding) Scalar() Scalar {
	if c >= numCodings {
		return NoScalar
	}
	return codings[c].scalar
}

// Codings returns every coding of varying width in the order of their numbers.
func Codings() []Coding {
	var all []Coding
	for c := LEB128; c < numCodings; c++ {
		all = append(all, c)
	}
	return all
}
