// Package corrupt makes test data: packets with one named fault, and values that differ from
// others in one part.
//
// It knows no format. What can be wrong with a packet follows from the program:
// [Engine.Packets] reads the packet row by row, and finds out from the instructions
// what each word steers (the length of a text, the count of a list, the arm of a
// union, a flag) and which of its bits nobody reads. A [Change] says what was done
// and to which row of the schema.
//
// The analysis in words.go finds every use of the bits of a word: on all paths of the program,
// and in the arguments of calls. [bytecode.Program.Plain] evaluates one record only, up to the first
// instruction that is not plain. Both take the bits of an expression from [bytecode.Expr.Bits].
//
// [Engine.Mutate] changes a value: parts of it are dropped, doubled, swapped,
// replaced by parts of others or by values of other types, or set to a boundary of
// their rows. What comes out can be written: lengths, counts and flags are derived
// again.
package corrupt
