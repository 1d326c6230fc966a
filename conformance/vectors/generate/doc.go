// Package generate makes the conformance vectors of a schema from its compiled program.
//
// It knows no format. Its steps are in these files:
//
//   - model.go arranges the program by records: which instructions write a field;
//   - seeds.go finds the smallest value of each shape: each arm, with and without each
//     optional field and part;
//   - values.go puts into each field the boundaries of its numbers, and texts, counts
//     and keys that are easy to get wrong;
//   - packets.go changes and cuts packets: lengths, flags, padding, malformed text;
//   - contexts.go puts packets into containers, before another value, and nests them;
//   - collect.go does all of that: some ten thousand candidates;
//   - search.go looks for inputs that reach what no candidate reaches, guided by coverage, and samples.go
//     changes packets that run the instruction of a missing point; tell.go looks for inputs that tell changed programs
//     which no candidate tells;
//   - cases.go has the codec say what each is: bytes, value, error;
//   - select.go keeps what finds something: a point of the program that is not reached
//     without it, a changed program that no other case tells from the right one, or what
//     is the smallest of its shape, row or boundary;
//   - flags.go and known.go are what is known of mistakes and of Godot's format: data,
//     which changes the level and the notes of cases, never what is right.
//
// [MeasureOf] measures a suite, [CrossFile] finds packets that versions read differently.
package generate
