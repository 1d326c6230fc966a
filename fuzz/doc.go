// Package fuzz holds the laws of the project and the data to try them on.
//
// A [Schema] is one of the embedded schemas under one choice of its axis, with
// its gates closed or open. It makes values from [interp.Choices], the one
// currency of test data here: gopter draws choices and shrinks them
// ([Schema.Samples]), go test -fuzz mutates them, and a value that was read can
// be turned into the choices that make it.
//
// A [Law] is one function that returns an error where it does not hold. Some are
// about values, some about any bytes at all; [Laws] lists them, and the tests of
// this package run every one on every schema, by gopter and as fuzz targets:
//
//	go test ./fuzz
//	go test ./fuzz -fuzz FuzzDecode -fuzztime 5m
//	go test ./fuzz -fuzz FuzzChoices -fuzztime 5m
//
// The first byte of an input of a fuzz target selects the schema; the rest is a
// packet for FuzzDecode and choices for FuzzChoices.
package fuzz
