// Package reference defines the meaning of a schema: a walk over the resolved tree that
// decodes bytes and encodes values.
//
// It is written to be read beside package schema, which declares the nodes of the tree.
// It imports the tree, the value type and the error kinds of package interp, and nothing
// else of the project: the compiler and the interpreter share no code with it, so that
// one mistake cannot be in both. It has no plans and no caches; its time is quadratic in
// places. Package fuzz compares it with the interpreter.
//
// # One walk
//
// A row relates bytes and a value, and that relation is the same for a reader and a writer.
// So there is one walk over the nodes. It has a packet and a position in it; a reader takes
// bytes and returns values, and a writer is given values and puts bytes. Most of the walk does
// not know which one it is: conditions, sizes and counts are expressions of numbers that are
// known, because they were read or written before. What differs is below.
//
//	reference.go  the two calls, the packet, and errors
//	record.go     records and unions, and the values that represent them
//	row.go        the nodes of a body: rows, forms, conditions, regions, padding and lists
//	word.go       rows that are numbers, and bits of words
//	part.go       rows at places
//	sums.go       checksums
//	expr.go       expressions
//	keys.go       equality of keys
//	number.go     the bytes of numbers
//	text.go       the bytes of texts
//
// The first five files and the first half of sums.go are the walk, about 1,040 lines of code
// without comments. The others define what it is made of, in about 730 lines.
//
// # Numbers and values
//
// A [schema.Field] has a number, a value, or both. The number is a 64-bit integer in
// two's complement, and expressions compute with numbers. The value is what callers get and
// give ([interp.Value]); only stored fields have one. While a record is read or written, a
// frame holds both. The number of a field is 0 until it is read or written, and 0 if its row is
// not there. The value of such a field is None.
//
// # Reading
//
// A reader takes the rows of a body in order, without knowledge of the value. A count from the
// input is compared with the bytes that are left before anything else. An error has the offset
// of the row that cannot be read; an error of a condition has that of the number directly
// before it, or of the next byte.
//
// # Writing
//
// A writer takes the values of the stored fields from a record, then writes the rows in the
// same order. It computes the numbers that are not stored from the values. It refuses a value
// of which a reader would take another number of bytes or elements. The offset of an error is
// the number of bytes before it.
//
// Some numbers are known after their words only: the size of a later row, the place of a part,
// and a checksum. A writer learns them in one walk and writes them in the next one. It walks
// until it learns nothing new, and the bytes or the error of the last walk are the result.
//
// # Units
//
// A record or a union that is not in place of a row is a unit. Numbers are known only
// inside of one unit; what a unit needs from outside is passed as arguments. The element
// of a list is a unit. A unit that can contain itself counts towards the depth, if it is
// marked so, and at most 4*depth+64 units are inside of each other.
//
// # Errors
//
// Every error is an [interp.Error] with one of the kinds of package interp and an offset.
// Inside the package an error is a panic with one, which [Decode] and [Encode] recover.
package reference
