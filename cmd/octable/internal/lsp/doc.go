// Package lsp is a language server for schema files. It speaks the Language Server Protocol
// 3.17 with editors: diagnostics with quick fixes, hover, completion, definitions,
// references, renaming, symbols, semantic tokens, folding, inlay hints and formatting.
//
//   - [Serve] speaks the protocol; server.go lists the requests that are answered.
//   - workspace.go holds the documents that editors have open, and finds the schemas that
//     they extend: beside them, or among the schemas of octable.
//   - index.go finds the declaration of every name of a file and of those that it
//     extends, by the rules of scope of the compiler.
//   - Each other file answers one group of requests.
//
// Places in files are offsets in bytes here; text.go turns them into the lines and
// characters of the protocol.
package lsp
