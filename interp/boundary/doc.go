// Package boundary lists numbers that implementations of a format get wrong. They are the
// limits of each scalar, the numbers around them, and the real numbers that a conversion
// changes.
//
// The generator of values in package interp, the damage of packets and the vectors take these
// numbers from here. The numbers that conditions of one schema compare with are not here;
// callers add them.
package boundary

// Class says which mistake a number finds.
type Class string

// The classes of numbers.
const (
	Range     Class = "boundary"  // numbers are tried in the middle of their range only
	Width     Class = "width"     // another width is taken, or another precision
	Sign      Class = "sign"      // the highest bit is taken for a sign, or is not
	Double    Class = "double"    // an integer becomes a real number on its way
	Order     Class = "order"     // the order of bytes is another one
	Whole     Class = "whole"     // a real number without a fraction becomes an integer
	Zero      Class = "zero"      // the sign of zero is lost
	Infinite  Class = "infinite"  // infinity has no literal
	NaN       Class = "nan"       // NaN has no literal
	Payload   Class = "payload"   // the bits of a NaN change
	Subnormal Class = "subnormal" // the least numbers become zero
)
