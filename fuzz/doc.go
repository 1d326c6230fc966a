// Package fuzz holds the laws of the project and the data to try them on.
//
// A [Schema] is one of the embedded schemas under one choice of its option, with
// its gates closed or open. It makes values from [interp.Choices], the one
// currency of test data here: gopter, in tests, draws choices and shrinks them
// ([Schema.Samples]), go test -fuzz mutates them, and a value that was read can
// be turned into the choices that make it.
//
// A [Law] is one function that returns an error if it does not hold. Some are
// about values, some about any bytes at all; [Laws] lists them, and the tests of
// this package run every one on every schema:
//
//	go test ./fuzz
//
// [Check] tries the laws that hold for every schema on a fixed number of inputs, as the
// command octable check does, and returns a [Counterexample].
//
// [Hunt] tries all of them on inputs that are guided by the coverage of a schema, as the
// command octable fuzz does. The targets for go test -fuzz, libFuzzer and OSS-Fuzz
// are in package targets; README.md lists all of the project.
package fuzz
