// Package languages compares generated code and exports of many schemas with the interpreter,
// in batches. The code of a hundred schemas is one Go program, one project of tsc and one run
// of pyright. One process of Node and one of tshark read their exports.
//
// Generated code agrees on values, verdicts, error kinds, offsets and bytes (package
// conformance/generated); exports agree on accepted packets (package
// conformance/exported). A back end that cannot express a schema returns a
// [*model.Unsupported], which names the construct. Any other error is a failure, and so is
// a panic.
//
// The schemas are those of testdata, which have each construct and were once failures,
// and drawn ones.
//
//	go test ./fuzz/languages                                                # a few of Go
//	go test ./fuzz/languages -run TestDrawn -v -language ts -schemas 1000 -seed 7 -timeout 0
package languages
