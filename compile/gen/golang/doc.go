// Package golang generates Go: a package without dependencies that reads and writes the values
// of a schema. It uses neither reflection nor an interpreter at run time.
//
// The parts that depend on the schema are printed from its model: read.go and write.go print the
// functions of records and arms, statement by statement. The files whose names begin with
// typed print Go types for the values of a schema, and how statements read and write their
// fields; the package is one file for the schema and one for the runtime, without what the
// schema does not need. The values of a Variant are of one type: types.go prints the ways
// from and to it, fast.go the loops for plain forms, and the files whose names begin with
// struct the functions of users' own structs. The rest is in the folder runtime, as the text of Go files.
// Lines that begin with //gen:if, //gen:else and //gen:end enclose what only some
// schemas need. A line that begins with //gen:copy is replaced by declarations of
// package interp; see shared.go.
//
// The checksums of the runtime are not copies of those of package builtin. That package
// computes every checksum in parts with one type; a generated package has only the functions
// of the checksums that its schema uses.
package golang
