// Package inputs makes test inputs of a schema, one after another, each close to
// one that reached something new.
//
// A [Source] begins with the simplest value of every type. An input that makes the
// reader or the writer of the schema reach an instruction, branch or refusal that
// nothing has reached before is kept; from what is kept come the next inputs: its
// choices are changed, its value is changed in one part, its packet is damaged in
// each derived field, its bytes are changed by chance, or a part of the value is
// made one that cannot be written.
//
// Package reach computes the reachable points of the program. A Source picks one that nothing
// has reached, and changes inputs that ran its instruction.
package inputs
