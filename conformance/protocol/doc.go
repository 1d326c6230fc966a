// Package protocol defines the messages between the conformance runner and an implementation.
//
// The implementation is a child process. It reads requests, one JSON object a
// line, from its standard input and answers each with one line on its standard
// output, in the same order, until its input ends. A language that cannot read its
// standard input connects to the TCP address in the environment variable
// OCTABLE_CONNECT instead, and talks the same lines there. README.md beside this
// file describes it for authors in other languages, and protocol.schema.json is
// its JSON schema.
//
// An implementation in Go is an [Implementation]. [Main] serves it as a child process; package
// runner can also call it directly.
package protocol
