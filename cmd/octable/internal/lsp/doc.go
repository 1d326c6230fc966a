// Package lsp is a language server for schema files: it tells editors what is wrong
// in them and what the names in them mean, over the Language Server Protocol 3.17.
//
//   - [Serve] speaks the protocol; server.go says which requests are answered.
//   - workspace.go holds the documents that editors have open, and finds what they
//     extend: beside them, or among the schemas of octable.
//   - index.go finds out which declaration every name of a file and of those that it
//     extends stands for, by the rules of scope that the compiler has.
//   - check.go, hover.go, complete.go and rename.go answer from that.
//
// Places in files are offsets in bytes here; text.go turns them into the lines and
// characters of the protocol.
package lsp
