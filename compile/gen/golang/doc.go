// Package golang generates Go: a package without dependencies that reads and
// writes the values of a schema, without reflection and without interpreting
// anything at run time.
//
// What depends on the schema is printed from its model: types.go prints the types
// that users see, read.go and write.go the functions of records and arms, fast.go the
// loops for plain forms, and the files whose names begin with struct the functions of
// users' own structs. What
// every such package needs is in the folder runtime, as the text of Go files in
// which lines that begin with //gen: mark what only some schemas need.
package golang
