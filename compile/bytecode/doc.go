// Package bytecode defines the instruction set. It has programs, their listing, their file
// form, and the verifier that every program passes before it runs.
//
// A program describes one format. It is run in either direction by package
// interp: each instruction says what a reader takes from the input and what a
// writer puts in its place, so a format is written down once.
//
// The machine has, for each record being read or written,
//
//   - registers r0, r1 …: numbers that steer (lengths, counts, flags, words);
//   - cells c0, c1 …: the values of the record's fields;
//   - a cursor into the bytes, and the bytes that may be used up.
//
// A [Routine] reads or writes one value. Its instructions are a tree of blocks:
// records, arms, branches and regions. There are no jumps and every repetition uses
// up input, so a program ends on every input; [Verify] checks this and every index
// before a program is run.
//
// The table of instructions in this package is the only place where they are
// declared; the listing, the verifier and the documentation are made from it.
package bytecode
